"""The distance, sight, cover and reach between two combatants, by the rules of a rulebook."""

from collections.abc import Mapping

from msgspec import Struct

from domain.record.combat import Json


class Between(Struct, frozen=True, kw_only=True):
    """The distance, sight, cover and reach from one combatant to another.

    - `distance`: the distance in `unit`. It is `null` if a combatant has no known place.
    - `line`: true if a line of sight joins them. It is `null` if the rulebook has no rule for
      sight.
    - `cover`: the cover of the target, as a name in the rulebook or in per cent. It is `null` if
      the rulebook has no rule for cover.
    - `reach`: the ids of the first combatant's weapons that reach the target, or `null` if unknown.
    - `words`: other values that the rulebook defines.
    """

    distance: float | None = None
    unit: str = ""
    line: bool | None = None
    cover: str | int | None = None
    reach: tuple[str, ...] | None = None
    words: Mapping[str, Json] = {}
