"""Every event as a sentence, built from the event alone.

A roll tells its whole sum: "attack: d20 14 + Accuracy 6 [FH-ATK-02] = 20 against 18: hit".
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from domain.record.combat import Id, Json
from domain.rulebook.said import words

Data = Mapping[str, Any]
Names = Mapping[Id, str]
Sentence = Callable[[Data, Names], str]


def sentence(kind: str, data: Data, names: Names, rules: Sequence[str] = ()) -> str:
    """The sentence of an event (its type, its data as a reader gets them, its rules).

    What a rule notes names people by their ids; a note without one is in somebody's own words.
    """
    if kind == "noted" and rules:
        data = {**data, "text": by_name(str(data["text"]), names)}
    tell = _SENTENCES.get(kind)
    return kind.replace("-", " ") if tell is None else tell(data, names)


def _name(names: Names, who: Json) -> str:
    return "somebody" if who is None else names.get(who, str(who))


def spoken(text: str, names: Names) -> str:
    """A rulebook's own text with names for ids, and no hyphened id of an action or a phase."""
    text = BRACKETED.sub(lambda found: words(found[0]), text)
    text = PHASE.sub(lambda found: words(found[0].replace("/", ", ")), text)
    return by_name(text, names)


def by_name(text: str, names: Names) -> str:
    """A text with names for ids."""
    other = [id for id, name in names.items() if id != name and id in text]
    if not other:
        return text
    ids = "|".join(re.escape(id) for id in sorted(other, key=len, reverse=True))
    return re.sub(rf"(?<![\w-])(?:{ids})(?![\w-])", lambda found: names[found[0]], text)


BRACKETED: Final = re.compile(r"\([a-z]+(?:-[a-z]+)+\)|(?<=: )[a-z]+(?:-[a-z]+)+(?= \()")
"""An id as a rulebook writes it: "provokes (attack-of-opportunity)", "Dara: melee-attack (rolled)".
"""


ID: Final = re.compile(r"[a-z]+(?:[-_][a-z]+)+")


PHASE: Final = re.compile(r"\b[a-z]+(?:-[a-z]+)*(?:/[A-Za-z0-9-]+)+")


def _kind(kind: str) -> str:
    """A kind of action: abbreviations such as AA in capitals."""
    return kind.upper() if len(kind) < 3 else kind


def _who(data: Data, names: Names) -> str:
    return _name(names, data.get("who"))


def signed(value: int) -> str:
    """+ 3 or − 3."""
    return f"+ {value}" if value >= 0 else f"− {-value}"


def _term(term: list[Any]) -> str:
    source, value, *rule = term
    said = words(source) if ID.fullmatch(str(source)) else source
    by = f" [{rule[0]}]" if rule and rule[0] else ""
    if str(source).startswith("times "):  # the term holds what the multiplication adds
        return f"× {str(source).removeprefix('times ')}{by}"
    return f"{signed(value)} {said}{by}"


def rolled(data: Data, names: Names) -> str:
    """A roll with its whole sum, target number, outcome, and who rolled with which dice."""
    faces = ", ".join(str(face) for face in data["faces"]) or "nothing"
    sum_ = f"{data['formula']} → {faces}"
    if data.get("terms"):
        sum_ = " ".join((sum_, *(_term(term) for term in data["terms"])))
    if sum_ != f"{data['formula']} → {data['total']}":
        sum_ = f"{sum_} = {data['total']}"
    text = f"{_who(data, names)} rolls {words(data['purpose'])}: {sum_}"
    if data.get("target") is not None:
        text += f" against {data['target']}"
    if data.get("against") is not None:
        text += f" (at {_name(names, data['against'])})"
    if data.get("outcome"):
        text += f": {data['outcome']}"
    hands = {"manual": "dice by hand", "gm": "set by the GM"}
    by = hands.get(data.get("by", "server"))
    return f"{text} ({by})" if by else text


def forced(data: Data, names: Names) -> str:
    """What the GM sets for a roll that is still to come; it may turn out to have other dice."""
    what = f"{_who(data, names)}'s next {words(data['purpose'])}"
    faces = " ".join(map(str, data["faces"]))
    if data.get("void"):
        return f"{what} rolls {data['void']}: {faces}, set by the GM, cannot fall"
    return f"The GM sets {what}: {faces}" if faces else f"The GM leaves {what} to the dice"


def judged(data: Data, names: Names) -> str:
    """What a roll comes to in the end."""
    again = "still" if data.get("before") == data["outcome"] else "now"
    against = f" against {data['target']}" if data.get("target") is not None else ""
    total = f"{data['total']}{against}"
    return f"{_who(data, names)}'s {words(data['purpose'])}, {total}: {again} {data['outcome']}"


def damaged(data: Data, names: Names) -> str:
    """Damage, what it leaves, and how it came about."""
    source = f" from {_name(names, data['source'])}" if data.get("source") is not None else ""
    if "amount" not in data:
        by = source.replace(" from ", " by ", 1)
        return f"{_who(data, names)} is hurt{by} and looks {data.get('wound', 'wounded')}"
    kind = str(data.get("kind") or "").removesuffix("damage").strip()
    of = f" {words(kind)}" if kind else ""
    terms = data.get("terms", ())
    parts = " ".join(_term(term) for term in terms).removeprefix("+ ")
    sum_ = f" ({parts})" if len(terms) > 1 else ""
    return f"{_who(data, names)} takes {data['amount']}{of} damage{source}{sum_}{_left(data)}"


def _left(data: Data) -> str:
    """What is left of a pool, as "hp 31 → 24"."""
    track = words(str(data.get("track", "")))
    if data.get("after") is None:
        return f" ({track})" if track else ""
    return f": {track} {_number(data['before'])} → {_number(data['after'])}"


def _number(value: int) -> str:
    return str(value).replace("-", "−")


def healed(data: Data, names: Names) -> str:
    """Healing, and what is there now."""
    if "amount" not in data:
        return f"{_who(data, names)} is healed: {data.get('wound', 'better')}"
    if not data["amount"]:
        full = "" if data.get("after") is None else f" ({words(data['track'])} {data['after']})"
        return f"{_who(data, names)} gets nothing back{full}"
    return f"{_who(data, names)} gets {data['amount']} back{_left(data)}"


def opened(data: Data, names: Names) -> str:
    """The opening, by the rulebook's title (`title`); a fork says what it continues."""
    forked = data.get("forked_from")
    origin = f", continuing combat {forked[0]} from its version {forked[1]}" if forked else ""
    return f"{data['name']}: a fight under {data.get('title') or data['ruleset']} is opened{origin}"


def changed(data: Data, names: Names) -> str:
    """What is different about somebody, as far as the reader may know."""
    parts = []
    if data.get("name") is not None:
        parts.append(f"is called {data['name']} now")
    if data.get("side") is not None:
        parts.append(f"is of {data['side']} now")
    if data.get("owner") is not None:
        parts.append(f"is played by {data['owner']} now")
    if data.get("hidden") is not None:
        parts.append("is hidden now" if data["hidden"] else "is not hidden now")
    if data.get("sheet"):
        parts.append(f"has a new sheet ({', '.join(words(name) for name in data['sheet'])})")
    return f"{_who(data, names)} {_listed(parts) or 'is changed'}"


def track_changed(data: Data, names: Names) -> str:
    """A pool that changed."""
    if "value" not in data and "maximum" not in data and "wound" in data:
        return f"{_who(data, names)} looks {data['wound']}"
    parts = []
    if data.get("value") is not None:
        parts.append(f"is {data['value']} now")
    if data.get("maximum") is not None:
        parts.append(f"is at most {data['maximum']} now")
    why = f" ({data['reason']})" if data.get("reason") else ""
    change = " and ".join(parts) or "changes"
    return f"{_who(data, names)}: {words(data['track'])} {change}{why}"


def declared(data: Data, names: Names) -> str:
    """An action with its inputs."""
    kinds = data.get("kinds", {})
    parts = []
    for key, value in data.get("inputs", {}).items():
        text = _input(key, value, names)
        if text and key in PAID:
            what = within(kinds.get(value) or _kind(value))
            text = f"paid with {'an' if what[0] in 'aeiou' else 'a'} {what}"
        parts += [text] if text else []
    more = f" ({', '.join(parts)})" if parts else ""
    return f"{_who(data, names)}: {_called(data, 'action')}{more}"


def _input(key: str, value: Json, names: Names) -> str:
    """What an action was given, in words; "" where it says nothing."""
    if value in (None, [], {}, "", False) or (key, value) in USUAL:
        return ""
    if value is True:
        return words(key)
    if key == "path" and isinstance(value, list | tuple):
        return f"to {_square(value[-1])}"
    if key in ("action", "inputs") or (isinstance(value, Mapping) and key in value):
        return _told(value, names)
    if key.endswith("_ft"):
        return f"{words(key.removesuffix('_ft'))} {_told(value, names)} ft"
    return f"{words(key)} {_told(value, names)}"


PAID = ("pay", "pay_with")
"""Inputs that name a kind of action of the budget (`kinds`: their labels)."""

USUAL = (("mode", "walk"), ("pay_with", "aa"), ("attacks", 1))
"""What goes without saying."""


def _told(value: Json, names: Names) -> str:
    """Any value: names of combatants, squares, lists, objects."""
    if isinstance(value, str):
        return words(value) if ID.fullmatch(value) and value not in names else _name(names, value)
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, Mapping):
        if isinstance(what := value.get("action"), str) and "inputs" in value:
            more = _told({key: one for key, one in value.items() if key != "action"}, names)
            return f"{words(what)} ({more})" if more else words(what)
        said = (_input(key, one, names) for key, one in value.items())
        return ", ".join(text for text in said if text)
    if isinstance(value, list | tuple):
        if all(isinstance(one, int | float) for one in value):
            return _square(value)
        return _listed([_told(one, names) for one in value])
    return str(value)


def order(data: Data, names: Names) -> str:
    """The turns to come."""
    turns = ", ".join(_name(names, place["who"]) for place in data["order"])
    return f"The order is {turns}" if turns else "Nobody is left to act"


def moved(data: Data, names: Names) -> str:
    """A movement."""
    if not data["path"]:
        return f"{_who(data, names)} leaves the grid"
    at = data["path"][-1]
    where = _square(at)
    steps = len(data["path"])
    where = f"{where} ({steps} squares)" if steps > 1 and not data.get("forced") else where
    verb = "is put" if data.get("forced") else "moves"
    mode = f" ({data['mode']})" if data.get("mode") not in (None, "", "walk") else ""
    return f"{_who(data, names)} {verb} to {where}{mode}"


def _square(at: Any) -> str:
    flat = len(at) == 3 and not at[2]
    return ", ".join(str(part) for part in (at[:2] if flat else at))


def spent(data: Data, names: Names) -> str:
    """What was paid."""
    what = ", ".join(f"{amount} {_kind(kind)}" for kind, amount in data["what"].items())
    return f"{_who(data, names)} spends {what}"


def budget(data: Data, names: Names) -> str:
    """What can be spent; of foes it is not told."""
    if "budget" not in data:
        return ""
    what = ", ".join(f"{amount} {_kind(kind)}" for kind, amount in data["budget"].items())
    return f"{_who(data, names)} has {what or 'nothing'}"


def gained(data: Data, names: Names) -> str:
    """A condition began."""
    source = data.get("source")
    by = f" by {_name(names, source)}" if source not in (None, data.get("who")) else ""
    value = (data.get("data") or {}).get("value")
    much = f" {value}" if value else ""
    return f"{_who(data, names)} gains: {words(data['condition'])}{much}{by}"


def lost(data: Data, names: Names) -> str:
    """A condition ended."""
    why = f" ({words(data['reason'])})" if data.get("reason") else ""
    return f"{_who(data, names)} loses: {words(data['condition'])}{why}"


def answered(data: Data, names: Names) -> str:
    """An answer, and by whom."""
    by = {
        "standing-order": " by standing order",
        "default": " by default",
        "lapsed": ": the question has lapsed",
        "closed": ", closed by the GM",
    }.get(data.get("by", "caller"), "")
    who = "The GM" if data.get("who") is None else _who(data, names)
    asked = f", asked “{spoken(data['question'], names)}”, " if data.get("question") else " "
    answer = data.get("called") or words(data["option"]).capitalize()
    return f"{who}{asked}answers “{answer}”{by}"


def stopped(data: Data, names: Names) -> str:
    """What somebody was doing ended in its midst."""
    return _because(f"{_who(data, names)} is stopped in the midst of it", "doing", data, names)


def prevented(data: Data, names: Names) -> str:
    """What was chosen earlier is not legal any more."""
    return _because(f"What {_who(data, names)} has chosen does not happen", "action", data, names)


def _because(text: str, what: str, data: Data, names: Names) -> str:
    why = f": {spoken(data['detail'], names)}" if data.get("detail") else ""
    return f"{text} ({_called(data, what)}){why}"


def _called(data: Data, what: str) -> str:
    """An action as people call it (`called`), in the midst of a sentence."""
    return within(str(data.get("called") or words(data[what])))


def within(label: str) -> str:
    """A label in the midst of a sentence: "Cast a spell" -> "cast a spell"."""
    return label[:1].lower() + label[1:] if label[1:2].islower() else label


def ruled(data: Data, names: Names) -> str:
    """A ruling."""
    why = f": {data['reason']}" if data.get("reason") else ""
    inputs = data.get("inputs", {})
    whom = [_name(names, one) for one in ruled_on(inputs)]
    on = f" on {_listed(whom)}" if whom else ""
    ruling = inputs.get("ruling", "") if "targets" in inputs else data["ruling"]
    return f"The GM rules {words(ruling)}{on}{why}"


def ruled_on(inputs: Data) -> list[Id]:
    """Whom a ruling is about, by whatever name."""
    several = inputs.get("targets")
    if isinstance(several, list):
        return [one["combatant"] for one in several if isinstance(one, Mapping)]
    given = (inputs.get(name) for name in ("combatant", "who", "unit", "target"))
    who = next((one for one in given if one), None)
    return [one for one in (who if isinstance(who, list) else [who]) if isinstance(one, str)]


def _listed(texts: Sequence[str]) -> str:
    """a; a and b; a, b and c."""
    return " and ".join(part for part in (", ".join(texts[:-1]), *texts[-1:]) if part)


def marked(data: Data, names: Names) -> str:
    """A GM's word on somebody."""
    return f"{_who(data, names)} is marked: “{data['text']}”"


def unmarked(data: Data, names: Names) -> str:
    """A GM's word that is there no more."""
    return f"{_who(data, names)} is not marked any more: “{data.get('text', '')}”"


def reverted(data: Data, names: Names) -> str:
    """The present was changed."""
    why = f": {data['reason']}" if data.get("reason") else ""
    to = data["to"]
    did, usual = {
        "undo": ("takes back", f"what came after version {to}"),
        "redo": ("puts back", f"what was taken back, up to version {to}"),
    }.get(data.get("kind", "goto"), ("goes to", f"version {to}"))
    return f"The GM {did} {data.get('what') or usual}{why}"


def ended(data: Data, names: Names) -> str:
    """The end of the fight."""
    winners = ", ".join(data.get("winners", ()))
    why = f" ({data['reason']})" if data.get("reason") else ""
    return f"The fight ends; victorious: {winners or 'nobody'}{why}"


def noted(data: Data, names: Names) -> str:
    """A note."""
    text = str(data["text"])
    if not text or data.get("who") is None:
        return text
    name, id = _who(data, names), str(data["who"])
    if _begins(text, name):
        return text
    return name + text[len(id) :] if _begins(text, id) else f"{name}: {text}"


def _begins(text: str, name: str) -> bool:
    """Whether a text begins with this name, and not just with a word that begins like it."""
    return text.startswith(name) and not text[len(name) : len(name) + 1].isalnum()


def phase(data: Data, names: Names) -> str:
    """A part of the round, by the rulebook's label (`label`), and which."""
    first, *parts = str(data["phase"]).split("/")
    label = data.get("label") or words(first).capitalize()
    which = ", ".join(part if _is_number(part) else words(part) for part in parts)
    return f"{label}: {which}" if which else str(label)


def _is_number(text: str) -> bool:
    """Whether its dash is a minus sign."""
    return text.removeprefix("-").isdigit()


def on_turn(data: Data, names: Names) -> str:
    """Whose turn it is; `others` act with it."""
    everybody = [_who(data, names), *(_name(names, one) for one in data.get("others", ()))]
    return f"{_listed(everybody)} {'are' if len(everybody) > 1 else 'is'} on turn"


def by_who(text: str) -> Sentence:
    """A sentence about one combatant and perhaps who did it."""

    def tell(data: Data, names: Names) -> str:
        by = f" by {_name(names, data['by'])}" if data.get("by") else ""
        return f"{_who(data, names)} {text}{by}"

    return tell


def clock(data: Data, names: Names) -> str:
    """How long questions wait from now on."""
    found = data.get("deadlines")
    if found is None:
        return "The clock is set"
    kinds = ("turn", "declare", "reaction", "choice", "ruling")
    limits = [f"{kind} {found[kind]} s" for kind in kinds if found.get(kind)]
    limits += [f"{_name(names, who)} {time} s" for who, time in found.get("combatants", {}).items()]
    told = ", ".join(limits) or "questions wait for ever"
    return f"The clock is {'stopped' if found.get('stopped') else 'set'}: {told}"


def died(data: Data, names: Names) -> str:
    """A death, and whose work it is."""
    by = data.get("by")
    if by in (None, data.get("who")):
        return f"{_who(data, names)} dies"
    return f"{_name(names, by)} kills {_who(data, names)}"


def plain(text: str) -> Sentence:
    """A sentence with the event's fields in it."""
    return lambda data, names: text.format_map({"who_name": _who(data, names), **data})


_SENTENCES: Mapping[str, Sentence] = {
    "combat-opened": opened,
    "combatant-joined": lambda data, names: f"{data['name']} joins {data['side']}",
    "combatant-changed": changed,
    "combatant-left": by_who("leaves"),
    "labels-set": plain("The labels are set"),
    "map-set": plain("The map is set"),
    "standing-orders-set": by_who("has new standing orders"),
    "deadlines-set": clock,
    "salt-added": plain("{by} adds a salt to the dice"),
    "seed-committed": plain("New dice, with the commitment {commitment}"),
    "seed-revealed": plain("The seed of the dice is {seed}"),
    "combat-began": plain("The fight begins"),
    "combat-ended": ended,
    "initiative-set": order,
    "phase-began": phase,
    "round-began": plain("Round {round}"),
    "round-ended": plain("Round {round} ends"),
    "turn-began": on_turn,
    "turn-ended": by_who("ends the turn"),
    "procedure-abandoned": plain("A procedure is given up: {reason}"),
    "resumed": plain("The GM lets the fight go on"),
    "action-declared": declared,
    "prompted": lambda data, names: spoken(str(data["text"]), names),
    "answered": answered,
    "stopped": stopped,
    "prevented": prevented,
    "rolled": rolled,
    "judged": judged,
    "moved": moved,
    "budget-set": budget,
    "spent": spent,
    "damaged": damaged,
    "healed": healed,
    "track-changed": track_changed,
    "condition-gained": gained,
    "condition-lost": lost,
    "downed": by_who("is struck down"),
    "stabilized": by_who("is stabilized"),
    "died": died,
    "ruled": ruled,
    "roll-forced": forced,
    "marker-set": marked,
    "marker-removed": unmarked,
    "noted": noted,
    "reverted": reverted,
}
