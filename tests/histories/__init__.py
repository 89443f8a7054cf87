"""Histories of real runs, and an independent check that they are linearizable for each combat.

It imports nothing of the service. `python -m tests.histories FILE` checks a stored history.
"""
