"""Histories of real runs, and an independent check that each combat is linearizable.

The package imports nothing of the service. `python -m tests.histories FILE` checks a stored
history.
"""
