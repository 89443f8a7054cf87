"""Test the sentences that the log makes from one event alone."""

import pytest

from domain.rulebook.catalogue import Catalogue
from domain.rulebook.phrases import Phrases
from projections.equations import dice
from projections.sentences import sentence
from projections.vocabulary import Wording, gerund, infinitive, plural

NAMES = Wording({"ann": "Ann", "bob": "Bob"})


def test_who_was_stopped_and_why() -> None:
    data = {"who": "ann", "doing": "bonus-move", "reason": "unable", "detail": "Ann is down"}
    told = "Ann does not finish (“bonus move”): Ann is down."
    assert sentence("stopped", data, NAMES) == told
    del data["detail"]  # a foe does not learn the reason
    assert sentence("stopped", data, NAMES) == "Ann does not finish (“bonus move”)."


def test_a_target_is_told_by_its_value() -> None:
    assert NAMES.value("target", {"object": "the door"}) == "the door"
    assert NAMES.value("target", {"combatant": "ann", "square": None, "object": None}) == "Ann"
    assert NAMES.value("target", {"square": [2, 3]}) == NAMES.value("square", [2, 3]) != ""


def test_what_does_not_happen_any_more() -> None:
    data = {"who": "bob", "action": "snap-attack", "inputs": {}, "detail": "Bob has no main left"}
    told = "Bob had chosen “snap attack”, which does not happen: Bob has no main left."
    assert sentence("prevented", data, NAMES) == told
    phrases = Phrases(actions={"snap-attack": "{who} makes a snap attack[ on {target}]"})
    wording = Wording({"ann": "Ann", "bob": "Bob"}, Catalogue(phrases=phrases))
    told = "Bob does not make a snap attack: Bob has no main left."
    assert sentence("prevented", data, wording) == told
    data |= {"inputs": {"target": "ann"}, "detail": ""}
    assert sentence("prevented", data, wording) == "Bob does not make a snap attack on Ann."


def test_a_target_that_acts_is_itself() -> None:
    phrases = Phrases(actions={"cast": "{who} casts a spell[ on {targets}]"})
    wording = Wording({"ann": "Ann", "bob": "Bob"}, Catalogue(phrases=phrases))
    data = {"who": "ann", "action": "cast", "inputs": {"targets": ["ann", "bob"]}}
    told = "Ann casts a spell on itself and Bob."
    assert sentence("action-declared", data, wording) == told


def test_what_an_action_was_given_is_told_in_words() -> None:
    inputs = {
        "targets": ["ann", "bob"],
        "path": [[1, 0, 0], [2, 0, 0]],
        "mode": "walk",
        "from_behind": True,
        "facing": [-1, 0],
        "weapon": None,
        "action": {"action": "strike", "inputs": {"target": "bob"}},
    }
    told = sentence("action-declared", {"who": "ann", "action": "move", "inputs": inputs}, NAMES)
    assert told == ("Ann moves (targets Ann and Bob, to (2, 0), from behind, strike (target Bob)).")


def test_an_object_that_repeats_its_field_says_it_once() -> None:
    inputs = {"activity": {"activity": "drop-item", "item": "axe"}}
    told = sentence("action-declared", {"who": "ann", "action": "simple", "inputs": inputs}, NAMES)
    assert told == "Ann simples (drop item (the axe))."


def test_an_action_within_an_action_keeps_its_inputs_together() -> None:
    inputs = {
        "slot": "standard",
        "action": {"action": "attack", "inputs": {"target": "bob"}, "attacks": 1},
        "inputs": {},
        "attacks": 1,
    }
    told = sentence("action-declared", {"who": "ann", "action": "hold", "inputs": inputs}, NAMES)
    assert told == "Ann holds (attack (target Bob))."
    inputs = {"to": [5, 0], "attacks": [{"action": "shield-bash", "inputs": {}}]}
    told = sentence("action-declared", {"who": "ann", "action": "charge", "inputs": inputs}, NAMES)
    assert told == "Ann charges (to (5, 0))."


def test_ids_and_feet_are_told_as_people_say_them() -> None:
    inputs = {"activities": ["close-door", "bow"], "distance_ft": 5.0, "text": "half-hearted foe"}
    told = sentence("action-declared", {"who": "ann", "action": "do", "inputs": inputs}, NAMES)
    assert told == "Ann does (activities close door and bow, distance 5 ft)."
    asked = {"text": "ann: melee-attack (rolled). Does bob provoke (free-hit)?"}
    assert sentence("prompted", asked, NAMES) == (
        "Ann: melee attack (rolled). Does Bob provoke (free hit)?"
    )


def test_what_is_different_about_somebody() -> None:
    changed = {"who": "ann", "name": "Ann", "hidden": True, "sheet": {"max_hp": 9, "weapons": []}}
    assert sentence("combatant-changed", changed, NAMES) == (
        "Ann is now called Ann, is now hidden and has a new sheet (max hp, weapons)."
    )
    seen = {"who": "bob", "name": None, "side": "foes", "hidden": False}
    assert (
        sentence("combatant-changed", seen, NAMES)
        == "Bob is now on the side foes and is no longer hidden."
    )
    owner = {"who": "bob", "owner": "Eve"}
    assert sentence("combatant-changed", owner, NAMES) == "Bob is now played by Eve."
    assert sentence("combatant-changed", {"who": "bob"}, NAMES) == ""


def test_a_fight_is_opened_under_the_rulebooks_title() -> None:
    data = {"name": "The ford", "ruleset": "free-hit", "forked_from": ["c", 7]}
    told = sentence("combat-opened", {**data, "title": "Quest"}, NAMES)
    assert told == ("The ford: a fight under Quest opens, continuing combat c from its version 7.")
    assert "under free-hit opens" in sentence("combat-opened", data, NAMES)


def test_a_sum_stands_beside_what_it_makes() -> None:
    data = {"who": "bob", "track": "hp", "amount": 24, "kind": "physical", "source": "ann"}
    terms = [["damage", 13, "R-1"], ["times 2", 13, "R-2"], ["mail", -2, "R-3"]]
    told = sentence("damaged", {**data, "terms": terms, "before": 60, "after": 36}, NAMES)
    sum_ = "13 damage × 2 − 2 mail = 24"
    assert told == f"Bob takes 24 physical damage from Ann: {sum_}; HP 60 → 36."
    alone = {**data, "amount": 5, "terms": [["damage", 5, "R-1"]], "before": 60, "after": 55}
    assert sentence("damaged", alone, NAMES) == "Bob takes 5 physical damage from Ann: HP 60 → 55."


def test_nothing_is_said_twice() -> None:
    roll = {"who": "ann", "purpose": "damage", "formula": "1d6", "faces": [5], "total": 5}
    assert sentence("rolled", roll, NAMES) == "Ann rolls damage: 5 (1d6)."
    two = {**roll, "formula": "2d6", "faces": [5, 1], "total": 6}
    assert sentence("rolled", two, NAMES) == "Ann rolls damage: 5 + 1 (2d6) = 6."
    healed = {"who": "ann", "track": "hp", "amount": 0, "before": 8, "after": 8}
    assert sentence("healed", healed, NAMES) == "Ann gets nothing back: HP stays 8."
    note = {"who": "ann", "text": "Ann has no main action left"}
    assert sentence("noted", note, NAMES) == "Ann has no main action left."
    assert sentence("noted", {"who": "ann", "text": ""}, NAMES) == ""
    annul = {"who": "ann", "text": "Annulled"}
    assert sentence("noted", annul, NAMES) == "Ann: Annulled."
    dead = {"who": "ann", "text": "ann is dead"}
    assert sentence("noted", dead, NAMES) == "Ann is dead."


def test_what_a_rule_notes_names_others_by_their_names() -> None:
    charge = {"who": "ann", "text": "charges bob"}
    assert sentence("noted", charge, NAMES, ("TOY-01",)) == "Ann: charges Bob."
    word = {"who": None, "text": "we need a bob for the anchor"}  # the GM's words stay unchanged
    assert sentence("noted", word, NAMES) == "we need a bob for the anchor."


def test_a_number_below_nothing_keeps_its_sign() -> None:
    assert sentence("phase-began", {"phase": "count/-4", "label": "The count"}, NAMES) == (
        "The count: -4."
    )
    assert sentence("phase-began", {"phase": "segment/3/last-call"}, NAMES) == (
        "Segment: 3, last call."
    )


def test_rulings_name_whom_they_are_about() -> None:
    several = {"ruling": "damage", "targets": [{"combatant": "ann"}, {"combatant": "bob"}]}
    told = sentence("ruled", {"ruling": "several", "inputs": several, "reason": "fire"}, NAMES)
    assert told == "The GM rules on Ann and Bob: damage: fire."
    marked = {"who": "bob", "marker": "all-1", "text": "burning", "shown_to": "all"}
    assert sentence("marker-set", marked, NAMES) == "Bob is marked “burning”."
    assert sentence("marker-removed", marked, NAMES) == "Bob is no longer marked “burning”."


TOY = Wording(
    {"ann": "Ann", "bob": "Bob"},
    Catalogue(
        phrases=Phrases(
            actions={"run": "{who} runs[ to {path}]", "hide": "{who}: hides"},
            answers={("surprise", "nobody"): "Nobody is surprised"},
            notes={
                "charges (?P<target>.+)": "{who} rushes at {target}",
                "(?P<spell>.+) takes effect": "",
            },
            verdicts={("order", "FIRST"): "The group of {who} goes FIRST"},
        )
    ),
)


def test_what_is_only_declared_or_begun_is_told_as_such() -> None:
    data = {"who": "ann", "action": "run", "inputs": {"path": [[2, 0]]}}
    assert sentence("action-declared", data, TOY) == "Ann runs to (2, 0)."
    means = {**data, "declares": True}
    assert sentence("action-declared", means, TOY) == "Ann means to run to (2, 0)."
    begins = {**data, "begins": True}
    assert sentence("action-declared", begins, TOY) == "Ann starts to run to (2, 0)."
    odd = {"who": "ann", "action": "hide", "declares": True, "called": "Hide"}
    assert sentence("action-declared", odd, TOY) == "Ann declares: hide."


def test_verbs_have_their_infinitive_plural_and_gerund() -> None:
    verbs = ("charges", "tries", "goes", "catches", "passes", "is", "has", "uses", "moves")
    bare = ("charge", "try", "go", "catch", "pass", "be", "have", "use", "move")
    assert tuple(map(infinitive, verbs)) == bare
    assert plural("is no longer in melee") == "are no longer in melee"
    assert [plural("retreats"), plural("falls prone")] == ["retreat", "fall prone"]
    ways = ("sneak", "swim", "tumble", "hampered")
    assert [gerund(way) for way in ways] == ["sneaking", "swimming", "tumbling", "hampered"]


def test_a_sentence_does_not_say_that_it_was_the_default() -> None:
    data = {"who": None, "name": "surprise", "option": "nobody", "by": "default"}
    assert sentence("answered", data, TOY) == "Nobody is surprised."
    closed = {**data, "by": "closed"}
    assert sentence("answered", closed, TOY) == "Nobody is surprised (closed by the GM)."


def test_what_a_rule_notes_has_the_rulebooks_phrase() -> None:
    note = {"who": "ann", "text": "charges bob"}
    assert sentence("noted", note, TOY, ("TOY-01",)) == "Ann rushes at Bob."
    assert sentence("noted", {"who": "ann", "text": "fire takes effect"}, TOY, ("TOY-01",)) == ""
    own = {"who": None, "text": "fire takes effect"}  # the GM's own words
    assert sentence("noted", own, TOY) == "fire takes effect."


def test_a_blow_tells_all_its_damage_and_where_points_stop() -> None:
    data = {
        "who": "bob", "source": "ann", "track": "hp", "amount": 1, "kind": "shock",
        "terms": [["Shock", 2, ""], ["STR", 1, ""], ["not below 0", -2, ""]],
        "before": 1, "after": 0,
    }  # fmt: skip
    told = "Bob takes 3 shock damage from Ann: 2 Shock + 1 STR = 3; HP 1 → 0 (not below 0)."
    assert sentence("damaged", data, NAMES) == told
    alone = {**data, "terms": [["damage", 3, ""], ["beyond 0", -2, ""]]}
    told = "Bob takes 3 shock damage from Ann: HP 1 → 0 (not below 0)."
    assert sentence("damaged", alone, NAMES) == told
    nothing = {**data, "amount": 0, "terms": [["damage", 1, ""], ["mail", -1, ""]], "before": 0}
    assert "HP stays 0." in sentence("damaged", nothing, NAMES)
    critical = {**data, "amount": 6, "terms": [["damage", 3, ""], ["critical ×2", 3, ""]]}
    assert "3 damage × 2 (critical) = 6" in sentence("damaged", critical, NAMES)


def test_a_hit_that_is_raised_to_its_minimum_says_so() -> None:
    data = {
        "who": "bob", "source": "ann", "track": "hp", "amount": 3, "kind": "",
        "terms": [["damage", 2, ""], ["at least", 1, ""]], "before": 5, "after": 2,
    }  # fmt: skip
    told = "Bob takes 3 damage from Ann: 2 damage + 1 to the minimum of 3 = 3; HP 5 → 2."
    assert sentence("damaged", data, NAMES) == told
    raised = [["damage", 0, ""], ["at least 1", 1, ""], ["times 2", 1, ""]]
    told = sentence("damaged", {**data, "amount": 2, "terms": raised}, NAMES)
    assert "(0 damage + 1 to the minimum of 1) × 2 = 2" in told


def test_healing_says_what_was_too_much() -> None:
    data = {"who": "bob", "source": "ann", "track": "hp", "amount": 4, "before": 16, "after": 20}
    assert sentence("healed", data, NAMES) == "Ann heals Bob by 4: HP 16 → 20."
    over = {**data, "terms": [["healing", 9, ""], ["beyond the maximum", -5, ""]]}
    told = "Ann heals Bob by 9: HP 16 → 20 (not above the maximum)."
    assert sentence("healed", over, NAMES) == told
    half = {**data, "terms": [["healing", 9, ""], ["saved: half", -5, ""]]}
    told = "Ann heals Bob by 4: 9 healing − 5 saved: half = 4; HP 16 → 20."
    assert sentence("healed", half, NAMES) == told
    nothing = {**data, "amount": 0, "before": 20}
    assert sentence("healed", nothing, NAMES) == "Bob gets nothing back: HP stays 20."
    rest = {**data, "source": None}
    assert sentence("healed", rest, NAMES) == "Bob gets back 4: HP 16 → 20."
    foe = {"who": "bob", "track": "hp", "source": "ann", "wound": "unhurt"}
    assert sentence("healed", foe, NAMES) == "Ann heals Bob, who looks unhurt."


def test_predicates_in_a_row_share_their_beginning() -> None:
    gained = [
        {"event": "condition-gained", "condition": condition}
        for condition in ("unconscious", "helpless", "wounded")
    ]
    data = {"who": "bob", "by": None, "fate": "", "states": gained}
    assert sentence("states", data, NAMES) == "Bob is unconscious, helpless and wounded."
    ended = [{**state, "event": "condition-lost"} for state in gained]
    told = "Bob is no longer unconscious, helpless or wounded."
    assert sentence("states", {**data, "states": ended}, NAMES) == told


def test_a_thing_that_is_struck_tells_its_hardness() -> None:
    data = {"who": "bob", "kind": "item", "effect": "axe", "name": "axe", "by": "ann",
            "result": "damaged", "numbers": {"damage": 3, "left": 2}}  # fmt: skip
    assert sentence("effect-resolved", data, NAMES) == "Ann damages Bob's axe: 3 damage, 2 left."
    hard = {**data, "numbers": {"dealt": 6, "hardness": 3, "damage": 3, "left": 2}}
    told = "Ann damages Bob's axe: 6 damage − 3 hardness = 3, 2 left."
    assert sentence("effect-resolved", hard, NAMES) == told
    broken = {**hard, "result": "broken"}
    assert sentence("effect-resolved", broken, NAMES).startswith(
        "Ann breaks Bob's axe: 6 damage − 3"
    )


def test_a_pool_that_is_paid_from_says_what_was_there() -> None:
    data = {"who": "ann", "track": "mp", "value": 4, "before": 6, "after": 4, "reason": "paid"}
    assert sentence("track-changed", data, NAMES) == "Ann's MP: 6 → 4 (paid)."


def test_a_verdict_is_told_in_the_rulebooks_phrase() -> None:
    data = {"who": "ann", "purpose": "order", "outcome": "FIRST", "total": 5}
    assert sentence("judged", data, TOY) == "The group of Ann goes FIRST: 5."


def test_deaths_name_whose_work_they_are() -> None:
    assert sentence("died", {"who": "bob", "by": "ann"}, NAMES) == "Ann kills Bob."
    assert sentence("died", {"who": "bob", "by": None}, NAMES) == "Bob dies."
    foe = {"who": "bob", "track": "hp", "source": "ann", "wound": "bloodied"}
    assert sentence("damaged", foe, NAMES) == "Ann hurts Bob, who looks bloodied."


def test_what_is_withheld_leaves_no_hole() -> None:
    roll = {"who": "bob", "purpose": "attack", "against": "ann", "outcome": "hit", "target": 14}
    told = sentence("rolled", roll, NAMES)
    assert told == "Bob hits Ann."
    hurt = {"who": "bob", "track": "hp", "source": "ann", "wound": "bleeding-out"}
    assert sentence("damaged", hurt, NAMES) == "Ann hurts Bob, who looks bleeding out."


def test_faces_that_the_gm_set_are_told_as_such() -> None:
    data = {
        "who": "ann", "purpose": "attack", "formula": "1d20", "faces": [20], "total": 20,
        "terms": [], "by": "gm",
    }  # fmt: skip
    assert sentence("rolled", data, NAMES).endswith("20 (1d20) (set by the GM).")
    assert "set by the GM" not in sentence("rolled", {**data, "by": "server"}, NAMES)


@pytest.mark.parametrize(
    ("formula", "told", "total"),
    [
        ("2d20kh+5", "the highest of 7 and 15 (2d20kh) + 5", 20),
        ("2d20kl", "the lowest of 7 and 15 (2d20kl)", 7),
        ("2d20+5", "7 + 15 (2d20) + 5", 27),
    ],
)
def test_a_die_that_is_kept_is_told(formula: str, told: str, total: int) -> None:
    assert dice(formula, [7, 15]) == (told, total)


@pytest.mark.parametrize(
    ("kind", "effect", "told"),
    [
        ("item", "long-sword", "Ann's long sword is lost."),
        ("item", "x1", "Ann's item is lost."),
        ("spell", "s7", "Ann's spell is lost."),
    ],
)
def test_the_effect_of_a_thing_has_one_article(kind: str, effect: str, told: str) -> None:
    data = {"who": "ann", "effect": effect, "kind": kind, "result": "lost"}
    assert sentence("effect-resolved", data, NAMES) == told


# ---- sentences that people at the table would use


@pytest.mark.parametrize(
    ("begins", "told"),
    [
        (("is stunned", ""), "Bob is stunned by Ann."),
        (("is flat-footed", ""), "Bob is flat-footed because of Ann."),
        (("falls prone", ""), "Bob falls prone because of Ann."),
        (("has a weakening wound", ""), "Bob has a weakening wound from Ann."),
        (("is held by Ann", ""), "Bob is held by Ann."),
    ],
)
def test_the_cause_of_a_condition_is_told(begins: tuple[str, str], told: str) -> None:
    wording = Wording(
        {"ann": "Ann", "bob": "Bob"}, Catalogue(phrases=Phrases(conditions={"x": begins}))
    )
    data = {"who": "bob", "condition": "x", "source": "ann"}
    assert sentence("condition-gained", data, wording) == told


def test_a_held_action_is_told_as_an_action() -> None:
    actions = {
        "hit": "{who} attacks[ {target}]",
        "grab": "{who} tries to grab {item}",
        "hold": "{who} holds an action[: {action}]",
    }
    wording = Wording({"ann": "Ann", "bob": "Bob"}, Catalogue(phrases=Phrases(actions=actions)))

    def told(action: object, **more: object) -> str:
        inputs = {"action": action, **more}
        return sentence(
            "action-declared", {"who": "ann", "action": "hold", "inputs": inputs}, wording
        )

    hit = {"action": "hit", "inputs": {"target": "bob"}}
    assert told(hit) == "Ann holds an action: attack Bob."
    assert told("hit", inputs={"target": "bob"}) == "Ann holds an action: attack Bob."
    assert told({"action": "grab", "item": "key"}) == "Ann holds an action: grab the key."
    assert told({"action": "wait"}) == "Ann holds an action: wait."


def test_sides_are_told_in_their_order() -> None:
    order = {"order": [{"who": "bob"}, {"who": "ann"}], "sides": ["foes", "heroes"]}
    assert sentence("initiative-set", order, NAMES) == "The order is the foes, then the heroes."


def test_somebody_that_vanishes_is_out_of_sight() -> None:
    data = {"who": "bob", "hidden": True}
    assert sentence("combatant-changed", data, NAMES) == "Bob is now hidden."
    gone = {**data, "vanishes": True}
    assert sentence("combatant-changed", gone, NAMES) == "Bob is out of sight."


def test_several_no_longer_do_it() -> None:
    assert plural("no longer screens Ann") == "no longer screen Ann"
    assert plural("is down") == "are down"


def test_a_blow_before_a_fall_has_no_look() -> None:
    foe = {"who": "bob", "track": "hp", "source": "ann", "wound": "bloodied", "falls": True}
    assert sentence("damaged", foe, NAMES) == "Ann hurts Bob."


def test_a_skill_is_a_check_of_its_own_name() -> None:
    roll = {"who": "ann", "purpose": "skill-use_magic", "formula": "1d20", "faces": [7], "total": 7}
    assert sentence("rolled", roll, NAMES) == "Ann rolls a Use Magic check: 7 (1d20)."


def test_bare_hands_are_no_weapon() -> None:
    assert NAMES.value("weapon", "unarmed", "ann") == "bare hands"
