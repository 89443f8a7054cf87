"""The catalogue covers every prompt, request and view, with schemas that validators accept."""

import re
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from domain.record.events import ConditionGained
from domain.record.recorded import tag
from domain.rulebook.gm import is_of
from domain.rulebook.ruleset import Ruleset
from domain.rulesets import installed
from projections.catalogue import catalogue
from projections.eyes import Eyes
from projections.offers import offers, words
from projections.schemas import accepts_null
from service.conformance.walker import Walker
from tests.client import NEEDED
from tests.forms import forms
from tests.spec import GM, Spec
from tests.walks import FIGHTS

RULESETS = [
    ruleset
    for ruleset in installed().values()
    if ruleset.id in FIGHTS and ruleset.catalogue.questions
]
"""Rulebooks with a catalogue."""

each_ruleset = pytest.mark.parametrize("ruleset", RULESETS, ids=lambda entry: str(entry.id))

REFERENCES = {
    "combatant", "square", "path", "side", "weapon", "spell", "item", "ability", "feat", "skill",
    "condition", "track", "purpose", "note", "injury", "version", "fact", "marker", "picture",
}  # fmt: skip


def published(ruleset: Ruleset) -> Any:
    return msgspec.json.decode(msgspec.json.encode(catalogue(ruleset)))


def schemas(value: Any, at: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every JSON Schema in the catalogue with its path."""
    if isinstance(value, dict):
        if "$schema" in value:
            yield at, value
            return
        for name, part in value.items():
            yield from schemas(part, f"{at}/{name}")
    elif isinstance(value, list):
        for index, part in enumerate(value):
            name = part.get("id", part.get("name", index)) if isinstance(part, dict) else index
            yield from schemas(part, f"{at}/{name}")


@each_ruleset
def test_only_fields_that_may_be_null_tell_what_null_means(ruleset: Ruleset) -> None:
    told = 0
    for at, schema in schemas(published(ruleset)):
        for part in objects(schema):
            for name, field in part.get("properties", {}).items():
                about = field.get("description", "")
                means = re.search(r"`null`(?:: | for | if )([^;.]*)", about)
                told += means is not None
                assert means is None or accepts_null(field), (at, name, about)
                title = means and means[1][0].upper() + means[1][1:]
                assert field.get("x-null") == title, (at, name, about)
    assert told > 5


def objects(schema: Any) -> Iterator[Any]:
    yield schema
    yield from schema.get("$defs", {}).values()


@pytest.mark.sampled
@each_ruleset
def test_validators_take_the_schemas(ruleset: Ruleset) -> None:
    for at, schema in schemas(published(ruleset)):
        Draft202012Validator.check_schema(schema)
        assert "prefixItems" not in str(schema), at


@each_ruleset
def test_every_field_says_what_it_means(ruleset: Ruleset) -> None:
    silent = [
        f"{at}: {thing.get('title')}.{name}"
        for at, schema in schemas(published(ruleset))
        for thing in objects(schema)
        for name, field in thing.get("properties", {}).items()
        if not field.get("description")
    ]
    assert silent == []


@each_ruleset
def test_an_answer_that_wants_inputs_has_a_name_for_people(ruleset: Ruleset) -> None:
    """An answer with inputs has a label, because an id such as `set` means nothing to people."""
    nameless = [
        f"{prompt['name']}: {option['id']}"
        for prompt in published(ruleset)["prompts"]
        for option in prompt["options"]
        if prompt["kind"] != "roll"
        and option["inputs"].get("properties")
        and option["label"] == words(option["id"])
    ]
    assert nameless == []


@each_ruleset
def test_references_are_of_known_kinds(ruleset: Ruleset) -> None:
    def references(value: Any) -> Iterator[str]:
        if isinstance(value, Mapping):
            if "x-refers-to" in value:
                yield value["x-refers-to"]
            for part in value.values():
                yield from references(part)
        elif isinstance(value, list):
            for part in value:
                yield from references(part)

    assert set(references(published(ruleset))) <= REFERENCES


@each_ruleset
def test_the_sheets_of_a_fight_are_valid(ruleset: Ruleset) -> None:
    validator = Draft202012Validator(published(ruleset)["sheet"])
    for sheet in FIGHTS[ruleset.id]():
        validator.validate(msgspec.json.decode(msgspec.json.encode(sheet)))


@pytest.mark.sampled
@each_ruleset
@forms("fights", 1, long=[3])
def test_whatever_is_asked_and_told_is_in_the_catalogue(ruleset: Ruleset, fights: int) -> None:
    known = published(ruleset)
    prompts = {(prompt["kind"], prompt["name"]): prompt for prompt in known["prompts"]}
    actions = {action["id"]: action["inputs"] for action in known["actions"]}
    events = {event["type"]: Draft202012Validator(event["data"]) for event in known["events"]}
    carried = {condition["id"]: condition["data"] for condition in known["conditions"]}
    asked: set[tuple[str, str]] = set()
    for seed in range(fights):
        spec = Spec(ruleset).given(*FIGHTS[ruleset.id](), **NEEDED.get(ruleset.id, {}))
        spec.prove = lambda: None  # type: ignore[method-assign]
        walker = Walker(spec, Random(seed), undo=0, ruling=0.1)
        for _ in range(100):
            if not walker.step():
                break
            for prompt in spec.live.open_prompts().values():
                asked.add((prompt.kind, prompt.name))
                info = next(
                    about
                    for (kind, name), about in prompts.items()
                    if kind == prompt.kind and is_of(name, prompt.name)
                )
                assert info["asks"] == ("gm" if prompt.who is None else "combatant") or (
                    prompt.kind == "roll"
                )
                offered = {
                    option["id"]: (option["label"], option["inputs"]) for option in info["options"]
                }
                for option in prompt.options:
                    if option.id in info["actions"]:
                        assert option.id in actions
                    elif option.id in offered:
                        label, inputs = offered[option.id]
                        assert label == (option.label or words(option.id)), prompt.name
                        title = inputs.get("title")
                        assert title == option.inputs.__name__, (prompt.name, option.id)
                    else:
                        assert info["each"], f"{prompt.name}: {option.id} is not in the catalogue"
            for recorded in spec.last:
                data = msgspec.to_builtins(recorded.event)
                data.pop("type")
                if (
                    isinstance(recorded.event, ConditionGained)
                    and recorded.event.condition in carried
                ):
                    carries = carried[recorded.event.condition]
                    held = msgspec.json.decode(msgspec.json.encode(recorded.event.data))
                    Draft202012Validator(carries).validate(held)
                    assert set(held) <= set(carries["properties"]), recorded.event
                data.pop("rules", None)
                events[tag(recorded.event)].validate(msgspec.json.decode(msgspec.json.encode(data)))
    assert len(asked) > 3


@pytest.mark.sampled
@each_ruleset
@forms("fights", 1, long=[2])
def test_examples_are_what_their_schemas_say(ruleset: Ruleset, fights: int) -> None:
    wrong: set[str] = set()
    for seed in range(fights):
        spec = Spec(ruleset).given(*FIGHTS[ruleset.id](), **NEEDED.get(ruleset.id, {}))
        spec.prove = lambda: None  # type: ignore[method-assign]
        walker = Walker(spec, Random(seed), undo=0, ruling=0.1)
        for step in range(60):
            if not walker.step():
                break
            if step % 6:
                continue
            offered = offers(spec.live, Eyes(spec.live.history, GM))
            takes = {key: Draft202012Validator(schema) for key, schema in offered.schemas.items()}
            for offer in offered.options:
                for example in msgspec.json.decode(msgspec.json.encode(offer.examples)):
                    faults = takes[offer.inputs].iter_errors(example)
                    wrong |= {f"{offer.id}: {fault.message}" for fault in faults}
    assert not wrong


@pytest.mark.sampled
@each_ruleset
def test_what_the_board_shows_is_in_the_catalogue(ruleset: Ruleset) -> None:
    known = published(ruleset)
    derived = {entry["id"] for entry in known["derived"]}
    tracks = {track["id"] for track in known["tracks"]}
    budget = {entry["id"] for entry in known["budget"]}
    phases = {phase["id"] for phase in known["phases"]}
    spec = Spec(ruleset).given(*FIGHTS[ruleset.id](), **NEEDED.get(ruleset.id, {}))
    spec.prove = lambda: None  # type: ignore[method-assign]
    walker = Walker(spec, Random(5), undo=0)
    for _ in range(120):
        if not walker.step():
            break
        assert spec.combat.phase.partition("/")[0] in phases
        for combatant in spec.combat:
            assert set(ruleset.derived(spec.combat, combatant.id)) <= derived
            assert set(combatant.tracks) <= tracks
            assert set(combatant.budget) <= budget
            assert ruleset.wound(spec.combat, combatant.id) in known["wounds"]


def enums(value: Any) -> Iterator[Mapping[str, Any]]:
    """Yield every part of a schema that lists its values."""
    if isinstance(value, Mapping):
        if isinstance(value.get("enum"), list):
            yield value
        for part in value.values():
            yield from enums(part)
    elif isinstance(value, list):
        for part in value:
            yield from enums(part)


@each_ruleset
def test_every_listed_value_has_a_title(ruleset: Ruleset) -> None:
    known = published(ruleset)
    listed = list(enums(known))
    assert listed
    for part in listed:
        titles = part["x-titles"]
        assert list(titles) == [str(value) for value in part["enum"]]
        worded = [title for value, title in titles.items() if value and not value.isdigit()]
        assert all(re.fullmatch(r"[A-Z][A-Za-z -]{2,}", title) for title in worded), titles


@pytest.mark.parametrize(
    ("id", "value", "title"),
    [
        ("free-hit", "aa", "Attack action"),
        ("sovereign", "str", "Strength"),
        ("vile-darkness", "<=", "At most"),
        ("definitions", "moves-next-to", "Moves next to"),
    ],
)
def test_a_title_is_for_people(id: str, value: str, title: str) -> None:
    parts = [part for part in enums(published(installed()[id])) if value in part["enum"]]
    assert {part["x-titles"][value] for part in parts} == {title}


@each_ruleset
def test_only_the_fallen_look_like_a_condition(ruleset: Ruleset) -> None:
    """The words for the wounds of a fighting combatant are never conditions."""
    catalogue = ruleset.catalogue
    assert not set(catalogue.wounds[: catalogue.standing]) & set(ruleset.conditions)


@each_ruleset
def test_its_sentences_are_for_readers_of_json(ruleset: Ruleset) -> None:
    """Sentences contain no indentation of code, no Python values and no private references."""
    code = re.compile(r"\n {2,}|\b(None|True|False)\b(?! of)|GAP-\d|\b2\.\d\b")
    whole = published(ruleset)
    told = [event["about"] for event in whole["events"]]
    for _, schema in schemas(whole):
        for thing in objects(schema):
            told += [thing.get("description", "")]
            told += [field["description"] for field in thing.get("properties", {}).values()]
    assert [text for text in told if code.search(text)] == []


@pytest.mark.parametrize(
    ("id", "action", "field", "values"),
    [
        ("free-hit", "attack", "pay_with", ["aa"]),
        ("free-hit", "boost-hit", "pay_with", ["ba"]),
        ("free-hit", "disengage", "pay_with", ["aa", "ba"]),
        ("free-hit", "talk", "pay_with", ["aa", "ba", "ma"]),
        ("definitions", "aoo", "action", ["attack", "shield-bash"]),
    ],
)
def test_a_list_has_only_values_that_the_rules_can_accept(
    id: str, action: str, field: str, values: list[str]
) -> None:
    (inputs,) = (
        declared["inputs"]
        for declared in published(installed()[id])["actions"]
        if declared["id"] == action
    )
    assert inputs["properties"][field]["enum"] == values
