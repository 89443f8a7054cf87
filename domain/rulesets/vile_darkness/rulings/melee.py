"""Rulings on attacks and melee: engagements, modifiers, granted attacks, morale."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.errors import Illegal, Impossible, Malformed
from domain.record.combat import Id
from domain.record.events import ConditionLost, Term
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.effects import Procedure, roll
from domain.rulebook.gm import About, Word, everybody, foes, known, ruling
from domain.rulebook.play import Play
from domain.rulebook.sheets import no_formula
from domain.rulebook.sums import Sum
from domain.rulesets.vile_darkness.attack import engage
from domain.rulesets.vile_darkness.facts import CIRCUMSTANCES, Circumstance
from domain.rulesets.vile_darkness.free_attacks import Drawn, free_attacks, free_refusals
from domain.rulesets.vile_darkness.hit_dice import morale_bonus
from domain.rulesets.vile_darkness.immediate_attacks import (
    TakingAtOnce,
    immediate_attacks,
    immediate_refusals,
)
from domain.rulesets.vile_darkness.numbers import engaged_with, fallen, sheet
from domain.rulesets.vile_darkness.reactions import Taking
from domain.rulesets.vile_darkness.rulings.moments import in_round
from domain.rulesets.vile_darkness.sheet import Number


class Pair(Struct, frozen=True, forbid_unknown_fields=True):
    a: Id
    b: Id


class Parting(Struct, frozen=True, forbid_unknown_fields=True):
    """No `b`: from everybody."""

    a: Id
    b: Id | None = None


class Modifying(Struct, frozen=True, forbid_unknown_fields=True):
    """On the next attack routine of the attacker (at the target), in this round."""

    attacker: Id
    value: Number = 0
    target: Id | None = None
    circumstances: tuple[Word, ...] = ()


class GrantingAtOnce(Struct, frozen=True, forbid_unknown_fields=True):
    attacker: Id
    against: Id


class Granting(GrantingAtOnce, frozen=True, forbid_unknown_fields=True):
    attack_bonus: Number = 0
    ac_penalty: Annotated[int, Meta(ge=0, le=100)] = 0


class Morale(About, frozen=True, forbid_unknown_fields=True):
    """By default 2d6 against the sheet's `morale`, low succeeds."""

    formula: Annotated[str, Meta(min_length=1, max_length=64)] = "2d6"
    target: Number | None = None
    success: Literal["≤", "≥", "<=", ">="] = "≤"


def _granted(play: Play, _: Id, inputs: GrantingAtOnce) -> Iterator[Illegal]:
    yield from in_round(play, _, inputs)
    if inputs.attacker == inputs.against:
        detail = "nobody attacks itself"
        yield Impossible("VD-ATK-01", "wrong-kind", detail, pointer="/inputs/against")


def _of_the_grant(reasons: Iterable[Illegal]) -> Iterator[Illegal]:
    """Yield the reasons against the attack, with the fields of the ruling."""
    for reason in reasons:
        target = reason.pointer == "/inputs/target"
        reason.pointer = "/inputs/against" if target else NO_FIELD
        yield reason


def _free_refusals(play: Play, _: Id, inputs: Granting) -> Iterator[Illegal]:
    yield from _granted(play, _, inputs)
    yield from _of_the_grant(free_refusals(play.combat, inputs.attacker, inputs.against, Taking()))


def _immediate_refusals(play: Play, _: Id, inputs: GrantingAtOnce) -> Iterator[Illegal]:
    yield from _granted(play, _, inputs)
    yield from _of_the_grant(
        immediate_refusals(play.combat, inputs.attacker, inputs.against, TakingAtOnce())
    )


def _morale_refusals(play: Play, _: Id, inputs: Morale) -> Iterator[Illegal]:
    known(play, _, inputs)
    for fault in no_formula("/inputs/formula", inputs.formula):
        raise fault
    if inputs.target is None and sheet(play.combat[inputs.who]).morale is None:
        raise Malformed("/inputs/target", "the sheet has no morale: give the target")
    return iter(())


def _two(play: Play, _: Id, inputs: Pair) -> Iterator[Illegal]:
    """Melee is between opponents that stand (section 5: engaged, down)."""
    known(play, _, inputs)
    a, b = play.combat[inputs.a], play.combat[inputs.b]
    if a.id == b.id:
        raise Malformed("/inputs/b", "nobody is in melee with itself")
    if a.side == b.side:
        raise Malformed("/inputs/b", f"{a.name} and {b.name} are on the same side")
    for combatant in (a, b):
        if fallen(combatant):
            yield refuse(
                "VD-MELEE-01",
                "cannot-act",
                f"{combatant.name} is down",
                "a" if combatant is a else "b",
            )


def engaging(play: Play, _: Id, inputs: Pair) -> Procedure[None]:
    yield from list(engage(play.combat, inputs.a, inputs.b))


def separate(play: Play, _: Id, inputs: Parting) -> Procedure[None]:
    for other in engaged_with(play.combat[inputs.a]):
        if inputs.b in (None, other):
            yield ConditionLost(inputs.a, "engaged", other, "ruling", rules=("VD-MELEE-01",))


def modifier(play: Play, _: Id, inputs: Modifying) -> Procedure[None]:
    """VD-ATK-01."""
    kept = CIRCUMSTANCES.of(play.combat[inputs.attacker])
    more = Circumstance(inputs.value, inputs.target, inputs.circumstances)
    yield CIRCUMSTANCES.set(inputs.attacker, (*kept, more), rules=("VD-ATK-01",))


def grant_free_attack(play: Play, _: Id, inputs: Granting) -> Procedure[None]:
    """A trigger that the GM sees (VD-FREE-01, GAP-35)."""
    drawn = Drawn(inputs.attack_bonus, inputs.ac_penalty)
    yield from free_attacks(play, {inputs.attacker: [inputs.against]}, {inputs.against: drawn})


def grant_immediate_attack(play: Play, _: Id, inputs: GrantingAtOnce) -> Procedure[None]:
    """A trigger that the GM sees (VD-IMMA-01, GAP-35)."""
    yield from immediate_attacks(play, [(inputs.attacker, inputs.against, None, ())])


def morale_check(play: Play, _: Id, inputs: Morale) -> Procedure[None]:
    """Enhanced hit dice help: on the roll when high succeeds, else on the target (VD-EHD-06)."""
    high = inputs.success in ("≥", ">=")

    def bonus() -> int:
        return morale_bonus(sheet(play.combat[inputs.who]))

    def morale() -> int | None:
        return sheet(play.combat[inputs.who]).morale if inputs.target is None else inputs.target

    first = morale()
    assert first is not None  # else it was refused

    def needed() -> Sum:
        now = morale()
        wanted = Sum().add("morale", first if now is None else now, "VD-EHD-06")
        return wanted if high else wanted.add("enhanced hit dice", bonus(), "VD-EHD-06")

    def word(faces: Sequence[int], total: int, target: int) -> str:
        return "success" if (total >= target if high else total <= target) else "failure"

    yield from roll(
        inputs.who,
        "morale",
        inputs.formula,
        rules=("VD-EHD-06",),
        terms=lambda: (Term("enhanced hit dice", bonus() if high else 0, "VD-EHD-06"),),
        target=needed,
        judge=word,
    )


MELEE = (
    ruling(
        "engage", Pair, engaging, "In melee", "VD-MELEE-01",
        refusals=_two, candidates=foes("a", "b"), idle="{a} and {b} are in melee already",
    ),
    ruling(
        "separate", Parting, separate, "Not in melee", "VD-MELEE-01",
        candidates=foes("a", "b"), idle="{a} is in no such melee",
    ),
    ruling("modifier", Modifying, modifier, "A modifier for the next attack", "VD-ATK-01"),
    ruling(
        "grant-free-attack", Granting, grant_free_attack, "A free attack", "VD-FREE-01",
        refusals=_free_refusals, candidates=foes("attacker", "against"),
    ),
    ruling(
        "grant-immediate-attack", GrantingAtOnce, grant_immediate_attack, "An immediate attack",
        "VD-IMMA-01", refusals=_immediate_refusals, candidates=foes("attacker", "against"),
    ),
    ruling(
        "morale-check", Morale, morale_check, "Morale", "VD-EHD-06",
        refusals=_morale_refusals, candidates=everybody({"target": 8}),
    ),
)  # fmt: skip
