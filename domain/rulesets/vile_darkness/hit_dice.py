"""Enhanced hit dice, N+B: each benefit by its own formula (VD-EHD)."""

from msgspec import Struct

from domain.rulebook.sums import Sum
from domain.rulesets.vile_darkness.rules import rule
from domain.rulesets.vile_darkness.sheet import HIT_DICE, Creature


class HitDice(Struct, frozen=True):
    """`base` dice and their `enhancement`, 0 = none (VD-EHD-01)."""

    base: int
    enhancement: int = 0


@rule("VD-EHD-01", "Hit dice N+B. B 0 means none")
def hit_dice(sheet: Creature) -> HitDice | None:
    """The sheet's hit dice; None when it has none of the form N or N+B."""
    found = None if sheet.hit_dice is None else HIT_DICE.fullmatch(sheet.hit_dice)
    return None if found is None else HitDice(int(found[1]), int(found[2] or 0))


def attack_dice(dice: HitDice) -> Sum:
    """+4 or more counts as one hit die more, never as two (VD-EHD-02)."""
    more = 1 if dice.enhancement >= 4 else 0
    total = Sum().add("hit dice", dice.base, "VD-EHD-01")
    return total.add("enhancement", more, "VD-EHD-02", why="it is less than +4")


def attack_hd(dice: HitDice) -> int:
    """Hit dice for attacks."""
    return attack_dice(dice).value


@rule("VD-EHD-02", "Attack: +1 to +3 the plus line, +4 or more one hit die, never more")
def attack_band(dice: HitDice) -> str:
    """The row of the Monster Attack Table: 1, 1+, then pairs that start even (VD-EHD-02)."""
    hd = attack_hd(dice)
    if hd == 1:
        return "1+" if dice.enhancement else "1"
    first = hd - hd % 2
    return f"{first}-{first + 1}+"


@rule("VD-EHD-03", "Saves: one hit die for each four points begun, without limit")
def save_dice(dice: HitDice) -> Sum:
    """One more for each four points begun, without limit (VD-EHD-03)."""
    total = Sum().add("hit dice", dice.base, "VD-EHD-01")
    return total.add("enhancement", -(-dice.enhancement // 4), "VD-EHD-03", why="it has none")


def save_hd(dice: HitDice) -> int:
    """Hit dice for saves."""
    return save_dice(dice).value


def save_band(dice: HitDice) -> str:
    """The row of the Monster Save Table: pairs that start odd (VD-EHD-03)."""
    first = save_hd(dice) - 1 + save_hd(dice) % 2
    return f"{first}-{first + 1}"


@rule("VD-EHD-04", "Overall hit dice are those of saves")
def overall_dice(dice: HitDice) -> Sum:
    """Return the hit dice for every effect: those of saves (VD-EHD-04)."""
    return Sum().nests("hit dice for saves", save_dice(dice), "VD-EHD-04")


@rule("VD-EHD-05", "Hit points: the bonus once for each die")
def hit_points(dice: HitDice) -> str:
    """The enhancement once for each die: 4+4 has 4d8+16 (VD-EHD-05)."""
    extra = dice.base * dice.enhancement
    return f"{dice.base}d8+{extra}" if extra else f"{dice.base}d8"


@rule("VD-EHD-06", "Morale gains the bonus")
def morale_bonus(sheet: Creature) -> int:
    """The enhancement (VD-EHD-06)."""
    dice = hit_dice(sheet)
    return dice.enhancement if dice else 0
