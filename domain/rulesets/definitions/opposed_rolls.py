"""Opposed rolls. The higher total wins, and both sides roll again after a tie (DEF-OPP)."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id
from domain.record.events import Rolled, Term
from domain.rulebook.contests import compared, result_of
from domain.rulebook.effects import Procedure, choose, roll, stopped_by
from domain.rulebook.play import Play
from domain.rulebook.prompts import choices
from domain.rulesets.definitions import numbers
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.states import able, helpless_towards, out_of_fight

Terms = Callable[[Combatant], list[Term]]

Over = Callable[[Combat], Illegal | None]
"""Return the reason to skip the roll, such as a target out of reach."""


@dataclass(frozen=True)
class Side:
    """One side of an opposed roll, with its purpose, its terms and its penalty."""

    who: Id
    purpose: str
    terms: Terms
    penalty: int = 0


@dataclass(frozen=True)
class Contest:
    """The result of an opposed roll. `won` is true if the first side won.

    `margin` is `None` if there was no roll.
    """

    won: bool
    margin: int | None = None


def opposed(
    play: Play, first: Side, second: Side, rule: str, over: Over
) -> Procedure[Contest | None]:
    """Roll an opposed check.

    Return `None` if a side leaves the combat, or if `over` stops the roll.
    """
    out = out_of_fight(play, first.who, second.who)
    rolls = throws(play, first, second, rule)

    def stops() -> Illegal | None:
        return out() or over(play.combat)

    return (yield from stopped_by(play, first.who, rolls, "opposed-roll", stops))


@rule("DEF-OPP-01", "The higher total wins an opposed roll, and the aggressor rolls first")
@rule("DEF-OPP-02", "Both sides roll a tie again")
@rule("DEF-OPP-03", "Opposed rolls have no criticals and no minimum margin")
@rule("DEF-MAN-08", "After a tie, both sides roll again with the same choices")
def throws(play: Play, first: Side, second: Side, rule: str) -> Procedure[Contest]:
    """Roll for both sides. After a tie, both roll again with the same modifiers."""
    ours = theirs = None
    while True:
        ours = yield from _throw(play, first, second.who, rule, ours)
        theirs = yield from _throw(play, second, first.who, rule, theirs, ours.total)
        margin = ours.total - theirs.total
        yield result_of(ours, theirs, rules=(rule, "DEF-OPP-01", "DEF-OPP-02"))
        if margin:
            return Contest(margin > 0, margin)


def _throw(
    play: Play,
    side: Side,
    against: Id,
    rule: str,
    before: Rolled | None,
    other: int | None = None,
) -> Procedure[Rolled]:
    """Roll for one side.

    `before` is this side's earlier roll after a tie. `other` is the total of the other side.
    """

    def terms() -> Iterable[Term]:
        if before is not None:  # the same modifiers as before (DEF-OPP-02)
            return before.terms
        penalty = Term("struck on the way", side.penalty, "DEF-MAN-04")
        return *side.terms(play.combat[side.who]), penalty

    rolled = yield from roll(
        side.who,
        side.purpose,
        "1d20",
        rules=(rule, "DEF-OPP-01", "DEF-OPP-02"),
        terms=terms,
        against=against,
        judge=lambda faces, total, target: "" if other is None else compared(total, other),
    )
    return rolled


@rule("DEF-MAN-10", "A combatant that cannot resist loses without a roll")
def contest(play: Play, first: Side, second: Side, rule: str, over: Over) -> Procedure[Contest]:
    """Roll an aggressor's attempt.

    A defender that cannot resist loses without a roll.
    """

    def lost(combat: Combat) -> Illegal | None:
        if no_resistance(combat, first.who, second.who):
            return Illegal("DEF-MAN-10", "helpless", f"{second.who} cannot resist")
        return over(combat)

    if not no_resistance(play.combat, first.who, second.who):
        result = yield from opposed(play, first, second, rule, lost)
        if result is not None:
            return result
    gone = out_of_fight(play, first.who, second.who)() or over(play.combat)
    return Contest(won=gone is None)


def no_resistance(combat: Combat, aggressor: Id, defender: Id) -> bool:
    """Return true if the defender cannot resist, because it is helpless (DEF-MAN-10)."""
    return helpless_towards(combat, defender, aggressor)


# ---- kinds


def strength(who: Id, penalty: int = 0) -> Side:
    return Side(who, "opposed-strength", numbers.strength_terms, penalty)


@rule(
    "DEF-DIS-04", "The opposed roll is Dexterity and size, with −4 if the opportunity dealt damage"
)
def dexterity(who: Id, penalty: int = 0) -> Side:
    """Return the Dexterity side of an opposed roll."""
    return Side(who, "opposed-dexterity", numbers.dexterity_terms, penalty)


def grapple(who: Id, penalty: int = 0) -> Side:
    """Return the grapple side of an opposed roll."""
    return Side(who, "opposed-grapple", numbers.grapple_terms, penalty)


ESCAPE_ARTIST = "escape_artist"


def skill(who: Id, name: str, rule: str) -> Side:
    return Side(who, f"skill-{name}", lambda combatant: numbers.skill_terms(combatant, name, rule))


def escape_artist(who: Id) -> Side:
    """Return the Escape Artist side of an opposed roll. Size does not count (DEF-MAN-07)."""
    return skill(who, ESCAPE_ARTIST, "DEF-MAN-07")


DEFENSES = choices("grapple", "escape-artist")


def better_defense(combat: Combat, who: Id) -> str:
    """Return the defence with the higher bonus. If both are equal, return grapple."""
    skilled = better(combat, escape_artist(who), grapple(who))
    return "escape-artist" if skilled else "grapple"


def better(combat: Combat, side: Side, than: Side) -> bool:
    """Return true if the terms of `side` have a higher total than those of `than`."""
    combatant, other = combat[side.who], combat[than.who]
    return numbers.total(side.terms(combatant)) > numbers.total(than.terms(other))


@rule("DEF-MAN-07", "The defender may use Escape Artist in some grapple rolls")
def grapple_defense(
    play: Play, who: Id, against: Id, rule: str, over: Over, named: str | None = None
) -> Procedure[Side]:
    """Return the defence that the defender chooses before either side rolls.

    `named` is the choice in the inputs. It counts only if one player plays both combatants.
    """
    if no_resistance(play.combat, against, who):
        return grapple(who)
    if named is not None and play.combat[who].owner == play.combat[against].owner:
        return escape_artist(who) if named == "escape-artist" else grapple(who)
    answer = yield from choose(
        who,
        "defend-with",
        f"How does {who} resist {against}?",
        DEFENSES,
        better_defense(play.combat, who),
        rules=("DEF-MAN-07", rule),
        data={"attacker": against},
        stands=lambda now: able(now, who) and over(now) is None,
    )
    return escape_artist(who) if answer.option == "escape-artist" else grapple(who)
