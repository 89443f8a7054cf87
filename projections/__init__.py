"""Read models: what each reader sees, and in which words."""
