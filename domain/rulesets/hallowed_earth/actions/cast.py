"""cast: a spell, by its data (HE-MAG)."""

from collections.abc import Iterator
from typing import Any

from domain.errors import Illegal
from domain.record.combat import Combatant
from domain.record.events import Term
from domain.rulebook.effects import Pause, Procedure, roll
from domain.rulebook.play import Play
from domain.rulesets.hallowed_earth import acting, effects
from domain.rulesets.hallowed_earth.actions.deed import AimingMany, Deed, Doing, Tool
from domain.rulesets.hallowed_earth.attack import Attacks, Blow, of_attack
from domain.rulesets.hallowed_earth.numbers import options, sheet, spell_of


class Casting(AimingMany, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Declare: `spell`; then `target` or `targets`; `stress_paid`: Mana that Stress pays."""

    spell: str | None = None


def speed(one: Combatant, tool: Tool) -> int | None:
    """Casting TN − 10, unless the spell states another value (HE-MOD-02, -08)."""
    spell = spell_of(one, tool)
    if spell is None:
        return None
    return spell.speed if spell.speed is not None else (spell.casting_tn or 10) - 10


def hindered(one: Combatant, tool: Tool) -> Iterator[Illegal]:
    spell = spell_of(one, tool)
    if spell is None or spell.needs_body:
        yield from acting.body(one)
    if spell is not None and spell.needs_speech:
        yield from acting.voice(one)


def missing(one: Combatant, tool: Tool, inputs: Any) -> Iterator[Illegal]:
    spell = spell_of(one, tool)
    if spell is None:
        yield Illegal("HE-DECL-15", "no-item", f"{one.name} does not know {tool} any more")
    else:
        yield from effects.cannot_pay(one, spell.mana_cost, 0, inputs.stress_paid)


def blow(one: Combatant, tool: Tool) -> Blow | None:
    spell = spell_of(one, tool)
    if spell is None or spell.attack is None:
        return None
    return of_attack("spell", spell.id, spell.attack, spell.range_ft)


def range_ft(one: Combatant, tool: Tool) -> int | None:
    spell = spell_of(one, tool)
    return None if spell is None else spell.range_ft


def hurts(one: Combatant, tool: Tool) -> bool:
    spell = spell_of(one, tool)
    return spell is not None and spell.damage is not None


def do_cast(play: Play, deed: Deed) -> Procedure[Attacks]:
    """Mana or Stress (HE-MAG-01), the casting roll, without which the action and the Mana are
    wasted (HE-MAG-02), then what the spell does."""
    who, spell = deed.who, spell_of(play.combat[deed.who], deed.tool)
    assert spell is not None
    yield from effects.pay(play, who, spell.mana_cost, 0, deed.inputs.stress_paid)
    if spell.casting_bonus is not None:
        number = spell.casting_tn or 0
        rolled = yield from roll(
            who,
            "casting",
            options(play.combat).check_dice,
            rules=("HE-MAG-02",),
            terms=(Term(spell.id, spell.casting_bonus, "HE-MAG-02"),),
            target=number,
            judge=lambda faces, total: "cast" if total >= number else "wasted",
        )
        if rolled.total < number:
            yield Pause("results")
            return []
    targets = deed.targets() or (who,)
    does = effects.of_spell(spell)
    return (yield from effects.take_effect(play, who, targets, does, "cast", tied=deed.tied))


CAST = Doing(
    id="cast",
    label="Cast a spell",
    rules=("HE-MAG-01", "HE-MOD-02"),
    inputs=Casting,
    tool="spell",
    things=lambda one: [each.id for each in sheet(one).spells],
    modifier=speed,
    hindered=hindered,
    missing=missing,
    blow=blow,
    range_ft=range_ft,
    aims=hurts,
    do=do_cast,
)
