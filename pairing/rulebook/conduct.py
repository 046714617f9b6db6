"""Sentences about teams, cards, discipline and prizes: what the sheet states besides the stages' rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from pairing.rulebook import words
from pairing.rulebook.sentences import joined
from scoring.engine.confirmation import ConfirmationRules
from tournaments.discipline import Discipline
from tournaments.prizes import Tier


def team_lines(stated: Discipline) -> Iterator[str]:
    """Who may enter and how partners find each other."""
    if stated.players is not None:
        yield _players_line(stated)
    if stated.line_up:
        yield _("Two of them sit at the table; who does is named before each match.")
    yield from _department_lines(stated)
    if stated.partners is not None:
        yield str(words.PARTNERS[stated.partners])
    if stated.partners_from is not None:
        yield str(words.PARTNERS_FROM[stated.partners_from])
    if stated.sessions is not None:
        sentence = (
            _("%(count)d sessions; a person may enter several of them.")
            if stated.several_sessions
            else _("%(count)d sessions; a person may enter one of them only.")
        )
        yield sentence % {"count": stated.sessions}


def _players_line(stated: Discipline) -> str:
    facts = {"count": stated.players, "least": stated.players_least, "others": "".join(_others(stated))}
    if stated.players_least is None or stated.players_least == stated.players:
        return _("A team has %(count)d players%(others)s.") % facts
    return _("A team has %(least)d to %(count)d players%(others)s.") % facts


def _department_lines(stated: Discipline) -> Iterator[str]:
    if stated.department_teams is not None:
        yield _("A department enters at most %(count)d teams.") % {"count": stated.department_teams}
    if stated.department_persons is not None:
        yield _("A department enters at most %(count)d players.") % {"count": stated.department_persons}


def _others(stated: Discipline) -> Iterator[str]:
    if stated.leader:
        yield _(", a team leader")
    if stated.coach:
        yield _(", a coach")


def card_lines(stated: Discipline) -> Iterator[str]:
    """Tribute, first deal and cards to report."""
    if stated.first_deal is not None:
        yield str(words.FIRST_DEALS[stated.first_deal])
    tribute = joined(_tribute_sentences(stated))
    if tribute:
        yield tribute
    if stated.report_at is not None:
        yield _("With %(count)d cards or fewer left a player must say so.") % {"count": stated.report_at}


def _tribute_sentences(stated: Discipline) -> Iterator[str]:
    if stated.tribute is not None:
        yield _("Tribute is paid.") if stated.tribute else _("No tribute is paid.")
    if stated.tribute_return is not None:
        yield str(words.TRIBUTE_RETURNS[stated.tribute_return])
    if stated.big_jokers_exempt:
        yield _("Two big jokers exempt from tribute.")


def discipline_lines(stated: Discipline) -> Iterator[str]:
    """Being late, slow play, wrong cards, signals, signing and appeals."""
    if stated.every_round:
        yield _("Every round must be played; who misses one has no claim to another match.")
    yield from late_lines(stated)
    if stated.calls:
        yield _("The referee calls half time and the last five minutes.")
    if stated.slow_seconds is not None:
        sentence = _("A card is played within %(seconds)d seconds: a warning, a second warning, then out.")
        yield sentence % {"seconds": stated.slow_seconds}
    if stated.wrong_cards_levels is not None:
        sentence = ngettext(
            "Hidden or missing cards: the opponents rise %(count)d level and lead.",
            "Hidden or missing cards: the opponents rise %(count)d levels and lead.",
            stated.wrong_cards_levels,
        )
        yield sentence % {"count": stated.wrong_cards_levels}
    yield from _conduct_lines(stated)
    yield from stated.notes


def late_lines(stated: Discipline) -> Iterator[str]:
    """What coming late costs."""
    if stated.late_levels is not None:
        sentence = ngettext(
            "Whoever is late starts against opponents %(count)d level higher.",
            "Whoever is late starts against opponents %(count)d levels higher.",
            stated.late_levels,
        )
        yield sentence % {"count": stated.late_levels}
    if stated.late_minutes == 0:
        yield _("Whoever is not there at the start forfeits.")
    elif stated.late_minutes is not None:
        yield _("Whoever is more than %(minutes)d minutes late forfeits.") % {"minutes": stated.late_minutes}


def confirmation_lines(rules: ConfirmationRules) -> Iterator[str]:
    """Who confirms a result, and what the table's phone page is for, in one sentence."""
    said = words.CONFIRMED_BY.get(rules.by)
    if said is not None:
        yield str(said)
    elif rules.phones_enter:
        yield _("Both teams may enter the result on their table’s phone page.")


def _conduct_lines(stated: Discipline) -> Iterator[str]:
    if stated.signals is not None:
        yield str(words.SIGNALS[stated.signals])
    if stated.player_change is not None:
        yield str(words.PLAYER_CHANGES[stated.player_change])
    if stated.signatures is not None:
        yield str(words.SIGNATURES[stated.signatures])
    if stated.appeal_minutes is not None:
        yield _("Appeals go to the chief referee within %(minutes)d minutes of the end of the match.") % {
            "minutes": stated.appeal_minutes
        }


def prize_lines(tiers: Sequence[Tier]) -> Iterator[str]:
    """One sentence a tier, those without a prize of their own in one line."""
    told = [{"places": places(tier), "name": tier.name, "prize": tier.prize} for tier in tiers]
    if any(tier.prize for tier in tiers):
        for each in told:
            yield (
                _("%(places)s: %(name)s, %(prize)s.") if each["prize"] else _("%(places)s: %(name)s.")
            ) % each
    elif tiers:
        yield joined(_("%(places)s: %(name)s.") % each for each in told)


def places(tier: Tier) -> str:
    """The places of a tier: 第 1 名, 第 2–4 名, 第 9 名起."""
    if tier.last is None:
        return _("From place %(first)d") % {"first": tier.first}
    if tier.last == tier.first:
        return _("Place %(first)d") % {"first": tier.first}
    return _("Places %(first)d–%(last)d") % {"first": tier.first, "last": tier.last}
