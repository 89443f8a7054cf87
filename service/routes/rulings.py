"""The GM's own commands: rulings, notes, undo, redo, goto."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.engine.commands import GmRuling, Goto, Note, Redo, Resume, Text, Undo, Word
from domain.record.combat import Id, Json
from service.http.operation import Call, Operation, Reply
from service.routes.combats import NoFields
from service.routes.command_answers import Committed, commit


class MakeRuling(Struct, frozen=True, forbid_unknown_fields=True):
    """A `ruling` of the rulebook with its `inputs`."""

    ruling: Word
    inputs: dict[str, Json] = {}
    reason: Text = ""


class WriteNote(Struct, frozen=True, forbid_unknown_fields=True):
    """A sentence for the log.

    `who` is the combatant that speaks it. Only the GM can read a `private` note.
    """

    text: Annotated[str, Meta(description="The sentence", min_length=1, max_length=2000)]
    who: Annotated[
        Id | None, Meta(description="Id of the combatant that says it. `null`: nobody")
    ] = None
    private: bool = False


class UndoWhat(Struct, frozen=True, forbid_unknown_fields=True):
    """The range of the undo: one command, this turn from its start, or this round."""

    over: Literal["command", "turn", "round"] = "command"
    reason: Text = ""


class Because(Struct, frozen=True, forbid_unknown_fields=True):
    reason: Text = ""


class GotoWhere(Struct, frozen=True, forbid_unknown_fields=True):
    """`version`: the version to which the combat returns."""

    version: Annotated[int, Meta(description="The version to which the combat returns", ge=1)]
    reason: Text = ""


async def rule(call: Call) -> Reply:
    """Decide by hand, at any moment: damage, a condition, a move, the next roll and more."""
    body: MakeRuling = call.body
    return await commit(call, GmRuling(body.ruling, body.inputs, body.reason))


async def note(call: Call) -> Reply:
    """Write a sentence into the log."""
    body: WriteNote = call.body
    return await commit(call, Note(body.text, body.who, body.private), 201)


async def undo(call: Call) -> Reply:
    """Undo a command, a turn or a round. Affray deletes nothing, so you can redo it."""
    body: UndoWhat = call.body
    return await commit(call, Undo(body.over, body.reason))


async def redo(call: Call) -> Reply:
    """Redo one command on the branch of the last undo."""
    body: Because = call.body
    return await commit(call, Redo(body.reason))


async def goto(call: Call) -> Reply:
    """Return the combat to any earlier state, on any branch.

    If the version falls between two events of one command, Affray goes to the state after that
    command.
    """
    body: GotoWhere = call.body
    return await commit(call, Goto(body.version, body.reason))


async def resume(call: Call) -> Reply:
    """Continue after a procedure was abandoned."""
    return await commit(call, Resume())


_ERRORS = (404, 409, 412, 422)
_BOARD = {"board": ("readCombat", {"combat": "$request.path.combat"})}

OPERATIONS = (
    Operation(
        "POST",
        "/v1/combats/{combat}/rulings",
        "makeRuling",
        "Make a ruling",
        "GM",
        rule,
        Committed,
        "gm",
        body=MakeRuling,
        errors=_ERRORS,
        links=_BOARD,
        commits=True,
    ),
    Operation(
        "POST",
        "/v1/combats/{combat}/notes",
        "writeNote",
        "Write a note",
        "GM",
        note,
        Committed,
        status=201,
        body=WriteNote,
        errors=(403, *_ERRORS),
        commits=True,
    ),
    Operation(
        "POST",
        "/v1/combats/{combat}/undo",
        "undo",
        "Undo",
        "GM",
        undo,
        Committed,
        "gm",
        body=UndoWhat,
        errors=_ERRORS,
        links={**_BOARD, "redo": ("redo", {"combat": "$request.path.combat"})},
        commits=True,
    ),
    Operation(
        "POST",
        "/v1/combats/{combat}/redo",
        "redo",
        "Redo",
        "GM",
        redo,
        Committed,
        "gm",
        body=Because,
        errors=_ERRORS,
        links=_BOARD,
        commits=True,
    ),
    Operation(
        "POST",
        "/v1/combats/{combat}/goto",
        "goto",
        "Go to a version",
        "GM",
        goto,
        Committed,
        "gm",
        body=GotoWhere,
        errors=_ERRORS,
        links=_BOARD,
        commits=True,
    ),
    Operation(
        "POST",
        "/v1/combats/{combat}/resume",
        "resume",
        "Resume a stalled fight",
        "GM",
        resume,
        Committed,
        "gm",
        body=NoFields,
        errors=_ERRORS,
        commits=True,
    ),
)
