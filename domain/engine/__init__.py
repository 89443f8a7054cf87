"""Drives procedures; knows no rulebook."""
