"""Paper: ``templates/print/<name>.html`` made into PDF. The only module that knows WeasyPrint.

Printing never blocks result entry: over all server processes of an installation one PDF is made at a
time and at most one request waits for it; any further one is sent away at once and its browser asks again
by itself. So printing holds at most two processes and one core, however many people press "print".
"""

import logging
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import lru_cache
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path
from typing import IO, Any, NamedTuple

from django.conf import settings
from django.core.files import locks
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext
from weasyprint import CSS, HTML
from weasyprint.document import Document
from weasyprint.text.fonts import FontConfiguration
from weasyprint.urls import URLFetcher, URLFetcherResponse

from guandan_site.downloads import file_response
from tournaments.qr import qr_png

FAMILY = "Noto Sans CJK SC"
SYSTEM_FONT = "NotoSansCJKsc-Regular"  # by its PostScript name, as in Debian's fonts-noto-cjk
FONT_PACKAGE = "cvttf_NotoSansCJK_Regular"
STYLESHEET = Path(__file__).resolve().parent.parent / "static" / "print.css"
QR_SCHEME = "qr:"
RETRY_SECONDS = 2
PATIENCE = 120
"""Seconds that a process in the background asks again for the press before it gives up."""
SUBSTITUTE = "〓"  # what Chinese printers set for a character they have no type for

# Its warnings tell of a missing trial font or a rare character, nothing that the hall can act on.
logging.getLogger("weasyprint").setLevel(logging.ERROR)


class PressBusy(Exception):
    """Another PDF is being made and one more is already waiting: ask again in RETRY_SECONDS."""


class _PackagedFontOnly(URLFetcher):  # type: ignore[misc]  # WeasyPrint ships no types
    """Fetches the packaged font, draws ``qr:<address>``, and nothing else.

    So text cannot make the server read or call anything. A QR code as a picture costs a fraction of its
    layout as lines.
    """

    def __init__(self, font: Path | None) -> None:
        super().__init__(allowed_protocols=["file"], allow_redirects=False)
        self._allowed = font.as_uri() if font else None

    def fetch(self, url: str, headers: Mapping[str, str] | None = None) -> URLFetcherResponse:
        if url.startswith(QR_SCHEME):
            return URLFetcherResponse(url, qr_png(url.removeprefix(QR_SCHEME)), {"Content-Type": "image/png"})
        if url != self._allowed:
            raise ValueError(f"never fetched: {url}")
        return super().fetch(url, headers)


class _Recorder(_PackagedFontOnly):
    """Fetches nothing, and knows what it was asked for."""

    def __init__(self) -> None:
        super().__init__(None)
        self.asked: list[str] = []

    def fetch(self, url: str, headers: Mapping[str, str] | None = None) -> URLFetcherResponse:
        self.asked.append(url)
        return super().fetch(url, headers)


class Part(NamedTuple):
    """A sheet to be bound with others: its template and what it shows."""

    template: str
    context: Mapping[str, Any]


Cover = Callable[[Sequence[int]], Part]
"""Makes the first page of a bound PDF from the pages on which its parts begin."""


class _Press(NamedTuple):
    """What is costly to make and the same for every sheet."""

    fonts: FontConfiguration
    stylesheets: list[CSS]
    fetcher: URLFetcher
    substitutes: dict[int, str]


def packaged_font() -> Path | None:
    """The Chinese font that comes as a Python package, for machines without one; None when not installed."""
    spec = find_spec(FONT_PACKAGE)
    folders = spec.submodule_search_locations if spec else None
    fonts = sorted(path for folder in folders or () for path in Path(folder).glob("*.otf"))
    return fonts[0] if fonts else None


def render_pdf(template: str, context: Mapping[str, Any]) -> bytes:
    """The PDF of ``templates/print/<template>.html``, A4.

    Each template names the keys of its context in its first lines; their values are those of
    ``tournaments.sheets``. The same content again is answered from memory. Raises PressBusy.
    """
    return _pdf_of(_html_of(Part(template, context)))


def render_bound(parts: Sequence[Part], cover: Cover, *, is_patient: bool) -> bytes:
    """All parts in one PDF, each with its own page numbers, behind one page made by `cover`.

    `cover` is given the page on which each part begins and sets one page. The press is free again after each
    part, so that a single sheet never waits for the whole. Raises PressBusy; a patient caller asks again for
    up to PATIENCE seconds, and always lets somebody who stands and waits go first.
    """
    take = _press_taken_patiently if is_patient else _press_taken
    pdf, missing = _bound(parts, cover, take)
    if missing:
        _press().substitutes.update(dict.fromkeys(missing, SUBSTITUTE))
        pdf, _ = _bound(parts, cover, take)
    return pdf


def _bound(
    parts: Sequence[Part],
    cover: Callable[[Sequence[int]], Part],
    take: Callable[[], AbstractContextManager[None]],
) -> tuple[bytes, set[int]]:
    laid_out = []
    for part in parts:
        with take():
            laid_out.append(_laid_out(_press(), _html_of(part)))
    begins = list(accumulate((len(each.pages) for each in laid_out[:-1]), initial=2))
    with take():
        front = _laid_out(_press(), _html_of(cover(begins)))
        bound = front.copy([page for each in (front, *laid_out) for page in each.pages])
        pdf = bytes(bound.write_pdf())
    return pdf, {character for font in bound.fonts.values() for character in font.missing}


def _html_of(part: Part) -> str:
    page = {**part.context, "page_number": _page_number_texts()}
    return render_to_string(f"print/{part.template}.html", page)


def pdf_response(pdf: bytes, filename_zh: str) -> HttpResponse:
    """Shows the PDF in the browser; saved, it is called ``<filename_zh>.pdf`` (RFC 5987 keeps Chinese)."""
    return file_response(pdf, "application/pdf", filename_zh, "pdf", download=False)


def sheet_response(template: str, context: Mapping[str, Any], filename_zh: str) -> HttpResponse:
    """``render_pdf`` as an answer; when the press is busy, a page (503) that asks again by itself."""
    try:
        return pdf_response(render_pdf(template, context), filename_zh)
    except PressBusy:
        return busy_response()


def busy_response() -> HttpResponse:
    """The page (503) for whoever finds the press busy; it asks again by itself."""
    response = HttpResponse(render_to_string("print/busy.html"), status=503)
    response["Retry-After"] = response["Refresh"] = str(RETRY_SECONDS)
    return response


@lru_cache(maxsize=16)
def _pdf_of(html: str) -> bytes:
    with _press_taken():
        press = _press()
        pdf, missing = _set_in_type(press, html)
        if missing:
            press.substitutes.update(dict.fromkeys(missing, SUBSTITUTE))
            pdf, _ = _set_in_type(press, html)
        return pdf


def _set_in_type(press: _Press, html: str) -> tuple[bytes, set[int]]:
    """The PDF, and the characters that no font of this machine has.

    A single such character makes the text of its whole font unreadable to some programs, so it is
    replaced, in this sheet by a second pass and in all later ones before the first.
    """
    document = _laid_out(press, html)
    pdf = bytes(document.write_pdf())
    return pdf, {character for font in document.fonts.values() for character in font.missing}


def _laid_out(press: _Press, html: str) -> Document:
    page = HTML(string=html.translate(press.substitutes), url_fetcher=press.fetcher)
    return page.render(stylesheets=press.stylesheets, font_config=press.fonts)


@lru_cache(maxsize=1)
def _press() -> _Press:
    """Fonts and stylesheet, kept for the life of the process (0.3 s to make)."""
    font = None if _system_has_font() else packaged_font()
    fonts, fetcher = FontConfiguration(), _PackagedFontOnly(font)
    styles = [CSS(filename=STYLESHEET, font_config=fonts, url_fetcher=fetcher)]
    if font:
        face = f'@font-face {{ font-family: "{FAMILY}"; src: url("{font.as_uri()}") }}'
        styles.append(CSS(string=face, font_config=fonts, url_fetcher=fetcher))
    return _Press(fonts, styles, fetcher, {})


def _system_has_font() -> bool:
    """Whether the machine has our font. WeasyPrint asks the fetcher for an installed font's file by its name.

    Not found out by setting a character on trial: without any font Pango ends the process.
    """
    fetcher = _Recorder()
    face = f'@font-face {{ font-family: trial; src: local("{SYSTEM_FONT}") }}'
    CSS(string=face, font_config=FontConfiguration(), url_fetcher=fetcher)
    return bool(fetcher.asked)


@contextmanager
def _press_taken() -> Iterator[None]:
    """Holds the one press of the installation; the lock of a killed process frees itself."""
    folder = Path(settings.DATA_DIR)
    with (folder / "press.lock").open("w") as press, (folder / "press-queue.lock").open("w") as queue:
        _take(press, queue)
        yield


@contextmanager
def _press_taken_patiently() -> Iterator[None]:
    """Holds the press once nobody prints or waits to print: never takes the place of one who waits."""
    folder, asked_until = Path(settings.DATA_DIR), time.monotonic() + PATIENCE
    with (folder / "press.lock").open("w") as press, (folder / "press-queue.lock").open("w") as queue:
        while not (_is_free(queue) and locks.lock(press, locks.LOCK_EX | locks.LOCK_NB)):
            if time.monotonic() > asked_until:
                raise PressBusy
            time.sleep(0.2)
        yield


def _is_free(queue: IO[str]) -> bool:
    is_free = locks.lock(queue, locks.LOCK_EX | locks.LOCK_NB)
    if is_free:
        locks.unlock(queue)
    return is_free


def _take(press: IO[str], queue: IO[str]) -> None:
    if locks.lock(press, locks.LOCK_EX | locks.LOCK_NB):
        return
    if not locks.lock(queue, locks.LOCK_EX | locks.LOCK_NB):
        raise PressBusy
    locks.lock(press, locks.LOCK_EX)
    locks.unlock(queue)


def _page_number_texts() -> list[str]:
    """The words before, between and after the two numbers of "page 2 of 5", which only the layout knows."""
    return re.split(r"\{pages?\}", gettext("Page {page} of {pages}"))
