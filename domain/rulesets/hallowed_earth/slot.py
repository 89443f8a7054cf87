"""A slot of the count: one turn, or all turns of one number at the same time (HE-TIE).

First everybody moves and settles what to do; then all roll; then all results fall; then the
Repostes; then Free Actions and what is left of the movement (HE-TIE-04). With one turn it is the
same, without anybody to wait for.
"""

from collections.abc import Sequence

from domain.record.combat import Combat, Id, Json, Place
from domain.record.events import BudgetSet, FactSet, Noted, PhaseBegan, TurnEnded
from domain.rulebook.effects import Procedure, ask_all, ask_any, together
from domain.rulebook.play import Play
from domain.rulebook.prompts import Prompt
from domain.rulesets.hallowed_earth import deeds, reposte
from domain.rulesets.hallowed_earth.actions import ACTIONS, OF_TURN
from domain.rulesets.hallowed_earth.declaring import ability_of
from domain.rulesets.hallowed_earth.deeds import DEEDS, Deed
from domain.rulesets.hallowed_earth.initiative import begin_turn
from domain.rulesets.hallowed_earth.numbers import (
    by_agility,
    count,
    counting,
    declaration,
    in_fight,
    turn_tag,
)


def slot(play: Play, number: int) -> Procedure[None]:
    """Everything that happens at this number (HE-TIE-01, -02)."""
    yield PhaseBegan(f"count/{number}", rules=("HE-TIE-01",))
    while due(play.combat, number):
        yield from wave(play, number)


def due(combat: Combat, number: int) -> bool:
    """Whether somebody still has a turn at this number."""
    return count(combat) == number and any(place.key == (number,) for place in combat.queue)


def begin(play: Play, number: int) -> Procedure[None]:
    """The turns of the slot begin; the dead have none (HE-TIE-08)."""
    for place in play.combat.queue:
        if place.key != (number,) or place.who in play.combat.acting:
            continue
        if in_fight(play.combat, place.who):
            yield from list(begin_turn(play.combat[place.who], place.tag))
        else:
            yield TurnEnded(place.who, place.tag, rules=("HE-TIE-08",))
    if len(play.combat.acting) > 1:
        start: dict[str, Json] = {
            one.id: list(one.position) for one in play.combat if one.position is not None
        }
        yield FactSet(None, "slot", {"start": start}, rules=("HE-TIE-06",))


def wave(play: Play, number: int) -> Procedure[None]:
    """The turns that are due: settle, roll and fall, answer, finish."""
    yield from begin(play, number)
    settled = yield from settle(play, number)
    tied = is_tied(play.combat)
    attacks: deeds.Attacks = ()
    if counting(play.combat):
        attacks = yield from resolve(play, settled)
    if tied:
        yield FactSet(None, "slot", None, rules=("HE-TIE-06",))
        for who in play.combat.acting:  # whoever has not acted by now does not act any more
            budget = {**play.combat[who].budget, "standard": 0}
            yield BudgetSet(who, budget, rules=("HE-TIE-04",))
    yield from reposte.answering(play, attacks)
    yield from finish(play)


def is_tied(combat: Combat) -> bool:
    """Whether several turns of the slot wait for each other."""
    return bool(combat.facts.get("slot"))


def settle(play: Play, number: int) -> Procedure[list[Deed]]:
    """Stances and movement; everybody says what it does, in whatever order (HE-TIE-04, 1 and 2)."""
    settled: list[Deed] = []
    done: set[Id] = set()

    def asked(combat: Combat) -> list[Prompt]:
        return [
            prompt(combat, who)
            for who in by_agility(combat, combat.acting)
            if who not in done and in_fight(combat, who)
        ]

    while prompts := asked(play.combat):
        answer = yield from ask_any(prompts, more=asked)
        who, action = answer.who or "", answer.option
        if is_prelude(play.combat, who, action, answer.inputs):
            yield from ACTIONS[action].procedure(play, who, answer.inputs)
            continue
        deed = Deed(who, action, declaration(play.combat, who), answer.inputs)
        if action == "full-defense":  # stances first (HE-TIE-05)
            yield from DEEDS[action](play, deed)
        elif action in DEEDS:
            settled.append(deed)
        if turn_tag(play.combat, who) == "carried" and Place(who, (number,)) in play.combat.queue:
            yield from second_turn(play, who, pending=deed in settled)
        elif action == "end-turn":
            yield TurnEnded(who, turn_tag(play.combat, who), rules=("HE-DECL-11",))
        else:
            done.add(who)
    return settled


def second_turn(play: Play, who: Id, *, pending: bool) -> Procedure[None]:
    """Both turns at one number: the missed one has gone first (GAP-09)."""
    yield TurnEnded(who, "carried", rules=("HE-LATE-06",))
    yield from list(begin_turn(play.combat[who], ""))
    if pending:  # the Standard Action of the missed turn is still to be spent
        budget = {**play.combat[who].budget, "standard": 2}
        yield BudgetSet(who, budget, rules=("HE-LATE-09",))


def is_prelude(combat: Combat, who: Id, action: str, inputs: object) -> bool:
    """Movement and what is no Standard Action: done at once."""
    if action == "use-ability":
        ability = ability_of(combat[who], getattr(inputs, "ability", None))
        return ability is not None and ability.cost != "standard"
    return action in ("move", "crawl", "free-action")


def prompt(combat: Combat, who: Id) -> Prompt:
    """The question of a turn."""
    return Prompt(
        kind="turn",
        name="turn",
        who=who,
        text=f"It is {who}'s turn",
        options=OF_TURN,
        rules=("HE-TIE-01",),
        default="end-turn",
        data={"count": count(combat), "declared": dict(declaration(combat, who))},
        stands=lambda now: counting(now) and in_fight(now, who) and who in now.acting,
    )


def resolve(play: Play, settled: Sequence[Deed]) -> Procedure[deeds.Attacks]:
    """Everybody's target and all dice, then all results together (HE-TIE-04, 3 and 4)."""
    rank = {who: at for at, who in enumerate(by_agility(play.combat, [one.who for one in settled]))}
    able = sorted((one for one in settled if one.who in rank), key=lambda one: rank[one.who])
    aimed = yield from aim(play, [one for one in able if in_fight(play.combat, one.who)])
    tied = len(aimed) > 1
    made = yield from together(
        [
            DEEDS[one.action](play, Deed(one.who, one.action, one.declared, one.inputs, tied))
            for one in aimed
        ]
    )
    return tuple(attack for attacks in made for attack in attacks)


def aim(play: Play, able: Sequence[Deed]) -> Procedure[list[Deed]]:
    """Who has no target, or none that can be reached any more, is asked (HE-TIE-06)."""
    combat = play.combat
    asked = [
        one
        for one in able
        if (deeds.needs_target(combat, one) and not one.targets())
        or any(next(deeds.aimed(combat, one, target), None) for target in one.targets())
    ]
    prompts = [
        deeds.target_prompt(combat, one) for one in asked if deeds.legal_targets(combat, one)
    ]
    answers = yield from ask_all(prompts)
    chosen = {
        id(one): answer.option
        for one, answer in zip(
            (one for one in asked if deeds.legal_targets(combat, one)), answers, strict=True
        )
    }
    found: list[Deed] = []
    for one in able:
        if one not in asked:
            found.append(one)
            continue
        target = chosen.get(id(one), "none")
        if target != "none":
            found.append(deeds.at(one, target))
        else:
            yield Noted(f"{one.action}: no target", one.who, rules=("HE-DECL-11",))
    return found


def finish(play: Play) -> Procedure[None]:
    """Free Actions and movement left over (HE-TIE-04, 6)."""
    while play.combat.acting:
        for who in play.combat.acting:
            if not in_fight(play.combat, who) or not counting(play.combat):
                yield TurnEnded(who, turn_tag(play.combat, who), rules=("HE-DECL-11",))
        acting = by_agility(play.combat, play.combat.acting)
        if not acting:
            return
        answer = yield from ask_any([prompt(play.combat, who) for who in acting])
        who, action = answer.who or "", answer.option
        if is_prelude(play.combat, who, action, answer.inputs):
            yield from ACTIONS[action].procedure(play, who, answer.inputs)
        elif action in DEEDS:
            deed = Deed(who, action, declaration(play.combat, who), answer.inputs)
            attacks = yield from resolve(play, [deed])
            yield from reposte.answering(play, attacks)
        elif action == "end-turn":
            yield TurnEnded(who, turn_tag(play.combat, who), rules=("HE-DECL-11",))
