"""单人: people without a partner wait, draw partners, and become teams."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max

from tournaments.discipline import Partners, PartnersFrom
from tournaments.entering import Applicant
from tournaments.log import Act, lock_event, record_act
from tournaments.models import Event, Occasion, PartnerDraw, Player, Single, Team
from tournaments.partners import DrawnPartners, Person, draw_partners
from tournaments.roster import RosterSingle
from tournaments.selectors.singles import person_of, single_problems, waiting_singles
from tournaments.selectors.teams import free_key, has_seat, is_drawn, next_number
from tournaments.services.rosters import ranges
from tournaments.services.teams import EntryRefused, find_department, join_first_stage, require_entry
from tournaments.snapshots import take_snapshot

MOST_SINGLES = 800
HIGHEST_SEED = 2**31 - 1


class TooManySingles(Exception):
    """More people would wait than a draw can hold."""


class NothingToDraw(Exception):
    """Fewer than two people wait who may become partners."""


class DrawOutdated(Exception):
    """Somebody came or went since the draw was previewed."""


class CannotUndo(Exception):
    """A round is drawn, a later draw of partners exists, or a team of it was changed."""


@transaction.atomic
def add_singles(
    *, event: Event, people: Sequence[RosterSingle], by: User | None, source: str = ""
) -> tuple[int, int]:
    """Puts people on the list of those who wait; how many are new, and how many waited already.

    Whoever waits already gets what the list says besides. Raises EntryRefused for somebody who plays in a
    team, TooManySingles. `source` is the name of a file, for the log.
    """
    event = lock_event(event.pk)
    problems = single_problems(event, people)
    if problems:
        raise EntryRefused(problems)
    waiting = {single.name: single for single in waiting_singles(event)}
    new = [person for person in people if person.name not in waiting]
    if len(waiting) + len(new) > MOST_SINGLES:
        raise TooManySingles
    told = [person.name for person in people if _completed(event, waiting.get(person.name), person)]
    _store(event, new)
    names = [*(person.name for person in new), *told]
    if names:
        record_act(event=event, act=Act.SINGLES_CHANGED, by=by, subject=source, new={"singles": names})
    return len(new), len(people) - len(new)


def _completed(event: Event, single: Single | None, person: RosterSingle) -> bool:
    """Writes what the list says of somebody who waits already; whether that was anything new."""
    if single is None:
        return False
    department = find_department(event, person.department) or single.department
    facts = (person.sex or single.sex, person.phone or single.phone, department)
    if facts == (single.sex, single.phone, single.department):
        return False
    single.sex, single.phone, single.department = facts
    single.save(update_fields=["sex", "phone", "department"])
    return True


def _store(event: Event, people: Iterable[RosterSingle]) -> None:
    last = event.singles.aggregate(last=Max("position"))["last"] or 0
    Single.objects.bulk_create(
        Single(
            event=event,
            position=last + place,
            name=person.name,
            sex=person.sex,
            department=find_department(event, person.department),
            phone=person.phone,
        )
        for place, person in enumerate(people, start=1)
    )


@transaction.atomic
def remove_single(*, single: Single, by: User | None) -> None:
    """Somebody goes home before a partner was found."""
    event = lock_event(single.event_id)
    name = single.name
    if Single.objects.filter(pk=single.pk).delete()[0]:
        record_act(event=event, act=Act.SINGLES_CHANGED, by=by, old={"singles": [name]})


@dataclass(frozen=True)
class PartnerPreview:
    """What a draw would give: kept by nobody, because the seed gives it again."""

    drawn: DrawnPartners
    seed: int
    first_number: int
    fingerprint: str
    """Changes with the people who wait: a preview of others is not confirmed."""


def preview_partners(
    event: Event, kind: Partners, partners_from: PartnersFrom, seed: int | None = None
) -> PartnerPreview:
    """Draws without storing. Raises SexUnknown, NothingToDraw. Three queries."""
    people = [person_of(single) for single in waiting_singles(event)]
    seed = random.randrange(HIGHEST_SEED) if seed is None else seed  # noqa: S311 - the seed itself is public
    drawn = draw_partners(people, kind, partners_from, seed=seed)
    if not drawn.pairs:
        raise NothingToDraw
    return PartnerPreview(drawn, seed, next_number(event), fingerprint(people))


def fingerprint(people: Iterable[Person]) -> str:
    """A mark of who waits, in which order."""
    return random.Random(repr(list(people))).randbytes(8).hex()  # noqa: S311 - a mark, no secret


@transaction.atomic
def draw_singles(
    *,
    event: Event,
    kind: Partners,
    partners_from: PartnersFrom,
    seed: int,
    expected: str,
    by: User | None,
) -> PartnerDraw:
    """The previewed draw as one act: each pair becomes a team with a number after the existing ones.

    `expected` is the preview's fingerprint. Raises DrawOutdated, SexUnknown, NothingToDraw, EntryRefused when
    a limit would be passed.
    """
    event = lock_event(event.pk)
    singles = {single.name: single for single in waiting_singles(event)}
    preview = preview_partners(event, kind, partners_from, seed)
    if preview.fingerprint != expected:
        raise DrawOutdated
    pairs = preview.drawn.pairs
    require_entry(event, [_applicant(pair, preview.first_number + at) for at, pair in enumerate(pairs)])
    take_snapshot(event=event, by=by, occasion=Occasion.BEFORE_IMPORT)
    teams = _teams(event, pairs, singles, preview.first_number)
    draw = PartnerDraw.objects.create(
        event=event,
        record={
            "seed": seed,
            "kind": kind.value,
            "departments": partners_from.value,
            "entrants": [person_of(single).as_dict() for single in singles.values()],
            "pairs": [
                {"number": at, "team": team.key, "players": [person.name for person in pair]}
                for at, (pair, team) in enumerate(zip(pairs, teams, strict=True), start=1)
            ],
            "waiting": [person.name for person in preview.drawn.waiting],
        },
    )
    drawn = [person.name for pair in pairs for person in pair]
    Single.objects.filter(event=event, name__in=drawn).delete()
    new = {
        "seed": seed,
        "kind": kind.value,
        "partners_from": partners_from.value,
        "pairs": [
            f"{team.number}: {' · '.join(each.name for each in pair)}"
            for team, pair in zip(teams, pairs, strict=True)
        ],
        "waiting": draw.record["waiting"],
    }
    record_act(event=event, act=Act.PARTNERS_DRAWN, by=by, new=new)
    return draw


def _applicant(pair: Sequence[Person], number: int) -> Applicant:
    """The pair as a team; who comes from two departments belongs to none."""
    return Applicant(
        number=number, players=tuple(person.name for person in pair), department=_department(pair)
    )


def _department(pair: Sequence[Person]) -> str:
    named = {person.department for person in pair}
    return named.pop() if len(named) == 1 else ""


def _teams(
    event: Event, pairs: Sequence[Sequence[Person]], singles: dict[str, Single], first: int
) -> list[Team]:
    keys = set(event.teams.values_list("key", flat=True))
    teams = []
    for at, pair in enumerate(pairs):
        key = free_key("t", first + at, keys)
        keys.add(key)
        home = singles[pair[0].name].department if _department(pair) else None
        teams.append(Team(event=event, key=key, number=first + at, department=home))
    Team.objects.bulk_create(teams)
    Player.objects.bulk_create(
        Player(team=team, position=place, name=person.name, phone=singles[person.name].phone)
        for team, pair in zip(teams, pairs, strict=True)
        for place, person in enumerate(pair, start=1)
    )
    join_first_stage(event, teams)
    return teams


@transaction.atomic
def undo_partners(*, draw: PartnerDraw, by: User | None) -> None:
    """Takes the newest draw of partners back: its teams go, its people wait again.

    Raises CannotUndo once a round is drawn, a later draw exists, or a team of it was changed or seated.
    """
    event = lock_event(draw.event_id)
    draw = PartnerDraw.objects.select_related("event").get(pk=draw.pk)
    newest = event.partner_draws.order_by("-pk").first()
    teams = {team.key: team for team in event.teams.prefetch_related("players", "department")}
    made = [teams.get(pair["team"]) for pair in draw.record["pairs"]]
    unchanged = all(
        team is not None and list(team.playing_names) == pair["players"] and not has_seat(team)
        for team, pair in zip(made, draw.record["pairs"], strict=True)
    )
    if newest != draw or is_drawn(event) or not unchanged:
        raise CannotUndo
    phones = {person.name: person.phone for team in made if team for person in team.players.all()}
    numbers = [team.number for team in made if team]
    for team in made:
        if team is not None:
            team.entries.all().delete()
            team.delete()
    _wait_again(event, draw, phones)
    draw.delete()
    record_act(event=event, act=Act.PARTNERS_UNDONE, by=by, old={"removed": ranges(numbers)})


def _wait_again(event: Event, draw: PartnerDraw, phones: dict[str, str]) -> None:
    """The people of the draw in front, in their order, and those who came after behind them."""
    came_after = list(waiting_singles(event))
    still = {single.name: single for single in came_after}
    entrants = [Person.from_dict(each) for each in draw.record["entrants"]]
    ahead = [
        still.get(person.name)
        or Single(
            name=person.name,
            sex=person.sex,
            phone=phones.get(person.name, ""),
            department=find_department(event, person.department),
        )
        for person in entrants
        if person.name in still or person.name in phones
    ]
    known = {single.name for single in ahead}
    ordered = [*ahead, *(single for single in came_after if single.name not in known)]
    event.singles.all().delete()
    Single.objects.bulk_create(
        Single(
            event=event,
            position=place,
            name=single.name,
            sex=single.sex,
            phone=single.phone,
            department=single.department,
            extra=single.extra,
        )
        for place, single in enumerate(ordered, start=1)
    )
