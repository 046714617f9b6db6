"""From bytes or JSON values to an EventDocument; what breaks the contract is refused with all its faults."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path

from guandan_site.event_file import document as doc
from guandan_site.event_file.problems import Fault
from guandan_site.event_file.reading import (
    MOST_BYTES,
    MOST_NUMBER,
    Faults,
    Fields,
    check_values,
    decode_json,
    is_whole,
    join,
)

# The longest texts and greatest numbers that the database keeps (a test holds them equal to the models').
LONGEST_KEY = 60
LONGEST_NAME = 40
LONGEST_STAGE_NAME = 60
LONGEST_TITLE = 100
LONGEST_PHONE = 40
LONGEST_REASON = 200
LONGEST_REMARK = 400
MOST_TEAM_NUMBER = 99_999
MOST_ROUNDS = 999
MOST_POINTS = 9_999
DEFAULT_ROUNDS = 4
YEARS = range(1900, 9000)
LEVELS = range(2, 16)
PASSED = 15
PLACES = 4
SLUG = re.compile(r"[-a-zA-Z0-9_]+")
FACTS = ("reached_first", "declarer", "head_taken", "extra_winner")


def load_event(source: Path | bytes) -> doc.EventDocument:
    """Read an event file; raises InvalidEventFile, and OSError when the path cannot be read."""
    if isinstance(source, bytes):
        return parse_event(decode_json(source))
    with source.open("rb") as file:
        return parse_event(decode_json(file.read(MOST_BYTES + 1)))


def parse_event(value: object) -> doc.EventDocument:
    """The document in a decoded JSON value; raises InvalidEventFile with every fault that was found."""
    faults = Faults()
    check_values(value, "$", faults)
    top = Fields(value, "$", faults)
    _check_format(top)
    faults.raise_any()
    document = _document(top)
    faults.raise_any()
    return document


def _check_format(top: Fields) -> None:
    if top.raw("format") != doc.FORMAT and top.has("format"):
        top.note("format", Fault.WRONG_FORMAT, wanted=doc.FORMAT)
    version = top.raw("version")
    if top.has("version") and not (is_whole(version) and version == doc.VERSION):
        top.note("version", Fault.UNKNOWN_VERSION, wanted=doc.VERSION)


def _document(top: Fields) -> doc.EventDocument:
    head = _head(top.member("event"))
    departments = [_department(each) for each in top.objects("departments", ())]
    known = {each.id for each in departments}
    _note_repeats(top, "departments", departments, ("id", "name"))
    teams = [_team(each, known) for each in top.objects("teams")]
    _note_repeats(top, "teams", teams, ("id", "number"))
    team_ids = {team.id for team in teams}
    stages = [_stage(each, team_ids) for each in top.objects("stages")]
    _note_repeats(top, "stages", stages, ("id",))
    _note_withdrawals_beyond(top, teams, stages)
    return doc.EventDocument(head, tuple(departments), tuple(teams), tuple(stages), top.extra())


def _note_repeats(fields: Fields, key: str, entries: Sequence[object], attributes: Iterable[str]) -> None:
    for attribute in attributes:
        seen: set[object] = set()
        for index, entry in enumerate(entries):
            value = getattr(entry, attribute)
            if value in seen:
                path = join(join(fields.at(key), index), attribute)
                fields.faults.note(path, Fault.DUPLICATE, value=value)
            seen.add(value)


def _note_withdrawals_beyond(top: Fields, teams: list[doc.TeamEntry], stages: list[doc.StageEntry]) -> None:
    last = max((last_round(stage) for stage in stages), default=0)
    for index, team in enumerate(teams):
        if team.withdrawn_after is not None and team.withdrawn_after > last:
            path = join(join(top.at("teams"), index), "withdrawn_after")
            top.faults.note(path, Fault.WITHDRAWN_BEYOND, last=last)


def last_round(stage: doc.StageEntry) -> int:
    """The highest round number that a stage can speak of."""
    return max(stage.rounds_planned, len(stage.rounds))


def _head(fields: Fields) -> doc.EventHead:
    return doc.EventHead(
        name=fields.text("name", longest=LONGEST_TITLE),
        slug=_slug(fields),
        venue=fields.text("venue", "", longest=LONGEST_TITLE, blank=True),
        organiser=fields.text("organiser", "", longest=LONGEST_TITLE, blank=True),
        starts_at=_moment(fields, "starts_at"),
        is_public=fields.truth("is_public", True),
        extra=fields.extra(),
    )


def _slug(fields: Fields) -> str:
    slug = fields.text("slug", longest=LONGEST_KEY)
    if slug.strip() and not SLUG.fullmatch(slug):
        fields.note("slug", Fault.BAD_SLUG)
    return slug


def _moment(fields: Fields, key: str) -> str | None:
    text = fields.optional_text(key, longest=LONGEST_NAME)
    if not text:
        return None
    try:
        year = datetime.fromisoformat(text).year
    except ValueError:
        year = 0
    if year not in YEARS:
        fields.note(key, Fault.BAD_TIME)
    return text


def _department(fields: Fields) -> doc.DepartmentEntry:
    return doc.DepartmentEntry(
        id=fields.text("id", longest=LONGEST_KEY),
        name=fields.text("name", longest=LONGEST_NAME),
        extra=fields.extra(),
    )


def _team(fields: Fields, departments: set[str]) -> doc.TeamEntry:
    department = fields.optional_text("department", longest=LONGEST_KEY)
    if department and department not in departments:
        fields.note("department", Fault.UNKNOWN_ID, value=department)
    return doc.TeamEntry(
        id=fields.text("id", longest=LONGEST_KEY),
        number=fields.whole("number", least=1, most=MOST_TEAM_NUMBER),
        players=tuple(_player(path, player, fields.faults) for path, player in fields.items("players")),
        department=department,
        name=fields.text("name", "", longest=LONGEST_NAME, blank=True),
        session=fields.text("session", "", longest=LONGEST_NAME, blank=True),
        seed=fields.optional_whole("seed", least=1, most=MOST_TEAM_NUMBER),
        fixed_table=fields.optional_whole("fixed_table", least=1, most=MOST_TEAM_NUMBER),
        withdrawn_after=fields.optional_whole("withdrawn_after", least=0, most=MOST_ROUNDS),
        remark=fields.text("remark", "", longest=LONGEST_REMARK, blank=True),
        extra=fields.extra(),
    )


def _player(path: str, value: object, faults: Faults) -> doc.PlayerEntry:
    if isinstance(value, str):
        name = Fields({"name": value}, path, faults).text("name", longest=LONGEST_NAME)
        return doc.PlayerEntry(name)
    fields = Fields(value, path, faults)
    return doc.PlayerEntry(
        name=fields.text("name", longest=LONGEST_NAME),
        phone=fields.text("phone", "", longest=LONGEST_PHONE, blank=True),
        extra=fields.extra(),
    )


def _stage(fields: Fields, known: set[str]) -> doc.StageEntry:
    chosen = _stage_teams(fields, known)
    members = known if chosen is None else set(chosen)
    rounds = [_round(each, members, known) for each in fields.objects("rounds", ())]
    _note_rounds_out_of_order(fields, rounds)
    stage_id = fields.text("id", longest=LONGEST_KEY)
    stage = doc.StageEntry(
        id=stage_id,
        name=fields.text("name", stage_id, longest=LONGEST_STAGE_NAME),
        format=fields.choice("format", doc.StageFormat),
        rounds_planned=fields.whole("rounds_planned", DEFAULT_ROUNDS, least=1, most=MOST_ROUNDS),
        teams=chosen,
        rules=read_rules(fields, known),
        adjustments=tuple(_adjustment(each, members, known) for each in fields.objects("adjustments", ())),
        rounds=tuple(rounds),
        extra=fields.extra(),
    )
    _note_adjustments_beyond(fields, stage)
    return stage


def _stage_teams(fields: Fields, known: set[str]) -> tuple[str, ...] | None:
    if fields.raw("teams", None) is None:
        return None
    chosen: list[str] = []
    for path, team in fields.items("teams"):
        if not isinstance(team, str):
            fields.faults.note(path, Fault.WRONG_TYPE, wanted="string")
        elif team not in known:
            fields.faults.note(path, Fault.UNKNOWN_ID, value=team)
        elif team in chosen:
            fields.faults.note(path, Fault.DUPLICATE, value=team)
        else:
            chosen.append(team)
    return tuple(chosen) or None


def _note_rounds_out_of_order(fields: Fields, rounds: list[doc.RoundEntry]) -> None:
    for index, played in enumerate(rounds):
        if played.number != index + 1:
            path = join(join(fields.at("rounds"), index), "number")
            fields.faults.note(path, Fault.ROUNDS_NOT_IN_ORDER, wanted=index + 1)


def _adjustment(fields: Fields, members: set[str], known: set[str]) -> doc.AdjustmentEntry:
    return doc.AdjustmentEntry(
        team=_reference(fields, "team", members, known),
        round=fields.whole("round", least=0, most=MOST_ROUNDS),
        points=fields.whole("points", least=-MOST_POINTS, most=MOST_POINTS),
        reason=fields.text("reason", "", longest=LONGEST_REASON, blank=True),
        extra=fields.extra(),
    )


def _note_adjustments_beyond(fields: Fields, stage: doc.StageEntry) -> None:
    for index, adjustment in enumerate(stage.adjustments):
        if adjustment.round > last_round(stage):
            path = join(join(fields.at("adjustments"), index), "round")
            fields.faults.note(path, Fault.ADJUSTMENT_BEYOND, last=last_round(stage))


def _reference(fields: Fields, key: str, members: set[str], known: set[str]) -> str:
    team = fields.text(key, longest=LONGEST_KEY)
    if team and team not in known:
        fields.note(key, Fault.UNKNOWN_ID, value=team)
    elif team and team not in members:
        fields.note(key, Fault.NOT_IN_STAGE, value=team)
    return team


def read_rules(fields: Fields, known: set[str]) -> doc.Extra:
    """The rules as given, once the engines have read them."""
    rules = fields.member("rules", None)
    return rules.extra()


def _round(fields: Fields, members: set[str], known: set[str]) -> doc.RoundEntry:
    matches = [_match(each, members, known) for each in fields.objects("matches")]
    _note_twice_in_round(fields, matches)
    return doc.RoundEntry(
        number=fields.whole("number", least=1, most=MOST_ROUNDS),
        status=fields.choice("status", doc.RoundStatus),
        matches=tuple(matches),
        draw=_draw(fields.member("draw")) if fields.raw("draw", None) is not None else None,
        completed_at=_moment(fields, "completed_at"),
        publications=tuple(_publication(each) for each in fields.objects("publications", ())),
        extra=fields.extra(),
    )


def _note_twice_in_round(fields: Fields, matches: list[doc.MatchEntry]) -> None:
    teams: set[str] = set()
    tables: set[int] = set()
    for index, match in enumerate(matches):
        path = join(fields.at("matches"), index)
        for side, team in (("home", match.home), ("away", match.away)):
            if team and team in teams:
                fields.faults.note(join(path, side), Fault.TEAM_TWICE, value=team)
            teams.add(team or "")
        if match.table is not None and match.table in tables:
            fields.faults.note(join(path, "table"), Fault.TABLE_TWICE, value=match.table)
        tables.add(match.table or 0)


def _draw(fields: Fields) -> doc.DrawEntry:
    explained = fields.member("explained", None)
    return doc.DrawEntry(
        seed=fields.whole("seed", least=-MOST_NUMBER, most=MOST_NUMBER),
        method=fields.text("method", "adjacent", longest=20),
        relaxations=tuple(_relaxation(each) for each in fields.objects("relaxations", ())),
        explained=explained.extra(),
        changes=tuple(change for _, change in fields.items("changes", ())),
        extra=fields.extra(),
    )


def _relaxation(fields: Fields) -> dict[str, str]:
    return {name: fields.text(name, longest=LONGEST_KEY) for name in ("rule", "value")}


def _publication(fields: Fields) -> doc.PublicationEntry:
    published_at = _moment(fields, "published_at")
    if published_at is None:
        fields.note("published_at", Fault.MISSING)
    return doc.PublicationEntry(
        version=fields.whole("version", least=1, most=MOST_TEAM_NUMBER),
        published_at=published_at or "",
        withdrawn_at=_moment(fields, "withdrawn_at"),
        seating=tuple(_seat(path, seat, fields.faults) for path, seat in fields.items("seating", ())),
    )


def _seat(path: str, value: object, faults: Faults) -> tuple[int | None, ...]:
    places = value if isinstance(value, list) else []
    if len(places) == 3 and all(place is None or is_whole(place) for place in places):
        return tuple(places)
    faults.note(path, Fault.WRONG_TYPE, wanted="list")
    return ()


def _match(fields: Fields, members: set[str], known: set[str]) -> doc.MatchEntry:
    home = _reference(fields, "home", members, known)
    is_bye = fields.raw("away") is None
    away = None if is_bye else _reference(fields, "away", members, known)
    result = _match_result(fields, is_bye)
    return doc.MatchEntry(
        home=home,
        away=away,
        table=fields.optional_whole("table", least=1, most=MOST_TEAM_NUMBER),
        result=result,
        extra=fields.extra(),
    )


def _match_result(fields: Fields, is_bye: bool) -> doc.ResultEntry | None:
    if fields.raw("result", None) is None:
        return doc.ResultEntry(doc.Outcome.BYE) if is_bye and fields.has("away") else None
    result = _result(fields.member("result"))
    if is_bye and fields.has("away") and result.outcome is not doc.Outcome.BYE:
        fields.note("away", Fault.NO_OPPONENT)
    if not is_bye and result.outcome is doc.Outcome.BYE:
        fields.note("away", Fault.BYE_WITH_AWAY)
    return result


def _result(fields: Fields) -> doc.ResultEntry:
    outcome = fields.choice("outcome", doc.Outcome)
    deals = tuple(_deal(path, order, fields.faults) for path, order in fields.items("deals", ()))
    games = tuple(_result(game) for game in fields.objects("games", ()))
    home_level, away_level = _levels(fields, needed=not deals and not games and outcome is doc.Outcome.PLAYED)
    return doc.ResultEntry(
        outcome=outcome,
        home_level=home_level,
        away_level=away_level,
        winner=fields.optional_choice("winner", doc.Winner),
        reason=fields.optional_choice("reason", doc.Reason),
        facts=_facts(fields),
        deals=deals,
        games=games,
        extra=fields.extra(),
    )


def _levels(fields: Fields, *, needed: bool) -> tuple[int | None, int | None]:
    home, away = _level(fields, "home_level"), _level(fields, "away_level")
    for key, own, other in (("home_level", home, away), ("away_level", away, home)):
        if own is None and (needed or other is not None):
            fields.note(key, Fault.MISSING)
    if home == away == PASSED:
        fields.faults.note(fields.path, Fault.BOTH_PASSED)
    return home, away


def _level(fields: Fields, key: str) -> int | None:
    level = fields.raw(key, None)
    if level is None:
        return None
    if not is_whole(level):
        fields.note(key, Fault.WRONG_TYPE, wanted="integer")
        return LEVELS[0]
    if level not in LEVELS:
        fields.note(key, Fault.NO_SUCH_LEVEL, value=level)
        return LEVELS[0]
    return level


def _facts(fields: Fields) -> dict[str, str]:
    sides = {name: fields.optional_choice(name, doc.Side) for name in FACTS}
    return {name: str(side) for name, side in sides.items() if side is not None}


def _deal(path: str, order: object, faults: Faults) -> str:
    if isinstance(order, str) and len(order) == PLACES:
        return order
    faults.note(path, Fault.WRONG_TYPE, wanted="HHAA")
    return ""
