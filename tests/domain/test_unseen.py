"""Test that a player's command is legal if the player knows no reason against it."""

from typing import Any

import pytest

from domain.engine.caller import Caller
from domain.engine.commands import Act, Reply
from domain.errors import Illegal, Refused, Unfitting, Unknown
from domain.record.combat import Square
from domain.record.events import Moved, Stopped
from domain.rulesets.free_hit import RULESET
from projections.events import event_view
from projections.eyes import Eyes
from tests.rulesets.free_hit.units import SWORD, foe, unit
from tests.spec import GM, Spec

ANNA = Caller("p1", "player", owner="anna")


def fight(*, lurker: tuple[int, int] = (3, 0)) -> Spec:
    """Return a fight in which a hidden lurker is three squares east of Ana, in her way."""
    ana = unit("Ana", agility=5, accuracy=3, weapons=[SWORD], owner="anna", at=[0, 0])
    imp = foe("Imp", agility=1, weapons=[SWORD], at=[0, 9])
    unseen = foe("Lurker", agility=-9, weapons=[SWORD], at=list(lurker))
    return Spec(RULESET).given(ana, imp, unseen, hidden=("Lurker",)).begin()


def east(steps: int) -> list[list[int]]:
    return [[x, 0] for x in range(1, steps + 1)]


def walked(spec: Spec) -> list[Square]:
    return [square for event in spec.events(Moved) for square in event.path]


def test_a_walk_ends_before_somebody_unseen() -> None:
    spec = fight()
    spec.do(Act("Ana", "move", {"path": east(4)}), by=ANNA)
    assert walked(spec) == [(1, 0, 0), (2, 0, 0)]
    stop = spec.event(Stopped)
    assert (stop.who, stop.doing, stop.reason) == ("Ana", "move", "path-blocked")


@pytest.mark.parametrize("name", ["path", "ath", "Ana 2"])
def test_a_name_in_the_midst_of_a_command_is_not_said_by_its_author(name: str) -> None:
    """The command's author never reads the name of the hidden combatant in the reason."""
    ana = unit("Ana", agility=5, accuracy=3, weapons=[SWORD], owner="anna", at=[0, 0])
    unseen = foe(name, agility=-9, weapons=[SWORD], at=[3, 0])
    spec = Spec(RULESET).given(ana, foe("Imp", at=[0, 9]), unseen, hidden=(name,)).begin()
    spec.do(Act("Ana", "move", {"path": east(4)}), by=ANNA)
    stop = next(recorded for recorded in spec.last if isinstance(recorded.event, Stopped))
    view = event_view(spec.live, Eyes(spec.live.history, ANNA), stop)
    assert view.data["detail"] == "somebody, an enemy, is in the way"


def test_the_first_step_into_somebody_unseen_is_paid() -> None:
    spec = fight(lurker=(1, 0))
    spec.do(Act("Ana", "move", {"path": east(3)}), by=ANNA)
    assert walked(spec) == []
    assert spec.event(Stopped).reason == "path-blocked"
    assert spec["Ana"].budget["ma"] == 0
    assert spec.prompt("Ana").name == "turn"


def test_the_gm_knows_who_is_in_the_way() -> None:
    spec = fight()
    with spec.raises(Illegal) as caught:
        spec.do(Act("Ana", "move", {"path": east(4)}), by=GM)
    assert "Lurker" in caught[0].detail


def test_what_the_player_knows_is_refused_as_ever() -> None:
    spec = fight()
    with spec.raises(Illegal) as caught:
        spec.do(Act("Ana", "move", {"path": [[5, 5]]}), by=ANNA)
    assert caught[0].code == "path-blocked"


def test_somebody_hidden_is_as_unknown_as_nobody() -> None:
    spec = fight()
    details: list[str] = []
    for name in ("Lurker", "Nobody"):
        for command in (
            Act("Ana", "attack", {"target": name, "weapon": "sword"}),
            Act(name, "end-turn", {}),
            Reply(f"{name}:1", "end-turn", {}),
        ):
            with pytest.raises(Refused) as caught:
                spec.live.decide(command, spec.context(ANNA))
            assert isinstance(caught.value, Unknown)
            details.append(caught.value.detail.replace(name, "?"))
    assert details[:3] == details[3:]
    assert "Lurker" not in str(details)


def test_whoever_waits_for_somebody_unseen_waits_for_the_gm() -> None:
    spec = fight()
    spec.do(Act("Ana", "end-turn", {}), by=ANNA)
    spec.act("Imp", "end-turn")
    assert [prompt.who for prompt in spec.live.open_prompts().values()] == ["Lurker"]
    with spec.raises(Refused) as caught:
        spec.do(Act("Ana", "attack", {"target": "Imp", "weapon": "sword"}), by=ANNA)
    assert "Lurker" not in caught[0].detail
    assert not isinstance(caught[0], Unfitting) or caught[0].code == "awaiting-answer"


def foreseen(spec: Spec, command: Act | Reply) -> list[Any]:
    """Return the events of Anna's preview."""
    decision = spec.live.preview(command, spec.context(ANNA))
    eyes = Eyes(decision.live.history, ANNA)
    return [
        (view.type, view.data)
        for recorded in decision.recorded
        if eyes.sees(recorded.version)
        for view in [event_view(decision.live, eyes, recorded)]
    ]


def test_a_preview_does_not_know_who_is_unseen() -> None:
    walk = Act("Ana", "move", {"path": east(4)})
    there, elsewhere = foreseen(fight(), walk), foreseen(fight(lurker=(8, 8)), walk)
    assert there == elsewhere
    assert [data["path"] for type, data in there if type == "moved"] == [
        [[x, 0, 0]] for x in range(1, 5)
    ]


def test_a_preview_stops_at_a_roll_against_a_foe() -> None:
    spec = fight(lurker=(8, 8))
    spec.rule("move", combatant="Imp", to=[1, 0])
    strike = Act("Ana", "attack", {"target": "Imp", "weapon": "sword"})
    told = [type for type, _ in foreseen(spec, strike)]
    assert "action-declared" in told
    assert "rolled" not in told


def test_the_faces_of_dice_do_not_tell_what_a_foe_is_made_of() -> None:
    """A preview of a roll is the same for weak and strong foes, so it reveals no numbers."""
    for weak, strong in ({"max_hp": 2}, {"max_hp": 90}), ({"agility": 1}, {"agility": 4}):
        told = []
        for made in weak, strong:
            ana = unit("Ana", agility=5, accuracy=3, weapons=[SWORD], owner="anna", at=[0, 0])
            imp = foe("Imp", **{"agility": 1, **made}, weapons=[SWORD], at=[1, 0])
            spec = Spec(RULESET).given(ana, imp).begin()
            spec.do(Act("Ana", "attack", {"target": "Imp", "weapon": "sword"}), by=ANNA)
            told.append([foreseen(spec, roll(spec, face)) for face in range(1, 21)])
            spec.do(roll(spec, 17), by=ANNA)
            told.append([foreseen(spec, roll(spec, face)) for face in range(1, 9)])
        assert told[:2] == told[2:], weak


def roll(spec: Spec, face: int) -> Reply:
    """Return a reply with this face to the open roll."""
    (id,) = spec.live.open_prompts()
    return Reply(id, None, {"faces": [face]})


def test_what_is_told_of_one_is_told_beside_an_unseen_one_of_its_name() -> None:
    """Events about the visible `Goblin 2` keep its name, although `Goblin` is hidden."""
    ana = unit("Ana", agility=-5, weapons=[SWORD], owner="anna", at=[0, 0])
    spec = Spec(RULESET).given(ana, foe("Goblin", agility=9, weapons=[SWORD]), hidden=("Goblin",))
    spec.join(**foe("Goblin", weapons=[SWORD], at=[1, 1])).begin()
    spec.act("Goblin", "end-turn")
    spec.act("Goblin-2", "attack", target="Ana", weapon="sword")
    eyes = Eyes(spec.live.history, ANNA)
    seen = [
        event_view(spec.live, eyes, recorded)
        for recorded in spec.last
        if eyes.sees(recorded.version)
    ]
    assert {event_view.data["who"] for event_view in seen} == {"Goblin-2"}
