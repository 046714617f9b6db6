"""What is said when a result is corrected after a later stage took its entries."""

from __future__ import annotations

from django.utils.translation import gettext as _

from pairing.selectors.cuts import CutDifference
from pairing.wording import numbers


def cut_sentences(found: CutDifference) -> list[str]:
    """Plain sentences: who would advance now, which seeds would move, and that nothing moves by itself."""
    facts = {"stage": found.stage.name}
    if found.is_open:
        return [
            _("By these results teams are tied at the line of “%(stage)s”: who advances would be open.")
            % facts,
            _frozen(found),
        ]
    if not found.is_any:
        return [_("In “%(stage)s” the same teams advance with the same seeds.") % facts]
    told = []
    if found.into:
        teams = {"into": numbers(team.number for team in found.into)}
        teams["out"] = numbers(team.number for team in found.out)
        told.append(
            _("By these results %(into)s would have advanced to “%(stage)s” instead of %(out)s.")
            % (facts | teams)
        )
    told += [
        _("Seed %(seed)s of “%(stage)s” would be %(due)s, not %(entered)s.")
        % (facts | {"seed": each.seed, "due": each.due.number, "entered": each.entered.number})
        for each in found.changes
        if each.due is not None
        and each.entered is not None
        and not (each.due in found.into and each.entered in found.out)
    ]
    return [*told, _frozen(found)]


def _frozen(found: CutDifference) -> str:
    return _(
        "The seeds of “%(stage)s” are frozen and stay. The chief referee can replace an entry by hand, "
        "on the page of stages, before that team has played."
    ) % {"stage": found.stage.name}
