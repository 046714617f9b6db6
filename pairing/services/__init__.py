"""Writes: one official's act per function, each locked, atomic and in the log."""

from pairing.services.drawing import (
    MeetingWish,
    discard_draft,
    draw_round,
    next_round_number,
    redraw_round,
    set_meeting,
    swap_teams,
)
from pairing.services.publishing import publish_round, withdraw_publication
from pairing.services.rounds import close_round, reopen_round
from pairing.services.schedules import publish_schedule
from pairing.services.screens import ScreenShows, switch_screen
from pairing.services.stages import (
    add_stage,
    begin_stage,
    change_stage,
    draw_lots,
    remove_stage,
    replace_entry,
    settle_order,
)
from pairing.services.voiding import void_following

__all__ = [
    "MeetingWish",
    "ScreenShows",
    "add_stage",
    "begin_stage",
    "change_stage",
    "close_round",
    "discard_draft",
    "draw_lots",
    "draw_round",
    "next_round_number",
    "publish_round",
    "publish_schedule",
    "redraw_round",
    "remove_stage",
    "reopen_round",
    "replace_entry",
    "set_meeting",
    "settle_order",
    "swap_teams",
    "switch_screen",
    "void_following",
    "withdraw_publication",
]
