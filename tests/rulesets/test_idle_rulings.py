"""Every rulebook refuses a ruling that changes nothing, with a reason."""

import contextlib
import itertools
from collections.abc import Mapping
from typing import Any

import pytest

from domain.dice import parse
from domain.engine.commands import GmRuling, Reply
from domain.errors import Illegal
from domain.rulesets import installed
from tests.spec import Spec
from tests.walks import FIGHTS, begin

ONE, OTHER = "<one>", "<other>"
"""Placeholders for two combatants of different sides."""

Idle = Mapping[str, tuple[Mapping[str, Any], str]]
"""For each ruling, inputs that change nothing the second time, and the end of the reason."""

EVERYWHERE: Idle = {
    "damage": ({"combatant": ONE, "amount": 0}, "hp of <one> stays as it is"),
    "heal": ({"combatant": ONE, "amount": 0}, "hp of <one> has no room for more"),
    "set-track": ({"combatant": ONE, "track": "hp", "value": 5}, "hp of <one> stays as it is"),
    "set-condition": ({"combatant": ONE, "condition": "prone"}, "<one> is prone already"),
    "end-condition": (
        {"combatant": ONE, "condition": "prone", "key": "another"},
        "<one> stays prone, or is not prone",
    ),
    "move": ({"combatant": ONE, "to": [9, 9]}, "<one> is there already"),
    "set-budget": ({"combatant": ONE, "budget": {}}, "<one> has that left already"),
    "force-roll": (
        {"combatant": ONE, "purpose": "attack", "faces": [7]},
        "these faces are set for attack of <one> already",
    ),
    "set-order": ({"order": []}, "that is the order already"),
    "several": (
        {
            "ruling": "move",
            "inputs": {"to": None},
            "targets": [{"combatant": ONE}, {"combatant": OTHER}],
        },
        "<one> is there already",
    ),
}

IDLE: Mapping[str, Idle] = {
    "definitions": {
        "set-fact": (
            {"combatant": ONE, "key": "inside", "value": None},
            "stays as it is for <one>",
        ),
        "rest": ({"combatant": ONE, "days": 1000}, "hp of <one> has no room for more"),
    },
    "free-hit": {
        "set-fact": ({"key": "ground", "value": {}}, "stays as it is for the combat"),
        "set-detected": ({"combatant": ONE}, "just these notice <one> already"),
    },
    "hallowed-earth": {
        "damage": ({"combatant": ONE, "amount": 0}, "stress of <one> stays as it is"),
        "set-track": ({"combatant": ONE, "track": "stress", "value": 5}, "stays as it is"),
        "set-condition": (
            {"combatant": ONE, "condition": "surprised"},
            "<one> is surprised already",
        ),
        "set-fact": ({"combatant": ONE, "key": "obvious", "value": True}, "for <one>"),
        "heal": ({"combatant": ONE}, "<one> has nothing of it to be healed"),
        "surprise": ({"who": [ONE]}, "these are surprised already, and nobody else"),
        "set-initiative": ({"combatant": ONE, "base": 9}, "<one> has a Base Initiative of 9"),
        "obvious": ({"combatant": ONE}, "<one> sees it already"),
        "set-declare-order": (
            {"declare_order": "secret"},
            "they are collected so already (secret)",
        ),
        "condition": ({"combatant": ONE, "add": "surprised"}, "<one> is surprised already"),
    },
    "sovereign": {
        "set-fact": ({"combatant": ONE, "key": "attempted", "value": True}, "for <one>"),
        "set": ({"combatant": ONE, "sheet": {}}, "the sheet of <one> is so already"),
        "surprise": ({"groups": []}, "these are surprised already, and nobody else"),
        "advance-time": ({"seconds": 0}, "no time passes"),
        "disturb": ({"combatant": ONE}, "<one> prepares nothing"),
        "set-cover": ({"attacker": ONE, "target": OTHER, "cover": "half"}, "that is so already"),
        "set-sight": ({"viewer": ONE, "target": OTHER, "sees": False}, "that is so already"),
        "alertness": ({"combatant": ONE, "alertness": "careful"}, "<one> is careful already"),
        "place": ({"combatant": ONE, "at": [9, 9]}, "<one> is there already"),
        "morale": ({"combatant": ONE}, "that is decided already"),
        "condition": ({"combatant": ONE, "condition": "prone"}, "<one> is prone already"),
        "override": (
            {"combatant": ONE, "purpose": "attack", "faces": [7]},
            "these faces are set for attack of <one> already",
        ),
    },
    "vile-darkness": {
        "set-fact": ({"combatant": ONE, "key": "items", "value": None}, "for <one>"),
        "set-condition": (
            {"combatant": ONE, "condition": "surprised"},
            "<one> is surprised already",
        ),
        "end-condition": (
            {"combatant": ONE, "condition": "surprised", "key": "another"},
            "<one> stays surprised, or is not surprised",
        ),
        "surprise": ({}, "these are surprised so already"),
        "place": ({"combatant": ONE, "at": [9, 9]}, "<one> is there already"),
        "set-cover": (
            {"from": ONE, "to": OTHER, "percent": 51},
            "the line from <one> is so already",
        ),
        "set-concealment": (
            {"from": ONE, "to": OTHER, "percent": 51},
            "the line from <one> is so already",
        ),
        "block-line": ({"from": ONE, "to": OTHER}, "the line from <one> is so already"),
        "clear-line": ({"from": ONE, "to": OTHER}, "the line from <one> is so already"),
        "engage": ({"a": ONE, "b": OTHER}, "<one> and <other> are in melee already"),
        "separate": ({"a": ONE, "b": OTHER}, "<one> is in no such melee"),
        "set": ({"combatant": ONE, "sheet": {"ac": 3}}, "the sheet of <one> is so already"),
        "set-concentrating": ({"combatant": ONE}, "<one> maintains just that already"),
        "set-item": (
            {"combatant": ONE, "item": "sword", "state": "gone"},
            "sword of <one> is gone already",
        ),
    },
}

BEFORE = {("definitions", "rest"), ("hallowed-earth", "surprise"), ("sovereign", "surprise"),
          ("hallowed-earth", "set-declare-order")}  # fmt: skip
"""Rulings before the fight begins."""

ALWAYS: Mapping[str, set[str]] = {
    "definitions": {"retrieve", "report-trigger", "set-option"},
    "free-hit": {"check", "place-item", "add-unit", "end-battle"},
    "hallowed-earth": {
        "close-declare", "take-up", "enter", "leave", "next-round", "end", "skill-check",
        "injury", "override",
    },
    "sovereign": {
        "join", "surprise-check", "end-side-turn", "modifier", "leave", "end-combat",
    },
    "vile-darkness": {
        "announce-round", "close-declare", "join", "leave", "override", "end-round", "end-combat",
        "modifier", "grant-free-attack", "grant-immediate-attack", "morale-check", "condition",
    },
}  # fmt: skip
"""Rulings that change, ask, roll or note something whenever they are legal."""


def of(ruleset: str) -> Idle:
    return {**EVERYWHERE, **IDLE[ruleset]}


CASES = [(ruleset, ruling) for ruleset in IDLE for ruling in of(ruleset)]


@pytest.mark.parametrize("ruleset", FIGHTS)
def test_every_ruling_is_tried(ruleset: str) -> None:
    tried = {*of(ruleset), *ALWAYS[ruleset], "set-marker", "remove-marker"}
    assert tried == {*installed()[ruleset].rulings}


def filled(spec: Spec, value: Any) -> Any:
    """Return `value` with the ids of two combatants in place of `ONE` and `OTHER`."""
    combatant = next(iter(spec.combat))
    other = next(other for other in spec.combat if other.side != combatant.side)
    match value:
        case str():
            return value.replace(ONE, combatant.id).replace(OTHER, other.id)
        case dict():
            return {key: filled(spec, part) for key, part in value.items()}
        case list():
            return [filled(spec, part) for part in value]
        case _:
            return value


@pytest.mark.parametrize(("ruleset", "ruling"), CASES)
def test_what_is_so_already_is_refused(ruleset: str, ruling: str) -> None:
    spec = begin(ruleset, 1)
    if (ruleset, ruling) not in BEFORE:
        spec.begin()
        faces = itertools.cycle(range(1, 7))
        while spec.open()[0][0] == "roll":
            id, prompt = next(iter(spec.live.open_prompts().items()))
            dice = parse(str(prompt.data["formula"])).dice
            spec.do(Reply(id, None, {"faces": [next(faces) for _ in dice]}))
    if (ruleset, ruling) == ("hallowed-earth", "set-order"):
        spec.do(GmRuling("close-declare"))
    inputs, reason = of(ruleset)[ruling]
    if ruling == "end-condition":
        held = {"combatant": ONE, "condition": inputs["condition"]}
        spec.do(GmRuling("set-condition", filled(spec, held)))
    command = GmRuling(ruling, filled(spec, inputs), "to be sure")
    with contextlib.suppress(Illegal):  # the first ruling may be illegal
        spec.do(command)
    with spec.raises(Illegal) as caught:  # the second changes nothing
        spec.do(command)
    assert caught[0].code == "nothing-changes", caught[0].detail
    assert "would change nothing: " in caught[0].detail
    assert caught[0].detail.endswith(filled(spec, reason)), caught[0].detail
    rules = spec.ruleset.rulings[ruling].rules
    assert not rules or caught[0].rule == rules[0]
