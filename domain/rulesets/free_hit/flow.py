"""Run a battle: opening, start, rounds of turns, and end (FH-SEQ, FH-INI, FH-TRN)."""

from collections.abc import Callable, Iterator, Mapping

from domain.record.combat import Combat, Id, Place
from domain.record.events import (
    BudgetSet,
    InitiativeSet,
    PhaseBegan,
    RoundBegan,
    RoundEnded,
    TrackChanged,
    TurnBegan,
    TurnEnded,
)
from domain.rulebook.action import Action
from domain.rulebook.durations import expire
from domain.rulebook.effects import Procedure, ask, roll, while_there
from domain.rulebook.ending import ended
from domain.rulebook.play import Play
from domain.rulebook.prompts import Prompt
from domain.rulebook.ruleset import Step
from domain.rulebook.secrecy import only_among_the_hidden
from domain.rulesets.free_hit import spells, summons
from domain.rulesets.free_hit.actions import ACTIONS
from domain.rulesets.free_hit.actions.delay import wait_for
from domain.rulesets.free_hit.facts import INITIATOR
from domain.rulesets.free_hit.numbers import agility, fresh_budget, owed
from domain.rulesets.free_hit.rules import rule
from domain.rulesets.free_hit.states import can_act, in_fight, over


def flow(combat: Combat) -> Step | None:
    """Return the next step of the battle."""
    if combat.status != "running":
        return None
    if combat.phase == "begun":
        return Step("battle-start")
    if combat.phase == "ending" or over(combat):
        return Step("battle-end")
    if combat.queue:
        return Step("turn", {"who": combat.queue[0].who, "tag": combat.queue[0].tag})
    return Step("round-end")


# ---- battle-start


@rule("FH-THR-01", "A unit summoned before the battle is retained or vanishes when it begins")
def battle_start(play: Play) -> Procedure[None]:
    """Ask about units summoned earlier, make the lineup and begin round 1.

    FH-THR-01, FH-INI-01.
    """
    yield from summons.thralls(play, "before", "FH-THR-01")
    yield from line_up(play)
    yield PhaseBegan("battle")
    yield RoundBegan(1, rules=("FH-SEQ-02",))


@rule("FH-INI-01", "The lineup contains all units, highest Agility first")
@rule("FH-INI-02", "The lineup needs no roll")
def line_up(play: Play) -> Procedure[None]:
    """Order the units by Agility without a roll, initiators last (FH-INI-01 to FH-INI-05)."""
    units = [combatant.id for combatant in play.combat if not combatant.has("gone")]
    rank: dict[Id, tuple[int, ...]] = {
        who: (int(not INITIATOR.of(play.combat[who])), agility(play.combat[who]).value)
        for who in units
    }
    if play.combat.options["initiative_ties"] == "roll":
        yield from break_ties(play, units, rank)
    here = [who for who in units if not play.combat[who].left]
    order = sorted(here, key=lambda who: tuple(-part for part in rank[who]))
    places = tuple(Place(who, (agility(play.combat[who]).value,)) for who in order)
    yield InitiativeSet(places, lasting=True, rules=("FH-INI-01", "FH-INI-05"))


@rule(
    "FH-INI-03",
    "Units with equal Agility act in the order of joining. With an option, they roll a d20",
)
def break_ties(play: Play, units: list[Id], rank: dict[Id, tuple[int, ...]]) -> Procedure[None]:
    """Let tied units roll a d20 each until no tie remains. Higher rolls act first (FH-INI-03)."""
    tied = _tied(units, rank)
    while tied:
        before = dict(rank)
        for who in tied:
            if not play.combat[who].left:
                group = [other for other in tied if before[other] == before[who]]
                secret = only_among_the_hidden(play.combat, who, group)
                rolling = roll(
                    who, "initiative-tie", "1d20", rules=("FH-INI-03",), secret=secret, by_gm=secret
                )
                rolled = yield from while_there(play, who, rolling, "initiative")
                if rolled is not None:
                    rank[who] = (*rank[who], rolled.total)
        tied = _tied([who for who in tied if not play.combat[who].left], rank)


def _tied(units: list[Id], rank: dict[Id, tuple[int, ...]]) -> list[Id]:
    ranks = [rank[who] for who in units]
    return [who for who in units if ranks.count(rank[who]) > 1]


# ---- rounds


@rule("FH-SEQ-04", "After the last turn the round ends and the next begins")
@rule("FH-DUR-01", 'An effect "for the round" ends with the current round')
@rule("FH-INI-04", "The lineup stays for the whole battle")
@rule("FH-FRE-04", "The count of free hits starts at 0 in every round")
def round_end(play: Play) -> Procedure[None]:
    """End effects "for the round" (FH-DUR-01), and reset the count of free hits (FH-FRE-04).

    The lineup stays the same (FH-INI-04). A unit that delayed returns to its place (FH-INI-09).
    See FH-SEQ-04.
    """
    yield from expire(play, "round-end", rules=("FH-DUR-01", "FH-FRE-04"))
    yield RoundEnded(play.combat.round, rules=("FH-SEQ-04",))
    yield InitiativeSet(play.combat.order, rules=("FH-INI-04", "FH-INI-09"))
    yield RoundBegan(play.combat.round + 1, rules=("FH-SEQ-04",))


# ---- turns


@rule("FH-SEQ-02", "In a round every unit takes one turn, in lineup order")
@rule("FH-TRN-02", "A unit acts in any order. At the end of its turn, it loses its unused actions")
def turn(play: Play, who: Id, tag: str) -> Procedure[None]:
    """Run a unit's turn until it ends or the unit delays.

    FH-SEQ-02, FH-SEQ-03. At the end, the unit loses its unused actions (FH-TRN-02).
    """
    yield TurnBegan(who, tag, rules=("FH-SEQ-02",))
    if tag != "delayed" and in_fight(play.combat, who):
        yield from turn_start(play, who)
    while on_turn(play.combat, who):
        answer = yield from ask(turn_prompt(who))
        if answer.option == "end-turn":
            break
        if answer.option == "delay":
            yield from wait_for(play, who, answer.inputs.after, tag)
            return
        yield from ACTIONS_OF_TURN[answer.option].procedure(play, who, answer.inputs)
    yield BudgetSet(who, {"aa": 0, "ma": 0, "ba": 0}, rules=("FH-TRN-02",))
    yield TurnEnded(who, tag, rules=("FH-SEQ-04",))


def on_turn(combat: Combat, who: Id) -> bool:
    """Return true if the unit's turn continues.

    The turn ends at once if the unit cannot act (FH-SEQ-06).
    """
    return combat.phase == "battle" and can_act(combat, who) and not over(combat)


@rule("FH-TRN-01", "The turn-start gives the budget, less wounds and owed actions")
@rule("FH-BST-05", "A dodge boost ends at the start of the unit's next turn")
def turn_start(play: Play, who: Id) -> Procedure[None]:
    """End the dodge boost, set the budget, then ask for upkeep (FH-TRN-01, FH-BST-05).

    The budget is lower by the actions that the unit owes. A disabled unit gets no budget
    (FH-TRN-03). Module `consequences` ends the sickness of the units that this unit has summoned.
    """
    debt = owed(play.combat[who])
    yield from expire(play, "turn-start", who, rules=("FH-BST-05", "FH-TRN-01"))
    if can_act(play.combat, who):
        fresh = fresh_budget(play.combat[who])
        budget = {kind: max(0, fresh[kind] - debt[kind]) for kind in fresh}
        yield BudgetSet(who, budget, rules=("FH-TRN-01",))
    yield from spells.upkeep(play, who)


def turn_prompt(who: Id) -> Prompt:
    """Return the prompt for an action of the turn."""
    return Prompt(
        kind="turn",
        name="turn",
        who=who,
        text=f"It is {who}'s turn",
        options=tuple(ACTIONS_OF_TURN.values()),
        rules=("FH-SEQ-02",),
        default="end-turn",
        stands=lambda now: on_turn(now, who),
    )


# ---- battle-end


@rule("FH-SEQ-08", "At the end of the battle, only the victors get their MP back")
@rule("FH-DUR-02", 'An effect "for the battle" ends with the battle')
@rule("FH-AIM-08", "A disrupting wound's −3 ends with the round, and its −1 with the battle")
@rule("FH-THR-02", "A unit summoned during the battle is retained or vanishes when it ends")
def battle_end(play: Play) -> Procedure[None]:
    """End battle effects, restore the victors' MP, and ask about summoned units.

    FH-SEQ-07, FH-SEQ-08, FH-DUR-02, FH-THR-02. The penalty of disrupting wounds ends (FH-AIM-08).
    """
    if play.combat.phase != "ending":
        yield PhaseBegan("ending", rules=("FH-SEQ-07",))
        return  # this step runs again in the phase `ending`, so that its prompts come after the end
    for who in play.combat.acting:
        yield TurnEnded(who, rules=("FH-SEQ-07",))
    yield from expire(play, "round-end", rules=("FH-DUR-01",))
    yield from expire(play, "battle-end", rules=("FH-DUR-02", "FH-AIM-08"))
    end = ended(play.combat, sides_left(play.combat), "FH-SEQ-07")
    for combatant in play.combat:
        mp = combatant.tracks["mp"]
        victorious = combatant.side in end.winners and not combatant.has(
            "dead", "fled", "yielded", "gone"
        )
        if victorious and mp.maximum is not None and mp.value < mp.maximum:
            yield TrackChanged(
                combatant.id, "mp", mp.maximum, None, "victory", rules=("FH-SEQ-08",)
            )
    yield from summons.thralls(play, "battle", "FH-THR-02")
    yield end


def sides_left(combat: Combat) -> Iterator[str]:
    """Yield the team of each unit in the fight.

    If only one team is left, it wins unless the GM decides otherwise (GAP-07).
    """
    return (combatant.side for combatant in combat if in_fight(combat, combatant.id))


ACTIONS_OF_TURN: Mapping[str, Action] = {
    id: action for id, action in ACTIONS.items() if id != "initiate"
}

PROCEDURES: Mapping[str, Callable[..., Procedure[None]]] = {
    "battle-start": battle_start,
    "turn": turn,
    "round-end": round_end,
    "battle-end": battle_end,
}
