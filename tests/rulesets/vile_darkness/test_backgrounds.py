"""Test that a map may have a picture below its grid."""

from domain.rulebook.input_reader import read
from domain.rulesets import installed


def test_a_map_takes_a_picture_below_its_grid() -> None:
    background = {"picture": "https://example.org/ford.png", "left": -1, "top": 0, "columns": 12.5}
    map = read({"background": background}, installed()["vile-darkness"].map)
    assert (map.background.picture, map.background.columns) == (
        "https://example.org/ford.png",
        12.5,
    )
