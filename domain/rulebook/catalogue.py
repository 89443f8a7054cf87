"""Catalogue: a rulebook's description of itself, from which clients build forms and boards.

It describes prompts with their options, pools, words for wounds, derived numbers, and the meaning
of fields. The key of a `Word` is the field's name, or "Struct.field" if a name has two meanings.
`words.SHARED` has the words of every rulebook.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from msgspec import Struct

from domain.rulebook.phrases import Phrases
from domain.rulebook.prompts import Option

OnScreen = Literal["", "high-first", "low-first", "zone"]
"""The role of a derived number on a screen.

- high-first, low-first: the number that orders the turns of a round. In an object, it is `total`.
- zone: the squares that the combatant threatens or hinders, as a number of squares around its body
  or as a list of squares.
"""


class Word(Struct, frozen=True):
    """The meaning of a field or number, with its unit.

    - `refers`: the kind of thing that the value names: "combatant", "square", "path", "side",
      "weapon", "spell", "item", "condition", "track", "fact" and so on. A thing of a combatant
      belongs to the acting one.
    - `role`: the use of a derived number on a screen.
    """

    about: str
    refers: str | None = None
    role: OnScreen = ""


@dataclass(frozen=True)
class Question:
    """A prompt of the rulebook: its name, the person asked, its meaning, and all its options.

    - `options`: the options that are no actions.
    - `actions`: ids of actions, or "turn" for every action that a combatant may declare.
    - `each`: the name of a list. Each entry is another option with the entry's id.
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
    """The rulebook's outcome words for attack rolls, for statistics.

    `threats` are hits that only the next roll against the same combatant can make critical.
    """

    hits: tuple[str, ...] = ("hit",)
    criticals: tuple[str, ...] = ()
    threats: tuple[str, ...] = ()
    misses: tuple[str, ...] = ("miss",)

    def is_hit(self, outcome: str) -> bool:
        """Return true if the attack hit, critically or not."""
        return outcome in self.hits or outcome in self.criticals or outcome in self.threats


@dataclass(frozen=True)
class Catalogue:
    """The descriptions that a client needs to render a rulebook.

    - `wounds`: the words for a combatant's wounds, from unhurt to the worst. The first `standing`
      words are for combatants that can still fight.
    - `budget`: the kinds of action.
    - `titles`: titles for values of closed lists in inputs, sheets and options. A value without a
      title is shown in words.
    - `phases`: the labels of phases, by the part before a "/".
    - `phrases`: the sentences of the log.
    - `reductions`: rules by which armour and similar things reduce the damage to a combatant.
    - `of_both`: purposes of rolls whose target number uses numbers of the roller and of its target.
      A reader sees this target number only if both are on the reader's side.
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
