"""Prizes of an event, and what becomes of teams that share a rank across two of them."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from tournaments.log import Act, lock_event, record_act
from tournaments.models import Event
from tournaments.prizes import Tier, TieSettled, drawn_order, read_tiers

LARGEST_SEED = 2**31 - 1


@transaction.atomic
def change_prizes(*, event: Event, tiers: Sequence[Tier], by: User | None) -> Event:
    """The event's prizes by place; saving the same again changes nothing."""
    event = lock_event(event.pk)
    old, new = [_told(tier) for tier in read_tiers(event.prizes)], [_told(tier) for tier in tiers]
    event.prizes = [tier.as_dict() for tier in tiers]
    event.save(update_fields=["prizes"])
    if old != new:
        before, after = {"prizes": old}, {"prizes": new}
        record_act(event=event, act=Act.PRIZES_CHANGED, by=by, subject=event.name, old=before, new=after)
    return event


@transaction.atomic
def settle_prize_tie(
    *, event: Event, numbers: Sequence[int], how: TieSettled, by: User | None, seed: int | None = None
) -> Event:
    """并列处理: all of them get the better prize, or lots are drawn now and recorded with their seed.

    It holds while exactly these teams share the rank; settling it again replaces what was before.
    """
    event = lock_event(event.pk)
    entry: dict[str, Any] = {"teams": sorted(numbers), "how": how.value}
    if how is TieSettled.LOTS:
        chosen = secrets.randbelow(LARGEST_SEED) if seed is None else seed
        entry |= {"seed": chosen, "order": drawn_order(numbers, chosen)}
    stored = [each for each in event.prize_ties if isinstance(each, dict)]
    before = next((each for each in stored if each.get("teams") == entry["teams"]), None)
    event.prize_ties = [each for each in stored if each is not before] + [entry]
    event.save(update_fields=["prize_ties"])
    record_act(event=event, act=Act.PRIZE_TIE_SETTLED, by=by, old=before, new=entry)
    return event


def _told(tier: Tier) -> str:
    places = str(tier.first) if tier.last == tier.first else f"{tier.first}–{tier.last or ''}"
    return " ".join(part for part in (places, tier.name, tier.prize) if part)
