"""Test the checker by hand, and against all orders of small histories."""

import ast
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from random import Random
from time import process_time

import pytest

from tests.histories.__main__ import main
from tests.histories.checker import check, is_linearizable
from tests.histories.history import Operation, Recorder, line, stored

OPEN = Operation("", "fight", "open", outcome="read", version=2, ended=0.0)


def append(
    began: float, ended: float | None, text: str, version: int | None = None, **more: object
) -> Operation:
    """Return an append. If `ended` is `None`, it has no answer. `more` sets other fields."""
    made = Operation("w", "fight", "append", began, ended, text, version=version)
    made = made if ended is None else replace(made, outcome="stored")
    return replace(made, **more)  # type: ignore[arg-type]


def read(
    began: float, ended: float, version: int, texts: str | None = None, at: int | None = None
) -> Operation:
    """Return a read. Each letter of `texts` is a text."""
    contents = None if texts is None else tuple(texts)
    return Operation(
        "r", "fight", "read", began, ended, at=at, outcome="read", version=version, texts=contents
    )


GOOD: dict[str, list[Operation]] = {
    "nothing": [],
    "one after the other": [append(1, 2, "a", 3), append(3, 4, "b", 4), read(5, 6, 4, "ab")],
    "at once, in the order of their versions": [append(1, 9, "a", 4), append(2, 8, "b", 3)],
    "a read beside an append sees it": [append(1, 9, "a", 3), read(2, 3, 3, "a")],
    "a read beside an append does not see it": [append(1, 9, "a", 3), read(2, 3, 2, "")],
    "a lost answer whose text is there": [append(1, None, "a"), append(2, 3, "b", 4)],
    "a lost answer whose text is not there": [append(1, None, "a"), append(2, 3, "b", 3)],
    "a lost answer that takes effect late": [
        append(1, None, "a"), read(2, 3, 2, ""), append(4, 5, "b", 3), read(6, 7, 4, "ba"),
    ],
    "two lost answers, one stored": [
        append(1, None, "a"), append(1, None, "b"), read(2, 3, 3), read(4, 5, 3, "b"),
    ],
    "an append that was refused as stale": [
        append(1, 2, "a", 3), append(3, 4, "b", outcome="stale", expected=2), read(5, 6, 3, "a"),
    ],
    "an append with the right version": [append(1, 2, "a", 3, expected=2), read(3, 4, 3, "a")],
    "nothing of a denied append": [append(1, 2, "a", outcome="denied"), read(3, 4, 2, "")],
    "a read of an earlier version": [
        append(1, 2, "a", 3), append(3, 4, "b", 4), read(5, 6, 3, "a", at=3),
    ],
}  # fmt: skip

BAD: dict[str, tuple[list[Operation], int]] = {
    "a stale read": ([append(1, 2, "a", 3), append(3, 4, "b", 4), read(5, 6, 3)], 2),
    "two reads, of which the second is older": (
        [append(1, 9, "a", 3), read(2, 3, 3), read(4, 5, 2), append(1, None, "b")], 2,
    ),
    "a lost append": ([append(1, 2, "a", 3), append(3, 4, "b", 4), read(5, 6, 3, "b")], 2),
    "a doubled append": ([append(1, 2, "a", 3), read(3, 4, 4, "aa")], 1),
    "a doubled append by the version alone": ([append(1, 2, "a", 3), read(3, 4, 4)], 1),
    "a text that nobody has written": ([append(1, 2, "a", 3), read(3, 4, 4, "ax")], 1),
    "a text before it was written": ([read(1, 2, 3, "a"), append(3, 4, "a", 3)], 1),
    "another order than that of time": ([append(1, 2, "a", 4), append(3, 4, "b", 3)], 1),
    "another order than that of the versions": (
        [append(1, 9, "a", 3), append(1, 9, "b", 4), read(10, 11, 4, "ba")], 2,
    ),
    "one version twice": ([append(1, 2, "a", 3), append(3, 4, "b", 3)], 2),
    "a gap": ([append(1, 2, "a", 4)], 1),
    "stored, though denied": ([append(1, 2, "a", outcome="denied"), read(3, 4, 3, "a")], 2),
    "stored, though stale": (
        [append(1, 2, "a", outcome="stale", expected=7), read(3, 4, 3, "a")], 1,
    ),
    "stale, though expected": ([append(1, 2, "a", outcome="stale", expected=2)], 1),
    "stored, though another version was expected": ([append(1, 2, "a", 3, expected=1)], 1),
    "an earlier version that changes": (
        [append(1, 2, "a", 3), append(3, 4, "b", 4), read(5, 6, 3, "b", at=3)], 2,
    ),
    "two reads that see two orders": (
        [append(1, None, "a"), append(1, None, "b"), read(2, 3, 4, "ab"), read(2, 3, 4, "ba")], 2,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", GOOD)
def test_what_one_order_explains_is_linearizable(name: str) -> None:
    assert check([OPEN, *GOOD[name]]) == []


@pytest.mark.parametrize("name", BAD)
def test_what_no_order_explains_is_named_with_its_shortest_part(name: str) -> None:
    history, size = BAD[name]
    (violation,) = check([OPEN, *history])
    assert len(violation.operations) == size, str(violation)
    assert set(violation.operations) <= set(history)


def test_combats_are_checked_one_by_one() -> None:
    bad = [replace(operation, combat="other") for operation in (OPEN, *BAD["a stale read"][0])]
    (violation,) = check([OPEN, *GOOD["one after the other"], *bad])
    assert violation.combat == "other"


def explained(order: Sequence[Operation]) -> bool:
    """Return true if this order explains all answers, by the definition and without any search."""
    version, texts = 2, ""
    for event in order:
        if event.outcome in ("stored", "unknown"):
            if event.expected not in (None, version):
                return False
            version, texts = version + 1, texts + event.text
            if event.version not in (None, version):
                return False
        elif event.outcome == "stale":
            if event.expected == version:
                return False
        elif event.outcome == "read":
            upto = version if event.at is None else event.at
            if upto > version or event.version != upto:
                return False
            if event.texts is not None and "".join(event.texts) != texts[: upto - 2]:
                return False
    return True


def by_brute_force(history: Sequence[Operation]) -> bool:
    """Return true if any order of the operations, with or without unanswered ones, is valid."""
    answered = [operation for operation in history if operation.ended is not None]
    for size in range(len(history) + 1):
        for order in permutations(history, size):
            if not all(operation in order for operation in answered):
                continue
            late = any(
                after.ended is not None and after.ended < operation.began
                for at, operation in enumerate(order)
                for after in order[at + 1 :]
            )
            if not late and explained(order):
                return True
    return False


def drawn(random: Random) -> list[Operation]:
    """Return a small random history, linearizable or not."""
    made: list[Operation] = []
    for text in "abcd"[: random.randint(1, 4)]:
        began = random.randint(1, 8)
        ended = began + random.randint(1, 6)
        expected = random.choice((None, None, 2, 3))
        version = random.randint(3, 5)
        made.append(
            random.choice((
                append(began, ended, text, version),
                append(began, ended, text, version, expected=expected),
                append(began, None, text, expected=expected),
                append(began, ended, text, outcome="stale", expected=random.randint(2, 4)),
                append(began, ended, text, outcome="denied"),
            ))
        )  # fmt: skip
    for _ in range(random.randint(0, 2)):
        began, version = random.randint(1, 12), random.randint(2, 4)
        texts = "".join(random.choices("abcd", k=version - 2))
        at = random.choice((None, None, version))
        made.append(read(began, began + 2, version, random.choice((None, texts)), at))
    return made


def test_the_checker_agrees_with_all_orders_of_small_histories() -> None:
    random = Random(1)
    verdicts = []
    for _ in range(1000):
        history = drawn(random)
        verdict = is_linearizable([OPEN, *history])
        assert verdict is by_brute_force(history), "\n".join(map(str, history))
        verdicts.append(verdict)
    assert 100 < sum(verdicts) < 900


def test_a_long_history_with_lost_answers_needs_little_time() -> None:
    random = Random(2)
    texts: list[str] = []
    history = [OPEN]
    for number in range(4000):
        text = f"{number}"
        if random.random() < 0.03:  # the answer and half of the texts are lost
            history.append(append(number, None, text))
            if random.random() < 0.5:
                continue
            texts.append(text)
        else:
            texts.append(text)
            began = number - random.random() * 5
            history.append(append(began, number + random.random() * 5, text, 2 + len(texts)))
    whole = Operation(
        "r", "fight", "read", 5000, 5001, outcome="read", version=2 + len(texts), texts=(*texts,)
    )
    began = process_time()
    assert check([*history, whole]) == []
    assert process_time() - began < 30
    wrong = replace(whole, texts=(*texts[:-1], "never written"))
    (violation,) = check([*history, wrong])
    assert violation.operations == (wrong,)


def race(random: Random, appends: int) -> list[Operation]:
    """Return the history of 24 clients that race with `If-Match`, mostly in vain."""
    history, version, now = [OPEN], 2, 0.0
    texts: list[str] = []
    for number in range(appends):
        for loser in range(random.randint(0, 3)):
            began, ended = now - random.random() * 5, now + 1 + random.random() * 5
            late = append(began, ended, f"late {number} {loser}", outcome="stale", expected=version)
            history.append(late)
        if random.random() < 0.3:
            history.append(read(now, now + random.random() * 0.5, version, None))
        texts.append(f"{number}")
        lost = random.random() < 0.02
        if lost:
            history.append(append(now, None, texts[-1], expected=version))
        else:
            ended = now + 1 + random.random() * 5
            history.append(append(now, ended, texts[-1], version + 1, expected=version))
        version, now = version + 1, now + 1
    whole = replace(read(now, now + 1, version), texts=(*texts,))
    return [*history, whole]


def test_a_stale_read_of_a_long_race_is_named_soon() -> None:
    history = race(Random(3), 1200)
    assert len(history) > 2900
    assert check(history) == []
    at = max(at for at, operation in enumerate(history[:-1]) if operation.kind == "read")
    wrong = replace(history[at], version=(history[at].version or 0) - 40)
    began = process_time()
    (violation,) = check([*history[:at], wrong, *history[at + 1 :]])
    assert process_time() - began < 30
    assert wrong in violation.operations
    assert len(violation.operations) == 2


def test_a_history_is_stored_and_checked_by_a_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    times = iter(range(100))
    recorder = Recorder(lambda: float(next(times)))
    recorder.opened("fight", 2)
    recorder.append("w", "fight", "a").end("stored", 3)
    recorder.append("w", "fight", "b", expected=3)
    recorder.read("r", "fight").end("read", 3, ["a"])
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
    recorder.write(good)
    assert stored(good.read_text().splitlines()) == recorder.operations
    assert main([str(good)]) == 0
    recorder.read("r", "fight").end("read", 2, [])
    recorder.write(bad)
    assert main([str(bad)]) == 1
    said = capsys.readouterr().out
    assert "NOT linearizable" in said
    assert "client r, read, read 2, 0 texts" in said


def test_every_field_of_an_operation_is_stored() -> None:
    whole = Operation("c", "f", "read", 1.5, 2.5, "t", 0, 0, "read", 0, ())
    assert stored([line(whole)]) == [whole]


def test_the_checker_shares_no_code_with_the_service() -> None:
    for file in Path(__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            names = [name.name for name in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                assert name.split(".")[0] not in ("domain", "projections", "service"), file
