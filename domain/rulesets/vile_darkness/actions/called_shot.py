"""The actions `called-shot` and `grab-item`. The GM decides their results (VD-CALL)."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from msgspec import Struct

from domain.errors import Illegal, Impossible
from domain.record.combat import Combat, Combatant, Id, Json
from domain.record.events import EffectResolved, Term
from domain.rulebook.declaration import NO_FIELD, Act, refuse
from domain.rulebook.effects import Procedure, ask_gm
from domain.rulebook.id_names import words
from domain.rulebook.inputs import OwnWeapon
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option
from domain.rulesets.vile_darkness import routines
from domain.rulesets.vile_darkness.actions.attack import (
    in_step_4,
    named,
    strikes,
    use,
    what_is_left,
)
from domain.rulesets.vile_darkness.attack import (
    Strike,
    Terms,
    engage,
    foil,
    hit,
    may_strike,
    precise_roll,
    use_load,
    why_foiled,
    with_modifiers,
)
from domain.rulesets.vile_darkness.deed import InSlot, deed
from domain.rulesets.vile_darkness.facts import ADDED
from domain.rulesets.vile_darkness.harm import Results, Then, stop_maintaining
from domain.rulesets.vile_darkness.numbers import sheet
from domain.rulesets.vile_darkness.routines import OwnRoutine, Use, WeaponModeInput
from domain.rulesets.vile_darkness.sheet import Kind, Number
from domain.rulesets.vile_darkness.slots import on_own_turn, phase_of, placed, step, with_major
from domain.rulesets.vile_darkness.targets import AimedAtAll, Object, aim, foes


class Aiming(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of a called shot or a grab.

    - `aim`: the spot to hit.
    - `item`: the item to grab.
    - `target`: a combatant or an object (VD-ROUT-02).
    """

    target: AimedAtAll | None = None
    aim: str | None = None
    item: str | None = None
    weapon: OwnWeapon | None = None
    mode: WeaponModeInput | None = None
    routine: OwnRoutine | None = None


class Shot(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The GM's ruling before the roll. If `needed` is `null`, only a natural 20 succeeds."""

    modifier: Number = 0
    needed: Number | None = None
    meaning: str = ""


class Success(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The GM's ruling after a success. `result` is `hit`, `nothing` or a text."""

    result: str = "hit"


SET_SHOT = (Option("set", Shot, label="Roll with these"),)
SET_RESULT = (Option("result", Success, label="This comes of it"),)


def main_hand(combat: Combat, combatant: Combatant, inputs: Aiming) -> Use | None:
    """Return the use of the routine for this slot with only the main hand's attack (VD-ROUT-06)."""
    usual = use(combat, combatant, inputs)
    if usual is None:
        return None
    return replace(usual, blows=(routines.primary_attack(combatant, usual),))


def _chosen(act: Act[Aiming]) -> Use | None:
    return main_hand(act.combat, act.actor, act.inputs)


def _in_slot(act: Act[Aiming], kind: Kind, field: str) -> Iterator[Illegal]:
    combat, combatant = act.combat, act.actor
    if step(combat) != "multi-primary":
        yield from placed(combat, combatant.id, phase_of(combat, kind), field=field)
    elif not in_step_4(combat, combatant):
        detail = f"{combatant.name} has no turn here"
        yield refuse("VD-MULTI-01", "wrong-phase", detail, NO_FIELD)


def shot_in_its_slot(act: Act[Aiming]) -> Iterator[Illegal]:
    chosen = _chosen(act)
    if chosen is None:
        return _in_slot(act, "melee", NO_FIELD)
    return _in_slot(act, chosen.kind, routines.said(act.inputs))


def grab_in_melee(act: Act[Aiming]) -> Iterator[Illegal]:
    _chosen(act)
    return _in_slot(act, "melee", NO_FIELD)


def names_a_spot(act: Act[Aiming]) -> Iterator[Illegal]:
    """Refuse a shot that names no spot for the GM's ruling (VD-CALL-01)."""
    if _chosen(act) is not None and not act.inputs.aim:
        detail = "say what the shot is aimed at"
        yield Impossible("VD-CALL-01", "wrong-kind", detail, pointer="/inputs/aim")


def names_an_item(act: Act[Aiming]) -> Iterator[Illegal]:
    """Refuse a grab that names no item for the GM's ruling (VD-CALL-03)."""
    if _chosen(act) is None:
        return
    if not act.inputs.item:
        detail = "say what is to be grabbed"
        yield Impossible("VD-CALL-03", "wrong-kind", detail, pointer="/inputs/item")
    if isinstance(act.inputs.target, Object):
        detail = "an item is grabbed from an enemy; whatever lies about is retrieved"
        yield Impossible("VD-CALL-03", "wrong-kind", detail, pointer="/inputs/target")


def fits(act: Act[Aiming]) -> Iterator[Illegal]:
    return strikes(act.play, act.who, act.inputs.target, _chosen(act))


def may(act: Act[Aiming]) -> Procedure[Illegal | None]:
    return may_strike(act.play, act.who, act.inputs.target, _chosen(act))


def time(combat: Combat, combatant: Combatant, inputs: Aiming) -> int:
    chosen = main_hand(combat, combatant, inputs)
    return (chosen.speed if chosen else 1) + ADDED.of(combatant)


AIMED = InSlot(
    leaves=what_is_left,
    time=time,
    before=may,
    carries=True,
    named=lambda combat, combatant, inputs: named(inputs, main_hand(combat, combatant, inputs)),
    fits=fits,
)


def candidates(about: Mapping[str, Json]) -> Callable[[Play, Id], Iterator[Mapping[str, Json]]]:
    """Return a function that proposes this spot or item of each opponent, with each weapon."""

    def proposed(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
        for target in foes(play.combat, play.combat[who]):
            for weapon in (None, *(weapon.id for weapon in sheet(play.combat[who]).weapons)):
                named: dict[str, Json] = {"weapon": weapon} if weapon else {}
                yield {"target": target, **about, **named}

    return proposed


@deed(
    "called-shot", "Called shot", Aiming,
    cost="major", category="attack", headline="Aim at the {aim} of {target}[ with {weapon}]",
    essential=("target", "aim", "weapon"),
    rules={
        "VD-CALL-01": "The GM decides the modifiers and the meaning of a called shot",
        "VD-CALL-02": "A natural 20 may have a good result, and any other roll wastes the shot",
    },
    refusals=(on_own_turn, shot_in_its_slot, with_major, names_a_spot, fits),
    propose=candidates({"aim": "eye"}),
    in_slot=AIMED,
)  # fmt: skip
def called_shot(act: Act[Aiming], results: Results) -> Procedure[None]:
    """Attack one spot of the target."""
    yield from ruled_shot(act, results, "called-shot", act.inputs.aim or "", "a called shot at")


@deed(
    "grab-item", "Grab an item", Aiming,
    cost="major", category="attack", headline="Grab the {item} of {target}",
    essential=("target", "item"),
    rules={"VD-CALL-03": "Grabbing an item follows the rules of a called shot"},
    refusals=(on_own_turn, grab_in_melee, with_major, names_an_item, fits),
    propose=candidates({"item": "key"}),
    in_slot=AIMED,
)  # fmt: skip
def grab_item(act: Act[Aiming], results: Results) -> Procedure[None]:
    """Grab an item out of a hand."""
    part = act.inputs.item or ""
    yield from ruled_shot(act, results, "grab-item", part, "to grab something from")


def ruled_shot(
    act: Act[Aiming], results: Results, id: str, part: str, tries: str
) -> Procedure[None]:
    """Ask the GM for a ruling, roll one attack, and ask for the effect of a success.

    VD-CALL-02.
    """
    play, who, inputs = act.play, act.who, act.inputs
    chosen = _chosen(act)
    assert chosen is not None  # an action without a routine is refused
    target, thing = aim(play.combat, inputs.target)
    at = {"object": thing} if thing else {"target": target}
    about = {"attacker": who, **at, "action": id, "aim": part}
    tried = f"{tries} {target or thing}"
    shot = yield from ask_gm(
        "called-shot",
        f"{who} tries {tried}. Which modifier counts, and which score does it need?",
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
        f"{who} tried {tried}, and succeeds. What happens?",
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
    """Return the event with the result of a shot or grab. A hit has a separate event."""
    at = (strike.target,) if strike.target else ()
    data: dict[str, Json] = {"item" if id == "grab-item" else "aim": part.removeprefix("the ")}
    data |= {"object": strike.thing} if strike.thing else {}
    return EffectResolved(
        strike.attacker, "action", id, result, words(id), at, text=text, data=data, rules=rules
    )
