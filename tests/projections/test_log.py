"""Test that every sentence of every ready fight is true and readable, also in the docs."""

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from domain.engine.caller import Caller
from domain.record.events import Rolled
from domain.rulebook.ruleset import Ruleset
from domain.rulesets import installed
from projections.eyes import Eyes
from projections.narration import Line
from projections.sentences import sentence
from projections.timeline import Detail, Entry, Wanted, page
from projections.vocabulary import Wording
from service import skirmish
from service.stories import LOGS

GM = Caller("gm", "gm")
DOCS = Path(__file__).parents[2] / "docs" / "logs"
FIGHTS = [(id, party.id) for id in LOGS for party in installed()[id].parties]


@cache
def fought(ruleset: str, party: str) -> skirmish.Skirmish:
    book = installed()[ruleset]
    fight = skirmish.Skirmish(book, next(p for p in book.parties if p.id == party), 3)
    fight.play(3)
    return fight


def player(fight: skirmish.Skirmish) -> Caller:
    owners = [combatant.owner for combatant in fight.live.combat if combatant.owner]
    return Caller("p", "player", owner=owners[0]) if owners else Caller("s", "spectator")


def read(fight: skirmish.Skirmish, caller: Caller, detail: Detail = "story") -> list[Entry]:
    live = fight.live
    entries, _ = page(live, Eyes(live.history, caller), Wanted(detail=detail), limit=5000)
    return entries


def told(fight: skirmish.Skirmish) -> list[Line]:
    """Return the lines of the GM and a player, in both levels of detail."""
    details: tuple[Detail, Detail] = "story", "full"
    return [
        line
        for caller in (GM, player(fight))
        for detail in details
        for entry in read(fight, caller, detail)
        for line in entry.lines
    ]


EQUATION = re.compile(r"(?:^|: |; |\()((?:[^:;=]*?)) = (−?\d+)(?=$|[ .;,)])")


def value(sum_: str) -> float:
    """Return the value of a sum without its labels. × multiplies all terms before it."""
    made = 0.0
    sum_ = re.sub(r"\(\d+d\d+\)", "", sum_)
    for sign, part in re.findall(r"(^|[+−×] )([^+−×]*(?:[×+−](?! )[^+−×]*)*)", sum_.strip()):
        digits = re.search(r"−?\d+(?:\.\d+)?", part.replace("(", ""))
        assert digits, part
        number = float(digits[0].replace("−", "-"))
        match sign.strip():
            case "×":
                made *= number
            case "−":
                made -= number
            case _:
                made += number
    return made


@pytest.mark.parametrize(
    ("sum_", "made"),
    [
        ("4 + 6 (2d6) + 1 STR − 1 brawl", 10),
        ("(13 damage + 2 charge) × 2 − 2 mail", 28),
        ("2 (1d8) + 12 Strength ×1.5 ×2", 14),
        ("−1 (1d4) + 3", 2),
    ],
)
def test_the_test_can_count(sum_: str, made: int) -> None:
    assert value(sum_) == made


@pytest.mark.sampled
@pytest.mark.parametrize(("ruleset", "party"), FIGHTS)
def test_every_equation_is_true(ruleset: str, party: str) -> None:
    sums = [
        (line.text, sum_, int(made.replace("−", "-")))
        for line in told(fought(ruleset, party))
        for sum_, made in EQUATION.findall(line.text)
    ]
    assert sums or ruleset == "vile-darkness"  # vile-darkness adds nothing here
    assert [text for text, sum_, made in sums if value(sum_) != made] == []
    assert [text for text, _, _ in sums if "not told" in text] == []


def ids_of(book: Ruleset) -> re.Pattern[str]:
    """Return a pattern of the rulebook's ids that are not words, and of code."""
    ids = {
        *book.actions,
        *book.rulings,
        *book.conditions,
        *book.purposes,
        *(id for _, id in book.labels),
        *(question.name for question in book.catalogue.questions),
        *(name for action in book.actions.values() for name in action.inputs.__struct_fields__),
    }
    raw = [id for id in ids if re.search("[-_]", id)]
    return re.compile("|".join([rf"(?<![\w-]){re.escape(id)}(?![\w-])" for id in raw]))


CODE = re.compile(r"[{}_\[\]]|\bNone\b|\bTrue\b|\bFalse\b|\bnull\b|\d\.0\b|\w's's|  |\( | \)|\.\.$")
"""Matches JSON, field names, values of code, and template errors."""


@pytest.mark.sampled
@pytest.mark.parametrize(("ruleset", "party"), FIGHTS)
def test_every_sentence_is_in_words(ruleset: str, party: str) -> None:
    fight = fought(ruleset, party)
    book = installed()[ruleset]
    ids = ids_of(book)
    names = {id for id, combatant in fight.live.combat.combatants.items() if combatant.name != id}
    wrong = re.compile("|".join(map(re.escape, names)) or "(?!)")
    for line in told(fight):
        if line.type == "seed-committed":
            continue
        assert line.text[0].isupper() or line.text[0] in "“0123456789", line.text
        assert line.text.endswith((".", "!", "?", "”")), line.text
        assert not ids.search(line.text), line.text
        assert not wrong.search(line.text), line.text
        assert not CODE.search(line.text), line.text


@pytest.mark.parametrize(("ruleset", "party"), FIGHTS)
def test_nobody_acts_who_is_down(ruleset: str, party: str) -> None:
    fight = fought(ruleset, party)
    book, live = installed()[ruleset], fight.live
    for entry in read(fight, GM):
        for line in entry.lines:
            if line.type == "turn-began":
                combat = live.at(line.version)
                out = [who for who in line.combatants if not book.in_fight(combat, who)]
                assert not out, line.text


@pytest.mark.parametrize(("ruleset", "party"), FIGHTS)
def test_a_roll_says_against_what(ruleset: str, party: str) -> None:
    fight = fought(ruleset, party)
    events = {recorded.version: recorded.event for recorded in fight.live.history.path}
    for entry in read(fight, GM):
        for line in entry.lines:
            if line.type == "rolled":
                event = events[line.version]
                assert isinstance(event, Rolled)
                target = event.target
                assert target is None or f"against {target}" in line.text, line.text


@pytest.mark.parametrize(("ruleset", "party"), FIGHTS)
def test_one_command_is_one_entry_and_says_nothing_twice(ruleset: str, party: str) -> None:
    for caller in (GM, player(fought(ruleset, party))):
        entries = read(fought(ruleset, party), caller)
        commands = Counter(entry.command for entry in entries)
        assert set(commands.values()) == {1}
        for entry in entries:
            notes = [line.text for line in entry.lines if line.type == "noted"]
            assert len(notes) == len(set(notes)), notes


@pytest.mark.parametrize("ruleset", sorted(LOGS))
def test_the_log_in_the_docs_is_current_and_long_enough(ruleset: str) -> None:
    """To update the docs, run `affray logs --write`."""
    text = (DOCS / f"{ruleset}.md").read_text()
    assert text == skirmish.page(installed()[ruleset], in_the_docs(ruleset))
    assert "## Round 5" in text


@pytest.mark.parametrize("ruleset", sorted(LOGS))
def test_every_phrase_belongs_to_something(ruleset: str) -> None:
    book = installed()[ruleset]
    phrases = book.catalogue.phrases
    asked = {
        (question.name, option.id)
        for question in book.catalogue.questions
        for option in question.options
    }
    assert phrases.actions.keys() == book.actions.keys()
    assert phrases.conditions.keys() <= book.conditions.keys()
    assert phrases.rolls.keys() <= set(book.purposes)
    assert {key for key in phrases.answers if key[1] != "*"} <= asked


@cache
def in_the_docs(ruleset: str) -> skirmish.Skirmish:
    return skirmish.ready(installed()[ruleset])


@cache
def told_in(ruleset: str) -> list[Entry]:
    """Return the GM's log of the fight in the docs."""
    return read(in_the_docs(ruleset), GM)


@pytest.mark.parametrize("ruleset", sorted(LOGS))
def test_a_fall_is_told_once(ruleset: str) -> None:
    """If a line reports a fall, no other line says that the combatant is down or stopped."""
    falls = 0
    for entry in told_in(ruleset):
        fallen = [line for line in entry.lines if line.type in ("downed", "died")]
        falls += len(fallen)
        for line in fallen:
            who = line.combatants[0]
            about = [other for other in entry.lines if other.combatants[:1] == (who,)]
            again = [other.text for other in about if re.search(r" is down|not finish", other.text)]
            assert again == [], line.text
    assert falls


@pytest.mark.parametrize("ruleset", sorted(LOGS))
def test_the_same_that_befalls_several_is_one_line(ruleset: str) -> None:
    for entry in told_in(ruleset):
        lost = [line.text for line in entry.lines if line.type == "condition-lost"]
        told = Counter(re.sub(r"^.*? (?:is|are) no longer ", "", text) for text in lost)
        assert all(count == 1 for count in told.values()), lost


@pytest.mark.parametrize("ruleset", sorted(LOGS))
def test_a_log_in_the_docs_tells_who_won(ruleset: str) -> None:
    last = (DOCS / f"{ruleset}.md").read_text().rstrip().splitlines()[-1]
    assert re.search(r"The fight ends; (?:the [a-z]+|nobody) won", last)


def test_a_walk_that_somebody_may_stop_has_only_begun() -> None:
    """If a reaction may stop a walk, a line reports its start, and a later line how it ends."""
    texts = [line.text for entry in told_in("sovereign") for line in entry.lines]
    begun = [text for text in texts if " starts to move to " in text]
    assert begun
    for text in begun:
        who = text.split(" starts ")[0]
        at = texts.index(text)
        later = texts[at + 1 : at + 12]
        assert any(re.match(rf"{who} moves to |.* brings {who} down", told) for told in later), text


def test_a_turn_without_anything_to_tell_is_not_told() -> None:
    """The log omits the turn of a stable goblin, in which nothing happens."""
    entries = told_in("definitions")
    texts = [line.text for entry in entries for line in entry.lines]
    stable = texts.index("Goblin 2 is stable and no longer bleeds out.")
    hit = texts.index("The hit makes Goblin 2 bleed again.")
    assert "It is Goblin 2's turn." not in texts[stable:hit]
    assert "It is Goblin 2's turn." in texts[hit:]
    assert not any("Goblin 2 and" in text for text in texts)


def test_everybody_declares_in_the_round_that_follows() -> None:
    for entry in told_in("hallowed-earth"):
        for line in entry.lines:
            if line.text == "Everybody declares.":
                assert line.round == max(other.round for other in entry.lines)


@pytest.mark.parametrize("ruleset", sorted(LOGS))
def test_the_end_of_a_condition_is_told_without_its_data(ruleset: str) -> None:
    """The event of an end has no data."""
    book = installed()[ruleset]
    wording = Wording({"ann": "Ann"}, book.catalogue)
    for condition, (_, end) in book.catalogue.phrases.conditions.items():
        told = sentence("condition-lost", {"who": "ann", "condition": condition}, wording)
        assert bool(told) == bool(end)
        assert told == "" or "is no longer" in end or "is no longer" not in told, condition


# ---- sentences that nobody at the table would use

BLOW = re.compile(
    r"(?<! free) (?:attacks|shoots|charges|starts to charge|makes an? \w+ attack|joins a swarm|"
    r"takes an? (?:attack of opportunity|free attack|free hit)|answers .+ with a Reposte)\b"
)


@pytest.mark.parametrize("ruleset", sorted(LOGS))
def test_a_blow_names_its_weapon(ruleset: str) -> None:
    blows = [
        line.text
        for entry in told_in(ruleset)
        for line in entry.lines
        if line.type in ("action-declared", "answered") and BLOW.search(line.text)
    ]
    if ruleset == "definitions":  # a charge reports its attack separately
        blows = [text for text in blows if " charge" not in text]
    assert blows
    assert [text for text in blows if " with " not in text] == []


def test_a_spell_is_cast_by_its_name() -> None:
    texts = [line.text for entry in told_in("hallowed-earth") for line in entry.lines]
    assert any(re.fullmatch(r"Tess casts ember on Ghoul.*", text) for text in texts)
    assert [text for text in texts if " casts a spell" in text or "the declared" in text] == []
    assert [text for text in texts if "takes effect" in text] == []  # the damage shows it


def test_a_hit_that_two_pools_share_is_told_once() -> None:
    """A hit that lowers both Stress and Wound Points has one line."""
    shared = 0
    for entry in told_in("hallowed-earth"):
        hits = [line for line in entry.lines if line.type == "damaged"]
        pairs = [(line.combatants[:2], line.text.split(":")[0]) for line in hits]
        assert len(pairs) == len(set(pairs)), pairs
        shared += any(re.search(r"Stress \d+ → 0, Wound Points", line.text) for line in hits)
    assert shared


def test_players_read_a_hit_of_two_pools_once() -> None:
    fight = skirmish.ready(installed()["hallowed-earth"])
    spectator = Caller("s", "spectator")
    for entry in read(fight, spectator):
        hurt = [line.text for line in entry.lines if line.type == "damaged"]
        assert len(hurt) == len(set(hurt)), hurt
        assert not any("has a Base Initiative" in line.text for line in entry.lines)


def test_a_save_says_against_what_it_is() -> None:
    texts = [line.text for entry in told_in("definitions") for line in entry.lines]
    saves = [text for text in texts if "Fortitude save" in text]
    assert saves
    assert all("Fortitude save against massive damage" in text for text in saves)


def test_the_turn_of_a_side_is_one_heading() -> None:
    for entry in told_in("sovereign"):
        heads = [line.text for line in entry.lines if line.type in ("phase-began", "turn-began")]
        assert len(heads) < 2, heads
    texts = [line.text for entry in told_in("sovereign") for line in entry.lines]
    assert "It is the turn of the party: Cole, Dara and Wren." in texts


@pytest.mark.parametrize("ruleset", sorted(LOGS))
def test_a_fall_needs_no_list_of_what_ends_with_it(ruleset: str) -> None:
    falls = [
        line.text
        for entry in told_in(ruleset)
        for line in entry.lines
        if line.type in ("died", "downed")
    ]
    assert falls
    assert [text for text in falls if "no longer" in text] == []
    assert [text for text in falls if re.search(r"(?:kills|dies).*prone", text)] == []


def test_two_in_melee_are_told_once() -> None:
    for entry in told_in("vile-darkness"):
        assert [line.text for line in entry.lines if "is in melee (by" in line.text] == []
