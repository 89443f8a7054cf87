"""Abandonment: ask the GM to continue after new rules no longer match a running procedure.

The engine adds this procedure to every rulebook. The frame contains the whole prompt. The engine
can therefore rebuild the procedure in the same way as the procedures of the rulebook.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from domain.record.combat import Frame, Json
from domain.record.events import Resumed
from domain.rulebook.effects import Procedure, ask
from domain.rulebook.id_names import words
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option, Prompt

NAME: Final = "procedure-abandoned"
"""The name of the procedure and of its question. No rulebook uses it."""

GO_ON: Final = "go-on"


def arguments(frames: Sequence[Frame], reason: str) -> Mapping[str, Json]:
    """Return the arguments of `question`: the reason, and the procedures, innermost first."""
    lost: list[Json] = [
        {"procedure": frame.procedure, "kind": frame.kind, "who": frame.args.get("who") or None}
        for frame in frames
    ]
    return {"lost": lost, "reason": reason}


def question(play: Play, lost: Sequence[Mapping[str, str | None]], reason: str) -> Procedure[None]:
    """Ask the GM to continue. After the answer, the engine takes the next step of the flow."""
    named = ", ".join(_named(procedure) for procedure in lost)
    yield from ask(
        Prompt(
            "ruling",
            NAME,
            None,
            f"New rules no longer match what was under way: {named}. It was abandoned, and nothing"
            " else has changed. Rule what is missing, or undo. Then answer go-on: the fight goes on"
            " with its next step.",
            (Option(GO_ON),),
            (),
            data={"abandoned": lost, "reason": reason},
        )
    )
    yield Resumed()


def _named(lost: Mapping[str, str | None]) -> str:
    name = words(str(lost["procedure"]))
    return name if lost["who"] is None else f"{name} of {lost['who']}"
