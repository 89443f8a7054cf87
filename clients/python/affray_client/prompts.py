"""The open prompts of one seat at the table."""

from __future__ import annotations

from affray_client.shapes import Board, PromptView


def prompts_of(board: Board) -> list[PromptView]:
    """Return the prompts that wait for the reader of this board.

    A GM may answer every prompt. This function omits the
    players' prompts, so that the players answer them.
    """
    played = {combatant.id for combatant in board.combatants if combatant.owner}
    return [
        prompt
        for prompt in board.prompts
        if prompt.answer is None
        and not prompt.suspended
        and not (board.you.role == "gm" and prompt.who in played)
    ]
