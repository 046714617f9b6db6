"""Reading JSON without trust: bytes to plain values, and plain values to fields of the wanted type.

Every fault is noted with its JSON path and reading goes on, so that one look shows all of them.
"""

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Any, TypeGuard, TypeVar

from guandan_site.event_file.problems import MOST_PROBLEMS, Fault, InvalidEventFile, Problem

Choice = TypeVar("Choice", bound=StrEnum)

MOST_BYTES = 32 * 1024 * 1024
# Whole numbers up to here survive every JSON reader and both databases unchanged.
MOST_NUMBER = 2**53
MOST_DEPTH = 40
REQUIRED: Any = object()
# NUL cannot be stored by PostgreSQL, half a surrogate can be stored by nobody.
BAD_CHARACTER = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


def decode_json(content: bytes) -> object:
    """The JSON value in `content`; raises InvalidEventFile where RFC 8259 or our limits are left."""
    if len(content) > MOST_BYTES:
        raise InvalidEventFile([Problem("$", Fault.TOO_BIG, {"limit": MOST_BYTES // 1024 // 1024})])
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidEventFile([Problem("$", Fault.NOT_UTF8, {"offset": error.start})]) from error
    return _loads(text)


def _loads(text: str) -> object:
    try:
        return json.loads(text, object_pairs_hook=_noting_repeated_keys, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        place = {"line": error.lineno, "column": error.colno}
        raise InvalidEventFile([Problem("$", Fault.NOT_JSON, place)]) from error
    except RecursionError as error:
        raise InvalidEventFile([Problem("$", Fault.TOO_DEEP, {"limit": MOST_DEPTH})]) from error
    except ValueError as error:  # an integer of more digits than Python converts
        raise InvalidEventFile([Problem("$", Fault.NUMBER_TOO_LARGE)]) from error


class RepeatedKeys(dict[str, object]):
    """A JSON object that names a key twice: which of the two is meant, nobody knows."""

    repeated = ""


def _noting_repeated_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    names = [name for name, _ in pairs]
    marked = RepeatedKeys(found)
    marked.repeated = next(name for name in names if names.count(name) > 1)
    return marked


def _no_constant(name: str) -> object:
    raise InvalidEventFile([Problem("$", Fault.NOT_A_NUMBER, {"constant": name})])


class Faults:
    """The faults noted while a document is read."""

    def __init__(self) -> None:
        self.found: list[Problem] = []

    def note(self, path: str, fault: Fault, **values: object) -> None:
        """Remember one fault; beyond MOST_PROBLEMS they are not kept."""
        if len(self.found) < MOST_PROBLEMS:
            self.found.append(Problem(path, fault, values))

    def raise_any(self) -> None:
        """Raise InvalidEventFile if anything was noted."""
        if self.found:
            raise InvalidEventFile(self.found)


def check_values(value: object, path: str, faults: Faults, depth: int = 0) -> None:
    """Note, anywhere in the document, repeated keys and what no database keeps."""
    if depth > MOST_DEPTH:
        faults.note(path, Fault.TOO_DEEP, limit=MOST_DEPTH)
    elif isinstance(value, str):
        if BAD_CHARACTER.search(value):
            faults.note(path, Fault.BAD_CHARACTER)
    elif isinstance(value, int | float):
        if not math.isfinite(value) or abs(value) > MOST_NUMBER:
            faults.note(path, Fault.NUMBER_TOO_LARGE)
    elif value is not None:
        if isinstance(value, RepeatedKeys):
            faults.note(join(path, value.repeated), Fault.DUPLICATE_KEY, key=value.repeated)
        for key, child in children(value):
            check_values(key, path, faults)
            check_values(child, join(path, key), faults, depth + 1)


def children(value: object) -> Iterable[tuple[str | int, object]]:
    """The members of a JSON object or list, each with its key or index; nothing for any other value."""
    if isinstance(value, Mapping):
        return list(value.items())
    return list(enumerate(value)) if isinstance(value, list | tuple) else []


def join(path: str, key: str | int) -> str:
    """`path` one step deeper: `$.teams` and 3 give `$.teams[3]`."""
    if isinstance(key, int):
        return f"{path}[{key}]"
    return f"{path}.{key}" if key.isidentifier() else f"{path}[{json.dumps(key)}]"


class Fields:
    """One JSON object being read; each field that is asked for is taken, the rest is `extra`.

    A field of the wrong type is noted, and reading goes on. Null stands for an optional field's default.
    """

    def __init__(self, value: object, path: str, faults: Faults) -> None:
        self.path = path
        self.faults = faults
        if not isinstance(value, Mapping):
            faults.note(path, Fault.WRONG_TYPE, wanted="object")
        self._given: Mapping[str, object] = value if isinstance(value, Mapping) else {}
        self._is_object = isinstance(value, Mapping)
        self._taken: set[str] = set()

    def at(self, key: str) -> str:
        """The JSON path of a field."""
        return join(self.path, key)

    def has(self, key: str) -> bool:
        """Whether the field stands in the file, null counted as standing there."""
        return key in self._given

    def extra(self) -> dict[str, object]:
        """The fields that nobody asked for."""
        return {key: value for key, value in self._given.items() if key not in self._taken}

    def note(self, key: str, fault: Fault, **values: object) -> None:
        """Note a fault of one field."""
        self.faults.note(self.at(key), fault, **values)

    def raw(self, key: str, default: object = REQUIRED) -> object:
        """The field as it stands; a missing required field is noted and read as null."""
        self._taken.add(key)
        if key in self._given:
            return self._given[key]
        if default is not REQUIRED:
            return default
        if self._is_object:
            self.note(key, Fault.MISSING)
        return None

    def text(self, key: str, default: Any = REQUIRED, *, longest: int, blank: bool = False) -> str:
        """A string of at most `longest` characters; blank ones only where allowed."""
        value = self._typed(key, default, lambda found: isinstance(found, str), "string")
        if not isinstance(value, str):
            return ""
        if not blank and not value.strip() and self.has(key):
            self.note(key, Fault.EMPTY)
        if len(value) > longest:
            self.note(key, Fault.TOO_LONG, limit=longest)
        return value

    def optional_text(self, key: str, *, longest: int) -> str | None:
        """A string, or None where the field is null or missing."""
        return None if self._is_null(key) else self.text(key, longest=longest)

    def truth(self, key: str, default: Any = REQUIRED) -> bool:
        """True or false."""
        return bool(self._typed(key, default, lambda found: isinstance(found, bool), "boolean"))

    def whole(self, key: str, default: Any = REQUIRED, *, least: int, most: int) -> int:
        """A whole number from `least` to `most`; true and 1.0 are none."""
        value = self._typed(key, default, is_whole, "integer")
        if not is_whole(value):
            return least
        if not least <= value <= most:
            self.note(key, Fault.OUT_OF_RANGE, least=least, most=most)
        return value

    def optional_whole(self, key: str, *, least: int, most: int) -> int | None:
        """A whole number, or None where the field is null or missing."""
        return None if self._is_null(key) else self.whole(key, least=least, most=most)

    def choice(self, key: str, kind: type[Choice], default: Any = REQUIRED) -> Choice:
        """One of the values of a StrEnum; its first where the field cannot be read."""
        value = self._typed(key, default, lambda found: isinstance(found, str), "string")
        if isinstance(value, str) and value in set(kind):
            return kind(value)
        if isinstance(value, str):
            self.note(key, Fault.UNKNOWN_VALUE, value=value, known=[str(each) for each in kind])
        return next(iter(kind))

    def items(self, key: str, default: Any = REQUIRED) -> list[tuple[str, object]]:
        """The members of a list, each with its path."""
        value = self._typed(key, default, lambda found: isinstance(found, list | tuple), "list")
        members = value if isinstance(value, list | tuple) else []
        return [(join(self.at(key), index), member) for index, member in enumerate(members)]

    def objects(self, key: str, default: Any = REQUIRED) -> list["Fields"]:
        """The members of a list of objects."""
        return [Fields(member, path, self.faults) for path, member in self.items(key, default)]

    def member(self, key: str, default: Any = REQUIRED) -> "Fields":
        """A nested object; a missing one is noted and read as an empty one."""
        value = self.raw(key, default)
        if value is None and (default is not REQUIRED or not self.has(key)):
            return Fields({}, self.at(key), Faults())
        return Fields(value, self.at(key), self.faults)

    def _typed(self, key: str, default: Any, fits: Callable[[Any], bool], wanted: str) -> Any:
        value = self.raw(key, default)
        if value is None and default is not REQUIRED:
            return default
        if self.has(key) and not fits(value):
            self.note(key, Fault.WRONG_TYPE, wanted=wanted)
            return None
        return value

    def _is_null(self, key: str) -> bool:
        self._taken.add(key)
        return self._given.get(key) is None


def is_whole(value: object) -> TypeGuard[int]:
    """Whether a JSON value is an integer: Python's True is an int, JSON's true is none."""
    return isinstance(value, int) and not isinstance(value, bool)
