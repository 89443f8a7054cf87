"""Rule cards: the id of a rule and a sentence about it, next to its code.

Each rulebook has one `Cards`. The index, the catalogue and the docs come from its cards.
"""

from collections.abc import Callable
from typing import TypeVar

from domain.rulebook.ruleset import Rule

Code = TypeVar("Code")


class Cards:
    """The cards of one rulebook.

    Each id starts with `prefix`. `sections` are the middle parts of the ids, in the order of the
    book. If there are none, an id consists of the prefix and a number.
    """

    def __init__(self, prefix: str, sections: str = "") -> None:
        self.prefix = prefix
        self._sections = {name: place for place, name in enumerate(sections.split() or [""])}
        self._rules: dict[str, Rule] = {}

    def rule(
        self, id: str, sentence: str, code: str = "", *, untold: str = ""
    ) -> Callable[[Code], Code]:
        """Return a decorator that adds the card of a function or class.

        For a constant, call this function with the constant's name as `code`. For `untold`, see
        `Rule`.
        """

        def put(code: Code) -> Code:
            module, name = getattr(code, "__module__"), getattr(code, "__qualname__")  # noqa: B009
            self.add(id, sentence, f"{module}.{name}", untold)
            return code

        if code:
            self.add(id, sentence, code, untold)
        return put

    def add(self, id: str, sentence: str, code: str, untold: str = "") -> None:
        """Add a card. Raise `ValueError` if the id has no section or already has a card."""
        if not id.startswith(f"{self.prefix}-") or self._section(id) not in self._sections:
            raise ValueError(f"{id} belongs to no section of {self.prefix}")
        if id in self._rules and self._rules[id].code != code:
            raise ValueError(f"{id} has a card already: {self._rules[id].code}")
        self._rules[id] = Rule(id, sentence, code, untold)

    @property
    def rules(self) -> tuple[Rule, ...]:
        """Return every rule in the order of the book."""
        return tuple(sorted(self._rules.values(), key=self._place))

    def _section(self, id: str) -> str:
        return id.removeprefix(f"{self.prefix}-").rpartition("-")[0]

    def _place(self, rule: Rule) -> tuple[int, str]:
        return self._sections[self._section(rule.id)], rule.id
