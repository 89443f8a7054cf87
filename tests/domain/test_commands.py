"""Test who may send a command, and which prompt a declaration answers."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from msgspec import Struct

from domain.engine.caller import Caller
from domain.engine.commands import (
    Act,
    AddSalt,
    Begin,
    Change,
    Close,
    Command,
    End,
    GmRuling,
    Goto,
    Join,
    Joining,
    Lapse,
    Leave,
    Note,
    Redo,
    Reply,
    Resume,
    RevealSeed,
    SetDeadlines,
    SetLabels,
    SetMap,
    SetOrders,
    Undo,
)
from domain.engine.session import Session
from domain.errors import Closed, Forbidden, Illegal, Malformed, Unfitting, Unknown
from domain.record.combat import Combat, Deadlines, Id, StandingOrder
from domain.record.events import (
    ActionDeclared,
    Answered,
    Noted,
    Prevented,
    RoundEnded,
    Ruled,
    SeedCommitted,
)
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure, ask_any
from domain.rulebook.play import Play
from domain.rulebook.prompts import NoInputs, Option, Prompt
from tests.domain.test_able import ANN, BOB, CYD
from tests.domain.toy import ACTIONS, TOY, alive
from tests.spec import GM, Spec

ANNA = Caller("a", "player", ("ann",))
LOOKER = Caller("s", "spectator")


def fight(**actions: Action) -> Spec:
    rulebook = replace(TOY, actions={**TOY.actions, **actions})
    return Spec(rulebook).given(ANN, BOB, CYD, declare=False, hidden=("cyd",))


THE_GMS: tuple[Command, ...] = (
    Begin(), End(), Join(Joining({"name": "eve", "side": "foes"})), Change("ann", name="Anne"),
    Leave("bob"), SetMap(None), SetDeadlines(Deadlines()), SetLabels(("a",)), Close(), Lapse(),
    RevealSeed(), Resume(), Undo(), Redo(), Goto(1), GmRuling("heal", {"combatant": "ann"}),
)  # fmt: skip


@pytest.mark.parametrize("command", THE_GMS, ids=lambda command: type(command).__name__)
def test_the_gm_alone_may(command: Command) -> None:
    spec = fight()
    for by in (ANNA, LOOKER):
        with spec.raises(Forbidden):
            spec.do(command, by=by)


def test_players_salt_the_dice_before_the_fight() -> None:
    spec = fight().do(AddSalt("anna", "rhubarb"), by=ANNA)
    assert spec.combat.salts == {"anna": "rhubarb"}
    with spec.raises(Forbidden):
        spec.do(AddSalt("s", "sugar"), by=LOOKER)
    spec.begin()
    with spec.raises(Unfitting) as caught:
        spec.do(AddSalt("anna", "more"), by=ANNA)
    assert caught[0].code == "already-begun"


def test_each_gives_orders_to_their_own() -> None:
    orders = (StandingOrder("parry", "pass"),)
    spec = fight().do(SetOrders("ann", orders), by=ANNA)
    assert spec["ann"].orders == orders
    with spec.raises(Forbidden):
        spec.do(SetOrders("bob", orders), by=ANNA)
    with spec.raises(Unknown):
        spec.do(SetOrders("cyd", orders), by=ANNA)


@pytest.mark.parametrize(
    ("note", "by", "may"),
    [
        (Note("x"), ANNA, True),
        (Note("x", "ann"), ANNA, True),
        (Note("x", "bob"), ANNA, False),
        (Note("x", private=True), ANNA, False),
        (Note("x", private=True), GM, True),
        (Note("x", "bob"), GM, True),
        (Note("x"), LOOKER, False),
    ],
)
def test_who_may_write_which_note(note: Note, by: Caller, may: bool) -> None:
    spec = fight()
    if may:
        assert spec.do(note, by=by).event(Noted) == Noted(note.text, note.who, note.private)
    else:
        with spec.raises(Forbidden):
            spec.do(note, by=by)


def test_whoever_plays_one_of_them_sees_what_is_for_several() -> None:
    combat = fight().combat
    assert ANNA.sees(combat, ("bob", "ann"))
    assert ANNA.sees(combat, None)
    assert not ANNA.sees(combat, ("bob",))
    assert not ANNA.sees(combat, ())
    assert not LOOKER.sees(combat, ("ann",))


def test_the_gm_answers_for_everybody_and_for_the_gm() -> None:
    spec = fight().begin().act("ann", "plead").answer(None, "yes")
    assert spec.event(Answered).option == "yes"


def test_a_ruling_that_there_is_not() -> None:
    spec = fight()
    with spec.raises(Unknown) as caught:
        spec.rule("smite")
    assert caught[0].pointer == "/ruling"


@pytest.mark.parametrize("option", ["fly", None])
def test_an_answer_that_the_question_does_not_have(option: str | None) -> None:
    spec = fight().begin()
    with spec.raises(Malformed) as caught:
        spec.do(Reply("ann:1", option))
    assert caught[0].pointer == "/option"
    assert "wait" in caught[0].allowed
    spec.act("ann", "strike", target="bob")
    if option is not None:
        with spec.raises(Malformed):
            spec.do(Reply("ann:2", option, {"faces": [3]}))
    else:  # the prompt has only one option
        spec.do(Reply("ann:2", None, {"faces": [3]}))
        assert spec.rolled("attack").faces == (3,)


def test_what_has_not_come_to_a_stop_is_not_resumed() -> None:
    spec = fight()
    for _ in "before the fight", "in its midst":
        with spec.raises(Unfitting) as caught:
            spec.resume()
        assert caught[0].code == "not-stalled"
        if spec.combat.status == "opening":
            spec.begin()
    spec.act("ann", "loop").answer(None, "abandon").resume()
    assert spec.open() == [("turn", "turn", "ann")]


def test_the_seed_in_use_is_told_once() -> None:
    spec = fight().begin().end()
    with spec.raises(Unfitting) as caught:
        spec.do(RevealSeed())
    assert caught[0].code == "already-revealed"


def test_only_an_undo_behind_the_telling_of_the_seed_brings_new_dice() -> None:
    spec = fight().begin().act("ann", "wait").undo()
    assert spec.events(SeedCommitted) == []
    spec.act("ann", "wait").end()
    assert spec.events(SeedCommitted) == []  # there are no more dice
    assert spec.undo().event(SeedCommitted).commitment == spec.combat.commitment


def test_the_seed_told_in_a_running_fight_is_in_use_no_more() -> None:
    spec = fight().begin().do(RevealSeed())
    assert spec.event(SeedCommitted).commitment == spec.combat.commitment
    assert spec.combat.seed is None


# ---- declarations as answers


def nothing(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
    yield Noted(f"{who} does nothing")


def answering(id: str) -> Action:
    return Action(id, procedure=nothing, answers=id)


def test_to_declare_what_is_asked_for_is_to_answer() -> None:
    """A declared action answers an open prompt of the same name, or a prompt that offers it."""
    spec = fight(snap=answering("snap"), so=answering("so")).begin()
    with spec.refused("TOY-07", "not-your-turn"):
        spec.act("bob", "snap")
    spec.act("ann", "dash")
    with spec.raises(Illegal):
        spec.act("bob", "so")
    spec.act("bob", "snap")
    assert spec.event(Answered, who="bob").option == "snap"
    spec = fight(so=answering("so")).begin().act("ann", "ponder").act("ann", "so")
    assert spec.event(Answered).option == "so"
    spec = fight(so=Action("so", procedure=nothing)).begin().act("ann", "ponder")
    with spec.raises(Unfitting):
        spec.act("ann", "so")


def at_once(play: Play) -> Procedure[None]:
    """End the round with the first action."""
    options = (ACTIONS["shout"], ACTIONS["wait"], Option("pass"))
    answer = yield from ask_any(
        [
            Prompt("turn", "turn", combatant.id, "?", options, (), "pass",
                   stands=lambda combat, who=combatant.id: alive(combat, who))  # type: ignore[misc]
            for combatant in play.combat
        ]
    )  # fmt: skip
    yield Noted(f"{answer.who} was first")
    yield RoundEnded(play.combat.round)


def test_a_question_that_has_lost_its_sense_takes_no_answer() -> None:
    rulebook = replace(TOY, procedures={**TOY.procedures, "duel": at_once})
    dan = {"name": "dan", "side": "foes"}
    spec = Spec(rulebook).given(ANN, BOB, dan, speak=True).begin()
    spec.rule("damage", combatant="bob", amount=10)
    assert spec.event(Answered, who="bob").by == "lapsed"
    with spec.raises(Closed) as caught:
        spec.act("bob", "wait")
    assert caught[0].how == "overtaken"
    spec.act("bob", "shout", ("shout", 2))  # a shout needs no prompt
    assert spec.event(Noted).text == "bob shouts 2"
    spec.act("dan", "wait")
    assert spec.event(Noted).text == "dan was first"


def test_whoever_is_asked_anew_answers_what_stands() -> None:
    def anew(play: Play) -> Procedure[None]:
        answer = yield from ask_any(turns_of(play.combat), more=turns_of)
        yield Noted(f"{answer.who} was first")
        yield RoundEnded(play.combat.round)

    def turns_of(combat: Combat) -> list[Prompt]:
        return [
            Prompt("turn", "turn", combatant.id, "?", (ACTIONS["wait"],), (), "wait",
                   stands=lambda combat, who=combatant.id: alive(combat, who))  # type: ignore[misc]
            for combatant in combat
            if alive(combat, combatant.id)
        ]  # fmt: skip

    rulebook = replace(TOY, procedures={**TOY.procedures, "duel": anew})
    spec = Spec(rulebook).given(ANN, BOB, CYD, speak=True).begin()
    spec.rule("damage", combatant="bob", amount=10).rule("heal", combatant="bob", amount=5)
    spec.act("bob", "wait")
    assert spec.event(ActionDeclared).prompt == "bob:2"
    assert spec.event(Noted).text == "bob was first"


def test_a_record_that_is_cut_off_goes_on_with_the_next_change() -> None:
    """If the record ends before the event that opens Ann's prompt, a ruling opens the prompt."""
    spec = fight().begin()
    spec.live = spec._proved = Session(TOY, spec.live.history.recorded[:-1])
    assert spec.open() == []
    for command, error in (
        (Act("ann", "wait"), Illegal), (Reply("ann:1", "wait"), Unknown), (Close(), Unfitting),
        (Lapse(), Unfitting),
    ):  # fmt: skip
        with pytest.raises(error):
            spec.live.decide(command, spec.context())
    decision = spec.live.decide(GmRuling("heal", {"combatant": "ann", "amount": 0}), spec.context())
    assert list(decision.live.open_prompts()) == ["ann:1"]


# ---- actions without a prompt


class Steps(Struct, frozen=True, forbid_unknown_fields=True):
    path: tuple[int, ...] = ()


def in_the_way(play: Play, who: Id, inputs: Steps) -> Iterator[Illegal]:
    if "cyd" in play.combat.combatants and 3 in inputs.path:
        yield Illegal("TOY-12", "in-the-way", "cyd is in the way")


def creep(play: Play, who: Id, inputs: Steps) -> Procedure[None]:
    """Creep until something is in the way."""
    stop = next(in_the_way(play, who, inputs), None)
    yield Noted(f"{who} creeps {len(inputs.path) if stop is None else inputs.path.index(3)}")


def flees(play: Play, who: Id, inputs: NoInputs) -> Iterator[Illegal]:
    if "cyd" in play.combat.combatants:
        yield Illegal("", "watched", "cyd watches")


CREEP = Action("creep", Steps, in_the_way, procedure=creep, interjection=True, stops=True)
FLEE = Action("flee", NoInputs, flees, procedure=nothing, interjection=True)


@pytest.mark.parametrize(("path", "far"), [([1, 2, 3, 4], 2), ([3, 4], 0), ([1, 2], 2)])
def test_what_the_hidden_hinder_is_begun_where_it_stops_by_itself(
    path: list[int], far: int
) -> None:
    spec = fight(creep=CREEP).begin()
    spec.do(Act("ann", "creep", {"path": path}), by=ANNA)
    assert spec.event(ActionDeclared).inputs["path"] == path
    assert spec.event(Noted).text == f"ann creeps {far}"
    assert spec.events(Prevented) == []


def test_what_the_hidden_hinder_is_refused_to_the_gm() -> None:
    spec = fight(creep=CREEP).begin()
    with spec.refused("TOY-12", "in-the-way"):
        spec.do(Act("ann", "creep", {"path": [1, 2, 3, 4]}), by=GM)


def test_what_they_hinder_altogether_is_not_begun() -> None:
    spec = fight(flee=FLEE).begin()
    spec.do(Act("ann", "flee"), by=ANNA)
    assert [type(event) for event in spec.told()] == [Prevented]
    assert spec.event(Prevented).rules == ()


def test_a_procedure_knows_whether_the_gm_has_spoken() -> None:
    def by_whom(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
        yield Noted(f"{play.by_gm}")

    def not_by_players(play: Play, who: Id, inputs: NoInputs) -> Iterator[Illegal]:
        if not play.by_gm or play.told(1) is None:
            yield Illegal("TOY-13", "not-yours", "the GM may")

    tell = Action("tell", procedure=by_whom, interjection=True)
    spec = fight(tell=tell, command=replace(tell, id="command", refusals=not_by_players)).begin()
    for by, told in (GM, "True"), (ANNA, "False"):
        assert spec.do(Act("ann", "tell"), by=by).event(Noted).text == told
    assert spec.do(Act("ann", "command"), by=GM).event(Noted).text == "True"
    with spec.refused("TOY-13", "not-yours"):
        spec.do(Act("ann", "command"), by=ANNA)


def test_a_ruling_is_recorded_with_its_reason() -> None:
    spec = fight().do(GmRuling("damage", {"combatant": "ann", "amount": 1}, "mercy"))
    assert (spec.event(Ruled).ruling, spec.event(Ruled).reason) == ("damage", "mercy")
    assert spec.events(ActionDeclared) == []
