"""Test that the offers of an open prompt have legal inputs."""

from collections.abc import Mapping, Sequence
from typing import Any

from domain.record.combat import Json
from tests.rulesets.definitions.units import BITE, SHIELD, SWORD, end, fight, fighter, foe
from tests.spec import GM, Spec


def offered(spec: Spec, who: str | None, option: str) -> Sequence[Mapping[str, Json]]:
    """Return the legal inputs of an option."""
    offers = spec.live.all_options(GM) if who is None else spec.live.options(who)
    (offer,) = (offer for offer in offers if offer.option.id == option)
    return offer.legal


def test_a_turn_offers_what_the_catalogue_says(spec: Spec) -> None:
    """The turn offers no reactions or interruptions."""
    fight(spec, fighter("Ana"), foe("Orc"))
    (turn,) = (question for question in spec.ruleset.catalogue.questions if question.name == "turn")
    assert list(turn.actions) == [option.id for option in spec.prompt().options]
    assert "attack" in turn.actions
    assert "aoo" not in turn.actions


def test_what_may_come_between(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc"))
    offers = spec.live.all_options(GM)
    assert {offer.option.id for offer in offers if offer.kind == "interjection"} <= {
        "aoo", "cast-spell", "counterspell", "grapple-escape", "report-trigger",
        "resume-from-delay", "use-ability",
    }  # fmt: skip


def test_arms_for_an_opportunity(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc", weapons=[SWORD, BITE], shield=SHIELD))
    spec.act("Ana", "move", path=[[-1, 0]])
    assert offered(spec, "Orc", "aoo") == (
        {},
        {"weapon": "sword"},
        {"weapon": "bite"},
        {"action": "shield-bash", "shield": "shield"},
    )


def test_who_may_threaten_where_places_are_missing(spec: Spec) -> None:
    fight(spec, fighter("Ana", at=None), foe("Orc", weapons=[BITE]), rulings="ask")
    spec.act("Ana", "drop-prone")
    assert offered(spec, None, "names") == ({"names": ["Orc"]},)


def test_entries_that_counter(spec: Spec) -> None:
    undo: dict[str, Any] = {"id": "undo", "name": "Undo", "counterspell": {}}
    bolt = {"id": "bolt", "name": "Bolt", "damage": "1"}
    fight(spec, fighter("Ana", spells=[bolt]), foe("Orc", abilities_list=[undo]))
    spec.act("Ana", "cast-spell", spell="bolt", targets=["Orc"])
    assert offered(spec, "Orc", "counterspell") == ({"ability": "undo"},)


def test_targets_weapons_and_stances_of_an_attack(spec: Spec) -> None:
    fight(spec, fighter("Ana", weapons=[SWORD]), foe("Orc"))
    attack = {"target": "Orc", "weapon": "sword"}
    stances = ({**attack, "stance": "reckless"}, {**attack, "stance": "defensive"})
    assert offered(spec, "Ana", "attack") == (attack, *stances)


def test_moves_of_one_without_a_place(spec: Spec) -> None:
    fight(spec, fighter("Ana", at=None), foe("Orc"))
    assert offered(spec, "Ana", "move") == ({"path": []},)
    assert offered(spec, "Ana", "five-foot-step") == ({},)
    end(spec, "Ana")


def test_a_charge_is_proposed_from_the_near_side(spec: Spec) -> None:
    """The examples of a charge begin with the nearest square next to the foe.

    A square behind the foe comes later, because the way to it provokes a strike (DEF-AOO-01).
    """
    fight(spec, fighter("Ana", at=[5, 0], weapons=[SWORD]), foe("Orc", at=[0, 0], weapons=[SWORD]))
    proposed = [example["to"] for example in offered(spec, "Ana", "charge")]
    assert proposed[0] == [1, 0, 0]  # the straightest path to a square next to it
    assert [-1, 1, 0] in proposed  # the order does not change the legal squares


def test_a_charge_past_another_foe_is_proposed_late(spec: Spec) -> None:
    """The examples of a charge begin with a path on which no foe can strike.

    The Rat threatens the squares next to it, but no square along `y = -1`.
    """
    rat = foe("Rat", at=[3, 1], weapons=[BITE])
    fight(spec, fighter("Ana", at=[6, -1], weapons=[SWORD]), foe("Orc", at=[0, 0]), rat)
    ends = [inputs["to"] for inputs in offered(spec, "Ana", "charge") if inputs["target"] == "Orc"]
    assert ends[0] == [1, -1, 0]  # the path along y = -1
    assert ends.index([0, -1, 0]) < ends.index([1, 0, 0])  # longer, but past nobody
