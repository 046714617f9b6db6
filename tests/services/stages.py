"""Stages of every format, begun and played through by their services."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pairing.services import begin_stage, close_round, draw_round, publish_round
from pairing.services.guards import draw_of
from scoring.engine.results import MatchResult, Outcome
from scoring.models import Result
from scoring.selectors import match_rules
from scoring.services import record_result
from tests.builders import make_event
from tournaments.models import Event, Match, Round, Stage, StageFormat

Winner = Callable[[Match], bool]
"""Whether home wins."""


def lower_number_wins(match: Match) -> bool:
    return match.away is None or match.home.number < match.away.number


def format_event(*formats: tuple[str, dict[str, Any]], teams: int = 8, departments: int = 0) -> Event:
    """An event whose stages have these formats and rules; keys s1, s2 …"""
    event = make_event(teams=teams, departments=departments)
    event.stages.all().delete()
    for order, (format, rules) in enumerate(formats, start=1):
        Stage.objects.create(
            event=event, key=f"s{order}", order=order, name=f"阶段{order}", format=format, rules=rules
        )
    return event


def stage_of(event: Event, order: int = 1) -> Stage:
    return Stage.objects.select_related("event").get(event=event, order=order)


def begun(event: Event, by, order: int = 1, **options: Any) -> Stage:
    begin_stage(stage=stage_of(event, order), by=by, seed=7, **options)
    return stage_of(event, order)


def drawn(stage: Stage, by) -> Round:
    return draw_round(stage=Stage.objects.get(pk=stage.pk), by=by, seed=11)


def published(stage: Stage, by) -> Round:
    round_ = drawn(stage, by)
    publish_round(round=round_, by=by, expected_version=draw_of(round_).version)
    return Round.objects.select_related("stage__event").get(pk=round_.pk)


def enter(match: Match, by, *, home_wins: bool, reason: str = "") -> None:
    game = MatchResult(Outcome.PLAYED, 15 if home_wins else 9, 9 if home_wins else 15)
    best_of = match_rules(match).match.best_of
    entry = game if best_of == 1 else MatchResult(Outcome.PLAYED, games=(game,) * (best_of // 2 + 1))
    stored = Result.objects.filter(match=match).first()
    record_result(
        match=match, by=by, entry=entry, expected_version=stored.version if stored else 0, reason=reason
    )


def open_matches(round_: Round) -> list[Match]:
    rows = round_.matches.filter(result=None).select_related("round__stage__event", "home", "away")
    return list(rows.order_by("table"))


def play_round(stage: Stage, by, home_wins: Winner = lower_number_wins) -> Round:
    round_ = published(stage, by)
    for match in open_matches(round_):
        enter(match, by, home_wins=home_wins(match))
    return close_round(round=round_, by=by)


def play_stage(stage: Stage, by, home_wins: Winner = lower_number_wins) -> None:
    stage.refresh_from_db()
    for _ in range(stage.rounds.count(), stage.rounds_planned):
        play_round(stage, by, home_wins)
    stage.refresh_from_db()


def seating(round_: Round) -> list[tuple[int | None, int, int | None]]:
    rows = round_.matches.order_by("table", "pk")
    return list(rows.values_list("table", "home__number", "away__number"))


SWISS, ROUND_ROBIN, KNOCKOUT = StageFormat.SWISS, StageFormat.ROUND_ROBIN, StageFormat.KNOCKOUT
