"""Who reaches an address: every view of an event goes through one of these decorators.

- `public_event`: everybody, for a public event; a private one only for its officials (404 otherwise).
- `official_event(right)`: signed in (else the login page), appointed to the event (else 404, as if it did
  not exist), holding the right (else 403). Administrators belong to every event.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from django.contrib.auth.models import AnonymousUser, User
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponseBase, HttpResponseRedirect

from tournaments.models import Event
from tournaments.roles import MANAGE

View = TypeVar("View", bound=Callable[..., HttpResponseBase])


def is_administrator(user: User | AnonymousUser) -> bool:
    """Whether the user sets up events and belongs to all of them."""
    return user.is_active and user.has_perm(MANAGE)


def officiates(user: User | AnonymousUser, event: Event) -> bool:
    """Whether the user is an official of this very event. One query."""
    if not user.is_authenticated:
        return False
    return is_administrator(user) or event.officials.filter(user_id=user.pk).exists()


def may(user: User | AnonymousUser, right: str, event: Event) -> bool:
    """Whether the user may do in this event what the right names."""
    return user.has_perm(right) and officiates(user, event)


def event_or_404(slug: str) -> Event:
    """The event of an address. One query."""
    try:
        return Event.objects.get(slug=slug)
    except Event.DoesNotExist:
        raise Http404("no such event") from None


def public_event(view: View) -> View:
    """A page for players and spectators: the view receives the event instead of its slug."""

    @wraps(view)
    def wrapper(request: HttpRequest, slug: str, *args: Any, **kwargs: Any) -> HttpResponseBase:
        event = event_or_404(slug)
        if not event.is_public and not officiates(request.user, event):
            raise Http404("no such event")
        return view(request, event, *args, **kwargs)

    return cast(View, wrapper)


def official_event(right: str) -> Callable[[View], View]:
    """A page for officials who hold `right`: the view receives the event instead of its slug."""

    def decorate(view: View) -> View:
        @wraps(view)
        def wrapper(request: HttpRequest, slug: str, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return redirect_to_login(request.get_full_path())
            event = event_or_404(slug)
            if not officiates(request.user, event):
                raise Http404("no such event")
            if not request.user.has_perm(right):
                raise PermissionDenied
            return view(request, event, *args, **kwargs)

        return cast(View, wrapper)

    return decorate


def administrator(view: View) -> View:
    """A page of the whole installation: signed in, and an administrator."""

    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        if not is_administrator(request.user):
            raise PermissionDenied
        return view(request, *args, **kwargs)

    return cast(View, wrapper)


def signed_in_user(request: HttpRequest) -> User:
    """The official behind a request that passed one of the decorators above."""
    return cast(User, request.user)


class SeeOther(HttpResponseRedirect):
    """The answer to a POST that worked: 303, so that a reload repeats nothing."""

    status_code = 303


def see_other(address: str) -> SeeOther:
    """Goes on to another page after a POST that worked."""
    return SeeOther(address)
