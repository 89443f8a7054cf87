"""Catalogue: a rulebook's description of itself, from which clients build forms and boards.

It has questions with their options, pools, words for how a combatant looks, derived numbers, and
the meaning of fields. The key of a `Word` is the field's name, or "Struct.field" if a name has two
meanings. `words.SHARED` has the words of every rulebook.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from msgspec import Struct

from domain.rulebook.phrases import Phrases
from domain.rulebook.prompts import Option

OnScreen = Literal["", "high-first", "low-first", "zone"]
"""high-first, low-first: the number that orders the turns of a round.

An object has it in `total`. zone: the squares that its owner threatens or hinders, as a number of
squares around its body or as a list of squares.
"""


class Word(Struct, frozen=True):
    """The meaning of a field or number, with its unit.

    - `refers` says what the value names: "combatant", "square", "path", "side", "weapon", "spell",
      "item", "condition", "track", "fact" and so on. If each combatant has its own, the acting
      combatant's are meant.
    - `role` says how a screen uses a derived number.
    """

    about: str
    refers: str | None = None
    role: OnScreen = ""


@dataclass(frozen=True)
class Question:
    """A prompt of the rulebook: its name, the person asked, its meaning, and all its options.

    `options` are the options that are no actions. `actions` are ids of actions, or "turn" for every
    action that may be declared. `each` names a list: each of its entries is one more option, with
    the entry's id.
    """

    name: str
    kind: Literal["turn", "declare", "reaction", "choice", "ruling"]
    asks: Literal["gm", "combatant"]
    about: str
    rules: tuple[str, ...]
    options: tuple[Option, ...] = ()
    actions: tuple[str, ...] = ()
    each: str | None = None


class Pool(Struct, frozen=True):
    """A track: its label, and its role: "health", "magic", "strain" or "other"."""

    label: str
    role: Literal["health", "magic", "strain", "other"]
    about: str


class Blows(Struct, frozen=True):
    """The rulebook's outcome words for attack rolls, by which statistics count them.

    `threats` are hits that become critical only by the next roll against the same combatant.
    """

    hits: tuple[str, ...] = ("hit",)
    criticals: tuple[str, ...] = ()
    threats: tuple[str, ...] = ()
    misses: tuple[str, ...] = ("miss",)

    def is_hit(self, outcome: str) -> bool:
        """Return true if it hit, critically or not."""
        return outcome in self.hits or outcome in self.criticals or outcome in self.threats


@dataclass(frozen=True)
class Catalogue:
    """The descriptions that a client needs to render a rulebook.

    - `wounds`: the words for how a combatant looks, from unhurt to the worst. The first `standing`
      of them are for combatants that can still fight.
    - `budget`: the kinds of action.
    - `titles`: the words for values of closed lists in inputs, sheets and options, if the value in
      words is not enough.
    - `phases`: the labels of phases, by the part before a "/".
    - `phrases`: the sentences in which the log tells events.
    - `reductions`: rules by which a combatant's own armour and the like reduce the damage that it
      takes.
    - `of_both`: purposes of rolls whose target number uses numbers of the roller and of its target.
      A reader sees it only if both are on its side.
    """

    questions: tuple[Question, ...] = ()
    pools: Mapping[str, Pool] = field(default_factory=dict)
    wounds: tuple[str, ...] = ()
    standing: int = 3
    budget: Mapping[str, str] = field(default_factory=dict)
    phases: Mapping[str, str] = field(default_factory=dict)
    derived: Mapping[str, Word] = field(default_factory=dict)
    words: Mapping[str, Word] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    blows: Blows = field(default_factory=Blows)
    phrases: Phrases = field(default_factory=Phrases)
    reductions: tuple[str, ...] = ()
    of_both: tuple[str, ...] = ()
