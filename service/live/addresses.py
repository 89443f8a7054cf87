"""Addresses that webhooks may use: public ones, and networks that a setting allows.

This module resolves the host name, and the connection uses the checked address. A later DNS change
has no effect.
"""

import asyncio
import socket
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any, Final

import httpx

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

MOST: Final = 500
"""The limit of characters of an address."""

_UNICAST: Final = ip_network("2000::/3")
"""Every IPv6 address that the internet routes to one host, without site-local ones (fec0::/10)."""

_6TO4: Final = ip_network("2002::/16")
"""Each of these addresses contains an IPv4 address."""


class NotAllowed(Exception):
    """The service may not call this address. The message contains no details of the network."""


def looked_at(text: str, allowed: Sequence[Network]) -> httpx.URL:
    """Return the URL of an address after a check without DNS. Raises `NotAllowed`."""
    try:
        url = httpx.URL(text)
        port = 443 if url.port is None else url.port
    except (httpx.InvalidURL, ValueError):
        raise NotAllowed("this is no URL") from None
    if url.scheme != "https" and (url.scheme != "http" or not allowed):
        raise NotAllowed("an address begins with https://")
    if not url.host or not 0 < port < 65536:
        raise NotAllowed("the URL names no host")
    if url.userinfo or url.fragment:
        raise NotAllowed("an address has no user, no password and no fragment")
    return url


def request_to(url: httpx.URL, address: str) -> dict[str, Any]:
    """Return the arguments for a request to `address` on behalf of a URL.

    The Host header and the certificate check use the URL's name. Callers may add `headers`.
    """
    return {
        "url": url.copy_with(host=address),
        "headers": {"Host": url.netloc.decode(), "User-Agent": "Affray"},
        "extensions": {"sni_hostname": url.raw_host.decode()},
    }


async def resolved(url: httpx.URL, allowed: Sequence[Network]) -> tuple[str, ...]:
    """Return the addresses of a URL that the service may connect to.

    Raise `NotAllowed` if there are none. The message is the same for a missing and a non-public
    address, so it reveals nothing about the service's network.
    """
    loop = asyncio.get_running_loop()
    port = url.port or (443 if url.scheme == "https" else 80)
    try:
        answers = await loop.getaddrinfo(url.host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        answers = []
    named = dict.fromkeys(str(answer[4][0]).partition("%")[0] for answer in answers)
    good = tuple(name for name in named if _may(ip_address(name), url.scheme, allowed))
    if not good:
        raise NotAllowed("the host has no public address")
    return good


def _may(address: Address, scheme: str, allowed: Sequence[Network]) -> bool:
    """Return true if the service may connect: without TLS, only if the setting allows it."""
    if any(address in network for network in allowed):
        return True
    # Reserved networks include IPv4 addresses in IPv6 form: mapped, or behind a NAT64.
    return (
        scheme == "https"
        and address.is_global
        and not (address.is_multicast or address.is_reserved or address in _6TO4)
        and (isinstance(address, IPv4Address) or address in _UNICAST)
    )
