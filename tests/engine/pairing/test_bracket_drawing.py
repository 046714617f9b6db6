"""The picture of a bracket: everything in its place, nothing over anything else, at every size."""

import random
from collections import defaultdict
from itertools import pairwise

import pytest

from pairing.bracket_drawing import bracket_drawings, hall_drawings
from pairing.bracket_parts import (
    COLUMN_GAP,
    HEADING,
    SMALL,
    TYPE,
    BracketTexts,
    TeamText,
    shortened,
    text_width,
)
from pairing.engine.bracket import Purpose, resolve
from pairing.engine.knockout import (
    BracketOrder,
    Byes,
    KnockoutRules,
    PlayedOut,
    draw_next_round,
    knockout_bracket,
)
from pairing.engine.types import Entrant

LONG = "阿依古丽·热合曼·买买提江 · 阿卜杜克里木·吐尔地·伊敏江"
SEEDED = KnockoutRules(order=BracketOrder.SEEDED, played_out=PlayedOut.THIRD_PLACE)
RULES = {
    "seeded, third place": SEEDED,
    "numbers, byes in each round": KnockoutRules(byes=Byes.EACH_ROUND),
    "byes for the last, places to 8": KnockoutRules(byes=Byes.LAST, played_out=PlayedOut.TO_EIGHT),
    "two zones": KnockoutRules(zones=True, played_out=PlayedOut.THIRD_PLACE),
    "final three": KnockoutRules(played_out=PlayedOut.FINAL_GROUP),
}
SIZES = [*range(4, 19), 24, 31, 32, 33, 47, 64, 65, 100, 130]


def entrants(size):
    return [
        Entrant(id=number, number=number, rank=number, department=None, seed=number)
        for number in range(1, size + 1)
    ]


def played(bracket, rounds=None, seed=1):
    """The state after so many rounds, won by anybody."""
    rng, winners = random.Random(seed), {}
    while True:
        state = resolve(bracket, winners)
        ready = [entry for entry in state.ready if rounds is None or entry.match.round <= rounds]
        if not ready:
            return state
        winners |= {entry.match.key: rng.choice([entry.home, entry.away]) for entry in ready}


def texts(state, **changed):
    names = {number: f"队员 · {number}" for number in range(1, 200)} | {3: LONG}
    matches = [entry.match for entry in state.entries]
    values = {
        "teams": {number: TeamText(str(number), name, f"{name}（单位）") for number, name in names.items()},
        "rounds": {match.round: f"第 {match.round} 轮" for match in matches},
        "bye": "轮空",
        "champion": "冠军",
        "matches": {match.key: "名次" for match in matches if match.purpose is not Purpose.MAIN},
        "scores": {entry.match.key: ("过A", "10") for entry in state.entries if entry.winner and entry.loser},
        "notes": {entry.match.key: "第 1 桌" for entry in state.ready},
        "waiting": {slot: f"等 {match.key}" for match in matches for slot in (match.home, match.away)},
        "zones": {1: "单号区", 2: "双号区"},
    }
    return BracketTexts(**(values | changed))


def draw(size, rules=SEEDED, rounds=None, most=64):
    state = played(knockout_bracket(entrants(size), rules, seed=1), rounds)
    return bracket_drawings(state, texts(state), most=most)


def columns(drawing):
    found = defaultdict(list)
    for box in drawing.boxes:
        found[box.x].append(box)
    return [sorted(boxes, key=lambda box: box.y) for _, boxes in sorted(found.items())]


def texts_of(box, side, small):
    """From where to where the texts of a side go, from the left."""
    size = small if side.state == "waiting" else TYPE
    spans = [
        (box.number_x - text_width(side.number), box.number_x),
        (box.names_x, box.names_x + text_width(side.text, size)),
        (box.score_x - text_width(side.score), box.score_x),
    ]
    return [span for span in spans if span[0] != span[1]]


def assert_within(drawing, box):
    assert box.y >= HEADING - 10
    assert box.bottom <= drawing.height
    assert box.right <= drawing.width
    for side in box.sides:
        spans = texts_of(box, side, drawing.small)
        assert all(box.x < start and end < box.right for start, end in spans), side
        assert all(one[1] < other[0] for one, other in pairwise(spans)), side


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("rounds", [0, 2, None])
def test_nothing_overlaps_at_any_size(name, rounds):
    for size in SIZES:
        for drawing in draw(size, RULES[name], rounds):
            for boxes in columns(drawing):
                for upper, lower in pairwise(boxes):
                    assert upper.bottom < (lower.note_y - SMALL if lower.note else lower.y), size
            for left, right in pairwise(columns(drawing)):
                assert left[0].right + COLUMN_GAP <= right[0].x
            for box in drawing.boxes:
                assert_within(drawing, box)


@pytest.mark.parametrize("size", [2, 3, 5, 8, 13, 24, 64])
def test_one_picture_has_every_match_once(size):
    rules = KnockoutRules(order=BracketOrder.SEEDED)
    bracket = knockout_bracket(entrants(size), rules, seed=1)
    (drawing,) = draw(size, rules)
    kinds = [box.kind for box in drawing.boxes]
    assert kinds.count("match") == sum(not match.is_bye for match in bracket) == size - 1
    assert kinds.count("bye") == sum(match.is_bye for match in bracket)
    assert kinds.count("champion") == 1
    assert drawing.entries == size


def test_winners_go_on_along_won_lines_and_the_last_leads_to_the_champion():
    (drawing,) = draw(8)
    champion = next(box for box in drawing.boxes if box.kind == "champion")
    winner = champion.sides[0]
    assert [line.is_won for line in drawing.lines] == [True] * 7, "six into matches, one to the champion"
    assert [line.is_last for line in drawing.lines].count(True) == 1
    won = [side for box in drawing.boxes if box.kind == "match" for side in box.sides if side.state == "won"]
    assert sum(side.number == winner.number for side in won) == 3
    assert len(won) == 8, "seven matches and the one for third place"


def test_what_is_open_waits_and_what_is_played_now_says_where():
    (drawing,) = draw(4, rounds=0)
    assert [box.kind for box in drawing.boxes] == ["live", "live", "match", "match", "open"]
    final, third = drawing.boxes[2], drawing.boxes[3]
    assert [side.text for side in final.sides] == ["", ""], "the lines show who comes"
    assert [side.text for side in third.sides] == ["等 2.2", "等 2.2"], "no line leads there"
    assert {line.is_won for line in drawing.lines} == {False}
    assert drawing.boxes[0].note == "第 1 桌"


def test_a_bye_stands_quietly_in_one_line():
    (drawing,) = draw(3, KnockoutRules(order=BracketOrder.SEEDED), rounds=0)
    (bye,) = (box for box in drawing.boxes if box.kind == "bye")
    assert (bye.sides[0].number, bye.sides[0].score, len(bye.sides)) == ("1", "轮空", 1)


def test_a_small_bracket_goes_from_left_to_right_a_large_one_from_both_sides():
    (small,), (large,) = draw(32, rounds=0), draw(64, rounds=0)
    assert [label.text for label in small.headings] == [f"第 {number} 轮" for number in (1, 2, 3, 4, 5)]
    assert [label.text for label in large.headings if label.x < large.width // 2 - 100][-1] == "第 5 轮"
    assert len(large.headings) == 11
    final = next(
        box for box in large.boxes if abs(box.centre - large.width // 2) < 10 and box.kind == "match"
    )
    assert abs(final.middle - large.height // 2) < 40


def test_zones_are_named_above_their_half():
    (drawing,) = draw(16, RULES["two zones"], rounds=0)
    odd, even = drawing.zones
    first = columns(drawing)[0]
    assert (odd.text, even.text) == ("单号区", "双号区")
    for box in first:
        numbers = {int(side.number) % 2 for side in box.sides}
        assert numbers == ({1} if box.y < even.y else {0})


def test_a_large_bracket_comes_in_parts():
    drawings = draw(130, rounds=1)
    top, *parts = drawings
    assert top.entries == 16
    assert all(part.entries <= 64 for part in parts)
    assert sum(part.entries for part in parts) == 130
    assert not any(box.kind in {"champion", "open"} for part in parts for box in part.boxes)
    assert [drawing.entries for drawing in draw(64, rounds=1, most=16)] == [16, 16, 16, 16, 16]


MAIN_AT_1024 = (975, 610)
"""What title and foot leave of a projector of 1024 × 768."""
LAST_ROW = 0.024 * 768
"""The smallest type that the last row reads."""


@pytest.mark.parametrize("rules", [pytest.param(rules, id=name) for name, rules in RULES.items()])
@pytest.mark.parametrize("size", [4, 13, 16, 64, 130])
def test_the_last_row_reads_a_hall_s_pictures_whole(size, rules):
    bracket = knockout_bracket(entrants(size), rules, seed=1)
    for rounds in range(max(match.round for match in bracket) + 1):
        state = played(bracket, rounds)
        for drawing in hall_drawings(state, texts(state)):
            width, height = MAIN_AT_1024
            assert min(width / drawing.width, height / drawing.height) * drawing.small >= LAST_ROW, rounds
            for box in drawing.boxes:
                assert_within(drawing, box)


def shown(drawing):
    """The numbers of the teams in a picture."""
    return {side.number for box in drawing.boxes for side in box.sides if side.number}


def test_a_hall_sees_the_round_in_play_and_in_the_end_the_champion():
    rules = KnockoutRules(order=BracketOrder.SEEDED, played_out=PlayedOut.TO_EIGHT)
    bracket = knockout_bracket(entrants(64), rules, seed=1)
    pictures = {}
    for rounds in (0, 2, 3, 6):
        state = played(bracket, rounds)
        pictures[rounds] = hall_drawings(state, texts(state))
    assert [len(pictures[rounds]) for rounds in (0, 2, 3, 6)] == [8, 2, 1, 2]
    assert all(len(shown(drawing)) == 8 for rounds in (0, 2, 3) for drawing in pictures[rounds])
    final, lower = pictures[6]
    assert [box.kind for box in final.boxes].count("champion") == 1
    assert len(lower.boxes) == 4
    assert {box.note for box in lower.boxes} == {"名次"}
    assert lower.headings == ()


def test_a_hall_sees_no_byes_alone():
    bracket = knockout_bracket(entrants(130), SEEDED, seed=1)
    state = played(bracket, 0)
    (one, *more) = hall_drawings(state, texts(state))
    assert len(more) <= 1
    assert any(box.kind == "live" for box in one.boxes)


def test_a_round_drawn_anew_has_no_lines_yet():
    rules = KnockoutRules(order=BracketOrder.REDRAWN)
    bracket = knockout_bracket(entrants(8), rules, seed=1)
    state = played(bracket)
    (drawing,) = bracket_drawings(state, texts(state))
    assert (len(drawing.boxes), drawing.lines) == (4, ())
    winners = {entry.match.key: entry.winner for entry in state.entries}
    after = resolve(draw_next_round(bracket, entrants(8), rules, winners, seed=2), winners)
    (drawing,) = bracket_drawings(after, texts(after))
    assert (len(drawing.boxes), len(drawing.lines)) == (6, 4)
    state = resolve(knockout_bracket(entrants(130), rules, seed=1), {})
    assert sum(drawing.entries for drawing in bracket_drawings(state, texts(state))) == 130


def test_the_final_three_stand_in_a_column_with_the_champion_beside():
    rules = RULES["final three"]
    state = played(knockout_bracket(entrants(11), rules, seed=1))
    (drawing,) = bracket_drawings(state, texts(state, champion_team=5))
    *_, three, champion = columns(drawing)
    assert [box.note for box in three] == ["名次"] * 3
    assert champion[0].sides[0].number == "5"


def test_a_long_name_is_shortened_and_told_in_full():
    (drawing,) = draw(4)
    side = next(side for box in drawing.boxes for side in box.sides if side.number == "3")
    assert side.text.endswith("…")
    assert side.text[:-1] in LONG
    assert side.full == f"{LONG}（单位）"
    (short,) = {side.text for box in drawing.boxes for side in box.sides if side.number == "1"}
    assert short == "队员 · 1"


@pytest.mark.parametrize(
    ("text", "width", "kept"),
    [
        ("张伟 · 李娜", 200, "张伟 · 李娜"),
        ("张伟 · 李娜", 60, "张伟…"),
        ("张伟", 5, "…"),
        ("", 0, ""),
        ("机关1队（张伟 · 李娜）", 90, "机关1队"),
        ("机关1队（张伟 · 李娜）", 50, "机关…"),
    ],
)
def test_shortened(text, width, kept):
    assert shortened(text, width) == kept
