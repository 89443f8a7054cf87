"""The tools. A model reads their docstrings and descriptions."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from affray_client import AsyncAffray, AsyncCombat, Problem, operations, shapes
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from affray_mcp import text

Inputs = dict[str, Any]
OptionalInputs = Annotated[
    Inputs | None, Field(description="Inputs as in the examples of `options`. Without inputs: {}")
]
Reason = Annotated[str, Field(description="The reason in one sentence. The log shows it")]


class Table:
    """One fight at a time, seen with one token."""

    def __init__(self, affray: AsyncAffray) -> None:
        self._affray = affray
        self._combat: AsyncCombat | None = None

    def sit_down(self, combat: str, token: str) -> AsyncCombat:
        """Play this fight from now on, with the role of the token."""
        self._combat = self._affray.combat(combat, token)
        return self._combat

    @property
    def _seat(self) -> AsyncCombat:
        if self._combat is None:
            raise ToolError("No fight yet. Call `open` for a new one, or `join` with a token.")
        return self._combat

    async def rulebooks(self) -> str:
        """List the rulebooks that can be played, with the ready parties of each."""
        listed = await self._affray.call(operations.list_rulesets)
        return text.rulebooks(listed)

    async def rulebook(
        self,
        ruleset: Annotated[str, Field(description="Id of the rulebook, from `rulebooks`")],
    ) -> str:
        """Read the JSON Schemas of one rulebook: sheets, options and map."""
        return text.rulebook(await self._affray.ruleset(ruleset))

    async def rules(
        self,
        ruleset: Annotated[str, Field(description="Id of the rulebook")],
        prefix: Annotated[str, Field(description="A rule id such as FH-ATK-02, or its beginning")],
    ) -> str:
        """Look up rules by their ids. Each rule has one sentence."""
        path, query = {"ruleset": ruleset}, {"prefix": prefix}
        listed = await self._affray.call(operations.read_rules, path=path, query=query)
        lines = [f"{rule.id}: {rule.summary}" for rule in listed.rules]
        return "\n".join(lines) or f"No rule of {ruleset} begins with {prefix}."

    async def open(
        self,
        ruleset: Annotated[str, Field(description="Id of the rulebook, from `rulebooks`")],
        party: Annotated[
            str | None,
            Field(description="Id of a ready party: sheets, options and map"),
        ] = None,
        sheets: Annotated[
            list[Inputs] | None,
            Field(description="Sheets of combatants, by the schema from `rulebook`"),
        ] = None,
        name: Annotated[str, Field(description="Name of the fight")] = "Combat",
        options: Annotated[Inputs | None, Field(description="Options of the rulebook")] = None,
        map: Annotated[Inputs | None, Field(description="The map, if there is one")] = None,
    ) -> str:
        """Open a fight and become its game master. Then call `begin`.

        Take a ready `party`, or describe the combatants with `sheets`, or both.
        """
        ready: Any = None
        if party is not None:
            known = (await self._affray.ruleset(ruleset)).parties
            ready = next((entry for entry in known if entry.id == party), None)
            if ready is None:
                raise ToolError(
                    f"{ruleset} has no party {party!r}."
                    f" Allowed: {', '.join(entry.id for entry in known)}"
                )
        joining = [*(ready.sheets if ready else ()), *(sheets or ())]
        opening = {
            "name": name,
            "combatants": [{"sheet": sheet} for sheet in joining],
            "options": {**(ready.options if ready else {}), **(options or {})},
            "map": map if map is not None or ready is None else ready.map,
        }
        combat = await self._affray.open(ruleset, opening)
        self._combat = combat
        return (
            f"Opened. You are the game master.\nCombat: {combat.id}\nToken: {combat.token}\n"
            "Keep both: `join` needs them if this program starts anew.\n\n"
            + text.board(await combat.board())
        )

    async def join(
        self,
        combat: Annotated[str, Field(description="Id of the combat")],
        token: Annotated[str, Field(description="A token for it; it begins with affray_")],
    ) -> str:
        """Continue a fight, as the game master, player or spectator that the token names."""
        board = await self._affray.combat(combat, token).board()
        self.sit_down(combat, token)
        return text.board(board)

    async def invite(
        self,
        role: Annotated[
            Literal["player", "spectator", "gm"], Field(description="What the token allows")
        ],
        combatants: Annotated[
            list[str] | None, Field(description="Ids of the combatants that the player plays")
        ] = None,
        label: Annotated[str, Field(description="Name of the person")] = "",
    ) -> str:
        """Issue a token for another person. The service shows it only once.

        Only a game master can issue tokens.
        """
        issued = await self._seat.issue(role, combatants=combatants or (), label=label)
        return f"Combat: {self._seat.id}\nToken of the {issued.role}: {issued.token}"

    async def add_combatant(
        self,
        sheet: Annotated[Inputs, Field(description="The sheet, by the schema from `rulebook`")],
        hidden: Annotated[bool, Field(description="Whether players cannot see it")] = False,
    ) -> str:
        """Add a combatant to the fight, before it begins or as a reinforcement."""
        done = await self._seat.join({"sheet": sheet, "hidden": hidden})
        return await self._committed(done)

    async def begin(self) -> str:
        """Begin the fight: initiative is rolled, and the first prompts open."""
        return await self._committed(await self._seat.begin())

    async def board(self) -> str:
        """Look at the fight: status, round, every combatant, and the open prompts."""
        return text.board(await self._seat.board())

    async def options(
        self,
        combatant: Annotated[str | None, Field(description="Only of this combatant")] = None,
        refused: Annotated[
            bool, Field(description="Also list the options that the rules forbid, with the reasons")
        ] = False,
        rulings: Annotated[
            bool, Field(description="Also list the rulings that a game master can make")
        ] = False,
    ) -> str:
        """List the options that are legal now, with legal inputs.

        Send an option with a prompt through `answer`, a ruling through `rule`, and any other option
        through `act`.
        """
        options = await self._seat.options(combatant=combatant, refused=refused)
        return text.options(options, rulings=rulings)

    async def act(
        self,
        combatant: Annotated[str, Field(description="Id of the combatant that acts")],
        action: Annotated[str, Field(description="Id of the action, from `options`")],
        inputs: OptionalInputs = None,
    ) -> str:
        """Declare an action on a combatant's own turn, or an interjection."""
        body = {"combatant": combatant, "action": action, "inputs": inputs or {}}
        return await self._command(operations.declare_action, {}, body, combatant)

    async def answer(
        self,
        prompt: Annotated[str, Field(description="Id of the open prompt")],
        option: Annotated[
            str | None, Field(description="Id of the option; leave it out if there is only one")
        ] = None,
        inputs: OptionalInputs = None,
    ) -> str:
        """Answer an open prompt. For a roll by hand, `inputs` are {"faces": [4, 2]}."""
        body = {"inputs": inputs or {}} | ({} if option is None else {"option": option})
        return await self._command(operations.answer_prompt, {"prompt": prompt}, body, None)

    async def rule(
        self,
        ruling: Annotated[str, Field(description="Id of the ruling, from `options(rulings=true)`")],
        inputs: OptionalInputs = None,
        reason: Reason = "",
    ) -> str:
        """Decide something by hand as the game master: damage, a condition, a move and so on.

        Use it for effects that the rules do not cover. The log marks it as a ruling.
        """
        body = {"ruling": ruling, "inputs": inputs or {}, "reason": reason}
        return await self._command(operations.make_ruling, {}, body, None)

    async def log(
        self,
        limit: Annotated[int, Field(description="The most commands to read", ge=1, le=500)] = 30,
    ) -> str:
        """Read the newest part of the combat log, oldest line first, with rule ids and sums."""
        query = {"order": "newest", "limit": limit}
        timeline = await self._seat.call(operations.read_timeline, query=query)
        return text.log(timeline)

    async def why(
        self,
        combatant: Annotated[str, Field(description="Id of the combatant")],
        track: Annotated[
            str | None, Field(description="A pool of points, such as hp; or give `condition`")
        ] = None,
        condition: Annotated[str | None, Field(description="A condition that it has")] = None,
    ) -> str:
        """Explain why a pool of points has its value, or why a combatant has a condition."""
        if (track is None) == (condition is None):
            raise ToolError("Give `track` or `condition`, and only one of them.")
        query = {"combatant": combatant, "track": track, "condition": condition}
        return text.why(await self._seat.call(operations.read_why, query=query))

    async def undo(self, reason: Reason = "") -> str:
        """Undo the last command."""
        return await self._committed(await self._seat.undo(reason))

    async def end(
        self,
        winners: Annotated[
            list[str] | None, Field(description="The sides that won. Default: the rules decide")
        ] = None,
        reason: Reason = "",
    ) -> str:
        """End the fight by hand as the game master. Most rulebooks end it themselves."""
        return await self._committed(await self._seat.end(winners, reason))

    async def _command(
        self, operation: Any, path: dict[str, object], body: Inputs, combatant: str | None
    ) -> str:
        """Send a command. For a refusal without allowed values, list the options."""
        try:
            done = await self._seat.call(operation, path=path, body=body)
        except Problem as problem:
            if problem.allowed or problem.status not in (404, 409, 422):
                raise
            options = await self._seat.options(combatant=combatant)
            raise ToolError(f"{text.problem(problem)}\n{text.allowed(options)}") from None
        return await self._committed(done)

    async def _committed(self, done: shapes.Committed) -> str:
        """Return the results of a command, and the open prompts."""
        newest = {"order": "newest", "limit": 1}
        timeline = await self._seat.call(operations.read_timeline, query=newest)
        board = await self._seat.board()
        return f"{text.log(timeline)}\n\n{text.prompts(board)}"
