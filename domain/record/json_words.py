"""JSON words: describe wrong JSON values without the names of Python types."""

import re
from collections.abc import Mapping
from typing import Final

PATH: Final = re.compile(r" - at (?P<key>`key` in )?`\$(?P<path>[^`]*)`$")
"""The end of an error of msgspec, which gives the place of the value."""

WRONG_TYPE: Final = re.compile(
    r"Expected `(?P<type>[^`]*)`(?P<bounds>.*?)(?:, got (?P<got>.*))?", re.DOTALL
)

_WORDS: Final[Mapping[str, str]] = {
    "object": "a JSON object",
    "array": "a list",
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "null": "null",
}
"""The types of JSON in plain words."""


def pointer(path: str) -> str:
    """Return a msgspec path as a JSON pointer, such as "/weapons/0" for ".weapons[0]"."""
    return path.replace("[...]", "").replace("[", "/").replace("]", "").replace(".", "/")


def in_words(wrong_type: re.Match[str]) -> str:
    """Return an error such as "Expected `object`, got `str`" in plain words."""
    wanted = " or ".join(_WORDS.get(name, name) for name in wrong_type["type"].split(" | "))
    got = _WORDS.get((wrong_type["got"] or "").strip("`"), wrong_type["got"])
    return f"{wanted}{wrong_type['bounds']} is wanted{f', not {got}' if got else ''}"


def plain(error: Exception) -> str:
    """Return the text of a msgspec error in plain words, after the place of the value."""
    text, at = str(error), ""
    if path := PATH.search(text):
        text, at = text[: path.start()], pointer(path["path"])
    if wrong_type := WRONG_TYPE.fullmatch(text):
        text = in_words(wrong_type)
    return f"{at}: {text}" if at else text
