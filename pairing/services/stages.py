"""阶段: stages are added and begun, entries replaced, ties settled; what decides who plays a stage at all."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max

from pairing.beginnings import Beginning, begin, entry_rules, needs_beginning
from pairing.engine.advancing import Qualifier
from pairing.engine.groups import GroupMethod, draw_groups
from pairing.layouts import LEFT, keep_replacement, with_team_replaced
from pairing.names import group_name
from pairing.selectors.stages import (
    advancement,
    entrants,
    follower,
    free_teams,
    is_over,
    parallel_stages,
    source_stages,
)
from pairing.services.formats import new_seed
from pairing.services.guards import fresh_stage
from pairing.services.refusals import (
    EarlierStageOpen,
    LinesOpen,
    NothingTied,
    NothingToBegin,
    NotReplaceable,
    NotTied,
    ReasonMissing,
    SourceMissing,
    StageHasRounds,
    StageInUse,
    StageOrder,
    TeamHasPlayed,
)
from scoring.cuts import keep_what_was
from scoring.selectors import stage_standings
from scoring.standing_rows import SETTLED
from tournaments.log import Act, lock_event, record_act
from tournaments.models import Event, Group, Seat, Stage, StageEntry, StageFormat, Team


@transaction.atomic
def add_stage(
    *,
    event: Event,
    name: str,
    format: StageFormat,
    rules: Mapping[str, Any],
    rounds_planned: int,
    by: User | None,
) -> Stage:
    """A new stage behind the others; it begins later."""
    event = lock_event(event.pk)
    keys = set(event.stages.values_list("key", flat=True))
    order = (event.stages.aggregate(last=Max("order"))["last"] or 0) + 1
    numbered = (f"s{number}" for number in range(order, order + len(keys) + 1))
    stage = Stage.objects.create(
        event=event,
        key=next(key for key in numbered if key not in keys),
        order=order,
        name=name,
        format=format,
        rounds_planned=rounds_planned,
        rules=dict(rules),
    )
    new = {"format": format.value, "rounds": rounds_planned}
    record_act(event=event, act=Act.STAGE_ADDED, by=by, subject=name, new=new)
    return stage


@transaction.atomic
def change_stage(
    *,
    stage: Stage,
    name: str,
    format: StageFormat,
    rules: Mapping[str, Any],
    rounds_planned: int,
    by: User | None,
) -> Stage:
    """New settings for a stage.

    Raises StageInUse for another format or other rules once it has begun, StageOrder where its teams would
    come from a stage that is not before it.
    """
    event = lock_event(stage.event_id)
    stage = fresh_stage(stage)
    is_begun = bool(stage.layout) or stage.rounds.exists()
    if is_begun and (format != stage.format or rules != stage.rules):
        raise StageInUse
    earlier = set(event.stages.filter(order__lt=stage.order).values_list("key", flat=True))
    if not earlier.issuperset(entry_rules(rules).sources):
        raise StageOrder
    old = {"name": stage.name, "format": stage.format, "rounds": stage.rounds_planned}
    before = _told(stage.rules)
    stage.name, stage.format, stage.rules = name, format, dict(rules)
    if not stage.layout or format == StageFormat.SWISS:
        stage.rounds_planned = rounds_planned
    stage.save(update_fields=["name", "format", "rules", "rounds_planned"])
    new = {"name": name, "format": format.value, "rounds": stage.rounds_planned}
    record_act(
        event=event,
        act=Act.STAGE_CHANGED,
        by=by,
        subject=name,
        old=old | before,
        new=new | _told(stage.rules),
    )
    return stage


def _told(rules: Mapping[str, Any]) -> dict[str, Any]:
    """What the page of stages sets of the rules, for the log."""
    entry = entry_rules(rules)
    groups = rules.get("format", {}).get("groups")
    return {
        "groups": groups,
        "from": list(entry.sources),
        "entry.count": entry.count if entry.sources else None,
    }


@transaction.atomic
def move_stage(*, stage: Stage, by: User | None, earlier: bool) -> Stage:
    """A stage changes places with the one before it, or behind it; neither has begun.

    Raises StageInUse when one has, StageOrder at the end of the list and where a stage would come before one
    that its teams come from.
    """
    event = lock_event(stage.event_id)
    stages = list(event.stages.order_by("order"))
    place = stages.index(fresh_stage(stage))
    other = place - 1 if earlier else place + 1
    if not 0 <= other < len(stages):
        raise StageOrder
    first, second = stages[min(place, other)], stages[max(place, other)]
    if any(bool(each.layout) or each.rounds.exists() for each in (first, second)):
        raise StageInUse
    if first.key in entry_rules(second.rules).sources:
        raise StageOrder
    old, new = {"order": stage.order}, {"order": stages[other].order}
    # By way of a place behind all others: no two stages may ever share one.
    for each, order in ((first, stages[-1].order + 1), (second, first.order), (first, second.order)):
        each.order = order
        each.save(update_fields=["order"])
    record_act(event=event, act=Act.STAGE_CHANGED, by=by, subject=stage.name, old=old, new=new)
    return stages[place]


@transaction.atomic
def remove_stage(*, stage: Stage, by: User | None) -> None:
    """Takes out a stage that never began. Raises StageInUse when it has, or when another enters from it."""
    event = lock_event(stage.event_id)
    stage = fresh_stage(stage)
    is_begun = bool(stage.layout) or stage.rounds.exists()
    if is_begun or follower(stage) is not None or event.stages.count() == 1:
        raise StageInUse
    name, order = stage.name, stage.order
    stage.entries.all().delete()
    stage.delete()
    for later in event.stages.filter(order__gt=order).order_by("order"):
        later.order -= 1
        later.save(update_fields=["order"])
    record_act(event=event, act=Act.STAGE_REMOVED, by=by, subject=name)


@transaction.atomic
def begin_stage(
    *,
    stage: Stage,
    by: User | None,
    seed: int | None = None,
    teams: Sequence[Team] | None = None,
    given: Mapping[int, int] | None = None,
) -> Stage:
    """Settles who enters, draws groups and schedule or the bracket, freezes the seeds. Again until a round.

    `teams` enter instead of those the rules name; `given` is the group of each team by its number, for
    groups that are not drawn.
    Raises NothingToBegin, StageHasRounds, SourceMissing, EarlierStageOpen, LinesOpen, InvalidFormat,
    InvalidPairingRules.
    """
    event = lock_event(stage.event_id)
    stage = fresh_stage(stage)
    if not needs_beginning(stage.format, stage.rules):
        raise NothingToBegin
    if stage.rounds.exists():
        raise StageHasRounds
    seed = new_seed(seed)
    qualifiers = () if teams is not None else _qualifiers(stage)
    entering = list(teams) if teams is not None else _entering(stage, qualifiers, seed)
    begun = begin(
        stage.format,
        stage.rules,
        entrants(stage, entering),
        seed,
        qualifiers=qualifiers,
        given=_by_key(entering, given),
        teams_left=_teams_left(stage),
    )
    _store(stage, entering, begun)
    new = {
        "seed": seed,
        "entries": [team.number for team in entering],
        "groups": [[_number(entering, key) for key in group] for group in begun.groups],
    }
    record_act(event=event, act=Act.STAGE_BEGUN, by=by, subject=stage.name, new=new)
    return stage


def _qualifiers(stage: Stage) -> Sequence[Qualifier]:
    """Who advances into the stage, once that is settled; nobody where all teams enter."""
    wanted = entry_rules(stage.rules).sources
    if not wanted:
        return ()
    sources = source_stages(stage)
    found = {source.key for source in sources if source.order < stage.order}
    if missing := [key for key in wanted if key not in found]:
        raise SourceMissing(missing)
    if still_open := [source for source in sources if not is_over(source)]:
        raise EarlierStageOpen(still_open)
    found_out = advancement(stage)
    if not found_out.is_complete:
        raise LinesOpen(found_out.open_lines)
    return found_out.qualifiers


def _entering(stage: Stage, qualifiers: Sequence[Qualifier], seed: int) -> list[Team]:
    """The teams that advance, else those of the session or chosen before, else all.

    Parallel stages share them by lot.
    """
    if qualifiers:
        keys = [str(each.team) for each in qualifiers]
        return list(stage.event.teams.filter(key__in=keys).order_by("number"))
    if session := entry_rules(stage.rules).session:
        return list(stage.event.teams.filter(session=session, withdrawn_after=None).order_by("number"))
    chosen = [] if stage.layout else list(stage.teams.filter(withdrawn_after=None).order_by("number"))
    if chosen:
        return chosen
    parallel = parallel_stages(stage)
    free = free_teams(stage)
    waiting = [other for other in parallel if other.pk == stage.pk or not other.layout]
    if len(waiting) < 2:
        return free
    shares = draw_groups(entrants(stage, free), len(waiting), method=GroupMethod.DRAW, seed=seed)
    return [team for team in free if team.key in shares[0]]


def _by_key(teams: Sequence[Team], given: Mapping[int, int] | None) -> dict[int | str, int]:
    return {team.key: given[team.number] for team in teams if given and team.number in given}


def _teams_left(stage: Stage) -> int:
    """How many may be left when a knockout is over: one, or as many as the next knockout takes."""
    found = follower(stage)
    if found is None or len(found[1].sources) > 1 or found[0].format != StageFormat.KNOCKOUT:
        return 1
    return found[1].count


def _number(teams: Sequence[Team], key: int | str) -> int:
    return next(team.number for team in teams if team.key == key)


def _store(stage: Stage, teams: Sequence[Team], begun: Beginning) -> None:
    stage.entries.all().delete()
    stage.groups.all().delete()
    groups = Group.objects.bulk_create(
        Group(stage=stage, order=order, name=group_name(order)) for order in range(1, len(begun.groups) + 1)
    )
    group_of = {key: group for keys, group in zip(begun.groups, groups, strict=True) for key in keys}
    StageEntry.objects.bulk_create(
        StageEntry(stage=stage, team=team, group=group_of.get(team.key), seed=begun.seeds.get(team.key))
        for team in teams
    )
    left = stage.event.teams.filter(withdrawn_after__isnull=False).order_by("number")
    is_chained = entry_rules(stage.rules).is_chained
    noted = {LEFT: list(left.values_list("key", flat=True))} if is_chained else {}
    stage.layout, stage.lots = {**begun.layout, **noted}, {}
    stage.rounds_planned = begun.rounds or stage.rounds_planned
    stage.save(update_fields=["layout", "lots", "rounds_planned"])


@transaction.atomic
def replace_entry(*, stage: Stage, team: Team, by_team: Team, by: User | None, reason: str) -> Stage:
    """Another team takes the place of one that cannot play: its group, its opponents, its seed.

    Raises ReasonMissing, TeamHasPlayed, NotReplaceable.
    """
    if not reason.strip():
        raise ReasonMissing
    event = lock_event(stage.event_id)
    stage = fresh_stage(stage)
    entry = StageEntry.objects.filter(stage=stage, team=team).first()
    is_free = by_team.event_id == event.pk and not by_team.is_withdrawn
    if entry is None or not is_free or StageEntry.objects.filter(stage=stage, team=by_team).exists():
        raise NotReplaceable
    if Seat.objects.filter(round__stage=stage, team=team).exists():
        raise TeamHasPlayed
    if stage.format != StageFormat.SWISS:
        stage.layout = with_team_replaced(stage.layout, team.key, by_team.key)
    stage.layout = keep_replacement(stage.layout, team.key, by_team.key)
    stage.save(update_fields=["layout"])
    entry.team = by_team
    entry.save(update_fields=["team"])
    record_act(
        event=event,
        act=Act.ENTRY_REPLACED,
        by=by,
        subject=stage.name,
        old={"team": team.number},
        new={"team": by_team.number, "seed": entry.seed},
        reason=reason.strip(),
    )
    return stage


@transaction.atomic
def draw_lots(*, stage: Stage, by: User | None, seed: int | None = None) -> dict[str, int]:
    """Draws lots among all teams that share a rank; they count as the last ranking key from then on.

    The tied teams, by number, are shuffled by the seed: anybody can draw them again.
    Raises NothingTied.
    """
    event = lock_event(stage.event_id)
    stage = fresh_stage(stage)
    tied = tied_teams(stage)
    if not tied or stage.format == StageFormat.KNOCKOUT:
        raise NothingTied
    seed = new_seed(seed)
    places = _shuffled([team.key for team in tied], seed)
    places_by_now = {**stage.lots.get("places", {}), **places}
    _store_lots(stage, {**stage.lots, "how": "lots", "seed": seed, "places": places_by_now})
    drawn = {team.number: places[team.key] for team in tied}
    new = {"seed": seed, "order": sorted(drawn, key=lambda number: drawn[number])}
    record_act(event=event, act=Act.LOTS_DRAWN, by=by, subject=stage.name, new=new)
    return places


def _shuffled(keys: Sequence[str], seed: int) -> dict[str, int]:
    order = random.Random(seed).sample(keys, len(keys))  # noqa: S311 - given again by the stored seed
    return {key: place for place, key in enumerate(order, start=1)}


@transaction.atomic
def settle_order(*, stage: Stage, order: Sequence[Team], by: User | None, reason: str) -> None:
    """The order of teams that share a rank, best first, as an extra game or the chief decided it.

    Raises ReasonMissing, NotTied unless these are just the teams of one rank.
    """
    if not reason.strip():
        raise ReasonMissing
    event = lock_event(stage.event_id)
    stage = fresh_stage(stage)
    groups = {frozenset(team.pk for team in group) for group in _tied_groups(stage)}
    if frozenset(team.pk for team in order) not in groups:
        raise NotTied(order)
    places = {team.key: place for place, team in enumerate(order, start=1)}
    settled = [*stage.lots.get(SETTLED, []), *places]
    record = {**stage.lots, "how": "settled", "places": {**stage.lots.get("places", {}), **places}}
    record[SETTLED] = settled
    _store_lots(stage, record)
    new = {"order": [team.number for team in order]}
    record_act(event=event, act=Act.ORDER_SETTLED, by=by, subject=stage.name, new=new, reason=reason.strip())


def _store_lots(stage: Stage, record: Mapping[str, Any]) -> None:
    keep_what_was(stage, lots=stage.lots)
    stage.lots = dict(record)
    stage.save(update_fields=["lots"])


def tied_teams(stage: Stage) -> list[Team]:
    """Teams that share a rank which neither a key nor lots have settled, by number."""
    tied = (team for group in _tied_groups(stage) for team in group)
    return sorted(tied, key=lambda team: team.number)


def _tied_groups(stage: Stage) -> list[list[Team]]:
    groups: dict[tuple[int, int], list[Team]] = {}
    for row in stage_standings(stage).rows:
        groups.setdefault((row.group.order if row.group else 0, row.rank), []).append(row.team)
    return [group for group in groups.values() if len(group) > 1]
