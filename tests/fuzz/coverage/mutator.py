"""Mutations of export files with correct versions, parents and hashes, and their seeds.

Random bytes break the hash chain at once. Most mutations here change the content and then compute
the chain again, so that they reach the code behind the reader.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec

from domain.record.recorded import TOPICS, chain_hash, decode, encode
from tests.fuzz.test_bodies import cut, flipped, stuffed
from tests.service.mutated import VALUES, Line, fight, kind_of, places, replace_value

CORPUS: Final = Path(__file__).parent.parent.parent / "corpus"
LENGTHS: Final = (2, 4, 8, 16)
"""Numbers of events in the seeds that are cut from each stored fight."""

COMBAT: Final = "00000000-0000-4000-8000-00000000000a"


def seeds() -> Iterator[tuple[str, bytes]]:
    """Return short files of each rulebook, and one stored event of each kind, by name."""
    kinds: set[tuple[str, str]] = set()
    for path in sorted(CORPUS.glob("*/*-[12].jsonl")):
        header, *lines = _lines(path.read_bytes())
        if header["ruleset"] == "toy":
            continue
        header["combat"] = lines[0]["event"]["event"]["combat"] = COMBAT
        for length in LENGTHS if path.stem.endswith("-1") else ():
            yield f"{path.stem}-{length}", sealed(header, lines[:length])
        for line in lines:
            if (line["topic"], kind_of(line)) not in kinds:
                kinds.add((line["topic"], kind_of(line)))
                name, _, version = line["topic"].partition(":")
                for older in range(1, int(version)):
                    state = msgspec.json.encode(line["event"])
                    yield f"older-{len(kinds)}", f"{name}:{older}\n".encode() + state
                state = msgspec.json.encode(line["event"])
                yield f"event-{len(kinds)}", line["topic"].encode() + b"\n" + state
    for ruleset in ("definitions", "free-hit", "hallowed-earth", "sovereign", "vile-darkness"):
        for seed in (1, 2):
            header, *lines = _lines(fight(ruleset, seed, 6))
            header["combat"] = lines[0]["event"]["event"]["combat"] = COMBAT
            yield f"{ruleset}-walk-{seed}", sealed(header, lines)


def _lines(file: bytes) -> list[Any]:
    return [msgspec.json.decode(line) for line in file.splitlines()]


def sealed(header: Any, lines: list[Line], *, numbered: bool = True) -> bytes:
    """Return the file of these lines with correct hashes.

    If `numbered`, also correct versions and parents.
    """
    if numbered:
        _number(lines)
    previous = ""
    written: list[bytes] = []
    for line in lines:
        stored = line["event"]
        if isinstance(stored, dict):
            stored.pop("previous", None)
            if previous:
                stored["previous"] = previous
        state = msgspec.json.encode(stored)
        try:
            event = decode(state, str(line["topic"]))
            state = encode(event)
            previous = chain_hash(event, state)
        except Exception:  # the reader must refuse it
            previous = hashlib.sha256(state).hexdigest()
        content = {"topic": line["topic"], "event": msgspec.Raw(state), "hash": previous}
        written.append(msgspec.json.encode(content))
    head = msgspec.json.encode({**header, "events": len(lines), "last": previous})
    return b"".join(part + b"\n" for part in (head, *written))


def _number(lines: list[Line]) -> None:
    """Number versions and parents, and use the new numbers in references."""
    present, new = 0, {0: 0}
    for version, line in enumerate(lines, 1):
        stored = line["event"]
        if not isinstance(stored, dict) or not isinstance(stored.get("event"), dict):
            continue
        if isinstance(old := stored.get("version"), int):
            new[old] = version
        event = stored["event"]
        for holder, name in ((stored, "frame"), (event, "frame"), (event, "to")):
            if isinstance(old := holder.get(name), int):
                holder[name] = new.get(old, old)
        stored["version"], stored["parent"] = version, present
        to = event.get("to")
        is_turn = event.get("type") == "reverted" and isinstance(to, int)
        present = to if is_turn else version


class Mutator:
    """A mutator of files and stored events. `pool` holds lines to insert into other files."""

    def __init__(self, pool: list[bytes]) -> None:
        self.pool = [line for file in pool if file[:1] == b"{" for line in file.splitlines()[1:]]

    def mutate(self, data: bytes, most: int, seed: int) -> bytes:
        """Return a mutation of at most `most` bytes."""
        random = Random(seed)
        if random.random() < 0.1:
            return _damaged(data, random)[:most]
        try:
            changed = self._file(data, random) if data[:1] == b"{" else self._event(data, random)
        except Exception:  # the input is not a file
            return _damaged(data, random)[:most]
        return changed if changed and len(changed) <= most else _damaged(data, random)[:most]

    def cross(self, data: bytes, other: bytes, most: int, seed: int) -> bytes:
        """Return the beginning of one file with events of another."""
        random = Random(seed)
        try:
            (header, *lines), (_, *others) = _lines(data), _lines(other)
            at = random.randrange(len(others))
            some = others[at : at + random.randint(1, 4)]
            changed = sealed(header, lines[: random.randint(1, len(lines))] + some)
        except Exception:
            return _damaged(data, random)[:most]
        return changed if len(changed) <= most else _damaged(data, random)[:most]

    def _event(self, data: bytes, random: Random) -> bytes:
        name, _, state = data.partition(b"\n")
        if random.random() < 0.1:
            name = random.choice(list(TOPICS)).encode()
        if random.random() < 0.2:
            return name + b"\n" + _damaged(state, random)
        stored = msgspec.json.decode(state)
        _value(stored, [{"event": stored}], random)
        return name + b"\n" + msgspec.json.encode(stored)

    def _file(self, data: bytes, random: Random) -> bytes:
        header, *lines = _lines(data)
        numbered = True
        for _ in range(random.choice((1, 1, 1, 2, 4))):
            at = min(int(len(lines) * random.triangular(0, 1, 1)), len(lines) - 1)
            match random.choice(("value",) * 12 + ("cut", "drop", "twice", "swap", "put", "put",
                                 "topic", "header", "number", "bytes", "old")):  # fmt: skip
                case "value":
                    _value(lines[at]["event"], lines, random)
                case "cut":
                    del lines[at + 1 :]
                case "drop":
                    del lines[at]
                case "twice":
                    lines.insert(at, msgspec.json.decode(msgspec.json.encode(lines[at])))
                case "swap":
                    other = random.randrange(len(lines))
                    lines[at], lines[other] = lines[other], lines[at]
                case "put":
                    lines.insert(at + 1, msgspec.json.decode(random.choice(self.pool)))
                case "topic":
                    lines[at]["topic"] = random.choice((*TOPICS, "unknown:1", "", 1))
                case "old":
                    name = str(lines[at]["topic"]).partition(":")[0]
                    lines[at]["topic"] = f"{name}:1"
                case "header":
                    header[random.choice(list(header))] = random.choice(VALUES)
                case "number":
                    numbered = False
                    lines[at]["event"][random.choice(("version", "parent", "frame", "replays"))] = (
                        random.choice((-1, 0, 1, 2, at, at + 1, len(lines), 2**53, 2**70))
                    )
                case _:
                    raw = _damaged(msgspec.json.encode(lines[at]["event"]), random)
                    lines[at]["event"] = msgspec.Raw(raw)
        return sealed(header, lines, numbered=numbered)


def _damaged(data: bytes, random: Random) -> bytes:
    """Return the bytes after one to three changes that ignore all structure."""
    for _ in range(random.randint(1, 3)):
        data = random.choice((flipped, cut, stuffed))(random, data or b" ")
    return data


def _value(stored: Any, lines: list[Line], random: Random) -> None:
    """Change a value of an event a little, or replace it by another one."""
    within = [place for place in places(stored["event"]) if place[1] != "type"]
    if within and random.random() < 0.2 and _nudged(*random.choice(within), random):
        return
    replace_value(stored, lines, random)


def _nudged(holder: Any, key: Any, random: Random) -> bool:
    """Change a character of a text, or change a number. Return false for other values."""
    value = holder[key]
    if isinstance(value, str) and value:
        at = random.randrange(len(value))
        holder[key] = value[:at] + random.choice("\x00é9-0{ ") + value[at + 1 :]
    elif isinstance(value, int) and not isinstance(value, bool):
        holder[key] = value + random.choice((-1, 1, 1000, -(10**9), 2**40))
    else:
        return False
    return True
