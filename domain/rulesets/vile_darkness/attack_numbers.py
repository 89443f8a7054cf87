"""The score that hits an Armour Class, from one number: AAC0 (VD-AAC0, VD-HD)."""

from collections.abc import Iterator, Mapping

from domain.record.events import Term
from domain.rulebook.sums import Sum
from domain.rulesets.vile_darkness.hit_dice import attack_band, attack_hd, hit_dice
from domain.rulesets.vile_darkness.options import Options
from domain.rulesets.vile_darkness.rules import rule
from domain.rulesets.vile_darkness.sheet import AttackNumber, ClassLevel, Creature

rule("VD-AAC0-03", "Exactly six 20s, then one more for each point", f"{__name__}.TWENTIES")
TWENTIES = 6
"""A table always has six 20s in a row (VD-AAC0-03)."""

Source = AttackNumber | Mapping[str, int]
"""An AAC0, or a whole table by Armour Class."""


@rule("VD-AAC0-01", "The number for each AC follows from AAC0")
@rule("VD-AAC0-02", "20* needs 20 against AC 1 too")
def needed(source: Source, ac: int) -> int:
    """Return the number for an Armour Class: from a table, else computed from AAC0.

    Up to 20, it is one more for each point of AC, then six 20s, then 21 and so on (VD-AAC0-01,
    -03). `20*` needs 20 against AC 1 too, so its 20s start there (VD-AAC0-02).
    """
    if isinstance(source, Mapping):
        return source[str(max(-10, min(10, ac)))]
    raw = _base(source) - ac
    return raw if raw <= 20 else max(20, raw - (TWENTIES - 1))


def needed_sum(source: Source, ac: Sum) -> Sum:
    """The same with its parts: AAC0 less the Armour Class, and the 20s in a row (VD-AAC0-01, -03).

    A table has its own number for each Armour Class.
    """
    number = needed(source, ac.value)
    if isinstance(source, Mapping):
        return Sum().add(f"table for AC {ac.value}", number, "VD-HD-01")
    terms = (Term(term.source, -term.value, term.rule) for term in ac.addends())
    made = Sum().add("AAC0", _base(source), "VD-AAC0-01").take(terms)
    return made.add("20s in a row", number - made.value, "VD-AAC0-03")


def _base(source: Source) -> int:
    """The number against AC 0; of `20*` one more, so that it is worse than 20."""
    if isinstance(source, Mapping):
        return source["0"]
    return 21 if source == "20*" else int(source)


@rule("VD-ATK-07", "An attack's own AAC0 replaces the attacker's for it")
@rule("VD-AAC0-05", "AAC0 alone is enough for a class without a table")
@rule("VD-HD-01", "Class members use their class's table, others their hit dice")
@rule("VD-HD-02", "Racial hit dice, unless the class level is higher: then the better")
def source_of(sheet: Creature, options: Options, own: AttackNumber | None = None) -> Source | None:
    """Where a creature's numbers come from; None = nothing tells (GAP-24).

    The attack's own AAC0 (VD-ATK-07), the sheet's table, the sheet's AAC0, then class and hit dice.
    """
    if own is not None:
        return own
    if sheet.attack_table is not None:
        return sheet.attack_table
    if sheet.aac0 is not None:
        return sheet.aac0
    return _derived(sheet, options)


def _derived(sheet: Creature, options: Options) -> Source | None:
    """Class members use their class's table, others their hit dice (VD-HD-01).

    A creature with racial hit dice uses these, unless the class level is higher. Then it uses the
    better one (GAP-25).
    """
    dice = hit_dice(sheet)
    racial = sheet.hit_dice is not None if sheet.racial_hit_dice is None else sheet.racial_hit_dice
    by_dice: Source | None = None
    if dice is not None:
        by_dice = (options.monster_attack_table or {}).get(attack_band(dice))
    if dice is None or not racial:
        by_class = _best(_class_sources(sheet.classes, options))
        return by_dice if by_class is None else by_class
    higher = [
        class_level for class_level in sheet.classes if class_level.level > attack_hd(dice)
    ]  # VD-HD-02
    return _best([*([] if by_dice is None else [by_dice]), *_class_sources(higher, options)])


def _class_sources(
    classes: tuple[ClassLevel, ...] | list[ClassLevel], options: Options
) -> Iterator[Source]:
    """A class without a table of its own uses any with the same AAC0 (VD-AAC0-05)."""
    for class_level in classes:
        if class_level.attack_table is not None:
            yield class_level.attack_table
        elif class_level.aac0 is not None:
            yield class_level.aac0
        else:
            for row in (options.class_attack_tables or {}).get(class_level.name, ()):
                own = row.aac0 if row.table is None else row.table
                if row.has(class_level.level) and own is not None:
                    yield own
                    break


def _best(sources: Iterator[Source] | list[Source]) -> Source | None:
    """The lowest number against AC 0."""
    return min(sources, key=_base, default=None)
