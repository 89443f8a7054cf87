"""Every action of a combatant, in the rulebook's order (4.1)."""

from collections.abc import Mapping

from domain.rulebook.action import Action
from domain.rulebook.prompts import NoInputs
from domain.rulesets.hallowed_earth import deeds, movement, reposte, small
from domain.rulesets.hallowed_earth.declaring import INPUTS, UsingAbility


def _declared(id: str, label: str, *rules: str) -> Action:
    """A declared action: the slot of its number does it."""
    return Action(
        id,
        INPUTS[id],
        deeds.refusals(id),
        deeds.candidates(id),
        label,
        procedure=small.settled,
        cost="standard",
        rules=rules,
    )


ACTIONS: Mapping[str, Action] = {
    action.id: action
    for action in (
        _declared("attack", "Attack", "HE-ATK-03", "HE-MOD-01"),
        _declared("defensive-attack", "Defensive attack", "HE-DATK-01"),
        _declared("cast", "Cast a spell", "HE-MAG-01", "HE-MOD-02"),
        _declared("use-item", "Use an item", "HE-ITEM-01", "HE-MOD-03"),
        _declared("throw-item", "Throw an item", "HE-ITEM-02", "HE-MOD-04"),
        _declared("full-defense", "Full-Defense", "HE-FDEF-01", "HE-MOD-05"),
        _declared("stabilize", "Stabilize", "HE-STAB-01"),
        _declared("intimidate", "Intimidate", "HE-MOR-05"),
        Action(
            "use-ability",
            UsingAbility,
            small.ability_refusals,
            small.ability_candidates,
            "Use an ability",
            procedure=small.use_ability,
            interjection=True,
            cost="as data",
            rules=("HE-STRESS-06",),
        ),
        _declared("skill-check", "Skill check", "HE-MOD-10"),
        Action(
            "no-action",
            NoInputs,
            small.end_turn_refusals,
            label="Act not",
            procedure=small.settled,
            cost="none",
            rules=("HE-MOVE-05",),
        ),
        Action(
            "move",
            movement.Moving,
            movement.move_refusals,
            movement.move_candidates,
            "Move",
            procedure=movement.move,
            cost="movement",
            rules=("HE-MOVE-01", "HE-MOVE-04"),
        ),
        Action(
            "crawl",
            movement.Crawling,
            movement.crawl_refusals,
            movement.crawl_candidates,
            "Crawl a yard",
            procedure=movement.crawl,
            cost="movement",
            rules=("HE-INC-02",),
        ),
        Action(
            "free-action",
            small.Doing,
            small.free_refusals,
            lambda play, who: ({"what": "draw"},),
            "Free action",
            procedure=small.free_action,
            cost="free",
            rules=("HE-ACT-03",),
        ),
        Action(
            "reposte",
            reposte.Riposte,
            reposte.declared_refusals,
            label="Reposte",
            procedure=reposte.never,
            interjection=True,
            cost="reaction",
            rules=("HE-REP-01",),
        ),
        Action(
            "speak",
            small.Speaking,
            small.speak_refusals,
            lambda play, who: ({"text": "Behind you!"},),
            "Speak",
            procedure=small.speak,
            interjection=True,
            cost="none",
            rules=("HE-ACT-06",),
        ),
        Action(
            "end-turn",
            NoInputs,
            small.end_turn_refusals,
            label="End the turn",
            procedure=small.settled,
            cost="none",
            rules=("HE-DECL-11",),
        ),
    )
}

OF_TURN = tuple(action for id, action in ACTIONS.items() if id not in ("reposte", "speak"))
"""What can answer the question of a turn."""
