"""Redaction: the combat as one reader knows it. Everything that no rule reveals is removed.

Affray makes every text, offer and refusal for a player or spectator from the result of `redact`
alone. The result lacks the hidden combatants and everything that depends on them, as if they had
never existed. It keeps the numbers of foes, because rules count with them. Read models show these
numbers as words.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from operator import attrgetter

from msgspec import Struct
from msgspec.structs import replace

from domain.engine.caller import Caller
from domain.record.combat import (
    Combat,
    Combatant,
    Condition,
    Deadlines,
    Id,
    Json,
    OpenPrompt,
    Place,
    Until,
)
from domain.record.readers import KnownTo
from domain.rulebook.ruleset import Ruleset

SOMEBODY = "somebody"
"""The word in a text for a combatant that its reader does not know."""


class Unspoken(Struct, frozen=True):
    """Words that a reader must not see.

    - `words`: names of combatants that the reader does not know.
    - `others`: longer names of known combatants that contain such a word. They stay visible, such
      as "Goblin 2" if "Goblin" is hidden.
    """

    words: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.words)

    def but(self, words: Iterable[str]) -> "Unspoken":
        """Return the words that remain forbidden when `words` are allowed."""
        said = self.words.intersection(words)
        return Unspoken(self.words - said, self.others | said) if said else self

    def said_in(self, text: str) -> frozenset[str]:
        """Return the forbidden words in a text."""
        if not any(word in text for word in self.words):
            return frozenset()
        return self.words.intersection(_words(self).findall(text))


NOTHING = Unspoken()


def unspoken_of(hidden: Iterable[str], known: Iterable[str]) -> Unspoken:
    """Return the words about hidden combatants that do not also name a known combatant."""
    said = frozenset(known)
    words = Unspoken(frozenset(hidden) - said)
    return Unspoken(words.words, frozenset(word for word in said if words.said_in(word)))


def redact(ruleset: Ruleset, combat: Combat, caller: Caller) -> Combat:
    """Return the combat as `caller` knows it. The GM knows the whole combat.

    Only the GM knows a fact that the rulebook does not declare. A rulebook without any declaration
    dates from an older release. Its checks may use all facts of known combatants.
    """
    return combat if caller.role == "gm" else Sight(ruleset, caller).of(combat)


_standing = attrgetter("name", "side", "owner", "hidden", "left")
"""The fields that decide which combatants a reader may know."""


Told = tuple[Id, bool, bool]
"""A combatant, whether the reader plays it, and whether the reader is its ally."""

Telling = tuple[Combatant, Unspoken, Combatant]
"""The combatant, the words that must not be said, and the redacted combatant."""


class Sight:
    """One caller's view of successive states.

    - `unseen`: combatants of the newest state that the caller must not know.
    - `unspoken`: the words about these combatants.
    - `mine`: the combatants that the caller plays.
    - `allied`: the sides of these combatants.
    - `looked`: a counter that grows if a field in this list may have changed.

    An unchanged combatant stays the same object. Callers that share `common` share the redacted
    object of each combatant.
    """

    def __init__(
        self, ruleset: Ruleset, caller: Caller, common: "dict[Told, Telling] | None" = None
    ) -> None:
        self.caller = caller
        self._common = {} if common is None else common
        self.unseen: frozenset[Id] = frozenset()
        self.unspoken = NOTHING
        self.mine: tuple[Id, ...] = ()
        self.allied: frozenset[str] = frozenset()
        self.looked = 0
        self._of_each, self._of_all = ruleset.knowers
        self._declared = bool(ruleset.facts)
        self._whole: Mapping[Id, Combatant] = {}
        self._told: dict[Id, Combatant] = {}
        self._sides: frozenset[str] = frozenset()

    def of(self, combat: Combat) -> Combat:
        """Return the combat as the caller knows it."""
        changed = self._changed(combat.combatants)
        gm = self.caller.role == "gm"
        self._whole = {}  # empty until the redaction is complete
        if changed is None:
            self._look_about(combat)
        if changed and not gm:
            again = {
                combatant.id: self._known(combatant)
                for combatant in changed
                if combatant.id not in self.unseen
            }
            self._told = {**self._told, **again}
        self._whole = combat.combatants
        return combat if gm else self._redacted(combat)

    def _changed(self, combatants: Mapping[Id, Combatant]) -> list[Combatant] | None:
        """Return the changed combatants, or None if the change may affect who sees whom."""
        before = self._whole
        if before is combatants:
            return []
        if not before or list(before) != list(combatants):
            return None
        changed = [
            (before[id], combatant)
            for id, combatant in combatants.items()
            if before[id] is not combatant
        ]
        if any(_standing(was) != _standing(combatant) for was, combatant in changed):
            return None
        return [combatant for _, combatant in changed]

    def _look_about(self, combat: Combat) -> None:
        caller = self.caller
        everybody = combat.combatants.values()
        self.looked += 1
        self.unseen = unseen_by(combat, caller)
        self.unspoken = words_of(combat, self.unseen)
        self.mine = tuple(
            combatant.id for combatant in combat if caller.plays_of(combatant.id, combatant.owner)
        )
        self.allied = allied_sides(combat, caller)
        if caller.role != "gm":
            seen = [combatant for combatant in everybody if combatant.id not in self.unseen]
            self._told = {combatant.id: self._known(combatant) for combatant in seen}
            self._sides = frozenset(combatant.side for combatant in seen)

    def _known(self, combatant: Combatant) -> Combatant:
        own, ally = (
            self.caller.plays_of(combatant.id, combatant.owner),
            combatant.side in self.allied,
        )
        telling = self._common.get((combatant.id, own, ally))
        if telling is None or telling[0] is not combatant or telling[1] != self.unspoken:
            telling = combatant, self.unspoken, self._told_of(combatant, own=own, ally=ally)
            self._common[combatant.id, own, ally] = telling
        return telling[2]

    def _told_of(self, combatant: Combatant, *, own: bool, ally: bool) -> Combatant:
        unspoken, facts = self.unspoken, combatant.facts
        if self._declared:
            facts = {
                name: value
                for name, value in facts.items()
                if may_know(self._of_each.get(name, "gm"), own=own, ally=ally)
            }
        return replace(
            combatant,
            conditions=tuple(_condition(held, unspoken) for held in combatant.conditions)
            if unspoken
            else combatant.conditions,
            facts=without(facts, unspoken),
            orders=combatant.orders if own else (),
            markers=tuple(
                replace(marker, text=scrub_text(marker.text, unspoken))
                for marker in combatant.markers
                if may_know(marker.shown_to, own=own, ally=ally)
            ),
        )

    def _redacted(self, combat: Combat) -> Combat:
        combatants, unseen, unspoken = self._told, self.unseen, self.unspoken
        facts: Mapping[str, Json] = combat.facts
        if self._declared:
            facts = {name: fact for name, fact in facts.items() if self._of_all.get(name) == "all"}
        prompts = {
            id: prompt
            for id, prompt in combat.prompts.items()
            if prompt.who is not None and prompt.who in combatants
        }
        return replace(
            combat,
            phase=_phase(combat, unseen, unspoken),
            combatants=combatants,
            sides=tuple(side for side in combat.sides if side in self._sides),
            winners=tuple(side for side in combat.winners if side not in unspoken.words),
            order=_places(combat.order, unseen),
            queue=_places(combat.queue, unseen),
            acting=tuple(who for who in combat.acting if who not in unseen),
            facts=without(facts, unspoken),
            prompts={
                id: _asked(
                    replace(prompt, data=prompt_data(prompt.kind, prompt.data, self._is_allied)),
                    tuple(prompts),
                    unseen,
                    unspoken,
                    own=self.caller.plays(combat, prompt.who),
                )
                for id, prompt in prompts.items()
            },
            asked={who: count for who, count in combat.asked.items() if who in combatants},
            frames=tuple(
                replace(frame, procedure="", args={})
                for frame in combat.frames
                if any(
                    prompt.frame == frame.id and (prompt.who is None or id in prompts)
                    for id, prompt in combat.prompts.items()
                )  # an open prompt to the GM suspends the reader's own prompts
            ),
            stalled=None,
            forced=(),
            # A pause affects all players, so they may see it.
            deadlines=Deadlines(stopped=combat.deadlines.stopped),
            labels=(),
        )

    def _is_allied(self, who: Id) -> bool:
        combatant = self._whole.get(who)
        return combatant is not None and combatant.side in self.allied


def prompt_data(
    kind: str, data: Mapping[str, Json], is_allied: Callable[[Id], bool]
) -> Mapping[str, Json]:
    """Return the data of a prompt, without the numbers that its reader may not know.

    The players on the side of `against` may know the target number of a roll. If there is no
    `against`, all players may. The players on the side of `actor` may know the `total` of its roll.
    """
    number, knower = ("target", "against") if kind == "roll" else ("total", "actor")
    whose = data.get(knower)
    if whose is None or is_allied(str(whose)):
        return data
    return {name: value for name, value in data.items() if name != number}


def may_know(level: KnownTo, *, own: bool, ally: bool) -> bool:
    """Return true if a reader may know a value of `level`.

    `own` is true for the owner of the combatant, and `ally` for readers on its side.
    """
    return level == "all" or (level == "side" and ally) or (level == "owner" and own)


def unseen_by(combat: Combat, caller: Caller) -> frozenset[Id]:
    """Return the combatants whose existence this caller must not know."""
    return frozenset(
        combatant.id
        for combatant in combat.combatants.values()
        if combatant.hidden and not caller.plays_of(combatant.id, combatant.owner)
    )


def words_of(combat: Combat, unseen: frozenset[Id]) -> Unspoken:
    """Return the words about hidden combatants: ids, names, and sides with no other member."""
    hidden: list[str] = []
    known: list[str] = []
    for combatant in combat.combatants.values():
        (hidden if combatant.id in unseen else known).extend(
            (combatant.id, combatant.name, combatant.side)
        )
    return unspoken_of(hidden, known)


def allied_sides(combat: Combat, caller: Caller) -> frozenset[str]:
    """Return the sides of the caller's combatants. The caller may know their numbers."""
    return frozenset(
        combatant.side for combatant in combat if caller.plays_of(combatant.id, combatant.owner)
    )


def _condition(condition: Condition, unspoken: Unspoken) -> Condition:
    return replace(
        condition,
        key=scrub_text(condition.key, unspoken),
        data=without(condition.data, unspoken),
        until=tuple(
            Until(end.moment, None, end.round) if end.who in unspoken.words else end
            for end in condition.until
        ),
        source=None if condition.source in unspoken.words else condition.source,
    )


def _phase(combat: Combat, unseen: frozenset[Id], unspoken: Unspoken) -> str:
    if of_the_hidden(combat, unseen):
        return combat.phase.partition("/")[0]
    return scrub_text(combat.phase, unspoken)


def of_the_hidden(combat: Combat, unseen: frozenset[Id]) -> bool:
    """Return true if all combatants with the next place in the order are hidden."""
    queue = combat.queue
    return bool(unseen and queue) and all(
        place.who in unseen for place in queue if place.key == queue[0].key
    )


def _places(places: tuple[Place, ...], unseen: frozenset[Id]) -> tuple[Place, ...]:
    if not unseen:
        return places
    return tuple(place for place in places if place.who not in unseen)


def _asked(
    prompt: OpenPrompt,
    known: tuple[str, ...],
    unseen: frozenset[Id],
    unspoken: Unspoken,
    *,
    own: bool,
) -> OpenPrompt:
    """Return the prompt as this reader sees it.

    A prompt to somebody else shows only that it exists and whether it has an answer.
    """
    if prompt.behind in unseen:
        prompt = replace(prompt, behind=None)
    group = tuple(id for id in prompt.group if id in known)
    if own:
        return replace(
            prompt,
            text=scrub_text(prompt.text, unspoken),
            options=tuple(option for option in prompt.options if not names(option, unspoken)),
            data=without(prompt.data, unspoken),
            group=group,
        )
    answer = None if prompt.answer is None else ""
    return replace(
        prompt, text="", options=(), default=None, data={}, rules=(), group=group, answer=answer
    )


def scrub(value: Json, unspoken: Unspoken) -> Json:
    """Return JSON without the names of unknown combatants.

    In a text, "somebody" replaces the name. Lists and objects lose the entries that name an unknown
    combatant. Return `None` if the value is only such a name.
    """
    left = _scrub(value, unspoken) if unspoken else value
    return None if left is _GONE else left


def without(data: Mapping[str, Json], unspoken: Unspoken) -> Mapping[str, Json]:
    """Return a JSON object without entries that name an unknown combatant."""
    return {**_scrub(data, unspoken)} if unspoken else data


class _Gone:
    """A placeholder for a removed value."""


_GONE = _Gone()


def _scrub(value: Json, unspoken: Unspoken) -> Json:
    if isinstance(value, str):
        return _GONE if names(value, unspoken) else scrub_text(value, unspoken)
    if isinstance(value, Mapping):
        return {
            key: left
            for key, item in value.items()
            if not unspoken.said_in(key) and (left := _scrub(item, unspoken)) is not _GONE
        }
    if isinstance(value, list | tuple):
        kept = (item for item in value if not _is_about(item, unspoken))
        return [left for item in kept if (left := _scrub(item, unspoken)) is not _GONE]
    return value


def _is_about(value: Json, unspoken: Unspoken) -> bool:
    """Return true if a list entry is about an unknown combatant and must be left out."""
    return isinstance(value, Mapping) and any(
        isinstance(item, str) and names(item, unspoken) for item in value.values()
    )


def names(text: str, unspoken: Unspoken) -> bool:
    """Return true if a text is the id of an unknown combatant, or of one of its prompts."""
    words = unspoken.words
    return text in words or (":" in text and text.rpartition(":")[0] in words)


def scrub_text(text: str, unspoken: Unspoken) -> str:
    """Return a text with "somebody" for every unknown combatant."""
    words = unspoken.said_in(text)
    if not words:
        return text
    return _words(unspoken).sub(lambda met: SOMEBODY if met[0] in words else met[0], text)


@lru_cache
def _words(unspoken: Unspoken) -> re.Pattern[str]:
    longest_first = sorted(unspoken.words | unspoken.others, key=lambda word: (-len(word), word))
    return re.compile(r"(?<![\w])(?:" + "|".join(map(re.escape, longest_first)) + r")(?![\w])")
