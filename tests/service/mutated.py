"""Make exports in which one event has changed values, and every hash is correct.

The fights are random walks. They begin with events that random play does not record: labels,
deadlines, standing orders, salts, markers, forced rolls, a new map. A mutation selects a type of
event, then an event of this type, then a value in it. Rare types thus change as often as frequent
types.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import msgspec

from domain.engine.commands import (
    AddSalt,
    Change,
    Command,
    Leave,
    Note,
    RevealSeed,
    SetDeadlines,
    SetLabels,
    SetMap,
    SetOrders,
)
from domain.engine.commands import GmRuling as Ruling
from domain.errors import Malformed, Refused
from domain.record.combat import Deadlines, StandingOrder
from domain.record.export import export, read
from domain.record.recorded import Recorded, chain_hash, encode
from service.conformance.walker import Walker
from tests.spec import Spec
from tests.walks import begin

CORPUS = Path(__file__).parent.parent / "corpus"

VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 7, 10**9, 2**53 - 1, -(2**53) + 1, 1.5, "", "nobody", "hp", "GM",
    "1d6", "0", "x" * 3000, "😀", [], {}, [0], [None], [[]], [{}], ["Ana"], ["nobody"], {"a": 1},
    {"": None}, {"type": "weapon"}, {"hp": {"value": 1, "maximum": 1}}, [0, 0, 0], [10**9, 0, 0],
)  # fmt: skip

Line = dict[str, Any]
"""A line of an export as JSON."""


def files(which: str = "1") -> dict[str, bytes]:
    """Return the stored exports of all rulebooks, by file name.

    `which` is the number of an export of each rulebook, or `*` for all exports.
    """
    return {path.stem: path.read_bytes() for path in sorted(CORPUS.glob(f"*/*-{which}.jsonl"))}


@cache
def fight(ruleset: str, seed: int, steps: int) -> bytes:
    """Return the export of a walk with commands that random play does not send."""
    spec = begin(ruleset, seed)
    spec.prove = lambda: None  # type: ignore[method-assign]  # the walks prove it
    random = Random(f"{ruleset} {seed}")
    before, between = _beside(spec, ruleset)
    random.shuffle(before)
    for command in before:
        spec.do(command)
    walker = Walker(spec, random, undo=0.06, ruling=0.1, gm=0.1)
    for _ in range(steps):
        if between and random.random() < 0.2:
            try:
                spec.do(between.pop(random.randrange(len(between))))
            except Refused:
                continue
        elif not walker.step():
            break
    return _in_time(b"".join(export(spec.live.history.recorded)))


def _in_time(file: bytes) -> bytes:
    """Return the file with deadlines that the service's calendar supports."""
    header, *lines = [
        msgspec.json.decode(line.replace(b'"9999-', b'"2999-')) for line in file.splitlines()
    ]
    whole = sealed(header, lines)
    assert whole is not None
    return whole


def _beside(spec: Spec, ruleset: str) -> tuple[list[Command], list[Command]]:
    """Return commands to send before the fight, and commands to send during it."""
    first, second, *_, last = [combatant.id for combatant in spec.combat]
    purpose = spec.ruleset.purposes[0]
    kinds = Deadlines(turn=600, reaction=60, combatants={first: 30})
    field = next(name for name, value in spec.combat[second].sheet.items() if _is_long(value))
    orders = (StandingOrder("reaction", "ask", against=second, when={"window": "moves"}),)
    before: list[Command] = [
        SetLabels(("bridge", "night")),
        AddSalt("Ana", "salt"),
        SetDeadlines(kinds),
        SetOrders(first, orders),
        Change(second, sheet={field: spec.combat[second].sheet[field]}),
    ]
    between: list[Command] = [
        SetMap(spec.combat.map),
        SetOrders(second, ()),
        SetDeadlines(Deadlines(choice=60)),
        Note("they come", first, True),
        Change(second, name="Other", hidden=True),
        Leave(last),
        RevealSeed(),
        Ruling("set-marker", {_about(spec, "set-marker"): first, "text": "glows"}),
        Ruling("force-roll", {_about(spec, "force-roll"): first, "purpose": purpose, "faces": [3]}),
    ]
    return before, between


def _is_long(value: Any) -> bool:
    return isinstance(value, list) and len(value) > 0 and isinstance(value[0], dict)


def _about(spec: Spec, ruling: str) -> str:
    fields = spec.ruleset.rulings[ruling].inputs.__struct_encode_fields__
    return "who" if "who" in fields else "combatant"


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the position of every nested value: the dict or list that holds it, and its key."""
    keys: Any = list(value) if isinstance(value, dict) else range(len(value))
    for key in keys:
        yield value, key
        if isinstance(value[key], dict | list):
            yield from places(value[key])


def kind_of(line: Line) -> str:
    """Return the type of a line's event, with the name of its fact or condition."""
    event = line["event"]["event"]
    return " ".join(str(event[name]) for name in ("type", "key", "condition") if name in event)


def mutated(file: bytes, random: Random) -> tuple[str, bytes] | None:
    """Change one event. Return its type, and the file up to this event or a later one.

    Return `None` if the event cannot store a value of the new type.
    """
    header, *lines = [msgspec.json.decode(line) for line in file.splitlines()]
    kinds: dict[str, list[int]] = {}
    for index, line in enumerate(lines):
        kinds.setdefault(kind_of(line), []).append(index)
    kind = random.choice(sorted(kinds))
    at = random.choice(kinds[kind])
    end = at if random.random() < 0.4 else random.randrange(at, len(lines))
    lines = _copy(lines[: end + 1])
    recorded = lines[at]["event"]
    for _ in range(1 if random.random() < 0.8 else 3):
        replace_value(recorded, lines, random)
    combat = str(UUID(int=random.getrandbits(128), version=4))
    if at or recorded["event"].get("combat") == header["combat"]:
        lines[0]["event"]["event"]["combat"] = header["combat"] = combat
    changed = sealed(header, lines)
    return None if changed is None else (kind, changed)


def replace_value(recorded: Any, lines: list[Line], random: Random) -> None:
    """Replace a value of an event by another value, usually of the same type."""
    within = [place for place in places(recorded["event"]) if place[1] != "type"]
    beside = [(recorded, name) for name in recorded if name not in ("event", "previous")]
    holder, key = random.choice(within if within and random.random() < 0.9 else beside)
    value = holder[key]
    how = random.random()
    if how < 0.15 and isinstance(holder, dict):
        del holder[key]
    elif how < 0.2 and isinstance(holder, list):
        holder.append(_copy(value))
    elif how < 0.25 and isinstance(value, dict):
        value[random.choice(("extra", "", "nobody"))] = _copy(random.choice(VALUES))
    elif how < 0.4:
        other = random.choice(lines)["event"]["event"]
        source, name = random.choice(list(places(other)))
        holder[key] = _copy(source[name])
    elif how < 0.7:
        alike = [other for other in VALUES if type(other) is type(value)]
        holder[key] = _copy(random.choice(alike or VALUES))
    else:
        holder[key] = _copy(random.choice(VALUES))


def _copy(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def hostile(ruleset: str, seed: int, most: int) -> Iterator[tuple[str, bytes]]:
    """Yield mutated exports whose lines are all valid. Only the content of an event is wrong."""
    random = Random(f"{ruleset} {seed}")
    made = 0
    while made < most:
        steps = random.choice((4, 12, 30))
        file = fight(ruleset, random.randrange(1000), steps)
        for _ in range(40):
            mutant = mutated(file, random)
            if mutant is None:
                continue
            try:
                read(mutant[1])
            except Malformed:
                continue
            yield mutant
            made += 1
            if made == most:
                return


def sealed(header: Mapping[str, Any], lines: list[Line]) -> bytes | None:
    """Return the file of these lines, or `None` if they are not events."""
    previous = ""
    written: list[bytes] = []
    for line in lines:
        recorded = line["event"]
        recorded.pop("previous", None)
        if previous:
            recorded["previous"] = previous
        try:
            event = msgspec.convert(recorded, Recorded)
        except msgspec.ValidationError:
            return None
        state = encode(event)
        previous = chain_hash(event, state)
        content = {"topic": line["topic"], "event": msgspec.Raw(state), "hash": previous}
        written.append(msgspec.json.encode(content))
    head = msgspec.json.encode({**header, "events": len(lines), "last": previous})
    return b"".join(part + b"\n" for part in (head, *written))
