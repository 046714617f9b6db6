"""The engine's reasons as they are stored beside a draw, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pairing.engine.tables import ALL_TABLES, Tables
from pairing.engine.types import Broken, Draw, Note, NoteKind, Proof


@dataclass(frozen=True)
class Explained:
    """What was noted when the round was drawn, by table; teams by their key."""

    tables: Mapping[int, tuple[Note, ...]]
    bye: tuple[Note, ...]
    proof: Proof | None


def explained_as_dict(drawn: Draw) -> dict[str, Any]:
    """Plain JSON values of a draw's notes, broken rules and proof."""
    proof = drawn.proof
    return {
        "tables": {
            str(match.table): [_note_as_dict(note) for note in match.notes] for match in drawn.matches
        },
        "bye": [_note_as_dict(note) for note in drawn.bye_notes],
        "broken": broken_as_dicts(drawn.broken),
        "proof": proof and {"sum_of_squares": proof.sum_of_squares, "lower_bound": proof.lower_bound},
    }


def explained_from_dict(stored: Mapping[str, Any]) -> Explained:
    """The notes of a stored draw; an empty record has none."""
    tables = stored.get("tables", {}).items()
    proof = stored.get("proof")
    return Explained(
        tables={int(table): _notes(notes) for table, notes in tables},
        bye=_notes(stored.get("bye", [])),
        proof=Proof(**proof) if proof else None,
    )


def broken_as_dicts(broken: Sequence[Broken]) -> list[dict[str, Any]]:
    """Broken rules as plain JSON values."""
    return [{"rule": item.rule.value, "teams": list(item.teams), "round": item.round} for item in broken]


def tables_as_dict(hall: Tables) -> dict[str, Any]:
    """The table numbers that a round could have, as plain JSON values; empty for 1, 2, 3 …"""
    stated = {"first": hall.first, "last": hall.last, "without": sorted(hall.without)}
    return {} if hall == ALL_TABLES else stated


def tables_from_dict(stored: Mapping[str, Any]) -> Tables:
    """The table numbers that a stored draw could use."""
    return Tables(stored.get("first", 1), stored.get("last"), frozenset(stored.get("without", ())))


def _note_as_dict(note: Note) -> dict[str, Any]:
    return {"kind": note.kind.value, "team": note.team, "other": note.other, "round": note.round}


def _notes(stored: Sequence[Mapping[str, Any]]) -> tuple[Note, ...]:
    return tuple(Note(**{**note, "kind": NoteKind(note["kind"])}) for note in stored)
