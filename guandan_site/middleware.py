"""What happens to every request: the language, the cache of public pages, no-store for officials."""

from __future__ import annotations

import hashlib
import re
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotModified
from django.utils import translation

from tournaments.models import Event

GetResponse = Callable[[HttpRequest], HttpResponseBase]

PUBLIC_PAGE = re.compile(r"^/e/(?P<slug>[-\w]+)/(?!desk/)")
CACHED_PAGES = 2000
"""Pages a server process keeps: about 40 MB at 20 kB each."""


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
class _CachedPage:
    revision: int
    etag: str
    content: bytes
    headers: tuple[tuple[str, str], ...]


def public_page_cache(get_response: GetResponse) -> GetResponse:
    """Serves an event's public pages from this process's memory while the event's revision stands.

    One query tells the revision, so a withdrawn publication is gone with the next request on every process.
    Only anonymous GET and HEAD requests; every answer carries an ETag, a matching If-None-Match gets a 304.
    """
    pages: OrderedDict[str, _CachedPage] = OrderedDict()

    def middleware(request: HttpRequest) -> HttpResponseBase:
        address = PUBLIC_PAGE.match(request.path_info)
        if (
            address is None
            or request.method not in {"GET", "HEAD"}
            or settings.SESSION_COOKIE_NAME in request.COOKIES
        ):
            return get_response(request)
        revision = _public_revision(address["slug"])
        if revision is None:
            return get_response(request)
        key = f"{request.LANGUAGE_CODE} {request.headers.get('HX-Request', '')} {request.get_full_path()}"
        page = pages.get(key)
        if page is None or page.revision != revision:
            response = get_response(request)
            page = _keepable(response, revision)
            if page is None:
                return response
            pages[key] = page
            if len(pages) > CACHED_PAGES:
                pages.popitem(last=False)
        return _answer(request, page)

    return middleware


def _public_revision(slug: str) -> int | None:
    return Event.objects.filter(slug=slug, is_public=True).values_list("revision", flat=True).first()


def _keepable(response: HttpResponseBase, revision: int) -> _CachedPage | None:
    if response.status_code != 200 or response.streaming or not isinstance(response, HttpResponse):
        return None
    if response.cookies or "no-store" in response.headers.get("Cache-Control", ""):
        return None
    content = response.content
    etag = f'"{hashlib.blake2b(content, digest_size=12).hexdigest()}"'
    headers = {**response.headers, "ETag": etag, "Cache-Control": "no-cache", "Vary": "Cookie, HX-Request"}
    return _CachedPage(revision, etag, content, tuple(headers.items()))


def _answer(request: HttpRequest, page: _CachedPage) -> HttpResponseBase:
    known = request.headers.get("If-None-Match", "")
    response: HttpResponse
    if page.etag in {tag.strip().removeprefix("W/") for tag in known.split(",")}:
        response = HttpResponseNotModified()
    else:
        response = HttpResponse(page.content)
    for name, value in page.headers:
        response.headers[name] = value
    return response


def no_store_when_signed_in(get_response: GetResponse) -> GetResponse:
    """A signed-in official's pages are kept by no cache and no back button after signing out."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if request.user.is_authenticated:
            response.headers["Cache-Control"] = "no-store"
        return response

    return middleware
