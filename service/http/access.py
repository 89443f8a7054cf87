"""Access: check that the caller's token is in force and is for the combat of the path."""

from typing import Any, Final
from uuid import UUID

from service.combats import NotInForce
from service.hot_combat import Hot
from service.http.operation import Operation, Request
from service.http.problems import Refusal
from service.limits import address_of
from service.live import tickets
from service.loader import NotHere, not_here
from service.store import tokens
from service.store.rows import TokenRow


async def believe(
    service: Any, operation: Operation, request: Request
) -> tuple[Hot | None, TokenRow | None]:
    """Return the combat of the path and the caller's token, or refuse.

    Count wrong tokens and tickets. An address that has sent too many gets `too-many-requests`.
    """
    try:
        return await _believed(service, operation, request)
    except NotInForce:
        wrong = service.limiter.wrong_keys
        wrong.take(address_of(request.scope, service.settings.proxies))
        raise


async def _believed(
    service: Any,
    operation: Operation,
    request: Request,
) -> tuple[Hot | None, TokenRow | None]:
    """Return the combat of the path and the caller's token, or refuse."""
    if operation.who == "anybody":
        return None, None
    ticket = None
    if operation.tickets:
        ticket = request.query_params.get("ticket")
    if ticket is not None:
        try:
            return await tickets.redeem(
                service.combats, UUID(request.path_params["combat"]), ticket
            )
        except (ValueError, NotHere):
            raise NotInForce("this ticket is for another combat: ask for a new one") from None
    bearer = bearer_of(request)
    if operation.who == "service":
        address = address_of(request.scope, service.settings.proxies)
        request.state.application = await service.application_of(bearer, address)
        return None, None
    if not bearer:
        detail = "this needs the combat's token: send it as Authorization: Bearer affray_…"
        raise Refusal("unauthorized", detail)
    presented = tokens.read(bearer)
    if presented is None:
        detail = "this is not the token of a combat: send one that its GM gave you"
        raise Refusal("unauthorized", detail)
    if not _names(request.path_params["combat"], presented):
        raise not_here(request.path_params["combat"])
    hot, row = await service.combats.admit(presented, now=not operation.commits)
    if operation.who == "gm" and row.role != "gm":
        kind = _REQUESTS.get(operation.id) if row.role == "player" else None
        how = "" if kind is None else f" with POST …/requests and the kind {kind!r}"
        raise Refusal("forbidden", f"only the GM may do this, not a {row.role}: ask the GM{how}")
    return hot, row


_REQUESTS: Final = {
    "undo": "undo",
    "redo": "undo",
    "goto": "undo",
    "makeRuling": "ruling",
    "setDeadlines": "pause",
}
"""The kind of request with which a player asks the GM for an operation, by id of the operation."""


def _names(combat: str, presented: tokens.Presented) -> bool:
    """Return true if the path is about the combat of the token."""
    if combat == presented.name:
        return True
    try:
        return UUID(combat) == presented.combat
    except ValueError:
        return False


def bearer_of(request: Request) -> str:
    """Return the secret of the Authorization header, or `""` without one."""
    scheme, _, text = request.headers.get("authorization", "").partition(" ")
    return text.strip() if scheme.lower() == "bearer" else ""
