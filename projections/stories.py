"""Stories: the events of a command in few sentences, without bookkeeping and repetition."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from domain.rulebook.id_names import words
from projections.events import EventView
from projections.sentences import by_phrase, is_untold
from projections.vocabulary import UNKNOWN, Data, Wording

QUIET = frozenset(
    {
        "procedure-began", "procedure-ended", "fact-set", "prompted", "spent", "budget-set",
        "turn-ended", "initiative-set", "seed-committed", "still-asked", "seed-revealed",
        "round-ended", "prompt-changed",
    }
)  # fmt: skip
"""Types of bookkeeping that a story leaves out."""

STATES = frozenset({"condition-gained", "condition-lost", "downed", "died", "stabilized"})
FATES = ("died", "downed", "stabilized")
"""Types of events about a fall, the most severe first."""

Views = Sequence[EventView]


def composed(views: Views, wording: Wording) -> list[EventView]:
    """Return the story of a command's events, which come from `Teller.informed`."""
    told = [_unfinished(with_price(view, views), views) for view in views]
    told = [view for view in told if not _is_quiet(view, wording)]
    told = _together([view for view in told if not _is_empty(view, told, views)])
    told = [view for view in told if not _doubled(view, views)]
    told = [view for view in told if not _echoes(view, views, wording)]
    told = _of_a_side(told, wording)
    for merge in (_limited, _over_pools, _blow_first, _both, _befallen, _alike):
        told = merge(told)
    told = [view for view in told if not _ends_with_a_fall(view, told)]
    told = [_granted(view, told) for view in told]
    told = _headed([_fallen(view, told) for view in told])
    return [plainly(view) for view in told]


def _granted(view: EventView, told: Views) -> EventView:
    """Set `said` on a granted request if an undo in the same story gives the same reason."""
    is_said = view.type == "request-settled" and any(
        other.type == "reverted" and other.data.get("reason") == view.data.get("text")
        for other in told
    )
    return _with(view, said=True) if is_said else view


def _fallen(view: EventView, told: Views) -> EventView:
    """Leave out the word for the wound if the victim of a blow falls in the same story."""
    if view.type != "damaged" or "amount" in view.data:
        return view
    falls = any(
        other.type == "states"
        and other.data["fate"] in ("died", "downed")
        and other.data["who"] == view.data["who"]
        for other in told
    )
    return _with(view, falls=True) if falls else view


def _headed(told: Views) -> list[EventView]:
    """Move the first action of an unknown combatant to the front, if only effects precede it."""
    at = next((at for at, view in enumerate(told) if _is_of_unknown(view)), 0)
    if any(view.type not in EFFECTS for view in told[:at]):
        return list(told)
    return [*told[at : at + 1], *told[:at], *told[at + 1 :]]


def _is_of_unknown(view: EventView) -> bool:
    return UNKNOWN in (view.data.get("source"), view.data.get("by"))


EFFECTS = STATES | {
    "damaged", "effect-resolved", "healed", "judged", "moved", "rolled", "states", "track-changed",
}  # fmt: skip
"""Types of events about the effects of an action."""


def told_alone(view: EventView, views: Views, wording: Wording) -> bool:
    """Return true if an event needs a separate sentence in the story of its command."""
    return not (_is_quiet(view, wording) or _doubled(view, views) or _echoes(view, views, wording))


def with_price(view: EventView, views: Views) -> EventView:
    """Return a declaration with its price, or an order with its field `rolled`."""
    if view.type == "initiative-set":
        return _with(view, rolled=_has_initiative(view, views))
    if view.type != "action-declared":
        return view
    paid: Counter[str] = Counter()
    for later in views[_at(view, views) + 1 :]:
        if later.type in ("action-declared", "rolled", "turn-began"):
            break
        if later.type == "spent" and later.data.get("who") == view.data["who"]:
            paid.update(later.data.get("what", {}))
    return _with(view, paid=dict(paid)) if paid else view


def _has_initiative(view: EventView, views: Views) -> bool:
    """Return true if the events before this order begin the combat or roll initiative.

    Only the first order of a command counts.
    """
    before = views[: _at(view, views)]
    is_first = all(earlier.type != "initiative-set" for earlier in before)
    return is_first and any(
        earlier.type == "combat-began"
        or (earlier.type == "rolled" and "initiative" in str(earlier.data["purpose"]))
        for earlier in before
    )


def _at(view: EventView, views: Views) -> int:
    return next(at for at, other in enumerate(views) if other.version == view.version)


def _with(view: EventView, **more: Any) -> EventView:
    return replace(view, data={**view.data, **more})


def _is_quiet(view: EventView, wording: Wording) -> bool:
    """Return true for an event to leave out, such as a turn of a combatant that has fallen."""
    if view.type == "initiative-set":
        return not view.data["rolled"] or len(view.data["order"]) < 2
    if view.type in ("turn-began", "stopped"):
        return bool(view.data.get("is_out"))
    if view.type == "noted" and view.rules:
        return by_phrase(view.data, wording) == ""
    if view.type == "answered":
        is_moot = view.data.get("because") == "moot"
        return is_moot or view.data.get("option") == "roll" or is_untold(view.data, wording)
    if view.type == "action-declared" and view.data["action"] in wording.catalogue.phrases.quiet:
        return True
    return view.type in QUIET


def _is_empty(view: EventView, told: Views, views: Views) -> bool:
    """Return true if nothing happens in a turn, such as the turn of an unconscious combatant."""
    if view.type != "turn-began":
        return False
    who, at = view.data["who"], _at(view, views)
    for later in views[at + 1 :]:
        if later.data.get("who") == who:
            if later.type == "turn-ended":
                return True
            if later.type == "prompted" or later in told:
                return False
    return False


def _unfinished(view: EventView, views: Views) -> EventView:
    """Set `begins` on a move if the combatant does not arrive during this command.

    The reader may not see the prompt that interrupts the move.
    """
    if view.type != "action-declared" or view.data.get("declares"):
        return view
    who, goal = view.data["who"], _leads_to(view.data.get("inputs", {}))
    if goal is None:
        return view
    later = views[_at(view, views) + 1 :]
    arrives = any(
        other.type == "moved" and other.data["who"] == who and _last(other) == goal
        for other in later
    )
    return view if arrives else _with(view, begins=True)


def _ends_with_a_fall(view: EventView, told: Views) -> bool:
    """Return true if an action stops because of a fall that the story already reports."""
    return view.type == "stopped" and any(
        other.type == "states" and other.data["fate"] and other.data["who"] == view.data["who"]
        for other in told
    )


def _doubled(view: EventView, views: Views) -> bool:
    """Return true if another event of the command reports the same fact better.

    Examples are:

    - a note with the same words
    - the marker that a ruling sets
    - the declaration of a move that leads to the same square
    """
    if view.type == "ruled" and not view.data.get("reason"):
        return view.data["ruling"] in ("set-marker", "remove-marker")
    if view.type == "moved":
        return any(
            other.type == "action-declared"
            and other.data["who"] == view.data["who"]
            and _leads_to(other.data.get("inputs", {})) == _last(view)
            for other in views
        )
    if view.type == "effect-resolved":
        return any(_declares(other, view.data) or _deals(other, view.data) for other in views)
    if view.type != "action-declared" or view.data.get("declares"):
        return False
    given = [text for text in view.data.get("inputs", {}).values() if text and is_text(text)]
    notes = [
        other.data["text"]
        for other in views
        if other.type == "noted" and other.data.get("who") == view.data["who"]
    ]
    return len(given) == 1 and any(given[0] in text for text in notes)


def _declares(view: EventView, data: Data) -> bool:
    """Return true if a declaration already names the actor, the effect and its target."""
    if view.type != "action-declared" or data["result"] != "done":
        return False
    inputs = view.data.get("inputs", {})
    at = [inputs.get("target"), *inputs.get("targets", ())]
    by_itself = view.data.get("who") == data["who"] and data["effect"] in inputs.values()
    return by_itself and all(target in (*at, data["who"]) for target in data.get("targets", ()))


def _deals(view: EventView, data: Data) -> bool:
    """Return true if this damage already shows that the effect succeeded on its only target."""
    targets = [target for target in data.get("targets", ()) if target != data["who"]]
    return (
        view.type == "damaged"
        and data["result"] == "done"
        and view.data.get("source") == data["who"]
        and view.data.get("kind") in (data["effect"], data.get("name"))
        and targets == [view.data["who"]]
    )


def is_text(value: object) -> bool:
    """Return true if a value is a text."""
    return isinstance(value, str)


def _leads_to(inputs: Data) -> list[Any] | None:
    to = inputs.get("to")
    path = inputs.get("path")
    goal = path[-1] if isinstance(path, list | tuple) and path else to
    return _flat(goal) if isinstance(goal, list | tuple) else None


def _last(view: EventView) -> list[Any] | None:
    path = view.data["path"]
    return _flat(path[-1]) if path and not view.data.get("forced") else None


def _flat(at: Sequence[Any]) -> list[Any]:
    return [*at, 0][:3] if len(at) == 2 else list(at)


def _echoes(view: EventView, views: Views, wording: Wording) -> bool:
    """Return true if a condition repeats its owner's action: "charging" after "charges"."""
    if view.type not in ("condition-gained", "condition-lost"):
        return False
    who = view.data["who"]
    if view.type == "condition-lost":
        phrase = wording.catalogue.phrases.conditions.get(view.data["condition"])
        return phrase is not None and not phrase[1]
    if view.data.get("source") not in (None, who):
        return False
    deeds = [
        other
        for other in views
        if other.type in ("action-declared", "answered") and other.data.get("who") == who
    ]
    stems = _stems(view.data["condition"])
    return any(stems <= _stems(_deed(other.data)) for other in deeds)


def _deed(data: Data) -> str:
    values = [text for text in data.get("inputs", {}).values() if isinstance(text, str)]
    return " ".join((str(data.get("action", data.get("option"))), *values))


def _stems(text: str) -> frozenset[str]:
    """Return the words of an id without their endings."""
    return frozenset(word.removesuffix("ing").rstrip("e")[:7] for word in words(text).split())


def _limited(views: Views) -> list[EventView]:
    """Merge a blow with the pool that is set right after it: "HP 3 → 0"."""
    merged: list[EventView] = []
    for view in views:
        last = merged[-1] if merged else None
        if (
            last is not None
            and view.type == "track-changed"
            and last.type in ("damaged", "healed")
            and last.data["who"] == view.data["who"]
            and last.data.get("track") == view.data.get("track")
            and view.data.get("maximum") is None
        ):
            more = {name: view.data[name] for name in ("after", "wound") if name in view.data}
            if view.data.get("reason"):
                more["limit"] = view.data["reason"]
            merged[-1] = _joined(last, view, more)
        else:
            merged.append(view)
    return merged


def _over_pools(views: Views) -> list[EventView]:
    """Merge a hit on two pools: "takes 7 damage: Stress 5 → 0, Wound Points 12 → 10"."""
    merged: list[EventView] = []
    for view in views:
        last = merged[-1] if merged else None
        if last is not None and _shares_hit(last, view):
            merged[-1] = _joined(last, view, {"second": view.data, **_whole(last, view)})
        else:
            merged.append(view)
    return merged


def _shares_hit(first: EventView, second: EventView) -> bool:
    """Return true if two events are the parts of one hit on two pools."""
    if first.type != "damaged" or second.type != "damaged" or "second" in first.data:
        return False
    same = ("who", "source", "kind")
    if any(first.data.get(name) != second.data.get(name) for name in same):
        return False
    if first.data.get("track") == second.data.get("track"):
        return False
    if "amount" not in first.data:
        return "amount" not in second.data
    return _is_rest(first, second) and _is_rest(second, first)


def _is_rest(part: EventView, other: EventView) -> bool:
    """Return true if the last term of a part subtracts the other part."""
    terms = part.data.get("terms", ())
    return len(terms) > 1 and bool(terms[-1][1] == -other.data.get("amount", 0))


def _whole(first: EventView, second: EventView) -> Data:
    """Return the fields of the whole hit."""
    if "amount" not in first.data:
        return {"wound": second.data.get("wound", first.data.get("wound"))}
    amount = first.data["amount"] + second.data["amount"]
    return {"amount": amount, "terms": list(first.data["terms"][:-1])}


def _joined(last: EventView, view: EventView, more: Data) -> EventView:
    rules = tuple(dict.fromkeys((*last.rules, *view.rules)))
    return replace(last, data={**last.data, **more}, rules=rules)


def _together(views: Views) -> list[EventView]:
    """Merge the steps of a walk, and the turns of combatants that act together."""
    merged: list[EventView] = []
    for view in views:
        last = merged[-1] if merged else None
        if last is not None and last.type == view.type == "moved" and _goes_on(last, view):
            path = [*last.data["path"], *view.data["path"]]
            merged[-1] = replace(last, data={**view.data, "path": path})
        elif last is not None and last.type == view.type == "turn-began":
            others = [*last.data.get("others", ()), view.data["who"]]
            merged[-1] = _with(last, others=others)
        else:
            merged.append(view)
    return merged


def _of_a_side(views: Views, wording: Wording) -> list[EventView]:
    """Merge combatants that act together into the line about the turn of their side."""
    merged: list[EventView] = []
    side = None
    for view in views:
        if view.type == "phase-began":
            name = str(view.data["phase"]).partition("/")[0]
            side = len(merged) if name in wording.catalogue.phrases.turns else None
        if view.type == "turn-began" and side is not None:
            turns = [view.data["who"], *view.data.get("others", ())]
            merged[side] = _joined(merged[side], view, {"turns": turns})
            side = None
        else:
            merged.append(view)
    return merged


def _goes_on(last: EventView, view: EventView) -> bool:
    same = all(last.data.get(name) == view.data.get(name) for name in ("who", "mode", "forced"))
    return same and bool(view.data["path"]) and not view.data.get("forced")


def _both(views: Views) -> list[EventView]:
    """Merge a condition that two combatants cause each other, also with a blow between them."""
    merged: list[EventView] = []
    fallen = {view.data["who"] for view in views if view.type in FATES}
    for view in views:
        pairs = (at for at, other in enumerate(merged) if _is_mutual(other, view))
        at = None if view.data.get("who") in fallen else next(pairs, None)
        if at is None:
            merged.append(view)
        else:
            merged[at] = replace(_joined(merged[at], view, {}), type="mutual")
    return merged


def _is_mutual(event_view: EventView, other: EventView) -> bool:
    return (
        event_view.type == other.type == "condition-gained"
        and event_view.data["condition"] == other.data["condition"]
        and event_view.data["who"] == other.data.get("source")
        and event_view.data.get("source") == other.data["who"]
    )


def _blow_first(views: Views) -> list[EventView]:
    """Move the effects of a blow after its damage. Some rules record them before the damage."""
    merged: list[EventView] = []
    for view in views:
        at = len(merged)
        if view.type == "damaged":
            while at and _comes_of(merged[at - 1], view):
                at -= 1
        merged.insert(at, view)
    return merged


def _comes_of(view: EventView, blow: EventView) -> bool:
    """Return true if this event, which comes just before a blow, is an effect of the blow."""
    who, source = blow.data["who"], blow.data.get("source")
    if view.data.get("who") != who:
        return False
    if view.type == "condition-gained":
        return source is not None and view.data.get("source") == source
    return view.type == "noted" and str(view.data["text"]).startswith(f"{who} is ")


def _befallen(views: Views) -> list[EventView]:
    """Merge the changes of each combatant in a row, such as a fall and its consequences.

    A row may include changes of other combatants, such as foes that have lost their opponent. In a
    batch of blows, the rules record a fall after the other blows. The function then moves the fall
    to the event that already reports its condition.
    """
    merged: list[EventView] = []
    row: dict[str, list[EventView]] = {}
    for view in views:
        if view.type in FATES and (at := _told_before(merged, view)) is not None:
            merged[at] = _befalls([*merged[at].data["events"], view])
        elif view.type in STATES:
            row.setdefault(view.data["who"], []).append(view)
        elif view.type == "effect-resolved":
            merged.append(view)  # it stays before the changes of the row, because it is their cause
        else:
            merged += _row(row)
            row = {}
            merged.append(view)
    return [*merged, *_row(row)]


def _told_before(merged: Views, fall: EventView) -> int | None:
    """Return the index of the event that already reports the state of this fall, or `None`."""
    for at, view in enumerate(merged):
        if view.type == "states" and view.data["who"] == fall.data["who"] and not view.data["fate"]:
            states = view.data["states"]
            gained = {
                state["condition"] for state in states if state["event"] == "condition-gained"
            }
            if gained & SAID[fall.type]:
                return at
    return None


def _row(row: Mapping[str, list[EventView]]) -> list[EventView]:
    """Return one event for each combatant of a row, falls first."""
    told = [_befalls(events) for events in row.values()]
    return sorted(told, key=lambda view: not view.data["fate"])


def _alike(views: Views) -> list[EventView]:
    """Merge events in a row in which the same condition begins or ends for several combatants."""
    merged: list[EventView] = []
    for view in views:
        last = merged[-1] if merged else None
        state = _only(view)
        if last is not None and last.type == "several" and _same(last.data, state):
            others = [*last.data["others"], view.data["who"]]
            merged[-1] = _joined(last, view, {"others": others})
        elif last is not None and state is not None and _same(state, _only(last)):
            data = {**state, "key": "", "who": last.data["who"], "others": [view.data["who"]]}
            merged[-1] = replace(_joined(last, view, {}), type="several", data=data)
        else:
            merged.append(view)
    return merged


def _only(view: EventView) -> Data | None:
    """Return the condition that a view reports, or `None` for several conditions or a fall."""
    if view.type != "states" or view.data["fate"] or not view.data["states"]:
        return None
    state: Data = view.data["states"][0]
    return state if all(_same(state, other) for other in view.data["states"]) else None


def _same(data: Data, other: Data | None) -> bool:
    """Return true if two conditions have the same sentence."""
    fields = ("event", "condition", "data", "source")
    return other is not None and all(data.get(name) == other.get(name) for name in fields)


def _befalls(events: list[EventView]) -> EventView:
    """Return one view of several events about the same combatant.

    Its `type` is the type of the most severe event.
    """
    fate = next((kind for kind in FATES if any(view.type == kind for view in events)), "")
    conditions = [view for view in events if view.type.startswith("condition")]
    left = [view for view in conditions if not _is_of(view, fate)]
    by = next((view.data["by"] for view in events if view.data.get("by")), None)
    source = next((view.data["source"] for view in conditions if view.data.get("source")), None)
    return replace(
        events[0],
        type="states",
        rules=tuple(dict.fromkeys(rule for view in events for rule in view.rules)),
        data={
            "who": events[0].data["who"],
            "by": by if by is not None or not fate else source,
            "source": source,
            "fate": fate,
            "kind": fate or events[0].type,
            "states": [{**view.data, "event": view.type} for view in left],
            "events": events,
        },
    )


SAID: Mapping[str, frozenset[str]] = {
    "died": frozenset({"dead", "down", "unconscious", "prone"}),
    "downed": frozenset({"down", "defeated"}),
    "stabilized": frozenset({"stabilized"}),
}
"""Conditions that follow from a fate, so a sentence need not name them."""


def _is_of(view: EventView, fate: str) -> bool:
    """Return true if a fall implies this change: the fallen no longer charge, fight or bleed."""
    ends = view.type == "condition-lost" and fate in ("died", "downed")
    return ends or view.data["condition"] in SAID.get(fate, ())


def plainly(view: EventView) -> EventView:
    """Return a manual roll as a server roll, because a story omits who rolled the dice."""
    if view.type == "rolled" and view.data.get("by") == "manual":
        return _with(view, by="server")
    return view
