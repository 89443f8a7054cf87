"""Test initiative, delays, rounds and the end (DEF-GEN, -INI, -DLY, -RND)."""

from typing import Any

import pytest

from domain.engine.commands import Change
from domain.record.events import FactSet, Rolled, RoundEnded, TurnBegan
from tests.rulesets.definitions.units import (
    SWORD,
    end,
    fight,
    fighter,
    foe,
    hold,
    order_of,
    shown,
    turn_of,
)
from tests.spec import Spec, rule


def three(spec: Spec, **fields: Any) -> Spec:
    """Begin with A, B and C in this order. B is a foe of A and C."""
    return fight(
        spec,
        fighter("A", at=[0, 0], **fields),
        foe("B", at=[5, 0]),
        fighter("C", at=[0, 5]),
    )


def goes(spec: Spec, who: str, dead: bool) -> None:
    """Let the GM remove or kill the combatant."""
    if dead:
        spec.rule("set-condition", who=who, condition="dead")
    else:
        spec.leave(who)


# ---- general


@rule("DEF-GEN-02")
def test_only_whose_turn_it_is_declares(spec: Spec) -> None:
    three(spec)
    with spec.refused("DEF-GEN-02", "not-your-turn"):
        spec.act("B", "move", path=[[6, 0]])


@rule("DEF-GEN-03")
def test_before_the_fight_only_rulings(spec: Spec) -> None:
    spec.given(fighter("A"), foe("B"), death_roll="all-equal")
    spec.rule("move", who="A", to=[3, 3])
    with spec.refused("DEF-GEN-03", "combat-not-begun"):
        spec.act("A", "cast-spell", spell="none")


@rule("DEF-GEN-04")
def test_after_the_fight_nothing_is_declared(spec: Spec) -> None:
    fight(spec, fighter("A"), foe("B")).end()
    for action in ("attack", "speak", "aoo", "report-trigger"):
        with spec.refused("DEF-GEN-04", "combat-ended"):
            spec.act("A", action)


@rule("DEF-GEN-04")
def test_the_end_is_offered_once_for_each_situation(spec: Spec) -> None:
    fight(spec, fighter("A"), foe("B"), foe("C", at=[4, 4]), rulings="ask")
    spec.rule("damage", who="B", amount=20, track="nld")
    assert spec.prompt().name == "turn"
    spec.rule("damage", who="C", amount=20, track="nld")
    assert (spec.prompt().name, spec.prompt().default) == ("end-combat", "end")
    spec.answer(None, "go-on")
    end(spec, "A")
    assert turn_of(spec) == "A"  # the GM gets no prompt in the next round
    spec.rule("heal", who="B", amount=20, track="both")
    spec.rule("damage", who="B", amount=20, track="nld")
    assert spec.prompt().name == "end-combat"  # two sides could fight in between
    spec.answer(None, "end")
    assert spec.combat.status == "ended"
    assert spec.combat.winners == ("heroes",)


@rule("DEF-GEN-04")
def test_while_nobody_stands_it_is_offered_every_round(spec: Spec) -> None:
    fight(spec, fighter("A"), foe("B"), rulings="ask")
    spec.rule("damage", who="B", amount=20, track="nld")
    spec.answer(None, "go-on")
    spec.rule("damage", who="A", amount=20, track="nld")
    spec.answer(None, "go-on")
    assert spec.prompt().name == "end-combat"
    assert spec.combat.round == 2
    spec.answer(None, "go-on")
    assert spec.combat.round == 3


@rule("DEF-GEN-05")
@pytest.mark.parametrize(
    ("score", "modifier"), [(10, 0), (11, 0), (18, 4), (9, -1), (8, -1), (1, -5)]
)
def test_modifiers_round_down(spec: Spec, score: int, modifier: int) -> None:
    spec.given(fighter("A", abilities={"wisdom": score}), death_roll="all-equal")
    assert shown(spec, "A")["wisdom_mod"] == modifier


@rule("DEF-GEN-07")
def test_nobody_begins_flat_footed(spec: Spec) -> None:
    fight(spec, fighter("A", weapons=[SWORD]), foe("B", armor_class={"dexterity": 3}))
    spec.act("A", "attack", ("attack", 12), target="B")
    assert spec.rolled("attack").target == 13
    spec.rule("set-condition", who="B", condition="flat-footed")
    end(spec, "A", "B")
    spec.act("A", "attack", ("attack", 9), target="B")
    assert spec.rolled("attack").target == 10


# ---- initiative


@rule("DEF-INI-01")
def test_everybody_rolls_in_the_order_of_joining(spec: Spec) -> None:
    spec.given(
        fighter("A", initiative_bonus=4),
        foe("B", abilities={"dexterity": 14}, initiative_bonus=None),
        death_roll="all-equal",
    )
    spec.begin(("initiative", 11), ("initiative", 18))
    assert [rolled.total for rolled in spec.events(Rolled)] == [15, 20]  # 11 + 4, 18 + 2
    assert order_of(spec) == ["B", "A"]


@rule("DEF-INI-02")
def test_rolled_once_for_all_rounds(spec: Spec) -> None:
    end(three(spec), "A", "B", "C")
    assert spec.combat.round == 2
    assert not spec.events(Rolled)
    assert order_of(spec) == ["A", "B", "C"]


@rule("DEF-INI-03", "DEF-INI-04", "DEF-INI-05")
def test_equals_roll_against_each_other_until_it_is_settled(spec: Spec) -> None:
    spec.given(
        fighter("A", initiative_bonus=4),
        foe("B", initiative_bonus=2),
        foe("C"),
        fighter("D"),
        death_roll="all-equal",
    )
    spec.begin(
        ("initiative", 11), ("initiative", 13), ("initiative", 18), ("initiative", 1),
        ("initiative-tie", 7), ("initiative-tie", 9),  # 11, 11
        ("initiative-tie", 20), ("initiative-tie", 12),  # A has 24, but stays behind C
    )  # fmt: skip
    assert order_of(spec) == ["C", "A", "B", "D"]


@rule("DEF-INI-03")
def test_of_two_groups_of_equals_the_higher_one_rolls_first(spec: Spec) -> None:
    spec.given(fighter("A"), foe("B"), fighter("C"), foe("D"), death_roll="all-equal")
    spec.begin(*[("initiative", face) for face in (5, 5, 15, 15)])
    assert spec.open() == [("roll", "initiative-tie", "C")]
    ties = [("initiative-tie", face) for face in (3, 4, 6, 8)]
    for (_, face), who in zip(ties, "CDAB", strict=True):
        spec.answer(who, "roll", faces=(face,))
    assert order_of(spec) == ["D", "C", "B", "A"]


@rule("DEF-INI-05")
def test_however_often_they_are_equal(spec: Spec) -> None:
    spec.given(fighter("A"), foe("B"), death_roll="all-equal")
    ties = [("initiative-tie", 5)] * 1000
    spec.begin(("initiative", 10), ("initiative", 10), *ties, *ties[:1], ("initiative-tie", 6))
    assert order_of(spec) == ["B", "A"]


@rule("DEF-INI-05")
def test_only_those_still_tied_roll_again(spec: Spec) -> None:
    spec.given(fighter("A"), foe("B"), foe("C"), death_roll="all-equal")
    spec.begin(
        ("initiative", 10), ("initiative", 10), ("initiative", 10),
        ("initiative-tie", 5), ("initiative-tie", 9), ("initiative-tie", 5),
        ("initiative-tie", 1), ("initiative-tie", 2),
    )  # fmt: skip
    assert order_of(spec) == ["B", "C", "A"]


@rule("DEF-INI-06", "DEF-INI-07")
def test_decimals(spec: Spec) -> None:
    spec.given(
        fighter("A", initiative_bonus=8),
        foe("B", initiative_bonus=9),
        foe("C", initiative_bonus=-2),
        death_roll="all-equal",
        initiative_decimals=True,
    )
    spec.begin(("initiative", 12), ("initiative", 11), ("initiative", 10))
    assert [shown(spec, who)["initiative"]["total"] for who in "ABC"] == [20.08, 20.09, 7.98]
    assert order_of(spec) == ["B", "A", "C"]  # nobody makes a tie roll


@rule("DEF-INI-08")
def test_newcomers_roll_at_once_and_slot_in(spec: Spec) -> None:
    three(spec)  # totals 20, 19, 18
    end(spec, "A")
    spec.join(("initiative", 17), **foe("D", at=[9, 9], initiative_bonus=5))  # 22 has passed
    spec.join(("initiative", 17), **foe("E", at=[9, 8]))
    assert order_of(spec) == ["D", "A", "B", "C", "E"]
    end(spec, "B", "C")
    assert turn_of(spec) == "E"
    end(spec, "E")
    assert turn_of(spec) == "D"


@rule("DEF-INI-08")
def test_a_newcomer_acts_before_who_comes_right_after_it(spec: Spec) -> None:
    spec.given(fighter("A"), foe("B", at=[5, 0]), fighter("C", at=[0, 5]), death_roll="all-equal")
    spec.begin(("initiative", 20), ("initiative", 10), ("initiative", 5))
    spec.join(("initiative", 15), **foe("D", at=[9, 9]))
    assert order_of(spec) == ["A", "D", "B", "C"]
    assert turn_of(end(spec, "A")) == "D"
    assert turn_of(end(spec, "D")) == "B"


@rule("DEF-INI-08", "DEF-INI-03")
def test_a_newcomer_ties_with_one_or_comes_after_a_settled_group(spec: Spec) -> None:
    three(spec)
    spec.join(
        ("initiative", 19), ("initiative-tie", 4), ("initiative-tie", 5), **foe("D", at=[9, 9])
    )  # B rolls first, because it joined first
    assert order_of(spec) == ["A", "D", "B", "C"]
    spec.join(("initiative", 19), **foe("E", at=[9, 8]))
    assert order_of(spec) == ["A", "D", "B", "E", "C"]


@rule("DEF-INI-01")
@pytest.mark.parametrize("dead", [False, True])
def test_who_is_gone_rolls_no_initiative(spec: Spec, dead: bool) -> None:
    spec.given(fighter("A"), foe("B", at=[5, 0]), fighter("C", at=[0, 5]), death_roll="all-equal")
    spec.begin(("initiative", 12))
    assert spec.open() == [("roll", "initiative", "B")]
    goes(spec, "B", dead)
    assert spec.open() == [("roll", "initiative", "C")]
    assert order_of(spec.answer("C", "roll", faces=(13,))) == ["C", "A"]


@rule("DEF-INI-03", "DEF-INI-05")
@pytest.mark.parametrize("dead", [False, True])
def test_who_is_gone_rolls_against_nobody(spec: Spec, dead: bool) -> None:
    spec.given(fighter("A"), foe("B", at=[5, 0]), fighter("C", at=[0, 5]), death_roll="all-equal")
    spec.begin(*[("initiative", 12)] * 3)
    goes(spec, "A", dead)
    assert spec.open() == [("roll", "initiative-tie", "B")]
    spec.answer("B", "roll", faces=(4,))
    goes(spec, "B", dead)  # nobody is left to roll against
    assert order_of(spec) == ["C"]


@rule("DEF-INI-05")
@pytest.mark.parametrize("dead", [False, True])
def test_an_open_tie_roll_stays_while_somebody_is_left_to_roll_against(
    spec: Spec, dead: bool
) -> None:
    spec.given(fighter("A"), foe("B", at=[5, 0]), fighter("C", at=[0, 5]), death_roll="all-equal")
    spec.begin(*[("initiative", 12)] * 3, ("initiative-tie", 5))
    asked = spec.prompt(name="initiative-tie")
    goes(spec, "A", dead)
    assert spec.prompt(name="initiative-tie") == asked
    spec.answer("B", "roll", faces=(4,)).answer("C", "roll", faces=(9,))
    assert order_of(spec) == ["C", "B"]


@rule("DEF-INI-08")
@pytest.mark.parametrize("dead", [False, True])
def test_a_newcomer_who_is_gone_rolls_no_initiative(spec: Spec, dead: bool) -> None:
    three(spec)
    spec.join(**foe("D", at=[9, 9]))
    goes(spec, "D", dead)
    assert spec.events(FactSet, who="D", key="initiative") == []
    spec.join(("initiative", 19), **foe("E", at=[9, 8]))
    assert spec.prompt(name="initiative-tie").who == "B"
    goes(spec, "E", dead)
    assert order_of(spec) == ["A", "B", "C"]
    assert turn_of(spec) == "A"


# ---- delay


@rule("DEF-DLY-01")
def test_delay_before_any_action(spec: Spec) -> None:
    three(spec)
    spec.act("A", "speak", text="wait")
    with spec.refused("DEF-DLY-01", "cannot-delay"):
        spec.act("A", "delay")


@rule("DEF-DLY-01")
def test_an_immediate_action_of_the_own_turn_is_an_action(spec: Spec) -> None:
    flash = {"id": "flash", "name": "Flash", "cost": "immediate", "damage": "1"}
    fight(spec, fighter("A", abilities_list=[flash]), foe("B"))
    end(spec, "A")
    spec.act("A", "use-ability", ability="flash", targets=["B"])  # in another's turn: its own round
    end(spec, "B")
    spec.act("A", "delay").undo()
    spec.act("A", "use-ability", ability="flash", targets=["B"])
    with spec.refused("DEF-DLY-01", "cannot-delay"):
        spec.act("A", "delay")


@rule("DEF-DLY-02", "DEF-DLY-03")
def test_its_turn_start_is_not_repeated_and_its_budget_is_whole(spec: Spec) -> None:
    three(spec)
    spec.act("A", "delay").act("B", "end-turn")
    spec.answer("A", "act-now")
    assert shown(spec, "A")["budget"]["standard"] == 1
    assert len([event for event in spec.told() if isinstance(event, TurnBegan)]) == 1
    assert spec.combat.round == 1
    spec.act("A", "move", path=[[1, 0]])


@rule("DEF-DLY-04")
def test_asked_after_each_later_turn_only(spec: Spec) -> None:
    three(spec)
    spec.act("A", "delay")
    assert turn_of(spec) == "B"
    with spec.refused("DEF-DLY-04", "cannot-resume"):
        spec.act("A", "resume-from-delay")
    end(spec, "B")
    assert spec.open() == [("choice", "resume", "A")]
    assert spec.prompt().default == "wait"
    spec.answer("A", "wait")
    assert turn_of(spec) == "C"


@rule("DEF-DLY-04")
def test_the_action_does_what_the_answer_does(spec: Spec) -> None:
    three(spec)
    spec.act("A", "delay").act("B", "end-turn")
    spec.act("A", "resume-from-delay")
    assert turn_of(spec) == "A"
    assert order_of(spec) == ["B", "A", "C"]


@rule("DEF-DLY-04")
def test_several_delayers_in_initiative_order(spec: Spec) -> None:
    three(spec)
    spec.act("A", "delay").act("B", "delay")
    assert spec.open() == [("choice", "resume", "A")]
    spec.answer("A", "wait").act("C", "end-turn")
    spec.answer("A", "wait")
    assert spec.open() == [("choice", "resume", "B")]
    spec.answer("B", "act-now")
    spec.act("B", "end-turn")
    assert spec.open() == [("choice", "resume", "A")]  # B's delayed turn counts as a turn


@rule("DEF-DLY-05")
def test_the_place_moves_for_good(spec: Spec) -> None:
    three(spec)
    spec.act("A", "delay").act("B", "end-turn")
    spec.answer("A", "wait").act("C", "end-turn")
    spec.answer("A", "act-now")
    end(spec, "A")
    assert order_of(spec) == ["B", "C", "A"]
    assert turn_of(spec) == "B"
    assert spec.combat.round == 2


@rule("DEF-DLY-06")
def test_waited_to_the_end_the_turn_is_lost(spec: Spec) -> None:
    three(spec)
    spec.act("A", "delay").act("B", "end-turn")
    spec.answer("A", "wait").act("C", "end-turn")
    spec.answer("A", "wait")
    assert spec.combat.round == 2
    assert turn_of(spec) == "A"
    assert order_of(spec) == ["A", "B", "C"]
    assert not spec["A"].has("delaying")


@rule("DEF-DLY-02", "DEF-DLY-04")
@pytest.mark.parametrize("how", ["condition", "order"])
def test_nobody_has_two_turns_by_the_gms_hand(spec: Spec, how: str) -> None:
    three(spec)
    if how == "condition":  # B holds an action before its first turn
        spec.rule("set-condition", who="B", condition="delaying")
        end(spec, "A")
    else:  # B has delayed, and keeps its turn
        end(spec, "A")
        spec.act("B", "delay")
        spec.rule("set-order", order=["C", "B"])
        end(spec, "C")
    assert spec.open() == [("turn", "turn", "B")]
    assert not spec["B"].has("delaying")
    spec.act("B", "move", path=[[6, 0]])
    end(spec, "B")
    assert turn_of(spec) == ("C" if how == "condition" else "A")


@rule("DEF-DLY-07")
def test_a_resumed_turn_is_not_delayed_again(spec: Spec) -> None:
    three(spec)
    spec.act("A", "delay").act("B", "end-turn")
    spec.answer("A", "act-now")
    with spec.refused("DEF-DLY-07", "cannot-delay"):
        spec.act("A", "delay")


@rule("DEF-DLY-07")
def test_who_delays_still_reacts(spec: Spec) -> None:
    fight(spec, fighter("A", weapons=[SWORD]), foe("B"), fighter("C", at=[9, 9]))
    spec.act("A", "delay")
    spec.act("B", "move", path=[[2, 0]])
    assert spec.open() == [("reaction", "reaction", "A")]


# ---- rounds


@rule("DEF-RND-01")
def test_a_round_is_over_when_all_had_their_turn(spec: Spec) -> None:
    three(spec)
    end(spec, "A", "B")
    assert spec.combat.round == 1
    end(spec, "C")
    assert spec.combat.round == 2
    assert spec.event(RoundEnded).round == 1


@rule("DEF-RND-02")
def test_limits_of_a_round_count_in_the_own_round(spec: Spec) -> None:
    fight(
        spec,
        fighter("A"),
        foe("B", weapons=[SWORD]),
        fighter("C", at=[0, 1]),
    )  # fmt: skip
    spec.act("A", "move", path=[[-1, 0]])
    spec.answer("B", "aoo", ("attack", 2))
    end(spec, "A")  # B's turn restores its immediate action
    assert shown(spec, "B")["immediates_used"] == 0
    end(spec, "B")
    spec.act("C", "move", path=[[0, 2]])
    assert spec.open() == [("reaction", "reaction", "B")]


@rule("DEF-RND-02", "DEF-TRN-02")
@pytest.mark.parametrize("gone", ["left", "dead"])
def test_what_lasts_to_the_turn_of_one_who_has_none_ends_with_the_round(
    spec: Spec, gone: str
) -> None:
    lasting = {"target": "ac", "value": 2, "until": "turn-start:A"}
    fight(
        spec, fighter("A"), fighter("B", at=[5, 5], modifiers=[lasting]), foe("C", at=[9, 9])
    )  # fmt: skip
    end(spec, "A")  # A's first turn has ended the modifier
    spec.do(Change("B", sheet={"modifiers": [lasting]}))
    if gone == "left":
        spec.leave("A")
    else:
        spec.rule("set-condition", who="A", condition="dead")
    end(spec, "B")
    assert shown(spec, "B")["ac"] == 12
    end(spec, "C")
    assert shown(spec, "B")["ac"] == 10


@rule("DEF-INI-08")
@pytest.mark.parametrize(("bonus", "next_turn"), [(5, "Gob"), (-2, "Max")])
def test_a_newcomer_after_the_turn_of_one_who_has_left(
    spec: Spec, bonus: int, next_turn: str
) -> None:
    """A newcomer acts in this round only if its place in the order has not passed.

    Ana has delayed, and Orc (18) has left after its turn. If Max joins with 25, Gob (17) acts next.
    If Max joins with 18, Max acts next.
    """
    fight(spec, fighter("Bo"), fighter("Ana"), foe("Orc"), foe("Gob", at=[9, 9]))
    end(spec, "Bo").act("Ana", "delay").act("Orc", "end-turn")
    spec.leave("Orc")
    assert spec.prompt().name == "resume"
    spec.join(("initiative", 20), **fighter("Max", at=[5, 5], initiative_bonus=bonus))
    spec.answer("Ana", "wait")
    assert turn_of(spec) == next_turn


@rule("DEF-HLD-08", "DEF-DLY-05")
@pytest.mark.parametrize(
    ("after", "order"),
    [("Bo", ["Cy", "Orc", "Bo", "Ana", "Gob"]), ("Gob", ["Cy", "Orc", "Bo", "Gob", "Ana"])],
)
def test_what_nobody_set_off_moves_its_holder_after_whose_turn_was_last(
    spec: Spec, after: str, order: list[str]
) -> None:
    """If a trigger comes between two turns, its holder moves to a new place in the order.

    The new place is directly after the combatant that acted last.
    """
    fight(
        spec, fighter("Ana"), fighter("Cy", at=[0, 9]), fighter("Bo", at=[9, 0]),
        foe("Orc"), foe("Gob", at=[9, 9]),
    )  # fmt: skip
    hold(spec, "Ana", "drop-prone", {"text": "a bell rings"}, slot="move")
    end(spec, "Ana").act("Cy", "delay").act("Bo", "delay")
    spec.answer("Cy", "wait").act("Orc", "end-turn")
    spec.answer("Cy", "wait").act("Bo", "resume-from-delay")
    assert turn_of(spec) == "Bo"
    assert "boundary" not in spec.combat.facts  # the time between two turns is over
    assert "resumes" not in spec["Bo"].facts
    end(spec, "Bo")
    if after == "Gob":
        spec.answer("Cy", "wait").act("Gob", "end-turn")
    assert spec.prompt().name == "resume"
    spec.act("Ana", "report-trigger").answer("Ana", "resolve")
    assert order_of(spec) == order


@rule("DEF-DLY-06")
def test_of_a_turn_that_was_delayed_to_the_end_of_the_round_nothing_is_left(spec: Spec) -> None:
    fight(spec, fighter("Ana"), fighter("Bo"), foe("Orc"))
    end(spec, "Ana").act("Bo", "delay").act("Orc", "end-turn")
    spec.answer("Bo", "wait")
    assert turn_of(spec) == "Ana"
    assert [shown(spec, "Bo")["budget"][kind] for kind in ("standard", "move", "swift")] == [0] * 3
