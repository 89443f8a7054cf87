"""One use of a routine, and why an attack that hits can do nothing (VD-ROUT-02, VD-FOIL)."""

from collections.abc import Sequence
from dataclasses import dataclass

from domain.record.combat import Combat, Id
from domain.record.events import Noted, Term
from domain.rulesets.vile_darkness.harm import Result, Said
from domain.rulesets.vile_darkness.numbers import sheet
from domain.rulesets.vile_darkness.routines import Blow, Use
from domain.rulesets.vile_darkness.rules import rule


@dataclass(frozen=True)
class Terms:
    """Special terms of this use of a routine.

    - `attack` adds to the rolls, and `ac` to the target's Armour Class.
    - `circumstances` switch on multipliers.
    - `reaction`: it breaks the attacker's own concentration (VD-FREE-07).
    """

    attack: tuple[Term, ...] = ()
    ac: tuple[Term, ...] = ()
    circumstances: tuple[str, ...] = ()
    reaction: bool = False


@dataclass(frozen=True)
class Strike:
    """One use of a routine: attacker, target, weapon, and its special terms.

    `thing` is the object that it strikes. Then `target` is empty (VD-ROUT-02).
    """

    attacker: Id
    target: Id
    use: Use
    terms: Terms = Terms()
    thing: str = ""

    @property
    def at(self) -> str:
        """The target or the object, for texts."""
        return self.target or self.thing


@dataclass(frozen=True)
class Foil:
    """Why an attack that hits does nothing. If `obvious`, everybody learns it."""

    cause: str
    obvious: bool


@rule("VD-FOIL-01", "Kept out or immune: rolled normally, and then it fails, even on a natural 20")
def foil(combat: Combat, strike: Strike, blow: Blow) -> Foil | None:
    """Protection that keeps contact out, or immunity to the form of the attack (VD-FOIL-01)."""
    if strike.thing:
        return None  # an object has neither barriers nor immunities
    attacker, card = combat[strike.attacker], sheet(combat[strike.target])
    if strike.use.kind == "melee":  # a missile is no contact (GAP-37)
        names = ("all", attacker.name, attacker.id, attacker.side)
        barriers = [
            barrier.obvious for barrier in card.contact_barriers if barrier.against in names
        ]
        if barriers:
            return Foil("hedged", any(barriers))
    tags = set(blow.weapon.tags) if blow.weapon else set[str]()
    immune = [
        attack_immunity.obvious
        for attack_immunity in card.attack_immunities
        if is_form(attack_immunity.to, tags)
    ]
    return Foil("immune", any(immune)) if immune else None


def is_form(to: str, tags: set[str]) -> bool:
    """Whether a weapon with these tags is of this form: a tag, `all`, or `non-` and a tag."""
    other = to.removeprefix("non-")
    return to == "all" or to in tags or (other != to and other not in tags)


@rule("VD-FOIL-02", "Hedging is plain after the first routine")
@rule("VD-FOIL-03", "Immunity is not plain unless the data say so")
def why_foiled(strike: Strike, foils: Sequence[Foil]) -> list[Result]:
    """Hedging is plain after the routine (VD-FOIL-02), immunity if the data say so (-03)."""
    told: dict[str, bool] = {}
    for foil in foils:
        told[foil.cause] = told.get(foil.cause, False) or foil.obvious
    return [
        Said(
            Noted(
                f"{strike.attacker}'s attack is foiled: {strike.target} is {cause}",
                strike.attacker,
                private=not obvious,
                rules=("VD-FOIL-02" if cause == "hedged" else "VD-FOIL-03",),
            )
        )
        for cause, obvious in told.items()
    ]
