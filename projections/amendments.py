"""The report of an amendment: a line for each command that Affray decides again."""

from collections.abc import Iterable, Iterator
from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.engine.amendment import Halt, Step, Verdict, Walk, reason_of
from domain.engine.caller import Caller
from domain.engine.session import Decision
from domain.record.history import Span
from projections.board import Board, PromptView, prompts
from projections.diff import EndsDiff, ends
from projections.events import event_view, event_views
from projections.eyes import Eyes
from projections.narration import Teller
from projections.results import Result, result

Changed = Literal["", "replace", "insert", "drop", "set"]


class AmendedLine(Struct, frozen=True, omit_defaults=True):
    """The verdict on one command, or on adjacent commands with the same verdict.

    - `at`, `until`: the versions of the first and the last event. For an added command, both are
      the version at which the request adds it.
    - `verdict`: `open` means that the report ends before Affray has decided the command.
    - `commands`: the number of commands in this line.
    - `changed`: the kind of change that the request makes. It is empty if there is none.
    - `before`: the result before the amendment. `same` and `added` commands lack it.
    - `after`: the result after the amendment. `same` commands lack it.
    - `rule`, `reason`, `detail`: the reason why the command is impossible. `detail` is a sentence.
    - `asked`: the ids of new prompts that got an answer before the command.
    - `chance`: true if the result depends on new faces. A commit rolls again, so its result may
      differ.
    """

    at: Annotated[int, Meta(description="Version of the first event of the command")]
    until: Annotated[int, Meta(description="Version of the last event of the command")]
    verdict: Annotated[
        Verdict, Meta(description="Verdict on the command. `open`: the report ends here")
    ]
    commands: Annotated[int, Meta(description="Number of adjacent commands in this line")] = 1
    changed: Annotated[
        Changed, Meta(description="The request's change of the command. Empty: none")
    ] = ""
    before: Annotated[
        Result | None, Meta(description="Result before the amendment, unless `same` or `added`")
    ] = None
    after: Annotated[Result | None, Meta(description="New result of the command")] = None
    rule: str = ""
    reason: Annotated[
        str, Meta(description="The rulebook's word for the reason why it is impossible")
    ] = ""
    detail: Annotated[str, Meta(description="Reason why it is impossible, in a sentence")] = ""
    asked: Annotated[
        tuple[str, ...], Meta(description="Ids of new prompts before it that got an answer")
    ] = ()
    chance: Annotated[
        bool, Meta(description="Whether it depends on newly rolled faces. A commit rolls again")
    ] = False


class NewRollView(Struct, frozen=True):
    """A roll that needs faces."""

    who: str
    purpose: str
    formula: Annotated[str, Meta(description="Formula of the dice")]


class WalkEnd(Struct, frozen=True):
    """The place where a report ends before the newest command.

    - `at`: the version of the command at which the report ends.
    - `why`: the reason: an impossible command, a new prompt, or a roll that needs faces.
    - `prompts`: the new prompts.
    - `decided`: if true, you may commit, and the new branch ends here. If false, first add an
      answer, faces or a change to the request.
    """

    at: Annotated[int, Meta(description="Version of the command at which the report ends")]
    why: Annotated[
        Literal["impossible", "prompt", "roll"],
        Meta(description="Reason for the end: an impossible command, a new prompt or a new roll"),
    ]
    prompts: Annotated[tuple[PromptView, ...], Meta(description="The new prompts")]
    roll: Annotated[NewRollView | None, Meta(description="The roll that needs faces. `null`: none")]
    decided: Annotated[
        bool, Meta(description="Whether you may commit, so that the new branch ends here")
    ]


class AmendmentReport(Struct, frozen=True):
    """The report of an amendment.

    - `version`: the version on which the report is based. Send it as `If-Match` to commit.
    - `base`: the version after which Affray decides every command again.
    - `digest`: a hash of the request and of all results that do not depend on new faces. Send it to
      commit.
    - `stored`: the version of the last new event. `null` means a dry run, which stores nothing.
    - `commands`: the number of commands that Affray decided again.
    - `kept`, `fresh`: the number of rolls that keep their faces, and of rolls with new faces.
    - `chance`: true if a result depends on new faces. A commit rolls again, so its results may
      differ.
    - `end`: the differences between the end of the new branch and the current state.
    - `ended`: the place where the report ends early. `null` means that it contains all commands.
    """

    version: Annotated[int, Meta(description="The version of the report, for `If-Match`")]
    base: Annotated[int, Meta(description="The version after which Affray decides again")]
    digest: Annotated[
        str,
        Meta(
            description=(
                "Hash of the request and of all results without new faces. Send it to commit"
            )
        ),
    ]
    stored: Annotated[
        int | None,
        Meta(description="Version of the last new event. `null`: a dry run, nothing is stored"),
    ]
    commands: Annotated[int, Meta(description="Number of commands that Affray decided again")]
    kept: Annotated[int, Meta(description="Number of rolls that keep their faces")]
    fresh: Annotated[int, Meta(description="Number of rolls with other faces")]
    chance: Annotated[
        bool, Meta(description="Whether newly rolled faces took part. A commit rolls again")
    ]
    lines: Annotated[
        tuple[AmendedLine, ...], Meta(description="Verdicts on the commands, in order")
    ]
    end: Annotated[EndsDiff, Meta(description="Differences of the current state and the new end")]
    ended: Annotated[
        WalkEnd | None,
        Meta(description="Place where the report ends early. `null`: it has all commands"),
    ]


class WhatIfLine(Struct, frozen=True):
    """The effects of one command, as far as the player may know them."""

    command: Annotated[int, Meta(description="Number of the command in the request, from 1")]
    lines: tuple[str, ...]
    result: Result
    chance: bool


class PlayersWhatIf(Struct, frozen=True):
    """The effects of a player's commands, which Affray does not store.

    - `steps`: the effects of each command.
    - `ended`: true if the last command depends on facts that the player does not know. The answer
      then stops at that command.
    - `board`: the board after the commands.
    """

    steps: Annotated[tuple[WhatIfLine, ...], Meta(description="The commands, in order")]
    ended: Annotated[
        bool,
        Meta(description="Whether the outcome depends on something that the player does not know"),
    ]
    board: Board


class WhatIfReport(Struct, frozen=True):
    """The answer to a what-if: `report` for the GM, or `foreseen` for a player.

    The other field is `null`.
    """

    report: Annotated[
        AmendmentReport | None, Meta(description="The answer for the GM. `null`: for a player")
    ]
    foreseen: Annotated[
        PlayersWhatIf | None, Meta(description="The answer for a player. `null`: for the GM")
    ]


def foreseen(caller: Caller, number: int, decision: Decision) -> WhatIfLine:
    """Return the effects of a command as its player may see them."""
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
    """A builder that makes the report of an amendment step by step."""

    def __init__(self, walk: Walk, eyes: Eyes) -> None:
        """Begin a report. `eyes` is the GM's view of the history before the walk."""
        self.walk, self.eyes = walk, eyes
        self.lines: list[AmendedLine] = []
        self.commands = self.kept = self.fresh = 0

    def lines_of(self, steps: Iterable[Step]) -> Iterator[None]:
        """Add a line for each step, and yield after each. `steps` must be all steps of the walk."""
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
        return result(teller, event_views(teller.live, teller.eyes, events))

    def report(self, stored: int | None) -> AmendmentReport:
        """Return the report. `stored` is `None` for a dry run."""
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
    """Return true if the line has the verdict `same` and no further information."""
    return line.verdict == "same" and not line.asked and not line.changed
