"""Phrases: the sentences in which the log tells a rulebook's actions, answers and conditions.

A sentence is a template. `{target}` stands for a field in words. `{to|path}` stands for the first
of several fields that has a value. A part in brackets is left out if a field in it has no value.
The part after `||` is used if the part before it is empty.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from domain.rulebook.id_names import words


@dataclass(frozen=True)
class Phrases:
    """A rulebook's templates. If one is missing, the log uses the label. An empty one is left out.

    - `actions`: by the action's id, with its inputs and `who`.
    - `answers`: by the question's name and the option's id, with the inputs, the question's data,
      `who` and `option`. "*" stands for every other option.
    - `conditions`: by id. The two templates tell the begin and the end of the condition, with its
      owner and data.
    - `rolls`: by the roll's purpose. The roll as a noun.
    - `causes`: by a rule of a roll. What the roll is about, after its noun.
    - `verdicts`: by the roll's purpose and outcome, with `who` and `against`.
    - `results`: by the id or kind of an effect, and its result, with the fields of the event, its
      data and numbers.
    - `notes`: a pattern for the text of a rule's note, with named groups, and the template for
      it, with these groups and `who`.
    - `harms`: kinds of damage that the log names beside the word for the wounds of a foe.
    - `quiet`: ids of actions and answers that the story leaves out.
    - `phases`: by the whole phase or its first part, with its parts as {1}, {2}.
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
