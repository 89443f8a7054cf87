"""Phrases: the sentences of the log for a rulebook's actions, answers and conditions.

A sentence is a template:

- `{target}` stands for a field.
- `{to|path}` stands for the first of several fields that has a value.
- A part in brackets is left out if a field in it has no value.
- The part after `||` replaces the part before it if that part is empty.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from domain.rulebook.id_names import words


@dataclass(frozen=True)
class Phrases:
    """A rulebook's templates. Without a template, the log uses the label.

    - `actions`: the sentences by action id. The fields are the inputs and `who`.
    - `answers`: the sentences by the prompt's name and the option's id. The fields are the inputs,
      the prompt's data, `who` and `option`. The id "*" covers every other option.
    - `conditions`: the sentences for the start and the end, by condition id. The fields are the
      combatant and the data.
    - `rolls`: the noun for a roll, by its purpose.
    - `causes`: the subject of a roll, by one of its rules. It follows the noun.
    - `verdicts`: the sentences by the roll's purpose and outcome. The fields are `who` and
      `against`.
    - `results`: the sentences by the id or kind of an effect and its result. The fields are those
      of the event, of its data and of its numbers.
    - `notes`: the sentence for the text of a rule's note, by a pattern with named groups. The
      fields are these groups and `who`.
    - `harms`: the kinds of damage that the log names in addition to a foe's wounds.
    - `quiet`: the ids of actions and answers that the log leaves out.
    - `phases`: the sentences by the phase or its first part. The fields are its parts, {1} and {2}.
    - `turns`: the phases in which a whole side acts. The log names its combatants.
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
        """Return the noun for a roll, such as "Knowledge check" for "skill-knowledge"."""
        known = self.rolls.get(purpose)
        if known:
            return known
        skill = purpose.removeprefix("skill-")
        return words(purpose) if skill == purpose else f"{words(skill).title()} check"
