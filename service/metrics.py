"""Metrics of one process, for Prometheus. prometheus-client writes the formats."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, Final
from uuid import UUID

from prometheus_client import CollectorRegistry, Histogram, ProcessCollector
from prometheus_client.exposition import choose_encoder
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from service.store.follower import Status
from service.store.rows import Unavailable

BUCKETS: Final = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 12)
"""Limits of the buckets, in seconds. A request waits up to 12 s for the database."""

COUNTS: Final = {
    "commands": "Commands that were stored",
    "conflicts": "Commands that another process came before; each was decided again",
    "loads": "Combats that were read from the database",
    "replays": "First answers that an Idempotency-Key repeated",
}


class Metrics:
    """The metrics of this process. If several workers share a port, each reports its own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Histogram(
            "affray_request_seconds",
            "Time from the head of a request to its answer; of a stream, to its first byte",
            ["operation", "status"],
            buckets=BUCKETS,
            registry=self.registry,
        )
        ProcessCollector(registry=self.registry)

    def answered(self, operation: str, status: int, seconds: float) -> None:
        """Count a request that was answered."""
        self.requests.labels(operation, str(status)).observe(seconds)

    async def exposed(self, service: Any, accept: str) -> tuple[bytes, str]:
        """Return all metrics, and their media type: OpenMetrics for a client that accepts it."""
        aside = list(service.aside)
        statuses: list[Status] = []
        with suppress(Unavailable):  # the rest is still reported
            statuses = await service.followers.status()
            aside += await service.followers.aside()
        encode, media_type = choose_encoder(accept)
        families = [*_counters(service), *_gauges(service), *_projections(statuses, aside)]
        content: bytes = encode(_Families(self.registry, families))
        return content, media_type


class _Families(CollectorRegistry):
    """The metrics of a registry and others, as one collector."""

    def __init__(self, registry: Collector, more: Iterable[Metric]) -> None:
        super().__init__()
        self._parts = (registry, more)

    def collect(self) -> Iterator[Metric]:
        registry, more = self._parts
        yield from registry.collect()
        yield from more


def _counters(service: Any) -> Iterator[Metric]:
    for name, value in service.combats.counts.items():
        yield CounterMetricFamily(f"affray_{name}", COUNTS[name], value)
    asked = service.combats.pulse.questions
    yield CounterMetricFamily("affray_pulse", "Queries for the heads of combats", asked)
    placed = service.order.placed
    yield CounterMetricFamily("affray_placed", "Events that got their place in the order", placed)


def _gauges(service: Any) -> Iterator[Metric]:
    recent = service.combats.recent
    yield GaugeMetricFamily("affray_hot_combats", "Combats in memory", len(recent))
    yield GaugeMetricFamily("affray_hot_bytes", "Weight of the combats in memory", recent.weight)
    listeners = service.streams.listeners
    yield GaugeMetricFamily("affray_listeners", "Streams that are open", listeners)


def _projections(statuses: Iterable[Status], aside: Iterable[tuple[str, UUID]]) -> Iterator[Metric]:
    about = "1 for each combat that a worker has set aside because of a fault"
    family = GaugeMetricFamily("affray_combat_set_aside", about, labels=("worker", "combat"))
    for worker, combat in aside:
        family.add_metric((worker, str(combat)), 1)
    yield family
    for measure, about in (
        ("position", "Place in the order up to which a read model has followed"),
        ("lag", "Events that a read model has not followed yet"),
        ("set_aside", "Combats that a read model has set aside"),
    ):
        family = GaugeMetricFamily(f"affray_projection_{measure}", about, labels=("projection",))
        for status in statuses:
            family.add_metric((status.name,), getattr(status, measure))
        yield family
