"""成绩册: what happened at the tables."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models import Extra, Match, Round, Stage, Team

LOWEST_LEVEL = 2
PASSED_A = 15


class Outcome(models.TextChoices):
    """What became of a match."""

    PLAYED = "played", _("played")
    FORFEIT_HOME = "forfeit_home", _("home forfeits")
    FORFEIT_AWAY = "forfeit_away", _("away forfeits")
    DOUBLE_FORFEIT = "double_forfeit", _("both forfeit")
    BYE = "bye", _("bye")
    IRREGULAR = "irregular", _("irregular")


class Confirmation(models.TextChoices):
    """复核: what the second look at a result came to; empty where the event asks for none."""

    NOT_ASKED = "", _("not asked for")
    OPEN = "open", _("not confirmed")
    OFFICIAL = "official", _("second official")
    PHONES = "phones", _("both teams on the phone")
    CHIEF = "chief", _("chief referee’s decision")


class Result(Extra):
    """成绩: what a table played; no row means that it is not entered, which is never a tie."""

    match = models.OneToOneField(Match, models.CASCADE, related_name="result")
    outcome = models.CharField(max_length=16, choices=Outcome.choices)
    home_level = models.PositiveSmallIntegerField(null=True, blank=True)
    away_level = models.PositiveSmallIntegerField(null=True, blank=True)
    winner = models.CharField(max_length=4, blank=True)
    """home, away, tie; empty where nobody can win (both forfeit, bye, irregular)."""
    reason = models.CharField(max_length=16, blank=True)
    facts = models.JSONField(default=dict, blank=True)
    """What a tie rule needs to know, in the event file's names, and `deals` or `games`."""
    version = models.PositiveIntegerField(default=1)
    """Rises with every change; a save that saw an older one is stale."""
    entered_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    entered_at = models.DateTimeField(default=timezone.now)
    entered_at_table = models.BooleanField(default=False)
    """Whether both teams entered it on the table's phone page."""
    confirmation = models.CharField(max_length=10, choices=Confirmation.choices, blank=True)
    confirmed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    confirmed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("result")
        verbose_name_plural = _("results")
        constraints = [
            models.CheckConstraint(
                condition=Q(home_level__isnull=True) | Q(home_level__range=(LOWEST_LEVEL, PASSED_A)),
                name="home_level_from_2_to_passed",
            ),
            models.CheckConstraint(
                condition=Q(away_level__isnull=True) | Q(away_level__range=(LOWEST_LEVEL, PASSED_A)),
                name="away_level_from_2_to_passed",
            ),
            models.CheckConstraint(
                condition=Q(home_level__isnull=True)
                | Q(home_level__lt=PASSED_A)
                | ~Q(home_level=F("away_level")),
                name="only_one_side_passes",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}: {self.outcome} {self.home_level}:{self.away_level}"

    @property
    def is_unconfirmed(self) -> bool:
        """Whether the second look that the event wants is still to come."""
        return self.confirmation == Confirmation.OPEN

    @property
    def is_confirmed(self) -> bool:
        """Whether somebody took the second look; False where the event wants none."""
        return self.confirmation in {Confirmation.OFFICIAL, Confirmation.PHONES, Confirmation.CHIEF}


class Speaker(models.TextChoices):
    """Who says what a table played, beside the result that stands."""

    OFFICIAL = "official", _("second official")
    HOME = "home", _("home team")
    AWAY = "away", _("away team")


class Statement(models.Model):
    """说法: what a second official or a side says a table played, until it is the result or was decided."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="statements")
    speaker = models.CharField(max_length=8, choices=Speaker.choices)
    content = models.JSONField(null=True)
    """The result in the event file's names; null says only that the stored one is not right."""
    differs = models.BooleanField(default=False)
    """Whether it contradicts the result or the other side, so that the chief referee decides."""
    version = models.PositiveIntegerField(default=1)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("statement")
        verbose_name_plural = _("statements")
        constraints = [
            models.UniqueConstraint(fields=["match", "speaker"], name="one_statement_per_match_and_speaker")
        ]

    def __str__(self) -> str:
        return f"{self.match_id} {self.speaker}"


class TableCode(models.Model):
    """桌码: the secret in the address of a table's phone page; without the row the address leads nowhere."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="table_codes")
    table = models.PositiveIntegerField()
    token = models.CharField(max_length=43, unique=True)

    class Meta:
        verbose_name = _("table code")
        verbose_name_plural = _("table codes")
        constraints = [
            models.UniqueConstraint(fields=["round", "table"], name="one_code_per_round_and_table")
        ]

    def __str__(self) -> str:
        return f"{self.round_id}/{self.table}"


class CallReason(models.TextChoices):
    """Why a table calls the referee."""

    RULES = "rules", _("rules")
    LATE = "late", _("somebody is late")
    CARDS = "cards", _("cards are missing")
    OTHER = "other", _("something else")


class RefereeCall(models.Model):
    """叫裁判: a table asks for a referee, until an official answers."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="referee_calls")
    reason = models.CharField(max_length=10, choices=CallReason.choices)
    called_at = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField(null=True, blank=True)
    seen_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    class Meta:
        verbose_name = _("call for a referee")
        verbose_name_plural = _("calls for a referee")
        ordering = ["called_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["match"], condition=Q(seen_at__isnull=True), name="one_open_call_per_match"
            )
        ]

    def __str__(self) -> str:
        return f"{self.match_id} {self.reason}"


class TableSheet(models.Model):
    """逐副记录: a table recorded deal by deal; it counts for nothing until it is handed over as a result.

    The row stays when the draft goes, so that its version never comes back.
    """

    match = models.OneToOneField(Match, models.CASCADE, related_name="table_sheet")
    content = models.JSONField(null=True)
    """The engine's sheet as plain data; null while there is no draft."""
    version = models.PositiveIntegerField(default=1)
    """Rises with every step; a step that saw an older one is stale."""
    updated_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    updated_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("table sheet")
        verbose_name_plural = _("table sheets")

    def __str__(self) -> str:
        return f"{self.match_id} v{self.version}"


class Adjustment(Extra):
    """加减分: points given or taken beside what was played, with a reason."""

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="adjustments")
    team = models.ForeignKey(Team, models.CASCADE, related_name="adjustments")
    round_number = models.PositiveSmallIntegerField()
    points = models.SmallIntegerField(_("points"))
    reason = models.CharField(_("reason"), max_length=200)

    class Meta:
        verbose_name = _("adjustment")
        verbose_name_plural = _("adjustments")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.team_id} {self.points:+d}"
