"""From bytes or JSON values to an EventDocument; what breaks the contract is refused with all its faults."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from guandan_site.event_file import document as doc
from guandan_site.event_file import limits
from guandan_site.event_file.parsing_attendance import (
    note_unknown_stages,
    read_absence,
    read_former,
    read_lateness,
)
from guandan_site.event_file.parsing_entries import read_lineup, read_partner_draw, read_single
from guandan_site.event_file.parsing_rounds import moment, read_round, reference
from guandan_site.event_file.parsing_screens import read_screens
from guandan_site.event_file.parsing_tables import read_numbers, read_range
from guandan_site.event_file.penalties import read_appeal, read_penalty
from guandan_site.event_file.problems import Fault
from guandan_site.event_file.reading import (
    MOST_BYTES,
    REQUIRED,
    Faults,
    Fields,
    check_values,
    decode_json,
    is_whole,
    join,
)
from guandan_site.event_file.rules import rule_problems
from pairing.engine.types import InvalidPairingRules
from pairing.layouts import corrections_noted, layout_teams, read_layout

Entry = TypeVar("Entry")
SLUG = re.compile(r"[-a-zA-Z0-9_]+")


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
    """The document part by part: where ids are not sound, what points to them is not looked at."""
    head = _head(top.member("event"))
    departments = _distinct(top, "departments", _department, ("id", "name"))
    department_ids = {each.id for each in departments}
    teams = _distinct(top, "teams", lambda team: _team(team, department_ids), ("id", "number"))
    top.faults.raise_any()
    team_ids = {team.id for team in teams}
    stages = _distinct(top, "stages", lambda stage: _stage(stage, team_ids), ("id",))
    _note_withdrawals_beyond(top, teams, stages)
    note_unknown_stages(teams, {stage.id for stage in stages}, top.faults)
    return doc.EventDocument(
        head,
        departments,
        teams,
        stages,
        singles=_singles(top, department_ids),
        partner_draws=tuple(
            read_partner_draw(each, moment(each, "drawn_at")) for each in top.objects("partner_draws", ())
        ),
        screens=read_screens(top),
        extra=top.extra(),
    )


def _singles(top: Fields, departments: set[str]) -> tuple[doc.SingleEntry, ...]:
    """Nobody waits twice."""
    entries = [(fields, read_single(fields, departments)) for fields in top.objects("singles", ())]
    seen: set[str] = set()
    for fields, entry in entries:
        if entry.name in seen:
            fields.note("name", Fault.DUPLICATE, value=entry.name)
        seen.add(entry.name)
    return tuple(entry for _, entry in entries)


def _distinct(
    top: Fields, key: str, read: Callable[[Fields], Entry], attributes: Iterable[str]
) -> tuple[Entry, ...]:
    """The entries of a list in which each of `attributes` names one entry only."""
    entries = [
        (fields, read(fields)) for fields in top.objects(key, () if key == "departments" else REQUIRED)
    ]
    for attribute in attributes:
        seen: set[object] = set()
        for fields, entry in entries:
            value = getattr(entry, attribute)
            if value in seen and fields.has(attribute):
                fields.note(attribute, Fault.DUPLICATE, value=value)
            seen.add(value)
    return tuple(entry for _, entry in entries)


def _note_withdrawals_beyond(
    top: Fields, teams: Sequence[doc.TeamEntry], stages: Sequence[doc.StageEntry]
) -> None:
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
        name=fields.text("name", longest=limits.LONGEST_TITLE),
        slug=_slug(fields),
        venue=fields.text("venue", "", longest=limits.LONGEST_TITLE, blank=True),
        organiser=fields.text("organiser", "", longest=limits.LONGEST_TITLE, blank=True),
        starts_at=moment(fields, "starts_at"),
        is_public=fields.truth("is_public", True),
        publishes_to=fields.choice("publishes_to", doc.Audience, doc.Audience.EVERYBODY),
        uses_check_in=fields.truth("uses_check_in", False),
        is_rehearsal=fields.truth("is_rehearsal", False),
        broken_tables=read_numbers(fields, "broken_tables"),
        archived_at=moment(fields, "archived_at"),
        prizes=tuple(value for _, value in fields.items("prizes", ())),
        prize_ties=tuple(value for _, value in fields.items("prize_ties", ())),
        extra=fields.extra(),
    )


def _slug(fields: Fields) -> str:
    slug = fields.text("slug", longest=limits.LONGEST_KEY)
    if slug.strip() and not SLUG.fullmatch(slug):
        fields.note("slug", Fault.BAD_SLUG)
    return slug


def _department(fields: Fields) -> doc.DepartmentEntry:
    return doc.DepartmentEntry(
        id=fields.text("id", longest=limits.LONGEST_KEY),
        name=fields.text("name", longest=limits.LONGEST_NAME),
        extra=fields.extra(),
    )


def _team(fields: Fields, departments: set[str]) -> doc.TeamEntry:
    department = fields.optional_text("department", longest=limits.LONGEST_KEY)
    if department and department not in departments:
        fields.note("department", Fault.UNKNOWN_ID, value=department)
    return doc.TeamEntry(
        id=fields.text("id", longest=limits.LONGEST_KEY),
        number=fields.whole("number", least=1, most=limits.MOST_TEAM_NUMBER),
        players=tuple(_player(path, player, fields.faults) for path, player in fields.items("players")),
        department=department,
        name=fields.text("name", "", longest=limits.LONGEST_NAME, blank=True),
        session=fields.text("session", "", longest=limits.LONGEST_NAME, blank=True),
        seed=fields.optional_whole("seed", least=1, most=limits.MOST_TEAM_NUMBER),
        fixed_table=fields.optional_whole("fixed_table", least=1, most=limits.MOST_TEAM_NUMBER),
        first_round=fields.whole("first_round", 1, least=1, most=limits.MOST_ROUNDS),
        withdrawn_after=fields.optional_whole("withdrawn_after", least=0, most=limits.MOST_ROUNDS),
        checked_in_at=moment(fields, "checked_in_at"),
        absences=tuple(read_absence(each) for each in fields.objects("absences", ())),
        lateness=tuple(read_lateness(each) for each in fields.objects("lateness", ())),
        remark=fields.text("remark", "", longest=limits.LONGEST_REMARK, blank=True),
        lineup=read_lineup(fields, "lineup"),
        extra=fields.extra(),
    )


def _player(path: str, value: object, faults: Faults) -> doc.PlayerEntry:
    if isinstance(value, str):
        name = Fields({"name": value}, path, faults).text("name", longest=limits.LONGEST_NAME)
        return doc.PlayerEntry(name)
    fields = Fields(value, path, faults)
    return doc.PlayerEntry(
        name=fields.text("name", longest=limits.LONGEST_NAME),
        phone=fields.text("phone", "", longest=limits.LONGEST_PHONE, blank=True),
        role=fields.choice("role", doc.PlayerRole, doc.PlayerRole.PLAYER).value,
        former=tuple(read_former(each) for each in fields.objects("former", ())),
        extra=fields.extra(),
    )


def _stage(fields: Fields, known: set[str]) -> doc.StageEntry:
    chosen = _stage_teams(fields, known)
    members = known if chosen is None else set(chosen)
    groups = _groups(fields, members, known)
    rounds = [read_round(each, members, known, len(groups)) for each in fields.objects("rounds", ())]
    _note_rounds_out_of_order(fields, rounds)
    stage_id = fields.text("id", longest=limits.LONGEST_KEY)
    first_table, last_table = read_range(fields)
    stage = doc.StageEntry(
        id=stage_id,
        name=fields.text("name", stage_id, longest=limits.LONGEST_STAGE_NAME),
        format=fields.choice("format", doc.StageFormat),
        rounds_planned=fields.whole(
            "rounds_planned", limits.DEFAULT_ROUNDS, least=1, most=limits.MOST_ROUNDS
        ),
        teams=chosen,
        rules=_rules(fields, known),
        adjustments=tuple(_adjustment(each, members, known) for each in fields.objects("adjustments", ())),
        penalties=tuple(read_penalty(each, members, known) for each in fields.objects("penalties", ())),
        appeals=tuple(read_appeal(each, members, known) for each in fields.objects("appeals", ())),
        rounds=tuple(rounds),
        groups=groups,
        seeds=_seeds(fields, members, known),
        layout=_layout(fields, members, known, str(fields.raw("format", None))),
        lots=_lots(fields, members),
        first_table=first_table,
        last_table=last_table,
        extra=fields.extra(),
    )
    _note_adjustments_beyond(fields, stage)
    _note_penalties_beyond(fields, stage)
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


def _groups(fields: Fields, members: set[str], known: set[str]) -> tuple[doc.GroupEntry, ...]:
    """The groups; a team is in one of them at most."""
    groups: list[doc.GroupEntry] = []
    seen: set[str] = set()
    for group in fields.objects("groups", ()):
        name = group.text("name", longest=limits.LONGEST_GROUP_NAME)
        teams: list[str] = []
        for path, team in group.items("teams"):
            if not isinstance(team, str) or team not in members:
                fault = Fault.NOT_IN_STAGE if team in known else Fault.UNKNOWN_ID
                fields.faults.note(path, fault, value=team)
            elif team in seen:
                fields.faults.note(path, Fault.DUPLICATE, value=team)
            else:
                teams.append(team)
                seen.add(team)
        groups.append(
            doc.GroupEntry(
                name,
                tuple(teams),
                convenor=_convenor(group, set(teams), known),
                deadline=moment(group, "deadline"),
                finished_at=moment(group, "finished_at"),
                extra=group.extra(),
            )
        )
    return tuple(groups)


def _convenor(group: Fields, teams: set[str], known: set[str]) -> doc.ConvenorEntry | None:
    """Who calls the group together: one of its teams, or a person."""
    if group.raw("convenor", None) is None:
        return None
    fields = group.member("convenor")
    team = None if fields.raw("team", None) is None else reference(fields, "team", teams, known)
    return doc.ConvenorEntry(
        team=team,
        name=fields.text("name", "", longest=limits.LONGEST_NAME, blank=True),
        phone=fields.text("phone", "", longest=limits.LONGEST_PHONE, blank=True),
        extra=fields.extra(),
    )


def _seeds(fields: Fields, members: set[str], known: set[str]) -> dict[str, int]:
    """The seeds by team."""
    given = fields.member("seeds", None)
    teams = given.extra()
    for team in teams:
        if team not in members:
            given.note(team, Fault.NOT_IN_STAGE if team in known else Fault.UNKNOWN_ID, value=team)
    return {team: given.whole(team, least=1, most=limits.MOST_TEAM_NUMBER) for team in teams}


def _layout(fields: Fields, members: set[str], known: set[str], format: str) -> doc.Extra:
    """Schedule or bracket, if it can be read and names teams of the stage."""
    given = fields.member("layout", None).extra()
    try:
        layout = read_layout(given, format)
    except InvalidPairingRules as error:
        fields.note("layout", Fault.INVALID_RULE, code=error.code, value=str(error.value))
        return {}
    for team in sorted(layout_teams(layout) - members) if format != doc.StageFormat.SWISS else ():
        fields.note("layout", Fault.NOT_IN_STAGE, value=team)
    for change in corrections_noted(layout):
        _note_correction(fields, change, known)
    return layout


def _note_correction(fields: Fields, change: Mapping[str, Any], known: set[str]) -> None:
    """What was there before a correction: teams of the event, rules that the engines can read."""
    if "team" in change and change["team"] not in known:
        fields.note("layout", Fault.UNKNOWN_ID, value=change["team"])
    rules = {name: value for name, value in change.get("rules", {}).items() if name != "format"}
    for problem in rule_problems(rules, fields.at("layout"), known, doc.StageFormat.SWISS):
        fields.faults.note(problem.path, problem.fault, **problem.values)


def _lots(fields: Fields, members: set[str]) -> doc.Extra:
    """What settles ties: the places by team, and how they came about."""
    lots = fields.member("lots", None)
    given = lots.extra()
    if given:
        places = lots.member("places")
        for team in places.extra():
            if team not in members:
                places.note(team, Fault.NOT_IN_STAGE, value=team)
            places.whole(team, least=1, most=limits.MOST_TEAM_NUMBER)
    return given


def _note_rounds_out_of_order(fields: Fields, rounds: list[doc.RoundEntry]) -> None:
    for index, played in enumerate(rounds):
        if played.number != index + 1:
            path = join(join(fields.at("rounds"), index), "number")
            fields.faults.note(path, Fault.ROUNDS_NOT_IN_ORDER, wanted=index + 1)


def _adjustment(fields: Fields, members: set[str], known: set[str]) -> doc.AdjustmentEntry:
    return doc.AdjustmentEntry(
        team=reference(fields, "team", members, known),
        round=fields.whole("round", least=0, most=limits.MOST_ROUNDS),
        points=fields.whole("points", least=-limits.MOST_POINTS, most=limits.MOST_POINTS),
        reason=fields.text("reason", "", longest=limits.LONGEST_REASON, blank=True),
        extra=fields.extra(),
    )


def _note_adjustments_beyond(fields: Fields, stage: doc.StageEntry) -> None:
    for index, adjustment in enumerate(stage.adjustments):
        if adjustment.round > last_round(stage):
            path = join(join(fields.at("adjustments"), index), "round")
            fields.faults.note(path, Fault.ADJUSTMENT_BEYOND, last=last_round(stage))


def _note_penalties_beyond(fields: Fields, stage: doc.StageEntry) -> None:
    """Penalties and appeals are of rounds that the stage has, appeals against penalties that are there."""
    rounds = {"penalties": [each.round for each in stage.penalties]}
    rounds["appeals"] = [each.round for each in stage.appeals]
    for name, numbers in rounds.items():
        for index, number in enumerate(numbers):
            if number > last_round(stage):
                path = join(join(fields.at(name), index), "round")
                fields.faults.note(path, Fault.ADJUSTMENT_BEYOND, last=last_round(stage))
    for index, appeal in enumerate(stage.appeals):
        if (appeal.penalty or 0) > len(stage.penalties):
            path = join(join(fields.at("appeals"), index), "penalty")
            fields.faults.note(path, Fault.UNKNOWN_ID, value=appeal.penalty)


def _rules(fields: Fields, known: set[str]) -> doc.Extra:
    """The rules as they stand in the file, once the engines have understood them."""
    rules = fields.member("rules", None).extra()
    format = fields.raw("format", None)
    for problem in rule_problems(rules, fields.at("rules"), known, str(format)):
        fields.faults.note(problem.path, problem.fault, **problem.values)
    return rules
