"""Read models: what each is made from, who may see what of it, how it is told."""
