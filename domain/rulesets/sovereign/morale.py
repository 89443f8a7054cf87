"""Morale: the GM decides which combatants retreat (SOV-MOR)."""

from collections.abc import Iterator, Sequence

from domain.record.combat import Combat, Combatant, Id
from domain.record.events import ConditionGained
from domain.rulebook.effects import Procedure, ask_gm
from domain.rulebook.play import Play
from domain.rulebook.prompts import choices
from domain.rulesets.sovereign.facts import MORALE, MORALE_ASKED
from domain.rulesets.sovereign.numbers import awake, group, morale
from domain.rulesets.sovereign.rules import rule

LOST = ("dead", "mortally-injured", "stabilized", "retreating")
"The conditions that count as a loss of the group (GAP-43)."


RETREAT = choices("retreat", "fight-on")

FLIGHT = "A retreat takes its own turns: let it run, then rule that it leaves."
"The advice to the GM about combatants that retreat (SOV-MOR-05)."


@rule("SOV-MOR-04", "The GM decides at the start of a side turn, and the default is to retreat")
def side_starts(play: Play, side: str) -> Procedure[None]:
    """Ask the GM which combatants retreat: first individuals, then groups (SOV-MOR-04)."""
    if not play.combat.options["morale_prompts"]:
        return
    for combatant in list(play.combat):
        if combatant.side == side and wavers(play.combat, combatant.id):
            yield MORALE_ASKED.set(combatant.id, True, rules=("SOV-MOR-02",))
            retreats = yield from question(
                f"{combatant.id} has lost half its hit points. Does it retreat on its own?"
                f" {FLIGHT}",
                "morale-individual",
                "SOV-MOR-02",
                {"combatant": combatant.id},
                [combatant.id],
            )
            if retreats and could_retreat(play.combat, combatant.id):
                yield from retreat(play, [combatant.id], "SOV-MOR-02")
    for name in groups(play.combat, side):
        if breaks(play.combat, name):
            asked = {**MORALE.of(play.combat), name: losses(play.combat, name)}
            yield MORALE.set(asked, rules=("SOV-MOR-03",))
            rest = staying(play.combat, name)
            retreats = yield from question(
                f"A third of the group {name} is lost. Does the rest retreat"
                f" ({', '.join(rest)})? {FLIGHT}",
                "morale-group",
                "SOV-MOR-03",
                {"group": name},
                rest,
            )
            if retreats:
                yield from retreat(play, staying(play.combat, name), "SOV-MOR-03")


def question(
    text: str, name: str, rule: str, data: dict[str, str], who: Sequence[Id]
) -> Procedure[bool]:
    """Ask the GM whether the combatants retreat. By default, they retreat (SOV-MOR-04).

    The prompt stays open while at least one of these combatants could retreat.
    """
    answer = yield from ask_gm(
        name,
        text,
        RETREAT,
        "retreat",
        rules=(rule, "SOV-MOR-01", "SOV-MOR-04"),
        data=data,
        stands=lambda now: any(could_retreat(now, id) for id in who),
    )
    return answer.option == "retreat"


@rule("SOV-MOR-02", "The GM decides on the retreat of an individual that has lost half of its HP")
def wavers(combat: Combat, who: Id) -> bool:
    """Return true if the combatant has lost half of its HP for the first time (SOV-MOR-02)."""
    combatant = combat[who]
    if morale(combatant) != "normal" or not could_retreat(combat, who):
        return False
    hp = combatant.tracks["hp"]
    half = hp.maximum is not None and 2 * hp.value <= hp.maximum
    return half and not MORALE_ASKED.of(combatant)


def groups(combat: Combat, side: str) -> list[str]:
    """Return the side's groups, in the order of joining."""
    return list(
        dict.fromkeys(
            group(combatant) for combatant in combat.combatants.values() if combatant.side == side
        )
    )


def members(combat: Combat, name: str) -> Iterator[Combatant]:
    """Yield every combatant of the group, even if it has left or died (GAP-43)."""
    return (combatant for combatant in combat.combatants.values() if group(combatant) == name)


def losses(combat: Combat, name: str) -> int:
    return len(
        [combatant for combatant in members(combat, name) if combatant.left or combatant.has(*LOST)]
    )


def staying(combat: Combat, name: str) -> list[Id]:
    """Return the members that could still retreat."""
    return [
        combatant.id
        for combatant in members(combat, name)
        if morale(combatant) == "normal" and could_retreat(combat, combatant.id)
    ]


def could_retreat(combat: Combat, who: Id) -> bool:
    """Return true if the combatant is able and not retreating yet (SOV-MOR-05)."""
    return awake(combat, who) and not combat[who].has("retreating")


@rule(
    "SOV-MOR-03",
    "The GM decides on the retreat of a group that has lost a third, and after each later loss",
)
def breaks(combat: Combat, name: str) -> bool:
    """Return true if a third of the group is lost, with new losses since the last prompt.

    SOV-MOR-03.
    """
    everybody = list(members(combat, name))
    if any(morale(combatant) == "player" for combatant in everybody) or not staying(combat, name):
        return False
    lost = losses(combat, name)
    before = MORALE.of(combat).get(name, 0)
    return 3 * lost >= len(everybody) and lost > before


@rule("SOV-MOR-05", "A retreating combatant counts as a loss and may leave")
def retreat(play: Play, who: list[Id], rule: str) -> Procedure[None]:
    """Let combatants retreat. They count as losses, and may leave the combat (SOV-MOR-05)."""
    for id in who:
        if not play.combat[id].has("retreating"):
            yield ConditionGained(id, "retreating", rules=(rule, "SOV-MOR-05"))
