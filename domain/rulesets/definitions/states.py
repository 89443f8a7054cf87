"""Questions to the state: able combatants, helpless ones, friends and foes."""

from collections.abc import Callable

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Condition, Id, typed
from domain.rulebook.id_names import words
from domain.rulebook.play import Play
from domain.rulesets.definitions import sheet
from domain.rulesets.definitions.facts import INSIDE

HELD_FAST = {
    "pinned": ("DEF-GPN-01", "pinned"),
    "swallowed": ("DEF-SWL-04", "swallowed"),
    "grappled": ("DEF-GRP-09", "grappled"),
    "grappling": ("DEF-GRP-09", "grappled"),
}
"""The rule and reason why a combatant in such a state cannot walk."""


def sheet_of(one: Combatant) -> sheet.Combatant:
    """The combatant's sheet."""
    return typed(one.sheet, sheet.Combatant)


def hp(one: Combatant) -> int:
    return one.tracks["hp"].value


def nld(one: Combatant) -> int:
    return one.tracks["nld"].value


def max_hp(one: Combatant) -> int:
    """Its most hit points, by the GM's hand if need be (DEF-HP-03)."""
    return one.tracks["hp"].maximum or sheet_of(one).max_hp


def left(one: Combatant, kind: str) -> int:
    """Actions of a kind that are left of its turn; before its first turn none (DEF-TRN-03)."""
    return one.budget.get(kind, 0)


def awake(one: Combatant) -> bool:
    """Neither dead nor unconscious: numbers bring that about at once (DEF-INC-01, DEF-HP-05)."""
    return not one.has("dead", "unconscious")


def able(combat: Combat, who: Id) -> bool:
    """There, awake, and nothing keeps it from acting (DEF-INC-03)."""
    return unable(combat, who) is None


def unable(combat: Combat, who: Id) -> Illegal | None:
    """Why `who` cannot act or go on (DEF-INC-03, DEF-TRN-04)."""
    one = combat[who]
    if one.left or one.has("dead"):
        return Illegal("DEF-TRN-04", "cannot-act", f"{one.name} is out of the fight")
    if not awake(one):
        return Illegal("DEF-INC-03", "cannot-act", f"{one.name} is unconscious")
    for held in one.conditions:
        if held.id == "cannot-act" or held.data.get("cannot_act"):
            return Illegal("DEF-TRN-04", "cannot-act", f"{one.name} cannot act: {words(held.id)}")
    return None


def asked(combat: Combat, name: str, who: Id) -> bool:
    """Whether `who` has this question before it."""
    return (name, who) in [(one.name, one.who) for one in combat.prompts.values()]


def in_fight(combat: Combat, who: Id) -> bool:
    """Still there and alive."""
    one = combat.combatants.get(who)
    return one is not None and not one.left and not one.has("dead")


def out_of_fight(play: Play, *who: Id) -> Callable[[], Illegal | None]:
    """Return a check that stops a roll if one of these is out of the fight."""

    def found() -> Illegal | None:
        for one in who:
            if not in_fight(play.combat, one):
                return Illegal("DEF-DTH-01", "gone", f"{one} is out of the fight")
        return None

    return found


def standing(combat: Combat) -> tuple[str, ...]:
    """Return sides with a combatant that is neither unconscious nor dead (DEF-GEN-04)."""
    return tuple(sorted({one.side for one in combat if awake(one)}))


def hostile(a: Combatant, b: Combatant) -> bool:
    """On different sides."""
    return a.side != b.side


def by_initiative(combat: Combat) -> list[Combatant]:
    """Return everybody present, highest initiative first, those without a place last."""
    places = {place.who: index for index, place in enumerate(combat.order)}
    return sorted(combat, key=lambda one: places.get(one.id, len(places)))


def helpless_towards(combat: Combat, target: Id, actor: Id) -> bool:
    """Whether a kill shot by `actor` is possible (DEF-INC-02, DEF-GRE-01)."""
    return any(
        "towards" not in held.data or actor in held.data["towards"]
        for held in combat[target].conditions
        if held.id in ("helpless", "exposed")
    )


# ---- grapples


def partner(combat: Combat, who: Id) -> Id | None:
    """Return the other side of its grapple."""
    for held in combat[who].conditions:
        if held.id in ("grappled", "grappling"):
            return _bound_to(combat, held)
    return None


def _bound_to(combat: Combat, held: Condition) -> Id | None:
    """Return the source of a condition, or the GM's `with` in its data."""
    other = held.source or held.data.get("with")
    return other if other in combat.combatants else None


def swallower(combat: Combat, who: Id) -> Id | None:
    """Return its swallower."""
    return next((_bound_to(combat, held) for held in combat[who].all("swallowed")), None)


def is_inside(one: Combatant) -> bool:
    """Whether a combatant has swallowed it, even an unknown one."""
    return one.has("swallowed") and INSIDE.known(one)


def flat_footed(combat: Combat, target: Id, towards: Id | None) -> bool:
    """By the condition, or in a grapple towards everybody else (DEF-GRP-08, DEF-GEN-07)."""
    one = combat[target]
    if one.has("flat-footed"):
        return True
    return one.has("grappled", "grappling") and partner(combat, target) != towards
