"""Test undo, past moments, forks, comparisons and imports at the page."""

import asyncio
import re
from pathlib import Path

import pytest
from playwright.async_api import Route, expect

from tests.console.conftest import Seat
from tests.console.table import Table

pytestmark = pytest.mark.browser

BRIDGE = "The troll on the bridge"


async def boosted(seat: Seat) -> Table:
    """Open a fight in which Lin has bought +1 to hit, one command after the beginning."""
    table = await seat()
    await table.begin(BRIDGE)
    await table.option(table.card("It is Lin's turn"), "Boost the aim")
    return table


def bonus_actions(left: int) -> re.Pattern[str]:
    return re.compile(rf"Bonus action {left}")


async def test_the_past_is_marked_and_nothing_can_be_done_in_it(seat: Seat) -> None:
    table = await boosted(seat)
    page = table.page
    before = await table.version()
    await page.locator(".command").nth(1).locator(".told").first.click()
    await page.locator(".command").nth(1).get_by_role("button", name="Look").click()
    await expect(page.get_by_text("Not the present.")).to_be_visible()
    await expect(page.locator("[data-combatant=Lin] .budget")).to_have_text(bonus_actions(2))
    await expect(table.cards()).to_have_count(0)
    await expect(page.get_by_role("button", name="Take back")).to_have_count(0)
    refused = await page.evaluate(
        """async () => {
          const { command } = await import(window.at + "commands.js");
          try { await command("/undo", {}); return ""; } catch (refused) { return refused.message; }
        }"""
    )
    assert refused == "the page shows the past"
    await page.get_by_role("button", name="Back to now").click()
    await expect(table.card("It is Lin's turn")).to_be_visible()
    assert await table.version() == before


async def test_the_past_stays_while_the_present_goes_on(seat: Seat) -> None:
    table = await boosted(seat)
    await table.page.keyboard.press("ArrowLeft")
    await expect(table.page.get_by_text("Not the present.")).to_be_visible()
    await table.page.request.post(
        f"{table.url}/v1/combats/{table.combat}/prompts/Lin:2",
        headers={"Authorization": f"Bearer {await table.token()}"},
        data={"option": "boost-dodge"},
    )
    await expect(table.page.get_by_text(re.compile("2 things have happened since"))).to_be_visible()
    await expect(table.page.locator("[data-combatant=Lin] .budget")).to_have_text(bonus_actions(2))


async def test_go_there(seat: Seat) -> None:
    table = await boosted(seat)
    await table.page.keyboard.press("ArrowLeft")
    await table.page.get_by_role("textbox", name="Reason").fill("slipped")
    await table.page.get_by_role("button", name="Go on from here").click()
    await expect(table.card("It is Lin's turn")).to_be_visible()
    tree = await table.asked("/tree")
    assert tree["head"] < await table.version()
    reverted = await table.asked("/events?type=reverted")
    assert reverted["events"][-1]["data"]["reason"] == "slipped"


async def test_fork(seat: Seat) -> None:
    table = await boosted(seat)
    first = table.combat
    await table.page.keyboard.press("ArrowLeft")
    await table.page.get_by_role("button", name="Copy from here").click()
    await expect(table.card("It is Lin's turn")).to_be_visible()
    assert table.combat != first
    await table.page.get_by_role("link", name="Affray: all fights").click()
    back = table.page.get_by_role("button", name=re.compile(f"^{BRIDGE} .* GM$"))
    await expect(back).to_have_count(2)  # the device keeps both
    await back.last.click()
    await expect(table.card("It is Lin's turn")).to_be_visible()
    assert table.combat == first


@pytest.mark.sampled(0)
async def test_two_handles_compare_any_two_moments(seat: Seat) -> None:
    table = await boosted(seat)
    await table.option(table.card("It is Lin's turn"), "Boost the dodge")
    page = table.page
    ribbon = page.get_by_role("region", name="Time")
    told = page.get_by_role("complementary", name="Comparison")
    await page.keyboard.press("ArrowLeft")
    await page.get_by_role("button", name="Compare with now").click()
    await expect(told.get_by_text("Lin: gains dodge boost")).to_be_visible()
    await page.keyboard.press("End")
    await told.get_by_role("button", name="Close the comparison").click()
    await ribbon.get_by_role("button", name="Compare").click()
    lines = told.locator(".difference li")
    await expect(lines).to_have_text(["Lin: gains dodge boost; Bonus action 1 → 0"])
    await told.get_by_text("What happened between").click()
    await expect(told.get_by_text("Lin is on the watch")).to_be_visible()
    await ribbon.get_by_role("slider", name="First moment").press("ArrowLeft")
    await expect(told.get_by_text("Lin takes aim")).to_be_visible()
    await ribbon.get_by_role("slider", name="Second moment").press("ArrowLeft")
    await expect(told.get_by_text("Lin is on the watch")).to_have_count(0)
    await expect(lines).to_have_text(["Lin: gains hit boost; Bonus action 2 → 1"])
    await page.keyboard.press("Escape")
    await expect(told).to_have_count(0)
    await expect(page.get_by_text("Not the present.")).to_have_count(0)


async def test_what_is_taken_back_can_be_put_back_and_has_a_name(seat: Seat) -> None:
    table = await boosted(seat)
    lin = table.page.locator("[data-combatant=Lin] .budget")
    await expect(lin).to_have_text(bonus_actions(1))
    await table.page.get_by_role("button", name="Take back").click()
    await expect(lin).to_have_text(bonus_actions(2))
    log = table.page.get_by_role("region", name="Log")
    await expect(log.get_by_text("taken back", exact=True)).to_be_visible()
    await expect(log.get_by_text(re.compile(r"The GM takes back “Lin.*\+1 to hit"))).to_be_visible()
    await table.page.get_by_role("button", name="Put back").click()
    await expect(lin).to_have_text(bonus_actions(1))
    await table.settled()
    before = await table.version()
    anna = await table.invited({"role": "gm", "label": "Anna"})
    await table.told("/undo", {"reason": "a slip"}, anna)
    await table.happened(before)
    await table.option(table.card("It is Lin's turn"), "Boost the dodge")
    undone = log.get_by_role("group", name="Taken back").locator("button.branch")  # scrolls with it
    await expect(undone).to_contain_text(re.compile(r"\+1 to hit.* by the GM"))
    await expect(undone).to_contain_text(re.compile(r"taken back .*\d\d.* by Anna: a slip"))
    await undone.click()
    await expect(table.page.get_by_text("Not the present.")).to_be_visible()
    await expect(table.page.locator("[data-combatant=Lin] .conditions")).to_contain_text(
        "Hit boost"
    )


async def test_what_was_read_of_the_log_stays_until_the_way_turns(seat: Seat) -> None:
    """The page keeps the entries that it has read, and can copy the complete log."""
    table = await boosted(seat)
    kept = await table.page.evaluate(
        """async () => {
          const { rest } = await import(window.at + "audit/tail.js");
          const one = (first, undone = false) => ({ first, undone, lines: [] });
          const known = [one(40), one(30, true), one(20), one(10)];
          const on = [one(50), one(40), one(30, true)];
          const back = [one(50), one(40, true), one(30, true), one(20)];
          const unsure = [one(50), one(40, true), one(30, true)];
          const again = [one(50), one(40, true), one(30)];
          const far = [one(70), one(60)];
          const stays = (all) => rest(all, known)?.map((old) => old.first) ?? null;
          return [on, back, unsure, again, far].map(stays);
        }"""
    )
    assert kept == [[20, 10], [10], None, None, None]

    async def shorter(route: Route) -> None:
        await route.continue_(url=route.request.url.replace("limit=500", "limit=1"))

    await table.page.route("**/timeline?limit=500**", shorter)
    copied: str = await table.page.evaluate(
        "import(window.at + 'audit/markdown.js').then((module) => module.whole())"
    )
    headers = {"Authorization": f"Bearer {await table.token()}", "Accept": "text/markdown"}
    at = f"{table.url}/v1/combats/{table.combat}/timeline"
    whole = await (await table.page.request.get(at, headers=headers)).text()
    facts = [line for line in whole.splitlines() if line.lstrip().startswith("- ")]
    assert [line for line in copied.splitlines() if line.lstrip().startswith("- ")] == facts
    assert copied.count(f"# {BRIDGE}") == 1
    assert "What comes after" not in copied


async def test_why_a_number_is_what_it_is(seat: Seat) -> None:
    table = await seat()
    await table.begin(BRIDGE)
    page = table.page
    await page.locator("[data-combatant=Troll] .name").click()
    await page.get_by_role("button", name="Damage", exact=True).click()
    await page.get_by_role("spinbutton", name="Amount").fill("4")
    await page.get_by_role("textbox", name="Reason").fill("it fell into the river")
    await page.get_by_role("button", name="Rule", exact=True).click()
    health = page.locator("[data-combatant=Troll] .pool.health")
    await expect(health).to_contain_text("13/17")
    await health.click()
    await page.get_by_role("button", name="Why: Troll 13").click()
    window = page.get_by_role("dialog")
    await expect(window).to_contain_text("Troll takes 4 damage")
    await window.get_by_role("button", name="FH-DMG-06").click()
    await expect(window.locator(".ruletext")).not_to_have_text("…")


async def test_a_fight_is_brought_along_and_its_dice_are_verified_here(seat: Seat) -> None:
    table = await seat()
    await table.begin(BRIDGE)
    await table.option(table.card("It is Lin's turn"), "Strike Troll with")
    await table.end()
    page, combat = table.page, table.combat
    await page.get_by_role("button", name="Dice proof").click()
    await page.get_by_role("button", name="Check every roll here").click()
    await expect(page.get_by_text(re.compile(r"Verified: [1-9]\d* rolls derived"))).to_be_visible()
    async with page.expect_download() as saving:
        await page.get_by_role("button", name="Export the fight").click()
    file = await (await saving.value).path()
    headers = {"Authorization": f"Bearer {await table.token()}"}
    other = await seat()
    await page.close()
    await other.page.request.delete(f"{table.url}/v1/combats/{combat}", headers=headers)
    await other.page.evaluate(
        """text => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([text], "fight.jsonl"));
          const drop = { dataTransfer, bubbles: true, cancelable: true };
          document.querySelector("h1").dispatchEvent(new DragEvent("drop", drop));
        }""",
        await asyncio.to_thread(Path(file).read_text),
    )
    await expect(other.page.get_by_role("heading", name="The fight is over")).to_be_visible()


@pytest.mark.sampled(0)
async def test_a_changed_die_does_not_verify(seat: Seat) -> None:
    table = await seat()
    await table.begin(BRIDGE)
    await table.option(table.card("It is Lin's turn"), "Strike Troll with")
    await table.end()
    faults = await table.page.evaluate(
        """async ([url, token]) => {
          const { verify } = await import(window.at + "share/fairness.js");
          const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
          const file = await answer.text();
          const other = (_, face) => `"faces":[${face % 20 + 1}`;
          const forged = file.replace(/"faces":\\[(\\d+)/, other);
          const { commitment } = JSON.parse(file.split("\\n")[1]).event.event;
          const found = [verify(file), verify(forged)];
          found.push(verify(file, commitment), verify(file, "0".repeat(64)));
          return found.map((one) => one.faults.length);
        }""",
        [f"/v1/combats/{table.combat}/export", await table.token()],
    )
    assert faults == [0, 1, 0, 1]


async def test_our_hashes_and_dice_are_those_of_others(seat: Seat) -> None:
    """The page's SHA-256 and HMAC give the same results as Web Crypto.

    The page cannot use Web Crypto, because browsers lack it on plain HTTP in a LAN.

    The worked example of docs/dice.md gives 10, 5, 4.
    """
    table = await seat()
    wrong = await table.page.evaluate(
        """async () => {
          const { hex, hmac, sha256 } = await import(window.at + "share/sha256.js");
          const wrong = [];
          for (const length of [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000]) {
            const message = Uint8Array.from({ length }, (_, index) => (index * 7 + length) % 256);
            const theirs = hex(new Uint8Array(await crypto.subtle.digest("SHA-256", message)));
            if (hex(sha256(message)) !== theirs) wrong.push(`sha256 of ${length}`);
            const raw = Uint8Array.from({ length: 32 }, (_, index) => index);
            const how = { name: "HMAC", hash: "SHA-256" };
            const key = await crypto.subtle.importKey("raw", raw, how, false, ["sign"]);
            const signed = hex(new Uint8Array(await crypto.subtle.sign("HMAC", key, message)));
            if (hex(hmac(raw, message)) !== signed) wrong.push(`hmac of ${length}`);
          }
          return wrong;
        }"""
    )
    assert wrong == []
    faces = await table.page.evaluate(
        """async () => {
          const { faces } = await import(window.at + "share/fairness.js");
          const seed = Uint8Array.from({ length: 32 }, (_, index) => index);
          const which = { key: "13", purpose: "attack", ordinal: 1 };
          return faces(seed, { anna: "rhubarb" }, which, [20, 6, 6]);
        }"""
    )
    assert faces == [10, 5, 4]
