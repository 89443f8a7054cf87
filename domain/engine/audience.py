"""Audience: the readers who may know of an event. The engine stores them with the event.

`None` means everybody. Otherwise, the readers are the GM and the players of the listed combatants.
Each type of event declares its readers (`known_to`). An event about a hidden combatant is never for
everybody. `projections.events` decides at each read which fields the reader gets.
"""

from collections.abc import Mapping
from typing import Final, Literal

from domain.engine.redaction import of_the_hidden, prompt_data, scrub, scrub_text, words_of
from domain.record.combat import Combat, Id, Json, OpenPrompt, Place
from domain.record.events import (
    ActionDeclared,
    Answered,
    AnyEvent,
    CombatantChanged,
    CombatantJoined,
    DeadlinesSet,
    Event,
    InitiativeSet,
    MarkerRemoved,
    MarkerSet,
    Noted,
    PhaseBegan,
    PromptChanged,
    Rolled,
)
from domain.rulebook.prompts import PASSES

Audience = tuple[Id, ...] | None

_MARKERS = (MarkerSet, MarkerRemoved)


def audience_of(combat: Combat, event: AnyEvent, *, by_rules: bool = False) -> Audience:
    """Return the readers who may know `event`. `combat` is the state before it.

    `by_rules` is true if a procedure made the event.
    """
    who: Id | None = getattr(event, "who", None)
    its_own = () if who is None else (who,)
    if type(event) in _BY_CONTENT:
        match event:
            case Rolled(secret=True) | Noted(private=True):
                return ()
            case ActionDeclared(prompt=str(prompt)):
                asked = combat.prompts.get(prompt)
                if asked is not None and asked.sealed:
                    return its_own
            case Answered(who=str()):
                return None if _reacts(combat, event) else its_own
            case DeadlinesSet(deadlines=combat.deadlines, until=until):
                return _waiting_anew(combat, until)
            case PromptChanged():
                return _reworded(combat, event)
            case InitiativeSet():
                return _order(combat, event)
            case PhaseBegan(phase=phase):
                return _phase(combat, phase)
            case Noted(who=None, text=text) if by_rules and (named := _named(combat, text)):
                return named
            case _:
                pass
    # Everybody may see how a combatant appears or vanishes.
    combatant = None if who is None else combat.combatants.get(who)
    if combatant is None:
        hidden = bool(getattr(event, "hidden", False))
    else:
        shows = type(event) is CombatantChanged and event.hidden is False
        hidden = combatant.hidden and not shows
    match event.shown_to if isinstance(event, _MARKERS) else event.known_to:
        case "all":
            return its_own if hidden else None
        case "side" if not hidden:
            side = None if who is None else combat[who].side
            return tuple(combatant.id for combatant in combat if combatant.side == side)
        case "side" | "owner":
            return its_own
        case _:
            return ()


_BY_CONTENT: Final = frozenset(
    (
        ActionDeclared, Answered, DeadlinesSet, InitiativeSet, Noted, PhaseBegan, PromptChanged,
        Rolled,
    )
)  # fmt: skip
"""Types whose readers depend on the content of the event."""

DECLARED: Final[Mapping[type[Event], Literal["all", "gm"]]] = {
    kind: kind.known_to
    for kind in Event.__subclasses__()
    if kind not in (*_BY_CONTENT, *_MARKERS, CombatantChanged, CombatantJoined)
    and kind.known_to in ("all", "gm")
}
"""Types for everybody or only for the GM, unless the event is about a hidden combatant."""


UNTAKEN: Final = (*PASSES, "keep")
"""Options that decline a reaction, or that keep a held action."""


def _reacts(combat: Combat, event: Answered) -> bool:
    """Return true if everybody may know of a reaction, because they see its effect.

    A reaction of a hidden combatant stays secret, and so does a reaction whose text, data or inputs
    name a hidden combatant.
    """
    asked = combat.prompts.get(event.prompt)
    if asked is None or asked.kind != "reaction" or asked.sealed:
        return False
    if event.option in UNTAKEN or event.by in ("lapsed", "closed"):
        return False
    unseen = frozenset(_hidden(combat))
    if not unseen:
        return True
    told: Json = [asked.text, {**asked.data}, {**event.inputs}]
    return event.who not in unseen and scrub(told, words_of(combat, unseen)) == told


def _hidden(combat: Combat) -> tuple[Id, ...]:
    return tuple(combatant.id for combatant in combat.combatants.values() if combatant.hidden)


def _named(combat: Combat, text: str) -> tuple[Id, ...]:
    """Return the hidden combatants that a text names."""
    return tuple(
        who
        for who in _hidden(combat)
        if scrub_text(text, words_of(combat, frozenset((who,)))) != text
    )


def _waiting_anew(combat: Combat, until: Mapping[str, str]) -> Audience:
    """Return the combatants whose deadline changes."""
    asked = (prompt for prompt in combat.prompts.values() if until.get(prompt.id) != prompt.until)
    return tuple(dict.fromkeys(prompt.who for prompt in asked if prompt.who is not None))


def _reworded(combat: Combat, event: PromptChanged) -> Audience:
    """Return the asked combatant, or nobody if its player would see no change of the prompt.

    Players do not see target numbers of foes or unknown combatants.
    """
    asked = combat.prompts.get(event.prompt)
    if asked is None:
        return ()
    if event.who is None:  # the asked combatant has left
        return () if asked.who is None else (asked.who,)
    owner = combat[event.who].owner
    sides = {
        combat[event.who].side,
        *(combatant.side for combatant in combat if owner and combatant.owner == owner),
    }

    unseen = frozenset(
        combatant.id
        for combatant in combat.combatants.values()
        if combatant.hidden
        and combatant.id != event.who
        and not (owner and combatant.owner == owner)
    )
    unspoken = words_of(combat, unseen)

    def told(prompt: OpenPrompt | PromptChanged) -> Json:
        data = prompt_data(event.kind, prompt.data, lambda who: combat[who].side in sides)
        options = asked.options if prompt.options is None else prompt.options
        return scrub([prompt.text, {**data}, [*options]], unspoken)

    return () if told(asked) == told(event) else (event.who,)


def _phase(combat: Combat, phase: str) -> Audience:
    """Return the hidden combatants if the phase belongs to them, or None for everybody."""
    unseen = _hidden(combat)
    of_a_part = "/" in phase and of_the_hidden(combat, frozenset(unseen))
    return unseen if of_a_part or _named(combat, phase) else None


def _order(combat: Combat, event: InitiativeSet) -> Audience:
    """Return the hidden combatants if an order changes only for them, or None for everybody."""

    def seen(places: tuple[Place, ...]) -> list[Place]:
        return [
            place
            for place in places
            if (combatant := combat.combatants.get(place.who)) is not None and not combatant.hidden
        ]

    lasts = not event.lasting or seen(event.order) == seen(combat.order)
    if not lasts or seen(event.order) != seen(combat.queue):
        return None
    places = (*event.order, *combat.queue)
    return tuple(dict.fromkeys(place.who for place in places if place not in seen(places)))
