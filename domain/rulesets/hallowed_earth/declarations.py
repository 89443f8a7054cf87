"""Declarations of actions, their modifiers, and the order of declaring (HE-DECL, HE-MOD)."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Json
from domain.record.events import AnyEvent, Noted
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.effects import Procedure, ask, while_able
from domain.rulebook.id_names import words
from domain.rulebook.play import Play
from domain.rulebook.prompts import Answer, Option, Prompt
from domain.rulesets.hallowed_earth import initiative
from domain.rulesets.hallowed_earth.action_costs import DECLARABLE, present
from domain.rulesets.hallowed_earth.count import counting
from domain.rulesets.hallowed_earth.deed import DEEDS, StandardAction, named
from domain.rulesets.hallowed_earth.facts import (
    BASE,
    CLOSING,
    DECLARE_ORDER,
    DECLARED,
    ROUND_INITIATIVE,
    Declaration,
)
from domain.rulesets.hallowed_earth.numbers import current
from domain.rulesets.hallowed_earth.rules import rule
from domain.rulesets.hallowed_earth.sheet import options, sheet
from domain.rulesets.hallowed_earth.things import ability_of

# ---- options of a declaration


@rule("HE-DECL-12", "A combatant declares once per round")
def _once(play: Play, who: Id, inputs: Any) -> Iterator[Illegal]:
    """Refuse a dead or surprised combatant (HE-SURP-03), and a second declaration (HE-DECL-12)."""
    yield from present(play.combat[who], "HE-SURP-03")
    for prompt in play.combat.prompts.values():
        if prompt.kind == "declare" and prompt.who == who and prompt.answer is not None:
            detail = f"{play.combat[who].name} has declared for this round"
            yield refuse("HE-DECL-12", "already-declared", detail, NO_FIELD)


def undeclared(combatant: Combatant, tool: str) -> bool:
    """Return true if `tool` is an ability of the combatant that is not a Standard Action."""
    ability = ability_of(combatant, tool)
    return ability is not None and ability.cost != "standard"


@rule(
    "HE-DECL-15",
    "A declaration needs the item. Affray checks the action again at its number",
)
def _declarable(action: StandardAction) -> Option:
    """Return the option to declare the action, with a tool that the combatant has (HE-DECL-15).

    When the Count reaches its number, Affray checks whether the combatant can carry the action out.
    """

    def refusals(play: Play, who: Id, inputs: Any) -> Iterator[Illegal]:
        combatant = play.combat[who]
        yield from _once(play, who, inputs)
        for target in named(inputs):
            play.combat[target]
        tool = getattr(inputs, action.tool) if action.tool else None
        if action.id == "use-ability" and tool is not None and undeclared(combatant, tool):
            detail = f"{tool} is not declared, and nothing resolves before everybody has declared"
            yield refuse("HE-SEQ-02", "wrong-phase", detail, action.tool)
            return
        there = [thing for thing in action.things(combatant) if thing is not None]
        if action.modifier(combatant, tool) is None:
            detail = f"{combatant.name} has no {action.tool} {tool or ''}".rstrip()
            yield refuse("HE-DECL-15", "no-item", detail, action.tool, there)

    def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
        things = action.things(play.combat[who])
        for tool in sorted(things, key=lambda thing: thing is None):  # propose a weapon first
            yield {} if tool is None else {action.tool: tool}

    return Option(action.id, action.inputs, refusals, candidates, action.label)


@lru_cache(1)
def declarations() -> tuple[Option, ...]:
    """Return all options of a declaration."""
    acts_not = Option("no-action", refusals=_once, label="Act not").shown("pass", "Do nothing")
    return (*(_declarable(DEEDS[id]) for id in DECLARABLE if id != "no-action"), acts_not)


ORDERS: Mapping[str, str] = {
    "clockwise": "HE-DECL-04",
    "counterclockwise": "HE-DECL-05",
    "agility": "HE-DECL-06",
    "initiative-modifier": "HE-DECL-07",
    "secret": "HE-DECL-08",
}
"""The orders of declaration that a table can choose."""


def way(combat: Combat) -> str:
    """Return the name of the order of declaring, such as `clockwise` (HE-DECL-03)."""
    return DECLARE_ORDER.of(combat) or options(combat).declare_order


def prompt(combat: Combat, who: Id, rule: str | None = None) -> Prompt:
    """Return the prompt for a declaration, with the initiative modifier of each action."""
    combatant = combat[who]
    listed = ("attack", "defensive-attack", "cast", "use-item", "throw-item")
    return Prompt(
        kind="declare",
        name="declare",
        who=who,
        text=f"What does {who} do this round?",
        options=declarations(),
        rules=("HE-DECL-01", rule or ORDERS[way(combat)]),
        default="no-action",
        data={
            "base_initiative": combatant.facts.get(BASE.name),
            "modifiers": {
                id: {
                    tool or "none": DEEDS[id].modifier(combatant, tool)
                    for tool in DEEDS[id].things(combatant)
                }
                for id in listed
            },
        },
        stands=lambda now: stands(now, who),
    )


def stands(combat: Combat, who: Id) -> bool:
    """Return true while the prompt is valid.

    The prompt ends when the GM closes the step (HE-DECL-14), or when `who` may no longer declare.
    Newcomers declare during the Count, even after the GM has closed the step (HE-LATE-02).
    """
    in_step = combat.phase == "declare" and not CLOSING.of(combat)
    return (in_step or counting(combat)) and may_declare(combat[who])


@rule("HE-INIT-07", "Round Initiative is the Base plus the modifier of the declared action")
@rule("HE-INIT-08", "Round Initiative is computed again in each round")
@rule("HE-DECL-02", "The declared action and its tool bind, but its target does not")
@rule("HE-MOVE-05", "Movement is not a declared action")
def declared(combat: Combat, answer: Answer) -> Iterator[AnyEvent]:
    """Record a declaration and the resulting Round Initiative, visible to all.

    - The declared action and its tool bind, because they set the modifier (HE-DECL-02).
    - Round Initiative is Base Initiative plus that modifier (HE-INIT-07, HE-INIT-08).
    """
    who, action, inputs = answer.who or "", answer.option, answer.inputs
    combatant = combat[who]
    if not may_declare(combatant):
        return
    deed = DEEDS.get(action)  # `no-action` adds nothing (HE-MOVE-05)
    tool = "" if deed is None else deed.tool
    tools = {tool: getattr(inputs, tool)} if tool else {}
    modifies = 0 if deed is None else deed.modifier(combatant, tools.get(tool)) or 0
    target = next(iter(named(inputs)), None)
    record = Declaration(action, modifies, **tools, target=target)
    number = BASE.of(combatant) + modifies
    yield DECLARED.set(who, record, rules=("HE-DECL-01", "HE-DECL-02"))
    yield ROUND_INITIATIVE.set(who, number, rules=("HE-INIT-07", "HE-INIT-08"))
    text = f"declares {words(action)} {record.tool or ''}".rstrip()
    rules = ("HE-MOVE-05",) if deed is None else deed.modified_by
    if action == "defensive-attack" and record.weapon is None:
        rules = ("HE-MOD-07", "HE-DATK-03")
    full = f"{who} {text} ({modifies:+d}) and acts at {number}"
    text = f"{who} {text} and acts at {number}"
    yield Noted(text, who, full=full, rules=("HE-INIT-07", *rules))


def announced(combat: Combat, who: Id) -> Id | None:
    """Return the target that the declaration names. The target does not bind (HE-DECL-02)."""
    declaration = DECLARED.of(combat[who])
    return None if declaration is None else declaration.target


# ---- the order of declaring


@rule("HE-SURP-03", "Surprised combatants do not declare")
def may_declare(combatant: Combatant) -> bool:
    """Return true if the combatant is neither surprised nor dead (HE-DECL-01, HE-SURP-03)."""
    return not combatant.left and not combatant.has("surprised", "dead")


@rule(
    "HE-SHARE-03",
    "A group shares only the die, and each member declares for itself",
    untold="what stays as it is",
)
@rule("HE-DECL-04", "With clockwise, the order goes round the table from the Referee's left")
@rule("HE-DECL-05", "With counterclockwise, the order goes round the table the other way")
@rule("HE-DECL-06", "With agility, the order begins with the highest Agility score")
@rule("HE-DECL-07", "With initiative-modifier, the order begins with the lowest modifier")
def order(combat: Combat) -> list[Id]:
    """Return the combatants that still have to declare, in the table's order (HE-DECL-03).

    Each combatant of a group declares for itself (HE-SHARE-03). Ties follow the order of joining
    (HE-DECL-10).
    """
    waiting = [
        combatant.id
        for combatant in combat
        if may_declare(combatant) and not DECLARED.known(combatant) and BASE.known(combatant)
    ]
    match way(combat):
        case "clockwise":  # HE-DECL-04
            return _seated(combat, waiting)
        case "counterclockwise":  # the opposite direction round the table (HE-DECL-05)
            return _seated(combat, waiting, backwards=True)
        case "agility":  # HE-DECL-06
            return sorted(waiting, key=lambda who: -current(combat[who], "agility"))
        case "initiative-modifier":  # HE-DECL-07
            return sorted(
                waiting, key=lambda who: initiative.own_modifier(combat, combat[who]).value
            )
        case _:  # HE-DECL-08
            return waiting


def _seated(combat: Combat, waiting: list[Id], *, backwards: bool = False) -> list[Id]:
    """Return the combatants by seat, from the GM's left. Combatants without a seat come last.

    If `backwards` is true, the whole order is reversed.
    """
    seats = list(options(combat).seating)
    joined = [combatant.id for combatant in combat]

    def seat(who: Id) -> tuple[int, int]:
        names = (who, combat[who].name)
        at = next((seats.index(name) for name in names if name in seats), len(seats))
        return (at, joined.index(who))

    return sorted(waiting, key=seat, reverse=backwards)


# ---- newcomers


@rule("HE-LATE-02", "A newcomer declares at once for the current round, unless it is surprised")
@rule(
    "HE-LATE-11",
    "A newcomer misses nothing if it enters in the declare step or at the end of a round",
    untold="nothing is missed",
)
@rule("HE-LATE-12", "A surprised newcomer misses nothing", untold="nothing is missed")
def enter(play: Play, who: Id) -> Procedure[None]:
    """Let a newcomer roll (HE-LATE-01) and, unless surprised, declare (HE-LATE-02).

    - If a member of the newcomer's group has an open prompt to roll, its die also counts for the
      newcomer. Then both declare.
    - In the declare step, the newcomer declares with the others.
    - At the end of a round, the newcomer misses nothing (HE-LATE-11).
    - A surprised newcomer misses nothing either (HE-LATE-12).
    """
    below = [frame.args["who"] for frame in play.combat.frames if frame.procedure == "enter"]
    sharing = initiative.company(play.combat, who)
    if any(other in sharing for other in below if other != who):
        return
    while pending := [other for other in sharing if other in initiative.without(play.combat)]:
        sharing = initiative.company(play.combat, pending[0])
        yield from while_able(play, pending[0], initiative.roll_one(play, pending[0]), "initiative")
    for newcomer in _undeclared(play.combat, [*sharing, who]):
        answer = yield from ask(prompt(play.combat, newcomer, "HE-LATE-02"))
        if counting(play.combat) and may_declare(play.combat[newcomer]):
            yield from declared(play.combat, answer)
            yield from list(initiative.take_place(play.combat, newcomer))


def _undeclared(combat: Combat, newcomers: list[Id]) -> list[Id]:
    groups = {sheet(combat[newcomer]).initiative_group for newcomer in newcomers} - {None}
    return [
        combatant.id
        for combatant in combat
        if counting(combat)
        and (combatant.id in newcomers or sheet(combatant).initiative_group in groups)
        and may_declare(combatant)
        and BASE.known(combatant)
        and not DECLARED.known(combatant)
    ]
