"""The catalogue of conditions (sections 5A and 5B)."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Literal

from msgspec import Struct, field

from domain.errors import Impossible, Malformed
from domain.record.combat import Id, Json
from domain.rulebook.input_reader import pointing, read
from domain.rulebook.ruleset import ConditionInfo
from domain.rulesets.definitions.sheet import Combatant, GivenCondition, Modifier, powers
from domain.rulesets.definitions.sheet import check as check_sheet


class Brought(Struct, frozen=True):
    """The data that any condition may carry, also one from a sheet. `cause`: it ends with this."""

    cannot_act: bool = False
    cause: str = ""


class Towards(Brought, frozen=True):
    towards: tuple[Id, ...] = ()


class Affliction(Brought, frozen=True):
    """A wound or an injury, with further effects by the DM (DEF-WND-02)."""

    kind: Literal["wound", "injury"] = "wound"
    name: str = ""


class Grapple(Brought, frozen=True):
    """Given by hand: who the other is."""

    with_: Id | None = field(default=None, name="with")


Info = partial(ConditionInfo, data=Brought)

_NEXT = "start of its next turn"
_AT_MERCY = Info(
    "a kill shot is possible; with `towards` only by those",
    "with its cause",
    ("DEF-INC-02", "DEF-GRE-01"),
    data=Towards,
)

CONDITIONS: Mapping[str, ConditionInfo] = {
    "unconscious": Info(
        "no actions, no reactions, threatens nothing; exposed and helpless; falls prone",
        "HP above 0 and NLD below HP; by the GM's hand, or without air: when that ends",
        ("DEF-INC-03", "DEF-INC-05", "DEF-NLD-03", "DEF-NLD-04"),
    ),
    "bleeding-out": Info(
        "one death save at the start of each own turn",
        "saved, third failure in a row, HP above 0",
        ("DEF-DTH-04", "DEF-DTH-06", "DEF-DTH-07", "DEF-DTH-09"),
    ),
    "stabilized": Info(
        "0 HP and unconscious, but no more death saves",
        "HP above 0, new lethal damage",
        ("DEF-STB-01", "DEF-STB-02", "DEF-STB-03"),
    ),
    "dead": Info("out of the order, no healing", "by the GM only", ("DEF-DTH-01",)),
    "wounded": Info(
        "an affliction in words, from the DM; `kind` wound or injury",
        "treated, by the GM",
        ("DEF-WND-01", "DEF-WND-02", "DEF-WND-03", "DEF-GRB-01"),
        stacks=True,
        data=Affliction,
    ),
    "exposed": _AT_MERCY,
    "helpless": _AT_MERCY,
    "prone": Info(
        "no move and no five-foot step", "stand-up", ("DEF-MOV-06", "DEF-MOV-08")
    ),
    "untrained-armor": Info(
        "check penalty on attacks, movement skills, riding; half of all spells fail",
        "with the armor",
        ("DEF-UNT-01", "DEF-UNT-02"),
    ),
    "delaying": Info(
        "waits with its turn; reactions stay", "resumed, end of round", ("DEF-DLY-01", "DEF-DLY-07")
    ),
    "holding": Info(
        "a declared action waits for its trigger",
        "resolved, start of its next turn, unable to act",
        ("DEF-HLD-01", "DEF-HLD-10"),
    ),
    "flat-footed": Info(
        "flat-footed Armor Class", "end of round after a feigned strike, or the GM",
        ("DEF-ATK-03", "DEF-FEI-03", "DEF-GEN-07"),
    ),
    "charging": Info(
        "weapon damage +2, with two hands +4; AC −2", _NEXT, ("DEF-CHG-07",)
    ),
    "full-defense": Info(
        "AC +4 dodge; no attacks of opportunity", _NEXT, ("DEF-FDF-01", "DEF-FDF-03")
    ),
    "reckless": Info(
        "AC −4 dodge; weapon damage +2 in this turn", _NEXT, ("DEF-REK-01", "DEF-STN-02")
    ),
    "defensive": Info(
        "AC +2; attack rolls −4 in this turn", _NEXT, ("DEF-DEF-01", "DEF-STN-02")
    ),
    "shattering": Info("AC −4, never more than once", _NEXT, ("DEF-SHT-02",)),
    "grappled": Info(
        "held: no movement, threatens nothing, flat-footed towards all others, few weapons, no "
        "gestures; `with` names the aggressor when the GM gives it",
        "escape, release, third submission, or the aggressor cannot hold it any more",
        ("DEF-GRP-06", "DEF-GRP-07", "DEF-GRP-08", "DEF-GRP-09", "DEF-GRP-10", "DEF-GSP-01"),
        data=Grapple,
    ),
    "grappling": Info(
        "holds somebody: the same, but it may gesture and use the options of a grapple",
        "with the grapple",
        ("DEF-GRP-07", "DEF-GRP-08", "DEF-GRP-09", "DEF-GRP-10", "DEF-GRP-14"),
        data=Grapple,
    ),
    "pinned": Info(
        "no attacks and no movement", "with the grapple", ("DEF-GPN-01", "DEF-GPN-02")
    ),
    "swallowed": Info(
        "inside: no movement, threatens nothing, targets only the swallower; no air after 3 rounds",
        "cut out, retrieved",
        ("DEF-SWL-04", "DEF-SWL-06", "DEF-SWL-07", "DEF-SWL-08"),
    ),
    "disarmed": Info(
        "a marker", "a weapon is in the primary slot", ("DEF-DIS-05",)
    ),
    "cannot-act": Info(
        "data of a power or the GM: no actions and no reactions", "as given", ("DEF-TRN-04",)
    ),
    "cannot-speak": Info(
        "data of a power or the GM: no spells that need words", "as given", ("DEF-GSP-03",)
    ),
    "modifier": Info(
        "a number of a type for a target, with an end", "as its `until` says", ("DEF-TRN-02",),
        stacks=True,
        data=Modifier,
    ),
}  # fmt: skip


# ---- what sheets say of conditions


def check(sheet: Combatant) -> Iterator[Malformed | Impossible]:
    """Yield the faults of a sheet, including the data of the conditions that it brings."""
    yield from check_sheet(sheet)
    yield from _unfit("/conditions", sheet.conditions)
    for at, power in powers(sheet):
        yield from _unfit(f"{at}/conditions", power.conditions)


def _unfit(at: str, given: Sequence[GivenCondition]) -> Iterator[Malformed]:
    for index, given_condition in enumerate(given):
        try:
            with pointing(f"{at}/{index}/data"):
                read_data(given_condition.id, given_condition.data)
        except Malformed as fault:
            yield fault


def read_data(condition: str, data: Mapping[str, Json]) -> None:
    """Raise `Malformed` for data that the condition's Struct refuses.

    A condition that only data name may carry any fields beside the common ones.
    """
    known = CONDITIONS.get(condition)
    read(data, Brought if known is None else known.data)
