"""The application connects all parts. Start to read here."""

import asyncio
import hmac
import logging
import os
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from typing import Any
from uuid import UUID

from litestar import Litestar
from litestar.plugins import InitPlugin

from domain.rulebook.ruleset import Ruleset
from domain.rulesets import installed
from projections.registry import installed as installed_projections
from service.abandonment import abandon_what_differs
from service.archives import Archive, archive_for, keep
from service.background import Background
from service.combats import Combats
from service.http import console, docs, site
from service.http.door import COMPRESSION, Door, cors
from service.http.handlers import handler, options
from service.http.operation import Operation
from service.http.problems import Refusal
from service.limits import Limiter
from service.live.clock import Clock
from service.live.delivery import Delivery
from service.live.notices import Notices
from service.live.streams import Streams
from service.loader import Restore, never_archived
from service.metrics import Metrics
from service.pictures import Encoder
from service.quarantine import Aside
from service.recent_combats import Recent
from service.resources import stored
from service.routes import OPERATIONS
from service.settings import BadSetting, Settings
from service.store.applications import Applications
from service.store.combat_list import Listing
from service.store.database import Database
from service.store.encryption import mapper_for, mapper_of
from service.store.followers import Followers
from service.store.log import Store
from service.store.mapper import Mapper
from service.store.order import Order
from service.store.outage import Outage
from service.store.pictures import Pictures
from service.store.port import Log
from service.store.webhooks import Webhooks
from service.verification import patrol

log = logging.getLogger("affray")


class Service:
    """The objects that all operations share. `running` starts the objects that need the database.

    `asgi` is the application.
    """

    asgi: Any  # ASGI servers and test clients type it differently
    store: Store
    combats: Combats
    listing: Listing
    pictures: Pictures
    applications: Applications
    streams: Streams
    order: Order
    followers: Followers
    webhooks: Webhooks
    delivery: Delivery

    def __init__(self, settings: Settings, rulesets: Mapping[str, Ruleset]) -> None:
        self.settings = settings
        self.rulesets = rulesets
        self.aside = Aside()
        self.limiter = Limiter(settings.limits)
        self.metrics = Metrics()
        self.encoder = Encoder()

    async def application_of(self, bearer: str, address: str) -> str | None:
        """Return the id of the caller's application key, or `None` for the service key or no key.

        If any key exists, refuse a caller without a valid one. Raise `TooOften` for an address that
        has sent too many wrong keys, even if this key is right.
        """
        key = self.settings.service_key
        if key is None and not await self.applications.any():
            return None
        self.limiter.wrong_keys.check(address)
        if key is not None and hmac.compare_digest(key.encode(), bearer.encode()):
            return None
        application = await self.applications.find(bearer)
        if application is None:
            if bearer:
                self.limiter.wrong_keys.count(address)
            raise Refusal(
                "unauthorized",
                "send the service key: Authorization: Bearer …; to fork, Affray-Service-Key: …",
            )
        return application

    async def _forget(self) -> None:
        """Every hour, drop the answers of idempotency keys that are older than a day."""
        outage = Outage("the forgetting of old answers")
        while True:
            try:
                with outage.told():
                    await self.combats.store.forget_answers()
            except Exception:
                log.exception("old answers are not forgotten")
            await asyncio.sleep(3600)

    async def _verify(self, dsn: str, mapper: Mapper) -> None:
        """Verify combats in the background, on a connection of its own."""
        database = await Database.open(dsn, 1)
        try:
            store = Store(database)
            archived = Archive(store, mapper, None).skipped
            await patrol(store, mapper, self.settings.verify_pause, self.aside, archived)
        finally:
            await database.close()

    def connect(
        self,
        log: Log,
        mapper: Mapper,
        tell: Callable[[UUID], None],
        restore: Restore = never_archived,
    ) -> None:
        """Create the parts that need only a `Log`. `tell` notifies other replicas of a change."""
        recent = Recent(self.settings.hot_combats, self.settings.hot_mb * 1024 * 1024)
        self.combats = Combats(log, self.rulesets, recent, mapper, restore)
        self.streams = Streams(self.combats, self.limiter)

        def changed(combat: UUID) -> None:
            self.streams.touched(combat)
            tell(combat)

        self.combats.on_change = changed
        self.combats.on_load = partial(abandon_what_differs, self.combats)

    @asynccontextmanager
    async def running(self, app: Litestar) -> AsyncIterator[None]:
        """Start and stop the database, the store and the followers. Raises `BadSetting`."""
        mapper_of()  # before anything starts, because it may refuse the settings
        async with stored(self.settings, self.settings.pool_size) as store:
            self.store = store
            mapper = await mapper_for(store)
            dsn = store.database.dsn
            notices = Notices(store.database, dsn, lambda combat: self.streams.touched(combat))
            archive = await archive_for(self.settings, store, mapper)
            self.connect(store, mapper, notices.changed, archive.restore)
            self.listing = Listing(store)
            self.pictures = Pictures(store.database, mapper)
            self.applications = Applications(store.database)
            self.streams.start()
            notices.start()
            background = await Database.open(dsn, 3)  # its own pool: commands never wait
            self.order = Order(background, dsn, store.stored)
            self.followers = Followers(
                background, installed_projections().values(), mapper, self.order, archive.past
            )
            self.order.start()
            await self.followers.start()
            clock = Clock(self.combats, background, self.aside)
            clock.start()
            self.webhooks = Webhooks(background)
            networks = self.settings.webhook_networks
            self.delivery = Delivery(self.combats, self.webhooks, self.order, networks, self.aside)
            self.delivery.start()
            forgetting = Background()
            forgetting.begin(self._forget())
            if self.settings.archive is not None:
                own = await archive_for(self.settings, Store(background), mapper)
                forgetting.begin(keep(own, self.settings.archive_after))
            if self.settings.verify_pause:
                forgetting.begin(self._verify(dsn, mapper))
            try:
                yield
            finally:
                await forgetting.end()
                await self.delivery.stop()
                await clock.stop()
                await self.streams.stop()
                await notices.stop()
                await self.followers.stop()
                await self.order.stop()
                await background.close()


def _traces() -> list[InitPlugin]:
    """Return the plugins that trace requests, if OpenTelemetry's endpoint is set.

    Raises `BadSetting`.
    """
    if not any(os.environ.get(f"OTEL_EXPORTER_OTLP_{name}ENDPOINT") for name in ("", "TRACES_")):
        return []
    try:
        from service.tracing import plugins
    except ImportError as missing:
        raise BadSetting(
            "OTEL_EXPORTER_OTLP_ENDPOINT is set, and OpenTelemetry is not installed:"
            f" pip install 'affray[tracing]' ({missing})"
        ) from None
    return plugins()


Lifespan = Callable[[Litestar], AbstractAsyncContextManager[None]]


def create_app(
    settings: Settings,
    rulesets: Mapping[str, Ruleset] | None = None,
    lifespan: Sequence[Lifespan] = (),
) -> Litestar:
    """Return the application. By default, it uses all installed rulesets.

    `lifespan` begins after the service starts, and ends before the service stops.
    """
    service = Service(settings, installed() if rulesets is None else rulesets)
    door = Door(service.metrics, settings.hosts, has_origins=bool(settings.cors_origins))
    paths: dict[str, list[Operation]] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, []).append(operation)
    app = service.asgi = Litestar(
        [
            # Add it first. Otherwise Litestar adds an OPTIONS of its own, which knows only one
            # method.
            *map(options, paths.values()),
            *(handler(service, operation) for operation in OPERATIONS),
            *console.HANDLERS,
            *docs.HANDLERS,
            *site.HANDLERS,
        ],
        lifespan=[service.running, *lifespan],
        middleware=[door],
        before_send=[door.finish],
        exception_handlers={Exception: door.failed},
        cors_config=cors(settings.cors_origins),
        compression_config=COMPRESSION,
        logging_config=None,  # see `logs`
        openapi_config=None,
        plugins=_traces(),
    )
    app.state.service = service
    return app
