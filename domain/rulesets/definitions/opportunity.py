"""Attacks of opportunity, and the touch attack and opportunity of manoeuvres.

DEF-AOO, DEF-MOV-09, DEF-MAN.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace as changed

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Json
from domain.rulebook.declaration import NO_FIELD, Act, refuse
from domain.rulebook.effects import Procedure, ask_anew, roll
from domain.rulebook.id_names import words
from domain.rulebook.inputs import Enemy, OwnWeapon
from domain.rulebook.play import Play
from domain.rulebook.presence import in_fight
from domain.rulebook.prompts import Option, Prompt
from domain.rulebook.reactions import window
from domain.rulebook.secrecy import knows_of
from domain.rulesets.definitions import arms, board, manoeuvre, numbers, triggers
from domain.rulesets.definitions.costs import Stanced, stance_refusals
from domain.rulesets.definitions.deed import PASS, foiled, immediate_refusals, use_immediate
from domain.rulesets.definitions.facts import IMMEDIATE
from domain.rulesets.definitions.opposed_rolls import no_resistance
from domain.rulesets.definitions.rules import action, rule
from domain.rulesets.definitions.sheet import Shield, Weapon
from domain.rulesets.definitions.states import able, by_initiative, hostile, out_of_fight
from domain.rulesets.definitions.strike import Blow, armor_class, strike


class Opportunity(Stanced, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of an opportunity. `action` is `attack` or `shield-bash`.

    If `weapon` or `shield` is `null`, Affray uses the first suitable one.
    """

    action: Annotated[
        str, Meta(max_length=64, extra_json_schema={"enum": ["attack", "shield-bash"]})
    ] = "attack"
    weapon: OwnWeapon | None = None
    shield: str | None = None
    target: Enemy | None = None


@rule("DEF-IMM-10", "Combatants that can react get prompts one by one, in initiative order")
@rule("DEF-AOO-02", "Some actions provoke")
def provoked(play: Play, who: Id, action: str, *, rule: str = "DEF-AOO-02") -> Procedure[None]:
    """Offer an opportunity to each foe that threatens the actor, in initiative order.

    If a position is missing, the GM names the foes that threaten (DEF-AOO-09).
    """
    named = yield from ask_the_gm(play, who, action)
    for foe in by_initiative(play.combat):
        if not sees(play.combat, foe.id, who):
            continue
        if foe.id in named or board.threatens(play.combat, foe.id, who) is True:
            yield from offer(play, foe.id, who, action, rule=rule)


def sees(combat: Combat, foe: Id, who: Id) -> bool:
    """Return true if `foe` is hostile and knows of `who`."""
    return hostile(combat[who], combat[foe]) and knows_of(combat, foe, who)


def draws(combat: Combat, foe: Id, who: Id, rule: str) -> bool:
    """Return true if `foe` is the target of the manoeuvre, or an enemy that knows of `who`."""
    return rule == "DEF-MAN-03" or sees(combat, foe, who)


def may(combat: Combat, foe: Id, who: Id) -> bool:
    """Return true if `foe` could take an opportunity against `who`.

    The check uses weapons only, because a shield reaches no farther than a weapon.
    """
    return next(refusals(combat, foe, who, Opportunity()), None) is None


def offer(play: Play, foe: Id, who: Id, action: str, *, rule: str = "DEF-AOO-02") -> Procedure[int]:
    """Offer an opportunity to one foe, if it may strike. Return the damage that it dealt."""
    if not may(play.combat, foe, who) or not draws(play.combat, foe, who, rule):
        return 0
    dealt: list[int] = [0]
    yield from window(play, [question(foe, who, action, rule, dealt)])
    return dealt[0]


def used(combat: Combat, foe: Id) -> int:
    """Return the number of opportunities that the foe has used in its round."""
    now = IMMEDIATE.of(combat[foe])
    return now.times if now.category == "aoo" else 0


def question(foe: Id, who: Id, action: str, rule: str, dealt: list[int]) -> Prompt:
    """Return the prompt `reaction` with the options to strike or to pass, by default to pass."""

    def checked(play: Play, foe: Id, inputs: Opportunity) -> Iterator[Illegal]:
        other = inputs.target not in (None, who) or not draws(play.combat, foe, who, rule)
        yield from refusals(play.combat, foe, None if other else who, inputs)

    def chosen(play: Play, foe: Id, inputs: Opportunity) -> Procedure[None]:
        dealt[0] = yield from take(play, foe, who, inputs)

    def samples(play: Play, foe: Id) -> Iterator[Mapping[str, Json]]:
        yield {}
        for weapon in arms.melee(play.combat[foe]):
            yield {"weapon": weapon.id}
        for shield in arms.shields_in_slots(play.combat[foe]):
            yield {"action": "shield-bash", "shield": shield.id}

    return Prompt(
        kind="reaction",
        name="reaction",
        who=foe,
        text=f"{who} provokes an attack of opportunity ({words(action)}). Does {foe} strike?",
        options=(replace(aoo, refusals=checked, candidates=samples, procedure=chosen), PASS),
        rules=(rule, "DEF-AOO-09"),
        default="pass",
        data={"reason": "aoo", "mover": who, "actor": who, "action": action},
        stands=lambda now: able(now, who) and may(now, foe, who) and draws(now, foe, who, rule),
    )


# ---- legal opportunities


@rule("DEF-AOO-05", "An opportunity is one attack or shield bash at the highest bonus")
@rule("DEF-AOO-07", "Some actions give no opportunity")
@rule("DEF-FDF-03", "A combatant in full defence takes no opportunities")
def refusals(combat: Combat, foe: Id, who: Id | None, inputs: Opportunity) -> Iterator[Illegal]:
    """Refuse all but one melee attack with a weapon that threatens (DEF-AOO-03)."""
    combatant = combat[foe]
    yield from immediate_refusals(combat, foe, "aoo")
    if combatant.has("full-defense"):
        yield refuse(
            "DEF-FDF-03", "full-defense", f"{combatant.name} only defends itself", NO_FIELD
        )
    if inputs.action not in ("attack", "shield-bash"):
        detail = "an attack of opportunity is one attack or shield bash"
        yield refuse("DEF-AOO-05", "not-an-aoo", detail, "action", ("attack", "shield-bash"))
    yield from stance_refusals(combat, foe, inputs, allowed=False)
    if who is None:
        detail = "nobody provokes an attack of opportunity now"
        yield refuse("DEF-AOO-01", "no-opportunity", detail, NO_FIELD)
        return
    if not board.threatening(combat, foe):
        yield refuse(
            "DEF-AOO-07", "not-threatening", f"{combatant.name} threatens nobody", NO_FIELD
        )
    elif arm_for(combat, foe, who, inputs) is None:
        yield unfit(combatant, who, inputs)


def unfit(combatant: Combatant, who: Id, inputs: Opportunity) -> Illegal:
    """Return the reason why no weapon or shield can strike `who` (DEF-AOO-07, DEF-SHB-04)."""
    if inputs.action == "shield-bash":
        shields = arms.shields_in_slots(combatant)
        if not any(inputs.shield in (None, shield.id) for shield in shields):
            return refuse(
                "DEF-SHB-04", "no-shield", f"{combatant.name} holds no such shield", "shield"
            )
    elif inputs.weapon is not None:
        ready = {weapon.id: weapon for weapon in arms.ready(combatant)}
        meant = ready.get(inputs.weapon)
        if meant is None:
            detail = f"{combatant.name} has no such weapon ready"
            return refuse("DEF-WLD-08", "weapon-not-ready", detail, "weapon", tuple(ready))
        if meant.kind == "ranged":
            detail = f"{meant.name} is no weapon of the melee"
            return refuse("DEF-ATK-06", "wrong-weapon-kind", detail, "weapon")
        if not meant.trained:
            detail = f"{combatant.name} is not trained with {meant.name}"
            return refuse("DEF-UNT-04", "not-threatening", detail, "weapon")
    return refuse(
        "DEF-AOO-05", "out-of-reach", f"nothing of {combatant.name}'s gets to {who}", NO_FIELD
    )


def arm_for(combat: Combat, foe: Id, who: Id, inputs: Opportunity) -> Weapon | Shield | None:
    """Return the named weapon or shield if it reaches `who`. Without a name, return the first."""
    if inputs.action == "shield-bash":
        shields = arms.shields_in_slots(combat[foe])
        if board.within_reach(combat, foe, who, None) is False:
            return None
        return next((shield for shield in shields if inputs.shield in (None, shield.id)), None)
    weapons = board.reaching(combat, foe, who, board.threatening(combat, foe))
    return next((weapon for weapon in weapons if inputs.weapon in (None, weapon.id)), None)


def take(play: Play, foe: Id, who: Id, inputs: Opportunity) -> Procedure[int]:
    """Strike, and return the damage dealt. A miss also uses the immediate action (DEF-IMM-07)."""
    arm = arm_for(play.combat, foe, who, inputs)
    assert arm is not None
    yield use_immediate(play.combat, foe, "aoo")
    yield from triggers.occurred(play, "attacks", foe, targets=(who,))
    blow = Blow(foe, who, arm, 0, own=False)
    with_it = changed(inputs, **{"weapon" if isinstance(arm, Weapon) else "shield": arm.id})
    if arm_for(play.combat, foe, who, with_it) is None or not blow.gets_there(play.combat):
        return 0
    dealt = yield from strike(play, blow)
    yield from triggers.occurred(play, "acts", foe, action="aoo")
    return dealt


# ---- missing positions


class Names(Struct, frozen=True, forbid_unknown_fields=True):
    names: Annotated[tuple[Id, ...], Meta(max_length=100)]


THREATENED = (Option("names", Names, label="These threaten it"), Option("nobody"))


def ask_the_gm(play: Play, who: Id, action: str) -> Procedure[tuple[Id, ...]]:
    """Ask the GM which foes threaten the combatant, if a missing position leaves this open.

    Return the foes that the GM names (DEF-AOO-09).
    """
    doubtful = [
        foe.id
        for foe in play.combat
        if sees(play.combat, foe.id, who)
        and board.threatens(play.combat, foe.id, who) is None
        and may(play.combat, foe.id, who)
    ]
    return (yield from who_threatens(play, who, action, doubtful)) if doubtful else ()


@rule(
    "DEF-AOO-09",
    "An opportunity is optional. Without positions, the GM names the foes that threaten",
)
def _threatens(foes: Sequence[Id]) -> str:
    """Return the first half of the prompt's text, such as "Does Orc threaten"."""
    if len(foes) == 1:
        return f"Does {foes[0]} threaten"
    return f"Which of {', '.join(foes)} threaten"


def who_threatens(
    play: Play, who: Id, action: str, foes: Sequence[Id]
) -> Procedure[tuple[Id, ...]]:
    """Ask the GM which of these foes threaten the combatant's square (DEF-CST-01)."""

    def question(now: Combat) -> Prompt:
        asked = [foe for foe in foes if may(now, foe, who)]

        def samples(play: Play, _: Id) -> Iterator[Mapping[str, Json]]:
            yield {"names": asked}

        def checked(play: Play, _: Id, inputs: Names) -> Iterator[Illegal]:
            for name in inputs.names:
                if name not in asked:
                    detail = f"{name} is none of those of whom it is asked"
                    yield refuse("DEF-AOO-09", "not-asked", detail, "names", asked)

        return Prompt(
            kind="ruling",
            name="threatened",
            who=None,
            text=f"{who} may provoke ({words(action)}). {_threatens(asked)} {who}'s square?",
            options=(replace(THREATENED[0], refusals=checked, candidates=samples), THREATENED[1]),
            rules=("DEF-CST-01", "DEF-AOO-09"),
            default="nobody",
            data={"combatant": who, "action": action, "foes": asked},
            stands=lambda later: able(later, who) and any(may(later, foe, who) for foe in foes),
        )

    answer = yield from ask_anew(play.combat, question)
    return () if answer.option == "nobody" else tuple(answer.inputs.names)


PENALTY = -4
"""The modifier of the opposed roll after an opportunity that dealt damage (DEF-MAN-04)."""


# ---- the attempt of a manoeuvre: touch attack, opportunity of the defender, penalty (DEF-MAN)


@rule("DEF-TCH-05", "The touch attack of a manoeuvre provokes")
@rule("DEF-MAN-01", "A manoeuvre is a touch attack, an opportunity, an opposed roll and its result")
@rule("DEF-MAN-02", "The attempt provokes, whether the touch hits or misses")
@rule(
    "DEF-MAN-04",
    "Damage by the opportunity gives the opposed roll −4, but not in shove and trample",
)
@rule("DEF-GRP-03", "The defender has an opportunity. If it deals damage, the grapple roll has −4")
def attempt(
    play: Play,
    who: Id,
    target: Id,
    place: int,
    action: str,
    *,
    own: bool = False,
    reach: manoeuvre.Reach = manoeuvre.weapon_reach,
) -> Procedure[int | None]:
    """Roll the touch attack, then offer the defender's opportunity.

    Return the penalty of the opposed roll that follows, 0 or −4. Return `None` if the touch missed,
    or if the defender is now out of the combat or out of `reach`.
    """
    touched = yield from touch(play, who, target, place, own=own)
    dealt = yield from of_defender(play, who, target, action)
    if not touched or not in_fight(play.combat, target):
        return None
    for refusal in reach(play.combat, who, target):
        yield foiled(who, action, refusal, "DEF-AOO-06")
        return None
    return PENALTY if dealt else 0


@rule("DEF-CRT-09", "Other rolls and manoeuvres are never critical")
@rule("DEF-MAN-06", "The touch attack is against the touch AC and never critical")
@rule("DEF-GRP-02", "A grapple begins with a touch attack")
def touch(play: Play, who: Id, target: Id, place: int, *, own: bool) -> Procedure[bool]:
    """Roll against the touch AC. The attack is never critical (DEF-TCH-05)."""
    rolled = yield from roll(
        who,
        "touch",
        "1d20",
        rules=("DEF-MAN-01", "DEF-MAN-06", "DEF-TCH-03"),
        terms=lambda: numbers.touch_terms(play.combat, who, place, attack_action=own),
        target=lambda: armor_class(play.combat, who, target, touch=True),
        against=target,
        judge=lambda faces, total, ac: "hit" if total >= ac else "miss",
        stops=out_of_fight(play, target),
    )
    return rolled is not None and rolled.outcome == "hit"


@rule("DEF-MAN-03", "Only the defender has the opportunity, if it threatens the aggressor")
@rule("DEF-TRP-02", "The defender has an opportunity if it threatens the aggressor")
def of_defender(play: Play, who: Id, target: Id, action: str) -> Procedure[int]:
    """Offer the opportunity only to the defender, if it threatens the aggressor's square.

    Return the damage that it dealt.
    """
    if no_resistance(play.combat, who, target) or not may(play.combat, target, who):
        return 0
    threat = board.threatens(play.combat, target, who)
    if threat is None:
        named = yield from who_threatens(play, who, action, [target])
        threat = target in named
    if not threat:
        return 0
    return (yield from offer(play, target, who, action, rule="DEF-MAN-03"))


# ---- the action of the list, which is only an answer to a prompt


def never(act: Act[Opportunity]) -> Iterator[Illegal]:
    """Refuse to declare an opportunity, because only a foe's action provokes one (DEF-AOO-01)."""
    return refusals(act.combat, act.who, None, act.inputs)


@action(
    "aoo", "Attack of opportunity", Opportunity,
    cost="immediate", category="attack", headline="Strike at the opening[ with {weapon}]",
    essential=("action", "weapon"), polarity="harm",
    rules={},
    also=("DEF-AOO-01", "DEF-AOO-05"),
    refusals=(never,),
    interjection=True,
    answers="aoo",
)  # fmt: skip
def aoo(act: Act[Opportunity]) -> Procedure[None]:
    """Do nothing, because the procedure that offers the prompt carries out its answer."""
    yield from ()
