"""Polarity: the effect of an option's inputs on their targets, and the order of proposals.

Proposals are in this order:

1. enemies for harm, and allies for help
2. for healing, the targets that have lost most
3. active combatants before fallen combatants
4. near combatants before distant combatants

These inputs are never examples:

- harm only to allies, or to combatants out of the fight
- help only to foes
- healing only of the unhurt
- inputs without an effect
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct

from domain.record.combat import Combat, Combatant, Id, Json, Track
from domain.rulebook.inputs import (
    Input,
    Polarity,
    distance,
    inputs_of,
    named,
    pools_healed,
    thing_of,
    things,
    told_by,
    usual_damage,
)
from domain.rulebook.play import Play, Rulebook
from domain.rulebook.prompts import PASSES, UNSHOWN, Option, Screen, Toll
from domain.rulebook.state_cache import once

Raw = Mapping[str, Json]


def screen_of(ruleset: Rulebook, option: Option, kind: str) -> Screen:
    """Return the screen data of an option, or of the action that the option stands for."""
    own: Mapping[str, Option] = ruleset.rulings if kind == "ruling" else ruleset.actions
    known = own.get(option.id)
    said = option.screen
    if said is UNSHOWN and known is not None and known.inputs is option.inputs:
        said = known.screen
    return said if said.category is not None else replace(said, category=_category(option.id, kind))


def _category(id: str, kind: str) -> Any:
    """Return the category of an option that declares no category."""
    if kind in ("roll", "ruling"):
        return "roll" if kind == "roll" else "rule"
    return "pass" if id in PASSES else "choose"


@lru_cache(None)
def aimed(inputs: type[Struct]) -> tuple[Input, ...]:
    """Return the fields that name the targets of the action."""
    return tuple(field for field in inputs_of(inputs).values() if field.kind.is_aimed)


@lru_cache(None)
def acting(inputs: type[Struct]) -> Input | None:
    """Return the field that names a spell or thing whose data decide the effect, or `None`."""
    if any(field.kind.toward in ("harm", "help") for field in aimed(inputs)):
        return None
    return next((field for field in inputs_of(inputs).values() if field.kind.acts), None)


def polarity_of(screen: Screen, option: Option, combat: Combat, who: Id, raw: Raw) -> Polarity:
    """Return the effect of these inputs on their target."""
    if screen.polarity is not None:
        return screen.polarity
    by = acting(option.inputs)
    if by is not None and who and by.name in raw:
        return of_thing(combat, who, by, raw[by.name])
    for field in aimed(option.inputs):
        if field.kind.toward != "thing":
            return field.kind.toward  # type: ignore[return-value]
    return "none"


def of_thing(combat: Combat, who: Id, field: Input, id: Json) -> Polarity:
    """Return the effect of a combatant's weapon, spell or other thing, judged by its data."""
    return _told(combat[who], field.kind.listed, id) if isinstance(id, str) else "either"


@once
def _told(combatant: Combatant, listed: str, id: str) -> Polarity:
    thing = thing_of(combatant, listed, id)
    return "either" if thing is None else told_by(thing)


@once
def _healed(combatant: Combatant, listed: str, id: str) -> frozenset[str]:
    thing = thing_of(combatant, listed, id)
    return frozenset() if thing is None else pools_healed(thing)


def strength(combatant: Combatant, listed: str, id: Json) -> float:
    """Return the average damage of a combatant's thing, or of its first thing by default."""
    thing = thing_of(combatant, listed, id) or next(things(combatant, listed), None)
    return 0 if thing is None else usual_damage(thing)


@once
def _place(combat: Combat, who: Id, other: Id) -> tuple[bool, tuple[int, int]]:
    """Return true if both are on the same side, and a pair of numbers that orders distances.

    The pair is the distance, and the sum of the differences of all coordinates. At equal distances,
    a combatant in a straight line therefore comes before a combatant on a diagonal.
    """
    here, there = combat[who].position, combat[other].position
    apart = (
        0
        if here is None or there is None
        else sum(abs(a - b) for a, b in zip(here, there, strict=True))
    )
    return combat[other].side == combat[who].side, (distance(combat, who, other), apart)


def _missing(track: Track) -> float:
    """Return the missing part of a track, from 0 to 1."""
    return (track.maximum - track.value) / track.maximum if track.maximum else 0


class Order:
    """The order of the proposals to `who` for an option."""

    def __init__(self, play: Play, option: Option, kind: str, who: Id) -> None:
        self.option, self.combat, self.who = option, play.combat, who
        self._play = play
        self.screen = screen_of(play.ruleset, option, kind)
        self._ruleset = play.ruleset
        pools: Mapping[str, Any] = play.ruleset.catalogue.pools
        self._health = tuple(id for id, pool in pools.items() if pool.role == "health")
        self._aimed = aimed(option.inputs) if who else ()
        self._acting = acting(option.inputs)
        self._effects: dict[str, Polarity] = {}
        self._announced = (
            play.ruleset.announced(play.combat, who) if who in play.combat.combatants else None
        )

    def sorted(self, proposed: Sequence[Raw]) -> Sequence[Raw]:
        """Sort proposals, the best first."""
        if not self._aimed or len(proposed) < 2:
            return proposed
        ranks: dict[bytes, int] = {}
        sights: dict[tuple[str, tuple[Id, ...]], tuple[int, bool, tuple[int, int]]] = {}

        def key(raw: Raw) -> tuple[int, int, float, bool, tuple[int, int]]:
            polarity = self._effect(raw)
            if polarity not in ("harm", "help"):
                return 0, self._rank(ranks, raw), 0, False, (0, 0)
            ids = self._targets(raw)
            of_targets = polarity, tuple(ids)  # many proposals have the same targets
            sight = sights.get(of_targets)
            if sight is None:
                sight = sights[of_targets] = self._sight(polarity, ids)
            fit, down, far = sight
            lack = self._lack(raw, ids)
            return fit, self._rank(ranks, raw), -(lack or 0), lack is None and down, far

        return sorted(proposed, key=key)

    def _sight(self, polarity: Polarity, ids: Sequence[Id]) -> tuple[int, bool, tuple[int, int]]:
        """Return three values that order proposals by their targets.

        - the rank, which is higher for wrong targets
        - true if a target can no longer fight
        - the distance of the farthest target

        The target that `who` has announced counts as the nearest.
        """
        fit = 2 * self._is_wrong(polarity, ids) if ids else 1  # no target ranks in between
        down = any(not self._ruleset.fights_on(self.combat, id) for id in ids)
        far = max((_place(self.combat, self.who, id)[1] for id in ids), default=(0, 0))
        if self._announced in ids:
            far = (-1, 0)
        return fit, down, far

    def _rank(self, ranks: dict[bytes, int], raw: Raw) -> int:
        """Return the rank of the spell or thing in these inputs, in the order of the proposals."""
        if self._acting is None:
            return 0
        thing = msgspec.json.encode(raw.get(self._acting.name))
        return ranks.setdefault(thing, len(ranks))

    def by_toll(self, examples: Sequence[tuple[Raw, Any]]) -> list[Raw]:
        """Return the legal examples. Sort examples that differ only in squares by their toll.

        `examples` are pairs of JSON and inputs.
        """
        if self.option.toll is None or len(examples) < 2:
            return [raw for raw, _ in examples]
        squares = [
            name
            for name, field in inputs_of(self.option.inputs).items()
            if field.kind.refers in ("square", "path")
        ]
        groups: dict[bytes, list[tuple[Toll, Raw]]] = {}
        for raw, inputs in examples:
            toll = self.option.toll(self._play, self.who, inputs)
            others = {name: value for name, value in raw.items() if name not in squares}
            groups.setdefault(msgspec.json.encode(others), []).append((toll, raw))
        return [
            raw
            for group in groups.values()
            for _, raw in sorted(group, key=lambda weighed: weighed[0])
        ]

    def is_vain(self, inputs: Any) -> bool:
        """Return true if these legal inputs would have no effect now."""
        vain = self.option.vain
        return vain is not None and vain(self._play, self.who, inputs)

    def is_needless(self, raw: Raw) -> bool:
        """Return true if these inputs have no useful effect.

        Examples are healing of the unhurt, harm to combatants out of the fight, and a move to a
        neighbour.
        """
        ids = self._targets(raw)
        if self.screen.approach and ids and self._are_neighbours(ids):
            return True
        if self._lack(raw, ids) == 0:
            return True
        there = any(self._ruleset.in_fight(self.combat, id) for id in ids)
        return bool(ids) and not there and self._effect(raw) == "harm"

    def _are_neighbours(self, ids: Sequence[Id]) -> bool:
        return all(_place(self.combat, self.who, id)[1][0] <= 1 for id in ids)

    def _effect(self, raw: Raw) -> Polarity:
        """Return the effect of these inputs, cached by the spell or thing in them."""
        thing = "" if self._acting is None else raw.get(self._acting.name)
        effect = self._effects.get(thing) if isinstance(thing, str) else None
        if effect is None:
            effect = polarity_of(self.screen, self.option, self.combat, self.who, raw)
            if isinstance(thing, str):
                self._effects[thing] = effect
        return effect

    def _lack(self, raw: Raw, ids: Sequence[Id]) -> float | None:
        """Return the largest missing part of a healed track, or `None` if nothing is healed."""
        thing = None if self._acting is None else raw.get(self._acting.name)
        if self._acting is None or not isinstance(thing, str) or not ids:
            return None
        healed = _healed(self.combat[self.who], self._acting.kind.listed, thing)
        pools = [*(healed - {""}), *(self._health if "" in healed else ())]
        if not pools:
            return None
        living = (self.combat[id] for id in ids if not self.combat[id].has("dead"))
        tracks = (combatant.tracks.get(pool) for combatant in living for pool in pools)
        return max((_missing(track) for track in tracks if track is not None), default=0)

    def is_wrong(self, raw: Raw) -> bool:
        """Return true if these inputs harm an ally, help a foe, or target a hidden foe."""
        if not self._aimed:
            return False
        return self._is_wrong(self._effect(raw), self._targets(raw))

    def _is_wrong(self, polarity: Polarity, ids: Iterable[Id]) -> bool:
        if polarity not in ("harm", "help"):
            return False
        return any(
            _place(self.combat, self.who, id)[0] == (polarity == "harm") or self._is_unknown(id)
            for id in ids
        )

    def _is_unknown(self, id: Id) -> bool:
        """Return true if the combatant is hidden from the side of `who`."""
        other = self.combat[id]
        return other.hidden and other.side != self.combat[self.who].side

    def _targets(self, raw: Raw) -> list[Id]:
        there = self.combat.combatants
        ids = (id for field in self._aimed for id in named(raw.get(field.name)))
        return [id for id in ids if id in there]

    def ordered(
        self, values: Mapping[str, tuple[Json, ...]], first: Raw
    ) -> Mapping[str, tuple[Json, ...]]:
        """Return the legal values of each field, suitable values first.

        A value is tried with the other fields of `first`. A field without a suitable value is left
        out.
        """
        ordered = dict(values)
        for field in self._aimed:
            legal = values.get(field.name, ())
            wrong = {
                number: self.is_wrong({**first, field.name: value})
                for number, value in enumerate(legal)
            }
            if all(wrong.values()):
                ordered.pop(field.name, None)
            else:
                ordered[field.name] = tuple(
                    legal[number] for number in sorted(wrong, key=wrong.__getitem__)
                )
        return ordered
