"""Read models: their sources, their readers and their words."""
