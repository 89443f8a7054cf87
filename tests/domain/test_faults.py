"""A refusal names the wrong field and the values that the rules accept."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
from msgspec import Struct

from domain.engine.caller import Caller
from domain.engine.commands import Act, Reply
from domain.errors import Illegal, Malformed, Unknown
from domain.record.combat import Id
from domain.rulebook.action import Action
from domain.rulebook.declaration import refuse
from domain.rulebook.play import Play
from domain.rulesets.free_hit import RULESET
from tests.domain.test_engine import ANN, BOB
from tests.domain.toy import TOY, wait
from tests.rulesets.free_hit.units import SWORD, foe, unit
from tests.spec import Spec

ANNA = Caller("p1", "player", owner="anna")


def fight(*, hidden: tuple[str, ...] = (), imp: tuple[int, int] = (1, 0)) -> Spec:
    """Return a fight in which Imp and Rat are next to Ana, and Orc is far away."""
    ana = unit("Ana", agility=5, accuracy=3, weapons=[SWORD], owner="anna", at=[0, 0])
    others = [foe("Imp", at=list(imp)), foe("Orc", at=[9, 9]), foe("Rat", at=[0, 1])]
    return Spec(RULESET).given(ana, *others, hidden=hidden).begin()


def refused(spec: Spec, action: str, **inputs: Any) -> Illegal:
    with spec.raises(Illegal) as caught:
        spec.do(Act("Ana", action, inputs), by=ANNA)
    return caught[0]


def test_the_field_that_has_to_be_another_is_named() -> None:
    far = refused(fight(), "attack", target="Orc", weapon="sword")
    assert (far.rule, far.pointer, far.allowed) == ("FH-ATK-07", "/inputs/target", ("Imp", "Rat"))
    plainly = refused(fight(), "attack", target="Orc")  # with any weapon in hand
    assert (plainly.pointer, plainly.allowed) == (far.pointer, far.allowed)
    unheld = refused(fight(), "attack", target="Imp", weapon="spear")
    assert unheld.pointer == "/inputs/weapon"
    assert "sword" in unheld.allowed
    astray = refused(fight(), "move", path=[[5, 5]])
    assert (astray.pointer, astray.rule) == ("/inputs/path", "FH-MOV-06")


def test_whom_one_does_not_know_is_not_allowed() -> None:
    far = refused(fight(hidden=("Rat",)), "attack", target="Orc", weapon="sword")
    assert far.allowed == ("Imp",)


def test_the_field_that_a_rule_names_is_at_fault_though_nothing_would_do_there() -> None:
    spec = fight(imp=(8, 8), hidden=("Rat",))
    far = refused(spec, "attack", target="Orc", weapon="sword")
    assert (far.pointer, far.allowed) == ("/inputs/target", ())


def test_a_rule_that_blames_no_field_is_heard() -> None:
    spec = fight()
    spec.act("Ana", "attack", ("attack", 2), target="Imp")
    spent = refused(spec, "attack", target="Imp")
    assert (spent.code, spent.pointer, spent.allowed) == ("no-attack-action", None, ())


class Aim(Struct, frozen=True, forbid_unknown_fields=True):
    target: str = "wall"


def test_a_value_that_a_rule_cannot_read_is_not_allowed() -> None:
    """A refusal does not list a value as allowed if the rule raises `Malformed` for it."""

    def refusals(play: Play, who: Id, inputs: Aim) -> Iterator[Illegal]:
        if inputs.target == "ann":
            raise Malformed("/inputs/target", "nobody aims at itself")
        if inputs.target == "wall":
            yield refuse("TOY-07", "too-hard", "the wall does not break", "target")

    def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Any]]:
        yield from ({"target": target} for target in ("ann", "bob"))

    aim = Action("aim", Aim, refusals, candidates, procedure=wait, interjection=True)
    toy = replace(TOY, actions={**TOY.actions, "aim": aim})
    spec = Spec(toy).given(ANN, BOB, declare=False).begin()
    with spec.raises(Illegal) as caught:
        spec.act("ann", "aim", target="wall")
    assert (caught[0].pointer, caught[0].allowed) == ("/inputs/target", ("bob",))


@pytest.mark.parametrize("name", ["Rat", "Nobody"])
def test_whoever_is_unknown_is_pointed_at(name: str) -> None:
    spec = fight(hidden=("Rat",))
    (prompt,) = spec.live.open_prompts()
    inputs = {"target": name, "weapon": "sword"}
    for command, pointer in (
        (Act(name, "attack", {}), "/combatant"),
        (Act("Ana", name, {}), "/action"),
        (Act("Ana", "attack", inputs), "/inputs/target"),
        (Reply(prompt, "attack", inputs), "/inputs/target"),
        (Reply(f"{name}:1", "attack", {}), None),
    ):
        with spec.raises(Unknown) as caught:
            spec.do(command, by=ANNA)
        assert caught[0].pointer == pointer


# ---- the engine finds the wrong field with few checks of the rule


class Shove(Struct, frozen=True, forbid_unknown_fields=True):
    targets: tuple[Id, ...] = ()
    force: int = 0


def shoving(*candidates: Mapping[str, Any], pointer: str | None = None) -> tuple[Spec, list[Shove]]:
    """Return a fight in which Ann has the action `shove`, and a list of checked inputs.

    The rule refuses a force below 3, and Bob as a target. The list receives all inputs that the
    rule checks.
    """
    looked: list[Shove] = []

    def refusals(play: Play, who: Id, inputs: Shove) -> Iterator[Illegal]:
        looked.append(inputs)
        if "bob" in [play.combat[target].id for target in inputs.targets] or inputs.force < 3:
            yield Illegal("TOY-07", "too-weak", "it does not move", (), pointer)

    shove = Action("shove", Shove, refusals, lambda play, who: candidates, procedure=wait,
                   interjection=True)  # fmt: skip
    spec = Spec(replace(TOY, actions={**TOY.actions, "shove": shove})).given(
        ANN, BOB, declare=False
    )
    return spec.begin(), looked


def test_a_rule_that_names_the_field_itself_is_heard() -> None:
    """If the rule's refusal names the field at fault, the engine does not search for it."""
    spec, looked = shoving({"force": 3}, pointer="/inputs/targets")
    with spec.raises(Illegal) as caught:
        spec.act("ann", "shove", force=1)
    assert caught[0].pointer == "/inputs/targets"
    assert len(looked) == 1


def test_where_a_rule_blames_no_field_nothing_is_tried() -> None:
    spec, looked = shoving({"force": 3}, pointer="")
    with spec.raises(Illegal) as caught:
        spec.act("ann", "shove", force=1)
    assert caught[0].pointer is None
    assert len(looked) == 1


def test_one_of_many_who_is_unknown_is_pointed_at() -> None:
    spec, _ = shoving()
    with spec.raises(Unknown) as caught:
        spec.act("ann", "shove", targets=["ann", "nobody", "bob"], force=3)
    assert caught[0].pointer == "/inputs/targets/1"
