"""复核: who takes the second look after which a result is confirmed, and what the tables' phones may do."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from scoring.engine.reading import Fields


class ConfirmedBy(StrEnum):
    """Who confirms a result: nobody, a second official, both teams on the phone, or whoever comes first."""

    OFF = "off"
    OFFICIAL = "official"
    PHONES = "phones"
    EITHER = "either"


class TablePhones(StrEnum):
    """What a table's phone page is for: not there, confirming an official's entry, or entering as well."""

    OFF = "off"
    CONFIRM = "confirm"
    ENTER = "enter"


@dataclass(frozen=True, slots=True)
class ConfirmationRules:
    """`rules.confirmation` of the first stage; it holds for the whole event."""

    by: ConfirmedBy = ConfirmedBy.OFF
    phones: TablePhones = TablePhones.OFF

    @classmethod
    def from_dict(cls, mapping: Mapping[str, Any]) -> "ConfirmationRules":
        """Reads the section of the event file; what is left out has its default. Raises InvalidRules.

        Where the teams confirm on the phone, there is a phone page.
        """
        fields = Fields(mapping)
        by = fields.choice("by", ConfirmedBy, ConfirmedBy.OFF)
        phones = fields.choice("phones", TablePhones, TablePhones.OFF)
        is_needed = by in {ConfirmedBy.PHONES, ConfirmedBy.EITHER} and phones is TablePhones.OFF
        return cls(by, TablePhones.CONFIRM if is_needed else phones)

    def as_dict(self) -> dict[str, str]:
        """The section of the event file, complete."""
        return {"by": self.by.value, "phones": self.phones.value}

    @property
    def is_on(self) -> bool:
        """Whether a result is to be looked at a second time."""
        return self.by is not ConfirmedBy.OFF

    @property
    def officials_confirm(self) -> bool:
        """Whether a second official's blind entry confirms."""
        return self.by in {ConfirmedBy.OFFICIAL, ConfirmedBy.EITHER}

    @property
    def phones_confirm(self) -> bool:
        """Whether both teams on the phone confirm."""
        return self.by in {ConfirmedBy.PHONES, ConfirmedBy.EITHER}

    @property
    def has_phones(self) -> bool:
        """Whether tables have a phone page."""
        return self.phones is not TablePhones.OFF

    @property
    def phones_enter(self) -> bool:
        """Whether what both teams say on the phone becomes the result without an official's entry."""
        return self.phones is TablePhones.ENTER
