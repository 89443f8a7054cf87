"""The only package that a ruleset may import, besides `record`."""
