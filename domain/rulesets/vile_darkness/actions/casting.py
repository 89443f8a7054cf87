"""cast and invoke: declared in step 1, never begun later (VD-DECL-02, VD-ABIL-03, -04)."""

from collections.abc import Callable, Iterator

from domain.errors import Illegal
from domain.record.combat import Id
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulesets.vile_darkness.acting import off_turn
from domain.rulesets.vile_darkness.using import Using, candidates


class Casting(Using, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`spell` (or `ability`); a target may be named, and is announced in D1 all the same."""

    spell: str | None = None

    @property
    def named(self) -> str | None:
        """The ability, under either name."""
        return self.spell or self.ability


def _never(id: str) -> Callable[[Play, Id, Casting], Iterator[Illegal]]:
    def refusals(play: Play, who: Id, inputs: Casting) -> Iterator[Illegal]:
        yield off_turn(play.combat, who, id)

    return refusals


def _nothing(play: Play, who: Id, inputs: Casting) -> Procedure[None]:
    yield from ()  # refused: what was declared completes by itself


def _action(id: str, label: str, *rules: str) -> Action:
    return Action(
        id,
        Casting,
        _never(id),
        candidates(id),
        label,
        procedure=_nothing,
        cost="major",
        rules=rules,
    )


CAST = _action("cast", "Cast an incantation", "VD-E-01", "VD-CONC-08")
INVOKE = _action("invoke", "Use an invocation", "VD-ABIL-03", "VD-E-05")
