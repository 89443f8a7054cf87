"""Test the reasons for the value of a pool and for a condition, at any version."""

from random import Random

import pytest
from msgspec.structs import replace

from domain.engine.commands import GmRuling as Ruling
from domain.record.events import Damaged, Rolled
from domain.rulesets import installed
from domain.rulesets.free_hit import RULESET
from projections.eyes import Eyes
from projections.why import Step, _is_between, led_to, why
from service.conformance.walker import Walker
from tests.client import NEEDED
from tests.rulesets.free_hit.units import SWORD, foe, unit
from tests.spec import GM, Spec
from tests.walks import FIGHTS


def steps(spec: Spec, who: str, track: str) -> list[Step]:
    return why(spec.live, Eyes(spec.live.history, GM), who, track)


def fight() -> Spec:
    ana = unit("Ana", agility=4, accuracy=3, strength=1, at=[0, 0], weapons=[SWORD])
    return Spec(RULESET).given(ana, foe("Imp", max_hp=6, at=[1, 0], weapons=[SWORD])).begin()


def test_dice_that_fell_in_several_commands_are_behind_it() -> None:
    spec = fight()
    spec.act("Ana", "attack", ("attack", 9), ("damage", 4), target="Imp")
    last = steps(spec, "Imp", "hp")[-1]
    assert last.value == 1  # 6 − (4 + 1)
    assert [text.partition(":")[0] for text in last.because] == [
        "Ana attacks Imp with the sword.",
        "Ana hits Imp",
        "Ana rolls damage",
    ]
    assert [spec.live.history.recorded[version - 1].version for version in last.causes] == list(
        last.causes
    )


def test_a_roll_does_not_lead_to_itself_nor_to_a_later_procedure() -> None:
    spec = fight()
    spec.act("Ana", "attack", ("attack", 9), ("damage", 4), target="Imp")
    eyes = Eyes(spec.live.history, GM)
    for recorded in spec.live.history.path:
        causes = [cause.version for cause in led_to(spec.live.history, eyes, recorded)]
        assert all(cause < recorded.version for cause in causes)


def test_a_shot_at_the_attacker_does_not_lead_to_the_damage_of_another() -> None:
    """Cole shoots at the orc during its attack on Dara. His shot is no reason for her damage."""
    hurt = Damaged("Dara", "hp", 3, source="Orc")
    assert not _is_between(Rolled("Cole", "attack", "1d20", (9,), 9, against="Orc"), hurt)
    assert _is_between(Rolled("Orc", "attack", "1d20", (9,), 9, against="Wren"), hurt)  # she blocks
    assert _is_between(Rolled("Dara", "save", "1d20", (9,), 9), hurt)
    assert _is_between(
        Rolled("Cole", "attack", "1d20", (9,), 9, against="Orc"), replace(hurt, source=None)
    )


def test_the_gm_s_words_and_what_was_too_much() -> None:
    spec = fight()
    spec.do(Ruling("damage", {"combatant": "Imp", "amount": 9}, "the bridge falls"))
    last = steps(spec, "Imp", "hp")[-1]
    assert (last.value, last.reason, last.note) == (0, "the bridge falls", "6 of 9: hp stops at 0")
    assert last.because == ("The GM rules on Imp: damage (9): the bridge falls.",)
    spec.undo()
    spec.rule("damage", who="Ana", amount=3)
    targets = [{"combatant": "Ana"}, {"combatant": "Imp"}]
    spec.rule("several", ruling="heal", inputs={"amount": 5}, targets=targets)
    last = steps(spec, "Ana", "hp")[-1]
    assert (last.value, last.note) == (20, "3 of 5: hp is at most 20")
    assert last.because == ("The GM rules on Ana and Imp: heal (5).",)


def test_as_it_was() -> None:
    spec = fight()
    spec.rule("damage", who="Imp", amount=1)
    before = spec.live.version
    spec.rule("damage", who="Imp", amount=2)
    past = spec.live.as_of(before)
    steps = why(past, Eyes(spec.live.history, GM), "Imp", "hp")
    assert [step.value for step in steps] == [6, 5]


@pytest.mark.sampled
@pytest.mark.parametrize("ruleset", list(FIGHTS))
def test_everything_has_a_reason(ruleset: str) -> None:
    spec = Spec(installed()[ruleset]).given(*FIGHTS[ruleset](), **NEEDED.get(ruleset, {}))
    spec.prove = lambda: None  # type: ignore[method-assign]
    walker = Walker(spec, Random(8), gm=0.15)
    for _ in range(70):
        if not walker.step():
            break
    eyes = Eyes(spec.live.history, GM)
    for version in (spec.live.history.head, spec.live.history.head // 2):
        past = spec.live.as_of(version)
        for combatant in past.combat:
            for name, track in combatant.tracks.items():
                assert why(past, eyes, combatant.id, name)[-1].value == track.value
            for held in combatant.conditions:
                steps = why(past, eyes, combatant.id, condition=held.id)
                assert steps[-1].type == "condition-gained" or len(combatant.all(held.id)) > 0
                assert all(step.text for step in steps)
