"""竞赛规程: the rules of an event in plain words, from the same typed rules that draw, score and rank."""

from pairing.rulebook.chapters import Chapter, Part, event_chapters
from pairing.rulebook.points import PointsTable

__all__ = ["Chapter", "Part", "PointsTable", "event_chapters"]
