"""Test sides, rounds and surprise (SOV-SEQ, -INIT, -SURP, -ACT, -MOR)."""

from typing import Any

import pytest

from domain.engine.commands import Reply
from domain.errors import Closed, Illegal, Malformed, Unfitting
from domain.record.events import CombatEnded, EffectResolved, Prevented, Rolled, RoundBegan
from tests.rulesets.sovereign.units import (
    BOW,
    SPEAR,
    SWORD,
    ac,
    end,
    fight,
    hero,
    main,
    move,
    npc,
    passes,
    weapon,
)
from tests.spec import Spec, rule


def turns(spec: Spec) -> list[str | None]:
    return [who for kind, _, who in spec.open() if kind == "turn"]


# ---- sequence


@rule("SOV-SEQ-02", "SOV-SEQ-03", "SOV-SEQ-04")
def test_members_interleave_and_others_wait(spec: Spec) -> None:
    fight(spec, hero("A"), hero("B", at=[0, 5]), npc("Foe", at=[9, 9]))
    spec.act("A", "run", path=[[0, 1]])
    spec.act("B", "run", path=[[0, 6]])
    spec.act("A", "disengage")
    assert set(turns(spec)) == {"A", "B"}
    with spec.refused("SOV-SEQ-04", "not-your-turn"):
        spec.act("Foe", "run", path=[[8, 9]])
    end(spec, "A")
    assert turns(spec) == ["B"]
    with spec.refused("SOV-SEQ-04", "not-your-turn"):
        spec.act("A", "go-prone")
    end(spec, "B")
    assert turns(spec) == ["Foe"]


@rule("SOV-SEQ-02")
def test_a_prompt_keeps_its_id_while_a_team_mate_acts(spec: Spec) -> None:
    fight(spec, hero("Cole"), hero("Dara", at=[0, 5]), npc("Foe", at=[1, 0], weapons=[SPEAR]))
    assert list(spec.live.open_prompts()) == ["Cole:2", "Dara:1"]
    spec.act("Cole", "go-prone")
    assert set(spec.live.open_prompts()) == {"Dara:1", "Cole:3"}
    with spec.raises(Closed) as caught:
        spec.do(Reply("Cole:2", "go-prone", {}))
    assert (caught[0].how, caught[0].successor) == ("answered", "Cole:3")
    spec.do(Reply("Dara:1", "go-prone", {}))
    assert spec["Dara"].has("prone")
    assert set(spec.live.open_prompts()) == {"Cole:3", "Dara:2"}


@rule("SOV-SEQ-02")
def test_a_prompt_waits_while_what_a_team_mate_does_is_answered(spec: Spec) -> None:
    fight(spec, hero("Cole"), hero("Dara", at=[0, 5]), npc("Foe", at=[1, 0], weapons=[SPEAR]))
    spec.act("Cole", "run", path=[[0, 1], [0, 2]])
    assert spec.open() == [("reaction", "attack-of-opportunity", "Foe")]
    with spec.raises(Unfitting) as caught:
        spec.do(Reply("Dara:1", "go-prone", {}))
    assert caught[0].code == "prompt-suspended"
    spec.answer("Foe", "pass").do(Reply("Dara:1", "go-prone", {}))
    assert spec["Dara"].has("prone")


@rule("SOV-SEQ-03")
def test_the_gm_ends_a_side_turn(spec: Spec) -> None:
    fight(spec, hero("A"), hero("B", at=[0, 5]), npc("Foe", at=[9, 9]))
    spec.rule("end-side-turn")
    assert turns(spec) == ["Foe"]


@rule("SOV-SEQ-05", "SOV-INIT-05")
def test_initiative_is_rolled_once(spec: Spec) -> None:
    fight(spec, hero("A"), npc("Foe", at=[9, 9]))
    end(spec, "A", "Foe")
    assert spec.event(RoundBegan).round == 2
    assert spec.events(Rolled) == []
    spec.rule("set-condition", who="A", condition="dead")
    assert spec.combat.facts["order"] == ["party", "foes"]


@rule("SOV-SEQ-08", "SOV-MOR-06")
def test_the_end_is_the_gms(spec: Spec) -> None:
    fight(spec, hero("A"), npc("Foe", at=[9, 9]), rulings="ask")
    spec.rule("damage", who="Foe", amount=99)
    end(spec, "A")
    assert spec.open() == [("ruling", "end-combat", None)]
    assert spec.prompt().default == "go-on"
    spec.answer(None, "go-on")
    assert turns(spec) == ["A"]
    end(spec, "A")  # the prompt does not open again
    assert turns(spec) == ["A"]
    spec.rule("end-combat", winner="party")
    assert spec.combat.status == "ended"
    assert spec.event(CombatEnded).winners == ("party",)


@rule("SOV-SEQ-08")
def test_the_end_is_offered_to_the_gm_also_where_rulings_take_their_defaults(spec: Spec) -> None:
    """The GM gets the prompt to end the fight even if rulings take their defaults.

    Without the prompt, the party would go on without enemies.
    """
    fight(spec, hero("A"), npc("Foe", at=[9, 9]), rulings="default")
    spec.rule("damage", who="Foe", amount=99)
    end(spec, "A")
    assert spec.open() == [("ruling", "end-combat", None)]
    assert spec.prompt().default is None
    spec.answer(None, "end")
    assert spec.combat.status == "ended"
    assert spec.event(CombatEnded).winners == ("party",)


@rule("SOV-SEQ-08")
def test_yes_ends_it(spec: Spec) -> None:
    fight(spec, hero("A"), npc("Foe", at=[9, 9]), rulings="ask")
    spec.rule("damage", who="Foe", amount=99)
    end(spec, "A")
    spec.answer(None, "end")
    assert spec.event(CombatEnded).winners == ("party",)


@rule("SOV-SEQ-09")
def test_newcomers_act_with_their_side_and_new_sides_are_inserted(spec: Spec) -> None:
    fight(spec, hero("A"), npc("Foe", at=[9, 9]))
    spec.join(**hero("B", at=[0, 5]))
    assert turns(spec) == ["A", "B"]  # B acts at once
    spec.act("A", "go-prone")
    assert set(turns(spec)) == {"A", "B"}
    end(spec, "A", "B")
    assert turns(spec) == ["Foe"]


@rule("SOV-SEQ-09")
def test_a_late_side_waits_when_its_place_is_over(spec: Spec) -> None:
    spec.given(hero("A"), npc("Foe", at=[9, 9]), rulings="default")
    spec.begin(("initiative", 4), ("initiative", 2))
    spec.join(("initiative", 4), **npc("Ghost", "ghosts", at=[30, 0]))
    assert spec.combat.facts["order"] == ["party", "ghosts", "foes"]  # the party wins the tie
    end(spec, "A")
    assert turns(spec) == ["Ghost"]
    end(spec, "Ghost")
    spec.join(("initiative", 8), **npc("Elf", "elves", at=[40, 0]))
    assert spec.combat.facts["order"] == ["elves", "party", "ghosts", "foes"]
    end(spec, "Foe")
    assert (spec.combat.round, turns(spec)) == (2, ["Elf"])


# ---- surprise


@rule("SOV-SURP-01", "SOV-SURP-02", "SOV-SURP-07", "SOV-SURP-08")
def test_a_free_round_for_the_others(spec: Spec) -> None:
    spec.given(
        npc("Orc", weapons=[SPEAR], at=[1, 0]),
        npc("Rat", "rats", at=[5, 5]),
        hero("Ana", ac=14),
        hero("Bo", at=[0, 5], group="scouts"),
    )
    spec.begin()
    spec.answer(None, "surprised", groups=["party"])
    assert spec.combat.round == 0
    assert turns(spec) == ["Bo"]  # first the party's unsurprised members
    assert ac(spec, "Ana") == 14
    with spec.refused("SOV-SURP-01", "surprised"):
        spec.act("Ana", "go-prone")
    with spec.refused("SOV-SURP-01", "surprised"):
        spec.act("Ana", "total-defense")
    end(spec, "Bo")
    passes(spec, "Orc", "Rat", "Bo")
    spec.act("Orc", "melee-attack", ("attack", 3), target="Ana")
    assert spec.rolled("attack").total == 4  # 3 + 1: nothing for surprise
    end(spec, "Orc")
    spec.act("Rat", "end-turn", ("initiative", 1), ("initiative", 2), ("initiative", 8))
    assert not spec["Ana"].has("surprised")
    assert (spec.combat.round, turns(spec)) == (1, ["Ana", "Bo"])


@rule("SOV-SURP-01")
def test_the_surprised_make_no_attacks_of_opportunity(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[SWORD]), npc("Orc", at=[1, 0]), rulings="default")
    spec.rule("surprise", groups=["party"])
    spec.begin()
    assert turns(spec) == ["Orc"]
    spec.act("Orc", "run", path=[[2, 0]])
    assert spec["Orc"].position == (2, 0, 0)


@rule("SOV-SURP-05")
def test_who_anticipates_cannot_be_surprised(spec: Spec) -> None:
    spec.given(
        hero("Ana", alertness="anticipating"), hero("Bo", at=[0, 1]), npc("Orc", hidden=True)
    )
    with spec.refused("SOV-SURP-05", "cannot-be-surprised"):
        spec.rule("surprise", groups=["party"])


@rule("SOV-SURP-06")
def test_careful_groups_by_the_hidden_only(spec: Spec) -> None:
    spec.given(hero("Ana", alertness="careful"), npc("Orc", hidden=True))
    spec.rule("surprise", groups=["party"])
    assert spec.combat.facts["surprised"] == ["party"]


@rule("SOV-SURP-09")
def test_when_everybody_is_surprised_nobody_is(spec: Spec) -> None:
    spec.given(hero("Ana"), npc("Orc"))
    spec.rule("surprise", groups=["party", "foes"])
    spec.begin(("initiative", 8), ("initiative", 1))
    assert spec.combat.round == 1
    assert not spec["Ana"].has("surprised")


@rule("SOV-SURP-03")
def test_breaking_in_uses_strength_and_exert(spec: Spec) -> None:
    spec.given(
        npc("Guard", "guards", skill_modifier=1), hero("Ana", modifiers={"str": 2}), hero("Bo")
    )
    spec.rule(
        "surprise-check", ("surprise-check", 3, 3), by_side="party", against_group="guards",
        method="break-in",
    )  # fmt: skip
    assert spec.rolled("surprise-check").total == 8  # 3 + 3 + 2 + 0: Bo's 0 does not help
    assert spec.rolled("surprise-check").target == 9  # 8 + 1
    spec.begin()
    assert spec.prompt().default == "nobody"


@rule("SOV-SURP-02", "SOV-SURP-03")
def test_a_check_while_the_ruling_is_open_asks_again(spec: Spec) -> None:
    spec.given(npc("Guard", "guards"), hero("Ana"))
    spec.begin()
    spec.rule("surprise-check", ("surprise-check", 6, 6), by_side="party", against_group="guards")
    assert spec.prompt().default == "surprised"
    spec.close()
    assert spec["Guard"].has("surprised")


# ---- action types


@rule("SOV-ACT-02", "SOV-ACT-03", "SOV-ACT-04")
def test_one_main_and_one_move_and_the_main_pays_for_a_move(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc", at=[30, 0]))
    assert (main(spec, "Ana"), move(spec, "Ana")) == (1, 1)
    spec.act("Ana", "run", path=[[0, 1]])
    with spec.refused("SOV-ACT-03", "move-spent"):
        spec.act("Ana", "run", path=[[0, 2]])
    spec.act("Ana", "run", path=[[0, 2]], pay="main")
    assert (main(spec, "Ana"), move(spec, "Ana")) == (0, 0)
    with spec.refused("SOV-ACT-02", "main-spent"):
        spec.act("Ana", "disengage")
    with spec.refused("SOV-ACT-02", "main-spent"):
        spec.act("Ana", "run", path=[[0, 3]], pay="main")
    end(spec, "Ana", "Orc")
    assert (main(spec, "Ana"), move(spec, "Ana")) == (1, 1)


@rule("SOV-ACT-04")
@pytest.mark.parametrize(
    ("action", "inputs"),
    [("cast-spell", {"spell": "ward", "targets": ["Ana"]}), ("use-ability", {"ability": "ward"})],
)
def test_the_main_pays_for_the_move_that_a_spell_or_an_ability_takes(
    spec: Spec, action: str, inputs: dict[str, Any]
) -> None:
    spell = {"id": "ward", "name": "Ward", "action": "move", "heal": "1d4"}
    effect = {"type": "heal", "dice": "1d4"}
    ability = {"id": "ward", "name": "Ward", "action": "move", "effects": [effect]}
    fight(
        spec,
        hero("Ana", hp=5, spells=[spell], abilities=[ability]),
        npc("Orc", at=[30, 0]),
    )
    spec.act("Ana", action, ("heal", 1), **inputs)
    assert (main(spec, "Ana"), move(spec, "Ana")) == (1, 0)
    with spec.refused("SOV-ACT-03", "move-spent"):
        spec.act("Ana", action, **inputs)
    assert action in spec.legal("Ana")
    spec.act("Ana", action, ("heal", 1), **inputs, pay="main")
    assert (main(spec, "Ana"), move(spec, "Ana")) == (0, 0)
    with spec.refused("SOV-ACT-02", "main-spent"):
        spec.act("Ana", action, **inputs, pay="main")


@rule("SOV-ACT-05")
def test_the_main_stays_and_the_move_lapses(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc", at=[30, 0]))
    end(spec, "Ana")
    assert turns(spec) == ["Orc"]
    assert (main(spec, "Ana"), move(spec, "Ana")) == (1, 0)
    spec.act("Ana", "total-defense")
    assert main(spec, "Ana") == 0


@rule("SOV-ACT-06", "SOV-ACT-01")
def test_free_actions_without_limit_or_asked(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc", at=[30, 0]))
    for _ in range(3):
        spec.act("Ana", "speak", text="Look out!")
    assert (main(spec, "Ana"), move(spec, "Ana")) == (1, 1)


@rule("SOV-ACT-06")
def test_the_option_asks_about_free_actions(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc", at=[30, 0]), rulings="ask", ask_free_actions_after=1)
    spec.act("Ana", "speak", text="one")
    spec.act("Ana", "go-prone")
    assert spec.open() == [("ruling", "plausible", None)]
    spec.answer(None, "refuse")
    assert not spec["Ana"].has("prone")
    spec.act("Ana", "go-prone").answer(None, "allow")
    assert spec["Ana"].has("prone")


@rule("SOV-ACT-07", "SOV-INST-03")
def test_instants_at_any_prompt(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc"), rulings="ask", ask_instant_actions_after=0)
    spec.act("Orc", "total-defense")
    assert spec.open()[0] == ("ruling", "plausible", None)
    spec.answer(None, "allow")
    assert spec["Orc"].has("total-defense")
    assert turns(spec) == ["Ana"]


@rule("SOV-ACT-07", "SOV-TD-03")
def test_what_became_impossible_while_the_gm_was_asked_is_prevented(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc"), rulings="ask", ask_instant_actions_after=0)
    spec.act("Orc", "total-defense").act("Orc", "total-defense")
    assert spec.open()[0] == ("ruling", "plausible", None)
    spec.answer(None, "allow").answer(None, "allow")
    assert spec.event(Prevented).action == "total-defense"
    assert main(spec, "Orc") == 0  # one Main Action pays for one Instant
    assert spec["Orc"].facts["taken"] == {"instant": 1}


@rule("SOV-ACT-08")
def test_who_is_not_able_does_nothing(spec: Spec) -> None:
    fight(spec, hero("Ana"), hero("Bo", at=[0, 1]), npc("Orc", at=[30, 0]))
    spec.rule("set-condition", who="Ana", condition="unconscious")
    for action in ("go-prone", "total-defense", "end-turn"):
        with spec.refused("SOV-ACT-08", "incapacitated"):
            spec.act("Ana", action)
    assert spec["Ana"].has("prone")  # forbids nothing
    with spec.raises(Illegal) as caught:
        spec.act("Ana", "total-defense")
    assert caught[0].detail == "Ana is not able to act: unconscious"
    spec.rule("condition", combatant="Bo", condition="stunned", data={"cannot_act": True})
    assert turns(spec.answer(None, "go-on")) == ["Orc"]


@rule("SOV-ACT-09")
def test_anything_else_is_the_gms(spec: Spec) -> None:
    fight(spec, hero("Ana", modifiers={"dex": 1}), npc("Orc", weapons=[SPEAR]), rulings="ask")
    spec.act("Ana", "improvise", what="swing on the lamp", hoped_for="land behind it")
    assert spec.prompt().default == "allow"
    spec.answer(
        None, "allow", cost="move", attack_of_opportunity=True,
        roll={"attribute": "dex", "skill": "exert", "difficulty": 8}, outcome="it lands",
    )  # fmt: skip
    spec.answer("Orc", "pass", ("skill", 4, 4))
    assert spec.rolled("skill").total == 9  # 4 + 4 + 1
    assert spec.rolled("skill").target == 8
    event = spec.event(EffectResolved)
    assert (event.kind, event.effect, event.result) == ("activity", "improvise", "ruled")
    assert (event.text, event.data) == ("it lands", {"what": "swing on the lamp"})
    assert (main(spec, "Ana"), move(spec, "Ana")) == (1, 0)
    spec.act("Ana", "improvise", what="more").answer(None, "refuse")
    assert spec.event(EffectResolved).result == "failed"
    assert main(spec, "Ana") == 1


@rule("SOV-ACT-10", "SOV-AOO-01")
@pytest.mark.parametrize(
    ("action", "inputs", "draws"),
    [
        ("run", {"path": [[-1, 0]]}, True),
        ("use-skill", {"skill": "notice", "attribute": "wis"}, True),
        ("pick-up", {"item": "lamp"}, True),
        ("use-item", {"item": "rope"}, True),
        ("charge", {"to": [0, 3], "target": "Far", "weapon": "sword"}, True),
        ("melee-attack", {"target": "Orc"}, False),
        ("disengage", {}, False),
        ("hold-action", {}, False),
        ("go-prone", {}, False),
        ("screen-ally", {"ward": "Bo"}, False),
        ("screen-ally", {"ward": "Bo", "path": [[-1, 1]]}, True),
        ("stow-item", {"item": "rope"}, False),
    ],
)
def test_what_draws_attacks_of_opportunity(
    spec: Spec, action: str, inputs: dict[str, object], draws: bool
) -> None:
    fight(
        spec,
        hero(
            "Ana", ac=30, weapons=[SWORD], skills={"stab": 1},
            items=[
                {"id": "lamp", "name": "lamp", "state": "dropped", "at": [0, 1]},
                {"id": "rope", "name": "rope"},
            ],
        ),
        hero("Bo", at=[-1, 2] if "path" in inputs else [0, 1]),
        npc("Orc", weapons=[SPEAR], ac=30),
        npc("Far", at=[0, 4], ac=30),
    )  # fmt: skip
    dice = [("attack", 2)] if action == "melee-attack" else []
    spec.act("Ana", action, *dice, **inputs)
    asked = ("reaction", "attack-of-opportunity", "Orc") in spec.open()
    assert asked is draws


# ---- sheets


@pytest.mark.parametrize(
    ("fields", "pointer"),
    [
        ({"at": None}, "/sheet/at"),
        ({"hp": 11}, "/sheet/hp"),
        ({"weapons": [SWORD, SWORD]}, "/sheet/weapons"),
        ({"weapons": [weapon("x", "1d")]}, "/sheet/weapons/0/damage"),
        ({"weapons": [SWORD], "wielding": ["sword", "bow"]}, "/sheet/wielding/1"),
        ({"spells": [{"id": "x", "name": "x", "attack": True}]}, "/sheet/spells/0/damage"),
        ({"skills": {"stab": 5}}, "/sheet/skills"),
    ],
)
def test_malformed_sheets(spec: Spec, fields: dict[str, object], pointer: str) -> None:
    spec.given(npc("Orc"))
    with spec.raises(Malformed) as caught:
        spec.join(**{**hero("Ana"), **fields})
    assert caught[0].pointer.startswith(pointer)


def test_a_bow_is_no_blade(spec: Spec) -> None:
    fight(spec, hero("Ana", weapons=[BOW]), npc("Orc"))
    with spec.refused("SOV-MEL-01", "missing-data"):
        spec.act("Ana", "melee-attack", target="Orc", weapon="bow")


@rule("SOV-SEQ-02")
def test_the_catalogue_lists_what_a_turn_offers(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc"))
    listed = {question.name: question.actions for question in spec.ruleset.catalogue.questions}
    assert tuple(option.id for option in spec.prompt("Ana", "turn").options) == listed["turn"]
