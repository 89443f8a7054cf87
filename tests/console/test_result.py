"""Test the strip with the result above the cards."""

from typing import Any

import pytest
from playwright.async_api import expect

from tests.console.conftest import Seat
from tests.console.table import Table
from tests.console.test_fights import Duel, weakened
from tests.console.test_table import invited

pytestmark = pytest.mark.browser


async def strip(table: Table, look: str, word: str) -> None:
    """Check that the strip of the result has this style and this verdict."""
    shown = table.page.get_by_role("region", name="Result")
    await expect(shown).to_have_class(f"result {look}")
    await expect(shown.locator(".verdict b")).to_have_text(word)


async def test_a_state_in_the_sentence_is_not_told_again_below(seat: Seat) -> None:
    table = await seat()
    changes = [
        {"combatant": "G", "name": "Goblin", "what": what, "before": None, "after": after}
        for what, after in (("HP", 0), ("wound", "hurt"), ("state", "dead"), ("state", "prone"))
    ]
    sentence = "Goblin is hurt. Goblin is dead."
    result: dict[str, Any] = {
        "kind": None,
        "verdict": None,
        "sentence": sentence,
        "sum": None,
        "blows": [],
    }
    told = await table.page.evaluate(
        """async entry => (await import(window.at + "audit/outcome.js"))
          .outcome(entry, [], [], []).changes""",
        {"result": {**result, "changes": changes}, "lines": []},
    )
    assert told == ["Goblin: HP ? → 0, prone"]


@pytest.mark.sampled(0)
async def test_miss_hit_and_fall_look_different(seat: Seat) -> None:
    """The strip above the prompt shows the verdict, the sum and the changes in different styles."""
    table = await seat()
    lin = {"Lin": {"Max HP": "12"}}
    await weakened(table, Duel("The troll on the bridge", lin, by_hand=True))
    await table.option(table.card("It is Lin's turn"), "Strike Troll with")
    await table.dice(table.card("rolls 1d20"), [2])
    await strip(table, "miss", "miss")
    shown = table.page.get_by_role("region", name="Result")
    await expect(shown).to_contain_text("2 (1d20) + 3 Accuracy = 5")
    await table.option(table.card("It is Lin's turn"), "End the turn")
    await strip(table, "miss", "miss")  # until the next decision
    await expect(shown.locator(".since")).to_have_text("Lin ends the turn.")
    await table.option(table.card("It is Troll's turn"), "Strike Lin with")
    await table.dice(table.card("rolls 1d20"), [15])
    await strip(table, "hit", "hit")
    await table.dice(table.card("rolls 1d6"), [6])
    await strip(table, "hit", "hurt")
    await expect(shown).to_contain_text("12 → 4")
    above, below = await shown.bounding_box(), await table.cards().first.bounding_box()
    assert above is not None
    assert below is not None
    assert 0 <= below["y"] - (above["y"] + above["height"]) < 150
    await table.option(table.card("It is Troll's turn"), "Strike Lin once more")
    await table.dice(table.card("rolls 1d20"), [15])
    await table.dice(table.card("rolls 1d6"), [6])
    words = {
        combatant["wound"]
        for combatant in (await table.asked(""))["combatants"]
        if not combatant["in_fight"]
    }
    assert len(words) == 1
    look = str(await shown.get_attribute("class")).removeprefix("result ")
    assert look in ("down", "dead")
    await strip(table, look, words.pop())


ORC = {"id": "Orc", "name": "Orc", "in_fight": True, "wound": "slain"}


def state(after: str) -> dict[str, str | None]:
    return {"combatant": "Orc", "name": "Orc", "what": "state", "before": None, "after": after}


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("types", "result", "look", "word"),
    [
        (["damaged"], {"kind": "hit", "changes": [state("down"), state("dead")]}, "dead", "slain"),
        (["damaged"], {"kind": "hit", "changes": [state("down")]}, "down", "slain"),
        ([], {"kind": "critical", "verdict": "super-critical"}, "critical", "super critical"),
        (
            ["damaged"],
            {"kind": "critical", "verdict": "critical", "changes": [state("down")]},
            "down",
            "critical, slain",
        ),
        (["damaged"], {"kind": "success", "verdict": "success"}, "hit", "success"),
        (["damaged"], {"kind": "failure", "verdict": "failure"}, "hit", "failure"),  # of a save
        (["damaged"], {"kind": "miss", "verdict": "miss"}, "miss", "miss"),
        ([], {"kind": "failure", "verdict": "lost"}, "miss", "lost"),
        (["healed"], {"kind": "success", "verdict": "success"}, "help", "success"),
        (["healed"], {}, "help", "helped"),
        (["damaged"], {}, "hit", "hurt"),  # poison or a fall, without an attack
        (["ruled", "damaged"], {}, "hit", "ruling"),  # a correction, not an attack
        (["turn-began"], {}, "plain", ""),
        (["rolled"], {"kind": None, "verdict": "tied"}, "plain", "tied"),
    ],
)
async def test_the_rulebooks_own_word_is_shown(
    seat: Seat, types: list[str], result: Any, look: str, word: str
) -> None:
    table = await seat()
    whole: dict[str, Any] = {"verdict": None, "kind": None, "sum": None, "changes": [], "blows": []}
    told = await table.page.evaluate(
        """async ([entry, orc]) =>
          (await import(window.at + "audit/outcome.js")).outcome(entry, [orc], ["hurt"])""",
        [
            {
                "lines": [{"type": type} for type in types],
                "result": {**whole, "sentence": "It is so.", **result},
            },
            ORC,
        ],
    )
    assert (told["look"], told["word"]) == (look, word)
    assert told["sentence"] == "It is so."


async def test_the_last_blow_of_a_round_stays_into_the_next(seat: Seat) -> None:
    """The strip keeps a blow in the next round, until an action, a result or four commands."""
    table = await seat()

    def entry(
        first: int, round: int, kind: str | None = None, acts: bool = False
    ) -> dict[str, Any]:
        return {
            "first": first,
            "round": round,
            "lines": [],
            "result": {"kind": kind, "changes": [], "blows": [], "acts": acts},
        }

    shown = await table.page.evaluate(
        """async all => {
          const { deciding } = await import(window.at + "audit/outcome.js");
          return all.map(entries => deciding(entries)?.first ?? null);
        }""",
        [
            [entry(9, 2), entry(8, 1, "hit")],
            [entry(9, 2, "miss"), entry(8, 1, "hit")],
            [entry(9, 3), entry(8, 1, "hit")],
            [entry(9, 2), entry(8, 2), entry(7, 2), entry(6, 2), entry(5, 2, "hit")],
            [entry(9, 2, acts=True), entry(8, 1, "miss")],
            [entry(9, 2), entry(8, 2, acts=True), entry(7, 1, "miss")],
            [],
        ],
    )
    assert shown == [8, 9, 9, 9, 9, 8, None]


async def test_changes_name_each_combatant_once_with_a_true_minus_sign(seat: Seat) -> None:
    table = await seat()
    points = {"combatant": "Orc", "name": "Orc", "what": "HP", "before": 6, "after": -1}
    more = [state("down"), {**points, "what": "condition", "before": None, "after": "prone"}]
    ana = {**points, "name": "Ana", "combatant": "Ana"}
    changes = [points, *more, ana]
    whole = {
        "verdict": None,
        "kind": None,
        "sum": None,
        "sentence": "",
        "changes": changes,
        "blows": [],
    }
    told = await table.page.evaluate(
        """async ([entry, orc]) =>
          (await import(window.at + "audit/outcome.js")).outcome(entry, [orc], ["hurt"])""",
        [{"lines": [{"type": "damaged"}], "result": whole}, ORC],
    )
    assert told["changes"] == ["Orc: HP 6 → −1, down, prone", "Ana: HP 6 → −1"]


async def test_of_several_attacks_each_has_its_sum_and_the_readers_come_first(seat: Seat) -> None:
    table = await seat()

    def blow(kind: str, who: str, against: str, verb: str, sum: str | None) -> dict[str, Any]:
        told = f"{who} {verb} {against}."
        return {"kind": kind, "combatant": who, "against": against, "sentence": told, "sum": sum}

    blows = [
        blow("hit", "Orc", "Bo", "hits", "15 (1d20)"),
        blow("miss", "Ana", "Orc", "misses", "3"),
        blow("miss", "Orc", "Ana", "misses", None),
    ]
    result = {"verdict": "miss", "kind": "miss", "sum": "3", "changes": [], "blows": blows}

    async def told(sentence: str) -> dict[str, Any]:
        outcome: dict[str, Any] = await table.page.evaluate(
            """async entry => (await import(window.at + "audit/outcome.js"))
              .outcome(entry, [], ["hurt"], ["Ana"])""",
            {"lines": [], "result": {**result, "sentence": sentence}},
        )
        return outcome

    silent = await told("")
    assert (silent["look"], silent["word"]) == ("hit", "1 hit, 2 misses")
    assert silent["sum"] == "Ana misses Orc: 3 · Orc misses Ana · Orc hits Bo: 15 (1d20)"
    assert (await told("Orc misses Ana."))["sum"] == "Ana misses Orc: 3 · Orc hits Bo: 15 (1d20)"


@pytest.mark.sampled(0)
async def test_the_table_does_not_hear_that_the_gm_hides_somebody(seat: Seat) -> None:
    """The screen for everyone keeps the previous result."""
    table = await seat()
    await table.begin("Goblins in the cellar")
    page = table.page
    watcher = await seat(await invited(table, "A screen for everyone"), width=1920, height=1080)
    shown = watcher.page.get_by_role("region", name="Result")
    await expect(shown.locator(".sentence")).to_be_visible()
    before = await shown.inner_text()
    hidden = watcher.page.locator("[data-combatant=Goblin-3]")
    await expect(hidden.first).to_be_visible()
    await page.locator("[data-combatant=Goblin-3] .name").click()
    await page.get_by_role("button", name="Hide", exact=True).click()
    await expect(hidden).to_have_count(0)
    assert await shown.inner_text() == before
    await expect(page.get_by_role("region", name="Result")).to_contain_text("hidden")
