"""The flow of a combat: rounds, turns, delayed turns and the end.

DEF-RND, DEF-DLY, DEF-GEN-04.
"""

from collections.abc import Callable, Mapping
from functools import partial

from msgspec.structs import replace

from domain.errors import Illegal
from domain.record.combat import Combat, Id
from domain.record.events import (
    BudgetSet,
    CombatEnded,
    ConditionLost,
    InitiativeSet,
    PhaseBegan,
    RoundBegan,
    RoundEnded,
    TurnBegan,
    TurnEnded,
)
from domain.rulebook.durations import expire
from domain.rulebook.effects import Procedure, ask, ask_gm, choose, stopped_by, while_able
from domain.rulebook.ending import ended
from domain.rulebook.play import Play
from domain.rulebook.presence import in_fight
from domain.rulebook.prompts import Prompt, choices
from domain.rulebook.ruleset import Step
from domain.rulesets.definitions import (
    death_saves,
    harm,
    initiative,
    release,
    triggers,
)
from domain.rulesets.definitions.facts import (
    ASKED_IN,
    BEGUN,
    BOUNDARY,
    GOES_ON,
    HELD,
    INSIDE,
    LAST,
    RESUMED,
    RESUMES,
    SUBMISSION,
    SUBMITTED,
    TURN_OVER,
    Standing,
)
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.states import able, by_initiative, standing
from domain.rulesets.definitions.triggers import moved_after

END = choices("end", "go-on")


@rule("DEF-GEN-04", "When at most one side stands, the GM decides whether the combat ends")
def is_offered(combat: Combat) -> bool:
    """Return true if at most one side is still standing, and the GM has not chosen to continue."""
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
    """Ask the GM whether the combat ends, once for each set of standing sides."""
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
        return  # the situation has changed meanwhile
    if answer.option == "end":
        yield CombatEnded(left if len(left) == 1 else (), "one side left", rules=("DEF-GEN-04",))
        return
    yield ASKED_IN.set(play.combat.round, rules=("DEF-GEN-04",))
    yield GOES_ON.set(Standing(sides=left), rules=("DEF-GEN-04",))


def combat_end(play: Play) -> Procedure[None]:
    """End the combat. The sides that the GM named win, or else the only standing side."""
    yield ended(play.combat, standing(play.combat), "DEF-GEN-04")


NOT_IN_A_TURN = ("aoo", "counterspell", "resume-from-delay", "report-trigger")
"""Actions that the prompt of a turn does not offer."""

ENDS_THE_TURN = ("end-turn", "delay")
"""Actions that end the turn."""

DELAYED = "delayed"
"""The tag of a delayed turn."""
NOTHING_LEFT = {"standard": 0, "move": 0, "swift": 0}


@rule(
    "DEF-DTH-04",
    "A dying combatant rolls one death save at the start of each of its turns",
)
@rule("DEF-INC-04", "Unconscious combatants stay in the order")
@rule("DEF-TRN-02", "An effect that lasts until the next turn ends at the start of that turn")
@rule("DEF-HLD-10", "A held action is lost at the holder's next turn, or when it cannot act")
def turn_start(play: Play, who: Id) -> Procedure[None]:
    """Begin the combatant's turn: end effects, give the budget, and roll a due death save.

    The effects that last until this turn also end if the combatant cannot act (section 1,
    DEF-INC-04).
    """
    yield TurnBegan(who, rules=("DEF-RND-01",))
    yield LAST.set(who, rules=("DEF-INI-02",))
    yield from expire(play, "turn-start", who, rules=("DEF-TRN-02",))
    if play.combat[who].has("delaying"):
        yield ConditionLost(who, "delaying", reason="its turn", rules=("DEF-DLY-02",))
    yield from HELD.lapse(play.combat[who], rules=("DEF-HLD-10",))
    full = {"standard": 1, "move": 1, "swift": 1}
    acts = able(play.combat, who)
    budget = full if acts else NOTHING_LEFT
    yield BudgetSet(who, budget, rules=("DEF-TRN-03", "DEF-TRN-04", "DEF-IMM-02"))
    if not acts:
        yield TURN_OVER.set(who, True, rules=("DEF-TRN-04", "DEF-DTH-04"))
    yield from without_air(play, lambda swallower: swallower == who)
    if play.combat[who].has("bleeding-out"):
        yield from death_saves.death_save(play, who)
    elif able(play.combat, who):
        yield from while_able(play, who, release.at_turn_start(play, who), "grapple-escape")
    if in_fight(play.combat, who):
        yield from triggers.occurred(play, "turn-starts", who)


def without_air(play: Play, of: Callable[[Id], bool]) -> Procedure[None]:
    """Count a round without air for each combatant in a selected swallower (DEF-SWL-06).

    `of` returns true for a selected swallower. If a combatant faints, offer held actions that wait
    for this.
    """
    for combatant in list(play.combat):
        inside = INSIDE.of(combatant)
        if inside is not None and of(inside.by):
            more = replace(inside, rounds=inside.rounds + 1)
            yield INSIDE.set(combatant.id, more, rules=("DEF-SWL-06",))
            yield from harm.fallen(play, combatant)


def prompt(play: Play, who: Id) -> Prompt:
    """Return the prompt for any action of the turn. By default, the turn ends."""
    actions = play.ruleset.actions.values()
    return Prompt(
        kind="turn",
        name="turn",
        who=who,
        text=f"It is {who}'s turn",
        options=tuple(action for action in actions if action.id not in NOT_IN_A_TURN),
        rules=("DEF-GEN-02", "DEF-TRN-03"),
        default="end-turn",
        stands=lambda now: on_turn(now, who) and not is_offered(now),
    )


@rule("DEF-DTH-05", "A combatant that drops in its own turn saves first in its next turn")
def on_turn(combat: Combat, who: Id) -> bool:
    """Return true if it is the combatant's turn and it can act."""
    return who in combat.acting and able(combat, who) and not TURN_OVER.of(combat[who])


@rule("DEF-MAN-05", "A manoeuvre stops when its aggressor can no longer act")
def act(play: Play, who: Id) -> Procedure[None]:
    """Prompt for one action of the turn and run it."""
    answer = yield from ask(prompt(play, who))
    if not on_turn(play.combat, who) or is_offered(play.combat):
        return  # the prompt has lapsed
    action = play.ruleset.actions[answer.option]
    doing = action.procedure(play, who, answer.inputs)
    yield from stopped_by(play, who, doing, action.id, partial(no_further, play, who, action.id))


def no_further(play: Play, who: Id, action: str) -> Illegal | None:
    """Return the reason to stop an action, or `None`.

    An action stops if the combatant cannot act, or if it fell in its turn (DEF-INC-05).
    """
    stop = play.unable(who)
    if stop is None and action not in ENDS_THE_TURN and TURN_OVER.of(play.combat[who]):
        detail = f"{play.combat[who].name} has fallen: its turn is over"
        stop = Illegal("DEF-INC-05", "cannot-act", detail)
    return stop


@rule("DEF-DLY-03", "A delayed turn comes later in the same round, with the full budget")
@rule("DEF-TRN-03", "A turn has one standard, one move and one swift action. Unused ones are lost")
def turn_end(play: Play, who: Id) -> Procedure[None]:
    """End the turn. The combatant loses its unused actions.

    A turn without a submission sets the count of submissions to 0.
    """
    if not play.combat[who].has("delaying"):
        yield from without_submission(play, who)
        yield BudgetSet(who, NOTHING_LEFT, rules=("DEF-TRN-03",))
    yield TURN_OVER.clear(who, rules=("DEF-TRN-03",))
    yield BOUNDARY.set(who, rules=("DEF-DLY-04",))
    tag = DELAYED if RESUMED.of(play.combat[who]) else ""
    yield TurnEnded(who, tag, rules=("DEF-TRN-03",))
    if not play.combat[who].has("delaying"):  # a delayed turn is still to come
        yield from triggers.occurred(play, "turn-ends", who)


def without_submission(play: Play, who: Id) -> Procedure[None]:
    """Set the count of submissions to 0 after a turn without one (DEF-GRS-01)."""
    combatant = play.combat[who]
    if not SUBMITTED.of(combatant):
        yield from SUBMISSION.lapse(combatant, rules=("DEF-GRS-01",))


# ---- the boundary between turns: delaying combatants may act

RESUME = choices("act-now", "wait")


@rule("DEF-DLY-04", "A delaying combatant can resume after each later turn, never during one")
def boundary(play: Play, after: Id) -> Procedure[None]:
    """Ask each delaying combatant after a turn whether it acts now, in initiative order."""
    for combatant in by_initiative(play.combat):
        who = combatant.id
        if who == after or not may_resume(play.combat, who):
            continue
        answer = yield from choose(
            who,
            "resume",
            f"{who} has delayed. Does it act now?",
            RESUME,
            "wait",
            rules=("DEF-DLY-04",),
            stands=partial(is_open, who=who),
        )
        waits = answer.option == "wait" and not RESUMES.of(play.combat[who])
        if waits or not may_resume(play.combat, who):
            continue
        yield from resume(play, who, after)
        return
    yield BOUNDARY.clear(rules=("DEF-DLY-04",))


def is_open(combat: Combat, who: Id) -> bool:
    """Return true if the combatant may resume and has not declared it yet."""
    return may_resume(combat, who) and not RESUMES.of(combat[who])


def may_resume(combat: Combat, who: Id) -> bool:
    """Return true if the combatant may resume its turn.

    A combatant with a turn still to come must wait for that turn.
    """
    to_come = any(place.who == who for place in combat.queue)
    return combat[who].has("delaying") and able(combat, who) and not to_come


@rule("DEF-DLY-02", "A resumed turn does not repeat its turn-start")
@rule("DEF-DLY-05", "The place in the order moves to where the combatant acts")
def resume(play: Play, who: Id, after: Id) -> Procedure[None]:
    """Move the combatant's place in the order to the current moment, and resume its turn.

    The effects of the start of a turn do not happen again.
    """
    queue = play.combat.queue
    order = moved_after(play.combat, who, after)
    yield InitiativeSet(order, lasting=True, rules=("DEF-DLY-05",))
    yield InitiativeSet(queue, rules=("DEF-DLY-05",))
    yield from RESUMES.lapse(play.combat[who], rules=("DEF-DLY-04",))
    yield BOUNDARY.clear(rules=("DEF-DLY-04",))
    yield ConditionLost(who, "delaying", reason="resumed", rules=("DEF-DLY-05",))
    yield RESUMED.set(who, True, rules=("DEF-DLY-07",))
    yield TurnBegan(who, DELAYED, rules=("DEF-DLY-03",))
    yield LAST.set(who, rules=("DEF-DLY-05",))
    yield from triggers.occurred(play, "acts", who, action="resume-from-delay")


@rule("DEF-DLY-06", "A combatant that delays until the end of the round loses its turn")
def delays_lost(play: Play) -> Procedure[None]:
    """End the delay of each combatant that waited through the round.

    The combatant keeps its place in the order.
    """
    for combatant in list(play.combat):
        if combatant.has("delaying"):
            yield ConditionLost(
                combatant.id, "delaying", reason="round over", rules=("DEF-DLY-06",)
            )
            yield from without_submission(play, combatant.id)
            yield BudgetSet(combatant.id, NOTHING_LEFT, rules=("DEF-DLY-06",))


def flow(combat: Combat) -> Step | None:
    """Return the next step of the fight."""
    if combat.status != "running":
        return None
    if combat.phase == "ending":
        return Step("combat-end")
    if combat.phase == "begun":
        return Step("initiative")
    if is_offered(combat):
        return Step("end-combat")
    late = initiative.unplaced(combat)
    if late:
        return Step("enter", {"who": late[0]})
    for who in combat.acting:
        over = TURN_OVER.of(combat[who]) or not able(combat, who)
        return Step("turn-end" if over else "act", {"who": who})
    if BOUNDARY.known(combat):
        return Step("boundary", {"after": BOUNDARY.of(combat)})
    if combat.phase == "round-start":
        return Step("round-start")
    if combat.queue:
        return Step("turn-start", {"who": combat.queue[0].who})
    return Step("round-end")


def entry(combat: Combat, who: Id) -> Step | None:
    """Return the step in which a newcomer to a running combat rolls initiative (DEF-INI-08)."""
    return Step("enter", {"who": who}) if BEGUN.of(combat) else None


@rule("DEF-INI-02", "One initiative roll counts for all rounds")
def round_start(play: Play) -> Procedure[None]:
    """Begin the next round, six seconds later (DEF-RND-01)."""
    yield RoundBegan(play.combat.round + 1, rules=("DEF-RND-01",))
    yield InitiativeSet(play.combat.order, rules=("DEF-INI-02",))
    yield PhaseBegan("turns", rules=("DEF-RND-01",))


@rule("DEF-RND-01", "A round lasts 6 seconds and ends when all have had their turn")
def round_end(play: Play) -> Procedure[None]:
    """End unused delays and all effects that last to the end of the round.

    If an effect lasts until the next turn of a combatant that has left the combat or died, the
    effect also ends (DEF-RND-02).
    """
    yield from delays_lost(play)
    # these swallowers have no turn in which the round could count
    yield from without_air(play, lambda swallower: not in_fight(play.combat, swallower))
    for gone in list(play.combat.combatants):
        if not in_fight(play.combat, gone):
            yield from expire(play, "turn-start", gone, rules=("DEF-RND-02",))
    yield from expire(play, "round-end", rules=("DEF-RND-01",))
    yield RoundEnded(play.combat.round, rules=("DEF-RND-01",))
    yield PhaseBegan("round-start", rules=("DEF-RND-01",))


PROCEDURES: Mapping[str, Callable[..., Procedure[None]]] = {
    "initiative": initiative.initiative,
    "enter": initiative.enter,
    "round-start": round_start,
    "turn-start": turn_start,
    "act": act,
    "turn-end": turn_end,
    "boundary": boundary,
    "round-end": round_end,
    "end-combat": end_combat,
    "combat-end": combat_end,
    "wound": death_saves.wound,
    "freed": release.freed,
}
