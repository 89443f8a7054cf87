"""Explanations: the parts of a standing number, and the values that do not count."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.engine.redaction import redact
from domain.record.combat import Id
from projections.explain import Explanation, explain, markdown
from service.http.operation import JSON, Call, Operation, Reply, Viewed


class ExplainQuery(Viewed, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`at` selects the state after that event."""

    at: Annotated[int, Meta(ge=1)] | None = None


class Explained(Struct, frozen=True):
    """Numbers of one combatant, each with its parts. `version` is the same as on the board."""

    combatant: Id
    version: int
    numbers: Annotated[
        tuple[Explanation, ...], Meta(description="The numbers, each with its parts")
    ]


async def read_explanations(call: Call) -> Reply:
    """Explain every standing number of a combatant: its parts, with rule and origin.

    The answer has the derived numbers, pools and remaining actions that your role may know. For
    each number, `absent` lists terms that do not count, such as a bonus that does not stack, with
    the reason. For Markdown, send `Accept: text/markdown`.
    """
    return _explained(call, None)


async def read_explanation(call: Call) -> Reply:
    """Explain one number: its parts with rule, origin and value, and the parts that do not count.

    Name a number of the board's `derived`, a pool, or `budget.` with a kind of action. Inside
    objects and lists, use dots: `effective_ac.melee`, `attack_bonuses.0`, `hp.maximum`.
    """
    return _explained(call, call.params["number"])


def _explained(call: Call, name: str | None) -> Reply:
    query: ExplainQuery = call.query
    hot = call.combat
    eyes = hot.seen_by(call.viewer)
    live = hot.live if query.at is None else hot.live.as_of(eyes.to_version(query.at))
    who = call.params["combatant"]
    explanations = explain(live, eyes, who, name)
    if "text/markdown" in call.request.headers.get("accept", ""):
        called = redact(live.ruleset, live.combat, eyes.caller)[who].name
        text = markdown(called, explanations).encode()
        return Reply(text, media_type="text/markdown; charset=utf-8", weighed=True)
    version = eyes.sequence if query.at is None else query.at
    return Reply(Explained(who, version, tuple(explanations)), weighed=True)


_ONE = "/v1/combats/{combat}/combatants/{combatant}/explain"

OPERATIONS = (
    Operation(
        "GET",
        _ONE,
        "explainNumbers",
        "Explain all numbers of a combatant",
        "Playing",
        read_explanations,
        Explained,
        query=ExplainQuery,
        errors=(404,),
        media_types=(JSON, "text/markdown"),
        links={
            "one": (
                "explainNumber",
                {
                    "combat": "$request.path.combat",
                    "combatant": "$request.path.combatant",
                    "number": "$response.body#/numbers/0/name",
                },
            )
        },
    ),
    Operation(
        "GET",
        _ONE + "/{number}",
        "explainNumber",
        "Explain a number",
        "Playing",
        read_explanation,
        Explained,
        query=ExplainQuery,
        errors=(404,),
        media_types=(JSON, "text/markdown"),
    ),
)
