"""Helpers for tests of amendments: fights to amend, and their results."""

from itertools import count
from random import Random
from typing import Any

import msgspec

from domain.engine.amendment import Amendment, Walk
from domain.engine.caller import Caller, Context
from domain.engine.commands import Command, Reply
from domain.engine.session import Session
from domain.errors import Refused
from domain.record.combat import Combat, DiceSettings
from domain.rulesets import installed
from service.conformance.walker import Walker
from tests.domain.toy import TOY
from tests.spec import GM, SEED, Spec
from tests.walks import FIGHTS

NUMBERS = count()

OTHER = bytes(range(100, 132))
"""The seed of a dry run."""

SHEETS: dict[str, list[dict[str, Any]]] = {
    "toy": [
        {"name": "ann", "side": "heroes", "owner": "anna", "hp": 25},
        {"name": "bob", "side": "foes", "hp": 15},
    ],
    **{id: fight() for id, fight in FIGHTS.items()},
}
RULESETS = {TOY.id: TOY, **installed()}
OPTIONS: dict[str, dict[str, Any]] = {"definitions": {"death_roll": "stats-matter"}}


def fought(
    ruleset: str,
    seed: int,
    steps: int,
    dice: DiceSettings,
    *,
    gm: float = 0.06,
    players: bool = False,
) -> Spec:
    """Return a random fight with rulings and undo. With `players`, players send commands too."""
    spec = Spec(RULESETS[ruleset])
    if players:
        by_players(spec)
    spec.prove = lambda: None  # type: ignore[method-assign]  # proved elsewhere
    options = OPTIONS.get(ruleset, {})
    spec.given(*SHEETS[ruleset], dice=dice, rulings="default", **options)
    Walker(spec, Random(seed), undo=0.04, gm=gm).walk(steps)
    return spec


def by_players(spec: Spec) -> None:
    """Send each command of a combatant as its player.

    If the rules refuse the command, the original caller sends it instead.
    """
    decide = spec._decide

    def by_its_player(command: Command, by: Caller) -> None:
        who = getattr(command, "combatant", None)
        if isinstance(command, Reply):
            asked = spec.combat.prompts.get(command.prompt)
            who = None if asked is None else asked.who
        if who is not None:
            try:
                decide(command, Caller(f"token of {who}", "player", (who,)))
                return
            except Refused:  # a player may know less
                pass
        decide(command, by)

    spec._decide = by_its_player  # type: ignore[method-assign]


def walk_of(
    live: Session,
    amendment: Amendment,
    seed: bytes | None = None,
    *,
    stores: bool = False,
) -> Walk:
    """Return a walk that decides the commands after an amendment again, for the GM.

    `seed` replaces the real seed.
    """

    def context_of(caller: Caller) -> Context:
        commitment = live.combat.commitment
        return Context(
            live.combat.id,
            caller,
            f"amended-{next(NUMBERS)}",
            "2027-01-01T00:00:00Z",
            {commitment: SEED if seed is None else seed},
            OTHER,
            "salt",
            lambda seconds: "2027-02-01T00:00:00Z",
        )

    return Walk(live, amendment, GM, context_of, stores=stores)


def first_command(live: Session) -> int:
    """Return the version of the first command after the opening."""
    opening = live.history.command_of(1)[1]
    return next(recorded.version for recorded in live.history.path if recorded.version > opening)


def ends(combat: Combat) -> Any:
    """Return a state without the fields that differ from branch to branch."""
    plain: Any = msgspec.to_builtins(combat)
    for name in ("commitment", "seed", "asked"):
        del plain[name]
    prompts = [
        {
            key: value
            for key, value in prompt.items()
            if key not in ("id", "frame", "group", "until")
        }
        for prompt in plain.pop("prompts").values()
    ]
    frames = [(prompt["kind"], prompt["procedure"]) for prompt in plain.pop("frames")]
    return plain, prompts, frames
