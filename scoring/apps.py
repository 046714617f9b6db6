"""Django's registration of the app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ScoringConfig(AppConfig):
    """成绩册: results, standings, points given and taken."""

    name = "scoring"
    verbose_name = _("Scoring")
