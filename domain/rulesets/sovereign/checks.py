"""Roll skill checks, saves, and checks against a screen (SOV-CHK, SOV-SAVE, SOV-SCRN)."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import NamedTuple

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id
from domain.record.events import Noted, Term
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.effects import Now, Procedure, ask_all, ask_gm, roll, stopped_by
from domain.rulebook.play import Play
from domain.rulebook.prompts import Prompt, choices
from domain.rulebook.sums import Sum
from domain.rulesets.sovereign.blow import Blow
from domain.rulesets.sovereign.facts import SCREENED
from domain.rulesets.sovereign.numbers import (
    attribute,
    combat_level,
    data_modifiers,
    level,
    options,
    save_number,
    sheet_of,
)
from domain.rulesets.sovereign.rules import rule
from domain.rulesets.sovereign.sheet import Attribute, Save, Skill
from domain.rulesets.sovereign.windows import seen

DIFFICULTY = 10
"""The number to reach in an unopposed check (SOV-CHK-01)."""


class Result(NamedTuple):
    """The total of a check. `success` is true if the total reached the number."""

    total: int
    success: bool


@rule("SOV-CHK-01", "A check is 2d6 + attribute + skill, and 10 succeeds")
@rule("SOV-CHK-02", "In an opposed check, the active side rolls against 8 + the other's terms")
def check(
    play: Play,
    who: Id,
    purpose: str,
    *,
    terms: Callable[[], Iterable[Term]],
    target: Now[int | Sum | None],
    rules: tuple[str, ...],
    against: Id | None = None,
) -> Procedure[Result]:
    """Roll 2d6 and the terms. The check succeeds at the number or more (SOV-CHK-01, SOV-CHK-02)."""
    throw = partial(
        roll,
        who,
        purpose,
        "2d6",
        rules=rules,
        terms=terms,
        target=target,
        against=against,
        judge=lambda faces, total, target: "success" if total >= target else "failure",
    )
    rolled = yield from seen(play, throw)
    return Result(rolled.total, rolled.total >= (rolled.target or 0))


@rule(
    "SOV-CHK-04",
    "A helper with a positive modifier adds 1, and one with a negative modifier subtracts 1",
)
def helped(modifiers: Iterable[int]) -> int:
    """Return the bonus of the helpers (SOV-CHK-04).

    Each positive modifier counts +1, and each negative modifier counts −1.
    """
    return sum((number > 0) - (number < 0) for number in modifiers)


def save(
    play: Play,
    who: Id,
    kind: Save,
    *,
    penalty: Callable[[], int] = lambda: 0,
    by: Id | None = None,
    rules: tuple[str, ...] = (),
) -> Procedure[bool]:
    """Roll a save on 1d20, and return true if it succeeds (SOV-SAVE-01).

    `penalty` raises the number to reach. The side of `who` sees the roll, and the side of `by` sees
    the number.
    """

    def number() -> Sum:
        own = save_number(play.combat[who], kind)
        if by is None:
            return own
        # The side of `by` must not see the parts of the number.
        whole = Sum().add(f"{kind} save", own.value, "SOV-SAVE-02")
        return whole.take((Term("penalty", penalty(), "SOV-EXEC-06"),), "state")

    throw = partial(
        roll,
        who,
        "save",
        "1d20",
        rules=(*rules, "SOV-SAVE-01"),
        terms=lambda: save_terms(play.combat, who, kind),
        target=number,
        against=by,
        judge=lambda faces, total, target: (
            "success" if saved(faces[0], total, target) else "failure"
        ),
    )
    rolled = yield from seen(play, throw)
    return saved(rolled.faces[0], rolled.total, rolled.target or 0)


@rule("SOV-SAVE-01", "A save is 1d20. A 1 fails, and a 20 succeeds")
def saved(face: int, total: int, number: int) -> bool:
    """Return true on a success. A 1 always fails, and a 20 always succeeds (SOV-SAVE-01)."""
    return face != 1 and (face == 20 or total >= number)


def save_terms(combat: Combat, who: Id, kind: Save) -> tuple[Term, ...]:
    """Return the terms that the sheet and conditions add to a save."""
    combatant = combat[who]
    return (
        *(
            Term(extra.reason or "save", extra.value, "SOV-SAVE-01")
            for extra in sheet_of(combatant).save_modifiers
            if extra.applies_to in ("all", kind)
        ),
        *data_modifiers(combatant, "saves", "SOV-SAVE-01"),
    )


# ---- the attacker's check against a screen (SOV-SCRN)


FEASIBLE, BLOCK = choices("yes", "no"), choices("block", "pass")


@rule("SOV-SCRN-03", "The attacker must win an opposed combat-skill check")
@rule("SOV-SCRN-04", "A lost check turns the attack on the screener")
@rule(
    "SOV-SCRN-07",
    "One roll counts against all screeners. The lowest number above the roll takes the attack",
)
def screened(play: Play, blow: Blow) -> Procedure[Blow]:
    """Return the blow against the ward, or against the screener that takes the attack.

    SOV-SCRN-04, SOV-SCRN-07.
    """
    able_to = screeners(play.combat, blow)
    if not able_to or not (yield from feasible(play, blow)):
        return blow
    answers = yield from ask_all([question(play.combat, who, blow) for who in able_to])
    blocking = [
        who for who, answer in zip(able_to, answers, strict=True) if answer.option == "block"
    ]
    blocking = [who for who in blocking if who in screeners(play.combat, blow)]
    if not blocking:
        return blow
    for who in blocking:
        met = SCREENED.of(play.combat[who])
        if blow.attacker not in met:
            yield SCREENED.set(who, (*met, blow.attacker), rules=("SOV-SCRN-05",))

    def numbers() -> dict[Id, Sum]:
        return {who: guard(play.combat[who]) for who in blocking}

    trying = check(
        play,
        blow.attacker,
        "screen",
        terms=lambda: attack_check(play.combat[blow.attacker], blow.now(play.combat)),
        target=lambda: max(numbers().values(), key=attrgetter("value")),
        against=blow.target,
        rules=("SOV-SCRN-03", "SOV-CHK-02"),
    )

    def open_way() -> Illegal | None:
        if any(who in screeners(play.combat, blow) for who in blocking):
            return None
        detail = f"nobody stands in the way to {blow.target} any more"
        return refuse("SOV-SCRN-02", "not-adjacent", detail, NO_FIELD)

    result = yield from stopped_by(play, blow.attacker, trying, "screen", open_way)
    if result is None:
        return blow
    still = screeners(play.combat, blow)
    needed = numbers()
    stopped = [who for who in blocking if who in still and needed[who].value > result.total]
    if not stopped:
        return blow
    taker = min(stopped, key=lambda who: (needed[who].value, since(play.combat, who, blow.target)))
    yield Noted(f"{taker} takes the attack on {blow.target}", taker, rules=("SOV-SCRN-04",))
    return replace(blow, target=taker, redirected=True)


@rule("SOV-SCRN-10", "An attack that cannot be parried or blocked cannot be screened")
def screeners(combat: Combat, blow: Blow) -> list[Id]:
    """Return the screeners of the target that can still meet this attacker.

    SOV-SCRN-02, SOV-SCRN-05, SOV-SCRN-10.
    """
    if blow.weapon.unblockable or blow.redirected:
        return []
    return [
        combatant.id
        for combatant in combat
        if any(held.data.get("ward") == blow.target for held in combatant.all("screening"))
        and combatant.side != combat[blow.attacker].side
        and capacity(combatant, blow.attacker)
    ]


@rule(
    "SOV-SCRN-05",
    "Per round, a screener meets as many attackers as the level of its best combat skill",
)
def capacity(combatant: Combatant, attacker: Id) -> bool:
    """Return true if the screener can meet this attacker in this round (SOV-SCRN-05).

    The level of the best combat skill limits the number of attackers.
    """
    met = SCREENED.of(combatant)
    return attacker in met or len(met) < combat_level(combatant)


def since(combat: Combat, who: Id, ward: Id) -> int:
    """Return the number that orders screens: a later screen has a higher number.

    A screen from the start of the combat has the number `0`.
    """
    return next(
        int(held.data.get("number", 0))
        for held in combat[who].all("screening")
        if held.data.get("ward") == ward
    )


def feasible(play: Play, blow: Blow) -> Procedure[bool]:
    """Ask the GM whether a screener can parry the attack, if `ask_screen_feasible` is set.

    SOV-SCRN-10.
    """
    if not options(play.combat).ask_screen_feasible:
        return True
    answer = yield from ask_gm(
        "screen-feasible",
        f"Can the attack of {blow.attacker} on {blow.target} be screened?",
        FEASIBLE,
        "yes",
        rules=("SOV-SCRN-10",),
        data={"attacker": blow.attacker, "target": blow.target, "weapon": blow.weapon.id},
    )
    return answer.option == "yes"


@rule(
    "SOV-SCRN-06",
    "Affray asks each screener that can meet the attacker, and the default is to block",
)
def question(combat: Combat, who: Id, blow: Blow) -> Prompt:
    """Return the prompt to block the attack or let it pass (SOV-SCRN-06).

    A pass saves the capacity for another attacker.
    """
    return Prompt(
        kind="reaction",
        name="screen-block",
        who=who,
        text=f"{blow.attacker} attacks {blow.target}. Does {who} block?",
        options=BLOCK,
        rules=("SOV-SCRN-06",),
        default="block",
        data={"attacker": blow.attacker, "target": blow.target},
        stands=lambda now: who in screeners(now, blow),
    )


# ---- the check


def guard(combatant: Combatant) -> Sum:
    """Return 8 + the better of STR and DEX + the better of Brawl and Stab (SOV-SCRN-03)."""
    base = Sum().add("base", 8, "SOV-CHK-02", "rulebook")
    return base.take(skill_terms(combatant, ("brawl", "stab")))


def attack_check(combatant: Combatant, blow: Blow) -> tuple[Term, ...]:
    """Return the terms of the attacker's skill against a screen.

    An attack thrown with Exert uses the better of Shoot and Stab (GAP-32).
    """
    skills: Sequence[Skill] = ("shoot", "stab") if blow.skill == "exert" else (blow.skill,)
    return skill_terms(combatant, skills)


def skill_terms(combatant: Combatant, skills: Sequence[Skill]) -> tuple[Term, ...]:
    levels = [
        (number, skill) for skill in skills if (number := level(combatant, skill)) is not None
    ]
    if not levels:
        return (Term("skill modifier", sheet_of(combatant).skill_modifier, "SOV-CHK-03"),)
    number, skill = max(levels)
    both: tuple[Attribute, ...] = ("str", "dex")
    better = max(both, key=lambda name: attribute(combatant, name))
    return (
        Term(better.upper(), attribute(combatant, better), "SOV-SCRN-03"),
        Term(skill, number, "SOV-SCRN-03"),
    )
