"""The action `intimidate`, which sets the number of a later morale check (HE-MOR-05)."""

from domain.errors import Illegal
from domain.record.events import Term
from domain.rulebook.effects import Pause, Procedure, roll, while_able
from domain.rulebook.play import Play
from domain.rulesets.hallowed_earth.action_costs import dead
from domain.rulesets.hallowed_earth.attack import Attacks
from domain.rulesets.hallowed_earth.count import simultaneous
from domain.rulesets.hallowed_earth.deed import Aiming, Deed, StandardAction
from domain.rulesets.hallowed_earth.facts import INTIMIDATED
from domain.rulesets.hallowed_earth.sheet import options, sheet, skill


@StandardAction(
    "intimidate", "Intimidate", Aiming,
    category="attack", headline="Intimidate[ {target}]", essential=("target",), polarity="harm",
    rules={"HE-MOR-05": "Intimidation triggers a check against its result"},
    body=False, voice=True, aims=True, harms=True,
    fits=lambda combat, combatant, target, tool: dead(target),
)  # fmt: skip
def intimidate(play: Play, deed: Deed) -> Procedure[Attacks]:
    """Roll Intimidation.

    A later morale check must reach the highest result of the round (HE-MOR-05).
    """
    target = deed.targets()[0]

    def terms() -> tuple[Term, ...]:
        bonus = skill(sheet(play.combat[deed.who]), "intimidation")
        return (Term("Intimidation", bonus, "HE-MOR-05"),)

    def beyond_fear() -> Illegal | None:
        if simultaneous(play.combat):  # HE-TIE-03
            return None
        return next(dead(play.combat[target]), None)

    rolling = roll(
        deed.who,
        "intimidation",
        options(play.combat).check_dice,
        rules=("HE-MOR-05",),
        terms=terms,
        against=target,
        stops=beyond_fear,
        doing="intimidate",
    )
    rolled = yield from while_able(play, deed.who, rolling, "intimidate", at=target)
    if rolled is None:
        return []
    yield Pause("results")
    other = play.combat[target]
    if sheet(other).kind == "monster":
        before = INTIMIDATED.of(other)
        highest = rolled.total if before is None else max(before, rolled.total)
        yield INTIMIDATED.set(target, highest, rules=("HE-MOR-05",))
    return []
