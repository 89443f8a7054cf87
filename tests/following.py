"""A helper that waits until the read models have processed all committed events."""

import asyncio

from service.app import Service


async def caught_up(service: Service) -> None:
    """Wait until every projection of a running service has reached the end of the log."""
    while await service.order.place():
        pass
    behind = True
    while behind:
        await asyncio.sleep(0.002)
        behind = any(status.lag for status in await service.followers.status())
