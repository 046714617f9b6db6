"""The shape of what the desk sends about screens, and of what a screen tells when it asks."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from pairing.models import Distance, Screen, ScreenRole
from pairing.services import ScreenSetup
from pairing.services.screens import setup_of

LONGEST_NOTICE = 300
SHOWN = [*ScreenRole.values, "title"]


class ScreenSetupForm(forms.Form):
    """How a screen is set up."""

    name = forms.CharField(
        label=pgettext_lazy("of a screen", "Name"),
        max_length=40,
        help_text=_("Where it hangs, e.g. north wall."),
    )
    roles = forms.MultipleChoiceField(
        label=_("Shows in turn"),
        choices=ScreenRole.choices,
        initial=[ScreenRole.AUTO.value],
        widget=forms.CheckboxSelectMultiple,
        help_text=_("“Follows the event” alone is right for most halls: draw, clock, standings."),
    )
    seconds = forms.IntegerField(
        label=_("Seconds a page"),
        min_value=5,
        max_value=120,
        initial=12,
        help_text=_("The first page of each part stays longer."),
    )
    distance = forms.ChoiceField(
        label=_("Last row"),
        choices=Distance.choices,
        initial=Distance.NEAR.value,
        help_text=_("The farther it is, the larger the type and the more pages."),
    )

    def setup(self, notice: str = "") -> ScreenSetup:
        """The values as the services take them."""
        chosen = self.cleaned_data
        return ScreenSetup(
            chosen["name"], tuple(chosen["roles"]), chosen["seconds"], chosen["distance"], notice
        )

    @classmethod
    def of(cls, screen: Screen) -> ScreenSetupForm:
        """The form as the screen stands."""
        setup = setup_of(screen)
        return cls(
            initial={
                "name": setup.name,
                "roles": list(setup.roles),
                "seconds": setup.seconds,
                "distance": setup.distance,
            }
        )


class NoticeForm(forms.Form):
    """A notice, and the screens it goes to."""

    notice = forms.CharField(
        label=_("Notice"),
        max_length=LONGEST_NOTICE,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Short: a few words in large type. It stays until you take it down."),
    )
    screens = forms.TypedMultipleChoiceField(
        label=_("On which screens"), coerce=int, widget=forms.CheckboxSelectMultiple
    )
    take_down = forms.BooleanField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, screens: list[Screen], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(screen.pk, screen.name) for screen in screens]
        field = self.fields["screens"]
        assert isinstance(field, forms.TypedMultipleChoiceField)  # noqa: S101
        field.choices = choices
        field.initial = [pk for pk, _name in choices]

    def clean(self) -> dict[str, Any]:
        """Without words there is nothing to put up; taking down needs none."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if cleaned.get("take_down"):
            cleaned["notice"] = ""
        elif "notice" in cleaned and not cleaned["notice"].strip():
            self.add_error("notice", _("Type what the screens are to say."))
        return cleaned


class SteerForm(forms.Form):
    """One press on a button beside a screen: turn, hold, let go, or one role alone (or all in turn)."""

    act = forms.ChoiceField(
        choices=[(act, act) for act in ("forward", "back", "hold", "release", "rotation", *ScreenRole.values)]
    )


class ContactForm(forms.Form):
    """What a screen shows while it asks for news."""

    role = forms.ChoiceField(choices=[(role, role) for role in SHOWN])
    page = forms.IntegerField(min_value=1, max_value=9999)
    pages = forms.IntegerField(min_value=1, max_value=9999)
