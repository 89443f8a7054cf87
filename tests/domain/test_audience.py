"""Test that an event's audience depends on the state in which the event happens."""

from collections.abc import Sequence
from dataclasses import replace as replaced
from typing import Any

import pytest
from msgspec.structs import replace

from domain.engine.audience import audience_of
from domain.record.combat import Id, Place
from domain.record.events import (
    ActionDeclared,
    AnyEvent,
    CombatantChanged,
    CombatantJoined,
    Damaged,
    InitiativeSet,
    MarkerSet,
    Noted,
    PhaseBegan,
    RoundBegan,
)
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulebook.prompts import NoInputs
from tests.domain.test_able import ANN, BOB, DAN
from tests.domain.toy import TOY
from tests.spec import Spec


def fight(*hidden: str, **options: Any) -> Spec:
    return Spec(TOY).given(ANN, BOB, DAN, hidden=hidden, **options).begin()


HURT: Sequence[AnyEvent] = (Damaged("bob", "hp", 1), Noted("a sigh", "bob"))


@pytest.mark.parametrize("event", HURT, ids=lambda event: type(event).__name__)
def test_what_befalls_the_hidden_is_theirs_to_know(event: AnyEvent) -> None:
    assert audience_of(fight(declare=False).combat, event) is None
    assert audience_of(fight("bob", declare=False).combat, event) == ("bob",)


def test_what_is_about_nobody_is_for_all() -> None:
    assert audience_of(fight("bob", declare=False).combat, RoundBegan(2)) is None


@pytest.mark.parametrize(
    ("event", "audience"),
    [
        (CombatantJoined("eve", "Eve", "foes", {}, {}), None),
        (CombatantJoined("eve", "Eve", "foes", {}, {}, hidden=True), ("eve",)),
        (CombatantChanged("bob", name="Rob"), ("bob",)),
        (CombatantChanged("bob", hidden=False), None),  # it appears
        (CombatantChanged("ann", hidden=True), None),  # it vanishes
        (CombatantChanged("bob", hidden=True), ("bob",)),
        (Damaged("eve", "hp", 1), None),  # an unknown combatant
        (MarkerSet("ann", "side-1", "tired", "side"), ("ann", "dan")),
        (MarkerSet("bob", "side-1", "tired", "side"), ("bob",)),
        (MarkerSet("ann", "owner-1", "tired", "owner"), ("ann",)),
        (MarkerSet("ann", "gm-1", "tired", "gm"), ()),
        (MarkerSet("ann", "all-1", "tired", "all"), None),
    ],
)
def test_who_is_seen_by_whom_as_of_now(event: AnyEvent, audience: tuple[Id, ...] | None) -> None:
    """Only Bob's player receives events about the hidden Bob, unless they reveal him.

    The players of Ann and her friend Dan receive a marker for Ann's side.
    """
    assert audience_of(fight("bob", declare=False).combat, event) == audience


def places(*who: Id) -> tuple[Place, ...]:
    return tuple(Place(name) for name in who)


@pytest.mark.parametrize(
    ("queue", "order", "event", "audience"),
    [
        (("ann", "dan"), (), InitiativeSet(places("ann", "bob", "dan")), ("bob",)),
        (("ann", "bob", "dan"), (), InitiativeSet(places("ann", "dan")), ("bob",)),
        (("ann", "bob", "dan"), (), InitiativeSet(places("bob", "ann", "dan")), ("bob",)),
        (("ann", "dan"), (), InitiativeSet(places("dan", "bob", "ann")), None),
        (("ann", "dan"), (), InitiativeSet(places("ann", "eve", "dan")), ("eve",)),
        (("ann", "dan"), ("dan", "ann"), InitiativeSet(places("ann", "bob", "dan")), ("bob",)),
        (("ann", "dan"), ("dan", "ann"), InitiativeSet(places("ann", "bob", "dan"), True), None),
        (
            ("ann", "dan"),
            ("ann", "dan"),
            InitiativeSet(places("ann", "bob", "dan"), True),
            ("bob",),
        ),
        (("ann", "dan"), ("ann", "dan"), InitiativeSet(places("dan", "ann"), True), None),
    ],
)
def test_an_order_that_is_new_for_the_hidden_alone_is_theirs(
    queue: tuple[Id, ...],
    order: tuple[Id, ...],
    event: InitiativeSet,
    audience: tuple[Id, ...] | None,
) -> None:
    combat = fight("bob", declare=False).combat
    combat = replace(combat, queue=places(*queue), order=places(*order))
    assert audience_of(combat, event) == audience


def test_only_sealed_declarations_are_secret() -> None:
    asked = fight().combat
    assert asked.prompts["ann:1"].sealed
    declared = ActionDeclared("ann", "hold", {}, "ann:1")
    assert audience_of(asked, declared) == ("ann",)
    open_turn = fight(declare=False).combat
    assert not open_turn.prompts["ann:1"].sealed
    assert audience_of(open_turn, declared) is None
    assert audience_of(open_turn, ActionDeclared("ann", "shout", {}, "ann:99")) is None


def test_a_part_of_the_round_in_which_only_the_hidden_act_is_theirs() -> None:
    queue = (Place("bob", (1,)), Place("ann", (2,)))
    for hidden, audience in (("bob",), ("bob",)), ((), None), (("ann",), None):
        combat = replace(fight(*hidden, declare=False).combat, queue=queue)
        assert audience_of(combat, PhaseBegan("count/1")) == audience
        assert audience_of(combat, PhaseBegan("turns")) is None


def test_a_part_of_the_round_that_names_the_hidden_is_theirs() -> None:
    combat = fight("bob", declare=False).combat
    assert audience_of(combat, PhaseBegan("turn of bob")) == ("bob",)
    assert audience_of(combat, PhaseBegan("turn of ann")) is None


def test_what_the_rules_say_of_the_hidden_alone_is_theirs() -> None:
    combat = fight("bob", declare=False).combat
    for text, audience in ("bob is out of it", ("bob",)), ("ann is out of it", None):
        assert audience_of(combat, Noted(text), by_rules=True) == audience
        assert audience_of(combat, Noted(text)) is None  # the GM may write it
    assert audience_of(combat, Noted("ann meets bob", "ann"), by_rules=True) is None


def test_what_a_procedure_notes_of_the_hidden_is_recorded_as_theirs() -> None:
    """Only Bob's player receives a note about the hidden Bob, even if Ann's action records it."""

    def call(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
        yield Noted("it goes for bob")
        yield Noted("it goes for dan")

    actions = {**TOY.actions, "call": Action("call", procedure=call, interjection=True)}
    spec = Spec(replaced(TOY, actions=actions)).given(ANN, BOB, DAN, hidden=("bob",), declare=False)
    spec.begin().act("ann", "call")
    said = {
        recorded.event.text: recorded.audience
        for recorded in spec.last
        if isinstance(recorded.event, Noted)
    }
    assert said == {"it goes for bob": ("bob",), "it goes for dan": None}
