"""Published: docstrings for readers who see only the JSON."""

import re
from collections.abc import Mapping
from inspect import cleandoc
from typing import Any, Final

_WORDS: Final = {"None": "null", "True": "true", "False": "false"}
_WORD: Final = re.compile(rf"\b(?:{'|'.join(_WORDS)})\b")
_NOTE: Final = re.compile(r"\s+\((?:GAP-\d+(?: [a-z])?|(?:[A-Z]+ )?\d\.\d)\)")
"""A reference to a document that is not published."""

_WRAPPED: Final = re.compile(r"\n +")
"""The break inside a list item."""


def text(doc: str) -> str:
    """Return a docstring without indentation, Python terms and references to other documents."""
    plain = _WRAPPED.sub(" ", _NOTE.sub("", cleandoc(doc)))
    return _WORD.sub(lambda word: _WORDS[word[0]], plain)


def texts(value: Any) -> Any:
    """Return a schema in which every description is converted by `text`."""
    if isinstance(value, list):
        return [texts(item) for item in value]
    if not isinstance(value, Mapping):
        return value
    return {
        name: text(item) if name == "description" and isinstance(item, str) else texts(item)
        for name, item in value.items()
    }
