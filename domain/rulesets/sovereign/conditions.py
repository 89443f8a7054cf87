"""The conditions of the rulebook, with their effects and ends (section 5).

The data of a sheet or a ruling can add others.
"""

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from domain.record.combat import Id, Json, Until
from domain.record.events import AnyEvent, ConditionGained, Died
from domain.rulebook.input_reader import read
from domain.rulebook.play import Play
from domain.rulebook.ruleset import ConditionInfo

Points = Annotated[int, Meta(ge=-100_000, le=100_000)]


class Flags(Struct, frozen=True):
    """Data that every condition may have, such as a modifier or a ban on actions."""

    cannot_act: bool = False
    blinded: bool = False
    shock_immune: bool = False
    attack: Points = 0
    ac: Points = 0
    saves: Points = 0
    reason: str = ""


class Ward(Flags, frozen=True):
    """Data of a screen. The screener with the lowest `number` comes first (SOV-SCRN-07)."""

    ward: Id = ""
    number: Points = 0


class From(Flags, frozen=True):
    """The enemies from which the combatant has disengaged (SOV-DIS-01)."""

    from_: tuple[Id, ...] = field(default=(), name="from")


class At(Flags, frozen=True):
    target: Id = ""


class Held(Flags, frozen=True):
    """Data of a hold. The holder with the lowest `number` comes first (SOV-GRAP-08)."""

    by: Id = ""
    number: Points = 0


class Pair(Flags, frozen=True):
    weapons: tuple[str, ...] = ()


class Preparing(At, frozen=True):
    """Data of a preparation. `seconds` is the part of its minute that has passed (SOV-EXEC-02)."""

    weapon: str = ""
    mode: Literal["melee", "ranged"] = "melee"
    seconds: Points = 0


class Fell(Flags, frozen=True):
    """The round of the fall (SOV-DOWN-04)."""

    round: Points = 0


class Resting(Flags, frozen=True):
    """The seconds since the combatant was stabilized (SOV-DOWN-06)."""

    seconds: Points = 0


Info = partial(ConditionInfo, data=Flags)

CONDITIONS: Mapping[str, ConditionInfo] = {
    "surprised": Info("nothing at all", "end of the surprise round", ("SOV-SURP-01",)),
    "total-defense": Info(
        "AC +2, immune to Shock and to a swarm", "own side's next side turn", ("SOV-TD-01",)
    ),
    "charging": Info("AC −2", "end of the round", ("SOV-CHG-03",)),
    "screening": Info(
        "attacks on the ward must get past",
        "own side's next side turn; ward more than 5 ft away; not able",
        ("SOV-SCRN-01", "SOV-SCRN-02"),
        data=Ward,
    ),
    "disengaged": Info(
        "no attacks of opportunity from those named",
        "end of the round",
        ("SOV-DIS-01",),
        data=From,
    ),
    "holding": Info(
        "the rest of the turn as an Instant", "triggered; end of the round", ("SOV-HOLD-01",)
    ),
    "swarming": Info("member of an open swarm", "strike, lapse", ("SOV-SWARM-01",), data=At),
    "prone": Info(
        "ranged attacks on it −2, melee +2; its melee attacks −4; half rate",
        "stand up",
        ("SOV-PRONE-02", "SOV-STAND-01"),
    ),
    "grappled": Info(
        "stays in place, fists only; hurt at the end of each round",
        "released, broken, thrown, not able, apart",
        ("SOV-GRAP-03", "SOV-GRAP-08"),
        data=Held,
    ),
    "grappling": Info(
        "stays in place, fists only",
        "released, broken, thrown, apart",
        ("SOV-GRAP-03",),
        data=At,
    ),
    "dual-wielding": Info(
        "−1 to attack rolls, +2 damage",
        "one weapon put away",
        ("SOV-DUAL-03", "SOV-DUAL-05"),
        data=Pair,
    ),
    "preparing-execution": Info(
        "nothing else may be done", "struck, spoiled", ("SOV-EXEC-02",), data=Preparing
    ),
    "retreating": Info("a loss for its group", "out of the fight; the GM", ("SOV-MOR-05",)),
    "mortally-injured": Info(
        "helpless, dying",
        "stabilized, healed, dead after six rounds",
        ("SOV-DOWN-02",),
        data=Fell,
    ),
    "stabilized": Info(
        "helpless, not dying", "ten minutes; healed", ("SOV-DOWN-06",), data=Resting
    ),
    "unconscious": Info("helpless", "the GM; healed", ("SOV-DOWN-02",)),
    "frail": Info("dies at 0 HP", "a week of care", ("SOV-DOWN-08",)),
    "dead": Info("out for good", "the GM", ("SOV-DOWN-03",)),
    "shock-immune": Info("no Shock", "as its data say", ("SOV-SHOCK-07",), stacks=True),
    "modifier": Info(
        "adds to attack, AC or saves", "as its data say", ("SOV-ATK-06",), stacks=True
    ),
}


def fitting(condition: str, data: Mapping[str, Json]) -> Mapping[str, Json]:
    """Return the data of a condition, or raise `Malformed` if its schema refuses them.

    A condition outside the catalogue may have any fields in addition to the common flags.
    """
    known = CONDITIONS.get(condition)
    read(data, Flags if known is None else known.data)
    return data


# ---- gaining a condition


def gained(
    play: Play,
    target: Id,
    condition: str,
    data: Mapping[str, Json],
    until: str | None,
    source: Id | None,
) -> ConditionGained:
    """Return the event that begins a condition from data.

    A mortal injury records the current round, because death comes six rounds later (SOV-DOWN-04).
    """
    if condition == "mortally-injured":
        data = {"round": play.combat.round, **data}
    return ConditionGained(
        target,
        condition,
        data=data,
        until=until_of(play, target, until, condition),
        source=source,
        rules=("SOV-SHOCK-07",) if data.get("shock_immune") else ("SOV-ACT-01",),
    )


USUAL_ENDS: Mapping[str, str] = {
    "charging": "round",
    "disengaged": "round",
    "holding": "round",
    "screening": "next-turn",
    "total-defense": "next-turn",
    "surprised": "surprise-round-end",
}
"The usual end of each condition, whatever its source (section 5)."


def until_of(play: Play, target: Id, until: str | None, condition: str = "") -> tuple[Until, ...]:
    """Return the moment at which a condition ends (SOV-SEQ-06, SOV-SEQ-07).

    - `round` and `round-end`: the end of the round.
    - `next-turn`: the start of the combatant's next turn.
    - `None`: the usual end of the condition.
    - any other value: no moment, so that the GM must end the condition.
    """
    match until or USUAL_ENDS.get(condition):
        case "surprise-round-end":  # the end of the surprise round (SOV-SURP-07)
            return (Until("surprise-round-end"),)
        case "round" | "round-end":
            return (Until("round-end"),)
        case "next-turn":
            return (Until("turn-start", target),)
        case _:
            return ()


def dies(who: Id, source: Id | None, rule: str) -> tuple[AnyEvent, ...]:
    """Return the events of a death. `consequences` ends the other states of the combatant."""
    return (
        ConditionGained(who, "dead", source=source, rules=(rule,)),
        Died(who, source, rules=(rule,)),
    )
