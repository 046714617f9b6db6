"""Check an event against its own rules."""

from collections.abc import Iterable
from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _

from guandan_site.event_file.checking import check_event
from guandan_site.event_file.problems import InvalidEventFile
from guandan_site.event_file.wording import finding_message, problem_message
from guandan_site.management.commands._base import EventCommand, find_source, one_line, refusal

FILE = "file"
"""The rule that a file breaks which cannot be read as an event at all."""


class Command(EventCommand):
    """Derives every draw and every result again; exit status 1 when something is found."""

    help = "Check every draw and result of an event against its rules."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        self.add_event_argument(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        found = list(_findings(options["event"]))
        if options["json"] or not found:
            self.answer(
                options, {"ok": not found, "findings": found}, [_("ok: draws and results keep the rules")]
            )
        if found:
            raise refusal(*(f"{each['path']}: {each['message']}" for each in found))


def _findings(name: str) -> Iterable[dict[str, str]]:
    try:
        document = find_source(name).document()
    except InvalidEventFile as error:
        for problem in error.problems:
            yield {"path": problem.path, "rule": FILE, "message": one_line(problem_message(problem))}
        return
    for finding in check_event(document):
        yield {"path": finding.path, "rule": finding.rule, "message": one_line(finding_message(finding))}
