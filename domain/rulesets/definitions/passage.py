"""Passing through the squares of allies: each is asked, and may refuse (DEF-SPC-03)."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Square
from domain.rulebook.declaration import refuse
from domain.rulebook.effects import Procedure, ask_all
from domain.rulebook.play import Play
from domain.rulebook.prompts import Prompt, choices
from domain.rulesets.definitions import board, movement
from domain.rulesets.definitions.deed import foiled
from domain.rulesets.definitions.facts import DENIED
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.states import able, awake, hostile

ALLOW = choices("allow", "deny")


def refusals(combat: Combat, who: Id, steps: Sequence[Square]) -> Iterator[Illegal]:
    """Refuse an ally that has denied the passage in this round, without asking again."""
    for ally in passed(combat, who, steps):
        if who in DENIED.of(combat[ally]):
            yield refused(ally)


def refused(ally: Id) -> Illegal:
    return refuse("DEF-SPC-03", "ally-refuses", f"{ally} does not let it pass", "path")


def passed(combat: Combat, who: Id, steps: Sequence[Square]) -> list[Id]:
    """Return the allies whose squares are on the way.

    The unconscious always allow it (DEF-SPC-03).
    """
    combatant = combat[who]
    others = [] if combatant.position is None else board.met(combat, who, steps)
    return [other.id for other in others if not hostile(combatant, other) and awake(other)]


@rule("DEF-SPC-03", "Allies may let somebody pass")
def permission(action: str) -> Callable[[Play, Id, Any], Procedure[bool]]:
    """Allies on the way are asked before anything is spent (DEF-SPC-03)."""

    def asked(play: Play, who: Id, inputs: Any) -> Procedure[bool]:
        allies = passed(play.combat, who, movement.squares(inputs.path))
        answers = yield from ask_all([question(ally, who) for ally in allies])
        denied = [
            answer.who for answer in answers if answer.option == "deny" and answer.who is not None
        ]
        for ally in denied:
            kept = (*DENIED.of(play.combat[ally]), who)
            yield DENIED.set(ally, kept, rules=("DEF-SPC-03",))
        if denied:
            yield foiled(who, action, refused(denied[0]))
        return not denied

    return asked


def question(ally: Id, who: Id) -> Prompt:
    return Prompt(
        kind="choice",
        name="allow-passage",
        who=ally,
        text=f"Does {ally} let {who} pass through its square?",
        options=ALLOW,
        rules=("DEF-SPC-03",),
        default="allow",
        data={"mover": who},
        stands=lambda now: able(now, who) and awake(now[ally]),
    )
