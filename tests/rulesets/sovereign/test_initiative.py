"""Test initiative and the order of the sides (SOV-INIT, SOV-SEQ-09)."""

import pytest

from domain.engine.commands import Change
from domain.record.events import Rolled
from tests.rulesets.sovereign.units import FISTS, end, fight, hero, npc
from tests.spec import Spec, rule


def order(spec: Spec) -> list[tuple[str, int]]:
    """Return the order of the round: each combatant with the total of its side."""
    return [(place.who, place.key[0]) for place in spec.combat.order]


def to_come(spec: Spec) -> list[str]:
    return [place.who for place in spec.combat.queue]


def turns(spec: Spec) -> list[str | None]:
    return [who for kind, _, who in spec.open() if kind == "turn"]


@rule("SOV-INIT-01", "SOV-INIT-02", "SOV-INIT-03")
def test_only_the_living_of_the_party_add_their_dexterity(spec: Spec) -> None:
    spec.given(
        hero("Ana", modifiers={"dex": 1}),
        hero("Bo", modifiers={"dex": 3}, conditions=[{"id": "dead"}]),
        npc("Orc", modifiers={"dex": 2}),
        rulings="default",
    )
    spec.begin(("initiative", 4), ("initiative", 5))
    assert [rolled.total for rolled in spec.events(Rolled)] == [5, 5]  # 4 + 1, and 5 + 0
    assert order(spec) == [("Ana", 5), ("Bo", 5), ("Orc", 5)]


# ---- sides that come later


def three(spec: Spec) -> Spec:
    """Begin the turn of Ana and Bo, who have the total 8. Orc, with 1, is next."""
    return fight(spec, hero("Ana"), hero("Bo", at=[0, 1]), npc("Orc", at=[9, 9]))


@rule("SOV-SEQ-09")
def test_a_late_side_acts_this_round_when_its_place_is_yet_to_come(spec: Spec) -> None:
    three(spec).join(("initiative", 5), **npc("Elf", "elves", at=[20, 0]))
    assert order(spec) == [("Ana", 8), ("Bo", 8), ("Elf", 5), ("Orc", 1)]
    assert to_come(spec) == ["Ana", "Bo", "Elf", "Orc"]
    assert spec.combat.facts["initiative"] == {"party": 8, "foes": 1, "elves": 5}
    end(spec, "Ana", "Bo")
    assert turns(spec) == ["Elf"]


@rule("SOV-SEQ-09")
def test_a_late_side_waits_when_its_place_was_before_the_one_on_turn(spec: Spec) -> None:
    spec.given(hero("Ana"), npc("Orc", at=[9, 9]), rulings="default")
    spec.begin(("initiative", 4), ("initiative", 2))
    spec.join(("initiative", 8), **npc("Elf", "elves", at=[20, 0]))
    assert order(spec) == [("Elf", 8), ("Ana", 4), ("Orc", 2)]
    assert to_come(spec) == ["Ana", "Orc"]
    end(spec, "Ana")
    assert turns(spec) == ["Orc"]
    end(spec, "Orc")
    assert (spec.combat.round, turns(spec)) == (2, ["Elf"])


@rule("SOV-SEQ-09")
def test_the_last_place_is_never_over_while_somebody_is_on_turn(spec: Spec) -> None:
    three(spec)
    end(spec, "Ana", "Bo")
    spec.join(("initiative", 1), **npc("Elf", "elves", at=[20, 0]))
    end(spec, "Orc")
    assert (spec.combat.round, turns(spec)) == (1, ["Elf"])


@rule("SOV-SEQ-09", "SOV-INIT-03")
def test_a_party_that_comes_late_wins_its_tie_and_no_more(spec: Spec) -> None:
    spec.given(npc("Orc"), npc("Rat", "rats", at=[9, 9]), rulings="default")
    spec.begin(("initiative", 5), ("initiative", 3))
    spec.join(("initiative", 3), **hero("Ana", at=[20, 0]))
    assert order(spec) == [("Orc", 5), ("Ana", 3), ("Rat", 3)]


@rule("SOV-SEQ-09", "SOV-SEQ-08")
def test_a_side_that_comes_between_two_turns(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc", at=[9, 9]), rulings="ask")
    spec.rule("damage", who="Orc", amount=99)
    end(spec, "Ana")
    assert spec.open() == [("ruling", "end-combat", None)]
    spec.join(("initiative", 5), **npc("Elf", "elves", at=[20, 0]))
    spec.answer(None, "go-on")
    assert (spec.combat.round, turns(spec)) == (1, ["Elf"])


@rule("SOV-SEQ-09")
def test_when_all_have_acted_a_late_side_waits(spec: Spec) -> None:
    fight(spec, hero("Ana", unarmed=FISTS), npc("Orc"))
    spec.rule("set-condition", combatant="Orc", condition="grappled", data={"by": "Ana"})
    end(spec, "Ana", "Orc")
    assert spec.open() == [("roll", "grapple-damage", "Ana")]
    spec.join(("initiative", 1), **npc("Elf", "elves", at=[20, 0]))
    spec.answer("Ana", "roll", faces=[1])
    assert (spec.combat.round, turns(spec)) == (2, ["Ana"])
    assert to_come(spec) == ["Ana", "Orc", "Elf"]


@rule("SOV-SEQ-09", "SOV-INIT-01")
@pytest.mark.parametrize("side", ["rats", "party"])
def test_who_changes_to_a_new_side_rolls_for_it(spec: Spec, side: str) -> None:
    fight(spec, hero("Ana"), npc("Orc", at=[9, 9]), npc("Rat", at=[5, 5]))
    spec.do(Change("Rat", side=side))
    spec.act("Ana", "go-prone", *([("initiative", 4)] if side == "rats" else []))
    assert spec.combat.facts["order"] == (
        ["party", "rats", "foes"] if side == "rats" else ["party", "foes"]
    )


@rule("SOV-SEQ-09", "SOV-SEQ-04")
@pytest.mark.parametrize("who", ["Bo", "Rat"])
def test_who_changes_sides_takes_the_turn_of_the_new_one(spec: Spec, who: str) -> None:
    fight(spec, hero("Ana"), hero("Bo", at=[0, 1]), npc("Orc", at=[9, 9]), npc("Rat", at=[5, 5]))
    spec.do(Change(who, side="foes" if who == "Bo" else "party"))
    assert spec.combat.acting == (("Ana",) if who == "Bo" else ("Ana", "Bo", "Rat"))
    with spec.refused("SOV-SEQ-04", "not-your-turn"):
        spec.act("Bo" if who == "Bo" else "Orc", "go-prone")
    end(spec, *spec.combat.acting)
    assert spec.combat.acting == (("Bo", "Orc", "Rat") if who == "Bo" else ("Orc",))


@rule("SOV-SEQ-09", "SOV-SEQ-03")
def test_a_turn_that_is_over_does_not_come_again_with_another_side(spec: Spec) -> None:
    fight(spec, hero("Ana"), hero("Bo", at=[0, 1]), npc("Orc", at=[9, 9]), npc("Rat", at=[5, 5]))
    end(spec, "Bo", "Ana")
    spec.do(Change("Bo", side="foes")).do(Change("Orc", side="party"))
    assert list(spec.combat.acting) == ["Rat"]
    end(spec, "Rat")
    assert (spec.combat.round, list(spec.combat.acting)) == (2, ["Ana", "Orc"])
