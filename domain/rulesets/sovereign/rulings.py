"""The rulings that this rulebook adds to those of every rulebook (section 4.3)."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from domain.errors import Illegal, Unknown
from domain.record.combat import Id, Json
from domain.record.events import (
    CombatantLeft,
    ConditionGained,
    ConditionLost,
    Moved,
    PhaseBegan,
    TurnEnded,
)
from domain.rulebook.action import Action
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.effects import Procedure, admit
from domain.rulebook.ending import ENDING, Ending
from domain.rulebook.gm import (
    HARMS,
    RULINGS,
    About,
    ForceRoll,
    Harm,
    Number,
    SetCondition,
    Word,
    comes,
    everybody,
    foes,
    known,
    ruling,
)
from domain.rulebook.input_reader import pointing
from domain.rulebook.inputs import SpaceInput
from domain.rulebook.play import Play
from domain.rulebook.prompts import NoInputs, one_candidate
from domain.rulebook.ruleset import square
from domain.rulesets.sovereign import arrivals, conditions, harm, morale, opening, ties
from domain.rulesets.sovereign.actions import execution
from domain.rulesets.sovereign.conditions import dies, fitting
from domain.rulesets.sovereign.facts import (
    ALERTNESS,
    COVER,
    NUMBER,
    SIDE,
    SIGHT,
    Said,
    Seen,
    next_number,
)
from domain.rulesets.sovereign.numbers import alertness
from domain.rulesets.sovereign.rules import rule
from domain.rulesets.sovereign.sheet import Alertness

Seconds = Annotated[int, Meta(ge=0, le=100_000)]


class Hurt(Harm, frozen=True, forbid_unknown_fields=True):
    non_lethal: bool = False


class Time(Struct, frozen=True, forbid_unknown_fields=True):
    seconds: Seconds


class Cover(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs that set `cover` of the target from the attacker, and `los` between them.

    If a field is `null`, geometry decides.
    """

    attacker: Id
    target: Id
    cover: Literal["none", "half", "full"] | None = None
    los: bool | None = None


class Sight(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs that set whether `viewer` sees the target and knows its exact place."""

    viewer: Id
    target: Id
    sees: bool | None = None
    located: bool | None = None


class Modifier(About, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of a modifier. `until` is `round` or `next-turn`.

    Without `until`, the modifier lasts until the GM ends it.
    """

    value: Number
    reason: Word = "modifier"
    applies_to: Literal["attack", "ac", "saves"] = "attack"
    until: Word | None = None


class Alert(About, frozen=True, forbid_unknown_fields=True):
    alertness: Alertness


class Place(About, frozen=True, forbid_unknown_fields=True):
    at: SpaceInput | None = None


class Morale(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs that decide whether a combatant or a group retreats. By default, it retreats."""

    combatant: Id | None = None
    group: Word | None = None
    retreat: bool = True


class Condition(About, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs that begin a condition or end it.

    `data` follows the condition's schema. A condition of your own may have any data.
    """

    condition: Word
    data: Mapping[str, Json] = {}
    until: Word | None = None
    end: bool = False


class EndCombat(Struct, frozen=True, forbid_unknown_fields=True):
    """Inputs that end the combat. `winner` is a side, or `null` for none."""

    winner: Word | None = None


class Joining(Struct, frozen=True, forbid_unknown_fields=True):
    """Inputs with the sheet of a newcomer."""

    sheet: dict[str, Json]


def join(play: Play, _: Id, inputs: Joining) -> Procedure[None]:
    """Add a newcomer, which acts with its side. A new side rolls initiative (SOV-SEQ-09)."""
    joined = yield from admit(inputs.sheet)
    step = opening.entry(play.combat, joined.who)
    if step is not None and play.combat.status == "running":
        yield from play.ruleset.procedures[step.procedure](play, **step.args)


# ---- harm


def damage(play: Play, _: Id, inputs: Hurt) -> Procedure[None]:
    """Deal damage. At 0 HP, the combatant falls (SOV-DMG-04, SOV-DOWN-01)."""
    if inputs.track not in (None, "hp"):
        yield from RULINGS["damage"].procedure(play, "", inputs)
        return
    yield from harm.hurt(
        play,
        inputs.who,
        inputs.amount,
        source=None,
        kind=inputs.kind,
        non_lethal=inputs.non_lethal,
    )


def heal(play: Play, _: Id, inputs: Harm) -> Procedure[None]:
    """Heal a combatant. Above 0 HP, a fallen combatant wakes up (SOV-DOWN-07)."""
    if inputs.track not in (None, "hp"):
        yield from RULINGS["heal"].procedure(play, "", inputs)
        return
    yield from harm.heal(play, inputs.who, inputs.amount, None)


def condition(play: Play, _: Id, inputs: Condition) -> Procedure[None]:
    if inputs.end:
        yield ConditionLost(inputs.who, inputs.condition, reason="ruling")
        return
    yield from begin(play, inputs, "", inputs.until)


def set_condition(play: Play, _: Id, inputs: SetCondition) -> Procedure[None]:
    yield from begin(play, inputs, inputs.key, None)


def begin(
    play: Play, inputs: Condition | SetCondition, key: str, ends: str | None
) -> Procedure[None]:
    """Begin a condition by a ruling, and add the data that the rulebook needs.

    Raise `Malformed` if the data of the ruling do not fit the condition.
    """
    who, id = inputs.who, inputs.condition
    until = conditions.until_of(play, who, ends, id)
    with pointing("/inputs/data"):
        data = fitting(id, inputs.data)
    by, target = data.get("by"), data.get("target")
    match id:
        case "dead":
            if not play.combat[who].has("dead"):
                yield dies(who, None, "SOV-DOWN-01")
        case "grappled" if by in play.combat.combatants:
            yield from ties.take_hold(play.combat, str(by), who, data)
        case "grappling" if target in play.combat.combatants:
            yield from ties.take_hold(play.combat, who, str(target), {})
        case "screening":
            number = next_number(play.combat)  # an earlier screener comes first
            yield NUMBER.set(number, rules=("SOV-SCRN-07",))
            yield ConditionGained(who, id, key, {"number": number, **data}, until)
        case "mortally-injured":
            yield ConditionGained(who, id, key, {"round": play.combat.round, **data}, until)
        case _:
            yield ConditionGained(who, id, key, data, until)


# ---- the board


def set_cover(play: Play, _: Id, inputs: Cover) -> Procedure[None]:
    """Set the cover or the line of sight from one combatant to another (SOV-LOS-10)."""
    said, before = Said(inputs.cover, inputs.los), COVER.of(play.combat)
    pairs = {**before, f"{inputs.attacker}>{inputs.target}": said}
    back = f"{inputs.target}>{inputs.attacker}"
    if inputs.los is not None and back in before:  # a line of sight is mutual (SOV-LOS-01)
        pairs[back] = Said(before[back].cover, inputs.los)
    yield COVER.set(pairs, rules=("SOV-LOS-10",))


def set_sight(play: Play, _: Id, inputs: Sight) -> Procedure[None]:
    """Set darkness or invisibility between two combatants (SOV-ATK-07)."""
    said = Seen(inputs.sees, inputs.located)
    pairs = {**SIGHT.of(play.combat), f"{inputs.viewer}>{inputs.target}": said}
    yield SIGHT.set(pairs, rules=("SOV-ATK-07",))


def modifier(play: Play, _: Id, inputs: Modifier) -> Procedure[None]:
    """Add a modifier that the GM decides (SOV-ATK-06)."""
    yield ConditionGained(
        inputs.who,
        "modifier",
        "",
        {inputs.applies_to: inputs.value, "reason": inputs.reason},
        conditions.until_of(play, inputs.who, inputs.until),
        rules=("SOV-ATK-06",),
    )


def place(play: Play, _: Id, inputs: Place) -> Procedure[None]:
    to = square(inputs.at, "/inputs/at")
    yield Moved(inputs.who, () if to is None else (to,), forced=True)


def leave(play: Play, _: Id, inputs: About) -> Procedure[None]:
    """Remove a combatant from the fight. It counts as a retreat (SOV-MOR-05)."""
    yield CombatantLeft(inputs.who, rules=("SOV-MOR-05",))


# ---- the course of the fight


def side_refusals(play: Play, who: Id, inputs: Any) -> Iterator[Illegal]:
    if SIDE.of(play.combat) is None:
        yield refuse("SOV-SEQ-03", "not-your-turn", "no side is on turn", NO_FIELD)


def end_side_turn(play: Play, _: Id, inputs: NoInputs) -> Procedure[None]:
    """End the turns of all members of the acting side (SOV-SEQ-03)."""
    side = SIDE.of(play.combat)
    for who in [place.who for place in play.combat.queue]:
        if play.combat[who].side == side:
            yield TurnEnded(who, rules=("SOV-SEQ-03",))


def advance_time(play: Play, _: Id, inputs: Time) -> Procedure[None]:
    """Let time pass without rounds (SOV-EXEC-02, SOV-DOWN-06)."""
    yield from harm.time_passes(play, inputs.seconds)


def disturb(play: Play, _: Id, inputs: About) -> Procedure[None]:
    """End a preparation because of a disturbance (SOV-EXEC-03)."""
    yield from execution.spoil(play.combat, inputs.who, "disturbed")


def set_alertness(play: Play, _: Id, inputs: Alert) -> Procedure[None]:
    """Set the alertness of a combatant (SOV-EXEC-03)."""
    yield ALERTNESS.set(inputs.who, inputs.alertness, rules=("SOV-EXEC-03",))


def morale_refusals(play: Play, who: Id, inputs: Morale) -> Iterator[Illegal]:
    yield from known(play, who, inputs)
    if inputs.group is not None and not list(morale.members(play.combat, inputs.group)):
        raise Unknown("group", inputs.group, opening.all_groups(play.combat))


def rule_morale(play: Play, _: Id, inputs: Morale) -> Procedure[None]:
    """Let a combatant or a group retreat or fight on (SOV-MOR-01, SOV-MOR-05)."""
    who = [] if inputs.combatant is None else [inputs.combatant]
    if inputs.group is not None:
        who += [
            combatant.id
            for combatant in morale.members(play.combat, inputs.group)
            if not combatant.left
        ]
    for id in who:
        if inputs.retreat:
            yield from morale.retreat(play, [id], "SOV-MOR-01")
        elif play.combat[id].has("retreating"):
            yield ConditionLost(id, "retreating", reason="ruling", rules=("SOV-MOR-01",))


def end_refusals(play: Play, who: Id, inputs: EndCombat) -> Iterator[Illegal]:
    if play.combat.status != "running" or play.combat.phase == "ending":
        yield refuse("SOV-SEQ-08", "not-your-turn", "no fight is going on", NO_FIELD)
    if inputs.winner is not None and inputs.winner not in play.combat.sides:
        raise Unknown("side", inputs.winner, play.combat.sides)


@rule("SOV-MOR-06", "Pursuit is not part of the fight, which the GM ends")
def end_combat(play: Play, _: Id, inputs: EndCombat) -> Procedure[None]:
    """End the fight (SOV-SEQ-08, SOV-MOR-06)."""
    winners = () if inputs.winner is None else (inputs.winner,)
    yield ENDING.set(Ending(winners, "ruling"), rules=("SOV-SEQ-08",))
    yield PhaseBegan("ending", rules=("SOV-SEQ-08",))


# ---- samples for clients


def _alert(play: Play, _: Id) -> Iterator[Mapping[str, Json]]:
    for combatant in play.combat:
        other = "normal" if alertness(combatant) == "unsuspecting" else "unsuspecting"
        yield {"combatant": combatant.id, "alertness": other}


def _checks(play: Play, _: Id) -> Iterator[Mapping[str, Json]]:
    for side in {combatant.side: None for combatant in play.combat}:
        for name in opening.all_groups(play.combat):
            if name != side:
                yield {"by_side": side, "against_group": name}


_OWN = (
    ruling(
        "join", Joining, join, "Somebody joins", "SOV-SEQ-09",
        refusals=comes("sheet"),
    ),
    ruling(
        "set", arrivals.Correction, arrivals.set_sheet, "Correct the sheet",
        refusals=arrivals.set_refusals, idle="the sheet of {combatant} is so already",
    ),
    ruling(
        "surprise", opening.Surprised, opening.surprise, "Who is surprised", "SOV-SURP-02",
        refusals=opening.surprise_refusals, candidates=opening.samples,
        idle="these are surprised already, and nobody else",
    ),
    ruling(
        "surprise-check", opening.Check, opening.surprise_check, "Check for surprise",
        "SOV-SURP-03", refusals=opening.check_refusals, candidates=_checks,
    ),
    ruling(
        "end-side-turn", NoInputs, end_side_turn, "End the side turn", "SOV-SEQ-03",
        refusals=side_refusals, candidates=one_candidate,
    ),
    ruling(
        "advance-time", Time, advance_time, "Time passes", "SOV-EXEC-02",
        candidates=lambda play, who: ({"seconds": 60},), idle="no time passes",
    ),
    ruling(
        "disturb", About, disturb, "Disturb a preparation", "SOV-EXEC-03",
        candidates=everybody(), idle="{combatant} prepares nothing",
    ),
    ruling(
        "set-cover", Cover, set_cover, "Set cover or sight", "SOV-LOS-10",
        candidates=foes("attacker", "target", {"cover": "half"}, {}), idle="that is so already",
    ),
    ruling(
        "set-sight", Sight, set_sight, "Set who sees whom", "SOV-ATK-07",
        candidates=foes("viewer", "target", {"sees": False}, {}), idle="that is so already",
    ),
    ruling(
        "modifier", Modifier, modifier, "A modifier", "SOV-ATK-06",
        candidates=everybody({"value": -1, "until": "round"}),
    ),
    ruling(
        "alertness", Alert, set_alertness, "Set alertness", "SOV-EXEC-03",
        candidates=_alert, idle="{combatant} is {alertness} already",
    ),
    ruling("place", Place, place, "Put somewhere", "SOV-AOO-07"),
    ruling(
        "morale", Morale, rule_morale, "Retreat or fight on", "SOV-MOR-01",
        refusals=morale_refusals, candidates=everybody(), idle="that is decided already",
    ),
    ruling("leave", About, leave, "Out of the fight", "SOV-MOR-05"),
    ruling("damage", Hurt, damage, "Damage", "SOV-DMG-04", candidates=HARMS),
    ruling("heal", Harm, heal, "Healing", "SOV-DOWN-07", candidates=HARMS),
    ruling("condition", Condition, condition, "Begin or end a condition"),
    ruling(
        "set-condition", SetCondition, set_condition, "Begin a condition",
        candidates=everybody(*({"condition": it} for it in ("prone", "unconscious", "frail"))),
    ),
    ruling("override", ForceRoll, RULINGS["force-roll"].procedure, "Set the next roll"),
    ruling(
        "end-combat", EndCombat, end_combat, "End the fight", "SOV-SEQ-08", refusals=end_refusals
    ),
)  # fmt: skip

SOVEREIGN_RULINGS: Mapping[str, Action] = {**RULINGS, **{action.id: action for action in _OWN}}
