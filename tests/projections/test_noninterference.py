"""Two combats that differ only in hidden facts give a player the same answers, to the byte."""

from typing import Any

import msgspec

from domain.engine.caller import Caller
from domain.engine.commands import Join, Joining
from domain.rulesets.free_hit import RULESET
from projections.board import board
from projections.events import event_view
from projections.eyes import Eyes
from projections.offers import offers
from projections.timeline import Wanted, page
from tests.rulesets.free_hit.units import SWORD, foe, unit
from tests.spec import Spec

PLAYER = Caller("p1", "player", owner="anna")


def fight(spec: Spec, *, lurker_hp: int, busy: bool) -> Spec:
    """A lurker waits unseen; `busy`: things happen to it behind the GM's screen."""
    lurker = foe("Lurker", agility=-9, max_hp=lurker_hp, at=[9, 9], weapons=[SWORD])
    imp = foe("Imp", agility=1, max_hp=lurker_hp, weapons=[SWORD], at=[1, 0])
    ana = unit("Ana", agility=5, accuracy=3, weapons=[SWORD], owner="anna", at=[0, 0])
    spec.given(ana, imp)
    spec.do(Join(Joining(lurker, hidden=True)))
    if busy:
        spec.rule("set-condition", who="Lurker", condition="prone")
        spec.rule("damage", who="Lurker", amount=3)
    spec.begin()
    if busy:
        spec.rule("heal", who="Lurker", amount=2)
    spec.act("Ana", "attack", ("attack", 12), ("damage", 4), target="Imp")
    return spec


def seen(spec: Spec) -> list[bytes]:
    """All that the player can read."""
    live = spec.live
    eyes = Eyes(live.history, PLAYER)
    encode: Any = msgspec.json.Encoder(order="deterministic").encode
    views = [event_view(live, eyes, one) for one in eyes.between(0, 10_000)]
    entries, following = page(live, eyes, Wanted())
    told = [[msgspec.structs.replace(entry, command="") for entry in entries], following]
    return [
        encode(board(live, eyes)),
        encode([msgspec.structs.replace(view, command="") for view in views]),
        encode(told),
        encode(offers(live, eyes, refused=True)),
        encode(eyes.sequence),
    ]


def test_a_player_learns_nothing_of_hidden_facts() -> None:
    quiet = fight(Spec(RULESET), lurker_hp=20, busy=False)
    busy = fight(Spec(RULESET), lurker_hp=50, busy=True)
    assert seen(quiet) == seen(busy)
    assert quiet.live.version != busy.live.version


def test_the_gm_sees_the_difference() -> None:
    quiet = fight(Spec(RULESET), lurker_hp=20, busy=False)
    busy = fight(Spec(RULESET), lurker_hp=50, busy=True)
    gm = Caller("gm", "gm")
    boards = [board(one.live, Eyes(one.live.history, gm)) for one in (quiet, busy)]
    assert boards[0] != boards[1]
    assert {one.id for one in boards[0].combatants} == {"Ana", "Imp", "Lurker"}
