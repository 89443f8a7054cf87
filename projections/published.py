"""published: what docstrings say, in the words of those who read JSON and have not the code."""

import re
from collections.abc import Mapping
from inspect import cleandoc
from typing import Any, Final

_WORDS: Final = {"None": "null", "True": "true", "False": "false"}
_WORD: Final = re.compile(rf"\b(?:{'|'.join(_WORDS)})\b")
_NOTE: Final = re.compile(r"\s+\((?:GAP-\d+(?: [a-z])?|(?:[A-Z]+ )?\d\.\d)\)")
"""A place in papers that are not published."""


def text(doc: str) -> str:
    """A docstring without its indentation, Python's words and what refers to other papers."""
    return _WORD.sub(lambda word: _WORDS[word[0]], _NOTE.sub("", cleandoc(doc)))


def texts(value: Any) -> Any:
    """A schema in which every description is such a text."""
    if isinstance(value, list):
        return [texts(one) for one in value]
    if not isinstance(value, Mapping):
        return value
    return {
        name: text(one) if name == "description" and isinstance(one, str) else texts(one)
        for name, one in value.items()
    }
