"""The rules of an event chapter by chapter; what all stages share is said once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from pairing.engine.knockout import PlayedOut
from pairing.engine.types import InvalidPairingRules
from pairing.format_rules import knockout_rules
from pairing.rulebook.conduct import (
    card_lines,
    confirmation_lines,
    discipline_lines,
    prize_lines,
    team_lines,
)
from pairing.rulebook.drawing import entry_lines, format_line, occasion_lines, pairing_lines
from pairing.rulebook.game import game_lines, round_exceptions, time_lines
from pairing.rulebook.points import (
    PointsTable,
    bracket_ranking_lines,
    department_lines,
    points_table,
    ranking_lines,
    scoring_lines,
    warning_lines,
)
from scoring.department_standings import SECTION as DEPARTMENTS
from scoring.department_standings import department_rules
from scoring.engine.confirmation import ConfirmationRules
from scoring.engine.reading import InvalidRules
from scoring.selectors import StageRules, stage_rules
from scoring.statements import confirmation_rules
from tournaments.discipline import Discipline
from tournaments.models import Event, Stage, StageFormat
from tournaments.prizes import read_tiers


@dataclass(frozen=True)
class Part:
    """What holds for some stages only; `stages` names them, empty where it holds for all."""

    stages: str
    lines: tuple[str, ...]
    table: PointsTable | None = None


@dataclass(frozen=True)
class Chapter:
    """A heading of the rules with its sentences, those of all stages first."""

    title: str
    parts: tuple[Part, ...]

    @property
    def is_by_stage(self) -> bool:
        """Whether something in it holds for some stages only."""
        return any(part.stages for part in self.parts)

    @property
    def lines(self) -> tuple[str, ...]:
        """All sentences in order."""
        return tuple(line for part in self.parts for line in part.lines)


@dataclass(frozen=True)
class _Said:
    """The rules of one stage with what a chapter says of it."""

    stage: Stage
    rules: StageRules


def event_chapters(event: Event) -> list[Chapter]:
    """The rules of all stages; empty chapters are left out. One query.

    Where the stored rules of a stage cannot be read there is only one, which says so.
    """
    stages = list(event.stages.order_by("order"))
    try:
        return _chapters(event, stages)
    except (InvalidRules, InvalidPairingRules):
        return [Chapter(_("Rules"), _plain([_("These rules cannot be read yet: please ask the organiser.")]))]


def _chapters(event: Event, stages: Sequence[Stage]) -> list[Chapter]:
    said = [_Said(stage, stage_rules(stage)) for stage in stages]
    stated = Discipline.from_dict(stages[0].rules.get("discipline") if stages else None)
    look = confirmation_rules(stages[0]) if stages else ConfirmationRules()
    chapters = [
        Chapter(_("The occasion"), _plain(occasion_lines(event.organiser, event.venue, event.starts_at))),
        Chapter(_("Teams"), _plain(team_lines(stated))),
        Chapter(_("Format and time"), _told(said, lambda each: _format_lines(each, stages))),
        Chapter(_("Who meets whom"), _told(said, lambda each: pairing_lines(each.stage, stages))),
        Chapter(_("The game"), _told(said, lambda each: (*_game_lines(each), *card_lines(stated)))),
        Chapter(_("Points"), _points(said)),
        Chapter(_("Ranking"), _told(said, _ranking_lines)),
        Chapter(_("Discipline"), _plain((*discipline_lines(stated), *confirmation_lines(look)))),
        Chapter(_("Prizes"), _plain(prize_lines(read_tiers(event.prizes)))),
    ]
    return [chapter for chapter in chapters if chapter.parts] if stages else []


def _format_lines(each: _Said, stages: Sequence[Stage]) -> Iterator[str]:
    yield format_line(each.stage)
    yield from entry_lines(each.stage, stages)
    yield from time_lines(each.rules.match)
    if each.stage.format == StageFormat.KNOCKOUT:
        yield from round_exceptions(each.rules.match, each.stage.rules.get("format", {}))


def _game_lines(each: _Said) -> Iterator[str]:
    return game_lines(each.rules.match, tie_allowed=each.rules.tie_allowed)


def _ranking_lines(each: _Said) -> Iterator[str]:
    if each.stage.format == StageFormat.KNOCKOUT:
        has_final_group = _has_final_group(each.stage)
        yield from bracket_ranking_lines(each.rules.ranking, has_final_group=has_final_group)
    else:
        yield from ranking_lines(each.rules.ranking, each.rules.scoring)
        for warning in warning_lines(each.stage, each.rules):
            yield _("Note: %(warning)s") % {"warning": warning}
    if DEPARTMENTS in each.stage.rules:
        yield from department_lines(department_rules(each.stage))


def _has_final_group(stage: Stage) -> bool:
    if stage.format != StageFormat.KNOCKOUT:
        return False
    return knockout_rules(stage.rules.get("format", {})).played_out is PlayedOut.FINAL_GROUP


def _plain(lines: Iterable[str]) -> tuple[Part, ...]:
    found = tuple(lines)
    return (Part("", found),) if found else ()


def _told(said: Sequence[_Said], lines_of: Callable[[_Said], Iterable[str]]) -> tuple[Part, ...]:
    """What all stages share, then what is said of some, stages that say the same together."""
    lines = {each.stage.pk: tuple(lines_of(each)) for each in said}
    told = list(lines.values())
    shared = tuple(line for line in told[0] if all(line in other for other in told)) if told else ()
    if _is_ranked(shared, told):
        shared = ()
    differing: dict[tuple[str, ...], list[str]] = {}
    for each in said:
        own = tuple(line for line in lines[each.stage.pk] if line not in shared)
        differing.setdefault(own, []).append(each.stage.name)
    parts = [Part(_(", ").join(names), own) for own, names in differing.items() if own]
    return (*_plain(shared), *parts)


def _is_ranked(shared: tuple[str, ...], told: Sequence[tuple[str, ...]]) -> bool:
    """Whether sentences stand under a number, so that taking some out would leave gaps."""
    return any(line[:2] == "1." for line in told[0]) and any(lines != shared for lines in told)


def _points(said: Sequence[_Said]) -> tuple[Part, ...]:
    """Points count where everybody plays on: a knockout has none but in its final group."""
    found: dict[tuple[tuple[str, ...], PointsTable], list[str]] = {}
    counting = [
        each for each in said if each.stage.format != StageFormat.KNOCKOUT or _has_final_group(each.stage)
    ]
    for each in counting:
        key = (tuple(scoring_lines(each.rules)), points_table(each.rules))
        found.setdefault(key, []).append(each.stage.name)
    return tuple(
        Part("" if len(names) == len(said) else _(", ").join(names), lines, table)
        for (lines, table), names in found.items()
    )
