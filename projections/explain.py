"""The explanation of every derived number of a combatant, with its parts.

The explanation also lists terms that do not count. The board uses the same sums (`Sum`). The parts
of pools and budgets are the events that changed them.
"""

from collections.abc import Callable, Iterator
from typing import Annotated, Final

from msgspec import Meta, Struct

from domain.engine.redaction import (
    Unspoken,
    allied_sides,
    redact,
    scrub_text,
    unseen_by,
    words_of,
)
from domain.engine.session import Session
from domain.errors import Unknown
from domain.record.combat import Combatant, Id
from domain.record.events import (
    AnyEvent,
    BudgetSet,
    CombatantJoined,
    Damaged,
    Healed,
    Rolled,
    Ruled,
    Spent,
    TrackChanged,
)
from domain.record.pages import numbers_of
from domain.record.recorded import Recorded
from domain.rulebook.id_names import words
from domain.rulebook.sums import Absent, Part, Sum, named
from projections.events import event_view
from projections.eyes import Eyes
from projections.narration import Teller
from projections.sentences import harm_thing
from projections.timeline import escaped


class PartView(Struct, frozen=True):
    """A step of a computation.

    - `op`: `add` (`value` may be negative), `times`, `divide`, `round-down`, `at-least` or
      `at-most`.
    - `makes`: the result after this step.
    - `says`: the rule in one sentence.
    - `origin`: `sheet`, `condition`, `state` (past events), `roll`, `ruling`, `option`, `map` or
      `rulebook`.
    """

    label: str
    op: Annotated[
        str, Meta(description="Operation: add, times, divide, round-down, at-least, at-most")
    ]
    value: Annotated[
        float,
        Meta(description="Number to add, or to multiply or divide the sum by"),
    ]
    makes: Annotated[float, Meta(description="Sum after this step")]
    origin: Annotated[str, Meta(description="Its source: a sheet, a roll, a ruling, a rulebook …")]
    rule: str
    says: Annotated[str, Meta(description="The rule in one line")]


class AbsentView(Struct, frozen=True):
    """A term that does not count, and the reason (`why`).

    `value` is `null` if the term would add no number.
    """

    label: str
    why: Annotated[str, Meta(description="Reason why it does not count")]
    value: Annotated[int | None, Meta(description="The value that it would have")]
    origin: Annotated[str, Meta(description="Source that it would have")]
    rule: str
    says: Annotated[str, Meta(description="The rule in one line")]


class Explanation(Struct, frozen=True):
    """A number with its parts, and the terms that do not count, each with the reason.

    - `formula`: the arithmetic in one line.
    - `rolls`: the rolls among the parts, with their sums.
    """

    name: str
    about: str
    value: Annotated[float, Meta(description="The number")]
    formula: Annotated[str, Meta(description="The arithmetic in one line")]
    parts: Annotated[tuple[PartView, ...], Meta(description="The steps of the computation")]
    absent: Annotated[tuple[AbsentView, ...], Meta(description="Terms that do not count")]
    rolls: Annotated[
        tuple[str, ...], Meta(description="The rolls that are part of it, with their sums")
    ] = ()


def explain(live: Session, eyes: Eyes, who: Id, name: str | None = None) -> list[Explanation]:
    """Return the number `name`, or all numbers, as far as the reader may know them.

    Raises `Unknown`.
    """
    caller = eyes.caller
    combat = redact(live.ruleset, live.combat, caller)
    combatant = combat[who]
    known = caller.role == "gm" or combatant.side in allied_sides(combat, caller)
    sums: dict[str, Sum] = {}
    for key, make in live.ruleset.numbers.items():
        if known or key in live.ruleset.public:
            sums |= named(key, make(combat, who))
    if known:
        sums = {**_counted(Teller(live, eyes), combatant), **sums}
    if name is not None and name not in sums:
        raise Unknown("number", name, tuple(sums))
    unspoken = words_of(live.combat, unseen_by(live.combat, caller))
    teller = _Teller(live, eyes, who, unspoken)
    tell = teller.told if known else teller.alone
    return [tell(key, made) for key, made in sums.items() if name in (None, key)]


class _Teller:
    """The numbers of one combatant in words."""

    def __init__(self, live: Session, eyes: Eyes, who: Id, unspoken: Unspoken) -> None:
        self.live, self.eyes, self.who = live, eyes, who
        self.unspoken = unspoken
        self.rules = {rule.id: rule.summary for rule in live.ruleset.rules}

    def told(self, name: str, made: Sum) -> Explanation:
        steps = list(made.steps())
        parts = tuple(self._part(*pair) for pair in zip(made.parts, steps, strict=True))
        number = whole(made.exact)
        return Explanation(
            name,
            self._about(name),
            number,
            f"{formula(parts)} = {number:g}" if parts else f"{number:g}",
            parts,
            tuple(self._absent(absent) for absent in made.absent),
            tuple(self._rolls(made)),
        )

    def alone(self, name: str, made: Sum) -> Explanation:
        """Return a foe's public number without its parts, which only the GM may know."""
        number = whole(made.exact)
        return Explanation(name, self._about(name), number, f"{number:g}", (), ())

    def _about(self, name: str) -> str:
        known = self.live.ruleset.catalogue
        first, _, rest = name.partition(".")
        if first in known.derived:
            return known.derived[first].about
        if first in known.pools:
            return known.pools[first].label + (" at most" if rest else "")
        return known.budget.get(rest, name.replace("_", " "))

    def _part(self, part: Part, makes: float) -> PartView:
        label = scrub_text(part.label, self.unspoken)
        return PartView(
            label, part.op, part.value, whole(makes), part.origin, part.rule, self._says(part.rule)
        )

    def _absent(self, absent: Absent) -> AbsentView:
        label, why = (scrub_text(text, self.unspoken) for text in (absent.label, absent.why))
        return AbsentView(
            label, why, absent.value, absent.origin, absent.rule, self._says(absent.rule)
        )

    def _says(self, rule: str) -> str:
        return self.rules.get(rule, "")

    def _rolls(self, made: Sum) -> Iterator[str]:
        """Yield the newest roll of each kind that is part of the number."""
        for purpose in dict.fromkeys(part.label for part in made.parts if part.origin == "roll"):
            recorded = self._newest(purpose)
            if recorded is not None and self.eyes.sees(recorded.version):
                yield Teller(self.live, self.eyes).told(recorded)

    def _newest(self, purpose: str) -> Recorded | None:
        """Return the newest roll for a purpose on the current path."""
        history = self.live.history
        for page in reversed(history.with_kinds(_ROLLED)):
            if self.who not in page.named:
                continue
            ((_, events),) = history.leaves([page])
            for recorded in reversed(list(page.chosen(events, _ROLLED))):
                event = recorded.event
                assert isinstance(event, Rolled), event
                own = (event.who, event.purpose) == (self.who, purpose)
                if own and history.is_present(recorded.version):
                    return recorded
        return None


_ROLLED: Final = numbers_of(Rolled)
_RULED: Final = numbers_of(Ruled)
_COUNTS: Final = numbers_of(CombatantJoined, Damaged, Healed, TrackChanged, BudgetSet, Spent)


def whole(number: float) -> float:
    """Return an integral number as an integer."""
    return int(number) if number == int(number) else number


def formula(parts: tuple[PartView, ...]) -> str:
    """Return the steps in one line, without limits that change nothing."""
    text = ""
    before: float = 0
    for part in parts:
        label = f" {part.label}" if part.label else ""
        value = f"{abs(part.value):g}"
        match part.op:
            case "add":
                sign = "− " if part.value < 0 else "+ " if text else ""
                text += f" {sign}{value}{label}"
            case "times":
                text = f"{_whole(text)} × {value}{label}"
            case "divide":
                text = f"{_whole(text)} ÷ {value} ({part.label})"
            case "round-down" if part.makes != before:
                text += f", {part.label}"
            case "at-least" | "at-most" if part.makes != before:
                text += f", {part.label}"
        before = part.makes
    return text.strip()


def _whole(text: str) -> str:
    """Return a sum in brackets if it has several terms."""
    several = " + " in text or " − " in text
    return f" ({text.strip()})" if several else text


# ---- the numbers of pools and budgets, from the events that changed them


def _counted(teller: Teller, combatant: Combatant) -> dict[str, Sum]:
    """Return each pool, its maximum, and each kind of action, as the sum of its changes."""
    wanted: dict[str, Callable[[AnyEvent, float], float | None]] = {}
    for track, pool in combatant.tracks.items():
        wanted[track] = _pool(track)
        if pool.maximum is not None:
            wanted[f"{track}.maximum"] = _maximum(track)
    for kind in combatant.budget:
        wanted[f"budget.{kind}"] = _budget(kind)
    sums = {name: Sum() for name in wanted}
    history = teller.live.history
    pages = [page for page in history.with_kinds(_COUNTS) if combatant.id in page.named]
    for page, events in history.leaves(pages):
        for recorded in page.chosen(events, _COUNTS):
            event = recorded.event
            if getattr(event, "who", None) != combatant.id or not history.is_present(
                recorded.version
            ):
                continue
            for name, change in wanted.items():
                if isinstance(event, BudgetSet) and name.startswith("budget."):
                    sums[name] = Sum()  # earlier payments belong to an earlier turn
                now = sums[name].exact
                points = change(event, now)
                if points is not None and points != now:
                    first = page.command_of(recorded.version)[0]
                    ruled = page.newest(_RULED, recorded.version) >= first
                    _changed(teller, recorded, sums[name], points - now, ruled)
    return sums


def _changed(teller: Teller, recorded: Recorded, made: Sum, points: float, ruled: bool) -> None:
    """Add one change to the sum. Changes that the reader may not see become one term."""
    if not teller.eyes.sees(recorded.version):
        made.add("what this reader has not seen", points, "", "state")
        return
    event = recorded.event
    rule = event.rules[0] if event.rules else ""
    if isinstance(event, CombatantJoined):
        made.add("at first", points, rule, "sheet")
    else:
        made.add(_term(teller, recorded), points, rule, "ruling" if ruled else "state")


def _term(teller: Teller, recorded: Recorded) -> str:
    """Return the cause of a change of a pool or budget in a few words."""
    wording = teller.wording
    data = teller.informed(event_view(teller.live, teller.eyes, recorded)).data
    who, source = data["who"], data.get("source")
    by = "" if source in (None, who) else f" from {wording.name(source)}"
    match recorded.event:
        case Damaged():
            thing = harm_thing(data, wording).removeprefix("the ").split()
            return " ".join((*thing, "damage")) + by
        case Healed():
            return f"healing{by}"
        case BudgetSet():
            return "at first this turn"
        case Spent():
            return "spent"
        case _:
            return words(str(data.get("reason") or "")) or teller.told(recorded).rstrip(".")


def _pool(track: str) -> Callable[[AnyEvent, float], float | None]:
    def after(event: AnyEvent, now: float) -> float | None:
        match event:
            case CombatantJoined() if track in event.tracks:
                return event.tracks[track].value
            case Damaged(track=name, amount=amount) if name == track:
                return now - amount
            case Healed(track=name, amount=amount) if name == track:
                return now + amount
            case TrackChanged(track=name, value=value) if name == track:
                return value
            case _:
                return None

    return after


def _maximum(track: str) -> Callable[[AnyEvent, float], float | None]:
    def after(event: AnyEvent, now: float) -> float | None:
        match event:
            case CombatantJoined() if track in event.tracks:
                return event.tracks[track].maximum
            case TrackChanged(track=name, maximum=maximum) if name == track:
                return maximum
            case _:
                return None

    return after


def _budget(kind: str) -> Callable[[AnyEvent, float], float | None]:
    def after(event: AnyEvent, now: float) -> float | None:
        match event:
            case BudgetSet(budget=budget):
                return budget.get(kind, 0)
            case Spent(what=what) if kind in what:
                return now - what[kind]
            case _:
                return None

    return after


# ---- Markdown


def markdown(name: str, explanations: list[Explanation]) -> str:
    """Return the explanations as Markdown, for a session log or a dispute about the rules."""
    lines = [f"# {escaped(name)}", ""]
    for explanation in explanations:
        lines += [
            f"## {escaped(explanation.about)}: {explanation.value:g}",
            "",
        ]
        lines += [escaped(explanation.formula), ""] if len(explanation.parts) > 1 else []
        before: float = 0
        for part in explanation.parts:
            idle, before = part.op != "add" and part.makes == before, part.makes
            if idle:
                continue  # the limit changes nothing
            lines.append(
                f"- {_step(part)} → {part.makes:g}{_by(part.origin, part.rule, part.says)}"
            )
        lines += [f"- {escaped(roll)}" for roll in explanation.rolls]
        if explanation.absent:
            lines += ["", "Does not count:", ""]
        for absent in explanation.absent:
            value = "" if absent.value is None else f" {absent.value:+d}"
            by = _by(absent.origin, absent.rule, absent.says)
            lines.append(f"- {escaped(absent.label)}{value}: {escaped(absent.why)}{by}")
        lines.append("")
    return "\n".join(lines)


def _step(part: PartView) -> str:
    label = escaped(part.label)
    match part.op:
        case "add":
            return f"{'−' if part.value < 0 else '+'} {abs(part.value):g} {label}"
        case "times":
            return f"× {part.value:g} {label}"
        case "divide":
            return f"÷ {part.value:g} {label}"
        case _:
            return label


def _by(origin: str, rule: str, says: str) -> str:
    said = f": {escaped(says)}" if says else ""
    return f" _({origin}{', ' if rule else ''}{rule}{said})_"
