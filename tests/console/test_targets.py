"""Test that the page preselects no ally for harm and no foe for help."""

import re
from typing import Any

import pytest
from playwright.async_api import expect

from tests.console.conftest import Seat
from tests.console.table import Table

pytestmark = pytest.mark.browser

SCHEMA = {
    "type": "object",
    "properties": {
        "spell": {"type": "string"},
        "target": {"type": "string", "x-refers-to": "combatant"},
    },
    "required": ["spell", "target"],
}
SIDES = {"Ana": "heroes", "Brand": "heroes", "Hag": "foes"}


def cast(**more: Any) -> dict[str, Any]:
    """Return an offer to Ana with a harmful and a helpful spell."""
    return {
        "id": "cast",
        "label": "Cast a spell",
        "kind": "turn",
        "who": "Ana",
        "polarity": "harm",
        "polarity_by": {"field": "spell", "values": {"fire": "harm", "mend": "help"}},
        "essential": ["spell", "target"],
        "headline": "Cast fire on Hag",
        "examples": [
            {"spell": "fire", "target": "Hag"},
            {"spell": "mend", "target": "Hag"},
            {"spell": "mend", "target": "Brand"},
        ],
        "candidates": {"spell": ["fire", "mend"], "target": ["Hag", "Brand"]},
        **more,
    }


async def read(table: Table, name: str, *given: object) -> Any:
    """Return the result of a function of the page's `schema/read.js`."""
    return await table.page.evaluate(
        """async ([name, given]) => (await import(window.at + "schema/read.js"))[name](...given)""",
        [name, list(given)],
    )


async def test_a_form_begins_with_the_first_example(seat: Seat) -> None:
    table = await seat()
    assert await read(table, "beginning", cast(), SCHEMA, SIDES) == {
        "spell": "fire",
        "target": "Hag",
    }


@pytest.mark.parametrize(
    ("polarity", "target"), [("harm", "Brand"), ("help", "Hag"), ("either", "Brand")]
)
async def test_a_wrong_target_is_never_preselected(seat: Seat, polarity: str, target: str) -> None:
    """The page selects no wrong target, even if the service lists it first."""
    table = await seat()
    examples = [{"spell": "fire", "target": target}]
    offer = cast(polarity=polarity, polarity_by=None, examples=examples)
    assert await read(table, "beginning", offer, SCHEMA, SIDES) == {"spell": "fire"}
    assert not await read(table, "oneTap", {**offer, "essential": []}, SCHEMA, SIDES)


async def test_the_only_spell_is_chosen(seat: Seat) -> None:
    """A person chooses the target even if there is only one."""
    table = await seat()
    offer = cast(examples=[], candidates={"spell": ["fire"], "target": ["Brand"]})
    assert await read(table, "beginning", offer, SCHEMA, SIDES) == {"spell": "fire"}


async def changed(table: Table, offer: dict[str, Any], touched: list[str]) -> Any:
    """Return the inputs after a change of the spell."""
    return await table.page.evaluate(
        """async ([offer, touched, schema, sides]) => {
          const { fitted } = await import(window.at + "schema/read.js");
          const begun = { spell: "fire", target: "Hag" };
          return fitted(offer, begun, "spell", "mend", new Set(touched), schema, sides);
        }""",
        [offer, touched, SCHEMA, SIDES],
    )


async def test_a_spell_that_helps_turns_to_a_friend(seat: Seat) -> None:
    table = await seat()
    assert await changed(table, cast(), []) == {"spell": "mend", "target": "Brand"}
    only_foes = cast(examples=cast()["examples"][:2])
    assert await changed(table, only_foes, []) == {"spell": "mend"}
    assert await changed(table, cast(), ["target"]) == {"spell": "mend", "target": "Hag"}


async def test_a_reaction_is_one_button_with_its_target(seat: Seat) -> None:
    table = await seat()
    offer = cast(kind="reaction")
    assert await read(table, "oneTap", offer, SCHEMA, SIDES)
    assert not await read(table, "oneTap", cast(), SCHEMA, SIDES)


STRIKE = {
    **SCHEMA,
    "properties": {
        "target": {"type": "string", "x-refers-to": "combatant"},
        "weapon": {"anyOf": [{"type": "string"}, {"type": "null"}], "x-refers-to": "weapon"},
        "stance": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "to": {"type": "array", "items": {"type": "integer"}, "x-refers-to": "square"},
    },
    "required": ["target"],
}


def strike(*targets: str, **more: Any) -> dict[str, Any]:
    """Return an offer of Ana's to strike these targets, in this order."""
    return {
        **cast(),
        "id": "attack",
        "label": "Attack",
        "category": "attack",
        "cost": "none",
        "template": "Attack {target}",
        "inputs": "strike",
        "legal": True,
        "polarity_by": None,
        "essential": ["target", "stance"],
        "headline": f"Attack {targets[0]}" if targets else None,
        "examples": [{"target": target} for target in targets],
        "candidates": {"target": targets} if targets else {},
        **more,
    }


async def test_of_several_targets_the_first_is_one_tap_and_so_is_each_other(seat: Seat) -> None:
    """Each hostile target has a button. An action that also needs a square has none."""
    table = await seat()
    sides = {**SIDES, "Imp": "foes"}
    offer = strike("Hag", "Imp")
    assert await read(table, "oneTap", offer, STRIKE, sides)
    assert await read(table, "elsewhere", offer, STRIKE, sides) == [
        {"target": "Imp", "inputs": {"target": "Imp"}}
    ]
    mixed = strike("Hag", "Brand")
    assert await read(table, "elsewhere", mixed, STRIKE, sides) == []
    charge = strike("Hag", "Imp", essential=["target", "to"])
    assert not await read(table, "oneTap", charge, STRIKE, sides)


async def test_a_hostile_deed_at_nobody_is_no_option_to_tap(seat: Seat) -> None:
    """If only friends are in reach, the bar folds the attack and highlights another option."""
    table = await seat()
    spell = cast(inputs="cast", category="cast", cost="main", essential=[], legal=True)
    groups, idle, first = await table.page.evaluate(
        """async ([offers, schemas, sides]) => {
          const { bar } = await import(window.at + "play/groups.js");
          const { groups, idle, first } = bar(offers, schemas, sides);
          const ids = all => all.map(one => one.id);
          return [groups.flatMap(group => ids(group.offers)), ids(idle), first?.id];
        }""",
        [[strike(), spell], {"strike": STRIKE, "cast": SCHEMA}, SIDES],
    )
    assert (groups, idle, first) == (["cast"], ["attack"], "cast")


LAST_ROUND = """async ([schema, given, ...later]) => {
  const { noting, lastRound } = await import(window.at + "play/habits.js");
  const { present, schemas } = await import(window.at + "state.js");
  const prompt = { who: "Ana", name: "turn", kind: "turn" };
  const [board, known] = [present.value, schemas.value];
  schemas.value = { ...known, strike: schema };
  noting(prompt)({ option: "attack", inputs: given });
  present.value = { ...board, round: board.round + 1 };
  const found = later.map(offer => lastRound(prompt, [offer])?.[0].inputs ?? null);
  [present.value, schemas.value] = [board, known];
  return found;
}"""
"""Returns the one-tap answer of the next round for the offers of that round."""


async def test_only_what_is_offered_now_is_proposed_as_last_round(seat: Seat) -> None:
    """The page repeats a turn only if an example has the same target and weapon."""
    table = await seat()
    await table.begin("Bandits at the ford")
    given = {"target": "Hag", "weapon": "bow", "to": [1, 0]}
    again = {"target": "Hag", "weapon": "bow", "to": [2, 0]}
    answers = await table.page.evaluate(
        LAST_ROUND,
        [
            STRIKE,
            given,
            strike("Hag", examples=[again]),
            strike("Imp", examples=[{**again, "target": "Imp"}]),
            strike("Hag", examples=[{**again, "weapon": "knife"}]),
            strike("Hag", examples=[{**again, "target": "Imp"}, {**again, "weapon": "knife"}]),
            strike(),
        ],
    )
    assert answers == [again, None, None, None, None]


async def test_what_was_taken_back_is_not_proposed_as_last_round(seat: Seat) -> None:
    table = await seat()
    await table.begin("Bandits at the ford")
    answers = await table.page.evaluate(
        LAST_ROUND.replace(
            "const found",
            """const { entries } = await import(window.at + "state.js");
            const { reachedVersion } = await import(window.at + "commands.js");
            const at = reachedVersion();
            entries.value = [{ ...entries.value[0], undone: true, first: at, last: at }];
            const found""",
        ),
        [STRIKE, {"target": "Hag"}, strike("Hag")],
    )
    assert answers == [None]


async def test_essential_fields_show_and_the_others_fold(seat: Seat) -> None:
    """Fields that are not essential are below "More". The button names the chosen target."""
    table = await seat()
    await table.begin("Bandits at the ford")
    card = table.card("It is Lin's turn")
    await card.locator(".option").filter(has_text="Act later this round").click()
    form = card.locator("form.filling")
    await expect(form.get_by_role("button", name="Act after Mara", exact=True)).to_be_visible()
    await form.get_by_role("button", name="Bandit 2", exact=True).click()
    await expect(form.locator("[type=submit]")).to_have_text("Act after Bandit 2")
    await card.locator(".option").filter(has_text="Move…").click()
    labels = form.locator(".form > .field > .label")
    await expect(labels).to_have_text(["Path", "Mode"])
    await form.get_by_text("More", exact=True).click()
    await expect(form.locator(".rest .label")).to_have_text(["Facing", "Pay with"])


async def test_a_token_that_is_tapped_is_the_target_of_the_open_form(seat: Seat) -> None:
    table = await seat()
    await table.begin("Knives in the alley")
    near = {"combatant": "Cole", "to": [1, 2]}
    await table.told("/rulings", {"ruling": "move", "inputs": near})
    while (await table.asked("/prompts"))["prompts"][0]["who"] != "Bandit":
        await table.option(table.cards().first, "End the turn")
    card = table.card("It is Bandit's turn")
    await card.get_by_role("button", name=re.compile("More choices: (Melee|Make a melee)")).click()
    send = card.locator("form.filling [type=submit]")
    for who in ("Cole", "Dara"):
        await table.page.locator(f"[data-token={who}]").click()
        await expect(send).to_have_text(f"Strike {who} with the sword")


async def test_a_click_within_400_ms_after_a_card_has_changed_does_not_count(seat: Seat) -> None:
    """The second of two fast clicks or keys meets a new card, and does nothing."""
    table = await seat()
    await table.begin("Bandits at the ford")
    turns = """async press => {
      const card = () => document.querySelector("article.card.ask");
      const options = () => [...card().querySelectorAll(".option")];
      const end = () => options().find(button => button.textContent.startsWith("End the turn"));
      const pressed = key => new KeyboardEvent("keydown", { key, bubbles: true });
      const first = card().dataset.prompt;
      await new Promise(done => setTimeout(done, 450));
      end().click();
      while (card()?.dataset.prompt === first || !end()) {
        await new Promise(requestAnimationFrame);
      }
      const second = card().dataset.prompt;
      if (press) document.body.dispatchEvent(pressed(press));
      else end().click();
      await new Promise(done => setTimeout(done, 900));
      return [second, card().dataset.prompt];
    }"""
    for press in ("", "2"):
        second, later = await table.page.evaluate(turns, press)
        assert second == later, press


@pytest.mark.sampled(0)
async def test_a_question_with_one_option_is_a_line_with_a_button(seat: Seat) -> None:
    table = await seat()
    await table.begin("Bandits at the ford")

    async def only(route: Any) -> None:
        """Answer with only one of the options."""
        answer = await route.fetch()
        told = await answer.json()
        kept = [
            option
            for option in told["options"]
            if option["id"] == "end-turn" or not option["prompt"]
        ]
        await route.fulfill(response=answer, json={**told, "options": kept})

    await table.page.route("**/options?*", only)
    await table.page.reload()
    card = table.card("It is Lin's turn")
    await expect(card.get_by_role("button")).to_have_count(1)
    await expect(card.locator(".option.primary")).to_have_text("End the turn")
    box = await card.bounding_box()
    assert box is not None
    assert box["height"] < 80
