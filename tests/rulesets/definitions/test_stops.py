"""Test actions whose state changes during a prompt or a roll."""

import pytest

from domain.engine.commands import Change
from domain.record.events import ConditionGained, EffectResolved, Moved
from tests.rulesets.definitions.units import (
    BITE,
    BOW,
    DAGGER,
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
)
from tests.spec import Spec, rule


def goes(spec: Spec, how: str) -> None:
    """Take Orc out of the fight: it leaves, or it dies."""
    if how == "left":
        spec.leave("Orc")
    else:
        spec.rule("set-condition", who="Orc", condition="dead")


GONE = pytest.mark.parametrize("how", ["left", "dead"])


@rule("DEF-SHV-03")
@GONE
def test_nobody_is_pushed_who_has_gone(spec: Spec, how: str) -> None:
    """If Orc leaves before the roll or before the GM decides the distance, nobody is pushed."""
    for ours in ((), (20,)):
        fight(spec, fighter("Ana"), foe("Orc"), foe("Gob", at=[9, 9]))
        spec.act("Ana", "shove", ("touch", 10), target="Orc")
        for face in ours:
            spec.answer("Ana", "roll", ("opposed-strength", 5), faces=[face])
            assert spec.prompt().name == "shove-distance"
        goes(spec, how)
        assert spec.prompt().name == "turn"
        assert not spec.events(Moved)
        spec = Spec(spec.ruleset)


@rule("DEF-MAN-10", "DEF-SWL-03", "DEF-GRP-04", "DEF-FEI-02")
@GONE
@pytest.mark.parametrize(
    ("action", "asks"),
    [
        ("swallow-whole", "defend-with"),
        ("grapple", "defend-with"),
        ("feigned-strike", "feigned-strike-defense"),
    ],
)
def test_nothing_is_won_against_who_goes_while_it_is_asked(
    spec: Spec, how: str, action: str, asks: str
) -> None:
    fight(
        spec, fighter("Ana", weapons=[BITE], feats={"swallow_bigger": True}), foe("Orc"),
        foe("Gob", at=[9, 9]),
    )  # fmt: skip
    spec.act("Ana", action, *([("touch", 10)] if action == "grapple" else []), target="Orc")
    assert spec.prompt().name == asks
    goes(spec, how)
    assert spec.prompt().name == "turn"
    assert not spec["Orc"].has("swallowed", "grappled", "flat-footed")


@rule("DEF-KSH-01")
@GONE
def test_no_kill_shot_hits_who_has_gone(spec: Spec, how: str) -> None:
    fight(
        spec, fighter("Ana", weapons=[SWORD]), foe("Orc", nld=20), foe("Gob", at=[9, 9]),
        rulings="ask",
    )  # fmt: skip
    spec.act("Ana", "kill-shot", target="Orc")
    assert spec.prompt().name == "kill-shot"
    goes(spec, how)
    assert spec.prompt().name == "turn"
    assert not spec.events(ConditionGained, source="Ana")


@rule("DEF-KSH-01")
@pytest.mark.parametrize(
    ("weapon", "square", "reached"),
    [(SPEAR, 2, True), (SPEAR, 3, False), (BOW, 1, True), (BOW, 2, False), (SWORD, 2, False)],
)
def test_how_far_a_kill_shot_gets(
    spec: Spec, weapon: dict[str, str], square: int, reached: bool
) -> None:
    fight(spec, fighter("Ana", weapons=[weapon]), foe("Orc", at=[square, 0], nld=20),
          foe("Gob", at=[9, 9]))  # fmt: skip
    if reached:
        spec.act("Ana", "kill-shot", target="Orc")
        assert spec["Orc"].has("dead")
    else:
        with spec.refused("DEF-KSH-01", "out-of-reach"):
            spec.act("Ana", "kill-shot", target="Orc")


# ---- triggers in text


@rule("DEF-HLD-05")
@pytest.mark.parametrize("how", ["no", "unable", "lost"])
def test_a_report_comes_to_nothing(spec: Spec, how: str) -> None:
    """A reported trigger has no effect if the GM denies it.

    It also has no effect if Ana can no longer act, or no longer holds an action.
    """
    fight(spec, fighter("Ana", at=[9, 9]), foe("Orc"), fighter("Bo"), rulings="ask")
    hold(spec, "Ana", "drop-prone", {"text": "thunder"}, slot="move")
    end(spec, "Ana")
    spec.act("Ana", "report-trigger")
    assert spec.prompt(name="trigger-occurred").default == "yes"
    if how == "no":
        spec.answer(None, "no")
    elif how == "unable":
        spec.rule("set-condition", who="Ana", condition="cannot-act")
    else:
        spec.rule("end-condition", who="Ana", condition="holding")
    assert spec.open() == [("turn", "turn", "Orc")]
    assert spec["Ana"].has("holding") is (how == "no")


@rule("DEF-HLD-05")
def test_waiting_for_somebody_who_is_not_there(spec: Spec) -> None:
    fight(spec, fighter("Ana", at=[9, 9]), foe("Orc"))
    hold(spec, "Ana", "drop-prone", {"event": "speaks", "who": "Zed"}, slot="move")
    end(spec, "Ana")
    spec.act("Orc", "speak", text="ho")
    assert spec.prompt().name == "turn"  # Orc is not Zed
    assert spec["Ana"].has("holding")


@rule("DEF-SHT-03", "DEF-SHT-04")
def test_what_was_struck_with_shatters_though_the_sheet_has_it_no_more(spec: Spec) -> None:
    blade = {**SWORD, "item_hp": 5, "hardness": 1}
    fight(spec, fighter("Ana", weapons=[SWORD]), foe("Orc", weapons=[blade]))
    spec.act("Ana", "shatter", target="Orc")
    spec.do(Change("Ana", sheet={"weapons": []}))
    spec.answer("Ana", "roll", ("opposed-attack", 10), faces=[10])  # a tie: both again
    spec.answer("Ana", "roll", ("opposed-attack", 5), ("damage", 4), faces=[15])
    numbers = {"dealt": 4, "hardness": 1, "damage": 3, "left": 2}
    assert spec.event(EffectResolved).numbers == numbers


@rule("DEF-CST-03", "DEF-DMG-07")
@GONE
def test_no_damage_is_rolled_for_who_goes_while_it_saves(spec: Spec, how: str) -> None:
    bolt = {"id": "bolt", "name": "Bolt", "damage": "2d6",
            "save": {"kind": "reflex", "dc": 12, "on_success": "half"}}  # fmt: skip
    fight(spec, fighter("Ana", spells=[bolt]), foe("Orc"), foe("Gob", at=[9, 9]))
    spec.act("Ana", "cast-spell", spell="bolt", targets=["Orc"])
    goes(spec, how)
    assert spec.prompt().name == "turn"


# ---- a trample


@rule("DEF-TRM-04")
def test_a_trample_lost_stops_there(spec: Spec) -> None:
    fight(spec, fighter("Ox", weapons=[FIST]), foe("Orc", at=[2, 0]), foe("Gob", at=[3, 0]))
    spec.act(
        "Ox", "trample", ("touch", 10), ("opposed-strength", 5), ("opposed-strength", 9),
        path=[[1, 0], [2, 0], [3, 0], [4, 0]],
    )  # fmt: skip
    assert at(spec, "Ox") == (1, 0)
    assert not spec["Orc"].has("prone")
    assert spec.prompt().name == "turn"


@rule("DEF-TRM-02", "DEF-RCH-08")
def test_out_of_reach_by_the_gms_word_a_trample_ends(spec: Spec) -> None:
    fight(spec, fighter("Ox", at=None, weapons=[FIST]), foe("Orc"), foe("Gob"), rulings="ask")
    spec.act("Ox", "trample", targets=["Orc", "Gob"])
    spec.answer(None, "no", name="reach")
    assert spec.prompt().name == "turn"


@rule("DEF-TRM-01", "DEF-TRM-04")
def test_a_trampler_stops_before_a_square_that_was_taken_meanwhile(spec: Spec) -> None:
    fight(
        spec, fighter("Ox", weapons=[FIST]), foe("Orc", at=[2, 0], nld=20),
        foe("Gob", at=[3, 1], weapons=[DAGGER]), fighter("Bo", at=[9, 9]),
    )  # fmt: skip
    spec.act("Ox", "trample", ("touch", 19), ("damage", 1), path=[[1, 0], [2, 0], [3, 0]],
             targets=["Orc"])  # fmt: skip
    assert spec.prompt().who == "Gob"  # as Ox leaves [2, 0], where Orc lies
    spec.rule("move", who="Bo", to=[3, 0])
    spec.answer("Gob", "pass")
    assert [moved.path for moved in spec.events(Moved, who="Ox")] == [((1, 0, 0),)]
    assert at(spec, "Ox") == (1, 0)


@rule("DEF-TRM-04", "DEF-MOV-08")
def test_a_trampler_thrown_down_on_its_victim_stands_before_it(spec: Spec) -> None:
    fight(
        spec, fighter("Ox", weapons=[FIST]), foe("Orc", at=[2, 0], nld=20),
        foe("Gob", at=[3, 1], weapons=[DAGGER]),
    )  # fmt: skip
    spec.act("Ox", "trample", ("touch", 19), ("damage", 1), path=[[1, 0], [2, 0], [3, 0]],
             targets=["Orc"])  # fmt: skip
    spec.rule("set-condition", who="Ox", condition="prone")
    spec.answer("Gob", "pass")
    assert at(spec, "Ox") == (1, 0)


# ---- a single combatant


@rule("DEF-ATK-06")
def test_alone_in_the_fight_there_is_no_target(spec: Spec) -> None:
    """In a fight with one combatant, each action with a target is refused with `no-target`."""
    fight(spec, fighter("Ana", weapons=[SWORD, FIST], shield=SHIELD))
    for action in (
        "attack", "ranged-attack", "shield-bash", "disarm", "feigned-strike", "grapple",
        "kill-shot", "shatter", "shove", "swallow-whole", "trip", "charge",
    ):  # fmt: skip
        assert ("DEF-ATK-06", "no-target") in spec.refusals("Ana", action), action


@rule("DEF-TRM-03", "DEF-TRM-05")
def test_who_has_begun_to_trample_does_so_though_the_sheet_forbids_it_by_now(spec: Spec) -> None:
    fight(spec, fighter("Ox", weapons=[FIST]), foe("Orc"), foe("Gob", at=[9, 9]))
    spec.act("Ox", "trample", path=[[1, 0], [2, 0]])
    spec.do(Change("Ox", sheet={"weapons": []}))
    spec.answer("Ox", "roll", ("opposed-strength", 15), ("opposed-strength", 5), ("damage", 3),
                faces=[10])  # fmt: skip
    assert spec.hp("Orc") == 17
    assert at(spec, "Ox") == (2, 0)


# ---- opposed rolls


CONTESTS = {
    "trip": (("touch", 15), ("opposed-strength", 5)),
    "disarm": (("touch", 15), ("opposed-dexterity", 5)),
    "shove": (("touch", 15), ("opposed-strength", 5)),
    "grapple": (("touch", 15),),
    "swallow-whole": (),
    "feigned-strike": (),
    "shatter": (("opposed-attack", 5),),
}
"""The rolls before the defender's prompt."""


def contested(spec: Spec, action: str) -> Spec:
    fight(
        spec, fighter("Ana", weapons=[BITE], feats={"swallow_bigger": True}),
        fighter("Bo", at=[-9, 9]), foe("Orc", weapons=[BOW]), foe("Gob", at=[9, 9]),
    )  # fmt: skip
    return spec.act("Ana", action, *CONTESTS[action], target="Orc")


@rule("DEF-MAN-10")
@pytest.mark.parametrize(
    ("action", "outcome"),
    [("grapple", "grappled"), ("swallow-whole", "swallowed"), ("feigned-strike", "flat-footed")],
)
@pytest.mark.parametrize("rolled", [False, True])
def test_who_faints_resists_no_more(spec: Spec, action: str, outcome: str, rolled: bool) -> None:
    """If Orc faints before its roll, Ana's action succeeds without a further roll."""
    contested(spec, action)
    if rolled:
        way = "level-check" if action == "feigned-strike" else "grapple"
        skill = "skill-beguile" if action == "feigned-strike" else "opposed-grapple"
        spec.answer("Orc", way, (skill, 1))
    spec.rule("set-track", who="Orc", track="nld", value=20)
    assert (spec.prompt().name, spec["Orc"].has(outcome)) == ("turn", True)


@rule("DEF-MAN-10", "DEF-SHV-02")
@pytest.mark.parametrize(("action", "place"), [("shove", (2, 0)), ("trip", (1, 0))])
def test_who_faints_does_not_roll_any_more(spec: Spec, action: str, place: tuple[int, int]) -> None:
    contested(spec, action)
    spec.rule("set-track", who="Orc", track="nld", value=20)
    assert (spec.prompt().name, at(spec, "Orc")) == ("turn", place)
    assert len(spec.events(ConditionGained, condition="prone")) == 1  # Orc falls prone once


@rule("DEF-MAN-10", "DEF-SHT-04")
def test_what_one_who_faints_holds_is_struck(spec: Spec) -> None:
    contested(spec, "shatter")
    spec.rule("set-track", who="Orc", track="nld", value=20)
    assert spec.prompt().name == "damage"
    spec.answer("Ana", "roll", faces=[1])


@rule("DEF-RCH-08")
@pytest.mark.parametrize("action", CONTESTS)
def test_nothing_is_won_and_nothing_rolled_out_of_reach(spec: Spec, action: str) -> None:
    contested(spec, action)
    spec.rule("move", who="Orc", to=[5, 5])
    assert (spec.prompt().name, at(spec, "Orc")) == ("turn", (5, 5))
    assert not spec["Orc"].has("prone", "disarmed", "grappled", "swallowed", "flat-footed")


def held(spec: Spec) -> Spec:
    """Let Ana hold Orc."""
    contested(spec, "grapple")
    return spec.answer("Orc", "grapple", ("opposed-grapple", 15), ("opposed-grapple", 5))


@rule("DEF-GRP-06", "DEF-GRP-11")
def test_an_escape_from_who_faints_needs_no_second_roll(spec: Spec) -> None:
    end(held(spec), "Ana", "Bo")
    spec.answer("Orc", "grapple", ("opposed-grapple", 1))
    spec.rule("set-track", who="Ana", track="nld", value=20)
    assert (spec.prompt().who, spec["Orc"].has("grappled")) == ("Orc", False)


@rule("DEF-GRP-06", "DEF-GRP-14")
@pytest.mark.parametrize("asked", ["defend-with", "opposed-grapple"])
def test_no_option_is_rolled_for_once_the_grapple_has_ended(spec: Spec, asked: str) -> None:
    end(held(spec), "Ana", "Bo")
    spec.answer("Orc", "no")
    end(spec, "Orc", "Gob")
    spec.act("Ana", "grapple-pin")
    if asked == "opposed-grapple":
        spec.answer("Orc", "grapple")
    assert spec.prompt().name == asked
    spec.rule("end-condition", who="Orc", condition="grappled")
    assert (spec.prompt().name, spec["Orc"].has("pinned")) == ("turn", False)


@rule("DEF-RNG-04")
def test_no_shot_goes_astray_once_the_grapple_has_ended(spec: Spec) -> None:
    fight(
        spec, fighter("Ana", at=[5, 5], weapons=[BOW]), fighter("Bo"), foe("Orc"),
    )  # fmt: skip
    spec.rule("set-condition", who="Orc", condition="grappled", data={"with": "Bo"})
    spec.act("Ana", "ranged-attack", target="Orc")
    assert spec.prompt().name == "miss-chance"
    spec.rule("end-condition", ("attack", 1), who="Orc", condition="grappled")
    assert spec.rolled("attack").against == "Orc"


@rule("DEF-TRM-02", "DEF-TRM-04")
@pytest.mark.parametrize("how", ["away", "dead"])
@pytest.mark.parametrize("asked", ["reaction", "opposed-strength"])
def test_who_is_in_the_way_no_more_stops_no_trample(spec: Spec, how: str, asked: str) -> None:
    fight(
        spec, fighter("Ana", weapons=[FIST]), foe("Orc", weapons=[SWORD]), foe("Gob", at=[9, 9]),
    )  # fmt: skip
    spec.act("Ana", "trample", ("touch", 15), path=[[1, 0], [2, 0]])
    if asked == "opposed-strength":
        spec.answer("Orc", "pass")
    assert spec.prompt().name == asked
    if how == "away":
        spec.rule("move", who="Orc", to=[5, 5])
    else:
        spec.rule("set-condition", who="Orc", condition="dead")
    assert (spec.prompt().name, at(spec, "Ana")) == ("turn", (2, 0))
    assert not spec["Orc"].has("prone")
