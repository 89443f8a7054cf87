"""offers: what a combatant may do now, and on request why it may not do the rest."""

from collections.abc import Mapping

from msgspec import Struct

from domain.engine.live import Live
from domain.errors import Forbidden
from domain.record.combat import Id, Json
from domain.rulebook.action import Action
from projections.eyes import Eyes, is_unseen


class RefusalView(Struct, frozen=True):
    """Why the rules forbid it: rule id, the rulebook's short reason, a sentence, what would do."""

    rule: str
    reason: str
    detail: str
    allowed: tuple[str, ...]


class OfferView(Struct, frozen=True):
    """An option or action. `inputs` names its Struct in the ruleset's schemas.

    `examples` are inputs that would be accepted now (a sample); with none and `refusals`, it is
    not legal now. `prompt` is the prompt that it answers, null for an interjection.
    """

    id: str
    kind: str
    legal: bool
    prompt: str | None
    cost: str
    inputs: str
    examples: tuple[Mapping[str, Json], ...]
    refusals: tuple[RefusalView, ...] = ()


def offers(live: Live, eyes: Eyes, who: Id, refused: bool = False) -> list[OfferView]:
    """What `who` may do; `refused` adds what it may not. Raises `Forbidden`, `Unknown`."""
    combat, caller = live.combat, eyes.caller
    if not caller.plays(combat, combat[who].id):
        raise Forbidden(f"this token does not play {who}")
    hidden = [one.id for one in combat if is_unseen(combat, caller, one.id)]

    def tells(value: Json) -> bool:
        text = str(value)
        return any(id in text for id in hidden)

    found: list[OfferView] = []
    for offer in live.options(who):
        examples = tuple(one for one in offer.legal if not (hidden and tells(one)))
        legal = bool(offer.legal)
        if not legal and not refused:
            continue
        refusals = tuple(
            RefusalView(
                one.rule,
                one.code,
                one.detail,
                tuple(name for name in one.allowed if name not in hidden),
            )
            for one in offer.refusals
            if not (hidden and tells(one.detail))
        )
        option = offer.option
        found.append(
            OfferView(
                option.id,
                offer.kind,
                legal,
                offer.prompt,
                option.cost if isinstance(option, Action) else "",
                option.inputs.__name__,
                examples,
                refusals,
            )
        )
    return found
