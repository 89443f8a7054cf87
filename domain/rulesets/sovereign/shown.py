"""What the board shows of a combatant: derived numbers, and a word for its wounds."""

from collections.abc import Mapping

from domain.record.combat import Combat, Combatant, Id, Json
from domain.rulesets.sovereign import abilities, arms, board, items
from domain.rulesets.sovereign.facts import CAST, SCREENED, SHIELD_USED
from domain.rulesets.sovereign.numbers import HELPLESS, effective_ac, rate_ft, sheet_of
from domain.rulesets.sovereign.sheet import Weapon


def derived(combat: Combat, who: Id) -> Mapping[str, Json]:
    """The numbers that the board shows."""
    one = combat[who]
    fell = next((held for held in one.all("mortally-injured")), None)
    return {
        "effective_ac": effective_ac(one),
        "budget": {kind: one.budget.get(kind, 0) for kind in ("main", "move")},
        "armed": arms.armed(combat, who),
        "in_melee": arms.in_melee(combat, who),
        "shield_used": SHIELD_USED.of(one),
        "screened_attackers": list(SCREENED.of(one)),
        "rounds_since_fall": None
        if fell is None
        else combat.round - int(fell.data.get("round", combat.round)),
        "movement_ft": rate_ft(one),
        "in_hand": [weapon.id for weapon in arms.in_hand(one)],
        "space": board.space(one),
        "weapons": [carried(one, weapon) for weapon in arms.weapons(one)],
        "items": [
            {"id": item.id, "name": item.name, "state": items.item_state(one, item)}
            for item in items.items(one)
        ],
        "uses_left": uses_left(one),
        "near": [
            {"id": thing.id, "name": thing.name, "of": thing.of}
            for thing in items.within_reach(combat, who)
        ],
    }


def carried(one: Combatant, weapon: Weapon) -> Mapping[str, Json]:
    """Where a weapon is, whether it is loaded, how many pieces are left."""
    return {
        "id": weapon.id,
        "name": weapon.name,
        "state": arms.state(one, weapon),
        "loaded": arms.loaded(one, weapon),
        "count": arms.count(one, weapon),
    }


def uses_left(one: Combatant) -> Mapping[str, int]:
    """Of abilities and spells that can be used up, by id."""
    page, cast = sheet_of(one), CAST.of(one)
    return {
        **{
            ability.id: max(0, ability.uses - abilities.used(one, ability.id))
            for ability in page.abilities
            if ability.uses is not None
        },
        **{
            spell.id: max(0, spell.uses - cast.get(spell.id, 0))
            for spell in page.spells
            if spell.uses is not None
        },
    }


def wound_word(combat: Combat, who: Id) -> str:
    """How somebody looks to a foe."""
    one = combat[who]
    for word in HELPLESS:
        if one.has(word):
            return word
    hp = one.tracks["hp"]
    if hp.maximum is None or hp.value >= hp.maximum:
        return "unhurt"
    return "hurt" if hp.value * 2 > hp.maximum else "bloodied"
