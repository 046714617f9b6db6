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
from pairing.services.screens import ScreenShows, switch_screen

__all__ = [
    "MeetingWish",
    "ScreenShows",
    "close_round",
    "discard_draft",
    "draw_round",
    "next_round_number",
    "publish_round",
    "redraw_round",
    "reopen_round",
    "set_meeting",
    "swap_teams",
    "switch_screen",
    "withdraw_publication",
]
