"""The guide's chapters: Markdown from docs/guide/ to HTML; links and pictures lead inside the program.

The files are ours and read well by themselves; HTML in them is shown as text. A text of the interface stands
between 【 and 】 and comes out as `<b class="named">`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

from django.conf import settings
from django.templatetags.static import static
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

FOLDER: Path = settings.BASE_DIR / "docs" / "guide"
FRONT = "README"
"""The file of the first page, which is called by its folder."""
ORDER = (
    "day",
    "administrator",
    "chief",
    "assistant",
    "players",
    "keys",
    "screens",
    "phones",
    "backup",
    "rehearsal",
    "network",
    "trouble",
)
NAMED = re.compile(r"【([^【】]+)】")
NOT_IN_ANCHORS = re.compile(r"[^\w\- ]")
_reader = MarkdownIt("commonmark", {"html": False}).enable("table")


@dataclass(frozen=True)
class Chapter:
    """One page of the guide. `sections`: anchor and title of each part of the second level."""

    name: str
    title: str
    body: SafeString
    sections: tuple[tuple[str, str], ...]

    @property
    def address(self) -> str:
        """Where the page is."""
        return page_address(self.name)


def page_address(name: str, anchor: str = "") -> str:
    """The address of a chapter, or of a part of it."""
    page = reverse("help") if name == FRONT else reverse("help_page", args=[name])
    return f"{page}#{anchor}" if anchor else page


def anchor_of(title: str) -> str:
    """The anchor of a heading, as readers of Markdown files make it: 二、开机 → 二开机."""
    return NOT_IN_ANCHORS.sub("", title.lower()).replace(" ", "-")


def chapters() -> list[Chapter]:
    """All but the first page, in the order of reading."""
    return [chapter(name) for name in ORDER]


@cache
def chapter(name: str) -> Chapter:
    """One chapter, read once in a process. Raises FileNotFoundError."""
    tokens = _reader.parse((FOLDER / f"{name}.md").read_text(encoding="utf-8"))
    headings = list(_headings(tokens))
    for opening, title in headings:
        opening.attrSet("id", anchor_of(title))
    for token in tokens:
        if token.children:
            token.children = [part for child in token.children for part in _for_the_program(child)]
    return Chapter(
        name=name,
        title=headings[0][1],
        body=mark_safe(_reader.renderer.render(tokens[3:], _reader.options, {})),  # noqa: S308 (our own files, HTML off)
        sections=tuple((anchor_of(title), title) for opening, title in headings if opening.tag == "h2"),
    )


def _headings(tokens: list[Token]) -> Iterator[tuple[Token, str]]:
    """Each heading's opening and its words; the first is the chapter's title."""
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            yield opening, inline.content.replace("【", "").replace("】", "")


def _for_the_program(token: Token) -> Iterator[Token]:
    if token.type == "link_open":
        token.attrSet("href", _target(str(token.attrGet("href"))))
    elif token.type == "image":
        token.attrSet("src", static(str(token.attrGet("src")).replace("../images/", "guide/")))
        token.attrSet("loading", "lazy")
    elif token.type == "text":
        yield from _names_marked(token.content)
        return
    yield token


def _target(href: str) -> str:
    """`draw.md#x` → its page; an anchor of the same page, and what leads elsewhere, stay."""
    name, dot_md, anchor = href.partition(".md")
    return page_address(name, anchor.removeprefix("#")) if dot_md else href


def _names_marked(text: str) -> Iterator[Token]:
    for place, part in enumerate(NAMED.split(text)):
        is_name = place % 2 == 1
        if is_name:
            yield Token("named_open", "b", 1, attrs={"class": "named"})
        if part:
            yield Token("text", "", 0, content=part)
        if is_name:
            yield Token("named_close", "b", -1)
