"""Test abilities in D1, before it, and at any moment (VD-GRP-02, VD-IMM)."""

from typing import Any

import pytest

from domain.record.events import Rolled
from tests.rulesets.vile_darkness.units import announce, asked, begin, close, foe, hero, power
from tests.spec import Spec

GAZE = power("gaze")
OMEN = power("omen", timing="go_first", damage="1d4")
RARE = power("rare", timing="go_first", declared=True, targets="self", range_ft=0)
SHOUT = power("shout", action_type="immediate")
NOD = power("nod", segments="*", targets="self", range_ft=0)
WINK = power("wink", segments="*", targets="self", range_ft=0)
HUM = power("hum", targets="self", range_ft=0)
BLAST = power("blast", action_type="major", damage="1d4")


def test_a_minor_ability_slows_a_major_one(spec: Spec) -> None:
    """Ana's hum delays her blast. The Orc's nod takes no time (VD-INIT-06, VD-MIN-05)."""
    spec.given(
        hero("Ana", weapons=[], abilities=[HUM, BLAST]),
        foe("Orc", weapons=[], abilities=[NOD, BLAST]),
    )  # fmt: skip
    begin(spec, 3, 3).act("Ana", "innate", ability="hum").act("Orc", "innate", ability="nod")
    spec.act("Ana", "innate", ability="blast", target="Orc")
    spec.act("Orc", "innate", ("damage", 1), ("damage", 2), ability="blast", target="Ana")
    assert [rolled.who for rolled in spec.events(Rolled)] == ["Orc", "Ana"]


def test_what_takes_no_time_is_no_second_minor_action(spec: Spec) -> None:
    """An action without time is not a second minor action (GAP-61)."""
    spec.given(hero("Ana", weapons=[], abilities=[NOD, WINK]), foe("Orc"))
    begin(spec, 5, 2).act("Ana", "innate", ability="nod").act("Ana", "innate", ability="wink")
    assert asked(spec) == [("slot-intent", "Ana")]


def first(spec: Spec, target: Any = "Orc") -> Spec:
    """Let Ana declare an omen, whose prompt is open. The rat is far away."""
    spec.given(hero("Ana", at=[0, 0], weapons=[], abilities=[GAZE, OMEN, RARE]),
               foe("Orc", at=[1, 0]), foe("Rat", at=[90, 0]))  # fmt: skip
    announce(spec).act("Ana", "go-first", ability="omen", target=target)
    return close(spec, 5, 2)


@pytest.mark.parametrize(
    ("inputs", "rule", "code"),
    [
        ({"ability": "gaze", "target": "Orc"}, "VD-ABIL-05", "wrong-kind"),
        ({"ability": "rare"}, "VD-DECL-02", "not-declared"),
        ({"ability": "omen", "target": "Rat"}, "VD-GRID-06", "out-of-range"),
    ],
)
def test_what_does_not_go_first(spec: Spec, inputs: dict[str, Any], rule: str, code: str) -> None:
    with first(spec).refused(rule, code):
        spec.act("Ana", "go-first", **inputs)


@pytest.mark.parametrize("target", ["Orc", {"combatant": "Orc"}])
def test_what_was_declared_is_the_default(spec: Spec, target: Any) -> None:
    first(spec, target).act("Ana", "go-first", ("damage", 3))
    assert spec.hp("Orc") == 17


def test_an_immediate_ability_is_used_in_a_round_by_who_can_act(spec: Spec) -> None:
    spec.given(hero("Ana", abilities=[SHOUT]), foe("Orc")).begin()
    with spec.refused("VD-SEQ-03", "wrong-phase"):
        spec.act("Ana", "immediate", ability="shout", target="Orc")
    spec.answer(None, "set").answer(None, "set")
    spec.rule("set-track", who="Ana", value=0).answer(None, "down", name="dying")
    with spec.refused("VD-FREE-01", "cannot-act"):
        spec.act("Ana", "immediate", ability="shout", target="Orc")
