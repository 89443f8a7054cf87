"""Death saves in three styles, and the procedures after a fall (DEF-DTH, -DAE, -DST, -DBR)."""

from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec import Meta, Struct

from domain.errors import Illegal, Impossible
from domain.record.combat import Combat, Combatant, Id, Json
from domain.record.events import ConditionGained, Rolled, Stabilized, Term
from domain.rulebook.effects import Procedure, ask_anew, roll, stopped_by
from domain.rulebook.play import Play
from domain.rulebook.presence import in_fight
from domain.rulebook.prompts import Option, Prompt
from domain.rulebook.sums import Sum
from domain.rulesets.definitions import harm, sheet
from domain.rulesets.definitions.consequences import ASKED
from domain.rulesets.definitions.facts import DROPPED, FAILS, WOUND_DUE
from domain.rulesets.definitions.numbers import modifier, save_terms
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.states import sheet_of


@rule("DEF-DTH-02", "The rules of death are the same for everybody")
@rule("DEF-DTH-06", "Each failure counts, and the third one kills")
@rule("DEF-DTH-07", "A success stabilizes the combatant and clears its failures")
@rule("DEF-DST-03", "Stats-matter: a success stabilizes, and a failure counts once")
def death_save(play: Play, who: Id) -> Procedure[None]:
    """Roll one death save at the start of the combatant's turn (DEF-DTH-04).

    If the combatant stops bleeding before the roll, it does not roll.
    """
    combatant, style = play.combat[who], str(play.combat.options.get("death_roll"))

    def over() -> Illegal | None:
        if in_fight(play.combat, who) and play.combat[who].has("bleeding-out"):
            return None
        return Illegal("DEF-DTH-04", "not-bleeding", f"{who} bleeds no more")

    rolled = yield from stopped_by(play, who, attempt(play, who, style), "death-save", over)
    if rolled is None:
        return
    if rolled.outcome == "success":
        yield ConditionGained(who, "stabilized", rules=("DEF-DTH-07", "DEF-STB-01"))
        yield Stabilized(who, rules=("DEF-DTH-07",))
    else:
        fails = FAILS.of(play.combat[who]) + 1
        yield FAILS.set(who, fails, rules=("DEF-DTH-06",))
        yield from harm.fallen(play, combatant)


ROLLS = {
    "all-equal": ("1d100", ("DEF-DAE-01", "DEF-DAE-02", "DEF-GEN-08")),
    "stats-matter": ("1d20", ("DEF-DST-01",)),
    "brutality": ("1d20", ("DEF-DBR-01",)),
}


@rule("DEF-GEN-08", "A d% shows 1 to 100, and 100 is the highest")
@rule("DEF-DAE-01", "All-equal: a d% of 51 or more saves")
@rule("DEF-DBR-04", "Brutality: a success stabilizes, a failure counts once, and the DC stays")
def attempt(play: Play, who: Id, style: str) -> Procedure[Rolled]:
    """Roll a d% without modifiers, or a Fortitude save, as the option `death_roll` requires."""
    dice, rules = ROLLS[style]

    def terms() -> list[Term]:
        return [] if style == "all-equal" else save_terms(play.combat[who], "fortitude")

    return (
        yield from roll(
            who,
            "death-save",
            dice,
            rules=rules,
            terms=terms,
            target=lambda: needed_now(play.combat[who], style),
            judge=lambda faces, total, target: "success" if total >= target else "failure",
        )
    )


@rule("DEF-DAE-02", "All-equal: each failure raises the number by 10")
@rule("DEF-DAE-03", "All-equal: the failure by massive damage counts too")
@rule("DEF-DST-01", "Stats-matter: the save is Fortitude against 10 + HD − Constitution")
@rule("DEF-DST-02", "Stats-matter: a negative Constitution raises the DC, and failures do not")
@rule(
    "DEF-DBR-01",
    "Brutality: the save is Fortitude against 10 + the damage that dropped the combatant",
)
def needed_now(combatant: Combatant, style: str) -> Sum:
    """Return the number that the next death save must reach.

    - `all-equal`: 51, plus 10 for each failure.
    - `stats-matter`: 10 + HD − Constitution.
    - `brutality`: 10 + the damage that dropped the combatant.
    """
    if style == "all-equal":
        total = Sum().add("base", 51, "DEF-DAE-01", "rulebook")
        more = 10 * FAILS.of(combatant)
        return total.add("failures", more, "DEF-DAE-02", "state", why="it has not failed yet")
    if style == "stats-matter":
        total = Sum().add("base", 10, "DEF-DST-01", "rulebook")
        total.add("hit dice", sheet_of(combatant).hit_dice, "DEF-DST-01")
        return total.add("Constitution", -modifier(combatant, "constitution"), "DEF-DST-01")
    total = Sum().add("base", 10, "DEF-DBR-01", "rulebook")
    return total.add("damage of the fall", DROPPED.of(combatant), "DEF-DBR-01", "state")


class Wound(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The GM's answer about a wound: a text, and data for the condition."""

    text: Annotated[str, Meta(max_length=200)] = ""
    data: dict[str, Json] = {}


WOUND = (Option("wound", Wound, label="Describe the wound"),)


def of_those_there(combat: Combat, source: str) -> str:
    """Return the cause of a wound. If the combatant that dealt it has left, omit its name."""
    gone = [combatant.id for combatant in combat.combatants.values() if combatant.left]
    name = max((id for id in gone if f"{source} ".startswith(f"{id} ")), key=len, default="")
    return source[len(name) :].strip() or "an unknown cause"


def owned(combat: Combat, source: str) -> str:
    """Return the cause of a wound with a possessive, such as "Ana's bow" for "Ana bow"."""
    name = max((id for id in combat.combatants if source.startswith(f"{id} ")), key=len, default="")
    return f"{name}'s {source[len(name) + 1 :]}" if name else source


@rule("DEF-WND-01", "Each fall to 0 HP gives one wound, which the GM names")
@rule("DEF-WND-02", "A wound stays, even after healing")
def wound(play: Play, who: Id, source: str) -> Procedure[None]:
    """Ask the GM for one wound after each fall to 0 HP. Healing does not remove the wound."""
    yield WOUND_DUE.set(who, ASKED, rules=("DEF-WND-01",))

    def question(now: Combat) -> Prompt:
        what = of_those_there(now, source)
        return Prompt(
            kind="ruling",
            name="wound",
            who=None,
            text=f"{who} is reduced to 0 HP by {owned(now, what)}. Which wound is it?",
            options=WOUND,
            rules=("DEF-WND-01",),
            default="wound",
            data={"combatant": who, "source": what, "wound": f"wound: {what}"},
            stands=lambda now: in_fight(now, who),
        )

    answer = yield from ask_anew(play.combat, question)
    text: str = answer.inputs.text or f"wound: {of_those_there(play.combat, source)}"
    data: Mapping[str, Json] = {**answer.inputs.data, "kind": "wound", "name": text}
    if who in play.combat.combatants:
        yield ConditionGained(who, "wounded", data=data, rules=("DEF-WND-01", "DEF-INC-01"))


@rule("DEF-GEN-01", "The table chooses a death roll when it opens the combat")
def check_options(options: sheet.Options) -> Iterator[Impossible]:
    """Refuse to open a combat without a style of death saves."""
    if options.death_roll is None:
        detail = "which death roll does the table use?"
        yield Impossible(
            "DEF-GEN-01", "death-roll-required", detail, sheet.DEATH_ROLLS, "/death_roll"
        )
    elif options.death_roll not in sheet.DEATH_ROLLS:
        detail = f"{options.death_roll!r} is no death roll"
        yield Impossible("DEF-GEN-01", "option-invalid", detail, sheet.DEATH_ROLLS, "/death_roll")
