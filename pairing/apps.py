"""Django's registration of the app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PairingConfig(AppConfig):
    """编排: draws, their pages, the desk and the projector."""

    name = "pairing"
    verbose_name = _("Pairing")
