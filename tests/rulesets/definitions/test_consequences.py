"""Test consequences of a state, and effects that end when a combatant leaves or dies."""

from typing import Any

import pytest

from domain.engine.commands import Change
from domain.record.events import (
    Downed,
    Moved,
    Prevented,
    Rolled,
    Stopped,
    TrackChanged,
)
from tests.rulesets.definitions.units import (
    BITE,
    BOW,
    SWORD,
    at,
    decide,
    end,
    fight,
    fighter,
    foe,
    hold,
    order_of,
    shown,
)
from tests.spec import Spec, rule


def asked(spec: Spec) -> list[str | None]:
    return [who for _, name, who in spec.open() if name == "reaction"]


def three(spec: Spec, **theirs: Any) -> Spec:
    """Begin with Ana next to Orc. Gob keeps the foes in the fight if Orc falls."""
    return fight(spec, fighter("Ana"), foe("Orc", **theirs), foe("Gob", at=[9, 9]))


# ---- numbers


@rule("DEF-HP-03")
def test_the_same_maximum_on_a_new_sheet_changes_nothing(spec: Spec) -> None:
    three(spec).do(Change("Orc", sheet={"max_hp": 20, "movement_ft": 20}))
    assert not spec.events(TrackChanged)


@rule("DEF-HP-03")
def test_a_higher_maximum_heals_nothing(spec: Spec) -> None:
    three(spec).do(Change("Orc", sheet={"max_hp": 30}))
    assert (spec.hp("Orc"), spec["Orc"].tracks["hp"].maximum) == (20, 30)


# ---- falling, rising, dying


@rule("DEF-INC-03", "DEF-NLD-04")
def test_who_was_awake_again_is_struck_down_anew(spec: Spec) -> None:
    three(spec)
    for _ in range(2):
        spec.rule("damage", who="Orc", amount=20, track="nld")
        assert spec.event(Downed).who == "Orc"
        spec.rule("heal", who="Orc", amount=20, track="nld")


@rule("DEF-DTH-01")
def test_the_dead_hold_nothing_and_stand_nowhere_in_the_order(spec: Spec) -> None:
    three(spec)
    hold(spec, "Ana", "drop-prone", {"event": "speaks"}, slot="move")
    spec.rule("damage", who="Orc", amount=20)
    for name in ("Ana", "Orc"):
        spec.rule("set-condition", who=name, condition="dead")
        assert not {"held", "dropped_by", "wound_due", "initiative"} & set(spec[name].facts)
    assert not spec["Ana"].has("holding")
    assert order_of(spec) == ["Gob"]


# ---- grapples


def held(spec: Spec, *others: Any) -> Spec:
    fight(spec, fighter("Ana", grapple_modifier=9), foe("Orc"), fighter("Bo", at=[0, 1]), *others)
    return spec.rule("set-condition", who="Orc", condition="grappled", data={"with": "Ana"})


def exposed(spec: Spec) -> Spec:
    """Let Ana pin and expose Orc."""
    held(spec).rule("set-condition", who="Orc", condition="pinned")
    return spec.act("Ana", "grapple-expose", ("opposed-grapple", 5), ("opposed-grapple", 5))


@rule("DEF-GRP-06", "DEF-GRP-15")
def test_whose_partner_is_another_by_now_is_held_by_nobody(spec: Spec) -> None:
    held(spec)
    spec.rule("set-condition", who="Ana", condition="grappling", data={"with": "Bo"})
    assert not spec["Orc"].has("grappled")


@rule("DEF-GRE-01")
def test_the_exposure_ends_with_the_pin(spec: Spec) -> None:
    exposed(spec)
    assert [spec["Orc"].has(name) for name in ("helpless", "exposed")] == [True, True]
    spec.rule("end-condition", who="Orc", condition="pinned")
    assert spec["Orc"].has("grappled")
    assert not spec["Orc"].has("helpless", "exposed")


@rule("DEF-GRE-01")
def test_other_helplessness_does_not_end_with_the_pin(spec: Spec) -> None:
    held(spec).rule("set-condition", who="Orc", condition="pinned")
    spec.rule("set-condition", who="Orc", condition="helpless")
    spec.act("Ana", "release-grapple")
    assert not spec["Orc"].has("pinned")
    assert spec["Orc"].has("helpless")


@rule("DEF-GRS-01")
def test_submissions_are_counted_anew_in_a_new_grapple(spec: Spec) -> None:
    held(spec).act("Ana", "grapple-submission")
    spec.answer("Orc", "grapple", ("opposed-grapple", 5), ("opposed-grapple", 5))
    assert shown(spec, "Ana")["grapple"]["submission"] == 1
    spec.act("Ana", "release-grapple")
    spec.rule("set-condition", who="Orc", condition="grappled", data={"with": "Ana"})
    assert shown(spec, "Ana")["grapple"]["submission"] == 0


@rule("DEF-GRP-06", "DEF-SWL-04")
@pytest.mark.parametrize("meal", ["Ana", "Orc"])
def test_whoever_is_swallowed_is_out_of_the_grapple(spec: Spec, meal: str) -> None:
    held(spec, foe("Maw", size="gargantuan", at=[5, 0]))
    spec.rule("set-condition", who=meal, condition="swallowed", data={"with": "Maw"})
    assert not spec["Orc"].has("grappled")
    assert not spec["Ana"].has("grappling")


# ---- swallowed


def eaten(spec: Spec, **maw: Any) -> Spec:
    fight(
        spec,
        foe("Maw", size="huge", weapons=[BITE], **{"max_hp": 60, "at": [0, 0], **maw}),
        fighter("Tim", size="small", at=[3, 0], weapons=[{**SWORD, "damage": "1d20"}]),
        fighter("Bo", at=[9, 9]),
        foe("Gob", at=[-9, 9]),
    )
    spec.act("Maw", "swallow-whole", target="Tim")
    return spec.answer("Tim", "grapple", ("opposed-grapple", 15), ("opposed-grapple", 5))


@rule("DEF-SWL-04")
def test_who_is_swallowed_is_carried_off(spec: Spec) -> None:
    eaten(spec)
    taken = spec.event(Moved)
    assert (taken.who, taken.path, taken.forced) == ("Tim", (), True)


@rule("DEF-SWL-05")
def test_exactly_a_fifth_is_enough(spec: Spec) -> None:
    end(eaten(spec), "Maw")
    spec.act("Tim", "cut-out", ("attack", 15), ("damage", 11))
    assert spec["Tim"].has("swallowed")
    end(spec, "Tim", "Bo", "Gob", "Maw")
    spec.act("Tim", "cut-out", ("attack", 15), ("damage", 1))  # 5 × 12 = 60
    spec.answer("Tim", "out")
    assert not spec["Tim"].has("swallowed")


@rule("DEF-SWL-06", "DEF-SWL-07")
def test_the_dead_need_no_air(spec: Spec) -> None:
    eaten(spec).rule("set-condition", who="Tim", condition="dead")
    for _ in range(4):
        end(spec, "Maw", "Bo", "Gob")
    assert not spec["Tim"].has("unconscious")


@rule("DEF-SWL-08")
def test_in_one_who_is_dead_it_can_be_retrieved(spec: Spec) -> None:
    fight(spec, fighter("Tim"), foe("Maw", size="huge"), foe("Gob", at=[9, 9]))
    spec.rule("set-condition", who="Maw", condition="dead")
    spec.rule("set-condition", who="Tim", condition="swallowed", data={"with": "Maw"})
    assert shown(spec, "Tim")["swallowed_by"]["name"] == "Maw"
    spec.act("Tim", "retrieve-swallowed", target="Tim")
    spec.answer("Tim", "out")
    assert not spec["Tim"].has("swallowed")


# ---- held actions


@rule("DEF-HLD-03")
def test_what_is_no_attack_is_done_once(spec: Spec) -> None:
    three(spec)
    hold(spec, "Ana", "drop-prone", {"event": "speaks"}, slot="move", attacks=3)
    end(spec, "Ana").act("Orc", "speak", text="Now!")
    spec.answer("Ana", "resolve")
    assert spec["Ana"].has("prone")
    assert not spec.events(Prevented)


@rule("DEF-HLD-08")
def test_alone_in_the_order_its_place_stays(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc", hp=0), rulings="ask")
    decide(spec, "go-on", {})
    spec.rule("set-fact", who="Orc", key="death_fails", value=2)
    hold(spec, "Ana", "drop-prone", {"event": "falls"}, slot="move")
    spec.act("Ana", "end-turn", ("death-save", 70))  # 71 were needed
    spec.answer("Ana", "resolve")
    assert spec["Ana"].has("prone")
    assert order_of(spec) == ["Ana"]


@rule("DEF-HLD-08")
def test_it_takes_over_the_place_of_whom_it_follows(spec: Spec) -> None:
    """A held action moves its holder directly after the combatant that triggered it.

    Both combatants then have the same initiative total.
    """
    fight(spec, fighter("Ana"), foe("Orc"), foe("Gob", at=[9, 9]))
    hold(spec, "Ana", "drop-prone", {"event": "speaks", "who": "Gob"}, slot="move")
    end(spec, "Ana", "Orc").act("Gob", "speak", text="Now!")
    spec.answer("Ana", "resolve")
    keys = {place.who: place.key for place in spec.combat.order}
    assert order_of(spec) == ["Orc", "Gob", "Ana"]
    assert keys["Ana"] == keys["Gob"] != keys["Orc"]


# ---- shooting and walking


@rule("DEF-RNG-04")
@pytest.mark.parametrize("how", ["bow", "target"])
def test_with_the_bow_or_the_target_gone_nothing_is_shot(spec: Spec, how: str) -> None:
    fight(spec, fighter("Ana", weapons=[BOW]), foe("Orc", at=[5, 0]), foe("Gob", at=[6, 0]))
    spec.rule("set-condition", who="Orc", condition="grappled", data={"with": "Gob"})
    spec.act("Ana", "ranged-attack", target="Orc")
    if how == "bow":
        spec.do(Change("Ana", sheet={"weapons": []}))
        spec.answer("Ana", "roll", faces=[51])
    else:
        spec.rule("set-condition", who="Orc", condition="dead")
    assert not spec.events(Rolled, purpose="attack")
    assert spec.prompt().name == "turn"


@rule("DEF-SPC-02")
def test_who_fails_to_tumble_leaves_no_square(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc", weapons=[SWORD]), rulings="ask")
    spec.act("Ana", "move", path=[[1, 0], [2, 0]], acrobatics=True)
    decide(spec, "dc", {"dc": 15}, ("skill-acrobatics", 14))
    assert asked(spec) == []
    assert at(spec, "Ana") == (0, 0)
    assert not spec.events(Prevented)


@rule("DEF-MOV-01")
def test_a_path_too_long_is_told_in_feet(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc", at=[9, 9]))
    with pytest.raises(Exception, match="the path takes 35 ft, Ana may move 30"):
        spec.act("Ana", "move", path=[[0, y] for y in range(1, 8)])


@rule("DEF-AOO-01")
def test_a_square_beside_the_threatened_ones_is_left_freely(spec: Spec) -> None:
    """Orc threatens `[1, 1]`, which Ana still fills after her step.

    It threatens neither of the squares that she leaves, so she provokes no strike.
    """
    fight(spec, fighter("Ana", size="large"), foe("Orc", at=[2, 2], weapons=[SWORD]))
    spec.act("Ana", "move", path=[[1, 0]])
    assert asked(spec) == []
    assert at(spec, "Ana") == (1, 0)


# ---- rolls of combatants that are out of the fight


def goes(spec: Spec, who: str, how: str) -> None:
    if how == "left":
        spec.leave(who)
    else:
        spec.rule("set-condition", who=who, condition="dead")


@pytest.mark.parametrize("how", ["left", "dead"])
def test_who_is_gone_makes_no_save(spec: Spec, how: str) -> None:
    ball = {
        "id": "ball", "name": "Ball", "provokes": False, "damage": "2d6",
        "save": {"kind": "reflex", "dc": 14, "on_success": "half"},
    }  # fmt: skip
    fight(spec, fighter("Ana", spells=[ball]), foe("Orc"), foe("Gob", at=[2, 2]))
    spec.act("Ana", "cast-spell", spell="ball", targets=["Orc", "Gob"])
    goes(spec, "Orc", how)
    assert spec.open() == [("roll", "save-reflex", "Gob")]
    spec.answer("Gob", "roll", ("damage", 3, 4), faces=[14])
    assert spec.hp("Gob") == 17


@pytest.mark.parametrize("how", ["left", "dead"])
def test_who_is_gone_makes_no_massive_damage_save(spec: Spec, how: str) -> None:
    fight(spec, fighter("Ana", weapons=[SWORD]), foe("Orc", max_hp=10), foe("Gob", at=[9, 9]))
    spec.act("Ana", "attack", ("attack", 10), ("damage", 5), target="Orc")
    assert spec.open() == [("roll", "save-fortitude", "Orc")]
    goes(spec, "Orc", how)
    assert spec.prompt().name == "turn"
    assert spec["Orc"].tracks["hp"].value == 5  # without a save, there is no failure


@rule("DEF-OPP-01")
@pytest.mark.parametrize("how", ["left", "dead"])
@pytest.mark.parametrize("rolled", [False, True])
def test_nobody_rolls_against_who_is_gone(spec: Spec, how: str, rolled: bool) -> None:
    three(spec).act("Ana", "trip", ("touch", 10), target="Orc")
    if rolled:
        spec.answer("Ana", "roll", faces=[10])
    goes(spec, "Orc", how)
    assert spec.prompt().name == "turn"
    assert not spec["Orc"].has("prone")


@pytest.mark.parametrize("how", ["left", "dead"])
@pytest.mark.parametrize(
    ("action", "faces", "waits"),
    [("attack", (), "attack"), ("attack", (20,), "confirm"), ("trip", (), "touch")],
)
def test_nobody_strikes_at_who_is_gone(
    spec: Spec, how: str, action: str, faces: tuple[int, ...], waits: str
) -> None:
    fight(spec, fighter("Ana", weapons=[SWORD]), foe("Orc"), foe("Gob", at=[9, 9]))
    spec.act("Ana", action, *(("attack", face) for face in faces), target="Orc")
    assert spec.open() == [("roll", waits, "Ana")]
    goes(spec, "Orc", how)
    assert spec.event(Stopped).doing == ("touch" if action == "trip" else "attack")
    assert spec.prompt().name == "turn"
    assert spec["Ana"].budget["standard"] == 0


@rule("DEF-GRP-11")
def test_who_was_held_by_one_who_has_left_rolls_no_escape(spec: Spec) -> None:
    end(held(spec), "Ana")
    spec.answer("Orc", "grapple")
    spec.leave("Ana")
    assert spec.prompt().name == "turn"
    assert not spec["Orc"].has("grappled")


# ---- the way out of a swallower is taken


@rule("DEF-SWL-05")
@pytest.mark.parametrize("named", [[-1, -1], None])
def test_a_square_taken_meanwhile_is_no_way_out(spec: Spec, named: list[int] | None) -> None:
    end(eaten(spec, max_hp=5), "Maw")
    spec.act("Tim", "cut-out", ("attack", 15), ("damage", 1))
    spec.rule("move", who="Gob", to=[-1, -1])
    if named is not None:
        with spec.refused("DEF-SWL-05", "square-occupied"):
            spec.answer("Tim", "out", to=named)
    spec.answer("Tim", "out")
    assert at(spec, "Tim") == (-1, 0)
