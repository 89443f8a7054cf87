"""The result where people look: a strip above the cards, and on the screen for everyone."""

from typing import Any

import pytest
from playwright.async_api import expect

from tests.console.conftest import Seat
from tests.console.table import Table
from tests.console.test_fights import Duel, weakened

pytestmark = pytest.mark.browser


async def strip(table: Table, look: str, word: str) -> None:
    """The strip looks like this, and says this word."""
    shown = table.page.get_by_role("region", name="Result")
    await expect(shown).to_have_class(f"result {look}")
    await expect(shown.locator(".verdict b")).to_have_text(word)


async def test_miss_hit_and_fall_look_different(seat: Seat) -> None:
    """And the strip stands right above the question, with the sum and what changed."""
    table = await seat()
    lin = {"Lin": {"Max HP": "12"}}
    await weakened(table, Duel("The troll on the bridge", lin, by_hand=True))
    await table.option(table.card("It is Lin's turn"), "Strike Troll with")
    await table.dice(table.card("rolls 1d20"), [2])
    await strip(table, "miss", "miss")
    shown = table.page.get_by_role("region", name="Result")
    await expect(shown).to_contain_text("2 (1d20) + 3 Accuracy = 5")
    await table.option(table.card("It is Lin's turn"), "End the turn")
    await table.option(table.card("It is Troll's turn"), "Strike Lin with")
    await table.dice(table.card("rolls 1d20"), [15])
    await strip(table, "hit", "hit")
    await table.dice(table.card("rolls 1d6"), [6])
    await strip(table, "hit", "hit")
    await expect(shown).to_contain_text("12 → 4")
    above, below = await shown.bounding_box(), await table.cards().first.bounding_box()
    assert above is not None
    assert below is not None
    assert 0 <= below["y"] - (above["y"] + above["height"]) < 150
    await table.option(table.card("It is Troll's turn"), "Strike Lin once more")
    await table.dice(table.card("rolls 1d20"), [15])
    await table.dice(table.card("rolls 1d6"), [6])
    words = {one["wound"] for one in (await table.asked(""))["combatants"] if not one["in_fight"]}
    assert len(words) == 1
    look = str(await shown.get_attribute("class")).removeprefix("result ")
    assert look in ("down", "dead")
    await strip(table, look, words.pop())


DIED = {"type": "died", "version": 4, "text": "Orc dies.", "rules": [], "combatants": ["Orc"]}
DOWNED = {**DIED, "type": "downed", "text": "Orc falls."}
HURT = {**DIED, "type": "damaged", "text": "Orc takes 7 damage."}
ROLL = {**DIED, "type": "rolled", "text": "Ana hits Orc: 18 (1d20) = 18."}
ORC = {"id": "Orc", "name": "Orc", "in_fight": False, "wound": "slain"}


@pytest.mark.parametrize(
    ("lines", "result", "look", "word"),
    [
        ([ROLL, HURT, DOWNED, DIED], None, "dead", "slain"),
        ([ROLL, HURT, DOWNED], None, "down", "slain"),
        ([ROLL, HURT], {"verdict": "critical-hit"}, "critical", "critical hit"),
        ([ROLL, HURT], {"verdict": "success"}, "hit", "success"),
        ([{**ROLL, "text": "Ana misses Orc."}], {"verdict": "failure"}, "miss", "failure"),
        ([{**DIED, "type": "healed", "text": "Orc heals 3."}], None, "help", "helped"),
        ([{**DIED, "type": "turn-began", "text": "It is Orc's turn."}], None, "plain", ""),
    ],
)
async def test_the_rulebooks_own_word_is_shown(
    seat: Seat, lines: list[Any], result: Any, look: str, word: str
) -> None:
    table = await seat()
    whole = result and {"sentence": "Ana strikes.", "sum": None, "changes": [], **result}
    told = await table.page.evaluate(
        """async ([entry, orc]) =>
          (await import(window.at + "audit/outcome.js")).outcome(entry, [orc])""",
        [{"lines": lines, "result": whole}, ORC],
    )
    assert (told["look"], told["word"]) == (look, word)
    assert told["sentence"] == ("Ana strikes." if result else lines[-1]["text"])
