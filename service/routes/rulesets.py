"""Rulebooks: all playable ones, with every sheet, action, condition and rule."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.errors import Unknown
from domain.rulebook.ruleset import Rule, Ruleset
from projections.catalogue import RulesetView, catalogue
from service.http.operation import Call, Operation, Reply


class PartyLine(Struct, frozen=True):
    """The id and the name of a ready fight. `readRuleset` returns the complete fight."""

    id: str
    name: str
    about: str


class RulesetLine(Struct, frozen=True):
    """An installed rulebook, with its ready fights."""

    id: str
    title: str
    summary: str
    parties: tuple[PartyLine, ...]


class RulesetList(Struct, frozen=True):
    rulesets: Annotated[tuple[RulesetLine, ...], Meta(description="The rulebooks")]


class RuleList(Struct, frozen=True):
    rules: Annotated[tuple[Rule, ...], Meta(description="The rules")]


class RulesQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Select rules by `prefix`, the start of their ids, such as `FH-ATK`."""

    prefix: str = ""


async def list_rulesets(call: Call) -> Reply:
    """List the installed rulebooks, and the names of the ready fights of each."""
    known = RulesetList(tuple(map(_line, call.combats.rulesets.values())))
    return Reply(known, weighed=True)


async def read_ruleset(call: Call) -> Reply:
    """Read a complete rulebook, with a JSON Schema of all data that you send or receive.

    The answer has:

    - sheets, options, maps
    - actions, rulings, and every prompt with its inputs
    - conditions, pools, numbers, facts
    - the data of events
    """
    return Reply(catalogue(_ruleset(call)), weighed=True)


async def read_rules(call: Call) -> Reply:
    """List every numbered rule of a rulebook: its id, one sentence, and its code."""
    query: RulesQuery = call.query
    rules = (rule for rule in _ruleset(call).rules if rule.id.startswith(query.prefix))
    return Reply(RuleList(tuple(rules)), weighed=True)


def _line(ruleset: Ruleset) -> RulesetLine:
    parties = tuple(PartyLine(party.id, party.name, party.about) for party in ruleset.parties)
    return RulesetLine(ruleset.id, ruleset.title, ruleset.summary, parties)


def _ruleset(call: Call) -> Ruleset:
    ruleset = call.combats.rulesets.get(call.params["ruleset"])
    if ruleset is None:
        raise Unknown("ruleset", call.params["ruleset"], tuple(call.combats.rulesets))
    return ruleset


OPERATIONS = (
    Operation(
        "GET",
        "/v1/rulesets",
        "listRulesets",
        "List the rulebooks",
        "Rulebooks",
        list_rulesets,
        RulesetList,
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
        RuleList,
        "anybody",
        query=RulesQuery,
        errors=(404,),
    ),
)
