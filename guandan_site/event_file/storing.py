"""From a document to the database: stored whole or not at all.

Officials, the log and snapshots belong to the installation, not to the event file. A round that is being
played gets a clock at rest: a countdown does not travel, nor does a ceremony. Projectors that are not in the
file stay: they hang in the hall.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Max

from guandan_site.event_file import document as doc
from guandan_site.event_file.computing import completed
from guandan_site.event_file.dumping import in_table_order, result_dict
from guandan_site.event_file.moments import moment, optional_moment
from guandan_site.event_file.parsing_rounds import SECOND_LOOK
from guandan_site.event_file.penalties import Rulings, rulings
from guandan_site.event_file.storing_penalties import appeal_row, penalty_row, taken_points
from pairing.models import Draw, Publication, Screen
from pairing.selectors.stages import is_self_scheduled
from scoring.models import Adjustment, Appeal, Confirmation, Penalty, Result
from scoring.selectors import round_minutes
from tournaments.log import Act, lock_event, record_act
from tournaments.models import (
    Clock,
    Department,
    Event,
    Group,
    Match,
    Occasion,
    PartnerDraw,
    Player,
    Round,
    RoundStatus,
    Seat,
    Single,
    Stage,
    StageEntry,
    StageFormat,
    Team,
)
from tournaments.snapshots import take_snapshot

RESULT_COLUMNS = ("outcome", "home_level", "away_level", "winner", "reason")


class EventExists(Exception):
    """An event with this slug is stored already and was not to be replaced."""

    def __init__(self, slug: str) -> None:
        super().__init__(slug)
        self.slug = slug


@transaction.atomic
def store_event(document: doc.EventDocument, *, replace: bool = False, author: User | None = None) -> Event:
    """Store a whole event; with `replace` in place of the one with its slug, of which a snapshot is kept.

    The number of statements depends on the size only through the batches of bulk inserts.
    Raises InvalidEventFile for results that contradict the rules, and EventExists.
    """
    document = completed(document)
    event = _event_row(document, replace, author)
    writer = _Writer(event, author, _next_version(event))
    _clear(event)
    writer.store(document)
    record_act(event=event, act=Act.EVENT_IMPORTED, by=author, subject=event.name)
    event.refresh_from_db()
    return event


def _event_row(document: doc.EventDocument, replace: bool, author: User | None) -> Event:
    slug, columns = document.event.slug, _event_columns(document)
    stored = Event.objects.filter(slug=slug).first()
    if stored is None:
        return _new_event(slug, columns)
    if not replace:
        raise EventExists(slug)
    event = lock_event(stored.pk)
    take_snapshot(event=event, by=author, occasion=Occasion.BEFORE_IMPORT)
    Event.objects.filter(pk=event.pk).update(**columns)
    return Event.objects.get(pk=event.pk)


def _new_event(slug: str, columns: dict[str, Any]) -> Event:
    try:
        with transaction.atomic():
            return Event.objects.create(slug=slug, **columns)
    except IntegrityError as error:  # somebody else stored the same slug a moment ago
        raise EventExists(slug) from error


def _event_columns(document: doc.EventDocument) -> dict[str, Any]:
    head = document.event
    return {
        "name": head.name,
        "venue": head.venue,
        "organiser": head.organiser,
        "starts_at": optional_moment(head.starts_at),
        "is_public": head.is_public,
        "publishes_to": head.publishes_to.value,
        "uses_check_in": head.uses_check_in,
        "is_rehearsal": head.is_rehearsal,
        "broken_tables": list(head.broken_tables),
        "archived_at": optional_moment(head.archived_at),
        "prizes": list(head.prizes),
        "prize_ties": list(head.prize_ties),
        "extra": {
            name: dict(extra)
            for name, extra in (("document", document.extra), ("event", head.extra))
            if extra
        },
    }


def _next_version(event: Event) -> int:
    """Higher than any stored result's version: a page opened before the import is stale for every table."""
    results = Result.objects.filter(match__round__stage__event=event)
    highest = results.aggregate(highest=Max("version"))["highest"]
    return (highest or 0) + 1


def _clear(event: Event) -> None:
    event.stages.all().delete()
    event.teams.all().delete()
    event.singles.all().delete()
    event.partner_draws.all().delete()
    event.departments.all().delete()


@dataclass
class _Writer:
    """Writes the parts of a document in the order in which they need each other."""

    event: Event
    author: User | None
    version: int
    groups: dict[tuple[int, int], Group] = field(default_factory=dict)
    """By the stage's key and the group's number."""
    rulings: dict[int, Rulings] = field(default_factory=dict)
    """By the stage's key."""

    def store(self, document: doc.EventDocument) -> None:
        departments = Department.objects.bulk_create(
            Department(event=self.event, key=each.id, name=each.name, extra=dict(each.extra))
            for each in document.departments
        )
        by_key = {department.key: department for department in departments}
        teams = self._teams(document, by_key)
        self._waiting(document, by_key)
        stages = Stage.objects.bulk_create(
            self._stage(order, each) for order, each in enumerate(document.stages, start=1)
        )
        self._members(zip(document.stages, stages, strict=True), teams)
        self._adjustments(zip(document.stages, stages, strict=True), teams)
        self._penalties(zip(document.stages, stages, strict=True), teams)
        self._rounds(zip(document.stages, stages, strict=True), teams)
        self._screens(document.screens)

    def _screens(self, screens: Iterable[doc.ScreenEntry]) -> None:
        """Each under its own key; one that bears the name of another gives way to it."""
        for each in screens:
            self.event.screens.filter(name=each.name).exclude(key=each.key).delete()
            facts = {
                "name": each.name,
                "roles": list(each.roles),
                "seconds": each.seconds,
                "distance": each.distance.value,
                "notice": each.notice,
                "extra": dict(each.extra),
            }
            Screen.objects.update_or_create(event=self.event, key=each.key, defaults=facts)

    def _teams(self, document: doc.EventDocument, departments: Mapping[str, Department]) -> dict[str, Team]:
        entries = sorted(document.teams, key=lambda team: team.number)
        stored = Team.objects.bulk_create(
            Team(
                event=self.event,
                key=each.id,
                number=each.number,
                name=each.name,
                department=departments[each.department] if each.department else None,
                session=each.session,
                seed=each.seed,
                fixed_table=each.fixed_table,
                withdrawn_after=each.withdrawn_after,
                checked_in_at=optional_moment(each.checked_in_at),
                absences=[absence.as_dict() for absence in each.absences],
                lateness=[late.as_dict() for late in each.lateness],
                remark=each.remark,
                lineup=list(each.lineup),
                extra=_team_extra(each),
            )
            for each in entries
        )
        Player.objects.bulk_create(
            Player(
                team=team,
                position=place,
                name=each.name,
                phone=each.phone,
                role=each.role,
                former=[former.as_dict() for former in each.former],
                extra=dict(each.extra),
            )
            for entry, team in zip(entries, stored, strict=True)
            for place, each in enumerate(entry.players, start=1)
        )
        return {team.key: team for team in stored}

    def _waiting(self, document: doc.EventDocument, departments: Mapping[str, Department]) -> None:
        Single.objects.bulk_create(
            Single(
                event=self.event,
                position=place,
                name=each.name,
                sex=each.sex,
                department=departments[each.department] if each.department else None,
                phone=each.phone,
                extra=dict(each.extra),
            )
            for place, each in enumerate(document.singles, start=1)
        )
        PartnerDraw.objects.bulk_create(
            PartnerDraw(
                event=self.event,
                drawn_at=moment(each.drawn_at),
                record=each.record(),
                extra=dict(each.extra),
            )
            for each in document.partner_draws
        )

    def _stage(self, order: int, entry: doc.StageEntry) -> Stage:
        return Stage(
            event=self.event,
            key=entry.id,
            order=order,
            name=entry.name,
            format=StageFormat(entry.format.value),
            rounds_planned=entry.rounds_planned,
            rules=dict(entry.rules),
            layout=dict(entry.layout),
            lots=dict(entry.lots),
            first_table=entry.first_table,
            last_table=entry.last_table,
            extra=dict(entry.extra),
        )

    def _members(self, stages: Iterable[tuple[doc.StageEntry, Stage]], teams: Mapping[str, Team]) -> None:
        stages = list(stages)
        planned = [(stage, order, each) for entry, stage in stages for order, each in numbered(entry.groups)]
        stored = Group.objects.bulk_create(
            self._group(stage, order, each, teams) for stage, order, each in planned
        )
        for (stage, order, _), group in zip(planned, stored, strict=True):
            self.groups[stage.pk, order] = group
        StageEntry.objects.bulk_create(
            StageEntry(
                stage=stage,
                team=teams[team],
                group=self.groups.get((stage.pk, entry.group_of(team) or 0)),
                seed=entry.seeds.get(team),
            )
            for entry, stage in stages
            for team in entry.teams or ()
        )

    def _group(self, stage: Stage, order: int, entry: doc.GroupEntry, teams: Mapping[str, Team]) -> Group:
        convenor = entry.convenor or doc.ConvenorEntry()
        kept = {"convenor": dict(convenor.extra)} if convenor.extra else {}
        return Group(
            stage=stage,
            order=order,
            name=entry.name,
            convenor_team=teams[convenor.team] if convenor.team else None,
            convenor=convenor.name,
            convenor_phone=convenor.phone,
            deadline=optional_moment(entry.deadline),
            finished_at=optional_moment(entry.finished_at),
            extra={**entry.extra, **kept},
        )

    def _adjustments(self, stages: Iterable[tuple[doc.StageEntry, Stage]], teams: Mapping[str, Team]) -> None:
        Adjustment.objects.bulk_create(
            Adjustment(
                stage=stage,
                team=teams[each.team],
                round_number=each.round,
                points=each.points,
                reason=each.reason,
                extra=dict(each.extra),
            )
            for entry, stage in stages
            for each in entry.adjustments
        )

    def _penalties(self, stages: Iterable[tuple[doc.StageEntry, Stage]], teams: Mapping[str, Team]) -> None:
        for entry, stage in stages:
            if not entry.penalties and not entry.appeals:
                continue
            free = list(stage.adjustments.order_by("pk"))
            stored = Penalty.objects.bulk_create(
                penalty_row(stage, teams[each.team], each, taken_points(free, teams[each.team], each))
                for each in entry.penalties
            )
            Appeal.objects.bulk_create(
                appeal_row(stage, teams[each.team], each, stored[each.penalty - 1] if each.penalty else None)
                for each in entry.appeals
            )

    def _rounds(self, stages: Iterable[tuple[doc.StageEntry, Stage]], teams: Mapping[str, Team]) -> None:
        stages = list(stages)
        self.rulings |= {stage.pk: rulings(each) for each, stage in stages}
        planned = [(stage, entry) for each, stage in stages for entry in each.rounds]
        stored = Round.objects.bulk_create(
            Round(
                stage=stage,
                number=entry.number,
                status=RoundStatus(entry.status.value),
                completed_at=optional_moment(entry.completed_at),
                audience=entry.audience.value,
                extra=_round_extra(entry),
            )
            for stage, entry in planned
        )
        rounds = [(entry, round_) for (_, entry), round_ in zip(planned, stored, strict=True)]
        self._matches(rounds, teams)
        Clock.objects.bulk_create(
            Clock(round=round_, length=minutes * 60)
            for round_, minutes in _clocks(round_ for _, round_ in rounds)
        )
        Draw.objects.bulk_create(self._draw(round_, entry.draw) for entry, round_ in rounds if entry.draw)
        Publication.objects.bulk_create(
            self._publication(round_, each) for entry, round_ in rounds for each in entry.publications
        )

    def _matches(self, rounds: Iterable[tuple[doc.RoundEntry, Round]], teams: Mapping[str, Team]) -> None:
        planned = [
            (round_, each, self.rulings[round_.stage_id](round_.number, each))
            for entry, round_ in rounds
            for each in in_table_order(entry.matches)
        ]
        stored = Match.objects.bulk_create(
            Match(
                round=round_,
                table=each.table,
                home=teams[each.home],
                away=teams[each.away] if each.away else None,
                group=self.groups.get((round_.stage_id, each.group or 0)),
                key=each.key,
                lineup={side: list(names) for side, names in each.lineup.items()},
                ruling=ruling.as_dict() if round_.status != RoundStatus.DRAFT else {},
                extra=dict(each.extra),
            )
            for round_, each, ruling in planned
        )
        Seat.objects.bulk_create(
            Seat(round_id=match.round_id, match=match, team=team)
            for match in stored
            for team in (match.home, match.away)
            if team is not None
        )
        Result.objects.bulk_create(
            self._result(match, each.result)
            for match, (_, each, _ruling) in zip(stored, planned, strict=True)
            if each.result is not None
        )

    def _result(self, match: Match, entry: doc.ResultEntry) -> Result:
        result = entry.result
        facts = {
            name: value
            for name, value in result_dict(entry).items()
            if name not in RESULT_COLUMNS and name not in SECOND_LOOK and name not in entry.extra
        }
        return Result(
            match=match,
            outcome=result.outcome.value,
            home_level=result.home_level,
            away_level=result.away_level,
            winner=result.winner.value if result.winner else "",
            reason=result.reason.value if result.reason else "",
            facts=facts,
            version=self.version,
            entered_by=self.author,
            entered_at_table=entry.entered_at_table,
            confirmation=_confirmation(entry),
            extra=dict(entry.extra),
        )

    def _draw(self, round_: Round, entry: doc.DrawEntry) -> Draw:
        return Draw(
            round=round_,
            seed=entry.seed,
            method=entry.method,
            relaxations=[dict(each) for each in entry.relaxations],
            explained=dict(entry.explained),
            changes=list(entry.changes),
            tables=dict(entry.tables),
            by_hand=dict(entry.by_hand),
            drawn_by=self.author,
        )

    def _publication(self, round_: Round, entry: doc.PublicationEntry) -> Publication:
        is_open = entry.audience is doc.Audience.EVERYBODY
        return Publication(
            round=round_,
            version=entry.version,
            published_at=moment(entry.published_at),
            published_by=self.author,
            opened_at=moment(entry.opened_at or entry.published_at) if is_open else None,
            opened_by=self.author if is_open else None,
            withdrawn_at=optional_moment(entry.withdrawn_at),
            reason=entry.reason,
            notice_ended_at=optional_moment(entry.notice_ended_at),
            seating=[list(seat) for seat in entry.seating],
            names={number: list(names) for number, names in entry.names.items()},
        )


def _confirmation(entry: doc.ResultEntry) -> str:
    if entry.confirmed is None:
        return Confirmation.NOT_ASKED
    return (entry.confirmed_how or Confirmation.OFFICIAL) if entry.confirmed else Confirmation.OPEN


def numbered(groups: Iterable[doc.GroupEntry]) -> Iterable[tuple[int, doc.GroupEntry]]:
    """Groups with their number in the stage, from 1."""
    return enumerate(groups, start=1)


def _clocks(rounds: Iterable[Round]) -> Iterator[tuple[Round, int]]:
    """The rounds that a clock is laid out for, with their minutes."""
    for round_ in rounds:
        if round_.is_published and not is_self_scheduled(round_.stage):
            minutes = round_minutes(round_)
            if minutes is not None:
                yield round_, minutes


def _team_extra(entry: doc.TeamEntry) -> dict[str, object]:
    """The unknown fields, and the first round, which the database knows only from the rounds themselves."""
    late = {"first_round": entry.first_round} if entry.first_round > 1 else {}
    return {**entry.extra, **late}


def _round_extra(entry: doc.RoundEntry) -> dict[str, object]:
    """The unknown fields of the round and, since a draw has no place for them, those of its draw."""
    drawn = {"draw": dict(entry.draw.extra)} if entry.draw and entry.draw.extra else {}
    return {**entry.extra, **drawn}
