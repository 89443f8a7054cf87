"""The cost of the stock way: a Litestar application on the plain eventsourcing library.

It uses aggregates, the PostgreSQL recorder and the cache of aggregates. An attack is one event: a
roll and lost points. There are no rules and no audiences. The answer is only the new version.
"""

import sys
from random import randint
from typing import Any, cast
from uuid import UUID

import uvicorn
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event
from litestar import Litestar, post

from service.store.persistence import parts_of

FIGHTERS = ("Ana0", "Imp0", "Imp1", "Imp2")


class Fight(Aggregate):
    """The hit points of each fighter."""

    @event("Opened")
    def __init__(self, points: dict[str, int]) -> None:
        self.points = points

    @event("Attacked")
    def attacked(self, attacker: str, target: str, roll: int, damage: int) -> None:
        self.points[target] -= damage


class Fights(Application[UUID]):
    """The application: opens fights and lets fighters strike."""

    def open(self) -> UUID:
        fight = Fight(dict.fromkeys(FIGHTERS, 90_000))
        self.save(fight)
        return fight.id

    def attack(self, id: UUID, attacker: str, target: str) -> int:
        """Strike once, and return the new version of the fight."""
        fight = cast(Fight, self.repository.get(id))
        roll = randint(1, 20)
        fight.attacked(attacker, target, roll, randint(1, 8) if roll > 10 else 0)
        self.save(fight)
        return fight.version


def app(dsn: str) -> Litestar:
    """Return an application with two handlers. They run in threads, because the library blocks."""
    fights = Fights(
        env={
            **parts_of(dsn),
            "PERSISTENCE_MODULE": "eventsourcing.postgres",
            "POSTGRES_POOL_SIZE": "8",
            "AGGREGATE_CACHE_MAXSIZE": "1000",
        }
    )

    @post("/fights", status_code=201, sync_to_thread=True)
    def opens() -> dict[str, str]:
        return {"id": str(fights.open())}

    @post("/fights/{id:uuid}/attacks", status_code=200, sync_to_thread=True)
    def attacks(id: UUID, data: dict[str, Any]) -> dict[str, int]:
        return {"version": fights.attack(id, data["attacker"], data["target"])}

    return Litestar([opens, attacks], openapi_config=None)


if __name__ == "__main__":
    dsn, port = sys.argv[1:]
    uvicorn.run(app(dsn), port=int(port), log_level="warning", loop="uvloop", access_log=False)
