"""`kill-shot`: against the helpless (DEF-KSH)."""

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta, Struct

from domain.errors import Illegal
from domain.record.combat import Id
from domain.record.events import ConditionGained
from domain.rulebook.effects import Procedure, ask_gm
from domain.rulebook.inputs import Enemy, Needed
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option
from domain.rulesets.definitions import arms, board, harm, manoeuvre
from domain.rulesets.definitions.actions.attack import not_pinned
from domain.rulesets.definitions.costs import Paid
from domain.rulesets.definitions.deeds import deed, target_of
from domain.rulesets.definitions.harm import Hit, Part
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.states import helpless_towards, in_fight


class KillShot(Paid, frozen=True, forbid_unknown_fields=True, kw_only=True):
    target: Needed[Enemy] = None


class Amount(Struct, frozen=True, forbid_unknown_fields=True):
    amount: Annotated[int, Meta(ge=0, le=100_000)]


RULED = (
    Option("dead"),
    Option(
        "damage", Amount, candidates=lambda play, who: ({"amount": 10},), label="This much damage"
    ),
    Option("nothing"),
)


def at_the_helpless(play: Play, who: Id, inputs: KillShot) -> Iterator[Illegal]:
    """Helpless or exposed towards the actor (DEF-KSH-01)."""
    combat = play.combat
    yield from manoeuvre.target_refusals(combat, who, inputs.target)
    if inputs.target is not None and not helpless_towards(combat, inputs.target, who):
        detail = f"{combat[inputs.target].name} is not helpless towards {combat[who].name}"
        yield Illegal("DEF-KSH-01", "not-helpless", detail)


def requirements(play: Play, who: Id, inputs: KillShot) -> Iterator[Illegal]:
    """Within reach (DEF-KSH-01)."""
    combat = play.combat
    yield from not_pinned(combat, who)
    with_what = (None, *arms.melee(combat[who]))  # its body, or a ready weapon
    if inputs.target is not None and not board.reaching(combat, who, inputs.target, with_what):
        yield Illegal("DEF-KSH-01", "out-of-reach", f"{inputs.target} is out of reach")


@rule("DEF-KSH-01", "A kill shot at the helpless, by ruling")
def kill_shot(play: Play, who: Id, inputs: KillShot, place: int) -> Procedure[None]:
    """Ask the GM for the result, without a roll. By default the target is dead."""
    target = target_of(inputs)
    answer = yield from ask_gm(
        "kill-shot",
        f"{who} makes a kill shot at {target}. What becomes of it?",
        RULED,
        "dead",
        rules=("DEF-KSH-01",),
        data={"attacker": who, "target": target},
        stands=lambda now: in_fight(now, target),
    )
    before = play.combat[target]
    if not in_fight(play.combat, target):
        return
    if answer.option == "dead":
        yield ConditionGained(target, "dead", source=who, rules=("DEF-KSH-01",))
        yield from harm.fallen(play, before)
    elif answer.option == "damage":
        part = Part("kill shot", answer.inputs.amount, ("physical",))
        yield from harm.deal(play, Hit(target, (part,), who, "kill shot"))


KILL_SHOT = deed(
    "kill-shot",
    KillShot,
    kill_shot,
    kind="standard",
    above_all=at_the_helpless,
    requirements=requirements,
    label="Kill shot",
    rules=("DEF-KSH-01",),
    melee=True,
).shown("attack", "Kill {target} outright")
