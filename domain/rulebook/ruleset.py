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
    """The fields of every rulebook's sheet.

    - `name`: the name. A second combatant with the same name gets a number.
    - `side`: the side.
    - `owner`: the label of its player. If it is `null` or `GM`, the GM plays the combatant.
    - `at`: its square, as `[x, y]` or `[x, y, z]`, or `null` if it has no place.
    - `picture`: a picture, which affects no rule.
    """

    name: str
    side: str
    owner: str | None = None
    at: SpaceInput | None = None
    picture: Picture | None = None


class Step(Struct, frozen=True):
    """The next step of a combat, as the name of a procedure and its arguments in JSON."""

    procedure: str
    args: Mapping[str, Json] = {}


class Rule(Struct, frozen=True):
    """A rule, with its id, a sentence in our own words, and the dotted name of its code.

    If no event ever cites the rule, `untold` is the reason. Otherwise, it is empty.
    """

    id: str
    summary: str
    code: Annotated[str, Meta(description="Code that implements the rule")]
    untold: Annotated[
        str, Meta(description="Reason why no event cites the rule; empty if events cite it")
    ] = ""


class NoData(Struct, frozen=True):
    """The empty data of a condition without data."""


class ConditionInfo(Struct, frozen=True):
    """A description of a condition, with its effect, its end and its rules.

    - `stacks`: true if each instance counts. An instance that a combatant gains without a key then
      gets a new key. If `stacks` is false, a second instance replaces the first.
    - `data`: the Struct of the condition's data. If it forbids unknown fields, data from the GM
      must fit it.
    """

    effect: str
    ends: str
    rules: tuple[str, ...]
    stacks: bool = False
    data: type[Struct] = NoData


Follows = AnyEvent | tuple[AnyEvent, ...] | Step
"""A consequence of a state: an event, events that belong together, or a `Step` to run."""


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

    - `id`: its name in the API.
    - `title`: its title.
    - `sheet`, `options`: Structs that forbid unknown fields.
    - `check_sheet`, `check_options`: yield further faults as `Malformed` or `Impossible`, with a
      pointer inside the sheet or the options.
    - `faulty`: replaces a fault of a sheet's types with the rulebook's refusal.
    - `tracks(sheet)`: returns the tracks of a combatant that joins.
    - `settled(combat, who)`: returns the fields of the sheet whose effect is over. Each
      has advice about another way to change it.
    - `flow(combat)`: returns the next `Step` when no procedure runs, or `None` to wait for the GM.
      The phase is `opening` before the combat begins, and `begun` after it. The command `end` or a
      rule sets the phase `ending`, which drops all waiting procedures. `flow` must then lead to
      `CombatEnded`.
    - `procedures`: the steps by name. The engine calls them as (play, **args).
    - `actions`, `rulings`: the actions and rulings by id, in the rulebook's order.
    - `arrival`: sets the conditions of a combatant that joins, and its place in the order. It may
      yield only events.
    - `entry`: returns the first step of a combatant that joins a running combat, such as rolls, or
      `None`. The step interrupts any waiting procedure.
    - `unable`: returns the reason why a combatant cannot continue its action, or `None` (see
      `effects.while_able`). It may read only the combatants, the status and the phase.
    - `consequences(combat, cause, before)`: yields the consequences of a state. It is a pure
      function of the state. The engine records the first consequence and calls it again, until none
      remain.
      - `cause` is the event just recorded. Use it only for sources and rules.
      - `before` is a state without consequences, or `None`. You need not check combatants that have
        not changed since (`changes.changed_since`).
    - `brought`: the Struct for the data of conditions that `conditions` does not list.
    - `facts`: all facts that the ruleset stores.
    - `off_turn`: returns the refusal of an action that `who` cannot declare now.
    - `numbers`: the derived numbers, each computed as a `Sum`. The board shows the value, and
      `explain` shows the parts.
    - `shown`: other derived data, as JSON.
    - `public`: the names of derived numbers and data that other sides may also see.
    - `between(combat, who, target)`: returns distance, sight, cover and reach between two
      combatants.
    - `omitted(combat, who, prompt, option, inputs)`: returns inputs that the caller omitted and
      the rules supply, such as a weapon. The log shows them.
    - `wound`: returns the description of a combatant's wounds that foes see, such as "bloodied".
    - `in_fight`: returns true if a combatant still takes part in the fight.
    - `announced(combat, who)`: returns the target that `who` has announced. Offers propose it
      first.
    - `side_of(sheet)`: returns the length of a side of a combatant's space, in squares.
    - `map`: the Struct of a map.
    - `edges(combat)`: returns the edges of the current map, or `None` if it has none.
    - `unlimited`: the actions that a combatant may repeat without a limit at no cost. Each has the
      rule that allows it. Offers list them last.
    - `purposes`: the names of rolls. `skill-<name>` covers all names that begin with `skill-`.
    - `dice(combat)`: returns the dice by purpose, for rolls with the same dice for everybody.
    - `catalogue`: the data that a client needs to show prompts, forms and numbers.
    - `parties`: the ready fights.
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
        """Return the readers of each fact by its name, for combatants and for the combat."""
        of_each = {fact.name: fact.known_to for fact in self.facts if isinstance(fact, Fact)}
        return of_each, {
            fact.name: fact.known_to for fact in self.facts if isinstance(fact, CombatFact)
        }

    def side(self, combatant: Combatant) -> int:
        """Return the length of a side of the combatant's space, in squares."""
        return self.side_of(typed(combatant.sheet, self.sheet))

    def fights_on(self, combat: Combat, who: Id) -> bool:
        """Return true if `who` is in the fight and can still fight, by the word for its wounds."""
        words = self.catalogue.wounds[: self.catalogue.standing]
        return self.in_fight(combat, who) and self.wound(combat, who) in words

    @cached_property
    def labels(self) -> Mapping[tuple[str, str], str]:
        """Return the labels of actions and answers, by the name of the prompt and the id.

        The name "" has the labels of actions, and of options that have the same label in all
        prompts.
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
        """Return all derived values, with the numbers and the other shown data."""
        derived = {name: shown(make(combat, who)) for name, make in self.numbers.items()}
        for name, value in self.shown(combat, who).items():
            numbers = derived.get(name)
            derived[name] = {**numbers, **value} if isinstance(numbers, dict) else value
        return derived

    def read_sheet(self, raw: Mapping[str, Json]) -> Any:
        """Return a sheet from a caller as the rulebook's Struct.

        Raise `Malformed` or `Impossible` with a pointer into the sheet.
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
        """Return the event of joining, with all defaults of the sheet.

        A second combatant with the same name gets a number, such as "Goblin 2". Raise `Malformed`
        with a pointer into the sheet, or `Unfitting` `id-taken` if another combatant has the id.
        """
        sheet = self.read_sheet(raw)
        if id is not None and id in combat.combatants:
            raise Unfitting("id-taken", f"there is a combatant {id!r} already")
        name, who = _numbered(combat, sheet.name, id)
        # Erasure finds name and owner only in fields of the event, so the sheet must not repeat
        # them.
        full: dict[str, Json] = {**msgspec.to_builtins(sheet), "name": "", "owner": None}
        if full["picture"] is None:
            del full["picture"]  # older releases do not know this field
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
"""A field that a sheet may have. Its value becomes the combatant's own `hidden`."""

_ALLOWED = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-")


def _numbered(combat: Combat, name: str, id: Id | None) -> tuple[str, Id]:
    """Return a free name and a free id, with the next number if they are taken."""
    names = {combatant.name for combatant in combat.combatants.values()}
    plain = identifier(name)
    spelled = all(sign in _ALLOWED for sign in name if sign.isalnum())

    def called(number: int) -> str:
        return name if number == 1 else f"{name} {number}"

    def known(number: int) -> Id:
        return plain if number == 1 else f"{plain[:58]}-{number}"

    def taken(number: int) -> bool:
        return id is None and known(number) in combat.combatants

    # Different names in other scripts can lead to the same id. Then only the id gets a number.
    number = next(at for at in count(1) if called(at) not in names and not (spelled and taken(at)))
    return called(number), id or known(next(at for at in count(number) if not taken(at)))


def identifier(name: str) -> Id:
    """Return a combatant's id from its name. Replace characters that a URL cannot contain."""
    kept = "".join(sign if sign in _ALLOWED else "-" for sign in name.strip())[:64].strip("-.")
    return kept or "combatant"


def square(at: tuple[int, ...] | None, pointer: str = "/at") -> Square | None:
    """Return `[x, y]` or `[x, y, z]` as a square. Raise `Malformed` for another value."""
    if at is None:
        return None
    there = grid.square(at)
    if there is None:
        detail = f"{grid.written(at)} is not a square: [x, y] or [x, y, z] within ±10000"
        raise Malformed(pointer, detail)
    return there


Role = Literal["gm", "player", "spectator"]
