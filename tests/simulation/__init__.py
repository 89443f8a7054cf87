"""A seeded simulation of everything above the store's port."""
