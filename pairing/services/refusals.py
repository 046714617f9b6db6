"""Why an official's act on a round is refused: each carries the facts, the pages make the words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pairing.engine.types import Broken
from pairing.models import Publication
from tournaments.models import Round


class Refused(Exception):
    """An act that does not fit where the event stands; nothing was written."""


class StageNotDrawable(Refused):
    """The stage's format has no draw round by round."""

    def __init__(self, format: str) -> None:
        super().__init__(format)
        self.format = format


class DraftExists(Refused):
    """The round is drawn already, perhaps by somebody else a moment ago."""

    def __init__(self, round: Round) -> None:
        super().__init__(round.number)
        self.round = round


class EarlierRoundOpen(Refused):
    """The newest round is still being played."""

    def __init__(self, round: Round) -> None:
        super().__init__(round.number)
        self.round = round


class NoRoundsLeft(Refused):
    """All planned rounds are played."""

    def __init__(self, planned: int) -> None:
        super().__init__(planned)
        self.planned = planned


class TooFewTeams(Refused):
    """Fewer than two teams are still in play: their numbers."""

    def __init__(self, active: Sequence[int]) -> None:
        super().__init__(tuple(active))
        self.active = tuple(active)


class NotADraft(Refused):
    """The round is published (or closed), so its tables stand; `publication` says since when."""

    def __init__(self, round: Round, publication: Publication | None) -> None:
        super().__init__(round.number)
        self.round = round
        self.publication = publication


class DraftGone(Refused):
    """The draft was discarded meanwhile."""


class RoundGone(Refused):
    """The page named no round, or one that exists no more."""


class StaleDraft(Refused):
    """Somebody changed the draft after it was looked at: the changes since, oldest first."""

    def __init__(self, changes: Sequence[dict[str, Any]]) -> None:
        super().__init__(len(changes))
        self.changes = tuple(changes)


class DraftOutdated(Refused):
    """The roster changed after the draw: numbers of seated teams that left, and of teams without a seat."""

    def __init__(self, gone: Sequence[int], unseated: Sequence[int]) -> None:
        super().__init__(tuple(gone), tuple(unseated))
        self.gone = tuple(gone)
        self.unseated = tuple(unseated)


class NotTwoSeats(Refused):
    """The two teams do not sit at two different places of the draft."""


class UnconfirmedWarnings(Refused):
    """The change would break rules and nobody confirmed that: what it breaks, by team numbers."""

    def __init__(self, broken: Sequence[Broken]) -> None:
        super().__init__(len(broken))
        self.broken = tuple(broken)


class NotPublished(Refused):
    """The round is not being played."""

    def __init__(self, round: Round) -> None:
        super().__init__(round.number)
        self.round = round


class TablesHaveResults(Refused):
    """These tables have results, so their assignment cannot be taken back."""

    def __init__(self, tables: Sequence[int]) -> None:
        super().__init__(tuple(tables))
        self.tables = tuple(tables)


class ResultsMissing(Refused):
    """These tables have no result yet."""

    def __init__(self, tables: Sequence[int]) -> None:
        super().__init__(tuple(tables))
        self.tables = tuple(tables)


class NotClosed(Refused):
    """Only a closed round can be opened again."""


class LaterRoundExists(Refused):
    """A later round was drawn from this one's results."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class ReasonMissing(Refused):
    """The act needs a reason for the log."""
