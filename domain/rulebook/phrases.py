"""Phrases: the sentences in which the log tells a rulebook's actions, answers and conditions.

A sentence is a template. `{target}` stands for a field in words, `{to|path}` for the first of
several fields that says something. A part in brackets is left out when a field in it says nothing.
What follows `||` is said when what stands before it comes to nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Phrases:
    """A rulebook's templates; what has none is told by its label.

    actions      by the action's id, with its inputs and `who`
    answers      by the question's name and the option's id ("*" = every other option), with the
                 inputs, the question's data, `who` and `option`; "" = the story leaves it out
    conditions   by id: what is said of its owner when the condition begins, and when it ends, with
                 its data; "" = the story leaves it out
    rolls        by the roll's purpose: what was rolled, as a noun
    verdicts     by the roll's purpose and outcome, with `who` and `against`
    results      by the id or kind of an effect, and its result, with the fields of the event,
                 its data and numbers
    notes        what a rule notes, as a pattern of the text with named groups, and how it is told,
                 with these and `who`; "" = the story leaves it out
    quiet        ids of actions and answers that the story leaves out
    phases       by the whole phase or its first part, with its parts as {1}, {2}; "" = left out
    """

    actions: Mapping[str, str] = field(default_factory=dict)
    answers: Mapping[tuple[str, str], str] = field(default_factory=dict)
    conditions: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    rolls: Mapping[str, str] = field(default_factory=dict)
    verdicts: Mapping[tuple[str, str], str] = field(default_factory=dict)
    results: Mapping[tuple[str, str], str] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)
    quiet: frozenset[str] = frozenset()
    phases: Mapping[str, str] = field(default_factory=dict)
