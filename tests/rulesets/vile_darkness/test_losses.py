"""Test actions whose item is lost between choice and execution.

GAP-52, GAP-53.
"""

from typing import Any

import pytest

from domain.record.events import Prevented, Rolled, Stopped
from tests.rulesets.vile_darkness.units import (
    SWORD,
    announce,
    asked,
    begin,
    engaged,
    foe,
    hero,
    power,
    reply,
    shown,
    until,
    weapon,
)
from tests.spec import Spec

LOADING = "load-light-crossbow"
CROSSBOW = weapon("crossbow", kind="missile", range_ft=100, loading=LOADING)
PIKE = weapon("pike", multipliers=[{"when": "set-for-charge", "factor": 2}])
SHOT: dict[str, Any] = {"target": "Orc", "weapon": "crossbow"}


def take_away(spec: Spec, who: str = "Ana") -> Spec:
    """Take everything from a combatant except the sword."""
    return spec.rule("set", who=who, sheet={"weapons": [SWORD], "abilities": [], "activities": []})


def not_done(spec: Spec) -> list[tuple[str, str, str]]:
    """Return combatant, action and reason of each action that was just prevented or stopped."""
    return [
        *(
            (prevented.who, prevented.action, prevented.reason)
            for prevented in spec.events(Prevented)
        ),
        *((stopped.who, stopped.doing, stopped.reason) for stopped in spec.events(Stopped)),
    ]


@pytest.mark.parametrize(
    ("action", "inputs"),
    [
        ("attack", {**SHOT, "with": [LOADING]}),
        ("delaying", {"ability": "hum"}),
        ("delaying", {"activity": "wait"}),
    ],
)
def test_what_waits_for_low(spec: Spec, action: str, inputs: dict[str, Any]) -> None:
    hum = power("hum", action_type="delaying", targets="self", range_ft=0)
    spec.given(
        hero("Ana", weapons=[SWORD, CROSSBOW], abilities=[hum],
             activities=[{"id": "wait", "kind": "delaying"}]),
        foe("Orc", abilities=[power("gaze")]),
    )  # fmt: skip
    begin(spec, 5, 2).act("Ana", action, **inputs)
    until(spec, "group/LOW/D1")
    take_away(spec)
    until(spec, "end-of-round")
    told = (recorded.event for recorded in spec.live.history.path)
    assert [event.reason for event in told if isinstance(event, Prevented)] == ["gone"]
    assert spec["Ana"].budget["major"] == 1


def test_a_list_of_step_1_and_a_complex_activity(spec: Spec) -> None:
    chores = [{"id": "wait"}, {"id": "dig", "kind": "complex"}]
    spec.given(hero("Ana", activities=chores), hero("Odo", activities=chores), foe("Orc"))
    announce(spec).act("Odo", "complex", activity="dig")
    spec.answer("Ana", "declare", activities=["wait", "close-door"])
    take_away(spec).rule("close-declare")
    assert not_done(spec) == [("Ana", "declare", "gone")]
    spec.answer("Ana", "roll", ("group-initiative", 2), faces=[5])
    take_away(spec, "Odo").rule("end-round")
    assert not_done(spec) == [("Odo", "complex", "gone")]
    assert not spec["Odo"].has("complex-activity")


def test_while_another_is_asked(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[weapon("axe")]), foe("Orc"))
    begin(spec, 3, 3).act("Ana", "attack", target="Orc", weapon="axe")
    take_away(spec).act("Orc", "pass")
    assert not_done(spec) == [("Ana", "attack", "gone")]
    assert asked(spec) == [("slot-intent", "Ana")]  # Ana may choose another action


def test_while_the_gm_rules_on_several_minors(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[SWORD, weapon("axe")]), foe("Orc"))
    tasks = {"with": ["close-door", "drop-item"]}
    begin(spec, 5, 2).act("Ana", "attack", target="Orc", weapon="axe", **tasks)
    take_away(spec)
    reply(spec, "multiple-minors", "none")
    assert not_done(spec) == [("Ana", "attack", "gone")]
    assert spec["Ana"].budget["major"] == 1


def test_while_the_gm_rules_on_restricted_quarters(spec: Spec) -> None:
    spec.given(
        hero("Ana", at=[0, 0], weapons=[SWORD, weapon("axe")]), foe("Orc", at=[5, 0]),
        restricted_quarters=True,
    )  # fmt: skip
    begin(spec, 5, 2).act("Ana", "attack", target="Orc", weapon="axe")
    take_away(spec)
    reply(spec, "restricted-quarters", "allow")
    assert not_done(spec) == [("Ana", "attack", "gone")]
    assert spec["Ana"].budget["major"] == 1


def test_while_the_first_of_equals_rolls(spec: Spec) -> None:
    """If the Orc loses its weapon as its attack begins, it still pays for the attack (GAP-52 a)."""
    spec.given(hero("Ana"), foe("Orc", weapons=[weapon("axe", speed=5)]))
    begin(spec, 3, 3).act("Ana", "attack", target="Orc")
    spec.act("Orc", "attack", target="Ana", weapon="axe")
    take_away(spec, "Orc").answer("Ana", "roll", faces=[2])
    assert not_done(spec) == [("Orc", "attack", "gone")]
    assert spec["Orc"].budget["major"] == 0


def test_while_the_gm_counts_a_spell(spec: Spec) -> None:
    hex = power("hex", action_type="immediate", counts_as_spell="ask", damage="1d4")
    spec.given(hero("Ana", abilities=[hex]), foe("Orc"))
    begin(spec, 5, 2).act("Ana", "immediate", ability="hex", target="Orc")
    take_away(spec)
    reply(spec, "counts-as-spell", "yes")
    assert not_done(spec) == [("Ana", "immediate", "gone")]


@pytest.mark.parametrize("kind", ["free-attack", "immediate-attack"])
def test_while_others_take_their_reactions(spec: Spec, kind: str) -> None:
    arms = [weapon("axe", multipliers=[{"when": "set-for-charge", "factor": 2}])]
    spec.given(hero("Ana", weapons=arms), hero("Odo", weapons=arms), foe("Orc"), foe("Rat"))
    if kind == "free-attack":
        engaged(spec, ("Ana", "Orc"), ("Odo", "Orc"))
        begin(spec, 2, 5, Orc="flee").act("Orc", "flee")
    else:
        begin(spec, 2, 5, Orc=("charge", {"target": "Ana"}), Rat=("charge", {"target": "Odo"}))
        spec.act("Orc", "charge").act("Rat", "charge")
    spec.answer("Ana", "take", name=kind, weapon="axe")
    blows = [("attack", 2), ("attack", 2)] if kind == "immediate-attack" else []
    take_away(spec).answer("Odo", "pass", *blows, name=kind)
    assert not_done(spec) == [("Ana", kind, "gone")]


def charged(spec: Spec) -> Spec:
    """Let Ana charge the orc, which may set its pike."""
    spec.given(hero("Ana", weapons=[weapon("axe")]), foe("Orc", weapons=[PIKE]), foe("Rat"))
    return begin(spec, 5, 2, Ana=("charge", {"target": "Orc", "weapon": "axe"})).act(
        "Ana", "charge"
    )


def test_while_a_weapon_is_set_against_the_charge(spec: Spec) -> None:
    charged(spec)
    take_away(spec).answer("Orc", "pass")
    assert not_done(spec) == [("Ana", "charge", "gone")]
    assert not spec.events(Rolled)


def test_who_leaves_while_it_is_charged(spec: Spec) -> None:
    charged(spec).leave("Orc")
    assert not_done(spec) == [("Ana", "charge", "gone")]
    assert spec["Ana"].budget["major"] == 0


@pytest.mark.parametrize("both", [True, False])
def test_who_leaves_while_the_gm_rules_on_another_charge(spec: Spec, both: bool) -> None:
    spec.given(hero("Ana"), hero("Odo"), foe("Orc"), foe("Rat"), foe("Imp"))
    engaged(spec, ("Odo", "Imp"), *([("Ana", "Imp")] if both else []))
    begin(spec, 5, 2, Ana=("charge", {"target": "Orc"}), Odo=("charge", {"target": "Rat"}))
    spec.act("Ana", "charge").act("Odo", "charge")
    if both:
        reply(spec, "leave-melee", "allow")
    assert asked(spec) == [("leave-melee", None)]
    spec.leave("Orc")
    reply(spec, "leave-melee", "allow", ("attack", 2))
    assert not_done(spec) == [("Ana", "charge", "gone")]
    assert spec["Ana"].budget["major"] == 1


def test_what_it_maintains_is_not_taken_away_with_another_condition(spec: Spec) -> None:
    ward = power("ward", targets="self", range_ft=0, concentration_to_maintain=True)
    begin(spec.given(hero("Ana", abilities=[ward]), foe("Orc")), 5, 2)
    spec.rule("set-concentrating", who="Ana", ability="ward")
    spec.rule("condition", target="Ana", condition="wet")
    spec.rule("condition", target="Ana", condition="wet", remove=True)
    assert shown(spec, "Ana", "concentrating_on") == "ward"


def test_whoever_is_left_is_not_listed_in_the_log(spec: Spec) -> None:
    """The reason does not list the other combatants, because the Rat is hidden."""
    spec.given(hero("Ana"), foe("Orc"), foe("Rat"), hidden=("Rat",))
    engaged(begin(spec, 3, 3), ("Ana", "Orc"))
    spec.act("Ana", "attack", target="Orc").act("Rat", "pass")
    spec.rule("leave", combatant="Orc")
    assert spec.event(Prevented).detail == "there is no combatant 'Orc' any more"
    spec.act("Ana", "pass")
