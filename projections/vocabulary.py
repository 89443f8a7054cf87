"""Vocabulary: names for one reader, and templates that use them.

The following ids become names, and all other ids become words:

- combatants
- weapons, spells and items on sheets that the reader may see
- actions, kinds of action and pools of the rulebook
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from domain.engine.redaction import SOMEBODY
from domain.record.combat import Id, Json
from domain.rulebook.catalogue import Catalogue
from domain.rulebook.grid import written
from domain.rulebook.id_names import words
from projections.equations import number

Data = Mapping[str, Any]
Names = Mapping[Id, str]

PERSONS: Final = ("who", "source", "against", "by")
"""Fields of an event with the id of a combatant."""

ID: Final = re.compile(r"[a-z]+(?:[-_][a-z0-9]+)+")
BRACKETED: Final = re.compile(r"\([a-z]+(?:-[a-z]+)+\)|(?<=: )[a-z]+(?:-[a-z]+)+(?= \()")
"""An id as a rulebook writes it: "provokes (attack-of-opportunity)", "Dara: melee-attack (rolled)".
"""
PHASE: Final = re.compile(r"\b[a-z]+(?:-[a-z]+)*(?:/[A-Za-z0-9-]+)+")

NOTHING: Final[Data] = {}

UNKNOWN: Final = "\0"
"""The id of a combatant that the reader does not know, in the data of a sentence."""

PAID: Final = ("pay", "pay_with")
"""Inputs that name the payment. The payment itself is in `spent`."""
UNSAID: Final = (
    *PAID,
    "facing",
    "notes",
    "mode",
    "attacks",
    "strike",
    "slot",
    "signless",
    "text",
    "direction",
)
"""Inputs that a sentence leaves out, unless its template has them."""

THINGS: Final = ("weapon", "item", "shield", "routine", "weapons", "items")
"""Fields that name a thing. A thing without a name of its own gets an article."""

UNNAMED: Final = {
    "weapon": "a weapon",
    "weapons": "a weapon",
    "item": "an item",
    "items": "an item",
    "shield": "a shield",
    "routine": "a routine",
    "spell": "a spell",
}
"""Words for a thing on a sheet that the reader may not see, if its id says nothing."""

TITLED: Final = ("attribute",)
"""Fields whose values appear as their title: "str" is "Strength"."""

ALONE: Final = ("name", "item", "weapon")
"""Fields whose value appears without the field name."""

BARE: Final = "unarmed"
"""The id for an attack without a weapon."""

NUMBERED: Final = re.compile(r"[-_]?\d+$")
SAYING: Final = re.compile(r"[A-Za-z]{3,}(?:[-_ ][A-Za-z]+)*")
"""The words of an id. Ids are public: "sword-1" gives "sword", and "w1" gives nothing."""

SIGNED: Final = ("modifier", "value", "attack", "ac", "saves", "gm_modifier", "circumstances")
"""Numbers that are added to others."""

SPOT: Final = frozenset(("combatant", "square", "object"))
"""Fields that name a target. A sentence has their value without the field name."""


def _no_things(owner: Id) -> Names:
    return {}


@dataclass(frozen=True)
class Wording:
    """Names and labels. `things` returns the names on a sheet that this reader may see."""

    names: Names
    catalogue: Catalogue = field(default_factory=Catalogue)
    labels: Mapping[tuple[str, str], str] = field(default_factory=dict)
    things: Callable[[Id], Names] = _no_things

    def name(self, who: Json) -> str:
        """Return a combatant's name, or the words of its id if the reader no longer sees it."""
        return SOMEBODY if who in (None, UNKNOWN) else self.names.get(str(who), words(str(who)))

    def text(self, text: str) -> str:
        """Return a rulebook's text with names instead of ids, and without hyphenated ids."""
        text = BRACKETED.sub(lambda match: words(match[0]), text)
        text = PHASE.sub(lambda match: words(match[0].replace("/", ", ")), text)
        return by_name(text, self.names)

    def label(self, id: str, question: str = "") -> str:
        """Return the label of an action or of an option."""
        label = self.labels.get((question, id)) or self.labels.get(("", id))
        return label or words(id).capitalize()

    def value(self, key: str, value: Json, owner: Id | None = None) -> str:
        """Return a field of an action or a condition in words, or `""` for an empty value."""
        if value is None or value is False or value in ([], {}, ""):
            return ""
        if value is True:
            return words(key)
        if isinstance(value, str):
            titles = self.catalogue.titles
            title = titles.get(f"{key}.{value}") or (titles.get(value) if key in TITLED else None)
            if key in TITLED and title is not None:
                return title
            if key in UNNAMED and value == BARE:
                return "bare hands"
            text = self.name(value) if key in PERSONS else self._word(value, owner)
            text = text if title is None else within(title)
            if key in UNNAMED and value not in self.names and not self.things(owner or ""):
                text = unnumbered(value)
                if not text:
                    return UNNAMED[key]
            if key == "mode":
                return gerund(text)
            return f"the {text}" if key in THINGS and text[:1].islower() else text
        if isinstance(value, int | float):
            sign = "+" if value > 0 and key in SIGNED else ""
            return f"{sign}{number(value)}"
        if isinstance(value, Mapping):
            return self._object(key, value, owner)
        if isinstance(value, list | tuple):
            if all(isinstance(part, int | float) for part in value):
                return written(value)
            if key == "path":
                return written(value[-1])
            return listed([self.value(key, part, owner) for part in value])
        return str(value)

    def _word(self, text: str, owner: Id | None) -> str:
        if text in self.names:
            return self.names[text]
        thing = self.things(owner or "").get(text)
        if thing is not None:
            return thing
        return words(text) if ID.fullmatch(text) else by_name(text, self.names)

    def _object(self, key: str, value: Data, owner: Id | None) -> str:
        action = value.get("action", value.get("activity"))
        if isinstance(action, str):
            rest = {**value}
            rest.pop("action", rest.pop("activity", None))
            inner = rest.pop("inputs", None)
            rest |= inner if isinstance(inner, Mapping) else {}
            template = self.catalogue.phrases.actions.get(action, "")
            text, used = filled(template, {**rest, "who": owner}, self, owner)
            more = self.details(
                {name: part for name, part in rest.items() if name not in used}, owner
            )
            title = self.catalogue.titles.get(f"activity.{action}") or self.label(action)
            return f"{self._deed(text, owner) or within(title)}{more and f' ({more})'}"
        if value.keys() == {"name"}:
            return self.value("name", value["name"], owner)
        if value.keys() <= SPOT:
            parts = [self.value(name, part, owner) for name, part in value.items()]
            return listed([part for part in parts if part])
        if "event" in value:
            whom = self.value("who", value.get("who"), owner) or "somebody"
            event = self.value("event", value["event"], owner)
            if event.startswith("turn"):
                return f"{whom}'s {event}"
            return f"{whom} {event}{' it' if event.endswith(' to') else ''}"
        return self.details(value, owner)

    def _deed(self, text: str, owner: Id | None) -> str:
        """Return a sentence about its owner as an infinitive: "Ann charges Bob": "charge Bob"."""
        start = f"{self.name(owner)} "
        verb, blank, rest = text.removeprefix(start).partition(" ")
        if not text.startswith(start):
            return ""
        is_try = verb == "tries" and rest.startswith("to ")
        return rest.removeprefix("to ") if is_try else f"{infinitive(verb)}{blank}{rest}"

    def details(self, fields: Data, owner: Id | None = None) -> str:
        """Return fields as a list in words, such as "target Bob, from behind"."""
        parts = []
        for key, value in fields.items():
            text = "" if key in UNSAID else self.value(key, value, owner)
            if text and (value is True or isinstance(value, Mapping)):
                parts.append(text)
            elif text and key == "path":
                parts.append(f"to {text}")
            elif text and (key in ALONE or text == UNNAMED.get(key)):
                parts.append(text)
            elif text:
                unit = " ft" if key.endswith("_ft") else ""
                text = text.removeprefix("the ")
                label = words(key.removesuffix("_ft").removeprefix("gm_"))
                parts.append(f"{label} {text}{unit}")
        return ", ".join(parts)

    def costs(self, what: Mapping[str, int], *, counted: bool = False) -> str:
        """Return a cost, such as "main action" or "2 bonus actions".

        With `counted`, a single action has its number, as in "1 main action".
        """
        parts = []
        kinds = [*self.catalogue.budget, *what]
        for kind, amount in sorted(what.items(), key=lambda pair: kinds.index(pair[0])):
            name = within(self.catalogue.budget.get(kind) or words(kind))
            several = name if name.endswith(("s", "feet")) or amount == 1 else f"{name}s"
            parts.append(name if amount == 1 and not counted else f"{amount} {several}")
        return listed(parts)

    def pool(self, track: str) -> str:
        """Return the name of a pool for a sentence: an abbreviation such as HP, or the label."""
        if track in ("hp", "mp", "nld"):
            return track.upper()
        pool = self.catalogue.pools.get(track)
        return pool.label if pool is not None else words(track)


def filled(
    template: str, fields: Data, wording: Wording, owner: Id | None, usual: Data = NOTHING
) -> tuple[str, set[str]]:
    """Return a filled template and the fields used, or "" without a required field.

    A part in brackets is left out for a field with its usual value.
    """
    first, _, otherwise = template.partition("||")
    if otherwise:
        text, used = filled(first, fields, wording, owner, usual)
        return (text, used) if text else filled(otherwise, fields, wording, owner, usual)
    used = set()
    unusual = {key: value for key, value in fields.items() if value != usual.get(key, ())}

    def put(part: str, fields: Data) -> str | None:
        missing = False

        def field(match: re.Match[str]) -> str:
            nonlocal missing
            for key in match[1].split("|"):
                text = wording.value(key, fields.get(key), owner)
                if text:
                    used.add(key)
                    return text
            missing = True
            return ""

        text = FIELD.sub(field, part)
        return None if missing else text

    text = ""
    for part in PARTS.split(template):
        if part.startswith("["):
            text += put(part[1:-1], unusual) or ""
        else:
            piece = put(part, fields)
            if piece is None:
                return "", set()
            text += piece
    return text, used


FIELD: Final = re.compile(r"\{([^}]*)\}")
PARTS: Final = re.compile(r"(\[[^\]]*\])")


def unnumbered(id: str) -> str:
    """Return an id as words without its number ("sword" for "sword-1"), or `""` without words."""
    id = NUMBERED.sub("", id)
    return words(id) if SAYING.fullmatch(id) else ""


def by_name(text: str, names: Names) -> str:
    """Return a text with names instead of ids."""
    other = [id for id, name in names.items() if id != name and id in text]
    if not other:
        return text
    ids = "|".join(re.escape(id) for id in sorted(other, key=len, reverse=True))
    return re.sub(rf"(?<![\w-])(?:{ids})(?![\w-])", lambda match: names[match[0]], text)


def listed(texts: Sequence[str], last: str = "and") -> str:
    """Return "a", "a and b", or "a, b and c"."""
    return f" {last} ".join(part for part in (", ".join(texts[:-1]), *texts[-1:]) if part)


def within(label: str) -> str:
    """Return a label for use inside a sentence: "Cast a spell" -> "cast a spell"."""
    return label[:1].lower() + label[1:] if label[1:2].islower() else label


def third_person(label: str) -> str:
    """Return an imperative in the third person: "Cast a spell" -> "casts a spell"."""
    verb, blank, rest = within(label).partition(" ")
    if verb.endswith(("s", "x", "z", "sh", "ch", "o")):
        verb += "es"
    elif verb.endswith("y") and verb[-2:-1] not in "aeiou":
        verb = f"{verb[:-1]}ies"
    else:
        verb += "s"
    return f"{verb}{blank}{rest}"


def infinitive(verb: str) -> str:
    """Return the infinitive of a verb: "charges" -> "charge", "is" -> "be"."""
    if verb in _BARE:
        return _BARE[verb]
    if verb.endswith("ies") and len(verb) > 4:
        return f"{verb[:-3]}y"
    if verb.endswith(("sses", "shes", "ches", "xes", "zes", "oes")):
        return verb[:-2]
    return verb.removesuffix("s")


_BARE: Final = {"is": "be", "has": "have", "does": "do"}


def gerund(verb: str) -> str:
    """Return the gerund of a verb: "sneak" -> "sneaking". Participles stay."""
    if verb.endswith("ed"):
        return verb
    if re.search(r"[^aeiou][aeiou][bdgmnprt]$", verb):
        verb += verb[-1]
    return f"{verb.removesuffix('e')}ing"


def plural(text: str) -> str:
    """Return a predicate in the plural: "is down" -> "are down", "retreats" -> "retreat"."""
    start = "no longer " if text.startswith("no longer ") else ""
    verb, blank, rest = text.removeprefix(start).partition(" ")
    return f"{start}{'are' if verb == 'is' else infinitive(verb)}{blank}{rest}"


def ended(text: str) -> str:
    """Return a sentence with its full stop."""
    text = text.rstrip()
    return text if not text or text.endswith((".", "!", "?", "…", ".”", "!”", "?”")) else f"{text}."
