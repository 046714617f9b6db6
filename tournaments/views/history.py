"""日志: what officials did in an event."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.access import official_event
from tournaments.log_words import act_name, log_line
from tournaments.models import Event
from tournaments.roles import READ_LOG
from tournaments.selectors.history import acts_of, event_history
from tournaments.typed import typed_line

ACTS_PER_PAGE = 50


@require_safe
@official_event(READ_LOG)
def log(request: HttpRequest, event: Event) -> HttpResponse:
    """Newest first, by page, filtered by act and by words."""
    act, search = typed_line(request.GET, "act", 40), typed_line(request.GET, "q", 100)
    pages = Paginator(event_history(event, act=act, search=search), ACTS_PER_PAGE)
    page = pages.get_page(request.GET.get("page"))
    context = {
        "event": event,
        "section": "log",
        "page": page,
        "lines": [log_line(entry) for entry in page.object_list],
        "acts": sorted(((each, act_name(each)) for each in acts_of(event)), key=lambda named: named[1]),
        "act": act,
        "search": search,
    }
    return render(request, "tournaments/log.html", context)
