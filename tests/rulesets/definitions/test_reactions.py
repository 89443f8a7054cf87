"""Test opportunities, counterspells and immediate actions (DEF-IMM, DEF-AOO, DEF-CNT)."""

from typing import Any

import pytest

from domain.engine.commands import Act, Change
from domain.errors import Illegal
from domain.record.events import EffectResolved, Moved, Prevented, Rolled, Stopped
from tests.rulesets.definitions.units import (
    AXE,
    BOW,
    FIST,
    SHIELD,
    SPEAR,
    SWORD,
    at,
    end,
    fight,
    fighter,
    foe,
    hold,
    left,
    shown,
    turn_of,
)
from tests.spec import Spec, rule

BOLT = {"id": "bolt", "name": "Bolt", "damage": "1d6"}
UNDO = {"id": "undo", "name": "Undo", "counterspell": {"check": "level-check", "dc": 15}}
WARD = {
    "id": "ward", "name": "Ward", "cost": "immediate",
    "modifiers": [{"target": "ac", "value": 1}],
}  # fmt: skip


def asked(spec: Spec) -> list[str | None]:
    """Return the combatants with an open reaction prompt."""
    return [who for _, name, who in spec.open() if name == "reaction"]


def mover(spec: Spec, **fields: Any) -> Spec:
    """Begin with Ana next to Orc, who has a sword."""
    return fight(spec, fighter("Ana"), foe("Orc", **{"weapons": [SWORD], **fields}))


def casting(spec: Spec, **fields: Any) -> Spec:
    """Let Ana cast a spell at Hex from a distance. Hex can counter it."""
    fight(
        spec,
        fighter("Ana", spells=[BOLT]),
        foe("Hex", at=[5, 5], **{"abilities_list": [UNDO], **fields}),
        rulings="ask",
    )
    return spec.act("Ana", "cast-spell", spell="bolt", targets=["Hex"])


# ---- immediate actions


@rule("DEF-IMM-01")
def test_at_any_point_in_anybodys_turn(spec: Spec) -> None:
    fight(spec, fighter("Ana", abilities_list=[WARD]), foe("Orc", at=[5, 5]))
    spec.act("Ana", "use-ability", ability="ward", targets=["Ana"])  # in her own turn
    end(spec, "Ana", "Orc", "Ana")
    spec.act("Ana", "use-ability", ability="ward", targets=["Ana"])  # in Orc's turn
    assert turn_of(spec) == "Orc"


@rule("DEF-IMM-02")
def test_one_in_the_own_round(spec: Spec) -> None:
    fight(spec, fighter("Ana", abilities_list=[WARD]), foe("Orc", at=[5, 5]))
    spec.act("Ana", "use-ability", ability="ward", targets=["Ana"])
    with spec.refused("DEF-IMM-02", "immediate-used"):
        spec.act("Ana", "use-ability", ability="ward", targets=["Ana"])


@rule("DEF-IMM-03", "DEF-IMM-04")
def test_another_one_closes_opportunities_and_counterspells(spec: Spec) -> None:
    fight(
        spec, fighter("Ana"),
        foe("Orc", weapons=[SWORD], abilities_list=[WARD, UNDO]),
    )  # fmt: skip
    spec.act("Orc", "use-ability", ability="ward", targets=["Orc"])
    assert shown(spec, "Orc")["immediate_category"] == "other"
    spec.act("Ana", "move", path=[[-1, 0]])
    assert asked(spec) == []
    with spec.refused("DEF-IMM-04", "immediate-exclusive"):
        spec.act("Orc", "aoo")
    with spec.refused("DEF-IMM-04", "immediate-exclusive"):
        spec.act("Orc", "counterspell")


@rule("DEF-IMM-04", "DEF-IMM-10")
def test_one_used_while_an_opportunity_is_asked_for_takes_its_place(spec: Spec) -> None:
    mover(spec, abilities_list=[WARD]).act("Ana", "move", path=[[-1, 0]])
    assert asked(spec) == ["Orc"]
    spec.act("Orc", "use-ability", ability="ward", targets=["Orc"])
    assert asked(spec) == []
    assert at(spec, "Ana") == (-1, 0)


@rule("DEF-IMM-05", "DEF-AOO-03", "DEF-AOO-08")
def test_an_opportunity_closes_the_others(spec: Spec) -> None:
    mover(spec, abilities_list=[WARD, UNDO], feats={"battle_prowess": 1})
    spec.act("Ana", "move", path=[[-1, 0]])
    spec.answer("Orc", "aoo", ("attack", 1))
    with spec.refused("DEF-IMM-05", "immediate-exclusive"):
        spec.act("Orc", "use-ability", ability="ward", targets=["Orc"])
    with spec.refused("DEF-IMM-05", "immediate-exclusive"):
        spec.act("Orc", "counterspell")
    spec.rule("move", who="Ana", to=[0, 0])
    spec.act("Ana", "move", path=[[-1, 0]], pay="standard")
    spec.answer("Orc", "aoo", ("attack", 1))  # the second, by Battle Prowess
    with spec.refused("DEF-AOO-03", "immediate-used"):  # the third
        spec.act("Orc", "aoo")


@rule("DEF-IMM-06", "DEF-IMM-07", "DEF-CNT-05")
def test_a_failed_counterspell_is_used(spec: Spec) -> None:
    casting(spec, weapons=[SWORD]).answer("Hex", "counterspell", ("level-check", 1), ("damage", 1))
    with spec.refused("DEF-IMM-06", "immediate-exclusive"):
        spec.act("Hex", "aoo")
    with spec.refused("DEF-IMM-06", "immediate-used"):
        spec.act("Hex", "counterspell")


@rule("DEF-IMM-06", "DEF-IMM-08")
@pytest.mark.parametrize(
    "more", [{"feats": {"extra_counterspells": 1}}, {"abilities_list": [
        {**UNDO, "counterspell": {"check": "level-check", "dc": 15, "extra": 1}},
    ]}],
)  # fmt: skip
def test_more_counterspells_by_feat_or_entry(spec: Spec, more: dict[str, Any]) -> None:
    casting(spec, **more).answer("Hex", "counterspell", ("level-check", 1), ("damage", 1))
    spec.rule("set-budget", who="Ana", budget={"standard": 1})
    spec.act("Ana", "cast-spell", spell="bolt", targets=["Hex"])
    assert asked(spec) == ["Hex"]
    spec.answer("Hex", "counterspell", ("level-check", 1), ("damage", 1))
    with spec.refused("DEF-IMM-06", "immediate-used"):
        spec.act("Hex", "counterspell")


@rule("DEF-IMM-07")
def test_passing_is_no_use(spec: Spec) -> None:
    mover(spec).act("Ana", "move", path=[[-1, 0]])
    spec.answer("Orc", "pass")
    assert shown(spec, "Orc")["immediate_category"] == "none"


@rule("DEF-IMM-08", "DEF-IMM-04")
def test_an_extra_of_one_category_opens_no_other(spec: Spec) -> None:
    mover(spec, abilities_list=[WARD], feats={"battle_prowess": 3, "extra_immediates": 1})
    spec.act("Orc", "use-ability", ability="ward", targets=["Orc"])
    spec.act("Orc", "use-ability", ability="ward", targets=["Orc"])
    with spec.refused("DEF-IMM-04", "immediate-exclusive"):
        spec.act("Orc", "aoo")
    with spec.refused("DEF-IMM-02", "immediate-used"):
        spec.act("Orc", "use-ability", ability="ward", targets=["Orc"])


@rule("DEF-IMM-09")
def test_used_in_the_own_turn_it_holds_until_the_next(spec: Spec) -> None:
    fight(spec, fighter("Ana", weapons=[SWORD], abilities_list=[WARD]), foe("Orc"))
    spec.act("Ana", "use-ability", ability="ward", targets=["Ana"]).act("Ana", "end-turn")
    spec.act("Orc", "move", path=[[2, 0]])
    assert asked(spec) == []
    end(spec, "Orc")
    assert shown(spec, "Ana")["immediates_used"] == 0


@rule("DEF-IMM-10")
def test_one_after_the_other_in_initiative_order(spec: Spec) -> None:
    fight(
        spec,
        fighter("Ana", hp=3),
        foe("Orc", weapons=[SWORD]),
        foe("Gob", at=[0, 1], weapons=[SWORD]),
        fighter("Bo", at=[9, 9]),
        order=("Ana", "Gob", "Orc", "Bo"),
    )
    spec.act("Ana", "move", path=[[-1, -1]])
    assert asked(spec) == ["Gob"]
    spec.answer("Gob", "aoo", ("attack", 10), ("damage", 3))
    assert asked(spec) == []  # Ana is down, so Orc gets no prompt


@rule("DEF-IMM-11")
def test_what_an_immediate_action_does_provokes_nothing(spec: Spec) -> None:
    ray = {
        "id": "ray", "name": "Ray", "cost": "immediate", "attack": "ranged", "damage": "1d4",
    }  # fmt: skip
    fight(spec, fighter("Ana", spells=[ray]), foe("Orc", weapons=[SWORD]))
    spec.act("Ana", "cast-spell", ("attack", 2), spell="ray", targets=["Orc"])
    assert asked(spec) == []


# ---- attacks of opportunity


@rule("DEF-AOO-01")
def test_leaving_a_threatened_square(spec: Spec) -> None:
    fight(
        spec,
        fighter("Ana", at=[-1, 0]),
        foe("Orc", weapons=[SWORD]),
        fighter("Bo", at=[-1, 1], weapons=[SWORD]),
    )
    spec.act("Ana", "move", path=[[0, 0]])  # entering is no trigger, and an ally does not react
    assert asked(spec) == []
    spec.act("Ana", "move", path=[[0, 1]], pay="standard")  # from threatened to threatened
    assert asked(spec) == ["Orc"]
    assert spec.prompt().default == "pass"


@rule("DEF-AOO-02")
def test_an_ally_is_not_asked_when_an_action_provokes(spec: Spec) -> None:
    fight(
        spec, fighter("Ana"), foe("Orc", weapons=[SWORD]), fighter("Bo", at=[0, 1], weapons=[SWORD])
    )
    spec.act("Ana", "drop-prone")
    assert asked(spec) == ["Orc"]


@rule("DEF-AOO-02")
def test_whoever_comes_over_meanwhile_strikes_nobody(spec: Spec) -> None:
    fight(
        spec,
        fighter("Ana"), foe("Orc", weapons=[SWORD]), foe("Rat", at=[0, 1], weapons=[SWORD]),
    )  # fmt: skip
    spec.act("Ana", "drop-prone")
    assert asked(spec) == ["Orc"]
    spec.do(Change("Orc", side=spec["Ana"].side))
    assert asked(spec) == ["Rat"]
    spec.do(Change("Rat", side=spec["Ana"].side))
    assert (asked(spec), spec["Ana"].has("prone")) == ([], True)


@rule("DEF-AOO-04")
def test_asked_at_each_square_until_it_is_taken(spec: Spec) -> None:
    mover(spec, weapons=[SPEAR], feats={"battle_prowess": 5})
    spec.act("Ana", "move", path=[[0, 1], [0, 2], [0, 3], [0, 4]])
    spec.answer("Orc", "pass")
    assert at(spec, "Ana") == (0, 1)
    spec.answer("Orc", "aoo", ("attack", 1))
    assert asked(spec) == []  # a movement provokes once
    assert at(spec, "Ana") == (0, 4)


@rule("DEF-AOO-05")
@pytest.mark.parametrize(
    ("inputs", "by", "reason"),
    [
        ({"action": "shield-bash"}, "DEF-SHB-04", "no-shield"),
        ({"weapon": "axe"}, "DEF-WLD-08", "weapon-not-ready"),
        ({"weapon": "bow"}, "DEF-ATK-06", "wrong-weapon-kind"),
        ({"weapon": "claw"}, "DEF-UNT-04", "not-threatening"),
    ],
)
def test_why_an_arm_takes_no_opportunity(
    spec: Spec, inputs: dict[str, str], by: str, reason: str
) -> None:
    claw = {**FIST, "id": "claw", "trained": False}
    mover(spec, weapons=[BOW, FIST, claw, AXE])
    spec.act("Ana", "move", path=[[-1, 0]])
    with spec.refused(by, reason):
        spec.answer("Orc", "aoo", **inputs)


@rule("DEF-AOO-05")
def test_one_attack_or_shield_bash_at_the_highest_bonus(spec: Spec) -> None:
    mover(spec, base_attack_bonus=6, shield=SHIELD)
    spec.act("Ana", "move", path=[[-1, 0]])
    with spec.refused("DEF-AOO-05", "not-an-aoo"):
        spec.answer("Orc", "aoo", action="trip")
    with spec.refused("DEF-STN-03", "stance-not-allowed"):
        spec.answer("Orc", "aoo", stance="reckless")
    spec.answer("Orc", "aoo", ("attack", 4), ("damage", 6), action="shield-bash")
    assert spec.rolled("attack").total == 10
    assert spec.rolled("damage").formula == "1d6"
    assert left(spec, "Orc")["standard"] == 0  # Orc has no standard action left, and pays none


@rule("DEF-AOO-06")
def test_before_the_step_in_the_square_that_is_left(spec: Spec) -> None:
    mover(spec)
    spec.act("Ana", "move", path=[[-1, 0], [-2, 0]])
    assert at(spec, "Ana") == (0, 0)
    spec.answer("Orc", "aoo", ("attack", 10), ("damage", 8))
    assert at(spec, "Ana") == (-2, 0)  # Ana goes on


@rule("DEF-AOO-06")
def test_who_cannot_go_on_has_lost_its_action(spec: Spec) -> None:
    fight(spec, fighter("Ana", hp=3), foe("Orc", weapons=[SWORD]), fighter("Bo", at=[9, 9]))
    spec.act("Ana", "move", path=[[-1, 0]])
    spec.answer("Orc", "aoo", ("attack", 10), ("damage", 8))
    assert at(spec, "Ana") == (0, 0)
    assert spec.event(Stopped).doing == "move"
    assert not spec.events(Moved)
    assert spec["Ana"].budget["move"] == 0


@rule("DEF-AOO-07")
@pytest.mark.parametrize(
    "fields",
    [{"weapons": [{**SWORD, "trained": False}]}, {"weapons": [BOW]}, {"nld": 20}, {"weapons": []}],
)
def test_who_threatens_nothing_is_not_asked(spec: Spec, fields: dict[str, Any]) -> None:
    fight(spec, fighter("Ana"), foe("Orc", **fields), foe("Gob", at=[9, 9]))
    spec.act("Ana", "move", path=[[-1, 0]])
    assert asked(spec) == []


@rule("DEF-AOO-09")
def test_without_places_the_gm_says_who_threatens(spec: Spec) -> None:
    fight(spec, fighter("Ana", at=None), foe("Orc", at=None, weapons=[SWORD]), rulings="ask")
    spec.act("Ana", "drop-prone")
    assert (spec.prompt().name, spec.prompt().default) == ("threatened", "nobody")
    with spec.refused("DEF-AOO-09", "not-asked"):
        spec.answer(None, "names", names=["Ana"])
    spec.answer(None, "names", names=["Orc"])
    assert asked(spec) == ["Orc"]
    spec.answer("Orc", "aoo", ("attack", 10), ("damage", 2))
    assert spec.hp("Ana") == 18
    assert spec["Ana"].has("prone")


@rule("DEF-AOO-09")
def test_walking_without_a_place(spec: Spec) -> None:
    fight(spec, fighter("Ana", at=None), foe("Orc", weapons=[FIST]), rulings="ask")
    spec.act("Ana", "move")
    spec.answer(None, "names", names=["Orc"]).answer("Orc", "pass")
    assert spec.prompt().name == "placing"
    spec.answer(None, "placed", to=[4, 4])
    assert at(spec, "Ana") == (4, 4)


# ---- counterspells


@rule("DEF-CNT-01")
def test_only_with_an_entry_that_matches(spec: Spec) -> None:
    only = {**UNDO, "counterspell": {"matches": ["ray"], "check": "level-check", "dc": 1}}
    casting(spec, abilities_list=[only, {**WARD, "id": "any", "counterspell": {}}])
    with spec.refused("DEF-CNT-01", "no-counterspell"):
        spec.answer("Hex", "counterspell", ability="undo")
    with spec.refused("DEF-CNT-01", "no-counterspell"):
        spec.answer("Hex", "counterspell", ability="ward")


@rule("DEF-CNT-01", "DEF-GSP-01", "DEF-GSP-03")
@pytest.mark.parametrize(
    ("condition", "refused"),
    [("grappled", ("DEF-GSP-01", "somatic-blocked")),
     ("cannot-speak", ("DEF-GSP-03", "verbal-blocked"))],
)  # fmt: skip
def test_a_counterspell_that_is_a_spell_needs_hands_and_words(
    spec: Spec, condition: str, refused: tuple[str, str]
) -> None:
    spell = {**UNDO, "somatic": True, "verbal": True}
    fight(
        spec,
        fighter("Ana", spells=[BOLT], weapons=[]),
        foe("Hex", at=[5, 5], spells=[spell], feats={"signless_spell": True}),
        foe("Imp", at=[5, 6], abilities_list=[UNDO]),
    )
    spec.rule("set-condition", who="Hex", condition=condition)
    spec.act("Ana", "cast-spell", spell="bolt", targets=["Hex"])
    assert asked(spec) == ["Imp"]
    with spec.refused(*refused):
        spec.act("Hex", "counterspell", ability="undo")


@rule("DEF-CNT-01", "DEF-GSP-01")
def test_unnamed_it_is_the_first_that_can_be_used(spec: Spec) -> None:
    fight(
        spec,
        fighter("Ana", spells=[BOLT]),
        foe("Hex", at=[5, 5], spells=[{**UNDO, "somatic": True},
                                      {**UNDO, "id": "word", "somatic": False}]),
    )  # fmt: skip
    spec.rule("set-condition", who="Hex", condition="grappled")
    spec.act("Ana", "cast-spell", spell="bolt", targets=["Hex"])
    spec.answer("Hex", "counterspell", ("level-check", 20))
    assert spec.event(EffectResolved).result == "countered"


@rule("DEF-CNT-02")
def test_a_spell_by_hands_that_are_free_counters(spec: Spec) -> None:
    casting(spec, abilities_list=[], spells=[{**UNDO, "somatic": True}])
    spec.answer("Hex", "counterspell", ("level-check", 20))
    assert spec.event(EffectResolved).result == "countered"


@rule("DEF-CNT-02")
def test_only_while_a_spell_is_being_cast(spec: Spec) -> None:
    fight(spec, fighter("Ana", abilities_list=[BOLT]), foe("Hex", at=[5, 5], abilities_list=[UNDO]))
    with spec.refused("DEF-CNT-02", "no-spell"):
        spec.act("Hex", "counterspell", ability="undo")
    spec.act("Ana", "use-ability", ("damage", 2), ability="bolt", targets=["Hex"])  # no spell


@rule("DEF-CNT-03")
def test_by_a_level_check(spec: Spec) -> None:
    casting(spec, hit_dice=4, abilities={"wisdom": 14}).answer(
        "Hex", "counterspell", ("level-check", 9)
    )
    assert spec.rolled("level-check").total == 15  # 9 + 4 + 2
    assert spec.event(EffectResolved).result == "countered"


@rule("DEF-CNT-03")
def test_by_a_skill_or_by_ruling(spec: Spec) -> None:
    casting(
        spec,
        abilities_list=[
            {**UNDO, "counterspell": {"check": "skill-lore", "dc": 12}},
            {**UNDO, "id": "ruled", "counterspell": {}},
        ],
        skills={"lore": 2},
    )
    spec.answer("Hex", "counterspell", ability="ruled")
    assert (spec.prompt().name, spec.prompt().default) == ("counterspell", None)
    spec.answer(None, "not", ("damage", 3))
    assert spec.hp("Hex") == 17


@rule("DEF-CNT-04")
def test_countered_it_has_no_effect_and_is_spent(spec: Spec) -> None:
    casting(spec).answer("Hex", "counterspell", ("level-check", 20))
    assert spec.hp("Hex") == 20
    assert left(spec, "Ana")["standard"] == 0
    assert not spec.events(Rolled, purpose="damage")


@rule("DEF-CNT-05")
def test_afterwards_no_other_immediate_action(spec: Spec) -> None:
    casting(spec, abilities_list=[UNDO, WARD]).answer("Hex", "counterspell", ("level-check", 20))
    with spec.refused("DEF-IMM-06", "immediate-exclusive"):
        spec.act("Hex", "use-ability", ability="ward", targets=["Hex"])


@rule("DEF-CNT-06")
def test_a_caster_brought_down_is_not_countered_any_more(spec: Spec) -> None:
    fight(
        spec,
        fighter("Ana", hp=2, spells=[BOLT]),
        foe("Orc", weapons=[SWORD]),
        foe("Hex", at=[5, 5], abilities_list=[UNDO]),
        fighter("Bo", at=[9, 9]),
    )
    spec.act("Ana", "cast-spell", spell="bolt", targets=["Hex"])
    assert asked(spec) == ["Orc"]
    spec.answer("Orc", "aoo", ("attack", 10), ("damage", 2))
    assert asked(spec) == []
    assert spec.event(Stopped).doing == "cast-spell"
    assert "casting" not in spec.combat.facts


@rule("DEF-CNT-06")
@pytest.mark.parametrize("dc", [None, 10])
@pytest.mark.parametrize("raised", [False, True])
def test_nor_while_it_is_tried(spec: Spec, dc: int | None, raised: bool) -> None:
    """If the caster faints during a counterspell, the spell has no effect.

    Affray does not resolve the counterspell, even if the caster wakes at once.
    """
    ward = {**UNDO, "counterspell": {"check": "level-check" if dc else None, "dc": dc}}
    fight(
        spec, fighter("Ana", spells=[BOLT]), foe("Hex", at=[5, 5], abilities_list=[ward]),
        fighter("Bo", at=[9, 9]), rulings="ask",
    )  # fmt: skip
    spec.act("Ana", "cast-spell", spell="bolt", targets=["Hex"]).answer("Hex", "counterspell")
    spec.rule("set-track", who="Ana", track="nld", value=20)
    if raised:
        spec.rule("set-track", who="Ana", track="nld", value=0)
    assert asked(spec) == []
    assert [name for _, name, _ in spec.open()] == ["turn"]
    assert turn_of(spec) == "Hex"
    assert not spec.events(Rolled, purpose="damage")


@rule("DEF-CNT-06")
def test_a_held_spell_is_lost_too_though_its_caster_is_raised_at_once(spec: Spec) -> None:
    mend = {"id": "mend", "name": "Mend", "healing": "1d8", "provokes": False}
    fight(
        spec, fighter("Bo", at=[9, 9], spells=[mend]), fighter("Ana", hp=2, spells=[BOLT]),
        foe("Orc", weapons=[SWORD]), foe("Hex", at=[5, 5], abilities_list=[UNDO]),
    )  # fmt: skip
    hold(spec, "Bo", "cast-spell", {"event": "falls"}, spell="mend", targets=["Ana"])
    end(spec, "Bo")
    hold(
        spec, "Ana", "cast-spell", {"event": "turn-starts", "who": "Orc"},
        spell="bolt", targets=["Orc"],
    )  # fmt: skip
    end(spec, "Ana")
    spec.answer("Ana", "resolve").answer("Orc", "aoo", ("attack", 10), ("damage", 2))
    spec.answer("Bo", "resolve").answer("Hex", "pass", ("healing", 5))
    assert (spec.hp("Ana"), spec.hp("Orc")) == (5, 20)
    assert spec.event(Prevented, who="Ana").rules == ("DEF-CNT-06",)
    assert asked(spec) == []  # nobody counters it
    assert turn_of(spec) == "Orc"


@rule("DEF-CNT-01")
def test_what_would_counter_it_is_told(spec: Spec) -> None:
    sleep = {**UNDO, "id": "no-sleep", "counterspell": {"matches": ["sleep"]}}
    casting(spec, abilities_list=[sleep, UNDO])
    with spec.raises(Illegal) as caught:
        spec.answer("Hex", "counterspell", ability="no-sleep")
    assert (caught[0].code, caught[0].allowed) == ("no-counterspell", (UNDO["id"],))


# ---- between the rules


def test_a_counterspell_declared_as_an_action_counters(spec: Spec) -> None:
    casting(spec)
    spec.act("Hex", "counterspell", ("level-check", 20))
    assert asked(spec) == []
    assert spec.hp("Hex") == 20


def test_a_mover_who_is_tripped_on_the_way_stops(spec: Spec) -> None:
    fight(
        spec,
        fighter("Ana"),
        foe("Orc", at=[5, 5]),
        foe("Gob", at=[3, 1], weapons=[SWORD]),
        order=("Gob", "Ana", "Orc"),
    )
    hold(spec, "Gob", "trip", {"event": "moves-next-to"}, target="Ana")
    end(spec, "Gob")
    spec.act("Ana", "move", path=[[1, 0], [2, 0], [3, 0]])
    spec.answer("Gob", "resolve", ("touch", 15), ("opposed-strength", 15), ("opposed-strength", 5))
    assert at(spec, "Ana") == (2, 0)
    assert spec["Ana"].has("prone")


def test_a_mover_removed_while_somebody_is_asked(spec: Spec) -> None:
    mover(spec).act("Ana", "move", path=[[-1, 0]])
    spec.leave("Ana")
    assert asked(spec) == []
    assert turn_of(spec) == "Orc" or spec.combat.status == "ended"


def test_undo_in_the_midst_of_a_reaction(spec: Spec) -> None:
    mover(spec).act("Ana", "move", path=[[-1, 0]])
    there = spec.combat
    spec.answer("Orc", "aoo", ("attack", 10), ("damage", 8))
    spec.undo().undo().undo()
    assert asked(spec) == ["Orc"]
    assert spec.combat == there


def test_a_mover_tripped_before_its_step_takes_no_step_more(spec: Spec) -> None:
    """If Gob's held trip makes Ana prone during Orc's strike, she stays in her square."""
    fight(
        spec,
        foe("Gob", at=[0, 1]),
        fighter("Ana"),
        foe("Orc", weapons=[SWORD]),
    )
    hold(spec, "Gob", "trip", {"event": "attacks", "who": "Orc"}, target="Ana")
    end(spec, "Gob")
    spec.act("Ana", "move", path=[[-1, 0], [-2, 0], [-3, 0]])
    spec.answer("Orc", "aoo")
    spec.answer("Gob", "resolve", ("touch", 15), ("opposed-strength", 15), ("opposed-strength", 5),
                ("attack", 1))  # fmt: skip
    assert spec.event(Prevented).reason == "prone"  # Affray says it once
    assert at(spec, "Ana") == (0, 0)


@rule("DEF-AOO-09")
def test_an_opportunity_may_be_declared_while_it_is_asked_for(spec: Spec) -> None:
    fight(
        spec, fighter("Ana"), foe("Orc", weapons=[SWORD]), fighter("Bo", at=[1, 1]),
        foe("Gob", at=[0, 1], weapons=[SWORD]), order=("Ana", "Orc", "Gob", "Bo"),
    )  # fmt: skip
    spec.act("Ana", "move", path=[[-1, -1]])
    with spec.refused("DEF-AOO-01", "no-opportunity"):
        spec.act("Orc", "aoo", target="Bo")
    with spec.refused("DEF-AOO-05", "not-an-aoo"):
        spec.do(Act("Orc", "aoo", {"action": "trip"}))
    with spec.refused("DEF-AOO-01", "no-opportunity"):
        spec.act("Gob", "aoo", target="Ana")  # it has no prompt yet
    spec.act("Orc", "aoo", ("attack", 15), ("damage", 3), target="Ana")
    assert spec.hp("Ana") == 17
    assert asked(spec) == ["Gob"]


@rule("DEF-CNT-02")
def test_a_counterspell_may_be_declared_while_it_is_asked_for(spec: Spec) -> None:
    counter = {"id": "undo", "name": "Undo", "counterspell": {"check": "level-check", "dc": 5}}
    fight(
        spec, fighter("Ana", spells=[{"id": "bolt", "name": "Bolt", "damage": "1"}]),
        foe("Orc", at=[9, 9], abilities_list=[counter]),
    )  # fmt: skip
    spec.act("Ana", "cast-spell", spell="bolt", targets=["Orc"])
    assert asked(spec) == ["Orc"]
    spec.act("Orc", "counterspell", ("level-check", 15), ability="undo")
    assert spec.hp("Orc") == 20
    assert asked(spec) == []
