"""The guide cannot rot: its links lead somewhere, and what it calls by name stands on the program's pages."""

from __future__ import annotations

import gettext
import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote

import pytest
from django.urls import get_resolver
from markdown_it import MarkdownIt

from guandan_site.help.chapters import FOLDER, FRONT, ORDER, anchor_of
from guandan_site.help.context import OF_PAGE, OF_SECTION

ROOT = Path(__file__).resolve().parents[2]
FILES = {path.stem: path for path in sorted(FOLDER.glob("*.md"))}
PICTURES = {path.name for path in (ROOT / "docs" / "images").glob("*.png")}
LARGEST = 150_000
"""Bytes of a picture."""
SOURCES = ("guandan_site", "pairing", "scoring", "tournaments", "templates")
NAMED = re.compile(r"【(.+?)】")
LITERAL = {"简体中文", "PDF", "Excel"}
"""Stand in the templates as they are, in both languages."""


def bare(text: str) -> str:
    """Without blanks, quotes and brackets: a text reads the same over several lines and string literals."""
    return re.sub(r"[\s\"'()\\]", "", text)


@cache
def source() -> str:
    """All code and templates, bare, with the placeholders of templates written as in the catalogue."""
    paths = [path for part in SOURCES for path in (ROOT / part).rglob("*") if path.suffix in {".py", ".html"}]
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(paths))
    return bare(re.sub(r"\{\{ *(\w+) *\}\}", r"%(\1)s", text))


@cache
def names_in_use() -> tuple[frozenset[str], tuple[re.Pattern[str], ...]]:
    """The Chinese texts whose English original still stands in the code; those with numbers as patterns."""
    with (ROOT / "locale/zh_Hans/LC_MESSAGES/django.mo").open("rb") as file:
        catalogue = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
    plain, patterns = set(LITERAL), []
    for key, chinese in catalogue.items():
        original = key[0] if isinstance(key, tuple) else key
        if not original or bare(original.rpartition("\x04")[2].replace("%%", "%")) not in source():
            continue
        parts = re.split(r"%\(\w+\)[sd]", chinese)
        if len(parts) == 1:
            plain.add(chinese)
        elif len("".join(parts).strip()) > 1:
            patterns.append(re.compile(r"(?:\d+|…)".join(map(re.escape, parts))))
    return frozenset(plain), tuple(patterns)


def stands_in_the_program(name: str) -> bool:
    plain, patterns = names_in_use()
    return name in plain or any(pattern.fullmatch(name) for pattern in patterns)


def anchors(name: str) -> set[str]:
    tokens = MarkdownIt("commonmark").parse(FILES[name].read_text(encoding="utf-8"))
    return {
        anchor_of(re.sub("[【】]", "", inline.content))
        for opening, inline in pairwise(tokens)
        if opening.type == "heading_open"
    }


def targets(name: str, kind: str, attribute: str) -> list[str]:
    tokens = MarkdownIt("commonmark").enable("table").parse(FILES[name].read_text(encoding="utf-8"))
    children = [child for token in tokens for child in token.children or ()]
    return [unquote(str(child.attrGet(attribute))) for child in children if child.type == kind]


def test_all_chapters_are_read_in_order():
    assert {FRONT, *ORDER} == set(FILES)


@pytest.mark.parametrize("name", FILES)
def test_links_lead_somewhere(name):
    lost = []
    for target in targets(name, "link_open", "href"):
        page, is_chapter, anchor = target.partition(".md")
        chapter = page if is_chapter else name
        wanted = anchor.removeprefix("#") if is_chapter else target.removeprefix("#")
        is_inside = is_chapter or target.startswith("#")
        if not is_inside or chapter not in FILES or (wanted and wanted not in anchors(chapter)):
            lost.append(target)
    assert lost == []


@pytest.mark.parametrize("name", FILES)
def test_what_is_called_by_name_stands_in_the_program(name):
    text = FILES[name].read_text(encoding="utf-8")
    assert [called for called in NAMED.findall(text) if not stands_in_the_program(called)] == []


def test_a_name_that_no_page_shows_would_be_found():
    assert stands_in_the_program("公布到手机")
    assert stands_in_the_program("编排第 4 轮")
    assert not stands_in_the_program("编排第四轮")
    assert not stands_in_the_program("一键夺冠")


def test_every_picture_is_there_small_and_shown():
    shown = {target.removeprefix("../images/") for name in FILES for target in targets(name, "image", "src")}
    in_readme = {name for name in PICTURES if f"docs/images/{name}" in (ROOT / "README.md").read_text()}
    assert shown | in_readme == PICTURES
    assert [name for name in PICTURES if (ROOT / "docs/images" / name).stat().st_size > LARGEST] == []


def test_every_page_leads_to_a_chapter_that_is_there():
    places = {**OF_PAGE, **OF_SECTION}
    assert [place for place in places.values() if place[1] and place[1] not in anchors(place[0])] == []
    assert sorted(set(OF_PAGE) - set(get_resolver().reverse_dict)) == []
