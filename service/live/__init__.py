"""Live: push events to every screen at the table, as far as it may know them."""
