"""Traces of requests and of their queries, by OpenTelemetry's own instruments.

The extra `affray[tracing]` installs the packages imported here. Configure them with the variables
of OpenTelemetry.
"""

from typing import Any

from litestar import Request
from litestar.config.app import AppConfig
from litestar.plugins import InitPlugin
from litestar.plugins.opentelemetry import OpenTelemetryConfig, OpenTelemetryPlugin
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.instrumentation.asyncpg import AsyncPGInstrumentor
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.sampling import Decision, ParentBased, Sampler, SamplingResult
from opentelemetry.trace import SpanKind, get_current_span


class _Requests(Sampler):
    """Starts a trace for each request, and no trace for a query of background work."""

    def should_sample(
        self,
        parent_context: Any,
        trace_id: int,
        name: str,
        kind: SpanKind | None = None,
        *more: Any,
        **named: Any,
    ) -> SamplingResult:
        is_request = kind is SpanKind.SERVER
        return SamplingResult(Decision.RECORD_AND_SAMPLE if is_request else Decision.DROP)

    def get_description(self) -> str:
        return "requests"


class _Names(InitPlugin):
    """Names a request's span after its operation, because the path differs for each combat."""

    def on_app_init(self, app_config: AppConfig) -> AppConfig:
        app_config.before_request = self.name
        return app_config

    @staticmethod
    def name(request: Request[Any, Any, Any]) -> None:
        span = get_current_span()
        span.update_name(str(request.route_handler.name or request.method))
        if combat := request.path_params.get("combat"):
            span.set_attribute("affray.combat", str(combat))


def plugins() -> list[InitPlugin]:
    """Return plugins that send traces of Litestar and asyncpg to `OTEL_EXPORTER_OTLP_ENDPOINT`."""
    resource = Resource({"service.name": "affray"}).merge(OTELResourceDetector().detect())
    provider = TracerProvider(resource=resource, sampler=ParentBased(_Requests()))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    AsyncPGInstrumentor().instrument(tracer_provider=provider)  # type: ignore[no-untyped-call]
    # A stream would have a span for each message.
    config = OpenTelemetryConfig(tracer_provider=provider, exclude_spans=["send", "receive"])
    return [OpenTelemetryPlugin(config), _Names()]
