"""Every regulation from a roster to the final list with prizes, through the officials' own acts."""

from __future__ import annotations

import random

import pytest
from django.contrib.auth.models import User

from guandan_site.event_file.checking import check_event
from guandan_site.event_file.exporting import document_of
from guandan_site.prints.prizes import PrizeList, certificates, prize_list
from pairing.beginnings import needs_beginning
from pairing.selectors.stages import advancement, is_over, is_self_scheduled, source_stages
from pairing.services import (
    begin_stage,
    close_round,
    draw_lots,
    draw_round,
    publish_round,
    publish_schedule,
)
from scoring.engine.results import MatchResult, complete_result
from scoring.engine.rules import PassRule
from scoring.selectors import match_rules
from scoring.services import record_result
from tests.builders import make_event, make_round, player_name
from tournaments.models import Department, Event, Match, Player, Round, Stage, Team
from tournaments.presets import presets
from tournaments.prizes import TieSettled
from tournaments.services.events import EventFacts, create_event
from tournaments.services.prizes import settle_prize_tie

TEAMS = {"R01": 24, "R13": 5, "R15": 32}
"""Of the field that the regulation was written for; else an odd one, so that somebody has a bye."""


@pytest.fixture
def official(db) -> User:
    return User.objects.create_superuser("official", password="pw-official")


def event_of(code: str) -> Event:
    preset, facts = presets()[code], EventFacts(code, code.lower())
    event = create_event(facts=facts, preset=preset, rounds=preset.rounds, minutes=preset.minutes, by=None)
    units = [Department.objects.create(event=event, key=f"d{n}", name=f"单位{n}") for n in range(6)]
    for number in range(1, TEAMS.get(code, 13) + 1):
        team = Team.objects.create(event=event, key=f"t{number}", number=number, department=units[number % 6])
        for place in (1, 2):
            Player.objects.create(team=team, position=place, name=player_name(2 * number + place))
    return event


def play(event: Event, official: User, chance: random.Random) -> None:
    for stage in event.stages.order_by("order"):
        if needs_beginning(stage.format, stage.rules):
            begin(stage, official, chance)
        stage.refresh_from_db()
        if is_self_scheduled(stage):
            finish(publish_schedule(stage=stage, by=official), official, chance)
        while not is_over(stage):
            round_ = draw_round(stage=stage, by=official, seed=chance.randrange(10**6))
            publish_round(round=round_, by=official, expected_version=round_.draw.version)
            finish([round_], official, chance)
            stage.refresh_from_db()


def begin(stage: Stage, official: User, chance: random.Random) -> None:
    """Begins a stage; teams tied at the line are settled by lot."""
    if "entry" in stage.rules and not advancement(stage).is_complete:
        for source in source_stages(stage):
            draw_lots(stage=source, by=official, seed=chance.randrange(10**6))
    begin_stage(stage=stage, by=official, seed=chance.randrange(10**6))


def finish(rounds: list[Round], official: User, chance: random.Random) -> None:
    """Enters all results and closes the last round, and with it those published together."""
    for match in Match.objects.filter(round__in=rounds, away__isnull=False).select_related(
        "round__stage__event"
    ):
        entry = MatchResult.from_dict(result_of(match, chance))
        record_result(match=match, by=official, entry=entry, expected_version=0)
    close_round(round=Round.objects.get(pk=rounds[-1].pk), by=official)


def result_of(match: Match, chance: random.Random) -> dict[str, object]:
    """One side passes; the other stands where the rules let a side stand that did not."""
    rules = match_rules(match).match
    winner = chance.choice(["home", "away"])
    loser = "away" if winner == "home" else "home"
    highest = rules.target_level - (rules.pass_rule is PassRule.REACH)
    levels = {f"{winner}_level": rules.passed_level, f"{loser}_level": chance.randint(2, highest)}
    game = {"outcome": "played", **levels}
    return game if rules.best_of == 1 else {"outcome": "played", "games": [game] * (rules.best_of // 2 + 1)}


def test_where_coming_to_a_passes_it_nobody_loses_there(db):
    event = make_event(rules={"match": {"pass_rule": "reach"}})
    match = make_round(event, [(1, 2)]).matches.get()
    rules = match_rules(match).match
    for seed in range(200):
        entry = MatchResult.from_dict(result_of(match, random.Random(seed)))
        result = complete_result(entry, rules)
        assert sorted((result.home_level, result.away_level))[1] == rules.passed_level
        assert result.winner in {"home", "away"}


def settle(event: Event, official: User) -> PrizeList:
    for row in prize_list(event).open_ties:
        settle_prize_tie(event=event, numbers=row.tie.numbers, how=TieSettled.LOTS, by=official, seed=1)
    event.refresh_from_db()
    return prize_list(event)


@pytest.mark.parametrize("code", list(presets()))
def test_played_through_to_the_final_list(code, official):
    event = event_of(code)
    play(event, official, random.Random(code))
    found = settle(event, official)
    assert found.is_final
    assert len(found.rows) == event.teams.count()
    assert found.open_ties == ()
    last = max(tier["to"] or len(found.rows) for tier in presets()[code].prizes)
    assert len(found.winners) == min(last, len(found.rows))
    assert len(certificates(found, [])) == len(found.winners)
    assert check_event(document_of(Event.objects.get(pk=event.pk))) == []
