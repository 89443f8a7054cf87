"""Rulings of this rulebook (section 4.2), in addition to those of every rulebook."""

from collections.abc import Mapping

from domain.rulebook.action import Action
from domain.rulebook.gm import RULINGS
from domain.rulesets.hallowed_earth.rulings.course import RUNNING
from domain.rulesets.hallowed_earth.rulings.harm import HARMING

HALLOWED_EARTH_RULINGS: Mapping[str, Action] = {
    **RULINGS,
    **{action.id: action for action in (*RUNNING, *HARMING)},
}
