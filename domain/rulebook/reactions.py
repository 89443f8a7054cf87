"""Deferred actions: check an earlier choice again before the combatant carries it out.

The combat can change between the choice and the action. An action that has become illegal costs
nothing. The procedure records it as `Prevented`, with rule and reason.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from domain.errors import Illegal, Refused
from domain.record.combat import Id, Json
from domain.record.events import Prevented
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure, ask_all, interrupt, while_able
from domain.rulebook.play import Play
from domain.rulebook.prompts import Answer, Prompt


def refusal_now(play: Play, who: Id, action: Action, inputs: Any) -> Illegal | None:
    """Return the first reason why `who` may not carry out the choice now, or `None`.

    A name that no longer exists is also a reason.
    """
    stop = play.unable(who)
    if stop is not None:
        return stop
    try:
        return next(action.refusals(play, who, inputs), None)
    except Illegal as refusal:
        return refusal
    except Refused as gone:
        return Illegal("", "gone", gone.told)


def prevented(who: Id, action: Action, inputs: Any, refusal: Illegal) -> Prevented:
    """Return the event that the chosen action does not happen, with the reason."""
    rules = (refusal.rule,) if refusal.rule else action.rules
    full: Mapping[str, Json] = msgspec.to_builtins(inputs)
    return Prevented(who, action.id, full, refusal.code, refusal.detail, rules=rules)


def carry_out(
    play: Play, who: Id, action: Action, inputs: Any, until: str | None = None
) -> Procedure[bool]:
    """Carry out an earlier choice, unless the rules now forbid it. Return true if it began.

    `until` names the `Pause` after which nothing stops it (see `while_able`).
    """
    refusal = refusal_now(play, who, action, inputs)
    if refusal is not None:
        yield prevented(who, action, inputs, refusal)
        return False
    yield from while_able(play, who, action.procedure(play, who, inputs), action.id, until)
    return True


def window(play: Play, prompts: Sequence[Prompt]) -> Procedure[tuple[Answer, ...]]:
    """Ask several combatants, carry out their choices, and return the answers that took effect.

    An answer whose option is an `Action` runs as an interrupt, in the order of the prompts. Affray
    first checks its refusals again, because an earlier answer may have made it impossible.
    """
    answers = yield from ask_all(prompts)
    done: list[Answer] = []
    for answer, prompt in zip(answers, prompts, strict=True):
        action = next(option for option in prompt.options if option.id == answer.option)
        if isinstance(action, Action):
            assert answer.who is not None
            doing = partial(carry_out, play, answer.who, action, answer.inputs)
            if (yield from interrupt(play, doing, otherwise=False)):
                done.append(answer)
    yield ()
    return tuple(done)
