"""成绩册: what happened at the tables."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.engine import penalties as engine
from tournaments.models import Extra, LogEntry, Match, Round, Stage, Team

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
    """桌码: the secret in the address of a table's phone page; without the row the address leads nowhere.

    A restore leaves codes alone: one revoked stays revoked, and one printed since stays good. So a code also
    outlives its round, which comes back under the same id.
    """

    survives_restore = True

    round = models.ForeignKey(Round, models.DO_NOTHING, related_name="table_codes", db_constraint=False)
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


class PenaltyRule(models.TextChoices):
    """Which rule was broken."""

    LATE = engine.PenaltyRule.LATE.value, _("coming late")
    SLOW_PLAY = engine.PenaltyRule.SLOW_PLAY.value, _("slow play")
    WRONG_CARDS = engine.PenaltyRule.WRONG_CARDS.value, _("hidden or missing cards")
    SIGNALS = engine.PenaltyRule.SIGNALS.value, _("signals and talk")
    PLAYER_CHANGE = engine.PenaltyRule.PLAYER_CHANGE.value, _("change of players")
    OTHER = engine.PenaltyRule.OTHER.value, _("another rule")


class PenaltyAction(models.TextChoices):
    """What a penalty does."""

    NOTE = engine.PenaltyAction.NOTE.value, _("note")
    WARNING = engine.PenaltyAction.WARNING.value, _("warning")
    LEVELS = engine.PenaltyAction.LEVELS.value, _("own levels")
    OPPONENT_LEVELS = engine.PenaltyAction.OPPONENT_LEVELS.value, _("levels for the opponents")
    POINTS = engine.PenaltyAction.POINTS.value, _("points")
    MATCH_LOST = engine.PenaltyAction.MATCH_LOST.value, _("match lost")
    BOTH_ZERO = engine.PenaltyAction.BOTH_ZERO.value, _("nothing for both")
    DISQUALIFIED = engine.PenaltyAction.DISQUALIFIED.value, _("disqualified")


class Penalty(Extra):
    """判罚: what an official ruled against a team; cancelled it stays readable and counts for nothing."""

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="penalties")
    team = models.ForeignKey(Team, models.CASCADE, related_name="penalties")
    round_number = models.PositiveSmallIntegerField()
    rule = models.CharField(max_length=20, choices=PenaltyRule.choices)
    action = models.CharField(max_length=20, choices=PenaltyAction.choices)
    amount = models.SmallIntegerField(default=0)
    """Levels or points with their sign; 0 for what has none."""
    minutes = models.PositiveSmallIntegerField(null=True, blank=True)
    """How late the team came, where that is the rule."""
    reason = models.CharField(max_length=200)
    by_name = models.CharField(max_length=150, blank=True)
    """Who ruled; kept as a name, so that it travels with the event."""
    at = models.DateTimeField(default=timezone.now)
    cancelled_at = models.DateTimeField(null=True, blank=True)
    cancelled_by = models.CharField(max_length=150, blank=True)
    cancel_reason = models.CharField(max_length=200, blank=True)
    adjustment = models.OneToOneField(
        Adjustment, models.SET_NULL, null=True, blank=True, related_name="penalty"
    )
    """The points that it gives or takes, while it stands."""

    class Meta:
        verbose_name = _("penalty")
        verbose_name_plural = _("penalties")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.team_id} {self.action} {self.amount:+d}"

    @property
    def is_cancelled(self) -> bool:
        """Whether it was taken back."""
        return self.cancelled_at is not None


class AppealOutcome(models.TextChoices):
    """What an appeal came to; empty while it is open."""

    OPEN = "", _("open")
    UPHELD = "upheld", _("upheld")
    PARTLY = "partly", _("upheld in part")
    REJECTED = "rejected", _("rejected")


class Appeal(Extra):
    """申诉: what a team contests, a match or a penalty, and what became of it."""

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="appeals")
    team = models.ForeignKey(Team, models.CASCADE, related_name="appeals")
    round_number = models.PositiveSmallIntegerField()
    penalty = models.ForeignKey(Penalty, models.SET_NULL, null=True, blank=True, related_name="appeals")
    """Against which penalty; None where it is against the match of that round."""
    text = models.CharField(max_length=400)
    received_at = models.DateTimeField(default=timezone.now)
    received_by = models.CharField(max_length=150, blank=True)
    deadline = models.DateTimeField(null=True, blank=True)
    """Until when it could be made; None where nothing had begun the time."""
    outcome = models.CharField(max_length=10, choices=AppealOutcome.choices, blank=True)
    answer = models.CharField(max_length=400, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.CharField(max_length=150, blank=True)
    act = models.ForeignKey(LogEntry, models.SET_NULL, null=True, blank=True, related_name="+")
    """What was done because of it, in the log of this installation."""

    class Meta:
        verbose_name = _("appeal")
        verbose_name_plural = _("appeals")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.team_id} {self.outcome or 'open'}"

    @property
    def is_open(self) -> bool:
        """Whether it waits for a decision."""
        return self.outcome == AppealOutcome.OPEN

    @property
    def is_late(self) -> bool:
        """Whether it came after the time allowed; it is heard all the same."""
        return self.deadline is not None and self.received_at > self.deadline
