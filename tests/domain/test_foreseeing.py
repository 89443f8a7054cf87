"""A preview for a player ends where the rules come upon somebody whom it does not know."""

from dataclasses import replace

import pytest

from domain.engine.caller import Caller
from domain.engine.commands import Act
from domain.errors import Unknown
from domain.record.combat import Id
from domain.record.events import Noted
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulebook.prompts import NoInputs
from tests.domain.test_able import ANN, BOB, CYD
from tests.domain.toy import TOY
from tests.spec import Spec

ANNA = Caller("anna", "player", ("ann",))


def looking_for(name: str, *, plainly: bool) -> Spec:
    """Ann may look for somebody; cyd is hidden."""

    def look(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
        yield Noted("she looks")
        play.combat.combatants[name] if plainly else play.combat[name]
        yield Noted("she sees")

    action = Action("look", procedure=look, interjection=True)
    rulebook = replace(TOY, actions={**TOY.actions, "look": action})
    return Spec(rulebook).given(ANN, BOB, CYD, declare=False, hidden=("cyd",)).begin()


@pytest.mark.parametrize("plainly", [True, False])
def test_what_is_known_until_then_is_told(plainly: bool) -> None:
    spec = looking_for("cyd", plainly=plainly)
    told = spec.live.preview(Act("ann", "look"), spec.context(ANNA)).recorded
    assert [one.event.text for one in told if isinstance(one.event, Noted)] == ["she looks"]


def test_who_is_nowhere_is_a_fault_of_the_rules() -> None:
    spec = looking_for("nobody", plainly=False)
    with pytest.raises(Unknown):
        spec.live.preview(Act("ann", "look"), spec.context(ANNA))
    spec = looking_for("nobody", plainly=True)
    with pytest.raises(KeyError):
        spec.live.preview(Act("ann", "look"), spec.context(ANNA))


def test_what_cannot_begin_is_unknown() -> None:
    spec = looking_for("cyd", plainly=False)
    with pytest.raises(Unknown):
        spec.live.preview(Act("cyd", "look"), spec.context(ANNA))
