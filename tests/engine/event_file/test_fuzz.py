"""Whatever somebody writes into an event file: it is refused with a place, or it can be used."""

import contextlib
import copy
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from guandan_site.event_file.checking import check_event
from guandan_site.event_file.computing import complete_results, find_stage, stage_standings
from guandan_site.event_file.drawing import NotDrawnRoundByRound, RoundNotCompleted, draw_next_round
from guandan_site.event_file.dumping import to_bytes
from guandan_site.event_file.parsing import load_event, parse_event
from guandan_site.event_file.problems import InvalidEventFile
from guandan_site.event_file.reading import children
from guandan_site.event_file.wording import finding_message, problem_lines
from pairing.engine.types import NoLegalDraw
from tests.engine.event_file.files import full_file

WORDS = st.sampled_from(
    (
        *("P1", "P2", "P9", "d0", "home", "away", "tie", "bye", "played", "double_forfeit", "irregular"),
        *("draft", "published", "completed", "swiss", "knockout", "closest", "avoid", "never", "HHAA"),
        *("points", "lots", "head_to_head_group", "passed", "", " ", "\n", "\0", "\ud800", "名" * 500),
    )
)
NUMBERS = st.sampled_from([-1, 0, 1, 2, 3, 5, 14, 15, 16, 23, 999, 10**6, 2**63, 1.5, -0.0, 1e300])
SCALARS = st.none() | st.booleans() | NUMBERS | WORDS
VALUES = SCALARS | st.lists(SCALARS, max_size=3) | st.dictionaries(WORDS, SCALARS, max_size=3)


def places(value: Any, found: list | None = None) -> list[tuple[Any, Any]]:
    """Every member of the document as (container, key)."""
    found = [] if found is None else found
    for key, child in children(value):
        found.append((value, key))
        places(child, found)
    return found


PLACES = len(places(full_file()))


@st.composite
def mutated(draw) -> dict:
    """The full file with one to three places changed, copied from elsewhere, or taken away."""
    value = copy.deepcopy(full_file())
    for _ in range(draw(st.integers(1, 3))):
        found = places(value)
        container, key = found[draw(st.integers(0, PLACES)) % len(found)]
        other, other_key = found[draw(st.integers(0, PLACES)) % len(found)]
        act = draw(st.sampled_from(["change", "copy", "take away"]))
        if act == "take away":
            del container[key]
        else:
            container[key] = draw(VALUES) if act == "change" else copy.deepcopy(other[other_key])
    return value


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(mutated())
def test_a_file_is_refused_with_a_place_or_can_be_used(value):
    try:
        document = parse_event(value)
    except InvalidEventFile as error:
        lines = problem_lines(error)
        assert lines
        assert all(line.startswith("$") and "\n" not in line for line in lines)
        return
    content = to_bytes(document)
    assert to_bytes(load_event(content)) == content
    assert all(finding_message(each) for each in check_event(document))
    use(complete_results(document)[0])


def use(document) -> None:
    if not document.stages:
        return
    stage = find_stage(document, None)
    assert len(stage_standings(document, stage).rows) == len(document.teams_of(stage))
    with contextlib.suppress(NoLegalDraw, RoundNotCompleted, NotDrawnRoundByRound):
        draw_next_round(document, stage, 1)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.binary(max_size=40) | st.text(max_size=40).map(lambda text: json.dumps(text).encode()))
def test_bytes_are_no_event_file(content):
    with pytest.raises(InvalidEventFile) as refused:
        load_event(content)
    assert problem_lines(refused.value)
