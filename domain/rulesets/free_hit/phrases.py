"""The sentences of the log for this rulebook."""

from domain.rulebook.phrases import Phrases

_WITH = "[ with {weapon}][, aiming at the {aim}][, claiming to strike {from_behind}]"
_BLOW = f"[ on {{target}}]{_WITH}"

DICE = ("d6", "d8", "d10", "d12", "d20")
"""The dice of an escalation after the d4."""

PHRASES = Phrases(
    actions={
        "initiate": f"{{who}} makes an attack before the battle{_BLOW}",
        "delay": "{who} waits until later in this round[, after {after}]",
        "end-turn": "{who} ends the turn",
        "attack": f"{{who}} attacks[ {{target}}]{_WITH}",
        "extra-attack": f"{{who}} makes an additional attack{_BLOW}",
        "feat-attack": f"{{who}} makes an attack by a feat{_BLOW}",
        "move": "{who} moves[ to {path}][, {mode}]",
        "bonus-move": "{who} makes a bonus move[ to {path}][, {mode}]",
        "disengage": "{who} disengages",
        "cast": "{who} casts {spell}[ on {targets}]",
        "continue-casting": "{who} goes on casting {spell}[ on {targets}]",
        "cancel-spell": "{who} cancels {spell}",
        "toggle-spell": "{who} switches {spell} off or on",
        "boost-damage": "{who} strikes harder: +1 melee damage",
        "boost-hit": "{who} takes aim: +1 to hit",
        "boost-dodge": "{who} is on the watch: +1 to dodge",
        "pick-up": "{who} picks up {item}",
        "draw": "{who} draws {weapon}",
        "sheathe": "{who} sheathes {weapon}",
        "talk": "{who} talks",
        "stand-up": "{who} stands up",
        "release-summon": "{who} lets {unit} go",
        "face": "{who} turns to face another way",
        "yield": "{who} wants to give up",
        "flee": "{who} wants to flee",
    },
    answers={
        ("free-hit", "take"): "{who} takes a free hit[ on {attacker|mover}]"
        "[ with {weapon}][, aiming at the {aim}][, claiming to strike {from_behind}]",
        ("free-hit", "pass"): "{who} takes no free hit[ on {attacker|mover}]",
        ("free-critical-hit", "take"): "{who} takes a free critical hit[ on {attacker|mover}]"
        "[ with {weapon}][, aiming at the {aim}][, claiming to strike {from_behind}]",
        ("free-critical-hit", "pass"): "{who} takes no free critical hit[ on {attacker|mover}]",
        ("wound", "*"): "{who} chooses which wound is healed: {option}",
        ("thrall", "retain"): "{who} keeps the summoned unit as a thrall",
        ("thrall", "vanish"): "{who} lets the summoned unit vanish",
        ("upkeep", "pay"): "{who} pays the upkeep of the spell",
        ("upkeep", "let-go"): "{who} lets the spell go",
        ("from-behind", "yes"): "{attacker} attacks {target} from behind",
        ("from-behind", "no"): "{attacker} does not attack {target} from behind",
        ("zone", "yes"): "The target is in melee reach",
        ("zone", "no"): "The target is out of melee reach",
        ("detection", "nobody"): "Everybody notices {mover}",
        ("detection", "unnoticed"): "{mover} is not noticed[ by {by}]",
        ("flee", "yes"): "The GM lets {unit} flee",
        ("flee", "no"): "The GM does not let {unit} flee",
        ("yield", "yes"): "{unit} gives up",
        ("yield", "no"): "The GM does not let {unit} give up",
        ("tragedy-no-strike", "nothing"): "The tragedy has no consequence",
        ("tragedy-no-strike", "free-critical-hit"): "The tragedy is a free critical hit",
        ("dire-no-strike", "killed"): "The attacker is killed",
        ("dire-no-strike", "nothing"): "The dire failure has no consequence",
        ("escalation", "none"): "The chain of dice has no further consequence",
        ("escalation", "consequence"): "The chain of dice has a consequence[: {text}]",
    },
    conditions={
        "prone": ("falls prone", "is no longer prone"),
        "tied": ("is tied", "is no longer tied"),
        "channeling": ("channels[ {spell}]", "no longer channels[ {spell}]"),
        "summoning-sick": ("has just been summoned and cannot act yet", "can act"),
        "undetected": ("is undetected", "is detected"),
        "disengaged": ("leaves zones without a free hit", ""),
        "flat-footed": ("is flat-footed", "is no longer flat-footed"),
        "damage-boost": ("has {value} to melee damage||strikes harder", "no longer strikes harder"),
        "hit-boost": ("has {value} to hit||takes aim", "no longer takes aim"),
        "dodge-boost": ("has {value} to dodge||is on the watch", "is no longer on the watch"),
        "wound-slowing": ("has a slowing wound", "no longer has a slowing wound"),
        "wound-weakening": ("has a weakening wound", "no longer has a weakening wound"),
        "wound-disrupting": ("has a disrupting wound", "no longer has a disrupting wound"),
        "at_max_capacity": ("carries all it can", "no longer carries all it can"),
        "modifier": (
            "has {value}[ on {key}][ ({when})]||has a modifier",
            "no longer has a modifier[ of {value}]",
        ),
        "suspended": ("no longer has the spell's effect, for now", "has the spell's effect again"),
        "fled": ("has fled", "is back"),
        "yielded": ("has given up", "no longer gives up"),
    },
    verdicts={
        ("fatal", "no-more"): "The aim at a fatal spot adds no damage",
        ("fatal", "16-more"): "The aim at a fatal spot adds 16 damage",
        ("auto-fail-d4", "no-further"): "{who}'s automatic failure does not become a tragedy",
        ("critical-d4", "no-further"): "{who}'s critical hit does not become a super critical",
        **{
            (f"auto-fail-{die}", "no-further"): "{who}'s failure does not get worse" for die in DICE
        },
        **{
            (f"critical-{die}", "no-further"): "{who}'s critical hit does not get better"
            for die in DICE
        },
    },
    rolls={
        "fatal": "the aim at a fatal spot",
        "auto-fail-d4": "the first die of the automatic failure",
        "auto-fail-d6": "the next die of the failure, a d6",
        "auto-fail-d8": "the next die of the failure, a d8",
        "auto-fail-d10": "the next die of the failure, a d10",
        "auto-fail-d12": "the next die of the failure, a d12",
        "auto-fail-d20": "the last die of the failure, a d20",
        "critical-d4": "the first die of the critical hit",
        "critical-d6": "the next die of the critical hit, a d6",
        "critical-d8": "the next die of the critical hit, a d8",
        "critical-d10": "the next die of the critical hit, a d10",
        "critical-d12": "the next die of the critical hit, a d12",
        "critical-d20": "the last die of the critical hit, a d20",
        "initiative-tie": "to break the tie",
    },
    phases={"battle": "", "begun": "The battle begins", "ending": "", "ended": ""},
)
