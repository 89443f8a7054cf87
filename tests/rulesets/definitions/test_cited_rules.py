"""Test uses, remaining budgets, and the rules that numbers cite."""

from typing import Any

import pytest

from domain.engine.commands import Change
from domain.record.events import Rolled
from tests.rulesets.definitions.units import BITE, BOW, DAGGER, SWORD, fight, fighter, foe, left
from tests.spec import Spec, rule


@rule("DEF-CNT-02")
@pytest.mark.parametrize(
    ("action", "inputs"),
    [
        ("use-ability", {"ability": "unweave"}),
        ("cast-spell", {"spell": "undo", "targets": ["Orc"]}),
        ("melee-touch", {"source": "hush", "target": "Orc"}),
    ],
)
def test_what_counters_is_no_ordinary_ability(
    spec: Spec, action: str, inputs: dict[str, Any]
) -> None:
    counters = {"counterspell": {"matches": "any"}}
    touch = {"attack": "melee-touch", "cost": "attack_action", "damage": "1d4"}
    fight(
        spec,
        fighter(
            "Ana",
            abilities_list=[
                {"id": "unweave", "name": "Unweave", **counters},
                {"id": "hush", "name": "Hush", **touch, **counters},
            ],
            spells=[{"id": "undo", "name": "Undo", "damage": "1d4", **counters}],
        ),
        foe("Orc"),
    )
    with spec.refused("DEF-CNT-02", "no-spell"):
        spec.act("Ana", action, **inputs)
    assert left(spec, "Ana")["standard"] == 1


@rule("DEF-TRN-08")
def test_fewer_attacks_than_it_has_made_leave_none(spec: Spec) -> None:
    ana = fighter("Ana", base_attack_bonus=6, weapons=[SWORD])
    fight(spec, ana, foe("Orc", max_hp=90))
    for _ in range(2):
        spec.act("Ana", "attack", ("attack", 2), target="Orc")
    spec.do(Change("Ana", sheet={"base_attack_bonus": 0}))
    assert left(spec, "Ana")["attack_actions_left"] == 0


@rule("DEF-RCH-01", "DEF-RCH-02", "DEF-AOO-02")
@pytest.mark.parametrize(("imp", "asked"), [([1, 0], False), ([1, 1], True)])
def test_nobody_threatens_its_own_square(spec: Spec, imp: list[int], asked: bool) -> None:
    """Orc, at `[1, 0]`, threatens the squares around it, but not its own square.

    If Imp draws a weapon in a threatened square, Orc gets a prompt to strike. If Imp draws it in
    Orc's square, Orc gets none.
    """
    fight(
        spec,
        fighter("Imp", size="tiny", at=imp, weapons=[BITE, DAGGER], wielded={"primary": None}),
        foe("Orc", weapons=[SWORD]),
    )
    squares = spec.ruleset.derived(spec.combat, "Orc")["threatened_squares"]
    assert ([*imp, 0] in squares) is asked
    spec.act("Imp", "draw-weapon", weapon="dagger")
    assert (("reaction", "reaction", "Orc") in spec.open()) is asked


@rule("DEF-RCH-02")
def test_the_tiny_threaten_the_square_that_they_share(spec: Spec) -> None:
    fight(spec, fighter("Ana", weapons=[BOW]), foe("Imp", size="tiny", at=[0, 0], weapons=[BITE]))
    assert [0, 0, 0] in spec.ruleset.derived(spec.combat, "Imp")["threatened_squares"]
    spec.act("Ana", "ranged-attack", target="Imp", weapon="bow")
    assert ("reaction", "reaction", "Imp") in spec.open()


@rule("DEF-SPC-02", "DEF-FEI-02", "DEF-MAN-07")
def test_each_skill_cites_why_it_is_rolled(spec: Spec) -> None:
    skills = {"acrobatics": 4, "beguile": 5, "escape_artist": 2, "discern_intent": 3}
    fight(
        spec,
        fighter("Ana", skills=skills, weapons=[SWORD]),
        foe("Orc", at=[1, 0], skills=skills),
        rulings="ask",
    )
    spec.act("Ana", "feigned-strike", target="Orc")
    spec.answer("Orc", "discern-intent", ("skill-beguile", 19), ("skill-discern_intent", 2))
    for rolled in spec.events(Rolled):
        assert [term.rule for term in rolled.terms] == ["DEF-FEI-02"]
    spec.act("Ana", "move", path=[[1, 0], [2, 0]], acrobatics=True)
    spec.answer(None, "dc", ("skill-acrobatics", 19), dc=10)
    assert [term.rule for term in spec.rolled("skill-acrobatics").terms] == ["DEF-SPC-02"]
