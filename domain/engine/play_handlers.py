"""Play handlers: carry out actions, answers and rulings on a draft, and close prompts.

A refusal raises `Refused`. Its words contain only names that the caller knows.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal

import msgspec

from domain.engine.caller import Caller
from domain.engine.commands import Act, Close, GmRuling, Lapse, Reply
from domain.engine.draft import Draft
from domain.engine.executor import By, Executor
from domain.engine.faults import as_told, naming, point, pointed
from domain.engine.idle_rulings import no_change
from domain.engine.late_answers import too_late
from domain.engine.options import asked_first
from domain.engine.refusals import refusals
from domain.engine.run import Run
from domain.errors import Closed, Illegal, Malformed, Refused, Unfitting, Unknown
from domain.record.combat import Combat, Id, Json
from domain.record.events import ActionDeclared, Prompted, Ruled
from domain.rulebook.action import Action
from domain.rulebook.input_reader import pointing, read, read_faces
from domain.rulebook.play import Play
from domain.rulebook.prompts import NoInputs, Option

NOT_ITS_TURN = "not-your-turn"
"""The refusal code before the fight, if the rulebook has none."""


class PlayHandlers:
    """The commands of play on one draft.

    `known` is the combat as the caller knows it. `present` runs procedures and consequences.
    """

    draft: Draft
    present: Executor
    caller: Caller
    known: Combat

    def act(self, command: Act) -> None:
        combat, draft = self.known, self.draft
        try:
            who = combat[command.combatant].id
        except Unknown as error:
            point(error, "/combatant", command.combatant)
            raise
        self.caller.must_play(draft.combat, who)
        action = draft.ruleset.actions.get(command.action)
        run = self.present.top()
        asked = None if run is None else self._asked(run, who, command.action, action)
        if run is not None and asked is not None:
            prompt, option = asked
            self._answer(run, prompt, option, command.inputs)
        elif action is None:
            with naming("/action", command.action):
                raise Unknown("action", command.action, tuple(draft.ruleset.actions))
        elif action.interjection and combat.status != "ended":
            self._interject("action", action, who, command.inputs)
        elif (first := asked_first(combat, draft.combat, who)) is not None:
            raise Unfitting(first.code, first.detail)
        else:
            refusal = self._unasked(action, who, command.inputs)
            if combat.status != "opening" or combat.frames:
                raise refusal
            begin = "the GM begins it by POST …/begin"
            if refusal.code == NOT_ITS_TURN:
                raise Unfitting("not-begun", f"the fight has not begun; {begin}")
            raise Illegal(refusal.rule, refusal.code, f"{refusal.detail}; {begin}", refusal.allowed)
        self.present.settle()

    def _unasked(self, action: Action, who: Id, raw: Mapping[str, Json]) -> Illegal:
        """Return the reason why `who` cannot declare this action now, as the caller knows it."""
        known = Play(self.draft.ruleset, self.known)
        truth = Play(self.draft.ruleset, self.draft.combat)
        option = Option(action.id, NoInputs, lambda play, who, _: action.unasked(play, who, raw))
        return as_told(next(refusals(known, who, option, NoInputs(), truth)))

    @staticmethod
    def _asked(run: Run, who: Id, option: str, action: Action | None) -> tuple[str, str] | None:
        """Return the prompt of `who` that an option or action answers, and the option's id there.

        The prompt is a turn or declare prompt with the option, or a prompt that the action answers.
        """
        waiting = run.waiting
        if waiting is None:
            return None
        prompts = list(waiting.prompts.items())
        if waiting.ask.wait == "any":  # prefer an open prompt to a lapsed prompt
            prompts.sort(key=lambda item: waiting.lapsed(item[0]))
        for id, prompt in prompts:
            if prompt.who != who:
                continue
            asks = prompt.name == option or prompt.option(option) is not None
            if asks and action is not None and action.answers is not None:
                return id, action.answers
            if prompt.kind in ("turn", "declare"):
                if action is not None and action.interjection and waiting.lapsed(id):
                    return None
                return (id, option) if prompt.option(option) else None
        return None

    def reply(self, command: Reply) -> None:
        run = self.present.top()
        open_now = {} if run is None or run.waiting is None else run.waiting.prompts
        asked = open_now.get(command.prompt)
        if run is None or asked is None or not self.caller.plays(self.draft.combat, asked.who):
            raise self._not_open(command.prompt)
        self._answer(run, command.prompt, command.option, command.inputs)
        self.present.settle()

    def _not_open(self, prompt: str) -> Refused:
        """Return why an answer is too late or too early, as far as the caller may know."""
        combat = self.draft.combat
        asked = combat.prompts.get(prompt)
        if (
            asked is not None
            and self.caller.plays(combat, asked.who)
            and combat.is_suspended(asked)
        ):
            return Unfitting(
                "prompt-suspended", "another question must be answered before this one"
            )
        late = too_late(
            self.draft.before, prompt, partial(self.caller.sees, combat), self._successor
        )
        if isinstance(late, Unknown):
            waiting = self.known.prompts.values()
            own = (known.id for known in waiting if self.caller.plays(combat, known.who))
            return Unknown("prompt", prompt, tuple(own))
        return late

    def _successor(self, asked: Prompted) -> str:
        """Return the open prompt that asks the same question of the same person, or ""."""
        run = self.present.top()
        waiting = None if run is None else run.waiting
        if waiting is None:
            return ""
        same = (asked.who, asked.name)
        open_now = ((id, waiting.prompts[id]) for id in waiting.unanswered)
        return next((id for id, prompt in open_now if (prompt.who, prompt.name) == same), "")

    def rule(self, command: GmRuling) -> None:
        ruling = self.draft.ruleset.rulings.get(command.ruling)
        if ruling is None:
            with naming("/ruling", command.ruling):
                raise Unknown("ruling", command.ruling, tuple(self.draft.ruleset.rulings))
        before, count = self.draft.combat, len(self.draft.recorded)
        inputs = self._interject("ruling", ruling, "", command.inputs, command.reason)
        self.present.settle()
        events = [recorded.event for recorded in self.draft.recorded[count:]]
        idle = no_change(self.draft.ruleset, before, self.draft.combat, ruling, inputs, events)
        if idle is not None:
            raise idle  # the caller then drops the draft with its events

    def _interject(
        self,
        kind: Literal["action", "ruling"],
        action: Action,
        who: Id,
        raw: Mapping[str, Json],
        reason: str = "",
    ) -> Any:
        """Run an action or ruling above any waiting procedure. Return its inputs."""
        with pointing("/inputs"):
            inputs = read(raw, action.inputs)
        truth = Play(self.draft.ruleset, self.draft.combat)
        stop = self._unforeseen(truth, who, action, inputs)
        if stop is not None:
            self.present.prevented(who, action, inputs, stop)
            return inputs
        full: Mapping[str, Json] = msgspec.to_builtins(inputs)
        if kind == "action":
            self.present.record(ActionDeclared(who, action.id, full))
        else:
            self.present.record(Ruled(action.id, full, reason))
        by_gm = self.caller.role == "gm"
        self.present.start(kind, action.id, {"who": who, "inputs": full, "by_gm": by_gm})
        return inputs

    def close(self, command: Close) -> None:
        """Give the named prompts, or else all waiting prompts, their default."""
        run = self.present.top()
        if run is None or run.waiting is None:
            raise Unfitting("nothing-open", "no prompt is open")
        open_now, prompts = run.waiting.unanswered, command.prompts
        for id in prompts:
            if id not in open_now:
                raise self._not_open(id)
        for id in prompts or open_now:
            if run.waiting.prompts[id].default is None:
                raise Unfitting("no-default", f"prompt {id!r} has no default: answer it")
        self._default_each(run, prompts or open_now, "closed")

    def lapse(self, command: Lapse) -> None:
        """Give the overdue or named open prompts their default.

        Refuse if no such prompt is open.
        """
        run = self.present.top()
        waiting = None if run is None else run.waiting
        overdue = [
            id
            for id in (() if waiting is None else waiting.unanswered)
            if waiting is not None
            and waiting.prompts[id].default is not None
            and (id in command.prompts or self.draft.is_over(self.draft.combat.prompts[id].until))
        ]
        if run is None or not overdue:
            raise Unfitting("not-due", "no open prompt has come to its end")
        self._default_each(run, overdue, "lapsed")

    def _default_each(self, run: Run, prompts: Sequence[str], by: By) -> None:
        """Give these open prompts their defaults.

        If the procedure takes answers separately, it continues after each of them. The other
        prompts stay open meanwhile.
        """
        for id in prompts:
            waiting = run.waiting
            if waiting is not None and id in waiting.unanswered:
                self.present.default(run, id, by, "time" if by == "lapsed" else "")
                self.present.drive(run)
        self.present.settle()

    def _answer(self, run: Run, id: str, name: str | None, raw: Mapping[str, Json]) -> None:
        """Check an answer against its prompt, record it, and let the procedure go on."""
        waiting = run.waiting
        assert waiting is not None
        prompt = waiting.prompts[id]
        action = self.draft.ruleset.actions.get(name or "")
        if name is None and len(prompt.options) == 1:
            name = prompt.options[0].id
        elif action is not None and action.answers is not None and prompt.name == action.id:
            name = action.answers
        option = prompt.option(name)
        if option is None:
            raise self._no_option(run, id, name, raw)
        with pointing("/inputs"):
            inputs = read(raw, option.inputs)
            if waiting.roll is not None and inputs.faces is not None:
                read_faces(inputs.faces, waiting.roll.numbers().formula)
        who = prompt.who or ""
        stop = self._unforeseen(run.play, who, option, inputs)
        if waiting.ask.wait == "any" and waiting.lapsed(id):
            raise Closed("the question has lost its sense", "overtaken")
        if stop is None:
            full = msgspec.to_builtins(inputs)
            self.present.take(run, id, option.id, full, "caller")
            self.present.drive(run)
            return
        if self.present.stopped(run, id, option, inputs, stop, "caller"):
            self.present.drive(run)

    def _no_option(self, run: Run, id: str, name: str | None, raw: Mapping[str, Json]) -> Refused:
        """Return the reason why an open prompt does not have this option or action."""
        waiting = run.waiting
        assert waiting is not None
        prompt = waiting.prompts[id]
        options = [option.id for option in prompt.options]
        former = waiting.former.get(id, {}).get(name or "")
        action = None if prompt.who is None else self.draft.ruleset.actions.get(name or "")
        if former is not None:
            known = Play(self.draft.ruleset, self.known)
            inputs = read(raw, former.inputs)
            why = next(refusals(known, prompt.who or "", former, inputs, run.play), None)
            gone = Illegal("", "gone", f"{name} cannot be chosen any more", options)
            return as_told(why or gone)
        if action is None or prompt.who is None:
            return Malformed("/option", f"{name!r} does not answer {prompt.name!r}", options)
        if action.interjection:
            detail = f"{action.label} answers no prompt: declare it by POST …/actions"
            return Unfitting("not-an-answer", detail, options)
        return self._unasked(action, prompt.who, raw)

    def _unforeseen(self, truth: Play, who: Id, option: Option, inputs: Any) -> Illegal | None:
        """Return a refusal that the caller cannot foresee. Raise a refusal that it can foresee.

        Return `None` if there is no refusal, or if the action has `stops`. Such an action begins,
        pays, and stops by itself at the hidden combatant.
        """
        by_gm = self.caller.role == "gm"
        known = Play(self.draft.ruleset, self.known)
        if by_gm:
            known.told, known.by_gm = self.draft.told, True
        try:
            refusal = next(refusals(known, who, option, inputs, truth), None)
        except Unknown as error:
            point(error, "/inputs", inputs)
            raise
        if refusal is not None:
            raise pointed(refusal, inputs, known, who, option, truth)
        if by_gm or (isinstance(option, Action) and option.stops):
            return None
        return next(option.refusals(truth, who, inputs), None)
