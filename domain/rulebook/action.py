"""Action: something that a combatant declares or the GM rules."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from domain.errors import Illegal
from domain.record.combat import Id, Json
from domain.rulebook.effects import Procedure, while_there
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option


def _asked_for(play: Play, who: Id, inputs: Any) -> Procedure[None]:
    """Do nothing: the rule that asked for this answer acts on it."""
    yield from ()


@dataclass(frozen=True)
class Action(Option):
    """Something that a combatant declares or the GM rules.

    - `procedure(play, who, inputs)` runs the action after all refusals have passed. Without a
      procedure, the action is only an answer, and the rule that asked handles it.
    - `interjection`: the action may also be declared while another combatant is asked. Its
      refusals say when.
    - `cost`: the cost in the rulebook's table, for people.
    - `answers`: the name of a question. While it is open, or a question has it as an option,
      declaring the action answers the question.
    - `notes`: the ruling records the GM's own words in the log.
    - `idle`: why a ruling changes nothing, if no event gives the reason. `{combatant}` is a field
      in words.
    - `stops`: the procedure pays first, and stops by itself at a hidden combatant in its way.

    For rulings, `who` is "".
    """

    procedure: Callable[[Play, Id, Any], Procedure[None]] = field(default=_asked_for, kw_only=True)
    interjection: bool = field(default=False, kw_only=True)
    answers: str | None = field(default=None, kw_only=True)
    notes: bool = field(default=False, kw_only=True)
    idle: str = field(default="", kw_only=True)
    cost: str = field(default="", kw_only=True)
    stops: bool = field(default=False, kw_only=True)
    rules: tuple[str, ...] = field(default=(), kw_only=True)

    def unasked(self, play: Play, who: Id, raw: Mapping[str, Json]) -> Iterator[Illegal]:
        """Yield why `who` may not do it without a prompt, at least one reason.

        The default is the ruleset's general refusal. An action can give a better reason, based on
        its inputs.
        """
        yield play.ruleset.off_turn(play.combat, who, self.id)


def ruled(play: Play, who: Id, ruling: Action, inputs: Any) -> Procedure[None]:
    """Run a ruling as long as its combatant is in the combat."""
    doing = ruling.procedure(play, who, inputs)
    return while_there(play, getattr(inputs, "who", None), doing, ruling.id)
