"""Test that a manual roll uses the numbers that apply when its faces arrive.

The rules are FH-ATK-04 and FH-ATK-05 for the attack, FH-DMG-02 for the damage, and FH-SPL-05 for
spells.
"""

from typing import Any

import pytest

from domain.engine.commands import Change
from domain.record.events import Damaged, Rolled
from tests.rulesets.free_hit.units import SWORD, foe, unit
from tests.spec import Spec


@pytest.fixture
def waiting(spec: Spec) -> Spec:
    """Return a fight in which Ana's attack roll is open: 1d20 + 2 against target number 13."""
    return attacks(spec)


def attacks(spec: Spec, imp: dict[str, Any] | None = None, **ana: Any) -> Spec:
    spec.given(
        unit("Ana", agility=5, **{"accuracy": 2, "weapons": [SWORD], "at": [0, 0], **ana}),
        foe("Imp", **{"agility": 3, "weapons": [SWORD], "at": [0, 1], **(imp or {})}),
        foe("Far", agility=-9, at=[99, 99]),
    )
    spec.begin().act("Ana", "attack", target="Imp")
    assert spec.shown() == ("1d20", 2, 13)  # 10 + 3
    return spec


def test_a_ruling_changes_the_target_number(waiting: Spec) -> None:
    waiting.rule("set-condition", who="Imp", condition="prone")
    assert waiting.shown() == ("1d20", 2, 8)  # 5 + 3
    waiting.reload().throw(6)
    assert (waiting.rolled("attack").target, waiting.rolled("attack").outcome) == (8, "hit")
    waiting.throw(4)


def test_a_changed_sheet_changes_both_numbers(waiting: Spec) -> None:
    waiting.do(Change("Imp", sheet={"agility": 6})).do(Change("Ana", sheet={"accuracy": 4}))
    assert waiting.shown() == ("1d20", 4, 16)
    waiting.undo()
    assert waiting.shown() == ("1d20", 2, 16)
    waiting.redo().reload().throw(11)
    made = waiting.rolled("attack")
    assert (made.total, made.target, made.outcome) == (15, 16, "miss")


def test_an_attack_of_a_feat_changes_the_accuracy(spec: Spec) -> None:
    """In its round, a disrupting wound lowers Accuracy by 4: by 1, and by 3 more.

    FH-AIM-06, FH-AIM-07.
    """
    quick = {"extra_attack": [{"id": "quick", "interrupt": True}]}
    attacks(spec, {"feats": quick})
    eyes = {"feat": "quick", "target": "Ana", "aim": "eyes"}
    spec.act("Imp", "feat-attack", ("attack", 17), ("damage", 6), **eyes)
    assert spec.shown() == ("1d20", -2, 13)
    spec.reload().throw(14)
    assert (spec.rolled("attack").total, spec.rolled("attack").outcome) == (12, "miss")


def test_facing_decides_when_the_die_falls(waiting: Spec) -> None:
    waiting.rule("set-fact", combatant="Imp", key="facing", value=[0, 1])
    assert waiting.shown() == ("1d20", 3, 13)  # + 1 from behind
    waiting.throw(10)
    assert waiting.rolled("attack").outcome == "hit"
    waiting.throw(1)


def test_the_damage_counts_with_the_sheet_of_that_moment(waiting: Spec) -> None:
    """The damage roll uses the dice, bonus and damage type of the sheet at that moment.

    The sheet changes while the roll is open.
    """
    waiting.throw(15)
    assert waiting.shown() == ("1d8", 0, None)
    fire = {**SWORD, "damage": "1d6", "damage_bonus": 2, "damage_type": "fire"}
    waiting.do(Change("Ana", sheet={"weapons": [fire], "feats": {"weapon_focus": ["sword"]}}))
    assert waiting.shown() == ("2d6", 2, None)
    waiting.do(Change("Ana", sheet={"strength": 3})).reload().throw(1, 2)
    made = waiting.rolled("damage")
    assert (made.formula, made.total) == ("2d6", 8)  # 1 + 2, + 2 + 3
    assert (waiting.event(Damaged).amount, waiting.event(Damaged).kind) == (8, "fire")


def test_a_weapon_that_is_gone_after_the_hit_deals_what_it_was(waiting: Spec) -> None:
    waiting.throw(15).do(Change("Ana", sheet={"weapons": []}))
    waiting.throw(8)
    assert waiting.event(Damaged).amount == 8


def test_whoever_is_noticed_before_the_die_falls_sneaks_no_more(spec: Spec) -> None:
    """If Ana is noticed before her attack roll, she makes no sneak attack.

    Imp is no longer flat-footed (FH-FLT-02), and she rolls no sneak damage (FH-SNK-01).
    """
    spec.given(
        unit("Ana", agility=5, weapons=[SWORD], at=[0, 0], undetected_by="all"),
        foe("Imp", agility=3, at=[0, 1]),
    )
    spec.begin().act("Ana", "attack", target="Imp")
    assert spec.shown() == ("1d20", 0, 5)
    spec.rule("end-condition", who="Ana", condition="undetected")
    assert spec.shown() == ("1d20", 0, 13)
    spec.throw(13).throw(8)
    assert not spec.events(Rolled, purpose="sneak-damage")
    assert spec.event(Damaged).amount == 8


def test_a_spell_counts_as_the_sheet_has_it_then(spec: Spec) -> None:
    bolt = {
        "id": "bolt", "name": "bolt", "attack": True, "damage": "1d6", "accuracy_bonus": 1,
        "notes": [{"id": "more", "changes": {"damage": "3d6"}}],
    }  # fmt: skip
    spec.given(
        unit("Ana", agility=5, spells=[bolt], at=[0, 0]), foe("Imp", agility=3, at=[0, 1])
    ).begin()
    spec.act("Ana", "cast", spell="bolt", targets=["Imp"], notes=["more"])
    assert spec.shown() == ("1d20", 1, 13)
    spec.do(Change("Ana", sheet={"spells": [{**bolt, "accuracy_bonus": 4}]}))
    assert spec.shown() == ("1d20", 4, 13)
    spec.throw(9)
    assert spec.shown() == ("3d6", 0, None)
    spec.throw(1, 1, 1)
    assert spec.event(Damaged).amount == 3


def test_a_spell_without_an_attack_too(spec: Spec) -> None:
    burn = {"id": "burn", "name": "burn", "damage": "1d6", "healing": None}
    spec.given(
        unit("Ana", agility=5, spells=[burn], at=[0, 0]), foe("Imp", agility=3, at=[0, 1])
    ).begin()
    spec.act("Ana", "cast", spell="burn", targets=["Imp"])
    spec.do(Change("Ana", sheet={"spells": [{**burn, "damage": "2d4+1"}]}))
    assert spec.shown() == ("2d4+1", 0, None)
    spec.throw(2, 2)
    assert spec.event(Damaged).amount == 5
