"""Sight: distance, cover and reach between two combatants, as the rulebook counts them."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct

from domain.engine.redaction import redact
from domain.record.combat import Id, Json
from service.http.operation import Call, Operation, Reply, Viewed


class SightQuery(Viewed, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`combatant` looks at, or attacks, `target`."""

    combatant: Id
    target: Id


class Sight(Struct, frozen=True):
    """Distance, line of sight, cover and reach between two combatants, by the rulebook.

    - `distance`: in `unit`, or `null` if you do not know both positions.
    - `line`: whether a line of sight joins them, or `null` if the rulebook has no rule for it.
    - `cover`: the target's cover, as the rulebook's word or in per cent. It is `null` if the
      rulebook has no rule for cover.
    - `reach`: the ids of the weapons with which the combatant can attack the target from its
      square. It is `null` if they are unknown or secret.
    - `between`: further obstacles, in the rulebook's words.
    """

    combatant: Id
    target: Id
    version: int
    distance: Annotated[float | None, Meta(description="Distance, in `unit`. `null`: unknown")]
    unit: Annotated[str, Meta(description="The unit of the distance: ft or spaces")]
    line: Annotated[
        bool | None, Meta(description="Whether a line of sight joins them. `null`: no rule for it")
    ]
    cover: Annotated[
        str | int | None,
        Meta(description="Cover of the target, a word or per cent. `null`: no rule for it"),
    ]
    reach: Annotated[
        tuple[str, ...] | None,
        Meta(description="Ids of the weapons that reach the target from here. `null`: unknown"),
    ]
    between: Annotated[
        Mapping[str, Json],
        Meta(description="Other obstacles between them, in the rulebook's words"),
    ]


async def read_sight(call: Call) -> Reply:
    """Read distance, line of sight, cover and reach from one combatant to another.

    The answer uses only what the reader knows.
    """
    query: SightQuery = call.query
    hot = call.combat
    eyes = hot.seen_by(call.viewer)
    ruleset = hot.live.ruleset
    combat = redact(ruleset, hot.live.combat, eyes.caller)
    who, target = combat[query.combatant].id, combat[query.target].id
    between = ruleset.between(combat, who, target)
    # The weapons of others are secret, so their reach is too.
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
