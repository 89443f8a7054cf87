"""The service's answers to a model, in short lines of plain English."""

from __future__ import annotations

import json
from typing import Any, Final

from affray_client import Problem, dice_of, shapes

MOST_CANDIDATES: Final = 8
"""Values listed for each input; a move alone may have dozens."""


def problem(refused: Problem) -> str:
    """Return a refusal: the reason, the rule, the field, and the accepted values."""
    lines = [f"Refused: {refused.detail}"]
    if refused.rule:
        lines.append(f"Rule: {refused.rule} ({refused.reason})")
    if refused.pointer:
        lines.append(f"Field: {refused.pointer}")
    if refused.allowed:
        lines.append(f"Allowed: {', '.join(refused.allowed)}")
    if refused.successor:
        lines.append(f"This prompt is closed. Answer {refused.successor} instead.")
    return "\n".join(lines)


def allowed(offers: shapes.OfferList) -> str:
    """Return the legal options in one line each, without rulings."""
    legal = [_option(offer) for offer in offers.options if offer.legal and offer.kind != "ruling"]
    return "Allowed now:\n" + ("\n".join(legal) or "nothing: somebody else must act first")


def rulebooks(listed: shapes.RulesetList) -> str:
    lines = []
    for ruleset in listed.rulesets:
        lines.append(f"{ruleset.id}: {ruleset.title}. {ruleset.summary}")
        lines += [f"  party {party.id}: {party.name}. {party.about}" for party in ruleset.parties]
    return "\n".join(lines)


def rulebook(ruleset: shapes.RulesetView) -> str:
    parts = {"sheet": ruleset.sheet, "options": ruleset.options, "map": ruleset.map}
    schemas = [f"Schema of {name}:\n{_json(schema)}" for name, schema in parts.items()]
    parties = [f"party {party.id}: {party.name}. {party.about}" for party in ruleset.parties]
    example = [f"A ready sheet:\n{_json(party.sheets[0])}" for party in ruleset.parties[:1]]
    return "\n\n".join(
        [f"{ruleset.title}. {ruleset.summary}", "\n".join(parties), *example, *schemas]
    )


def board(view: shapes.Board) -> str:
    """Return the current state of the fight."""
    lines = [f"{view.name}, {view.ruleset}. Status: {view.status}, round {view.round}."]
    lines.append(f"You are: {view.you.role}. Acting: {', '.join(view.acting) or 'nobody'}.")
    if view.winners:
        lines.append(f"Winners: {', '.join(view.winners)}")
    lines += [_combatant(combatant) for combatant in view.combatants]
    return "\n".join([*lines, "", prompts(view)])


def _combatant(combatant: shapes.CombatantView) -> str:
    parts = [f"{combatant.id} ({combatant.side})" + ("" if combatant.in_fight else ", out of it")]
    if combatant.name != combatant.id:
        parts[0] = f"{combatant.name}, id {parts[0]}"
    parts += [f"{name} {_track(track)}" for name, track in combatant.tracks.items()]
    if combatant.wound:
        parts.append(f"looks {combatant.wound}")
    if combatant.position:
        parts.append(f"at {list(combatant.position)}")
    parts += [condition.id for condition in combatant.conditions]
    if combatant.hidden:
        parts.append("hidden")
    return "- " + "; ".join(parts)


def _track(track: shapes.Track) -> str:
    return f"{track.value}" if track.maximum is None else f"{track.value}/{track.maximum}"


def prompts(view: shapes.Board) -> str:
    """Return the open prompts, and whom they ask."""
    if view.status == "ended":
        return f"The fight has ended. Winners: {', '.join(view.winners) or 'nobody'}."
    if view.status == "opening":
        return "The fight has not begun: call `begin`."
    waiting = [p for p in view.prompts if p.answer is None and not p.suspended]
    if not waiting:
        return "No prompt is open for you."
    return "\n".join(["Open prompts:", *(_prompt(prompt) for prompt in waiting)])


def _prompt(prompt: shapes.PromptView) -> str:
    line = f"- {prompt.id} ({prompt.kind}) for {prompt.who or 'the GM'}: {prompt.text}"
    if prompt.kind == "roll":
        dice = dice_of(prompt)
        ranges = ", ".join(f"{die.minimum}–{die.maximum}" for die in dice.dice)
        return f"{line} Roll by hand ({dice.formula}): answer with faces in the ranges {ranges}."
    return f"{line} Options: {', '.join(prompt.options)}."


def options(offers: shapes.OfferList, *, rulings: bool) -> str:
    """Return the options, each with its inputs."""
    shown = [offer for offer in offers.options if rulings or offer.kind != "ruling"]
    lines = [_option(offer) for offer in shown]
    used = sorted(
        {o.inputs for o in shown if o.legal and not o.examples and o.inputs in offers.schemas}
    )
    schemas = [f"Inputs {name}: {_json(offers.schemas[name])}" for name in used]
    if len(shown) < len(offers.options):
        lines.append("Rulings are left out: ask for them with rulings=true.")
    return "\n".join([*lines, *schemas]) or "Nothing may be done now."


def _option(offer: shapes.OfferView) -> str:
    if offer.prompt is not None:
        where = f"answer prompt={offer.prompt} option={offer.id}"
    elif offer.kind == "ruling":
        where = f"rule ruling={offer.id}"
    else:
        where = f"act combatant={offer.who} action={offer.id}"
    line = f"- {where}: {offer.headline or offer.label}"
    if offer.cost:
        line += f" [{offer.cost}]"
    if not offer.legal:
        whys = [f"{why.detail} ({why.rule})" if why.rule else why.detail for why in offer.refusals]
        return f"{line} NOT ALLOWED: {'; '.join(whys)}"
    if not offer.examples:
        return f"{line} inputs: as schema {offer.inputs}"
    line += f" inputs: {_json(offer.examples[0])}"
    others = {
        name: values[:MOST_CANDIDATES]
        for name, values in offer.candidates.items()
        if len(values) > 1 and name in offer.essential
    }
    more = any(len(offer.candidates[name]) > MOST_CANDIDATES for name in others)
    return line + (f" also: {_json(others)}{' and more' if more else ''}" if others else "")


def log(timeline: shapes.Timeline) -> str:
    """Return a page of the log, oldest entry first. The page itself has the newest first."""
    lines = []
    for entry in reversed(timeline.entries):
        undone = " (undone)" if entry.undone else ""
        for line in entry.lines:
            rules = f" ({', '.join(line.rules)})" if line.rules else ""
            lines.append(f"{line.text}{rules}{undone}")
    return "\n".join(lines)


def why(explanation: shapes.Why) -> str:
    """Return a chain of events with the value after each."""
    lines = []
    for step in explanation.steps:
        value = "" if step.value is None else f" → {step.value}"
        rules = f" ({', '.join(step.rules)})" if step.rules else ""
        lines.append(f"{step.text}{value}{rules}")
        lines += [f"  because: {because}" for because in step.because]
        lines += [f"  {word}" for word in (step.reason, step.note) if word]
    return "\n".join(lines) or "Nothing has changed it."


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
