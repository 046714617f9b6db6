"""Every roster case comes out exactly as it says beside it."""

from __future__ import annotations

import json

import pytest

from tests.engine.roster.files import CASES, names
from tournaments.roster import Layout, RosterReading, describe, read_roster

FILES = sorted(path for path in CASES.iterdir() if path.suffix in (".xlsx", ".csv"))
LAYOUTS = {
    "r01-plain": Layout.ONE_ROW,
    "r02-title-and-merged": Layout.ONE_ROW,
    "r03-two-rows-a-team": Layout.TWO_ROWS,
    "r04-entry-form-two-sessions": Layout.SESSIONS,
    "r05-spaces": Layout.ONE_ROW,
    "r06-gbk": Layout.ONE_ROW,
    "r07-errors": Layout.ONE_ROW,
}


def as_expected_file(reading: RosterReading) -> dict[str, list[dict[str, object]]]:
    teams = []
    for team in reading.teams:
        told: dict[str, object] = {
            "row": team.row,
            "number": team.number,
            "department": team.department,
            "players": list(names(team)),
        }
        teams.append(told | ({"session": team.session} if team.session else {}))
    return {
        "teams": teams,
        "errors": [{"row": error.row, "column": error.column} for error in reading.errors],
        "warnings": [{"row": warning.row, "column": warning.column} for warning in reading.warnings],
    }


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_case_comes_out_as_expected(path):
    expected = json.loads(path.with_suffix(".expected.json").read_text("utf-8"))
    del expected["note"]
    reading = read_roster(path.read_bytes(), path.name)
    assert as_expected_file(reading) == expected
    assert reading.layout is LAYOUTS[path.stem]


def test_phone_numbers_go_with_their_players():
    path = CASES / "r03-two-rows-a-team.xlsx"
    team = read_roster(path.read_bytes(), path.name).teams[0]
    assert [player.phone for player in team.players] == ["13800000100", "13800000111"]


def test_department_chosen_at_upload_goes_before_the_one_under_the_table():
    path = CASES / "r04-entry-form-two-sessions.xlsx"
    reading = read_roster(path.read_bytes(), path.name, department=" 物理 学院 ")
    assert {team.department for team in reading.teams} == {"物理学院"}


def test_errors_keep_the_teams_for_the_preview_only():
    path = CASES / "r07-errors.xlsx"
    reading = read_roster(path.read_bytes(), path.name)
    assert reading.teams == ()
    assert [team.row for team in reading.candidates] == [2, 3, 4, 5, 7, 8, 9]
    assert describe(reading.errors[1]).startswith("第 4 行“选手二”：“施英勇”在第 2 行已经报过名")
