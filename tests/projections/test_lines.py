"""Boards with cached lines equal newly computed boards, byte for byte."""

from collections.abc import Iterator
from dataclasses import replace as changed
from functools import partial
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.engine.caller import Caller
from domain.engine.memo import Traces, Watch
from domain.record.combat import Combat, Combatant, Condition
from domain.rulebook.ruleset import Ruleset
from domain.rulesets import installed
from projections.board import board, written
from projections.eyes import Eyes
from projections.lines import Common, WrittenLines
from service.conformance.walker import Walker
from tests.client import NEEDED
from tests.domain.toy import TOY
from tests.forms import forms
from tests.spec import Spec
from tests.walks import FIGHTS

STEPS = 70


def audiences(ids: list[str]) -> list[Caller]:
    """Return a GM, a spectator, and players of one combatant, of an owner and of several."""
    return [
        Caller("gm", "gm"),
        Caller("s", "spectator"),
        Caller("p1", "player", (ids[0],)),
        Caller("p2", "player", (ids[-1],), "anna"),
        Caller("p3", "player", tuple(ids[::2])),
    ]


def walked(ruleset: Ruleset, seed: int) -> Iterator[Spec]:
    """Yield states of random play with rulings. One combatant is hidden at first."""
    sheets = list(FIGHTS[ruleset.id]())
    names = [sheet["name"] for sheet in sheets]
    spec = Spec(ruleset).given(
        *sheets, hidden=(names[seed % len(names)],), **NEEDED.get(ruleset.id, {})
    )
    spec.prove = lambda: None  # type: ignore[method-assign]
    walker = Walker(spec, Random(seed), gm=0.15, undo=0.08)
    yield spec
    for _ in range(STEPS):
        if not walker.step():
            return
        yield spec


@pytest.mark.sampled
@forms("seed", 0, long=[1])
@pytest.mark.parametrize("ruleset", sorted(FIGHTS))
def test_remembered_lines_are_those_that_would_be_made(ruleset: str, seed: int) -> None:
    lines: dict[str, WrittenLines] = {}
    common = Common()
    boards = 0
    for spec in walked(installed()[ruleset], seed):
        live = spec.live
        for caller in audiences(list(live.combat.combatants)[:4]):
            eyes = Eyes(live.history, caller)
            written_lines = lines.setdefault(
                caller.token, WrittenLines(live.ruleset, caller, common)
            )
            assert written(live, eyes, written_lines) == msgspec.json.encode(board(live, eyes)), (
                caller
            )
            boards += 1
    assert boards > 100


@pytest.mark.sampled
@pytest.mark.parametrize("ruleset", sorted(FIGHTS))
def test_every_rulebook_only_reads(ruleset: str) -> None:
    """Rulebooks only read combatants, because the cache could not reuse the values otherwise."""
    rules = installed()[ruleset]

    def numbers(combat: Combat, who: str) -> Any:
        try:
            msgspec.json.encode(rules.derived(combat, who))
            return rules.in_fight(combat, who), rules.wound(combat, who)
        except (TypeError, AttributeError) as error:
            raise AssertionError(f"{ruleset} does more than read: {error!r}") from error

    for spec in walked(rules, 3):
        watch = Watch[Any]()
        watch.at(spec.combat)
        for combatant in spec.combat:
            assert watch.get(combatant.id, partial(numbers, who=combatant.id)) is not None


class Counted:
    """A function that makes a value and counts its calls."""

    def __init__(self, make: Any) -> None:
        self.make, self.times = make, 0

    def __call__(self, combat: Combat) -> Any:
        self.times += 1
        return self.make(combat)


def two(**facts: Any) -> Combat:
    ann = Combatant("ann", "Ann", "heroes", facts=facts)
    return Combat(combatants={"ann": ann, "bob": Combatant("bob", "Bob", "foes")})


def test_a_value_holds_until_what_it_read_is_another() -> None:
    sum_of = Counted(lambda combat: combat["ann"].facts.get("a", 0) + combat.round)
    watch = Watch[int]()
    combat = two(a=1, b=1)
    watch.at(combat)
    assert watch.get("sum", sum_of) == 1
    ann, bob = combat.combatants.values()
    for other in (
        replace(combat, phase="x"),
        replace(combat, combatants={"ann": ann, "bob": replace(bob, name="Rob")}),
        replace(combat, combatants={"ann": replace(ann, facts={"a": 1, "b": 5}), "bob": bob}),
    ):
        watch.at(other)
        assert watch.get("sum", sum_of) == 1
    assert sum_of.times == 1
    watch.at(replace(combat, round=3))
    assert watch.get("sum", sum_of) == 4
    watch.at(replace(combat, round=3, combatants={"ann": replace(ann, facts={})}))
    assert watch.get("sum", sum_of) == 3


def test_who_goes_through_all_is_told_of_newcomers_and_of_who_is_gone() -> None:
    names = Counted(lambda combat: [entry.id for entry in combat])
    bob_is_there = Counted(lambda combat: ["bob" in combat.combatants])
    watch = Watch[list[Any]]()
    combat = two()
    watch.at(combat)
    assert watch.get("names", names) == ["ann", "bob"]
    assert watch.get("bob", bob_is_there) == [True]
    alone = replace(combat, combatants={"ann": combat["ann"]})
    watch.at(alone)
    assert watch.get("names", names) == ["ann"]
    assert watch.get("bob", bob_is_there) == [False]
    watch.at(combat)
    assert watch.get("names", names) == ["ann", "bob"]
    assert watch.get("bob", bob_is_there) == [True]


def test_methods_of_a_combatant_read_too() -> None:
    prone = Counted(lambda combat: ("prone" if combat["ann"].has("prone") else "up",))
    watch = Watch[tuple[str]]()
    combat = two()
    watch.at(combat)
    assert watch.get("ann", prone) == ("up",)
    fallen = replace(combat["ann"], conditions=(Condition("prone", "prone"),))
    watch.at(replace(combat, combatants={**combat.combatants, "ann": fallen}))
    assert watch.get("ann", prone) == ("prone",)


def test_of_conditions_only_those_count_that_were_asked_for() -> None:
    prone = Counted(lambda combat: (combat["ann"].has("prone", "down"),))
    wounds = Counted(lambda combat: (len(combat["ann"].all("wound")),))
    every = Counted(lambda combat: [held.id for held in combat["ann"].conditions])
    watch = Watch[Any]()
    combat = two()
    asked = {"prone": prone, "wounds": wounds, "every": every}

    def now(*held: str) -> list[Any]:
        conditions = tuple(Condition(id, f"{id}#{n}") for n, id in enumerate(held))
        ann = replace(combat["ann"], conditions=conditions)
        watch.at(replace(combat, combatants={**combat.combatants, "ann": ann}))
        return [watch.get(key, make) for key, make in asked.items()]

    assert now() == [(False,), (0,), []]
    assert now("prone") == [(True,), (0,), ["prone"]]
    assert now("prone", "wound") == [(True,), (1,), ["prone", "wound"]]
    assert now("down", "wound", "wound") == [(True,), (2,), ["down", "wound", "wound"]]
    assert (prone.times, wounds.times, every.times) == (2, 3, 4)


def test_whoever_would_read_the_same_is_given_what_was_made() -> None:
    facts = Counted(lambda combat: [combat["ann"].facts.get("a"), "bob" in combat.combatants])
    traces = Traces[list[Any]]()
    first, other = Watch(traces), Watch(traces)
    combat = two(a=1, b=1)
    blind = replace(combat, combatants={"ann": replace(combat["ann"], facts={"a": 1})})
    for watch, seen, expected in (
        (first, combat, [1, True]),
        (other, combat, [1, True]),
        (other, blind, [1, False]),
        (first, two(a=2), [2, True]),
        (other, two(a=True), [True, True]),
        (first, blind, [1, False]),
    ):
        watch.at(seen)
        assert str(watch.get("facts", facts)) == str(expected)
    assert facts.times == 4


def test_who_does_more_than_reading_is_asked_every_time() -> None:
    copies = Counted(lambda combat: (replace(combat, round=9).round,))
    watch = Watch[tuple[int]]()
    watch.at(two())
    assert watch.get("copy", copies) == watch.get("copy", copies) == (9,)
    assert copies.times == 4  # wrapped and complete, twice


def test_a_rulebook_that_does_more_than_reading_has_true_boards() -> None:
    def derived(combat: Combat, who: str) -> dict[str, Any]:
        return {"round_to_come": replace(combat, round=combat.round + 1).round}

    spec = Spec(changed(TOY, shown=derived))
    spec.given(
        {"name": "ann", "side": "heroes", "hp": 25}, {"name": "bob", "side": "foes", "hp": 15}
    )
    gm = Caller("gm", "gm")
    lines = WrittenLines(spec.live.ruleset, gm)
    for _ in range(2):
        eyes = Eyes(spec.live.history, gm)
        assert written(spec.live, eyes, lines) == msgspec.json.encode(board(spec.live, eyes))
        if spec.combat.status == "opening":
            spec.begin()


@pytest.mark.parametrize(
    ("ruleset", "large", "name"),
    [
        ("definitions", {"space": 2}, "space"),
        ("free-hit", {"size": 2}, "size"),
        ("sovereign", {"space": 2}, "space"),
    ],
)
def test_whoever_sees_a_body_sees_how_much_room_it_takes(
    ruleset: str, large: dict[str, Any], name: str
) -> None:
    entry, *others = FIGHTS[ruleset]()
    spec = Spec(installed()[ruleset]).given({**entry, **large}, *others, **NEEDED.get(ruleset, {}))
    watching = board(spec.live, Eyes(spec.live.history, Caller("s", "spectator")))
    seen = next(
        combatant_view
        for combatant_view in watching.combatants
        if combatant_view.name == entry["name"]
    )
    assert seen.derived[name] == 2
