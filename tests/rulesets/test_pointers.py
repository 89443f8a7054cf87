"""Test that the pointer of a refusal names a field of its inputs."""

import json
from itertools import islice
from random import Random

import msgspec
import pytest

from domain.engine.options import candidates, fitting
from domain.engine.refusals import refusals
from domain.rulebook.inputs import inputs_of
from domain.rulebook.play import Play
from service.conformance.walker import Walker
from tests.forms import forms
from tests.walks import FIGHTS, begin


@pytest.mark.sampled
@pytest.mark.parametrize("ruleset", FIGHTS)
@forms("moments, least", (10, 40), long=[(20, 100)])
def test_every_refusal_names_a_field_of_its_inputs_or_none(
    ruleset: str, moments: int, least: int
) -> None:
    spec = begin(ruleset, 5)
    walker = Walker(spec, Random(5), gm=0.1)
    named = 0
    for _ in range(moments):
        walker.walk(4)
        play = Play(spec.ruleset, spec.combat)
        for who in spec.combat.combatants:
            for action in spec.ruleset.actions.values():
                fields = inputs_of(action.inputs)
                for raw in islice(candidates(play, who, action, play), 12):
                    inputs = fitting(json.loads(msgspec.json.encode(raw)), action)
                    assert inputs is not None, raw
                    for refusal in refusals(play, who, action, inputs, play):
                        assert refusal.pointer is not None, refusal
                        name = refusal.pointer.removeprefix("/inputs/")
                        assert name == "" or name in fields, (action.id, refusal.pointer)
                        named += bool(name)
    assert named > least
