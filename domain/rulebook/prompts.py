"""Prompts: questions, their options, and the answers.

The inputs of an option are a Struct. Offers and commands both use the option's refusals, so that
they always agree.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, Self

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Json
from domain.rulebook.inputs import Polarity
from domain.rulebook.play import Play
from domain.rulebook.reachability import Ways

Category = Literal[
    "attack", "cast", "use", "move", "defend", "help", "wait", "end", "pass", "choose", "roll",
    "rule",
]  # fmt: skip
"""The category of an option on a screen."""

PASSES: Final = ("pass", "done", "none")
"""Ids of options that decline."""


class NoInputs(Struct, frozen=True, forbid_unknown_fields=True):
    """The empty inputs of an option without inputs."""


def no_refusals(play: Play, who: Id, inputs: Any) -> Iterator[Illegal]:
    """Yield no refusal."""
    return iter(())


def one_candidate(play: Play, who: Id) -> Iterable[Mapping[str, Json]]:
    """Return the one candidate of an option without inputs."""
    return ({},)


@dataclass(frozen=True)
class Screen:
    """Screen data that a client cannot derive from an option's inputs.

    - `category`: the category of the option, or `None` to derive it from the prompt.
    - `headline`: a template for inputs, such as "Strike {target}[ with {weapon}]". A part in
      brackets is left out if a field in it has no value. If empty, the headline is the label.
    - `essential`: the fields to show at once. If empty, they are the required fields, and the
      fields that name a target or a thing.
    - `polarity`: the effect on targets, if the types of the inputs do not declare it.
    - `approach`: true if the combatant moves to its target. Such an option is never proposed for a
      neighbour.
    """

    category: Category | None = None
    headline: str = ""
    essential: tuple[str, ...] = ()
    polarity: Polarity | None = None
    approach: bool = False


Toll = tuple[int, float]
"""The number of reactions that inputs may provoke, and the length of their path."""

UNSHOWN = Screen()
"""The default screen data, which follow from the prompt, the label and the types."""


def no_candidates(play: Play, who: Id) -> Iterable[Mapping[str, Json]]:
    """Return no candidates, because a person must choose the inputs."""
    return ()


@dataclass(frozen=True)
class Option:
    """A possible answer.

    - `inputs`: the Struct of its inputs.
    - `refusals(play, who, inputs)`: yields every reason why the rules forbid it, in the rulebook's
      order. A command raises the first, and an offer shows all.
    - `candidates(play, who)`: yields enough sample inputs, as JSON objects, for a client to choose
      from. Offers show the samples without a refusal as legal.
    - `ways(play, who)`: returns the movement on the grid, for inputs with a `path`. It returns
      `None` if no movement is possible now.
    - `vain(play, who, inputs)`: returns true if these legal inputs would have no effect now. They
      are never proposed.
    - `toll(play, who, inputs)`: returns the number of reactions that legal inputs may provoke, and
      the length of their path. It sorts proposals that differ only in squares.
    """

    id: str
    inputs: type[Struct] = NoInputs
    refusals: Callable[[Play, Id, Any], Iterator[Illegal]] = no_refusals
    candidates: Callable[[Play, Id], Iterable[Mapping[str, Json]]] = one_candidate
    label: str = ""
    ways: Callable[[Play, Id], Ways | None] | None = field(default=None, kw_only=True)
    vain: Callable[[Play, Id, Any], bool] | None = field(default=None, kw_only=True)
    toll: Callable[[Play, Id, Any], Toll] | None = field(default=None, kw_only=True)
    screen: Screen = field(default=UNSHOWN, kw_only=True)

    def shown(
        self,
        category: Category,
        headline: str = "",
        *essential: str,
        polarity: Polarity | None = None,
    ) -> Self:
        """Return the option with screen data (see `Screen`)."""
        return replace(self, screen=Screen(category, headline, essential, polarity))


@dataclass(frozen=True)
class Prompt:
    """A question to the combatant `who`, or to the GM if `who` is `None`.

    - `kind`: turn, declare, reaction, choice or ruling. Only the engine uses `roll`.
    - `name`: the rulebook's name of the prompt.
    - `default`: an option that is always legal without inputs. A prompt without a default cannot
      lapse.
    - `data`: everything that the person needs to decide, as JSON.
    - `stands`: returns true if the prompt still applies after a ruling or an interjection. If it
      does not, or if `who` has left, the engine records the default.
    - `anew`: returns the prompt for a later state, with the combatants that are still possible. The
      prompt keeps its id.
    - `text`: the question. It names combatants by id, because names can be erased.

    The end of the combat closes every prompt.
    """

    kind: Literal["turn", "declare", "reaction", "choice", "ruling", "roll"]
    name: str
    who: Id | None
    text: str
    options: tuple[Option, ...]
    rules: tuple[str, ...]
    default: str | None = None
    data: Mapping[str, Json] = field(default_factory=dict)
    stands: Callable[[Combat], bool] | None = None
    anew: "Callable[[Combat], Prompt] | None" = None

    def option(self, id: str | None) -> Option | None:
        """Return the option `id`, or None."""
        for option in self.options:
            if option.id == id:
                return option
        return None

    def reads_as(self, other: "Prompt") -> bool:
        """Return true if both prompts have the same question and the same options."""
        return self._reading == other._reading

    @property
    def _reading(self) -> tuple[Any, ...]:
        options = tuple(option.id for option in self.options)
        return self.who, self.name, self.text, options, self.default, self.data


@dataclass(frozen=True)
class Answer:
    """A reply to a prompt. `inputs` is an instance of the option's Struct.

    - `rank`: its place among the answers to prompts that opened together, from 0.
    - `by_gm`: true if the GM's token gave it.
    - `then`: the combat at the moment of the answer. The combat may have changed between
      two answers.
    - `moot`: true if the prompt no longer applied, and therefore took its default.
    """

    who: Id | None
    option: str
    inputs: Any
    rank: int
    by_gm: bool
    then: Combat | None = field(default=None, compare=False, repr=False)
    moot: bool = False

    def __bool__(self) -> bool:
        raise TypeError("compare answer.option")


def choices(*ids: str) -> tuple[Option, ...]:
    """Return options that need no inputs."""
    return tuple(Option(id) for id in ids)
