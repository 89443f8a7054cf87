"""Test the card for several combatants, with a row for each and one tap for all."""

import re

import pytest
from playwright.async_api import Locator, expect

from tests.console.conftest import Seat
from tests.console.table import Table
from tests.console.test_table import invited

pytestmark = pytest.mark.browser

CULT = "The stairs below"
"""Seven combatants: three of the party, four of the cult."""

QUIET = 6
"""Maximum number of clicks in a round in which nobody acts."""


async def round_of(table: Table) -> int:
    return int((await table.asked(""))["round"])


async def answers(table: Table) -> list[tuple[str, str]]:
    """Return the declarations as pairs of combatant and action."""
    events = (await table.asked("/events?type=action-declared&limit=500"))["events"]
    return [(event["data"]["who"], event["data"]["action"]) for event in events]


async def clicked(table: Table, button: Locator) -> None:
    """Click, and wait until the page shows all results."""
    before = await table.version()
    await button.click()
    await table.happened(before)
    await expect(table.page.locator("button[aria-disabled=true]")).to_have_count(0)
    await table.settled()


COUNT = """addEventListener("click", (event) => {
  if (event.isTrusted) window.clicks = (window.clicks ?? 0) + 1;
}, true)"""
"""Counts the clicks on a page."""


async def counted(*tables: Table) -> int:
    """Return the clicks on all pages since the last call."""
    told = "() => { const all = window.clicks ?? 0; window.clicks = 0; return all; }"
    return sum([int(await table.page.evaluate(told)) for table in tables])


async def fought(table: Table, number: int) -> list[str]:
    """Return the combatants that rolled to hit in a round."""
    told = [
        (await table.asked(f"/events?limit=500&type={kind}"))["events"]
        for kind in ("round-began", "rolled")
    ]
    began = [event["version"] for event in told[0]]
    return [
        event["data"]["who"]
        for event in told[1]
        if event["data"]["purpose"] == "attack"
        and sum(version < event["version"] for version in began) == number
    ]


async def melee(gm: Table) -> None:
    """Begin with Brand among the four cultists. Nobody falls, because all have 500 hit points."""
    await gm.begin(CULT)
    for who in ("Brand", "Mira", "Sable", "Cultist", "Cultist-2", "Cultist-3", "Cultist-4"):
        hale = {"combatant": who, "track": "hp", "value": 500, "maximum": 500}
        await gm.told("/rulings", {"ruling": "set-track", "inputs": hale})
    for who, to in (("Brand", [3, 0]), ("Cultist-3", [3, 1]), ("Cultist-4", [2, 1])):
        await gm.told("/rulings", {"ruling": "move", "inputs": {"combatant": who, "to": to}})
    await gm.settled()


@pytest.mark.sampled(0)
async def test_a_quiet_round_of_seven_takes_six_clicks(seat: Seat) -> None:
    """Play a round by single choices, and one by "As last round".

    Nobody has to act between the declarations and the next round.
    """
    gm = await seat()
    await melee(gm)
    brand, mira = [
        await seat(await invited(gm, f"{name}'s player"), width=390, height=844)
        for name in ("Brand", "Mira")
    ]
    party = (gm, brand, mira)
    card = gm.page.get_by_role("region", name="Asked together")
    for table in party:
        await table.page.evaluate(COUNT)

    await clicked(mira, mira.cards().get_by_role("button", name="Nothing this round"))
    await brand.option(brand.cards().first, "Attack")
    await clicked(gm, gm.cards().first.get_by_role("button", name=re.compile("^Attack Cultist")))
    cult = card.locator(".same").filter(has_text="all four")
    await clicked(gm, cult.get_by_role("button", name="Attack", exact=True))
    await expect(gm.cards()).to_have_count(7)
    assert await counted(*party) == 4  # one per player, two for all of the GM's
    assert await round_of(gm) == 2
    fighters = {"Brand", "Sable", "Cultist", "Cultist-2", "Cultist-3", "Cultist-4"}
    assert {*await fought(gm, 1)} == fighters

    await clicked(gm, card.get_by_role("button", name="As last round"))
    for player in (mira, brand):
        again = player.cards().get_by_role("button", name=re.compile("^As last round"))
        await clicked(player, again)
    await expect(gm.cards()).to_have_count(7)
    assert await counted(*party) == 3 < QUIET
    assert await round_of(gm) == 3
    assert {*await fought(gm, 2)} == fighters


@pytest.mark.sampled(0)
async def test_one_tap_answers_for_nobody_who_sits_at_the_table(seat: Seat) -> None:
    gm = await seat()
    await gm.begin(CULT)
    mira = await seat(await invited(gm, "Mira's player"), width=390, height=844)
    card = gm.page.get_by_role("region", name="Asked together")
    party = card.locator(".same").filter(has_text="party")
    await expect(party).to_contain_text("the same for both")  # Brand and Sable
    everybody = card.get_by_role("button", name="All of yours: nothing this round")
    await clicked(gm, everybody)
    await expect(gm.cards()).to_have_count(1)
    assert [prompt["who"] for prompt in (await gm.asked("/prompts"))["prompts"]] == ["Mira"]
    await expect(mira.cards()).to_have_count(1)


@pytest.mark.sampled(0)
async def test_a_pass_of_all_says_what_it_gives_up(seat: Seat) -> None:
    """The cultists may act as they declared. The button to pass warns that they give this up."""
    gm = await seat()
    await gm.begin(CULT)
    for number in range(4):
        row = gm.page.locator("article.row[data-prompt^=Cultist]").nth(number)
        await row.get_by_role("button", name="More choices: Charge").click()
        await row.get_by_role("button", name="Declare more after it").click()
        await gm.settled()
    for prompt in (await gm.asked("/prompts"))["prompts"]:
        await gm.told(f"/prompts/{prompt['id']}", {"option": "done", "inputs": {}})
    card = gm.page.get_by_role("region", name="Asked together")
    passing = card.get_by_role("button", name="All pass: 4 give up what they declared")
    await expect(passing).to_be_visible()
    await expect(gm.cards().first).to_contain_text("declared a charge")
    await clicked(gm, card.get_by_role("button", name="As declared", exact=True))
    moved = (await gm.asked("/events?type=moved"))["events"]
    assert {event["data"]["who"] for event in moved} >= {"Cultist-2", "Cultist-3", "Cultist-4"}


async def test_the_same_for_all_of_a_side_and_as_last_round(seat: Seat) -> None:
    table = await seat()
    await melee(table)
    card = table.page.get_by_role("region", name="Asked together")
    cult = card.locator(".same").filter(has_text="cult: the same for all four")
    await clicked(table, cult.get_by_role("button", name="Attack", exact=True))
    assert await answers(table) == [
        (who, action)
        for who in ("Cultist", "Cultist-2", "Cultist-3", "Cultist-4")
        for action in ("attack", "as-declared")
    ]
    await clicked(table, card.get_by_role("button", name="All: nothing this round"))
    while await round_of(table) == 1:
        everyone = card.get_by_role("button", name="All pass")
        await clicked(
            table,
            everyone
            if await everyone.count()
            else table.cards().first.locator(".apart .option").first,
        )
    before = len(await answers(table))
    await clicked(table, card.get_by_role("button", name="As last round"))
    again = (await answers(table))[before:]
    assert [who for who, option in again if option == "attack"] == [
        "Cultist", "Cultist-2", "Cultist-3", "Cultist-4",
    ]  # fmt: skip


async def test_nobody_in_reach_is_charged_and_not_attacked(seat: Seat) -> None:
    """Without a target in reach, the page proposes a charge and not an attack."""
    table = await seat()
    await table.begin(CULT)
    cult = table.page.locator(".same").filter(has_text="cult: the same for all four")
    await expect(cult.get_by_role("button", name="Charge", exact=True)).to_be_visible()
    await expect(cult.get_by_role("button", name="Attack", exact=True)).to_have_count(0)


async def test_a_row_names_its_best_target_and_the_rest_is_under_more(seat: Seat) -> None:
    table = await seat()
    await melee(table)
    row = table.page.locator("article.row[data-prompt^='Cultist-2:']")
    await expect(row.get_by_role("button", name=re.compile("^Attack "))).to_have_count(1)
    await expect(row.get_by_role("button", name="Parley")).to_have_count(0)
    await row.get_by_role("button", name="More", exact=True).click()
    await expect(row.get_by_role("button", name="Parley")).to_be_visible()


USUAL = {
    "A duel": (3, 2),
    "The troll on the bridge": (6, 2),
    "The crypt": (6, 4),  # two with the same initiative end their turns by separate clicks
    "Two swords": (2, 1),
    "Knives in the alley": (6, 3),
}
"""Clicks of a usual round of two or three neighbours, and of the round after it.

The first round takes one click for each attack, each end of a turn and each declaration. In the
next round, "As last round" repeats a declaration, or a turn with its end. Each reaction takes one
more click, and one more again if it stops a repetition.
"""

ALL = ".together .all.again"
FIRST = ".option.primary"


async def played_round(table: Table) -> tuple[int, int]:
    """Play a round by the highlighted button, or end the turns.

    Return the numbers of clicks outside reactions and in reactions.
    """
    began = await round_of(table)
    await table.page.evaluate("() => { window.clicks = 0; }")
    reactions = 0
    while await round_of(table) == began:
        await expect(table.cards().first).to_be_visible()
        kind = await table.cards().first.get_attribute("class") or ""
        reactions += "reaction" in kind
        tried = (
            table.page.locator(ALL),
            *map(table.cards().first.locator, (FIRST, ".apart .option")),
        )
        (button, *_) = [entry.first for entry in tried if await entry.count()]
        await clicked(table, button)
    return await counted(table) - reactions, reactions


@pytest.mark.sampled(0)
@pytest.mark.parametrize("party", USUAL)
async def test_a_usual_round_has_no_click_without_a_choice(seat: Seat, party: str) -> None:
    """The GM alone plays two rounds."""
    table = await seat()
    await table.begin(party)
    for number, combatant in enumerate((await table.asked(""))["combatants"]):
        if combatant.get("position") is None:
            place = {"combatant": combatant["id"], "to": [number % 2, number // 2]}
            await table.told("/rulings", {"ruling": "move", "inputs": place})
        for track in combatant["tracks"]:
            hale = {"combatant": combatant["id"], "track": track, "value": 500, "maximum": 500}
            if track in ("hp", "stress", "wound_points"):
                await table.told("/rulings", {"ruling": "set-track", "inputs": hale})
    await table.page.evaluate(COUNT)
    await table.settled()
    rounds = (await played_round(table), await played_round(table))
    most, again = USUAL[party]
    (clicks, _), (repeated, reactions) = rounds
    assert clicks <= most, rounds
    assert repeated <= again + reactions, rounds


@pytest.mark.sampled(0)
async def test_two_who_charge_alike_end_on_two_squares(seat: Seat) -> None:
    """If two chargers have the same nearest square, the second charger gets another square."""
    gm = await seat()
    await gm.begin("The broken gate")
    places = {"Dara": [5, 6], "Cole": [0, 30], "Wren": [1, 30], "Bandit": [9, 6]}
    for who, to in {**places, "Bandit-2": [10, 6], "Bandit-3": [40, 40]}.items():
        await gm.told("/rulings", {"ruling": "move", "inputs": {"combatant": who, "to": to}})
    for who in ("Dara", "Bandit", "Bandit-2"):
        hale = {"combatant": who, "track": "hp", "value": 50, "maximum": 50}
        await gm.told("/rulings", {"ruling": "set-track", "inputs": hale})
    passes = {"prompt": "instant", "option": "pass"}
    for who in ("Dara", "Cole", "Wren"):
        path = f"/combatants/{who}/standing-orders"
        await gm.told(path, {"orders": [passes]}, method="PUT")
    await gm.settled()
    alike = gm.page.locator(".same").filter(has_text="bandits")
    if not await alike.count():  # the party is first
        await clicked(gm, gm.page.get_by_role("button", name="All pass"))
    await clicked(gm, alike.get_by_role("button", name=re.compile("^Charge")))
    board = await gm.asked("")
    at = {combatant["id"]: combatant["position"] for combatant in board["combatants"]}
    assert at["Bandit"] == [6, 6, 0]  # straight ahead
    assert max(abs(at["Bandit-2"][axis] - at["Dara"][axis]) for axis in (0, 1)) == 1
    assert at["Bandit-2"] != at["Bandit"]


async def test_one_tap_for_all_is_taken_back_and_put_back_as_one(seat: Seat) -> None:
    table = await seat()
    await table.begin(CULT)
    before = await asked_now(table)
    await clicked(table, table.page.get_by_role("button", name="Charge", exact=True).last)
    after = await asked_now(table)
    assert before - after == {"Cultist", "Cultist-2", "Cultist-3", "Cultist-4"}
    await clicked(table, table.page.get_by_role("button", name="↶ Take back"))
    assert await asked_now(table) == before
    await clicked(table, table.page.get_by_role("button", name="Undo that", exact=True))
    assert await asked_now(table) == after


async def asked_now(table: Table) -> set[str]:
    """Return the combatants with an open prompt."""
    return {prompt["who"] for prompt in (await table.asked(""))["prompts"]}
