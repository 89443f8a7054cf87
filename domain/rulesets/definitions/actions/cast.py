"""The actions `cast-spell` and `use-ability`, and touch attacks (DEF-CST, DEF-TCH-07)."""

from collections.abc import Callable, Iterator, Mapping

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Json
from domain.rulebook.declaration import Act, Shared, refuse
from domain.rulebook.effects import Procedure
from domain.rulebook.id_names import words
from domain.rulebook.inputs import Needed, SquareInput
from domain.rulebook.play import Play
from domain.rulesets.definitions import powers
from domain.rulesets.definitions.costs import (
    AbilityName,
    SpellName,
    Stanced,
    Targets,
    Word,
    stance_refusals,
)
from domain.rulesets.definitions.deed import Kind
from domain.rulesets.definitions.deeds import (
    AIMED,
    ATTACK,
    MELEE,
    SHOT,
    Attempt,
    Others,
    Price,
    priced,
)
from domain.rulesets.definitions.manoeuvre import Target, not_pinned
from domain.rulesets.definitions.powers import KINDS, Use
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.sheet import Power, Spell
from domain.rulesets.definitions.states import components, sheet_of


class Cast(Stanced, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs for casting a spell.

    - `signless`: true if the caster makes no gestures (feat Signless Spell, DEF-GSP-02).
    - `point`: the square at which the caster aims, if the spell needs no target.
    """

    spell: SpellName
    targets: Targets = ()
    point: SquareInput | None = None
    signless: bool = False


class UseAbility(Stanced, frozen=True, forbid_unknown_fields=True, kw_only=True):
    ability: AbilityName
    targets: Targets = ()


class Touch(Stanced, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of a touch attack. `source` is a spell or ability with `cost: attack_action`."""

    source: Word
    target: Needed[Target] = None
    signless: bool = False


# ---- cast-spell


@rule("DEF-STD-04", "The spell's entry gives the action that casting costs")
def spell_kind(combat: Combat, who: Id, inputs: Cast) -> Kind:
    """Return the kind of action that a spell costs, by default a standard action."""
    power = powers.spell(combat[who], inputs.spell)
    return "standard" if power is None else KINDS[power.cost]


def castable(act: Act[Cast]) -> Iterator[Illegal]:
    """Refuse an unknown spell, and a spell without its components or legal targets."""
    inputs = act.inputs
    power = powers.spell(act.actor, inputs.spell)
    if power is None:
        detail = f"{act.actor.name} has no {inputs.spell!r}"
        yield refuse("DEF-CST-01", "no-such-spell", detail, "spell")
        return
    yield from ordinary(power, "spell")
    yield from components(act.combat, act.who, power, inputs.signless, "spell")
    if power.attack != "none":
        yield from not_pinned(act)
    targets = powers.meant(act.who, power, inputs.targets, inputs.point)
    yield from powers.target_refusals(act.combat, act.who, power, targets, inputs.point)


def ordinary(power: Power, field: str) -> Iterator[Illegal]:
    """Refuse a power that only counters spells, and a power that is an attack action."""
    if power.counterspell is not None:
        detail = f"{power.name} counters a spell that is being cast, and does nothing else"
        yield refuse("DEF-CNT-02", "no-spell", detail, field, ("counterspell",))
    if power.cost == "attack_action":
        detail = f"{power.name} is an attack action: {words(power.attack)}"
        yield refuse("DEF-TCH-07", "is-attack-action", detail, field, (power.attack,))


def spell_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Propose each spell with some targets."""
    for power in sheet_of(play.combat[who]).spells:
        for targets in some_targets(play.combat, who, power):
            yield {"spell": power.id, "targets": targets}


def some_targets(combat: Combat, who: Id, power: Power) -> Iterator[list[Json]]:
    """Yield lists of targets: an empty list, a list for each combatant, and a list of two.

    If the power affects its user by default, the first list contains the user. The user then also
    comes before the other combatants. A power with an attack roll has only one target.
    """
    everybody: list[Json] = [combatant.id for combatant in combat]
    own = list(powers.meant(who, power, ()))
    if own or (not powers.has_data(power) and power.attack == "none"):
        yield [*own]
    everybody.sort(key=lambda id: id not in own)
    for id in everybody:
        yield [id]
    if power.attack == "none" and len(everybody) > 1:
        yield everybody[:2]


@priced(
    "cast-spell", "Cast a spell", Cast, Price(spell_kind, "usually standard"),
    Others(asks=powers.asks_reach(
        lambda combat, who, inputs: powers.spell(combat[who], inputs.spell)
    )),
    category="cast", headline="Cast {spell}[ on {targets}]",
    rules={"DEF-CST-01": "A caster names the spell, and then foes that threaten it react"},
    also=("DEF-CST-02", "DEF-STD-04", "DEF-CST-07"),
    refusals=(castable,),
    propose=spell_candidates,
    interjection=True,
)  # fmt: skip
def cast_spell(act: Attempt[Cast]) -> Procedure[None]:
    """Cast the spell (DEF-CST-01)."""
    inputs = act.inputs
    power = powers.spell(act.actor, inputs.spell)
    assert power is not None
    targets = powers.meant(act.who, power, inputs.targets, inputs.point)
    use = Use(act.who, power, targets, act.place, "cast-spell", signless=inputs.signless)
    yield from powers.run(act.play, use)


# ---- use-ability


@rule("DEF-STD-05", "The ability's entry gives the action that it costs")
def ability_kind(combat: Combat, who: Id, inputs: UseAbility) -> Kind:
    """Return the kind of action that an ability costs, by default a standard action."""
    power = powers.ability(combat[who], inputs.ability)
    return "standard" if power is None else KINDS[power.cost]


def usable(act: Act[UseAbility]) -> Iterator[Illegal]:
    """Refuse an unknown ability, and an ability without legal targets."""
    power = powers.ability(act.actor, act.inputs.ability)
    if power is None:
        detail = f"{act.actor.name} has no {act.inputs.ability!r}"
        yield refuse("DEF-CST-06", "no-such-ability", detail, "ability")
        return
    yield from ordinary(power, "ability")
    if power.attack != "none":
        yield from not_pinned(act)
    targets = powers.meant(act.who, power, act.inputs.targets)
    yield from powers.target_refusals(act.combat, act.who, power, targets)


def ability_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Propose each ability with some targets."""
    for power in sheet_of(play.combat[who]).abilities_list:
        for targets in some_targets(play.combat, who, power):
            yield {"ability": power.id, "targets": targets}


@priced(
    "use-ability", "Use an ability", UseAbility,
    Price(ability_kind, "usually standard",
          key=lambda inputs: f"use-ability {inputs.ability}"),
    Others(asks=powers.asks_reach(
        lambda combat, who, inputs: powers.ability(combat[who], inputs.ability)
    )),
    under="DEF-CST-06",
    category="use", headline="Use {ability}[ on {targets}]",
    rules={},
    also=("DEF-STD-05", "DEF-TRN-09"),
    refusals=(usable,),
    propose=ability_candidates,
    interjection=True,
)  # fmt: skip
def use_ability(act: Attempt[UseAbility]) -> Procedure[None]:
    """Use the ability (DEF-CST-06)."""
    power = powers.ability(act.actor, act.inputs.ability)
    assert power is not None
    targets = powers.meant(act.who, power, act.inputs.targets)
    yield from powers.run(act.play, Use(act.who, power, targets, act.place, "use-ability"))


# ---- melee-touch, ranged-touch


def source(combat: Combat, who: Id, id: str) -> Power | None:
    """Return the spell with this id, or else the ability."""
    return powers.spell(combat[who], id) or powers.ability(combat[who], id)


def touching(attack: str) -> Shared:
    """Return a check of the source, components and targets of this kind of touch attack."""

    def refusals(act: Act[Touch]) -> Iterator[Illegal]:
        combat, who, inputs = act.combat, act.who, act.inputs
        power = source(combat, who, inputs.source)
        if power is None or power.cost != "attack_action" or power.attack != attack:
            detail = f"{inputs.source!r} is no {words(attack)} attack action"
            yield refuse("DEF-TCH-07", "not-an-attack-action", detail, "source")
            return
        if power.counterspell is not None:
            yield from ordinary(power, "source")
        yield from not_pinned(act)
        if isinstance(power, Spell):
            yield from stance_refusals(combat, who, inputs, allowed=False)
            yield from components(combat, who, power, inputs.signless, "source")
        targets = () if inputs.target is None else (inputs.target,)
        yield from powers.target_refusals(combat, who, power, targets, field="target")

    return refusals


def touch_candidates(attack: str) -> Callable[[Play, Id], Iterator[Mapping[str, Json]]]:
    """Return a function that proposes each suitable spell or ability at every combatant."""

    def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
        page = sheet_of(play.combat[who])
        powers: tuple[Power, ...] = (*page.spells, *page.abilities_list)
        for power in powers:
            if power.cost == "attack_action" and power.attack == attack:
                for combatant in play.combat:
                    yield {"source": power.id, "target": combatant.id}
        if not any(power.cost == "attack_action" for power in powers):
            yield {"source": "none"}

    return candidates


def touch(act: Attempt[Touch]) -> Procedure[None]:
    """Deliver a spell or ability by touch.

    A spell has the usual steps of a casting. Only its cost differs (DEF-TCH-07).
    """
    inputs = act.inputs
    power = source(act.combat, act.who, inputs.source)
    assert power is not None
    use = Use(act.who, power, (act.aim,), act.place, power.attack, True, inputs.signless)
    yield from powers.run(act.play, use)


@priced(
    "melee-touch", "Melee touch attack", Touch, ATTACK, MELEE, under="DEF-TCH-01",
    category="attack", headline="Touch {target}",
    rules={"DEF-TCH-07": "A spell with the cost attack_action is an attack action"},
    also=("DEF-TCH-03",),
    refusals=(touching("melee-touch"),),
    propose=touch_candidates("melee-touch"),
)  # fmt: skip
def melee_touch(act: Attempt[Touch]) -> Procedure[None]:
    """Make a melee touch attack (DEF-TCH-01)."""
    yield from touch(act)


@priced(
    "ranged-touch", "Ranged touch attack", Touch, SHOT, AIMED, under="DEF-RTC-01",
    category="attack", headline="Touch {target} from afar",
    rules={},
    also=("DEF-RTC-02", "DEF-RTC-03"),
    refusals=(touching("ranged-touch"),),
    propose=touch_candidates("ranged-touch"),
)  # fmt: skip
def ranged_touch(act: Attempt[Touch]) -> Procedure[None]:
    """Make a ranged touch attack (DEF-RTC-01)."""
    yield from touch(act)
