"""Test the sources of an event, including the terms that did not count."""

from domain.record.combat import DiceSettings
from domain.record.events import Damaged, Rolled
from projections.derivation import derivation
from projections.eyes import Eyes
from tests.domain.amending import fought
from tests.spec import GM


def test_armor_is_no_part_of_damage_nor_of_a_save() -> None:
    """Armor belongs only to the armor class, so it is no uncounted term of damage or a save."""
    live = fought("definitions", 0, 60, DiceSettings(), gm=0).live
    eyes = Eyes(live.history, GM)
    checked = 0
    for recorded in live.history.path:
        if isinstance(recorded.event, Rolled) and recorded.event.purpose.startswith(
            ("damage", "save")
        ):
            derived = derivation(live, eyes, recorded.version)
            assert derived.sum is not None
            checked += bool(derived.sum.terms)
            assert not {"armor", "shield"} & {absent.label for absent in derived.sum.absent}
    assert checked


def test_what_does_not_count_for_a_target_number_is_told() -> None:
    """The uncounted terms of a target number are boosts that nobody bought (FH-BST)."""
    live = fought("free-hit", 0, 40, DiceSettings(), gm=0).live
    eyes = Eyes(live.history, GM)
    attacks = [
        recorded.version
        for recorded in live.history.path
        if isinstance(recorded.event, Rolled) and recorded.event.target_terms
    ]
    told = [derivation(live, eyes, version).target for version in attacks]
    assert told
    labels = {absent.label for target in told if target is not None for absent in target.absent}
    assert "dodge boost" in labels
    assert "made this round" not in labels  # a label of free hits


def test_a_roll_without_terms_and_the_damage_are_numbers_too() -> None:
    live = fought("free-hit", 0, 40, DiceSettings(), gm=0).live
    eyes = Eyes(live.history, GM)
    bare = [
        (
            recorded.version,
            recorded.event.total if isinstance(recorded.event, Rolled) else recorded.event.amount,
        )
        for recorded in live.history.path
        if isinstance(recorded.event, Rolled | Damaged) and not recorded.event.terms
    ]
    assert bare
    for version, number in bare:
        sum_view = derivation(live, eyes, version).sum
        assert sum_view is not None
        assert (sum_view.total, sum_view.terms) == (number, ())
