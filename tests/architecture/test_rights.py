"""Who may do what: every address × role × method in one table; an address without a row fails.

`right` names who gets past the door. `public`: everybody. `assist`, `direct`, `read_log`, `manage`: officials
of the event who hold it. `administrator`: the whole installation. Everybody else gets the login page
(anonymous), 404 (an official of another event) or 403 (an official of this event without the right).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from pairing.models import Publication, Screen
from scoring.models import Adjustment, Appeal, Penalty, RefereeCall, TableCode
from scoring.table_codes import make_codes
from tests.builders import ROLES, make_event, make_result, make_round, make_user
from tests.format_events import group_stage, knockout_stage, seat_round
from tournaments.models import Clock, Event, Occasion, PartnerDraw, RoundStatus, Single
from tournaments.services.presets import keep_preset
from tournaments.snapshots import take_snapshot

METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE")
GETS_IN = {
    "public": {"anonymous", "assistant", "chief", "administrator", "foreign"},
    "assist": {"assistant", "chief", "administrator"},
    "direct": {"chief", "administrator"},
    "read_log": {"chief", "administrator"},
    "manage": {"administrator"},
    "administrator": {"administrator"},
}
ROLE_NAMES = ("anonymous", "assistant", "chief", "administrator", "foreign")
READ = frozenset({"GET", "HEAD"})
WRITE = frozenset({"POST"})
BOTH = READ | WRITE


@dataclass(frozen=True)
class Row:
    """An address: who gets in, with which methods, and what its path needs beside the event's slug."""

    right: str
    methods: frozenset[str] = READ
    kwargs: dict[str, Any] = field(default_factory=dict)


ROUND = {"stage": 1, "round": 1}
PRINT = {"stage": 1, "number": 1}
TABLE = {**ROUND, "table": 1}
TEAM = {"number": 8}
GROUP = {"stage": 4, "group": 1}
"""Of the stage that finds its own time."""
SCREEN = {"key": "hallkey23"}
"""Whoever knows the key in a screen's address sees what the hall sees."""
OF_A_STAGE = {
    *("stage_change", "stage_move", "stage_remove", "stage_begin"),
    *("stage_lots", "stage_order", "stage_replace", "schedule_publish"),
}
TABLE_OF_RIGHTS = {
    "event": Row("public"),
    "find_team": Row("public"),
    "rules": Row("public"),
    "screen": Row("public"),
    "screen_data": Row("public"),
    "screen_keyed": Row("public", READ, SCREEN),
    "screen_keyed_data": Row("public", READ, SCREEN),
    "screen_clock": Row("public", READ, SCREEN),
    "draw_latest": Row("public"),
    "draw": Row("public", READ, ROUND),
    "draw_changes": Row("public", READ, ROUND),
    "clock_json": Row("public"),
    "standings": Row("public", READ, {"stage": 1}),
    "standings_after": Row("public", READ, ROUND),
    "team": Row("public", READ, TEAM),
    "department_standings": Row("public"),
    "cross_table": Row("public", READ, {"stage": 2}),
    "bracket": Row("public", READ, {"stage": 3}),
    "team_card": Row("public", READ, TEAM),
    "desk": Row("assist"),
    "check_in": Row("assist"),
    "check_in_find": Row("assist", WRITE),
    "check_in_mark": Row("assist", WRITE),
    "check_in_use": Row("assist", WRITE),
    "check_in_undo": Row("assist", WRITE),
    "check_in_team": Row("assist", BOTH, TEAM),
    "why": Row("public", READ, {**ROUND, "number": 1}),
    "why_official": Row("direct", READ, {**ROUND, "number": 1}),
    "hall_tables": Row("direct", BOTH),
    "team_seat": Row("direct", WRITE, TEAM),
    "player_replace": Row("assist", BOTH, TEAM),
    "screen_switch": Row("assist", WRITE),
    "screens": Row("assist", BOTH),
    "screens_now": Row("assist"),
    "screens_notice": Row("assist", WRITE),
    "screen_edit": Row("assist", BOTH),
    "screen_remove": Row("assist", WRITE),
    "screen_steer": Row("assist", WRITE),
    "ceremony_start": Row("direct", WRITE),
    "ceremony_publish": Row("direct", WRITE),
    "ceremony_skip": Row("direct", WRITE),
    "draw_board": Row("direct"),
    "draw_make": Row("direct", WRITE),
    "draw_again": Row("direct", WRITE),
    "draw_swap": Row("direct", BOTH),
    "draw_meeting": Row("direct", WRITE),
    "draw_discard": Row("direct", WRITE),
    "draw_publish": Row("direct", WRITE),
    "draw_open": Row("direct", WRITE),
    "draw_republish": Row("direct", WRITE),
    "notice_end": Row("direct", WRITE),
    "draw_withdraw": Row("direct", WRITE),
    "versions": Row("assist", READ, ROUND),
    "version": Row("assist", READ, {**ROUND, "version": 1}),
    "draw_tables": Row("direct", BOTH, ROUND),
    "stages": Row("direct"),
    "group_edit": Row("direct", BOTH, GROUP),
    "group_finish": Row("direct", WRITE, GROUP),
    "group_reopen": Row("direct", WRITE, GROUP),
    "group_results": Row("assist", READ, GROUP),
    "group_result_save": Row("assist", WRITE, {**GROUP, "table": 1}),
    "group_table": Row("assist", READ, {**GROUP, "table": 1, "page": "history"}),
    "stage_add": Row("manage", WRITE),
    "sessions_split": Row("manage", WRITE),
    "stage_change": Row("manage", WRITE, {"pk": 1}),
    "stage_move": Row("manage", WRITE, {"pk": 1}),
    "stage_remove": Row("manage", WRITE, {"pk": 1}),
    "stage_begin": Row("direct", WRITE, {"pk": 1}),
    "stage_lots": Row("direct", WRITE, {"pk": 1}),
    "stage_order": Row("direct", WRITE, {"pk": 1}),
    "stage_replace": Row("direct", WRITE, {"pk": 1}),
    "schedule_publish": Row("direct", WRITE, {"pk": 1}),
    "correction": Row("direct", BOTH, TABLE),
    "penalty_correction": Row("direct", BOTH),
    "matches_void": Row("direct", BOTH, TABLE),
    "round_close": Row("direct", WRITE),
    "round_reopen": Row("direct", WRITE),
    "clock": Row("direct"),
    "clock_act": Row("direct", WRITE, {"act": "start"}),
    "results_latest": Row("assist"),
    "results": Row("assist", READ, ROUND),
    "result_save": Row("assist", WRITE, TABLE),
    "result_history": Row("assist", READ, TABLE),
    "result_checks": Row("assist", READ, ROUND),
    "result_check": Row("assist", WRITE, TABLE),
    "dispute_decide": Row("direct", WRITE, TABLE),
    "call_answer": Row("assist", WRITE, {"pk": 1}),
    "confirmation_edit": Row("manage", BOTH),
    "table_codes": Row("direct", BOTH, ROUND),
    "table_sheet": Row("assist", READ, TABLE),
    "table_sheet_act": Row("assist", WRITE, {**TABLE, "act": "deal"}),
    "standings_latest": Row("assist"),
    "penalties": Row("assist"),
    "penalty_give": Row("direct", WRITE),
    "penalty_cancel": Row("direct", WRITE, {"pk": 1}),
    "adjustment_remove": Row("direct", WRITE, {"pk": 1}),
    "penalties_pdf": Row("assist"),
    "appeals": Row("assist", BOTH),
    "appeal_decide": Row("direct", WRITE, {"pk": 1}),
    "roster": Row("assist"),
    "lineups": Row("assist", BOTH),
    "lineups_of": Row("assist", BOTH, ROUND),
    "singles": Row("assist", BOTH),
    "singles_import": Row("assist", WRITE),
    "single_remove": Row("assist", WRITE, {"pk": 1}),
    "partners_draw": Row("assist", BOTH),
    "partners_undo": Row("assist", WRITE, {"pk": 1}),
    "partners_pdf": Row("assist"),
    "partners": Row("public"),
    "roster_import": Row("assist", BOTH),
    "roster_template": Row("assist"),
    "roster_export": Row("assist"),
    "team_add": Row("assist", BOTH),
    "team_edit": Row("assist", BOTH, TEAM),
    "team_withdraw": Row("assist", BOTH, TEAM),
    "team_reinstate": Row("assist", WRITE, TEAM),
    "team_remove": Row("assist", BOTH, TEAM),
    "prints": Row("assist"),
    "check_in_pdf": Row("assist", READ, {"order": "by_number"}),
    "team_cards_pdf": Row("assist"),
    "rule_sheet_pdf": Row("assist"),
    "prizes": Row("assist"),
    "prize_tie": Row("direct", WRITE),
    "prizes_pdf": Row("assist"),
    "prizes_xlsx": Row("assist"),
    "certificates_pdf": Row("assist"),
    "prizes_edit": Row("manage", BOTH),
    "roster_pdf": Row("assist"),
    "roster_by_department_pdf": Row("assist"),
    "draw_pdf": Row("assist", READ, {**PRINT, "sheet": "draw-by-table"}),
    "pack_pdf": Row("assist", READ, {**PRINT, "version": 1}),
    "pack_zip": Row("direct", READ, {**PRINT, "version": 1}),
    "emergency_card": Row("assist"),
    "draw_version_pdf": Row("assist", READ, {**PRINT, "version": 1, "sheet": "draw-by-table"}),
    "draw_xlsx": Row("assist", READ, PRINT),
    "standings_pdf": Row("assist", READ, PRINT),
    "standings_xlsx": Row("assist", READ, PRINT),
    "cross_table_pdf": Row("assist", READ, {"stage": 2}),
    "cross_table_xlsx": Row("assist", READ, {"stage": 2}),
    "bracket_pdf": Row("assist", READ, {"stage": 3}),
    "departments_pdf": Row("assist"),
    "departments_xlsx": Row("assist"),
    "final_pdf": Row("assist", READ, {"stage": 1}),
    "final_xlsx": Row("assist", READ, {"stage": 1}),
    "log": Row("read_log"),
    "event_settings": Row("manage", BOTH),
    "event_file": Row("direct"),
    "rehearsal": Row("direct"),
    "rehearsal_act": Row("direct", WRITE, {"act": "play"}),
    "event_copy": Row("manage", BOTH),
    "event_archive": Row("manage", WRITE),
    "final_ranking": Row("public"),
    "officials": Row("manage", BOTH),
    "rules_edit": Row("manage", BOTH),
    "discipline_edit": Row("manage", BOTH),
    "preset_keep": Row("manage", WRITE),
    "snapshots": Row("manage", BOTH),
    "snapshot_restore": Row("manage", BOTH),
}
INSTALLATION = {
    "home": Row("public"),
    "past_events": Row("public"),
    "backups": Row("administrator", BOTH),
    "backup_now": Row("administrator", WRITE),
    "backup_download": Row("administrator", WRITE),
    "installation_card": Row("administrator"),
    "event_import": Row("administrator", BOTH),
    "department_table": Row("public"),
    "login": Row("public", BOTH),
    "logout": Row("public", WRITE),
    "table_phone": Row("public", READ, {"token": "none"}),
    "table_phone_act": Row("public", WRITE, {"token": "none", "act": "side"}),
    "help": Row("public"),
    "help_page": Row("public", READ, {"name": "day"}),
    "language": Row("public", READ, {"code": "en"}),
    "event_create": Row("administrator", BOTH),
    "planner": Row("administrator"),
    "preset_remove": Row("administrator", WRITE, {"pk": 1}),
    "users": Row("administrator"),
    "user_create": Row("administrator", BOTH),
    "user_edit": Row("administrator", BOTH),
}


ONLY_AT_THE_FIRST_START = {"start"}
"""Leads to the login as soon as anybody can sign in: tests/views/test_backups.py."""


def _names(resolver: URLResolver) -> Iterator[str | None]:
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLPattern):
            yield pattern.name
        elif pattern.namespace != "admin":
            yield from _names(pattern)


def test_every_address_has_a_row():
    names = list(_names(get_resolver()))
    assert None not in names
    assert set(names) == set(TABLE_OF_RIGHTS) | set(INSTALLATION) | ONLY_AT_THE_FIRST_START


@pytest.fixture
def event(db, settings, tmp_path) -> Event:
    settings.DATA_DIR = tmp_path
    event = make_event()
    round_ = make_round(event, [(1, 2), (3, 4), (5, 6), (7, 8)])
    Clock.objects.create(round=round_, length=2700)
    make_result(round_, 1, 10, 7)
    seat_round(group_stage(event, 2), 1)
    seat_round(knockout_stage(event, 4), 1)
    seat_round(group_stage(event, 2, order=4, rules={"format": {"groups": 2, "schedule": "self"}}), 1)
    Screen.objects.create(event=event, name="北墙", **SCREEN)
    return event


@pytest.fixture
def clients(event) -> dict[str, Client]:
    users = {role: make_user(role, group, event) for role, group in ROLES.items()}
    users["foreign"] = make_user("foreign", ROLES["chief"], make_event(slug="other"))
    clients = {"anonymous": Client()}
    for role, user in users.items():
        clients[role] = Client()
        clients[role].force_login(user)
    return clients


def _expected(row: Row, role: str, method: str, *, of_event: bool) -> str:
    if method not in row.methods:
        return "wrong method"
    if role in GETS_IN[row.right]:
        return "in"
    if role == "anonymous":
        return "login"
    return "not found" if of_event and role == "foreign" else "forbidden"


def _seen(response: Any) -> str:
    if response.status_code == 302 and response.headers["Location"].startswith("/login/"):
        return "login"
    known = {403: "forbidden", 404: "not found", 405: "wrong method"}
    assert response.status_code < 500
    return known.get(response.status_code, "in")


def _ruled(event: Event, name: str) -> dict[str, int]:
    if name in OF_A_STAGE:
        return {"pk": event.stages.get(order=1).pk}
    about = {"stage": event.stages.get(order=1), "team": event.teams.get(number=8), "round_number": 1}
    if name == "appeal_decide":
        return {"pk": Appeal.objects.create(**about, text="牌数无误").pk}
    if name == "adjustment_remove":
        return {"pk": Adjustment.objects.create(**about, points=-1, reason="迟到").pk}
    if name == "penalty_cancel":
        warning = Penalty.objects.create(**about, rule="late", action="warning", reason="迟到")
        return {"pk": warning.pk}
    return {}


def _address(name: str, row: Row, event: Event) -> str:
    kwargs = dict(row.kwargs)
    if name == "snapshot_restore":
        kwargs["pk"] = take_snapshot(event=event, by=None, occasion=Occasion.BY_HAND).pk
    if name == "call_answer":
        match = event.stages.get(order=1).rounds.get(number=1).matches.get(table=2)
        kwargs["pk"] = RefereeCall.objects.create(match=match, reason="rules").pk
    if name in ("version", "draw_version_pdf", "pack_pdf", "pack_zip"):
        round_ = event.stages.get(order=1).rounds.get(number=1)
        Publication.objects.get_or_create(
            round=round_, version=1, defaults={"published_at": event.created_at, "seating": [[1, 1, 2]]}
        )
    if name == "single_remove":
        kwargs["pk"] = Single.objects.create(event=event, position=1, name="单人").pk
    if name in ("partners", "partners_pdf", "partners_undo"):
        record = {
            "seed": 1,
            "kind": "numbers",
            "departments": "any",
            "entrants": [],
            "pairs": [],
            "waiting": [],
        }
        draw = PartnerDraw.objects.create(event=event, record=record)
        kwargs |= {"pk": draw.pk} if name == "partners_undo" else {}
    if name.startswith("table_phone"):
        kwargs["token"] = _table_code(event)
    if name == "preset_remove":
        kwargs["pk"] = keep_preset(event=event, name="模板", summary="", by=None).pk
    kwargs |= _ruled(event, name)
    if name == "user_edit":
        kwargs["pk"] = event.officials.first().user_id
    if name in {"screen_edit", "screen_remove", "screen_steer"}:
        kwargs["pk"] = event.screens.get().pk
    of_event = name in TABLE_OF_RIGHTS
    return reverse(name, kwargs={"slug": event.slug, **kwargs} if of_event else kwargs)


def _table_code(event: Event) -> str:
    stage = event.stages.get(order=1)
    stage.rules = {**stage.rules, "confirmation": {"phones": "enter"}}
    stage.save()
    make_codes(stage.rounds.get(number=1))
    return TableCode.objects.get(round__stage=stage, table=2).token


@pytest.mark.parametrize("name", [*TABLE_OF_RIGHTS, *INSTALLATION])
def test_rights(name, event, clients):
    of_event = name in TABLE_OF_RIGHTS
    row = TABLE_OF_RIGHTS[name] if of_event else INSTALLATION[name]
    address = _address(name, row, event)
    for role in ROLE_NAMES:
        for method in METHODS:
            with transaction.atomic():
                response = clients[role].generic(method, address)
                transaction.set_rollback(True)
            expected = _expected(row, role, method, of_event=of_event)
            assert (role, method, _seen(response)) == (role, method, expected)


@pytest.mark.parametrize("name", ["event", "standings", "draw", "clock_json", "screen_data", "rules"])
def test_a_private_event_exists_only_for_its_officials(name, event, clients):
    Event.objects.filter(pk=event.pk).update(is_public=False)
    address = _address(name, TABLE_OF_RIGHTS[name], event)
    seen = {role: _seen(clients[role].get(address)) for role in ROLE_NAMES}
    assert seen == {
        "anonymous": "not found",
        "foreign": "not found",
        "assistant": "in",
        "chief": "in",
        "administrator": "in",
    }


@pytest.mark.parametrize("sheet", ["draw-by-table", "draw-by-number", "slips"])
def test_a_draft_is_printed_for_the_chief_only(sheet, event, clients):
    event.stages.get(order=1).rounds.update(status=RoundStatus.COMPLETED)
    make_round(event, [(1, 3), (2, 4), (5, 7), (6, 8)], number=2, status=RoundStatus.DRAFT)
    address = reverse("draw_pdf", kwargs={"slug": event.slug, "stage": 1, "number": 2, "sheet": sheet})
    seen = {role: _seen(clients[role].get(address)) for role in ROLE_NAMES}
    assert seen == {
        "anonymous": "login",
        "foreign": "not found",
        "assistant": "forbidden",
        "chief": "in",
        "administrator": "in",
    }


def test_rights_end_at_once_when_removed(event, clients):
    desk = reverse("desk", args=[event.slug])
    assert clients["assistant"].get(desk).status_code == 200
    event.officials.filter(user__username="assistant").delete()
    assert clients["assistant"].get(desk).status_code == 404
