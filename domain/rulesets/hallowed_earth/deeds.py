"""The declared actions, done: who may, with what, at whom, and what comes of it (4.1).

Each `do_*` rolls first, pauses, and then lets the results fall: turns at the same number pause
for each other, so that nobody's fall prevents the other's blow (HE-TIE-03). It returns the attacks
that it made, for the Repostes that they provoke.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Json
from domain.record.events import (
    ConditionGained,
    FactSet,
    Stabilized,
    Term,
)
from domain.rulebook.effects import Pause, Procedure, roll
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option, Prompt
from domain.rulesets.hallowed_earth import acting, attack, data, injuries
from domain.rulesets.hallowed_earth.attack import Blow, Hit
from domain.rulesets.hallowed_earth.declaring import (
    TOOLS,
    Checking,
    ability_of,
    item_of,
    spell_of,
)
from domain.rulesets.hallowed_earth.ends import round_end
from domain.rulesets.hallowed_earth.harm import exert
from domain.rulesets.hallowed_earth.numbers import (
    arm_works,
    arms_of,
    declaration,
    disabled,
    feet,
    hostile,
    in_fight,
    is_down,
    options,
    sheet,
    weapon_of,
)
from domain.rulesets.hallowed_earth.sheet import Weapon

Attacks = tuple[tuple[Id, Id], ...]
"""(attacker, target) of each attack that was made."""


@dataclass(frozen=True)
class Deed:
    """A declared action that is being done."""

    who: Id
    action: str
    declared: Mapping[str, Any]
    inputs: Any
    tied: bool = False

    @property
    def tool(self) -> str | None:
        """The weapon, spell, item, ability or skill that was declared."""
        found: str | None = self.declared.get(TOOLS.get(self.action, ""))
        return found

    def targets(self) -> tuple[Id, ...]:
        """Whom it is aimed at."""
        many: tuple[Id, ...] = getattr(self.inputs, "targets", ())
        one: Id | None = getattr(self.inputs, "target", None)
        return many or (() if one is None else (one,))


def at(deed: Deed, target: Id) -> Deed:
    """The same deed, aimed at somebody."""
    inputs = msgspec.structs.replace(deed.inputs, target=target)
    if getattr(inputs, "targets", ()):
        inputs = msgspec.structs.replace(inputs, targets=())
    return replace(deed, inputs=inputs)


# ---- may it be done?


def refusals(action: str) -> Callable[[Play, Id, Any], Iterator[Illegal]]:
    """Turn, condition, budget, declaration, resources, distance (4.3)."""

    def check(play: Play, who: Id, inputs: Any) -> Iterator[Illegal]:
        stop = list(acting.turn(play.combat, who, action))
        if stop:
            yield from stop
            return
        combat, one = play.combat, play.combat[who]
        declared = declaration(combat, who)
        for target in (getattr(inputs, "target", None), *getattr(inputs, "targets", ())):
            if target is not None:
                combat[target]
        deed = Deed(who, action, declared, inputs)
        if declared.get("action") == action:
            yield from conditions(one, deed)
            yield from acting.rib(one)
        else:
            yield from acting.body(one)
        yield from acting.budget(combat, who, "standard")
        yield from bound(one, deed)
        if declared.get("action") == action:
            yield from resources(combat, one, deed)
            for target in deed.targets():
                yield from aimed(combat, deed, target)

    return check


def bound(one: Combatant, deed: Deed) -> Iterator[Illegal]:
    """The declaration binds: that action with that tool, or none (HE-DECL-11)."""
    action, declared = deed.action, deed.declared
    tool = TOOLS.get(action)
    defends_only = declared.get("action") == "defensive-attack" and "weapon" not in declared
    if defends_only and action in ("attack", "defensive-attack"):
        detail = "it was declared without a weapon: there is no attack"
        yield Illegal("HE-DATK-05", "no-attack-declared", detail)
    elif declared.get("action") != action:
        detail = f"{one.name} has declared {declared.get('action', 'nothing')}"
        yield Illegal("HE-DECL-11", "not-declared", detail, _allowed(declared))
    elif tool is not None:
        named = getattr(deed.inputs, tool)
        if named is not None and named != declared.get(tool):
            detail = f"{one.name} has declared {action} with {declared.get(tool)}"
            yield Illegal("HE-DECL-11", "not-declared", detail, _allowed(declared))


def _allowed(declared: Mapping[str, Any]) -> tuple[str, ...]:
    done = declared.get("action")
    return ("end-turn",) if done in (None, "no-action") else (done, "end-turn")


def conditions(one: Combatant, deed: Deed) -> Iterator[Illegal]:
    """Paralyzed, speechless, an arm that does not work (HE-BLUNT-08 to -16)."""
    needs_body, needs_speech = True, False
    hand: str | None = None
    match deed.action:
        case "attack" | "defensive-attack":
            weapon = next((each for each in sheet(one).weapons if each.id == deed.tool), None)
            if weapon is not None and not arm_works(one, weapon):
                detail = f"the arm for {weapon.id} is injured"
                yield Illegal(arm_rule(one, weapon), "arm-disabled", detail)
        case "cast":
            spell = spell_of(one, deed.tool)
            needs_body = spell is None or spell.needs_body
            needs_speech = spell is not None and spell.needs_speech
        case "use-ability":
            ability = ability_of(one, deed.tool)
            needs_body = ability is None or ability.needs_body
            needs_speech = ability is not None and ability.needs_speech
        case "intimidate":
            needs_body, needs_speech = False, True
        case "use-item" | "throw-item":
            item = next((each for each in sheet(one).items if each.id == deed.tool), None)
            hand = item.hand if item is not None else None
            bad = disabled(one, "arm-cannot-hold", "hand-useless")
            if deed.action == "throw-item":
                bad |= disabled(one, "arm-cannot-attack")
            if bad & set(arms_of(hand)) or (hand is None and len(bad) == 2):
                yield Illegal("HE-BLUNT-12", "arm-disabled", "the hand for it is injured")
            chews = deed.action == "use-item" and item is not None and item.chewed
            if chews and one.has("cannot-chew"):
                yield Illegal("HE-BLUNT-16", "cannot-chew", f"{one.name} cannot chew")
        case "no-action" | "skill-check":
            needs_body = deed.action != "no-action"
        case _:
            pass
    if needs_body:
        yield from acting.body(one)
    if needs_speech:
        yield from acting.voice(one)


def arm_rule(one: Combatant, weapon: Weapon) -> str:
    """The injury that keeps the arm from working."""
    rules = {
        "hand-useless": "HE-BLUNT-12",
        "arm-cannot-hold": "HE-BLUNT-11",
        "arm-cannot-attack": "HE-BLUNT-08",
    }
    needed = set(arms_of(weapon.hand))
    return next(rules[each] for each in rules if disabled(one, each) & needed)


def resources(combat: Combat, one: Combatant, deed: Deed) -> Iterator[Illegal]:
    """The thing is still there; Mana and Stress suffice."""
    tool = deed.tool
    match deed.action:
        case "attack" | "defensive-attack":
            if tool is not None and weapon_of(one, tool) is None:
                yield Illegal("HE-ITEM-02", "no-item", f"{tool} is not at hand any more")
        case "use-item" | "throw-item":
            if item_of(one, tool) is None:
                yield Illegal("HE-ITEM-01", "no-item", f"no {tool} is left")
        case "cast":
            spell = spell_of(one, tool)
            if spell is not None:
                yield from data.cannot_pay(one, spell.mana_cost, 0, deed.inputs.stress_paid)
        case "use-ability":
            ability = ability_of(one, tool)
            if ability is not None:
                yield from data.cannot_pay(
                    one, ability.mana_cost, ability.stress_cost, deed.inputs.stress_paid
                )
        case _:
            pass


def blow_of(one: Combatant, deed: Deed) -> Blow | None:
    """The attack in the deed, if there is one."""
    match deed.action:
        case "attack" | "defensive-attack":
            weapon = next((each for each in sheet(one).weapons if each.id == deed.tool), None)
            return None if weapon is None else attack.of_weapon(weapon)
        case "cast":
            spell = spell_of(one, deed.tool)
            if spell is not None and spell.attack is not None:
                return attack.of_attack("spell", spell.id, spell.attack, spell.range_ft)
        case "throw-item":
            item = next((each for each in sheet(one).items if each.id == deed.tool), None)
            if item is not None and item.throw is not None:
                return attack.of_attack("thrown", item.id, item.throw, None)
        case "use-ability":
            ability = ability_of(one, deed.tool)
            if ability is not None and ability.attack is not None:
                return attack.of_attack("spell", ability.id, ability.attack, ability.range_ft)
        case _:
            pass
    return None


def aimed(combat: Combat, deed: Deed, target: Id) -> Iterator[Illegal]:
    """Why the deed cannot be done to this target: distance, or its state."""
    one, other = combat[deed.who], combat[target]
    blow = blow_of(one, deed)
    if blow is not None:
        yield from attack.reaches(combat, deed.who, target, blow)
    elif deed.action == "stabilize":
        yield from _can_be_stabilized(one, other)
    else:
        thing: Any = {"cast": spell_of, "use-ability": ability_of}.get(deed.action)
        found = None if thing is None else thing(one, deed.tool)
        most = None if found is None else found.range_ft
        far = feet(one.position, other.position)
        if most is not None and far is not None and far > most:
            detail = f"{other.name} is {far} ft away, {deed.tool} carries {most} ft"
            yield Illegal("HE-ATK-07", "out-of-range", detail)


def _can_be_stabilized(one: Combatant, other: Combatant) -> Iterator[Illegal]:
    """Down, not yet stabilized, next to it or itself (HE-STAB-04, -10)."""
    if other.has("dead"):
        yield Illegal("HE-WP-07", "dead", f"{other.name} is dead")
    elif not is_down(other):
        yield Illegal("HE-STAB-04", "not-down", f"{other.name} is neither incapacitated nor dying")
    elif other.has("stabilized"):
        yield Illegal("HE-STAB-04", "already-stabilized", f"{other.name} is stabilized")
    far = feet(one.position, other.position)
    if far is not None and far > 5:
        yield Illegal("HE-STAB-10", "out-of-reach", f"{other.name} is {far} ft away, not 5 ft")


def legal_targets(combat: Combat, deed: Deed) -> list[Id]:
    """Whom the deed could be aimed at: foes first, then friends, then itself if it makes sense."""
    others = [one.id for one in combat if one.id != deed.who and in_fight(combat, one.id)]
    foes = [who for who in others if hostile(combat, deed.who, who)]
    friends = [who for who in others if who not in foes]
    harms = deed.action == "intimidate" or blow_of(combat[deed.who], deed) is not None
    itself = [] if harms else [deed.who]
    return [
        who for who in (*foes, *friends, *itself) if next(aimed(combat, deed, who), None) is None
    ]


def candidates(action: str) -> Callable[[Play, Id], Iterator[Mapping[str, Json]]]:
    """Every legal target; without one the target is asked for."""

    def found(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
        declared = declaration(play.combat, who)
        if action == "skill-check":
            yield {"tn": 10}
            yield {"tn": 15}
        elif action not in ("full-defense", "no-action"):
            deed = Deed(who, action, declared, None)
            for target in legal_targets(play.combat, deed):
                yield {"target": target}
        yield {}

    return found


def needs_target(combat: Combat, deed: Deed) -> bool:
    """Whether the deed makes no sense without a target."""
    if deed.action in ("attack", "defensive-attack", "stabilize", "intimidate"):
        return True
    if blow_of(combat[deed.who], deed) is not None:
        return True
    found: Any = {"cast": spell_of, "use-ability": ability_of}.get(deed.action)
    thing = None if found is None else found(combat[deed.who], deed.tool)
    return thing is not None and thing.damage is not None


def target_prompt(combat: Combat, deed: Deed) -> Prompt:
    """At whom? (HE-TIE-04)"""
    legal = legal_targets(combat, deed)
    return Prompt(
        kind="choice",
        name="target",
        who=deed.who,
        text=f"Whom does {deed.who} aim at ({deed.action} {deed.tool or ''})?",
        options=(*(Option(who) for who in legal), Option("none")),
        rules=("HE-TIE-04", "HE-DECL-02"),
        default="none",
        data={"action": deed.action, "targets": legal},
    )


# ---- doing it


def do_attack(play: Play, deed: Deed) -> Procedure[Attacks]:
    """Each strike is a roll and a hit of its own, all at one target (HE-ATK-08)."""
    (target,) = deed.targets()[:1]
    blow = blow_of(play.combat[deed.who], deed)
    assert blow is not None
    costs = yield from acting.spend(play, deed.who, "standard")
    if blow.kind == "thrown":  # it leaves the thrower, hit or miss (HE-ITEM-02)
        yield from leaves(play, deed.who, f"weapon:{blow.name}")
    yield from blows(play, deed, (target,), blow)
    yield from pay_with_blood(play, deed.who, costs)
    return ((deed.who, target),)


def blows(play: Play, deed: Deed, targets: Sequence[Id], blow: Blow) -> Procedure[None]:
    """The strikes: one after the other, or, in a tied slot, all dice before all results."""
    waiting: list[tuple[Hit, tuple[injuries.Injury, ...]]] = []
    for target in targets:
        for _ in range(blow.strikes):
            hit = yield from attack.strike(play, deed.who, target, blow)
            if hit is None:
                continue
            if deed.tied:
                injured = yield from attack.injury_of(play, hit)
                waiting.append((hit, injured))
            else:
                yield from attack.at_once(play, hit)
    yield Pause("results")
    for hit, injured in waiting:
        yield from attack.land(play, hit, injured)


def pay_with_blood(play: Play, who: Id, costs: bool) -> Procedure[None]:
    """The Wound Point of an action that somebody down has taken (HE-INC-04)."""
    if costs:
        yield from exert(play, who)


def leaves(play: Play, who: Id, thing: str) -> Procedure[None]:
    lost = {**play.combat[who].facts.get("lost", {}), thing: "thrown"}
    yield FactSet(who, "lost", lost, rules=("HE-ITEM-02",))


def do_cast(play: Play, deed: Deed) -> Procedure[Attacks]:
    """Mana or Stress, the casting roll, then what the spell does (HE-MAG)."""
    who = deed.who
    spell = spell_of(play.combat[who], deed.tool)
    assert spell is not None
    costs = yield from acting.spend(play, who, "standard")
    yield from data.pay(play, who, spell.mana_cost, 0, deed.inputs.stress_paid)
    works = True
    if spell.casting_bonus is not None:
        rolled = yield from roll(
            who,
            "casting",
            options(play.combat).check_dice,
            rules=("HE-MAG-02",),
            terms=(Term(spell.id, spell.casting_bonus, "HE-MAG-02"),),
            target=spell.casting_tn,
            judge=lambda faces, total: "cast" if total >= (spell.casting_tn or 0) else "wasted",
        )
        works = rolled.total >= (spell.casting_tn or 0)
    attacks: Attacks = ()
    if works:
        attacks = yield from data.take_effect(play, deed, data.of_spell(spell))
    else:
        yield Pause("results")
    yield from pay_with_blood(play, who, costs)
    return attacks


def do_use_item(play: Play, deed: Deed) -> Procedure[Attacks]:
    """A consumable is used up when the action resolves (HE-ITEM-01)."""
    item = item_of(play.combat[deed.who], deed.tool)
    assert item is not None
    costs = yield from acting.spend(play, deed.who, "standard")
    if item.kind != "other":
        yield from use_up(play, deed.who, item.id)
    yield from data.take_effect(play, deed, data.of_item(item))
    yield from pay_with_blood(play, deed.who, costs)
    return ()


def do_throw_item(play: Play, deed: Deed) -> Procedure[Attacks]:
    """It leaves the thrower, hit or miss (HE-ITEM-02)."""
    item = item_of(play.combat[deed.who], deed.tool)
    assert item is not None
    costs = yield from acting.spend(play, deed.who, "standard")
    yield from use_up(play, deed.who, item.id)
    attacks = yield from data.take_effect(play, deed, data.of_thrown(item))
    yield from pay_with_blood(play, deed.who, costs)
    return attacks


def use_up(play: Play, who: Id, item: str) -> Procedure[None]:
    """One less of it."""
    used = dict(play.combat[who].facts.get("used", {}))
    used[item] = used.get(item, 0) + 1
    yield FactSet(who, "used", used, rules=("HE-ITEM-01",))


def do_full_defense(play: Play, deed: Deed) -> Procedure[Attacks]:
    """+4 Defense and the Reposte, from now to the end of the round (HE-FDEF-02, -05)."""
    costs = yield from acting.spend(play, deed.who, "standard")
    yield ConditionGained(
        deed.who, "full-defense", until=(round_end(play.combat.round),), rules=("HE-FDEF-02",)
    )
    yield from pay_with_blood(play, deed.who, costs)
    return ()


def do_stabilize(play: Play, deed: Deed) -> Procedure[Attacks]:
    """A Heal check against 10 + the worst single wound (HE-STAB-01 to -03)."""
    (target,) = deed.targets()[:1]
    wounds = play.combat[target].facts.get("wounds", [])
    number = 10 + max((int(kept["amount"]) for kept in wounds), default=0)
    costs = yield from acting.spend(play, deed.who, "standard")
    bonus = sheet(play.combat[deed.who]).skills.get("heal", 0)
    rolled = yield from roll(
        deed.who,
        "heal",
        options(play.combat).check_dice,
        rules=("HE-STAB-01",),
        terms=(Term("Heal", bonus, "HE-STAB-01"),),
        target=number,
        against=target,
        judge=lambda faces, total: "stabilized" if total >= number else "not stabilized",
    )
    yield Pause("results")
    other = play.combat[target]
    if rolled.total >= number and is_down(other) and not other.has("dead", "stabilized"):
        yield ConditionGained(target, "stabilized", source=deed.who, rules=("HE-STAB-02",))
        yield Stabilized(target, deed.who, rules=("HE-STAB-02",))
    yield from pay_with_blood(play, deed.who, costs)
    return ()


def do_intimidate(play: Play, deed: Deed) -> Procedure[Attacks]:
    """The highest result of the round opposes the monster's morale (HE-MOR-05)."""
    (target,) = deed.targets()[:1]
    costs = yield from acting.spend(play, deed.who, "standard")
    bonus = sheet(play.combat[deed.who]).skills.get("intimidation", 0)
    rolled = yield from roll(
        deed.who,
        "intimidation",
        options(play.combat).check_dice,
        rules=("HE-MOR-05",),
        terms=(Term("Intimidation", bonus, "HE-MOR-05"),),
        against=target,
    )
    yield Pause("results")
    if sheet(play.combat[target]).kind == "monster":
        before = play.combat[target].facts.get("intimidated")
        highest = rolled.total if before is None else max(before, rolled.total)
        yield FactSet(target, "intimidated", highest, rules=("HE-MOR-05",))
    yield from pay_with_blood(play, deed.who, costs)
    return ()


def do_ability(play: Play, deed: Deed) -> Procedure[Attacks]:
    """A declared ability: a Standard Action."""
    costs = yield from acting.spend(play, deed.who, "standard")
    attacks = yield from data.use(play, deed)
    yield from pay_with_blood(play, deed.who, costs)
    return attacks


def do_skill_check(play: Play, deed: Deed) -> Procedure[Attacks]:
    """1d20 + skill ≥ TN; the GM names the TN if nobody has (4.1, 11)."""
    costs = yield from acting.spend(play, deed.who, "standard")
    yield from skill_check(play, deed.who, deed.tool or "", deed.inputs)
    yield Pause("results")
    yield from pay_with_blood(play, deed.who, costs)
    return ()


def skill_check(play: Play, who: Id, skill: str, inputs: Checking) -> Procedure[None]:
    """The roll; −5 to Balance for each Crushed Foot (HE-BLUNT-01)."""
    one = play.combat[who]
    feet_crushed = len(one.all("crushed-foot")) if skill.lower() == "balance" else 0
    number = inputs.tn
    yield from roll(
        who,
        "skill",
        options(play.combat).check_dice,
        rules=("HE-MOD-10",),
        terms=(
            Term(skill, sheet(one).skills.get(skill, 0), "HE-MOD-10"),
            Term("Crushed Foot", -5 * feet_crushed, "HE-BLUNT-01"),
        ),
        target=number,
        judge=lambda faces, total: (
            "" if number is None else "success" if total >= number else "failure"
        ),
    )


DEEDS: Mapping[str, Callable[[Play, Deed], Procedure[Attacks]]] = {
    "attack": do_attack,
    "defensive-attack": do_attack,
    "cast": do_cast,
    "use-item": do_use_item,
    "throw-item": do_throw_item,
    "full-defense": do_full_defense,
    "stabilize": do_stabilize,
    "intimidate": do_intimidate,
    "use-ability": do_ability,
    "skill-check": do_skill_check,
}
