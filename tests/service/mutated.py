"""Mutated exports: one value of one event is another one, and every hash fits."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from domain.record.recorded import Recorded, chain_hash, encode

CORPUS = Path(__file__).parent.parent / "corpus"

VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 10**9, 2**53 - 1, 1.5, "", "nobody", "hp", [], {}, [0], {"a": 1}, "1d6",
    [None], "😀", ["Ana"], {"hp": {"value": 1, "maximum": 1}},
)  # fmt: skip


def files(which: str = "1") -> dict[str, bytes]:
    """Exports of each rulebook by name: the first one, or all of them (`*`)."""
    return {path.stem: path.read_bytes() for path in sorted(CORPUS.glob(f"*/*-{which}.jsonl"))}


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every value inside, as its holder and its key."""
    keys: Any = list(value) if isinstance(value, dict) else range(len(value))
    for key in keys:
        yield value, key
        if isinstance(value[key], dict | list):
            yield from places(value[key])


def mutated(file: bytes, random: Random, most: int) -> bytes | None:
    """The first events of a file, at most `most`, with one mutation; None when it is no event."""
    header, *lines = [msgspec.json.decode(line) for line in file.splitlines()]
    lines = lines[: random.randint(2, min(most, len(lines)))]
    recorded = random.choice(lines)["event"]
    within = [place for place in places(recorded["event"]) if place[1] != "type"]
    beside = [(recorded, name) for name in recorded if name not in ("event", "previous")]
    holder, key = random.choice(within if within and random.random() < 0.85 else beside)
    how = random.random()
    if how < 0.15 and isinstance(holder, dict):
        del holder[key]
    elif how < 0.25 and isinstance(holder, list):
        holder.append(holder[key])
    elif how < 0.4:
        other = random.choice(lines)["event"]["event"]
        source, name = random.choice(list(places(other)))
        holder[key] = msgspec.json.decode(msgspec.json.encode(source[name]))
    else:
        holder[key] = random.choice(VALUES)
    return sealed(header, lines)


def sealed(header: Any, lines: list[Any]) -> bytes | None:
    """The file of these lines; None when they are no events."""
    previous = ""
    written: list[bytes] = []
    for line in lines:
        recorded = line["event"]
        recorded.pop("previous", None)
        if previous:
            recorded["previous"] = previous
        try:
            one = msgspec.convert(recorded, Recorded)
        except msgspec.ValidationError:
            return None
        state = encode(one)
        previous = chain_hash(one, state)
        content = {"topic": line["topic"], "event": msgspec.Raw(state), "hash": previous}
        written.append(msgspec.json.encode(content))
    head = msgspec.json.encode({**header, "events": len(lines), "last": previous})
    return b"".join(part + b"\n" for part in (head, *written))
