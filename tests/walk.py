"""A walker: plays random legal answers, whatever the rulebook, and notes what has fired.

It sees only what a client sees: open prompts, offers with legal inputs, dice to roll. A GM of
whims (`gm`) rules, changes sheets, lets join and leave at any moment, also under open questions.
Its choices come from a `random.Random`, so that a seed tells the whole walk again. After each
command it asks what must always hold (`hold`).
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

import msgspec

from domain.dice import parse
from domain.engine.commands import Act, Change, Command, Join, Joining, Leave, Reply
from domain.engine.commands import Rule as Ruling
from domain.engine.live import Live
from domain.engine.options import offer
from domain.errors import Refused
from domain.record.combat import Combat
from domain.record.events import ActionDeclared, Answered, ConditionGained, Prompted, Rolled, Ruled
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option, Prompt
from tests.spec import Spec


@dataclass
class Fired:
    """What a walk has met, by its name."""

    actions: Counter[str] = field(default_factory=Counter)
    conditions: Counter[str] = field(default_factory=Counter)
    prompts: Counter[str] = field(default_factory=Counter)
    purposes: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    commands: int = 0

    def note(self, spec: Spec) -> None:
        """Count the events of the last step."""
        self.commands += 1
        for one in spec.last:
            event = one.event
            self.rules.update(event.rules)
            match event:
                case ActionDeclared():
                    self.actions[event.action] += 1
                case Answered():
                    self.actions[event.option] += 1
                case Ruled():
                    self.actions[event.ruling] += 1
                case ConditionGained():
                    self.conditions[event.condition] += 1
                case Prompted():
                    self.prompts[event.name] += 1
                case Rolled():
                    self.purposes[event.purpose] += 1
                    self.rules.update(term.rule for term in event.terms if term.rule)
                case _:
                    pass

    def report(self, spec: Spec) -> str:
        """What of the ruleset has not fired yet."""
        ruleset = spec.ruleset
        lines = [f"{ruleset.id}: {self.commands} commands"]
        for word, every, met in (
            ("actions", list(ruleset.actions), self.actions),
            ("conditions", list(ruleset.conditions), self.conditions),
            ("roll purposes", list(ruleset.purposes), self.purposes),
            ("rules", [one.id for one in ruleset.rules], self.rules),
        ):
            missing = [one for one in every if one not in met]
            lines.append(f"  {word}: {len(every) - len(missing)} of {len(every)}; not: {missing}")
        return "\n".join(lines)


@dataclass
class Walker:
    """Plays on in `spec`; `undo`, `ruling`, `interject` and `gm` are chances per step."""

    spec: Spec
    random: Random
    fired: Fired = field(default_factory=Fired)
    undo: float = 0.04
    ruling: float = 0.03
    interject: float = 0.08
    gm: float = 0.0

    def walk(self, steps: int) -> None:
        """At most `steps` commands; stops when the combat has ended."""
        for _ in range(steps):
            if not self.step():
                return

    def step(self) -> bool:
        """One command, whatever it is; False when nothing can be done any more."""
        spec, random = self.spec, self.random
        if spec.combat.status == "ended":
            return False
        if spec.combat.stalled is not None:
            return self._try(spec.resume)
        if random.random() < self.undo:
            there = spec.combat
            if self._try(spec.undo) and random.random() < 0.7:
                spec.redo()
                assert spec.combat == there, "redo is the inverse of undo"
            return True
        if random.random() < self.gm and self._whim():
            return True
        if random.random() < self.ruling and self._rule():
            return True
        if random.random() < self.interject and self._interject():
            return True
        prompts = spec.live.open_prompts()
        waiting = spec.combat.prompts
        unanswered = [id for id in prompts if waiting[id].answer is None] or list(prompts)
        if unanswered:
            id = random.choice(unanswered)
            return self._answer(id, prompts[id])
        if spec.combat.status == "opening" and random.random() < 0.5:
            return self._try(spec.begin)
        return self._interject() or self._try(spec.begin)

    def _try(self, step: Any) -> bool:
        try:
            step()
        except Refused:
            return False
        self.fired.note(self.spec)
        hold(self.spec.live)
        return True

    def _do(self, command: Command) -> bool:
        self.spec.do(command)
        self.fired.note(self.spec)
        hold(self.spec.live)
        return True

    def _whim(self) -> bool:
        """What no rule foresees: the GM's hand, at any moment."""
        random, everybody = self.random, list(self.spec.combat)
        if not everybody:
            return False
        one = random.choice(everybody)
        command: Command
        match random.choice(
            ("track", "track", "condition", "end", "move", "sheet", "join", "leave")
        ):
            case "track":
                track = random.choice(list(one.tracks))
                value = random.choice((-7, -1, 0, 0, 1, 5, 50))
                command = self._ruling("set-track", one.id, track=track, value=value)
            case "condition":
                condition = random.choice(list(self.spec.ruleset.conditions))
                command = self._ruling("set-condition", one.id, condition=condition)
            case "end" if one.conditions:
                held = random.choice(one.conditions)
                command = self._ruling("end-condition", one.id, condition=held.id, key=held.key)
            case "move":
                to = [random.randint(-3, 5), random.randint(-3, 5)]
                command = self._ruling("move", one.id, to=random.choice((to, to, None)))
            case "sheet":
                field = random.choice(list(one.sheet))
                command = Change(one.id, sheet={field: self._other(one.sheet[field])})
            case "join":
                full = {**one.sheet, "name": f"{one.id}+{self.fired.commands}", "side": one.side}
                command = Join(Joining({**full, "owner": one.owner}))
            case "leave" if len(everybody) > 3:
                command = Leave(one.id)
            case _:
                return False
        return self._try(lambda: self.spec.do(command))

    def _ruling(self, ruling: str, who: str, **inputs: Any) -> Ruling:
        """A ruling that every rulebook has, about `who`."""
        fields = self.spec.ruleset.rulings[ruling].inputs.__struct_fields__
        return Ruling(ruling, {"who" if "who" in fields else "combatant": who, **inputs})

    def _other(self, value: Any) -> Any:
        """Another value of a sheet's field, such as nothing or less."""
        match value:
            case bool():
                return not value
            case int():
                return self.random.choice((0, 1, value // 2))
            case list() | tuple():
                return list(value)[: self.random.randint(0, len(value))]
            case _:
                return value

    def _answer(self, id: str, prompt: Prompt) -> bool:
        if prompt.kind == "roll":
            sides = [abs(die) for die in parse(prompt.data["formula"]).dice]
            return self._do(Reply(id, None, {"faces": [self._face(die) for die in sides]}))
        legal = {option.id: self._legal(option, prompt) for option in prompt.options}
        if not any(legal.values()):
            raise AssertionError(f"no answer to {prompt.name} of {prompt.who} is legal")
        # What can be done in many ways is done more often: fights are longer than their ends.
        weights = [min(len(inputs), 12) for inputs in legal.values()]
        (option,) = self.random.choices(list(legal), weights)
        return self._do(Reply(id, option, self.random.choice(legal[option])))

    def _legal(self, option: Option, prompt: Prompt) -> tuple[Mapping[str, Any], ...]:
        play = Play(self.spec.ruleset, self.spec.combat)
        return offer(play, prompt.who or "", option, None, prompt.kind).legal

    def _face(self, sides: int) -> int:
        """A face; the lowest and the highest fall more often than they should."""
        luck = self.random.random()
        if luck < 0.12:
            return 1
        if luck < 0.3:
            return sides
        return self.random.randint(1, sides)

    def _interject(self) -> bool:
        spec = self.spec
        legal = [
            (who.id, one.option.id, inputs)
            for who in spec.combat
            for one in spec.live.options(who.id)
            if one.prompt is None
            for inputs in one.legal
        ]
        if not legal:
            return False
        who, action, inputs = self.random.choice(legal)
        return self._do(Act(who, action, inputs))

    def _rule(self) -> bool:
        """One of the ruleset's rulings, with inputs that its candidates propose."""
        spec = self.spec
        play = Play(spec.ruleset, spec.combat)
        legal = [
            (ruling.id, inputs)
            for ruling in spec.ruleset.rulings.values()
            for inputs in offer(play, "", ruling, None, "ruling").legal
        ]
        if not legal:
            return False
        ruling, inputs = self.random.choice(legal)
        return self._do(Ruling(ruling, inputs))


def hold(live: Live) -> None:
    """What is so after every command, in every rulebook."""
    combat, ruleset = live.combat, live.ruleset
    for one in combat:
        assert all(left >= 0 for left in one.budget.values()), (one.id, one.budget)
    follows = list(ruleset.consequences(combat, None))
    assert not follows, f"not done yet: {follows}"
    if combat.status == "ended":
        assert not combat.frames
        assert not combat.prompts
    written = msgspec.json.encode(combat)  # states of the past are kept so
    assert msgspec.json.decode(written, type=Combat) == combat
    run = live._top()
    if run is not None and run.waiting is not None:
        for stops in run.waiting.ask.stops:
            assert stops() is None, f"goes on: {stops()}"
