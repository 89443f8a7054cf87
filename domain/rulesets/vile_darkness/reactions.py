"""Free attacks and immediate attacks: a primary routine at once, before the trigger completes.

A free attack costs nothing (VD-FREE), an immediate attack the major action (VD-IMMA).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from domain.errors import Illegal, Impossible, Refused
from domain.record.combat import Combat, Combatant, Id, Json
from domain.record.events import AnyEvent, Term
from domain.rulebook.effects import Procedure, ask_all, interrupt, while_able
from domain.rulebook.play import Play
from domain.rulebook.prompts import Answer, Option, Prompt
from domain.rulesets.vile_darkness import routines
from domain.rulesets.vile_darkness.acting import present, use_major
from domain.rulesets.vile_darkness.attack import Strike, Terms, strike
from domain.rulesets.vile_darkness.concentration import concentrates, spell_lost, work_ended
from domain.rulesets.vile_darkness.deed import prevented
from domain.rulesets.vile_darkness.facts import (
    BATCH,
    CASTING,
    COMMITTED,
    FREE_ATTACKS,
    QUEUED,
    ROUTINES,
    WORK,
    FreeAttack,
)
from domain.rulesets.vile_darkness.harm import Results, land
from domain.rulesets.vile_darkness.numbers import engaged_with, in_fight, sheet
from domain.rulesets.vile_darkness.routines import Use


class Taking(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """At whom, when there are several; with which routine or weapon."""

    target: Id | None = None
    routine: str | None = None
    weapon: str | None = None
    mode: str | None = None


class TakingAtOnce(Taking, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`circumstances` switch on multipliers; `gives_up` false: not instead of what is committed."""

    circumstances: tuple[str, ...] = ()
    gives_up: bool | str | None = None


# ---- with what


def primary_use(combat: Combat, who: Id, target: Id, inputs: Taking) -> Use | None:
    """The whole primary routine (VD-FREE-08): of a multi-attack the first; else by default the
    first primary one that is legal against the target (GAP-43)."""
    one = combat[who]
    card = sheet(one)
    if inputs.weapon is not None or inputs.routine is not None:
        return routines.chosen(one, None, inputs.routine, inputs.weapon, inputs.mode)
    if routines.has_multi_attack(card):
        return routines.chosen(one, None, routine=routines.multi_attack(card)[0])
    every = routines.uses(one)
    legal = [
        each for each in every if next(routines.illegal(combat, who, target, each), None) is None
    ]
    ordered = [each for each in legal if each.primary] or legal
    return next(iter(ordered), next(iter(every), None))


def not_primary(combat: Combat, who: Id, use: Use) -> Iterator[Illegal]:
    """Not one of the iterative attacks (VD-FREE-08, VD-ROUT-06)."""
    card = sheet(combat[who])
    if (
        routines.has_multi_attack(card)
        and use.id in routines.multi_attack(card)
        and not use.primary
    ):
        detail = f"{use.id} is not the primary routine"
        yield Impossible("VD-FREE-08", "wrong-kind", detail, pointer="/inputs/routine")


# ---- free attacks


def free_refusals(combat: Combat, who: Id, against: Id, inputs: Taking) -> Iterator[Illegal]:
    """Able, not surprised, within both limits, the attack itself legal (4.1, procedure 5)."""
    one = combat[who]
    yield from not_surprised(one, "VD-FREE-06")
    yield from present(one)
    made = FREE_ATTACKS.of(one)
    if any(each.against == against for each in made):
        detail = f"{one.name} has had its free attack on {combat[against].name} in this round"
        yield Illegal("VD-FREE-03", "free-attack-used", detail)
    now = (combat.phase, BATCH.of(combat))
    if any((each.slot, each.batch) == now for each in made):
        detail = f"{one.name} has had its free attack of this segment"
        yield Illegal("VD-FREE-04", "free-attack-used", detail)
    use = primary_use(combat, who, against, inputs)
    if use is None:
        yield Illegal("VD-ROUT-01", "no-weapon", f"{one.name} has no attack routine")
        return
    yield from not_primary(combat, who, use)
    yield from routines.illegal(combat, who, against, use)


def not_surprised(one: Combatant, rule: str) -> Iterator[Illegal]:
    """The surprised make none, even when they may act (GAP-19, -20)."""
    if one.has("surprised"):
        yield Illegal(rule, "surprised", f"{one.name} is surprised")


def eligible(combat: Combat, who: Id, against: Id) -> bool:
    """Whether a free attack is offered at all."""
    try:
        return next(free_refusals(combat, who, against, Taking()), None) is None
    except Refused:
        return False


def free_attack_prompt(
    combat: Combat, who: Id, against: Sequence[Id], bonus: int = 0, penalty: int = 0
) -> Prompt:
    """One question for all who draw it at once; to take it breaks concentration (VD-FREE-07)."""
    one = combat[who]
    down = {each for each in against if not in_fight(combat, each)}
    warns = concentrates(one)
    return Prompt(
        kind="reaction",
        name="free-attack",
        who=who,
        text=f"Does {who} take a free attack on {' or '.join(against)}?"
        + (" It breaks its concentration." if warns else ""),
        options=(free_option(tuple(against)), PASS),
        rules=("VD-FREE-01",),
        default="pass",
        data={
            "targets": list(against),
            "mover": against[0],
            "attack_bonus": bonus,
            "ac_penalty": penalty,
            "breaks_concentration": warns,
        },
        stands=lambda now: any(
            (in_fight(now, each) or each in down) and eligible(now, who, each) for each in against
        ),
    )


PASS = Option("pass")


def free_option(against: tuple[Id, ...]) -> Option:
    """`take` at one of these."""

    def refusals(play: Play, who: Id, inputs: Taking) -> Iterator[Illegal]:
        target = inputs.target or (against[0] if len(against) == 1 else None)
        if target not in against:
            detail = f"the free attack is on {' or '.join(against)}: name one as target"
            yield Impossible("VD-FREE-04", "one-target-per-routine", detail, against)
            return
        yield from free_refusals(play.combat, who, target, inputs)

    def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
        for target in against:
            yield {"target": target}

    return Option("take", Taking, refusals, candidates, "Take the free attack")


TAKE_FREE = Option("take", Taking)
"""As published: the offer itself knows at whom."""


def free_attacks(
    play: Play,
    offers: Mapping[Id, Sequence[Id]],
    bonus: int = 0,
    penalty: int = 0,
    rule: str = "VD-FREE-01",
) -> Procedure[None]:
    """Ask everybody at once; what is taken is rolled together and falls together (VD-FREE-01)."""
    fallen_before = {
        each: not in_fight(play.combat, each) for against in offers.values() for each in against
    }
    prompts = [
        free_attack_prompt(play.combat, who, against, bonus, penalty)
        for who, against in offers.items()
        if against
    ]
    answers: tuple[Answer, ...] = yield from ask_all(prompts)
    taken = [
        (answer.who or "", answer.inputs.target or offers[answer.who or ""][0], answer.inputs)
        for answer in answers
        if answer.option == "take"
    ]
    good: list[tuple[Id, Id, Taking]] = []
    for who, target, inputs in taken:
        refusal = _gone(play, target, fallen_before[target]) or next(
            free_refusals(play.combat, who, target, inputs), None
        )
        if refusal is not None:
            yield prevented(who, "free-attack", inputs, refusal)
        else:
            good.append((who, target, inputs))
    results: list[Any] = []
    for who, target, inputs in good:
        made = yield from interrupt(
            play,
            lambda who=who, target=target, inputs=inputs: while_able(  # type: ignore[misc]
                play,
                who,
                make_free(play, who, target, inputs, bonus, penalty, rule),
                "free-attack",
                at=target,
            ),
            None,
        )
        results += made or ()
    yield from interrupt(play, lambda: land(play, results), None)


def _gone(play: Play, target: Id, was_down: bool) -> Illegal | None:
    """A target that has fallen or gone since (GAP-52 e)."""
    if not was_down and not in_fight(play.combat, target):
        return Illegal("VD-FREE-01", "gone", f"{target} is down or gone")
    return None


def make_free(
    play: Play, who: Id, target: Id, inputs: Taking, bonus: int, penalty: int, rule: str
) -> Procedure[Results]:
    """It costs no action (VD-FREE-02), and counts for both limits (VD-FREE-03, -04)."""
    one = play.combat[who]
    use = primary_use(play.combat, who, target, inputs)
    if use is None:
        return ()
    now = FreeAttack(play.combat.phase, target, BATCH.of(play.combat))
    made = (*FREE_ATTACKS.of(one), now)
    yield FREE_ATTACKS.set(who, made, rules=("VD-FREE-03", "VD-FREE-04"))
    terms = Terms(
        (Term("free attack", bonus, "VD-FREE-09"),),
        (Term("drew a free attack", -penalty, "VD-FREE-09"),),
        reaction=True,
    )
    return (yield from strike(play, Strike(who, target, use, terms)))


# ---- immediate attacks


def immediate_refusals(
    combat: Combat, who: Id, against: Id, inputs: TakingAtOnce
) -> Iterator[Illegal]:
    """Able, not surprised, a major action that is not used (VD-IMMA-02, -05)."""
    one = combat[who]
    yield from not_surprised(one, "VD-IMMA-05")
    yield from present(one)
    committed = COMMITTED.of(one)
    if one.budget.get("major", 0) < 1 or (committed is not None and inputs.gives_up is False):
        detail = f"{one.name} has no major action for it"
        yield Illegal("VD-IMMA-02", "major-already-used", detail)
    use = primary_use(combat, who, against, inputs)
    if use is None:
        yield Illegal("VD-ROUT-01", "no-weapon", f"{one.name} has no attack routine")
        return
    yield from not_primary(combat, who, use)
    yield from routines.illegal(combat, who, against, use)


def may_at_once(combat: Combat, who: Id, against: Id, weapon: str | None = None) -> bool:
    """Whether an immediate attack is offered at all."""
    try:
        inputs = TakingAtOnce(weapon=weapon)
        return next(immediate_refusals(combat, who, against, inputs), None) is None
    except Refused:
        return False


def immediate_attack_prompt(
    combat: Combat, who: Id, against: Id, weapon: str | None = None, named: tuple[str, ...] = ()
) -> Prompt:
    """The trigger of an immediate attack; `named` circumstances hold by themselves."""
    committed = COMMITTED.of(combat[who])
    down = not in_fight(combat, against)
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
            (in_fight(now, against) or down) and may_at_once(now, who, against, weapon)
        ),
    )


def immediate_option(against: Id, weapon: str | None) -> Option:
    """`take` at the one who triggered it."""

    def refusals(play: Play, who: Id, inputs: TakingAtOnce) -> Iterator[Illegal]:
        if inputs.target not in (None, against):
            detail = f"the immediate attack is on {against}"
            yield Impossible("VD-IMMA-01", "one-target-per-routine", detail, (against,))
            return
        yield from immediate_refusals(play.combat, who, against, fixed(inputs, weapon))

    return Option(
        "take", TakingAtOnce, refusals, lambda play, who: ({"target": against},), "Attack at once"
    )


TAKE_AT_ONCE = Option("take", TakingAtOnce)
"""As published: the offer itself knows at whom."""


def fixed(inputs: TakingAtOnce, weapon: str | None) -> TakingAtOnce:
    """With the weapon of the trigger, unless another was named."""
    if weapon is None or inputs.weapon is not None or inputs.routine is not None:
        return inputs
    return TakingAtOnce(
        target=inputs.target, weapon=weapon, mode=inputs.mode,
        circumstances=inputs.circumstances, gives_up=inputs.gives_up,
    )  # fmt: skip


def immediate_attacks(
    play: Play, offers: Sequence[tuple[Id, Id, str | None, tuple[str, ...]]]
) -> Procedure[None]:
    """Ask everybody at once; what is taken is rolled together and falls together."""
    fallen_before = {against: not in_fight(play.combat, against) for _, against, _, _ in offers}
    prompts = [
        immediate_attack_prompt(play.combat, who, against, weapon, named)
        for who, against, weapon, named in offers
    ]
    answers: tuple[Answer, ...] = yield from ask_all(prompts)
    good: list[tuple[Id, Id, TakingAtOnce]] = []
    for (who, against, weapon, named), answer in zip(offers, answers, strict=True):
        if answer.option != "take":
            continue
        inputs = fixed(answer.inputs, weapon)
        refusal = _gone(play, against, fallen_before[against]) or next(
            immediate_refusals(play.combat, who, against, inputs), None
        )
        if refusal is not None:
            yield prevented(who, "immediate-attack", inputs, refusal)
            continue
        circumstances = tuple(dict.fromkeys((*named, *inputs.circumstances)))
        good.append(
            (
                who,
                against,
                TakingAtOnce(
                    routine=inputs.routine, weapon=inputs.weapon, mode=inputs.mode,
                    circumstances=circumstances,
                ),
            )
        )  # fmt: skip
    results: list[Any] = []
    for who, against, inputs in good:
        made = yield from interrupt(
            play,
            lambda who=who, against=against, inputs=inputs: while_able(  # type: ignore[misc]
                play, who, make_at_once(play, who, against, inputs), "immediate-attack", at=against
            ),
            None,
        )
        results += made or ()
    yield from interrupt(play, lambda: land(play, results), None)


def make_at_once(play: Play, who: Id, target: Id, inputs: TakingAtOnce) -> Procedure[Results]:
    """It uses the major action; what was committed ends with its consequences (VD-IMMA-03, -04)."""
    one = play.combat[who]
    use = primary_use(play.combat, who, target, inputs)
    if use is None:
        return ()
    yield from list(gives_up(one, "VD-IMMA-04"))
    yield from list(use_major(play.combat[who], "VD-IMMA-03"))
    if rest := routines.the_rest(one):
        yield ROUTINES.set(who, rest, rules=("VD-MULTI-07",))
    terms = Terms((), (), inputs.circumstances, reaction=True)
    return (yield from strike(play, Strike(who, target, use, terms)))


def gives_up(one: Combatant, rule: str) -> Iterator[AnyEvent]:
    """A spell is lost as if cast, a complex activity or fast action is not done."""
    if CASTING.of(one) is not None:
        yield from spell_lost(one, "given up", rule)
    elif WORK.of(one) is not None:
        yield from work_ended(one, "given up", rule)
    majors = [each for each in QUEUED.of(one) if each.major]
    if majors:
        kept = tuple(each for each in QUEUED.of(one) if not each.major)
        yield QUEUED.set(one.id, kept, rules=(rule,))


# ---- leaving a melee


def on_leaving(
    play: Play, leavers: Sequence[Id], bonus: int, penalty: int, rule: str
) -> Procedure[None]:
    """A free attack of each opponent in melee with somebody who leaves (VD-FAST-06)."""
    offers: dict[Id, list[Id]] = {}
    for one in play.combat:
        drawn = [
            who
            for who in leavers
            if one.id in engaged_with(play.combat[who])
            and one.side != play.combat[who].side
            and eligible(play.combat, one.id, who)
        ]
        if drawn:
            offers[one.id] = drawn
    yield from free_attacks(play, offers, bonus, penalty, rule)
