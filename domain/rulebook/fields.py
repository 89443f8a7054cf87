"""Fields: the types of most fields in the sheets and inputs of every rulebook."""

from typing import Annotated

from msgspec import Meta

Number = Annotated[int, Meta(ge=-1000, le=1000)]
Count = Annotated[int, Meta(ge=0, le=100_000)]
Points = Annotated[int, Meta(ge=-100_000, le=100_000)]
Name = Annotated[str, Meta(min_length=1, max_length=120)]
Text = Annotated[str, Meta(max_length=2000)]
Formula = Annotated[str, Meta(min_length=1, max_length=64)]
Picture = Annotated[
    str,
    Meta(
        pattern=r"^([A-Za-z0-9_-]{22}|https://[!-~]{1,1000})\Z",
        description="Id of an uploaded picture, or an `https://` address",
        extra_json_schema={"x-refers-to": "picture"},
    ),
]
"""A reference to a picture. The rules and the engine never read the picture."""
