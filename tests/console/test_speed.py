"""Test that the page stays fast in long fights and with many combatants."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from statistics import quantiles
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from playwright.async_api import Request, expect

from tests.console.conftest import Seat
from tests.console.table import Table
from tests.forms import forms

pytestmark = pytest.mark.browser

TROLL = "The troll on the bridge"
FEW = 60
SLOWER = 1.2
"""Maximum ratio of click times after many commands and after few."""
CLICKS = 12
SERIES = 3
"""Number of series of clicks. One must be fast enough, because the machine may be busy."""
TURN = 15
"""Number of commands of one turn in a long fight."""
CROWD = 60
FEW_FIGHTERS = 12
DEARER = 2
"""Maximum ratio of the drawing work of a click with 60 and with 12 combatants."""


class Sender:
    """A client with the GM's token that sends commands while the page is closed."""

    def __init__(self, http: httpx.AsyncClient, url: str) -> None:
        self._http = http
        self._url = url

    async def done(self, path: str, body: object) -> None:
        """Send a command that must succeed."""
        answer = await self._http.post(f"{self._url}{path}", json=body)
        assert answer.is_success, answer.text

    async def board(self) -> Any:
        return (await self._http.get(self._url)).json()


@asynccontextmanager
async def away(table: Table) -> AsyncIterator[Sender]:
    """Leave the page, and return to it at the end."""
    address = table.page.url
    url = f"{table.url}/v1/combats/{table.combat}"
    headers = {"Authorization": f"Bearer {await table.token()}"}
    await table.page.goto("about:blank")
    async with httpx.AsyncClient(headers=headers, timeout=60) as http:
        yield Sender(http, url)
    await table.page.goto(address)
    await table.settled()


async def long_fight(seat: Seat, commands: int) -> Table:
    """Return the GM's page after it has loaded all lines of a fight of `commands` commands."""
    table = await seat()
    await table.begin(TROLL)
    async with away(table) as sender:
        for number in range(commands):
            if number % TURN == TURN - 1:
                (prompt,) = (await sender.board())["prompts"]
                answer = {"option": "end-turn", "inputs": {}}
                await sender.done(f"/prompts/{prompt['id']}", answer)
            else:
                await sender.done("/notes", {"text": f"note {number}", "private": False})
    await table.page.evaluate(
        """async () => {
          const { readOlder } = await import(window.at + "stream.js");
          const { older } = await import(window.at + "state.js");
          while (older.value) await readOlder();
        }"""
    )
    return table


CLICK = """(button, since) => new Promise((done) => {
  const begun = performance.now();
  const table = document.querySelector(".table");
  const look = () => {
    if (Number(table.dataset.version) <= since || table.ariaBusy !== "false") return;
    seen.disconnect();
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - begun)));
  };
  const seen = new MutationObserver(look);
  seen.observe(table, { attributes: true });
  button.click();
})"""
"""Returns the milliseconds from a click until the page has painted its result."""


async def click(table: Table, name: str) -> float:
    """Return the milliseconds from a click until the page has painted its result."""
    button = table.page.get_by_role("button", name=name, exact=True)
    taken: float = await button.evaluate(CLICK, await table.version())
    await table.settled()
    return taken


@pytest.mark.sampled(0)
@forms("commands", 120, long=[1000])
async def test_a_click_after_many_commands_costs_what_it_costs_after_sixty(
    seat: Seat, commands: int
) -> None:
    few, many = await asyncio.gather(long_fight(seat, FEW), long_fight(seat, commands))
    assert await many.page.locator(".command").count() < 200  # other lines are not drawn
    for _ in range(SERIES):
        taken: dict[Table, list[float]] = {few: [], many: []}
        for _ in range(CLICKS):
            for table in (few, many):
                await table.page.bring_to_front()
                taken[table].append(await click(table, "Boost the aim"))
                await click(table, "↶ Take back")
        quick, long = (quantiles(taken[table], n=4)[0] for table in (few, many))
        print(f"a click: {quick:.0f} ms after {FEW} commands, {long:.0f} ms after {commands}")
        if long <= SLOWER * quick:
            return
    raise AssertionError(f"{long / quick:.2f} times as long")


@pytest.mark.sampled(0)
async def test_the_ribbon_of_a_long_fight_shows_rounds(seat: Seat) -> None:
    """The ribbon of a long fight does not overflow, and the log scrolls to its first entry."""
    table = await long_fight(seat, 160)
    ribbon = table.page.get_by_role("region", name="Time")
    await expect(ribbon.locator(".tick")).to_have_count(0)
    await expect(ribbon.locator(".block").last).to_have_text("R6")
    wide = await ribbon.evaluate("ribbon => ribbon.scrollWidth - ribbon.clientWidth")
    assert wide <= 0
    log = table.page.get_by_role("region", name="Log")
    await expect(log.get_by_text("note 158")).to_be_visible()
    await expect(log.get_by_text(re.compile(r"note 3\b"))).to_have_count(0)
    await log.evaluate("log => log.scrollTo(0, log.scrollHeight)")
    await expect(log.get_by_text(re.compile(r"note 3\b"))).to_be_attached()
    await expect(log.get_by_text("note 158")).to_have_count(0)


def queries(asked: list[str]) -> Iterator[dict[str, list[str]]]:
    for url in asked:
        if urlsplit(url).path.endswith("/options"):
            yield parse_qs(urlsplit(url).query)


COUNT = """async () => {
  const { options } = await import(window.at + "vendor/preact.js");
  const before = options.vnode;
  window.drawn = 0;
  options.vnode = (vnode) => {
    window.drawn += 1;
    before?.(vnode);
  };
}"""
"""Counts the nodes that components make, with or without effect in the browser."""


async def crowd(seat: Seat, size: int) -> Table:
    """Return a fight with `size` combatants."""
    table = await seat(heard=True)
    await table.begin(TROLL)
    board = await table.asked("")
    troll = next(combatant for combatant in board["combatants"] if combatant["id"] == "Troll")
    async with away(table) as sender:
        for number in range(size - len(board["combatants"])):
            at = [20 + number % 10, number // 10]
            sheet = {**troll["sheet"], "name": f"Rat {number}", "at": at, "side": troll["side"]}
            await sender.done("/combatants", {"sheet": sheet})
    assert len((await table.asked(""))["combatants"]) == size
    return table


@pytest.mark.sampled(0)
async def test_a_click_in_a_crowd_draws_only_what_has_changed(seat: Seat) -> None:
    """The test counts drawn nodes, because a redraw of all combatants would draw many more."""
    drawn = []
    for size in (FEW_FIGHTERS, CROWD):
        table = await crowd(seat, size)
        await table.page.evaluate(COUNT)
        await click(table, "Boost the aim")
        await click(table, "↶ Take back")
        drawn.append(await table.page.evaluate("window.drawn"))
    few, many = drawn
    print(f"two clicks: {few} nodes among {FEW_FIGHTERS}, {many} among {CROWD}")
    assert many <= DEARER * few


@pytest.mark.sampled(0)
async def test_a_crowd_costs_no_options_but_of_those_who_are_asked(seat: Seat) -> None:
    """The page requests refused options only when a person unfolds them."""
    table = await crowd(seat, CROWD)
    asked: list[str] = []

    def heard(request: Request) -> None:
        asked.append(request.url)

    table.page.on("request", heard)
    taken = [await click(table, "Boost the aim"), await click(table, "↶ Take back")]
    print(f"a click among {CROWD}: {min(taken):.0f} ms")
    sent = list(queries(asked))
    assert sent
    assert all(query["prompted"] == ["yes"] and "include" not in query for query in sent)
    asked.clear()
    card = table.card("It is Lin's turn")
    await card.get_by_text("not now").click()
    await expect(card.get_by_text("Lin is not prone")).to_be_visible()
    (unfolded,) = queries(asked)
    assert unfolded["include"] == ["refused"]
    assert unfolded["combatant"] == ["Lin"]
