"""The page of a correction: old and new, who moves, which tables would change, and three ways on."""

from __future__ import annotations

import re

import pytest

from guandan_site.event_file.checking import check_event
from guandan_site.event_file.exporting import document_of
from pairing.services import close_round, draw_round, publish_round
from pairing.services.guards import draw_of
from scoring.engine.penalties import PenaltyAction, PenaltyRule
from scoring.models import Adjustment, Penalty, Result, TableSheet
from scoring.penalties import give_penalty
from tests.builders import make_event, make_result, make_round
from tests.services.stages import seating, stage_of
from tournaments.models import LogEntry, Round

RESULTS = "/e/cup/desk/s1/r1/results/"
PAGE = "/e/cup/desk/s1/r1/correct/1/"
TYPED = {"version": "1", "home": "1", "away": "2", "kind": "", "home_level": "2", "away_level": "+"}
SAVED = TYPED | {"reason": "两队写反了"}


@pytest.fixture
def event(db):
    return make_event(teams=8, departments=0)


@pytest.fixture
def second(event, chief) -> Round:
    first = make_round(event, [(1, 2), (3, 4), (5, 6), (7, 8)])
    for table, levels in enumerate([(15, 2), (15, 5), (10, 2), (9, 2)], start=1):
        make_result(first, table, *levels)
    close_round(round=first, by=chief)
    round_ = draw_round(stage=stage_of(event), by=chief, seed=5)
    publish_round(round=round_, by=chief, expected_version=draw_of(round_).version)
    return Round.objects.get(pk=round_.pk)


def text(response) -> str:
    return response.content.decode()


def seen(page: str) -> str:
    return re.search(r'name="seen" value="(\w*)"', page).group(1)


def test_the_results_page_leads_there_before_anything_is_saved(second, chief_client):
    answer = chief_client.post(f"{RESULTS}1/", SAVED)
    assert (answer.status_code, answer["Location"].partition("?")[0]) == (303, PAGE)
    page = text(chief_client.get(answer["Location"]))
    assert "26 : 0" in page
    assert "0 : 26" in page
    assert "↑" in page
    assert "↓" in page
    assert Result.objects.get(match__round__number=1, match__table=1).winner == "home"


def test_one_press_exchanges_the_two_teams(second, chief_client):
    page = text(chief_client.get(f"{RESULTS}?correct=1"))
    assert f'href="{PAGE}?swap=1"' in page
    page = text(chief_client.get(f"{PAGE}?swap=1"))
    assert 'value="两队写反了"' in page
    chosen = {"swap": "1", "version": "1", "reason": "两队写反了", "way": "keep", "seen": seen(page)}
    assert chief_client.post(PAGE, chosen).status_code == 303
    stored = Result.objects.get(match__round__number=1, match__table=1)
    assert (stored.home_level, stored.away_level, stored.winner) == (2, 15, "away")


@pytest.mark.parametrize(("way", "versions"), [("keep", 1), ("fewest", 2), ("all", 2)])
def test_each_way_does_what_it_says(second, chief_client, way, versions):
    before = seating(second)
    page = text(chief_client.get(PAGE, SAVED))
    answer = chief_client.post(PAGE, SAVED | {"way": way, "seen": seen(page)})
    assert answer.status_code == 303
    assert second.publications.count() == versions
    assert (seating(second) == before) is (way == "keep")
    told = text(chief_client.get(answer["Location"]))
    assert "成绩已更正" in told


def test_after_a_redraw_paper_and_phones_name_the_version(second, chief_client, client):
    page = text(chief_client.get(PAGE, SAVED))
    chief_client.post(PAGE, SAVED | {"way": "fewest", "seen": seen(page)})
    assert "第 2 版" in text(client.get("/e/cup/s1/r2/draw/"))


@pytest.mark.parametrize(
    ("typed", "words"),
    [({"way": ""}, "请选择本轮编排怎么办"), ({"reason": " "}, ""), ({"way": "burn"}, "")],
)
def test_what_is_refused_keeps_what_was_typed(second, chief_client, typed, words):
    page = text(chief_client.get(PAGE, SAVED))
    answer = chief_client.post(PAGE, SAVED | {"way": "keep", "seen": seen(page)} | typed)
    if "reason" in typed:
        assert answer.status_code == 303  # back to the line, which asks for the reason
    else:
        assert answer.status_code == 422
        assert words in text(answer)
        assert 'name="home_level" value="2"' in text(answer)
    assert Result.objects.get(match__round__number=1, match__table=1).winner == "home"


def test_a_plan_that_changed_is_shown_again(second, chief_client):
    page = text(chief_client.get(PAGE, SAVED))
    make_result(second, 4, 10, 7)
    answer = chief_client.post(PAGE, SAVED | {"way": "all", "seen": seen(page)})
    assert answer.status_code == 422
    assert "本轮编排刚有变化" in text(answer)
    assert "1 桌已经开打" in text(answer)
    assert not LogEntry.objects.filter(act="result_changed").exists()


def test_only_the_chief(second, assistant_client, client):
    assert assistant_client.get(PAGE, SAVED).status_code == 403
    assert assistant_client.post(PAGE, SAVED | {"way": "keep"}).status_code == 403
    assert assistant_client.post(f"{RESULTS}1/", SAVED).status_code == 403
    assert client.get(PAGE).status_code == 302


def test_without_a_round_that_follows_the_line_is_simply_saved(event, chief, chief_client):
    first = make_round(event, [(1, 2), (3, 4), (5, 6), (7, 8)])
    for table in range(1, 5):
        make_result(first, table, 15, 2)
    close_round(round=first, by=chief)
    answer = chief_client.post(f"{RESULTS}1/", SAVED)
    assert answer["Location"] == f"{RESULTS}#table-1"
    assert Result.objects.get(match__table=1).winner == "away"


GIVE, AHEAD = "/e/cup/desk/penalties/give/", "/e/cup/desk/penalties/correction/"
TAKEN = {"number": "1", "round_number": "1", "rule": "other", "minutes": "", "action": "points_taken"}
TAKEN |= {"amount": "20", "reason": "违规"}


class TestPenalties:
    """What a penalty changes of a closed round goes by the same page, with the same three ways."""

    def bare(self, event) -> Adjustment:
        about = {"stage": stage_of(event), "team": event.teams.get(number=1), "round_number": 1}
        return Adjustment.objects.create(**about, points=-20, reason="迟到")

    def test_nothing_is_stored_before_the_chief_has_seen_what_it_brings(self, second, chief_client):
        answer = chief_client.post(GIVE, TAKEN)
        assert (answer.status_code, answer["Location"].partition("?")[0]) == (303, AHEAD)
        page = text(chief_client.get(answer["Location"]))
        assert "26 → <b>6</b>" in page
        assert 'value="fewest"' in page
        assert 'name="amount" value="20"' in page
        assert not Penalty.objects.exists()

    @pytest.mark.parametrize(("way", "versions"), [("keep", 1), ("all", 2)])
    def test_each_way_does_what_it_says(self, event, second, chief_client, way, versions):
        page = text(chief_client.get(AHEAD, TAKEN))
        before = seating(second)
        answer = chief_client.post(AHEAD, TAKEN | {"way": way, "seen": seen(page)})
        assert "已保存：1 队，-20 分" in text(chief_client.get(answer["Location"]))
        assert (seating(second) == before, second.publications.count()) == (way == "keep", versions)
        told = {entry.act: (entry.new, entry.reason) for entry in LogEntry.objects.filter(reason="违规")}
        assert told["penalty_given"][0]["amount"] == -20
        assert ("draw_kept" if way == "keep" else "round_published") in told
        assert check_event(document_of(event)) == []

    def test_so_does_what_is_taken_back(self, event, second, chief, chief_client):
        given = give_points(event, chief)
        answer = chief_client.post(f"/e/cup/desk/penalties/{given.pk}/cancel/", {"why": "误判"})
        page = text(chief_client.get(answer["Location"]))
        assert "6 → <b>26</b>" in page
        sent = {"cancel": given.pk, "reason": "误判", "way": "keep", "seen": seen(page)}
        assert chief_client.post(AHEAD, sent).status_code == 303
        given.refresh_from_db()
        assert (given.is_cancelled, given.cancel_reason) == (True, "误判")
        assert chief_client.post(AHEAD, sent).status_code == 404

    def test_and_points_of_an_event_file(self, event, second, chief_client):
        given = self.bare(event)
        answer = chief_client.post(f"/e/cup/desk/penalties/points/{given.pk}/cancel/", {"why": "误记"})
        page = text(chief_client.get(answer["Location"]))
        assert "6 → <b>26</b>" in page
        sent = {"points": given.pk, "reason": "误记", "way": "keep", "seen": seen(page)}
        assert chief_client.post(AHEAD, sent).status_code == 303
        entry = LogEntry.objects.get(act="points_adjusted")
        assert (entry.old["points"], entry.reason) == (-20, "误记")

    @pytest.mark.parametrize("typed", [{"action": "warning", "amount": ""}, {"round_number": "2"}])
    def test_what_no_draw_was_made_from_is_simply_stored(self, second, chief_client, typed):
        answer = chief_client.post(GIVE, TAKEN | typed)
        assert answer["Location"] == "/e/cup/desk/penalties/"
        assert Penalty.objects.count() == 1

    @pytest.mark.parametrize(
        "typed", [{}, {"cancel": "99"}, {"points": "x"}, TAKEN | {"amount": "0"}, TAKEN | {"number": "99"}]
    )
    def test_an_address_that_says_nothing_stores_nothing(self, second, chief_client, typed):
        assert chief_client.get(AHEAD, typed).status_code in {303, 404}
        assert not Penalty.objects.exists()

    def test_a_draw_that_moved_meanwhile_is_shown_again(self, second, chief_client):
        page = text(chief_client.get(AHEAD, TAKEN))
        make_result(second, 4, 10, 7)
        answer = chief_client.post(AHEAD, TAKEN | {"way": "all", "seen": seen(page)})
        assert (answer.status_code, Penalty.objects.exists()) == (422, False)
        assert 'name="amount" value="20"' in text(answer)


def give_points(event, chief) -> Penalty:
    return give_penalty(
        stage=stage_of(event),
        team=event.teams.get(number=1),
        by=chief,
        round_number=1,
        rule=PenaltyRule.OTHER,
        action=PenaltyAction.POINTS,
        amount=-20,
        reason="违规",
    )


def test_a_table_handed_over_once_more_goes_by_the_same_page(second, chief_client):
    sheet = f"{RESULTS}1/sheet/"
    seated = {"home": "1", "away": "2"}
    for order in ["AAHH"] * 4 + ["AHAH"]:
        row = TableSheet.objects.filter(match__table=1).first()
        chief_client.post(f"{sheet}deal/", seated | {"version": row.version if row else 0, "order": order})
    version = TableSheet.objects.get().version
    typed = seated | {"version": version, "result_version": 1, "reason": "副数补记"}
    answer = chief_client.post(f"{sheet}hand-over/", typed)
    assert (answer.status_code, answer["Location"].partition("?")[0]) == (303, PAGE)
    page = text(chief_client.get(answer["Location"]))
    assert "0 : 26" in page
    sent = typed | {"sheet": "1", "way": "keep", "seen": seen(page)}
    assert chief_client.post(PAGE, sent).status_code == 303
    stored = Result.objects.get(match__round__number=1, match__table=1)
    assert (stored.winner, TableSheet.objects.get().content) == ("away", None)
    assert chief_client.post(PAGE, sent)["Location"] == sheet
