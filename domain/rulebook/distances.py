"""Distance, sight, cover and reach between two combatants, as a rulebook counts them."""

from collections.abc import Mapping

from msgspec import Struct

from domain.record.combat import Json


class Between(Struct, frozen=True, kw_only=True):
    """Distance, line of sight, cover and reach from one combatant to another.

    - `distance`: the distance in `unit`. null = the place of one combatant is unknown.
    - `line`: true if a line of sight joins them. null = the rulebook has no rule for it.
    - `cover`: the cover of the target, in the rulebook's words or per cent. null = the rulebook
      has no rule for it.
    - `reach`: ids of the weapons that reach the target from the first combatant's place. null =
      unknown.
    - `words`: other values that the rulebook counts.
    """

    distance: float | None = None
    unit: str = ""
    line: bool | None = None
    cover: str | int | None = None
    reach: tuple[str, ...] | None = None
    words: Mapping[str, Json] = {}
