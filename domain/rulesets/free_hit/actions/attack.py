"""The actions that attack: `initiate`, `attack`, `extra-attack` and `feat-attack`."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace as replace_action
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Json
from domain.rulebook.action import Action
from domain.rulebook.declaration import NO_FIELD, Act, Refusal, refuse, refusing
from domain.rulebook.effects import Procedure, ask
from domain.rulebook.inputs import Enemy, InputKind, OwnWeapon
from domain.rulebook.play import Play
from domain.rulebook.reactions import prevented, refusal_now
from domain.rulesets.free_hit import payment
from domain.rulesets.free_hit import strike as strikes
from domain.rulesets.free_hit.attack import attack as resolve
from domain.rulesets.free_hit.attack import under_attack, zone
from domain.rulesets.free_hit.ends import this_round
from domain.rulesets.free_hit.facts import FEATS_USED, FREE_HITS, INITIATOR
from domain.rulesets.free_hit.numbers import apart, free_hit_slots
from domain.rulesets.free_hit.rules import action
from domain.rulesets.free_hit.sheet import ExtraAttack, Payment
from domain.rulesets.free_hit.states import in_fight, sheet
from domain.rulesets.free_hit.things import is_drawn, weapon_of


class Attack(Struct, frozen=True, forbid_unknown_fields=True):
    """Inputs of an attack.

    - `weapon`: if `null`, the unit uses the first weapon in hand.
    - `aim`: an aim or a body part.
    - `from_behind`: true to claim an attack from behind. The GM may have to confirm it.
    """

    target: Enemy
    weapon: OwnWeapon | None = None
    aim: str | None = None
    from_behind: bool = False


class PaidAttack(Attack, frozen=True, forbid_unknown_fields=True):
    pay_with: payment.WithAttack = "aa"


def feats_of(combat: Combat, who: Id) -> list[Id]:
    """Return the ids of the feats that give an attack."""
    return [feat.id for feat in sheet(combat[who]).feats.extra_attack]


class FeatAttack(Attack, frozen=True, forbid_unknown_fields=True, kw_only=True):
    feat: Annotated[str, InputKind("feat", proposes=feats_of)]


def aimed(act: Act[Attack]) -> Iterator[Illegal]:
    """Refuse an attack that step 1 of the attack procedure does not allow."""
    inputs = act.inputs
    return strikes.refusals(act.combat, act.who, inputs.target, inputs.weapon, inputs.aim)


def aimed_without_feats(act: Act[Attack]) -> Iterator[Illegal]:
    """Refuse an additional attack that step 1 of the attack procedure does not allow.

    Feats do not count for an additional attack.
    """
    inputs = act.inputs
    return strikes.refusals(
        act.combat, act.who, inputs.target, inputs.weapon, inputs.aim, feats=False
    )


def in_reach(act: Act[Attack], attacking: Action) -> Procedure[bool]:
    """Return true if the attack reaches its target.

    If positions are unknown, the GM decides (GAP-12). An attack that does not reach, or is no
    longer legal, costs nothing.
    """
    play, who, inputs = act.play, act.who, act.inputs
    weapon = weapon_of(act.actor, inputs.weapon)
    known = apart(act.combat, who, inputs.target) is not None
    if known or weapon is None or weapon.kind != "melee":
        return True
    asking = ask(zone(inputs.target, who, "FH-ATK-07"))
    answer = yield from under_attack(play, inputs.target, asking)
    refusal = refusal_now(play, who, attacking, inputs)
    if answer.option == "no":
        far = f"{inputs.target} is out of the reach of {who}"
        refusal = refuse("FH-ATK-07", "out-of-reach", far, "target")
    if refusal is not None:
        yield prevented(who, attacking, inputs, refusal)
    return refusal is None


def strike(act: Act[Attack], *, feats: bool = True) -> Procedure[bool]:
    """Run the attack procedure with a weapon. Return true if it hits."""
    inputs = act.inputs
    made = strikes.strike_with(
        act.combat, act.who, inputs.target, inputs.weapon, inputs.aim, inputs.from_behind
    )
    assert made is not None, "the refusals know the weapon"
    return resolve(act.play, replace(made, feats=feats))


def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Propose each weapon in hand at each other unit, with each aim that makes a difference."""
    attacker = play.combat[who]
    for weapon in sheet(attacker).weapons:
        if not is_drawn(attacker, weapon):
            continue
        for target in sorted(play.combat, key=lambda unit: not in_fight(play.combat, unit.id)):
            if target.id == who:
                continue
            if target.side == attacker.side and weapon is not sheet(attacker).weapons[0]:
                continue
            for aim in (None, "head", "legs", "arms", "eyes", "center-mass"):
                yield {
                    "target": target.id,
                    "weapon": weapon.id,
                    "aim": aim,
                    "from_behind": aim == "center-mass",
                }


@action(
    "initiate", "Attack before the battle", Attack,
    cost="none", category="attack", headline="Attack {target}[ with {weapon}] before the battle",
    rules={
        "FH-INI-05": "A unit that attacks before the battle is last in the lineup for the whole "
        "battle",
        "FH-INI-06": "The opening attack is possible only before the battle. It is free and "
        "resolved completely",
    },
    also=("FH-INI-07", "FH-INI-08"),
    refusals=(
        Refusal("FH-INI-06", "battle-begun", "the battle has begun already",
                lambda act: act.combat.status != "opening"),
        payment.able,
        aimed,
    ),
    propose=candidates,
    interjection=True,
)  # fmt: skip
def initiate(act: Act[Attack]) -> Procedure[None]:
    """Attack before the battle for free. The unit then acts last (FH-INI-05, FH-INI-06)."""
    if (yield from in_reach(act, initiate)):
        yield INITIATOR.set(act.who, True, rules=("FH-INI-05",))
        yield from strike(act)


@action(
    "attack", "Attack", PaidAttack,
    cost="1 attack action", category="attack", headline="Strike {target}[ with {weapon}]",
    rules={"FH-ATK-01": "One AA is one attack with one weapon on one target"},
    also=("FH-DMG-01",),
    refusals=(payment.wrong_kind("aa"), payment.lacking(Payment(aa=1)), aimed),
    propose=candidates,
)  # fmt: skip
def attack(act: Act[PaidAttack]) -> Procedure[None]:
    """Pay for the attack and strike (FH-ATK-01)."""
    if (yield from in_reach(act, attack)):
        yield from payment.pay(act.play, act.who, Payment(aa=1), "FH-ATK-01", "FH-TRN-04")
        yield from strike(act)


EXTRA = Payment(ma=1, ba=2)


@action(
    "extra-attack", "Additional attack", Attack,
    cost="1 move action and 2 bonus actions", category="attack",
    headline="Strike {target} once more[ with {weapon}]",
    rules={
        "FH-ACT-05": "An additional attack costs 1 MA and 2 BA, all of them unspent",
        "FH-ACT-06": "An additional attack has no benefit from feats and Strength",
        "FH-ACT-07": "An additional attack needs no earlier attack and uses no free-hit slot",
    },
    refusals=(payment.lacking(EXTRA, "FH-ACT-05"), aimed_without_feats),
    propose=candidates,
)  # fmt: skip
def extra_attack(act: Act[Attack]) -> Procedure[None]:
    """Pay for an additional attack, for which feats and Strength do not count.

    FH-ACT-05, FH-ACT-06, FH-ACT-07.
    """
    if (yield from in_reach(act, extra_attack)):
        yield from payment.pay(act.play, act.who, EXTRA, "FH-ACT-05", "FH-TRN-06")
        yield from strike(act, feats=False)


# ---- feat attack


def feat_of(attacker: Combatant, id: str) -> ExtraAttack | None:
    """Return the feat that gives the attack."""
    return next((feat for feat in sheet(attacker).feats.extra_attack if feat.id == id), None)


def in_time(act: Act[FeatAttack]) -> Iterator[Illegal]:
    """Refuse outside the unit's own turn, unless the feat interrupts (FH-FRE-13)."""
    feat = feat_of(act.actor, act.inputs.feat)
    own = act.who in act.combat.acting and not payment.mid_action(act.combat, act.who)
    if not payment.is_fought(act.combat) or not (own or (feat is not None and feat.interrupt)):
        yield payment.off_turn(act.combat, act.who, "feat-attack")


def feat_ready(act: Act[FeatAttack]) -> Iterator[Illegal]:
    """Refuse without a free-hit slot, or while the feat is not ready again (FH-FRE-13)."""
    combat, attacker = act.combat, act.actor
    yield from payment.able(act)
    feat = feat_of(attacker, act.inputs.feat)
    if feat is None:
        sentence = f"{attacker.name} has no feat {act.inputs.feat!r}"
        known = feats_of(combat, act.who)
        yield refuse("FH-FRE-13", "unknown-feat", sentence, "feat", known)
        return
    yield from aimed(act)
    if free_hit_slots(attacker).value < 1:
        sentence = "no free hit slot is left this round"
        yield refuse("FH-FRE-13", "no-free-hit-slot", sentence, NO_FIELD)
    used = FEATS_USED.of(attacker).get(feat.id)
    if used is not None and combat.round < used + feat.cooldown:
        sentence = f"{feat.id} is ready again in round {used + feat.cooldown}"
        yield refuse("FH-FRE-13", "feat-cooling-down", sentence, "feat")


def feat_candidates(play: Play, who: Id) -> Iterable[Mapping[str, Json]]:
    """Propose the inputs of every attack for each feat."""
    for feat in feats_of(play.combat, who):
        for inputs in candidates(play, who):
            yield {**inputs, "feat": feat}


@action(
    "feat-attack", "Attack of a feat", FeatAttack,
    cost="1 free hit slot", category="attack", headline="Strike {target}[ with {weapon}] by a feat",
    essential=("target", "weapon", "feat"),
    rules={"FH-FRE-13": "A feat's extra attack uses one slot and has a cool-down"},
    refusals=(in_time, feat_ready),
    propose=feat_candidates,
    interjection=True,
)  # fmt: skip
def feat_attack(act: Act[FeatAttack]) -> Procedure[None]:
    """Use a slot for an attack that a feat gives, with any weapon (FH-FRE-13)."""
    begun = replace_action(feat_attack, refusals=refusing((feat_ready,)))
    if not (yield from in_reach(act, begun)):
        return
    attacker = act.actor
    made = FREE_HITS.of(attacker) + 1
    yield FREE_HITS.set(act.who, made, rules=("FH-FRE-03", "FH-FRE-13"))
    used = {**FEATS_USED.of(attacker), act.inputs.feat: this_round(act.combat)}
    yield FEATS_USED.set(act.who, used, rules=("FH-FRE-13",))
    yield from strike(act)
