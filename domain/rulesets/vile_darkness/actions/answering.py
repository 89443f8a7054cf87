"""Actions that answer: cast and invoke, free-attack and immediate-attack.

A spell is declared in step 1 and never begun later (VD-DECL-02, VD-ABIL-03, -04). To declare an
attack of this kind is to make it, while its trigger asks.
"""

from typing import Annotated

from domain.rulebook.action import Action
from domain.rulebook.inputs import InputKind
from domain.rulesets.vile_darkness.ability_use import Using, candidates
from domain.rulesets.vile_darkness.deed import answered
from domain.rulesets.vile_darkness.immediate_attacks import TakingAtOnce
from domain.rulesets.vile_darkness.reactions import Taking

FREE_ATTACK = Action(
    "free-attack",
    Taking,
    label="Free attack",
    procedure=answered,
    answers="take",
    cost="none",
    rules=("VD-FREE-01", "VD-FREE-02"),
).shown("attack", "Take the free attack[ on {target}][ with {weapon}]")
IMMEDIATE_ATTACK = Action(
    "immediate-attack",
    TakingAtOnce,
    label="Immediate attack",
    procedure=answered,
    answers="take",
    cost="major",
    rules=("VD-IMMA-01", "VD-IMMA-03"),
).shown("attack", "Attack[ {target}] at once[ with {weapon}]")


class Casting(Using, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`spell` (or `ability`) is required.

    A target may be named, but is announced in D1 in any case.
    """

    spell: Annotated[str, InputKind("spell", listed="abilities", acts=True)] | None = None

    @property
    def named(self) -> str | None:
        """The ability, under either name."""
        return self.spell or self.ability


def _action(id: str, label: str, *rules: str) -> Action:
    return Action(
        id,
        Casting,
        candidates=candidates(id),
        label=label,
        procedure=answered,
        cost="major",
        rules=rules,
    )


CAST = _action("cast", "Cast an incantation", "VD-E-01", "VD-CONC-08").shown(
    "cast", "Cast {spell|}{ability|}[ on {target}]", "ability", "target"
)
INVOKE = _action("invoke", "Use an invocation", "VD-ABIL-03", "VD-E-05").shown(
    "cast", "Invoke {spell|}{ability|}[ on {target}]", "ability", "target"
)
