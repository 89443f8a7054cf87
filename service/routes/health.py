"""Operation: health and metrics."""

from importlib.metadata import version
from typing import Annotated, Final

from msgspec import Meta, Struct

from service.http.operation import Call, Operation, Reply

VERSION: Final = version("affray")


class Health(Struct, frozen=True):
    """`version` is the version of the service and of its contract."""

    status: Annotated[str, Meta(description="ok")]
    version: Annotated[str, Meta(description="Version of the service and of its contract")]


async def live(call: Call) -> Reply:
    """Check that the process answers."""
    return Reply(Health("ok", VERSION), headers={"Cache-Control": "no-store"})


async def ready(call: Call) -> Reply:
    """Check that the process and the database answer. `503`: the database does not."""
    await call.combats.store.ping()
    return Reply(Health("ok", VERSION), headers={"Cache-Control": "no-store"})


async def metrics(call: Call) -> Reply:
    """Read the metrics of this process. If the service has a service key, send it.

    With `Accept: application/openmetrics-text`, you get OpenMetrics. Otherwise, you get the text
    format of Prometheus.
    """
    accept = call.header("accept") or ""
    content, media_type = await call.service.metrics.exposed(call.service, accept)
    return Reply(content, media_type=media_type)


OPERATIONS = (
    Operation(
        "GET",
        "/health/live",
        "readLiveness",
        "Check that the process answers",
        "Running",
        live,
        Health,
        "anybody",
    ),
    Operation(
        "GET",
        "/health/ready",
        "readReadiness",
        "Check that the service is ready",
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
        "Read the metrics",
        "Running",
        metrics,
        "text/plain",
        "service",
    ),
)
