"""Test how a holder drags, throws and hurts, and how holds break (SOV-GRAP)."""

from typing import Any

import pytest

from domain.engine.commands import Change
from domain.errors import Illegal
from domain.record.events import ConditionLost, Damaged, Moved, Stopped
from tests.rulesets.sovereign.units import FISTS, end, fight, hero, main, npc
from tests.spec import Spec, rule

WON, LOST = ("grapple-move", 6, 6), ("grapple-move", 1, 1)


def hold(spec: Spec, ours: list[int], theirs: list[int], *others: Any, **max: Any) -> Spec:
    """Let Max, at `ours`, hold the orc, at `theirs`. A ruling restores his actions."""
    fight(
        spec,
        hero("Max", at=ours, **{"unarmed": FISTS, **max}),
        npc("Orc", at=theirs, unarmed=FISTS, skill_modifier=0, max_hp=20),
        *others,
    )
    spec.act("Max", "grapple", ("attack", 19), ("grapple", 6, 6), target="Orc")
    spec.rule("set-budget", who="Max", budget={"main": 1, "move": 1})
    return spec


def stand(spec: Spec) -> list[tuple[int, ...] | None]:
    return [spec["Max"].position, spec["Orc"].position]


@rule("SOV-GRAP-07")
@pytest.mark.parametrize(
    ("ours", "theirs", "to", "then"),
    [
        ([3, 2, 1], [4, 3, 2], [5, 1, 1], [(4, 0, 0), (5, 1, 1)]),  # both by (1, −2, −1)
        ([0, 0], [1, 0], [0, 0], [(-1, 0, 0), (0, 0, 0)]),  # the orc onto Max's square
        ([0, 0], [1, 0], [2, 0], [(1, 0, 0), (2, 0, 0)]),  # Max onto the orc's square
        ([0, 0], [1, 0], [3, 0], [(2, 0, 0), (3, 0, 0)]),  # 10 ft
    ],
)
def test_both_are_shifted_by_the_same(
    spec: Spec, ours: list[int], theirs: list[int], to: list[int], then: list[tuple[int, ...]]
) -> None:
    hold(spec, ours, theirs)
    spec.act("Max", "move-grappled", WON, result="drag", to=to)
    assert stand(spec) == then
    assert spec["Orc"].has("grappled")


@rule("SOV-GRAP-07")
@pytest.mark.parametrize(
    ("inputs", "code"),
    [
        ({"result": "drag"}, "path-blocked"),
        ({"result": "drag", "to": [1, 0]}, "too-far"),  # the orc's own square
        ({"result": "drag", "to": [4, 0]}, "too-far"),  # 15 ft
        ({"result": "throw", "to": [3, 0]}, "too-far"),  # 10 ft
        ({"result": "throw", "to": [0, 0]}, "square-occupied"),  # Max's own square
        ({"result": "drag", "to": [2, 1]}, "square-occupied"),  # where Bo stands
        ({"result": "drag", "to": [2, 2]}, "square-occupied"),  # Max would share Eve's square
    ],
)
def test_where_nobody_is_dragged_or_thrown(spec: Spec, inputs: dict[str, Any], code: str) -> None:
    hold(spec, [0, 0], [1, 0], hero("Bo", at=[2, 1]), hero("Eve", at=[1, 2]))
    with spec.refused("SOV-GRAP-07", code):
        spec.act("Max", "move-grappled", **inputs)


@rule("SOV-GRAP-07")
def test_what_is_too_far_is_told_in_feet(spec: Spec) -> None:
    hold(spec, [0, 0], [1, 0])
    with spec.raises(Illegal) as refusals:
        spec.act("Max", "move-grappled", result="drag", to=[4, 0])
    assert refusals[0].detail == "(4, 0) is 15 ft away"


@rule("SOV-GRAP-07")
@pytest.mark.parametrize(
    ("ours", "theirs", "lands"),
    [
        ([3, 2], [2, 3], (1, 4, 0)),  # two squares in the direction (−1, +1)
        ([3, 3], [3, 2], (3, 1, 0)),
        ([0, 0], [1, 1], (1, 1, 0)),  # Bo stands behind the orc
    ],
)
def test_thrown_straight_away(
    spec: Spec, ours: list[int], theirs: list[int], lands: tuple[int, ...]
) -> None:
    hold(spec, ours, theirs, hero("Bo", at=[2, 2])) if ours == [0, 0] else hold(spec, ours, theirs)
    spec.act("Max", "move-grappled", WON, result="throw")
    assert spec["Orc"].position == lands
    assert spec["Orc"].has("prone")
    assert not spec["Orc"].has("grappled")


@rule("SOV-GRAP-06", "SOV-SHOVE-04")
@pytest.mark.parametrize(
    ("total", "size", "free"),
    [
        (9, None, True),  # 8 + 1 of strength: equal
        (8, None, False),
        (7, "larger-humanoid", True),  # 2 lower against a larger combatant
        (6, "larger-humanoid", False),
    ],
)
def test_who_reaches_the_holders_number_is_free(
    spec: Spec, total: int, size: str | None, free: bool
) -> None:
    hold(spec, [0, 0], [1, 0], modifiers={"str": 1})
    if size is not None:
        spec.rule("set", combatant="Orc", sheet={"size_category": size})
    end(spec, "Max")
    spec.act("Orc", "escape-grapple", ("grapple-escape", total - 3, 3))
    assert spec["Orc"].has("grappled") == (not free)


@rule("SOV-GRAP-08", "SOV-DMG-04")
@pytest.mark.parametrize(("strength", "hurt"), [(2, 3), (0, 1), (-2, 0)])
def test_whoever_is_held_is_hurt_at_the_end_of_the_round(
    spec: Spec, strength: int, hurt: int
) -> None:
    hold(spec, [0, 0], [1, 0], modifiers={"str": strength}, attack_bonus=5)
    end(spec, "Max")
    spec.act("Orc", "end-turn", ("grapple-damage", 1))  # 1 + strength, not below 0
    assert spec.event(Damaged, who="Orc").amount == hurt


# ---- obstacles and interruptions


@rule("SOV-GRAP-04", "SOV-GRAP-05", "SOV-GRAP-07")
@pytest.mark.parametrize(
    ("action", "by"),
    [
        ("release-grapple", "SOV-GRAP-04"),
        ("escape-grapple", "SOV-GRAP-05"),
        ("move-grappled", "SOV-GRAP-07"),
    ],
)
def test_without_a_hold_there_is_none_to_end_or_move(spec: Spec, action: str, by: str) -> None:
    fight(spec, hero("Max", unarmed=FISTS), npc("Orc"))
    with spec.refused(by, "missing-data"):
        spec.act("Max", action)


@rule("SOV-SHOVE-04", "SOV-GRAP-01")
def test_nobody_holds_what_is_far_too_large(spec: Spec) -> None:
    fight(spec, hero("Max", unarmed=FISTS), npc("Wyrm", size_category="impossible"))
    with spec.refused("SOV-SHOVE-04", "too-large"):
        spec.act("Max", "grapple", target="Wyrm")


@rule("SOV-GRAP-01")
def test_a_check_that_is_lost_holds_nobody(spec: Spec) -> None:
    fight(spec, hero("Max", unarmed=FISTS), npc("Orc", skill_modifier=0))
    spec.act("Max", "grapple", ("attack", 19), ("grapple", 1, 1), target="Orc")
    assert not spec["Orc"].has("grappled")


@rule("SOV-INST-01", "SOV-GRAP-07")
def test_whoever_is_torn_away_before_the_check_is_not_moved(spec: Spec) -> None:
    yell = {
        "id": "yell", "name": "Yell", "windows": ["declared"],
        "effects": [{"type": "condition", "condition": "hoarse"}],
    }  # fmt: skip
    hold(spec, [0, 0], [1, 0], npc("Imp", at=[5, 5], abilities=[yell])).orders("Imp")
    spec.act("Max", "move-grappled")
    assert spec.open() == [("reaction", "instant", "Imp")]
    spec.rule("place", combatant="Orc", at=[5, 0]).answer("Imp", "pass")
    assert spec.open() == [("turn", "turn", "Max")]
    assert stand(spec) == [(0, 0, 0), (5, 0, 0)]


@rule("SOV-GRAP-07")
def test_the_place_that_is_chosen_afterwards_has_to_be_near_enough(spec: Spec) -> None:
    hold(spec, [0, 0], [1, 0]).act("Max", "move-grappled", WON)
    with spec.refused("SOV-GRAP-07", "too-far"):
        spec.answer("Max", "drag", to=[9, 0])
    spec.answer("Max", "drag", to=[3, 0])
    assert spec["Orc"].position == (3, 0, 0)


@rule("SOV-GRAP-03")
@pytest.mark.parametrize(
    ("action", "inputs"),
    [("run", {"path": [[-1, 0]]}), ("charge", {"to": [-1, 0], "target": "Orc"})],
)
def test_who_holds_somebody_stays_where_it_is(
    spec: Spec, action: str, inputs: dict[str, Any]
) -> None:
    hold(spec, [0, 0], [1, 0])
    with spec.refused("SOV-GRAP-03", "grappled"):
        spec.act("Max", action, **inputs)


@rule("SOV-GRAP-01")
def test_who_misses_has_no_check(spec: Spec) -> None:
    fight(spec, hero("Max", unarmed=FISTS), npc("Orc", skill_modifier=0))
    spec.act("Max", "grapple", ("attack", 1), target="Orc")
    assert spec.open() == [("turn", "turn", "Max")]


@rule("SOV-GRAP-04")
def test_whoever_falls_before_the_check_is_not_held(spec: Spec) -> None:
    fight(spec, hero("Max", unarmed=FISTS), npc("Orc", skill_modifier=0))
    spec.act("Max", "grapple", ("attack", 19), target="Orc")
    spec.rule("set-condition", combatant="Orc", condition="unconscious")
    assert spec.event(Stopped).reason == "incapacitated"
    assert spec.answer(None, "go-on").open() == [("turn", "turn", "Max")]


@rule("SOV-GRAP-07", "SOV-GRAP-04")
def test_a_hold_that_has_ended_is_not_lost_again(spec: Spec) -> None:
    hold(spec, [0, 0], [1, 0]).act("Max", "move-grappled")
    assert spec.open() == [("roll", "grapple-move", "Max")]
    spec.rule("place", combatant="Orc", at=[5, 0])
    assert spec.event(Stopped).doing == "move-grappled"
    assert "lost" not in [condition_lost.reason for condition_lost in spec.events(ConditionLost)]


@rule("SOV-GRAP-06")
def test_the_lowest_number_of_several_holders_is_the_one_to_reach(spec: Spec) -> None:
    hold(spec, [0, 0], [1, 0], hero("Bo", at=[2, 0], unarmed=FISTS), modifiers={"str": 2})
    spec.act("Bo", "grapple", ("attack", 19), ("grapple", 6, 6), target="Orc")
    end(spec, "Max", "Bo")
    spec.act("Orc", "escape-grapple", ("grapple-escape", 4, 4))
    assert spec.rolled("grapple-escape").target == 8  # the number of Bo; Max has 10
    assert spec["Max"].has("grappling")
    assert not spec["Bo"].has("grappling")


# ---- price and early end

YELL = {
    "id": "yell", "name": "Yell", "windows": ["declared"],
    "effects": [{"type": "condition", "condition": "hoarse"}],
}  # fmt: skip


@rule("SOV-GRAP-05", "SOV-GRAP-07")
def test_to_break_out_and_to_move_somebody_take_the_main(spec: Spec) -> None:
    hold(spec, [0, 0], [1, 0]).act("Max", "move-grappled", WON, result="drag", to=[2, 0])
    assert main(spec, "Max") == 0
    end(spec, "Max").act("Orc", "escape-grapple", ("grapple-escape", 1, 1))
    assert main(spec, "Orc") == 0


@rule("SOV-INST-01", "SOV-GRAP-05")
@pytest.mark.parametrize("parted", [True, False])
def test_what_comes_between_may_spare_the_check_of_breaking_out(spec: Spec, parted: bool) -> None:
    hold(spec, [0, 0], [1, 0], hero("Bo", at=[5, 5], abilities=[YELL])).orders("Bo")
    end(spec, "Max", "Bo").act("Orc", "escape-grapple")
    assert ("reaction", "instant", "Bo") in spec.open()
    if parted:
        spec.rule("place", combatant="Orc", at=[5, 0]).answer("Bo", "pass")
        assert spec.open() == [("turn", "turn", "Orc")]
    else:
        spec.answer("Bo", "pass", ("grapple-escape", 1, 1))
        assert spec["Orc"].has("grappled")


@rule("SOV-GRAP-07", "SOV-AOO-07")
@pytest.mark.parametrize(("result", "to"), [("drag", [2, 0]), ("throw", [2, 0])])
def test_whoever_is_dragged_or_thrown_is_moved_by_force(
    spec: Spec, result: str, to: list[int]
) -> None:
    hold(spec, [0, 0], [1, 0]).act("Max", "move-grappled", WON, result=result, to=to)
    assert {moved.forced for moved in spec.events(Moved)} == {True}


@rule("SOV-GRAP-04", "SOV-GRAP-07")
@pytest.mark.parametrize("at", [[5, 0], None])
def test_a_hold_that_ends_while_it_is_asked_where_throws_nobody(spec: Spec, at: Any) -> None:
    hold(spec, [0, 0], [1, 0]).act("Max", "move-grappled", WON)
    assert spec.open() == [("choice", "grapple-move-result", "Max")]
    spec.rule("place", combatant="Orc", **({"at": at} if at else {}))
    assert spec["Orc"].position == ((5, 0, 0) if at else None)
    assert not spec["Orc"].has("prone")


@rule("SOV-GRAP-02")
def test_who_is_made_to_hold_another_during_the_check_takes_no_second(spec: Spec) -> None:
    fight(
        spec, hero("Max", unarmed=FISTS), npc("Orc", skill_modifier=0), npc("Imp", at=[0, 1]),
    )  # fmt: skip
    spec.act("Max", "grapple", ("attack", 19), target="Orc")
    spec.rule("set-condition", combatant="Imp", condition="grappled", data={"by": "Max"})
    assert spec.event(Stopped).reason == "already-grappling"
    assert not spec["Orc"].has("grappled")


@rule("SOV-GRAP-08", "SOV-GRAP-04")
def test_whoever_falls_by_its_first_holder_is_not_hurt_by_the_next(spec: Spec) -> None:
    hold(spec, [0, 0], [1, 0], hero("Bo", at=[2, 0], unarmed=FISTS))
    spec.act("Bo", "grapple", ("attack", 19), ("grapple", 6, 6), target="Orc")
    spec.rule("set-track", combatant="Orc", track="hp", value=1)
    end(spec, "Max", "Bo").act("Orc", "end-turn", ("grapple-damage", 2))
    assert [damaged.amount for damaged in spec.events(Damaged)] == [1]
    assert spec.events(Stopped) == []


@rule("SOV-GRAP-08", "SOV-DMG-02")
def test_without_fists_any_more_nobody_is_hurt_at_the_end_of_the_round(spec: Spec) -> None:
    hold(spec, [0, 0], [1, 0]).do(Change("Max", sheet={"unarmed": None}))
    end(spec, "Max", "Orc")
    assert (spec.combat.round, spec.hp("Orc")) == (2, 20)


@rule("SOV-GRAP-08", "SOV-INST-01")
def test_what_an_ability_adds_to_the_damage_of_a_hold_counts(spec: Spec) -> None:
    crush = {
        "id": "crush", "name": "Crush", "windows": ["rolled"], "uses": 1,
        "effects": [{"type": "modifier", "value": 2}],
    }  # fmt: skip
    hold(spec, [0, 0], [1, 0], abilities=[crush])
    end(spec, "Max").orders("Max")
    spec.act("Orc", "end-turn", ("grapple-damage", 1))
    spec.answer("Max", "use-ability", ability="crush")
    assert spec.event(Damaged, who="Orc").amount == 3


@rule("SOV-GRAP-04", "SOV-ACT-06")
def test_a_release_that_the_gm_finds_one_too_many_is_none(spec: Spec) -> None:
    fight(
        spec, hero("Max", unarmed=FISTS), npc("Orc", skill_modifier=0),
        rulings="ask", ask_free_actions_after=0,
    )  # fmt: skip
    spec.rule("set-condition", combatant="Orc", condition="grappled", data={"by": "Max"})
    spec.act("Max", "release-grapple").answer(None, "refuse", name="plausible")
    assert spec["Orc"].has("grappled")
