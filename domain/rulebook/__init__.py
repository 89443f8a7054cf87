"""The only package that a ruleset may import, apart from `record`, `dice` and `errors`."""
