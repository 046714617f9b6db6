"""The rules: chosen for a new event, changed a stage at a time, frozen at the first result, read by all."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.builders import make_event, make_result, make_round
from tournaments.log import Act
from tournaments.models import Event, LogEntry, OwnPreset, RoundStatus
from tournaments.presets import presets
from tournaments.services.events import EventFacts, create_event
from tournaments.services.presets import keep_preset


def made_of(code: str) -> Event:
    preset = presets()[code]
    return create_event(facts=EventFacts(code, code.lower()), preset=preset, rounds=4, minutes=45, by=None)


def page_of(client, address: str) -> str:
    return client.get(address).content.decode()


def edit(event: Event, stage: int | None = None) -> str:
    address = reverse("rules_edit", args=[event.slug])
    return f"{address}?stage={stage}" if stage else address


def typed(client, address: str, **changes) -> dict[str, object]:
    """What a browser sends when nothing but `changes` is touched."""
    form = client.get(address).context["form"]
    sent: dict[str, object] = {}
    for field in form:
        value = field.value()
        if value is True:
            value = "on"
        if value is not None and value is not False:
            sent[field.html_name] = value
    return {name: value for name, value in {**sent, **changes}.items() if value is not None}


# Choosing a preset


def test_every_preset_is_shown_with_its_summary_before_choosing(administrator_client):
    page = page_of(administrator_client, reverse("event_create"))
    for preset in presets().values():
        assert preset.summary in page
        assert f'value="{preset.code}"' in page
        assert all(stage.name in page for stage in preset.stages if len(preset.stages) > 1)


def test_own_presets_come_first_and_can_be_removed(event, administrator, administrator_client):
    own = keep_preset(event=event, name="我们的<b>规则</b>", summary="短", by=administrator)
    page = page_of(administrator_client, reverse("event_create"))
    assert page.index(f'value="own-{own.pk}"') < page.index('value="default"')
    assert "我们的&lt;b&gt;规则&lt;/b&gt;" in page
    response = administrator_client.post(reverse("preset_remove", args=[own.pk]))
    assert (response.status_code, response["Location"]) == (303, reverse("event_create"))
    assert not OwnPreset.objects.exists()
    assert administrator_client.post(reverse("preset_remove", args=[own.pk])).status_code == 404


def test_an_event_is_made_of_an_own_preset(event, administrator, administrator_client):
    event.stages.update(rules={"match": {"minutes": 25}}, rounds_planned=7)
    own = keep_preset(event=event, name="模板", summary="", by=administrator)
    sent = {"name": "新赛", "slug": "new", "preset": f"own-{own.pk}", "rounds": "", "minutes": ""}
    assert administrator_client.post(reverse("event_create"), sent).status_code == 303
    stage = Event.objects.get(slug="new").stages.get()
    assert (stage.rounds_planned, stage.minutes) == (7, 25)


# Changing rules


@pytest.mark.parametrize("code", list(presets()))
def test_saving_untouched_rules_changes_nothing_that_counts(code, administrator_client):
    event = made_of(code)
    for stage in event.stages.all():
        before = stage.rules
        address = edit(event, stage.order)
        response = administrator_client.post(address, typed(administrator_client, address))
        assert (response.status_code, response["Location"]) == (303, address)
        stage.refresh_from_db()
        for section in ("pairing", "format", "entry", "match", "scoring"):
            kept = stage.rules.get(section, {})
            assert {name: kept.get(name) for name in before.get(section, {})} == before.get(section, {})
        assert stage.rules["ranking"] == before["ranking"]


def test_each_stage_shows_the_fields_of_its_format(administrator_client):
    event = made_of("R01")
    groups = administrator_client.get(edit(event, 1)).context["form"].fields
    knockout = administrator_client.get(edit(event, 2)).context["form"].fields
    assert {"groups", "grouping", "deadline"} <= set(groups)
    assert not {"bracket", "first_round", "count"} & set(groups)
    assert {"bracket", "byes", "played_out", "count"} <= set(knockout)
    assert not {"groups", "method"} & set(knockout)
    assert "tie" not in dict(knockout["equal_levels"].choices)


def test_change_a_group_stage_and_who_enters_the_next(administrator_client):
    event = made_of("R02")
    changes = {
        "groups": "6",
        "grouping": "snake",
        "schedule": "self",
        "deadline": "2026-12-24",
        "withdrawal": "keep",
    }
    administrator_client.post(edit(event, 1), typed(administrator_client, edit(event, 1), **changes))
    administrator_client.post(
        edit(event, 2), typed(administrator_client, edit(event, 2), count="1", best_next="2")
    )
    first, second = event.stages.order_by("order")
    assert first.rules["format"]["groups"] == 6
    assert first.rules["format"]["deadline"] == "2026-12-24"
    assert first.rules["withdrawal"] == "keep"
    assert (second.rules["entry"]["from"], second.rules["entry"]["count"]) == ("s1", 1)
    entry = LogEntry.objects.filter(act=Act.RULES_CHANGED).last()
    assert entry.new["format.groups"] == 6
    page = page_of(administrator_client, reverse("log", args=[event.slug]))
    for words in ("赛制 · 小组数", "蛇形", "赛制 · 截止日期", "中途退赛", "成绩保留", "出线办法 · 出线队数"):
        assert words in page
    assert "best_next" not in page
    assert "grouping" not in page


def test_a_drawn_bracket_fixes_its_format(administrator_client):
    event = made_of("R14")
    stage = event.stages.get()
    stage.layout = {"bracket": []}
    stage.save()
    before = stage.rules["format"]
    assert "赛制不能再改" in page_of(administrator_client, edit(event))
    sent = typed(administrator_client, edit(event), minutes="70", bracket="numbers")
    assert administrator_client.post(edit(event), sent).status_code == 303
    stage.refresh_from_db()
    assert (stage.rules["format"], stage.minutes) == (before, 70)


def test_numbers_and_departments_apart_do_not_go_together(administrator_client):
    event = made_of("R06")
    sent = typed(administrator_client, edit(event), departments_apart="on")
    response = administrator_client.post(edit(event), sent)
    assert response.status_code == 422
    assert "两项只能选一项" in response.content.decode()


def test_a_ranking_key_counts_once(event, administrator_client):
    sent = typed(administrator_client, edit(event), ranking_2="points")
    response = administrator_client.post(edit(event), sent)
    assert response.status_code == 422
    assert "前面已经比过" in response.content.decode()


def test_a_page_left_open_changes_the_rules_of_no_later_stage(event, administrator_client):
    first = event.stages.get()
    assert f'name="stage" value="{first.pk}"' in page_of(administrator_client, edit(event))
    sent = typed(administrator_client, edit(event), minutes="30")
    later = event.stages.create(key="s2", order=2, name="决赛", layout={"seed": 1})
    assert administrator_client.post(edit(event), {**sent, "stage": first.pk}).status_code == 303
    first.refresh_from_db()
    later.refresh_from_db()
    assert (first.minutes, later.rules) == (30, {})
    assert administrator_client.post(edit(event), {**sent, "stage": "x"}).status_code == 404


@pytest.mark.parametrize("stage", ["9", "x", "٣", "0", "99999"])
def test_a_stage_that_is_not_there_is_not_found(stage, event, administrator_client):
    assert administrator_client.get(edit(event), {"stage": stage}).status_code == 404


@pytest.mark.parametrize("name", ["rules_edit", "discipline_edit"])
def test_an_event_without_stages_has_no_rules(name, event, administrator_client):
    event.stages.all().delete()
    assert administrator_client.get(reverse(name, args=[event.slug])).status_code == 404


def test_unusual_stored_values_stay_choices(event, administrator_client):
    event.stages.update(rules={"match": {"steps": [5, 3, 1], "best_of": 7}})
    administrator_client.post(edit(event), typed(administrator_client, edit(event)))
    match = event.stages.get().rules["match"]
    assert (match["steps"], match["best_of"]) == ([5, 3, 1], 7)


def test_a_game_may_go_from_one_level_to_another(event, administrator_client):
    sent = typed(administrator_client, edit(event), start_level="3", target_level="10")
    assert administrator_client.post(edit(event), sent).status_code == 303
    match = event.stages.get().rules["match"]
    assert (match["start_level"], match["target_level"]) == (3, 10)
    assert "每局从 3 打到 10" in page_of(administrator_client, reverse("rules", args=[event.slug]))


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"start_level": "10", "target_level": "10"}, "最后一级必须高于第一级"),
        ({"target_level": "11", "strikes_limit": "3", "strikes_then": "J"}, "不能退回 J"),
        ({"target_level": "15"}, "请改正标出的项目"),
    ],
)
def test_levels_that_make_no_game_are_refused(changes, told, event, administrator_client):
    response = administrator_client.post(edit(event), typed(administrator_client, edit(event), **changes))
    assert response.status_code == 422
    assert told in response.content.decode()
    assert event.stages.get().rules == {}


def test_a_round_that_does_not_go_with_the_last_level_is_told(administrator_client):
    event = made_of("R06")
    strikes = '{"count": "total", "limit": 3, "then": "J", "when": "own_deal"}'
    changes = {"target_level": "11", "strikes_limit": "0", "round_2_strikes": strikes}
    response = administrator_client.post(edit(event), typed(administrator_client, edit(event), **changes))
    assert response.status_code == 422
    assert "单独规定" in response.content.decode()


# Frozen


def test_the_first_result_freezes_the_rules(event, administrator_client):
    assert "规则已冻结" not in page_of(administrator_client, edit(event))
    make_result(make_round(event, [(1, 2)]), 1, 15, 9)
    page = page_of(administrator_client, edit(event))
    assert "已有成绩，规则已冻结" in page
    assert "仍要修改规则" in page
    sent = typed(administrator_client, edit(event), minutes="60")
    response = administrator_client.post(edit(event), sent)
    assert response.status_code == 422
    assert event.stages.get().minutes == 45
    administrator_client.post(edit(event), {**sent, "reason": "场地延时"})
    assert event.stages.get().minutes == 60
    entry = LogEntry.objects.get(act=Act.RULES_CHANGED)
    assert (entry.reason, entry.new["match.minutes"]) == ("场地延时", 60)


def test_what_is_stated_needs_a_reason_then_too(event, administrator_client):
    make_result(make_round(event, [(1, 2)]), 1, 15, 9)
    address = reverse("discipline_edit", args=[event.slug])
    assert administrator_client.post(address, {"late_minutes": "5"}).status_code == 422
    assert administrator_client.post(address, {"late_minutes": "5", "reason": "误写"}).status_code == 303
    assert event.stages.get().rules["discipline"] == {"late_minutes": 5}


def test_both_ranking_warnings_are_given(administrator_client):
    event = made_of("R01")
    warnings = administrator_client.get(edit(event, 1)).context["warnings"]
    assert len(warnings) == 1
    swiss = make_event(slug="levels", rules={"ranking": ["points", "net_levels"]})
    assert len(administrator_client.get(edit(swiss)).context["warnings"]) == 1
    groups = event.stages.get(order=1)
    groups.rules["format"]["double"] = True
    groups.save()
    assert administrator_client.get(edit(event, 1)).context["warnings"] == []


# What is stated besides


def test_state_and_unstate_discipline(administrator_client):
    event = made_of("R22")
    address = reverse("discipline_edit", args=[event.slug])
    sent = typed(
        administrator_client, address, tribute="no", tribute_return="", appeal_minutes="", notes="甲\n\n乙"
    )
    assert administrator_client.post(address, sent).status_code == 303
    stated = event.stages.get().rules["discipline"]
    assert (stated["tribute"], stated["notes"], stated["late_minutes"]) == (False, ["甲", "乙"], 10)
    assert not {"tribute_return", "appeal_minutes"} & set(stated)
    page = page_of(administrator_client, reverse("log", args=[event.slug]))
    assert "纪律 · 申诉时限" in page


@pytest.mark.parametrize(
    "changes", [{"late_minutes": "-1"}, {"report_at": "99"}, {"signals": "x"}, {"players": "a"}]
)
def test_refused_discipline_keeps_what_was_typed(changes, event, administrator_client):
    address = reverse("discipline_edit", args=[event.slug])
    response = administrator_client.post(address, {"notes": "留着", **changes})
    assert response.status_code == 422
    assert "留着" in response.content.decode()
    assert "discipline" not in event.stages.get().rules


# Points, single rounds and departments


def test_points_per_deal_are_set_and_stated(client, event, administrator_client):
    sent = typed(administrator_client, edit(event), model="per_deal", deal_double="4", deal_third="2")
    assert administrator_client.post(edit(event), sent).status_code == 303
    scoring = event.stages.get().rules["scoring"]
    assert (scoring["model"], scoring["deal_points"]) == ("per_deal", [4, 2, 1])
    page = page_of(client, reverse("rules", args=[event.slug]))
    assert "双上得 4 分，一三名得 2 分，一四名得 1 分" in page
    sent = typed(administrator_client, edit(event), deal_third="9")
    response = administrator_client.post(edit(event), sent)
    assert response.status_code == 422
    assert "双上的分不能低于一三名" in response.content.decode()


def test_results_without_deals_keep_points_from_going_by_deals(event, administrator_client):
    make_result(make_round(event, [(1, 2)]), 1, 15, 9)
    sent = typed(administrator_client, edit(event), model="per_deal", reason="改按副计分")
    response = administrator_client.post(edit(event), sent)
    assert response.status_code == 422
    assert "第 1 轮第 1 桌" in response.content.decode()
    assert "model" not in event.stages.get().rules.get("scoring", {})


@pytest.mark.parametrize("model", ["win_loss", "levels_gained", "per_deal", "level_difference"])
def test_opponents_points_are_warned_of_under_every_model(model, client, administrator_client):
    event = made_of("general-round-robin")
    stage = event.stages.get()
    stage.rules["scoring"]["model"] = model
    stage.rules["ranking"] = ["points", "opponents_points"]
    stage.save()
    words = "“对手积分”必然相同"
    warnings = administrator_client.get(edit(event)).context["warnings"]
    assert [words in warning for warning in warnings] == [True]
    assert words in page_of(client, reverse("rules", args=[event.slug]))


def test_big_and_small_points_are_named(client, administrator_client):
    event = made_of("R04")
    assert "大小分" in page_of(administrator_client, edit(event))
    page = page_of(client, reverse("rules", args=[event.slug]))
    assert "积分（大分）" in page
    assert "净胜级（小分）" in page


@pytest.mark.parametrize(
    ("code", "said", "unsaid"),
    [
        ("R01", ("各组第一名对另一组的第二名",), ("头号对末号", "同单位的队尽量晚相遇")),
        ("general-knockout", ("同单位的队尽量晚相遇",), ("各组第一名",)),
    ],
)
def test_a_bracket_from_groups_says_who_really_meets(code, said, unsaid, client, administrator_client):
    page = page_of(client, reverse("rules", args=[made_of(code).slug]))
    assert [line in page for line in said + unsaid] == [True] * len(said) + [False] * len(unsaid)


def test_r16_the_first_round_is_a_line_of_the_table(administrator_client):
    event = made_of("R16")
    form = administrator_client.get(edit(event)).context["form"]
    shown = {name: form[f"round_first_{name}"].value() for name in ("minutes", "pass_rule", "equal_levels")}
    assert shown == {"minutes": "60", "pass_rule": '"reach"', "equal_levels": '"off_stage"'}
    changes = {"round_first_minutes": "90", "round_2_best_of": "3", "round_4_strikes": "null"}
    sent = typed(administrator_client, edit(event), **changes)
    assert administrator_client.post(edit(event), sent).status_code == 303
    stored = event.stages.get().rules["format"]
    assert stored["match_by_round"]["first"] == {
        "minutes": 90,
        "pass_rule": "reach",
        "equal_levels": "off_stage",
    }
    assert stored["match_by_round"]["4"] == {"strikes": None}
    assert stored["best_of"] == {"2": 3}
    page = page_of(administrator_client, reverse("log", args=[event.slug]))
    assert "match_by_round" not in page
    assert "首轮" in page


def test_r09_the_final_alone_keeps_its_name_in_the_file(administrator_client):
    event = made_of("R09b")
    sent = typed(administrator_client, edit(event), round_2_best_of="5")
    administrator_client.post(edit(event), sent)
    assert event.stages.get().rules["format"]["best_of"] == {"final": 5}
    administrator_client.post(edit(event), typed(administrator_client, edit(event), round_2_best_of=""))
    assert "best_of" not in event.stages.get().rules["format"]


def test_single_rounds_change_after_the_bracket_is_drawn(administrator_client):
    event = made_of("R14")
    event.stages.update(layout={"bracket": []})
    sent = typed(administrator_client, edit(event), round_2_minutes="80")
    assert administrator_client.post(edit(event), sent).status_code == 303
    assert event.stages.get().rules["format"]["match_by_round"]["2"] == {"minutes": 80}


def test_a_setting_without_a_column_stays(administrator_client):
    event = made_of("R20")
    stage = event.stages.get()
    stage.rules["format"]["match_by_round"] = {"64": {"bonuses": ["first_streak"], "minutes": 33}}
    stage.save()
    administrator_client.post(edit(event), typed(administrator_client, edit(event)))
    stored = event.stages.get().rules["format"]["match_by_round"]
    assert stored == {"64": {"bonuses": ["first_streak"], "minutes": 33}}


def test_only_a_knockout_has_other_rules_for_single_rounds(event, administrator_client):
    form = administrator_client.get(edit(event)).context["form"]
    assert form.round_lines == []
    assert "个别轮次的规定" not in page_of(administrator_client, edit(event))


def test_the_departments_ranking_is_set_and_stated(client, event, administrator_client):
    page = reverse("rules", args=[event.slug])
    assert "单位排名：" not in page_of(client, page)
    changes = {"departments_ranked": "on", "departments_best": "2", "departments_minimum": "2"}
    administrator_client.post(edit(event), typed(administrator_client, edit(event), **changes))
    assert event.stages.get().rules["departments"] == {"best": 2, "minimum": 2}
    for words in ("单位排名：每个单位取积分最高的 2 队相加", "不足 2 队"):
        assert words in page_of(client, page)
    changes = {"departments_ranked": None}
    administrator_client.post(edit(event), typed(administrator_client, edit(event), **changes))
    assert "departments" not in event.stages.get().rules


UNREADABLE = [
    ("R01", "format", {"groups": "many"}),
    ("R14", "format", {"match_by_round": {"8": 5}}),
    ("R14", "format", {"best_of": {"final": 2}}),
    ("R22", "pairing", {"method": "best"}),
    ("R22", "ranking", ["luck"]),
    ("R01", "departments", {"best": 0}),
]


@pytest.mark.parametrize(("code", "section", "rules"), UNREADABLE)
def test_rules_that_cannot_be_read_are_said_and_mended(code, section, rules, client, administrator_client):
    event = made_of(code)
    stage = event.stages.order_by("order").first()
    stage.rules = {**stage.rules, section: rules}
    stage.save()
    response = client.get(reverse("rules", args=[event.slug]))
    assert response.status_code == 200
    assert "暂时不能显示" in response.content.decode()
    assert "无法识别" in page_of(administrator_client, edit(event, 1))
    sent = typed(administrator_client, edit(event, 1))
    assert administrator_client.post(edit(event, 1), sent).status_code == 303
    assert "暂时不能显示" not in page_of(client, reverse("rules", args=[event.slug]))


def test_the_head_does_not_say_the_format_twice(event, administrator_client):
    page = page_of(administrator_client, edit(event))
    assert "积分编排 · 积分编排" not in page


# Keeping a preset


def test_keep_the_rules_as_a_preset(administrator_client):
    event = made_of("R14")
    sent = {"name": "八强规则", "summary": "八强不限时"}
    assert administrator_client.post(reverse("preset_keep", args=[event.slug]), sent).status_code == 303
    assert OwnPreset.objects.get().content["stages"][0]["name"] == "淘汰赛"


@pytest.mark.parametrize("name", ["", "长" * 41])
def test_a_preset_needs_a_short_name(name, event, administrator_client):
    response = administrator_client.post(
        reverse("preset_keep", args=[event.slug]), {"name": name}, follow=True
    )
    assert "最多 40 个字" in response.content.decode()
    assert not OwnPreset.objects.exists()


# As players read them


def test_players_read_the_same_rules(client, db):
    page = page_of(client, reverse("rules", args=[made_of("R14").slug]))
    for words in (
        "八强赛、半决赛、三四名决赛、决赛：每轮不限时。",
        "手中剩 10 张及以下须报牌。",
        "第 2–4 名：二等奖。",
    ):
        assert words in page
    page = page_of(client, reverse("rules", args=[made_of("R22").slug]))
    assert ">26 : 0<" in page


@pytest.mark.parametrize("code", ["R22", "R07"])
def test_the_rules_page_takes_the_same_queries_for_any_number_of_stages(
    code, client, db, django_assert_num_queries
):
    address = reverse("rules", args=[made_of(code).slug])
    with django_assert_num_queries(4):
        client.get(address)


def test_the_rule_sheet_is_for_officials(assistant_client, client, event, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    address = reverse("rule_sheet_pdf", args=[event.slug])
    assert client.get(address).status_code == 302
    response = assistant_client.get(address)
    assert (response.status_code, response["Content-Type"]) == (200, "application/pdf")


def test_english_reads_english(client, db):
    made_of("R01")
    client.get("/language/en/", {"next": "/"})
    make_round(Event.objects.get(slug="r01"), [], status=RoundStatus.DRAFT)
    page = page_of(client, reverse("rules", args=["r01"]))
    assert "Round robin in 4 groups: everybody meets everybody once." in page
    assert "No tribute is paid." in page
