"""The sentences of the log for this rulebook."""

from domain.rulebook.phrases import Phrases

PHRASES = Phrases(
    actions={
        "attack": "{who} attacks[ {target}][ with {weapon}]",
        "defensive-attack": "{who} attacks[ {target}] defensively[ with {weapon}]",
        "cast": "{who} casts {spell}[ on {target}][ on {targets}]"
        "||{who} casts a spell[ at {target}][ at {targets}]",
        "use-item": "{who} uses {item}[ on {target}]||{who} uses an item[ on {target}]",
        "throw-item": "{who} throws {item}[ at {target}]||{who} throws an item[ at {target}]",
        "full-defense": "{who} goes on Full-Defense",
        "stabilize": "{who} tends the wounds of {target}",
        "intimidate": "{who} tries to intimidate {target}",
        "use-ability": "{who} uses {ability}[ on {target}][ on {targets}]"
        "||{who} uses an ability[ on {target}][ on {targets}]",
        "skill-check": "{who} makes a check[ of {skill}]",
        "no-action": "{who} takes no action",
        "move": "{who} moves[ to {path}][ {distance_ft} ft][ and comes within reach of {enters}]",
        "crawl": "{who} crawls a yard[ and comes within reach of {enters}]",
        "free-action": "{who} takes a free action[: {what}]",
        "reposte": "{who} makes a Reposte[ against {attacker}][ with {weapon}]",
        "speak": "{who} speaks",
        "end-turn": "{who} ends the turn",
    },
    answers={
        ("target", "none"): "{who} aims at nobody",
        ("target", "*"): "{who} aims at {option}",
        ("reposte", "take"): "{who} answers[ {attacker|mover}] with a Reposte[ with {weapon}]",
        ("reposte", "pass"): "{who} makes no Reposte[ against {attacker|mover}]",
        ("injury-type", "*"): "The injury is {option}",
        ("surprise", "as-given"): "[These are surprised: {surprised}]||Nobody is surprised",
        ("surprise", "surprise"): "[These are surprised: {who_}]||Nobody is surprised",
        ("effect", "nothing"): "The effect comes to nothing",
        ("suffocation", "nothing"): "{target} holds out without air",
        ("attribute-zero", "helpless"): "With the attribute at 0, {target} is helpless",
        ("attribute-zero", "dead"): "With the attribute at 0, {target} dies",
        ("attribute-zero", "nothing-more"): "The attribute of {target} is 0; nothing more happens",
        ("empty-injury-table", "combat-injury"): "The injury table is empty: no further effect",
        ("empty-injury-table", "injury"): "The Combat Injury of {target}[: {text}]",
        ("morale-obvious", "none"): "The outcome is obvious to no monster",
        ("morale-obvious", "obvious"): "The outcome is obvious to {who_}",
        ("morale-failed", "flee"): "{combatant} flees",
        ("morale-failed", "surrendered"): "{combatant} surrenders",
        ("morale-failed", "parley"): "{combatant} wants to parley",
        ("morale-failed", "fight-on"): "{combatant} fights on",
        ("end-combat", "end"): "",
        ("end-combat", "go-on"): "",
    },
    conditions={
        "full-defense": ("is on Full-Defense", "is no longer on Full-Defense"),
        "prone": ("falls prone", "is no longer prone"),
        "routed": ("is routed", "is no longer routed"),
        "surrendered": ("surrenders", "no longer surrenders"),
        "half-speed": ("moves at half speed", "moves at full speed again"),
        "crushed-foot": ("has a crushed foot", "no longer has a crushed foot"),
        "broken-rib": ("has a broken rib", "no longer has a broken rib"),
        "arm-cannot-attack": (
            "cannot attack with the[ {side}] arm",
            "can attack with the[ {side}] arm again",
        ),
        "arm-cannot-hold": (
            "holds nothing in the[ {side}] arm",
            "can hold things in the[ {side}] arm again",
        ),
        "hand-useless": (
            "cannot use the[ {side}] hand",
            "can use the[ {side}] hand again",
        ),
        "cannot-speak": ("cannot speak", "can speak again"),
        "cannot-breathe": ("cannot breathe", "can breathe again"),
        "cannot-chew": ("cannot chew", "can chew again"),
        "cannot-smell": ("smells nothing", "can smell again"),
        "blind-one-eye": ("is blind in one eye", "sees with both eyes again"),
        "deaf-one-ear": ("is deaf in one ear", "hears with both ears again"),
    },
    notes={
        ".+ has a Base Initiative": "",
        ".+ enters on its guard": "{who} is on guard and draws no Reposte",
        r".+ declares (?P<deed>.+) \((?P<value>[+-]\d+)\) and acts at (?P<count>-?\d+)": (
            "{who} acts at {count} ({value} on the Base Initiative), having declared: {deed}"
        ),
        r".+ declares (?P<deed>.+) and acts at (?P<count>-?\d+)": (
            "{who} acts at {count}, having declared: {deed}"
        ),
    },
    verdicts={("injury-chance", "none"): "{who} escapes a Combat Injury"},
    rolls={
        "initiative": "the Base Initiative",
        "injury-chance": "the chance of a Combat Injury",
        "injury-side": "the side of the injury",
        "injury": "the Combat Injury",
        "stress": "Stress",
        "skill": "skill check",
        "heal": "the tending of wounds",
    },
    phases={
        "declare": "Everybody declares",
        "count": "",
        "count/": "Count {1}",
        "end-round": "",
        "surprise": "",
        "initiative": "",
        "ending": "",
        "ended": "",
    },
)
