"""Limits on the use of a process, for each token and for each address.

Each process counts separately. Behind a proxy, every client has the proxy's address. List the proxy
in `AFFRAY_PROXIES` to limit each client by its own address.
"""

import math
import time
from collections import Counter, OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from ipaddress import IPv4Network, IPv6Network, ip_address
from typing import Any, Final

from msgspec import Struct

MINUTE_S: Final = 60.0

REMEMBERED: Final = 10_000
"""The limit of addresses that a rate remembers.

Beyond it, the rate forgets the address that has been quiet for longest.
"""

WAIT_S: Final = 5
"""Seconds after which a place may be free again."""


PINGS: Final = 20
"""The limit of test calls that a process makes at the same time."""


class TooOften(Exception):
    """A caller has reached the limit `policy`, and may try again after `retry_s` seconds."""

    def __init__(self, what: str, policy: str, retry_s: float) -> None:
        super().__init__(what)
        self.policy = policy
        self.retry_s = max(1, math.ceil(retry_s))

    @property
    def headers(self) -> Mapping[str, str]:
        """Return the headers of the answer (draft-ietf-httpapi-ratelimit-headers)."""
        name = self.policy.partition(";")[0]
        return {
            "Retry-After": str(self.retry_s),
            "RateLimit-Policy": self.policy,
            "RateLimit": f"{name};r=0;t={self.retry_s}",
        }


class Limits(Struct, frozen=True):
    """The limits of the service. A limit of 0 is no limit.

    - `streams_per_token` (`AFFRAY_STREAMS_PER_TOKEN`): streams at once with one token.
    - `streams_per_address` (`AFFRAY_STREAMS_PER_ADDRESS`): streams at once from one address.
    - `openings` (`AFFRAY_OPENINGS_PER_MINUTE`): combats opened or forked from one address.
    - `imports` (`AFFRAY_IMPORTS_PER_MINUTE`): imports from one address.
    - `wrong_keys` (`AFFRAY_WRONG_KEYS_PER_MINUTE`): wrong keys and tokens from one address.
    - `uploads` (`AFFRAY_UPLOADS`): imports and pictures that a process holds at once.
    - `pictures` (`AFFRAY_PICTURES_PER_MINUTE`): pictures uploaded or copied from one address.
    """

    streams_per_token: int = 1000
    streams_per_address: int = 2000
    openings: int = 6000
    imports: int = 1200
    wrong_keys: int = 1200
    uploads: int = 4
    pictures: int = 600


class Rate:
    """Allows each address at most `most` uses per minute. Uses become free one by one."""

    def __init__(self, name: str, what: str, most: int) -> None:
        self.what, self.most = what, most
        self.policy = f'"{name}";q={most};w={MINUTE_S:.0f}'
        self._free_at: OrderedDict[str, float] = OrderedDict()

    def check(self, address: str) -> None:
        """Raise `TooOften` when an address has reached the limit."""
        if not self.most:
            return
        taken = self._free_at.get(address, 0.0) + MINUTE_S / self.most
        wait = taken - MINUTE_S - time.monotonic()
        if wait > 0:
            detail = f"at most {self.most} {self.what} in a minute from one address"
            raise TooOften(detail, self.policy, wait)

    def count(self, address: str) -> None:
        """Count one use."""
        if not self.most:
            return
        now = time.monotonic()
        taken = max(self._free_at.pop(address, 0.0), now) + MINUTE_S / self.most
        self._free_at[address] = taken
        if len(self._free_at) > REMEMBERED:
            self._free_at.popitem(last=False)

    def take(self, address: str) -> None:
        """Count one use, or raise `TooOften`."""
        self.check(address)
        self.count(address)


class Places:
    """Lets each name hold at most `most` places at the same time."""

    def __init__(self, name: str, what: str, most: int) -> None:
        self.what, self.most = what, most
        self.policy = f'"{name}";q={most};qu="concurrent-requests"'
        self._taken: Counter[str] = Counter()

    def check(self, name: str) -> None:
        """Raise `TooOften` if no place is free."""
        if self.most and self._taken[name] >= self.most:
            raise TooOften(f"at most {self.most} {self.what}", self.policy, WAIT_S)

    @contextmanager
    def taken(self, name: str) -> Iterator[None]:
        """Hold a place."""
        self._taken[name] += 1
        try:
            yield
        finally:
            self._taken[name] -= 1
            if not self._taken[name]:
                del self._taken[name]


class Limiter:
    """The counters of one process."""

    def __init__(self, limits: Limits) -> None:
        self.openings = Rate("openings", "combats are opened", limits.openings)
        self.imports = Rate("imports", "combats are imported", limits.imports)
        self.wrong_keys = Rate("wrong-keys", "wrong keys are taken", limits.wrong_keys)
        self.streams_of_token = Places(
            "streams-per-token", "streams with one token", limits.streams_per_token
        )
        self.streams_of_address = Places(
            "streams-per-address", "streams from one address", limits.streams_per_address
        )
        self.pings = Places("pings", "test calls of webhooks are under way here", PINGS)
        self.uploads = Places("uploads", "imports are held here at once", limits.uploads)
        self.pictures = Rate("pictures", "pictures are taken", limits.pictures)


def address_of(scope: Mapping[str, Any], proxies: Sequence[IPv4Network | IPv6Network]) -> str:
    """Return the address that a request comes from.

    Only entries of `X-Forwarded-For` that a listed proxy has written count.
    """
    client = scope.get("client")
    address = str(client[0]) if client else ""
    if not proxies or not _is_in(address, proxies):
        return address
    forwarded: list[str] = []
    for name, value in scope["headers"]:
        if name == b"x-forwarded-for":
            forwarded += [part.strip() for part in value.decode("latin-1").split(",")]
    for named in reversed(forwarded):
        try:
            ip_address(named)
        except ValueError:
            break
        address = named
        if not _is_in(named, proxies):
            break
    return address


def _is_in(address: str, networks: Sequence[IPv4Network | IPv6Network]) -> bool:
    try:
        ip = ip_address(address)
    except ValueError:
        return False
    return any(ip in network for network in networks)
