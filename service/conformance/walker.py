"""A walker that plays random legal answers in any rulebook, and records the ids it uses.

The walker sees only data that a client sees: open prompts, offers with legal inputs, dice to roll.
With `gm`, a GM acts at random moments, also while prompts are open. This GM:

- makes rulings and changes sheets
- lets combatants join and leave, and hides or shows them
- closes prompts
- uses undo, redo and goto

All choices come from a `random.Random`, so a seed repeats the same walk. After each command the
walker checks the invariants (`hold`), and that no procedure was abandoned (`unbroken`).

A check of all offers and procedures takes a long time. `thorough` sets the number of commands
between two such checks.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

import msgspec

from domain.dice import parse_roll
from domain.engine.commands import Act, Change, Close, Command, Join, Joining, Leave, Reply
from domain.engine.commands import GmRuling as Ruling
from domain.engine.options import Choice, candidates, tried
from domain.engine.redaction import scrub, unspoken_of
from domain.engine.session import Session
from domain.errors import Illegal, Refused
from domain.record.combat import Combat
from domain.record.events import (
    ActionDeclared,
    Answered,
    ConditionGained,
    ProcedureAbandoned,
    Prompted,
    Rolled,
    Ruled,
)
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option, Prompt
from domain.rulebook.state_cache import looking
from service.conformance.spec import Spec, offer


@dataclass
class Fired:
    """The names that a walk has met."""

    actions: Counter[str] = field(default_factory=Counter)
    conditions: Counter[str] = field(default_factory=Counter)
    prompts: Counter[str] = field(default_factory=Counter)
    purposes: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    commands: int = 0

    def note(self, spec: Spec) -> None:
        """Count the events of the last step."""
        self.commands += 1
        for recorded in spec.last:
            event = recorded.event
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
        """Return the parts of the ruleset that the walk has not met yet."""
        ruleset = spec.ruleset
        lines = [f"{ruleset.id}: {self.commands} commands"]
        for word, every, met in (
            ("actions", list(ruleset.actions), self.actions),
            ("conditions", list(ruleset.conditions), self.conditions),
            ("roll purposes", list(ruleset.purposes), self.purposes),
            ("rules", [rule.id for rule in ruleset.rules], self.rules),
        ):
            missing = [name for name in every if name not in met]
            lines.append(f"  {word}: {len(every) - len(missing)} of {len(every)}; not: {missing}")
        return "\n".join(lines)


@dataclass
class Walker:
    """Plays in `spec`. `undo`, `ruling`, `interject` and `gm` are probabilities per step.

    `met` counts the GM's random acts by the prompt that waited at that moment. At every
    `thorough`th command, the walker checks all offers, and rebuilds the fight from its events.
    """

    spec: Spec
    random: Random
    fired: Fired = field(default_factory=Fired)
    undo: float = 0.04
    ruling: float = 0.03
    interject: float = 0.08
    gm: float = 0.0
    met: Counter[str] = field(default_factory=Counter)
    thorough: int = 1

    def walk(self, steps: int) -> None:
        """Play at most `steps` commands, or until the combat has ended."""
        for _ in range(steps):
            if not self.step():
                return

    def step(self) -> bool:
        """Play one command of any kind. Return false if the combat allows no further command."""
        spec, random = self.spec, self.random
        spec.proves = self._looks_at_all()
        if spec.combat.status == "ended":
            return False
        if spec.combat.stalled is not None:
            return self._try(spec.resume)
        if random.random() < self.undo:
            return self._back()
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

    def _back(self) -> bool:
        """Undo a command, a turn or a round, and often redo it; or go to a random version."""
        spec, random = self.spec, self.random
        there = spec.combat
        over = random.choice(("command", "command", "command", "turn", "round", "somewhere"))
        if over == "somewhere":
            somewhere = random.randint(1, spec.live.version)
            self._try(lambda: spec.goto(somewhere))
            return True
        if self._try(lambda: spec.undo(over)) and random.random() < 0.7:
            spec.redo()
            while spec.combat != there:  # one command at a time
                assert over != "command", "redo is the inverse of undo"
                spec.redo()
        return True

    def _try(self, step: Any) -> bool:
        try:
            step()
        except Refused:
            return False
        self._look()
        return True

    def _do(self, command: Command) -> bool:
        self.spec.do(command)
        self._look()
        return True

    def _look(self) -> None:
        """Run the checks after a command."""
        self.fired.note(self.spec)
        unbroken(self.spec)
        hold(self.spec.live, offers=self._looks_at_all())

    def _looks_at_all(self) -> bool:
        return self.fired.commands % self.thorough == 0

    def _whim(self) -> bool:
        """Act as the GM at a random moment, in a way that no rule foresees."""
        random, everybody = self.random, list(self.spec.combat)
        if not everybody:
            return False
        combatant = random.choice(everybody)
        command: Command
        match random.choice(
            (
                "track",
                "track",
                "condition",
                "end",
                "move",
                "sheet",
                "join",
                "leave",
                "hide",
                "side",
                "close",
            )
        ):
            case "track":
                track = random.choice(list(combatant.tracks))
                value = random.choice((-7, -1, 0, 0, 1, 5, 50))
                command = self._ruling("set-track", combatant.id, track=track, value=value)
            case "condition":
                condition = random.choice(list(self.spec.ruleset.conditions))
                command = self._ruling("set-condition", combatant.id, condition=condition)
            case "end" if combatant.conditions:
                held = random.choice(combatant.conditions)
                command = self._ruling(
                    "end-condition", combatant.id, condition=held.id, key=held.key
                )
            case "move":
                to = [random.randint(-3, 5), random.randint(-3, 5)]
                command = self._ruling("move", combatant.id, to=random.choice((to, to, None)))
            case "sheet":
                field = random.choice(list(combatant.sheet))
                command = Change(combatant.id, sheet={field: self._other(combatant.sheet[field])})
            case "join":
                full = {
                    **combatant.sheet,
                    "name": f"{combatant.id}+{self.fired.commands}",
                    "side": combatant.side,
                }
                command = Join(Joining({**full, "owner": combatant.owner}))
            case "leave" if len(everybody) > 3:
                command = Leave(combatant.id)
            case "hide":
                command = Change(combatant.id, hidden=not combatant.hidden)
            case "side":
                command = Change(combatant.id, side=random.choice(everybody).side)
            case "close":
                command = Close()
            case _:
                return False
        waiting = [prompt.kind for prompt in self.spec.live.open_prompts().values()]
        if not self._try(lambda: self.spec.do(command)):
            return False
        self.met.update(f"{type(command).__name__} under {kind}" for kind in waiting or ("none",))
        return True

    def _ruling(self, ruling: str, who: str, **inputs: Any) -> Ruling:
        """Return a ruling about `who` that every rulebook has."""
        fields = self.spec.ruleset.rulings[ruling].inputs.__struct_fields__
        return Ruling(ruling, {"who" if "who" in fields else "combatant": who, **inputs})

    def _other(self, value: Any) -> Any:
        """Return a different value for a sheet's field, such as a smaller number."""
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
            sides = [abs(die) for die in parse_roll(prompt.data["formula"]).dice]
            return self._do(Reply(id, None, {"faces": [self._face(die) for die in sides]}))
        with looking():
            option, legal = self._chosen(prompt)
        return self._do(Reply(id, option.id, self.random.choice(legal)))

    def _chosen(self, prompt: Prompt) -> tuple[Option, tuple[Mapping[str, Any], ...]]:
        """Return an option with its legal inputs.

        It prefers options with many inputs, because others often end a turn or a fight.
        """
        options = list(prompt.options)
        if self._looks_at_all():
            legal = [self._legal(option, prompt) for option in options]
            ways = [len(inputs) for inputs in legal]
        else:
            play = Play(self.spec.ruleset, self.spec.combat)
            proposals = [candidates(play, prompt.who or "", option, play) for option in options]
            ways = [len(proposed) for proposed in proposals]
        weights = [min(count, 12) for count in ways]
        while any(weights):
            (at,) = self.random.choices(range(len(options)), weights)
            inputs = self._legal(options[at], prompt)
            if inputs:
                return options[at], inputs
            weights[at] = 0
        raise no_answer(prompt)

    def _legal(self, option: Option, prompt: Prompt) -> tuple[Mapping[str, Any], ...]:
        play = Play(self.spec.ruleset, self.spec.combat)
        return offer(play, prompt.who or "", option, None, prompt.kind, every=False).legal

    def _face(self, sides: int) -> int:
        """Return a face. The lowest and the highest are more frequent than with real dice."""
        luck = self.random.random()
        if luck < 0.12:
            return 1
        if luck < 0.3:
            return sides
        return self.random.randint(1, sides)

    def _interject(self) -> bool:
        spec = self.spec
        everybody = [combatant.id for combatant in spec.combat]
        if everybody and not self._looks_at_all():
            everybody = [self.random.choice(everybody)]
        with looking():
            legal = [
                (who, offer.option.id, inputs)
                for who in everybody
                for offer in spec.live.options(who)
                if offer.prompt is None
                for inputs in offer.legal
            ]
        if not legal:
            return False
        who, action, inputs = self.random.choice(legal)
        return self._do(Act(who, action, inputs))

    def _rule(self) -> bool:
        """Return one of the ruleset's rulings, with inputs that its candidates propose."""
        spec = self.spec
        play = Play(spec.ruleset, spec.combat)
        rulings = list(spec.ruleset.rulings.values())
        self.random.shuffle(rulings)
        for ruling in rulings:
            with looking():
                legal = offer(play, "", ruling, None, "ruling", every=False).legal
            if legal and self._ruled(Ruling(ruling.id, self.random.choice(legal))):
                return True
        return False

    def _ruled(self, ruling: Ruling) -> bool:
        """Decide a ruling, and return false if it would change nothing.

        Affray may refuse an offered ruling only for this reason.
        """
        try:
            return self._do(ruling)
        except Illegal as refused:
            if refused.code != "nothing-changes":
                raise
            return False


def no_answer(prompt: Prompt) -> AssertionError:
    return AssertionError(f"no answer to {prompt.name!r} of {prompt.who or 'the GM'} is legal")


def answerable(spec: Spec) -> None:
    """Check that every open prompt has a legal answer."""
    play = Play(spec.ruleset, spec.combat)
    for prompt in spec.live.open_prompts().values():
        options = () if prompt.kind == "roll" else prompt.options
        with looking():
            tried = (offer(play, prompt.who or "", option, None, prompt.kind) for option in options)
            if prompt.kind != "roll" and not any(offer.legal for offer in tried):
                raise no_answer(prompt)


def unbroken(spec: Spec) -> None:
    """Check that only the GM has abandoned procedures."""
    events = [recorded.event for recorded in spec.last]
    asked = any(isinstance(event, Answered) and event.option == "abandon" for event in events)
    given_up = [event.reason for event in events if isinstance(event, ProcedureAbandoned)]
    assert asked or not given_up, f"a procedure was given up: {given_up}"


def nobody_gone_is_named(live: Session, offers: bool = True) -> None:
    """Check that no open prompt, text, data or offer names a departed combatant.

    This skips suspended prompts. Affray updates a prompt when its suspension ends.
    """
    combat = live.combat
    gone = [combatant for combatant in combat.combatants.values() if combatant.left]
    if not gone:
        return
    there = [name for combatant in combat for name in (combatant.id, combatant.name)]
    words = unspoken_of(
        [name for combatant in gone for name in (combatant.id, combatant.name)], there
    )
    play = Play(live.ruleset, combat)
    for id, prompt in live.open_prompts().items():
        asked = combat.prompts[id]
        if prompt.who is not None and combat[prompt.who].left:
            assert asked.answer is not None, f"{id} ({asked.name}) waits for who has left"
            continue
        choices = [Choice(prompt.who or "", option, id, prompt.kind) for option in prompt.options]
        with looking():
            proposed = [tried(choice, play, play, every=False) for choice in choices if offers]
        said = {"text": asked.text, "data": asked.data, "options": asked.options}
        plain = msgspec.json.decode(
            msgspec.json.encode({**said, "offers": [offer.values for offer in proposed]})
        )
        left = scrub(plain, words)
        assert left == plain, f"{id} ({asked.name}) names who has left: {_unlike(plain, left)}"


def _unlike(told: Any, left: Any) -> Any:
    """Return the parts of a JSON value that differ in `left`."""
    if isinstance(told, dict) and isinstance(left, dict):
        return {
            key: _unlike(told[key], left.get(key)) for key in told if told[key] != left.get(key)
        }
    return told


def hold(live: Session, offers: bool = True) -> None:
    """Check the invariants of every rulebook; with `offers`, also those of all offers.

    - No combatant has spent more than its budget.
    - No consequence of the state is missing.
    - A disabled combatant takes no action, and gets no prompt that requires an able combatant.
    - The state stays the same when Affray writes it and reads it back.
    """
    combat, ruleset = live.combat, live.ruleset
    for combatant in combat:
        owes = [kind for kind, left in combatant.budget.items() if left < 0]
        assert not owes, f"{combatant.id} has less than nothing of {owes}"
    follows = list(ruleset.consequences(combat, None, None))
    assert not follows, f"a consequence was not applied: {follows[0]}"
    if combat.status == "ended":
        assert not combat.frames, "a procedure waits in a combat that has ended"
        assert not combat.prompts, "a prompt is open in a combat that has ended"
    written = msgspec.json.encode(combat)  # Affray encodes past states in this form
    again = msgspec.json.decode(written, type=Combat)
    assert again == combat, "the state is another one after it was written and read"
    if combat.status == "running" and not combat.frames and combat.stalled is None:
        assert ruleset.flow(combat) is None, "`flow` has a next step that nobody runs"
    if combat.status == "running" and combat.stalled is None:
        assert live.open_prompts(), "the combat runs, and nobody is asked"
    shown = [id for id, prompt in combat.prompts.items() if not combat.is_suspended(prompt)]
    assert shown == list(live.open_prompts()), "the board shows other prompts than those that wait"
    run = live._top()
    assert run is not None or not combat.frames, (
        "the waiting procedure cannot be rebuilt from its events"
    )
    nobody_gone_is_named(live, offers)
    if run is not None and run.waiting is not None:
        for stops in run.waiting.ask.stops:
            assert stops() is None, f"a prompt waits for somebody who cannot go on: {stops()}"
        for id, prompt in run.waiting.prompts.items():
            if prompt.who is not None and prompt.default is not None:
                assert id in run.waiting.answers or not combat[prompt.who].left, f"{id} has left"
