"""What was worked out from an event, kept in this process while the event's revision stands.

Every official act raises the revision in its own transaction (`tournaments.log.record_act`), so what is kept
can be older than the database only by the length of the request that asks. Standings are still computed from
results each time something changed; a hall full of phones does not make every one of them compute it again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, TypeVar

from tournaments.models import Event

Made = TypeVar("Made")
MOST_KEPT = 64
_kept: OrderedDict[tuple[Hashable, ...], Any] = OrderedDict()
_lock = Lock()
"""Between the threads of a process: held for the look only, two of them may work the same thing out."""


def kept_for_revision(event: Event, what: tuple[Hashable, ...], make: Callable[[], Made]) -> Made:
    """What `make` gives for this event and revision, made once; treat it as read-only."""
    key = (event.pk, event.revision, *what)
    with _lock:
        if key in _kept:
            kept: Made = _kept[key]
            return kept
    made = make()
    with _lock:
        _kept[key] = made
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)
    return made


def forget_all() -> None:
    """Empties the memory, for tests that use one event's number again."""
    _kept.clear()
