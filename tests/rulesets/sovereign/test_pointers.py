"""Pointers of refusals: each names a field of its inputs, or says that none is at fault."""

import json
from itertools import islice
from random import Random

import msgspec

from domain.engine.options import candidates, fitting
from domain.engine.refusals import refusals
from domain.rulebook.inputs import inputs_of
from domain.rulebook.play import Play
from domain.rulesets.sovereign import RULESET
from service.conformance.walker import Walker
from tests.rulesets.sovereign.fight import MAP, fight
from tests.rulesets.sovereign.units import SWORD, hero, npc
from tests.rulesets.sovereign.units import fight as set_up
from tests.spec import Spec


def test_every_refusal_names_a_field_of_its_inputs_or_none() -> None:
    spec = Spec(RULESET).given(*fight(), map=MAP, rulings="ask")
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
    set_up(spec, hero("Ana", at=[0, 0], weapons=[SWORD]), npc("Orc", at=[9, 0]))

    def pointers(action: str, **raw: object) -> set[str | None]:
        play, option = Play(RULESET, spec.combat), RULESET.actions[action]
        inputs = fitting(raw, option)
        return {refusal.pointer for refusal in refusals(play, "Ana", option, inputs, play)}

    assert pointers("melee-attack", target="Orc") == {"/inputs/target"}
    assert pointers("melee-attack", target="Orc", weapon="bow") == {"/inputs/weapon"}
    assert pointers("charge", target="Orc", to=[300, 0]) == {"/inputs/to", "/inputs/target"}
    assert pointers("charge", target="Orc", path=[[300, 0]]) == {"/inputs/path", "/inputs/target"}
    assert pointers("execution-attack", target="Orc") == {"/inputs/target"}
    assert pointers("hold-action", pay="main") == set()
