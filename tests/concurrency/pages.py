"""Pages as a browser reads them: their forms, what is typed into them, and what stands in a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

Attributes = Mapping[str, str]


@dataclass
class Form:
    """A form with what a browser would send; `buttons` are those that can be pressed."""

    action: str
    method: str
    id: str = ""
    fields: list[tuple[str, str]] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    options: dict[str, list[str]] = field(default_factory=dict)
    buttons: list[tuple[str, str]] = field(default_factory=list)

    def filled(self, typed: Mapping[str, object], press: tuple[str, str] | None) -> list[tuple[str, str]]:
        """What is sent after typing and pressing; only what the page has can be typed and pressed."""
        unknown = set(typed) - self.names
        assert not unknown, f"{self.action} has no {sorted(unknown)}, but {sorted(self.names)}"
        for name, value in typed.items():
            assert name not in self.options or str(value) in self.options[name], (name, value, self.options)
        if press is not None:
            assert press in self.buttons, f"{self.action} has no button {press}, but {self.buttons}"
        pressed = [press] if press else [button for button in self.buttons[:1] if button[0]]
        kept = [(name, value) for name, value in self.fields if name not in typed]
        return [*kept, *((name, str(value)) for name, value in typed.items()), *pressed]


class _Reader(HTMLParser):
    """Collects the forms, also the fields that stand elsewhere and name their form."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address
        self.forms: list[Form] = []
        self.elsewhere: list[tuple[str, str, Attributes, list[str]]] = []
        self._open: Form | None = None
        self._select: tuple[Attributes, list[tuple[str, bool]]] | None = None
        self._option: tuple[Attributes, list[str]] | None = None
        self._area: tuple[Attributes, list[str]] | None = None

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        if tag == "form":
            action = urljoin(self.address, told.get("action", ""))
            self._open = Form(action, told.get("method", "get").upper(), told.get("id", ""))
            self.forms.append(self._open)
        elif tag in {"input", "button"}:
            self._put(tag, told, [])
        elif tag == "select":
            self._select = (told, [])
        elif tag == "option" and self._select is not None:
            self._end_option()
            self._option = (told, [])
        elif tag == "textarea":
            self._area = (told, [])

    def handle_data(self, data: str) -> None:
        for part in (self._option, self._area):
            if part is not None:
                part[1].append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = None
        elif tag == "option":
            self._end_option()
        elif tag == "select" and self._select is not None:
            self._end_option()
            told, options = self._select
            values = [value for value, _is_chosen in options]
            chosen = [value for value, is_chosen in options if is_chosen] or values[:1]
            self._put("select", {**told, "value": chosen[0] if chosen else ""}, values)
            self._select = None
        elif tag == "textarea" and self._area is not None:
            told, text = self._area
            self._put("textarea", {**told, "value": "".join(text)}, [])
            self._area = None

    def _end_option(self) -> None:
        if self._option is not None and self._select is not None:
            told, text = self._option
            self._select[1].append((told.get("value", "".join(text).strip()), "selected" in told))
        self._option = None

    def _put(self, tag: str, told: Attributes, options: list[str]) -> None:
        if "form" in told:
            self.elsewhere.append((tag, told["form"], told, options))
        elif self._open is not None:
            put_field(self._open, tag, told, options)

    def close(self) -> None:
        super().close()
        by_id = {form.id: form for form in self.forms if form.id}
        for tag, name, told, options in self.elsewhere:
            if name in by_id:
                put_field(by_id[name], tag, told, options)


def put_field(form: Form, tag: str, told: Attributes, options: list[str]) -> None:
    """One control of a form, as a browser counts it."""
    name, value, kind = told.get("name", ""), told.get("value", ""), told.get("type", "text")
    if tag == "button" or kind == "submit":
        if "disabled" not in told:
            form.buttons.append((name, value))
        return
    if not name or "disabled" in told:
        return
    form.names.add(name)
    if options:
        form.options[name] = options
    if kind in {"radio", "checkbox"}:
        form.options.setdefault(name, []).append(value or "on")
        if "checked" in told:
            form.fields.append((name, value or "on"))
    elif kind != "file":
        form.fields.append((name, value))


def read_forms(address: str, html: str) -> list[Form]:
    """All forms of a page, in order."""
    reader = _Reader(address)
    reader.feed(html)
    reader.close()
    return reader.forms


def path_of(address: str) -> str:
    """Path and query of an address."""
    parts = urlsplit(address)
    return parts.path + (f"?{parts.query}" if parts.query else "")
