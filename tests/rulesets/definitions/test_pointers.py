"""Test pointers of refusals that several actions share."""

from domain.engine.options import fitting
from domain.engine.refusals import refusals
from domain.rulebook.play import Play
from domain.rulesets.definitions import RULESET
from tests.rulesets.definitions.units import BITE, SHIELD, SWORD, fight, fighter, foe
from tests.spec import Spec


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
