"""lines: the combatants of a board, for one audience.

Made from the combat as that audience knows it. Foes are shown with a wound word instead of numbers.
`WrittenLines` keeps them as bytes and writes only those again that have changed.
"""

from collections.abc import Collection, Mapping
from typing import Any

import msgspec
from msgspec import Raw, Struct

from domain.engine.redact import KnownBefore, scrub
from domain.engine.watch import Watch
from domain.record.combat import (
    Combat,
    Combatant,
    Condition,
    Id,
    Json,
    Marker,
    Square,
    StandingOrder,
    Track,
)
from domain.rulebook.ruleset import Role, Ruleset


class ConditionView(Struct, frozen=True, omit_defaults=True):
    """Something that holds; `data` and `until` as the rulebook's condition has them."""

    id: str
    key: str
    data: Mapping[str, Json] = {}
    until: tuple[Mapping[str, Json], ...] = ()
    source: str | None = None
    rules: tuple[str, ...] = ()


class CombatantView(Struct, frozen=True, omit_defaults=True):
    """A combatant. What is absent is not for this reader, or empty.

    `tracks` exact pools (own side), `wound` a word for how it looks, `budget` what is left of its
    turn, `derived` the rulebook's computed numbers, `facts` what the ruleset remembers (GM),
    `markers` the GM's words on it.
    """

    id: str
    name: str
    side: str
    in_fight: bool
    wound: str
    owner: str | None = None
    hidden: bool = False
    position: Square | None = None
    tracks: Mapping[str, Track] = {}
    conditions: tuple[ConditionView, ...] = ()
    budget: Mapping[str, int] = {}
    derived: Mapping[str, Json] = {}
    sheet: Mapping[str, Json] | None = None
    facts: Mapping[str, Json] = {}
    standing_orders: tuple[StandingOrder, ...] = ()
    markers: tuple[Marker, ...] = ()


class Numbers(Struct, frozen=True):
    """What the rulebook says of a combatant: `derived` numbers, and how it looks."""

    derived: Mapping[str, Json]
    in_fight: bool
    wound: str


class Light(Struct, frozen=True):
    """How an audience sees somebody: the GM's eyes, its own, its side's (`known`)."""

    gm: bool
    own: bool
    known: bool
    unspoken: frozenset[str]


class Lines:
    """Makes the lines; `known`: what `redact` remembers between one state and the next."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.known: KnownBefore = {}

    def of(
        self, combat: Combat, role: Role, mine: Collection[Id], unspoken: frozenset[str]
    ) -> tuple[CombatantView, ...]:
        """Everybody in the combat as the audience knows it. `mine`: whom it plays."""
        gm, own = role == "gm", frozenset(mine)
        allied = frozenset(one.side for one in combat if one.id in own)
        return tuple(
            self.line(combat, one, Light(gm, one.id in own, gm or one.side in allied, unspoken))
            for one in combat
        )

    def line(self, combat: Combat, one: Combatant, light: Light) -> CombatantView:
        """One of them."""
        return _view(self.ruleset, one, light, _numbers(self.ruleset, combat, one.id))


class WrittenLines(Lines):
    """Lines that are remembered, as bytes."""

    def __init__(self, ruleset: Ruleset) -> None:
        super().__init__(ruleset)
        self._watch = Watch[Numbers]()
        self._written: dict[Id, tuple[Combatant, Light, Numbers, Raw]] = {}

    def of(
        self, combat: Combat, role: Role, mine: Collection[Id], unspoken: frozenset[str]
    ) -> tuple[CombatantView, ...]:
        self._watch.at(combat)
        return super().of(combat, role, mine, unspoken)

    def line(self, combat: Combat, one: Combatant, light: Light) -> Any:
        """The JSON of a line: what is read by nobody but an encoder."""
        numbers = self._watch.get(one.id, lambda seen: _encoded(self.ruleset, seen, one.id))
        was = self._written.get(one.id)
        if was is not None and was[0] is one and was[1] == light and was[2] is numbers:
            return was[3]
        raw = Raw(msgspec.json.encode(_view(self.ruleset, one, light, numbers)))
        self._written[one.id] = (one, light, numbers, raw)
        return raw


def _numbers(ruleset: Ruleset, combat: Combat, who: Id) -> Numbers:
    return Numbers(
        ruleset.derived(combat, who), ruleset.in_fight(combat, who), ruleset.wound(combat, who)
    )


def _encoded(ruleset: Ruleset, combat: Combat, who: Id) -> Numbers:
    """The numbers as bytes: nothing in them can change any more, or hangs on a watched combat."""
    plain = _numbers(ruleset, combat, who)
    derived = {name: Raw(msgspec.json.encode(value)) for name, value in plain.derived.items()}
    return Numbers(derived, plain.in_fight, plain.wound)


def _view(ruleset: Ruleset, one: Combatant, light: Light, numbers: Numbers) -> CombatantView:
    own, known, derived = light.own, light.known, numbers.derived
    if not known:
        derived = {name: derived[name] for name in ruleset.public if name in derived}
    return CombatantView(
        one.id,
        one.name,
        one.side,
        numbers.in_fight,
        numbers.wound,
        one.owner if known else None,
        one.hidden,
        one.position,
        one.tracks if known else {},
        tuple(_condition(condition, own) for condition in one.conditions),
        one.budget if known else {},
        derived,
        scrub(one.sheet, light.unspoken) if own else None,
        one.facts if light.gm else {},
        one.orders,
        one.markers,
    )


def _condition(condition: Condition, own: bool) -> ConditionView:
    if not own:
        return ConditionView(condition.id, condition.key, rules=condition.rules)
    until = tuple(
        {
            name: value
            for name in ("moment", "who", "round")
            if (value := getattr(end, name)) is not None
        }
        for end in condition.until
    )
    return ConditionView(
        condition.id, condition.key, condition.data, until, condition.source, condition.rules
    )
