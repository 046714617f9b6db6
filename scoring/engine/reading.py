"""Reading settings from a mapping of the event file, value by value."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, TypeVar

Choice = TypeVar("Choice", bound=StrEnum)


class RulesCode(StrEnum):
    """What is wrong with a setting."""

    NOT_A_MAPPING = "not_a_mapping"
    NOT_A_LIST = "not_a_list"
    NOT_AN_INTEGER = "not_an_integer"
    NOT_A_BOOLEAN = "not_a_boolean"
    OUT_OF_RANGE = "out_of_range"
    UNKNOWN_VALUE = "unknown_value"
    WRONG_LENGTH = "wrong_length"
    NOT_DESCENDING = "not_descending"
    NOT_ODD = "not_odd"
    REPEATED = "repeated"


class InvalidRules(ValueError):
    """A setting that cannot be read: `path` inside the mapping, `code`, and the `value` found there."""

    def __init__(self, path: str, code: RulesCode, value: object) -> None:
        super().__init__(f"{path}: {code}")
        self.path = path
        self.code = code
        self.value = value


class Fields:
    """A mapping of the event file, read field by field."""

    def __init__(self, mapping: object) -> None:
        if not isinstance(mapping, Mapping):
            raise InvalidRules("", RulesCode.NOT_A_MAPPING, mapping)
        self._mapping = mapping

    def get(self, name: str, default: object) -> Any:
        """The value as it stands, or the default where the field is missing."""
        return self._mapping.get(name, default)

    def integer(self, name: str, default: int, low: int, high: int) -> int:
        """A whole number from `low` to `high`."""
        return read_integer(name, self.get(name, default), low, high)

    def limit(self, name: str, default: int | None, high: int) -> int | None:
        """A whole number from 1 to `high`, or None for no limit."""
        value = self.get(name, default)
        return None if value is None else read_integer(name, value, 1, high)

    def boolean(self, name: str, default: bool) -> bool:
        """True or false, not 1 or 0."""
        value = self.get(name, default)
        if not isinstance(value, bool):
            raise InvalidRules(name, RulesCode.NOT_A_BOOLEAN, value)
        return value

    def choice(self, name: str, kind: type[Choice], default: Choice) -> Choice:
        """One of the values of `kind`."""
        return read_choice(name, self.get(name, default), kind)


def read_integer(path: str, value: object, low: int, high: int) -> int:
    """The whole number found at `path`. Raises InvalidRules outside `low`…`high`."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise InvalidRules(path, RulesCode.NOT_AN_INTEGER, value)
    if not low <= value <= high:
        raise InvalidRules(path, RulesCode.OUT_OF_RANGE, value)
    return value


def read_choice(path: str, value: object, kind: type[Choice]) -> Choice:
    """The member of `kind` named at `path`. Raises InvalidRules."""
    if not isinstance(value, str) or value not in set(kind):
        raise InvalidRules(path, RulesCode.UNKNOWN_VALUE, value)
    return kind(value)


def read_list(path: str, value: object) -> Sequence[Any]:
    """The list found at `path`, its items not read yet. Raises InvalidRules."""
    if not isinstance(value, list | tuple):
        raise InvalidRules(path, RulesCode.NOT_A_LIST, value)
    return value


def read_choices(path: str, value: object, kind: type[Choice]) -> tuple[Choice, ...]:
    """The members of `kind` listed at `path`, each at most once. Raises InvalidRules."""
    found: list[Choice] = []
    for place, name in enumerate(read_list(path, value)):
        choice = read_choice(f"{path}[{place}]", name, kind)
        if choice in found:
            raise InvalidRules(f"{path}[{place}]", RulesCode.REPEATED, name)
        found.append(choice)
    return tuple(found)
