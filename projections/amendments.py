"""amendments: the result of each command that was decided again, in words and numbers."""

from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct

from domain.engine.amendment import Halt, Step, Verdict, Walk, reason_of
from domain.engine.caller import Caller
from domain.engine.session import Decision
from domain.record.history import Span
from projections.board import Board, PromptView, prompts
from projections.diff import EndsDiff, ends
from projections.events import event_view
from projections.eyes import Eyes
from projections.narration import Teller
from projections.results import Result, result

Changed = Literal["", "replace", "insert", "drop", "set"]


class AmendedLine(Struct, frozen=True, omit_defaults=True):
    """The verdict on a command, or on `commands` adjacent ones that are the same.

    - `at`, `until`: versions of its first and its last event. For an added command, the version
      that it was added at.
    - `verdict`: "open" ends the walk here, without deciding the command.
    - `changed`: the change that the request made. "": nothing.
    - `before`: the former result, if it is different now.
    - `after`: the present result.
    - `rule`, `reason`: why it is impossible, with `detail` in a sentence.
    - `asked`: ids of new prompts that were answered before it.
    - `chance`: whether it comes after faces that nobody knew. A commit rolls others.
    """

    at: int
    until: int
    verdict: Verdict
    commands: int = 1
    changed: Changed = ""
    before: Result | None = None
    after: Result | None = None
    rule: str = ""
    reason: str = ""
    detail: str = ""
    asked: tuple[str, ...] = ()
    chance: bool = False


class NewRollView(Struct, frozen=True):
    """A roll that needs faces."""

    who: str
    purpose: str
    formula: str


class WalkEnd(Struct, frozen=True):
    """Where the walk ended before the present: at the command of the event `at`.

    `why` is an impossible command, a new prompt, or a roll that needs faces. `prompts` are the new
    prompts. If `decided`, a commit may end here too. Otherwise, the request must decide about it.
    """

    at: int
    why: Literal["impossible", "prompt", "roll"]
    prompts: tuple[PromptView, ...]
    roll: NewRollView | None
    decided: bool


class AmendmentReport(Struct, frozen=True):
    """The report of an amendment.

    - `version`: the version that the report rests on, for `If-Match`.
    - `base`: the version that everything is decided again from.
    - `digest`: of the request and of everything except chance. A commit repeats it.
    - `stored`: version of the last new event. null: it was a dry run, nothing is stored.
    - `commands`: commands that were decided again.
    - `kept`, `fresh`: rolls with the faces that fell before, and rolls with others.
    - `chance`: whether faces that nobody knew took part.
    - `end`: how the end of the new branch differs from the present.
    - `ended`: where the walk ended. null: it goes on to the present.
    """

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


class WhatIfLine(Struct, frozen=True):
    """The effects of one command, as far as the player could know them."""

    command: int
    lines: tuple[str, ...]
    result: Result
    chance: bool


class PlayersWhatIf(Struct, frozen=True):
    """The effects of a player's commands. Nothing is stored.

    If `ended`, the outcome of the last command depends on facts that the player does not know, and
    the answer stops there. `board` is the fight after the commands.
    """

    steps: tuple[WhatIfLine, ...]
    ended: bool
    board: Board


class WhatIfReport(Struct, frozen=True):
    """The answer: `report` for the GM, `foreseen` for a player. The other one is null."""

    report: AmendmentReport | None
    foreseen: PlayersWhatIf | None


def foreseen(caller: Caller, number: int, decision: Decision) -> WhatIfLine:
    """A command in the eyes of its player."""
    copy = decision.live
    eyes = Eyes(copy.history, caller)
    views = [
        event_view(copy, eyes, recorded)
        for recorded in decision.recorded
        if eyes.sees(recorded.version)
    ]
    teller = Teller(copy, eyes)
    lines = tuple(line.text for line in teller.lines(teller.story(views), {}))
    dice = any(
        event_view.type == "rolled" and event_view.data.get("by", "server") == "server"
        for event_view in views
    )
    return WhatIfLine(number, lines, result(teller, views), dice)


class Reporter:
    """Makes the report of a walk, a step at a time."""

    def __init__(self, walk: Walk, eyes: Eyes) -> None:
        """`eyes`: of the GM, on the walk's history before it."""
        self.walk, self.eyes = walk, eyes
        self.lines: list[AmendedLine] = []
        self.commands = self.kept = self.fresh = 0

    def lines_of(self, steps: Iterable[Step]) -> Iterator[None]:
        """Make the lines of these steps, which are all of the walk."""
        live = self.walk.live
        self._teller = Teller(live, self.eyes.after(live.history))
        for step in steps:
            self._add(step)
            yield

    def _add(self, step: Step) -> None:
        self.commands += step.verdict not in ("open", "dropped")
        self.kept += step.kept
        self.fresh += step.fresh
        line = self._line(step)
        last = self.lines[-1] if self.lines else None
        if last is None or not _is_plain(last) or not _is_plain(line) or last.chance != line.chance:
            self.lines.append(line)
            return
        commands = last.commands + 1
        self.lines[-1] = AmendedLine(last.at, line.until, "same", commands, chance=line.chance)

    def _line(self, step: Step) -> AmendedLine:
        rule, reason = reason_of(step.refused)
        before = after = None
        if step.verdict not in ("same", "added"):
            before = self._result((step.at, step.until))
        if step.first and step.verdict != "same":
            after = self._result((step.first, step.last))
        detail = "" if step.refused is None else step.refused.detail
        return AmendedLine(
            step.at, step.until, step.verdict, 1, step.changed, before, after, rule, reason,
            detail, step.asked, step.chance,
        )  # fmt: skip

    def _result(self, span: Span) -> Result:
        teller = self._teller
        events = teller.live.history.gather([span])
        return result(
            teller, [event_view(teller.live, teller.eyes, recorded) for recorded in events]
        )

    def report(self, stored: int | None) -> AmendmentReport:
        """The whole report; `stored` None = of a dry run."""
        walk = self.walk
        live = walk.live
        return AmendmentReport(
            walk.version,
            walk.base,
            walk.digest,
            stored,
            self.commands,
            self.kept,
            self.fresh,
            walk.chance,
            tuple(self.lines),
            ends(live, live.state(walk.head), live.combat),
            None if walk.ended is None else self._ended(walk.ended),
        )

    def _ended(self, ended: Halt) -> WalkEnd:
        live = self.walk.live
        open_now = prompts(live.ruleset, live.combat, self.eyes.caller)
        roll = ended.roll
        return WalkEnd(
            ended.at,
            ended.why,
            tuple(prompt for prompt in open_now if prompt.id in ended.prompts),
            None if roll is None else NewRollView(roll.who, roll.purpose, roll.formula),
            ended.decided,
        )


def _is_plain(line: AmendedLine) -> bool:
    """Whether there is nothing to say of a command but that it is the same."""
    return line.verdict == "same" and not line.asked and not line.changed
