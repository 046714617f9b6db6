"""导入: upload a roster, look at what was understood, confirm it whole."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from tournaments.access import official_event, see_other, signed_in_user
from tournaments.entry_words import entry_sentence, lack_word
from tournaments.forms.rosters import ReadingChoices, UploadForm, column_choices
from tournaments.models import Event
from tournaments.previews import preview_of, told_changes
from tournaments.roles import ASSIST
from tournaments.roster import (
    LAYOUT_NAMES,
    Layout,
    RosterReading,
    UnreadableRoster,
    describe,
    read_roster,
    read_singles,
)
from tournaments.selectors.entries import stated_rules
from tournaments.selectors.rosters import RosterChanges, compare_roster
from tournaments.services.rosters import ImportOutcome, RosterClashes, RosterHasErrors, import_roster
from tournaments.templatetags.guandan import spans
from tournaments.uploads import LONGEST_HANDLE, Upload, keep_upload, kept_upload


@require_http_methods(["GET", "HEAD", "POST"])
@official_event(ASSIST)
def roster_import(request: HttpRequest, event: Event) -> HttpResponse:
    """Three steps at one address: a file is posted, its preview is read, its confirmation is posted."""
    if request.method == "POST" and "upload" not in request.POST:
        return _uploaded(request, event)
    query = request.POST if request.method == "POST" else request.GET
    if "upload" not in query:
        return _upload_page(request, event, UploadForm())
    upload = kept_upload(query["upload"][:LONGEST_HANDLE], event=event, user=signed_in_user(request))
    if upload is None:
        messages.warning(request, _("The uploaded file is no longer kept. Please choose it again."))
        return see_other(reverse("roster_import", args=[event.slug]))
    choices = ReadingChoices.from_query(query)
    several = bool(stated_rules(event).several_sessions)
    try:
        reading = read_roster(upload.data, upload.filename, **choices.arguments(), several_sessions=several)
    except UnreadableRoster as unreadable:
        return _refused(request, event, unreadable)
    if request.method == "POST":
        return _confirmed(request, event, upload, choices, reading)
    return _preview_page(request, event, upload, choices, reading, status=200)


def _uploaded(request: HttpRequest, event: Event) -> HttpResponse:
    """Keeps the file and goes to its preview; a file that cannot be read at all is refused at once."""
    form = UploadForm(request.POST, request.FILES)
    if not form.is_valid():
        return _upload_page(request, event, form)
    file = form.cleaned_data["file"]
    data = file.read()
    try:
        read_roster(data, file.name)
    except UnreadableRoster as unreadable:
        form.add_error("file", describe(unreadable))
        return _upload_page(request, event, form)
    upload = keep_upload(event=event, user=signed_in_user(request), filename=file.name, data=data)
    query = {"upload": upload.handle}
    if form.cleaned_data["department"]:
        query["department"] = form.cleaned_data["department"]
    return see_other(f"{reverse('roster_import', args=[event.slug])}?{urlencode(query)}")


def _refused(request: HttpRequest, event: Event, unreadable: UnreadableRoster) -> HttpResponse:
    messages.error(request, describe(unreadable))
    return see_other(reverse("roster_import", args=[event.slug]))


def _upload_page(request: HttpRequest, event: Event, form: UploadForm) -> HttpResponse:
    departments = event.departments.values_list("name", flat=True)
    context = {"event": event, "section": "roster", "form": form, "departments": departments}
    return render(request, "tournaments/roster_upload.html", context, status=422 if form.is_bound else 200)


def _preview_page(
    request: HttpRequest,
    event: Event,
    upload: Upload,
    choices: ReadingChoices,
    reading: RosterReading,
    *,
    status: int,
) -> HttpResponse:
    changes = None if reading.errors else compare_roster(event, reading)
    context: dict[str, Any] = {
        "event": event,
        "section": "roster",
        "upload": upload,
        "choices": choices,
        "reading": reading,
        "layout": LAYOUT_NAMES[reading.layout],
        "columns": column_choices(reading),
        "preview": preview_of(reading, changes),
        "changes": changes,
        "changed": told_changes(changes),
        "errors": [describe(problem) for problem in reading.errors],
        "warnings": [describe(problem) for problem in reading.warnings] + _told_lacks(changes),
        "refused": [entry_sentence(problem) for problem in changes.refused] if changes else [],
        "helped_by_removal": bool(changes and changes.refused and not changes.refused_alone),
        "departments": event.departments.values_list("name", flat=True),
        "singles": _singles(upload, reading),
    }
    return render(request, "tournaments/roster_preview.html", context, status=status)


def _singles(upload: Upload, reading: RosterReading) -> int:
    """How many people the file lists, should it be a list of people without a partner; 0 where it cannot be.

    It can be where each row names one person and nobody has a team's number.
    """
    if reading.layout is not Layout.TWO_ROWS or any(team.number for team in reading.candidates):
        return 0
    try:
        return len(read_singles(upload.data, upload.filename).singles)
    except UnreadableRoster:
        return 0


def _told_lacks(changes: RosterChanges | None) -> list[str]:
    """What entries still wait for; the rows that wait for the same are told together."""
    rows: dict[str, list[int]] = {}
    for entry, found in changes.lacking if changes else ():
        rows.setdefault(_(", ").join(map(lack_word, found)), []).append(entry.row)
    words = _("Row %(rows)s: %(lacks)s. It can be filled in later.")
    return [words % {"rows": spans(each), "lacks": lacks} for lacks, each in rows.items()]


def _confirmed(
    request: HttpRequest, event: Event, upload: Upload, choices: ReadingChoices, reading: RosterReading
) -> HttpResponse:
    try:
        outcome = import_roster(
            event=event,
            reading=reading,
            by=signed_in_user(request),
            remove_missing="remove_missing" in request.POST,
            source=upload.filename,
        )
    except (RosterHasErrors, RosterClashes):
        return _preview_page(request, event, upload, choices, reading, status=422)
    messages.success(request, told_outcome(outcome))
    return see_other(reverse("roster", args=[event.slug]))


def told_outcome(outcome: ImportOutcome) -> str:
    """What an import did, in one sentence."""
    if outcome.is_empty:
        return _("No change: the roster already is as in this file.")
    counts = [
        (ngettext("%d new team", "%d new teams", len(outcome.new)), outcome.new),
        (ngettext("%d changed", "%d changed", len(outcome.changed)), outcome.changed),
        (ngettext("%d removed", "%d removed", len(outcome.removed)), outcome.removed),
        (ngettext("%d withdrawn", "%d withdrawn", len(outcome.withdrawn)), outcome.withdrawn),
    ]
    told = _(", ").join(text % len(numbers) for text, numbers in counts if numbers)
    return _("Imported: %(told)s.") % {"told": told}
