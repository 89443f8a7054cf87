"""The actions that attack: initiate, attack, extra-attack, feat-attack (FH-INI-06, FH-ACT-05)."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Json
from domain.record.events import FactSet
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulesets.free_hit import attack as attacks
from domain.rulesets.free_hit import paying
from domain.rulesets.free_hit.numbers import (
    AIMS,
    free_hit_slots,
    free_hits_made,
    in_fight,
    is_drawn,
    sheet,
    this_round,
)
from domain.rulesets.free_hit.sheet import ExtraAttack, Payment


class Attack(Struct, frozen=True, forbid_unknown_fields=True):
    """`weapon` null = the first in hand; `aim` an aim or a body part; `from_behind` a claim."""

    target: Id
    weapon: str | None = None
    aim: str | None = None
    from_behind: bool = False


class FeatAttack(Attack, frozen=True, forbid_unknown_fields=True, kw_only=True):
    feat: str


def aimed(combat: Combat, who: Id, inputs: Attack, *, feats: bool = True) -> Iterator[Illegal]:
    """Step 1 of the attack procedure."""
    if inputs.aim is not None and inputs.aim not in AIMS:
        yield Illegal("FH-AIM-02", "unknown-aim", f"{inputs.aim!r} is no aim", tuple(AIMS))
    yield from attacks.refusals(combat, who, inputs.target, inputs.weapon, inputs.aim, feats=feats)
    if not in_fight(combat, inputs.target):
        detail = f"{combat[inputs.target].name} is out of the fight"
        yield Illegal("FH-SEQ-06", "out-of-reach", detail)


def strike(play: Play, who: Id, inputs: Attack, *, feats: bool = True) -> Procedure[None]:
    """Run the attack procedure with a weapon."""
    found = attacks.strike_with(
        play.combat, who, inputs.target, inputs.weapon, inputs.aim, inputs.from_behind
    )
    assert found is not None, "the refusals know the weapon"
    yield from attacks.attack(play, replace(found, feats=feats))


def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Every weapon in hand at every other unit, with the aims that differ."""
    one = play.combat[who]
    for weapon in sheet(one).weapons:
        if not is_drawn(one, weapon):
            continue
        for other in play.combat:
            if other.id == who or not in_fight(play.combat, other.id):
                continue
            if other.side == one.side and weapon is not sheet(one).weapons[0]:
                continue
            for aim in (None, "head", "legs", "arms", "eyes", "center-mass"):
                yield {
                    "target": other.id,
                    "weapon": weapon.id,
                    "aim": aim,
                    "from_behind": aim == "center-mass",
                }


# ---- initiate


def initiate_refusals(play: Play, who: Id, inputs: Attack) -> Iterator[Illegal]:
    if play.combat.status != "opening":
        yield Illegal("FH-INI-06", "battle-begun", "the battle has begun already")
    yield from paying.able(play.combat, who)
    yield from aimed(play.combat, who, inputs)


def initiate(play: Play, who: Id, inputs: Attack) -> Procedure[None]:
    """An attack before the battle: it costs nothing but the place (FH-INI-05, -06)."""
    yield FactSet(who, "initiator", True, rules=("FH-INI-05",))
    yield from strike(play, who, inputs)


# ---- attack


def attack_refusals(play: Play, who: Id, inputs: Attack) -> Iterator[Illegal]:
    yield from paying.turn(play.combat, who)
    yield from paying.lacking(play.combat, who, Payment(aa=1))
    yield from aimed(play.combat, who, inputs)


def attack(play: Play, who: Id, inputs: Attack) -> Procedure[None]:
    """One AA = one attack with one weapon on one target (FH-ATK-01)."""
    yield from paying.pay(play, who, Payment(aa=1), "FH-ATK-01", "FH-TRN-04")
    yield from strike(play, who, inputs)


# ---- additional attack

EXTRA = Payment(ma=1, ba=2)


def extra_refusals(play: Play, who: Id, inputs: Attack) -> Iterator[Illegal]:
    yield from paying.turn(play.combat, who)
    yield from paying.lacking(play.combat, who, EXTRA, "FH-ACT-05")
    yield from aimed(play.combat, who, inputs, feats=False)


def extra_attack(play: Play, who: Id, inputs: Attack) -> Procedure[None]:
    """A normal attack without feats and without Strength (FH-ACT-05, -06); no slot (FH-ACT-07)."""
    yield from paying.pay(play, who, EXTRA, "FH-ACT-05", "FH-TRN-06")
    yield from strike(play, who, inputs, feats=False)


# ---- feat attack


def _feat(one: Combatant, id: str) -> ExtraAttack | None:
    return next((feat for feat in sheet(one).feats.extra_attack if feat.id == id), None)


def feat_refusals(play: Play, who: Id, inputs: FeatAttack) -> Iterator[Illegal]:
    """On the own turn, or at any prompt when the feat interrupts (FH-FRE-13)."""
    combat = play.combat
    feat = _feat(combat[who], inputs.feat)
    known = [one.id for one in sheet(combat[who]).feats.extra_attack]
    if combat.status != "running" or (
        who not in combat.acting and not (feat is not None and feat.interrupt)
    ):
        yield paying.off_turn(combat, who, "feat-attack")
    yield from paying.able(combat, who)
    if feat is None:
        detail = f"{combat[who].name} has no such feat"
        yield Illegal("FH-FRE-13", "feat-cooling-down", detail, known)
        return
    yield from aimed(combat, who, inputs)
    if free_hit_slots(combat[who]) < 1:
        yield Illegal("FH-FRE-13", "no-free-hit-slot", "no free hit slot is left this round")
    ready = combat[who].facts.get("feats_used", {}).get(feat.id)
    if ready is not None and combat.round < ready + feat.cooldown:
        detail = f"{feat.id} is ready again in round {ready + feat.cooldown}"
        yield Illegal("FH-FRE-13", "feat-cooling-down", detail)


def feat_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    for feat in sheet(play.combat[who]).feats.extra_attack:
        for inputs in candidates(play, who):
            yield {**inputs, "feat": feat.id}


def feat_attack(play: Play, who: Id, inputs: FeatAttack) -> Procedure[None]:
    """A free hit that a feat gives: no AA, one slot, any weapon (FH-FRE-13)."""
    one = play.combat[who]
    yield FactSet(who, "free_hits", free_hits_made(one) + 1, rules=("FH-FRE-03", "FH-FRE-13"))
    used = {**one.facts.get("feats_used", {}), inputs.feat: this_round(play.combat)}
    yield FactSet(who, "feats_used", used, rules=("FH-FRE-13",))
    yield from strike(play, who, inputs)
