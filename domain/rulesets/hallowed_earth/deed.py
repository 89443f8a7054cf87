"""Standard Actions, which a combatant declares first and carries out later (section 4.1).

This module has their common parts: the binding declaration, its refusals and the choice of targets.
The module of each action adds a `StandardAction` as the decorator of its procedure.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Any, Self

import msgspec
from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Json
from domain.rulebook.action import Action
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.effects import Procedure, stopped_by
from domain.rulebook.id_names import words
from domain.rulebook.inputs import Polarity, Recipient, distance, inputs_of
from domain.rulebook.play import Play
from domain.rulebook.presence import in_fight
from domain.rulebook.prompts import Category, NoInputs, Option, Prompt, Screen
from domain.rulesets.hallowed_earth import action_costs, attack
from domain.rulesets.hallowed_earth.attack import Attacks, Blow
from domain.rulesets.hallowed_earth.count import declaration, simultaneous
from domain.rulesets.hallowed_earth.facts import SLOT, Declaration
from domain.rulesets.hallowed_earth.harm import exert
from domain.rulesets.hallowed_earth.rules import CARDS, rule
from domain.rulesets.hallowed_earth.states import hostile

Tool = str | None
"""Id of the declared weapon, spell, item, ability or skill."""


class Aiming(Struct, frozen=True, forbid_unknown_fields=True):
    target: Recipient | None = None


class AimingMany(Struct, frozen=True, forbid_unknown_fields=True):
    """Inputs with `target` or `targets`.

    - A target that occurs twice counts once.
    - `stress_paid` is the part of the Mana cost that you pay with Stress.
    """

    target: Recipient | None = None
    targets: tuple[Recipient, ...] = ()
    stress_paid: int | None = None


def named(inputs: Any) -> tuple[Id, ...]:
    """Return the targets of the inputs, without duplicates."""
    target: Id | None = getattr(inputs, "target", None)
    targets: tuple[Id, ...] = getattr(inputs, "targets", ())
    return tuple(dict.fromkeys(targets)) or (() if target is None else (target,))


def _undeclared(play: Play, deed: "Deed") -> Procedure[Attacks]:
    raise NotImplementedError(deed.action.id)


@dataclass(frozen=True)
class StandardAction:
    """A Standard Action. As a decorator, it takes the action's procedure.

    The procedure runs after the combatant has spent the action, and returns the attacks made. A
    tool is the weapon, spell, ability, item or skill that the combatant uses.

    - `rules` and `also`: the rule cards of the action and the ids of further rules.
    - `tool`: the input that sets the initiative modifier, and so binds (HE-DECL-02). It is "" if
      there is none.
    - `things`: returns the tools that the combatant can declare. `None` in the list means that the
      action needs no tool.
    - `find`: returns the tool with a name, if it is at hand.
    - `speed`: returns the initiative modifier of a tool.
    - `bare`: the initiative modifier without a tool, or `None` if the action needs a tool.
    - `modified_by`: the rules of this modifier.
    - `body` and `voice`: true if the action needs them. The data of the tool take precedence.
    - `hindered`: yields other reasons that the body cannot do the action.
    - `blow`: returns the attack of the tool.
    - `aims`: true if the action always needs a target.
    - `harms`: true if the action targets only other combatants.
    - `fits(combat, combatant, target, tool)`: yields the reasons against a target.
    """

    id: str
    label: str
    inputs: type[Struct] = NoInputs
    _: KW_ONLY
    category: Category
    headline: str
    essential: tuple[str, ...] = ()
    polarity: Polarity | None = None
    rules: Mapping[str, str] = field(default_factory=dict)
    also: tuple[str, ...] = ()
    tool: str = ""
    things: Callable[[Combatant], Sequence[Tool]] = lambda combatant: (None,)
    find: Callable[[Combatant, Tool], Any] = lambda combatant, tool: tool
    speed: Callable[[Any], int] = lambda thing: 0
    bare: int | None = 0
    modified_by: tuple[str, ...] = ("HE-MOD-10",)
    body: bool = True
    voice: bool = False
    hindered: Callable[[Combatant, Tool], Iterator[Illegal]] = lambda combatant, tool: iter(())
    blow: Callable[[Any], Blow | None] = lambda thing: None
    aims: bool = False
    harms: bool = False
    fits: Callable[[Combat, Combatant, Combatant, Tool], Iterator[Illegal]] = (
        lambda combat, combatant, target, tool: iter(())
    )
    samples: tuple[Mapping[str, Json], ...] | None = None
    do: Callable[[Play, "Deed"], Procedure[Attacks]] = _undeclared

    def __call__(self, do: Callable[[Play, "Deed"], Procedure[Attacks]]) -> Self:
        """Return the action with its procedure, and add it to `DEEDS` and to the cards."""
        for id, sentence in self.rules.items():
            CARDS.add(id, sentence, f"{do.__module__}.{do.__name__}")
        deed = replace(self, do=do)
        DEEDS[self.id] = deed
        return deed

    def modifier(self, combatant: Combatant, tool: Tool) -> int | None:
        """Return the initiative modifier of the declaration, or `None` for a missing tool."""
        if tool is None:
            return self.bare
        thing = self.find(combatant, tool)
        return None if thing is None else self.speed(thing)

    def hinders(self, combatant: Combatant, tool: Tool) -> Iterator[Illegal]:
        """Refuse an action that paralysis, lost speech or an injured arm prevents."""
        thing = self.find(combatant, tool)
        if getattr(thing, "needs_body", self.body):
            yield from action_costs.body(combatant)
        if getattr(thing, "needs_speech", self.voice):
            yield from action_costs.voice(combatant)
        yield from self.hindered(combatant, tool)

    def misses(self, combatant: Combatant, tool: Tool, inputs: Any) -> Iterator[Illegal]:
        """Refuse if the combatant cannot pay for the action, or no longer has the tool."""
        thing = self.find(combatant, tool)
        if tool is not None and thing is None:
            yield action_costs.no_more(combatant, tool)
        if hasattr(thing, "mana_cost"):
            stress = getattr(thing, "stress_cost", 0)
            yield from action_costs.price(combatant, thing.mana_cost, stress, inputs.stress_paid)

    def strikes(self, combatant: Combatant, tool: Tool) -> Blow | None:
        """Return the attack of the tool, or `None` if it has no attack."""
        thing = self.find(combatant, tool)
        return None if thing is None else self.blow(thing)

    def needs_target(self, combatant: Combatant, tool: Tool) -> bool:
        """Return true if the action needs a target."""
        hurts = getattr(self.find(combatant, tool), "damage", None) is not None
        return self.aims or hurts or self.strikes(combatant, tool) is not None

    def suits(self, combat: Combat, who: Id, target: Id) -> bool:
        """Return true for a suitable target: a friend if the action helps, otherwise a foe."""
        return hostile(combat, who, target) != (self.polarity == "help")

    def as_action(self) -> Action:
        """Return the action for the catalogue and for the options of a turn.

        The slot carries the action out when the Count reaches its number.
        """
        return Action(
            self.id,
            self.inputs,
            self.refusals,
            self.candidates,
            self.label,
            cost="standard",
            rules=(*self.rules, *self.also),
            screen=Screen(self.category, self.headline, self.essential, self.polarity),
        )

    def refusals(self, play: Play, who: Id, inputs: Any) -> Iterator[Illegal]:
        """Refuse an action that the combatant's state, budget, declaration or target forbids.

        Section 4.3. The prompt of the turn already ensures that it is the combatant's turn.
        """
        deed = Deed(self, who, declaration(play.combat, who), inputs)
        for target in deed.targets():
            play.combat[target]
        if deed.declared.action == self.id:
            yield from possible(play.combat, deed)
            yield from nobody_to_aim_at(play.combat, deed)
        else:
            yield from action_costs.present(play.combat[who])
            yield from action_costs.body(play.combat[who])
            yield from action_costs.rib(play.combat[who])
            yield from action_costs.budget(play.combat, who, "standard")
            yield from bound(play.combat[who], deed)

    def candidates(self, play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
        """Propose every legal target. If no target is legal, a later prompt asks for the target."""
        if self.samples is not None:
            yield from self.samples
            return
        deed = Deed(self, who, declaration(play.combat, who), self.inputs())
        needed = self.tool and inputs_of(self.inputs)[self.tool].required
        tool: Mapping[str, Json] = {self.tool: deed.tool} if needed and deed.tool else {}
        legal = legal_targets(play.combat, deed)
        for target in legal:
            yield {**tool, "target": target}
        if (
            simultaneous(play.combat)
            or not self.needs_target(play.combat[who], deed.tool)
            or any(self.suits(play.combat, who, target) for target in legal)
        ):
            yield tool


DEEDS: dict[str, StandardAction] = {}
"""Every Standard Action by id. Each decorator adds its action."""


@dataclass(frozen=True)
class Deed:
    """A Standard Action of a combatant, with its declaration and its inputs."""

    action: StandardAction
    who: Id
    declared: Declaration
    inputs: Any
    tied: bool = False

    @property
    def tool(self) -> Tool:
        return self.declared.tool

    def targets(self) -> tuple[Id, ...]:
        """Return the targets, without duplicates."""
        return named(self.inputs)

    def cannot(self, combat: Combat) -> Iterator[Illegal]:
        """Refuse the action if the combatant's state forbids it.

        Affray makes this check before the action and during it.
        """
        combatant = combat[self.who]
        yield from action_costs.present(combatant)
        yield from self.action.hinders(combatant, self.tool)

    def at(self, *targets: Id) -> "Deed":
        """Return the same action with these targets."""
        several = hasattr(self.inputs, "targets")
        aim = {"targets": targets} if several else {"target": targets[0]}
        return replace(self, inputs=msgspec.structs.replace(self.inputs, **aim))

    def within(self, combat: Combat) -> "Deed":
        """Return the action with only its suitable targets. If none is suitable, keep them all."""
        suitable = [
            target for target in self.targets() if next(unfit(combat, self, target), None) is None
        ]
        return self.at(*suitable) if suitable else self

    def at_its_moment(self, made: Attacks) -> Action:
        """Return the action for the slot, which checks it and carries it out.

        The procedure of the action adds the attacks that the combatant makes to `made`.
        """

        def procedure(play: Play, who: Id, inputs: Any) -> Procedure[None]:
            costs = yield from action_costs.spend(play, who, "standard")
            deed = self.within(play.combat)
            for target in self.targets():
                if target not in deed.targets():
                    refusal = next(unfit(play.combat, self, target))
                    yield attack.prevented(who, self.action.id, target, refusal)
            done = yield from stopped_by(
                play,
                who,
                self.action.do(play, deed),
                self.action.id,
                lambda: next(self.cannot(play.combat), None),
                until="results" if self.tied else None,
            )
            if done is not None:
                made.extend(done)
                yield from exert(play, who, costs)

        return Action(
            self.action.id,
            self.action.inputs,
            lambda play, who, inputs: possible(play.combat, self.within(play.combat)),
            procedure=procedure,
            rules=(*self.action.rules, *self.action.also),
        )


# ---- refusals


@rule(
    "HE-INC-06",
    "An incapacitated combatant can still carry out an action that it declared before",
    untold="what stays as it is; HE-INC-03 tells the price",
)
def possible(combat: Combat, deed: Deed, *, aimed_well: bool = True) -> Iterator[Illegal]:
    """Refuse an action that the combatant's state, budget, declaration or target forbids.

    The check runs when the combatant chooses the action and when the slot carries it out. If the
    combatant has fallen since its declaration, it can still act under the rules for fallen
    combatants (HE-INC-06).
    """
    combatant = combat[deed.who]
    yield from deed.cannot(combat)
    yield from action_costs.rib(combatant)
    yield from action_costs.budget(combat, deed.who, "standard")
    slot = SLOT.of(combat)
    if slot is not None and deed.who in slot.resolved:
        detail = "the actions of this number have been taken"
        yield refuse("HE-TIE-04", "standard-used", detail, NO_FIELD)
    yield from bound(combatant, deed)
    yield from deed.action.misses(combatant, deed.tool, deed.inputs)
    for target in deed.targets() if aimed_well else ():
        yield from aimed(combat, deed, target)


@rule("HE-DECL-11", "A combatant carries out the declared action with its tool, or does nothing")
@rule("HE-DATK-05", "A defensive attack declared without a weapon has no attack")
def bound(combatant: Combatant, deed: Deed) -> Iterator[Illegal]:
    """Refuse an action or a tool that differs from the declaration (HE-DECL-11).

    A defensive attack declared without a weapon has no attack (HE-DATK-05).
    """
    action, declared, tool = deed.action.id, deed.declared, deed.action.tool
    unarmed = declared.action == "defensive-attack" and declared.weapon is None
    given = getattr(deed.inputs, tool) if tool else None
    acts = declared.action not in ("", "no-action")
    allowed = (declared.action, "end-turn") if acts else ("end-turn",)
    if unarmed and action in ("attack", "defensive-attack"):
        detail = "it was declared without a weapon: there is no attack"
        yield refuse("HE-DATK-05", "no-attack-declared", detail, NO_FIELD)
    elif declared.action != action:
        detail = f"{combatant.name} has declared {words(declared.action) or 'nothing'}"
        yield refuse("HE-DECL-11", "not-declared", detail, NO_FIELD, allowed)
    elif given is not None and given != declared.tool:
        detail = f"{combatant.name} has declared {words(action)} with {declared.tool}"
        yield refuse("HE-DECL-11", "not-declared", detail, tool, allowed)


def aimed(combat: Combat, deed: Deed, target: Id) -> Iterator[Illegal]:
    """Refuse an unsuitable target. The refusal names the field `target` or `targets`."""
    name = "targets" if getattr(deed.inputs, "targets", ()) else "target"
    for refusal in unfit(combat, deed, target):
        yield refuse(refusal.rule, refusal.code, refusal.detail, name, refusal.allowed)


def unfit(combat: Combat, deed: Deed, target: Id) -> Iterator[Illegal]:
    """Refuse a target that has left, is too far away, or does not fit the action."""
    combatant, other = combat[deed.who], combat[target]
    blow = deed.action.strikes(combatant, deed.tool)
    if blow is not None:
        yield from attack.reaches(combat, deed.who, target, blow)
        return
    if other.left:
        yield attack.gone(target)
        return
    yield from deed.action.fits(combat, combatant, other, deed.tool)
    most = getattr(deed.action.find(combatant, deed.tool), "range_ft", None)
    yield from attack.beyond(combat, deed.who, target, most, str(deed.tool))


def nobody_to_aim_at(combat: Combat, deed: Deed) -> Iterator[Illegal]:
    """Refuse an action that needs a target if no legal target exists.

    The refusal gives the reason against the nearest foe. In simultaneous turns, refuse nothing: a
    target may come near before all combatants have chosen (HE-TIE-04, HE-TIE-06).
    """
    if deed.targets() or simultaneous(combat):
        return
    if not deed.action.needs_target(combat[deed.who], deed.tool) or legal_targets(combat, deed):
        return
    nearest = min(
        _others(combat, deed.who),
        key=lambda other: (
            not hostile(combat, deed.who, other),
            distance(combat, deed.who, other),
        ),
        default=None,
    )
    if nearest is None:
        detail = f"nobody is there for {words(deed.action.id)}"
        yield refuse("HE-ATK-07", "out-of-range", detail, NO_FIELD)
        return
    reason = next(unfit(combat, deed, nearest))
    yield refuse(reason.rule, reason.code, reason.detail, NO_FIELD, ("end-turn",))


def _others(combat: Combat, who: Id) -> list[Id]:
    return [
        combatant.id
        for combatant in combat
        if combatant.id != who and in_fight(combat, combatant.id)
    ]


def legal_targets(combat: Combat, deed: Deed) -> list[Id]:
    """Return the legal targets: foes, then friends, then the combatant itself."""
    others = _others(combat, deed.who)
    foes = [who for who in others if hostile(combat, deed.who, who)]
    friends = [who for who in others if who not in foes]
    harms = deed.action.harms or deed.action.strikes(combat[deed.who], deed.tool) is not None
    itself = [] if harms else [deed.who]
    return [
        who for who in (*foes, *friends, *itself) if next(unfit(combat, deed, who), None) is None
    ]


NO_TARGET = Option("none", label="Nobody")


def at(deed: Deed, target: Id) -> Option:
    """Return the option to aim at this target. It refuses a target that is no longer legal."""
    return Option(target, refusals=lambda play, who, inputs: unfit(play.combat, deed, target))


def target_prompt(combat: Combat, deed: Deed) -> Prompt:
    """Return the prompt for the target (HE-TIE-04)."""
    legal = legal_targets(combat, deed)
    fit = [who for who in legal if deed.action.suits(combat, deed.who, who)]
    with_tool = f" with {words(deed.tool)}" if deed.tool else ""
    wrong = [who for who in legal if who not in fit]

    def stands(now: Combat) -> bool:
        able = next(possible(now, deed, aimed_well=False), None) is None
        return able and bool(legal_targets(now, deed))

    return Prompt(
        kind="choice",
        name="target",
        who=deed.who,
        text=f"Whom does {deed.who} aim at ({words(deed.action.id)}{with_tool})?",
        options=(*(at(deed, who) for who in fit), NO_TARGET, *(at(deed, who) for who in wrong)),
        rules=("HE-TIE-04", "HE-DECL-02"),
        default="none",
        data={"action": deed.action.id, "targets": legal},
        stands=stands,
        anew=lambda now: target_prompt(now, deed),
    )
