"""Combatants: join, change, leave, standing orders."""

from typing import Annotated, Final

from msgspec import Meta, Struct

from domain.engine.commands import Change, Join, Joining, Leave, Name, SetOrders, Word
from domain.errors import Malformed, Unfitting
from domain.record.combat import Json, StandingOrder
from domain.rulebook.gm import is_of
from domain.rulebook.ruleset import Ruleset
from service.http.operation import Call, Operation, Reply
from service.routes.command_answers import Committed, commit

MOST_COMBATANTS: Final = 500
"""The limit of combatants that ever join a combat."""


class ChangeCombatant(Struct, frozen=True, forbid_unknown_fields=True):
    """New values. An absent field keeps its value. `sheet` replaces the named top-level fields."""

    name: Annotated[Name | None, Meta(description="New name. `null`: as before")] = None
    side: Annotated[Word | None, Meta(description="New side. `null`: as before")] = None
    owner: Annotated[Word | None, Meta(description="New owner's label. `null`: as before")] = None
    hidden: Annotated[
        bool | None, Meta(description="Whether the combatant is now hidden. `null`: as before")
    ] = None
    sheet: Annotated[
        dict[str, Json], Meta(description="New values of top-level fields of the sheet")
    ] = {}


class StandingOrders(Struct, frozen=True, forbid_unknown_fields=True):
    """Answers given in advance. They replace all earlier orders.

    Affray uses the first order that fits a prompt.
    """

    orders: Annotated[tuple[StandingOrder, ...], Meta(max_length=50)]


async def join(call: Call) -> Reply:
    """Let a combatant join, before the fight or during it."""
    body: Joining = call.body
    if len(call.combat.live.combat.combatants) >= MOST_COMBATANTS:
        raise Unfitting(
            "too-many-combatants", f"a combat has at most {MOST_COMBATANTS}, those that left too"
        )
    return await commit(call, Join(body), 201)


async def change(call: Call) -> Reply:
    """Change a combatant's name, side, owner, visibility or sheet."""
    body: ChangeCombatant = call.body
    who = call.params["combatant"]
    return await commit(
        call, Change(who, body.name, body.side, body.owner, body.hidden, body.sheet)
    )


async def leave(call: Call) -> Reply:
    """Let a combatant leave the fight. Its events remain in the history."""
    return await commit(call, Leave(call.params["combatant"]))


async def set_orders(call: Call) -> Reply:
    """Answer routine prompts of a combatant in advance. The body replaces all earlier orders.

    Each order names a combatant's prompt in the rulebook, and one of its options. With the option
    `ask`, the prompt stays open. `400`: the rulebook has no such prompt or option. Choose one of
    `allowed`.
    """
    body: StandingOrders = call.body
    for index, order in enumerate(body.orders):
        _check_order(call.combat.live.ruleset, order, f"/orders/{index}")
    return await commit(call, SetOrders(call.params["combatant"], body.orders))


def _check_order(ruleset: Ruleset, order: StandingOrder, pointer: str) -> None:
    """Raise `Malformed` if the rulebook has no prompt or option for an order.

    Callers check only new orders. Stored orders, and orders of an amendment, stay unchanged.
    """
    asked = {
        question.name: question
        for question in ruleset.catalogue.questions
        if question.asks == "combatant"
    }
    question = asked.get(order.prompt)
    if question is None:
        if any(is_of(purpose, order.prompt) for purpose in ruleset.purposes):
            allowed = ["roll"]
        else:
            raise Malformed(
                f"{pointer}/prompt",
                f"{ruleset.id} asks no combatant {order.prompt!r}",
                tuple(dict.fromkeys((*asked, *ruleset.purposes))),
            )
    elif question.each is not None:
        return  # each entry of that list is an option
    else:
        actions = ruleset.actions if question.actions == ("turn",) else question.actions
        allowed = [*(option.id for option in question.options), *actions]
    if order.option not in (*allowed, "ask"):
        raise Malformed(
            f"{pointer}/option",
            f"the prompt {order.prompt!r} has no option {order.option!r}",
            (*allowed, "ask"),
        )


OPERATIONS = (
    Operation(
        "POST",
        "/v1/combats/{combat}/combatants",
        "joinCombat",
        "Add a combatant",
        "Combatants",
        join,
        Committed,
        "gm",
        201,
        Joining,
        errors=(404, 409, 412, 422),
        commits=True,
    ),
    Operation(
        "PATCH",
        "/v1/combats/{combat}/combatants/{combatant}",
        "changeCombatant",
        "Change a combatant",
        "Combatants",
        change,
        Committed,
        "gm",
        body=ChangeCombatant,
        errors=(404, 409, 412),
        commits=True,
    ),
    Operation(
        "DELETE",
        "/v1/combats/{combat}/combatants/{combatant}",
        "removeCombatant",
        "Remove a combatant",
        "Combatants",
        leave,
        Committed,
        "gm",
        errors=(404, 409, 412),
        commits=True,
    ),
    Operation(
        "PUT",
        "/v1/combats/{combat}/combatants/{combatant}/standing-orders",
        "setStandingOrders",
        "Set standing orders",
        "Combatants",
        set_orders,
        Committed,
        body=StandingOrders,
        errors=(403, 404, 409, 412),
        commits=True,
    ),
)
