"""Test answers to prompts by players, by the GM and by standing orders."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from domain.engine.caller import Caller, Context
from domain.engine.commands import Act, Close, Lapse, Reply, RevealSeed
from domain.errors import Illegal, Unfitting
from domain.record.combat import Combat, DiceSettings, Id, StandingOrder
from domain.record.events import (
    Answered,
    CombatantJoined,
    Damaged,
    Event,
    Healed,
    Judged,
    Noted,
    Prevented,
    ProcedureAbandoned,
    PromptChanged,
    Prompted,
    Rolled,
    RoundEnded,
    SeedCommitted,
    SeedRevealed,
    StillAsked,
    TrackChanged,
    TurnBegan,
)
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure, admit, ask, ask_anew, ask_each, roll
from domain.rulebook.play import Play
from domain.rulebook.prompts import NoInputs, Option, Prompt, choices
from domain.rulebook.ruleset import Ruleset
from tests.domain.test_able import ANN, BOB, CYD, DAN
from tests.domain.toy import TOY
from tests.spec import GM, Spec

ANNA = Caller("a", "player", ("ann",))


def fight(rulebook: Ruleset = TOY, **more: Any) -> Spec:
    return Spec(rulebook).given(ANN, BOB, CYD, DAN, declare=False, **more)


def with_action(id: str, procedure: Any, **more: Any) -> Ruleset:
    return replace(TOY, actions={**TOY.actions, id: Action(id, procedure=procedure, **more)})


# ---- required answers


@pytest.mark.parametrize(
    ("action", "hidden", "told_gm", "told_ann"),
    [
        ("strike", (), "ann rolls 1d20 (attack)", "ann rolls 1d20 (attack)"),
        ("plead", (), "May it?", "what is asked of the GM"),
        ("dash", (), "Does bob snap at ann?", "what is asked of bob"),
        ("dash", ("bob", "cyd"), "Does bob snap at ann?", "what is asked of the GM"),
    ],
)
def test_whoever_acts_is_told_what_must_be_answered_first(
    action: str, hidden: tuple[str, ...], told_gm: str, told_ann: str
) -> None:
    spec = fight(hidden=hidden).begin()
    spec.act("ann", action, **({"target": "bob"} if action == "strike" else {}))
    for caller, told in (GM, told_gm), (ANNA, told_ann):
        with spec.raises(Unfitting) as caught:
            spec.do(Act("ann", "wait"), by=caller)
        assert caught[0].code == "awaiting-answer"
        assert caught[0].detail == f"first must be answered: {told}"


@pytest.mark.parametrize(
    ("action", "told_gm", "told_ann"),
    [
        ("strike", "ann rolls 1d20 (attack)", "ann rolls 1d20 (attack)"),
        ("plead", "May it?", "what is asked of the GM"),
        ("dash", "Does bob snap at ann?", "what is asked of bob"),
    ],
)
def test_the_options_say_so_in_the_same_words(action: str, told_gm: str, told_ann: str) -> None:
    spec = fight().begin()
    spec.act("ann", action, **({"target": "bob"} if action == "strike" else {}))
    for caller, told in (GM, told_gm), (ANNA, told_ann):
        [offer] = [
            offer for offer in spec.live.options("ann", caller) if offer.option.id == "strike"
        ]
        [refusal] = offer.refusals
        assert (refusal.code, refusal.detail) == (
            "awaiting-answer",
            f"first must be answered: {told}",
        )


def test_of_several_that_are_asked_the_first_to_be_answered_has_not_answered_yet() -> None:
    spec = fight().begin()
    spec.act("ann", "dash")
    open_prompts = [id for id, prompt in spec.live.open_prompts().items() if prompt.who == "bob"]
    for id in open_prompts:
        spec.do(Reply(id, "pass"))
    assert spec.refusals("ann", "wait") == {("", "awaiting-answer")}
    with spec.raises(Unfitting) as caught:
        spec.act("ann", "wait")
    assert caught[0].detail == "first must be answered: Does cyd snap at ann?"


def test_before_the_fight_it_is_said_who_begins_it() -> None:
    spec = fight()
    with spec.raises(Unfitting) as caught:
        spec.act("ann", "wait")
    assert caught[0].code == "not-begun"


def test_a_rulebook_may_have_a_word_of_its_own_for_it() -> None:
    def off_turn(combat: Combat, who: Id, action: str) -> Illegal:
        return Illegal("TOY-07", "asleep", "all are asleep", ("wake",))

    spec = fight(replace(TOY, off_turn=off_turn))
    with spec.raises(Illegal) as caught:
        spec.act("ann", "wait")
    assert (caught[0].rule, caught[0].code, caught[0].allowed) == ("TOY-07", "asleep", ("wake",))
    assert caught[0].detail == "all are asleep; the GM begins it by POST …/begin"
    spec.begin()
    with spec.raises(Illegal) as caught:
        spec.act("bob", "wait")
    assert caught[0].detail == "all are asleep"


def test_what_waits_before_the_fight_is_not_the_beginning() -> None:
    spec = fight(doom=True).rule("damage", combatant="bob", amount=10)
    assert spec.open() == [("roll", "doom", "bob")]
    with spec.refused("TOY-07", "not-your-turn"):
        spec.act("ann", "wait")


# ---- closing and lapsing


def test_nothing_is_closed_where_nothing_can_be() -> None:
    spec = fight()
    for command, code in (Close(), "nothing-open"), (Lapse(), "not-due"):
        with spec.raises(Unfitting) as caught:
            spec.do(command)
        assert caught[0].code == code
    spec.begin()
    with spec.raises(Unfitting):
        spec.do(Lapse())  # it never times out
    spec.act("ann", "strike", target="bob")
    with spec.raises(Unfitting) as caught:
        spec.close()
    assert caught[0].code == "no-default"


def test_some_are_closed_and_then_the_rest() -> None:
    spec = Spec(TOY).given(ANN, BOB, CYD).begin()
    first, second, third = spec.live.open_prompts()
    spec.close(second)
    assert [answered.prompt for answered in spec.events(Answered)] == [second]
    spec.close()
    assert [answered.prompt for answered in spec.events(Answered)] == [first, third]


# ---- standing orders

PASS = StandingOrder("parry", "pass")


@pytest.mark.parametrize(
    ("orders", "answered"),
    [
        ([PASS], True),
        ([StandingOrder("parry", "pass", against="ann")], True),
        ([StandingOrder("parry", "pass", against="cyd")], False),
        ([StandingOrder("parry", "pass", when={"attacker": "ann"})], True),
        ([StandingOrder("parry", "pass", when={"attacker": "ann", "at": 1})], False),
        ([StandingOrder("parry", "pass", when={"at": 1}), PASS], True),
        ([StandingOrder("snap", "pass")], False),
        ([StandingOrder("parry", "fly")], False),
        ([StandingOrder("parry", "pass", {"high": True})], False),
        ([StandingOrder("parry", "ask"), PASS], False),
        ([PASS, StandingOrder("parry", "ask")], True),
        ([StandingOrder("parry", "ask", against="cyd"), PASS], True),
    ],
)  # fmt: skip
def test_an_order_answers_what_it_is_about(orders: list[StandingOrder], answered: bool) -> None:
    spec = fight().begin().orders("bob", *orders)
    spec.act("ann", "strike", ("attack", 10), target="bob")
    assert (spec.open() != [("reaction", "parry", "bob")]) is answered
    assert [answered.by for answered in spec.events(Answered, who="bob")] == [
        "standing-order"
    ] * answered


@pytest.mark.parametrize(("against", "answered"), [("ann", True), ("cyd", False)])
def test_an_order_may_be_about_whoever_moves(against: str, answered: bool) -> None:
    spec = fight().begin().orders("bob", StandingOrder("snap", "pass", against=against))
    spec.act("ann", "dash")
    assert bool(spec.events(Answered, who="bob")) is answered


@pytest.mark.parametrize(
    "order",
    [
        StandingOrder("parry", "pass", against="ann"),
        StandingOrder("parry", "pass", when={"attacker": "ann"}),
    ],
)
@pytest.mark.parametrize("hidden", [(), ("ann",)])
def test_no_order_finds_out_who_is_hidden(order: StandingOrder, hidden: tuple[str, ...]) -> None:
    spec = fight(hidden=hidden).begin().orders("bob", order)
    spec.act("ann", "strike", ("attack", 10), target="bob")
    assert bool(spec.events(Answered, who="bob")) is not bool(hidden)


def beckon(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
    """Let Bob choose `strike`, `go` or `pass`. `go` is illegal if a combatant is hidden."""
    options = (TOY.actions["strike"], Option("go", refusals=occupied), Option("pass"))
    yield from ask(Prompt("choice", "aim", "bob", "At whom?", options, (), "pass"))


def occupied(play: Play, who: Id, inputs: NoInputs) -> Iterator[Illegal]:
    if any(combatant.hidden for combatant in play.combat if combatant.id != who):
        yield Illegal("TOY-01", "occupied", "somebody is there")


@pytest.mark.parametrize("hidden", [(), ("ann",)])
def test_no_order_aims_at_somebody_hidden(hidden: tuple[str, ...]) -> None:
    spec = fight(with_action("beckon", beckon, interjection=True), hidden=hidden).begin()
    spec.orders("bob", StandingOrder("aim", "strike", {"target": "ann"})).act("ann", "beckon")
    assert bool(spec.events(Answered, who="bob")) is not bool(hidden)


@pytest.mark.parametrize("hidden", [(), ("ann",)])
def test_an_order_that_fails_for_somebody_hidden_is_used_up(hidden: tuple[str, ...]) -> None:
    """A standing order that fails is used up, so Bob cannot search for hidden combatants."""
    spec = fight(with_action("beckon", beckon, interjection=True), hidden=hidden).begin()
    spec.orders("bob", StandingOrder("aim", "go")).act("ann", "beckon")
    assert spec.event(Answered, who="bob").option == ("pass" if hidden else "go")
    assert [event.reason for event in spec.events(Prevented)] == ["occupied"] * len(hidden)


@pytest.mark.parametrize("snapped", [True, False])
def test_an_order_that_the_rules_refuse_leaves_the_question_open(snapped: bool) -> None:
    spec = fight().begin().orders("bob", StandingOrder("snap", "snap"))
    if snapped:
        spec.rule("set-fact", combatant="bob", key="snapped", value=True)
    spec.act("ann", "dash")
    assert bool(spec.events(Answered, who="bob")) is not snapped


def test_the_gm_may_leave_rulings_to_the_default() -> None:
    spec = fight(rulings="default").begin().act("ann", "plead")
    assert spec.event(Answered, who=None).by == "default"
    assert spec.event(Noted).text == "ann is told no"


# ---- prompts to several combatants


def muster(play: Play) -> Procedure[None]:
    """Ask each combatant whether it is ready.

    The answer `last` makes the procedure stop waiting for the last of the other combatants. The
    answer `loud` changes the text of the open prompts.
    """
    waiting, heard = [combatant.id for combatant in play.combat], ""
    while waiting:
        answer = yield from ask_each([ready(who, heard) for who in waiting])
        yield Noted(f"{answer.who} is ready")
        waiting.remove(answer.who or "")
        if answer.option == "last":
            waiting.pop()
        heard = "Hear! " if answer.option == "loud" else heard
    yield RoundEnded(play.combat.round)


def ready(who: Id, heard: str) -> Prompt:
    default = None if who == "dan" else "ready"
    return Prompt("choice", "ready", who, f"{heard}Ready?", choices("ready", "last", "loud"), (),
                  default)  # fmt: skip


def mustered() -> Spec:
    spec = fight(replace(TOY, procedures={**TOY.procedures, "duel": muster}), speak=True)
    return spec.begin()


def test_the_others_stay_open_as_they_are() -> None:
    spec = mustered()
    ids = list(spec.live.open_prompts())
    assert ids == ["ann:1", "bob:1", "cyd:1", "dan:1"]
    spec.answer("bob", "ready")
    assert spec.event(Noted).text == "bob is ready"
    assert spec.events(Prompted) == []
    assert spec.event(StillAsked).prompts == ("ann:1", "cyd:1", "dan:1")
    assert list(spec.live.open_prompts()) == ["ann:1", "cyd:1", "dan:1"]
    spec.answer("ann", "ready").answer("cyd", "ready").answer("dan", "ready")
    assert spec.events(StillAsked) == []
    assert [who for _, _, who in spec.open()] == ["ann", "bob", "cyd", "dan"]  # the next round


def test_who_is_asked_no_more_gets_the_default_if_there_is_one() -> None:
    spec = mustered().answer("ann", "last")  # the procedure stops waiting for Dan
    assert [(answered.who, answered.option, answered.by) for answered in spec.events(Answered)] == [
        ("ann", "last", "caller"), ("dan", "", "lapsed"),
    ]  # fmt: skip
    assert [who for _, _, who in spec.open()] == ["bob", "cyd"]
    spec.answer("bob", "last")
    assert [(answered.who, answered.option) for answered in spec.events(Answered)] == [
        ("bob", "last")
    ]
    assert "cyd:1" not in spec.combat.prompts


def test_those_who_are_still_asked_are_not_behind_who_is_asked_no_more() -> None:
    spec = mustered().answer("ann", "last")  # the procedure stops waiting for Dan
    waits = [
        id for id, prompt in spec.combat.prompts.items() if not spec.combat.is_suspended(prompt)
    ]
    assert waits == list(spec.live.open_prompts()) == ["bob:1", "cyd:1"]


def test_a_question_that_reads_otherwise_is_another_one() -> None:
    spec = mustered().answer("ann", "loud")
    assert {(answered.who, answered.option) for answered in spec.events(Answered, by="lapsed")} == {
        ("bob", "ready"), ("cyd", "ready"), ("dan", ""),
    }  # fmt: skip
    assert [prompted.prompt for prompted in spec.events(Prompted)] == ["bob:2", "cyd:2", "dan:2"]
    assert spec.events(StillAsked) == []


# ---- a prompt after another


def council(play: Play) -> Procedure[None]:
    """Let Ann name another combatant. The prompt needs at least two others."""

    def question(now: Combat) -> Prompt:
        there = [combatant.id for combatant in now if combatant.id != "ann"]
        text = f"Who of {', '.join(there)}?"
        return Prompt("choice", "council", "ann", text, choices(*there), (), there[0],
                      {"there": there}, stands=lambda later: len(list(later)) > 2)  # fmt: skip

    answer = yield from ask_anew(play.combat, question)
    yield Noted(f"ann names {answer.option}")
    yield RoundEnded(play.combat.round)


def in_council() -> Spec:
    spec = fight(replace(TOY, procedures={**TOY.procedures, "duel": council}), speak=True)
    return spec.begin()


def test_a_question_follows_who_leaves_under_its_id() -> None:
    spec = in_council().leave("bob")
    changed = spec.event(PromptChanged)
    assert (changed.prompt, changed.who, changed.text) == ("ann:1", "ann", "Who of cyd, dan?")
    assert (changed.options, changed.default) == (("cyd", "dan"), "cyd")
    asked = spec.combat.prompts["ann:1"]
    assert (asked.text, asked.options, asked.default) == ("Who of cyd, dan?", ("cyd", "dan"), "cyd")
    assert asked.data == {"there": ["cyd", "dan"]}
    assert not spec.events(Prompted) + spec.events(Answered)
    with spec.raises(Illegal) as caught:
        spec.answer("ann", "bob")
    assert (caught[0].code, caught[0].allowed) == ("gone", ("cyd", "dan"))
    assert spec.answer("ann", "dan").event(Noted).text == "ann names dan"


def test_a_question_that_is_as_it_was_is_not_told_again() -> None:
    assert not in_council().rule("damage", who="bob", amount=1).events(PromptChanged)


def test_a_question_that_follows_gets_the_default_of_now() -> None:
    assert in_council().leave("bob").close().event(Noted).text == "ann names cyd"


def test_a_question_without_sense_ends_as_it_was() -> None:
    spec = in_council().leave("bob").leave("cyd")
    assert spec.event(Answered, by="lapsed").option == "cyd"
    assert not spec.events(PromptChanged)


# ---- changed rules


def same(play: Play, who: Id) -> Procedure[None]:
    yield TurnBegan(who)
    yield from roll(who, "attack", "1d20", rules=())
    yield from admit({"name": "imp", "side": "foes"})
    yield from ask(Prompt("choice", "well", who, "Well?", choices("so"), ()))


def rolls(play: Play, who: Id) -> Procedure[None]:
    yield TurnBegan(who)
    yield from roll(who, "attack", "1d20", rules=())
    yield from roll(who, "damage", "1d6", rules=())


def admits(play: Play, who: Id) -> Procedure[None]:
    yield TurnBegan(who)
    yield from admit({"name": "imp", "side": "foes"})


def asks(play: Play, who: Id) -> Procedure[None]:
    yield TurnBegan(who)
    yield from ask(Prompt("choice", "well", who, "Well?", choices("so"), ()))


def is_over(play: Play, who: Id) -> Procedure[None]:
    yield TurnBegan(who)
    yield from roll(who, "attack", "1d20", rules=())
    yield from admit({"name": "imp", "side": "foes"})


@pytest.mark.parametrize("other", [same, rolls, admits, asks, is_over])
@pytest.mark.parametrize("dice", [DiceSettings(), DiceSettings("manual", "manual")])
def test_what_waits_is_rebuilt_or_given_up(other: Any, dice: DiceSettings) -> None:
    spec = fight(replace(TOY, procedures={**TOY.procedures, "turn": same}), dice=dice)
    spec.begin(*[("attack", 7)] * (dice.gm == "manual"))
    assert spec.open() == [("choice", "well", "ann")]
    assert spec.event(CombatantJoined).who == "imp"
    later = Spec(replace(TOY, procedures={**TOY.procedures, "turn": other}))
    later.live = type(spec.live)(later.ruleset, spec.live.history.recorded)
    later._commands = 100
    assert bool(later.live.open_prompts()) is (other is same)
    if other is same:
        later.answer("ann", "so")
    else:
        with later.raises(Unfitting):
            later.do(Reply("ann:1", "so"))
        later.rule("heal", combatant="ann", amount=0)
        assert later.event(ProcedureAbandoned).reason.startswith("the rules have changed")


# ---- owners of dice


@pytest.mark.parametrize(
    ("dice", "owner", "by_gm", "by"),
    [
        (DiceSettings("manual", "server"), "anna", False, "server"),
        (DiceSettings("manual", "server"), None, False, "manual"),
        (DiceSettings("server", "manual"), "anna", False, "manual"),
        (DiceSettings("server", "manual"), None, False, "server"),
        (DiceSettings("manual", "server"), "anna", True, "manual"),
        (DiceSettings("server", "manual"), "anna", True, "server"),
    ],
)
@pytest.mark.parametrize("formula", ["1d4", "3"])
def test_who_rolls_by_hand_is_asked_for_the_dice(
    dice: DiceSettings, owner: str | None, by_gm: bool, by: str, formula: str
) -> None:
    def shout(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
        yield from roll(who, "shout", formula, rules=(), by_gm=by_gm)

    rulebook = with_action("cry", shout, interjection=True)
    spec = Spec(rulebook).given({**ANN, "owner": owner}, BOB, dice=dice, declare=False).begin()
    spec.act("ann", "cry")
    if by == "manual" and formula != "3":
        (asked,) = spec.live.open_prompts().values()
        assert (asked.kind, asked.who) == ("roll", None if by_gm else "ann")
    else:
        assert spec.rolled("shout").by == "server"  # a number needs no die


class Imported(Spec):
    """A fight that was imported without the secret seed of its dice."""

    def context(self, by: Caller = GM) -> Context:
        context = super().context(by)
        return replace(context, secrets={}, spare=bytes(32)) if self.combat.commitment else context


def test_dice_of_an_imported_fight_are_new_ones() -> None:
    spec = Imported(TOY)
    spec.given(ANN, BOB, declare=False, dice=DiceSettings()).begin()
    before = spec.combat.commitment
    with spec.raises(Unfitting) as caught:
        spec.do(RevealSeed())
    assert caught[0].code == "seed-unknown"
    spec.act("bob", "shout")
    committed, rolled = spec.event(SeedCommitted), spec.event(Rolled)
    assert spec.combat.commitment == committed.commitment != before
    assert spec.told().index(committed) < spec.told().index(rolled)


def test_at_the_end_the_seed_is_told_once_if_it_is_known() -> None:
    spec = fight().begin().end()
    assert spec.event(SeedRevealed).commitment == spec.combat.commitment
    assert fight().begin().do(RevealSeed()).end().events(SeedRevealed) == []
    imported = Imported(TOY)
    imported.given(ANN, BOB, declare=False).begin().end()
    assert (imported.combat.status, imported.events(SeedRevealed)) == ("ended", [])


# ---- previews


def doing(*events: Event, **more: Any) -> Any:
    """Return a procedure that records `events`, rolls if `more` is given, and adds a note."""

    def procedure(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
        yield from events  # type: ignore[misc]
        if more:
            yield from roll(purpose="shout", formula="1d4", rules=(), **more)
        yield Noted("and then")

    return procedure


@pytest.mark.parametrize(
    ("procedure", "foreseen"),
    [
        (doing(who="ann"), True),
        (doing(who="dan"), True),
        (doing(who="ann", against="dan"), True),
        (doing(who="ann", against="bob"), False),
        (doing(who="bob"), False),
        (doing(who="bob", against="ann"), False),
        (doing(who="ann", secret=True), False),
        (doing(who="ann", by_gm=True), False),
        (doing(Damaged("ann", "hp", 1)), True),
        (doing(Damaged("bob", "hp", 1)), False),
        (doing(Healed("bob", "hp", 1)), False),
        (doing(TrackChanged("bob", "hp", 1)), False),
        (doing(TrackChanged("dan", "hp", 1)), True),
        (doing(Judged("ann", "hide", "seen", 12)), True),
        (doing(Judged("ann", "hide", "seen", 12, against="bob")), False),
        (doing(TurnBegan("bob")), True),
    ],
)
def test_a_player_foresees_nothing_that_hangs_on_numbers_of_others(
    procedure: Any, foreseen: bool
) -> None:
    rulebook = with_action("try", procedure, interjection=True)
    spec = fight(rulebook, dice=DiceSettings()).begin()
    told = spec.live.preview(Act("ann", "try"), spec.context(ANNA)).recorded
    assert (Noted("and then") in [recorded.event for recorded in told]) is foreseen


@pytest.mark.parametrize(("plays", "foreseen"), [(("ann",), False), (("ann", "bob"), True)])
def test_orders_of_others_are_theirs_to_know(plays: tuple[str, ...], foreseen: bool) -> None:
    spec = Spec(TOY).given(ANN, BOB, declare=False).begin()
    spec.orders("bob", StandingOrder("snap", "pass"))
    by = Caller("a", "player", plays)
    told = spec.live.preview(Act("ann", "dash"), spec.context(by)).recorded
    assert bool([recorded for recorded in told if isinstance(recorded.event, Answered)]) is foreseen


# ---- all options


def chosen(spec: Spec, by: Caller) -> set[tuple[str, str, str]]:
    return {(offer.who, offer.kind, offer.option.id) for offer in spec.live.all_options(by)}


def test_every_reason_against_it_is_told() -> None:
    def refusals(play: Play, who: Id, inputs: NoInputs) -> Iterator[Illegal]:
        yield Illegal("TOY-01", "too-far", "it is too far")
        yield Illegal("TOY-02", "too-late", "it is too late")

    action = Action("fly", refusals=refusals, procedure=doing(), interjection=True)
    spec = fight(replace(TOY, actions={**TOY.actions, "fly": action})).begin()
    assert spec.refusals("ann", "fly") == {("TOY-01", "too-far"), ("TOY-02", "too-late")}


def test_each_is_offered_what_is_theirs_and_the_gm_everything() -> None:
    spec = fight().begin().act("ann", "plead")
    rulings = {("", "ruling", id) for id in TOY.rulings}
    actions = {
        (who, "interjection" if action.interjection else "turn", id)
        for who in ("ann", "bob", "cyd", "dan")
        for id, action in TOY.actions.items()
    }
    asked = {("", "ruling", "yes"), ("", "ruling", "no")}
    assert chosen(spec, GM) == rulings | actions | asked
    assert chosen(spec, ANNA) == {action for action in actions if action[0] == "ann"}
    assert chosen(spec, Caller("s", "spectator")) == set()


def test_an_answer_that_can_be_changed_is_offered_still() -> None:
    spec = Spec(TOY).given(ANN, BOB, CYD).begin()  # everybody declares in secret

    def offered() -> set[tuple[str | None, str, bool]]:
        every = [(offer, offer.option.id) for offer in spec.live.all_options(ANNA)]
        return {
            (offer.prompt, id, bool(offer.legal)) for offer, id in every if id in ("strike", "hold")
        }

    open_to_ann = {("ann:1", "strike", True), ("ann:1", "hold", True)}
    assert offered() == open_to_ann
    spec.act("ann", "hold")
    assert offered() == open_to_ann
    spec.act("ann", "strike", target="bob").act("bob", "hold")
    assert offered() == open_to_ann
    spec.act("cyd", "hold", ("attack", 1))  # the last answer ends the declarations
    assert ("ann:1", "hold", True) not in offered()
