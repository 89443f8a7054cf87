"""Handlers: carry out each command on a draft, and check that the caller may give it.

A refused command raises `Refused`. This module knows no rulebook.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal

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
from domain.engine.requests import may_undo, requested
from domain.engine.setup_handlers import SetupHandlers
from domain.errors import Forbidden, Unfitting, Unknown
from domain.record import fairness
from domain.record.combat import NO_DEADLINES
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


class Handlers(SetupHandlers, PlayHandlers):
    """All commands on one draft. `known` is the combat as the caller knows it."""

    def __init__(self, draft: Draft, present: Executor) -> None:
        self.draft = draft
        self.present = present
        self.caller = caller = draft.context.caller
        combat = draft.combat
        self.known = combat if caller.role == "gm" else redact(draft.ruleset, combat, caller)

    def add_salt(self, command: AddSalt) -> None:
        if self.caller.role == "spectator":
            raise Forbidden("a spectator adds nothing to the dice")
        if self.draft.combat.status != "opening":
            raise Unfitting("already-begun", "salts are added before the combat begins")
        self.present.record(SaltAdded(command.by, command.salt))

    def set_orders(self, command: SetOrders) -> None:
        self.caller.must_play(self.draft.combat, self.known[command.who].id)
        self.present.record(StandingOrdersSet(command.who, command.orders))

    def note(self, command: Note) -> None:
        if self.caller.role == "spectator" or (command.private and self.caller.role != "gm"):
            raise Forbidden("this note is not for this token to write")
        if command.who is not None:
            self.caller.must_play(self.draft.combat, self.known[command.who].id)
        self.present.record(Noted(command.text, command.who, command.private))

    def make_request(self, command: MakeRequest) -> None:
        who = command.who
        self.caller.must_play(self.draft.combat, self.known[who].id)
        self.present.record(
            requested(self.draft.requests, self.draft.before, who, command.kind, command.text)
        )

    def settle_request(self, command: SettleRequest) -> None:
        """Settle a request, and carry it out if it is granted.

        An undo of a command takes back only the player's newest deed at the time of the request.
        """
        draft, granted = self.draft, command.granted
        request = draft.requests.open.get(command.request)
        if request is None:
            raise Unknown("request", command.request, tuple(draft.requests.open))
        one_command = command.over == "command"
        if granted and request.kind == "undo":
            if not one_command:
                self._revert(draft.before.undo_target(command.over), "undo", command.text)
            elif may_undo(draft.before, request):
                self._revert(draft.before.parent(request.deed), "undo", command.text)
        self.present.record(
            RequestSettled(request.request, request.who, request.kind, granted, command.text)
        )
        deadlines = draft.combat.deadlines
        if granted and request.kind == "pause" and not deadlines.stopped:
            self.time_anew(replace(deadlines, stopped=True), draft.combat.prompts)

    def reveal_seed(self, _: RevealSeed) -> None:
        self.present.reveal()
        if self.draft.combat.status != "ended":
            self._commit_anew()

    def resume(self, _: Resume) -> None:
        draft = self.draft
        if draft.combat.stalled is None:
            raise Unfitting("not-stalled", "no procedure was abandoned")
        waiting = draft.combat.prompts.values()
        asked = next((prompt for prompt in waiting if prompt.name == abandonment.NAME), None)
        if asked is not None:
            self.reply(Reply(asked.id, abandonment.GO_ON))
            return
        self.present.record(Resumed())
        self.present.settle()

    def abandon(self, _: Abandon) -> None:
        self.present.top()
        if not self.draft.recorded:
            raise Unfitting("nothing-abandoned", "the rules match what is under way")

    # ---- undo, redo, goto and amendments

    def undo(self, command: Undo) -> None:
        self._revert(self.draft.before.undo_target(command.over), "undo", command.reason)

    def redo(self, command: Redo) -> None:
        self._revert(self.draft.before.redo_target(), "redo", command.reason)

    def goto(self, command: Goto) -> None:
        before = self.draft.before
        target = before.at_rest(command.version)
        if target in (before.head, before.present):
            raise Unfitting("already-there", f"version {command.version} is the current version")
        self._revert(target, "goto", command.reason)

    def amend(self, command: Amend) -> None:
        left = self.draft.head
        self._revert(command.to, "amend", command.reason)
        self.present.record(Amended(left, command.changes))

    def _revert(self, to: int, kind: Literal["undo", "redo", "goto", "amend"], reason: str) -> None:
        """Restore the state at `to`. Replace the seed if it is already revealed."""
        draft = self.draft
        self.present.runs.clear()
        self.present.record(Reverted(to, kind, reason))
        if draft.combat.commitment in draft.revealed and draft.combat.seed is None:
            self._commit_anew()
        self.present.top()  # this call abandons procedures that the current rules no longer match

    def _commit_anew(self) -> None:
        """Commit to the spare seed for all later rolls, because the previous seed is revealed."""
        spare = self.draft.context.spare
        self.draft.commit_to(spare, SeedCommitted(fairness.commitment(spare)))


HANDLERS: Final[Mapping[type[Command], Callable[[Handlers, Any], None]]] = {
    Open: Handlers.open,
    Join: Handlers.join,
    Change: Handlers.change,
    Leave: Handlers.leave,
    SetMap: Handlers.set_map,
    SetDeadlines: Handlers.set_deadlines,
    SetLabels: Handlers.set_labels,
    Begin: Handlers.begin,
    End: Handlers.end,
    Act: Handlers.act,
    Reply: Handlers.reply,
    GmRuling: Handlers.rule,
    Close: Handlers.close,
    Lapse: Handlers.lapse,
    AddSalt: Handlers.add_salt,
    SetOrders: Handlers.set_orders,
    Note: Handlers.note,
    MakeRequest: Handlers.make_request,
    SettleRequest: Handlers.settle_request,
    RevealSeed: Handlers.reveal_seed,
    Resume: Handlers.resume,
    Abandon: Handlers.abandon,
    Undo: Handlers.undo,
    Redo: Handlers.redo,
    Goto: Handlers.goto,
    Amend: Handlers.amend,
}
"""The handler of each command."""

_FOR_ALL: Final = frozenset((Act, Reply, AddSalt, SetOrders, Note, MakeRequest, Open))
"""Commands that players may give too."""


def decide(draft: Draft, present: Executor, command: Command) -> None:
    """Carry out one command on its draft. `present` runs its procedures."""
    before, handlers, kind = draft.combat, Handlers(draft, present), type(command)
    if kind not in _FOR_ALL:
        draft.context.caller.must_be_gm()
    HANDLERS[kind](handlers, command)
    if draft.combat.deadlines != NO_DEADLINES:
        handlers.wait_anew(before)
