"""Live: one combat in memory. Commands in, events out; what is refused leaves no trace.

Knows no rulebook. Everything here can be thrown away at any moment: the events are the truth.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal

import msgspec

from domain.engine.caller import Caller, Context, Decision
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
    Leave,
    Note,
    Open,
    Redo,
    Reply,
    Resume,
    RevealSeed,
    Rule,
    SetMap,
    SetOrders,
    Undo,
)
from domain.engine.driver import Driver
from domain.engine.journal import Deciding
from domain.engine.options import Offer, offer
from domain.engine.rolling import check
from domain.engine.running import Run, find
from domain.errors import Forbidden, Impossible, Malformed, Refused, Unfitting, Unknown
from domain.record import fairness
from domain.record.combat import Id, Json
from domain.record.events import (
    ActionDeclared,
    Answered,
    CombatantChanged,
    CombatantLeft,
    CombatBegan,
    CombatEnded,
    CombatOpened,
    Event,
    FactSet,
    MapSet,
    Noted,
    PhaseBegan,
    ProcedureEnded,
    Prompted,
    Resumed,
    Reverted,
    Ruled,
    SaltAdded,
    SeedCommitted,
    StandingOrdersSet,
)
from domain.record.history import History
from domain.rulebook.play import Play
from domain.rulebook.ruleset import Action, read


class Live(Driver):
    """One combat, its history, and its running procedures."""

    def decide(self, command: Command, context: Context) -> Decision:
        """Do what the command asks, or raise `Refused` and leave everything as it was."""
        before = (self.history.version, self.combat, self.digest, self.reverts, set(self.revealed))
        raw: Mapping[str, Json] = msgspec.to_builtins(command)
        deciding = Deciding(context, raw, self.version + 1, self._dice_key(raw))
        self._deciding = deciding
        try:
            self._do(command)
        except BaseException:
            version, self.combat, self.digest, self.reverts, self.revealed = before
            self.history.forget_after(version)
            self._runs.clear()
            for later in [one for one in self._states if one > version]:
                del self._states[later]
            raise
        finally:
            self._deciding = None
        self._remember(self.history.head)
        new = tuple(self.history.recorded[before[0] :])
        return Decision(new, tuple(deciding.states), deciding.seed)

    def _dice_key(self, raw: Mapping[str, Json]) -> str:
        """What the faces of a command are derived from; never used twice with fresh dice."""
        if self.combat.dice.after_undo == "fresh":
            return str(self.version + 1)
        digest = hashlib.sha256(msgspec.json.encode(raw, order="deterministic")).hexdigest()
        return f"{self.history.head}+{digest}"

    def _do(self, command: Command) -> None:
        caller = self._context.caller
        if not isinstance(command, Act | Reply | AddSalt | SetOrders | Note | Open):
            self._require_gm(caller)
        match command:
            case Open():
                self._open(command)
            case Join(joining=joining):
                who = self._admit(joining.sheet, joining.id, joining.hidden)
                step = self.ruleset.entry(self.combat, who)
                if step is not None and self.combat.status == "running":
                    self._start("flow", step.procedure, step.args)
                self._settle()
            case Change():
                self._change(command)
            case Leave(who=who):
                self.combat[who]
                self._record(CombatantLeft(who))
                self._settle()
            case SetMap(map=map):
                self._check_map(map)
                self._record(MapSet(map))
            case AddSalt(by=by, salt=salt):
                if caller.role == "spectator":
                    raise Forbidden("a spectator adds nothing to the dice")
                if self.combat.status != "opening":
                    raise Unfitting("already-begun", "salts are added before the combat begins")
                self._record(SaltAdded(by, salt))
            case SetOrders(who=who, orders=orders):
                self._require_plays(caller, self.combat[who].id)
                self._record(StandingOrdersSet(who, orders))
            case Begin():
                self._begin()
            case End():
                self._end(command)
            case Act():
                self._act(command)
            case Reply():
                self._reply(command)
            case Rule():
                self._rule(command)
            case Close(prompts=prompts):
                self._close(prompts)
            case Note(text=text, who=who, private=private):
                if caller.role == "spectator" or (private and caller.role != "gm"):
                    raise Forbidden("this note is not for this token to write")
                if who is not None:
                    self._require_plays(caller, self.combat[who].id)
                self._record(Noted(text, who, private))
            case RevealSeed():
                self._reveal()
            case Resume():
                if self.combat.stalled is None:
                    raise Unfitting("not-stalled", "no procedure was abandoned")
                self._record(Resumed())
                self._settle()
            case Undo(over=over, reason=reason):
                self._revert(self.history.undo_target(over), "undo", reason)
            case Redo(reason=reason):
                self._revert(self.history.redo_target(), "redo", reason)
            case Goto(version=version, reason=reason):
                target = self.history.at_rest(version)
                if target == self.history.head:
                    raise Unfitting("already-there", f"version {version} is the present")
                self._revert(target, "goto", reason)

    @staticmethod
    def _require_gm(caller: Caller) -> None:
        if caller.role != "gm":
            raise Forbidden(f"only the GM may do this, not a {caller.role}")

    def _require_plays(self, caller: Caller, who: Id | None) -> None:
        if not caller.plays(self.combat, who):
            raise Forbidden(f"this token does not play {who or 'the GM'}")

    def _open(self, command: Open) -> None:
        if self.version:
            raise Unfitting("already-open", "this combat is open already")
        options = msgspec.to_builtins(read_at(command.options, self.ruleset.options, "/options"))
        self._check_map(command.map)
        deciding = self._deciding
        assert deciding is not None
        deciding.seed = self._context.spare
        self._record(
            CombatOpened(
                self._context.combat,
                self.ruleset.id,
                command.name,
                options,
                command.dice,
                fairness.commitment(self._context.spare),
                command.sides,
                command.map,
            )
        )
        for index, joining in enumerate(command.combatants):
            with pointing(f"/combatants/{index}"):
                self._admit(joining.sheet, joining.id, joining.hidden)

    def _check_map(self, map: Mapping[str, Json] | None) -> None:
        if map is not None and self.ruleset.map is not None:
            read_at(map, self.ruleset.map, "/map")

    def _admit(self, sheet: Mapping[str, Json], id: Id | None, hidden: bool) -> Id:
        if self.combat.status == "ended":
            raise Unfitting("combat-ended", "the combat has ended")
        with pointing("/sheet"):
            event = self.ruleset.admit(self.combat, sheet, id=id, hidden=hidden)
        self._record(event)
        play = Play(self.ruleset, self.combat)
        for follows in self.ruleset.arrival(play, event.who):
            assert isinstance(follows, Event), "an arrival asks nothing"
            self._record(follows)
            play.combat = self.combat
        return event.who

    def _change(self, command: Change) -> None:
        who = self.combat[command.who]
        if command.name is not None and any(
            other.name == command.name and other.id != who.id for other in self.combat
        ):
            raise Unfitting("name-taken", f"there is a combatant called {command.name!r} already")
        raw = {
            **who.sheet,
            **command.sheet,
            "name": command.name or who.name,
            "owner": command.owner or who.owner,
            "side": command.side or who.side,
        }
        for fixed in ("name", "owner", "side", "at"):
            if fixed in command.sheet:
                raise Malformed(f"/sheet/{fixed}", f"{fixed} is not changed through the sheet")
        with pointing("/sheet"):
            sheet = read(raw, self.ruleset.sheet)
            for fault in self.ruleset.check_sheet(sheet):
                raise fault
        full: Mapping[str, Json] = msgspec.to_builtins(sheet)
        self._record(
            CombatantChanged(
                command.who,
                command.name,
                command.side,
                command.owner,
                command.hidden,
                {key: full[key] for key in command.sheet},
            )
        )
        self._settle()

    def _begin(self) -> None:
        if self.combat.status != "opening":
            raise Unfitting("already-begun", f"the combat is {self.combat.status}")
        if not any(True for _ in self.combat):
            raise Unfitting("nobody-there", "a combat needs combatants before it begins")
        if self.combat.frames:
            raise Unfitting("awaiting-answer", "answer the open prompt first")
        self._record(CombatBegan())
        self._settle()

    def _end(self, command: End) -> None:
        if self.combat.status == "ended":
            raise Unfitting("combat-ended", "the combat has ended already")
        if self.combat.frames:
            self._record(ProcedureEnded(self.combat.frames[0].id))
            self._runs.clear()
        if self.combat.stalled is not None:
            self._record(Resumed())
        if self.combat.status == "opening":
            self._record(CombatEnded(command.winners or (), command.reason))
        else:
            winners = None if command.winners is None else list(command.winners)
            self._record(FactSet(None, "ending", {"winners": winners, "reason": command.reason}))
            self._record(PhaseBegan("ending"))
        self._settle()

    def _revert(self, to: int, kind: Literal["undo", "redo", "goto"], reason: str) -> None:
        """Make the state at `to` the present; dice whose seed is known are replaced."""
        self._runs.clear()
        self._record(Reverted(to, kind, reason))
        if self.combat.commitment in self.revealed and self.combat.seed is None:
            deciding = self._deciding
            assert deciding is not None
            deciding.seed = self._context.spare
            self._record(SeedCommitted(fairness.commitment(self._context.spare)))

    def _act(self, command: Act) -> None:
        combat = self.combat
        who = combat[command.combatant].id
        self._require_plays(self._context.caller, who)
        action = self.ruleset.actions.get(command.action)
        if action is None:
            raise Unknown("action", command.action, tuple(self.ruleset.actions))
        run = self._top()
        asked = None if run is None else self._asked(run, who, action.id)
        if run is not None and asked is not None:
            self._answer(run, asked, action.id, command.inputs)
        elif action.interjection and combat.status != "ended":
            self._interject("action", action, who, command.inputs)
        elif who in combat.acting and run is not None and run.waiting is not None:
            first = next(iter(run.waiting.prompts.values()))
            raise Unfitting("awaiting-answer", f"first must be answered: {first.text}")
        else:
            raise self.ruleset.off_turn(combat, who, action.id)
        self._settle()

    @staticmethod
    def _asked(run: Run, who: Id, action: str) -> str | None:
        """The open turn or declare prompt of `who` that has this option."""
        waiting = run.waiting
        if waiting is None:
            return None
        for id, prompt in waiting.prompts.items():
            if prompt.who == who and prompt.kind in ("turn", "declare"):
                return id if find(prompt.options, action) else None
        return None

    def _reply(self, command: Reply) -> None:
        caller = self._context.caller
        open_prompt = self.combat.prompts.get(command.prompt)
        if open_prompt is None or not self._may_see(caller, open_prompt.who):
            raise self._not_open(command.prompt, caller)
        self._require_plays(caller, open_prompt.who)
        run = self._top()
        if run is None or run.waiting is None or command.prompt not in run.waiting.prompts:
            raise Unfitting("prompt-suspended", "another question must be answered before this one")
        self._answer(run, command.prompt, command.option, command.inputs)
        self._settle()

    def _may_see(self, caller: Caller, who: Id | None) -> bool:
        return caller.sees(self.combat, () if who is None else (who,))

    def _not_open(self, prompt: str, caller: Caller) -> Refused:
        """Why an answer comes too late, if the caller may know."""
        asked: Prompted | None = None
        for one in self.history.recorded:
            event = one.event
            if isinstance(event, Prompted) and event.prompt == prompt:
                asked = event
        if asked is None or not self._may_see(caller, asked.who):
            return Unknown("prompt", prompt)
        for one in reversed(self.history.path):
            event = one.event
            if isinstance(event, Answered | ActionDeclared) and prompt in (
                event.prompt,
                *event.closes,
            ):
                if event.prompt == prompt:
                    answer = event.option if isinstance(event, Answered) else event.action
                    return Unfitting("prompt-closed", f"it was answered already: {answer}")
                break
        return Unfitting("prompt-closed", "the question was closed without this answer")

    def _rule(self, command: Rule) -> None:
        ruling = self.ruleset.rulings.get(command.ruling)
        if ruling is None:
            raise Unknown("ruling", command.ruling, tuple(self.ruleset.rulings))
        self._interject("ruling", ruling, "", command.inputs, command.reason)
        self._settle()

    def _interject(
        self,
        kind: Literal["action", "ruling"],
        action: Action,
        who: Id,
        raw: Mapping[str, Json],
        reason: str = "",
    ) -> None:
        """Run an action or a ruling to completion on top of what waits."""
        with pointing("/inputs"):
            inputs = read(raw, action.inputs)
        for refusal in action.refusals(Play(self.ruleset, self.combat), who, inputs):
            raise refusal
        full: Mapping[str, Json] = msgspec.to_builtins(inputs)
        if kind == "action":
            self._record(ActionDeclared(who, action.id, full))
        else:
            self._record(Ruled(action.id, full, reason))
        self._start(kind, action.id, {"who": who, "inputs": full})

    def _close(self, prompts: tuple[str, ...]) -> None:
        """Give every waiting prompt, or the named ones, its default."""
        run = self._top()
        if run is None or run.waiting is None:
            raise Unfitting("nothing-open", "no prompt is open")
        waiting = run.waiting
        for id in prompts:
            if id not in waiting.prompts:
                raise self._not_open(id, self._context.caller)
        open_now = [id for id in (prompts or tuple(waiting.prompts)) if id not in waiting.answers]
        for id in open_now:
            if waiting.prompts[id].default is None:
                raise Unfitting("no-default", f"prompt {id!r} has no default: answer it")
        for id in open_now:
            if run.waiting is waiting:
                self._default(run, id, "closed")
        self._drive(run)
        self._settle()

    def _answer(self, run: Run, id: str, name: str | None, raw: Mapping[str, Json]) -> None:
        """Check an answer against its prompt, record it, and let the procedure go on."""
        waiting = run.waiting
        assert waiting is not None
        prompt = waiting.prompts[id]
        if name is None and len(prompt.options) == 1:
            name = prompt.options[0].id
        option = find(prompt.options, name)
        if option is None:
            raise Malformed(
                "/option",
                f"{name!r} does not answer {prompt.name!r}",
                [one.id for one in prompt.options],
            )
        with pointing("/inputs"):
            inputs = read(raw, option.inputs)
            if waiting.roll is not None:
                check(waiting.roll, inputs)
        who = prompt.who or ""
        for refusal in option.refusals(run.play, who, inputs):
            raise refusal
        self._take(run, id, option.id, msgspec.to_builtins(inputs), "caller")
        self._drive(run)

    def options(self, who: Id) -> Iterator[Offer]:
        """Everything `who` might do now, legal or refused, from the checks that refuse."""
        self.combat[who]
        run = self._top()
        play = Play(self.ruleset, self.combat)
        offered: set[str] = set()
        for id, prompt in self.open_prompts().items():
            if prompt.who != who or (run and run.waiting and id in run.waiting.answers):
                continue
            for option in prompt.options:
                offered.add(option.id)
                yield offer(play, who, option, id, prompt.kind)
        for action in self.ruleset.actions.values():
            if action.id in offered:
                continue
            if action.interjection:
                yield offer(play, who, action, None, "interjection")
            else:
                refusal = self.ruleset.off_turn(self.combat, who, action.id)
                yield Offer(None, "turn", action, (), (refusal,))

    def preview(self, command: Command, context: Context) -> "tuple[Decision, Live]":
        """Decide on a copy that is thrown away; its dice are the context's, not the combat's."""
        copy = self._copy()
        return copy.decide(command, context), copy

    def as_of(self, version: int) -> "Live":
        """A copy that stands at a version of the past, for reading only; raises `Unknown`."""
        copy = self._copy()
        target = self.history.resolve(version)
        copy.history.path = self.history.path_to(target)
        copy.combat = self._state(target)
        return copy

    def _copy(self) -> "Live":
        copy = Live.__new__(Live)
        copy.__dict__.update(self.__dict__)
        copy.history = History.__new__(History)
        copy.history.recorded = list(self.history.recorded)
        copy.history.path = list(self.history.path)
        copy._runs = {}
        copy._states = OrderedDict(self._states)
        copy.revealed = set(self.revealed)
        return copy


@contextmanager
def pointing(prefix: str) -> Iterator[None]:
    """Put a prefix before the pointer of every `Malformed` that is raised inside."""
    try:
        yield
    except (Malformed, Impossible) as error:
        error.pointer = prefix + (error.pointer or "")
        raise


def read_at(raw: Json, kind: type[Any], prefix: str) -> Any:
    """Like `read`, with a prefix before the pointer."""
    with pointing(prefix):
        return read(raw, kind)
