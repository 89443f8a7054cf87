"""The conditions of this rulebook (section 5). Others come as data, under any name."""

from collections.abc import Mapping
from functools import partial

from msgspec import Struct

from domain.record.combat import Id
from domain.rulebook.ruleset import ConditionInfo
from domain.rulesets.vile_darkness.sheet import EffectModifiers, Flag


class Brought(Struct, frozen=True):
    """The data of a condition.

    `maintained_by`: it ends with that caster's concentration on `ability`.
    """

    flags: tuple[Flag, ...] = ()
    modifiers: EffectModifiers = EffectModifiers()
    ongoing: str | None = None
    maintained_by: Id | None = None
    ability: str | None = None


Info = partial(ConditionInfo, data=Brought)

CONDITIONS: Mapping[str, ConditionInfo] = {
    "delayed": Info(
        "LOW; loses ties of steps 4 to 6 to who is not; delaying activities become complex",
        "with the round, from a delay; else as the data say",
        ("VD-DELAY-03", "VD-DELAY-08", "VD-DELAY-09"),
        stacks=True,
    ),
    "surprised": Info(
        "no free and no immediate attacks; no actions either, unless the GM lets it act",
        "as the GM has set it",
        ("VD-SEQ-01", "VD-FREE-06", "VD-IMMA-05"),
    ),
    "casting": Info(
        "a spell is under way; the major action is committed, the spell of the round used",
        "when it resolves, or when concentration breaks",
        ("VD-CONC-08", "VD-E-03"),
    ),
    "concentrating": Info(
        "maintains one effect; walks half its rate; no penalties",
        "when broken or ended, or when another concentration starts",
        ("VD-CONC-04", "VD-CONC-05", "VD-CONC-06"),
    ),
    "engaged": Info(
        "in melee: no positioning; step 4 for multi-attackers; leaving draws free attacks",
        "pair by pair, when one has fled or left, is down or gone, or the GM separates them",
        ("VD-MELEE-01", "VD-MELEE-02", "VD-FAST-06"),
    ),
    "complex-activity": Info(
        "nothing else in this round",
        "when Go Last of its last round completes it, or when it is given up",
        ("VD-CPLX-01", "VD-CPLX-04"),
    ),
    "declared-delay": Info(
        "LOW, whatever the die; not delayed", "with the round", ("VD-DELAY-06",)
    ),
    "down": Info(
        "cannot act; in melee with nobody; what it did or had committed ends",
        "when hit points are above the limit again, or when the GM says so",
        ("VD-FREE-01", "VD-ROUT-03"),
    ),
    "dead": Info("as down, and healing does not end it", "by the GM", ("VD-FREE-01",)),
}

DEAD_OR_DOWN = ("down", "dead")
