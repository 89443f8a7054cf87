"""Boards and differences between two states, for people who read only them."""

from domain.engine.caller import Caller
from domain.rulesets import installed
from projections.board import board
from projections.diff import diff
from projections.eyes import Eyes
from tests.rulesets.sovereign.units import SWORD, end, fight, hero, npc
from tests.spec import Spec


def test_nobody_is_told_that_another_player_is_awaited() -> None:
    spec = Spec(installed()["sovereign"])
    ana, bo = hero("Ana", owner="anna"), hero("Bo", owner="bert", at=[2, 0])
    fight(spec, ana, bo, npc("Orc", weapons=[SWORD]), asks=("Bo",))
    end(spec, "Ana", "Bo")
    spec.act("Orc", "melee-attack", target="Bo")
    assert spec.open() == [("reaction", "instant", "Bo")]
    callers = {
        "anna": Caller("p", "player", owner="anna"),
        "bert": Caller("q", "player", owner="bert"),
        "nobody": Caller("r", "player"),
        "spectator": Caller("s", "spectator"),
    }
    awaited = {
        name: board(spec.live, Eyes(spec.live.history, caller)).awaited
        for name, caller in callers.items()
    }
    assert awaited == {
        "anna": ("Orc",), "bert": ("Bo",), "nobody": ("Orc",), "spectator": ("Orc",)
    }  # fmt: skip


def test_a_difference_tells_how_high_somebody_has_risen() -> None:
    spec = Spec(installed()["sovereign"])
    fight(spec, hero("Ana"), npc("Orc"))
    before = spec.live.version
    spec.rule("place", combatant="Ana", at=[4, 5, 6])
    (moved,) = [line for line in diff(spec.live, before, spec.live.version).text if "→" in line]
    assert "0, 0 → 4, 5, 6" in moved
