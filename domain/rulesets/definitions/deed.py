"""Deed: an action whose price and effect are separate.

A held action, or the attacks of a charge, are carried out without another payment: `requirements`
and `carry` know nothing of budgets. `deeds` joins both.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from domain.errors import Illegal, Refused
from domain.record.combat import Combat, Id, Json
from domain.record.events import Prevented
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulesets.definitions.costs import Kind

First = Callable[[Play, Id, Any], Procedure[bool]]


@dataclass(frozen=True)
class Deed(Action):
    """An action whose cost is paid before it is carried out.

    - `kind` is its present cost.
    - `carry(play, who, inputs, place)` carries it out, once it is paid. `place` is its place in the
      order of attacks, which gives its base attack bonus (DEF-MUL-03, DEF-MUL-04).
    - `first` asks others before anything is spent. False: the action is cancelled and costs
      nothing.
    """

    kind: Callable[[Combat, Id, Any], Kind] = field(kw_only=True)
    requirements: Callable[[Play, Id, Any], Iterator[Illegal]] = field(kw_only=True)
    carry: Callable[[Play, Id, Any, int], Procedure[None]] = field(kw_only=True)
    first: First | None = field(default=None, kw_only=True)


def foiled(who: Id, action: str, refusal: Illegal, *also: str, at: Id | None = None) -> Prevented:
    """Return the event for a begun action that has become impossible. Its cost stays spent."""
    about: Mapping[str, Json] = {} if at is None else {"target": at}
    rules = (refusal.rule, *also)
    return Prevented(who, action, about, refusal.code, refusal.detail, rules=rules)


def unmet(play: Play, who: Id, deed: Deed, inputs: Any) -> Illegal | None:
    """Return the first requirement that is not met now, including missing names."""
    try:
        return next(deed.requirements(play, who, inputs), None)
    except Refused as gone:
        return Illegal(deed.rules[0], "gone", gone.told)
