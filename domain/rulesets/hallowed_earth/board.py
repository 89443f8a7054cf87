"""Combatant data for the board, and words for wounds (section 2.1)."""

from collections.abc import Mapping
from typing import Any

from domain.record.combat import Combat, Id, Json, OpenPrompt
from domain.rulebook.distances import Between
from domain.rulebook.facts import Fact
from domain.rulebook.sums import Making, Sum
from domain.rulesets.hallowed_earth.actions.reposte import first_weapon
from domain.rulesets.hallowed_earth.attack import of_weapon, reaches
from domain.rulesets.hallowed_earth.count import declaration
from domain.rulesets.hallowed_earth.facts import (
    BASE,
    CARRIED,
    CRAWLED,
    DECLARED,
    INJURIES,
    MOVED,
    ROUND_INITIATIVE,
    TAKEN,
    WOUNDS,
)
from domain.rulesets.hallowed_earth.numbers import (
    CRAWL_FT,
    apart,
    armour,
    attribute_now,
    defense,
    dies_at,
    movement,
    must_crawl,
    threat_range,
)
from domain.rulesets.hallowed_earth.sheet import ATTRIBUTES
from domain.rulesets.hallowed_earth.things import usable


def base_initiative(combat: Combat, who: Id) -> Sum | None:
    """Return Base Initiative, which includes the modifiers at the time of the roll.

    HE-INIT-02, HE-INIT-05.
    """
    combatant = combat[who]
    return (
        Sum().add("initiative", BASE.of(combatant), "HE-INIT-02", "roll")
        if BASE.known(combatant)
        else None
    )


def round_initiative(combat: Combat, who: Id) -> Sum | None:
    """Return Base Initiative plus the modifier of the declaration (HE-INIT-07)."""
    combatant = combat[who]
    if not ROUND_INITIATIVE.known(combatant):
        return None
    base, declared = BASE.of(combatant), DECLARED.of(combatant)
    total = Sum().add("initiative", base, "HE-INIT-02", "roll")
    label = "declared" if declared is None else declared.action
    why = f"{label} adds nothing"
    return total.add(label, ROUND_INITIATIVE.of(combatant) - base, "HE-INIT-07", "state", why=why)


def _counted(fact: Fact[Any], label: str, rule: str) -> Making:
    """Return a function that shows the value of `fact` on the board, under `label`."""
    return lambda combat, who: Sum().add(label, fact.of(combat[who]), rule, "state")


def _limit_shown(combat: Combat, who: Id) -> Sum:
    combatant = combat[who]
    if must_crawl(combatant):
        total = Sum().add("a yard", CRAWL_FT, "HE-INC-02", "rulebook")
        return total.lacks("speed", "it can only crawl", "HE-INC-02", "condition")
    return movement(combat, combatant)


NUMBERS: Mapping[str, Making] = {
    "base_initiative": base_initiative,
    "round_initiative": round_initiative,
    "actions_this_round": _counted(TAKEN, "taken this round", "HE-DYING-02"),
    "moved_ft": _counted(MOVED, "moved this round", "HE-MOVE-02"),
    "move_limit_ft": _limit_shown,
    "crawl_progress_ft": _counted(CRAWLED, "crawled", "HE-INC-02"),
    "current_attributes": lambda combat, who: {
        attribute: attribute_now(combat[who], attribute) for attribute in ATTRIBUTES
    },
    "defense": lambda combat, who: defense(combat, combat[who]),
    "armour_score": lambda combat, who: armour(combat[who]),
    "threat_range_ft": lambda combat, who: threat_range(combat[who]),
    "dies_at": lambda combat, who: dies_at(combat[who]),
}
"""The numbers that the board shows."""


def shown(combat: Combat, who: Id) -> Mapping[str, Json]:
    """Return the rulebook's own data for the board."""
    combatant = combat[who]
    facts, kinds = combatant.facts, ("standard", "free", "reaction")
    declared = facts.get(DECLARED.name)
    # Everybody sees the declaration. Its modifier would reveal a foe's number.
    if declared is not None:
        declared = {key: value for key, value in declared.items() if key != "modifier"}
    return {
        "declared": declared,
        "carried": next(iter(facts.get(CARRIED.name, ())), None),
        **{f"{kind}_used": combatant.budget.get(kind, 1) < 1 for kind in kinds},
        "wounds": facts.get(WOUNDS.name, []),
        "injuries": facts.get(INJURIES.name, []),
    }


def wound_word(combat: Combat, who: Id) -> str:
    """Return the word that describes the combatant's wounds to its foes, such as "hurt"."""
    combatant = combat[who]
    down = combatant.first("dead", "stabilized", "dying", "incapacitated")
    wounds, stress = combatant.tracks["wound_points"], combatant.tracks["stress"]
    if down is not None or not wounds.is_full:
        return down or "hurt"
    return "winded" if stress.maximum and stress.value * 2 <= stress.maximum else "unhurt"


def between(combat: Combat, who: Id, target: Id) -> Between:
    """Return the distance from `who` to `target`, the weapons in reach, and `threatens`.

    `threatens` is true if the target is in the threat range of `who`. The rulebook has no rules for
    sight or cover.
    """
    combatant = combat[who]
    feet = apart(combat, who, target)
    return Between(
        distance=feet,
        unit="ft",
        reach=None
        if feet is None
        else tuple(
            weapon.id
            for weapon in usable(combatant)
            if next(reaches(combat, who, target, of_weapon(weapon)), None) is None
        ),
        words={"threatens": None if feet is None else feet <= threat_range(combatant).value},
    )


TOOLS = ("weapon", "spell", "item", "ability", "skill")


def omitted(
    combat: Combat, who: Id, prompt: OpenPrompt | None, option: str, inputs: Mapping[str, Json]
) -> Mapping[str, Json]:
    """Return the tool that the inputs omit.

    It is the declared tool (HE-DECL-11), or the first ready weapon for a Reposte.
    """
    if prompt is not None and (prompt.name, option) == ("reposte", "take"):
        at = inputs.get("attacker") or prompt.data.get("attacker") or prompt.data.get("mover")
        weapon = None if inputs.get("weapon") else first_weapon(combat, who, at)
        return {} if weapon is None else {"weapon": weapon}
    declared = declaration(combat, who)
    if declared.action != option:
        return {}
    return {tool: name for tool in TOOLS if (name := getattr(declared, tool)) is not None}
