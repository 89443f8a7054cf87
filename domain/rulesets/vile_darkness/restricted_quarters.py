"""Restricted quarters: the GM decides if the squares are not clear (VD-MELEE-03)."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Id
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.effects import Procedure, ask_gm
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option
from domain.rulesets.vile_darkness.facts import CIRCUMSTANCES, Circumstance
from domain.rulesets.vile_darkness.numbers import options
from domain.rulesets.vile_darkness.objects import at_object
from domain.rulesets.vile_darkness.routines import Use, illegal
from domain.rulesets.vile_darkness.rules import rule
from domain.rulesets.vile_darkness.sheet import Number
from domain.rulesets.vile_darkness.targets import Object, Target, single


class Allowing(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    modifier: Number = 0


RESTRICTED = (Option("allow", Allowing, label="Allow it"), Option("refuse"))


def is_for_the_gm(combat: Combat, reason: Illegal) -> bool:
    """Whether the GM may still allow it."""
    return options(combat).restricted_quarters and reason.code in ("out-of-reach", "path-blocked")


def beyond_doubt(
    combat: Combat,
    who: Id,
    target: Id,
    use: Use,
    loads: tuple[str, ...] = (),
    back: tuple[str, ...] = (),
) -> Iterator[Illegal]:
    """Yield why this routine is impossible at this target, even with the GM's consent."""
    for reason in illegal(combat, who, target, use, loads, back):
        if not is_for_the_gm(combat, reason):
            yield reason


def may_strike(
    play: Play, who: Id, target: Target | Object | None, use: Use | None
) -> Procedure[Illegal | None]:
    """An attack that the squares do not allow, or at an object."""
    assert use is not None  # else it was refused
    if isinstance(target, Object):
        return (yield from at_object(play, who, target.object))
    at = single(play.combat, target)
    return (yield from allowed(play, who, at, illegal(play.combat, who, at, use)))


@rule("VD-MELEE-03", "In restricted quarters squares matter, and the GM rules")
def allowed(
    play: Play, who: Id, target: Id | None, reasons: Iterable[Illegal]
) -> Procedure[Illegal | None]:
    """Ask where the squares say no; a modifier counts for the next routine."""
    reason = next((refusal for refusal in reasons if is_for_the_gm(play.combat, refusal)), None)
    if reason is None:
        return None
    answer = yield from ask_gm(
        "restricted-quarters",
        f"Restricted quarters: may {who} do it? {reason.detail}",
        RESTRICTED,
        "refuse",
        rules=("VD-MELEE-03",),
        data={"attacker": who, "target": target},
    )
    if answer.option == "refuse":
        return refuse("VD-MELEE-03", "out-of-reach", reason.detail, NO_FIELD)
    if answer.inputs.modifier:
        kept = CIRCUMSTANCES.of(play.combat[who])
        more = Circumstance(answer.inputs.modifier, target)
        yield CIRCUMSTANCES.set(who, (*kept, more), rules=("VD-MELEE-03",))
    return None
