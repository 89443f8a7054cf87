"""Free Actions, abilities that are no Standard Action, speech, the end of a turn (HE-ACT)."""

from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec import Meta, Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Json
from domain.record.events import Noted
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulebook.prompts import NoInputs
from domain.rulesets.hallowed_earth import acting, data, deeds, reposte
from domain.rulesets.hallowed_earth.declaring import UsingAbility, ability_of
from domain.rulesets.hallowed_earth.harm import exert
from domain.rulesets.hallowed_earth.numbers import counting, sheet
from domain.rulesets.hallowed_earth.sheet import Ability


class Doing(Struct, frozen=True, forbid_unknown_fields=True):
    what: Annotated[str, Meta(max_length=2000)] = ""


class Speaking(Struct, frozen=True, forbid_unknown_fields=True):
    text: Annotated[str, Meta(max_length=2000)] = ""


def waits(combat: Combat) -> Iterator[Illegal]:
    """In a tied slot Free Actions come after the results (HE-TIE-04)."""
    if combat.facts.get("slot"):
        detail = "several act at this number: Free Actions come after the results"
        yield Illegal("HE-TIE-04", "wrong-phase", detail)


# ---- free action


def free_refusals(play: Play, who: Id, inputs: Doing) -> Iterator[Illegal]:
    stop = list(acting.turn(play.combat, who, "free-action"))
    if stop:
        yield from stop
        return
    yield from waits(play.combat)
    yield from acting.body(play.combat[who])
    yield from acting.rib(play.combat[who])
    yield from acting.budget(play.combat, who, "free")


def free_action(play: Play, who: Id, inputs: Doing) -> Procedure[None]:
    """Undeclared, without effect on initiative; what is free is data (HE-ACT-03)."""
    costs = yield from acting.spend(play, who, "free")
    yield Noted(f"free action: {inputs.what}".rstrip(": "), who, rules=("HE-ACT-03",))
    if costs:
        yield from exert(play, who)


# ---- abilities


def ability_refusals(play: Play, who: Id, inputs: UsingAbility) -> Iterator[Illegal]:
    """A standard one is declared; the others are free, a Reaction, or cost no action at all."""
    combat, one = play.combat, play.combat[who]
    ability = ability_of(one, inputs.ability)
    if ability is None or ability.cost == "standard":
        yield from deeds.refusals("use-ability")(play, who, inputs)
        return
    if ability.cost == "reaction":
        if not counting(combat):
            yield acting.off_turn(combat, who, "use-ability")
            return
        yield from acting.present(one)
    else:
        stop = list(acting.turn(combat, who, "use-ability"))
        if stop:
            yield from stop
            return
        yield from waits(combat)
    if ability.needs_body:
        yield from acting.body(one)
    if ability.needs_speech:
        yield from acting.voice(one)
    if ability.cost != "none":
        yield from acting.rib(one)
        yield from acting.budget(combat, who, ability.cost)
    yield from data.cannot_pay(one, ability.mana_cost, ability.stress_cost, inputs.stress_paid)
    deed = undeclared(who, ability, inputs)
    if deeds.needs_target(combat, deed) and not deed.targets():
        detail = f"{ability.id} needs a target"
        yield Illegal("HE-ATK-07", "out-of-range", detail, deeds.legal_targets(combat, deed))
    for target in deed.targets():
        combat[target]
        yield from deeds.aimed(combat, deed, target)


def undeclared(who: Id, ability: Ability, inputs: UsingAbility) -> deeds.Deed:
    """An ability that needs no declaration."""
    return deeds.Deed(who, "use-ability", {"action": "use-ability", "ability": ability.id}, inputs)


def ability_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    yield from deeds.candidates("use-ability")(play, who)
    for ability in sheet(play.combat[who]).abilities:
        if ability.cost != "standard":
            deed = undeclared(who, ability, UsingAbility())
            for target in deeds.legal_targets(play.combat, deed):
                yield {"ability": ability.id, "target": target}


def use_ability(play: Play, who: Id, inputs: UsingAbility) -> Procedure[None]:
    """An undeclared ability takes effect at once."""
    ability = ability_of(play.combat[who], inputs.ability)
    assert ability is not None
    costs = False
    if ability.cost in ("free", "reaction"):
        costs = yield from acting.spend(play, who, ability.cost)
    attacks = yield from data.use(play, undeclared(who, ability, inputs))
    if costs:
        yield from exert(play, who)
    yield from reposte.answering(play, attacks)


# ---- speech, end of the turn


def speak_refusals(play: Play, who: Id, inputs: Speaking) -> Iterator[Illegal]:
    """At any time, by whoever can speak (HE-ACT-06)."""
    one = play.combat[who]
    if play.combat.status == "ended":
        yield acting.off_turn(play.combat, who, "speak")
    if one.has("dead"):
        yield Illegal("HE-WP-07", "dead", f"{one.name} is dead")
    yield from acting.voice(one)


def speak(play: Play, who: Id, inputs: Speaking) -> Procedure[None]:
    """It costs nothing (HE-ACT-06, HE-INC-01)."""
    yield Noted(f"“{inputs.text}”", who, rules=("HE-ACT-06",))


def end_turn_refusals(play: Play, who: Id, inputs: NoInputs) -> Iterator[Illegal]:
    if not counting(play.combat) or who not in play.combat.acting:
        yield acting.off_turn(play.combat, who, "end-turn")


def settled(play: Play, who: Id, inputs: Struct) -> Procedure[None]:
    """The slot does it (`slot`)."""
    yield from ()
