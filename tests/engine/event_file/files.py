"""Small event files for tests, as the JSON values that a file holds."""

from typing import Any

Json = dict[str, Any]


def played(table: int, home: str, away: str, home_level: int, away_level: int) -> Json:
    result = {"outcome": "played", "home_level": home_level, "away_level": away_level}
    return {"table": table, "home": home, "away": away, "result": result}


def open_match(table: int, home: str, away: str) -> Json:
    return {"table": table, "home": home, "away": away, "result": None}


def bye(team: str) -> Json:
    return {"table": None, "home": team, "away": None, "result": {"outcome": "bye"}}


def round_of(number: int, matches: list[Json], status: str = "completed") -> Json:
    return {"number": number, "status": status, "matches": matches}


def event_of(count: int, rounds: list[Json], *, departments: int = 0, **stage: Any) -> Json:
    """An event with teams P1, P2 …; team i plays for department i modulo `departments`, if there are any."""
    return {
        "format": "guandan-event",
        "version": 1,
        "event": {"name": "掼蛋赛", "slug": "cup"},
        "departments": [{"id": f"d{i}", "name": f"单位{i}"} for i in range(departments)],
        "teams": [
            {
                "id": f"P{i}",
                "number": i,
                "department": f"d{i % departments}" if departments else None,
                "players": [f"甲{i}", f"乙{i}"],
            }
            for i in range(1, count + 1)
        ],
        "stages": [{"id": "s1", "name": "积分编排", "format": "swiss", "rounds": rounds, **stage}],
    }


def two_rounds() -> Json:
    """Five teams, one round completed, one being played: every kind of field is used somewhere."""
    first = round_of(1, [played(1, "P1", "P2", 15, 2), played(2, "P3", "P4", 10, 7), bye("P5")])
    second = round_of(2, [open_match(1, "P1", "P3"), played(2, "P5", "P4", 9, 9), bye("P2")], "published")
    adjustments = [{"team": "P2", "round": 1, "points": -2, "reason": "迟到"}]
    return event_of(5, [first, second], departments=3, adjustments=adjustments)


def full_file() -> Json:
    """An event file that uses every field, known and unknown."""
    value = two_rounds()
    value["motto"] = "友谊第一"
    value["event"] |= {
        "venue": "活动中心",
        "organiser": "校工会",
        "starts_at": "2026-12-05T09:00:00+08:00",
        "is_public": False,
        "sponsor": {"name": "茶厂"},
    }
    value["departments"][0]["short"] = "数"
    value["teams"][0] |= {
        "players": [
            {"name": "张伟", "phone": "13800000000", "born": 1970},
            {
                "name": "李娜",
                "former": [{"name": "周敏", "stage": "s1", "until": 1, "note": "发烧", "by": "a"}],
            },
        ],
        "session": "上午",
        "seed": 2,
        "fixed_table": 3,
        "remark": "轮椅",
        "name": "飞马",
        "colour": "red",
    }
    value["teams"][4]["withdrawn_after"] = 2
    value["event"] |= {"uses_check_in": True, "publishes_to": "hall"}
    value["teams"][1] |= {
        "checked_in_at": "2026-12-05T08:40:00+08:00",
        "absences": [
            {"stage": "s1", "round": 3, "excused": True, "note": "出差", "by": "a"},
            {"stage": "s1", "round": 4, "onwards": True},
        ],
        "lateness": [{"stage": "s1", "round": 1, "minutes": 7, "by": "a"}],
    }
    stage = value["stages"][0]
    stage |= {"teams": ["P5", "P4", "P3", "P2", "P1"], "colour": "green"}
    stage["rules"] = {"match": {"minutes": 30, "lamp": "red"}, "house": {"tribute": True}}
    stage["adjustments"][0]["author"] = "主裁判"
    stage["penalties"] = [
        {
            "team": "P2",
            "round": 1,
            "rule": "late",
            "action": "points",
            "amount": -2,
            "minutes": 8,
            "reason": "迟到",
            "by": "主裁判",
            "at": "2026-12-05T09:10:00+08:00",
            "slip": 3,
        },
        {
            "team": "P1",
            "round": 1,
            "rule": "wrong_cards",
            "action": "opponent_levels",
            "amount": 3,
            "reason": "少一张牌",
            "at": "2026-12-05T09:20:00+08:00",
            "cancelled": {"at": "2026-12-05T09:30:00+08:00", "by": "主裁判", "reason": "数错", "seen": True},
        },
    ]
    stage["appeals"] = [
        {
            "team": "P1",
            "round": 1,
            "text": "没有少牌",
            "penalty": 2,
            "received_at": "2026-12-05T09:25:00+08:00",
            "received_by": "裁判助理",
            "deadline": "2026-12-05T09:50:00+08:00",
            "outcome": "upheld",
            "answer": "牌数无误",
            "decided_at": "2026-12-05T09:30:00+08:00",
            "decided_by": "主裁判",
            "form": 1,
        }
    ]
    first, second = stage["rounds"]
    first |= {"completed_at": "2026-12-05T10:00:00.250000+08:00", "hall": "B"}
    first["draw"] = {
        "seed": 77,
        "method": "adjacent",
        "relaxations": [{"rule": "rematch", "value": "avoid"}],
        "explained": {"bye": [], "tables": {"1": []}},
        "changes": [{"act": "swap", "version": 2, "first": 1, "second": 3}],
        "machine": "hall",
    }
    first["publications"] = [
        {
            "version": 1,
            "published_at": "2026-12-05T08:50:00+08:00",
            "audience": "hall",
            "withdrawn_at": "2026-12-05T08:55:00+08:00",
            "seating": [[1, 1, 2], [2, 3, 4], [None, 5, None]],
        },
        {
            "version": 2,
            "published_at": "2026-12-05T08:56:00+08:00",
            "opened_at": "2026-12-05T08:58:00+08:00",
            "reason": "抄错座次",
            "notice_ended_at": "2026-12-05T09:10:00+08:00",
            "names": {"1": ["张三 · 李四", "图书馆"], "12": ["王五 · 赵六", ""]},
        },
    ]
    first["matches"][0] |= {"room": "B"}
    first["matches"][0]["result"] |= {"slip": 17}
    second["matches"][1]["result"] = {
        "outcome": "played",
        "deals": ["HHAA", "AAHH", "HAHA"],
        "slip": {"b": 1, "a": 2},
    }
    return value
