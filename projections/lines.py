"""The lines of a board: one for each combatant that the audience knows.

Affray makes the lines from the redacted combat. For foes, a word for the wounds replaces the
numbers. `WrittenLines` caches the encoded lines, and encodes only changed lines again.
"""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Raw, Struct

from domain.engine.caller import Caller
from domain.engine.memo import Traces, Watch
from domain.engine.redaction import Sight, Telling, Told, Unspoken, scrub
from domain.record.combat import (
    Combat,
    Combatant,
    Condition,
    Id,
    Json,
    Marker,
    Place,
    Square,
    StandingOrder,
    Track,
)
from domain.rulebook.ruleset import Ruleset


class ConditionView(Struct, frozen=True, omit_defaults=True):
    """A condition of a combatant. The rulebook defines the form of `data` and `until`."""

    id: str
    key: Annotated[str, Meta(description="Distinguishes instances of one condition")]
    data: Annotated[
        Mapping[str, Json], Meta(description="Data, in the form of the rulebook's schema")
    ] = {}
    until: Annotated[
        tuple[Mapping[str, Json], ...], Meta(description="Moments at which it ends")
    ] = ()
    source: str | None = None
    rules: tuple[str, ...] = ()


class CombatantView(Struct, frozen=True, omit_defaults=True):
    """A combatant. If a field is absent, it is empty, or this reader may not know it.

    - `tracks`: the pools with their numbers. Only the combatant's side gets them.
    - `wound`: a word for its state of health, which everybody gets.
    - `budget`: the actions that the combatant has left in its turn.
    - `derived`: the numbers that the rulebook derives.
    - `facts`: the ruleset's facts. Only the GM gets them.
    - `markers`: words that the GM put on the combatant.
    - `picture`: a picture for everybody who sees the combatant.
    """

    id: str
    name: str
    side: Annotated[str, Meta(description="Its side")]
    in_fight: Annotated[bool, Meta(description="Whether it takes part in the fight")]
    wound: Annotated[str, Meta(description="The word for its wounds")]
    owner: str | None = None
    hidden: bool = False
    position: Annotated[
        Square | None, Meta(description="Square of its lowest corner. `null`: nowhere")
    ] = None
    tracks: Mapping[str, Track] = {}
    conditions: tuple[ConditionView, ...] = ()
    budget: Mapping[str, int] = {}
    derived: Mapping[str, Json] = {}
    sheet: Mapping[str, Json] | None = None
    facts: Mapping[str, Json] = {}
    standing_orders: Annotated[
        tuple[StandingOrder, ...], Meta(description="Answers given in advance")
    ] = ()
    markers: Annotated[tuple[Marker, ...], Meta(description="Words that the GM put on it")] = ()
    picture: Annotated[
        str | None,
        Meta(description="Id of an uploaded picture, or its address. `null`: none"),
    ] = None


class Numbers(Struct, frozen=True):
    """The rulebook's values for a combatant: derived numbers, and the word for its wounds."""

    derived: Mapping[str, Json]
    in_fight: bool
    wound: str


class Light(Struct, frozen=True):
    """The reader of a combatant's line: the GM, its player (`own`), or its side (`known`)."""

    gm: bool
    own: bool
    known: bool
    unspoken: Unspoken


PlaceView = Mapping[str, Json]


class Lines:
    """A maker of board lines for one caller."""

    def __init__(self, ruleset: Ruleset, caller: Caller, common: "Common | None" = None) -> None:
        self.ruleset = ruleset
        self.sight = Sight(ruleset, caller, None if common is None else common.told)

    def of(self, combat: Combat) -> tuple[CombatantView, ...]:
        """Return the lines of all combatants that the caller knows."""
        return tuple(self._line(combat, combatant) for combatant in combat)

    def places(self, places: tuple[Place, ...]) -> tuple[PlaceView, ...]:
        """Return the future turns of a round, without their sort keys."""
        return tuple({"who": place.who, "tag": place.tag} for place in places)

    def _line(self, combat: Combat, combatant: Combatant) -> CombatantView:
        numbers = _numbers(self.ruleset, combat, combatant.id)
        return _view(self.ruleset, combatant, self._light(combatant), numbers)

    def _light(self, combatant: Combatant) -> Light:
        sight = self.sight
        gm, own = sight.caller.role == "gm", combatant.id in sight.mine
        return Light(gm, own, gm or combatant.side in sight.allied, sight.unspoken)


class Common:
    """A cache of lines that several audiences of a combat share."""

    def __init__(self) -> None:
        self.traces = Traces[Numbers]()
        self.told: dict[Told, Telling] = {}
        self._places: list[tuple[tuple[Place, ...], Raw]] = []

    def places(self, places: tuple[Place, ...]) -> Raw | None:
        """Return the cached JSON of this tuple of places, or `None`."""
        return next((raw for known, raw in self._places if known is places), None)

    def note_places(self, places: tuple[Place, ...], raw: Raw) -> None:
        """Cache the JSON of these places. The cache holds at most four entries."""
        self._places = [(places, raw), *self._places[:3]]


class WrittenLines(Lines):
    """A cache of lines as bytes, which encodes only changed lines again."""

    def __init__(self, ruleset: Ruleset, caller: Caller, common: Common | None = None) -> None:
        self._common = Common() if common is None else common
        super().__init__(ruleset, caller, self._common)
        self._watch = Watch[Numbers](self._common.traces)
        self._combatants: Mapping[Id, Combatant] = {}
        self._looked = 0
        self._written: dict[Id, Any] = {}

    def of(self, combat: Combat) -> tuple[Any, ...]:
        """Return the lines as JSON that msgspec sends unchanged."""
        gone = self._watch.at(combat)
        before, after = self._combatants, combat.combatants
        looked, self._looked = self._looked, 0  # 0 until all lines are encoded
        if looked != self.sight.looked:
            self._written = {combatant.id: self._line(combat, combatant) for combatant in combat}
        else:
            pairs = zip(before.values(), after.values(), strict=True)
            gone.update(combatant.id for was, combatant in pairs if was is not combatant)
            for id in gone & self._written.keys():
                self._written[id] = self._line(combat, after[id])
        self._combatants, self._looked = after, self.sight.looked
        return tuple(self._written.values())

    def places(self, places: tuple[Place, ...]) -> Any:
        raw = self._common.places(places)
        if raw is None:
            raw = Raw(msgspec.json.encode(super().places(places)))
            self._common.note_places(places, raw)
        return raw

    def _line(self, combat: Combat, combatant: Combatant) -> Any:
        numbers = self._watch.get(
            combatant.id, lambda seen: _encoded(self.ruleset, seen, combatant.id)
        )
        return Raw(
            msgspec.json.encode(_view(self.ruleset, combatant, self._light(combatant), numbers))
        )


def _numbers(ruleset: Ruleset, combat: Combat, who: Id) -> Numbers:
    return Numbers(
        ruleset.derived(combat, who), ruleset.in_fight(combat, who), ruleset.wound(combat, who)
    )


def _encoded(ruleset: Ruleset, combat: Combat, who: Id) -> Numbers:
    """Return the numbers as JSON bytes, so that the cache holds no object of a watched combat."""
    plain = _numbers(ruleset, combat, who)
    derived = {name: Raw(msgspec.json.encode(value)) for name, value in plain.derived.items()}
    return Numbers(derived, plain.in_fight, plain.wound)


def _view(ruleset: Ruleset, combatant: Combatant, light: Light, numbers: Numbers) -> CombatantView:
    own, known, derived = light.own, light.known, numbers.derived
    if not known:
        derived = {name: derived[name] for name in ruleset.public if name in derived}
    return CombatantView(
        combatant.id,
        combatant.name,
        combatant.side,
        numbers.in_fight,
        numbers.wound,
        combatant.owner if known else None,
        combatant.hidden,
        combatant.position,
        combatant.tracks if known else {},
        tuple(_condition(condition, own) for condition in combatant.conditions),
        combatant.budget if known else {},
        derived,
        scrub(combatant.sheet, light.unspoken) if own else None,
        combatant.facts if light.gm else {},
        combatant.orders,
        combatant.markers,
        combatant.sheet.get("picture"),
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
