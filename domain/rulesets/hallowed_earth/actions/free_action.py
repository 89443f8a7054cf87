"""Actions without a declaration: `free-action`, `speak`, `no-action`, `end-turn` (HE-ACT)."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from domain.errors import Illegal
from domain.record.events import Noted
from domain.rulebook.declaration import Act
from domain.rulebook.effects import Procedure
from domain.rulebook.fields import Text
from domain.rulesets.hallowed_earth import action_costs
from domain.rulesets.hallowed_earth.count import counting
from domain.rulesets.hallowed_earth.harm import exert
from domain.rulesets.hallowed_earth.rules import action, rule


class Doing(Struct, frozen=True, forbid_unknown_fields=True):
    what: Text = ""


class Speaking(Struct, frozen=True, forbid_unknown_fields=True):
    text: Text = ""


def free(act: Act[Any]) -> Iterator[Illegal]:
    """Refuse a Free Action that the combatant cannot take now.

    In a tied slot, also refuse it before the results of the slot (HE-TIE-04).
    """
    yield from action_costs.present(act.actor)
    yield from action_costs.waits(act.combat, act.who)
    yield from action_costs.body(act.actor)
    yield from action_costs.rib(act.actor)
    yield from action_costs.budget(act.combat, act.who, "free")


@action(
    "free-action", "Free action", Doing,
    cost="free", category="use", headline="Do something small[: {what}]", essential=("what",),
    rules={"HE-ACT-03": "A turn has one Free Action, which needs no declaration"},
    refusals=(free,), propose=lambda play, who: ({"what": "draw"},),
)  # fmt: skip
def free_action(act: Act[Doing]) -> Procedure[None]:
    """Take a Free Action, which needs no declaration and does not change initiative (HE-ACT-03)."""
    who = act.who
    costs = yield from action_costs.spend(act.play, who, "free")
    text = f"{who} takes a free action: {act.inputs.what}".rstrip(": ")
    yield Noted(text, who, rules=("HE-ACT-03",))
    yield from exert(act.play, who, costs)


def can_speak(act: Act[Any]) -> Iterator[Illegal]:
    """Refuse the speech of a dead or mute combatant. Others can always speak (HE-ACT-06)."""
    if act.combat.status == "ended":
        yield action_costs.off_turn(act.combat, act.who, "speak")
    yield from action_costs.dead(act.actor)
    yield from action_costs.voice(act.actor)


@action(
    "speak", "Speak", Speaking,
    cost="none", category="use", headline="Speak[: {text}]", essential=("text",),
    rules={"HE-ACT-06": "Speech is free for every combatant that can speak"},
    refusals=(can_speak,), propose=lambda play, who: ({"text": "Behind you!"},), interjection=True,
)  # fmt: skip
@rule("HE-INC-01", "Incapacitated combatants are conscious and can talk")
def speak(act: Act[Speaking]) -> Procedure[None]:
    """Speak for free (HE-ACT-06). Fallen combatants can speak too (HE-INC-01)."""
    yield Noted(f"“{act.inputs.text}”", act.who, rules=("HE-ACT-06", "HE-INC-01"))


def on_turn(act: Act[Any]) -> Iterator[Illegal]:
    if not counting(act.combat) or act.who not in act.combat.acting:
        yield action_costs.off_turn(act.combat, act.who, "end-turn")


@action(
    "no-action", "No action", cost="none", category="pass",
    headline="No action, but stay in the turn",
    rules={}, also=("HE-MOVE-05",), refusals=(on_turn,),
)  # fmt: skip
def no_action(act: Act[Any]) -> Procedure[None]:
    """Do nothing. The slot that prompted the combatant continues."""
    yield from ()


@action(
    "end-turn", "End the turn", cost="none", category="end", rules={}, also=("HE-DECL-11",),
    refusals=(on_turn,),
)  # fmt: skip
def end_turn(act: Act[Any]) -> Procedure[None]:
    """Do nothing. The slot that prompted the combatant ends its turn."""
    yield from ()
