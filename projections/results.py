"""Results: the verdict, sentence, sum and changes of one command, for one reader.

Affray makes a result only from event views of the reader, so a result reveals nothing else.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.rulebook.catalogue import Blows
from domain.rulebook.grid import written
from domain.rulebook.id_names import words
from projections.events import EventView
from projections.narration import Teller
from projections.returns import is_headline
from projections.sentences import (
    HANDS,
    arithmetic,
    begun,
    dealt,
    harm_kind,
    harm_sum,
    harm_thing,
    over,
)
from projections.stories import FATES
from projections.vocabulary import UNKNOWN, Data, ended, listed

Views = Sequence[EventView]

_STATES = {"downed": "down", "died": "dead", "stabilized": "stable"}
_POOLS = ("damaged", "healed", "track-changed")
_SUCCESSES = ("success", "won")
_FAILURES = ("failure", "lost")
_CONTESTED = ("won", "lost", "tied")

Kind = Literal["critical", "hit", "miss", "success", "failure"]

_BLOWS = ("critical", "hit", "miss")


class ResultChange(Struct, frozen=True):
    """A change of a combatant's pool, wound, condition, state or position.

    - `what`: the label of the pool, or `wound`, `condition`, `state` or `position`.
    - `before`, `after`: the values. Readers on the combatant's side get the points of a pool as a
      number. Other readers get the word for the wound.
    - `before` is `null` for a new condition, and always for a position.
    - `after` is `null` for a condition that has ended.
    """

    combatant: str
    name: str
    what: Annotated[
        str, Meta(description="The label of a pool, or wound, condition, state or position")
    ]
    before: Annotated[
        int | str | None,
        Meta(description="Value before: points or words. `null`: none, or secret"),
    ]
    after: Annotated[
        int | str | None,
        Meta(description="Value after: points or words. `null`: gone"),
    ]


class ResultBlow(Struct, frozen=True):
    """One attack of the command at one combatant, as far as the reader may know it."""

    combatant: Annotated[str, Meta(description="Id of the combatant that attacks")]
    against: Annotated[str, Meta(description="Id of the combatant that is attacked")]
    kind: Annotated[Kind, Meta(description="hit, critical or miss")]
    verdict: Annotated[str, Meta(description="The rulebook's word for the outcome")]
    sentence: Annotated[str, Meta(description="The outcome in plain English")]
    sum: Annotated[
        str | None,
        Meta(description="The arithmetic of the roll. `null`: the reader may not know it"),
    ]


class Result(Struct, frozen=True):
    """The result of a command, as far as the reader may know it.

    - `verdict`: the rulebook's word for the outcome of the roll, or `null` if there is no outcome.
    - `kind`: the meaning of the verdict, the same in all rulebooks. Show it by colour and shape. It
      is `null` without an outcome, or if the outcome is neither good nor bad.
    - `sentence`: the headline in plain English. It may be empty.
    - `sum`: the arithmetic of the roll, or `null` if there is no roll or you may not know it.
    - `blows`: all attacks. `verdict` and `sum` belong to the first attack of the acting combatant.
    - `acts`: true if somebody acts or the GM makes a ruling. It is false for a pass, the end of a
      turn, a declared intention and a new phase. If it is false, keep the earlier result in view.
    """

    verdict: Annotated[
        str | None,
        Meta(description="The rulebook's word for the outcome. `null`: nothing was decided"),
    ]
    sentence: Annotated[str, Meta(description="The headline in plain English; may be empty")]
    sum: Annotated[
        str | None,
        Meta(description="The arithmetic of the roll. `null`: none, or secret"),
    ]
    changes: Annotated[tuple[ResultChange, ...], Meta(description="Changes of combatants")]
    kind: Annotated[
        Kind | None,
        Meta(description="Meaning of the verdict, in all rulebooks. `null`: neither good nor bad"),
    ] = None
    blows: Annotated[
        tuple[ResultBlow, ...], Meta(description="Each attack of the command, in order")
    ] = ()
    acts: Annotated[
        bool, Meta(description="Whether somebody acts in the command or the GM makes a ruling")
    ] = False


def result(teller: Teller, views: Views) -> Result:
    """Return the result of a command, from the reader's views of its events."""
    strikes = _blows(teller, views)
    headline = _headline(teller, views, strikes)
    contest = _contest(views, headline.actor)
    roll = _roll(views, headline) if contest is None else _roll_of(views, contest)
    verdict = _verdict(teller, views, roll) if contest is None else contest.data["outcome"]
    kind = _kind(verdict or "", teller.live.ruleset.catalogue.blows)
    lead = headline.lead
    by_other = roll is not None and headline.actor not in (None, roll.data["who"])
    aside = headline.view is not roll and (kind is None or headline.harmed > 0)
    news = headline.news
    if roll is not None and verdict is not None and kind not in _BLOWS and (by_other or aside):
        # The verdict belongs to a roll such as a save. The action itself has none.
        told, verdict, kind = _plainly(teller, roll), None, None
        if 0 < headline.harmed < roll.version:
            news = (*news, told)
        else:
            lead = (*lead, told)
    return Result(
        verdict,
        " ".join((*lead, *news)),
        None if roll is None else _sum(views, roll, headline.actor),
        tuple(_changes(teller, views)),
        kind,
        tuple(strikes),
        headline.acts,
    )


def _contest(views: Views, actor: str | None) -> EventView | None:
    """Return the last decided opposed check, if possible one of the actor.

    In such a check, only the second roll has an outcome. It is the outcome of the opponent.
    """
    contests = (view for view in views if view.type == "judged" and not view.data.get("before"))
    decided = [view for view in contests if view.data["outcome"] in _CONTESTED]
    return next((view for view in decided[::-1] if actor in (None, view.data["who"])), None)


def _roll_of(views: Views, contest: EventView) -> EventView | None:
    """Return the roll that a contest decides. It may be in an earlier command."""
    who, purpose = contest.data["who"], contest.data["purpose"]
    own = (v for v in views if v.type == "rolled" and v.data["who"] == who)
    return next((v for v in own if v.data["purpose"] == purpose), None)


def _sum(views: Views, roll: EventView, actor: str | None = None) -> str | None:
    """Return the arithmetic of the deciding roll, and of damage by the roller or the actor."""
    doers = (roll.data["who"], actor)
    later = [view for view in views if view.version > roll.version]
    rolls = [
        view.data
        for view in later
        if view.type == "rolled" and view.data["purpose"] == "damage" and view.data["who"] in doers
    ]
    harms = [
        view.data
        for view in later
        if view.type == "damaged"
        and view.data.get("source") in doers
        and roll.data.get("against") in (None, roll.data["who"], view.data["who"])
        and all(dealt(view.data) != rolled.get("total") for rolled in rolls)
    ]
    told = [arithmetic(roll.data)]
    told += [f"damage {sum_}" for data in rolls if (sum_ := arithmetic(data))]
    victims = Counter(data["who"] for data in harms)  # a hit on two pools has two parts
    told += [
        f"in all {sum_}" for data in harms if victims[data["who"]] == 1 and (sum_ := harm_sum(data))
    ]
    return "; ".join(text for text in told if text) or None


class _Headline(Struct, frozen=True):
    """The headline of a command, the combatant that acts in it, and the event that it is about.

    - `lead`: the sentence about the action or answer.
    - `news`: the sentences about effects of this command and of earlier commands.
    - `harmed`: the version of the first damage in `news`, if there is no `lead`.
    - `actor`: `None` if no combatant acts.
    - `acts`: see `Result`.
    """

    lead: tuple[str, ...] = ()
    news: tuple[str, ...] = ()
    harmed: int = 0
    actor: str | None = None
    view: EventView | None = None
    acts: bool = False


def _headline(teller: Teller, views: Views, strikes: Sequence[ResultBlow]) -> _Headline:
    """Return the headline of a command.

    - It reports the action, and effects that the action does not imply: falls, and verdicts and
      blows of other combatants.
    - If there is no action, or the combatant passes, it reports effects of earlier actions.
    - It reports a new phase only if nothing else happened.
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
            if view.data["who"] != actor or view is contest or view.type == "prevented"
        ]
        outcomes = [teller.line(view).text for view in others]
        harm = _harm(teller, story, actor)
        struck = _struck(strikes, actor, alone=not (outcomes or harm))
        news = (*outcomes, *struck, *harm, *_end(teller, story, deed))
        return _Headline((text,), news, actor=actor, view=deed, acts=_acts(deed))
    blow = next((view for view in story if view.type == "damaged"), None)
    lost = tuple(teller.line(view).text for view in _undone(story))
    if harm := _harm(teller, story, None):
        source = None if blow is None else blow.data.get("source")
        misses = [strike for strike in strikes if strike.kind == "miss"]
        news = (*few(misses), *lost, *harm, *_end(teller, story, None))
        return _Headline((), news, 0 if blow is None else blow.version, source)
    if strikes:
        return _Headline((*few(strikes), *lost), actor=strikes[0].combatant)
    if judged:
        return _Headline((*(teller.line(view).text for view in judged), *lost))
    rolls = [view for view in story if view.type == "rolled" and _decides(view)]
    if rolls:
        return _Headline((_plainly(teller, rolls[0]), *lost), view=rolls[0])
    if deed is not None:
        return _Headline((text,), view=deed)
    events = [view for view in story if view.type not in _OPENERS]
    all_views = (teller.informed(view) for view in views if view.type not in _PAYMENTS)
    for view in (*events, *reversed(story), *all_views):
        if text := teller.line(view).text:
            notes = [other for other in events if other.type == "noted" and other.rules]
            if view in notes:
                return _Headline(tuple(teller.line(note).text for note in notes), view=view)
            return _Headline((text,), view=view)
    return _Headline()


_PAYMENTS = ("spent", "budget-set", "prompted", "prompt-changed", "still-asked")
"""Types that no headline reports: costs, and the prompts that follow."""


def _is_aside(deed: EventView, story: Views) -> bool:
    """Return true if damage is more important news than this event.

    Examples of such events are an intention, a pass and an answer of the GM. The end of a combat
    also comes after the blow that causes it.
    """
    data = deed.data
    by_gm = deed.type in ("answered", "ruled") and data.get("who") is None
    harms = any(view.type in ("damaged", "states") for view in story)
    ends = deed.type == "combat-ended"
    return bool(data.get("declares") or data.get("is_idle") or ((by_gm or ends) and harms))


def _acts(deed: EventView) -> bool:
    """Return true for an action, a combatant's answer or a ruling, and false for a note."""
    by_combatant = deed.type == "answered" and deed.data.get("who") is not None
    return by_combatant or deed.type in ("action-declared", "ruled")


_OPENERS = ("phase-began", "round-began", "turn-began", "states", "several", "mutual")
"""Types that are a headline only if nothing else happened."""


def _undone(story: Views) -> list[EventView]:
    """Return the events about failed actions, such as a countered spell or a blocked move."""
    results = ("countered", "failed", "lost")
    return [
        view
        for view in story
        if view.type == "prevented"
        or (view.type == "effect-resolved" and view.data["result"] in results)
    ]


def _end(teller: Teller, story: Views, deed: EventView | None) -> list[str]:
    """Return the sentence about the end of the combat, unless `deed` is that end."""
    if deed is not None and deed.type == "combat-ended":
        return []
    return [teller.line(view).text for view in story if view.type == "combat-ended"]


def _decides(view: EventView) -> bool:
    return bool(view.data.get("outcome")) and not _is_initiative(view)


def _plainly(teller: Teller, roll: EventView) -> str:
    """Return the sentence of a roll without its arithmetic."""
    text = teller.line(roll).text.partition(": ")[0].removesuffix(".")
    return ended(text.removesuffix(HANDS.get(roll.data.get("by", ""), "")))


def _deed(teller: Teller, views: Views, story: Views) -> tuple[EventView | None, str]:
    """Return the event that the headline reports, with its sentence."""
    for view in views:
        if is_headline(view.type, view.rules) and (text := teller.headline(view, views)):
            return teller.informed(view), text
    for view in story:
        if is_headline(view.type, view.rules) and (text := teller.line(view).text):
            return view, text
    return None, ""


def _harm(teller: Teller, story: Views, actor: object) -> list[str]:
    """Return short sentences about blows by combatants other than `actor`, and about all falls.

    Blows of `actor` are included if their damage has a name in the rulebook, such as Shock.
    """
    wording, told, fallen = teller.wording, list[str](), dict[str, list[str]]()
    for view in story:
        who, source = view.data.get("who"), view.data.get("source")
        if view.type == "damaged":
            by_other = actor is None or source not in (None, actor)
            if by_other or harm_kind(view.data) in wording.catalogue.phrases.harms:
                told.append(_blow(teller, view, story))
        elif view.type == "states" and view.data["fate"] in FATES[:2]:
            fallen.setdefault(_STATES[view.data["fate"]], []).append(wording.name(who))
    for state, names in fallen.items():
        told.append(f"{listed(names)} {'is' if len(names) == 1 else 'are'} {state}.")
    return told


_MANY = 3
"""The largest number of attacks that a sentence reports one by one."""


def _blows(teller: Teller, views: Views) -> list[ResultBlow]:
    """Return each attack of the command, with its final outcome."""
    blows = teller.live.ruleset.catalogue.blows
    made: list[ResultBlow] = []
    threat: tuple[object, object] | None = None
    for view in views:
        who, against = view.data.get("who"), view.data.get("against")
        if view.type != "rolled" or not against:
            continue
        confirms, threat = threat == (who, against), None
        outcome = str(view.data.get("outcome") or "")
        if confirms or _kind(outcome, blows) not in _BLOWS:
            continue  # the roll after a threat decides only whether it is critical
        if outcome in blows.threats:
            threat = who, against
        verdict = _verdict(teller, views, view) or outcome
        kind = _kind(verdict, blows)
        if kind is not None and kind in _BLOWS:
            told, sum = _plainly(teller, view), _sum(views, view)
            made.append(ResultBlow(str(who), str(against), kind, verdict, told, sum))
    return made


def _struck(strikes: Sequence[ResultBlow], actor: object, *, alone: bool) -> list[str]:
    """Return attacks that the verdict does not cover: other attackers, or further targets.

    If there is other news, the list includes a miss of `actor`.
    """
    own = next((strike for strike in strikes if strike.combatant == actor), None)
    rest = [strike for strike in strikes if strike.kind == "miss" or strike.combatant == actor]
    if rest == [own] and own is not None and (own.kind != "miss" or alone):
        return []
    return few(rest)


def few(strikes: Sequence[ResultBlow]) -> list[str]:
    """Return a sentence for each attack, or one sentence with the numbers of hits and misses."""
    if len(strikes) <= _MANY:
        return [strike.sentence for strike in strikes]
    misses = sum(strike.kind == "miss" for strike in strikes)
    hits = len(strikes) - misses
    missed = f"{misses} {'misses' if misses == 1 else 'miss'}" if misses else ""
    if not hits:
        return [f"{misses} attacks miss."]
    hit = f"{hits} {'attack hits' if hits == 1 else 'attacks hit'}"
    return [f"{hit}{f' and {missed}' if missed else ''}."]


def _blow(teller: Teller, view: EventView, story: Views) -> str:
    """Return a short sentence about a blow, such as "Mira's Fire hits Hexer for 7.".

    Even a miss can deal damage with a name in the rulebook, such as Shock.
    """
    data, wording = view.data, teller.wording
    who, source = data["who"], data.get("source")
    points = str(dealt(data)) if "amount" in data else ""
    kind, thing = harm_kind(data), harm_thing(data, wording).removeprefix("the ")
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
    """Return true for an initiative roll. It gives no verdict for an action."""
    return "initiative" in str(view.data["purpose"])


def _verdict(teller: Teller, views: Views, roll: EventView | None) -> str | None:
    """Return the final outcome of a roll. A confirmation roll or a reaction may have changed it."""
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
    """Return the meaning of an outcome, the same in all rulebooks."""
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
    """Return the changes of the command, the most severe first.

    Several changes of one value become one change. A state replaces a wound and conditions with the
    same meaning. Conditions that end because a combatant falls are left out.
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
    """Return true if the state of the same combatant already implies this change."""
    if state not in ("down", "dead") or change.what not in ("wound", "condition"):
        return False
    return change.what == "wound" or change.after in (None, "down", state)


def _state(told: str, data: Data) -> str:
    """Return a condition as a state: "is stunned by Bob" becomes "stunned by Bob".

    A phrase about its begin or end is not a state. Instead of "falls prone", return the words of
    the id, "prone".
    """
    state = told.removeprefix("is ").removeprefix("no longer ")
    if told.startswith("is "):
        return state
    owned = _OWNED.fullmatch(state)
    return owned[1] if owned else words(data["condition"])


_OWNED = re.compile(r"has (?:an? )?(.*\b(?:wound|modifier|foot|rib)|[+−]\d.*)")
"""A condition that its owner has: "has a slowing wound", "has +2 to hit"."""


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
        yield data["condition"], "condition", None, _state(begun(data, wording), data)
    elif view.type == "condition-lost":
        ends = over(data, wording)
        if ends:
            yield data["condition"], "condition", _state(ends, data), None
    elif view.type == "moved":
        yield "", "position", None, written(data["path"][-1]) if data["path"] else "off the grid"
