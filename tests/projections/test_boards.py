"""Test boards, and the differences with which a reader turns one board into the next."""

from domain.engine.caller import Caller
from domain.engine.commands import End
from domain.rulesets import installed
from projections.board import board
from projections.diff import diff
from projections.eyes import Eyes
from tests.domain.test_able import ANN, BOB, CYD
from tests.domain.toy import TOY
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
        "anna": (None,), "bert": ("Bo",), "nobody": (None,), "spectator": (None,)
    }  # fmt: skip


GM = Caller("gm", "gm")
ANNA = Caller("a", "player", ("ann",))


def awaited(spec: Spec, caller: Caller = GM) -> tuple[str | None, ...]:
    return board(spec.live, Eyes(spec.live.history, caller)).awaited


def test_whoever_has_answered_is_not_awaited() -> None:
    """All combatants declare together. Ann has answered already."""
    spec = Spec(TOY).given(ANN, BOB, CYD).begin()
    assert (awaited(spec), awaited(spec, ANNA)) == (("ann", "bob", "cyd"), ("ann",))
    spec.answer("ann", "hold")
    assert (awaited(spec), awaited(spec, ANNA)) == (("bob", "cyd"), (None,))


def test_nobody_is_awaited_while_another_question_comes_first() -> None:
    """While Bob's die is open during Ann's turn, the board waits for Bob and not for Ann."""
    spec = Spec(TOY).given(ANN, BOB, CYD, declare=False).begin()
    assert awaited(spec) == ("ann",)
    spec.act("bob", "shout")
    assert awaited(spec) == ("bob",)


def test_nobody_is_awaited_when_the_fight_is_over() -> None:
    spec = Spec(TOY).given(ANN, BOB, declare=False).begin()
    spec.do(End(("heroes",)))
    assert [awaited(spec, caller) for caller in (GM, ANNA, Caller("s", "spectator"))] == [()] * 3


def test_a_difference_tells_how_high_somebody_has_risen() -> None:
    spec = Spec(installed()["sovereign"])
    fight(spec, hero("Ana"), npc("Orc"))
    before = spec.live.version
    spec.rule("place", combatant="Ana", at=[4, 5, 6])
    (moved,) = [line for line in diff(spec.live, before, spec.live.version).text if "→" in line]
    assert "(0, 0) → (4, 5, 6)" in moved
