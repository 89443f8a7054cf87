"""Test shatter, its damage to items, and the GM's decisions (DEF-SHT)."""

import pytest

from domain.record.events import EffectResolved
from tests.rulesets.definitions.units import (
    DAGGER,
    SWORD,
    end,
    fight,
    fighter,
    foe,
    hold,
)
from tests.spec import Spec, rule

WON = (("opposed-attack", 15), ("opposed-attack", 5))


@rule("DEF-SHT-03", "DEF-STN-02")
def test_defensive_fighting_hampers_the_attempt(spec: Spec) -> None:
    fight(spec, fighter("Ana", weapons=[SWORD]), foe("Orc", weapons=[SWORD]))
    spec.act("Ana", "shatter", ("opposed-attack", 10), ("opposed-attack", 9), target="Orc",
             stance="defensive")  # fmt: skip
    assert spec.rolled("opposed-attack", "Ana").total == 6  # 10 − 4
    assert spec.rolled("opposed-attack", "Orc").total == 9


@rule("DEF-SHT-03", "DEF-STN-02")
def test_whoever_resists_does_not_attack(spec: Spec) -> None:
    """Orc's stance changes its attack rolls, but not its roll to resist a shatter."""
    fight(
        spec, fighter("Ana", weapons=[SWORD]),
        foe("Orc", weapons=[SWORD], base_attack_bonus=6), foe("Gob", at=[9, 9]),
    )  # fmt: skip
    hold(spec, "Ana", "shatter", {"event": "speaks"}, target="Orc")
    end(spec, "Ana")
    spec.act("Orc", "attack", ("attack", 1), target="Ana", stance="defensive")
    spec.act("Orc", "speak", text="ho")
    spec.answer("Ana", "resolve", ("opposed-attack", 1), ("opposed-attack", 3))
    assert spec.rolled("opposed-attack", "Orc").total == 9  # 3 + 6


@rule("DEF-SHT-04", "DEF-DMG-06")
def test_a_blow_deals_a_thing_at_least_1(spec: Spec) -> None:
    frail = {**SWORD, "item_hp": 5}
    fight(
        spec, fighter("Ana", weapons=[DAGGER], abilities={"strength": 4}),
        foe("Orc", weapons=[frail]),
    )  # fmt: skip
    spec.act("Ana", "shatter", ("opposed-attack", 19), ("opposed-attack", 5), ("damage", 1),
             target="Orc")  # fmt: skip
    assert spec["Orc"].facts["wear"] == {"sword": 4}  # 1 − 3: at least 1


@rule("DEF-SHT-04")
@pytest.mark.parametrize("option", ["intact", "damaged"])
def test_what_the_gm_says_of_it_is_told(spec: Spec, option: str) -> None:
    fight(spec, fighter("Ana", weapons=[SWORD]), foe("Orc", weapons=[SWORD]), rulings="ask")
    spec.act("Ana", "shatter", *WON, ("damage", 6), target="Orc")
    spec.answer(None, option)
    event = spec.event(EffectResolved)
    assert (event.who, event.kind, event.effect, event.by) == ("Orc", "item", "sword", "Ana")
    assert event.result == option
