"""The Combat Injury tables: only the blunt one has entries (HE-INJ-05, HE-BLUNT)."""

from collections.abc import Mapping

from domain.rulesets.hallowed_earth.rules import rule
from domain.rulesets.hallowed_earth.sheet import Attribute, Effects, Options, Row, Table

rule("HE-BLUNT-03", "Shattered Kneecap: 1d12 Agility, prone", f"{__name__}._ROWS")
rule("HE-BLUNT-04", "Broken Femur: 1d10 Agility", f"{__name__}._ROWS")
rule("HE-BLUNT-05", "Shattered Hip: 4d4 Agility", f"{__name__}._ROWS")
rule("HE-BLUNT-07", "Broken Collarbone: 3d4 Strength", f"{__name__}._ROWS")
rule("HE-BLUNT-13", "Broken Finger: 1d8 Dexterity", f"{__name__}._ROWS")
rule("HE-BLUNT-17", "Broken Nose: no smell, 1d10 Perception", f"{__name__}._ROWS")
rule("HE-BLUNT-18", "Eye Swollen Shut: blind in one eye, 2d8 Perception", f"{__name__}._ROWS")
rule("HE-BLUNT-19", "Cauliflower Ear: deaf in one ear, 1d12 Perception", f"{__name__}._ROWS")
rule("HE-BLUNT-20", "Cracked Skull: 1d8 Memory and Perception, concussed", f"{__name__}._ROWS")
_ROWS: tuple[tuple[str, str, str | None, tuple[Attribute, ...], tuple[str, ...]], ...] = (
    ("HE-BLUNT-01", "Crushed Foot", None, (), ("crushed-foot",)),
    ("HE-BLUNT-02", "Broken Shin", "1d8", ("agility",), ("half-speed",)),
    ("HE-BLUNT-03", "Shattered Kneecap", "1d12", ("agility",), ("prone",)),
    ("HE-BLUNT-04", "Broken Femur", "1d10", ("agility",), ()),
    ("HE-BLUNT-05", "Shattered Hip", "4d4", ("agility",), ()),
    ("HE-BLUNT-06", "Broken Rib", "2d4", ("strength",), ("broken-rib",)),
    ("HE-BLUNT-07", "Broken Collarbone", "3d4", ("strength",), ()),
    (
        "HE-BLUNT-08", "Crushed Shoulder", "2d8", ("strength", "dexterity"),
        ("arm-cannot-attack",),
    ),
    ("HE-BLUNT-09", "Broken Upper Arm", "1d10", ("strength",), ("arm-cannot-attack",)),
    ("HE-BLUNT-10", "Shattered Elbow", "1d12", ("dexterity",), ("arm-cannot-attack",)),
    ("HE-BLUNT-11", "Broken Forearm", "1d10", ("strength", "dexterity"), ("arm-cannot-hold",)),
    ("HE-BLUNT-12", "Shattered Hand", "4d4", ("dexterity",), ("hand-useless",)),
    ("HE-BLUNT-13", "Broken Finger", "1d8", ("dexterity",), ()),
    ("HE-BLUNT-14", "Broken Neck", None, (), ("paralyzed",)),
    ("HE-BLUNT-15", "Crushed Windpipe", None, (), ("cannot-speak", "cannot-breathe")),
    ("HE-BLUNT-16", "Broken Jaw", None, (), ("cannot-speak", "cannot-chew")),
    ("HE-BLUNT-17", "Broken Nose", "1d10", ("perception",), ("cannot-smell",)),
    ("HE-BLUNT-18", "Eye Swollen Shut", "2d8", ("perception",), ("blind-one-eye",)),
    ("HE-BLUNT-19", "Cauliflower Ear", "1d12", ("perception",), ("deaf-one-ear",)),
    ("HE-BLUNT-20", "Cracked Skull", "1d8", ("memory", "perception"), ("concussed",)),
)  # fmt: skip
"""Rule, name, dice off each attribute, conditions: the faces 1 to 20."""

BLUNT = Table(
    die="1d20",
    rows=tuple(
        Row(
            start=face,
            to=face,
            name=name,
            effects=Effects(
                damage=damage,
                attributes=attributes,
                conditions=conditions,
                arm=8 <= face <= 12,  # HE-INJ-07
            ),
        )
        for face, (_, name, damage, attributes, conditions) in enumerate(_ROWS, start=1)
    ),
)

RULES: Mapping[str, str] = {name.lower(): rule for rule, name, *_ in _ROWS}
"""The rule of each blunt injury, by its name in lower case."""


def table(options: Options, kind: str) -> Table | None:
    """Return the table of a damage type: the table's own by option, or blunt. None: it is empty."""
    return options.injury_tables.get(kind) or (BLUNT if kind == "blunt" else None)


def rows(options: Options) -> dict[str, Row]:
    """Every injury that a table knows, by its name in lower case."""
    tables = (BLUNT, *options.injury_tables.values())
    return {row.name.lower(): row for table in tables for row in table.rows}
