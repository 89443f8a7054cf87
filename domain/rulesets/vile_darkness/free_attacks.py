"""Free attacks: they cost nothing, one on each opponent a round and one a segment (VD-FREE)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Json
from domain.record.events import AnyEvent, Term
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.effects import Procedure, ask_all
from domain.rulebook.play import Play
from domain.rulebook.prompts import Answer, Option, Prompt
from domain.rulebook.secrecy import knows_of
from domain.rulesets.vile_darkness.attack import strike
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
    still_there,
    strike_back,
)
from domain.rulesets.vile_darkness.rules import rule
from domain.rulesets.vile_darkness.strikes import Strike, Terms


class Drawn(NamedTuple):
    """The effects of a trigger on free attacks: a bonus, and an AC penalty."""

    bonus: int = 0
    penalty: int = 0


@rule("VD-FREE-03", "At most one on one creature by each opponent in a round")
@rule("VD-FREE-04", "At most one a segment")
@rule("VD-FREE-05", "In other segments of the round others may follow")
def free_refusals(
    combat: Combat, who: Id, against: Id, inputs: Taking, *, leaving: bool = False
) -> Iterator[Illegal]:
    """Able, not surprised, within both limits, the attack itself legal (4.1, procedure 5).

    `leaving`: it is drawn by leaving a melee, from an opponent in it (VD-FAST-06).
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
    """Whether `against` is in melee with it, on another side, and not hidden from it."""
    hostile = combat[who].side != combat[against].side and knows_of(combat, who, against)
    return hostile and who in engaged_with(combat[against])


def eligible(combat: Combat, who: Id, against: Id, *, leaving: bool) -> bool:
    """Whether a free attack is offered at all."""
    return reason_now(free_refusals(combat, who, against, Taking(), leaving=leaving)) is None


@rule("VD-FREE-07", "Taking it breaks the taker's concentration")
@dataclass(frozen=True)
class Offered:
    """A free attack offered to `who`: its targets, its numbers, and its first state."""

    who: Id
    against: tuple[Id, ...]
    terms: Mapping[Id, Drawn]
    leaving: bool
    since: Combat

    def open_on(self, now: Combat) -> tuple[Id, ...]:
        """Return the targets that are still possible: not departed, fallen or parted."""
        return tuple(
            target
            for target in self.against
            if (in_fight(now, target) or not in_fight(self.since, target))
            and eligible(now, self.who, target, leaving=self.leaving)
        )

    def question(self, now: Combat) -> Prompt:
        """Return one prompt for all its targets. The attack breaks concentration (VD-FREE-07)."""
        who, against = self.who, self.open_on(now) or self.against
        warns = concentrates(now[who])
        return Prompt(
            kind="reaction",
            name="free-attack",
            who=who,
            text=f"Does {who} take a free attack on {' or '.join(against)}?"
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
    """Bonus and penalty by target, where they differ."""
    if len({terms[target] for target in against}) < 2:
        return {}
    return {
        "by_target": {
            target: {"attack_bonus": terms[target].bonus, "ac_penalty": terms[target].penalty}
            for target in against
        }
    }


def free_option(against: tuple[Id, ...], *, leaving: bool) -> Option:
    """`take` at one of these."""

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
"""As published: each offer knows its own targets."""


@rule("VD-FREE-01", "A full primary routine at once, before the trigger completes")
@rule("VD-FREE-02", "It costs no action")
def free_attacks(
    play: Play,
    offers: Mapping[Id, Sequence[Id]],
    terms: Mapping[Id, Drawn],
    *,
    leaving: bool = False,
) -> Procedure[None]:
    """Ask everybody at once. Attacks are rolled together and apply together (VD-FREE-01)."""
    down = {each for every in offers.values() for each in every if not in_fight(play.combat, each)}
    offered = [
        Offered(who, tuple(against), terms, leaving, play.combat) for who, against in offers.items()
    ]
    answers = yield from ask_all([one.question(play.combat) for one in offered])
    taken = [
        (one.who, answer.inputs.target or only_target(one, answer), answer.inputs)
        for one, answer in zip(offered, answers, strict=True)
        if answer.option == "take"
    ]

    def refusals(who: Id, target: Id, inputs: Taking) -> Iterator[Illegal]:
        return free_refusals(play.combat, who, target, inputs, leaving=leaving)

    def make(who: Id, target: Id, inputs: Taking, results: Results) -> Procedure[None]:
        return make_free(play, who, target, inputs, terms[target], results)

    def pay(who: Id, target: Id) -> Iterator[AnyEvent]:
        """It costs no action (VD-FREE-02), and counts for both limits (VD-FREE-03, -04)."""
        now = FreeAttack(play.combat.phase, target, BATCH.of(play.combat))
        made = (*FREE_ATTACKS.of(play.combat[who]), now)
        yield FREE_ATTACKS.set(who, made, rules=("VD-FREE-03", "VD-FREE-04"))

    yield from strike_back(play, "free-attack", taken, down, refusals, pay, make)


def only_target(offered: Offered, answer: Answer) -> Id:
    """The target that needs no name: when it was answered, no other could be chosen."""
    left = () if answer.then is None else offered.open_on(answer.then)
    return (left or offered.against)[0]


@rule("VD-FREE-09", "It may carry a bonus, or a penalty on Armour Class")
def make_free(
    play: Play, who: Id, target: Id, inputs: Taking, drawn: Drawn, results: Results
) -> Procedure[None]:
    """Make the routine, with the trigger's modifiers (VD-FREE-09)."""
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
