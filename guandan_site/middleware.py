"""What happens to every request: language, cache of public pages, no-store, the way back from an act."""

from __future__ import annotations

import gzip
import hashlib
import math
import re
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from threading import Lock

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.db import OperationalError, connection
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseNotModified,
    HttpResponseRedirect,
)
from django.middleware.gzip import GZipMiddleware
from django.shortcuts import render
from django.urls import is_valid_path
from django.utils import translation
from django.utils.translation import gettext as _

from guandan_site.backups.plan import is_due, start_backup_process
from guandan_site.packs.making import start_missing_packs
from pairing.phones import phones_address
from tournaments.log import EventArchived
from tournaments.models import Event
from tournaments.selectors.finding import my_number
from tournaments.services.presence import NOTED_EVERY, note_seen

GetResponse = Callable[[HttpRequest], HttpResponseBase]

MY_PAGE = re.compile(r"/e/[-\w]+/(?:find/)?")
"""The pages that differ from phone to phone: they know the team that the phone remembers."""
PUBLIC_PAGE = re.compile(r"^/e/(?P<slug>[-\w]+)/(?!desk/)")
OFFICIAL_PAGE = re.compile(r"^/e/(?P<slug>[-\w]+)/desk/")
WEIGHT = re.compile(r"q=([01](?:\.\d{0,3})?)", re.ASCII)
TEXT = ("text/", "application/json")
VARY = "Accept-Encoding, Cookie, HX-Request"
MOMENT = f"SELECT id, revision FROM {Event._meta.db_table} WHERE slug = %s AND is_public"  # noqa: S608
LOOK_AGAIN = 20
CACHED_BYTES = 32 * 1024 * 1024
"""What a server process keeps, compressed: some 3,000 pages of a large event."""


def language_from_cookie(get_response: GetResponse) -> GetResponse:
    """Simplified Chinese unless the visitor switched: the browser's own wish does not count in the hall."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        wanted = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME)
        language = wanted if wanted in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
        translation.activate(language)
        request.LANGUAGE_CODE = language
        response = get_response(request)
        response.headers.setdefault("Content-Language", language)
        return response

    return middleware


@dataclass(frozen=True)
class _Moment:
    """Which event, in which state, a page shows: another event may come to the address of a deleted one."""

    event: int
    revision: int


@dataclass(frozen=True)
class _CachedPage:
    moment: _Moment
    etag: str
    zipped: bytes
    headers: tuple[tuple[str, str], ...]


class _Pages:
    """The pages of one server process; the oldest go when they outgrow CACHED_BYTES."""

    def __init__(self) -> None:
        self._pages: OrderedDict[str, _CachedPage] = OrderedDict()
        self._size = 0
        self._lock = Lock()  # between the threads of the process

    def get(self, key: str, moment: _Moment) -> _CachedPage | None:
        page = self._pages.get(key)
        return page if page is not None and page.moment == moment else None

    def put(self, key: str, page: _CachedPage) -> None:
        with self._lock:
            before = self._pages.pop(key, None)
            self._size += len(page.zipped) - (len(before.zipped) if before else 0)
            self._pages[key] = page
            while self._size > CACHED_BYTES:
                _key, dropped = self._pages.popitem(last=False)
                self._size -= len(dropped.zipped)


def public_page_cache(get_response: GetResponse) -> GetResponse:
    """Serves an event's public pages from this process's memory while the event's revision stands.

    One query tells the revision, so a withdrawn publication is gone with the next request on every process.
    Only anonymous GET and HEAD requests; every answer carries an ETag, a matching If-None-Match gets a 304.
    Pages travel compressed: they hold no secret that their length could betray, and a hall's network is slow.
    """
    pages = _Pages()

    def middleware(request: HttpRequest) -> HttpResponseBase:
        address = PUBLIC_PAGE.match(request.path_info)
        if (
            address is None
            or request.method not in {"GET", "HEAD"}
            or settings.SESSION_COOKIE_NAME in request.COOKIES
        ):
            return get_response(request)
        # Asked before the page is made: a change in between makes the page newer than its mark, never older.
        moment = _moment(address["slug"])
        if moment is None:
            return get_response(request)
        own = my_number(request.COOKIES) if MY_PAGE.fullmatch(request.path_info) else None
        asked = request.headers.get("HX-Request", ""), request.get_full_path()
        key = " ".join((str(own), request.LANGUAGE_CODE, *asked))
        page = pages.get(key, moment)
        if page is None:
            response = get_response(request)
            page = _keepable(response, moment)
            if page is None:
                return response
            pages.put(key, page)
        return _answer(request, page)

    return middleware


def _moment(slug: str) -> _Moment | None:
    """Of a public event. Every cached answer pays for this query: written out it costs a tenth."""
    with connection.cursor() as cursor:
        cursor.execute(MOMENT, [slug])
        row = cursor.fetchone()
    return _Moment(*row) if row else None


def _keepable(response: HttpResponseBase, moment: _Moment) -> _CachedPage | None:
    if response.status_code != 200 or response.streaming or not isinstance(response, HttpResponse):
        return None
    if response.cookies or "no-store" in response.headers.get("Cache-Control", ""):
        return None
    etag = f'W/"{hashlib.blake2b(response.content, digest_size=12).hexdigest()}"'
    headers = {**response.headers, "ETag": etag, "Cache-Control": "no-cache", "Vary": VARY}
    headers.pop("Content-Length", None)
    return _CachedPage(moment, etag, gzip.compress(response.content, 6, mtime=0), tuple(headers.items()))


def _answer(request: HttpRequest, page: _CachedPage) -> HttpResponseBase:
    response: HttpResponse
    if page.etag.removeprefix("W/") in _known_tags(request):
        response = HttpResponseNotModified()
    elif accepts_gzip(request.headers.get("Accept-Encoding", "")):
        response = HttpResponse(page.zipped, headers={"Content-Encoding": "gzip"})
    else:
        response = HttpResponse(gzip.decompress(page.zipped))
    for name, value in page.headers:
        response.headers[name] = value
    if response.status_code == 200:
        response.headers["Content-Length"] = str(len(response.content))
    return response


def accepts_gzip(accepted: str) -> bool:
    """Whether Accept-Encoding wants gzip: named, or by *, and not with a weight of nought."""
    weights = {}
    for coding in accepted.lower().split(","):
        name, _semicolon, parameter = coding.partition(";")
        weights[name.strip()] = _weight(parameter)
    return weights.get("gzip", weights.get("*", 0)) > 0


def _weight(parameter: str) -> float:
    found = WEIGHT.fullmatch(parameter.replace(" ", ""))
    return float(found[1]) if found else 1


def _known_tags(request: HttpRequest) -> set[str]:
    tags = request.headers.get("If-None-Match", "").split(",")
    return {tag.strip().removeprefix("W/") for tag in tags}


class TextTravelsCompressed(GZipMiddleware):
    """Officials' pages and tables' too: a hall's network is slow. Sheets and packs are compressed already.

    Django masks the forms' tokens anew in every answer and pads it at random, so its length betrays nothing.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        is_text = response.headers.get("Content-Type", "").startswith(TEXT)
        if not is_text or not accepts_gzip(request.headers.get("Accept-Encoding", "")):
            return response
        compressed: HttpResponseBase = super().process_response(request, response)
        return compressed


def no_store_when_signed_in(get_response: GetResponse) -> GetResponse:
    """A signed-in official's pages are kept by no cache and no back button after signing out."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if request.user.is_authenticated:
            response.headers["Cache-Control"] = "no-store"
        return response

    return middleware


def archived_events_are_only_read(get_response: GetResponse) -> GetResponse:
    """409 with a sentence for every act on an archived event: the one refusal that all acts share."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        return get_response(request)

    def process_exception(request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, EventArchived):
            return None
        context = {"event": exception.event, "section": "settings"}
        return render(request, "tournaments/archived.html", context, status=409)

    middleware.process_exception = process_exception  # type: ignore[attr-defined]
    return middleware


def acts_lead_to_their_page(get_response: GetResponse) -> GetResponse:
    """A browser that opens the address of an act is led to the page it belongs to; nothing is carried out.

    So it opens it when it loads again a page that refused an act, or after a login that stood in between.
    An official is told to press the button once more.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        is_visit = request.method in {"GET", "HEAD"} and "text/html" in request.headers.get("Accept", "")
        if response.status_code != HTTPStatus.METHOD_NOT_ALLOWED or not is_visit:
            return response
        if request.user.is_authenticated:
            messages.warning(request, _("That was not done yet. Please press the button here once more."))
        return HttpResponseRedirect(_page_above(request.path_info))

    return middleware


def _page_above(path: str) -> str:
    """The nearest address above that exists: /e/cup/desk/draw/publish/ → /e/cup/desk/draw/."""
    above = path.rstrip("/").rpartition("/")[0] + "/"
    return above if is_valid_path(above) else _page_above(above)


def backups_by_themselves(get_response: GetResponse) -> GetResponse:
    """Starts the automatic backup when one is due: in a running event some page always asks for news.

    Each server process looks at most every LOOK_AGAIN seconds; the backup runs beside it, nobody waits.
    """
    look_at = 0.0

    def middleware(request: HttpRequest) -> HttpResponseBase:
        nonlocal look_at
        response = get_response(request)
        if settings.BACKUPS_BY_THEMSELVES and time.monotonic() >= look_at:
            look_at = time.monotonic() + LOOK_AGAIN
            if is_due():
                start_backup_process()
        return response

    return middleware


def officials_seen(get_response: GetResponse) -> GetResponse:
    """Notes who is at an event's official pages, for the desk: at most one write a minute and official.

    Only what was answered counts, so a stranger to the event is not noted. A busy database loses the note,
    never the page.
    """
    looked: dict[tuple[int, str], float] = {}

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        page = OFFICIAL_PAGE.match(request.path_info)
        user = request.user
        if page is None or not isinstance(user, User) or response.status_code >= 400:
            return response
        key, now = (user.pk, page["slug"]), time.monotonic()
        if now - looked.get(key, -math.inf) >= NOTED_EVERY.total_seconds():
            looked[key] = now
            with suppress(OperationalError):
                note_seen(slug=page["slug"], user=user)
        return response

    return middleware


def packs_by_themselves(get_response: GetResponse) -> GetResponse:
    """Starts the emergency packs that an official's act made due: nobody waits, and no failure is his.

    Of a stranger nothing is taken, least of all the address that he says the server has.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        page = OFFICIAL_PAGE.match(request.path_info) if request.method == "POST" else None
        is_official = isinstance(getattr(request, "user", None), User) and response.status_code < 400
        if page is not None and is_official and settings.PACKS_BY_THEMSELVES:
            slug = page["slug"]
            with suppress(OSError, OperationalError):
                start_missing_packs(slug, lambda event: phones_address(request, event))
        return response

    return middleware
