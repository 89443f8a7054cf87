"""Settings from the environment; every variable is described in `Settings`."""

import os
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct


class BadSetting(ValueError):
    """A variable of the environment has a value that does not do; the message names it."""


class Settings(Struct, frozen=True):
    """How the service runs.

    database_url  DATABASE_URL: an external PostgreSQL (14 or newer); None = the embedded one
    data_dir      AFFRAY_DATA_DIR: where the embedded PostgreSQL keeps its data
    host, port    AFFRAY_HOST, AFFRAY_PORT: where the service listens
    service_key   AFFRAY_SERVICE_KEY: when set, only who knows it may open and list combats
    pool_size     AFFRAY_POOL_SIZE: connections to the database
    hot_combats   AFFRAY_HOT_COMBATS: combats kept in memory
    """

    database_url: str | None
    data_dir: Path
    host: str = "127.0.0.1"
    port: int = 8000
    service_key: str | None = None
    pool_size: int = 8
    hot_combats: int = 1000

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> "Settings":
        """Read the variables; raises `BadSetting`."""
        data = environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
        return cls(
            environ.get("DATABASE_URL") or None,
            Path(environ.get("AFFRAY_DATA_DIR") or Path(data) / "affray"),
            environ.get("AFFRAY_HOST") or "127.0.0.1",
            _number(environ, "AFFRAY_PORT", 8000, 0, 65535),
            environ.get("AFFRAY_SERVICE_KEY") or None,
            _number(environ, "AFFRAY_POOL_SIZE", 8, 1, 200),
            _number(environ, "AFFRAY_HOT_COMBATS", 1000, 1, 1_000_000),
        )


def _number(environ: Mapping[str, str], name: str, default: int, low: int, high: int) -> int:
    text = environ.get(name) or str(default)
    if not text.isdecimal() or not low <= int(text) <= high:
        raise BadSetting(f"{name} must be a number from {low} to {high}, not {text!r}")
    return int(text)
