"""The second look at results 复核: its rules, what was said beside a result, and what that makes of it."""

from __future__ import annotations

from scoring.engine.confirmation import ConfirmationRules
from scoring.engine.results import MatchResult
from scoring.engine.same_results import says_the_same
from scoring.models import Confirmation, Result, Speaker, Statement
from tournaments.models import Match, Stage

SIDES = (Speaker.HOME, Speaker.AWAY)


def confirmation_rules(stage: Stage) -> ConfirmationRules:
    """Who confirms the results of the event. One query beyond the first stage; raises InvalidRules."""
    first = stage if stage.order == 1 else stage.event.stages.order_by("order").first()
    return ConfirmationRules.from_dict(first.rules.get("confirmation", {}) if first else {})


def is_settled(result: Result) -> bool:
    """Whether the result is the chief referee's to change: confirmed, or in dispute. One query at most."""
    return result.is_confirmed or is_disputed(result.match_id)


def is_disputed(match_id: int) -> bool:
    """Whether somebody contradicts the result or the other side. One query."""
    return Statement.objects.filter(match=match_id, differs=True).exists()


def stated_result(statement: Statement) -> MatchResult | None:
    """What was said as the engine knows it; None for a bare “not right”. No query."""
    return None if statement.content is None else MatchResult.from_dict(statement.content)


def forget_statements(match: Match) -> None:
    """Everything said about the table goes: it is settled, or begins anew; the log keeps it."""
    Statement.objects.filter(match=match).delete()


def weigh_statements(match: Match, completed: MatchResult, rules: ConfirmationRules) -> Confirmation:
    """What a result confirms that is about to be written, in view of what the sides said before.

    What only spoke of the result before goes; a side that said something else is in dispute from now on.
    Where only teams confirm, a closed round's correction is the chief referee's word: their phones are over.
    No query where the event wants neither; else one, and a few more where somebody spoke.
    """
    if not rules.is_on and not rules.has_phones:
        return Confirmation.NOT_ASKED
    agreeing = {
        statement.speaker
        for statement in Statement.objects.filter(match=match)
        if _still_agrees(statement, completed)
    }
    if rules.phones_confirm and agreeing == set(SIDES):
        forget_statements(match)
        return Confirmation.PHONES
    if rules.is_on and match.is_closed and not rules.officials_confirm:
        return Confirmation.CHIEF
    return Confirmation.OPEN if rules.is_on else Confirmation.NOT_ASKED


def _still_agrees(statement: Statement, completed: MatchResult) -> bool:
    said = stated_result(statement)
    if said is None or statement.speaker == Speaker.OFFICIAL:
        statement.delete()
        return False
    agrees = says_the_same(completed, said)
    if statement.differs is agrees:
        Statement.objects.filter(pk=statement.pk).update(differs=not agrees)
    return agrees
