"""Forms of an event: creating one, its settings, its officials."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.forms.fields import LineField
from tournaments.models import Audience, Event
from tournaments.presets import DEFAULT_PRESET, Preset, offered_presets
from tournaments.roles import ROLE_NAMES
from tournaments.selectors.events import proposed_slug
from tournaments.services.events import EventFacts, OtherStage, SlugTaken, TooFewRounds

MINUTES = (30, 35, 40, 45, 50, 60, 80, 120)
NO_CLOCK = "none"
PUBLIC_ADDRESS = re.compile(r"https?://(?:[A-Za-z0-9-]+\.)*[A-Za-z0-9-]+(?::\d{1,5})?")
MOST_ROUNDS = 50
MOST_GROUPS = 100
PLANNED = ("preset", "rounds", "minutes", "groups", "starts_at", "name", "venue", "organiser")
"""What an address may fill in for a new event; the planner does."""


def _minutes_choices(*extra: tuple[str, Any]) -> list[tuple[str, Any]]:
    numbers = [(str(number), gettext_lazy("%d minutes") % number) for number in MINUTES]
    return [*extra, *numbers, (NO_CLOCK, gettext_lazy("no limit"))]


class SettingsForm(forms.ModelForm):  # type: ignore[type-arg]
    """The settings of an event; `rounds` and `minutes` are those of its present stage."""

    rounds = forms.IntegerField(label=gettext_lazy("Number of rounds"), min_value=1, max_value=MOST_ROUNDS)
    minutes = forms.ChoiceField(label=gettext_lazy("Minutes per round"), choices=_minutes_choices)

    class Meta:
        model = Event
        fields = [
            "name",
            "slug",
            "venue",
            "organiser",
            "starts_at",
            "is_public",
            "publishes_to",
            "public_address",
        ]
        field_classes = {"name": LineField, "venue": LineField, "organiser": LineField}
        labels = {
            "name": gettext_lazy("Name of the event"),
            "slug": gettext_lazy("Short address"),
            "venue": gettext_lazy("Venue"),
            "organiser": gettext_lazy("Organiser"),
            "starts_at": gettext_lazy("Date and time"),
            "is_public": gettext_lazy("Everybody may see the draw, the clock and the standings"),
            "publishes_to": gettext_lazy("The publish button shows the tables first to"),
            "public_address": gettext_lazy("Address for phones"),
        }
        help_texts = {
            "slug": gettext_lazy("The last part of the page's address: Latin letters, digits, hyphens."),
            "publishes_to": gettext_lazy("The other way stays beside it on the draw board."),
            "public_address": gettext_lazy(
                "What the QR codes on paper and projector lead to, for example http://192.168.1.5:8000. "
                "Left empty it is recognised by itself."
            ),
        }
        widgets = {
            "starts_at": forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
            "slug": forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false"}),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Sets the messages that are about this very page."""
        super().__init__(*args, **kwargs)
        taken = gettext_lazy("Another event has this short address. Please choose a different one.")
        self.fields["slug"].error_messages["unique"] = taken
        self.fields["publishes_to"].required = False
        self.fields["publishes_to"].choices = Audience.choices  # type: ignore[attr-defined]
        stored = self.initial.get("minutes")
        choices = _minutes_choices()
        if stored and stored not in dict(choices):
            choices = [(stored, gettext_lazy("%d minutes") % int(stored)), *choices]
        self.fields["minutes"].choices = choices  # type: ignore[attr-defined]

    def facts(self) -> EventFacts:
        """What was typed, for the service."""
        return EventFacts(**{name: self.cleaned_data[name] for name in self.Meta.fields})

    def clean_publishes_to(self) -> str:
        """Everybody, where the page did not ask."""
        return self.cleaned_data["publishes_to"] or Audience.EVERYBODY.value

    def clean_public_address(self) -> str:
        """Scheme, host and port; a scheme is added where none was typed."""
        typed = self.cleaned_data["public_address"].strip().rstrip("/")
        if not typed:
            return ""
        address = typed if "://" in typed else f"http://{typed}"
        if not PUBLIC_ADDRESS.fullmatch(address):
            raise forms.ValidationError(
                _("Write it like http://192.168.1.5:8000 or https://cup.example.org, with nothing behind.")
            )
        return address

    def chosen_minutes(self) -> int | None:
        """Minutes of a round; None plays without a clock."""
        chosen = self.cleaned_data["minutes"]
        return None if chosen == NO_CLOCK else int(chosen)

    def refuse(self, error: OtherStage | SlugTaken | TooFewRounds) -> None:
        """Puts the service's refusal beside its field."""
        if isinstance(error, SlugTaken):
            self.add_error("slug", self.fields["slug"].error_messages["unique"])
        elif isinstance(error, OtherStage):
            words = _("The next stage has begun meanwhile: type its rounds and minutes, then save again.")
            self.add_error("rounds", words)
        else:
            self.add_error(
                "rounds", _("Round %(drawn)d is already drawn: there cannot be fewer.") % vars(error)
            )


class NewEventForm(SettingsForm):
    """A new event: the number of rounds and the minutes are the preset's unless others are chosen."""

    preset = forms.ChoiceField(label=gettext_lazy("Rules"), widget=forms.RadioSelect, initial=DEFAULT_PRESET)
    groups = forms.IntegerField(
        label=gettext_lazy("Number of groups"),
        min_value=1,
        max_value=MOST_GROUPS,
        required=False,
        help_text=gettext_lazy("Only for rules that begin with groups. Left empty: as the rules propose."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Offers the presets and lets the fields stay empty that can be proposed."""
        super().__init__(*args, **kwargs)
        self.presets = offered_presets()
        self.fields["preset"].choices = [(preset.code, preset.name) for preset in self.presets.values()]  # type: ignore[attr-defined]
        self.fields["slug"].required = False
        self.fields["slug"].help_text = _(
            "The last part of the page's address: Latin letters, digits, hyphens. Empty: one is proposed."
        )
        self.fields["rounds"].required = False
        self.fields["rounds"].help_text = _("Left empty: as the rules propose.")
        self.fields["minutes"].required = False
        self.fields["minutes"].choices = _minutes_choices(("", _("as the rules propose")))  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Proposes a short address where none was typed."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if not cleaned.get("slug") and "slug" not in self.errors:
            day = timezone.localtime(cleaned.get("starts_at")).strftime("%Y%m%d")
            cleaned["slug"] = proposed_slug(cleaned.get("name", ""), day)
            self.instance.slug = cleaned["slug"]
        return cleaned

    def chosen_preset(self) -> Preset:
        """The regulation picked."""
        return self.presets[self.cleaned_data["preset"]]

    def chosen_rounds(self) -> int:
        """The number typed, else the preset's."""
        return self.cleaned_data["rounds"] or self.chosen_preset().rounds

    def chosen_minutes(self) -> int | None:
        """The minutes chosen, else the preset's; None plays without a clock."""
        return super().chosen_minutes() if self.cleaned_data["minutes"] else self.chosen_preset().minutes


class AppointForm(forms.Form):
    """One more official for an event."""

    user = forms.ModelChoiceField(User.objects.none(), label=gettext_lazy("User"), empty_label=None)

    def __init__(self, *args: Any, users: Any, **kwargs: Any) -> None:
        """`users` are those who may be appointed."""
        super().__init__(*args, **kwargs)
        field = self.fields["user"]
        field.queryset = users  # type: ignore[attr-defined]
        field.label_from_instance = self._label  # type: ignore[attr-defined]

    @staticmethod
    def _label(user: User) -> str:
        roles = " · ".join(str(ROLE_NAMES.get(group.name, group.name)) for group in user.groups.all())
        name = user.get_full_name()
        return f"{name}（{user.username}）{roles}" if name else f"{user.username} {roles}"
