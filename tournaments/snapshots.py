"""存档点: the whole event as it stands, kept before acts that could not be undone otherwise.

A snapshot holds every row that belongs to the event, found by following the database's own relations, so a
model added later is in it without anybody remembering to. Restoring puts these rows back under the same ids;
the log, the snapshots themselves and who officiates stay as they are, and models that say `survives_restore`,
such as the projectors that hang in the hall and the codes that lie printed on the tables.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import cast

from django.contrib.auth.models import User
from django.core import serializers
from django.db import models, transaction
from django.db.models import Model
from django.db.models.deletion import get_candidate_relations_to_delete
from django.utils.timezone import localtime

from tournaments.log import Act, actor_name, lock_event, record_act
from tournaments.models import Event, LogEntry, Occasion, Official, Snapshot

KEPT_AS_THEY_ARE: tuple[type[Model], ...] = (LogEntry, Snapshot, Official)


class SnapshotOfAnotherEvent(Exception):
    """The snapshot does not belong to the event that was to be restored."""


def take_snapshot(*, event: Event, by: User | None, occasion: Occasion) -> Snapshot:
    """Keeps the event as it stands now; call it inside the act's transaction, before the act."""
    rows = [row for model_rows in _rows_of(event) for row in model_rows]
    text = serializers.serialize("json", rows)
    return Snapshot.objects.create(
        event=event, by_name=actor_name(by), occasion=occasion, content=zlib.compress(text.encode())
    )


@transaction.atomic
def take_snapshot_now(*, event: Event, by: User | None) -> Snapshot:
    """An official keeps the event as it stands, for no other act's sake."""
    locked = lock_event(event.pk)
    snapshot = take_snapshot(event=locked, by=by, occasion=Occasion.BY_HAND)
    record_act(event=locked, act=Act.SNAPSHOT_TAKEN, by=by)
    return snapshot


@transaction.atomic
def restore_snapshot(*, event: Event, snapshot: Snapshot, by: User | None, reason: str) -> Event:
    """Puts the event back to a snapshot, after keeping the present state in another one.

    Its address stays: another event may have the one of then, and it is printed on the paper of now.
    """
    if snapshot.event_id != event.pk:
        raise SnapshotOfAnotherEvent(snapshot.pk)
    locked = lock_event(event.pk)
    take_snapshot(event=locked, by=by, occasion=Occasion.BEFORE_RESTORE)
    for model_rows in reversed(_rows_of(locked)[1:]):
        _delete(model_rows)
    _put_back(snapshot, locked)
    # The revision never goes back: a page cached meanwhile must not come alive again.
    Event.objects.filter(pk=locked.pk).update(revision=locked.revision)
    record_act(
        event=locked,
        act=Act.EVENT_RESTORED,
        by=by,
        subject=f"{localtime(snapshot.at):%F %T}",
        new={"occasion": snapshot.occasion},
        reason=reason,
    )
    return Event.objects.get(pk=locked.pk)


def _put_back(snapshot: Snapshot, event: Event) -> None:
    text = zlib.decompress(bytes(snapshot.content)).decode()
    for stored in serializers.deserialize("json", text):
        if isinstance(stored.object, Event):
            stored.object.slug = event.slug
        # A snapshot may be older than the promise that the model's rows survive.
        if not _is_kept_as_it_is(type(stored.object)):
            stored.save()


def _delete(rows: Iterable[Model]) -> None:
    rows = list(rows)
    if rows:
        manager = type(rows[0])._default_manager
        manager.filter(pk__in=[row.pk for row in rows])._raw_delete(using="default")


def _rows_of(event: Event) -> list[list[Model]]:
    """The event's rows, model by model, each model after those it depends on. One query per relation."""
    found: dict[type[Model], dict[object, Model]] = {Event: {event.pk: event}}
    frontier: list[type[Model]] = [Event]
    while frontier:
        parent = frontier.pop(0)
        for child, field in _children(parent):
            rows = child._default_manager.filter(**{f"{field}__in": list(found[parent])}).order_by("pk")
            new = {row.pk: row for row in rows if row.pk not in found.get(child, {})}
            if new:
                found.setdefault(child, {}).update(new)
                frontier.append(child)
    return [list(found[model].values()) for model in _in_order_of_dependence(list(found))]


def _children(model: type[Model]) -> list[tuple[type[Model], str]]:
    """Models with the foreign key that points at the model; many-to-many ids are serialised with the row."""
    relations = cast(list[models.ForeignObjectRel], get_candidate_relations_to_delete(model._meta))
    pointing = [(relation.related_model, relation.field.name) for relation in relations]
    return [
        (child, field)
        for child, field in pointing
        if not _is_kept_as_it_is(child) and not child._meta.auto_created
    ]


def _is_kept_as_it_is(model: type[Model]) -> bool:
    return model in KEPT_AS_THEY_ARE or getattr(model, "survives_restore", False)


def _in_order_of_dependence(found: list[type[Model]]) -> list[type[Model]]:
    """Models so that each comes after every model its foreign keys point at."""
    ordered: list[type[Model]] = []
    waiting = list(found)
    while waiting:
        ready = [model for model in waiting if not (_parents(model) & set(waiting) - {model})]
        ordered += ready
        waiting = [model for model in waiting if model not in ready]
    return ordered


def _parents(model: type[Model]) -> set[type[Model]]:
    return {field.related_model for field in model._meta.fields if field.is_relation and field.related_model}
