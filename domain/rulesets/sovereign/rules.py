"""The index."""

from domain.ruleset import Rule

RULES: tuple[Rule, ...] = ()
