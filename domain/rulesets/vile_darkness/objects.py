"""Attacks at objects: the GM says how hard they are to hit, and whether they can be reached."""

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Json
from domain.record.events import AnyEvent, EffectResolved
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.effects import Procedure, ask_gm
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option
from domain.rulebook.sums import Sum
from domain.rulesets.vile_darkness.facts import OBJECTS, Thing
from domain.rulesets.vile_darkness.numbers import ac_terms
from domain.rulesets.vile_darkness.sheet import Number
from domain.rulesets.vile_darkness.strikes import Strike


class Hardness(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`ac` is its Armour Class. If null, it keeps the earlier one, at first 10."""

    ac: Number | None = None


def _samples(play: Play, _: Id) -> Iterator[Mapping[str, Json]]:
    yield {}
    yield {"ac": 5}


OBJECT = (
    Option("set", Hardness, candidates=_samples, label="It can be attacked"),
    Option("refuse", label="It is not within reach"),
)


def known(combat: Combat, name: str) -> Thing:
    """Return the known facts of an object."""
    return OBJECTS.of(combat).get(name, Thing())


def remembered(combat: Combat, name: str, thing: Thing) -> AnyEvent:
    """Return the event that remembers it."""
    return OBJECTS.set({**OBJECTS.of(combat), name: thing}, rules=("VD-ROUT-02",))


def at_object(play: Play, who: Id, name: str) -> Procedure[Illegal | None]:
    """Ask the GM for its Armour Class: the rules give an object no place and no numbers."""
    thing = known(play.combat, name)
    answer = yield from ask_gm(
        "object",
        f"{who} attacks {name}. Which Armour Class does it have?",
        OBJECT,
        "set",
        rules=("VD-ROUT-02",),
        data={"attacker": who, "object": name, "ac": thing.ac, "damage": thing.damage},
    )
    if answer.option == "refuse":
        return refuse("VD-ROUT-02", "out-of-reach", f"{name} is not within reach", NO_FIELD)
    ac = answer.inputs.ac
    now = known(play.combat, name)
    if ac is not None and ac != now.ac:
        yield remembered(play.combat, name, replace(now, ac=ac))
    return None


def armour_class(combat: Combat, strike: Strike) -> Sum:
    """Return the Armour Class that a use of a routine is rolled against."""
    if strike.thing:
        return Sum().add("AC", known(combat, strike.thing).ac, "VD-ROUT-02")
    return ac_terms(combat, combat[strike.target], strike.use.kind, strike.terms.ac)


def damaged(combat: Combat, strike: Strike, amount: int) -> Iterator[AnyEvent]:
    """Count the damage. The GM rules on its effect on the object."""
    thing = known(combat, strike.thing)
    whole = thing.damage + amount
    yield remembered(combat, strike.thing, replace(thing, damage=whole))
    numbers = {"damage": amount, "whole_damage": whole}
    rules = ("VD-ROUT-02",)
    yield EffectResolved(
        strike.attacker,
        "object",
        strike.thing,
        "damaged",
        strike.thing,
        numbers=numbers,
        rules=rules,
    )
