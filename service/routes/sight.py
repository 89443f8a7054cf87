"""Sight: what lies between two combatants, as the rulebook counts it."""

from collections.abc import Mapping

from msgspec import Struct

from domain.engine.redact import redact
from domain.record.combat import Id, Json
from service.http.operation import Call, Operation, Reply, Viewed


class SightQuery(Viewed, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`combatant` looks at, or attacks, `target`."""

    combatant: Id
    target: Id


class Sight(Struct, frozen=True):
    """`between`: distance, line of sight, cover, with the reasons; the names are the rulebook's.

    It is empty where the rulebook has no rule for it.
    """

    combatant: Id
    target: Id
    version: int
    between: Mapping[str, Json]


async def read_sight(call: Call) -> Reply:
    """Distance, line of sight and cover from one combatant to another, as the reader knows them."""
    query: SightQuery = call.query
    hot = call.combat
    eyes = hot.seen_by(call.viewer)
    ruleset = hot.live.ruleset
    combat = redact(ruleset, hot.live.combat, eyes.caller)
    who, target = combat[query.combatant].id, combat[query.target].id
    found = ruleset.between(combat, who, target)
    return Reply(Sight(who, target, eyes.sequence, found), etag=hot.etag_of(call.viewer))


OPERATIONS = (
    Operation(
        "GET",
        "/v1/combats/{combat}/sight",
        "readSight",
        "What lies between two combatants",
        "Playing",
        read_sight,
        Sight,
        query=SightQuery,
        errors=(404,),
    ),
)
