"""All that a ruleset may import, beside `record`."""
