"""Emergency packs to print and to take away, and the card that says what to do."""

from __future__ import annotations

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from guandan_site.downloads import file_response
from guandan_site.packs.making import PDF, NeverPublished, found_or_made, pack_content
from guandan_site.pdf import PressBusy, busy_response, pdf_response, sheet_response
from guandan_site.prints.selectors import sheet_head
from guandan_site.prints.sheets import phones_on_sheets, version_words
from pairing.models import Publication
from pairing.phones import own_address, phones_address, reaches_phones
from pairing.selectors.packs import Pack, pack_of
from tournaments.access import administrator, official_event
from tournaments.models import Event
from tournaments.roles import ASSIST, DIRECT
from tournaments.selectors.backups import the_plan
from tournaments.sheets import SheetHead


@require_safe
@official_event(ASSIST)
def pack_pdf(request: HttpRequest, event: Event, stage: int, number: int, version: int) -> HttpResponse:
    """The sheets of a version in one PDF; one that was taken back only for who may see drafts."""
    publication = _publication(event, stage, number, version)
    if publication.round.is_draft and not request.user.has_perm(DIRECT):
        raise PermissionDenied
    try:
        pack = _pack(request, event, publication)
    except PressBusy:
        return busy_response()
    return pdf_response(pack_content(pack, PDF), _name(event, publication))


@require_safe
@official_event(DIRECT)
def pack_zip(request: HttpRequest, event: Event, stage: int, number: int, version: int) -> HttpResponse:
    """The PDF with the event file beside it, which holds drafts and phone numbers."""
    publication = _publication(event, stage, number, version)
    try:
        pack = _pack(request, event, publication)
    except PressBusy:
        return busy_response()
    content = pack.path.read_bytes()
    return file_response(content, "application/zip", _name(event, publication), "zip", download=True)


def _publication(event: Event, stage: int, number: int, version: int) -> Publication:
    found = Publication.objects.filter(
        round__stage__event=event, round__stage__order=stage, round__number=number, version=version
    )
    publication = found.select_related("round__stage__event").first()
    if publication is None:
        raise Http404("no such version")
    return publication


def _pack(request: HttpRequest, event: Event, publication: Publication) -> Pack:
    """The pack; of a draft only one that was made while its round was published."""
    if publication.round.is_draft and pack_of(publication).made_at is None:
        raise Http404("taken back before its pack was made")
    try:
        return found_or_made(publication, phones_address(request, event))
    except NeverPublished:
        raise Http404("taken back meanwhile") from None


def _name(event: Event, publication: Publication) -> str:
    title = _("Emergency pack, round %(round)d") % {"round": publication.round.number}
    return f"{event.name} {title} {version_words(publication.version)}"


@require_safe
@official_event(ASSIST)
def emergency_card(request: HttpRequest, event: Event) -> HttpResponse:
    """应急卡: what to do when something fails, with this event's addresses."""
    phones = phones_on_sheets(event, phones_address(request, event))
    return _card(request, sheet_head(event, _("Emergency card"), phones=phones), event.name)


@require_safe
@administrator
def installation_card(request: HttpRequest) -> HttpResponse:
    """The same card for the whole installation."""
    title = _("Emergency card")
    head = SheetHead(_("Touyou"), "", "", title, "", "", timezone.now())
    return _card(request, head, _("Touyou"))


def _card(request: HttpRequest, head: SheetHead, name: str) -> HttpResponse:
    address = own_address(request)
    context = {
        "head": head,
        "here": "" if settings.ON_SERVER else f"http://127.0.0.1:{request.get_port()}/",
        "address": address,
        "reaches_others": reaches_phones(address),
        "folder": the_plan().folder,
    }
    return sheet_response("emergency_card", context, f"{name} {head.title}")
