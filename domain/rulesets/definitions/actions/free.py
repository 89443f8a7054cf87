"""`speak` and `knowledge-check` (DEF-FRE-02, -06)."""

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
from domain.rulesets.definitions.deeds import deed
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.states import sheet_of


class Speak(Paid, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """About six seconds, or a simple thought."""

    text: Annotated[str, Meta(max_length=500)] = ""


@rule("DEF-FRE-02", "Speaking, in the own turn")
def speak(play: Play, who: Id, inputs: Speak, place: int) -> Procedure[None]:
    yield Noted(inputs.text, who, rules=("DEF-FRE-02",))
    yield from triggers.occurred(play, "speaks", who)


SPEAK = deed("speak", Speak, speak, kind="free", label="Speak", rules=("DEF-FRE-02",)).shown(
    "use", "Speak[: {text}]", "text"
)


class Knowledge(Paid, frozen=True, forbid_unknown_fields=True, kw_only=True):
    skill: Annotated[str, Meta(min_length=1, max_length=60)]
    about: Annotated[str, Meta(max_length=200)] = ""


class Insight(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """If `dc` is null, any roll is enough. `text` is the answer that it gains."""

    dc: int | None = None
    text: Annotated[str, Meta(max_length=500)] = ""


KNOWLEDGE = (Option("knowledge", Insight, label="DC and answer"),)


def knowledge_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    skills = list(sheet_of(play.combat[who]).skills) or ["knowledge"]
    for skill in skills[:5]:
        yield {"skill": skill, "about": "the foe"}


@rule("DEF-FRE-06", "Asking for its own knowledge")
def knowledge_check(play: Play, who: Id, inputs: Knowledge, place: int) -> Procedure[None]:
    """The roll; then the GM names DC and answer (DEF-FRE-06)."""
    rolled = yield from roll(
        who,
        f"skill-{inputs.skill}",
        "1d20",
        rules=("DEF-FRE-06", "DEF-GEN-06"),
        terms=lambda: numbers.skill_terms(play.combat[who], inputs.skill, "DEF-FRE-06"),
    )
    answer = yield from ask_gm(
        "knowledge",
        f"{who} asks its knowledge ({words(inputs.skill)}): {inputs.about}",
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


KNOWLEDGE_CHECK = deed(
    "knowledge-check",
    Knowledge,
    knowledge_check,
    kind="free",
    candidates=knowledge_candidates,
    label="Ask one's knowledge",
    rules=("DEF-FRE-06", "DEF-FRE-01"),
).shown("use", "Recall {skill}", "skill", "about")
