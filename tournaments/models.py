"""秩序册: who enters, who meets whom, where and when.

`Round` and `Match` live here because both the results and the draws need them.
Facts that carry a promise are database constraints, since SQLite and PostgreSQL both keep those.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.attendance import absence_from, read_absences

NAME_LENGTH = 40
"""Longest name of a player or department, in characters: what a sheet and the projector can still show."""


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
    """抽签定名次: {"seed": …, "places": {team key: place}}, drawn once and recorded."""

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
