"""The action `use-skill`, a check whose result the GM decides (SOV-SKILL)."""

from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec import Meta, Struct

from domain.errors import Illegal
from domain.record.combat import Id, Json
from domain.record.events import EffectResolved
from domain.rulebook.declaration import Act
from domain.rulebook.effects import Procedure, ask_gm
from domain.rulebook.inputs import Creature
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option
from domain.rulebook.sums import Sum
from domain.rulesets.sovereign import checks, costs, opportunity
from domain.rulesets.sovereign.numbers import against_check, check_terms
from domain.rulesets.sovereign.rules import action, rule
from domain.rulesets.sovereign.sheet import Attribute, Skill

Text = Annotated[str, Meta(max_length=2000)]
Difficulty = Annotated[int, Meta(ge=0, le=100)]


class UseSkill(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of a skill check.

    - `difficulty`: the number to reach. `null` means 10. A player's number is a proposal to the GM.
    - `opposed_by`: the opponent. The number to reach is then 8 + the opponent's attribute and
      skill.
    """

    skill: Skill
    attribute: Attribute
    intent: Text = ""
    difficulty: Difficulty | None = None
    opposed_by: Creature | None = None


class Outcome(Struct, frozen=True, forbid_unknown_fields=True):
    text: Text = ""


class Ruled(Struct, frozen=True, forbid_unknown_fields=True):
    difficulty: Difficulty = checks.DIFFICULTY


DIFFICULTY = Option(
    "difficulty", Ruled, candidates=lambda play, who: ({}, {"difficulty": 8}), label="It is so hard"
)


def opponent(act: Act[UseSkill]) -> Iterator[Illegal]:
    """Raise `Unknown` if the opponent does not exist."""
    if act.inputs.opposed_by is not None:
        act.combat[act.inputs.opposed_by]
    return iter(())


def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Propose two examples of skills. A person can enter any other skill."""
    yield {"skill": "notice", "attribute": "wis"}
    yield {"skill": "exert", "attribute": "str", "difficulty": 8}


@action(
    "use-skill", "Use a skill", UseSkill,
    cost="Main", category="use", headline="Use the skill {skill}",
    essential=("skill", "attribute", "intent"),
    rules={"SOV-SKILL-01": "Using a skill costs a Main and provokes"},
    also=("SOV-SKILL-02",),
    refusals=(*costs.FOR_A_MAIN, opponent),
    propose=candidates,
)  # fmt: skip
def use_skill(act: Act[UseSkill]) -> Procedure[None]:
    """Spend a Main, provoke enemies, and roll 2d6 (SOV-SKILL-01).

    The GM decides the result (SOV-SKILL-02).
    """
    play, who, inputs = act.play, act.who, act.inputs
    # Spend the Main before the GM's prompt, because others may act while the prompt is open.
    yield costs.spend(who, "main", "SOV-SKILL-01")
    alone = yield from difficulty(play, who, inputs)
    yield from opportunity.begin(play, who, "use-skill", inputs.opposed_by)

    def number() -> int | Sum:
        if inputs.opposed_by is None:
            return alone
        other = play.combat[inputs.opposed_by]
        return against_check(other, inputs.attribute, inputs.skill, "SOV-SKILL-02")

    result = yield from checks.check(
        play,
        who,
        "skill",
        terms=lambda: check_terms(play.combat[who], inputs.attribute, inputs.skill, "SOV-SKILL-02"),
        target=number,
        against=inputs.opposed_by,
        rules=("SOV-SKILL-02", "SOV-CHK-01"),
    )
    yield from outcome(play, who, inputs.skill, result.success)


def difficulty(play: Play, who: Id, inputs: UseSkill) -> Procedure[int]:
    """Return 10 or the GM's number. A player's number is a proposal to the GM (SOV-SKILL-02)."""
    if inputs.difficulty is None or inputs.opposed_by is not None:
        return checks.DIFFICULTY
    if play.by_gm:
        return inputs.difficulty
    answer = yield from ask_gm(
        "skill-difficulty",
        f"{who} uses {inputs.skill} and proposes difficulty {inputs.difficulty}. How hard is it?",
        (DIFFICULTY,),
        "difficulty",
        rules=("SOV-SKILL-02",),
        data={"combatant": who, "skill": inputs.skill, "proposed": inputs.difficulty},
    )
    ruled: int = answer.inputs.difficulty
    return ruled


OUTCOME = (
    Option("none"),
    Option(
        "outcome",
        Outcome,
        candidates=lambda play, who: ({"text": "it works"},),
        label="This comes of it",
    ),
)


@rule(
    "SOV-SKILL-02", "The check is 2d6 against 10 or the GM's number, and the GM decides the result"
)
def outcome(play: Play, who: Id, skill: str, success: bool) -> Procedure[None]:
    """Ask the GM for the result of the skill (SOV-SKILL-02)."""
    word = "succeeds" if success else "fails"
    answer = yield from ask_gm(
        "skill-outcome",
        f"{who} uses {skill} and {word}. What happens?",
        OUTCOME,
        "none",
        rules=("SOV-SKILL-02",),
        data={"combatant": who, "skill": skill, "success": success},
    )
    if answer.option == "outcome":
        yield EffectResolved(
            who, "activity", "use-skill", "ruled", skill, text=answer.inputs.text,
            data={"skill": skill}, rules=("SOV-SKILL-02",),
        )  # fmt: skip
