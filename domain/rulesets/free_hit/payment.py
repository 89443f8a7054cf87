"""Check which units may act, and pay for actions (FH-SEQ-05, FH-TRN)."""

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta

from domain.errors import Illegal
from domain.record.combat import Combat, Id
from domain.record.events import Spent
from domain.rulebook.declaration import NO_FIELD, Act, Refusal, Shared, refuse
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulebook.state_cache import once_all
from domain.rulesets.free_hit.facts import ACTED
from domain.rulesets.free_hit.rules import rule
from domain.rulesets.free_hit.sheet import Payment
from domain.rulesets.free_hit.states import unable

Kind = Literal["aa", "ma", "ba"]
KINDS: tuple[Kind, ...] = ("aa", "ma", "ba")

WithAttack = Annotated[Kind, Meta(extra_json_schema={"x-only": ["aa"]})]
WithBonus = Annotated[Kind, Meta(extra_json_schema={"x-only": ["ba"]})]
WithAttackOrBonus = Annotated[Kind, Meta(extra_json_schema={"x-only": ["aa", "ba"]})]
WithMove = Annotated[Kind, Meta(extra_json_schema={"x-only": ["ma", "ba"]})]
"""A payment whose schema lists only the kinds that can pay. `wrong_kind` refuses the others."""

EACH = "1 attack, move or bonus action"

IN_WORDS: dict[Kind, str] = {"aa": "attack action", "ma": "move action", "ba": "bonus action"}

REASONS: dict[str, tuple[str, str]] = {
    "aa": ("no-attack-action", "no attack action is left"),
    "ma": ("no-move-action", "no move action is left"),
    "ba": ("no-bonus-action", "too few bonus actions are left"),
}


@rule(
    "FH-SEQ-01",
    "Before the battle nobody has a turn. Units can only join and make the opening attack, and the "
    "GM can rule",
)
@rule("FH-SEQ-05", "Only the unit whose turn it is spends actions")
@rule("FH-INI-08", "Boosts, moves and spells are not possible in the opening")
def off_turn(combat: Combat, who: Id, action: str) -> Illegal:
    """Return the refusal that says why the unit cannot act now.

    The battle has not begun, it has ended, or it is another unit's turn. FH-SEQ-01, FH-SEQ-05,
    FH-INI-08.
    """
    if combat.status == "ended" or combat.phase == "ending":
        return refuse("FH-SEQ-07", "combat-ended", "the battle has ended", NO_FIELD)
    if combat.status == "opening":
        detail = "the battle has not begun"
        return refuse("FH-SEQ-01", "battle-not-begun", detail, NO_FIELD, ("initiate",))
    name = combat[who].name
    detail = f"it is not {name}'s turn"
    return refuse("FH-SEQ-05", "not-your-turn", detail, NO_FIELD, combat.acting)


def is_fought(combat: Combat) -> bool:
    """Return true if the battle continues.

    After the battle, prompts about thralls may still be open.
    """
    return combat.status == "running" and combat.phase != "ending"


def able(act: Act[Any]) -> Iterator[Illegal]:
    """Refuse if the unit cannot act (FH-TRN-03, FH-SEQ-06)."""
    stop = unable(act.combat, act.who)
    if stop is not None:
        yield stop


def mid_action(combat: Combat, who: Id) -> bool:
    """Return true if the unit is in the middle of an action of its turn."""
    asked = combat.prompts.values()
    return who in combat.acting and not any(
        prompt.who == who and prompt.kind == "turn" for prompt in asked
    )


def single(kind: Kind) -> Payment:
    """Return the price of one action of this kind."""
    return Payment(aa=int(kind == "aa"), ma=int(kind == "ma"), ba=int(kind == "ba"))


def chosen(act: Act[Any]) -> Payment:
    """Return the price of one action of the kind that `pay_with` names."""
    return single(act.inputs.pay_with)


@rule("FH-TRN-07", "A unit cannot pay with a kind of action that is not allowed or used up")
def lacking(price: Payment | Callable[[Act[Any]], Payment], rule: str = "FH-TRN-07") -> Shared:
    """Refuse if the budget cannot pay (FH-TRN-07, FH-ACT-05).

    If the inputs choose the price, the refusal names the field `pay_with`.
    """
    if isinstance(price, Payment):
        return lambda act: _lacking(act.combat, act.who, price, rule, NO_FIELD)
    return lambda act: _lacking(act.combat, act.who, price(act), rule, "pay_with")


@once_all
def _lacking(combat: Combat, who: Id, price: Payment, rule: str, field: str) -> Iterator[Illegal]:
    """Refuse once for each kind of action that is missing, the attack action first."""
    budget = combat[who].budget
    for kind, due in price.by_kind().items():
        if budget.get(kind, 0) < due:
            code, sentence = REASONS[kind]
            have = ", ".join(f"{budget[kind]} {kind.upper()}" for kind in KINDS if budget.get(kind))
            yield refuse(rule, code, f"{sentence} ({have or 'nothing is left'})", field)


def wrong_kind(*payable: Kind, rule: str = "FH-TRN-07") -> Refusal:
    """Refuse a kind of action that cannot pay (FH-TRN-07).

    If `pay_with` is `None`, the unit pays with the only kind that can pay.
    """

    def is_wrong(act: Act[Any]) -> bool | Mapping[str, str]:
        kind: Kind | None = act.inputs.pay_with
        return kind is not None and kind not in payable and {"kind": IN_WORDS[kind]}

    return Refusal(
        rule, "wrong-action-kind", "{kind}s do not pay for this", is_wrong,
        field="pay_with", instead=payable,
    )  # fmt: skip


def spent(who: Id, price: Payment, *rules: str) -> Iterator[Spent]:
    """Yield the event that spends the actions of a price, if there are any."""
    what = {kind: due for kind, due in price.by_kind().items() if due}
    if what:
        yield Spent(who, what, rules=rules)


def pay(play: Play, who: Id, price: Payment, *rules: str) -> Procedure[None]:
    """Spend actions. From now on, the unit cannot delay (FH-INI-10)."""
    for event in spent(who, price, *rules):
        yield event
        if not ACTED.of(play.combat[who]):
            yield ACTED.set(who, True, rules=("FH-INI-10",))
