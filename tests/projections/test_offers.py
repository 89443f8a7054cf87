"""Test the category, polarity, essential fields and headline of offers.

No offer's first example harms an ally or helps a foe.
"""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, get_args

import pytest

from domain.engine.caller import Caller
from domain.errors import Malformed
from domain.rulebook.input_reader import read
from domain.rulebook.inputs import inputs_of, named, told_by
from domain.rulebook.prompts import Category
from domain.rulebook.ruleset import Ruleset
from domain.rulesets import installed
from domain.rulesets.definitions import RULESET as DEFINITIONS
from domain.rulesets.free_hit import RULESET as FREE_HIT
from domain.rulesets.hallowed_earth import RULESET as HALLOWED_EARTH
from domain.rulesets.sovereign import RULESET as SOVEREIGN
from domain.rulesets.vile_darkness import RULESET as VILE_DARKNESS
from projections.eyes import Eyes
from projections.offers import OfferView, offers
from service.conformance.walker import Walker
from tests.client import NEEDED
from tests.forms import forms
from tests.rulesets.definitions import units as definitions
from tests.rulesets.free_hit import units as free_hit
from tests.rulesets.sovereign import units as sovereign
from tests.rulesets.vile_darkness import units as vile_darkness
from tests.spec import GM, Spec
from tests.walks import FIGHTS


def offered(spec: Spec, who: str | None = None, reader: Caller = GM) -> tuple[OfferView, ...]:
    return offers(spec.live, Eyes(spec.live.history, reader), who).options


def offer(spec: Spec, who: str, option: str) -> OfferView:
    return next(offer for offer in offered(spec, who) if offer.id == option)


# ---- every rulebook


@pytest.mark.parametrize("ruleset", sorted(FIGHTS))
def test_the_category_end_ends_the_turn_and_nothing_else(ruleset: str) -> None:
    """Only `end-turn` has the category `end`, because a client may send it for the player."""
    actions = installed()[ruleset].actions
    ends = {id for id, action in actions.items() if action.screen.category == "end"}
    assert ends <= {"end-turn"}
    passes = {id for id, action in actions.items() if action.screen.category == "pass"}
    assert passes <= {"pass", "no-action"}


@pytest.mark.parametrize("ruleset", sorted(FIGHTS))
def test_every_action_declares_a_category(ruleset: str) -> None:
    actions = installed()[ruleset].actions
    assert [id for id, action in actions.items() if action.screen.category is None] == []


def test_fields_that_make_no_difference_are_idle() -> None:
    """A field is idle if it cannot matter, such as `gm_modifier` to a player."""
    knife = vile_darkness.weapon("knife", multipliers=[{"when": "backstab", "factor": 2}])
    routine = {"id": "flurry", "kind": "melee", "attacks": [{"weapon": "knife", "count": 2}]}
    ana = vile_darkness.hero("Ana", owner="anna")
    bo = vile_darkness.hero("Bo", owner="anna", weapons=[knife], routines=[routine])
    spec = Spec(VILE_DARKNESS).given(ana, bo, vile_darkness.foe("Orc"))
    vile_darkness.announce(spec)
    anna = Caller("p1", "player", owner="anna")

    def idle(who: str, reader: Caller) -> set[str]:
        options = offered(spec, who, reader)
        return set(next(offer for offer in options if offer.id == "attack").idle)

    assert idle("Ana", anna) == {"routine", "mode", "circumstances", "gm_modifier"}
    assert idle("Bo", anna) == {"mode", "gm_modifier"}
    assert idle("Bo", GM) == {"mode"}


@pytest.mark.parametrize("ruleset", sorted(FIGHTS))
def test_a_headline_template_names_fields_of_the_inputs(ruleset: str) -> None:
    rulebook = installed()[ruleset]
    for option in (*rulebook.actions.values(), *rulebook.rulings.values()):
        fields = set(inputs_of(option.inputs))
        assert set(option.screen.essential) <= fields, option.id
        for part in option.screen.headline.split("{")[1:]:
            assert part.split("}")[0].split("|")[0] in fields, option.id


def states(ruleset: Ruleset, seed: int) -> Iterator[Spec]:
    """Yield states of random play."""
    spec = Spec(ruleset).given(*FIGHTS[ruleset.id](), **NEEDED.get(ruleset.id, {})).begin()
    spec.prove = lambda: None  # type: ignore[method-assign]
    walker = Walker(spec, Random(seed), gm=0.1, undo=0)
    yield spec
    for _ in range(30):
        if not walker.step():
            break
        yield spec


def named_by(spec: Spec, offer: OfferView, values: Mapping[str, Any]) -> Iterator[str]:
    """Yield the combatants at which these values aim."""
    ruleset = spec.ruleset
    known = ruleset.actions.get(offer.id)
    fields = {} if known is None else inputs_of(known.inputs)
    for name, field in fields.items():
        if field.kind.is_aimed and name in values:
            yield from (id for id in named(values[name]) if id in spec.combat.combatants)


def check_sides(spec: Spec, offer: OfferView) -> int:
    """Check that an offer harms no ally and helps no foe. Return the number of targets."""
    if offer.who is None or offer.polarity not in ("harm", "help"):
        return 0
    side, count = spec.combat[offer.who].side, 0
    first = {name: values[0] for name, values in offer.candidates.items()}
    for values in (*offer.examples[:1], first):
        for id in named_by(spec, offer, values):
            is_ally = spec.combat[id].side == side
            assert is_ally == (offer.polarity == "help"), (offer.id, values)
            count += 1
    return count


def check_screen(offer: OfferView) -> None:
    """Check that the parts of an offer agree with each other."""
    assert offer.category in get_args(Category), offer.id
    assert (offer.headline is None) == (not offer.examples), offer.id
    assert not {"{", "["} & set(offer.headline or "")
    assert not set(offer.essential) & set(offer.idle), offer
    if offer.kind != "ruling":  # the GM chooses a number freely, even if one is proposed
        assert all(len(offer.candidates.get(name, ())) != 1 for name in offer.essential), offer
    by = offer.polarity_by
    if by is not None and offer.examples and by.field in offer.examples[0]:
        assert by.values[offer.examples[0][by.field]] == offer.polarity
    if by is not None:
        assert set(by.values) <= set(offer.candidates[by.field])


@pytest.mark.sampled
@pytest.mark.parametrize("ruleset", sorted(FIGHTS))
@forms("fights", 1, long=[3])
def test_offers_propose_no_harm_to_allies_and_agree_with_themselves(
    ruleset: str, fights: int
) -> None:
    met = 0
    for seed in range(fights):
        for spec in states(installed()[ruleset], seed):
            for offer in offered(spec):
                check_screen(offer)
                met += check_sides(spec, offer)
    assert met > 3 * fights


# ---- harm and help, by data


@pytest.mark.parametrize(
    ("data", "polarity"),
    [
        ({"damage": "1d6"}, "harm"),
        ({"damage": "1d6", "save": {"kind": "will"}}, "harm"),
        ({"healing": "1d8", "heals": "both"}, "help"),
        ({"healing": None, "heals": "both", "attack": "none"}, "either"),
        ({"heals": {"stress": "1d6"}}, "help"),
        ({"heal": "1d6", "damage": "1d6"}, "either"),
        ({"attack": True}, "harm"),
        ({"attack": "ranged-touch"}, "harm"),
        ({"save": {"kind": "will", "dc": 15}}, "harm"),
        ({"heal": "1d6", "save": {"kind": "will"}}, "help"),
        ({"conditions": [{"id": "blessed"}]}, "either"),
        ({"modifiers": [{"target": "ac", "value": 2}]}, "help"),
        ({"modifiers": [{"target": "ac", "value": -2}]}, "harm"),
        ({"effects": [{"condition": "slow", "modifiers": {"attack": -1, "ac": 0}}]}, "harm"),
        ({"effects": [{"type": "heal", "dice": "1d6", "value": 0}]}, "help"),
        ({"effect": {"type": "damage", "dice": "1d6"}}, "harm"),
        ({}, "either"),
    ],
)
def test_harm_and_help_follow_from_data(data: Mapping[str, Any], polarity: str) -> None:
    assert told_by(data) == polarity


# ---- rulebook by rulebook


def test_free_hit_strikes_the_nearest_foe_with_names() -> None:
    ana = free_hit.unit("Ana", at=[0, 0], weapons=[free_hit.SWORD])
    bo = free_hit.unit("Bo", at=[0, 1])
    hag = free_hit.foe("Hag", at=[1, 0])
    spec = Spec(FREE_HIT).given(ana, bo, hag, free_hit.foe("Imp", at=[9, 9])).begin()
    attack = offer(spec, "Ana", "attack")
    assert attack.category == "attack"
    assert (attack.polarity, attack.polarity_by) == ("harm", None)
    assert attack.headline == "Strike Hag with the sword"
    assert attack.candidates["target"][0] == "Hag"


def test_an_attack_that_reaches_only_allies_has_no_example_and_comes_last() -> None:
    ana = free_hit.unit("Ana", at=[0, 0], weapons=[free_hit.SWORD])
    bo = free_hit.unit("Bo", at=[0, 1])
    spec = Spec(FREE_HIT).given(ana, bo, free_hit.foe("Imp", at=[9, 9])).begin()
    offers = offered(spec, "Ana")
    attack = next(offer for offer in offers if offer.id == "attack")
    assert attack.legal
    assert (attack.examples, attack.headline) == ((), None)
    assert "target" not in attack.candidates
    assert attack.essential == ("target",)
    last = [offer.id for offer in offers if not offer.examples and "target" in offer.essential]
    assert [offer.id for offer in offers][-len(last) :] == last
    spec.act("Ana", "attack", target="Bo", weapon="sword")  # the rules allow it


def test_definitions_lists_the_nearest_enemy_first() -> None:
    ana = definitions.fighter("Ana", at=[0, 0])
    far, near = (definitions.foe(n, at=[x, 0]) for n, x in (("Far", 2), ("Near", 1)))
    spec = definitions.fight(Spec(DEFINITIONS), ana, far, near)
    while spec.prompt().who != "Ana":
        spec.act(spec.prompt().who or "", "end-turn")
    assert offer(spec, "Ana", "trip").headline == "Trip Near"
    assert offer(spec, "Ana", "trip").candidates["target"][0] == "Near"


def test_sovereign_tells_the_polarity_of_each_spell() -> None:
    bolt = {"id": "bolt", "name": "Bolt", "damage": "1d6", "attack": True, "range_ft": 100}
    mend = {"id": "mend", "name": "Mend", "heal": "1d6", "range_ft": 100}
    mag = sovereign.hero("Mag", at=[0, 0], spells=[mend, bolt])
    spec = sovereign.fight(
        Spec(SOVEREIGN), mag, sovereign.hero("Bo", at=[1, 0]), sovereign.npc("Orc", at=[3, 0])
    )
    spec.rule("set-track", combatant="Bo", track="hp", value=1)  # somebody to heal
    cast = offer(spec, "Mag", "cast-spell")
    assert cast.category == "cast"
    assert cast.polarity_by is not None
    assert cast.polarity_by.field == "spell"
    assert cast.polarity_by.values == {"mend": "help", "bolt": "harm"}
    assert cast.polarity == "help"
    by_spell = {example["spell"]: example["targets"][0] for example in reversed(cast.examples)}
    assert spec.combat[by_spell["mend"]].side == spec.combat["Mag"].side
    assert by_spell["bolt"] == "Orc"
    assert set(cast.essential) == {"spell", "targets"}


@pytest.mark.parametrize("ruleset", sorted(FIGHTS))
def test_a_ruling_calls_whom_it_is_about_combatant_alone(ruleset: str) -> None:
    rulebook = installed()[ruleset]
    fields = {id: set(inputs_of(action.inputs)) for id, action in rulebook.rulings.items()}
    assert [id for id, names in fields.items() if names & {"unit"}] == []
    assert fields["damage"] >= {"combatant", "amount"}
    for old in ("who", "unit", "target"):
        with pytest.raises(Malformed) as caught:
            read({old: "Ana", "amount": 1}, rulebook.rulings["damage"].inputs)
        assert caught.value.pointer in (f"/{old}", "/combatant")


def test_rulings_say_harm_and_help() -> None:
    for ruleset in (DEFINITIONS, FREE_HIT, HALLOWED_EARTH, SOVEREIGN, VILE_DARKNESS):
        assert ruleset.rulings["damage"].screen.polarity == "harm"
        assert ruleset.rulings["heal"].screen.polarity == "help"


def test_the_gm_sees_the_text_that_a_question_asks_for() -> None:
    """After a fall to 0 HP, the GM describes the wound (DEF-WND-01)."""
    spec = definitions.fight(
        Spec(DEFINITIONS), definitions.fighter("Ana"), definitions.foe("Orc"), rulings="ask"
    )
    spec.rule("damage", combatant="Ana", amount=60)
    (wound,) = (view for view in offered(spec) if view.prompt and view.id == "wound")
    assert "text" in wound.essential
