"""Combat Injuries: whether, which, what they do, and their healing (HE-INJ, HE-BLUNT)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta, Struct

from domain.record.combat import Combatant, Id, Json, Until
from domain.record.events import AnyEvent, ConditionGained, ConditionLost, FactSet, Noted
from domain.rulebook.effects import Procedure, ask, roll
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option, Prompt, choices
from domain.rulesets.hallowed_earth.harm import damage_attribute
from domain.rulesets.hallowed_earth.numbers import has_lost, options, sheet
from domain.rulesets.hallowed_earth.sheet import Arm, Attribute, Effects, Gift, Row
from domain.rulesets.hallowed_earth.tables import rows, table

NO_EFFECTS = Effects()


@dataclass(frozen=True)
class Injury:
    """An injury that dice or the GM have chosen; `damage` off each of its attributes."""

    name: str
    effects: Effects = NO_EFFECTS
    side: Arm | None = None
    damage: int = 0
    type: str = ""


class RuledInjury(Struct, frozen=True, forbid_unknown_fields=True):
    """What the GM makes of an injury whose table is empty."""

    text: Annotated[str, Meta(min_length=1, max_length=120)] = "combat injury"
    attributes: dict[Attribute, Annotated[int, Meta(ge=0, le=1000)]] = {}
    conditions: Annotated[tuple[Gift, ...], Meta(max_length=20)] = ()


def injury_dice(
    play: Play, attacker: Id, target: Id, types: tuple[str, ...], damage: int
) -> Procedure[tuple[Injury, ...]]:
    """1d100 against the damage dealt; then the table of the damage type (HE-INJ-01 to -08)."""
    if damage <= 0:  # what was stopped breaks nothing (HE-INJ-02)
        return ()
    chance = yield from roll(
        target,
        "injury-chance",
        "1d100",
        rules=("HE-INJ-01", "HE-CRIT-05"),
        target=damage,
        judge=lambda faces, total: "injury" if total <= damage else "none",
        by_gm=True,
    )
    if chance.total > damage:
        return ()
    kind = types[0]
    if len(types) > 1:
        kind = yield from _which_table(play, attacker, target, types)
    found = table(options(play.combat), kind)
    if found is None:
        return (yield from _empty(target, kind))
    rolled = yield from roll(target, "injury", found.die, rules=("HE-INJ-03",), by_gm=True)
    row = next((row for row in found.rows if row.start <= rolled.total <= row.to), None)
    if row is None:
        return (yield from _empty(target, kind))
    injury = yield from details(target, row, kind)
    return (injury,)


def details(target: Id, row: Row, kind: str = "", side: Arm | None = None) -> Procedure[Injury]:
    """Which arm, then the attribute damage, one roll for all its attributes (HE-INJ-07, -08)."""
    if row.effects.arm and side is None:
        arm = yield from roll(target, "injury-side", "1d4", rules=("HE-INJ-07",), by_gm=True)
        side = "main" if arm.total <= 2 else "off"
    damage = 0
    if row.effects.damage is not None:
        rolled = yield from roll(
            target, "injury-damage", row.effects.damage, rules=("HE-INJ-08",), by_gm=True
        )
        damage = max(0, rolled.total)
    return Injury(row.name, row.effects, side if row.effects.arm else None, damage, kind)


def _which_table(play: Play, attacker: Id, target: Id, types: tuple[str, ...]) -> Procedure[str]:
    """The attacking character's player picks; the GM for monsters (HE-INJ-04)."""
    is_monster = sheet(play.combat[attacker]).kind == "monster"
    answer = yield from ask(
        Prompt(
            kind="choice",
            name="injury-type",
            who=None if is_monster else attacker,
            text=f"{attacker} has hurt {target}: which table is the injury from?",
            options=choices(*types),
            rules=("HE-INJ-04",),
            default=types[0],
            data={"attacker": attacker, "target": target, "types": list(types)},
        )
    )
    return answer.option


def _empty(target: Id, kind: str) -> Procedure[tuple[Injury, ...]]:
    """A table without entries: the GM rules, no die is rolled (HE-INJ-06)."""
    answer = yield from ask(
        Prompt(
            kind="ruling",
            name="empty-injury-table",
            who=None,
            text=f"{target} has a Combat Injury ({kind}), and the table is empty. What is it?",
            options=(
                Option("combat-injury"),
                Option("injury", RuledInjury, candidates=lambda play, who: ({"text": "a scar"},)),
            ),
            rules=("HE-INJ-06",),
            default="combat-injury",
            data={"target": target, "type": kind},
        )
    )
    if answer.option == "combat-injury":
        return (Injury(f"combat injury ({kind})", type=kind),)
    ruled: RuledInjury = answer.inputs
    found = [
        Injury(
            ruled.text, Effects(conditions=tuple(each.id for each in ruled.conditions)), type=kind
        )
    ]
    for each in ruled.conditions:
        if each.side is not None:
            found[0] = Injury(ruled.text, found[0].effects, each.side, 0, kind)
    for attribute, amount in ruled.attributes.items():
        effects = Effects(attributes=(attribute,))
        found.append(Injury("", effects, damage=amount, type=kind))
    return tuple(found)


# ---- what an injury does


def inflict(play: Play, who: Id, injuries: tuple[Injury, ...]) -> Procedure[None]:
    """Its conditions and its attribute damage (HE-BLUNT); it lasts until healed (HE-INJ-09)."""
    for injury in injuries:
        if injury.name:
            yield from lasting(play.combat[who], injury)
        for attribute in injury.effects.attributes:
            yield from damage_attribute(play, who, attribute, injury.damage)


def lasting(one: Combatant, injury: Injury) -> Iterator[AnyEvent]:
    """The record of an injury, its conditions, and what falls from the hand."""
    injuries = list(one.facts.get("injuries", []))
    number = max((int(kept["id"]) for kept in injuries), default=0) + 1
    record: dict[str, Json] = {"id": number, "name": injury.name, "side": injury.side}
    yield FactSet(one.id, "injuries", [*injuries, {**record, "type": injury.type}])
    arm = f" ({injury.side} arm)" if injury.side else ""
    yield Noted(f"Combat Injury: {injury.name}{arm}", one.id, rules=("HE-INJ-03",))
    for condition in injury.effects.conditions:
        yield from begin(one, condition, injury.side, number)


def begin(
    one: Combatant,
    condition: str,
    side: Arm | None,
    injury: int | None = None,
    until: tuple[Until, ...] = (),
) -> Iterator[AnyEvent]:
    """A condition with all that it brings along."""
    data: dict[str, Json] = {} if side is None else {"side": side}
    if injury is not None:
        data["injury"] = injury
    key = condition if injury is None else f"{condition}:{injury}"
    if side is not None and injury is None:
        key = f"{condition}:{side}"
    yield ConditionGained(one.id, condition, key, data, until, rules=("HE-INJ-09",))
    if condition == "broken-rib" and "rib" not in one.facts:  # counted from the injury (GAP-26)
        yield FactSet(one.id, "rib", {"span": 0, "acted": None}, rules=("HE-BLUNT-06",))
    if condition in ("arm-cannot-hold", "hand-useless"):
        yield from drop(one, side or "main")


def drop(one: Combatant, side: Arm) -> Iterator[AnyEvent]:
    """What that arm holds falls at once (HE-BLUNT-11, -12)."""
    card = sheet(one)
    held = [f"weapon:{each.id}" for each in card.weapons if each.hand == side and each.wielded]
    held += [f"item:{each.id}" for each in card.items if each.hand == side]
    if card.shield is not None and card.shield.held and card.shield.hand == side:
        held.append(f"shield:{card.shield.id}")
    falls = {thing: "dropped" for thing in held if not has_lost(one, thing)}
    if falls:
        lost: Mapping[str, Json] = {**one.facts.get("lost", {}), **falls}
        yield FactSet(one.id, "lost", lost, rules=("HE-BLUNT-11",))
        yield Noted(f"dropped: {', '.join(falls)}", one.id, rules=("HE-BLUNT-11",))


# ---- healing


def find(one: Combatant, name: str) -> Mapping[str, Json] | None:
    """The oldest injury of that name."""
    injuries = one.facts.get("injuries", [])
    return next((kept for kept in injuries if kept["name"].lower() == name.lower()), None)


def heal(play: Play, who: Id, name: str) -> Procedure[None]:
    """Its conditions end with it; its attribute damage is restored separately (HE-INJ-09)."""
    one = play.combat[who]
    injury = find(one, name)
    if injury is None:
        return
    left = [kept for kept in one.facts["injuries"] if kept["id"] != injury["id"]]
    yield FactSet(who, "injuries", left or None, rules=("HE-INJ-09",))
    for held in one.conditions:
        if held.data.get("injury") == injury["id"]:
            yield ConditionLost(who, held.id, held.key, "injury healed", rules=("HE-INJ-09",))
    if "rib" in one.facts and not play.combat[who].has("broken-rib"):
        yield FactSet(who, "rib", None, rules=("HE-INJ-09",))


def known(play: Play, name: str) -> Row | None:
    """A row of a table by its name."""
    return rows(options(play.combat)).get(name.lower())
