"""A slot of the Count: one turn, or all turns of one number at the same time (HE-TIE).

A slot has these steps (HE-TIE-04):

- All combatants move and choose.
- All combatants roll.
- All results apply.
- The Repostes follow.
- Free Actions and the remaining movement follow.

A single turn has the same steps, without waiting.
"""

from collections.abc import Mapping, Sequence
from functools import partial

import msgspec
from msgspec.structs import replace

from domain.record.combat import Combat, Id, Place
from domain.record.events import BudgetSet, Noted, PhaseBegan, TurnEnded
from domain.rulebook.effects import Procedure, ask_all, ask_each, together, while_able
from domain.rulebook.id_names import words
from domain.rulebook.play import Play
from domain.rulebook.presence import in_fight
from domain.rulebook.prompts import Answer, Option, Prompt
from domain.rulebook.reactions import carry_out
from domain.rulesets.hallowed_earth import deed as deeds
from domain.rulesets.hallowed_earth.actions.reposte import answering
from domain.rulesets.hallowed_earth.attack import Attacks
from domain.rulesets.hallowed_earth.count import (
    begin_turn,
    count,
    counting,
    declaration,
    simultaneous,
    turn_tag,
)
from domain.rulesets.hallowed_earth.deed import DEEDS, Deed
from domain.rulesets.hallowed_earth.facts import SLOT, Slot
from domain.rulesets.hallowed_earth.numbers import by_agility
from domain.rulesets.hallowed_earth.rules import rule
from domain.rulesets.hallowed_earth.states import is_down
from domain.rulesets.hallowed_earth.things import ability_of


@rule(
    "HE-TIE-01",
    "The Count goes up and skips empty numbers. Missed turns have numbers too",
)
@rule("HE-TIE-02", "Turns with the same number happen at the same time, without a tie-breaker")
def slot(play: Play, number: int) -> Procedure[None]:
    """Run the turns at this number (HE-TIE-01, HE-TIE-02)."""
    yield PhaseBegan(f"count/{number}", rules=("HE-TIE-01",))
    while due(play.combat, number):
        yield from wave(play, number)


def due(combat: Combat, number: int) -> bool:
    """Return true if a combatant still has a turn at this number."""
    return count(combat) == number and any(place.key == (number,) for place in combat.queue)


def begin(play: Play, number: int) -> Procedure[None]:
    """Begin the turns of the slot, and record all positions (HE-TIE-02, HE-TIE-06)."""
    for place in play.combat.queue:
        if place.key == (number,) and place.who not in play.combat.acting:
            yield from list(begin_turn(play.combat[place.who], place.tag))
    start = {
        combatant.id: combatant.position
        for combatant in play.combat
        if combatant.position is not None
    }
    acting = play.combat.acting
    rules = ("HE-TIE-02", "HE-TIE-06") if len(acting) > 1 else ()
    yield SLOT.set(Slot(start, acting), rules=rules)


def wave(play: Play, number: int) -> Procedure[None]:
    """Run the turns at this number: choices, rolls, results, Repostes, then Free Actions."""
    yield from begin(play, number)
    settled = yield from settle(play, number)
    asked = play.combat.acting
    if counting(play.combat):
        attacks = yield from resolve(play, settled)
        yield from resolved(play, asked)
        yield from answering(play, attacks)
    yield from finish(play)
    yield SLOT.clear()


@rule(
    "HE-TIE-04",
    "In a slot come stances, movement, targets and rolls, results, Repostes, then Free Actions",
)
def resolved(play: Play, asked: tuple[Id, ...]) -> Procedure[None]:
    """End the actions of a simultaneous slot (HE-TIE-04).

    A combatant that received a prompt and did not act can no longer act. A combatant that reached
    this number during the rolls received no prompt, and still acts (HE-LATE-10).
    """
    now = SLOT.of(play.combat)
    if now is not None and simultaneous(play.combat):
        after = replace(now, together=(), resolved=asked)
        yield SLOT.set(after, rules=("HE-TIE-04",))


@rule("HE-TIE-05", "A Full-Defense also counts against attacks at the same number")
@rule("HE-MOVE-04", "A combatant moves in its turns, before or after the action")
def settle(play: Play, number: int) -> Procedure[list[Deed]]:
    """Carry out stances and movement before the actions (HE-MOVE-04), and return the choices.

    Combatants choose in any order (HE-TIE-04, steps 1 and 2).
    """
    settled: list[Deed] = []
    done: set[Id] = set()

    def asked(combat: Combat) -> list[Prompt]:
        return [
            prompt(play, combat, who)
            for who in by_agility(combat, combat.acting)
            if who not in done and acts(combat, who)
        ]

    while prompts := asked(play.combat):
        answer = yield from ask_each(prompts, more=asked)
        who, action = answer.who or "", answer.option
        if not acts(play.combat, who) or (yield from prelude(play, answer)):
            continue
        deed = deed_of(play.combat, answer)
        if deed is not None and action == "full-defense":  # stances first (HE-TIE-05)
            yield from carry_out(play, who, deed.at_its_moment([]), deed.inputs)
        elif deed is not None:
            settled.append(deed)
        if turn_tag(play.combat, who) == "carried" and Place(who, (number,)) in play.combat.queue:
            yield from second_turn(play, who, pending=deed in settled)
        elif action == "end-turn":
            yield TurnEnded(who, turn_tag(play.combat, who), rules=("HE-DECL-11",))
        else:
            done.add(who)
    return settled


def second_turn(play: Play, who: Id, *, pending: bool) -> Procedure[None]:
    """Begin the second turn of a combatant that has two turns at one number (GAP-09).

    The first of the two was a missed turn.
    """
    yield TurnEnded(who, "carried", rules=("HE-LATE-06",))
    yield from list(begin_turn(play.combat[who], ""))
    if pending:  # the combatant has not spent the Standard Action of the missed turn yet
        budget = {**play.combat[who].budget, "standard": 2}
        yield BudgetSet(who, budget, rules=("HE-LATE-09",))


def prelude(play: Play, answer: Answer) -> Procedure[bool]:
    """Carry out movement and other actions that are not Standard Actions at once.

    Return true if the answer was such an action.
    """
    who, action = answer.who or "", answer.option
    at_once = action in ("move", "crawl", "free-action")
    if action == "use-ability":
        ability = ability_of(play.combat[who], answer.inputs.ability)
        at_once = ability is not None and ability.cost != "standard"
    if at_once:
        doing = play.ruleset.actions[action].procedure(play, who, answer.inputs)
        yield from while_able(play, who, doing, action)
    return at_once


def deed_of(combat: Combat, answer: Answer) -> Deed | None:
    """Return the declared action that the answer starts, or `None` for another answer."""
    who = answer.who or ""
    action = DEEDS.get(answer.option)
    return None if action is None else Deed(action, who, declaration(combat, who), answer.inputs)


def of_turn(actions: Mapping[str, Option]) -> tuple[Option, ...]:
    """Return the actions that can answer the prompt of a turn."""
    return tuple(option for id, option in actions.items() if id not in ("reposte", "speak"))


def prompt(play: Play, combat: Combat, who: Id) -> Prompt:
    """Return the prompt of a turn."""
    declared = declaration(combat, who)
    return Prompt(
        kind="turn",
        name="turn",
        who=who,
        text=f"It is {who}'s turn{_warning(combat, who)}",
        options=of_turn(play.ruleset.actions),
        rules=("HE-TIE-01", "HE-TIE-02", "HE-TIE-07"),
        default="end-turn",
        data={
            "count": count(combat),
            "declared": msgspec.to_builtins(declared) if declared.action else {},
        },
        stands=lambda now: acts(now, who),
    )


def _warning(combat: Combat, who: Id) -> str:
    """Return the sentence that warns a fallen combatant that an action costs a Wound Point.

    HE-INC-03, HE-DYING-01, HE-STAB-07. For other combatants, return "".
    """
    combatant = combat[who]
    if not is_down(combatant):
        return ""
    first = "the second action" if combatant.has("stabilized") else "each action"
    return f". It is down: {first} costs it 1 Wound Point"


def acts(combat: Combat, who: Id) -> bool:
    """Return true if it is the combatant's turn. Otherwise its prompt lapses."""
    return counting(combat) and who in combat.acting and in_fight(combat, who)


@rule(
    "HE-TIE-03",
    "The results of a turn do not affect other turns of its slot",
    untold="what does not happen",
)
def resolve(play: Play, settled: Sequence[Deed]) -> Procedure[Attacks]:
    """Collect targets and all dice, then apply all results together (HE-TIE-04, 3 and 4).

    No result affects another action of this slot (HE-TIE-03).
    """
    order = by_agility(play.combat, [deed.who for deed in settled])
    here = sorted(
        (deed for deed in settled if deed.who in order), key=lambda deed: order.index(deed.who)
    )
    aimed = yield from aim(play, here)
    several = len(aimed) > 1
    made: Attacks = []
    yield from together(
        [
            carry_out(
                play,
                deed.who,
                Deed(deed.action, deed.who, deed.declared, deed.inputs, several).at_its_moment(
                    made
                ),
                deed.inputs,
                until="results" if several else None,
            )
            for deed in aimed
        ]
    )
    return made


@rule("HE-DATK-04", "A defensive attack without its attack keeps its number and its protection")
def aim(play: Play, able: Sequence[Deed]) -> Procedure[list[Deed]]:
    """Ask combatants whose target is out of reach for another target (HE-TIE-06, HE-DECL-02)."""
    combat = play.combat
    asked = [
        deed
        for deed in able
        if next(deeds.possible(combat, deed, aimed_well=False), None) is None
        and astray(combat, deed)
        and deeds.legal_targets(combat, deed)
    ]
    answers = yield from ask_all([deeds.target_prompt(combat, deed) for deed in asked])
    chosen = {id(deed): answer.option for deed, answer in zip(asked, answers, strict=True)}
    aimed: list[Deed] = []
    for deed in able:
        target = chosen.get(id(deed), "none")
        if target != "none":
            aimed.append(deed.at(target))
        elif id(deed) in chosen or (
            not deed.targets() and deed.action.needs_target(combat[deed.who], deed.tool)
        ):
            rules = ("HE-DECL-11",)
            if deed.action.id == "defensive-attack":
                rules = ("HE-DATK-04",)
            yield Noted(
                f"{deed.who} has no target for the {words(deed.action.id)}", deed.who, rules=rules
            )
        else:
            aimed.append(deed)
    return aimed


def astray(combat: Combat, deed: Deed) -> bool:
    """Return true if the action needs a target and its inputs name no legal target."""
    if not deed.targets():
        return deed.action.needs_target(combat[deed.who], deed.tool)
    refused = (next(deeds.aimed(combat, deed, who), None) for who in deed.targets())
    return all(refusal is not None for refusal in refused)


def turns(play: Play, combat: Combat) -> list[Prompt]:
    """Return the prompts of all combatants on turn."""
    return [
        prompt(play, combat, who) for who in by_agility(combat, combat.acting) if acts(combat, who)
    ]


def finish(play: Play) -> Procedure[None]:
    """Offer Free Actions and the remaining movement (HE-TIE-04, step 6)."""
    while prompts := turns(play, play.combat):
        now = SLOT.of(play.combat)
        if now is not None and simultaneous(play.combat):  # newcomers need not wait
            yield SLOT.set(replace(now, together=()), rules=("HE-TIE-04",))
        answer = yield from ask_each(prompts, more=partial(turns, play))
        who, action = answer.who or "", answer.option
        if not acts(play.combat, who) or (yield from prelude(play, answer)):
            continue
        deed = deed_of(play.combat, answer)
        if deed is not None:
            attacks = yield from resolve(play, [deed])
            yield from answering(play, attacks)
        elif action == "end-turn":
            yield TurnEnded(who, turn_tag(play.combat, who), rules=("HE-DECL-11",))
    for who in play.combat.acting:  # the GM has skipped the rest of the round
        yield TurnEnded(who, turn_tag(play.combat, who), rules=("HE-SEQ-04",))
