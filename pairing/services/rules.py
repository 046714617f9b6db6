"""规则: what the administrator changes in a stage's rules after the event was created."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from scoring.models import Outcome, Result
from tournaments.log import Act, lock_event, record_act
from tournaments.models import Stage


class ReasonMissing(Exception):
    """Results exist already, so the change must say why."""


def has_results(stage: Stage) -> bool:
    """Whether anything but a bye was entered in the stage. One query."""
    return Result.objects.filter(match__round__stage=stage).exclude(outcome=Outcome.BYE).exists()


@transaction.atomic
def change_rules(*, stage: Stage, rules: dict[str, Any], by: User, reason: str = "") -> Stage:
    """Stores new rules; standings follow at once because they are always computed. Raises ReasonMissing."""
    event = lock_event(stage.event_id)
    stage = Stage.objects.get(pk=stage.pk)
    if has_results(stage) and not reason.strip():
        raise ReasonMissing(stage.pk)
    old, new = _differences(stage.rules, rules)
    if not new and not old:
        return stage
    stage.rules = rules
    stage.save(update_fields=["rules"])
    record_act(
        event=event, act=Act.RULES_CHANGED, by=by, subject=stage.name, old=old, new=new, reason=reason.strip()
    )
    return stage


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
