"""Morale of monsters at the end of the round (HE-MOR)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id
from domain.record.events import Noted, Term
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.effects import Procedure, ask_anew, ask_gm, roll, while_able
from domain.rulebook.id_names import words
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option, Prompt, choices
from domain.rulebook.sums import Sum
from domain.rulesets.hallowed_earth.conditions import gained
from domain.rulesets.hallowed_earth.facts import HIT_HARD, INTIMIDATED, OBVIOUS
from domain.rulesets.hallowed_earth.numbers import modifier
from domain.rulesets.hallowed_earth.rules import rule
from domain.rulesets.hallowed_earth.sheet import hd, sheet
from domain.rulesets.hallowed_earth.states import able_to_fight, hostile

TRIGGERS = {"wounded": "HE-MOR-02", "outnumbered": "HE-MOR-03", "intimidated": "HE-MOR-05"}
"""The reasons for a check, each with its rule."""


class Seeing(Struct, frozen=True, forbid_unknown_fields=True):
    who: tuple[Id, ...]


@dataclass(frozen=True)
class Check:
    """A due morale check, with the number to reach and the terms that Affray adds to 3d6."""

    who: Id
    number: Sum
    triggers: tuple[str, ...]
    terms: tuple[Term, ...]


@rule("HE-MOR-10", "Without a trigger there is no check", untold="what does not happen")
@rule("HE-MOR-12", "A monster checks once per round, against the highest number")
def due(combat: Combat) -> list[Check]:
    """Return a due check with its current numbers for each monster with a trigger.

    HE-MOR-10, HE-MOR-12, HE-MOR-13.
    """
    checks = (_check(combat, combatant.id) for combatant in combat if _checks(combatant))
    return [check for check in checks if check.triggers]


@rule("HE-MOR-01", "Monsters check morale at the end of the round, and characters never do")
def _checks(combatant: Combatant) -> bool:
    """Return true for a living monster that has not given up (HE-MOR-14).

    Characters never check morale (HE-MOR-01).
    """
    gone = combatant.left or combatant.has("dead", "routed", "surrendered")
    return sheet(combatant).kind == "monster" and not gone


@rule("HE-MOR-03", "A monster whose opponents outnumber its side checks morale")
@rule(
    "HE-MOR-04", "Hostile monsters are opponents too", untold="counted in the number of HE-MOR-07"
)
@rule("HE-MOR-06", "A morale check is 3d6 + Insight modifier + HD + allies")
@rule("HE-MOR-07", "The number is 11 + opponents, or the result of the Intimidation")
def _check(combat: Combat, who: Id) -> Check:
    combatant = combat[who]
    others = [other.id for other in combat if other.id != who and able_to_fight(combat, other.id)]
    opponents = sum(hostile(combat, who, other) for other in others)  # HE-MOR-04
    allies = len(others) - opponents  # its side except itself (HE-MOR-11)
    triggers: list[str] = []
    numbers: list[Sum] = []
    if HIT_HARD.of(combatant):  # HE-MOR-02
        triggers.append("wounded")
    if opponents > allies + 1:  # HE-MOR-03
        triggers.append("outnumbered")
    if triggers:
        foes = Sum().add("base", 11, "HE-MOR-07", "rulebook")
        numbers.append(foes.add("opponents", opponents, "HE-MOR-07", "state"))
    opposed = INTIMIDATED.of(combatant)
    if opposed is not None:  # HE-MOR-05
        triggers.append("intimidated")
        numbers.append(Sum().add("intimidation", opposed, "HE-MOR-05", "roll"))
    terms = (
        Term("Insight", modifier(combat, combatant, "insight"), "HE-MOR-06"),
        Term("HD", hd(sheet(combatant)), "HE-MOR-06"),
        Term("allies", allies, "HE-MOR-11"),
    )
    return Check(who, max(numbers, key=attrgetter("value"), default=Sum()), tuple(triggers), terms)


@rule(
    "HE-MOR-13",
    "All checks use the numbers at the beginning of the step",
    untold="numbers are as they were",
)
def morale(play: Play) -> Procedure[None]:
    """Roll all due morale checks, with the numbers from the start of the step (HE-MOR-13).

    A monster that sees how the combat will end fails without dice (HE-MOR-09).
    """
    checks = due(play.combat)
    if not checks:
        return
    yield from obvious(play, checks)
    for check in checks:
        if _checks(play.combat[check.who]):
            yield from while_able(play, check.who, tested(play, check), "morale")


@rule("HE-MOR-08", "A total of at least the number succeeds")
def tested(play: Play, check: Check) -> Procedure[None]:
    """Roll 3d6 + Insight + HD + allies. A total equal to the check's number succeeds.

    HE-MOR-06 to HE-MOR-08.
    """
    who, number = check.who, check.number
    if OBVIOUS.of(play.combat[who]):
        yield Noted(f"{who} sees how it will end", who, rules=("HE-MOR-09",))
        yield from failed(play, check)
        return
    due_to = [TRIGGERS[trigger] for trigger in check.triggers]
    if len(due_to) > 1:
        due_to.append("HE-MOR-12")

    def settled() -> Illegal | None:
        detail = f"{who} has given up already"
        given_up = play.combat[who].has("routed", "surrendered")
        return refuse("HE-MOR-14", "routed", detail, NO_FIELD) if given_up else None

    rolled = yield from roll(
        who,
        "morale",
        "3d6",
        rules=("HE-MOR-06", "HE-MOR-07", "HE-MOR-08", *due_to),
        terms=check.terms,  # the terms from the start of the step (HE-MOR-13)
        target=number,
        against=_opponent(play.combat, who),
        judge=lambda faces, total, target: "success" if total >= target else "failure",
        by_gm=True,
        stops=settled,
    )
    if rolled is not None and rolled.total < number.value:
        yield from failed(play, check)


def _opponent(combat: Combat, who: Id) -> Id | None:
    """Return a foe whose numbers the target number reveals, or `None` for the GM's monsters.

    A monster on a player's side checks against a number that depends on the count of its foes and
    on their Intimidation. This number must stay secret from the player. Prefer a foe in sight.
    """
    if not any(other.owner for other in combat if other.side == combat[who].side):
        return None
    opponents = (other for other in combat if hostile(combat, who, other.id))
    return next(
        (other.id for other in sorted(opponents, key=lambda combatant: combatant.hidden)), None
    )


def seeing(monsters: Sequence[Id] = ()) -> tuple[Option, ...]:
    """Return the options to name monsters that see how the combat will end (HE-MOR-09).

    The GM can name only monsters with a due check.
    """

    def refusals(play: Play, _: Id, inputs: Seeing) -> Iterator[Illegal]:
        for who in inputs.who:
            if play.combat[who].id not in monsters:
                detail = f"no morale check of {play.combat[who].name} is due"
                yield refuse("HE-MOR-09", "no-check-due", detail, "who", monsters)

    return (
        Option("none", label="None of them"),
        Option("obvious", Seeing, refusals, lambda play, _: ({"who": [*monsters]},), "These"),
    )


def obvious(play: Play, checks: list[Check]) -> Procedure[None]:
    """Ask the GM which monsters clearly see how the combat will end (HE-MOR-09)."""

    def question(now: Combat) -> Prompt:
        monsters = [check.who for check in checks if _checks(now[check.who])]
        return Prompt(
            kind="ruling",
            name="morale-obvious",
            who=None,
            text=f"Which of {', '.join(monsters)} see how the fight will end?",
            options=seeing(monsters),
            rules=("HE-MOR-01", "HE-MOR-09"),
            default="none",
            data={"monsters": monsters},
            stands=lambda later: any(_checks(later[check.who]) for check in checks),
        )

    answer = yield from ask_anew(play.combat, question)
    if answer.option == "obvious":
        for who in answer.inputs.who:
            yield OBVIOUS.set(who, True, rules=("HE-MOR-09",))


FAILED = choices("flee", "surrendered", "parley", "fight-on")


@rule("HE-MOR-14", "The GM decides the result of a failure; by default, the monster flees")
def failed(play: Play, check: Check) -> Procedure[None]:
    """Ask the GM for the result of a failed check. By default, the monster flees (HE-MOR-14)."""
    who = check.who
    answer = yield from ask_gm(
        "morale-failed",
        f"{who}'s morale has failed. What does {who} do?",
        FAILED,
        "flee",
        rules=("HE-MOR-14",),
        data={"combatant": who, "triggers": list(check.triggers)},
        stands=lambda combat: _checks(combat[who]),
    )
    if not _checks(play.combat[who]):
        return
    if answer.option in ("flee", "surrendered"):
        leads_to = "routed" if answer.option == "flee" else "surrendered"
        yield gained(play.combat, who, leads_to, rules=("HE-MOR-14",))
    else:
        yield Noted(f"{who}'s morale has failed: {words(answer.option)}", who, rules=("HE-MOR-14",))
