"""One attack, with its roll, its confirmation and its damage.

DEF-ATK, DEF-RNG, DEF-SHB, DEF-DMG, DEF-CRT. A weapon and a shield strike by the same steps. A
`Blow` contains the differences between them.
"""

from collections.abc import Callable, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from domain.dice import formula, parse
from domain.errors import Illegal
from domain.record.combat import Combat, Id
from domain.record.events import Noted, Rolled, Term
from domain.rulebook.effects import Procedure, roll, stopped_by
from domain.rulebook.play import Play
from domain.rulebook.presence import in_fight
from domain.rulebook.sums import Sum
from domain.rulesets.definitions import arms, board, harm, numbers
from domain.rulesets.definitions.harm import Hit, Part
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.sheet import ExtraDamage, Shield, Weapon, types
from domain.rulesets.definitions.states import flat_footed, out_of_fight, partner


class Blow(Struct, frozen=True):
    """A strike at a target with a weapon or shield.

    - `place`: the place in the order of attacks, which gives the base attack bonus.
    - `own`: true for an attack action.
    """

    attacker: Id
    target: Id
    arm: Weapon | Shield
    place: int
    own: bool = True

    @property
    def dice(self) -> str:
        """Return the damage dice (DEF-SHB-03)."""
        if isinstance(self.arm, Shield):
            return arms.BASH_DICE[self.arm.kind]
        return self.arm.damage

    def to_hit(self, combat: Combat) -> list[Term]:
        if isinstance(self.arm, Shield):
            return numbers.bash_terms(combat, self.attacker, self.arm, self.place, self.own)
        return numbers.attack_terms(combat, self.attacker, self.arm, self.place, self.own)

    def flat(self, combat: Combat) -> list[Term]:
        if isinstance(self.arm, Shield):
            return numbers.bash_damage_terms(combat, self.attacker, self.arm, self.own)
        return numbers.damage_terms(combat, self.attacker, self.arm, self.own)

    @property
    def ranged(self) -> bool:
        return isinstance(self.arm, Weapon) and self.arm.kind == "ranged"

    def now(self, combat: Combat) -> "Blow":
        """Return the blow with the weapon's values in the current sheet.

        If the sheet no longer has the weapon, the old values remain.
        """
        combatant = combat[self.attacker]
        present = (
            arms.shields(combatant) if isinstance(self.arm, Shield) else arms.weapons(combatant)
        )
        return replace(self, arm=next((arm for arm in present if arm.id == self.arm.id), self.arm))

    def gets_there(self, combat: Combat) -> bool:
        """Return true if the target is still in the fight and in reach."""
        if not in_fight(combat, self.attacker) or not in_fight(combat, self.target):
            return False
        if self.ranged:
            return True
        weapon = None if isinstance(self.arm, Shield) else self.arm
        return board.within_reach(combat, self.attacker, self.target, weapon) is not False


class Aimed(Struct, frozen=True):
    """An attack roll before its dice are rolled.

    - `terms`, `ac` and `threat` give their values at the time of the roll.
    - `threat` is the lowest face that threatens a critical hit.
    - `purpose` is `attack` or `touch`.
    """

    attacker: Id
    target: Id
    terms: Callable[[], Sequence[Term]]
    ac: Callable[[], Sum]
    threat: Callable[[], int]
    purpose: str
    rule: str


def strike(play: Play, blow: Blow) -> Procedure[int]:
    """Roll against the AC, confirm a threat, and deal the damage. Return the damage."""
    aimed = Aimed(
        blow.attacker,
        blow.target,
        lambda: blow.now(play.combat).to_hit(play.combat),
        lambda: armor_class(play.combat, blow.attacker, blow.target),
        lambda: blow.now(play.combat).arm.crit_range,
        "attack",
        "DEF-RNG-01" if blow.ranged else "DEF-ATK-02",
    )
    struck = yield from to_hit(play, aimed)
    if struck == "miss":
        return 0

    def away() -> Illegal | None:
        if blow.gets_there(play.combat):
            return None
        return Illegal("DEF-DMG-01", "out-of-reach", f"{blow.target} is out of reach by now")

    harmful = wound(play, blow, critical=struck == "critical")
    hit = yield from stopped_by(play, blow.attacker, harmful, "damage", away)
    return 0 if hit is None else (yield from harm.deal(play, hit))


@rule("DEF-ATK-03", "Against a flat-footed target, the flat-footed AC counts")
def armor_class(combat: Combat, attacker: Id, target: Id, *, touch: bool = False) -> Sum:
    """Return the target's AC against this attacker (DEF-TCH-02)."""
    flat = flat_footed(combat, target, attacker)
    return numbers.armor_terms(combat[target], touch=touch, flat_footed=flat)


def to_hit(play: Play, aimed: Aimed) -> Procedure[str]:
    """Return `miss`, `hit` or `critical`. If the target leaves the combat, return `miss`."""
    out = out_of_fight(play, aimed.target)
    rolls = stopped_by(play, aimed.attacker, attack_rolls(aimed), aimed.purpose, out)
    return (yield from rolls) or "miss"


@rule("DEF-ATK-02", "A total of at least the AC hits")
@rule("DEF-ATK-04", "No face of the die hits or misses by itself")
@rule("DEF-CRT-01", "A threat needs a face in the threat range and a hit")
@rule("DEF-CRT-02", "The confirmation roll has the same modifiers")
@rule("DEF-CRT-03", "The confirmation comes before the damage. Only its total counts")
def attack_rolls(aimed: Aimed) -> Procedure[str]:
    """Roll the attack and the confirmation of a threat. Return `miss`, `hit` or `critical`."""

    def judge(faces: Sequence[int], total: int, target: int) -> str:
        if total < target:
            return "miss"
        return "threat" if faces[0] >= aimed.threat() else "hit"

    first = yield from roll(
        aimed.attacker,
        aimed.purpose,
        "1d20",
        rules=(aimed.rule, "DEF-ATK-04"),
        terms=aimed.terms,
        target=aimed.ac,
        against=aimed.target,
        judge=judge,
    )
    if first.outcome != "threat":
        return first.outcome
    again = yield from roll(
        aimed.attacker,
        "confirm",
        "1d20",
        rules=("DEF-CRT-02", "DEF-CRT-03"),
        terms=first.terms,  # the same modifiers against the same AC (DEF-CRT-02)
        target=Sum().take(first.target_terms) if first.target_terms else first.target,
        against=aimed.target,
        judge=lambda faces, total, target: "critical" if total >= target else "hit",
    )
    return again.outcome


# ---- damage


@rule("DEF-DMG-06", "A hit deals at least 1 before reductions, without extra dice")
def wound(play: Play, blow: Blow, *, critical: bool) -> Procedure[Hit]:
    """Roll the damage of a hit.

    A critical hit multiplies the dice and the flat numbers, but not the extra dice (DEF-CRT-05).
    """
    rolled = yield from weapon_damage(play, blow, critical=critical)
    arm = blow.now(play.combat).arm
    soft = arm.non_lethal
    kinds = types(arm.damage_type)
    parts = [harm.at_least(1, rolled.total, arm.name, kinds, soft, "DEF-DMG-06")]

    def extra() -> Sequence[ExtraDamage]:
        now = blow.now(play.combat).arm
        return () if isinstance(now, Shield) else now.extra_damage

    parts += yield from extras(play, blow.attacker, extra, types(arm.damage_type), soft)
    cuts = isinstance(arm, Weapon) and arms.sharp(arm)
    return Hit(blow.target, tuple(parts), blow.attacker, arm.name, cuts=cuts)


@rule("DEF-CRT-05", "A critical hit multiplies fixed numbers in the same way")
@rule("DEF-CRT-07", "With a training bonus, 2d8+8 becomes 2d8+12")
def weapon_damage(play: Play, blow: Blow, *, critical: bool) -> Procedure[Rolled]:
    """Roll the damage dice of a weapon or shield with its flat numbers (DEF-DMG-01)."""

    def times() -> int:
        return blow.now(play.combat).arm.crit_multiplier if critical else 1

    def flat() -> Sequence[Term]:
        terms, by = blow.now(play.combat).flat(play.combat), times()
        if by == 1:
            return terms
        return [Term(f"{term.source} ×{by}", term.value * by, term.rule) for term in terms]

    return (
        yield from roll(
            blow.attacker,
            "damage",
            lambda: multiplied(blow.now(play.combat).dice, times()),
            rules=("DEF-DMG-01", *(("DEF-CRT-04", "DEF-CRT-05") if times() > 1 else ())),
            terms=flat,
            against=blow.target,
        )
    )


@rule("DEF-CRT-04", "A critical hit rolls the dice as often as its multiplier")
def multiplied(dice: str, times: int) -> str:
    """Return the formula with dice and constants multiplied: 3 times 1d8 + 1 is 3d8 + 3."""
    once = parse(dice)
    return formula(once.dice * times, once.constant * times).text


@rule("DEF-DMG-05", "Extra damage has a separate roll and belongs to the same hit")
@rule("DEF-CRT-06", "A critical hit does not multiply extra dice")
def extras(
    play: Play,
    who: Id,
    extra: Callable[[], Sequence[ExtraDamage]],
    own: tuple[str, ...],
    soft: bool,
) -> Procedure[list[Part]]:
    """Roll each entry of extra damage once, in the order of the list."""
    parts: list[Part] = []
    while len(parts) < len(extra()):
        entry = partial(_entry, extra, len(parts), extra()[len(parts)])
        rolled = yield from roll(
            who, "extra-damage", _formula(entry), rules=("DEF-DMG-05", "DEF-CRT-06")
        )
        rolled_for = entry()
        kinds = own if rolled_for.damage_type is None else types(rolled_for.damage_type)
        name = rolled_for.source or "extra damage"
        parts.append(harm.at_least(0, rolled.total, name, kinds, soft, "DEF-DMG-05"))
    return parts


def _entry(
    extra: Callable[[], Sequence[ExtraDamage]], index: int, before: ExtraDamage
) -> ExtraDamage:
    """Return the entry from the current list, or `before` if the list has become shorter."""
    now = extra()
    return now[index] if index < len(now) else before


def _formula(entry: Callable[[], ExtraDamage]) -> Callable[[], str]:
    return lambda: entry().formula


UPPER_HALF = 51
"""The lowest face of a d% that is in its upper half."""


@rule("DEF-RNG-04", "Half of the shots into a grapple hit the other grappler")
@rule("DEF-RNG-05", "Shots and touches from outside at either grappler can go astray")
def gone_astray(play: Play, who: Id, target: Id) -> Procedure[Id]:
    """Return the real target of a shot into a grapple.

    Half of the shots hit the other combatant.
    """
    other = partner(play.combat, target)
    if other is None or who in (target, other):
        return target

    def parted() -> Illegal | None:
        if partner(play.combat, target) == other:
            return None
        return Illegal("DEF-RNG-04", "ended", f"{target} is not in that grapple any more")

    rolled = yield from roll(
        who,
        "miss-chance",
        "1d100",
        rules=("DEF-RNG-04", "DEF-RNG-05"),
        target=UPPER_HALF,
        against=target,
        judge=lambda faces, total, target: "success" if total >= UPPER_HALF else "failure",
        stops=parted,
    )
    if rolled is None or rolled.outcome == "success":
        return target
    yield Noted(f"The shot goes for {other}", rules=("DEF-RNG-04",))
    return other
