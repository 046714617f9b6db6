"""Somebody with a browser: cookies, forms with their tokens, redirects; every answer is kept in a diary."""

from __future__ import annotations

import gzip
import http.client
import re
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from urllib.parse import urlencode, urljoin

from tests.concurrency.pages import Form, path_of, read_forms

PATIENCE = 60
"""Seconds until a browser gives up, and until an official stops pressing again."""
AGAIN = 0.3
"""Seconds until somebody presses again whom the server did not answer."""
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
NOT_HEARD = (http.client.HTTPException, OSError)


@dataclass(frozen=True)
class Heard:
    """An answer as the diary keeps it: what was asked for, what came, the seconds it took, its bytes."""

    method: str
    path: str
    status: int
    seconds: float
    size: int
    at: float
    """When it was asked, on the monotonic clock."""


@dataclass
class Diary:
    """Every answer of a day, and how often nobody answered."""

    heard: list[Heard] = field(default_factory=list)
    disturbed: list[tuple[float, float]] = field(default_factory=list)
    """From when to when the server was away or coming back."""
    unheard: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, heard: Heard) -> None:
        with self._lock:
            self.heard.append(heard)

    @property
    def undisturbed(self) -> list[Heard]:
        """The answers that no power cut delayed."""
        return [heard for heard in self.heard if not self._is_disturbed(heard)]

    def _is_disturbed(self, heard: Heard) -> bool:
        return any(heard.at < ended and heard.at + heard.seconds > begun for begun, ended in self.disturbed)

    def note_silence(self) -> None:
        with self._lock:
            self.unheard += 1


@dataclass(frozen=True)
class Page:
    """What a browser shows after all redirects."""

    address: str
    status: int
    text: str
    headers: Mapping[str, str]
    body: bytes = b""

    @property
    def forms(self) -> list[Form]:
        return read_forms(self.address, self.text)

    def form(self, action: str, press: tuple[str, str] | None = None, field: str = "", **has: str) -> Form:
        """The first form whose address ends so, of those with the button, the field, the values."""
        for form in self.forms:
            if (
                path_of(form.action).split("?")[0].endswith(action)
                and (press is None or press in form.buttons)
                and (not field or field in form.names)
                and set(has.items()) <= set(form.fields)
            ):
                return form
        known = [f"{form.method} {form.action} {form.buttons} {sorted(form.names)}" for form in self.forms]
        raise AssertionError(
            f"{self.address} ({self.status}) has no form to {action}, {press} {has}: {known}"
        )

    def has_form(self, action: str) -> bool:
        """Whether a form leads there."""
        return any(path_of(form.action).split("?")[0].endswith(action) for form in self.forms)

    def links(self, pattern: str) -> list[str]:
        """The addresses on the page that fit, in order and once each."""
        found = re.findall(r'href="([^"]*)"', self.text)
        return list(dict.fromkeys(link for link in found if re.search(pattern, link)))


@dataclass
class Visitor:
    """One browser; a visitor is used by one thread at a time."""

    port: int
    diary: Diary
    name: str = ""
    cookies: dict[tuple[str, str], str] = field(default_factory=dict)

    def get(self, address: str, **headers: str) -> Page:
        """Opens a page and follows where it leads."""
        page = self.ask(
            "GET", address, None, {name.replace("_", "-"): text for name, text in headers.items()}
        )
        return self._followed(page)

    def submit(
        self,
        page: Page,
        form: Form,
        press: tuple[str, str] | None = None,
        *,
        htmx: bool = False,
        **typed: object,
    ) -> Page:
        """Types into a form of the page, presses a button and follows where that leads."""
        sent = form.filled(typed, press)
        if form.method == "GET":
            return self.get(f"{form.action.split('?')[0]}?{urlencode(sent)}")
        marks = {"HX-Request": "true", "HX-Current-URL": page.address} if htmx else {}
        answer = self.ask(
            "POST", form.action, urlencode(sent).encode(), {**FORM, **marks, "Referer": page.address}
        )
        return self._followed(answer)

    def upload(self, page: Page, form: Form, filename: str, content: bytes) -> Page:
        """Chooses a file in a form and sends it."""
        parts = [
            f'--edge\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
            for name, value in form.fields
        ]
        parts.append(f'--edge\r\nContent-Disposition: form-data; name="file"; filename="{filename}"\r\n\r\n')
        body = "".join(parts).encode() + content + b"\r\n--edge--\r\n"
        marks = {"Content-Type": "multipart/form-data; boundary=edge", "Referer": page.address}
        return self._followed(self.ask("POST", form.action, body, marks))

    def ask(self, method: str, address: str, body: bytes | None, headers: Mapping[str, str]) -> Page:
        """One question; whoever is not answered asks the same again, as the pages tell officials to."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                return self.ask_once(method, address, body, headers)
            except NOT_HEARD:
                self.diary.note_silence()
                if time.monotonic() > until:
                    raise
                time.sleep(AGAIN)

    def ask_once(self, method: str, address: str, body: bytes | None, headers: Mapping[str, str]) -> Page:
        """One question; raises one of NOT_HEARD where nobody answers."""
        path, at = path_of(address), time.monotonic()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(
                method, path, body, {**self._sent_cookies(path), "Accept-Encoding": "gzip", **headers}
            )
            response = connection.getresponse()
            content = response.read()
        finally:
            connection.close()
        self.diary.note(Heard(method, path, response.status, time.monotonic() - at, len(content), at))
        told = {name.title(): value for name, value in response.getheaders()}
        for line in response.headers.get_all("Set-Cookie", []):
            self._keep(line)
        if told.get("Content-Encoding") == "gzip" and content:
            content = gzip.decompress(content)
        is_text = "html" in told.get("Content-Type", "") or "json" in told.get("Content-Type", "")
        return Page(address, response.status, content.decode() if is_text else "", told, content)

    def _followed(self, page: Page) -> Page:
        for _step in range(5):
            if page.status not in {301, 302, 303} or "Location" not in page.headers:
                return page
            page = self.ask("GET", urljoin(page.address, page.headers["Location"]), None, {})
        raise AssertionError(f"{page.address} leads in circles")

    def _keep(self, line: str) -> None:
        for name, morsel in SimpleCookie(line).items():
            key = (name, morsel["path"] or "/")
            if morsel["max-age"] == "0" or "1970" in morsel["expires"]:
                self.cookies.pop(key, None)
            else:
                self.cookies[key] = morsel.value

    def _sent_cookies(self, path: str) -> dict[str, str]:
        fitting = [
            f"{name}={value}" for (name, under), value in self.cookies.items() if path.startswith(under)
        ]
        return {"Cookie": "; ".join(fitting)} if fitting else {}
