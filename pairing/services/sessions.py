"""分场: each session (场次) of the roster is played as a stage of its own, with its own teams."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy

from django.contrib.auth.models import User
from django.db import transaction

from pairing.beginnings import entry_rules
from pairing.selectors.sessions import sessions_to_split
from pairing.services.refusals import NoSessions, StageInUse
from tournaments.log import Act, lock_event, record_act
from tournaments.models import Event, Stage, StageEntry


@transaction.atomic
def split_sessions(*, event: Event, by: User | None) -> list[Stage]:
    """The first stage is played once for each session, one after the other, under the same rules.

    A later stage that takes its entries from the first one takes them from all of these.
    Raises NoSessions (fewer than two, or a team without one), StageInUse once a stage has begun.
    """
    event = lock_event(event.pk)
    stages = list(event.stages.order_by("order"))
    if any(stage.layout or stage.rounds.exists() for stage in stages):
        raise StageInUse
    sessions = sessions_to_split(event)
    if not sessions:
        raise NoSessions
    first, later = stages[0], stages[1:]
    for stage in reversed(later):
        stage.order += len(sessions) - 1
        stage.save(update_fields=["order"])
    played = _stages_of(event, first, list(sessions), {stage.key for stage in stages})
    _take_from_all(later, first.key, [stage.key for stage in played])
    new = {"session": list(sessions)}
    record_act(event=event, act=Act.SESSIONS_SPLIT, by=by, subject=first.name, new=new)
    return played


def _stages_of(event: Event, first: Stage, sessions: Sequence[str], keys: set[str]) -> list[Stage]:
    name, rules = first.name, deepcopy(first.rules)
    copied = {key: value for key, value in rules.items() if key != "discipline"}
    played = []
    for place, session in enumerate(sessions):
        stage = first if not place else Stage(event=event, key=_free(keys), order=first.order + place)
        keys.add(stage.key)
        stage.format, stage.rounds_planned = first.format, first.rounds_planned
        stage.name = f"{name} {session}"[: Stage._meta.get_field("name").max_length]
        entry = {**copied.get("entry", {}), "session": session}
        stage.rules = {**deepcopy(copied if place else rules), "entry": entry}
        stage.save()
        stage.entries.all().delete()
        StageEntry.objects.bulk_create(
            StageEntry(stage=stage, team=team) for team in event.teams.filter(session=session)
        )
        played.append(stage)
    return played


def _free(keys: set[str]) -> str:
    return next(key for number in range(1, len(keys) + 2) if (key := f"s{number}") not in keys)


def _take_from_all(later: Sequence[Stage], key: str, keys: Sequence[str]) -> None:
    for stage in later:
        sources = entry_rules(stage.rules).sources
        if key in sources:
            wanted = [each for source in sources for each in (keys if source == key else [source])]
            stage.rules = {**stage.rules, "entry": {**stage.rules["entry"], "from": wanted}}
            stage.save(update_fields=["rules"])
