"""Running it: health, metrics."""

from contextlib import suppress
from importlib.metadata import version
from typing import Final
from uuid import UUID

from msgspec import Struct

from service.http.operation import Call, Operation, Reply
from service.store.follower import Status
from service.store.rows import Unavailable

VERSION: Final = version("affray")


class Health(Struct, frozen=True):
    """`version` is that of the service and of its contract."""

    status: str
    version: str


async def live(call: Call) -> Reply:
    """The process answers."""
    return Reply(Health("ok", VERSION), headers={"Cache-Control": "no-store"})


async def ready(call: Call) -> Reply:
    """The database answers too; 503 when it does not."""
    await call.combats.store.ping()
    return Reply(Health("ok", VERSION), headers={"Cache-Control": "no-store"})


async def metrics(call: Call) -> Reply:
    """Counters in Prometheus' text format. Where a service key is set, it is wanted."""
    lines = []
    for name, value in call.combats.counts.items():
        lines += [f"# TYPE affray_{name}_total counter", f"affray_{name}_total {value}"]
    asked = call.combats.pulse.questions
    lines += ["# TYPE affray_pulse_total counter", f"affray_pulse_total {asked}"]
    recent = call.combats.recent
    lines += ["# TYPE affray_hot_combats gauge", f"affray_hot_combats {len(recent)}"]
    lines += ["# TYPE affray_hot_bytes gauge", f"affray_hot_bytes {recent.weight}"]
    listeners = call.service.streams.listeners
    lines += ["# TYPE affray_listeners gauge", f"affray_listeners {listeners}"]
    placed = call.service.order.placed
    lines += ["# TYPE affray_placed_total counter", f"affray_placed_total {placed}"]
    aside: list[tuple[str, UUID]] = list(call.service.aside)
    statuses: list[Status] = []
    with suppress(Unavailable):  # the rest is still reported
        statuses = await call.service.followers.status()
        aside += await call.service.followers.aside()
    lines.append("# TYPE affray_combat_set_aside gauge")
    for worker, combat in aside:
        lines.append(f'affray_combat_set_aside{{worker="{worker}",combat="{combat}"}} 1')
    for measure in ("position", "lag", "set_aside"):
        lines.append(f"# TYPE affray_projection_{measure} gauge")
        for status in statuses:
            name = f'affray_projection_{measure}{{projection="{status.name}"}}'
            lines.append(f"{name} {getattr(status, measure)}")
    lines.append("")
    return Reply("\n".join(lines).encode(), media_type="text/plain; version=0.0.4; charset=utf-8")


OPERATIONS = (
    Operation(
        "GET",
        "/health/live",
        "readLiveness",
        "Is the process alive?",
        "Running",
        live,
        Health,
        "anybody",
    ),
    Operation(
        "GET",
        "/health/ready",
        "readReadiness",
        "Can it serve?",
        "Running",
        ready,
        Health,
        "anybody",
        errors=(503,),
    ),
    Operation(
        "GET",
        "/metrics",
        "readMetrics",
        "Prometheus metrics",
        "Running",
        metrics,
        "text/plain",
        "service",
    ),
)
