"""Given / when / then for rulesets: a fight, the declarations, the dice, and the expected facts.

A test scripts all dice in the order of their prompts: `("attack", 14)`, `("damage", 3, 4)`. It
fails if dice are left over or missing. After every step, the spec makes two checks:

- The state rebuilt from the stored bytes equals the live state.
- The procedure rebuilt from the stored events waits at the same prompts.

In a long walk, most steps add only the new events. At intervals, a step rebuilds the state from all
events. The spec needs no pytest.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from domain.engine.caller import Caller, Context
from domain.engine.commands import (
    Act,
    Begin,
    Close,
    Command,
    End,
    Goto,
    Join,
    Joining,
    Leave,
    Open,
    Redo,
    Reply,
    Resume,
    SetOrders,
    Undo,
)
from domain.engine.commands import GmRuling as Ruling
from domain.engine.options import Choice, Offer, tried
from domain.engine.session import Session
from domain.errors import Illegal, Refused
from domain.record.combat import Combat, Combatant, DiceSettings, StandingOrder
from domain.record.events import Event, Rolled
from domain.record.evolve import fold
from domain.record.recorded import Recorded, decode, encode
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option, Prompt
from domain.rulebook.ruleset import Ruleset

E = TypeVar("E", bound=Event)
R = TypeVar("R", bound=Refused)

GM = Caller("gm", "gm")
MANUAL = DiceSettings("manual", "manual")
SEED = bytes(range(32))

FIELDS = {"combatant", "action", "option", "ruling", "inputs"}
"""The fields of a declaration, an answer and a ruling."""

WHOLE = 25
"""Steps between two checks that rebuild the state from all events."""

Dice = tuple[Any, ...]


class Spec:
    """One fight under a ruleset, played by a test."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.live = Session(ruleset)
        self.last: tuple[Recorded, ...] = ()
        self.commands: list[Command] = []
        """All decided commands, so that they can be repeated."""
        self._commands = 0
        self._dice: list[Dice] = []
        self.proves = True
        """If false, skip the check that the events rebuild the state."""
        self._proved = Session(ruleset)
        self._steps = 0

    def branch(self) -> "Spec":
        """Return a copy of the fight. Playing the copy does not change this one."""
        other = Spec(self.ruleset)
        other.live, other._commands = self.live.apart(), self._commands
        return other

    # ---- given

    def given(
        self,
        *sheets: Mapping[str, Any],
        sides: tuple[str, ...] = (),
        map: Mapping[str, Any] | None = None,
        hidden: tuple[str, ...] = (),
        dice: DiceSettings = MANUAL,
        **options: Any,
    ) -> "Spec":
        """Open a combat with these sheets. The ids are the names."""
        joining = tuple(Joining(sheet, hidden=sheet["name"] in hidden) for sheet in sheets)
        self.do(Open(self.ruleset.id, "test", options, dice, sides, map, joining))
        return self

    # ---- when

    def do(self, command: Command, *dice: Dice, by: Caller = GM) -> "Spec":
        """Decide a command. Roll prompts are answered from `dice`, in order."""
        before = self.live.version
        self._dice = list(dice)
        self._decide(command, by)
        while (prompt := self._roll_prompt()) is not None and self._dice:
            id, asked = prompt
            purpose, *faces = self._dice.pop(0)
            assert asked.name == purpose, f"{purpose!r} was scripted, but {asked.text}"
            self._decide(Reply(id, None, {"faces": faces}), GM)
        assert not self._dice, f"dice left over: {self._dice}; open: {self.open()}"
        self.last = tuple(self.live.history.gather([(before + 1, self.live.version)]))
        fixed = self.ruleset.dice(self.combat)
        for rolled in self.events(Rolled):
            assert fixed.get(rolled.purpose, rolled.formula) == rolled.formula, (
                f"`dice` promises {fixed[rolled.purpose]} for {rolled.purpose}: {rolled.formula}"
            )
        if self.proves:
            self.prove()
        return self

    def begin(self, *dice: Dice) -> "Spec":
        return self.do(Begin(), *dice)

    def end(self, *dice: Dice, winners: tuple[str, ...] | None = None) -> "Spec":
        return self.do(End(winners), *dice)

    def act(self, who: str, action: str, *dice: Dice, **inputs: Any) -> "Spec":
        """Declare an action of `who`."""
        return self.do(Act(who, action, inputs), *dice)

    def answer(
        self, who: str | None, option: str, *dice: Dice, name: str | None = None, **inputs: Any
    ) -> "Spec":
        """Answer the open prompt of `who`, or the prompt with this `name`.

        If `who` is `None`, answer for the GM. If several prompts match, answer the first one that
        has no answer.
        """
        asked = [
            id
            for id, prompt in self.live.open_prompts().items()
            if prompt.who == who and name in (None, prompt.name)
        ]
        assert asked, f"nothing asks {who or 'the GM'}; open: {self.open()}"
        asked.sort(key=lambda id: self.combat.prompts[id].answer is not None)
        return self.do(Reply(asked[0], option, inputs), *dice)

    def throw(self, *faces: int) -> "Spec":
        """Send the faces of the open roll."""
        (id,) = (id for id, prompt in self.live.open_prompts().items() if prompt.kind == "roll")
        return self.do(Reply(id, None, {"faces": faces}))

    def reload(self) -> "Spec":
        """Rebuild the fight only from its stored events, and continue with it."""
        recorded = [decode(encode(recorded)) for recorded in self.live.history.recorded]
        self.live = Session(self.ruleset, recorded)
        return self

    def rule(self, ruling: str, /, *dice: Dice, **inputs: Any) -> "Spec":
        """Make a ruling of the GM. `who`, `unit` and `target` are short for `combatant`."""
        known = self.ruleset.rulings.get(ruling)
        fields = () if known is None else known.inputs.__struct_encode_fields__
        for short in ("who", "unit", "target"):
            if "combatant" in fields and {short, "combatant"} & {*inputs} == {short} - {*fields}:
                inputs = {"combatant" if key == short else key: inputs[key] for key in inputs}
        return self.do(Ruling(ruling, inputs), *dice)

    def changes_nothing(self, ruling: str, /, **inputs: Any) -> str:
        """Check that a ruling is refused because it changes nothing. Return the sentence."""
        with self.raises(Illegal) as caught:
            self.rule(ruling, **inputs)
        assert caught[0].code == "nothing-changes", caught[0].detail
        return caught[0].detail

    def join(self, *dice: Dice, hidden: bool = False, **sheet: Any) -> "Spec":
        return self.do(Join(Joining(sheet, hidden=hidden)), *dice)

    def leave(self, who: str) -> "Spec":
        return self.do(Leave(who))

    def orders(self, who: str, *orders: StandingOrder) -> "Spec":
        return self.do(SetOrders(who, orders))

    def close(self, *prompts: str) -> "Spec":
        return self.do(Close(prompts))

    def undo(self, over: Any = "command") -> "Spec":
        return self.do(Undo(over))

    def redo(self) -> "Spec":
        return self.do(Redo())

    def goto(self, version: int) -> "Spec":
        return self.do(Goto(version))

    def resume(self) -> "Spec":
        return self.do(Resume())

    # ---- then

    @contextmanager
    def refused(self, rule: str, code: str) -> Iterator[None]:
        """Check that this rule refuses the command in the block, and that nothing changes."""
        with self.raises(Illegal) as caught:
            yield
        illegal = caught[0]
        assert (illegal.rule, illegal.code) == (rule, code), (
            f"refused by {illegal.rule} {illegal.code}: {illegal.detail}"
        )

    @contextmanager
    def raises(self, kind: type[R]) -> Iterator[list[R]]:
        """Check that the command in the block raises this error, and that nothing changes."""
        before, combat = self.live.version, self.live.combat
        caught: list[R] = []
        try:
            yield caught
        except kind as refused:
            caught.append(refused)
        else:
            raise AssertionError(f"nothing raised {kind.__name__}")
        assert self.live.version == before
        assert self.live.combat == combat
        self.prove()

    @property
    def combat(self) -> Combat:
        return self.live.combat

    def __getitem__(self, who: str) -> Combatant:
        return self.live.combat[who]

    def hp(self, who: str, track: str = "hp") -> int:
        return self[who].tracks[track].value

    def events(self, kind: type[E], **fields: Any) -> list[E]:
        """Return the events of the last step that are of this kind and have these fields."""
        return [
            recorded.event
            for recorded in self.last
            if isinstance(recorded.event, kind)
            and all(getattr(recorded.event, name) == value for name, value in fields.items())
        ]

    def event(self, kind: type[E], **fields: Any) -> E:
        """Return the only event of this kind, with these fields, in the last step."""
        es = self.events(kind, **fields)
        assert len(es) == 1, f"{len(es)} of {kind.__name__} {fields}: {self.told()}"
        return es[0]

    def rolled(self, purpose: str, who: str | None = None) -> Rolled:
        """Return the only roll of this purpose in the last step."""
        fields = {"purpose": purpose} if who is None else {"purpose": purpose, "who": who}
        return self.event(Rolled, **fields)

    def open(self) -> list[tuple[str, str, str | None]]:
        """Return (kind, name, who) of each open prompt."""
        return [
            (prompt.kind, prompt.name, prompt.who) for prompt in self.live.open_prompts().values()
        ]

    def prompt(self, who: str | None = None, name: str | None = None) -> Prompt:
        """Return the only open prompt, or the one for `who` called `name`."""
        prompts = [
            prompt
            for prompt in self.live.open_prompts().values()
            if who in (None, prompt.who) and name in (None, prompt.name)
        ]
        assert len(prompts) == 1, self.open()
        return prompts[0]

    def shown(self) -> tuple[str, int, int | None]:
        """Return the numbers of the open roll: its dice, the sum of its terms, its target."""
        (asked,) = (prompt for prompt in self.combat.prompts.values() if prompt.kind == "roll")
        terms: Any = asked.data["terms"]
        target: Any = asked.data.get("target")
        return str(asked.data["formula"]), sum(value for _, value, _ in terms), target

    def legal(self, who: str) -> set[str]:
        """Return the legal options of `who`."""
        return {offer.option.id for offer in self.live.options(who) if offer.legal}

    def refusals(self, who: str, option: str) -> set[tuple[str, str]]:
        """Return (rule, code) of every reason why `who` may not choose an option."""
        return {
            (refusal.rule, refusal.code)
            for offer in self.live.options(who)
            if offer.option.id == option
            for refusal in offer.refusals
        }

    def told(self) -> list[Event]:
        """Return the events of the last step."""
        return [recorded.event for recorded in self.last]

    def context(self, by: Caller = GM) -> Context:
        """Return the context for the next command."""
        commitment = self.live.combat.commitment
        return Context(
            "combat",
            by,
            f"command-{self._commands}",
            "2026-01-01T00:00:00Z",
            {commitment: SEED} if commitment else {},
            SEED,
            "salt",
        )

    def prove(self) -> None:
        """Check that the stored bytes give the live state, and the same waiting prompts."""
        self._steps += 1
        if self._steps <= WHOLE or self._steps % WHOLE == 0:
            self._proved = Session(self.ruleset)
        recorded = self.live.history.gather([(self._proved.version + 1, self.live.version)])
        again = self._proved.with_events(decode(encode(event)) for event in recorded)
        if not self._proved.version:
            folded = fold(recorded.event for recorded in again.history.path)
            assert folded == again.combat, "the fold of the events is not the loaded state"
        self._proved = again
        assert again.combat == self.live.combat, "the fold of the events is not the live state"
        assert (again.digest, again.asked) == (self.live.digest, self.live.asked)
        waits = list(self.live.open_prompts())
        rebuilt = list(again.open_prompts())
        assert rebuilt == waits, f"the rebuilt procedure waits at {rebuilt}, not at {waits}"
        for id, prompt in again.open_prompts().items():
            stored = again.combat.prompts[id]
            assert (prompt.kind, prompt.text) == (stored.kind, stored.text), (
                f"the rebuilt prompt {id} asks {prompt.text!r}, not {stored.text!r}"
            )
            assert prompt.kind != "roll" or prompt.data == stored.data, (
                f"the rebuilt roll {id} has {prompt.data}, not {stored.data}"
            )

    # ---- inside

    def _decide(self, command: Command, by: Caller) -> None:
        self._commands += 1
        self.commands.append(command)
        try:
            self.live = self.live.decide(command, self.context(by)).live
        except Refused as refused:
            self.commands.pop()
            self._commands -= 1
            if isinstance(command, Act | Reply | Ruling):
                assert_points_into_the_body(refused)
            raise

    def _roll_prompt(self) -> tuple[str, Prompt] | None:
        for id, prompt in self.live.open_prompts().items():
            if prompt.kind == "roll":
                return id, prompt
        return None


def assert_points_into_the_body(refused: Refused) -> None:
    """Check that the pointer of a refusal leads to a field of the sent inputs."""
    pointer = getattr(refused, "pointer", None)
    assert pointer is None or pointer.split("/")[1] in FIELDS, pointer


def offer(
    known: Play,
    who: str,
    option: Option,
    prompt: str | None,
    kind: str,
    truth: Play | None = None,
    *,
    every: bool = True,
) -> Offer:
    """Return the offer of an option: its legal inputs, or the reasons to refuse it."""
    return tried(Choice(who, option, prompt, kind), known, truth or known, every=every)
