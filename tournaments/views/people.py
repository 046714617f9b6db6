"""Users of the installation: a list, a new one, a change."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from tournaments.access import administrator, see_other, signed_in_user
from tournaments.forms.people import NewUserForm, UserForm
from tournaments.log import actor_name
from tournaments.log_words import log_line
from tournaments.selectors.history import installation_history
from tournaments.selectors.people import people, role_of
from tournaments.services.people import LastAdministrator, UsernameTaken, change_user, create_user


@require_safe
@administrator
def users(request: HttpRequest) -> HttpResponse:
    """All users with their roles and events, and what was last changed about them."""
    context = {
        "people": people(),
        "entries": [log_line(entry) for entry in installation_history()],
        "section": "users",
    }
    return render(request, "tournaments/users.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@administrator
def user_create(request: HttpRequest) -> HttpResponse:
    """A new user with a role and a first password."""
    form = NewUserForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        created = _created(request, form)
        if created is not None:
            messages.success(request, _("%(name)s can sign in now.") % {"name": actor_name(created)})
            return see_other(reverse("users"))
    context = {"form": form, "section": "users"}
    return render(request, "tournaments/user_form.html", context, status=422 if form.is_bound else 200)


def _created(request: HttpRequest, form: NewUserForm) -> User | None:
    typed = {name: form.cleaned_data[name] for name in ("username", "full_name", "password", "role")}
    try:
        return create_user(**typed, by=signed_in_user(request))
    except UsernameTaken:
        form.add_error("username", form.taken())
        return None


@require_http_methods(["GET", "HEAD", "POST"])
@administrator
def user_edit(request: HttpRequest, pk: int) -> HttpResponse:
    """A user's name, role, access and password."""
    user = get_object_or_404(User, pk=pk)
    stored = {"full_name": user.get_full_name(), "role": role_of(user), "is_active": user.is_active}
    form = UserForm(request.POST or None, user=user, initial=stored)
    if request.method == "POST" and form.is_valid() and _changed(request, user, form):
        messages.success(request, _("The user is saved."))
        return see_other(reverse("users"))
    context = {"form": form, "person": user, "section": "users"}
    return render(request, "tournaments/user_form.html", context, status=422 if form.is_bound else 200)


def _changed(request: HttpRequest, user: User, form: UserForm) -> bool:
    typed = {name: form.cleaned_data[name] for name in ("full_name", "role", "is_active", "password")}
    try:
        changed = change_user(user=user, **typed, by=signed_in_user(request))
    except LastAdministrator:
        form.refuse_last_administrator()
        return False
    if user == request.user and form.cleaned_data["password"]:
        update_session_auth_hash(request, changed)
    return True
