"""The question of a turn, and what is done in answer (SOV-SEQ-02)."""

from domain.record.combat import Id
from domain.rulebook.effects import Procedure, while_able
from domain.rulebook.play import Play
from domain.rulebook.prompts import Answer, Prompt
from domain.rulesets.sovereign import paying
from domain.rulesets.sovereign.numbers import able

REACTIONS = ("attack-of-opportunity", "trigger-held")
"""Actions of the list that are no options of a turn."""


def prompt(play: Play, who: Id) -> Prompt:
    """Any action; the default ends the turn."""
    return Prompt(
        kind="turn",
        name="turn",
        who=who,
        text=f"It is {who}'s turn",
        options=tuple(one for id, one in play.ruleset.actions.items() if id not in REACTIONS),
        rules=("SOV-SEQ-02",),
        default="end-turn",
        stands=lambda now: able(now, who) and who in now.acting,
    )


def take(play: Play, who: Id, answer: Answer) -> Procedure[None]:
    """Do what was chosen, as long as one can, and whom it is meant for is there (SOV-INST-07)."""
    action = play.ruleset.actions[answer.option]
    if action.id not in ("end-turn", "prepare-execution", "execution-attack"):
        yield from paying.busy(play.combat, who)
    doing = action.procedure(play, who, answer.inputs)
    at: Id | None = getattr(answer.inputs, "target", None)
    yield from while_able(play, who, doing, action.id, at=at)
