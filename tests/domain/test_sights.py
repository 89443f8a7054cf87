"""Test what one caller sees of successive states, and when Affray computes the view again."""

from collections.abc import Iterator, Mapping
from dataclasses import replace as remade
from typing import Any

import pytest
from msgspec.structs import replace

from domain.engine.caller import Caller
from domain.engine.redaction import Sight, allied_sides, redact, unseen_by, words_of
from domain.record.combat import (
    Combat,
    Combatant,
    Condition,
    Deadlines,
    ForcedRoll,
    Frame,
    Marker,
    OpenPrompt,
    Place,
    StandingOrder,
    Until,
)
from domain.rulebook.facts import combat_fact, fact
from tests.domain.toy import TOY

LEVELS: tuple[Any, ...] = ("all", "side", "owner", "gm")
RULEBOOK = remade(
    TOY,
    facts=tuple(
        made(f"of {level}", str, "", known_to=level, about="")
        for made in (fact, combat_fact)
        for level in LEVELS
    ),
)
FACTS: Mapping[str, str] = {f"of {level}": "so" for level in (*LEVELS, "nobody")}
MARKERS = tuple(Marker(f"{level}-1", "seen by Lurker", level) for level in LEVELS)
ORDERS = (StandingOrder("parry", "take"),)

ANN = Caller("a", "player", ("ann",))
LOOKER = Caller("s", "spectator")
GM = Caller("g", "gm")


def combatant(id: str, side: str, **more: Any) -> Combatant:
    return Combatant(id, id.title(), side, facts=FACTS, markers=MARKERS, orders=ORDERS, **more)


def asked(who: str | None, **more: Any) -> OpenPrompt:
    id = f"{who or 'gm'}:1"
    return OpenPrompt(
        id, more.pop("frame", 7), "turn", "turn", who, "Lurker comes", ("lurker:1", "wait"),
        "wait", {"by": "lurker", "at": 3}, ("TOY-01",),
        ("ann:1", "bob:1", "lurker:1", "gm:1"), **more,
    )  # fmt: skip


def state(**more: Any) -> Combat:
    """Return a state with Ann and Dan, their foes Bob and Imp, and Lurker on a third side.

    Imp and Lurker are hidden.
    """
    burning = Condition(
        "burning", "burning by lurker", {"by": "lurker", "dice": "1d6"},
        (Until("turn-end", "lurker", 2), Until("turn-end", "bob", 3)), "lurker",
    )  # fmt: skip
    everybody = (
        combatant("ann", "us", conditions=(burning,)),
        combatant("dan", "us"),
        combatant("bob", "foes"),
        combatant("imp", "foes", hidden=True),
        combatant("lurker", "shadows", hidden=True),
    )
    places = tuple(Place(who, (1,)) for who in ("imp", "ann", "lurker"))
    prompts = (asked("ann", behind="imp"), asked("bob", answer="wait", behind="ann", frame=9),
               asked("imp", frame=8), asked(None, frame=8))  # fmt: skip
    return replace(
        Combat(
            status="running", phase="turn of Lurker", round=3, sides=("us", "foes", "shadows"),
            winners=("us", "shadows"),
            combatants={combatant.id: combatant for combatant in everybody},
            order=places, queue=places, acting=("imp", "ann"), facts=FACTS,
            prompts={prompt.id: prompt for prompt in prompts}, asked={"ann": 1, "imp": 2, "": 3},
            frames=tuple(Frame(id, "flow", "turn", {"who": "imp"}) for id in (7, 8, 9)),
            stalled="the Imp", forced=(ForcedRoll("imp", "attack", (1,)),),
        ),
        **more,
    )  # fmt: skip


@pytest.fixture
def known() -> Combat:
    return redact(RULEBOOK, state(), ANN)


def test_the_gm_knows_all() -> None:
    assert redact(RULEBOOK, state(), GM) == state()
    assert Sight(RULEBOOK, GM).of(state()) == state()


def test_the_hidden_are_nowhere(known: Combat) -> None:
    assert list(known.combatants) == ["ann", "dan", "bob"]
    assert (known.sides, known.winners) == (("us", "foes"), ("us",))
    assert [place.who for place in (*known.order, *known.queue)] == ["ann", "ann"]
    assert known.acting == ("ann",)
    assert known.asked == {"ann": 1}
    assert known.phase == "turn of somebody"
    assert (known.stalled, known.forced) == (None, ())
    assert known.round == 3


def test_a_part_of_the_round_in_which_only_the_hidden_act_is_not_told() -> None:
    queue = (Place("imp", (5,)), Place("lurker", (5,)), Place("ann", (6,)))
    for places, phase in (
        (queue, "count"),
        ((*queue, Place("bob", (5,))), "count/5"),
        (queue[2:], "count/5"),
        ((), "count/5"),
    ):
        combat = redact(RULEBOOK, state(phase="count/5", queue=places), ANN)
        assert combat.phase == phase
    nobody_hidden = {"ann": state()["ann"]}
    combat = redact(RULEBOOK, state(phase="count/5", queue=(), combatants=nobody_hidden), ANN)
    assert combat.phase == "count/5"


@pytest.mark.parametrize(
    ("who", "levels"),
    [("ann", {"all", "side", "owner"}), ("dan", {"all", "side"}), ("bob", {"all"})],
)
def test_each_knows_of_each_what_is_theirs_to_know(
    known: Combat, who: str, levels: set[str]
) -> None:
    assert set(known[who].facts) == {f"of {level}" for level in levels}
    assert {marker.shown_to for marker in known[who].markers} == levels
    assert {marker.text for marker in known[who].markers} == {"seen by somebody"}
    assert known[who].orders == (ORDERS if who == "ann" else ())
    assert redact(RULEBOOK, state(), LOOKER)[who].facts == {"of all": "so"}
    assert redact(RULEBOOK, state(), GM)[who].facts == FACTS


def test_of_the_whole_combat_one_knows_what_all_know(known: Combat) -> None:
    assert known.facts == {"of all": "so"}
    waits = state(deadlines=Deadlines(combatants={"imp": 4}), labels=("ambush",))
    combat = redact(RULEBOOK, waits, ANN)
    assert (combat.deadlines, combat.labels) == (Deadlines(), ())
    stopped = state(deadlines=Deadlines(turn=60, stopped=True))
    assert redact(RULEBOOK, stopped, ANN).deadlines == Deadlines(stopped=True)


def test_of_a_rulebook_that_declares_nothing_all_is_told() -> None:
    combat = redact(remade(TOY, facts=()), state(), LOOKER)
    assert combat.facts == combat["bob"].facts == FACTS


def test_what_hangs_on_the_hidden_goes_with_them(known: Combat) -> None:
    (held,) = known["ann"].conditions
    assert held == Condition(
        "burning", "burning by somebody", {"dice": "1d6"},
        (Until("turn-end", None, 2), Until("turn-end", "bob", 3)), None,
    )  # fmt: skip
    bright = {
        who: replace(combatant, hidden=False) for who, combatant in state().combatants.items()
    }
    assert redact(RULEBOOK, state(combatants=bright), ANN)["ann"] == replace(
        bright["ann"],
        facts={name: "so" for name in FACTS if name not in ("of gm", "of nobody")},
        markers=MARKERS[:3],
    )


def test_questions_of_the_hidden_and_of_the_gm_are_none(known: Combat) -> None:
    prompt, other = known.prompts.values()
    assert (prompt.id, prompt.group, prompt.behind) == ("ann:1", ("ann:1", "bob:1"), None)
    assert (prompt.text, prompt.options, prompt.data) == ("somebody comes", ("wait",), {"at": 3})
    assert (prompt.default, prompt.rules, prompt.answer) == ("wait", ("TOY-01",), None)
    assert (other.id, other.group, other.behind) == ("bob:1", ("ann:1", "bob:1"), "ann")
    assert (other.text, other.options, other.data, other.default, other.rules, other.answer) == (
        "", (), {}, None, (), "",
    )  # fmt: skip
    assert [(frame.id, frame.procedure, frame.args) for frame in known.frames] == [
        (7, "", {}),
        (8, "", {}),  # the GM's prompt suspends the reader's
        (9, "", {}),
    ]
    prompts = {id: prompt for id, prompt in state().prompts.items() if prompt.who is not None}
    hidden = redact(RULEBOOK, state(prompts=prompts), ANN)
    assert [frame.id for frame in hidden.frames] == [7, 9]  # nothing reveals the imp's prompt
    waiting = replace(state().prompts["bob:1"], answer=None)
    combat = redact(RULEBOOK, state(prompts={"bob:1": waiting}), ANN)
    assert combat.prompts["bob:1"].answer is None


def test_who_is_not_seen_and_what_tells_of_them() -> None:
    combat = state()
    assert unseen_by(combat, ANN) == unseen_by(combat, LOOKER) == {"imp", "lurker"}
    assert unseen_by(combat, Caller("i", "player", ("imp",))) == {"lurker"}
    assert unseen_by(combat, GM) == frozenset()
    assert words_of(combat, unseen_by(combat, ANN)).words == {
        "imp", "Imp", "lurker", "Lurker", "shadows",
    }  # fmt: skip
    assert not words_of(combat, frozenset())
    assert allied_sides(combat, ANN) == {"us"}
    assert allied_sides(combat, LOOKER) == frozenset()


# ---- successive states


def moved(combat: Combat, who: str, **changes: Any) -> Combat:
    combatant = replace(combat[who], **changes)
    return replace(combat, combatants={**combat.combatants, who: combatant})


def course() -> Iterator[tuple[Combat, bool]]:
    """Yield states of a fight, each with true if visibility may have changed."""
    combat = state()
    yield combat, True
    yield combat, False
    yield replace(combat, round=4), False
    for changes, anew in (
        ({"position": (1, 2, 0)}, False),
        ({"facts": {"of all": "else"}}, False),
        ({"hidden": True}, True),
        ({"position": (2, 2, 0)}, False),
        ({"hidden": False}, True),
        ({"name": "Bobby"}, True),
        ({"side": "us"}, True),
        ({"owner": "anna"}, True),
        ({"left": True}, True),
    ):
        combat = moved(combat, "bob", **changes)
        yield combat, anew
    combat = moved(moved(combat, "bob", position=(3, 3, 0)), "dan", hidden=True)
    yield combat, True
    combat = moved(combat, "imp", position=(3, 3, 0))
    yield combat, False
    combat = replace(combat, combatants={**combat.combatants, "eve": combatant("eve", "us")})
    yield combat, True
    others = {who: combatant for who, combatant in combat.combatants.items() if who != "ann"}
    yield replace(combat, combatants={**others, "ann": combat["ann"]}), True
    yield replace(combat, combatants=others), True


@pytest.mark.parametrize(
    "caller", [ANN, LOOKER, GM, Caller("o", "player", owner="anna")], ids=lambda token: token.token
)
def test_whatever_was_seen_before_the_sight_is_the_same(caller: Caller) -> None:
    sight, looked = Sight(RULEBOOK, caller), 0
    for combat, anew in course():
        assert sight.of(combat) == redact(RULEBOOK, combat, caller)
        assert (sight.looked > looked) is anew
        looked = sight.looked
        assert sight.unseen == unseen_by(combat, caller)
        assert sight.unspoken == words_of(combat, sight.unseen)
        assert sight.allied == allied_sides(combat, caller)
        plays = [
            combatant.id for combatant in combat if caller.plays_of(combatant.id, combatant.owner)
        ]
        assert sight.mine == tuple(plays)


def test_who_is_as_before_is_told_as_the_same() -> None:
    sight, combat = Sight(RULEBOOK, ANN), state()
    before = sight.of(combat)
    after = sight.of(moved(combat, "bob", position=(5, 5, 0)))
    assert after["bob"].position == (5, 5, 0)
    assert after["ann"] is before["ann"]
    assert after["dan"] is before["dan"]
