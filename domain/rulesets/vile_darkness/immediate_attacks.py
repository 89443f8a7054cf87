"""Immediate attacks: like free attacks in time and extent, but the major action (VD-IMMA)."""

from collections.abc import Iterator, Sequence
from functools import partial

from msgspec.structs import replace

from domain.errors import Illegal, Impossible, Malformed
from domain.record.combat import Combat, Combatant, Id
from domain.record.events import AnyEvent
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.effects import Procedure, ask_all
from domain.rulebook.play import Play
from domain.rulebook.prompts import Answer, Option, Prompt
from domain.rulesets.vile_darkness import routines
from domain.rulesets.vile_darkness.action_costs import has_left, unfinished_major, use_major
from domain.rulesets.vile_darkness.attack import strike
from domain.rulesets.vile_darkness.concentration import spell_lost, work_ended
from domain.rulesets.vile_darkness.facts import (
    CARRIED,
    CASTING,
    ENDING_ROUND,
    QUEUED,
    ROUTINES,
    WORK,
)
from domain.rulesets.vile_darkness.harm import Results
from domain.rulesets.vile_darkness.numbers import in_fight
from domain.rulesets.vile_darkness.reactions import (
    PASS,
    Taking,
    may_react,
    primary_use,
    reason_now,
    routine_refusals,
    still_there,
    strike_back,
)
from domain.rulesets.vile_darkness.rules import rule
from domain.rulesets.vile_darkness.strikes import Strike, Terms


class TakingAtOnce(Taking, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`circumstances` switch on multipliers.

    `gives_up` is the id of a committed action, or whether one may be given up.
    """

    circumstances: tuple[str, ...] = ()
    gives_up: bool | str | None = None


@rule("VD-IMMA-02", "It needs a major action that is not used")
@rule("VD-IMMA-05", "The surprised make none")
def immediate_refusals(
    combat: Combat, who: Id, against: Id, inputs: TakingAtOnce
) -> Iterator[Illegal]:
    """Able, not surprised, a major action that is not used (VD-IMMA-02, -05)."""
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
    """Whether an immediate attack is offered at all."""
    inputs = TakingAtOnce(weapon=weapon)
    return reason_now(immediate_refusals(combat, who, against, inputs)) is None


def immediate_attack_prompt(
    combat: Combat, who: Id, against: Id, weapon: str | None = None, named: tuple[str, ...] = ()
) -> Prompt:
    """The trigger of an immediate attack; `named` circumstances hold by themselves."""
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
    """`take` at the one who triggered it."""

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
"""As published: each offer knows its own targets."""


def with_offered(
    inputs: TakingAtOnce, weapon: str | None, named: tuple[str, ...] = ()
) -> TakingAtOnce:
    """With the weapon of the trigger, unless another was named, and its circumstances."""
    if inputs.weapon is None and inputs.routine is None:
        inputs = replace(inputs, weapon=weapon)
    return replace(inputs, circumstances=tuple(dict.fromkeys((*named, *inputs.circumstances))))


@rule("VD-IMMA-01", "As a free attack in time and extent, but a major action")
def immediate_attacks(
    play: Play, offers: Sequence[tuple[Id, Id, str | None, tuple[str, ...]]]
) -> Procedure[None]:
    """Ask everybody at once. Attacks are rolled together and apply together."""
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
    """Use the major action. A committed action ends with its consequences (VD-IMMA-03, -04)."""
    yield from list(gives_up(play.combat[who], "VD-IMMA-04"))
    yield from list(use_major(play.combat[who], "VD-IMMA-03"))
    if rest := routines.the_rest(play.combat[who]):
        yield ROUTINES.set(who, rest, rules=("VD-MULTI-07",))


@rule("VD-IMMA-03", "It costs the major action")
def make_at_once(
    play: Play, who: Id, target: Id, inputs: TakingAtOnce, results: Results
) -> Procedure[None]:
    """The routine, with the circumstances that hold."""
    use = primary_use(play.combat, who, target, inputs)
    if use is None:
        return
    terms = Terms((), (), inputs.circumstances, reaction=True)
    yield from strike(play, Strike(who, target, use, terms), results)


@rule("VD-IMMA-04", "It can replace a declared one, which ends with its consequences")
def gives_up(combatant: Combatant, rule: str) -> Iterator[AnyEvent]:
    """A spell is lost as if cast, a complex activity or fast action is not done."""
    if CASTING.of(combatant) is not None:
        yield from spell_lost(combatant, "given up", rule)
    elif WORK.of(combatant) is not None:
        yield from work_ended(combatant, "given up", rule)
    for waiting in (QUEUED, CARRIED):
        kept = tuple(intent for intent in waiting.of(combatant) if not intent.major)
        if kept != waiting.of(combatant):
            yield waiting.set(combatant.id, kept, rules=(rule,))
