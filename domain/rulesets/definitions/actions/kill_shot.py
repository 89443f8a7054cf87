"""The action `kill-shot`, against a helpless target (DEF-KSH)."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.record.events import ConditionGained
from domain.rulebook.declaration import Act, Refusal
from domain.rulebook.effects import Procedure, ask_gm
from domain.rulebook.inputs import Needed
from domain.rulebook.presence import in_fight
from domain.rulebook.prompts import Option
from domain.rulesets.definitions import arms, board, harm
from domain.rulesets.definitions.costs import Paid
from domain.rulesets.definitions.deeds import MELEE, Attempt, Price, priced
from domain.rulesets.definitions.harm import Hit, Part
from domain.rulesets.definitions.manoeuvre import Target, fair_target, not_pinned
from domain.rulesets.definitions.states import helpless_towards


class KillShot(Paid, frozen=True, forbid_unknown_fields=True, kw_only=True):
    target: Needed[Target] = None


class Amount(Struct, frozen=True, forbid_unknown_fields=True):
    amount: Annotated[int, Meta(ge=0, le=100_000)]


RULED = (
    Option("dead"),
    Option(
        "damage", Amount, candidates=lambda play, who: ({"amount": 10},), label="This much damage"
    ),
    Option("nothing"),
)


def defends_itself(act: Act[KillShot]) -> bool | dict[str, str]:
    """Return values for the refusal's sentence if the target can defend itself."""
    target = act.inputs.target
    defended = target is not None and not helpless_towards(act.combat, target, act.who)
    return defended and {"it": act.target.name}


def is_far(act: Act[KillShot]) -> bool | dict[str, str]:
    """Return the target's id for the refusal if the target is out of the actor's reach."""
    target, with_what = act.inputs.target, (None, *arms.melee(act.actor))
    far = target is not None and not board.reaching(act.combat, act.who, target, with_what)
    return far and {"it": str(target)}


HELPLESS = Refusal(
    "DEF-KSH-01", "not-helpless", "{it} is not helpless towards {actor}", defends_itself, "target"
)


@priced(
    "kill-shot", "Kill shot", KillShot, Price("standard", first=(fair_target, HELPLESS)), MELEE,
    category="attack", headline="Kill {target} outright",
    rules={"DEF-KSH-01": "The GM decides the result of a kill shot at a helpless target"},
    refusals=(
        not_pinned,
        Refusal("DEF-KSH-01", "out-of-reach", "{it} is out of reach", is_far, "target"),
    ),
    propose=("target",),
)  # fmt: skip
def kill_shot(act: Attempt[KillShot]) -> Procedure[None]:
    """Ask the GM for the result, without a roll. By default, the target dies."""
    play, who, target = act.play, act.who, act.aim
    answer = yield from ask_gm(
        "kill-shot",
        f"{who} makes a kill shot at {target}. What happens to {target}?",
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
