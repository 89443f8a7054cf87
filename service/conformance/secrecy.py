"""Secrecy: check that fights that differ only in hidden facts give a player the same bytes.

A hidden combatant answers prompts, attacks, moves and takes damage. In the second fight, it has
more points, and nothing else differs. After each command, a player must read the same board,
events, log and options in both fights.
"""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from domain.dice import parse_roll
from domain.engine.caller import Caller
from domain.engine.commands import Begin, Close, Command, Join, Joining, Open, Reply
from domain.errors import Refused
from domain.rulebook.play import Play
from domain.rulebook.prompts import Prompt
from domain.rulebook.ruleset import Ruleset, Sheet
from projections.board import board
from projections.events import event_view
from projections.eyes import Eyes
from projections.offers import offers
from projections.timeline import Wanted, page
from service.conformance.case import Broken, Budget, fights
from service.conformance.spec import Spec, offer

PLAYER: Final = Caller("p1", "player", owner="anna")

HIDDEN: Final = "Lurker"

HEALTH: Final = (700, 900)
"""The points of the hidden combatant in each fight. They are enough to survive."""

LONGEST: Final = 40
"""The limit of answers in one pair of fights."""


def seen(spec: Spec, player: Caller = PLAYER) -> list[bytes]:
    """Return all that the player can read: board, events, log, options, and place in the stream."""
    live = spec.live
    eyes = Eyes(live.history, player)
    encode: Any = msgspec.json.Encoder(order="deterministic").encode
    views = [event_view(live, eyes, recorded) for recorded in eyes.between(0, 10_000)]
    entries, following = page(live, eyes, Wanted())
    told = [[replace(entry, command="") for entry in entries], following]
    return [
        encode(board(live, eyes)),
        encode([replace(view, command="") for view in views]),
        encode(told),
        encode(offers(live, eyes, refused=True)),
        encode(eyes.sequence),
    ]


READ: Final = ("the board", "the events", "the log", "the options", "the place in the stream")


class Pair:
    """Two combats that differ only in the hidden combatant. `apart` has the two sheets."""

    def __init__(
        self,
        ruleset: Ruleset,
        opens: Open,
        apart: Sequence[Mapping[str, Any]],
        seed: int,
    ) -> None:
        self.hidden = str(apart[0]["name"])
        self.random = Random(seed)
        self.asked = self.steps = 0
        self.specs = Spec(ruleset), Spec(ruleset)
        self.do(opens)
        for spec, sheet in zip(self.specs, apart, strict=True):
            spec.do(Join(Joining(sheet, hidden=True)))
        self.do(Begin())

    def do(self, *commands: Command) -> None:
        """Decide one command for both fights, or one for each."""
        for spec, command in zip(self.specs, (commands * 2)[:2], strict=True):
            spec.do(command)

    def same(self) -> None:
        """Check that the player reads the same in both fights."""
        for what, *both in zip(READ, *map(seen, self.specs), strict=True):
            assert both[0] == both[1], f"{what} tells what is hidden: {_unlike(*both)}"

    def step(self) -> bool:
        """Give one answer that is legal in both fights. Return false if no prompt is open."""
        first, second = (spec.live.open_prompts() for spec in self.specs)
        assert list(first) == list(second), "what is hidden decides who is asked"
        combat = self.specs[0].combat
        waiting = [id for id in first if combat.prompts[id].answer is None]
        if not waiting:
            return False
        id = self.random.choice(waiting)
        self.steps += 1
        self.asked += first[id].who == self.hidden
        if first[id].kind == "roll":
            self.do(*(self.roll(id, prompts[id]) for prompts in (first, second)))
        elif first[id].default is not None and (
            first[id].who in (self.hidden, None) and self.random.random() < 0.5
        ):
            self.do(Close((id,)))
        else:
            self.do(self.answer(id, first[id]))
        return True

    def roll(self, id: str, prompt: Prompt) -> Reply:
        """Return a reply with faces. Both fights get equal faces for equal dice."""
        luck = Random(f"{id} {self.steps}")
        dice = [abs(die) for die in parse_roll(prompt.data["formula"]).dice]
        return Reply(id, None, {"faces": [luck.randint(1, die) for die in dice]})

    def answer(self, id: str, prompt: Prompt) -> Reply:
        """Return an answer that is legal in both fights."""
        legal = [
            (option.id, inputs)
            for option in prompt.options
            for inputs in self.legal(0, option, prompt)
            if inputs in self.legal(1, option, prompt)
        ]
        assert legal, f"no answer to {prompt.name} of {prompt.who} is legal in both"
        return Reply(id, *self.random.choice(legal))

    def legal(self, number: int, option: Any, prompt: Prompt) -> Any:
        spec = self.specs[number]
        play = Play(spec.ruleset, spec.combat)
        return offer(play, prompt.who or "", option, None, prompt.kind).legal


def pairs(ruleset: Ruleset, budget: Budget) -> Iterator[Pair]:
    """Play the ready fights in pairs, and yield each pair at its end.

    Raise `Broken` for the first pair that a player can distinguish.
    """
    played, commands = fights(ruleset, budget), 0
    while commands < budget.commands:
        seed, opens = next(played)
        sheets = [dict(joining.sheet) for joining in opens.combatants]
        lurker = {**sheets[-1], "name": HIDDEN, "owner": None}
        sheets = [
            {**sheet, "owner": "anna" if not number else None}
            for number, sheet in enumerate(sheets)
        ]
        options = dict(opens.options)
        if "rulings" in options:
            options["rulings"] = "default"
        opens = replace(opens, combatants=tuple(map(Joining, sheets)), options=options)
        pair = None
        try:
            pair = Pair(ruleset, opens, unlike(ruleset, _beside(lurker)), seed)
            pair.same()
            for _ in range(min(LONGEST, budget.commands - commands)):
                if not pair.step():
                    break
                commands += 1
                pair.same()
        except (AssertionError, Refused) as error:
            commands_ = pair.specs[0].commands if pair is not None else (opens,)
            raise Broken(str(error), commands_, seed) from error
        commands += 1
        yield pair


def _beside(sheet: dict[str, Any]) -> dict[str, Any]:
    """Return the sheet with its position moved by `[1, 1]`."""
    at = sheet.get("at")
    return sheet if at is None else {**sheet, "at": [at[0] + 1, at[1] + 1, *at[2:]]}


def unlike(ruleset: Ruleset, sheet: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    """Return the sheet twice, with a difference in the first number that fills a pool."""
    shared = {field.name for field in msgspec.structs.fields(Sheet)}
    for field in msgspec.structs.fields(ruleset.sheet):
        if field.name in shared:
            continue
        sheets = [{**sheet, field.encode_name: value} for value in HEALTH]
        try:
            pools = [ruleset.tracks(ruleset.read_sheet(raw)) for raw in sheets]
        except Refused:
            continue
        if all(any(track.value == value for track in pool.values())
               for pool, value in zip(pools, HEALTH, strict=True)):  # fmt: skip
            return tuple(sheets)
    raise Broken("no number of the sheet fills a pool: there is nothing to hide")


def _unlike(first: bytes, second: bytes) -> str:
    """Return the parts of two texts around their first difference."""
    at = next((i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), 0)
    start = max(0, at - 60)
    return " / ".join(text[start : at + 40].decode(errors="replace") for text in (first, second))
