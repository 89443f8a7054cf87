"""Damage, wounds, healing, defeat (FH-DMG, FH-AIM, FH-WND)."""

from collections.abc import Iterator

from domain.record.combat import Combat, Combatant, Condition, Id
from domain.record.events import (
    AnyEvent,
    ConditionGained,
    ConditionLost,
    Damaged,
    Died,
    Downed,
    FactSet,
    Healed,
    Noted,
    Spent,
    Term,
    TrackChanged,
)
from domain.rulebook.effects import Procedure, ask, roll
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option, Prompt
from domain.rulesets.free_hit.numbers import is_waiting, sheet, this_round

WOUND = 6
"""Net damage of one attack, or healing of one instance, that makes or heals a wound."""

FATAL = 16
"""What a fatal wound deals on top (FH-AIM-03)."""

WOUNDS = ("wound-slowing", "wound-weakening", "wound-disrupting")


def reduced(one: Combatant, amount: int, kind: str, physical: bool) -> tuple[Term, ...]:
    """What armour and the like take off (FH-DMG-04): amounts, then percentages in sheet order."""
    fitting = [
        reduction
        for reduction in sheet(one).reductions
        if reduction.applies_to in ("all", kind)
        or (physical and reduction.applies_to == "physical")
    ]
    terms: list[Term] = []
    left = amount
    for reduction in fitting:
        if reduction.amount is not None:
            taken = min(left, reduction.amount)
            left -= taken
            terms.append(Term(reduction.source, -taken, "FH-DMG-04"))
    for reduction in fitting:
        if reduction.percent is not None:
            rest = left * (100 - reduction.percent) // 100  # the rest is rounded down
            terms.append(Term(reduction.source, rest - left, "FH-DMG-04"))
            left = rest
    return tuple(term for term in terms if term.value)


def hurt(
    play: Play,
    target: Id,
    dealt: int,
    *,
    source: Id | None,
    kind: str,
    physical: bool,
    terms: tuple[Term, ...],
    aim: str | None = None,
    is_attack: bool = True,
) -> Procedure[None]:
    """Reductions, wound, the fatal 16, hit points, defeat: steps 6 to 8 of an attack.

    FH-DMG-04 net damage; FH-WND-01 a wound from 6 net of one attack; FH-DMG-06 HP stop at 0.
    """
    taken_off = reduced(play.combat[target], dealt, kind, physical)
    net = dealt + sum(term.value for term in taken_off)
    total = net
    extra: tuple[Term, ...] = ()
    wound = is_attack and net >= WOUND
    if wound and aim == "fatal":
        fatal = yield from roll(
            source or target,
            "fatal",
            "1d4",
            rules=("FH-AIM-03",),
            target=4,
            against=target,
            judge=lambda faces, total: "16 more" if total == 4 else "no more",
        )
        if fatal.total == 4:
            total += FATAL
            extra = (Term("fatal", FATAL, "FH-AIM-03"),)
    if wound:
        yield Noted(f"a wound: {net} net damage", target, rules=("FH-WND-01",))
        if aim in ("slowing", "weakening", "disrupting"):
            yield from wounded(play, target, f"wound-{aim}", source)
    hp = play.combat[target].tracks["hp"].value
    amount = min(total, hp)
    if amount < total:
        extra = (*extra, Term("beyond 0", amount - total, "FH-DMG-06"))
    yield Damaged(
        target, "hp", amount, kind, source, (*terms, *taken_off, *extra), rules=("FH-DMG-06",)
    )
    if play.combat[target].tracks["hp"].value <= 0:
        yield from defeat(play, target, source, "FH-DMG-06")


def wounded(play: Play, target: Id, condition: str, source: Id | None) -> Procedure[None]:
    """A wound's lasting effect, kept one by one (FH-WND-02)."""
    count = int(play.combat[target].facts.get("wounds", 0)) + 1
    rule = {"slowing": "FH-AIM-04", "weakening": "FH-AIM-05", "disrupting": "FH-AIM-06"}
    yield FactSet(target, "wounds", count)
    yield ConditionGained(
        target,
        condition,
        f"{condition}#{count}",
        {"round": this_round(play.combat)},
        source=source,
        rules=(rule[condition.removeprefix("wound-")], "FH-WND-02"),
    )
    combat = play.combat
    on_turn = target in combat.acting or is_waiting(combat, target)
    if condition == "wound-weakening" and on_turn and combat[target].budget.get("ba", 0) > 0:
        yield Spent(target, {"ba": 1}, rules=("FH-AIM-05",))


def defeat(play: Play, target: Id, source: Id | None, rule: str) -> Procedure[None]:
    """HP 0: out of the fight (FH-DMG-06, FH-CRT-05)."""
    if play.combat[target].has("defeated", "dead"):
        return
    yield ConditionGained(target, "defeated", source=source, rules=(rule,))
    yield Downed(target, source, rules=(rule,))
    yield from out_of_fight(play, target)


def die(play: Play, target: Id, source: Id | None, rule: str) -> Procedure[None]:
    """Dead on the spot (FH-FUM-08)."""
    yield ConditionGained(target, "dead", source=source, rules=(rule,))
    yield Died(target, source, rules=(rule,))
    yield from out_of_fight(play, target)


def out_of_fight(play: Play, who: Id) -> Procedure[None]:
    """What ends with a unit: its channeling (FH-CHN-04), its thrall cost (FH-THR-05)."""
    one = play.combat[who]
    for held in one.all("channeling"):
        yield ConditionLost(who, "channeling", held.key, rules=("FH-CHN-04",))
    for fact in ("casting", "upkeep"):
        if fact in one.facts:
            yield FactSet(who, fact, None, rules=("FH-CHN-04",))
    yield from list(thrall_given_back(play.combat, who))


def thrall_given_back(combat: Combat, who: Id) -> Iterator[AnyEvent]:
    """The summoner's maximum comes back, lost HP do not (FH-THR-05)."""
    for one in combat:
        thralls = one.facts.get("thralls", {})
        if who in thralls:
            maximum = one.tracks["hp"].maximum or 0
            left = {unit: cost for unit, cost in thralls.items() if unit != who}
            yield TrackChanged(
                one.id, "hp", None, maximum + thralls[who], "thrall", rules=("FH-THR-05",)
            )
            yield FactSet(one.id, "thralls", left, rules=("FH-THR-05",))


def decisive(play: Play, target: Id, source: Id) -> Procedure[None]:
    """A decisive victory: defeated at once, no damage (FH-CRT-05)."""
    yield TrackChanged(target, "hp", 0, None, "decisive victory", rules=("FH-CRT-05",))
    yield from defeat(play, target, source, "FH-CRT-05")


# ---- healing


def heal(
    play: Play, target: Id, amount: int, source: Id | None, *, removes_wound: bool = False
) -> Procedure[None]:
    """One instance of healing; 6 or more of it heal a wound, however much is received.

    FH-WND-03 the size counts; FH-WND-04 or the spell says so; FH-WND-05 one wound; GAP-08 above 0
    a defeated unit fights on; the dead cannot be healed.
    """
    one = play.combat[target]
    if one.has("dead"):
        yield Noted(f"{one.id} is dead and cannot be healed", target)
        return
    hp = one.tracks["hp"]
    room = max(0, (hp.maximum or hp.value) - hp.value)
    yield Healed(target, "hp", min(amount, room), source, rules=("FH-WND-03",))
    if play.combat[target].tracks["hp"].value > 0 and play.combat[target].has("defeated"):
        yield ConditionLost(target, "defeated", reason="healed", rules=("FH-DMG-06",))
    if amount >= WOUND or removes_wound:
        yield from heal_wound(play, target, "FH-WND-04" if removes_wound else "FH-WND-03")


def heal_wound(play: Play, target: Id, rule: str) -> Procedure[None]:
    """One wound less; of several the owner chooses (FH-WND-05)."""
    held = wounds(play.combat[target])
    if not held:
        return
    key = held[0].key
    if len(held) > 1:
        answer = yield from ask(
            Prompt(
                kind="choice",
                name="wound",
                who=target,
                text=f"Which wound of {play.combat[target].id} is healed?",
                options=tuple(Option(wound.key) for wound in held),
                rules=("FH-WND-05",),
                default=key,
                data={"wounds": [wound.key for wound in held]},
            )
        )
        key = answer.option
    yield ConditionLost(target, key.partition("#")[0], key, "healed", rules=(rule, "FH-WND-06"))


def wounds(one: Combatant) -> list[Condition]:
    """The wounds with an effect, oldest first."""
    return [condition for condition in one.conditions if condition.id in WOUNDS]
