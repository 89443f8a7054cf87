"""The answers of the service. Made from openapi/openapi.json, which describes fields.

`scripts/make.py` makes it. Bodies of requests have no class here: they are JSON as the contract
and the rulebook's schemas describe it, and the service names the field that it refuses.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from affray_client.shape import Shape

VERSION = "0.1.0"
"""The contract from which this client was made."""

if TYPE_CHECKING:
    AmendedLineChanged = Literal["", "drop", "insert", "replace", "set"]
    AmendedLineVerdict = Literal[
        "added", "different", "dropped", "impossible", "not-asked", "open", "same"
    ]
    BoardStatus = Literal["opening", "running", "ended"]
    ClosedPromptHow = Literal[
        "answered",
        "closed",
        "default",
        "ended",
        "lapsed",
        "overtaken",
        "standing-order",
        "stopped",
        "undone",
    ]
    CombatLineStatus = Literal["opening", "running", "ended"]
    DiceSettingsAfterUndo = Literal["fresh", "keep"]
    DiceSettingsGm = Literal["manual", "server"]
    DiceSettingsPlayers = Literal["manual", "server"]
    FactInfoOf = Literal["combatant", "combat"]
    IssuedRole = Literal["gm", "player", "spectator"]
    MarkerShownTo = Literal["all", "gm", "owner", "side"]
    NumberInfoRole = Literal["", "high-first", "low-first", "zone"]
    OfferViewCategory = Literal[
        "attack",
        "cast",
        "choose",
        "defend",
        "end",
        "help",
        "move",
        "pass",
        "roll",
        "rule",
        "use",
        "wait",
    ]
    OfferViewKind = Literal[
        "choice", "declare", "interjection", "reaction", "roll", "ruling", "turn"
    ]
    OfferViewPolarity = Literal["either", "harm", "help", "none"]
    PolarityByValues = Literal["either", "harm", "help", "none"]
    PromptInfoAsks = Literal["gm", "combatant"]
    PromptInfoKind = Literal["turn", "declare", "reaction", "roll", "choice", "ruling"]
    PromptViewKind = Literal["turn", "declare", "reaction", "roll", "choice", "ruling"]
    RequestViewKind = Literal["pause", "ruling", "undo"]
    ResultBlowKind = Literal["critical", "failure", "hit", "miss", "success"]
    ResultKind = Literal["critical", "failure", "hit", "miss", "success"]
    SeatRole = Literal["gm", "player", "spectator"]
    StreamClosedReason = Literal["revoked", "deleted", "stopping"]
    TokenLineRole = Literal["gm", "player", "spectator"]
    WalkEndWhy = Literal["impossible", "prompt", "roll"]
    WebhookLineState = Literal["active", "failing", "given-up"]
    YouRole = Literal["gm", "player", "spectator"]
    YourTokenRole = Literal["gm", "player", "spectator"]
else:
    AmendedLineChanged = str
    AmendedLineVerdict = str
    BoardStatus = str
    ClosedPromptHow = str
    CombatLineStatus = str
    DiceSettingsAfterUndo = str
    DiceSettingsGm = str
    DiceSettingsPlayers = str
    FactInfoOf = str
    IssuedRole = str
    MarkerShownTo = str
    NumberInfoRole = str
    OfferViewCategory = str
    OfferViewKind = str
    OfferViewPolarity = str
    PolarityByValues = str
    PromptInfoAsks = str
    PromptInfoKind = str
    PromptViewKind = str
    RequestViewKind = str
    ResultBlowKind = str
    ResultKind = str
    SeatRole = str
    StreamClosedReason = str
    TokenLineRole = str
    WalkEndWhy = str
    WebhookLineState = str
    YouRole = str
    YourTokenRole = str


class AbsentView(Shape, frozen=True, kw_only=True):
    label: str
    why: str
    value: int | None
    origin: str
    rule: str
    says: str


class ActionView(Shape, frozen=True, kw_only=True):
    id: str
    label: str
    cost: str
    rules: tuple[str, ...]
    interjection: bool
    inputs: dict[str, Any]


class AmendedLine(Shape, frozen=True, kw_only=True):
    at: int
    until: int
    verdict: AmendedLineVerdict
    commands: int | None = None
    changed: AmendedLineChanged | None = None
    before: Result | None = None
    after: Result | None = None
    rule: str | None = None
    reason: str | None = None
    detail: str | None = None
    asked: tuple[str, ...] = ()
    chance: bool | None = None


class AmendedMessage(Shape, frozen=True, kw_only=True):
    version: int
    back_to: int
    at: datetime
    sentences: tuple[str, ...]
    board: Board


class AmendmentReport(Shape, frozen=True, kw_only=True):
    version: int
    base: int
    digest: str
    stored: int | None
    commands: int
    kept: int
    fresh: int
    chance: bool
    lines: tuple[AmendedLine, ...]
    end: EndsDiff
    ended: WalkEnd | None


class Board(Shape, frozen=True, kw_only=True):
    id: str
    version: int
    name: str
    ruleset: str
    status: BoardStatus
    phase: str
    round: int
    sides: tuple[str, ...]
    acting: tuple[str, ...]
    order: tuple[dict[str, Any], ...]
    queue: tuple[dict[str, Any], ...]
    combatants: tuple[CombatantView, ...]
    prompts: tuple[PromptView, ...]
    you: You
    awaited: tuple[str | None, ...]
    options: dict[str, Any]
    dice: DiceSettings
    commitment: str
    seed: str | None = None
    winners: tuple[str, ...] = ()
    map: dict[str, Any] | None = None
    facts: dict[str, Any] = msgspec.field(default_factory=dict)
    forced_rolls: tuple[ForcedRoll, ...] = ()
    stalled: str | None = None
    deadlines: Deadlines | None = None
    labels: tuple[str, ...] = ()
    forked_from: Origin | None = None


class Branch(Shape, frozen=True, kw_only=True):
    parent: int
    first: int
    last: int
    at: datetime
    difference: str
    by: str
    round: int
    reason: str
    present: bool
    text: str
    left: Left | None
    label: str
    command: str


class BranchCommand(Shape, frozen=True, kw_only=True):
    first: int
    last: int
    at: datetime
    by: str
    lines: tuple[str, ...]
    result: Result
    replays: int | None


class CauseView(Shape, frozen=True, kw_only=True):
    version: int
    type: str
    text: str
    rules: tuple[str, ...]


class ClosedPrompt(Shape, frozen=True, kw_only=True):
    how: ClosedPromptHow
    option: str | None = None
    by: str | None = None
    at: str | None = None
    because: str | None = None
    successor: str | None = None


class CombatLine(Shape, frozen=True, kw_only=True):
    id: str
    name: str
    ruleset: str
    status: CombatLineStatus
    round: int
    created_at: datetime
    updated_at: datetime
    labels: tuple[str, ...]


class CombatPage(Shape, frozen=True, kw_only=True):
    combats: tuple[CombatLine, ...]
    next: str | None


class CombatantDiff(Shape, frozen=True, kw_only=True):
    combatant: str
    change: str
    changes: tuple[FieldChange, ...]


class CombatantFigures(Shape, frozen=True, kw_only=True):
    combatant: str
    hits: int
    misses: int
    criticals: int
    blows_taken: int
    dealt: dict[str, int] | None
    taken: dict[str, int] | None
    healing_done: int | None
    healing_received: int | None
    downed: int
    prompts: int | None
    decisions: int | None
    seconds_per_decision: float | None
    dice: DiceLuck | None


class CombatantView(Shape, frozen=True, kw_only=True):
    id: str
    name: str
    side: str
    in_fight: bool
    wound: str
    owner: str | None = None
    hidden: bool | None = None
    position: tuple[int, ...] | None = None
    tracks: dict[str, Track] = msgspec.field(default_factory=dict)
    conditions: tuple[ConditionView, ...] = ()
    budget: dict[str, int] = msgspec.field(default_factory=dict)
    derived: dict[str, Any] = msgspec.field(default_factory=dict)
    sheet: dict[str, Any] | None = None
    facts: dict[str, Any] = msgspec.field(default_factory=dict)
    standing_orders: tuple[StandingOrder, ...] = ()
    markers: tuple[Marker, ...] = ()
    picture: str | None = None


class CommandLine(Shape, frozen=True, kw_only=True):
    first: int
    last: int
    command: str
    what: str


class CommandMessage(Shape, frozen=True, kw_only=True):
    version: int
    at: datetime
    by: str
    events: tuple[EventView, ...]
    sentences: tuple[str, ...]
    prompts: tuple[PromptView, ...]
    result: Result
    board: Board | None = None


class Committed(Shape, frozen=True, kw_only=True):
    version: int
    events: tuple[EventView, ...]
    prompts: tuple[PromptView, ...]
    result: Result


class Comparison(Shape, frozen=True, kw_only=True):
    common: int
    a: tuple[BranchCommand, ...]
    b: tuple[BranchCommand, ...]
    end: EndsDiff


class ConditionLine(Shape, frozen=True, kw_only=True):
    id: str
    label: str
    effect: str
    ends: str
    rules: tuple[str, ...]
    stacks: bool
    data: dict[str, Any]


class ConditionView(Shape, frozen=True, kw_only=True):
    id: str
    key: str
    data: dict[str, Any] = msgspec.field(default_factory=dict)
    until: tuple[dict[str, Any], ...] = ()
    source: str | None = None
    rules: tuple[str, ...] = ()


class Deadlines(Shape, frozen=True, kw_only=True):
    turn: int | None
    declare: int | None
    reaction: int | None
    choice: int | None
    ruling: int | None
    combatants: dict[str, int]
    stopped: bool


class Delivered(Shape, frozen=True, kw_only=True):
    id: str
    type: str
    version: int
    at: datetime
    taken: bool
    problem: str


class DeliveryList(Shape, frozen=True, kw_only=True):
    deliveries: tuple[Delivered, ...]


class Derivation(Shape, frozen=True, kw_only=True):
    version: int
    type: str
    text: str
    rules: tuple[RuleView, ...]
    formula: str | None
    faces: tuple[int, ...] | None
    sum: SumView | None
    target: SumView | None
    causes: tuple[CauseView, ...]
    replays: int | None


class DiceLuck(Shape, frozen=True, kw_only=True):
    rolled: int
    total: int
    expected: float
    luck: float


class DiceSettings(Shape, frozen=True, kw_only=True):
    gm: DiceSettingsGm
    players: DiceSettingsPlayers
    after_undo: DiceSettingsAfterUndo


class Diff(Shape, frozen=True, kw_only=True):
    from_: int = msgspec.field(name="from")
    to: int
    common: int
    combat: tuple[FieldChange, ...]
    combatants: tuple[CombatantDiff, ...]
    undone: tuple[CommandLine, ...]
    done: tuple[CommandLine, ...]
    text: tuple[str, ...]


class EndsDiff(Shape, frozen=True, kw_only=True):
    combat: tuple[FieldChange, ...]
    combatants: tuple[CombatantDiff, ...]
    text: tuple[str, ...]


class Entry(Shape, frozen=True, kw_only=True):
    first: int
    last: int
    at: datetime
    command: str
    by: str
    round: int
    undone: bool
    lines: tuple[Line, ...]
    result: Result


class EventInfo(Shape, frozen=True, kw_only=True):
    type: str
    about: str
    known_to: str
    fields: dict[str, str]
    data: dict[str, Any]


class EventPage(Shape, frozen=True, kw_only=True):
    version: int
    events: tuple[EventView, ...]
    next: str | None


class EventView(Shape, frozen=True, kw_only=True):
    version: int
    parent: int
    at: datetime
    command: str
    by: str
    type: str
    rules: tuple[str, ...]
    data: dict[str, Any]
    undone: bool


class Explained(Shape, frozen=True, kw_only=True):
    combatant: str
    version: int
    numbers: tuple[Explanation, ...]


class Explanation(Shape, frozen=True, kw_only=True):
    name: str
    about: str
    value: float
    formula: str
    parts: tuple[PartView, ...]
    absent: tuple[AbsentView, ...]
    rolls: tuple[str, ...]


class Export(Shape, frozen=True, kw_only=True):
    header: ExportHeader
    events: tuple[ExportEvent, ...]
    pictures: tuple[ExportPicture, ...]


class ExportEvent(Shape, frozen=True, kw_only=True):
    topic: str
    event: Any
    hash: str


class ExportHeader(Shape, frozen=True, kw_only=True):
    format: str
    version: int
    combat: str
    ruleset: str
    events: int
    last: str
    pictures: int | None = None


class ExportPicture(Shape, frozen=True, kw_only=True):
    picture: str
    data: str


class FactInfo(Shape, frozen=True, kw_only=True):
    id: str
    of: FactInfoOf
    about: str
    known_to: str
    until: str | None
    value: dict[str, Any]


class FieldChange(Shape, frozen=True, kw_only=True):
    field: str
    before: Any
    after: Any


class ForcedRoll(Shape, frozen=True, kw_only=True):
    who: str
    purpose: str
    faces: tuple[int, ...]


class Health(Shape, frozen=True, kw_only=True):
    status: str
    version: str


class Issued(Shape, frozen=True, kw_only=True):
    id: str
    token: str
    role: IssuedRole
    warning: str | None = None


class Label(Shape, frozen=True, kw_only=True):
    id: str
    label: str


class Left(Shape, frozen=True, kw_only=True):
    version: int
    at: datetime
    by: str
    reason: str
    label: str


class Line(Shape, frozen=True, kw_only=True):
    version: int
    type: str
    text: str
    rules: tuple[str, ...]
    round: int | None = None
    combatants: tuple[str, ...] = ()
    before: int | None = None
    after: int | None = None


class Marker(Shape, frozen=True, kw_only=True):
    id: str
    text: str
    shown_to: MarkerShownTo


class NewRollView(Shape, frozen=True, kw_only=True):
    who: str
    purpose: str
    formula: str


class NumberInfo(Shape, frozen=True, kw_only=True):
    id: str
    about: str
    public: bool
    role: NumberInfoRole


class OfferList(Shape, frozen=True, kw_only=True):
    combatant: str | None
    version: int
    options: tuple[OfferView, ...]
    schemas: dict[str, dict[str, Any]]
    cited: dict[str, str]


class OfferView(Shape, frozen=True, kw_only=True):
    id: str
    label: str
    kind: OfferViewKind
    who: str | None
    legal: bool
    prompt: str | None
    cost: str
    rules: tuple[str, ...]
    inputs: str
    category: OfferViewCategory
    polarity: OfferViewPolarity
    polarity_by: PolarityBy | None
    essential: tuple[str, ...]
    idle: tuple[str, ...]
    headline: str | None
    template: str
    examples: tuple[dict[str, Any], ...]
    candidates: dict[str, tuple[Any, ...]]
    refusals: tuple[RefusalView, ...]
    reach: ReachView | None


class Opened(Shape, frozen=True, kw_only=True):
    combat: str
    token: str
    board: Board


class OptionView(Shape, frozen=True, kw_only=True):
    id: str
    label: str
    inputs: dict[str, Any]


class Origin(Shape, frozen=True, kw_only=True):
    combat: str
    version: int


class PartView(Shape, frozen=True, kw_only=True):
    label: str
    op: str
    value: float
    makes: float
    origin: str
    rule: str
    says: str


class Party(Shape, frozen=True, kw_only=True):
    id: str
    name: str
    about: str
    sheets: tuple[dict[str, Any], ...]
    options: dict[str, Any]
    map: dict[str, Any] | None


class PartyLine(Shape, frozen=True, kw_only=True):
    id: str
    name: str
    about: str


class PictureView(Shape, frozen=True, kw_only=True):
    picture: str
    width: int
    height: int


class PlayersWhatIf(Shape, frozen=True, kw_only=True):
    steps: tuple[WhatIfLine, ...]
    ended: bool
    board: Board


class PolarityBy(Shape, frozen=True, kw_only=True):
    field: str
    values: dict[str, PolarityByValues]


class Presence(Shape, frozen=True, kw_only=True):
    seats: tuple[Seat, ...]


class Preview(Shape, frozen=True, kw_only=True):
    events: tuple[EventView, ...]
    lines: tuple[str, ...]
    chance: bool
    board: Board
    heading: str
    reactions: tuple[PreviewReaction, ...]
    needs: tuple[PreviewNeed, ...]


class PreviewNeed(Shape, frozen=True, kw_only=True):
    combatant: str
    against: str
    die: str
    least: int


class PreviewReaction(Shape, frozen=True, kw_only=True):
    combatant: str
    prompt: str


class Problem(Shape, frozen=True, kw_only=True):
    type: str
    title: str
    status: int
    detail: str | None = None
    pointer: str | None = None
    rule: str | None = None
    reason: str | None = None
    allowed: tuple[str, ...] = ()
    version: str | None = None
    command: str | None = None
    closed: ClosedPrompt | None = None


class PromptInfo(Shape, frozen=True, kw_only=True):
    name: str
    kind: PromptInfoKind
    asks: PromptInfoAsks
    about: str
    rules: tuple[str, ...]
    options: tuple[OptionView, ...]
    actions: tuple[str, ...]
    each: str | None


class PromptList(Shape, frozen=True, kw_only=True):
    version: int
    prompts: tuple[PromptView, ...]


class PromptView(Shape, frozen=True, kw_only=True):
    id: str
    kind: PromptViewKind
    name: str
    who: str | None
    text: str
    options: tuple[str, ...]
    default: str | None
    data: dict[str, Any]
    rules: tuple[str, ...]
    answer: str | None
    suspended: bool
    until: datetime | None


class ProvokedView(Shape, frozen=True, kw_only=True):
    who: str
    at: tuple[int, ...]


class ReachView(Shape, frozen=True, kw_only=True):
    unit: str
    limit: float
    squares: tuple[ReachedView, ...]
    more: bool
    inputs: dict[str, Any]


class ReachedView(Shape, frozen=True, kw_only=True):
    to: tuple[int, ...]
    path: tuple[tuple[int, ...], ...]
    cost: float
    provokes: tuple[ProvokedView, ...] = ()


class RefusalView(Shape, frozen=True, kw_only=True):
    rule: str
    reason: str
    detail: str
    allowed: tuple[str, ...]


class RegisteredWebhook(Shape, frozen=True, kw_only=True):
    id: str
    secret: str
    version: int


class RequestList(Shape, frozen=True, kw_only=True):
    requests: tuple[RequestView, ...]


class RequestView(Shape, frozen=True, kw_only=True):
    id: str
    combatant: str
    kind: RequestViewKind
    text: str
    deed: int | None


class Result(Shape, frozen=True, kw_only=True):
    verdict: str | None
    sentence: str
    sum: str | None
    changes: tuple[ResultChange, ...]
    kind: ResultKind | None
    blows: tuple[ResultBlow, ...]
    acts: bool


class ResultBlow(Shape, frozen=True, kw_only=True):
    combatant: str
    against: str
    kind: ResultBlowKind
    verdict: str
    sentence: str
    sum: str | None


class ResultChange(Shape, frozen=True, kw_only=True):
    combatant: str
    name: str
    what: str
    before: int | str | None
    after: int | str | None


class RotatedSecret(Shape, frozen=True, kw_only=True):
    id: str
    secret: str
    previous_until: datetime


class Rule(Shape, frozen=True, kw_only=True):
    id: str
    summary: str
    code: str
    untold: str


class RuleList(Shape, frozen=True, kw_only=True):
    rules: tuple[Rule, ...]


class RuleView(Shape, frozen=True, kw_only=True):
    id: str
    says: str


class RulesetLine(Shape, frozen=True, kw_only=True):
    id: str
    title: str
    summary: str
    parties: tuple[PartyLine, ...]


class RulesetList(Shape, frozen=True, kw_only=True):
    rulesets: tuple[RulesetLine, ...]


class RulesetView(Shape, frozen=True, kw_only=True):
    id: str
    title: str
    summary: str
    sheet: dict[str, Any]
    options: dict[str, Any]
    map: dict[str, Any]
    actions: tuple[ActionView, ...]
    rulings: tuple[ActionView, ...]
    prompts: tuple[PromptInfo, ...]
    conditions: tuple[ConditionLine, ...]
    tracks: tuple[TrackInfo, ...]
    wounds: tuple[str, ...]
    standing: int
    derived: tuple[NumberInfo, ...]
    facts: tuple[FactInfo, ...]
    budget: tuple[Label, ...]
    phases: tuple[Label, ...]
    purposes: tuple[str, ...]
    events: tuple[EventInfo, ...]
    parties: tuple[Party, ...]
    schemas: dict[str, SchemaPlace]


class SchemaPlace(Shape, frozen=True, kw_only=True):
    hash: str
    at: str


class Seat(Shape, frozen=True, kw_only=True):
    label: str
    role: SeatRole
    combatants: tuple[str, ...]
    here: bool


class Sight(Shape, frozen=True, kw_only=True):
    combatant: str
    target: str
    version: int
    distance: float | None
    unit: str
    line: bool | None
    cover: str | int | None
    reach: tuple[str, ...] | None
    between: dict[str, Any]


class SourceView(Shape, frozen=True, kw_only=True):
    source: str
    value: int
    rule: str
    says: str


class StandingOrder(Shape, frozen=True, kw_only=True):
    prompt: str
    option: str
    inputs: dict[str, Any]
    until_round: int | None
    against: str | None
    when: dict[str, Any]


class Statistics(Shape, frozen=True, kw_only=True):
    version: int
    rounds: int
    combatants: tuple[CombatantFigures, ...]


class Step(Shape, frozen=True, kw_only=True):
    version: int
    text: str
    rules: tuple[str, ...]
    value: int | None
    because: tuple[str, ...]
    causes: tuple[int, ...]
    type: str
    reason: str
    note: str


class StreamClosed(Shape, frozen=True, kw_only=True):
    reason: StreamClosedReason


class SumView(Shape, frozen=True, kw_only=True):
    total: int
    terms: tuple[SourceView, ...]
    absent: tuple[AbsentView, ...]


class Ticket(Shape, frozen=True, kw_only=True):
    ticket: str
    ends_at: datetime


class Timeline(Shape, frozen=True, kw_only=True):
    version: int
    entries: tuple[Entry, ...]
    next: str | None


class TokenLine(Shape, frozen=True, kw_only=True):
    id: str
    role: TokenLineRole
    label: str
    owner: str | None
    combatants: tuple[str, ...]
    ends_at: datetime | None


class TokenList(Shape, frozen=True, kw_only=True):
    tokens: tuple[TokenLine, ...]


class TokensChanged(Shape, frozen=True, kw_only=True):
    tokens: tuple[str, ...]


class Track(Shape, frozen=True, kw_only=True):
    value: int
    maximum: int | None


class TrackInfo(Shape, frozen=True, kw_only=True):
    id: str
    label: str
    role: str
    about: str


class Tree(Shape, frozen=True, kw_only=True):
    head: int
    branches: tuple[Branch, ...]


class Verification(Shape, frozen=True, kw_only=True):
    sound: bool
    events: int
    server_rolls: int
    manual_rolls: int
    unrevealed_rolls: int
    copied_rolls: int
    kept_rolls: int
    faults: tuple[str, ...]


class WalkEnd(Shape, frozen=True, kw_only=True):
    at: int
    why: WalkEndWhy
    prompts: tuple[PromptView, ...]
    roll: NewRollView | None
    decided: bool


class WalkProgress(Shape, frozen=True, kw_only=True):
    done: int
    total: int


class WebhookLine(Shape, frozen=True, kw_only=True):
    id: str
    url: str
    occasions: tuple[str, ...]
    audience: str
    made_by: str
    state: WebhookLineState
    version: int
    failures: int
    problem: str
    due: str | None
    created_at: datetime


class WebhookList(Shape, frozen=True, kw_only=True):
    webhooks: tuple[WebhookLine, ...]


class WhatIfLine(Shape, frozen=True, kw_only=True):
    command: int
    lines: tuple[str, ...]
    result: Result
    chance: bool


class WhatIfReport(Shape, frozen=True, kw_only=True):
    report: AmendmentReport | None
    foreseen: PlayersWhatIf | None


class Why(Shape, frozen=True, kw_only=True):
    combatant: str
    steps: tuple[Step, ...]


class You(Shape, frozen=True, kw_only=True):
    role: YouRole
    combatants: tuple[str, ...]


class YourToken(Shape, frozen=True, kw_only=True):
    id: str
    role: YourTokenRole
    label: str
    owner: str | None
    combatants: tuple[str, ...]
    ends_at: datetime | None
