"""Test the result of a command, with its verdict, sentence, sum and changes."""

from collections.abc import Sequence
from itertools import chain
from typing import Any, Literal

import pytest

from domain.engine.caller import Caller
from domain.engine.commands import Change, Join, Joining
from domain.record.events import Spent
from domain.record.recorded import Recorded
from domain.rulesets import definitions, installed, sovereign
from domain.rulesets import vile_darkness as darkness
from domain.rulesets.free_hit import RULESET
from projections.events import event_view
from projections.eyes import Eyes
from projections.narration import Teller
from projections.results import Result, ResultBlow, ResultChange, few, result
from projections.timeline import Wanted, page
from tests.rulesets.definitions import units as fighters
from tests.rulesets.free_hit.units import SWORD, foe, unit
from tests.rulesets.sovereign import units as warriors
from tests.rulesets.vile_darkness import units as vile_darkness
from tests.spec import Spec
from tests.walks import FIGHTS

GM = Caller("gm", "gm")
ANNA = Caller("p", "player", owner="anna")


def fight(at: tuple[int, int] = (1, 0)) -> Spec:
    ana = unit("Ana", agility=5, accuracy=5, weapons=[SWORD], owner="anna", at=[0, 0])
    imp = foe("Imp", agility=1, max_hp=20, weapons=[SWORD], at=list(at))
    return Spec(RULESET).given(ana, imp).begin()


def result_of(spec: Spec, by: Caller) -> Result:
    """Return the result of the last action with its manual rolls."""
    return result_with(spec, by, spec.last)


def kind_of(*rolled: tuple[str, int]) -> str | None:
    """Return the kind of the verdict of an attack with these dice."""
    spec = fight()
    spec.act("Ana", "attack", *rolled, target="Imp", weapon="sword")
    return result_of(spec, GM).kind


def result_with(spec: Spec, by: Caller, facts: Sequence[Recorded]) -> Result:
    eyes = Eyes(spec.live.history, by)
    views = [event_view(spec.live, eyes, fact) for fact in facts if eyes.sees(fact.version)]
    return result(Teller(spec.live, eyes), views)


def by_hand(spec: Spec) -> Result:
    """Return the result of the last manual roll, which is a separate command."""
    last = spec.last[-1].command
    return result_with(spec, GM, [fact for fact in spec.last if fact.command == last])


def burned() -> Spec:
    """Return a fight in which Ann's Bolt deals 3 points and fells the Gob, which fails its save."""
    save = {"kind": "reflex", "dc": 12, "on_success": "half"}
    bolt = {"id": "bolt", "name": "Bolt", "damage": "2d6", "save": save}
    spec = Spec(definitions.RULESET)
    ann, gob = fighters.fighter("Ann", spells=[bolt]), fighters.foe("Gob", max_hp=40)
    fighters.fight(spec, ann, gob).rule("damage", combatant="Gob", amount=37)
    dice = ("save-reflex", 2), ("damage", 1, 2)
    return spec.act("Ann", "cast-spell", *dice, spell="bolt", targets=["Gob"])


def struck(damage: int = 4) -> Spec:
    spec = fight()
    spec.act("Ana", "attack", ("attack", 12), ("damage", damage), target="Imp", weapon="sword")
    return spec


def test_the_gm_gets_verdict_sentence_sum_and_points() -> None:
    result = result_of(struck(), GM)
    assert result.verdict == "hit"
    assert result.sentence == "Ana attacks Imp with the sword (attack action)."
    assert result.sum is not None
    assert result.sum.startswith("12 (1d20) + 5")
    assert ResultChange("Imp", "Imp", "HP", 20, 16) in result.changes


LEFT = {
    "definitions": ("HP 30 → 0 (not below 0)", 0),
    "free-hit": ("HP 60 → 0 (not below 0)", 0),
    "hallowed-earth": ("Stress 12 → 0, Wound Points 15 → −72", -72),
    "sovereign": ("HP 14 → 0 (not below 0)", 0),
    "vile-darkness": ("HP 20 → −79", -79),
}
"""The pools of Ana after 99 damage. In three rulebooks, hit points stop at 0."""


@pytest.mark.parametrize("ruleset", LEFT)
def test_damage_by_the_gm_is_told_as_the_gm_ruled_it(ruleset: str) -> None:
    options: dict[str, Any] = {"death_roll": "all-equal"} if ruleset == "definitions" else {}
    spec = Spec(installed()[ruleset]).given(*FIGHTS[ruleset](), **options).begin()
    spec.rule("damage", combatant="Ana", amount=99)
    eyes = Eyes(spec.live.history, GM)
    views = [event_view(spec.live, eyes, fact) for fact in spec.last]
    teller = Teller(spec.live, eyes)
    (line,) = [line.text for line in teller.lines(teller.story(views), {}) if "takes" in line.text]
    pools, least = LEFT[ruleset]
    assert line.startswith("By the GM's ruling, Ana takes 99 ")
    assert line.endswith(f"damage: {pools}.")
    result = result_of(spec, GM)
    assert result.sentence.startswith("Ana takes 99 ")
    assert least in [change.after for change in result.changes]


def test_a_player_gets_words_for_a_foe() -> None:
    result = result_of(struck(), ANNA)
    assert result.verdict == "hit"
    assert ResultChange("Imp", "Imp", "wound", "unhurt", "hurt") in result.changes
    assert not any(isinstance(change.after, int) for change in result.changes)
    assert result.sum is not None
    assert "against" not in result.sum


def test_the_sentence_tells_the_blow_at_a_second_target() -> None:
    """The sum belongs to the first target."""
    zap = {"id": "zap", "name": "Zap", "cast_time": {"aa": 1}, "attack": True, "damage": "1d6"}
    mag = unit("Mag", accuracy=5, agility=5, owner="anna", spells=[zap], weapons=[SWORD], at=[0, 0])
    imps = [foe(name, agility=1, max_hp=20, at=[x, 0]) for x, name in ((1, "Imp"), (2, "Cub"))]
    spec = Spec(RULESET).given(mag, *imps).begin()
    rolls = (("attack", 12), ("damage", 4), ("attack", 2))
    spec.act("Mag", "cast", *rolls, spell="zap", targets=["Imp", "Cub"])
    sentence = result_of(spec, GM).sentence
    assert sentence == "Mag casts Zap on Imp and Cub (attack action). Mag hits Imp. Mag misses Cub."
    assert result_of(spec, ANNA).sentence.endswith("Mag misses Cub.")


def test_a_foes_roll_has_no_sum_for_a_player() -> None:
    spec = fight()
    spec.act("Ana", "end-turn")
    spec.act("Imp", "attack", ("attack", 19), ("damage", 4), target="Ana", weapon="sword")
    assert result_of(spec, GM).sum is not None
    result = result_of(spec, ANNA)
    assert result.sum is None or "19" not in result.sum
    (points,) = [change for change in result.changes if change.what == "HP"]
    assert points.combatant == "Ana"


def test_without_a_roll_nothing_is_decided() -> None:
    spec = fight(at=(9, 9))
    spec.act("Ana", "move", path=[[0, 1], [0, 2]])
    result = result_of(spec, GM)
    assert (result.verdict, result.sum) == (None, None)
    assert result.sentence == "Ana moves to (0, 2) (move action)."
    assert result.changes == (ResultChange("Ana", "Ana", "position", None, "(0, 2)"),)


def test_a_verdict_has_a_meaning_that_all_rulebooks_share() -> None:
    assert kind_of(("attack", 12), ("damage", 4)) == "hit"
    assert kind_of(("attack", 2)) == "miss"
    assert kind_of(("attack", 1), ("auto-fail-d4", 2)) == "miss"  # the verdict is auto-fail
    assert result_of(fight(), GM).kind is None


def test_the_timeline_has_the_result_of_each_command() -> None:
    spec = struck()
    for by in (GM, ANNA):
        entries, _ = page(spec.live, Eyes(spec.live.history, by), Wanted(), limit=500)
        newest = [fact for fact in spec.last if fact.command == spec.last[-1].command]
        assert entries[-1].result == result_with(spec, by, newest)


def test_a_filter_of_the_timeline_does_not_change_the_result() -> None:
    spec = struck()
    eyes = Eyes(spec.live.history, GM)
    whole, _ = page(spec.live, eyes, Wanted(), limit=500)
    (entry, *_), _ = page(spec.live, eyes, Wanted(type="damaged"), limit=500)
    assert entry.result in [other.result for other in whole]
    assert entry.result.changes


def test_nobody_hidden_is_in_a_result() -> None:
    spec = fight()
    spec.do(Join(Joining(foe("Ghost", max_hp=10, at=[5, 5]), hidden=True)))
    targets = [{"combatant": who} for who in ("Ghost", "Imp")]
    spec.rule("several", ruling="damage", targets=targets, inputs={"amount": 3})
    assert "Ghost" in str(result_of(spec, GM))
    result = result_of(spec, ANNA)
    assert "Ghost" not in str(result)
    assert [change.combatant for change in result.changes] == ["Imp"]


def test_a_confirmed_threat_is_a_critical_hit() -> None:
    sheets = (fighters.fighter("Ann", weapons=[fighters.SWORD]), fighters.foe("Gob", max_hp=40))
    spec = fighters.fight(Spec(definitions.RULESET), *sheets)
    dice = (("attack", 20), ("confirm", 19), ("damage", 4, 4))
    spec.act("Ann", "attack", *dice, target="Gob", weapon="sword")
    assert result_of(spec, GM).verdict == "critical"
    assert result_of(spec, GM).kind == "critical"


# ---- headlines


def shrine(hp: int = 6, caller: Caller = GM) -> Result:
    """Return the result of Mira's Fire, which deals 7 points after Hexer has passed."""
    fire = vile_darkness.spell("fire", 3, name="Fire", damage="2d6")
    mira = vile_darkness.hero("Mira", weapons=[], abilities=[fire], owner="anna")
    spec = Spec(darkness.RULESET)
    spec.given(mira, vile_darkness.foe("Hexer", weapons=[], max_hp=hp))
    vile_darkness.begin(spec, 5, 2, Mira=("cast", {"spell": "fire"}))
    spec.answer("Mira", "target", name="spell-target", combatant="Hexer")
    vile_darkness.passes(spec, "Mira").act("Hexer", "pass", ("damage", 5, 2))
    return result_of(spec, caller)


def test_an_effect_of_an_earlier_deed_is_the_headline() -> None:
    """The result reports the spell that takes effect, not the command that ended the wait."""
    assert shrine().sentence == "Mira's Fire hits Hexer for 7. Hexer is down."
    assert shrine(caller=ANNA).sentence == "Mira's Fire hits Hexer. Hexer is down."
    assert shrine(hp=20).sentence == "Mira's Fire hits Hexer for 7."


def test_a_fall_is_told_by_the_last_state_alone() -> None:
    """A result with a fall reports the points and the state, but not the wound."""
    about = [(change.what, change.after) for change in shrine(caller=ANNA).changes]
    assert about[0] == ("state", "down")
    assert all(what not in ("wound", "position") for what, _ in about)
    assert [(change.what, change.after) for change in shrine().changes][:2] == [
        ("HP", -1), ("state", "down"),
    ]  # fmt: skip


def test_a_condition_is_told_as_a_state() -> None:
    """A result names the condition itself, such as "prone" and not "falls prone"."""
    spec = fight()
    spec.rule("set-condition", who="Imp", condition="prone")
    (begun,) = result_of(spec, GM).changes
    assert (begun.what, begun.before, begun.after) == ("condition", None, "prone")
    spec.rule("end-condition", who="Imp", condition="prone")
    (ended,) = result_of(spec, GM).changes
    assert (ended.what, ended.before, ended.after) == ("condition", "prone", None)
    spec.rule("set-condition", who="Imp", condition="wound-slowing")
    assert [change.after for change in result_of(spec, GM).changes][:1] == ["slowing wound"]


def test_who_has_the_initiative_is_told_where_the_dice_fall() -> None:
    spec = Spec(darkness.RULESET)
    spec.given(vile_darkness.hero("Ana", owner="anna"), vile_darkness.foe("Orc"))
    vile_darkness.begin(spec, 2, 5)
    assert result_of(spec, GM).sentence == (
        "The GM rules: close the declarations. Ana's group acts second (LOW): 2. "
        "Orc's group has the initiative (HIGH): 5."
    )
    assert (result_of(spec, GM).verdict, result_of(spec, GM).sum) == (None, None)


def test_the_verdict_of_anothers_save_is_none_of_the_deed() -> None:
    """The failed save of a foe is not the verdict of the caster's action."""
    save = {"kind": "reflex", "dc": 12, "on_success": "half"}
    bolt = {"id": "bolt", "name": "Bolt", "damage": "2d6", "save": save}
    spec = Spec(definitions.RULESET)
    fighters.fight(spec, fighters.fighter("Ann", spells=[bolt]), fighters.foe("Gob", max_hp=40))
    dice = ("save-reflex", 2), ("damage", 3, 3)
    spec.act("Ann", "cast-spell", *dice, spell="bolt", targets=["Gob"])
    result = result_of(spec, GM)
    assert (result.verdict, result.kind) == (None, None)
    assert result.sentence.endswith("Gob's Reflex save fails.")


def test_a_ruling_that_harms_is_told_by_the_harm() -> None:
    spec = fight()
    spec.rule("damage", combatant="Imp", amount=3)
    assert result_of(spec, GM).sentence == "Imp takes 3 damage."
    spec = Spec(definitions.RULESET)
    fighters.fight(spec, fighters.fighter("Ann"), fighters.foe("Gob"))
    spec.rule("damage", combatant="Gob", amount=3)
    assert result_of(spec, GM).sentence == "Gob takes 3 damage."


def test_the_sum_has_the_damage_of_the_one_who_rolled() -> None:
    """The sum for a player includes the damage that the player's combatant has rolled."""
    assert result_of(struck(), ANNA).sum == "12 (1d20) + 5 Accuracy = 17; damage 4 (1d8)"


def missed(**asks: Any) -> Spec:
    """Return a fight in which the Orc misses Ana, with open dice. The miss deals Shock damage."""
    spec = Spec(sovereign.RULESET)
    ana, orc = warriors.hero("Ana", ac=14, max_hp=20), warriors.npc("Orc", weapons=[warriors.SPEAR])
    warriors.fight(spec, ana, orc, **asks)
    warriors.end(spec, "Ana")
    return spec


def test_damage_of_a_miss_is_no_hit() -> None:
    """Shock deals damage after a miss. The window after the roll is a separate command."""
    spec = missed(asks=("Ana",))
    spec.act("Orc", "melee-attack", target="Ana")
    spec.answer("Ana", "pass", ("attack", 5))
    assert result_of(spec, GM).verdict == "miss"
    spec.answer("Ana", "pass")
    assert result_of(spec, GM).sentence == "Orc does 2 shock damage to Ana."


def test_a_roll_by_hand_that_misses_is_told_before_its_damage() -> None:
    """A manual roll that misses reports the miss first, then the Shock damage."""
    spec = missed()
    spec.act("Orc", "melee-attack", ("attack", 5), target="Ana")
    told = by_hand(spec)
    assert (told.verdict, told.sentence) == (
        "miss",
        "Orc misses Ana. Orc does 2 shock damage to Ana.",
    )


def tripped(own: int, other: int) -> Spec:
    spec = Spec(definitions.RULESET)
    fighters.fight(spec, fighters.fighter("Ann", owner="anna"), fighters.foe("Gob", max_hp=40))
    dice = ("touch", 15), ("opposed-strength", own), ("opposed-strength", other)
    return spec.act("Ann", "trip", *dice, target="Gob")


def test_an_opposed_check_is_decided_for_the_one_who_acts() -> None:
    """The verdict is about the combatant who acts, although the opponent's roll comes last."""
    spec = tripped(18, 3)
    told = by_hand(spec)
    assert (told.verdict, told.kind, told.sum) == ("won", "success", None)
    assert told.sentence == "Ann's opposed Strength check for the trip wins: 18."
    lost = tripped(3, 18)
    assert by_hand(lost).kind == "failure"


def test_a_contest_after_a_touch_decides_the_deed() -> None:
    """The touch hits, and the trip fails."""
    told = result_of(tripped(3, 18), GM)
    assert (told.verdict, told.kind, told.sum) == ("lost", "failure", "3 (1d20)")
    assert told.sentence.endswith("Ann's opposed Strength check for the trip loses: 3.")
    assert result_of(tripped(18, 3), GM).kind == "success"


def test_the_last_blow_is_told_before_the_end_of_the_fight() -> None:
    """The verdict of the last blow is not the failed save of the fallen combatant."""
    told = by_hand(burned())
    assert told.kind is None
    assert told.sentence.endswith("The fight ends; the heroes won (one side left).")


def test_a_note_of_the_rules_is_no_headline() -> None:
    """A fatal roll that adds no damage is not the verdict of the blow."""
    spec = fight()
    dice = ("attack", 15), ("damage", 8), ("fatal", 1)
    spec.act("Ana", "attack", *dice, target="Imp", weapon="sword", aim="heart")
    told = by_hand(spec)
    assert told.sentence == "The aim at a fatal spot adds no damage. Ana hits Imp for 8."
    assert (told.verdict, told.kind) == (None, None)


def melee(*faces: int) -> Result:
    """Return the result of two strikes at the same time. A hit rolls 4 for damage."""
    spec = Spec(darkness.RULESET)
    spec.given(vile_darkness.hero("Ana", owner="anna"), vile_darkness.foe("Orc"))
    vile_darkness.begin(vile_darkness.engaged(spec, ("Ana", "Orc")), 4, 4)
    vile_darkness.until(spec, "group/HIGH/D3").act("Ana", "attack", target="Orc")
    dice = [[("attack", face), *([("damage", 4)] if face >= 10 else [])] for face in faces]
    spec.act("Orc", "attack", *chain(*dice), target="Ana")
    return result_of(spec, GM)


def test_each_blow_of_a_moment_is_told_with_its_sum() -> None:
    told = melee(12, 3)
    assert told.sentence == (
        "Orc attacks Ana with the sword (major action). Orc misses Ana. Ana hits Orc for 4."
    )
    assert [(blow.combatant, blow.against, blow.kind) for blow in told.blows] == [
        ("Ana", "Orc", "hit"), ("Orc", "Ana", "miss"),
    ]  # fmt: skip
    assert told.blows[0].sum is not None
    assert told.blows[0].sum.startswith("12 (1d20)")
    assert "damage 4 (1d8)" in told.blows[0].sum
    assert melee(3, 2).sentence.endswith("Ana misses Orc. Orc misses Ana.")


def test_a_foes_blow_has_no_sum_for_a_player() -> None:
    spec = fight()
    spec.act("Ana", "end-turn")
    spec.act("Imp", "attack", ("attack", 19), ("damage", 4), target="Ana", weapon="sword")
    (blow,) = result_of(spec, ANNA).blows
    assert (blow.kind, blow.sentence) == ("hit", "Imp hits Ana.")
    assert blow.sum is None or "19" not in blow.sum
    (blow,) = result_of(spec, GM).blows
    assert blow.sum is not None
    assert "19 (1d20)" in blow.sum


def test_shock_is_named_beside_the_deed() -> None:
    spec = missed()
    spec.act("Orc", "melee-attack", ("attack", 5), target="Ana")
    told = result_of(spec, GM)
    assert told.kind == "miss"
    assert told.sentence.endswith("Orc misses Ana. Orc does 2 shock damage to Ana.")


def test_a_save_is_told_before_its_effect_with_the_damage() -> None:
    told = result_of(burned(), GM)
    assert "Gob's Reflex save fails. Gob is down." in told.sentence
    assert told.sum is not None
    assert told.sum.endswith("damage 1 + 2 (2d6) = 3")


def test_nobody_announces_that_a_combatant_is_hidden_now() -> None:
    """A player does not read that a combatant is now hidden. Earlier results keep its name."""
    spec = Spec(RULESET).given(
        unit("Ana", agility=5, weapons=[SWORD], owner="anna", at=[0, 0]),
        foe("Imp", agility=1, max_hp=20, at=[3, 0]),
        foe("Imp", agility=2, max_hp=20, at=[4, 0]),
    )
    spec.begin().act("Ana", "end-turn").act("Imp-2", "end-turn")
    ended = spec.last
    spec.do(Change("Imp-2", hidden=True))
    assert result_with(spec, GM, spec.last).sentence == "Imp 2 is now hidden."
    assert result_with(spec, ANNA, spec.last).sentence == ""
    assert result_with(spec, ANNA, ended).sentence == "Imp 2 ends the turn."
    spec.do(Change("Imp-2", hidden=False))
    assert result_with(spec, ANNA, spec.last).sentence.startswith("Imp 2 comes out of hiding")


def test_a_payment_is_no_headline() -> None:
    """If a reader sees only the price of an action, the result has no sentence."""
    spec = Spec(RULESET).given(unit("Ana", agility=5), foe("Imp", agility=1, at=[4, 0])).begin()
    spec.act("Ana", "boost-hit")
    spent = [fact for fact in spec.last if isinstance(fact.event, Spent)]
    assert spent
    assert result_with(spec, GM, spent).sentence == ""


def test_the_sum_of_a_multiplied_blow_ends_with_its_damage() -> None:
    mail = [{"source": "mail", "amount": 1}]
    ana = unit("Ana", agility=5, accuracy=5, weapons=[SWORD], owner="anna", at=[0, 0])
    imp = foe("Imp", agility=1, max_hp=60, reductions=mail, at=[1, 0])
    spec = Spec(RULESET).given(ana, imp).begin()
    dice = ("attack", 20), ("critical-d4", 4), ("critical-d6", 2), ("damage", 3)
    spec.act("Ana", "attack", *dice, target="Imp", weapon="sword")
    told = result_of(spec, GM).sum
    assert told is not None
    assert told.endswith("damage 3 (1d8); in all 3 damage × 4 − 1 mail = 11")
    assert str(result_of(spec, ANNA).sum).endswith("damage 3 (1d8)")


def test_blows_that_all_miss_are_the_news_and_not_the_initiative() -> None:
    """The result reports the attacks, not the initiative that the same command rolled."""
    spec = Spec(darkness.RULESET)
    spec.given(vile_darkness.hero("Ana", owner="anna"), vile_darkness.foe("Orc"))
    vile_darkness.announce(vile_darkness.engaged(spec, ("Ana", "Orc")))
    for who, target in (("Ana", "Orc"), ("Orc", "Ana")):
        vile_darkness.declare(spec, **{who: ("attack", {"target": target})})
    spec.answer("Ana", "as-declared", name="declaration")
    dice = [("group-initiative", 4)] * 2 + [("attack", 2)] * 2
    spec.answer("Orc", "as-declared", *dice, name="declaration")
    told = result_of(spec, GM)
    assert (told.sentence, told.kind) == ("Ana misses Orc. Orc misses Ana.", "miss")


def test_many_attacks_are_counted_and_never_untold() -> None:
    """Many attacks of one command become one sentence with the numbers of hits and misses."""

    def strikes(kinds: str) -> list[str]:
        words: dict[str, Literal["hit", "miss"]] = {"h": "hit", "m": "miss"}
        return few([ResultBlow("a", "b", words[k], words[k], "", None) for k in kinds])

    assert strikes("hhhh") == ["4 attacks hit."]
    assert strikes("hhmm") == ["2 attacks hit and 2 miss."]
    assert strikes("hhhm") == ["3 attacks hit and 1 misses."]
    assert strikes("mmmm") == ["4 attacks miss."]


def test_only_an_action_takes_the_place_of_an_earlier_result() -> None:
    spec = fight(at=(9, 0))
    spec.act("Ana", "move", path=[[1, 0]])
    assert result_of(spec, GM).acts
    spec.act("Ana", "end-turn")
    assert not result_of(spec, GM).acts
    spec.rule("move", combatant="Ana", to=[5, 5])
    assert result_of(spec, GM).acts
