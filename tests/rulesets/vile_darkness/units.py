"""Sheets and steps for tests: what an example needs and nothing else."""

from typing import Any

from domain.engine.commands import Reply
from tests.spec import Spec

Declared = tuple[str, dict[str, Any]] | str


def weapon(id: str, damage: str = "1d6", speed: int = 1, **fields: Any) -> dict[str, Any]:
    return {"id": id, "name": id, "damage": damage, "speed": speed, **fields}


SWORD = weapon("sword", "1d8", 5)
BOW = weapon("bow", "1d6", kind="missile", range_ft=150)


def hero(name: str, **fields: Any) -> dict[str, Any]:
    """Of the party: 20 hp, AC 5, AAC0 15 (so 10 hits AC 5), a sword of speed 5."""
    given = {"side": "party", "max_hp": 20, "ac": 5, "aac0": 15, "weapons": [SWORD]}
    return {"name": name, **given, **fields}


def foe(name: str, **fields: Any) -> dict[str, Any]:
    """The same, of the foes."""
    return hero(name, **{"side": "foes", **fields})


def spell(id: str, segments: Any = 3, **fields: Any) -> dict[str, Any]:
    """An incantation at a creature; 1d6 damage, 100 ft."""
    given = {"category": "incantation", "range_ft": 100, "targets": "creature", "damage": "1d6"}
    return {"id": id, "name": id, "segments": segments, **given, **fields}


def power(id: str, **fields: Any) -> dict[str, Any]:
    """An innate ability at a creature, 100 ft."""
    return {"id": id, "name": id, "range_ft": 100, "targets": "creature", **fields}


def announce(spec: Spec) -> Spec:
    """Begin without surprise and without moves: round 1 is announced."""
    return spec.begin().answer(None, "set").answer(None, "set")


def declare(spec: Spec, **declared: Declared) -> Spec:
    """`Ana="flee"` or `Ana=("cast", {"spell": "bolt"})`."""
    for who, what in declared.items():
        action, inputs = (what, {}) if isinstance(what, str) else what
        spec.act(who, action, **inputs)
    return spec


def close(spec: Spec, *faces: int) -> Spec:
    """Step 1 closes; these initiative dice fall, in the order of the groups."""
    return spec.rule("close-declare", *(("group-initiative", face) for face in faces))


def begin(spec: Spec, *faces: int, **declared: Declared) -> Spec:
    """Round 1 is announced, these declare, the dice fall."""
    return close(declare(announce(spec), **declared), *faces)


def engaged(spec: Spec, *pairs: tuple[str, str]) -> Spec:
    """The GM puts them in melee."""
    for a, b in pairs:
        spec.rule("engage", a=a, b=b)
    return spec


def reply(spec: Spec, name: str, option: str, *dice: tuple[Any, ...], **inputs: Any) -> Spec:
    """The GM answers the prompt called `name`; for inputs that are called `who`."""
    for id, prompt in spec.live.open_prompts().items():
        if prompt.name == name:
            return spec.do(Reply(id, option, inputs), *dice)
    raise AssertionError(f"{name} is not open: {spec.open()}")


def passes(spec: Spec, *who: str) -> Spec:
    """Each passes the slot in which it is asked."""
    for one in who:
        spec.act(one, "pass")
    return spec


def until(spec: Spec, phase: str) -> Spec:
    """All pass, and prompts of the GM take their defaults, until this slot has come."""
    for _ in range(200):
        if spec.combat.phase == phase:
            return spec
        spec.close()
    raise AssertionError(f"{phase} does not come; {spec.combat.phase}: {spec.open()}")


def next_round(spec: Spec, *faces: int, **declared: Declared) -> Spec:
    """Everything is passed; the next round is announced, these declare, the dice fall."""
    until(spec, "end-of-round").answer(None, "next-round", name="end-of-round")
    return close(declare(spec, **declared), *faces)


def asked(spec: Spec) -> list[tuple[str, str | None]]:
    """(prompt, who) of what is open."""
    return [(name, who) for _, name, who in spec.open()]


def shown(spec: Spec, who: str, key: str) -> Any:
    """A derived number as the board shows it."""
    return spec.ruleset.derived(spec.combat, who)[key]
