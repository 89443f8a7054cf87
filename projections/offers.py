"""offers: what may be done now, and on request why the rest may not.

Made by the checks that refuse, run on the combat as the asker knows it.
"""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from domain.engine import options as engine
from domain.engine.caller import Caller
from domain.engine.live import Live
from domain.engine.options import Choice, Offer, tried
from domain.engine.redact import redact
from domain.errors import Forbidden, Illegal
from domain.record.combat import Combat, Id, Json, Square
from domain.rulebook.action import Action
from domain.rulebook.once import looking
from domain.rulebook.play import Play
from projections.eyes import Eyes
from projections.schemas import Schemas
from projections.sentences import spoken


class RefusalView(Struct, frozen=True):
    """Why the rules forbid it: rule id, the rulebook's short reason, a sentence, what would do."""

    rule: str
    reason: str
    detail: str
    allowed: tuple[str, ...]


class ReachedView(Struct, frozen=True, omit_defaults=True):
    """A square: the `path` that leads there, what it costs, whose reactions it may draw."""

    to: Square
    path: tuple[Square, ...]
    cost: float
    provokes: tuple[str, ...] = ()


class ReachView(Struct, frozen=True):
    """Every square that can be reached now, the nearest first, each by its cheapest way.

    `unit`: of costs and `limit`, how far it may go. `more`: there are too many to list.
    """

    unit: str
    limit: float
    squares: tuple[ReachedView, ...]
    more: bool


class OfferView(Struct, frozen=True):
    """An option, action or ruling.

    `who`: whose it is, null for the GM. `prompt`: the prompt that it answers, null for an
    interjection or a ruling. `inputs` is a key of `schemas` beside the options. `examples` are
    inputs that would be accepted now (a sample), `candidates` by field the values that are in legal
    inputs. `reach`, when it is asked for: where its `path` could lead.
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
    reach: ReachView | None = None


class Offers(Struct, frozen=True):
    """The options, and the JSON Schema of each kind of inputs, by its key."""

    options: tuple[OfferView, ...]
    schemas: Mapping[str, Mapping[str, Json]]


def offers(
    live: Live, eyes: Eyes, who: Id | None = None, refused: bool = False, reach: bool = False
) -> Offers:
    """What `who` may do (None = all that the reader may do, answer or rule).

    `refused` adds what it may not, `reach` the squares that a path could lead to. Raises
    `Forbidden`, `Unknown`.
    """
    known = redact(live.ruleset, live.combat, eyes.caller)
    play, truth = Play(live.ruleset, known), Play(live.ruleset, live.combat)
    schemas = Schemas(live.ruleset)
    with looking():
        shown = [
            view(play, found, schemas, _reach(play, found, truth) if reach else None)
            for choice in chosen(live, known, eyes.caller, who, refused)
            if is_shown(found := tried(choice, play, truth, every=refused), refused)
        ]
    return Offers(tuple(shown), schemas.used)


def chosen(
    live: Live, known: Combat, caller: Caller, who: Id | None, refused: bool
) -> Iterator[Choice]:
    """What is looked at: the choices of `who`, or of all that the caller plays."""
    if who is None:
        found = live.all_choices(known, caller)
    elif caller.plays(known, known[who].id):
        found = live.choices(who)
    else:
        raise Forbidden(f"this token does not play {who}")
    return found if refused else (one for one in found if not one.unasked)


def is_shown(offer: Offer, refused: bool) -> bool:
    """Whether it is told of; what is refused only on request."""
    return refused or bool(offer.legal) or not offer.refusals


def _reach(play: Play, offer: Offer, truth: Play) -> ReachView | None:
    found = engine.reach(play, offer.who, offer.option, truth) if offer.legal else None
    if found is None:
        return None
    squares = tuple(
        ReachedView(one.path[-1], one.path, one.cost, one.provokes) for one in found.squares
    )
    return ReachView(found.ways.unit, found.ways.limit, squares, found.more)


def view(play: Play, offer: Offer, schemas: Schemas, reach: ReachView | None = None) -> OfferView:
    """An offer in the eyes of whoever knows of the combat what `play` has."""
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
        offer.values,
        _refusals(play.combat, offer.refusals),
        reach,
    )


def _refusals(known: Combat, refusals: tuple[Illegal, ...]) -> tuple[RefusalView, ...]:
    names = {one.id: one.name for one in known} if refusals else {}
    return tuple(
        RefusalView(one.rule, one.code, spoken(one.detail, names), one.allowed) for one in refusals
    )


def words(id: str) -> str:
    """An id for people: "total-defense" -> "Total defense"."""
    return id.replace("-", " ").replace("_", " ").capitalize()
