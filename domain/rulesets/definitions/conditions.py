"""The catalogue of conditions, the conditions that sheets and powers give, and their ends.

Sections 5A and 5B. A condition ends at `turn-start:<name>`, `round-end`, `combat-end` or `removed`
(DEF-TRN-02).
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Literal

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from domain.errors import Impossible, Malformed
from domain.record.combat import Combat, Combatant, Id, Json, Until
from domain.record.events import ConditionGained
from domain.rulebook.effects import Procedure
from domain.rulebook.input_reader import pointing, read
from domain.rulebook.play import Play
from domain.rulebook.ruleset import ConditionInfo, identifier
from domain.rulesets.definitions import numbers, sheet
from domain.rulesets.definitions.facts import GONE, GROUND, Lying
from domain.rulesets.definitions.sheet import GivenCondition, Modifier, powers
from domain.rulesets.definitions.sheet import check as check_sheet
from domain.rulesets.definitions.states import sheet_of


class Brought(Struct, frozen=True):
    """Data that every condition may have.

    `cause` is the state that causes the condition. When that state ends, the condition ends.
    """

    cannot_act: bool = False
    cause: str = ""


class Towards(Brought, frozen=True):
    towards: tuple[Id, ...] = ()


class Affliction(Brought, frozen=True):
    """A wound or an injury, with effects that the GM names (DEF-WND-02)."""

    kind: Literal["wound", "injury"] = "wound"
    name: str = ""


class Grapple(Brought, frozen=True):
    """A grapple that the GM sets by a ruling. `with` is the other combatant."""

    with_: Id | None = field(default=None, name="with")


Info = partial(ConditionInfo, data=Brought)

_NEXT = "start of its next turn"
_AT_MERCY = Info(
    "a kill shot is possible; with `towards` only by those",
    "with its cause",
    ("DEF-INC-02", "DEF-GRE-01"),
    data=Towards,
)

CONDITIONS: Mapping[str, ConditionInfo] = {
    "unconscious": Info(
        "no actions, no reactions, threatens nothing; exposed and helpless; falls prone",
        "HP above 0 and NLD below HP; by the GM's hand, or without air: when that ends",
        ("DEF-INC-03", "DEF-INC-05", "DEF-NLD-03", "DEF-NLD-04"),
    ),
    "bleeding-out": Info(
        "one death save at the start of each own turn",
        "saved, third failure in a row, HP above 0",
        ("DEF-DTH-04", "DEF-DTH-06", "DEF-DTH-07", "DEF-DTH-09"),
    ),
    "stabilized": Info(
        "0 HP and unconscious, but no more death saves",
        "HP above 0, new lethal damage",
        ("DEF-STB-01", "DEF-STB-02", "DEF-STB-03"),
    ),
    "dead": Info("out of the order, no healing", "by the GM only", ("DEF-DTH-01",)),
    "wounded": Info(
        "an affliction in words, from the DM; `kind` wound or injury",
        "treated, by the GM",
        ("DEF-WND-01", "DEF-WND-02", "DEF-WND-03", "DEF-GRB-01"),
        stacks=True,
        data=Affliction,
    ),
    "exposed": _AT_MERCY,
    "helpless": _AT_MERCY,
    "prone": Info(
        "no move and no five-foot step", "stand-up", ("DEF-MOV-06", "DEF-MOV-08")
    ),
    "untrained-armor": Info(
        "check penalty on attacks, movement skills, riding; half of all spells fail",
        "with the armor",
        ("DEF-UNT-01", "DEF-UNT-02"),
    ),
    "delaying": Info(
        "waits with its turn; reactions stay", "resumed, end of round", ("DEF-DLY-01", "DEF-DLY-07")
    ),
    "holding": Info(
        "a declared action waits for its trigger",
        "resolved, start of its next turn, unable to act",
        ("DEF-HLD-01", "DEF-HLD-10"),
    ),
    "flat-footed": Info(
        "flat-footed Armor Class", "end of round after a feigned strike, or the GM",
        ("DEF-ATK-03", "DEF-FEI-03", "DEF-GEN-07"),
    ),
    "charging": Info(
        "weapon damage +2, with two hands +4; AC −2", _NEXT, ("DEF-CHG-07",)
    ),
    "full-defense": Info(
        "AC +4 dodge; no attacks of opportunity", _NEXT, ("DEF-FDF-01", "DEF-FDF-03")
    ),
    "reckless": Info(
        "AC −4 dodge; weapon damage +2 in this turn", _NEXT, ("DEF-REK-01", "DEF-STN-02")
    ),
    "defensive": Info(
        "AC +2; attack rolls −4 in this turn", _NEXT, ("DEF-DEF-01", "DEF-STN-02")
    ),
    "shattering": Info("AC −4, never more than once", _NEXT, ("DEF-SHT-02",)),
    "grappled": Info(
        "held: no movement, threatens nothing, flat-footed towards all others, few weapons, no "
        "gestures; `with` names the aggressor when the GM gives it",
        "escape, release, third submission, or the aggressor cannot hold it any more",
        ("DEF-GRP-06", "DEF-GRP-07", "DEF-GRP-08", "DEF-GRP-09", "DEF-GRP-10", "DEF-GSP-01"),
        data=Grapple,
    ),
    "grappling": Info(
        "holds somebody: the same, but it may gesture and use the options of a grapple",
        "with the grapple",
        ("DEF-GRP-07", "DEF-GRP-08", "DEF-GRP-09", "DEF-GRP-10", "DEF-GRP-14"),
        data=Grapple,
    ),
    "pinned": Info(
        "no attacks and no movement", "with the grapple", ("DEF-GPN-01", "DEF-GPN-02")
    ),
    "swallowed": Info(
        "inside: no movement, threatens nothing, targets only the swallower; no air after 3 rounds",
        "cut out, retrieved",
        ("DEF-SWL-04", "DEF-SWL-06", "DEF-SWL-07", "DEF-SWL-08"),
    ),
    "disarmed": Info(
        "a marker", "a weapon is in the primary slot", ("DEF-DIS-05",)
    ),
    "cannot-act": Info(
        "data of a power or the GM: no actions and no reactions", "as given", ("DEF-TRN-04",)
    ),
    "cannot-speak": Info(
        "data of a power or the GM: no spells that need words", "as given", ("DEF-GSP-03",)
    ),
    "modifier": Info(
        "a number of a type for a target, with an end", "as its `until` says", ("DEF-TRN-02",),
        stacks=True,
        data=Modifier,
    ),
}  # fmt: skip


# ---- conditions of sheets


def check(page: sheet.Combatant) -> Iterator[Malformed | Impossible]:
    """Yield the faults of a sheet, including faults in the data of its conditions."""
    yield from check_sheet(page)
    yield from _unfit("/conditions", page.conditions)
    for at, power in powers(page):
        yield from _unfit(f"{at}/conditions", power.conditions)


def _unfit(at: str, given: Sequence[GivenCondition]) -> Iterator[Malformed]:
    for index, given_condition in enumerate(given):
        try:
            with pointing(f"{at}/{index}/data"):
                read_data(given_condition.id, given_condition.data)
        except Malformed as fault:
            yield fault


def read_data(condition: str, data: Mapping[str, Json]) -> None:
    """Raise `Malformed` if the data do not fit the schema of the condition.

    A condition outside the catalogue may have any fields in addition to the common ones.
    """
    known = CONDITIONS.get(condition)
    read(data, Brought if known is None else known.data)


def named(combat: Combat, name: str) -> Id | None:
    """Return the combatant with this id or name."""
    if name in combat.combatants:
        return name
    return next((combatant.id for combatant in combat if combatant.name == name), None)


def until(combat: Combat, text: str | None) -> tuple[Until, ...]:
    """Return the moment at which a condition ends, or nothing if the GM ends it."""
    if text == "round-end":
        return (Until("round-end", round=combat.round),)
    if text is not None and text.startswith("turn-start:"):
        name = text.removeprefix("turn-start:")
        return (Until("turn-start", who=named(combat, name) or identifier(name)),)
    return ()


def modifier_gained(
    combat: Combat, who: Id, modifier: Modifier, source: Id | None
) -> ConditionGained:
    """Return the event that adds a temporary modifier as a condition."""
    data = msgspec.to_builtins(modifier)
    rules = ("DEF-TRN-02",)
    ends = until(combat, modifier.until)
    return ConditionGained(who, "modifier", data=data, until=ends, source=source, rules=rules)


def condition_gained(
    combat: Combat, who: Id, given: GivenCondition, source: Id | None, rules: tuple[str, ...]
) -> ConditionGained:
    """Return the event that adds a condition of a sheet or a power."""
    by = source if given.source is None else named(combat, given.source) or source
    key = beside(combat[who], given.id, by)
    ends = until(combat, given.until)
    return ConditionGained(who, given.id, key, given.data, ends, by, rules=rules)


def beside(combatant: Combatant, condition: str, source: Id | None) -> str:
    """Return a key that separates equal conditions of different sources.

    For a condition that stacks or is outside the catalogue, return "". The engine then chooses the
    key.
    """
    info = CONDITIONS.get(condition)
    if info is None or info.stacks:
        return ""
    held = combatant.all(condition)
    key = next((other.key for other in held if other.source == source), None)
    if key is not None:
        return key
    return f"{condition}:{source}" if held else ""


def awaited(play: Play, who: Id) -> Procedure[None]:
    """Set the newcomer as the source of each condition that names it on any sheet.

    Before the newcomer joins, these conditions have no source.
    """
    names = (who, play.combat[who].name)
    for combatant in play.combat:
        for given in sheet_of(combatant).conditions:
            unbound = [held.key for held in combatant.all(given.id) if held.source is None]
            if unbound and given.source in names:
                rules = ("DEF-GEN-03",)
                bound = condition_gained(play.combat, combatant.id, given, None, rules)
                yield replace(bound, key=unbound[0])


def arrive(play: Play, who: Id) -> Procedure[None]:
    """Yield the events of the sheet's conditions, modifiers and things on the ground.

    These events need no rolls or answers. If HP or NLD have already caused a condition, the sheet
    does not add that condition again. The condition then ends with HP or NLD (DEF-NLD-04).
    """
    combatant = play.combat[who]
    page = sheet_of(combatant)
    for given in page.conditions:
        if given == GivenCondition(id=given.id) and combatant.has(given.id):
            continue
        yield condition_gained(play.combat, who, given, None, ("DEF-GEN-03",))
    yield from awaited(play, who)
    for modifier in numbers.timed(play.combat[who]):
        yield modifier_gained(play.combat, who, modifier, None)
    lying = [item for item in page.items if item.stored == "ground"]
    if lying:
        lyings = tuple(
            Lying(id=item.id, kind="item", owner=who, at=item.at, data=msgspec.to_builtins(item))
            for item in lying
        )
        yield GROUND.set((*GROUND.of(play.combat), *lyings), rules=("DEF-DIS-08",))
        yield GONE.set(who, tuple(item.id for item in lying), rules=("DEF-DIS-08",))
