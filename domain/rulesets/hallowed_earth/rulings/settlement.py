"""The GM's changes of earlier damage or healing, with all their results (HE-SEQ-04).

This module reads the original event, later changes by the GM, and the resulting wound from the
stored events.
"""

from collections.abc import Iterator

from domain.record.combat import Id, typed
from domain.record.events import AnyEvent, Damaged, FactSet, Healed, RoundBegan, Ruled, Term
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulesets.hallowed_earth import harm
from domain.rulesets.hallowed_earth.facts import HIT_HARD, WOUNDS, Wound
from domain.rulesets.hallowed_earth.sheet import sheet


def settle(play: Play, version: int, amount: int) -> Procedure[None]:
    """Change the damage or healing at `version` to `amount` points."""
    event = play.told(version)
    assert isinstance(event, Damaged | Healed), event
    change = amount - _counted(play, version)
    if isinstance(event, Healed):
        yield from _healing(play, version, event, change)
    elif event.track == "stress":
        yield from _stress(play, version, event, change)
    else:
        yield from _wound(play, version, event, change)
        yield from _morale(play, version, event.who, amount)


def _stress(play: Play, version: int, event: Damaged, change: int) -> Procedure[None]:
    """Restore Stress, or lower it further. Points beyond Stress enlarge the wound of the hit."""
    if change <= 0:
        yield from harm.heal_stress(play, event.who, -change)
        return
    wound = _wound_of_hit(play, version)
    more = harm.Harm(
        change, tuple(event.kind.split(", ")), (Term("ruling", change, "HE-SEQ-04"),),
        source=event.source, hit=_was_hit(play, version, event), rules=("HE-SEQ-04",),
    )  # fmt: skip
    rest = change - play.combat[event.who].tracks["stress"].value
    if wound is None or rest <= 0:
        yield from harm.suffer(play, event.who, more)
        return
    at, struck = wound
    before = _counted(play, at)
    if change > rest:
        absorbed, terms = change - rest, (*more.terms, Term("to Wound Points", -rest))
        yield Damaged(
            event.who, "stress", absorbed, event.kind, event.source, terms, rules=more.rules
        )
    yield from _wound(play, at, struck, rest)
    yield from _morale(play, at, event.who, before + rest)


def _wound(play: Play, version: int, event: Damaged, change: int) -> Procedure[None]:
    """Enlarge or reduce only the wound that this damage caused (HE-WP-03)."""
    left = _left_by(play, version)
    if change > 0:
        yield from harm.deepen(play, event.who, change, left, event.kind, event.source)
    elif change < 0:
        first = None if left is None else left.id
        yield from harm.heal_wounds(play, event.who, -change, None, first, revives=True)


def _healing(play: Play, version: int, event: Healed, change: int) -> Procedure[None]:
    """Heal further, or reopen the wounds that this healing had closed (HE-WP-09)."""
    who = event.who
    if event.track == "stress":
        lost = harm.Harm(-change, ("other",), hit=False, rules=("HE-SEQ-04",))
        more = harm.heal_stress(play, who, change)
        yield from more if change >= 0 else harm.suffer(play, who, lost)
    elif change >= 0:
        yield from harm.heal_wounds(play, who, change)
    else:
        yield from harm.reopen(play, who, -change, _closed_by(play, version, who))


# ---- morale


def _morale(play: Play, version: int, who: Id, amount: int) -> Procedure[None]:
    """Record whether one hit took more than half of the monster's Wound Points.

    Only hits of this round count (HE-MOR-02).
    """
    if sheet(play.combat[who]).kind != "monster":
        return
    hits = {
        at: _counted(play, at)
        for at, event in _of_this_round(play)
        if isinstance(event, Damaged) and (event.who, event.track) == (who, "wound_points")
        if _was_hit(play, at, event)
    }
    if version in hits:
        hits[version] = amount
        most = play.combat[who].tracks["wound_points"].maximum or 0
        hard = any(2 * points > most for points in hits.values())
        if hard != HIT_HARD.of(play.combat[who]):
            yield HIT_HARD.set(who, hard, rules=("HE-MOR-02",))


def _of_this_round(play: Play) -> Iterator[tuple[int, AnyEvent]]:
    for version in range(_now(play) - 1, 0, -1):
        event = play.told(version)
        if isinstance(event, RoundBegan):
            return
        if event is not None:
            yield version, event


def _was_hit(play: Play, version: int, event: Damaged) -> bool:
    """Return true for damage that counts for morale.

    It comes from an attack, from a spell, or from a ruling with `hit`.
    """
    if not event.terms or "HE-SEQ-04" in event.rules:
        return False
    if event.terms[0].source != "ruling":
        return event.source is not None
    for earlier in range(version - 1, 0, -1):
        ruled = play.told(earlier)
        if isinstance(ruled, Ruled):
            return bool(ruled.inputs.get("hit"))
    return False


# ---- stored events


def _now(play: Play) -> int:
    """Return the version at which the current ruling began."""
    return play.combat.frames[-1].id


def _counted(play: Play, version: int) -> int:
    """Return the points of an event after all earlier changes by the GM."""
    event = play.told(version)
    assert isinstance(event, Damaged | Healed), event
    amount = event.amount
    for later in range(version + 1, _now(play) - 1):
        ruled = play.told(later)
        if not isinstance(ruled, Ruled) or ruled.ruling != "override":
            continue
        settled = ruled.inputs["event"]
        if settled == version:
            points = ruled.inputs.get("amount")
            if points is not None or not ruled.inputs.get("stands", True):
                amount = points or 0
        elif settled < version and (wound := _wound_of_hit(play, settled)) and wound[0] == version:
            amount += sum(
                more.amount
                for more in _after(play, later)
                if isinstance(more, Damaged) and more.track == "wound_points"
            )
    return amount


def _after(play: Play, version: int) -> Iterator[AnyEvent]:
    """Yield the later events of the same command."""
    while (event := play.told(version := version + 1)) is not None:
        if isinstance(event, Ruled):
            return
        yield event


def _wound_of_hit(play: Play, version: int) -> tuple[int, Damaged] | None:
    """Return the event, and its version, of the Wound Points that a hit took beyond Stress.

    `version` is the version of the event that lowered Stress. If the hit took no Wound Points,
    return `None`.
    """
    stress = play.told(version)
    if not isinstance(stress, Damaged) or stress.track != "stress":
        return None
    if not any(term.rule == "HE-STRESS-04" for term in stress.terms):
        return None
    for further, event in enumerate(_after(play, version), 1):
        if isinstance(event, Damaged) and event.who == stress.who:
            return version + further, event
    return None


def _wounds_set(events: Iterator[AnyEvent], who: Id) -> tuple[Wound, ...]:
    """Return the combatant's wounds from the first of these events that sets them."""
    for event in events:
        if isinstance(event, FactSet) and (event.who, event.key) == (who, WOUNDS.name):
            wounds: tuple[Wound, ...] = typed(event.value, WOUNDS.kind) if event.value else ()
            return wounds
    return ()


def _left_by(play: Play, version: int) -> Wound | None:
    """Return the wound that this damage caused, with its amount just after the damage."""
    event = play.told(version)
    assert isinstance(event, Damaged), event
    wounds = _wounds_set(_after(play, version), event.who)
    return wounds[-1] if wounds else None


def _closed_by(play: Play, version: int, who: Id) -> tuple[Wound, ...]:
    """Return the points that this healing removed from each wound, the smallest wound first."""
    told = (event for at in range(version - 1, 0, -1) if (event := play.told(at)) is not None)
    before = _wounds_set(told, who)
    after = {wound.id: wound.amount for wound in _wounds_set(_after(play, version), who)}
    off = (
        Wound(wound.id, wound.type, wound.amount - after.get(wound.id, 0))
        for wound in sorted(before, key=lambda wound: wound.amount)
    )
    return tuple(wound for wound in off if wound.amount)
