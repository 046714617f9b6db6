"""Drawing partners: everybody once, mixed pairs mixed, departments as ruled, the same for the same seed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.discipline import Partners, PartnersFrom
from tournaments.partners import Person, SexUnknown, draw_partners

people = st.lists(st.tuples(st.sampled_from("mf"), st.sampled_from(["", "甲", "乙", "丙"])), max_size=24).map(
    lambda rows: [Person(f"人{at}", sex, department) for at, (sex, department) in enumerate(rows)]
)
kinds, origins, seeds = st.sampled_from(Partners), st.sampled_from(PartnersFrom), st.integers(0, 2**31)


def are_of_two(first: Person, second: Person) -> bool:
    return not first.department or first.department != second.department


def most_pairs(entered: list[Person], kind: Partners, origin: PartnersFrom) -> int:
    """The number of pairs in the best draw, by trying all."""
    allowed = {
        PartnersFrom.ANY: lambda a, b: True,
        PartnersFrom.SAME: lambda a, b: a.department == b.department,
        PartnersFrom.DIFFERENT: are_of_two,
    }[origin]

    def best(rest: tuple[Person, ...]) -> int:
        if len(rest) < 2:
            return 0
        first, others = rest[0], rest[1:]
        found = best(others)
        for at, other in enumerate(others):
            if allowed(first, other) and (kind is Partners.NUMBERS or first.sex != other.sex):
                found = max(found, 1 + best(others[:at] + others[at + 1 :]))
        return found

    return best(tuple(entered))


@settings(max_examples=150, deadline=None)
@given(people, kinds, origins, seeds)
def test_everybody_once_and_only_allowed_pairs(entered, kind, origin, seed):
    drawn = draw_partners(entered, kind, origin, seed=seed)
    named = [person for pair in drawn.pairs for person in pair] + list(drawn.waiting)
    assert sorted(person.name for person in named) == sorted(person.name for person in entered)
    assert list(drawn.waiting) == [person for person in entered if person in drawn.waiting]
    for first, second in drawn.pairs:
        assert kind is not Partners.MIXED or (first.sex, second.sex) == ("m", "f")
        assert origin is not PartnersFrom.SAME or first.department == second.department
        assert origin is not PartnersFrom.DIFFERENT or are_of_two(first, second)


@settings(max_examples=60, deadline=None)
@given(people.filter(lambda entered: len(entered) <= 8), kinds, origins, seeds)
def test_as_many_pairs_as_there_can_be(entered, kind, origin, seed):
    drawn = draw_partners(entered, kind, origin, seed=seed)
    assert len(drawn.pairs) == most_pairs(entered, kind, origin)


@given(people, kinds, origins, seeds)
@settings(max_examples=30, deadline=None)
def test_the_same_seed_gives_the_same_answer(entered, kind, origin, seed):
    assert draw_partners(entered, kind, origin, seed=seed) == draw_partners(entered, kind, origin, seed=seed)


def test_an_odd_one_is_left_over_by_lot():
    entered = [Person(f"人{at}") for at in range(5)]
    left = {
        draw_partners(entered, Partners.NUMBERS, PartnersFrom.ANY, seed=seed).waiting for seed in range(60)
    }
    assert {one.name for (one,) in left} == {person.name for person in entered}


@pytest.mark.parametrize("origin", [PartnersFrom.ANY, PartnersFrom.DIFFERENT])
def test_everybody_may_get_everybody(origin):
    entered = [Person(f"人{at}", department="甲乙丙"[at % 3]) for at in range(6)]
    met = set()
    for seed in range(200):
        for first, second in draw_partners(entered, Partners.NUMBERS, origin, seed=seed).pairs:
            met.add(frozenset((first.name, second.name)))
    allowed = {
        frozenset((one.name, other.name))
        for one in entered
        for other in entered
        if one != other and (origin is PartnersFrom.ANY or one.department != other.department)
    }
    assert met == allowed


def test_mixed_partners_need_to_be_told_who_is_who():
    entered = [Person("王芳", "f"), Person("李明"), Person("赵强", "m")]
    with pytest.raises(SexUnknown) as refused:
        draw_partners(entered, Partners.MIXED, PartnersFrom.ANY, seed=1)
    assert [person.name for person in refused.value.people] == ["李明"]
