"""Test that `History` gives the same answers as a search of a plain list of events.

The answers must not depend on the place of the events: memory, pages or the log.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from random import Random

import pytest

from domain.engine import archive
from domain.engine.archive import REMEMBERED, States
from domain.errors import Unfitting, Unknown
from domain.record.combat import Combat, DiceSettings
from domain.record.events import (
    AnyEvent,
    CombatantChanged,
    CombatantJoined,
    CombatBegan,
    CombatOpened,
    Noted,
    Prompted,
    Reverted,
    RoundBegan,
    SeedCommitted,
    TurnBegan,
)
from domain.record.evolve import fold
from domain.record.history import History, Turn
from domain.record.pages import FEW, KEPT, KINDS, LEAST, Away, Leaf, Page, numbers_of
from domain.record.recorded import Recorded, chain_hash

OPENED = CombatOpened(
    combat="c", ruleset="toy", name="", options={}, dice=DiceSettings(), commitment="0"
)


ROUND = (RoundBegan, CombatBegan)
TURN = (TurnBegan, *ROUND)
"""Events that begin a round or a turn."""


def note(text: str = "") -> Noted:
    return Noted(text=text)


class Tree:
    """The events of a combat in a list. Each query is a simple search of that list."""

    def __init__(self) -> None:
        self.recorded: list[Recorded] = []
        self.head = 0
        self._commands = 0
        self._hash = ""

    def do(self, *events: AnyEvent, audience: tuple[str, ...] | None = None) -> "Tree":
        """Append one command."""
        self._commands += 1
        for event in events:
            version = len(self.recorded) + 1
            recorded = Recorded(
                version, self.head, "", f"{self._commands}", ("", "gm"), event, self._hash, audience
            )
            self.recorded.append(recorded)
            self._hash = chain_hash(recorded)
            self.head = event.to if isinstance(event, Reverted) else version
        for name in ("path", "present"):
            self.__dict__.pop(name, None)
        return self

    def upto(self, version: int) -> "Tree":
        """Return the tree as of this version."""
        then = Tree()
        then.recorded = self.recorded[:version]
        if version:
            then.head = self.resolve(version)
        return then

    def event(self, version: int) -> AnyEvent:
        return self.recorded[version - 1].event

    def resolve(self, version: int) -> int:
        event = self.event(version)
        return event.to if isinstance(event, Reverted) else version

    def parent(self, version: int) -> int:
        return self.recorded[version - 1].parent

    def path_to(self, version: int) -> list[int]:
        numbers = []
        while version:
            numbers.append(version)
            version = self.parent(version)
        return numbers[::-1]

    @cached_property
    def path(self) -> list[int]:
        return self.path_to(self.head)

    def command_of(self, version: int) -> list[int]:
        command = self.recorded[version - 1].command
        return [recorded.version for recorded in self.recorded if recorded.command == command]

    def came_back(self, version: int) -> bool:
        return isinstance(self.event(self.command_of(version)[0]), Reverted)

    def with_kinds(self, *kinds: type) -> list[int]:
        return [recorded.version for recorded in self.recorded if isinstance(recorded.event, kinds)]

    def round_after(self, version: int) -> int:
        began = [self.event(number) for number in self.path_to(version)]
        rounds = [event.round for event in began if isinstance(event, RoundBegan)]
        return rounds[-1] if rounds else 0

    @cached_property
    def present(self) -> int:
        deeds = [number for number in self.path if not self.came_back(number)]
        return deeds[-1] if deeds else 0

    def undone_to(self, *beginnings: type) -> int:
        """Return the version before the newest command, turn or round, or 0."""
        if not self.present:
            return 0
        first = self.command_of(self.present)[0]
        before = [number for number in self.path if number < first]
        if not beginnings or not before:
            return before[-1] if before else 0
        begun = [
            number for number in before if isinstance(self.event(number), beginnings)
        ] or self.path
        return self._end(begun[-1] if len(begun) < len(self.path) else begun[0], self.path)

    def _end(self, version: int, path: list[int]) -> int:
        """Return the version of the last event on `path` of the command that recorded `version`."""
        own = [
            number for number in self.command_of(version) if number >= version and number in path
        ]
        return own[-1]

    def redone_to(self) -> int:
        for turn in reversed(self.recorded):
            if not isinstance(turn.event, Reverted):
                continue
            way = self.path_to(turn.parent)
            if self.present not in way:
                continue
            ahead = way[way.index(self.present) + 1 :]
            while ahead and self.came_back(ahead[0]):
                ahead = ahead[1:]
            if ahead:
                return self._end(ahead[0], way)
        return 0


def grown(seed: int, commands: int) -> Tree:
    """Return a fight with many undos, and with returns to other branches."""
    random = Random(seed)
    tree = Tree().do(
        OPENED,
        CombatantJoined(who="ann", name="Ann", side="us", sheet={}, tracks={}),
        CombatantJoined(who="bob", name="Bob", side="foes", sheet={}, tracks={}, owner="bert"),
    )
    for number in range(commands):
        back = random.random()
        if back < 0.3 and number > 2:
            kinds = random.choice([(), (), TURN, ROUND])
            to = tree.undone_to(*kinds) if back < 0.2 else tree.redone_to()
            if back < 0.1:
                to = tree.resolve(tree.command_of(random.randint(1, tree.head))[-1])
            came: list[AnyEvent] = [SeedCommitted(commitment=f"{number}"), note("follows")]
            if to:
                tree.do(Reverted(to=to), *random.choice([came[:0], came[:0], came[:1], came]))
            continue
        deeds: list[AnyEvent] = []
        for _ in range(random.randint(1, 4)):
            event: AnyEvent = note(f"{number}")
            match random.randrange(8):
                case 0:
                    event = RoundBegan(round=random.randint(1, 4))
                case 1:
                    event = TurnBegan(who=random.choice(["ann", "bob"]))
                case 2:
                    id = f"ann:{len(tree.recorded) + len(deeds)}"
                    event = Prompted(id, "turn", "turn", "ann", "", (), rules=("TOY-01",))
                case 3 if number == 20:
                    event = CombatantChanged(who="ann", owner="anna")
            deeds.append(event)
        if number == 1:
            deeds = [CombatBegan(), *deeds]
        tree.do(*deeds, audience=random.choice([None, None, ("ann",), ()]))
    return tree


TREES = [grown(seed, 60) for seed in range(3)]


def paged(tree: Tree) -> tuple[History, list[Page]]:
    """Return the tree's history, mostly in pages."""
    return States().paged(History(tree.recorded), large=True)


HISTORIES = [(tree, History(tree.recorded)) for tree in TREES] + [
    (tree, paged(tree)[0]) for tree in TREES
]

everywhere = pytest.mark.parametrize(
    ("tree", "history"), HISTORIES, ids=[f"{n % 3}{'-paged' * (n > 2)}" for n in range(6)]
)


def versions(events: Iterable[Recorded]) -> list[int]:
    return [recorded.version for recorded in events]


def target(find: Callable[..., int], *over: str) -> int:
    """Return the target of an undo, or 0 after a refusal."""
    try:
        return find(*over)
    except Unfitting:
        return 0


@everywhere
def test_each_version_has_its_place(tree: Tree, history: History) -> None:
    assert history.version == len(tree.recorded)
    assert (history.head, history.present) == (tree.head, tree.present)
    for recorded in tree.recorded:
        version = recorded.version
        assert history.recorded_at(version) == recorded
        assert history.resolve(version) == tree.resolve(version)
        assert history.parent(version) == recorded.parent
        assert history.command_of(version) == (
            tree.command_of(version)[0], tree.command_of(version)[-1],
        )  # fmt: skip
        assert history.is_present(version) == (version in tree.path)
        assert history.on_path(recorded) == (
            version in tree.path or isinstance(recorded.event, Reverted)
        )
        told = history.told(version)
        assert told == (recorded.event if version in tree.path else None)
        end = tree.resolve(tree.command_of(version)[-1])
        assert history.at_rest(version) == end
        assert history.round_after(version) == tree.round_after(version)
        assert versions(history.path_to(version)) == tree.path_to(version)
        assert history.page_of(version).kind(version) == KINDS[type(recorded.event)]
    for nowhere in (0, -1, history.version + 1):
        with pytest.raises(Unknown):
            history.resolve(nowhere)
        with pytest.raises(Unknown):
            history.at_rest(nowhere)


@everywhere
def test_a_command_is_told_in_the_round_that_it_begins_or_found(
    tree: Tree, history: History
) -> None:
    for recorded in tree.recorded:
        command = tree.command_of(recorded.version)
        began = [v for v in command if isinstance(tree.event(v), RoundBegan)]
        round_number = tree.round_after(began[-1] if began else tree.parent(command[0]))
        assert history.round_of((command[0], command[-1])) == round_number


@everywhere
def test_the_present_path_in_pieces(tree: Tree, history: History) -> None:
    path = [tree.recorded[version - 1] for version in tree.path]
    assert history.path == path
    for first in range(0, history.version + 2, 3):
        assert history.since(first) == [recorded for recorded in path if recorded.version > first]
        assert list(history.following(first)) == [
            recorded for recorded in path if recorded.version > first
        ]
        for last in range(first, history.version + 1, 5):
            within = [recorded for recorded in path if first <= recorded.version <= last]
            assert history.between(first, last) == within
            assert history.is_whole((first, last)) == (last - first + 1 == len(within))


@everywhere
def test_all_events_in_pieces(tree: Tree, history: History) -> None:
    every, count = tree.recorded, len(tree.recorded)
    assert history.recorded == every
    for version in (1, 2, 6, count // 2, count):
        assert history.recorded_at(version) == every[version - 1]
    for first, last in ((5, 9), (count - 2, count), (1, 1), (1, 0)):
        assert history.gather([(first, last)]) == every[first - 1 : last]


@everywhere
def test_where_there_is_something_to_be_found(tree: Tree, history: History) -> None:
    pages = history.stretches()
    assert [v for page in pages for v in range(page.first, page.last + 1)] == versions(
        tree.recorded
    )
    for kinds in ((RoundBegan,), (Reverted, SeedCommitted), (CombatOpened, Noted), (Prompted,)):
        numbers = numbers_of(*kinds)
        there = tree.with_kinds(*kinds)
        assert history.with_kinds(numbers) == [
            page for page in pages if any(page.first <= v <= page.last for v in there)
        ]
        for before in range(1, history.version + 2):
            below = [v for v in there if v < before and v in tree.path]
            assert history.newest_of(numbers, before) == (below[-1] if below else 0)
    turns = [
        Turn(recorded.version, recorded.parent, recorded.event.to)
        for recorded in tree.recorded
        if isinstance(recorded.event, Reverted)
    ]
    for first in range(1, history.version, 4):
        for last in range(first, history.version + 1, 3):
            within = tuple(turn for turn in turns if first <= turn.version <= last)
            assert history.turns_within(first, last) == within
            commands = {tree.recorded[v - 1].command for v in range(first, last + 1)}
            assert history.commands_within(first, last) == len(commands)


@everywhere
def test_a_question_is_found_by_its_id(tree: Tree, history: History) -> None:
    for version in tree.with_kinds(Prompted):
        recorded = tree.recorded[version - 1]
        assert isinstance(recorded.event, Prompted)
        assert history.asked(recorded.event.prompt) == recorded
    assert history.asked("ann:none") is None


@everywhere
def test_as_if_another_version_were_the_present(tree: Tree, history: History) -> None:
    for version in range(1, history.version + 1, 5):
        to = tree.resolve(version)
        then = history.at(to)
        assert (then.head, then.version) == (to, history.version)
        deeds = [v for v in tree.path_to(to) if not tree.came_back(v)]
        assert then.present == deeds[-1]
        assert versions(then.path) == tree.path_to(to)


@pytest.mark.parametrize("tree", TREES, ids=range(3))
def test_back_and_forth_from_every_moment(tree: Tree) -> None:
    history = History()
    for version in range(1, len(tree.recorded) + 1):
        then = tree.upto(version)
        history = history.plus(then.recorded[-1:])
        assert (history.head, history.present) == (then.head, then.present)
        assert target(history.undo_target, "command") == then.undone_to()
        assert target(history.undo_target, "turn") == then.undone_to(*TURN)
        assert target(history.undo_target, "round") == then.undone_to(*ROUND)
        assert target(history.redo_target) == then.redone_to()


def test_an_empty_history() -> None:
    history = History()
    assert (history.version, history.head, history.present, history.left) == (0, 0, 0, 0)
    assert list(history.path) == list(history.recorded) == []
    assert history.round_after(0) == 0
    assert not history.is_present(1)
    assert history.plus([]).version == 0
    assert target(history.undo_target, "command") == 0


def test_redo_from_the_first_event_of_a_branch() -> None:
    tree = Tree().do(OPENED).do(note("a")).do(Reverted(to=1)).do(note("b")).do(note("c"))
    assert History(tree.do(Reverted(to=4)).recorded).redo_target() == 5


def test_redo_passes_over_dice_that_an_undo_has_replaced() -> None:
    fresh = SeedCommitted(commitment="1")
    tree = Tree().do(OPENED).do(note("a")).do(Reverted(to=1), fresh).do(note("b")).do(note("c"))
    assert History(tree.do(Reverted(to=1)).recorded).redo_target() == 5


def test_what_grows_from_one_history_does_not_meddle() -> None:
    """Two commands decided on one state do not change each other's history."""
    tree = Tree().do(OPENED).do(note("a"))
    before = History(tree.recorded)
    left = before.plus(Tree.do(tree.upto(2), note("left")).recorded[2:])
    right = before.plus(Tree.do(tree.upto(2), note("right")).recorded[2:])
    assert [history.recorded[-1].event for history in (before, left, right)] == [
        note("a"), note("left"), note("right"),
    ]  # fmt: skip
    assert [history.version for history in (before, left, right)] == [2, 3, 3]


# ---- pages


def test_a_page_ends_with_a_command_and_leaves_enough_in_memory() -> None:
    for tree in TREES:
        history = History(tree.recorded)
        while (page := history.first_page(large=True)) is not None:
            start = history.left
            assert page.first == start + 1
            assert page.last - start >= FEW
            assert history.version - page.last >= FEW
            for end in range(start + FEW, page.last + 1):
                recorded, following = tree.recorded[end - 1], tree.recorded[end]
                ends = recorded.command != following.command
                if end == page.last:
                    assert ends
                elif ends:  # another undo replaces it
                    assert isinstance(recorded.event, Reverted | SeedCommitted)
            history = history.behind(page)
            assert history.left == page.last
            assert list(history.recorded) == tree.recorded
        assert len(history.pages) > 3


def test_so_many_events_make_a_page() -> None:
    for least, kept, large in ((LEAST, KEPT, False), (FEW, FEW, True)):
        tree = Tree().do(OPENED)
        while len(tree.recorded) < least + kept:
            assert History(tree.recorded).first_page(large=large) is None
            tree.do(note())
        page = History(tree.recorded).first_page(large=large)
        assert page is not None
        assert (page.first, page.last) == (1, least)


def test_one_command_too_long_for_a_page_stays_in_memory() -> None:
    tree = Tree().do(OPENED, *[note()] * (2 * FEW)).do(*[note()] * (FEW - 1))
    assert History(tree.recorded).first_page(large=True) is None
    assert History(tree.recorded[:-1]).first_page(large=True) is None
    page = History(tree.do(note()).recorded).first_page(large=True)
    assert page is not None
    assert page.last == 2 * FEW + 1


def test_a_page_may_end_with_a_step_back_where_nothing_else_is_in_reach() -> None:
    tree = Tree().do(OPENED)
    while len(tree.recorded) < 4 * FEW:
        tree.do(note(), Reverted(to=1))
    page = History(tree.recorded).first_page(large=True)
    assert page is not None
    assert page.last == 3 * FEW + 1


@pytest.mark.parametrize("tree", TREES, ids=range(3))
def test_what_a_page_knows_of_its_events(tree: Tree) -> None:
    history, pages = paged(tree)
    for page in (*pages, history.page_of(history.version)):
        events = tree.recorded[page.first - 1 : page.last]
        assert bytes.fromhex(events[0].previous) == page.previous
        assert [page.audience(recorded.version) for recorded in events] == [
            recorded.audience for recorded in events
        ]
        kinds = [type(recorded.event) for recorded in events]
        assert [page.kind(recorded.version) for recorded in events] == [
            KINDS[kind] for kind in kinds
        ]
        assert list(page.starts) == sorted(
            {tree.command_of(recorded.version)[0] for recorded in events}
        )
        named = {getattr(recorded.event, "who", None) for recorded in events} - {None}
        assert page.named == tuple(sorted(str(who) for who in named))
        assert page.rules == tuple(
            sorted({rule for recorded in events for rule in recorded.event.rules})
        )
        owners = [
            (recorded.version, recorded.event.who, recorded.event.owner)
            for recorded in events
            if isinstance(recorded.event, CombatantJoined | CombatantChanged)
            and recorded.event.owner
        ]
        assert list(page.owners) == owners
        assert page.plain == (not owners and Reverted not in kinds)
        assert page.has_type("round-began") == (RoundBegan in kinds)
        assert not page.has_type("no-such-type")
        for before in range(page.first - 2, page.last + 3):
            for some in ((RoundBegan,), (TurnBegan, CombatBegan), (CombatOpened,)):
                there = range(page.first, min(before, page.last + 1))
                below = [v for v in tree.with_kinds(*some) if v in there]
                assert page.newest(numbers_of(*some), before) == (below[-1] if below else 0)
        asked = [recorded for recorded in events if isinstance(recorded.event, Prompted)]
        leaf = Leaf(events)
        assert list(page.chosen(leaf, numbers_of(Prompted))) == asked
        assert not page.may_ask("nobody:1")


def test_a_step_back_is_looked_past_so_far_and_no_further() -> None:
    tree = Tree().do(OPENED, note())
    while len(tree.recorded) < 256 + KEPT:
        tree.do(note(), Reverted(to=2))
    page = History(tree.recorded).first_page()
    assert page is not None
    assert page.last == 256


def test_pages_share_what_is_the_same() -> None:
    tree = Tree().do(OPENED)
    while len(tree.recorded) < 6 * FEW:
        tree.do(TurnBegan(who="ann", rules=("TOY-01",)), audience=("ann",)).do(note())
    _, (first, second, third, *_) = paged(tree)
    assert first.named is second.named
    assert first.rules is second.rules
    assert first.audiences is second.audiences is third.audiences
    short = States().paged(History(tree.recorded[: 2 * FEW + 1]), large=True)[0]
    assert len(short.pages) == 1
    assert short.page_of(short.version).named is short.pages[0].named
    other = Tree().do(OPENED, audience=("bob",))
    assert Page(other.recorded, lambda version: 0, first).audiences == (("bob",),)
    assert Page(other.recorded, lambda version: 0, first).named == ()


def test_of_very_many_audiences_each_is_known() -> None:
    for many in (255, 256, 257):
        tree = Tree()
        for number in range(many):
            tree.do(note(), audience=(f"{number}",))
        page = Page(tree.recorded, lambda version: 0, None)
        assert [page.audience(recorded.version) for recorded in tree.recorded] == [
            recorded.audience for recorded in tree.recorded
        ]
        assert page.plain == isinstance(page.seen_by, bytes)


# ---- events in the log


def let_go(pages: Sequence[Page]) -> None:
    for page in pages:
        page.let_go()


def test_what_is_in_the_log_is_asked_for_all_at_once() -> None:
    for tree in TREES:
        history, pages = paged(tree)
        let_go(pages)
        tail = [recorded for recorded in tree.recorded if recorded.version > history.left]
        assert history.gather([(history.left + 1, history.version)]) == tail
        for first, last in ((1, history.version), (pages[1].first + 1, pages[2].first)):
            with pytest.raises(Away) as caught:
                history.gather([(first, last)])
            assert list(caught.value.pages) == [
                page for page in pages if page.last >= first and page.first <= last
            ]
            assert list(caught.value.around) == pages
        held = [Leaf(tree.recorded[page.first - 1 : page.last]) for page in pages[1:3]]
        for page, leaf in zip(pages[1:3], held, strict=True):
            page.let_go(leaf)
        with pytest.raises(Away) as caught:
            history.recorded  # noqa: B018
        assert list(caught.value.pages) == [page for page in pages if page not in pages[1:3]]
        first, last = pages[1].first, pages[2].last
        assert history.gather([(first, last)]) == tree.recorded[first - 1 : last]
        assert history.pages_from(pages[2].first) == pages[2:]
        assert history.pages_from(pages[2].last) == pages[2:]
        del held, leaf, caught
        assert [page.events() for page in pages] == [None] * len(pages)


@pytest.mark.parametrize("tree", TREES, ids=range(3))
def test_no_more_is_asked_for_than_is_needed(tree: Tree) -> None:
    history, pages = paged(tree)
    for version in range(0, history.left + 1, 2):
        let_go(pages)
        for after, last in ((version, history.version), (version, version + 5)):
            there = [number for number in tree.path if after < number <= last]
            missing = [page for page in pages if any(page.first <= v <= page.last for v in there)]
            reads: list[tuple[Callable[[], list[Recorded]], list[Page]]] = [
                (partial(history.between, after + 1, last), missing)
            ]
            if last == history.version:
                reads.append((partial(history.since, after), missing))
                reads.append((lambda: list(history.following(version)), missing[:1]))  # noqa: B023
            for read, asked in reads:
                if not asked:
                    assert versions(read()) == there
                    continue
                with pytest.raises(Away) as caught:
                    read()
                assert list(caught.value.pages) == asked
        assert history.gather([(version + 1, version)]) == []


def test_events_are_read_one_by_one_where_few_are_needed() -> None:
    tree = TREES[0]
    read: list[int] = []

    def event_at(at: int) -> Recorded:
        read.append(at)
        return tree.recorded[at]

    leaf = Leaf([None] * 8, event_at)
    assert leaf[3] is leaf[3] is tree.recorded[3]
    assert leaf[-1] is tree.recorded[7]
    assert read == [3, 7]
    assert leaf[2:5] == tree.recorded[2:5]
    assert list(leaf) == tree.recorded[:8]
    assert sorted(read) == list(range(8))
    assert len(leaf) == 8


# ---- states


def states(tree: Tree) -> Iterator[tuple[int, Combat]]:
    for version in range(1, len(tree.recorded) + 1):
        to = tree.resolve(version)
        yield to, fold(tree.event(number) for number in tree.path_to(to))


@everywhere
def test_the_state_at_every_version(tree: Tree, history: History) -> None:
    known = States()
    for version, state in states(tree):
        assert known.after(history, version) == state
    for version, state in states(tree):
        known.remember(tree.recorded[version - 1], state)
        assert known.after(history, version) == state


def test_so_many_states_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = Tree().do(OPENED)
    while len(tree.recorded) < REMEMBERED + 20:
        tree.do(note())
    history, newest, folded = History(tree.recorded), len(tree.recorded), list[int]()
    monkeypatch.setattr(archive, "fold", lambda events, state: folded.append(len(list(events))))
    known = States()
    for recorded in tree.recorded:
        known.remember(recorded, Combat())
    first = newest - REMEMBERED + 1
    for version in first - 1, first, newest:
        known.after(history, version)
    assert folded == [first - 1, 0, 0]


def test_every_state_that_is_remembered_is_at_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Affray folds no events for a remembered state, even at the first event of a branch."""
    tree, folded = Tree().do(OPENED).do(note(), note()).do(Reverted(to=2)).do(note()), []
    known, history = States(), History(tree.recorded)
    for version, state in states(tree):
        if version:
            known.remember(tree.recorded[version - 1], state)
    monkeypatch.setattr(archive, "fold", lambda events, state: folded.append(len(list(events))))
    for version in 1, 2, 3, 5:
        known.after(history, version)
    assert folded == [0, 0, 0, 0]


def test_the_state_that_a_page_keeps_is_at_hand_wherever_in_it_it_stands() -> None:
    tree = Tree().do(OPENED)
    while len(tree.recorded) < 4 * FEW:
        tree.do(note(), Reverted(to=1))
    known = States()
    history, pages = known.paged(History(tree.recorded), large=True)
    assert [page.marked for page in pages] == [page.last - 1 for page in pages]  # not an undo
    let_go(pages)
    for page in pages:
        assert known.after(history, page.marked) == page.state
    with pytest.raises(Away):
        known.after(history, pages[0].marked - 2)


def test_with_the_states_of_pages_little_is_read_again() -> None:
    """Affray needs no events before the newest state that a page stores."""
    for tree in TREES:
        known = States()
        history, pages = known.paged(History(tree.recorded), large=True)
        assert [page for page in pages if page.marked]
        for page in pages:
            if page.marked:
                way = tree.path_to(page.marked)
                assert page.state == fold(tree.event(number) for number in way)
        for version, state in states(tree):
            let_go(pages)
            missing = behind_the_newest_mark(tree, pages, version)
            if not missing:
                assert known.after(history, version) == state
                continue
            with pytest.raises(Away) as caught:
                known.after(history, version)
            assert list(caught.value.pages) == missing


def behind_the_newest_mark(tree: Tree, pages: Sequence[Page], version: int) -> list[Page]:
    """Return the pages with events after the newest stored state, up to `version`."""
    way = [number for number in tree.path_to(version) if number <= pages[-1].last]
    kept = max((page.marked for page in pages if page.marked in way), default=0)
    needed = [number for number in way if number > kept]
    return [page for page in pages if any(page.first <= number <= page.last for number in needed)]
