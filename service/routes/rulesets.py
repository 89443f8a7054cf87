"""Rulebooks: what can be played, with every sheet, action, condition and rule."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from domain.errors import Unknown
from domain.record.combat import Json
from domain.rulebook.action import Action
from domain.rulebook.ruleset import Rule, Ruleset
from service.http.operation import Call, Operation, Reply


class RulesetLine(Struct, frozen=True):
    id: str
    title: str
    summary: str


class Rulesets(Struct, frozen=True):
    rulesets: tuple[RulesetLine, ...]


class ActionView(Struct, frozen=True):
    """Something that can be declared or ruled. `inputs` is a JSON Schema."""

    id: str
    label: str
    cost: str
    rules: tuple[str, ...]
    interjection: bool
    inputs: Mapping[str, Json]


class ConditionLine(Struct, frozen=True):
    id: str
    effect: str
    ends: str
    rules: tuple[str, ...]


class RulesetView(Struct, frozen=True):
    """A rulebook. `sheet` and `options` are JSON Schemas (2020-12)."""

    id: str
    title: str
    summary: str
    sheet: Mapping[str, Json]
    options: Mapping[str, Json]
    actions: tuple[ActionView, ...]
    rulings: tuple[ActionView, ...]
    conditions: tuple[ConditionLine, ...]
    purposes: tuple[str, ...]


class Rules(Struct, frozen=True):
    rules: tuple[Rule, ...]


class RulesQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`prefix` keeps the rules whose id starts with it, such as "FH-ATK"."""

    prefix: str = ""


async def list_rulesets(call: Call) -> Reply:
    """The rulebooks that this service knows."""
    known = call.combats.rulesets.values()
    return Reply(Rulesets(tuple(RulesetLine(one.id, one.title, one.summary) for one in known)))


async def read_ruleset(call: Call) -> Reply:
    """One rulebook: the schema of its sheets, its options, actions, rulings and conditions."""
    return Reply(_view(_ruleset(call)))


async def read_rules(call: Call) -> Reply:
    """Every numbered rule of a rulebook: its id, one line, and the code that implements it."""
    query: RulesQuery = call.query
    return Reply(
        Rules(tuple(one for one in _ruleset(call).rules if one.id.startswith(query.prefix)))
    )


def _ruleset(call: Call) -> Ruleset:
    found = call.combats.rulesets.get(call.params["ruleset"])
    if found is None:
        raise Unknown("ruleset", call.params["ruleset"], tuple(call.combats.rulesets))
    return found


def _view(ruleset: Ruleset) -> RulesetView:
    return RulesetView(
        ruleset.id,
        ruleset.title,
        ruleset.summary,
        schema(ruleset.sheet),
        schema(ruleset.options),
        tuple(_action(one) for one in ruleset.actions.values()),
        tuple(_action(one) for one in ruleset.rulings.values()),
        tuple(
            ConditionLine(id, one.effect, one.ends, one.rules)
            for id, one in ruleset.conditions.items()
        ),
        ruleset.purposes,
    )


def _action(action: Action) -> ActionView:
    return ActionView(
        action.id,
        action.label or action.id,
        action.cost,
        action.rules,
        action.interjection,
        schema(action.inputs),
    )


def schema(kind: Any) -> Mapping[str, Json]:
    """The JSON Schema of a Struct, whole in itself."""
    found: Mapping[str, Json] = msgspec.json.schema(kind)
    return found


OPERATIONS = (
    Operation(
        "GET",
        "/v1/rulesets",
        "listRulesets",
        "List the rulebooks",
        "Rulebooks",
        list_rulesets,
        Rulesets,
        "anybody",
        links={"read": ("readRuleset", {"ruleset": "$response.body#/rulesets/0/id"})},
    ),
    Operation(
        "GET",
        "/v1/rulesets/{ruleset}",
        "readRuleset",
        "Read a rulebook",
        "Rulebooks",
        read_ruleset,
        RulesetView,
        "anybody",
        errors=(404,),
    ),
    Operation(
        "GET",
        "/v1/rulesets/{ruleset}/rules",
        "readRules",
        "Read the rules of a rulebook",
        "Rulebooks",
        read_rules,
        Rules,
        "anybody",
        query=RulesQuery,
        errors=(404,),
    ),
)
