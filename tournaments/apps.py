"""Django's registration of the app; the roles exist after every migration."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class TournamentsConfig(AppConfig):
    """秩序册: events, people, teams, rounds, clock, log."""

    name = "tournaments"
    verbose_name = _("Tournaments")

    def ready(self) -> None:
        """Wires the three groups to be made once their permissions exist."""
        from tournaments.roles import ensure_roles  # noqa: PLC0415 (models load only after the registry)

        post_migrate.connect(ensure_roles, sender=self)
