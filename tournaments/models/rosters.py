"""名单: departments, teams and their people; who waits for a partner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.attendance import absence_from, read_absences
from tournaments.models.events import Event, Extra

if TYPE_CHECKING:
    from tournaments.models.play import Stage

NAME_LENGTH = 40
"""Longest name of a player or department, in characters: what a sheet and the projector can still show."""


class Department(Extra):
    """单位（分会、部门）: two teams of one department should not meet."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="departments")
    key = models.CharField(max_length=60, editable=False)
    name = models.CharField(_("name"), max_length=NAME_LENGTH)

    class Meta:
        verbose_name = _("department")
        verbose_name_plural = _("departments")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["event", "name"], name="department_name_once_per_event"),
            models.UniqueConstraint(fields=["event", "key"], name="department_key_once_per_event"),
        ]

    def __str__(self) -> str:
        return self.name


class Team(Extra):
    """队（对、组）: an entry, usually two partners, known by its number (组号)."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="teams")
    key = models.CharField(max_length=60, editable=False)
    number = models.PositiveIntegerField(
        _("number"), validators=[MinValueValidator(1), MaxValueValidator(99999)]
    )
    name = models.CharField(_("team name"), max_length=NAME_LENGTH, blank=True)
    department = models.ForeignKey(
        Department, models.RESTRICT, related_name="teams", null=True, blank=True, verbose_name=_("department")
    )
    session = models.CharField(_("session"), max_length=NAME_LENGTH, blank=True)
    seed = models.PositiveIntegerField(_("seed"), null=True, blank=True)
    fixed_table = models.PositiveIntegerField(_("fixed table"), null=True, blank=True)
    withdrawn_after = models.PositiveIntegerField(_("withdrawn after round"), null=True, blank=True)
    """Number of the last round it took part in; null while it plays."""
    checked_in_at = models.DateTimeField(_("checked in at"), null=True, blank=True)
    absences = models.JSONField(default=list, blank=True)
    """缺席, as `tournaments.attendance.Absence` reads it:
    {"stage" (its key), "round", "onwards", "excused", "note"}."""
    lateness = models.JSONField(default=list, blank=True)
    """迟到, as `tournaments.attendance.Lateness` reads it: {"stage" (its key), "round", "minutes"}."""
    remark = models.CharField(_("remark"), max_length=400, blank=True)
    lineup = models.JSONField(default=list, blank=True, editable=False)
    """上场名单 for the rounds to come: the names of those who sit at the table; empty where not given."""
    seated: tuple[str, ...] = ()
    """Who sits at the table of the match that a page shows; `seat_lineups` sets it, the match stores it."""

    class Meta:
        verbose_name = _("team")
        verbose_name_plural = _("teams")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="team_number_once_per_event"),
            models.UniqueConstraint(fields=["event", "key"], name="team_key_once_per_event"),
            models.CheckConstraint(condition=Q(number__gte=1), name="team_number_positive"),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.player_names}"

    @property
    def player_names(self) -> str:
        """The names as every page shows them: 张伟 · 李娜 (or the team's own name in front).

        Those who sit at the table, where a line-up says who; a leader and a coach never do.
        """
        names = " · ".join(self.seated or self.playing_names)
        return f"{self.name}（{names}）" if self.name else names

    @property
    def playing_names(self) -> tuple[str, ...]:
        """The names of the team's players, without leader and coach; of everybody where nobody plays."""
        people = list(self.players.all())
        playing = tuple(person.name for person in people if person.role == PlayerRole.PLAYER)
        return playing or tuple(person.name for person in people)

    @property
    def companions(self) -> list[Player]:
        """领队、教练: the people of the team who do not play."""
        return [person for person in self.players.all() if person.role != PlayerRole.PLAYER]

    @property
    def is_withdrawn(self) -> bool:
        """Whether it left the event (退赛)."""
        return self.withdrawn_after is not None

    def is_absent(self, stage: Stage, round_number: int) -> bool:
        """Whether it misses a round of a stage (缺席)."""
        return absence_from(read_absences(self.absences), stage.key, round_number) is not None


class PlayerRole(models.TextChoices):
    """What a person does in the team."""

    PLAYER = "player", _("player")
    LEADER = "leader", _("team leader")
    COACH = "coach", _("coach")


class Player(Extra):
    """选手, with a place in the team; a leader (领队) or coach (教练) does not sit at the table."""

    team = models.ForeignKey(Team, models.CASCADE, related_name="players")
    position = models.PositiveSmallIntegerField(default=1)
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    role = models.CharField(_("role"), max_length=10, choices=PlayerRole.choices, default=PlayerRole.PLAYER)
    phone = models.CharField(_("phone"), max_length=40, blank=True)
    former = models.JSONField(default=list, blank=True)
    """换人: who held this place before, as `tournaments.attendance.Former` reads it, the earliest first:
    {"name", "stage" (its key), "until" (the last round), "note"}."""

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        ordering = ["team_id", "position"]
        constraints = [
            models.UniqueConstraint(fields=["team", "position"], name="player_position_once_per_team")
        ]

    def __str__(self) -> str:
        return self.name


class Sex(models.TextChoices):
    """性别, for mixed partners."""

    MAN = "m", _("man")
    WOMAN = "f", _("woman")


class Single(Extra):
    """单人: a person without a partner, waiting for one to be drawn."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="singles")
    position = models.PositiveIntegerField()
    """The order of entering; a draw takes the people in it."""
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    sex = models.CharField(_("sex"), max_length=1, choices=Sex.choices, blank=True)
    department = models.ForeignKey(
        Department,
        models.RESTRICT,
        related_name="singles",
        null=True,
        blank=True,
        verbose_name=_("department"),
    )
    phone = models.CharField(_("phone"), max_length=40, blank=True)

    class Meta:
        verbose_name = _("single player")
        verbose_name_plural = _("single players")
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["event", "position"], name="single_position_once_per_event"),
            models.UniqueConstraint(fields=["event", "name"], name="single_name_once_per_event"),
        ]

    def __str__(self) -> str:
        return self.name


class PartnerDraw(Extra):
    """搭档抽签: who became partners, so that anybody can draw them again.

    `record` holds `seed`, `kind`, `departments`, `entrants` (in order, each {"name", "sex", "department"}),
    `pairs` (each {"number", "team" (key), "players"}) and `waiting` (names).
    """

    event = models.ForeignKey(Event, models.CASCADE, related_name="partner_draws")
    drawn_at = models.DateTimeField(default=timezone.now)
    record = models.JSONField()

    class Meta:
        verbose_name = _("draw of partners")
        verbose_name_plural = _("draws of partners")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.event} {timezone.localtime(self.drawn_at):%F %T}"
