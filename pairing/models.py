"""编排: the draw of a round and what was published of it."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models import Round


class Draw(models.Model):
    """抽签编排: how a round's table assignments came about, so that anybody can draw them again."""

    round = models.OneToOneField(Round, models.CASCADE, related_name="draw")
    seed = models.BigIntegerField()
    method = models.CharField(max_length=20)
    relaxations = models.JSONField(default=list, blank=True)
    """Rules that were softened because no legal draw existed: a list of {"rule", "value"}."""
    explained = models.JSONField(default=dict, blank=True)
    """The engine's notes by table, its bye notes, broken rules and proof."""
    changes = models.JSONField(default=list, blank=True)
    """What the chief changed by hand: a list of swaps with the warnings confirmed."""
    version = models.PositiveIntegerField(default=1)
    drawn_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    drawn_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("draw")
        verbose_name_plural = _("draws")

    def __str__(self) -> str:
        return f"{self.round} ({self.seed})"


class Publication(models.Model):
    """公示: one numbered, frozen version of a round's table assignments."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="publications")
    version = models.PositiveIntegerField()
    published_at = models.DateTimeField()
    published_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    opened_at = models.DateTimeField(null=True, blank=True)
    """When phones and public pages saw it; null while only the hall did."""
    opened_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    reason = models.CharField(max_length=400, blank=True)
    """Why it took the place of the version before."""
    notice_ended_at = models.DateTimeField(null=True, blank=True)
    """When the chief took its correction notice down."""
    seating = models.JSONField()
    """A list of [table, home number, away number] as it was published."""
    names = models.JSONField(default=dict, blank=True)
    """By team number, [players, department] as they were published."""

    class Meta:
        verbose_name = _("publication")
        verbose_name_plural = _("publications")
        ordering = ["version"]
        constraints = [
            models.UniqueConstraint(fields=["round", "version"], name="publication_version_once_per_round")
        ]

    def __str__(self) -> str:
        return f"{self.round} v{self.version}"
