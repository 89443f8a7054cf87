"""The action `cast`. Its caster pays and rolls when the Count reaches its number (HE-MAG)."""

from domain.record.events import Term
from domain.rulebook.effects import Pause, Procedure, roll
from domain.rulebook.inputs import Needed, OwnSpell
from domain.rulebook.play import Play
from domain.rulesets.hallowed_earth import effects
from domain.rulesets.hallowed_earth.action_costs import pay
from domain.rulesets.hallowed_earth.attack import Attacks
from domain.rulesets.hallowed_earth.deed import AimingMany, Deed, StandardAction
from domain.rulesets.hallowed_earth.rules import rule
from domain.rulesets.hallowed_earth.sheet import Spell, options, sheet
from domain.rulesets.hallowed_earth.things import spell_of


class Casting(AimingMany, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of a casting. Declare `spell`, and give `target` or `targets` on your turn.

    `stress_paid` is the part of the Mana cost that you pay with Stress.
    """

    spell: Needed[OwnSpell] = None


@rule("HE-MOD-08", "Spell speed is the casting TN − 10, unless the spell has a speed")
def speed(spell: Spell) -> int:
    """Return the speed: casting TN − 10, or the spell's own speed (HE-MOD-02, HE-MOD-08)."""
    return spell.speed if spell.speed is not None else (spell.casting_tn or 10) - 10


@StandardAction(
    "cast", "Cast a spell", Casting,
    category="cast", headline="Cast {spell|a spell}[ on {target}][ on {targets}]",
    rules={"HE-MOD-02": "The action cast adds the spell speed"}, also=("HE-MAG-01",),
    tool="spell", things=lambda combatant: [spell.id for spell in sheet(combatant).spells],
    find=spell_of, speed=speed, bare=None, modified_by=("HE-MOD-02", "HE-MOD-08"),
    blow=lambda spell: effects.of_spell(spell).blow,
)  # fmt: skip
@rule(
    "HE-MAG-02",
    "A spell with a casting bonus needs a check. After a failure, action and Mana are lost",
)
def cast(play: Play, deed: Deed) -> Procedure[Attacks]:
    """Pay Mana or Stress (HE-MAG-01), make the casting roll, then apply the spell.

    If the roll fails, the caster loses the action and the Mana (HE-MAG-02).
    """
    who, spell = deed.who, spell_of(play.combat[deed.who], deed.tool)
    assert spell is not None
    yield from pay(play, who, spell.mana_cost, 0, deed.inputs.stress_paid)
    if spell.casting_bonus is not None:
        begun = spell

        def now() -> Spell:
            return spell_of(play.combat[who], deed.tool) or begun

        rolled = yield from roll(
            who,
            "casting",
            options(play.combat).check_dice,
            rules=("HE-MAG-02",),
            terms=lambda: (Term(now().id, now().casting_bonus or 0, "HE-MAG-02"),),
            target=lambda: now().casting_tn or 0,
            judge=lambda faces, total, target: "success" if total >= target else "failure",
        )
        if rolled.outcome == "failure":
            failed = effects.of_spell(spell)
            yield effects.came_of(who, failed, "failed", deed.targets(), rule="HE-MAG-02")
            yield Pause("results")
            return []
    effect, aim = effects.of_spell(spell), deed.targets() or (who,)
    return (yield from effects.take_effect(play, who, aim, effect, "cast", tied=deed.tied))
