"""From the database to a document: what `storing` wrote comes out as it went in."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db.models import Prefetch
from django.utils import timezone

from guandan_site.event_file import document as doc
from guandan_site.event_file.parsing_rounds import result_entry
from pairing.models import Draw, Publication, Screen
from scoring.engine.penalties import PenaltyAction, PenaltyRule
from scoring.models import Adjustment, Appeal, Penalty, Result
from tournaments.attendance import read_absences, read_former, read_lateness
from tournaments.models import (
    Event,
    Group,
    Match,
    PartnerDraw,
    Player,
    Round,
    Single,
    Stage,
    StageEntry,
    Team,
)


def document_of(event: Event) -> doc.EventDocument:
    """The stored event as a document; the same number of queries for every event that has rounds."""
    teams = event.teams.select_related("department").order_by("number")
    stages = _stages(event)
    return doc.EventDocument(
        event=_head(event),
        departments=tuple(
            doc.DepartmentEntry(each.key, each.name, each.extra) for each in event.departments.order_by("pk")
        ),
        teams=_teams(teams.prefetch_related("players"), stages),
        stages=tuple(_stage(stage) for stage in stages),
        singles=tuple(_single(each) for each in event.singles.select_related("department")),
        partner_draws=tuple(_partner_draw(each) for each in event.partner_draws.all()),
        screens=tuple(_screen(each) for each in event.screens.order_by("pk")),
        extra=event.extra.get("document", {}),
    )


def _screen(screen: Screen) -> doc.ScreenEntry:
    return doc.ScreenEntry(
        name=screen.name,
        key=screen.key,
        roles=tuple(screen.roles),
        seconds=screen.seconds,
        distance=doc.Distance(screen.distance),
        notice=screen.notice,
        extra=screen.extra,
    )


def _stages(event: Event) -> list[Stage]:
    matches = Match.objects.select_related("home", "away", "result", "group").order_by("pk")
    entries = StageEntry.objects.select_related("team").order_by("team__number")
    return list(
        event.stages.order_by("order").prefetch_related(
            Prefetch("entries", entries),
            Prefetch("groups", Group.objects.select_related("convenor_team").order_by("order")),
            Prefetch("adjustments", Adjustment.objects.select_related("team").order_by("pk")),
            Prefetch("penalties", Penalty.objects.select_related("team").order_by("pk")),
            Prefetch("appeals", Appeal.objects.select_related("team").order_by("pk")),
            Prefetch("rounds", Round.objects.select_related("draw").order_by("number")),
            Prefetch("rounds__matches", matches),
            Prefetch("rounds__publications", Publication.objects.order_by("version")),
        )
    )


def _head(event: Event) -> doc.EventHead:
    return doc.EventHead(
        name=event.name,
        slug=event.slug,
        venue=event.venue,
        organiser=event.organiser,
        starts_at=_written(event.starts_at),
        is_public=event.is_public,
        publishes_to=doc.Audience(event.publishes_to),
        uses_check_in=event.uses_check_in,
        is_rehearsal=event.is_rehearsal,
        broken_tables=tuple(event.broken_tables),
        archived_at=_written(event.archived_at),
        prizes=tuple(event.prizes),
        prize_ties=tuple(event.prize_ties),
        extra=event.extra.get("event", {}),
    )


def _teams(teams: Iterable[Team], stages: list[Stage]) -> tuple[doc.TeamEntry, ...]:
    """The teams; whoever sits in no counted round so far can have entered only after it.

    Unless a stage that is still to be played waits for the team.
    """
    counted = [played for stage in stages for played in stage.rounds.all() if not played.is_draft]
    first_rounds: dict[int | None, int] = {}
    for played in counted:
        for match in played.matches.all():
            first_rounds.setdefault(match.home_id, played.number)
            first_rounds.setdefault(match.away_id, played.number)
    next_round = max((played.number for played in counted), default=0) + 1
    for stage in stages:
        if all(played.is_draft for played in stage.rounds.all()):
            for entry in stage.entries.all():
                first_rounds.setdefault(entry.team_id, 1)
    return tuple(_team(team, first_rounds.get(team.pk, next_round)) for team in teams)


def _team(team: Team, first_seated: int) -> doc.TeamEntry:
    stated = team.extra.get("first_round")
    return doc.TeamEntry(
        id=team.key,
        number=team.number,
        players=tuple(_player(player) for player in team.players.all()),
        department=team.department.key if team.department else None,
        name=team.name,
        session=team.session,
        seed=team.seed,
        fixed_table=team.fixed_table,
        first_round=stated or first_seated,
        withdrawn_after=team.withdrawn_after,
        checked_in_at=_written(team.checked_in_at),
        absences=read_absences(team.absences),
        lateness=read_lateness(team.lateness),
        remark=team.remark,
        lineup=tuple(team.lineup),
        extra={name: value for name, value in team.extra.items() if name != "first_round"},
    )


def _single(single: Single) -> doc.SingleEntry:
    department = single.department.key if single.department else None
    return doc.SingleEntry(single.name, single.sex, department, single.phone, single.extra)


def _partner_draw(draw: PartnerDraw) -> doc.PartnerDrawEntry:
    record = draw.record
    return doc.PartnerDrawEntry(
        drawn_at=timezone.localtime(draw.drawn_at).isoformat(),
        seed=record["seed"],
        kind=record["kind"],
        departments=record["departments"],
        entrants=tuple(record["entrants"]),
        pairs=tuple(record["pairs"]),
        waiting=tuple(record["waiting"]),
        extra=draw.extra,
    )


def _player(player: Player) -> doc.PlayerEntry:
    return doc.PlayerEntry(player.name, player.phone, player.role, read_former(player.former), player.extra)


def _stage(stage: Stage) -> doc.StageEntry:
    entries = list(stage.entries.all())
    return doc.StageEntry(
        id=stage.key,
        name=stage.name,
        format=doc.StageFormat(stage.format),
        rounds_planned=stage.rounds_planned,
        teams=tuple(entry.team.key for entry in entries) or None,
        rules=stage.rules,
        adjustments=tuple(_adjustment(each) for each in stage.adjustments.all()),
        penalties=tuple(_penalty(each) for each in stage.penalties.all()),
        appeals=tuple(
            _appeal(each, [given.pk for given in stage.penalties.all()]) for each in stage.appeals.all()
        ),
        rounds=tuple(_round(each) for each in stage.rounds.all()),
        groups=tuple(_group(each, entries) for each in stage.groups.all()),
        seeds={entry.team.key: entry.seed for entry in entries if entry.seed is not None},
        layout=stage.layout,
        lots=stage.lots,
        first_table=stage.first_table,
        last_table=stage.last_table,
        extra=stage.extra,
    )


def _group(group: Group, entries: Iterable[StageEntry]) -> doc.GroupEntry:
    teams = tuple(entry.team.key for entry in entries if entry.group_id == group.pk)
    return doc.GroupEntry(
        group.name,
        teams,
        convenor=_convenor(group),
        deadline=_written(group.deadline),
        finished_at=_written(group.finished_at),
        extra={name: value for name, value in group.extra.items() if name != "convenor"},
    )


def _convenor(group: Group) -> doc.ConvenorEntry | None:
    entry = doc.ConvenorEntry(
        team=group.convenor_team.key if group.convenor_team else None,
        name=group.convenor,
        phone=group.convenor_phone,
        extra=group.extra.get("convenor", {}),
    )
    return None if entry == doc.ConvenorEntry() else entry


def _adjustment(adjustment: Adjustment) -> doc.AdjustmentEntry:
    return doc.AdjustmentEntry(
        team=adjustment.team.key,
        round=adjustment.round_number,
        points=adjustment.points,
        reason=adjustment.reason,
        extra=adjustment.extra,
    )


def _penalty(penalty: Penalty) -> doc.PenaltyEntry:
    return doc.PenaltyEntry(
        team=penalty.team.key,
        round=penalty.round_number,
        rule=PenaltyRule(penalty.rule),
        action=PenaltyAction(penalty.action),
        amount=penalty.amount,
        minutes=penalty.minutes,
        reason=penalty.reason,
        by=penalty.by_name,
        at=_written(penalty.at),
        cancelled=_cancelled(penalty),
        extra={name: value for name, value in penalty.extra.items() if name != "cancelled"},
    )


def _cancelled(penalty: Penalty) -> doc.Cancelled | None:
    if not penalty.is_cancelled:
        return None
    return doc.Cancelled(
        at=_written(penalty.cancelled_at),
        by=penalty.cancelled_by,
        reason=penalty.cancel_reason,
        extra=penalty.extra.get("cancelled", {}),
    )


def _appeal(appeal: Appeal, penalties: Sequence[int]) -> doc.AppealEntry:
    """What was done because of it stands in the log, which stays with the installation."""
    return doc.AppealEntry(
        team=appeal.team.key,
        round=appeal.round_number,
        text=appeal.text,
        penalty=penalties.index(appeal.penalty_id) + 1 if appeal.penalty_id else None,
        received_at=_written(appeal.received_at),
        received_by=appeal.received_by,
        deadline=_written(appeal.deadline),
        outcome=doc.AppealOutcome(appeal.outcome),
        answer=appeal.answer,
        decided_at=_written(appeal.decided_at),
        decided_by=appeal.decided_by,
        extra=appeal.extra,
    )


def _round(round_: Round) -> doc.RoundEntry:
    return doc.RoundEntry(
        number=round_.number,
        status=doc.RoundStatus(round_.status),
        matches=tuple(_match(each) for each in round_.matches.all()),
        draw=_draw(round_.draw, round_.extra.get("draw", {})) if hasattr(round_, "draw") else None,
        completed_at=_written(round_.completed_at),
        audience=doc.Audience(round_.audience),
        publications=tuple(_publication(each) for each in round_.publications.all()),
        extra={name: value for name, value in round_.extra.items() if name != "draw"},
    )


def _match(match: Match) -> doc.MatchEntry:
    return doc.MatchEntry(
        home=match.home.key,
        away=match.away.key if match.away else None,
        table=match.table,
        result=_result(match.result) if hasattr(match, "result") else None,
        group=match.group.order if match.group else None,
        key=match.key,
        lineup={side: tuple(names) for side, names in match.lineup.items() if names},
        extra=match.extra,
    )


def _result(result: Result) -> doc.ResultEntry:
    stated = {
        "outcome": result.outcome,
        "home_level": result.home_level,
        "away_level": result.away_level,
        "winner": result.winner or None,
        "reason": result.reason or None,
    }
    return result_entry({**result.extra, **result.facts, **stated, **_second_look(result)})


def _second_look(result: Result) -> dict[str, object]:
    """Who confirmed and when stays here, with the accounts of this installation; codes, calls and what was
    only said so far do too."""
    look: dict[str, object] = {}
    if result.confirmation:
        look["confirmed"] = result.is_confirmed
    if result.is_confirmed:
        look["confirmed_how"] = result.confirmation
    return look | ({"entered_at_table": True} if result.entered_at_table else {})


def _draw(draw: Draw, extra: doc.Extra) -> doc.DrawEntry:
    return doc.DrawEntry(
        seed=draw.seed,
        method=draw.method,
        relaxations=tuple(draw.relaxations),
        explained=draw.explained,
        changes=tuple(draw.changes),
        tables=draw.tables,
        by_hand=draw.by_hand,
        extra=extra,
    )


def _publication(publication: Publication) -> doc.PublicationEntry:
    was_open_at_once = publication.opened_at == publication.published_at
    return doc.PublicationEntry(
        version=publication.version,
        published_at=timezone.localtime(publication.published_at).isoformat(),
        audience=doc.Audience.HALL if publication.opened_at is None else doc.Audience.EVERYBODY,
        opened_at=None if was_open_at_once else _written(publication.opened_at),
        withdrawn_at=_written(publication.withdrawn_at),
        reason=publication.reason,
        notice_ended_at=_written(publication.notice_ended_at),
        seating=tuple(tuple(seat) for seat in publication.seating),
        names={number: (names[0], names[1]) for number, names in publication.names.items()},
    )


def _written(moment: datetime | None) -> str | None:
    """A moment in the venue's time, as a file holds it."""
    return timezone.localtime(moment).isoformat() if moment else None
