"""The commands of a combat. The first event of a command stores the input of the command."""

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from domain.record.combat import Deadlines, DiceSettings, Id, Json, StandingOrder
from domain.record.events import AmendedCommand, RequestKind

Text = Annotated[str, Meta(max_length=2000)]
Word = Annotated[str, Meta(min_length=1, max_length=64)]
Name = Annotated[str, Meta(min_length=1, max_length=120)]
Labels = Annotated[tuple[Word, ...], Meta(max_length=20)]


class Joining(Struct, frozen=True, forbid_unknown_fields=True):
    """A combatant that joins. `sheet` has the form that the rulebook requires."""

    sheet: Mapping[str, Json]
    id: Annotated[
        Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}\Z")] | None,
        Meta(description="Id of the combatant; `null` to derive it from the name"),
    ] = None
    hidden: bool = False


class Open(Struct, frozen=True, forbid_unknown_fields=True, tag="open"):
    """Open a combat.

    `sides` fixes the order of the sides. By default, the sides have the order in which they join.
    """

    ruleset: str
    name: Name = "Combat"
    options: Mapping[str, Json] = {}
    dice: DiceSettings = DiceSettings()
    sides: tuple[Word, ...] = ()
    map: Mapping[str, Json] | None = None
    combatants: tuple[Joining, ...] = ()
    deadlines: Deadlines = Deadlines()
    labels: Labels = ()


class Join(Struct, frozen=True, forbid_unknown_fields=True, tag="join"):
    joining: Annotated[Joining, Meta(description="The newcomer")]


class Change(Struct, frozen=True, forbid_unknown_fields=True, tag="change"):
    """Set new values for a combatant. A field that is missing does not change.

    `sheet` replaces only the top-level fields that it names.
    """

    who: Id
    name: Name | None = None
    side: Annotated[Word | None, Meta(description="Its side")] = None
    owner: Word | None = None
    hidden: bool | None = None
    sheet: Mapping[str, Json] = {}


class Leave(Struct, frozen=True, forbid_unknown_fields=True, tag="leave"):
    who: Id


class SetMap(Struct, frozen=True, forbid_unknown_fields=True, tag="set-map"):
    map: Mapping[str, Json] | None


class AddSalt(Struct, frozen=True, forbid_unknown_fields=True, tag="add-salt"):
    by: Word
    salt: Annotated[str, Meta(min_length=1, max_length=200)]


class SetDeadlines(Struct, frozen=True, forbid_unknown_fields=True, tag="set-deadlines"):
    """Set the time limits of prompts. Open prompts get new deadlines."""

    deadlines: Deadlines


class SetLabels(Struct, frozen=True, forbid_unknown_fields=True, tag="set-labels"):
    """Set the labels of the combat, by which clients can filter lists of combats."""

    labels: Labels


class Lapse(Struct, frozen=True, forbid_unknown_fields=True, tag="lapse"):
    """Give overdue prompts their default. The service sends this command at a deadline.

    If an amendment decides an earlier lapse again, `prompts` names its prompts. They lapse even
    before their deadline.
    """

    prompts: tuple[str, ...] = ()


class SetOrders(Struct, frozen=True, forbid_unknown_fields=True, tag="set-orders"):
    who: Id
    orders: tuple[StandingOrder, ...]


class Begin(Struct, frozen=True, forbid_unknown_fields=True, tag="begin"):
    pass


class End(Struct, frozen=True, forbid_unknown_fields=True, tag="end"):
    """End the combat, as the GM. If `winners` is `null`, the rulebook determines the winners."""

    winners: tuple[Word, ...] | None = None
    reason: Text = ""


class Act(Struct, frozen=True, forbid_unknown_fields=True, tag="act"):
    """Declare an action, as the answer to the combatant's open turn or as an interjection."""

    combatant: Id
    action: Word
    inputs: Mapping[str, Json] = {}


class Reply(Struct, frozen=True, forbid_unknown_fields=True, tag="reply"):
    """Answer a prompt. You may omit `option` if the prompt has only one option."""

    prompt: Annotated[str, Meta(description="Id of the prompt")]
    option: Word | None = None
    inputs: Mapping[str, Json] = {}


class GmRuling(Struct, frozen=True, forbid_unknown_fields=True, tag="rule"):
    """Make a ruling, as the GM."""

    ruling: Word
    inputs: Mapping[str, Json] = {}
    reason: Text = ""


class Close(Struct, frozen=True, forbid_unknown_fields=True, tag="close"):
    """Close open prompts, as the GM. Each prompt takes its default."""

    prompts: tuple[str, ...] = ()


class Note(Struct, frozen=True, forbid_unknown_fields=True, tag="note"):
    text: Annotated[str, Meta(min_length=1, max_length=2000)]
    who: Id | None = None
    private: bool = False


class MakeRequest(Struct, frozen=True, forbid_unknown_fields=True, tag="request"):
    """Ask the GM for something, as a player. Play continues."""

    who: Id
    kind: RequestKind
    text: Text = ""


class SettleRequest(Struct, frozen=True, forbid_unknown_fields=True, tag="settle-request"):
    """Grant or decline a player's request, as the GM.

    If you grant an undo, it goes back `over` a command, a turn or a round. If you grant a pause,
    all deadlines stop.
    """

    request: Annotated[str, Meta(max_length=100)]
    granted: bool
    text: Text = ""
    over: Literal["command", "turn", "round"] = "command"


class RevealSeed(Struct, frozen=True, forbid_unknown_fields=True, tag="reveal-seed"):
    pass


class Abandon(Struct, frozen=True, forbid_unknown_fields=True, tag="abandon"):
    """Abandon procedures that new rules no longer match.

    Only the service sends this command, when it loads a combat.
    """


class Resume(Struct, frozen=True, forbid_unknown_fields=True, tag="resume"):
    """Continue with the next step after Affray abandoned a procedure."""


class Undo(Struct, frozen=True, forbid_unknown_fields=True, tag="undo"):
    over: Literal["command", "turn", "round"] = "command"
    reason: Text = ""


class Redo(Struct, frozen=True, forbid_unknown_fields=True, tag="redo"):
    reason: Text = ""


class Goto(Struct, frozen=True, forbid_unknown_fields=True, tag="goto"):
    version: int
    reason: Text = ""


class Amend(Struct, frozen=True, forbid_unknown_fields=True, tag="amend"):
    """Go back to version `to`, change commands, and decide the later commands again."""

    to: int
    changes: tuple[AmendedCommand, ...]
    reason: Text = ""


Command: TypeAlias = (
    Open
    | Join
    | Change
    | Leave
    | SetMap
    | AddSalt
    | SetOrders
    | SetDeadlines
    | SetLabels
    | Lapse
    | Begin
    | End
    | Act
    | Reply
    | GmRuling
    | Close
    | Note
    | MakeRequest
    | SettleRequest
    | RevealSeed
    | Abandon
    | Resume
    | Undo
    | Redo
    | Goto
    | Amend
)
