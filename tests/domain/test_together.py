"""Test events of one moment and their consequences in the toy rulebook."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from domain.engine.commands import Change
from domain.errors import Illegal, Malformed
from domain.record.combat import Combat, Id
from domain.record.events import AnyEvent, ConditionGained, Damaged, Died, Downed, Stopped
from domain.rulebook.action import Action
from domain.rulebook.effects import Pause, Procedure, roll, together, while_able
from domain.rulebook.play import Play
from domain.rulebook.prompts import NoInputs
from domain.rulebook.ruleset import Follows
from tests.domain.toy import TOY, alive
from tests.spec import Spec


def unable(combat: Combat, who: Id) -> Illegal | None:
    return None if alive(combat, who) else Illegal("TOY-09", "down", f"{who} is down")


def consequences(
    combat: Combat, cause: AnyEvent | None, before: Combat | None
) -> Iterator[Follows]:
    for combatant in combat:
        if not alive(combat, combatant.id) and not combatant.has("dazed"):
            yield ConditionGained(combatant.id, "dazed"), Downed(combatant.id), Died(combatant.id)


def melee(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
    """Let Ann and Bob strike each other at the same time."""
    pairs = (("ann", "bob"), ("bob", "ann"))
    yield from together(
        [while_able(play, actor, blow(actor, other), "blow", "results") for actor, other in pairs]
    )


def blow(who: Id, target: Id) -> Procedure[None]:
    hurt = yield from roll(who, "damage", "1d6", rules=())
    yield Pause("results")
    yield Damaged(target, "hp", hurt.total)


@pytest.fixture
def spec() -> Spec:
    fight = Action("melee", procedure=melee, interjection=True)
    rulebook = replace(
        TOY,
        actions={**TOY.actions, "melee": fight},
        unable=unable,
        consequences=consequences,
        settled=lambda combat, who: {"hp": "use the ruling set-track"},
    )
    ann, bob = ({"name": name, "side": name, "hp": 3} for name in ("ann", "bob"))
    return Spec(rulebook).given(ann, bob, declare=False).begin()


def test_what_was_rolled_together_lands_together(spec: Spec) -> None:
    spec.act("ann", "melee", ("damage", 4), ("damage", 4))
    assert [died.who for died in spec.events(Died)] == ["bob", "ann"]
    assert not spec.events(Stopped)


def test_who_falls_before_its_die_does_not_strike(spec: Spec) -> None:
    spec.act("ann", "melee", ("damage", 4))
    spec.rule("set-track", who="bob", track="hp", value=0)
    assert spec.event(Stopped).who == "bob"
    assert spec.hp("ann") == 3
    assert spec.hp("bob") == -4  # Ann had rolled already


def test_events_that_belong_together_follow_once(spec: Spec) -> None:
    spec.rule("set-track", who="bob", track="hp", value=0)
    kinds = [type(event) for event in spec.told() if type(event) in (ConditionGained, Downed, Died)]
    assert kinds == [ConditionGained, Downed, Died]


def test_what_has_had_its_effect_is_not_changed_in_vain(spec: Spec) -> None:
    with spec.raises(Malformed) as caught:
        spec.do(Change("ann", sheet={"hp": 9}))
    assert caught[0].pointer == "/sheet/hp"
    spec.do(Change("ann", sheet={"hp": 3, "skill": 2}))
