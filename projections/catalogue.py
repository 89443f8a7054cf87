"""The catalogue of a rulebook, with a JSON Schema of all that clients send or receive."""

from collections.abc import Mapping
from typing import Annotated, Any, get_args

from msgspec import Meta, Struct

from domain.engine.rolls import RollFaces
from domain.record.events import AnyEvent, Event
from domain.record.readers import knowers
from domain.rulebook.action import Action
from domain.rulebook.catalogue import Catalogue, OnScreen, Question
from domain.rulebook.facts import CombatFact
from domain.rulebook.party import Party
from domain.rulebook.prompts import Option
from domain.rulebook.ruleset import Ruleset
from projections.offers import words
from projections.published import text
from projections.schemas import Schema, Schemas


class ActionView(Struct, frozen=True):
    """An action or a ruling, with a JSON Schema of its `inputs`.

    A player may also declare an `interjection` while another combatant has an open prompt.
    """

    id: str
    label: str
    cost: str
    rules: tuple[str, ...]
    interjection: Annotated[
        bool, Meta(description="Whether it is allowed while another combatant has an open prompt")
    ]
    inputs: Annotated[Schema, Meta(description="JSON Schema of its inputs")]


class OptionView(Struct, frozen=True):
    """An option of a prompt, with a JSON Schema of its `inputs`."""

    id: str
    label: str
    inputs: Annotated[Schema, Meta(description="JSON Schema of its inputs")]


class PromptInfo(Struct, frozen=True):
    """A kind of prompt of the rulebook.

    - `asks`: `gm`, or `combatant` for the player of a combatant.
    - `options`: the options, with their inputs.
    - `actions`: the ids of actions that answer the prompt. The `actions` of the rulebook contain
      their inputs.
    - `each`: the name of a list in the prompt's data. The id of each entry is one more option.
    """

    name: str
    kind: Annotated[
        str,
        Meta(
            description="Kind of prompt",
            extra_json_schema={"enum": ["turn", "declare", "reaction", "roll", "choice", "ruling"]},
        ),
    ]
    asks: Annotated[
        str,
        Meta(description="The GM or a combatant", extra_json_schema={"enum": ["gm", "combatant"]}),
    ]
    about: str
    rules: tuple[str, ...]
    options: Annotated[
        tuple[OptionView, ...], Meta(description="The possible answers, except actions")
    ]
    actions: Annotated[tuple[str, ...], Meta(description="Ids of actions that answer it")]
    each: Annotated[str | None, Meta(description="List of further options. `null`: none")]


class ConditionLine(Struct, frozen=True):
    """A condition. If it `stacks`, each instance counts.

    `data` is the JSON Schema of the condition's data.
    """

    id: str
    label: str
    effect: Annotated[str, Meta(description="Its effect")]
    ends: Annotated[str, Meta(description="Its end, in words")]
    rules: tuple[str, ...]
    stacks: Annotated[bool, Meta(description="Whether each instance counts")]
    data: Annotated[Schema, Meta(description="JSON Schema of its data")]


class TrackInfo(Struct, frozen=True):
    """A pool of points. Its `role` is health, magic, strain or other."""

    id: str
    label: str
    role: Annotated[str, Meta(description="health, magic, strain or other")]
    about: str


class NumberInfo(Struct, frozen=True):
    """A number that the rulebook derives. If it is `public`, other sides see it too.

    `role` tells a screen how to use the number:

    - `high-first`, `low-first`: it orders the turns of a round. If the value is an object, use the
      object's `total`.
    - `zone`: it gives the squares that the combatant threatens or hinders. The value is a list of
      squares, or the number of squares around the combatant's body.
    """

    id: str
    about: str
    public: Annotated[bool, Meta(description="Whether other sides see it")]
    role: Annotated[
        OnScreen,
        Meta(description="Use on a screen: the number that orders turns, a zone, or nothing"),
    ] = ""


class FactInfo(Struct, frozen=True):
    """A fact that the ruleset remembers.

    - `of`: the subject of the fact, `combatant` or `combat`.
    - `known_to`: the readers other than the GM.
    - `until`: the moment at which the ruleset forgets the fact. `null` means never.
    """

    id: str
    of: Annotated[
        str, Meta(description="Its subject", extra_json_schema={"enum": ["combatant", "combat"]})
    ]
    about: str
    known_to: str
    until: Annotated[
        str | None, Meta(description="Moment at which the ruleset forgets it. `null`: never")
    ]
    value: Annotated[Schema, Meta(description="JSON Schema of its value")]


class Label(Struct, frozen=True):
    id: str
    label: str


class EventInfo(Struct, frozen=True):
    """A type of event.

    - `data`: the JSON Schema of the event's data.
    - `known_to`: the readers of the event other than the GM.
    - `fields`: the readers of each field. `side` is the side of the event's `who`. `against` is the
      side of the combatant at which the event is directed.
    """

    type: Annotated[str, Meta(description="Type of the event")]
    about: str
    known_to: str
    fields: Annotated[
        Mapping[str, str], Meta(description="Readers of each field, other than the GM")
    ]
    data: Annotated[Schema, Meta(description="JSON Schema of its data")]


class SchemaPlace(Struct, frozen=True):
    """A reference to an input schema in the catalogue.

    You can cache the schema. If `hash` changes, read the schema again.
    """

    hash: Annotated[str, Meta(description="Changes with the schema")]
    at: Annotated[str, Meta(description="JSON pointer into this catalogue")]


class RulesetView(Struct, frozen=True):
    """A rulebook, with JSON Schemas (2020-12).

    - `x-refers-to` in a schema gives the kind of thing that a value names.
    - `schemas`: the place of each schema of inputs, by the key that offers cite.
    - `wounds`: the words for a combatant's wounds, from unhurt to the worst. The first `standing`
      words are for combatants that can still fight.
    - `parties`: the ready fights. Send one to `openCombat`, with its `sheets` as `combatants`.
    """

    id: str
    title: str
    summary: str
    sheet: Annotated[Schema, Meta(description="JSON Schema of a combatant's sheet")]
    options: Annotated[Schema, Meta(description="JSON Schema of the options")]
    map: Annotated[Schema, Meta(description="JSON Schema of the map")]
    actions: Annotated[tuple[ActionView, ...], Meta(description="Actions")]
    rulings: Annotated[tuple[ActionView, ...], Meta(description="Rulings of the GM")]
    prompts: Annotated[tuple[PromptInfo, ...], Meta(description="Prompts")]
    conditions: tuple[ConditionLine, ...]
    tracks: tuple[TrackInfo, ...]
    wounds: Annotated[
        tuple[str, ...], Meta(description="Words for wounds, from unhurt to the worst")
    ]
    standing: Annotated[
        int, Meta(description="Number of first `wounds` for combatants that can still fight")
    ]
    derived: tuple[NumberInfo, ...]
    facts: Annotated[tuple[FactInfo, ...], Meta(description="Facts that the rulebook keeps")]
    budget: tuple[Label, ...]
    phases: Annotated[tuple[Label, ...], Meta(description="The phases")]
    purposes: Annotated[tuple[str, ...], Meta(description="The names of rolls")]
    events: Annotated[tuple[EventInfo, ...], Meta(description="The types of events")]
    parties: tuple[Party, ...]
    schemas: Annotated[
        Mapping[str, SchemaPlace],
        Meta(description="Place of each schema of inputs, by the key that offers cite"),
    ]


ENGINE = (
    Question(
        "long-chain", "ruling", "gm", "Whether a very long chain of events goes on", (),
        (Option("go-on"), Option("abandon")),
    ),
    Question(
        "chain-of-interrupts", "ruling", "gm", "Whether interrupts inside interrupts go on", (),
        (Option("go-on"), Option("stop")),
    ),
    Question(
        "procedure-abandoned", "ruling", "gm",
        "How to go on after rules that changed during an action", (), (Option("go-on"),),
    ),
)  # fmt: skip
"""Prompts of the engine in every rulebook, in addition to dice by hand."""


def catalogue(ruleset: Ruleset) -> RulesetView:
    """Return the catalogue of a rulebook."""
    known: Catalogue = ruleset.catalogue
    schemas = Schemas(ruleset)
    return RulesetView(
        ruleset.id,
        ruleset.title,
        ruleset.summary,
        schemas.of(ruleset.sheet),
        schemas.of(ruleset.options),
        {"type": "object"} if ruleset.map is None else schemas.of(ruleset.map),
        tuple(_action(action, schemas) for action in ruleset.actions.values()),
        tuple(_action(action, schemas) for action in ruleset.rulings.values()),
        (
            *(_question(question, ruleset, schemas) for question in (*known.questions, *ENGINE)),
            *(_roll(purpose, schemas) for purpose in ruleset.purposes),
        ),
        tuple(
            ConditionLine(
                id,
                words(id),
                condition_info.effect,
                condition_info.ends,
                condition_info.rules,
                condition_info.stacks,
                schemas.of(condition_info.data),
            )
            for id, condition_info in ruleset.conditions.items()
        ),
        tuple(TrackInfo(id, pool.label, pool.role, pool.about) for id, pool in known.pools.items()),
        known.wounds,
        known.standing,
        tuple(
            NumberInfo(id, word.about, id in ruleset.public, word.role)
            for id, word in known.derived.items()
        ),
        tuple(
            FactInfo(
                fact.name,
                "combat" if isinstance(fact, CombatFact) else "combatant",
                fact.about,
                fact.known_to,
                fact.until,
                schemas.of(fact.kind),
            )
            for fact in ruleset.facts
        ),
        tuple(Label(id, label) for id, label in known.budget.items()),
        tuple(Label(id, label) for id, label in known.phases.items()),
        ruleset.purposes,
        tuple(_event(kind, schemas) for kind in get_args(AnyEvent)),
        ruleset.parties,
        _places(ruleset, schemas),
    )


def _places(ruleset: Ruleset, schemas: Schemas) -> Mapping[str, SchemaPlace]:
    places: dict[str, SchemaPlace] = {}

    def put(kind: type[Struct], at: str) -> None:
        places.setdefault(schemas.key(kind), SchemaPlace(schemas.hash_of(kind), at))

    for name, actions in (("actions", ruleset.actions), ("rulings", ruleset.rulings)):
        for index, action in enumerate(actions.values()):
            put(action.inputs, f"/{name}/{index}/inputs")
    for number, question in enumerate(ruleset.catalogue.questions):
        for index, option in enumerate(question.options):
            put(option.inputs, f"/prompts/{number}/options/{index}/inputs")
    return places


def _action(action: Action, schemas: Schemas) -> ActionView:
    return ActionView(
        action.id,
        action.label or words(action.id),
        action.cost,
        action.rules,
        action.interjection,
        schemas.of(action.inputs),
    )


def _question(question: Question, ruleset: Ruleset, schemas: Schemas) -> PromptInfo:
    actions = tuple(ruleset.actions) if question.actions == ("turn",) else question.actions
    return PromptInfo(
        question.name,
        question.kind,
        question.asks,
        question.about,
        question.rules,
        tuple(
            OptionView(option.id, option.label or words(option.id), schemas.of(option.inputs))
            for option in question.options
        ),
        actions,
        question.each,
    )


def _roll(purpose: str, schemas: Schemas) -> PromptInfo:
    """Return the prompt of a roll by hand, which asks for the faces."""
    option = OptionView("roll", "Roll", schemas.of(RollFaces))
    about = f"The faces of a roll: {words(purpose).lower()}"
    return PromptInfo(purpose, "roll", "combatant", about, (), (option,), (), None)


def _event(kind: type[Event], schemas: Schemas) -> EventInfo:
    whole = dict(schemas.of(kind))
    properties: dict[str, Any] = dict(whole.get("properties", {}))
    for name in ("type", "rules"):
        properties.pop(name, None)
    levels = {name: level for name, level in knowers(kind).items() if name in properties}
    if ("track" in properties and "amount" in properties) or "value" in properties:
        properties["wound"] = {
            "type": "string",
            "description": "The word for a foe's wounds at that time, in place of its numbers",
        }
    data = {name: value for name, value in whole.items() if name not in ("required", "description")}
    return EventInfo(
        str(kind.__struct_config__.tag),
        " ".join(text(kind.__doc__ or "").split()),
        kind.known_to,
        levels,
        {**data, "properties": properties},
    )
