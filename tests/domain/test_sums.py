"""Test that a number lists its terms, and the terms that do not count."""

import pytest

from domain.record.events import Term
from domain.rulebook.sums import Absent, Op, Part, Sum, done, named, shown


@pytest.mark.parametrize(
    ("op", "value", "expected"),
    [
        ("add", 2, 9.5),
        ("times", 2, 15.0),
        ("divide", 2, 3.75),
        ("round-down", 0, 7),
        ("at-least", 8, 8),
        ("at-least", 7, 7.5),
        ("at-most", 7, 7),
        ("at-most", 8, 7.5),
    ],
)
def test_a_step_from_seven_and_a_half(op: Op, value: float, expected: float) -> None:
    assert done(7.5, op, value) == expected
    made = Sum().add("half", 7.5, "TOY-01").then(op, value, "then", "TOY-02")
    assert made.exact == expected
    assert list(made.steps()) == [7.5, expected]
    assert made.value == int(expected)


def test_what_counts_for_nothing_is_said_where_it_needs_saying() -> None:
    made = Sum().add("strength", 0, "TOY-01").add("shield", 0, "TOY-02", "condition", "stunned")
    assert made.parts == [Part("strength", 0, "TOY-01")]
    assert made.absent == [Absent("shield", "stunned", "TOY-02", "condition")]
    made.add("shield", 2, "TOY-02", why="stunned")
    assert (made.value, len(made.absent)) == (2, 1)


def test_terms_of_no_points_are_left_out() -> None:
    terms = Term("high ground", 1, "TOY-03"), Term("nothing", 0), Term("wound", -2)
    made = Sum().take(terms, "state")
    assert made.parts == [Part("high ground", 1, "TOY-03", "state"), Part("wound", -2, "", "state")]
    assert list(made) == [Term("high ground", 1, "TOY-03"), Term("wound", -2)]


def test_only_what_is_added_is_a_term_of_a_roll() -> None:
    made = Sum().add("skill", 5, "TOY-01").then("divide", 2, "half", "TOY-02")
    assert list(made) == [Term("skill", 5, "TOY-01")]


def test_one_number_inside_another_and_one_behind_another() -> None:
    inner = Sum().add("dexterity", 3, "TOY-01").lacks("shield", "held", "TOY-02", value=2)
    outer = Sum().add("base", 10, "").nests("reflexes", inner, "TOY-03")
    assert (outer.value, [part.label for part in outer.parts]) == (13, ["base", "reflexes"])
    assert outer.absent == [Absent("shield", "held", "TOY-02", value=2)]
    halved = Sum().add("more", 2, "").then("times", 2, "doubled", "").lacks("luck", "spent")
    outer.goes_on(halved)
    assert outer.value == (13 + 2) * 2
    assert [absent.label for absent in outer.absent] == ["shield", "luck"]
    assert list(outer.steps()) == [10, 13, 15, 30]


def test_numbers_as_the_board_shows_them() -> None:
    half, whole = Sum().add("half", 2.5, ""), Sum().add("whole", 3.0, "")
    made = {"attacks": (whole, half), "none": None, "ac": {"melee": whole}}
    assert shown(made) == {"attacks": [3, 2.5], "none": None, "ac": {"melee": 3}}
    assert dict(named("x", made)) == {
        "x.attacks.0": whole, "x.attacks.1": half, "x.ac.melee": whole,
    }  # fmt: skip
