"""The operations of the API, one file per resource."""

from service.http.operation import Operation
from service.routes import (
    amendments,
    combatants,
    combats,
    copies,
    explanations,
    health,
    history,
    pictures,
    play,
    requests,
    rulesets,
    rulings,
    sight,
    statistics,
    stream,
    tokens,
    webhooks,
)

OPERATIONS: tuple[Operation, ...] = (
    *rulesets.OPERATIONS,
    *combats.OPERATIONS,
    *combatants.OPERATIONS,
    *pictures.OPERATIONS,
    *play.OPERATIONS,
    *requests.OPERATIONS,
    *sight.OPERATIONS,
    *explanations.OPERATIONS,
    *rulings.OPERATIONS,
    *history.OPERATIONS,
    *amendments.OPERATIONS,
    *copies.OPERATIONS,
    *statistics.OPERATIONS,
    *tokens.OPERATIONS,
    *stream.OPERATIONS,
    *webhooks.OPERATIONS,
    *health.OPERATIONS,
)
"""Every operation, in the order of the documentation."""
