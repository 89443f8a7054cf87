"""Escaping from a grapple, at the beginning of the own turn (DEF-GRP-11, -12)."""

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct, field

from domain.errors import Illegal
from domain.record.combat import Combat, Id
from domain.record.events import ConditionLost
from domain.rulebook.declaration import NO_FIELD, Act, refuse
from domain.rulebook.effects import Procedure, choose
from domain.rulebook.play import Play
from domain.rulebook.prompts import choices
from domain.rulesets.definitions import costs, opposed_rolls, triggers
from domain.rulesets.definitions.facts import ACTED, ESCAPES, SUBMISSION
from domain.rulesets.definitions.opposed_rolls import Over
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.states import able, asked, partner

ESCAPE = choices("grapple", "escape-artist", "no")


class Escape(Struct, frozen=True, forbid_unknown_fields=True):
    with_: Literal["grapple", "escape-artist"] = field(default="grapple", name="with")


def at_turn_start(play: Play, who: Id) -> Procedure[None]:
    """One try, free; passing it up loses it. Others may wait for it (2.9)."""
    if (yield from tried(play, who)):
        yield from triggers.occurred(play, "acts", who, action="grapple-escape")


@rule("DEF-GRP-11", "One escape at the own turn-start")
@rule("DEF-GRP-12", "During a submission it breaks only that")
def tried(play: Play, who: Id) -> Procedure[bool]:
    """Whether it was; a success ends the grapple, or a submission alone (DEF-GRP-11, -12)."""
    holder = partner(play.combat, who)
    if holder is None or not play.combat[who].has("grappled"):
        return False
    answer = yield from choose(
        who,
        "grapple-escape",
        f"{holder} holds {who}. Does it try to escape?",
        ESCAPE,
        opposed_rolls.better_defense(play.combat, who),
        rules=("DEF-GRP-11",),
        data={"holder": holder},
        stands=lambda now: (
            held_by(now, who, holder) and able(now, who) and not ESCAPES.known(now[who])
        ),
    )
    combatant = play.combat[who]
    option = ESCAPES.of(combatant) or answer.option  # it may have declared it, while it was asked
    yield from ESCAPES.lapse(combatant, rules=("DEF-GRP-11",))
    if option == "no" or not held_by(play.combat, who, holder):
        return False
    yield ACTED.set(who, True, rules=("DEF-DLY-01",))
    yield from costs.spend(
        play.combat, who, "free", None, key="grapple-escape", rules=("DEF-GRP-11",)
    )
    with_skill = option == "escape-artist"
    side = opposed_rolls.escape_artist(who) if with_skill else opposed_rolls.grapple(who)
    theirs = opposed_rolls.grapple(holder)
    result = yield from opposed_rolls.opposed(play, side, theirs, "DEF-GRP-11", free(who, holder))
    if result is None or not result.won:
        return True
    if SUBMISSION.of(play.combat[holder]) > 0:
        yield SUBMISSION.clear(holder, rules=("DEF-GRP-12",))
    else:
        yield ConditionLost(who, "grappled", reason="escaped", rules=("DEF-GRP-11",))
    return True


def held_by(combat: Combat, who: Id, holder: Id) -> bool:
    return partner(combat, who) == holder


def free(who: Id, holder: Id) -> Over:
    """Held no more: there is nothing to roll for (DEF-GRP-06)."""

    def over(combat: Combat) -> Illegal | None:
        if held_by(combat, who, holder):
            return None
        return Illegal("DEF-GRP-06", "ended", f"{holder} does not hold {who} any more")

    return over


def only_then(act: Act[Escape]) -> Iterator[Illegal]:
    """Refuse an escape except at the combatant's own turn-start, when it is asked."""
    yield from costs.turn(act.combat, act.who)
    if not asked(act.combat, "grapple-escape", act.who):
        detail = "an escape is tried at the beginning of the own turn, when it is asked for"
        yield refuse("DEF-GRP-11", "not-at-turn-start", detail, NO_FIELD)
