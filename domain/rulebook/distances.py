"""Distance, sight, cover and reach between two combatants, as a rulebook counts them."""

from collections.abc import Mapping

from msgspec import Struct

from domain.record.combat import Json


class Between(Struct, frozen=True, kw_only=True):
    """Distance, line of sight, cover and reach from one combatant to another.

    - `distance`: in `unit`. None = the place of one of them is not known.
    - `line`: whether a line of sight joins them. None = the rulebook has no rule for it.
    - `cover`: the cover of the target, in the rulebook's own words or per cent. None = the
      rulebook has no rule for it.
    - `reach`: ids of the weapons with which the first can attack the target from its place. None
      = not known.
    - `words`: anything else that the rulebook counts.
    """

    distance: float | None = None
    unit: str = ""
    line: bool | None = None
    cover: str | int | None = None
    reach: tuple[str, ...] | None = None
    words: Mapping[str, Json] = {}
