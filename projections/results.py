"""Results: verdict, sentence, sum and changes of one command, for one reader.

A result is made only from the reader's own views of the events, so it reveals nothing more.
"""

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.rulebook.catalogue import Blows
from domain.rulebook.id_names import words
from projections.events import EventView
from projections.narration import Teller
from projections.returns import is_headline
from projections.sentences import arithmetic, begun, dealt, over
from projections.stories import FATES
from projections.vocabulary import UNKNOWN, ended, listed, square

Views = Sequence[EventView]

_STATES = {"downed": "down", "died": "dead", "stabilized": "stable"}
_POOLS = ("damaged", "healed", "track-changed")
_SUCCESSES = ("success", "won")
_FAILURES = ("failure", "lost")
_CONTESTED = ("won", "lost", "tied")

Kind = Literal["critical", "hit", "miss", "success", "failure"]

_BLOWS = ("critical", "hit", "miss")


class ResultChange(Struct, frozen=True):
    """A change of a combatant: a pool, its wound, a condition, its state or its position.

    `what` is the label of the pool, or "wound", "condition", "state" or "position". The points of a
    pool are numbers for its own side. Others get the words for how the combatant looks. `before` is
    null for something new, `after` for something gone. `before` of a position is always null.
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

    - `verdict`: the rulebook's word for the outcome of the roll. null = nothing was decided.
    - `kind`: the meaning of the verdict, the same in all rulebooks. Show it by colour and shape.
      null = nothing was decided, or the verdict is neither good nor bad.
    - `sentence`: the headline in plain English. It may be empty.
    - `sum`: the arithmetic of the roll. null = there is no roll.
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
    headline = _headline(teller, views)
    contest = _contest(views, headline.actor)
    roll = _roll(views, headline) if contest is None else _roll_of(views, contest)
    verdict = _verdict(teller, views, roll) if contest is None else contest.data["outcome"]
    kind = _kind(verdict or "", teller.live.ruleset.catalogue.blows)
    sentence = headline.text
    by_other = roll is not None and headline.actor not in (None, roll.data["who"])
    aside = roll is not None and headline.view is not roll and kind is None
    if roll is not None and verdict is not None and kind not in _BLOWS and (by_other or aside):
        # It is the verdict of a save or the like, and no word for the deed.
        sentence, verdict, kind = f"{sentence} {_plainly(teller, roll)}", None, None
    return Result(
        verdict,
        sentence,
        None if roll is None else _sum(views, roll),
        tuple(_changes(teller, views)),
        kind,
    )


def _contest(views: Views, actor: str | None) -> EventView | None:
    """Return the last opposed check that is decided: of the actor, if there is one.

    Its first roll has no outcome yet, and the roll of the other has the opposite one.
    """
    contests = (view for view in views if view.type == "judged" and not view.data.get("before"))
    decided = [view for view in contests if view.data["outcome"] in _CONTESTED]
    return next((view for view in decided[::-1] if actor in (None, view.data["who"])), None)


def _roll_of(views: Views, contest: EventView) -> EventView | None:
    """Return the roll that a contest decides. It may be in an earlier command."""
    who, purpose = contest.data["who"], contest.data["purpose"]
    own = (v for v in views if v.type == "rolled" and v.data["who"] == who)
    return next((v for v in own if v.data["purpose"] == purpose), None)


def _sum(views: Views, roll: EventView) -> str | None:
    """Return the arithmetic of the deciding roll, and of the damage of the same combatant."""
    rolls = [view.data for view in views if view.type == "rolled" and view.version > roll.version]
    told = [arithmetic(roll.data)]
    told += [
        f"damage {arithmetic(data)}"
        for data in rolls
        if data["purpose"] == "damage" and data["who"] == roll.data["who"] and arithmetic(data)
    ]
    return "; ".join(text for text in told if text) or None


class _Headline(Struct, frozen=True):
    """The headline, the combatant that acts in it (None = nobody), and the event that it tells."""

    text: str
    actor: str | None = None
    view: EventView | None = None


def _headline(teller: Teller, views: Views) -> _Headline:
    """Return the headline of a command.

    It tells the deed, and what the deed does not tell: verdicts and blows of others, and who falls.
    Without a deed, or if the deed is to pass, it tells what came of earlier deeds. A new phase is
    told if nothing else happened.
    """
    story = teller.story(views)
    deed, text = _deed(teller, views, story)
    judged = [view for view in story if view.type == "judged"]
    if deed is not None and not _is_aside(deed, story):
        actor = deed.data.get("who")
        contest = _contest(story, actor)
        others = [
            view
            for view in (*judged, *_undone(story))
            if view.data["who"] != actor or view is contest
        ]
        outcomes = [teller.line(view).text for view in others]
        blows = _blows(teller, views, actor)
        harm = _harm(teller, story, actor)
        return _Headline(
            " ".join((text, *outcomes, *blows, *harm, *_end(teller, story, deed))), actor, deed
        )
    blow = next((view for view in story if view.type == "damaged"), None)
    if harm := _harm(teller, story, None):
        source = None if blow is None else blow.data.get("source")
        misses = [_plainly(teller, view) for view in views if _is_miss(teller, view)]
        return _Headline(" ".join((*misses[:_MANY], *harm, *_end(teller, story, None))), source)
    if judged:
        return _Headline(" ".join(teller.line(view).text for view in judged))
    rolls = [view for view in story if view.type == "rolled" and _decides(view)]
    if rolls:
        return _Headline(_plainly(teller, rolls[0]), view=rolls[0])
    if deed is not None:
        return _Headline(text, None, deed)
    events = [view for view in story if view.type not in _OPENERS]
    all_views = (teller.informed(view) for view in views)
    for view in (*events, *reversed(story), *all_views):
        if text := teller.line(view).text:
            return _Headline(text, view=view)
    return _Headline("")


def _is_aside(deed: EventView, story: Views) -> bool:
    """Return true if harm beside a deed is the news: an intention, a pass, a word of the GM.

    The end of a fight is told after the blow that ends it.
    """
    data = deed.data
    by_gm = deed.type in ("answered", "ruled") and data.get("who") is None
    harms = any(view.type in ("damaged", "states") for view in story)
    ends = deed.type == "combat-ended"
    return bool(data.get("declares") or data.get("is_idle") or ((by_gm or ends) and harms))


_OPENERS = ("phase-began", "round-began", "turn-began", "states", "several", "mutual")
"""Types that are no headline beside anything else: a new phase, and lasting conditions."""


def _undone(story: Views) -> list[EventView]:
    """Return the effects that come to nothing, such as a spell that is countered."""
    results = ("countered", "failed", "lost")
    return [
        view for view in story if view.type == "effect-resolved" and view.data["result"] in results
    ]


def _end(teller: Teller, story: Views, deed: EventView | None) -> list[str]:
    """Return the sentence about the end of the fight, if the deed is another."""
    if deed is not None and deed.type == "combat-ended":
        return []
    return [teller.line(view).text for view in story if view.type == "combat-ended"]


def _decides(view: EventView) -> bool:
    return bool(view.data.get("outcome")) and not _is_initiative(view)


def _plainly(teller: Teller, roll: EventView) -> str:
    """Return the sentence of a roll without its arithmetic."""
    return ended(teller.line(roll).text.partition(": ")[0])


def _deed(teller: Teller, views: Views, story: Views) -> tuple[EventView | None, str]:
    """Return the action that the command names, with its sentence."""
    for view in views:
        if is_headline(view.type, view.rules) and (text := teller.headline(view, views)):
            return teller.informed(view), text
    for view in story:
        if is_headline(view.type, view.rules) and (text := teller.line(view).text):
            return view, text
    return None, ""


def _harm(teller: Teller, story: Views, actor: object) -> list[str]:
    """Return the blows that are not of `actor`, and all who fall, in short sentences."""
    wording, told, fallen = teller.wording, list[str](), dict[str, list[str]]()
    for view in story:
        who, source = view.data.get("who"), view.data.get("source")
        if view.type == "damaged" and (actor is None or source not in (None, actor)):
            told.append(_blow(teller, view, story))
        elif view.type == "states" and view.data["fate"] in FATES[:2]:
            fallen.setdefault(_STATES[view.data["fate"]], []).append(wording.name(who))
    for state, names in fallen.items():
        told.append(f"{listed(names)} {'is' if len(names) == 1 else 'are'} {state}.")
    return told


_MANY = 3
"""More blows than this are left to the log."""


def _blows(teller: Teller, views: Views, actor: object) -> list[str]:
    """Return what the deciding roll does not say: further targets of `actor`, misses of others."""
    blows = teller.live.ruleset.catalogue.blows
    told: dict[tuple[object, object], str] = {}
    for view in views:
        data = view.data
        kind = _kind(str(data.get("outcome") or ""), blows) if view.type == "rolled" else None
        if kind in _BLOWS and data.get("against") and (data["who"] == actor or kind == "miss"):
            told.setdefault((data["who"], data["against"]), _plainly(teller, view))
    own = next((pair for pair in told if pair[0] == actor), None)
    rest = [text for pair, text in told.items() if pair != own]
    return rest if len(rest) <= _MANY else []


def _is_miss(teller: Teller, view: EventView) -> bool:
    data, blows = view.data, teller.live.ruleset.catalogue.blows
    return view.type == "rolled" and _kind(str(data.get("outcome") or ""), blows) == "miss"


def _blow(teller: Teller, view: EventView, story: Views) -> str:
    """Return a blow in short: "Mira's Fire hits Hexer for 7.".

    Damage that the rulebook names, such as Shock, may come of a miss.
    """
    data, wording = view.data, teller.wording
    who, source = data["who"], data.get("source")
    points = str(dealt(data)) if "amount" in data else ""
    kind = str(data.get("kind") or "").removesuffix("damage").strip()
    thing = wording.value("kind", kind, source).removeprefix("the ") if kind != "ruling" else ""
    amount = " ".join((*points.split(), *thing.split(), "damage"))
    if source in (None, who):
        return f"{wording.name(who)} takes {amount}." if points else f"{wording.name(who)} is hurt."
    if kind in wording.catalogue.phrases.harms:
        return f"{wording.name(source)} does {amount} to {wording.name(who)}."
    effects = (other.data for other in story if other.type == "effect-resolved")
    is_spell = any(
        effect["who"] == source and kind in (effect["effect"], effect.get("name"))
        for effect in effects
    )
    by = f"{wording.name(source)}'s {thing}" if is_spell else wording.name(source)
    by = by[:1].upper() + by[1:] if source == UNKNOWN else by
    return f"{by} hits {wording.name(who)}{f' for {points}' if points else ''}."


def _roll(views: Views, headline: _Headline) -> EventView | None:
    """Return the deciding roll: the first with an outcome, if possible of the actor."""
    if headline.view is not None and headline.view.type == "rolled":
        return headline.view
    rolls = [view for view in views if view.type == "rolled"]
    if len([view for view in rolls if _is_initiative(view)]) > 1:
        rolls = [view for view in rolls if not _is_initiative(view)]
    decided = [view for view in rolls if view.data.get("outcome")]
    own = [view for view in decided if view.data["who"] == headline.actor]
    return next(iter((*own, *decided, *rolls)), None)


def _is_initiative(view: EventView) -> bool:
    """Return true for a roll for the order. Several of them decide nothing for one combatant."""
    return "initiative" in str(view.data["purpose"])


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


def _changes(teller: Teller, views: Views) -> list[ResultChange]:
    """Return the changes of the command, the gravest first.

    Several changes of one thing are merged. A state replaces the wound and the conditions that say
    the same. The fallen do not lose conditions besides.
    """
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
    states = {change.combatant: change.after for change in merged.values() if _is_state(change)}
    changes = [
        change
        for change in merged.values()
        if change.before != change.after and not _is_said(change, states.get(change.combatant))
    ]
    return sorted(changes, key=lambda change: _LIGHTER.get(change.what, 0))


_LIGHTER = {"condition": 1, "position": 2}
"""The order of changes: pools, wounds and states come first."""


def _is_state(change: ResultChange) -> bool:
    return change.what == "state"


def _is_said(change: ResultChange, state: int | str | None) -> bool:
    """Return true if the state of the same combatant says this change."""
    if state not in ("down", "dead") or change.what not in ("wound", "condition"):
        return False
    return change.what == "wound" or change.after in (None, "down", state)


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
        ends = over(data, wording)
        if ends:
            is_named = ends.startswith(("is no longer ", "no longer "))
            text = ends.partition("no longer ")[2] if is_named else words(data["condition"])
            yield data["condition"], "condition", text, None
    elif view.type == "moved":
        yield "", "position", None, square(data["path"][-1]) if data["path"] else "off the grid"
