"""Keeping the rules of an event as a preset for later events."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction

from tournaments.log import Act, lock_event, record_act
from tournaments.models import Event, OwnPreset
from tournaments.presets import preset_of_event


class NothingToKeep(Exception):
    """The event has no stage and so no rules."""


@transaction.atomic
def keep_preset(*, event: Event, name: str, summary: str, by: User | None) -> OwnPreset:
    """保存为我的模板: the event's rules, discipline and prizes under a name; the same name is replaced.

    Raises NothingToKeep.
    """
    event = lock_event(event.pk)
    preset = preset_of_event(event, name, summary)
    if not preset.stages:
        raise NothingToKeep(event.pk)
    values = {"summary": summary, "content": preset.content(), "kept_by": by}
    own, _created = OwnPreset.objects.update_or_create(name=name, defaults=values)
    record_act(event=event, act=Act.PRESET_KEPT, by=by, subject=name)
    return own


@transaction.atomic
def remove_preset(*, preset: OwnPreset, by: User | None) -> None:
    """The preset is offered no more; events made of it keep their rules."""
    name = preset.name
    preset.delete()
    record_act(event=None, act=Act.PRESET_REMOVED, by=by, subject=name)
