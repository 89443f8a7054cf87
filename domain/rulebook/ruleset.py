"""Ruleset: the interface that every rulebook implements, as one value.

The engine and the service know rulebooks only through this interface. They find rulesets by the
entry-point group `affray.rulesets` (see `domain.rulesets`).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from domain.errors import Illegal, Impossible, Malformed, Unfitting
from domain.record.combat import (
    Combat,
    Combatant,
    Id,
    Json,
    OpenPrompt,
    Square,
    Track,
    player_of,
    typed,
)
from domain.record.events import AnyEvent, CombatantJoined
from domain.record.readers import KnownTo
from domain.rulebook import grid
from domain.rulebook.action import Action
from domain.rulebook.catalogue import Catalogue
from domain.rulebook.distances import Between
from domain.rulebook.edges import Edges, plain_edges
from domain.rulebook.effects import Procedure
from domain.rulebook.facts import CombatFact, Fact
from domain.rulebook.fields import Picture
from domain.rulebook.input_reader import read as read
from domain.rulebook.inputs import SpaceInput
from domain.rulebook.party import Party
from domain.rulebook.play import Play
from domain.rulebook.sums import Making, shown


class Sheet(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The fields of every rulebook's sheet: a unique name, a side, an owner, a place, a picture.

    `owner` None or "GM": the GM plays it. `at` is [x, y] or [x, y, z] in squares. None = it has no
    place. `picture` affects no rule.
    """

    name: str
    side: str
    owner: str | None = None
    at: SpaceInput | None = None
    picture: Picture | None = None


class Step(Struct, frozen=True):
    """The next step of a combat: a procedure's name and its arguments, as JSON."""

    procedure: str
    args: Mapping[str, Json] = {}


class Rule(Struct, frozen=True):
    """A rule: its id, one sentence in our own words, and the dotted name of its code.

    `untold` is the reason why no event ever cites the rule. "" = events cite it.
    """

    id: str
    summary: str
    code: Annotated[str, Meta(description="Code that implements it")]
    untold: Annotated[str, Meta(description="Why no event names it; empty = events do")] = ""


class NoData(Struct, frozen=True):
    """The data of a condition that has none."""


class ConditionInfo(Struct, frozen=True):
    """A condition for people: its effect, its end and its rules.

    - `stacks`: true if each instance counts. Then an instance gained without a key gets a new key.
      If false, a second instance replaces the first. A condition that only data name replaces the
      instance of the same source.
    - `data`: the Struct of the condition's data. If it refuses unknown fields, data from the GM
      must fit it.
    """

    effect: str
    ends: str
    rules: tuple[str, ...]
    stacks: bool = False
    data: type[Struct] = NoData


Follows = AnyEvent | tuple[AnyEvent, ...] | Step
"""A consequence of a state: an event, events that belong together, or a Step that is run."""


Consequences = Callable[[Combat, AnyEvent | None, Combat | None], Iterator[Follows]]


Omitted = Callable[[Combat, Id, OpenPrompt | None, str, Mapping[str, Json]], Mapping[str, Json]]


def _nobody_arrives(play: Play, who: Id) -> Procedure[None]:
    yield from ()


def _nothing(combat: Combat, who: Id) -> None:
    return None


def _no_more(*_: Any) -> Iterator[Any]:
    return iter(())


def _one_square(sheet: Any) -> int:
    return 1


def _no_entries(*_: Any) -> Mapping[str, Any]:
    return {}


def _unmeasured(*_: Any) -> Between:
    return Between()


def _as_it_is(fault: Malformed) -> Malformed:
    return fault


@dataclass(frozen=True)
class Ruleset:
    """A rulebook.

    - `id`: its name in the API. `title`: the rulebook's title.
    - `sheet`, `options`: Structs that refuse unknown fields.
    - `check_sheet`, `check_options`: yield further faults as `Malformed` or `Impossible`, with a
      pointer inside the sheet or the options.
    - `faulty`: the rulebook's own reasons for faults that the types of a sheet find.
    - `tracks(sheet)`: returns the pools of a combatant that joins.
    - `settled(combat, who)`: returns fields of its sheet whose effect is over, each with advice
      about another way to change the value.
    - `flow(combat)`: returns the next Step when no procedure runs. None = wait for the GM. The
      phase is "opening" before begin and "begun" after it. The command `end` or a rule sets the
      phase "ending" and drops all waiting procedures. Then `flow` must lead to `CombatEnded`.
    - `procedures`: the steps by name, called as (play, **args).
    - `actions`, `rulings`: by id, in the rulebook's order.
    - `arrival`: sets the place in the order and the conditions of a combatant that joins. It runs
      to its end at once, so it may yield only events.
    - `entry`: the first effects of a newcomer to a running combat, such as rolls. It interrupts
      any waiting procedure. None = no such effects.
    - `unable`: returns the reason why a combatant cannot continue its action, or None (see
      `effects.while_able`). It may read only the combatants, the status and the phase.
    - `consequences(combat, cause, before)`: returns events, tuples of events that belong together,
      or Steps to run at once. It is a pure function of the state. `cause` is the event just
      recorded, and only gives sources and rules. The engine records the first consequence and asks
      again after every change, until none is left. `before` is a state without consequences, or
      None. Combatants that have not changed since need no check (`changes.changed_since`).
    - `brought`: the Struct of the data that any condition may carry, even if only data name it.
    - `facts`: every fact that the ruleset stores, as declared.
    - `off_turn`: returns the refusal of an action that `who` cannot declare now.
    - `numbers`: derived numbers, each computed once as a Sum (see `sums`). The board shows the
      value, and `explain` the parts.
    - `shown`: other derived data, as JSON.
    - `public`: names of the derived numbers and data that other sides may see too.
    - `between(combat, who, target)`: returns distance, sight, cover and reach between two
      combatants.
    - `omitted(combat, who, prompt, option, inputs)`: returns inputs that the caller left out and
      the rules supply, such as a weapon. The log shows them.
    - `wound`: returns the word for a combatant's wounds that foes see, such as "bloodied".
    - `in_fight`: returns true if a combatant still takes part.
    - `announced(combat, who)`: returns the target that `who` has announced. Offers propose it
      first.
    - `side_of(sheet)`: returns the squares along a side of a combatant's space.
    - `map`: the Struct of a map. None = any JSON object.
    - `edges(combat)`: returns the edges of the present map. None = it is endless.
    - `unlimited`: actions that a combatant may repeat without end at no cost, with the rule that
      allows it. Offers list them last.
    - `purposes`: names of rolls. `skill-<name>` stands for all names that begin with `skill-`.
    - `dice(combat)`: returns the dice by purpose, for rolls with the same dice for everybody.
    - `catalogue`: the data that a client needs to render prompts, forms and numbers.
    - `parties`: ready fights, for a first try.
    """

    id: str
    title: str
    prefix: str
    summary: str
    sheet: type[Sheet]
    options: type[Struct]
    tracks: Callable[[Any], Mapping[str, Track]]
    flow: Callable[[Combat], Step | None]
    procedures: Mapping[str, Callable[..., Procedure[None]]]
    actions: Mapping[str, Action]
    off_turn: Callable[[Combat, Id, str], Illegal]
    conditions: Mapping[str, ConditionInfo]
    rules: tuple[Rule, ...]
    wound: Callable[[Combat, Id], str]
    in_fight: Callable[[Combat, Id], bool]
    unlimited: Mapping[str, str] = field(default_factory=dict)
    purposes: tuple[str, ...] = ()
    dice: Callable[[Combat], Mapping[str, str]] = _no_entries
    rulings: Mapping[str, Action] = field(default_factory=dict)
    arrival: Callable[[Play, Id], Procedure[None]] = _nobody_arrives
    entry: Callable[[Combat, Id], Step | None] = _nothing
    unable: Callable[[Combat, Id], Illegal | None] = _nothing
    consequences: Consequences = _no_more
    brought: type[Struct] = NoData
    facts: tuple[Fact[Any] | CombatFact[Any], ...] = ()
    check_sheet: Callable[[Any], Iterator[Malformed | Impossible]] = _no_more
    faulty: Callable[[Malformed], Malformed | Impossible] = _as_it_is
    check_options: Callable[[Any], Iterator[Malformed | Impossible]] = _no_more
    numbers: Mapping[str, Making] = field(default_factory=dict)
    shown: Callable[[Combat, Id], Mapping[str, Json]] = _no_entries
    between: Callable[[Combat, Id, Id], Between] = _unmeasured
    omitted: Omitted = _no_entries
    public: tuple[str, ...] = ()
    side_of: Callable[[Any], int] = _one_square
    map: type[Struct] = grid.PlainMap
    edges: Callable[[Combat], Edges | None] = plain_edges
    catalogue: Catalogue = field(default_factory=Catalogue)
    settled: Callable[[Combat, Id], Mapping[str, str]] = _no_entries
    announced: Callable[[Combat, Id], Id | None] = _nothing
    parties: tuple[Party, ...] = ()

    @cached_property
    def knowers(self) -> tuple[Mapping[str, KnownTo], Mapping[str, KnownTo]]:
        """Return the readers of each fact by its name: for combatants, and for the combat."""
        of_each = {fact.name: fact.known_to for fact in self.facts if isinstance(fact, Fact)}
        return of_each, {
            fact.name: fact.known_to for fact in self.facts if isinstance(fact, CombatFact)
        }

    def side(self, combatant: Combatant) -> int:
        """Return the squares along a side of the combatant's space."""
        return self.side_of(typed(combatant.sheet, self.sheet))

    def fights_on(self, combat: Combat, who: Id) -> bool:
        """Return true if `who` is in the fight and its wound word is one of `standing`."""
        words = self.catalogue.wounds[: self.catalogue.standing]
        return self.in_fight(combat, who) and self.wound(combat, who) in words

    @cached_property
    def labels(self) -> Mapping[tuple[str, str], str]:
        """Return the labels of actions and answers, by the question's name and the id.

        The key "" holds the labels that are the same everywhere: actions, and options with one
        label.
        """
        asked = {
            (question.name, option.id): option.label
            for question in self.catalogue.questions
            for option in question.options
            if option.label
        }
        told: dict[str, set[str]] = {}
        for (_, id), label in asked.items():
            told.setdefault(id, set()).add(label)
        everywhere = {("", id): label for id, (label, *more) in told.items() if not more}
        return {
            **asked,
            **everywhere,
            **{("", action.id): action.label for action in self.actions.values()},
        }

    def derived(self, combat: Combat, who: Id) -> Mapping[str, Json]:
        """Return all derived values: the numbers and the other shown data."""
        derived = {name: shown(make(combat, who)) for name, make in self.numbers.items()}
        for name, value in self.shown(combat, who).items():
            numbers = derived.get(name)
            derived[name] = {**numbers, **value} if isinstance(numbers, dict) else value
        return derived

    def read_sheet(self, raw: Mapping[str, Json]) -> Any:
        """Return a sheet from outside.

        Raise `Malformed` or `Impossible`, with a pointer into it.
        """
        try:
            sheet = read(raw, self.sheet)
        except Malformed as fault:
            raise self.faulty(fault) from None
        for flaw in self.check_sheet(sheet):
            raise flaw
        return sheet

    def admit(
        self, combat: Combat, raw: Mapping[str, Json], *, id: Id | None = None, hidden: bool = False
    ) -> CombatantJoined:
        """Return the event of joining, with every default of the sheet filled in.

        A second combatant of the same name gets a number: Goblin, Goblin 2. Raise `Malformed` with
        a pointer into the sheet, or `Unfitting` "id-taken" if another combatant has the id.
        """
        sheet = self.read_sheet(raw)
        if id is not None and id in combat.combatants:
            raise Unfitting("id-taken", f"there is a combatant {id!r} already")
        name, who = _numbered(combat, sheet.name, id)
        # The event has name and owner only once, where they can be erased.
        full: dict[str, Json] = {**msgspec.to_builtins(sheet), "name": "", "owner": None}
        if full["picture"] is None:
            del full["picture"]  # usually missing, and unknown to older releases
        if full.get(HIDDEN):  # given in the sheet, but a field of the combatant
            full[HIDDEN], hidden = False, True
        return CombatantJoined(
            who,
            name,
            sheet.side,
            full,
            self.tracks(sheet),
            player_of(sheet.owner),
            hidden,
            square(sheet.at),
        )


HIDDEN = "hidden"
"""A sheet may have this field. It equals the combatant's own `hidden`."""

_ALLOWED = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-")


def _numbered(combat: Combat, name: str, id: Id | None) -> tuple[str, Id]:
    """Return a free name and id: the sheet's, or with the next free number."""
    names = {combatant.name for combatant in combat.combatants.values()}
    plain = identifier(name)
    spelled = all(sign in _ALLOWED for sign in name if sign.isalnum())

    def called(number: int) -> str:
        return name if number == 1 else f"{name} {number}"

    def known(number: int) -> Id:
        return plain if number == 1 else f"{plain[:58]}-{number}"

    def taken(number: int) -> bool:
        return id is None and known(number) in combat.combatants

    # Different names in other scripts can have the same id. Then only the id gets a number.
    number = next(at for at in count(1) if called(at) not in names and not (spelled and taken(at)))
    return called(number), id or known(next(at for at in count(number) if not taken(at)))


def identifier(name: str) -> Id:
    """Return a combatant's id from its name: the name itself if it can be part of a URL."""
    kept = "".join(sign if sign in _ALLOWED else "-" for sign in name.strip())[:64].strip("-.")
    return kept or "combatant"


def square(at: tuple[int, ...] | None, pointer: str = "/at") -> Square | None:
    """Return [x, y] or [x, y, z] as a square. z is 0 by default. Raise `Malformed` at `pointer`."""
    if at is None:
        return None
    there = grid.square(at)
    if there is None:
        detail = f"{grid.written(at)} is not a square: [x, y] or [x, y, z] within ±10000"
        raise Malformed(pointer, detail)
    return there


Role = Literal["gm", "player", "spectator"]
