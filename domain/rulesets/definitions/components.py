"""Components of a spell besides its action: gestures and words (DEF-GSP)."""

from collections.abc import Iterator

from domain.errors import Illegal
from domain.record.combat import Combat, Id
from domain.rulebook.declaration import refuse
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.sheet import Power
from domain.rulesets.definitions.states import sheet_of


@rule("DEF-GSP-01", "The grappled do not gesture")
@rule("DEF-GSP-02", "Without gestures they cast")
@rule("DEF-GSP-03", "Words are still needed")
def components(
    combat: Combat, who: Id, power: Power, signless: bool, field: str = ""
) -> Iterator[Illegal]:
    """Gestures while grappled, words for who cannot speak (DEF-GSP, DEF-GSP-02)."""
    combatant = combat[who]
    helped = signless and sheet_of(combatant).feats.signless_spell
    if combatant.has("grappled") and power.somatic and not helped:
        detail = f"{power.name} needs gestures, and {combatant.name} is grappled"
        yield refuse("DEF-GSP-01", "somatic-blocked", detail, field)
    if power.verbal and combatant.has("cannot-speak"):
        detail = f"{power.name} needs words, and {combatant.name} cannot speak"
        yield refuse("DEF-GSP-03", "verbal-blocked", detail, field)
