"""Reads: penalties as pages and papers tell them, and what the rules propose next."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.engine.penalties import WITHOUT_EFFECT, PenaltyAction, PenaltyRule
from scoring.models import Adjustment, Appeal, Penalty
from scoring.penalty_ladders import Proposal, next_rung
from scoring.rulings import levels_words
from scoring.wording import level_text
from tournaments.models import Event, Match, RoundStatus, Stage, Team
from tournaments.selectors.entries import stated_rules
from tournaments.selectors.stages import current_of, event_stages, newest_seen


@dataclass(frozen=True)
class TableOfTeam:
    """Where the team plays the round, so that a handicap or a forfeit can be entered there."""

    match: Match
    is_home: bool


@dataclass(frozen=True)
class Rung:
    """What the rules propose, with what stands already: `before` are the penalties by the same rule."""

    proposal: Proposal
    before: tuple[Penalty, ...]
    table: TableOfTeam | None
    handicap_level: str = ""
    """At which level the opponents begin, in symbols; empty without a handicap."""


@dataclass(frozen=True)
class CountedNote:
    """What was ruled beside the points that were played: -2 points, opponents +3 levels."""

    team: Team
    round: int
    effect: str
    reason: str

    @property
    def words(self) -> str:
        """A sentence: 12 号队：第 2 轮 −2 分（慢打）."""
        facts = {"team": self.team.number, "round": self.round, "effect": self.effect, "reason": self.reason}
        return _("Team %(team)s: round %(round)s %(effect)s (%(reason)s)") % facts


@dataclass(frozen=True)
class StagesAtHand:
    """The stages that somebody can be penalised in or appeal about, with the one that is meant unless said.

    `newest` is the number of its newest published round, 1 before the first.
    """

    stages: tuple[Stage, ...]
    present: Stage
    newest: int


def stages_at_hand(event: Event) -> StagesAtHand | None:
    """The stages that have begun, else the first; None for an event without stages. Two queries."""
    stages = event_stages(event)
    present = current_of(stages)
    if present is None:
        return None
    begun = tuple(each for each in stages if each.has_begun) or (present,)  # type: ignore[attr-defined]
    return StagesAtHand(begun, present, max(newest_seen(present), 1))


def event_penalties(event: Event) -> list[Penalty]:
    """All penalties of the event, the newest first. Two queries."""
    rows = Penalty.objects.filter(stage__event=event).select_related("stage", "team__department")
    return list(rows.prefetch_related("team__players").order_by("-pk"))


def bare_adjustments(event: Event) -> list[Adjustment]:
    """Points that came with an event file without a penalty. Two queries."""
    rows = Adjustment.objects.filter(stage__event=event, penalty=None)
    return list(rows.select_related("stage", "team__department").prefetch_related("team__players"))


def counted_notes(stage: Stage, last_round: int) -> list[CountedNote]:
    """What counts in the standings up to a round beside what was played, in order of rounds. Two queries.

    Points of an event file that no penalty stands behind are told too.
    """
    last = max(last_round, 1)
    rows = Penalty.objects.filter(stage=stage, cancelled_at=None, round_number__lte=last)
    told = [
        CountedNote(each.team, each.round_number, effect_words(each.action, each.amount), each.reason)
        for each in rows.exclude(action__in=WITHOUT_EFFECT).select_related("team").order_by("pk")
    ]
    bare = Adjustment.objects.filter(stage=stage, penalty=None, round_number__lte=last)
    told += [
        CountedNote(each.team, each.round_number, effect_words("points", each.points), each.reason)
        for each in bare.select_related("team")
    ]
    return sorted(told, key=lambda each: (each.round, each.team.number))


def team_penalties(team: Team, stage: Stage) -> list[Penalty]:
    """The team's penalties of the stage, cancelled ones too, in order of rounds. One query."""
    return list(Penalty.objects.filter(team=team, stage=stage).order_by("round_number", "pk"))


def team_appeals(team: Team, stage: Stage) -> list[Appeal]:
    """The team's appeals of the stage, in order of rounds. One query."""
    return list(Appeal.objects.filter(team=team, stage=stage).order_by("round_number", "pk"))


def rung(stage: Stage, team: Team, round_number: int, rule: PenaltyRule, minutes: int | None) -> Rung:
    """What the event's rules propose for a team that broke one of them. Four queries at most."""
    standing = Penalty.objects.filter(stage__event=stage.event_id, team=team, rule=rule.value)
    before = tuple(standing.filter(cancelled_at=None).order_by("pk"))
    actions = [PenaltyAction(each.action) for each in before]
    proposal = next_rung(rule, stated_rules(stage.event), actions, minutes)
    table = _table_of(stage, team, round_number)
    level = start_level(stage) + proposal.handicap if proposal.handicap else None
    return Rung(proposal, before, table, level_text(level))


def start_level(stage: Stage) -> int:
    """The level at which every side begins. No query."""
    level = stage.rules.get("match", {}).get("start_level", 2)
    return int(level)


def _table_of(stage: Stage, team: Team, number: int) -> TableOfTeam | None:
    rows = Match.objects.filter(round__stage=stage, round__number=number, seats__team=team)
    rows = rows.exclude(round__status=RoundStatus.DRAFT).filter(table__isnull=False)
    match = rows.select_related("home", "away", "round").first()
    return TableOfTeam(match, match.home_id == team.pk) if match else None


def effect_words(action: PenaltyAction | str, amount: int) -> str:
    """What a penalty does: 警告, 对方 +3 级, −2 分."""
    action = PenaltyAction(action)
    if action is PenaltyAction.LEVELS:
        return _("own side %(levels)s") % {"levels": levels_words(amount)}
    if action is PenaltyAction.OPPONENT_LEVELS:
        return _("opponents %(levels)s") % {"levels": levels_words(amount)}
    if action is PenaltyAction.POINTS:
        return ngettext("%(points)+d point", "%(points)+d points", abs(amount)) % {"points": amount}
    return {
        PenaltyAction.NOTE: _("note, without consequence"),
        PenaltyAction.WARNING: _("warning"),
        PenaltyAction.MATCH_LOST: _("match lost"),
        PenaltyAction.BOTH_ZERO: _("nothing for both"),
        PenaltyAction.DISQUALIFIED: _("disqualified"),
    }[action]


def before_words(before: Iterable[Penalty]) -> str:
    """What the team has by the same rule already: 警告（第 1 轮）、警告（第 2 轮）."""
    told = [
        _("%(effect)s (round %(round)s)")
        % {"effect": effect_words(each.action, each.amount), "round": each.round_number}
        for each in before
    ]
    return _(", ").join(told)
