"""The action `stabilize`, a Heal check on a fallen combatant (HE-STAB)."""

from collections.abc import Iterator

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant
from domain.record.events import Stabilized, Term
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.effects import Pause, Procedure, roll, while_able
from domain.rulebook.play import Play
from domain.rulebook.sums import Sum
from domain.rulesets.hallowed_earth.action_costs import dead
from domain.rulesets.hallowed_earth.attack import Attacks
from domain.rulesets.hallowed_earth.conditions import gained
from domain.rulesets.hallowed_earth.count import simultaneous
from domain.rulesets.hallowed_earth.deed import Aiming, Deed, StandardAction, Tool
from domain.rulesets.hallowed_earth.facts import WOUNDS
from domain.rulesets.hallowed_earth.numbers import apart
from domain.rulesets.hallowed_earth.rules import rule
from domain.rulesets.hallowed_earth.sheet import options, sheet, skill
from domain.rulesets.hallowed_earth.states import is_down


@rule("HE-STAB-04", "Only a combatant that is down and not stabilized can be stabilized")
@rule("HE-STAB-10", "Anybody within 5 ft can try, including the combatant itself")
def can_be_stabilized(
    combat: Combat, combatant: Combatant, other: Combatant, tool: Tool = None
) -> Iterator[Illegal]:
    """Refuse a target that is not down or is already stabilized (HE-STAB-04).

    Also refuse a target that is more than 5 ft away (HE-STAB-10).
    """
    if other.has("dead"):
        yield from dead(other)
    elif not is_down(other):
        detail = f"{other.name} is neither incapacitated nor dying"
        yield refuse("HE-STAB-04", "not-down", detail, NO_FIELD)
    elif other.has("stabilized"):
        detail = f"{other.name} is stabilized"
        yield refuse("HE-STAB-04", "already-stabilized", detail, NO_FIELD)
    far = apart(combat, combatant.id, other.id)
    if far is not None and far > 5:
        detail = f"{other.name} is {far} ft away, not 5 ft"
        yield refuse("HE-STAB-10", "out-of-reach", detail, NO_FIELD)


@StandardAction(
    "stabilize", "Stabilize", Aiming,
    category="help", headline="Stabilize[ {target}]", essential=("target",), polarity="help",
    rules={"HE-STAB-01": "A Heal check against 10 + the worst single wound stabilizes"},
    fits=can_be_stabilized, aims=True,
)  # fmt: skip
@rule("HE-STAB-02", "A total of at least the number stabilizes. After a failure, try again")
@rule("HE-STAB-03", "Wounds do not add up, and without a wound the number is 10")
def stabilize(play: Play, deed: Deed) -> Procedure[Attacks]:
    """Roll Heal against 10 + the largest single wound (HE-STAB-01).

    Wounds do not add up (HE-STAB-03). An equal total succeeds (HE-STAB-02).
    """
    target = deed.targets()[0]

    def number() -> Sum:
        worst = max((kept.amount for kept in WOUNDS.of(play.combat[target])), default=0)
        total = Sum().add("base", 10, "HE-STAB-01", "rulebook")
        return total.add("worst wound", worst, "HE-STAB-03", "state")

    def away() -> Illegal | None:
        if simultaneous(play.combat):  # HE-TIE-03
            return None
        combatant, other = play.combat[deed.who], play.combat[target]
        return next(can_be_stabilized(play.combat, combatant, other), None)

    rolling = roll(
        deed.who,
        "heal",
        options(play.combat).check_dice,
        rules=("HE-STAB-01", "HE-STAB-03"),
        terms=lambda: (Term("Heal", skill(sheet(play.combat[deed.who]), "heal"), "HE-STAB-01"),),
        target=number,
        against=target,
        judge=lambda faces, total, target: "success" if total >= target else "failure",
        stops=away,
        doing="stabilize",
    )
    rolled = yield from while_able(play, deed.who, rolling, "stabilize", at=target)
    if rolled is None:
        return []
    yield Pause("results")
    other = play.combat[target]
    down = is_down(other) and not other.left and not other.has("stabilized")
    if rolled.outcome == "success" and down:
        yield gained(play.combat, target, "stabilized", source=deed.who, rules=("HE-STAB-02",))
        yield Stabilized(target, deed.who, rules=("HE-STAB-02",))
    return []
