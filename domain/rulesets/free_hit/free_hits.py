"""Free hits: who may strike when somebody leaves, circles or blunders (FH-FRE, FH-ZON, FH-FUM).

A free hit is a chance, not a duty; it costs a slot only when it is made.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Json, Square
from domain.record.events import FactSet
from domain.rulebook import grid
from domain.rulebook.effects import Procedure, ask, ask_all, interrupt
from domain.rulebook.play import Play
from domain.rulebook.prompts import Answer, Option, Prompt, choices
from domain.rulesets.free_hit import attack as attacks
from domain.rulesets.free_hit.harm import die
from domain.rulesets.free_hit.numbers import (
    AIMS,
    apart,
    can_act,
    free_hit_slots,
    free_hits_made,
    in_fight,
    is_drawn,
    is_undetected,
    reach,
    sheet,
    zone_radius,
)


class Blow(Struct, frozen=True, forbid_unknown_fields=True):
    """`weapon` null = the first in hand; `aim` an aim or a body part."""

    weapon: str | None = None
    aim: str | None = None
    from_behind: bool = False


def in_zone(combat: Combat, owner: Id, at: Square | None, size: int) -> bool | None:
    """Whether a footprint is inside the owner's melee zone (FH-ZON); None = not known."""
    one = combat[owner]
    if one.position is None or at is None:
        return None
    return 1 <= grid.distance(one.position, at, sheet(one).size, size) <= zone_radius(one)


def may_strike(combat: Combat, who: Id, at: Id) -> bool:
    """FH-FRE-09, -10: able to act, notices the other, a drawn melee weapon that reaches."""
    if not can_act(combat, who) or is_undetected(combat, at, who):
        return False
    return combat[who].side != combat[at].side and bool(ready_weapons(combat, who, at))


def ready_weapons(combat: Combat, who: Id, at: Id) -> list[Id]:
    """Drawn melee or natural weapons that reach."""
    one = combat[who]
    spaces = apart(combat, who, at)
    return [
        weapon.id
        for weapon in sheet(one).weapons
        if weapon.kind == "melee"
        and is_drawn(one, weapon)
        and (spaces is None or spaces <= reach(one, weapon))
    ]


def blow_refusals(play: Play, who: Id, at: Id, blow: Blow) -> Iterator[Illegal]:
    """A free hit is struck with a melee weapon that reaches; it may be aimed."""
    if blow.aim is not None and blow.aim not in AIMS:
        yield Illegal("FH-AIM-02", "unknown-aim", f"{blow.aim!r} is no aim", tuple(AIMS))
    weapon = chosen(play.combat, who, at, blow)
    yield from attacks.refusals(play.combat, who, at, weapon, blow.aim, melee_only=True)


def chosen(combat: Combat, who: Id, at: Id, blow: Blow) -> Id | None:
    """The weapon named, or the first that is ready."""
    return blow.weapon or next(iter(ready_weapons(combat, who, at)), None)


def blow_candidates(play: Play, who: Id, at: Id) -> Iterator[Mapping[str, Json]]:
    """Every weapon with every aim that makes a difference."""
    for weapon in ready_weapons(play.combat, who, at):
        for aim in (None, "fatal", "legs", "arms", "eyes", "center-mass"):
            yield {"weapon": weapon, "aim": aim}


def offer(combat: Combat, who: Id, at: Id, name: str, trigger: str, rule: str) -> Prompt:
    """The question whether `who` strikes at `at`."""
    critical = name == "free-critical-hit"
    return Prompt(
        kind="reaction",
        name=name,
        who=who,
        text=f"Does {combat[who].id} strike {combat[at].id} ({trigger})?",
        options=(
            Option(
                "take",
                Blow,
                lambda play, one, blow: blow_refusals(play, one, at, blow),
                lambda play, one: blow_candidates(play, one, at),
            ),
            Option("pass"),
        ),
        rules=(rule,),
        # The free critical hit is taken by default, with the weapon in hand (FH-FRE-12).
        default="take" if critical else "pass",
        data={"trigger": trigger, "mover" if trigger in ("leave", "within") else "attacker": at},
        stands=lambda now: in_fight(now, at) and can_act(now, who),
    )


def strike(play: Play, who: Id, at: Id, blow: Blow, *, sure: bool = False) -> Procedure[None]:
    """Make the free hit: it uses a slot, and is an attack in every other respect (FH-FRE-01)."""
    weapon = chosen(play.combat, who, at, blow)
    found = attacks.strike_with(play.combat, who, at, weapon, blow.aim, blow.from_behind)
    if found is None:
        return
    if free_hit_slots(play.combat[who]) > 0:
        made = free_hits_made(play.combat[who]) + 1
        yield FactSet(who, "free_hits", made, rules=("FH-FRE-03",))
    if sure:
        found = attacks.Strike(
            found.attacker, found.target, found.weapon, found.aim, kind=found.kind, sure=True
        )
    yield from interrupt(play, lambda: attacks.attack(play, found), otherwise=None)


def offered(
    play: Play, mover: Id, strikers: Sequence[Id], trigger: str, rule: str
) -> Procedure[bool]:
    """Ask several enemies together; they strike in lineup order (FH-FRE-08); whether any did."""
    able = [
        who
        for who in lineup(play.combat, strikers)
        if free_hit_slots(play.combat[who]) > 0 and may_strike(play.combat, who, mover)
    ]
    if not able:
        return False
    prompts = [offer(play.combat, who, mover, "free-hit", trigger, rule) for who in able]
    answers: tuple[Answer, ...] = yield from ask_all(prompts)
    struck = False
    for who, answer in zip(able, answers, strict=True):
        # When the mover is out of the fight, the others' offers lapse and cost nothing.
        if answer.option == "take" and in_fight(play.combat, mover) and can_act(play.combat, who):
            yield from strike(play, who, mover, answer.inputs)
            struck = True
    return struck


def lineup(combat: Combat, units: Sequence[Id]) -> list[Id]:
    """These units in the order of the lineup."""
    order: list[Any] = [place.who for place in combat.order]
    return sorted(units, key=lambda who: order.index(who) if who in order else len(order))


def after_natural_one(play: Play, attacker: Id, target: Id, reached: int) -> Procedure[None]:
    """What the attacked unit may do after a natural 1: FH-FUM-04 to -08.

    `reached` 0: a free hit; 1: a tragedy, the free critical hit; 2: the attacker is killed.
    """
    if not in_fight(play.combat, target):
        return
    near = yield from inside_zone(play, attacker, target)
    able = near and may_strike(play.combat, target, attacker)
    if reached == 0:
        if able:
            yield from offered(play, attacker, [target], "natural-1", "FH-FUM-04")
    elif reached == 1:
        yield from tragedy(play, attacker, target, able)
    else:
        yield from dire(play, attacker, target, able)


def inside_zone(play: Play, attacker: Id, target: Id) -> Procedure[bool]:
    """Whether the attacker is inside the attacked unit's zone (FH-FUM-05); else the GM rules."""
    one = play.combat[attacker]
    known = in_zone(play.combat, target, one.position, sheet(one).size)
    if known is not None:
        return known
    answer = yield from ask(
        Prompt(
            kind="ruling",
            name="zone",
            who=None,
            text=f"Is {one.id} inside the melee zone of {play.combat[target].id}?",
            options=choices("yes", "no"),
            rules=("FH-FUM-05",),
            default="no",
            data={"attacker": attacker, "target": target},
        )
    )
    return answer.option == "yes"


def tragedy(play: Play, attacker: Id, target: Id, able: bool) -> Procedure[None]:
    """FH-FUM-06, -07: the free critical hit, even without a slot; else the GM rules."""
    if not able:
        answer = yield from ask(
            Prompt(
                kind="ruling",
                name="tragedy-no-strike",
                who=None,
                text=f"A tragedy, but {play.combat[target].id} cannot strike. What happens?",
                options=choices("nothing", "free-critical-hit", "other"),
                rules=("FH-FUM-07",),
                default="nothing",
                data={"attacker": attacker, "target": target},
            )
        )
        if answer.option != "free-critical-hit":
            return
        yield from strike(play, target, attacker, Blow(), sure=True)
        return
    prompt = offer(play.combat, target, attacker, "free-critical-hit", "natural-1", "FH-FUM-06")
    answer = yield from ask(prompt)
    if answer.option == "take":
        yield from strike(play, target, attacker, answer.inputs, sure=True)


def dire(play: Play, attacker: Id, target: Id, able: bool) -> Procedure[None]:
    """FH-FUM-08: the attacked unit kills the attacker on the spot; if it cannot, the GM rules."""
    if not able:
        answer = yield from ask(
            Prompt(
                kind="ruling",
                name="dire-no-strike",
                who=None,
                text=f"{play.combat[target].id} could not strike. Is the attacker killed?",
                options=choices("killed", "nothing", "other"),
                rules=("FH-FUM-08",),
                default="killed",
                data={"attacker": attacker, "target": target},
            )
        )
        if answer.option != "killed":
            return
    yield from die(play, attacker, target, "FH-FUM-08")
