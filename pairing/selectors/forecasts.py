"""还能排几轮: how many further rounds of a Swiss stage can be drawn as things stand."""

from __future__ import annotations

from dataclasses import replace

from pairing.engine.forecast import Forecast, forecast
from pairing.engine.types import Entrant, Meeting
from pairing.selectors.inputs import draw_inputs, seating_of
from pairing.selectors.stages import awaits_beginning
from tournaments.models import Round, Stage, StageFormat
from tournaments.revisions import kept_for_revision

SEED = 1
"""Any would do: the same situation always gets the same forecast."""


def stage_forecast(stage: Stage) -> Forecast | None:
    """The rounds behind the newest one, a draft too; None where none is left or schedule or bracket decides.

    Computed once after each change of the event. Ten queries at most then.
    """
    if stage.format != StageFormat.SWISS or awaits_beginning(stage):
        return None
    return kept_for_revision(stage.event, ("forecast", stage.pk, None), lambda: _computed(stage))


def _computed(stage: Stage) -> Forecast | None:
    newest = stage.rounds.order_by("-number").first()
    played = newest.number if newest else 0
    asked = stage.rounds_planned - played
    inputs = draw_inputs(stage, played + 1)
    if asked < 1 or len(inputs.entrants) < 2:
        return None
    entrants, meetings = inputs.entrants, inputs.meetings
    if newest is not None and newest.is_draft:
        entrants, meetings = _as_if_played(newest, entrants, meetings)
    points = {entrant.id: inputs.places[str(entrant.id)].points for entrant in entrants}
    return forecast(entrants, meetings, inputs.rules, played=played, asked=asked, seed=SEED, points=points)


def _as_if_played(
    draft: Round, entrants: tuple[Entrant, ...], meetings: tuple[Meeting, ...]
) -> tuple[tuple[Entrant, ...], tuple[Meeting, ...]]:
    """A draft counts for nothing yet, but its tables are what will be played."""
    seating = seating_of(draft)
    met = tuple(Meeting(draft.number, home, away) for _table, home, away in seating.tables)
    free = {each.id: each.byes + (each.id in seating.byes) for each in entrants}
    return tuple(replace(each, byes=free[each.id]) for each in entrants), meetings + met
