"""Preview: what would happen, as far as the asker could know. It is no oracle.

For a player everything is decided on the combat as the player knows it: whoever is hidden is not
there. It stops where the outcome would hang on what the player does not know: at a roll of a foe's
or against one, at a question to somebody else, and at whoever turns out not to be there.
"""

from domain.engine.caller import Caller
from domain.engine.draft import Draft
from domain.engine.present import Present
from domain.engine.redact import allied_sides
from domain.engine.run import Run, find
from domain.record.combat import Combat, Id
from domain.record.events import Rolled
from domain.rulebook.effects import Roll
from domain.rulebook.prompts import Answer
from domain.rulebook.ruleset import read


class Foreseen(Present):
    """The running procedures of a draft that a player only imagines.

    `unseen` are those who are not there for the player.
    """

    def __init__(self, draft: Draft, caller: Caller, unseen: frozenset[Id]) -> None:
        super().__init__(draft, {})
        self._caller = caller
        self._unseen = unseen

    def top(self) -> Run | None:
        """The procedure that runs or waits now; it does not wait for whoever is not there."""
        run = super().top()
        waiting = None if run is None else run.waiting
        for id, prompt in {} if waiting is None else waiting.prompts.items():
            option = None if prompt.default is None else find(prompt.options, prompt.default)
            if prompt.who in self._unseen and waiting is not None and option is not None:
                inputs = read({}, option.inputs)
                answer = Answer(prompt.who, option.id, inputs, waiting.given)
                waiting.answers.setdefault(id, answer)
        return run

    def roll(self, run: Run, effect: Roll) -> Rolled | None:
        """The roll, or None when its outcome tells what the player does not know."""
        if effect.secret or effect.by_gm or not self._ours(effect.who):
            return None
        if effect.against is not None and not self._ours(effect.against):
            return None
        return super().roll(run, effect)

    def asked(self, run: Run) -> None:
        """The standing orders of others are theirs to know."""
        assert run.waiting is not None
        combat: Combat = self.draft.combat
        asked = [prompt.who for prompt in run.waiting.prompts.values()]
        if all(who is not None and self._caller.plays(combat, who) for who in asked):
            super().asked(run)

    def _ours(self, who: Id) -> bool:
        combat: Combat = self.draft.combat
        return combat[who].side in allied_sides(combat, self._caller)
