"""Test that the first proposal of a GM's prompt surprises nobody and harms only foes."""

from collections.abc import Iterator

import pytest

from domain.engine.commands import Reply
from domain.engine.options import Choice
from domain.rulesets import installed
from tests.rulesets.definitions import units as definitions
from tests.rulesets.free_hit import units as free_hit
from tests.rulesets.hallowed_earth import units as hallowed_earth
from tests.rulesets.sovereign import units as sovereign
from tests.rulesets.vile_darkness import units as vile_darkness
from tests.spec import GM, Spec

NOBODY: list[tuple[str, list[dict[str, object]], str, list[object]]] = [
    (
        "vile-darkness",
        [vile_darkness.hero("Ana"), vile_darkness.foe("Orc")],
        "set",
        [{"who": []}, {"who": ["Ana"]}, {"who": ["Orc"]}],
    ),
    (
        "hallowed-earth",
        [hallowed_earth.hero("Ana"), hallowed_earth.monster("Orc")],
        "as-given",
        [{}],
    ),
    (
        "sovereign",
        [sovereign.hero("Ana", at=[0, 0]), sovereign.npc("Orc", at=[1, 0])],
        "nobody",
        [{}],
    ),
]


@pytest.mark.parametrize(("ruleset", "sheets", "option", "proposed"), NOBODY)
def test_nobody_is_surprised_by_the_first_proposal(
    ruleset: str, sheets: list[dict[str, object]], option: str, proposed: list[object]
) -> None:
    spec = Spec(installed()[ruleset]).given(*sheets).begin()
    first = next(offer for offer in spec.live.all_options(GM) if offer.prompt is not None)
    assert (first.option.id, list(first.legal)) == (option, proposed)
    assert first.prompt is not None
    spec.do(Reply(first.prompt, option, first.legal[0]))
    assert not any(combatant.has("surprised") for combatant in spec.combat)


def choices(spec: Spec) -> Iterator[Choice]:
    return spec.live.all_choices(spec.combat, GM)


def test_the_default_of_a_ruling_is_offered_first() -> None:
    spec = Spec(installed()["free-hit"])
    ana = free_hit.unit("Ana", agility=5, weapons=[free_hit.SWORD], at=[0, 0])
    spec.given(ana, free_hit.foe("Imp", at=[0, 1])).begin()
    spec.act("Ana", "attack", target="Imp", from_behind=True)
    asked = spec.prompt(None, "from-behind")
    assert ([option.id for option in asked.options], asked.default) == (["yes", "no"], "no")
    assert [choice.option.id for choice in choices(spec) if choice.prompt] == ["no", "yes"]


def test_an_unknown_effect_is_proposed_for_a_foe_of_its_actor() -> None:
    wish = {"id": "wish", "name": "Wish"}
    spec = Spec(installed()["definitions"])
    ana = definitions.fighter("Ana", spells=[wish])
    definitions.fight(spec, ana, definitions.foe("Orc", at=[5, 5]), rulings="ask")
    spec.act("Ana", "cast-spell", spell="wish")
    damage = next(offer for offer in spec.live.all_options(GM) if offer.option.id == "damage")
    assert [raw["combatant"] for raw in damage.legal] == ["Orc", "Ana"]
