"""为什么是这一桌 in words that a player accepts: the rule, who was nearer, and what ruled each out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from pairing.bracket_texts import stage_round_name
from pairing.engine.types import FirstRound, Method, Note, NoteKind
from pairing.layouts import DrawnBy
from pairing.selectors.by_hand import reasons_told
from pairing.selectors.why import Origin, Why
from pairing.wording import broken_rule, numbers
from scoring.selectors import TeamStanding
from tournaments.models import Round, StageFormat

PASSED: dict[NoteKind, Callable[[], str]] = {
    NoteKind.MET: lambda: _("%(other)s: the two met in round %(round)s already."),
    NoteKind.SAME_DEPARTMENT: lambda: _("%(other)s: both belong to one department."),
    NoteKind.FORBIDDEN: lambda: _("%(other)s: the chief referee set that these two do not meet."),
    NoteKind.KEPT_FOR_FORCED: lambda: _("%(other)s: the chief referee set another opponent for it."),
    NoteKind.REST_IMPOSSIBLE: lambda: _(
        "%(other)s: then the teams below could not all get an opponent they may meet."
    ),
    NoteKind.LEAST_GAPS: lambda: _("%(other)s: then the gaps in rank over all tables would be larger."),
    NoteKind.BY_HAND: lambda: _("%(other)s: would have been next; the chief referee changed the tables."),
    NoteKind.MORE: lambda: _("And further teams, for reasons like these."),
}
ABOUT: dict[NoteKind, Callable[[], str]] = {
    NoteKind.FORCED: lambda: _("The chief referee set that these two meet."),
    NoteKind.UNAVOIDABLE_REMATCH: lambda: _(
        "These two met in round %(round)s already. Without a second meeting somewhere the round could not be "
        "drawn."
    ),
    NoteKind.UNAVOIDABLE_DEPARTMENT: lambda: _(
        "Both belong to one department. Without such a table somewhere the round could not be drawn."
    ),
    NoteKind.TABLE_TAKEN: lambda: _("Team %(team)s always sits at one table, but another team has it too."),
    NoteKind.TABLE_OUT: lambda: _("Team %(team)s always sits at one table, but that one may not be used."),
}
BYE: dict[NoteKind, Callable[[], str]] = {
    NoteKind.HAD_BYE: lambda: _("%(other)s: had a bye before."),
    NoteKind.KEPT_FOR_FORCED: lambda: _("%(other)s: the chief referee set an opponent for it."),
    NoteKind.REST_IMPOSSIBLE: lambda: _(
        "%(other)s: without it the other teams could not all get an opponent they may meet."
    ),
    NoteKind.BY_HAND: lambda: _("%(other)s: could have had it; the chief referee changed the tables."),
    NoteKind.MORE: lambda: _("And further teams, for reasons like these."),
}
"""Called late, so that the words come in the reader's language."""

FIRST_ROUNDS: dict[FirstRound, Callable[[], str]] = {
    FirstRound.RANDOM: lambda: _(
        "Round 1 is drawn by lot. The seed puts all teams into an order; going down it, each team meets the "
        "next one that it may meet."
    ),
    FirstRound.HALVES: lambda: _(
        "Round 1 goes by number: the first of the upper half meets the first of the lower half, and so on; "
        "where two may not meet, the nearest that may."
    ),
    FirstRound.ENTRY_ORDER: lambda: _(
        "Round 1 goes by number: going down the list, each team meets the next one that it may meet."
    ),
    FirstRound.SEEDED: lambda: _(
        "Round 1 goes by seed: the highest seed meets the lowest, the second the last but one, and so on; "
        "where two may not meet, the nearest that may."
    ),
}


def rule_sentence(why: Why) -> str:
    """How this round was drawn."""
    stage = why.round.stage
    if stage.format == StageFormat.ROUND_ROBIN:
        return _schedule_sentence(why)
    if stage.format == StageFormat.KNOCKOUT:
        return _bracket_sentence(why)
    if why.is_first:
        return FIRST_ROUNDS[why.rules.first_round]()
    facts = {"round": why.round.number - 1}
    if why.draw.method == Method.CLOSEST:
        return _("Drawn from the ranks after round %(round)s, so that all gaps in rank are smallest.") % facts
    return (
        _(
            "Drawn down the ranks after round %(round)s: each team meets the nearest one that it may meet, "
            "so that everybody below can still be paired."
        )
        % facts
    )


def _schedule_sentence(why: Why) -> str:
    facts = {"round": why.round.number, "group": why.match.group.title if why.match.group else ""}
    if why.match.group and len(why.round.stage.layout.get("groups", ())) > 1:
        return (
            _("The schedule of %(group)s has this match in round %(round)s; everybody there meets everybody.")
            % facts
        )
    return _("The schedule has this match in round %(round)s; everybody meets everybody.") % facts


def _bracket_sentence(why: Why) -> str:
    name = stage_round_name(why.round.stage, why.round.number) or _round(why.round)
    if why.draw.method == DrawnBy.LOTS:
        return _("%(name)s: the winners of the round before drew lots for their opponents.") % {"name": name}
    return _("%(name)s: the bracket, drawn before the stage began, says who meets whom.") % {"name": name}


def _round(round_: Round) -> str:
    return _("Round %(n)s") % {"n": round_.number}


def bye_sentence(why: Why) -> str:
    """Why this team has nobody to play."""
    if not why.is_swiss:
        return _("There is nobody for it in this round of schedule or bracket.")
    return _(
        "With an odd number one team has the bye: of those that had fewest byes so far the lowest placed, so "
        "that all others can be paired."
    )


def reasons(why: Why) -> list[str]:
    """The nearer opponents (or, for a bye, the teams nearer to it) and what ruled each out.

    None of a table that the chief changed: there the chief's reason is the only one.
    """
    if why.is_by_hand:
        return []
    words = BYE if why.away is None else PASSED
    notes = why.bye_notes if why.away is None else why.notes
    return [_filled(words, note, why) for note in notes if note.kind in words]


def about_table(why: Why) -> list[str]:
    """What is to be said of the table itself."""
    return list(_about(why))


def _about(why: Why) -> Iterator[str]:
    yield from (_filled(ABOUT, note, why) for note in why.notes if note.kind in ABOUT)
    said = {note.kind for note in why.notes}
    if not said & {NoteKind.UNAVOIDABLE_REMATCH, NoteKind.UNAVOIDABLE_DEPARTMENT}:
        for item in why.broken:
            first, second = (_number(why, team) for team in item.teams)
            yield broken_rule(replace(item, teams=(first, second))) + _(".")
    if why.lots:
        places = numbers(sorted(why.lots))
        yield _("Places in the order of the lots: %(places)s.") % {"places": places}
    if why.between:
        told = {"count": why.between}
        yield _("Teams ranked between the two that had an opponent already: %(count)s.") % told
    yield from (_origin(each) for each in why.origins)


def next_sentence(why: Why) -> str:
    """What is left to say where nobody nearer was passed over; empty where reasons are given."""
    if not why.is_swiss or why.away is None or why.second is None or reasons(why) or why.is_by_hand:
        return ""
    if any(note.kind is NoteKind.FORCED for note in why.notes):
        return ""
    return _("%(second)s was the first free team behind %(first)s that it may meet.") % {
        "first": why.first.team.number,
        "second": why.second.team.number,
    }


def _origin(origin: Origin) -> str:
    if origin.match is None:
        return _("Team %(team)s enters the bracket here.") % {"team": origin.team.number}
    facts = {
        "team": origin.team.number,
        "round": origin.match.round.number,
        "table": origin.match.table,
    }
    if origin.match.is_bye:
        return _("Team %(team)s had the bye in round %(round)s.") % facts
    if origin.match.table is None:
        return _("Team %(team)s comes from a match of round %(round)s that was not played.") % facts
    if origin.won:
        return _("Team %(team)s won at table %(table)s in round %(round)s.") % facts
    return _("Team %(team)s lost at table %(table)s in round %(round)s.") % facts


def _filled(words: dict[NoteKind, Callable[[], str]], note: Note, why: Why) -> str:
    other = why.standing(note.other)
    return words[note.kind]() % {
        "team": _number(why, note.team),
        "other": named(other, why) if other else note.other,
        "round": note.round,
    }


def named(place: TeamStanding, why: Why) -> str:
    """7 王伟 · 李芳 (rank 3, 45 points): a team with where it stood, once there are standings."""
    team = f"{place.team.number} {place.team.player_names}"
    if why.is_first:
        return team
    facts = {"team": team, "rank": place.rank, "points": place.points}
    return _("%(team)s (rank %(rank)s, %(points)s points)") % facts


def _number(why: Why, key: int | str) -> int | str:
    place = why.standing(key)
    return place.team.number if place else key


def by_hand_sentence(by_hand: Mapping[str, Any]) -> str:
    """2 桌经主裁判调整：…: how published tables differ from the engine's own draw, and why."""
    tables = by_hand.get("tables")
    if not tables:
        return ""
    reason = by_hand.get("reason") or _("no reason given")
    if by_hand.get("reasons"):
        reason = _("; ").join(
            _("tables %(tables)s: %(reason)s")
            % {"tables": numbers(each["tables"]), "reason": each["reason"] or _("no reason given")}
            for each in by_hand["reasons"]
        )
    return _("Changed by the chief referee at %(count)s tables (%(tables)s): %(reason)s") % {
        "count": len(tables),
        "tables": numbers(tables),
        "reason": reason,
    }


def table_by_hand_sentence(by_hand: Mapping[str, Any], table: int | None) -> str:
    """Why the chief changed this one table by hand."""
    own = (each["reason"] for each in reasons_told(by_hand) if table in each["tables"])
    reason = next(own, "") or _("no reason given")
    return _("The chief referee changed this table by hand: %(reason)s") % {"reason": reason}
