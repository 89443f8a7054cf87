"""Live: every screen at the table is told what happened, as far as it may know."""
