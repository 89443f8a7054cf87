"""Test the combatant on turn, its budget, and the order of refusals (4.3)."""

import pytest

from domain.engine.commands import Change, Reply
from domain.errors import Closed, Illegal
from domain.record.events import Answered, Damaged, Prevented, Stopped
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
)
from tests.spec import Spec, rule

CRY = {"id": "cry", "cost": "none", "effect": "a cry"}
DANCE = {"id": "dance", "effect": "a dance"}
SONG = {"id": "song", "cost": "free", "heals": {"stress": "1d4"}}


def four(spec: Spec, *faces: int, hidden: tuple[str, ...] = (), **ana: object) -> Spec:
    """Begin with Ana, Ben, an orc and a rat, with these dice. Ana has a sword and songs."""
    spec.given(
        hero("Ana", weapons=[SWORD], abilities=[CRY, DANCE, SONG], **ana),
        hero("Ben", weapons=[SWORD]),
        monster("Orc", weapons=[CLUB]),
        monster("Rat"),
        hidden=hidden,
    )
    return begun(spec, *faces)


# ---- combatants at one number


def tied(spec: Spec) -> Spec:
    """Begin with Ana, Ben, the Orc and the Rat at initiative 5."""
    four(spec, 5, 5, 5, 5)
    return declare(spec, Ana="no-action", Ben="no-action", Orc="no-action", Rat="no-action")


@rule("HE-TIE-04", "HE-TIE-07")
def test_a_prompt_keeps_its_id_while_a_team_mate_acts(spec: Spec) -> None:
    tied(spec)
    ids = {prompt.who: id for id, prompt in spec.live.open_prompts().items()}
    assert ids.keys() == {"Ana", "Ben", "Orc", "Rat"}
    spec.do(Reply(ids["Ana"], "move", {"distance_ft": 5}))
    again = {prompt.who: id for id, prompt in spec.live.open_prompts().items()}
    assert again == {**ids, "Ana": again["Ana"]} != ids
    with spec.raises(Closed) as caught:
        spec.do(Reply(ids["Ana"], "end-turn", {}))
    assert (caught[0].how, caught[0].successor) == ("answered", again["Ana"])
    spec.do(Reply(ids["Ben"], "end-turn", {}))
    assert set(spec.live.open_prompts()) == {again["Ana"], ids["Orc"], ids["Rat"]}


@rule("HE-TIE-04")
@pytest.mark.parametrize("gone", ["left", "dead"])
def test_the_prompts_of_the_others_stay_when_somebody_goes(spec: Spec, gone: str) -> None:
    tied(spec)
    ids = {prompt.who: id for id, prompt in spec.live.open_prompts().items()}
    if gone == "left":
        spec.leave("Orc")
    else:
        spec.rule("set-condition", who="Orc", condition="dead")
    assert set(spec.live.open_prompts()) == {ids["Ana"], ids["Ben"], ids["Rat"]}
    assert spec.event(Answered).because == ("left" if gone == "left" else "moot")
    with spec.raises(Closed) as caught:
        spec.do(Reply(ids["Orc"], "end-turn", {}))
    assert (caught[0].how, caught[0].successor) == ("lapsed", "")
    for who in ("Ana", "Ben", "Rat"):
        spec.do(Reply(ids[who], "end-turn", {}))
    assert spec.combat.acting == ()


# ---- actions at the wrong moment


@rule("HE-ACT-05", "HE-SEQ-02")
@pytest.mark.parametrize("ability", ["cry", "dance", "what?"])
def test_abilities_belong_to_the_own_turn(spec: Spec, ability: str) -> None:
    four(spec, 5, 1, 12, 12)
    dance = ("use-ability", {"ability": "dance"})
    declare(spec, Ana=dance, Ben="no-action", Orc="no-action", Rat="no-action")
    with spec.refused("HE-ACT-05", "not-your-turn"):
        spec.act("Ana", "use-ability", ability=ability)
    spec.rule("injury", combatant="Ben", name="Crushed Windpipe").rule("next-round")
    assert [name for _, name, _ in spec.open()] == ["suffocation"]
    with spec.refused("HE-SEQ-02", "wrong-phase"):
        spec.act("Ana", "use-ability", ability=ability)


@rule("HE-SURP-04")
@pytest.mark.parametrize(
    ("action", "inputs"),
    [
        ("attack", {"target": "Orc"}),
        ("full-defense", {}),
        ("move", {"distance_ft": 5}),
        ("free-action", {"what": "shouts"}),
        ("use-ability", {"ability": "cry"}),
    ],
)
def test_who_is_surprised_in_its_own_turn_does_nothing(
    spec: Spec, action: str, inputs: dict[str, object]
) -> None:
    four(spec, 1, 5, 12, 12)
    declare(spec, Ana=attack("sword"), Ben="no-action", Orc="no-action", Rat="no-action")
    spec.rule("condition", combatant="Ana", add="surprised")
    with spec.refused("HE-SURP-04", "surprised"):
        spec.act("Ana", action, **inputs)


@rule("HE-TIE-04")
@pytest.mark.parametrize("ability", ["cry", "song"])
def test_who_has_settled_its_turn_in_a_tie_waits_for_the_results(spec: Spec, ability: str) -> None:
    four(spec, 5, 5, 12, 12)
    declare(spec, Ana=attack("sword"), Ben="no-action", Orc="no-action", Rat="no-action")
    spec.act("Ana", "attack", target="Orc")
    with spec.refused("HE-TIE-04", "not-your-turn"):
        spec.act("Ana", "use-ability", ability=ability)
    spec.act("Ben", "end-turn", ("attack", 1))
    spec.act(
        "Ana", "use-ability", *([("healing", 1)] if ability == "song" else []), ability=ability
    )


@rule("HE-TIE-04", "HE-ACT-03")
@pytest.mark.parametrize("hidden", [(), ("Rat",)])
def test_in_a_tie_free_actions_come_after_the_results(spec: Spec, hidden: tuple[str, ...]) -> None:
    four(spec, 5, 5, 12, 5, hidden=hidden)
    declare(spec, Ana="no-action", Ben="no-action", Orc="no-action", Rat="no-action")
    with spec.refused("HE-TIE-04", "wrong-phase"):
        spec.act("Ana", "free-action", what="shouts")


@rule("HE-LATE-01", "HE-DECL-10", "HE-DECL-12")
def test_while_a_newcomers_die_is_open_the_order_of_declaring_stands(spec: Spec) -> None:
    spec.given(
        hero("Ana", attributes={"agility": 16}), hero("Ben"), monster("Orc"),
        declare_order="agility",
    )  # fmt: skip
    begun(spec, 4, 5, 12, Ana="no-action")
    spec.join(**hero("Cid"))
    with spec.refused("HE-DECL-12", "already-declared"):
        spec.act("Ana", "full-defense")
    with spec.refused("HE-LATE-01", "wrong-phase"):  # Ben is next, but Cid's die is open
        spec.act("Ben", "full-defense")
    with spec.raises(Illegal) as refusals:
        spec.act("Orc", "full-defense")
    assert (refusals[0].rule, refusals[0].allowed) == ("HE-DECL-10", ("Ben",))
    spec.answer("Cid", "roll", faces=[7]).act("Ben", "full-defense")
    assert fact(spec, "Ben", "declared")["action"] == "full-defense"


# ---- the order of reasons


@rule("HE-ACT-02")
def test_a_used_action_is_told_before_what_was_declared(spec: Spec) -> None:
    four(spec, 1, 5, 12, 12)
    declare(spec, Ana=attack("sword"), Ben="no-action", Orc="no-action", Rat="no-action")
    spec.act("Ana", "attack", ("attack", 2), target="Orc")
    with spec.refused("HE-ACT-02", "standard-used"):
        spec.act("Ana", "full-defense")


@rule("HE-BLUNT-06")
def test_a_broken_rib_is_told_before_what_is_used_or_declared(spec: Spec) -> None:
    four(spec, 1, 5, 12, 12, injuries=[{"name": "Broken Rib"}])
    declare(spec, Ana=attack("sword"), Ben="no-action", Orc="no-action", Rat="no-action")
    spec.act("Ana", "attack", ("attack", 2), target="Orc")
    for action, inputs in (("attack", {"target": "Orc"}), ("full-defense", {})):
        with spec.refused("HE-BLUNT-06", "one-action-per-two-turns"):
            spec.act("Ana", action, **inputs)


@rule("HE-ATK-07", "HE-MAG-01")
def test_a_spell_without_an_attack_has_its_range(spec: Spec) -> None:
    rot = {"id": "rot", "speed": 0, "range_ft": 30, "damage": {"formula": "1d6", "types": ["cold"]}}
    spec.given(hero("Mag", spells=[rot], at=[0, 0]), monster("Orc", at=[7, 0]), rulings="default")
    begin(spec, 1, 12, Mag=("cast", {"spell": "rot"}), Orc="no-action")
    with spec.raises(Illegal) as refusals:
        spec.act("Mag", "cast", target="Orc")
    assert (refusals[0].rule, refusals[0].code) == ("HE-ATK-07", "out-of-range")
    assert refusals[0].detail == "Orc is 35 ft away, rot carries 30 ft"


# ---- the number of actions


@rule("HE-BLUNT-06")
def test_whoever_acts_with_a_broken_rib_lets_one_turn_pass(spec: Spec) -> None:
    four(spec, 1, 5, 12, 12, injuries=[{"name": "Broken Rib"}])
    for may in (True, False, True):
        declare(spec, Ana="full-defense", Ben="no-action", Orc="no-action", Rat="no-action")
        if may:
            spec.act("Ana", "free-action", what="shouts")
        with spec.refused("HE-BLUNT-06", "one-action-per-two-turns"):
            spec.act("Ana", "full-defense")
        spec.rule("next-round")


@rule("HE-DYING-02")
def test_the_dying_have_one_more_action_with_a_missed_turn_and_no_third(spec: Spec) -> None:
    spec.given(
        hero("Ana"), hero("Ben"), monster("Orc", at=[2, 0], attributes={"agility": 10}),
        rulings="default",
    )  # fmt: skip
    begin(spec, 5, 6, 12, Ana="no-action", Ben="no-action", Orc="no-action")
    spec.act("Ana", "end-turn")
    spec.join(("initiative", 3), **hero("Cid", at=[0, 0], weapons=[SWORD], wound_points=-1))
    spec.answer("Cid", "no-action").act("Ben", "end-turn").act(
        "Orc", "end-turn", ("morale", 6, 6, 6)
    )
    declare(spec, Ana="no-action", Ben="no-action", Orc="no-action", Cid="no-action")
    for _ in range(2):  # the missed turn, and the current one
        spec.act("Cid", "free-action", what="groans")
        with spec.refused("HE-DYING-02", "dying-one-action"):
            spec.act("Cid", "free-action", what="groans")
        spec.act("Cid", "end-turn")
    spec.act("Ana", "end-turn").act("Ben", "end-turn").act("Orc", "move", path=[[1, 0]])
    assert spec.open() == [("turn", "turn", "Orc")]  # Cid gets no prompt for a Reposte


# ---- the final target of an action


def two_targets(spec: Spec) -> Spec:
    """Begin with Mag, who has settled a spell at an orc and an imp. Ben acts at the same number."""
    rot = {"id": "rot", "speed": 0, "damage": {"formula": "1d6", "types": ["cold"]}}
    spec.given(
        hero("Mag", spells=[rot]), hero("Ben"), monster("Orc"), monster("Imp"), monster("Rat"),
        rulings="default",
    )  # fmt: skip
    begin(spec, 5, 5, 12, 12, 12, Mag=("cast", {"spell": "rot"}), Ben="no-action", Orc="no-action",
          Imp="no-action", Rat="no-action")  # fmt: skip
    return spec.act("Mag", "cast", targets=["Orc", "Imp"])


@rule("HE-TIE-04", "HE-ATK-07")
def test_a_spell_at_several_is_cast_at_those_who_are_left(spec: Spec) -> None:
    two_targets(spec).leave("Orc").act("Ben", "end-turn", ("damage", 4))
    assert [(damaged.who, damaged.amount) for damaged in spec.events(Damaged)] == [("Imp", 4)]
    missed = spec.event(Prevented)
    assert (missed.inputs, missed.reason) == ({"target": "Orc"}, "out-of-range")


@rule("HE-TIE-04", "HE-DECL-02")
def test_a_spell_whose_targets_have_all_gone_is_aimed_anew(spec: Spec) -> None:
    two_targets(spec).leave("Orc").leave("Imp").act("Ben", "end-turn")
    spec.answer("Mag", "Rat", ("damage", 4), name="target")
    assert [(damaged.who, damaged.amount) for damaged in spec.events(Damaged)] == [("Rat", 4)]


@rule("HE-DECL-15")
def test_a_weapon_that_is_taken_away_strikes_no_more(spec: Spec) -> None:
    four(spec, 1, 5, 12, 12)
    declare(spec, Ana=attack("sword"), Ben="no-action", Orc="no-action", Rat="no-action")
    spec.act("Ana", "attack", target="Orc")
    assert spec.open() == [("roll", "attack", "Ana")]
    spec.do(Change("Ana", sheet={"weapons": []}))
    assert (spec.event(Stopped).reason, spec.event(Stopped).rules) == ("no-item", ("HE-DECL-15",))


# ---- crawling


@rule("HE-INC-02")
def test_whoever_has_moved_a_foot_before_it_fell_does_not_crawl_in_that_turn(spec: Spec) -> None:
    four(spec, 1, 5, 12, 12)
    declare(spec, Ana="no-action", Ben="no-action", Orc="no-action", Rat="no-action")
    spec.act("Ana", "move", distance_ft=1).rule("damage", combatant="Ana", amount=10)
    with spec.refused("HE-INC-02", "too-far"):
        spec.act("Ana", "crawl")


@rule("HE-INC-02")
def test_a_crawl_that_makes_just_a_square_leaves_nothing_over(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0], wound_points=0), hero("Ben"), monster("Orc"))
    begun(spec, 1, 5, 12, Ana="no-action", Ben="no-action", Orc="no-action")
    spec.rule("set-fact", combatant="Ana", key="crawl_progress_ft", value=2)
    spec.act("Ana", "crawl", direction=[0, 1])  # 2 + 3 = 5 ft
    assert (spec["Ana"].position, fact(spec, "Ana", "crawl_progress_ft")) == ((0, 1, 0), None)
