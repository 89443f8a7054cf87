"""Play: list the possible commands, carry them out, and preview them."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.engine.commands import Act, Close, GmRuling, Word
from domain.engine.commands import Reply as Answering
from domain.errors import Forbidden
from domain.record.combat import Id, Json
from projections.board import Board, PromptView, board, prompts
from projections.events import EventView, event_view
from projections.eyes import Eyes
from projections.foresight import PreviewNeed, PreviewReaction, foreseen, needs, reactions
from projections.narration import Teller
from projections.offers import OfferList, listed, offers
from service import decisions
from service.http.operation import Call, Operation, Reply, Viewed
from service.routes.command_answers import Committed, commit
from service.store import tokens


class DeclareAction(Struct, frozen=True, forbid_unknown_fields=True):
    """An `action` with its `inputs`, from `GET …/options`."""

    combatant: Id
    action: Word
    inputs: dict[str, Json] = {}


class AnswerPrompt(Struct, frozen=True, forbid_unknown_fields=True):
    """The answer to a prompt. Omit `option` if the prompt has only one, such as a roll."""

    option: Annotated[Word | None, Meta(description="Id of the option. `null`: the only one")] = (
        None
    )
    inputs: dict[str, Json] = {}


class ClosePrompts(Struct, frozen=True, forbid_unknown_fields=True):
    """The prompts to close. Without a list, all open prompts are closed."""

    prompts: Annotated[
        tuple[str, ...],
        Meta(description="Ids of the prompts. Without ids, all prompts", max_length=200),
    ] = ()


class PreviewAct(Struct, frozen=True, forbid_unknown_fields=True, tag="act", tag_field="command"):
    """Preview the declaration of an action."""

    combatant: Id
    action: Word
    inputs: dict[str, Json] = {}


class PreviewAnswer(
    Struct, frozen=True, forbid_unknown_fields=True, tag="answer", tag_field="command"
):
    """Preview an answer to a prompt."""

    prompt: Annotated[str, Meta(description="Id of the prompt")]
    option: Annotated[Word | None, Meta(description="Id of the option. `null`: the only one")] = (
        None
    )
    inputs: dict[str, Json] = {}


class PreviewRuling(
    Struct, frozen=True, forbid_unknown_fields=True, tag="rule", tag_field="command"
):
    """Preview a ruling of the GM."""

    ruling: Word
    inputs: dict[str, Json] = {}


class Preview(Struct, frozen=True):
    """The events that a command would record, and the state after them. Affray stores nothing.

    - `chance`: if `true`, this is one possible roll, and the real command rolls other dice. Show
      `heading`, which explains this.
    - `lines`: the events in plain English, with `needs` and `reactions`.
    - `reactions`: the combatants that may react. The preview ends at their reaction.
    - `needs`: for the GM, the lowest face of the die with which each attack hits.

    For a player, the preview ends where the outcome depends on facts that the player does not know.
    """

    events: tuple[EventView, ...]
    lines: tuple[str, ...]
    chance: bool
    board: Board
    heading: Annotated[
        str, Meta(description="Heading of the lines: the effects, or one possible roll")
    ]
    reactions: Annotated[
        tuple[PreviewReaction, ...], Meta(description="Combatants that may react first")
    ] = ()
    needs: Annotated[
        tuple[PreviewNeed, ...],
        Meta(description="For the GM: the lowest face with which each attack hits"),
    ] = ()


class PromptList(Struct, frozen=True):
    version: int
    prompts: tuple[PromptView, ...]


class PromptsQuery(Viewed, frozen=True, forbid_unknown_fields=True):
    """`at` selects the prompts after that event."""

    at: Annotated[int, Meta(ge=1)] | None = None


class OptionsQuery(Viewed, frozen=True, forbid_unknown_fields=True):
    """Name a `combatant` to get only its offers. Otherwise, you get all offers of the token.

    - `include=refused` adds options that are not legal now, with every reason and rule.
    - `reach=yes` adds the squares that a path can lead to, with their costs.
    - `prompted=yes` leaves out options that answer no open prompt.
    - `at` selects the state after that event.
    - `schemas=cite` leaves out the schemas that `GET /v1/rulesets/{ruleset}` has.
    """

    combatant: Id | None = None
    include: Literal["refused"] | None = None
    prompted: Literal["yes"] | None = None
    reach: Literal["yes"] | None = None
    schemas: Literal["whole", "cite"] = "whole"
    at: Annotated[int, Meta(ge=1)] | None = None


async def read_options(call: Call) -> Reply:
    """Return the current offers, with legal inputs and the schemas of all inputs."""
    query: OptionsQuery = call.query
    hot = call.combat
    eyes = hot.seen_by(call.viewer)
    refused, reach = query.include == "refused", query.reach == "yes"
    live = hot.live if query.at is None else hot.live.as_of(eyes.to_version(query.at))
    prompted = query.prompted == "yes"
    offered = offers(live, eyes, query.combatant, refused, reach, prompted=prompted)
    version = eyes.sequence if query.at is None else query.at
    listing = listed(query.combatant, version, offered, cite=query.schemas == "cite")
    tag = hot.etag_of(call.viewer)
    return Reply(
        listing,
        etag=tag if query.at is None else f"{query.at}-{tag}",
        weighed=call.viewer.role != "gm",  # offers may change although the reader's board does not
    )


async def declare_action(call: Call) -> Reply:
    """Declare an action: the combatant's turn or declaration, or an interjection.

    `409`: the rules refuse it. Show `detail`, and offer the `allowed` values. `rule` is the id of
    the rule, and `reason` is the rulebook's word for the reason.
    """
    body: DeclareAction = call.body
    return await commit(call, Act(body.combatant, body.action, body.inputs))


async def read_prompts(call: Call) -> Reply:
    """List the open prompts that this token may answer."""
    query: PromptsQuery = call.query
    hot = call.combat
    eyes = hot.seen_by(call.viewer)
    tag = hot.etag_of(call.viewer)
    if query.at is None:
        combat, version = hot.live.combat, eyes.sequence
    else:
        combat, version, tag = hot.live.at(eyes.to_version(query.at)), query.at, f"{query.at}-{tag}"
    return Reply(PromptList(version, prompts(hot.live.ruleset, combat, eyes.caller)), etag=tag)


async def answer_prompt(call: Call) -> Reply:
    """Answer an open prompt.

    `409` `prompt-closed`: the prompt is no longer open. `closed` reports how it closed.
    """
    body: AnswerPrompt = call.body
    return await commit(call, Answering(call.params["prompt"], body.option, body.inputs))


async def close_prompts(call: Call) -> Reply:
    """Give every open prompt, or each named one, its default."""
    body: ClosePrompts = call.body
    return await commit(call, Close(body.prompts))


ONE_ROLL = "One possible roll: the dice to come are other ones"


async def preview(call: Call) -> Reply:
    """Try a command on a copy. Affray stores nothing, and the real command rolls other dice."""
    body: PreviewAct | PreviewAnswer | PreviewRuling = call.body
    hot, row = call.combat, call.row
    command: Act | Answering | GmRuling
    match body:
        case PreviewAct():
            command = Act(body.combatant, body.action, body.inputs)
        case PreviewAnswer():
            command = Answering(body.prompt, body.option, body.inputs)
        case PreviewRuling():
            if row.role != "gm":
                raise Forbidden("only the GM rules")
            command = GmRuling(body.ruling, body.inputs)
    decision = decisions.preview(hot, row, command)
    copy = decision.live
    eyes = Eyes(copy.history, tokens.caller_of(row))
    events = tuple(
        event_view(copy, eyes, recorded)
        for recorded in decision.recorded
        if eyes.sees(recorded.version)
    )
    teller = Teller(copy, eyes)
    lines = tuple(line.text for line in teller.lines(teller.story(events), {}))
    chance = any(
        event_view.type == "rolled" and event_view.data.get("by", "server") == "server"
        for event_view in events
    )
    heading = ONE_ROLL if chance else "What would happen"
    shown = board(copy, eyes)
    may_react = reactions(hot.live, copy, shown)
    needed = tuple(needs(copy, events)) if row.role == "gm" else ()
    lines += foreseen(shown, may_react, needed)
    return Reply(Preview(events, lines, chance, shown, heading, may_react, needed))


_COMBAT = {"combat": "$request.path.combat"}

OPERATIONS = (
    Operation(
        "GET",
        "/v1/combats/{combat}/options",
        "readOptions",
        "List the current offers",
        "Playing",
        read_options,
        OfferList,
        query=OptionsQuery,
        errors=(403, 404),
        links={"declare": ("declareAction", _COMBAT)},
    ),
    Operation(
        "POST",
        "/v1/combats/{combat}/actions",
        "declareAction",
        "Declare an action",
        "Playing",
        declare_action,
        Committed,
        body=DeclareAction,
        errors=(403, 404, 409, 412, 422),
        links={"prompts": ("readPrompts", _COMBAT), "undo": ("undo", _COMBAT)},
        commits=True,
    ),
    Operation(
        "GET",
        "/v1/combats/{combat}/prompts",
        "readPrompts",
        "List the open prompts",
        "Playing",
        read_prompts,
        PromptList,
        query=PromptsQuery,
        errors=(404,),
        links={
            "answer": (
                "answerPrompt",
                {**_COMBAT, "prompt": "$response.body#/prompts/0/id"},
            )
        },
    ),
    Operation(
        "POST",
        "/v1/combats/{combat}/prompts/{prompt}",
        "answerPrompt",
        "Answer a prompt",
        "Playing",
        answer_prompt,
        Committed,
        body=AnswerPrompt,
        errors=(403, 404, 409, 412, 422),
        commits=True,
    ),
    Operation(
        "POST",
        "/v1/combats/{combat}/close",
        "closePrompts",
        "Close open prompts",
        "Playing",
        close_prompts,
        Committed,
        "gm",
        body=ClosePrompts,
        errors=(404, 409, 412, 422),
        commits=True,
    ),
    Operation(
        "POST",
        "/v1/combats/{combat}/preview",
        "preview",
        "Try a command",
        "Playing",
        preview,
        Preview,
        body=PreviewAct | PreviewAnswer | PreviewRuling,
        errors=(403, 404, 409),
    ),
)
