"""The rules and the state of combats: pure, without I/O, clock, chance, web or SQL."""
