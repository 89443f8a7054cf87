"""Free and immediate attacks, which use a primary routine at once (VD-FREE, VD-IMMA)."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from domain.errors import Illegal, Impossible, Malformed, Refused
from domain.record.combat import Combat, Combatant, Id, Json
from domain.record.events import AnyEvent, Term
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.effects import Procedure, ask_all, interrupt
from domain.rulebook.inputs import Enemy, OwnWeapon
from domain.rulebook.play import Play
from domain.rulebook.prompts import Answer, Option, Prompt
from domain.rulebook.secrecy import knows_of
from domain.rulesets.vile_darkness import routines
from domain.rulesets.vile_darkness.attack import Strike, Terms, beyond_doubt, may_strike, strike
from domain.rulesets.vile_darkness.deed import guarded, prevented, put_to_the_gm
from domain.rulesets.vile_darkness.facts import (
    BATCH,
    CARRIED,
    CASTING,
    ENDING_ROUND,
    FREE_ATTACKS,
    QUEUED,
    ROUTINES,
    WORK,
    FreeAttack,
)
from domain.rulesets.vile_darkness.harm import (
    Results,
    concentrates,
    in_turn,
    land,
    spell_lost,
    work_ended,
)
from domain.rulesets.vile_darkness.numbers import engaged_with, in_fight, sheet
from domain.rulesets.vile_darkness.routines import OwnRoutine, Use, WeaponModeInput
from domain.rulesets.vile_darkness.rules import rule
from domain.rulesets.vile_darkness.slots import can_act, has_left, unfinished_major, use_major


class Taking(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of a reaction. `target` is required if the prompt offers several targets."""

    target: Enemy | None = None
    routine: OwnRoutine | None = None
    weapon: OwnWeapon | None = None
    mode: WeaponModeInput | None = None


PASS = Option("pass").shown("pass")
T = TypeVar("T", bound=Taking)


@rule("VD-FREE-08", "A free attack is the full first routine, without iterative attacks")
def primary_use(combat: Combat, who: Id, target: Id, inputs: Taking) -> Use | None:
    """Return the routine of a reaction, with all its attacks (VD-FREE-08).

    If the inputs name no routine or weapon, a multi-attacker uses its first routine. Any other
    combatant uses a routine that is legal against the target, or else a routine that the GM can
    allow. Primary routines come first (GAP-43).
    """
    combatant = combat[who]
    card = sheet(combatant)
    if inputs.weapon is not None or inputs.routine is not None:
        return routines.chosen(combatant, None, inputs.routine, inputs.weapon, inputs.mode)
    if routines.has_multi_attack(card):
        return routines.chosen(combatant, None, routine=routines.multi_attack(card)[0])
    every = routines.uses(combatant)
    for refused in (routines.illegal, beyond_doubt):
        legal = [use for use in every if next(refused(combat, who, target, use), None) is None]
        if legal:
            return next((use for use in legal if use.primary), legal[0])
    return next(iter(every), None)


def routine_refusals(combat: Combat, who: Id, target: Id, inputs: Taking) -> Iterator[Illegal]:
    """Refuse a reaction without a legal routine, or with a later routine of a multi-attack.

    VD-FREE-08, VD-ROUT-01, VD-ROUT-06.
    """
    combatant = combat[who]
    use = primary_use(combat, who, target, inputs)
    if use is None:
        yield refuse("VD-ROUT-01", "no-weapon", f"{combatant.name} has no attack routine", NO_FIELD)
        return
    if routines.has_multi_attack(sheet(combatant)) and not use.primary:
        detail = f"{use.id} is not the primary routine"
        yield Impossible("VD-FREE-08", "wrong-kind", detail, pointer=routines.pointer(inputs))
    yield from beyond_doubt(combat, who, target, use)


def reason_now(refusals: Iterator[Illegal]) -> Illegal | None:
    """Return the first refusal, or `None`.

    If the inputs name a thing that no longer exists, return a refusal for it.
    """
    try:
        return next(refusals, None)
    except Refused as gone:
        return refuse("VD-FREE-01", "gone", gone.told, NO_FIELD)


@rule("VD-FREE-06", "Surprised combatants make no free attacks")
def may_react(combatant: Combatant, rule: str) -> Iterator[Illegal]:
    """Refuse a reaction of a disabled or surprised combatant.

    Surprise forbids reactions even if the combatant may act (GAP-19, GAP-20).
    """
    yield from can_act(combatant)
    if combatant.has("surprised"):
        yield refuse(rule, "surprised", f"{combatant.name} is surprised", NO_FIELD)


def still_there(combat: Combat, target: Id) -> Iterator[Illegal]:
    """Refuse a target that has left the combat."""
    if combat[target].left:
        yield refuse("VD-FREE-01", "gone", f"{target} has left the combat", "target")


def strike_back(
    play: Play,
    action: str,
    taken: Sequence[tuple[Id, Id, T]],
    down: Collection[Id],
    refusals: Callable[[Id, Id, T], Iterator[Illegal]],
    pay: Callable[[Id, Id], Iterator[AnyEvent]],
    make: Callable[[Id, Id, T, Results], Procedure[None]],
) -> Procedure[None]:
    """Carry out reactions together.

    1. Affray checks each reaction, asks the GM if necessary, and checks the reactions again.
    2. All combatants pay.
    3. All combatants roll.
    4. All results apply.

    `down` contains the targets that had already fallen when the combatants chose.
    """

    def still_legal(attacks: Sequence[tuple[Id, Id, T]]) -> Procedure[list[tuple[Id, Id, T]]]:
        good: list[tuple[Id, Id, T]] = []
        for who, target, inputs in attacks:
            why = reason_now(refusals(who, target, inputs))
            # the target has fallen since the choice (GAP-52)
            if target not in down and not in_fight(play.combat, target):
                why = refuse("VD-FREE-01", "gone", f"{target} is down or gone", NO_FIELD)
            if why is not None:
                yield prevented(who, action, inputs, why)
            else:
                good.append((who, target, inputs))
        return good

    ruled: list[tuple[Id, Id, T]] = []
    for who, target, inputs in (yield from still_legal(taken)):
        use = primary_use(play.combat, who, target, inputs)
        question = may_strike(play, who, target, use)
        if (yield from put_to_the_gm(play, who, action, question, inputs, target)):
            ruled.append((who, target, inputs))
    good = yield from still_legal(ruled)
    moment: dict[Id, Results] = {who: [] for who, _, _ in good}
    for who, target, _ in good:
        yield from pay(who, target)
    for who, target, inputs in good:
        rolling = make(who, target, inputs, moment[who])
        blow = partial(guarded, play, who, action, rolling, moment[who], target)
        yield from interrupt(play, blow, None)
    yield from interrupt(play, partial(land, play, in_turn(moment)), None)


# ---- free attacks (VD-FREE)


class Drawn(NamedTuple):
    """The terms of free attacks: a bonus to attack, and a penalty on the target's AC."""

    bonus: int = 0
    penalty: int = 0


@rule("VD-FREE-03", "Each opponent makes at most one free attack on a creature per round")
@rule("VD-FREE-04", "A combatant makes at most one free attack per segment")
@rule("VD-FREE-05", "In other segments of the round, further free attacks are possible")
def free_refusals(
    combat: Combat, who: Id, against: Id, inputs: Taking, *, leaving: bool = False
) -> Iterator[Illegal]:
    """Refuse a free attack that exceeds a limit, or that the combatant cannot make.

    With `leaving`, the target provokes the attack by leaving a melee (VD-FAST-06). Section 4.1,
    procedure 5.
    """
    combatant = combat[who]
    yield from may_react(combatant, "VD-FREE-06")
    yield from still_there(combat, against)
    if leaving and not opposes_in_melee(combat, who, against):
        detail = f"{combatant.name} is no opponent in melee with {combat[against].name}"
        yield refuse("VD-FAST-06", "gone", detail, "target")
    made = FREE_ATTACKS.of(combatant)
    if any(free_attack.against == against for free_attack in made):
        detail = f"{combatant.name} has had its free attack on {combat[against].name} in this round"
        yield refuse("VD-FREE-03", "free-attack-used", detail, "target")
    now = (combat.phase, BATCH.of(combat))
    if any((free_attack.slot, free_attack.batch) == now for free_attack in made):
        detail = f"{combatant.name} has had its free attack of this segment"
        yield refuse("VD-FREE-04", "free-attack-used", detail, NO_FIELD)
    yield from routine_refusals(combat, who, against, inputs)


def opposes_in_melee(combat: Combat, who: Id, against: Id) -> bool:
    """Return true if `who` fights `against` in melee and knows of it."""
    hostile = combat[who].side != combat[against].side and knows_of(combat, who, against)
    return hostile and who in engaged_with(combat[against])


def eligible(combat: Combat, who: Id, against: Id, *, leaving: bool) -> bool:
    """Return true if Affray can offer this free attack."""
    return reason_now(free_refusals(combat, who, against, Taking(), leaving=leaving)) is None


@rule("VD-FREE-07", "A free attack breaks the attacker's concentration")
@dataclass(frozen=True)
class Offered:
    """A free attack that Affray offers to `who`, with the combat at the moment of the offer."""

    who: Id
    against: tuple[Id, ...]
    terms: Mapping[Id, Drawn]
    leaving: bool
    since: Combat

    def open_on(self, now: Combat) -> tuple[Id, ...]:
        """Return the targets that are still legal, and have not fallen since the offer."""
        return tuple(
            target
            for target in self.against
            if (in_fight(now, target) or not in_fight(self.since, target))
            and eligible(now, self.who, target, leaving=self.leaving)
        )

    def question(self, now: Combat) -> Prompt:
        """Return one prompt for all targets, with a warning about concentration (VD-FREE-07)."""
        who, against = self.who, self.open_on(now) or self.against
        warns = concentrates(now[who])
        leave = "leaves" if len(against) == 1 else "leave"
        leaving = f", who {leave} the melee" if self.leaving else ""
        return Prompt(
            kind="reaction",
            name="free-attack",
            who=who,
            text=f"Does {who} take a free attack on {' or '.join(against)}{leaving}?"
            + (" It breaks its concentration." if warns else ""),
            options=(free_option(against, leaving=self.leaving), PASS),
            rules=("VD-FREE-01",),
            default="pass",
            data={
                "targets": list(against),
                "mover": against[0],
                "attack_bonus": self.terms[against[0]].bonus,
                "ac_penalty": self.terms[against[0]].penalty,
                "breaks_concentration": warns,
                **_each_of(against, self.terms),
            },
            stands=lambda later: (
                ENDING_ROUND.of(later) == ENDING_ROUND.of(self.since) and bool(self.open_on(later))
            ),
            anew=self.question,
        )


def _each_of(against: Sequence[Id], terms: Mapping[Id, Drawn]) -> Mapping[str, Json]:
    """Return the bonus and the penalty of each target, if they differ."""
    if len({terms[target] for target in against}) < 2:
        return {}
    return {
        "by_target": {
            target: {"attack_bonus": terms[target].bonus, "ac_penalty": terms[target].penalty}
            for target in against
        }
    }


def free_option(against: tuple[Id, ...], *, leaving: bool) -> Option:
    """Return the option `take` against one of these targets."""

    def refusals(play: Play, who: Id, inputs: Taking) -> Iterator[Illegal]:
        target = inputs.target or (against[0] if len(against) == 1 else None)
        if target not in against:
            detail = f"the free attack is on {' or '.join(against)}: name one as target"
            yield Illegal("VD-FREE-04", "one-target-per-routine", detail, against, "/inputs/target")
            return
        yield from free_refusals(play.combat, who, target, inputs, leaving=leaving)

    def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
        for target in against:
            yield {"target": target}

    return Option("take", Taking, refusals, candidates, "Take the free attack").shown(
        "attack", "Attack[ {target}][ with {weapon}]"
    )


TAKE_FREE = Option("take", Taking, label="Take the free attack").shown(
    "attack", "Attack[ {target}][ with {weapon}]"
)
"The option in the catalogue. Each offer has its own targets."


@rule(
    "VD-FREE-01",
    "A free attack is a full primary routine, which comes before its trigger completes",
)
@rule("VD-FREE-02", "A free attack costs no action")
def free_attacks(
    play: Play,
    offers: Mapping[Id, Sequence[Id]],
    terms: Mapping[Id, Drawn],
    *,
    leaving: bool = False,
) -> Procedure[None]:
    """Ask all attackers at once, and carry out their attacks together (VD-FREE-01)."""
    aimed_at = {target for targets in offers.values() for target in targets}
    down = {target for target in aimed_at if not in_fight(play.combat, target)}
    offered = [
        Offered(who, tuple(against), terms, leaving, play.combat) for who, against in offers.items()
    ]
    answers = yield from ask_all([offer.question(play.combat) for offer in offered])
    taken = [
        (offer.who, answer.inputs.target or only_target(offer, answer), answer.inputs)
        for offer, answer in zip(offered, answers, strict=True)
        if answer.option == "take"
    ]

    def refusals(who: Id, target: Id, inputs: Taking) -> Iterator[Illegal]:
        return free_refusals(play.combat, who, target, inputs, leaving=leaving)

    def make(who: Id, target: Id, inputs: Taking, results: Results) -> Procedure[None]:
        return make_free(play, who, target, inputs, terms[target], results)

    def pay(who: Id, target: Id) -> Iterator[AnyEvent]:
        """Record the free attack, which costs no action (VD-FREE-02).

        It counts for the limit of the target and of the segment (VD-FREE-03, VD-FREE-04).
        """
        now = FreeAttack(play.combat.phase, target, BATCH.of(play.combat))
        made = (*FREE_ATTACKS.of(play.combat[who]), now)
        yield FREE_ATTACKS.set(who, made, rules=("VD-FREE-03", "VD-FREE-04"))

    yield from strike_back(play, "free-attack", taken, down, refusals, pay, make)


def only_target(offered: Offered, answer: Answer) -> Id:
    """Return the first target that was legal at the time of the answer."""
    left = () if answer.then is None else offered.open_on(answer.then)
    return (left or offered.against)[0]


@rule("VD-FREE-09", "A free attack may have a bonus, or a penalty on Armour Class")
def make_free(
    play: Play, who: Id, target: Id, inputs: Taking, drawn: Drawn, results: Results
) -> Procedure[None]:
    """Carry out the routine with the bonus and the penalty of the trigger (VD-FREE-09)."""
    use = primary_use(play.combat, who, target, inputs)
    if use is None:
        return
    terms = Terms(
        (Term("free attack", drawn.bonus, "VD-FREE-09"),),
        (Term("drew a free attack", -drawn.penalty, "VD-FREE-09"),),
        reaction=True,
    )
    yield from strike(play, Strike(who, target, use, terms), results)


# ---- leaving a melee


def on_leaving(play: Play, leavers: Mapping[Id, Drawn]) -> Procedure[None]:
    """Offer each opponent in melee a free attack on a leaving combatant (VD-FAST-06)."""
    offers: dict[Id, list[Id]] = {}
    for combatant in play.combat:
        drawn = [who for who in leavers if eligible(play.combat, combatant.id, who, leaving=True)]
        if drawn:
            offers[combatant.id] = drawn
    yield from free_attacks(play, offers, leavers, leaving=True)


# ---- immediate attacks (VD-IMMA)


class TakingAtOnce(Taking, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of an immediate attack. `circumstances` switch on multipliers.

    `gives_up` is the id of the committed action to give up. `false` refuses to give up any action.
    """

    circumstances: tuple[str, ...] = ()
    gives_up: bool | str | None = None


@rule("VD-IMMA-02", "An immediate attack needs an unused major action")
@rule("VD-IMMA-05", "Surprised combatants make no immediate attacks")
def immediate_refusals(
    combat: Combat, who: Id, against: Id, inputs: TakingAtOnce
) -> Iterator[Illegal]:
    """Refuse an immediate attack unless these conditions hold:

    - The major action is unused. If it is committed, `gives_up` is not `false` (VD-IMMA-02).
    - The combatant is neither disabled nor surprised (VD-IMMA-05).
    - A routine is legal against the target.
    """
    combatant = combat[who]
    yield from may_react(combatant, "VD-IMMA-05")
    yield from still_there(combat, against)
    committed = unfinished_major(combatant)
    known = () if committed is None else (committed.action,)
    if isinstance(inputs.gives_up, str) and inputs.gives_up not in known:
        detail = f"{combatant.name} has not committed {inputs.gives_up!r}"
        raise Malformed("/inputs/gives_up", detail, known)
    if not has_left(combatant, "major") or (committed is not None and inputs.gives_up is False):
        detail = f"{combatant.name} has no major action for it"
        field = "gives_up" if has_left(combatant, "major") else NO_FIELD
        yield refuse("VD-IMMA-02", "major-already-used", detail, field)
    yield from routine_refusals(combat, who, against, inputs)


def may_at_once(combat: Combat, who: Id, against: Id, weapon: str | None = None) -> bool:
    """Return true if Affray can offer this immediate attack."""
    inputs = TakingAtOnce(weapon=weapon)
    return reason_now(immediate_refusals(combat, who, against, inputs)) is None


def immediate_attack_prompt(
    combat: Combat, who: Id, against: Id, weapon: str | None = None, named: tuple[str, ...] = ()
) -> Prompt:
    """Return the prompt for an immediate attack. The circumstances in `named` always apply."""
    committed = unfinished_major(combat[who])
    down = not in_fight(combat, against)
    ending = ENDING_ROUND.of(combat)
    return Prompt(
        kind="reaction",
        name="immediate-attack",
        who=who,
        text=f"Does {who} attack {against} at once? It costs the major action.",
        options=(immediate_option(against, weapon), PASS),
        rules=("VD-IMMA-01",),
        default="pass",
        data={
            "target": against,
            "weapon": weapon,
            "circumstances": list(named),
            "gives_up": committed.action if committed else None,
        },
        stands=lambda now: (
            ENDING_ROUND.of(now) == ending
            and (in_fight(now, against) or down)
            and may_at_once(now, who, against, weapon)
        ),
    )


def immediate_option(against: Id, weapon: str | None) -> Option:
    """Return the option `take` against the combatant that provoked the attack."""

    def refusals(play: Play, who: Id, inputs: TakingAtOnce) -> Iterator[Illegal]:
        if inputs.target not in (None, against):
            detail = f"the immediate attack is on {against}"
            yield Impossible(
                "VD-IMMA-01", "one-target-per-routine", detail, (against,), "/inputs/target"
            )
            return
        yield from immediate_refusals(play.combat, who, against, with_offered(inputs, weapon))

    return Option(
        "take", TakingAtOnce, refusals, lambda play, who: ({"target": against},), "Attack at once"
    ).shown("attack", "Attack[ {target}][ with {weapon}]")


TAKE_AT_ONCE = Option("take", TakingAtOnce, label="Attack at once").shown(
    "attack", "Attack[ {target}][ with {weapon}]"
)
"The option in the catalogue. Each offer has its own target."


def with_offered(
    inputs: TakingAtOnce, weapon: str | None, named: tuple[str, ...] = ()
) -> TakingAtOnce:
    """Return the inputs with the circumstances of the trigger and, by default, its weapon."""
    if inputs.weapon is None and inputs.routine is None:
        inputs = replace(inputs, weapon=weapon)
    return replace(inputs, circumstances=tuple(dict.fromkeys((*named, *inputs.circumstances))))


@rule("VD-IMMA-01", "An immediate attack is like a free attack, but costs the major action")
def immediate_attacks(
    play: Play, offers: Sequence[tuple[Id, Id, str | None, tuple[str, ...]]]
) -> Procedure[None]:
    """Ask all attackers at once, and carry out their attacks together."""
    down = {against for _, against, _, _ in offers if not in_fight(play.combat, against)}
    prompts = [
        immediate_attack_prompt(play.combat, who, against, weapon, named)
        for who, against, weapon, named in offers
    ]
    answers: tuple[Answer, ...] = yield from ask_all(prompts)
    taken = [
        (who, against, with_offered(answer.inputs, weapon, named))
        for (who, against, weapon, named), answer in zip(offers, answers, strict=True)
        if answer.option == "take"
    ]

    def refusals(who: Id, target: Id, inputs: TakingAtOnce) -> Iterator[Illegal]:
        return immediate_refusals(play.combat, who, target, inputs)

    make = partial(make_at_once, play)
    pay = partial(pay_at_once, play)
    yield from strike_back(play, "immediate-attack", taken, down, refusals, pay, make)


def pay_at_once(play: Play, who: Id, target: Id) -> Iterator[AnyEvent]:
    """Use the major action, and give up a committed action with its consequences (VD-IMMA-03)."""
    yield from list(gives_up(play.combat[who], "VD-IMMA-04"))
    yield from list(use_major(play.combat[who], "VD-IMMA-03"))
    if rest := routines.the_rest(play.combat[who]):
        yield ROUTINES.set(who, rest, rules=("VD-MULTI-07",))


@rule("VD-IMMA-03", "An immediate attack costs the major action")
def make_at_once(
    play: Play, who: Id, target: Id, inputs: TakingAtOnce, results: Results
) -> Procedure[None]:
    """Carry out the routine with the circumstances that apply."""
    use = primary_use(play.combat, who, target, inputs)
    if use is None:
        return
    terms = Terms((), (), inputs.circumstances, reaction=True)
    yield from strike(play, Strike(who, target, use, terms), results)


@rule(
    "VD-IMMA-04",
    "An immediate attack can replace a declared action, which ends with its consequences",
)
def gives_up(combatant: Combatant, rule: str) -> Iterator[AnyEvent]:
    """Give up a committed action. A spell in progress is lost, and other major actions end."""
    if CASTING.of(combatant) is not None:
        yield from spell_lost(combatant, "given up", rule)
    elif WORK.of(combatant) is not None:
        yield from work_ended(combatant, "given up", rule)
    for waiting in (QUEUED, CARRIED):
        kept = tuple(intent for intent in waiting.of(combatant) if not intent.major)
        if kept != waiting.of(combatant):
            yield waiting.set(combatant.id, kept, rules=(rule,))
