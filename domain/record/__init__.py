"""The events of a combat, and the state that follows from them."""
