"""Tests of the rules with fixed dice. Every expected number is calculated from the SRD."""

from typing import Any

import pytest
from srd_slice import RULESET

from domain.record.events import CombatEnded, Damaged, Died, Healed, Stopped
from service.conformance.spec import Spec

rule = pytest.mark.rule

SWORD = {"id": "sword", "name": "sword", "to_hit": 5, "damage": "1d8+3"}
BOW = {"id": "bow", "name": "bow", "to_hit": 4, "damage": "1d6+2", "range_ft": 80, "long_ft": 320}


def creature(name: str, at: list[int], side: str = "heroes", **fields: Any) -> dict[str, Any]:
    return {"name": name, "side": side, "at": at, "max_hp": 10, "weapons": [SWORD], **fields}


def foe(name: str, at: list[int], **fields: Any) -> dict[str, Any]:
    return creature(name, at, "foes", ac=15, **fields)


MAGE: dict[str, Any] = {
    "spells": ["magic-missile", "healing-word", "hold-person"], "spell_mod": 3, "spell_dc": 13,
    "slots_1": 2, "slots_2": 2,
}  # fmt: skip


@pytest.fixture
def spec() -> Spec:
    return Spec(RULESET)


def begun(spec: Spec, *sheets: dict[str, Any]) -> Spec:
    """Begin a combat in which these combatants act in the order of the arguments."""
    order = [("initiative", 20 - number) for number, _ in enumerate(sheets)]
    return spec.given(*sheets).begin(*order)


def attacks(spec: Spec, who: str, target: str, *dice: Any, weapon: str = "sword") -> Spec:
    return spec.act(who, "attack", *dice, target=target, weapon=weapon)


@rule("SRD-INI-01", "SRD-INI-02")
def test_the_highest_acts_first_and_dexterity_breaks_ties(spec: Spec) -> None:
    slow, quick = creature("Slow", [0, 0], dex=1), foe("Quick", [1, 0], dex=3)
    spec.given(slow, quick, foe("Last", [5, 5]))
    spec.begin(("initiative", 12), ("initiative", 10), ("initiative", 12))  # 13, 13 and 12
    assert [place.who for place in spec.combat.queue] == ["Quick", "Slow", "Last"]


@rule("SRD-ATK-01")
@pytest.mark.parametrize(("face", "hp"), [(10, 3), (9, 10)])  # 10 + 5 = 15 hits AC 15
def test_an_attack_reaches_the_armor_class(spec: Spec, face: int, hp: int) -> None:
    dice = [("attack", face), *([("damage", 4)] if hp == 3 else [])]
    attacks(begun(spec, creature("Ana", [0, 0]), foe("Orc", [1, 0])), "Ana", "Orc", *dice)
    assert spec.hp("Orc") == hp  # 10 − (4 + 3)


@rule("SRD-ATK-02", "SRD-CRT-01")
def test_a_natural_20_hits_and_doubles_the_dice(spec: Spec) -> None:
    begun(spec, creature("Ana", [0, 0]), foe("Orc", [1, 0], max_hp=40) | {"ac": 40})
    attacks(spec, "Ana", "Orc", ("attack", 20), ("damage", 4, 5))
    assert spec.rolled("damage").formula == "2d8+3"
    assert spec.hp("Orc") == 28  # 40 − (4 + 5 + 3)


@rule("SRD-ATK-02")
def test_a_natural_1_misses(spec: Spec) -> None:
    begun(spec, creature("Ana", [0, 0]), foe("Orc", [1, 0]) | {"ac": 5})
    attacks(spec, "Ana", "Orc", ("attack", 1))
    assert spec.rolled("attack").outcome == "miss"


@rule("SRD-TRN-02")
def test_one_action_a_turn(spec: Spec) -> None:
    begun(spec, creature("Ana", [0, 0]), foe("Orc", [1, 0])).act("Ana", "dodge")
    with spec.refused("SRD-TRN-02", "no-action"):
        attacks(spec, "Ana", "Orc")


@rule("SRD-ATK-03", "SRD-RNG-01")
@pytest.mark.parametrize(
    ("weapon", "rule", "x"),
    [("sword", "SRD-ATK-03", 2), ("bow", "SRD-RNG-01", 65)],  # 10 ft and 325 ft
)
def test_a_weapon_has_an_end(spec: Spec, weapon: str, rule: str, x: int) -> None:
    begun(spec, creature("Ana", [0, 0], weapons=[SWORD, BOW]), foe("Orc", [x, 0]))
    with spec.refused(rule, "out-of-reach"):  # reach 5 ft, range 320 ft
        attacks(spec, "Ana", "Orc", weapon=weapon)


@rule("SRD-ADV-01", "SRD-RNG-01", "SRD-RNG-02")
@pytest.mark.parametrize("x", [1, 17])  # 5 ft; 85 ft, with a normal range of 80 ft
def test_a_bow_shoots_badly_beside_an_enemy_and_from_afar(spec: Spec, x: int) -> None:
    begun(spec, creature("Ana", [0, 0], weapons=[BOW]), foe("Orc", [x, 0]))
    attacks(spec, "Ana", "Orc", ("attack", 18, 10), weapon="bow")
    rolled = spec.rolled("attack")
    assert (rolled.formula, rolled.total, rolled.outcome) == ("2d20kl+4", 14, "miss")


@rule("SRD-DOD-01", "SRD-ADV-01")
def test_a_dodger_is_hard_to_hit_until_its_next_turn(spec: Spec) -> None:
    begun(spec, creature("Ana", [0, 0], ac=10), foe("Orc", [1, 0])).act("Ana", "dodge")
    spec.answer("Ana", "end-turn")
    attacks(spec, "Orc", "Ana", ("attack", 19, 4))
    assert spec.rolled("attack").outcome == "miss"  # 4 + 5 = 9
    spec.answer("Orc", "end-turn")
    assert not spec["Ana"].has("dodging")


@rule("SRD-ADV-02", "SRD-CND-02", "SRD-CND-03")
def test_advantage_and_disadvantage_cancel_each_other(spec: Spec) -> None:
    begun(spec, creature("Ana", [0, 0], weapons=[SWORD, BOW]), foe("Orc", [1, 0], max_hp=40))
    spec.rule("set-condition", who="Orc", condition="paralyzed")
    attacks(spec, "Ana", "Orc", ("attack", 12, 3), ("damage", 2, 2))  # with advantage: 12 + 5 = 17
    rolled = spec.rolled("attack")
    assert (rolled.formula, rolled.outcome) == ("2d20kh+5", "critical")  # from 5 ft


@rule("SRD-ADV-02")
def test_a_bow_beside_an_able_enemy_at_a_helpless_one_rolls_one_die(spec: Spec) -> None:
    ana = creature("Ana", [0, 0], weapons=[BOW])
    begun(spec, ana, foe("Orc", [3, 0], max_hp=40), foe("Imp", [0, 1]))
    spec.rule("set-condition", who="Orc", condition="paralyzed")
    attacks(spec, "Ana", "Orc", ("attack", 12), ("damage", 2), weapon="bow")
    rolled = spec.rolled("attack")
    assert (rolled.formula, rolled.outcome) == ("1d20+4", "hit")  # critical only from 5 ft


@rule("SRD-MOV-01", "SRD-DSH-01")
def test_a_turn_has_its_speed_and_a_dash_doubles_it(spec: Spec) -> None:
    begun(spec, creature("Ana", [0, 0]), foe("Orc", [0, 9]))
    seven = [[x, 0] for x in range(1, 8)]
    with spec.refused("SRD-MOV-01", "too-far"):  # 35 ft with a speed of 30 ft
        spec.act("Ana", "move", path=seven)
    spec.act("Ana", "dash").act("Ana", "move", path=seven)
    assert spec["Ana"].position == (7, 0, 0)
    assert spec["Ana"].budget["ft"] == 25  # 30 + 30 − 35


@rule("SRD-MOV-02")
def test_enemies_bar_the_way_and_friends_its_end(spec: Spec) -> None:
    begun(spec, creature("Ana", [0, 0]), creature("Bo", [1, 0]), foe("Orc", [0, 1], weapons=[]))
    for path in ([[1, 0]], [[0, 1]], [[0, 1], [0, 2]]):
        with spec.refused("SRD-MOV-02", "occupied"):
            spec.act("Ana", "move", path=path)
    spec.act("Ana", "move", path=[[1, 0], [2, 0]])
    assert spec["Ana"].position == (2, 0, 0)


@rule("SRD-MOV-02")
def test_somebody_hidden_stops_a_move_that_is_paid(spec: Spec) -> None:
    spec.given(creature("Ana", [0, 0]), foe("Orc", [9, 9]), foe("Sly", [2, 0]), hidden=("Sly",))
    spec.begin(("initiative", 20), ("initiative", 2), ("initiative", 1))
    offered = [offer for offer in spec.live.options("Ana") if offer.option.id == "move"]
    assert offered[0].legal
    spec.act("Ana", "move", path=[[1, 0]])
    assert (spec["Ana"].position, spec["Ana"].budget["ft"]) == ((1, 0, 0), 25)


@rule("SRD-OPP-01", "SRD-TRN-03")
def test_who_leaves_is_struck_right_before_the_step(spec: Spec) -> None:
    begun(spec, creature("Ana", [0, 0]), foe("Orc", [1, 0]))
    spec.act("Ana", "move", path=[[0, 1], [-1, 1]])  # the first step stays within reach
    assert spec["Ana"].position == (0, 1, 0)
    spec.answer("Orc", "strike", ("attack", 12), ("damage", 7), weapon="sword")  # 10 − 10
    assert spec["Ana"].has("dying")
    assert spec["Ana"].position == (0, 1, 0)
    assert spec.event(Stopped).doing == "move"
    assert spec["Orc"].budget["reaction"] == 0


@rule("SRD-TRN-03")
def test_there_is_one_reaction_until_the_own_turn(spec: Spec) -> None:
    begun(spec, creature("Ana", [0, 0]), creature("Bo", [0, 1]), foe("Orc", [1, 0]))
    spec.act("Ana", "move", path=[[-1, 0]])
    spec.answer("Orc", "strike", ("attack", 2), weapon="sword")
    spec.answer("Ana", "end-turn").act("Bo", "move", path=[[-1, 1]])
    assert spec["Bo"].position == (-1, 1, 0)  # nobody was asked
    spec.answer("Bo", "end-turn")
    assert spec["Orc"].budget["reaction"] == 1


@rule("SRD-DIS-01")
def test_who_disengages_goes_freely(spec: Spec) -> None:
    begun(spec, creature("Ana", [0, 0]), foe("Orc", [1, 0])).act("Ana", "disengage")
    spec.act("Ana", "move", path=[[-1, 0]])
    assert spec["Ana"].position == (-1, 0, 0)
    spec.answer("Ana", "end-turn")
    assert not spec["Ana"].has("disengaged")


# ---- 0 hit points


def fallen(spec: Spec, amount: int = 10, **fields: Any) -> Spec:
    """Begin a combat, and deal this damage to Ana. The order is Bo, the orc, Ana."""
    begun(spec, creature("Bo", [0, 1], **fields), foe("Orc", [1, 0]), creature("Ana", [0, 0]))
    return spec.rule("damage", who="Ana", amount=amount)


@rule("SRD-HP-01", "SRD-HP-04", "SRD-CND-01")
def test_at_0_one_is_dying(spec: Spec) -> None:
    fallen(spec, 19)  # 10 − 19 = −9; Ana dies at −10, her maximum
    assert spec.hp("Ana") == 0
    assert spec["Ana"].has("dying")
    spec.answer("Bo", "end-turn").answer("Orc", "end-turn")
    assert spec.open() == [("roll", "death-save", "Ana")]


@rule("SRD-HP-02")
def test_massive_damage_kills(spec: Spec) -> None:
    fallen(spec, 20)  # 10 − 20 = −10, the negative of her maximum
    assert spec.event(Died).who == "Ana"


@rule("SRD-HP-03")
def test_a_monster_dies_at_0(spec: Spec) -> None:
    begun(spec, creature("Ana", [0, 0]), foe("Orc", [1, 0], death_saves=False))
    attacks(spec, "Ana", "Orc", ("attack", 15), ("damage", 7))
    assert spec["Orc"].has("dead")
    assert spec.event(CombatEnded).winners == ("heroes",)


def rounds(spec: Spec, *faces: int) -> Spec:
    """Play one round for each of these death saves of Ana. Bo and the orc do nothing."""
    for face in faces:
        spec.answer("Bo", "end-turn").answer("Orc", "end-turn", ("death-save", face))
    return spec


@rule("SRD-DTH-01")
@pytest.mark.parametrize(("faces", "state"), [((10, 9, 15, 12), "stable"), ((9, 12, 2, 5), "dead")])
def test_three_saves_of_a_kind_decide(spec: Spec, faces: tuple[int, ...], state: str) -> None:
    rounds(fallen(spec), *faces)
    assert spec["Ana"].has(state)
    assert not spec["Ana"].has("dying")


@rule("SRD-DTH-02")
def test_a_1_counts_twice(spec: Spec) -> None:
    assert rounds(fallen(spec), 9, 1)["Ana"].has("dead")


@rule("SRD-DTH-02", "SRD-DTH-04")
def test_a_20_gives_a_hit_point_and_a_turn(spec: Spec) -> None:
    rounds(fallen(spec), 9, 20)
    assert spec.hp("Ana") == 1
    assert spec.open() == [("turn", "turn", "Ana")]
    assert "failures" not in spec["Ana"].facts


@rule("SRD-DTH-03", "SRD-CND-03")
def test_a_blow_from_beside_at_0_is_two_failures(spec: Spec) -> None:
    fallen(spec).answer("Bo", "end-turn")
    attacks(spec, "Orc", "Ana", ("attack", 3, 15), ("damage", 1, 1))  # critical: 5 points
    assert spec["Ana"].facts["failures"] == 2


@rule("SRD-DTH-05")
def test_first_aid_stabilizes_and_damage_undoes_it(spec: Spec) -> None:
    fallen(spec, medicine=4).act("Bo", "stabilize", ("medicine", 6), target="Ana")  # 6 + 4 = 10
    assert spec["Ana"].has("stable")
    spec.rule("damage", who="Ana", amount=1)
    assert spec["Ana"].has("dying")
    assert spec["Ana"].facts["failures"] == 1


# ---- spells


@rule("SRD-MMI-01", "SRD-SPL-01")
def test_three_darts_hit(spec: Spec) -> None:
    begun(spec, creature("Ana", [0, 0], **MAGE), foe("Orc", [5, 0]), foe("Imp", [6, 0]))
    spec.act("Ana", "magic-missile", ("damage", 4, 2), ("damage", 1), targets=["Orc", "Orc", "Imp"])
    hurt = [(event.who, event.amount) for event in spec.events(Damaged)]
    assert hurt == [("Orc", 8), ("Imp", 2)]  # 4 + 2 + 2 = 8 and 1 + 1 = 2
    assert spec.hp("Ana", "slots_1") == 1


@rule("SRD-HLW-01", "SRD-SPL-02")
def test_a_healing_word_wakes_and_leaves_the_action_for_no_spell(spec: Spec) -> None:
    fallen(spec, **MAGE).act("Bo", "healing-word", ("healing", 2), target="Ana")
    assert spec.event(Healed).amount == 5  # 2 + 3
    assert not spec["Ana"].has("dying")
    with spec.refused("SRD-SPL-02", "has-cast"):
        spec.act("Bo", "magic-missile", targets=["Orc", "Orc", "Orc"])


@rule("SRD-SPL-03")
def test_a_spell_has_a_range(spec: Spec) -> None:
    begun(spec, creature("Ana", [0, 0], **MAGE), foe("Orc", [13, 0]))
    with spec.refused("SRD-SPL-03", "out-of-range"):  # 65 ft with a range of 60 ft
        spec.act("Ana", "hold-person", target="Orc")


@rule("SRD-HLD-01", "SRD-CND-01")
def test_only_humanoids_are_held(spec: Spec) -> None:
    begun(spec, creature("Ana", [0, 0], **MAGE), foe("Ooze", [2, 0], humanoid=False))
    with spec.refused("SRD-HLD-01", "no-humanoid"):
        spec.act("Ana", "hold-person", target="Ooze")


def holding(spec: Spec) -> Spec:
    """Let Ana hold the orc, whose save of 9 + 3 = 12 misses the difficulty 13."""
    orc = foe("Orc", [5, 0], saves={"wis": 3})
    begun(spec, creature("Ana", [0, 0], max_hp=40, **MAGE), orc, foe("Imp", [1, 0]))
    spec.act("Ana", "hold-person", ("save", 9), target="Orc")
    assert spec["Orc"].has("paralyzed")
    return spec


@rule("SRD-HLD-02", "SRD-SAV-01")
def test_a_save_at_the_end_of_the_turn_frees_it(spec: Spec) -> None:
    holding(spec).answer("Ana", "end-turn", ("save", 9))
    assert spec["Orc"].has("paralyzed")
    spec.answer("Imp", "end-turn").answer("Ana", "end-turn", ("save", 10))  # 10 + 3 = 13
    assert not spec["Orc"].has("paralyzed")
    assert not spec["Ana"].has("concentrating")


@rule("SRD-CON-02")
@pytest.mark.parametrize(("amount", "face", "kept"), [(10, 10, True), (24, 11, False)])
def test_damage_may_break_concentration(spec: Spec, amount: int, face: int, kept: bool) -> None:
    holding(spec)  # the difficulty is 10, and then 24 / 2 = 12
    spec.rule("damage", ("concentration", face), who="Ana", amount=amount)
    assert spec["Ana"].has("concentrating") is kept
    assert spec["Orc"].has("paralyzed") is kept


@rule("SRD-CON-03")
def test_who_falls_concentrates_no_more(spec: Spec) -> None:
    holding(spec).rule("damage", who="Ana", amount=40)
    assert not spec["Orc"].has("paralyzed")


@rule("SRD-CON-01")
def test_a_second_spell_ends_the_first(spec: Spec) -> None:
    holding(spec).answer("Ana", "end-turn", ("save", 2)).answer("Imp", "end-turn")
    spec.act("Ana", "hold-person", ("save", 2), target="Imp")
    assert spec["Imp"].has("paralyzed")
    assert not spec["Orc"].has("paralyzed")
