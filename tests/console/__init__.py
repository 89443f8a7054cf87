"""The page: its files, and itself in a real browser."""
