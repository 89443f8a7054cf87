"""Skill checks, opposed checks, saves (SOV-CHK, SOV-SAVE)."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple

from domain.record.combat import Combat, Id
from domain.record.events import Term
from domain.rulebook.effects import Now, Procedure, roll
from domain.rulebook.play import Play
from domain.rulebook.sums import Sum
from domain.rulesets.sovereign.numbers import data_modifiers, save_number, sheet_of
from domain.rulesets.sovereign.rules import rule
from domain.rulesets.sovereign.sheet import Save
from domain.rulesets.sovereign.windows import seen

DIFFICULTY = 10
"""The number for an unopposed check (SOV-CHK-01)."""


class Result(NamedTuple):
    """A total, and whether it reached its number."""

    total: int
    success: bool


@rule("SOV-CHK-01", "2d6 + attribute + skill, 10 succeeds")
@rule("SOV-CHK-02", "Opposed: the active side against 8 + the other's")
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
    """2d6 and the terms; reaching the number succeeds (SOV-CHK-01, -02)."""
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


@rule("SOV-CHK-04", "Helpers add or take 1 each")
def helped(modifiers: Iterable[int]) -> int:
    """+1 for each helper with a positive modifier, −1 for each with a negative (SOV-CHK-04)."""
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
    """Roll 1d20 and modifiers against the number. 1 fails, 20 succeeds (SOV-SAVE-01).

    A penalty raises the number. It is a number of `by`, and the side of `who` gets the roll.
    """

    def number() -> Sum:
        own = save_number(play.combat[who], kind)
        if by is None:
            return own
        whole = Sum().add(f"{kind} save", own.value, "SOV-SAVE-02")  # no parts for the other side
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


@rule("SOV-SAVE-01", "1d20. 1 fails, 20 succeeds")
def saved(face: int, total: int, number: int) -> bool:
    """Natural 1 always fails, natural 20 always succeeds (SOV-SAVE-01)."""
    return face != 1 and (face == 20 or total >= number)


def save_terms(combat: Combat, who: Id, kind: Save) -> tuple[Term, ...]:
    """Return the terms of sheet and conditions."""
    combatant = combat[who]
    return (
        *(
            Term(extra.reason or "save", extra.value, "SOV-SAVE-01")
            for extra in sheet_of(combatant).save_modifiers
            if extra.applies_to in ("all", kind)
        ),
        *data_modifiers(combatant, "saves", "SOV-SAVE-01"),
    )
