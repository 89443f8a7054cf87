"""Sheets and steps for tests with the minimum that an example needs."""

from typing import Any

from domain.engine.commands import Reply
from tests.spec import Spec

Declared = tuple[str, dict[str, Any]] | str


def weapon(id: str, damage: str = "1d6", speed: int = 1, **fields: Any) -> dict[str, Any]:
    return {"id": id, "name": id, "damage": damage, "speed": speed, **fields}


SWORD = weapon("sword", "1d8", 5)
BOW = weapon("bow", "1d6", kind="missile", range_ft=150)


def hero(name: str, **fields: Any) -> dict[str, Any]:
    """Return a party member with 20 hp, AC 5, AAC0 15 and a sword of speed 5. A 10 hits AC 5."""
    given = {"side": "party", "max_hp": 20, "ac": 5, "aac0": 15, "weapons": [SWORD]}
    return {"name": name, **given, **fields}


def foe(name: str, **fields: Any) -> dict[str, Any]:
    """Return a sheet like that of `hero`, on the side of the foes."""
    return hero(name, **{"side": "foes", **fields})


def spell(id: str, segments: Any = 3, **fields: Any) -> dict[str, Any]:
    """Return an incantation that deals 1d6 damage to a creature within 100 ft."""
    given = {"category": "incantation", "range_ft": 100, "targets": "creature", "damage": "1d6"}
    return {"id": id, "name": id, "segments": segments, **given, **fields}


def power(id: str, **fields: Any) -> dict[str, Any]:
    """Return an innate ability at a creature within 100 ft."""
    return {"id": id, "name": id, "range_ft": 100, "targets": "creature", **fields}


def announce(spec: Spec) -> Spec:
    """Begin without surprise and without moves, at the declarations of round 1."""
    return spec.begin().answer(None, "set").answer(None, "set")


def declare(spec: Spec, **declared: Declared) -> Spec:
    """Declare actions, as in `Ana="flee"` or `Ana=("cast", {"spell": "bolt"})`."""
    for who, what in declared.items():
        action, inputs = (what, {}) if isinstance(what, str) else what
        spec.act(who, action, **inputs)
    return spec


def close(spec: Spec, *faces: int) -> Spec:
    """Close step 1 with these initiative dice, in the order of the groups."""
    return spec.rule("close-declare", *(("group-initiative", face) for face in faces))


def begin(spec: Spec, *faces: int, **declared: Declared) -> Spec:
    """Begin round 1 with these declarations and initiative dice."""
    return close(declare(announce(spec), **declared), *faces)


def engaged(spec: Spec, *pairs: tuple[str, str]) -> Spec:
    """Put pairs of combatants in melee by ruling."""
    for a, b in pairs:
        spec.rule("engage", a=a, b=b)
    return spec


def reply(spec: Spec, name: str, option: str, *dice: tuple[Any, ...], **inputs: Any) -> Spec:
    """Answer the open prompt `name`. The inputs may contain the field `who`."""
    for id, prompt in spec.live.open_prompts().items():
        if prompt.name == name:
            return spec.do(Reply(id, option, inputs), *dice)
    raise AssertionError(f"{name} is not open: {spec.open()}")


def passes(spec: Spec, *who: str) -> Spec:
    """Pass the slots of combatants."""
    for name in who:
        spec.act(name, "pass")
    return spec


def until(spec: Spec, phase: str) -> Spec:
    """Close the open prompts with their defaults until this phase begins."""
    for _ in range(200):
        if spec.combat.phase == phase:
            return spec
        spec.close()
    raise AssertionError(f"{phase} does not come; {spec.combat.phase}: {spec.open()}")


def next_round(spec: Spec, *faces: int, **declared: Declared) -> Spec:
    """Go to the end of the round, then begin the next round with these declarations and dice."""
    until(spec, "end-of-round").answer(None, "next-round", name="end-of-round")
    return close(declare(spec, **declared), *faces)


def asked(spec: Spec) -> list[tuple[str, str | None]]:
    """Return name and combatant of each open prompt."""
    return [(name, who) for _, name, who in spec.open()]


def shown(spec: Spec, who: str, key: str) -> Any:
    """Return a derived number as the board shows it."""
    return spec.ruleset.derived(spec.combat, who)[key]
