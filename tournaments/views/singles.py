"""单人: the list of people without a partner, the draw of partners, its public result."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments.access import official_event, public_event, see_other, signed_in_user
from tournaments.entry_words import entry_sentence
from tournaments.forms.singles import PartnerDrawForm, SingleForm, SinglesFileForm
from tournaments.models import Event
from tournaments.partners import SexUnknown
from tournaments.roles import ASSIST
from tournaments.roster import UnreadableRoster, describe, read_singles
from tournaments.selectors.entries import stated_rules
from tournaments.selectors.singles import can_undo, draw_results, waiting_singles
from tournaments.selectors.stages import current_stage
from tournaments.services.singles import (
    MOST_SINGLES,
    CannotUndo,
    DrawOutdated,
    NothingToDraw,
    TooManySingles,
    add_singles,
    draw_singles,
    preview_partners,
    remove_single,
    undo_partners,
)
from tournaments.services.teams import EntryRefused
from tournaments.unusual import tell_of_unusual, warn_of_unusual
from tournaments.uploads import LONGEST_HANDLE, kept_upload

HIGHEST_ID = 2**31


@require_http_methods(["GET", "HEAD", "POST"])
@official_event(ASSIST)
def singles(request: HttpRequest, event: Event) -> HttpResponse:
    """Who waits for a partner; one more is typed, or a list is read from a file."""
    form = SingleForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        try:
            new, _known = add_singles(event=event, people=[form.person()], by=signed_in_user(request))
        except EntryRefused as refused:
            form.add_error("name", entry_sentence(refused.problems[0]))
        except TooManySingles:
            form.add_error("name", _too_many())
        else:
            told = {"name": form.cleaned_data["name"]}
            messages.success(
                request, (_("%(name)s waits for a partner.") if new else _("%(name)s waited already.")) % told
            )
            tell_of_unusual(request, form)
            return see_other(reverse("singles", args=[event.slug]) + "#single-form")
    return _page(request, event, form=form)


@require_POST
@official_event(ASSIST)
def singles_import(request: HttpRequest, event: Event) -> HttpResponse:
    """A list of people without a partner: stored whole, or refused with its rows.

    It comes as a file, or as one that was uploaded for the roster and turned out to be such a list.
    """
    if "upload" in request.POST:
        kept = kept_upload(request.POST["upload"][:LONGEST_HANDLE], event=event, user=signed_in_user(request))
        if kept is None:
            messages.warning(request, _("The uploaded file is no longer kept. Please choose it again."))
            return see_other(reverse("singles", args=[event.slug]))
        return _stored(request, event, kept.data, kept.filename)
    upload = SinglesFileForm(request.POST, request.FILES)
    if not upload.is_valid():
        return _page(request, event, upload=upload)
    file = upload.cleaned_data["file"]
    return _stored(request, event, file.read(), file.name)


def _stored(request: HttpRequest, event: Event, data: bytes, filename: str) -> HttpResponse:
    try:
        reading = read_singles(data, filename)
        problems = [describe(problem) for problem in reading.errors]
        if not problems:
            new, known = add_singles(
                event=event, people=reading.singles, by=signed_in_user(request), source=filename
            )
    except UnreadableRoster as unreadable:
        problems = [describe(unreadable)]
    except EntryRefused as refused:
        problems = [entry_sentence(problem) for problem in refused.problems]
    except TooManySingles:
        problems = [_too_many()]
    if problems:
        return _page(request, event, problems=problems)
    messages.success(
        request,
        ngettext("%(new)d person is new on the list", "%(new)d people are new on the list", new)
        % {"new": new}
        + (_("; %(known)d waited already.") % {"known": known} if known else _(".")),
    )
    warn_of_unusual(
        request, (text for person in reading.singles for text in (person.name, person.department))
    )
    return see_other(reverse("singles", args=[event.slug]))


def _too_many() -> str:
    return _("More than %(most)d people cannot wait at once.") % {"most": MOST_SINGLES}


def _page(
    request: HttpRequest,
    event: Event,
    *,
    form: SingleForm | None = None,
    upload: SinglesFileForm | None = None,
    draw: PartnerDrawForm | None = None,
    problems: list[str] | None = None,
) -> HttpResponse:
    stated = stated_rules(event)
    refused = problems or any(each is not None and each.errors for each in (form, upload, draw))
    waiting = list(waiting_singles(event))
    context = {
        "event": event,
        "section": "roster",
        "waiting": waiting,
        "men": sum(single.sex == "m" for single in waiting),
        "women": sum(single.sex == "f" for single in waiting),
        "form": form or SingleForm(),
        "upload": upload or SinglesFileForm(),
        "draw_form": draw or PartnerDrawForm(stated=stated),
        "results": draw_results(event),
        "can_undo": can_undo(event),
        "problems": problems or [],
        "departments": event.departments.values_list("name", flat=True),
    }
    return render(request, "tournaments/singles.html", context, status=422 if refused else 200)


@require_POST
@official_event(ASSIST)
def single_remove(request: HttpRequest, event: Event, pk: int) -> HttpResponse:
    """Somebody does not wait any more."""
    single = event.singles.filter(pk=pk).first() if pk < HIGHEST_ID else None
    if single is None:
        raise Http404("nobody")
    remove_single(single=single, by=signed_in_user(request))
    messages.success(request, _("%(name)s is off the list.") % {"name": single.name})
    return see_other(reverse("singles", args=[event.slug]))


@require_http_methods(["GET", "HEAD", "POST"])
@official_event(ASSIST)
def partners_draw(request: HttpRequest, event: Event) -> HttpResponse:
    """The draw is looked at under its seed, then confirmed as one act."""
    data = request.POST if request.method == "POST" else request.GET
    form = PartnerDrawForm(data, stated=stated_rules(event))
    if not form.is_valid():
        return _page(request, event, draw=form)
    kind, origin = form.choices()
    try:
        if request.method == "POST":
            return _confirmed(request, event, form)
        preview = preview_partners(event, kind, origin, form.cleaned_data["seed"])
    except SexUnknown as unknown:
        names = _(", ").join(person.name for person in unknown.people)
        told = _(
            "Mixed partners: whether these are men or women is not known: %(names)s. Type it below first."
        )
        return _page(request, event, draw=form, problems=[told % {"names": names}])
    except NothingToDraw:
        told = _("Nobody can be paired: fewer than two people wait who may become partners.")
        return _page(request, event, draw=form, problems=[told])
    chosen = {"kind": kind.value, "origin": origin.value, "seed": str(preview.seed)}
    if form.cleaned_data["seed"] is None:
        return see_other(f"{reverse('partners_draw', args=[event.slug])}?{urlencode(chosen)}")
    numbered = [
        (place, preview.first_number + place - 1, pair)
        for place, pair in enumerate(preview.drawn.pairs, start=1)
    ]
    context = {
        "event": event,
        "section": "roster",
        "preview": preview,
        "numbered": numbered,
        "chosen": chosen,
    }
    return render(request, "tournaments/partners_preview.html", context)


def _confirmed(request: HttpRequest, event: Event, form: PartnerDrawForm) -> HttpResponse:
    kind, origin = form.choices()
    try:
        draw = draw_singles(
            event=event,
            kind=kind,
            partners_from=origin,
            seed=form.cleaned_data["seed"] or 0,
            expected=request.POST.get("expected", ""),
            by=signed_in_user(request),
        )
    except DrawOutdated:
        problem = _(
            "The list has changed since you looked. Nothing was stored; please look at the draw again."
        )
        return _page(request, event, draw=form, problems=[problem])
    except EntryRefused as refused:
        problems = [entry_sentence(each) for each in refused.problems]
        return _page(request, event, draw=form, problems=problems)
    pairs = len(draw.record["pairs"])
    told = ngettext("%(count)d team is made.", "%(count)d teams are made.", pairs) % {"count": pairs}
    messages.success(request, told)
    return see_other(reverse("singles", args=[event.slug]))


@require_POST
@official_event(ASSIST)
def partners_undo(request: HttpRequest, event: Event, pk: int) -> HttpResponse:
    """The newest draw of partners is taken back: its people wait again."""
    draw = event.partner_draws.filter(pk=pk).first() if pk < HIGHEST_ID else None
    if draw is None:
        raise Http404("no such draw")
    try:
        undo_partners(draw=draw, by=signed_in_user(request))
    except CannotUndo:
        problem = _(
            "The draw stands: a round is drawn, a later draw of partners exists, or one of its teams was "
            "changed."
        )
        return _page(request, event, problems=[problem])
    messages.success(request, _("The draw of partners is taken back; its people wait again."))
    return see_other(reverse("singles", args=[event.slug]))


@require_safe
@public_event
def partners(request: HttpRequest, event: Event) -> HttpResponse:
    """搭档抽签结果, for phones and the projector; before a draw the page does not exist."""
    results = draw_results(event)
    if not results:
        raise Http404("no draw of partners")
    context: dict[str, Any] = {
        "event": event,
        "section": "partners",
        "stage": current_stage(event, drafts=False),
        "results": results,
    }
    return render(request, "tournaments/partners.html", context)
