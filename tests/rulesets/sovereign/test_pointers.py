"""Test pointers of refusals that several actions share."""

from domain.engine.options import fitting
from domain.engine.refusals import refusals
from domain.rulebook.play import Play
from domain.rulesets.sovereign import RULESET
from tests.rulesets.sovereign.units import SWORD, hero, npc
from tests.rulesets.sovereign.units import fight as set_up
from tests.spec import Spec


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
