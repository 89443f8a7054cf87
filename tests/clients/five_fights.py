"""A program for an environment without the clone. It plays a fight of every rulebook."""

import asyncio
import random
import sys

from affray_client import Affray, AsyncAffray, dice_of, operations, shapes

COMMANDS = 40
"""Number of commands after which the GM ends the fight."""


def choice(offers: shapes.OfferList, dice: random.Random) -> shapes.OfferView | None:
    """Return a random offer, usually an attack if there is one, or `None` if no offer is ready."""
    ready = [offer for offer in offers.options if offer.prompt is not None and offer.examples]
    for categories in (("attack",), ("move", "cast", "use"), ("end", "pass", "wait", "choose")):
        some = [offer for offer in ready if offer.category in categories]
        if some and (dice.random() < 0.8 or categories[0] == "end"):
            return dice.choice(some)
    return ready[0] if ready else None


def faces(prompt: shapes.PromptView, dice: random.Random) -> list[int]:
    return [dice.randint(die.minimum, die.maximum) for die in dice_of(prompt).dice]


def opening(party: shapes.Party) -> dict[str, object]:
    return {
        "combatants": [{"sheet": sheet} for sheet in party.sheets],
        "options": party.options,
        "map": party.map,
        "dice": {"gm": "manual", "players": "manual"},
    }


def play(url: str) -> None:
    """Play without asyncio."""
    dice = random.Random(7)
    with Affray(url) as affray:
        for line in affray.call(operations.list_rulesets).rulesets:
            gm = affray.open(line.id, opening(affray.ruleset(line.id).parties[0]))
            prompts, count = gm.begin().prompts, 0
            while prompts and count < COMMANDS:
                count += 1
                rolls = [prompt for prompt in prompts if prompt.kind == "roll"]
                if rolls:
                    prompts = gm.roll(rolls[0].id, faces(rolls[0], dice)).prompts
                    continue
                offers = gm.options()
                chosen = choice(offers, dice)
                if chosen is None:
                    break
                prompts = gm.send(chosen, chosen.examples[0], if_match=offers).prompts
            if gm.board().status != "ended":
                gm.end(reason="time is up")
            print(line.id, count, gm.board().status)


async def play_async(url: str) -> None:
    """Play all fights at the same time with asyncio."""
    async with AsyncAffray(url) as affray:
        rulesets = (await affray.call(operations.list_rulesets)).rulesets
        await asyncio.gather(*(one_fight(affray, line.id) for line in rulesets))


async def one_fight(affray: AsyncAffray, ruleset: str) -> None:
    dice, count = random.Random(8), 0
    party = (await affray.ruleset(ruleset)).parties[0]
    gm = await affray.open(ruleset, opening(party))
    await gm.begin()
    async for message in gm.follow():
        board = message.board
        if board is None:
            continue
        if board.status == "ended":
            print(ruleset, count, board.status)
            return
        count += 1
        rolls = [prompt for prompt in board.prompts if prompt.kind == "roll"]
        offers = await gm.options()
        chosen = choice(offers, dice)
        if count > COMMANDS or not (rolls or chosen):
            await gm.end(reason="time is up")
        elif rolls:
            await gm.roll(rolls[0].id, faces(rolls[0], dice))
        elif chosen:
            await gm.send(chosen, chosen.examples[0], if_match=offers)


if __name__ == "__main__":
    play(sys.argv[1])
    asyncio.run(play_async(sys.argv[1]))
