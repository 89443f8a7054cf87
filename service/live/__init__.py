"""Live: push events to every screen at the table, as far as its reader may know them."""
