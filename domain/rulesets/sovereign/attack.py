"""The procedure of every attack, from its first window to damage or Shock (section 4.2.1)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, TypeVar

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant
from domain.record.events import AnyEvent, Judged, Rolled, Term
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.effects import (
    Pause,
    Procedure,
    ask_gm,
    lastly,
    roll,
    stopped,
    stopped_by,
    while_able,
)
from domain.rulebook.play import Play
from domain.rulebook.presence import in_fight
from domain.rulebook.prompts import choices
from domain.rulesets.sovereign import arms, board, checks, costs, damage, harm, items
from domain.rulesets.sovereign.abilities import Moment
from domain.rulesets.sovereign.blow import MODIFIER, Attack, Blow, out_of, refusals, spell_refusals
from domain.rulesets.sovereign.facts import COUNTS, lay
from domain.rulesets.sovereign.numbers import (
    able,
    ac_terms,
    attribute,
    data_modifiers,
    effective_ac,
    level,
    options,
    sheet_of,
)
from domain.rulesets.sovereign.rules import rule
from domain.rulesets.sovereign.windows import Batch, adjusted, after_roll, window

T = TypeVar("T")

Outcome = Literal["hit", "miss", "prevented", "lost"]


@dataclass
class Standing:
    """The state of an attack after its roll.

    - `added` is the sum that Instants have added to the roll.
    - `outcome` is the outcome that Affray has recorded last.
    - `fixed` is an outcome that an Instant has set, whatever the AC (SOV-INST-09).
    """

    rolled: Rolled
    outcome: str
    added: int = 0
    fixed: Outcome | None = None

    @property
    def total(self) -> int:
        """Return the current total of the roll."""
        return self.rolled.total + self.added


@rule("SOV-SCRN-09", "Every kind of attack can be screened")
def strike(
    play: Play, blow: Blow, *, declared: bool = True, batch: bool = False
) -> Procedure[tuple[Outcome, Blow]]:
    """Make one attack, and return its outcome and the final blow.

    - The attack stops if the attacker is disabled.
    - If `batch` is true, all attackers roll before any damage takes effect. All hits then count,
      even if an attacker falls (SOV-INST-04).
    - If a screener has taken the attack, the final blow names the screener (SOV-SCRN-09).
    """
    struck = struck_out(play, blow, declared, batch)
    result = yield from while_able(play, blow.attacker, struck, blow.kind, RESULTS, at=blow.target)
    return result or ("prevented", blow)


RESULTS = "results"
"The stage of a batch at which Affray rolls damage. From here on, nothing stops a blow."

LANDING = "landing"
"The stage of a batch after all rolls, at which all damage takes effect."


def struck_out(
    play: Play, blow: Blow, declared: bool, batch: bool
) -> Procedure[tuple[Outcome, Blow]]:
    """Open the window, let screeners block, roll, and return the outcome and the final blow."""
    yield from costs.busy(play.combat, blow.attacker)
    if declared:
        moment = Moment("declared", blow.attacker, blow.kind, blow.target, attack=True, adds=True)
        before = yield from window(play, moment)
        blow = replace(blow, added=before.added)
    met = yield from while_legal(play, blow, checks.screened(play, blow))
    if met is None:
        return "lost", blow
    thrown = yield from while_legal(play, met, throw(play, met))
    if thrown is None:
        return "lost", met
    blow, helpers, d20 = thrown
    stands = Standing(d20, d20.outcome)
    ended = False

    def landing() -> Procedure[Outcome]:
        nonlocal ended
        outcome = yield from landed(play, blow, stands, helpers, batch)
        ended = True
        return outcome

    outcome = yield from lastly(
        landing(), lambda: afterwards(play.combat, blow, None if ended else stands)
    )
    return outcome, blow


def throw(play: Play, blow: Blow) -> Procedure[tuple[Blow, int, Rolled]]:
    """Add the GM's modifier, roll the d20, and count the members of the swarm (SOV-SWARM-04)."""
    blow = yield from situation(play, blow)

    def helpers() -> int:
        return sum(able(play.combat, who) for who in blow.swarm)

    d20 = yield from roll_attack(play, blow, helpers)
    return blow, helpers(), d20


def while_legal(play: Play, blow: Blow, procedure: Procedure[T]) -> Procedure[T | None]:
    """Run a part of an attack. If the attack becomes illegal, it is lost."""
    return stopped_by(play, blow.attacker, procedure, blow.kind, lambda: illegal(play.combat, blow))


@rule("SOV-SNAP-05", "A snap attack can kill an attacker before the damage is rolled")
@rule("SOV-SHOVE-03", "A shove deals no damage and no Shock")
def landed(
    play: Play, blow: Blow, stands: Standing, helpers: int, batch: bool
) -> Procedure[Outcome]:
    """Let Instants answer, and then deal damage or Shock (SOV-INST-07).

    An Instant can end the attack (SOV-SNAP-05).
    """
    outcome = yield from judged(play, blow, stands, helpers)
    stop = illegal(play.combat, blow)
    if stop is not None:
        yield stopped(blow.attacker, blow.kind, stop)
        return "lost"
    if batch:
        yield Pause(RESULTS)
    if blow.manoeuvre or blow.spell:  # SOV-SHOVE-03
        return outcome
    if outcome == "hit":
        before = stands.fixed or play.combat[blow.target].has("total-defense")

        def spared() -> Illegal | None:  # simultaneous blows all count, even if an attacker falls
            away = None if batch else illegal(play.combat, blow)
            return away or (None if before else dodged(play.combat, blow, stands.total))

        rolling = damage.roll_damage(play, blow)
        dice = yield from stopped_by(play, blow.attacker, rolling, "damage", spared)
        if dice is not None:
            yield from deal(play, blow, helpers, dice, batch=batch)
            return outcome
        if not batch and illegal(play.combat, blow) is not None:
            return "lost"
        yield turned(play.combat, blow, stands, "miss", "SOV-TD-04")
    strength = damage.strength(play.combat, blow.now(play.combat), helpers)
    if batch:
        yield Pause(LANDING)
    yield from damage.shock(play, blow, strength)
    return "miss"


WHEREVER = ("out-of-reach", "out-of-range", "no-line-of-sight", "target-not-located")
"Refusals that do not apply to a screener, because it stands in the way (SOV-SCRN-11)."


@rule("SOV-INST-07", "The waiting action continues if it is still possible, and is lost otherwise")
@rule("SOV-SCRN-11", "A redirected attack is never out of reach")
def illegal(combat: Combat, blow: Blow) -> Illegal | None:
    """Return the reason why the attack must stop, or `None` (SOV-INST-07).

    A screener takes the attack at any distance (SOV-SCRN-11).
    """
    free = WHEREVER if blow.redirected else ()
    stop = next((refusal for refusal in against(combat, blow) if refusal.code not in free), None)
    if not in_fight(combat, blow.target):
        stop = out_of(blow.mode, f"{blow.target} is dead or gone")
    return None if stop is None else refuse("SOV-INST-07", stop.code, stop.detail, NO_FIELD)


def against(combat: Combat, blow: Blow) -> Iterator[Illegal]:
    """Yield the refusals of the attack in the current state.

    A spell with an area aims at its centre, so Affray does not check each target.
    """
    if blow.spell is None:
        inputs = Attack(target=blow.target, weapon=blow.weapon.id)
        yield from refusals(combat, blow.attacker, inputs, blow.mode)
    elif blow.spell.radius_ft is None:
        yield from spell_refusals(combat, blow.attacker, blow.spell, blow.target)


@rule("SOV-TD-04", "After the roll, the same total is compared with the raised AC")
def dodged(combat: Combat, blow: Blow, total: int) -> Illegal | None:
    """Return a refusal if Total Defense makes the hit a miss before damage (SOV-TD-04)."""
    if combat[blow.target].has("total-defense") and verdict(combat, blow, total) == "miss":
        detail = f"{blow.target} defends itself"
        return refuse("SOV-TD-04", "total-defense", detail, NO_FIELD)
    return None


def situation(play: Play, blow: Blow) -> Procedure[Blow]:
    """Ask the GM for a modifier, and return the blow with it (SOV-ATK-06).

    There is a prompt only if `ask_modifiers` is set or a player proposes a modifier.
    """
    if not options(play.combat).ask_modifiers and not blow.proposed:
        return blow
    asks = f" {blow.attacker} proposes {blow.proposed:+d}." if blow.proposed else ""
    answer = yield from ask_gm(
        "attack-modifiers",
        f"{blow.attacker} attacks {blow.target}.{asks} Which modifier do you add?",
        (MODIFIER,),
        "modifier",
        rules=("SOV-ATK-06",),
        data={
            "attacker": blow.attacker,
            "target": blow.target,
            "weapon": blow.weapon.id,
            "proposed": blow.proposed,
        },
    )
    return replace(blow, gm=blow.gm + answer.inputs.modifier)


# ---- the roll


@rule("SOV-INST-10", "A changed outcome opens the window once more")
def judged(play: Play, blow: Blow, stands: Standing, helpers: int) -> Procedure[Outcome]:
    """Let Instants answer until the outcome no longer changes (SOV-INST-10)."""
    first = verdict(play.combat, blow, stands.total)
    if first != stands.outcome:  # older releases rolled against the AC at the declaration
        yield turned(play.combat, blow, stands, first, "SOV-ATK-01")

    def again() -> Procedure[Rolled]:
        yield turned(play.combat, blow, stands, "void", "SOV-INST-01")
        stands.rolled = yield from roll_attack(play, blow, lambda: helpers)
        stands.outcome = stands.rolled.outcome
        return stands.rolled

    outcome = first
    while True:
        before = outcome
        moment = Moment(
            "attack-rolled",
            blow.attacker,
            blow.kind,
            blow.target,
            total=stands.total,
            outcome=before,
            attack=True,
            harmless=before == "miss" and not shocks(play.combat, blow, helpers),
        )
        batch = yield from window(play, moment)
        _, more = yield from adjusted(batch, stands.rolled, again)
        stands.added += more
        stands.fixed = yield from contradictions(play, blow, batch, before, stands)
        outcome = stands.fixed or verdict(play.combat, blow, stands.total)
        if outcome != stands.outcome:
            yield turned(play.combat, blow, stands, outcome, "SOV-INST-10")
        elif batch.defended:
            yield turned(play.combat, blow, stands, outcome, "SOV-TD-04")
        elif more:
            yield turned(play.combat, blow, stands, outcome, "SOV-INST-01")
        if outcome == before:
            return outcome


def shocks(combat: Combat, blow: Blow, helpers: int) -> bool:
    """Return true if a miss would deal Shock to a target without a shield (SOV-SHOVE-03)."""
    bare = blow.manoeuvre or blow.spell is not None
    return not bare and damage.hurts(combat, blow.now(combat), helpers)


def turned(combat: Combat, blow: Blow, stands: Standing, now: str, rule: str) -> Judged:
    """Return the event that records a new outcome of the attack, with the current AC."""
    target, before = combat.combatants.get(blow.target), stands.outcome
    ac = stands.rolled.target if target is None else effective_ac(target)
    stands.outcome = now
    return Judged(
        blow.attacker, "attack", now, stands.total, ac, blow.target, before, rules=(rule,)
    )


@rule("SOV-ATK-01", "An attack hits if 1d20 and bonuses are at least the AC")
def roll_attack(play: Play, blow: Blow, helpers: Callable[[], int]) -> Procedure[Rolled]:
    """Roll 1d20 and all terms against the AC (SOV-ATK-01)."""
    return roll(
        blow.attacker,
        "attack",
        "1d20",
        rules=("SOV-ATK-01", "SOV-ATK-05"),
        terms=lambda: attack_terms(play.combat, blow.now(play.combat), helpers()),
        target=lambda: ac_terms(play.combat[blow.target]),
        against=blow.target,
        judge=lambda faces, total, target: "hit" if total >= target else "miss",
    )


@rule("SOV-ATK-05", "A natural 1 or 20 on an attack has no special meaning")
def verdict(combat: Combat, blow: Blow, total: int) -> Outcome:
    """Return `hit` or `miss`.

    A total equal to the AC hits. A natural 1 or 20 has no special meaning (SOV-ATK-01, SOV-ATK-05).
    """
    return "hit" if total >= effective_ac(combat[blow.target]) else "miss"


CONFLICT = choices("defender", "attacker")


@rule("SOV-INST-05", "The GM decides if instants contradict each other")
@rule("SOV-INST-09", "An outcome that an ability changes counts in every respect")
def contradictions(
    play: Play, blow: Blow, batch: Batch, before: Outcome, stands: Standing
) -> Procedure[Outcome | None]:
    """Return the outcome that abilities set, or `None` without such an ability (SOV-INST-09).

    If two abilities disagree, the GM decides (SOV-INST-05).
    """
    wants: list[Outcome] = []
    for ability in batch.uses:
        kinds = [effect.type for effect in ability.effects]
        if "hit-to-miss" in kinds and (before == "hit" or "miss-to-hit" not in kinds):
            wants.append("miss")
        elif "miss-to-hit" in kinds:
            wants.append("hit")
    outcome = verdict(play.combat, blow, stands.total)
    if wants and outcome != before and stands.fixed is None:
        wants.append(outcome)  # Total Defense in the same window also sets an outcome
    if not wants:
        return stands.fixed
    if len(set(wants)) == 1:
        return wants[0]
    answer = yield from ask_gm(
        "instant-conflict",
        f"{blow.attacker} attacks {blow.target}, and two Instants disagree. Whose Instant holds?",
        CONFLICT,
        "defender",
        rules=("SOV-INST-05",),
        data={"attacker": blow.attacker, "target": blow.target, "outcome": before},
    )
    return "miss" if answer.option == "defender" else "hit"


@rule("SOV-ATK-04", "An NPC's attack bonus is its HD, unless the sheet has one")
def attack_terms(combat: Combat, blow: Blow, helpers: int) -> tuple[Term, ...]:
    """Return the terms added to the d20.

    SOV-ATK-01, SOV-ATK-02, SOV-ATK-03, SOV-ATK-04, SOV-ATK-06.
    """
    combatant = combat[blow.attacker]
    page = sheet_of(combatant)
    bonus = page.attack_bonus
    if bonus is None:  # an NPC's HD (SOV-ATK-04)
        bonus = page.hd if page.kind == "npc" else 0
    return (
        Term("attack bonus", bonus, "SOV-ATK-01"),
        *weapon_terms(combat, blow),
        *(
            Term(extra.reason or "attack", extra.value, "SOV-ATK-01")
            for extra in page.attack_modifiers
            if damage.matches(extra, blow)
        ),
        *data_modifiers(combatant, "attack", "SOV-ATK-06"),
        *blow.added,
        *situational(combat, blow, helpers),
    )


@rule("SOV-ATK-03", "A skill level of −1 counts as −1")
def weapon_terms(combat: Combat, blow: Blow) -> tuple[Term, ...]:
    """Return the terms of attribute, skill and magic, or none for a spell."""
    combatant = combat[blow.attacker]
    if blow.spell:
        return ()
    return (
        Term(blow.attribute.upper(), attribute(combatant, blow.attribute), "SOV-ATK-02"),
        Term(blow.skill, level(combatant, blow.skill) or 0, "SOV-ATK-03"),
        Term("magic", blow.weapon.magic_bonus, "SOV-ATK-01"),
    )


@rule("SOV-LOS-10", "Cover counts in melee too, and the GM can set it for any pair")
@rule("SOV-SWARM-04", "Each other able member adds +2 to hit and +1 damage")
@rule(
    "SOV-PRONE-02",
    "Prone targets give shots −2 and melee +2. Prone attackers have −4 in melee and half their "
    "rate",
)
@rule("SOV-ATK-06", "Situational modifiers all add up")
@rule("SOV-DUAL-05", "Every attack with two weapons has −1 to hit")
def situational(combat: Combat, blow: Blow, helpers: int) -> Iterator[Term]:
    """Yield the situational modifiers, which all add up (SOV-ATK-06)."""
    combatant, target = combat[blow.attacker], combat[blow.target]
    near = board.adjacent(combat, combatant.id, target.id)
    melee = blow.mode == "melee"
    if target.has("prone"):  # SOV-PRONE-02
        if melee or near:
            yield Term("prone-adjacent", 2, "SOV-PRONE-02")
        else:
            yield Term("prone-distant", -2, "SOV-PRONE-02")
    if melee and combatant.has("prone"):
        yield Term("attacker-prone", -4, "SOV-PRONE-02")
    if not melee:
        yield from shooting(combat, blow)
    half = board.cover(combat, combatant.id, target.id)
    if half != "none":
        yield Term(f"{half}-cover", -2 if half == "half" else -4, "SOV-LOS-10")
    yield Term("snap", -4 if blow.snap else 0, "SOV-SNAP-01")
    yield Term("charge", 2 if blow.charge else 0, "SOV-CHG-01")
    yield Term("swarm", 2 * helpers, "SOV-SWARM-04")
    yield Term("dual", -1 if combatant.has("dual-wielding") else 0, "SOV-DUAL-05")
    yield Term("gm", blow.gm, "SOV-ATK-06")


@rule("SOV-RNG-05", "A shot beyond normal range has −2")
def shooting(combat: Combat, blow: Blow) -> Iterator[Term]:
    """Yield the modifiers of range, melee and darkness."""
    feet = board.feet_apart(combat, blow.attacker, blow.target)
    if blow.weapon.range is not None and feet is not None and feet > blow.weapon.range.normal:
        yield Term("long-range", -2, "SOV-RNG-05")
    if not blow.spell and arms.in_melee(combat, blow.attacker):
        yield Term("ranged-in-melee", -4, "SOV-RNG-03")
    if not board.sees(combat, blow.attacker, blow.target):
        yield Term("unseen", -4, "SOV-ATK-07")


# ---- damage, and the weapon after the attack


@rule("SOV-SWARM-05", "The damage bonus stays within the usual maximum and does not add to Shock")
@rule("SOV-SWARM-09", "A swarm of one makes an ordinary attack")
def deal(
    play: Play, blow: Blow, helpers: int, fallen: Rolled, *, batch: bool = False
) -> Procedure[None]:
    """Deal the damage of a hit, which is at least the Shock of a miss (SOV-DMG).

    - Instants can repeat the dice or add to them (SOV-INST-01).
    - The bonus of a swarm stays within the usual maximum.
    - A swarm without other members has no bonus (SOV-SWARM-09).
    """
    again = partial(damage.roll_damage, play, blow)
    dice, more = yield from after_roll(play, fallen, again, attack=True)
    parts = [Term("damage", dice.total, "SOV-DMG-01"), Term("instant", more, "SOV-INST-01")]
    blow = blow.now(play.combat)
    most = damage.highest(blow, damage.damage_terms(play.combat, blow)) + more
    if helpers:
        over = max(0, min(helpers, dice.total + more + helpers - most))
        parts.append(Term("swarm", helpers, "SOV-SWARM-04"))
        parts.append(Term("usual maximum", -over, "SOV-SWARM-05"))
    total = sum(part.value for part in parts)
    shocking = damage.would_be(play.combat, blow, helpers)
    least = max(shocking, options(play.combat).minimum_hit_damage)
    rule = "SOV-DMG-03" if shocking and shocking == least else "SOV-DMG-04"
    parts.append(Term("at least", max(0, least - total), rule))
    stood = batch and harm.stands(play.combat, blow.target)
    if batch:
        yield Pause(LANDING)
    yield from damage.struck(play, blow, max(total, least), "damage", tuple(parts), stood=stood)


def afterwards(combat: Combat, blow: Blow, unfinished: Standing | None) -> Iterator[AnyEvent]:
    """Unload the bow or drop the thrown weapon, after a hit or a miss (SOV-RLD-01, SOV-RNG-06).

    If the attacker fell first, its `unfinished` attack has no effect (SOV-INST-07).
    """
    combatant = combat[blow.attacker]
    if unfinished is not None:
        yield turned(combat, blow, unfinished, "prevented", "SOV-INST-07")
    if blow.mode != "ranged" or blow.spell:
        return
    if arms.is_bow(blow.weapon):
        yield from items.shot(combat, combatant, blow.weapon)
    elif arms.is_thrown(blow.weapon):
        yield from thrown(combat, combatant, blow)


@rule("SOV-RNG-06", "A thrown piece lies in the target's square")
def thrown(combat: Combat, combatant: Combatant, blow: Blow) -> Iterator[AnyEvent]:
    """Put one thrown piece into the target's square (SOV-RNG-06)."""
    rules = ("SOV-RNG-06",)
    left = max(0, arms.count(combatant, blow.weapon) - 1)
    target = combat.combatants.get(blow.target)
    piece = arms.lying(combatant, blow.weapon, (target or combatant).position, 1)
    yield COUNTS.set(combatant.id, {**COUNTS.of(combatant), blow.weapon.id: left}, rules=rules)
    yield lay(combat, piece, rule="SOV-RNG-06")
    if not left:
        yield arms.put(combatant, {blow.weapon.id: "dropped"}, "SOV-RNG-06")
