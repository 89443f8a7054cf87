"""The action `reposte`, the only reaction of the rulebook (HE-REP)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Json
from domain.rulebook.declaration import NO_FIELD, Act, refuse
from domain.rulebook.effects import Procedure, stopped_by, while_able
from domain.rulebook.inputs import Enemy, OwnWeapon
from domain.rulebook.play import Play
from domain.rulebook.presence import in_fight
from domain.rulebook.prompts import Option, Prompt
from domain.rulebook.reactions import window
from domain.rulebook.secrecy import knows_of
from domain.rulesets.hallowed_earth import action_costs, attack
from domain.rulesets.hallowed_earth.attack import Attacks
from domain.rulesets.hallowed_earth.count import counting
from domain.rulesets.hallowed_earth.harm import exert
from domain.rulesets.hallowed_earth.numbers import by_agility, feet, threat_range
from domain.rulesets.hallowed_earth.rules import action, rule
from domain.rulesets.hallowed_earth.states import hostile
from domain.rulesets.hallowed_earth.things import ready, weapon_of


class Riposte(Struct, frozen=True, forbid_unknown_fields=True):
    """Inputs of a Reposte. If `weapon` is `null`, Affray uses the first ready weapon.

    If several foes provoked the Reposte, `attacker` names one of them.
    """

    weapon: OwnWeapon | None = None
    attacker: Enemy | None = None


@rule(
    "HE-REP-09",
    "A Reposte needs a trigger. Surprised, dead and paralyzed combatants make none",
)
def unable(combat: Combat, who: Id) -> Iterator[Illegal]:
    """Refuse a Reposte of a combatant that cannot make one, for one of these reasons:

    - It is dead, surprised or paralyzed (HE-REP-09).
    - It is dying or has a broken rib, and has used its actions (HE-REP-10).
    - It has used its Reaction (HE-REP-01).
    """
    combatant = combat[who]
    yield from action_costs.present(combatant, "HE-REP-09")
    yield from action_costs.body(combatant)
    yield from action_costs.rib(combatant)
    yield from action_costs.budget(combat, who, "reaction")


@rule("HE-REP-08", "The provoker must be inside the threat range")
def weapons(combat: Combat, who: Id, provoker: Id) -> list[str]:
    """Return the ready melee weapons, if the provoker is in the threat range (HE-REP-08)."""
    combatant = combat[who]
    far = feet(combatant.position, combat[provoker].position)
    if far is not None and far > threat_range(combatant).value:
        return []
    return [weapon.id for weapon in ready(combatant) if far is None or far <= weapon.reach_ft]


def may(combat: Combat, who: Id, provoker: Id) -> bool:
    """Return true if `who` can answer `provoker` with a Reposte."""
    return (
        in_fight(combat, who)
        and in_fight(combat, provoker)
        and hostile(combat, who, provoker)
        and next(unable(combat, who), None) is None
        and bool(weapons(combat, who, provoker))
    )


ENTERING = ("HE-REP-02", "HE-REP-06", "HE-REP-07", "HE-MOVE-07")


@rule(
    "HE-REP-02", "An opponent that enters the threat range provokes, except with a defensive attack"
)
@rule("HE-REP-06", "A Reposte comes before the mover's next step, or after the attack's result")
def entering(play: Play, mover: Id, threatened: Sequence[Id]) -> Procedure[None]:
    """Offer Repostes when a combatant enters threat ranges (HE-REP-02).

    All these foes receive their prompts at once, sorted by Agility. After their answers, the
    combatant moves on (HE-REP-06, HE-MOVE-07).
    """
    able = [
        who
        for who in by_agility(play.combat, threatened)
        if may(play.combat, who, mover) and knows_of(play.combat, who, mover)
    ]
    yield from window(play, [offer(who, (mover,), "enters", ENTERING) for who in able])


@rule("HE-FDEF-03", "An attack on a combatant in Full-Defense, hit or miss, allows a Reposte")
@rule(
    "HE-DATK-06",
    "A defensive attack gives no Defense, no penalty and no protection from a Full-Defense",
    untold="what does not change; the Reposte tells HE-FDEF-03",
)
@rule("HE-REP-03", "An attack on a combatant in Full-Defense provokes")
def answering(play: Play, attacks: Attacks) -> Procedure[None]:
    """Offer a Reposte to each attacked combatant in Full-Defense.

    - Hits and misses count (HE-FDEF-03, HE-REP-03), and so do defensive attacks (HE-DATK-06).
    - Each defender gets one prompt and chooses one of its attackers (HE-TIE-04).
    """
    provoked: dict[Id, list[Id]] = {}
    for attacker, defender in attacks:
        runs = play.combat[defender].has("full-defense")
        if runs and may(play.combat, defender, attacker):
            provoked.setdefault(defender, []).append(attacker)
    rules = ("HE-REP-03", "HE-FDEF-03")
    yield from window(
        play,
        [
            offer(who, tuple(dict.fromkeys(provoked[who])), "attacked", rules)
            for who in by_agility(play.combat, provoked)
        ],
    )


def first_weapon(combat: Combat, who: Id, at: Id | None) -> Id | None:
    """Return the first weapon that reaches the target, or `None` if no weapon does."""
    there = weapons(combat, who, at) if at is not None and at in combat.combatants else ()
    return next(iter(there), None)


def cannot(combatant: Combatant, weapon: str) -> Iterator[Illegal]:
    """Refuse a Reposte that the combatant's state or an injured arm prevents."""
    yield from action_costs.present(combatant, "HE-REP-09")
    yield from action_costs.body(combatant)
    yield from action_costs.arms(combatant, weapon)


@rule("HE-REP-04", "A Reposte is one melee attack with one roll, with critical hits as usual")
@rule("HE-REP-05", "A Reposte costs no Standard Action and no initiative, before or after the turn")
def make(play: Play, who: Id, at: Id, weapon: Id | None) -> Procedure[None]:
    """Make one melee attack with one roll. It can be critical and cause injuries (HE-REP-04).

    The Reposte uses the Reaction and does not change initiative (HE-REP-05).
    """
    used = weapon_of(play.combat[who], weapon or weapons(play.combat, who, at)[0])
    assert used is not None
    costs = yield from action_costs.spend(play, who, "reaction", "HE-REP-05", "HE-REP-10")
    purposes = ("reposte-attack", "reposte-damage")
    struck = attack.strike(play, who, at, attack.of_weapon(used), "reposte", purposes)
    moving = stopped_by(
        play, who, struck, "reposte", lambda: next(cannot(play.combat[who], used.id), None)
    )
    hit = yield from while_able(play, who, moving, "reposte", at=at)
    if hit is not None:
        yield from attack.land(play, hit)
    yield from exert(play, who, costs)
    yield from answering(play, [(who, at)])


# ---- the prompt


def not_asked(act: Act[Riposte]) -> Iterator[Illegal]:
    """Refuse a Reposte without a trigger (HE-REP-09)."""
    combat, who = act.combat, act.who
    if not counting(combat):
        yield action_costs.off_turn(combat, who, "reposte")
        return
    yield from unable(combat, who)
    asked = any(
        prompt.name == "reposte" and prompt.who == who for prompt in combat.prompts.values()
    )
    detail = "answer the prompt reposte" if asked else "nobody has provoked it"
    yield refuse("HE-REP-09", "no-trigger", detail, NO_FIELD)


@action(
    "reposte", "Reposte", Riposte,
    cost="reaction", category="attack", headline="Strike back[ at {attacker}][ with {weapon}]",
    rules={"HE-REP-01": "A Reposte needs the Reaction"},
    refusals=(not_asked,), interjection=True,
)  # fmt: skip
def reposte(act: Act[Riposte]) -> Procedure[None]:
    """Do nothing. A Reposte answers only the prompt that `offer` makes."""
    yield from ()


TAKE = replace(reposte, id="take")
PASS = Option("pass", label="Let it be")


def offer(
    who: Id,
    provokers: tuple[Id, ...],
    trigger: str,
    rules: tuple[str, ...],
    provoked: tuple[Id, ...] = (),
) -> Prompt:
    """Return the prompt that offers `who` a Reposte at one of the `provokers`.

    If Affray replaces a prompt by a newer one, `provokers` are the targets that remain possible,
    and `provoked` are all targets of the earlier prompt.
    """

    def first(combat: Combat, who: Id) -> Id:
        """Return the first possible target. Affray uses it if the inputs name no target."""
        return next((at for at in provokers if may(combat, who, at)), provokers[0])

    def refusals(play: Play, who: Id, inputs: Riposte) -> Iterator[Illegal]:
        at = inputs.attacker or first(play.combat, who)
        if at not in (provoked or provokers):
            detail = f"{at} has not provoked it"
            yield refuse("HE-REP-04", "no-trigger", detail, "attacker", provokers)
            return
        yield from unable(play.combat, who)
        there = weapons(play.combat, who, at)
        if not in_fight(play.combat, at):
            detail = f"{at} is not in the fight any more"
            yield refuse("HE-REP-08", "no-trigger", detail, "attacker", provokers)
        elif inputs.weapon is not None and inputs.weapon not in there:
            detail = f"no ready melee weapon {inputs.weapon!r} reaches {at}"
            yield refuse("HE-REP-08", "out-of-reach", detail, "weapon", there)
        elif not there:
            detail = f"no ready melee weapon reaches {at}"
            yield refuse("HE-REP-08", "out-of-reach", detail, "attacker")

    def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
        for at in provokers:
            for weapon in weapons(play.combat, who, at):
                yield {"weapon": weapon, "attacker": at}

    def procedure(play: Play, who: Id, inputs: Riposte) -> Procedure[None]:
        at = inputs.attacker or first(play.combat, who)
        yield from make(play, who, at, inputs.weapon)

    deed = "attack" if trigger == "attacked" else "coming"
    take = replace(TAKE, refusals=refusals, candidates=candidates, procedure=procedure)
    return Prompt(
        kind="reaction",
        name="reposte",
        who=who,
        text=f"Does {who} answer the {deed} of {', '.join(provokers)} with a Reposte?",
        options=(take, PASS),
        rules=rules,
        default="pass",
        data={
            "trigger": trigger,
            "attacker" if trigger == "attacked" else "mover": provokers[0],
            "provokers": list(provokers),
        },
        stands=lambda now: counting(now) and any(may(now, who, at) for at in provokers),
        anew=lambda now: offer(
            who, tuple(at for at in provokers if may(now, who, at)), trigger, rules, provokers
        ),
    )
