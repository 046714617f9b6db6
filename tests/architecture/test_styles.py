"""The styles: no file too long to read, nothing in them that no page has."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
STYLES = sorted(path.name for path in (ROOT / "static").glob("*.css"))
CLASS = re.compile(r"\.(-?[A-Za-z_][\w-]*)")
BESIDE_SELECTORS = re.compile(r"/\*.*?\*/|\{[^{}]*\}|\[[^\]]*\]", re.DOTALL)
MADE_BY_DJANGO = {"errorlist"}
COUNTED = re.compile(r"^(place-|rank|columns-)\d$")
"""A template writes the figure behind the name."""


def _written() -> str:
    """All that names a class: templates, scripts, and the Python that makes HTML."""
    folders = {"templates": ("*.html", "*.svg"), "static": ("*.js",)}
    apps = dict.fromkeys(("guandan_site", "pairing", "scoring", "tournaments"), ("*.py",))
    paths = [
        path
        for folder, kinds in (folders | apps).items()
        for kind in kinds
        for path in (ROOT / folder).rglob(kind)
    ]
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


WORDS = set(re.findall(r"[\w-]+", _written()))


@pytest.mark.parametrize("name", STYLES)
def test_every_class_is_on_a_page(name):
    text = (ROOT / "static" / name).read_text(encoding="utf-8")
    classes = set(CLASS.findall(BESIDE_SELECTORS.sub(" ", text))) - MADE_BY_DJANGO
    assert sorted(each for each in classes if each not in WORDS and not COUNTED.match(each)) == []


@pytest.mark.parametrize("name", STYLES)
def test_no_file_is_long(name):
    assert len((ROOT / "static" / name).read_text(encoding="utf-8").splitlines()) <= 500
