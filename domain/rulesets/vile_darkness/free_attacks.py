"""Free attacks: they cost nothing, one on each opponent a round and one a segment (VD-FREE)."""

from collections.abc import Iterator, Mapping, Sequence

from domain.errors import Illegal, Impossible
from domain.record.combat import Combat, Id, Json
from domain.record.events import Term
from domain.rulebook.effects import Procedure, ask_all
from domain.rulebook.play import Play
from domain.rulebook.prompts import Answer, Option, Prompt
from domain.rulebook.reactions import knows_of
from domain.rulesets.vile_darkness.attack import Strike, Terms, strike
from domain.rulesets.vile_darkness.concentration import concentrates
from domain.rulesets.vile_darkness.facts import BATCH, ENDING_ROUND, FREE_ATTACKS, FreeAttack
from domain.rulesets.vile_darkness.harm import Results
from domain.rulesets.vile_darkness.numbers import engaged_with, in_fight
from domain.rulesets.vile_darkness.reactions import (
    PASS,
    Taking,
    may_react,
    primary_use,
    reason_now,
    routine_refusals,
    strike_back,
)


def free_refusals(
    combat: Combat, who: Id, against: Id, inputs: Taking, *, leaving: bool = False
) -> Iterator[Illegal]:
    """Able, not surprised, within both limits, the attack itself legal (4.1, procedure 5).

    `leaving`: it is drawn by leaving a melee, from an opponent in it (VD-FAST-06).
    """
    one = combat[who]
    yield from may_react(one, "VD-FREE-06")
    if leaving and not opposes_in_melee(combat, who, against):
        detail = f"{one.name} is no opponent in melee with {combat[against].name}"
        yield Illegal("VD-FAST-06", "gone", detail)
    made = FREE_ATTACKS.of(one)
    if any(each.against == against for each in made):
        detail = f"{one.name} has had its free attack on {combat[against].name} in this round"
        yield Illegal("VD-FREE-03", "free-attack-used", detail)
    now = (combat.phase, BATCH.of(combat))
    if any((each.slot, each.batch) == now for each in made):
        detail = f"{one.name} has had its free attack of this segment"
        yield Illegal("VD-FREE-04", "free-attack-used", detail)
    yield from routine_refusals(combat, who, against, inputs)


def opposes_in_melee(combat: Combat, who: Id, against: Id) -> bool:
    """Whether `against` is in melee with it, on another side, and not hidden from it."""
    hostile = combat[who].side != combat[against].side and knows_of(combat, who, against)
    return hostile and who in engaged_with(combat[against])


def eligible(combat: Combat, who: Id, against: Id, *, leaving: bool) -> bool:
    """Whether a free attack is offered at all."""
    return reason_now(free_refusals(combat, who, against, Taking(), leaving=leaving)) is None


def free_attack_prompt(
    combat: Combat,
    who: Id,
    against: Sequence[Id],
    bonus: int,
    penalty: int,
    *,
    leaving: bool,
) -> Prompt:
    """One question for all who draw it at once; to take it breaks concentration (VD-FREE-07)."""
    one = combat[who]
    down = {each for each in against if not in_fight(combat, each)}
    ending = ENDING_ROUND.of(combat)
    warns = concentrates(one)
    return Prompt(
        kind="reaction",
        name="free-attack",
        who=who,
        text=f"Does {who} take a free attack on {' or '.join(against)}?"
        + (" It breaks its concentration." if warns else ""),
        options=(free_option(tuple(against), leaving=leaving), PASS),
        rules=("VD-FREE-01",),
        default="pass",
        data={
            "targets": list(against),
            "mover": against[0],
            "attack_bonus": bonus,
            "ac_penalty": penalty,
            "breaks_concentration": warns,
        },
        stands=lambda now: (
            ENDING_ROUND.of(now) == ending
            and any(
                (in_fight(now, each) or each in down) and eligible(now, who, each, leaving=leaving)
                for each in against
            )
        ),
    )


def free_option(against: tuple[Id, ...], *, leaving: bool) -> Option:
    """`take` at one of these."""

    def refusals(play: Play, who: Id, inputs: Taking) -> Iterator[Illegal]:
        target = inputs.target or (against[0] if len(against) == 1 else None)
        if target not in against:
            detail = f"the free attack is on {' or '.join(against)}: name one as target"
            yield Impossible("VD-FREE-04", "one-target-per-routine", detail, against)
            return
        yield from free_refusals(play.combat, who, target, inputs, leaving=leaving)

    def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
        for target in against:
            yield {"target": target}

    return Option("take", Taking, refusals, candidates, "Take the free attack")


TAKE_FREE = Option("take", Taking, label="Take the free attack")
"""As published: the offer itself knows at whom."""


def free_attacks(
    play: Play,
    offers: Mapping[Id, Sequence[Id]],
    bonus: int,
    penalty: int,
    *,
    leaving: bool = False,
) -> Procedure[None]:
    """Ask everybody at once; what is taken is rolled together and falls together (VD-FREE-01)."""
    down = {each for every in offers.values() for each in every if not in_fight(play.combat, each)}
    prompts = [
        free_attack_prompt(play.combat, who, against, bonus, penalty, leaving=leaving)
        for who, against in offers.items()
    ]
    answers: tuple[Answer, ...] = yield from ask_all(prompts)
    taken = [
        (answer.who or "", answer.inputs.target or offers[answer.who or ""][0], answer.inputs)
        for answer in answers
        if answer.option == "take"
    ]

    def refusals(who: Id, target: Id, inputs: Taking) -> Iterator[Illegal]:
        return free_refusals(play.combat, who, target, inputs, leaving=leaving)

    def make(who: Id, target: Id, inputs: Taking) -> Procedure[Results]:
        return make_free(play, who, target, inputs, bonus, penalty)

    yield from strike_back(play, "free-attack", taken, down, refusals, make)


def make_free(
    play: Play, who: Id, target: Id, inputs: Taking, bonus: int, penalty: int
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


# ---- leaving a melee


def on_leaving(play: Play, leavers: Sequence[Id], bonus: int, penalty: int) -> Procedure[None]:
    """A free attack of each opponent in melee with somebody who leaves (VD-FAST-06)."""
    offers: dict[Id, list[Id]] = {}
    for one in play.combat:
        drawn = [who for who in leavers if eligible(play.combat, one.id, who, leaving=True)]
        if drawn:
            offers[one.id] = drawn
    yield from free_attacks(play, offers, bonus, penalty, leaving=True)
