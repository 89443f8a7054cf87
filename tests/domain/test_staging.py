"""Test commands that open, change, begin and end a combat, and their refusals."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from domain.engine.commands import (
    Begin,
    Change,
    Command,
    End,
    Join,
    Joining,
    Leave,
    Open,
    SetLabels,
    SetMap,
)
from domain.engine.session import Session
from domain.errors import Malformed, Unfitting, Unknown
from domain.record.combat import Combat, Deadlines, Id, Track
from domain.record.events import (
    CombatantChanged,
    CombatBegan,
    CombatEnded,
    CombatOpened,
    DeadlinesSet,
    LabelsSet,
    MapSet,
    Noted,
    ProcedureAbandoned,
    ProcedureEnded,
    Resumed,
)
from domain.rulebook.effects import Procedure, ask
from domain.rulebook.play import Play
from domain.rulebook.prompts import Prompt, choices
from domain.rulebook.ruleset import Ruleset, Step
from tests.domain.test_able import ANN, BOB, CYD
from tests.domain.toy import TOY, ToyOptions, ToySheet, turn
from tests.spec import Spec


def fight(rulebook: Ruleset = TOY, **options: Any) -> Spec:
    return Spec(rulebook).given(ANN, BOB, CYD, declare=False, **options)


def unfitting(spec: Spec, command: Command) -> str:
    with spec.raises(Unfitting) as caught:
        spec.do(command)
    return caught[0].code


def pointer(spec: Spec, command: Command) -> str:
    with spec.raises(Malformed) as caught:
        spec.do(command)
    return caught[0].pointer


# ---- opening


def test_a_combat_is_opened_once() -> None:
    assert unfitting(fight(), Open("toy")) == "already-open"


def test_what_is_not_wished_for_is_not_recorded() -> None:
    spec = Spec(TOY).do(Open("toy"))
    assert [type(event) for event in spec.told()] == [CombatOpened]
    spec = Spec(TOY).do(Open("toy", labels=("day", "inn", "day"), deadlines=Deadlines(turn=9)))
    assert [type(event) for event in spec.told()] == [CombatOpened, DeadlinesSet, LabelsSet]
    assert spec.combat.labels == ("day", "inn")  # each once
    assert spec.combat.deadlines == Deadlines(turn=9)
    assert spec.do(SetLabels(("inn", "inn"))).combat.labels == ("inn",)


def test_what_is_wrong_at_the_opening_is_pointed_at() -> None:
    def check(options: ToyOptions) -> Iterator[Malformed]:
        if options.doom and options.speak:
            yield Malformed("/doom", "no doom where people speak")

    rulebook = replace(TOY, check_options=check)
    for command, where in (
        (Open("toy", options={"luck": 1}), "/options/luck"),
        (Open("toy", options={"doom": True, "speak": True}), "/options/doom"),
        (Open("toy", map={"width": -1}), "/map/width"),
        (Open("toy", combatants=(Joining(ANN), Joining({**BOB, "hp": "9"}))),
         "/combatants/1/sheet/hp"),
    ):  # fmt: skip
        assert pointer(Spec(rulebook), command) == where
    Spec(rulebook).do(Open("toy", options={"doom": True}))


def test_a_map_is_one_of_the_rulebook_or_none() -> None:
    spec = fight().do(SetMap({"width": 9}))
    assert spec.event(MapSet).map == spec.combat.map == {"width": 9}
    assert pointer(spec, SetMap({"fog": True})) == "/map/fog"
    assert spec.do(SetMap(None)).combat.map is None


# ---- joining and leaving


def arriving(combat: Combat, who: Id) -> Step | None:
    return None if who == "dan" else Step("hail", {"who": who})


def hail(play: Play, who: Id) -> Procedure[None]:
    yield Noted(f"{who} is hailed")


def test_who_joins_a_running_fight_does_at_once_what_the_rules_say() -> None:
    rulebook = replace(TOY, entry=arriving, procedures={**TOY.procedures, "hail": hail})
    spec = fight(rulebook).join(name="eve", side="foes")
    assert spec.events(Noted) == []  # the fight has not begun
    assert spec.begin().events(Noted) == []
    assert spec.join(name="fay", side="foes").event(Noted).text == "fay is hailed"
    assert spec.join(name="dan", side="heroes").events(Noted) == []


def test_who_is_unknown_neither_leaves_nor_changes() -> None:
    spec = fight()
    for command in Leave("eve"), Change("eve", name="Eve"):
        with spec.raises(Unknown):
            spec.do(command)


def test_nobody_comes_when_it_is_over() -> None:
    spec = fight().begin().end()
    assert unfitting(spec, Join(Joining({"name": "eve", "side": "foes"}))) == "combat-ended"


# ---- changing


def test_a_name_is_one_combatants() -> None:
    spec = fight()
    assert unfitting(spec, Change("ann", name="bob")) == "name-taken"
    for name in ("ann", "Anne"):  # Ann's name, and a free name
        assert spec.do(Change("ann", name=name)).event(CombatantChanged).name == name
    assert spec["ann"].name == "Anne"


@pytest.mark.parametrize("field", ["name", "owner", "side", "at"])
def test_what_is_not_of_the_sheet_is_not_changed_with_it(field: str) -> None:
    value = [1, 1] if field == "at" else "x"
    assert pointer(fight(), Change("ann", sheet={field: value})) == f"/sheet/{field}"


def test_a_changed_sheet_is_one_that_the_rules_take() -> None:
    """The rules check a changed sheet together with its unchanged owner and side."""

    def check(sheet: ToySheet) -> Iterator[Malformed]:
        if sheet.side == "foes" and sheet.owner is not None:
            yield Malformed("/owner", "foes are the GM's")

    spec = Spec(replace(TOY, check_sheet=check)).given({**ANN, "owner": "anna"}, BOB)
    for change in (
        Change("ann", side="foes"),
        Change("bob", owner="bill"),
        Change("ann", owner="bill", side="foes"),
    ):
        assert pointer(spec, change) == "/sheet/owner"
    spec.do(Change("bob", side="heroes", owner="bill"))
    assert (spec["bob"].side, spec["bob"].owner) == ("heroes", "bill")
    assert pointer(spec, Change("ann", sheet={"hp": "9"})) == "/sheet/hp"


class Levelled(ToySheet, frozen=True, forbid_unknown_fields=True, kw_only=True):
    level: int
    most: int = 10


def no_more(sheet: Levelled) -> Iterator[Malformed]:
    if sheet.hp > sheet.most:
        yield Malformed("/hp", f"{sheet.most} at most")


def test_the_points_that_somebody_came_with_do_not_bind_what_the_sheet_becomes() -> None:
    """A changed sheet need not fit the points that the combatant had when it joined."""
    rulebook = replace(
        TOY,
        sheet=Levelled,
        check_sheet=no_more,
        tracks=lambda sheet: {"hp": Track(sheet.hp, sheet.hp)},
        settled=lambda combat, who: {"level": "it has risen to it"},
        consequences=lambda combat, cause, before: iter(()),
    )
    spec = Spec(rulebook).given({**ANN, "level": 3, "hp": 12, "most": 12}, {**BOB, "level": 3})
    assert spec.do(Change("ann", sheet={"most": 11})).event(CombatantChanged).sheet == {"most": 11}
    assert pointer(spec, Change("ann", sheet={"hp": 12})) == "/sheet/hp"


# ---- beginning and ending


def test_a_combat_begins_once_and_with_somebody() -> None:
    spec = Spec(TOY).given()
    assert unfitting(spec, Begin()) == "nobody-there"
    spec.join(**ANN).leave("ann")
    assert unfitting(spec, Begin()) == "nobody-there"
    spec.join(**ANN).join(**BOB).begin()
    assert spec.event(CombatBegan)
    assert unfitting(spec, Begin()) == "already-begun"
    assert unfitting(spec.end(), Begin()) == "already-begun"


def test_a_combat_ends_once() -> None:
    for spec in fight(), fight().begin():
        assert spec.do(End(("heroes",), "dawn")).events(Resumed) == []
        assert spec.combat.status == "ended"
        assert unfitting(spec, End()) == "combat-ended"


def test_before_the_fight_the_gm_alone_says_how_it_ends() -> None:
    for winners, expected in ((None, ()), (("heroes",), ("heroes",))):
        spec = fight().do(End(winners, "dawn"))
        assert (spec.event(CombatEnded).winners, spec.event(CombatEnded).reason) == (
            expected,
            "dawn",
        )


def test_what_had_come_to_a_stop_is_ended_all_the_same() -> None:
    spec = fight().begin().act("ann", "loop").answer(None, "abandon")
    assert spec.combat.stalled is not None
    spec.end()
    assert spec.event(Resumed)
    assert spec.combat.status == "ended"
    assert spec.combat.stalled is None


def test_what_waits_is_ended_and_not_looked_at_again() -> None:
    """A combat can end even if the rules of the waiting procedure have changed."""

    def other(play: Play, who: Id) -> Procedure[None]:
        yield Noted("something else")
        yield from turn(play, who)

    spec = fight().begin()
    rulebook = replace(TOY, procedures={**TOY.procedures, "turn": other})
    spec.live = Session(rulebook, spec.live.history.recorded)
    spec.do(End())
    assert spec.events(ProcedureAbandoned) == []
    assert isinstance(spec.told()[0], ProcedureEnded)
    assert spec.combat.status == "ended"


def test_an_end_that_waits_for_the_gm_may_be_ended_again() -> None:
    def slowly(play: Play) -> Procedure[None]:
        yield from ask(Prompt("ruling", "sure", None, "Sure?", choices("yes"), (), "yes"))
        yield CombatEnded(("heroes",))

    spec = fight(replace(TOY, procedures={**TOY.procedures, "ending": slowly})).begin().end()
    assert spec.open() == [("ruling", "sure", None)]
    (before,) = spec.live.open_prompts()
    spec.end()
    assert before not in spec.combat.prompts
    assert spec.open() == [("ruling", "sure", None)]
    assert spec.answer(None, "yes").combat.status == "ended"
