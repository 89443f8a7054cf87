"""The actions of the rulebook, one or one family a file."""
