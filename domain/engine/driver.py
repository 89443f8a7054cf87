"""Driver: runs procedures until somebody must answer, and rebuilds the waiting one.

A running procedure is only a cache: `_rebuild` feeds a fresh generator what is recorded.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import msgspec

from domain.dice import parse
from domain.engine.journal import Journal
from domain.engine.rolling import faces_prompt, fits, rolled
from domain.engine.running import Run, Waiting, find, prompted
from domain.errors import Diverged, Malformed, Refused, Unfitting
from domain.record import fairness
from domain.record.combat import Frame, Json, StandingOrder
from domain.record.events import (
    ActionDeclared,
    Answered,
    AnyEvent,
    ProcedureAbandoned,
    ProcedureBegan,
    ProcedureEnded,
    Prompted,
    Rolled,
    SeedCommitted,
    SeedRevealed,
)
from domain.record.recorded import Recorded
from domain.rulebook.effects import Ask, Effect, NoInputs, Option, Pause, Prompt, Roll
from domain.rulebook.play import Play
from domain.rulebook.ruleset import Ruleset, read

RUNAWAY = 400
"""Events of one command after which the GM is asked whether the chain goes on."""

_RUNAWAY = Prompt(
    kind="ruling",
    name="long-chain",
    who=None,
    text=f"One command has led to more than {RUNAWAY} events. Does the chain go on?",
    options=(Option("go-on", NoInputs), Option("abandon", NoInputs)),
    rules=(),
    default="abandon",
)


class Driver(Journal):
    """The journal's procedures: one runs or waits at a time, on top of those it interrupted."""

    def __init__(self, ruleset: Ruleset, recorded: Iterable[Recorded] = ()) -> None:
        super().__init__(ruleset, recorded)
        self._runs: dict[int, Run] = {}

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
            known = self.combat.commitment in self._context.secrets
            if known or (self._deciding is not None and self._deciding.seed is not None):
                self._reveal()

    def _reveal(self) -> None:
        commitment = self.combat.commitment
        if commitment in self.revealed:
            raise Unfitting("already-revealed", "the seed in use is revealed already")
        deciding = self._deciding
        assert deciding is not None
        secret = self._context.secrets.get(commitment, deciding.seed)
        if secret is None:
            raise Unfitting("seed-unknown", "the seed stayed where the combat was imported from")
        self._record(SeedRevealed(secret.hex(), commitment))

    def _lapse(self, run: Run) -> bool:
        """Give questions that have lost their sense their default; whether the run can go on."""
        waiting = run.waiting
        if waiting is None:
            return True
        self._widen(run)
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
        since = _after(self.history.path, frame.id)
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
                if isinstance(event, Prompted) and self._widen(run):
                    continue
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
            self._ask(run, Waiting(effect))
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

    def _ask(self, run: Run, waiting: Waiting) -> None:
        self._open_prompts(run, waiting, waiting.ask.prompts)
        run.waiting = waiting

    def _open_prompts(self, run: Run, waiting: Waiting, prompts: Sequence[Prompt]) -> None:
        group: list[str] = []
        asked = dict(run.play.combat.asked)
        for prompt in prompts:
            who = prompt.who or ""
            asked[who] = asked.get(who, 0) + 1
            branch = f".{self.reverts}" if self.reverts else ""
            group.append(f"{prompt.who or 'gm'}:{asked[who]}{branch}")
        whole = (*waiting.prompts, *group)
        for id, prompt in zip(group, prompts, strict=True):
            event = self._put(run, prompted(id, prompt, whole, waiting.ask))
            waiting.prompts[event.prompt] = prompt

    def _widen(self, run: Run) -> bool:
        """Ask those as well who have come to be asked since; whether there were any."""
        waiting = run.waiting
        if waiting is None or waiting.ask.more is None:
            return False
        asked = {prompt.who for prompt in waiting.prompts.values()}
        late = [one for one in waiting.ask.more(run.play.combat) if one.who not in asked]
        self._open_prompts(run, waiting, late)
        return bool(late)

    def _roll(self, run: Run, effect: Roll) -> None:
        sides = parse(effect.formula).dice
        if run.script is not None:
            event = run.peek()
            if isinstance(event, Prompted):
                self._ask(run, Waiting(Ask((faces_prompt(effect),)), roll=effect))
                return
            if not isinstance(event, Rolled):
                raise Diverged(f"a roll was due, not {event!r}")
            run.value = run.expect(rolled(effect, event.faces, event.by, event.key, event.ordinal))
            return
        for forced in self.combat.forced:
            if (forced.who, forced.purpose) == (effect.who, effect.purpose) and fits(
                effect, forced.faces
            ):
                run.value = self._put(run, rolled(effect, forced.faces, "gm"))
                return
        owner = None if effect.by_gm else self.combat[effect.who].owner
        settings = self.combat.dice
        if sides and (settings.gm if owner is None else settings.players) == "manual":
            self._ask(run, Waiting(Ask((faces_prompt(effect),)), roll=effect))
            return
        deciding = self._deciding
        assert deciding is not None
        if self.combat.commitment not in self._context.secrets and deciding.seed is None:
            # Imported: the secret stayed where the combat came from.
            deciding.seed = self._context.spare
            self._record(SeedCommitted(fairness.commitment(deciding.seed)))
            run.play.combat = self.combat
        deciding.ordinal += 1
        key = fairness.Key(deciding.key, effect.purpose, deciding.ordinal)
        secrets = self._context.secrets
        commitment = self.combat.commitment
        seed = secrets.get(commitment, deciding.seed)
        assert seed is not None
        salts = [f"{by}={salt}" for by, salt in sorted(self.combat.salts.items())]
        faces = fairness.faces(seed, salts, key, [abs(die) for die in sides])
        run.value = self._put(run, rolled(effect, faces, "server", deciding.key, deciding.ordinal))

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
            self._ask(run, Waiting(Ask((_RUNAWAY,)), runaway=True, held=run.value))
            run.value = None
        return stop

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
        settled = (waiting.ask.wait == "any" and by != "lapsed") or not missing
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

    def open_prompts(self) -> Mapping[str, Prompt]:
        """The prompts that can be answered now, by id, with their options."""
        run = self._top()
        return {} if run is None or run.waiting is None else run.waiting.prompts


def _after(path: list[Recorded], version: int) -> list[Recorded]:
    """The events of the path after `version`, in order."""
    index = len(path)
    while index and path[index - 1].version > version:
        index -= 1
    return path[index:]
