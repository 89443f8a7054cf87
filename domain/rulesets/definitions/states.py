"""The ability to act, helplessness, friends and foes."""

from collections.abc import Callable, Iterator, Mapping

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Condition, Id, Track, typed
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.id_names import words
from domain.rulebook.play import Play
from domain.rulebook.presence import in_fight
from domain.rulesets.definitions import sheet
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.sheet import Power

HELD_FAST = {
    "pinned": ("DEF-GPN-01", "pinned"),
    "swallowed": ("DEF-SWL-04", "swallowed"),
    "grappled": ("DEF-GRP-09", "grappled"),
    "grappling": ("DEF-GRP-09", "grappled"),
}
"""The rule and the code of the refusal to walk in each of these states."""


def sheet_of(combatant: Combatant) -> sheet.Combatant:
    """Return the combatant's sheet."""
    return typed(combatant.sheet, sheet.Combatant)


@rule("DEF-HP-03", "The sheet gives the maximum HP")
def tracks(page: sheet.Combatant) -> Mapping[str, Track]:
    """Return the pools: hit points, and the non-lethal damage that counts up.

    DEF-HP-01, DEF-NLD-01.
    """
    now = page.max_hp if page.hp is None else page.hp
    return {"hp": Track(now, page.max_hp), "nld": Track(page.nld)}


def hp(combatant: Combatant) -> int:
    return combatant.tracks["hp"].value


def nld(combatant: Combatant) -> int:
    return combatant.tracks["nld"].value


def max_hp(combatant: Combatant) -> int:
    """Return the maximum hit points, which the GM may have set (DEF-HP-03)."""
    return combatant.tracks["hp"].maximum or sheet_of(combatant).max_hp


def left(combatant: Combatant, kind: str) -> int:
    """Return the actions of a kind that are left in the turn, or 0 before the first turn.

    DEF-TRN-03.
    """
    return combatant.budget.get(kind, 0)


@rule("DEF-HP-05", "A low number of HP has no effect by itself")
def awake(combatant: Combatant) -> bool:
    """Return true if the combatant is neither dead nor unconscious (DEF-INC-01).

    When HP or NLD cause these conditions, the conditions begin at once. HP need no check.
    """
    return not combatant.has("dead", "unconscious")


def able(combat: Combat, who: Id) -> bool:
    """Return true if the combatant is present and awake, and no condition disables it.

    DEF-INC-03.
    """
    return unable(combat, who) is None


@rule("DEF-INC-03", "Unconscious combatants do nothing and bar nobody")
@rule("DEF-TRN-04", "A disabled combatant has no turn")
def unable(combat: Combat, who: Id) -> Illegal | None:
    """Return the reason why `who` cannot act, or `None`."""
    combatant = combat[who]
    if combatant.left or combatant.has("dead"):
        return refuse("DEF-TRN-04", "cannot-act", f"{combatant.name} is out of the fight", NO_FIELD)
    if not awake(combatant):
        return refuse("DEF-INC-03", "cannot-act", f"{combatant.name} is unconscious", NO_FIELD)
    for held in combatant.conditions:
        if held.id == "cannot-act" or held.data.get("cannot_act"):
            return refuse(
                "DEF-TRN-04",
                "cannot-act",
                f"{combatant.name} cannot act: {words(held.id)}",
                NO_FIELD,
            )
    return None


def asked(combat: Combat, name: str, who: Id) -> bool:
    """Return true if `who` has an open prompt with this name."""
    return (name, who) in [(prompt.name, prompt.who) for prompt in combat.prompts.values()]


def out_of_fight(play: Play, *who: Id) -> Callable[[], Illegal | None]:
    """Return a check that stops a roll if one of these combatants is out of the fight."""

    def stop() -> Illegal | None:
        for id in who:
            if not in_fight(play.combat, id):
                return Illegal("DEF-DTH-01", "gone", f"{id} is out of the fight")
        return None

    return stop


def standing(combat: Combat) -> tuple[str, ...]:
    """Return the sides with a combatant that is neither unconscious nor dead (DEF-GEN-04)."""
    return tuple(sorted({combatant.side for combatant in combat if awake(combatant)}))


def hostile(a: Combatant, b: Combatant) -> bool:
    """Return true if the two are on different sides."""
    return a.side != b.side


def by_initiative(combat: Combat) -> list[Combatant]:
    """Return all combatants that are present, highest initiative first.

    Combatants without a place come last.
    """
    places = {place.who: index for index, place in enumerate(combat.order)}
    return sorted(combat, key=lambda combatant: places.get(combatant.id, len(places)))


@rule("DEF-INC-02", "Unconscious combatants are helpless")
def helpless_towards(combat: Combat, target: Id, actor: Id) -> bool:
    """Return true if a kill shot by `actor` is possible (DEF-GRE-01)."""
    return any(
        "towards" not in held.data or actor in held.data["towards"]
        for held in combat[target].conditions
        if held.id in ("helpless", "exposed")
    )


# ---- grapples


def partner(combat: Combat, who: Id) -> Id | None:
    """Return the other combatant of the combatant's grapple."""
    for held in combat[who].conditions:
        if held.id in ("grappled", "grappling"):
            return _bound_to(combat, held)
    return None


def _bound_to(combat: Combat, held: Condition) -> Id | None:
    """Return the source of a condition, or the GM's `with` in its data."""
    other = held.source or held.data.get("with")
    return other if other in combat.combatants else None


def swallower(combat: Combat, who: Id) -> Id | None:
    """Return the combatant's swallower."""
    return next((_bound_to(combat, held) for held in combat[who].all("swallowed")), None)


@rule("DEF-GEN-07", "There is no surprise round, and nobody begins flat-footed")
@rule("DEF-GRP-08", "Both grapplers are flat-footed towards all others")
def flat_footed(combat: Combat, target: Id, towards: Id | None) -> bool:
    """Return true if the target is flat-footed towards `towards`.

    A combatant in a grapple is flat-footed towards everybody except its partner.
    """
    combatant = combat[target]
    if combatant.has("flat-footed"):
        return True
    return combatant.has("grappled", "grappling") and partner(combat, target) != towards


@rule("DEF-GSP-01", "A grappled combatant cannot make gestures")
@rule("DEF-GSP-02", "A grappled combatant can cast spells without gestures")
@rule("DEF-GSP-03", "A grappled caster still needs its words")
def components(
    combat: Combat, who: Id, power: Power, signless: bool, field: str = ""
) -> Iterator[Illegal]:
    """Refuse gestures while grappled, and words without a voice (DEF-GSP)."""
    combatant = combat[who]
    helped = signless and sheet_of(combatant).feats.signless_spell
    if combatant.has("grappled") and power.somatic and not helped:
        detail = f"{power.name} needs gestures, and {combatant.name} is grappled"
        yield refuse("DEF-GSP-01", "somatic-blocked", detail, field)
    if power.verbal and combatant.has("cannot-speak"):
        detail = f"{power.name} needs words, and {combatant.name} cannot speak"
        yield refuse("DEF-GSP-03", "verbal-blocked", detail, field)
