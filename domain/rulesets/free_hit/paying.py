"""Paying: the right to act, and the price of actions (FH-SEQ-05, FH-TRN)."""

from collections.abc import Iterator
from typing import Literal

from domain.errors import Illegal
from domain.record.combat import Combat, Id
from domain.record.events import Spent
from domain.rulebook.effects import Procedure
from domain.rulebook.once import once_all
from domain.rulebook.play import Play
from domain.rulesets.free_hit.facts import ACTED
from domain.rulesets.free_hit.sheet import Payment
from domain.rulesets.free_hit.states import unable

Kind = Literal["aa", "ma", "ba"]
KINDS: tuple[Kind, ...] = ("aa", "ma", "ba")

EACH = "1 AA, 1 MA or 1 BA"

IN_WORDS: dict[Kind, str] = {"aa": "attack action", "ma": "move action", "ba": "bonus action"}

REASONS: dict[str, tuple[str, str]] = {
    "aa": ("no-attack-action", "no attack action is left"),
    "ma": ("no-move-action", "no move action is left"),
    "ba": ("no-bonus-action", "too few bonus actions are left"),
}


def off_turn(combat: Combat, who: Id, action: str) -> Illegal:
    """Why an action is not open now: no battle yet or no more, or not its turn.

    FH-SEQ-01, -05; FH-INI-08.
    """
    if combat.status == "ended" or combat.phase == "ending":
        return Illegal("FH-SEQ-07", "combat-ended", "the battle has ended")
    if combat.status == "opening":
        detail = "the battle has not begun"
        return Illegal("FH-SEQ-01", "battle-not-begun", detail, ("initiate",))
    name = combat[who].name
    return Illegal("FH-SEQ-05", "not-your-turn", f"it is not {name}'s turn", combat.acting)


def is_fought(combat: Combat) -> bool:
    """Whether the battle goes on: when it has ended, thralls may still be asked about."""
    return combat.status == "running" and combat.phase != "ending"


def able(combat: Combat, who: Id) -> Iterator[Illegal]:
    """FH-TRN-03, FH-SEQ-06."""
    stop = unable(combat, who)
    if stop is not None:
        yield stop


def mid_action(combat: Combat, who: Id) -> bool:
    """Whether the unit is on turn, in the middle of what it does."""
    asked = combat.prompts.values()
    return who in combat.acting and not any(one.who == who and one.kind == "turn" for one in asked)


@once_all
def lacking(combat: Combat, who: Id, price: Payment, rule: str = "FH-TRN-07") -> Iterator[Illegal]:
    """Kinds of action of which too little is left, move action first (FH-TRN-07, FH-ACT-05)."""
    budget = combat[who].budget
    for kind, due in price.each().items():
        if budget.get(kind, 0) < due:
            code, detail = REASONS[kind]
            have = ", ".join(f"{budget[each]} {each.upper()}" for each in KINDS if budget.get(each))
            yield Illegal(rule, code, f"{detail} ({have or 'nothing is left'})")


def wrong_kind(
    kind: Kind | None, allowed: tuple[Kind, ...], rule: str = "FH-TRN-07"
) -> Iterator[Illegal]:
    """A kind that cannot pay for this (FH-TRN-04 to -07); None = the one that can."""
    if kind is not None and kind not in allowed:
        detail = f"{IN_WORDS[kind]}s do not pay for this"
        yield Illegal(rule, "wrong-action-kind", detail, allowed, pointer="/inputs/pay_with")


def one(kind: Kind) -> Payment:
    """One action of a kind."""
    return Payment(aa=int(kind == "aa"), ma=int(kind == "ma"), ba=int(kind == "ba"))


def spent(who: Id, price: Payment, *rules: str) -> Iterator[Spent]:
    """The actions of a price, if it has any."""
    what = {kind: due for kind, due in price.each().items() if due}
    if what:
        yield Spent(who, what, rules=rules)


def pay(play: Play, who: Id, price: Payment, *rules: str) -> Procedure[None]:
    """Spend actions; from now on the unit cannot delay any more (FH-INI-10)."""
    for event in spent(who, price, *rules):
        yield event
        if not ACTED.of(play.combat[who]):
            yield ACTED.set(who, True, rules=("FH-INI-10",))
