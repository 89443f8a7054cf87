"""The action `skill-check`, which rolls 1d20 + skill against a target number (section 4.1, 11)."""

from msgspec import Struct

from domain.record.combat import Id
from domain.record.events import Term
from domain.rulebook.effects import Pause, Procedure, roll
from domain.rulebook.play import Play
from domain.rulesets.hallowed_earth.attack import Attacks
from domain.rulesets.hallowed_earth.deed import Deed, StandardAction
from domain.rulesets.hallowed_earth.rules import rule
from domain.rulesets.hallowed_earth.sheet import options, sheet, skill


class Checking(Struct, frozen=True, forbid_unknown_fields=True):
    """Inputs of a skill check. Declare `skill`, and give `tn` on your turn.

    `tn` is the total that the roll must reach.
    """

    skill: str | None = None
    tn: int | None = None


@rule("HE-BLUNT-01", "A Crushed Foot gives −5 to Balance")
def check(play: Play, who: Id, name: str, number: int | None) -> Procedure[None]:
    """Roll the skill, with −5 to Balance for each Crushed Foot (HE-BLUNT-01, HE-MOD-10)."""

    def terms() -> tuple[Term, ...]:
        combatant = play.combat[who]
        feet_crushed = len(combatant.all("crushed-foot")) if name.casefold() == "balance" else 0
        return (
            Term(name, skill(sheet(combatant), name), "HE-MOD-10"),
            Term("Crushed Foot", -5 * feet_crushed, "HE-BLUNT-01"),
        )

    yield from roll(
        who,
        "skill",
        options(play.combat).check_dice,
        rules=("HE-MOD-10",),
        terms=terms,
        target=number,
        judge=lambda faces, total, target: (
            "" if number is None else "success" if total >= target else "failure"
        ),
    )


@StandardAction(
    "skill-check", "Skill check", Checking,
    category="use", headline="Try {skill|a skill}", essential=("skill",), also=("HE-MOD-10",),
    tool="skill", things=lambda combatant: list(sheet(combatant).skills) or ["perception"],
    bare=None, samples=({"tn": 10}, {"tn": 15}, {}),
)  # fmt: skip
def skill_check(play: Play, deed: Deed) -> Procedure[Attacks]:
    """Roll for the declared skill."""
    yield from check(play, deed.who, deed.tool or "", deed.inputs.tn)
    yield Pause("results")
    return []
