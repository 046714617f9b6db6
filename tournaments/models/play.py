"""秩序册: who meets whom, where and when.

`Round` and `Match` live in this app because both the results and the draws need them.
"""

from __future__ import annotations

from typing import Any

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.events import Audience, Event, Extra
from tournaments.models.rosters import NAME_LENGTH, Team


class StageFormat(models.TextChoices):
    """赛制 of a stage."""

    SWISS = "swiss", _("Swiss")
    ROUND_ROBIN = "round_robin", _("round robin")
    KNOCKOUT = "knockout", _("knockout")


class Stage(Extra):
    """阶段: part of an event with one format; `rules` is the event file's `rules` object."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="stages")
    key = models.CharField(max_length=60, editable=False)
    order = models.PositiveSmallIntegerField(default=1)
    name = models.CharField(_("name"), max_length=60)
    format = models.CharField(
        _("format"), max_length=20, choices=StageFormat.choices, default=StageFormat.SWISS
    )
    rounds_planned = models.PositiveSmallIntegerField(
        _("number of rounds"), default=4, validators=[MinValueValidator(1), MaxValueValidator(50)]
    )
    rules = models.JSONField(default=dict, blank=True)
    teams = models.ManyToManyField(Team, through="StageEntry", blank=True, related_name="stages")
    """Empty means all teams of the event."""
    layout = models.JSONField(default=dict, blank=True)
    """What the format drew once for the whole stage: the schedule or the bracket, with its seed."""
    first_table = models.PositiveIntegerField(_("first table"), null=True, blank=True)
    last_table = models.PositiveIntegerField(_("last table"), null=True, blank=True)
    """桌号范围: where the stage plays; null: from table 1, as many as it needs."""
    lots = models.JSONField(default=dict, blank=True)
    """抽签定名次: {"seed": …, "places": {team key: place}, "settled": [team keys not drawn, but decided]}."""

    class Meta:
        verbose_name = _("stage")
        verbose_name_plural = _("stages")
        ordering = ["order"]
        constraints = [
            models.UniqueConstraint(fields=["event", "order"], name="stage_order_once_per_event"),
            models.UniqueConstraint(fields=["event", "key"], name="stage_key_once_per_event"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_self_scheduled(self) -> bool:
        """Whether the teams of this round robin find their own time (自约)."""
        format_rules: dict[str, Any] = self.rules.get("format", {})
        return self.format == StageFormat.ROUND_ROBIN and format_rules.get("schedule") == "self"

    @property
    def minutes(self) -> int | None:
        """Minutes of a round; None when the event plays without a clock."""
        match_rules: dict[str, Any] = self.rules.get("match", {})
        minutes: int | None = match_rules.get("minutes", 45)
        return minutes


BARE_NAME = 2
"""Longest name of a group that is only its letter or number."""


class Group(Extra):
    """小组 of a stage; its teams meet only each other."""

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="groups")
    order = models.PositiveSmallIntegerField()
    name = models.CharField(_("name"), max_length=30)
    convenor_team = models.ForeignKey(Team, models.SET_NULL, related_name="+", null=True, blank=True)
    """召集人 of a group that finds its own time: the team that calls the others together …"""
    convenor = models.CharField(max_length=NAME_LENGTH, blank=True)
    """… or a person, whose phone is the officials' only."""
    convenor_phone = models.CharField(max_length=40, blank=True)
    deadline = models.DateTimeField(null=True, blank=True)
    """By when its matches are to be played; null: the last day that the stage's rules state."""
    finished_at = models.DateTimeField(null=True, blank=True)
    """When the chief ended it; from then on its results are corrected, not entered."""

    class Meta:
        verbose_name = _("group")
        verbose_name_plural = _("groups")
        ordering = ["stage_id", "order"]
        constraints = [models.UniqueConstraint(fields=["stage", "order"], name="group_order_once_per_stage")]

    def __str__(self) -> str:
        return self.name

    @property
    def title(self) -> str:
        """What a page calls it: a bare letter or number reads A 组, a name of its own stands as it is."""
        is_bare = self.name.isascii() and self.name.isalnum() and len(self.name) <= BARE_NAME
        return str(_("Group %(name)s")) % {"name": self.name} if is_bare else self.name


class StageEntry(models.Model):
    """A team's place in a stage: its group, and the seed it was given when the stage began."""

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="entries")
    team = models.ForeignKey(Team, models.RESTRICT, related_name="entries")
    group = models.ForeignKey(Group, models.RESTRICT, null=True, blank=True, related_name="entries")
    seed = models.PositiveIntegerField(_("seed"), null=True, blank=True)

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        ordering = ["stage_id", "seed", "pk"]
        constraints = [models.UniqueConstraint(fields=["stage", "team"], name="team_once_per_stage")]

    def __str__(self) -> str:
        return f"{self.stage_id}/{self.team_id}"


class RoundStatus(models.TextChoices):
    """草稿 → 已公示 → 已结束."""

    DRAFT = "draft", _("draft")
    PUBLISHED = "published", _("published")
    COMPLETED = "completed", _("completed")


class Round(Extra):
    """轮: all matches played at the same time. A draft is nobody's business but the chief's."""

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=10, choices=RoundStatus.choices, default=RoundStatus.DRAFT)
    audience = models.CharField(max_length=10, choices=Audience.choices, default=Audience.EVERYBODY)
    """Who sees the round while it is published; `HALL` never outlives the play."""
    completed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        ordering = ["stage__order", "number"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "number"], name="round_number_once_per_stage"),
            models.CheckConstraint(condition=Q(number__gte=1), name="round_number_positive"),
            models.CheckConstraint(
                condition=~Q(audience="hall") | Q(status="published"), name="hall_only_while_published"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stage} {self.number}"

    @property
    def is_draft(self) -> bool:
        """Whether only the chief may see it."""
        return self.status == RoundStatus.DRAFT

    @property
    def is_published(self) -> bool:
        """Whether it is being played."""
        return self.status == RoundStatus.PUBLISHED

    @property
    def is_hall_only(self) -> bool:
        """Whether it is being played, but phones and public pages do not know of it yet."""
        return self.audience == Audience.HALL

    @property
    def is_completed(self) -> bool:
        """Whether the chief closed it."""
        return self.status == RoundStatus.COMPLETED


class Match(Extra):
    """对阵: one encounter of two teams at a table; without `away` it is a bye (轮空), without a table."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="matches")
    table = models.PositiveIntegerField(null=True, blank=True)
    home = models.ForeignKey(Team, models.RESTRICT, related_name="home_matches")
    away = models.ForeignKey(Team, models.RESTRICT, related_name="away_matches", null=True, blank=True)
    group = models.ForeignKey(Group, models.RESTRICT, related_name="matches", null=True, blank=True)
    key = models.CharField(max_length=20, blank=True)
    """Which match of the stage's bracket this is."""
    lineup = models.JSONField(default=dict, blank=True)
    """上场名单: {"home": [names], "away": [names]}, a side only where more than two players could sit."""
    ruling = models.JSONField(default=dict, blank=True, editable=False)
    """判罚 as the engine counts them for this match, made from both teams’ penalties; empty for none."""

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        ordering = ["round_id", F("table").asc(nulls_last=True), "pk"]
        constraints = [
            models.UniqueConstraint(fields=["round", "table"], name="table_once_per_round"),
            models.CheckConstraint(condition=~Q(home=F("away")), name="team_does_not_meet_itself"),
            models.CheckConstraint(
                condition=Q(away__isnull=True, table__isnull=True) | Q(away__isnull=False),
                name="bye_has_no_table",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table or '–'}: {self.home_id} – {self.away_id or '–'}"

    @property
    def is_bye(self) -> bool:
        """Whether the home team has nobody to play this round."""
        return self.away_id is None

    @property
    def is_closed(self) -> bool:
        """Whether its round, or the group that finds its own time, was ended: a result is only corrected."""
        return self.round.is_completed or self.is_of_closed_group

    @property
    def is_of_closed_group(self) -> bool:
        """Whether its group finds its own time and was ended."""
        return self.group is not None and self.group.finished_at is not None


class Seat(models.Model):
    """One team's place in a round: the constraint that `home` and `away` side by side cannot express."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="seats")
    match = models.ForeignKey(Match, models.CASCADE, related_name="seats")
    team = models.ForeignKey(Team, models.RESTRICT, related_name="seats")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["round", "team"], name="one_seat_per_team_and_round")]

    def __str__(self) -> str:
        return f"{self.round_id}/{self.team_id}"


class Clock(models.Model):
    """计时: the countdown of a round in server time.

    Idle: neither field set. Running: `ends_at`. Paused: `remaining` (seconds).
    """

    round = models.OneToOneField(Round, models.CASCADE, related_name="clock")
    length = models.PositiveIntegerField()
    """Planned seconds, minutes added later included."""
    started_at = models.DateTimeField(null=True, blank=True)
    ends_at = models.DateTimeField(null=True, blank=True)
    remaining = models.DurationField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(ends_at__isnull=True) | Q(remaining__isnull=True), name="clock_runs_or_rests"
            )
        ]

    def __str__(self) -> str:
        return f"{self.round_id}: {self.ends_at or self.remaining}"
