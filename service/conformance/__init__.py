"""The conformance kit: check what every ruleset promises. See `service.conformance.kit`."""
