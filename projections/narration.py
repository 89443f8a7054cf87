"""Sentences for one reader about the events of a combat."""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.engine.redaction import allied_sides, scrub, scrub_text
from domain.engine.session import Session
from domain.record.combat import Id, Json
from domain.record.events import ActionDeclared, Answered, Ruled
from domain.record.pages import ROLES
from domain.record.recorded import Recorded
from domain.rulebook.polarity import screen_of
from domain.rulebook.prompts import Option
from projections.commands import CAUSED, unknown_cause
from projections.events import EventView, event_view, names_known
from projections.eyes import Eyes
from projections.moments import moments
from projections.returns import changes_told, is_step_back, returned
from projections.sentences import ruled_on, sentence
from projections.stories import composed, plainly, told_alone, with_price
from projections.vocabulary import UNKNOWN, Data, Names, Wording


class Line(Struct, frozen=True, omit_defaults=True):
    """One fact in plain English, or several that belong together.

    - `round`: the round in which it happened.
    - `combatants`: the combatants that it names.
    - `before`, `after`: the points of the pool that it changed, if the reader may know them.
    """

    version: Annotated[int, Meta(description="Version of the event")]
    type: Annotated[str, Meta(description="Type of the event")]
    text: str
    rules: tuple[str, ...]
    round: int = 0
    combatants: Annotated[
        tuple[str, ...], Meta(description="Ids of the combatants that the sentence names")
    ] = ()
    before: Annotated[
        int | None, Meta(description="Points before. `null`: unknown to the reader")
    ] = None
    after: Annotated[
        int | None, Meta(description="Points after. `null`: unknown to the reader")
    ] = None


_RULED = frozenset(
    {
        "damaged", "healed", "track-changed", "states", "several", "condition-gained",
        "condition-lost", "moved",
    }
)  # fmt: skip
"""Types of changes whose sentence says that the GM made them."""


_RETOLD = frozenset(
    {"damage", "heal", "set-track", "set-condition", "end-condition", "condition", "move", "place"}
)
"""Rulings whose effects already show everything that the GM has decided."""


def _is_retold(view: EventView) -> bool:
    """Return true for a ruling that a story leaves out, because its effects show it."""
    if view.type != "ruled":
        return False
    ruling = view.data["ruling"]
    return (view.data.get("inputs", {}).get("ruling") if ruling == "several" else ruling) in _RETOLD


class Teller:
    """Turns the events of a combat into sentences for one reader."""

    def __init__(self, live: Session, eyes: Eyes) -> None:
        self.live, self.eyes = live, eyes
        self._moments = moments(live)
        self._informed: dict[int, tuple[EventView, EventView]] = {}
        self._returned: dict[int, str] = {}

    @cached_property
    def wording(self) -> Wording:
        """Return the names that this reader uses."""
        ruleset = self.live.ruleset
        names = names_known(self.live, self.eyes)
        return Wording(names, ruleset.catalogue, ruleset.labels, self._things)

    def _things(self, who: Id) -> Names:
        """Return the names of things on the sheet of `who`, if `who` is on the reader's side."""
        combatant = self.live.combat.combatants.get(who)
        if combatant is None or combatant.left:
            return {}
        own = self.eyes.caller.plays_of(who, combatant.owner)
        if not own and combatant.side not in allied_sides(self.live.combat, self.eyes.caller):
            return {}
        return self._moments.things(combatant)

    def story(self, views: Sequence[EventView]) -> list[EventView]:
        """Return the events of a story, without bookkeeping and repetition."""
        told = composed([self.informed(view) for view in views], self.wording)
        if len(told) > 1 and _is_retold(told[0]) and told[1].type in _RULED:
            reason = told[0].data.get("reason") or True
            return [replace(told[1], data={**told[1].data, "by_ruling": reason}), *told[2:]]
        if told and told[0].type in _RULED and self._is_ruled(views[0]):
            told[0] = replace(told[0], data={**told[0].data, "by_ruling": True})
        return told

    def _plays(self, who: Id) -> bool:
        """Return true if the reader is the GM or plays `who`."""
        combatant = self.live.combat.combatants.get(who)
        owner = None if combatant is None else combatant.owner
        return self.eyes.caller.role == "gm" or self.eyes.caller.plays_of(who, owner)

    def _is_ruled(self, view: EventView) -> bool:
        """Return true if a ruling caused this event and only the GM may read its sentence."""
        if self.eyes.caller.role == "gm":
            return False
        history = self.live.history
        first = history.command_of(self.eyes.to_version(view.version))[0]
        return isinstance(history.recorded_at(first).event, Ruled)

    def headline(self, view: EventView, views: Sequence[EventView]) -> str:
        """Return the sentence of an event, or `""` if another sentence includes it."""
        informed = self.informed(view)
        if _is_retold(informed):
            first = self.story(views)[0]
            return sentence(first.type, first.data, self.wording, first.rules)
        if not told_alone(informed, views, self.wording):
            return ""
        paid = with_price(informed, views)
        return sentence(paid.type, paid.data, self.wording, paid.rules)

    def lines(self, views: Sequence[EventView], rounds: Mapping[int, int]) -> tuple[Line, ...]:
        """Return the sentences of events that `informed` has completed.

        Leave out events without a sentence.
        """
        lines: list[Line] = []
        for view in views:
            line = self.line(view, rounds.get(view.version, 0))
            if line.text and not _is_said(line, lines):
                lines.append(line)
        return tuple(lines)

    def told(self, recorded: Recorded) -> str:
        """Return the sentence of a recorded event, including events that the log leaves out."""
        view = plainly(self.informed(event_view(self.live, self.eyes, recorded)))
        return sentence(view.type, view.data, self.wording, view.rules)

    def informed(self, view: EventView) -> EventView:
        """Return an event with the facts that its sentence needs and the reader may know."""
        known = self._informed.get(view.version)
        if known is None or known[0] is not view:
            known = self._informed[view.version] = view, self._with_facts(view)
        return known[1]

    def _with_facts(self, view: EventView) -> EventView:
        ruleset, known = self.live.ruleset, self._moments
        version = self.eyes.to_version(view.version)
        data = view.data
        more: dict[str, Any] = {}
        points = known.points(version)
        if points is not None and ("amount" in data or "value" in data):
            more |= {"before": points.before, "after": points.after}
        elif points is not None:
            more["looked"] = points.looked
        if view.type in CAUSED and self.eyes.caller.role != "gm":
            recorded = self.live.history.recorded_at(version)
            if field := unknown_cause(self.live, self.eyes, recorded):
                more[field] = UNKNOWN
        done = data.get("action", data.get("doing"))
        if done is not None:
            more["called"] = self.wording.label(str(done))
        match view.type:
            case "answered":
                more |= self._answers(version)
                option = self._option(str(data["option"]), more["name"])
                more["called"] = self.wording.label(str(data["option"]), more["name"])
                more["usual"] = _usual(option)
                more["is_idle"] = self._is_idle(option)
                more["changes"] = known.changes(version)
                more |= self._with_omitted(version, data)
            case "action-declared":
                more |= self._declares(version)
                if not more.get("declares"):
                    more |= self._with_omitted(version, data)
                option = self._option(str(data["action"]))
                more["usual"] = _usual(option)
                more["is_idle"] = self._is_idle(option)
                more["changes"] = known.changes(version)
            case "ruled":
                ruling = ruleset.rulings.get(str(data["ruling"]))
                more["called"] = ruling.label if ruling and ruling.id != "several" else ""
            case "reverted":
                if version not in self._returned:  # this may read a thousand events
                    text = returned(self.live, self.eyes, version, self.told)
                    self._returned[version] = text
                more["what"] = self._returned[version]
                more["is_step_back"] = bool(more["what"]) and is_step_back(self.live, version)
            case "amended":
                more["told"] = changes_told(self.live, version, self.told)
            case "turn-began" | "stopped":
                more["is_out"] = known.is_out(version)
            case "combatant-changed" if data.get("hidden") and not self._plays(str(data["who"])):
                more["hidden"] = None  # it vanishes, and nobody announces it
            case "combatant-changed" if data.get("hidden") is False:
                more |= known.shown(version)
            case "combatant-changed" if data.get("hidden"):
                more["vanishes"] = self.eyes.caller.role != "gm"
            case "initiative-set" if ruleset.catalogue.phrases.turns:
                cast = known.cast(version)
                sides = (cast.sides.get(place["who"]) for place in data["order"])
                more["sides"] = [*dict.fromkeys(side for side in sides if side is not None)]
            case "combat-opened":
                more["title"] = ruleset.title
            case _:
                pass
        return EventView(
            view.version, view.parent, view.at, view.command, view.by, view.type, view.rules,
            {**data, **more}, view.undone,
        )  # fmt: skip

    def _answers(self, version: int) -> dict[str, Any]:
        """Return the name and the data of the answered prompt, and its text if the reader got it.

        The GM and the player of the asked combatant got the text and all data. For other readers,
        the text is empty, and the data contain only texts.
        """
        event = self.live.history.recorded_at(version).event
        assert isinstance(event, Answered), event
        name, text, data = self._moments.question(event.prompt)
        cast, caller = self._moments.cast(version), self.eyes.caller
        unspoken = cast.unspoken(caller)
        asked = scrub(data, unspoken) if unspoken else data
        if caller.role != "gm" and (event.who is None or not cast.plays(caller, event.who)):
            known = {key: value for key, value in asked.items() if isinstance(value, str)}
            return {"name": name, "question": "", "asked": known}
        return {"name": name, "question": scrub_text(text, unspoken), "asked": asked}

    def _declares(self, version: int) -> dict[str, Any]:
        """Return the name of the answered prompt, and whether the action is only declared."""
        event = self.live.history.recorded_at(version).event
        if not isinstance(event, ActionDeclared) or event.prompt is None:
            return {}
        name = self._moments.question(event.prompt)[0]
        kinds = {asked.name: asked.kind for asked in self.live.ruleset.catalogue.questions}
        return {"name": name, "declares": kinds.get(name) == "declare"}

    def _with_omitted(self, version: int, data: Data) -> dict[str, Any]:
        """Return the inputs of an action, completed with the inputs that the rules supplied.

        The result is empty if the reader does not know the inputs.
        """
        omitted = self._moments.omitted(version)
        if not omitted or data.get("inputs") is None:
            return {}
        given = {name: value for name, value in data["inputs"].items() if value is not None}
        unspoken = self._moments.cast(version).unspoken(self.eyes.caller)
        return {"inputs": {**scrub(omitted, unspoken), **given}}

    def _option(self, action: str, question: str = "") -> Option | None:
        """Return the declaration of an action, or of an answer to a prompt."""
        declared: Option | None = self.live.ruleset.actions.get(action)
        for asked in self.live.ruleset.catalogue.questions:
            if asked.name == question:
                declared = next(
                    (option for option in asked.options if option.id == action), declared
                )
        return declared

    def _is_idle(self, option: Option | None) -> bool:
        """Return true if the option passes or ends the turn."""
        if option is None:
            return False
        return screen_of(self.live.ruleset, option, "").category in ("pass", "end")

    def line(self, view: EventView, round: int = 0) -> Line:
        """Return the line of an event that `informed` has completed."""
        action = self.live.ruleset.actions.get(str(view.data.get("action")))
        declared = view.type == "action-declared" and action is not None and action.rules
        return Line(
            view.version,
            _type(view),
            sentence(view.type, view.data, self.wording, view.rules),
            _rules(view, action.rules if declared and action else view.rules),
            round,
            self._about(view),
            view.data.get("before"),
            view.data.get("after"),
        )

    def _about(self, view: EventView) -> tuple[str, ...]:
        """Return the combatants that an event names."""
        inputs = view.data.get("inputs") or {}
        named = [view.data.get(role) for role in ROLES]
        named += view.data.get("others", ())
        named += ruled_on(inputs)
        names = self.wording.names
        return tuple(dict.fromkeys(who for who in named if isinstance(who, str) and who in names))


def _type(view: EventView) -> str:
    """Return the type of an event. For a merged sentence, it is the type of its main event."""
    if view.type == "several":
        return str(view.data["event"])
    return str(view.data["kind"]) if view.type == "states" else view.type


def _rules(view: EventView, rules: tuple[str, ...]) -> tuple[str, ...]:
    """Return the rules of an event and of the parts of its sum."""
    terms = [*view.data.get("terms", ()), *view.data.get("target_terms", ())]
    parts = [term[2] for term in terms if len(term) > 2 and term[2]]
    return tuple(dict.fromkeys((*rules, *parts)))


def _is_said(line: Line, before: Sequence[Line]) -> bool:
    """Return true if a note repeats a line: "Ann moves 30 ft" after "Ann moves 30 ft to Bob"."""
    said = set(WORD.findall(line.text)) - SMALL
    return line.type == "noted" and any(
        said and said <= set(WORD.findall(earlier.text)) for earlier in before
    )


def _usual(option: Option | None) -> dict[str, Json]:
    """Return the default inputs of an option."""
    if option is None:
        return {}
    fields = option.inputs.__struct_fields__
    defaults = option.inputs.__struct_defaults__
    usual = dict(zip(fields[len(fields) - len(defaults) :], defaults, strict=True))
    return {name: plain(value) for name, value in usual.items()}


def plain(value: Any) -> Json:
    """Return a default as JSON, or `NODEFAULT` for a required value."""
    made = value.factory() if hasattr(value, "factory") else value
    return made if made is msgspec.NODEFAULT else msgspec.to_builtins(made)


WORD = re.compile(r"[\w−]+")
SMALL = frozenset(("a", "an", "the", "of", "has", "is", "at"))
"""Words that do not count when two lines are compared."""
