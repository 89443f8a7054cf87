"""Statistics: hits, damage, decisions and dice of each combatant in a combat.

Undone events do not count. One function counts for every reader:

- `FightStatistics` runs it on the recorded events, which only the GM may know.
- `Count` runs it on the events that one audience sees.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from math import sqrt
from typing import Annotated, Any, Final
from uuid import UUID

import msgspec
from eventsourcing.persistence import Tracking
from msgspec import Meta, Struct, field
from msgspec.structs import asdict

from domain.dice import parse_roll
from domain.engine.session import Session
from domain.record.combat import Id
from domain.record.events import (
    ActionDeclared,
    Answered,
    CombatantChanged,
    CombatantJoined,
    CombatBegan,
    CombatEnded,
    CombatOpened,
    Damaged,
    Downed,
    Healed,
    Judged,
    Prompted,
    Reverted,
    Rolled,
    RoundBegan,
    TrackChanged,
)
from domain.record.recorded import Recorded, topics_of
from domain.rulebook.catalogue import Blows
from domain.rulesets import installed
from projections.events import data_of
from projections.eyes import Eyes
from projections.projection import Projection, View

COUNTED: Final = (
    ActionDeclared,
    Answered,
    CombatantChanged,
    CombatantJoined,
    CombatBegan,
    CombatEnded,
    CombatOpened,
    Damaged,
    Downed,
    Healed,
    Judged,
    Prompted,
    Rolled,
    RoundBegan,
    TrackChanged,
)


@cache
def blows_of(ruleset: str) -> Blows:
    """Return a rulebook's words for outcomes of rolls, or plain words if it is not installed."""
    known = installed().get(ruleset)
    return Blows() if known is None else known.catalogue.blows


@cache
def health_of(ruleset: str) -> frozenset[str]:
    """Return the pools of a rulebook that hold health."""
    known = installed().get(ruleset)
    pools = {} if known is None else known.catalogue.pools
    return frozenset(id for id, pool in pools.items() if pool.role == "health")


class Figures(Struct):
    """The statistics of one combatant.

    - `dealt`, `taken`: points by kind of damage. The key `""` is damage without a kind.
    - `waited_ms`: the time that `decisions` took.
    - `dice`: the number of dice, the sum of their faces, twice the expected sum, and twelve times
      its variance.
    - `unknown`: the fields of which the reader knows only a part. `prompts` includes decisions.
    """

    hits: int = 0
    misses: int = 0
    criticals: int = 0
    blows_taken: int = 0
    dealt: dict[str, int] = field(default_factory=dict)
    taken: dict[str, int] = field(default_factory=dict)
    healing_done: int = 0
    healing_received: int = 0
    downed: int = 0
    prompts: int = 0
    decisions: int = 0
    waited_ms: int = 0
    dice: tuple[int, int, int, int] = (0, 0, 0, 0)
    unknown: list[str] = field(default_factory=list)

    def withhold(self, name: str) -> None:
        """Record that the reader does not know all of a field."""
        if name not in self.unknown:
            self.unknown.append(name)


class Tally(Struct):
    """The statistics of a combat so far, with the prompts and threats that are still open.

    - `points`: the value of each pool that the reader knows.
    - `below`: for each combatant whose pool fell below 0, the source and the kind of the damage.
    """

    figures: dict[Id, Figures] = field(default_factory=dict)
    rounds: int = 0
    began: str = ""
    ended: str = ""
    asked: dict[str, tuple[Id, str]] = field(default_factory=dict)
    threats: dict[Id, Id] = field(default_factory=dict)
    ruleset: str = ""
    points: dict[Id, dict[str, int]] = field(default_factory=dict)
    below: dict[Id, tuple[Id | None, str]] = field(default_factory=dict)

    def take(self, kind: type[Any], data: Mapping[str, Any], at: str) -> None:
        """Count one event. `data` are its fields, as far as the reader knows them."""
        who: Id | None = data.get("who")
        figures = None if who is None else self.figures.get(who)
        if kind is CombatOpened:
            self.ruleset = data["ruleset"]
        elif kind in (CombatantJoined, CombatantChanged) and who is not None:
            self.figures.setdefault(who, Figures())
            self._pools(who, data.get("tracks") or {})
        elif kind is Rolled and figures is not None:
            _roll(figures, data)
            self._blow(figures, data)
        elif kind is Judged and figures is not None:
            self._score(figures, data, str(data.get("before", "")), -1)
            self._score(figures, data, str(data.get("outcome", "")), 1)
        elif kind is Damaged and figures is not None:
            self._damage(figures, data)
        elif kind is TrackChanged and figures is not None:
            self._set(figures, data)
        elif kind is Healed and figures is not None:
            self._healing(figures, data)
        elif kind is Downed and figures is not None:
            figures.downed += 1
        elif kind is Prompted and figures is not None and "prompt" in data and who is not None:
            figures.prompts += 1
            self.asked[data["prompt"]] = (who, at)
        elif kind in (Answered, ActionDeclared):
            self._decided(data, at)
        elif kind is RoundBegan:
            self.rounds = max(self.rounds, data.get("round", 0))
        elif kind is CombatBegan:
            self.began = at
        elif kind is CombatEnded:
            self.ended = at

    def _blow(self, figures: Figures, data: Mapping[str, Any]) -> None:
        """Count a roll against a combatant.

        After a threat, the next roll only decides whether the hit is critical.
        """
        who, target, word = data["who"], data.get("against"), str(data.get("outcome", ""))
        if target is None:
            return
        blows = blows_of(self.ruleset)
        if self.threats.pop(who, None) == target:
            figures.criticals += word in blows.criticals
            return
        if word in blows.threats:
            self.threats[who] = target
        self._score(figures, data, word, 1)

    def _score(self, figures: Figures, data: Mapping[str, Any], word: str, by: int) -> None:
        """Count the outcome of a roll against a combatant. The target of a hit takes a blow."""
        target = self.figures.get(data.get("against") or "")
        if target is not None:
            target.blows_taken += by * blows_of(self.ruleset).is_hit(word)
        blows = blows_of(self.ruleset)
        figures.hits += by * blows.is_hit(word)
        figures.criticals += by * (word in blows.criticals)
        figures.misses += by * (word in blows.misses)

    def _damage(self, figures: Figures, data: Mapping[str, Any]) -> None:
        amount, kind = data.get("amount"), str(data.get("kind", ""))
        source = self.figures.get(data.get("source") or "")
        if not isinstance(amount, int):
            figures.withhold("taken")
            if source is not None:
                source.withhold("dealt")
            return
        points = self.points.get(data["who"], {})
        left = points.get(data.get("track", ""))
        if left is not None:
            points[data["track"]] = left - amount
            if left < amount:
                self.below[data["who"]] = (data.get("source"), kind)
        figures.taken[kind] = figures.taken.get(kind, 0) + amount
        if source is not None:
            source.dealt[kind] = source.dealt.get(kind, 0) + amount

    def _pools(self, who: Id, tracks: Mapping[str, Any]) -> None:
        """Record the points in the pools of a combatant that joins."""
        for name, track in tracks.items():
            value = track.get("value") if isinstance(track, Mapping) else track.value
            if isinstance(value, int):
                self.points.setdefault(who, {})[name] = value

    def _set(self, figures: Figures, data: Mapping[str, Any]) -> None:
        """Record a new value of a pool. Health that the GM removes by ruling counts as damage."""
        points, track = self.points.setdefault(data["who"], {}), data.get("track", "")
        is_health = track in health_of(self.ruleset)
        if "value" not in data:  # only the GM knows a foe's points
            points.pop(track, None)
            if is_health:
                figures.withhold("taken")
            return
        before, value = points.get(track), data["value"]
        if value is None:
            return
        points[track] = value
        is_ruling = data.get("reason") == "ruling"
        if not is_ruling and before is not None and before < value == 0:
            self._clamp(figures, data["who"], -before)
        if is_health and before is not None and is_ruling:
            lost = before - value
            if lost > 0:
                figures.taken[""] = figures.taken.get("", 0) + lost
            if value < 0:
                self.below[data["who"]] = (None, "")

    def _clamp(self, figures: Figures, who: Id, excess: int) -> None:
        """Remove points below 0 from the damage, because the rulebook's pool ends at 0."""
        if who not in self.below:
            return
        source, kind = self.below.pop(who)
        dealer = self.figures.get(source or "")
        for points in [figures.taken, *([] if dealer is None else [dealer.dealt])]:
            points[kind] = points.get(kind, 0) - min(excess, points.get(kind, 0))

    def _healing(self, figures: Figures, data: Mapping[str, Any]) -> None:
        amount, healer = data.get("amount"), self.figures.get(data.get("source") or "")
        if not isinstance(amount, int):
            figures.withhold("healing_received")
            if healer is not None:
                healer.withhold("healing_done")
            return
        points = self.points.get(data["who"], {})
        if data.get("track") in points:
            points[data["track"]] += amount
        figures.healing_received += amount
        if healer is not None:
            healer.healing_done += amount

    def _decided(self, data: Mapping[str, Any], at: str) -> None:
        asked = self.asked.pop(str(data.get("prompt")), None)
        if asked is None or data.get("by", "caller") != "caller":
            return
        who, since = asked
        figures = self.figures[who]
        figures.decisions += 1
        waited = datetime.fromisoformat(at) - datetime.fromisoformat(since)
        figures.waited_ms += max(0, round(waited.total_seconds() * 1000))


def _roll(figures: Figures, data: Mapping[str, Any]) -> None:
    if "formula" not in data:  # only the GM knows a foe's dice
        figures.withhold("dice")
        return
    if data.get("by", "server") == "gm":
        return  # the GM set the faces, so they say nothing about luck
    faces: Sequence[int] = data.get("faces", ())
    sides = [abs(die) for die in parse_roll(data["formula"]).dice]
    count, total, doubled, twelvefold = figures.dice
    figures.dice = (
        count + len(faces),
        total + sum(faces),
        doubled + sum(side + 1 for side in sides),
        twelvefold + sum(side * side - 1 for side in sides),
    )


# ---- the answer to a request


class DiceLuck(Struct, frozen=True):
    """`luck` is the sum of all faces minus the expected sum, in standard deviations."""

    rolled: Annotated[int, Meta(description="Number of dice")]
    total: int
    expected: Annotated[float, Meta(description="The expected sum")]
    luck: Annotated[
        float, Meta(description="Difference between the two sums, in standard deviations")
    ]


class CombatantFigures(Struct, frozen=True):
    """The statistics of one combatant.

    `dealt` and `taken` are points by kind of damage ("": no kind). If you may know only a part of
    a field, it is `null`: show it as unknown, not as `0`. Only the GM and the combatant's player
    know its prompts and decisions.
    """

    combatant: Id
    hits: Annotated[int, Meta(description="Blows that hit")]
    misses: Annotated[int, Meta(description="Blows that missed")]
    criticals: Annotated[int, Meta(description="Hits that were critical")]
    blows_taken: Annotated[
        int, Meta(description="Number of blows that hit it; other damage does not count")
    ]
    dealt: Annotated[
        Mapping[str, int] | None,
        Meta(description="Points of damage dealt, by kind. `null`: unknown to this reader"),
    ]
    taken: Annotated[
        Mapping[str, int] | None,
        Meta(description="Points of damage taken, by kind. `null`: unknown to this reader"),
    ]
    healing_done: Annotated[
        int | None, Meta(description="Points healed. `null`: unknown to this reader")
    ]
    healing_received: Annotated[
        int | None, Meta(description="Points regained. `null`: unknown to this reader")
    ]
    downed: Annotated[int, Meta(description="Number of times that it fell")]
    prompts: Annotated[
        int | None, Meta(description="Number of its prompts. `null`: unknown to this reader")
    ]
    decisions: Annotated[
        int | None,
        Meta(description="Prompts that it answered itself. `null`: unknown to this reader"),
    ]
    seconds_per_decision: Annotated[
        float | None,
        Meta(description="Average seconds for an answer. `null`: none yet, or unknown"),
    ]
    dice: Annotated[
        DiceLuck | None, Meta(description="Luck of its dice. `null`: unknown to this reader")
    ]


class Statistics(Struct, frozen=True):
    """The statistics of a combat, without undone events and events that the reader may not know."""

    version: int
    rounds: Annotated[int, Meta(description="Number of rounds that have begun")]
    combatants: tuple[CombatantFigures, ...]


def statistics(version: int, tally: Tally) -> Statistics:
    """Return a tally, ready to send."""
    combatant_figureses = tuple(_shown(who, figures) for who, figures in tally.figures.items())
    return Statistics(version, tally.rounds, combatant_figureses)


def _shown(who: Id, figures: Figures) -> CombatantFigures:
    count, total, doubled, twelvefold = figures.dice
    deviation = sqrt(twelvefold / 12)
    luck = (total - doubled / 2) / deviation if deviation else 0.0
    knows = "prompts" not in figures.unknown
    pace = round(figures.waited_ms / (figures.decisions or 1) / 1000, 3)
    return CombatantFigures(
        who,
        figures.hits,
        figures.misses,
        figures.criticals,
        figures.blows_taken,
        None if "dealt" in figures.unknown else figures.dealt,
        None if "taken" in figures.unknown else figures.taken,
        None if "healing_done" in figures.unknown else figures.healing_done,
        None if "healing_received" in figures.unknown else figures.healing_received,
        figures.downed,
        figures.prompts if knows else None,
        figures.decisions if knows else None,
        pace if knows and figures.decisions else None,
        None if "dice" in figures.unknown else DiceLuck(count, total, doubled / 2, round(luck, 3)),
    )


class Count:
    """The tally of the events that one audience sees."""

    def __init__(self) -> None:
        self.tally = Tally()
        self._seen = 0
        self._all = 0

    def after(self, live: Session, eyes: Eyes) -> Tally:
        """Return the tally, with the events since the last call.

        After an undo, the function counts all events again.
        """
        history = live.history
        tally, seen = self.tally, self._seen
        if history.turns_within(self._all + 1, history.version):
            tally, seen = Tally(), 0
        # Read all events before counting. If a page is missing, the caller repeats this call.
        news = [
            (type(recorded.event), data_of(live, eyes, recorded), recorded.at)
            for recorded in eyes.between(seen, eyes.sequence - seen)
            if isinstance(recorded.event, COUNTED) and history.is_present(recorded.version)
        ]
        for kind, data, at in news:
            tally.take(kind, data, at)
        if eyes.caller.role != "gm":
            for who, figures in tally.figures.items():
                if not eyes.caller.plays(live.combat, who):
                    figures.withhold("prompts")
        self.tally, self._seen, self._all = tally, eyes.sequence, history.version
        return self.tally


# ---- the stored statistics


def count(tally: Tally, events: Iterable[Recorded]) -> Tally:
    """Return the tally of a reader who knows everything, with these events added."""
    for recorded in events:
        if isinstance(recorded.event, COUNTED):
            tally.take(type(recorded.event), asdict(recorded.event), recorded.at)
    return tally


_READER: Final = msgspec.json.Decoder(Tally)
_WRITER: Final = msgspec.json.Encoder()


class FightStatistics(Projection):
    """The projection that stores the statistics of each combat.

    The table `fights` holds the GM's tally. `figures` shows it, with one row for each combatant.
    """

    name = "statistics"
    release = 6
    topics = topics_of(*COUNTED, Reverted)
    tables = """
        CREATE TABLE fights (
            combat_id uuid PRIMARY KEY,
            version bigint NOT NULL,  -- of the newest event that was counted, or went back
            tally bytea NOT NULL
        );
        CREATE VIEW figures AS
        SELECT combat_id, combatant,
            (one->>'hits')::bigint AS hits,
            (one->>'misses')::bigint AS misses,
            (one->>'criticals')::bigint AS criticals,
            (SELECT coalesce(sum(points::bigint), 0)::bigint
                FROM jsonb_each_text(one->'dealt') AS n(kind, points)) AS dealt,
            (SELECT coalesce(sum(points::bigint), 0)::bigint
                FROM jsonb_each_text(one->'taken') AS n(kind, points)) AS taken,
            (one->>'healing_done')::bigint AS healing_done,
            (one->>'healing_received')::bigint AS healing_received,
            (one->>'decisions')::bigint AS decisions,
            (one->>'waited_ms')::bigint AS waited_ms,
            CASE (one->'dice'->>3)::bigint WHEN 0 THEN 0 ELSE
                ((one->'dice'->>1)::bigint - (one->'dice'->>2)::bigint / 2.0)::double precision
                / sqrt((one->'dice'->>3)::bigint / 12.0)
            END AS luck
        FROM fights, jsonb_each(convert_from(tally, 'UTF8')::jsonb->'figures') AS n(combatant, one);
    """

    async def process_event(self, view: View, event: Recorded, tracking: Tracking) -> None:
        """Update the statistics of the event's combat."""
        await self.process_events(view, [(event, tracking)])

    async def process_events(self, view: View, events: Sequence[tuple[Recorded, Tracking]]) -> None:
        """Update the fights of a batch with one query and one statement."""
        news: defaultdict[str, list[Recorded]] = defaultdict(list)
        for event, _ in events:
            news[event.combat].append(event)
        rows = await view.fetch(
            "SELECT combat_id, tally FROM fights WHERE combat_id = ANY($1::uuid[])",
            [UUID(combat) for combat in news],
        )
        known = {str(row[0]): _READER.decode(row[1]) for row in rows}
        made = {
            combat: await self._after(view, combat, known.get(combat), new)
            for combat, new in news.items()
        }
        await view.executemany(
            "INSERT INTO fights VALUES ($1, $2, $3)"
            " ON CONFLICT (combat_id) DO UPDATE SET version = $2, tally = $3",
            [
                (UUID(combat), news[combat][-1].version, _WRITER.encode(tally))
                for combat, tally in made.items()
            ],
        )

    async def _after(
        self, view: View, combat: str, tally: Tally | None, new: Sequence[Recorded]
    ) -> Tally:
        if any(isinstance(recorded.event, Reverted) for recorded in new):
            return count(Tally(), await view.present(combat, new[-1].version, self.topics))
        return count(tally or Tally(), new)

    async def forget(self, view: View, combat: str) -> None:
        """Delete the statistics of a combat."""
        await view.execute("DELETE FROM fights WHERE combat_id = $1", UUID(combat))
