"""Test which combatants get a prompt in a window, and their options (SOV-INST)."""

from typing import Any

import pytest

from domain.record.combat import StandingOrder
from domain.record.events import Judged, Moved, Rolled
from tests.rulesets.sovereign.units import (
    DAGGER,
    PASS,
    SPEAR,
    SWORD,
    end,
    fight,
    hero,
    main,
    npc,
    weapon,
)
from tests.spec import Spec, rule


def ability(trigger: str, window: str, *kinds: str) -> dict[str, Any]:
    return {
        "id": "gift", "name": "Gift", "trigger": trigger, "windows": [window], "uses": 3,
        "effects": [{"type": kind, "value": 1} for kind in kinds or ("modifier",)],
    }  # fmt: skip


def asked(spec: Spec) -> list[str | None]:
    return [who for _, name, who in spec.open() if name == "instant"]


@rule("SOV-INST-02")
@pytest.mark.parametrize(
    ("trigger", "who"),
    [
        ("own-attack", ["Ana"]),
        ("attack-against-self", ["Orc"]),
        ("any", ["Ana", "Bo", "Orc", "Imp"]),
    ],
)
def test_which_part_in_an_attack_an_ability_needs(spec: Spec, trigger: str, who: list[str]) -> None:
    gift = [ability(trigger, "attack-rolled")]
    fight(
        spec,
        hero("Ana", weapons=[SWORD], abilities=gift, disciplined=False),
        hero("Bo", at=[0, 1], abilities=gift, disciplined=False),
        npc("Orc", abilities=gift),
        npc("Imp", at=[1, 1], abilities=gift),
    )
    for name in ("Ana", "Bo", "Orc", "Imp"):
        spec.orders(name, StandingOrder("instant", "pass", when={"window": "declared"}))
    spec.act("Ana", "melee-attack", ("attack", 2), target="Orc")
    offered = [
        prompt.who
        for prompt in spec.live.open_prompts().values()
        if any(option.id == "use-ability" for option in prompt.options)
    ]
    assert offered == who


@rule("SOV-INST-02")
def test_nobody_is_asked_about_an_attack_on_who_has_left(spec: Spec) -> None:
    gift = [ability("any", "declared")]
    fight(
        spec, hero("Ana", weapons=[SWORD]), npc("Orc"), npc("Imp", at=[1, 1], abilities=gift),
        asks=("Imp",),
    )  # fmt: skip
    spec.act("Ana", "melee-attack", target="Orc")
    assert asked(spec) == ["Orc", "Imp"]
    spec.leave("Orc")
    assert asked(spec) == []


@rule("SOV-INST-02", "SOV-INST-01")
@pytest.mark.parametrize("trigger", ["own-attack", "attack-against-self"])
def test_a_skill_is_no_attack(spec: Spec, trigger: str) -> None:
    gift = [ability(trigger, "rolled")]
    fight(
        spec, hero("Ana", abilities=gift), npc("Orc", at=[9, 9], abilities=gift),
        asks=("Ana", "Orc"),
    )  # fmt: skip
    spec.act(
        "Ana", "use-skill", ("skill", 3, 3), skill="sneak", attribute="dex", opposed_by="Orc"
    )  # fmt: skip
    assert asked(spec) == []


@rule("SOV-INST-02", "SOV-SHOVE-01")
def test_nor_is_the_check_of_a_shove(spec: Spec) -> None:
    gift = [ability("attack-against-self", "rolled")]
    fight(
        spec, hero("Ana", weapons=[SWORD]), npc("Orc", abilities=gift), asks=("Orc",)
    )  # fmt: skip
    spec.orders(
        "Orc",
        *(
            StandingOrder("instant", "pass", when={"window": window})
            for window in ("declared", "attack-rolled")
        ),
    )
    spec.act("Ana", "shove", ("attack", 15), ("shove", 6, 6), target="Orc", result="prone")
    assert asked(spec) == []
    assert spec["Orc"].has("prone")


@rule("SOV-ACT-07", "SOV-INST-03")
def test_before_the_fight_there_are_no_instants(spec: Spec) -> None:
    again = [ability("any", "rolled", "reroll")]
    spec.given(
        hero("Pia", weapons=[DAGGER], abilities=again),
        npc("Guard", alertness="unsuspecting", abilities=again),
    )
    spec.act("Pia", "prepare-execution", target="Guard")
    spec.rule("advance-time", seconds=60)
    spec.act("Pia", "execution-attack", ("save", 16), target="Guard")
    assert spec.open() == []
    assert spec.hp("Guard") == 6  # 10 − 4


@rule("SOV-ACT-07", "SOV-INST-02")
def test_an_ability_that_the_gm_finds_one_too_many_changes_nothing(spec: Spec) -> None:
    gift = [ability("any", "attack-rolled", "miss-to-hit")]
    fight(
        spec, hero("Ana", weapons=[SWORD], abilities=gift), npc("Orc"), asks=("Ana",),
        rulings="ask", ask_instant_actions_after=0,
    )  # fmt: skip
    spec.act("Ana", "melee-attack", ("attack", 2), target="Orc")
    spec.answer("Ana", "use-ability", ability="gift")
    assert spec.open() == [("ruling", "plausible", None)]
    spec.answer(None, "refuse")
    assert spec.hp("Orc") == 10
    assert spec.open() == [("turn", "turn", "Ana")]


@rule("SOV-HOLD-02", "SOV-INST-08")
def test_a_held_turn_that_names_no_square_comes_before_the_run(spec: Spec) -> None:
    fight(spec, hero("Ana", at=[5, 5]), npc("Orc"), asks=("Ana",))
    spec.act("Ana", "hold-action")
    end(spec, "Ana")
    spec.act("Orc", "run", path=[[1, 1], [2, 2]])
    spec.answer("Ana", "trigger-held")
    assert ("turn", "turn", "Ana") in spec.open()
    assert spec["Orc"].position == (1, 0, 0)
    end(spec, "Ana")
    assert [moved.path for moved in spec.events(Moved)] == [((1, 1, 0),), ((2, 2, 0),)]


@rule("SOV-CHG-07")
def test_a_charger_who_is_knocked_down_does_not_strike_from_there(spec: Spec) -> None:
    pole = weapon("pole", "1d10", reach_ft=15)
    fight(
        spec, hero("Ana", weapons=[pole]), npc("Imp", at=[0, 1], weapons=[SWORD]),
        npc("Orc", at=[3, 0]),
    )  # fmt: skip
    spec.act("Ana", "charge", to=[2, 0], target="Orc")
    spec.rule("set-condition", combatant="Ana", condition="prone")
    spec.answer("Imp", "pass")
    assert spec.open() == [("turn", "turn", "Ana")]  # no attack is rolled
    assert main(spec, "Ana") == 0


@rule("SOV-TD-04", "SOV-INST-10")
def test_a_defense_at_the_end_of_too_long_a_chain_is_none(spec: Spec) -> None:
    """After eight nested snap attacks, a standing order for Total Defense has no effect."""
    lance = weapon("lance", "1d6", reach_ft=60)
    line = ["H0", "O0", "H1", "O1", "H2", "O2", "H3", "O3", "H4"]
    fight(
        spec,
        *(hero(name, at=[0, n], weapons=[lance]) for n, name in enumerate(line) if name[0] == "H"),
        *(
            npc(name, at=[2, n], weapons=[lance], disciplined=True)
            for n, name in enumerate(line)
            if name[0] == "O"
        ),
        npc("Rat", at=[3, 3], max_hp=30),
    )
    targets = {**{who: line[n - 1] for n, who in enumerate(line)}, "H4": "Rat"}
    for n, who in enumerate(line[1:], 1):
        snap = {"mode": "melee", "target": targets[who]}
        spec.orders(
            who,
            StandingOrder(
                "instant", "snap-attack", snap, against=line[n - 1], when={"window": "declared"}
            ),
            PASS,
        )
    late = StandingOrder("instant", "total-defense", against="H4", when={"window": "attack-rolled"})
    spec.orders("Rat", late, PASS)
    others = [("attack", 1)] * 8  # all miss
    spec.act("H0", "melee-attack", ("attack", 15), ("damage", 3), *others, target="Rat")
    assert [main(spec, name) for name in (*line, "Rat")] == [0] * 9 + [1]
    assert not spec["Rat"].has("total-defense")
    assert spec.events(Judged) == []
    assert spec.hp("Rat") == 27


@rule("SOV-INST-08", "SOV-SNAP-06")
def test_where_nobody_moves_a_square_is_no_matter(spec: Spec) -> None:
    fight(
        spec, npc("Orc", weapons=[SWORD], max_hp=30), hero("Ana", weapons=[SWORD]), asks=("Ana",)
    )  # fmt: skip
    end(spec, "Ana")
    spec.act("Orc", "melee-attack", target="Ana")
    thrown = [("attack", 15), ("damage", 2), ("attack", 2)]  # Ana's attack, then the Orc's
    spec.answer("Ana", "snap-attack", *thrown, target="Orc", at=[9, 9])
    assert spec.hp("Orc") == 28


# ---- the state of an attack


def stands(spec: Spec) -> list[tuple[str, str, int]]:
    """Return old outcome, new outcome and total of each event about the attack roll.

    The events are those of the last command. The roll itself has no old outcome.
    """
    return [
        (event.before if isinstance(event, Judged) else "", event.outcome, event.total)
        for event in spec.told()
        if isinstance(event, Judged) or (isinstance(event, Rolled) and event.purpose == "attack")
    ]


@rule("SOV-INST-04", "SOV-INST-10")
@pytest.mark.parametrize("first", ["blessing", "again"])
def test_what_is_added_stays_when_the_die_is_thrown_again(spec: Spec, first: str) -> None:
    blessing = {**ability("any", "attack-rolled"), "id": "blessing"}
    blessing["effects"] = [{"type": "modifier", "value": 3}]
    gifts = [blessing, {**ability("any", "attack-rolled", "reroll"), "id": "again"}]
    if first == "again":
        gifts.reverse()
    fight(
        spec,
        hero("Ana", weapons=[SWORD]),
        *(hero(who, at=[n, 9], abilities=[gifts[n]]) for n, who in enumerate(("Bo", "Cy"))),
        npc("Orc"),
        asks=("Bo", "Cy"),
    )
    late = StandingOrder("instant", "pass", when={"window": "declared"})
    for who in ("Bo", "Cy"):
        spec.orders(who, late)
    spec.act("Ana", "melee-attack", ("attack", 2), target="Orc")
    spec.answer("Bo", "use-ability", ability=gifts[0]["id"])
    spec.answer("Cy", "use-ability", ("attack", 7), ability=gifts[1]["id"])
    # 7 + 3 against AC 10: simultaneous, so the order does not matter
    assert stands(spec) == [("miss", "void", 2), ("", "miss", 7), ("miss", "hit", 10)]


@rule("SOV-INST-04")
@pytest.mark.parametrize("joining", [("Bo", "Cy"), ("Cy", "Bo")])
def test_what_needs_no_dice_takes_effect_first(spec: Spec, joining: tuple[str, str]) -> None:
    """Cy's weakness needs no die, so it takes effect before Bo's healing.

    The order in which they joined does not matter.
    """
    mend = {**ability("any", "declared"), "effects": [{"type": "heal", "dice": "1d4"}]}
    weaken = {**ability("any", "declared"), "effects": [
        {"type": "condition", "condition": "weak", "data": {"attack": -1}, "until": "round"},
    ]}  # fmt: skip
    gifts = {"Bo": mend, "Cy": weaken}
    fight(
        spec,
        npc("Orc", max_hp=9, weapons=[SWORD]),
        *(hero(who, at=[9, at], abilities=[gifts[who]]) for at, who in enumerate(joining)),
        hero("Ana"),
        party=1,
        asks=joining,
    )
    end(spec, "Bo", "Cy", "Ana")
    spec.act("Orc", "melee-attack", target="Ana")
    spec.answer("Bo", "use-ability", ability="gift", target="Ana")
    spec.answer("Cy", "use-ability", ability="gift", target="Orc")
    assert [(name, who) for _, name, who in spec.open()] == [("heal", "Bo")]
    assert spec["Orc"].has("weak")
    spec.answer("Bo", "roll", ("attack", 2), faces=[3])


@rule("SOV-INST-07", "SOV-TD-04")
def test_who_falls_after_a_miss_has_not_hit(spec: Spec) -> None:
    fight(
        spec,
        npc("Orc", max_hp=2, weapons=[SWORD]),
        hero("Ana", weapons=[SWORD]),
        hero("Bo", at=[2, 0], weapons=[SWORD]),
        npc("Imp", at=[9, 9]),
        asks=("Ana", "Bo"),
    )
    end(spec, "Ana", "Bo")
    late = StandingOrder("instant", "pass", when={"window": "declared"})
    for who in ("Ana", "Bo"):
        spec.orders(who, late)
    spec.act("Orc", "melee-attack", ("attack", 10), target="Ana")
    spec.answer("Bo", "pass").answer("Ana", "total-defense")
    assert stands(spec) == [("hit", "miss", 11)]  # against AC 12
    spec.answer("Bo", "snap-attack", ("attack", 15), ("damage", 2), target="Orc")
    assert stands(spec)[-1] == ("miss", "prevented", 11)
    assert spec.event(Judged, who="Orc").target == 12


@rule("SOV-TD-04", "SOV-INST-03")
def test_total_defense_while_the_die_is_awaited(spec: Spec) -> None:
    fight(spec, npc("Orc", weapons=[SPEAR]), hero("Ana"))
    end(spec, "Ana")
    spec.act("Orc", "melee-attack", target="Ana")
    assert spec.prompt("Orc").name == "attack"
    spec.act("Ana", "total-defense", ("attack", 10))
    assert stands(spec) == [("", "miss", 11)]  # 11 < 10 + 2
    assert spec.hp("Ana") == 10
