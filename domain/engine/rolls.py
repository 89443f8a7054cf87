"""Rolls: turn a procedure's `Roll` into a prompt, and into the recorded `Rolled`."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.dice import BadFaces, Formula, check_faces, parse_roll
from domain.record.combat import Combat, Id, Json
from domain.record.events import Rolled
from domain.rulebook.effects import Numbers, Roll
from domain.rulebook.phrases import Phrases
from domain.rulebook.prompts import Option, Prompt, no_candidates


class RollFaces(Struct, frozen=True, forbid_unknown_fields=True):
    """The faces of physical or 3-D dice, in the formula's order. If `null`, the service rolls."""

    faces: Annotated[tuple[int, ...], Meta(max_length=100)] | None


def rolled(
    effect: Roll,
    numbers: Numbers,
    faces: tuple[int, ...],
    by: Literal["server", "manual", "gm"],
    key: str = "",
    ordinal: int = 0,
) -> Rolled:
    """Return the event of a roll with these faces, its total and its outcome."""
    total = parse_roll(numbers.formula).total(faces) + sum(term.value for term in numbers.terms)
    outcome = effect.judge(faces, total, numbers.target or 0)
    return Rolled(
        effect.who,
        effect.purpose,
        numbers.formula,
        tuple(faces),
        total,
        numbers.terms,
        numbers.target,
        effect.against,
        outcome,
        key,
        ordinal,
        by,
        effect.secret,
        effect.told(outcome),
        numbers.target_terms,
        rules=effect.rules,
    )


def fits(numbers: Numbers, faces: tuple[int, ...]) -> bool:
    """Return true if the dice of the roll can show these faces."""
    try:
        check_faces(parse_roll(numbers.formula), faces)
    except BadFaces:
        return False
    return True


def faces_schema(formula: Formula) -> dict[str, Json]:
    """Return the JSON Schema for the faces of these dice, with their number and ranges."""
    dice: list[Json] = [
        {"type": "integer", "minimum": 1, "maximum": abs(die)} for die in formula.dice
    ]
    count = len(dice)
    schema: dict[str, Json] = {"type": "array", "minItems": count, "maxItems": count}
    if len(set(map(abs, formula.dice))) > 1:
        return {**schema, "prefixItems": dice, "items": False}
    return {**schema, "items": dice[0]} if dice else schema


def faces_prompt(effect: Roll, numbers: Numbers, combat: Combat, phrases: Phrases) -> Prompt:
    """Return the prompt for the faces of dice that a person rolls.

    The GM rolls for a combatant that has left. The prompt does not name a target that has left.
    """
    gone = {combatant.id for combatant in combat.combatants.values() if combatant.left}
    who = None if effect.by_gm or effect.who in gone else effect.who
    roller = "The GM" if effect.who in gone else effect.who
    dice: list[Json] = [abs(die) for die in parse_roll(numbers.formula).dice]
    data: dict[str, Json] = {
        "purpose": effect.purpose,
        "formula": numbers.formula,
        "dice": dice,
        "faces": faces_schema(parse_roll(numbers.formula)),
        "terms": [[term.source, term.value, term.rule] for term in numbers.terms],
    }
    noun = phrases.roll(effect.purpose)
    if effect.against is not None and effect.against not in gone:
        data["against"] = effect.against
        noun = _aimed(noun, effect.against)
    if numbers.target is not None:
        data["target"] = numbers.target
    return Prompt(
        kind="roll",
        name=effect.purpose,
        who=who,
        text=f"{roller} rolls {numbers.formula} ({noun})",
        options=(Option("roll", RollFaces, candidates=no_candidates),),
        rules=effect.rules,
        data=data,
    )


def _aimed(noun: str, target: Id) -> str:
    """Return the noun for a roll, with the target of an attack, of damage or of healing."""
    word = noun.rpartition(" ")[2].lower()
    toward = {"attack": "on", "damage": "to", "healing": "for"}.get(word)
    return noun if toward is None else f"{noun} {toward} {target}"
