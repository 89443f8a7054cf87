"""called-shot and grab-item: a precise aim, or a thing out of a hand, as the GM rules (VD-CALL)."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from msgspec import Struct

from domain.errors import Illegal, Impossible
from domain.record.combat import Combat, Combatant, Id, Json
from domain.record.events import EffectResolved, Term
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.effects import Procedure, ask_gm
from domain.rulebook.id_names import words
from domain.rulebook.inputs import OwnWeapon
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option
from domain.rulesets.vile_darkness import routines
from domain.rulesets.vile_darkness.action_costs import free_major, own_turn, placed
from domain.rulesets.vile_darkness.actions.attack import named, strikes, use, what_is_left
from domain.rulesets.vile_darkness.attack import (
    engage,
    hit,
    precise_roll,
    use_load,
    with_modifiers,
)
from domain.rulesets.vile_darkness.concentration import stop_maintaining
from domain.rulesets.vile_darkness.deed import Deed
from domain.rulesets.vile_darkness.facts import ADDED, IN_MELEE
from domain.rulesets.vile_darkness.harm import Results, Then
from domain.rulesets.vile_darkness.numbers import sheet
from domain.rulesets.vile_darkness.restricted_quarters import may_strike
from domain.rulesets.vile_darkness.routines import Use
from domain.rulesets.vile_darkness.sheet import Number
from domain.rulesets.vile_darkness.slots import phase_of, rank, rank_in, step
from domain.rulesets.vile_darkness.strikes import Strike, Terms, foil, why_foiled
from domain.rulesets.vile_darkness.targets import AimedAtAll, Object, aim, foes


class Aiming(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`aim` is the spot.

    `item` is the thing to be grabbed. A shot can be at an object (VD-ROUT-02).
    """

    target: AimedAtAll | None = None
    aim: str | None = None
    item: str | None = None
    weapon: OwnWeapon | None = None
    mode: str | None = None
    routine: str | None = None


class Shot(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The GM's rule for it: the modifier, the needed total, and the effect."""

    modifier: Number = 0
    needed: Number | None = None
    meaning: str = ""


class Success(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """hit (an ordinary hit on the target), nothing, or words."""

    result: str = "hit"


SET_SHOT = (Option("set", Shot, label="By this rule"),)
SET_RESULT = (Option("result", Success, label="This comes of it"),)


def _use(combat: Combat, combatant: Combatant, inputs: Aiming) -> Use | None:
    """Return the main hand's attack of a usual attack here (VD-ROUT-06)."""
    found = use(combat, combatant, inputs)
    return (
        None
        if found is None
        else replace(found, blows=(routines.primary_attack(combatant, found),))
    )


def _refusals(play: Play, who: Id, inputs: Aiming, id: str) -> Iterator[Illegal]:
    combat, combatant = play.combat, play.combat[who]
    yield from own_turn(combatant)
    chosen = _use(combat, combatant, inputs)
    yield from _in_slot(combat, combatant, chosen, inputs, id)
    yield from free_major(combatant)
    if chosen is not None:
        yield from _terms(inputs, id)
    yield from strikes(play, who, inputs.target, chosen)


def _terms(inputs: Aiming, id: str) -> Iterator[Illegal]:
    """Refuse without the subject of the GM's ruling: a spot, or a thing (VD-CALL-01, -03)."""
    if id == "called-shot" and not inputs.aim:
        detail = "say what the shot is aimed at"
        yield Impossible("VD-CALL-01", "wrong-kind", detail, pointer="/inputs/aim")
    if id == "grab-item" and not inputs.item:
        detail = "say what is to be grabbed"
        yield Impossible("VD-CALL-03", "wrong-kind", detail, pointer="/inputs/item")
    if id == "grab-item" and isinstance(inputs.target, Object):
        detail = "an item is grabbed from an enemy; whatever lies about is retrieved"
        yield Impossible("VD-CALL-03", "wrong-kind", detail, pointer="/inputs/target")


def _in_slot(
    combat: Combat, combatant: Combatant, chosen: Use | None, inputs: Aiming, id: str
) -> Iterator[Illegal]:
    if step(combat) == "multi-primary":
        if combatant.id not in IN_MELEE.of(combat) or rank(combat, combatant) != rank_in(
            combat.phase
        ):
            yield refuse(
                "VD-MULTI-01", "wrong-phase", f"{combatant.name} has no turn here", NO_FIELD
            )
        return
    kind = "melee" if id == "grab-item" or chosen is None else chosen.kind
    field = NO_FIELD if id == "grab-item" or chosen is None else routines.said(inputs)
    yield from placed(combat, combatant.id, phase_of(combat, kind), field=field)


def _effect(play: Play, who: Id, inputs: Aiming, results: Results, id: str) -> Procedure[None]:
    """Ask for a ruling, roll one attack, and on success ask for its effect (VD-CALL-02)."""
    combatant = play.combat[who]
    chosen = _use(play.combat, combatant, inputs)
    assert chosen is not None  # else it was refused
    target, thing = aim(play.combat, inputs.target)
    part = (inputs.item if id == "grab-item" else inputs.aim) or ""
    at = {"object": thing} if thing else {"target": target}
    about = {"attacker": who, **at, "action": id, "aim": part}
    tried = f"{_TRIED[id]} {target or thing}"
    shot = yield from ask_gm(
        "called-shot",
        f"{who} tries {tried}: under which rule?",
        SET_SHOT,
        "set",
        rules=("VD-CALL-01", "VD-CALL-03"),
        data=about,
    )
    results.append(Then(lambda: stop_maintaining(play.combat[who], "it attacked", "VD-CONC-09")))
    terms = Terms((Term(id, shot.inputs.modifier, "VD-CALL-01"),))
    aimed = yield from with_modifiers(play, Strike(who, target, chosen, terms, thing))
    yield from list(use_load(play.combat[who], chosen))
    (blow,) = chosen.blows
    rolled = yield from precise_roll(play, aimed, blow, lambda: shot.inputs.needed)
    if chosen.kind == "melee" and not thing:
        results.append(Then(lambda: engage(play.combat, who, target)))
    why = foil(play.combat, aimed, blow) if rolled.outcome == "foiled" else None
    if rolled.outcome == "miss" or (why is not None and not why.obvious):
        # A hidden cause looks like a miss (VD-FOIL-03).
        yield _came(aimed, id, part, "failed", rules=("VD-CALL-02", "VD-MAJ-04"))
    if rolled.outcome == "miss" or why is not None:
        results += why_foiled(aimed, [] if why is None else [why])
        return
    answer = yield from ask_gm(
        "called-shot",
        f"{who} tried {tried}, and succeeds: what comes of it?",
        SET_RESULT,
        "result",
        rules=("VD-CALL-02",),
        data={**about, "meaning": shot.inputs.meaning},
    )
    if answer.inputs.result == "hit":
        yield from hit(play, aimed, blow, results)
    else:
        said, rules = answer.inputs.result, ("VD-CALL-02",)
        yield _came(aimed, id, part, "ruled", text=said, rules=rules)


def _came(
    strike: Strike, id: str, part: str, result: str, *, text: str = "", rules: tuple[str, ...]
) -> EffectResolved:
    """Return the result beside the hit."""
    at = (strike.target,) if strike.target else ()
    data: dict[str, Json] = {"item" if id == "grab-item" else "aim": part.removeprefix("the ")}
    data |= {"object": strike.thing} if strike.thing else {}
    return EffectResolved(
        strike.attacker, "action", id, result, words(id), at, text=text, data=data, rules=rules
    )


_TRIED = {"called-shot": "a called shot at", "grab-item": "to grab something from"}


def _time(combat: Combat, combatant: Combatant, inputs: Aiming) -> int:
    chosen = _use(combat, combatant, inputs)
    return (chosen.speed if chosen else 1) + ADDED.of(combatant)


def _candidates(play: Play, who: Id, id: str) -> Iterator[Mapping[str, Json]]:
    about: dict[str, Json] = {"item": "key"} if id == "grab-item" else {"aim": "eye"}
    for target in foes(play.combat, play.combat[who]):
        for weapon in (None, *(weapon.id for weapon in sheet(play.combat[who]).weapons)):
            named: dict[str, Json] = {"weapon": weapon} if weapon else {}
            yield {"target": target, **about, **named}


def _deed(id: str, label: str, *rules: str) -> Deed:
    return Deed(
        id,
        Aiming,
        lambda play, who, inputs: _refusals(play, who, inputs, id),
        lambda play, who: _candidates(play, who, id),
        label,
        cost="major",
        rules=rules,
        effect=lambda play, who, inputs, results: _effect(play, who, inputs, results, id),
        leaves=what_is_left,
        time=_time,
        before=lambda play, who, inputs: may_strike(
            play, who, inputs.target, _use(play.combat, play.combat[who], inputs)
        ),
        carries=True,
        named=lambda combat, combatant, inputs: named(inputs, _use(combat, combatant, inputs)),
        fits=lambda play, who, inputs: strikes(
            play, who, inputs.target, _use(play.combat, play.combat[who], inputs)
        ),
    )


CALLED_SHOT = _deed("called-shot", "Called shot", "VD-CALL-01", "VD-CALL-02").shown(
    "attack", "Aim at the {aim} of {target}[ with {weapon}]", "target", "aim", "weapon"
)
GRAB_ITEM = _deed("grab-item", "Grab an item", "VD-CALL-03").shown(
    "attack", "Grab the {item} of {target}", "target", "item"
)
