"""Amend random fights: `python -m tests.amended_walks [RULESET …] --commands 3000 --seed 0`.

Each fight has its own seed and includes all that a past can contain, such as deadlines, standing
orders, private notes, erased texts and revealed seeds. The program tries amendments of the fight
without storing them, commits them and undoes them. It checks four invariants:

- An amendment without a change leaves everything the same, and stores the same bytes.
- An amendment and its undo restore the state.
- A what-if stores nothing.
- No audience learns anything new.

`--commands` is the number of commands to decide again, for each rulebook.
"""

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace as with_fields
from functools import partial
from random import Random
from typing import Any, Final

import msgspec

from domain.dice import parse
from domain.engine.amendment import (
    Amendment,
    AnyChange,
    DropCommand,
    GivenAnswer,
    InsertCommand,
    ReplaceCommand,
    SetAnswer,
    SetFaces,
    Step,
    Walk,
)
from domain.engine.caller import Caller, Context
from domain.engine.commands import (
    Act,
    AddSalt,
    Change,
    Command,
    Lapse,
    Note,
    Reply,
    RevealSeed,
    SetDeadlines,
    SetOrders,
    Undo,
)
from domain.engine.commands import GmRuling as Ruling
from domain.engine.redaction import unseen_by
from domain.engine.repetition import GivenFaces
from domain.engine.session import Session
from domain.errors import Refused
from domain.record.combat import Deadlines, DiceSettings, StandingOrder
from domain.record.erasure import erase
from domain.record.events import Rolled
from domain.record.export import export
from domain.record.recorded import Recorded, decode, encode
from domain.record.verify import verify
from projections.amendments import foreseen
from projections.events import event_view
from projections.eyes import Eyes
from service.conformance.walker import Walker
from tests.domain.amending import OPTIONS, OTHER, RULESETS, SHEETS, by_players, ends, walk_of
from tests.spec import GM, SEED, Spec
from tests.walks import FIGHTS

DICE: Final = ("server", "manual")
KINDS: Final = ("faces", "drop", "insert", "replace", "answer", "sheet")
AMENDMENTS: Final = 4
"""Number of changed amendments in one fight."""


class Fight:
    """A random fight with a past that an amendment can change."""

    def __init__(self, ruleset: str, seed: int) -> None:
        self.random = Random(seed)
        self.spec = Spec(RULESETS[ruleset])
        self.spec.prove = lambda: None  # type: ignore[method-assign]  # proved elsewhere
        self.late = False
        self.erased = False
        self.spec.context = self._context  # type: ignore[method-assign]
        if self.random.random() < 0.6:
            by_players(self.spec)
        dice = DiceSettings(self.random.choice(DICE), self.random.choice(DICE))
        rulings = self.random.choice(("ask", "default"))
        hidden = tuple(
            sheet["name"] for sheet in SHEETS[ruleset][2:] if self.random.random() < 0.15
        )
        options = OPTIONS.get(ruleset, {})
        self.spec.given(*SHEETS[ruleset], dice=dice, hidden=hidden, rulings=rulings, **options)
        self._played()

    def _context(self, by: Caller = GM) -> Context:
        """Return a context with deadlines and with a clock that advances."""
        made = Spec.context(self.spec, by)
        hour = f"2026-01-{1 + self.spec.live.version // 24 % 28:02}T"
        now = f"{hour}{self.spec.live.version % 24:02}:00:00Z"
        late = "2026-03-01T00:00:00Z"
        return with_fields(
            made, now=late if self.late else now, later=lambda seconds: "2026-02-01T00:00:00Z"
        )

    def _played(self) -> None:
        random, spec = self.random, self.spec
        walker = Walker(spec, random, undo=0.04, gm=0.05, thorough=1000)
        for _ in range(random.randint(15, 55)):
            if random.random() < 0.12:
                self._aside()
            if not walker.step():
                break
        if random.random() < 0.2 and spec.combat.status == "running":
            self._tried(spec.end)
        if random.random() < 0.15 and spec.combat.status != "ended":
            self._tried(lambda: spec.do(RevealSeed()))
        if random.random() < 0.3:
            self._erase()
        elif random.random() < 0.5:
            spec.reload()

    def _aside(self) -> None:
        """Do something that the rules do not cover, such as a pause or a private note."""
        random, spec = self.random, self.spec
        who = random.choice([combatant.id for combatant in spec.combat])
        match random.choice(("clock", "lapse", "salt", "orders", "note", "hide", "hide")):
            case "clock":
                turn, reaction = random.choice((None, 30)), random.choice((None, 600))
                clock = Deadlines(turn=turn, reaction=reaction, combatants={who: 45})
                command: Command = SetDeadlines(clock)
            case "lapse":
                self.late = True
                self._tried(lambda: spec.do(Lapse()))
                self.late = False
                return
            case "salt":
                command = AddSalt(who, f"salt {random.random()}")
            case "orders":
                asked = [(prompt.name, prompt.default) for prompt in spec.combat.prompts.values()]
                name, option = random.choice(asked or [("reaction", "pass")])
                command = SetOrders(who, (StandingOrder(name, option or "ask"),))
            case "note":
                command = Note(f"about {who} {random.random()}", private=random.random() < 0.5)
            case _:
                command = Change(who, hidden=not spec.combat[who].hidden)
        self._tried(lambda: spec.do(command))

    def _erase(self) -> None:
        """Erase a text, and load the combat again, as the service does."""
        recorded = list(self.spec.live.history.recorded)
        texts = [event.version for event in recorded if event.event.free_text]
        if not texts:
            return
        erased = erase(recorded, version=self.random.choice(texts))
        changed = {recorded.version: recorded for recorded in erased}
        events = [decode(encode(changed.get(event.version, event))) for event in recorded]
        self.spec.live = Session(self.spec.ruleset, events)
        self.erased = True

    def _tried(self, step: Callable[[], object]) -> bool:
        try:
            step()
        except Refused:
            return False
        return True


def audiences(live: Session) -> Iterator[Caller]:
    """Yield one caller for each player, and a spectator."""
    for combatant in live.combat:
        yield Caller(f"token of {combatant.id}", "player", (combatant.id,))
    yield Caller("seat", "spectator")


def story(live: Session, caller: Caller) -> list[Any]:
    """Return the events of the path as an audience reads them, without branch-specific fields."""
    eyes = Eyes(live.history, caller)
    views = [
        event_view(live, eyes, recorded)
        for recorded in live.history.path
        if eyes.sees(recorded.version)
    ]
    return [
        (view.type, {key: value for key, value in view.data.items() if key not in OWN})
        for view in views
        if view.type not in BACK
    ]


BACK: Final = ("reverted", "deadlines-set", "seed-committed", "seed-revealed")
"""Types of the events that an undo records."""

OWN: Final = ("prompt", "prompts", "group", "until", "frame", "key", "ordinal", "closes")
"""Fields whose values differ from branch to branch."""


def difference(then: list[Any], now: list[Any]) -> tuple[Any, Any]:
    """Return the lines of both lists around the first difference."""
    place = next((at for at, (a, b) in enumerate(zip(then, now, strict=False)) if a != b), None)
    at = min(len(then), len(now)) if place is None else place
    return then[at - 1 : at + 3], now[at - 1 : at + 3]


def versions(live: Session, opening: int) -> list[Recorded]:
    """Return the first event of each command of the path that can be amended."""
    events = []
    for recorded in live.history.path:
        if (
            recorded.version > opening
            and recorded.input is not None
            and recorded.input.get("type") != "open"
        ):
            events.append(recorded)
    return [
        recorded
        for recorded in events
        if recorded.input and recorded.input.get("type") not in ASIDE
    ]


ASIDE: Final = ("undo", "redo", "goto", "amend", "request", "settle-request", "abandon")


class Amender:
    """A checker that amends one fight in every way."""

    def __init__(self, fight: Fight, counts: Counter[str]) -> None:
        self.fight, self.random, self.counts = fight, fight.random, counts
        self.live = fight.spec.live
        self.before = self._fingerprint()
        opening = self.live.history.command_of(1)[1]
        self.commands = versions(self.live, opening)
        self.path = [recorded for recorded in self.live.history.path if recorded.version > opening]

    def _fingerprint(self) -> tuple[Any, ...]:
        live = self.live
        return (live.version, live.digest, live.history.head, msgspec.json.encode(live.combat))

    def _unstored(self) -> None:
        assert self._fingerprint() == self.before, "something was stored"

    def all(self) -> None:
        """Check every invariant."""
        if not self.commands:
            return
        self.unchanged()
        for _ in range(AMENDMENTS):
            self.changed(self._changes())
        self.forward()

    def unchanged(self) -> None:
        """Check that an amendment without changes changes nothing for any reader."""
        since = self.random.choice(self.commands).version
        walk = walk_of(self.live, Amendment(since=since, impossible="skip"), stores=True)
        steps = self._walked(walk)
        erased = [step for step in steps if step.verdict != "same"]
        forgotten = self.fight.erased and erased and erased[0].verdict == "impossible"
        assert not erased or forgotten, erased[0]
        self._stored(walk)
        if erased:
            return
        assert ends(walk.live.combat) == ends(self.live.combat), "another end"
        assert not walk.chance
        originals = {recorded.version: recorded for recorded in self.live.history.recorded}
        for recorded in walk.recorded:
            if recorded.replays and recorded.replays in originals:
                old = originals[recorded.replays]
                assert recorded.audience == old.audience or type(recorded.event) is not type(
                    old.event
                )
        for caller in audiences(self.live):
            then, now = story(self.live, caller), story(walk.live, caller)
            assert then == now, (caller, *difference(then, now))

    def changed(self, changes: Sequence[AnyChange]) -> None:
        """Check that Affray can load, prove and undo the result of a changed amendment."""
        random = self.random
        amendment = Amendment(
            tuple(changes),
            None,
            "a mistake",
            random.choice(("server", "server", "ask", "list")),
            (GivenFaces((random.randint(1, 6),)), GivenFaces((random.randint(1, 20),))),
            random.choice(("ask", "default", "default")),
            (GivenAnswer(random.choice(self.commands).version, "turn"),),
            random.choice(("stop", "skip", "skip", "ask")),
        )
        try:
            dry = walk_of(self.live, amendment, OTHER)
            list(dry)
            walk = walk_of(self.live, amendment, stores=True)
            steps = self._walked(walk)
        except Refused as refused:
            self.counts[f"refused: {type(refused).__name__}"] += 1
            self._unstored()
            return
        assert dry.digest == walk.digest, "the dry run came to something else"
        self.counts.update(f"{type(change).__name__}" for change in changes)
        self._stored(walk)
        self._hidden_stays(walk, steps)

    def _hidden_stays(self, walk: Walk, steps: Sequence[Step]) -> None:
        """Check that an unchanged command keeps its audiences, unless somebody hides or appears."""
        originals = {recorded.version: recorded for recorded in self.live.history.recorded}
        for step in steps:
            if step.verdict != "same" or not step.first:
                continue
            then = self.live.state(originals[step.at].parent)
            now = walk.live.state(walk.live.history.recorded_at(step.first).parent)
            if _seen(then) != _seen(now):
                continue
            span = [(step.first, step.last)]
            for recorded in walk.live.history.gather(span):
                old = originals.get(recorded.replays)
                if old is not None and type(old.event) is type(recorded.event):
                    assert recorded.audience == old.audience, (recorded, old)

    def _walked(self, walk: Walk) -> list[Step]:
        steps = list(walk)
        self.counts["commands"] += len(steps)
        self.counts.update(step.verdict for step in steps)
        self._unstored()
        return steps

    def _stored(self, walk: Walk) -> None:
        """Load the stored result from its bytes, prove it, and undo it, as after a commit."""
        live = walk.live
        recorded = [decode(encode(recorded)) for recorded in live.history.recorded]
        again = Session(live.ruleset, recorded)
        assert again.combat == live.combat
        assert list(again.open_prompts()) == list(live.open_prompts())
        report = verify(b"".join(export(live.history.recorded)))
        assert report.sound, report.faults
        context = self.fight.spec.context()
        seeds = {**context.secrets, **walk.seeds, live.combat.commitment: SEED}
        undone = again.decide(Undo(), with_fields(context, secrets=seeds)).live
        there, here = (_alike(session.combat) for session in (undone, self.live))
        assert there == here, "undo gives another state"
        assert list(undone.open_prompts()) == list(self.live.open_prompts())

    def _changes(self) -> list[AnyChange]:
        """Return one random change, sometimes two."""
        count = self.random.choice((1, 1, 1, 2))
        return [self._change(self.random.choice(KINDS)) for _ in range(count)]

    def _change(self, kind: str) -> AnyChange:
        random = self.random
        at = random.choice(self.commands)
        combat = self.live.state(at.parent)
        who = random.choice(list(combat))
        acts = [
            recorded
            for recorded in self.commands
            if (recorded.input or {}).get("type") in ("act", "reply")
        ]
        rolls = [recorded for recorded in self.path if isinstance(recorded.event, Rolled)]
        if kind == "faces" and rolls:
            roll = random.choice(rolls)
            assert isinstance(roll.event, Rolled)
            dice = parse(roll.event.formula).dice
            return SetFaces(roll.version, tuple(random.randint(1, abs(die)) for die in dice))
        if kind == "insert":
            track = random.choice(list(who.tracks))
            value = random.choice((-3, 0, 1, 7, 40))
            word = next(
                name
                for name in ("combatant", "who")
                if name in self.live.ruleset.rulings["set-track"].inputs.__struct_fields__
            )
            ruled = Ruling("set-track", {word: who.id, "track": track, "value": value})
            return InsertCommand(at.version, ruled)
        if kind == "sheet":
            numbers = [name for name, value in who.sheet.items() if type(value) is int]
            name = random.choice(numbers or ["name"])
            more = who.sheet[name] + random.choice((-1, 1, 2)) if numbers else who.name
            some: tuple[Change | Note, ...] = (
                Change(who.id, sheet={name: more}),
                Change(who.id, hidden=not who.hidden),
                Note("a note", private=random.random() < 0.5),
            )
            return InsertCommand(at.version, random.choice(some))
        if kind in ("replace", "answer") and acts:
            chosen, model = random.choice(acts), random.choice(acts).input or {}
            given = chosen.input or {}
            option = model.get("action") or model.get("option")
            inputs = model.get("inputs", {})
            if kind == "answer" and option:
                return SetAnswer(chosen.version, option, inputs)
            if given.get("type") == "act" and option:
                command: Act | Reply = Act(given["combatant"], option, inputs)
            else:
                command = Reply(given.get("prompt", "GM:1"), option, inputs)
            return ReplaceCommand(chosen.version, command)
        return DropCommand(at.version)

    def forward(self) -> None:
        """Check that a player's what-if stores nothing and names nobody hidden from the player."""
        for caller in audiences(self.live):
            answerable = [
                (id, prompt) for id, prompt in self.live.open_prompts().items()
                if caller.plays(self.live.combat, prompt.who) and prompt.kind != "roll"
            ]  # fmt: skip
            if caller.role != "player" or not answerable:
                continue
            id, prompt = self.random.choice(answerable)
            option = self.random.choice(prompt.options).id
            models = [(recorded.input or {}).get("inputs", {}) for recorded in self.commands]
            inputs = self.random.choice([{}, *models])
            told = []
            for seed in (OTHER, OTHER):
                context = with_fields(
                    self.fight.spec.context(caller),
                    secrets={self.live.combat.commitment: seed},
                )
                commands = [Reply(id, option, inputs)] * 2
                try:
                    lines = [
                        foreseen(caller, number, decision)
                        for number, (decision, _) in enumerate(
                            self.live.foresee(commands, partial(_always, context))
                        )
                    ]
                except Refused as refused:
                    told.append(str(refused))
                    continue
                self.counts["foreseen"] += len(lines)
                told.append(msgspec.json.encode(lines).decode())
            self._unstored()
            for hidden in unseen_by(self.live.combat, caller):
                name = self.live.combat[hidden].name
                assert f'"{name}"' not in told[0], (caller, name, told[0])


def _always(context: Context) -> Context:
    return context


def _seen(combat: Any) -> Any:
    """Return the hidden state, side and owner of each combatant."""
    return [
        (combatant.id, combatant.hidden, combatant.side, combatant.owner) for combatant in combat
    ]


def _alike(combat: Any) -> Any:
    """Return a state without counters, times and the seed, which an undo replaces."""
    plain: Any = msgspec.to_builtins(combat)
    for name in ("commitment", "seed"):
        del plain[name]
    for prompt in plain["prompts"].values():
        prompt["until"] = None
    return plain


def walk(ruleset: str, commands: int, seed: int) -> None:
    """Play fight after fight, and print the results."""
    counts: Counter[str] = Counter()
    began, fights = time.process_time(), 0
    while counts["commands"] < commands:
        try:
            Amender(Fight(ruleset, seed), counts).all()
        except BaseException:
            print(f"{ruleset}: seed {seed}")
            raise
        seed, fights = seed + 1, fights + 1
    took = time.process_time() - began
    told = ", ".join(f"{what} {count}" for what, count in sorted(counts.items()))
    print(f"{ruleset}: {fights} fights, {took:.0f} s of a processor: {told}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rulesets", nargs="*", metavar="RULESET", choices=[*FIGHTS, "toy", []])
    parser.add_argument("--commands", type=int, default=3_000, help="for each rulebook")
    parser.add_argument("--seed", type=int, default=0, help="of the first fight")
    chosen = parser.parse_args()
    for ruleset in chosen.rulesets or FIGHTS:
        walk(ruleset, chosen.commands, chosen.seed)


if __name__ == "__main__":
    main()
