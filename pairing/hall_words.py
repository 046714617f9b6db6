"""The hall's tables in words: what a change of them does, before it is done."""

from __future__ import annotations

from django.utils.translation import gettext as _

from pairing.selectors.halls import HallPreview, RoundMoves
from pairing.wording import numbers
from tournaments.models import Round


def hall_sentences(preview: HallPreview) -> list[tuple[bool, str]]:
    """Everything to be known, each with whether it is a warning."""
    return [
        *((warns, text) for each in preview.rounds for warns, text in _of_round(each)),
        *(
            (
                True,
                _("“%(one)s” and “%(other)s” would both use tables %(first)s to %(last)s.")
                % {"one": one.name, "other": other.name, "first": first, "last": last},
            )
            for one, other, first, last in preview.overlaps
        ),
        *(
            (
                True,
                _("“%(stage)s” needs %(needed)s tables, only %(there)s may be used.")
                % {"stage": each.stage.name, "needed": each.needed, "there": each.there},
            )
            for each in preview.shortages
        ),
        *(
            (
                True,
                _("Team %(team)s always sits at table %(table)s, which “%(stage)s” may not use.")
                % {"team": team.number, "table": team.fixed_table, "stage": stage.name},
            )
            for team, stage in preview.astray
        ),
    ]


def _of_round(found: RoundMoves) -> list[tuple[bool, str]]:
    said = []
    for move in found.moves:
        facts = {
            "round": _round_name(found.round),
            "table": move.match.table,
            "home": move.match.home.number,
            "away": move.match.away.number if move.match.away else "",
            "to": move.to,
        }
        if move.to is None:
            text = _("%(round)s: no table is free for %(home)s – %(away)s, now at table %(table)s.")
        else:
            text = _("%(round)s: %(home)s – %(away)s moves from table %(table)s to table %(to)s.")
        said.append((move.to is None, text % facts))
    if found.begun:
        tables = numbers(match.table or 0 for match in found.begun)
        stays = _("%(round)s: play is recorded at tables %(tables)s already; these matches stay there.")
        said.append((True, stays % {"round": _round_name(found.round), "tables": tables}))
    return said


def _round_name(round_: Round) -> str:
    return _("%(stage)s, round %(number)s") % {"stage": round_.stage.name, "number": round_.number}
