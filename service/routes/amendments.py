"""Amending: change past commands, and decide the commands after them again."""

from functools import partial
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from domain.engine.amendment import MOST, Amendment, GmCommand, InsertCommand
from domain.errors import Forbidden
from projections.amendments import AmendmentReport, WhatIfReport
from service import amendments
from service.amendments import Watch
from service.http.operation import Call, Operation, Reply, finished


class AmendCombat(Amendment, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An amendment. Without `commit`, Affray stores nothing.

    To commit, repeat the request with `If-Match` and with the `digest` of its dry run.
    """

    commit: Annotated[
        bool,
        Meta(
            description="Whether to store the amendment. If false, you get the report of a dry run"
        ),
    ] = False
    digest: Annotated[
        Annotated[str, Meta(max_length=64)] | None,
        Meta(description="`digest` of the dry run, required for a commit. `null`: a dry run"),
    ] = None


class WhatIf(Amendment, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The `commands` to try from the current state. A GM may also try changes of past commands."""

    commands: Annotated[
        tuple[GmCommand, ...],
        Meta(
            description="Commands to try after the newest event, one after the other",
            max_length=MOST,
        ),
    ] = ()


async def what_if(call: Call) -> Reply:
    """Try commands in sequence, or changes of past commands. Affray stores nothing.

    The faces of the trial reveal nothing about later rolls. A player can try commands only from the
    current state. The answer to a player ends where it depends on facts that the player does not
    know.
    """
    body: WhatIf = call.body
    hot, row = call.combat, call.row
    with Watch(call.request, _nothing) as watch:
        if row.role == "gm":
            end = hot.live.history.head + 1
            more = tuple(InsertCommand(end, command) for command in body.commands)
            amendment = replace(_amendment(body), changes=(*body.changes, *more))
            report = await amendments.dry_run(call.combats, hot, row, amendment, watch)
            return Reply(WhatIfReport(report, None))
        if _amendment(body) != Amendment():
            raise Forbidden("only the GM asks about another past")
        commands = body.commands
        players_what_if = await amendments.foreseen(call.combats, hot, row, commands, watch)
        return Reply(WhatIfReport(None, players_what_if))


def _amendment(body: AmendCombat | WhatIf) -> Amendment:
    fields = {name: getattr(body, name) for name in Amendment.__struct_fields__}
    return Amendment(**fields)


def _nothing(done: int, total: int) -> None:
    """Ignore the progress."""


async def amend(call: Call) -> Reply:
    """Change past commands. Affray decides the commands after them again.

    The answer has a verdict on each later command. `412`: another command came first, or the dry
    run had another result. Make a new dry run.
    """
    body: AmendCombat = call.body
    amendment = _amendment(body)
    hot, row = call.combat, call.row
    streams = call.service.streams
    with Watch(call.request, partial(streams.progress, hot.id)) as watch:
        if not body.commit:
            etag = hot.etag_of(row)
            report = await amendments.dry_run(call.combats, hot, row, amendment, watch)
            return Reply(report, etag=etag)
        answer = await amendments.commit(
            call.combats,
            hot,
            row,
            amendment,
            body.digest,
            call.if_match,
            call.idempotency,
            watch,
        )
        return finished(answer)


OPERATIONS = (
    Operation(
        "POST",
        "/v1/combats/{combat}/amend",
        "amendCombat",
        "Amend the past",
        "History",
        amend,
        AmendmentReport,
        "gm",
        body=AmendCombat,
        errors=(404, 409, 412, 422),
        links={"undo": ("undo", {"combat": "$request.path.combat"})},
    ),
    Operation(
        "POST",
        "/v1/combats/{combat}/what-if",
        "askWhatIf",
        "Try a change of the past, or further commands",
        "Playing",
        what_if,
        WhatIfReport,
        body=WhatIf,
        errors=(403, 404, 409, 422),
    ),
)
