"""Offers make progress, have valid inputs, and never propose to harm an ally."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace as relabelled
from itertools import chain
from random import Random
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from msgspec.structs import replace

from domain.dice import parse_roll
from domain.engine.commands import Join, Joining, Reply
from domain.engine.options import Choice, Offer, tried
from domain.rulebook.play import Play
from domain.rulebook.polarity import Order
from domain.rulebook.prompts import no_refusals
from domain.rulesets import installed
from projections.eyes import Eyes
from projections.offers import Offers, OfferView, offers
from service.conformance.walker import Walker
from tests.forms import forms
from tests.rulesets.free_hit.units import SWORD, foe, unit
from tests.rulesets.sovereign.units import DAGGER, fight, hero, npc
from tests.rulesets.sovereign.units import SWORD as SABRE
from tests.rulesets.vile_darkness import units as vile
from tests.spec import GM, Spec
from tests.walks import FIGHTS, begin

each_fight = pytest.mark.parametrize("ruleset", FIGHTS)


def shown(spec: Spec, who: str | None = None, *, prompted: bool = False) -> Offers:
    return offers(spec.live, Eyes(spec.live.history, GM), who, prompted=prompted)


def state(spec: Spec) -> bytes:
    """Return the combat as JSON without prompts, because the ids of prompts never repeat."""
    return msgspec.json.encode(replace(spec.combat, prompts={}, frames=(), asked={}))


def throw(prompt: str, formula: str, random: Random) -> Reply:
    faces = [random.randint(1, abs(die)) for die in parse_roll(formula).dice]
    return Reply(prompt, None, {"faces": faces})


def first_choices(spec: Spec, random: Random, commands: int) -> Iterator[tuple[bytes, OfferView]]:
    """Answer each prompt with the first legal offer and its first example."""
    for _ in range(commands):
        if spec.combat.status == "ended":
            return
        waiting = spec.combat.prompts
        id, prompt = next(
            (id, prompt)
            for id, prompt in spec.live.open_prompts().items()
            if waiting[id].answer is None
        )
        if prompt.kind == "roll":
            spec.do(throw(id, prompt.data["formula"], random))
            continue
        ready = (
            offer
            for offer in shown(spec, prompt.who, prompted=True).options
            if offer.legal and offer.prompt == id and offer.examples
        )
        offer = next(ready)
        yield state(spec), offer
        spec.do(Reply(id, offer.id, offer.examples[0]))


@pytest.mark.sampled
@each_fight
@pytest.mark.parametrize(("away", "seed"), [(0, 0), (9, 1)], ids=["near-asked", "far-default"])
@forms("commands", 120, long=[300])
def test_first_offers_make_progress(ruleset: str, away: int, seed: int, commands: int) -> None:
    """If a client always takes the first offer, the fight reaches the next rounds."""
    spec = begin(ruleset, seed, away)
    spec.proves = False
    spec.begin()
    met: set[Any] = set()
    again = Counter[str]()
    for before, offer in first_choices(spec, Random(seed), commands):
        key = before, offer.who, offer.id, msgspec.json.encode(offer.examples[0])
        if offer.kind == "turn" and key in met:
            again[offer.id] += 1
        met.add(key)
    assert again.keys() <= spec.ruleset.unlimited.keys(), again
    assert spec.combat.status == "ended" or spec.combat.round > commands // 120, again


@each_fight
def test_unlimited_actions_name_their_rule(ruleset: str) -> None:
    rulebook = installed()[ruleset]
    assert rulebook.unlimited.keys() <= rulebook.actions.keys()
    assert set(rulebook.unlimited.values()) <= {rule.id for rule in rulebook.rules}


# ---- examples


def walked(ruleset: str, seed: int, commands: int) -> Iterator[Spec]:
    """Yield a fight after each tenth command of a walk."""
    spec = begin(ruleset, seed, away=seed % 3)
    walker = Walker(spec, Random(seed), gm=0.1, thorough=1000)
    for number in range(commands):
        if not walker.step():
            return
        if number % 10 == 0:
            yield spec


@pytest.mark.sampled
@each_fight
def test_examples_fit_their_schema(ruleset: str) -> None:
    for spec in chain(walked(ruleset, 2, 60), walked(ruleset, 3, 60)):
        view = shown(spec)
        for offer in view.options:
            validator = Draft202012Validator(view.schemas[offer.inputs])
            for example in offer.examples:
                plain = msgspec.json.decode(msgspec.json.encode(example))
                faults = [fault.message for fault in validator.iter_errors(plain)]
                assert not faults, f"{offer.id} {example}: {faults}"


def polarity(offer: OfferView, example: Mapping[str, Any]) -> str:
    by = offer.polarity_by
    return offer.polarity if by is None else by.values.get(example.get(by.field, ""), "either")


def targets(example: Mapping[str, Any]) -> list[str]:
    """Return the ids in the fields for targets."""
    single, several = example.get("target"), example.get("targets", ())
    return [id for id in (single, *several) if isinstance(id, str)]


@pytest.mark.sampled
@each_fight
def test_examples_harm_no_ally_or_fallen_and_help_no_foe(ruleset: str) -> None:
    seen = Counter[str]()
    rules = installed()[ruleset]
    for spec in chain(walked(ruleset, 0, 80), walked(ruleset, 3, 100)):
        combat = spec.combat
        for offer in shown(spec).options:
            for example in offer.examples if offer.who else ():
                toward = polarity(offer, example)
                aimed = targets(example)
                if toward == "harm" and aimed:
                    assert any(rules.in_fight(combat, id) for id in aimed), f"{offer.id} {example}"
                for target in aimed:
                    seen[toward] += 1
                    if toward in ("harm", "help"):
                        ally = combat[target].side == combat[offer.who or ""].side
                        assert ally == (toward == "help"), f"{offer.who} {offer.id} {example}"
    assert seen["harm"]


def test_a_hidden_foe_is_no_example_of_a_target() -> None:
    """No option proposes a hidden foe as a target, but a command may still name it."""
    rules = installed()["free-hit"]
    ghost = foe("Ghost", max_hp=9, at=[1, 0])
    ana = unit("Ana", agility=5, weapons=[SWORD], at=[0, 0])
    spec = Spec(rules).given(ana, foe("Imp", max_hp=9, at=[0, 1])).begin()
    spec.do(Join(Joining(ghost, hidden=True)))

    def aimed_at() -> set[str]:
        (offer,) = (offer for offer in shown(spec, "Ana").options if offer.id == "attack")
        assert offer.legal
        return {target for example in offer.examples for target in targets(example)}

    assert aimed_at() == {"Imp"}
    spec.rule("move", combatant="Imp", to=[9, 9])
    assert aimed_at() == set()
    spec.act("Ana", "attack", ("attack", 2), target="Ghost")


HEALERS = {
    "definitions": ("Goblins in the cellar", "Ilse", "cast-spell", "Brand", "Ana"),
    "free-hit": ("Bandits at the ford", "Mara", "cast", "Lin", "Mara"),
}
"""For each ready fight: the healer, the action, and two friends that are hurt in this order."""


@pytest.mark.parametrize("ruleset", HEALERS)
def test_healing_is_proposed_for_those_who_lack_most(ruleset: str) -> None:
    """Healing proposes only wounded combatants. The combatant that lacks most is first."""
    party, healer, action, hurt, worse = HEALERS[ruleset]
    rules = installed()[ruleset]
    ready = next(ready for ready in rules.parties if ready.name == party)
    spec = Spec(rules).given(*ready.sheets, **ready.options)
    proposals = [
        {"spell": "mend", "targets": [who]} for who in dict.fromkeys((healer, hurt, worse))
    ]

    def proposed() -> list[str]:
        order = Order(Play(rules, spec.combat), rules.actions[action], "turn", healer)
        needed = [raw for raw in order.sorted(proposals) if not order.is_needless(raw)]
        return [str(raw["targets"][0]) for raw in needed]

    def wound(who: str, points: int) -> None:
        track = spec[who].tracks["hp"]
        value = (track.maximum or 0) - points
        spec.rule("set-track", combatant=who, track="hp", value=value)

    assert proposed() == []
    wound(hurt, 3)
    assert proposed() == [hurt]
    wound(worse, 9)
    assert proposed() == [worse, hurt]


def test_who_knows_only_to_heal_proposes_it_once_somebody_is_hurt() -> None:
    """A person may still heal a healthy combatant."""
    rules = installed()["definitions"]
    ready = next(ready for ready in rules.parties if ready.name == "Goblins in the cellar")
    spec = Spec(rules).given(*ready.sheets, **ready.options)
    cast = rules.actions["cast-spell"]

    def offered() -> Offer:
        play = Play(rules, spec.combat)
        free = relabelled(cast, refusals=no_refusals)  # legal before any turn
        return tried(Choice("Ilse", free, "Ilse:1", "turn"), play, play, every=False)

    assert (offered().legal, offered().refusals) == ((), ())
    assert ["Brand"] in offered().values["targets"]
    spec.rule("set-track", combatant="Brand", track="hp", value=5)
    assert offered().legal[0]["targets"] == ["Brand"]


def bolt(damage: str) -> dict[str, Any]:
    return {"id": "bolt", "name": "Bolt", "range_ft": 60, "damage": damage}


@pytest.mark.parametrize(
    ("damage", "at", "first"),
    [
        ("2d4", [5, 0], "cast-spell"),
        ("2d4", [1, 0], "cast-spell"),
        ("1d2", [1, 0], "melee-attack"),
    ],
)
def test_what_harms_most_is_offered_first(damage: str, at: list[int], first: str) -> None:
    """The option with the highest average damage is first.

    The dagger deals 2.5 on average. The two bolts deal 5 and 1.5.
    """
    spec = Spec(installed()["sovereign"])
    wren = hero("Wren", skills={"magic": 1}, weapons=[DAGGER], spells=[bolt(damage)])
    fight(spec, wren, npc("Orc", at=at))
    options = shown(spec, "Wren", prompted=True).options
    assert next(entry.id for entry in options if entry.category in ("attack", "cast")) == first


def test_a_charge_is_never_proposed_at_a_neighbour() -> None:
    """A charge at a neighbour is legal (SOV-CHG-02), but never an example."""
    spec = Spec(installed()["sovereign"])
    fight(spec, hero("Ana", weapons=[SABRE]), npc("Orc"), npc("Imp", at=[0, 4]))

    def charged_at() -> set[str]:
        (offer,) = (option for option in shown(spec, "Ana").options if option.id == "charge")
        assert offer.legal
        return {target for example in offer.examples for target in targets(example)}

    assert charged_at() == {"Imp"}
    spec.rule("move", combatant="Imp", to=[1, 1])
    assert charged_at() == set()


def test_of_two_neighbours_the_one_straight_ahead_comes_first() -> None:
    spec = Spec(installed()["sovereign"])
    fight(spec, hero("Ana", weapons=[SABRE]), npc("Imp", at=[1, 1]), npc("Orc", at=[0, 1]))
    (offer,) = (option for option in shown(spec, "Ana").options if option.id == "melee-attack")
    assert offer.candidates["target"] == ("Orc", "Imp")


def test_a_member_strikes_for_the_swarm_without_naming_itself() -> None:
    """Only a member of the swarm gets the offer to strike for it (SOV-SWARM-03)."""
    spec = Spec(installed()["sovereign"])
    cole = hero("Cole", weapons=[SABRE], at=[0, 1])
    fight(spec, hero("Dara", weapons=[SABRE]), cole, npc("Beast", at=[1, 0]))
    spec.act("Cole", "swarm-attack", target="Beast")
    offered = {option.who: option for option in shown(spec).options if option.id == "swarm-strike"}
    assert offered.keys() == {"Cole"}
    assert offered["Cole"].examples == ({"target": "Beast"},)
    assert offered["Cole"].headline == "Strike Beast for the swarm"


def test_a_flight_and_a_move_are_proposed_to_free_squares() -> None:
    """`flee` and `move` propose no occupied square (VD-GRID-02, VD-GRID-03).

    The square of the hidden Ghost is proposed, so the proposals do not reveal Ghost.
    """
    spec = Spec(installed()["vile-darkness"])
    movement = {"walk": {"rate": 40}}
    ulf = vile.hero("Ulf", at=[0, 0], movement=movement)
    spec.given(ulf, vile.hero("Mira", at=[1, 0]), vile.foe("Knight", at=[0, -1]))
    vile.announce(spec)
    spec.do(Join(Joining(vile.foe("Ghost", at=[-4, 0]), hidden=True)))
    vile.engaged(spec, ("Ulf", "Knight"))
    offered = offers(spec.live, Eyes(spec.live.history, GM), "Ulf", reach=True, prompted=True)
    by_id = {option.id: option for option in offered.options}
    goals = {
        id: [example["path"][-1] for example in by_id[id].examples if example]
        for id in ("flee", "move")
    }
    for id, paths in goals.items():
        assert paths, id
        assert not [at for at in paths if tuple(at) in ((1, 0, 0), (0, -1, 0))], id
    assert [-4, 0, 0] in goals["flee"]
    reach = by_id["flee"].reach
    assert reach is not None
    assert {reaction.who for square in reach.squares for reaction in square.provokes} == {"Knight"}


def test_the_announced_target_is_proposed_first() -> None:
    """The declared target is proposed first, even if another target is nearer (HE-DECL-02)."""
    spec = Spec(installed()["hallowed-earth"])
    party = next(party for party in spec.ruleset.parties if party.id == "graves")
    sheets = [{**sheet, "at": [number, 0]} for number, sheet in enumerate(party.sheets[1:])]
    spec.given(*sheets, **party.options)
    spec.begin(*(("initiative", face) for face in (1, 12, 12, 12)))
    for id, prompt in tuple(spec.live.open_prompts().items()):
        option = "attack" if prompt.who == "Tess" else "no-action"
        inputs = {"weapon": "dagger", "target": "Ghoul-2"} if prompt.who == "Tess" else {}
        spec.do(Reply(id, option, inputs))
    while spec.open()[0][2] != "Tess":
        spec.answer(spec.open()[0][2], "end-turn")
    spec.rule("move", combatant="Ghoul-2", to=[0, 1])
    spec.rule("move", combatant="Ghoul-3", to=[1, 1])
    (attack,) = (
        option for option in shown(spec, "Tess", prompted=True).options if option.id == "attack"
    )
    assert attack.candidates["target"][0] == "Ghoul-2"
    assert attack.headline == "Attack Ghoul 2"


def test_a_defensive_attack_is_proposed_with_a_weapon() -> None:
    """The first example of a defensive attack names the weapon to attack with (HE-DATK-05)."""
    spec = Spec(installed()["hallowed-earth"])
    party = next(party for party in spec.ruleset.parties if party.id == "crypt")
    spec.given(*party.sheets, **party.options).begin(("initiative", 4), ("initiative", 3))
    options = shown(spec, "Brand", prompted=True).options
    (defensive,) = (entry for entry in options if entry.id == "defensive-attack")
    assert defensive.examples == ({"weapon": "axe"}, {})
