"""The house's own rules: who imports whom, every text translated, nothing left to migrate."""

import os
import re
import shutil
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

ROOT = Path(__file__).resolve().parents[2]


def test_imports_go_one_way():
    done = subprocess.run(
        [str(Path(sys.executable).parent / "lint-imports")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def _untranslated(catalogue: str) -> list[str]:
    """Entries without a Chinese text, or with one that was only guessed (fuzzy)."""
    entries = [entry for entry in catalogue.split("\n\n")[1:] if not entry.startswith("#~")]
    return [
        entry
        for entry in entries
        if re.search(r'^msgstr(\[\d\])? ""$(?!\n")', entry, re.MULTILINE) or "#, fuzzy" in entry
    ]


def test_the_catalogue_knows_that_chinese_has_one_form_for_all_numbers():
    """Without that line every number but one would fall back to English."""
    catalogue = (ROOT / "locale/zh_Hans/LC_MESSAGES/django.po").read_text(encoding="utf-8")
    assert '"Plural-Forms: nplurals=1; plural=0;\\n"' in catalogue


def test_every_text_has_a_chinese_translation(tmp_path):
    """Extracts the texts anew: one without its translation fails, and a translation that nothing says."""
    for name in ("guandan_site", "pairing", "scoring", "tournaments", "templates", "locale"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "*.mo"))
    shutil.copy(ROOT / "manage.py", tmp_path)
    subprocess.run(
        [sys.executable, "manage.py", "makemessages", "-l", "zh_Hans", "-v0"],
        cwd=tmp_path,
        check=True,
        env={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "guandan_site.settings",
            "DATA_DIR": str(tmp_path / "data"),
            "PYTHONWARNINGS": "ignore",
        },
    )
    catalogue = (tmp_path / "locale/zh_Hans/LC_MESSAGES/django.po").read_text(encoding="utf-8")
    assert _untranslated(catalogue) == []
    assert re.findall(r"^#~ msgid .*$", catalogue, re.MULTILINE) == []


def test_no_text_hides_in_an_f_string_where_the_extraction_does_not_see_it():
    hidden = re.compile(r"""\bf(["'])(?:(?!\1).)*\{\s*n?p?(?:_|gettext)\(""")
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for app in ("guandan_site", "pairing", "scoring", "tournaments")
        for path in sorted((ROOT / app).rglob("*.py"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if hidden.search(line)
    ]
    assert found == []


def test_every_label_is_written_by_the_pages_themselves():
    """Django's own label ends in a colon unless each form is told not to."""
    templates = (ROOT / "templates").rglob("*.html")
    assert [path.name for path in templates if "label_tag" in path.read_text(encoding="utf-8")] == []


@pytest.mark.django_db
def test_no_migration_is_missing():
    call_command("makemigrations", check=True, dry_run=True, stdout=StringIO())
