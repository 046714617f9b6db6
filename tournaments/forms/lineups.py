"""The line-ups of a round as one form: a field a team, filled with places in its list or with names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.forms.fields import LineField
from tournaments.lineups import LineupFault, LineupRefused, read_lineup
from tournaments.selectors.lineups import LineupRow, LineupSheet

LONGEST_TYPED = 100


class LineupField(LineField):
    """Two players of one team: 13, 1 3, or their names."""

    def __init__(self, row: LineupRow) -> None:
        label = _("Team %(number)d: who sits at the table") % {"number": row.team.number}
        super().__init__(label=label, max_length=LONGEST_TYPED, required=False)
        self.row = row
        self.widget.attrs.update(
            {"class": "lineup-box", "autocomplete": "off", "aria-describedby": f"l{row.team.number}"}
        )

    def clean(self, value: Any) -> tuple[str, ...]:
        """The names of the two; refuses everybody who may not sit there."""
        team = self.row.team
        try:
            return read_lineup(
                super().clean(value), team.playing_names, [each.name for each in team.companions]
            )
        except LineupRefused as refused:
            raise forms.ValidationError(_told(refused, self.row)) from None


class LineupsForm(forms.Form):
    """All teams of a round; what was public before needs a reason."""

    reason = LineField(
        label=gettext_lazy("Reason for a change"),
        max_length=400,
        required=False,
        help_text=gettext_lazy("Needed where a line-up is changed that was given before."),
    )

    def __init__(self, data: Any = None, *, sheet: LineupSheet) -> None:
        super().__init__(data)
        self.sheet = sheet
        for row in sheet.rows:
            self.fields[_name(row)] = LineupField(row)
            self.initial[_name(row)] = row.places

    def lines(self) -> Iterator[tuple[LineupRow, forms.BoundField]]:
        """Each team with its field."""
        for row in self.sheet.rows:
            yield row, self[_name(row)]

    def names(self) -> dict[int, tuple[str, ...]]:
        """Who sits at the table, by the teams' numbers."""
        return {row.team.number: self.cleaned_data[_name(row)] for row in self.sheet.rows}


def _name(row: LineupRow) -> str:
    return f"team{row.team.number}"


def _told(refused: LineupRefused, row: LineupRow) -> str:
    """What was refused, where, and what to do."""
    most = len(row.team.playing_names)
    told = {"number": row.team.number, "value": refused.value, "most": most}
    sentences = {
        LineupFault.NOT_TWO: _(
            "Team %(number)d: exactly two players sit at the table. Type two numbers, e.g. 1 3."
        ),
        LineupFault.TWICE: _("Team %(number)d: %(value)s is named twice. Type two different players."),
        LineupFault.NO_SUCH_PLACE: _(
            "Team %(number)d has no player %(value)s. Type numbers from 1 to %(most)d."
        ),
        LineupFault.NOT_IN_TEAM: _(
            "%(value)s does not play in team %(number)d. Type the numbers that stand before its players."
        ),
        LineupFault.DOES_NOT_PLAY: _(
            "%(value)s leads or coaches team %(number)d and does not play. Type the numbers of two players."
        ),
    }
    return sentences[refused.fault] % told
