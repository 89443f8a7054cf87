"""Play long random fights: `python -m tests.walks [RULESET …] --commands 20000 --seed 0`.

Each fight has its own seed, and a GM that acts at random. An error prints the seed. With
`--thorough 1`, the program checks all offers and rebuilds the fight after each command instead of
every tenth. At the end, the program prints the number of commands, the random acts of the GM, and
the rules that were never used.
"""

import argparse
import time
from collections import Counter
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from domain.rulesets import installed
from service.conformance.walker import Fired, Walker
from tests.rulesets.definitions.fight import fight as definitions
from tests.rulesets.free_hit.fight import fight as free_hit
from tests.rulesets.hallowed_earth.fight import fight as hallowed_earth
from tests.rulesets.sovereign.fight import MAP
from tests.rulesets.sovereign.fight import fight as sovereign
from tests.rulesets.vile_darkness.fight import fight as vile_darkness
from tests.spec import Spec

FIGHTS: Mapping[str, Callable[[], list[dict[str, Any]]]] = {
    "definitions": definitions,
    "free-hit": free_hit,
    "hallowed-earth": hallowed_earth,
    "sovereign": sovereign,
    "vile-darkness": vile_darkness,
}

STYLES = ("all-equal", "stats-matter", "brutality")

LONGEST = 150
"""Maximum number of commands in one fight."""


def begin(ruleset: str, seed: int, away: int = 0) -> Spec:
    """Begin a fight in which much may happen.

    The seed decides whether the GM gets prompts for rulings. `away` is the number of
    squares by which the other sides start farther away.
    """
    sheets = FIGHTS[ruleset]()
    for sheet in sheets:
        if sheet["side"] != sheets[0]["side"] and sheet.get("at") is not None:
            x, *rest = sheet["at"]
            sheet["at"] = [x + away, *rest]
    options: dict[str, Any] = {"rulings": ("ask", "default")[seed % 2]}
    if ruleset == "definitions":
        options["death_roll"] = STYLES[seed % len(STYLES)]
    map = MAP if ruleset == "sovereign" else None
    return Spec(installed()[ruleset]).given(*sheets, map=map, **options)


def walk(ruleset: str, commands: int, seed: int, thorough: int) -> None:
    """Walk fight after fight, and print the results."""
    fired, met = Fired(), Counter[str]()
    began, fights = time.process_time(), 0
    while fired.commands < commands:
        spec = begin(ruleset, seed)
        try:
            walker = Walker(spec, Random(seed), fired, gm=0.12, met=met, thorough=thorough)
            walker.walk(LONGEST)
        except BaseException:
            print(f"{ruleset}: seed {seed}, after version {spec.live.version}")
            raise
        seed, fights = seed + 1, fights + 1
    took = time.process_time() - began
    print(fired.report(spec))
    milliseconds = took / fired.commands * 1000
    print(f"  {fights} fights, {took:.0f} s of a processor, {milliseconds:.1f} ms a command")
    print(f"  whims: {', '.join(f'{what} {count}' for what, count in sorted(met.items()))}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rulesets", nargs="*", metavar="RULESET", choices=[*FIGHTS, []])
    parser.add_argument("--commands", type=int, default=20_000, help="for each rulebook")
    parser.add_argument("--seed", type=int, default=0, help="of the first fight")
    parser.add_argument("--thorough", type=int, default=10, help="commands between two whole looks")
    chosen = parser.parse_args()
    for ruleset in chosen.rulesets or FIGHTS:
        walk(ruleset, chosen.commands, chosen.seed, chosen.thorough)


if __name__ == "__main__":
    main()
