"""Test in every rulebook that nothing a reader sees depends on a hidden combatant."""

from random import Random

import pytest
from msgspec.structs import replace

from domain.engine.caller import Caller
from domain.engine.commands import Change
from domain.engine.redaction import (
    Sight,
    Telling,
    Told,
    Unspoken,
    redact,
    scrub,
    scrub_text,
    words_of,
)
from domain.record.combat import StandingOrder
from domain.rulebook.play import Play
from domain.rulebook.ruleset import Ruleset
from domain.rulesets import installed
from service.conformance.walker import Walker
from tests.client import NEEDED
from tests.domain.test_able import ANN, BOB, CYD, DAN
from tests.domain.toy import TOY
from tests.forms import forms
from tests.spec import Spec, offer
from tests.walks import FIGHTS

UNSEEN = Unspoken(frozenset({"Lurker", "Imp"}))


def test_what_names_somebody_unseen_is_left_out() -> None:
    data = {
        "by": "Lurker",
        "Imp": 3,
        "Ana>Imp": 4,
        "group": ["Ana:1", "Lurker:1", "Ana:2"],
        "foes": [{"who": "Imp", "at": 3}, {"at": 4, "who": "Ogre"}, "Ogre"],
        "text": "Lurker hits Imp, impaling an Imperial; Ana looks on",
    }
    assert scrub(data, UNSEEN) == {
        "group": ["Ana:1", "Ana:2"],
        "foes": [{"at": 4, "who": "Ogre"}, "Ogre"],
        "text": "somebody hits somebody, impaling an Imperial; Ana looks on",
    }
    assert scrub("Lurker", UNSEEN) is None
    assert scrub_text("", UNSEEN) == ""


def test_a_name_that_holds_an_unseen_one_is_said_as_it_is() -> None:
    """Affray removes the hidden `Goblin`, but leaves `Goblin-2` in texts, ids and keys."""
    spec = Spec(TOY).given(ANN, {**BOB, "name": "Goblin"}, {**BOB, "name": "Goblin"})
    words = words_of(spec.combat, frozenset({"Goblin"}))
    data = {
        "by": "Goblin-2",
        "to": "Goblin",
        "Goblin-2": 3,
        "ann>Goblin": 4,
        "ann>Goblin-2": 5,
        "asked": ["Goblin:1", "Goblin-2:1"],
        "text": "Goblin 2 and Goblin (Goblin-2 and Goblin)",
    }
    assert scrub(data, words) == {
        "by": "Goblin-2",
        "Goblin-2": 3,
        "ann>Goblin-2": 5,
        "asked": ["Goblin-2:1"],
        "text": "Goblin 2 and somebody (Goblin-2 and somebody)",
    }
    assert words.said_in("Goblin 2, come here") == frozenset()
    other = words_of(spec.combat, frozenset({"Goblin-2"}))
    assert scrub_text("Goblin 2 and Goblin", other) == "somebody and Goblin"


def test_what_several_are_told_of_somebody_is_one_object() -> None:
    """Readers who know the same about a combatant share one object for it."""
    spec = Spec(TOY).given(ANN, BOB, CYD, DAN, declare=False).begin()
    spec.orders("ann", StandingOrder("parry", "pass"))
    common: dict[Told, Telling] = {}
    watching = Sight(TOY, Caller("s", "spectator"), common)
    of_ann, of_dan, of_bob = (
        Sight(TOY, Caller(who, "player", (who,)), common) for who in ("ann", "dan", "bob")
    )
    cyd = of_ann.of(spec.combat)["cyd"]
    assert of_dan.of(spec.combat)["cyd"] is cyd
    assert watching.of(spec.combat)["cyd"] is cyd
    assert of_bob.of(spec.combat)["ann"].orders == of_dan.of(spec.combat)["ann"].orders == ()
    assert of_ann.of(spec.combat)["ann"].orders == spec["ann"].orders
    spec.do(Change("bob", hidden=True))
    assert of_dan.of(spec.combat)["cyd"] is not of_bob.of(spec.combat)["cyd"]
    for sight in (of_ann, of_dan, of_bob, watching):
        assert sight.of(spec.combat) == redact(TOY, spec.combat, sight.caller)


@pytest.mark.sampled
@pytest.mark.parametrize("ruleset", installed().values(), ids=lambda entry: str(entry.id))
@forms("seed", 0, long=[1])
def test_the_rules_run_on_what_a_reader_knows(ruleset: Ruleset, seed: int) -> None:
    """The rules raise no error on a combat from which hidden combatants are removed."""
    spec = Spec(ruleset).given(*FIGHTS[ruleset.id](), **NEEDED.get(ruleset.id, {}))
    walker = Walker(spec, Random(seed), undo=0)
    random = Random(seed)
    for step in range(60):
        if step % 20 == 0 and spec.combat.status != "ended":
            for combatant in list(spec.combat):
                spec.do(Change(combatant.id, hidden=random.random() < 0.4))
        if not walker.step():
            break
        if step % 4 == 0:
            for combatant in spec.combat:
                looked_at(spec, Caller("t", "player", (combatant.id,)))
            looked_at(spec, Caller("s", "spectator"))


def looked_at(spec: Spec, caller: Caller) -> None:
    known = redact(spec.ruleset, spec.combat, caller)
    hidden = {combatant.id for combatant in spec.combat if combatant.hidden} - set(
        caller.combatants
    )
    assert hidden.isdisjoint(known.combatants)
    told = repr(
        [replace(combatant, sheet={}) for combatant in known] + [replace(known, combatants={})]
    )
    assert not [who for who in hidden if f"'{who}'" in told]
    ruleset, play, truth = spec.ruleset, Play(spec.ruleset, known), Play(spec.ruleset, spec.combat)
    for combatant in known:
        ruleset.derived(known, combatant.id)
        ruleset.wound(known, combatant.id)
        ruleset.in_fight(known, combatant.id)
    for who in caller.combatants:
        if who not in known.combatants or known[who].left:
            continue
        for action in ruleset.actions.values():
            offer(play, who, action, None, "turn", truth)
            ruleset.off_turn(known, who, action.id)
        for id, prompt in spec.live.open_prompts().items():
            if prompt.who == who:
                assert id in known.prompts
                for option in prompt.options:
                    offer(play, who, option, id, prompt.kind, truth)
