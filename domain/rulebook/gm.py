"""The rulings of every rulebook, by which the GM changes the state by hand at any prompt.

A ruleset takes `RULINGS` and adds rulings. It replaces a ruling that needs more effects, such as a
`damage` that may cause wounds. A ruling is an `Action`, and its `who` is `""`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from domain.dice import MAX_SIDES
from domain.errors import Illegal, Malformed, Unknown
from domain.record.combat import Id, Json, Place
from domain.record.events import (
    BudgetSet,
    ConditionGained,
    ConditionLost,
    Damaged,
    FactSet,
    InitiativeSet,
    Moved,
    RollForced,
)
from domain.rulebook.action import Action
from domain.rulebook.edges import misplaced
from domain.rulebook.effects import Procedure
from domain.rulebook.facts import CombatFact, Fact
from domain.rulebook.group_rulings import SEVERAL
from domain.rulebook.input_reader import pointing, read, read_faces
from domain.rulebook.inputs import Creature, SpaceInput
from domain.rulebook.markers import MARKERS
from domain.rulebook.play import Play
from domain.rulebook.pools import corrected, healed
from domain.rulebook.prompts import Screen
from domain.rulebook.ruleset import square

Points = Annotated[int, Meta(ge=0, le=100_000)]
Number = Annotated[int, Meta(ge=-100_000, le=100_000)]
Word = Annotated[str, Meta(min_length=1, max_length=64)]


WHO: Mapping[str, str] = {"who": "combatant"}
"""The JSON names of fields of rulings. In JSON, the field `who` has the name `combatant`."""


class About(Struct, frozen=True, forbid_unknown_fields=True, rename=WHO):
    """The inputs of a ruling about one combatant."""

    who: Creature


class Harm(About, frozen=True, forbid_unknown_fields=True):
    """The inputs of the rulings `damage` and `heal`. If `track` is `null`, it is hit points."""

    amount: Points
    track: Word | None = None
    kind: Annotated[str, Meta(max_length=64)] = ""


class SetTrack(About, frozen=True, forbid_unknown_fields=True):
    """Set the points and the maximum of a track. Affray drops points above the maximum.

    If `track` is `null`, the track is hit points. A number that is `null` does not change.
    """

    track: Word | None = None
    value: Number | None = None
    maximum: Points | None = None


class SetCondition(About, frozen=True, forbid_unknown_fields=True):
    """Give a combatant a condition, with its `data`. `key` distinguishes several instances."""

    condition: Word
    key: Annotated[str, Meta(max_length=80)] = ""
    data: Mapping[str, Json] = {}


class EndCondition(About, frozen=True, forbid_unknown_fields=True):
    condition: Word
    key: Annotated[str, Meta(max_length=80)] = ""


class Placing(About, frozen=True, forbid_unknown_fields=True):
    """Put a combatant at `to`, as `[x, y]` or `[x, y, z]`. `null` takes it off the grid."""

    to: SpaceInput | None = None


class SetBudget(About, frozen=True, forbid_unknown_fields=True):
    budget: dict[Word, Points]


class ForceRoll(About, frozen=True, forbid_unknown_fields=True):
    """Set the faces of the combatant's next roll for `purpose`, or cancel the setting.

    - Empty `faces` cancel the setting.
    - If the dice are the same for everybody, Affray refuses faces that these dice do not have.
    - Otherwise, Affray checks the faces at the roll and ignores faces that the dice do not have.
    """

    purpose: Word
    faces: Annotated[tuple[Annotated[int, Meta(ge=1, le=MAX_SIDES)], ...], Meta(max_length=100)]


class SetOrder(Struct, frozen=True, forbid_unknown_fields=True):
    """Set the remaining turns of this round, and of later rounds if `lasting` is true."""

    order: Annotated[tuple[Id, ...], Meta(max_length=500)]
    lasting: bool = False


class SetFact(Struct, frozen=True, forbid_unknown_fields=True, rename=WHO):
    """Set a fact of the rulebook, to repair the state."""

    key: Word
    value: Json
    who: Id | None = None


def comes(field: str) -> Callable[[Play, Id, Any], Iterator[Illegal]]:
    """Return a check for a ruling that adds a combatant with the sheet in this field.

    For an invalid sheet, the check raises `Malformed` or `Impossible`. The pointer
    names the field of the inputs.
    """

    def refusals(play: Play, who: Id, inputs: Any) -> Iterator[Illegal]:
        with pointing(f"/inputs/{field}"):
            sheet = play.ruleset.read_sheet(getattr(inputs, field))
        return misplaced(play.ruleset, play.combat, sheet, f"/inputs/{field}")

    return refusals


PEOPLE = (
    "who", "combatant", "target", "attacker", "against", "viewer", "source", "start", "a", "b",
)  # fmt: skip
"""Fields of rulings that name a combatant."""


def known(play: Play, who: Id, inputs: Any) -> Iterator[Illegal]:
    """Raise `Unknown` for a combatant that does not exist or has left."""
    for field in PEOPLE:
        name = getattr(inputs, field, None)
        if isinstance(name, str) and play.combat[name].left:
            raise Unknown("combatant", name, tuple(combatant.id for combatant in play.combat))
    return iter(())


def pool_of(play: Play, inputs: Harm | SetTrack) -> str:
    """Return the track that the inputs name, or hit points by default.

    Raise `Unknown` if the combatant does not have the track.
    """
    tracks, track = play.combat[inputs.who].tracks, inputs.track
    name = track or next(iter(tracks), "hp") if track or "hp" not in tracks else "hp"
    if name not in tracks:
        raise Unknown("track", name, tuple(tracks))
    return name


def damage(play: Play, _: Id, inputs: Harm) -> Procedure[None]:
    """Take points from a track. This ruling has no other effect."""
    track = pool_of(play, inputs)
    yield Damaged(inputs.who, track, inputs.amount, inputs.kind)


def heal(play: Play, _: Id, inputs: Harm) -> Procedure[None]:
    """Restore points, up to the track's maximum."""
    pool = pool_of(play, inputs)
    yield healed(play.combat[inputs.who], pool, inputs.amount)


def set_track(play: Play, _: Id, inputs: SetTrack) -> Procedure[None]:
    pool = pool_of(play, inputs)
    yield corrected(play.combat[inputs.who], pool, inputs.value, inputs.maximum)


def condition_data(play: Play, inputs: SetCondition) -> Mapping[str, Json]:
    """Return the data for the condition, in the form of the rulebook's Struct.

    Raise `Malformed` for an unknown condition, or for data that do not fit.
    """
    if inputs.condition not in play.ruleset.conditions:
        raise Malformed(
            "/inputs/condition",
            f"{play.ruleset.id} has no condition {inputs.condition!r}",
            tuple(play.ruleset.conditions),
        )
    kind = play.ruleset.conditions[inputs.condition].data
    with pointing("/inputs/data"):
        data = read(inputs.data, kind)
    return (
        msgspec.to_builtins(data) if kind.__struct_config__.forbid_unknown_fields else inputs.data
    )


def set_condition(play: Play, _: Id, inputs: SetCondition) -> Procedure[None]:
    data = condition_data(play, inputs)
    yield ConditionGained(inputs.who, inputs.condition, inputs.key, data)


def end_condition(play: Play, _: Id, inputs: EndCondition) -> Procedure[None]:
    if not play.combat[inputs.who].has(inputs.condition):
        held = tuple(condition.id for condition in play.combat[inputs.who].conditions)
        raise Unknown("condition", inputs.condition, held)
    yield ConditionLost(inputs.who, inputs.condition, inputs.key, "ruling")


def move(play: Play, _: Id, inputs: Placing) -> Procedure[None]:
    to = square(inputs.to)
    yield Moved(inputs.who, () if to is None else (to,), forced=True)


def set_budget(play: Play, _: Id, inputs: SetBudget) -> Procedure[None]:
    """Set the budget for kinds of action that the rulebook or the combatant has."""
    kinds = (*play.ruleset.catalogue.budget, *play.combat[inputs.who].budget)
    for kind in inputs.budget:
        if kind not in kinds:
            known = tuple(dict.fromkeys(kinds))
            raise Malformed(f"/inputs/budget/{kind}", f"no kind of action {kind!r}", known)
    yield BudgetSet(inputs.who, inputs.budget)


def is_of(purpose: str, name: str) -> bool:
    """Return true if `purpose` covers rolls with this name. `skill-<name>` covers every skill."""
    family = purpose.removesuffix("<name>")
    return name == purpose or (family != purpose and name.startswith(family) and name != family)


def force_roll(play: Play, _: Id, inputs: ForceRoll) -> Procedure[None]:
    known = play.ruleset.purposes
    if known and not any(is_of(purpose, inputs.purpose) for purpose in known):
        raise Unknown("roll purpose", inputs.purpose, known)
    for purpose, dice in play.ruleset.dice(play.combat).items():
        if inputs.faces and is_of(purpose, inputs.purpose):
            with pointing("/inputs"):
                read_faces(inputs.faces, dice)
    yield RollForced(inputs.who, inputs.purpose, inputs.faces)


def set_order(play: Play, _: Id, inputs: SetOrder) -> Procedure[None]:
    for who in inputs.order:
        play.combat[who]
    tags = {place.who: place for place in (*play.combat.order, *play.combat.queue)}
    order = tuple(tags.get(who, Place(who)) for who in inputs.order)
    yield InitiativeSet(order, inputs.lasting)


def set_fact(play: Play, _: Id, inputs: SetFact) -> Procedure[None]:
    """Set a declared fact to a value of its declared type, or delete it with `null`."""
    about = CombatFact if inputs.who is None else Fact
    declared = {fact.name: fact for fact in play.ruleset.facts if isinstance(fact, about)}
    if inputs.key not in declared:
        raise Unknown("fact", inputs.key, tuple(declared))
    value = inputs.value
    if value is not None:
        with pointing("/inputs/value"):
            value = msgspec.to_builtins(read(value, declared[inputs.key].kind))
    yield FactSet(inputs.who, inputs.key, value)


def _held(play: Play, _: Id) -> Iterator[Mapping[str, Json]]:
    for combatant in play.combat:
        for condition in combatant.conditions:
            yield {"combatant": combatant.id, "condition": condition.id, "key": condition.key}


def no_samples(play: Play, _: Id) -> Iterator[Mapping[str, Json]]:
    """Yield no samples, because only the GM can choose the inputs."""
    return iter(())


Candidates = Callable[[Play, Id], Iterable[Mapping[str, Json]]]


def everybody(*samples: Mapping[str, Json]) -> Candidates:
    """Return candidates that combine each sample with every combatant.

    Without samples, the combatant is the only input.
    """
    every = samples or ({},)
    return lambda play, _: (
        {"combatant": combatant.id, **sample} for sample in every for combatant in play.combat
    )


def foes(first: str, second: str, *samples: Mapping[str, Json]) -> Candidates:
    """Return candidates that combine each sample with every pair of foes."""
    every = samples or ({},)
    return lambda play, _: (
        {first: a.id, second: b.id, **sample}
        for a in play.combat
        for b in play.combat
        if a.side != b.side
        for sample in every
    )


SCREENS: Mapping[str, Screen] = {
    "damage": Screen("rule", "Damage {combatant}[: {amount}]", polarity="harm"),
    "heal": Screen("rule", "Heal {combatant}", polarity="help"),
    "set-condition": Screen("rule", "{combatant} is {condition}", polarity="either"),
    "end-condition": Screen("rule", "{combatant} is no longer {condition}"),
    "move": Screen("rule", "Put {combatant} at {to}", ("combatant", "to")),
    "leave": Screen("rule", "{combatant} leaves"),
}
"""Screen data of rulings that most rulebooks have."""

HARMS = everybody({"amount": 1}, {"amount": 7})
"""Samples of a small and a large amount of damage."""


def ruling(
    id: str,
    inputs: type[Struct],
    procedure: Callable[[Play, Id, Any], Procedure[None]],
    label: str,
    *rules: str,
    refusals: Callable[[Play, Id, Any], Iterator[Illegal]] = known,
    candidates: Candidates = no_samples,
    notes: bool = False,
    idle: str = "",
) -> Action:
    """Return a ruling, with the defaults that most rulings share."""
    screen = SCREENS.get(id, Screen("rule"))
    return Action(
        id,
        inputs,
        refusals,
        candidates,
        label,
        procedure=procedure,
        rules=rules,
        screen=screen,
        notes=notes,
        idle=idle,
    )


RULINGS: Mapping[str, Action] = {
    action.id: action
    for action in (
        ruling("damage", Harm, damage, "Damage", candidates=HARMS),
        ruling("heal", Harm, heal, "Healing", candidates=HARMS),
        ruling("set-track", SetTrack, set_track, "Set a pool"),
        ruling("set-condition", SetCondition, set_condition, "Begin a condition"),
        ruling("end-condition", EndCondition, end_condition, "End a condition", candidates=_held),
        ruling("move", Placing, move, "Put somewhere"),
        ruling("set-budget", SetBudget, set_budget, "Set what is left of a turn"),
        ruling("force-roll", ForceRoll, force_roll, "Set the next roll"),
        ruling("set-order", SetOrder, set_order, "Set the order of turns"),
        ruling("set-fact", SetFact, set_fact, "Repair what the ruleset remembers"),
        *MARKERS,
        SEVERAL,
    )
}
