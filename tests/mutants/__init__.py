"""Mutations: which line may be changed without a red test? `python -m tests.mutants --help`."""
