"""Handlers: carry out each command on a draft, and check who may give it.

A refused command raises `Refused`. This module knows no rulebook.
"""

from typing import Literal

from msgspec.structs import replace

from domain.engine import abandonment
from domain.engine.commands import (
    Abandon,
    Act,
    AddSalt,
    Amend,
    Begin,
    Change,
    Close,
    Command,
    End,
    GmRuling,
    Goto,
    Join,
    Lapse,
    Leave,
    MakeRequest,
    Note,
    Open,
    Redo,
    Reply,
    Resume,
    RevealSeed,
    SetDeadlines,
    SetLabels,
    SetMap,
    SetOrders,
    SettleRequest,
    Undo,
)
from domain.engine.draft import Draft
from domain.engine.executor import Executor
from domain.engine.play_handlers import PlayHandlers
from domain.engine.redaction import redact
from domain.engine.requests import requested
from domain.engine.setup_handlers import SetupHandlers
from domain.errors import Forbidden, Unfitting, Unknown
from domain.record import fairness
from domain.record.events import (
    Amended,
    Noted,
    RequestSettled,
    Resumed,
    Reverted,
    SaltAdded,
    SeedCommitted,
    StandingOrdersSet,
)


def decide(draft: Draft, present: Executor, command: Command) -> None:
    """Do one command on its draft; `present` runs its procedures."""
    before, staging = draft.combat, SetupHandlers(draft, present)
    _do(draft, present, staging, command)
    staging.wait_anew(before)


def _do(draft: Draft, present: Executor, staging: SetupHandlers, command: Command) -> None:
    caller = draft.context.caller
    known = redact(draft.ruleset, draft.combat, caller)
    doing = PlayHandlers(draft, present, known)
    if not isinstance(command, Act | Reply | AddSalt | SetOrders | Note | MakeRequest | Open):
        caller.must_be_gm()
    match command:
        case Open():
            staging.open(command)
        case Join():
            staging.join(command)
        case Change():
            staging.change(command)
        case Leave():
            staging.leave(command)
        case SetMap(map=map):
            staging.set_map(map)
        case SetDeadlines(deadlines=deadlines):
            staging.set_deadlines(deadlines)
        case SetLabels(labels=labels):
            staging.set_labels(labels)
        case Begin():
            staging.begin()
        case End():
            staging.end(command)
        case Act():
            doing.act(command)
        case Reply():
            doing.reply(command)
        case GmRuling():
            doing.rule(command)
        case Close(prompts=prompts):
            doing.close(prompts)
        case Lapse(prompts=prompts):
            doing.lapse(prompts)
        case AddSalt(by=by, salt=salt):
            if caller.role == "spectator":
                raise Forbidden("a spectator adds nothing to the dice")
            if draft.combat.status != "opening":
                raise Unfitting("already-begun", "salts are added before the combat begins")
            present.record(SaltAdded(by, salt))
        case SetOrders(who=who, orders=orders):
            caller.must_play(draft.combat, known[who].id)
            present.record(StandingOrdersSet(who, orders))
        case Note(text=text, who=who, private=private):
            if caller.role == "spectator" or (private and caller.role != "gm"):
                raise Forbidden("this note is not for this token to write")
            if who is not None:
                caller.must_play(draft.combat, known[who].id)
            present.record(Noted(text, who, private))
        case MakeRequest(who=who, kind=kind, text=text):
            caller.must_play(draft.combat, known[who].id)
            present.record(requested(draft.requests, who, kind, text))
        case SettleRequest():
            _settle(draft, present, staging, command)
        case RevealSeed():
            present.reveal()
            if draft.combat.status != "ended":
                _commit_anew(draft)
        case Resume():
            if draft.combat.stalled is None:
                raise Unfitting("not-stalled", "no procedure was abandoned")
            waiting = draft.combat.prompts.values()
            asked = next((prompt for prompt in waiting if prompt.name == abandonment.NAME), None)
            if asked is not None:
                doing.reply(Reply(asked.id, abandonment.GO_ON))
                return
            present.record(Resumed())
            present.settle()
        case Abandon():
            present.top()
            if not draft.recorded:
                raise Unfitting("nothing-abandoned", "the rules match what is under way")
        case Undo(over=over, reason=reason):
            _revert(draft, present, draft.before.undo_target(over), "undo", reason)
        case Redo(reason=reason):
            _revert(draft, present, draft.before.redo_target(), "redo", reason)
        case Goto(version=version, reason=reason):
            target = draft.before.at_rest(version)
            if target in (draft.before.head, draft.before.present):
                raise Unfitting("already-there", f"version {version} is the present")
            _revert(draft, present, target, "goto", reason)
        case Amend(to=to, changes=changes, reason=reason):
            left = draft.head
            _revert(draft, present, to, "amend", reason)
            present.record(Amended(left, changes))


def _settle(
    draft: Draft, present: Executor, staging: SetupHandlers, command: SettleRequest
) -> None:
    """Settle a request, and carry it out if it is granted."""
    request = draft.requests.open.get(command.request)
    if request is None:
        raise Unknown("request", command.request, tuple(draft.requests.open))
    if command.granted and request.kind == "undo":
        target = draft.before.undo_target(command.over)
        _revert(draft, present, target, "undo", command.text)
    present.record(
        RequestSettled(request.request, request.who, request.kind, command.granted, command.text)
    )
    if command.granted and request.kind == "pause" and not draft.combat.deadlines.stopped:
        staging.set_deadlines(replace(draft.combat.deadlines, stopped=True))


def _revert(
    draft: Draft,
    present: Executor,
    to: int,
    kind: Literal["undo", "redo", "goto", "amend"],
    reason: str,
) -> None:
    """Make the state at `to` the present one. Replace dice with a known seed."""
    present.runs.clear()
    present.record(Reverted(to, kind, reason))
    if draft.combat.commitment in draft.revealed and draft.combat.seed is None:
        _commit_anew(draft)
    present.top()  # waiting procedures may have run under other rules


def _commit_anew(draft: Draft) -> None:
    """Commit to the spare seed for all later rolls: everybody knows the one before."""
    spare = draft.context.spare
    draft.commit_to(spare, SeedCommitted(fairness.commitment(spare)))
