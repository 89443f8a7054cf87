"""The rulings that this rulebook adds to those of every rulebook (section 4.2)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct, field
from msgspec.structs import replace

from domain.errors import Illegal, Impossible, Malformed, Unknown
from domain.record.combat import Combatant, Id, Json
from domain.record.events import (
    CombatantChanged,
    CombatantLeft,
    ConditionLost,
    Damaged,
    FactSet,
    Moved,
    Noted,
    PhaseBegan,
    Term,
)
from domain.rulebook.action import Action
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.effects import Procedure, admit, roll
from domain.rulebook.ending import ENDING
from domain.rulebook.ending import Ending as Outcome
from domain.rulebook.gm import (
    RULINGS,
    About,
    Candidates,
    Points,
    SetTrack,
    Word,
    comes,
    everybody,
    foes,
    known,
    pool_of,
    ruling,
)
from domain.rulebook.input_reader import read
from domain.rulebook.inputs import InputKind, SquareInput
from domain.rulebook.play import Play
from domain.rulebook.pools import corrected, healed
from domain.rulebook.prompts import NoInputs, one_candidate
from domain.rulebook.ruleset import square
from domain.rulebook.sheets import no_formula
from domain.rulebook.state_cache import once
from domain.rulebook.sums import Sum
from domain.rulesets.vile_darkness.abilities import where
from domain.rulesets.vile_darkness.attack import engage
from domain.rulesets.vile_darkness.facts import (
    CIRCUMSTANCES,
    CLOSED,
    ENDING_ROUND,
    ITEMS,
    LINES,
    Circumstance,
    Line,
)
from domain.rulesets.vile_darkness.harm import Gift, as_effect, gained, maintain, stop_maintaining
from domain.rulesets.vile_darkness.numbers import (
    ability_of,
    engaged_with,
    fallen,
    morale_bonus,
    sheet,
)
from domain.rulesets.vile_darkness.opening import Surprise, surprised
from domain.rulesets.vile_darkness.reactions import (
    Drawn,
    Taking,
    TakingAtOnce,
    free_attacks,
    free_refusals,
    immediate_attacks,
    immediate_refusals,
)
from domain.rulesets.vile_darkness.rules import rule
from domain.rulesets.vile_darkness.sheet import Creature, EffectModifiers, Flag, Number, Span
from domain.rulesets.vile_darkness.sheet_faults import check
from domain.rulesets.vile_darkness.slots import DECLARE, END, NEXT, running
from domain.rulesets.vile_darkness.targets import all_there

# ---- times at which a ruling is open


def in_phase(*phases: str) -> Callable[[Play, Id, Any], Iterator[Illegal]]:
    """Return a function that refuses a ruling outside these steps."""

    def refusals(play: Play, _: Id, inputs: Any) -> Iterator[Illegal]:
        if play.combat.phase not in phases:
            detail = f"not in the step {play.combat.phase}"
            yield refuse("VD-SEQ-03", "wrong-phase", detail, NO_FIELD, phases)

    return refusals


def in_round(play: Play, _: Id, inputs: Any) -> Iterator[Illegal]:
    """Refuse a ruling outside a round."""
    known(play, _, inputs)
    if not running(play.combat):
        yield refuse("VD-SEQ-03", "wrong-phase", f"no round runs: {play.combat.phase}", NO_FIELD)


# ---- the course of the fight


class Placing(About, frozen=True, forbid_unknown_fields=True):
    """Inputs of a new position, which ends no melee. If `at` is `null`, remove the position."""

    at: SquareInput | None = None


class Joining(Struct, frozen=True, forbid_unknown_fields=True):
    sheet: dict[str, Json]
    hidden: bool = False


class Override(Struct, frozen=True, forbid_unknown_fields=True):
    """Inputs that note another result of an event. Make the change with other rulings."""

    event: Annotated[int, Meta(ge=1)]
    outcome: Annotated[str, Meta(min_length=1, max_length=2000)]


class Ending(Struct, frozen=True, forbid_unknown_fields=True):
    winners: Annotated[tuple[Word, ...], Meta(max_length=50)] | None = None
    reason: Annotated[str, Meta(max_length=2000)] = ""


def _place_refusals(play: Play, _: Id, inputs: Placing) -> Iterator[Illegal]:
    known(play, _, inputs)
    square(inputs.at, "/inputs/at")
    return iter(())


def _started(play: Play, _: Id, inputs: Any) -> Iterator[Illegal]:
    if play.combat.status != "running":
        yield refuse("VD-SEQ-03", "wrong-phase", f"the combat is {play.combat.status}", NO_FIELD)


def surprise(play: Play, _: Id, inputs: Surprise) -> Procedure[None]:
    """Set the surprised combatants from now on (VD-SEQ-01)."""
    yield from surprised(play, inputs)


def place(play: Play, _: Id, inputs: Placing) -> Procedure[None]:
    """Place a combatant by hand (VD-SEQ-02)."""
    to = square(inputs.at)
    yield Moved(inputs.who, () if to is None else (to,), forced=True, rules=("VD-SEQ-02",))


def announce_round(play: Play, _: Id, inputs: NoInputs) -> Procedure[None]:
    """Announce the next round, without an answer to the prompt `positions` or `end-of-round`.

    VD-SEQ-03, VD-SEQ-04.
    """
    if play.combat.phase == END:
        yield ENDING_ROUND.set(True, rules=("VD-SEQ-04",))
    else:
        yield PhaseBegan(NEXT, rules=("VD-SEQ-03",))


def close_declare(play: Play, _: Id, inputs: NoInputs) -> Procedure[None]:
    """Close step 1, after which nobody can declare (VD-DECL-01)."""
    yield CLOSED.set(True, rules=("VD-DECL-01",))


def join(play: Play, _: Id, inputs: Joining) -> Procedure[None]:
    """Add a newcomer to the combat (GAP-54)."""
    yield from admit(inputs.sheet, hidden=inputs.hidden)


def leave(play: Play, _: Id, inputs: About) -> Procedure[None]:
    """Remove a combatant from every slot, prompt and melee (GAP-54)."""
    yield CombatantLeft(inputs.who, rules=("VD-SEQ-02",))


def _override_refusals(play: Play, _: Id, inputs: Override) -> Iterator[Illegal]:
    if play.told(inputs.event) is None:
        raise Unknown("event", inputs.event)
    return iter(())


def override(play: Play, _: Id, inputs: Override) -> Procedure[None]:
    """Add a note that only the readers of the event's combatant see.

    The note must not reveal the event to others.
    """
    who = getattr(play.told(inputs.event), "who", None)
    yield Noted(f"settled otherwise: {inputs.outcome}", who)


def end_round(play: Play, _: Id, inputs: NoInputs) -> Procedure[None]:
    """End the round without further actions (section 4.2).

    Spells and complex activities still complete.
    """
    if play.combat.phase == DECLARE:
        yield CLOSED.set(True, rules=("VD-END-01",))
    yield ENDING_ROUND.set(True, rules=("VD-END-01",))


def end_combat(play: Play, _: Id, inputs: Ending) -> Procedure[None]:
    yield ENDING.set(Outcome(inputs.winners, inputs.reason))
    yield PhaseBegan("ending", rules=("VD-END-01",))


COURSE = (
    ruling(
        "surprise", Surprise, surprise, "Who is surprised", "VD-SEQ-01",
        refusals=all_there, idle="these are surprised so already",
        candidates=lambda play, _: ({"who": [combatant.id]} for combatant in play.combat),
    ),
    ruling("place", Placing, place, "Put somewhere", "VD-SEQ-02", refusals=_place_refusals),
    ruling(
        "announce-round", NoInputs, announce_round, "Announce the round", "VD-SEQ-03", "VD-SEQ-04",
        refusals=in_phase("positions", END), candidates=one_candidate,
    ),
    ruling(
        "close-declare", NoInputs, close_declare, "Close the declarations", "VD-DECL-01",
        refusals=in_phase(DECLARE),
    ),
    ruling("join", Joining, join, "Somebody comes", "VD-SEQ-02", refusals=comes("sheet")),
    ruling("leave", About, leave, "Somebody goes", "VD-SEQ-02"),
    ruling(
        "override", Override, override, "Settle a result otherwise", refusals=_override_refusals,
        notes=True,
    ),
    ruling("end-round", NoInputs, end_round, "End the round", "VD-END-01", refusals=in_round),
    ruling("end-combat", Ending, end_combat, "End the combat", "VD-END-01", refusals=_started),
)  # fmt: skip


# ---- lines of effect and sight (VD-LOE, VD-LOS)


Square = Annotated[tuple[int, ...], Meta(min_length=2, max_length=3)]
Percent = Annotated[int, Meta(ge=0, le=100)]


class Between(Struct, frozen=True, forbid_unknown_fields=True):
    """Inputs of a line from a combatant to another combatant, an object or a square.

    A square is `[x, y]` or `"x,y"`.
    """

    start: Id = field(name="from")
    to: Annotated[Word | Square, InputKind("square")]


class Covering(Between, frozen=True, forbid_unknown_fields=True):
    percent: Percent


class Blocking(Between, frozen=True, forbid_unknown_fields=True):
    """Inputs of a blocked line. `opening_ft` is the width and the height of an opening in ft."""

    opening_ft: tuple[float, float] | None = None


def _line(play: Play, inputs: Between) -> tuple[str, Line]:
    to = inputs.to if isinstance(inputs.to, str) else ",".join(str(part) for part in inputs.to)
    key = f"{inputs.start}>{where(to)}"
    return key, LINES.of(play.combat).get(key, Line())


def _with_line(play: Play, key: str, line: Line | None, rule: str) -> FactSet:
    lines = {name: line for name, line in LINES.of(play.combat).items() if name != key}
    if line is not None:
        lines[key] = line
    return LINES.set(lines, rules=(rule,))


def set_cover(play: Play, _: Id, inputs: Covering) -> Procedure[None]:
    """Set the cover on a line in per cent (VD-LOE-04)."""
    key, line = _line(play, inputs)
    yield _with_line(play, key, replace(line, cover=inputs.percent), "VD-LOE-04")


def set_concealment(play: Play, _: Id, inputs: Covering) -> Procedure[None]:
    """Set the concealment on a line in per cent (VD-LOS-02)."""
    key, line = _line(play, inputs)
    yield _with_line(play, key, replace(line, concealment=inputs.percent), "VD-LOS-02")


@rule("VD-LOE-03", "Walls, glass and corners block a line of effect")
def block_line(play: Play, _: Id, inputs: Blocking) -> Procedure[None]:
    """Block a line by walls, glass or corners (VD-LOE-02, VD-LOE-03).

    An opening of 1 ft in both directions lets the line pass.
    """
    key, line = _line(play, inputs)
    blocked = replace(line, blocked=True, opening=inputs.opening_ft)
    yield _with_line(play, key, blocked, "VD-LOE-03")


def clear_line(play: Play, _: Id, inputs: Between) -> Procedure[None]:
    key, _line_now = _line(play, inputs)
    yield _with_line(play, key, None, "VD-LOE-01")


def _lines(percent: int) -> Candidates:
    def lines(play: Play, _: Id) -> Iterator[Mapping[str, Json]]:
        for a in play.combat:
            for b in play.combat:
                yield {"from": a.id, "to": b.id, "percent": percent}

    return lines


SO = "the line from {from} is so already"

OF_LINES = (
    ruling(
        "set-cover", Covering, set_cover, "Cover", "VD-LOE-04",
        candidates=_lines(51), idle=SO,
    ),
    ruling(
        "set-concealment", Covering, set_concealment, "Concealment", "VD-LOS-02",
        candidates=_lines(75), idle=SO,
    ),
    ruling("block-line", Blocking, block_line, "Something stands between", "VD-LOE-03", idle=SO),
    ruling("clear-line", Between, clear_line, "Nothing stands between", "VD-LOE-01", idle=SO),
)  # fmt: skip


# ---- melee


class Pair(Struct, frozen=True, forbid_unknown_fields=True):
    a: Id
    b: Id


class Parting(Struct, frozen=True, forbid_unknown_fields=True):
    """Inputs to end a melee. Without `b`, `a` leaves all its melees."""

    a: Id
    b: Id | None = None


class Modifying(Struct, frozen=True, forbid_unknown_fields=True):
    """Inputs of a modifier for the attacker's next routine in this round.

    With `target`, the modifier counts only against that target.
    """

    attacker: Id
    value: Number = 0
    target: Id | None = None
    circumstances: tuple[Word, ...] = ()


class GrantingAtOnce(Struct, frozen=True, forbid_unknown_fields=True):
    attacker: Id
    against: Id


class Granting(GrantingAtOnce, frozen=True, forbid_unknown_fields=True):
    attack_bonus: Number = 0
    ac_penalty: Annotated[int, Meta(ge=0, le=100)] = 0


class Morale(About, frozen=True, forbid_unknown_fields=True):
    """Inputs of a morale check. By default, 2d6 must not exceed the sheet's `morale`."""

    formula: Annotated[str, Meta(min_length=1, max_length=64)] = "2d6"
    target: Number | None = None
    success: Literal["≤", "≥", "<=", ">="] = "≤"


def _granted(play: Play, _: Id, inputs: GrantingAtOnce) -> Iterator[Illegal]:
    yield from in_round(play, _, inputs)
    if inputs.attacker == inputs.against:
        detail = "nobody attacks itself"
        yield Impossible("VD-ATK-01", "wrong-kind", detail, pointer="/inputs/against")


def _of_the_grant(reasons: Iterable[Illegal]) -> Iterator[Illegal]:
    """Yield the refusals of the attack, with pointers to the inputs of the ruling."""
    for reason in reasons:
        target = reason.pointer == "/inputs/target"
        reason.pointer = "/inputs/against" if target else NO_FIELD
        yield reason


def _free_refusals(play: Play, _: Id, inputs: Granting) -> Iterator[Illegal]:
    yield from _granted(play, _, inputs)
    yield from _of_the_grant(free_refusals(play.combat, inputs.attacker, inputs.against, Taking()))


def _immediate_refusals(play: Play, _: Id, inputs: GrantingAtOnce) -> Iterator[Illegal]:
    yield from _granted(play, _, inputs)
    yield from _of_the_grant(
        immediate_refusals(play.combat, inputs.attacker, inputs.against, TakingAtOnce())
    )


def _morale_refusals(play: Play, _: Id, inputs: Morale) -> Iterator[Illegal]:
    known(play, _, inputs)
    for fault in no_formula("/inputs/formula", inputs.formula):
        raise fault
    if inputs.target is None and sheet(play.combat[inputs.who]).morale is None:
        raise Malformed("/inputs/target", "the sheet has no morale: give the target")
    return iter(())


def _two(play: Play, _: Id, inputs: Pair) -> Iterator[Illegal]:
    """Refuse a melee unless both combatants are opponents that have not fallen (section 5)."""
    known(play, _, inputs)
    a, b = play.combat[inputs.a], play.combat[inputs.b]
    if a.id == b.id:
        raise Malformed("/inputs/b", "nobody is in melee with itself")
    if a.side == b.side:
        raise Malformed("/inputs/b", f"{a.name} and {b.name} are on the same side")
    for combatant in (a, b):
        if fallen(combatant):
            yield refuse(
                "VD-MELEE-01",
                "cannot-act",
                f"{combatant.name} is down",
                "a" if combatant is a else "b",
            )


def engaging(play: Play, _: Id, inputs: Pair) -> Procedure[None]:
    yield from list(engage(play.combat, inputs.a, inputs.b))


def separate(play: Play, _: Id, inputs: Parting) -> Procedure[None]:
    for other in engaged_with(play.combat[inputs.a]):
        if inputs.b in (None, other):
            yield ConditionLost(inputs.a, "engaged", other, "ruling", rules=("VD-MELEE-01",))


def modifier(play: Play, _: Id, inputs: Modifying) -> Procedure[None]:
    """Store a modifier for the attacker's next routine (VD-ATK-01)."""
    kept = CIRCUMSTANCES.of(play.combat[inputs.attacker])
    more = Circumstance(inputs.value, inputs.target, inputs.circumstances)
    yield CIRCUMSTANCES.set(inputs.attacker, (*kept, more), rules=("VD-ATK-01",))


def grant_free_attack(play: Play, _: Id, inputs: Granting) -> Procedure[None]:
    """Offer a free attack for a trigger that the GM decides (VD-FREE-01, GAP-35)."""
    drawn = Drawn(inputs.attack_bonus, inputs.ac_penalty)
    yield from free_attacks(play, {inputs.attacker: [inputs.against]}, {inputs.against: drawn})


def grant_immediate_attack(play: Play, _: Id, inputs: GrantingAtOnce) -> Procedure[None]:
    """Offer an immediate attack for a trigger that the GM decides (VD-IMMA-01, GAP-35)."""
    yield from immediate_attacks(play, [(inputs.attacker, inputs.against, None, ())])


def morale_check(play: Play, _: Id, inputs: Morale) -> Procedure[None]:
    """Roll a morale check. Enhanced hit dice raise the roll (VD-EHD-06).

    If a low roll succeeds, they raise the number to reach instead.
    """
    high = inputs.success in ("≥", ">=")

    def bonus() -> int:
        return morale_bonus(sheet(play.combat[inputs.who]))

    def morale() -> int | None:
        return sheet(play.combat[inputs.who]).morale if inputs.target is None else inputs.target

    first = morale()
    assert first is not None  # a check without a number is refused

    def needed() -> Sum:
        now = morale()
        wanted = Sum().add("morale", first if now is None else now, "VD-EHD-06")
        return wanted if high else wanted.add("enhanced hit dice", bonus(), "VD-EHD-06")

    def word(faces: Sequence[int], total: int, target: int) -> str:
        return "success" if (total >= target if high else total <= target) else "failure"

    yield from roll(
        inputs.who,
        "morale",
        inputs.formula,
        rules=("VD-EHD-06",),
        terms=lambda: (Term("enhanced hit dice", bonus() if high else 0, "VD-EHD-06"),),
        target=needed,
        judge=word,
    )


MELEE = (
    ruling(
        "engage", Pair, engaging, "In melee", "VD-MELEE-01",
        refusals=_two, candidates=foes("a", "b"), idle="{a} and {b} are in melee already",
    ),
    ruling(
        "separate", Parting, separate, "Not in melee", "VD-MELEE-01",
        candidates=foes("a", "b"), idle="{a} is in no such melee",
    ),
    ruling("modifier", Modifying, modifier, "A modifier for the next attack", "VD-ATK-01"),
    ruling(
        "grant-free-attack", Granting, grant_free_attack, "A free attack", "VD-FREE-01",
        refusals=_free_refusals, candidates=foes("attacker", "against"),
    ),
    ruling(
        "grant-immediate-attack", GrantingAtOnce, grant_immediate_attack, "An immediate attack",
        "VD-IMMA-01", refusals=_immediate_refusals, candidates=foes("attacker", "against"),
    ),
    ruling(
        "morale-check", Morale, morale_check, "Morale", "VD-EHD-06",
        refusals=_morale_refusals, candidates=everybody({"target": 8}),
    ),
)  # fmt: skip


# ---- combatants (GAP-53)


class Setting(About, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs that begin a condition. With `remove`, they end every condition of that name."""

    condition: Word
    flags: tuple[Flag, ...] = ()
    modifiers: EffectModifiers = EffectModifiers()
    ongoing: Annotated[str, Meta(min_length=1, max_length=64)] | None = None
    duration: Span | None = None
    remove: bool = False


class Hurting(About, frozen=True, forbid_unknown_fields=True):
    amount: Points


class Changing(About, frozen=True, forbid_unknown_fields=True):
    """Inputs with new values of sheet fields."""

    sheet: dict[str, Json]


class Concentrating(About, frozen=True, forbid_unknown_fields=True):
    """Inputs that set the ability to concentrate on. `null` or "none" ends concentration."""

    ability: Word | None = None


class Handing(About, frozen=True, forbid_unknown_fields=True):
    item: Word
    state: Literal["held", "stowed", "gone"]


def _condition_refusals(play: Play, _: Id, inputs: Setting) -> Iterator[Illegal]:
    known(play, _, inputs)
    for fault in no_formula("/inputs/ongoing", inputs.ongoing):
        raise fault
    combatant = play.combat[inputs.who]
    if inputs.remove and not combatant.has(inputs.condition):
        held = tuple(condition.id for condition in combatant.conditions)
        raise Unknown("condition", inputs.condition, held)
    return iter(())


def _sheet_refusals(play: Play, _: Id, inputs: Changing) -> Iterator[Illegal]:
    known(play, _, inputs)
    combatant = play.combat[inputs.who]
    for fixed in ("name", "owner", "side", "at"):
        if fixed in inputs.sheet:
            raise Malformed(f"/inputs/sheet/{fixed}", f"{fixed} is not changed through the sheet")
    _full(combatant, msgspec.json.encode(inputs.sheet))
    return iter(())


@once
def _full(combatant: Combatant, new: bytes) -> Json:
    """Return the full sheet with the new fields. Raise `Malformed` or `Impossible` for a fault."""
    fixed = {"name": combatant.name, "side": combatant.side, "owner": None}
    try:
        full = read({**combatant.sheet, **msgspec.json.decode(new), **fixed}, Creature)
        for fault in check(full):
            raise fault
    except Malformed as error:
        error.pointer = f"/inputs/sheet{error.pointer}"
        raise
    return msgspec.to_builtins(full)


def _ability_refusals(play: Play, _: Id, inputs: Concentrating) -> Iterator[Illegal]:
    known(play, _, inputs)
    combatant = play.combat[inputs.who]
    if inputs.ability not in (None, "none") and ability_of(combatant, inputs.ability) is None:
        raise Unknown(
            "ability", inputs.ability, tuple(ability.id for ability in sheet(combatant).abilities)
        )
    return iter(())


def condition(play: Play, _: Id, inputs: Setting) -> Procedure[None]:
    """Begin or end a condition of any name (section 5)."""
    who = inputs.who
    if inputs.remove:
        for held in play.combat[who].all(inputs.condition):
            yield ConditionLost(who, held.id, held.key, "ruling", rules=("VD-CONC-03",))
        return
    effect = as_effect(inputs.condition, inputs)
    gift = Gift(who, effect, duration=inputs.duration, rules=("VD-CONC-03",))
    yield gained(play.combat, gift)


def damage(play: Play, _: Id, inputs: Hurting) -> Procedure[None]:
    """Deal damage, which also breaks concentration (GAP-53)."""
    yield Damaged(inputs.who, "hp", inputs.amount, "ruling", rules=("VD-DMG-01",))


def heal(play: Play, _: Id, inputs: Hurting) -> Procedure[None]:
    """Heal a combatant, up to the maximum."""
    yield healed(play.combat[inputs.who], "hp", inputs.amount, rules=("VD-END-01",))


def set_sheet(play: Play, _: Id, inputs: Changing) -> Procedure[None]:
    """Change the sheet. The new values count from the next check on (GAP-53)."""
    combatant = play.combat[inputs.who]
    full = _full(combatant, msgspec.json.encode(inputs.sheet))
    changed = {key: full[key] for key in inputs.sheet}
    yield CombatantChanged(inputs.who, sheet=changed, rules=("VD-SEQ-03",))


def set_track(play: Play, _: Id, inputs: SetTrack) -> Procedure[None]:
    """Correct a pool. Consequences follow (GAP-53)."""
    combatant, pool = play.combat[inputs.who], pool_of(play, inputs)
    yield corrected(combatant, pool, inputs.value, inputs.maximum, ("VD-SEQ-03",))


def set_concentrating(play: Play, _: Id, inputs: Concentrating) -> Procedure[None]:
    combatant = play.combat[inputs.who]
    if inputs.ability is None or ability_of(combatant, inputs.ability) is None:
        yield from list(stop_maintaining(combatant, "ruling", "VD-CONC-04"))
    else:
        yield from list(maintain(combatant, inputs.ability))


def set_item(play: Play, _: Id, inputs: Handing) -> Procedure[None]:
    """Set the state of an item (VD-MIN-02)."""
    items = {**ITEMS.of(play.combat[inputs.who]), inputs.item: inputs.state}
    yield ITEMS.set(inputs.who, items, rules=("VD-MIN-02",))


def _states(play: Play, _: Id) -> Iterator[Mapping[str, Json]]:
    for combatant in play.combat:
        yield {"combatant": combatant.id, "condition": "held", "flags": ["cannot_act"],
               "duration": {"rounds": 1}}  # fmt: skip
        yield {"combatant": combatant.id, "condition": "burning", "ongoing": "1d4",
               "duration": {"rounds": 2}}  # fmt: skip
        for held in combatant.conditions:
            yield {"combatant": combatant.id, "condition": held.id, "remove": True}


def _things(play: Play, _: Id) -> Iterator[Mapping[str, Json]]:
    for combatant in play.combat:
        for weapon in sheet(combatant).weapons:
            for state in ("gone", "held"):
                yield {"combatant": combatant.id, "item": weapon.id, "state": state}


POINTS = everybody({"amount": 1}, {"amount": 5})

BODIES = (
    ruling(
        "condition", Setting, condition, "A condition", "VD-CONC-03",
        refusals=_condition_refusals, candidates=_states,
    ),
    ruling("damage", Hurting, damage, "Damage", "VD-DMG-01", candidates=POINTS),
    ruling("heal", Hurting, heal, "Healing", "VD-END-01", candidates=POINTS),
    ruling(
        "set", Changing, set_sheet, "Correct the sheet", "VD-SEQ-03",
        refusals=_sheet_refusals, candidates=everybody({"sheet": {"ac": 3}}),
    ),
    ruling(
        "set-track", SetTrack, set_track, "Set hit points", "VD-SEQ-03",
        candidates=everybody({"value": 0}),
    ),
    ruling(
        "set-concentrating", Concentrating, set_concentrating, "What it maintains", "VD-CONC-04",
        refusals=_ability_refusals, candidates=everybody(),
        idle="{combatant} maintains just that already",
    ),
    ruling(
        "set-item", Handing, set_item, "What it holds", "VD-MIN-02",
        candidates=_things, idle="{item} of {combatant} is {state} already",
    ),
)  # fmt: skip


# ---- all rulings


VILE_DARKNESS_RULINGS: Mapping[str, Action] = {
    **RULINGS,
    **{action.id: action for action in (*COURSE, *OF_LINES, *MELEE, *BODIES)},
}
