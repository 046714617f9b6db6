"""日志、存档、备份: what was done, and the ways back."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models.events import Event


class LogEntry(models.Model):
    """日志: one official act: who, when, what, old → new, why. Written once, never changed or removed."""

    event = models.ForeignKey(
        Event, models.DO_NOTHING, related_name="log", null=True, db_constraint=False, verbose_name=_("event")
    )
    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.DO_NOTHING, null=True, db_constraint=False, related_name="+"
    )
    by_name = models.CharField(max_length=150)
    act = models.CharField(max_length=40)
    subject = models.CharField(max_length=200, blank=True)
    old = models.JSONField(null=True)
    new = models.JSONField(null=True)
    reason = models.CharField(max_length=400, blank=True)

    class Meta:
        verbose_name = _("log entry")
        verbose_name_plural = _("log")
        ordering = ["-pk"]
        indexes = [models.Index(fields=["event", "-id"], name="log_by_event")]

    def __str__(self) -> str:
        return f"{timezone.localtime(self.at):%F %T} {self.by_name} {self.act} {self.subject}"


class Occasion(models.TextChoices):
    """What a snapshot was taken for."""

    BEFORE_DRAW = "before_draw", _("before the draw")
    BEFORE_PUBLICATION = "before_publication", _("before publication")
    BEFORE_IMPORT = "before_import", _("before a roster import")
    BEFORE_RESTORE = "before_restore", _("before a restore")
    BEFORE_CORRECTION = "before_correction", _("before a correction")
    BY_HAND = "by_hand", _("kept by hand")


class Snapshot(models.Model):
    """存档点: the whole event as it stood before an act that could not be undone otherwise."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="snapshots")
    at = models.DateTimeField(auto_now_add=True)
    by_name = models.CharField(max_length=150)
    occasion = models.CharField(max_length=40, choices=Occasion.choices)
    content = models.BinaryField()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.event} {timezone.localtime(self.at):%F %T} {self.occasion}"


class BackupPlan(models.Model):
    """备份: where the whole installation is copied to by itself, and how the last copy went; one row."""

    THE_ONE = 1
    MINUTES = 5
    """Between two automatic copies: what a dead disk may cost."""

    folder = models.CharField(_("folder"), max_length=400, blank=True)
    claimed_at = models.DateTimeField(null=True, blank=True)
    """When a process began the latest automatic copy, so that no other begins it too."""
    done_at = models.DateTimeField(null=True, blank=True)
    done_log = models.BigIntegerField(default=0)
    """The newest log entry that the last copy holds: without a newer one nothing has changed since."""
    problem = models.CharField(max_length=200, blank=True)
    """Why the last automatic copy failed; empty when it worked."""

    class Meta:
        verbose_name = _("backup plan")
        verbose_name_plural = _("backup plans")

    def __str__(self) -> str:
        return self.folder or "–"
