"""Kept answers: given again where the same would be read, and nowhere else."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from msgspec.structs import replace

from domain.engine import keep
from domain.engine.fixed import is_fixed
from domain.engine.keep import Kept
from domain.record.combat import Combat, Combatant, Condition, OpenPrompt, Until
from domain.rulebook.once import looking, once, once_all
from domain.rulebook.prompts import Option
from domain.rulebook.ways import standing

KEY = "key"
SHEET: Mapping[str, Any] = {"strength": 1}  # the same for as long as it is the same object


class Asked:
    """Asks a question of one state after the other, and counts how often it is answered anew."""

    def __init__(self, question: Any, most: int = 10_000) -> None:
        self.question, self.times = question, 0
        self.kept = Kept[tuple[Any, ...]](lambda made: 100, most)

    def of(self, combat: Combat, truth: Combat | None = None) -> Any:
        self.kept.at(combat, truth or combat)
        with looking():
            return self.kept.get(KEY, self._answer)[0]

    def _answer(self, combat: Combat, truth: Combat) -> tuple[Any, ...]:
        self.times += 1
        return (self.question(combat, truth),)


def two(**of_ann: Any) -> Combat:
    ann = Combatant("ann", "Ann", "heroes", sheet=SHEET, **of_ann)
    return Combat(combatants={"ann": ann, "bob": Combatant("bob", "Bob", "foes", sheet=SHEET)})


def counted(question: Any, *states: Combat) -> int:
    """How often a question is answered anew; every answer is the one that a plain state gives."""
    asked = Asked(lambda combat, truth: question(combat))
    for combat in states:
        assert asked.of(combat) == question(combat)
    return asked.times


def held(id: str, round: int, **data: Any) -> Condition:
    return Condition(id, id, data, (Until("round-end", None, round),))


def test_an_answer_comes_again_where_the_same_is_read() -> None:
    def left(combat: Combat) -> int:
        return combat["ann"].budget.get("move", 0)

    full, spent = two(budget={"move": 1}), two(budget={"move": 0})
    hurt = replace(full, combatants={**full.combatants, "bob": Combatant("bob", "Bob", "us")})
    assert counted(left, full, spent, full, spent, hurt, replace(full, round=3)) == 2


def test_whoever_is_not_there_is_told_from_who_is() -> None:
    def there(combat: Combat) -> bool:
        return "bob" in combat.combatants

    alone = Combat(combatants={"ann": two()["ann"]})
    assert counted(there, two(), alone, two(), alone) == 2


def test_one_is_not_true() -> None:
    def known(combat: Combat) -> Any:
        return str(combat["ann"].facts.get("known"))

    assert counted(known, two(facts={"known": 1}), two(facts={"known": True})) == 2
    assert counted(known, two(facts={"known": 1}), two(facts={"known": 1.0})) == 2
    assert counted(known, two(facts={"known": None}), two(facts={})) == 2


def test_of_conditions_only_what_is_read_of_them_counts() -> None:
    def flags(combat: Combat) -> list[Any]:
        return [one.data.get("flag") for one in combat["ann"].conditions]

    def prone(combat: Combat) -> bool:
        return combat["ann"].has("prone", "down")

    def values(combat: Combat) -> int:
        return sum(one.data["value"] for one in combat["ann"].all("boost"))

    def until(combat: Combat) -> list[Any]:
        return [one.until[0].round for one in combat["ann"].all("boost")]

    early, late = (two(conditions=(held("boost", round, value=1),)) for round in (1, 2))
    more = two(conditions=(held("boost", 2, value=1), held("boost", 2, value=1)))
    flagged = two(conditions=(held("boost", 1, value=2, flag=True),))
    down = two(conditions=(held("down", 1),))
    assert counted(flags, two(), early, late, flagged, late) == 3
    assert counted(prone, two(), early, down, late, down) == 2
    assert counted(values, two(), early, late, more, flagged, down) == 4
    assert counted(until, early, late, early) == 2


def test_questions_are_read_by_their_fields() -> None:
    def asked(id: str, kind: str) -> Combat:
        prompt = OpenPrompt(id, 1, kind, kind, "ann", "", (), None, {}, (), ())
        return replace(two(), prompts={id: prompt})

    def on_turn(combat: Combat) -> bool:
        return any(one.who == "ann" and one.kind == "turn" for one in combat.prompts.values())

    def how_many(combat: Combat) -> int:
        return len(combat.prompts)

    def which(combat: Combat) -> tuple[str, ...]:
        return tuple(combat.prompts)

    states = two(), asked("a:1", "turn"), asked("a:2", "turn"), asked("a:3", "roll")
    assert counted(on_turn, *states) == 3
    assert counted(how_many, *states) == 2
    assert counted(which, *states) == 4


def test_a_combat_with_somebody_elsewhere_is_read_as_the_real_one() -> None:
    def apart(combat: Combat) -> Any:
        there = standing(combat, "ann", (9, 0, 0))
        return [one.position for one in there], there.round

    moved = two(position=(1, 0, 0))
    assert counted(apart, two(), moved, replace(moved, round=1)) == 3


@once
def _name(one: Combatant) -> str:
    return one.name


@once_all
def _sides(combat: Combat) -> Any:
    yield from (one.side for one in combat)


def test_what_is_found_once_counts_for_everybody_who_asks() -> None:
    """The second question finds what the first one found, and hangs on it as well."""
    made: list[str] = []

    @once
    def round_of(combat: Combat, more: int) -> int:
        made.append("round")
        return combat.round + more

    kept = Kept[tuple[Any, ...]](lambda found: 100, 10_000)
    questions: Mapping[str, Any] = {
        "first": lambda combat, truth: (round_of(combat, 1), _name(combat["ann"])),
        "second": lambda combat, truth: (round_of(combat, 1), tuple(_sides(combat))),
    }
    for round in (1, 2, 2):
        combat = replace(two(), round=round)
        kept.at(combat, combat)
        with looking():
            assert kept.get("first", questions["first"]) == (round + 1, "Ann")
            assert kept.get("second", questions["second"]) == (round + 1, ("heroes", "foes"))
    assert len(made) == 2


def test_what_hangs_on_the_truth_is_not_kept() -> None:
    asked = Asked(lambda combat, truth: (combat.round, truth.phase))
    known = two()
    assert asked.of(known, replace(known, phase="one")) == (0, "one")
    assert asked.of(known, replace(known, phase="two")) == (0, "two")


def test_what_does_more_than_read_is_not_kept() -> None:
    asked = Asked(lambda combat, truth: replace(combat, round=combat.round + 1).round)
    assert [asked.of(replace(two(), round=round)) for round in (1, 1)] == [2, 2]


def test_answers_are_kept_together_as_long_as_each_of_them_is() -> None:
    kept = Kept[Any](lambda found: 100, 10_000)
    questions: Mapping[str, Any] = {
        "round": lambda combat, truth: ("round", combat.round),
        "move": lambda combat, truth: ("move", combat["ann"].budget.get("move")),
        "phase": lambda combat, truth: ("phase", truth.phase),
    }
    made: list[str] = []

    def together(*names: str, anew: bool = False) -> Any:
        made.append("+".join(names))
        found = [kept.get(name, questions[name]) for name in names]
        return [*found, kept.anew(questions["round"])] if anew else found

    def of(round: int, move: int, *names: str, **more: bool) -> Any:
        combat = replace(two(budget={"move": move}), round=round)
        kept.at(combat, replace(combat, phase=f"phase {round}"))
        return kept.together((names, *more), partial(together, *names, **more))

    for round, move in ((1, 1), (1, 0), (1, 1), (2, 1), (1, 1), (1, 0), (2, 0), (1, 0)):
        assert of(round, move, "round", "move") == [("round", round), ("move", move)]
    assert len(made) == 4
    for round in (1, 1, 2):
        assert of(round, 1, "phase", "move") == [("phase", f"phase {round}"), ("move", 1)]
        assert of(round, 1, "round", anew=True) == [("round", round)] * 2
    assert len(made) == 10


def test_what_is_kept_is_bounded() -> None:
    asked = Asked(lambda combat, truth: combat.round, most=250)
    for round in range(20):
        assert asked.of(replace(two(), round=round)) == round
        assert asked.kept.weight <= 300
    assert asked.times == 20
    shapes = Asked(lambda combat, truth: [combat[f"{n}"].id for n in range(combat.round + 1)])
    for round in range(keep.SHAPES + 3):
        everybody = {f"{n}": Combatant(f"{n}", "", "") for n in range(20)}
        shapes.of(Combat(round=round, combatants=everybody))
    assert len(shapes.kept._known[KEY]) == keep.SHAPES


def test_what_fills_it_to_the_brim_is_still_kept_and_what_is_above_is_not() -> None:
    """Until the next state, with which it begins anew."""
    made: list[str] = []
    kept = Kept[str](lambda found: 100, 100)

    def answer(key: str, combat: Combat, truth: Combat) -> str:
        made.append(key)
        return key

    def asked(*keys: str) -> list[str]:
        made.clear()
        for key in keys:
            kept.get(key, partial(answer, key))
        return list(made)

    kept.at(two(), two())
    assert asked("one", "one") == ["one"]
    kept.at(two(), two())
    assert asked("one", "two", "two", "three", "three") == ["two", "three", "three"]
    kept.at(two(), two())
    assert asked("one", "one") == ["one"]


def test_a_function_that_holds_something_is_not_fixed() -> None:
    combat = two()

    def holds() -> Any:
        return lambda play, who: [combat]

    def names(word: str) -> Any:
        return lambda play, who, more=(1, 2): word

    assert is_fixed(counted)
    assert is_fixed(names("ann"))
    assert is_fixed(Option("one", candidates=names("ann")))
    assert not is_fixed(holds())
    assert not is_fixed((names("ann"), holds()))
    assert not is_fixed(Option("one", candidates=holds()))
    assert not is_fixed(partial(counted, combat))
    assert not is_fixed(lambda play, who, held=combat: held)
    assert not is_fixed(names({"a": 1}))  # type: ignore[arg-type]
