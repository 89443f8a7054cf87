"""The fights of the device: one is deleted when it is over, another is copied."""

import re

import pytest
from playwright.async_api import expect

from tests.console.conftest import Seat

pytestmark = pytest.mark.browser

AMBUSH = "Bandits at the ford"


async def test_deleting_a_fight_that_is_over_asks_first(seat: Seat) -> None:
    """The service and the first page do not know it afterwards. A player sees no button."""
    gm = await seat()
    page = gm.page
    await gm.begin(AMBUSH)
    delete = page.get_by_role("button", name="Delete fight", exact=True)
    await expect(delete).to_have_count(0)
    await gm.end()
    player = await seat(f"/#c={gm.combat}&t={await gm.invited({'role': 'player', 'label': 'Lin'})}")
    await expect(player.page.get_by_role("heading", name="The fight is over")).to_be_visible()
    await expect(player.page.get_by_role("button", name="Delete fight")).to_have_count(0)
    await player.page.close()
    url = f"{gm.url}/v1/combats/{gm.combat}"
    headers = {"Authorization": f"Bearer {await gm.token()}"}
    sure = page.get_by_role("dialog", name="Delete this fight?")
    await delete.click()
    await expect(sure.get_by_role("button", name="Cancel")).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(sure).to_have_count(0)
    assert (await page.request.get(url, headers=headers)).status == 200
    await delete.click()
    await sure.get_by_role("button", name=f"Delete {AMBUSH}").click()
    await expect(page.get_by_role("heading", name="Try a ready fight")).to_be_visible()
    await expect(page.get_by_role("button", name=re.compile(AMBUSH + r".*over"))).to_have_count(0)
    assert await page.evaluate("localStorage.getItem('affray-kept')") == "[]"
    assert (await page.request.get(url, headers=headers)).status == 404
