"""Executor: the source that records new facts on the draft of a command.

It rolls dice, applies standing orders, and records consequences.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Final, Literal

import msgspec

from domain.dice import parse_roll
from domain.engine import abandonment
from domain.engine.caller import Caller
from domain.engine.draft import Draft
from domain.engine.frames import new_run, rebuild
from domain.engine.redaction import redact
from domain.engine.refusals import refusals
from domain.engine.rolls import faces_prompt, fits, rolled
from domain.engine.run import Run, Waiting
from domain.engine.sources import BEFALLS, REQUESTS, RUNAWAY, Source, comes_too_late
from domain.errors import Diverged, Illegal, Malformed, Refused, Unfitting, Unknown
from domain.record import fairness
from domain.record.combat import Combat, Frame, Id, Json, StandingOrder
from domain.record.events import (
    ActionDeclared,
    Answered,
    AnyEvent,
    CombatantJoined,
    Event,
    Prevented,
    ProcedureAbandoned,
    ProcedureBegan,
    ProcedureEnded,
    PromptChanged,
    Prompted,
    Rolled,
    RollForced,
    SeedCommitted,
    SeedRevealed,
    StillAsked,
)
from domain.rulebook.effects import Admit, Numbers, Roll
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option
from domain.rulebook.ruleset import Step, read

FOLLOWING = 500
"""The largest number of consequences of one change. It stops an endless chain in a rulebook."""

UNCHANGING: Final = frozenset(
    (
        ActionDeclared, Answered, ProcedureBegan, ProcedureEnded, PromptChanged, Prompted, Rolled,
        StillAsked,
    )
)  # fmt: skip
"""Events that have no further consequences."""

By = Literal["caller", "standing-order", "default", "lapsed", "closed"]

Because = Literal["", "time", "left", "moot"]
"""The reason why a prompt lapsed (see `Answered`)."""


class Executor(Source):
    """The running procedures of a draft."""

    def __init__(self, draft: Draft, runs: dict[int, Run]) -> None:
        self.draft = draft
        self.runs = runs

    # ---- procedures

    def settle(self) -> None:
        """Run all procedures that can run, until a prompt is open or the flow waits for the GM."""
        draft = self.draft
        while True:
            run = self.top()
            if run is not None:
                if run.waiting is not None and run.play.over and not run.play.aftermath:
                    self.drop()
                elif not self._may_go_on(run):
                    break
                else:
                    self.drive(run)
            elif draft.combat.status == "ended" or draft.combat.stalled is not None:
                break
            else:
                step = draft.ruleset.flow(draft.combat)
                if step is None:
                    break
                self.start("flow", step.procedure, step.args)
        if draft.combat.status == "ended":
            with suppress(Unfitting):  # already revealed, or known only to the original combat
                self.reveal()

    def start(
        self, kind: Literal["flow", "action", "ruling"], procedure: str, args: Mapping[str, Json]
    ) -> None:
        """Begin a procedure above any waiting procedure, and run it."""
        self.draft.record(ProcedureBegan(self.draft.version + 1, kind, procedure, args))
        self.draft.remember()
        frame = self.draft.combat.frames[-1]
        run = self.runs[frame.id] = new_run(self.draft, frame, self.draft.combat)
        self.drive(run)

    def drive(self, run: Run) -> None:
        """Run a procedure until it waits, ends or is interrupted."""
        draft, own = self.draft, run.frame.id
        while (frames := draft.combat.frames) and frames[-1].id == own and run.waiting is None:
            if run.settled is not None and not self.take_settled(run):
                return
            if len(draft.states) >= RUNAWAY and not run.lapsing:  # finish a lapse first
                self.ask_about_chain(run)
                continue
            value, run.value = run.value, None
            try:
                effect: Any = run.generator.send(value)
            except StopIteration:
                draft.record(ProcedureEnded(own))
                del self.runs[own]
                return
            kind = type(effect)
            if kind in REQUESTS:
                self.perform(run, effect)
            elif kind not in BEFALLS or not comes_too_late(run, effect):
                self.put(run, effect)

    def top(self) -> Run | None:
        """Return the procedure that runs or waits now. Rebuild it if it is not in memory.

        Abandon procedures that new rules no longer match, and ask the GM to continue.
        """
        lost: list[Frame] = []
        reason = ""
        while self.draft.combat.frames:
            frame = self.draft.combat.frames[-1]
            run = self.runs.get(frame.id)
            if run is None:
                try:
                    run = self.runs[frame.id] = rebuild(self.draft, frame)
                except (Diverged, Refused) as error:
                    reason = f"the rules have changed: {error}"
                    self.draft.record(ProcedureAbandoned(frame.id, reason))
                    lost.append(frame)
                    continue
            if lost:
                break
            run.play.combat = self.draft.combat
            run.asked = self.draft.asked
            return run
        if lost:
            self.start("flow", abandonment.NAME, abandonment.arguments(lost, reason))
            return self.runs[self.draft.combat.frames[-1].id]
        return None

    def drop(self) -> None:
        """Drop all procedures that run or wait, for the end of a combat."""
        self.draft.record(ProcedureEnded(self.draft.combat.frames[0].id))
        self.runs.clear()

    def record(self, event: AnyEvent, frame: int = 0) -> Any:
        """Append a fact and its consequences."""
        recorded = self.draft.record(event, frame)
        if type(event) not in UNCHANGING:
            self._follow(recorded)
        return recorded

    def _follow(self, cause: AnyEvent) -> None:
        """Apply consequences until none remain."""
        draft = self.draft
        for _ in range(FOLLOWING):
            follows = next(draft.ruleset.consequences(draft.combat, cause, draft.settled), None)
            if follows is None:
                draft.settled = draft.combat
                return
            if isinstance(follows, Step):
                self.start("flow", follows.procedure, follows.args)
            else:
                for event in follows if isinstance(follows, tuple) else (follows,):
                    draft.record(event)
        frames = self.draft.combat.frames
        if frames:
            reason = "the consequences of a change did not come to an end"
            self.draft.record(ProcedureAbandoned(frames[0].id, reason))

    def reveal(self) -> None:
        """Reveal the seed in use. Raise `Unfitting` if that is impossible."""
        draft = self.draft
        commitment = draft.combat.commitment
        if commitment in draft.revealed:
            raise Unfitting("already-revealed", "the seed in use is revealed already")
        secret = draft.context.secrets.get(commitment, draft.seed)
        if secret is None:
            raise Unfitting("seed-unknown", "the seed stayed where the combat was imported from")
        self.record(SeedRevealed(secret.hex(), commitment))

    def admit_now(
        self, sheet: Mapping[str, Json], id: Id | None, hidden: bool, frame: int = 0
    ) -> CombatantJoined:
        """Let a combatant join, with everything that the rulebook adds."""
        ruleset = self.draft.ruleset
        joined: CombatantJoined = self.record(
            ruleset.admit(self.draft.combat, sheet, id=id, hidden=hidden), frame
        )
        play = Play(ruleset, self.draft.combat)
        for follows in ruleset.arrival(play, joined.who):
            assert isinstance(follows, Event), "an arrival asks nothing"
            self.record(follows)
            play.combat = self.draft.combat
        return joined

    # ---- effects of a procedure (see `sources.Source`)

    def put(self, run: Run, event: AnyEvent) -> Any:
        recorded = self.draft.record(event, run.frame.id)
        if type(event) not in UNCHANGING:
            self._follow(recorded)
        run.play.combat = self.draft.combat
        return recorded

    def put_together(self, run: Run, events: tuple[AnyEvent, ...]) -> None:
        for event in events:
            recorded = self.draft.record(event, run.frame.id)
        if events:
            self._follow(recorded)
        run.play.combat = self.draft.combat

    def admit(self, run: Run, effect: Admit) -> CombatantJoined:
        joined = self.admit_now(effect.sheet, None, effect.hidden, run.frame.id)
        run.play.combat = self.draft.combat
        return joined

    def given_up(self, run: Run) -> None:
        reason = "the GM stopped a chain that did not end"
        self.draft.record(ProcedureAbandoned(run.frame.id, reason))
        self.runs.pop(run.frame.id, None)

    def roll(self, run: Run, effect: Roll) -> Rolled | None:
        draft = self.draft
        combat = draft.combat
        numbers = effect.numbers()
        event: Rolled
        for forced in combat.forced:
            if (forced.who, forced.purpose) != (effect.who, effect.purpose):
                continue
            if fits(numbers, forced.faces):
                event = self.put(run, rolled(effect, numbers, forced.faces, "gm"))
                return event
            self.record(RollForced(effect.who, effect.purpose, forced.faces, numbers.formula))
            run.play.combat = combat = draft.combat
        sides = parse_roll(numbers.formula).dice
        owner = None if effect.by_gm else combat[effect.who].owner
        by = combat.dice.gm if owner is None else combat.dice.players
        if sides and by == "manual":
            return None
        return self.fall(run, effect, numbers)

    def fall(self, run: Run, effect: Roll, numbers: Numbers) -> Rolled:
        """Return the roll, with faces that the service derives."""
        draft = self.draft
        combat, context = draft.combat, draft.context
        event: Rolled
        if combat.commitment not in context.secrets and draft.seed is None:
            # An imported combat leaves its secret seed at the service that exported it.
            draft.commit_to(context.spare, SeedCommitted(fairness.commitment(context.spare)))
            run.play.combat = combat = draft.combat
        key = draft.next_key(effect.purpose)
        seed = context.secrets.get(combat.commitment, draft.seed)
        assert seed is not None
        salts = [f"{by}={salt}" for by, salt in sorted(combat.salts.items())]
        sides = [abs(die) for die in parse_roll(numbers.formula).dice]
        faces = fairness.faces(seed, salts, key, sides)
        event = self.put(run, rolled(effect, numbers, faces, "server", key.command, key.ordinal))
        return event

    def thrown(self, run: Run, waiting: Waiting, faces: tuple[int, ...] | None) -> Rolled:
        assert waiting.roll is not None
        if faces is None:
            return self.fall(run, waiting.roll, waiting.roll.numbers())
        made = rolled(waiting.roll, waiting.roll.numbers(), faces, "manual")
        event: Rolled = self.put(run, made)
        return event

    def asked(self, run: Run, prompts: Iterable[str]) -> None:
        """Answer new prompts by standing orders, or by the option `rulings: default`."""
        waiting = run.waiting
        assert waiting is not None
        for id in prompts:
            if run.waiting is not waiting:
                return
            prompt = waiting.prompts[id]
            if prompt.who is None:
                defaults = self.draft.combat.options.get("rulings") == "default"
                if defaults and prompt.default is not None:
                    self.default(run, id, "default")
                continue
            combatant = self.draft.combat[prompt.who]
            if all(order.prompt != prompt.name for order in combatant.orders):
                continue
            # An order sees only what its owner may know.
            owner = Caller("", "player", (combatant.id,), combatant.owner)
            known = Play(run.play.ruleset, redact(self.draft.ruleset, self.draft.combat, owner))
            order = _order(known.combat, prompt.who, id)
            option = None if order is None else prompt.option(order.option)
            if order is None or option is None:
                continue
            try:
                inputs = read(order.inputs, option.inputs)
                refusal = next(refusals(known, prompt.who, option, inputs, run.play), None)
            except (Malformed, Unknown):
                continue  # the order does not fit this prompt, so the player must answer
            if refusal is not None:
                continue
            stop = next(option.refusals(run.play, prompt.who, inputs), None)
            if stop is None:
                full = msgspec.to_builtins(inputs)
                self.take(run, id, option.id, full, "standing-order")
            else:
                self.stopped(run, id, option, inputs, stop, "standing-order")

    def stopped(
        self, run: Run, id: str, option: Option, inputs: Any, stop: Illegal, by: By
    ) -> bool:
        """Record that an answer fails for a reason that the player cannot know.

        Return true if the failed answer closes the prompt. An open prompt would let the player
        search for hidden combatants at no cost.
        """
        assert run.waiting is not None
        prompt = run.waiting.prompts[id]
        self.prevented(prompt.who or "", option, inputs, stop)
        is_over = prompt.kind == "choice" and prompt.default is not None
        if is_over:
            self.default(run, id, by)
        return is_over

    def prevented(self, who: Id, option: Option, inputs: Any, stop: Illegal) -> None:
        """Record that the choice of `who` cannot begin."""
        rules = (stop.rule,) if stop.rule else ()
        full: Mapping[str, Json] = msgspec.to_builtins(inputs)
        self.record(Prevented(who, option.id, full, stop.code, stop.detail, rules=rules))

    # ---- answers

    def take(
        self,
        run: Run,
        id: str,
        option: str,
        inputs: Mapping[str, Json],
        by: By,
        because: Because = "",
    ) -> None:
        """Record an answer.

        The last answer closes a group of prompts. In an any-of group, the first answer closes it.
        """
        waiting = run.waiting
        assert waiting is not None
        prompt = waiting.prompts[id]
        closes = self.settled_by(waiting, id, by)
        event: AnyEvent
        if prompt.who is not None and prompt.kind in ("turn", "declare") and by == "caller":
            event = ActionDeclared(prompt.who, option, inputs, id, closes, rules=prompt.rules)
        else:
            event = Answered(
                id, prompt.who, option, inputs, by, closes, because, rules=prompt.rules
            )
        by_gm = by == "caller" and self.draft.context.caller.role == "gm"
        then = self.draft.combat
        run.take(self.put(run, event), by_gm, then)

    def settled_by(self, waiting: Waiting, id: str, by: By) -> tuple[str, ...]:
        """Return the prompts that an answer to this prompt settles."""
        if waiting.ask.wait == "each":
            return (id,)
        last = all(other in waiting.answers or other == id for other in waiting.prompts)
        settled = last or (waiting.ask.wait == "any" and by != "lapsed")
        return tuple(waiting.prompts) if settled else ()

    def default(self, run: Run, id: str, by: By, because: Because = "") -> None:
        """Answer a prompt with its default."""
        assert run.waiting is not None
        default = run.waiting.prompts[id].default
        assert default is not None
        self.take(run, id, default, {}, by, because)

    def show(self, run: Run, effect: Roll) -> None:
        """Update the prompt of a roll to the current numbers."""
        assert run.waiting is not None
        (id,) = run.waiting.prompts
        combat = self.draft.combat
        shown, prompt = (
            combat.prompts[id],
            faces_prompt(effect, effect.numbers(), combat, self.draft.ruleset.catalogue.phrases),
        )
        if (shown.who, shown.text, shown.data) != (prompt.who, prompt.text, prompt.data):
            event = PromptChanged(id, prompt.kind, prompt.who, prompt.text, prompt.data)
            run.reword(self.put(run, event))

    def _may_go_on(self, run: Run) -> bool:
        """Close prompts that no longer make sense, and return whether the run can continue."""
        waiting = run.waiting
        if waiting is None:
            return True
        stops = waiting.ask.stops
        if stops and any(stop() is not None for stop in stops):
            run.lapse()
            return True
        if waiting.roll is not None:
            self.show(run, waiting.roll)
            return False
        if waiting.ask.more is not None:
            self.asked(run, run.widen(partial(self.put, run)))
        if any(prompt.anew is not None for prompt in waiting.prompts.values()):
            run.follow(partial(self.put, run))
        for id, prompt in tuple(waiting.prompts.items()):
            if run.waiting is not waiting:
                break
            if prompt.default is None or id in waiting.answers:
                continue
            gone = prompt.who is not None and self.draft.combat.combatants[prompt.who].left
            if gone or (prompt.stands is not None and not prompt.stands(self.draft.combat)):
                self.default(run, id, "lapsed", "left" if gone else "moot")
        return run.waiting is None


def _order(known: Combat, who: Id, id: str) -> StandingOrder | None:
    """Return the first standing order for this prompt, unless its option is `ask`."""
    prompt = known.prompts[id]
    involved = [prompt.data.get(role) for role in ("mover", "attacker", "target")]
    for order in known[who].orders:
        if order.prompt != prompt.name:
            continue
        if order.until_round is not None and known.round > order.until_round:
            continue
        if order.against is not None and order.against not in involved:
            continue
        if any(prompt.data.get(key) != value for key, value in order.when.items()):
            continue
        return None if order.option == "ask" else order
    return None
