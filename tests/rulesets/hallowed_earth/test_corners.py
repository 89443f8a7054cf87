"""The edges of injuries, healing, the end of a round and of a combat, moves and strikes."""

from typing import Any

import pytest

from domain.engine.commands import Reply
from domain.errors import Illegal
from domain.record.events import (
    CombatEnded,
    ConditionLost,
    Damaged,
    FactSet,
    InitiativeSet,
    Noted,
    PhaseBegan,
    Prevented,
    Rolled,
    RoundEnded,
    Spent,
    TurnEnded,
)
from domain.rulebook.play import Play
from tests.rulesets.hallowed_earth.units import (
    CLUB,
    SWORD,
    attack,
    begin,
    declare,
    fact,
    hero,
    monster,
    queue,
    weapon,
)
from tests.spec import Dice, Spec, rule


def begun(spec: Spec, *faces: int, **declared: tuple[str, dict[str, Any]] | str) -> Spec:
    """As `begin`, where the GM is asked for rulings."""
    spec.begin().answer(None, "as-given", *(("initiative", face) for face in faces))
    return declare(spec, **declared)


def clubbed(spec: Spec, *dice: Dice, armour: int = 0, **options: Any) -> Spec:
    """Ana, at 1, hits an orc of 40 Wound Points with a club; the critical hit doubles."""
    orc = {"weapons": [CLUB], "attributes": {"strength": 40}, "armour_score": armour}
    spec.given(hero("Ana", weapons=[CLUB]), monster("Orc", **orc), **options)
    begun(spec, 1, 12, Ana=attack("club"), Orc="no-action")
    return spec.act("Ana", "attack", ("attack", 20), *dice, target="Orc")


def table(damage: str | None, *attributes: str, die: str = "1d4") -> dict[str, Any]:
    """A table of blunt injuries with one entry, at 1."""
    effects = {"damage": damage, "attributes": list(attributes)}
    row = {"from": 1, "to": 1, "name": "Bruise", "effects": effects}
    return {"blunt": {"die": die, "rows": [row]}}


# ---- whether there is an injury, and which


@rule("HE-INJ-01", "HE-CRIT-05")
@pytest.mark.parametrize(("chance", "outcome"), [(8, "injury"), (9, "none")])
def test_the_chance_of_an_injury_is_the_damage_dealt(spec: Spec, chance: int, outcome: str) -> None:
    clubbed(spec, ("damage", 4), ("injury-chance", chance))
    thrown = spec.event(Rolled, purpose="injury-chance")
    assert (thrown.target, thrown.outcome) == (8, outcome)  # 4 × 2
    asked = [name for kind, name, who in spec.open() if kind == "roll"]
    assert asked == (["injury"] if outcome == "injury" else [])


@rule("HE-INJ-01", "HE-INJ-03", "HE-INJ-07", "HE-INJ-08")
def test_the_dice_of_an_injury_are_the_referees(spec: Spec) -> None:
    clubbed(spec, ("damage", 4))
    for name, *faces in (("injury-chance", 1), ("injury", 8), ("injury-side", 3)):
        assert spec.open() == [("roll", name, None)]
        asked = next(iter(spec.live.open_prompts()))
        spec.do(Reply(asked, None, {"faces": faces}))
    assert spec.open() == [("roll", "injury-damage", None)]


@rule("HE-INJ-02")
def test_what_armour_has_stopped_breaks_nothing(spec: Spec) -> None:
    clubbed(spec, ("damage", 4), armour=8)
    assert [name for kind, name, who in spec.open() if kind == "roll"] == []


@rule("HE-INJ-01", "HE-INJ-02")
def test_one_point_is_enough(spec: Spec) -> None:
    clubbed(spec, ("damage", 4), ("injury-chance", 1), armour=7)
    assert spec.event(Rolled, purpose="injury-chance").target == 1


@rule("HE-INJ-06")
def test_a_face_without_an_entry_is_the_gms(spec: Spec) -> None:
    thrown: list[Dice] = [("damage", 4), ("injury-chance", 1), ("injury", 2)]
    clubbed(spec, *thrown, injury_tables=table("1d4", "agility"))
    assert spec.prompt(name="empty-injury-table").data["type"] == "blunt"


@rule("HE-INJ-08")
def test_an_entry_without_dice_takes_nothing_off(spec: Spec) -> None:
    thrown: list[Dice] = [("damage", 4), ("injury-chance", 1), ("injury", 1)]
    clubbed(spec, *thrown, injury_tables=table(None, "agility"))
    assert fact(spec, "Orc", "attribute_damage") == {"agility": 0}


@rule("HE-INJ-08")
def test_dice_below_0_take_nothing_off(spec: Spec) -> None:
    thrown: list[Dice] = [("damage", 4), ("injury-chance", 1), ("injury", 1)]
    clubbed(spec, *thrown, ("injury-damage", 1), injury_tables=table("1d4-2", "agility"))
    assert fact(spec, "Orc", "attribute_damage") == {"agility": 0}


@rule("HE-INJ-06")
def test_the_gms_own_injury_has_the_side_of_its_condition(spec: Spec) -> None:
    thrown: list[Dice] = [("damage", 4), ("injury-chance", 1), ("injury", 2)]
    clubbed(spec, *thrown, injury_tables=table("1d4"))
    gifts = [{"id": "concussed"}, {"id": "arm-cannot-attack", "side": "off"}]
    spec.answer(None, "injury", name="empty-injury-table", text="Torn", conditions=gifts)
    assert fact(spec, "Orc", "injuries") == [
        {"id": 1, "name": "Torn", "side": "off", "type": "blunt"}
    ]
    assert spec["Orc"].has("arm-cannot-attack")
    assert "Combat Injury: Torn (off arm)" in [one.text for one in spec.events(Noted)]


# ---- several injuries, and their healing


@rule("HE-INJ-09")
def test_of_several_injuries_one_is_healed(spec: Spec) -> None:
    spec.given(hero("Ana"), monster("Orc"))
    begun(spec, 1, 12)
    for name in ("Broken Jaw", "Crushed Foot", "Crushed Windpipe"):
        spec.rule("injury", combatant="Orc", name=name)
    assert [one["id"] for one in fact(spec, "Orc", "injuries")] == [1, 2, 3]
    spec.rule("heal", combatant="Orc", injury="Broken Jaw")
    left = [one["name"] for one in fact(spec, "Orc", "injuries")]
    assert left == ["Crushed Foot", "Crushed Windpipe"]
    assert not spec["Orc"].has("cannot-chew")
    assert spec["Orc"].has("crushed-foot", "cannot-breathe", "cannot-speak")


@rule("HE-INJ-09")
def test_a_spell_that_heals_an_injury_helps_only_whom_it_ails(spec: Spec) -> None:
    setting = {"id": "set", "casting_tn": 1, "heals": {"injury": "Broken Jaw"}, "range_ft": 30}
    spec.given(hero("Ana", spells=[setting]), hero("Ben"), monster("Orc"))
    begun(spec, 1, 5, 12)
    spec.rule("injury", combatant="Orc", name="Broken Jaw")
    declare(spec, Ana=("cast", {"spell": "set"}), Ben="no-action", Orc="no-action")
    spec.act("Ana", "cast", target="Ben")
    assert spec["Ben"].facts.get("injuries") is None


@rule("HE-WP-07")
def test_the_dead_cannot_be_healed(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Ben"), monster("Orc"))
    begun(spec, 1, 5, 12)
    spec.rule("damage", combatant="Orc", amount=20)
    assert spec["Orc"].has("dead")
    spec.rule("heal", combatant="Orc", wound_points=5)
    assert spec.hp("Orc", "wound_points") == -10
    assert "Orc is dead and cannot be healed" in [one.text for one in spec.events(Noted)]


@rule("HE-SEQ-04")
@pytest.mark.parametrize(("amount", "dead"), [(20, True), (19, False)])
def test_a_death_that_is_settled_otherwise(spec: Spec, amount: int, dead: bool) -> None:
    spec.given(hero("Ana"), hero("Ben"), monster("Orc"))
    begun(spec, 1, 5, 12)
    spec.rule("damage", combatant="Orc", amount=21)  # 10 − 21 = −11, with a limit of −10
    blow = next(one.version for one in spec.last if isinstance(one.event, Damaged))
    spec.rule("override", event=blow, outcome="less", amount=amount)
    assert spec.hp("Orc", "wound_points") == 10 - amount
    assert spec["Orc"].has("dead") is dead


@rule("HE-SEQ-04")
def test_whoever_has_died_otherwise_stays_dead(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Ben"), monster("Orc"))
    begun(spec, 1, 5, 12)
    spec.rule("damage", combatant="Orc", amount=4)
    blow = next(one.version for one in spec.last if isinstance(one.event, Damaged))
    spec.rule("override", event=blow, outcome="more", amount=2)
    assert spec.hp("Orc", "wound_points") == 8
    assert spec.events(ConditionLost) == []


@rule("HE-WP-03")
def test_each_wound_has_a_number(spec: Spec) -> None:
    spec.given(hero("Ana"), monster("Orc"))
    begun(spec, 1, 12)
    spec.rule("damage", combatant="Orc", amount=2).rule("damage", combatant="Orc", amount=3)
    wounds = [(one["id"], one["amount"]) for one in fact(spec, "Orc", "wounds")]
    assert wounds == [(1, 2), (2, 3)]


# ---- the end of a round


@rule("HE-SEQ-01", "HE-SEQ-04", "HE-END-02")
def test_a_round_that_is_skipped_leaves_nobody_waiting(spec: Spec) -> None:
    spec.given(hero("Ana"), monster("Orc"), rulings="default")
    begin(spec, 1, 12, Ana="no-action", Orc="no-action")
    assert queue(spec) == [("Ana", 1), ("Orc", 12)]
    spec.rule("next-round")
    assert next(one.order for one in spec.events(InitiativeSet)) == ()
    assert spec.event(RoundEnded).round == 1
    assert (spec.combat.phase, spec.combat.round, queue(spec)) == ("declare", 2, [])


@rule("HE-SURP-05", "HE-FDEF-05")
def test_surprise_and_stances_end_with_the_round(spec: Spec) -> None:
    fighters = hero("Ana"), hero("Ben", surprised=True), hero("Orc", side="foes")
    spec.given(*fighters, rulings="default")
    begin(spec, 1, 5, 12, Ana="full-defense", Orc="no-action")
    spec.act("Ana", "full-defense")
    spec.rule("next-round")
    ended = {one.condition: one.rules for one in spec.events(ConditionLost)}
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
@pytest.mark.parametrize("cure", ["heal", "leave"])
def test_suffocation_is_asked_no_more_when_it_has_passed(spec: Spec, cure: str) -> None:
    spec.given(hero("Ana"), hero("Ben"), hero("Eve", side="foes"))
    begun(spec, 1, 5, 12)
    spec.rule("injury", combatant="Ben", name="Crushed Windpipe").rule("next-round")
    assert [name for kind, name, who in spec.open()] == ["suffocation"]
    if cure == "heal":
        spec.rule("heal", combatant="Ben", injury="Crushed Windpipe")
    else:
        spec.leave("Ben")
    assert "suffocation" not in [name for kind, name, who in spec.open()]
    assert spec.combat.round == 2


# ---- the end of the combat


@rule("HE-END-03")
def test_the_end_wipes_initiative_and_what_lasts_for_turns(spec: Spec) -> None:
    spec.given(hero("Ana"), monster("Orc"))
    begun(spec, 1, 12, Ana="full-defense", Orc="no-action")
    spec.act("Ana", "full-defense")
    spec.rule("end")
    assert [one.phase for one in spec.events(PhaseBegan)] == ["ending", "ended"]
    assert [one.who for one in spec.events(TurnEnded)] == ["Ana"]
    wiped = spec.event(InitiativeSet)
    assert (wiped.order, wiped.lasting) == ((), True)
    assert [one.condition for one in spec.events(ConditionLost)] == ["full-defense"]
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
    spec.answer(None, "as-given")
    assert [who for kind, name, who in spec.open() if name == "initiative"] == ["Ana"]


# ---- moving and reposting


@rule("HE-MOVE-02", "HE-MOVE-03")
def test_the_moves_on_offer_are_what_is_left_of_the_round(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0], speed_ft=20), monster("Orc", at=[9, 0]))
    begun(spec, 1, 12, Ana="no-action", Orc="no-action")
    spec.act("Ana", "move", path=[[1, 0], [2, 0]])
    ways = spec.ruleset.actions["move"].ways
    assert ways is not None
    found = ways(Play(spec.ruleset, spec.combat), "Ana")
    assert found is not None
    assert (found.start, found.limit) == ((2, 0, 0), 10)


@rule("HE-ATK-08")
def test_of_three_strikes_those_at_somebody_who_has_gone_are_told_once(spec: Spec) -> None:
    spec.given(
        hero("Ana", at=[0, 0], weapons=[weapon("claws", strikes=3)]),
        monster("Orc", at=[1, 0], weapons=[SWORD]),
    )
    begun(spec, 1, 12, Ana=attack("claws"), Orc="no-action")
    spec.act("Ana", "attack", target="Orc")
    spec.rule("move", combatant="Orc", to=[9, 0])
    assert [one.action for one in spec.events(Prevented)] == ["attack"]
    assert [name for kind, name, who in spec.open()] == ["turn"]  # no second die, nor a third


# ---- what must be so


@rule("HE-TIE-08", "HE-WP-07")
def test_the_dead_leave_the_order_in_the_midst_of_their_turn(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Orc", side="foes"), rulings="default")
    begin(spec, 5, 12, Ana="no-action", Orc="no-action")
    spec.act("Ana", "end-turn")
    spec.join(("initiative", 3), **hero("Cid"))
    spec.answer("Cid", "no-action")  # 3 is over: it comes in the next round
    spec.rule("damage", combatant="Cid", amount=20)
    assert not fact(spec, "Cid", "carried")
    spec.rule("damage", combatant="Orc", amount=20)
    assert [one.who for one in spec.events(TurnEnded)] == ["Orc"]


@rule("HE-WP-05", "HE-WP-06", "HE-WP-07")
def test_one_state_takes_the_place_of_another(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Ben"), monster("Orc"))
    begun(spec, 1, 5, 12)
    spec.rule("damage", combatant="Ben", amount=13)
    assert spec["Ben"].has("dying")
    spec.rule("heal", combatant="Ben", wound_points=3)
    assert spec["Ben"].has("incapacitated")
    assert not spec["Ben"].has("dying")
    spec.rule("damage", combatant="Ben", amount=3).rule("condition", combatant="Ben", add="dead")
    assert not spec["Ben"].has("dying", "incapacitated")


@rule("HE-ATTR-06")
def test_a_score_that_comes_to_0_again_is_asked_again(spec: Spec) -> None:
    scores = {"memory": 1, "perception": 2}
    spec.given(hero("Ana"), hero("Ben", attributes=scores), monster("Orc"))
    begun(spec, 1, 5, 12)
    spec.rule("injury", ("injury-damage", 1), combatant="Ben", name="Cracked Skull")
    assert spec.prompt().data == {"combatant": "Ben", "attribute": "memory"}
    spec.answer(None, "nothing-more")
    spec.rule("injury", ("injury-damage", 1), combatant="Ben", name="Broken Nose")
    assert spec.prompt().data == {"combatant": "Ben", "attribute": "perception"}
    spec.answer(None, "nothing-more")
    spec.rule("heal", combatant="Ben", attributes={"memory": 1})
    spec.rule("injury", ("injury-damage", 1), combatant="Ben", name="Cracked Skull")
    assert spec.prompt().data == {"combatant": "Ben", "attribute": "memory"}  # perception is known
    spec.answer(None, "nothing-more")
    assert [name for kind, name, who in spec.open() if kind == "ruling"] == []


@rule("HE-ATTR-05")
def test_the_maximum_follows_each_point_of_strength(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Ben"), monster("Orc"))
    begun(spec, 1, 5, 12)
    spec.rule("injury", ("injury-damage", 1, 1), combatant="Ben", name="Broken Rib")
    assert spec["Ben"].tracks["wound_points"].maximum == 8
    spec.rule("heal", combatant="Ben", attributes={"strength": 1})
    assert spec["Ben"].tracks["wound_points"].maximum == 9


@rule("HE-BLUNT-06", "HE-INC-02", "HE-INJ-09")
def test_counting_ends_with_what_is_counted(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), hero("Ben"), monster("Orc"))
    begun(spec, 1, 5, 12, Ana="no-action", Ben="no-action", Orc="no-action")
    spec.rule("injury", ("injury-damage", 1, 1), combatant="Ben", name="Broken Rib")
    assert fact(spec, "Ben", "rib") is not None
    spec.rule("heal", combatant="Ben", injury="Broken Rib")
    assert fact(spec, "Ben", "rib") is None
    spec.rule("damage", combatant="Ana", amount=10)
    spec.act("Ana", "crawl", direction=[1, 0])
    assert fact(spec, "Ana", "crawl_progress_ft") is not None
    spec.rule("heal", combatant="Ana", wound_points=5)
    assert fact(spec, "Ana", "crawl_progress_ft") is None


@rule("HE-BLUNT-11")
def test_only_what_the_arm_holds_falls(spec: Spec) -> None:
    items = [
        {"id": "torch", "hand": "off", "quantity": 1},
        {"id": "flask", "hand": "main", "quantity": 1},
    ]
    spec.given(hero("Ana"), hero("Ben", items=items), monster("Orc"))
    begun(spec, 1, 5, 12)
    thrown = ("injury-damage", 1)
    spec.rule("injury", thrown, combatant="Ben", name="Broken Forearm", side="off")
    assert fact(spec, "Ben", "lost") == {"item:torch": "dropped"}


@rule("HE-STRESS-01")
def test_one_die_among_hit_dice_is_enough_to_roll(spec: Spec) -> None:
    spec.given(monster("Orc", max_stress=None, hit_dice=["1d8", "4"]))
    assert ("roll", "stress", "Orc") in spec.open()


# ---- who may do what when


@rule("HE-DECL-15")
def test_what_can_be_declared_is_what_is_there(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[SWORD, CLUB]), monster("Orc"))
    begun(spec, 1, 12)
    options = {one.id: one for one in spec.prompt("Ana").options}
    play = Play(spec.ruleset, spec.combat)
    found = {
        id: list(options[id].candidates(play, "Ana")) for id in ("attack", "cast", "full-defense")
    }
    assert found == {
        "attack": [{"weapon": "sword"}, {"weapon": "club"}],
        "cast": [],
        "full-defense": [{}],
    }


@rule("HE-MOVE-04", "HE-ACT-05", "HE-TIE-04")
def test_moves_belong_to_the_own_turn(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[SWORD]), hero("Ben"), hero("Eve"), monster("Orc"))
    begun(spec, 5, 5, 9, 12)
    with spec.refused("HE-SEQ-02", "wrong-phase"):
        spec.act("Ana", "move", distance_ft=5)
    declare(spec, Ana=attack("sword"), Ben="no-action", Eve="no-action", Orc="no-action")
    with spec.refused("HE-ACT-05", "not-your-turn"):
        spec.act("Eve", "move", distance_ft=5)
    spec.act("Ana", "attack", target="Orc")
    assert spec.refusals("Ana", "move") == {("HE-ACT-05", "not-your-turn")}


@rule("HE-REP-09")
def test_a_reposte_needs_its_trigger(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[SWORD]), monster("Orc"))
    begun(spec, 1, 12)
    with spec.refused("HE-SEQ-02", "wrong-phase"):
        spec.act("Ana", "reposte")


@rule("HE-REP-02", "HE-DATK-02")
@pytest.mark.parametrize(
    ("action", "asks", "provoked"),
    [
        ("attack", True, ["Orc"]),
        ("defensive-attack", True, []),
        ("attack", False, []),
    ],
)
def test_the_ways_to_move_tell_whom_they_provoke(
    spec: Spec, action: str, asks: bool, provoked: list[str]
) -> None:
    spec.given(
        hero("Ana", at=[0, 0], weapons=[SWORD]),
        hero("Ben"),
        monster("Orc", at=[2, 0], weapons=[CLUB]),
        entry_reposte=asks,
    )
    begun(spec, 1, 5, 12)
    declare(spec, Ana=(action, {"weapon": "sword"}), Ben="no-action", Orc="no-action")
    play = Play(spec.ruleset, spec.combat)
    ways = spec.ruleset.actions["move"].ways
    assert ways is not None
    found = ways(play, "Ana")
    assert found is not None
    assert list(found.provokes((0, 0, 0), (1, 0, 0))) == provoked
    assert ways(play, "Ben") is None  # it stands nowhere


@rule("HE-REP-04", "HE-REP-08")
def test_a_reposte_is_at_whom_has_provoked_it_with_what_reaches(spec: Spec) -> None:
    spec.given(
        hero("Ana", at=[0, 0], weapons=[SWORD]),
        monster("Orc", at=[2, 0], weapons=[SWORD, weapon("pike", reach_ft=5)]),
        monster("Imp", at=[5, 5], weapons=[weapon("bow", kind="ranged", range_ft=99)]),
    )
    begun(spec, 1, 5, 12, Ana="no-action", Orc="no-action", Imp="no-action")
    spec.act("Ana", "move", path=[[1, 0]])
    asked = spec.prompt("Orc", "reposte")
    take = next(one for one in asked.options if one.id == "take")
    offered = list(take.candidates(Play(spec.ruleset, spec.combat), "Orc"))
    assert offered == [
        {"weapon": "sword", "attacker": "Ana"},
        {"weapon": "pike", "attacker": "Ana"},
    ]
    with spec.refused("HE-REP-04", "no-trigger"):
        spec.answer("Orc", "take", attacker="Imp")
    with spec.refused("HE-REP-08", "out-of-reach"):
        spec.answer("Orc", "take", weapon="club")
    spec.rule("move", combatant="Ana", to=[9, 9])
    assert ("reaction", "reposte", "Orc") not in spec.open()


# ---- damage


@rule("HE-ATK-09")
@pytest.mark.parametrize(("adds", "damage"), [(None, 5), (False, 3), (True, 5)])
def test_what_is_thrown_adds_strength_unless_it_says_otherwise(
    spec: Spec, adds: bool | None, damage: int
) -> None:
    throw = {"attack_bonus": 9, "damage": "1d6", "damage_types": ["blunt"], "adds_strength": adds}
    jar = {"id": "jar", "quantity": 1, "throw": throw, "throw_speed": 0}
    spec.given(
        hero("Ana", items=[jar], attributes={"strength": 14}),
        monster("Orc", attributes={"strength": 30}),
    )
    begun(spec, 1, 12, Ana=("throw-item", {"item": "jar"}), Orc="no-action")
    spec.act("Ana", "throw-item", ("attack", 9), ("damage", 3), target="Orc")
    assert spec.hp("Orc", "wound_points") == 30 - damage  # Strength 14: +2


@rule("HE-ATK-09", "HE-MAG-03")
@pytest.mark.parametrize(("adds", "damage"), [(None, 3), (True, 5)])
def test_a_spell_adds_strength_only_where_it_says_so(
    spec: Spec, adds: bool | None, damage: int
) -> None:
    fire = {"attack_bonus": 9, "damage": "1d6", "damage_types": ["fire"], "adds_strength": adds}
    spell = {"id": "ember", "speed": 0, "attack": fire}
    spec.given(
        hero("Ana", spells=[spell], attributes={"strength": 14}),
        monster("Orc", attributes={"strength": 30}),
    )
    begun(spec, 1, 12, Ana=("cast", {"spell": "ember"}), Orc="no-action")
    spec.act("Ana", "cast", ("attack", 9), ("damage", 3), target="Orc")
    assert spec.hp("Orc", "wound_points") == 30 - damage


@rule("HE-ARM-02")
def test_what_ignores_armour_is_not_lessened_at_all(spec: Spec) -> None:
    lance = weapon("lance", ignores_armour=True)
    spec.given(hero("Ana", weapons=[lance]), monster("Orc", armour_score=4))
    begun(spec, 1, 12, Ana=attack("lance"), Orc="no-action")
    spec.act("Ana", "attack", ("attack", 15), ("damage", 5), target="Orc")
    assert spec.hp("Orc", "wound_points") == 5


@rule("HE-TIE-03")
def test_a_blow_at_somebody_who_has_gone_before_the_results_lands_nowhere(spec: Spec) -> None:
    spec.given(
        hero("Ana", weapons=[SWORD]), hero("Ben", weapons=[SWORD]), monster("Orc"), monster("Imp")
    )
    begun(spec, 5, 5, 12, 12)
    declare(spec, Ana=attack("sword"), Ben=attack("sword"), Orc="no-action", Imp="no-action")
    spec.act("Ana", "attack", target="Orc")
    spec.act("Ben", "attack", ("attack", 15), ("damage", 5), target="Imp")
    assert spec.open() == [("roll", "attack", "Ben")]
    spec.leave("Orc")
    asked = next(iter(spec.live.open_prompts()))
    spec.do(Reply(asked, None, {"faces": [2]}))
    assert spec.hp("Orc", "wound_points") == 10


@rule("HE-LATE-01", "HE-INIT-01")
def test_who_stands_up_from_the_dead_rolls_when_a_round_begins(spec: Spec) -> None:
    risen = hero("Ben", conditions=[{"id": "dead"}])
    spec.given(hero("Ana"), risen, hero("Eve", side="foes"))
    begun(spec, 1, 12, Ana="no-action", Eve="no-action")
    spec.rule("condition", combatant="Ben", remove="dead")
    spec.rule("next-round", ("initiative", 7))
    assert fact(spec, "Ben", "base_initiative") == 7


# ---- the dying and the stabilized


def dying(spec: Spec, ana: tuple[str, dict[str, Any]] | str, orc: str = "no-action") -> Spec:
    """Ana acts at 3 + what she declares, an orc at 12; she is dying, one square away."""
    spec.given(
        hero("Ana", at=[0, 0], weapons=[weapon("sword", speed=0)]),
        hero("Ben"),
        monster("Orc", at=[2, 0], weapons=[weapon("claw", speed=0)]),
    )
    begun(spec, 3, 5, 12, Ana=ana, Ben="no-action", Orc=orc)
    return spec.rule("damage", combatant="Ana", amount=13)


@rule("HE-DYING-03")
def test_a_foot_is_a_move(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Ben"), monster("Orc"))
    begun(spec, 1, 5, 12, Ana="no-action", Ben="no-action", Orc="no-action")
    spec.act("Ana", "move", distance_ft=1)
    spec.rule("damage", combatant="Ana", amount=13)
    with spec.refused("HE-DYING-03", "dying-move-or-act"):
        spec.act("Ana", "free-action", what="shouts")


@rule("HE-DYING-03")
def test_the_dying_who_have_crawled_get_no_reposte(spec: Spec) -> None:
    dying(spec, "no-action")
    spec.act("Ana", "crawl", direction=[0, 1]).act("Ana", "end-turn").act("Ben", "end-turn")
    spec.act("Orc", "move", path=[[1, 0]])
    assert ("reaction", "reposte", "Ana") not in spec.open()


@rule("HE-DYING-02", "HE-DYING-03")
def test_a_reposte_is_the_one_action_of_the_dying(spec: Spec) -> None:
    spec.given(
        hero("Ana", at=[0, 0], weapons=[SWORD]),
        hero("Ben"),
        monster("Orc", at=[2, 0], weapons=[CLUB]),
    )
    begun(spec, 12, 5, 3, Ana="no-action", Ben="no-action", Orc="no-action")
    spec.rule("damage", combatant="Ana", amount=13)
    spec.act("Orc", "move", path=[[1, 0]])
    spec.answer("Ana", "take", ("reposte-attack", 2))
    spec.act("Orc", "end-turn").act("Ben", "end-turn")
    with spec.refused("HE-DYING-03", "dying-move-or-act"):
        spec.act("Ana", "crawl", direction=[0, 1])
    with spec.refused("HE-DYING-02", "dying-one-action"):
        spec.act("Ana", "free-action", what="shouts")


@rule("HE-STAB-06", "HE-STAB-07")
def test_only_the_first_action_of_the_stabilized_is_free(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Ben"), monster("Orc"))
    begun(spec, 1, 5, 12, Ana="full-defense", Ben="no-action", Orc="no-action")
    spec.rule("damage", combatant="Ana", amount=12)
    spec.rule("condition", combatant="Ana", add="stabilized")
    spec.act("Ana", "free-action", what="shouts")
    assert spec.event(Spent).rules == ("HE-ACT-03", "HE-STAB-06")
    assert spec.hp("Ana", "wound_points") == -2
    spec.act("Ana", "full-defense")
    assert spec.event(Spent).rules[0] == "HE-ACT-02"
    assert "HE-STAB-06" not in spec.event(Spent).rules
    assert spec.hp("Ana", "wound_points") == -3


@rule("HE-WP-07", "HE-SURP-04")
def test_the_dead_and_the_surprised_are_told_so(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Ben", surprised=True), hero("Eve"), monster("Orc"))
    begun(spec, 1, 5, 9, 12, Ana="no-action", Eve="no-action", Orc="no-action")
    spec.rule("damage", combatant="Eve", amount=20)
    with spec.refused("HE-WP-07", "dead"):
        spec.act("Eve", "move", distance_ft=5)
    with spec.refused("HE-SURP-04", "surprised"):
        spec.act("Ben", "move", distance_ft=5)


# ---- declaring


@rule("HE-DECL-12", "HE-LATE-01", "HE-DECL-10")
def test_why_somebody_cannot_declare_now(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[SWORD]), hero("Ben"), monster("Orc"))
    begun(spec, 1, 5, 12)
    spec.act("Ana", "full-defense")
    with spec.refused("HE-DECL-12", "already-declared"):
        spec.act("Ana", "full-defense")
    with spec.refused("HE-DECL-15", "no-item"):
        spec.act("Ben", "attack", weapon="sword")
    spec.join(**hero("Cid"))
    with spec.refused("HE-LATE-01", "wrong-phase"):
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
    told = {one.event.text: one.event.rules for one in noted(spec)}
    assert told["declares attack sword: +2, acts at 3"] == ("HE-INIT-07", "HE-MOD-01")
    found = next(text for text in told if text.startswith("declares defensive-attack:"))
    assert told[found] == ("HE-INIT-07", "HE-MOD-07", "HE-DATK-03")


def noted(spec: Spec) -> list[Any]:
    return [one for one in spec.live.history.path if isinstance(one.event, Noted)]


# ---- slots


@rule("HE-TIE-02", "HE-TIE-06")
@pytest.mark.parametrize(("faces", "rules"), [((5, 5), 2), ((5, 9), 0)])
def test_only_a_shared_number_is_a_tie(spec: Spec, faces: tuple[int, int], rules: int) -> None:
    spec.given(hero("Ana"), hero("Ben"), monster("Orc"))
    begun(spec, *faces, 12, Ana="no-action", Ben="no-action", Orc="no-action")
    begins = [one for one in spec.events(FactSet, key="slot") if one.value is not None]
    assert [len(one.rules) for one in begins] == [rules]
    for who in ("Ana", "Ben", "Orc"):
        if who in spec.combat.acting:
            spec.act(who, "end-turn")
    assert [one.value for one in spec.events(FactSet, key="slot")][:1] == [None]


@rule("HE-TIE-08", "HE-DECL-11")
def test_a_turn_ends_with_whoever_leaves_in_it(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Ben"), monster("Orc"))
    begun(spec, 5, 5, 12, Ana="no-action", Ben="no-action", Orc="no-action")
    spec.leave("Ana")
    assert spec.combat.acting == ("Ben",)
    spec.rule("next-round")
    assert [one.who for one in spec.events(TurnEnded)] == ["Ben"]


# ---- dice and places of initiative


@rule("HE-SURP-02", "HE-LATE-01")
def test_the_dice_of_initiative_name_their_rules(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Ben", surprised=True), hero("Orc", side="foes"))
    begun(spec, 5, 7, 12)
    path = [one.event for one in spec.live.history.path]
    rules = {one.who: one.rules for one in path if isinstance(one, Rolled)}
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
    assert [one.rules for one in placed] == ([] if rules is None else [rules])
    assert [one for one in queue(spec) if one[0] != "Ana"] == order
    assert spec.combat.acting == acting
    over = "3 is over: acts in the next round at -9 besides"
    assert (over in [one.text for one in spec.events(Noted)]) == (face == 3)
    together = [one.value["together"] for one in spec.events(FactSet, key="slot")]
    assert together == ([["Ana", "Cid"]] if face == 5 else [])


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
    assert spec["Ana"].budget == {}  # nobody has any before the fight
    begun(spec, 5, 12, Ana="no-action", Orc="no-action")
    spec.join(("initiative", 9), **hero("Cid"))
    assert spec["Cid"].budget == {"standard": 1, "free": 1, "reaction": 1}
    spec.leave("Cid")
    assert ("declare", "declaration", "Cid") not in spec.open()
    assert [one for one in queue(spec) if one[0] == "Cid"] == []


# ---- morale


def beaten(spec: Spec, *, amount: int = 6, intimidated: bool = False) -> Spec:
    """The end of a round in which a monster of 10 Wound Points has taken a hit."""
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
        (5, False, ("HE-MOR-03",)),  # exactly half is not more than half; two against one
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
    assert rolled.target == (20 if intimidated else 13)  # 11 + 2 opponents, or the check


@rule("HE-MOR-09")
def test_who_sees_the_end_coming_fails_without_dice(spec: Spec) -> None:
    beaten(spec)
    asked = next(iter(spec.live.open_prompts()))
    spec.do(Reply(asked, "obvious", {"who": ["Orc"]}))
    assert [one.text for one in spec.events(Noted)] == ["sees how it will end"]
    assert spec.prompt().name == "morale-failed"


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


# ---- deeds at their moment


@rule("HE-DECL-11", "HE-BLUNT-14", "HE-ACT-02")
def test_why_a_deed_cannot_be_done(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[SWORD]), hero("Ben"), monster("Orc"))
    begun(spec, 1, 5, 12, Ana=attack("sword"), Ben="no-action", Orc="no-action")
    assert spec.refusals("Ana", "full-defense") == {("HE-DECL-11", "not-declared")}
    with spec.raises(Illegal) as found:
        spec.act("Ana", "full-defense")
    assert found[0].detail == "Ana has declared attack"
    assert found[0].allowed == ("attack", "end-turn")
    spec.rule("injury", combatant="Ana", name="Broken Neck")
    assert ("HE-BLUNT-14", "paralyzed") in spec.refusals("Ana", "full-defense")
    spec.act("Ana", "end-turn")
    with spec.raises(Illegal) as found:
        spec.act("Ben", "attack")
    assert (found[0].detail, found[0].allowed) == ("Ben has declared no-action", ("end-turn",))


@rule("HE-TIE-04", "HE-DECL-02")
def test_the_question_of_a_target_names_the_tool(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[SWORD]), hero("Ben"), monster("Orc"))
    begun(spec, 1, 5, 12, Ana=attack("sword"), Ben="no-action", Orc="no-action")
    spec.act("Ana", "attack")
    assert spec.prompt("Ana", "target").text == "Whom does Ana aim at (attack sword)?"


@rule("HE-TIE-04")
def test_what_hurts_needs_a_target(spec: Spec) -> None:
    hurts = {"id": "rot", "speed": 0, "damage": {"formula": "1d6", "types": ["acid"]}}
    glows = {"id": "glow", "speed": 0, "effect": "it glows"}
    spec.given(hero("Ana", spells=[hurts]), hero("Ben", spells=[glows]), monster("Orc"))
    begun(spec, 1, 5, 12)
    declare(spec, Ana=("cast", {"spell": "rot"}), Ben=("cast", {"spell": "glow"}), Orc="no-action")
    spec.act("Ana", "cast")
    assert ("choice", "target", "Ana") in spec.open()
    spec.answer("Ana", "none", name="target").act("Ana", "end-turn")
    spec.act("Ben", "cast")
    assert ("choice", "target", "Ben") not in spec.open()


# ---- steps


@rule("HE-MOVE-01", "HE-MOVE-02", "HE-DATK-02")
def test_steps_on_and_off_the_grid(spec: Spec) -> None:
    spec.given(
        hero("Ana", at=[0, 0], weapons=[SWORD]),
        hero("Ben"),
        monster("Orc", at=[2, 0], weapons=[CLUB]),
    )
    begun(spec, 1, 5, 12, Ana="no-action", Ben="no-action", Orc=("defensive-attack", {}))
    with spec.refused("HE-MOVE-01", "no-step"):
        spec.act("Ana", "move", distance_ft=5)
    spec.act("Ana", "move", path=[[0, 1, 1]])
    assert spec["Ana"].position == (0, 1, 1)
    spec.act("Ana", "end-turn")
    with spec.refused("HE-MOVE-01", "no-step"):
        spec.act("Ben", "move", distance_ft=0)
    spec.act("Ben", "move", distance_ft=0.5)
    assert fact(spec, "Ben", "moved_ft") == 0.5
    spec.act("Ben", "end-turn")
    spec.act("Orc", "move", path=[[1, 0]])
    assert [one.text for one in spec.events(Noted)] == ["enters on its guard"]
    spec.act("Orc", "move", path=[[2, 0]])
    assert spec.events(Noted) == []


@rule("HE-REP-07")
def test_friends_are_entered_freely(spec: Spec) -> None:
    spec.given(
        hero("Ana", at=[0, 0], weapons=[SWORD]),
        hero("Ben", at=[2, 0], weapons=[SWORD]),
        monster("Orc", at=[9, 9], weapons=[CLUB]),
    )
    begun(spec, 1, 5, 12, Ana=("defensive-attack", {"weapon": "sword"}), Ben="no-action",
          Orc="no-action")  # fmt: skip
    spec.act("Ana", "move", path=[[1, 0]])
    assert spec.events(Noted) == []


@rule("HE-MOVE-02", "HE-DYING-03")
@pytest.mark.parametrize("ruling", ["slower", "down"])
def test_each_further_step_is_asked_again(spec: Spec, ruling: str) -> None:
    spec.given(
        hero("Ana", at=[0, 0]),
        monster("Orc", at=[2, 0], weapons=[CLUB]),
        monster("Imp", at=[9, 9]),
    )
    begun(spec, 1, 5, 12, Ana="no-action", Orc="no-action", Imp="no-action")
    spec.act("Ana", "move", path=[[1, 0], [1, 1], [1, 2], [1, 3], [1, 4]])
    assert spec.prompt("Orc").name == "reposte"  # after the first step
    if ruling == "slower":
        spec.rule("injury", ("injury-damage", 1), combatant="Ana", name="Broken Shin")
    else:
        spec.rule("damage", combatant="Ana", amount=13)
    spec.answer("Orc", "pass")
    stopped = spec.event(Prevented)
    if ruling == "slower":
        assert (stopped.reason, spec["Ana"].position) == ("too-far", (1, 2, 0))
    else:
        assert (stopped.reason, spec["Ana"].position) == ("crawl-only", (1, 0, 0))
