"""Test surprise, declarations, the count, newcomers and ties (HE-SEQ to HE-TIE)."""

from typing import Any

import pytest

from domain.engine.commands import Reply
from domain.errors import Illegal, Impossible, Unknown
from domain.record.events import Damaged, FactSet, Noted, PhaseBegan, Rolled, TurnEnded
from tests.rulesets.hallowed_earth.units import (
    agility,
    attack,
    begin,
    begun,
    declare,
    fact,
    hero,
    monster,
    queue,
    shown,
    weapon,
)
from tests.spec import Spec, rule


def duel(spec: Spec, *faces: int, **options: Any) -> Spec:
    """Begin with Ana and an orc, three squares apart, before their declarations."""
    arms = [weapon("axe", "1d6", 4), weapon("dagger", "1d4", 1)]
    spec.given(
        hero("Ana", at=[0, 0], weapons=arms, max_stress=20),
        monster("Orc", at=[3, 0], weapons=arms, max_stress=20),
        rulings="default",
        **options,
    )
    return begin(spec, *(faces or (3, 6)))


@rule("HE-SEQ-01")
def test_steps_come_in_this_order(spec: Spec) -> None:
    spec.given(hero("Ana"), monster("Orc"))
    spec.begin()
    assert (spec.combat.phase, spec.open()) == ("surprise", [("ruling", "surprise", None)])
    spec.answer(None, "as-given")
    assert spec.combat.phase == "initiative"
    spec.answer("Ana", "roll", ("initiative", 5), name="initiative", faces=[4])
    assert spec.combat.phase == "declare"
    declare(spec, Ana="no-action", Orc="no-action")
    assert spec.combat.phase == "count/4"
    spec.act("Ana", "end-turn").act("Orc", "end-turn")
    assert [phase_began.phase for phase_began in spec.events(PhaseBegan)] == [
        "end-round",
        "declare",
    ]
    assert not spec.events(Rolled)  # neither surprise nor dice again


@rule("HE-SEQ-02", "HE-DECL-08", "HE-DECL-12", "HE-DECL-13", "HE-DECL-01")
def test_nothing_resolves_before_all_have_declared_in_secret(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[weapon("axe")]), monster("Orc"), rulings="default")
    with spec.refused("HE-DECL-13", "wrong-phase"):
        spec.act("Ana", "attack", weapon="axe")
    begin(spec, 3, 6)
    spec.act("Ana", "attack", weapon="axe")
    with spec.refused("HE-DECL-12", "already-declared"):
        spec.act("Ana", "no-action")
    with spec.refused("HE-SEQ-02", "wrong-phase"):
        spec.act("Ana", "move", path=[[0, 1]])
    assert fact(spec, "Ana", "declared") is None  # not revealed yet
    declared = spec.live.combat.prompts["Ana:2"]
    assert (declared.sealed, declared.answer) == (True, "attack")
    spec.act("Orc", "no-action")
    assert shown(spec, "Ana", "declared")["weapon"] == "axe"


@rule("HE-SEQ-04", "HE-DECL-14", "HE-LATE-11")
def test_the_gm_closes_the_step_and_a_newcomer_declares_with_the_others(spec: Spec) -> None:
    duel(spec)
    spec.join(("initiative", 2), **hero("Bo"))
    assert [who for _, _, who in spec.open()] == ["Ana", "Orc", "Bo"]
    spec.act("Bo", "no-action").rule("close-declare")
    assert fact(spec, "Ana", "declared")["action"] == "no-action"
    assert queue(spec) == [("Bo", 2), ("Ana", 3), ("Orc", 6)]
    spec.rule("override", event=3, outcome="it was a draw")
    assert "it was a draw" in spec.told()[-2].text  # type: ignore[attr-defined]


@rule("HE-DECL-03", "HE-DECL-09")
def test_the_way_of_declaring_is_chosen_before_and_then_fixed(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Bo"), monster("Orc"), rulings="default")
    spec.rule("set-declare-order", declare_order="counterclockwise")
    begin(spec, 1, 2, 3)
    assert spec.open() == [("declare", "declare", "Orc")]
    with spec.refused("HE-DECL-09", "declare-order-fixed"):
        spec.rule("set-declare-order", declare_order="secret")


@rule("HE-DECL-04", "HE-DECL-05", "HE-DECL-06", "HE-DECL-07", "HE-DECL-10")
@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("clockwise", ["Bo", "Cy", "Ana"]),
        ("counterclockwise", ["Ana", "Cy", "Bo"]),
        ("agility", ["Cy", "Ana", "Bo"]),
        ("initiative-modifier", ["Bo", "Cy", "Ana"]),  # −4, −3, 0
    ],
)
def test_ordered_methods(spec: Spec, order: str, expected: list[str]) -> None:
    spec.given(
        hero("Ana"),
        hero("Bo", initiative_modifiers=[{"value": -4}]),
        monster("Cy", attributes=agility(16)),
        declare_order=order,
        seating=["Bo", "Cy"],
        rulings="default",
    )
    begin(spec, 1, 2, 3)
    for who in expected:
        assert [asked for _, _, asked in spec.open()] == [who]
        late = next(other for other in reversed(expected) if other != who)
        if fact(spec, late, "declared") is None:
            with spec.refused("HE-DECL-10", "not-your-declaration"):
                spec.act(late, "no-action")
        spec.act(who, "no-action")
        assert fact(spec, who, "declared")["action"] == "no-action"  # seen at once
    assert spec.combat.phase.startswith("count")


@rule("HE-DECL-15", "HE-ITEM-01")
def test_what_is_not_there_is_not_declared(spec: Spec) -> None:
    duel(spec)
    with spec.refused("HE-DECL-15", "no-item"):
        spec.act("Ana", "attack", weapon="bow")
    with spec.refused("HE-DECL-15", "no-item"):
        spec.act("Ana", "use-item", item="potion")


@rule("HE-DECL-02", "HE-DECL-11", "HE-ACT-01", "HE-ACT-02", "HE-ACT-03", "HE-ACT-05", "HE-MOVE-04")
def test_what_was_declared_or_nothing(spec: Spec) -> None:
    duel(spec)
    spec.act("Ana", "attack", weapon="axe", target="Ana").act("Orc", "no-action")
    assert queue(spec) == [("Orc", 6), ("Ana", 7)]
    with spec.refused("HE-ACT-05", "not-your-turn"):
        spec.act("Ana", "move", path=[[1, 0]])
    spec.act("Orc", "end-turn")
    with spec.refused("HE-DECL-11", "not-declared"):
        spec.act("Ana", "attack", weapon="dagger", target="Orc")
    with spec.refused("HE-DECL-11", "not-declared"):
        spec.act("Ana", "full-defense")
    spec.act("Ana", "move", path=[[1, 0]]).act("Ana", "move", path=[[2, 0]])
    spec.answer("Orc", "pass")
    spec.act("Ana", "attack", ("attack", 12), ("damage", 3), target="Orc")  # not at itself
    with spec.refused("HE-ACT-02", "standard-used"):
        spec.act("Ana", "attack", target="Orc")
    spec.act("Ana", "free-action", what="shout")
    with spec.refused("HE-ACT-03", "free-used"):
        spec.act("Ana", "free-action", what="shout")
    spec.act("Ana", "move", path=[[1, 0]])  # after the action


@rule("HE-MOVE-01", "HE-MOVE-02", "HE-MOVE-03", "HE-MOVE-05")
def test_pieces_of_a_move_add_up_to_speed(spec: Spec) -> None:
    duel(spec)
    declare(spec, Ana="no-action", Orc="no-action")
    assert queue(spec) == [("Ana", 3), ("Orc", 6)]  # only moving: +0
    spec.act("Ana", "move", path=[[-1, 0], [-2, 0], [-3, 0]])
    with spec.raises(Impossible) as caught:
        spec.act("Ana", "move", path=[[-4, 0], [-5, 0], [-6, 0], [-7, 0]])
    assert (caught[0].rule, caught[0].code) == ("HE-MOVE-03", "too-far")
    spec.act("Ana", "move", path=[[-4, 0], [-5, 0], [-6, 0]])
    assert (shown(spec, "Ana", "moved_ft"), shown(spec, "Ana", "move_limit_ft")) == (30, 30)


@rule("HE-MOD-07", "HE-MOD-10", "HE-MOD-11", "HE-DATK-03", "HE-DATK-05")
def test_modifiers_of_what_is_not_listed(spec: Spec) -> None:
    spear = weapon("spear", "1d8", 3, kind="thrown", range_ft=30)
    spec.given(
        hero("A", weapons=[spear]),
        hero("B", abilities=[{"id": "dance", "initiative_modifier": 5, "effect": "a dance"}]),
        hero("C"),
        monster("D"),
        rulings="default",
    )
    begin(
        spec, 1, 1, 1, 1,
        A=attack("spear"), B=("use-ability", {"ability": "dance"}), C="defensive-attack",
        D="stabilize",
    )  # fmt: skip
    assert sorted(queue(spec)) == [("A", 4), ("B", 6), ("C", 2), ("D", 1)]
    spec.act("D", "end-turn")
    with spec.refused("HE-DATK-05", "no-attack-declared"):
        spec.act("C", "attack", target="D")
    with spec.refused("HE-DATK-05", "no-attack-declared"):
        spec.act("C", "defensive-attack", target="D")


@rule("HE-INIT-05", "HE-INIT-09", "HE-ATTR-04", "HE-LATE-04")
def test_damaged_agility_lowers_defense_and_not_the_base(spec: Spec) -> None:
    duel(spec)
    declare(spec, Ana="no-action", Orc="no-action")
    spec.rule("injury", ("injury-damage", 6), who="Orc", name="Broken Femur")
    assert shown(spec, "Orc", "defense") == 7  # Agility 4: −3
    assert fact(spec, "Orc", "base_initiative") == 6
    spec.rule("set-initiative", who="Ana", base=9)  # it counts from the next round on
    assert queue(spec) == [("Ana", 3), ("Orc", 6)]
    spec.rule("set-initiative", who="Orc", base=1)  # 1 is over, so Orc acts in the next round
    assert queue(spec) == [("Ana", 3)]
    spec.act("Ana", "end-turn")
    declare(spec, Ana="no-action", Orc="no-action")
    assert queue(spec) == [("Orc", -11), ("Orc", 1), ("Ana", 9)]  # 1 − 12


@rule("HE-LATE-03", "HE-LATE-10", "HE-LATE-12", "HE-SURP-06", "HE-SURP-07")
def test_newcomers_ahead_in_the_slot_and_surprised(spec: Spec) -> None:
    duel(spec)
    declare(spec, Ana="no-action", Orc="no-action")
    spec.join(("initiative", 9), **monster("ahead"))
    declare(spec, ahead="no-action")
    spec.join(("initiative", 3), **monster("now"))
    declare(spec, now="no-action")
    spec.join(("initiative", 1), **monster("asleep", defense_bonus=2, surprised=True))
    assert queue(spec) == [("Ana", 3), ("now", 3), ("Orc", 6), ("ahead", 9)]
    assert {who for _, _, who in spec.open()} == {"Ana", "now"}
    assert fact(spec, "asleep", "base_initiative") == 1
    assert fact(spec, "asleep", "carried") is None
    assert shown(spec, "asleep", "defense") == 12
    with spec.refused("HE-SURP-04", "surprised"):
        spec.act("asleep", "no-action")


@rule("HE-LATE-06", "HE-LATE-09", "HE-TIE-01", "HE-TIE-03")
def test_both_turns_at_one_number(spec: Spec) -> None:
    """The rat missed a turn, so it acts twice at −7, with two Standard Actions (GAP-09)."""
    duel(spec, 12, 12)
    declare(spec, Ana=attack("axe"), Orc=attack("axe"))
    spec.join(("initiative", 10), **hero("rat", at=[1, 0], weapons=[weapon("bite", "1d4", -5)]))
    declare(spec, rat=attack("bite"))  # 5 is over, so it acts at −7 in the next round
    spec.rule("set-initiative", who="rat", base=-2).rule("next-round", ("morale", 6, 6, 6))
    declare(spec, Ana="no-action", Orc="no-action", rat=attack("bite"))
    assert queue(spec) == [("rat", -7), ("rat", -7), ("Ana", 12), ("Orc", 12)]
    spec.act("rat", "attack", target="Ana")
    spec.act(
        "rat", "attack", ("attack", 15), ("damage", 3), ("attack", 15), ("damage", 2), target="Ana"
    )
    assert spec.hp("Ana", "stress") == 15  # 20 − 3 − 2
    with spec.refused("HE-ACT-02", "standard-used"):
        spec.act("rat", "attack", target="Ana")


@rule("HE-SHARE-04")
def test_characters_share_no_die(spec: Spec) -> None:
    with spec.raises(Impossible) as caught:
        spec.given(hero("Ana", initiative_group="x"))
    assert (caught[0].code, caught[0].pointer) == (
        "group-only-monsters",
        "/combatants/0/sheet/initiative_group",
    )


@rule("HE-TIE-03", "HE-TIE-06", "HE-DATK-04")
def test_in_a_tied_slot_reach_counts_from_before_or_after_the_movement(spec: Spec) -> None:
    duel(spec, 5, 5)
    declare(spec, Ana=attack("axe"), Orc=attack("axe"))
    spec.act("Ana", "move", path=[[1, 0], [2, 0]])
    spec.answer("Orc", "pass")
    spec.act("Ana", "attack", target="Orc")
    with spec.refused("HE-TIE-04", "wrong-phase"):
        spec.act("Orc", "free-action", what="laugh")
    spec.act("Orc", "move", path=[[4, 0], [5, 0]])
    # Ana gets no second prompt at the beginning (15 ft) or after the movement (15 ft).
    spec.act("Orc", "end-turn")
    assert not spec.events(Damaged)
    assert spec["Ana"].budget["reaction"] == 1
    assert fact(spec, "Ana", "actions") is None  # no action was taken
    spec.act("Ana", "free-action", what="curse").act("Ana", "end-turn")
    assert spec.combat.round == 2


@rule("HE-TIE-06", "HE-TIE-04")
def test_who_walks_away_at_the_same_time_is_still_struck(spec: Spec) -> None:
    arms = [weapon("axe", "1d6", 4)]
    spec.given(
        hero("Ana", at=[0, 0], weapons=arms),
        monster("Orc", at=[1, 0], weapons=arms),
        rulings="default",
    )
    begin(spec, 5, 9, Ana=attack("axe"), Orc="no-action")
    spec.act("Orc", "move", path=[[2, 0], [3, 0]])
    spec.act("Orc", "no-action")
    spec.act("Ana", "attack")
    assert spec.prompt().data["targets"] == ["Orc"]
    spec.answer("Ana", "Orc", ("attack", 15), ("damage", 4))
    assert spec.hp("Orc", "wound_points") == 6


@rule("HE-END-01", "HE-END-02", "HE-END-03", "HE-END-04", "HE-ACT-06")
def test_the_end_wipes_initiative_and_nothing_else(spec: Spec) -> None:
    spec.given(hero("Ana", max_stress=5), monster("Orc", wound_points=-9), rulings="ask")
    spec.begin().answer(None, "as-given", ("initiative", 3), ("initiative", 4))
    spec.rule("damage", who="Ana", amount=2).rule("condition", who="Ana", add="prone")
    declare(spec, Ana="no-action", Orc="no-action")
    spec.act("Ana", "end-turn").act("Orc", "end-turn")
    assert spec["Orc"].has("dead")  # it bleeds before morale and the GM's prompt
    assert spec.open() == [("ruling", "end-combat", None)]
    with spec.refused("HE-SEQ-02", "wrong-phase"):
        spec.act("Ana", "end-turn")
    spec.answer(None, "go-on")
    assert spec.combat.round == 2
    spec.act("Ana", "no-action").act("Ana", "end-turn").answer(None, "end")
    assert (spec.combat.status, spec.combat.winners) == ("ended", ("heroes",))
    assert fact(spec, "Ana", "base_initiative") is None
    assert spec.hp("Ana", "stress") == 3
    assert spec["Ana"].has("prone")
    with spec.refused("HE-END-04", "combat-over"):
        spec.act("Ana", "attack", target="Orc")
    with spec.refused("HE-END-04", "combat-over"):
        spec.act("Ana", "speak", text="Over!")


@rule("HE-TIE-04", "HE-DECL-02")
def test_who_can_be_aimed_at_is_looked_at_again_when_it_is_chosen(spec: Spec) -> None:
    sword = weapon("sword", "1d8")
    spec.given(
        hero("Ana", weapons=[sword]),
        hero("Ben", weapons=[sword]),
        hero("Orc", side="foes"),
        hero("Elf", side="foes"),
    )
    begun(spec, 5, 5, 9, 9, Ana=attack("sword"), Ben=attack("sword"))
    declare(spec, Orc="no-action", Elf="no-action").act("Ana", "attack").act("Ben", "attack")
    assert spec.open() == [("choice", "target", "Ana"), ("choice", "target", "Ben")]
    spec.rule("condition", combatant="Orc", add="dead")
    with spec.refused("HE-WP-07", "dead"):
        spec.answer("Ana", "Orc")
    spec.rule("condition", combatant="Ben", add="paralyzed")  # his prompt closes
    spec.answer("Ana", "Elf", ("attack", 1))
    assert [rolled.who for rolled in spec.events(Rolled)] == ["Ana"]


@rule("HE-TIE-03")
def test_what_the_gm_makes_of_one_effect_prevents_no_other_of_that_moment(spec: Spec) -> None:
    flask = {"id": "flask", "effect": "it bursts", "use_speed": 0}
    spec.given(hero("Ana", items=[flask]), hero("Orc", side="foes", items=[flask]), hero("Bo"))
    begun(spec, 5, 5, 9, Ana=("use-item", {"item": "flask"}), Orc=("use-item", {"item": "flask"}))
    declare(spec, Bo="no-action")
    spec.act("Ana", "use-item", target="Orc").act("Orc", "use-item", target="Ana")
    spec.answer(None, "damage", amount=20, name="effect")
    assert spec["Orc"].has("dead")
    spec.answer(None, "damage", amount=3, name="effect")
    assert spec.hp("Ana", "wound_points") == 7


@rule("HE-SEQ-04")
def test_the_gm_sets_the_turns_to_come(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Ben", surprised=True), hero("Cid"), hero("Orc", side="foes"))
    begun(spec, 1, 2, 4, 9, Ana="no-action", Cid="no-action", Orc="no-action")
    spec.act("Ana", "end-turn")
    with spec.refused("HE-SURP-03", "surprised"):
        spec.rule("set-order", order=["Ben"])
    spec.join(("initiative", 7), **hero("Eve"))
    with spec.refused("HE-INIT-07", "not-declared"):
        spec.rule("set-order", order=["Eve"])
    spec.answer("Eve", "no-action")
    spec.rule("set-order", order=["Cid", "Orc", "Ana"])
    spec.act("Cid", "end-turn")
    assert queue(spec) == [("Orc", 9), ("Ana", 1)]  # another turn after her first
    spec.act("Orc", "end-turn").act("Ana", "end-turn")
    assert spec.combat.phase == "declare"
    with spec.refused("HE-SEQ-01", "wrong-phase"):
        spec.rule("set-order", order=["Ana"])


@rule("HE-SEQ-04", "HE-LATE-06")
def test_the_gm_puts_both_turns_of_a_round_where_they_shall_be(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Orc", side="foes"))
    begun(spec, 9, 5, Ana="no-action", Orc="no-action")
    spec.rule("set-initiative", combatant="Ana", base=2).act("Orc", "end-turn")
    declare(spec, Ana="no-action", Orc="no-action")
    assert queue(spec) == [("Ana", -10), ("Ana", 2), ("Orc", 5)]
    spec.rule("set-order", order=["Ana", "Orc", "Ana"])
    assert queue(spec) == [("Ana", -10), ("Orc", 5), ("Ana", 2)]


@rule("HE-END-03", "HE-END-04")
@pytest.mark.parametrize(
    ("ruling", "inputs"),
    [
        ("end", {}),
        ("next-round", {}),
        ("close-declare", {}),
        ("surprise", {"who": ["Ana"]}),
        ("set-initiative", {"combatant": "Ana", "base": 4}),
        ("set-order", {"order": ["Ana"]}),
        ("set-declare-order", {"declare_order": "agility"}),
        ("enter", {"sheet": hero("Cid")}),
    ],
)
def test_when_the_combat_is_over_no_ruling_goes_on_with_it(
    spec: Spec, ruling: str, inputs: dict[str, Any]
) -> None:
    spec.given(hero("Ana"), monster("Orc"))
    begun(spec, 3, 5).rule("end")
    with spec.refused("HE-END-04", "combat-over"):
        spec.rule(ruling, **inputs)


@rule("HE-SURP-03", "HE-DECL-01")
@pytest.mark.parametrize("order", ["secret", "agility"])
def test_who_is_surprised_by_a_ruling_is_asked_no_more(spec: Spec, order: str) -> None:
    spec.given(hero("Ana"), hero("Bo"), hero("Eve", side="foes"), declare_order=order)
    begun(spec, 3, 5, 9, Ana="no-action")
    spec.rule("condition", combatant="Bo", add="surprised")
    with spec.refused("HE-SURP-03", "surprised"):
        spec.act("Bo", "full-defense")
    declare(spec, Eve="no-action")
    assert queue(spec) == [("Ana", 3), ("Eve", 9)]


@rule("HE-SURP-01")
def test_only_who_is_there_is_surprised(spec: Spec) -> None:
    asked = next(iter(spec.given(hero("Ana"), monster("Orc")).begin().live.open_prompts()))
    with spec.raises(Unknown):
        spec.do(Reply(asked, "surprise", {"who": ["Orc", "Ork"]}))


@rule("HE-DECL-02")
def test_who_is_named_as_the_target_of_a_declaration_is_somebody(spec: Spec) -> None:
    duel(spec)
    with spec.raises(Unknown) as told:
        spec.act("Ana", "attack", weapon="axe", target="Ork")
    assert told[0].known == ("Ana", "Orc")


@rule("HE-SEQ-02", "HE-DECL-01")
@pytest.mark.parametrize("order", ["secret", "agility"])
@pytest.mark.parametrize("state", ["surprised", "dead"])
def test_who_may_declare_again_before_anything_resolves_is_asked_again(
    spec: Spec, order: str, state: str
) -> None:
    spec.given(hero("Bo"), hero("Eve", side="foes"), declare_order=order)
    begun(spec, 5, 9)
    spec.rule("condition", combatant="Bo", add=state)
    spec.rule("condition", combatant="Bo", remove=state)
    declare(spec, Eve="no-action", Bo="full-defense")
    assert queue(spec) == [("Bo", 4), ("Eve", 9)]


@rule("HE-LATE-02", "HE-DECL-01", "HE-LATE-12")
@pytest.mark.parametrize("state", ["surprised", "dead"])
def test_a_newcomer_who_may_not_declare_any_more_misses_nothing(spec: Spec, state: str) -> None:
    spec.given(hero("Ana"), hero("Eve", side="foes"))
    begun(spec, 8, 9, Ana="no-action", Eve="no-action")
    spec.join(("initiative", 5), **hero("Bo"))
    assert ("declare", "declare", "Bo") in spec.open()
    spec.rule("condition", combatant="Bo", add=state)
    assert spec.open() == [("turn", "turn", "Ana")]
    assert not fact(spec, "Bo", "carried")


# ---- numbers and rules in the log


@rule("HE-INIT-02", "HE-INIT-04")
def test_a_base_initiative_of_0_or_less_names_its_rule(spec: Spec) -> None:
    spec.given(
        hero("Ana", attributes={"agility": 12}), hero("Bo", attributes={"agility": 14}),
        monster("Orc"), rulings="default",
    )  # fmt: skip
    spec.begin(("initiative", 1), ("initiative", 1), ("initiative", 1))  # 1 − 1, 1 − 2, 1
    told = [
        (fact_set.who, fact_set.value, fact_set.rules)
        for fact_set in spec.events(FactSet, key="base_initiative")
    ]
    assert sorted(told, key=lambda row: str(row[0])) == [
        ("Ana", 0, ("HE-INIT-02", "HE-INIT-04")),
        ("Bo", -1, ("HE-INIT-02", "HE-INIT-04")),
        ("Orc", 1, ("HE-INIT-02",)),
    ]
    noted = {noted.who: (noted.full, noted.rules) for noted in spec.events(Noted)}
    assert noted["Ana"] == ("Ana has a Base Initiative of 0", ("HE-INIT-02",))


@rule("HE-INIT-05", "HE-INIT-09")
def test_a_base_initiative_that_the_gm_sets_is_told(spec: Spec) -> None:
    duel(spec, 5, 5)
    spec.rule("set-initiative", who="Ana", base=3)
    assert "Ana has a Base Initiative of 3" in [noted.full for noted in spec.events(Noted)]


@rule("HE-INIT-03")
def test_a_modifier_of_the_die_is_told_with_its_reason(spec: Spec) -> None:
    modifiers = [{"value": 2, "reason": "fog"}, {"value": 1}]
    spec.given(hero("Ana", initiative_modifiers=modifiers), monster("Orc"), rulings="default")
    spec.begin(("initiative", 5), ("initiative", 5))
    terms = next(rolled.terms for rolled in spec.events(Rolled) if rolled.who == "Ana")
    assert [(term.source, term.value) for term in terms if term.rule == "HE-INIT-03"] == [
        ("fog", 2), ("modifier", 1),
    ]  # fmt: skip


@rule("HE-INIT-07", "HE-DATK-03", "HE-MOD-06", "HE-MOD-07")
def test_what_is_declared_names_the_rule_of_its_number(spec: Spec) -> None:
    duel(spec, 5, 9)
    declare(spec, Ana=("defensive-attack", {"weapon": "axe"}), Orc="full-defense")
    rules = {noted.who: noted.rules for noted in spec.events(Noted) if "declares" in noted.text}
    assert rules["Ana"] == ("HE-INIT-07", "HE-MOD-06")
    assert "HE-DATK-03" not in rules["Orc"]
    spec.rule("next-round")
    declare(spec, Ana="defensive-attack", Orc="no-action")
    rules = {noted.who: noted.rules for noted in spec.events(Noted) if "declares" in noted.text}
    assert rules["Ana"] == ("HE-INIT-07", "HE-MOD-07", "HE-DATK-03")


@rule("HE-DECL-15")
@pytest.mark.parametrize(
    ("named", "told"), [({"weapon": "club"}, "Ana has no weapon club"), ({}, "Ana has no weapon")]
)
def test_a_weapon_that_is_not_there_is_not_declared(
    spec: Spec, named: dict[str, str], told: str
) -> None:
    spec.given(hero("Ana", weapons=[weapon("axe", "1d6")]), monster("Orc"), rulings="default")
    spec.begin(("initiative", 5), ("initiative", 5))
    with spec.raises(Illegal) as refusals:
        declare(spec, Ana=("attack", named))
    assert (refusals[0].detail, list(refusals[0].allowed)) == (told, ["axe"])


@rule("HE-TIE-08", "HE-WP-07")
def test_the_turn_of_who_dies_ends_by_that(spec: Spec) -> None:
    duel(spec, 5, 9)
    declare(spec, Ana="no-action", Orc="no-action")
    spec.rule("damage", who="Ana", amount=90, to="wound-points")
    assert spec.event(TurnEnded, who="Ana").rules == ("HE-TIE-08", "HE-WP-07")


@rule("HE-LATE-02", "HE-LATE-13", "HE-DECL-14")
def test_a_newcomer_declares_also_where_the_gm_has_closed_the_step(spec: Spec) -> None:
    spec.given(
        hero("Ana"),
        monster("Orc", initiative_modifiers=[{"value": 1, "reason": "slow"}]),
        rulings="default",
    )
    begin(spec, 1, 12, Ana="no-action").rule("close-declare")
    spec.act("Ana", "end-turn")
    assert spec.combat.phase == "count/13"
    claws = [weapon("claws", speed=0)]
    spec.join(("initiative", 8), **monster("Ghoul", weapons=claws))
    assert ("declare", "declare", "Ghoul") in spec.open()
    spec.act("Ghoul", "attack", weapon="claws")
    assert fact(spec, "Ghoul", "carried")[0]["number"] == -4  # 8 − 12


@rule("HE-DECL-14")
def test_the_step_that_was_closed_is_not_asked_again(spec: Spec) -> None:
    spec.given(hero("Ana"), monster("Orc"), rulings="default")
    begin(spec, 1, 12).rule("close-declare")
    assert [name for _, name, _ in spec.open()] == ["turn"]
    spec.act("Ana", "end-turn").act("Orc", "end-turn")
    assert [who for _, _, who in spec.open()] == ["Ana", "Orc"]  # the next round asks both
