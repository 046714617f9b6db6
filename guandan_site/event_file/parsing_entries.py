"""Line-ups, people without a partner and draws of partners in an event file."""

from collections.abc import Mapping

from guandan_site.event_file import document as doc
from guandan_site.event_file import limits
from guandan_site.event_file.problems import Fault
from guandan_site.event_file.reading import MOST_NUMBER, Faults, Fields
from tournaments.discipline import Partners, PartnersFrom
from tournaments.lineups import AT_TABLE, SIDES

Pair = Mapping[str, object]


def read_names(fields: Fields, key: str, faults: Faults) -> tuple[str, ...]:
    """A list of names, empty where the field is missing."""
    found = []
    for path, value in fields.items(key, ()):
        found.append(Fields({"name": value}, path, faults).text("name", longest=limits.LONGEST_NAME))
    return tuple(found)


def read_lineup(fields: Fields, key: str) -> tuple[str, ...]:
    """Who sits at the table: two different names, or nobody."""
    names = read_names(fields, key, fields.faults)
    if names and (len(names) != AT_TABLE or len(set(names)) != AT_TABLE):
        fields.note(key, Fault.WRONG_TYPE, wanted="two different names")
    return names


def read_lineups(fields: Fields) -> Mapping[str, tuple[str, ...]]:
    """The `lineup` of a match, by side."""
    sides = fields.member("lineup", None)
    return {side: names for side in SIDES if (names := read_lineup(sides, side))}


def read_single(fields: Fields, departments: set[str]) -> doc.SingleEntry:
    """A person who waits for a partner."""
    department = fields.optional_text("department", longest=limits.LONGEST_KEY)
    if department and department not in departments:
        fields.note("department", Fault.UNKNOWN_ID, value=department)
    return doc.SingleEntry(
        name=fields.text("name", longest=limits.LONGEST_NAME),
        sex=fields.choice("sex", doc.Sex, doc.Sex.UNKNOWN).value,
        department=department,
        phone=fields.text("phone", "", longest=limits.LONGEST_PHONE, blank=True),
        extra=fields.extra(),
    )


def read_partner_draw(fields: Fields, drawn_at: str | None) -> doc.PartnerDrawEntry:
    """A draw of partners; its teams may be gone since, so their ids point nowhere without harm."""
    if drawn_at is None:
        fields.note("drawn_at", Fault.MISSING)
    return doc.PartnerDrawEntry(
        drawn_at=drawn_at or "",
        seed=fields.whole("seed", least=0, most=MOST_NUMBER),
        kind=fields.choice("kind", Partners).value,
        departments=fields.choice("departments", PartnersFrom, PartnersFrom.ANY).value,
        entrants=tuple(_entrant(each) for each in fields.objects("entrants")),
        pairs=tuple(_pair(each) for each in fields.objects("pairs")),
        waiting=read_names(fields, "waiting", fields.faults),
        extra=fields.extra(),
    )


def _entrant(fields: Fields) -> Pair:
    sex = fields.choice("sex", doc.Sex, doc.Sex.UNKNOWN).value
    known = {
        "name": fields.text("name", longest=limits.LONGEST_NAME),
        "sex": sex,
        "department": fields.text("department", "", longest=limits.LONGEST_NAME, blank=True),
    }
    return {name: value for name, value in known.items() if value}


def _pair(fields: Fields) -> Pair:
    return {
        "number": fields.whole("number", least=1, most=limits.MOST_TEAM_NUMBER),
        "team": fields.text("team", longest=limits.LONGEST_KEY),
        "players": list(read_names(fields, "players", fields.faults)),
    }
