"""From a procedure's `Roll` to the recorded `Rolled`."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.dice import BadFaces, check_faces, parse
from domain.record.combat import Json
from domain.record.events import Rolled
from domain.rulebook.effects import Roll
from domain.rulebook.prompts import Option, Prompt
from domain.rulebook.said import words


class Faces(Struct, frozen=True, forbid_unknown_fields=True):
    """The faces of physical or 3-D dice, in the order of the formula."""

    faces: Annotated[tuple[int, ...], Meta(max_length=100)]


def rolled(
    effect: Roll,
    faces: tuple[int, ...],
    by: Literal["server", "manual", "gm"],
    key: str = "",
    ordinal: int = 0,
) -> Rolled:
    """The event of a roll: the sum and the word for its outcome."""
    total = parse(effect.formula).total(faces) + sum(term.value for term in effect.terms)
    return Rolled(
        effect.who,
        effect.purpose,
        effect.formula,
        tuple(faces),
        total,
        effect.terms,
        effect.target,
        effect.against,
        effect.judge(faces, total),
        key,
        ordinal,
        by,
        effect.secret,
        rules=effect.rules,
    )


def fits(effect: Roll, faces: tuple[int, ...]) -> bool:
    """Whether these are faces of the roll's dice."""
    try:
        check_faces(parse(effect.formula), faces)
    except BadFaces:
        return False
    return True


def faces_prompt(effect: Roll) -> Prompt:
    """The question for the faces of dice that somebody rolls by hand."""
    dice: list[Json] = [abs(die) for die in parse(effect.formula).dice]
    return Prompt(
        kind="roll",
        name=effect.purpose,
        who=None if effect.by_gm else effect.who,
        text=f"{effect.who} rolls {effect.formula} ({words(effect.purpose)})",
        options=(Option("roll", Faces, candidates=lambda play, who: ({"faces": dice},)),),
        rules=effect.rules,
        data={
            "purpose": effect.purpose,
            "formula": effect.formula,
            "dice": dice,
            "terms": [[term.source, term.value] for term in effect.terms],
        },
    )
