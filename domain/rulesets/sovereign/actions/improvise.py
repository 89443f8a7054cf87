"""The actions `speak` and `improvise` (SOV-ACT-06, SOV-ACT-09)."""

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Struct

from domain.record.combat import Id, Json
from domain.record.events import EffectResolved, Noted
from domain.rulebook.declaration import Act
from domain.rulebook.effects import Procedure, ask_gm
from domain.rulebook.inputs import InputKind
from domain.rulebook.prompts import Option
from domain.rulesets.sovereign import checks, costs, opportunity, windows
from domain.rulesets.sovereign.actions.use_skill import Difficulty, Text
from domain.rulesets.sovereign.numbers import check_terms
from domain.rulesets.sovereign.rules import action
from domain.rulesets.sovereign.sheet import Attribute, Skill


class Speak(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    text: Annotated[Text, InputKind(proposes=lambda *_: ("Look out!",))]


@action(
    "speak", "Say a few words", Speak,
    cost="Free", category="use", headline="Say a few words", essential=("text",),
    rules={}, also=("SOV-ACT-06",),
    refusals=(costs.own_turn,),
    propose=("text",),
)  # fmt: skip
def speak(act: Act[Speak]) -> Procedure[None]:
    """Say a few words, as a Free Action (SOV-ACT-06)."""
    if (yield from costs.plausible(act.play, act.who, "free", speak, act.inputs)):
        yield Noted(act.inputs.text, act.who, rules=("SOV-ACT-06",))


class Improvise(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    what: Annotated[Text, InputKind(proposes=lambda *_: ("something else",))]
    hoped_for: Text = ""


class Roll(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    attribute: Attribute
    skill: Skill
    difficulty: Difficulty = checks.DIFFICULTY


class Allowed(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The GM's ruling on an improvised action."""

    cost: Literal["main", "move", "free", "instant"] = "main"
    attack_of_opportunity: bool = False
    roll: Roll | None = None
    outcome: Text = ""


@action(
    "improvise", "Anything else", Improvise,
    cost="as the GM says", category="use", headline="Try something else",
    essential=("what", "hoped_for"),
    rules={"SOV-ACT-09": "A combatant can improvise anything else, and the GM decides about it"},
    refusals=(costs.own_turn,),
    propose=("what",),
)  # fmt: skip
def improvise(act: Act[Improvise]) -> Procedure[None]:
    """Ask the GM for the cost and the result of an improvised action (SOV-ACT-09)."""
    play, who, inputs = act.play, act.who, act.inputs
    answer = yield from ask_gm(
        "improvised-action",
        f"{who} tries something: “{inputs.what}”. Do you allow it, and at which cost?",
        IMPROVISED,
        "allow",
        rules=("SOV-ACT-09",),
        data={"combatant": who, "what": inputs.what, "hoped_for": inputs.hoped_for},
    )
    if answer.option == "refuse":
        yield came_of(who, inputs, "failed")
        return
    ruled: Allowed = answer.inputs
    if ruled.cost in ("main", "move"):
        cost: costs.Pay = "main" if ruled.cost == "main" else "move"
        if play.combat[who].budget.get(cost, 0) < 1:
            yield came_of(who, inputs, "failed", detail=f"no {cost} action is left for it")
            return
        yield costs.spend(who, cost, "SOV-ACT-09")
        yield from windows.declared(play, who, "improvise")
    if ruled.attack_of_opportunity:
        yield from opportunity.from_adjacent(play, who, "improvise")
    if ruled.roll is not None:
        check = ruled.roll
        yield from checks.check(
            play,
            who,
            "skill",
            terms=lambda: check_terms(
                play.combat[who], check.attribute, check.skill, "SOV-SKILL-02"
            ),
            target=check.difficulty,
            rules=("SOV-ACT-09", "SOV-CHK-01"),
        )
    if ruled.outcome:
        yield came_of(who, inputs, "ruled", text=ruled.outcome)


def came_of(
    who: Id, inputs: Improvise, result: str, *, detail: str = "", text: str = ""
) -> EffectResolved:
    """Return the event with the result of the improvised action."""
    rules, data = ("SOV-ACT-09",), {"what": inputs.what}
    return EffectResolved(
        who, "activity", "improvise", result, "idea", detail=detail, text=text, data=data,
        rules=rules,
    )  # fmt: skip


IMPROVISED = (
    Option("allow", Allowed, candidates=lambda play, who: ALLOWED, label="Allow it so"),
    Option("refuse"),
)

ALLOWED: tuple[Mapping[str, Json], ...] = (
    {},
    {"cost": "move", "attack_of_opportunity": True},
    {"cost": "main", "roll": {"attribute": "dex", "skill": "exert"}},
)
