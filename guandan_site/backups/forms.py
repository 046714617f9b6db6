"""Forms of backups, of the first start, and of an event file."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from guandan_site.event_file.reading import MOST_BYTES
from tournaments.forms.fields import LineField

NO_FILE = gettext_lazy("Please choose a file first.")


class FolderForm(forms.Form):
    """Where copies go by themselves; left empty, nowhere."""

    folder = forms.CharField(
        label=gettext_lazy("Folder"),
        max_length=400,
        required=False,
        widget=forms.TextInput(
            attrs={"spellcheck": "false", "autocapitalize": "none", "placeholder": "/media/usb"}
        ),
        help_text=gettext_lazy(
            "The full path of a folder on this computer, best on a USB stick. Left empty, no copies are made."
        ),
    )


class FirstAdministratorForm(forms.Form):
    """The first account of an installation."""

    username = forms.CharField(
        label=gettext_lazy("Account"),
        max_length=150,
        validators=User._meta.get_field("username").validators,
        widget=forms.TextInput(
            attrs={"autocomplete": "username", "spellcheck": "false", "autocapitalize": "none"}
        ),
        help_text=gettext_lazy("For signing in: letters, digits and @ . + - _"),
    )
    full_name = LineField(label=gettext_lazy("Name"), max_length=30, required=False)
    password = forms.CharField(
        label=gettext_lazy("Password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )
    again = forms.CharField(
        label=gettext_lazy("Password once more"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def clean_password(self) -> str:
        """Refuses what is short, common, all digits or the account's own name."""
        password: str = self.cleaned_data["password"]
        validate_password(password, User(username=self.cleaned_data.get("username", "")))
        return password

    def clean_again(self) -> str:
        """Typed twice, so that a slip locks nobody out."""
        again: str = self.cleaned_data["again"]
        if "password" in self.cleaned_data and again != self.cleaned_data["password"]:
            raise ValidationError(_("The two passwords differ. Type both again."))
        return again


class BackupFileForm(forms.Form):
    """A backup from another computer."""

    file = forms.FileField(
        label=gettext_lazy("Backup file"),
        widget=forms.ClearableFileInput(attrs={"accept": ".zip"}),
        error_messages={
            "required": NO_FILE,
            "empty": gettext_lazy("The file is empty. Choose the one before it."),
        },
        help_text=gettext_lazy("Its name ends in .touyou.zip; the newest one stands last by name."),
    )


class EventFileForm(forms.Form):
    """An event file as a new event."""

    file = forms.FileField(
        label=gettext_lazy("Event file"),
        widget=forms.ClearableFileInput(attrs={"accept": ".json"}),
        error_messages={"required": NO_FILE},
        help_text=gettext_lazy("A file in the open format, its name ends in .json."),
    )
    rename = forms.BooleanField(
        label=gettext_lazy("If there is an event with its short address, give it another one"), required=False
    )

    def clean_file(self) -> Any:
        """Refuses what is too large to be an event file before it is read."""
        file = self.cleaned_data["file"]
        if file.size > MOST_BYTES:
            raise ValidationError(_("The file is too large to be an event file."))
        return file
