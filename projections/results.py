"""Results: verdict, sentence, sum and changes of one command, for one reader.

A result is made only from the reader's own views of the events, so it tells nothing more.
"""

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.rulebook.catalogue import Blows
from domain.rulebook.id_names import words
from projections.events import EventView
from projections.narration import Teller
from projections.returns import HEADLINES
from projections.sentences import arithmetic, begun
from projections.vocabulary import square

Views = Sequence[EventView]

_STATES = {"downed": "down", "died": "dead", "stabilized": "stable"}
_POOLS = ("damaged", "healed", "track-changed")
_SUCCESSES = ("success", "won")
_FAILURES = ("failure", "lost")

Kind = Literal["critical", "hit", "miss", "success", "failure"]


class ResultChange(Struct, frozen=True):
    """A change of a combatant: a pool, its wound, a condition, its state or its position.

    `what` is the label of the pool, or "wound", "condition", "state" or "position". The points of
    a pool are numbers for its own side; others get the words for how the combatant looks.
    `before` is null for something new, `after` for something gone. `before` of a position is
    always null.
    """

    combatant: str
    name: str
    what: Annotated[
        str, Meta(description="The label of a pool, or wound, condition, state or position")
    ]
    before: Annotated[
        int | str | None,
        Meta(description="The value before it: points, or words. null: not there, or not known"),
    ]
    after: Annotated[
        int | str | None,
        Meta(description="The value after it: points, or words. null: no longer there"),
    ]


class Result(Struct, frozen=True):
    """The result of a command, as far as the reader may know it.

    - `verdict`: the rulebook's word for the outcome of the roll. null: nothing was decided.
    - `kind`: what the verdict means, in every rulebook's case. Show it by colour and shape. null:
      nothing was decided, or the verdict is neither good nor bad.
    - `sentence`: the headline in plain English. It may be empty.
    - `sum`: the arithmetic of the roll. null: no roll.
    """

    verdict: Annotated[
        str | None,
        Meta(description="The rulebook's word for the outcome; null = nothing was decided"),
    ]
    sentence: Annotated[
        str, Meta(description="The headline in plain English; empty = there is nothing to say")
    ]
    sum: Annotated[
        str | None,
        Meta(description="The arithmetic of the roll; null = none, or the reader may not know it"),
    ]
    changes: Annotated[tuple[ResultChange, ...], Meta(description="Changes of combatants")]
    kind: Annotated[
        Kind | None,
        Meta(
            description="The verdict in words that all rulebooks share; null = neither good nor bad"
        ),
    ] = None


def result(teller: Teller, views: Views) -> Result:
    """Return the result of a command, from the reader's views of its events."""
    head, sentence = _headline(teller, views)
    roll = _roll(views, head)
    verdict = _verdict(teller, views, roll)
    return Result(
        verdict,
        sentence,
        None if roll is None else arithmetic(roll.data) or None,
        tuple(_changes(teller, views)),
        _kind(verdict or "", teller.live.ruleset.catalogue.blows),
    )


def _headline(teller: Teller, views: Views) -> tuple[EventView | None, str]:
    """Return the main event with its sentence: the action, or else the first event of the story."""
    for view in views:
        if view.type in HEADLINES and (text := teller.headline(view, views)):
            return view, text
    story = teller.story(views)
    heads = [view for view in story if view.type in HEADLINES]
    for view in (*heads, *story, *(teller.informed(view) for view in views)):
        if text := teller.line(view).text:
            return view, text
    return None, ""


def _roll(views: Views, head: EventView | None) -> EventView | None:
    """Return the deciding roll: the first with an outcome, if possible of the actor."""
    if head is not None and head.type == "rolled":
        return head
    actor = None if head is None else head.data.get("who")
    rolls = [view for view in views if view.type == "rolled"]
    decided = [view for view in rolls if view.data.get("outcome")]
    own = [view for view in decided if view.data["who"] == actor]
    return next(iter((*own, *decided, *rolls)), None)


def _verdict(teller: Teller, views: Views, roll: EventView | None) -> str | None:
    """Return the outcome of the roll after its confirmation and the answers to it."""
    if roll is None:
        return None
    blows = teller.live.ruleset.catalogue.blows
    who, purpose, against = (roll.data.get(name) for name in ("who", "purpose", "against"))
    outcome = str(roll.data.get("outcome") or "")
    for view in views:
        data = view.data
        if view.version <= roll.version or data.get("who") != who or not data.get("outcome"):
            continue
        is_same = data.get("against") == against
        if view.type == "judged" and is_same and data["purpose"] == purpose:
            outcome = str(data["outcome"])
        elif view.type == "rolled" and is_same and outcome in blows.threats:
            outcome = str(data["outcome"]) if data["outcome"] in blows.criticals else "hit"
    return outcome or None


def _kind(verdict: str, blows: Blows) -> Kind | None:
    """Return the meaning of an outcome."""
    if verdict in blows.criticals:
        return "critical"
    if blows.is_hit(verdict):
        return "hit"
    if verdict in blows.misses:
        return "miss"
    if verdict in _SUCCESSES:
        return "success"
    return "failure" if verdict in _FAILURES else None


def _changes(teller: Teller, views: Views) -> Iterator[ResultChange]:
    """Return the changes of the command; several changes of one thing are merged."""
    merged: dict[tuple[str, str, str], ResultChange] = {}
    for view in views:
        who = view.data.get("who")
        if not isinstance(who, str) or who not in teller.wording.names:
            continue
        for key, what, before, after in _changed(teller, view):
            first = merged.get((who, what, key))
            was = before if first is None else first.before
            name = teller.wording.name(who)
            merged[who, what, key] = ResultChange(who, name, what, was, after)
    return (change for change in merged.values() if change.before != change.after)


_Changed = tuple[str, str, int | str | None, int | str | None]
"""Key, label, value before, value after."""


def _changed(teller: Teller, view: EventView) -> Iterator[_Changed]:
    """Yield the changes of one event."""
    data, wording = view.data, teller.wording
    if view.type in _POOLS:
        data = teller.informed(view).data
        if data.get("after") is not None:
            pool = wording.pool(str(data["track"]))
            yield pool, pool, data.get("before"), data["after"]
        elif "wound" in data:
            yield "", "wound", data.get("looked"), words(str(data["wound"]))
    elif view.type in _STATES:
        yield "", "state", None, _STATES[view.type]
    elif view.type == "condition-gained":
        yield data["condition"], "condition", None, begun(data, wording).removeprefix("is ")
    elif view.type == "condition-lost":
        yield data["condition"], "condition", words(data["condition"]), None
    elif view.type == "moved":
        yield "", "position", None, square(data["path"][-1]) if data["path"] else "off the grid"
