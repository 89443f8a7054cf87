"""What happened, and the state that follows from it."""
