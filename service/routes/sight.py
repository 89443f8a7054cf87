"""Sight: what lies between two combatants, as the rulebook counts it."""

from collections.abc import Mapping

from msgspec import Struct

from domain.engine.redaction import redact
from domain.record.combat import Id, Json
from service.http.operation import Call, Operation, Reply, Viewed


class SightQuery(Viewed, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`combatant` looks at, or attacks, `target`."""

    combatant: Id
    target: Id


class Sight(Struct, frozen=True):
    """Distance, line of sight, cover and reach between two combatants, by the rulebook.

    - `distance` in `unit`. null: the place of one of them is not known.
    - `line`: whether a line of sight joins them. null: the rulebook has no rule for it.
    - `cover` of the target: the rulebook's word, or per cent. null: no rule for it.
    - `reach`: ids of the arms with which the first can attack from its place. null: not known, or
      not for the reader.
    - `between`: anything else that the rulebook counts, under its own names.
    """

    combatant: Id
    target: Id
    version: int
    distance: float | None
    unit: str
    line: bool | None
    cover: str | int | None
    reach: tuple[str, ...] | None
    between: Mapping[str, Json]


async def read_sight(call: Call) -> Reply:
    """Distance, line of sight, cover and reach from one combatant to another, as the reader knows
    them."""
    query: SightQuery = call.query
    hot = call.combat
    eyes = hot.seen_by(call.viewer)
    ruleset = hot.live.ruleset
    combat = redact(ruleset, hot.live.combat, eyes.caller)
    who, target = combat[query.combatant].id, combat[query.target].id
    between = ruleset.between(combat, who, target)
    # The arms of others are secret, so their reach is too.
    reach = between.reach if eyes.caller.plays(combat, who) else None
    seen = Sight(
        who,
        target,
        eyes.sequence,
        between.distance,
        between.unit,
        between.line,
        between.cover,
        reach,
        between.words,
    )
    return Reply(seen, etag=hot.etag_of(call.viewer))


OPERATIONS = (
    Operation(
        "GET",
        "/v1/combats/{combat}/sight",
        "readSight",
        "Read the line between two combatants",
        "Playing",
        read_sight,
        Sight,
        query=SightQuery,
        errors=(404,),
    ),
)
