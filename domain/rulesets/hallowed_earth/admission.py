"""The pools and the checks of a sheet (sections 2 and 4.3)."""

from collections.abc import Iterator, Mapping

from domain.errors import Impossible, Malformed
from domain.record.combat import Combat, Id, Track
from domain.rulebook.sheets import above_maximum, no_formula, twins
from domain.rulesets.hallowed_earth.rules import rule
from domain.rulesets.hallowed_earth.sheet import Attack, Creature, Damage, Heals, score


@rule("HE-WP-01", "Wound Points are the Strength score + modifiers")
@rule("HE-WP-02", "Wound Points do not grow with level or HD", untold="what does not happen")
def max_wound_points(sheet: Creature) -> int:
    """Return the number on the sheet, or else Strength score + modifiers (HE-WP-01).

    Levels and HD do not count (HE-WP-02).
    """
    if sheet.max_wound_points is not None:
        return sheet.max_wound_points
    return score(sheet, "strength") + sum(modifier.value for modifier in sheet.wound_modifiers)


def tracks(sheet: Creature) -> Mapping[str, Track]:
    """Return the pools of a newcomer: Stress, Wound Points and Mana.

    Affray rolls Stress from hit dice later.
    """
    most = sheet.max_stress
    stress = most if sheet.stress is None else sheet.stress
    wounds = max_wound_points(sheet)
    return {
        "stress": Track(stress or 0, (sheet.stress or 0) if most is None else most),
        "wound_points": Track(wounds if sheet.wound_points is None else sheet.wound_points, wounds),
        "mana": Track(sheet.max_mana if sheet.mana is None else sheet.mana, sheet.max_mana),
    }


_SET_TRACK = "use the ruling set-track"


def settled(combat: Combat, who: Id) -> Mapping[str, str]:
    """Return the sheet fields that Affray no longer reads, each with the ruling to use instead."""
    once = {
        **dict.fromkeys(("stress", "max_stress", "hit_dice", "mana", "max_mana"), _SET_TRACK),
        **dict.fromkeys(("wound_points", "max_wound_points", "wound_modifiers"), _SET_TRACK),
        "wounds": "use the rulings damage and heal",
        "injuries": "use the rulings injury and heal",
        "conditions": "use the ruling condition",
        "surprised": "use the ruling surprise or condition",
    }
    if "base_initiative" in combat[who].facts:
        fields = ("initiative_group", "initiative_modifiers")
        once |= dict.fromkeys(fields, "use the ruling set-initiative")
    return once


FAULTY: Mapping[str, tuple[str, str]] = {
    "weapons": ("HE-ATK-09", "bad-weapon"),
    "spells": ("HE-MOD-08", "bad-spell"),
}
"""Lists of a sheet whose incomplete entries get a rule and a code (4.3)."""


def faulty(fault: Malformed) -> Malformed | Impossible:
    """Return the fault of a weapon or spell as `Impossible`, and any other fault unchanged.

    A fault about an unknown field also stays `Malformed` (sections 2.2 and 2.3).
    """
    part = fault.pointer.split("/")[1:3]
    if len(part) < 2 or part[0] not in FAULTY or str(fault).startswith("unknown field"):
        return fault
    rule, code = FAULTY[part[0]]
    return Impossible(rule, code, str(fault), fault.allowed, fault.pointer)


@rule("HE-SHARE-04", "A character has no group")
def check(sheet: Creature) -> Iterator[Malformed | Impossible]:
    """Yield the faults of a sheet that its types cannot express."""
    if sheet.initiative_group is not None and sheet.kind != "monster":
        yield Impossible(
            "HE-SHARE-04",
            "group-only-monsters",
            "only monsters share an initiative die",
            pointer="/initiative_group",
        )
    yield from above_maximum(sheet, "stress", "mana")
    if sheet.wound_points is not None and sheet.wound_points > max_wound_points(sheet):
        yield Malformed("/wound_points", f"at most {max_wound_points(sheet)}, the maximum")
    for index, dice in enumerate(sheet.hit_dice):
        yield from no_formula(f"/hit_dice/{index}", dice)
    yield from twins(sheet, "weapons", "spells", "items", "abilities", "armour")
    for index, weapon in enumerate(sheet.weapons):
        at = f"/weapons/{index}"
        for fault in no_formula(f"{at}/damage", weapon.damage):
            yield Impossible("HE-ATK-09", "bad-weapon", fault.detail, pointer=fault.pointer)
        yield from _multiplier(at, weapon.crit_multiplier)
    for index, spell in enumerate(sheet.spells):
        at = f"/spells/{index}"
        if spell.speed is None and spell.casting_tn is None:
            detail = "give a casting_tn or a speed"
            yield Impossible("HE-MOD-08", "bad-spell", detail, pointer=f"{at}/casting_tn")
        if spell.casting_bonus is not None and spell.casting_tn is None:
            detail = "a casting roll needs a casting_tn"
            yield Impossible("HE-MAG-02", "bad-spell", detail, pointer=f"{at}/casting_tn")
        yield from _attack(f"{at}/attack", spell.attack)
        yield from _effects(at, spell.damage, spell.heals)
    for index, item in enumerate(sheet.items):
        at = f"/items/{index}"
        yield from _attack(f"{at}/throw", item.throw)
        yield from _effects(at, None, item.heals)
    for index, ability in enumerate(sheet.abilities):
        at = f"/abilities/{index}"
        yield from _attack(f"{at}/attack", ability.attack)
        yield from _effects(at, ability.damage, ability.heals)


def _attack(at: str, attack: Attack | None) -> Iterator[Malformed | Impossible]:
    if attack is not None:
        yield from no_formula(f"{at}/damage", attack.damage)
        if attack.crit_multiplier is not None:
            yield from _multiplier(at, attack.crit_multiplier)
        elif attack.crit_range not in (None, 20):  # stored sheets can contain 20 here
            yield Impossible(
                "HE-CRIT-04",
                "bad-crit-multiplier",
                f"crit_range {attack.crit_range} has no effect without a crit_multiplier: add 2, 3 "
                "or 4, or leave crit_range out",
                ("2", "3", "4"),
                f"{at}/crit_multiplier",
            )


def _effects(
    at: str, damage: Damage | None, heals: Heals | None
) -> Iterator[Malformed | Impossible]:
    if damage is not None:
        yield from no_formula(f"{at}/damage/formula", damage.formula)
    if heals is not None:
        yield from no_formula(f"{at}/heals/stress", heals.stress)
        yield from no_formula(f"{at}/heals/wound_points", heals.wound_points)


def _multiplier(at: str, multiplier: int) -> Iterator[Impossible]:
    if multiplier not in (2, 3, 4):
        detail = f"a critical hit is ×2, ×3 or ×4, not ×{multiplier}"
        pointer = f"{at}/crit_multiplier"
        yield Impossible("HE-CRIT-01", "bad-crit-multiplier", detail, ("2", "3", "4"), pointer)
