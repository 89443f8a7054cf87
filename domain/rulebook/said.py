"""said: ids in the sentences of rulebooks."""


def words(id: str) -> str:
    """An id in the midst of a sentence: "wound-slowing" -> "wound slowing"."""
    return id.replace("-", " ").replace("_", " ")
