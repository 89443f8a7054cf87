"""Test HP, NLD, wounds, death saves and massive damage (DEF-HP to DEF-MAS)."""

from typing import Any

import pytest

from domain.engine.commands import Change
from domain.errors import Impossible, Malformed
from domain.record.events import (
    ConditionGained,
    Damaged,
    Died,
    Downed,
    Healed,
    Rolled,
    Stabilized,
    Stopped,
    TrackChanged,
)
from tests.rulesets.definitions.units import (
    SWORD,
    end,
    fight,
    fighter,
    foe,
    hold,
    order_of,
    shown,
    turn_of,
    weapon,
)
from tests.spec import Spec, rule


def two(spec: Spec, **fields: Any) -> Spec:
    """Begin Ana's turn next to Orc, whose sheet has `fields`.

    Gob and Bo keep both sides in the fight if Orc or Ana falls.
    """
    options = {name: fields.pop(name) for name in ("death_roll", "rulings") if name in fields}
    return fight(
        spec,
        fighter("Ana", weapons=[SWORD]),
        foe("Orc", **fields),
        foe("Gob", at=[9, 9]),
        fighter("Bo", at=[0, 9]),
        **options,
    )


def hurt(spec: Spec, amount: int, who: str = "Orc", **fields: Any) -> Spec:
    return spec.rule("damage", who=who, amount=amount, **fields)


def conditions(spec: Spec, who: str = "Orc") -> set[str]:
    return {condition.id for condition in spec[who].conditions}


DOWN = {"unconscious", "prone", "exposed", "helpless"}

# ---- hit points


@rule("DEF-HP-01")
def test_damage_comes_off_hit_points(spec: Spec) -> None:
    hurt(two(spec), 7)
    assert spec.hp("Orc") == 13


@rule("DEF-HP-02")
def test_hit_points_stop_at_0_and_the_whole_damage_is_told(spec: Spec) -> None:
    hurt(two(spec, hp=5, max_hp=40), 11)
    assert spec.event(Damaged).amount == 11
    assert spec.hp("Orc") == 0


@rule("DEF-HP-03")
def test_maximum_hit_points_are_data(spec: Spec) -> None:
    two(spec, max_hp=33, hit_dice=9, abilities={"constitution": 20})
    assert spec["Orc"].tracks["hp"].maximum == 33
    with spec.raises(Malformed):
        spec.join(**{**foe("Elf"), "hp": 21})


@rule("DEF-HP-04")
def test_healing_stops_at_the_maximum_and_passes_the_dead(spec: Spec) -> None:
    hurt(two(spec), 4)
    spec.rule("heal", who="Orc", amount=9)
    assert spec.hp("Orc") == 20
    spec.rule("set-condition", who="Orc", condition="dead")
    with spec.refused("DEF-HP-04", "target-dead"):
        spec.rule("heal", who="Orc", amount=1)


@rule("DEF-HP-05")
def test_one_hit_point_is_enough_for_everything(spec: Spec) -> None:
    hurt(two(spec), 9)
    hurt(spec, 9)
    hurt(spec, 1)
    assert spec.hp("Orc") == 1
    assert conditions(spec) == set()


@rule("DEF-HP-06")
@pytest.mark.parametrize(
    ("option", "state", "fails"),
    [
        ("nothing", "bleeding-out", None),
        ("failed-save", "bleeding-out", 1),
        ("dead", "dead", None),
    ],
)
def test_struck_while_bleeding(spec: Spec, option: str, state: str, fails: int | None) -> None:
    two(spec, hp=3, rulings="ask")
    hurt(spec, 3).answer(None, "wound")
    hurt(spec, 30)
    assert spec.prompt().name == "hit-while-down"
    assert spec.prompt().default == "nothing"
    spec.answer(None, option)
    assert spec.hp("Orc") == 0
    assert spec["Orc"].has(state)
    assert len(spec["Orc"].all("wounded")) == 1
    assert spec["Orc"].facts.get("death_fails") == fails


@rule("DEF-HP-06", "DEF-STB-02")
def test_struck_while_stabilized_it_bleeds_again(spec: Spec) -> None:
    two(spec, hp=3)
    hurt(spec, 3)
    spec.rule("set-condition", who="Orc", condition="stabilized")
    hurt(spec, 2)
    assert spec["Orc"].has("bleeding-out")
    assert not spec["Orc"].has("stabilized")


# ---- non-lethal damage


@rule("DEF-NLD-01")
def test_nld_counts_up_without_a_limit(spec: Spec) -> None:
    two(spec)
    hurt(spec, 3, track="nld")
    hurt(spec, 50, track="nld")
    assert spec.hp("Orc", "nld") == 53
    assert spec.hp("Orc") == 20


@rule("DEF-NLD-02")
def test_one_hit_changes_both_and_checks_once(spec: Spec) -> None:
    grasp = {
        "id": "grasp", "name": "Grasp", "damage": "1d8", "nld": "1d8", "attack": "melee-touch",
    }  # fmt: skip
    fight(spec, fighter("Ana", spells=[grasp]), foe("Orc", hp=12))
    spec.act(
        "Ana", "cast-spell", ("touch", 19), ("damage", 6), ("damage", 6),
        spell="grasp", targets=["Orc"],
    )  # fmt: skip
    assert (spec.hp("Orc"), spec.hp("Orc", "nld")) == (6, 6)  # 12 − 6; 6 ≥ 6
    assert len(spec.events(ConditionGained, condition="unconscious")) == 1


@rule("DEF-NLD-02", "DEF-DMG-08")
def test_the_sum_of_a_hit_is_of_its_lethal_part(spec: Spec) -> None:
    """`Damaged` gives the amount and the terms of the lethal part only.

    The reduction `hide` takes 4 frost damage. `furs` takes the other 2, and then 5 NLD.
    """
    grasp = {
        "id": "grasp", "name": "Grasp", "damage": "1d8", "nld": "1d8", "attack": "melee-touch",
        "damage_type": "frost", "extra_damage": [{"formula": "1d4", "damage_type": "fire"}],
    }  # fmt: skip
    furs = [{"amount": 4, "source": "hide"}, {"amount": 7, "types": ["frost"], "source": "furs"}]
    fight(spec, fighter("Ana", spells=[grasp]), foe("Orc", reductions=furs))
    spec.act(
        "Ana", "cast-spell", ("touch", 19), ("damage", 6), ("damage", 6), ("extra-damage", 3),
        spell="grasp", targets=["Orc"],
    )  # fmt: skip
    hit = spec.event(Damaged)
    assert (hit.amount, spec.hp("Orc", "nld")) == (3, 1)
    assert [term.value for term in hit.terms] == [6, 3, -4, -2]


@rule("DEF-NLD-03")
def test_nld_of_the_current_hit_points_is_enough(spec: Spec) -> None:
    two(spec, hp=14, nld=9)
    hurt(spec, 4, track="nld")
    assert not spec["Orc"].has("unconscious")  # 13 < 14
    hurt(spec, 1)  # hp 13
    assert spec["Orc"].has("unconscious")


@rule("DEF-NLD-04")
def test_awake_at_once_when_it_is_below(spec: Spec) -> None:
    two(spec, hp=13, nld=13)
    assert spec["Orc"].has("unconscious")
    spec.rule("heal", who="Orc", amount=3, track="both")  # hp 16, nld 10
    assert not spec["Orc"].has("unconscious")
    assert spec["Orc"].has("prone")


@rule("DEF-NLD-05")
def test_nld_alone_neither_bleeds_nor_wounds(spec: Spec) -> None:
    two(spec)
    hurt(spec, 60, track="nld")
    assert conditions(spec) == DOWN
    assert not spec.events(Rolled)


@rule("DEF-NLD-06")
def test_unconscious_and_then_at_0(spec: Spec) -> None:
    two(spec, nld=20)
    hurt(spec, 20, kind="axe")  # 2·20 ≥ 20: the GM's default: no save
    assert conditions(spec) == DOWN | {"bleeding-out", "wounded"}


# ---- rest


def resting(spec: Spec, days: int = 1, **fields: Any) -> Spec:
    """Let Orc rest for `days` before the fight begins.

    Combatants cannot rest during a fight.
    """
    spec.given(foe("Orc", **fields), death_roll="all-equal")
    return spec.rule("rest", who="Orc", days=days)


@rule("DEF-REC-01")
def test_a_day_gives_constitution_times_hit_dice(spec: Spec) -> None:
    resting(spec, hp=2, max_hp=40, hit_dice=3, abilities={"constitution": 14})
    assert spec.hp("Orc") == 8  # 2 + 2 × 3


@rule("DEF-REC-02")
def test_a_bad_constitution_counts_1(spec: Spec) -> None:
    resting(spec, days=2, hp=2, hit_dice=3, abilities={"constitution": 4})
    assert spec.hp("Orc") == 8  # 2 + 2 × 1 × 3


@rule("DEF-REC-03")
def test_nld_goes_down_five_times_as_fast(spec: Spec) -> None:
    resting(spec, hp=19, nld=18, hit_dice=3)
    assert spec.hp("Orc", "nld") == 3  # 18 − 5 × 1 × 3
    spec.rule("rest", who="Orc", days=1)
    assert spec.hp("Orc", "nld") == 0


@rule("DEF-REC-04")
def test_nobody_rests_in_a_fight(spec: Spec) -> None:
    two(spec)
    with spec.refused("DEF-REC-04", "combat-running"):
        spec.rule("rest", who="Orc", days=1)


@rule("DEF-REC-05")
@pytest.mark.parametrize(("heals", "hp", "nld"), [("both", 16, 6), ("hp", 16, 9), ("nld", 13, 6)])
def test_healing_spells_heal_one_for_one(spec: Spec, heals: str, hp: int, nld: int) -> None:
    mend = {"id": "mend", "name": "Mend", "healing": "3", "heals": heals}
    fight(spec, fighter("Ana", spells=[mend], hp=13, nld=9), foe("Orc", at=[9, 9]))
    spec.act("Ana", "cast-spell", spell="mend", targets=["Ana"])
    assert (spec.hp("Ana"), spec.hp("Ana", "nld")) == (hp, nld)


@rule("DEF-REC-06")
def test_the_bleeding_do_not_recover(spec: Spec) -> None:
    spec.given(foe("Orc", hp=0), death_roll="all-equal")
    spec.changes_nothing("rest", who="Orc", days=1)
    spec.rule("set-condition", who="Orc", condition="stabilized")
    spec.rule("rest", who="Orc", days=1)
    assert spec.hp("Orc") == 1


# ---- incapacitation and wounds


@rule("DEF-INC-01")
def test_everything_that_0_hit_points_bring(spec: Spec) -> None:
    two(spec, hp=3)
    hurt(spec, 3, source="Ana", kind="sword")
    assert spec.hp("Orc") == 0
    assert conditions(spec) == DOWN | {"bleeding-out", "wounded"}
    assert spec.event(Downed).who == "Orc"
    assert shown(spec, "Orc")["death"] == {"fails": 0, "threshold": 51}


@rule("DEF-INC-01", "DEF-DBR-03")
def test_a_set_track_and_a_changed_sheet_do_the_same(spec: Spec) -> None:
    two(spec, hp=8, death_roll="brutality")
    spec.rule("set-track", who="Orc", track="hp", value=0)
    assert conditions(spec) == DOWN | {"bleeding-out", "wounded"}
    assert shown(spec, "Orc")["death"] == {"fails": 0, "dc": 18}  # 10 + the 8 HP lost


@rule("DEF-INC-02")
def test_the_unconscious_are_helpless_towards_all(spec: Spec) -> None:
    two(spec, nld=20)
    spec.act("Ana", "kill-shot", target="Orc")
    assert spec["Orc"].has("dead")


@rule("DEF-INC-03")
def test_the_unconscious_do_nothing(spec: Spec) -> None:
    two(spec, nld=20, weapons=[SWORD])
    with spec.refused("DEF-INC-03", "cannot-act"):
        spec.act("Orc", "end-turn")
    with spec.refused("DEF-INC-03", "cannot-act"):
        spec.act("Orc", "aoo")
    assert shown(spec, "Orc")["threatened_squares"] == []
    spec.act("Ana", "move", path=[[1, 1], [2, 0]])  # past Orc, who gets no prompt
    assert spec.open() == [("turn", "turn", "Ana")]


@rule("DEF-INC-04")
def test_the_unconscious_stay_in_the_order(spec: Spec) -> None:
    two(spec, nld=20)
    assert order_of(spec) == ["Ana", "Orc", "Gob", "Bo"]
    end(spec, "Ana")
    assert turn_of(spec) == "Gob"  # Orc's turn ended at once


@rule("DEF-NLD-04", "DEF-DTH-09")
@pytest.mark.parametrize(
    ("numbers", "awake"),
    [({"hp": 0}, True), ({"nld": 20}, True), ({"hp": 0, "nld": 20}, False), ({"hp": 5}, False)],
)
def test_whoever_is_brought_along_unconscious_by_its_numbers_wakes_by_them(
    spec: Spec, numbers: dict[str, Any], awake: bool
) -> None:
    """If HP or NLD made Ana unconscious, she wakes when healing removes that cause.

    If her sheet sets the condition without such a cause, only the GM can wake her.
    """
    lies = [{"id": "unconscious"}, {"id": "prone"}]
    fight(spec, fighter("Ana", conditions=lies, **numbers), foe("Orc"), fighter("Bo", at=[9, 9]))
    assert spec["Ana"].has("unconscious")
    spec.rule("heal", who="Ana", amount=5, track="both")
    assert spec["Ana"].has("unconscious") is not awake
    assert len(spec["Ana"].all("prone")) == 1


@rule("DEF-INC-05")
def test_what_unconsciousness_ends(spec: Spec) -> None:
    two(spec)
    end(spec, "Ana").act("Orc", "delay")
    spec.rule("damage", who="Orc", amount=20, track="nld")
    assert not spec["Orc"].has("delaying")
    end(spec, "Gob", "Bo").act("Ana", "full-defense")
    spec.rule("damage", who="Ana", amount=20, track="nld")
    assert conditions(spec, "Ana") == DOWN
    assert turn_of(spec) == "Gob"


@rule("DEF-WND-01")
def test_each_fall_gives_one_wound_that_the_dm_names(spec: Spec) -> None:
    two(spec, hp=3, rulings="ask")
    hurt(spec, 3, kind="club")
    assert spec.prompt().data["source"] == "club"
    spec.answer(None, "wound", text="cracked skull", data={"attack": -1})
    (wound,) = spec["Orc"].all("wounded")
    assert wound.data == {"attack": -1, "kind": "wound", "name": "cracked skull"}
    spec.rule("heal", who="Orc", amount=5)
    hurt(spec, 5).answer(None, "wound")
    assert len(spec["Orc"].all("wounded")) == 2
    assert spec["Orc"].all("wounded")[1].data["name"] == "wound: ruling"


@rule("DEF-WND-02")
def test_the_wound_stays_when_it_is_healed_at_once(spec: Spec) -> None:
    two(spec, hp=3, rulings="ask")
    hurt(spec, 3)
    spec.rule("heal", who="Orc", amount=10)  # before the GM names the wound
    spec.answer(None, "wound")
    assert conditions(spec) == {"prone", "wounded"}


@rule("DEF-WND-03")
@pytest.mark.parametrize(("option", "kind"), [("stays", "wound"), ("injury", "injury")])
def test_an_untreated_wound_may_worsen(spec: Spec, option: str, kind: str) -> None:
    spec.given(foe("Orc", hp=3), death_roll="all-equal")
    hurt(spec, 3).answer(None, "wound")
    spec.rule("set-condition", who="Orc", condition="stabilized")
    spec.rule("rest", who="Orc", days=1, treated=False)
    assert (spec.prompt().name, spec.prompt().default) == ("wound-worsens", "stays")
    spec.answer(None, option)
    assert [condition.data["kind"] for condition in spec["Orc"].all("wounded")] == [kind]


# ---- death


def dying(spec: Spec, **fields: Any) -> Spec:
    """Begin Ana's turn. Orc, who has the next turn, is at 0 HP and bleeding out."""
    two(spec, **{"hp": 3, **fields})
    hurt(spec, 3)
    return spec


def save(spec: Spec, face: int) -> Spec:
    """Let Orc roll its next death save with `face`, and go on to Ana's next turn."""
    spec.act("Ana", "end-turn", ("death-save", face))
    return end(spec, "Gob", "Bo")


@rule("DEF-DTH-01")
def test_three_failures_in_a_row_kill(spec: Spec) -> None:
    dying(spec)
    save(spec, 50)
    save(spec, 60)
    spec.act("Ana", "end-turn", ("death-save", 70))
    assert spec.event(Died).who == "Orc"
    assert order_of(spec) == ["Ana", "Gob", "Bo"]
    assert "bleeding-out" not in conditions(spec)
    assert shown(spec, "Orc")["death"] == {"fails": 3}
    end(spec, "Gob", "Bo", "Ana")
    assert turn_of(spec) == "Gob"  # the dead have no turns


@rule("DEF-DTH-01")
def test_whoever_is_raised_begins_without_failures(spec: Spec) -> None:
    dying(spec)
    for face in (50, 60, 70):
        save(spec, face)
    spec.rule("end-condition", who="Orc", condition="dead")
    assert conditions(spec) >= {"bleeding-out", "unconscious"}
    assert shown(spec, "Orc")["death"] == {"fails": 0, "threshold": 51}


@rule("DEF-DTH-02")
def test_heroes_die_like_monsters(spec: Spec) -> None:
    two(spec)
    spec.rule("set-track", who="Ana", track="hp", value=0)
    assert spec["Ana"].has("bleeding-out")
    end(spec, "Orc", "Gob")
    spec.act("Bo", "end-turn", ("death-save", 50))
    assert shown(spec, "Ana")["death"] == {"fails": 1, "threshold": 61}


@rule("DEF-DTH-03")
def test_one_style_for_the_whole_combat(spec: Spec) -> None:
    two(spec)
    with spec.refused("DEF-DTH-03", "option-fixed"):
        spec.rule("set-option", option="death_roll", value="brutality")


@rule("DEF-DTH-04")
def test_one_save_at_the_start_of_its_turn_which_then_ends(spec: Spec) -> None:
    dying(spec)
    spec.act("Ana", "end-turn", ("death-save", 10))
    assert turn_of(spec) == "Gob"
    assert len(spec.events(Rolled, purpose="death-save")) == 1


@rule("DEF-DTH-04")
def test_healed_in_the_midst_of_its_save_it_acts_next_turn(spec: Spec) -> None:
    dying(spec)
    spec.act("Ana", "end-turn")
    assert spec.prompt().name == "death-save"
    spec.rule("heal", who="Orc", amount=5)  # the prompt lapses with its reason
    stopped = spec.event(Stopped)
    assert (stopped.who, stopped.doing, stopped.rules) == ("Orc", "death-save", ("DEF-DTH-04",))
    assert "death_fails" not in spec["Orc"].facts
    assert not spec["Orc"].has("unconscious", "bleeding-out")
    assert turn_of(spec) == "Gob"


@rule("DEF-DTH-05")
def test_who_drops_in_its_own_turn_saves_in_its_next(spec: Spec) -> None:
    two(spec, hp=3)
    end(spec, "Ana")
    assert turn_of(spec) == "Orc"
    hurt(spec, 3)
    assert turn_of(spec) == "Gob"
    assert not spec.events(Rolled)
    end(spec, "Gob", "Bo")
    spec.act("Ana", "end-turn", ("death-save", 51))
    assert spec.event(Stabilized).who == "Orc"


@rule("DEF-DTH-06")
def test_two_failures_still_bleed(spec: Spec) -> None:
    dying(spec)
    save(spec, 1)
    save(spec, 1)
    assert shown(spec, "Orc")["death"] == {"fails": 2, "threshold": 71}


@rule("DEF-DTH-07")
def test_success_stabilizes_and_clears_the_failures(spec: Spec) -> None:
    dying(spec)
    save(spec, 1)
    save(spec, 61)
    assert conditions(spec) == DOWN | {"stabilized", "wounded"}
    assert "death_fails" not in spec["Orc"].facts
    assert shown(spec, "Orc")["death"] == {"fails": 0}


@rule("DEF-DTH-08")
def test_the_next_fall_begins_without_failures(spec: Spec) -> None:
    dying(spec)
    save(spec, 1)
    spec.rule("heal", who="Orc", amount=2)
    hurt(spec, 2)
    assert shown(spec, "Orc")["death"] == {"fails": 0, "threshold": 51}


@rule("DEF-DTH-09")
def test_healing_ends_the_bleeding_and_nld_decides_whether_it_wakes(spec: Spec) -> None:
    dying(spec, nld=4)
    spec.rule("heal", who="Orc", amount=4)
    assert conditions(spec) == DOWN | {"wounded"}  # nld 4 ≥ hp 4
    spec.rule("heal", who="Orc", amount=1)
    assert conditions(spec) == {"prone", "wounded"}


@rule("DEF-DAE-01", "DEF-GEN-08")
@pytest.mark.parametrize(("face", "state"), [(50, "bleeding-out"), (51, "stabilized")])
def test_all_equal_saves_at_51(spec: Spec, face: int, state: str) -> None:
    dying(spec, saves={"fortitude": 9})
    spec.act("Ana", "end-turn", ("death-save", face))
    assert spec.rolled("death-save").total == face  # the Fortitude bonus does not count
    assert spec["Orc"].has(state)


@rule("DEF-DAE-02")
@pytest.mark.parametrize(("face", "state"), [(70, "dead"), (71, "stabilized")])
def test_all_equal_grows_by_10(spec: Spec, face: int, state: str) -> None:
    dying(spec)
    save(spec, 50)
    save(spec, 60)
    spec.act("Ana", "end-turn", ("death-save", face))
    assert spec.rolled("death-save").target == 71
    assert spec["Orc"].has(state)


@rule("DEF-DST-01", "DEF-DST-02")
@pytest.mark.parametrize(("face", "state"), [(12, "bleeding-out"), (13, "stabilized")])
def test_stats_matter(spec: Spec, face: int, state: str) -> None:
    dying(
        spec, death_roll="stats-matter", hit_dice=4, abilities={"constitution": 8},
        saves={"fortitude": 2},
    )  # fmt: skip
    spec.act("Ana", "end-turn", ("death-save", face))
    assert spec.rolled("death-save").target == 15  # 10 + 4 − (−1)
    assert spec["Orc"].has(state)  # 12 + 2 = 14; 13 + 2 = 15


@rule("DEF-DST-02", "DEF-DST-03")
def test_stats_matter_does_not_grow(spec: Spec) -> None:
    dying(spec, death_roll="stats-matter")
    save(spec, 1)
    assert shown(spec, "Orc")["death"] == {"fails": 1, "dc": 11}
    save(spec, 11)
    assert spec["Orc"].has("stabilized")


@rule("DEF-DBR-01", "DEF-DBR-02")
@pytest.mark.parametrize(("face", "state"), [(14, "bleeding-out"), (15, "stabilized")])
def test_brutality_counts_the_whole_hit(spec: Spec, face: int, state: str) -> None:
    two(spec, death_roll="brutality", max_hp=30, hp=5, saves={"fortitude": 6})
    hurt(spec, 11)
    spec.act("Ana", "end-turn", ("death-save", face))
    assert spec.rolled("death-save").target == 21  # 10 + 11, not 10 + 5
    assert spec["Orc"].has(state)


@rule("DEF-DBR-04", "DEF-DBR-02")
def test_brutality_does_not_grow_and_forgets_above_0(spec: Spec) -> None:
    dying(spec, death_roll="brutality")
    save(spec, 1)
    assert shown(spec, "Orc")["death"] == {"fails": 1, "dc": 13}
    spec.rule("heal", who="Orc", amount=1)
    hurt(spec, 1)
    assert shown(spec, "Orc")["death"] == {"fails": 0, "dc": 11}


@rule("DEF-DBR-03")
def test_brutality_after_a_failed_massive_damage_save(spec: Spec) -> None:
    two(spec, death_roll="brutality", max_hp=24)
    hurt(spec, 12, who="Orc", source="Ana").answer("Orc", "roll", faces=[10])
    assert shown(spec, "Orc")["death"] == {"fails": 1, "dc": 22}  # 10 + 12, not the 12 HP left


@rule("DEF-STB-01")
def test_the_stabilized_save_no_more(spec: Spec) -> None:
    dying(spec)
    save(spec, 51)
    end(spec, "Ana")
    assert turn_of(spec) == "Gob"
    assert not spec.events(Rolled)
    assert spec.hp("Orc") == 0


@rule("DEF-STB-01", "DEF-STB-02")
def test_who_bleeds_again_by_the_gms_word_is_not_stabilized(spec: Spec) -> None:
    dying(spec)
    spec.rule("set-condition", who="Orc", condition="stabilized")
    assert not spec["Orc"].has("bleeding-out")
    spec.rule("set-condition", who="Orc", condition="bleeding-out")
    assert spec["Orc"].has("bleeding-out")
    assert not spec["Orc"].has("stabilized")


@rule("DEF-STB-02")
def test_healing_ends_stabilized(spec: Spec) -> None:
    dying(spec)
    save(spec, 51)
    spec.rule("heal", who="Orc", amount=1)
    assert conditions(spec) == {"prone", "wounded"}


@rule("DEF-STB-03")
def test_first_aid_is_the_gms(spec: Spec) -> None:
    dying(spec)
    spec.rule("set-condition", who="Orc", condition="stabilized")
    assert conditions(spec) == DOWN | {"stabilized", "wounded"}


# ---- massive damage


@rule("DEF-MAS-01")
@pytest.mark.parametrize(("amount", "asked"), [(12, False), (13, True)])
def test_half_of_the_maximum_without_rounding(spec: Spec, amount: int, asked: bool) -> None:
    two(spec, max_hp=25)
    hurt(spec, amount, source="Ana")
    assert (("roll", "save-fortitude", "Orc") in spec.open()) is asked
    if asked:
        spec.answer("Orc", "roll", faces=[11])
    assert spec.hp("Orc") == 25 - amount


@rule("DEF-MAS-02")
def test_two_hits_never_count_together(spec: Spec) -> None:
    two(spec)
    hurt(spec, 9, source="Ana")
    hurt(spec, 9, source="Ana")
    assert spec.open() == [("turn", "turn", "Ana")]
    assert spec.hp("Orc") == 2  # the maximum counts, not the remainder


@rule("DEF-MAS-03", "DEF-MAS-04", "DEF-GEN-06")
def test_fortitude_against_the_attackers_hit_dice(spec: Spec) -> None:
    fight(spec, fighter("Ana", hit_dice=5), foe("Orc", saves={"fortitude": 3}))
    hurt(spec, 10, source="Ana").answer("Orc", "roll", faces=[12])
    assert spec.rolled("save-fortitude").target == 15  # 10 + 5
    assert spec.hp("Orc") == 10  # 12 + 3 = 15: no further effect
    assert conditions(spec) == set()


@rule("DEF-MAS-05", "DEF-DAE-03")
def test_failing_it_drops_with_one_failure(spec: Spec) -> None:
    fight(spec, fighter("Ana", hit_dice=3), foe("Orc", max_hp=24, saves={"fortitude": 1}))
    hurt(spec, 12, source="Ana").answer("Orc", "roll", faces=[11])  # 12 < 13
    assert spec.hp("Orc") == 0
    assert shown(spec, "Orc")["death"] == {"fails": 1, "threshold": 61}
    assert len(spec.events(Rolled, purpose="death-save")) == 0


@rule("DEF-MAS-06")
@pytest.mark.parametrize(("face", "fails"), [(11, 1), (12, 0)])
def test_saved_also_when_the_damage_drops_it(spec: Spec, face: int, fails: int) -> None:
    fight(spec, fighter("Ana", hit_dice=5), foe("Orc", max_hp=25, hp=13, saves={"fortitude": 3}))
    hurt(spec, 13, source="Ana").answer("Orc", "roll", faces=[face])
    assert shown(spec, "Orc")["death"]["fails"] == fails
    assert len(spec["Orc"].all("wounded")) == 1


@rule("DEF-MAS-07")
def test_without_an_attacker_the_gm_names_the_dc(spec: Spec) -> None:
    two(spec, rulings="ask")
    hurt(spec, 10, kind="falling")
    assert (spec.prompt().name, spec.prompt().default) == ("massive-damage-dc", "no-save")
    spec.answer(None, "dc", dc=18)
    spec.answer("Orc", "roll", faces=[18])
    assert spec.rolled("save-fortitude").target == 18
    assert spec.hp("Orc") == 10


# ---- sheets at the limit


@rule("DEF-GEN-01")
def test_the_table_has_to_choose_a_death_roll(spec: Spec) -> None:
    with spec.refused("DEF-GEN-01", "death-roll-required"):
        spec.given(fighter("Ana"))
    with spec.raises(Impossible) as caught:
        spec.given(fighter("Ana"), death_roll="gentle")
    assert (caught[0].code, caught[0].pointer) == ("option-invalid", "/options/death_roll")


@rule("DEF-HP-03")
def test_a_lower_maximum_takes_the_points_along(spec: Spec) -> None:
    two(spec)
    spec.do(Change("Orc", sheet={"max_hp": 12}))
    assert spec["Orc"].tracks["hp"].value == 12
    assert spec["Orc"].tracks["hp"].maximum == 12


def test_who_joins_at_0_bleeds_without_a_new_wound(spec: Spec) -> None:
    two(spec, hp=0)
    assert conditions(spec) == DOWN | {"bleeding-out"}


def test_each_part_of_a_hit_is_told_where_it_goes(spec: Spec) -> None:
    """A hit that deals only NLD records no `Damaged` event.

    A hit that reductions lower to 0 records a `Damaged` event with amount 0.
    """
    soft = weapon("club", "1d6", non_lethal=True)
    fight(spec, fighter("Ana", weapons=[soft]), foe("Orc", reductions=[{"amount": 3}]))
    spec.act("Ana", "attack", ("attack", 15), ("damage", 5), target="Orc")
    assert spec.hp("Orc", "nld") == 2
    assert not spec.events(Damaged)
    end(spec, "Ana", "Orc")
    spec.act("Ana", "attack", ("attack", 15), ("damage", 3), target="Orc")
    assert spec.event(Damaged).amount == 0


@rule("DEF-MAS-06")
def test_one_hit_point_is_not_down(spec: Spec) -> None:
    fight(spec, fighter("Ana", weapons=[SWORD]), foe("Orc", hp=1, max_hp=10), foe("Gob"))
    spec.act("Ana", "attack", ("attack", 15), ("damage", 5), ("save-fortitude", 11), target="Orc")
    assert shown(spec, "Orc")["death"] == {"fails": 0, "threshold": 51}  # 11 ≥ 10 + 1


def struck(spec: Spec, *dice: Any, ours: dict[str, Any] | None = None, **fields: Any) -> Spec:
    """Let Ana hit Orc with a sword. Gob is far away."""
    fight(
        spec,
        fighter("Ana", **{"weapons": [SWORD], **(ours or {})}),
        foe("Orc", **fields),
        foe("Gob", at=[9, 9]),
        rulings="ask",
    )
    return spec.act("Ana", "attack", ("attack", 15), *dice, target="Orc")


@rule("DEF-DMG-08")
@pytest.mark.parametrize(
    ("reduction", "dealt", "told"),
    [
        ({"amount": 3, "types": ["fire"]}, 2, [("sword", 2)]),
        ({"amount": 3}, 0, [("sword", 2), ("reduction", -2)]),
        ({"amount": 1, "source": "hide"}, 1, [("sword", 2), ("hide", -1)]),
    ],
)
def test_what_a_reduction_takes(
    spec: Spec, reduction: dict[str, Any], dealt: int, told: list[tuple[str, int]]
) -> None:
    struck(spec, ("damage", 2), reductions=[reduction])
    hit = spec.event(Damaged)
    assert hit.amount == dealt
    assert [(term.source, term.value) for term in hit.terms] == told


@rule("DEF-MAS-01")
def test_the_maximum_is_that_of_now(spec: Spec) -> None:
    fight(spec, fighter("Ana", weapons=[SWORD]), foe("Orc", max_hp=10), foe("Gob", at=[9, 9]))
    spec.rule("set-track", who="Orc", track="hp", value=10, maximum=40)
    spec.act("Ana", "attack", ("attack", 15), ("damage", 6), target="Orc")
    assert spec.open() == [("turn", "turn", "Ana")]  # 12 < 40


@rule("DEF-MAS-05", "DEF-MAS-06")
@pytest.mark.parametrize(("hp", "told"), [(5, 0), (6, 1)])
def test_a_failed_save_takes_the_last_point(spec: Spec, hp: int, told: int) -> None:
    """A failed massive-damage save brings Orc to 0 HP.

    After 5 damage, Orc has 0 HP or 1 HP. At 0 HP, the save changes nothing more.
    """
    struck(spec, ("damage", 5), max_hp=10, hp=hp)
    if told == 0:
        spec.answer(None, "wound")
    spec.answer("Orc", "roll", faces=[1])
    assert len(spec.events(TrackChanged, track="hp")) == told
    assert spec.hp("Orc") == 0


@rule("DEF-HP-06")
@pytest.mark.parametrize("ruling", ["heal", "dead"])
def test_the_question_about_one_who_is_down_lapses(spec: Spec, ruling: str) -> None:
    struck(spec, ("damage", 3), hp=0, max_hp=20)
    assert spec.prompt().name == "hit-while-down"
    if ruling == "heal":
        spec.rule("heal", who="Orc", amount=1)
        assert spec.hp("Orc") == 1
    else:
        spec.rule("set-condition", who="Orc", condition="dead")
    assert spec.open() == [("turn", "turn", "Ana")]
    assert not spec["Orc"].has("bleeding-out")


@rule("DEF-HP-04", "DEF-REC-05")
@pytest.mark.parametrize(
    ("hp", "nld", "healed", "left"), [(5, 1, 3, 0), (18, 9, 2, 6), (20, 9, 0, 6), (5, 0, 3, None)]
)
def test_healing_gives_what_there_is_room_for(
    spec: Spec, hp: int, nld: int, healed: int, left: int | None
) -> None:
    """Healing of 3 raises HP to at most 20 and lowers NLD to at least 0.

    A pool that does not change has no event.
    """
    fight(spec, fighter("Ana", hp=hp, nld=nld), foe("Orc"))
    spec.rule("heal", who="Ana", amount=3, track="both")
    assert spec.event(Healed).amount == healed
    told = [track_changed.value for track_changed in spec.events(TrackChanged, track="nld")]
    assert told == ([] if left is None else [left])


@rule("DEF-DTH-09")
@pytest.mark.parametrize("how", ["heal", "stabilized", "dead"])
def test_who_bleeds_no_more_is_asked_for_no_save(spec: Spec, how: str) -> None:
    fight(spec, fighter("Ana"), foe("Orc", hp=0), foe("Gob", at=[9, 9]))
    end(spec, "Ana")
    if how == "heal":
        spec.rule("heal", who="Orc", amount=5)
    else:
        spec.rule("set-condition", who="Orc", condition=how)
    assert turn_of(spec) == "Gob"
    assert spec["Orc"].has("stabilized") == (how == "stabilized")
    spec.undo()
    assert spec.open() == [("roll", "death-save", "Orc")]
    spec.answer("Orc", "roll", faces=[50])
    assert shown(spec, "Orc")["death"]["fails"] == 1


@pytest.mark.parametrize(
    ("style", "rule_of_it"),
    [("all-equal", "DEF-DAE-01"), ("stats-matter", "DEF-DST-01"), ("brutality", "DEF-DBR-01")],
)
def test_a_death_save_is_told_by_the_rule_of_its_style(
    spec: Spec, style: str, rule_of_it: str
) -> None:
    fight(spec, fighter("Ana"), foe("Orc", hp=0), foe("Gob", at=[9, 9]), death_roll=style)
    end(spec, "Ana")
    spec.answer("Orc", "roll", faces=[1])
    assert spec.rolled("death-save").rules[0] == rule_of_it


def test_a_failed_death_save_is_no_damage(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc", hp=0), foe("Gob", at=[9, 9]))
    trigger = {"event": "is-damaged", "who": "Orc"}
    hold(spec, "Ana", "drop-prone", trigger, slot="move")
    end(spec, "Ana")
    spec.answer("Orc", "roll", faces=[1])
    assert turn_of(spec) == "Gob"
