"""The sentences of the log for this rulebook."""

from collections.abc import Mapping

from domain.record.combat import Combat, Id, Json, OpenPrompt
from domain.rulebook.phrases import Phrases
from domain.rulesets.sovereign.arms import ready_blade
from domain.rulesets.sovereign.blow import chosen, mode_of

PHRASES = Phrases(
    harms=frozenset({"shock"}),
    actions={
        "melee-attack": "{who} attacks[ {target}][ with {weapon}]",
        "ranged-attack": "{who} shoots[ at {target}][ with {weapon}]",
        "snap-attack": "{who} makes a snap attack[ on {target}][ with {weapon}][ at {at}]",
        "swarm-attack": "{who} joins a swarm[ on {target}][ with {weapon}][ and has it {strike}]",
        "swarm-strike": "{striker|who} strikes for the swarm[ at {target}][ with {weapon}]",
        "charge": "{who} charges[ {target}][ with {weapon}][, to {to|path}]",
        "screen-ally": "{who} screens {ward}[ and goes to {path}]",
        "total-defense": "{who} chooses total defense",
        "run": "{who} moves[ to {path}]",
        "disengage": "{who} disengages",
        "use-skill": "{who} uses {skill}[ with {attribute}][: {intent}]",
        "stabilize": "{who} gives {target} first aid[ with the help of {helpers}]",
        "use-item": "{who} uses {item}[ on {target}]",
        "ready-item": "{who} readies {item|weapon}",
        "stow-item": "{who} stows {item|weapon}",
        "sheathe": "{who} sheathes {weapon|item}",
        "draw": "{who} draws {weapon|item}",
        "drop-item": "{who} drops {item|weapon}",
        "wield": "{who} wields {weapons}",
        "reload": "{who} reloads {weapon}",
        "pick-up": "{who} picks up {item}",
        "stand-up": "{who} stands up[ and takes {items}]",
        "go-prone": "{who} goes prone",
        "hold-action": "{who} holds the rest of the turn",
        "trigger-held": "{who} takes the turn that was held",
        "shove": "{who} tries to shove {target}[ {result}][ with {weapon}]",
        "grapple": "{who} tries to grapple {target}",
        "escape-grapple": "{who} tries to break out of the grapple",
        "move-grappled": "{who} moves with the grappled foe[ to {to}]",
        "release-grapple": "{who} lets go",
        "prepare-execution": "{who} prepares an execution attack[ on {target}][ with {weapon}]",
        "execution-attack": "{who} makes an execution attack[ on {target}]",
        "cast-spell": "{who} casts {spell}[ on {targets}][ at {centre}]",
        "use-ability": "{who} uses {ability}[ on {target}]",
        "speak": "{who} speaks",
        "improvise": "{who} tries something: {what}[, hoping for {hoped_for}]",
        "attack-of-opportunity": "{who} takes an attack of opportunity[ on {mover|actor}]"
        "[ with {weapon}]",
        "end-turn": "{who} ends the turn",
    },
    answers={
        (
            "instant",
            "pass",
        ): "{who} does not react to the {action}[ of {actor|attacker}][ ({outcome})]",
        ("attack-of-opportunity", "pass"): "{who} takes no attack of opportunity"
        "[ on {mover|actor}]",
        ("screen-block", "block"): "{who} steps between {attacker} and {target|ward}",
        ("screen-block", "pass"): "{who} does not step between {attacker} and {target|ward}",
        ("swarm-striker", "wait"): "The swarm[ on {target}] waits",
        ("swarm-striker", "*"): "{option} strikes for the swarm[ on {target}]",
        ("shove-result", "prone"): "{who} shoves {target} prone",
        ("shove-result", "push"): "{who} pushes {target}[ to {to}]",
        ("grapple-move-result", "drag"): "{who} drags {target}[ to {to}]",
        ("grapple-move-result", "throw"): "{who} throws {target}[ to {to}]",
        ("surprise", "nobody"): "Nobody is surprised",
        ("surprise", "surprised"): "",
        ("end-combat", "end"): "",
        ("end-combat", "go-on"): "",
        ("damage-while-down", "no-change"): "{target} is down already; the blow changes nothing",
        ("damage-while-down", "dead"): "The blow kills {target}",
        ("screen-feasible", "yes"): "The screen is feasible",
        ("screen-feasible", "no"): "The screen is not feasible",
        ("attack-modifiers", "modifier"): "[The GM gives the attack {modifier}]",
        ("skill-difficulty", "difficulty"): "[The difficulty is {difficulty}]",
        ("instant-conflict", "defender"): "The defender's instant counts",
        ("instant-conflict", "attacker"): "The attacker's instant counts",
        ("skill-outcome", "none"): "Nothing more comes of it",
        ("skill-outcome", "outcome"): "",
        ("improvised-action", "allow"): "The GM allows it[ as a {cost} action]"
        "[, with an {attack_of_opportunity}][, with a roll: {roll}]",
        ("improvised-action", "refuse"): "The GM does not allow it",
        ("morale-individual", "retreat"): "{combatant} has lost half of its hit points",
        ("morale-individual", "fight-on"): "{combatant} does not retreat on its own",
        ("morale-group", "retreat"): "The {group} have lost a third",
        ("morale-group", "fight-on"): "The {group} fight on",
    },
    conditions={
        "total-defense": ("is on total defense", "is no longer on total defense"),
        "screening": ("screens[ {ward}]", "no longer screens[ {ward}]"),
        "disengaged": ("leaves without an attack of opportunity", ""),
        "holding": ("holds the rest of the turn", "no longer holds the turn"),
        "swarming": ("is in the swarm[ on {target}]", ""),
        "prone": ("falls prone", "is no longer prone"),
        "grappled": ("is grappled[ by {by}]", "is no longer grappled"),
        "grappling": ("grapples[ {target}]", "no longer grapples[ {target}]"),
        "dual-wielding": ("wields two weapons", "no longer wields two weapons"),
        "preparing-execution": ("prepares an execution", "no longer prepares an execution"),
        "retreating": ("retreats", "no longer retreats"),
        "mortally-injured": ("is mortally injured", "is no longer mortally injured"),
        "shock-immune": ("takes no Shock", "can take Shock again"),
        "modifier": (
            (
                "has {attack} to attack[, {ac} to AC][, {saves} to saves][ ({reason})]"
                "||has {ac} to AC[, {saves} to saves][ ({reason})]"
                "||has {saves} to saves[ ({reason})]||has a modifier"
            ),
            "no longer has a modifier[: {reason}]",
        ),
    },
    rolls={
        "initiative": "initiative for the side",
        "initiative-tie": "to break the tie",
        "execution": "the execution attack",
        "stabilize": "first aid",
        "effect": "the effect",
        "grapple-escape": "the escape from the grapple",
        "grapple-move": "the move with the grappled foe",
        "surprise-check": "against surprise",
        "skill": "skill check",
        "screen": "attempt to get past the screen",
    },
    verdicts={
        ("screen", "success"): "{who} gets past the screen",
        ("screen", "failure"): "{who} does not get past the screen",
    },
    turns=frozenset({"side-turn"}),
    phases={
        "surprise": "",
        "initiative": "",
        "surprise-round": "The surprise round begins",
        "round-start": "",
        "round-end": "",
        "side-turn": "It is the turn of {1}",
        "ending": "",
        "ended": "",
    },
)


MELEE = ("melee-attack", "charge", "prepare-execution")


def omitted(
    combat: Combat, who: Id, prompt: OpenPrompt | None, option: str, inputs: Mapping[str, Json]
) -> Mapping[str, Json]:
    """Return the weapon that an attack uses if its inputs name none."""
    target = inputs.get("target")
    if inputs.get("weapon") is not None:
        return {}
    if option == "attack-of-opportunity":
        mover = "" if prompt is None else str(prompt.data.get("mover"))
        blade = ready_blade(combat, who, mover) if mover in combat.combatants else None
        return {} if blade is None else {"weapon": blade}
    if option in MELEE:
        mode = "melee"
    elif option == "ranged-attack":
        mode = "ranged"
    elif option == "snap-attack":
        mode = str(inputs.get("mode") or "melee")
    elif option == "swarm-attack" and isinstance(target, str) and target in combat.combatants:
        mode = mode_of(combat, who, target, None)
    else:
        return {}
    weapon = chosen(combat[who], None, "ranged" if mode == "ranged" else "melee")
    return {} if weapon is None else {"weapon": weapon.id}
