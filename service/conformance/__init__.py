"""The conformance kit: what every ruleset promises, checked. See `service.conformance.kit`."""
