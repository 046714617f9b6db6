"""What a password has to be like, beyond what Django asks."""

from django.contrib.auth.password_validation import MinimumLengthValidator as DjangosValidator
from django.utils.translation import gettext as _


class MinimumLengthValidator(DjangosValidator):
    """The same length, said in the official's language: Django has no Chinese words for it yet."""

    def get_error_message(self) -> str:
        """What is wrong, and what to do."""
        return _("Too short: at least %(count)d characters.") % {"count": self.min_length}
