"""The HTTP service: routes, tokens, the event store, the command line."""
