"""Pointers of refusals: each names a field of its inputs, or says that none is at fault."""

import json
from itertools import islice
from random import Random

import msgspec

from domain.engine.options import candidates, fitting
from domain.engine.refusals import refusals
from domain.rulebook.inputs import inputs_of
from domain.rulebook.play import Play
from domain.rulesets.definitions import RULESET
from service.conformance.walker import Walker
from tests.rulesets.definitions.units import BITE, SHIELD, SWORD, fight, fighter, foe
from tests.spec import Spec
from tests.walks import begin


def test_every_refusal_names_a_field_of_its_inputs_or_none() -> None:
    spec = begin("definitions", 5)
    walker = Walker(spec, Random(5), gm=0.1)
    named = 0
    for _ in range(6):
        walker.walk(4)
        play = Play(RULESET, spec.combat)
        for who in spec.combat.combatants:
            for action in RULESET.actions.values():
                fields = inputs_of(action.inputs)
                for raw in islice(candidates(play, who, action, play), 12):
                    inputs = fitting(json.loads(msgspec.json.encode(raw)), action)
                    assert inputs is not None, raw
                    for refusal in refusals(play, who, action, inputs, play):
                        assert refusal.pointer is not None, refusal
                        name = refusal.pointer.removeprefix("/inputs/")
                        assert name == "" or name in fields, (action.id, refusal.pointer)
                        named += bool(name)
    assert named > 100


def test_shared_refusals_name_the_fields_of_the_action(spec: Spec) -> None:
    ana = fighter("Ana", at=[0, 0], weapons=[SWORD], shield=SHIELD)
    fight(spec, ana, foe("Orc", at=[9, 0], weapons=[BITE]))

    def pointers(action: str, **raw: object) -> set[str | None]:
        play, option = Play(RULESET, spec.combat), RULESET.actions[action]
        inputs = fitting(raw, option)
        assert inputs is not None, raw
        return {refusal.pointer for refusal in refusals(play, "Ana", option, inputs, play)}

    assert pointers("attack", target="Orc") == {"/inputs/target"}
    assert pointers("attack", target="Orc", weapon="bow") == {"/inputs/weapon"}
    assert pointers("trip", target="Ana") == {"/inputs/target"}
    assert pointers("trip", target="Orc", pay="move") == {"/inputs/pay", "/inputs/target"}
    assert pointers("charge", target="Orc", to=[300, 0]) == {"/inputs/to"}
    assert pointers("move", path=[[3, 0]]) == {"/inputs/path"}
    assert pointers("five-foot-step", to=[3, 0]) == {"/inputs/to"}
    assert pointers("move", path=[[1, 0]], stow="bow") == {"/inputs/stow"}
    assert pointers("stow-item", item="bow") == {"/inputs/item"}
    assert pointers("cast-spell", spell="none") == {"/inputs/spell"}
    assert pointers("release-grapple") == {""}
