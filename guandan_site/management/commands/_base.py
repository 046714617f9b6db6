"""What the event commands share: where an event comes from, how an answer and a refusal are printed."""

import os
import sys
import tempfile
import unicodedata
from argparse import ArgumentTypeError
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError
from django.utils.translation import gettext as _

from guandan_site.event_file.computing import UnknownStage, completed, find_stage
from guandan_site.event_file.document import EventDocument, StageEntry
from guandan_site.event_file.dumping import layout
from guandan_site.event_file.exporting import document_of
from guandan_site.event_file.parsing import SLUG, load_event
from guandan_site.event_file.problems import InvalidEventFile
from guandan_site.event_file.reading import MOST_NUMBER
from guandan_site.event_file.wording import problem_lines
from tournaments.log import EventArchived
from tournaments.models import Event

REFUSED = 1
USAGE = 2


@dataclass(frozen=True)
class Source:
    """Where an event comes from: a stored event or the path of an event file, one of the two."""

    event: Event | None = None
    path: Path | None = None

    def document(self) -> EventDocument:
        """The event as a document. Raises InvalidEventFile, OSError."""
        if self.event is not None:
            return document_of(self.event)
        return load_event(self.path or Path())


class EventCommand(BaseCommand):
    """A command that works on a stored event or on an event file; a file needs no database.

    An answer goes to standard output, with `--json` as one JSON document and nothing else; a refusal goes to
    standard error, one line for each reason, with exit status 1; a wrong call ends with exit status 2.
    """

    requires_system_checks = []
    _called_from_command_line = False

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        """A parser that tells a wrong call in one line."""
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        if self._called_from_command_line:
            parser.error = partial(_wrong_call, parser)  # type: ignore[method-assign]
        return parser

    def add_arguments(self, parser: CommandParser) -> None:
        """Every command can answer in JSON."""
        parser.add_argument("--json", action="store_true", help=_("print one JSON document and nothing else"))

    def add_event_argument(self, parser: CommandParser) -> None:
        """The event as a slug or a path."""
        parser.add_argument(
            "event", metavar="EVENT", help=_("slug of a stored event or path of an event file")
        )

    def add_stage_argument(self, parser: CommandParser) -> None:
        """The stage by its id in the event file."""
        parser.add_argument("--stage", metavar="ID", help=_("id of the stage; without it the present one"))

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run, with refusals as plain lines when called from a shell."""
        if not self._called_from_command_line:
            return self._run(*args, **options)
        _speak_utf8()
        try:
            return self._run(*args, **options)
        except CommandError as error:
            for line in str(error).splitlines():
                self.stderr.write(line)
            sys.exit(error.returncode)

    def _run(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except InvalidEventFile as error:
            raise refusal(*problem_lines(error)) from error
        except EventArchived as error:
            message = _("event %(slug)s is archived; an administrator opens it again in its settings")
            raise refusal(message % {"slug": error.event.slug}) from error
        except OSError as error:
            raise refusal(
                _("cannot open %(name)s: %(reason)s") % {"name": error.filename, "reason": error.strerror}
            ) from error
        except DatabaseError as error:
            raise refusal(_("the database is not ready: %(reason)s") % {"reason": one_line(error)}) from error

    def answer(self, options: dict[str, Any], value: object, lines: Iterable[str]) -> None:
        """Print the answer: as JSON when asked for, else the lines for people."""
        if options["json"]:
            self.stdout.write(layout(value))
        else:
            self.stdout.write("\n".join(lines))


def refusal(*lines: str) -> CommandError:
    """The error that ends a command with exit status 1, one line for each reason."""
    return CommandError("\n".join(one_line(line) for line in lines), returncode=REFUSED)


def find_source(name: str) -> Source:
    """An event file if there is one at this path, else the stored event with this slug."""
    path = Path(name)
    if path.is_file():
        return Source(path=path)
    event = Event.objects.filter(slug=name).first() if SLUG.fullmatch(name) else None
    if event is None:
        raise refusal(_("%(name)s is neither a stored event nor an event file") % {"name": name})
    return Source(event=event)


def whole_event(name: str) -> tuple[Source, EventDocument]:
    """The event with this slug or path, its results completed by the rules."""
    source = find_source(name)
    return source, completed(source.document())


def chosen_stage(document: EventDocument, stage_id: str | None) -> StageEntry:
    """The stage that was asked for, else the present one."""
    try:
        return find_stage(document, stage_id)
    except UnknownStage as error:
        known = ", ".join(stage.id for stage in document.stages)
        if error.stage is None:
            raise refusal(_("the event has no stage")) from error
        raise refusal(
            _("the event has no stage %(stage)s; known: %(known)s") % {"stage": error.stage, "known": known}
        ) from error


def seed_number(text: str) -> int:
    """A seed as typed: any whole number that every JSON reader and both databases keep."""
    seed = int(text)
    if abs(seed) > MOST_NUMBER:
        raise ArgumentTypeError(_("the number is too large"))
    return seed


def write_file(path: Path, content: bytes) -> None:
    """Write a file whole or not at all: whoever reads it meanwhile sees the old one."""
    folder = path.parent
    handle, name = tempfile.mkstemp(dir=folder, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(name, path.stat().st_mode & 0o777 if path.exists() else 0o644)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def table_lines(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """Rows as text in columns that line up in a terminal, where a Chinese character is two places wide."""
    cells = [[one_line(cell) for cell in row] for row in [heads, *rows]]
    widths = [max(map(_width, column)) for column in zip(*cells, strict=True)]
    return ["  ".join(map(_padded, row, widths)).rstrip() for row in cells]


def one_line(text: object) -> str:
    """Text without line breaks."""
    return " ".join(str(text).split())


def _padded(cell: str, width: int) -> str:
    return cell + " " * (width - _width(cell))


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def _wrong_call(parser: CommandParser, message: str) -> NoReturn:
    parser.exit(USAGE, f"{parser.prog}: {one_line(message)}\n")


def _speak_utf8() -> None:
    """JSON is UTF-8 and so is a file that output is sent to, whatever the console of an office PC speaks."""
    for stream in (sys.stdout, sys.stderr):
        if not stream.isatty():
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
