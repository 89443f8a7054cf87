"""Effects of a hit: reductions, HP and NLD, massive damage and healing.

DEF-DMG, DEF-HP, DEF-MAS. Module `consequences` has the effects of the numbers, such as
unconsciousness.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from domain.record.combat import Combatant, Id
from domain.record.events import (
    ConditionGained,
    ConditionLost,
    Damaged,
    Noted,
    Term,
    TrackChanged,
)
from domain.rulebook.effects import Procedure, ask_gm, roll
from domain.rulebook.play import Play
from domain.rulebook.pools import healed
from domain.rulebook.presence import in_fight
from domain.rulebook.prompts import Option, choices
from domain.rulebook.sums import Sum
from domain.rulesets.definitions import triggers
from domain.rulesets.definitions.facts import DROPPED, FAILS, INSIDE
from domain.rulesets.definitions.numbers import save_terms
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.sheet import SaveKind
from domain.rulesets.definitions.states import (
    awake,
    hp,
    max_hp,
    nld,
    out_of_fight,
    sheet_of,
    swallower,
)


@dataclass
class Part:
    """Points of one kind in a hit. `soft` points go to NLD.

    `amount` is the roll plus `changes`, the terms that rules add to it.
    """

    name: str
    amount: int
    types: tuple[str, ...] = ()
    soft: bool = False
    changes: tuple[Term, ...] = ()


def at_least(
    least: int, rolled: int, name: str, types: tuple[str, ...], soft: bool, rule: str
) -> Part:
    """Return the rolled points of a hit, raised to the minimum that `rule` requires."""
    raised = (Term(f"at least {least}", least - rolled, rule),) if rolled < least else ()
    return Part(name, max(least, rolled), types, soft, raised)


@rule("DEF-MAS-02", "Massive damage counts all points of one hit, and no other hit")
@dataclass(frozen=True)
class Hit:
    """All damage of one blow or power to one target.

    - `as_it_is`: true if the GM named the amounts, so that no reduction applies.
    - `cuts`: true if a swallowed combatant can cut itself out with this weapon.
    """

    target: Id
    parts: tuple[Part, ...]
    source: Id | None = None
    kind: str = ""
    as_it_is: bool = False
    cuts: bool = False


@rule("DEF-HP-01", "Damage after reductions lowers HP")
@rule("DEF-NLD-01", "Non-lethal damage (NLD) counts up from 0, without a limit")
@rule("DEF-NLD-02", "A hit with both kinds of damage changes HP and NLD")
@rule("DEF-MAS-01", "A hit for half of the maximum HP or more is massive damage")
@rule("DEF-MAS-06", "The target saves even if the damage itself drops it")
@rule("DEF-DMG-07", "Damage lowers HP, or raises NLD if its data say so")
def deal(play: Play, hit: Hit) -> Procedure[int]:
    """Deal the damage after reductions, with its consequences. Return the points dealt."""
    if not in_fight(play.combat, hit.target):
        yield Noted(f"{hit.target} is out of the fight: no damage", rules=("DEF-DMG-07",))
        return 0
    before = play.combat[hit.target]
    parts, terms = (list(hit.parts), ()) if hit.as_it_is else reduced(before, hit.parts)
    soft = sum(part.amount for part in parts if part.soft)
    hard = sum(part.amount for part in parts if not part.soft)
    if soft:
        value = nld(before) + soft
        reason = "non-lethal damage"
        yield TrackChanged(hit.target, "nld", value, reason=reason, rules=("DEF-NLD-01",))
    down = hp(before) <= 0
    if hard or not soft:
        rules = ("DEF-HP-01", "DEF-HP-02")
        yield Damaged(hit.target, "hp", hard, hit.kind, hit.source, terms, rules=rules)
    if hard:
        if down:
            yield from while_down(play, hit.target)
        elif 2 * hard >= max_hp(before):
            yield from massive(play, hit.target, hard, hit.source)
        yield from from_inside(play, hit, hard)
    yield from noticed(play, before, bool(soft or (hard and not down)))
    return hard + soft


def noticed(play: Play, before: Combatant, hurt: bool) -> Procedure[None]:
    """Offer held actions that wait until the combatant takes damage or falls (section 2.9)."""
    if hurt:
        yield from triggers.occurred(play, "is-damaged", before.id)
    yield from fallen(play, before)


def fallen(play: Play, before: Combatant) -> Procedure[None]:
    """Offer held actions that wait until the combatant falls (section 2.9)."""
    now = play.combat[before.id]
    fell = awake(before) and not awake(now)
    if fell or (now.has("dead") and not before.has("dead")):
        yield from triggers.occurred(play, "falls", now.id)


@rule("DEF-DMG-08", "Each reduction applies once per hit, to the parts of its damage type")
def reduced(combatant: Combatant, hit: Sequence[Part]) -> tuple[list[Part], tuple[Term, ...]]:
    """Return the parts after reductions, and the terms of the damage that goes to HP.

    Each reduction takes its amount once, from the parts that it matches.
    """
    parts = [Part(part.name, part.amount, part.types, part.soft) for part in hit]
    terms = [term for part in hit if not part.soft for term in _made(part)]
    for reduction in sheet_of(combatant).reductions:
        left, taken = reduction.amount, 0
        for part in parts:
            if reduction.types != "all" and not set(reduction.types) & set(part.types):
                continue
            off = min(left, part.amount)
            part.amount -= off
            left -= off
            taken += 0 if part.soft else off
        terms.append(Term(reduction.source or "reduction", -taken, "DEF-DMG-08"))
    return parts, tuple(term for term in terms if term.value)


def _made(part: Part) -> Iterator[Term]:
    """Yield the terms of a part: the rolled points, then the terms that rules add."""
    changed = sum(term.value for term in part.changes)
    yield Term(part.name, part.amount - changed, "DEF-DMG-07")
    yield from part.changes


def from_inside(play: Play, hit: Hit, hard: int) -> Procedure[None]:
    """Add the damage that a swallowed combatant deals from inside (DEF-SWL-05)."""
    if not hit.cuts or hit.source is None or swallower(play.combat, hit.source) != hit.target:
        return
    inside = INSIDE.of(play.combat[hit.source])
    if inside is not None:
        more = replace(inside, damage=inside.damage + hard)
        yield INSIDE.set(hit.source, more, rules=("DEF-SWL-05",))


# ---- at 0 HP

WHILE_DOWN = choices("nothing", "failed-save", "dead")
WHILE_STABILIZED = choices("bleeds-again", "nothing", "failed-save", "dead")


@rule("DEF-HP-06", "A hit at 0 HP gives no new wound and no save. The GM decides its effect")
def while_down(play: Play, who: Id) -> Procedure[None]:
    """Ask the GM for the effect of a hit at 0 HP.

    Such a hit causes no new wound and no save (DEF-HP-06).
    """
    stable = play.combat[who].has("stabilized")
    answer = yield from ask_gm(
        "hit-while-down",
        f"{who} is struck at 0 HP. What happens to {who}?",
        WHILE_STABILIZED if stable else WHILE_DOWN,
        "bleeds-again" if stable else "nothing",
        rules=("DEF-HP-06",),
        data={"combatant": who},
        stands=lambda now: in_fight(now, who) and hp(now[who]) <= 0,
    )
    combatant = play.combat[who]
    if combatant.has("stabilized") and answer.option in ("bleeds-again", "failed-save"):
        # At 0 HP, a combatant that is no longer stabilized bleeds.
        yield ConditionLost(who, "stabilized", reason="struck", rules=("DEF-STB-02",))
    if answer.option == "failed-save":
        yield FAILS.set(who, FAILS.of(combatant) + 1, rules=("DEF-HP-06", "DEF-DTH-06"))
    if answer.option == "dead":
        yield ConditionGained(who, "dead", rules=("DEF-HP-06",))


# ---- massive damage


class Dc(Struct, frozen=True, forbid_unknown_fields=True):
    dc: int


MASSIVE = (
    Option("dc", Dc, candidates=lambda play, who: ({"dc": 15},), label="A save against a DC"),
    Option("no-save"),
)


@rule("DEF-MAS-03", "Massive damage needs a Fortitude save at once, against 10 + the attacker's HD")
@rule("DEF-MAS-04", "A success against massive damage has no further effect")
@rule("DEF-MAS-05", "A failure against massive damage means 0 HP and one failed death save")
@rule("DEF-MAS-07", "Without an attacker, the GM names the DC")
def massive(play: Play, who: Id, hard: int, source: Id | None) -> Procedure[None]:
    """Roll a Fortitude save against massive damage (DEF-MAS-06).

    If the save fails, set HP to 0 and add one failed death save (DEF-MAS-05). Without an attacker,
    the GM names the DC (DEF-MAS-07).
    """
    if source is None:
        answer = yield from ask_gm(
            "massive-damage-dc",
            f"{who} has lost {hard} HP at once. What is the DC of the Fortitude save?",
            MASSIVE,
            "no-save",
            rules=("DEF-MAS-07",),
            data={"combatant": who, "damage": hard},
            stands=lambda now: in_fight(now, who),
        )
        if answer.option == "no-save":
            return
        dc: Callable[[], int | Sum] = partial(int, answer.inputs.dc)
    else:
        dc = partial(massive_dc, play, source)
    if (yield from save(play, who, "fortitude", dc, "DEF-MAS-03", against=source)) is not False:
        return
    if hp(play.combat[who]) > 0:
        yield TrackChanged(who, "hp", 0, reason="massive damage", rules=("DEF-MAS-05",))
    yield DROPPED.set(who, hard, rules=("DEF-DBR-03",))
    yield FAILS.set(who, FAILS.of(play.combat[who]) + 1, rules=("DEF-MAS-05",))


def massive_dc(play: Play, source: Id) -> Sum:
    """Return 10 plus the attacker's hit dice (DEF-MAS-03)."""
    base = Sum().add("base", 10, "DEF-MAS-03", "rulebook")
    return base.add("hit dice", sheet_of(play.combat[source]).hit_dice, "DEF-MAS-03")


def save(
    play: Play,
    who: Id,
    kind: SaveKind,
    dc: Callable[[], int | Sum],
    *rules: str,
    against: Id | None = None,
) -> Procedure[bool | None]:
    """Roll a save, and return true if it succeeds. An equal total succeeds (DEF-GEN-06).

    Return `None` if the combatant leaves the combat before the roll. `against` is the combatant
    that sets the DC.
    """
    rolled = yield from roll(
        who,
        f"save-{kind}",
        "1d20",
        rules=rules,
        terms=lambda: save_terms(play.combat[who], kind),
        target=dc,
        against=against,
        judge=lambda faces, total, target: "success" if total >= target else "failure",
        stops=out_of_fight(play, who),
    )
    return None if rolled is None else rolled.outcome == "success"


# ---- healing


@rule("DEF-HP-04", "Healing stops at the maximum, and nothing heals the dead")
@rule(
    "DEF-REC-05",
    "A healing spell restores HP and removes NLD one for one, unless its data say otherwise",
)
def heal(
    play: Play,
    who: Id,
    amount: int,
    heals: str,
    source: Id | None,
    rules: tuple[str, ...],
    terms: tuple[Term, ...] = (),
) -> Procedure[None]:
    """Raise HP and lower NLD by `amount` points each, at most to the maximum and to 0.

    `heals` is `hp`, `nld` or `both`. NLD changes first, so that the combatant is awake as soon as
    its HP rise.
    """
    if not in_fight(play.combat, who):
        yield Noted(f"{who} is dead: no healing", rules=("DEF-HP-04",))
        return
    combatant = play.combat[who]
    if heals != "hp" and nld(combatant) > 0:
        value = max(0, nld(combatant) - amount)
        yield TrackChanged(combatant.id, "nld", value, reason="healing", rules=rules)
    if heals != "nld":
        yield healed(combatant, "hp", amount, source, rules, terms)
