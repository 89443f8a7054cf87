"""A foe's numbers stay with the GM. Players cannot derive them from anything that they read.

Two fights differ in the numbers of a foe. The faces of its rolls compensate for the difference, so
both fights take the same course. Every read of a player is equal in both fights, byte for byte.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, get_args, get_type_hints

import msgspec
import pytest

from domain.engine.caller import Caller
from domain.record.combat import StandingOrder
from domain.record.events import AnyEvent, Damaged, InitiativeSet, Judged, Rolled
from domain.record.readers import knowers
from domain.rulesets import installed
from projections.board import board
from projections.events import data_of, event_view
from projections.explain import explain
from projections.eyes import Eyes
from projections.moments import moments
from projections.offers import offers
from projections.statistics import Count, statistics
from projections.timeline import Wanted, page
from projections.why import why
from service.conformance.walker import Fired, Walker
from tests.rulesets.definitions import units as definitions
from tests.rulesets.free_hit import units as free_hit
from tests.rulesets.hallowed_earth import units as hallowed_earth
from tests.rulesets.sovereign import units as sovereign
from tests.rulesets.vile_darkness import units as vile_darkness
from tests.spec import Spec, rule
from tests.walks import begin

PLAYER = Caller("p1", "player", owner="anna")
SPECTATOR = Caller("p2", "spectator")
ALONE = {"owner": "anna"}


def read(spec: Spec, caller: Caller) -> dict[str, bytes]:
    """Return all views of a caller, without ids of commands."""
    live = spec.live
    eyes = Eyes(live.history, caller)
    encode: Any = msgspec.json.Encoder(order="deterministic").encode
    seen: dict[str, Any] = {
        "board": board(live, eyes),
        "offers": offers(live, eyes, refused=True),
        "statistics": statistics(eyes.sequence, Count().after(live, eyes)),
    }
    for recorded in eyes.between(0, 10_000):
        view = event_view(live, eyes, recorded)
        seen[f"event {view.version}"] = msgspec.structs.replace(view, command="")
    for detail in ("story", "full"):
        entries, _ = page(live, eyes, Wanted(detail=detail), limit=10_000)
        seen[detail] = [msgspec.structs.replace(entry, command="") for entry in entries]
    for combatant in spec.combat:
        seen[f"numbers of {combatant.id}"] = explain(live, eyes, combatant.id)
        for track in combatant.tracks:
            seen[f"why {track} of {combatant.id}"] = why(live, eyes, combatant.id, track)
    return {name: encode(view) for name, view in seen.items()}


# ---- two foes, one fight


def in_definitions(spec: Spec, more: int) -> None:
    blade = definitions.weapon("blade", "1d8", attack_bonus=2 + more, damage_bonus=1 + more)
    foe = definitions.foe("Orc", weapons=[blade], max_hp=40 + more, initiative_bonus=more)
    hero = definitions.fighter("Ana", max_hp=40, weapons=[definitions.SWORD], **ALONE)
    spec.given(hero, foe, death_roll="all-equal", rulings="default")
    definitions.passes(spec, "Ana")
    spec.begin(("initiative", 2), ("initiative", 19 - more))
    spec.act("Orc", "attack", ("attack", 15 - more), ("damage", 6 - more), target="Ana")
    spec.act("Orc", "end-turn").act("Ana", "attack", ("attack", 15), ("damage", 4), target="Orc")
    spec.act("Ana", "end-turn")
    spec.act("Orc", "trip", ("touch", 16 - more), ("opposed-strength", 9), ("opposed-strength", 4),
             target="Ana")  # fmt: skip


def in_free_hit(spec: Spec, more: int) -> None:
    club = free_hit.weapon("club", "1d8", damage_bonus=more)
    foe = free_hit.foe("Imp", agility=1, accuracy=2 + more, max_hp=40 + more, weapons=[club],
                       at=[1, 0])  # fmt: skip
    hero = free_hit.unit("Ana", agility=3, max_hp=40, weapons=[free_hit.SWORD], at=[0, 0], **ALONE)
    spec.given(hero, foe, rulings="default").begin()
    spec.act("Ana", "attack", ("attack", 15), ("damage", 4), target="Imp").act("Ana", "end-turn")
    blow = ("attack", 15 - more), ("damage", 5 - more)
    spec.act("Imp", "attack", *blow, weapon="club", target="Ana").act("Imp", "end-turn")


def in_hallowed_earth(spec: Spec, more: int) -> None:
    maul = hallowed_earth.weapon(
        "maul", "1d6", 3, attack_bonus=1 + more, damage_bonus=more, damage_types=["blunt"],
        crit_range=15, crit_multiplier=2,
    )  # fmt: skip
    orc = hallowed_earth.monster(
        "Orc", weapons=[maul], max_stress=5 + more, hd=1 + more,
        attributes={"agility": 10 + 2 * more, "insight": 10 + 2 * more, "strength": 10},
        armour=[{"id": "hide", "armour_bonus": more}],
    )  # fmt: skip
    club = hallowed_earth.weapon("club", "1d6", damage_types=["blunt"], crit_range=19)
    hero = hallowed_earth.hero("Ana", max_stress=40, weapons=[club], skills={"intimidation": 9},
                               **ALONE)  # fmt: skip
    spec.given(hero, orc, hallowed_earth.monster("Rat"), rulings="default")
    faces = ("initiative", 1), ("initiative", 6 + more), ("initiative", 12)
    spec.begin(*faces)
    declared = {"Ana": hallowed_earth.attack("club"), "Orc": hallowed_earth.attack("maul")}
    hallowed_earth.declare(spec, **declared, Rat="no-action")
    injury = ("injury-chance", 1), ("injury", 4), ("injury-damage", 3 + more)
    struck = ("attack", 19), ("damage", 2), *injury
    spec.act("Ana", "attack", *struck, target="Orc").act("Ana", "end-turn")
    blow = ("attack", 14 - more), ("damage", 5 - more)
    spec.act("Orc", "attack", *blow, target="Ana").act("Orc", "end-turn")
    spec.act("Rat", "end-turn")
    hallowed_earth.declare(spec, Ana="intimidate", Orc="no-action", Rat="no-action")
    spec.act("Ana", "intimidate", ("intimidation", 5), target="Orc").act("Ana", "end-turn")
    spec.act("Orc", "end-turn").act("Rat", "end-turn", ("morale", 6, 6, 6 - 2 * more))


def in_sovereign(spec: Spec, more: int) -> None:
    spike = sovereign.weapon("spike", "1d8", shock={"value": 1 + more, "ac": 15}, magic_bonus=more)
    orc = sovereign.hero("Orc", "foes", at=[1, 0], weapons=[spike], max_hp=30 + more,
                         attack_bonus=3, ac=12)  # fmt: skip
    ana = sovereign.hero("Ana", weapons=[sovereign.SWORD], max_hp=40, **ALONE)
    sovereign.fight(spec, ana, orc)
    spec.act("Ana", "melee-attack", ("attack", 15), ("damage", 4), target="Orc", weapon="sword")
    spec.act("Ana", "end-turn")
    blow = ("attack", 14 - more), ("damage", 6 - more)
    spec.act("Orc", "melee-attack", *blow, target="Ana", weapon="spike").act("Orc", "end-turn")


def in_vile_darkness(spec: Spec, more: int) -> None:
    claw = vile_darkness.weapon("claw", "1d8", 5, attack_modifier=more, damage_modifier=more)
    orc = vile_darkness.foe("Orc", weapons=[claw], max_hp=40 + more, aac0=19 - more)
    hero = vile_darkness.hero("Ana", max_hp=40, **ALONE)
    spec.given(hero, orc)
    vile_darkness.begin(spec, 5, 1)
    spec.act("Ana", "attack", ("attack", 15), ("damage", 4), target="Orc")
    for _ in range(60):
        if "attack" in spec.legal("Orc"):
            break
        spec.close()
    spec.act("Orc", "attack", ("attack", 15 - more), ("damage", 5 - more), target="Ana")


FIGHTS: Mapping[str, Callable[[Spec, int], None]] = {
    "definitions": in_definitions,
    "free-hit": in_free_hit,
    "hallowed-earth": in_hallowed_earth,
    "sovereign": in_sovereign,
    "vile-darkness": in_vile_darkness,
}


@pytest.mark.parametrize("caller", [PLAYER, SPECTATOR], ids=["player", "spectator"])
@pytest.mark.parametrize("ruleset", FIGHTS)
def test_two_foes_with_other_numbers_look_the_same(ruleset: str, caller: Caller) -> None:
    fights = [Spec(installed()[ruleset]) for _ in range(2)]
    for more, spec in enumerate(fights):
        FIGHTS[ruleset](spec, more)
    _same(fights, caller)


# ---- a player's rolls against a foe's number


def a_save(spec: Spec, more: int) -> None:
    """Prepare a save against the caster's DC (DEF-CST-03)."""
    save = {"kind": "reflex", "dc": 12 + more, "on_success": "half"}
    bolt = {"id": "bolt", "name": "Bolt", "damage": "2d6", "save": save}
    orc = definitions.foe("Orc", spells=[bolt])
    hero = definitions.fighter("Ana", max_hp=40, **ALONE)
    definitions.fight(spec, hero, orc, order=("Orc", "Ana"))
    spec.act("Orc", "cast-spell", spell="bolt", targets=["Ana"])


def massive_damage(spec: Spec, more: int) -> None:
    """Prepare a save against 10 and the attacker's hit dice (DEF-MAS-03)."""
    maul = definitions.weapon("maul", "1d20")
    orc = definitions.foe("Orc", hit_dice=3 + more, weapons=[maul])
    hero = definitions.fighter("Ana", max_hp=30, **ALONE)
    definitions.fight(spec, hero, orc, order=("Orc", "Ana"))
    spec.act("Orc", "attack", ("attack", 19), ("damage", 18), target="Ana")


def an_escape(spec: Spec, more: int) -> None:
    """Prepare an escape against 8 and the holder's STR/Brawl (SOV-GRAP-06)."""
    orc = sovereign.hero("Orc", "foes", at=[1, 0], unarmed=sovereign.FISTS, skills={"brawl": more})
    hero = sovereign.hero("Ana", **ALONE)
    sovereign.fight(spec, hero, orc)
    sovereign.end(spec, "Ana")
    spec.act("Orc", "grapple", ("attack", 18), ("grapple", 6, 6 - more), target="Ana")
    spec.act("Orc", "end-turn", ("grapple-damage", 2 - more)).act("Ana", "escape-grapple")


def a_surprise_check(spec: Spec, more: int) -> None:
    """Prepare a check against 8 and the group's best WIS/Notice (SOV-SURP-04)."""
    keen = sovereign.hero("Imp", "foes", skills={"notice": 1 + more})
    spec.given(sovereign.hero("Ana", **ALONE), sovereign.npc("Orc", skill_modifier=0), keen)
    spec.rule("surprise-check", by_side="party", against_group="foes")


def an_execution(spec: Spec, more: int) -> None:
    """Prepare a save against a number that includes the attacker's skill (SOV-EXEC-06)."""
    orc = sovereign.hero("Orc", "foes", at=[1, 0], skills={"stab": more},
                         weapons=[sovereign.SWORD])  # fmt: skip
    hero = sovereign.hero("Ana", alertness="unsuspecting", saves={"physical": 13}, **ALONE)
    spec.given(hero, orc, rulings="default")
    spec.act("Orc", "prepare-execution", target="Ana", weapon="sword", mode="melee")
    spec.rule("advance-time", seconds=60)
    spec.act("Orc", "execution-attack", target="Ana")


OWN_ROLLS: Mapping[str, tuple[str, Callable[[Spec, int], None], tuple[int, ...]]] = {
    "save": ("definitions", a_save, (18,)),
    "massive damage": ("definitions", massive_damage, (18,)),
    "grapple-escape": ("sovereign", an_escape, (6, 5)),
    "surprise-check": ("sovereign", a_surprise_check, (6, 5)),
    "execution": ("sovereign", an_execution, (18,)),
}
"""Manual rolls of Ana's, each with its fight, and faces that succeed in both fights."""


@pytest.mark.parametrize("roll", OWN_ROLLS)
def test_the_number_that_a_foe_sets_for_a_roll_is_the_gms(roll: str) -> None:
    ruleset, begin, faces = OWN_ROLLS[roll]
    fights = [Spec(installed()[ruleset]) for _ in range(2)]
    for more, spec in enumerate(fights):
        begin(spec, more)
    targets = [spec.shown()[2] for spec in fights]
    assert None not in targets
    assert targets[0] != targets[1]
    _same(fights)
    for spec in fights:
        spec.throw(*faces)
        assert {rolled.outcome for rolled in spec.events(Rolled)} == {"success"}
    _same(fights)


def _same(fights: Sequence[Spec], caller: Caller = PLAYER) -> None:
    """Check that the caller's views of both fights are equal, and the GM's are not."""
    ours, other = (read(spec, caller) for spec in fights)
    assert list(ours) == list(other)
    for name, view in ours.items():
        assert view == other[name], name
    gm = [read(spec, Caller("gm", "gm")) for spec in fights]
    assert gm[0] != gm[1]


@rule("SOV-INST-01", "SOV-INST-02")
def test_an_instant_is_asked_without_the_total_of_a_foe() -> None:
    fights = [Spec(installed()["sovereign"]) for _ in range(2)]
    for more, spec in enumerate(fights):
        orc = sovereign.npc("Orc", attack_bonus=3 + more, weapons=[sovereign.SWORD])
        sovereign.fight(spec, sovereign.hero("Ana", **ALONE), orc, asks=("Ana",))
        sovereign.end(spec, "Ana")
        spec.act("Orc", "melee-attack", target="Ana").answer("Ana", "pass", ("attack", 14))
    assert [spec.prompt("Ana", "instant").data["total"] for spec in fights] == [17, 18]
    _same(fights)


@rule("SOV-INST-02")
def test_no_standing_order_asks_for_the_total_of_a_foe() -> None:
    spec = Spec(installed()["sovereign"])
    orc = sovereign.npc("Orc", attack_bonus=3, weapons=[sovereign.SWORD])
    sovereign.fight(spec, sovereign.hero("Ana"), orc, asks=("Ana",))
    sovereign.end(spec, "Ana")
    guess = StandingOrder("instant", "total-defense", when={"total": 17})
    spec.orders("Ana", StandingOrder("instant", "pass", when={"window": "declared"}), guess)
    spec.act("Orc", "melee-attack", ("attack", 14), target="Ana")
    assert spec.prompt("Ana", "instant").data["total"] == 17  # after all bonuses


# ---- every event, every rulebook

OPEN_NUMBERS = {
    ("moved", "path"),
    ("combatant-joined", "position"),
    ("reverted", "to"),
    ("round-began", "round"),
    ("round-ended", "round"),
    ("initiative-set", "order"),  # `_place` checks its keys
}
"""Number fields that every reader may know: squares, rounds, versions."""


def test_no_event_has_a_number_for_everybody() -> None:
    fields = set()
    for kind in get_args(AnyEvent):
        hints = get_type_hints(kind)
        for name, level in knowers(kind).items():
            numbers = "int" in str(hints[name]) or hints[name] in (Any, float)
            if level == "all" and (numbers or "Place" in str(hints[name])):
                fields.add((kind.__struct_config__.tag, name))
    assert fields == OPEN_NUMBERS


OF_A_ROLL = {
    "who", "purpose", "against", "outcome", "before", "by", "secret", "target", "target_terms",
}  # fmt: skip


@pytest.mark.sampled
@pytest.mark.parametrize("ruleset", FIGHTS)
def test_of_a_foes_rolls_players_get_what_came_of_them(ruleset: str) -> None:
    assert sum(_rolls_of_foes(ruleset, seed) for seed in (3, 4)) > 0


def _rolls_of_foes(ruleset: str, seed: int) -> int:
    """Return the number of foes' rolls in a walk, after a check of each event's fields."""
    spec = begin(ruleset, seed)
    Walker(spec, Random(seed), Fired(), gm=0.12).walk(60)
    own = next(iter(spec.combat)).id
    eyes = Eyes(spec.live.history, Caller("p1", "player", (own,)))
    rolls = 0
    for recorded in eyes.between(0, 10_000):
        event, data = recorded.event, data_of(spec.live, eyes, recorded)
        sides = moments(spec.live).cast(recorded.version).sides
        if isinstance(event, Rolled | Judged) and sides[event.who] != sides[own]:
            rolls += 1
            assert data.keys() <= OF_A_ROLL
            is_told = not data.keys().isdisjoint({"target", "target_terms"})
            assert not is_told or sides[event.against or ""] == sides[own]
        elif isinstance(event, Damaged) and sides.get(event.source or "") not in (None, sides[own]):
            reductions = spec.ruleset.catalogue.reductions
            assert all(by in reductions for _, _, by in data.get("terms", ())[1:])
        elif isinstance(event, InitiativeSet):
            keyed = [place["who"] for place in data["order"] if "key" in place]
            assert all(sides[who] == sides[own] for who in keyed)
    return rolls


@rule("HE-INIT-07")
def test_what_a_foes_open_number_is_made_of_is_the_gms() -> None:
    spec = Spec(installed()["hallowed-earth"])
    spec.given(hallowed_earth.hero("Ana", **ALONE), hallowed_earth.monster("Orc"))
    hallowed_earth.begun(spec, 1, 5, Ana="no-action", Orc="no-action")
    told = {caller.role: explain(spec.live, Eyes(spec.live.history, caller), "Orc")
            for caller in (PLAYER, Caller("gm", "gm"))}  # fmt: skip
    (number,) = [
        explanation for explanation in told["player"] if explanation.name == "round_initiative"
    ]
    (whole,) = [explanation for explanation in told["gm"] if explanation.name == "round_initiative"]
    assert (number.parts, number.rolls, number.formula) == ((), (), f"{whole.value:g}")
    assert (number.value, bool(whole.parts)) == (whole.value, True)


@rule("HE-INIT-07")
def test_a_foes_speed_and_base_initiative_are_not_told_with_its_number() -> None:
    """Players see that the foe acts at 8, but not whether it is 5 + speed 3 or 4 + speed 4."""
    fights = [Spec(installed()["hallowed-earth"]) for _ in range(2)]
    for more, spec in enumerate(fights):
        maul = hallowed_earth.weapon("maul", "1d6", 3 + more)
        orc = hallowed_earth.monster("Orc", weapons=[maul])
        spec.given(hallowed_earth.hero("Ana", **ALONE), orc, rulings="default")
        spec.begin(("initiative", 1), ("initiative", 5 - more))
        hallowed_earth.declare(spec, Ana="no-action", Orc=hallowed_earth.attack("maul"))
    _same(fights)
    own = read(fights[0], Caller("p3", "player", ("Orc",)))
    assert b"Orc rolls the Base Initiative: 5 (1d12)" in own["full"]
    assert b"Orc rolls the Base Initiative:" not in read(fights[0], PLAYER)["full"]


@rule("HE-MOR-05", "HE-MOR-07")
@pytest.mark.parametrize("side", ["heroes", "foes"])
def test_the_number_of_a_morale_check_is_the_gms(side: str) -> None:
    """Players do not see the target number of a morale check.

    The number reveals skills of foes, and whether there are hidden opponents.
    """
    spec = Spec(installed()["hallowed-earth"])
    friend = {**hallowed_earth.monster("Dog"), "side": side}
    spec.given(hallowed_earth.hero("Ana", **ALONE), friend, hallowed_earth.monster("Orc"))
    hallowed_earth.begun(spec, 1, 2, 3, Ana="no-action", Dog="no-action", Orc="no-action")
    spec.rule("damage", who="Dog", amount=9, hit=True)
    spec.rule("next-round").answer(None, "none", name="morale-obvious")
    spec.throw(6, 6, 6)
    assert spec.rolled("morale").target is not None
    eyes = Eyes(spec.live.history, PLAYER)
    (told,) = [
        data_of(spec.live, eyes, recorded)
        for recorded in eyes.between(0, 10_000)
        if isinstance(recorded.event, Rolled) and recorded.event.purpose == "morale"
    ]
    assert told["outcome"] == "success"
    assert "target" not in told


# ---- foes that only a special hit can harm


def foiled(spec: Spec, shot: str, needed: int = 10, **wight: Any) -> Spec:
    """Return a fight in which a hero strikes a wight with a 15.

    The GM sets the number that a called shot needs.
    """
    hero = vile_darkness.hero("Ana", abilities=[], **ALONE)
    spec.given(hero, vile_darkness.foe("Wight", **wight))
    vile_darkness.begin(spec, 5, 1)
    if shot == "attack":
        return spec.act("Ana", "attack", ("attack", 15), target="Wight")
    spec.act("Ana", "called-shot", target="Wight", aim="eye")
    return vile_darkness.reply(spec, "called-shot", "set", ("attack", 15), needed=needed)


@rule("VD-FOIL-03")
@pytest.mark.parametrize("caller", [PLAYER, SPECTATOR], ids=["player", "spectator"])
@pytest.mark.parametrize("shot", ["attack", "called-shot"])
def test_an_immunity_that_is_not_plain_looks_like_a_miss(shot: str, caller: Caller) -> None:
    immune, quick = (Spec(installed()["vile-darkness"]) for _ in range(2))
    foiled(immune, shot, attack_immunities=[{"to": "all"}])
    foiled(quick, shot, 18, ac=-9)
    assert (immune.rolled("attack").outcome, quick.rolled("attack").outcome) == ("foiled", "miss")
    ours, other = read(immune, caller), read(quick, caller)
    assert list(ours) == list(other)
    for name, view in ours.items():
        assert view == other[name], name


@rule("VD-FOIL-02", "VD-FOIL-03")
@pytest.mark.parametrize(
    "protection",
    [{"contact_barriers": [{"against": "all"}]},
     {"attack_immunities": [{"to": "all", "obvious": True}]}],
)  # fmt: skip
def test_a_plain_foil_is_told(protection: dict[str, Any]) -> None:
    spec = foiled(Spec(installed()["vile-darkness"]), "attack", **protection)
    told = read(spec, PLAYER)["story"]
    assert b"foiled" in told
