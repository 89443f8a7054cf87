"""intimidate: a check that the morale of a monster opposes at the end of the round (HE-MOR-05)."""

from domain.record.events import Term
from domain.rulebook.effects import Pause, Procedure, roll, while_able
from domain.rulebook.play import Play
from domain.rulesets.hallowed_earth.actions.deed import Aiming, Deed, Doing
from domain.rulesets.hallowed_earth.attack import Attacks
from domain.rulesets.hallowed_earth.facts import INTIMIDATED
from domain.rulesets.hallowed_earth.sheet import skill
from domain.rulesets.hallowed_earth.states import options, sheet


def do_intimidate(play: Play, deed: Deed) -> Procedure[Attacks]:
    """The highest result of the round opposes the monster's morale (HE-MOR-05)."""
    target = deed.targets()[0]
    bonus = skill(sheet(play.combat[deed.who]), "intimidation")
    rolling = roll(
        deed.who,
        "intimidation",
        options(play.combat).check_dice,
        rules=("HE-MOR-05",),
        terms=(Term("Intimidation", bonus, "HE-MOR-05"),),
        against=target,
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


INTIMIDATE = Doing(
    id="intimidate",
    label="Intimidate",
    rules=("HE-MOR-05",),
    inputs=Aiming,
    body=False,
    voice=True,
    aims=True,
    harms=True,
    do=do_intimidate,
)
