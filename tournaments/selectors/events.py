"""Which events a visitor sees and where each of them stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Count, F, Prefetch, Q, QuerySet
from django.utils.text import slugify

from tournaments.access import is_administrator
from tournaments.models import Audience, Event, Official, Round, Stage
from tournaments.selectors.stages import current_stage, newest_seen, seen_by

LONGEST_SLUG = 60


class EventState(StrEnum):
    """How far an event is, as everybody may know it: drafts do not count."""

    PREPARING = "preparing"
    PLAYING = "playing"
    BETWEEN = "between"
    FINISHED = "finished"


@dataclass(frozen=True)
class EventCard:
    """One event of the home page. `round` is the newest published round, 0 before the first."""

    event: Event
    teams: int
    stage: Stage | None
    round: int
    state: EventState
    officiates: bool


def visible_events(user: User | AnonymousUser) -> QuerySet[Event]:
    """Public events for everybody, an official's own beside them, all for the administrator."""
    if is_administrator(user):
        return Event.objects.all()
    if not user.is_authenticated:
        return Event.objects.filter(is_public=True)
    return Event.objects.filter(Q(is_public=True) | Q(pk__in=own_event_ids(user)))


def own_event_ids(user: User) -> QuerySet[Official, int]:
    """The events that a user officiates."""
    return Official.objects.filter(user=user).values_list("event_id", flat=True)


def event_cards(user: User | AnonymousUser) -> list[EventCard]:
    """The home page: what is being played first, then newest first; the archive has its own page.

    Four queries beside those for rights.
    """
    rounds = Round.objects.filter(seen_by(Audience.EVERYBODY)).order_by("number")
    stages = Stage.objects.order_by("order").prefetch_related(
        Prefetch("rounds", rounds, to_attr="seen_rounds")
    )
    newest = (F("starts_at").desc(nulls_last=True), "-pk")
    events = (
        visible_events(user).filter(archived_at=None).annotate(team_count=Count("teams")).order_by(*newest)
    )
    own = set(own_event_ids(user)) if user.is_authenticated else set()
    everywhere = is_administrator(user)
    cards = [
        _card(event, officiates=everywhere or event.pk in own)
        for event in events.prefetch_related(Prefetch("stages", stages))
    ]
    return sorted(cards, key=lambda card: list(ORDER).index(card.state))


ORDER = (EventState.PLAYING, EventState.BETWEEN, EventState.PREPARING, EventState.FINISHED)


def _card(event: Event, *, officiates: bool) -> EventCard:
    stages = list(event.stages.all())
    begun = [stage for stage in stages if stage.seen_rounds]  # type: ignore[attr-defined]
    stage = begun[-1] if begun else stages[0] if stages else None
    rounds: Sequence[Round] = stage.seen_rounds if stage else ()  # type: ignore[attr-defined]
    return EventCard(
        event=event,
        teams=event.team_count,  # type: ignore[attr-defined]
        stage=stage,
        round=rounds[-1].number if rounds else 0,
        state=_state(stages, stage, rounds),
        officiates=officiates,
    )


def _state(stages: Sequence[Stage], stage: Stage | None, rounds: Sequence[Round]) -> EventState:
    if stage is None or not rounds:
        return EventState.PREPARING
    if any(not each.is_completed for each in rounds):
        return EventState.PLAYING
    is_last = stage == stages[-1] and rounds[-1].number >= stage.rounds_planned
    return EventState.FINISHED if is_last else EventState.BETWEEN


def rounds_drawn(stage: Stage) -> int:
    """The highest round number of a stage, drafts included; 0 before the first. One query."""
    return stage.rounds.order_by("-number").values_list("number", flat=True).first() or 0


def last_round_begun(event: Event) -> int:
    """The newest published round of the present stage, 0 before the first. Two queries."""
    return newest_seen(current_stage(event))


def proposed_slug(name: str, day: str) -> str:
    """A free short address: the name's Latin letters and digits, else `event`, then the day. One query."""
    stem = slugify(f"{slugify(name) or 'event'}-{day}")[: LONGEST_SLUG - 4].strip("-")
    taken = set(Event.objects.filter(slug__startswith=stem).values_list("slug", flat=True))
    numbered = (f"{stem}-{number}" for number in range(2, len(taken) + 3))
    return next(slug for slug in (stem, *numbered) if slug not in taken)
