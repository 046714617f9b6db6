"""Backups for the administrator, the first start of an installation, event files in and out."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.models import User
from django.db import transaction
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from guandan_site.backups.archive import BackupRefused, backup_name, write_backup
from guandan_site.backups.forms import BackupFileForm, EventFileForm, FirstAdministratorForm, FolderForm
from guandan_site.backups.plan import back_up_now, backup_files, set_folder
from guandan_site.backups.refusals import FolderRefused
from guandan_site.backups.restoring import NotEmpty, restore_backup
from guandan_site.backups.wording import backup_fault, folder_fault
from guandan_site.downloads import file_response
from guandan_site.event_file.document import EventDocument
from guandan_site.event_file.dumping import to_bytes
from guandan_site.event_file.exporting import document_of
from guandan_site.event_file.parsing import load_event
from guandan_site.event_file.problems import InvalidEventFile
from guandan_site.event_file.storing import EventExists, store_event
from guandan_site.event_file.wording import problem_lines
from tournaments.access import administrator, official_event, see_other, signed_in_user
from tournaments.forms.people import NewUserForm
from tournaments.log import Act, record_act
from tournaments.models import Event
from tournaments.roles import ADMINISTRATOR, DIRECT
from tournaments.selectors.backups import the_plan
from tournaments.selectors.events import proposed_slug
from tournaments.selectors.people import someone_can_sign_in
from tournaments.services.people import UsernameTaken, create_user

THIS_COMPUTER = ("127.0.0.1", "::1")
MOST_PROBLEMS = 20


@require_http_methods(["GET", "HEAD", "POST"])
@administrator
def backups(request: HttpRequest) -> HttpResponse:
    """Where copies go by themselves, and how the last one went."""
    form = FolderForm(request.POST or None, initial={"folder": the_plan().folder})
    if request.method == "POST" and form.is_valid():
        try:
            plan = set_folder(folder=form.cleaned_data["folder"], by=signed_in_user(request))
        except FolderRefused as error:
            form.add_error("folder", folder_fault(error))
        else:
            is_set = bool(plan.folder)
            told = _("Copies go to this folder from now on.") if is_set else _("No copies are made any more.")
            messages.success(request, told)
            return see_other(reverse("backups"))
    return _backups_page(request, form, status=422 if request.method == "POST" else 200)


@require_POST
@administrator
def backup_now(request: HttpRequest) -> HttpResponse:
    """One more copy at once."""
    try:
        path = back_up_now(signed_in_user(request))
    except FolderRefused as error:
        messages.error(request, folder_fault(error))
    except BackupRefused as error:
        messages.error(request, backup_fault(error.fault))
    else:
        messages.success(request, _("Backed up: %(name)s") % {"name": path.name})
    return see_other(reverse("backups"))


def _backups_page(request: HttpRequest, form: FolderForm, *, status: int = 200) -> HttpResponse:
    plan = the_plan()
    context = {
        "section": "backups",
        "form": form,
        "plan": plan,
        "files": backup_files(plan)[:20],
        "minutes": plan.MINUTES,
    }
    return render(request, "backups/backups.html", context, status=status)


@require_POST
@administrator
def backup_download(request: HttpRequest) -> HttpResponseBase:
    """Everything in one file, for wherever the administrator keeps it."""
    file = io.BytesIO()
    try:
        manifest = write_backup(file)
    except BackupRefused as error:
        messages.error(request, backup_fault(error.fault))
        return see_other(reverse("backups"))
    file.seek(0)
    name = backup_name(manifest.moment)
    record_act(event=None, act=Act.BACKUP_MADE, by=signed_in_user(request), new={"file": name})
    return FileResponse(file, as_attachment=True, filename=name, content_type="application/zip")


@require_http_methods(["GET", "HEAD", "POST"])
def start(request: HttpRequest) -> HttpResponse:
    """The first administrator, or a backup put back: while nobody can sign in, on this computer.

    Afterwards it leads on to where that person goes.
    """
    if someone_can_sign_in():
        return _first_start_is_over(request)
    if settings.ON_SERVER:
        raise Http404("a server is set up at its command line")
    if request.META["REMOTE_ADDR"] not in THIS_COMPUTER:
        return render(request, "backups/start_elsewhere.html", {"section": "home"}, status=403)
    is_upload = "restore" in request.POST
    person = FirstAdministratorForm(None if is_upload else request.POST or None)
    upload = BackupFileForm(request.POST if is_upload else None, request.FILES if is_upload else None)
    if request.method == "POST":
        answer = _restored(request, upload) if is_upload else _first_administrator(request, person)
        if answer is not None:
            return answer
    context = {"section": "home", "person": person, "upload": upload}
    return render(request, "backups/start.html", context, status=422 if request.method == "POST" else 200)


def _first_start_is_over(request: HttpRequest) -> HttpResponse:
    if request.user.is_authenticated:
        messages.info(request, _("The first start is over: this installation has its administrator."))
        return see_other(reverse("home"))
    messages.info(request, _("The first start is over, accounts exist already. Sign in with yours."))
    return see_other(reverse("login"))


def _restored(request: HttpRequest, form: BackupFileForm) -> HttpResponse | None:
    if not form.is_valid():
        return None
    try:
        manifest = restore_backup(form.cleaned_data["file"])
    except NotEmpty:
        return _first_start_is_over(request)
    except BackupRefused as error:
        form.add_error("file", backup_fault(error.fault))
        return None
    moment = timezone.localtime(manifest.moment).strftime("%Y-%m-%d %H:%M:%S")
    messages.success(
        request,
        _("Restored as it stood at %(moment)s. Sign in with the account you used before.")
        % {"moment": moment},
    )
    return see_other(reverse("login"))


def _first_administrator(request: HttpRequest, form: FirstAdministratorForm) -> HttpResponse | None:
    if not form.is_valid():
        return None
    typed = {name: form.cleaned_data[name] for name in ("username", "full_name", "password")}
    try:
        with transaction.atomic():
            user = create_user(**typed, role=ADMINISTRATOR, by=None)
            User.objects.filter(pk=user.pk).update(is_superuser=True)
    except UsernameTaken:  # of somebody who may not sign in any more, or by the same button pressed twice
        form.add_error("username", NewUserForm.taken())
        return None
    login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    return see_other(reverse("home"))


@require_http_methods(["GET", "HEAD", "POST"])
@administrator
def event_import(request: HttpRequest) -> HttpResponse:
    """An event file as a new event; a wrong one is refused with every place that is wrong."""
    form = EventFileForm(request.POST or None, request.FILES or None)
    problems: list[str] = []
    if request.method == "POST" and form.is_valid():
        try:
            event = _stored(request, form)
        except InvalidEventFile as error:
            problems = problem_lines(error)
        except EventExists as error:
            problem = _(
                "There is an event with the short address “%(slug)s”. Tick this to give it another one."
            )
            form.add_error("rename", problem % {"slug": error.slug})
        else:
            messages.success(request, _("“%(name)s” is imported.") % {"name": event.name})
            return see_other(reverse("desk", args=[event.slug]))
    context: dict[str, Any] = {
        "section": "home",
        "form": form,
        "problems": problems[:MOST_PROBLEMS],
        "more": max(0, len(problems) - MOST_PROBLEMS),
    }
    return render(
        request, "backups/event_import.html", context, status=422 if request.method == "POST" else 200
    )


def _stored(request: HttpRequest, form: EventFileForm) -> Event:
    document = load_event(form.cleaned_data["file"].read())
    if form.cleaned_data["rename"] and Event.objects.filter(slug=document.event.slug).exists():
        document = _under_another_address(document)
    return store_event(document, author=signed_in_user(request))


def _under_another_address(document: EventDocument) -> EventDocument:
    slug = proposed_slug(document.event.slug, f"{timezone.localdate():%Y%m%d}")
    return replace(document, event=replace(document.event, slug=slug))


@require_safe
@official_event(DIRECT)
def event_file(request: HttpRequest, event: Event) -> HttpResponse:
    """The event as a file that any other computer can go on from."""
    name = f"{event.name} {timezone.localtime():%Y%m%d-%H%M}"
    return file_response(to_bytes(document_of(event)), "application/json", name, "json", download=True)
