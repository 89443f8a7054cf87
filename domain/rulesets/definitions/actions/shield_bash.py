"""`shield-bash`: an attack action with a shield in a slot (DEF-SHB)."""

from collections.abc import Iterator, Mapping

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Json
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import Enemy, Needed
from domain.rulebook.play import Play
from domain.rulesets.definitions import arms, manoeuvre
from domain.rulesets.definitions.costs import Stanced
from domain.rulesets.definitions.deeds import deed, target_of
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.sheet import Shield
from domain.rulesets.definitions.strike import Blow, strike


class Bash(Stanced, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`shield` None: the one in the offhand, else that in the primary slot (DEF-WLD-07)."""

    target: Needed[Enemy] = None
    shield: str | None = None


@rule("DEF-SHB-04", "With a shield in a slot. Its AC stays")
def requirements(play: Play, who: Id, inputs: Bash) -> Iterator[Illegal]:
    combat = play.combat
    yield from manoeuvre.target_refusals(combat, who, inputs.target)
    yield from manoeuvre.free_of_grapple(combat, who)
    if chosen(combat, who, inputs) is None:
        yield Illegal("DEF-SHB-04", "no-shield", f"{combat[who].name} has no such shield in hand")
    yield from manoeuvre.natural_reach(combat, who, inputs.target)


def chosen(combat: Combat, who: Id, inputs: Bash) -> Shield | None:
    shields = arms.shields_in_slots(combat[who])
    return next((shield for shield in shields if inputs.shield in (None, shield.id)), None)


def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    for other in play.combat:
        if other.id != who:
            yield {"target": other.id}
            for shield in arms.shields_in_slots(play.combat[who]):
                yield {"target": other.id, "shield": shield.id}


def perform(play: Play, who: Id, inputs: Bash, place: int) -> Procedure[None]:
    shield = chosen(play.combat, who, inputs)
    if shield is not None:
        yield from strike(play, Blow(who, target_of(inputs), shield, place))


rule("DEF-SHB-01", "A shield bash in place of any attack", f"{__name__}.SHIELD_BASH")
SHIELD_BASH = deed(
    "shield-bash",
    Bash,
    perform,
    kind="attack",
    requirements=requirements,
    candidates=candidates,
    label="Bash with a shield",
    rules=("DEF-SHB-01", "DEF-SHB-02", "DEF-SHB-03", "DEF-SHB-04"),
    melee=True,
).shown("attack", "Bash {target} with a shield")
