"""日志: the append-only log of official acts.

Every service ends in `record_act`, inside its own transaction: the act and its log entry stand or fall
together, and the event's revision rises, so that no cache shows what was before.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from django.contrib.auth.models import User
from django.db.models import F
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournaments.models import Event, LogEntry


class Act(StrEnum):
    """What an official can do to an event."""

    EVENT_CREATED = "event_created"
    EVENT_CHANGED = "event_changed"
    RULES_CHANGED = "rules_changed"
    PRIZES_CHANGED = "prizes_changed"
    PRIZE_TIE_SETTLED = "prize_tie_settled"
    PRESET_KEPT = "preset_kept"
    PRESET_REMOVED = "preset_removed"
    OFFICIALS_CHANGED = "officials_changed"
    USER_CREATED = "user_created"
    USER_CHANGED = "user_changed"
    ROSTER_IMPORTED = "roster_imported"
    TEAM_ADDED = "team_added"
    TEAM_CHANGED = "team_changed"
    TEAM_REMOVED = "team_removed"
    TEAM_WITHDRAWN = "team_withdrawn"
    TEAM_REINSTATED = "team_reinstated"
    LINEUPS_GIVEN = "lineups_given"
    SINGLES_CHANGED = "singles_changed"
    PARTNERS_DRAWN = "partners_drawn"
    PARTNERS_UNDONE = "partners_undone"
    CHECK_IN_SWITCHED = "check_in_switched"
    CHECK_IN_BEGUN_ANEW = "check_in_begun_anew"
    TEAMS_CHECKED_IN = "teams_checked_in"
    CHECK_IN_TAKEN_BACK = "check_in_taken_back"
    TEAMS_ABSENT = "teams_absent"
    ABSENCE_ENDED = "absence_ended"
    LATENESS_NOTED = "lateness_noted"
    ATTENDANCE_UNDONE = "attendance_undone"
    PLAYER_REPLACED = "player_replaced"
    STAGE_ADDED = "stage_added"
    STAGE_CHANGED = "stage_changed"
    STAGE_REMOVED = "stage_removed"
    SESSIONS_SPLIT = "sessions_split"
    STAGE_BEGUN = "stage_begun"
    ENTRY_REPLACED = "entry_replaced"
    GROUP_ARRANGED = "group_arranged"
    GROUP_FINISHED = "group_finished"
    GROUP_REOPENED = "group_reopened"
    CUT_PASSED = "cut_passed"
    LOTS_DRAWN = "lots_drawn"
    ORDER_SETTLED = "order_settled"
    ROUND_DRAWN = "round_drawn"
    DRAFT_CHANGED = "draft_changed"
    DRAFT_DISCARDED = "draft_discarded"
    ROUND_PUBLISHED = "round_published"
    ROUND_OPENED = "round_opened"
    NOTICE_ENDED = "notice_ended"
    PUBLICATION_WITHDRAWN = "publication_withdrawn"
    CLOCK_STARTED = "clock_started"
    CLOCK_PAUSED = "clock_paused"
    CLOCK_RESUMED = "clock_resumed"
    CLOCK_EXTENDED = "clock_extended"
    CLOCK_RESET = "clock_reset"
    RESULT_ENTERED = "result_entered"
    RESULT_CHANGED = "result_changed"
    RESULT_CLEARED = "result_cleared"
    RESULT_CONFIRMED = "result_confirmed"
    RESULT_STATED = "result_stated"
    RESULT_DISPUTED = "result_disputed"
    DISPUTE_DECIDED = "dispute_decided"
    REFEREE_CALLED = "referee_called"
    CALL_ANSWERED = "call_answered"
    TABLES_SET = "tables_set"
    TABLE_CODES_MADE = "table_codes_made"
    TABLE_CODES_REVOKED = "table_codes_revoked"
    POINTS_ADJUSTED = "points_adjusted"
    PENALTY_GIVEN = "penalty_given"
    PENALTY_CANCELLED = "penalty_cancelled"
    APPEAL_RECEIVED = "appeal_received"
    APPEAL_DECIDED = "appeal_decided"
    DRAW_KEPT = "draw_kept"
    MATCHES_VOIDED = "matches_voided"
    ROUND_CLOSED = "round_closed"
    ROUND_REOPENED = "round_reopened"
    SCREEN_SWITCHED = "screen_switched"
    SCREEN_ADDED = "screen_added"
    SCREEN_CHANGED = "screen_changed"
    SCREEN_REMOVED = "screen_removed"
    NOTICE_POSTED = "notice_posted"
    CEREMONY_STARTED = "ceremony_started"
    CEREMONY_SKIPPED = "ceremony_skipped"
    SNAPSHOT_TAKEN = "snapshot_taken"
    EVENT_RESTORED = "event_restored"
    EVENT_IMPORTED = "event_imported"
    EVENT_COPIED = "event_copied"
    BACKUP_FOLDER_SET = "backup_folder_set"
    BACKUP_MADE = "backup_made"
    BACKUP_RESTORED = "backup_restored"
    REHEARSAL_BEGUN = "rehearsal_begun"
    REHEARSAL_REMOVED = "rehearsal_removed"
    EVENT_ARCHIVED = "event_archived"
    EVENT_UNARCHIVED = "event_unarchived"


ACT_NAMES = {
    Act.EVENT_CREATED: _("event created"),
    Act.EVENT_CHANGED: _("event settings changed"),
    Act.RULES_CHANGED: _("rules changed"),
    Act.PRIZES_CHANGED: _("prizes changed"),
    Act.PRIZE_TIE_SETTLED: _("prizes of a shared rank settled"),
    Act.PRESET_KEPT: _("rules kept as a preset"),
    Act.PRESET_REMOVED: _("own preset removed"),
    Act.OFFICIALS_CHANGED: _("officials changed"),
    Act.USER_CREATED: _("user created"),
    Act.USER_CHANGED: _("user changed"),
    Act.ROSTER_IMPORTED: _("roster imported"),
    Act.TEAM_ADDED: _("team added"),
    Act.TEAM_CHANGED: _("team changed"),
    Act.TEAM_REMOVED: _("team removed"),
    Act.TEAM_WITHDRAWN: _("team withdrawn"),
    Act.TEAM_REINSTATED: _("team back in play"),
    Act.LINEUPS_GIVEN: _("line-ups given"),
    Act.SINGLES_CHANGED: _("single players changed"),
    Act.PARTNERS_DRAWN: _("partners drawn"),
    Act.PARTNERS_UNDONE: _("draw of partners undone"),
    Act.CHECK_IN_SWITCHED: _("check-in used or not"),
    Act.CHECK_IN_BEGUN_ANEW: _("check-in begun anew"),
    Act.TEAMS_CHECKED_IN: _("checked in"),
    Act.CHECK_IN_TAKEN_BACK: _("check-in taken back"),
    Act.TEAMS_ABSENT: _("absent"),
    Act.ABSENCE_ENDED: _("no longer absent"),
    Act.LATENESS_NOTED: _("lateness noted"),
    Act.ATTENDANCE_UNDONE: _("check-in act undone"),
    Act.PLAYER_REPLACED: _("player replaced"),
    Act.STAGE_ADDED: _("stage added"),
    Act.STAGE_CHANGED: _("stage changed"),
    Act.STAGE_REMOVED: _("stage removed"),
    Act.SESSIONS_SPLIT: _("each session made a stage"),
    Act.STAGE_BEGUN: _("stage begun"),
    Act.ENTRY_REPLACED: _("entry replaced"),
    Act.GROUP_ARRANGED: _("group: convenor and deadline set"),
    Act.GROUP_FINISHED: _("group ended"),
    Act.GROUP_REOPENED: _("group opened again"),
    Act.CUT_PASSED: _("corrected after the cut: others would advance"),
    Act.LOTS_DRAWN: _("lots drawn"),
    Act.ORDER_SETTLED: _("order of tied teams settled"),
    Act.ROUND_DRAWN: _("round drawn"),
    Act.DRAFT_CHANGED: _("draft changed by hand"),
    Act.DRAFT_DISCARDED: _("draft discarded"),
    Act.ROUND_PUBLISHED: _("round published"),
    Act.ROUND_OPENED: _("round opened to phones"),
    Act.NOTICE_ENDED: _("correction notice taken down"),
    Act.PUBLICATION_WITHDRAWN: _("publication withdrawn"),
    Act.CLOCK_STARTED: _("clock started"),
    Act.CLOCK_PAUSED: _("clock paused"),
    Act.CLOCK_RESUMED: _("clock resumed"),
    Act.CLOCK_EXTENDED: _("clock: minutes added"),
    Act.CLOCK_RESET: _("clock set back"),
    Act.RESULT_ENTERED: _("result entered"),
    Act.RESULT_CHANGED: _("result changed"),
    Act.RESULT_CLEARED: _("result cleared"),
    Act.RESULT_CONFIRMED: _("result confirmed"),
    Act.RESULT_STATED: _("result told on the phone"),
    Act.RESULT_DISPUTED: _("result does not agree"),
    Act.DISPUTE_DECIDED: _("disagreement decided"),
    Act.REFEREE_CALLED: _("referee called"),
    Act.CALL_ANSWERED: _("call seen by a referee"),
    Act.TABLES_SET: _("tables of the hall set"),
    Act.TABLE_CODES_MADE: _("new table codes"),
    Act.TABLE_CODES_REVOKED: _("table codes revoked"),
    Act.POINTS_ADJUSTED: _("points adjusted"),
    Act.PENALTY_GIVEN: _("penalty given"),
    Act.PENALTY_CANCELLED: _("penalty taken back"),
    Act.APPEAL_RECEIVED: _("appeal received"),
    Act.APPEAL_DECIDED: _("appeal decided"),
    Act.DRAW_KEPT: _("draw kept after a correction"),
    Act.MATCHES_VOIDED: _("matches that followed voided"),
    Act.ROUND_CLOSED: _("round closed"),
    Act.ROUND_REOPENED: _("round reopened"),
    Act.SCREEN_SWITCHED: _("projector switched"),
    Act.SCREEN_ADDED: _("screen set up"),
    Act.SCREEN_CHANGED: _("screen changed"),
    Act.SCREEN_REMOVED: _("screen removed"),
    Act.NOTICE_POSTED: _("notice put on the screens"),
    Act.CEREMONY_STARTED: _("tables put up one by one"),
    Act.CEREMONY_SKIPPED: _("putting up one by one ended early"),
    Act.SNAPSHOT_TAKEN: _("snapshot taken"),
    Act.EVENT_RESTORED: _("event restored"),
    Act.EVENT_IMPORTED: _("event file imported"),
    Act.EVENT_COPIED: _("event copied from another"),
    Act.BACKUP_FOLDER_SET: _("backup folder chosen"),
    Act.BACKUP_MADE: _("backup made"),
    Act.BACKUP_RESTORED: _("backup put back"),
    Act.REHEARSAL_BEGUN: _("rehearsal begun"),
    Act.REHEARSAL_REMOVED: _("rehearsal removed"),
    Act.EVENT_ARCHIVED: _("event archived"),
    Act.EVENT_UNARCHIVED: _("archived event opened again"),
}

COMMAND_LINE = pgettext_lazy("who acted", "command line")


def actor_name(user: User | None) -> str:
    """The name that stands in the log: full name, else account; empty for the command line."""
    return (user.get_full_name() or user.get_username()) if user else ""


def actor_words(name: str) -> str:
    """The stored name of whoever acted, as a page shows it: the command line in the reader's language."""
    return name or str(COMMAND_LINE)


def record_act(
    *,
    event: Event | None,
    act: Act,
    by: User | None,
    subject: str = "",
    old: Any = None,
    new: Any = None,
    reason: str = "",
    by_name: str = "",
) -> LogEntry:
    """Writes one log entry and raises the event's revision; call it inside the transaction. Two queries.

    `by_name` names who acted without an account: a table's phone.
    """
    if event is not None:
        Event.objects.filter(pk=event.pk).update(revision=F("revision") + 1)
    return LogEntry.objects.create(
        event=event,
        by=by,
        by_name=by_name[:150] or actor_name(by),
        act=act,
        subject=subject[:200],
        old=old,
        new=new,
        reason=reason[:400],
    )


class EventArchived(Exception):
    """The event is archived: it is only read until an administrator opens it again."""

    def __init__(self, event: Event) -> None:
        super().__init__(event.slug)
        self.event = event


def lock_event(event_id: int, *, even_archived: bool = False) -> Event:
    """The event's row, held until the transaction ends: official acts of one event come one after the other.

    PostgreSQL locks the row; on SQLite the IMMEDIATE transaction already holds the only write lock.
    Raises EventArchived, unless the act is about the archive itself.
    """
    event = Event.objects.select_for_update().get(pk=event_id)
    if event.archived_at is not None and not even_archived:
        raise EventArchived(event)
    return event
