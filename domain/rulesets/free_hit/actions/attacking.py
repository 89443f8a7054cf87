"""The actions that attack: initiate, attack, extra-attack, feat-attack (FH-INI-06, FH-ACT-05)."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Annotated

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combatant, Id, Json
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure, ask
from domain.rulebook.inputs import Enemy, InputKind, OwnWeapon
from domain.rulebook.play import Play
from domain.rulebook.reactions import prevented, refusal_now
from domain.rulesets.free_hit import paying
from domain.rulesets.free_hit import strike as strikes
from domain.rulesets.free_hit.attack import attack as resolve
from domain.rulesets.free_hit.attack import under_attack, zone
from domain.rulesets.free_hit.facts import FEATS_USED, FREE_HITS, INITIATOR
from domain.rulesets.free_hit.numbers import apart, free_hit_slots
from domain.rulesets.free_hit.sheet import ExtraAttack, Payment
from domain.rulesets.free_hit.states import in_fight, sheet, this_round
from domain.rulesets.free_hit.things import is_drawn, weapon_of


class Attack(Struct, frozen=True, forbid_unknown_fields=True):
    """If `weapon` is null, the first in hand is used.

    `aim` is an aim or a body part. `from_behind` is a claim.
    """

    target: Enemy
    weapon: OwnWeapon | None = None
    aim: str | None = None
    from_behind: bool = False


class PaidAttack(Attack, frozen=True, forbid_unknown_fields=True):
    pay_with: paying.Kind = "aa"


class FeatAttack(Attack, frozen=True, forbid_unknown_fields=True, kw_only=True):
    feat: Annotated[str, InputKind("feat")]


def aimed(play: Play, who: Id, inputs: Attack, *, feats: bool = True) -> Iterator[Illegal]:
    """Step 1 of the attack procedure."""
    return strikes.refusals(play.combat, who, inputs.target, inputs.weapon, inputs.aim, feats=feats)


def in_reach(play: Play, who: Id, action: Action, inputs: Attack) -> Procedure[bool]:
    """Melee where it is not known who stands where: the GM rules whether it reaches (GAP-12).

    If it does not, or the attack is not legal any more, it costs nothing.
    """
    weapon = weapon_of(play.combat[who], inputs.weapon)
    known = apart(play.combat, who, inputs.target) is not None
    if known or weapon is None or weapon.kind != "melee":
        return True
    asking = ask(zone(inputs.target, who, "FH-ATK-07"))
    answer = yield from under_attack(play, inputs.target, asking)
    refusal = refusal_now(play, who, action, inputs)
    if answer.option == "no":
        far = f"{inputs.target} is out of the reach of {who}"
        refusal = Illegal("FH-ATK-07", "out-of-reach", far)
    if refusal is not None:
        yield prevented(who, action, inputs, refusal)
    return refusal is None


def strike(play: Play, who: Id, inputs: Attack, *, feats: bool = True) -> Procedure[None]:
    """Run the attack procedure with a weapon."""
    found = strikes.strike_with(
        play.combat, who, inputs.target, inputs.weapon, inputs.aim, inputs.from_behind
    )
    assert found is not None, "the refusals know the weapon"
    yield from resolve(play, replace(found, feats=feats))


def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Every weapon in hand at every other unit, with the aims that differ."""
    one = play.combat[who]
    for weapon in sheet(one).weapons:
        if not is_drawn(one, weapon):
            continue
        for other in sorted(play.combat, key=lambda other: not in_fight(play.combat, other.id)):
            if other.id == who:
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
    """The opening only (FH-INI-06)."""
    if play.combat.status != "opening":
        yield Illegal("FH-INI-06", "battle-begun", "the battle has begun already")
    yield from paying.able(play.combat, who)
    yield from aimed(play, who, inputs)


def initiate(play: Play, who: Id, inputs: Attack) -> Procedure[None]:
    """An attack before the battle: it costs nothing but the place (FH-INI-05, -06)."""
    if (yield from in_reach(play, who, INITIATE, inputs)):
        yield INITIATOR.set(who, True, rules=("FH-INI-05",))
        yield from strike(play, who, inputs)


INITIATE = Action(
    "initiate", Attack, initiate_refusals, candidates, "Attack before the battle",
    procedure=initiate, interjection=True, cost="none",
    rules=("FH-INI-05", "FH-INI-06", "FH-INI-07", "FH-INI-08"),
).shown("attack", "Attack {target}[ with {weapon}] before the battle")  # fmt: skip


# ---- attack


def attack_refusals(play: Play, who: Id, inputs: PaidAttack) -> Iterator[Illegal]:
    yield from paying.wrong_kind(inputs.pay_with, ("aa",))
    yield from paying.lacking(play.combat, who, Payment(aa=1))
    yield from aimed(play, who, inputs)


def attack(play: Play, who: Id, inputs: PaidAttack) -> Procedure[None]:
    """One AA = one attack with one weapon on one target (FH-ATK-01)."""
    if (yield from in_reach(play, who, ATTACK, inputs)):
        yield from paying.pay(play, who, Payment(aa=1), "FH-ATK-01", "FH-TRN-04")
        yield from strike(play, who, inputs)


ATTACK = Action(
    "attack", PaidAttack, attack_refusals, candidates, "Attack", procedure=attack, cost="1 AA",
    rules=("FH-ATK-01", "FH-DMG-01"),
).shown("attack", "Strike {target}[ with {weapon}]")  # fmt: skip


# ---- additional attack

EXTRA = Payment(ma=1, ba=2)


def extra_refusals(play: Play, who: Id, inputs: Attack) -> Iterator[Illegal]:
    """1 MA and 2 BA, all unspent (FH-ACT-05)."""
    yield from paying.lacking(play.combat, who, EXTRA, "FH-ACT-05")
    yield from aimed(play, who, inputs, feats=False)


def extra_attack(play: Play, who: Id, inputs: Attack) -> Procedure[None]:
    """A normal attack without feats and without Strength (FH-ACT-05, -06); no slot (FH-ACT-07)."""
    if (yield from in_reach(play, who, EXTRA_ATTACK, inputs)):
        yield from paying.pay(play, who, EXTRA, "FH-ACT-05", "FH-TRN-06")
        yield from strike(play, who, inputs, feats=False)


EXTRA_ATTACK = Action(
    "extra-attack", Attack, extra_refusals, candidates, "Additional attack", procedure=extra_attack,
    cost="1 MA + 2 BA", rules=("FH-ACT-05", "FH-ACT-06", "FH-ACT-07"),
).shown("attack", "Strike {target} once more[ with {weapon}]")  # fmt: skip


# ---- feat attack


def _feat(one: Combatant, id: str) -> ExtraAttack | None:
    return next((feat for feat in sheet(one).feats.extra_attack if feat.id == id), None)


def feat_refusals(play: Play, who: Id, inputs: FeatAttack) -> Iterator[Illegal]:
    """On the own turn, or at any prompt when the feat interrupts (FH-FRE-13)."""
    combat = play.combat
    feat = _feat(combat[who], inputs.feat)
    own = who in combat.acting and not paying.mid_action(combat, who)
    if not paying.is_fought(combat) or not (own or (feat is not None and feat.interrupt)):
        yield paying.off_turn(combat, who, "feat-attack")
    yield from feat_ready(play, who, inputs)


def feat_ready(play: Play, who: Id, inputs: FeatAttack) -> Iterator[Illegal]:
    """A slot, and the feat not cooling down (FH-FRE-13)."""
    combat = play.combat
    yield from paying.able(combat, who)
    feat = _feat(combat[who], inputs.feat)
    if feat is None:
        known = [one.id for one in sheet(combat[who]).feats.extra_attack]
        detail = f"{combat[who].name} has no feat {inputs.feat!r}"
        yield Illegal("FH-FRE-13", "unknown-feat", detail, known)
        return
    yield from aimed(play, who, inputs)
    if free_hit_slots(combat[who]).value < 1:
        yield Illegal("FH-FRE-13", "no-free-hit-slot", "no free hit slot is left this round")
    used = FEATS_USED.of(combat[who]).get(feat.id)
    if used is not None and combat.round < used + feat.cooldown:
        detail = f"{feat.id} is ready again in round {used + feat.cooldown}"
        yield Illegal("FH-FRE-13", "feat-cooling-down", detail)


def feat_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    for feat in sheet(play.combat[who]).feats.extra_attack:
        for inputs in candidates(play, who):
            yield {**inputs, "feat": feat.id}


def feat_attack(play: Play, who: Id, inputs: FeatAttack) -> Procedure[None]:
    """A free hit that a feat gives: no AA, one slot, any weapon (FH-FRE-13)."""
    begun = replace(FEAT_ATTACK, refusals=feat_ready)
    if not (yield from in_reach(play, who, begun, inputs)):
        return
    one = play.combat[who]
    made = FREE_HITS.of(one) + 1
    yield FREE_HITS.set(who, made, rules=("FH-FRE-03", "FH-FRE-13"))
    used = {**FEATS_USED.of(one), inputs.feat: this_round(play.combat)}
    yield FEATS_USED.set(who, used, rules=("FH-FRE-13",))
    yield from strike(play, who, inputs)


FEAT_ATTACK = Action(
    "feat-attack", FeatAttack, feat_refusals, feat_candidates, "Attack of a feat",
    procedure=feat_attack, interjection=True, cost="1 free hit slot", rules=("FH-FRE-13",),
).shown(
    "attack", "Strike {target}[ with {weapon}] by a feat", "target", "weapon", "feat"
)  # fmt: skip
