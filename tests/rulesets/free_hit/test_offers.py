"""Test offers, and attacks, spells and steps that Affray stops."""

from typing import Any

import pytest

from domain.engine.commands import Change
from domain.errors import Illegal
from domain.record.combat import Track
from domain.record.events import (
    Moved,
    Stopped,
)
from domain.rulebook.play import Play
from tests.rulesets.free_hit.units import BOW, SWORD, foe, unit, weapon
from tests.spec import Spec, rule


def examples(spec: Spec, who: str, option: str) -> list[Any]:
    """Return the examples of an option."""
    return [
        example
        for offer in spec.live.options(who)
        if offer.option.id == option
        for example in offer.legal
    ]


# ---- moving


@rule("FH-SNK-04")
def test_who_may_fail_to_notice_is_proposed(spec: Spec) -> None:
    spec.given(unit("Ana", at=[0, 0]), foe("Imp", at=[9, 0])).begin()
    spec.act("Ana", "move", path=[[0, 1]], mode="sneak")
    [unnoticed] = [
        option for option in spec.prompt(None, "detection").options if option.id == "unnoticed"
    ]
    proposed = list(unnoticed.candidates(Play(spec.ruleset, spec.combat), ""))
    assert proposed == [{"by": "all"}, {"by": ["Imp"]}]


@rule("FH-FRE-13")
def test_the_attack_of_a_feat_is_proposed_with_its_feat(spec: Spec) -> None:
    quick = {"extra_attack": [{"id": "quick", "cooldown": 1}]}
    spec.given(unit("Ana", at=[0, 0], weapons=[SWORD], feats=quick), foe("Imp", at=[1, 0])).begin()
    proposed = examples(spec, "Ana", "feat-attack")
    assert proposed
    assert {inputs["feat"] for inputs in proposed} == {"quick"}


# ---- a spell that strikes

DAZE = [{"id": "dazed", "until": None}]
RAY = {"id": "ray", "name": "ray", "attack": True, "damage": "1d6", "range": 5, "conditions": DAZE}


def cast(spec: Spec, *dice: tuple[Any, ...], at: tuple[int, int] = (5, 0)) -> Spec:
    mag = unit("Mag", at=[0, 0], spells=[RAY])
    spec.given(mag, foe("Imp", at=list(at)), foe("Orc", at=[0, 9])).begin()
    return spec.act("Mag", "cast", *dice, spell="ray", targets=["Imp"])


@rule("FH-SPL-05", "FH-ATK-09")
@pytest.mark.parametrize(
    ("dice", "dazed"),
    [
        ([("attack", 1), ("auto-fail-d4", 1)], False),
        ([("attack", 9)], False),
        ([("attack", 10), ("damage", 1)], True),
        ([("attack", 20), ("critical-d4", 4), ("critical-d6", 6)], True),
    ],
)
def test_a_spell_that_strikes_reaches_whom_it_hits(
    spec: Spec, dice: list[tuple[Any, ...]], dazed: bool
) -> None:
    assert cast(spec, *dice)["Imp"].has("dazed") is dazed


@rule("FH-ATK-07")
def test_a_spell_reaches_as_far_as_it_carries(spec: Spec) -> None:
    cast(spec).rule("move", combatant="Imp", to=[5, 5])
    assert spec.open() == [("roll", "attack", "Mag")]  # 5 spaces
    spec.rule("move", combatant="Imp", to=[6, 0])
    assert spec.event(Stopped).rules == ("FH-ATK-07",)
    assert not spec["Imp"].has("dazed")


@rule("FH-SEQ-06")
def test_a_spell_is_not_thrown_at_one_who_is_out_of_the_fight(spec: Spec) -> None:
    cast(spec).rule("set-condition", combatant="Imp", condition="gone")
    assert spec.event(Stopped).doing == "attack"
    assert spec.open() == [("turn", "turn", "Mag")]


@rule("FH-DMG-02")
def test_damage_is_not_below_0(spec: Spec) -> None:
    feather = weapon("feather", "1d4-9")
    spec.given(unit("Ana", at=[0, 0], weapons=[feather]), foe("Imp", at=[1, 0])).begin()
    spec.act("Ana", "attack", ("attack", 15), ("damage", 4), target="Imp")
    assert spec.hp("Imp") == 20


# ---- states and ends


@rule("FH-CHN-04")
def test_whoever_is_out_of_the_fight_channels_nothing(spec: Spec) -> None:
    spec.given(unit("Ana"), foe("Imp"), foe("Orc")).begin()
    spec.rule("set-condition", combatant="Imp", condition="channeling")
    spec.rule("damage", combatant="Imp", amount=20)
    assert not spec["Imp"].has("channeling")


# ---- pools

BONES = {"sheet": unit("Bones", max_hp=5), "thrall_cost": 6}
RAISE = {"id": "raise", "name": "raise", "summon": BONES}


@rule("FH-THR-05", "FH-DMG-06")
def test_what_a_thrall_holds_back_is_off_a_new_maximum_of_hit_points_alone(spec: Spec) -> None:
    nec = unit("Nec", at=[0, 0], level=2, agility=1, spells=[RAISE], max_mp=9)
    spec.given(nec, foe("Imp", at=[9, 9])).begin()
    spec.act("Nec", "cast", spell="raise", spaces=[[1, 0]])
    spec.rule("damage", combatant="Imp", amount=20).answer("Nec", "retain")
    spec.do(Change("Nec", sheet={"max_hp": 30, "max_mp": 12}))
    assert [spec["Nec"].tracks[name].maximum for name in ("hp", "mp")] == [24, 12]  # 30 − 6
    spec.do(Change("Nec", sheet={"max_hp": 5}))
    assert spec["Nec"].tracks["hp"] == Track(0, 0)
    assert spec["Nec"].has("defeated")


@rule("FH-FUM-08")
def test_the_dead_have_not_even_one_hit_point(spec: Spec) -> None:
    spec.given(unit("Ana"), foe("Imp"), foe("Orc")).begin()
    spec.rule("set-condition", combatant="Imp", condition="dead")
    with spec.raises(Illegal) as caught:
        spec.rule("set-track", combatant="Imp", track="hp", value=1)
    assert caught[0].code == "nothing-changes"
    assert spec.hp("Imp") == 0


# ---- on the way


@rule("FH-FRE-06", "FH-DSG-02")
def test_without_squares_the_gm_rules_whose_zone_is_left(spec: Spec) -> None:
    spec.given(unit("Ana"), foe("Imp", weapons=[SWORD]), foe("Elf", weapons=[BOW])).begin()
    spec.act("Ana", "move", path=[], facing=[1, 0])
    assert spec.open() == [("turn", "turn", "Ana")]  # Ana has only turned
    spec.act("Ana", "bonus-move", path=[[1, 0]])
    assert spec.open() == [("ruling", "zone", None)]  # the Elf has no legal answer
    spec.answer(None, "yes")
    assert spec.open() == [("reaction", "free-hit", "Imp")]
    spec.answer("Imp", "pass").act("Ana", "disengage", pay_with="aa")
    spec.act("Ana", "bonus-move", path=[[2, 0]])
    assert spec.open() == [("turn", "turn", "Ana")]


@rule("FH-MOV-08", "FH-AIM-04")
def test_for_a_step_that_is_not_made_nobody_strikes(spec: Spec) -> None:
    spec.given(
        unit("Ana", at=[0, 0], speed=4),
        foe("Imp", at=[-1, 0], weapons=[SWORD]),
        foe("Orc", at=[1, 1], weapons=[SWORD]),
    ).begin()
    spec.act("Ana", "move", path=[[1, 0], [2, 0], [3, 0], [4, 0]])
    spec.answer("Imp", "take", ("attack", 10), ("damage", 6), aim="legs")
    assert spec["Ana"].position == (2, 0, 0)  # 4 − 2: the third step would leave the Orc's zone
    assert spec.open() == [("turn", "turn", "Ana")]


@rule("FH-MOV-01", "FH-MOV-05")
def test_moves_on_offer_are_as_long_as_the_action(spec: Spec) -> None:
    spec.given(unit("Ana", at=[0, 0]), foe("Imp", at=[20, 0])).begin()
    longest = {
        id: max(len(example["path"]) for example in examples(spec, "Ana", id))
        for id in ("move", "bonus-move")
    }
    assert longest == {"move": 6, "bonus-move": 2}
    spec.act("Ana", "bonus-move", path=[[0, 1]])
    assert spec.event(Moved).rules == ("FH-MOV-05",)


# ---- attacks on offer, and refused

QUICK = {"extra_attack": [{"id": "quick", "cooldown": 2, "interrupt": True}]}


@rule("FH-ATK-07", "FH-ATK-08")
def test_attacks_on_offer(spec: Spec) -> None:
    arms = [SWORD, weapon("axe", "1d6"), weapon("club", "1d4", drawn=False)]
    spec.given(
        unit("Ana", at=[0, 0], weapons=arms),
        foe("Fallen", at=[0, 1], hp=0),
        unit("Bo", at=[1, 1]),
        foe("Imp", at=[1, 0]),
    ).begin()
    proposed = examples(spec, "Ana", "attack")
    assert proposed[0]["target"] != "Fallen"
    pairs = {(inputs["weapon"], inputs["target"]) for inputs in proposed}
    assert pairs >= {("sword", "Imp"), ("axe", "Imp")}
    assert "Bo" in next(
        offer.values["target"] for offer in spec.live.options("Ana") if offer.option.id == "attack"
    )
    assert pairs.isdisjoint({("axe", "Bo"), ("club", "Imp"), ("sword", "Ana")})
    assert all(inputs["from_behind"] is (inputs["aim"] == "center-mass") for inputs in proposed)


@rule("FH-INI-06", "FH-ATK-07")
def test_an_attack_before_the_battle_must_reach_too(spec: Spec) -> None:
    spec.given(unit("Ana", at=[0, 0], weapons=[SWORD]), foe("Imp", at=[5, 0]))
    with spec.refused("FH-ATK-07", "out-of-reach"):
        spec.act("Ana", "initiate", target="Imp")


@rule("FH-FRE-13", "FH-TRN-03")
def test_the_attack_of_a_feat_must_reach_and_be_able(spec: Spec) -> None:
    ana = unit("Ana", at=[0, 0], weapons=[SWORD], feats=QUICK)
    spec.given(ana, foe("Imp", at=[5, 0])).begin()
    with spec.refused("FH-ATK-07", "out-of-reach"):
        spec.act("Ana", "feat-attack", feat="quick", target="Imp")
    spec.rule("move", combatant="Imp", to=[1, 0])
    spec.rule("set-condition", combatant="Ana", condition="tied")
    with spec.refused("FH-TRN-03", "cannot-act"):
        spec.act("Ana", "feat-attack", feat="quick", target="Imp")


@rule("FH-FRE-13")
def test_the_attack_of_a_feat_that_does_not_reach_costs_nothing(spec: Spec) -> None:
    spec.given(unit("Ana", weapons=[SWORD], feats=QUICK), foe("Imp")).begin()
    spec.act("Ana", "feat-attack", feat="quick", target="Imp").answer(None, "no")
    assert "free_hits" not in spec["Ana"].facts
    assert spec.open() == [("turn", "turn", "Ana")]
