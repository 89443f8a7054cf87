"""The engine drives procedures. It knows no rulebook."""
