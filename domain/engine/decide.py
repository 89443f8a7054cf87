"""decide: what each command does, on a draft, and who may give it. What is refused raises
`Refused`. Knows no rulebook.
"""

from typing import Literal

from domain.engine.caller import Caller
from domain.engine.commands import (
    Act,
    AddSalt,
    Begin,
    Change,
    Close,
    Command,
    End,
    Goto,
    Join,
    Lapse,
    Leave,
    Note,
    Open,
    Redo,
    Reply,
    Resume,
    RevealSeed,
    Rule,
    SetDeadlines,
    SetLabels,
    SetMap,
    SetOrders,
    Undo,
)
from domain.engine.doing import Doing
from domain.engine.draft import Draft
from domain.engine.present import Present
from domain.engine.redact import redact
from domain.engine.staging import Staging
from domain.errors import Forbidden, Unfitting
from domain.record import fairness
from domain.record.events import (
    Noted,
    Resumed,
    Reverted,
    SaltAdded,
    SeedCommitted,
    StandingOrdersSet,
)


class Decider:
    """One command on one draft; `present` runs its procedures."""

    def __init__(self, draft: Draft, present: Present) -> None:
        self.draft = draft
        self.present = present
        self.caller: Caller = draft.context.caller
        self.known = redact(draft.ruleset, draft.combat, self.caller)

    def do(self, command: Command) -> None:
        before, staging = self.draft.combat, Staging(self.draft, self.present)
        self._do(command, staging)
        staging.wait_anew(before)

    def _do(self, command: Command, staging: Staging) -> None:
        caller, draft = self.caller, self.draft
        doing = Doing(draft, self.present, self.known)
        if not isinstance(command, Act | Reply | AddSalt | SetOrders | Note | Open):
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
            case Rule():
                doing.rule(command)
            case Close(prompts=prompts):
                doing.close(prompts)
            case Lapse():
                doing.lapse()
            case AddSalt(by=by, salt=salt):
                if caller.role == "spectator":
                    raise Forbidden("a spectator adds nothing to the dice")
                if draft.combat.status != "opening":
                    raise Unfitting("already-begun", "salts are added before the combat begins")
                self.present.record(SaltAdded(by, salt))
            case SetOrders(who=who, orders=orders):
                caller.must_play(draft.combat, self.known[who].id)
                self.present.record(StandingOrdersSet(who, orders))
            case Note(text=text, who=who, private=private):
                if caller.role == "spectator" or (private and caller.role != "gm"):
                    raise Forbidden("this note is not for this token to write")
                if who is not None:
                    caller.must_play(draft.combat, self.known[who].id)
                self.present.record(Noted(text, who, private))
            case RevealSeed():
                self.present.reveal()
            case Resume():
                if draft.combat.stalled is None:
                    raise Unfitting("not-stalled", "no procedure was abandoned")
                self.present.record(Resumed())
                self.present.settle()
            case Undo(over=over, reason=reason):
                self._revert(draft.before.undo_target(over), "undo", reason)
            case Redo(reason=reason):
                self._revert(draft.before.redo_target(), "redo", reason)
            case Goto(version=version, reason=reason):
                target = draft.before.at_rest(version)
                if target in (draft.before.head, draft.before.present):
                    raise Unfitting("already-there", f"version {version} is the present")
                self._revert(target, "goto", reason)

    def _revert(self, to: int, kind: Literal["undo", "redo", "goto"], reason: str) -> None:
        """Make the state at `to` the present; dice whose seed is known are replaced."""
        self.present.runs.clear()
        self.present.record(Reverted(to, kind, reason))
        if self.draft.combat.commitment in self.draft.revealed and self.draft.combat.seed is None:
            spare = self.draft.context.spare
            self.draft.commit_to(spare, SeedCommitted(fairness.commitment(spare)))
