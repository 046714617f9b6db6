"""还能排几轮 in words."""

from __future__ import annotations

from django.utils.translation import gettext as _

from pairing.engine.forecast import Forecast


def tried_sentence(found: Forecast) -> str:
    """How many of the rounds that are planned could be drawn where the day was played by chance."""
    if found.is_enough:
        words = _("Played through with chance results: all %(asked)s rounds could be drawn every time.")
    else:
        words = _(
            "Played through with chance results: only %(expected)s of the %(asked)s rounds could be drawn "
            "every time. Plan fewer rounds, or let the rules give way where it cannot be avoided."
        )
    return words % {"asked": found.asked, "expected": found.expected}


def forecast_sentence(found: Forecast) -> str:
    """How many further rounds can be drawn, and how sure that is."""
    facts = {"asked": found.asked, "expected": found.expected, "certain": found.certain}
    if found.certain >= found.asked:
        words = _("The %(asked)s rounds still to be drawn are all possible, whatever is played.")
    elif found.is_enough:
        words = _(
            "As things stand, the %(asked)s rounds still to be drawn are possible (certain: %(certain)s)."
        )
    elif not found.expected:
        words = _(
            "As things stand, no further round can be drawn, but %(asked)s are still planned. Plan fewer "
            "rounds, or soften the rules."
        )
    else:
        words = _(
            "As things stand, %(expected)s more rounds can be drawn (certain: %(certain)s), but %(asked)s "
            "are still planned. Plan fewer rounds, or soften the rules in good time."
        )
    return words % facts
