"""Doing: actions, answers and rulings, on a draft; and what becomes of questions nobody answers.

What is refused raises `Refused`, in the words of what the caller knows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from domain.engine.caller import Caller
from domain.engine.commands import Act, Reply, Rule
from domain.engine.draft import Draft
from domain.engine.faults import naming, pointed
from domain.engine.frames import drive
from domain.engine.late import too_late
from domain.engine.options import asked_first, refusals
from domain.engine.present import By, Present
from domain.engine.run import Run, find
from domain.errors import Closed, Illegal, Malformed, Refused, Unfitting, Unknown
from domain.record.combat import Combat, Id, Json
from domain.record.events import ActionDeclared, Prevented, Ruled
from domain.rulebook.action import Action
from domain.rulebook.play import Play
from domain.rulebook.prompts import NoInputs, Option
from domain.rulebook.reading import pointing, read, read_faces, read_ruling

NOT_ITS_TURN = "not-your-turn"
"""What a rulebook says that has no word of its own for the time before the fight."""


class Doing:
    """The commands of those who play, on one draft; `known` is the combat as the caller knows it,
    `present` runs what follows."""

    def __init__(self, draft: Draft, present: Present, known: Combat) -> None:
        self.draft = draft
        self.present = present
        self.caller: Caller = draft.context.caller
        self.known = known

    def act(self, command: Act) -> None:
        combat = self.known
        with naming("/combatant", command.combatant):
            who = combat[command.combatant].id
        self.caller.must_play(self.draft.combat, who)
        action = self.draft.ruleset.actions.get(command.action)
        run = self.present.top()
        asked = None if run is None else self._asked(run, who, command.action, action)
        if run is not None and asked is not None:
            prompt, option = asked
            self._answer(run, prompt, option, command.inputs)
        elif action is None:
            with naming("/action", command.action):
                raise Unknown("action", command.action, tuple(self.draft.ruleset.actions))
        elif action.interjection and combat.status != "ended":
            self._interject("action", action, who, command.inputs)
        elif (first := asked_first(combat, self.draft.combat, who)) is not None:
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
        """Why an action that nobody asks for is not open, in the eyes of the caller."""
        known = Play(self.draft.ruleset, self.known)
        truth = Play(self.draft.ruleset, self.draft.combat)
        option = Option(action.id, NoInputs, lambda play, who, _: action.unasked(play, who, raw))
        return next(refusals(known, who, option, NoInputs(), truth))

    @staticmethod
    def _asked(run: Run, who: Id, option: str, action: Action | None) -> tuple[str, str] | None:
        """The turn or declare prompt of `who` that has this option, be it an action or not, or the
        question that the action answers; with the option that it is there."""
        waiting = run.waiting
        if waiting is None:
            return None
        # Whoever is asked anew has a question that has lapsed beside the one that stands.
        for id, prompt in sorted(waiting.prompts.items(), key=lambda one: waiting.lapsed(one[0])):
            if prompt.who != who:
                continue
            asks = prompt.name == option or find(prompt.options, option) is not None
            if asks and action is not None and action.answers is not None:
                return id, action.answers
            if prompt.kind in ("turn", "declare"):
                if action is not None and action.interjection and waiting.lapsed(id):
                    return None
                return (id, option) if find(prompt.options, option) else None
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
        """Why an answer comes too late, or too early, if the caller may know."""
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
        return too_late(self.draft.before, prompt, partial(self.caller.sees, combat))

    def rule(self, command: Rule) -> None:
        ruling = self.draft.ruleset.rulings.get(command.ruling)
        if ruling is None:
            with naming("/ruling", command.ruling):
                raise Unknown("ruling", command.ruling, tuple(self.draft.ruleset.rulings))
        self._interject("ruling", ruling, "", command.inputs, command.reason)
        self.present.settle()

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
            reading = read if kind == "action" else read_ruling
            inputs = reading(raw, action.inputs)
        truth = Play(self.draft.ruleset, self.draft.combat)
        possible = self._possible(truth, who, action, inputs, kind)
        full: Mapping[str, Json] = msgspec.to_builtins(possible.inputs)
        if possible.stopped_by is not None and not possible.begins:
            self._prevented(who, action, inputs, possible.stopped_by)
            return
        if kind == "action":
            self.present.record(ActionDeclared(who, action.id, full))
        else:
            self.present.record(Ruled(action.id, full, reason))
        by_gm = self.caller.role == "gm"
        self.present.start(kind, action.id, {"who": who, "inputs": full, "by_gm": by_gm})
        if possible.stopped_by is not None:
            self._prevented(who, action, inputs, possible.stopped_by)

    def close(self, prompts: tuple[str, ...]) -> None:
        """Give every waiting prompt, or the named ones, its default."""
        run = self.present.top()
        if run is None or run.waiting is None:
            raise Unfitting("nothing-open", "no prompt is open")
        open_now = run.waiting.unanswered
        for id in prompts:
            if id not in open_now:
                raise self._not_open(id)
        for id in prompts or open_now:
            if run.waiting.prompts[id].default is None:
                raise Unfitting("no-default", f"prompt {id!r} has no default: answer it")
        self._default_each(run, prompts or open_now, "closed")

    def lapse(self) -> None:
        """Give the open prompts whose time has come their default; refused when there is none."""
        run = self.present.top()
        waiting = None if run is None else run.waiting
        overdue = [
            id
            for id in (() if waiting is None else waiting.unanswered)
            if waiting is not None
            and waiting.prompts[id].default is not None
            and self.draft.is_over(self.draft.combat.prompts[id].until)
        ]
        if run is None or not overdue:
            raise Unfitting("not-due", "no open prompt has come to its end")
        self._default_each(run, overdue, "lapsed")

    def _default_each(self, run: Run, prompts: Sequence[str], by: By) -> None:
        """Give these their defaults, as long as they are open: where each is answered on its own,
        the procedure goes on after each and asks the others still."""
        for id in prompts:
            waiting = run.waiting
            if waiting is not None and id in waiting.unanswered:
                self.present.default(run, id, by)
                drive(run, self.present)
        self.present.settle()

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
                read_faces(inputs.faces, waiting.roll.formula)
        who = prompt.who or ""
        possible = self._possible(run.play, who, option, inputs, prompt.kind)
        if waiting.lapsed(id):
            raise Closed("the question has lost its sense", "overtaken")
        if possible.begins:
            full = msgspec.to_builtins(possible.inputs)
            self.present.take(run, id, option.id, full, "caller")
            drive(run, self.present)
        if possible.stopped_by is not None:
            self._prevented(who, option, inputs, possible.stopped_by)

    def _possible(self, truth: Play, who: Id, option: Option, inputs: Any, kind: str) -> "Possible":
        """How far an option can be carried out; raises what the caller can know against it.

        What only a fact hidden from the caller forbids is no refusal: it is begun, and stopped.
        """
        known = Play(self.draft.ruleset, self.known)
        if self.caller.role == "gm":
            known.told, known.by_gm = self.draft.told, True
        with naming("/inputs", inputs):
            refusal = next(refusals(known, who, option, inputs, truth), None)
        if refusal is not None:
            raise pointed(refusal, inputs, known, who, option, kind, truth)
        if self.caller.role == "gm":
            return Possible(inputs)
        stop = next(option.refusals(truth, who, inputs), None)
        if stop is None:
            return Possible(inputs)
        for steps in reversed(range(1, len(getattr(inputs, "path", ())))):
            shorter = replace(inputs, path=inputs.path[:steps])
            if next(option.refusals(truth, who, shorter), None) is None:
                return Possible(shorter, stop)
        return Possible(inputs, stop, begins=False)

    def _prevented(self, who: Id, option: Option, inputs: Any, stop: Illegal) -> None:
        rules = (stop.rule,) if stop.rule else ()
        full: Mapping[str, Json] = msgspec.to_builtins(inputs)
        self.present.record(Prevented(who, option.id, full, stop.code, stop.detail, rules=rules))


@dataclass(frozen=True)
class Possible:
    """What can be carried out of an option: its inputs, perhaps a shorter way, and what stops it.

    `begins` false: nothing at all.
    """

    inputs: Any
    stopped_by: Illegal | None = None
    begins: bool = True
