"""Test the engine with a toy rulebook, by commands and their events."""

from dataclasses import replace

import pytest

from domain.engine.caller import Caller
from domain.engine.commands import Act, AddSalt, Change, Note, Reply, RevealSeed
from domain.engine.sources import RUNAWAY
from domain.errors import Closed, Forbidden, Malformed, Refused, Unfitting, Unknown
from domain.record.combat import DiceSettings, Id, StandingOrder
from domain.record.events import (
    ActionDeclared,
    Answered,
    CombatantLeft,
    CombatEnded,
    ConditionGained,
    Downed,
    Healed,
    Noted,
    ProcedureAbandoned,
    Reverted,
    Rolled,
    SeedCommitted,
    SeedRevealed,
    TurnBegan,
    TurnEnded,
)
from domain.record.evolve import evolve
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulebook.prompts import NoInputs
from domain.rulebook.ruleset import Ruleset
from tests.domain.toy import TOY
from tests.spec import Spec

ANN = {"name": "ann", "side": "heroes", "owner": "anna"}
BOB = {"name": "bob", "side": "foes"}
CYD = {"name": "cyd", "side": "foes"}


@pytest.fixture
def spec() -> Spec:
    return Spec(TOY)


def turns(spec: Spec) -> Spec:
    """Begin Ann's turn in a round without declarations."""
    return spec.given(ANN, BOB, declare=False).begin()


def test_everybody_declares_and_both_fall_together(spec: Spec) -> None:
    spec.given({**ANN, "hp": 3}, {**BOB, "hp": 3}).begin()
    assert spec.open() == [("declare", "declare", "ann"), ("declare", "declare", "bob")]
    spec.act("ann", "strike", target="bob")
    assert spec.open() == [("declare", "declare", "ann"), ("declare", "declare", "bob")]
    spec.act("bob", "strike", ("attack", 15), ("attack", 12), target="ann")
    spec.answer("bob", "pass", ("damage", 5))
    assert spec.event(Downed).who == "bob"
    # Bob is down. His blow still lands, because it was rolled at the same time.
    spec.answer("ann", "pass", ("damage", 4))
    assert spec.event(Downed).who == "ann"
    assert spec.combat.status == "ended"
    assert spec.event(CombatEnded).winners == ()


def test_a_declaration_can_be_changed_until_all_are_in(spec: Spec) -> None:
    spec.given(ANN, BOB).begin()
    spec.act("ann", "strike", target="bob")
    spec.answer("ann", "hold")
    spec.answer("bob", "hold")
    assert spec.events(Rolled) == []
    assert spec.open() == [("turn", "turn", "ann")]


def test_sealed_answers_are_for_their_own_player(spec: Spec) -> None:
    spec.given(ANN, BOB).begin().act("ann", "strike", target="bob")
    assert [recorded.audience for recorded in spec.last] == [("ann",)]


def test_an_answer_is_checked_like_an_action(spec: Spec) -> None:
    turns(spec)
    with spec.refused("TOY-01", "no-foe"):
        spec.act("ann", "strike", target="ann")
    with spec.raises(Malformed) as caught:
        spec.act("ann", "strike", target=7)
    assert caught[0].pointer == "/inputs/target"
    with spec.raises(Malformed) as caught:
        spec.act("ann", "strike", target="bob", hard=True)
    assert "hard" in caught[0].detail


def test_who_is_not_on_turn_is_refused_by_the_rulebook(spec: Spec) -> None:
    turns(spec)
    with spec.refused("TOY-07", "not-your-turn"):
        spec.act("bob", "strike", target="ann")


def test_a_reaction_stands_in_the_middle_of_an_action(spec: Spec) -> None:
    turns(spec).act("ann", "strike", ("attack", 10), target="bob")
    assert spec.open() == [("reaction", "parry", "bob")]
    spec.answer("bob", "take", ("parry", 9), ("damage", 6))
    assert spec.hp("bob") == 4  # 10 − 6
    assert spec.open() == [("turn", "turn", "bob")]


def test_an_interjection_runs_on_top_of_what_waits(spec: Spec) -> None:
    turns(spec).act("ann", "strike", ("attack", 10), target="bob")
    spec.act("ann", "shout", ("shout", 3))
    assert spec.event(Noted).text == "ann shouts 3"
    assert spec.open() == [("reaction", "parry", "bob")]


def test_what_waits_below_an_interjection_cannot_be_answered_yet(spec: Spec) -> None:
    turns(spec)
    spec.act("bob", "shout")
    assert spec.open() == [("roll", "shout", "bob")]
    below = next(iter(spec.combat.prompts))
    with spec.raises(Unfitting) as caught:
        spec.do(Reply(below, "wait"))
    assert caught[0].code == "prompt-suspended"
    spec.answer("bob", "roll", faces=(4,))
    assert spec.open() == [("turn", "turn", "ann")]


def test_a_ruling_makes_a_question_lapse_that_has_lost_its_sense(spec: Spec) -> None:
    spec.given(ANN, BOB, CYD, declare=False).begin()
    spec.act("ann", "strike", ("attack", 10), target="bob")
    spec.rule("damage", ("damage", 2), who="bob", amount=10)
    lapsed = spec.event(Answered, who="bob")
    assert (lapsed.option, lapsed.by, lapsed.because) == ("pass", "lapsed", "moot")
    with spec.raises(Closed) as caught:
        spec.do(Reply(lapsed.prompt, "parry"))
    assert (caught[0].how, caught[0].option) == ("lapsed", "pass")
    assert spec.hp("bob") == -2  # 10 − 10 − 2
    assert spec.open() == [("turn", "turn", "cyd")]


def test_a_late_answer_is_told_what_happened(spec: Spec) -> None:
    turns(spec)
    first = next(iter(spec.live.open_prompts()))
    spec.act("ann", "wait")
    with spec.raises(Unfitting) as caught:
        spec.do(Reply(first, "wait"))
    assert caught[0].code == "prompt-closed"
    assert "wait" in caught[0].detail
    with spec.raises(Unknown):
        spec.do(Reply("ann:99", "wait"))


def test_what_is_answered_is_so_also_while_others_of_its_group_are_asked(spec: Spec) -> None:
    spec.given(ANN, BOB).begin()
    prompt = spec.combat.prompts[next(iter(spec.live.open_prompts()))].id
    spec.act("ann", "strike", target="bob")
    with spec.raises(Closed) as caught:
        spec.close(prompt)
    assert (caught[0].how, caught[0].option) == ("answered", "strike")


def test_only_its_player_or_the_gm_answers(spec: Spec) -> None:
    turns(spec)
    stranger = Caller("t1", "player", ("bob",))
    with spec.raises(Forbidden):
        spec.do(Act("ann", "wait"), by=stranger)
    prompt = next(iter(spec.live.open_prompts()))
    with spec.raises(Unknown):  # the player must not learn that the prompt exists
        spec.do(Reply(prompt, "wait"), by=stranger)
    spec.do(Act("ann", "wait"), by=Caller("t2", "player", owner="anna"))
    assert spec.event(ActionDeclared).who == "ann"


def test_faces_outside_the_die_are_refused(spec: Spec) -> None:
    turns(spec).act("ann", "strike", target="bob")
    for faces in ((21,), (0,), (3, 4), ()):
        with spec.raises(Malformed) as caught:
            spec.answer("ann", "roll", faces=faces)
        assert caught[0].pointer == "/inputs/faces"


def test_a_forced_roll_counts_once(spec: Spec) -> None:
    turns(spec).rule("force-roll", who="ann", purpose="attack", faces=(3,))
    spec.act("ann", "strike", target="bob")
    assert (spec.rolled("attack").faces, spec.rolled("attack").by) == ((3,), "gm")
    spec.act("bob", "strike", ("attack", 2), target="ann")
    assert spec.combat.forced == ()


def test_standing_orders_answer_by_themselves(spec: Spec) -> None:
    turns(spec).orders("bob", StandingOrder("parry", "pass", against="ann"))
    spec.act("ann", "strike", ("attack", 10), ("damage", 1), target="bob")
    assert spec.event(Answered, who="bob").by == "standing-order"
    assert spec.hp("bob") == 9


@pytest.mark.parametrize(("until", "asked"), [(0, True), (1, False)])
def test_a_standing_order_holds_in_its_last_round_and_no_longer(
    spec: Spec, until: int, asked: bool
) -> None:
    turns(spec).orders("bob", StandingOrder("parry", "pass", until_round=until))
    assert spec.combat.round == 1
    spec.act("ann", "strike", ("attack", 10), target="bob")
    assert (("reaction", "parry", "bob") in spec.open()) is asked


def test_whoever_leaves_has_no_turn_any_more(spec: Spec) -> None:
    spec.given(ANN, BOB, {**BOB, "name": "cyd"}, declare=False).begin().leave("bob")
    places = (*spec.combat.order, *spec.combat.queue)
    assert {place.who for place in places} == {"ann", "cyd"}
    before = spec.combat
    assert before.acting == ("ann",)
    assert evolve(before, CombatantLeft("ann")).acting == ()  # before any consequence
    spec.act("ann", "wait")
    assert spec.open() == [("turn", "turn", "cyd")]


def test_a_question_that_lapses_for_one_stays_open_for_the_others(spec: Spec) -> None:
    spec.given(ANN, BOB, {**BOB, "name": "cyd"}, speak=True).begin()
    assert [who for _, _, who in spec.open()] == ["ann", "bob", "cyd"]
    spec.leave("bob")
    lapsed = spec.event(Answered, who="bob")
    assert (lapsed.by, lapsed.because) == ("lapsed", "left")
    assert spec.events(Noted) == []  # nobody has spoken
    spec.answer("cyd", "speak")  # the first answer closes the prompt for all
    assert spec.event(Noted).text == "cyd spoke"


def test_a_prompt_is_closed_once_and_where_it_is_open(spec: Spec) -> None:
    spec.given(ANN, BOB).begin()  # both declare
    anns, bobs = spec.live.open_prompts()
    spec.close(anns)
    assert spec.event(Answered, who="ann").by == "closed"
    for wrong in (anns, "eve:1"):
        with spec.raises(Refused):
            spec.close(wrong)
    spec.close(bobs)
    (anns,) = spec.live.open_prompts()
    spec.rule("crown")
    with spec.raises(Unfitting) as caught:
        spec.close(anns)
    assert caught[0].code == "prompt-suspended"
    spec.close().close()
    assert spec.open() == [("turn", "turn", "ann")]


def test_healing_ends_at_the_maximum(spec: Spec) -> None:
    turns(spec).rule("damage", who="bob", amount=3)
    spec.rule("heal", who="bob", amount=50)
    assert spec.event(Healed).amount == 3
    assert spec.hp("bob") == 10


def test_undo_goes_back_over_one_command_and_redo_forward(spec: Spec) -> None:
    turns(spec)
    waiting = spec.combat
    spec.act("ann", "strike", ("attack", 10), target="bob")
    rolled = spec.combat
    spec.answer("bob", "pass", ("damage", 2))
    hurt = spec.combat
    spec.undo()
    assert spec.event(Reverted).kind == "undo"
    spec.undo()  # the damage roll and the answer were separate commands
    assert spec.combat == rolled
    spec.undo().undo()
    assert spec.combat == waiting
    for _ in range(4):
        spec.redo()
    assert spec.combat == hurt
    with spec.raises(Unfitting) as caught:
        spec.redo()
    assert caught[0].code == "nothing-to-redo"


def test_after_an_undo_the_fight_goes_on_differently(spec: Spec) -> None:
    turns(spec).act("ann", "wait")
    spec.undo().act("ann", "strike", ("attack", 10), target="bob")
    with spec.raises(Unfitting):
        spec.redo()
    spec.undo().undo().redo()
    # Two branches leave Ann's turn. Redo takes the newest one.
    assert spec.open() == [("roll", "attack", "ann")]


def test_undo_over_a_turn(spec: Spec) -> None:
    turns(spec).act("ann", "wait")
    bobs = spec.combat
    spec.act("bob", "strike", ("attack", 10), target="ann")
    spec.undo("turn")
    assert spec.combat == bobs


def test_there_is_an_end_to_undo(spec: Spec) -> None:
    spec.given(ANN, BOB)
    with spec.raises(Unfitting) as caught:
        spec.undo()
    assert caught[0].code == "nothing-to-undo"


def test_an_endless_chain_stops_at_the_gm(spec: Spec) -> None:
    turns(spec).act("ann", "loop")
    assert spec.open() == [("ruling", "long-chain", None)]
    assert RUNAWAY <= len(spec.last) <= RUNAWAY + 2
    spec.answer(None, "go-on")
    assert spec.open() == [("ruling", "long-chain", None)]
    spec.answer(None, "abandon")
    assert len(spec.events(ProcedureAbandoned)) == 1
    assert spec.combat.stalled is not None
    spec.resume()
    assert spec.open() == [("turn", "turn", "ann")]


@pytest.mark.parametrize("long", range(RUNAWAY - 8, RUNAWAY))
def test_at_the_end_of_a_long_chain_it_is_said_first_who_was_stopped(long: int) -> None:
    def many(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
        for _ in range(long):
            yield Noted("x")
        yield ConditionGained("ann", "dazed")

    many_words = {**TOY.rulings, "many": Action("many", procedure=many)}
    spec = turns(Spec(replace(TOY, rulings=many_words)))
    spec.act("ann", "strike", ("attack", 10), target="bob").rule("many")
    if spec.open() != [("turn", "turn", "bob")]:
        spec.answer(None, "go-on")
    assert spec.open() == [("turn", "turn", "bob")]


def test_server_dice_can_be_derived_by_anybody(spec: Spec) -> None:
    spec.given(ANN, BOB, declare=False, dice=DiceSettings()).do(AddSalt("anna", "rhubarb")).begin()
    spec.act("ann", "strike", target="bob")
    roll = spec.rolled("attack")
    assert roll.by == "server"
    assert 1 <= roll.faces[0] <= 20
    spec.do(RevealSeed())
    assert spec.event(SeedRevealed).seed == bytes(range(32)).hex()


def test_an_undo_behind_a_revealed_seed_brings_new_dice(spec: Spec) -> None:
    turns(spec).do(RevealSeed()).undo()
    assert len(spec.events(SeedCommitted)) == 1


def test_a_note_needs_no_procedure(spec: Spec) -> None:
    turns(spec).do(Note("it rains"))
    assert spec.event(Noted).text == "it rains"
    assert spec.open() == [("turn", "turn", "ann")]


def test_the_gm_ends_the_combat(spec: Spec) -> None:
    turns(spec).act("ann", "strike", ("attack", 10), target="bob")
    spec.end()
    assert spec.combat.status == "ended"
    assert spec.combat.prompts == {}
    with spec.refused("TOY-08", "combat-over"):
        spec.act("ann", "wait")


def test_closing_gives_everybody_the_default(spec: Spec) -> None:
    spec.given(ANN, BOB).begin().close()
    assert spec.open() == [("turn", "turn", "ann")]
    assert {answered.by for answered in spec.events(Answered)} == {"closed"}


def test_options_say_what_the_checks_say(spec: Spec) -> None:
    turns(spec)
    assert spec.legal("ann") == {*TOY.actions, "end-turn"}
    assert spec.legal("bob") == {"shout"}
    assert spec.refusals("bob", "strike") == {("TOY-07", "not-your-turn")}


def test_a_preview_leaves_no_trace(spec: Spec) -> None:
    turns(spec)
    before, version = spec.combat, spec.live.version
    decision = spec.live.preview(Act("ann", "wait"), spec.context())
    assert decision.recorded
    assert decision.live.combat != before
    assert (spec.combat, spec.live.version) == (before, version)
    spec.prove()


def test_a_changed_rule_does_not_lose_the_fight(spec: Spec) -> None:
    turns(spec).act("ann", "strike", ("attack", 10), target="bob")
    changed = Spec(_without_parry())
    changed.live = type(spec.live)(changed.ruleset, spec.live.history.recorded)
    changed._commands = 100
    changed.do(Note("the rules have changed"))
    with changed.raises(Unfitting):
        changed.do(Reply("bob:1", "pass"))
    changed.rule("damage", who="bob", amount=1)
    assert changed.hp("bob") == 9


def _without_parry() -> Ruleset:
    def turn(play: Play, who: Id) -> Procedure[None]:
        yield TurnBegan(who)
        yield Noted("something else")
        yield TurnEnded(who)

    return replace(TOY, procedures={**TOY.procedures, "turn": turn})


def test_undo_goes_on_behind_replaced_dice(spec: Spec) -> None:
    turns(spec)
    waiting = spec.combat
    spec.act("ann", "wait").act("bob", "wait").do(RevealSeed()).undo().undo().undo()
    assert spec.open() == [("turn", "turn", "ann")]
    assert spec.combat.combatants == waiting.combatants
    spec.redo()
    assert spec.open() == [("turn", "turn", "bob")]


def test_the_gm_is_an_owner_like_none(spec: Spec) -> None:
    spec.given({**ANN, "owner": "GM"}, BOB)
    assert spec["ann"].owner is None


@pytest.mark.parametrize("name", ["GM", "gm"])
def test_the_gm_takes_somebody_back_from_its_player(spec: Spec, name: str) -> None:
    """The GM rolls for combatants without an owner."""
    spec.given(ANN, BOB, declare=False, dice=DiceSettings("server", "manual")).begin()
    spec.do(Change("ann", owner=name)).act("ann", "strike", target="bob")
    assert spec["ann"].owner is None
    assert spec.rolled("attack").by == "server"


def test_the_present_behind_new_dice_is_the_present(spec: Spec) -> None:
    turns(spec).act("ann", "wait")
    there = spec.live.version
    spec.act("bob", "wait").do(RevealSeed()).undo().undo()
    assert spec.events(SeedCommitted)  # new dice replace the revealed ones
    with spec.raises(Unfitting) as caught:
        spec.goto(there)
    assert caught[0].code == "already-there"
