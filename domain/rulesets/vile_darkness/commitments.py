"""Commitments: an action waits for its place in the slot, moves to LOW, or becomes complex.

VD-DLYG, VD-SIMP-06.
"""

from dataclasses import dataclass
from typing import Any

import msgspec

from domain.errors import Refused
from domain.record.combat import Combat, Combatant, Id
from domain.rulebook.declaration import Act
from domain.rulebook.effects import Procedure, ask_gm
from domain.rulebook.id_names import words
from domain.rulebook.play import Play
from domain.rulebook.prompts import choices
from domain.rulesets.vile_darkness import activities
from domain.rulesets.vile_darkness.deed import Deed, asked, performed, taken_away
from domain.rulesets.vile_darkness.facts import COMMITTED, MINORS, MOVED_TO_LOW, QUEUED, Intent
from domain.rulesets.vile_darkness.numbers import able
from domain.rulesets.vile_darkness.outcomes import of_action
from domain.rulesets.vile_darkness.rules import rule
from domain.rulesets.vile_darkness.slots import rank
from domain.rulesets.vile_darkness.targets import had_fallen
from domain.rulesets.vile_darkness.work import Doing, may_be_complex, started

MULTIPLE = choices("none", "delaying", "complex")
MULTIPLE_WITH_MAJOR = choices("none", "delaying")


@dataclass(frozen=True)
class Pending:
    """Something chosen for this slot: who, what, and its place in it.

    `fallen`: the target was down when it was chosen. `carried`: it comes from the last round.
    `quick`: an invocation of one segment, which resolves here.
    """

    who: Id
    deed: Deed
    inputs: Any
    key: tuple[int, int] = (0, 0)
    fallen: bool = False
    carried: bool = False
    quick: bool = False


def place_of(combat: Combat, who: Id, time: int) -> tuple[int, int]:
    """The delayed lose ties of steps 4 to 6; then the lower time component (VD-DELAY-09,
    VD-INIT-06)."""
    return (1 if combat[who].has("delayed") else 0, time)


@rule("VD-DELAY-13", "Delayed and a delaying activity: it is complex")
def commit(
    play: Play, who: Id, deed: Deed, inputs: Any, then: Combat | None = None
) -> Procedure[Pending | None]:
    """Return the place in the slot. `then` is the combat in which it was chosen.

    None: it waits for LOW, is complex, or names a thing that is no longer there.
    VD-DELAY-13.
    """
    try:
        return (yield from _committed(play, who, deed, inputs, then))
    except Refused as gone:
        yield taken_away(who, deed, inputs, gone)
        return None


def _committed(
    play: Play, who: Id, deed: Deed, inputs: Any, then: Combat | None
) -> Procedure[Pending | None]:
    verdict = yield from _ruled(play, who, deed, inputs)
    time = deed.time(play.combat, play.combat[who], inputs)
    delays = deed.delays(play.combat, play.combat[who], inputs)
    locks = delays and play.combat[who].has("delayed")  # VD-DLYG-06
    if isinstance(inputs, Doing) and (locks or verdict == "complex"):
        if not (yield from asked(play, who, deed, inputs)):
            return None
        yield from list(started(play.combat, play.combat[who], inputs))
        return None
    fallen = had_fallen(then or play.combat, inputs)
    if (delays or verdict == "delaying") and rank(play.combat, play.combat[who]) == "HIGH":
        yield from queue(play, who, deed, inputs, fallen)
        return None
    combatant = play.combat[who]
    if deed.major(play.combat, combatant, inputs):
        intent = Intent(deed.id, msgspec.to_builtins(inputs))
        yield COMMITTED.set(who, intent, rules=("VD-MAJ-01",))
    return Pending(who, deed, inputs, place_of(play.combat, who, time), fallen)


def _ruled(play: Play, who: Id, deed: Deed, inputs: Any) -> Procedure[str]:
    """Several minor actions in one slot are put to the GM (VD-MIN-07)."""
    combat, combatant = play.combat, play.combat[who]
    if not several(combat, combatant, deed.minors(combat, combatant, inputs)):
        return "none"
    names = [activities.activity(combat, combatant, task).id for task in deed.tasks(inputs)] or [
        deed.id
    ]
    whole = deed.bundle and not deed.major(combat, combatant, inputs) and may_be_complex(combatant)
    return (yield from ask_about_several(play, who, names, may_be_complex=whole))


@rule("VD-MIN-07", "Two minor actions in one slot: the GM may assign a delay")
def several(combat: Combat, combatant: Combatant, many: int) -> bool:
    """Whether these make two or more minor actions of one combatant in this slot."""
    return many > 0 and many + MINORS.of(combatant).get(combat.phase, 0) >= 2


@rule("VD-SIMP-06", "Several activities in a slot: the GM rules none, delaying or complex")
def ask_about_several(
    play: Play, who: Id, names: list[str], *, may_be_complex: bool
) -> Procedure[str]:
    """Ask the GM whether they are none, delaying or complex."""
    answer = yield from ask_gm(
        "multiple-minors",
        f"{who} does several things in one slot, now {words(', '.join(names))}. Does it delay?",
        MULTIPLE if may_be_complex else MULTIPLE_WITH_MAJOR,
        "none",
        rules=("VD-MIN-07", "VD-SIMP-06"),
        data={"actor": who, "activities": list(names)},
        stands=lambda now: able(now[who]),
    )
    return answer.option


@rule("VD-DELAY-07", "A delaying activity is done in LOW only and moves its doer there")
@rule("VD-DLYG-02", "Only in LOW. Tried in HIGH it waits, and the individual is LOW from then on")
@rule("VD-DLYG-03", "It takes place in D4 unless it is part of something else")
@rule("VD-DLYG-05", "A major action may follow it, and it does not make delayed")
def queue(play: Play, who: Id, deed: Deed, inputs: Any, fallen: bool) -> Procedure[None]:
    """From HIGH to LOW, for this and for every later action of the round (VD-DELAY-07).

    VD-DLYG-05.
    """
    combatant = play.combat[who]
    rules = ("VD-DLYG-02", "VD-DELAY-07")
    is_major = deed.major(play.combat, combatant, inputs)
    slot = f"group/LOW/{deed.phase(play.combat, combatant, inputs)}"
    intent = Intent(deed.id, msgspec.to_builtins(inputs), slot, is_major, fallen)
    if is_major:
        yield COMMITTED.set(who, intent, rules=rules)
    yield QUEUED.set(who, (*QUEUED.of(combatant), intent), rules=rules)
    yield MOVED_TO_LOW.set(who, True, rules=rules)
    yield of_action(who, deed.id, deed.label, "postponed", rules=rules, until="LOW")


def at_once(act: Act[Any], deed: Deed) -> Procedure[None]:
    """Without a question of the slot: right after the major action, or on its way to LOW."""
    play, who, inputs = act.play, act.who, act.inputs
    chosen = yield from commit(play, who, deed, inputs)
    if chosen is not None and (yield from asked(play, who, deed, inputs)):
        yield from performed(play, who, deed, inputs)
