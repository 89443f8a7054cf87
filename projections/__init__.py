"""The read models: the views that each reader gets, in data and in English."""
