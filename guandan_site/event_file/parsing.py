"""From bytes or JSON values to an EventDocument; a file that breaks the contract is refused with all its faults."""

import re
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from guandan_site.event_file import document as doc
from guandan_site.event_file.problems import Fault, InvalidEventFile, Problem
from guandan_site.event_file.reading import MOST_BYTES, Faults, Fields, check_values, decode_json

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
MOST_SEED = 2**53
DEFAULT_ROUNDS = 4
LEVELS = range(2, 16)
PASSED = 15
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
    parser = _Parser(faults)
    event = parser.document(top)
    faults.raise_any()
    return event


def _check_format(top: Fields) -> None:
    if top.raw("format") != doc.FORMAT and top.has("format"):
        top.note("format", Fault.WRONG_FORMAT, wanted=doc.FORMAT)
    version = top.raw("version")
    if top.has("version") and (version != doc.VERSION or not isinstance(version, int) or version is True):
        top.note("version", Fault.UNKNOWN_VERSION, wanted=doc.VERSION)


class _Parser:
    """Reads one document; remembers the ids that stood in it, so that references can be followed."""

    def __init__(self, faults: Faults) -> None:
        self.faults = faults
        self.departments: set[str] = set()
        self.teams: set[str] = set()

    def document(self, top: Fields) -> doc.EventDocument:
        event = self.head(top.member("event"))
        departments = self.distinct(top.objects("departments", ()), self.department, ("id", "name"))
        self.departments = {each.id for each in departments}
        teams = self.distinct(top.objects("teams"), self.team, ("id", "number"))
        self.teams = {each.id for each in teams}
        stages = self.distinct(top.objects("stages"), self.stage, ("id",))
        self.check_withdrawals(teams, stages)
        return doc.EventDocument(event, departments, teams, stages, top.extra())

    def distinct[Entry](self, members, read, keys) -> tuple[Entry, ...]:
        raise NotImplementedError
