"""The conformance kit checks that a ruleset keeps the rules of the engine.

See `service.conformance.kit`.
"""
