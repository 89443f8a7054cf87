"""Phrases: the log's sentences for a rulebook's actions, answers and conditions.

A sentence is a template. `{target}` stands for a field in words. `{to|path}` stands for the first
of several fields that has a value. A part in brackets is left out if a field in it has no value.
The part after `||` is used if the part before it is empty.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from domain.rulebook.id_names import words


@dataclass(frozen=True)
class Phrases:
    """A rulebook's templates. Without a template, the log uses the label; if empty, no line.

    - `actions`: sentences by action id. Fields: the inputs and `who`.
    - `answers`: sentences by the prompt's name and the option's id. Fields: the inputs, the
      prompt's data, `who` and `option`. "*" stands for every other option.
    - `conditions`: by id, the sentences for the start and the end. Fields: the owner and the data.
    - `rolls`: the noun for a roll, by its purpose.
    - `causes`: the subject of a roll, by one of its rules. It follows the noun.
    - `verdicts`: sentences by the roll's purpose and outcome. Fields: `who` and `against`.
    - `results`: sentences by the id or kind of an effect and its result. Fields: those of the
      event, its data and its numbers.
    - `notes`: a pattern with named groups for the text of a rule's note, and the sentence for it.
      Fields: these groups and `who`.
    - `harms`: kinds of damage that the log names in addition to the word for a foe's wounds.
    - `quiet`: ids of actions and answers that the story leaves out.
    - `phases`: sentences by the whole phase or its first part. Fields: its parts, {1} and {2}.
    - `turns`: phases in which a whole side acts. Their line names its combatants.
    """

    actions: Mapping[str, str] = field(default_factory=dict)
    answers: Mapping[tuple[str, str], str] = field(default_factory=dict)
    conditions: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    rolls: Mapping[str, str] = field(default_factory=dict)
    causes: Mapping[str, str] = field(default_factory=dict)
    verdicts: Mapping[tuple[str, str], str] = field(default_factory=dict)
    results: Mapping[tuple[str, str], str] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)
    harms: frozenset[str] = frozenset()
    quiet: frozenset[str] = frozenset()
    phases: Mapping[str, str] = field(default_factory=dict)
    turns: frozenset[str] = frozenset()

    def roll(self, purpose: str) -> str:
        """Return a roll as a noun: "skill-knowledge" is a "Knowledge check"."""
        known = self.rolls.get(purpose)
        if known:
            return known
        skill = purpose.removeprefix("skill-")
        return words(purpose) if skill == purpose else f"{words(skill).title()} check"
