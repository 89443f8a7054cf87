"""Cast incantations and invocations, from their declaration to their effect.

A caster begins a spell in step 1, aims it in D1, and completes it in step 7 (VD-E, VD-TGT).
"""

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from domain.errors import Illegal, Malformed
from domain.record.combat import Combat, Combatant, Id
from domain.record.events import AnyEvent, ConditionGained
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.effects import Procedure, ask_gm
from domain.rulebook.inputs import distance, thing_of, told_by
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option, Prompt, choices
from domain.rulebook.ruleset import square
from domain.rulesets.vile_darkness.abilities import aimed_right, misses, spot, take_effect
from domain.rulesets.vile_darkness.deed import guarded
from domain.rulesets.vile_darkness.facts import (
    AIMED_AT_FALLEN,
    BEGUN,
    CASTING,
    COMMITTED,
    ENDING_ROUND,
    Casting,
    Intent,
    Spot,
)
from domain.rulesets.vile_darkness.harm import (
    Results,
    in_hand,
    no_longer_casting,
    spell_lost,
    stop_maintaining,
)
from domain.rulesets.vile_darkness.notation import (
    SEGMENTS,
    counts_as_spell,
    needs_concentration,
    segments_of,
)
from domain.rulesets.vile_darkness.numbers import fallen
from domain.rulesets.vile_darkness.outcomes import of_ability
from domain.rulesets.vile_darkness.rules import rule
from domain.rulesets.vile_darkness.sheet import Ability
from domain.rulesets.vile_darkness.slots import (
    completes_now,
    completion,
    kind_of,
    part,
    rank,
    rank_in,
    use_spell,
)


class Aim(Spot, frozen=True, forbid_unknown_fields=True):
    """Inputs with the target of a spell: a combatant, a square or an object."""


# ---- begun


@rule("VD-DECL-05", "A declared spell need not name its target")
@rule("VD-ABIL-04", "Activation and casting begin on segment 1 of the round of their declaration")
@rule("VD-TGT-01", "A declaration needs no target")
def begin(
    combatant: Combatant, action: str, ability: Ability, round: int, target: Spot | None
) -> Iterator[AnyEvent]:
    """Begin a casting on segment 1 of the round of its declaration (VD-ABIL-04, VD-E-03)."""
    rules = ("VD-ABIL-04", "VD-CONC-08")
    if needs_concentration(ability):
        yield from stop_maintaining(combatant, "another concentration", "VD-CONC-07")
    if counts_as_spell(ability) is True:
        yield from use_spell(combatant)
    yield COMMITTED.set(combatant.id, Intent(action), rules=("VD-MAJ-01",))
    casting = Casting(ability.id, segments_of(ability), round, 0, target)
    yield CASTING.set(combatant.id, casting, rules=rules)
    yield ConditionGained(combatant.id, "casting", rules=rules)
    yield BEGUN.set(combatant.id, action, rules=("VD-DECL-01",))


@rule("VD-E-05", "An invocation of 1 segment resolves in D1")
def is_quick(ability: Ability) -> bool:
    """Return true for an invocation of 1 segment, which resolves in D1 (VD-E-05, GAP-08)."""
    return ability.category == "invocation" and segments_of(ability) <= 1


def quick(combatant: Combatant) -> bool:
    """Return true if the spell in progress resolves in D1."""
    ability = in_hand(combatant)
    return ability is not None and is_quick(ability)


# ---- aimed


def must_announce(combat: Combat, combatant: Combatant) -> bool:
    """Return true if the spell completes in this round and its target is not announced.

    VD-TGT-02.
    """
    casting = completes_now(combatant)
    return casting is not None and casting.announced < combat.round


@rule("VD-GRP-03", "Casters announce the targets of declared spells in D1")
def aims_in(combat: Combat, combatant: Combatant, slot: str) -> bool:
    """Return true if the caster announces a target in this slot, which is D1 of its rank.

    VD-GRP-03, VD-TGT-02. After a delay, the rank is LOW (VD-DELAY-02, GAP-16).
    """
    if not slot.startswith("group/") or kind_of(combat, part(slot)) != "innate":
        return False
    return rank(combat, combatant) == rank_in(slot) and must_announce(combat, combatant)


def _aim_refusals(play: Play, who: Id, inputs: Aim) -> Iterator[Illegal]:
    combatant = play.combat[who]
    ability = in_hand(combatant)
    if ability is not None:  # if the sheet has lost the ability, the spell is lost later
        given = next((name for name in Aim.__struct_fields__ if getattr(inputs, name)), "combatant")
        target = aimed_at(play.combat, combatant, inputs)
        if target == Spot():
            raise Malformed("/inputs/combatant", "name a combatant, a square or an object")
        aimed_right(play.combat, who, ability, target, f"/inputs/{given}")
    return iter(())


def aimed_at(combat: Combat, combatant: Combatant, inputs: Aim) -> Spot:
    """Return the target of the inputs, or by default the earlier target or the caster (GAP-41)."""
    casting, ability = CASTING.of(combatant), in_hand(combatant)
    square(inputs.square, "/inputs/square")
    given = Spot(inputs.combatant, inputs.square, inputs.object)
    if ability is None:
        return given
    if given == Spot() and casting is not None and casting.target is not None:
        return casting.target
    return spot(combat, combatant.id, ability, given)


def _targets(combat: Combat, who: Id) -> list[Id]:
    """Return the targets to propose: the declared target first, then suitable targets.

    For an ability that affects only its user, return only the caster.
    """
    caster, ability = combat[who], in_hand(combat[who])
    if ability is None or ability.targets == "self":
        return [who] if _on_itself(caster) else [combatant.id for combatant in combat]
    casting = CASTING.of(caster)
    declared = casting.target.combatant if casting and casting.target else None
    toward = told_by(thing_of(caster, "abilities", ability.id) or {})

    def rank_of(other: Combatant) -> tuple[bool, bool, bool, int]:
        is_wrong = toward != "either" and (other.side == caster.side) == (toward == "harm")
        is_wrong |= other.id == who and toward != "help"
        return other.id != declared, is_wrong, fallen(other), distance(combat, who, other.id)

    return [combatant.id for combatant in sorted(combat, key=rank_of)]


def _on_itself(combatant: Combatant) -> bool:
    ability = in_hand(combatant)
    return ability is not None and ability.targets == "self"


TARGET = Option(
    "target",
    Aim,
    _aim_refusals,
    lambda play, who: ({"combatant": id} for id in _targets(play.combat, who)),
    "Name the target",
).shown("choose", "Aim at {combatant}", "combatant", "square", "object")
AIMING = (TARGET, Option("none", label="No target").shown("pass"))


def default_aim(combatant: Combatant) -> str:
    """Return `target` if the spell has a target already or affects only its caster (GAP-41).

    Otherwise return `none`.
    """
    casting = CASTING.of(combatant)
    known = casting is not None and casting.target is not None
    return "target" if known or _on_itself(combatant) else "none"


@rule("VD-TGT-02", "The caster announces the target in D1 of its rank")
def target_prompt(combat: Combat, who: Id) -> Prompt:
    """Return the prompt for the target, in D1 of the caster's rank (VD-TGT-02)."""
    combatant = combat[who]
    casting = CASTING.of(combatant)
    return Prompt(
        kind="choice",
        name="spell-target",
        who=who,
        text=f"At what does {who} direct its spell?",
        options=AIMING,
        rules=("VD-TGT-02",),
        default=default_aim(combatant),
        data={"ability": casting.ability if casting else None},
        stands=lambda now: aims_in(now, now[who], now.phase) and not ENDING_ROUND.of(now),
    )


@rule("VD-TGT-03", "Without an announcement, the spell is lost in that D1")
def announce(play: Play, who: Id, option: str, inputs: Aim) -> Procedure[None]:
    """Set the announced target. Without a target, the spell is lost (VD-TGT-03)."""
    combatant = play.combat[who]
    casting = CASTING.of(combatant)
    assert casting is not None  # otherwise there is no prompt
    if option == "none":
        yield from list(spell_lost(combatant, "no target was announced", "VD-TGT-03"))
        return
    target = aimed_at(play.combat, combatant, inputs)
    down = target.combatant is not None and fallen(play.combat[target.combatant])
    if down != AIMED_AT_FALLEN.of(combatant):
        yield AIMED_AT_FALLEN.set(who, down, rules=("VD-TGT-02",))
    named = replace(casting, target=target, announced=play.combat.round)
    yield CASTING.set(who, named, rules=("VD-TGT-02",))


# ---- complete


def complete(play: Play, casters: list[Id]) -> Procedure[list[Id]]:
    """Return the casters that still reach their targets. The spells of the others are lost."""
    good: list[Id] = []
    for who in casters:
        combatant = play.combat[who]
        if CASTING.of(combatant) is None:
            continue
        why = next(fails(play.combat, combatant), None)
        friend = fallen_friend(play.combat, combatant)
        if friend is not None and (yield from reaches_fallen(play, who, friend)):
            combatant = play.combat[who]
            why = next(fails(play.combat, combatant, although_fallen=True), None)
        if CASTING.of(play.combat[who]) is None:
            continue
        if why is not None:
            yield from list(spell_lost(play.combat[who], why.detail, why.rule))
        else:
            good.append(who)
    return good


ON_FALLEN = choices("lost", "resolves")


def fallen_friend(combat: Combat, combatant: Combatant) -> Id | None:
    """Return the fallen friend that is the target of a helping touch, or `None`."""
    casting, ability = CASTING.of(combatant), in_hand(combatant)
    if casting is None or casting.target is None or ability is None:
        return None
    target = combat.combatants.get(casting.target.combatant or "")
    helps = ability.range_ft == "touch" and ability.damage is None
    if (
        target is None
        or not helps
        or target.side != combatant.side
        or AIMED_AT_FALLEN.of(combatant)
    ):
        return None
    return target.id if fallen(target) and not target.left else None


def reaches_fallen(play: Play, who: Id, friend: Id) -> Procedure[bool]:
    """Ask the GM if a helping touch still resolves on a fallen friend (GAP-52 c)."""
    answer = yield from ask_gm(
        "fallen-friend",
        f"{friend} has fallen since {who} directed its touch at it. What becomes of the spell?",
        ON_FALLEN,
        "lost",
        rules=("VD-CONC-08",),
        data={"caster": who, "target": friend},
        stands=lambda now: fallen_friend(now, now[who]) == friend,
    )
    return answer.option == "resolves" or not fallen(play.combat[friend])


def fails(
    combat: Combat, combatant: Combatant, *, although_fallen: bool = False
) -> Iterator[Illegal]:
    """Refuse a spell whose target has fallen, is gone or is out of reach (GAP-52)."""
    casting, ability = CASTING.of(combatant), in_hand(combatant)
    if ability is None:
        yield refuse("VD-TGT-03", "gone", "the ability is gone", NO_FIELD)
    elif casting is None or casting.target is None:
        yield refuse("VD-TGT-03", "gone", "it has no target", NO_FIELD)
    else:
        target = casting.target.combatant
        known = although_fallen or AIMED_AT_FALLEN.of(combatant)
        stood = ability.targets not in ("point", "area") and not known
        if target is not None and stood and fallen(combat[target]):
            yield refuse("VD-CONC-08", "gone", "its target has fallen", NO_FIELD)
        yield from misses(combat, combatant.id, ability, casting.target)


def resolved(play: Play, casters: list[Id]) -> Procedure[list[tuple[Id, Ability, Spot]]]:
    """Return the spells that complete now, and end their castings before any spell rolls."""
    released: list[tuple[Id, Ability, Spot]] = []
    for who in (yield from complete(play, casters)):
        combatant = play.combat[who]
        casting, ability = CASTING.of(combatant), in_hand(combatant)
        if casting is None or casting.target is None or ability is None:
            continue
        yield from list(no_longer_casting(combatant, "complete", "VD-E-01"))
        target = casting.target
        yield of_ability(who, ability, "cast", spot=target, rules=("VD-E-01",))
        released.append((who, ability, target))
    return released


def effects(
    play: Play, spells: list[tuple[Id, Ability, Spot]], results: Mapping[Id, Results]
) -> Procedure[None]:
    """Roll for spells that complete at the same moment, and collect the results."""
    for who, ability, target in spells:
        doing = take_effect(play, who, ability, target, results[who])
        yield from guarded(play, who, "cast", doing, results[who])


def not_completed(combatant: Combatant) -> Iterator[AnyEvent]:
    """End a spell that should have completed in this round. The spell is lost."""
    if completes_now(combatant) is not None:
        yield from spell_lost(combatant, "it was not completed", "VD-TGT-03")


def runs_on(combatant: Combatant) -> Iterator[AnyEvent]:
    """Carry the spell into the next round, with the segments that are left (VD-TIME-03)."""
    casting = CASTING.of(combatant)
    if casting is not None:
        left = completion(combatant, casting) - SEGMENTS
        yield CASTING.set(combatant.id, replace(casting, left=left), rules=("VD-TIME-03",))
