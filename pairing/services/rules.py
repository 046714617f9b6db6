"""规则: what the administrator changes in a stage's rules after the event was created."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from scoring.cuts import keep_what_was
from scoring.engine.outcomes import InvalidResult
from scoring.engine.points import match_points
from scoring.models import Outcome, Result
from scoring.ranked import scoring_rules
from scoring.selectors import entered_result
from tournaments.log import Act, lock_event, record_act
from tournaments.models import Stage


class ReasonMissing(Exception):
    """Results exist already, so the change must say why."""


class ResultsWithoutPoints(Exception):
    """Results give no points by the new rules: `tables` are their rounds and tables."""

    def __init__(self, tables: Sequence[tuple[int, int | None]]) -> None:
        super().__init__(tuple(tables))
        self.tables = tuple(tables)


def has_results(stage: Stage) -> bool:
    """Whether anything but a bye was entered in the stage. One query."""
    return Result.objects.filter(match__round__stage=stage).exclude(outcome=Outcome.BYE).exists()


@transaction.atomic
def change_rules(*, stage: Stage, rules: dict[str, Any], by: User, reason: str = "") -> Stage:
    """Stores new rules; standings follow at once because they are always computed.

    Raises ReasonMissing, and ResultsWithoutPoints where the new rules ask of results what nobody wrote down,
    such as the deals won.
    """
    event = lock_event(stage.event_id)
    stage = Stage.objects.get(pk=stage.pk)
    if has_results(stage) and not reason.strip():
        raise ReasonMissing(stage.pk)
    old, new = _differences(stage.rules, rules)
    if not new and not old:
        return stage
    _require_points(stage, rules)
    keep_what_was(stage, rules=stage.rules)
    stage.rules = rules
    stage.save(update_fields=["rules"])
    record_act(
        event=event, act=Act.RULES_CHANGED, by=by, subject=stage.name, old=old, new=new, reason=reason.strip()
    )
    return stage


def _require_points(stage: Stage, rules: dict[str, Any]) -> None:
    """One query."""
    scoring = scoring_rules(rules.get("scoring", {}), stage.format)
    results = Result.objects.filter(match__round__stage=stage).select_related("match__round")
    without = []
    for result in results.order_by("match__round__number", "match__table"):
        try:
            match_points(entered_result(result), scoring)
        except InvalidResult:
            without.append((result.match.round.number, result.match.table))
    if without:
        raise ResultsWithoutPoints(without)


def _differences(old: dict[str, Any], new: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Only the settings that differ, by their path, before and after."""
    before, after = _flat(old), _flat(new)
    changed = [path for path in {**before, **after} if before.get(path) != after.get(path)]
    return {path: before.get(path) for path in changed}, {path: after.get(path) for path in changed}


def _flat(rules: dict[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in rules.items():
        if isinstance(value, dict):
            flat |= {f"{name}.{inner}": inner_value for inner, inner_value in value.items()}
        else:
            flat[name] = value
    return flat
