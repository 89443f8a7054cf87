"""Fields: the types that most fields of sheets and inputs have, alike in every rulebook."""

from typing import Annotated

from msgspec import Meta

Number = Annotated[int, Meta(ge=-1000, le=1000)]
Count = Annotated[int, Meta(ge=0, le=100_000)]
Points = Annotated[int, Meta(ge=-100_000, le=100_000)]
Name = Annotated[str, Meta(min_length=1, max_length=120)]
Text = Annotated[str, Meta(max_length=2000)]
Formula = Annotated[str, Meta(min_length=1, max_length=64)]
