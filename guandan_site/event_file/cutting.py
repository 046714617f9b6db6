"""事后更正: a document as it stood when a later stage, or a round, was made from it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from guandan_site.event_file import document as doc
from guandan_site.event_file.beginning import advancement
from guandan_site.event_file.computing import completed
from guandan_site.event_file.parsing_rounds import result_entry
from pairing.engine.advancing import Advancement
from pairing.layouts import LEFT, replacements
from scoring.cut_notes import AFTER_CUT, AFTER_DRAW


def advancement_at_cut(document: doc.EventDocument, stage: doc.StageEntry) -> Advancement:
    """Who had to advance into a stage that has begun. Raises LinesOpen, InvalidFormat, InvalidEventFile."""
    return advancement(completed(document_at_cut(document, stage)), stage)


def document_at_cut(document: doc.EventDocument, stage: doc.StageEntry) -> doc.EventDocument:
    """The document with every later correction undone, the last one first, and who left later in play."""
    stages = {each.id: each for each in document.stages}
    kept: Any = stage.layout.get(AFTER_CUT, [])
    for change in reversed(kept):
        source = stages.get(str(change.get("stage")))
        if source is not None:
            stages[source.id] = _undone(source, change)
    teams = tuple(_team_at_cut(team, stage) for team in document.teams)
    return replace(document, teams=teams, stages=tuple(stages[each.id] for each in document.stages))


def at_draw(
    document: doc.EventDocument, stage: doc.StageEntry, number: int
) -> tuple[doc.EventDocument, doc.StageEntry]:
    """What a Swiss round was drawn from: without what was corrected, and who left, since."""
    kept: Any = stage.layout.get(AFTER_DRAW, [])
    before = stage
    for change in reversed(kept):
        if change["drawn"] >= number:
            before = _undone(before, change)
    teams = tuple(
        team if team.has_left(number) else replace(team, withdrawn_after=None) for team in document.teams
    )
    return replace(document, teams=teams), before


def _team_at_cut(team: doc.TeamEntry, stage: doc.StageEntry) -> doc.TeamEntry:
    """Without a note of who had left, whoever entered had not."""
    entered = {*(stage.teams or ()), *(gone for gone, _ in replacements(stage.layout))}
    left = stage.layout.get(LEFT)
    has_left = team.id in left if isinstance(left, list) else team.id not in entered
    return team if has_left else replace(team, withdrawn_after=None)


def _undone(source: doc.StageEntry, change: Mapping[str, Any]) -> doc.StageEntry:
    if "lots" in change:
        return replace(source, lots=change["lots"])
    if "rules" in change:
        return replace(source, rules=change["rules"])
    if "penalty" in change:
        return _penalty_before(source, change)
    if "given" in change:
        return _without_adjustment(source, change)
    if "taken" in change:
        back = doc.AdjustmentEntry(str(change["team"]), int(change.get("round", 1)), int(change["taken"]))
        return replace(source, adjustments=(*source.adjustments, back))
    return replace(source, rounds=tuple(_round_before(each, change) for each in source.rounds))


def _without_adjustment(source: doc.StageEntry, change: Mapping[str, Any]) -> doc.StageEntry:
    """The newest adjustment that says the same, taken out."""
    kept = list(source.adjustments)
    for place in range(len(kept) - 1, -1, -1):
        each = kept[place]
        if (each.team, each.round, each.points) == (change["team"], change.get("round"), change["given"]):
            del kept[place]
            break
    return replace(source, adjustments=tuple(kept))


def _penalty_before(source: doc.StageEntry, change: Mapping[str, Any]) -> doc.StageEntry:
    """The penalty as it stood: not given yet, or not taken back yet. `penalty` is its place, from 1."""
    place = int(change["penalty"]) - 1
    if not 0 <= place < len(source.penalties):
        return source
    was = doc.Cancelled() if change.get("stood") is False else None
    penalty = replace(source.penalties[place], cancelled=was)
    return replace(source, penalties=(*source.penalties[:place], penalty, *source.penalties[place + 1 :]))


def _round_before(played: doc.RoundEntry, change: Mapping[str, Any]) -> doc.RoundEntry:
    if played.number != change.get("round"):
        return played
    return replace(played, matches=tuple(_match_before(each, change) for each in played.matches))


def _match_before(match: doc.MatchEntry, change: Mapping[str, Any]) -> doc.MatchEntry:
    if (match.home, match.away) != (change.get("home"), change.get("away")):
        return match
    was = change.get("was")
    return replace(match, result=result_entry(was) if was else None)
