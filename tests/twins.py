"""Check that the order in which combatants join does not change a fight.

`python -m tests.twins [RULESET …] --commands 20000 --seed 0` plays pairs of combats. One combat of
a pair gets the sheets in order, the other in reverse order. Both get the same answers, and the same
faces for the same roll.

A rulebook may let the joining order decide (`ORDERED`). A pair ends where the order makes a
difference, and the report counts these ends by rule.

After each answer, both combats must satisfy the invariants of `hold`. With `--thorough 1`, the
program checks all offers and rebuilds both combats after each answer instead of every tenth.
"""

import argparse
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any

import msgspec

from domain.dice import parse_roll
from domain.engine.commands import Reply
from domain.record.combat import Combatant, Id, Json
from domain.record.events import ActionDeclared, Answered, AnyEvent, EffectResolved, Moved, Rolled
from domain.rulebook.play import Play
from domain.rulebook.prompts import Prompt
from domain.rulebook.ruleset import Ruleset
from domain.rulebook.state_cache import looking
from domain.rulesets import installed
from domain.rulesets.hallowed_earth.numbers import current
from service.conformance.walker import hold
from tests.rulesets.sovereign.fight import MAP
from tests.spec import Spec, offer
from tests.walks import FIGHTS


def _agility_ties(spec: Spec, events: Sequence[AnyEvent]) -> bool:
    """Return true if two combatants whose results come at the same moment have equal Agility."""
    doing = {
        event.who
        for event in events
        if isinstance(event, EffectResolved)
        or (isinstance(event, Rolled) and event.against is not None)
    }
    scores = [current(spec[who], "agility") for who in doing]
    return len(scores) > len(set(scores))


def _several_opportunities(spec: Spec, events: Sequence[AnyEvent]) -> bool:
    """Return true if several combatants take attacks of opportunity at the newest action."""
    taken: set[Id] = set()
    for recorded in reversed(spec.live.history.path):
        event = recorded.event
        if isinstance(event, ActionDeclared) and taken:
            break
        if isinstance(event, Answered) and event.option == "attack-of-opportunity":
            taken.add(event.who or "")
    return len(taken) > 1


def _several_charges(spec: Spec, events: Sequence[AnyEvent]) -> bool:
    """Return true if several combatants move in one slot of fast actions."""
    return len({event.who for event in events if isinstance(event, Moved)}) > 1


ORDERED: Mapping[str, Mapping[str, Callable[[Spec, Sequence[AnyEvent]], bool]]] = {
    "hallowed-earth": {"HE-TIE-07": _agility_ties},
    "sovereign": {"SOV-AOO-04": _several_opportunities},
    "vile-darkness": {"GAP-05": _several_charges},
}
"""Rules that let the joining order decide. Each function returns true if it has decided.

Some other rules order only prompts or dice by joining: DEF-INI-01, FH-INI-03, VD-INIT-01,
VD-DECL-01, GAP-11. Equal rolls have equal faces here, so this order must not matter.
"""

OF_A_SIDE = {"sovereign": ("initiative", "initiative-tie")}
"""Rolls for all of a side, which its first member makes."""

TIED = ("group-initiative",)
"""Rolls that always get the same face, so that many combatants act at the same moment."""


MANY = 9
"""Maximum number of rolls for one purpose by a combatant in one phase, without rerolls."""

IDLE = ("pass", "done", "none", "end-turn", "declare", "delay")
"""Answers that the walker seldom gives, so that much happens at the same moment."""


class Twins:
    """Two combats of one fight: `first` has the sheets in order, `second` in reverse order."""

    def __init__(
        self, ruleset: Ruleset, sheets: Iterable[Mapping[str, Any]], seed: int, **options: Any
    ) -> None:
        listed = list(sheets)
        self.seed, self.random = seed, Random(seed)
        self.thorough, self.steps = 1, 0
        self.first = Spec(ruleset).given(*listed, **options)
        self.second = Spec(ruleset).given(*listed[::-1], **options)
        self.left_to_joining = Counter[str]()
        self._rolled: dict[Spec, Counter[tuple[Json, ...]]] = {
            self.first: Counter(),
            self.second: Counter(),
        }

    @property
    def both(self) -> tuple[Spec, Spec]:
        return self.first, self.second

    def begin(self) -> "Twins":
        for spec in self.both:
            spec.begin()
            self._settle(spec)
        self.same()
        return self

    def walk(self, steps: int) -> int:
        """Give at most `steps` answers, and return their number."""
        for done in range(steps):
            if not self.step():
                return done
        return steps

    def step(self) -> bool:
        """Give the same answer in both combats. Return false if no prompt is open."""
        self.steps += 1
        whole = self.steps % self.thorough == 0
        waiting = [_named(prompt) for prompt in self._waiting(self.first).values()]
        if not waiting:
            return False
        before = [spec.live.version for spec in self.both]
        name, who = self.random.choice(sorted(waiting))
        option, inputs = self._choice(name, who)
        for spec in self.both:
            spec.proves = whole
            self._reply(spec, name, who, option, inputs)
            self._settle(spec)
            hold(spec.live, offers=whole)
        try:
            self.same()
        except AssertionError:
            rule = self._left_by_rule(before)
            if rule is None:
                raise
            self.left_to_joining[rule] += 1
            return False
        return True

    def _left_by_rule(self, before: Sequence[int]) -> str | None:
        """Return the rule that let the joining order decide after the last answer, or `None`."""
        for rule, has_left in ORDERED.get(self.first.ruleset.id, {}).items():
            for spec, version in zip(self.both, before, strict=True):
                path = spec.live.history.path
                if has_left(
                    spec, [recorded.event for recorded in path if recorded.version > version]
                ):
                    return rule
        return None

    def same(self) -> None:
        """Check that both combats have the same state and prompts."""
        asked = [sorted(map(_named, self._waiting(spec).values())) for spec in self.both]
        assert asked[0] == asked[1]
        for who in self.first.combat.combatants:
            assert known(self.first[who]) == known(self.second[who])
        states = [(spec.combat.phase, spec.combat.round, spec.combat.status) for spec in self.both]
        assert states[0] == states[1]

    # ---- inside

    def _choice(self, name: str, who: str) -> tuple[str, Mapping[str, Json]]:
        prompt = next(
            prompt for prompt in self._waiting(self.first).values() if _named(prompt) == (name, who)
        )
        play = Play(self.first.ruleset, self.first.combat)
        with looking():
            legal = [
                (option.id, inputs)
                for option in prompt.options
                for inputs in offer(play, who, option, None, prompt.kind, every=False).legal
            ]
        idle = [choice for choice in legal if choice[0] in IDLE]
        does = [choice for choice in legal if choice[0] not in IDLE]
        if idle and does:
            wanted = 0.2 if prompt.kind == "declare" else 0.8
            legal = does if self.random.random() < wanted else idle
        return self.random.choice(sorted(legal, key=msgspec.json.encode))

    def _reply(
        self, spec: Spec, name: str, who: str, option: str, inputs: Mapping[str, Json]
    ) -> None:
        id = next(id for id, prompt in self._waiting(spec).items() if _named(prompt) == (name, who))
        spec.do(Reply(id, option, inputs))

    def _waiting(self, spec: Spec) -> dict[Id, Prompt]:
        """Return the open prompts of combatants."""
        return {
            id: prompt
            for id, prompt in spec.live.open_prompts().items()
            if prompt.who is not None
            and prompt.kind != "roll"
            and spec.combat.prompts[id].answer is None
        }

    def _settle(self, spec: Spec) -> None:
        """Roll all dice, and answer the GM's prompts with the default or the first answer."""
        while True:
            open_now = spec.live.open_prompts()
            for id, prompt in open_now.items():
                if prompt.kind == "roll":
                    spec.do(Reply(id, None, {"faces": self._faces(spec, prompt)}))
                    break
                if prompt.who is None:
                    self._rule(spec, id, prompt)
                    break
            else:
                return

    def _rule(self, spec: Spec, id: Id, prompt: Prompt) -> None:
        if prompt.default is not None:
            spec.close(id)
            return
        play = Play(spec.ruleset, spec.combat)
        with looking():
            answers = [
                (option.id, inputs)
                for option in prompt.options
                for inputs in offer(play, "", option, None, prompt.kind).legal
            ]
        option, inputs = min(answers, key=msgspec.json.encode)
        spec.do(Reply(id, option, inputs))

    def _faces(self, spec: Spec, prompt: Prompt) -> list[int]:
        """Return faces that depend only on combatant, purpose, round and phase, not on the order.

        Equal rolls get equal faces, but new faces after every `MANY` rolls. A rule that rolls again
        until two results differ thus ends.
        """
        if prompt.name in TIED:
            return [4]
        formula, combat = prompt.data["formula"], spec.combat
        who = prompt.who or ""
        if prompt.name in OF_A_SIDE.get(spec.ruleset.id, ()):
            who = spec[who].side
        roll = (prompt.name, who, formula, combat.round, combat.phase)
        number = self._rolled[spec][roll] // MANY
        self._rolled[spec][roll] += 1
        luck = Random(f"{self.seed} {roll} {number}")
        return [luck.randint(1, abs(die)) for die in parse_roll(formula).dice]


def _named(prompt: Prompt) -> tuple[str, str]:
    return prompt.name, prompt.who or ""


def known(combatant: Combatant) -> Mapping[str, Any]:
    """Return the state of a combatant as plain data."""
    plain: dict[str, Any] = msgspec.to_builtins(combatant)
    plain["conditions"] = sorted(plain["conditions"], key=lambda held: (held["id"], held["key"]))
    return plain


OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "definitions": {"death_roll": "all-equal"},
    "sovereign": {"map": MAP},
}
"""Inputs of a fight of each rulebook apart from its sheets."""

LONGEST = 100
"""Maximum number of answers in one fight."""


def fight(ruleset: str, seed: int) -> Twins:
    """Begin the walker's fight twice."""
    options = OPTIONS.get(ruleset, {})
    return Twins(installed()[ruleset], FIGHTS[ruleset](), seed, **options).begin()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rulesets", nargs="*", metavar="RULESET", choices=[*FIGHTS, []])
    parser.add_argument("--commands", type=int, default=20_000, help="for each rulebook")
    parser.add_argument("--seed", type=int, default=0, help="of the first fight")
    parser.add_argument("--thorough", type=int, default=10, help="answers between two whole looks")
    chosen = parser.parse_args()
    for ruleset in chosen.rulesets or FIGHTS:
        given, seed, ends = 0, chosen.seed, Counter[str]()
        while given < chosen.commands:
            twins = fight(ruleset, seed)
            twins.thorough = chosen.thorough
            try:
                given += max(1, twins.walk(LONGEST))
            except BaseException:
                print(f"{ruleset}: seed {seed}, {twins.first.combat.phase}")
                raise
            ends.update(twins.left_to_joining)
            seed += 1
        left = "".join(f"; {count} ended by {rule}" for rule, count in sorted(ends.items()))
        print(f"{ruleset}: {given} answers in {seed - chosen.seed} pairs of fights{left}")


if __name__ == "__main__":
    main()
