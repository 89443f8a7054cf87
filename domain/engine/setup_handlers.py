"""Setup handlers: open, fill, change, begin and end a combat, on a draft.

A refusal raises `Refused`. `handlers.decide` checks that the caller may give the command.
"""

from collections.abc import Container, Iterator, Mapping

import msgspec

from domain.engine.commands import (
    Begin,
    Change,
    End,
    Join,
    Joining,
    Leave,
    Open,
    SetDeadlines,
    SetLabels,
    SetMap,
)
from domain.engine.draft import Draft
from domain.engine.executor import Executor
from domain.errors import Malformed, Unfitting
from domain.record import fairness
from domain.record.combat import Combat, Deadlines, Id, Json
from domain.record.events import (
    CombatantChanged,
    CombatantLeft,
    CombatBegan,
    CombatEnded,
    CombatOpened,
    DeadlinesSet,
    LabelsSet,
    MapSet,
    PhaseBegan,
    Resumed,
)
from domain.rulebook.edges import misplaced
from domain.rulebook.ending import ENDING, Ending
from domain.rulebook.input_reader import pointing, read
from domain.rulebook.ruleset import HIDDEN, Sheet


class SetupHandlers:
    """The commands that set a combat up, on one draft. `present` runs the consequences."""

    draft: Draft
    present: Executor

    def open(self, command: Open) -> None:
        if self.draft.version:
            raise Unfitting("already-open", "this combat is open already")
        with pointing("/options"):
            chosen = read(command.options, self.draft.ruleset.options)
            for fault in self.draft.ruleset.check_options(chosen):
                raise fault
        options = msgspec.to_builtins(chosen)
        self._check_map(command.map)
        self.draft.seed = self.draft.context.spare
        self.present.record(
            CombatOpened(
                self.draft.context.combat,
                self.draft.ruleset.id,
                command.name,
                options,
                command.dice,
                fairness.commitment(self.draft.context.spare),
                command.sides,
                command.map,
            )
        )
        if command.deadlines != Deadlines():
            self.set_deadlines(command)
        if command.labels:
            self.set_labels(command)
        for index, joining in enumerate(command.combatants):
            with pointing(f"/combatants/{index}"):
                self._admit(joining)

    def join(self, command: Join) -> None:
        """Let a combatant join. In a running combat, its entry runs at once (`Ruleset.entry`)."""
        who = self._admit(command.joining)
        step = self.draft.ruleset.entry(self.draft.combat, who)
        if step is not None and self.draft.combat.status == "running":
            self.present.start("flow", step.procedure, step.args)
        self.present.settle()

    def leave(self, command: Leave) -> None:
        self.draft.combat[command.who]
        self.present.record(CombatantLeft(command.who))
        self.present.settle()

    def set_map(self, command: SetMap) -> None:
        self._check_map(command.map)
        self.present.record(MapSet(command.map))
        self.present.settle()

    def set_labels(self, command: SetLabels | Open) -> None:
        self.present.record(LabelsSet(tuple(dict.fromkeys(command.labels))))

    def _check_map(self, map: Mapping[str, Json] | None) -> None:
        if map is not None:
            with pointing("/map"):
                read(map, self.draft.ruleset.map)

    def _admit(self, joining: Joining) -> Id:
        if self.draft.combat.status == "ended":
            raise Unfitting("combat-ended", "the combat has ended")
        with pointing("/sheet"):
            self._check_place(joining.sheet)
            return self.present.admit_now(joining.sheet, joining.id, joining.hidden).who

    def _check_place(self, raw: Mapping[str, Json]) -> None:
        """Refuse a sheet with a square outside the map."""
        ruleset = self.draft.ruleset
        if ruleset.edges(self.draft.combat) is not None:
            sheet = ruleset.read_sheet(raw)
            for refusal in misplaced(ruleset, self.draft.combat, sheet, ""):
                raise refusal

    def change(self, command: Change) -> None:
        who = self.draft.combat[command.who]
        if command.name is not None and any(
            other.name == command.name and other.id != who.id for other in self.draft.combat
        ):
            raise Unfitting("name-taken", f"there is a combatant called {command.name!r} already")
        settled = self.draft.ruleset.settled(self.draft.combat, who.id)
        raw = {
            **_without(who.sheet, {*settled, *who.tracks}, self.draft.ruleset.sheet),
            **command.sheet,
            "name": command.name or who.name,
            "owner": command.owner or who.owner,
            "side": command.side or who.side,
        }
        for fixed in ("name", "owner", "side", "at"):
            if fixed in command.sheet:
                raise Malformed(f"/sheet/{fixed}", f"{fixed} is not changed through the sheet")
        with pointing("/sheet"):
            sheet = self.draft.ruleset.read_sheet(raw)
        full: dict[str, Json] = msgspec.to_builtins(sheet)
        hidden = command.hidden
        if HIDDEN in command.sheet:  # a field of the combatant, not of its sheet
            if hidden not in (None, full[HIDDEN]):
                detail = f"hidden is {hidden} beside the sheet, {full[HIDDEN]} in it"
                raise Malformed("/sheet/hidden", detail)
            hidden, full[HIDDEN] = bool(full[HIDDEN]), False
        for field, instead in settled.items():
            if field in command.sheet and full[field] != who.sheet.get(field):
                detail = f"{field} has had its effect, a change has none: {instead}"
                raise Malformed(f"/sheet/{field}", detail)
        self.present.record(
            CombatantChanged(
                command.who,
                command.name,
                command.side,
                command.owner,
                hidden,
                {key: full[key] for key in command.sheet},
            )
        )
        self.present.settle()

    def set_deadlines(self, command: SetDeadlines | Open) -> None:
        """Set the deadlines, and restart the time of all open prompts."""
        self.time_anew(command.deadlines, self.draft.combat.prompts)

    def wait_anew(self, before: Combat) -> None:
        """Restart the time of overdue prompts that accepted no answer in the state `before`.

        Either an undo has reopened them, or they were suspended until another answer.
        """
        combat = self.draft.combat
        over = {id for id in _waiting(combat) if self.draft.is_over(combat.prompts[id].until)}
        if anew := over.difference(_waiting(before)):
            self.time_anew(combat.deadlines, anew)

    def time_anew(self, deadlines: Deadlines, anew: Container[str]) -> None:
        """Set the deadlines, and restart the time of the prompts in `anew`."""
        until = {}
        for id, prompt in self.draft.combat.prompts.items():
            seconds = deadlines.seconds(prompt.kind, prompt.who)
            if id in anew and seconds is not None and prompt.default is not None:
                until[id] = self.draft.context.later(seconds)
            elif prompt.until is not None and id not in anew:
                until[id] = prompt.until
        self.present.record(DeadlinesSet(deadlines, until))

    def begin(self, _: Begin) -> None:
        if self.draft.combat.status != "opening":
            raise Unfitting("already-begun", f"the combat is {self.draft.combat.status}")
        if not any(True for _ in self.draft.combat):
            raise Unfitting("nobody-there", "a combat needs combatants before it begins")
        self.present.record(CombatBegan())
        self.present.settle()

    def end(self, command: End) -> None:
        if self.draft.combat.status == "ended":
            raise Unfitting("combat-ended", "the combat has ended already")
        sides = self.draft.combat.sides
        for winner in command.winners or ():
            if winner not in sides:
                detail = f"{winner!r} is no side; there are: {', '.join(sides)}"
                raise Unfitting("no-such-side", detail, sides)
        if self.draft.combat.frames:
            self.present.drop()
        if self.draft.combat.stalled is not None:
            self.present.record(Resumed())
        if self.draft.combat.status == "opening":
            self.present.record(CombatEnded(command.winners or (), command.reason))
        else:
            self.present.record(ENDING.set(Ending(command.winners, command.reason)))
            self.present.record(PhaseBegan("ending"))
        self.present.settle()


def _waiting(combat: Combat) -> Iterator[str]:
    """Yield the unanswered prompts that accept an answer now."""
    for id, prompt in combat.prompts.items():
        if prompt.answer is None and not combat.is_suspended(prompt):
            yield id


def _without(
    sheet: Mapping[str, Json], fields: Container[str], kind: type[Sheet]
) -> Mapping[str, Json]:
    """Return the sheet without fields whose effect is over, such as initial hit points.

    These fields do not restrict the changed sheet. Required fields stay.
    """
    needed = {field.name for field in msgspec.structs.fields(kind) if field.required}
    return {name: value for name, value in sheet.items() if name in needed or name not in fields}
