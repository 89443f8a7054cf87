"""Held actions and their triggers (DEF-HLD, section 2.9)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Json, Place, Square
from domain.record.events import AnyEvent, ConditionLost, InitiativeSet
from domain.rulebook import grid
from domain.rulebook.action import Action
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.effects import Procedure, interrupt, lastly
from domain.rulebook.id_names import words
from domain.rulebook.play import Play
from domain.rulebook.prompts import NoInputs, Option, Prompt
from domain.rulebook.reactions import window
from domain.rulebook.ruleset import read
from domain.rulebook.secrecy import knows_of
from domain.rulesets.definitions import board
from domain.rulesets.definitions.deed import Deed, foiled, immediate_refusals, unmet, use_immediate
from domain.rulesets.definitions.facts import HELD, LAST, Held
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.states import by_initiative


@rule(
    "DEF-HLD-05",
    "At its trigger, the holder resolves or keeps the action. Several holders go by initiative",
)
def occurred(
    play: Play, event: str, who: Id, *, targets: Sequence[Id] = (), action: str | None = None
) -> Procedure[None]:
    """Prompt everybody with a held action for this event, highest initiative first."""

    def waits(holder: Id, held: Held) -> bool:
        if event == "attacks" and held.trigger.target not in (None, *targets):
            return False
        return event != "acts" or held.trigger.action == action

    yield from offered(play, event, who, waits)


def entered(play: Play, who: Id, before: Square, first: bool) -> Procedure[None]:
    """Offer held actions that wait for this movement, after the combatant has entered a square.

    `before` is the square that the combatant left. `first` is true for the first step of its
    movement (section 2.9).
    """
    combat = play.combat
    if first:
        yield from occurred(play, "moves", who)
    yield from offered(
        play, "moves-next-to", who, lambda holder, _: next_to(combat, who, before, holder)
    )
    yield from offered(
        play, "enters-reach", who, lambda holder, _: into_reach(combat, who, before, holder)
    )


def offered(play: Play, event: str, who: Id, waits: Callable[[Id, Held], bool]) -> Procedure[None]:
    """Offer held actions one after the other, even if the actor of the event falls."""
    holders = [
        combatant.id
        for combatant in by_initiative(play.combat)
        if (held := HELD.of(combatant)) is not None
        and held.trigger.event == event
        and made_by(held, combatant.id, who)
        and (event in FELT or knows_of(play.combat, combatant.id, who))
        and waits(combatant.id, held)
    ]

    def asked() -> Procedure[None]:
        for holder in holders:
            yield from offer(play, holder, who, event)

    if holders:
        yield from interrupt(play, asked, otherwise=None)
        yield ()  # the actor continues if it can act


FELT = ("attacks", "is-damaged", "falls")
"""Events that everybody notices, even if a hidden combatant causes them."""


def made_by(held: Held, holder: Id, who: Id) -> bool:
    """Return true if `who` is the awaited combatant, by default anybody except the holder."""
    return who == held.trigger.who if held.trigger.who is not None else who != holder


def next_to(combat: Combat, who: Id, before: Square, holder: Id) -> bool:
    """Return true if `who` is now adjacent to the trigger's target and was not before its step.

    The default target is the holder.
    """
    held = HELD.of(combat[holder])
    target = holder if held is None or held.trigger.target is None else held.trigger.target
    combatant, other = combat[who], combat.combatants.get(target)
    if other is None or combatant.position is None or other.position is None or target == who:
        return False
    sizes = board.space(combatant), board.space(other)
    apart = grid.distance(combatant.position, other.position, *sizes)
    return apart <= 1 < grid.distance(before, other.position, *sizes)


def into_reach(combat: Combat, who: Id, before: Square, holder: Id) -> bool:
    """Return true if `who` has just come into the squares that the holder threatens."""
    combatant = combat[who]
    assert combatant.position is not None, "it has just entered a square"
    size = board.space(combatant)
    now = board.blades_at(combat, holder, combatant.position, size)
    return bool(now) and not board.blades_at(combat, holder, before, size)


# ---- asking


@rule("DEF-HLD-06", "A held action comes right after its trigger, before anything else")
def offer(play: Play, holder: Id, maker: Id | None, event: str) -> Procedure[None]:
    """Prompt the holder to resolve the held action or to keep it.

    A holder that cannot act gets no prompt (DEF-IMM-10, DEF-HLD-07).
    """
    if next(refusals(play.combat, holder), None) is not None:
        return
    held = HELD.of(play.combat[holder])
    assert held is not None
    yield from window(play, [question(play.combat, holder, maker, event, held)])


TOLD = {
    "turn-starts": "{who}'s turn starts.",
    "turn-ends": "{who}'s turn ends.",
    "moves": "{who} moves.",
    "moves-next-to": "{who} moves next to the expected combatant.",
    "enters-reach": "{who} comes into reach.",
    "starts-to-cast": "{who} starts to cast.",
    "attacks": "{who} attacks.",
    "acts": "{who} acts.",
    "speaks": "{who} speaks.",
    "is-damaged": "{who} is damaged.",
    "falls": "{who} falls.",
}
"""The sentence for each event of a trigger."""


def _told(maker: Id | None, event: str) -> str:
    """Return the prompt's sentence about the event, or a general sentence for a free text."""
    told = TOLD.get(event, "The expected event has happened.")
    return told.format(who=maker or "Somebody")


def question(combat: Combat, holder: Id, maker: Id | None, event: str, held: Held) -> Prompt:
    def chosen(play: Play, who: Id, inputs: Any) -> Procedure[None]:
        return resolve(play, who, maker)

    if maker is not None and combat[maker].left:
        maker = None
    return Prompt(
        kind="reaction",
        name="reaction",
        who=holder,
        text=f"{_told(maker, event)} Does {holder} resolve its held {words(held.action)}?",
        options=(replace(RESOLVE, procedure=chosen), KEEP),
        rules=("DEF-HLD-05", "DEF-IMM-10"),
        default="keep",
        data={
            "reason": "held-action",
            "event": event,
            "actor": maker,
            "action": held.action,
            "inputs": without_gone(combat, held.inputs),
        },
        stands=lambda now: still_waits(now, holder, held),
        anew=lambda now: question(now, holder, maker, event, held),
    )


def still_waits(combat: Combat, who: Id, held: Held) -> bool:
    """Return true if the combatant still holds this action and may resolve it."""
    return HELD.of(combat[who]) == held and next(refusals(combat, who), None) is None


def without_gone(combat: Combat, inputs: Mapping[str, Json]) -> Mapping[str, Json]:
    """Return the inputs of a held action without the combatants that have left."""
    gone = [combatant.id for combatant in combat.combatants.values() if combatant.left]
    there: dict[str, Json] = {}
    for field, value in inputs.items():
        if isinstance(value, list | tuple):
            there[field] = [item for item in value if item not in gone]
        elif value not in gone:
            there[field] = value
    return there


@rule("DEF-HLD-07", "A held action is the immediate action of the round")
def refusals(combat: Combat, who: Id) -> Iterator[Illegal]:
    """Refuse without a held action, or without the immediate action that it costs."""
    if HELD.of(combat[who]) is None:
        yield refuse("DEF-HLD-01", "not-holding", f"{combat[who].name} holds no action", NO_FIELD)
        return
    yield from immediate_refusals(combat, who, "other")


def resolve(play: Play, who: Id, maker: Id | None) -> Procedure[None]:
    """Carry out the held action. It costs an immediate action.

    If the action is impossible, the holder loses it, but keeps the immediate action (DEF-HLD-11).
    """
    held = HELD.of(play.combat[who])
    assert held is not None
    deed = play.ruleset.actions[held.action]
    assert isinstance(deed, Deed)
    inputs = read(held.inputs, deed.inputs)
    rules = ("DEF-HLD-06",)
    over = ConditionLost(who, "holding", reason="its moment has come", rules=rules)
    yield (HELD.clear(who, rules=rules), over)
    if (yield from possible(play, who, deed, inputs)):
        yield use_immediate(play.combat, who, "other")
        rest = doing(play, who, deed, inputs, held.attacks)
        yield from lastly(rest, lambda: move_after(play.combat, who, maker))


def doing(play: Play, who: Id, deed: Deed, inputs: Any, attacks: int) -> Procedure[None]:
    """Carry out the held action. Attack actions begin with the highest bonus (DEF-HLD-03)."""
    if deed.kind(play.combat, who, inputs) != "attack":
        yield from deed.carry(play, who, inputs, 0)
        return
    for place in range(attacks):
        if place and not (yield from possible(play, who, deed, inputs)):
            return
        yield from deed.carry(play, who, inputs, place)


@rule(
    "DEF-HLD-11",
    "A combatant loses a held action that is impossible at its trigger, and nothing else",
)
def possible(play: Play, who: Id, deed: Deed, inputs: Any) -> Procedure[bool]:
    """Return true if the combatant can carry out the action now. Otherwise log the reason."""
    refusal = unmet(play, who, deed, inputs)
    if refusal is None and deed.first is not None:
        if not (yield from deed.first(play, who, inputs)):
            return False
        refusal = unmet(play, who, deed, inputs)
    if refusal is None:
        return True
    yield foiled(who, deed.id, refusal, "DEF-HLD-11")
    return False


@rule(
    "DEF-HLD-08",
    "The holder's place moves behind the triggering combatant, or the combatant on turn",
)
@rule("DEF-HLD-09", "The holder has no second turn in that round")
def move_after(combat: Combat, who: Id, maker: Id | None) -> Iterator[AnyEvent]:
    """Move the holder's place to just after the combatant that triggered the action.

    If that combatant is not in the order, the holder goes after the combatant on turn. The holder
    loses an unused turn of this round.
    """
    if who not in combat.combatants or combat[who].left or not combat.order:
        return
    there = [place.who for place in combat.order]
    turn = combat.acting[0] if combat.acting else LAST.of(combat)
    after = maker if maker in there else turn
    order = combat.order if after == who else moved_after(combat, who, after)
    yield InitiativeSet(order, lasting=True, rules=("DEF-HLD-08",))
    queue = tuple(place for place in combat.queue if place.who != who or who in combat.acting)
    yield InitiativeSet(queue, rules=("DEF-HLD-09",))


def moved_after(combat: Combat, who: Id, after: Id) -> tuple[Place, ...]:
    """Return the order with `who` right after another combatant.

    Both combatants then have the same sort key. If the other combatant has left the order, `who`
    takes the place before the next turn.
    """
    rest = [place for place in combat.order if place.who != who]
    there = [place.who for place in rest]
    if not rest:
        return combat.order
    if after in there:
        at = there.index(after) + 1
        key = rest[at - 1].key
    else:
        later = [place.who for place in combat.queue if place.who in there]
        at = there.index(later[0]) if later else len(rest)
        key = (rest[at] if at < len(rest) else rest[-1]).key
    rest.insert(at, Place(who, key))
    return tuple(rest)


RESOLVE = Action(
    "resolve",
    NoInputs,
    refusals=lambda play, who, inputs: refusals(play.combat, who),
    label="Resolve the held action",
    procedure=lambda play, who, inputs: resolve(play, who, None),
    rules=("DEF-HLD-05", "DEF-HLD-06", "DEF-HLD-07"),
).shown("use", "Resolve the held action")
KEEP = Option("keep", label="Keep it held").shown("wait", "Keep the action held")
REACTION = (RESOLVE, KEEP)
