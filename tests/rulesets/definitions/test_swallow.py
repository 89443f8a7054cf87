"""Test swallow whole, cutting out, and retrieval (DEF-SWL)."""

from typing import Any

import pytest

from domain.engine.commands import Change
from domain.record.events import Died, Moved
from tests.rulesets.definitions.units import (
    BITE,
    SWORD,
    at,
    end,
    fight,
    fighter,
    foe,
    hold,
    left,
    shown,
    turn_of,
    weapon,
)
from tests.spec import Spec, rule


def jaws(spec: Spec, rulings: str = "default", **ours: Any) -> Spec:
    """Begin with the huge Maw next to the small Tim.

    Bo is Tim's ally, and Gob is Maw's ally.
    """
    return fight(
        spec,
        foe("Maw", size="huge", at=[0, 0], weapons=[BITE], **{"max_hp": 64, **ours}),
        fighter("Tim", size="small", at=[3, 0], weapons=[SWORD], max_hp=20),
        fighter("Bo", at=[9, 9]),
        foe("Gob", at=[-9, 9]),
        rulings=rulings,
    )


def swallowed(spec: Spec, rulings: str = "default", **ours: Any) -> Spec:
    jaws(spec, rulings, **ours).act("Maw", "swallow-whole", target="Tim")
    return spec.answer("Tim", "grapple", ("opposed-grapple", 15), ("opposed-grapple", 5))


def to_turn_of(spec: Spec, who: str) -> Spec:
    while turn_of(spec) != who:
        end(spec, str(turn_of(spec)))
    return spec


def cut(spec: Spec, face: int, **inputs: Any) -> Spec:
    return spec.act("Tim", "cut-out", ("attack", 15), ("damage", face), **inputs)


@rule("DEF-SWL-01")
def test_without_touch_and_opportunity(spec: Spec) -> None:
    jaws(spec).act("Maw", "swallow-whole", target="Tim")
    assert spec.prompt().name == "defend-with"
    assert left(spec, "Maw")["standard"] == 0


@rule("DEF-SWL-01")
def test_in_natural_reach_only(spec: Spec) -> None:
    jaws(spec, natural_reach=1).rule("move", who="Tim", to=[4, 0])
    with spec.refused("DEF-MAN-09", "out-of-reach"):
        spec.act("Maw", "swallow-whole", target="Tim")


@rule("DEF-SWL-02")
def test_three_sizes_or_the_feat(spec: Spec) -> None:
    fight(spec, foe("Maw", size="huge", feats={}), fighter("Tim", at=[3, 0]))
    with spec.refused("DEF-SWL-02", "too-big"):
        spec.act("Maw", "swallow-whole", target="Tim")


@rule("DEF-SWL-02")
def test_with_the_feat_nobody_is_too_big(spec: Spec) -> None:
    fight(spec, foe("Maw", feats={"swallow_bigger": True}), fighter("Tim", size="large", at=[2, 0]))
    spec.act("Maw", "swallow-whole", target="Tim")
    assert spec.prompt().name == "defend-with"


@rule("DEF-SWL-03")
@pytest.mark.parametrize(("face", "inside"), [(4, True), (6, False)])
def test_one_opposed_grapple_or_escape_artist(spec: Spec, face: int, inside: bool) -> None:
    jaws(spec, grapple_modifier=2).act("Maw", "swallow-whole", target="Tim")
    spec.answer("Tim", "escape-artist", ("opposed-grapple", 3), ("skill-escape_artist", face))
    assert spec["Tim"].has("swallowed") is inside
    assert (at(spec, "Tim") is None) is inside


@rule("DEF-SWL-04")
def test_what_one_inside_can_do(spec: Spec) -> None:
    swallowed(spec)
    assert shown(spec, "Tim")["swallowed_by"] == {"name": "Maw", "rounds": 0, "damage_dealt": 0}
    assert shown(spec, "Tim")["threatened_squares"] == []
    to_turn_of(spec, "Tim")
    with spec.refused("DEF-SWL-04", "swallowed"):
        spec.act("Tim", "move", path=[[4, 0]])
    with spec.refused("DEF-SWL-04", "swallowed"):
        spec.act("Tim", "attack", target="Gob")
    spec.act("Tim", "attack", ("attack", 15), ("damage", 3), target="Maw")
    assert shown(spec, "Tim")["swallowed_by"]["damage_dealt"] == 3
    to_turn_of(spec, "Gob")
    with spec.refused("DEF-SWL-04", "swallowed"):
        spec.act("Gob", "shove", target="Tim")


@rule("DEF-SWL-04", "DEF-AOO-09")
def test_only_its_swallower_may_threaten_it(spec: Spec) -> None:
    potion = {"id": "p", "name": "p", "kind": "potion", "effect": {"healing": "1d4"}}
    swallowed(spec, "ask").rule("move", who="Gob", to=[3, 1])
    spec.do(Change("Tim", sheet={"items": [potion]}))
    spec.do(Change("Gob", sheet={"weapons": [SWORD]}))
    to_turn_of(spec, "Tim")
    spec.act("Tim", "drink-potion", item="p")
    assert spec.prompt(name="threatened").data["foes"] == ["Maw"]
    spec.answer(None, "nobody", ("healing", 1))


@rule("DEF-SWL-04", "DEF-SWL-08")
def test_a_swallower_removed_leaves_it_beside_its_place(spec: Spec) -> None:
    swallowed(spec).leave("Maw")
    assert not spec["Tim"].has("swallowed")
    spec.answer("Tim", "out")
    assert at(spec, "Tim") == (-1, -1)  # lowest x, then y


@rule("DEF-SWL-08")
def test_where_no_square_is_free_nobody_chooses_one(spec: Spec) -> None:
    swallowed(spec).rule("move", who="Maw", to=None)
    spec.leave("Maw")
    assert not spec["Tim"].has("swallowed")
    assert [name for _, name, _ in spec.open()] == ["turn"]
    assert at(spec, "Tim") is None


@rule("DEF-MAS-03")
@pytest.mark.parametrize(("face", "left"), [(11, 8), (10, 0)])
def test_its_massive_damage_save_comes_before_anybody_is_out(
    spec: Spec, face: int, left: int
) -> None:
    to_turn_of(swallowed(spec, max_hp=16), "Tim")
    cut(spec, 8)  # half of 16, and more than a fifth of it
    assert spec["Tim"].has("swallowed")
    assert spec.prompt().name == "save-fortitude"
    spec.answer("Maw", "roll", faces=[face])  # against 10 + 1 Hit Die
    assert (spec.hp("Maw"), spec["Tim"].has("swallowed")) == (left, False)


@rule("DEF-SWL-05")
def test_out_at_a_fifth_of_its_maximum(spec: Spec) -> None:
    to_turn_of(swallowed(spec, hp=60), "Tim")
    cut(spec, 8)
    end(spec, "Tim")
    to_turn_of(spec, "Tim")
    cut(spec, 4)  # 12: 60 < 64
    assert spec["Tim"].has("swallowed")
    end(spec, "Tim")
    to_turn_of(spec, "Tim")
    cut(spec, 1)  # 13: 65 ≥ 64
    assert not spec["Tim"].has("swallowed")
    assert (spec.prompt().name, spec.prompt().default) == ("cut-out-square", "out")
    with spec.refused("DEF-SWL-05", "square-occupied"):
        spec.answer("Tim", "out", to=[1, 1])
    spec.answer("Tim", "out", to=[3, 2])
    assert at(spec, "Tim") == (3, 2)
    assert spec.hp("Maw") == 47


@rule("DEF-SWL-05")
def test_a_fifth_of_the_maximum_that_the_gm_has_set(spec: Spec) -> None:
    to_turn_of(swallowed(spec), "Tim")
    cut(spec, 8)  # 40 < 64
    spec.rule("set-track", who="Maw", track="hp", maximum=41)
    assert spec["Tim"].has("swallowed")
    spec.rule("set-track", who="Maw", track="hp", maximum=40)
    assert not spec["Tim"].has("swallowed")
    assert spec.prompt().name == "cut-out-square"


@rule("DEF-SWL-05")
def test_it_comes_out_beside_the_place_where_the_swallower_is_by_then(spec: Spec) -> None:
    to_turn_of(swallowed(spec), "Tim")
    cut(spec, 7)
    end(spec, "Tim")
    to_turn_of(spec, "Tim")
    cut(spec, 6)
    spec.rule("move", who="Maw", to=[20, 20])
    with spec.refused("DEF-SWL-05", "square-occupied"):
        spec.answer("Tim", "out", to=[3, 2])
    spec.answer("Tim", "out", to=[23, 22])
    assert at(spec, "Tim") == (23, 22)


@rule("DEF-SWL-05")
def test_only_with_a_sharp_weapon_and_from_inside(spec: Spec) -> None:
    club = weapon("club", "1d6", damage_type="blunt")
    fight(
        spec,
        foe("Maw", size="huge", max_hp=64),
        fighter("Tim", size="small", at=[3, 0], weapons=[club]),
    )
    end(spec, "Maw")
    with spec.refused("DEF-SWL-05", "not-swallowed"):
        spec.act("Tim", "cut-out")
    end(spec, "Tim")
    spec.act("Maw", "swallow-whole", target="Tim")
    spec.answer("Tim", "grapple", ("opposed-grapple", 15), ("opposed-grapple", 5))
    end(spec, "Maw")
    with spec.refused("DEF-SWL-05", "wrong-damage-type"):
        spec.act("Tim", "cut-out")


@rule("DEF-SWL-05", "DEF-STN-02")
def test_a_stance_goes_with_cutting(spec: Spec) -> None:
    jaws(spec).act("Maw", "swallow-whole", target="Tim")
    spec.answer("Tim", "grapple", ("opposed-grapple", 15), ("opposed-grapple", 5))
    to_turn_of(spec, "Tim")
    totals = []
    for stance in ({}, {"stance": "defensive"}):
        cut(spec, 1, **stance)
        totals.append(spec.rolled("attack").total)
        end(spec, "Tim")
        to_turn_of(spec, "Tim")
    assert totals[0] - totals[1] == 4


@rule("DEF-SWL-06", "DEF-SWL-07")
def test_no_air_after_three_rounds_dead_after_twenty_more(spec: Spec) -> None:
    swallowed(spec)
    for _ in range(2):
        end(spec, str(turn_of(spec)))
        to_turn_of(spec, "Maw")
    assert not spec["Tim"].has("unconscious")
    end(spec, "Maw")
    to_turn_of(spec, "Maw")
    assert spec["Tim"].has("unconscious")
    assert spec.hp("Tim", "nld") == 0
    spec.rule("damage", who="Tim", amount=3)
    spec.rule("heal", who="Tim", amount=5, track="both")
    assert spec["Tim"].has("unconscious")  # healing gives no air
    for _ in range(19):
        end(spec, "Maw")
        to_turn_of(spec, "Maw")
    assert not spec["Tim"].has("dead")
    end(spec, "Maw", "Bo", "Gob")
    assert spec.event(Died).who == "Tim"


@rule("DEF-SWL-08")
def test_retrieved_by_an_ally(spec: Spec) -> None:
    swallowed(spec)
    to_turn_of(spec, "Bo")
    spec.rule("set-track", who="Maw", track="hp", value=1)
    with spec.refused("DEF-SWL-08", "swallower-not-down"):
        spec.act("Bo", "retrieve-swallowed", target="Tim")
    spec.rule("damage", who="Maw", amount=64)
    with spec.refused("DEF-SWL-08", "not-adjacent"):
        spec.act("Bo", "retrieve-swallowed", target="Tim")
    with spec.refused("DEF-SWL-08", "not-swallowed"):
        spec.act("Bo", "retrieve-swallowed", target="Gob")
    spec.rule("move", who="Bo", to=[3, 0])
    spec.act("Bo", "retrieve-swallowed", target="Tim")
    spec.answer("Tim", "out", to=[3, 1])
    assert at(spec, "Tim") == (3, 1)
    assert not spec["Tim"].has("swallowed")


@rule("DEF-SWL-08")
def test_by_itself_and_by_no_foe(spec: Spec) -> None:
    swallowed(spec)
    spec.rule("damage", who="Maw", amount=64)
    to_turn_of(spec, "Gob")
    with spec.refused("DEF-SWL-08", "not-an-ally"):
        spec.act("Gob", "retrieve-swallowed", target="Tim")
    spec.rule("force-roll", who="Maw", purpose="death-save", faces=[99])
    to_turn_of(spec, "Tim")
    spec.act("Tim", "retrieve-swallowed", target="Tim")
    assert spec.prompt().name == "cut-out-square"


@rule("DEF-SWL-08")
def test_whom_a_blow_has_felled_is_not_asked_about(spec: Spec) -> None:
    """If Tim has not fainted from lack of air, the GM gets no prompt to wake him."""
    swallowed(spec, "ask").rule("set-condition", who="Tim", condition="unconscious")
    spec.rule("retrieve", who="Tim").answer("Tim", "out")
    assert spec["Tim"].has("unconscious")
    assert [name for _, name, _ in spec.open()] == ["turn"]


@rule("DEF-SWL-08")
@pytest.mark.parametrize(("wakes", "unconscious"), [("yes", False), ("no", True)])
def test_retrieved_by_the_gm_and_waking(spec: Spec, wakes: str, unconscious: bool) -> None:
    swallowed(spec, "ask")
    with spec.refused("DEF-SWL-08", "not-swallowed"):
        spec.rule("retrieve", who="Bo")
    for _ in range(3):
        end(spec, str(turn_of(spec)))
        to_turn_of(spec, "Maw")
    assert spec["Tim"].has("unconscious")
    spec.rule("retrieve", who="Tim").answer("Tim", "out")
    assert (spec.prompt().name, spec.prompt().default) == ("swallow-wake", "yes")
    spec.answer(None, wakes)
    assert spec["Tim"].has("unconscious") is unconscious


def test_a_swallower_killed_keeps_it_and_rounds_pass(spec: Spec) -> None:
    swallowed(spec)
    spec.rule("set-condition", who="Maw", condition="dead")
    assert spec["Tim"].has("swallowed")
    for _ in range(4):
        end(spec, str(turn_of(spec)))
        to_turn_of(spec, "Bo")
    assert spec["Tim"].has("unconscious")


@rule("DEF-SWL-06", "DEF-HLD-05")
@pytest.mark.parametrize("alive", [True, False])
def test_who_faints_without_air_has_fallen(spec: Spec, alive: bool) -> None:
    """If Tim faints from lack of air inside Maw, his fall triggers Bo's held action.

    Tim also faints if Maw is dead.
    """
    swallowed(spec)
    if not alive:
        spec.rule("set-condition", who="Maw", condition="dead")
    spec.rule("set-fact", combatant="Tim", key="inside",
              value={"by": "Maw", "rounds": 2, "damage": 0})  # fmt: skip
    to_turn_of(spec, "Bo")
    hold(spec, "Bo", "drop-prone", {"event": "falls", "who": "Tim"}, slot="move")
    end(spec, "Bo", "Gob")
    spec.answer("Bo", "resolve")
    assert spec["Bo"].has("prone")
    assert spec["Tim"].has("unconscious")


@rule("DEF-SWL-04")
def test_nobody_is_swallowed_from_inside(spec: Spec) -> None:
    jaws(spec).do(Change("Tim", sheet={"feats": {"swallow_bigger": True}}))
    spec.act("Maw", "swallow-whole", target="Tim")
    spec.answer("Tim", "grapple", ("opposed-grapple", 15), ("opposed-grapple", 5))
    to_turn_of(spec, "Tim")
    with spec.refused("DEF-SWL-04", "swallowed"):
        spec.act("Tim", "swallow-whole", target="Maw")


@rule("DEF-SWL-05")
def test_from_inside_the_swallower_is_always_in_reach(spec: Spec) -> None:
    """A swallowed combatant can strike its swallower, however far apart their squares are.

    A ruling puts Tim inside Maw while his square is `[20, 20]`.
    """
    jaws(spec)
    spec.rule("move", who="Tim", to=[20, 20])
    spec.rule("set-condition", who="Tim", condition="swallowed", data={"with": "Maw"})
    end(spec, "Maw")
    cut(spec, 4)
    assert spec.hp("Maw") == 60


@rule("DEF-SWL-04", "DEF-SWL-08")
def test_whoever_the_gm_has_swallowed_stands_nowhere_and_comes_out_beside(spec: Spec) -> None:
    fight(
        spec, foe("Maw", size="huge", at=[0, 0]), fighter("Tim", size="small", at=[3, 0]),
        rulings="ask",
    )  # fmt: skip
    spec.rule("set-condition", who="Tim", condition="swallowed", data={"with": "Maw"})
    assert spec["Tim"].position is None
    spec.rule("retrieve", who="Tim")
    assert (spec.prompt().name, spec.prompt().who) == ("cut-out-square", "Tim")
    spec.close()
    assert at(spec, "Tim") == (-1, -1)


@rule("DEF-SWL-08")
@pytest.mark.parametrize("answer", ["yes", "no"])
@pytest.mark.parametrize("how", ["retrieved", "left", "by hand"])
def test_whoever_comes_out_without_air_may_wake(spec: Spec, how: str, answer: str) -> None:
    fight(
        spec, foe("Maw", size="huge", at=[0, 0]), fighter("Tim", size="small", at=[3, 0]),
        rulings="ask",
    )  # fmt: skip
    spec.rule("set-condition", who="Tim", condition="swallowed", data={"with": "Maw"})
    while not spec["Tim"].has("unconscious"):
        end(spec, str(turn_of(spec)))
    if how == "left":
        spec.leave("Maw")
    elif how == "retrieved":
        spec.rule("retrieve", who="Tim")
    else:
        spec.rule("end-condition", who="Tim", condition="swallowed")
    spec.answer("Tim", "out")
    assert (spec.prompt().name, spec.prompt().default) == ("swallow-wake", "yes")
    spec.answer(None, answer)
    assert spec["Tim"].has("unconscious") is (answer == "no")
    assert spec.prompt().name != "swallow-wake"


# ---- while the prompt for the square is open


def coming_out(spec: Spec) -> Spec:
    """Let Tim leave the dead Maw, so that the prompt for his square is open."""
    swallowed(spec).rule("set-condition", who="Maw", condition="dead")
    to_turn_of(spec, "Tim")
    spec.act("Tim", "retrieve-swallowed", target="Tim")
    assert spec.prompt().name == "cut-out-square"
    return spec


@rule("DEF-SWL-08")
def test_coming_out_is_no_own_movement(spec: Spec) -> None:
    coming_out(spec).answer("Tim", "out")
    assert spec.event(Moved).forced
    assert ("ruling", "swallow-wake", None) not in spec.open()  # Tim always had air


@rule("DEF-SWL-08")
@pytest.mark.parametrize("how", ["placed", "dead", "left"])
def test_it_is_asked_only_while_it_is_nowhere(spec: Spec, how: str) -> None:
    coming_out(spec)
    if how == "placed":
        spec.rule("move", who="Tim", to=[7, 7])
    elif how == "dead":
        spec.rule("set-condition", who="Tim", condition="dead")
    else:
        spec.leave("Tim")
    assert all(name != "cut-out-square" for _, name, _ in spec.open())
    assert at(spec, "Tim") == ((7, 7) if how == "placed" else None)


@rule("DEF-SWL-08")
def test_of_several_faints_only_that_without_air_is_slept_off(spec: Spec) -> None:
    """If Tim has fainted from NLD and from lack of air, air alone does not wake him.

    He wakes when the NLD is healed.
    """
    swallowed(spec, rulings="ask")
    spec.rule("damage", who="Tim", amount=20, track="nld")
    spec.rule("set-fact", combatant="Tim", key="inside",
              value={"by": "Maw", "rounds": 3, "damage": 0})  # fmt: skip
    spec.rule("retrieve", who="Tim")
    spec.answer("Tim", "out")
    spec.answer(None, "yes", name="swallow-wake")
    assert spec["Tim"].has("unconscious")
    spec.rule("heal", who="Tim", amount=1, track="nld")
    assert not spec["Tim"].has("unconscious")


@rule("DEF-SWL-08", "DEF-RCH-03")
def test_who_retrieves_stands_beside_the_swallower(spec: Spec) -> None:
    swallowed(spec).rule("set-condition", who="Maw", condition="dead")
    to_turn_of(spec, "Bo")
    spec.rule("move", who="Bo", to=[4, 0])  # Maw ends at [2, 2]
    with spec.refused("DEF-SWL-08", "not-adjacent"):
        spec.act("Bo", "retrieve-swallowed", target="Tim")


@rule("DEF-MAN-10", "DEF-SWL-03")
@pytest.mark.parametrize("action", ["swallow-whole", "grapple"])
def test_the_helpless_choose_no_defense(spec: Spec, action: str) -> None:
    jaws(spec).rule("set-condition", who="Tim", condition="helpless")
    spec.act("Maw", action, *([("touch", 15)] if action == "grapple" else []), target="Tim")
    assert spec["Tim"].has("swallowed", "grappled")


@rule("DEF-MAN-10", "DEF-MAN-07")
def test_who_only_cannot_act_still_resists(spec: Spec) -> None:
    """Tim cannot act, but is neither unconscious nor helpless, so he still rolls to resist."""
    jaws(spec).rule("set-condition", who="Tim", condition="cannot-act")
    spec.act("Maw", "swallow-whole", ("opposed-grapple", 5), ("opposed-grapple", 9), target="Tim")
    assert not spec["Tim"].has("swallowed")
