"""The guide: open to everybody, since who cannot sign in needs it most."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from guandan_site.help.chapters import FRONT, ORDER, chapter, chapters


@require_safe
def front(request: HttpRequest) -> HttpResponse:
    """What is in the guide, by who needs it."""
    return _shown(request, FRONT)


@require_safe
def page(request: HttpRequest, name: str) -> HttpResponse:
    """One chapter."""
    if name not in ORDER:
        raise Http404("no such chapter")
    return _shown(request, name)


def _shown(request: HttpRequest, name: str) -> HttpResponse:
    context = {"section": "help", "chapter": chapter(name), "chapters": chapters()}
    return render(request, "help/page.html", context)
