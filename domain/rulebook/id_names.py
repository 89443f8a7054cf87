"""Id names: the words for an id in a sentence."""


def words(id: str) -> str:
    """Return an id as words, such as "wound slowing" for "wound-slowing"."""
    return id.replace("-", " ").replace("_", " ")
