"""A minimal rulebook for the engine's own tests. It uses every feature of the engine.

In each round, all combatants declare in secret. Then all blows land at the same time, and each
combatant takes a turn. A combatant at 0 hit points is down. A combatant that is down or dazed is
disabled. With the option `doom`, a combatant that goes down makes a death roll.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Place, Track
from domain.record.events import (
    AnyEvent,
    CombatEnded,
    ConditionGained,
    ConditionLost,
    Damaged,
    Downed,
    InitiativeSet,
    Noted,
    PhaseBegan,
    RoundBegan,
    RoundEnded,
    TrackChanged,
    TurnBegan,
    TurnEnded,
)
from domain.rulebook.action import Action
from domain.rulebook.durations import expire
from domain.rulebook.effects import (
    Pause,
    Procedure,
    ask,
    ask_all,
    ask_any,
    interrupt,
    lastly,
    roll,
    together,
    while_able,
)
from domain.rulebook.facts import combat_fact, fact
from domain.rulebook.gm import RULINGS
from domain.rulebook.play import Play
from domain.rulebook.prompts import Answer, NoInputs, Option, Prompt, choices
from domain.rulebook.reactions import window
from domain.rulebook.ruleset import ConditionInfo, Follows, Rule, Ruleset, Sheet, Step

SNAPPED = fact("snapped", bool, False, until="round-end", known_to="all", about="Has snapped")
DOOMED = fact("doomed", bool, False, known_to="all", about="Its fall was rolled for")
DASHING = combat_fact("dashing", str, "", known_to="all", about="Who dashes")


class ToySheet(Sheet, frozen=True, forbid_unknown_fields=True, kw_only=True):
    hp: int = 10
    skill: int = 0


class ToyOptions(Struct, frozen=True, forbid_unknown_fields=True):
    rulings: str = "ask"
    declare: bool = True
    doom: bool = False
    speak: bool = False


class Target(Struct, frozen=True, forbid_unknown_fields=True):
    target: Id


def alive(combat: Combat, who: Id) -> bool:
    combatant = combat.combatants[who]
    return not combatant.left and combatant.tracks["hp"].value > 0


def unable(combat: Combat, who: Id) -> Illegal | None:
    if not alive(combat, who) or combat[who].has("dazed"):
        return Illegal("TOY-09", "unable", f"{who} can't go on")
    return None


def consequences(
    combat: Combat, cause: AnyEvent | None, before: Combat | None
) -> Iterator[Follows]:
    """Yield changes of pools, falls at 0 hit points, recoveries above 0, and one roll per fall."""
    for combatant in combat:
        hp, most = combatant.tracks["hp"], combatant.sheet["hp"]
        if hp.maximum != most:
            yield TrackChanged(combatant.id, "hp", min(hp.value, most), most, rules=("TOY-09",))
        elif hp.value <= 0 and not combatant.has("down"):
            by = getattr(cause, "source", None)
            yield ConditionGained(combatant.id, "down", source=by), Downed(combatant.id, by)
        elif hp.value > 0 and combatant.has("down"):
            yield ConditionLost(combatant.id, "down")
        elif combatant.has("down") and combat.options.get("doom") and not DOOMED.of(combatant):
            yield Step("doom", {"who": combatant.id})


def doom(play: Play, who: Id) -> Procedure[None]:
    """Make a death roll. A 1 is death."""
    yield DOOMED.set(who, True, rules=("TOY-09",))
    fate = yield from roll(who, "doom", "1d4", rules=("TOY-09",))
    yield Noted(f"{who}'s fate: {fate.total}")


def foes(play: Play, who: Id) -> list[Id]:
    side = play.combat[who].side
    return [
        combatant.id
        for combatant in play.combat
        if combatant.side != side and alive(play.combat, combatant.id)
    ]


def strike_refusals(play: Play, who: Id, inputs: Target) -> Iterator[Illegal]:
    if inputs.target not in foes(play, who):
        yield Illegal("TOY-01", "no-foe", f"{inputs.target} is no foe", foes(play, who))


def strike_candidates(play: Play, who: Id) -> list[Mapping[str, Any]]:
    return [{"target": foe} for foe in foes(play, who)]


def strike(play: Play, who: Id, inputs: Target) -> Procedure[None]:
    target = inputs.target
    attack = yield from roll(who, "attack", "1d20", rules=("TOY-02",), target=10)
    yield Pause("rolled")
    if attack.total < 10:
        return
    parry = yield from ask(
        Prompt(
            kind="reaction",
            name="parry",
            who=target,
            text=f"Does {target} parry?",
            options=choices("take", "pass"),
            rules=("TOY-03",),
            default="pass",
            data={"attacker": who},
            stands=lambda combat: alive(combat, target),
        )
    )
    if parry.option == "take":
        back = yield from interrupt(
            play,
            lambda: while_able(play, target, riposte(play, target, who), "parry"),
            otherwise=None,
        )
        if back:
            return
    hurt = yield from roll(who, "damage", "1d6", rules=("TOY-04",))
    yield Damaged(target, "hp", hurt.total, source=who, rules=("TOY-04",))


def riposte(play: Play, who: Id, target: Id) -> Procedure[bool]:
    dice = yield from roll(who, "parry", "1d20", rules=("TOY-03",), target=10)
    return dice.total >= 10


def shout_refusals(play: Play, who: Id, inputs: NoInputs) -> Iterator[Illegal]:
    if play.combat.status != "running":
        yield Illegal("TOY-05", "too-quiet", "nobody fights yet")


def shout(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
    loud = yield from roll(who, "shout", "1d4", rules=("TOY-05",))
    yield Noted(f"{who} shouts {loud.total}")


def dash(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
    """Dash past foes. Each foe gets two prompts to snap, but can snap only once per round."""
    yield DASHING.set(who)
    asked = [snapping(foe, who) for foe in foes(play, who) for _ in range(2)]
    yield from lastly(window(play, asked), lambda: [DASHING.clear()])
    yield Noted(f"{who} is there")


def snapping(who: Id, at: Id) -> Prompt:
    def refusals(play: Play, who: Id, inputs: NoInputs) -> Iterator[Illegal]:
        if SNAPPED.of(play.combat[who]):
            yield Illegal("TOY-10", "snapped-already", f"{who} has snapped")
        if not alive(play.combat, at):
            yield Illegal("TOY-10", "down-already", f"{at} is down")

    def snap(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
        yield SNAPPED.set(who, True, rules=("TOY-10",))
        bite = yield from roll(who, "snap", "1d6", rules=("TOY-10",))
        yield Damaged(at, "hp", bite.total, source=who, rules=("TOY-10",))

    return Prompt(
        kind="reaction",
        name="snap",
        who=who,
        text=f"Does {who} snap at {at}?",
        options=(Action("snap", refusals=refusals, procedure=snap), Option("pass")),
        rules=("TOY-10",),
        default="pass",
        data={"mover": at},
    )


def ponder(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
    """Ask the actor to choose. There is only one option."""
    yield from ask(Prompt("choice", "ponder", who, "Well?", choices("so"), ("TOY-11",), "so"))
    yield Noted(f"{who} has pondered")


def plead(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
    answer = yield from ask(
        Prompt("ruling", "plead", None, "May it?", choices("yes", "no"), ("TOY-11",), "no")
    )
    yield Noted(f"{who} is told {answer.option}")


def drop(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
    """Daze the actor as the last part of its action, so that the action still completes."""
    yield ConditionGained(who, "dazed", rules=("TOY-11",))


def wait(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
    yield Noted(f"{who} waits")


def loop(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
    while True:
        yield Noted("again")


ACTIONS = {
    "strike": Action("strike", Target, strike_refusals, strike_candidates, procedure=strike),
    "shout": Action("shout", refusals=shout_refusals, procedure=shout, interjection=True),
    "wait": Action("wait", procedure=wait),
    "loop": Action("loop", procedure=loop),
    "dash": Action("dash", procedure=dash),
    "ponder": Action("ponder", procedure=ponder),
    "plead": Action("plead", procedure=plead),
    "drop": Action("drop", procedure=drop),
}


def declared(play: Play, who: Id) -> Prompt:
    return Prompt(
        kind="declare",
        name="declare",
        who=who,
        text=f"What does {who} plan?",
        options=(ACTIONS["strike"], Option("hold")),
        rules=("TOY-06",),
        default="hold",
        stands=lambda combat: alive(combat, who),
    )


def round_(play: Play) -> Procedure[None]:
    number = play.combat.round + 1
    yield from expire(play, "round-end", rules=("TOY-10",))
    yield RoundBegan(number)
    able = [combatant.id for combatant in play.combat if alive(play.combat, combatant.id)]
    if play.combat.options["declare"]:
        yield PhaseBegan("declare")
        answers = yield from ask_all([declared(play, who) for who in able], sealed=True)
        blows = [
            answer for answer in answers if answer.option == "strike" and answer.who is not None
        ]
        yield from together([blow(play, answer.who or "", answer.inputs) for answer in blows])
    yield PhaseBegan("turns")
    yield InitiativeSet(tuple(Place(who) for who in able), lasting=True)


def blow(play: Play, who: Id, inputs: Target) -> Procedure[None]:
    """Strike at the same time as others. A rolled blow lands even if its attacker falls."""
    yield from while_able(play, who, strike(play, who, inputs), "strike", until="rolled")


def turn(play: Play, who: Id) -> Procedure[None]:
    yield TurnBegan(who)
    if unable(play.combat, who) is None:
        answer = yield from ask(
            Prompt(
                kind="turn",
                name="turn",
                who=who,
                text=f"It is {who}'s turn",
                options=(*ACTIONS.values(), Option("end-turn")),
                rules=("TOY-07",),
                default="end-turn",
                stands=lambda combat: unable(combat, who) is None,
            )
        )
        if answer.option != "end-turn":
            deed = ACTIONS[answer.option].procedure(play, who, answer.inputs)
            yield from while_able(play, who, deed, answer.option)
    yield TurnEnded(who)


def duel(play: Play) -> Procedure[None]:
    """End the round with the first answer."""
    prompts = [
        Prompt("choice", "speak", combatant.id, "Speak?", choices("speak"), ("TOY-08",), "speak")
        for combatant in play.combat
    ]
    answer: Answer = yield from ask_any(prompts)
    yield Noted(f"{answer.who} spoke")
    yield RoundEnded(play.combat.round)


def close_the_fight(play: Play, _: Id, inputs: NoInputs) -> Procedure[None]:
    yield PhaseBegan("ending")


def crown(play: Play, _: Id, inputs: NoInputs) -> Procedure[None]:
    """Ask the GM for the honoured combatant, and then for the gift."""
    for name in ("honoured", "gift"):
        answer = yield from ask(
            Prompt("ruling", name, None, "Well?", choices("ann", "all"), ("TOY-08",), "all")
        )
        yield Noted(f"{name}: {answer.option}")


def ending(play: Play) -> Procedure[None]:
    yield CombatEnded(
        tuple(
            sorted(
                {combatant.side for combatant in play.combat if alive(play.combat, combatant.id)}
            )
        )
    )


def flow(combat: Combat) -> Step | None:
    if combat.status != "running":
        return None
    if combat.phase == "ending":
        return Step("ending")
    sides = {combatant.side for combatant in combat if alive(combat, combatant.id)}
    if len(sides) < 2:
        return Step("ending")
    if combat.options["speak"]:
        return Step("duel")
    if combat.phase == "turns" and combat.queue:
        return Step("turn", {"who": combat.queue[0].who})
    return Step("round")


def off_turn(combat: Combat, who: Id, action: str) -> Illegal:
    if combat.status == "ended":
        return Illegal("TOY-08", "combat-over", "the combat has ended")
    return Illegal("TOY-07", "not-your-turn", f"it is not {who}'s turn")


TOY = Ruleset(
    id="toy",
    title="Toy",
    prefix="TOY",
    summary="For tests",
    sheet=ToySheet,
    options=ToyOptions,
    tracks=lambda sheet: {"hp": Track(sheet.hp, sheet.hp)},
    flow=flow,
    procedures={"round": round_, "turn": turn, "ending": ending, "doom": doom, "duel": duel},
    actions=ACTIONS,
    off_turn=off_turn,
    unable=unable,
    consequences=consequences,
    facts=(SNAPPED, DOOMED, DASHING),
    conditions={
        "dazed": ConditionInfo("it can't go on", "never", ()),
        "down": ConditionInfo("it can't go on", "above 0", ()),
    },
    rules=(Rule("TOY-01", "a foe", "tests.domain.toy.strike"),),
    wound=lambda combat, who: "hurt",
    in_fight=alive,
    purposes=("attack", "damage", "parry", "shout", "snap", "doom"),
    dice=lambda combat: {"attack": "1d20", "parry": "1d20"},
    rulings={
        **RULINGS,
        "close-the-fight": Action("close-the-fight", procedure=close_the_fight),
        "crown": Action("crown", procedure=crown),
    },
)
