"""The windows of every action, in which combatants can use Instants (SOV-INST).

An Instant may be an attack, and every attack has windows. To avoid an import cycle, this module
finds the actions by name in the ruleset.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from msgspec import structs

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Json, Square
from domain.record.events import EffectResolved, Rolled, Term
from domain.rulebook import grid
from domain.rulebook.action import Action
from domain.rulebook.declaration import refuse
from domain.rulebook.effects import Procedure, ask_all, interrupt, roll, together
from domain.rulebook.play import Play
from domain.rulebook.prompts import Answer, Option, Prompt
from domain.rulebook.reachability import standing
from domain.rulebook.reactions import carry_out
from domain.rulebook.ruleset import read
from domain.rulebook.secrecy import knows_of
from domain.rulesets.sovereign import abilities, conditions, costs, harm
from domain.rulesets.sovereign.abilities import Moment
from domain.rulesets.sovereign.numbers import able, disciplined, sheet_of
from domain.rulesets.sovereign.rules import rule
from domain.rulesets.sovereign.sheet import Ability, Effect

PASS = Option("pass")


@dataclass
class Batch:
    """The results of one window.

    - `uses` has the abilities that combatants have used.
    - `waiting` has the Instants that wait for a square of the path.
    - `defended` is true if the target has taken Total Defense.
    """

    uses: list[Ability] = field(default_factory=list)
    waiting: list[Answer] = field(default_factory=list)
    defended: bool = False

    @property
    def effects(self) -> tuple[Effect, ...]:
        """Return the effects of the used abilities, in order."""
        return tuple(effect for ability in self.uses for effect in ability.effects)

    @property
    def added(self) -> tuple[Term, ...]:
        """Return the terms that abilities add to the coming roll."""
        return tuple(
            Term(ability.name, effect.value, "SOV-INST-01")
            for ability in self.uses
            for effect in ability.effects
            if effect.type == "modifier"
        )


@rule("SOV-INST-01", "Windows open after a declaration, after attack rolls and after other rolls")
def window(play: Play, moment: Moment) -> Procedure[Batch]:
    """Ask every combatant with a legal Instant, and resolve all answers together.

    SOV-INST-01, SOV-INST-02.
    """
    prompts = list(questions(play, moment))
    answers = yield from ask_all(prompts)
    chosen = [answer for answer in answers if answer.option != "pass"]
    later = [answer for answer in chosen if moment.path and getattr(answer.inputs, "at", None)]
    batch = Batch(waiting=later)
    yield from resolve(play, moment, [answer for answer in chosen if answer not in later], batch)
    return batch


def declared(
    play: Play, who: Id, action: str, target: Id | None = None, path: tuple[Square, ...] = ()
) -> Procedure[tuple[Moment, Batch]]:
    """Open the window after an action is declared and paid, before its effect."""
    moment = Moment("declared", who, action, target, path)
    batch = yield from window(play, moment)
    return moment, batch


@rule("SOV-INST-02", "At a window everybody with a legal instant is asked at once")
def questions(play: Play, moment: Moment) -> Iterator[Prompt]:
    """Yield one prompt for each able combatant with a legal Instant (SOV-INST-02)."""
    for combatant in play.combat:
        if not able(play.combat, combatant.id) or play.combat.status != "running":
            continue
        attacked = moment.attack and combatant.id == moment.target
        if not attacked and not knows_of(play.combat, combatant.id, moment.actor):
            continue
        options = list(instants(play, combatant.id, moment))
        if any(_open(play, combatant.id, option, moment) for option in options):
            yield question(play.combat, combatant.id, moment, options)


def question(combat: Combat, who: Id, moment: Moment, options: Sequence[Action]) -> Prompt:
    """Return the prompt `instant` of a combatant."""
    before = (combat[who].budget, combat[who].has("holding"))
    involved = [id for id in (moment.actor, moment.target) if id is not None]

    def stands(now: Combat) -> bool:
        if any(now[id].left for id in involved) or not able(now, who):
            return False
        return (now[who].budget, now[who].has("holding")) == before

    data: dict[str, Json] = {
        "window": moment.name,
        "attacker" if moment.attack else "mover": moment.actor,
        "actor": moment.actor,
        "action": moment.action,
        "target": moment.target,
        "path": [list(step) for step in moment.path],
        "total": moment.total,
        "outcome": moment.outcome,
    }
    return Prompt(
        kind="reaction",
        name="instant",
        who=who,
        text=f"{moment.actor}'s {told(moment)}. Does {who} act at once?",
        options=(*options, PASS),
        rules=("SOV-INST-01", "SOV-INST-02"),
        default="pass",
        data=data,
        stands=stands,
    )


def told(moment: Moment) -> str:
    """Return the progress of the action, such as "melee attack hits".

    The text omits the total, because only the roller's side sees the total.
    """
    action = moment.action.replace("-", " ")
    if moment.name == "declared":
        return f"{action} is declared"
    verb = {"hit": "hits", "miss": "misses"}.get(moment.outcome or "")
    if verb is not None:
        return f"{action} {verb}"
    return f"{action} is rolled{f' ({moment.outcome})' if moment.outcome else ''}"


def instants(play: Play, who: Id, moment: Moment) -> Iterator[Action]:
    """Yield the Instants that this combatant could use at this moment (SOV-INST-02).

    Each option keeps the refusals of its action.
    """
    actions = play.ruleset.actions
    combatant = play.combat[who]
    if moment.name != "rolled":
        if moment.attack and who == moment.target:
            yield actions["total-defense"]
        if combatant.side != play.combat[moment.actor].side and disciplined(combatant):
            yield snap(actions["snap-attack"], moment)
        if who != moment.actor and combatant.has("holding"):
            yield trigger(actions["trigger-held"], moment)
        if any(spell.action == "instant" for spell in sheet_of(combatant).spells):
            yield quick(actions["cast-spell"])
    if any(True for _ in abilities.fitting(combatant, moment)):
        yield fitting(actions["use-ability"], moment)


def snap(action: Action, moment: Moment) -> Action:
    """Return the option of a Snap Attack on the actor, now or at a square of the actor's path."""

    def refusals(play: Play, who: Id, inputs: Any) -> Iterator[Illegal]:
        yield from off_path(moment, inputs.at)
        there = Play(play.ruleset, as_if(play.combat, moment, inputs.at))
        yield from action.refusals(there, who, inputs)

    def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
        for raw in action.candidates(play, who):
            if raw["target"] == moment.actor:
                yield raw
                for step in moment.path:
                    yield {**raw, "at": list(step)}

    return replace(action, refusals=refusals, candidates=candidates)


def trigger(action: Action, moment: Moment) -> Action:
    """Return the option of a held turn, now or at a square of the actor's path."""

    def refusals(play: Play, who: Id, inputs: Any) -> Iterator[Illegal]:
        yield from off_path(moment, inputs.at)

    return replace(action, refusals=refusals)


def quick(action: Action) -> Action:
    """Return the option to cast a spell that is an Instant."""

    def slow(play: Play, who: Id, id: str) -> bool:
        spells = sheet_of(play.combat[who]).spells
        return any(spell.id == id and spell.action != "instant" for spell in spells)

    def refusals(play: Play, who: Id, inputs: Any) -> Iterator[Illegal]:
        if slow(play, who, inputs.spell):
            detail = f"{inputs.spell} is no Instant"
            yield refuse("SOV-INST-02", "missing-data", detail, "spell")
        yield from action.refusals(play, who, inputs)

    def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
        for raw in action.candidates(play, who):
            if not slow(play, who, raw["spell"]):
                yield raw

    return replace(action, refusals=refusals, candidates=candidates)


def off_path(moment: Moment, at: tuple[int, ...] | None) -> Iterator[Illegal]:
    """Refuse a square off the mover's path, where an Instant could never happen (SOV-INST-08)."""
    if at is not None and moment.path and grid.square(at) not in moment.path:
        path = [str(list(step)) for step in moment.path]
        detail = f"{grid.written(at)} is no square of the path of {moment.actor}"
        yield refuse("SOV-INST-08", "path-blocked", detail, "at", path)


def fitting(action: Action, moment: Moment, batch: Batch | None = None) -> Action:
    """Return the option to use an ability that fits the window.

    The option adds each used ability to `batch`.
    """

    def refusals(play: Play, who: Id, inputs: Any) -> Iterator[Illegal]:
        yield from ability_refusals(play, who, inputs, moment)

    def used(play: Play, who: Id, inputs: Any) -> Procedure[None]:
        ability = yield from use_instant(play, who, inputs, moment.target)
        if ability is not None and batch is not None:
            batch.uses.append(ability)

    return replace(action, refusals=refusals, procedure=used)


def _open(play: Play, who: Id, option: Action, moment: Moment) -> bool:
    """Return true if the combatant can use the option legally and to some effect."""
    if option.id == "total-defense" and moment.harmless:
        return False  # the combatant can still defend against a later attack (SOV-TD-04)
    if option.id == "use-ability":
        fitting = abilities.fitting(play.combat[who], moment)
        return any(abilities.useful(ability, moment.outcome) for ability in fitting)
    return any(
        next(option.refusals(play, who, read(raw, option.inputs)), None) is None
        for raw in option.candidates(play, who)
    )


def as_if(combat: Combat, moment: Moment, at: Sequence[int] | None) -> Combat:
    """Return the combat with the mover on a square of its path (SOV-INST-08)."""
    square = grid.square(at)
    if square is None or square not in moment.path:
        return combat
    return standing(combat, moment.actor, square)


# ---- the batch


@rule(
    "SOV-INST-04",
    "In a window, instants without dice come first, then all snap rolls, then all results",
)
@rule("SOV-INST-06", "Held turns come after other instants and before the action")
@rule("SOV-HOLD-02", "A held turn comes before the action that triggers it")
def resolve(play: Play, moment: Moment, chosen: Sequence[Answer], batch: Batch) -> Procedure[None]:
    """Resolve Instants in the order of SOV-INST-04.

    1. Total Defense
    2. abilities and spells, those without dice first
    3. all Snap Attacks together
    4. held turns, before the action that they answer (SOV-HOLD-02)

    Affray checks each Instant again when it is due (SOV-SNAP-02). It rolls dice in the order in
    which the answers came.
    """
    actions = play.ruleset.actions

    def take(answer: Answer, action: Action, until: str | None = None) -> Procedure[bool]:
        assert answer.who is not None, "an Instant is somebody's"
        play.by_gm = answer.by_gm
        return (yield from carry_out(play, answer.who, action, answer.inputs, until))

    def interrupting(answer: Answer, action: Action) -> Procedure[bool]:
        return (yield from interrupt(play, lambda: take(answer, action), otherwise=False))

    for answer in chosen:
        if answer.option == "total-defense":
            taken = yield from interrupting(answer, actions[answer.option])
            batch.defended = batch.defended or taken
    answered = sorted(chosen, key=lambda answer: answer.rank)
    for answer in sorted(answered, key=lambda answer: _has_dice(play, answer)):
        if answer.option == "use-ability":
            yield from interrupting(answer, fitting(actions[answer.option], moment, batch))
        elif answer.option == "cast-spell":
            yield from interrupting(answer, quick(actions[answer.option]))
    snaps = [answer for answer in answered if answer.option == "snap-attack"]
    if snaps:
        together_with = replace(
            actions["snap-attack"], procedure=play.ruleset.procedures["snap-attack"]
        )
        blows = [take(answer, together_with, "results") for answer in snaps]
        nobody: tuple[bool, ...] = ()
        yield from interrupt(play, lambda: together(blows), otherwise=nobody)
    for answer in answered:
        if answer.option == "trigger-held":  # SOV-INST-06
            yield from interrupting(answer, actions[answer.option])


def _has_dice(play: Play, answer: Answer) -> bool:
    """Return true if an effect of the ability or spell needs dice."""
    card = sheet_of(play.combat[answer.who or ""])
    if answer.option == "use-ability":
        generator = (ability for ability in card.abilities if ability.id == answer.inputs.ability)
        return any(effect.dice is not None for ability in generator for effect in ability.effects)
    if answer.option == "cast-spell":
        spells = (spell for spell in card.spells if spell.id == answer.inputs.spell)
        return any(
            spell.attack or spell.save is not None or spell.damage or spell.heal for spell in spells
        )
    return False


@rule("SOV-INST-08", "An instant may name a square of a declared path")
def entered(play: Play, moment: Moment, batch: Batch, square: Square) -> Procedure[None]:
    """Resolve the Instants that wait for this square of the path (SOV-INST-08)."""
    now = [answer for answer in batch.waiting if grid.square(answer.inputs.at) == square]
    batch.waiting = [answer for answer in batch.waiting if answer not in now]
    if now:
        yield from resolve(play, moment, now, batch)


# ---- rolls that are not attacks


def seen(
    play: Play, throw: Callable[[], Procedure[Rolled]], *, attack: bool = False
) -> Procedure[Rolled]:
    """Roll, open the window `rolled`, and return the final roll (SOV-INST-01).

    An ability can add to the total or repeat the roll.
    """
    rolled = yield from throw()
    rolled, bonus = yield from after_roll(play, rolled, throw, attack=attack)
    return structs.replace(rolled, total=rolled.total + bonus)


def after_roll(
    play: Play, rolled: Rolled, again: Callable[[], Procedure[Rolled]], *, attack: bool
) -> Procedure[tuple[Rolled, int]]:
    """Open the window `rolled`, and return the final roll with the sum of the additions.

    `attack` is true for a roll of an attack (SOV-INST-01).
    """
    who = rolled.who
    moment = Moment(
        "rolled", who, rolled.purpose, rolled.against, total=rolled.total, attack=attack
    )
    batch = yield from window(play, moment)
    return (yield from adjusted(batch, rolled, again))


def adjusted(
    batch: Batch, rolled: Rolled, again: Callable[[], Procedure[Rolled]]
) -> Procedure[tuple[Rolled, int]]:
    """Return the final roll and the sum of the additions.

    If abilities repeat the roll and add to it in one window, both count (SOV-INST-04).
    """
    for effect in batch.effects:
        if effect.type == "reroll":
            rolled = yield from again()
    return rolled, sum(effect.value for effect in batch.effects if effect.type == "modifier")


# ---- effects of abilities (2.4)


def ability_refusals(play: Play, who: Id, inputs: Any, moment: Moment) -> Iterator[Illegal]:
    """Refuse an ability whose data do not fit the window."""
    yield from costs.instant_refusals(play.combat, who)
    yield from abilities.known(play.combat[who], inputs.ability)
    ability = abilities.ability_of(play.combat[who], inputs.ability)
    if ability is not None and not abilities.fits(ability, who, moment):
        detail = f"{ability.name} does not fit here"
        yield refuse("SOV-INST-02", "missing-data", detail, "ability")


def use_instant(play: Play, who: Id, inputs: Any, target: Id | None) -> Procedure[Ability | None]:
    """Use an ability in a window, and return the ability. Return `None` if the use failed.

    If the ability changes the outcome of an attack, the attack applies the change.
    """
    ability = abilities.ability_of(play.combat[who], inputs.ability)
    assert ability is not None, "the refusals know the ability"
    if not (yield from costs.plausible(play, who, "instant")):
        return None
    if next(abilities.known(play.combat[who], inputs.ability), None) is not None:
        return None  # used up or gone since the GM's prompt opened
    yield from costs.busy(play.combat, who)
    yield abilities.count(play.combat[who], ability)
    yield from effects(play, who, inputs.target or target or who, ability)
    return ability


def effects(play: Play, who: Id, target: Id, ability: Ability) -> Procedure[None]:
    """Apply every effect of an ability to its target."""
    yield EffectResolved(
        who, "ability", ability.id, "done", ability.name, (target,), rules=("SOV-ACT-01",)
    )
    for index, effect in enumerate(ability.effects):
        now = partial(effect_now, play, who, ability.id, index, effect)
        yield from apply(play, who, target, now)


def effect_now(play: Play, who: Id, ability: Id, index: int, before: Effect) -> Effect:
    """Return the effect from the current sheet, or `before` if the sheet no longer has it."""
    present = abilities.ability_of(play.combat[who], ability)
    return before if present is None or index >= len(present.effects) else present.effects[index]


def apply(play: Play, who: Id, target: Id, now: Callable[[], Effect]) -> Procedure[None]:
    """Apply one effect to one target. Instants can answer the roll (SOV-INST-01)."""
    effect = now()
    die = partial(roll, who, formula=lambda: now().dice or "0", against=target)
    match effect.type:
        case "damage":
            throw = partial(die, purpose="effect", rules=("SOV-ACT-01",))
            amount = max(0, (yield from seen(play, throw)).total)
            yield from harm.hurt(
                play,
                target,
                amount,
                source=who,
                kind="effect",
                non_lethal=effect.non_lethal,
                terms=(Term("effect", amount, "SOV-ACT-01"),),
            )
        case "heal":
            throw = partial(die, purpose="heal", rules=("SOV-DOWN-07",))
            amount = max(0, (yield from seen(play, throw)).total)
            yield from harm.heal(play, target, amount, who, strain=effect.system_strain)
        case "condition":
            yield conditions.gained(
                play, target, effect.condition or "", effect.data, effect.until, who
            )
        case "shock-immune":
            until = effect.until or "round"
            data = {"shock_immune": True}
            yield conditions.gained(play, target, "shock-immune", data, until, who)
        case _:  # the attack itself applies a changed outcome
            pass
