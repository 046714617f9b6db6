"""编排: the draw of a round and what was published of it."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models import Event, Extra, Round


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
    tables = models.JSONField(default=dict, blank=True)
    """Which table numbers it had, as `pairing.explained.tables_from_dict` reads it; empty: 1, 2, 3 …"""
    by_hand = models.JSONField(default=dict, blank=True)
    """How the published tables differ from the engine's own draw and why: {"tables", "broken", "reason"}."""
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


class ScreenRole(models.TextChoices):
    """What a projector page can show; `AUTO` follows the event: draw, clock, standings."""

    AUTO = "auto", _("follows the event")
    TABLES = "tables", _("draw by table")
    NUMBERS = "numbers", _("draw by number")
    STANDINGS = "standings", _("standings")
    CLOCK = "clock", _("clock")
    BRACKET = "bracket", _("bracket or cross-table")
    NOTICE = "notice", _("notice")
    CODE = "code", _("QR code for phones")


class Distance(models.TextChoices):
    """How far the last row sits from the projector screen: what the smallest type must be."""

    NEAR = "near", _("up to 12 metres")
    MIDDLE = "middle", _("up to 20 metres")
    FAR = "far", _("more than 20 metres")


KEY_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Those that nobody mistakes for another while typing an address at a projector."""
KEY_LENGTH = 14


def new_screen_key() -> str:
    """What stands in a screen's address: 14 of 31 letters, 69 bits, so that nobody finds it by trying."""
    return "".join(secrets.choice(KEY_LETTERS) for _place in range(KEY_LENGTH))


def following() -> list[str]:
    """The roles of a screen that was set up without choosing any."""
    return [ScreenRole.AUTO.value]


class Screen(Extra):
    """大屏: one projector of the hall and what it shows; a restore leaves it alone, it hangs on the wall."""

    survives_restore = True

    event = models.ForeignKey(Event, models.CASCADE, related_name="screens")
    key = models.CharField(max_length=40, default=new_screen_key, editable=False)
    """Whoever knows it sees what the hall sees."""
    name = models.CharField(_("name"), max_length=40)
    roles = models.JSONField(default=following)
    """What it shows, one after the other: a list of `ScreenRole`."""
    pinned = models.CharField(max_length=20, blank=True)
    """The one role that is shown alone; empty while it goes through all."""
    is_held = models.BooleanField(default=False)
    """Whether the page that is up stays up."""
    turns = models.IntegerField(default=0)
    """Pages asked for from the desk so far, forward minus back; a screen makes up the difference."""
    seconds = models.PositiveSmallIntegerField(
        _("seconds a page"), default=12, validators=[MinValueValidator(5), MaxValueValidator(120)]
    )
    distance = models.CharField(_("last row"), max_length=10, choices=Distance.choices, default=Distance.NEAR)
    notice = models.CharField(_("notice"), max_length=300, blank=True)
    seen_at = models.DateTimeField(null=True, blank=True, editable=False)
    """When it last asked the server."""
    seen_role = models.CharField(max_length=20, blank=True, editable=False)
    seen_page = models.PositiveSmallIntegerField(default=0, editable=False)
    seen_pages = models.PositiveSmallIntegerField(default=0, editable=False)
    """What it showed then: page of pages, over all roles that it goes through."""

    class Meta:
        verbose_name = _("screen")
        verbose_name_plural = _("screens")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["event", "key"], name="screen_key_once_per_event"),
            models.UniqueConstraint(fields=["event", "name"], name="screen_name_once_per_event"),
        ]

    def __str__(self) -> str:
        return self.name


class Ceremony(models.Model):
    """揭晓: the tables of a publication put up one after the other, before the eyes of the hall."""

    publication = models.OneToOneField(Publication, models.CASCADE, related_name="ceremony")
    started_at = models.DateTimeField()
    seconds = models.PositiveSmallIntegerField()
    """From the start until the last table is up."""
    skipped_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("ceremony")
        verbose_name_plural = _("ceremonies")

    def __str__(self) -> str:
        return f"{self.publication} {timezone.localtime(self.started_at):%F %T}"
