"""Creating and setting up events, and who officiates them."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from tournaments.log import Act, actor_name, lock_event, record_act
from tournaments.models import Audience, Event, Official, Stage, StageFormat
from tournaments.presets import Preset, stage_rules_of, with_minutes
from tournaments.selectors.events import rounds_drawn
from tournaments.selectors.stages import current_stage


@dataclass(frozen=True)
class EventFacts:
    """What the settings form knows of an event."""

    name: str
    slug: str
    venue: str = ""
    organiser: str = ""
    starts_at: datetime | None = None
    is_public: bool = True
    publishes_to: str = Audience.EVERYBODY
    public_address: str = ""


@dataclass
class SlugTaken(Exception):
    """Another event has this short address."""

    slug: str


class OtherStage(Exception):
    """Another stage is the present one than the page showed: its rounds and minutes are not those typed."""


@dataclass
class TooFewRounds(Exception):
    """The number of rounds would fall below those already drawn."""

    drawn: int


def create_event(
    *,
    facts: EventFacts,
    preset: Preset,
    rounds: int,
    minutes: int | None,
    by: User | None,
    groups: int | None = None,
) -> Event:
    """A new event with the preset's stages and prizes; `rounds` and `minutes` are those of the first stage.

    Later stages that the preset plays with the same minutes as the first go along. `groups` counts where the
    first stage is a round robin; None leaves the preset's. Raises SlugTaken.
    """
    try:
        with transaction.atomic():
            event = Event.objects.create(**asdict(facts), prizes=[dict(tier) for tier in preset.prizes])
            _add_stages(event, preset, rounds, minutes, groups)
            new = {**_told(facts), "rounds": rounds, "minutes": minutes, "preset": preset.name}
            record_act(event=event, act=Act.EVENT_CREATED, by=by, subject=event.name, new=new)
            return event
    except IntegrityError as error:
        raise SlugTaken(facts.slug) from error


def _add_stages(event: Event, preset: Preset, rounds: int, minutes: int | None, groups: int | None) -> None:
    for place, planned in enumerate(preset.stages):
        rules = stage_rules_of(preset, place)
        if planned.minutes == preset.minutes:
            rules = with_minutes(rules, minutes)
        if groups and not place and planned.format == StageFormat.ROUND_ROBIN:
            rules["format"] = {**rules.get("format", {}), "groups": groups}
        Stage.objects.create(
            event=event,
            key=f"s{place + 1}",
            order=place + 1,
            name=planned.name,
            format=planned.format,
            rounds_planned=planned.rounds if place else rounds,
            rules=rules,
        )


def change_event(
    *,
    event: Event,
    facts: EventFacts,
    rounds: int,
    minutes: int | None,
    by: User | None,
    stage_shown: int = 0,
) -> Event:
    """New settings; `rounds` and `minutes` are those of the present stage.

    `stage_shown` is the number of the row of the stage whose they were on the page. Raises SlugTaken,
    TooFewRounds, and OtherStage where another one is the present by now.
    """
    try:
        with transaction.atomic():
            event = lock_event(event.pk)
            stage = current_stage(event)
            if stage is not None and stage_shown not in {0, stage.pk}:
                raise OtherStage
            return _change_event(event, stage, facts, rounds, minutes, by)
    except IntegrityError as error:
        raise SlugTaken(facts.slug) from error


def _change_event(
    event: Event, stage: Stage | None, facts: EventFacts, rounds: int, minutes: int | None, by: User | None
) -> Event:
    old = _told(_facts_of(event))
    if stage is not None:
        old |= {"rounds": stage.rounds_planned, "minutes": stage.minutes}
        _set_rounds_and_minutes(stage, rounds, minutes)
    for name, value in asdict(facts).items():
        setattr(event, name, value)
    event.save(update_fields=list(asdict(facts)))
    new = {**_told(facts), "rounds": rounds, "minutes": minutes}
    changed = [name for name in new if name in old and old[name] != new[name]]
    if changed:
        _record_change(
            event, by, {name: old[name] for name in changed}, {name: new[name] for name in changed}
        )
    return event


def _set_rounds_and_minutes(stage: Stage, rounds: int, minutes: int | None) -> None:
    """Groups and brackets know their rounds themselves: there only the minutes are set."""
    if stage.format != StageFormat.SWISS:
        rounds = stage.rounds_planned
    drawn = rounds_drawn(stage)
    if rounds < drawn:
        raise TooFewRounds(drawn)
    stage.rounds_planned = rounds
    stage.rules = with_minutes(stage.rules, minutes)
    stage.save(update_fields=["rounds_planned", "rules"])


def _record_change(event: Event, by: User | None, old: dict[str, Any], new: dict[str, Any]) -> None:
    record_act(event=event, act=Act.EVENT_CHANGED, by=by, subject=event.name, old=old, new=new)


def _facts_of(event: Event) -> EventFacts:
    return EventFacts(**{field.name: getattr(event, field.name) for field in fields(EventFacts)})


def _told(facts: EventFacts) -> dict[str, Any]:
    starts_at = facts.starts_at.isoformat() if facts.starts_at else None
    return {**asdict(facts), "starts_at": starts_at}


@transaction.atomic
def appoint_official(*, event: Event, user: User, by: User | None) -> None:
    """Makes the user an official of the event; appointing twice changes nothing."""
    event = lock_event(event.pk)
    _official, created = Official.objects.get_or_create(event=event, user=user)
    if created:
        record_act(
            event=event, act=Act.OFFICIALS_CHANGED, by=by, subject=actor_name(user), new={"official": True}
        )


@transaction.atomic
def remove_official(*, event: Event, user: User, by: User | None) -> None:
    """Ends the user's rights in the event with the next request; removing twice changes nothing."""
    event = lock_event(event.pk)
    removed, _by_model = Official.objects.filter(event=event, user=user).delete()
    if removed:
        record_act(
            event=event, act=Act.OFFICIALS_CHANGED, by=by, subject=actor_name(user), old={"official": True}
        )
