"""Test moves, Repostes and the dying (HE-MOVE, HE-REP, HE-DYING)."""

import pytest

from domain.engine.commands import Reply
from domain.errors import Illegal
from domain.record.events import (
    Noted,
    Prevented,
    Spent,
    Stopped,
)
from domain.rulebook.play import Play
from tests.rulesets.hallowed_earth.units import (
    CLUB,
    SWORD,
    attack,
    begun,
    declare,
    fact,
    hero,
    monster,
    weapon,
)
from tests.spec import Spec, rule

# ---- moving and reposting


@rule("HE-MOVE-02", "HE-MOVE-03")
def test_the_moves_on_offer_are_what_is_left_of_the_round(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0], speed_ft=20), monster("Orc", at=[9, 0]))
    begun(spec, 1, 12, Ana="no-action", Orc="no-action")
    spec.act("Ana", "move", path=[[1, 0], [2, 0]])
    ways = spec.ruleset.actions["move"].ways
    assert ways is not None
    moves = ways(Play(spec.ruleset, spec.combat), "Ana")
    assert moves is not None
    assert (moves.start, moves.limit) == ((2, 0, 0), 10)


@rule("HE-ATK-08")
def test_of_three_strikes_those_at_somebody_who_has_gone_are_told_once(spec: Spec) -> None:
    spec.given(
        hero("Ana", at=[0, 0], weapons=[weapon("claws", strikes=3)]),
        monster("Orc", at=[1, 0], weapons=[SWORD]),
    )
    begun(spec, 1, 12, Ana=attack("claws"), Orc="no-action")
    spec.act("Ana", "attack", target="Orc")
    spec.rule("move", combatant="Orc", to=[9, 0])
    assert [prevented.action for prevented in spec.events(Prevented)] == ["attack"]
    assert [stopped.reason for stopped in spec.events(Stopped)] == [
        "out-of-reach"
    ]  # the first strike
    assert [name for kind, name, who in spec.open()] == ["turn"]  # no die for another strike


# ---- permitted actions


@rule("HE-DECL-15")
def test_what_can_be_declared_is_what_is_there(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[SWORD, CLUB]), monster("Orc"))
    begun(spec, 1, 12)
    options = {option.id: option for option in spec.prompt("Ana").options}
    play = Play(spec.ruleset, spec.combat)
    targets = {
        id: list(options[id].candidates(play, "Ana")) for id in ("attack", "cast", "full-defense")
    }
    assert targets == {
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
    assert spec.refusals("Eve", "move") == {("HE-ACT-05", "not-your-turn")}
    assert spec.refusals("Ana", "move") == {("HE-TIE-04", "not-your-turn")}  # Ben goes on
    with spec.refused("HE-TIE-04", "not-your-turn"):
        spec.act("Ana", "move", distance_ft=5)


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
    moves = ways(play, "Ana")
    assert moves is not None
    assert list(moves.provokes((0, 0, 0), (1, 0, 0))) == provoked
    assert ways(play, "Ben") is None  # Ben has no square


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
    take = next(option for option in asked.options if option.id == "take")
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
    assert fact(spec, "Orc", "wounds") is None


@rule("HE-LATE-01", "HE-INIT-01")
def test_who_stands_up_from_the_dead_rolls_when_a_round_begins(spec: Spec) -> None:
    risen = hero("Ben", conditions=[{"id": "dead"}])
    spec.given(hero("Ana"), risen, hero("Eve", side="foes"))
    begun(spec, 1, 12, Ana="no-action", Eve="no-action")
    spec.rule("condition", combatant="Ben", remove="dead")
    spec.rule("next-round", ("initiative", 7))
    assert fact(spec, "Ben", "base_initiative") == 7


# ---- the dying and the stabilized


def near(spec: Spec, *faces: int, ana: str = "no-action") -> Spec:
    """Begin with Ana, Ben and an orc. Ana and the orc have swords, and are two squares apart."""
    spec.given(
        hero("Ana", at=[0, 0], weapons=[SWORD]),
        hero("Ben"),
        monster("Orc", at=[2, 0], weapons=[SWORD]),
    )
    return begun(spec, *faces, Ana=ana, Ben="no-action", Orc="no-action")


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
    near(spec, 3, 5, 12).rule("damage", combatant="Ana", amount=13)
    spec.act("Ana", "crawl", direction=[0, 1]).act("Ana", "end-turn").act("Ben", "end-turn")
    spec.act("Orc", "move", path=[[1, 0]])
    assert ("reaction", "reposte", "Ana") not in spec.open()


@rule("HE-DYING-02", "HE-DYING-03")
def test_a_reposte_is_the_one_action_of_the_dying(spec: Spec) -> None:
    near(spec, 12, 5, 3).rule("damage", combatant="Ana", amount=13)
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


# ---- actions at their moment


@rule("HE-DECL-11", "HE-BLUNT-14", "HE-ACT-02")
def test_why_a_deed_cannot_be_done(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[SWORD]), hero("Ben"), monster("Orc"))
    begun(spec, 1, 5, 12, Ana=attack("sword"), Ben="no-action", Orc="no-action")
    assert spec.refusals("Ana", "full-defense") == {("HE-DECL-11", "not-declared")}
    with spec.raises(Illegal) as refusals:
        spec.act("Ana", "full-defense")
    assert refusals[0].detail == "Ana has declared attack"
    assert refusals[0].allowed == ("attack", "end-turn")
    spec.rule("injury", combatant="Ana", name="Broken Neck")
    assert ("HE-BLUNT-14", "paralyzed") in spec.refusals("Ana", "full-defense")
    spec.act("Ana", "end-turn")
    with spec.raises(Illegal) as refusals:
        spec.act("Ben", "attack")
    assert (refusals[0].detail, refusals[0].allowed) == (
        "Ben has declared no action",
        ("end-turn",),
    )


@rule("HE-TIE-04", "HE-DECL-02")
def test_the_question_of_a_target_names_the_tool(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[SWORD]), hero("Ben"), monster("Orc"))
    begun(spec, 1, 5, 12, Ana=attack("sword"), Ben="no-action", Orc="no-action")
    spec.act("Ana", "attack")
    assert spec.prompt("Ana", "target").text == "Whom does Ana aim at (attack with sword)?"


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
    assert [noted.text for noted in spec.events(Noted)] == ["Orc enters on its guard"]
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


# ---- prompts for a Reposte


@rule("HE-REP-09", "HE-REP-10")
@pytest.mark.parametrize("state", ["paralyzed", "rib"])
def test_who_cannot_make_a_reposte_is_not_asked(spec: Spec, state: str) -> None:
    near(spec, 5, 9, 1)
    if state == "rib":
        spec.rule("injury", ("injury-damage", 1, 1), combatant="Orc", name="Broken Rib")
        spec.act("Orc", "free-action", what="growls")
    else:
        spec.rule("condition", combatant="Orc", add="paralyzed")
    spec.act("Orc", "end-turn").act("Ana", "move", path=[[1, 0]])
    assert [who for kind, name, who in spec.open() if name == "reposte"] == []


@rule("HE-REP-08")
def test_a_weapon_longer_than_the_threat_range_reaches_no_further(spec: Spec) -> None:
    pike = weapon("pike", reach_ft=15)
    spec.given(
        hero("Ana", at=[0, 0], weapons=[SWORD]),
        hero("Ben"),
        monster("Orc", at=[4, 0], weapons=[pike], threat_range_ft=5),
    )
    begun(spec, 5, 9, 1, Ana="no-action", Ben="no-action", Orc="no-action")
    spec.act("Orc", "end-turn").act("Ana", "move", path=[[1, 0], [2, 0], [3, 0]])
    assert spec["Ana"].position == (3, 0, 0)
    assert ("reaction", "reposte", "Orc") in spec.open()


@rule("HE-REP-09")
def test_a_reposte_by_hand_tells_what_it_waits_for(spec: Spec) -> None:
    near(spec, 5, 9, 1).act("Orc", "end-turn")
    with spec.raises(Illegal) as refusals:
        spec.act("Orc", "reposte")
    assert (refusals[0].code, refusals[0].detail) == ("no-trigger", "nobody has provoked it")
    spec.act("Ana", "move", path=[[1, 0]])
    with spec.raises(Illegal) as refusals:
        spec.act("Orc", "reposte")
    assert refusals[0].detail == "answer the prompt reposte"
    spec.answer("Orc", "pass").rule("damage", combatant="Ben", amount=20)
    with spec.refused("HE-WP-07", "dead"):
        spec.act("Ben", "reposte")


@rule("HE-REP-08")
def test_an_answer_is_kept_to_what_reaches_at_its_moment(spec: Spec) -> None:
    near(spec, 5, 9, 1).act("Orc", "end-turn").act("Ana", "move", path=[[1, 0]])
    spec.rule("injury", ("injury-side", 1), ("injury-damage", 1), combatant="Orc",
              name="Broken Upper Arm")  # fmt: skip
    assert [who for kind, name, who in spec.open() if name == "reposte"] == []


# ---- crawling


@rule("HE-INC-02")
def test_yards_make_squares(spec: Spec) -> None:
    near(spec, 5, 9, 1).act("Orc", "end-turn").rule("damage", combatant="Ana", amount=10)
    spec.act("Ana", "crawl", direction=[0, 1, 1])
    assert [noted.text for noted in spec.events(Noted)] == ["Ana crawls a yard"]
    assert (spec["Ana"].position, fact(spec, "Ana", "crawl_progress_ft")) == ((0, 0, 0), 3)
    spec.rule("next-round")
    declare(spec, Ana="no-action", Ben="no-action", Orc="no-action")
    spec.act("Orc", "end-turn").act("Ana", "crawl", direction=[0, 1, 1])
    assert (spec["Ana"].position, fact(spec, "Ana", "crawl_progress_ft")) == ((0, 1, 1), 1)


@rule("HE-INC-02", "HE-REP-02")
def test_off_the_grid_a_crawler_says_whom_it_enters(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Ben"), monster("Orc", weapons=[SWORD]))
    begun(spec, 5, 9, 1, Ana="no-action", Ben="no-action", Orc="no-action")
    spec.act("Orc", "end-turn").rule("damage", combatant="Ana", amount=10)
    spec.act("Ana", "crawl", enters=["Orc"])
    assert ("reaction", "reposte", "Orc") in spec.open()
    assert fact(spec, "Ana", "crawl_progress_ft") is None


@rule("HE-REP-03", "HE-REP-04")
def test_a_reposte_at_somebody_in_full_defense_is_answered_in_turn(spec: Spec) -> None:
    near(spec, 5, 9, 1, ana="full-defense")
    spec.act("Orc", "end-turn").act("Ana", "full-defense").act("Ana", "move", path=[[1, 0]])
    spec.answer("Orc", "take", ("reposte-attack", 1))
    assert ("reaction", "reposte", "Ana") in spec.open()
    assert spec.prompt("Ana", "reposte").data["attacker"] == "Orc"
