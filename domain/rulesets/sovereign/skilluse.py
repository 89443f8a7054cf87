"""Skills, first aid, items used on somebody, words, and whatever else (SOV-SKILL, SOV-ACT-09)."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Json
from domain.record.events import FactSet, Noted, Term
from domain.rulebook.effects import Procedure, ask
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option, Prompt
from domain.rulesets.sovereign import (
    abilities,
    board,
    checks,
    harm,
    items,
    opportunity,
    paying,
    windows,
)
from domain.rulesets.sovereign.numbers import able, check_modifier, check_terms, in_fight
from domain.rulesets.sovereign.sheet import Attribute, Skill

Text = Annotated[str, Meta(max_length=2000)]
Difficulty = Annotated[int, Meta(ge=0, le=100)]


class UseSkill(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`difficulty` None: 10; `opposed_by`: 8 + the other's attribute and skill."""

    skill: Skill
    attribute: Attribute
    intent: Text = ""
    difficulty: Difficulty | None = None
    opposed_by: Id | None = None


class Outcome(Struct, frozen=True, forbid_unknown_fields=True):
    text: Text = ""


class Stabilize(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`helpers` are adjacent and give up their own Main."""

    target: Id
    attribute: Literal["dex", "int"] | None = None
    helpers: Annotated[list[Id], Meta(max_length=20)] = []


class UseItem(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    item: str
    target: Id | None = None


class Speak(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    text: Text


class Improvise(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    what: Text
    hoped_for: Text = ""


class Roll(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    attribute: Attribute
    skill: Skill
    difficulty: Difficulty = checks.DIFFICULTY


class Allowed(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What the GM makes of an improvised action."""

    cost: Literal["main", "move", "free", "instant"] = "main"
    attack_of_opportunity: bool = False
    roll: Roll | None = None
    outcome: Text = ""


def begun(play: Play, who: Id, action: str, target: Id | None = None) -> Procedure[bool]:
    """Paid: the window, then what adjacent armed enemies do (SOV-SKILL-01); still able?"""
    yield from windows.declared(play, who, action, target)
    if able(play.combat, who):
        yield from opportunity.from_adjacent(play, who, action)
    return able(play.combat, who)


# ---- use-skill


def skill_refusals(play: Play, who: Id, inputs: UseSkill) -> Iterator[Illegal]:
    yield from paying.turn_refusals(play.combat, who)
    yield from paying.main_refusals(play.combat, who)
    if inputs.opposed_by is not None:
        play.combat[inputs.opposed_by]


def skill_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    yield {"skill": "notice", "attribute": "wis"}
    yield {"skill": "exert", "attribute": "str", "difficulty": 8}


def use_skill(play: Play, who: Id, inputs: UseSkill) -> Procedure[None]:
    """A Main that draws; 2d6 against 10, what it means is the GM's (SOV-SKILL-01, -02)."""
    yield paying.spend(who, "main", "SOV-SKILL-01")
    if not (yield from begun(play, who, "use-skill", inputs.opposed_by)):
        return
    number = inputs.difficulty or checks.DIFFICULTY
    if inputs.opposed_by is not None:
        other = play.combat[inputs.opposed_by]
        number = 8 + check_modifier(other, inputs.attribute, inputs.skill)
    result = yield from checks.check(
        play,
        who,
        "skill",
        terms=check_terms(play.combat[who], inputs.attribute, inputs.skill, "SOV-SKILL-02"),
        target=number,
        against=inputs.opposed_by,
        rules=("SOV-SKILL-02", "SOV-CHK-01"),
    )
    yield from outcome(play, who, inputs.skill, result.success)


def outcome(play: Play, who: Id, skill: str, success: bool) -> Procedure[None]:
    """What comes of it is the GM's (SOV-SKILL-02)."""
    word = "succeeds" if success else "fails"
    answer = yield from ask(
        Prompt(
            kind="ruling",
            name="skill-outcome",
            who=None,
            text=f"{who} uses {skill} and {word}. What comes of it?",
            options=(
                Option("none"),
                Option("outcome", Outcome, candidates=lambda play, who: ({"text": "it works"},)),
            ),
            rules=("SOV-SKILL-02",),
            default="none",
            data={"combatant": who, "skill": skill, "success": success},
        )
    )
    if answer.option == "outcome":
        yield Noted(answer.inputs.text, who, rules=("SOV-SKILL-02",))


# ---- stabilize


def stabilize_refusals(play: Play, who: Id, inputs: Stabilize) -> Iterator[Illegal]:
    combat = play.combat
    yield from paying.turn_refusals(combat, who)
    yield from paying.main_refusals(combat, who)
    victim = combat[inputs.target]
    if not victim.has("mortally-injured"):
        yield Illegal("SOV-DOWN-05", "missing-data", f"{inputs.target} is not dying")
    if inputs.target == who or not board.adjacent(combat, who, inputs.target):
        yield Illegal("SOV-DOWN-05", "not-adjacent", f"{inputs.target} is not adjacent")
    if not items.readied_with(combat[who], "healers-kit"):
        yield Illegal("SOV-DOWN-05", "no-healers-kit", "no healer's kit is readied")
    if victim.facts.get("attempted"):
        detail = f"somebody has tried to help {inputs.target} this round"
        yield Illegal("SOV-DOWN-05", "one-attempt-per-round", detail)
    for helper in inputs.helpers:
        yield from paying.able_refusals(combat, helper)
        yield from paying.main_refusals(combat, helper)
        if helper in (who, inputs.target) or not board.adjacent(combat, helper, inputs.target):
            yield Illegal("SOV-DOWN-05", "not-adjacent", f"{helper} is not adjacent")


def stabilize_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    for one in play.combat:
        if one.has("mortally-injured"):
            yield {"target": one.id}
            for helper in play.combat:
                if helper.side == one.side and helper.id not in (who, one.id):
                    yield {"target": one.id, "helpers": [helper.id]}


def stabilize(play: Play, who: Id, inputs: Stabilize) -> Procedure[None]:
    """DEX or INT and Heal, less the rounds since the fall; one attempt a round (SOV-DOWN-05)."""
    yield paying.spend(who, "main", "SOV-DOWN-05")
    for helper in inputs.helpers:
        yield paying.spend(helper, "main", "SOV-CHK-04")
    if not (yield from begun(play, who, "stabilize", inputs.target)):
        return
    combat = play.combat
    fallen = next(iter(combat[inputs.target].all("mortally-injured")), None)
    if fallen is None:
        return
    yield FactSet(inputs.target, "attempted", True, rules=("SOV-DOWN-05",))
    name = inputs.attribute or better(combat[who])
    helped = checks.helped(check_modifier(combat[one], name, "heal") for one in inputs.helpers)
    result = yield from checks.check(
        play,
        who,
        "stabilize",
        terms=(
            *check_terms(combat[who], name, "heal", "SOV-DOWN-05"),
            Term("helpers", helped, "SOV-CHK-04"),
            Term("rounds since the fall", -since(combat, fallen.data), "SOV-DOWN-05"),
        ),
        target=checks.DIFFICULTY,
        against=inputs.target,
        rules=("SOV-DOWN-05",),
    )
    if result.success and play.combat[inputs.target].has("mortally-injured"):
        yield from harm.stabilize(play, inputs.target, who)


def better(one: Combatant) -> Attribute:
    """DEX or INT, whichever is higher."""
    dex, wit = check_modifier(one, "dex", "heal"), check_modifier(one, "int", "heal")
    return "dex" if dex >= wit else "int"


def since(combat: Combat, data: Mapping[str, Json]) -> int:
    """Rounds since the fall."""
    return combat.round - int(data.get("round", combat.round))


# ---- use-item


def item_refusals(play: Play, who: Id, inputs: UseItem) -> Iterator[Illegal]:
    combat = play.combat
    yield from paying.turn_refusals(combat, who)
    yield from paying.main_refusals(combat, who)
    yield from items.readied_refusals(combat[who], inputs.item)
    given = inputs.target not in (None, who)
    if given and not board.adjacent(combat, who, combat[inputs.target or who].id):
        yield Illegal("SOV-SKILL-03", "not-adjacent", f"{inputs.target} is not adjacent")


def item_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    for item in items.items(play.combat[who]):
        yield {"item": item.id}
        for other in play.combat:
            if other.id != who and in_fight(play.combat, other.id):
                yield {"item": item.id, "target": other.id}


def use_item(play: Play, who: Id, inputs: UseItem) -> Procedure[None]:
    """Counts as using a skill; no roll unless its data say so (SOV-SKILL-03)."""
    yield paying.spend(who, "main", "SOV-SKILL-03")
    if not (yield from begun(play, who, "use-item", inputs.target)):
        return
    item = items.item_of(play.combat[who], inputs.item)
    if item is not None and item.effect is not None:
        yield from abilities.apply(play, who, inputs.target or who, item.effect)


# ---- words


def speak_refusals(play: Play, who: Id, inputs: Speak) -> Iterator[Illegal]:
    yield from paying.turn_refusals(play.combat, who)


def speak(play: Play, who: Id, inputs: Speak) -> Procedure[None]:
    """A few words are one Free Action (SOV-ACT-06)."""
    if (yield from paying.plausible(play, who, "free")):
        yield Noted(inputs.text, who, rules=("SOV-ACT-06",))


# ---- anything else


def improvise_refusals(play: Play, who: Id, inputs: Improvise) -> Iterator[Illegal]:
    yield from paying.turn_refusals(play.combat, who)


def improvise(play: Play, who: Id, inputs: Improvise) -> Procedure[None]:
    """The GM sets cost, opportunity, roll and outcome (SOV-ACT-09)."""
    answer = yield from ask(
        Prompt(
            kind="ruling",
            name="improvised-action",
            who=None,
            text=f"{who} tries something: {inputs.what} What is it?",
            options=(
                Option("allow", Allowed, candidates=lambda play, who: ALLOWED),
                Option("refuse"),
            ),
            rules=("SOV-ACT-09",),
            default="allow",
            data={"combatant": who, "what": inputs.what, "hoped_for": inputs.hoped_for},
        )
    )
    if answer.option == "refuse":
        yield Noted(f"{who}'s idea does not work", who, rules=("SOV-ACT-09",))
        return
    ruled: Allowed = answer.inputs
    if ruled.cost in ("main", "move"):
        if play.combat[who].budget.get(ruled.cost, 0) < 1:
            yield Noted(f"{who} has no {ruled.cost} action left for it", who, rules=("SOV-ACT-09",))
            return
        yield paying.spend(who, "main" if ruled.cost == "main" else "move", "SOV-ACT-09")
        yield from windows.declared(play, who, "improvise")
    if ruled.attack_of_opportunity and able(play.combat, who):
        yield from opportunity.from_adjacent(play, who, "improvise")
    if not able(play.combat, who):
        return
    if ruled.roll is not None:
        terms = check_terms(
            play.combat[who], ruled.roll.attribute, ruled.roll.skill, "SOV-SKILL-02"
        )
        yield from checks.check(
            play,
            who,
            "skill",
            terms=terms,
            target=ruled.roll.difficulty,
            rules=("SOV-ACT-09", "SOV-CHK-01"),
        )
    if ruled.outcome:
        yield Noted(ruled.outcome, who, rules=("SOV-ACT-09",))


ALLOWED: tuple[Mapping[str, Json], ...] = (
    {},
    {"cost": "move", "attack_of_opportunity": True},
    {"cost": "main", "roll": {"attribute": "dex", "skill": "exert"}},
)
