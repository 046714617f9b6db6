"""Put a stored event back to one of its snapshots."""

from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from guandan_site.management.commands._base import EventCommand, refusal, table_lines
from tournaments.log import actor_words
from tournaments.models import Event, Snapshot
from tournaments.snapshots import restore_snapshot


class Command(EventCommand):
    """Lists an event's snapshots; with `--to` puts the event back to one of them and logs the reason."""

    help = "List an event's snapshots, or put the event back to one of them."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("event", metavar="EVENT", help=_("slug of a stored event"))
        parser.add_argument(
            "--to", type=int, metavar="SNAPSHOT", help=_("number of the snapshot to go back to")
        )
        parser.add_argument("--reason", default="", help=_("why, for the log"))

    def handle(self, *args: Any, **options: Any) -> None:
        event = Event.objects.filter(slug=options["event"]).first()
        if event is None:
            raise refusal(_("no stored event is called %(name)s") % {"name": options["event"]})
        if options["to"] is None:
            self._list(event, options)
        else:
            self._restore(event, options)

    def _list(self, event: Event, options: dict[str, Any]) -> None:
        kept = [_row(snapshot) for snapshot in event.snapshots.defer("content")]
        heads = [
            pgettext("column of a list", "number"),
            pgettext("column of a list", "time"),
            pgettext("column of a list", "occasion"),
            pgettext("column of a list", "by"),
        ]
        self.answer(options, {"snapshots": kept}, table_lines(heads, [list(row.values()) for row in kept]))

    def _restore(self, event: Event, options: dict[str, Any]) -> None:
        snapshot = event.snapshots.filter(pk=options["to"]).first()
        if snapshot is None:
            raise refusal(_("the event has no snapshot %(number)s") % {"number": options["to"]})
        restore_snapshot(event=event, snapshot=snapshot, by=None, reason=options["reason"])
        words = _("restored: %(name)s, as it stood %(time)s") % {
            "name": event.name,
            "time": _row(snapshot)["at"],
        }
        self.answer(options, {"slug": event.slug, "snapshot": snapshot.pk}, [words])


def _row(snapshot: Snapshot) -> dict[str, Any]:
    return {
        "number": snapshot.pk,
        "at": timezone.localtime(snapshot.at).isoformat(timespec="seconds"),
        "occasion": str(snapshot.get_occasion_display()),
        "by": actor_words(snapshot.by_name),
    }
