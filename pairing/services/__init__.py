"""Writes: one official's act per function, each locked, atomic and in the log."""

from pairing.services.ceremonies import publish_with_ceremony, skip_ceremony, start_ceremony
from pairing.services.corrections import end_notice, republish, swap_published
from pairing.services.drawing import (
    MeetingWish,
    discard_draft,
    draw_round,
    next_round_number,
    redraw_round,
    set_meeting,
    swap_teams,
)
from pairing.services.groups import Arrangement, arrange_group, finish_group, reopen_group
from pairing.services.halls import set_tables
from pairing.services.publishing import open_to_everybody, publish_round, withdraw_publication
from pairing.services.rounds import close_round, reopen_round
from pairing.services.schedules import publish_schedule
from pairing.services.screens import (
    ScreenSetup,
    ScreenShows,
    add_screen,
    change_screen,
    hold_screen,
    note_contact,
    pin_screen,
    post_notice,
    remove_screen,
    switch_screen,
    turn_screen,
)
from pairing.services.sessions import split_sessions
from pairing.services.stages import (
    add_stage,
    begin_stage,
    change_stage,
    draw_lots,
    move_stage,
    remove_stage,
    replace_entry,
    settle_order,
)
from pairing.services.tables import exchange_tables
from pairing.services.voiding import void_following

__all__ = [
    "Arrangement",
    "MeetingWish",
    "ScreenSetup",
    "ScreenShows",
    "add_screen",
    "add_stage",
    "arrange_group",
    "begin_stage",
    "change_screen",
    "change_stage",
    "close_round",
    "discard_draft",
    "draw_lots",
    "draw_round",
    "end_notice",
    "exchange_tables",
    "finish_group",
    "hold_screen",
    "move_stage",
    "next_round_number",
    "note_contact",
    "open_to_everybody",
    "pin_screen",
    "post_notice",
    "publish_round",
    "publish_schedule",
    "publish_with_ceremony",
    "redraw_round",
    "remove_screen",
    "remove_stage",
    "reopen_group",
    "reopen_round",
    "replace_entry",
    "republish",
    "set_meeting",
    "set_tables",
    "settle_order",
    "skip_ceremony",
    "split_sessions",
    "start_ceremony",
    "swap_published",
    "swap_teams",
    "switch_screen",
    "turn_screen",
    "void_following",
    "withdraw_publication",
]
