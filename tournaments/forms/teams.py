"""Forms of a team: its facts, and leaving the event."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.entering import EntryFault, EntryProblem
from tournaments.entry_words import entry_sentence
from tournaments.forms.fields import LineField, NameField
from tournaments.models import NAME_LENGTH, Event, PlayerRole, Team
from tournaments.roster.types import MAX_NUMBER, MAX_PLAYERS
from tournaments.selectors.entries import companion_name, stated_rules
from tournaments.selectors.teams import has_seat
from tournaments.services.teams import EntryRefused, NumberInUse, NumberTaken, PlayerFacts, TeamFacts

LEAST_PLAYERS = 2


class TeamForm(forms.Form):
    """A team by hand. Two players are needed, up to six may be entered."""

    number = forms.IntegerField(
        label=gettext_lazy("Number"), min_value=1, max_value=MAX_NUMBER, required=False
    )
    department = NameField(label=gettext_lazy("Department"), max_length=NAME_LENGTH, required=False)
    session = NameField(label=gettext_lazy("Session"), max_length=NAME_LENGTH, required=False)
    name = NameField(
        label=gettext_lazy("Team name"),
        max_length=NAME_LENGTH,
        required=False,
        help_text=gettext_lazy("Only if the team has a name of its own."),
    )
    seed = forms.IntegerField(
        label=gettext_lazy("Seed"),
        min_value=1,
        max_value=MAX_NUMBER,
        required=False,
        help_text=gettext_lazy("Only for a seeded first round: 1 is the strongest."),
    )
    fixed_table = forms.IntegerField(
        label=gettext_lazy("Fixed table"),
        min_value=1,
        max_value=MAX_NUMBER,
        required=False,
        help_text=gettext_lazy("For a player who cannot change places: the team always sits at this table."),
    )
    leader = NameField(label=gettext_lazy("Team leader"), max_length=NAME_LENGTH, required=False)
    coach = NameField(label=gettext_lazy("Coach"), max_length=NAME_LENGTH, required=False)
    remark = LineField(
        label=gettext_lazy("Remark"),
        max_length=400,
        required=False,
        help_text=gettext_lazy("Only officials see it."),
    )

    def __init__(self, *args: Any, event: Event, team: Team | None = None, **kwargs: Any) -> None:
        """`team` is the one being changed, None for a new one."""
        super().__init__(*args, **kwargs)
        self.event, self.team = event, team
        everybody = list(team.players.all()) if team else []
        self.known_players = [person for person in everybody if person.role == PlayerRole.PLAYER]
        self.companions = [person for person in everybody if person.role != PlayerRole.PLAYER]
        self.stated = stated_rules(event)
        self.seats = range(1, max(self._usual_seats(), len(self.known_players), self._typed_seats()) + 1)
        for seat in self.seats:
            self.fields[f"player{seat}"] = NameField(
                label=_("Player %(seat)d") % {"seat": seat},
                max_length=NAME_LENGTH,
                required=seat <= LEAST_PLAYERS,
            )
            self.fields[f"phone{seat}"] = LineField(
                label=_("Phone %(seat)d") % {"seat": seat}, max_length=40, required=False
            )
        if team is not None:
            self.fields["number"].required = True
            self.initial = self._stored(team)
            self.fields["number"].disabled = has_seat(team)
        else:
            self.fields["number"].help_text = _("Left empty: the next number.")

    @property
    def has_companions(self) -> bool:
        """Whether leader and coach are asked for at once."""
        return bool(self.stated.leader or self.stated.coach or self.companions)

    def _usual_seats(self) -> int:
        return min(self.stated.players or LEAST_PLAYERS + 1, MAX_PLAYERS)

    def _typed_seats(self) -> int:
        return max((seat for seat in range(1, MAX_PLAYERS + 1) if f"player{seat}" in self.data), default=0)

    def _stored(self, team: Team) -> dict[str, Any]:
        names = ("number", "session", "name", "seed", "fixed_table", "remark")
        stored: dict[str, Any] = {name: getattr(team, name) for name in names}
        stored["department"] = team.department.name if team.department else ""
        stored["leader"] = companion_name(self.companions, PlayerRole.LEADER)
        stored["coach"] = companion_name(self.companions, PlayerRole.COACH)
        for seat, player in enumerate(self.known_players, start=1):
            stored |= {f"player{seat}": player.name, f"phone{seat}": player.phone}
        return stored

    def player_fields(self) -> Iterator[tuple[forms.BoundField, forms.BoundField]]:
        """Name and phone of each seat."""
        for seat in self.seats:
            yield self[f"player{seat}"], self[f"phone{seat}"]

    def clean(self) -> dict[str, Any]:
        """Refuses a person who sits in the team twice."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        names = {seat: cleaned.get(f"player{seat}") or "" for seat in self.seats}
        for seat, name in names.items():
            if name and list(names.values()).index(name) < seat - 1:
                self.add_error(f"player{seat}", _("%(name)s stands here twice.") % {"name": name})
        return cleaned

    def facts(self) -> TeamFacts:
        """What was typed, for the service."""
        typed = self.cleaned_data
        players = tuple(
            PlayerFacts(typed[f"player{seat}"], typed[f"phone{seat}"])
            for seat in self.seats
            if typed[f"player{seat}"]
        )
        names = ("leader", "coach", "department", "name", "session", "seed", "fixed_table", "remark")
        return TeamFacts(players=players, **{name: typed[name] for name in names})

    def refuse(self, error: NumberTaken | NumberInUse | EntryRefused) -> None:
        """Puts the service's refusal beside the field that it speaks of."""
        if isinstance(error, EntryRefused):
            for problem in error.problems:
                self.add_error(self._place(problem), entry_sentence(problem))
            return
        if isinstance(error, NumberTaken):
            message = _("Number %(number)d belongs to another team. Please choose a free one.") % vars(error)
        else:
            message = _("The team already sits in a round; its number stays.")
        self.add_error("number", message)

    def _place(self, problem: EntryProblem) -> str:
        """The field that holds the person, the player too many, or the department."""
        typed = {self.cleaned_data[f"player{seat}"]: f"player{seat}" for seat in self.seats}
        if problem.fault is EntryFault.PERSON_TWICE:
            return typed[problem.person]
        if problem.fault is EntryFault.TOO_MANY_PLAYERS:
            return typed[problem.applicant.players[problem.limit]]
        return "department"


class WithdrawForm(forms.Form):
    """From which round on a team is out, and why."""

    from_round = forms.TypedChoiceField(label=gettext_lazy("Out from"), coerce=int)
    reason = LineField(
        label=gettext_lazy("Reason"),
        max_length=400,
        error_messages={"required": gettext_lazy("Say why the team leaves.")},
    )

    def __init__(self, *args: Any, rounds: list[int], planned: int, **kwargs: Any) -> None:
        """`rounds` are those from which the team may leave; behind the `planned` ones the stage is over."""
        super().__init__(*args, **kwargs)
        after_all = _("after all %(planned)d rounds of this stage") % {"planned": planned}
        from_round = [_("round %(number)d on") % {"number": number} for number in rounds]
        choices = [
            (number, words if number <= planned else after_all)
            for number, words in zip(rounds, from_round, strict=True)
        ]
        self.fields["from_round"].choices = choices  # type: ignore[attr-defined]

    def refuse(self) -> None:
        """Tells that the team has been seated meanwhile."""
        self.add_error("from_round", _("The team sits in that round by now. Please choose again."))
