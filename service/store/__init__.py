"""The store: the log and its SQL, tokens, the list of combats, the schema."""
