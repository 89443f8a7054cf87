"""Test reach, obstacles and effects of abilities (VD-LOE, VD-GRID-06, GAP-59)."""

from typing import Any

import pytest

from domain.engine.commands import Change
from domain.errors import Malformed
from domain.record.events import Damaged, Died, Prevented
from domain.rulesets.vile_darkness.abilities import where
from tests import results
from tests.rulesets.vile_darkness.units import (
    announce,
    asked,
    begin,
    close,
    declare,
    engaged,
    foe,
    hero,
    next_round,
    power,
    shown,
    spell,
    until,
)
from tests.spec import Spec


def fight(spec: Spec, *powers: dict[str, Any], **orc: Any) -> Spec:
    """Begin D1 of Ana's rank. She has these powers and no weapon."""
    spec.given(hero("Ana", weapons=[], abilities=list(powers)), foe("Orc", weapons=[], **orc))
    return begin(spec, 5, 2)


def notes(spec: Spec) -> list[str]:
    return results.notes(spec.told())


def test_no_range_is_touch(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0], abilities=[power("pat", range_ft=0)]), foe("Orc", at=[3, 0]))
    with begin(spec, 5, 2).refused("VD-GRID-06", "out-of-reach"):
        spec.act("Ana", "innate", ability="pat", target="Orc")


def test_touch_reaches_everybody_of_the_same_melee(spec: Spec) -> None:
    """A touch reaches every combatant of the same melee, whatever their squares.

    Combatants that engage the same combatant are in one melee (GAP-59).
    """
    spec.given(
        hero("Ana", at=[0, 0], abilities=[power("pat", range_ft=0)]), hero("Odo", at=[3, 1]),
        foe("Orc", at=[3, 0]), foe("Rat", at=[5, 0]),
    )  # fmt: skip
    begin(engaged(spec, ("Ana", "Orc"), ("Orc", "Odo")), 5, 2)
    with spec.refused("VD-GRID-06", "out-of-reach"):
        spec.act("Ana", "innate", ability="pat", target="Rat")
    spec.act("Ana", "innate", ability="pat", target="Odo")
    assert "pat done" in notes(spec)


@pytest.mark.parametrize(
    ("said", "end"),
    [
        ("3,4", "3,4,0"),
        ("-3, 4", "-3,4,0"),
        ("3,4,5", "3,4,5"),
        ("3", "3"),
        ("3,4,5,6", "3,4,5,6"),
        ("3,x", "3,x"),
        ("the jar, blue", "the jar, blue"),
    ],
)
def test_the_end_of_a_line(said: str, end: str) -> None:
    """`where` adds a missing height to a square, and takes any other text as a name."""
    assert where(said) == end


@pytest.mark.parametrize(
    ("action", "inputs", "pointer"),
    [
        ("innate", {"ability": "fog", "target": {"square": [1]}}, "/inputs/target/square"),
        ("target", {"square": [1]}, "/inputs/square"),
        ("move", {"path": [[1]]}, "/inputs/path"),
        ("move", {"to": [1]}, "/inputs/to"),
    ],
)
def test_a_square_has_two_numbers_or_three(
    spec: Spec, action: str, inputs: dict[str, Any], pointer: str
) -> None:
    powers = [power("fog", targets="point"), spell("mist", targets="point", damage=None)]
    spec.given(hero("Ana", at=[0, 0], weapons=[], abilities=powers), foe("Orc"))
    declare(announce(spec), **{"Ana": ("cast", {"spell": "mist"})} if action == "target" else {})
    close(spec, 5, 2)
    if action == "move":
        until(spec, "group/HIGH/D4")
    with spec.raises(Malformed) as caught:
        if action == "target":
            spec.answer("Ana", "target", name="spell-target", **inputs)
        else:
            spec.act("Ana", action, **inputs)
    assert caught[0].pointer == pointer


def test_so_has_a_square_of_the_gm(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc")).begin().answer(None, "set")
    with spec.raises(Malformed) as caught:
        spec.answer(None, "set", at={"Ana": [1]})
    assert caught[0].pointer == "/inputs/at/Ana"
    with spec.raises(Malformed) as caught:
        spec.rule("place", who="Ana", at=[1])
    assert caught[0].pointer == "/inputs/at"


@pytest.mark.parametrize("named", ["Orc", "Gash"])
def test_whoever_has_another_name_now_may_be_named_by_it(spec: Spec, named: str) -> None:
    fight(spec, power("gaze", damage="1d4"), spell("bolt")).do(Change("Orc", name="Gash"))
    spec.act("Ana", "innate", ("damage", 1), ability="gaze", target=named)
    next_round(spec, 5, 2, Ana=("cast", {"spell": "bolt"}))
    spec.answer("Ana", "target", combatant=named, name="spell-target")
    until(spec, "spells/3/HIGH").answer("Ana", "roll", faces=[2])
    assert spec.hp("Orc") == 17


def test_what_does_nothing_reaches_nobody(spec: Spec) -> None:
    fight(spec, power("fog", targets="point"))
    spec.act("Ana", "innate", ability="fog", target={"square": [1, 1]})
    assert asked(spec) == [("slot-intent", "Ana")]  # the GM gets no prompt about the fog


@pytest.mark.parametrize(("opening", "blocked"), [([2, 0.5], True), ([1, 1], False)])
def test_what_stands_before_a_thing(spec: Spec, opening: list[float], blocked: bool) -> None:
    """An ability passes an opening that is at least 1 ft wide and high (VD-LOE-02)."""
    fight(spec, power("pull", targets="object"))
    spec.rule("block-line", **{"from": "Ana", "to": "vial", "opening_ft": opening})
    spec.act("Ana", "innate", ability="pull", target={"object": "vial"})
    assert any("no-effect" in text for text in notes(spec)) is blocked


def test_damage_of_less_than_nothing_is_none(spec: Spec) -> None:
    fight(spec, power("sigh", damage="1d4-4"))
    spec.act("Ana", "innate", ("damage", 1), ability="sigh", target="Orc")
    assert spec.hp("Orc") == 20


def test_the_sum_of_what_was_halved(spec: Spec) -> None:
    gaze = power("gaze", damage="1d6", save={"category": "spells", "on_success": "half"})
    fight(spec, gaze, saves={"spells": 10})
    spec.act("Ana", "innate", ("save", 10), ("damage", 5), ability="gaze", target="Orc")
    blow = spec.event(Damaged)
    assert blow.amount == 2
    assert [(term.source, term.value) for term in blow.terms] == [("damage", 5), ("saved", -3)]


def test_an_attack_names_its_target(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 5, 2)
    with spec.raises(Malformed) as caught:
        spec.act("Ana", "attack")
    assert caught[0].pointer == "/inputs/target"


@pytest.mark.parametrize(
    ("action", "inputs"),
    [
        ("attack", {"target": ["Orc"]}),
        ("attack", {"target": "Gash"}),
        ("innate", {"ability": "gaze", "target": {"combatant": "Orc"}}),
        ("innate", {"ability": "gaze", "target": {"combatant": "Gash"}}),
    ],
)
def test_a_target_that_falls_meanwhile_however_it_was_named(
    spec: Spec, action: str, inputs: dict[str, Any]
) -> None:
    gaze = [power("gaze", damage="1d4")]
    spec.given(hero("Ana", abilities=gaze), foe("Orc"), foe("Rat", abilities=gaze))
    spec.do(Change("Orc", name="Gash"))
    begin(spec, 3, 3)
    if action == "attack":
        until(spec, "group/HIGH/D3")
    spec.act("Ana", action, **inputs)
    spec.rule("set-track", who="Orc", value=0).answer(None, "down", name="dying")
    spec.act("Rat", "pass")
    assert [(prevented.who, prevented.reason) for prevented in spec.events(Prevented)] == [
        ("Ana", "gone")
    ]


def test_who_falls_by_a_number_concentrates_no_more(spec: Spec) -> None:
    """A ruling that sets hit points ends concentration only if the combatant falls (GAP-53)."""
    ward = power("ward", targets="self", range_ft=0, concentration_to_maintain=True)
    fight(spec, ward).act("Ana", "innate", ability="ward")
    assert shown(spec, "Ana", "concentrating_on") == "ward"
    spec.rule("set-track", who="Ana", value=1)
    assert shown(spec, "Ana", "concentrating_on") == "ward"
    spec.rule("set-track", who="Ana", value=0)
    assert shown(spec, "Ana", "concentrating_on") is None


def test_who_is_up_by_the_gms_word_falls_by_damage_alone(spec: Spec) -> None:
    """After the answer `up`, damage of 0 changes nothing. Damage of 1 fells the Orc (GAP-22)."""
    fight(spec).rule("set-track", who="Orc", value=0).answer(None, "up", name="dying")
    spec.changes_nothing("damage", combatant="Orc", amount=0)
    assert not spec["Orc"].has("down")
    spec.rule("damage", target="Orc", amount=1)
    assert spec["Orc"].has("down")


def test_the_gm_is_asked_about_each_fall(spec: Spec) -> None:
    """The GM gets a new prompt about each fall after healing (GAP-22)."""
    fight(spec).rule("set-track", who="Orc", value=0).answer(None, "down", name="dying")
    assert not spec.rule("heal", target="Orc", amount=5)["Orc"].has("down")
    spec.rule("damage", target="Orc", amount=5)
    assert ("dying", None) in asked(spec)


def test_who_is_dead_dies_once(spec: Spec) -> None:
    fight(spec).rule("condition", target="Orc", condition="burning")
    spec.rule("set-track", who="Orc", value=0).answer(None, "dead", name="dying")
    assert spec.event(Died).who == "Orc"
    spec.rule("condition", target="Orc", condition="burning", remove=True)
    assert not spec.events(Died)


@pytest.mark.parametrize(("needs", "maintains"), [(True, None), (False, "ward")])
def test_an_ability_that_takes_concentration_ends_another(
    spec: Spec, needs: bool, maintains: str | None
) -> None:
    """An ability ends Ana's concentration only if it takes concentration itself (VD-CONC-07)."""
    ward = power("ward", targets="self", range_ft=0, concentration_to_maintain=True)
    fight(spec, ward, power("gaze", concentration_to_cast=needs))
    spec.rule("set-concentrating", who="Ana", ability="ward")
    spec.act("Ana", "innate", ability="gaze", target="Orc")
    assert shown(spec, "Ana", "concentrating_on") == maintains


def test_of_equals_both_fall_before_the_gm_is_asked_about_either(spec: Spec) -> None:
    spec.given(hero("Ana", max_hp=1), foe("Orc", max_hp=1))
    begin(spec, 3, 3).act("Ana", "attack", target="Orc")
    blow = (("attack", 15), ("damage", 1))
    spec.act("Orc", "attack", *blow, *blow, target="Ana")
    assert [damaged.who for damaged in spec.events(Damaged)] == ["Orc", "Ana"]
    assert [spec[who].has("down") for who in ("Ana", "Orc")] == [True, True]
    assert asked(spec) == [("dying", None)]


def test_a_spell_that_runs_on_counts_although_it_was_taken_away(spec: Spec) -> None:
    spec.given(hero("Mira", weapons=[], abilities=[spell("rite", "2 rounds")]), foe("Orc"))
    begin(spec, 5, 2, Mira=("cast", {"spell": "rite"}))
    spec.rule("set", who="Mira", sheet={"abilities": []})
    next_round(spec, 5, 2)
    assert spec["Mira"].budget["spell"] == 0


def test_the_first_steps_of_a_combat(spec: Spec) -> None:
    """Surprise and moves come before step 1 (VD-SEQ-01 to -03)."""
    spec.given(hero("Ana"), foe("Orc")).begin()
    assert (spec.combat.phase, asked(spec)) == ("surprise", [("surprise-check", None)])
    spec.answer(None, "set")
    assert (spec.combat.phase, asked(spec)) == ("positions", [("positions", None)])
    spec.answer(None, "set")
    assert (spec.combat.phase, spec.combat.round) == ("declare", 1)


# ---- proposals: the target of a spell (VD-TGT-02)


def proposed(spec: Spec, who: str) -> list[str]:
    """Return the targets of the option `target` in the order of the proposals."""
    return [
        example["combatant"]
        for offer in spec.live.options(who)
        if offer.option.id == "target"
        for example in offer.legal
    ]


def circle(spec: Spec, bolt: dict[str, Any]) -> Spec:
    """Begin with Mira, a caster, among friends and foes."""
    mira = hero("Mira", at=[0, 0], weapons=[], abilities=[bolt])
    return spec.given(mira, hero("Ana", at=[1, 0]), foe("Orc", at=[3, 0]), foe("Rat", at=[2, 0]))


def test_a_spell_that_harms_is_proposed_at_foes_first(spec: Spec) -> None:
    begin(circle(spec, spell("bolt", 3)), 5, 2, Mira=("cast", {"spell": "bolt"}))
    assert proposed(spec, "Mira")[:2] == ["Rat", "Orc"]


def test_the_declared_target_is_proposed_first(spec: Spec) -> None:
    said = {"spell": "bolt", "target": {"combatant": "Orc"}}
    begin(circle(spec, spell("bolt", 3)), 5, 2, Mira=("cast", said))
    assert proposed(spec, "Mira")[0] == "Orc"


def test_a_spell_that_helps_is_proposed_at_friends_first(spec: Spec) -> None:
    mend = spell(
        "mend", 3, damage=None, effects=[{"condition": "blessed", "modifiers": {"attack": 1}}]
    )
    begin(circle(spec, mend), 5, 2, Mira=("cast", {"spell": "mend"}))
    assert set(proposed(spec, "Mira")[:2]) == {"Mira", "Ana"}
