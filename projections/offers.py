"""offers: what may be done now, and on request why the rest may not.

Made by the checks that refuse, run on the combat as the asker knows it.
"""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct

from domain.engine.live import Live
from domain.engine.options import Offer
from domain.engine.redact import redact
from domain.errors import Forbidden
from domain.record.combat import Id, Json
from domain.rulebook.action import Action
from projections.eyes import Eyes
from projections.schemas import Schemas


class RefusalView(Struct, frozen=True):
    """Why the rules forbid it: rule id, the rulebook's short reason, a sentence, what would do."""

    rule: str
    reason: str
    detail: str
    allowed: tuple[str, ...]


class OfferView(Struct, frozen=True):
    """An option, action or ruling.

    `who`: whose it is, null for the GM. `prompt`: the prompt that it answers, null for an
    interjection or a ruling. `inputs` is a key of `schemas` beside the options. `examples` are
    inputs that would be accepted now (a sample), `candidates` the values in them, by field.
    Legal without examples: somebody has to think of the inputs. `legal` false: `refusals` say why.
    """

    id: str
    label: str
    kind: str
    who: str | None
    legal: bool
    prompt: str | None
    cost: str
    rules: tuple[str, ...]
    inputs: str
    examples: tuple[Mapping[str, Json], ...]
    candidates: Mapping[str, tuple[Json, ...]] = {}
    refusals: tuple[RefusalView, ...] = ()


class Offers(Struct, frozen=True):
    """The options, and the JSON Schema of each kind of inputs, by its key."""

    options: tuple[OfferView, ...]
    schemas: Mapping[str, Mapping[str, Json]]


def offers(live: Live, eyes: Eyes, who: Id | None = None, refused: bool = False) -> Offers:
    """What `who` may do (None = all that the reader may do, answer or rule).

    `refused` adds what it may not. Raises `Forbidden`, `Unknown`.
    """
    caller = eyes.caller
    combat = redact(live.ruleset, live.combat, caller)
    if who is not None:
        if not caller.plays(combat, combat[who].id):
            raise Forbidden(f"this token does not play {who}")
        found = live.options(who, caller)
    else:
        found = live.all_options(caller)
    schemas = Schemas(live.ruleset)
    shown = tuple(
        _view(offer, schemas) for offer in found if refused or offer.legal or not offer.refusals
    )
    return Offers(shown, schemas.used)


def _view(offer: Offer, schemas: Schemas) -> OfferView:
    option = offer.option
    action = option if isinstance(option, Action) else None
    return OfferView(
        option.id,
        option.label or words(option.id),
        offer.kind,
        offer.who or None,
        bool(offer.legal) or not offer.refusals,
        offer.prompt,
        "" if action is None else action.cost,
        () if action is None else action.rules,
        schemas.key(option.inputs),
        offer.legal,
        _candidates(offer.legal),
        tuple(RefusalView(one.rule, one.code, one.detail, one.allowed) for one in offer.refusals),
    )


def _candidates(examples: Sequence[Mapping[str, Json]]) -> dict[str, tuple[Json, ...]]:
    """The values of each field in the examples, each once, in their order."""
    found: dict[str, dict[str, Json]] = {}
    for example in examples:
        for name, value in example.items():
            found.setdefault(name, {})[_key(value)] = value
    return {name: tuple(values.values()) for name, values in found.items()}


def _key(value: Json) -> str:
    return msgspec.json.encode(value, order="deterministic").decode()


def words(id: str) -> str:
    """An id for people: "total-defense" -> "Total defense"."""
    return id.replace("-", " ").replace("_", " ").capitalize()
