"""还能排几轮 of an event that is only planned: so many teams, so many of them of one department."""

from __future__ import annotations

from functools import lru_cache

from pairing.engine.forecast import Forecast, forecast
from pairing.engine.types import Entrant, PairingRules

SEED = 1
MOST_TEAMS = 600
"""Playing a larger field by chance takes longer than somebody waits for a page; little stands in its way."""


@lru_cache(maxsize=64)
def planned_forecast(teams: int, department: int, rounds: int) -> Forecast | None:
    """How many of the planned Swiss rounds can be drawn where nobody meets twice, nor the own department.

    Only the largest department is known, so all other teams may meet. None for a field that is too large.
    """
    if teams > MOST_TEAMS:
        return None
    field = [
        Entrant(id=number, number=number, rank=number, department=1 if number <= department else None)
        for number in range(1, teams + 1)
    ]
    return forecast(field, (), PairingRules(), played=0, asked=rounds, seed=SEED)
