"""Sentences about a stage's format: who enters, who meets whom, what becomes of a team that leaves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from pairing.beginnings import is_seeded_from_standings
from pairing.engine.knockout import BracketOrder, KnockoutRules, PlayedOut
from pairing.engine.types import PairingRules
from pairing.format_rules import EntryRules, RoundRobinRules, knockout_rules
from pairing.group_words import convenor_words, moment_words
from pairing.rulebook import words
from pairing.rulebook.sentences import joined
from pairing.selectors.groups import GroupState, group_states
from tournaments.models import Stage, StageFormat


def format_line(stage: Stage) -> str:
    """The format; only a Swiss stage has its number of rounds from the rules."""
    name = words.FORMATS[stage.format]
    if stage.format == StageFormat.SWISS:
        return _("%(format)s, %(count)d rounds.") % {"format": name, "count": stage.rounds_planned}
    if stage.format == StageFormat.ROUND_ROBIN:
        return _robin_line(RoundRobinRules.from_dict(stage.rules.get("format", {})), name)
    return _("%(format)s.") % {"format": name}


def _robin_line(robin: RoundRobinRules, name: str | Promise) -> str:
    whom = _("everybody meets everybody twice") if robin.double else _("everybody meets everybody once")
    if robin.groups == 1:
        return _("%(format)s: %(whom)s.") % {"format": name, "whom": whom}
    sentence = ngettext(
        "%(format)s in %(count)d group: %(whom)s.",
        "%(format)s in %(count)d groups: %(whom)s.",
        robin.groups,
    )
    return sentence % {"format": name, "count": robin.groups, "whom": whom}


def entry_lines(stage: Stage, stages: Sequence[Stage]) -> Iterator[str]:
    """Who enters a stage that follows another."""
    entry = EntryRules.from_dict(stage.rules.get("entry", {}))
    if entry.session:
        yield _("The teams of the session %(session)s enter.") % {"session": entry.session}
    if not entry.is_chained:
        return
    sources = [each for each in stages if each.key in entry.sources]
    yield _entry_line(entry, sources)
    if entry.best_next:
        yield _("Of those next behind, the best %(count)d enter too.") % {"count": entry.best_next}
    if entry.groups_apart and any(_group_count(each) > 1 for each in sources):
        yield _("Teams of one group meet again as late as possible.")
    if stage.rules["entry"].get("ties") == "extra_game":
        yield _("Teams level at the line play an extra game for it.")


def _entry_line(entry: EntryRules, sources: Sequence[Stage]) -> str:
    names = _(", ").join(each.name for each in sources)
    if any(_group_count(each) > 1 for each in sources):
        sentence = ngettext(
            "The best team of each group of %(stages)s enters.",
            "The best %(count)d of each group of %(stages)s enter.",
            entry.count,
        )
    elif len(sources) > 1:
        sentence = ngettext(
            "The winner of each of %(stages)s enters.",
            "The best %(count)d of each of %(stages)s enter.",
            entry.count,
        )
    else:
        sentence = ngettext(
            "The best team of %(stages)s enters.", "The best %(count)d of %(stages)s enter.", entry.count
        )
    return sentence % {"count": entry.count, "stages": names}


def _group_count(stage: Stage) -> int:
    if stage.format != StageFormat.ROUND_ROBIN:
        return 1
    return RoundRobinRules.from_dict(stage.rules.get("format", {})).groups


def pairing_lines(stage: Stage, stages: Sequence[Stage]) -> Iterator[str]:
    """Who meets whom; `stages` are all of the event, in order."""
    if stage.format == StageFormat.SWISS:
        yield from _swiss_lines(stage)
    elif stage.format == StageFormat.ROUND_ROBIN:
        yield from _round_robin_lines(stage)
    else:
        yield from _knockout_lines(stage, stages)
    withdrawal = stage.rules.get("withdrawal")
    if isinstance(withdrawal, str) and withdrawal in words.WITHDRAWALS:
        yield str(words.WITHDRAWALS[withdrawal])


def _swiss_lines(stage: Stage) -> Iterator[str]:
    pairing = PairingRules.from_dict(_section(stage.rules, "pairing"))
    yield str(words.FIRST_ROUNDS[pairing.first_round])
    if stage.rounds_planned > 1:
        yield str(words.METHODS[pairing.method])
        yield str(words.REMATCHES[pairing.rematch])
    yield str(words.SAME_DEPARTMENTS[pairing.same_department])
    yield _("With an odd number the bye goes to the lowest-ranked team that has had the fewest byes.")


def _round_robin_lines(stage: Stage) -> Iterator[str]:
    robin = RoundRobinRules.from_dict(_section(stage.rules, "format"))
    groups = group_states(stage) if stage.pk else ()
    if robin.groups > 1:
        yield str(words.GROUPINGS[robin.grouping])
    yield str(words.SCHEDULES[robin.schedule])
    if robin.deadline is not None:
        yield _("All matches are played by %(day)s.") % {"day": date_format(robin.deadline, "DATE_FORMAT")}
    elif robin.is_self_scheduled and not any(state.group.deadline for state in groups):
        yield _("The organiser sets the last day.")
    yield from _own_time_lines(groups)
    if robin.departments_first:
        yield _("Teams of one department meet in the first rounds.")
    if not robin.is_self_scheduled:
        yield _("With an odd number each team is free in one round.")


def _own_time_lines(groups: Sequence[GroupState]) -> Iterator[str]:
    """Who calls each group together, and its deadline where it has one of its own."""
    for state in groups:
        told = []
        if convenor := convenor_words(state.group):
            told.append(_("convenor %(who)s") % {"who": convenor})
        if state.group.deadline is not None:
            told.append(_("to be played by %(time)s") % {"time": moment_words(state.group.deadline)})
        if told:
            yield _("%(group)s: %(told)s.") % {"group": state.group.title, "told": _("; ").join(told)}


def _knockout_lines(stage: Stage, stages: Sequence[Stage]) -> Iterator[str]:
    entry = EntryRules.from_dict(_section(stage.rules, "entry"))
    knockout = knockout_rules(_section(stage.rules, "format"), is_chained=entry.is_chained)
    yield from _meeting_lines(entry, knockout, stages)
    entries = _entries(entry, stages)
    if entries.bit_count() != 1:
        yield str(words.BYES[knockout.byes])
    if knockout.played_out is not PlayedOut.TWO_THIRDS or not (entries == 2 or _leads_on(stage, stages)):
        yield str(words.PLAYED_OUT[knockout.played_out])
    yield _("There is no tie: somebody goes on.")


def _meeting_lines(entry: EntryRules, knockout: KnockoutRules, stages: Sequence[Stage]) -> Iterator[str]:
    """Who meets whom; where groups or the standings before say so, departments do not count."""
    groups = _groups_before(entry, stages)
    is_by_groups = entry.groups_apart and groups > 1
    is_by_ranks = entry.is_chained and is_seeded_from_standings(knockout)
    is_two_each = entry.count == 2 and not entry.best_next and groups.bit_count() == 1
    if is_by_groups and is_by_ranks and is_two_each:
        yield _("The first of each group meets the second of another; two of one group at most in the final.")
        return
    yield str(words.BRACKETS[knockout.order])
    if knockout.zones:
        yield _("Odd and even numbers are two halves; their winners play the final.")
    is_free = knockout.order is not BracketOrder.NUMBERS and not is_by_groups and not is_by_ranks
    if knockout.departments_apart and is_free:
        yield _("Teams of one department meet as late as possible.")


def _entries(entry: EntryRules, stages: Sequence[Stage]) -> int:
    """How many teams the rules let in; 0 where only the roster knows."""
    return entry.count * _groups_before(entry, stages) + entry.best_next


def _groups_before(entry: EntryRules, stages: Sequence[Stage]) -> int:
    """From how many groups, or standings without groups, the entries come."""
    return sum(_group_count(each) for each in stages if each.key in entry.sources)


def _leads_on(stage: Stage, stages: Sequence[Stage]) -> bool:
    """Whether a later stage takes its entries from this one."""
    return any(stage.key in EntryRules.from_dict(_section(each.rules, "entry")).sources for each in stages)


def _section(rules: Mapping[str, object], name: str) -> Mapping[str, object]:
    section = rules.get(name, {})
    return section if isinstance(section, Mapping) else {}


def occasion_lines(organiser: str, venue: str, starts_at: datetime | None) -> Iterator[str]:
    """Who invites, where and when, in one line."""
    told = []
    if organiser:
        told.append(_("Organiser: %(name)s.") % {"name": organiser})
    if venue:
        told.append(_("Venue: %(name)s.") % {"name": venue})
    if starts_at:
        when = date_format(timezone.localtime(starts_at), "DATETIME_FORMAT")
        told.append(_("Time: %(when)s.") % {"when": when})
    if told:
        yield joined(told)
