"""Mutation tests: which changes of a line does no test notice? `python -m tests.mutants --help`."""
