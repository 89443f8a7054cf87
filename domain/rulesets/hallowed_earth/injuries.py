"""The chance, tables, effects and healing of Combat Injuries (HE-INJ, HE-BLUNT)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta, Struct

from domain.record.combat import Combat, Combatant, Id
from domain.record.events import AnyEvent, ConditionLost, Died, Noted
from domain.rulebook.effects import Procedure, ask, ask_gm, roll
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option, Prompt, choices
from domain.rulesets.hallowed_earth.conditions import gained
from domain.rulesets.hallowed_earth.facts import ATTRIBUTE_DAMAGE, INJURIES, ZEROS, Hurt
from domain.rulesets.hallowed_earth.numbers import current
from domain.rulesets.hallowed_earth.rules import rule
from domain.rulesets.hallowed_earth.sheet import (
    Arm,
    Attribute,
    Effects,
    Gift,
    Options,
    Row,
    Table,
    options,
    sheet,
)

rule(
    "HE-BLUNT-03",
    "A Shattered Kneecap deals 1d12 Agility damage and keeps its victim prone",
    f"{__name__}._ROWS",
)
rule("HE-BLUNT-04", "A Broken Femur deals 1d10 Agility damage", f"{__name__}._ROWS")
rule("HE-BLUNT-05", "A Shattered Hip deals 4d4 Agility damage", f"{__name__}._ROWS")
rule("HE-BLUNT-07", "A Broken Collarbone deals 3d4 Strength damage", f"{__name__}._ROWS")
rule("HE-BLUNT-13", "A Broken Finger deals 1d8 Dexterity damage", f"{__name__}._ROWS")
rule(
    "HE-BLUNT-17",
    "A Broken Nose deals 1d10 Perception damage and prevents smelling",
    f"{__name__}._ROWS",
)
rule(
    "HE-BLUNT-18",
    "An Eye Swollen Shut deals 2d8 Perception damage and blinds one eye",
    f"{__name__}._ROWS",
)
rule(
    "HE-BLUNT-19",
    "A Cauliflower Ear deals 1d12 Perception damage and deafens one ear",
    f"{__name__}._ROWS",
)
rule(
    "HE-BLUNT-20",
    "A Cracked Skull deals 1d8 Memory and Perception damage and causes a concussion",
    f"{__name__}._ROWS",
)
_ROWS: tuple[tuple[str, str, str | None, tuple[Attribute, ...], tuple[str, ...]], ...] = (
    ("HE-BLUNT-01", "Crushed Foot", None, (), ("crushed-foot",)),
    ("HE-BLUNT-02", "Broken Shin", "1d8", ("agility",), ("half-speed",)),
    ("HE-BLUNT-03", "Shattered Kneecap", "1d12", ("agility",), ("prone",)),
    ("HE-BLUNT-04", "Broken Femur", "1d10", ("agility",), ()),
    ("HE-BLUNT-05", "Shattered Hip", "4d4", ("agility",), ()),
    ("HE-BLUNT-06", "Broken Rib", "2d4", ("strength",), ("broken-rib",)),
    ("HE-BLUNT-07", "Broken Collarbone", "3d4", ("strength",), ()),
    (
        "HE-BLUNT-08", "Crushed Shoulder", "2d8", ("strength", "dexterity"),
        ("arm-cannot-attack",),
    ),
    ("HE-BLUNT-09", "Broken Upper Arm", "1d10", ("strength",), ("arm-cannot-attack",)),
    ("HE-BLUNT-10", "Shattered Elbow", "1d12", ("dexterity",), ("arm-cannot-attack",)),
    ("HE-BLUNT-11", "Broken Forearm", "1d10", ("strength", "dexterity"), ("arm-cannot-hold",)),
    ("HE-BLUNT-12", "Shattered Hand", "4d4", ("dexterity",), ("hand-useless",)),
    ("HE-BLUNT-13", "Broken Finger", "1d8", ("dexterity",), ()),
    ("HE-BLUNT-14", "Broken Neck", None, (), ("paralyzed",)),
    ("HE-BLUNT-15", "Crushed Windpipe", None, (), ("cannot-speak", "cannot-breathe")),
    ("HE-BLUNT-16", "Broken Jaw", None, (), ("cannot-speak", "cannot-chew")),
    ("HE-BLUNT-17", "Broken Nose", "1d10", ("perception",), ("cannot-smell",)),
    ("HE-BLUNT-18", "Eye Swollen Shut", "2d8", ("perception",), ("blind-one-eye",)),
    ("HE-BLUNT-19", "Cauliflower Ear", "1d12", ("perception",), ("deaf-one-ear",)),
    ("HE-BLUNT-20", "Cracked Skull", "1d8", ("memory", "perception"), ("concussed",)),
)  # fmt: skip
"""For each face: rule, name, damage dice, damaged attributes, conditions."""

BLUNT = Table(
    die="1d20",
    rows=tuple(
        Row(
            start=face,
            to=face,
            name=name,
            effects=Effects(
                damage=damage,
                attributes=attributes,
                conditions=conditions,
                arm=8 <= face <= 12,  # HE-INJ-07
            ),
        )
        for face, (_, name, damage, attributes, conditions) in enumerate(_ROWS, start=1)
    ),
)

BLUNT_RULES: Mapping[str, str] = {name.lower(): rule for rule, name, *_ in _ROWS}
"""The rule of each blunt injury, by its name in lower case."""


def table(options: Options, kind: str) -> Table | None:
    """Return the injury table of a damage type, or `None` if the type has no table.

    If the combat's options have no table for blunt damage, use the rulebook's table.
    """
    return options.injury_tables.get(kind) or (BLUNT if kind == "blunt" else None)


def rows(options: Options) -> dict[str, Row]:
    """Return every injury of the tables, by its name in lower case."""
    tables = (BLUNT, *options.injury_tables.values())
    return {row.name.lower(): row for table in tables for row in table.rows}


NO_EFFECTS = Effects()


@dataclass(frozen=True)
class Injury:
    """An injury that dice or the GM have chosen. `damage` lowers each attribute in `effects`."""

    name: str
    effects: Effects = NO_EFFECTS
    side: Arm | None = None
    damage: int = 0
    type: str = ""

    @property
    def rules(self) -> tuple[str, ...]:
        """Return the rule of a blunt injury, or the general rule for other injuries."""
        rule = BLUNT_RULES.get(self.name.lower())
        return ("HE-INJ-06",) if rule is None else (rule,)


class RuledInjury(Struct, frozen=True, forbid_unknown_fields=True):
    """Inputs of the GM's ruling on an injury without a table."""

    text: Annotated[str, Meta(min_length=1, max_length=120)] = "combat injury"
    attributes: dict[Attribute, Annotated[int, Meta(ge=0, le=1000)]] = {}
    conditions: Annotated[tuple[Gift, ...], Meta(max_length=20)] = ()


OF_EMPTY_TABLE = (
    Option("combat-injury", label="Combat injury without effect"),
    Option(
        "injury",
        RuledInjury,
        candidates=lambda play, who: ({"text": "a scar"},),
        label="An injury of the GM's",
    ),
)


@rule("HE-INJ-01", "A 1d100 of at most the damage dealt means an injury")
@rule("HE-INJ-02", "The damage after Armour counts, and 0 damage needs no roll")
@rule("HE-INJ-03", "The injury comes from the table of the damage type")
@rule("HE-INJ-05", "Only the blunt table of the eleven tables has entries")
def injury_dice(
    play: Play, attacker: Id, target: Id, types: tuple[str, ...], damage: int
) -> Procedure[tuple[Injury, ...]]:
    """Roll 1d100 against the damage dealt, then roll on the table of the damage type.

    HE-INJ-01, HE-INJ-02, HE-INJ-03.
    """
    if damage <= 0:  # a hit without damage causes no injury
        return ()
    chance = yield from roll(
        target,
        "injury-chance",
        "1d100",
        rules=("HE-INJ-01", "HE-INJ-02", "HE-CRIT-05"),
        target=damage,
        judge=lambda faces, total, target: "injury" if total <= target else "none",
        by_gm=True,
    )
    if chance.total > damage:
        return ()
    kind = types[0]
    if len(types) > 1:
        kind = yield from _which_table(play, attacker, target, types)
    chart = table(options(play.combat), kind)
    if chart is None:
        return (yield from _empty(target, kind))
    rolled = yield from roll(
        target, "injury", chart.die, rules=("HE-INJ-03", "HE-INJ-05"), by_gm=True
    )
    row = next((row for row in chart.rows if row.start <= rolled.total <= row.to), None)
    if row is None:
        return (yield from _empty(target, kind))
    injury = yield from details(target, row, kind)
    return (injury,)


@rule("HE-INJ-07", "Results 8 to 12 concern one arm, which a 1d4 chooses")
@rule("HE-INJ-08", "One roll gives the damage to all attributes of an injury")
def details(target: Id, row: Row, kind: str = "", side: Arm | None = None) -> Procedure[Injury]:
    """Roll the arm, then the attribute damage (HE-INJ-07).

    One damage roll counts for all attributes (HE-INJ-08).
    """
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


@rule("HE-INJ-04", "The attacker's player chooses among several types, and the GM for monsters")
def _which_table(play: Play, attacker: Id, target: Id, types: tuple[str, ...]) -> Procedure[str]:
    """Ask the attacker's player which table to use (HE-INJ-04).

    The GM chooses for a monster, and for an attacker that has left.
    """
    combatant = play.combat[attacker]
    by_gm = sheet(combatant).kind == "monster" or combatant.left
    answer = yield from ask(
        Prompt(
            kind="choice",
            name="injury-type",
            who=None if by_gm else attacker,
            text=f"{attacker} has hurt {target}. Which table is the injury from?",
            options=choices(*types),
            rules=("HE-INJ-04",),
            default=types[0],
            data={"attacker": attacker, "target": target, "types": list(types)},
        )
    )
    return answer.option


@rule("HE-INJ-06", "The GM decides an injury of an empty table, without a die")
def _empty(target: Id, kind: str) -> Procedure[tuple[Injury, ...]]:
    """Ask the GM for the injury, because the table is empty. Nobody rolls (HE-INJ-06)."""
    answer = yield from ask_gm(
        "empty-injury-table",
        f"{target} has a Combat Injury ({kind}), and the table is empty. What is it?",
        OF_EMPTY_TABLE,
        "combat-injury",
        rules=("HE-INJ-06",),
        data={"target": target, "type": kind},
    )
    if answer.option == "combat-injury":
        return (Injury(f"combat injury ({kind})", type=kind),)
    ruled: RuledInjury = answer.inputs
    side = next((gift.side for gift in ruled.conditions if gift.side is not None), None)
    brings = Effects(conditions=tuple(gift.id for gift in ruled.conditions))
    return (
        Injury(ruled.text, brings, side, type=kind),
        *(
            Injury("", Effects(attributes=(attribute,)), damage=amount, type=kind)
            for attribute, amount in ruled.attributes.items()
        ),
    )


# ---- effects of an injury


def inflict(play: Play, who: Id, injuries: tuple[Injury, ...]) -> Procedure[None]:
    """Record injuries with their conditions and attribute damage (HE-BLUNT).

    An injury lasts until it is healed (HE-INJ-09).
    """
    for injury in injuries:
        if injury.name:
            yield from lasting(play.combat, play.combat[who], injury)
        for attribute in injury.effects.attributes:
            yield from damage_attribute(play, who, attribute, injury.damage, injury.rules)


def lasting(combat: Combat, combatant: Combatant, injury: Injury) -> Iterator[AnyEvent]:
    """Yield the events that record an injury and its conditions."""
    before = INJURIES.of(combatant)
    number = max((kept.id for kept in before), default=0) + 1
    recorded = Hurt(number, injury.name, injury.side, injury.type)
    yield INJURIES.set(combatant.id, (*before, recorded), rules=injury.rules)
    arm = f" ({injury.side} arm)" if injury.side else ""
    yield Noted(
        f"{combatant.id} has a Combat Injury: {injury.name}{arm}", combatant.id, rules=injury.rules
    )
    for condition in injury.effects.conditions:
        yield gained(
            combat, combatant.id, condition, side=injury.side, injury=number, rules=injury.rules
        )


# ---- healing


def find(combatant: Combatant, name: str) -> Hurt | None:
    """Return the oldest injury with that name."""
    return next(
        (kept for kept in INJURIES.of(combatant) if kept.name.lower() == name.lower()), None
    )


@rule(
    "HE-INJ-09", "An injury lasts until it is healed, and its attribute damage is healed separately"
)
def heal(play: Play, who: Id, name: str) -> Procedure[None]:
    """Heal an injury. Its conditions end, but its attribute damage stays (HE-INJ-09)."""
    combatant = play.combat[who]
    injury = find(combatant, name)
    if injury is None:
        return
    left = tuple(kept for kept in INJURIES.of(combatant) if kept.id != injury.id)
    yield Noted(f"{who} is healed of a Combat Injury: {injury.name}", who, rules=("HE-INJ-09",))
    yield INJURIES.set(who, left, rules=("HE-INJ-09",))
    for held in combatant.conditions:
        if held.data.get("injury") == injury.id:
            yield ConditionLost(who, held.id, held.key, "injury healed", rules=("HE-INJ-09",))


def known(play: Play, name: str) -> Row | None:
    """Return the row with this name from any table."""
    return rows(options(play.combat)).get(name.lower())


# ---- attributes


@rule("HE-ATTR-03", "Attribute damage lowers the score, to 0 at least, and its modifier")
def damage_attribute(
    play: Play, who: Id, attribute: Attribute, amount: int, rules: tuple[str, ...]
) -> Procedure[None]:
    """Lower a score and its modifier. The score is at least 0 (HE-ATTR-03)."""
    combatant = play.combat[who]
    before = current(combatant, attribute)
    lost = dict(ATTRIBUTE_DAMAGE.of(combatant))
    lost[attribute] = lost.get(attribute, 0) + min(amount, before)
    yield Noted(
        f"{who} loses {attribute}",
        who,
        full=f"{who} loses {amount} {attribute}",
        rules=(*rules, "HE-ATTR-03"),
    )
    yield ATTRIBUTE_DAMAGE.set(who, lost, rules=(*rules, "HE-ATTR-03"))


def restore_attribute(play: Play, who: Id, attribute: Attribute, amount: int) -> Procedure[None]:
    """Restore up to `amount` points of a lowered score, by data or a ruling (HE-INJ-09)."""
    lost = dict(ATTRIBUTE_DAMAGE.of(play.combat[who]))
    lost[attribute] = max(0, lost.get(attribute, 0) - amount)
    yield Noted(
        f"{who} gets {attribute} back",
        who,
        full=f"{who} gets {amount} {attribute} back",
        rules=("HE-INJ-09",),
    )
    yield ATTRIBUTE_DAMAGE.set(who, lost, rules=("HE-INJ-09",))


AT_ZERO = choices("helpless", "dead", "nothing-more")


def attribute_zero(play: Play, who: Id, attribute: Attribute) -> Procedure[None]:
    """Ask the GM about an attribute score of 0 (HE-ATTR-06).

    The prompt lapses if the score rises, or if the combatant leaves or dies.
    """

    def stands(combat: Combat) -> bool:
        combatant = combat[who]
        return (
            not combatant.left and not combatant.has("dead") and current(combatant, attribute) == 0
        )

    yield ZEROS.set(who, (*ZEROS.of(play.combat[who]), attribute), rules=("HE-ATTR-06",))
    answer = yield from ask_gm(
        "attribute-zero",
        f"{who}'s {attribute} is 0. What happens to {who}?",
        AT_ZERO,
        "helpless",
        rules=("HE-ATTR-06",),
        data={"combatant": who, "attribute": attribute},
        stands=stands,
    )
    if not stands(play.combat):
        return
    if answer.option == "helpless":
        yield gained(play.combat, who, "helpless", rules=("HE-ATTR-06",))
    elif answer.option == "dead":
        yield gained(play.combat, who, "dead", rules=("HE-ATTR-06",))
        yield Died(who, rules=("HE-ATTR-06",))
