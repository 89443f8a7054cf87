"""Conditions: what they do and when they end (section 5)."""

from collections.abc import Mapping

from domain.rulebook.ruleset import ConditionInfo as Info

_INJURY = "the injury is healed"

CONDITIONS: Mapping[str, Info] = {
    "surprised": Info(
        "no declaration, no action, no movement, no Reaction", "end of the round", ("HE-SURP-01",)
    ),
    "full-defense": Info(
        "+4 Defense, may answer attacks with a Reposte", "end of the round", ("HE-FDEF-02",)
    ),
    "incapacitated": Info(
        "crawls a yard a turn; each action costs 1 Wound Point",
        "Wound Points above 0, or below",
        ("HE-INC-01", "HE-WP-05"),
    ),
    "dying": Info(
        "as incapacitated; one action or movement; loses 1 at the end of the round",
        "Wound Points of 0 or more, death",
        ("HE-DYING-01", "HE-WP-06"),
    ),
    "stabilized": Info(
        "half speed; the first action of a round is free; does not bleed",
        "Wound Points above 0, a new wound",
        ("HE-STAB-05", "HE-STAB-09"),
    ),
    "dead": Info("nothing", "never", ("HE-WP-07",)),
    "routed": Info("not able to fight", "the GM", ("HE-MOR-14",)),
    "surrendered": Info("not able to fight", "the GM", ("HE-MOR-14",)),
    "prone": Info("only crawls", f"{_INJURY}, the GM", ("HE-BLUNT-03",)),
    "half-speed": Info("half speed", _INJURY, ("HE-BLUNT-02",)),
    "crushed-foot": Info("−5 to Balance checks", _INJURY, ("HE-BLUNT-01",)),
    "broken-rib": Info("one action in two turns", _INJURY, ("HE-BLUNT-06",)),
    "arm-cannot-attack": Info("no attack with that arm", _INJURY, ("HE-BLUNT-08",)),
    "arm-cannot-hold": Info("holds nothing in that arm", _INJURY, ("HE-BLUNT-11",)),
    "hand-useless": Info("nothing can be done with that hand", _INJURY, ("HE-BLUNT-12",)),
    "paralyzed": Info("moves nothing below the neck; can speak", _INJURY, ("HE-BLUNT-14",)),
    "cannot-speak": Info("no speech, no spell that needs it", _INJURY, ("HE-BLUNT-15",)),
    "cannot-breathe": Info("may suffocate: a ruling each round", _INJURY, ("HE-BLUNT-15",)),
    "cannot-chew": Info("nothing that must be chewed", _INJURY, ("HE-BLUNT-16",)),
    "cannot-smell": Info("smells nothing", _INJURY, ("HE-BLUNT-17",)),
    "blind-one-eye": Info("sees with one eye", _INJURY, ("HE-BLUNT-18",)),
    "deaf-one-ear": Info("hears with one ear", _INJURY, ("HE-BLUNT-19",)),
    "concussed": Info("as the GM plays it", _INJURY, ("HE-BLUNT-20",)),
    "helpless": Info("an attribute of 0: as the GM plays it", "the GM", ("HE-ATTR-06",)),
}
