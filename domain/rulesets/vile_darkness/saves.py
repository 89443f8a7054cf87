"""A save: 1d20 and modifiers, at least the number (GAP-23)."""

from collections.abc import Iterable

from msgspec import Struct

from domain.record.combat import Id
from domain.record.events import Term
from domain.rulebook.effects import Procedure, ask_gm, roll, while_there
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option
from domain.rulesets.vile_darkness.harm import Failed, Result
from domain.rulesets.vile_darkness.numbers import all_attributes, save_number, save_terms
from domain.rulesets.vile_darkness.sheet import Number


class SaveNumber(Struct, frozen=True, forbid_unknown_fields=True):
    """The total that makes the save."""

    number: Number


SET_NUMBER = (
    Option(
        "set",
        SaveNumber,
        candidates=lambda play, _: ({"number": at} for at in (5, 12, 20)),
        label="This total makes it",
    ),
)


def saved(
    play: Play, who: Id, category: str, attributes: tuple[str, ...]
) -> Procedure[list[Result]]:
    """Roll the save, and return the failure, which breaks concentration.

    A combatant that has left makes no save (GAP-54).
    """
    failed = yield from while_there(play, who, _saved(play, who, category, attributes), "save")
    return failed or []


def _saved(
    play: Play, who: Id, category: str, attributes: tuple[str, ...]
) -> Procedure[list[Result]]:
    number = save_number(play.combat, play.combat[who], category)
    if number is None:
        answer = yield from ask_gm(
            "missing-save-number",
            f"Which total does {who} need to save against {category}?",
            SET_NUMBER,
            None,
            rules=("VD-EHD-03",),
            data={"target": who, "category": category},
        )
        number = int(answer.inputs.number)
    said = number

    def wanted() -> int:
        now = save_number(play.combat, play.combat[who], category)
        return said if now is None else now

    def terms() -> Iterable[Term]:
        return save_terms(play.combat[who], category, all_attributes(play.combat, attributes))

    rolled = yield from roll(
        who,
        "save",
        "1d20",
        rules=("VD-ATK-06", "VD-CONC-03"),
        terms=terms,
        target=wanted,
        judge=lambda faces, total, target: "success" if total >= target else "failure",
    )
    return [] if rolled.outcome == "success" else [Failed(who)]
