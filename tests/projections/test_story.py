"""Test the story of the log, with remaining points and one line for each walk."""

import re
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from domain.engine.caller import Caller
from domain.engine.commands import GmRuling as Ruling
from domain.record.combat import StandingOrder
from domain.record.events import Answered, Prompted
from domain.rulesets import installed, sovereign
from domain.rulesets.free_hit import RULESET
from projections.events import EventView, event_view
from projections.eyes import Eyes
from projections.narration import Line, Teller
from projections.sentences import sentence
from projections.stories import composed
from projections.timeline import Entry, Wanted, escaped, markdown, page
from projections.vocabulary import UNKNOWN, Wording
from service.conformance.walker import Walker
from tests.client import NEEDED
from tests.rulesets.definitions import units as definitions
from tests.rulesets.free_hit.units import SWORD, foe, unit
from tests.rulesets.sovereign import units
from tests.rulesets.vile_darkness import units as vile_darkness
from tests.spec import Spec
from tests.walks import FIGHTS, begin

GM = Caller("gm", "gm")
ANNA = Caller("p", "player", owner="anna")


def fight() -> Spec:
    ana = unit("Ana", agility=5, accuracy=5, weapons=[SWORD], owner="anna", at=[0, 0])
    imp = foe("Imp", agility=1, max_hp=20, weapons=[SWORD], at=[4, 0])
    return Spec(RULESET).given(ana, imp).begin()


def lines(spec: Spec, by: Caller = GM, detail: str = "story") -> list[Line]:
    return [line for entry in entries(spec, by, detail) for line in entry.lines]


def entries(spec: Spec, by: Caller = GM, detail: str = "story") -> list[Entry]:
    live = spec.live
    wanted = Wanted(detail="full" if detail == "full" else "story")
    page_entries, _ = page(live, Eyes(live.history, by), wanted, limit=500)
    return page_entries


def texts(spec: Spec, by: Caller = GM, detail: str = "story") -> list[str]:
    return [line.text for line in lines(spec, by, detail)]


def struck() -> Spec:
    """Return a fight in which Ana walks three squares and hits, which leaves the imp 16 points."""
    spec = fight()
    spec.act("Ana", "move", path=[[1, 0], [2, 0], [3, 0]])
    spec.act("Ana", "attack", ("attack", 12), ("damage", 4), target="Imp", weapon="sword")
    return spec


def test_damage_says_what_is_left() -> None:
    (line,) = [line for line in lines(struck()) if line.type == "damaged"]
    assert "Imp takes 4" in line.text
    assert "HP 20 → 16" in line.text
    assert "damage damage" not in line.text
    assert (line.before, line.after) == (20, 16)
    assert line.combatants == ("Imp", "Ana")


def test_a_player_reads_a_word_instead() -> None:
    (line,) = [line for line in lines(struck(), ANNA) if line.type == "damaged"]
    assert line.text == "Ana hurts Imp, who looks hurt."
    assert (line.before, line.after) == (None, None)


def test_a_wound_does_not_say_how_deep_it_is() -> None:
    spec = fight()
    spec.act("Ana", "move", path=[[1, 0], [2, 0], [3, 0]])
    spec.act("Ana", "attack", ("attack", 12), ("damage", 7), target="Imp", weapon="sword")
    (line,) = [line for line in lines(spec, ANNA, "full") if line.type == "noted"]
    assert line.text == "Imp is wounded."


def test_the_word_is_that_of_the_moment() -> None:
    spec = struck()
    spec.rule("set-track", combatant="Imp", track="hp", value=20)
    (line,) = [line for line in lines(spec, ANNA) if line.type == "damaged"]
    assert line.text.endswith("hurt.")


def test_a_walk_is_one_line() -> None:
    moves = [text for text in texts(struck()) if "moves" in text]
    assert moves == ["Ana moves to (3, 0) (move action)."]
    assert (
        len([text for text in texts(struck(), detail="full") if text.startswith("Ana moves")]) == 4
    )


def test_bookkeeping_is_for_the_full_log() -> None:
    kinds = {line.type for line in lines(struck())}
    assert kinds.isdisjoint({"budget-set", "spent", "fact-set", "prompted", "procedure-began"})
    full = {line.type for line in lines(struck(), detail="full")}
    assert {"budget-set", "spent"} <= full


def test_an_action_names_its_own_rules() -> None:
    (line,) = [line for line in lines(struck()) if line.text.startswith("Ana attacks")]
    assert line.rules == RULESET.actions["attack"].rules or not RULESET.actions["attack"].rules


def test_the_question_stands_beside_its_answer() -> None:
    spec = fight()
    spec.orders("Imp", StandingOrder("free-hit", "pass"))
    spec.act("Ana", "move", path=[[1, 0], [2, 0], [3, 0]])
    spec.act("Ana", "bonus-move", path=[[2, 0]])
    answers = [line.text for line in lines(spec) if line.type == "answered"]
    assert answers == ["Imp takes no free hit on Ana (standing order)."]


def test_an_action_and_an_answer_are_called_what_the_button_says() -> None:
    spec = fight()
    spec.act("Ana", "boost-hit")
    assert "Ana takes aim: +1 to hit (bonus action)." in texts(spec)
    labels = RULESET.labels
    assert labels["free-hit", "take"] == labels["free-critical-hit", "take"] == "Strike"
    assert (labels["", "take"], labels["", "boost-hit"]) == ("Strike", "+1 to hit")
    asked = {"who": None, "option": "take", "called": "Strike", "by": "default"}
    assert sentence("answered", asked, Wording({})) == "The GM answers “Strike” (by default)."
    unnamed = {"who": None, "option": "fight-on"}
    assert sentence("answered", unnamed, Wording({})) == "The GM answers “Fight on”."
    roll = {"who": "ann", "option": "roll", "question": "ann rolls 2d8 (damage)"}
    told = sentence("answered", {**roll, "inputs": {"faces": [7, 1]}}, Wording({"ann": "Ann"}))
    assert told == "Ann rolls 7 and 1 on 2d8 (damage)."


@pytest.mark.parametrize(
    ("because", "told"),
    [("time", "time is up"), ("left", "has left"), ("moot", "not asked any more"), ("", "lapsed")],
)
def test_a_lapsed_prompt_is_told_with_what_ended_it(because: str, told: str) -> None:
    asked = {"who": "Ana", "option": "pass", "by": "lapsed", "because": because}
    assert sentence("answered", asked, Wording({})).endswith(f" ({told}).")


@pytest.mark.sampled
@pytest.mark.parametrize("ruleset", sorted(FIGHTS))
def test_people_read_words_and_no_ids(ruleset: str) -> None:
    """Prompts, refusals and the log contain no ids of the rulebook."""
    rulebook = installed()[ruleset]
    ids = {
        *rulebook.actions,
        *rulebook.rulings,
        *rulebook.conditions,
        *(id for _, id in rulebook.labels),
        *(purpose.removesuffix("-<name>") for purpose in rulebook.purposes),
    }
    pattern = re.compile(
        "|".join(rf"(?<![\w-]){id}(?![\w-])" for id in ids if re.search("[-_]", id))
    )
    sheets = [{**sheet, "name": f"P{at}"} for at, sheet in enumerate(FIGHTS[ruleset]())]
    spec = Spec(rulebook).given(*sheets, **NEEDED.get(ruleset, {}))
    spec.prove = lambda: None  # type: ignore[method-assign]
    walker = Walker(spec, Random(7), undo=0)
    told: list[str] = []
    for _ in range(60):
        told += [prompt.text for prompt in spec.live.open_prompts().values()]
        walker.step()
    for who in spec.combat.combatants:
        told += [refusal.detail for offer in spec.live.options(who) for refusal in offer.refusals]
    told += texts(spec)
    assert len(told) > 60
    assert [text for text in told if pattern.search(text)] == []


@pytest.mark.parametrize("ruleset", sorted(FIGHTS))
def test_everybody_reads_who_reacts(ruleset: str) -> None:
    """Before the effect of a reaction, each log names the combatant that reacts."""
    seed = 1 if ruleset == "vile-darkness" else 3
    spec = begin(ruleset, seed)
    spec.prove = lambda: None  # type: ignore[method-assign]
    walker = Walker(spec, Random(seed), undo=0, gm=0)
    spectator = Caller("s", "spectator")
    for _ in range(120):
        walker.step()
    history = spec.live.history
    events = history.gather([(1, spec.live.version)])
    reactions = {
        recorded.event.prompt
        for recorded in events
        if isinstance(recorded.event, Prompted)
        and recorded.event.kind == "reaction"
        and not recorded.event.sealed
    }
    told = {line.version: line for line in lines(spec, spectator)}
    eyes, taken = Eyes(history, spectator), 0
    hidden = {combatant.id for combatant in spec.combat if combatant.hidden}
    for recorded in events:
        event = recorded.event
        if not isinstance(event, Answered) or event.by != "caller" or event.who in hidden:
            continue
        if event.prompt not in reactions or event.option in ("pass", "keep"):
            continue
        taken += 1
        assert eyes.sees(recorded.version), event
        line = told[eyes.to_sequence(recorded.version)]
        assert line.text.startswith(f"{event.who} "), line
        assert "answers “" not in line.text
    assert taken > 0


def test_an_action_is_paid_with_what_it_is_called() -> None:
    spec = fight().act("Ana", "boost-hit", pay_with="ba")
    assert "Ana takes aim: +1 to hit (bonus action)." in texts(spec)


def test_rounds_begin_where_they_begin() -> None:
    spec = fight()
    spec.act("Ana", "end-turn").act("Imp", "end-turn")
    rounds = [line.round for line in lines(spec) if line.type == "round-began"]
    assert rounds == [1, 2]
    text = markdown("Bridge", entries(spec))
    assert text.index("## Round 1") < text.index("It is Ana's turn") < text.index("## Round 2")


def test_texts_cannot_forge_markdown() -> None:
    forged = "# Title\n[x](javascript:alert(1)) <script> *b* `c`"
    told = escaped(forged)
    assert "\n" not in told
    assert told.startswith("\\#")
    assert "\\[x\\](javascript:alert(1)) \\<script\\>" in told
    assert "[What comes after](/next)" in markdown("A *name*", [], "/next")
    assert "A \\*name\\*" in markdown("A *name*", [])


def test_a_story_says_nothing_twice() -> None:
    spec = struck()
    assert not any("rolled by hand" in text for text in texts(spec))
    assert any("rolled by hand" in text for text in texts(spec, detail="full"))
    told = markdown("Bridge", entries(spec))
    assert "- Round 1" not in told  # the heading names the round
    assert "Phase" not in told
    assert "- **It is Ana's turn.**" in told


@pytest.mark.parametrize(
    ("face", "told"),
    [(50, "Ana's attack on Orc goes astray"), (51, "Ana's attack on Orc does not go astray")],
)
def test_a_shot_into_a_grapple_tells_whether_it_went_astray(face: int, told: str) -> None:
    bow = definitions.weapon("bow", "1d6", kind="ranged", range_ft=60)
    spec = definitions.fight(
        Spec(installed()["definitions"]),
        definitions.fighter("Ana", at=[0, 5], weapons=[bow]),
        definitions.foe("Orc"),
        definitions.fighter("Bo", at=[2, 0]),
    )
    spec.rule("set-condition", who="Bo", condition="grappled", data={"with": "Orc"})
    spec.act("Ana", "ranged-attack", ("miss-chance", face), ("attack", 9), target="Orc")
    assert any(line.startswith(f"{told}: {face} (1d100) against 51") for line in texts(spec))


def test_those_who_act_together_are_one_line() -> None:
    book = sovereign.RULESET
    sheets = [units.hero("Ana"), units.hero("Bo", at=[2, 0]), units.npc("Orc", at=[9, 9])]
    spec = units.fight(Spec(book), *sheets)
    shown = texts(spec)
    assert "It is the turn of the party: Ana and Bo." in shown
    spec.act("Ana", "speak", text="Look out!")
    assert texts(spec)[-1] == "Ana: Look out!"


def test_a_preview_is_told_as_a_story() -> None:
    spec = struck()
    live, eyes = spec.live, Eyes(spec.live.history, GM)
    views = [event_view(live, eyes, recorded) for recorded in live.history.recorded]
    teller = Teller(live, eyes)
    told = [line.text for line in teller.lines(teller.story(views), {})]
    assert "Ana attacks Imp with the sword (attack action)." in told
    assert set(told) == set(texts(spec))


@pytest.mark.parametrize(("id", "told"), [("sword-1", "the sword"), ("w1", "a weapon")])
def test_a_foe_s_weapon_is_never_told_by_its_id(id: str, told: str) -> None:
    """A player reads neither the id nor the name of a foe's weapon."""
    ana = unit("Ana", agility=1, accuracy=5, owner="anna", at=[0, 0])
    blade = {**SWORD, "id": id, "name": "Doomblade"}
    imp = foe("Imp", agility=5, max_hp=20, weapons=[blade], at=[1, 0])
    spec = Spec(RULESET).given(ana, imp).begin()
    spec.act("Imp", "attack", ("attack", 12), ("damage", 4), target="Ana", weapon=id)
    assert f"Imp attacks Ana with {told}." in texts(spec, ANNA)
    assert not [text for text in texts(spec, ANNA) if id in text or "Doom" in text]
    assert any("Doomblade" in text for text in texts(spec))


def test_a_fall_in_a_batch_of_blows_is_told_once() -> None:
    """The story reports Imp's fall once, although Orc's blow of the same moment follows."""
    spec = Spec(installed()["vile-darkness"])
    spec.given(
        vile_darkness.hero("Ana", at=[0, 0]),
        vile_darkness.foe("Imp", max_hp=2, at=[1, 0]),
        vile_darkness.foe("Orc", at=[1, 1]),
    )
    spec.rule("engage", a="Ana", b="Imp").rule("engage", a="Ana", b="Orc")
    vile_darkness.begin(spec, 3, 3)
    spec.act("Imp", "pass").act("Ana", "attack", target="Imp")
    blows = ("attack", 15), ("damage", 3), ("attack", 15), ("damage", 4)
    spec.act("Orc", "attack", *blows, target="Ana")
    told = texts(spec)
    assert [text for text in told if "Imp" in text and "down" in text] == ["Ana brings Imp down."]
    assert told[-1] == "Ana takes 4 sword damage from Orc: HP 20 → 16."


def test_a_state_that_ends_twice_for_somebody_joins_the_others() -> None:
    """Ana is in melee with two foes and flees. One sentence reports the end for all three."""
    spec = Spec(installed()["vile-darkness"])
    spec.given(
        vile_darkness.hero("Ana", at=[0, 0]),
        vile_darkness.foe("Imp", at=[1, 0]),
        vile_darkness.foe("Orc", at=[1, 1]),
    )
    spec.rule("engage", a="Ana", b="Imp").rule("engage", a="Ana", b="Orc")
    vile_darkness.begin(spec, 3, 3, Ana=("flee", {"path": [[-1, 0]]}))
    spec.act("Ana", "flee", path=[[-1, 0]]).close()
    assert "Ana, Imp and Orc are no longer in melee." in texts(spec)


def test_a_walk_that_another_player_may_stop_has_only_begun() -> None:
    """Anna does not see that Bo's player gets a prompt, or that it closes."""
    ana = unit("Ana", agility=1, accuracy=5, owner="anna", at=[20, 0])
    bo = unit("Bo", agility=2, accuracy=5, weapons=[SWORD], owner="bert", at=[0, 0])
    imp = foe("Imp", agility=9, max_hp=20, at=[1, 0], weapons=[SWORD])
    spec = Spec(RULESET).given(ana, bo, imp).begin()
    spec.act("Imp", "move", path=[[2, 0], [3, 0]])
    assert [prompt.who for prompt in spec.live.open_prompts().values()] == ["Bo"]
    begun = [text for text in texts(spec, ANNA) if text.startswith("Imp ")]
    assert begun[-1].startswith("Imp starts to move to (3, 0)")


# ---- actions of combatants that the reader does not know


def ambushed(points: int = 20) -> Spec:
    """Return a fight in which a hidden imp deals 4 damage to Ana."""
    ana = unit(
        "Ana", agility=5, accuracy=5, weapons=[SWORD], owner="anna", at=[0, 0], max_hp=points
    )
    imp = foe("Imp", agility=1, weapons=[SWORD], at=[1, 0])
    gob = foe("Gob", agility=0, weapons=[SWORD], at=[1, 5])
    spec = Spec(RULESET).given(ana, imp, gob, hidden=("Imp",)).begin()
    spec.act("Ana", "end-turn")
    return spec.act("Imp", "attack", ("attack", 15), ("damage", 4), target="Ana", weapon="sword")


def test_a_hidden_combatants_deed_has_its_own_head() -> None:
    spec = ambushed()
    *_, ended, deed = entries(spec, ANNA)
    assert [line.text for line in ended.lines] == ["Ana ends the turn."]
    assert [line.text for line in deed.lines] == [
        "Somebody deals Ana 4 physical damage: HP 20 → 16."
    ]
    assert deed.result.sentence == "Somebody hits Ana for 4."
    assert (deed.by, deed.lines[0].combatants) == ("gm", ("Ana",))


def test_the_next_turn_belongs_to_the_last_deed_that_the_reader_knows() -> None:
    spec = ambushed()
    spec.act("Imp", "end-turn")
    told = [line.text for line in entries(spec, ANNA)[-1].lines]
    assert told == ["Somebody deals Ana 4 physical damage: HP 20 → 16.", "It is Gob's turn."]


def test_a_hidden_combatants_idle_turn_has_no_head() -> None:
    ana = unit("Ana", agility=5, owner="anna", at=[0, 0])
    imp, gob = foe("Imp", agility=1, at=[1, 0]), foe("Gob", agility=0, at=[1, 5])
    spec = Spec(RULESET).given(ana, imp, gob, hidden=("Imp",)).begin()
    spec.act("Ana", "end-turn").act("Imp", "end-turn")
    told = [line.text for line in entries(spec, ANNA)[-1].lines]
    assert told == ["Ana ends the turn.", "It is Gob's turn."]


def test_somebody_kills() -> None:
    spec = ambushed(4)
    told = [line.text for line in entries(spec, ANNA)[-1].lines]
    assert told[0] == "Somebody deals Ana 4 physical damage: HP 4 → 0."
    assert not [text for text in told if "Imp" in text]


def test_others_read_who_is_hurt() -> None:
    told = [line.text for line in entries(ambushed(), Caller("s", "spectator"))[-1].lines]
    assert told == ["Somebody hurts Ana, who looks hurt."]


def test_a_deed_of_somebody_precedes_the_rolls_that_it_led_to() -> None:
    roll = EventView(
        1, 0, "", "c", "gm", "rolled", (),
        {"who": "Ana", "purpose": "save", "outcome": "failed", "formula": "1d20", "faces": [3]},
    )  # fmt: skip
    harm = replace(roll, version=2, type="damaged", data={"who": "Ana", "track": "hp"})
    unknown = replace(harm, data={**harm.data, "source": UNKNOWN})
    turn = replace(roll, version=0, type="turn-began", data={"who": "Ana"})
    wording = Wording({"Ana": "Ana"})

    def order(*views: EventView) -> list[int]:
        return [view.version for view in composed(views, wording)]

    assert order(roll, harm) == [1, 2]
    assert order(roll, unknown) == [2, 1]
    assert order(turn, roll, unknown) == [0, 1, 2]


@pytest.mark.parametrize(
    ("ruling", "inputs", "told"),
    [
        ("set-condition", {"condition": "prone"}, "By the GM's ruling, Ana falls prone."),
        ("damage", {"amount": 3}, "By the GM's ruling, Ana takes 3 damage: HP 10 → 7."),
        ("set-track", {"track": "hp", "value": 4}, "By the GM's ruling, Ana's HP: 10 → 4."),
        ("move", {"to": [3, 3]}, "By the GM's ruling, Ana is moved to (3, 3)."),
    ],
)
def test_a_ruling_and_its_effect_are_one_sentence(
    ruling: str, inputs: Mapping[str, Any], told: str
) -> None:
    spec = sovereign_fight()
    spec.rule(ruling, combatant="Ana", **inputs)
    assert texts(spec)[-1] == told


def test_the_reason_of_a_ruling_is_in_its_sentence() -> None:
    spec = sovereign_fight()
    spec.do(Ruling("damage", {"combatant": "Ana", "amount": 3}, "the bridge falls"))
    assert texts(spec)[-1] == (
        "By the GM's ruling (the bridge falls), Ana takes 3 damage: HP 10 → 7."
    )


def sovereign_fight() -> Spec:
    ana, orc = units.hero("Ana"), units.npc("Orc", at=[9, 0])
    return units.fight(Spec(sovereign.RULESET), ana, orc)
