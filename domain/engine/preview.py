"""Preview: the result of a command, as far as the caller can know it. It reveals no secrets.

For a player, the preview runs on the combat that the player knows, without hidden combatants. It
stops when the result would depend on unknown facts:

- a roll by or against a foe
- a foe's remaining points
- a prompt to somebody else, answered or not
- a secret declaration
- a combatant that turns out to be hidden
"""

from collections.abc import Iterable, Sequence
from typing import Any

from domain.engine.caller import Caller
from domain.engine.draft import Draft
from domain.engine.executor import By, Executor
from domain.engine.redaction import allied_sides
from domain.engine.run import Run, Waiting
from domain.record.combat import Combat, Id
from domain.record.events import AnyEvent, Damaged, Healed, Judged, Rolled, TrackChanged
from domain.rulebook.effects import Roll
from domain.rulebook.prompts import Answer
from domain.rulebook.ruleset import read


class Unforeseen(Exception):
    """The caller may not know the result of this command."""


class Imagined(Draft):
    """The draft of a player's preview. It omits events that would reveal a foe's numbers."""

    def record(self, event: AnyEvent, frame: int = 0) -> Any:
        """Append one fact. Raise `Unforeseen` if the caller may not know it."""
        caller = self.context.caller
        about: tuple[Id, ...] = ()
        match event:
            case Rolled(who=who, against=other) | Judged(who=who, against=other):
                about = (who,) if other is None else (who, other)
            case Damaged(who=who) | Healed(who=who) | TrackChanged(who=who):
                about = (who,)
            case _:
                pass
        if not all(is_ours(self.combat, caller, who) for who in about):
            raise Unforeseen
        return super().record(event, frame)


def is_ours(combat: Combat, caller: Caller, who: Id) -> bool:
    """Return true if the caller knows the numbers of this combatant's side."""
    return combat[who].side in allied_sides(combat, caller)


class Foreseen(Executor):
    """The running procedures of a player's preview.

    `unseen` are the combatants that the player does not know.
    """

    def __init__(
        self, draft: Draft, caller: Caller, unseen: frozenset[Id], runs: dict[int, Run]
    ) -> None:
        super().__init__(draft, runs)
        self._caller = caller
        self._unseen = unseen
        self.blind = False  # true if it waits for a roll that would reveal unknown facts

    def top(self) -> Run | None:
        """Return the procedure that runs or waits now.

        Its prompts to unknown combatants take their defaults.
        """
        run = super().top()
        waiting = None if run is None else run.waiting
        for id, prompt in {} if waiting is None else waiting.prompts.items():
            option = None if prompt.default is None else prompt.option(prompt.default)
            if prompt.who in self._unseen and waiting is not None and option is not None:
                inputs = read({}, option.inputs)
                waiting.answers[id] = Answer(
                    prompt.who, option.id, inputs, waiting.given, by_gm=False
                )
        return run

    def settled_by(self, waiting: Waiting, id: str, by: By) -> tuple[str, ...]:
        """Return the prompts that an answer to this prompt settles, as far as the caller may know.

        Return none if prompts to other players are open too, because their answers are secret.
        """
        if waiting.ask.sealed and waiting.ask.wait == "each":
            return ()
        asked = [
            prompt.who for prompt in waiting.prompts.values() if prompt.who not in self._unseen
        ]
        if waiting.ask.wait == "all" and not self._plays(asked):
            return ()
        return super().settled_by(waiting, id, by)

    def roll(self, run: Run, effect: Roll) -> Rolled | None:
        """Roll, or return None if the outcome would reveal unknown facts."""
        if not self._foreseeable(effect):
            self.blind = True
            return None
        return super().roll(run, effect)

    def show(self, run: Run, effect: Roll) -> None:
        """Show the current numbers of a waiting roll, unless the caller may not know them."""
        known = self.draft.combat.combatants
        there = all(who is None or who in known for who in (effect.who, effect.against))
        if there and self._foreseeable(effect):
            super().show(run, effect)

    def _foreseeable(self, effect: Roll) -> bool:
        if effect.secret or effect.by_gm or not self._ours(effect.who):
            return False
        return effect.against is None or self._ours(effect.against)

    def asked(self, run: Run, prompts: Iterable[str]) -> None:
        """Apply standing orders if all prompts are for the caller's own combatants.

        The caller may not know the standing orders of other players.
        """
        assert run.waiting is not None
        if self._plays([prompt.who for prompt in run.waiting.prompts.values()]):
            super().asked(run, prompts)

    def _plays(self, asked: Sequence[Id | None]) -> bool:
        """Return true if the caller plays all of these combatants."""
        combat: Combat = self.draft.combat
        return all(who is not None and self._caller.plays(combat, who) for who in asked)

    def _ours(self, who: Id) -> bool:
        return is_ours(self.draft.combat, self._caller, who)
