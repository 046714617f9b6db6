"""规则预设: regulations that an organiser picks and edits, read from ``fixtures/presets``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.conf import settings

DEFAULT_PRESET = "default"


@dataclass(frozen=True)
class Preset:
    """One regulation: `rules` is the event file's `rules` object, `minutes` None plays without a clock."""

    code: str
    name: str
    summary: str
    rounds: int
    minutes: int | None
    rules: Mapping[str, Any]


@cache
def presets() -> Mapping[str, Preset]:
    """All presets by code, the default first. Read once in a server process."""
    files = sorted((settings.FIXTURES_DIR / "presets").glob("*.json"))
    found = [Preset(**json.loads(file.read_text(encoding="utf-8"))) for file in files]
    return {preset.code: preset for preset in sorted(found, key=_default_first)}


def _default_first(preset: Preset) -> tuple[bool, str]:
    return preset.code != DEFAULT_PRESET, preset.code


def with_minutes(rules: Mapping[str, Any], minutes: int | None) -> dict[str, Any]:
    """A copy of the rules that plays `minutes` a round; None plays without a clock."""
    changed: dict[str, Any] = deepcopy(dict(rules))
    changed["match"] = {**changed.get("match", {}), "minutes": minutes}
    return changed
