"""The actions `hold-action` and `report-trigger` (DEF-HLD)."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.errors import Illegal, Refused
from domain.record.combat import Combat, Id, Json
from domain.record.events import ConditionGained, Spent
from domain.rulebook.declaration import NO_FIELD, Act, Refusal, refuse
from domain.rulebook.effects import Procedure, ask_gm
from domain.rulebook.gm import WHO
from domain.rulebook.inputs import Needed
from domain.rulebook.play import Play
from domain.rulebook.prompts import choices
from domain.rulebook.ruleset import read
from domain.rulesets.definitions import conditions, costs, triggers
from domain.rulesets.definitions.deed import Deed, begun
from domain.rulesets.definitions.facts import ACTED, FULL_ROUND, HELD, Held, Trigger
from domain.rulesets.definitions.numbers import attack_bonuses
from domain.rulesets.definitions.rules import action, rule
from domain.rulesets.definitions.states import left

EVENTS = (
    "turn-starts", "turn-ends", "moves", "moves-next-to", "enters-reach", "starts-to-cast",
    "attacks", "acts", "speaks", "is-damaged", "falls",
)  # fmt: skip
"""The events of a trigger (section 2.9). Any other trigger is free text."""


Event = Annotated[str, Meta(max_length=64, extra_json_schema={"enum": list(EVENTS)})]


class HeldDeed(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The action to hold. `attacks` is the number of its attack actions (DEF-HLD-03)."""

    action: Annotated[str, Meta(max_length=64)] = ""
    inputs: dict[str, Json] = {}
    attacks: Annotated[int, Meta(ge=1, le=20)] = 1


class When(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The trigger: an `event` from the list, or a free `text`."""

    event: Event | None = None
    who: Id | None = None
    target: Id | None = None
    action: Annotated[str, Meta(max_length=64)] | None = None
    text: Annotated[str, Meta(max_length=500)] | None = None


class Hold(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of a held action.

    `action` is an object with `action`, `inputs` and `attacks`, or only an id. With an id, use the
    fields `inputs` and `attacks` next to it.
    """

    slot: Literal["move", "standard"] = "standard"
    action: Needed[HeldDeed | str] = None
    inputs: dict[str, Json] = {}
    attacks: Annotated[int, Meta(ge=1, le=20)] = 1
    trigger: Needed[When] = None

    def deed(self) -> HeldDeed:
        """Return the action to hold, which the inputs give as an object or as an id."""
        if isinstance(self.action, HeldDeed):
            inputs = self.action.inputs or self.inputs
            attacks = max(self.attacks, self.action.attacks)
            return HeldDeed(action=self.action.action, inputs=inputs, attacks=attacks)
        return HeldDeed(action=self.action or "", inputs=self.inputs, attacks=self.attacks)


@rule("DEF-HLD-04", "A held action needs an unspent slot. A combatant holds one action at a time")
def slot_left(act: Act[Hold]) -> Iterator[Illegal]:
    """Refuse a slot that is already spent."""
    combatant, slot = act.actor, act.inputs.slot
    if FULL_ROUND.of(combatant):
        yield refuse("DEF-FUL-02", "full-round-taken", "the whole turn is taken", NO_FIELD)
    elif left(combatant, slot) < 1:
        detail = f"{combatant.name} has used its {slot} action"
        yield refuse("DEF-HLD-04", f"{slot}-used", detail, "slot")


@rule("DEF-HLD-02", "A held action needs an action and a clear trigger")
def clear(trigger: When | None) -> bool:
    """Return true if the trigger is a complete event from the list, or has a text."""
    if trigger is None:
        return False
    if trigger.event is None:
        return bool(trigger.text and trigger.text.strip())
    return trigger.event in EVENTS and (trigger.event != "acts" or bool(trigger.action))


@rule("DEF-HLD-03", "A combatant can hold only an action that the slot can pay")
def holdable(act: Act[Hold]) -> Iterator[Illegal]:
    """Refuse an action that the slot cannot pay, or a trigger without an event and a text."""
    slot, held = act.inputs.slot, act.inputs.deed()
    if not held.action:
        detail = "name the action that you will take"
        yield refuse("DEF-HLD-02", "hold-needs-action", detail, "action")
        return
    if not clear(act.inputs.trigger):
        detail = "name a clear trigger: an event of the list, or a text"
        yield refuse("DEF-HLD-02", "hold-needs-trigger", detail, "trigger", EVENTS)
    deed = act.play.ruleset.actions.get(held.action)
    if not isinstance(deed, Deed):
        yield cannot(held.action)
        return
    try:
        inputs = read(held.inputs, deed.inputs)
        kind = deed.kind(act.combat, act.who, inputs)
    except Refused:
        detail = f"{held.action} needs other inputs"
        yield refuse("DEF-HLD-02", "hold-needs-action", detail, "action")
        return
    fits = kind == "move" or (slot == "standard" and kind in ("standard", "attack"))
    if not fits:
        yield cannot(held.action)
    if kind == "attack" and held.attacks > len(attack_bonuses(act.actor)):
        detail = f"{act.actor.name} has not so many attack actions: {held.attacks}"
        yield refuse("DEF-HLD-03", "no-attacks-left", detail, "attacks")
    if costs.stance_of(inputs):
        yield from costs.stance_refusals(act.combat, act.who, inputs, allowed=False, at="action")


def cannot(action: str) -> Illegal:
    """Return the refusal of an action that this slot cannot pay."""
    detail = f"{action!r} cannot be held in this slot"
    return refuse("DEF-HLD-03", "cannot-hold", detail, "action")


def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Propose an attack or dropping prone for each event, and standing up for a text."""
    foes = [combatant.id for combatant in play.combat if combatant.side != play.combat[who].side][
        :3
    ]
    for event in EVENTS:
        when = {"event": event, "action": "move"} if event == "acts" else {"event": event}
        yield {"slot": "move", "action": {"action": "drop-prone"}, "trigger": when}
        for foe in foes:
            attack = {"action": "attack", "inputs": {"target": foe}}
            yield {"slot": "standard", "action": attack, "trigger": when}
    bell = {"text": "when the bell rings"}
    yield {"slot": "move", "action": {"action": "stand-up"}, "trigger": bell}


@action(
    "hold-action", "Hold an action", Hold,
    cost="move or standard", category="wait", headline="Hold {action}",
    essential=("slot", "action", "trigger"),
    rules={"DEF-HLD-01": "A combatant holds its move or standard action, and spends it at once"},
    also=("DEF-HLD-02", "DEF-HLD-03", "DEF-HLD-04"),
    refusals=(
        Refusal("DEF-HLD-04", "already-holding", "{actor} holds an action already",
                lambda act: HELD.of(act.actor) is not None),
        slot_left,
        holdable,
    ),
    propose=candidates,
)  # fmt: skip
def hold_action(act: Act[Hold]) -> Procedure[None]:
    """Spend the slot at once and wait for the trigger (DEF-HLD-01)."""
    who, inputs, when = act.who, act.inputs, act.inputs.trigger
    assert when is not None
    yield ACTED.set(who, True, rules=("DEF-DLY-01",))
    yield Spent(who, {inputs.slot: 1}, rules=("DEF-HLD-01",))
    deed = inputs.deed()
    maker, target = (known(act.combat, name) for name in (when.who, when.target))
    held = Held(
        slot=inputs.slot,
        action=deed.action,
        inputs=deed.inputs,
        attacks=deed.attacks,
        trigger=Trigger(
            who=maker, target=target, event=when.event, action=when.action, text=when.text
        ),
    )
    yield HELD.set(who, held, rules=("DEF-HLD-01",))
    yield ConditionGained(who, "holding", rules=("DEF-HLD-01",))
    yield from triggers.occurred(act.play, "acts", who, action="hold-action")


def known(combat: Combat, name: str | None) -> str | None:
    """Return the id of a combatant with this name or id."""
    return None if name is None else conditions.named(combat, name) or name


# ---- reports of a free text


class Report(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, rename=WHO):
    """Inputs of a report.

    `combatant` holds the action. If it is `null`, the reporting combatant holds it.
    """

    who: Id | None = None


OCCURRED = choices("yes", "no")


def reportable(act: Act[Report]) -> Iterator[Illegal]:
    """Refuse unless the combatant holds an action for a text trigger and may resolve it now.

    DEF-HLD-05, DEF-HLD-07. Only the holder's owner and the GM can report, because only they know
    the trigger.
    """
    yield from begun(act.combat)
    holder = act.inputs.who or act.who
    held = HELD.of(act.combat[holder])
    if held is None or held.trigger.text is None:
        detail = f"{act.combat[holder].name} holds no action with a trigger in words"
        yield refuse("DEF-HLD-05", "not-holding", detail, "combatant")
        return
    yield from triggers.refusals(act.combat, holder)


def report_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Propose each combatant that holds an action. For a player, propose only its combatant."""
    for combatant in play.combat:
        if HELD.of(combatant) is not None and who in ("", combatant.id):
            yield {"combatant": combatant.id}


@action(
    "report-trigger", "Report that a trigger has occurred", Report,
    cost="none", category="wait", headline="The trigger occurs",
    rules={},
    also=("DEF-HLD-05",),
    refusals=(reportable,),
    propose=report_candidates,
    interjection=True,
)  # fmt: skip
def report_trigger(act: Act[Report]) -> Procedure[None]:
    """Ask the GM whether the trigger has occurred (DEF-HLD-05)."""
    holder = act.inputs.who or act.who
    held = HELD.of(act.combat[holder])
    assert held is not None
    answer = yield from ask_gm(
        "trigger-occurred",
        f"{holder} waits for this: “{held.trigger.text}”. Has it happened?",
        OCCURRED,
        "yes",
        rules=("DEF-HLD-05",),
        data={"holder": holder, "trigger": held.trigger.text},
        stands=lambda now: triggers.still_waits(now, holder, held),
    )
    if answer.option == "yes":
        yield from triggers.offer(act.play, holder, None, "reported")
