"""Test that a refusal of an unknown field lists the fields that exist at its place."""

from typing import Annotated, Any, Literal

import pytest
from msgspec import Meta, Struct

from domain.errors import Impossible, Malformed
from domain.rulebook.input_reader import fields_at, pointing, read


class Leaf(Struct, frozen=True, forbid_unknown_fields=True):
    size: int = 0


class Twig(Struct, frozen=True, forbid_unknown_fields=True):
    leaf: Leaf = Leaf()


class Stem(Struct, frozen=True, forbid_unknown_fields=True):
    leaf: Annotated[Leaf, Meta(description="one")] = Leaf()
    perhaps: Leaf | None = None
    twig: Twig | None = None
    many: tuple[Leaf, ...] = ()
    two: tuple[int, Leaf] = (0, Leaf())
    listed: Annotated[list[Leaf], Meta(max_length=3)] = []
    named: dict[str, Leaf] = {}


@pytest.mark.parametrize(
    "path", [".leaf", ".perhaps", ".twig.leaf", ".many[0]", ".two[1]", ".listed[2]", ".named[...]"]
)
def test_the_fields_at_a_path(path: str) -> None:
    assert fields_at(Stem, path) == ("size",)


def test_a_union_has_the_fields_of_all_its_kinds() -> None:
    assert fields_at(Annotated[Leaf | None, Meta(description="or none")], "") == ("size",)
    assert fields_at(Stem, "")[0] == "leaf"
    assert fields_at(int, "") == ()


def test_an_unknown_field_is_answered_with_those_that_there_are() -> None:
    with pytest.raises(Malformed) as caught:
        read({"many": [{}, {"sise": 1}]}, Stem)
    assert (caught.value.pointer, caught.value.allowed) == ("/many/1/sise", ("size",))
    with pytest.raises(Malformed) as caught:
        read({"named": {"a": {"sise": 1}}}, Stem)
    assert caught.value.allowed == ("size",)


class Tree(Struct, frozen=True, forbid_unknown_fields=True):
    boughs: dict[str, dict[str, Leaf]] = {}
    by_season: dict[Literal["spring", "autumn"], int] = {}
    grove: "Annotated[list[Tree], Meta(min_length=2, max_length=2)] | None" = None


@pytest.mark.parametrize(
    ("raw", "pointer"),
    [
        (
            {"boughs": {"low": {"a": {}}, "high": {"b": {}, "c": {"size": "x"}}}},
            "/boughs/high/c/size",
        ),
        ({"boughs": {"high": {"c": {"sise": 1}}}}, "/boughs/high/c/sise"),
        ({"boughs": {"high": 1}}, "/boughs/high"),
        ({"boughs": {"a/b": {"~": 1}}}, "/boughs/a~1b/~0"),
        ({"by_season": {"spring": 1, "winter": 2}}, "/by_season/winter"),
        ({"grove": [{}, {"boughs": {"high": {"c": {"sise": 1}}}}]}, "/grove/1/boughs/high/c/sise"),
    ],
)
def test_a_pointer_goes_by_the_keys_of_a_mapping(raw: Any, pointer: str) -> None:
    with pytest.raises(Malformed) as caught:
        read(raw, Tree)
    assert caught.value.pointer == pointer


class Rose(Struct, frozen=True, tag="rose", tag_field="kind"):
    colour: Literal["red", "white"] | None = None
    thorns: Annotated[Literal[1, 2], Meta(description="rows")] = 1


class Fern(Struct, frozen=True, tag="fern", tag_field="kind"):
    fronds: int = 0


class Bed(Struct, frozen=True):
    plant: Rose | Fern
    shade: tuple[Literal["full", "half"], ...] = ()
    by_season: dict[Literal["spring", "autumn"], int] = {}
    grove: "Annotated[list[Tree], Meta(min_length=2, max_length=2)] | None" = None


@pytest.mark.parametrize(
    ("raw", "pointer", "allowed"),
    [
        ({"plant": {"kind": "rose", "colour": "blue"}}, "/plant/colour", ("red", "white")),
        ({"plant": {"kind": "rose", "thorns": 3}}, "/plant/thorns", ("1", "2")),
        ({"plant": {"kind": "moss"}}, "/plant/kind", ("rose", "fern")),
        ({"plant": {"kind": "fern"}, "shade": ["full", "no"]}, "/shade/1", ("full", "half")),
        (
            {"plant": {"kind": "fern"}, "by_season": {"winter": 1}},
            "/by_season/winter",
            ("autumn", "spring"),
        ),
    ],
)
def test_a_value_that_is_none_of_those_that_count_is_answered_with_these(
    raw: Any, pointer: str, allowed: tuple[str, ...]
) -> None:
    with pytest.raises(Malformed) as caught:
        read(raw, Bed)
    assert (caught.value.pointer, caught.value.allowed) == (pointer, allowed)
    assert caught.value.detail.endswith(f" is none of: {', '.join(allowed)}")


@pytest.mark.parametrize(
    ("raw", "pointer"), [({}, "/plant"), ({"plant": {"colour": "red"}}, "/plant/kind")]
)
def test_a_field_that_is_missing_is_pointed_at(raw: Any, pointer: str) -> None:
    with pytest.raises(Malformed) as caught:
        read(raw, Bed)
    assert caught.value.pointer == pointer
    assert caught.value.detail.startswith(f"the field {pointer.split('/')[-1]!r} is missing")
    assert caught.value.allowed == (("rose", "fern") if pointer.endswith("kind") else ())


@pytest.mark.parametrize(
    ("raw", "pointer", "lacking"),
    [
        ({}, "/bulb", "the fields 'bulb', 'depth' and 'rows' are missing"),
        ({"depth": 3}, "/bulb", "the fields 'bulb' and 'rows' are missing"),
        (
            {"bulb": {"kind": "fern"}, "depth": 3, "rows": [{"row": "a"}]},
            "/rows/0/colour",
            "the fields 'colour' and 'length' are missing; 'colour' is one of: red, white",
        ),
    ],
)
def test_all_fields_that_are_missing_are_named_at_once(
    raw: Any, pointer: str, lacking: str
) -> None:
    with pytest.raises(Malformed) as caught:
        read(raw, Planting)
    assert (caught.value.pointer, caught.value.detail) == (pointer, lacking)


class Row(Struct, frozen=True):
    row: str
    colour: Literal["red", "white"]
    length: int


class Planting(Struct, frozen=True):
    bulb: Rose | Fern
    depth: int
    rows: tuple[Row, ...]


@pytest.mark.parametrize(("prefix", "code"), [("/sheet", "sheet-invalid"), ("/inputs", None)])
def test_a_fault_in_a_sheet_is_told_apart(prefix: str, code: str | None) -> None:
    with pytest.raises(Malformed) as caught, pointing(prefix):
        read({"sise": 1}, Leaf)
    assert (caught.value.pointer, caught.value.code) == (f"{prefix}/sise", code)


def test_a_rule_may_point_into_a_sheet_too() -> None:
    with pytest.raises(Impossible) as caught, pointing("/sheet"):
        raise Impossible("TOY-01", "too-many", "one too many", pointer="/weapons")
    assert (caught.value.pointer, caught.value.code) == ("/sheet/weapons", "too-many")
