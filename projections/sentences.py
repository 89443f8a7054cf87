"""Sentences for the log: each event as a player would report it, followed by the arithmetic.

An example is "Ann hits Bob: 14 (1d20) + 6 Accuracy = 20 against 18."
"""

import re
from collections.abc import Callable, Mapping, Sequence

from domain.engine.redaction import SOMEBODY
from domain.record.combat import Id, Json
from domain.rulebook.grid import written
from domain.rulebook.id_names import words
from domain.rulebook.pools import BEYOND_MAXIMUM
from projections.equations import dice, number, terms_after
from projections.vocabulary import (
    UNKNOWN,
    UNNAMED,
    Data,
    Names,
    Wording,
    ended,
    filled,
    infinitive,
    listed,
    plural,
    third_person,
    within,
)

Sentence = Callable[[Data, Wording], str]


def sentence(kind: str, data: Data, wording: Wording, rules: Sequence[str] = ()) -> str:
    """Return the sentence of the log for an event, or `""` if the log leaves it out.

    `data` has the event's fields as the reader receives them. In a note that a rule writes, ids of
    combatants become names. A note by a person stays unchanged.
    """
    if kind == "noted" and rules:
        told = by_phrase(data, wording)
        if told is not None:
            return ended(told)
        data = {**data, "text": wording.text(str(data.get("full") or data["text"]))}
    tell = _SENTENCES.get(kind)
    if kind in ("rolled", "judged"):
        data = {**data, "rules": rules}
    text = "" if tell is None else tell(data, wording)
    if text and (reason := data.get("by_ruling")):
        text = text.removesuffix(" (ruling)")
        text = f"By the GM's ruling{'' if reason is True else f' ({reason})'}, {text}"
    if text.startswith(f"{SOMEBODY} "):
        text = text[:1].upper() + text[1:]
    return ended(text)


def by_phrase(data: Data, wording: Wording) -> str | None:
    """Return a rule's note in the rulebook's phrase, or `None` if the rulebook has no phrase."""
    text = str(data.get("full") or data["text"])
    for pattern, template in wording.catalogue.phrases.notes.items():
        match = re.fullmatch(pattern, text)
        if match is not None:
            fields = {
                name: part.replace("-", "−") if part[:1] == "-" else _group(name, part, wording)
                for name, part in match.groupdict().items()
                if part
            }
            return filled(template, {**fields, "who": data.get("who")}, wording, None)[0]
    return None


def _group(name: str, text: str, wording: Wording) -> str:
    """Return one part of a note as text. In a `deed`, the action's label replaces its id."""
    text = wording.text(text)
    if name != "deed":
        return text
    labels = {words(id): label for (question, id), label in wording.labels.items() if not question}
    start = max((id for id in labels if f"{text} ".startswith(f"{id} ")), key=len, default="")
    rest = text.removeprefix(start).strip()
    return f"{within(labels[start])}{rest and f' ({rest})'}" if start else text


def spoken(text: str, names: Names) -> str:
    """Return a text of the rulebook, with names instead of ids."""
    return Wording(names).text(text)


def _who(data: Data, wording: Wording) -> str:
    return wording.name(data.get("who"))


# ---- rolls


def rolled(data: Data, wording: Wording) -> str:
    """Return the sentence of a roll, with its verdict, its sum and its target number."""
    text = _verdict(data, wording)
    sum_ = arithmetic(data)
    text = f"{text}: {sum_}" if sum_ else text
    outcome = str(data.get("outcome") or "")
    verdicts = wording.catalogue.phrases.verdicts
    is_said = outcome in _VERBS or (data["purpose"], outcome) in verdicts
    if outcome and not is_said and not _is_blow(data, wording):
        text = f"{text}: {words(outcome)}"
    return text + HANDS.get(data.get("by", "server"), "")


HANDS = {"manual": " (rolled by hand)", "gm": " (set by the GM)"}
"""The phrase after a roll that the service did not make."""


def arithmetic(data: Data) -> str:
    """Return the sum of a roll with its target number, or `""` if the reader gets no total."""
    sum_ = equation(data)
    if not sum_ or data.get("target") is None:
        return sum_
    derived = _derived(data)
    return f"{sum_} against {data['target']}{derived and f' ({derived})'}"


def equation(data: Data) -> str:
    """Return the sum of a roll, as far as the reader may know its parts."""
    faces, total = data.get("faces"), data.get("total")
    if faces is None:
        return "" if total is None else number(total)
    text, now = dice(str(data.get("formula", "")), faces)
    if total is None:
        return text
    if "terms" not in data and now != total:
        return f"{number(total)}, with {text} on the dice"
    text = terms_after(text, now, data.get("terms", ()), total)
    alone = f"{number(total)} ({data.get('formula')})"
    return text if text == alone else f"{text} = {number(total)}"


def _derived(data: Data) -> str:
    terms = data.get("target_terms", ())
    return terms_after("", 0, terms, data["target"]) if len(terms) > 1 else ""


def _verdict(data: Data, wording: Wording) -> str:
    """Return the sentence of a roll with its outcome, without the arithmetic."""
    who, purpose = _who(data, wording), str(data["purpose"])
    noun = _rolled(data, wording)
    outcome = str(data.get("outcome") or "")
    against = data.get("against")
    template = wording.catalogue.phrases.verdicts.get((purpose, outcome))
    if template is not None and (text := filled(template, data, wording, None)[0]):
        return text
    blow = _blow(outcome, wording)
    if blow and against is not None:
        words_ = [noun] if purpose != "attack" else []
        told = wording.catalogue.titles.get(f"outcome.{outcome}", words(outcome))
        words_ += [within(told)] if outcome not in PLAIN else []
        what = f" ({', '.join(words_)})" if words_ else ""
        return f"{who} {blow} {wording.name(against)}{what}"
    verb = _VERBS.get(outcome)
    return f"{_whose(who, noun)} {verb}" if verb else f"{who} rolls {_article(noun)}{noun}"


def _article(noun: str) -> str:
    """Return "an " or "a " for a roll of which a combatant may make many: a check or a save."""
    if not noun.endswith(("check", "save")):
        return ""
    return "an " if noun[:1].lower() in "aeio" else "a "  # "a Use Magic check"


def _rolled(data: Data, wording: Wording) -> str:
    """Return a noun for the roll, such as "Fortitude save against massive damage"."""
    phrases, purpose = wording.catalogue.phrases, str(data["purpose"])
    noun = phrases.roll(purpose)
    causes = (phrases.causes[rule] for rule in data.get("rules", ()) if rule in phrases.causes)
    return " ".join((noun, *causes))


def _whose(who: str, noun: str) -> str:
    if noun.startswith(("the ", "to ", "against ")):
        return f"{who}'s roll {noun if noun.startswith(('to ', 'against ')) else f'for {noun}'}"
    return f"{who}'s {noun}"


_VERBS = {
    "hit": "hits",
    "miss": "misses",
    "success": "succeeds",
    "saved": "succeeds",
    "failure": "fails",
    "failed": "fails",
    "won": "wins",
    "lost": "loses",
    "tied": "is tied",
    "holds": "holds",
    "none": "has no result",
    "critical": "confirms the critical hit",
    "foiled": "is foiled",
}


PLAIN = ("hit", "miss", "critical", "critical hit", "threat")
"""Outcomes that the verb of the sentence already reports."""


def _is_blow(data: Data, wording: Wording) -> bool:
    outcome = str(data.get("outcome") or "")
    return data.get("against") is not None and bool(_blow(outcome, wording))


def _blow(outcome: str, wording: Wording) -> str:
    """Return the outcome of a roll against a target, as a verb."""
    blows = wording.catalogue.blows
    if outcome in blows.threats:
        return "threatens a critical hit on"
    if outcome in blows.criticals:
        return "lands a critical hit on"
    if outcome in blows.hits:
        return "hits"
    return "misses" if outcome in blows.misses else ""


def forced(data: Data, wording: Wording) -> str:
    """Return the sentence about faces that the GM sets for the next roll.

    If that roll has other dice, the sentence explains that the faces do not apply.
    """
    noun = wording.catalogue.phrases.roll(str(data["purpose"]))
    what = f"{_who(data, wording)}'s next roll ({noun})"
    faces = " ".join(map(str, data["faces"]))
    if data.get("void"):
        return f"{what} has other dice ({data['void']}): {faces}, set by the GM, cannot fall"
    return f"The GM sets {what} to {faces}" if faces else f"The GM leaves {what} to the dice"


def judged(data: Data, wording: Wording) -> str:
    """Return the sentence about the final outcome of an earlier roll."""
    again = "still " if data.get("before") == data["outcome"] else "now "
    if not data.get("before"):
        again = ""
    total = f" {number(data['total'])}" if data.get("total") is not None else ""
    against = f" against {data['target']}" if total and data.get("target") is not None else ""
    noun = _rolled(data, wording)
    outcome = str(data["outcome"])
    template = wording.catalogue.phrases.verdicts.get((data["purpose"], outcome), "")
    text = filled(template, data, wording, None)[0] if template else ""
    if text and data.get("before") in (None, "", outcome):
        return f"{text}:{total}{against}".rstrip(":")
    verb = _VERBS.get(outcome)
    told = f"{again}{verb}" if verb else f"is {again}{words(outcome)}"
    return f"{_whose(_who(data, wording), noun)} {told}:{total}{against}".rstrip(":")


# ---- harm


def damaged(data: Data, wording: Wording) -> str:
    """Return the sentence about damage, its cause, and the points that remain."""
    source = data.get("source")
    if "amount" not in data:
        wound = words(str(data.get("wound", "hurt")))
        looks = "" if data.get("falls") else f", who looks {wound}"
        kind = harm_kind(data)
        if kind in wording.catalogue.phrases.harms and source == UNKNOWN:
            thing = wording.value("kind", kind)
            return f"{SOMEBODY} deals {_who(data, wording)} {thing} damage{looks}"
        if kind in wording.catalogue.phrases.harms:
            thing = wording.value("kind", kind, source)
            by = f" from {wording.name(source)}" if source not in (None, data.get("who")) else ""
            return f"{_who(data, wording)} takes {thing} damage{by}{looks.replace(', who', ' and')}"
        if source in (None, data.get("who")):
            return f"{_who(data, wording)} takes damage{looks.replace(', who', ' and')}"
        return f"{wording.name(source)} hurts {_who(data, wording)}{looks}"
    thing = harm_thing(data, wording)
    of = f" {thing}" if thing else ""
    by = f" from {wording.name(source)}" if source not in (None, data.get("who")) else ""
    amount, told = dealt(data), harm_sum(data)
    if amount != data["amount"]:
        data = {"limit": NOT_BELOW, **data}
    text = f"{_who(data, wording)} takes {amount}{of} damage{by}"
    if source == UNKNOWN:
        text = f"{SOMEBODY} deals {_who(data, wording)} {amount}{of} damage"
    parts = [told] if told else []
    pools = [_left(pool, wording) for pool in (data, data.get("second", {}))]
    left = ", ".join(pool for pool in pools if pool)
    parts += [left] if left else []
    return f"{text}: {'; '.join(parts)}" if parts else text


def harm_kind(data: Data) -> str:
    """Return the rulebook's kind of damage, or `""` if the damage has no kind."""
    return str(data.get("kind") or "").removesuffix("damage").strip()


def harm_thing(data: Data, wording: Wording) -> str:
    """Return a name for the kind of damage, its weapon or its spell, or `""` without one."""
    kind = harm_kind(data)
    return wording.value("kind", kind, data.get("source")) if kind != "ruling" else ""


def dealt(data: Data) -> int:
    """Return the points of damage before the pool limits them, or 0 if they are unknown."""
    terms, amount = data.get("terms", ()), int(data.get("amount", 0))
    if terms and terms[-1][0] in BEYOND and terms[-1][1] < 0 and "second" not in data:
        return amount - int(terms[-1][1])
    return amount


def harm_sum(data: Data) -> str:
    """Return the arithmetic of damage with its total.

    Return `""` if the damage has only one part, or if the reader does not know the parts.
    """
    if "amount" not in data:
        return ""
    amount, terms = dealt(data), list(data.get("terms", ()))
    if amount != data["amount"]:
        terms.pop()
    return f"{terms_after('', 0, terms, amount)} = {amount}" if len(terms) > 1 else ""


NOT_BELOW = "not below 0"
BEYOND = (NOT_BELOW, "beyond 0")
"""Sources of the last term of damage that exceeds the pool."""


def _left(data: Data, wording: Wording) -> str:
    """Return a pool before and after, as "HP 31 → 24"."""
    if not data.get("track"):
        return ""
    pool = wording.pool(str(data["track"]))
    if data.get("after") is None or data.get("before") is None:
        return pool
    limit = f" ({data['limit']})" if data.get("limit") else ""
    if data["before"] == data["after"]:
        return f"{pool} stays {number(data['after'])}{limit}"
    return f"{pool} {number(data['before'])} → {number(data['after'])}{limit}"


def healed(data: Data, wording: Wording) -> str:
    """Return the sentence about healing: the points, their effect, and the new value."""
    who, source = _who(data, wording), data.get("source")
    by_other = source not in (None, data.get("who"))
    if "amount" not in data:
        looks = words(str(data.get("wound", "better")))
        if by_other:
            return f"{wording.name(source)} heals {who}, who looks {looks}"
        return f"{who} is healed and looks {looks}"
    terms, amount = list(data.get("terms", ())), data["amount"]
    if terms and terms[-1][0] == BEYOND_MAXIMUM:
        data = {"limit": "not above the maximum", **data}
        amount -= terms.pop()[1]
    parts = [f"{terms_after('', 0, terms, amount)} = {amount}"] if len(terms) > 1 else []
    left = _left(data, wording)
    if not amount:
        return f"{who} gets nothing back: {left}" if left else f"{who} gets nothing back"
    text = f"{wording.name(source)} heals {who} by" if by_other else f"{who} gets back"
    return f"{text} {amount}: {'; '.join((*parts, left))}"


def track_changed(data: Data, wording: Wording) -> str:
    """Return the sentence about the new value or maximum of a pool."""
    if "value" not in data and "maximum" not in data and "wound" in data:
        return f"{_who(data, wording)} looks {words(str(data['wound']))}"
    pool = wording.pool(str(data["track"]))
    parts = []
    before, value = data.get("before"), data.get("value")
    if before is not None and value is not None and data.get("maximum") is None:
        why = f" ({wording.text(str(data['reason']))})" if data.get("reason") else ""
        return f"{_who(data, wording)}'s {pool}: {number(before)} → {number(value)}{why}"
    if value is not None:
        parts.append(f"is at {number(value)} {pool}")
    if data.get("maximum") is not None:
        parts.append(f"has at most {data['maximum']} {pool}")
    why = f" ({wording.text(str(data['reason']))})" if data.get("reason") else ""
    return f"{_who(data, wording)} {' and '.join(parts) or f'has other {pool}'}{why}"


def gained(data: Data, wording: Wording) -> str:
    """Return the sentence about the start of a condition."""
    begins = begun(data, wording)
    return f"{_who(data, wording)} {begins}{_caused(begins, data, wording)}"


def _caused(begins: str, data: Data, wording: Wording) -> str:
    """Return the cause of a condition, or "" if its words already name it."""
    source = data.get("source")
    if source in (None, data.get("who")) or wording.name(source) in begins:
        return ""
    is_done_to = begins.startswith("is ") and begins.endswith("ed") and "-" not in begins
    how = "by" if is_done_to else "from" if begins.startswith("has ") else "because of"
    return f" {how} {wording.name(source)}"


def begun(data: Data, wording: Wording) -> str:
    """Return the phrase about a combatant that gains a condition."""
    return _condition(data, wording, 0) or f"is {words(data['condition'])}"


def over(data: Data, wording: Wording) -> str:
    """Return the phrase about a combatant that loses a condition, or `""` for an empty phrase."""
    phrases = wording.catalogue.phrases.conditions.get(data["condition"])
    if phrases is not None and not phrases[1]:
        return ""
    return _condition(data, wording, 1) or f"is no longer {words(data['condition'])}"


def _condition(data: Data, wording: Wording, which: int) -> str:
    phrases = wording.catalogue.phrases.conditions.get(data["condition"])
    if phrases is None:
        return ""
    key = data.get("key")
    fields = {"key": key} if key in wording.names else {}
    fields |= data.get("data") or {}
    return filled(phrases[which], fields, wording, data.get("who"))[0].strip()


def lost(data: Data, wording: Wording) -> str:
    """Return the sentence about the end of a condition."""
    ends = over(data, wording)
    return f"{_who(data, wording)} {ends}" if ends else ""


def states(data: Data, wording: Wording) -> str:
    """Return the sentence about the fall, the death and the conditions that one blow causes."""
    told = []
    for event in data["states"]:
        is_gain = event["event"] == "condition-gained"
        told.append((begun if is_gain else over)(event, wording))
    texts = _is_once([text for text in told if text])
    who, by = _who(data, wording), data.get("by")
    by_other = by not in (None, data.get("who"))
    fate = data["fate"]
    if fate and by_other:
        verb, object = _FATES[fate][0], f" {who}"
        end = " down" if fate == "downed" else ""
        text = f"{wording.name(by)} {verb}{object}{end}"
        return f"{text}; {who} {_in_a_row(texts)}" if texts else text
    if fate:
        return f"{who} {_in_a_row([_FATES[fate][1], *texts])}"
    return f"{who} {_in_a_row(texts)}{_caused(', '.join(texts), data, wording)}" if texts else ""


_FATES = {
    "died": ("kills", "dies"),
    "downed": ("brings", "goes down"),
    "stabilized": ("stabilizes", "is stable"),
}


def _in_a_row(texts: Sequence[str]) -> str:
    """Return predicates in a row: "is unconscious and exposed, and falls prone"."""
    if len(texts) > 2 and any(" and " in text for text in texts):
        return f"{', '.join(texts[:-1])}, and {texts[-1]}"
    return listed(texts)


def _is_once(texts: list[str]) -> list[str]:
    """Merge predicates under one "is" or "is no longer": "is unconscious, exposed and helpless"."""
    merged: dict[str, list[str]] = {}
    for text in texts:
        start = next((start for start in STARTS if text.startswith(start)), text)
        merged.setdefault(start, []).append(text.removeprefix(start))
    row: list[str] = []
    for start, ends in merged.items():
        ending = "or" if start == "is no longer " else "and"
        row.append(f"{start}{listed(list(dict.fromkeys(ends)), ending)}" if any(ends) else start)
    return row


STARTS = ("is no longer ", "is ")
"""Beginnings that several predicates share."""


def shared(data: Data, wording: Wording) -> str:
    """Return the sentence about one state of several combatants."""
    told = begun(data, wording) if data["event"] == "condition-gained" else over(data, wording)
    everybody = [wording.name(who) for who in (data["who"], *data["others"])]
    return f"{listed(everybody)} {plural(told)}" if told else ""


def fallen(fate: str) -> Sentence:
    """Return a function that makes the sentence of this fall, death or rescue."""
    return lambda data, wording: states({**data, "states": (), "fate": fate}, wording)


def mutual(data: Data, wording: Wording) -> str:
    """Return the sentence about a condition that two combatants cause each other."""
    both = f"{_who(data, wording)} and {wording.name(data['source'])}"
    return f"{both} are {begun(data, wording).removeprefix('is ')}"


# ---- setting up


def opened(data: Data, wording: Wording) -> str:
    """Return the sentence about the opening of a combat, with the rulebook's `title`.

    For a fork, it names the combat that the fork continues.
    """
    forked = data.get("forked_from")
    origin = f", continuing combat {forked[0]} from its version {forked[1]}" if forked else ""
    return f"{data['name']}: a fight under {data.get('title') or data['ruleset']} opens{origin}"


def changed(data: Data, wording: Wording) -> str:
    """Return the sentence about the changes of a sheet that the reader may know."""
    parts = []
    if data.get("name") is not None:
        parts.append(f"is now called {data['name']}")
    if data.get("side") is not None:
        parts.append(f"is now on the side {data['side']}")
    if data.get("owner") is not None:
        parts.append(f"is now played by {data['owner']}")
    if data.get("hidden") is not None:
        gone = "is out of sight" if data.get("vanishes") else "is now hidden"
        parts += [gone] if data["hidden"] else _shown(data, wording)
    if data.get("sheet"):
        parts.append(f"has a new sheet ({', '.join(words(name) for name in data['sheet'])})")
    return f"{_who(data, wording)} {listed(parts)}" if parts else ""


def _shown(data: Data, wording: Wording) -> list[str]:
    """Return phrases about a combatant that comes out of hiding.

    They contain its side and its square, and the conditions that others can see.
    """
    side, position = data.get("from_side"), data.get("position")
    if side is None:
        return ["is no longer hidden"]
    at = f" at {written(position)}" if position else ""
    states = [begun({**data, "condition": id}, wording) for id in data.get("conditions", ())]
    return [f"comes out of hiding{at}, on the side of {side_of(str(side))}", *_is_once(states)]


def clock(data: Data, wording: Wording) -> str:
    """Return the sentence about the new time limits of prompts."""
    deadlines = data.get("deadlines")
    if deadlines is None:
        return "The deadlines are set"
    kinds = ("turn", "declare", "reaction", "choice", "ruling")
    limits = [f"{kind} {deadlines[kind]} s" for kind in kinds if deadlines.get(kind)]
    own = deadlines.get("combatants", {})
    limits += [f"{wording.name(who)} {time} s" for who, time in own.items()]
    told = ", ".join(limits) or "prompts wait for ever"
    return f"The deadlines are {'stopped' if deadlines.get('stopped') else 'set'}: {told}"


# ---- actions and answers


def declared(data: Data, wording: Wording) -> str:
    """Return the sentence of an action and its cost.

    It uses the rulebook's sentence, or else the action's label with its inputs.
    """
    action, inputs = str(data["action"]), data.get("inputs", {})
    phrases = wording.catalogue.phrases
    answer = phrases.answers.get((str(data.get("name", "")), action), "")
    text = ""
    if data.get("declares"):
        text = _intended(
            done(phrases.actions.get(action, ""), data, inputs, wording), data, wording
        )
    if data.get("declares") and action in phrases.actions and not text:
        usual = data.get("usual", {})
        given = {key: value for key, value in inputs.items() if value != usual.get(key, ())}
        given = {key: value for key, value in given.items() if value != 0}
        more = wording.details(given, data.get("who"))
        called = within(str(data.get("called") or wording.label(action)))
        text = f"{_who(data, wording)} declares: {called}{more and f' ({more})'}"
    text = text or done(phrases.actions.get(action) or answer, data, inputs, wording)
    text = text or _unaimed(phrases.actions.get(action, ""), data, inputs, wording)
    if not text:
        label = str(data.get("called") or wording.label(action))
        more = wording.details(inputs, data.get("who"))
        text = f"{_who(data, wording)} {third_person(label)}{more and f' ({more})'}"
    if data.get("begins"):
        text = _begun(text, data, wording) or text
    if data.get("changes"):
        text = f"Changed: {text}"
    cost = wording.costs(data["paid"]) if data.get("paid") else ""
    return f"{text} ({cost})" if cost else text


def _intended(text: str, data: Data, wording: Wording) -> str:
    """Return an intention: "Ann charges Bob" -> "Ann means to charge Bob"."""
    return _as_infinitive(text, "means to", data, wording)


def _begun(text: str, data: Data, wording: Wording) -> str:
    """Return an action that is not finished: "Ann moves" -> "Ann starts to move"."""
    return _as_infinitive(text, "starts to", data, wording)


def _as_infinitive(text: str, verb: str, data: Data, wording: Wording) -> str:
    """Return the action as an infinitive, or `""` if the text lacks a name and a verb."""
    who = _who(data, wording)
    deed, blank, rest = text.removeprefix(f"{who} ").partition(" ")
    if not text.startswith(f"{who} ") or not deed.isalpha() or deed in ("tries", "wants"):
        return ""
    return f"{who} {verb} {infinitive(deed)}{blank}{rest}"


def _unaimed(template: str, data: Data, inputs: Data, wording: Wording) -> str:
    """Return an action at a combatant that the reader does not know, or ""."""
    aims = [role for role in ("target", "ward") if f"{{{role}}}" in REQUIRED.sub("", template)]
    unknown = {role: SOMEBODY for role in aims if role not in inputs}
    return done(template, data, {**inputs, **unknown}, wording) if unknown else ""


def done(template: str, data: Data, inputs: Data, wording: Wording) -> str:
    """Return the filled template, followed by the inputs that it does not contain.

    Return `""` if a required field of the template has no value.
    """
    who = data.get("who")
    given = {("who_" if key == "who" else key): value for key, value in inputs.items()}
    if template.startswith("{who} ") and who is not None:
        given = {key: _oneself(key, value, who) for key, value in given.items()}
    if isinstance(given.get("action"), str) and isinstance(given.get("inputs"), Mapping):
        given["action"] = {"action": given["action"], "inputs": given.pop("inputs")}
    usual = data.get("usual", {})
    asked = data.get("asked") or {}
    fields = {**asked, **given, "who": who, **_option(data)}
    text, used = filled(template, fields, wording, who, usual)
    if not text:
        return ""
    shown = {field for key in used for field in (key, *_SAME.get(key, ()))}
    left = {key for key in given.keys() - shown if given[key] != usual.get(key, ())}
    more = wording.details({key: given[key] for key in given if key in left}, who)
    text = text.rstrip(": ")
    return f"{text} ({more})" if more else text


def _oneself(key: str, value: Json, who: Id) -> Json:
    """Return "itself" for a target that acts: "Ann casts Mend on itself"."""
    if key not in ("target", "targets"):
        return value
    if isinstance(value, list | tuple):
        return ["itself" if target == who else target for target in value]
    return "itself" if value == who else value


_SAME = {
    "to": ("path", "distance_ft"),
    "path": ("to", "distance_ft"),
    "targets": ("target",),
    "spell": ("weapon",),
    "ability": ("weapon",),
}
"""Inputs that repeat another input, or do not matter beside it."""


def _option(data: Data) -> Data:
    return {"option": data["option"]} if "option" in data else {}


def answered(data: Data, wording: Wording) -> str:
    """Return the sentence of an answer and its author.

    It uses the rulebook's sentence, or else the question with its answer.
    """
    by = {
        "standing-order": " (standing order)",
        "default": " (by default)",
        "lapsed": " (lapsed)",
        "time": " (time is up)",
        "left": " (has left)",
        "moot": " (not asked any more)",
        "closed": " (closed by the GM)",
    }.get(data.get("because") or data.get("by", "caller"), "")
    question, option = str(data.get("name", "")), str(data["option"])
    phrases = wording.catalogue.phrases
    for key in ((question, option), (question, "*")):
        if key in phrases.answers:
            text = done(phrases.answers[key], data, data.get("inputs", {}), wording)
            if not text and "{" not in REQUIRED.sub("", phrases.answers[key]):
                return ""  # the rulebook has an empty sentence
            if text:
                return _changed(data, text[:1].upper() + text[1:] + _unasked(by))
    if option in phrases.actions:
        text = done(phrases.actions[option], data, data.get("inputs", {}), wording)
        if text:
            return _changed(data, text + _unasked(by))
    asking, faces = wording.text(data.get("question") or ""), data.get("inputs", {}).get("faces")
    if option == "roll" and not faces and " rolls " in asking:
        return asking
    if faces and " rolls " in asking:
        thrown = listed([str(face) for face in faces])
        return asking.replace(" rolls ", f" rolls {thrown} on ", 1)
    label = data.get("called") or wording.value("option", option) or option
    who = "The GM" if data.get("who") is None else _who(data, wording)
    asked = f" to “{asking}”" if asking else ""
    more = wording.details(data.get("inputs", {}), data.get("who"))
    said = f"{label[:1].upper()}{label[1:]}{more and f': {more}'}"
    return _changed(data, f"{who} answers “{said}”{asked}{by}")


def _unasked(by: str) -> str:
    """Return the author of an answer without "(by default)"."""
    return by.replace(" (by default)", "")


REQUIRED = re.compile(r"\[[^\]]*\]")


def side_of(side: str) -> str:
    """Return a side in a sentence: "the bandits", but "Anna's friends"."""
    return f"the {side}" if side[:1].islower() else side


def _changed(data: Data, text: str) -> str:
    return f"Changed: {text}" if data.get("changes") else text


def is_untold(data: Data, wording: Wording) -> bool:
    """Return true if the rulebook leaves this answer out of the story."""
    return wording.catalogue.phrases.answers.get((data.get("name", ""), data["option"])) == ""


def stopped(data: Data, wording: Wording) -> str:
    """Return the sentence about an action that stopped before its end."""
    return _because(f"{_who(data, wording)} does not finish", "doing", data, wording)


def prevented(data: Data, wording: Wording) -> str:
    """Return the sentence about a choice that is no longer legal.

    An example is "Ann does not charge Bob: Bob is dead".
    """
    action = str(data["action"])
    why = f": {wording.text(data['detail'])}" if data.get("detail") else ""
    template = wording.catalogue.phrases.actions.get(action, "")
    deed = done(template, data, data.get("inputs", {}), wording) if template else ""
    if told := _as_infinitive(deed, "does not", data, wording):
        return f"{told}{why}"
    what = within(str(data.get("called") or words(action)))
    return f"{_who(data, wording)} had chosen “{what}”, which does not happen{why}"


def resolved(data: Data, wording: Wording) -> str:
    """Return the sentence about the result of a spell or an activity.

    It uses the rulebook's phrase, or else a general phrase.
    """
    effect, kind, result = str(data["effect"]), str(data["kind"]), str(data["result"])
    phrases = {**_RESULTS, **wording.catalogue.phrases.results}
    keys = ((effect, result), (kind, result), ("", result))
    template = next((phrases[key] for key in keys if key in phrases), "{who}: {name} ({result})")
    key = kind if kind in UNNAMED else ""
    name = data.get("name") or wording.value(key, effect, data["who"]).removeprefix("the ")
    others = [target for target in data.get("targets", ()) if target != data["who"]]
    fields = {
        **data.get("data", {}),
        **data.get("numbers", {}),
        **data,
        "name": name,
        "targets": others,
        "by": data.get("by"),
        "detail": wording.text(str(data.get("detail") or "")),
        "text": "",
    }
    said = str(data.get("text") or "")
    if said and result == "ruled":
        return said if _begins(said, _who(data, wording)) else f"{_who(data, wording)}: {said}"
    text = filled(template, fields, wording, data.get("who"))[0]
    unnamed = UNNAMED.get(key, "")
    return text.replace(f"'s {unnamed}", f"'s {kind}") if name == unnamed else text


_DEALT = ": {dealt} damage − {hardness} hardness = {damage}"
"""The template for the damage to an object with hardness."""

_RESULTS = {
    ("", "cast"): "{who} completes {name}[, directed at {targets|object|square}]",
    ("", "done"): "{who}'s {name} takes effect[ on {targets|object}]",
    ("activity", "done"): "{who} is done: {name}[ ({item})]",
    ("action", "done"): "{who} completes what was begun: {name}",
    ("", "partly-done"): "{who} is done with a part: {name}",
    ("", "postponed"): "{who} goes on later: {name}",
    ("", "ended"): "{who}'s {name} ends[: {detail}]",
    ("", "lost"): "{who}'s {name} is lost[: {detail}]",
    ("activity", "lost"): "{who} does not finish: {name}[ ({detail})]",
    ("", "failed"): "{who}'s {name} fails[: {detail}]",
    ("", "countered"): "{who}'s {name} is countered[ by {by}]",
    ("", "no-effect"): "{who}'s {name} has no effect[: {detail}]",
    ("", "damaged"): f"[{{by}} damages ]{{who}}'s {{name}}{_DEALT}[, {{left}} left]"
    "||[{by} damages ]{who}'s {name}[: {damage} damage][, {left} left]",
    ("", "broken"): f"[{{by}} breaks ]{{who}}'s {{name}}{_DEALT}"
    "||[{by} breaks ]{who}'s {name}[: {damage} damage]",
    ("", "intact"): f"{{who}}'s {{name}} is intact{_DEALT}||{{who}}'s {{name}} is intact",
}
"""Phrases for results by effect or kind and result, for rulebooks without their own."""


def _because(text: str, what: str, data: Data, wording: Wording) -> str:
    called = within(str(data.get("called") or words(data[what])))
    why = f": {wording.text(data['detail'])}" if data.get("detail") else ""
    return f"{text} (“{called}”){why}"


def moved(data: Data, wording: Wording) -> str:
    """Return the sentence about a movement."""
    if not data["path"]:
        return f"{_who(data, wording)} leaves the grid"
    steps = len(data["path"])
    where = written(data["path"][-1])
    far = f", {steps} squares" if steps > 1 and not data.get("forced") else ""
    verb = "is moved to" if data.get("forced") else "moves to"
    mode = f" ({words(data['mode'])})" if data.get("mode") not in (None, "", "walk") else ""
    return f"{_who(data, wording)} {verb} {where}{far}{mode}"


def spent(data: Data, wording: Wording) -> str:
    """Return the sentence about a payment."""
    return (
        f"{_who(data, wording)} spends {wording.costs(data['what'], counted=True)}"
        if data.get("what")
        else ""
    )


def budget(data: Data, wording: Wording) -> str:
    """Return the sentence about a budget, or `""` for the budget of a foe."""
    if "budget" not in data:
        return ""
    what = wording.costs({k: left for k, left in data["budget"].items() if left}, counted=True)
    return f"{_who(data, wording)} has {what or 'no action left'}"


# ---- rounds, turns and phases


def order(data: Data, wording: Wording) -> str:
    """Return the sentence about the order of the remaining turns."""
    sides = [side_of(side) for side in data.get("sides", ())]
    if len(sides) > 1:
        return f"The order is {', then '.join(sides)}"
    turns = [wording.name(place["who"]) for place in data["order"]]
    return f"The order is {', '.join(turns)}" if turns else "Nobody is left to act"


def phase(data: Data, wording: Wording) -> str:
    """Return the sentence of a phase, from the rulebook's phrase or label, or `""` without one."""
    name = str(data["phase"])
    first, *parts = name.split("/")
    phrases = wording.catalogue.phrases.phases
    template = phrases.get(name, phrases.get(f"{first}/" if parts else first, phrases.get(first)))
    if template is not None:
        values = {str(at): side_of(part) for at, part in enumerate(parts, 1)}
        text = filled(template, values, wording, None)[0] if template else ""
        turns = [wording.name(who) for who in data.get("turns", ())]
        return f"{text}: {listed(turns)}" if turns else text
    label = data.get("label") or wording.catalogue.phases.get(first) or words(first).capitalize()
    which = ", ".join(part if _is_number(part) else words(part) for part in parts)
    return f"{label}: {which}" if which else str(label)


def _is_number(text: str) -> bool:
    """Return true if the dash of this text is a minus sign."""
    return text.removeprefix("-").isdigit()


def on_turn(data: Data, wording: Wording) -> str:
    """Return the sentence about the beginning of a turn. `others` also act in this turn."""
    everybody = [wording.name(who) for who in (data.get("who"), *data.get("others", ()))]
    if len(everybody) > 1:
        return f"It is the turn of {listed(everybody)}"
    return f"It is {everybody[0]}'s turn"


def concluded(data: Data, wording: Wording) -> str:
    """Return the sentence about the end of the combat."""
    winners = listed([side_of(str(side)) for side in data.get("winners", ())])
    why = f" ({wording.text(str(data['reason']))})" if data.get("reason") else ""
    return f"The fight ends; {f'{winners} won' if winners else 'nobody won'}{why}"


# ---- the GM


def ruled(data: Data, wording: Wording) -> str:
    """Return the sentence of a ruling, with its combatants and the values that it sets."""
    why = f": {data['reason']}" if data.get("reason") else ""
    inputs = data.get("inputs", {})
    whom = [wording.name(who) for who in ruled_on(inputs)]
    on = f" on {listed(whom)}" if whom else ""
    ruling = str(inputs.get("ruling", "") if "targets" in inputs else data["ruling"])
    about = {key: value for key, value in inputs.items() if key not in _WHOM}
    inner = about.pop("inputs", None)
    about |= inner if isinstance(inner, Mapping) else {}
    label = within(str(data.get("called") or words(ruling)))
    more = _unlabelled(about, label, wording)
    return f"The GM rules{on}: {label}{more and f' ({more})'}{why}"


def _unlabelled(about: Data, label: str, wording: Wording) -> str:
    """Return the inputs of a ruling as text.

    A single input that is an amount, or that the label already names, appears without its field
    name.
    """
    given = {key: value for key, value in about.items() if value not in (None, "", [], {}, False)}
    if len(given) == 1:
        ((key, value),) = given.items()
        if key == "amount" or key in label.split():
            return wording.value(key, value)
    return wording.details(about)


_WHOM = ("combatant", "who", "unit", "target", "targets", "ruling")


def several(inputs: Data) -> list[Data]:
    """Return the targets of a ruling for several combatants, each with its own inputs."""
    targets = inputs.get("targets")
    if not isinstance(targets, list | tuple):
        return []
    return [target for target in targets if isinstance(target, Mapping)]


def ruled_on(inputs: Data) -> list[Id]:
    """Return the combatants that a ruling names, in any of its fields."""
    if targets := several(inputs):
        named: Json = [target.get("combatant") for target in targets]
        return [name for name in named if isinstance(name, str)]
    given = (inputs.get(name) for name in ("combatant", "who", "unit", "target"))
    who: Json = next((name for name in given if name), None)
    named = who if isinstance(who, list) else [who]
    return [name for name in named if isinstance(name, str)]


def reverted(data: Data, wording: Wording) -> str:
    """Return the sentence about an undo, a redo, a goto or the start of an amendment."""
    why = f": {data['reason']}" if data.get("reason") else ""
    to = data["to"]
    kind = data.get("kind", "goto")
    if kind == "goto" and data.get("is_step_back"):
        kind = "undo"
    did, usual = {
        "undo": ("takes back", f"what came after version {to}"),
        "redo": ("puts back", f"what was taken back, up to version {to}"),
        "amend": ("changes the past from", f"version {to} on"),
    }.get(kind, ("goes to", f"version {to}"))
    return f"The GM {did} {data.get('what') or usual}{why}"


def amended(data: Data, wording: Wording) -> str:
    """Return the sentence about an amendment, with the changed commands in words."""
    return f"The GM {listed(data.get('told') or ['changes the past'])}"


_REQUESTS = {"undo": "an undo", "ruling": "a ruling", "pause": "a pause"}


def requested(data: Data, wording: Wording) -> str:
    """Return the sentence about a player's request."""
    why = f": {data['text']}" if data.get("text") else ""
    return f"{_who(data, wording)} asks for {_REQUESTS[data['kind']]}{why}"


def settled(data: Data, wording: Wording) -> str:
    """Return the sentence about the GM's answer to a request."""
    why = f": {data['text']}" if data.get("text") else ""
    why = "" if data.get("said") else why
    did = "grants" if data["granted"] else "declines"
    return f"The GM {did} {_who(data, wording)} {_REQUESTS[data['kind']]}{why}"


def noted(data: Data, wording: Wording) -> str:
    """Return the sentence of a note, which begins with the name of its combatant."""
    text = str(data["text"])
    if not text or data.get("who") is None:
        return text
    name, id = _who(data, wording), str(data["who"])
    if _begins(text, name):
        return text
    if _begins(text, id):
        return name + text[len(id) :]
    return f"{name}: {text}"


def _begins(text: str, name: str) -> bool:
    """Return true if the text begins with this name, followed by the end of a word."""
    return text.startswith(name) and not text[len(name) : len(name) + 1].isalnum()


def by_who(text: str) -> Sentence:
    """Return a function that makes a sentence: a combatant, `text` and, if known, the cause."""

    def tell(data: Data, wording: Wording) -> str:
        by = f" by {wording.name(data['by'])}" if data.get("by") else ""
        return f"{_who(data, wording)} {text}{by}"

    return tell


def plain(text: str) -> Sentence:
    """Return a function that fills the template `text` with the event's fields."""
    return lambda data, wording: text.format_map(data)


_SENTENCES: Mapping[str, Sentence] = {
    "combat-opened": opened,
    "combatant-joined": lambda data, wording: f"{data['name']} joins {side_of(data['side'])}",
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
    "combat-ended": concluded,
    "initiative-set": order,
    "phase-began": phase,
    "round-began": plain("Round {round}"),
    "round-ended": plain("Round {round} ends"),
    "turn-began": on_turn,
    "turn-ended": by_who("ends the turn"),
    "procedure-abandoned": plain("The GM gives up what the rules were doing: {reason}"),
    "resumed": plain("The GM lets the fight go on"),
    "action-declared": declared,
    "prompted": lambda data, wording: wording.text(str(data.get("full") or data["text"])),
    "prompt-changed": lambda data, wording: wording.text(str(data.get("full") or data["text"])),
    "answered": answered,
    "stopped": stopped,
    "prevented": prevented,
    "effect-resolved": resolved,
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
    "downed": fallen("downed"),
    "stabilized": fallen("stabilized"),
    "died": fallen("died"),
    "states": states,
    "several": shared,
    "mutual": mutual,
    "ruled": ruled,
    "roll-forced": forced,
    "marker-set": lambda data, wording: f"{_who(data, wording)} is marked “{data['text']}”",
    "marker-removed": lambda data, wording: (
        f"{_who(data, wording)} is no longer marked “{data.get('text', '')}”"
    ),
    "noted": noted,
    "reverted": reverted,
    "amended": amended,
    "requested": requested,
    "request-settled": settled,
}
