"""Evolve: fold events into the state of a combat. Nothing else changes the state.

`evolve` is pure, and knows no rules. It accepts every recorded event except `Reverted`, which
decides which events to fold (`history.History.path`).
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from domain.record.combat import (
    Combat,
    Combatant,
    ForcedRoll,
    Frame,
    Id,
    OpenPrompt,
    Place,
    player_of,
)
from domain.record.combatant_effects import ON_ONE, put
from domain.record.events import (
    ActionDeclared,
    Answered,
    AnyEvent,
    CombatantChanged,
    CombatantJoined,
    CombatantLeft,
    CombatBegan,
    CombatEnded,
    CombatOpened,
    DeadlinesSet,
    Event,
    FactSet,
    InitiativeSet,
    LabelsSet,
    MapSet,
    PhaseBegan,
    ProcedureAbandoned,
    ProcedureBegan,
    ProcedureEnded,
    PromptChanged,
    Prompted,
    Resumed,
    Rolled,
    RollForced,
    RoundBegan,
    SaltAdded,
    SeedCommitted,
    SeedRevealed,
    StillAsked,
    Stopped,
    TurnBegan,
    TurnEnded,
)


def evolve(combat: Combat, event: AnyEvent) -> Combat:
    """Return the state after an event. Some events (`Noted`, `Died` and others) change nothing."""
    kind = type(event)
    change = FOLDS.get(kind)
    return combat if change is None else change(combat, event)


def _on_one(change: Callable[[Combatant, Any], Combatant]) -> Callable[[Combat, Any], Combat]:
    """Return the fold of an event that changes one combatant.

    The event has no effect if the combatant left before the combat began.
    """

    def change_combatant(combat: Combat, event: Any) -> Combat:
        combatants = combat.combatants
        combatant = combatants.get(event.who)
        if combatant is None:
            return combat
        return replace(combat, combatants={**combatants, event.who: change(combatant, event)})

    return change_combatant


def fold(events: Iterable[AnyEvent], combat: Combat | None = None) -> Combat:
    """Return the state after all these events, from an empty combat or from `combat`."""
    state = Combat() if combat is None else combat
    for event in events:
        state = evolve(state, event)
    return state


def _with(combat: Combat, who: Combatant) -> Combat:
    return replace(combat, combatants={**combat.combatants, who.id: who})


def _opened(combat: Combat, event: CombatOpened) -> Combat:
    return Combat(
        id=event.combat,
        ruleset=event.ruleset,
        name=event.name,
        options=event.options,
        dice=event.dice,
        commitment=event.commitment,
        sides=event.sides,
        map=event.map,
    )


def _joined(combat: Combat, event: CombatantJoined) -> Combat:
    newcomer = Combatant(
        event.who,
        event.name,
        event.side,
        event.owner,
        event.hidden,
        event.sheet,
        event.tracks,
        position=event.position,
    )
    if event.side not in combat.sides:
        combat = replace(combat, sides=(*combat.sides, event.side))
    return _with(combat, newcomer)


def _changed(combat: Combat, event: CombatantChanged) -> Combat:
    who = combat.combatants.get(event.who)
    if who is None:
        return combat
    side = who.side if event.side is None else event.side
    who = replace(
        who,
        name=who.name if event.name is None else event.name,
        side=side,
        owner=who.owner if event.owner is None else player_of(event.owner),
        hidden=who.hidden if event.hidden is None else event.hidden,
        sheet={**who.sheet, **event.sheet} if event.sheet else who.sheet,
    )
    if side not in combat.sides:
        combat = replace(combat, sides=(*combat.sides, side))
    return _with(combat, who)


def _left(combat: Combat, event: CombatantLeft) -> Combat:
    def others(places: tuple[Place, ...]) -> tuple[Place, ...]:
        return tuple(place for place in places if place.who != event.who)

    if combat.status == "opening" and not combat.frames:
        stay = {id: who for id, who in combat.combatants.items() if id != event.who}
    else:  # running procedures may still refer to the combatant
        stay = {
            id: replace(who, left=True) if id == event.who else who
            for id, who in combat.combatants.items()
        }
    return replace(
        combat,
        combatants=stay,
        order=others(combat.order),
        queue=others(combat.queue),
        acting=tuple(who for who in combat.acting if who != event.who),
    )


def _deadlines_set(combat: Combat, event: DeadlinesSet) -> Combat:
    prompts = {
        id: replace(prompt, until=event.until.get(id)) for id, prompt in combat.prompts.items()
    }
    return replace(combat, deadlines=event.deadlines, prompts=prompts)


def _turn_began(combat: Combat, event: TurnBegan) -> Combat:
    if event.who in combat.acting:
        return combat
    return replace(combat, acting=(*combat.acting, event.who))


def _turn_ended(combat: Combat, event: TurnEnded) -> Combat:
    queue = combat.queue
    for index, place in enumerate(queue):
        if place.who == event.who and place.tag == event.tag:
            queue = (*queue[:index], *queue[index + 1 :])
            break
    acting = tuple(who for who in combat.acting if who != event.who)
    return replace(combat, queue=queue, acting=acting)


def _without_frames(combat: Combat, since: int) -> Combat:
    """Return the combat without the frame `since`, the frames above it, and their prompts."""
    return replace(
        combat,
        frames=tuple(frame for frame in combat.frames if frame.id < since),
        prompts={id: prompt for id, prompt in combat.prompts.items() if prompt.frame < since}
        if combat.prompts
        else combat.prompts,
    )


def _prompted(combat: Combat, event: Prompted) -> Combat:
    asked = event.who or ""
    prompt = OpenPrompt(
        event.prompt,
        combat.frames[-1].id if combat.frames else 0,
        event.kind,
        event.name,
        event.who,
        event.text,
        event.options,
        event.default,
        event.data,
        event.rules,
        event.group,
        event.sealed,
        until=event.until,
    )
    return replace(
        combat,
        prompts={**combat.prompts, event.prompt: prompt},
        asked={**combat.asked, asked: combat.asked.get(asked, 0) + 1},
    )


def _prompt_changed(combat: Combat, event: PromptChanged) -> Combat:
    open_prompt = combat.prompts.get(event.prompt)
    if open_prompt is None:
        return combat
    prompt = replace(open_prompt, who=event.who, text=event.text, data=event.data)
    if event.options is not None:
        prompt = replace(prompt, options=event.options, default=event.default)
    return replace(combat, prompts={**combat.prompts, event.prompt: prompt})


def _declared(combat: Combat, event: ActionDeclared) -> Combat:
    if event.prompt is None:
        return combat
    return _settled(combat, event.prompt, event.action, event.closes)


def _settled(combat: Combat, prompt: str, option: str, closes: tuple[str, ...]) -> Combat:
    open_prompt = combat.prompts.get(prompt)
    if closes:
        # A lapsed suspended prompt has no answer to handle, so no other prompt waits for it.
        dealt_with = open_prompt is not None and open_prompt.behind is None
        left = {
            id: prompt
            if open_prompt is None or not dealt_with or prompt.frame != open_prompt.frame
            else _behind(prompt, open_prompt.who)
            for id, prompt in combat.prompts.items()
            if id not in closes
        }
        return replace(combat, prompts=left)
    if open_prompt is None:
        return combat
    return replace(combat, prompts={**combat.prompts, prompt: replace(open_prompt, answer=option)})


def _behind(prompt: OpenPrompt, who: Id | None) -> OpenPrompt:
    """Return the prompt, suspended until the answer of `who` to another prompt is handled."""
    return prompt if prompt.behind is not None or who is None else replace(prompt, behind=who)


def _still_asked(combat: Combat, event: StillAsked) -> Combat:
    again = {
        id: replace(prompt, behind=None) if id in event.prompts else prompt
        for id, prompt in combat.prompts.items()
    }
    return replace(combat, prompts=again)


def _stopped(combat: Combat, event: Stopped) -> Combat:
    if not event.closes:
        return combat
    left = {id: prompt for id, prompt in combat.prompts.items() if id not in event.closes}
    return replace(combat, prompts=left)


def _rolled(combat: Combat, event: Rolled) -> Combat:
    if not combat.forced or event.by != "gm":
        return combat
    for index, forced in enumerate(combat.forced):
        if (forced.who, forced.purpose) == (event.who, event.purpose):
            return replace(combat, forced=(*combat.forced[:index], *combat.forced[index + 1 :]))
    return combat


def _roll_forced(combat: Combat, event: RollForced) -> Combat:
    others = tuple(
        forced
        for forced in combat.forced
        if (forced.who, forced.purpose) != (event.who, event.purpose)
    )
    if event.void or not event.faces:
        return replace(combat, forced=others)
    forced_roll = ForcedRoll(event.who, event.purpose, event.faces)
    return replace(combat, forced=(*others, forced_roll))


_fact_of_combatant = _on_one(ON_ONE[FactSet])


def _fact_set(combat: Combat, event: FactSet) -> Combat:
    if event.who is not None:
        return _fact_of_combatant(combat, event)
    return replace(combat, facts=put(combat.facts, event.key, event.value))


FOLDS: Final[Mapping[type[Event], Callable[[Combat, Any], Combat]]] = {
    **{kind: _on_one(change) for kind, change in ON_ONE.items()},
    # setup
    CombatOpened: _opened,
    CombatantJoined: _joined,
    CombatantChanged: _changed,
    CombatantLeft: _left,
    MapSet: lambda combat, event: replace(combat, map=event.map),
    DeadlinesSet: _deadlines_set,
    LabelsSet: lambda combat, event: replace(combat, labels=event.labels),
    SaltAdded: lambda combat, event: replace(combat, salts={**combat.salts, event.by: event.salt}),
    SeedCommitted: lambda combat, event: replace(combat, commitment=event.commitment, seed=None),
    SeedRevealed: lambda combat, event: (
        replace(combat, seed=event.seed) if event.commitment == combat.commitment else combat
    ),
    # flow
    CombatBegan: lambda combat, _: replace(combat, status="running", phase="begun"),
    CombatEnded: lambda combat, event: replace(
        combat, status="ended", phase="ended", winners=event.winners, acting=(), queue=()
    ),
    InitiativeSet: lambda combat, event: replace(
        combat, queue=event.order, order=event.order if event.lasting else combat.order
    ),
    PhaseBegan: lambda combat, event: replace(combat, phase=event.phase),
    RoundBegan: lambda combat, event: replace(combat, round=event.round),
    TurnBegan: _turn_began,
    TurnEnded: _turn_ended,
    ProcedureBegan: lambda combat, event: replace(
        combat,
        frames=(*combat.frames, Frame(event.frame, event.kind, event.procedure, event.args)),
    ),
    ProcedureEnded: lambda combat, event: _without_frames(combat, event.frame),
    ProcedureAbandoned: lambda combat, event: replace(
        _without_frames(combat, event.frame), stalled=event.reason
    ),
    Resumed: lambda combat, _: replace(combat, stalled=None),
    # actions and effects
    Prompted: _prompted,
    PromptChanged: _prompt_changed,
    Answered: lambda combat, event: _settled(combat, event.prompt, event.option, event.closes),
    ActionDeclared: _declared,
    StillAsked: _still_asked,
    Stopped: _stopped,
    Rolled: _rolled,
    RollForced: _roll_forced,
    FactSet: _fact_set,
}
"""The fold of each type of event. `combatant_effects.ON_ONE` has the folds of one combatant."""
