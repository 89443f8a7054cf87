"""Run the opening: surprise with its free round (SOV-SURP), then initiative (SOV-INIT)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.errors import Illegal, Unknown
from domain.record.combat import Combat, Combatant, Id, Json, Place, Until
from domain.record.events import ConditionGained, InitiativeSet, Noted, PhaseBegan, Term
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.effects import Procedure, ask_anew, roll
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option, Prompt
from domain.rulebook.ruleset import Step
from domain.rulebook.sums import Sum
from domain.rulesets.sovereign import checks
from domain.rulesets.sovereign.facts import CAUGHT, INITIATIVE, ORDER, SIDE, SURPRISED, TO_GO
from domain.rulesets.sovereign.numbers import (
    able,
    against_check,
    alertness,
    attribute,
    awake,
    check_modifier,
    check_terms,
    group,
    options,
    sheet_of,
)
from domain.rulesets.sovereign.rules import rule
from domain.rulesets.sovereign.sheet import Attribute, Skill

METHODS: Mapping[str, tuple[Attribute, Skill]] = {
    "stealth": ("dex", "sneak"),
    "break-in": ("str", "exert"),
}


OVER = (Until("surprise-round-end"),)
"""The end of surprise, which is the end of the free round (SOV-SURP-07)."""


class Surprised(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs with the surprised groups. If `groups` is `null`, the surprise checks decide."""

    groups: Annotated[list[str], Meta(max_length=200)] | None = None


class Check(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of a surprise check.

    If `roller` is `null`, the first combatant of the side rolls.
    """

    by_side: str
    against_group: str
    method: Literal["stealth", "break-in"] = "stealth"
    roller: Id | None = None


def all_groups(combat: Combat) -> list[str]:
    return list(dict.fromkeys(group(combatant) for combatant in combat))


def members(combat: Combat, name: str) -> list[Combatant]:
    return [combatant for combatant in combat if group(combatant) == name]


def known(combat: Combat, name: str) -> None:
    """Raise `Unknown` if the group does not exist."""
    if name not in all_groups(combat):
        raise Unknown("group", name, all_groups(combat))


@rule("SOV-SURP-05", "A combatant that anticipates combat cannot be surprised")
@rule("SOV-SURP-06", "Only enemies that are all hidden can surprise a careful group")
def immune(combat: Combat, name: str, by_side: str | None = None) -> Iterator[Illegal]:
    """Refuse to surprise a group that anticipates combat, or a careful group that sees an enemy.

    SOV-SURP-05, SOV-SURP-06.
    """
    field = "groups" if by_side is None else "against_group"
    ours = members(combat, name)
    if any(alertness(combatant) == "anticipating" for combatant in ours):
        detail = f"{name} anticipates combat"
        yield refuse("SOV-SURP-05", "cannot-be-surprised", detail, field)
    if any(alertness(combatant) == "careful" for combatant in ours):
        sides = {combatant.side for combatant in ours}
        theirs = [
            combatant
            for combatant in combat
            if (combatant.side == by_side if by_side is not None else combatant.side not in sides)
        ]
        if not theirs or not all(
            combatant.hidden or sheet_of(combatant).hidden for combatant in theirs
        ):
            detail = f"{name} moves carefully, and not every enemy is hidden"
            yield refuse("SOV-SURP-06", "cannot-be-surprised", detail, field)


# ---- the ruling and the check


def begun(combat: Combat) -> Iterator[Illegal]:
    """Refuse once the fight has begun, because surprise is no longer possible (SOV-SURP-01)."""
    if combat.status != "opening" and combat.phase != "surprise":
        yield refuse("SOV-SURP-01", "cannot-be-surprised", "the fight has begun", NO_FIELD)


def surprise_refusals(play: Play, who: Id, inputs: Surprised) -> Iterator[Illegal]:
    yield from begun(play.combat)
    for name in inputs.groups or ():
        known(play.combat, name)
        yield from immune(play.combat, name)


def surprise(play: Play, who: Id, inputs: Surprised) -> Procedure[None]:
    """Set the surprised groups. Groups of one side may differ (SOV-SURP-02)."""
    groups = CAUGHT.of(play.combat) if inputs.groups is None else inputs.groups
    yield SURPRISED.set(tuple(groups), rules=("SOV-SURP-02",))


def check_refusals(play: Play, who: Id, inputs: Check) -> Iterator[Illegal]:
    combat = play.combat
    yield from begun(combat)
    known(combat, inputs.against_group)
    if not any(combatant.side == inputs.by_side for combatant in combat):
        raise Unknown("side", inputs.by_side, combat.sides)
    yield from immune(combat, inputs.against_group, inputs.by_side)


@rule("SOV-SURP-03", "An opposed check can make surprise the default")
@rule("SOV-SURP-04", "One attacker rolls, helped by the others, against 8 + the best Notice")
def surprise_check(play: Play, who: Id, inputs: Check) -> Procedure[None]:
    """Roll for one attacker, with help from its side (SOV-SURP-03).

    The number to reach is 8 + the best WIS and Notice in the group.
    """
    combat = play.combat
    side = [combatant for combatant in combat if combatant.side == inputs.by_side]
    name, skill = METHODS[inputs.method]
    roller = inputs.roller or side[0].id

    def terms() -> tuple[Term, ...]:
        side = [combatant for combatant in play.combat if combatant.side == inputs.by_side]
        helped = checks.helped(
            check_modifier(combatant, name, skill) for combatant in side if combatant.id != roller
        )
        own = check_terms(play.combat[roller], name, skill, "SOV-SURP-03")
        return *own, Term("helpers", helped, "SOV-SURP-04")

    def best() -> Sum:
        group = members(play.combat, inputs.against_group)
        numbers = [against_check(combatant, "wis", "notice", "SOV-SURP-03") for combatant in group]
        nobody = Sum().add("base", 8, "SOV-CHK-02", "rulebook")
        return max(numbers, key=attrgetter("value"), default=nobody)

    result = yield from checks.check(
        play,
        roller,
        "surprise-check",
        terms=terms,
        target=best,
        against=_facing(combat, inputs),
        rules=("SOV-SURP-03", "SOV-SURP-04"),
    )
    others = tuple(caught for caught in CAUGHT.of(play.combat) if caught != inputs.against_group)
    now = (*others, inputs.against_group) if result.success else others
    yield CAUGHT.set(now, rules=("SOV-SURP-03",))


def _facing(combat: Combat, inputs: Check) -> Id | None:
    """Return the member of the group that the check names as its opponent.

    Prefer a visible member that is not on the roller's side, because the side of the named member
    sees the target number. Skill does not decide, because the name would then reveal the member
    with the best skill.
    """
    group = members(combat, inputs.against_group)
    told = sorted(group, key=lambda combatant: (combatant.side == inputs.by_side, combatant.hidden))
    return told[0].id if told else None


# ---- before initiative


@rule("SOV-SURP-01", "Surprised combatants do nothing in one free round of their enemies")
@rule("SOV-SURP-09", "If everybody is surprised, nobody is")
def begin(play: Play) -> Procedure[None]:
    """Ask for the surprised groups, then begin the surprise round or initiative.

    SOV-SURP-01, SOV-SURP-09.
    """
    yield PhaseBegan("surprise", rules=("SOV-SURP-02",))
    while not SURPRISED.known(play.combat):
        before = CAUGHT.of(play.combat)
        groups = yield from decided(play, before)
        if CAUGHT.of(play.combat) == before and not SURPRISED.known(play.combat):
            yield SURPRISED.set(tuple(groups), rules=("SOV-SURP-02",))
    groups = SURPRISED.of(play.combat)
    unaware = [combatant.id for combatant in play.combat if group(combatant) in groups]
    aware = [
        combatant.id
        for combatant in play.combat
        if combatant.id not in unaware and awake(play.combat, combatant.id)
    ]
    if unaware and not aware:
        yield Noted("everybody is surprised, and so nobody is", rules=("SOV-SURP-09",))
        unaware = []
    for who in unaware:
        yield ConditionGained(who, "surprised", until=OVER, rules=("SOV-SURP-01",))
    yield PhaseBegan("surprise-round" if unaware else "initiative", rules=("SOV-SURP-01",))


@rule("SOV-SURP-02", "The GM decides which groups are surprised")
def decided(play: Play, before: Sequence[str]) -> Procedure[Sequence[str]]:
    """Ask the GM which groups are surprised, unless no group can be. Return the groups."""

    def question(now: Combat) -> Prompt:
        return Prompt(
            kind="ruling",
            name="surprise",
            who=None,
            text="Who is surprised?",
            options=SURPRISE,
            rules=("SOV-SURP-02",),
            default="surprised" if before else "nobody",
            data={"groups": _surprisable(now), "caught": list(before)},
            stands=lambda later: CAUGHT.of(later) == before and not SURPRISED.known(later),
        )

    if not _surprisable(play.combat) or len({combatant.side for combatant in play.combat}) < 2:
        return ()
    answer = yield from ask_anew(play.combat, question)
    if answer.option == "nobody":
        return ()
    return before if answer.inputs.groups is None else tuple(answer.inputs.groups)


def _surprisable(combat: Combat) -> list[str]:
    """Return the groups that can be surprised."""
    return [name for name in all_groups(combat) if next(immune(combat, name), None) is None]


def samples(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    for name in all_groups(play.combat):
        yield {"groups": [name]}


SURPRISE = (
    Option("nobody"),
    Option("surprised", Surprised, surprise_refusals, samples, "These are surprised"),
)


# ---- initiative: 1d8 per side, once (SOV-INIT, SOV-SEQ-09)


def sides(combat: Combat) -> list[str]:
    """Return the sides with a present member, in the listed order."""
    there = {combatant.side for combatant in combat}
    return [side for side in combat.sides if side in there]


def is_party(combat: Combat, side: str) -> bool:
    return side == options(combat).party_side


@rule("SOV-INIT-02", "The party adds its best DEX, and other sides add nothing")
def leader(combat: Combat, side: str) -> tuple[Id, int]:
    """Return the combatant that rolls for a side, and the modifier of the roll.

    The party adds its best DEX, and other sides add 0 (SOV-INIT-02).
    """
    members = [combatant for combatant in combat if combatant.side == side]
    living = [combatant for combatant in members if not combatant.has("dead")] or members
    if not is_party(combat, side):
        return living[0].id, 0
    best = max(living, key=lambda combatant: attribute(combatant, "dex"))
    return best.id, attribute(best, "dex")


def best_dexterity(play: Play, side: str) -> tuple[Term, ...]:
    """Return the term that the initiative roll adds: the party's best DEX, or 0 (SOV-INIT-02)."""
    return (Term("DEX", leader(play.combat, side)[1], "SOV-INIT-02"),)


@rule("SOV-INIT-01", "Each side rolls 1d8, and the highest acts first")
def throw(
    play: Play,
    side: str,
    purpose: str = "initiative",
    rule: str = "SOV-INIT-01",
    *,
    secret: bool = False,
) -> Procedure[int | None]:
    """Roll 1d8. If the roller leaves or changes sides, another member of the side rolls.

    With `secret`, the GM rolls and nobody else sees the result.
    """
    while side in sides(play.combat):
        who, _ = leader(play.combat, side)
        rolled = yield from roll(
            who,
            purpose,
            "1d8",
            rules=(rule,),
            terms=partial(best_dexterity, play, side),
            secret=secret,
            by_gm=secret,
            stops=partial(_gone_from, play, who, side),
        )
        if rolled is not None:
            return rolled.total
    return None


def _gone_from(play: Play, who: Id, side: str) -> Illegal | None:
    """Return the reason why `who` no longer rolls for a side, or `None`."""
    if play.absent(who) is None and play.combat[who].side != side:
        detail = f"{who} is no longer one of {side}"
        return refuse("SOV-INIT-01", "other-side", detail, NO_FIELD)
    return play.absent(who)


@rule("SOV-INIT-03", "The party wins ties")
@rule("SOV-INIT-04", "Other tied sides roll again among themselves")
def initiative(play: Play) -> Procedure[None]:
    """Roll initiative for each side, and order the sides from the highest total.

    The party wins ties, and other tied sides roll again (SOV-INIT-01, SOV-INIT-02, SOV-INIT-03,
    SOV-INIT-04).
    """
    totals: dict[str, int] = {}
    for side in sides(play.combat):
        total = yield from throw(play, side)
        if total is not None:
            totals[side] = total
    keys: dict[str, tuple[int, ...]] = {
        side: (total, is_party(play.combat, side)) for side, total in totals.items()
    }
    tied = ties(present(play.combat, totals), keys)
    while tied:
        before = dict(keys)
        for side in tied:
            secret = is_seen(play.combat, side) and not any(
                before[other] == before[side] and is_seen(play.combat, other)
                for other in tied
                if other != side
            )
            again = yield from throw(play, side, "initiative-tie", "SOV-INIT-04", secret=secret)
            if again is not None:
                keys[side] = (*keys[side], again)
        tied = ties(present(play.combat, tied), keys)
    order = sorted(totals, key=lambda side: tuple(-part for part in keys[side]))
    yield INITIATIVE.set(totals, rules=("SOV-INIT-01",))
    yield ORDER.set(tuple(order), rules=("SOV-INIT-03", "SOV-INIT-05"))
    yield InitiativeSet(places(play.combat, order), lasting=True, rules=("SOV-INIT-01",))
    yield PhaseBegan("round-start", rules=("SOV-SEQ-01",))


def is_seen(combat: Combat, side: str) -> bool:
    """Return true if a member is visible. A roll against a hidden side would reveal the side."""
    return any(combatant.side == side and not combatant.hidden for combatant in combat)


def present(combat: Combat, among: Iterable[str]) -> list[str]:
    """Return the sides of the list that still have a present member."""
    there = sides(combat)
    return [side for side in among if side in there]


def ties(among: Sequence[str], keys: dict[str, tuple[int, ...]]) -> list[str]:
    every = [keys[side] for side in among]
    return [side for side in among if every.count(keys[side]) > 1]


def places(combat: Combat, order: Sequence[str]) -> tuple[Place, ...]:
    """Return the places of all members, ordered by side. Members of a side act in any order."""
    totals = INITIATIVE.of(combat)
    return tuple(
        Place(combatant.id, (totals.get(side, 0),))
        for side in order
        for combatant in combat
        if combatant.side == side
    )


@rule("SOV-SEQ-09", "Newcomers act with their side, and a new side is inserted")
def late_side(play: Play, side: str) -> Procedure[None]:
    """Roll for a new side, and insert it in the order (SOV-SEQ-09).

    If a later side has already begun its turn, the new side waits for the next round.
    """
    total = yield from throw(play, side)
    if total is None:
        return
    totals = {**INITIATIVE.of(play.combat), side: total}
    order = ORDER.of(play.combat)
    # The party comes before sides with the same total.
    equals = 0 if is_party(play.combat, side) else 1
    at = sum(totals[other] > total - equals for other in order)
    now = [*order[:at], side, *order[at:]]
    yield INITIATIVE.set(totals, rules=("SOV-SEQ-09",))
    yield ORDER.set(tuple(now), rules=("SOV-SEQ-09",))
    to_go = TO_GO.of(play.combat)
    if all(other in to_go for other in now[at + 1 :]):  # no later side has begun its turn
        left = tuple(other for other in now if other in to_go or other == side)
        yield TO_GO.set(left, rules=("SOV-SEQ-09",))
    gone = SIDE.of(play.combat)
    acting = tuple(place for place in play.combat.queue if play.combat[place.who].side == gone)
    yield InitiativeSet(places(play.combat, now), lasting=True, rules=("SOV-SEQ-09",))
    to_come = places(play.combat, TO_GO.of(play.combat))
    yield InitiativeSet((*acting, *to_come), rules=("SOV-SEQ-09",))


# ---- sides and their members


def is_late(combat: Combat, side: str) -> bool:
    """Return true if the side joined after the initiative roll (SOV-SEQ-09)."""
    return ORDER.known(combat) and side not in ORDER.of(combat)


@rule("SOV-SEQ-03", "A side turn ends when every member has ended its turn")
def waiting(combat: Combat) -> list[Id]:
    """Return the able members of the acting side that have not ended their turn (SOV-SEQ-03)."""
    side = SIDE.of(combat)
    left = {place.who for place in combat.queue}
    return [
        combatant.id
        for combatant in combat
        if combatant.side == side and combatant.id in left and able(combat, combatant.id)
    ]


def entry(combat: Combat, who: Id) -> Step | None:
    """Return the step that a newcomer needs now, or `None` (SOV-SEQ-09).

    A new side rolls initiative. A newcomer of the acting side begins its turn.
    """
    if is_late(combat, combat[who].side):
        return Step("late-side", {"side": combat[who].side})
    return Step("enter", {"who": who}) if who in waiting(combat) else None
