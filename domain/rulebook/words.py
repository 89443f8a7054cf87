"""Words: what the fields of sheets, inputs and options mean, for the catalogue.

A rulebook lists its own by the field's name, or by "Struct.field" where one name has two meanings.
`SHARED` are those of every table. A Struct may say it itself (`msgspec.Meta(description=…)`).
"""

from collections.abc import Mapping

from msgspec import Struct


class Word(Struct, frozen=True):
    """What a field means, with its unit.

    `refers`: what its value names: "combatant", "square", "path", "side", "weapon", "spell",
    "item", "condition", "track", …; of the combatant that acts where it can have several.
    """

    about: str
    refers: str | None = None


SHARED: Mapping[str, Word] = {
    "name": Word("Name, unique in the combat"),
    "side": Word("The side that it fights on", "side"),
    "owner": Word("Label of the player whose it is; null or GM = the GM's"),
    "at": Word("Square of its lowest corner: x, y, and z (default 0)", "square"),
    "who": Word("Whom it is about", "combatant"),
    "combatant": Word("Whom it is about", "combatant"),
    "target": Word("Whom it is directed at", "combatant"),
    "targets": Word("Whom it is directed at", "combatant"),
    "attacker": Word("Whose attack it is", "combatant"),
    "weapon": Word("Id of one of its weapons", "weapon"),
    "spell": Word("Id of one of its spells", "spell"),
    "item": Word("Id of one of its items", "item"),
    "ability": Word("Id of one of its abilities", "ability"),
    "skill": Word("Name of one of its skills", "skill"),
    "condition": Word("Id of a condition of the rulebook", "condition"),
    "track": Word("Name of a pool", "track"),
    "purpose": Word("The rulebook's name of a roll", "purpose"),
    "faces": Word("What fell, one number for each die, in the order of the formula"),
    "path": Word("The squares entered, in order", "path"),
    "to": Word("Square of its lowest corner: x, y, and z (default 0)", "square"),
    "amount": Word("How many points"),
    "kind": Word("The rulebook's kind of it"),
    "key": Word("Tells instances apart"),
    "data": Word("What belongs to it, as the rulebook has it"),
    "value": Word("The new value"),
    "maximum": Word("What it holds at most, in points"),
    "budget": Word("How much of each kind of action is left"),
    "order": Word("Who acts, first to last", "combatant"),
    "lasting": Word("Whether later rounds have it too"),
    "reason": Word("Why, in words"),
    "text": Word("What is said"),
    "modifier": Word("What is added to the roll"),
    "difficulty": Word("The number to reach"),
    "rulings": Word("Whether the GM is asked, or defaults are taken"),
}
