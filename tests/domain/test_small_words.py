"""Test small functions that every rulebook uses, for instance for sheets, ids and facts."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Annotated, Any

import msgspec
import pytest
from msgspec import Meta, Struct

from domain.errors import Illegal, Malformed, Unfitting
from domain.record.combat import Combat, Combatant, Condition, Id, Track, Until
from domain.record.events import AnyEvent, ConditionLost, FactSet, Noted, Prevented, Stopped
from domain.rulebook.action import Action
from domain.rulebook.catalogue import Catalogue, Question
from domain.rulebook.durations import expire
from domain.rulebook.effects import (
    CHAIN,
    NESTING_LIMIT,
    Ask,
    Procedure,
    Stop,
    ask_any,
    ask_each,
    interrupt,
    lastly,
    stopped_by,
    while_able,
)
from domain.rulebook.ending import ENDING, Ending, ended
from domain.rulebook.facts import combat_fact, fact
from domain.rulebook.input_reader import fields_at
from domain.rulebook.play import Play
from domain.rulebook.pools import corrected
from domain.rulebook.prompts import Answer, NoInputs, Option, Prompt, choices
from domain.rulebook.reactions import window
from domain.rulebook.ruleset import identifier, square
from domain.rulebook.sheets import above_maximum, no_formula, no_square, twins, unused
from tests.domain.test_able import ANN, BOB
from tests.domain.toy import TOY, ToySheet
from tests.spec import Spec

# ---- sheets


class Thing(Struct, frozen=True):
    id: str


class Sheet(ToySheet, frozen=True, forbid_unknown_fields=True, kw_only=True):
    max_hp: int | None = None
    mana: int | None = None
    max_mana: int | None = None
    weapons: tuple[Thing, ...] | None = None
    spells: tuple[Thing, ...] = ()


def sheet(**fields: Any) -> Sheet:
    return Sheet(name="ann", side="us", **fields)


def pointers(faults: Iterator[Malformed]) -> list[str]:
    return [fault.pointer for fault in faults]


def test_a_formula_is_dice_or_none() -> None:
    for formula, wrong in ((None, []), ("1d6", []), ("1x6", ["/damage"]), ("", ["/damage"])):
        assert pointers(no_formula("/damage", formula)) == wrong


def test_a_pool_is_not_above_its_maximum() -> None:
    pools = ("hp", "mana")
    assert pointers(above_maximum(sheet(hp=5, max_hp=5, mana=3, max_mana=2), *pools)) == ["/mana"]
    assert pointers(above_maximum(sheet(hp=6, max_hp=5), *pools)) == ["/hp"]
    assert pointers(above_maximum(sheet(hp=6, mana=None, max_mana=2), *pools)) == []


def test_no_two_things_of_a_kind_have_one_id() -> None:
    two = (Thing("sword"), Thing("bow"))
    assert pointers(twins(sheet(weapons=two, spells=two[:1]), "weapons", "spells")) == []
    assert pointers(twins(sheet(), "weapons", "spells")) == []
    again = (*two, Thing("sword"))
    assert pointers(twins(sheet(weapons=two, spells=again), "weapons", "spells")) == ["/spells"]


def test_what_is_taken_gets_the_next_number() -> None:
    assert unused("spear", ()) == "spear"
    assert unused("spear", {"spear"}) == "spear-2"
    assert unused("spear", {"spear", "spear-2", "spear-3"}) == "spear-4"


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        (None, None),
        ((1, 2), (1, 2, 0)),
        ((1, 2, 3), (1, 2, 3)),
        ((10_000, -10_000), (10_000, -10_000, 0)),
        ((10_001, 0), "wrong"),
        ((0, 0, -10_001), "wrong"),
        ((1,), "wrong"),
        ((1, 2, 3, 4), "wrong"),
    ],
)
def test_a_square_of_a_map(at: tuple[int, ...] | None, expected: Any) -> None:
    wrong = expected == "wrong"
    assert pointers(no_square("/at", at)) == (["/at"] if wrong else [])
    if not wrong:
        assert square(at) == expected


def test_an_id_can_stand_in_an_address() -> None:
    for name, id in (
        ("Ann", "Ann"), ("  Ann of Ur ", "Ann-of-Ur"), (".-?-.", "combatant"), ("Äxl", "xl"),
        ("x" * 70, "x" * 64),
    ):  # fmt: skip
        assert identifier(name) == id


def test_a_number_stands_behind_a_long_id() -> None:
    long = "x" * 70
    spec = Spec(TOY).given(*[{**ANN, "name": long}] * 2)
    assert [combatant.id for combatant in spec.combat] == ["x" * 64, f"{'x' * 58}-2"]
    assert [combatant.name for combatant in spec.combat] == [long, f"{long} 2"]


def test_a_name_of_its_own_gets_no_number() -> None:
    """A name without Latin letters gets an id such as `combatant`. Equal names get a number."""
    spec = Spec(TOY).given(*[{**ANN, "name": name} for name in ("שרה", "דן", "Анна", "דן")])
    assert [(combatant.id, combatant.name) for combatant in spec.combat] == [
        ("combatant", "שרה"), ("combatant-2", "דן"), ("combatant-3", "Анна"),
        ("combatant-4", "דן 2"),
    ]  # fmt: skip


def test_options_of_one_label_mean_the_same_everywhere() -> None:
    def asked(name: str, **labels: str) -> Question:
        options = tuple(Option(id, label=label) for id, label in labels.items())
        return Question(name, "choice", "gm", "", (), options)

    questions = asked("one", yes="Yes", no="No", so=""), asked("two", yes="Yes", no="Never")
    labels = replace(TOY, catalogue=Catalogue(questions)).labels
    assert labels[("one", "yes")] == labels[("two", "yes")] == labels[("", "yes")] == "Yes"
    assert (labels[("one", "no")], labels[("two", "no")]) == ("No", "Never")
    assert ("", "no") not in labels
    assert ("one", "so") not in labels


class Leaf(Struct, frozen=True):
    size: int = 0


def test_fields_below_what_has_a_description() -> None:
    class Stem(Struct, frozen=True):
        leaves: Annotated[tuple[Leaf, ...], Meta(description="some")] = ()

    assert fields_at(Stem, ".leaves[0]") == ("size",)
    assert fields_at(Annotated[Stem, Meta(description="a stem")], ".leaves[0]") == ("size",)


def test_a_newcomer_has_a_name_and_an_id_that_nobody_has() -> None:
    combat = Spec(TOY).given({**ANN, "name": "bob"}, {**BOB, "name": "ann-2"}).combat

    def joined(name: str, id: str | None = None) -> tuple[str, str]:
        event = TOY.admit(combat, {**BOB, "name": name}, id=id)
        return event.name, event.who

    assert joined("cyd") == ("cyd", "cyd")
    assert joined("bob") == ("bob 2", "bob-2")
    assert joined("bob!") == ("bob! 2", "bob-2")  # its id would be bob
    assert joined("bob!", "robert") == ("bob!", "robert")
    assert joined("bob", "robert") == ("bob 2", "robert")
    with pytest.raises(Unfitting):
        joined("cyd", "bob")


# ---- moments

AIM = fact("aim", int, 0, until="turn-end", about="")
LASTING = fact("lasting", int, 0, about="")
RAIN = combat_fact("rain", bool, False, until="round-end", about="")
NIGHT = combat_fact("night", bool, False, until="round-end", about="")


def ends(*until: Until) -> Combat:
    bearer = Combatant(
        "ann", "Ann", "us", conditions=(Condition("held", "held", {}, until),),
        facts={"aim": 1, "lasting": 1},
    )  # fmt: skip
    others = {"bob": Combatant("bob", "Bob", "us", facts={"aim": 2}),
              "cyd": Combatant("cyd", "Cyd", "us")}  # fmt: skip
    return Combat(round=3, combatants={"ann": bearer, **others}, facts={"rain": True})


def expired(combat: Combat, moment: str, who: Id | None = None) -> list[AnyEvent]:
    play = Play(replace(TOY, facts=(AIM, LASTING, RAIN, NIGHT)), combat)
    return list(expire(play, moment, who, rules=("TOY-10",)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("until", "moment", "who", "is_over"),
    [
        (Until("round-end", None, 3), "round-end", None, True),
        (Until("round-end", None, 2), "round-end", None, True),
        (Until("round-end", None, 4), "round-end", None, False),
        (Until("round-end"), "round-end", None, True),
        (Until("round-end"), "turn-end", "ann", False),
        (Until("turn-end", "ann"), "turn-end", "ann", True),
        (Until("turn-end", "ann"), "turn-end", "bob", False),
        (Until("turn-end"), "turn-end", "bob", True),
    ],
)
def test_a_condition_ends_at_its_moment(
    until: Until, moment: str, who: Id | None, is_over: bool
) -> None:
    lost = [
        event for event in expired(ends(until), moment, who) if isinstance(event, ConditionLost)
    ]
    assert [
        (condition_lost.who, condition_lost.condition, condition_lost.reason)
        for condition_lost in lost
    ] == [("ann", "held", moment)] * is_over
    assert [
        event for event in expired(ends(), moment, who) if isinstance(event, ConditionLost)
    ] == []


def test_a_fact_lapses_where_something_is_remembered() -> None:
    there, rules = ends(), ("TOY-10",)
    assert list(AIM.lapse(there["bob"], rules=rules)) == [FactSet("bob", "aim", None, rules=rules)]
    assert list(AIM.lapse(there["cyd"], rules=rules)) == []


def test_facts_are_forgotten_at_their_moment() -> None:
    def forgotten(moment: str, who: Id | None = None) -> list[tuple[Id | None, str]]:
        events = expired(ends(), moment, who)
        assert all(isinstance(event, FactSet) and event.value is None for event in events)
        return [(event.who, event.key) for event in events if isinstance(event, FactSet)]

    assert forgotten("turn-end", "ann") == [("ann", "aim")]
    assert forgotten("turn-end") == [("ann", "aim"), ("bob", "aim")]
    assert forgotten("turn-end", "cyd") == []
    assert forgotten("round-end") == [(None, "rain")]  # the fact `night` was not set


def test_who_wins_is_named_or_found() -> None:
    def won(ending: Ending, *left: str) -> tuple[str, ...]:
        fact_set = ENDING.set(ending)
        return ended(Combat(facts={fact_set.key: fact_set.value}), left).winners

    assert won(Ending(), "us", "us") == ("us",)
    assert won(Ending(), "us", "foes") == won(Ending()) == ()
    assert won(Ending(("foes",)), "us") == ("foes",)
    assert won(Ending(()), "us") == ()


# ---- arguments of procedures


def prompt(who: Id) -> Prompt:
    return Prompt("choice", "speak", who, "?", choices("speak"), (), "speak")


def answered(who: Id | None, option: str, inputs: Any) -> Answer:
    return Answer(who, option, inputs, rank=0, by_gm=False)


def result(procedure: Procedure[Any], answers: Any) -> Any:
    """Return the result of a procedure after the answers to its only prompt."""
    next(procedure)
    with pytest.raises(StopIteration) as done:
        procedure.send(answers)
    return done.value.value


@pytest.mark.parametrize("ask", [ask_any, ask_each])
def test_the_answer_that_was_given_is_told(ask: Callable[..., Procedure[Answer]]) -> None:
    given = answered("bob", "speak", None)
    assert result(ask([prompt("ann"), prompt("bob")]), (None, given)) is given
    assert result(ask([prompt("ann"), prompt("bob")]), (given, None)) is given


def play() -> Play:
    return Play(TOY, Spec(TOY).given(ANN, BOB, declare=False).begin().combat)


def test_past_so_many_interrupts_the_gm_is_asked() -> None:
    def deed() -> Procedure[str]:
        yield Noted("done")
        return "done"

    for depth, option, told in (
        (NESTING_LIMIT - 1, None, "done"),
        (NESTING_LIMIT, "go-on", "done"),
        (NESTING_LIMIT, "stop", "otherwise"),
    ):
        inside = play()
        inside.depth = depth
        chain = interrupt(inside, deed, otherwise="otherwise")
        first = next(chain)
        assert inside.depth == depth + 1
        if option is not None:
            assert isinstance(first, Ask)
            assert first.prompts == (CHAIN,)
            answers = (answered(None, option, None),)
            if option == "stop":
                with pytest.raises(StopIteration) as done:
                    chain.send(answers)
                assert done.value.value == told
                assert inside.depth == depth
                continue
            first = chain.send(answers)
        assert first == Noted("done")
        with pytest.raises(StopIteration) as done:
            next(chain)
        assert done.value.value == told
        assert inside.depth == depth


def reaction(id: str, refusal: Illegal | None = None) -> Action:
    """Return an action that adds a note, or that the rules refuse with `refusal`."""
    refusals = () if refusal is None else (refusal,)

    def told(play: Play, who: Id, inputs: Any) -> Procedure[None]:
        yield Noted(id, who)

    return Action(id, refusals=lambda *_: iter(refusals), procedure=told)


def asked(*who: Id, refused: Id = "") -> list[Prompt]:
    wrong = Illegal("TOY-05", "no-reaction", "it has reacted")
    return [
        replace(prompt(name), options=(reaction("react", wrong if name == refused else None),))
        for name in who
    ]


def test_what_was_carried_out_of_a_window_is_told() -> None:
    inside = play()
    run = window(inside, asked("ann", "bob", refused="ann"))
    assert isinstance(next(run), Ask)
    given = (answered("ann", "react", NoInputs()), answered("bob", "react", NoInputs()))
    refused = run.send(given)
    assert isinstance(refused, Prevented)
    assert (refused.who, refused.reason) == ("ann", "no-reaction")
    assert next(run) == Noted("react", "bob")
    next(run)
    with pytest.raises(StopIteration) as done:
        next(run)
    assert done.value.value == (given[1],)


def test_a_window_inside_too_many_interrupts_is_carried_out_by_nobody() -> None:
    inside = play()
    inside.depth = NESTING_LIMIT
    run = window(inside, asked("bob"))
    next(run)
    run.send((answered("bob", "react", NoInputs()),))
    run.send((answered(None, "stop", NoInputs()),))
    with pytest.raises(StopIteration) as done:
        next(run)
    assert done.value.value == ()


def test_whoever_is_felled_in_a_window_does_nothing_more() -> None:
    inside = play()

    def deed() -> Procedure[None]:
        yield from window(inside, asked("bob"))
        yield Noted("goes on", "ann")

    run = while_able(inside, "ann", deed(), "go")
    next(run)
    assert run.send((answered("bob", "react", NoInputs()),)) == Noted("react", "bob")
    ann = msgspec.structs.replace(inside.combat["ann"], left=True)
    gone = {**inside.combat.combatants, "ann": ann}
    inside.combat = msgspec.structs.replace(inside.combat, combatants=gone)
    stopped = next(run)
    assert isinstance(stopped, Stopped)
    assert (stopped.who, stopped.reason) == ("ann", "gone")


def anybody_may(combat: Combat) -> Play:
    """Return a `Play` of a rulebook in which every combatant may act."""
    return Play(replace(TOY, unable=lambda *_: None), combat)


def test_nobody_goes_on_who_has_left_or_in_a_combat_that_is_over() -> None:
    spec = Spec(TOY).given(ANN, BOB, declare=False).begin()
    assert anybody_may(spec.combat).unable("ann") is None
    ended = anybody_may(msgspec.structs.replace(spec.combat, status="ended")).unable("ann")
    assert ended is not None
    assert ended.code == "combat-over"
    spec.leave("bob")
    for who, at in (("bob", None), ("ann", "bob")):
        gone = anybody_may(spec.combat).unable(who, at)
        assert gone is not None
        assert (gone.code, gone.detail) == ("gone", "bob has left the combat")


@pytest.mark.parametrize("maximum", [None, 10, 12])
def test_what_the_gm_does_not_say_of_a_pool_stays(maximum: int | None) -> None:
    full = msgspec.structs.replace(play().combat["ann"], tracks={"hp": Track(10, 10)})
    assert corrected(full, "hp", None, maximum).value is None
    assert corrected(full, "hp", None, 9).value == 9


def stopping(table: Play, reasons: list[Illegal]) -> Procedure[Any]:
    """Return a procedure in which Ann waits, then puts down her shield.

    A reason in `reasons` stops her wait. She puts down the shield in both cases.
    """

    def doing() -> Procedure[None]:
        yield from ask_any([prompt("ann")])

    last = lastly(doing(), lambda: [Noted("the shield is down")])
    return stopped_by(table, "ann", last, "wait", lambda: reasons[-1] if reasons else None)


def stop(table: Play, reasons: list[Illegal]) -> None:
    """Give Ann a reason to stop."""
    reasons.append(Illegal("TOY-09", "down", "ann is down"))
    table.combat = msgspec.structs.replace(table.combat)


def test_what_was_promised_is_done_when_somebody_is_stopped() -> None:
    table, reasons = play(), list[Illegal]()
    run = stopping(table, reasons)
    assert isinstance(next(run), Ask)
    stop(table, reasons)
    stopped = run.send(())
    assert stopped == Stopped("ann", "wait", "down", "ann is down", rules=("TOY-09",))
    assert next(run) == Noted("the shield is down")
    with pytest.raises(StopIteration) as done:
        next(run)
    assert done.value.value is None


def test_a_reason_that_is_no_rule_names_none() -> None:
    run = stopping(play(), [Illegal("", "gone", "ann has left")])
    stopped = next(run)
    assert isinstance(stopped, Stopped)
    assert stopped.rules == ()


@pytest.mark.parametrize("while_asked", [True, False])
def test_and_when_that_of_which_it_is_a_part_is_stopped_first(while_asked: bool) -> None:
    table, reasons = play(), list[Illegal]()
    run = stopping(table, reasons)
    next(run)
    if not while_asked:
        stop(table, reasons)
        run.send(())
    assert run.throw(Stop()) == Noted("the shield is down")
    with pytest.raises(Stop):
        next(run)


# ---- omitted fields of stored events


@pytest.mark.parametrize(
    ("stored", "field", "value"),
    [
        ({"type": "combatant-joined", "who": "a", "name": "A", "side": "us", "sheet": {},
          "tracks": {}}, "hidden", False),
        ({"type": "initiative-set", "order": []}, "lasting", False),
        ({"type": "prompted", "prompt": "a:1", "kind": "turn", "name": "turn", "who": "a",
          "text": "", "options": []}, "sealed", False),
        ({"type": "rolled", "who": "a", "purpose": "x", "formula": "1d6", "faces": [1],
          "total": 1}, "ordinal", 0),
        ({"type": "rolled", "who": "a", "purpose": "x", "formula": "1d6", "faces": [1],
          "total": 1}, "secret", False),
        ({"type": "moved", "who": "a", "path": []}, "forced", False),
        ({"type": "noted", "text": "x"}, "private", False),
    ],
)  # fmt: skip
def test_what_is_not_stored_is_so(stored: dict[str, Any], field: str, value: Any) -> None:
    event = msgspec.convert(stored, AnyEvent)
    stored_value = getattr(event, field)
    assert (stored_value, type(stored_value)) == (value, type(value))
