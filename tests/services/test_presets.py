"""Events made of presets, their rule sheets on paper, own presets, prizes and settled ties."""

from __future__ import annotations

import io
from datetime import UTC, datetime

import pytest
from pypdf import PdfReader

from guandan_site.pdf import render_pdf
from guandan_site.prints.selectors import numbered_chapters, sheet_head
from pairing.rulebook import event_chapters
from tests.builders import make_event, make_round
from tournaments.log import Act
from tournaments.models import Event, LogEntry, OwnPreset, RoundStatus
from tournaments.presets import offered_presets, presets
from tournaments.prizes import Tier, TieSettled, read_tiers
from tournaments.services.events import EventFacts, create_event
from tournaments.services.presets import NothingToKeep, keep_preset, remove_preset
from tournaments.services.prizes import change_prizes, settle_prize_tie

SAID = {
    "default": ("第1轮随机抽签", "同单位的队始终不相遇", "26:0", "13:13", "一等奖"),
    "R01": (
        "分4个小组",
        "小组赛每组前2名进入",
        "每轮50分钟",
        "升级越过A，或打A时本方头游，即为过A",
        "已出头游的一方升一级",
        "不进贡",
        "前八名的名次全部打出",
        "每队选手4人，领队1人，教练1人",
        "迟到超过10分钟",
        "对方升3级",
        "第9名起：优胜奖",
    ),
    "general-groups": ("分4个小组", "小组赛每组前2名进入", "胜方得13加级差", "半决赛负者打三四名决赛"),
    "general-knockout": ("一次抽签排定全部对阵", "半决赛负者打三四名决赛", "先打到该级的一方胜"),
    "general-round-robin": ("循环赛", "胜方得13加级差"),
    "R02": ("各队自行约定每场的时间", "每轮60分钟", "本阶段成绩全部注销", "须双方签字", "第4–6名"),
    "R03": ("名单前半区对后半区", "同单位第1轮不相遇", "胜方得13加级差", "16:0", "0:0"),
    "R04": ("共5轮", "胜2分，平1分，负0分", "1.积分", "2.净胜级", "3.升级数"),
    "R06": ("1对2、3对4", "每轮30分钟"),
    "R07": ("第一组淘汰赛、第二组淘汰赛、第三组淘汰赛各取前1名进入", "号码相同的结为一队", "循环赛"),
    "R08": ("不限时", "双上升4级，头游三游升3级，头游末游升2级", "累计3次打A不过，判负", "并列第三"),
    "R09": ("3局2胜", "同一人连续三次头游，加升一级；连续四次加升两级"),
    "R09b": ("决赛：3局2胜",),
    "R10": ("组号单数、双数各为一个半区", "每轮80分钟", "累计3次打A不过，退回打2", "先打到该级的一方胜"),
    "R11": ("本方头游即过A",),
    "R12": (
        "混双",
        "剩三队时打决赛循环",
        "每轮队数为单数时，末位的队轮空",
        "累计2次打A不过，判负",
        "升几级得几分",
        "自选加级",
    ),
    "R13": ("一次抽签排定全部对阵", "首轮轮空", "迟到超过10分钟", "剩6张及以下须报牌"),
    "R14": (
        "八强赛、半决赛、三四名决赛、决赛：每轮不限时",
        "每轮60分钟",
        "正在打本方级牌",
        "只落后一级",
        "连续三次末游",
        "剩10张",
    ),
    "R15": ("初赛前16名进入", "每轮45分钟", "双上升6级", "每轮120分钟", "不限时", "连续3次打A不过，退回打2"),
    "R16": ("首轮：每轮60分钟", "升到A即获胜", "台下的一方胜", "每轮不限时"),
    "R17": ("预赛前2名进入", "加赛一局", "报半场时间和最后五分钟"),
    "R18": ("每轮40分钟", "必须双上才过A", "连续3次打A不过，退回打J"),
    "R19": ("每轮由胜队重新抽签", "每轮60分钟", "累计3次打A不过，退回打J", "加赛一局", "迟到超过5分钟"),
    "R20": ("半决赛、三四名决赛、决赛：每轮120分钟", "累计3次打A不过，退回打2", "加赛一局"),
    "R21": ("每轮35分钟", "同伴不是末游", "连续3次打A不过，退回打J"),
    "R22": (
        "按名单顺序",
        "同单位的队始终不相遇",
        "共4轮",
        "退回打J",
        "连续三次双上直升A",
        "分2场次",
        "每轮必须参赛",
        "轮空、对手缺席、同单位相遇、提前开赛或超时结束的场次，均记0分",
    ),
}
"""What makes each regulation's rule sheet its own, without spaces."""


@pytest.fixture
def press(settings, tmp_path):
    """A press of its own, so that tests running beside this one never find it busy."""
    settings.DATA_DIR = tmp_path


def made_of(code: str, slug: str = "made") -> Event:
    facts = EventFacts("职工赛", slug, "体育馆", "校工会", datetime(2026, 12, 5, 1, tzinfo=UTC))
    preset = offered_presets()[code]
    return create_event(facts=facts, preset=preset, rounds=preset.rounds, minutes=preset.minutes, by=None)


def rule_sheet(event: Event) -> tuple[str, int]:
    """The text of the PDF without spaces, and its pages."""
    head = sheet_head(event, "竞赛规程")
    pages = PdfReader(
        io.BytesIO(render_pdf("rule_sheet", {"head": head, "chapters": numbered_chapters(event)}))
    ).pages
    return "".join("".join(page.extract_text() for page in pages).split()), len(pages)


def test_every_regulation_has_its_words():
    assert {code for code, preset in presets().items() if preset.regulation} <= set(SAID) <= set(presets())


@pytest.mark.parametrize("code", SAID)
def test_the_rule_sheet_says_the_special_rules(code, db, press):
    text, pages = rule_sheet(made_of(code))
    assert [words for words in SAID[code] if words not in text] == []
    assert pages <= 2
    assert "主办：校工会。地点：体育馆。" in text


UNSAID = {
    "R01": ("平1分", "同伴不是末游"),
    "R12": ("J:10",),
    "R22": ("打满全部轮次",),
}
"""What cannot happen under a regulation, or stands on its sheet in other words."""


@pytest.mark.parametrize("code", UNSAID)
def test_the_rules_say_nothing_that_cannot_happen(code, db):
    parts = [part for chapter in event_chapters(made_of(code)) for part in chapter.parts]
    results = [result for part in parts if part.table for result in part.table.results]
    said = "".join([*(line for part in parts for line in part.lines), *results])
    assert [words for words in UNSAID[code] if words in said.replace(" ", "")] == []


@pytest.mark.parametrize("code", SAID)
def test_an_event_gets_the_whole_preset(code, db):
    event, preset = made_of(code), presets()[code]
    stages = list(event.stages.order_by("order"))
    assert [(each.key, each.name, each.format) for each in stages] == [
        (f"s{place}", stage.name, stage.format) for place, stage in enumerate(preset.stages, start=1)
    ]
    for stage, planned in zip(stages, preset.stages, strict=True):
        rules = {**stage.rules}
        assert rules.pop("discipline", None) == (preset.discipline if stage.order == 1 else None)
        assert rules == planned.rules
    assert event.prizes == preset.prizes


def test_changing_an_event_leaves_the_preset_alone(db):
    event = made_of("R22")
    stage = event.stages.get()
    stage.rules["match"]["minutes"] = 99
    stage.rules["discipline"]["notes"].append("x")
    assert presets()["R22"].minutes == 45
    assert "x" not in presets()["R22"].discipline["notes"]


def test_an_own_preset_is_offered_first_and_makes_the_same_event(db, administrator):
    event = made_of("R01")
    own = keep_preset(event=event, name="校工会规则", summary="照旧", by=administrator)
    first = next(iter(offered_presets().values()))
    assert (first.name, first.is_own, first.summary) == ("校工会规则", True, "照旧")
    again = made_of(first.code, "again")
    assert [stage.rules for stage in again.stages.all()] == [stage.rules for stage in event.stages.all()]
    assert again.prizes == event.prizes
    assert LogEntry.objects.get(act=Act.PRESET_KEPT).subject == "校工会规则"
    remove_preset(preset=own, by=administrator)
    assert first.code not in offered_presets()
    assert Event.objects.filter(slug="again").exists()


def test_the_same_name_is_replaced(db, administrator):
    for code in ("R18", "R21"):
        keep_preset(event=made_of(code, code.lower()), name="模板", summary="", by=administrator)
    (own,) = OwnPreset.objects.all()
    assert own.content["stages"][0]["rules"]["match"]["minutes"] == 35


def test_set_meetings_of_an_event_are_no_rule(event, administrator):
    event.stages.update(
        rules={"pairing": {"forced": [["t1", "t2"]], "forbidden": [["t3", "t4"]], "method": "closest"}}
    )
    own = keep_preset(event=event, name="模板", summary="", by=administrator)
    assert own.content["stages"][0]["rules"] == {"pairing": {"method": "closest"}}


def test_an_event_without_stages_keeps_nothing(event, administrator):
    event.stages.all().delete()
    with pytest.raises(NothingToKeep):
        keep_preset(event=event, name="模板", summary="", by=administrator)


def test_typed_rounds_and_minutes_are_those_of_the_first_stage(db):
    preset = presets()["R15"]
    event = create_event(facts=EventFacts("a", "a"), preset=preset, rounds=9, minutes=30, by=None)
    first, second, third = event.stages.order_by("order")
    assert (first.rounds_planned, first.minutes) == (9, 30)
    assert (second.rounds_planned, second.minutes, third.minutes) == (2, 120, None)


def test_prizes_are_logged_old_and_new(event, administrator):
    tiers = [Tier(1, 1, "冠军", "奖杯"), Tier(2, None, "参与奖")]
    change_prizes(event=event, tiers=tiers, by=administrator)
    change_prizes(event=event, tiers=tiers, by=administrator)
    event.refresh_from_db()
    assert read_tiers(event.prizes) == tuple(tiers)
    entry = LogEntry.objects.get(act=Act.PRIZES_CHANGED)
    assert (entry.old, entry.new) == ({"prizes": []}, {"prizes": ["1 冠军 奖杯", "2– 参与奖"]})


def test_lots_are_recorded_with_their_seed_and_can_be_replaced(event, chief):
    settle_prize_tie(event=event, numbers=[4, 3], how=TieSettled.LOTS, by=chief, seed=7)
    settle_prize_tie(event=event, numbers=[5, 6], how=TieSettled.SHARED, by=chief)
    event.refresh_from_db()
    assert [entry["teams"] for entry in event.prize_ties] == [[3, 4], [5, 6]]
    assert (event.prize_ties[0]["seed"], sorted(event.prize_ties[0]["order"])) == (7, [3, 4])
    settle_prize_tie(event=event, numbers=[3, 4], how=TieSettled.SHARED, by=chief)
    event.refresh_from_db()
    assert event.prize_ties[-1] == {"teams": [3, 4], "how": "shared"}
    assert len(event.prize_ties) == 2
    assert LogEntry.objects.filter(act=Act.PRIZE_TIE_SETTLED).first().old["seed"] == 7


def test_a_seed_is_made_up_where_none_is_given(event, chief):
    settle_prize_tie(event=event, numbers=[1, 2], how=TieSettled.LOTS, by=chief)
    event.refresh_from_db()
    assert isinstance(event.prize_ties[0]["seed"], int)


def test_the_rule_sheet_of_a_played_event_and_of_unusual_rules(db, press):
    event = make_event(
        rules={
            "match": {"deals": 12, "start_level": 3, "target_level": 11, "best_of": 5, "minutes": None},
            "scoring": {"missed": 8, "model": "win_loss"},
            "ranking": ["points", "lots"],
            "discipline": {"late_minutes": 0, "late_levels": 2, "notes": ["<b>自带茶杯</b>{{7*7}}"]},
            "withdrawal": "no_place",
        }
    )
    make_round(event, [(1, 2)], status=RoundStatus.COMPLETED)
    text, _pages = rule_sheet(event)
    for words in (
        "最多12副牌",
        "每局从3打到J",
        "均适用于J",
        "每轮记8分",
        "开赛时未到场",
        "高2级开始打",
        "不计名次",
    ):
        assert words in text
    assert "<b>自带茶杯</b>{{7*7}}" in text
    assert "全部相同的队并列" not in text
