"""Foresight: the reactions to a previewed command, and the faces with which its attacks hit.

Both come from the preview. A player's preview runs on the combat that the player knows.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Annotated, Final

from msgspec import Meta, Struct

from domain.engine.session import Session
from projections.board import Board
from projections.events import EventView
from projections.vocabulary import listed

_DIE: Final = re.compile(r"1?d(\d+)")


class PreviewReaction(Struct, frozen=True):
    """A combatant that may react before the command goes on."""

    combatant: Annotated[str, Meta(description="Id of the combatant")]
    prompt: Annotated[str, Meta(description="Name of the prompt that it would get")]


class PreviewNeed(Struct, frozen=True):
    """The least face of the die with which an attack reaches its target number."""

    combatant: Annotated[str, Meta(description="Id of the combatant that attacks")]
    against: Annotated[str, Meta(description="Id of the combatant that is attacked")]
    die: Annotated[str, Meta(description="The die, such as d20")]
    least: Annotated[int, Meta(description="The least face that reaches the target number")]


def reactions(before: Session, trial: Session, board: Board) -> tuple[PreviewReaction, ...]:
    """Return the reaction prompts of the trial to combatants on the reader's board."""
    known = {combatant.id for combatant in board.combatants}
    return tuple(
        PreviewReaction(prompt.who, prompt.name)
        for id, prompt in trial.combat.prompts.items()
        if prompt.kind == "reaction" and prompt.who in known and id not in before.combat.prompts
    )


def needs(trial: Session, views: Sequence[EventView]) -> Iterator[PreviewNeed]:
    """Yield the least face for each attack roll of one die against a known target number."""
    blows = trial.ruleset.catalogue.blows
    for view in views:
        data = view.data
        if view.type != "rolled" or data.get("target") is None or not data.get("against"):
            continue
        outcome, die = str(data.get("outcome") or ""), _DIE.fullmatch(str(data.get("formula")))
        if die is None or len(data["faces"]) != 1:
            continue
        if blows.is_hit(outcome) or outcome in blows.misses:
            least = data["target"] - (data["total"] - data["faces"][0])
            yield PreviewNeed(data["who"], data["against"], f"d{die[1]}", max(1, least))


def foreseen(
    board: Board, reactions: Sequence[PreviewReaction], needs: Sequence[PreviewNeed]
) -> tuple[str, ...]:
    """Return sentences about faces that attacks need, and about combatants that may react."""
    names = {combatant.id: combatant.name for combatant in board.combatants}
    told = [
        f"{names[need.combatant]} needs {need.least} or more on the {need.die}"
        f" to hit {names[need.against]}."
        for need in needs
    ]
    reacting = dict.fromkeys(names[reaction.combatant] for reaction in reactions)
    if reacting:
        told.append(f"{listed(list(reacting))} may react to this.")
    return tuple(told)
