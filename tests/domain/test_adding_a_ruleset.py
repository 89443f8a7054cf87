"""The ruleset of docs/adding-a-ruleset.md does what the page says."""

import re
from pathlib import Path
from typing import Any

import pytest

from domain.record.events import CombatEnded, Prevented, Stopped
from domain.rulebook.ruleset import Ruleset
from tests.spec import Spec

PAGE = Path(__file__).parents[2] / "docs" / "adding-a-ruleset.md"

ANN = {"name": "ann", "side": "red"}
BOB = {"name": "bob", "side": "blue"}


def duel() -> Ruleset:
    (text,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S)
    names: dict[str, Any] = {"__name__": "duel"}
    exec(text, names)
    ruleset: Ruleset = names["RULESET"]
    return ruleset


@pytest.fixture
def spec() -> Spec:
    return Spec(duel()).given(ANN, BOB).begin()


def test_a_blow_is_parried_once_a_round(spec: Spec) -> None:
    spec.join(name="cyd", side="red", hp=6)
    spec.act("ann", "strike", target="bob").answer("bob", "parry")
    assert spec.open() == [("turn", "turn", "bob")]
    spec.act("bob", "strike", target="ann").answer("ann", "pass", ("attack", 9))
    spec.act("ann", "strike", target="bob")  # a new round
    spec.answer("bob", "parry")
    spec.answer("bob", "wait").act("cyd", "strike", target="bob")
    with spec.refused("DU-02", "has-parried"):
        spec.answer("bob", "parry")


def test_a_blow_ends_the_duel(spec: Spec) -> None:
    spec.act("ann", "strike", target="bob").answer("bob", "pass", ("attack", 10), ("damage", 6))
    assert spec["bob"].has("down")  # 6 − 6
    assert spec.event(CombatEnded).winners == ("red",)


def test_zero_by_a_ruling_is_zero(spec: Spec) -> None:
    spec.rule("set-track", who="bob", track="hp", value=0)
    assert spec.event(CombatEnded).winners == ("red",)


def test_who_is_felled_in_the_midst_strikes_no_more(spec: Spec) -> None:
    spec.act("ann", "strike", target="bob")
    spec.rule("damage", who="ann", amount=6)
    stopped = spec.event(Stopped)
    assert (stopped.who, stopped.doing, stopped.rules) == ("ann", "strike", ("DU-04",))
    assert stopped.closes == ("bob:1",)
    assert spec.events(Prevented) == []
    assert spec.event(CombatEnded).winners == ("blue",)
