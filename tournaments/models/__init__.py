"""Events, rosters, rounds and the log.

Facts that carry a promise are database constraints, since SQLite and PostgreSQL both keep those.
"""

from tournaments.models.events import Audience, Event, Extra, Official, OwnPreset, Presence
from tournaments.models.play import (
    Clock,
    Group,
    Match,
    Round,
    RoundStatus,
    Seat,
    Stage,
    StageEntry,
    StageFormat,
)
from tournaments.models.records import BackupPlan, LogEntry, Occasion, Snapshot
from tournaments.models.rosters import (
    NAME_LENGTH,
    Department,
    PartnerDraw,
    Player,
    PlayerRole,
    Sex,
    Single,
    Team,
)

__all__ = [
    "NAME_LENGTH",
    "Audience",
    "BackupPlan",
    "Clock",
    "Department",
    "Event",
    "Extra",
    "Group",
    "LogEntry",
    "Match",
    "Occasion",
    "Official",
    "OwnPreset",
    "PartnerDraw",
    "Player",
    "PlayerRole",
    "Presence",
    "Round",
    "RoundStatus",
    "Seat",
    "Sex",
    "Single",
    "Snapshot",
    "Stage",
    "StageEntry",
    "StageFormat",
    "Team",
]
