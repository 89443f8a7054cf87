"""Test the turns of combatants that act at the same number (HE-TIE)."""

from typing import Any

import pytest

from domain.engine.caller import Caller
from domain.engine.commands import Act
from domain.engine.redaction import redact
from domain.record.combat import Combat
from domain.record.events import Damaged, Noted, Rolled, Stopped
from tests.rulesets.hallowed_earth.units import attack, begin, declare, hero, monster, weapon
from tests.spec import Spec, rule

SWORD = weapon("sword", "1d8")
ANNA = Caller("p1", "player", owner="anna")

# ---- an open die that can no longer be rolled


def at_tam(spec: Spec) -> Spec:
    """Return a fight in which Mag's Heal die is open. Tam lies next to her."""
    spec.given(
        hero("Tam", wound_points=-1, at=[1, 0]),
        hero("Mag", skills={"heal": 5}, at=[0, 0]),
        monster("Orc", at=[9, 9]),
        rulings="default",
    )
    begin(spec, 9, 1, 12, Tam="no-action", Mag="stabilize", Orc="no-action")
    spec.act("Mag", "stabilize", target="Tam")
    assert spec.open() == [("roll", "heal", "Mag")]
    return spec


@rule("HE-STAB-10")
def test_whoever_is_taken_away_is_not_stabilized(spec: Spec) -> None:
    at_tam(spec).rule("move", combatant="Tam", to=[5, 0])
    assert spec.event(Stopped).reason == "out-of-reach"
    assert spec.events(Rolled) == []
    assert spec["Mag"].budget["standard"] == 0
    assert spec.open() == [("turn", "turn", "Mag")]


@rule("HE-STAB-04")
def test_whoever_is_well_again_is_not_stabilized(spec: Spec) -> None:
    at_tam(spec).rule("heal", who="Tam", wound_points=5)
    assert spec.event(Stopped).reason == "not-down"
    assert spec.open() == [("turn", "turn", "Mag")]


@rule("HE-ATK-07", "HE-MAG-01")
def test_a_spell_that_carries_no_further_rolls_nothing(spec: Spec) -> None:
    rot = {"id": "rot", "speed": 0, "range_ft": 30, "damage": {"formula": "1d6", "types": ["cold"]}}
    spec.given(hero("Mag", spells=[rot], at=[0, 0]), monster("Orc", at=[3, 0]), rulings="default")
    begin(spec, 1, 12, Mag=("cast", {"spell": "rot"}), Orc="no-action")
    spec.act("Mag", "cast", target="Orc")
    assert spec.open() == [("roll", "damage", "Mag")]
    spec.rule("move", combatant="Orc", to=[7, 0])
    assert spec.event(Stopped).reason == "out-of-range"
    assert spec.hp("Orc", "wound_points") == 10


# ---- reach at one moment


@rule("HE-TIE-06", "HE-STAB-10")
def test_whoever_crawls_away_in_the_same_moment_is_reached_all_the_same(spec: Spec) -> None:
    spec.given(
        hero("Tam", wound_points=0, at=[1, 0]),
        hero("Mag", skills={"heal": 20}, at=[0, 0]),
        monster("Orc", at=[9, 9]),
        rulings="default",
    )
    begin(spec, 5, 5, 12, Tam="no-action", Mag="stabilize", Orc="no-action")
    spec.rule("set-fact", combatant="Tam", key="crawl_progress_ft", value=3)
    spec.act("Tam", "crawl", direction=[1, 0]).act("Tam", "end-turn")
    assert spec["Tam"].position == (2, 0, 0)  # 10 ft away now, 5 ft at the beginning
    spec.act("Mag", "stabilize", ("heal", 1), target="Tam")
    assert spec["Tam"].has("stabilized")


# ---- hidden combatants at the same moment


def beside_a_rat(spec: Spec, face: int) -> Spec:
    """Begin with Ana at initiative 5, an orc at 9, and a hidden rat at `face`."""
    spec.given(
        hero("Ana", owner="anna", at=[0, 0], weapons=[SWORD]),
        monster("Orc", at=[1, 0], weapons=[SWORD]),
        monster("Rat", at=[9, 9], weapons=[SWORD]),
        hidden=("Rat",),
        rulings="default",
    )
    return begin(spec, 5, 9, face, Ana=attack("sword"), Orc=attack("sword"), Rat=attack("sword"))


def known(spec: Spec) -> Combat:
    return redact(spec.ruleset, spec.combat, ANNA)


def offered(spec: Spec, option: str) -> list[Any]:
    return [
        (offer.legal, [str(refusal) for refusal in offer.refusals])
        for offer in spec.live.options("Ana", ANNA)
        if offer.option.id == option
    ]


@rule("HE-TIE-02", "HE-TIE-04")
@pytest.mark.parametrize("option", ["free-action", "attack", "move"])
def test_nobody_learns_that_the_hidden_act_at_the_same_moment(spec: Spec, option: str) -> None:
    beside_a_rat(spec, 5)
    apart = beside_a_rat(Spec(spec.ruleset), 7)
    assert known(spec).prompts == known(apart).prompts
    assert known(spec).facts == known(apart).facts
    assert offered(spec, option) == offered(apart, option)


@rule("HE-TIE-04", "HE-ACT-03")
def test_a_free_action_beside_the_hidden_is_taken_at_once(spec: Spec) -> None:
    beside_a_rat(spec, 5)
    spec.do(Act("Ana", "free-action", {"what": "shout"}), by=ANNA)
    assert spec["Ana"].budget["free"] == 0
    spec.act("Rat", "end-turn")
    spec.act("Ana", "attack", ("attack", 12), ("damage", 3), target="Orc")
    assert spec.hp("Orc", "wound_points") == 7


# ---- conditions by hand


@rule("HE-BLUNT-08")
def test_a_condition_by_hand_keeps_its_key(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[SWORD]), monster("Orc"), rulings="default")
    begin(spec, 1, 2, Ana=attack("sword"), Orc="no-action")
    spec.rule(
        "set-condition", combatant="Ana", condition="arm-cannot-attack", key="mine",
        data={"side": "off"},
    )  # fmt: skip
    (held,) = spec["Ana"].all("arm-cannot-attack")
    assert (held.key, held.data) == ("mine", {"side": "off"})
    spec.rule("end-condition", combatant="Ana", condition="arm-cannot-attack", key="mine")
    assert not spec["Ana"].has("arm-cannot-attack")


@rule("HE-FDEF-05", "HE-SURP-05")
@pytest.mark.parametrize("condition", ["full-defense", "surprised"])
def test_what_the_gm_gives_for_the_round_ends_with_it(spec: Spec, condition: str) -> None:
    spec.given(hero("Ana"), monster("Orc"), rulings="default")
    begin(spec, 1, 2, Ana="no-action", Orc="no-action")
    spec.rule("set-condition", combatant="Orc", condition=condition)
    spec.rule("next-round")
    assert not spec["Orc"].has(condition)
    declare(spec, Ana="no-action", Orc="no-action")


@rule("HE-SEQ-04")
def test_what_the_gm_settles_about_the_hidden_is_not_told(spec: Spec) -> None:
    beside_a_rat(spec, 12).rule("damage", who="Rat", amount=3)
    harm = next(recorded.version for recorded in spec.last if isinstance(recorded.event, Damaged))
    spec.rule("override", event=harm, outcome="a scratch", amount=1)
    told = next(recorded for recorded in spec.last if isinstance(recorded.event, Noted))
    assert (told.event, told.audience) == (
        Noted("a scratch", "Rat", rules=("HE-SEQ-04",)), ("Rat",),
    )  # fmt: skip


@rule("HE-REP-02")
def test_who_does_not_know_of_the_mover_makes_no_reposte(spec: Spec) -> None:
    beside_a_rat(spec, 1)
    spec.rule("move", combatant="Rat", to=[2, 0])
    spec.act("Rat", "move", path=[[1, 1]])  # into the threat ranges of Ana and of its ally Orc
    assert spec["Rat"].position == (1, 1, 0)
    assert spec.open() == [("turn", "turn", "Rat")]
