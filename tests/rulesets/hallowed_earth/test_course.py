"""Test rounds and fights from their first dice to their ends."""

from typing import Any

import pytest

from domain.engine.commands import Reply
from domain.errors import Illegal
from domain.record.events import (
    CombatEnded,
    ConditionLost,
    FactSet,
    InitiativeSet,
    Noted,
    PhaseBegan,
    Rolled,
    RoundEnded,
    Stopped,
    TurnEnded,
)
from tests.rulesets.hallowed_earth.units import (
    CLUB,
    SWORD,
    attack,
    begin,
    begun,
    declare,
    fact,
    hero,
    monster,
    queue,
    weapon,
)
from tests.spec import Spec, rule

# ---- the end of a round


@rule("HE-SEQ-01", "HE-SEQ-04", "HE-END-02")
def test_a_round_that_is_skipped_leaves_nobody_waiting(spec: Spec) -> None:
    spec.given(hero("Ana"), monster("Orc"), rulings="default")
    begin(spec, 1, 12, Ana="no-action", Orc="no-action")
    assert queue(spec) == [("Ana", 1), ("Orc", 12)]
    spec.rule("next-round")
    assert next(initiative_set.order for initiative_set in spec.events(InitiativeSet)) == ()
    assert spec.event(RoundEnded).round == 1
    assert (spec.combat.phase, spec.combat.round, queue(spec)) == ("declare", 2, [])


@rule("HE-SURP-05", "HE-FDEF-05")
def test_surprise_and_stances_end_with_the_round(spec: Spec) -> None:
    fighters = hero("Ana"), hero("Ben", surprised=True), hero("Orc", side="foes")
    spec.given(*fighters, rulings="default")
    begin(spec, 1, 5, 12, Ana="full-defense", Orc="no-action")
    spec.act("Ana", "full-defense")
    spec.rule("next-round")
    ended = {
        condition_lost.condition: condition_lost.rules
        for condition_lost in spec.events(ConditionLost)
    }
    assert ended["surprised"] == ("HE-SURP-05",)
    assert ended["full-defense"] == ("HE-FDEF-05",)


@rule("HE-LATE-08")
def test_a_missed_turn_comes_for_one_round_only(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Orc", side="foes"), rulings="default")
    begin(spec, 5, 12, Ana="no-action", Orc="no-action")
    spec.act("Ana", "end-turn")  # the count stands at 12
    spec.join(("initiative", 3), **hero("Cid"))
    spec.answer("Cid", "no-action")
    assert fact(spec, "Cid", "carried")[0]["round"] == 2
    spec.act("Orc", "end-turn")
    assert fact(spec, "Cid", "carried") is not None
    declare(spec, Ana="no-action", Orc="no-action", Cid="no-action")
    assert queue(spec) == [("Cid", -9), ("Cid", 3), ("Ana", 5), ("Orc", 12)]
    spec.rule("next-round")
    assert not fact(spec, "Cid", "carried")


@rule("HE-BLUNT-15")
@pytest.mark.parametrize("state", ["dead", "left", "breathing"])
def test_only_who_is_there_and_cannot_breathe_may_suffocate(spec: Spec, state: str) -> None:
    spec.given(hero("Ana"), hero("Ben"), monster("Orc"))
    begun(spec, 1, 5, 12)
    if state != "breathing":
        spec.rule("injury", combatant="Ben", name="Crushed Windpipe")
    if state == "dead":
        spec.rule("damage", combatant="Ben", amount=20)
    if state == "left":
        spec.leave("Ben")
    spec.rule("next-round")
    assert [name for kind, name, who in spec.open() if name == "suffocation"] == []


@rule("HE-BLUNT-15")
@pytest.mark.parametrize("cure", ["heal", "leave", "die"])
def test_suffocation_is_asked_no_more_when_it_has_passed(spec: Spec, cure: str) -> None:
    spec.given(hero("Ana"), hero("Ben"), hero("Eve", side="foes"))
    begun(spec, 1, 5, 12)
    spec.rule("injury", combatant="Ben", name="Crushed Windpipe").rule("next-round")
    assert [name for kind, name, who in spec.open()] == ["suffocation"]
    if cure == "heal":
        spec.rule("heal", combatant="Ben", injury="Crushed Windpipe")
    elif cure == "die":
        spec.rule("condition", combatant="Ben", add="dead")
    else:
        spec.leave("Ben")
    assert "suffocation" not in [name for kind, name, who in spec.open()]
    assert spec.combat.round == 2


@rule("HE-BLUNT-15")
def test_nobody_is_healed_by_having_no_breath(spec: Spec) -> None:
    spec.given(hero("Ben"), hero("Eve", side="foes"))
    begun(spec, 1, 5)
    spec.rule("injury", combatant="Ben", name="Crushed Windpipe").rule("next-round")
    options = [option.id for option in spec.prompt(None, "suffocation").options]
    assert options == ["damage", "conditions", "nothing"]


# ---- the end of the combat


@rule("HE-END-03")
def test_the_end_wipes_initiative_and_what_lasts_for_turns(spec: Spec) -> None:
    spec.given(hero("Ana"), monster("Orc"))
    begun(spec, 1, 12, Ana="full-defense", Orc="no-action")
    spec.act("Ana", "full-defense")
    spec.rule("end")
    assert [phase_began.phase for phase_began in spec.events(PhaseBegan)] == ["ending", "ended"]
    assert [turn_ended.who for turn_ended in spec.events(TurnEnded)] == ["Ana"]
    wiped = spec.event(InitiativeSet)
    assert (wiped.order, wiped.lasting) == ((), True)
    assert [condition_lost.condition for condition_lost in spec.events(ConditionLost)] == [
        "full-defense"
    ]
    assert spec.event(CombatEnded).winners == ()  # both could fight on


@rule("HE-END-01")
def test_the_winners_are_who_can_fight_on_or_whom_the_gm_names(spec: Spec) -> None:
    spec.given(hero("Ana"), monster("Orc"))
    begun(spec, 1, 12)
    spec.rule("damage", combatant="Orc", amount=20)
    spec.rule("end")
    assert spec.event(CombatEnded).winners == ("heroes",)
    spec.undo()
    spec.rule("end", winners=["foes"])
    assert spec.event(CombatEnded).winners == ("foes",)


@rule("HE-LATE-01")
def test_who_comes_before_the_dice_rolls_with_the_others(spec: Spec) -> None:
    spec.given(hero("Ana"), monster("Orc"))
    spec.begin()
    spec.join(**hero("Cid"))
    spec.answer(None, "as-given", ("initiative", 5), ("initiative", 6), ("initiative", 7))
    assert [rolled.who for rolled in spec.events(Rolled)] == ["Ana", "Orc", "Cid"]


# ---- declaring


@rule("HE-DECL-12", "HE-LATE-01", "HE-DECL-10")
def test_why_somebody_cannot_declare_now(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[SWORD]), hero("Ben", weapons=[CLUB]), monster("Orc"))
    begun(spec, 1, 5, 12)
    spec.act("Ana", "full-defense")
    with spec.refused("HE-DECL-12", "already-declared"):
        spec.act("Ana", "full-defense")
    for action in ("attack", "defensive-attack"):  # a defensive attack needs no weapon
        with spec.raises(Illegal) as told:
            spec.act("Ben", action, weapon="spear")
        assert (told[0].rule, told[0].code) == ("HE-DECL-15", "no-item")
        assert told[0].allowed == ("club",)
    spec.join(**hero("Cid"))
    with spec.refused("HE-LATE-01", "wrong-phase"):
        spec.act("Cid", "full-defense")
    spec.answer("Cid", "roll", faces=[7]).act("Cid", "full-defense")
    with spec.refused("HE-DECL-12", "already-declared"):
        spec.act("Cid", "full-defense")


@rule("HE-DECL-10", "HE-DECL-12")
def test_why_somebody_cannot_declare_now_in_order(spec: Spec) -> None:
    scores = {"Ana": 16, "Ben": 14, "Orc": 10}
    sheets = [hero(name, attributes={"agility": score}) for name, score in scores.items()]
    spec.given(*sheets[:2], {**sheets[2], "side": "foes"}, declare_order="agility")
    begun(spec, 4, 5, 12)
    (first,) = [who for kind, name, who in spec.open()]
    assert first == "Ana"  # the highest Agility first (HE-DECL-06)
    with spec.refused("HE-DECL-10", "not-your-declaration"):
        spec.act("Orc", "full-defense")
    spec.act("Ana", "full-defense")
    with spec.refused("HE-DECL-12", "already-declared"):
        spec.act("Ana", "full-defense")


@rule("HE-INIT-07", "HE-MOD-07", "HE-DATK-03")
def test_a_declaration_is_told_with_its_modifier(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[weapon("sword", speed=2)]), hero("Ben"), monster("Orc"))
    begun(spec, 1, 5, 12)
    spec.act("Ana", "attack", weapon="sword").act("Ben", "defensive-attack")
    spec.act("Orc", "no-action")
    told = {event.event.full: event.event.rules for event in noted(spec)}
    assert told["Ana declares attack sword (+2) and acts at 3"] == ("HE-INIT-07", "HE-MOD-01")
    unarmed = "Ben declares defensive attack (+1) and acts at 6"
    assert told[unarmed] == ("HE-INIT-07", "HE-MOD-07", "HE-DATK-03")


def noted(spec: Spec) -> list[Any]:
    return [recorded for recorded in spec.live.history.path if isinstance(recorded.event, Noted)]


# ---- slots


@rule("HE-TIE-02", "HE-TIE-06")
@pytest.mark.parametrize(("faces", "rules"), [((5, 5), 2), ((5, 9), 0)])
def test_only_a_shared_number_is_a_tie(spec: Spec, faces: tuple[int, int], rules: int) -> None:
    spec.given(hero("Ana"), hero("Ben"), monster("Orc"))
    begun(spec, *faces, 12, Ana="no-action", Ben="no-action", Orc="no-action")
    begins = [
        fact_set for fact_set in spec.events(FactSet, key="slot") if fact_set.value is not None
    ]
    assert [len(fact_set.rules) for fact_set in begins] == [rules]
    for who in ("Ana", "Ben", "Orc"):
        if who in spec.combat.acting:
            spec.act(who, "end-turn")
    assert [fact_set.value for fact_set in spec.events(FactSet, key="slot")][:1] == [None]


@rule("HE-TIE-08", "HE-DECL-11")
def test_a_turn_ends_with_whoever_leaves_in_it(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Ben"), monster("Orc"))
    begun(spec, 5, 5, 12, Ana="no-action", Ben="no-action", Orc="no-action")
    spec.leave("Ana")
    assert spec.combat.acting == ("Ben",)
    spec.rule("next-round")
    assert [turn_ended.who for turn_ended in spec.events(TurnEnded)] == ["Ben"]


# ---- dice and places of initiative


@rule("HE-SURP-02", "HE-LATE-01")
def test_the_dice_of_initiative_name_their_rules(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Ben", surprised=True), hero("Orc", side="foes"))
    begun(spec, 5, 7, 12)
    path = [recorded.event for recorded in spec.live.history.path]
    rules = {event.who: event.rules for event in path if isinstance(event, Rolled)}
    assert rules["Ana"] == ("HE-INIT-01",)
    assert rules["Ben"] == ("HE-INIT-01", "HE-SURP-02")
    declare(spec, Ana="no-action", Orc="no-action")
    spec.join(("initiative", 9), **hero("Cid"))
    assert spec.rolled("initiative").rules == ("HE-INIT-01", "HE-LATE-01")


@rule("HE-LATE-03", "HE-LATE-04", "HE-LATE-05", "HE-LATE-10", "HE-TIE-02")
@pytest.mark.parametrize(
    ("face", "rules", "order", "acting"),
    [
        (9, ("HE-LATE-03",), [("Cid", 9), ("Orc", 12)], ("Ana",)),
        (5, ("HE-LATE-10",), [("Cid", 5), ("Orc", 12)], ("Ana", "Cid")),
        (3, None, [("Orc", 12)], ("Ana",)),
    ],
)
def test_a_newcomers_number_is_ahead_now_or_over(
    spec: Spec,
    face: int,
    rules: tuple[str, ...] | None,
    order: list[tuple[str, int]],
    acting: tuple[str, ...],
) -> None:
    spec.given(hero("Ana"), hero("Orc", side="foes"))
    begun(spec, 5, 12, Ana="no-action", Orc="no-action")
    spec.join(("initiative", face), **hero("Cid"))
    spec.answer("Cid", "no-action")
    placed = spec.events(InitiativeSet)
    assert [initiative_set.rules for initiative_set in placed] == ([] if rules is None else [rules])
    assert [turn for turn in queue(spec) if turn[0] != "Ana"] == order
    assert spec.combat.acting == acting
    over = "3 is over: acts in the next round at -9 besides"
    assert (over in [noted.text for noted in spec.events(Noted)]) == (face == 3)
    together = [fact_set.value["together"] for fact_set in spec.events(FactSet, key="slot")]
    assert together == ([["Ana", "Cid"]] if face == 5 else [])


@rule("HE-LATE-10")
def test_who_comes_to_the_number_while_dice_fall_acts_at_it(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[SWORD]), hero("Ben"), hero("Orc", side="foes"))
    begun(spec, 5, 9, 12, Ana=attack("sword"), Ben="full-defense", Orc="no-action")
    spec.act("Ana", "attack", target="Orc")
    spec.rule("set-initiative", ("attack", 1), combatant="Ben", base=6)
    assert spec.combat.acting == ("Ana", "Ben")
    with spec.refused("HE-ACT-02", "standard-used"):
        spec.act("Ana", "attack", target="Orc")
    assert spec.act("Ben", "full-defense")["Ben"].has("full-defense")


@rule("HE-LATE-10", "HE-ACT-03")
@pytest.mark.parametrize("first", ["full-defense", "no-action"])
def test_who_comes_after_the_action_holds_no_free_action_up(spec: Spec, first: str) -> None:
    spec.given(hero("Ana"), hero("Orc", side="foes"))
    begun(spec, 6 if first == "full-defense" else 5, 12, Ana=first, Orc="no-action")
    spec.act("Ana", first)
    spec.join(("initiative", 5), **hero("Cid")).answer("Cid", "no-action", name="declare")
    assert [who for _, _, who in spec.open()] == ["Ana", "Cid"]
    if first == "no-action":  # nobody knows yet that she has finished
        spec.act("Cid", "no-action")
    spec.act("Ana", "free-action", what="shouts").act("Cid", "free-action", what="answers")
    assert spec["Ana"].budget["free"] == spec["Cid"].budget["free"] == 0


@rule("HE-LATE-09")
def test_a_turn_brings_no_second_reaction(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Orc", side="foes"))
    begun(spec, 5, 12, Ana="no-action", Orc="no-action")
    assert spec["Ana"].budget == {"standard": 1, "free": 1, "reaction": 1}


@rule("HE-INIT-09")
def test_only_who_waits_gets_a_new_number_in_this_round(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Ben"), hero("Orc", side="foes"), declare_order="agility")
    begun(spec, 5, 8, 12, Ana="no-action")
    spec.rule("set-initiative", combatant="Ana", base=6)  # declared: it counts at once
    assert fact(spec, "Ana", "round_initiative") == 6
    spec.rule("set-initiative", combatant="Ben", base=9)  # not yet declared
    assert fact(spec, "Ben", "round_initiative") is None
    declare(spec, Ben="no-action", Orc="no-action")
    spec.rule("set-initiative", combatant="Ana", base=4)  # acts just now
    assert fact(spec, "Ana", "round_initiative") == 6
    spec.rule("set-initiative", combatant="Ben", base=20)
    assert queue(spec)[-2:] == [("Orc", 12), ("Ben", 20)]
    spec.act("Ana", "end-turn").rule("set-initiative", combatant="Ana", base=30)  # has acted
    assert (queue(spec), fact(spec, "Ana", "base_initiative")) == ([("Orc", 12), ("Ben", 20)], 30)


@rule("HE-ACT-04", "HE-LATE-02")
def test_a_newcomer_has_its_actions_at_once(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Orc", side="foes"))
    assert spec["Ana"].budget == {}  # there is no budget before the fight
    begun(spec, 5, 12, Ana="no-action", Orc="no-action")
    spec.join(("initiative", 9), **hero("Cid"))
    assert spec["Cid"].budget == {"standard": 1, "free": 1, "reaction": 1}
    spec.leave("Cid")
    assert ("declare", "declaration", "Cid") not in spec.open()
    assert [turn for turn in queue(spec) if turn[0] == "Cid"] == []


# ---- morale


def beaten(spec: Spec, *, amount: int = 6, intimidated: bool = False) -> Spec:
    """Go to the end of a round in which a monster lost `amount` of its 10 Wound Points."""
    spec.given(hero("Ana"), hero("Ben"), monster("Orc"))
    begun(spec, 1, 5, 12, Ana="intimidate", Ben="no-action", Orc="no-action")
    if intimidated:
        spec.act("Ana", "intimidate", ("intimidation", 20), target="Orc")
    spec.rule("damage", combatant="Orc", amount=amount, hit=True)
    return spec.rule("next-round")


@rule("HE-MOR-02", "HE-MOR-03", "HE-MOR-05", "HE-MOR-12")
@pytest.mark.parametrize(
    ("amount", "intimidated", "due"),
    [
        (5, False, ("HE-MOR-03",)),  # exactly half; two against one
        (6, False, ("HE-MOR-02", "HE-MOR-03", "HE-MOR-12")),
        (5, True, ("HE-MOR-03", "HE-MOR-05", "HE-MOR-12")),
    ],
)
def test_a_check_names_what_it_is_due_to(
    spec: Spec, amount: int, intimidated: bool, due: tuple[str, ...]
) -> None:
    beaten(spec, amount=amount, intimidated=intimidated)
    spec.answer(None, "none", ("morale", 1, 1, 1), name="morale-obvious")
    rolled = spec.rolled("morale")
    assert rolled.rules == ("HE-MOR-06", "HE-MOR-07", "HE-MOR-08", *due)
    assert rolled.target == (20 if intimidated else 13)  # 11 + 2 opponents, or the check of 20


@rule("HE-MOR-05", "HE-WP-07")
def test_the_dead_are_not_intimidated(spec: Spec) -> None:
    spec.given(hero("Ana"), monster("Orc"), monster("Ork"), rulings="default")
    begin(spec, 1, 5, 12, Ana="intimidate", Orc="no-action", Ork="no-action")
    spec.rule("condition", combatant="Ork", add="dead")
    with spec.refused("HE-WP-07", "dead"):
        spec.act("Ana", "intimidate", target="Ork")
    spec.act("Ana", "intimidate", target="Orc")
    spec.rule("condition", combatant="Orc", add="dead")  # before the die has fallen
    assert spec.open() == [("turn", "turn", "Ana")]


@rule("HE-MOR-09")
def test_who_sees_the_end_coming_fails_without_dice(spec: Spec) -> None:
    beaten(spec)
    asked = next(iter(spec.live.open_prompts()))
    spec.do(Reply(asked, "obvious", {"who": ["Orc"]}))
    assert [noted.text for noted in spec.events(Noted)] == ["Orc sees how it will end"]
    assert spec.prompt().name == "morale-failed"


@rule("HE-MOR-09", "HE-MOR-10")
def test_only_who_has_a_check_to_make_fails_it_by_seeing_the_end(spec: Spec) -> None:
    asked = next(iter(beaten(spec).live.open_prompts()))
    with spec.raises(Illegal) as told:
        spec.do(Reply(asked, "obvious", {"who": ["Orc", "Ben"]}))
    assert (told[0].rule, told[0].code) == ("HE-MOR-09", "no-check-due")
    assert (told[0].allowed, told[0].pointer) == (("Orc",), "/inputs/who")


@rule("HE-MOR-14")
@pytest.mark.parametrize("how", ["dead", "left", "routed"])
def test_whoever_is_out_of_it_decides_nothing(spec: Spec, how: str) -> None:
    beaten(spec)
    spec.answer(None, "none", ("morale", 1, 1, 1), name="morale-obvious")
    assert spec.prompt().name == "morale-failed"
    if how == "left":
        spec.leave("Orc")
    else:
        spec.rule("condition", combatant="Orc", add=how)
    assert "morale-failed" not in [name for kind, name, who in spec.open()]
    assert not spec["Orc"].has("surrendered")
    if how != "routed":
        assert not spec["Orc"].has("routed")


@rule("HE-MOR-14", "HE-MOR-09")
def test_nobody_is_asked_what_they_see_who_check_no_more(spec: Spec) -> None:
    assert beaten(spec).open() == [("ruling", "morale-obvious", None)]
    spec.rule("condition", combatant="Orc", add="surrendered")
    assert spec.open() == [("ruling", "end-combat", None)]


@rule("HE-MOR-14")
def test_whoever_is_routed_by_hand_rolls_no_morale(spec: Spec) -> None:
    beaten(spec).answer(None, "none", name="morale-obvious")
    assert spec.open() == [("roll", "morale", None)]
    spec.rule("condition", combatant="Orc", add="routed")
    assert spec.event(Stopped).reason == "routed"
    assert not spec.events(Rolled)


@rule("HE-END-01")
@pytest.mark.parametrize("how", ["comes", "stands up"])
def test_nobody_is_asked_about_the_end_while_somebody_fights_on(spec: Spec, how: str) -> None:
    spec.given(hero("Ana"), hero("Orc", side="foes", wound_points=0))
    begun(spec, 1, 5, Ana="no-action", Orc="no-action").rule("next-round")
    assert spec.open() == [("ruling", "end-combat", None)]
    if how == "comes":
        spec.join(("initiative", 9), **hero("Eve", side="foes"))
    else:
        spec.rule("heal", combatant="Orc", wound_points=1)
    assert (spec.combat.status, spec.combat.phase) == ("running", "declare")


@rule("HE-MOR-14")
@pytest.mark.parametrize("does", ["parley", "fight-on"])
def test_whoever_fails_may_talk_or_fight_on(spec: Spec, does: str) -> None:
    beaten(spec).answer(None, "none", ("morale", 1, 1, 1), name="morale-obvious")
    spec.answer(None, does, name="morale-failed")
    told = does.replace("-", " ")
    assert (f"Orc's morale has failed: {told}", "Orc") in [
        (noted.text, noted.who) for noted in spec.events(Noted)
    ]
    assert not spec["Orc"].has("routed", "surrendered")
