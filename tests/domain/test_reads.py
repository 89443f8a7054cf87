"""Test that a watched value depends only on the fields that its computation read.

The tests combine each reading with each change.
"""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from domain.engine.memo import ALIKE, Traces, Watch
from domain.engine.read_proxy import Look
from domain.record.combat import (
    Combat,
    Combatant,
    Condition,
    Marker,
    OpenPrompt,
    Place,
    Track,
    Until,
)
from domain.rulebook.reachability import standing
from domain.rulebook.state_cache import looking, once


def question(id: str, **more: Any) -> OpenPrompt:
    return replace(OpenPrompt(id, 1, "turn", "turn", "ann", "?", (), None, {}, (), ()), **more)


def held(id: str, key: str = "", **data: Any) -> Condition:
    return Condition(id, key or id, data, (Until("round-end", None, 1),))


START = Combat(
    round=1,
    sides=("us", "foes"),
    facts={"weather": "rain"},
    order=(Place("ann"), Place("bob")),
    queue=(Place("ann"),),
    combatants={
        "ann": Combatant(
            "ann", "Ann", "us", sheet={"str": 1}, tracks={"hp": Track(5, 9)}, budget={"main": 1},
            facts={"aim": 1}, conditions=(held("prone"), held("boost", "a", value=1)),
        ),
        "bob": Combatant("bob", "Bob", "foes", sheet={"str": 2}),
    },
    prompts={"ann:1": question("ann:1")},
)  # fmt: skip


def of_ann(**changes: Any) -> Callable[[Combat], Combat]:
    return lambda combat: replace(
        combat,
        combatants={**combat.combatants, "ann": replace(combat.combatants["ann"], **changes)},
    )


def of_all(**changes: Any) -> Callable[[Combat], Combat]:
    return lambda combat: replace(combat, **changes)


def somebody_comes(combat: Combat) -> Combat:
    return replace(combat, combatants={**combat.combatants, "eve": Combatant("eve", "Eve", "us")})


def bob_goes(combat: Combat) -> Combat:
    return replace(combat, combatants={"ann": combat.combatants["ann"]})


def bob_first(combat: Combat) -> Combat:
    ann, bob = combat.combatants.values()
    return replace(combat, combatants={"bob": bob, "ann": ann})


ANN = START.combatants["ann"]

CHANGES: dict[str, Callable[[Combat], Combat]] = {
    "a new round": of_all(round=2),
    "other weather": of_all(facts={"weather": "sun"}),
    "a fact more": of_all(facts={"weather": "rain", "night": True}),
    "no facts": of_all(facts={}),
    "another order": of_all(order=(Place("bob"), Place("ann"))),
    "the same order anew": of_all(order=(Place("ann"), Place("bob"))),
    "another map": of_all(map={"walls": []}),
    "another question": of_all(prompts={"ann:2": question("ann:2")}),
    "a question for bob": of_all(prompts={"ann:1": question("ann:1", who="bob")}),
    "one more question": of_all(
        prompts={"ann:1": question("ann:1"), "bob:1": question("bob:1", who="bob")}
    ),
    "no question": of_all(prompts={}),
    "somebody comes": somebody_comes,
    "bob goes": bob_goes,
    "bob is first": bob_first,
    "ann moves": of_ann(position=(1, 0, 0)),
    "ann is hurt": of_ann(tracks={"hp": Track(4, 9)}),
    "ann has mana": of_ann(tracks={**ANN.tracks, "mana": Track(1)}),
    "ann acts": of_ann(budget={"main": 0}),
    "ann aims again": of_ann(facts={"aim": 2}),
    "ann aims and hides": of_ann(facts={"aim": 1, "hidden": True}),
    "ann forgets": of_ann(facts={}),
    "ann stands": of_ann(conditions=ANN.conditions[1:]),
    "ann is stunned": of_ann(conditions=(*ANN.conditions, held("stunned"))),
    "ann is boosted more": of_ann(conditions=(ANN.conditions[0], held("boost", "a", value=2))),
    "ann is boosted twice": of_ann(conditions=(*ANN.conditions, held("boost", "b", value=1))),
    "ann's boost lasts": of_ann(
        conditions=(ANN.conditions[0], replace(ANN.conditions[1], until=(Until("end"),)))
    ),
    "ann has another name": of_ann(name="Anne"),
    "ann changes sides": of_ann(side="foes"),
    "ann leaves": of_ann(left=True),
    "ann is stronger": of_ann(sheet={"str": 3}),
    "ann is hidden": of_ann(hidden=True),
    "ann is anna's": of_ann(owner="anna"),
    "ann is marked": of_ann(markers=(Marker("gm-1", "burning"),)),
}

READINGS: dict[str, Callable[[Combat], Any]] = {
    "the round": lambda combat: combat.round,
    "the weather": lambda combat: combat.facts.get("weather"),
    "whether it is night": lambda combat: "night" in combat.facts,
    "a fact that must be": lambda combat: dict(combat.facts).get("weather", "none"),
    "all facts": lambda combat: sorted(combat.facts),
    "how many facts": lambda combat: len(combat.facts),
    "the values of facts": lambda combat: [str(fact) for fact in combat.facts.values()],
    "facts with values": lambda combat: [f"{key} {value}" for key, value in combat.facts.items()],
    "names of facts": lambda combat: list(combat.facts.keys()),
    "the order": lambda combat: [place.who for place in combat.order],
    "the queue": lambda combat: [place.who for place in combat.queue],
    "the map": lambda combat: combat.map is None,
    "whose questions": lambda combat: [prompt.who for prompt in combat.prompts.values()],
    "which questions": lambda combat: list(combat.prompts),
    "one question": lambda combat: combat.prompts["ann:1"].who if "ann:1" in combat.prompts else "",
    "how many questions": lambda combat: len(combat.prompts),
    "who is there": lambda combat: [combatant.id for combatant in combat],
    "how many are there": lambda combat: len(combat.combatants),
    "whether bob is there": lambda combat: "bob" in combat.combatants,
    "all names": lambda combat: [combatant.name for combatant in combat.combatants.values()],
    "where ann is": lambda combat: combat["ann"].position,
    "ann's hit points": lambda combat: combat["ann"].tracks["hp"].value,
    "ann's pools": lambda combat: list(combat["ann"].tracks),
    "ann's budget": lambda combat: combat["ann"].budget.get("main", 0),
    "ann's aim": lambda combat: combat["ann"].facts.get("aim"),
    "whether ann is known to hide": lambda combat: "hidden" in combat["ann"].facts,
    "how many facts of ann": lambda combat: len(combat["ann"].facts),
    "whether ann is down": lambda combat: combat["ann"].has("prone", "stunned"),
    "ann's first": lambda combat: combat["ann"].first("stunned", "prone"),
    "ann's boosts": lambda combat: [
        condition.data["value"] for condition in combat["ann"].all("boost")
    ],
    "ann's conditions": lambda combat: [condition.key for condition in combat["ann"].conditions],
    "how long ann is boosted": lambda combat: [
        condition.until[0].moment for condition in combat["ann"].all("boost")
    ],
    "whether ann is stunned": lambda combat: len(combat["ann"].all("stunned")),
    "ann's name": lambda combat: combat["ann"].name,
    "ann's side": lambda combat: combat["ann"].side,
    "ann's strength": lambda combat: combat["ann"].sheet["str"],
    "whether ann left": lambda combat: combat["ann"].left,
    "whether ann is hidden": lambda combat: combat["ann"].hidden,
    "whose ann is": lambda combat: combat["ann"].owner,
    "ann's markers": lambda combat: [marker.text for marker in combat["ann"].markers],
    "ann elsewhere": lambda combat: standing(combat, "ann", (7, 7, 0))["ann"].position,
    "bob beside ann elsewhere": lambda combat: [
        combatant.position for combatant in standing(combat, "ann", (7, 7, 0))
    ],
}


@pytest.mark.parametrize("reading", READINGS)
def test_what_reads_the_same_is_not_made_again_and_what_does_not_is(reading: str) -> None:
    read = READINGS[reading]
    for change in CHANGES.values():
        before, after = START, change(START)
        watch: Watch[Any] = Watch()
        for state in (before, after, before):
            expected = read(state)
            watch.at(state)
            assert watch.get("it", lambda seen: (read(seen),)) == (expected,)


UNMOVED = {
    "the round": ("a new round",),
    "the weather": ("other weather", "no facts"),
    "whether it is night": ("a fact more",),
    "the order": ("another order",),
    "whose questions": ("a question for bob", "one more question", "no question"),
    "how many are there": ("somebody comes", "bob goes", "bob is first"),
    "whether bob is there": ("bob goes",),
    "where ann is": ("ann moves",),
    "ann's hit points": ("ann is hurt",),
    "ann's budget": ("ann acts",),
    "ann's aim": ("ann aims again", "ann forgets"),
    "whether ann is known to hide": ("ann aims and hides",),
    "whether ann is down": ("ann stands",),
    "ann's boosts": ("ann is boosted more", "ann is boosted twice"),
    "how long ann is boosted": ("ann is boosted twice", "ann's boost lasts"),
    "whether ann is stunned": ("ann is stunned",),
    "whether ann is hidden": ("ann is hidden",),
}
"""Readings, each with the only changes that require a new computation.

The reading `ann` includes her name, side and sheet, and whether she has left.
"""

AGAIN = {("whose questions", "another question")}
"""Readings of prompts that the watch checks again without a difference."""

HERSELF = ("ann has another name", "ann changes sides", "ann leaves", "ann is stronger")


@pytest.mark.parametrize("reading", UNMOVED)
def test_only_what_was_read_counts(reading: str) -> None:
    read = READINGS[reading]
    anew = {*UNMOVED[reading], *(HERSELF if "ann" in reading else ())}
    for name, change in CHANGES.items():
        made: list[str] = []

        def make(seen: Combat) -> Any:
            made.append("")  # noqa: B023  called before the next turn of the loop
            return (read(seen),)

        after = change(START)
        watch: Watch[Any] = Watch()
        for state in (START, after):
            gone = watch.at(state)
            watch.get("it", make)
        assert len(made) == 1 + (name in anew), name
        looked_at = name in anew or (reading, name) in AGAIN
        assert gone == ({"it"} if looked_at else set()), name


def test_a_value_is_found_by_others_who_read_the_same() -> None:
    traces: Traces[Any] = Traces()
    first, second = Watch(traces), Watch(traces)
    made: list[int] = []

    def make(seen: Combat) -> Any:
        made.append(seen.round)
        return (seen.round,)

    first.at(START)
    assert first.get("it", make) is first.get("it", make)
    other = replace(START, phase="turns")
    assert second.at(other) == set()  # no value was read before
    assert second.get("it", make) == (1,)
    second.at(replace(other, round=2))
    assert second.get("it", make) == (2,)
    assert made == [1, 2]
    for round in range(3, 3 + ALIKE):  # the oldest are dropped
        second.at(replace(other, round=round))
        second.get("it", make)
    second.at(replace(other, round=3))
    assert second.get("it", make) == (3,)
    assert made == [1, 2, *range(3, 3 + ALIKE)]
    assert first.get("it", make) == (1,)  # a holder keeps it
    assert made == [1, 2, *range(3, 3 + ALIKE)]
    second.at(replace(other, round=2))
    assert second.get("it", make) == (2,)
    assert made[-1] == 2


def test_of_who_is_as_before_the_same_is_found_by_others() -> None:
    traces: Traces[Any] = Traces()
    made: list[str] = []

    def make(seen: Combat) -> Any:
        made.append(seen["ann"].name)
        return (seen["ann"].position,)

    for state in (START, bob_goes(START), of_ann(position=None)(START)):
        watch = Watch(traces)
        watch.at(state)
        assert watch.get("it", make) == (None,)
    assert made == ["Ann"]


def test_what_does_more_than_read_is_made_every_time_and_told_so() -> None:
    watch: Watch[Any] = Watch()
    for times in range(3):
        assert watch.at(replace(START, phase=f"{times}")) == ({"it"} if times else set())
        assert watch.get("it", lambda seen: (replace(seen, round=5).round,)) == (5,)
    watch.at(START)
    assert watch.at(START) == set()


def test_what_was_found_once_is_noted_for_all_who_ask_also_through_others() -> None:
    @once
    def aim(combat: Combat) -> int:
        return int(combat["ann"].facts["aim"])

    @once
    def doubled(combat: Combat) -> int:
        return 2 * aim(combat)

    look = Look(START)
    with looking():
        for question in (aim, doubled, doubled, aim):
            seen, noted = look.watched()
            question(seen)
            assert noted.all() == {("", "ann"), ("", "ann", "facts", "aim")}
        seen, noted = look.watched()
        with pytest.raises(KeyError):
            seen["ann"].facts["none"]
        assert ("", "ann", "facts", "none") in noted.all()


def test_watched_things_are_the_same_only_as_themselves() -> None:
    seen, _ = Look(START).watched()
    assert seen["ann"] == seen["ann"]
    assert seen["ann"] != seen["bob"]
    assert seen["ann"] != START["ann"]
    two = replace(START, prompts={"a": question("a"), "b": question("b"), "c": question("b")})
    rows = list(Look(two).watched()[0].prompts.values())
    assert rows[1] == rows[2]
    assert rows[0] != rows[1]
    assert rows[1] != two.prompts["b"]


def test_who_looks_while_others_look_finds_what_they_found() -> None:
    made: list[int] = []

    @once
    def weather(combat: Combat) -> Any:
        made.append(1)
        return combat.facts["weather"]

    for times in (1, 2):
        with looking():
            weather(START)
            with looking():
                assert weather(START) == "rain"
            assert weather(START) == "rain"
        assert len(made) == times
    weather(START)
    weather(START)
    assert len(made) == 4  # without readers, it may change


def test_who_stands_there_already_changes_nothing() -> None:
    there = of_ann(position=(7, 7, 0))(START)
    assert standing(there, "ann", (7, 7, 0)) is there
    assert standing(START, "ann", (7, 7, 0)) == there
