"""The conditions of the rulebook, with their effects, beginnings and ends (section 5)."""

from collections.abc import Collection, Iterable, Mapping

from msgspec import Struct

from domain.record.combat import Combat, Combatant, Condition, Id, Json, Until
from domain.record.events import ConditionGained, ConditionLost
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulebook.ruleset import ConditionInfo as Info
from domain.rulesets.hallowed_earth.rules import rule
from domain.rulesets.hallowed_earth.sheet import Arm, arm


class OfInjury(Struct, frozen=True):
    """Data of a condition that an injury causes.

    - `side`: the injured arm.
    - `injury`: the number of the injury in the fact `injuries`.
    """

    side: Arm | None = None
    injury: int | None = None


def _injury(effect: str, *rules: str, ends: str = "the injury is healed") -> Info:
    """Return the catalogue entry of a condition that ends together with its injury."""
    return Info(effect, ends, rules, stacks=True, data=OfInjury)


CONDITIONS: Mapping[str, Info] = {
    "surprised": Info(
        "no declaration, no action, no movement, no Reaction", "end of the round", ("HE-SURP-01",)
    ),
    "full-defense": Info(
        "+4 Defense, may answer attacks with a Reposte", "end of the round", ("HE-FDEF-02",)
    ),
    "incapacitated": Info(
        "crawls a yard a turn; each action costs 1 Wound Point",
        "Wound Points above 0, or below",
        ("HE-INC-01", "HE-WP-05"),
    ),
    "dying": Info(
        "as incapacitated; one action or movement; loses 1 at the end of the round",
        "Wound Points of 0 or more, death",
        ("HE-DYING-01", "HE-WP-06"),
    ),
    "stabilized": Info(
        "half speed; the first action of a round is free; does not bleed",
        "Wound Points above 0, a new wound",
        ("HE-STAB-05", "HE-STAB-09"),
    ),
    "dead": Info("nothing", "never", ("HE-WP-07",)),
    "routed": Info("not able to fight", "the GM", ("HE-MOR-14",)),
    "surrendered": Info("not able to fight", "the GM", ("HE-MOR-14",)),
    "prone": _injury("only crawls", "HE-BLUNT-03", ends="the injury is healed, the GM"),
    "half-speed": _injury("half speed", "HE-BLUNT-02"),
    "crushed-foot": _injury("−5 to Balance checks", "HE-BLUNT-01"),
    "broken-rib": _injury("one action in two turns", "HE-BLUNT-06"),
    "arm-cannot-attack": _injury(
        "no attack with that arm", "HE-BLUNT-08", "HE-BLUNT-09", "HE-BLUNT-10"
    ),
    "arm-cannot-hold": _injury("holds nothing in that arm", "HE-BLUNT-11"),
    "hand-useless": _injury("nothing can be done with that hand", "HE-BLUNT-12"),
    "paralyzed": _injury("moves nothing below the neck; can speak", "HE-BLUNT-14"),
    "cannot-speak": _injury("no speech, no spell that needs it", "HE-BLUNT-15", "HE-BLUNT-16"),
    "cannot-breathe": _injury("may suffocate: a ruling each round", "HE-BLUNT-15"),
    "cannot-chew": _injury("nothing that must be chewed", "HE-BLUNT-16"),
    "cannot-smell": _injury("smells nothing", "HE-BLUNT-17"),
    "blind-one-eye": _injury("sees with one eye", "HE-BLUNT-18"),
    "deaf-one-ear": _injury("hears with one ear", "HE-BLUNT-19"),
    "concussed": _injury("as the GM plays it", "HE-BLUNT-20"),
    "helpless": _injury("an attribute of 0: as the GM plays it", "HE-ATTR-06", ends="the GM"),
}

OF_A_ROUND = {"surprised": "HE-SURP-05", "full-defense": "HE-FDEF-05"}
"""Conditions that end with their round, each with its rule."""


def round_end(round: int) -> Until:
    """Return the end of the current round, or of round 1 before the first round."""
    return Until("round-end", round=max(1, round))


def gained(
    combat: Combat,
    who: Id,
    condition: str,
    *,
    rounds: int | None = None,
    side: Arm | None = None,
    injury: int | None = None,
    source: Id | None = None,
    rules: tuple[str, ...] = (),
) -> ConditionGained:
    """Return the event that begins a condition for `rounds` rounds, this round included.

    If `rounds` is `None`, the condition lasts until something ends it.
    """
    if rounds is None and condition in OF_A_ROUND:
        rounds = 1
    until = () if rounds is None else (round_end(max(1, combat.round) + rounds - 1),)
    data: dict[str, Json] = {} if side is None else {"side": side}
    if injury is not None:
        data["injury"] = injury
    return ConditionGained(who, condition, "", data, until, source, rules=rules)


def rule_of(combatant: Combatant, *conditions: str, arms: Collection[str] = ("main", "off")) -> str:
    """Return the rule of the first of these conditions that affects one of these arms.

    This is the rule of the injury that caused the condition. Without an injury, it is the first
    rule of the condition.
    """
    fitting = (
        held for condition in conditions for held in combatant.all(condition) if arm(held) in arms
    )
    return brought_by(next(fitting))


def brought_by(held: Condition) -> str:
    """Return the rule that caused a condition."""
    of_injury = (rule for rule in held.rules if rule.startswith("HE-BLUNT"))
    return next(of_injury, CONDITIONS[held.id].rules[0])


@rule("HE-SURP-07", "Surprise changes neither Defense nor Armour", untold="what stays as it is")
def surprised(play: Play, who: Iterable[Id]) -> Procedure[None]:
    """Surprise these combatants, and end the surprise of all others (HE-SURP-01).

    Surprised combatants cannot act (HE-SURP-04). They keep Defense and Armour (HE-SURP-07).
    """
    rules = ("HE-SURP-01",)
    for combatant in play.combat:
        if combatant.id in who and not combatant.has("surprised"):
            yield gained(play.combat, combatant.id, "surprised", rules=rules)
        elif combatant.id not in who and combatant.has("surprised"):
            yield ConditionLost(combatant.id, "surprised", reason="ruling", rules=rules)
