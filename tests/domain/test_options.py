"""Test the inputs that options offer, and the reasons why an option is illegal."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace as structs_replace

from domain.engine.options import EXAMPLES, NOTHING_FITS, reach
from domain.engine.refusals import refusals
from domain.errors import Illegal, Unknown
from domain.record.combat import Combat, Combatant, Square
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option
from domain.rulebook.reachability import MOST, Ways
from tests.domain.toy import TOY
from tests.spec import offer


class At(Struct, frozen=True, forbid_unknown_fields=True):
    target: str
    force: int = 1


class Steps(Struct, frozen=True, forbid_unknown_fields=True):
    path: tuple[tuple[int, ...], ...] = ()


def play(*ids: str) -> Play:
    return Play(TOY, Combat(combatants={id: Combatant(id, id, "heroes") for id in ids}))


def too_strong(play: Play, who: str, inputs: At) -> Iterator[Illegal]:
    if inputs.force > 600:
        yield Illegal("TOY-01", "too-strong", "nobody is so strong")


def forces(*values: int) -> Option:
    return Option(
        "push", At, too_strong, lambda play, who: [{"target": "bob", "force": f} for f in values]
    )


# ---- the list of options


def test_as_many_examples_as_help_and_every_value_that_is_legal() -> None:
    offered = offer(play("ann", "bob"), "ann", forces(*range(1, 101)), "ann:1", "turn")
    assert len(offered.legal) == 24
    assert offered.values == {"target": ("bob",), "force": tuple(range(1, 101))}
    assert offered.refusals == ()


def test_what_shows_nothing_new_is_not_tried_any_more() -> None:
    met = []

    def counted(play: Play, who: str, inputs: At) -> Iterator[Illegal]:
        met.append(inputs.force)
        return iter(())

    option = replace(forces(*range(EXAMPLES), *[0] * 50, 99), refusals=counted)
    offered = offer(play("ann", "bob"), "ann", option, None, "turn")
    assert met == [*range(EXAMPLES), 99]
    assert 99 in offered.values["force"]
    assert {"target": "bob", "force": 99} not in offered.legal


def test_not_more_is_tried_than_a_client_can_wait_for() -> None:
    offered = offer(play("ann", "bob"), "ann", forces(*range(450)), None, "turn")
    assert len(offered.values["force"]) == 400


def test_reasons_are_told_once_and_only_when_nothing_is_legal() -> None:
    none = offer(play("ann", "bob"), "ann", forces(700, 701, 702), None, "turn")
    assert [(refusal.rule, refusal.code) for refusal in none.refusals] == [("TOY-01", "too-strong")]
    assert none.legal == ()
    some = offer(play("ann", "bob"), "ann", forces(700, 1), None, "turn")
    assert (some.legal, some.refusals) == (({"target": "bob", "force": 1},), ())


# ---- without candidates


def test_where_nothing_can_be_proposed_the_reason_is_what_hangs_on_no_input() -> None:
    def asleep(play: Play, who: str, inputs: Steps) -> Iterator[Illegal]:
        yield Illegal("TOY-02", "asleep", f"{who} sleeps")

    walk = Option("walk", Steps, asleep, lambda play, who: ())
    assert [refusal.code for refusal in offer(play("ann"), "ann", walk, None, "turn").refusals] == [
        "asleep"
    ]


@pytest.mark.parametrize("inputs", [At, Steps])
def test_or_that_there_is_nothing_to_do_it_with(inputs: type[Struct]) -> None:
    nothing = Option("push", inputs, candidates=lambda play, who: ())  # At requires a target
    assert offer(play("ann"), "ann", nothing, None, "turn").refusals == (NOTHING_FITS,)


def test_the_gm_thinks_of_inputs_without_a_reason_against_it() -> None:
    nothing = Option("ruling", Steps, candidates=lambda play, who: ())
    offered = offer(play("ann"), "", nothing, None, "ruling")
    assert (offered.legal, offered.refusals, offered.values) == ((), (), {})


# ---- names that the reader does not know


def of_all(play: Play, who: str, inputs: At) -> Iterator[Illegal]:
    """Refuse while another combatant is present."""
    for other in ("bob", "imp"):
        if play.combat[other].id != inputs.target:
            detail = f"{other} is in the way"
            yield Illegal("TOY-03", "in-the-way", detail, (other, f"{other}:1", "ann"))


def test_what_meets_a_hidden_one_is_judged_in_truth_and_told_without_the_name() -> None:
    known, truth = play("ann", "bob"), play("ann", "bob", "imp")
    told = list(refusals(known, "ann", Option("push", At, of_all), At("ann"), truth))
    assert [refusal.detail for refusal in told[-2:]] == [
        "bob is in the way",
        "somebody is in the way",
    ]
    assert [refusal.allowed for refusal in told[-2:]] == [("bob", "bob:1", "ann"), ("ann",)]


def test_a_name_that_the_asker_gave_is_unknown_to_it() -> None:
    known, truth = play("ann", "bob"), play("ann", "bob", "imp")

    def looks(play: Play, who: str, inputs: At) -> Iterator[Illegal]:
        play.combat[inputs.target]
        return iter(())

    def reads(play: Play, who: str, inputs: At) -> Iterator[Illegal]:
        play.combat.combatants[inputs.target]
        return iter(())

    for by in (looks, reads):
        with pytest.raises(Unknown) as caught:
            list(refusals(known, "ann", Option("push", At, by), At("imp"), truth))
        assert caught.value.name == "imp"
        assert "imp" not in caught.value.known


def test_of_a_hidden_one_neither_id_nor_name_is_told() -> None:
    def named(play: Play, who: str, inputs: At) -> Iterator[Illegal]:
        combatant = play.combat.combatants["imp"]
        yield Illegal(
            "TOY-01", "in-the-way", f"{combatant.name} ({combatant.id}) is there", (combatant.name,)
        )

    lord = Combatant("imp", "Dark Imp", "heroes")
    known, truth = play("ann"), play("ann")
    truth.combat = Combat(combatants={**known.combat.combatants, "imp": lord})
    (told,) = refusals(known, "ann", Option("push", At, named), At("ann"), truth)
    assert (told.detail, told.allowed) == ("somebody (somebody) is there", ())


def test_what_is_missing_in_truth_too_is_a_fault() -> None:
    def broken(play: Play, who: str, inputs: At) -> Iterator[Illegal]:
        yield play.combat.facts["sheet"]

    with pytest.raises(KeyError):
        list(
            refusals(play("ann"), "ann", Option("push", At, broken), At("ann"), play("ann", "imp"))
        )


def test_candidates_that_name_a_hidden_one_are_not_proposed() -> None:
    def everybody(play: Play, who: str) -> list[Mapping[str, Any]]:
        return [{"target": play.combat[id].id} for id in ("ann", "bob", "imp")]

    option = Option("push", At, candidates=everybody)
    offered = offer(play("ann", "bob"), "ann", option, None, "turn", play("ann", "bob", "imp"))
    assert [inputs["target"] for inputs in offered.legal] == ["ann", "bob"]


def test_a_list_that_names_a_hidden_one_among_others_is_not_proposed() -> None:
    class Many(Struct, frozen=True):
        targets: tuple[str, ...]

    def groups(play: Play, who: str) -> list[Mapping[str, Any]]:
        return [{"targets": ["ann", play.combat[id].id]} for id in ("bob", "imp")]

    known, truth = play("ann", "bob"), play("ann", "bob", "imp")
    offered = offer(known, "ann", Option("push", Many, candidates=groups), None, "turn", truth)
    assert offered.legal == ({"targets": ["ann", "bob"]},)


def test_what_the_asker_may_not_know_of_is_not_judged_by_it() -> None:
    """The second check takes hidden combatants from the true state, but not its facts."""

    def by_secrets(play: Play, who: str, inputs: At) -> Iterator[Illegal]:
        yield Illegal("TOY-05", "so", play.combat.facts["secret"])

    truth = Play(TOY, structs_replace(play("ann", "imp").combat, facts={"secret": "so"}))
    with pytest.raises(KeyError):
        list(refusals(play("ann"), "ann", Option("push", At, by_secrets), At("ann"), truth))


def test_one_reason_is_enough_where_not_every_one_is_asked_for() -> None:
    def twice(play: Play, who: str, inputs: At) -> Iterator[Illegal]:
        yield Illegal("TOY-01", "one", "first")
        yield Illegal("TOY-01", "two", "then")

    option = replace(forces(1), refusals=twice)
    all_of_them = offer(play("ann", "bob"), "ann", option, None, "turn")
    assert [refusal.code for refusal in all_of_them.refusals] == ["one", "two"]
    first = offer(play("ann", "bob"), "ann", option, None, "turn", every=False)
    assert [refusal.code for refusal in first.refusals] == ["one"]


@pytest.mark.parametrize("kind", ["ruling", "turn"])
def test_what_the_form_does_not_take_is_not_proposed(kind: str) -> None:
    class Hurt(Struct, frozen=True, forbid_unknown_fields=True):
        combatant: str

    raws = [{"target": "bob"}, {"who": "bob"}, {"combatant": "bob"}]
    option = Option("hurt", Hurt, candidates=lambda play, who: raws)
    assert offer(play("bob"), "", option, None, kind).legal == ({"combatant": "bob"},)


# ---- reachable squares


def step(at: Square, to: Square) -> float | None:
    """Return the cost of a step to the east, or `None` for any other step, which is illegal."""
    return 5.0 if to[1] == to[2] == 0 and to[0] > at[0] else None


def no_third(play: Play, who: str, inputs: Steps) -> Iterator[Illegal]:
    if inputs.path[-1] == (3, 0, 0):
        yield Illegal("TOY-04", "path-blocked", "not there")


def test_squares_that_can_be_reached_their_cost_and_whom_the_way_provokes() -> None:
    how = Ways((0, 0, 0), 20, "ft", step, lambda at, to: ("bob",) if at[0] in (1, 3) else ())
    option = Option("walk", Steps, no_third, ways=lambda play, who: how)
    route = reach(play("ann", "bob"), "ann", option, play("ann", "bob"))
    assert route is not None
    assert [(reached.path[-1][0], reached.cost, reached.provokes) for reached in route.squares] == [
        (1, 5.0, {}),
        (2, 10.0, {"bob": (1, 0, 0)}),
        (4, 20.0, {"bob": (1, 0, 0)}),  # listed once for two steps
    ]
    assert not route.more


def test_a_step_is_asked_once_whom_it_provokes() -> None:
    asked = []

    def provokes(at: Square, to: Square) -> tuple[str, ...]:
        asked.append((at, to))
        return ()

    how = Ways((0, 0, 0), 20, "ft", step, provokes)
    option = Option("walk", Steps, ways=lambda play, who: how)
    reach(play("ann"), "ann", option, play("ann"))
    assert len(asked) == len(set(asked)) == 4


@pytest.mark.parametrize(("limit", "more"), [(5 * (MOST - 2), False), (5 * MOST, True)])
def test_a_wide_field_is_not_looked_at_to_its_end(limit: float, more: bool) -> None:
    option = Option("walk", Steps, ways=lambda play, who: Ways((0, 0, 0), limit, "ft", step))
    reached = reach(play("ann"), "ann", option, play("ann"))
    assert reached is not None
    assert reached.more is more


def test_what_moves_nobody_leads_nowhere() -> None:
    assert reach(play("ann"), "ann", Option("talk"), play("ann")) is None
    assert (
        reach(play("ann"), "ann", Option("walk", Steps, ways=lambda *_: None), play("ann")) is None
    )
