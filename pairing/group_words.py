"""What pages say of a group that finds its own time: who calls it together, how long is left."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from pairing.selectors.groups import GroupState
from tournaments.models import Group


def convenor_words(group: Group) -> str:
    """Who calls the group together, for everybody to read: never a phone number. Empty for nobody."""
    if group.convenor_team is not None:
        team = group.convenor_team
        return _("team %(number)s %(names)s") % {"number": team.number, "names": team.player_names}
    return group.convenor


def phone_words(group: Group) -> str:
    """How officials reach who calls the group together: the number given, else those of its players."""
    if group.convenor_phone or group.convenor_team is None:
        return group.convenor_phone
    return _(", ").join(player.phone for player in group.convenor_team.players.all() if player.phone)


def moment_words(moment: datetime) -> str:
    """A moment at the venue, to the minute."""
    return date_format(timezone.localtime(moment), "DATETIME_FORMAT")


def left_words(state: GroupState) -> str:
    """How long is left, or since when the matches are overdue; empty without a deadline."""
    if state.left is None:
        return ""
    if state.left < timedelta(0):
        return _("%(time)s over the deadline") % {"time": _span(-state.left)}
    return _("%(time)s left") % {"time": _span(state.left)}


def own_time_words(state: GroupState) -> str:
    """Who calls the group together, until when it plays, what is open; absolute times, for everybody."""
    told = []
    if convenor := convenor_words(state.group):
        told.append(_("Convenor: %(who)s") % {"who": convenor})
    if state.deadline is not None:
        told.append(_("to be played by %(time)s") % {"time": moment_words(state.deadline)})
    return " · ".join([*told, open_words(state)])


def _span(length: timedelta) -> str:
    """Days and hours; below a day hours and minutes."""
    minutes = int(length.total_seconds()) // 60
    days, hours = divmod(minutes // 60, 24)
    told_hours = ngettext("%(count)d hour", "%(count)d hours", hours) % {"count": hours}
    if days:
        told_days = ngettext("%(count)d day", "%(count)d days", days) % {"count": days}
        return f"{told_days} {told_hours}" if hours else told_days
    rest = ngettext("%(count)d minute", "%(count)d minutes", minutes % 60) % {"count": minutes % 60}
    if hours and not minutes % 60:
        return told_hours
    return f"{told_hours} {rest}" if hours else rest


def open_words(state: GroupState) -> str:
    """How many matches miss a result."""
    if not state.matches:
        return _("not published")
    if state.is_finished:
        return _("over")
    if not state.open:
        return _("all results are in")
    return ngettext("%(count)d match open", "%(count)d matches open", state.open) % {"count": state.open}
