"""Django's registration of the composition root."""

from django.apps import AppConfig


class GuandanSiteConfig(AppConfig):
    """The composition root: event files, commands, prints."""

    name = "guandan_site"
    verbose_name = "头游"
