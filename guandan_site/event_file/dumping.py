"""From an EventDocument to the event file: always the same order, so that equal events give equal bytes.

Contract fields are always written; fields that this program adds are written when they hold something.
Unknown fields follow the known ones, sorted, because not every database keeps their order.
"""

import json
from collections.abc import Iterable, Mapping

from guandan_site.event_file import document as doc

LONGEST_LINE = 180
RULES_ORDER = ("format", "entry", "pairing", "match", "scoring", "ranking", "withdrawal")


def to_bytes(document: doc.EventDocument) -> bytes:
    """The event file as UTF-8, one team or match a line, with a line break at its end."""
    return (layout(dump_event(document)) + "\n").encode()


def layout(value: object, line_break: str = "\n") -> str:
    """JSON that people can read and compare line by line: what fits stands on one line."""
    text = json.dumps(value, ensure_ascii=False)
    if len(text) <= LONGEST_LINE or not isinstance(value, dict | list):
        return text
    deeper = line_break + " "
    if isinstance(value, list):
        return "[" + ",".join(deeper + layout(each, deeper) for each in value) + line_break + "]"
    members = (
        f"{deeper}{json.dumps(key, ensure_ascii=False)}: {layout(each, deeper)}"
        for key, each in value.items()
    )
    return "{" + ",".join(members) + line_break + "}"


def dump_event(document: doc.EventDocument) -> dict[str, object]:
    """The event file as plain JSON values in their fixed order."""
    numbers = {team.id: team.number for team in document.teams}
    return (
        {
            "format": doc.FORMAT,
            "version": doc.VERSION,
            "event": _head(document.event),
            "departments": [
                {"id": each.id, "name": each.name} | _sorted(each.extra) for each in document.departments
            ],
            "teams": [_team(each) for each in sorted(document.teams, key=lambda team: team.number)],
            "stages": [_stage(each, numbers) for each in document.stages],
        }
        | _waiting(document)
        | _held(screens=[_screen(each) for each in document.screens])
        | _sorted(document.extra)
    )


def _screen(screen: doc.ScreenEntry) -> dict[str, object]:
    known: dict[str, object] = {"name": screen.name, "key": screen.key, "roles": list(screen.roles)}
    known |= {"seconds": screen.seconds, "distance": screen.distance.value} | _held(notice=screen.notice)
    return known | _sorted(screen.extra)


def _waiting(document: doc.EventDocument) -> dict[str, object]:
    """Who waits for a partner, and the draws of partners there were."""
    return _held(
        singles=[
            {"name": each.name}
            | _held(sex=each.sex, department=each.department, phone=each.phone)
            | _sorted(each.extra)
            for each in document.singles
        ],
        partner_draws=[
            {"drawn_at": each.drawn_at} | each.record() | _sorted(each.extra)
            for each in document.partner_draws
        ],
    )


def _head(head: doc.EventHead) -> dict[str, object]:
    known: dict[str, object] = {
        "name": head.name,
        "slug": head.slug,
        "venue": head.venue,
        "starts_at": head.starts_at,
    }
    added = _held(organiser=head.organiser) | ({} if head.is_public else {"is_public": False})
    added |= _audience("publishes_to", head.publishes_to)
    added |= {"uses_check_in": True} if head.uses_check_in else {}
    added |= {"is_rehearsal": True} if head.is_rehearsal else {}
    added |= _held(broken_tables=list(head.broken_tables), archived_at=head.archived_at)
    prizes = _held(prizes=_plain(head.prizes), prize_ties=_plain(head.prize_ties))
    return known | added | prizes | _sorted(head.extra)


def _team(team: doc.TeamEntry) -> dict[str, object]:
    known: dict[str, object] = {
        "id": team.id,
        "number": team.number,
        "department": team.department,
        "players": [_player(each) for each in team.players],
        "withdrawn_after": team.withdrawn_after,
        "fixed_table": team.fixed_table,
    }
    added = _held(
        name=team.name, session=team.session, seed=team.seed, remark=team.remark, lineup=list(team.lineup)
    )
    if team.first_round > 1:
        added["first_round"] = team.first_round
    added |= _held(
        checked_in_at=team.checked_in_at,
        absences=[each.as_dict() for each in team.absences],
        lateness=[each.as_dict() for each in team.lateness],
    )
    return known | added | _sorted(team.extra)


def _player(player: doc.PlayerEntry) -> dict[str, object]:
    role = {} if player.role == "player" else {"role": player.role}
    former = _held(former=[each.as_dict() for each in player.former])
    return {"name": player.name} | _held(phone=player.phone) | role | former | _sorted(player.extra)


def _stage(stage: doc.StageEntry, numbers: Mapping[str, int]) -> dict[str, object]:
    chosen = None if stage.teams is None else sorted(stage.teams, key=numbers.__getitem__)
    known: dict[str, object] = {
        "id": stage.id,
        "name": stage.name,
        "format": stage.format.value,
        "rounds_planned": stage.rounds_planned,
    }
    played: dict[str, object] = {
        "rules": _rules(stage.rules),
        "adjustments": [_adjustment(each) for each in stage.adjustments],
        **_held(
            penalties=[_penalty(each) for each in stage.penalties],
            appeals=[_appeal(each) for each in stage.appeals],
        ),
        "rounds": [_round(each) for each in stage.rounds],
    }
    began = _held(
        teams=chosen,
        groups=[_group(each, numbers) for each in stage.groups],
        seeds={team: stage.seeds[team] for team in sorted(stage.seeds, key=numbers.__getitem__)},
        layout=_sorted(stage.layout),
        lots=_sorted(stage.lots),
        first_table=stage.first_table,
        last_table=stage.last_table,
    )
    return known | began | played | _sorted(stage.extra)


def _group(group: doc.GroupEntry, numbers: Mapping[str, int]) -> dict[str, object]:
    teams = sorted(group.teams, key=numbers.__getitem__)
    added = _held(convenor=_convenor(group.convenor), deadline=group.deadline, finished_at=group.finished_at)
    return {"name": group.name, "teams": teams} | added | _sorted(group.extra)


def _convenor(convenor: doc.ConvenorEntry | None) -> dict[str, object] | None:
    if convenor is None:
        return None
    known = _held(team=convenor.team, name=convenor.name, phone=convenor.phone)
    return known | _sorted(convenor.extra)


def _rules(rules: doc.Extra) -> dict[str, object]:
    ordered = {name: rules[name] for name in RULES_ORDER if name in rules}
    return {name: _plain(value) for name, value in ordered.items()} | _sorted(
        {name: value for name, value in rules.items() if name not in ordered}
    )


def _adjustment(adjustment: doc.AdjustmentEntry) -> dict[str, object]:
    return {
        "team": adjustment.team,
        "round": adjustment.round,
        "points": adjustment.points,
        "reason": adjustment.reason,
    } | _sorted(adjustment.extra)


def _penalty(penalty: doc.PenaltyEntry) -> dict[str, object]:
    known: dict[str, object] = {
        "team": penalty.team,
        "round": penalty.round,
        "rule": penalty.rule.value,
        "action": penalty.action.value,
    }
    amount = {"amount": penalty.amount} if penalty.amount else {}
    told = {"reason": penalty.reason} | _held(by=penalty.by, at=penalty.at)
    late, cancelled = _held(minutes=penalty.minutes), _cancelled(penalty.cancelled)
    return known | amount | late | told | cancelled | _sorted(penalty.extra)


def _cancelled(cancelled: doc.Cancelled | None) -> dict[str, object]:
    if cancelled is None:
        return {}
    told = _held(at=cancelled.at, by=cancelled.by, reason=cancelled.reason)
    return {"cancelled": told | _sorted(cancelled.extra)}


def _appeal(appeal: doc.AppealEntry) -> dict[str, object]:
    known: dict[str, object] = {"team": appeal.team, "round": appeal.round, "text": appeal.text}
    return (
        known
        | _held(
            penalty=appeal.penalty,
            received_at=appeal.received_at,
            received_by=appeal.received_by,
            deadline=appeal.deadline,
            outcome=appeal.outcome.value,
            answer=appeal.answer,
            decided_at=appeal.decided_at,
            decided_by=appeal.decided_by,
        )
        | _sorted(appeal.extra)
    )


def _round(played: doc.RoundEntry) -> dict[str, object]:
    known: dict[str, object] = {
        "number": played.number,
        "status": played.status.value,
        "matches": [_match(each) for each in in_table_order(played.matches)],
    }
    added = _held(
        draw=_draw(played.draw),
        completed_at=played.completed_at,
        **_audience("audience", played.audience),
        publications=[_publication(each) for each in played.publications],
    )
    return known | added | _sorted(played.extra)


def in_table_order(matches: Iterable[doc.MatchEntry]) -> list[doc.MatchEntry]:
    """Matches by table; those without one come last, in the order they had."""
    return sorted(matches, key=lambda match: (match.table is None, match.table or 0))


def _match(match: doc.MatchEntry) -> dict[str, object]:
    known: dict[str, object] = {"table": match.table, "home": match.home, "away": match.away}
    result = {"result": None if match.result is None else result_dict(match.result)}
    return (
        known
        | _held(group=match.group, key=match.key, lineup=_plain(match.lineup))
        | result
        | _sorted(match.extra)
    )


def result_dict(entry: doc.ResultEntry) -> dict[str, object]:
    """A result as it stands in the file: stated fields in the engine's order, then unknown ones."""
    stated = entry.result.as_dict()
    if "games" in stated:
        pairs = zip(stated["games"], entry.game_extras, strict=True)
        stated["games"] = [game | _sorted(extra) for game, extra in pairs]
    return stated | _second_look(entry) | _sorted(entry.extra)


def _second_look(entry: doc.ResultEntry) -> dict[str, object]:
    look: dict[str, object] = {} if entry.confirmed is None else {"confirmed": entry.confirmed}
    return look | _held(
        confirmed_how=entry.confirmed_how, entered_at_table=True if entry.entered_at_table else None
    )


def _draw(draw: doc.DrawEntry | None) -> dict[str, object] | None:
    if draw is None:
        return None
    known: dict[str, object] = {"seed": draw.seed, "method": draw.method}
    added = _held(
        relaxations=[{"rule": each["rule"], "value": each["value"]} for each in draw.relaxations],
        explained=_sorted(draw.explained),
        changes=_plain(draw.changes),
        tables=_sorted(draw.tables),
        by_hand=_sorted(draw.by_hand),
    )
    return known | added | _sorted(draw.extra)


def _publication(publication: doc.PublicationEntry) -> dict[str, object]:
    known: dict[str, object] = {"version": publication.version, "published_at": publication.published_at}
    told = _audience("audience", publication.audience)
    return known | _held(
        **told,
        opened_at=publication.opened_at,
        withdrawn_at=publication.withdrawn_at,
        reason=publication.reason,
        notice_ended_at=publication.notice_ended_at,
        seating=[list(seat) for seat in publication.seating],
        names={number: list(publication.names[number]) for number in sorted(publication.names, key=int)},
    )


def _audience(name: str, audience: doc.Audience) -> dict[str, object]:
    """Who sees it, where that is not everybody."""
    return {} if audience is doc.Audience.EVERYBODY else {name: audience.value}


def _held(**values: object) -> dict[str, object]:
    return {name: value for name, value in values.items() if value not in (None, "", [], {})}


def _sorted(extra: Mapping[str, object]) -> dict[str, object]:
    return {name: _plain(extra[name]) for name in sorted(extra)}


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return _sorted(value)
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value
