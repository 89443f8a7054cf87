"""Monster morale at the end of the round (HE-MOR)."""

from dataclasses import dataclass

from msgspec import Struct

from domain.record.combat import Combat, Id
from domain.record.events import ConditionGained, FactSet, Noted, Term
from domain.rulebook.effects import Procedure, ask, roll
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option, Prompt, choices
from domain.rulesets.hallowed_earth.numbers import able_to_fight, hostile, modifier, sheet
from domain.rulesets.hallowed_earth.sheet import hd


class Seeing(Struct, frozen=True, forbid_unknown_fields=True):
    who: tuple[Id, ...]


@dataclass(frozen=True)
class Check:
    """A check that is due: its number, and what adds to the 3d6."""

    who: Id
    number: int
    triggers: tuple[str, ...]
    terms: tuple[Term, ...]


def due(combat: Combat) -> list[Check]:
    """Every monster with a trigger, by the numbers of this moment (HE-MOR-12, -13)."""
    return [
        check
        for one in combat
        if sheet(one).kind == "monster" and not one.has("dead", "routed", "surrendered")
        for check in [_check(combat, one.id)]
        if check.triggers
    ]


def _check(combat: Combat, who: Id) -> Check:
    one = combat[who]
    others = [other.id for other in combat if other.id != who and able_to_fight(combat, other.id)]
    opponents = sum(hostile(combat, who, other) for other in others)  # HE-MOR-04
    allies = len(others) - opponents  # own side without itself (HE-MOR-11)
    triggers, numbers = [], []
    if one.facts.get("wounded"):  # HE-MOR-02
        triggers.append("wounded")
    if opponents > allies + 1:  # HE-MOR-03
        triggers.append("outnumbered")
    if triggers:
        numbers.append(11 + opponents)  # HE-MOR-07
    if one.facts.get("intimidated") is not None:  # HE-MOR-05
        triggers.append("intimidated")
        numbers.append(int(one.facts["intimidated"]))
    terms = (
        Term("Insight", modifier(combat, one, "insight"), "HE-MOR-06"),
        Term("HD", hd(sheet(one)), "HE-MOR-06"),
        Term("allies", allies, "HE-MOR-06"),
    )
    return Check(who, max(numbers, default=0), tuple(triggers), terms)


def morale(play: Play) -> Procedure[None]:
    """Who sees the end fails without dice; the others roll 3d6 (HE-MOR-06 to -09)."""
    checks = due(play.combat)
    if not checks:
        return
    yield from obvious(play, checks)
    for check in checks:
        if play.combat[check.who].facts.get("obvious"):
            yield Noted("sees how it will end", check.who, rules=("HE-MOR-09",))
            yield from failed(play, check)
            continue
        rolled = yield from roll(
            check.who,
            "morale",
            "3d6",
            rules=("HE-MOR-06", "HE-MOR-07"),
            terms=check.terms,
            target=check.number,
            judge=lambda faces, total, number=check.number: (  # type: ignore[misc]
                "holds" if total >= number else "fails"
            ),
            by_gm=True,
        )
        if rolled.total < check.number:
            yield from failed(play, check)


def obvious(play: Play, checks: list[Check]) -> Procedure[None]:
    """Which monsters plainly see how the fight will end (HE-MOR-09)."""
    monsters = [check.who for check in checks]
    answer = yield from ask(
        Prompt(
            kind="ruling",
            name="morale-obvious",
            who=None,
            text=f"Which of {', '.join(monsters)} see how the fight will end?",
            options=(
                Option("none"),
                Option("obvious", Seeing, candidates=lambda play, who: ({"who": monsters},)),
            ),
            rules=("HE-MOR-09",),
            default="none",
            data={"monsters": monsters},
        )
    )
    if answer.option == "obvious":
        for who in answer.inputs.who:
            if who in monsters:
                yield FactSet(who, "obvious", True, rules=("HE-MOR-09",))


def failed(play: Play, check: Check) -> Procedure[None]:
    """What it leads to is the Referee's; by default it flees (HE-MOR-14)."""
    who = check.who
    answer = yield from ask(
        Prompt(
            kind="ruling",
            name="morale-failed",
            who=None,
            text=f"The morale of {who} has failed: what does it do?",
            options=choices("flee", "surrendered", "parley", "fight-on"),
            rules=("HE-MOR-14",),
            default="flee",
            data={"combatant": who, "triggers": list(check.triggers)},
        )
    )
    if answer.option == "flee":
        yield ConditionGained(who, "routed", rules=("HE-MOR-14",))
    elif answer.option == "surrendered":
        yield ConditionGained(who, "surrendered", rules=("HE-MOR-14",))
    else:
        yield Noted(f"morale: {answer.option}", who, rules=("HE-MOR-14",))
