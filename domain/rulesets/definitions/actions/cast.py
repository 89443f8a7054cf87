"""`cast-spell`, `use-ability`, and touch attacks that are attack actions (DEF-CST, -TCH-07)."""

from collections.abc import Iterator, Mapping

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Json
from domain.rulebook.effects import Procedure
from domain.rulebook.id_names import words
from domain.rulebook.inputs import Enemy, Needed
from domain.rulebook.play import Play
from domain.rulesets.definitions import powers
from domain.rulesets.definitions.actions.attack import not_pinned
from domain.rulesets.definitions.components import components
from domain.rulesets.definitions.costs import (
    AbilityName,
    Kind,
    SpellName,
    Stanced,
    Targets,
    Word,
    stance_refusals,
)
from domain.rulesets.definitions.deeds import Candidates, Requirements, deed, target_of
from domain.rulesets.definitions.powers import KINDS, Use
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.sheet import Power, Spell
from domain.rulesets.definitions.states import sheet_of


class Cast(Stanced, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`signless`: with the feat Signless Spell (DEF-GSP-02). `point`: where, for the GM."""

    spell: SpellName
    targets: Targets = ()
    point: tuple[int, ...] | None = None
    signless: bool = False


class UseAbility(Stanced, frozen=True, forbid_unknown_fields=True, kw_only=True):
    ability: AbilityName
    targets: Targets = ()


class Touch(Stanced, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`source`: a spell or ability with `cost: attack_action`."""

    source: Word
    target: Needed[Enemy] = None
    signless: bool = False


# ---- cast-spell


@rule("DEF-STD-04", "Casting, by the entry's cost")
def spell_kind(combat: Combat, who: Id, inputs: Cast) -> Kind:
    """DEF-STD-04."""
    power = powers.spell(combat[who], inputs.spell)
    return "standard" if power is None else KINDS[power.cost]


def spell_requirements(play: Play, who: Id, inputs: Cast) -> Iterator[Illegal]:
    combat = play.combat
    power = powers.spell(combat[who], inputs.spell)
    if power is None:
        yield Illegal("DEF-CST-01", "no-such-spell", f"{combat[who].name} has no {inputs.spell!r}")
        return
    yield from ordinary(power)
    yield from components(combat, who, power, inputs.signless)
    if power.attack != "none":
        yield from not_pinned(combat, who)
    targets = powers.meant(who, power, inputs.targets, inputs.point)
    yield from powers.target_refusals(combat, who, power, targets, inputs.point)


def ordinary(power: Power) -> Iterator[Illegal]:
    """Refuse a counterspell without a spell to counter. Attack actions have their own refusals."""
    if power.counterspell is not None:
        detail = f"{power.name} counters a spell that is being cast, and does nothing else"
        yield Illegal("DEF-CNT-02", "no-spell", detail, ("counterspell",))
    if power.cost == "attack_action":
        detail = f"{power.name} is an attack action: {words(power.attack)}"
        yield Illegal("DEF-TCH-07", "is-attack-action", detail, (power.attack,))


def spell_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    for power in sheet_of(play.combat[who]).spells:
        for targets in some_targets(play.combat, who, power):
            yield {"spell": power.id, "targets": targets}


def some_targets(combat: Combat, who: Id, power: Power) -> Iterator[list[Json]]:
    """Yield no target, each target alone, and the first two together."""
    everybody: list[Json] = [combatant.id for combatant in combat]
    if not powers.has_data(power) and power.attack == "none":
        yield []
    for one in everybody:
        yield [one]
    if power.attack == "none" and len(everybody) > 1:
        yield everybody[:2]


@rule("DEF-CST-01", "The spell is called out, then threatening foes react")
def cast_spell(play: Play, who: Id, inputs: Cast, place: int) -> Procedure[None]:
    """DEF-CST-01."""
    power = powers.spell(play.combat[who], inputs.spell)
    assert power is not None
    targets = powers.meant(who, power, inputs.targets, inputs.point)
    use = Use(who, power, targets, place, "cast-spell", signless=inputs.signless)
    yield from powers.run(play, use)


CAST_SPELL = deed(
    "cast-spell",
    Cast,
    cast_spell,
    kind=spell_kind,
    requirements=spell_requirements,
    candidates=spell_candidates,
    label="Cast a spell",
    cost="as its entry says, usually standard",
    rules=("DEF-CST-01", "DEF-CST-02", "DEF-STD-04", "DEF-CST-07"),
    interjection=True,
    first=powers.asks_reach(
        "cast-spell", lambda combat, who, inputs: powers.spell(combat[who], inputs.spell)
    ),
).shown("cast", "Cast {spell}[ on {targets}]")


# ---- use-ability


@rule("DEF-STD-05", "Abilities, by the entry's cost")
def ability_kind(combat: Combat, who: Id, inputs: UseAbility) -> Kind:
    """DEF-STD-05."""
    power = powers.ability(combat[who], inputs.ability)
    return "standard" if power is None else KINDS[power.cost]


def ability_requirements(play: Play, who: Id, inputs: UseAbility) -> Iterator[Illegal]:
    combat = play.combat
    power = powers.ability(combat[who], inputs.ability)
    if power is None:
        detail = f"{combat[who].name} has no {inputs.ability!r}"
        yield Illegal("DEF-CST-06", "no-such-ability", detail)
        return
    yield from ordinary(power)
    if power.attack != "none":
        yield from not_pinned(combat, who)
    targets = powers.meant(who, power, inputs.targets)
    yield from powers.target_refusals(combat, who, power, targets)


def ability_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    for power in sheet_of(play.combat[who]).abilities_list:
        for targets in some_targets(play.combat, who, power):
            yield {"ability": power.id, "targets": targets}


def use_ability(play: Play, who: Id, inputs: UseAbility, place: int) -> Procedure[None]:
    power = powers.ability(play.combat[who], inputs.ability)
    assert power is not None
    targets = powers.meant(who, power, inputs.targets)
    yield from powers.run(play, Use(who, power, targets, place, "use-ability"))


USE_ABILITY = deed(
    "use-ability",
    UseAbility,
    use_ability,
    kind=ability_kind,
    requirements=ability_requirements,
    candidates=ability_candidates,
    label="Use an ability",
    cost="as its entry says, standard by default",
    rules=("DEF-CST-06", "DEF-STD-05", "DEF-TRN-09"),
    interjection=True,
    key=lambda inputs: f"use-ability {inputs.ability}",
    first=powers.asks_reach(
        "use-ability", lambda combat, who, inputs: powers.ability(combat[who], inputs.ability)
    ),
).shown("use", "Use {ability}[ on {targets}]")


# ---- melee-touch, ranged-touch


def source(combat: Combat, who: Id, id: str) -> Power | None:
    """The spell, or else the ability."""
    return powers.spell(combat[who], id) or powers.ability(combat[who], id)


def touch_requirements(attack: str) -> Requirements:
    def requirements(play: Play, who: Id, inputs: Touch) -> Iterator[Illegal]:
        combat = play.combat
        power = source(combat, who, inputs.source)
        if power is None or power.cost != "attack_action" or power.attack != attack:
            detail = f"{inputs.source!r} is no {words(attack)} attack action"
            yield Illegal("DEF-TCH-07", "not-an-attack-action", detail)
            return
        if power.counterspell is not None:
            yield from ordinary(power)
        yield from not_pinned(combat, who)
        if isinstance(power, Spell):
            yield from stance_refusals(combat, who, inputs, allowed=False)
            yield from components(combat, who, power, inputs.signless)
        targets = () if inputs.target is None else (inputs.target,)
        yield from powers.target_refusals(combat, who, power, targets)

    return requirements


def touch_candidates(attack: str) -> Candidates:
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


@rule("DEF-TCH-07", "As an attack action, by the entry")
def touch(play: Play, who: Id, inputs: Touch, place: int) -> Procedure[None]:
    """A spell stays a casting: only its cost differs (DEF-TCH-07)."""
    power = source(play.combat, who, inputs.source)
    assert power is not None
    use = Use(who, power, (target_of(inputs),), place, power.attack, True, inputs.signless)
    yield from powers.run(play, use)


MELEE_TOUCH = deed(
    "melee-touch",
    Touch,
    touch,
    kind="attack",
    requirements=touch_requirements("melee-touch"),
    candidates=touch_candidates("melee-touch"),
    label="Melee touch attack",
    rules=("DEF-TCH-01", "DEF-TCH-03", "DEF-TCH-07"),
    melee=True,
).shown("attack", "Touch {target}")
RANGED_TOUCH = deed(
    "ranged-touch",
    Touch,
    touch,
    kind="attack",
    requirements=touch_requirements("ranged-touch"),
    candidates=touch_candidates("ranged-touch"),
    label="Ranged touch attack",
    rules=("DEF-RTC-01", "DEF-RTC-02", "DEF-RTC-03"),
    ranged=True,
).shown("attack", "Touch {target} from afar")
