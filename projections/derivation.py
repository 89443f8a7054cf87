"""The derivation of an event: the sources that its reader may know."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta, Struct

from domain.engine.session import Session
from domain.errors import Unknown
from domain.record.combat import Id
from domain.record.recorded import Recorded
from projections.events import event_view
from projections.explain import AbsentView, Explanation, explain
from projections.eyes import Eyes
from projections.narration import Teller
from projections.why import led_to


class SourceView(Struct, frozen=True):
    """A part of a number, with its source, its amount, and its rule in one sentence."""

    source: str
    value: Annotated[int, Meta(description="Number of the term")]
    rule: str
    says: Annotated[str, Meta(description="The rule of the term in one sentence")]


class SumView(Struct, frozen=True):
    """A number with the terms that make it.

    `absent` lists the terms that do not count, with the reasons.
    """

    total: int
    terms: Annotated[tuple[SourceView, ...], Meta(description="Terms that count")]
    absent: Annotated[
        tuple[AbsentView, ...], Meta(description="Terms that do not count, with the reason")
    ]


class RuleView(Struct, frozen=True):
    """A rule of the event, in one line."""

    id: str
    says: Annotated[str, Meta(description="The rule in one sentence")]


class CauseView(Struct, frozen=True):
    """A declaration, answer, roll or ruling that led to the event, with its rules."""

    version: int
    type: Annotated[str, Meta(description="Type of the event")]
    text: str
    rules: tuple[str, ...]


class Derivation(Struct, frozen=True):
    """One event, with the events and terms that led to it.

    - `faces`, `formula`: the dice of a roll. `null` means that there is no roll, or that you may
      not know it.
    - `sum`: the total of the roll, with every term.
    - `target`: the number that the roll must reach.
    - `causes`: the choice that led to the event, and the rolls before the event, oldest first.
    - `replays`: for the GM, the original event, if an amendment repeats it.
    """

    version: int
    type: Annotated[str, Meta(description="Type of the event")]
    text: str
    rules: tuple[RuleView, ...]
    formula: Annotated[
        str | None, Meta(description="Formula of the roll. `null`: no roll, or secret")
    ]
    faces: tuple[int, ...] | None
    sum: Annotated[
        SumView | None,
        Meta(description="The total or the amount with its terms. `null`: no number, or secret"),
    ]
    target: SumView | None
    causes: Annotated[
        tuple[CauseView, ...], Meta(description="Events that led to this one, oldest first")
    ]
    replays: Annotated[
        int | None,
        Meta(description="Version of the original, if an amendment decided it again as this event"),
    ]


def derivation(live: Session, eyes: Eyes, sequence: int) -> Derivation:
    """Return the derivation of the event that has the number `sequence` for the reader.

    Raises `Unknown`.
    """
    history = live.history
    version = eyes.to_version(sequence)
    recorded = history.recorded_at(version)
    path = live.as_of(version) if not history.is_present(version) else live
    view = event_view(live, eyes, recorded)
    data: Mapping[str, Any] = view.data
    teller = Teller(live, eyes)
    says = {rule.id: rule.summary for rule in live.ruleset.rules}
    before = live.as_of(recorded.parent) if recorded.parent else live
    gm = eyes.caller.role == "gm"
    return Derivation(
        sequence,
        view.type,
        teller.told(recorded),
        tuple(RuleView(rule, says.get(rule, "")) for rule in view.rules),
        data.get("formula"),
        tuple(data["faces"]) if "faces" in data else None,
        _sum(
            before,
            eyes,
            says,
            data.get("total", data.get("amount")),
            data.get("terms", ()),
            data.get("who"),
        ),
        _sum(
            before,
            eyes,
            says,
            data.get("target"),
            data.get("target_terms", ()),
            data.get("against"),
        ),
        tuple(_cause(teller, event) for event in led_to(path.history, eyes, recorded)),
        (recorded.replays or None) if gm else None,
    )


def _cause(teller: Teller, recorded: Recorded) -> CauseView:
    view = event_view(teller.live, teller.eyes, recorded)
    return CauseView(view.version, view.type, teller.told(recorded), view.rules)


def _sum(
    before: Session,
    eyes: Eyes,
    says: Mapping[str, str],
    total: int | None,
    terms: Sequence[Any],
    who: Id | None,
) -> SumView | None:
    """Return a number with its terms and with the terms that do not count, for the reader."""
    if not isinstance(total, int):
        return None
    parts = tuple(
        SourceView(source, value, rule, says.get(rule, ""))
        for source, value, rule in (tuple(term) for term in terms)
    )
    return SumView(total, parts, _absent(before, eyes, parts, who))


def _absent(
    before: Session, eyes: Eyes, parts: Sequence[SourceView], who: Id | None
) -> tuple[AbsentView, ...]:
    """Return the terms that did not count in the derived number that a sum contains.

    The parts of the derived number must all be terms of the sum, with the same label, value and
    rule. If several numbers match, the function takes the number with the most parts.
    """
    if who is None or not parts:
        return ()
    try:
        numbers = explain(before, eyes, who)
    except Unknown:
        return ()
    have = Counter((part.source, float(part.value), part.rule) for part in parts)
    within = [
        (sum(own.values()), explanation)
        for explanation in numbers
        if (own := _points(explanation)) and own <= have
    ]
    most = max((count for count, _ in within), default=0)
    absent_views = [
        absent for count, explanation in within if count == most for absent in explanation.absent
    ]
    return tuple(dict.fromkeys(absent_views))


def _points(number: Explanation) -> Counter[tuple[str, float, str]]:
    """Return the points that each part adds. A halving or a limit adds its difference."""
    points: Counter[tuple[str, float, str]] = Counter()
    before = 0.0
    for part in number.parts:
        if part.makes != before:
            points[part.label, part.makes - before, part.rule] += 1
        before = part.makes
    return points
