"""What officials do: one act per function, keyword-only, atomic, logged."""

from tournaments.services.events import appoint_official, change_event, create_event, remove_official
from tournaments.services.people import change_user, create_user
from tournaments.services.presets import keep_preset, remove_preset
from tournaments.services.prizes import change_prizes, settle_prize_tie
from tournaments.services.rosters import ImportOutcome, RosterClashes, RosterHasErrors, import_roster
from tournaments.services.teams import add_team, change_team, reinstate_team, remove_team, withdraw_team

__all__ = [
    "ImportOutcome",
    "RosterClashes",
    "RosterHasErrors",
    "add_team",
    "appoint_official",
    "change_event",
    "change_prizes",
    "change_team",
    "change_user",
    "create_event",
    "create_user",
    "import_roster",
    "keep_preset",
    "reinstate_team",
    "remove_official",
    "remove_preset",
    "remove_team",
    "settle_prize_tie",
    "withdraw_team",
]
