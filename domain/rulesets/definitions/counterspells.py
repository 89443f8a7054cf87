"""Counterspells, and the combatants that can counter (DEF-CNT, DEF-IMM-06)."""

from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace as changed

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Json
from domain.record.events import Term
from domain.rulebook.declaration import NO_FIELD, Act, refuse
from domain.rulebook.effects import Procedure, ask_gm, roll, stopped_by
from domain.rulebook.id_names import words
from domain.rulebook.play import Play
from domain.rulebook.prompts import Prompt, choices
from domain.rulesets.definitions import numbers, triggers
from domain.rulesets.definitions.deed import PASS, immediate_refusals, use_immediate
from domain.rulesets.definitions.facts import CASTING, Casting
from domain.rulesets.definitions.rules import action, rule
from domain.rulesets.definitions.sheet import CounterspellData, Power, Spell
from domain.rulesets.definitions.states import able, components, sheet_of


class Counterspell(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of a counterspell. `ability` is the id of the spell or ability that counters.

    If it is `null`, Affray uses the first entry that matches.
    """

    ability: Annotated[str, Meta(max_length=120)] | None = None


def entries(combatant: Combatant) -> list[tuple[Power, CounterspellData]]:
    """Return all entries that can counter a spell."""
    page = sheet_of(combatant)
    powers: tuple[Power, ...] = (*page.abilities_list, *page.spells)
    return [(power, power.counterspell) for power in powers if power.counterspell is not None]


def entry(combat: Combat, who: Id, name: str | None) -> tuple[Power, CounterspellData] | None:
    """Return the entry with this id, or the first usable entry that matches the spell."""
    casting = CASTING.of(combat)
    matching = [
        (power, data)
        for power, data in entries(combat[who])
        if (name is None or power.id == name)
        and (casting is None or data.matches == "any" or casting.spell in data.matches)
    ]
    usable = (pair for pair in matching if not list(barred(combat, who, *pair)))
    return next(usable, matching[0] if matching else None)


def barred(combat: Combat, who: Id, power: Power, data: CounterspellData) -> Iterator[Illegal]:
    """Refuse without an immediate action, or without gestures and words for a spell."""
    yield from immediate_refusals(combat, who, "counterspell", data.extra)
    if isinstance(power, Spell):
        yield from components(combat, who, power, False, "ability")


@rule("DEF-CNT-01", "A counterspell needs an entry that grants it and matches the spell")
@rule(
    "DEF-CNT-02",
    "A counterspell counters a spell during its casting, but no other counterspell",
)
def reasons(combat: Combat, who: Id, name: str | None = None) -> Iterator[Illegal]:
    """Refuse unless another combatant is casting a spell and a usable entry matches it."""
    pair = entry(combat, who, name)
    if pair is None:
        yield from immediate_refusals(combat, who, "counterspell")
    else:
        yield from barred(combat, who, *pair)
    casting = CASTING.of(combat)
    unseen = casting is not None and casting.who not in combat.combatants
    if (
        casting is None
        or unseen
        or casting.countered
        or casting.who == who
        or lost(combat) is not None
    ):
        yield refuse(
            "DEF-CNT-02", "no-spell", "no spell is being cast that it could counter", NO_FIELD
        )
    if pair is None:
        detail = f"{combat[who].name} has nothing that counters this"
        match = [power.id for power, _ in entries(combat[who]) if entry(combat, who, power.id)]
        yield refuse("DEF-CNT-01", "no-counterspell", detail, "ability", match)


def lost(combat: Combat) -> Illegal | None:
    """Return the reason why no spell is left to counter, because its caster fell (DEF-CNT-06)."""
    casting = CASTING.of(combat)
    if casting is None or (able(combat, casting.who) and not casting.lost):
        return None
    detail = f"{casting.who} casts {spell_name(combat, casting)} no more"
    return Illegal("DEF-CNT-06", "no-spell", detail)


def spell_name(combat: Combat, casting: Casting) -> str:
    """Return the name of the spell of this casting."""
    spells = sheet_of(combat[casting.who]).spells
    names = (spell.name for spell in spells if spell.id == casting.spell)
    return next(names, words(casting.spell))


def is_possible(act: Act[Counterspell]) -> Iterator[Illegal]:
    """Refuse unless the entry that the inputs name can counter the spell."""
    return reasons(act.combat, act.who, act.inputs.ability)


def may(combat: Combat, who: Id) -> bool:
    """Return true if the combatant could counter the current casting."""
    return next(reasons(combat, who), None) is None


def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    for power, _ in entries(play.combat[who]):
        yield {"ability": power.id}
    if not entries(play.combat[who]):
        yield {}


def question(who: Id, caster: Id, spell: Power) -> Prompt:
    """Return the prompt `reaction` with the options to counter or to pass."""
    return Prompt(
        kind="reaction",
        name="reaction",
        who=who,
        text=f"{caster} casts {spell.name}. Does {who} counter it?",
        options=(counterspell, PASS),
        rules=("DEF-CNT-02", "DEF-IMM-10"),
        default="pass",
        data={"reason": "counterspell", "actor": caster, "action": "cast-spell", "spell": spell.id},
        stands=lambda now: may(now, who),
    )


RULED = choices("countered", "not")


@rule("DEF-CNT-03", "The entry's check decides a counterspell, or else the GM")
def rolled(play: Play, who: Id, power: Power, check: str, dc: int) -> Procedure[bool]:
    """Roll a d20 with the bonus of the entry's check. Return true if the total reaches the DC."""

    def terms() -> list[Term]:
        combatant = play.combat[who]
        if check == "level-check":
            return numbers.level_terms(combatant)
        return numbers.skill_terms(combatant, check.removeprefix("skill-"), "DEF-CNT-03")

    def needed() -> int:
        now = (
            data for entry_power, data in entries(play.combat[who]) if entry_power.id == power.id
        )
        return next((data.dc for data in now if data.dc is not None), dc)

    result = yield from roll(
        who,
        check,
        "1d20",
        rules=("DEF-CNT-03",),
        terms=terms,
        target=needed,
        judge=lambda faces, total, target: "success" if total >= target else "failure",
    )
    return result.outcome == "success"


def ruled(play: Play, who: Id, power: Power) -> Procedure[bool]:
    """Ask the GM whether an entry without a check counters the spell (DEF-CNT-03)."""
    answer = yield from ask_gm(
        "counterspell",
        f"{who} counters with {power.name}. Is the spell countered?",
        RULED,
        None,
        rules=("DEF-CNT-03",),
        data={"combatant": who, "ability": power.id},
    )
    return answer.option == "countered"


@action(
    "counterspell", "Counter the spell", Counterspell,
    cost="immediate", category="defend", headline="Counter the spell[ with {ability}]",
    rules={"DEF-CNT-05": "The attempt counts as the use of a counterspell"},
    also=("DEF-CNT-01", "DEF-CNT-02", "DEF-CNT-03"),
    refusals=(is_possible,),
    propose=candidates,
    interjection=True,
    answers="counterspell",
)  # fmt: skip
def counterspell(act: Act[Counterspell]) -> Procedure[None]:
    """Try to counter the spell. The attempt counts as used, whatever its result (DEF-CNT-05)."""
    play, who = act.play, act.who
    pair = entry(play.combat, who, act.inputs.ability)
    casting = CASTING.of(play.combat)
    assert pair is not None
    assert casting is not None
    power, data = pair
    yield use_immediate(play.combat, who, "counterspell")
    if data.check is None or data.dc is None:
        trying = ruled(play, who, power)
    else:
        trying = rolled(play, who, power, data.check, data.dc)
    won = yield from stopped_by(play, who, trying, "counterspell", lambda: lost(play.combat))
    casting = CASTING.of(play.combat)
    if won and casting is not None:
        yield CASTING.set(changed(casting, countered=True), rules=("DEF-CNT-04",))
    yield from triggers.occurred(play, "acts", who, action="counterspell")
