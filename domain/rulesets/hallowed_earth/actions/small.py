"""free-action, speak, no-action, end-turn: what needs no declaration (HE-ACT)."""

from collections.abc import Iterator

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Id
from domain.record.events import Noted
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure
from domain.rulebook.fields import Text
from domain.rulebook.play import Play
from domain.rulebook.prompts import NoInputs
from domain.rulesets.hallowed_earth import action_costs
from domain.rulesets.hallowed_earth.count import counting
from domain.rulesets.hallowed_earth.harm import exert
from domain.rulesets.hallowed_earth.rules import rule


class Doing(Struct, frozen=True, forbid_unknown_fields=True):
    what: Text = ""


class Speaking(Struct, frozen=True, forbid_unknown_fields=True):
    text: Text = ""


def free_refusals(play: Play, who: Id, inputs: Doing) -> Iterator[Illegal]:
    yield from action_costs.present(play.combat[who])
    yield from action_costs.waits(play.combat, who)
    yield from action_costs.body(play.combat[who])
    yield from action_costs.rib(play.combat[who])
    yield from action_costs.budget(play.combat, who, "free")


@rule("HE-ACT-03", "One Free Action a turn, undeclared")
def free_action(play: Play, who: Id, inputs: Doing) -> Procedure[None]:
    """Take an undeclared action without effect on initiative. Data say what is free (HE-ACT-03)."""
    costs = yield from action_costs.spend(play, who, "free")
    yield Noted(f"{who} takes a free action: {inputs.what}".rstrip(": "), who, rules=("HE-ACT-03",))
    yield from exert(play, who, costs)


def speak_refusals(play: Play, who: Id, inputs: Speaking) -> Iterator[Illegal]:
    """Check a combatant that speaks, at any time (HE-ACT-06)."""
    if play.combat.status == "ended":
        yield action_costs.off_turn(play.combat, who, "speak")
    yield from action_costs.dead(play.combat[who])
    yield from action_costs.voice(play.combat[who])


@rule("HE-ACT-06", "Speech is free, for whoever can speak")
@rule("HE-INC-01", "The incapacitated are conscious and talk")
def speak(play: Play, who: Id, inputs: Speaking) -> Procedure[None]:
    """It costs nothing (HE-ACT-06), also to the fallen (HE-INC-01)."""
    yield Noted(f"“{inputs.text}”", who, rules=("HE-ACT-06", "HE-INC-01"))


def end_turn_refusals(play: Play, who: Id, inputs: NoInputs) -> Iterator[Illegal]:
    if not counting(play.combat) or who not in play.combat.acting:
        yield action_costs.off_turn(play.combat, who, "end-turn")


FREE_ACTION = Action(
    "free-action",
    Doing,
    free_refusals,
    lambda play, who: ({"what": "draw"},),
    "Free action",
    procedure=free_action,
    cost="free",
    rules=("HE-ACT-03",),
).shown("use", "Do something small[: {what}]", "what")

SPEAK = Action(
    "speak",
    Speaking,
    speak_refusals,
    lambda play, who: ({"text": "Behind you!"},),
    "Speak",
    procedure=speak,
    interjection=True,
    cost="none",
    rules=("HE-ACT-06",),
).shown("use", "Speak[: {text}]", "text")

NO_ACTION = Action(
    "no-action",
    NoInputs,
    end_turn_refusals,
    label="Act not",
    cost="none",
    rules=("HE-MOVE-05",),
).shown("pass", "Do nothing")

END_TURN = Action(
    "end-turn",
    NoInputs,
    end_turn_refusals,
    label="End the turn",
    cost="none",
    rules=("HE-DECL-11",),
).shown("end")
