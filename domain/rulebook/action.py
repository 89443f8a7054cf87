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
    """Do nothing, because the rule that asked for this answer acts on it."""
    yield from ()


@dataclass(frozen=True)
class Action(Option):
    """Something that a combatant declares or the GM rules.

    - `procedure(play, who, inputs)`: runs the action if nothing refuses it. Without a procedure,
      the action is only an answer, and the rule that asked handles it.
    - `interjection`: true if a combatant may also declare it while another one has an open
      prompt. The refusals limit this.
    - `cost`: the cost in the rulebook's table, for people.
    - `answers`: the option that the action chooses in an open prompt. That prompt has the action's
      id as its name or among its options.
    - `notes`: true if the ruling records the GM's own words in the log.
    - `idle`: the reason why a ruling changes nothing, if no event gives one. `{combatant}` stands
      for a field in words.
    - `stops`: true if the procedure pays first, and stops by itself at a hidden combatant.

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
        """Yield one or more reasons why `who` may not do it without a prompt.

        The default is the ruleset's general refusal. An action can give a better reason from its
        inputs.
        """
        yield play.ruleset.off_turn(play.combat, who, self.id)


def ruled(play: Play, who: Id, ruling: Action, inputs: Any) -> Procedure[None]:
    """Run a ruling as long as its combatant is in the combat."""
    doing = ruling.procedure(play, who, inputs)
    return while_there(play, getattr(inputs, "who", None), doing, ruling.id)
