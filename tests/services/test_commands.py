"""The commands: one JSON document on standard output, refusals line by line, exit status 1 and 2."""

import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from guandan_site.event_file.dumping import dump_event
from guandan_site.event_file.simulating import SimulatedFormat, simulate
from tests.builders import make_event, make_result, make_round
from tests.engine.event_file.files import event_of, played, round_of, two_rounds
from tournaments.log import Act
from tournaments.models import Event, LogEntry, RoundStatus, Team

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden"
ROSTERS = ROOT / "tests" / "rosters"


@pytest.fixture
def write(tmp_path):
    """Writes an event file and gives its path."""

    def written(value: Any, name: str = "event.json") -> str:
        path = tmp_path / name
        path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
        return str(path)

    return written


def run(*arguments: object) -> str:
    out = StringIO()
    call_command(*map(str, arguments), stdout=out, stderr=StringIO())
    return out.getvalue()


def answer(*arguments: object) -> Any:
    return json.loads(run(*arguments, "--json"))


def refused(*arguments: object) -> tuple[list[str], str]:
    """The lines of a refusal with exit status 1, and what stood on standard output."""
    out = StringIO()
    with pytest.raises(CommandError) as error:
        call_command(*map(str, arguments), stdout=out, stderr=StringIO())
    assert error.value.returncode == 1
    return str(error.value).splitlines(), out.getvalue()


# Event files without a database: none of these tests may ask for one


def test_standings_of_a_file(write):
    told = answer("show_standings", write(two_rounds()))
    assert (told["stage"], told["after_round"], told["incomplete_rounds"]) == ("s1", 2, [2])
    assert told["rows"][0] == {
        "rank": 1,
        "team": "P5",
        "number": 5,
        "points": 29,
        "keys": {
            "points": 29,
            "head_to_head": None,
            "wins": 0,
            "best_rounds": [16, 13],
            "opponents_points": 23,
        },
        "decided_by": None,
        "withdrawn": False,
    }
    assert [row["decided_by"] for row in told["rows"]] == [None, "points", "points", "points", "points"]


def test_standings_after_a_round_and_of_a_stage(write):
    path = write(two_rounds())
    assert answer("show_standings", path, "--after-round", 1, "--stage", "s1")["rows"][0]["team"] == "P1"
    assert refused("show_standings", path, "--stage", "s9")[0] == ["赛事没有阶段 s9；已有：s1"]
    assert refused("show_standings", path, "--after-round", 3)[0] == ["第 3 轮尚未公示；最近一轮是第 2 轮"]


def test_standings_for_people(write):
    value = two_rounds()
    value["teams"][4]["withdrawn_after"] = 2
    lines = run("show_standings", write(value)).splitlines()
    assert lines[0] == "积分编排：第 2 轮后排名"
    assert lines[1] == "第 2 轮尚未结束。"
    assert lines[3].split()[:2] == ["1", "5"]
    assert lines[3].endswith("退赛")


def test_a_draw_of_a_file(write):
    told = answer("draw_round", GOLDEN / "departments-kept-apart.json", "--seed", 7)
    assert told["round"] == 2
    assert told["seed"] == 7
    assert [(match["table"], match["home"], match["away"]) for match in told["matches"]] == [
        (1, "P1", "P4"),
        (2, "P2", "P3"),
    ]
    assert told["matches"][0]["notes"] == ["1 队：与 2 队同单位；与 3 队第 1 轮已交手"]
    assert (told["bye"], told["broken"]) == (None, [])


def test_a_draw_for_people():
    text = run("draw_round", GOLDEN / "bye-to-the-lowest.json", "--seed", 7)
    assert "第 2 轮" in text
    assert "轮空：2 甲2 · 乙2" in text


def test_without_a_seed_one_is_made_up_and_told(write):
    path = write(event_of(30, []))
    first = answer("draw_round", path)
    assert answer("draw_round", path, "--seed", first["seed"]) == first


def test_an_impossible_draw_says_who_and_what_would_help():
    lines, out = refused("draw_round", GOLDEN / "everybody-has-met.json", "--json")
    told = json.loads(out)
    assert told["impossible"] == {"teams": ["P1", "P2", "P3", "P4"], "reason": "everybody_met"}
    assert told["relaxations"] == [{"rule": "rematch", "value": "avoid"}]
    assert lines[0] == told["error"]
    assert refused("draw_round", GOLDEN / "everybody-has-met.json")[1] == ""


def test_one_team_alone_is_not_drawn():
    _lines, out = refused("draw_round", GOLDEN / "one-active-team-left.json", "--json")
    assert json.loads(out)["impossible"] == {"teams": ["P6"], "reason": "too_few_teams"}


def test_a_round_in_play_is_closed_first(write):
    lines, out = refused("draw_round", write(two_rounds()), "--json")
    assert lines == [json.loads(out)["error"]]
    assert json.loads(out)["impossible"] is None
    assert "第 2 轮" in lines[0]


def test_only_a_swiss_stage_is_drawn(write):
    assert len(refused("draw_round", write(event_of(4, [], format="knockout")))[0]) == 1


def test_saving_a_draw_in_a_file_makes_it_a_draft_there(write):
    path = write(event_of(6, [], departments=3))
    before = Path(path).read_bytes()
    told = answer("draw_round", path, "--seed", 3)
    assert Path(path).read_bytes() == before
    assert answer("draw_round", path, "--seed", 3, "--save") == told
    kept = json.loads(Path(path).read_text())["stages"][0]["rounds"]
    assert [(each["number"], each["status"]) for each in kept] == [(1, "draft")]
    assert answer("check_event", path) == {"ok": True, "findings": []}


def test_a_sound_event_is_ok(write):
    assert answer("check_event", write(two_rounds())) == {"ok": True, "findings": []}
    assert run("check_event", write(two_rounds())).strip() == "正确：编排和成绩都符合规则"


def test_findings_have_a_place_a_rule_and_one_line(write):
    rounds = [round_of(1, [played(1, "P1", "P2", 3, 2)]), round_of(2, [played(1, "P1", "P2", 3, 2)])]
    lines, out = refused("check_event", write(event_of(2, rounds)), "--json")
    told = json.loads(out)
    assert told == {
        "ok": False,
        "findings": [
            {
                "path": "$.stages[0].rounds[1].matches[0]",
                "rule": "rematch",
                "message": "1, 2 队在第 1 轮已交手",
            }
        ],
    }
    assert lines == ["$.stages[0].rounds[1].matches[0]: 1, 2 队在第 1 轮已交手"]


def test_a_file_that_is_no_event_is_a_finding_too(write):
    value = two_rounds()
    value["stages"][0]["rounds"][0]["matches"][0]["result"]["home_level"] = 23
    lines, out = refused("check_event", write(value), "--json")
    path = "$.stages[0].rounds[0].matches[0].result.home_level"
    assert [(each["path"], each["rule"]) for each in json.loads(out)["findings"]] == [(path, "file")]
    assert lines == [f"{path}: 没有 23 这一级：级数是 2 到 14（A），15 表示过A"]


@pytest.mark.parametrize("command", ["show_standings", "draw_round", "check_event", "export_event"])
def test_every_command_refuses_a_bad_file_in_one_line_a_fault(command, write):
    value = two_rounds()
    value["teams"][0]["number"] = 0
    value["event"]["name"] = "  "
    lines, _out = refused(command, write(value))
    assert [line.partition(":")[0] for line in lines] == ["$.event.name", "$.teams[0].number"]


@pytest.mark.parametrize("content", ["", "{", "[]", '{"format": "x"}', '{"a": 1, "a": 2}', "\ufeff{}"])
def test_what_is_no_event_file_is_refused(content, write):
    lines, out = refused("show_standings", write(content))
    assert lines
    assert out == ""


def test_results_against_the_rules_are_refused_before_anything_is_computed(write):
    value = two_rounds()
    value["stages"][0]["rounds"][0]["matches"][0]["result"]["winner"] = "away"
    lines, _out = refused("show_standings", write(value))
    assert lines == ["$.stages[0].rounds[0].matches[0].result.winner: 胜方与级数或弃权不符"]


def test_a_simulated_event_is_printed_or_written(tmp_path):
    numbers = ["--teams", 9, "--departments", 3, "--rounds", 3, "--seed", 4]
    printed = run("simulate_event", *numbers)
    path = tmp_path / "sim.json"
    assert str(path) in run("simulate_event", *numbers, "-o", path)
    assert path.read_text(encoding="utf-8") == printed
    assert run("simulate_event", *numbers, "--json") == printed
    assert answer("check_event", path)["ok"]
    too_few = ["--teams", 1, "--departments", 0, "--rounds", 3, "--seed", 4]
    assert len(refused("simulate_event", *too_few, "-o", path)[0]) == 1
    assert path.read_text(encoding="utf-8") == printed


@pytest.mark.parametrize(
    "options",
    [
        ["--format", "round_robin", "--groups", 3, "--double"],
        ["--format", "knockout", "--bracket", "redrawn", "--byes", "last", "--best-of", 3],
        ["--format", "groups_knockout", "--groups", 4, "--played-out", "to_eight"],
    ],
)
def test_a_simulated_event_of_another_format(options, tmp_path):
    path = tmp_path / "sim.json"
    run("simulate_event", "--teams", 13, "--departments", 3, "--seed", 4, *options, "-o", path)
    assert answer("check_event", path)["ok"]
    lines, _out = refused("draw_round", path, "--seed", 1)
    assert len(lines) == 1


def test_groups_that_are_too_small_are_refused(tmp_path):
    numbers = ["--teams", 5, "--departments", 0, "--seed", 4, "--format", "round_robin", "--groups", 3]
    lines, _out = refused("simulate_event", *numbers)
    assert lines == ["每组至少两支队，请减少组数。"]


def test_the_next_round_of_a_bracket(write):
    value = dump_event(simulate(teams=4, departments=0, rounds=1, seed=1, format=SimulatedFormat.KNOCKOUT))
    final = value["stages"][0]["rounds"].pop()
    drawn = answer("draw_round", write(value))
    (match,) = drawn["matches"]
    assert (drawn["round"], match["home"], match["away"]) == (
        2,
        final["matches"][0]["home"],
        final["matches"][0]["away"],
    )


def test_an_export_of_a_file_is_its_fixed_form(write, tmp_path):
    path = write(two_rounds())
    printed = run("export_event", path)
    out = tmp_path / "out.json"
    run("export_event", path, "-o", out)
    assert out.read_text(encoding="utf-8") == printed
    assert run("export_event", out) == printed
    assert list(tmp_path.iterdir()) == [Path(path), out]


def test_a_roster_read_against_a_file_is_stored_nowhere(write, tmp_path):
    roster = tmp_path / "roster.csv"
    roster.write_text("组号,单位,选手一,选手二\n1,图书馆,张伟,李娜\n2,后勤处,王芳,赵强\n", encoding="utf-8")
    told = answer("import_roster", write(event_of(2, [])), roster)
    assert told == {
        "teams": [
            {"row": 2, "number": 1, "department": "图书馆", "players": ["张伟", "李娜"], "session": None},
            {"row": 3, "number": 2, "department": "后勤处", "players": ["王芳", "赵强"], "session": None},
        ],
        "errors": [],
        "warnings": [],
        "stored": 0,
    }
    assert "图书馆" in run("import_roster", write(event_of(2, [])), roster)


def test_a_roster_with_errors_is_refused_with_every_place(write, tmp_path):
    roster = tmp_path / "roster.csv"
    roster.write_text("组号,选手一,选手二\n1,张伟,\n六,王芳,赵强\n", encoding="utf-8")
    lines, out = refused("import_roster", write(event_of(2, [])), roster, "--json")
    told = json.loads(out)
    assert [(each["row"], each["column"]) for each in told["errors"]] == [(2, "选手二"), (3, "组号")]
    assert (told["teams"], told["stored"]) == ([], 0)
    assert lines == [each["message"] for each in told["errors"]]


@pytest.mark.parametrize("expected", sorted(ROSTERS.glob("*.expected.json")), ids=lambda path: path.name[:3])
def test_rosters_from_offices_come_out_as_expected(expected, write):
    """Every field that stands in the expectation, for each team, error and warning of the file."""
    wanted = json.loads(expected.read_text(encoding="utf-8"))
    roster = next(path for path in ROSTERS.glob(f"{expected.name[:3]}*") if path.suffix != ".json")
    arguments = ("import_roster", write(event_of(2, [])), roster)
    text = refused(*arguments, "--json")[1] if wanted.get("errors") else run(*arguments, "--json")
    told = json.loads(text)
    for part in {"teams", "errors", "warnings"} & set(wanted):
        assert len(told[part]) == len(wanted[part])
        pairs = zip(told[part], wanted[part], strict=True)
        assert [{key: got[key] for key in want} for got, want in pairs] == wanted[part]


def test_what_is_no_roster_is_refused(write, tmp_path):
    roster = tmp_path / "roster.xlsx"
    roster.write_bytes(b"not a workbook")
    _lines, out = refused("import_roster", write(event_of(2, [])), roster, "--json")
    assert json.loads(out)["errors"][0]["row"] is None


def test_a_missing_file_is_refused(write, tmp_path):
    for arguments in (
        ("import_event", tmp_path / "none.json"),
        ("import_roster", write(event_of(2, [])), tmp_path / "none.xlsx"),
        ("show_standings", tmp_path / "none.json"),
        ("export_event", write(event_of(2, [])), "-o", tmp_path / "none" / "out.json"),
    ):
        assert len(refused(*arguments)[0]) == 1


# Stored events


@pytest.mark.django_db
def test_import_export_import_gives_the_same_file(write, tmp_path):
    assert answer("import_event", write(two_rounds())) == {"slug": "cup"}
    first = run("export_event", "cup")
    again = tmp_path / "again.json"
    again.write_text(first, encoding="utf-8")
    assert refused("import_event", again)[0] == ["赛事 cup 已经存在；加 --replace 可用文件替换"]
    assert "已保存" in run("import_event", again, "--replace")
    assert run("export_event", "cup", "--json") == first


@pytest.mark.django_db
def test_nothing_is_stored_of_a_refused_file(write):
    value = two_rounds()
    value["stages"][0]["rounds"][1]["matches"][0]["home"] = "P9"
    lines, _out = refused("import_event", write(value))
    assert lines == ["$.stages[0].rounds[1].matches[0].home: 文件里没有 P9"]
    assert not Event.objects.exists()


@pytest.mark.django_db
def test_a_stored_event_and_its_file_give_the_same_answers(write):
    path = write(two_rounds())
    run("import_event", path)
    assert answer("show_standings", "cup") == answer("show_standings", path)
    assert answer("check_event", "cup") == answer("check_event", path)


@pytest.mark.django_db
def test_a_draw_is_stored_only_when_asked():
    event = make_event(teams=8, departments=4)
    told = answer("draw_round", event.slug, "--seed", 11)
    assert not event.stages.get().rounds.exists()
    assert answer("draw_round", event.slug, "--seed", 11, "--save") == told
    assert event.stages.get().rounds.get().status == RoundStatus.DRAFT
    assert len(refused("draw_round", event.slug, "--save")[0]) == 1


@pytest.mark.django_db
def test_the_second_round_drawn_from_the_database_is_the_one_drawn_from_the_file(tmp_path):
    event = make_event(teams=7, departments=3)
    first = make_round(event, [(1, 2), (4, 3), (5, 6), (7, None)], status=RoundStatus.COMPLETED)
    for table, levels in enumerate([(15, 3), (9, 9), (4, 12)], start=1):
        make_result(first, table, *levels)
    path = tmp_path / "event.json"
    run("export_event", event.slug, "-o", path)
    told = answer("draw_round", path, "--seed", 5)
    assert told["bye"] is not None
    assert answer("draw_round", event.slug, "--seed", 5, "--save") == told


@pytest.mark.django_db
def test_a_roster_is_stored_whole_or_not_at_all(tmp_path):
    event = make_event(teams=0, departments=0)
    roster = tmp_path / "roster.csv"
    roster.write_text("选手一,选手二\n张伟,李娜\n王芳,赵强\n", encoding="utf-8")
    assert answer("import_roster", event.slug, roster, "--dry-run", "--department", "图书馆")["stored"] == 0
    assert not Team.objects.exists()
    assert answer("import_roster", event.slug, roster, "--department", "图书馆")["stored"] == 2
    assert {team.department.name for team in Team.objects.all()} == {"图书馆"}
    roster.write_text("选手一,选手二\n张伟,李娜\n王芳,赵强\n孙平,\n", encoding="utf-8")
    _lines, out = refused("import_roster", event.slug, roster, "--json")
    assert json.loads(out)["stored"] == 0
    assert Team.objects.count() == 2


@pytest.mark.django_db
def test_persons_who_play_elsewhere_are_a_clash(tmp_path):
    event = make_event(teams=4, departments=0)
    player = event.teams.first().players.first().name
    roster = tmp_path / "roster.csv"
    roster.write_text(f"选手一,选手二\n{player},赵强强\n", encoding="utf-8")
    lines, _out = refused("import_roster", event.slug, roster)
    assert player in lines[0]


@pytest.mark.django_db
def test_a_simulated_event_is_stored_once():
    numbers = ["--teams", 6, "--departments", 3, "--rounds", 2, "--seed", 1]
    assert "sim-6-2-1" in run("simulate_event", *numbers, "--save")
    assert answer("check_event", "sim-6-2-1")["ok"]
    assert len(refused("simulate_event", *numbers, "--save")[0]) == 1


@pytest.mark.django_db
def test_an_unknown_slug_is_refused():
    assert refused("show_standings", "nowhere")[0] == ["nowhere 既不是已保存的赛事，也不是赛事文件"]


# From a shell


def shell(*arguments: object, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "manage.py", *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "guandan_site.settings", **environment},
        capture_output=True,
        timeout=60,
        stdin=subprocess.DEVNULL,
        check=False,
    )


def test_a_file_needs_no_database_and_json_is_all_there_is_on_standard_output(tmp_path):
    done = shell(
        "draw_round",
        GOLDEN / "everybody-has-met.json",
        "--json",
        DATA_DIR=str(tmp_path),
        DATABASE_URL="postgres://nobody@127.0.0.1:1/none",
        PYTHONIOENCODING="gbk",
    )
    assert done.returncode == 1
    assert json.loads(done.stdout.decode("utf-8"))["impossible"]["reason"] == "everybody_met"
    assert len(done.stderr.decode("utf-8").splitlines()) == 2


def test_a_wrong_call_ends_with_two_and_one_line(tmp_path):
    done = shell("show_standings", "--after-round", "x", DATA_DIR=str(tmp_path))
    assert (done.returncode, done.stdout) == (2, b"")
    assert len(done.stderr.splitlines()) == 1


def test_a_database_that_is_not_there_is_told_in_one_line(tmp_path):
    done = shell("show_standings", "cup", DATA_DIR=str(tmp_path))
    assert (done.returncode, done.stdout) == (1, b"")
    assert len(done.stderr.splitlines()) == 1


def test_a_new_password_on_the_laptop_itself(client, administrator):
    assert administrator.username in run("new_password")
    made = json.loads(run("new_password", administrator.username, "--json"))
    assert client.login(username=administrator.username, password=made["password"])
    entry = LogEntry.objects.get(act=Act.USER_CHANGED)
    assert (entry.by_name, made["password"] in str(entry.new)) == ("", False)
    with pytest.raises(CommandError, match="nobody"):
        run("new_password", "nobody")
