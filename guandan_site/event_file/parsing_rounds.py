"""The rounds of an event file: matches, results, draws and publications."""

import dataclasses
from collections.abc import Mapping
from datetime import datetime

from guandan_site.event_file import document as doc
from guandan_site.event_file import limits
from guandan_site.event_file.parsing_entries import read_lineups
from guandan_site.event_file.parsing_tables import read_by_hand, read_draw_tables
from guandan_site.event_file.problems import Fault
from guandan_site.event_file.reading import MOST_NUMBER, Faults, Fields, children, is_whole, join
from pairing.engine.impossible import relaxed
from pairing.engine.types import PairingRules, Relaxation, Rule
from pairing.explained import explained_from_dict
from pairing.layouts import DrawnBy
from scoring.engine.levels import PASSED
from scoring.engine.results import InvalidResult, MatchResult, Outcome
from scoring.engine.rules import MatchRules

LEVEL_FIELDS = ("home_level", "away_level", "home_start", "away_start")
RESULT_FIELDS = frozenset(each.name for each in dataclasses.fields(MatchResult))
SECOND_LOOK = ("confirmed", "confirmed_how", "entered_at_table")
HOW_CONFIRMED = ("official", "phones", "chief")
BYE = doc.ResultEntry(MatchResult(Outcome.BYE))


def moment(fields: Fields, key: str) -> str | None:
    """A date and time in ISO 8601 as written, or None where the field is null or missing."""
    text = fields.optional_text(key, longest=limits.LONGEST_NAME)
    if not text:
        return None
    try:
        year = datetime.fromisoformat(text).year
    except ValueError:
        year = 0
    if year not in limits.YEARS:
        fields.note(key, Fault.BAD_TIME)
    return text


def reference(fields: Fields, key: str, members: set[str], known: set[str]) -> str:
    """The id of a team that stands in the file and takes part in the stage."""
    team = fields.text(key, longest=limits.LONGEST_KEY)
    if team and team not in known:
        fields.note(key, Fault.UNKNOWN_ID, value=team)
    elif team and team not in members:
        fields.note(key, Fault.NOT_IN_STAGE, value=team)
    return team


def read_round(fields: Fields, members: set[str], known: set[str], groups: int = 0) -> doc.RoundEntry:
    """A round with everything in it; each team and each table stands in it once."""
    matches = [_match(each, members, known, groups) for each in fields.objects("matches")]
    status = fields.choice("status", doc.RoundStatus)
    audience = fields.choice("audience", doc.Audience, doc.Audience.EVERYBODY)
    if audience is doc.Audience.HALL and status is not doc.RoundStatus.PUBLISHED:
        fields.note("audience", Fault.UNKNOWN_VALUE, value=audience.value, known=["everybody"])
    _note_twice_in_round(fields, matches)
    return doc.RoundEntry(
        number=fields.whole("number", least=1, most=limits.MOST_ROUNDS),
        status=status,
        audience=audience,
        matches=tuple(matches),
        draw=_draw(fields.member("draw"), known) if fields.raw("draw", None) is not None else None,
        completed_at=moment(fields, "completed_at"),
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


def _draw(fields: Fields, known: set[str]) -> doc.DrawEntry:
    return doc.DrawEntry(
        seed=fields.whole("seed", least=-MOST_NUMBER, most=MOST_NUMBER),
        method=fields.choice("method", DrawnBy, DrawnBy.ADJACENT).value,
        relaxations=tuple(_relaxation(each) for each in fields.objects("relaxations", ())),
        explained=_explained(fields, known),
        changes=tuple(_change(each) for each in fields.objects("changes", ())),
        tables=read_draw_tables(fields),
        by_hand=read_by_hand(fields),
        extra=fields.extra(),
    )


def _explained(fields: Fields, known: set[str]) -> doc.Extra:
    """The reasons of the engine, if they can be read again and speak of teams in the file."""
    explained = fields.member("explained", None).extra()
    try:
        reasons = explained_from_dict(explained)
    except (AttributeError, KeyError, TypeError, ValueError):
        fields.note("explained", Fault.WRONG_TYPE, wanted="tables, bye, broken, proof")
        return {}
    notes = [*reasons.bye, *(note for table in reasons.tables.values() for note in table)]
    for team in {team for note in notes for team in (note.team, note.other)} - known - {None}:
        fields.note("explained", Fault.UNKNOWN_ID, value=team)
    return explained


def _change(fields: Fields) -> doc.Extra:
    """What was changed by hand: what, as which version of the draw, and who sat there before, if told.

    The rest is as it was noted.
    """
    act = fields.text("act", longest=limits.LONGEST_KEY)
    version = fields.whole("version", least=1, most=limits.MOST_TEAM_NUMBER)
    seats = [_full_table(path, seat, fields.faults) for path, seat in fields.items("seating", ())]
    return {"act": act, "version": version, **({"seating": seats} if seats else {}), **fields.extra()}


def _full_table(path: str, value: object, faults: Faults) -> list[int | None]:
    seat = _seat(path, value, faults)
    if None in seat:
        faults.note(path, Fault.WRONG_TYPE, wanted="list")
    return list(seat)


def _relaxation(fields: Fields) -> dict[str, str]:
    rule = fields.choice("rule", Rule)
    value = fields.text("value", longest=limits.LONGEST_KEY)
    try:
        relaxed(PairingRules(), Relaxation(rule, value))
    except ValueError:
        fields.note("value", Fault.UNKNOWN_VALUE, value=value, known=("avoid", "allow", "drop"))
    return {"rule": rule.value, "value": value}


def _publication(fields: Fields) -> doc.PublicationEntry:
    published_at = moment(fields, "published_at")
    if published_at is None:
        fields.note("published_at", Fault.MISSING)
    return doc.PublicationEntry(
        version=fields.whole("version", least=1, most=limits.MOST_TEAM_NUMBER),
        published_at=published_at or "",
        audience=fields.choice("audience", doc.Audience, doc.Audience.EVERYBODY),
        opened_at=moment(fields, "opened_at"),
        withdrawn_at=moment(fields, "withdrawn_at"),
        reason=fields.text("reason", "", longest=limits.LONGEST_REMARK, blank=True),
        notice_ended_at=moment(fields, "notice_ended_at"),
        seating=tuple(_seat(path, seat, fields.faults) for path, seat in fields.items("seating", ())),
        names=_names(fields),
    )


def _names(fields: Fields) -> dict[str, tuple[str, str]]:
    """By team number [players, department], as they were published."""
    names = fields.member("names", None)
    return {number: _team_names(names, number) for number in names.extra()}


def _team_names(names: Fields, number: str) -> tuple[str, str]:
    value = names.raw(number, None)
    is_number = number.isascii() and number.isdecimal()
    if (
        is_number
        and isinstance(value, list)
        and len(value) == 2
        and all(isinstance(each, str) for each in value)
    ):
        return value[0], value[1]
    names.note(number, Fault.WRONG_TYPE, wanted="list")
    return "", ""


def _seat(path: str, value: object, faults: Faults) -> tuple[int | None, ...]:
    places = value if isinstance(value, list) else []
    if len(places) == 3 and all(place is None or is_whole(place) for place in places):
        return tuple(places)
    faults.note(path, Fault.WRONG_TYPE, wanted="list")
    return ()


def _match(fields: Fields, members: set[str], known: set[str], groups: int) -> doc.MatchEntry:
    home = reference(fields, "home", members, known)
    is_bye = fields.raw("away") is None
    away = None if is_bye else reference(fields, "away", members, known)
    result = _match_result(fields, is_bye)
    table = fields.optional_whole("table", least=1, most=limits.MOST_TEAM_NUMBER)
    if is_bye and table is not None:
        fields.note("table", Fault.BYE_WITH_TABLE)
    return doc.MatchEntry(
        home=home,
        away=away,
        table=table,
        result=result,
        group=fields.optional_whole("group", least=1, most=groups),
        key=fields.text("key", "", longest=limits.LONGEST_MATCH_KEY, blank=True),
        lineup=read_lineups(fields),
        extra=fields.extra(),
    )


def _match_result(fields: Fields, is_bye: bool) -> doc.ResultEntry | None:
    given = fields.raw("result", None)
    if given is None:
        return BYE if is_bye and fields.has("away") else None
    entry = _result(given, fields.at("result"), fields.faults)
    if entry is None:
        return None
    if is_bye and fields.has("away") and entry.result.outcome is not Outcome.BYE:
        fields.note("away", Fault.NO_OPPONENT)
    if not is_bye and entry.result.outcome is Outcome.BYE:
        fields.note("away", Fault.BYE_WITH_AWAY)
    return entry


def _result(given: object, path: str, faults: Faults) -> doc.ResultEntry | None:
    if not isinstance(given, Mapping):
        faults.note(path, Fault.WRONG_TYPE, wanted="object")
        return None
    try:
        entry = result_entry(given)
    except InvalidResult as error:
        faults.note(
            f"{path}.{error.field}",
            Fault.INVALID_RESULT,
            code=error.code,
            field=error.field,
            rules=MatchRules(),
        )
        return None
    _note_second_look(given, path, faults)
    _note_levels(entry.result, path, faults)
    for index, game in enumerate(entry.result.games or ()):
        _note_levels(game, join(f"{path}.games", index), faults)
    return entry


def result_entry(given: Mapping[str, object]) -> doc.ResultEntry:
    """A result object of the file; raises InvalidResult where the engine cannot read it."""
    result = MatchResult.from_dict(given)
    games = [game for _, game in children(given.get("games")) if isinstance(game, Mapping)]
    unknown = {name: value for name, value in _unknown(given).items() if name not in SECOND_LOOK}
    entry = doc.ResultEntry(result, unknown, tuple(_unknown(game) for game in games))
    confirmed, how = given.get("confirmed"), given.get("confirmed_how")
    return dataclasses.replace(
        entry,
        confirmed=confirmed if isinstance(confirmed, bool) else None,
        confirmed_how=how if confirmed is True and isinstance(how, str) else "",
        entered_at_table=given.get("entered_at_table") is True,
    )


def _note_second_look(given: Mapping[str, object], path: str, faults: Faults) -> None:
    for name in ("confirmed", "entered_at_table"):
        if not isinstance(given.get(name), bool | None):
            faults.note(f"{path}.{name}", Fault.WRONG_TYPE, wanted="true, false")
    how = given.get("confirmed_how")
    if how is not None and how not in HOW_CONFIRMED:
        faults.note(f"{path}.confirmed_how", Fault.UNKNOWN_VALUE, value=how, known=HOW_CONFIRMED)


def _unknown(given: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in given.items() if name not in RESULT_FIELDS}


def _note_levels(result: MatchResult, path: str, faults: Faults) -> None:
    levels = {name: getattr(result, name) for name in LEVEL_FIELDS}
    for name, level in levels.items():
        if level is not None and level not in limits.LEVELS:
            faults.note(f"{path}.{name}", Fault.NO_SUCH_LEVEL, value=level)
    home, away = result.home_level, result.away_level
    needed = result.outcome is Outcome.PLAYED and result.deals is None and result.games is None
    for name, own, other in (("home_level", home, away), ("away_level", away, home)):
        if own is None and (needed or other is not None):
            faults.note(f"{path}.{name}", Fault.MISSING)
    if home == away == PASSED:
        faults.note(path, Fault.BOTH_PASSED)
