"""Action: something that a combatant declares or that the GM rules."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from domain.errors import Illegal
from domain.record.combat import Id, Json
from domain.rulebook.effects import Procedure, while_there
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option


def _asked_for(play: Play, who: Id, inputs: Any) -> Procedure[None]:
    """Do nothing, because the rule that opened the prompt handles this answer."""
    yield from ()


@dataclass(frozen=True)
class Action(Option):
    """Something that a combatant declares or that the GM rules. For a ruling, `who` is `""`.

    - `procedure(play, who, inputs)`: runs the action if no refusal applies. Without a procedure,
      the action is only an answer. The rule that opened the prompt handles it.
    - `interjection`: true if a combatant may also declare it during another combatant's prompt.
    - `cost`: the cost, as a text for people.
    - `answers`: the option that the action chooses in an open prompt. That prompt has the action's
      id as its name or among its options.
    - `notes`: true if the ruling records the GM's text in the log.
    - `idle`: the reason why a ruling changes nothing, for a ruling that records no event.
      `{combatant}` stands for the value of this field.
    - `stops`: true if the procedure pays first, and stops by itself at a hidden combatant.
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

        The default is the general refusal of the ruleset. An action can give a better reason.
        """
        yield play.ruleset.off_turn(play.combat, who, self.id)


def ruled(play: Play, who: Id, ruling: Action, inputs: Any) -> Procedure[None]:
    """Run a ruling. If it is about one combatant, stop when this combatant leaves."""
    doing = ruling.procedure(play, who, inputs)
    return while_there(play, getattr(inputs, "who", None), doing, ruling.id)
