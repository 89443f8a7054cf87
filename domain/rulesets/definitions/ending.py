"""When the fight ends: the GM is asked, once for each situation (DEF-GEN-04)."""

from domain.record.combat import Combat
from domain.record.events import CombatEnded
from domain.rulebook.effects import Procedure, ask_gm
from domain.rulebook.ending import ended
from domain.rulebook.play import Play
from domain.rulebook.prompts import choices
from domain.rulesets.definitions.facts import ASKED_IN, GOES_ON, Standing
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.states import able, standing

END = choices("end", "go-on")


@rule("DEF-GEN-04", "The GM is offered the end when at most one side stands")
def is_offered(combat: Combat) -> bool:
    """At most one side stands, and the GM has not said go on to this (DEF-GEN-04)."""
    said, left = GOES_ON.of(combat), standing(combat)
    joined = {combatant.side for combatant in combat.combatants.values()}
    changed = said is None or said.sides != left
    if not any(
        able(combat, combatant.id) for combatant in combat
    ):  # otherwise rounds would never end
        another_round = not ASKED_IN.known(combat) or ASKED_IN.of(combat) < combat.round
        return another_round or (changed and not left)
    return changed and len(left) < 2 <= len(joined)


def end_combat(play: Play) -> Procedure[None]:
    """The GM is asked once for each situation."""
    left = standing(play.combat)
    answer = yield from ask_gm(
        "end-combat",
        "At most one side still stands. Does the combat end?",
        END,
        "end",
        rules=("DEF-GEN-04",),
        data={"sides": list(left)},
        stands=lambda now: standing(now) == left,
    )
    if standing(play.combat) != left:
        return  # it has changed meanwhile
    if answer.option == "end":
        yield CombatEnded(left if len(left) == 1 else (), "one side left", rules=("DEF-GEN-04",))
        return
    yield ASKED_IN.set(play.combat.round, rules=("DEF-GEN-04",))
    yield GOES_ON.set(Standing(sides=left), rules=("DEF-GEN-04",))


def combat_end(play: Play) -> Procedure[None]:
    """End the combat. The GM names the victors, or the only standing side wins."""
    yield ended(play.combat, standing(play.combat), "DEF-GEN-04")
