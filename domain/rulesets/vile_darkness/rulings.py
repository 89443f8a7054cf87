"""What the GM decides by hand in this rulebook (4.2), beside the rulings of every rulebook."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct, field
from msgspec.structs import replace

from domain.errors import Illegal, Malformed, Unknown
from domain.record.combat import Id, Json
from domain.record.events import (
    CombatantChanged,
    CombatantLeft,
    ConditionGained,
    ConditionLost,
    Damaged,
    FactSet,
    Healed,
    Moved,
    Noted,
    PhaseBegan,
    Term,
    TrackChanged,
)
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure, admit, roll
from domain.rulebook.ending import ENDING
from domain.rulebook.ending import Ending as Outcome
from domain.rulebook.gm import RULINGS
from domain.rulebook.play import Play
from domain.rulebook.prompts import NoInputs
from domain.rulebook.reading import read
from domain.rulebook.ruleset import square
from domain.rulebook.sheets import no_formula
from domain.rulesets.vile_darkness import flow, reactions
from domain.rulesets.vile_darkness.attack import engage
from domain.rulesets.vile_darkness.concentration import maintain, stop_maintaining
from domain.rulesets.vile_darkness.facts import (
    CIRCUMSTANCES,
    CLOSED,
    ENDING_ROUND,
    ITEMS,
    LINES,
    Circumstance,
    Line,
)
from domain.rulesets.vile_darkness.harm import Gift, gained
from domain.rulesets.vile_darkness.hit_dice import morale_bonus
from domain.rulesets.vile_darkness.numbers import ability_of, engaged_with, sheet
from domain.rulesets.vile_darkness.powers import where
from domain.rulesets.vile_darkness.reactions import Taking, TakingAtOnce
from domain.rulesets.vile_darkness.round_end import NEXT
from domain.rulesets.vile_darkness.sheet import (
    Creature,
    Effect,
    EffectModifiers,
    Flag,
    Number,
    Span,
    check,
)
from domain.rulesets.vile_darkness.slots import DECLARE, END, running
from domain.rulesets.vile_darkness.targets import by_name

Square = Annotated[tuple[int, ...], Meta(min_length=2, max_length=3)]
Points = Annotated[int, Meta(ge=0, le=100_000)]
Word = Annotated[str, Meta(min_length=1, max_length=120)]
Percent = Annotated[int, Meta(ge=0, le=100)]
Candidates = Callable[[Play, Id], Iterator[Mapping[str, Json]]]


# ---- inputs


class Placing(Struct, frozen=True, forbid_unknown_fields=True):
    """`at` null takes it off the grid; it ends no engagement."""

    who: Id
    at: tuple[int, ...] | None = None


class Pair(Struct, frozen=True, forbid_unknown_fields=True):
    a: Id
    b: Id


class Parting(Struct, frozen=True, forbid_unknown_fields=True):
    """No `b`: from everybody."""

    a: Id
    b: Id | None = None


class Between(Struct, frozen=True, forbid_unknown_fields=True):
    """From a combatant to a combatant, an object or a square: [x, y] or "x,y"."""

    start: Id = field(name="from")
    to: Word | Square


class Covering(Between, frozen=True, forbid_unknown_fields=True):
    percent: Percent


class Blocking(Between, frozen=True, forbid_unknown_fields=True):
    """`opening_ft`: width and height of what is left open."""

    opening_ft: tuple[float, float] | None = None


class Modifying(Struct, frozen=True, forbid_unknown_fields=True):
    """On the next attack routine of the attacker (at the target), in this round."""

    attacker: Id
    value: Number = 0
    target: Id | None = None
    circumstances: tuple[Word, ...] = ()


class Granting(Struct, frozen=True, forbid_unknown_fields=True):
    attacker: Id
    against: Id
    attack_bonus: Number = 0
    ac_penalty: Annotated[int, Meta(ge=0, le=100)] = 0


class GrantingAtOnce(Struct, frozen=True, forbid_unknown_fields=True):
    attacker: Id
    against: Id


class Morale(Struct, frozen=True, forbid_unknown_fields=True):
    """By default 2d6 against the sheet's `morale`, low succeeds."""

    who: Id
    formula: Annotated[str, Meta(min_length=1, max_length=64)] = "2d6"
    target: Number | None = None
    success: Literal["≤", "≥", "<=", ">="] = "≤"


class Setting(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Begin a condition, or with `remove` end every one of that name."""

    target: Id
    condition: Word
    flags: tuple[Flag, ...] = ()
    modifiers: EffectModifiers = EffectModifiers()
    ongoing: Annotated[str, Meta(min_length=1, max_length=64)] | None = None
    duration: Span | None = None
    remove: bool = False


class Hurting(Struct, frozen=True, forbid_unknown_fields=True):
    target: Id
    amount: Points


class Changing(Struct, frozen=True, forbid_unknown_fields=True):
    """Fields of the sheet and their new values."""

    who: Id
    sheet: dict[str, Json]


class Tracking(Struct, frozen=True, forbid_unknown_fields=True):
    who: Id
    track: Word = "hp"
    value: Annotated[int, Meta(ge=-100_000, le=100_000)] | None = None
    maximum: Annotated[int, Meta(ge=1, le=100_000)] | None = None


class Concentrating(Struct, frozen=True, forbid_unknown_fields=True):
    """`ability` null or "none": it maintains nothing any more."""

    who: Id
    ability: Word | None = None


class Handing(Struct, frozen=True, forbid_unknown_fields=True):
    who: Id
    item: Word
    state: Literal["held", "stowed", "gone"]


class Joining(Struct, frozen=True, forbid_unknown_fields=True):
    sheet: dict[str, Json]
    hidden: bool = False


class Who(Struct, frozen=True, forbid_unknown_fields=True):
    who: Id


class Override(Struct, frozen=True, forbid_unknown_fields=True):
    """The GM settles the result of an event otherwise; what changes is done by other rulings."""

    event: Annotated[int, Meta(ge=1)]
    outcome: Annotated[str, Meta(min_length=1, max_length=2000)]


class Ending(Struct, frozen=True, forbid_unknown_fields=True):
    winners: Annotated[tuple[Word, ...], Meta(max_length=50)] | None = None
    reason: Annotated[str, Meta(max_length=2000)] = ""


# ---- refusals


def known(play: Play, _: Id, inputs: Any) -> Iterator[Illegal]:
    """Raises `Unknown` for a combatant that is not there."""
    for name in ("who", "target", "attacker", "against", "a", "b", "start"):
        who = getattr(inputs, name, None)
        if isinstance(who, str):
            one = play.combat[who]
            if one.left:
                raise Unknown("combatant", who, tuple(each.id for each in play.combat))
    return iter(())


def in_phase(*phases: str) -> Callable[[Play, Id, Any], Iterator[Illegal]]:
    """In one of these steps only."""

    def refusals(play: Play, _: Id, inputs: Any) -> Iterator[Illegal]:
        if play.combat.phase not in phases:
            detail = f"not in the step {play.combat.phase}"
            yield Illegal("VD-SEQ-03", "wrong-phase", detail, phases)

    return refusals


def in_round(play: Play, _: Id, inputs: Any) -> Iterator[Illegal]:
    """While a round runs."""
    known(play, _, inputs)
    if not running(play.combat):
        yield Illegal("VD-SEQ-03", "wrong-phase", f"no round runs: {play.combat.phase}")


def _surprise_refusals(play: Play, _: Id, inputs: flow.Surprise) -> Iterator[Illegal]:
    for name in inputs.who:
        if by_name(play.combat, name) is None:
            raise Unknown("combatant", name, tuple(each.id for each in play.combat))
    return iter(())


def _free_refusals(play: Play, _: Id, inputs: Granting) -> Iterator[Illegal]:
    yield from in_round(play, _, inputs)
    yield from reactions.free_refusals(play.combat, inputs.attacker, inputs.against, Taking())


def _immediate_refusals(play: Play, _: Id, inputs: GrantingAtOnce) -> Iterator[Illegal]:
    yield from in_round(play, _, inputs)
    yield from reactions.immediate_refusals(
        play.combat, inputs.attacker, inputs.against, TakingAtOnce()
    )


def _morale_refusals(play: Play, _: Id, inputs: Morale) -> Iterator[Illegal]:
    known(play, _, inputs)
    for fault in no_formula("/inputs/formula", inputs.formula):
        raise fault
    if inputs.target is None and sheet(play.combat[inputs.who]).morale is None:
        raise Malformed("/inputs/target", "the sheet has no morale: give the target")
    return iter(())


def _condition_refusals(play: Play, _: Id, inputs: Setting) -> Iterator[Illegal]:
    known(play, _, inputs)
    for fault in no_formula("/inputs/ongoing", inputs.ongoing):
        raise fault
    one = play.combat[inputs.target]
    if inputs.remove and not one.has(inputs.condition):
        held = tuple(each.id for each in one.conditions)
        raise Unknown("condition", inputs.condition, held)
    return iter(())


def _sheet_refusals(play: Play, _: Id, inputs: Changing) -> Iterator[Illegal]:
    known(play, _, inputs)
    one = play.combat[inputs.who]
    for fixed in ("name", "owner", "side", "at"):
        if fixed in inputs.sheet:
            raise Malformed(f"/inputs/sheet/{fixed}", f"{fixed} is not changed through the sheet")
    _full(one.sheet, inputs.sheet, one.name, one.side)
    return iter(())


def _full(old: Mapping[str, Json], new: Mapping[str, Json], name: str, side: str) -> Json:
    try:
        full = read({**old, **new, "name": name, "side": side, "owner": None}, Creature)
        for fault in check(full):
            raise fault
    except Malformed as error:
        error.pointer = f"/inputs/sheet{error.pointer}"
        raise
    return msgspec.to_builtins(full)


def _track_refusals(play: Play, _: Id, inputs: Tracking) -> Iterator[Illegal]:
    known(play, _, inputs)
    tracks = play.combat[inputs.who].tracks
    if inputs.track not in tracks:
        raise Unknown("track", inputs.track, tuple(tracks))
    return iter(())


def _ability_refusals(play: Play, _: Id, inputs: Concentrating) -> Iterator[Illegal]:
    known(play, _, inputs)
    one = play.combat[inputs.who]
    if inputs.ability not in (None, "none") and ability_of(one, inputs.ability) is None:
        raise Unknown("ability", inputs.ability, tuple(each.id for each in sheet(one).abilities))
    return iter(())


def _place_refusals(play: Play, _: Id, inputs: Placing) -> Iterator[Illegal]:
    known(play, _, inputs)
    square(inputs.at)
    return iter(())


# ---- what they do


def surprise(play: Play, _: Id, inputs: flow.Surprise) -> Procedure[None]:
    """Who is surprised, from now on (VD-SEQ-01)."""
    yield from flow.surprised(play, inputs)


def place(play: Play, _: Id, inputs: Placing) -> Procedure[None]:
    """Put somewhere by hand (VD-SEQ-02)."""
    to = square(inputs.at)
    yield Moved(inputs.who, () if to is None else (to,), forced=True, rules=("VD-SEQ-02",))


def engaging(play: Play, _: Id, inputs: Pair) -> Procedure[None]:
    yield from list(engage(play.combat, inputs.a, inputs.b))


def separate(play: Play, _: Id, inputs: Parting) -> Procedure[None]:
    for other in engaged_with(play.combat[inputs.a]):
        if inputs.b in (None, other):
            yield ConditionLost(inputs.a, "engaged", other, "ruling", rules=("VD-MELEE-01",))


def announce_round(play: Play, _: Id, inputs: NoInputs) -> Procedure[None]:
    """The same as the answer to `positions` or `end-of-round` (VD-SEQ-03, -04)."""
    if play.combat.phase == END:
        yield ENDING_ROUND.set(True, rules=("VD-SEQ-04",))
    else:
        yield PhaseBegan(NEXT, rules=("VD-SEQ-03",))


def close_declare(play: Play, _: Id, inputs: NoInputs) -> Procedure[None]:
    """Whoever has said nothing declares nothing more (VD-DECL-01)."""
    yield CLOSED.set(True, rules=("VD-DECL-01",))


def _line(play: Play, inputs: Between) -> tuple[str, Line]:
    to = inputs.to if isinstance(inputs.to, str) else ",".join(str(part) for part in inputs.to)
    key = f"{inputs.start}>{where(to)}"
    return key, LINES.of(play.combat).get(key, Line())


def _with_line(play: Play, key: str, line: Line | None, rule: str) -> FactSet:
    lines = {name: one for name, one in LINES.of(play.combat).items() if name != key}
    if line is not None:
        lines[key] = line
    return LINES.set(lines, rules=(rule,))


def set_cover(play: Play, _: Id, inputs: Covering) -> Procedure[None]:
    """VD-LOE-04."""
    key, line = _line(play, inputs)
    yield _with_line(play, key, replace(line, cover=inputs.percent), "VD-LOE-04")


def set_concealment(play: Play, _: Id, inputs: Covering) -> Procedure[None]:
    """VD-LOS-02."""
    key, line = _line(play, inputs)
    yield _with_line(play, key, replace(line, concealment=inputs.percent), "VD-LOS-02")


def block_line(play: Play, _: Id, inputs: Blocking) -> Procedure[None]:
    """Walls, glass, corners; an opening of a foot each way is enough (VD-LOE-02, -03)."""
    key, line = _line(play, inputs)
    blocked = replace(line, blocked=True, opening=inputs.opening_ft)
    yield _with_line(play, key, blocked, "VD-LOE-03")


def clear_line(play: Play, _: Id, inputs: Between) -> Procedure[None]:
    key, _line_now = _line(play, inputs)
    yield _with_line(play, key, None, "VD-LOE-01")


def modifier(play: Play, _: Id, inputs: Modifying) -> Procedure[None]:
    """VD-ATK-01."""
    kept = CIRCUMSTANCES.of(play.combat[inputs.attacker])
    more = Circumstance(inputs.value, inputs.target, inputs.circumstances)
    yield CIRCUMSTANCES.set(inputs.attacker, (*kept, more), rules=("VD-ATK-01",))


def grant_free_attack(play: Play, _: Id, inputs: Granting) -> Procedure[None]:
    """A trigger that the GM sees (VD-FREE-01, GAP-35)."""
    yield from reactions.free_attacks(
        play, {inputs.attacker: [inputs.against]}, inputs.attack_bonus, inputs.ac_penalty
    )


def grant_immediate_attack(play: Play, _: Id, inputs: GrantingAtOnce) -> Procedure[None]:
    """A trigger that the GM sees (VD-IMMA-01, GAP-35)."""
    yield from reactions.immediate_attacks(play, [(inputs.attacker, inputs.against, None, ())])


def morale_check(play: Play, _: Id, inputs: Morale) -> Procedure[None]:
    """Enhanced hit dice help: on the roll when high succeeds, else on the target (VD-EHD-06)."""
    card = sheet(play.combat[inputs.who])
    bonus = morale_bonus(card)
    high = inputs.success in ("≥", ">=")
    wanted = inputs.target if inputs.target is not None else card.morale or 0
    target = wanted if high else wanted + bonus

    def word(faces: Sequence[int], total: int) -> str:
        return "holds" if (total >= target if high else total <= target) else "breaks"

    yield from roll(
        inputs.who,
        "morale",
        inputs.formula,
        rules=("VD-EHD-06",),
        terms=(Term("enhanced hit dice", bonus if high else 0, "VD-EHD-06"),),
        target=target,
        judge=word,
    )


def condition(play: Play, _: Id, inputs: Setting) -> Procedure[None]:
    """Data conditions of any name, with their own end (section 5)."""
    who = inputs.target
    if inputs.remove:
        for held in play.combat[who].all(inputs.condition):
            yield ConditionLost(who, held.id, held.key, "ruling", rules=("VD-CONC-03",))
        return
    effect = Effect(
        condition=inputs.condition,
        flags=inputs.flags,
        modifiers=inputs.modifiers,
        ongoing=inputs.ongoing,
    )
    event: ConditionGained = gained(
        play.combat, Gift(who, effect, duration=inputs.duration, rules=("VD-CONC-03",))
    )
    yield event


def damage(play: Play, _: Id, inputs: Hurting) -> Procedure[None]:
    """Damage is damage: it breaks concentration (GAP-53)."""
    yield Damaged(inputs.target, "hp", inputs.amount, "ruling", rules=("VD-DMG-01",))


def heal(play: Play, _: Id, inputs: Hurting) -> Procedure[None]:
    """To the maximum at most."""
    hp = play.combat[inputs.target].tracks["hp"]
    room = inputs.amount if hp.maximum is None else max(0, hp.maximum - hp.value)
    yield Healed(inputs.target, "hp", min(room, inputs.amount), rules=("VD-END-01",))


def set_sheet(play: Play, _: Id, inputs: Changing) -> Procedure[None]:
    """A corrected sheet counts from the next check on (GAP-53)."""
    one = play.combat[inputs.who]
    full = _full(one.sheet, inputs.sheet, one.name, one.side)
    changed = {key: full[key] for key in inputs.sheet}
    yield CombatantChanged(inputs.who, sheet=changed, rules=("VD-SEQ-03",))
    hp, maximum = inputs.sheet.get("hp"), inputs.sheet.get("max_hp")
    if hp is not None or maximum is not None:
        yield TrackChanged(inputs.who, "hp", hp, maximum, "ruling", rules=("VD-SEQ-03",))


def set_track(play: Play, _: Id, inputs: Tracking) -> Procedure[None]:
    """A number is corrected; what follows from it follows (GAP-53)."""
    yield TrackChanged(
        inputs.who, inputs.track, inputs.value, inputs.maximum, "ruling", rules=("VD-SEQ-03",)
    )


def set_concentrating(play: Play, _: Id, inputs: Concentrating) -> Procedure[None]:
    one = play.combat[inputs.who]
    if inputs.ability is None or ability_of(one, inputs.ability) is None:
        yield from list(stop_maintaining(one, "ruling", "VD-CONC-04"))
    else:
        yield from list(maintain(one, inputs.ability))


def set_item(play: Play, _: Id, inputs: Handing) -> Procedure[None]:
    """VD-MIN-02."""
    items = {**ITEMS.of(play.combat[inputs.who]), inputs.item: inputs.state}
    yield ITEMS.set(inputs.who, items, rules=("VD-MIN-02",))


def join(play: Play, _: Id, inputs: Joining) -> Procedure[None]:
    """Somebody comes (GAP-54)."""
    yield from admit(inputs.sheet, hidden=inputs.hidden)


def leave(play: Play, _: Id, inputs: Who) -> Procedure[None]:
    """Gone from every slot, prompt, engagement and line (GAP-54)."""
    yield CombatantLeft(inputs.who, rules=("VD-SEQ-02",))


def override(play: Play, _: Id, inputs: Override) -> Procedure[None]:
    yield Noted(f"event {inputs.event} is settled otherwise: {inputs.outcome}")


def end_round(play: Play, _: Id, inputs: NoInputs) -> Procedure[None]:
    """All pass what is left; spells and complex activities still complete (4.2)."""
    if play.combat.phase == DECLARE:
        yield CLOSED.set(True, rules=("VD-END-01",))
    yield ENDING_ROUND.set(True, rules=("VD-END-01",))


def end_combat(play: Play, _: Id, inputs: Ending) -> Procedure[None]:
    yield ENDING.set(Outcome(inputs.winners, inputs.reason))
    yield PhaseBegan("ending", rules=("VD-END-01",))


def _started(play: Play, _: Id, inputs: Any) -> Iterator[Illegal]:
    if play.combat.status != "running":
        yield Illegal("VD-SEQ-03", "wrong-phase", f"the combat is {play.combat.status}")


# ---- samples


def _none(play: Play, _: Id) -> Iterator[Mapping[str, Json]]:
    return iter(())


def _pairs(first: str, second: str) -> Candidates:
    def found(play: Play, _: Id) -> Iterator[Mapping[str, Json]]:
        for a in play.combat:
            for b in play.combat:
                if a.side != b.side:
                    yield {first: a.id, second: b.id}

    return found


def _points(play: Play, _: Id) -> Iterator[Mapping[str, Json]]:
    for amount in (1, 5):
        for one in play.combat:
            yield {"target": one.id, "amount": amount}


def _everybody(**more: Json) -> Candidates:
    def found(play: Play, _: Id) -> Iterator[Mapping[str, Json]]:
        for one in play.combat:
            yield {"who": one.id, **more}

    return found


def _states(play: Play, _: Id) -> Iterator[Mapping[str, Json]]:
    for one in play.combat:
        yield {"target": one.id, "condition": "held", "flags": ["cannot_act"],
               "duration": {"rounds": 1}}  # fmt: skip
        yield {"target": one.id, "condition": "burning", "ongoing": "1d4",
               "duration": {"rounds": 2}}  # fmt: skip
        for held in one.conditions:
            yield {"target": one.id, "condition": held.id, "remove": True}


def _lines(percent: int) -> Candidates:
    def found(play: Play, _: Id) -> Iterator[Mapping[str, Json]]:
        for a in play.combat:
            for b in play.combat:
                yield {"from": a.id, "to": b.id, "percent": percent}

    return found


def _things(play: Play, _: Id) -> Iterator[Mapping[str, Json]]:
    for one in play.combat:
        for weapon in sheet(one).weapons:
            for state in ("gone", "held"):
                yield {"who": one.id, "item": weapon.id, "state": state}


def _ruling(
    id: str,
    inputs: type[Struct],
    refusals: Any,
    procedure: Any,
    label: str,
    candidates: Candidates = _none,
    *rules: str,
) -> Action:
    return Action(id, inputs, refusals, candidates, label, procedure=procedure, rules=rules)


_ONCE: Candidates = lambda play, who: iter(({},))  # noqa: E731

_OWN = (
    _ruling("surprise", flow.Surprise, _surprise_refusals, surprise, "Who is surprised",
            lambda play, _: ({"who": [one.id]} for one in play.combat), "VD-SEQ-01"),
    _ruling("place", Placing, _place_refusals, place, "Put somewhere", _none, "VD-SEQ-02"),
    _ruling("engage", Pair, known, engaging, "In melee", _pairs("a", "b"), "VD-MELEE-01"),
    _ruling("separate", Parting, known, separate, "Not in melee", _pairs("a", "b"), "VD-MELEE-01"),
    _ruling("announce-round", NoInputs, in_phase("positions", END), announce_round,
            "Announce the round", _ONCE, "VD-SEQ-03", "VD-SEQ-04"),
    _ruling("close-declare", NoInputs, in_phase(DECLARE), close_declare,
            "Close the declarations", _none, "VD-DECL-01"),
    _ruling("set-cover", Covering, known, set_cover, "Cover", _lines(51), "VD-LOE-04"),
    _ruling("set-concealment", Covering, known, set_concealment, "Concealment", _lines(75),
            "VD-LOS-02"),
    _ruling("block-line", Blocking, known, block_line, "Something stands between", _none,
            "VD-LOE-03"),
    _ruling("clear-line", Between, known, clear_line, "Nothing stands between", _none,
            "VD-LOE-01"),
    _ruling("modifier", Modifying, known, modifier, "A modifier for the next attack", _none,
            "VD-ATK-01"),
    _ruling("grant-free-attack", Granting, _free_refusals, grant_free_attack, "A free attack",
            _pairs("attacker", "against"), "VD-FREE-01"),
    _ruling("grant-immediate-attack", GrantingAtOnce, _immediate_refusals,
            grant_immediate_attack, "An immediate attack", _pairs("attacker", "against"),
            "VD-IMMA-01"),
    _ruling("morale-check", Morale, _morale_refusals, morale_check, "Morale",
            _everybody(target=8), "VD-EHD-06"),
    _ruling("condition", Setting, _condition_refusals, condition, "A condition", _states,
            "VD-CONC-03"),
    _ruling("damage", Hurting, known, damage, "Damage", _points, "VD-DMG-01"),
    _ruling("heal", Hurting, known, heal, "Healing", _points, "VD-END-01"),
    _ruling("set", Changing, _sheet_refusals, set_sheet, "Correct the sheet",
            _everybody(sheet={"ac": 3}), "VD-SEQ-03"),
    _ruling("set-track", Tracking, _track_refusals, set_track, "Set hit points",
            _everybody(value=0), "VD-SEQ-03"),
    _ruling("set-concentrating", Concentrating, _ability_refusals, set_concentrating,
            "What it maintains", _everybody(), "VD-CONC-04"),
    _ruling("set-item", Handing, known, set_item, "What it holds", _things, "VD-MIN-02"),
    _ruling("join", Joining, known, join, "Somebody comes", _none, "VD-SEQ-02"),
    _ruling("leave", Who, known, leave, "Somebody goes", _none, "VD-SEQ-02"),
    _ruling("override", Override, known, override, "Settle a result otherwise"),
    _ruling("end-round", NoInputs, in_round, end_round, "End the round", _none, "VD-END-01"),
    _ruling("end-combat", Ending, _started, end_combat, "End the combat", _none, "VD-END-01"),
)  # fmt: skip

VILE_DARKNESS_RULINGS: Mapping[str, Action] = {**RULINGS, **{one.id: one for one in _OWN}}
