"""Options: try every option of a combatant with the checks that refuse.

The checks run on the combat as the caller knows it (`play`). If they meet a combatant that the
caller does not know, they run on the real combat (`truth`). The caller then gets their texts
without the names of unknown combatants.
"""

from collections.abc import Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

import msgspec
from msgspec import Struct

from domain.engine.refusals import refusals, tells, unseen_in
from domain.engine.trial import would_change
from domain.errors import Illegal, Malformed, Unknown
from domain.record.combat import Combat, Id, Json, Square
from domain.rulebook.action import Action
from domain.rulebook.edges import Edges
from domain.rulebook.input_reader import read
from domain.rulebook.play import Play
from domain.rulebook.polarity import Order
from domain.rulebook.prompts import Option, no_candidates
from domain.rulebook.reachability import MOST, Ways, ways
from domain.rulebook.secrecy import knows_of

EXAMPLES = 24
"""The largest number of legal inputs that an offer lists."""

TRIED = 400
"""The largest number of candidates that `tried` checks for one option."""

NOTHING_FITS = Illegal("", "nothing-fits", "there is nothing now that it could be done with")


class Choice(Struct, frozen=True):
    """An option that `who` ("" for the GM) has now, legal or not.

    `prompt` is `None` for an interjection, a ruling, or an action outside the combatant's turn. For
    such an action, `unasked` is true.
    """

    who: Id
    option: Option
    prompt: str | None
    kind: str
    unasked: bool = False


@dataclass(frozen=True)
class Offer:
    """The state of one option of `who` ("" for the GM).

    - `legal`: inputs that Affray would accept now.
    - `refusals`: every reason against the option, if there are no legal inputs. If
      `legal` and `refusals` are both empty, a person must choose the inputs.
    - `prompt`: the id of the prompt, or `None` for an interjection or a ruling.
    - `values`: the values of each field in all known legal inputs.
    - `wrong`: true if all legal inputs would harm only allies, help only foes, or have no effect.
    """

    prompt: str | None
    kind: str
    option: Option
    legal: tuple[Mapping[str, Json], ...]
    refusals: tuple[Illegal, ...]
    who: Id = ""
    values: Mapping[str, tuple[Json, ...]] = field(default_factory=dict)
    wrong: bool = False


def asked_first(known: Combat, truth: Combat, who: Id) -> Illegal | None:
    """Return the prompt that must be answered before the turn of `who` continues, as a refusal.

    `known` limits the words to the caller's knowledge. Return `None` if only turn prompts are open.
    """
    if who not in known.acting or not truth.frames:
        return None
    asked = [prompt for prompt in truth.prompts.values() if prompt.frame == truth.frames[-1].id]
    waiting = [prompt.id for prompt in asked]
    if not waiting or all(prompt.kind == "turn" for prompt in asked):
        return None
    told = (known.prompts[id] for id in waiting if id in known.prompts)
    texts = (
        prompt.text or f"what is asked of {prompt.who}" for prompt in told if prompt.answer is None
    )
    first = next(texts, "what is asked of the GM")
    return Illegal("", "awaiting-answer", f"first must be answered: {first}")


def tried(choice: Choice, play: Play, truth: Play, *, every: bool) -> Offer:
    """Try the candidates of a choice with the checks that refuse.

    If `every` is false, stop at the first reason of a refusal. If all legal candidates are needless
    or change nothing, the option is legal without examples.
    """
    who, option, kind = choice.who, choice.option, choice.kind
    if choice.unasked:
        first = asked_first(play.combat, truth.combat, who)
        refusal = first or play.ruleset.off_turn(play.combat, who, option.id)
        return Offer(None, kind, option, (), (refusal,), who)
    legal: list[tuple[Mapping[str, Json], Any]] = []
    vain: list[Mapping[str, Json]] = []
    wrong: list[Mapping[str, Json]] = []
    reasons: list[Illegal] = []
    values = Values()
    tried = idle = 0
    order = Order(play, option, kind, who)
    for raw in order.sorted(candidates(play, who, option, truth)):
        if tried == TRIED:
            break
        if len(legal) == EXAMPLES and not values.new_in(raw):
            continue  # it adds nothing to the examples
        inputs = fitting(raw, option)
        if inputs is None:
            continue
        tried += 1
        reasons_now = refusals(play, who, option, inputs, truth)
        against = list(reasons_now if every else islice(reasons_now, 1))
        reasons += against
        if against:
            continue
        if _is_idle(choice, truth, inputs):
            idle += 1
        else:
            values.take(raw)
            if order.is_wrong(raw):
                wrong.append(raw)
            elif order.is_needless(raw):
                idle += 1
            elif order.is_vain(inputs):
                vain.append(raw)
            elif len(legal) < EXAMPLES:
                legal.append((raw, inputs))
    if not tried and who and option.candidates is not no_candidates:
        reasons = _without_inputs(play, who, option, truth)
    distinct: dict[tuple[str, str], Illegal] = {}
    for reason in () if legal or vain or wrong or idle else reasons:
        distinct.setdefault((reason.rule, reason.code), reason)
    examples = order.by_toll(legal)
    by_field = values.found(examples)
    for best in (examples or vain or wrong)[:1]:
        by_field = order.ordered(by_field, best)
    return Offer(
        choice.prompt,
        kind,
        option,
        tuple(examples),
        tuple(distinct.values()),
        who,
        by_field,
        wrong=bool(wrong or vain) and not legal,
    )


def _is_idle(choice: Choice, truth: Play, inputs: Any) -> bool:
    """Return true for a ruling that Affray would refuse because it changes nothing."""
    ruling = choice.option if choice.kind == "ruling" and choice.prompt is None else None
    return isinstance(ruling, Action) and not would_change(truth, ruling, inputs)


class Values:
    """The distinct values of each field in legal inputs."""

    def __init__(self) -> None:
        self._found: dict[str, dict[Hashable, Json]] = {}

    def new_in(self, raw: Mapping[str, Json]) -> bool:
        """Return true if a field of these inputs has a new value."""
        for name, value in raw.items():
            if name not in self._found or _key(value) not in self._found[name]:
                return True
        return False

    def take(self, raw: Mapping[str, Json]) -> None:
        for name, value in raw.items():
            self._found.setdefault(name, {}).setdefault(_key(value), value)

    def found(self, first: Sequence[Mapping[str, Json]]) -> Mapping[str, tuple[Json, ...]]:
        """Return the values of each field. Those of the inputs `first` come first."""
        ahead = Values()
        for raw in first:
            ahead.take(raw)
        return {
            name: tuple({**ahead._found.get(name, {}), **values}.values())
            for name, values in self._found.items()
        }


def _key(value: Json) -> Hashable:
    """Return a key that distinguishes values as JSON does: 1 is not true."""
    if value is None or isinstance(value, str | int | float):
        return type(value), value
    return msgspec.json.encode(value, order="deterministic")


@dataclass(frozen=True)
class Reached:
    """A reachable square: its path, its cost, and the reactions that the path may draw."""

    path: tuple[Square, ...]
    cost: float
    provokes: Mapping[Id, Square]


@dataclass(frozen=True)
class Reach:
    """Squares that a path can reach now, nearest first.

    `more` is true if the search stopped before the last square.
    """

    ways: Ways
    squares: tuple[Reached, ...]
    more: bool


def reach(
    play: Play, who: Id, option: Option, truth: Play, beside: Mapping[str, Json] = {}
) -> Reach | None:
    """Return the squares that the option's path may reach, or None if the option has no path.

    The checks that refuse commands also check each path, together with the other inputs (`beside`).
    """
    how = None if option.ways is None else option.ways(play, who)
    if how is None:
        return None
    reacheds = []
    every = list(ways(_noticed(_on_map(how, play, who), play, who)))
    for way in every:
        raw = {**beside, "path": [list(square) for square in way.path]}
        if next(refusals(play, who, option, read(raw, option.inputs), truth), None) is None:
            reacheds.append(Reached(way.path, way.cost, dict(way.draws)))
    return Reach(how, tuple(reacheds), len(every) >= MOST - 1)


def _on_map(how: Ways, play: Play, who: Id) -> Ways:
    """Return the movement without the steps that leave the map."""
    edges: Edges | None = play.ruleset.edges(play.combat)
    if edges is None:
        return how
    cost, side = how.cost, play.ruleset.side(play.combat[who])
    return replace(how, cost=lambda at, to: cost(at, to) if edges.hold(to, side) else None)


def _noticed(how: Ways, play: Play, who: Id) -> Ways:
    """Return the movement without the reactions of combatants that do not know of the mover."""
    provokes, combat = how.provokes, play.combat
    return replace(
        how,
        provokes=lambda at, to: [
            other for other in provokes(at, to) if knows_of(combat, other, who)
        ],
    )


def candidates(play: Play, who: Id, option: Option, truth: Play) -> list[Mapping[str, Json]]:
    """Return sample inputs for an option. They name no combatant that the caller does not know."""
    try:
        return list(option.candidates(play, who))
    except (Unknown, KeyError) as missing:
        unseen = unseen_in(play, truth, missing)
        raws = option.candidates(truth, who)
        return [raw for raw in raws if not tells(msgspec.to_builtins(raw), unseen)]


def fitting(raw: Mapping[str, Json], option: Option) -> Any | None:
    """Return a candidate as the option's Struct, or `None` if it does not fit the Struct."""
    try:
        return read(raw, option.inputs)
    except Malformed:
        return None


def _without_inputs(play: Play, who: Id, option: Option, truth: Play) -> list[Illegal]:
    """Return the reasons against the option that do not depend on its inputs."""
    reasons: list[Illegal] = []
    with suppress(Malformed):  # an option with required inputs cannot be checked without them
        reasons.extend(refusals(play, who, option, read({}, option.inputs), truth))
    return reasons or [NOTHING_FITS]
