"""Id names: the form of ids inside the sentences of rulebooks."""


def words(id: str) -> str:
    """Return an id as words inside a sentence: "wound-slowing" -> "wound slowing"."""
    return id.replace("-", " ").replace("_", " ")
