"""The page: its files, and its behaviour in a real browser."""
