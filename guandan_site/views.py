"""Pages of the installation itself: the language switch, and the answer to what cannot be read."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest, HttpResponseRedirect
from django.template.loader import render_to_string
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_safe


@require_safe
def language(request: HttpRequest, code: str) -> HttpResponse:
    """Keeps the language in a cookie and goes back to where the visitor was."""
    if code not in dict(settings.LANGUAGES):
        raise Http404("no such language")
    target = request.GET.get("next", "/")
    if not url_has_allowed_host_and_scheme(target, allowed_hosts={request.get_host()}):
        target = "/"
    response = HttpResponseRedirect(target)
    response.set_cookie(settings.LANGUAGE_COOKIE_NAME, code, max_age=365 * 24 * 60 * 60, samesite="Lax")
    return response


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400 for a body that cannot be read. Django's own reads that body once more and so ends as a 500."""
    return HttpResponseBadRequest(render_to_string("400.html"))
