"""The actions `speak` and `knowledge-check` (DEF-FRE-02, DEF-FRE-06)."""

from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec import Meta, Struct

from domain.record.combat import Id, Json
from domain.record.events import EffectResolved, Noted
from domain.rulebook.effects import Procedure, ask_gm, roll
from domain.rulebook.id_names import words
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option
from domain.rulesets.definitions import numbers, triggers
from domain.rulesets.definitions.costs import Paid
from domain.rulesets.definitions.deeds import FREE, Attempt, priced
from domain.rulesets.definitions.states import sheet_of


class Speak(Paid, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of speech that takes about 6 s, or of a simple thought."""

    text: Annotated[str, Meta(max_length=500)] = ""


@priced(
    "speak", "Speak", Speak, FREE,
    category="use", headline="Speak[: {text}]", essential=("text",),
    rules={"DEF-FRE-02": "Speaking is a free action in the combatant's own turn"},
)  # fmt: skip
def speak(act: Attempt[Speak]) -> Procedure[None]:
    """Log what the combatant says, then offer held actions that wait for its speech."""
    yield Noted(act.inputs.text, act.who, rules=("DEF-FRE-02",))
    yield from triggers.occurred(act.play, "speaks", act.who)


class Knowledge(Paid, frozen=True, forbid_unknown_fields=True, kw_only=True):
    skill: Annotated[str, Meta(min_length=1, max_length=60)]
    about: Annotated[str, Meta(max_length=200)] = ""


class Insight(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The GM's answer to a knowledge check.

    - `dc`: if `null`, any roll succeeds.
    - `text`: the answer that a successful check reveals.
    """

    dc: int | None = None
    text: Annotated[str, Meta(max_length=500)] = ""


KNOWLEDGE = (Option("knowledge", Insight, label="DC and answer"),)


def knowledge_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    skills = list(sheet_of(play.combat[who]).skills) or ["knowledge"]
    for skill in skills[:5]:
        yield {"skill": skill, "about": "the foe"}


@priced(
    "knowledge-check", "Ask one's knowledge", Knowledge, FREE,
    category="use", headline="Recall {skill}", essential=("skill", "about"),
    rules={"DEF-FRE-06": "A knowledge check about the combatant's own knowledge is a free action"},
    also=("DEF-FRE-01",),
    propose=knowledge_candidates,
)  # fmt: skip
def knowledge_check(act: Attempt[Knowledge]) -> Procedure[None]:
    """Roll the skill, then ask the GM for the DC and the answer (DEF-FRE-06)."""
    play, who, inputs = act.play, act.who, act.inputs
    rolled = yield from roll(
        who,
        f"skill-{inputs.skill}",
        "1d20",
        rules=("DEF-FRE-06", "DEF-GEN-06"),
        terms=lambda: numbers.skill_terms(play.combat[who], inputs.skill, "DEF-FRE-06"),
    )
    answer = yield from ask_gm(
        "knowledge",
        f"What does {who} know about “{inputs.about}” ({words(inputs.skill)})?",
        KNOWLEDGE,
        None,
        rules=("DEF-FRE-06",),
        data={
            "combatant": who,
            "skill": inputs.skill,
            "about": inputs.about,
            "total": rolled.total,
        },
    )
    dc, text = answer.inputs.dc, answer.inputs.text
    if text and (dc is None or rolled.total >= dc):
        yield EffectResolved(
            who, "activity", "knowledge-check", "ruled", "knowledge", text=text,
            data={"skill": inputs.skill, "about": inputs.about}, rules=("DEF-FRE-06",),
        )  # fmt: skip
