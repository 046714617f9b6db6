"""Forms for users: an account, a name, a role, a password."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.forms.fields import LineField
from tournaments.roles import ADMINISTRATOR, ASSISTANT, CHIEF

ROLE_CHOICES = [
    (ASSISTANT, gettext_lazy("Assistant referee: roster, results, prints")),
    (CHIEF, gettext_lazy("Chief referee: also draws, publishes, runs the clock, corrects")),
    (ADMINISTRATOR, gettext_lazy("Administrator: also events, rules and users, in every event")),
]


class UserForm(forms.Form):
    """What an administrator decides about a user who exists."""

    full_name = LineField(
        label=gettext_lazy("Name"),
        max_length=30,
        required=False,
        help_text=gettext_lazy("As it stands in the log, for example 陈老师."),
    )
    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=ROLE_CHOICES, widget=forms.RadioSelect)
    is_active = forms.BooleanField(label=gettext_lazy("May sign in"), required=False)
    password = forms.CharField(
        label=gettext_lazy("New password"),
        required=False,
        strip=False,
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "spellcheck": "false", "autocapitalize": "none"}
        ),
        help_text=gettext_lazy("Left empty, the password stays. A new one signs the user out everywhere."),
    )

    def __init__(self, *args: Any, user: User | None = None, **kwargs: Any) -> None:
        """`user` is the one being changed, None for a new one."""
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_password(self) -> str:
        """Refuses what is short, common, all digits or the account's own name."""
        password: str = self.cleaned_data["password"]
        if password:
            validate_password(password, self.user or self._described_user())
        return password

    def _described_user(self) -> User:
        return User(username=self.data.get("username", ""), first_name=self.data.get("full_name", ""))

    def refuse_last_administrator(self) -> None:
        """Tells that somebody must stay who can set up events."""
        self.add_error("role", _("This is the last administrator. First make another user administrator."))


class NewUserForm(UserForm):
    """A new user with a first password."""

    username = forms.CharField(
        label=gettext_lazy("Account"),
        max_length=150,
        validators=User._meta.get_field("username").validators,
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "spellcheck": "false", "autocapitalize": "none"}
        ),
        help_text=gettext_lazy("For signing in: letters, digits and @ . + - _"),
    )
    field_order = ["username", "full_name", "role", "password"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Asks for the first password; a new user may sign in at once."""
        super().__init__(*args, **kwargs)
        del self.fields["is_active"]
        self.fields["role"].initial = ASSISTANT
        self.fields["password"].required = True
        self.fields["password"].label = _("First password")
        self.fields["password"].help_text = _(
            "At least 8 characters, not only digits. Tell it to the user in person."
        )

    def clean_username(self) -> str:
        """Refuses an account name in use, whatever its capitals."""
        username: str = self.cleaned_data["username"]
        if User.objects.filter(username__iexact=username).exists():
            raise self.taken()
        return username

    @staticmethod
    def taken() -> ValidationError:
        """The refusal of an account name in use."""
        return ValidationError(_("This account exists already. Please choose another one."))
