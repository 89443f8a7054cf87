"""The action `full-defense`, a stance that lasts until the end of the round (HE-FDEF)."""

from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulesets.hallowed_earth.attack import Attacks
from domain.rulesets.hallowed_earth.conditions import gained
from domain.rulesets.hallowed_earth.deed import Deed, StandardAction
from domain.rulesets.hallowed_earth.rules import rule


@StandardAction(
    "full-defense", "Full-Defense",
    category="defend", headline="Defend in full",
    rules={
        "HE-FDEF-01": "Full-Defense is a Standard Action with the modifier −1",
        "HE-MOD-05": "The action full-defense adds −1",
    },
    bare=-1, modified_by=("HE-MOD-05",), samples=({},),
)  # fmt: skip
@rule("HE-FDEF-05", "Full-Defense lasts from its number to the end of the round")
def full_defense(play: Play, deed: Deed) -> Procedure[Attacks]:
    """Give +4 Defense and Repostes against attacks, as a Standard Action.

    HE-FDEF-01, HE-FDEF-02, HE-FDEF-05. The bonus also counts against attacks at the same number
    (HE-TIE-05).
    """
    rules = ("HE-FDEF-02", "HE-FDEF-01", "HE-FDEF-05", "HE-TIE-05")
    yield gained(play.combat, deed.who, "full-defense", rules=rules)
    return []
