"""Test the statistics of fights against numbers computed by hand."""

from math import sqrt
from typing import Any

from msgspec.structs import replace

from domain.engine.caller import Caller
from domain.record.combat import Track
from domain.record.events import (
    Answered,
    AnyEvent,
    CombatantChanged,
    CombatantJoined,
    CombatBegan,
    Damaged,
    Downed,
    Healed,
    Judged,
    Prompted,
    Reverted,
    Rolled,
    RoundBegan,
    TrackChanged,
)
from domain.record.recorded import Recorded
from domain.rulesets.free_hit import RULESET
from projections.eyes import Eyes
from projections.projection import present
from projections.statistics import (
    CombatantFigures,
    Count,
    DiceLuck,
    Tally,
    count,
    statistics,
)
from tests.rulesets.free_hit.units import SWORD, foe, unit
from tests.spec import Spec


def dice_of(figures: CombatantFigures) -> DiceLuck:
    assert figures.dice is not None
    return figures.dice


def joined(who: str, side: str) -> CombatantJoined:
    return CombatantJoined(who=who, name=who, side=side, sheet={}, tracks={"hp": Track(20, 20)})


def attack(who: str, face: int, against: str, outcome: str) -> Rolled:
    return Rolled(
        who=who,
        purpose="attack",
        formula="1d20",
        faces=(face,),
        total=face,
        target=11,
        against=against,
        outcome=outcome,
    )


def damage(who: str, *faces: int) -> Rolled:
    return Rolled(
        who=who, purpose="damage", formula=f"{len(faces)}d6", faces=faces, total=sum(faces)
    )


def asked(prompt: str, who: str) -> Prompted:
    return Prompted(prompt=prompt, kind="turn", name="turn", who=who, text="?", options=("go",))


def answered(prompt: str, who: str, by: Any = "caller") -> Answered:
    return Answered(prompt=prompt, who=who, option="go", by=by)


def recorded(*events: AnyEvent) -> list[Recorded]:
    """Return one recorded event per second."""
    return [
        Recorded(version, 0, f"2026-01-01T00:00:{version:02}Z", "c", ("t", "gm"), event)
        for version, event in enumerate(events, 1)
    ]


FIGHT = recorded(
    joined("ana", "heroes"),  # 1
    joined("orc", "foes"),
    CombatBegan(),
    RoundBegan(round=1),
    asked("ana:1", "ana"),  # 5
    answered("ana:1", "ana"),  # 1 s later
    attack("ana", 15, "orc", "hit"),
    damage("ana", 4, 2),
    Damaged(who="orc", track="hp", amount=6, kind="slashing", source="ana"),
    asked("orc:1", "orc"),  # 10
    answered("orc:1", "orc", by="default"),  # nobody decided
    attack("orc", 20, "ana", "threat"),
    attack("orc", 12, "ana", "critical"),  # a confirmation, not a second hit
    Damaged(who="ana", track="hp", amount=9, kind="", source="orc"),
    Downed(who="ana", by="orc"),  # 15
    Healed(who="ana", track="hp", amount=3, source="ana"),
    RoundBegan(round=2),
    asked("ana:2", "ana"),
    attack("ana", 2, "orc", "miss"),  # undone
    Reverted(to=18),  # 20
    answered("ana:2", "ana"),  # 3 s after the prompt
    attack("ana", 10, "orc", "miss"),
    Judged(who="ana", purpose="attack", outcome="hit", total=12, against="orc", before="miss"),
    Damaged(who="orc", track="hp", amount=1, kind="fire", source="ana"),
)


def test_a_scripted_fight() -> None:
    figures = statistics(24, count(Tally(ruleset="definitions"), present(FIGHT)))
    ana, orc = figures.combatants
    assert (figures.rounds, ana.combatant, orc.combatant) == (2, "ana", "orc")
    assert (ana.hits, ana.misses, ana.criticals) == (2, 0, 0)  # the miss became a hit
    assert (orc.hits, orc.misses, orc.criticals) == (1, 0, 1)
    assert (ana.dealt, orc.taken) == ({"slashing": 6, "fire": 1}, {"slashing": 6, "fire": 1})
    assert (orc.dealt, ana.taken) == ({"": 9}, {"": 9})
    assert (orc.blows_taken, ana.blows_taken, ana.downed) == (2, 1, 1)
    assert (ana.healing_done, ana.healing_received) == (3, 3)
    assert (ana.prompts, ana.decisions, ana.seconds_per_decision) == (2, 2, 2.0)  # (1 + 3) / 2
    assert (orc.prompts, orc.decisions, orc.seconds_per_decision) == (1, 0, None)
    # Ana rolled two d20 (10.5 each) and two d6 (3.5 each): 15 + 4 + 2 + 10 = 31, expected 28.
    #
    # Variance 2 · (400 − 1)/12 + 2 · (36 − 1)/12 = 868/12.
    assert (dice_of(ana).rolled, dice_of(ana).total, dice_of(ana).expected) == (4, 31, 28.0)
    assert dice_of(ana).luck == round((31 - 28) / sqrt(868 / 12), 3)
    # Orc rolled two d20: 20 + 12 = 32, expected 21. Variance 798/12.
    assert (dice_of(orc).rolled, dice_of(orc).total, dice_of(orc).expected) == (2, 32, 21.0)
    assert dice_of(orc).luck == round(11 / sqrt(798 / 12), 3)


def test_what_is_not_known_is_not_counted() -> None:
    tally = Tally()
    for who in ("ana", "orc"):
        tally.take(CombatantJoined, {"who": who}, "2026-01-01T00:00:00Z")
    blow = {"who": "orc", "track": "hp", "source": "ana", "kind": "", "wound": "hurt"}
    tally.take(Damaged, blow, "2026-01-01T00:00:01Z")
    ana, orc = statistics(3, tally).combatants
    assert (orc.blows_taken, orc.taken, ana.dealt) == (0, None, None)


def test_a_combatant_that_was_hidden_is_counted_from_its_reveal_on() -> None:
    """Readers did not see the hidden orc join. Their statistics count it from its reveal on."""
    tally = Tally(ruleset="free-hit")
    tally.take(CombatantJoined, {"who": "ana"}, "2026-01-01T00:00:00Z")
    tally.take(CombatantChanged, {"who": "orc", "hidden": False}, "2026-01-01T00:00:01Z")
    tally.take(Downed, {"who": "orc"}, "2026-01-01T00:00:02Z")
    assert [(row.combatant, row.downed) for row in statistics(3, tally).combatants] == [
        ("ana", 0), ("orc", 1),
    ]  # fmt: skip


def test_a_blow_is_counted_once_whatever_it_hurts() -> None:
    tally = Tally(ruleset="hallowed-earth")
    for who in ("ana", "orc"):
        tally.take(CombatantJoined, {"who": who}, "2026-01-01T00:00:00Z")
    hit = {"who": "ana", "against": "orc", "outcome": "hit", "formula": "1d20", "faces": [9]}
    tally.take(Rolled, hit, "2026-01-01T00:00:01Z")
    for track, amount in (("stress", 3), ("wound_points", 2)):  # one blow, two pools
        hurt = {"who": "orc", "track": track, "amount": amount, "kind": "", "source": "ana"}
        tally.take(Damaged, hurt, "2026-01-01T00:00:01Z")
    fall = {"who": "orc", "track": "stress", "amount": 5, "kind": "", "source": None}
    tally.take(Damaged, fall, "2026-01-01T00:00:02Z")  # by the GM
    missed = {**hit, "outcome": "miss"}
    tally.take(Rolled, missed, "2026-01-01T00:00:03Z")
    ana, orc = statistics(6, tally).combatants
    assert (orc.blows_taken, orc.taken, ana.blows_taken) == (1, {"": 10}, 0)
    turned = {**missed, "before": "hit", "total": 9, "purpose": "attack"}
    tally.take(Judged, turned, "2026-01-01T00:00:04Z")
    assert statistics(7, tally).combatants[1].blows_taken == 0


def test_each_rulebook_has_its_words_for_what_became_of_a_blow() -> None:
    counted = {}
    for ruleset in ("definitions", "free-hit", "hallowed-earth", "sovereign", "vile-darkness"):
        tally = Tally(ruleset=ruleset)
        for who in ("ana", "orc"):
            tally.take(CombatantJoined, {"who": who}, "2026-01-01T00:00:00Z")
        for word in ("hit", "miss", "critical", "auto-fail", "foiled", "prevented"):
            blow = {
                "who": "ana",
                "against": "orc",
                "outcome": word,
                "formula": "1d20",
                "faces": [9],
            }
            tally.take(Rolled, blow, "2026-01-01T00:00:01Z")
        ana = statistics(8, tally).combatants[0]
        counted[ruleset] = (ana.hits, ana.criticals, ana.misses)
    assert counted == {
        "definitions": (2, 1, 1),
        "free-hit": (2, 1, 2),  # an automatic failure misses
        "hallowed-earth": (2, 1, 1),
        "sovereign": (1, 0, 1),
        "vile-darkness": (1, 0, 2),  # a foiled attack does not hit
    }


def test_faces_that_the_gm_sets_are_no_luck() -> None:
    forced = replace(attack("ana", 20, "orc", "hit"), by="gm")
    fight = recorded(joined("ana", "heroes"), joined("orc", "foes"), forced)
    ana, _ = statistics(3, count(Tally(ruleset="definitions"), present(fight))).combatants
    assert (ana.hits, dice_of(ana).rolled, dice_of(ana).total) == (
        1,
        0,
        0,
    )  # a blow without a roll


def test_what_a_reader_knows_in_part_is_unknown_and_not_nothing() -> None:
    tally = Tally()
    for who in ("ana", "orc"):
        tally.take(CombatantJoined, {"who": who}, "")
    tally.take(Damaged, {"who": "orc", "source": "ana", "kind": "fire"}, "")
    tally.take(Healed, {"who": "orc", "source": "orc"}, "")
    tally.take(Rolled, {"who": "orc", "purpose": "attack", "outcome": "miss"}, "")
    tally.take(Damaged, {"who": "ana", "source": "orc", "kind": "", "amount": 2}, "")
    ana, orc = statistics(1, tally).combatants
    assert (ana.dealt, ana.taken, ana.healing_done) == (None, {"": 2}, 0)
    assert (orc.dealt, orc.taken) == ({"": 2}, None)
    assert (orc.healing_done, orc.healing_received, orc.dice) == (None, None, None)
    assert dice_of(ana).rolled == 0


def test_only_the_gm_and_its_player_know_how_often_a_combatant_was_asked() -> None:
    spec = Spec(RULESET).given(
        unit("Ana", agility=5, owner="anna", weapons=[SWORD], at=[0, 0]),
        foe("Imp", agility=1, weapons=[SWORD], at=[5, 0]),
    )
    spec.begin().act("Ana", "end-turn").act("Imp", "end-turn")

    def questions(caller: Caller) -> list[tuple[int | None, int | None]]:
        eyes = Eyes(spec.live.history, caller)
        figures = statistics(1, Count().after(spec.live, eyes)).combatants
        return [(figure.prompts, figure.decisions) for figure in figures]

    assert questions(Caller("g", "gm")) == [(2, 1), (1, 1)]
    assert questions(Caller("p", "player", owner="anna")) == [(2, 1), (None, None)]
    assert questions(Caller("s", "spectator")) == [(None, None), (None, None)]


def test_what_is_more_than_a_pool_holds_is_no_damage() -> None:
    """Damage below 0 points does not count if the pool ends at 0.

    Ana has 20 points and gets 15, 30 and 4 points of damage. These count as 15, 5 and 0.
    """
    reset = TrackChanged(who="ana", track="hp", value=0, reason="not below 0")
    hits = [Damaged(who="ana", track="hp", amount=lost, source="orc") for lost in (15, 30, 4)]
    blows = (hits[0], hits[1], reset, hits[2], reset)
    fight = recorded(joined("ana", "heroes"), joined("orc", "foes"), *blows)
    ana, orc = statistics(7, count(Tally(ruleset="definitions"), present(fight))).combatants
    assert (ana.taken, orc.dealt) == ({"": 20}, {"": 20})


def test_damage_below_0_counts_if_the_pool_goes_below_0() -> None:
    """Ana falls from 1 Wound Point to −3, and bleeds for 2 more points: 6 points of damage."""
    fight = recorded(
        joined("ana", "heroes"),
        joined("orc", "foes"),
        TrackChanged(who="ana", track="hp", value=1),
        Damaged(who="ana", track="hp", amount=4, source="orc"),
        Damaged(who="ana", track="hp", amount=2, kind="bleeding"),
    )
    ana, orc = statistics(5, count(Tally(ruleset="hallowed-earth"), present(fight))).combatants
    assert (ana.taken, orc.dealt) == ({"": 4, "bleeding": 2}, {"": 4})


def test_points_that_the_gm_restores_stay_in_the_damage() -> None:
    """Ana falls from 1 Wound Point to −3. The GM's 0 does not undo the 4 points of damage."""
    fight = recorded(
        joined("ana", "heroes"),
        joined("orc", "foes"),
        TrackChanged(who="ana", track="hp", value=1),
        Damaged(who="ana", track="hp", amount=4, source="orc"),
        TrackChanged(who="ana", track="hp", value=0, reason="ruling"),
    )
    ana, orc = statistics(5, count(Tally(ruleset="hallowed-earth"), present(fight))).combatants
    assert (ana.taken, orc.dealt) == ({"": 4}, {"": 4})


def test_what_was_healed_can_be_lost_again() -> None:
    fight = recorded(
        joined("ana", "heroes"),
        Damaged(who="ana", track="hp", amount=25),
        TrackChanged(who="ana", track="hp", value=0),
        Healed(who="ana", track="hp", amount=6),
        Damaged(who="ana", track="hp", amount=9),
        TrackChanged(who="ana", track="hp", value=0),
    )
    (ana,) = statistics(6, count(Tally(ruleset="definitions"), present(fight))).combatants
    assert ana.taken == {"": 26}


def test_health_that_the_gm_sets_lower_is_damage_by_nobody() -> None:
    """A GM's ruling that lowers hit points counts as damage. Other pools do not count.

    The GM sets Ana from 20 points to 12, then to −3. The damage is 8 and 12, because it counts only
    down to 0.
    """
    fight = recorded(
        joined("ana", "heroes"),
        TrackChanged(who="ana", track="hp", value=12, reason="ruling"),
        TrackChanged(who="ana", track="hp", value=-3, reason="ruling"),
        TrackChanged(who="ana", track="hp", value=0, reason="not below 0"),
        TrackChanged(who="ana", track="mana", value=2, reason="ruling"),
        TrackChanged(who="ana", track="hp", value=20, reason="ruling"),
        TrackChanged(who="ana", track="hp", value=9, reason="a wound of old"),
    )
    (ana,) = statistics(7, count(Tally(ruleset="definitions"), present(fight))).combatants
    assert ana.taken == {"": 20}
