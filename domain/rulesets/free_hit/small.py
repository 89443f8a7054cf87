"""Small actions and boosts: pick up, draw, sheathe, talk, stand up, face (FH-ACT, FH-BST, FH-PRN).

Most are paid with any one of AA, MA, BA.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Json
from domain.record.events import (
    CombatantChanged,
    ConditionGained,
    ConditionLost,
    FactSet,
    Noted,
)
from domain.rulebook import grid
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulebook.prompts import NoInputs
from domain.rulesets.free_hit import paying
from domain.rulesets.free_hit.ends import until
from domain.rulesets.free_hit.numbers import (
    boost,
    fresh_budget,
    in_fight,
    is_drawn,
    is_lost,
    is_waiting,
    owed,
    sheet,
    this_round,
)
from domain.rulesets.free_hit.sheet import Payment, Weapon

KINDS: tuple[paying.Kind, ...] = ("aa", "ma", "ba")


class PickUp(Struct, frozen=True, forbid_unknown_fields=True):
    item: str
    pay_with: paying.Kind = "ba"


class Handling(Struct, frozen=True, forbid_unknown_fields=True):
    weapon: str
    pay_with: paying.Kind = "ba"


class Talk(Struct, frozen=True, forbid_unknown_fields=True):
    text: Annotated[str, Meta(max_length=2000)] = ""
    pay_with: paying.Kind = "ba"


class StandUp(Struct, frozen=True, forbid_unknown_fields=True):
    pay_with: paying.Kind = "ba"


class Facing(Struct, frozen=True, forbid_unknown_fields=True):
    facing: tuple[int, int]


def paid(combat: Combat, who: Id, kind: paying.Kind) -> Iterator[Illegal]:
    """Turn, able, and one action of the kind left."""
    yield from paying.turn(combat, who)
    yield from paying.lacking(combat, who, paying.one(kind))


# ---- picking up


def ground(combat: Combat) -> dict[str, dict[str, Any]]:
    """What lies on the ground: by item id its name, square, and the weapon if it is one."""
    lying: dict[str, dict[str, Any]] = combat.facts.get("ground", {})
    return lying


def pick_up_refusals(play: Play, who: Id, inputs: PickUp) -> Iterator[Illegal]:
    yield from paid(play.combat, who, inputs.pay_with)
    one, lying = play.combat[who], ground(play.combat).get(inputs.item)
    near = [id for id, item in ground(play.combat).items() if is_near(one, item)]
    if lying is None or not is_near(one, lying):
        detail = f"{inputs.item!r} does not lie on its own or an adjacent space"
        yield Illegal("FH-ACT-01", "item-not-near", detail, near)


def is_near(one: Combatant, item: Mapping[str, Any]) -> bool:
    """On the unit's own or an adjacent space (FH-ACT-01, GAP-33)."""
    at = item.get("at")
    if at is None or one.position is None:
        return True
    square = (at[0], at[1], at[2] if len(at) == 3 else 0)
    return grid.distance(one.position, square, sheet(one).size) <= 1


def pick_up_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    for item in ground(play.combat):
        for kind in KINDS:
            yield {"item": item, "pay_with": kind}


def pick_up(play: Play, who: Id, inputs: PickUp) -> Procedure[None]:
    """The item is carried, a weapon is in hand (FH-ACT-01, FH-DSM-02)."""
    yield from paying.pay(play, who, paying.one(inputs.pay_with), "FH-ACT-01")
    lying = dict(ground(play.combat))
    item = lying.pop(inputs.item)
    yield FactSet(None, "ground", lying, rules=("FH-ACT-01",))
    one = play.combat[who]
    if item.get("weapon") is None:
        carried = [*one.facts.get("carried", []), inputs.item]
        yield FactSet(who, "carried", carried, rules=("FH-ACT-01",))
        return
    if inputs.item not in {weapon.id for weapon in sheet(one).weapons}:
        yield CombatantChanged(
            who, sheet={"weapons": [*one.sheet["weapons"], item["weapon"]]}, rules=("FH-DSM-02",)
        )
    yield from hold(play, who, inputs.item, "drawn", "FH-DSM-02")


def hold(play: Play, who: Id, weapon: str, state: str, rule: str) -> Procedure[None]:
    """Remember that a weapon is drawn, sheathed or lost."""
    states = {**play.combat[who].facts.get("weapons", {}), weapon: state}
    yield FactSet(who, "weapons", states, rules=(rule,))


# ---- drawing, sheathing


def _find(one: Combatant, id: str) -> Weapon | None:
    return next((weapon for weapon in sheet(one).weapons if weapon.id == id), None)


def _handling(play: Play, who: Id, inputs: Handling) -> Iterator[Illegal]:
    yield from paying.turn(play.combat, who)
    weapon = _find(play.combat[who], inputs.weapon)
    if weapon is not None and weapon.natural:
        detail = f"{weapon.name} is natural: it is neither drawn nor sheathed"
        yield Illegal("FH-ACT-02", "wrong-action-kind", detail)
    yield from paying.lacking(play.combat, who, paying.one(inputs.pay_with))


def draw_refusals(play: Play, who: Id, inputs: Handling) -> Iterator[Illegal]:
    yield from _handling(play, who, inputs)
    one, weapon = play.combat[who], _find(play.combat[who], inputs.weapon)
    if weapon is None or is_lost(one, weapon):
        detail = f"{one.name} does not have {inputs.weapon!r}"
        yield Illegal("FH-ACT-02", "not-drawn", detail, _ids(one))
    elif is_drawn(one, weapon):
        yield Illegal("FH-ACT-02", "already-drawn", f"{weapon.name} is in hand already")


def sheathe_refusals(play: Play, who: Id, inputs: Handling) -> Iterator[Illegal]:
    yield from _handling(play, who, inputs)
    one, weapon = play.combat[who], _find(play.combat[who], inputs.weapon)
    if weapon is None or not is_drawn(one, weapon):
        yield Illegal("FH-ACT-02", "not-drawn", f"{inputs.weapon!r} is not in hand", _ids(one))


def _ids(one: Combatant) -> list[str]:
    return [weapon.id for weapon in sheet(one).weapons]


def handling_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    for weapon in _ids(play.combat[who]):
        for kind in KINDS:
            yield {"weapon": weapon, "pay_with": kind}


def draw(play: Play, who: Id, inputs: Handling) -> Procedure[None]:
    """FH-ACT-02."""
    yield from paying.pay(play, who, paying.one(inputs.pay_with), "FH-ACT-02")
    yield from hold(play, who, inputs.weapon, "drawn", "FH-ACT-02")


def sheathe(play: Play, who: Id, inputs: Handling) -> Procedure[None]:
    """FH-ACT-02."""
    yield from paying.pay(play, who, paying.one(inputs.pay_with), "FH-ACT-02")
    yield from hold(play, who, inputs.weapon, "sheathed", "FH-ACT-02")


# ---- talking, facing


def talk_refusals(play: Play, who: Id, inputs: Talk) -> Iterator[Illegal]:
    yield from paid(play.combat, who, inputs.pay_with)


def talk_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    return ({"text": "Stand fast!", "pay_with": kind} for kind in KINDS)


def talk(play: Play, who: Id, inputs: Talk) -> Procedure[None]:
    """Talking is not free in a battle (FH-ACT-03)."""
    yield from paying.pay(play, who, paying.one(inputs.pay_with), "FH-ACT-03")
    yield Noted(inputs.text or "…", who, rules=("FH-ACT-03",))


def face_refusals(play: Play, who: Id, inputs: Facing) -> Iterator[Illegal]:
    yield from paying.turn(play.combat, who)
    if inputs.facing == (0, 0) or any(abs(part) > 1000 for part in inputs.facing):
        yield Illegal("FH-FLK-02", "no-direction", "facing is a direction such as [0, 1]")


def face_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    return ({"facing": [x, y]} for x, y, _ in grid.neighbours((0, 0, 0)))


def face(play: Play, who: Id, inputs: Facing) -> Procedure[None]:
    """Where the unit looks (FH-FLK-02)."""
    yield FactSet(who, "facing", list(inputs.facing), rules=("FH-FLK-02",))


# ---- boosts


def boost_refusals(play: Play, who: Id, inputs: NoInputs) -> Iterator[Illegal]:
    yield from paying.turn(play.combat, who)
    yield from paying.lacking(play.combat, who, Payment(ba=1))


def boost_damage(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
    """+1 damage with melee weapons until the end of the round (FH-BST-01)."""
    yield from _boost(play, who, "damage-boost", "FH-BST-01")


def boost_hit(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
    """+1 to attack totals until the end of the round (FH-BST-02)."""
    yield from _boost(play, who, "hit-boost", "FH-BST-02")


def boost_dodge(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
    """+1 to its target number until its own next turn (FH-BST-03, -05)."""
    yield from _boost(play, who, "dodge-boost", "FH-BST-03")


def _boost(play: Play, who: Id, condition: str, rule: str) -> Procedure[None]:
    """The same boost bought twice gives +2 (FH-BST-04)."""
    yield from paying.pay(play, who, Payment(ba=1), rule, "FH-TRN-06")
    value = boost(play.combat[who], condition) + 1
    ends = until(
        "next-turn" if condition == "dodge-boost" else "round", who, this_round(play.combat)
    )
    yield ConditionGained(who, condition, data={"value": value}, until=ends, rules=(rule,))


# ---- standing up


def stand_up_refusals(play: Play, who: Id, inputs: StandUp) -> Iterator[Illegal]:
    """On the own turn from this turn's budget; else from the next one's (FH-PRN-04 to -07)."""
    combat = play.combat
    if combat.status == "opening":
        yield paying.off_turn(combat, who, "stand-up")
    if not in_fight(combat, who) or combat[who].has("tied", "frozen", "paralysed"):
        yield from paying.able(combat, who)
    one = combat[who]
    if who in combat.acting:
        yield from paying.lacking(combat, who, paying.one(inputs.pay_with))
    if not one.has("prone"):
        yield Illegal("FH-PRN-04", "not-prone", f"{one.name} is not prone")
    if who not in combat.acting and left_next_turn(combat, one)[inputs.pay_with] < 1:
        detail = f"no {inputs.pay_with} of the next turn is left to pledge"
        yield Illegal("FH-PRN-06", "no-actions-next-turn", detail)
    if who in combat.facts.get("under_attack", []):
        detail = f"an attack on {one.name} is being resolved"
        yield Illegal("FH-PRN-07", "mid-attack", detail)


def left_next_turn(combat: Combat, one: Combatant) -> dict[str, int]:
    """What the next turn will have, or the turn that waits (FH-PRN-05, -06)."""
    if is_waiting(combat, one.id):
        return {kind: one.budget.get(kind, 0) for kind in KINDS}
    debt = owed(one)
    return {kind: amount - debt[kind] for kind, amount in fresh_budget(one).items()}


def pay_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    return ({"pay_with": kind} for kind in KINDS)


def stand_up(play: Play, who: Id, inputs: StandUp) -> Procedure[None]:
    """FH-PRN-04, -05."""
    if who in play.combat.acting or is_waiting(play.combat, who):
        yield from paying.pay(play, who, paying.one(inputs.pay_with), "FH-PRN-04")
    else:
        debt = owed(play.combat[who])
        debt[inputs.pay_with] += 1
        yield FactSet(who, "owed", debt, rules=("FH-PRN-05",))
    yield ConditionLost(who, "prone", reason="stood up", rules=("FH-PRN-04",))
