"""Live: one combat in memory. Decides commands, drives procedures, stops where somebody must answer.

Knows no rulebook. Everything here can be thrown away at any moment: the events are the truth, and
a waiting procedure is rebuilt from them (`_rebuild`). What is refused leaves no trace.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from domain import fairness
from domain.audience import audience_of
from domain.codec import Recorded, chain_hash, decode, encode, needs_salt
from domain.combat import Combat, Frame, Id, Json, StandingOrder
from domain.commands import (
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
from domain.dice import BadFaces, check_faces, parse
from domain.effects import Ask, Effect, Option, Pause, Prompt, Roll
from domain.errors import Diverged, Forbidden, Illegal, Malformed, Refused, Unfitting, Unknown
from domain.events import (
    ActionDeclared,
    Answered,
    AnyEvent,
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
    ProcedureAbandoned,
    ProcedureBegan,
    ProcedureEnded,
    Prompted,
    Resumed,
    Reverted,
    Rolled,
    Ruled,
    SaltAdded,
    SeedCommitted,
    SeedRevealed,
    StandingOrdersSet,
)
from domain.evolve import evolve, fold
from domain.history import History
from domain.play import Play
from domain.ruleset import Action, Role, Ruleset, read, square
from domain.running import Run, Waiting, find, prompted

RUNAWAY = 400
"""Events of one command after which the GM is asked whether the chain goes on."""

REMEMBERED = 256
"""States of command boundaries that are kept, so that undo need not fold."""


@dataclass(frozen=True)
class Caller:
    """Who asks: a token's id and role, the combatants it may play, by id or by owner's label."""

    token: str
    role: Role
    combatants: tuple[Id, ...] = ()
    owner: str | None = None

    def plays(self, combat: Combat, who: Id | None) -> bool:
        """Whether this caller may act and answer for `who` (None = the GM)."""
        if self.role == "gm":
            return True
        if self.role != "player" or who is None:
            return False
        if who in self.combatants:
            return True
        found = combat.combatants.get(who)
        return found is not None and found.owner is not None and found.owner == self.owner

    def sees(self, combat: Combat, audience: tuple[Id, ...] | None) -> bool:
        """Whether a fact for `audience` is for this caller."""
        return (
            audience is None
            or self.role == "gm"
            or any(self.plays(combat, who) for who in audience)
        )


@dataclass(frozen=True)
class Context:
    """What a command needs from outside, so that deciding stays pure.

    `combat` and `command` are ids, `now` is RFC 3339 in UTC. `secrets` are the combat's seeds by commitment; `spare` is a seed never used before, for the
    opening and for an undo behind a revealed seed. `salt` blinds the digests of free texts.
    """

    combat: str
    caller: Caller
    command: str
    now: str
    secrets: Mapping[str, bytes]
    spare: bytes
    salt: str


@dataclass(frozen=True)
class Decision:
    """New events with their stored bytes; `seed` is the spare when it came into use."""

    recorded: tuple[Recorded, ...]
    states: tuple[bytes, ...]
    seed: bytes | None = None


@dataclass
class _Deciding:
    """The command that is being decided."""

    context: Context
    input: Mapping[str, Json]
    first: int
    key: str
    ordinal: int = 0
    states: list[bytes] = field(default_factory=list)
    seed: bytes | None = None


class Faces(Struct, frozen=True, forbid_unknown_fields=True):
    """The faces of physical or 3-D dice, in the order of the formula."""

    faces: Annotated[tuple[int, ...], Meta(max_length=100)]


class RunawayChoice(Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing to add."""


_RUNAWAY = Prompt(
    kind="ruling",
    name="long-chain",
    who=None,
    text=f"One command has led to more than {RUNAWAY} events. Does the chain go on?",
    options=(Option("go-on", RunawayChoice), Option("abandon", RunawayChoice)),
    rules=(),
    default="abandon",
)


@dataclass(frozen=True)
class Offer:
    """What `options` says about one option.

    `legal` are inputs that would be accepted now; `refusals` every reason when there are none.
    `prompt` None = an interjection.
    """

    prompt: str | None
    kind: str
    option: Option
    legal: tuple[Mapping[str, Json], ...]
    refusals: tuple[Illegal, ...]


class Live:
    """One combat, its history, and its running procedures."""

    def __init__(self, ruleset: Ruleset, recorded: Iterable[Recorded] = ()) -> None:
        self.ruleset = ruleset
        self.history = History(recorded)
        self.combat = fold(one.event for one in self.history.path)
        self._runs: dict[int, Run] = {}
        self._states: OrderedDict[int, Combat] = OrderedDict()
        self._deciding: _Deciding | None = None
        last = self.history.recorded[-1] if self.history.recorded else None
        self.digest = "" if last is None else chain_hash(last)
        self.reverts = 0
        self.revealed: set[str] = set()
        for one in self.history.recorded:
            if isinstance(one.event, Reverted):
                self.reverts += 1
            elif isinstance(one.event, SeedRevealed):
                self.revealed.add(one.event.commitment)

    @property
    def version(self) -> int:
        """Of the newest event."""
        return self.history.version

    def at(self, version: int) -> Combat:
        """The state that was the present after `version` was recorded; raises `Unknown`."""
        return self._state(self.history.resolve(version))

    # ---- deciding

    def decide(self, command: Command, context: Context) -> Decision:
        """Do what the command asks, or raise `Refused` and leave everything as it was."""
        before = (self.history.version, self.combat, self.digest, self.reverts, set(self.revealed))
        raw: Mapping[str, Json] = msgspec.to_builtins(command)
        deciding = _Deciding(context, raw, self.version + 1, self._dice_key(raw))
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
                self._admit(joining.sheet, joining.id, joining.hidden)
                self._settle()
            case Change():
                self._change(command)
            case Leave(who=who):
                self.combat[who]
                self._record(CombatantLeft(who))
                self._settle()
            case SetMap(map=map):
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
                target = self.history.resolve(version)
                if target == self.history.head:
                    raise Unfitting("already-there", f"version {version} is the present")
                self._revert(target, "goto", reason)

    @property
    def _context(self) -> Context:
        assert self._deciding is not None
        return self._deciding.context

    @staticmethod
    def _require_gm(caller: Caller) -> None:
        if caller.role != "gm":
            raise Forbidden(f"only the GM may do this, not a {caller.role}")

    def _require_plays(self, caller: Caller, who: Id | None) -> None:
        if not caller.plays(self.combat, who):
            raise Forbidden(f"this token does not play {who or 'the GM'}")

    def _record(self, event: AnyEvent, frame: int = 0) -> Any:
        """Append one fact. What is folded is what would be read back, to the byte."""
        deciding, context = self._deciding, self._context
        assert deciding is not None
        version = self.history.version + 1
        first = version == deciding.first
        draft = Recorded(
            version,
            self.history.head,
            context.now,
            context.command,
            (context.caller.token, context.caller.role),
            event,
            self.digest,
            audience_of(self.combat, event),
            frame,
            deciding.input if first else None,
            context.salt if first or needs_salt(event) else "",
        )
        state = encode(draft)
        recorded = decode(state)
        deciding.states.append(state)
        self.history.append(recorded)
        self.digest = chain_hash(recorded, state)
        if isinstance(recorded.event, Reverted):
            self.reverts += 1
            self.combat = self._state(recorded.event.to)
        else:
            self.combat = evolve(self.combat, recorded.event)
            if isinstance(recorded.event, SeedRevealed):
                self.revealed.add(recorded.event.commitment)
        return recorded.event

    # ---- setting up

    def _open(self, command: Open) -> None:
        if self.version:
            raise Unfitting("already-open", "this combat is open already")
        options = msgspec.to_builtins(read_at(command.options, self.ruleset.options, "/options"))
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

    def _admit(self, sheet: Mapping[str, Json], id: Id | None, hidden: bool) -> None:
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

    def _reveal(self) -> None:
        commitment = self.combat.commitment
        if commitment in self.revealed:
            raise Unfitting("already-revealed", "the seed in use is revealed already")
        secret = self._context.secrets[commitment]
        self._record(SeedRevealed(secret.hex(), commitment))

    def _revert(self, to: int, kind: Literal["undo", "redo", "goto"], reason: str) -> None:
        """Make the state at `to` the present; dice whose seed is known are replaced."""
        self._runs.clear()
        self._record(Reverted(to, kind, reason))
        if self.combat.commitment in self.revealed and self.combat.seed is None:
            deciding = self._deciding
            assert deciding is not None
            deciding.seed = self._context.spare
            self._record(SeedCommitted(fairness.commitment(self._context.spare)))

    # ---- playing

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
        elif combat.status == "ended":
            raise Unfitting("combat-ended", "the combat has ended")
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

    # ---- answers

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
                _check(waiting.roll, inputs)
        who = prompt.who or ""
        for refusal in option.refusals(run.play, who, inputs):
            raise refusal
        self._take(run, id, option.id, msgspec.to_builtins(inputs), "caller")
        self._drive(run)

    def _take(
        self,
        run: Run,
        id: str,
        option: str,
        inputs: Mapping[str, Json],
        by: Literal["caller", "standing-order", "default", "lapsed", "closed"],
    ) -> None:
        """Record an answer. The last of a group, or the first where one is enough, closes it."""
        waiting = run.waiting
        assert waiting is not None
        prompt = waiting.prompts[id]
        missing = [one for one in waiting.prompts if one not in waiting.answers and one != id]
        settled = (waiting.wait == "any" and by != "lapsed") or not missing
        closes = tuple(waiting.prompts) if settled else ()
        event: AnyEvent
        if prompt.who is not None and prompt.kind in ("turn", "declare") and by == "caller":
            event = ActionDeclared(prompt.who, option, inputs, id, closes, rules=prompt.rules)
        else:
            event = Answered(id, prompt.who, option, inputs, by, closes, rules=prompt.rules)
        run.take(self._put(run, event))

    def _default(self, run: Run, id: str, by: Literal["default", "lapsed", "closed"]) -> None:
        waiting = run.waiting
        assert waiting is not None
        default = waiting.prompts[id].default
        assert default is not None
        self._take(run, id, default, {}, by)

    def _by_itself(self, run: Run) -> None:
        """Answer what standing orders, or the option `rulings: default`, answer."""
        waiting = run.waiting
        if waiting is None or waiting.roll is not None or waiting.runaway:
            return
        for id, prompt in waiting.prompts.items():
            if run.waiting is not waiting:
                return
            if prompt.who is None:
                defaults = self.combat.options.get("rulings") == "default"
                if defaults and prompt.default is not None:
                    self._default(run, id, "default")
                continue
            order = self._order(prompt)
            if order is None:
                continue
            option = find(prompt.options, order.option)
            if option is None:
                continue
            try:
                inputs = read(order.inputs, option.inputs)
            except Malformed:
                continue  # the order does not fit this prompt: its owner is asked
            if next(option.refusals(run.play, prompt.who, inputs), None) is None:
                full = msgspec.to_builtins(inputs)
                self._take(run, id, option.id, full, "standing-order")

    def _order(self, prompt: Prompt) -> StandingOrder | None:
        """The first standing order that is about this prompt; "ask" hides the later ones."""
        assert prompt.who is not None
        involved = [prompt.data.get(role) for role in ("mover", "attacker", "target")]
        for order in self.combat[prompt.who].orders:
            if order.prompt != prompt.name:
                continue
            if order.until_round is not None and self.combat.round > order.until_round:
                continue
            if order.against is not None and order.against not in involved:
                continue
            return None if order.option == "ask" else order
        return None

    # ---- driving

    def _settle(self) -> None:
        """Run whatever may run now, until somebody must answer or the flow waits for the GM."""
        while True:
            run = self._top()
            if run is not None:
                if not self._lapse(run):
                    break
                self._drive(run)
            elif self.combat.status == "ended" or self.combat.stalled is not None:
                break
            else:
                step = self.ruleset.flow(self.combat)
                if step is None:
                    break
                self._start("flow", step.procedure, step.args)
        if self.combat.status == "ended" and self.combat.commitment not in self.revealed:
            self._reveal()

    def _lapse(self, run: Run) -> bool:
        """Give questions that have lost their sense their default; whether the run can go on."""
        waiting = run.waiting
        if waiting is None:
            return True
        for id, prompt in waiting.prompts.items():
            if run.waiting is not waiting:
                break
            if id in waiting.answers or prompt.default is None:
                continue
            gone = prompt.who is not None and self.combat.combatants[prompt.who].left
            if gone or (prompt.stands is not None and not prompt.stands(self.combat)):
                self._default(run, id, "lapsed")
        return run.waiting is None

    def _start(
        self, kind: Literal["flow", "action", "ruling"], procedure: str, args: Mapping[str, Json]
    ) -> None:
        version = self.history.version + 1
        self._record(ProcedureBegan(version, kind, procedure, args))
        self._remember(version)
        frame = self.combat.frames[-1]
        run = Run(frame, Play(self.ruleset, self.combat))
        self._runs[frame.id] = run
        self._drive(run)

    def _top(self) -> Run | None:
        """The procedure that runs or waits now, rebuilt when it is not in memory."""
        if not self.combat.frames:
            return None
        frame = self.combat.frames[-1]
        run = self._runs.get(frame.id)
        if run is None:
            try:
                run = self._rebuild(frame)
            except (Diverged, Refused) as error:
                if self._deciding is None:
                    return None
                self._record(ProcedureAbandoned(frame.id, f"the rules have changed: {error}"))
                return self._top()
            self._runs[frame.id] = run
        run.play.combat = self.combat
        return run

    def _rebuild(self, frame: Frame) -> Run:
        """Feed a fresh generator what is recorded since its beginning."""
        since = [one for one in reversed_until(self.history.path, frame.id)]
        run = Run(frame, Play(self.ruleset, self._state(frame.id)), since)
        self._drive(run)
        if run.peek() is not None or run.waiting is None:
            raise Diverged(f"{frame.procedure} stops elsewhere than recorded")
        run.script = None
        return run

    def _drive(self, run: Run) -> None:
        """Let the procedure go on until it waits or ends."""
        while True:
            if run.waiting is not None:
                if run.script is None:
                    return
                event = run.peek()
                if event is None:
                    return
                if not isinstance(event, Answered | ActionDeclared):
                    raise Diverged(f"an answer was due, not {event!r}")
                run.take(run.expect(event))  # type: ignore[arg-type]
                continue
            if run.settled is not None and not self._settled(run, run.settled):
                return
            if self._runaway(run):
                continue
            value, run.value = run.value, None
            try:
                effect = run.generator.send(value)
            except StopIteration:
                if run.script is not None:
                    raise Diverged("it ends where it waited before") from None
                self._record(ProcedureEnded(run.frame.id))
                del self._runs[run.frame.id]
                return
            self._perform(run, effect)

    def _settled(self, run: Run, waiting: Waiting) -> bool:
        """Make the answers of the engine's own questions into what the procedure gets."""
        run.settled = None
        if waiting.roll is not None:
            (answer,) = run.value
            run.value = self._put(run, rolled(waiting.roll, answer.inputs.faces, "manual"))
        elif waiting.runaway:
            (answer,) = run.value
            run.value = waiting.held
            if answer.option == "abandon":
                if run.script is None:
                    reason = "the GM stopped a chain that did not end"
                    self._record(ProcedureAbandoned(run.frame.id, reason))
                    self._runs.pop(run.frame.id, None)
                return False
        return True

    def _perform(self, run: Run, effect: Effect) -> None:
        if isinstance(effect, Roll):
            self._roll(run, effect)
        elif isinstance(effect, Ask):
            self._ask(run, effect, Waiting({}, effect.wait, effect.sealed))
            if run.script is None:
                self._by_itself(run)
        elif isinstance(effect, Pause):
            pass  # alone, a procedure waits for nobody
        else:
            self._put(run, effect)

    def _put(self, run: Run, event: AnyEvent) -> Any:
        """Record a procedure's event, or take it from the script."""
        if run.script is not None:
            return run.expect(event)
        recorded = self._record(event, run.frame.id)
        run.play.combat = self.combat
        return recorded

    def _ask(self, run: Run, ask: Ask, waiting: Waiting) -> None:
        group: list[str] = []
        asked = dict(run.play.combat.asked)
        for prompt in ask.prompts:
            who = prompt.who or ""
            asked[who] = asked.get(who, 0) + 1
            branch = f".{self.reverts}" if self.reverts else ""
            group.append(f"{prompt.who or 'gm'}:{asked[who]}{branch}")
        for id, prompt in zip(group, ask.prompts, strict=True):
            event = self._put(run, prompted(id, prompt, tuple(group), ask))
            waiting.prompts[event.prompt] = prompt
        run.waiting = waiting

    def _roll(self, run: Run, effect: Roll) -> None:
        sides = parse(effect.formula).dice
        if run.script is not None:
            event = run.peek()
            if isinstance(event, Prompted):
                self._ask_faces(run, effect)
                return
            if not isinstance(event, Rolled):
                raise Diverged(f"a roll was due, not {event!r}")
            run.value = run.expect(rolled(effect, event.faces, event.by, event.key, event.ordinal))
            return
        for forced in self.combat.forced:
            if (forced.who, forced.purpose) == (effect.who, effect.purpose) and _fits(
                effect, forced.faces
            ):
                run.value = self._put(run, rolled(effect, forced.faces, "gm"))
                return
        owner = self.combat[effect.who].owner
        settings = self.combat.dice
        if sides and (settings.gm if owner is None else settings.players) == "manual":
            self._ask_faces(run, effect)
            return
        deciding = self._deciding
        assert deciding is not None
        deciding.ordinal += 1
        key = fairness.Key(deciding.key, effect.purpose, deciding.ordinal)
        secrets = self._context.secrets
        commitment = self.combat.commitment
        seed = secrets.get(commitment, deciding.seed)
        assert seed is not None
        salts = [f"{by}={salt}" for by, salt in sorted(self.combat.salts.items())]
        faces = fairness.faces(seed, salts, key, [abs(die) for die in sides])
        run.value = self._put(run, rolled(effect, faces, "server", deciding.key, deciding.ordinal))

    def _ask_faces(self, run: Run, effect: Roll) -> None:
        dice = [abs(die) for die in parse(effect.formula).dice]
        data: dict[str, Json] = {
            "purpose": effect.purpose,
            "formula": effect.formula,
            "dice": dice,
            "terms": [[term.source, term.value] for term in effect.terms],
        }
        prompt = Prompt(
            kind="roll",
            name=effect.purpose,
            who=effect.who,
            text=f"{effect.who} rolls {effect.formula} ({effect.purpose})",
            options=(Option("roll", Faces),),
            rules=effect.rules,
            data=data,
        )
        self._ask(run, Ask((prompt,)), Waiting({}, roll=effect))

    def _runaway(self, run: Run) -> bool:
        """Stop at a GM prompt when one command makes too many events; whether it stopped."""
        if run.script is not None:
            event = run.peek()
            stop = isinstance(event, Prompted) and event.name == _RUNAWAY.name
        else:
            deciding = self._deciding
            assert deciding is not None
            stop = len(deciding.states) >= RUNAWAY
        if stop:
            self._ask(run, Ask((_RUNAWAY,)), Waiting({}, runaway=True, held=run.value))
            run.value = None
        return stop

    # ---- states of the past

    def _remember(self, version: int) -> None:
        self._states[version] = self.combat
        if len(self._states) > REMEMBERED:
            self._states.popitem(last=False)

    def _state(self, version: int) -> Combat:
        """The state at a version of the tree, folded from the nearest one that is remembered."""
        path = self.history.path_to(version)
        after: list[AnyEvent] = []
        state = Combat()
        for one in reversed(path):
            found = self._states.get(one.version)
            if found is not None:
                state = found
                break
            after.append(one.event)
        return fold(reversed(after), state)

    # ---- asking what could be done

    def open_prompts(self) -> Mapping[str, Prompt]:
        """The prompts that can be answered now, by id, with their options."""
        run = self._top()
        return {} if run is None or run.waiting is None else run.waiting.prompts

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
        copy = Live.__new__(Live)
        copy.__dict__.update(self.__dict__)
        copy.history = History.__new__(History)
        copy.history.recorded = list(self.history.recorded)
        copy.history.path = list(self.history.path)
        copy._runs = {}
        copy._states = OrderedDict(self._states)
        copy.revealed = set(self.revealed)
        return copy.decide(command, context), copy


def reversed_until(path: list[Recorded], version: int) -> list[Recorded]:
    """The events of the path after `version`, in order."""
    index = len(path)
    while index and path[index - 1].version > version:
        index -= 1
    return path[index:]


EXAMPLES = 24
"""Legal inputs that `options` lists for one option."""

TRIED = 400
"""Candidates that `options` tries for one option."""


def offer(play: Play, who: Id, option: Option, prompt: str | None, kind: str) -> Offer:
    """Try the option's candidates with the checks that refuse."""
    legal: list[Mapping[str, Json]] = []
    refusals: dict[tuple[str, str], Illegal] = {}
    for tried, raw in enumerate(option.candidates(play, who)):
        if tried == TRIED or len(legal) == EXAMPLES:
            break
        against = list(option.refusals(play, who, read(raw, option.inputs)))
        if against:
            for refusal in against:
                refusals.setdefault((refusal.rule, refusal.code), refusal)
        else:
            legal.append(raw)
    return Offer(prompt, kind, option, tuple(legal), () if legal else tuple(refusals.values()))


def rolled(
    effect: Roll,
    faces: tuple[int, ...],
    by: Literal["server", "manual", "gm"],
    key: str = "",
    ordinal: int = 0,
) -> Rolled:
    """The event of a roll: the sum and the word for its outcome."""
    total = parse(effect.formula).total(faces) + sum(term.value for term in effect.terms)
    return Rolled(
        effect.who,
        effect.purpose,
        effect.formula,
        tuple(faces),
        total,
        effect.terms,
        effect.target,
        effect.against,
        effect.judge(faces, total),
        key,
        ordinal,
        by,
        effect.secret,
        rules=effect.rules,
    )


def _fits(effect: Roll, faces: tuple[int, ...]) -> bool:
    try:
        check_faces(parse(effect.formula), faces)
    except BadFaces:
        return False
    return True


def _check(effect: Roll, inputs: Faces) -> None:
    try:
        check_faces(parse(effect.formula), inputs.faces)
    except BadFaces as error:
        raise Malformed("/faces", str(error)) from None


class pointing:
    """Put a prefix before the pointer of every `Malformed` that is raised inside."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Malformed):
            error.pointer = self.prefix + error.pointer


def read_at(raw: Json, kind: type[Any], prefix: str) -> Any:
    """Like `read`, with a prefix before the pointer."""
    with pointing(prefix):
        return read(raw, kind)


__all__ = ["Caller", "Context", "Decision", "Live", "Offer", "square"]
