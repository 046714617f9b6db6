"""还能排几轮 in words."""

from __future__ import annotations

from django.utils.translation import gettext as _

from pairing.engine.forecast import Forecast


def forecast_sentence(found: Forecast) -> str:
    """How many further rounds can be drawn, and how sure that is."""
    facts = {"asked": found.asked, "expected": found.expected, "certain": found.certain}
    if found.certain >= found.asked:
        words = _("The %(asked)s rounds still to be drawn are all possible, whatever is played.")
    elif found.is_enough:
        words = _(
            "As things stand, the %(asked)s rounds still to be drawn are possible (certain: %(certain)s)."
        )
    else:
        words = _(
            "As things stand, %(expected)s more rounds can be drawn (certain: %(certain)s), but %(asked)s "
            "are still planned. Plan fewer rounds, or soften the rules in good time."
        )
    return words % facts
