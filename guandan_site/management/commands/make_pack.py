"""Make the emergency packs that are missing."""

from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _

from guandan_site.management.commands._base import EventCommand, refusal
from guandan_site.packs.making import make_missing_packs
from guandan_site.pdf import PressBusy
from tournaments.models import Event


class Command(EventCommand):
    """Makes what is missing; run again it makes nothing."""

    help = "Make the emergency packs of everything that hangs in an event's running rounds."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("event", metavar="EVENT", help=_("slug of a stored event"))
        parser.add_argument(
            "--page", metavar="ADDRESS", default="", help=_("the event's page for phones, for the QR codes")
        )

    def handle(self, *args: Any, **options: Any) -> None:
        event = Event.objects.filter(slug=options["event"]).first()
        if event is None:
            raise refusal(_("%(name)s is no stored event") % {"name": options["event"]})
        try:
            made = make_missing_packs(event, options["page"])
        except PressBusy as error:
            raise refusal(_("other sheets are being made all the time; try again later")) from error
        paths = [str(pack.path) for pack in made]
        self.answer(options, {"files": paths}, paths)
