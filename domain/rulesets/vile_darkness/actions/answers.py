"""The actions that only answer prompts.

- `cast` and `invoke`: a combatant declares a spell in step 1 and cannot begin it later
  (VD-DECL-02, VD-ABIL-03, VD-ABIL-04).
- `free-attack` and `immediate-attack`: a trigger opens the prompt.
"""

from typing import Annotated

from domain.rulebook.declaration import Act
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import InputKind
from domain.rulesets.vile_darkness.abilities import Using, candidates
from domain.rulesets.vile_darkness.deed import answered
from domain.rulesets.vile_darkness.reactions import Taking, TakingAtOnce
from domain.rulesets.vile_darkness.rules import action


@action(
    "free-attack", "Free attack", Taking,
    cost="none", category="attack", headline="Take the free attack[ on {target}][ with {weapon}]",
    rules={}, also=("VD-FREE-01", "VD-FREE-02"),
    answers="take",
)  # fmt: skip
def free_attack(act: Act[Taking]) -> Procedure[None]:
    """Take the free attack that a trigger offers."""
    return answered(act)


@action(
    "immediate-attack", "Immediate attack", TakingAtOnce,
    cost="major", category="attack", headline="Attack[ {target}] at once[ with {weapon}]",
    rules={}, also=("VD-IMMA-01", "VD-IMMA-03"),
    answers="take",
)  # fmt: skip
def immediate_attack(act: Act[TakingAtOnce]) -> Procedure[None]:
    """Take the immediate attack that a trigger offers."""
    return answered(act)


OtherName = Annotated[
    str, InputKind("spell", listed="abilities", acts=True, matters=lambda combatant: False)
]
"An alias of the field `ability`, which forms do not show."


class Casting(Using, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of a spell. Either `spell` or `ability` is required.

    The target is optional, because the combatant announces it in D1.
    """

    spell: OtherName | None = None

    @property
    def named(self) -> str | None:
        """Return the id of the ability, from `spell` or from `ability`."""
        return self.spell or self.ability


@action(
    "cast", "Cast an incantation", Casting,
    cost="major", category="cast", headline="Cast {spell|}{ability|}[ on {target}]",
    essential=("ability", "target"),
    rules={}, also=("VD-E-01", "VD-CONC-08"),
    propose=candidates("cast"),
)  # fmt: skip
def cast(act: Act[Casting]) -> Procedure[None]:
    """Declare an incantation, which resolves in step 7."""
    return answered(act)


@action(
    "invoke", "Use an invocation", Casting,
    cost="major", category="cast", headline="Invoke {spell|}{ability|}[ on {target}]",
    essential=("ability", "target"),
    rules={}, also=("VD-ABIL-03", "VD-E-05"),
    propose=candidates("invoke"),
)  # fmt: skip
def invoke(act: Act[Casting]) -> Procedure[None]:
    """Declare an invocation, which resolves in D1 or in step 7."""
    return answered(act)
