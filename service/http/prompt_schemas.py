"""Answers to prompts in the contract: each option with inputs has a schema of its own.

An option may be a combatant's id, so no field distinguishes all answers. A client must try the
schemas one after the other. Previews take the inputs of any action, answer or ruling.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from domain.engine.rolls import RollFaces
from domain.rulebook.prompts import NoInputs
from domain.rulebook.ruleset import Ruleset
from projections.catalogue import ENGINE
from service.http.fields import describe
from service.http.schemas import REF, Components, pascal, ref
from service.http.unions import Kinds, wants_something

Pairs = list[tuple[Ruleset, type[Struct]]]


def unite_answers(components: Components, rulesets: Iterable[Ruleset], kinds: Kinds) -> None:
    """Split AnswerPrompt by option, and add the inputs of previews, in place."""
    known = tuple(rulesets)
    _, faces = msgspec.json.schema_components([RollFaces], ref_template=REF)
    describe(faces)
    components |= faces
    options = _options(known)
    acts: Pairs = [
        (ruleset, action.inputs) for ruleset in known for action in ruleset.actions.values()
    ]
    rules: Pairs = [
        (ruleset, action.inputs) for ruleset in known for action in ruleset.rulings.values()
    ]
    answers = [pair for pairs in options.values() for pair in pairs]
    _inputs(components, "ActionInputs", "Inputs of an action.", acts, kinds)
    _inputs(components, "RulingInputs", "Inputs of a ruling.", rules, kinds)
    _inputs(components, "AnswerInputs", "Inputs of an answer.", answers, kinds)
    components["AnswerInputs"]["anyOf"][:0] = [ref("RollFaces"), ref("ActionInputs"), _NOTHING]
    for shell, inputs in (
        ("PreviewAct", "ActionInputs"),
        ("PreviewAnswer", "AnswerInputs"),
        ("PreviewRuling", "RulingInputs"),
        ("Act", "ActionInputs"),
        ("GmRuling", "RulingInputs"),
        ("Reply", "AnswerInputs"),
        ("SetAnswer", "AnswerInputs"),
        ("GivenAnswer", "AnswerInputs"),
    ):
        _given(components[shell], ref(inputs))
    _by_option(components, options, [id for ruleset in known for id in ruleset.actions], kinds)


_NOTHING = {"type": "object", "maxProperties": 0}


def _options(rulesets: Iterable[Ruleset]) -> dict[str, Pairs]:
    """Return the options with inputs, by their ids."""
    by_id: dict[str, Pairs] = {}
    for ruleset in rulesets:
        for question in (*ruleset.catalogue.questions, *ENGINE):
            for option in question.options:
                pair = (ruleset, option.inputs)
                pairs = by_id.setdefault(option.id, [])
                if pair not in pairs:
                    pairs.append(pair)
    return {
        id: pairs
        for id, pairs in sorted(by_id.items())
        if any(kind is not NoInputs for _, kind in pairs)
    }


def _inputs(components: Components, name: str, about: str, pairs: Pairs, kinds: Kinds) -> None:
    """Return a component that accepts any of these."""
    components[name] = {"title": name, "description": about, **kinds.any(pairs)}


def _given(schema: dict[str, Any], inputs: Mapping[str, Any]) -> None:
    about = schema["properties"]["inputs"]["description"]
    schema["properties"]["inputs"] = {"description": about, **inputs}


def _by_option(
    components: Components, options: Mapping[str, Pairs], actions: Iterable[str], kinds: Kinds
) -> None:
    whole = components["AnswerPrompt"]
    option = whole["properties"]["option"]
    inputs = {"description": whole["properties"]["inputs"]["description"]}

    def variant(
        name: str, about: str, named: Mapping[str, Any], given: Mapping[str, Any], *, wanted: bool
    ) -> dict[str, Any]:
        properties = {
            "option": {"description": option["description"], **named},
            "inputs": {**inputs, **given},
        }
        assert name not in components, name
        components[name] = {
            **whole,
            "title": name,
            "description": about,
            "properties": properties,
            "required": ["inputs"] if wanted else [],
        }
        return ref(name)

    def const(id: str) -> dict[str, Any]:
        return {"type": "string", "const": id}

    variants = [
        variant(
            "AnswerRoll",
            "The faces of dice that were rolled by hand.",
            const("roll"),
            ref("RollFaces"),
            wanted=True,
        )
    ]
    for id, pairs in options.items():
        rulebooks = ", ".join(dict.fromkeys(ruleset.id for ruleset, _ in pairs))
        wanted = all(wants_something(kind) for _, kind in pairs)
        about = f"The option {id}, in: {rulebooks}."
        name = f"Answer{pascal(id)}"
        variants.append(variant(name, about, const(id), kinds.any(pairs), wanted=wanted))
    named = {"type": "string", "enum": sorted(set(actions))}
    about = "An action, as the answer to a prompt. DeclareAction has the inputs of each action."
    variants.append(variant("AnswerAction", about, named, ref("ActionInputs"), wanted=False))
    about = "An option without inputs, such as take, pass, or the id of a combatant."
    plain = {name: value for name, value in option.items() if name != "description"}
    variants.append(variant("AnswerPlain", about, plain, _NOTHING, wanted=False))
    components["AnswerPrompt"] = {
        "title": "AnswerPrompt",
        "description": whole["description"],
        "anyOf": variants,
    }
