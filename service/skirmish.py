"""A ready fight of a rulebook that plays itself, the same each time.

Both sides choose among their offers, and prefer harm to the other side. Affray rolls the dice from
a fixed seed. `affray logs` makes the logs in `docs/logs` from such fights.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from hashlib import sha256
from random import Random
from typing import Any

from domain.engine.caller import Caller, Context
from domain.engine.commands import Act, Begin, Command, End, Joining, Open, Reply
from domain.engine.options import Choice, tried
from domain.engine.session import Session
from domain.record.combat import DiceSettings, Id
from domain.rulebook.party import Party
from domain.rulebook.play import Play
from domain.rulebook.prompts import Prompt
from domain.rulebook.ruleset import Ruleset
from domain.rulebook.state_cache import looking
from projections import timeline
from projections.eyes import Eyes
from service.stories import LOGS

GM = Caller("gm", "gm")

Deed = tuple[float, str, Mapping[str, Any]]
"""The preference for an option, the option, and its inputs."""

PASSING = ("end-turn", "pass", "done", "finish", "next-round", "declare-nothing", "set", "as-is")
"""Answers that continue the fight. Both sides prefer them to an action without a purpose."""

AGAINST_ALL_SENSE = (
    "give-up",
    "yield",
    "leave",
    "flee",
    "surrender",
    "retreat",
    "drop",
    "delay",
)
"""Parts of the ids of options that leave the combat, or have no effect."""

BLOWS = ("attack", "cast", "charge", "take", "aoo", "reposte", "resolve")
"""Parts of the ids of options that both sides prefer."""

FUSS = ("use-", "grab-item", "called-shot", "simple", "delaying", "complex", "hold", "improvise")
"""Parts of the ids of options that are seldom useful."""

ROUNDS = 5, 9
"""The smallest and the largest number of rounds. A side wins before the last round."""


class Skirmish:
    """One fight. `play` continues it to its end, or to the end of a round."""

    def __init__(
        self,
        ruleset: Ruleset,
        party: Party,
        seed: int = 1,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.random = Random(seed)
        self._seed = sha256(f"{party.id} {seed}".encode()).digest()
        self._commands = 0
        self._chosen: Counter[tuple[Id, str]] = Counter()
        self.live = Session(ruleset)
        joining = tuple(Joining(sheet) for sheet in party.sheets)
        dice = DiceSettings("server", "server")
        opening = {**party.options, **(options or {})}
        self.do(Open(ruleset.id, party.name, opening, dice, (), party.map, joining))
        self.do(Begin())

    def play(self, rounds: int, commands: int = 400) -> None:
        """Play until this many rounds are over, or a side has won."""
        for _ in range(commands):
            round = self.live.combat.round
            if round > rounds or self.is_won() or not self.step():
                return
            if self.live.combat.round != round:
                self._chosen.clear()

    def is_over(self) -> bool:
        """Return true if the rules or the GM have ended the fight, or a side has no foes left."""
        return self.live.combat.status == "ended" or self.is_won()

    def is_won(self) -> bool:
        """Return true if at most one side still fights."""
        live = self.live
        fighting = (
            combatant
            for combatant in live.combat
            if live.ruleset.in_fight(live.combat, combatant.id)
        )
        return len({combatant.side for combatant in fighting}) < 2

    def step(self) -> bool:
        """Answer one prompt. Return false if no prompt is open."""
        prompts = self.live.open_prompts()
        waiting = self.live.combat.prompts
        unanswered = [id for id in prompts if waiting[id].answer is None]
        if not unanswered:
            return False
        id = unanswered[0]
        option, inputs = self.answer(prompts[id])
        prompt = prompts[id]
        self._chosen[prompt.who or "", option] += 1
        if prompt.kind in ("turn", "declare") and prompt.who is not None:
            self.do(Act(prompt.who, option, inputs))
        else:
            self.do(Reply(id, option, inputs))
        return True

    def answer(self, prompt: Prompt) -> tuple[str, Mapping[str, Any]]:
        """Choose an answer to a prompt."""
        with looking():
            deeds = sorted(self._deeds(prompt), key=lambda deed: -deed[0])
        default = prompt.default
        if prompt.who is None and default is not None and _sensible(default):
            ends = [deed for deed in deeds if "end" in deed[1]] if self.is_won() else []
            return (ends[0][1], {}) if ends else (default, {})
        best = [deed for deed in deeds if deed[0] >= deeds[0][0] - 1]
        _, option, inputs = self.random.choice(best)
        return option, inputs

    def _deeds(self, prompt: Prompt) -> Iterator[Deed]:
        play = Play(self.live.ruleset, self.live.combat)
        for option in prompt.options:
            choice = Choice(prompt.who or "", option, None, prompt.kind)
            for inputs in tried(choice, play, play, every=False).legal:
                yield self._liking(prompt, option.id, inputs), option.id, inputs

    def _liking(self, prompt: Prompt, option: str, inputs: Mapping[str, Any]) -> float:
        combat = self.live.combat
        if prompt.who is None:
            if not _sensible(option):
                return -20
            return float(("end" in option) == self.is_won())
        me = combat[prompt.who]
        liking = self.random.random() - 3 * self._chosen[prompt.who, option]
        if option in PASSING or option == prompt.default:
            return liking + 2
        if not _sensible(option):
            return liking - 20
        liking += 3 * any(word in option for word in BLOWS)
        liking -= 4 * any(word in option for word in FUSS)
        for value in _texts(inputs):
            if value in combat.combatants:
                foe = combat[value].side != me.side
                standing = self.live.ruleset.in_fight(combat, value)
                liking += 6 if foe and standing else -6
        path = inputs.get("path")
        foes = [
            combatant.position
            for combatant in combat
            if combatant.side != me.side and combatant.position
        ]
        if path and me.position is not None and foes:
            nearest = min(_apart(me.position, foe) for foe in foes)
            liking += 2 + nearest - min(_apart(path[-1], foe) for foe in foes)
        return liking - 0.3 * len(inputs)

    def do(self, command: Command) -> None:
        """Decide a command. A refusal is a fault of this code."""
        self._commands += 1
        commitment = self.live.combat.commitment
        context = Context(
            "combat", GM, f"command-{self._commands}", "2026-01-01T00:00:00Z",
            {commitment: self._seed} if commitment else {}, self._seed, "salt",
        )  # fmt: skip
        self.live = self.live.decide(command, context).live

    def end(self) -> None:
        """End the fight. The combatants that still fight win."""
        combat = self.live.combat
        if combat.status != "ended":
            left = [
                combatant.side
                for combatant in combat
                if self.live.ruleset.in_fight(combat, combatant.id)
            ]
            self.do(End(tuple(dict.fromkeys(left))))


def ready(ruleset: Ruleset) -> Skirmish:
    """Play a rulebook's fight to its end, with the first seed that makes it long enough."""
    id, seed, options = LOGS[ruleset.id]
    party = next(party for party in ruleset.parties if party.id == id)
    shortest, longest = ROUNDS
    skirmish = Skirmish(ruleset, party, seed, options)
    skirmish.play(longest)
    while skirmish.live.combat.round < shortest or not skirmish.is_over():
        seed += 1
        skirmish = Skirmish(ruleset, party, seed, options)
        skirmish.play(longest)
    skirmish.end()
    return skirmish


def page(ruleset: Ruleset, skirmish: Skirmish | None = None) -> str:
    """Return the log of a rulebook's fight, as `docs/logs` has it.

    `skirmish`: that fight, if it is already played.
    """
    live = (skirmish or ready(ruleset)).live
    entries, _ = timeline.page(live, Eyes(live.history, GM), timeline.Wanted(), limit=5000)
    title, _, log = timeline.markdown(live.combat.name, entries).partition("\n\n")
    return f"{title}\n\n{ABOUT.format(ruleset=ruleset)}\n\n{log.strip()}\n"


ABOUT = (
    "For players and game masters: a fight under the rulebook {ruleset.title}, as its GM reads it."
    " `affray logs --write` makes\nthis page. Rule ids follow each sentence; the number at the end"
    " is the version of the combat."
)


def _sensible(option: str) -> bool:
    return not any(word in option for word in AGAINST_ALL_SENSE)


def _texts(value: Any) -> Iterator[Id]:
    match value:
        case str():
            yield value
        case Mapping():
            for part in value.values():
                yield from _texts(part)
        case list() | tuple():
            for part in value:
                yield from _texts(part)


def _apart(square: Any, other: Any) -> int:
    return max(abs(int(a) - int(b)) for a, b in zip(square[:2], other[:2], strict=True))
