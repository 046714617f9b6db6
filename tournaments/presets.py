"""规则预设: regulations that an organiser picks and edits, from ``fixtures/presets`` or kept as her own."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.conf import settings

from tournaments.models import Event, OwnPreset, StageFormat

DEFAULT_PRESET = "default"
OWN = "own-"


@dataclass(frozen=True)
class StagePreset:
    """One stage of a regulation: `rules` is the event file's `rules` object.

    `rounds` are those of a Swiss stage; elsewhere the teams decide, and it is what the regulation expects.
    """

    name: str
    format: StageFormat
    rounds: int
    rules: Mapping[str, Any]

    @property
    def minutes(self) -> int | None:
        """Minutes of a round; None plays without a clock."""
        minutes: int | None = self.rules.get("match", {}).get("minutes", 45)
        return minutes


@dataclass(frozen=True)
class Preset:
    """One regulation: its stages in order, what its rule sheet states besides, its prizes.

    `discipline` is the mapping of `tournaments.discipline`, `prizes` that of `Event.prizes`.
    """

    code: str
    name: str
    summary: str
    stages: tuple[StagePreset, ...]
    discipline: Mapping[str, Any]
    prizes: Sequence[Mapping[str, Any]]

    @property
    def is_own(self) -> bool:
        """Whether an organiser of this installation keeps it."""
        return self.code.startswith(OWN)

    @property
    def regulation(self) -> str:
        """The number under which officials know the shipped regulation; empty for others."""
        return self.code if self.code[:1] == "R" else ""

    @property
    def rounds(self) -> int:
        """Rounds of the first stage."""
        return self.stages[0].rounds

    @property
    def minutes(self) -> int | None:
        """Minutes of the first stage's rounds."""
        return self.stages[0].minutes

    @property
    def rules(self) -> Mapping[str, Any]:
        """Rules of the first stage."""
        return self.stages[0].rules

    def content(self) -> dict[str, Any]:
        """What an own preset stores beside name and summary."""
        stages = [
            {"name": each.name, "format": each.format.value, "rounds": each.rounds, "rules": dict(each.rules)}
            for each in self.stages
        ]
        return {"discipline": dict(self.discipline), "prizes": list(self.prizes), "stages": stages}


@cache
def presets() -> Mapping[str, Preset]:
    """All shipped presets by code, the default first. Read once in a server process."""
    files = sorted((settings.FIXTURES_DIR / "presets").glob("*.json"))
    found = [_preset(**json.loads(file.read_text(encoding="utf-8"))) for file in files]
    return {preset.code: preset for preset in sorted(found, key=_default_first)}


def offered_presets() -> dict[str, Preset]:
    """What a new event may be made of: the installation's own first, the newest first. One query."""
    own = (preset_of(each) for each in OwnPreset.objects.order_by("-pk"))
    return {preset.code: preset for preset in own} | dict(presets())


def preset_of(own: OwnPreset) -> Preset:
    """An organiser's own preset as a regulation."""
    return _preset(code=f"{OWN}{own.pk}", name=own.name, summary=own.summary, **own.content)


def preset_of_event(event: Event, name: str, summary: str) -> Preset:
    """The rules, discipline and prizes of an event as a regulation for others. One query."""
    stages = tuple(
        StagePreset(stage.name, StageFormat(stage.format), stage.rounds_planned, _without_teams(stage.rules))
        for stage in event.stages.order_by("order")
    )
    discipline = stages[0].rules.get("discipline", {}) if stages else {}
    return Preset("", name, summary, stages, discipline, event.prizes)


def stage_rules_of(preset: Preset, place: int) -> dict[str, Any]:
    """A copy of the rules for a new event's stage; the first one carries what the event states besides."""
    rules: dict[str, Any] = deepcopy(dict(preset.stages[place].rules))
    if place == 0 and preset.discipline:
        rules["discipline"] = deepcopy(dict(preset.discipline))
    return rules


def with_minutes(rules: Mapping[str, Any], minutes: int | None) -> dict[str, Any]:
    """A copy of the rules that plays `minutes` a round; None plays without a clock."""
    changed: dict[str, Any] = deepcopy(dict(rules))
    changed["match"] = {**changed.get("match", {}), "minutes": minutes}
    return changed


def _preset(*, stages: Sequence[Mapping[str, Any]], **facts: Any) -> Preset:
    made = tuple(
        StagePreset(each["name"], StageFormat(each["format"]), each["rounds"], each["rules"])
        for each in stages
    )
    return Preset(stages=made, **facts)


def _without_teams(rules: Mapping[str, Any]) -> dict[str, Any]:
    """Rules name teams only where the chief set or forbade a meeting: no business of another event."""
    kept: dict[str, Any] = deepcopy(dict(rules))
    for name in ("forced", "forbidden"):
        kept.get("pairing", {}).pop(name, None)
    return kept


def _default_first(preset: Preset) -> tuple[bool, bool, str]:
    """The general rules, in each format, before the regulations."""
    return preset.code != DEFAULT_PRESET, bool(preset.regulation), preset.code
