"""Test morale checks, their causes, and retreats (SOV-MOR)."""

from typing import Any

import pytest

from tests.rulesets.sovereign.units import end, fight, hero, npc
from tests.spec import Spec, rule


def gang(spec: Spec, *members: dict[str, Any], **options: Any) -> list[str]:
    """Begin Ana's turn against a gang of NPCs, and return their names.

    The NPCs are named G1, G2 and so on. Each has 8 hit points and the fields of its entry in
    `members`.
    """
    pack = [
        npc(f"G{n}", at=[n, 0], max_hp=8, **{"morale": "normal", **fields})
        for n, fields in enumerate(members, 1)
    ]
    fight(spec, hero("Ana", at=[9, 9]), *pack, rulings="ask", **options)
    return [entry["name"] for entry in pack]


def rulings(spec: Spec) -> list[str]:
    return [name for kind, name, _ in spec.open() if kind == "ruling"]


def round_on(spec: Spec, *gang: str) -> None:
    """End the turns of the gang and Ana. Her side's turn begins again."""
    end(spec, *gang, "Ana")


@rule("SOV-MOR-02")
@pytest.mark.parametrize(("lost", "asked"), [(3, []), (4, ["morale-individual"])])
def test_half_the_hit_points_are_enough(spec: Spec, lost: int, asked: list[str]) -> None:
    gang(spec, {}, {}, {}, {})
    spec.rule("damage", who="G1", amount=lost)  # 3 × 2 < 8, 4 × 2 = 8
    end(spec, "Ana")
    assert rulings(spec) == asked


@rule("SOV-MOR-02")
def test_one_is_asked_about_once(spec: Spec) -> None:
    pack = gang(spec, {}, {}, {}, {})
    spec.rule("damage", who="G1", amount=4)
    end(spec, "Ana")
    spec.answer(None, "fight-on")
    assert not spec["G1"].has("retreating")
    round_on(spec, *pack)
    assert rulings(spec) == []


@rule("SOV-MOR-02", "SOV-MOR-03", "SOV-MOR-04")
def test_the_questions_about_one_and_about_its_group_do_not_contradict(spec: Spec) -> None:
    """If G2 does not retreat alone, the GM still gets the prompt for its group.

    Both prompts tell the GM how to rule a retreat.
    """
    gang(spec, {}, {}, {})
    spec.rule("damage", who="G1", amount=8)
    spec.rule("damage", who="G2", amount=4)
    end(spec, "Ana")
    (alone,) = (prompt for prompt in spec.combat.prompts.values() if prompt.kind == "ruling")
    assert alone.text.startswith("G2 has lost half its hit points. Does it retreat on its own? ")
    spec.answer(None, "fight-on")
    (group,) = (prompt for prompt in spec.combat.prompts.values() if prompt.kind == "ruling")
    assert "Does the rest retreat (G2, G3)? " in group.text
    assert alone.text.endswith("then rule that it leaves.")
    assert group.text.endswith("then rule that it leaves.")


@rule("SOV-MOR-01")
def test_without_the_option_nobody_is_asked_about(spec: Spec) -> None:
    gang(spec, {}, {}, morale_prompts=False)
    spec.rule("damage", who="G1", amount=8)
    spec.rule("damage", who="G2", amount=4)
    end(spec, "Ana")
    assert rulings(spec) == []


@rule("SOV-MOR-03")
@pytest.mark.parametrize(
    ("dead", "among", "asked"), [(1, 4, False), (1, 3, True), (1, 6, False), (2, 6, True)]
)
def test_a_third_of_the_group_is_enough(spec: Spec, dead: int, among: int, asked: bool) -> None:
    pack = gang(spec, *({} for _ in range(among)))
    for name in pack[:dead]:
        spec.rule("damage", who=name, amount=8)
    end(spec, "Ana")
    assert rulings(spec) == (["morale-group"] if asked else [])


@rule("SOV-MOR-03")
def test_a_group_is_asked_about_again_at_each_further_loss(spec: Spec) -> None:
    pack = gang(spec, {}, {}, {}, {}, {})
    for name in pack[:2]:
        spec.rule("damage", who=name, amount=8)
    end(spec, "Ana")
    spec.answer(None, "fight-on")
    round_on(spec, *pack[2:])
    assert rulings(spec) == []  # nobody else has fallen
    spec.rule("damage", who="G3", amount=8)
    round_on(spec, *pack[3:])
    assert rulings(spec) == ["morale-group"]


@rule("SOV-MOR-03", "SOV-MOR-05")
def test_those_of_the_group_retreat_who_still_can(spec: Spec) -> None:
    gang(spec, {}, {}, {}, {"morale": "fearless"})
    spec.rule("morale", combatant="G1")
    spec.rule("damage", who="G2", amount=8)
    end(spec, "Ana")
    spec.answer(None, "retreat")  # 2 × 3 ≥ 4
    assert [name for name in ("G1", "G2", "G3", "G4") if spec[name].has("retreating")] == [
        "G1",
        "G3",
    ]


@rule("SOV-MOR-03")
def test_of_a_group_that_retreats_as_a_whole_nothing_is_asked(spec: Spec) -> None:
    pack = gang(spec, {}, {}, {})
    for name in pack:
        spec.rule("morale", combatant=name)
    end(spec, "Ana")
    assert rulings(spec) == []


@rule("SOV-MOR-04")
def test_a_group_with_somebody_of_the_players_is_never_asked_about(spec: Spec) -> None:
    gang(spec, {}, {}, {"morale": "player"})
    spec.rule("damage", who="G1", amount=8)
    end(spec, "Ana")
    assert rulings(spec) == []
