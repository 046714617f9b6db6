"""赛事: the occasion itself, who officiates it, and regulations kept for later ones."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Extra(models.Model):
    """A row that keeps the fields of an event file which the product itself does not know."""

    extra = models.JSONField(default=dict, blank=True, editable=False)

    class Meta:
        abstract = True


class Audience(models.TextChoices):
    """公示范围: who sees a published round — the hall's projector and paper, or phones as well."""

    HALL = "hall", _("the hall only")
    EVERYBODY = "everybody", _("everybody")


class Event(Extra):
    """赛事: the whole occasion, with one roster."""

    name = models.CharField(_("name"), max_length=100)
    slug = models.SlugField(_("short address"), max_length=60, unique=True)
    venue = models.CharField(_("venue"), max_length=100, blank=True)
    organiser = models.CharField(_("organiser"), max_length=100, blank=True)
    starts_at = models.DateTimeField(_("starts at"), null=True, blank=True)
    is_public = models.BooleanField(_("public"), default=True)
    prizes = models.JSONField(default=list, blank=True)
    """奖项 by place: a list of {"from", "to", "name", "prize"}."""
    prize_ties = models.JSONField(default=list, blank=True)
    """并列处理: how teams that share a rank across two prizes were settled, a list of
    {"teams" (numbers), "how" ("shared" or "lots"), "order" (numbers as drawn), "seed"}."""
    uses_check_in = models.BooleanField(_("check-in"), default=False)
    """Whether teams check in (签到); without it everybody in play counts as present."""
    screen_shows = models.CharField(max_length=20, default="auto")
    publishes_to = models.CharField(
        _("publish first to"), max_length=10, choices=Audience.choices, default=Audience.EVERYBODY
    )
    """Which of the two publish buttons is the usual one."""
    public_address = models.CharField(_("public address"), max_length=200, blank=True)
    """Where phones reach this server, e.g. http://192.168.1.5:8000; empty: recognised from the request."""
    broken_tables = models.JSONField(default=list, blank=True)
    """停用的桌: table numbers that nobody is seated at, ascending."""
    revision = models.PositiveBigIntegerField(default=0, editable=False)
    """Rises with every official act: whoever cached a page of the event compares it."""
    is_rehearsal = models.BooleanField(default=False, editable=False)
    """演练: a copy to practise on; every page and sheet says so, and it is thrown away afterwards."""
    archived_at = models.DateTimeField(null=True, blank=True, editable=False)
    """归档: from then on the event is only read, until an administrator opens it again."""
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        ordering = ["-starts_at", "-pk"]
        permissions = [
            ("manage_event", "Create and set up events, rules, users; restore"),
            ("direct_play", "Draw, publish, run the clock, close a round"),
            ("correct_results", "Change a confirmed result, give penalties"),
            ("assist_play", "Import, check in, enter results, print, export"),
            ("read_log", "Read the log of official acts"),
        ]

    def __str__(self) -> str:
        return self.name


class OwnPreset(models.Model):
    """自存模板: a regulation kept for later events; `content` as in ``fixtures/presets``."""

    name = models.CharField(_("name"), max_length=40, unique=True)
    summary = models.CharField(_("in short"), max_length=200, blank=True)
    content = models.JSONField()
    kept_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    kept_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("own preset")
        verbose_name_plural = _("own presets")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.name


class Official(models.Model):
    """工作人员: a user who officiates an event; the user's groups say in which role."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="officials")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="appointments")

    class Meta:
        verbose_name = _("official")
        verbose_name_plural = _("officials")
        constraints = [models.UniqueConstraint(fields=["event", "user"], name="official_once_per_event")]

    def __str__(self) -> str:
        return f"{self.user} · {self.event}"


class Presence(models.Model):
    """在线: when an official last asked for a page of the event; no act, so it is not in the log."""

    survives_restore = True

    event = models.ForeignKey(Event, models.CASCADE, related_name="presences")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    seen_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "user"], name="presence_once_per_event")]

    def __str__(self) -> str:
        return f"{self.user_id} · {self.event_id}"
