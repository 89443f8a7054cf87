"""The index: every rule of the rulebook, in a line of our own, and the code that implements it."""

from domain.rulebook.ruleset import Rule

RULES: tuple[Rule, ...] = ()
