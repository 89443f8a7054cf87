"""Statistics: hits, harm, healing and dice of each combatant."""

from projections.statistics import Statistics, statistics
from service.http.operation import Call, Operation, Reply, Viewed


async def read_statistics(call: Call) -> Reply:
    """Count each combatant's hits, misses and critical hits, harm, healing, decisions and dice.

    The numbers leave out undone events, and events that this token may not know.
    """
    hot, row = call.combat, call.viewer
    return Reply(statistics(hot.seen_by(row).sequence, hot.counted_by(row)), weighed=True)


OPERATIONS = (
    Operation(
        "GET",
        "/v1/combats/{combat}/statistics",
        "readStatistics",
        "Read the statistics",
        "History",
        read_statistics,
        Statistics,
        query=Viewed,
        errors=(404,),
    ),
)
