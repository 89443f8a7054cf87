"""The data for the board, and the routine that an attack uses by default (section 2.1)."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from domain.errors import Refused
from domain.record.combat import Combat, Combatant, Id, Json, OpenPrompt
from domain.rulebook.distances import Between
from domain.rulebook.input_reader import read
from domain.rulebook.sums import Making, Numbers, Sum
from domain.rulesets.vile_darkness.abilities import OPAQUE, line, obstacles, spell_declared
from domain.rulesets.vile_darkness.actions.attack import Attacking, attack, use
from domain.rulesets.vile_darkness.actions.fast_actions import Charging, charge_use
from domain.rulesets.vile_darkness.facts import (
    ADDED,
    BEGUN,
    CASTING,
    COMMITTED,
    FREE_ATTACKS,
    MAINTAINED,
    PLAN,
    WORK,
    Spot,
)
from domain.rulesets.vile_darkness.numbers import (
    HitDice,
    ac_terms,
    attack_band,
    attack_dice,
    engaged_with,
    hit_dice,
    morale_bonus,
    overall_dice,
    save_dice,
    sheet,
)
from domain.rulesets.vile_darkness.places import apart
from domain.rulesets.vile_darkness.reactions import Taking, primary_use
from domain.rulesets.vile_darkness.routines import Use, out_of_range, out_of_reach, uses, weapon_of
from domain.rulesets.vile_darkness.slots import DECLARE, completion, rank, unfinished_major

# ---- derived values


KINDS: Final = ("all", "melee", "missile")

PUBLIC = ("rank", "begun", "engaged_with", "major_used")
"The values that other sides may see (GAP-56)."


def _of_dice(make: Callable[[HitDice], Sum]) -> Making:
    """Return a function that computes a number from the hit dice of a sheet.

    For a sheet without hit dice, the function returns `None`.
    """

    def number(combat: Combat, who: Id) -> Sum | None:
        dice = hit_dice(sheet(combat[who]))
        return None if dice is None else make(dice)

    return number


def armour_class(combat: Combat, who: Id) -> Numbers:
    """Return the Armour Class as one number, or as one number for each kind of attack.

    There are several numbers only if they differ (VD-AC-02).
    """
    every, melee, missile = (ac_terms(combat, combat[who], kind) for kind in KINDS)
    if every.exact == melee.exact == missile.exact:
        return every
    return {"all": every, "melee": melee, "missile": missile}


def beside_the_major(combat: Combat, combatant: Combatant) -> int:
    """Return the segments of the activities that go with a committed attack (VD-MIN-05)."""
    committed = COMMITTED.of(combatant)
    if committed is None or committed.action != attack.id:
        return 0
    try:
        return attack.beside(combat, combatant, read(committed.inputs, Attacking))
    except Refused:
        return 0  # an activity or item in the inputs no longer exists


NUMBERS: Mapping[str, Making] = {
    "attack_hd": _of_dice(attack_dice),
    "save_hd": _of_dice(save_dice),
    "overall_hd": _of_dice(overall_dice),
    "morale_bonus": lambda combat, who: Sum().add(
        "enhancement", morale_bonus(sheet(combat[who])), "VD-EHD-06", why="it has none"
    ),
    "effective_ac": armour_class,
    "added_segments": lambda combat, who: (
        Sum()
        .add("minor actions with a time", ADDED.of(combat[who]), "VD-MIN-05", "state")
        .add("with the major action", beside_the_major(combat, combat[who]), "VD-MIN-05", "state")
    ),
}
"The numbers that Affray shows on the board, with their sums."


def declared_major(combat: Combat, combatant: Combatant) -> str | None:
    """Return the major action declared in step 1, or `None` outside step 1 (VD-DECL-08)."""
    return PLAN.of(combatant).action if combat.phase == DECLARE else None


def spell_used(combatant: Combatant) -> bool:
    """Return true if the spell of the round is used or declared (GAP-38)."""
    spent = "spell" in combatant.budget and combatant.budget["spell"] < 1
    return spent or spell_declared(combatant) is not None


def shown(combat: Combat, who: Id) -> Mapping[str, Any]:
    """Return the data of a combatant that the board shows beside its numbers."""
    combatant = combat[who]
    dice = hit_dice(sheet(combatant))
    committed, casting, work = (
        unfinished_major(combatant),
        CASTING.of(combatant),
        WORK.of(combatant),
    )
    return {
        "attack_band": attack_band(dice) if dice else None,
        "rank": rank(combat, combatant),
        "engaged_with": list(engaged_with(combatant)),
        "major_used": "major" in combatant.budget and combatant.budget["major"] < 1,
        "major_committed": committed.action if committed else declared_major(combat, combatant),
        "spell_used": spell_used(combatant),
        "free_attacks_made": [
            {"slot": free_attack.slot, "against": free_attack.against}
            for free_attack in FREE_ATTACKS.of(combatant)
        ],
        "concentrating_on": MAINTAINED.of(combatant) or None,
        "casting": {"ability": casting.ability, "segment": completion(combatant, casting)}
        if casting
        else None,
        "complex": work.name if work else None,
        "begun": BEGUN.of(combatant) or None,
    }


# ---- between two combatants


def between(combat: Combat, who: Id, target: Id) -> Between:
    """Return distance, lines and reach for an attack or a spell of `who` on `target`.

    - `distance` is in ft, from centre to centre.
    - `cover` and `concealment` are percentages that the GM has set.
    - `effect` is true if a line of effect joins the two combatants.
    """
    feet = apart(combat, who, target)
    spot = Spot(combatant=target)
    said = line(combat, who, spot)
    return Between(
        distance=None if feet is None else round(feet, 2),
        unit="ft",
        line=said.concealment < OPAQUE,
        cover=said.cover,
        reach=None if feet is None else tuple(_reaching(combat, who, target)),
        words={"concealment": said.concealment, "effect": not any(obstacles(combat, who, spot))},
    )


def _reaching(combat: Combat, who: Id, target: Id) -> Iterator[str]:
    for routine in uses(combat[who]):
        refusals = out_of_range if routine.kind == "missile" else out_of_reach
        if not any(refusals(combat, who, target, routine)):
            yield routine.id


# ---- fields that an attack omits


def omitted(
    combat: Combat, who: Id, prompt: OpenPrompt | None, option: str, inputs: Mapping[str, Json]
) -> Mapping[str, Json]:
    """Return the routine or weapon that an attack uses if its inputs name none."""
    if inputs.get("routine") is not None or inputs.get("weapon") is not None:
        return {}
    use = _use(combat, who, prompt, option, inputs)
    if use is None:
        return {}
    kind = "routine" if weapon_of(combat[who], use.id) is None else "weapon"
    return {kind: use.id}


def _use(
    combat: Combat, who: Id, prompt: OpenPrompt | None, option: str, inputs: Mapping[str, Json]
) -> Use | None:
    combatant = combat[who]
    if option == "attack":
        return use(combat, combatant, Attacking())
    if option == "charge":
        return charge_use(combatant, Charging())
    if prompt is not None and (prompt.name, option) == ("free-attack", "take"):
        target = inputs.get("target") or prompt.data.get("mover")
        if isinstance(target, str) and target in combat.combatants:
            return primary_use(combat, who, target, Taking())
    return None
