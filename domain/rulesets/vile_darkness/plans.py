"""The declared actions of a slot, which a combatant can follow without a prompt.

An optional declaration does not bind (VD-DECL-03). Its owner gets a prompt in the slot, unless the
owner has answered `as-declared`.
"""

from dataclasses import replace
from typing import Any

from domain.record.combat import Combat, Combatant, Id
from domain.rulebook.id_names import words
from domain.rulebook.input_reader import read
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option
from domain.rulebook.secrecy import known_by
from domain.rulesets.vile_darkness import routines
from domain.rulesets.vile_darkness.abilities import declared_by
from domain.rulesets.vile_darkness.actions import ACTIONS
from domain.rulesets.vile_darkness.actions.abilities import innate
from domain.rulesets.vile_darkness.actions.attack import KINDS, attack
from domain.rulesets.vile_darkness.actions.called_shot import called_shot, grab_item
from domain.rulesets.vile_darkness.actions.fast_actions import charge
from domain.rulesets.vile_darkness.actions.movement import move
from domain.rulesets.vile_darkness.deed import Deed, refusal
from domain.rulesets.vile_darkness.facts import COMMITTED, PLAN, Intent
from domain.rulesets.vile_darkness.numbers import ability_of, in_fight, options
from domain.rulesets.vile_darkness.options import Kind
from domain.rulesets.vile_darkness.slots import FAST_ACTIONS, GO_LAST, free_major, kind_of, part
from domain.rulesets.vile_darkness.targets import target_of

DEEDS = {id: action for id, action in ACTIONS.items() if isinstance(action, Deed)}

ATTACKS = (attack.id, called_shot.id, grab_item.id)
"The optional declarations of an attack in D2 or D3."

OF_DEFAULTS = (*FAST_ACTIONS, *ATTACKS, move.id)
"The declared actions that become the default of a slot's prompt."


def has_major(combatant: Combatant) -> bool:
    """Return true if the major action is neither used nor committed (VD-MAJ-01)."""
    return next(free_major(combatant), None) is None


# ---- the plan of a slot


def of_slot(play: Play, who: Id, slot: str) -> tuple[Intent, ...]:
    """Return the declared actions that belong to a slot."""
    combat, combatant = play.combat, play.combat[who]
    match slot.partition("/")[0]:
        case "fast":
            return tuple(
                intent
                for intent in declared_by(combatant)
                if FAST_ACTIONS.get(intent.action) == part(slot)
            )
        case "group":
            return _of_phase(play, who, kind_of(combat, part(slot)))
        case "multi-primary":
            return _of_actions(combatant, ATTACKS)
        case "multi-rest":
            first = _of_actions(combatant, (*ATTACKS, charge.id))
            return tuple(Intent(attack.id, {"target": it.inputs.get("target")}) for it in first)
        case name if name == GO_LAST:
            return _powers(combatant, "go_last")
        case _:
            return ()


def _of_phase(play: Play, who: Id, kind: Kind) -> tuple[Intent, ...]:
    combatant = play.combat[who]
    if kind == "innate":
        return _powers(combatant, None)
    if kind == "other":
        return _of_actions(combatant, (move.id,))
    strikes = _of_actions(combatant, ATTACKS)
    return tuple(intent for intent in strikes if _belongs(play, who, intent, kind))


def _of_actions(combatant: Combatant, actions: tuple[str, ...]) -> tuple[Intent, ...]:
    plan = PLAN.of(combatant)
    return (Intent(plan.action, plan.inputs),) if plan.action in actions else ()


def _powers(combatant: Combatant, timing: str | None) -> tuple[Intent, ...]:
    """Return the declared innate abilities with this timing."""
    said = (intent for intent in declared_by(combatant) if intent.action == innate.id)
    powers = ((intent, ability_of(combatant, intent.inputs.get("ability"))) for intent in said)
    return tuple(intent for intent, power in powers if power and power.timing == timing)


def _belongs(play: Play, who: Id, intent: Intent, kind: Kind) -> bool:
    """Return true if a declared attack belongs to this phase, D2 or D3.

    A routine or weapon in the inputs decides the phase. Otherwise the attack belongs to the first
    phase in which it is possible.
    """
    combatant, said = play.combat[who], intent.inputs
    if said.get("routine") or said.get("weapon"):
        names = (said.get("routine"), said.get("weapon"), said.get("mode"))
        use = routines.chosen(combatant, None, *names)
        return use is not None and use.kind == kind
    order = options(play.combat).group_action_order
    later = order[order.index(kind) + 1 :]
    if not any(other in KINDS and routines.uses(combatant, other) for other in later):
        return True
    return is_possible(play, who, intent)


def is_possible(play: Play, who: Id, intent: Intent) -> bool:
    """Return true if the owner knows of no reason against the action.

    A fallen target is such a reason.
    """
    known = Play(play.ruleset, known_by(play.combat, who))
    deed = DEEDS[intent.action]
    inputs = read(intent.inputs, deed.inputs)
    target = target_of(play.combat, inputs)
    if target is not None and not _stands(known.combat, target):
        return False
    return refusal(known, who, deed, inputs) is None


def _stands(combat: Combat, who: Id) -> bool:
    return who in combat.combatants and in_fight(combat, who)


def has_failed(combat: Combat, combatant: Combatant, slot: str) -> bool:
    """Return true if the plan cannot continue without a prompt to its owner.

    - In the phase of other actions, a plan with activities needs a prompt (VD-DECL-07).
    - After the phase of innate actions, an unused major action needs a prompt if no later phase can
      carry it out.
    """
    plan = PLAN.of(combatant)
    if not slot.startswith("group/"):
        return False
    order = options(combat).group_action_order
    kind = kind_of(combat, part(slot))
    if kind == "other" and plan.activities:
        return True
    if plan.action is None or not has_major(combatant) or plan.action == innate.id:
        return False
    later = order[order.index(kind) + 1 :]
    waits = KINDS if plan.action in ATTACKS else ("other",) if plan.action == move.id else ()
    return kind != "innate" and not any(other in later for other in waits)


# ---- the prompt of a slot


def default_of(play: Play, combat: Combat, who: Id, slot: str) -> Intent | None:
    """Return the declared action that is the default of the slot's prompt, or `None`."""
    now = Play(play.ruleset, combat)
    intents = of_slot(now, who, slot)
    if slot.startswith("multi-rest") or len(intents) != 1:
        return None
    (intent,) = intents
    committed = COMMITTED.of(combat[who])
    is_free = committed is None or committed.action == intent.action
    is_usual = intent.action in OF_DEFAULTS
    return intent if is_usual and is_free and is_possible(now, who, intent) else None


NOUNS = {
    "attack": ("an attack", "on"),
    "called-shot": ("a called shot", "at"),
    "grab-item": ("a grab", "at something of"),
    "charge": ("a charge", "at"),
    "go-first": ("to go first", "before"),
    "move": ("a move", "to"),
    "parley": ("a parley", "with"),
    "flee": ("a flight", "from"),
}
"""Declared actions as nouns, with the preposition before a target."""


def told(intent: Intent) -> str:
    """Return a declared action as a noun with its target, such as "an attack on Ana"."""
    target = intent.inputs.get("target")
    noun, preposition = NOUNS.get(intent.action, (words(intent.action), "on"))
    return f"{noun} {preposition} {target}" if isinstance(target, str) else noun


def completed(combatant: Combatant, action: str, inputs: Any) -> Any:
    """Return the declared inputs if the answer has none, else the inputs of the answer."""
    plan = PLAN.of(combatant)
    if plan.action != action or inputs != type(inputs)():
        return inputs
    return read(plan.inputs, type(inputs))


def completing(deed: Deed) -> Option:
    """Return the action as an option. An answer without inputs uses the declared inputs."""

    def refusals(play: Play, who: Id, inputs: Any) -> Any:
        return deed.refusals(play, who, completed(play.combat[who], deed.id, inputs))

    return replace(deed, refusals=refusals)
