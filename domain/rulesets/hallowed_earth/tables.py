"""The Combat Injury tables: only the blunt one has entries (HE-INJ-05, HE-BLUNT)."""

from domain.rulesets.hallowed_earth.sheet import Attribute, Effects, Options, Row, Table

EMPTY = (
    "piercing", "slashing", "chopping", "fire", "cold", "electric", "sonic", "acid", "holy",
    "unholy",
)  # fmt: skip
"""Tables that the rulebook leaves without entries and without a die (HE-INJ-06)."""


def _row(
    face: int,
    name: str,
    damage: str | None = None,
    attributes: tuple[Attribute, ...] = (),
    conditions: tuple[str, ...] = (),
    *,
    arm: bool = False,
) -> Row:
    effects = Effects(damage=damage, attributes=attributes, conditions=conditions, arm=arm)
    return Row(start=face, to=face, name=name, effects=effects)


BLUNT = Table(
    die="1d20",
    rows=(
        _row(1, "Crushed Foot", conditions=("crushed-foot",)),  # HE-BLUNT-01
        _row(2, "Broken Shin", "1d8", ("agility",), ("half-speed",)),
        _row(3, "Shattered Kneecap", "1d12", ("agility",), ("prone",)),
        _row(4, "Broken Femur", "1d10", ("agility",)),
        _row(5, "Shattered Hip", "4d4", ("agility",)),
        _row(6, "Broken Rib", "2d4", ("strength",), ("broken-rib",)),
        _row(7, "Broken Collarbone", "3d4", ("strength",)),
        _row(
            8, "Crushed Shoulder", "2d8", ("strength", "dexterity"), ("arm-cannot-attack",),
            arm=True,
        ),
        _row(9, "Broken Upper Arm", "1d10", ("strength",), ("arm-cannot-attack",), arm=True),
        _row(10, "Shattered Elbow", "1d12", ("dexterity",), ("arm-cannot-attack",), arm=True),
        _row(
            11, "Broken Forearm", "1d10", ("strength", "dexterity"), ("arm-cannot-hold",),
            arm=True,
        ),
        _row(12, "Shattered Hand", "4d4", ("dexterity",), ("hand-useless",), arm=True),
        _row(13, "Broken Finger", "1d8", ("dexterity",)),
        _row(14, "Broken Neck", conditions=("paralyzed",)),
        _row(15, "Crushed Windpipe", conditions=("cannot-speak", "cannot-breathe")),
        _row(16, "Broken Jaw", conditions=("cannot-speak", "cannot-chew")),
        _row(17, "Broken Nose", "1d10", ("perception",), ("cannot-smell",)),
        _row(18, "Eye Swollen Shut", "2d8", ("perception",), ("blind-one-eye",)),
        _row(19, "Cauliflower Ear", "1d12", ("perception",), ("deaf-one-ear",)),
        _row(20, "Cracked Skull", "1d8", ("memory", "perception"), ("concussed",)),  # HE-BLUNT-20
    ),
)  # fmt: skip


def table(options: Options, kind: str) -> Table | None:
    """The table of a damage type: the table's own by option, or blunt; None = it is empty."""
    return options.injury_tables.get(kind) or (BLUNT if kind == "blunt" else None)


def rows(options: Options) -> dict[str, Row]:
    """Every injury that a table knows, by its name in lower case."""
    tables = (BLUNT, *options.injury_tables.values())
    return {row.name.lower(): row for one in tables for row in one.rows}
