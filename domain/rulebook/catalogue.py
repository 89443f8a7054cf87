"""Catalogue: a rulebook's description of itself, from which clients build forms and boards.

It describes prompts, tracks, wounds, derived numbers, and the meaning of fields. The key of a
`Word` is the name of a field. If a name has two meanings, the key is "Struct.field".
`words.SHARED` has the words that every rulebook shares.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from msgspec import Struct

from domain.rulebook.phrases import Phrases
from domain.rulebook.prompts import Option

OnScreen = Literal["", "high-first", "low-first", "zone"]
"""The role of a derived number on a screen.

- `high-first`, `low-first`: the number that orders the turns of a round. If the value is an object,
  `total` is the number.
- `zone`: the squares that the combatant threatens. The value is a distance in squares around its
  body, or a list of squares.
"""


class Word(Struct, frozen=True):
    """The meaning of a field or number, with its unit.

    - `refers`: the kind of thing that the value names, such as `combatant`, `square`, `weapon` or
      `condition`. If it is a weapon, a spell or another possession, the acting combatant has it.
    - `role`: the role of a derived number on a screen.
    """

    about: str
    refers: str | None = None
    role: OnScreen = ""


@dataclass(frozen=True)
class Question:
    """A prompt of the rulebook, with its meaning and all its options.

    - `options`: the options that are not actions.
    - `actions`: the ids of actions, or `turn` for every action that a combatant may declare.
    - `each`: the name of a list in the prompt's data. Each entry is another option with its id.
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
    """A track, with its label and its role on a screen."""

    label: str
    role: Literal["health", "magic", "strain", "other"]
    about: str


class Blows(Struct, frozen=True):
    """The rulebook's outcomes of attack rolls, for statistics.

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
    """The descriptions that a client needs to show a rulebook.

    - `wounds`: the descriptions of a combatant's wounds, from unhurt to the worst. The first
      `standing` descriptions are for combatants that can still fight.
    - `budget`: the labels of the kinds of action.
    - `titles`: the titles of values in closed lists. A client shows a value without a title in
      words.
    - `phases`: the labels of phases, by the part before a "/".
    - `phrases`: the sentences of the log.
    - `reductions`: the rules by which armour and similar things reduce damage.
    - `of_both`: purposes of rolls whose target number depends on the roller and the target. Readers
      see this number only if both are on their side.
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
