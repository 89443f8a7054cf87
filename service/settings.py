"""Settings from the environment. `Settings` describes every variable."""

import os
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Final

from msgspec import Struct

from service.limits import Limits
from service.logs import Form


class BadSetting(ValueError):
    """An environment variable has an invalid value. The message names the variable."""


KNOWN: Final = (
    "AFFRAY_DATA_DIR",
    "AFFRAY_HOST",
    "AFFRAY_PORT",
    "AFFRAY_SERVICE_KEY",
    "AFFRAY_WORKERS",
    "AFFRAY_POOL_SIZE",
    "AFFRAY_HOT_COMBATS",
    "AFFRAY_HOT_MB",
    "AFFRAY_HOSTS",
    "AFFRAY_CORS_ORIGINS",
    "AFFRAY_WEBHOOK_NETWORKS",
    "AFFRAY_PROXIES",
    "AFFRAY_STREAMS_PER_TOKEN",
    "AFFRAY_STREAMS_PER_ADDRESS",
    "AFFRAY_OPENINGS_PER_MINUTE",
    "AFFRAY_IMPORTS_PER_MINUTE",
    "AFFRAY_WRONG_KEYS_PER_MINUTE",
    "AFFRAY_UPLOADS",
    "AFFRAY_PICTURES_PER_MINUTE",
    "AFFRAY_VERIFY_PAUSE",
    "AFFRAY_ARCHIVE",
    "AFFRAY_ARCHIVE_AFTER",
    "AFFRAY_LOG",
)
"""All variables except `DATABASE_URL`."""


MOST_DAYS: Final = 36_500


class Settings(Struct, frozen=True):
    """The settings of the service, with their environment variables.

    - `database_url` (`DATABASE_URL`): an external PostgreSQL (14 or newer). If it is `None`, Affray
      runs the embedded server.
    - `data_dir` (`AFFRAY_DATA_DIR`): the data of the embedded PostgreSQL.
    - `host`, `port` (`AFFRAY_HOST`, `AFFRAY_PORT`): the address on which the service listens.
    - `service_key` (`AFFRAY_SERVICE_KEY`): clients must send this key to open, import, fork or list
      combats. If unset, anyone can.
    - `workers` (`AFFRAY_WORKERS`): the number of processes that serve.
    - `pool_size` (`AFFRAY_POOL_SIZE`): the number of database connections of each worker.
    - `hot_combats` (`AFFRAY_HOT_COMBATS`): the largest number of combats in a worker's memory.
    - `hot_mb` (`AFFRAY_HOT_MB`): the approximate limit of the memory for all of them, in MiB.
    - `hosts` (`AFFRAY_HOSTS`): host names that the service accepts besides localhost and IP
      addresses.
    - `cors_origins` (`AFFRAY_CORS_ORIGINS`): origins whose pages may call the service.
    - `webhook_networks` (`AFFRAY_WEBHOOK_NETWORKS`): private networks that webhooks may reach, also
      without TLS, such as 192.168.0.0/16.
    - `proxies` (`AFFRAY_PROXIES`): networks of proxies whose X-Forwarded-For names the client.
    - `verify_pause` (`AFFRAY_VERIFY_PAUSE`): seconds between two combats that this service verifies
      in the background. With 0, it verifies none.
    - `archive` (`AFFRAY_ARCHIVE`): the URL of archived combats, as file:///… or s3://bucket/prefix.
    - `archive_after` (`AFFRAY_ARCHIVE_AFTER`): the days between the end of a combat and its
      archiving. With 0, this service archives none.
    - `limits`: see `Limits`.
    - `log` (`AFFRAY_LOG`): the form of the log, `text` or `json`.
    """

    database_url: str | None
    data_dir: Path
    host: str = "127.0.0.1"
    port: int = 8000
    service_key: str | None = None
    pool_size: int = 8
    hot_combats: int = 1000
    hot_mb: int = 512
    hosts: tuple[str, ...] = ()
    cors_origins: tuple[str, ...] = ()
    webhook_networks: tuple[IPv4Network | IPv6Network, ...] = ()
    workers: int = 1
    proxies: tuple[IPv4Network | IPv6Network, ...] = ()
    limits: Limits = Limits()
    log: Form = "text"
    verify_pause: int = 0
    archive: str | None = None
    archive_after: int = 0

    @property
    def url(self) -> str:
        """Return the URL of the service for a client on this machine."""
        host = "127.0.0.1" if self.host in ("0.0.0.0", "", "::") else self.host
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> "Settings":
        """Return the settings of these variables. Raise `BadSetting`."""
        hosts = _names(environ, "AFFRAY_HOSTS")
        for host in hosts:
            if "/" in host or ":" in host:
                raise BadSetting(f"AFFRAY_HOSTS holds names without scheme and port, not {host!r}")
        origins = _names(environ, "AFFRAY_CORS_ORIGINS")
        for origin in origins:
            if origin != "*" and (not origin.startswith("http") or origin.count("/") != 2):
                raise BadSetting(
                    f"AFFRAY_CORS_ORIGINS holds origins such as https://table.example,"
                    f" not {origin!r}"
                )
        return cls(
            environ.get("DATABASE_URL") or None,
            Path(environ.get("AFFRAY_DATA_DIR") or _data_dir(environ)),
            environ.get("AFFRAY_HOST") or "127.0.0.1",
            number("AFFRAY_PORT", environ.get("AFFRAY_PORT") or "8000", 0, 65535),
            environ.get("AFFRAY_SERVICE_KEY") or None,
            number("AFFRAY_POOL_SIZE", environ.get("AFFRAY_POOL_SIZE") or "8", 1, 200),
            number("AFFRAY_HOT_COMBATS", environ.get("AFFRAY_HOT_COMBATS") or "1000", 1, 10**6),
            number("AFFRAY_HOT_MB", environ.get("AFFRAY_HOT_MB") or "512", 16, 10**6),
            hosts,
            origins,
            _networks(environ, "AFFRAY_WEBHOOK_NETWORKS"),
            number("AFFRAY_WORKERS", environ.get("AFFRAY_WORKERS") or "1", 1, 64),
            _networks(environ, "AFFRAY_PROXIES"),
            _limits(environ),
            _form(environ),
            number("AFFRAY_VERIFY_PAUSE", environ.get("AFFRAY_VERIFY_PAUSE") or "0", 0, 86_400),
            environ.get("AFFRAY_ARCHIVE") or None,
            _archive_after(environ),
        )


def _networks(environ: Mapping[str, str], name: str) -> tuple[IPv4Network | IPv6Network, ...]:
    try:
        return tuple(ip_network(text) for text in _names(environ, name))
    except ValueError as error:
        raise BadSetting(f"{name} holds networks such as 192.168.0.0/16: {error}") from None


def _archive_after(environ: Mapping[str, str]) -> int:
    days = number("AFFRAY_ARCHIVE_AFTER", environ.get("AFFRAY_ARCHIVE_AFTER") or "0", 0, MOST_DAYS)
    if days and not environ.get("AFFRAY_ARCHIVE"):
        raise BadSetting("AFFRAY_ARCHIVE_AFTER needs AFFRAY_ARCHIVE, where archived combats go")
    return days


def _form(environ: Mapping[str, str]) -> Form:
    match environ.get("AFFRAY_LOG") or "text":
        case ("text" | "json") as form:
            return form
        case other:
            raise BadSetting(f"AFFRAY_LOG is text or json, not {other!r}")


def _limits(environ: Mapping[str, str]) -> Limits:
    usual = Limits()

    def limit(name: str, default: int) -> int:
        return number(name, environ.get(name) or str(default), 0, 10**6)

    return Limits(
        limit("AFFRAY_STREAMS_PER_TOKEN", usual.streams_per_token),
        limit("AFFRAY_STREAMS_PER_ADDRESS", usual.streams_per_address),
        limit("AFFRAY_OPENINGS_PER_MINUTE", usual.openings),
        limit("AFFRAY_IMPORTS_PER_MINUTE", usual.imports),
        limit("AFFRAY_WRONG_KEYS_PER_MINUTE", usual.wrong_keys),
        limit("AFFRAY_UPLOADS", usual.uploads),
        limit("AFFRAY_PICTURES_PER_MINUTE", usual.pictures),
    )


def number(name: str, text: str, low: int, high: int) -> int:
    """Return a whole number within bounds. Raise `BadSetting`."""
    if not (text.isdecimal() and text.isascii()) or not low <= int(text) <= high:
        raise BadSetting(f"{name} must be a number from {low} to {high}, not {text!r}")
    return int(text)


def _data_dir(environ: Mapping[str, str]) -> Path:
    # PostgreSQL refuses to run as root, and another user cannot read root's home.
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        return Path("/var/lib/affray")
    data = environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(data) / "affray"


def _names(environ: Mapping[str, str], name: str) -> tuple[str, ...]:
    return tuple(text.strip() for text in environ.get(name, "").split(",") if text.strip())


def unknown(environ: Iterable[str] = os.environ) -> list[str]:
    """Return a sentence for each variable that looks like a setting but is unknown."""
    sentences = []
    for name in sorted(environ):
        if name.startswith("AFFRAY_") and name not in KNOWN and name not in _OF_CHECKS:
            near = get_close_matches(name, KNOWN, 1, 0.6)
            hint = f"is {near[0]} meant?" if near else f"there are {', '.join(KNOWN)}"
            sentences.append(f"the variable {name} means nothing: {hint}")
    return sentences


_OF_CHECKS: Final = ("AFFRAY_FUZZ", "AFFRAY_EXAMPLES", "AFFRAY_SOAK")
