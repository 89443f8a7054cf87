"""Test commands that a hidden combatant stops, such as a move into its square."""

from collections.abc import Mapping
from typing import Any

import pytest

from domain.engine.caller import Caller
from domain.engine.commands import Act, Change, Command, Reply
from domain.errors import Malformed
from domain.record.events import Moved, Prevented, Stopped
from tests.rulesets.sovereign.units import FISTS, KNIFE, SWORD, fight, hero, main, move, npc
from tests.spec import Spec, rule

ANNA = Caller("p1", "player", owner="anna")


def ambush(spec: Spec, lurker: list[int], *others: Mapping[str, Any], **ana: Any) -> Spec:
    """Begin with Lurker, a hidden foe at `lurker`. Ana's player does not see it."""
    return fight(
        spec,
        hero("Ana", **{"owner": "anna", "weapons": [SWORD, KNIFE], **ana}),
        npc("Orc", at=[5, 0], skill_modifier=0),
        npc("Lurker", at=lurker),
        *others,
        hidden=("Lurker",),
    )


def plays(spec: Spec, command: Command, *dice: tuple[Any, ...]) -> Spec:
    return spec.do(command, *dice, by=ANNA)


def stop(spec: Spec) -> tuple[str, str]:
    stopped = spec.event(Stopped)
    return stopped.doing, stopped.reason


@rule("SOV-CHG-07", "SOV-CHG-02")
@pytest.mark.parametrize("way", [{"to": [4, 0]}, {"path": [[1, 0], [2, 0], [3, 0], [4, 0]]}])
@pytest.mark.parametrize("weapon", ["sword", "knife"])
def test_a_charge_ends_at_somebody_hidden_without_its_attack(
    spec: Spec, way: dict[str, Any], weapon: str
) -> None:
    ambush(spec, [2, 0])
    plays(spec, Act("Ana", "charge", {"target": "Orc", "weapon": weapon, **way}))
    assert stop(spec) == ("charge", "path-blocked")
    assert (spec["Ana"].position, main(spec, "Ana"), move(spec, "Ana")) == ((1, 0, 0), 0, 0)


@rule("SOV-RUN-01", "SOV-GRID-05")
def test_a_first_step_onto_somebody_hidden_is_spent(spec: Spec) -> None:
    ambush(spec, [1, 0])
    plays(spec, Act("Ana", "run", {"path": [[1, 0], [2, 0]]}))
    assert stop(spec) == ("run", "path-blocked")
    assert (spec["Ana"].position, move(spec, "Ana")) == ((0, 0, 0), 0)


@rule("SOV-GRID-04")
def test_nobody_is_left_in_the_square_of_an_ally(spec: Spec) -> None:
    ambush(spec, [2, 0], hero("Bo", at=[1, 0]))
    plays(spec, Act("Ana", "run", {"path": [[1, 0], [2, 0], [3, 0]]}))
    assert stop(spec) == ("run", "path-blocked")
    assert spec["Ana"].position == (0, 0, 0)


@rule("SOV-SHOVE-02")
@pytest.mark.parametrize("first", [True, False])
def test_a_push_onto_somebody_hidden_is_tried_once(spec: Spec, first: bool) -> None:
    """A target that Ana pushes into a hidden combatant's square falls prone instead."""
    ambush(spec, [2, 0], npc("Imp", at=[1, 0], skill_modifier=0))
    given = {"result": "push", "to": [2, 0]} if first else {}
    plays(spec, Act("Ana", "shove", {"target": "Imp", **given}), ("attack", 19), ("shove", 6, 6))
    assert main(spec, "Ana") == 0
    (id,) = [id for id, prompt in spec.live.open_prompts().items() if prompt.name == "shove-result"]
    plays(spec, Reply(id, "push", {"to": [2, 0]}))
    assert spec.event(Prevented).reason == "square-occupied"
    assert spec["Imp"].has("prone")
    assert not spec.events(Moved)


@rule("SOV-GRAP-05")
def test_out_of_a_grapple_with_somebody_who_is_not_known(spec: Spec) -> None:
    fight(
        spec, hero("Ana", owner="anna"), npc("Orc", unarmed=FISTS, skill_modifier=0),
        party=1, asks=(),
    )  # fmt: skip
    spec.act("Ana", "end-turn")
    spec.act("Orc", "grapple", ("attack", 19), ("grapple", 6, 6), target="Ana")
    spec.do(Change("Orc", hidden=True))
    spec.act("Orc", "end-turn", ("grapple-damage", 1))
    offered = {offer.option.id for offer in spec.live.options("Ana", ANNA) if offer.legal}
    assert "escape-grapple" in offered
    plays(spec, Act("Ana", "escape-grapple", {}), ("grapple-escape", 6, 6))
    assert not spec["Ana"].has("grappled")


# ---- hidden before the fight


def test_the_sheet_and_the_combatant_say_the_same(spec: Spec) -> None:
    """The sheet field `hidden` hides a combatant or reveals it.

    Affray stores the value on the combatant. The stored sheet always has `hidden` false.
    """
    spec.given(hero("Ana"), npc("Orc", hidden=True))
    assert (spec["Orc"].hidden, spec["Orc"].sheet["hidden"]) == (True, False)
    spec.do(Change("Orc", sheet={"hidden": False}))
    assert spec["Orc"].hidden is False
    spec.do(Change("Orc", sheet={"hidden": True}))
    assert (spec["Orc"].hidden, spec["Orc"].sheet["hidden"]) == (True, False)
    spec.do(Change("Orc", hidden=False))
    assert spec["Orc"].hidden is False
    with spec.raises(Malformed) as caught:
        spec.do(Change("Orc", hidden=True, sheet={"hidden": False}))
    assert caught[0].pointer == "/sheet/hidden"


@rule("SOV-SURP-06")
@pytest.mark.parametrize("how", ["sheet", "combatant"])
def test_the_careful_are_surprised_by_the_hidden(spec: Spec, how: str) -> None:
    orc = npc("Orc", hidden=True) if how == "sheet" else npc("Orc")
    spec.given(hero("Ana", alertness="careful"), orc, hidden=("Orc",) if how != "sheet" else ())
    spec.rule("surprise", groups=["party"])
    spec.do(Change("Orc", hidden=False))
    with spec.refused("SOV-SURP-06", "cannot-be-surprised"):
        spec.rule("surprise", groups=["party"])


# ---- combatants that change sides


@rule("SOV-SEQ-06")
def test_until_its_next_turn_follows_whoever_changes_sides(spec: Spec) -> None:
    """Ana joins the foes, who act next. Her Total Defense ends when their turn begins."""
    fight(spec, hero("Ana"), hero("Bo"), npc("Orc"), asks=("Ana",))
    spec.act("Ana", "total-defense")
    spec.do(Change("Ana", side="foes"))
    spec.act("Bo", "end-turn")
    assert spec.combat.phase == "side-turn/foes"
    assert not spec["Ana"].has("total-defense")


@rule("SOV-SEQ-06")
def test_it_ends_with_the_next_turn_of_the_new_side(spec: Spec) -> None:
    """Imp joins the party. Its Total Defense ends when the party's next turn begins."""
    fight(spec, hero("Ana"), npc("Orc"), npc("Imp"), asks=("Imp",))
    spec.act("Ana", "end-turn").act("Imp", "total-defense")
    spec.do(Change("Imp", side="party"))
    assert spec["Imp"].has("total-defense")
    spec.act("Orc", "end-turn")
    assert spec.combat.phase == "side-turn/party"
    assert not spec["Imp"].has("total-defense")
