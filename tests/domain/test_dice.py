"""Test the notation of dice, and faces that anybody can derive from the seed."""

import hashlib
import hmac
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.dice import BadFaces, BadFormula, check_faces, parse, parse_roll
from domain.record import fairness
from domain.record.fairness import Key


@pytest.mark.parametrize(
    ("text", "dice", "constant", "normal"),
    [
        ("1d6", (6,), 0, "1d6"),
        ("d20", (20,), 0, "1d20"),
        ("2d6 + 1", (6, 6), 1, "2d6+1"),
        ("1d8+1d4-2", (8, 4), -2, "1d8+1d4-2"),
        ("10 - 2d4", (-4, -4), 10, "-2d4+10"),
        ("1d6−1", (6,), -1, "1d6-1"),
        ("7", (), 7, "+7"),
        ("0", (), 0, "+0"),
    ],
)
def test_formulas(text: str, dice: tuple[int, ...], constant: int, normal: str) -> None:
    formula = parse(text)
    assert (formula.dice, formula.constant) == (dice, constant)
    assert formula.text == normal.removeprefix("+")
    assert parse(formula.text) == formula


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "d",
        "1d1",
        "1d1001",
        "0d6",
        "101d6",
        "2d6+",
        "d6 d6",
        "1d6*2",
        "x",
        "1d6" * 30,
        "10001",
    ],
)
def test_what_is_no_formula(text: str) -> None:
    with pytest.raises(BadFormula):
        parse(text)


def test_totals_and_bounds() -> None:
    formula = parse("2d6-1d4+3")
    assert formula.total((6, 5, 2)) == 12  # 6 + 5 − 2 + 3
    assert (formula.minimum, formula.maximum) == (1, 14)  # 2 − 4 + 3, 12 − 1 + 3


def test_one_more_die_of_its_own_size() -> None:
    assert parse("1d8").with_one_more_die().text == "2d8"
    assert parse("2d6+1").with_one_more_die().text == "3d6+1"


def test_faces_are_checked_die_by_die() -> None:
    with pytest.raises(BadFaces, match="die 2 is a d4"):
        check_faces(parse("1d6+1d4"), (6, 5))
    with pytest.raises(BadFaces, match="needs 2 faces; you sent 1"):
        check_faces(parse("2d6"), (6,))


SEED = bytes(range(32))


def by_hand(seed: bytes, salts: list[str], key: Key, sides: list[int]) -> tuple[int, ...]:
    """Return faces by a second implementation of docs/dice.md."""
    mixed = hashlib.sha256("\x1e".join(sorted(salts)).encode()).hexdigest()
    faces = []
    for index, side in enumerate(sides):
        attempt = 0
        while True:
            parts = ["affray-dice-1", mixed, key.command, key.purpose, str(key.ordinal)]
            message = "\x1f".join([*parts, str(index), str(attempt)]).encode()
            number = int(hmac.new(seed, message, hashlib.sha256).hexdigest()[:16], 16)
            if number < 2**64 // side * side:
                faces.append(number % side + 1)
                break
            attempt += 1
    return tuple(faces)


def test_the_worked_example_of_the_docs() -> None:
    key = Key("13", "attack", 1)
    assert fairness.faces(SEED, ["anna=rhubarb"], key, [20, 6, 6]) == (10, 5, 4)
    assert by_hand(SEED, ["anna=rhubarb"], key, [20, 6, 6]) == (10, 5, 4)


@given(
    st.binary(min_size=32, max_size=32),
    st.lists(st.text(max_size=9), max_size=3),
    st.integers(1, 99),
    st.lists(st.integers(2, 1000), min_size=1, max_size=5),
)
def test_two_implementations_agree(
    seed: bytes, salts: list[str], ordinal: int, sides: list[int]
) -> None:
    key = Key("7", "damage", ordinal)
    assert fairness.faces(seed, salts, key, sides) == by_hand(seed, salts, key, sides)


@pytest.mark.parametrize("sides", [2, 3, 4, 6, 8, 10, 12, 20, 100])
def test_every_face_is_equally_likely(sides: int) -> None:
    rolls = 300
    counts: Counter[int] = Counter()
    for ordinal in range(rolls * sides // 100):
        counts.update(fairness.faces(SEED, [], Key("1", "x", ordinal), [sides] * 100))
    rolled = sum(counts.values())
    expected = rolled / sides
    square = sum((counts[face] - expected) ** 2 / expected for face in range(1, sides + 1))
    freedom = sides - 1
    assert set(counts) == set(range(1, sides + 1))
    assert square < freedom + 4.5 * (2 * freedom) ** 0.5 + 6  # far beyond 0.1 %


@pytest.mark.parametrize(
    ("text", "faces", "total", "extremes"),
    [
        ("2d20kh+5", (7, 15), 20, (6, 25)),  # 15 + 5
        ("2d20kl-1", (7, 15), 6, (0, 19)),  # 7 − 1
        ("3d6kh", (2, 5, 4), 5, (1, 6)),
        ("2d6+1", (2, 5), 8, (3, 13)),
    ],
)
def test_a_roll_may_keep_one_die(
    text: str, faces: tuple[int, ...], total: int, extremes: tuple[int, int]
) -> None:
    formula = parse_roll(text)
    assert formula.text == text
    assert formula.total(faces) == total
    assert (formula.minimum, formula.maximum) == extremes


@pytest.mark.parametrize("text", ["kh", "2d20kh", "2d20k5", "1d6+2d20kh", "2d20kh*2"])
def test_sheets_and_sums_of_dice_keep_all_of_them(text: str) -> None:
    with pytest.raises(BadFormula):
        parse(text)
    if text != "2d20kh":
        with pytest.raises(BadFormula):
            parse_roll(text)
