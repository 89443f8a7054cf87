"""Two combats that differ only in hidden facts give a player equal answers, byte for byte."""

from typing import Any

import msgspec
import pytest

from domain.engine.caller import Caller
from domain.engine.commands import Join, Joining, Reply
from domain.record.combat import StandingOrder
from domain.record.events import Rolled
from domain.rulebook.ruleset import Ruleset
from domain.rulesets import definitions, sovereign
from domain.rulesets.free_hit import RULESET
from projections.board import board
from projections.eyes import Eyes
from service.conformance.secrecy import seen
from tests.rulesets.definitions.units import fighter
from tests.rulesets.free_hit.units import SWORD, foe, unit
from tests.rulesets.sovereign.units import hero, npc
from tests.spec import Spec


def fight(spec: Spec, *, lurker_hp: int, busy: bool) -> Spec:
    """Return a fight with a hidden lurker. If `busy`, the GM changes the lurker in secret."""
    lurker = foe("Lurker", agility=-9, max_hp=lurker_hp, at=[9, 9], weapons=[SWORD])
    imp = foe("Imp", agility=1, max_hp=lurker_hp, weapons=[SWORD], at=[1, 0])
    ana = unit("Ana", agility=5, accuracy=3, weapons=[SWORD], owner="anna", at=[0, 0])
    spec.given(ana, imp)
    spec.do(Join(Joining(lurker, hidden=True)))
    if busy:
        spec.rule("set-condition", who="Lurker", condition="prone")
        spec.rule("damage", who="Lurker", amount=3)
    spec.begin()
    if busy:
        spec.rule("heal", who="Lurker", amount=2)
    spec.act("Ana", "attack", ("attack", 12), ("damage", 4), target="Imp")
    return spec


def test_a_player_learns_nothing_of_hidden_facts() -> None:
    quiet = fight(Spec(RULESET), lurker_hp=20, busy=False)
    busy = fight(Spec(RULESET), lurker_hp=50, busy=True)
    assert seen(quiet) == seen(busy)
    assert quiet.live.version != busy.live.version


def test_the_gm_sees_the_difference() -> None:
    quiet = fight(Spec(RULESET), lurker_hp=20, busy=False)
    busy = fight(Spec(RULESET), lurker_hp=50, busy=True)
    gm = Caller("gm", "gm")
    boards = [board(spec.live, Eyes(spec.live.history, gm)) for spec in (quiet, busy)]
    assert boards[0] != boards[1]
    assert {combatant_view.id for combatant_view in boards[0].combatants} == {
        "Ana",
        "Imp",
        "Lurker",
    }


TIES: dict[str, tuple[Ruleset, list[dict[str, Any]], dict[str, Any], dict[str, Any]]] = {
    "definitions": (
        definitions.RULESET,
        [fighter("Ana", owner="anna"), fighter("Imp", "foes", at=[1, 0])],
        fighter("Lurker", "foes", at=[9, 9]),
        {"death_roll": "all-equal"},
    ),
    "free-hit": (
        RULESET,
        [unit("Ana", agility=5, owner="anna", at=[0, 0]), foe("Imp", agility=1, at=[1, 0])],
        foe("Lurker", agility=5, at=[9, 9]),
        {"initiative_ties": "roll"},
    ),
    "sovereign": (
        sovereign.RULESET,
        [hero("Ana", owner="anna"), npc("Imp")],
        npc("Lurker", "cult", at=[9, 9]),
        {},
    ),
}
"""A visible and a hidden combatant that may have equal initiative."""


@pytest.mark.parametrize("ruleset", TIES)
def test_an_equal_initiative_of_the_hidden_is_not_told(ruleset: str) -> None:
    """A player does not see the roll that breaks a tie with a hidden combatant."""
    rules, sheets, lurker, options = TIES[ruleset]
    tied = begun(Spec(rules), sheets, lurker, options, ties=True)
    apart = begun(Spec(rules), sheets, lurker, options, ties=False)
    rolled = [
        recorded.event.purpose
        for recorded in tied.live.history.path
        if isinstance(recorded.event, Rolled)
    ]
    assert rolled.count("initiative-tie") == 2
    assert ungrouped(tied) == ungrouped(apart)


def ungrouped(spec: Spec) -> list[Any]:
    """Return the player's lines without their grouping by the GM's answers."""
    views = [msgspec.json.decode(view) for view in seen(spec)]
    views[2] = [line for entry in views[2][0] for line in entry["lines"]]
    return views


def begun(
    spec: Spec,
    sheets: list[dict[str, Any]],
    lurker: dict[str, Any],
    options: dict[str, Any],
    *,
    ties: bool,
) -> Spec:
    """Begin with a lurker whose initiative ties with another's, or is the lowest."""
    if "agility" in lurker and not ties:
        lurker = {**lurker, "agility": -20}
    spec.given(*sheets, lurker, hidden=("Lurker",), rulings="default", **options)
    for sheet in sheets:
        spec.orders(sheet["name"], StandingOrder("instant", "pass"))
    spec.begin()
    while (asked := spec.prompt()).kind == "roll":
        die = asked.data["dice"][0]
        face = {"Ana": die, "Imp": 3, "Lurker": 3 if ties else 1}.get(str(asked.who), die)
        if asked.name == "initiative-tie":
            face = 1 if asked.who == "Lurker" else die
        (id,) = spec.live.open_prompts()
        spec.do(Reply(id, None, {"faces": [face]}))
    return spec
