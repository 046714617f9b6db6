"""Cross-tables and brackets as players and officials see them: on the page, the projector and on paper."""

from __future__ import annotations

import io
import re

import pytest
from django.utils.html import escape
from openpyxl import load_workbook
from pypdf import PdfReader

from pairing.selectors.brackets import public_bracket
from pairing.selectors.cross_tables import cross_tables
from scoring.models import Adjustment, Outcome, Result
from tests.builders import make_event, make_round
from tests.format_events import (
    chained_event,
    group_stage,
    knockout_stage,
    play,
    play_through,
    seat_round,
)
from tournaments.models import Event, Player, RoundStatus, Stage

CROSS, BRACKET = "/e/cup/s2/cross-table/", "/e/cup/s3/bracket/"
PAYLOADS = [
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(2)</script>",
    "{{7*7}}${7*7}",
    "\"'><b>x",
]
PLACES_TO_8 = {"format": {"bracket": "seeded", "played_out": "to_eight"}}
THIRD = {"format": {"bracket": "seeded", "played_out": "third_place"}}


def page(client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def row(html: str, number: int) -> str:
    """The cross-table's line of a team."""
    lines = re.findall(r'<tr class="[^"]*">\s*<th scope="row".*?</tr>', html, re.DOTALL)
    return next(line for line in lines if f'<b class="team-number">{number}</b>' in line)


def words(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def svg(html: str) -> str:
    return re.search(r"<svg.*</svg>", html, re.DOTALL).group(0)


@pytest.fixture
def four_teams(db) -> Stage:
    """One group of four, two rounds: all results of the first, one of the second."""
    stage = group_stage(make_event(teams=4), 1)
    first, second = seat_round(stage, 1, status=RoundStatus.COMPLETED), seat_round(stage, 2)
    for match, (home, away) in zip(first.matches.order_by("table"), [(15, 10), (9, 9)], strict=True):
        winner = "home" if home > away else "tie"
        result = Result(match=match, outcome=Outcome.PLAYED, home_level=home, away_level=away)
        result.winner, result.reason = winner, "time"
        result.save()
    match = second.matches.get(table=1)
    Result.objects.create(match=match, outcome=Outcome.FORFEIT_AWAY, winner="home")
    return stage


class TestCrossTable:
    def test_each_cell_has_own_level_first_and_the_points(self, four_teams, client):
        html = page(client, CROSS)
        first = four_teams.rounds.get(number=1).matches.order_by("table")[0]
        assert "过A:10 18" in words(row(html, first.home.number))
        assert "10:过A 8" in words(row(html, first.away.number))

    def test_forfeit_tie_and_what_is_being_played(self, four_teams, client):
        html = page(client, CROSS)
        second = four_teams.rounds.get(number=2).matches.order_by("table")
        assert "胜 16" in words(row(html, second[0].home.number))
        assert "弃权 0" in words(row(html, second[0].away.number))
        assert "2 桌" in words(row(html, second[1].home.number))
        tied = four_teams.rounds.get(number=1).matches.order_by("table")[1]
        assert "9:9 13" in words(row(html, tied.home.number))

    def test_points_and_rank_are_those_of_the_standings(self, four_teams, client):
        html = page(client, CROSS)
        for line in cross_tables(four_teams).tables[0].rows:
            assert words(row(html, line.team.number)).endswith(
                f"{line.standing.points} {line.standing.rank}" + (" 并列" if line.standing.is_shared else "")
            )

    def test_what_counts_beside_the_cells_is_told_below(self, four_teams, client):
        team = four_teams.event.teams.order_by("number").first()
        Adjustment.objects.create(stage=four_teams, team=team, round_number=1, points=-3, reason="迟到")
        assert f"第 1 轮 {team.number} 队：-3 分（迟到）" in page(client, CROSS)

    def test_every_group_has_its_own_table(self, db, client):
        event = chained_event()
        play_through(event.stages.get(order=2), 2)
        html = page(client, CROSS)
        assert re.findall(r"<h2>(.*?)</h2>", html) == ["A 组", "B 组", "C 组", "D 组"]
        assert html.count('<table class="cross-table">') == 4
        assert html.count('class="oneself"') == 24

    def test_who_advances_is_marked_once_the_stage_is_over(self, db, client):
        event = chained_event(teams=12, groups=2)
        stage = event.stages.get(order=2)
        play_through(stage, stage.rounds_planned - 1)
        assert "每组前 2 名晋级：淘汰赛" in page(client, CROSS)
        assert 'class="advances"' not in page(client, CROSS)
        play(seat_round(stage, stage.rounds_planned), seed=9)
        event.revision += 1
        event.save()
        advancing = [line for table in cross_tables(stage).tables for line in table.rows if line.advances]
        assert page(client, CROSS).count('class="advances"') == len(advancing) == 4
        assert all(line.standing.rank <= 2 for line in advancing)

    def test_an_odd_group_and_a_double_round(self, db, client):
        stage = group_stage(make_event(teams=5), 1, double=True)
        play_through(stage)
        (table,) = cross_tables(stage).tables
        assert {len(meetings) for line in table.rows for meetings in line.meetings} == {0, 2}
        assert all(len(line.free) == 2 for line in table.rows)
        assert page(client, CROSS).count('class="meeting') == 5 * 4 * 2

    def test_annulled_results_are_struck_out(self, db, client):
        stage = group_stage(make_event(teams=4), 1, rules={"withdrawal": "annul"})
        play_through(stage, 2)
        stage.event.teams.filter(number=2).update(withdrawn_after=2)
        html = page(client, CROSS)
        assert "is-annulled" in html
        assert words(row(html, 2)).endswith("– –")

    @pytest.mark.parametrize("payload", PAYLOADS)
    def test_names_are_data(self, four_teams, client, payload):
        Player.objects.filter(team__number=1).update(name=payload[:40])
        html = page(client, CROSS)
        assert escape(payload) in row(html, 1)
        assert "<" not in payload or payload not in html

    @pytest.mark.parametrize("teams", [8, 24])
    def test_fifteen_queries_whatever_the_size(self, teams, db, client, django_assert_num_queries):
        event = make_event(teams=teams)
        group_stage(event, 2)
        play_through(event.stages.get(order=2), 2)
        with django_assert_num_queries(15):
            page(client, CROSS)

    def test_another_format_or_no_stage_has_none(self, four_teams, client):
        assert client.get("/e/cup/s1/cross-table/").status_code == 404
        assert client.get("/e/cup/s9/cross-table/").status_code == 404
        assert client.get("/e/cup/s2/bracket/").status_code == 404


class TestBracket:
    def test_the_picture_names_rounds_levels_and_the_champion(self, db, client):
        stage = knockout_stage(make_event(), 8, rules=PLACES_TO_8)
        play_through(stage)
        html = page(client, BRACKET)
        picture = words(svg(html))
        for name in ("八强", "半决赛", "决赛", "三四名决赛", "第 5–8 名 1", "第 7–8 名", "过A"):
            assert name in picture
        champion = public_bracket(stage).champion
        number = stage.event.teams.get(key=champion).number
        assert f"冠军 {number} " in words(html)
        assert svg(html).count('class="way won last"') == 1

    def test_below_the_picture_every_match_stands_in_a_table(self, db, client):
        play_through(knockout_stage(make_event(teams=13), 13, rules=THIRD), 2)
        html = page(client, BRACKET)
        table = words(
            re.search(r'<section class="card flush bracket-list">.*?</section>', html, re.DOTALL)[0]
        )
        assert 'role="img"' in svg(html)
        assert re.search(r"<title id=.*?</title><desc id=", svg(html))
        assert "第 1 轮 5" in table
        assert "轮空 1 " in table
        assert "半决赛 1 负者" in table

    def test_what_is_being_played_says_where(self, db, client):
        stage = knockout_stage(make_event(), 8)
        play_through(stage, 1, leave_open=2)
        picture = svg(page(client, BRACKET))
        assert picture.count('<g class="live">') == 2
        assert "第 4 桌" in words(picture)

    def test_no_inline_style_and_nothing_that_the_policy_refuses(self, db, client):
        play_through(knockout_stage(make_event(), 8), 1)
        html = page(client, BRACKET)
        assert "style=" not in html
        assert "<style" not in html
        assert "<script" not in svg(html)

    @pytest.mark.parametrize("payload", PAYLOADS)
    def test_names_are_data(self, db, client, payload):
        event = make_event()
        Player.objects.filter(team__event=event, team__number=1).update(name=payload[:40])
        seat_round(knockout_stage(event, 8), 1)
        html = page(client, BRACKET)
        assert f"1 {escape(payload)} · {escape(payload)} 单位2</title>" in html
        assert "<" not in payload or payload not in html

    def test_best_of_three_shows_the_games_won(self, db, client):
        stage = knockout_stage(make_event(), 2, rules={"match": {"best_of": 3}})
        round_ = seat_round(stage, 1)
        games = [
            {"outcome": "played", "home_level": 15, "away_level": 8, "winner": "home", "reason": "passed"},
            {"outcome": "played", "home_level": 7, "away_level": 15, "winner": "away", "reason": "passed"},
            {"outcome": "played", "home_level": 9, "away_level": 15, "winner": "away", "reason": "passed"},
        ]
        match = round_.matches.get()
        Result.objects.create(match=match, outcome=Outcome.PLAYED, winner="away", facts={"games": games})
        assert "1 : 2" in words(page(client, BRACKET))

    def test_both_forfeit_and_nobody_goes_on(self, db, client):
        stage = knockout_stage(make_event(), 4)
        first = seat_round(stage, 1, status=RoundStatus.COMPLETED)
        for match, outcome in zip(first.matches.all(), ["double_forfeit", "forfeit_home"], strict=True):
            Result.objects.create(
                match=match, outcome=outcome, winner="away" if outcome == "forfeit_home" else ""
            )
        html = page(client, BRACKET)
        assert "弃权 : 弃权" in words(html)
        assert "冠军" in words(html)
        assert public_bracket(stage).champion == first.matches.get(result__winner="away").away.key

    def test_results_that_a_correction_left_behind_are_not_shown(self, db, client):
        stage = knockout_stage(make_event(), 4)
        play_through(stage)
        wrong = Result.objects.filter(match__key="1.1").get()
        wrong.winner = "away" if wrong.winner == "home" else "home"
        wrong.save()
        public = public_bracket(stage)
        assert public.champion is None
        assert [entry.is_over for entry in public.state.entries] == [True, True, False]
        page(client, BRACKET)

    def test_the_champion_of_a_final_group_is_found_in_its_standings(self, db, client):
        rules = {"format": {"bracket": "numbers", "played_out": "final_group"}}
        stage = knockout_stage(make_event(teams=5), 5, rules=rules)
        play_through(stage)
        html = page(client, BRACKET)
        assert "决赛循环" in words(svg(html))
        champion = public_bracket(stage).champion
        assert (champion is not None) == ("champion-line" in html)

    @pytest.mark.parametrize("entries", [8, 64])
    def test_six_queries_whatever_the_size(self, entries, db, client, django_assert_num_queries):
        play_through(knockout_stage(make_event(teams=64), entries), 2)
        with django_assert_num_queries(6):
            page(client, BRACKET)


class TestNothingOfADraft:
    """P3: what is not published is seen nowhere, and looks exactly like what does not exist."""

    @pytest.mark.parametrize("address", [CROSS, BRACKET, "/e/cup/s2/standings/", "/e/cup/s3/standings/"])
    def test_a_drawn_stage_looks_like_one_that_is_not(self, db, client, address):
        event = make_event()
        Stage.objects.create(event=event, key="s2", order=2, name="小组赛", format="round_robin")
        Stage.objects.create(event=event, key="s3", order=3, name="淘汰赛", format="knockout")
        before = page(client, address)
        event.stages.filter(order__gt=1).delete()
        for stage in (group_stage(event, 2), knockout_stage(event, 8)):
            stage.rules = {}
            stage.save()
            seat_round(stage, 1, status=RoundStatus.DRAFT)
        event.revision += 1
        event.save()
        assert page(client, address) == before

    def test_a_draft_of_the_second_round_changes_nothing(self, db, client):
        event = chained_event(teams=8, groups=2)
        groups, knockout = event.stages.get(order=2), event.stages.get(order=3)
        addresses = [CROSS, BRACKET, "/e/cup/", "/e/cup/screen/now/"]
        play_through(groups, 1)
        play_through(knockout, 1)
        before = [page(client, address) for address in addresses]
        for stage in (groups, knockout):
            seat_round(stage, 2, status=RoundStatus.DRAFT)
        event.revision += 1
        event.save()
        assert [page(client, address) for address in addresses] == before

    def test_a_round_drawn_anew_is_hidden_in_the_bracket_too(self, db, client):
        stage = knockout_stage(make_event(), 4, rules={"format": {"bracket": "redrawn"}})
        play_through(stage, 1)
        before = page(client, BRACKET)
        final = {**stage.layout["bracket"][0], "key": "2.1", "round": 2, "places": [1, 2]}
        final |= {"home": {"winner": "1.1"}, "away": {"winner": "1.2"}, "winner_places": [1, 1]}
        stage.layout["bracket"].append(final | {"loser_places": [2, 2]})
        stage.save()
        Event.objects.update(revision=9)
        assert page(client, BRACKET) == before
        seat_round(stage, 2)
        Event.objects.update(revision=10)
        assert "决赛" in words(svg(page(client, BRACKET)))

    def test_officials_print_only_what_is_published(self, db, chief_client, event):
        seat_round(group_stage(event, 2), 1, status=RoundStatus.DRAFT)
        seat_round(knockout_stage(event, 8), 1, status=RoundStatus.DRAFT)
        for sheet in ("s2/cross-table.pdf", "s2/cross-table.xlsx", "s3/bracket.pdf"):
            assert chief_client.get(f"/e/cup/desk/prints/{sheet}").status_code == 404


class TestWays:
    def test_the_navigation_leads_to_the_format_of_the_stage(self, db, client):
        event = chained_event(teams=8, groups=2)
        play_through(event.stages.get(order=2), 1)
        html = page(client, "/e/cup/")
        assert f'href="{CROSS}"' in html
        assert BRACKET not in html
        seat_round(event.stages.get(order=3), 1)
        Event.objects.update(revision=9)
        html = page(client, "/e/cup/")
        assert f'href="{BRACKET}"' in html
        assert CROSS not in html
        for address in (BRACKET, CROSS, "/e/cup/s3/standings/"):
            tabs = re.search(r'<nav class="tabs stage-tabs".*?</nav>', page(client, address), re.DOTALL)[0]
            assert words(tabs) == "积分编排 小组赛 淘汰赛"

    def test_a_swiss_event_of_one_stage_has_neither(self, db, client):
        make_round(make_event(), [(1, 2), (3, 4)])
        html = page(client, "/e/cup/s1/standings/")
        assert "stage-tabs" not in html
        assert "cross-table" not in html
        assert "bracket" not in html

    def test_the_tables_say_group_or_round(self, db, client):
        event = chained_event(teams=8, groups=2)
        seat_round(event.stages.get(order=2), 1)
        assert "A 组" in words(page(client, "/e/cup/s2/r1/draw/"))
        stage = event.stages.get(order=3)
        stage.rules = PLACES_TO_8
        stage.save()
        play_through(stage, 1)
        assert "半决赛" in words(page(client, "/e/cup/s3/r1/draw/"))

    def test_standings_of_groups_and_of_a_knockout(self, db, client):
        event = chained_event(teams=8, groups=2)
        play_through(event.stages.get(order=2), 1)
        html = page(client, "/e/cup/s2/standings/")
        assert words(html).index("A 组") < words(html).index("B 组")
        ranks = [int(rank) for rank in re.findall(r'class="set-off place-(\d)', html)]
        assert max(ranks) == 2, "two of each group advance"
        play_through(event.stages.get(order=3), 1)
        html = page(client, "/e/cup/s3/standings/")
        assert html.count("<b>1–2</b>") == 2
        assert html.count("<b>3–4</b>") == 2
        assert "列在上一名之后的原因" not in html
        assert "B 组" in words(page(client, "/e/cup/teams/8/"))


class TestProjector:
    @pytest.fixture
    def shown(self, db) -> Event:
        event = chained_event()
        Event.objects.update(screen_shows="standings")
        return event

    def test_four_groups_on_a_page(self, shown, client):
        play_through(shown.stages.get(order=2), 1)
        html = page(client, "/e/cup/screen/now/")
        assert html.count('class="scene scene-groups"') == 1
        assert re.findall(r"<h2>(.*?)</h2>", html) == ["A 组", "B 组", "C 组", "D 组"]
        rows = [line for table in cross_tables(shown.stages.get(order=2)).tables for line in table.rows]
        assert html.count('class="leading"') == sum(line.standing.rank <= 2 for line in rows) >= 8

    def test_the_bracket(self, shown, client):
        play_through(shown.stages.get(order=3), 1)
        html = page(client, "/e/cup/screen/now/")
        assert html.count('class="scene scene-bracket"') == 1
        assert "淘汰赛 · 对阵图" in html

    def test_of_a_large_bracket_the_rounds_now_played(self, db, client):
        event = make_event(teams=64)
        Event.objects.update(screen_shows="standings")
        stage = knockout_stage(event, 64)
        play_through(stage, 1)
        assert page(client, "/e/cup/screen/now/").count('class="scene scene-bracket"') == 4
        for number in (2, 3):
            play(seat_round(stage, number))
        Event.objects.update(revision=9)
        assert page(client, "/e/cup/screen/now/").count('class="scene scene-bracket"') == 1

    def test_one_group_is_shown_as_standings(self, db, client):
        play_through(group_stage(make_event(), 1), 1)
        Event.objects.update(screen_shows="standings")
        assert 'class="scene scene-standings"' in page(client, "/e/cup/screen/now/")


class TestPaper:
    @pytest.fixture(autouse=True)
    def press(self, settings, tmp_path):
        settings.DATA_DIR = tmp_path

    @pytest.fixture
    def official(self, db, event, assistant_client):
        return assistant_client

    def reader(self, client, address: str) -> PdfReader:
        response = client.get(f"/e/cup/desk/prints/{address}")
        assert response.status_code == 200
        return PdfReader(io.BytesIO(response.content))

    def test_as_many_groups_to_a_page_as_fit_whole(self, official, event):
        play_through(group_stage(event, 4), 1)
        reader = self.reader(official, "s2/cross-table.pdf")
        (text,) = ["".join(sheet.extract_text().split()) for sheet in reader.pages]
        assert [name for name in ("循环表", "A组", "B组", "C组", "D组") if name not in text] == []
        assert round(float(reader.pages[0].mediabox.width)) == 842, "A4 landscape"

    def test_a_group_with_long_names_is_not_cut_in_two(self, official, event):
        large = make_event(teams=12, slug="large")
        large.officials.create(user=event.officials.get().user)
        Player.objects.filter(team__event=large).update(
            name="阿依古丽·买买提明江·吐尔逊古丽·阿卜杜热西提汗·欧阳慕容"
        )
        play_through(group_stage(large, 2), 1)
        response = official.get("/e/large/desk/prints/s2/cross-table.pdf")
        pages = PdfReader(io.BytesIO(response.content)).pages
        texts = ["".join(sheet.extract_text().split()) for sheet in pages]
        assert [("A组" in text, "B组" in text) for text in texts] == [(True, False), (False, True)]

    @pytest.mark.parametrize(("entries", "width"), [(5, 842), (16, 842), (64, 1191)])
    def test_the_bracket_on_one_page_of_a4_or_a3(self, official, event, entries, width):
        big = make_event(teams=entries, slug="big")
        big.officials.create(user=event.officials.get().user)
        play_through(knockout_stage(big, entries, rules=PLACES_TO_8 if entries > 5 else THIRD), 1)
        response = official.get("/e/big/desk/prints/s3/bracket.pdf")
        (sheet,) = PdfReader(io.BytesIO(response.content)).pages
        assert round(float(sheet.mediabox.width)) == width
        text = "".join(sheet.extract_text().split())
        assert "对阵图" in text
        assert "三四名决赛" in text

    def test_the_workbook_has_a_sheet_a_group_and_numbers_as_numbers(self, official, event):
        stage = group_stage(event, 2)
        play_through(stage)
        response = official.get("/e/cup/desk/prints/s2/cross-table.xlsx")
        book = load_workbook(io.BytesIO(response.content))
        assert book.sheetnames == ["A 组", "B 组"]
        rows = list(book["A 组"].values)
        table = cross_tables(stage).tables[0]
        assert [line[0] for line in rows[1:]] == [line.team.number for line in table.rows]
        assert [line[-3] for line in rows[1:]] == [line.standing.points for line in table.rows]
        assert rows[1][3] == "–"
        assert re.fullmatch(r"\S+:\S+ \(\d+\)", rows[1][4])

    def test_the_prints_page_offers_them(self, official, event):
        seat_round(group_stage(event, 2), 1)
        seat_round(knockout_stage(event, 8), 1)
        html = page(official, "/e/cup/desk/prints/")
        for sheet in ("s2/cross-table.pdf", "s2/cross-table.xlsx", "s3/bracket.pdf"):
            assert f"/e/cup/desk/prints/{sheet}" in html
