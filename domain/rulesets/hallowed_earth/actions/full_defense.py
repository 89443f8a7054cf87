"""full-defense: a stance from its own number to the end of the round (HE-FDEF)."""

from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulebook.prompts import Screen
from domain.rulesets.hallowed_earth.actions.deed import Deed, Doing
from domain.rulesets.hallowed_earth.attack import Attacks
from domain.rulesets.hallowed_earth.conditions import gained
from domain.rulesets.hallowed_earth.rules import rule


@rule("HE-FDEF-01", "Full-Defense is a Standard Action at −1")
@rule("HE-FDEF-05", "From its own number to the end of the round")
def do_full_defense(play: Play, deed: Deed) -> Procedure[Attacks]:
    """A Standard Action (HE-FDEF-01): +4 Defense and the Reposte (HE-FDEF-02, -05), also against
    attacks of the same moment (HE-TIE-05)."""
    rules = ("HE-FDEF-02", "HE-FDEF-01", "HE-FDEF-05", "HE-TIE-05")
    yield gained(play.combat, deed.who, "full-defense", rules=rules)
    return []


rule("HE-MOD-05", "full-defense: −1", f"{__name__}.FULL_DEFENSE")
FULL_DEFENSE = Doing(
    id="full-defense",
    screen=Screen("defend", "Defend in full"),
    label="Full-Defense",
    rules=("HE-FDEF-01", "HE-MOD-05"),
    bare=-1,
    samples=({},),
    do=do_full_defense,
)
