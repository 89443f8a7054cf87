"""Offers: the legal options, and on request the refused options with the reasons.

The same checks refuse commands and make the offers, on the combat as the caller knows it. An offer
has everything that a screen cannot guess: category, polarity, essential fields, headline.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Annotated, Literal, cast

from msgspec import Meta, Struct

from domain.engine import options as engine
from domain.engine.caller import Caller
from domain.engine.options import Choice, Offer, tried
from domain.engine.redaction import redact
from domain.engine.session import Session
from domain.errors import Forbidden, Illegal
from domain.record.combat import Combat, Id, Json, Square
from domain.rulebook.action import Action
from domain.rulebook.inputs import Polarity, inputs_of
from domain.rulebook.play import Play, Rulebook
from domain.rulebook.polarity import acting, aimed, of_thing, polarity_of, screen_of, strength
from domain.rulebook.prompts import Category, Screen
from domain.rulebook.ruleset import Ruleset
from domain.rulebook.state_cache import looking
from projections.eyes import Eyes
from projections.headlines import headline, template_of
from projections.schemas import Schemas
from projections.sentences import spoken


class RefusalView(Struct, frozen=True):
    """A refusal: rule id, the rulebook's short reason, a sentence, and the accepted values."""

    rule: str
    reason: Annotated[str, Meta(description="The rulebook's word for the reason")]
    detail: Annotated[str, Meta(description="The reason in one sentence")]
    allowed: Annotated[tuple[str, ...], Meta(description="Accepted values")]


class ProvokedView(Struct, frozen=True):
    """A combatant that may react to a step, and the square where that step begins."""

    who: Annotated[Id, Meta(description="Id of the combatant that may react")]
    at: Annotated[
        Square, Meta(description="The square where the provoking step begins: x, y and z")
    ]


class ReachedView(Struct, frozen=True, omit_defaults=True):
    """A square that can be reached.

    `path` is the cheapest path. Among equally cheap paths, it provokes the fewest combatants and
    is the straightest. `provokes` lists the combatants that may react to it.
    """

    to: Annotated[Square, Meta(description="The square: x, y and z")]
    path: Annotated[tuple[Square, ...], Meta(description="The squares of the path, in order")]
    cost: Annotated[float, Meta(description="Cost of the path, in `unit`")]
    provokes: Annotated[
        tuple[ProvokedView, ...], Meta(description="Combatants that may react to the path")
    ] = ()


class ReachView(Struct, frozen=True):
    """Every square that can be reached now, the nearest first, each by its cheapest path.

    - `unit`: the unit of costs and of `limit`.
    - `limit`: the cost of the longest path.
    - `more`: if true, the list is incomplete, because there are too many squares.
    - `inputs`: the inputs to send with each path, such as another payment. Usually there are none.
    """

    unit: Annotated[str, Meta(description="The unit of costs and of `limit`")]
    limit: Annotated[float, Meta(description="Cost of the longest path")]
    squares: Annotated[
        tuple[ReachedView, ...],
        Meta(description="Every square that can be reached, the nearest first"),
    ]
    more: Annotated[
        bool, Meta(description="Whether squares are missing, because there are too many")
    ]
    inputs: Annotated[
        Mapping[str, Json], Meta(description="Inputs to send with each path, such as a payment")
    ] = {}


OfferKind = Literal["turn", "declare", "reaction", "roll", "choice", "ruling", "interjection"]


class PolarityBy(Struct, frozen=True):
    """The field that decides whether an action harms or helps, with the polarity of each value."""

    field: Annotated[str, Meta(description="Name of the field")]
    values: Annotated[Mapping[str, Polarity], Meta(description="Polarity of each legal value")]


class OfferView(Struct, frozen=True):
    """An action, an answer to a prompt, or a ruling that the caller may choose.

    - `who`: the combatant that chooses, or `null` for the GM.
    - `prompt`: the prompt that it answers, or `null` for an interjection or a ruling.
    - `inputs`: the key of its schema in `schemas`.
    - `examples`: some inputs that Affray would accept now. If a legal offer has no examples, ask a
      person for the inputs.
    - `candidates`: the values in legal inputs, by field.
    - `reach`: on request, the squares that its `path` can lead to.
    - `legal`: if `false`, `refusals` has the reasons.
    - `category`: a group for screens.
    - `polarity`: the effect of the first example on its target. `either` means that the data do not
      decide it.
    - `polarity_by`: the field whose value changes the polarity, or `null` if no field does.
    - `essential`: the fields to show at once. Collapse the other fields.
    - `idle`: the fields that make no difference for the reader now. Hide them.
    - `headline`: one line about the first example, or `null` if a person must fill in the inputs.
    - `template`: the pattern of a headline for any inputs. Replace `{field}` with the name of the
      field's value. If the field has no value, use the words after a bar. Leave out a part in
      brackets if one of its fields has no value.
    """

    id: str
    label: str
    kind: OfferKind
    who: str | None
    legal: Annotated[bool, Meta(description="Whether the rules allow it now")]
    prompt: Annotated[
        str | None, Meta(description="Id of the prompt that it answers. `null`: none")
    ]
    cost: str
    rules: tuple[str, ...]
    inputs: Annotated[str, Meta(description="Key of its schema in `schemas`")]
    category: Annotated[Category, Meta(description="Kind of action, for grouping on a screen")]
    polarity: Annotated[
        Polarity,
        Meta(description="Effect of the first example on its target. `either`: not decided"),
    ]
    polarity_by: Annotated[
        PolarityBy | None,
        Meta(description="The field whose value changes the polarity. `null`: none does"),
    ]
    essential: Annotated[
        tuple[str, ...],
        Meta(description="Names of the fields to show at once. Collapse all others"),
    ]
    idle: Annotated[
        tuple[str, ...],
        Meta(description="Names of the fields that make no difference for the reader now"),
    ]
    headline: Annotated[
        str | None,
        Meta(description=("One line about the first example. `null`: fill in the inputs")),
    ]
    template: Annotated[
        str,
        Meta(description="Template of the line about any inputs, such as `Strike {target}`"),
    ]
    examples: Annotated[
        tuple[Mapping[str, Json], ...], Meta(description="Inputs that would be accepted now")
    ]
    candidates: Annotated[
        Mapping[str, tuple[Json, ...]], Meta(description="Values for the inputs, by field")
    ] = {}
    refusals: Annotated[
        tuple[RefusalView, ...], Meta(description="Reasons why the rules forbid it now")
    ] = ()
    reach: Annotated[
        ReachView | None, Meta(description="Squares that it could lead to. `null`: no path")
    ] = None


class Offers(Struct, frozen=True):
    """The options, and the JSON Schema of each kind of inputs by its key.

    `published` has, by key, the hash of each schema that is also in the catalogue.
    """

    options: tuple[OfferView, ...]
    schemas: Mapping[str, Mapping[str, Json]]
    published: Mapping[str, str]


class OfferList(Struct, frozen=True):
    """The current offers for a caller.

    - `combatant`: the combatant with these offers. `null` means all combatants of the token.
    - `version`: the version of the board to which the offers belong.
    - `schemas`: the JSON Schema of each kind of inputs, by its key.
    - `cited`: with `schemas=cite`, the hashes of schemas that this answer leaves out. Read them in
      the rulebook's `schemas`.
    """

    combatant: Annotated[
        Id | None, Meta(description="Combatant. `null`: all combatants of the token")
    ]
    version: int
    options: Annotated[tuple[OfferView, ...], Meta(description="Current offers")]
    schemas: Annotated[
        Mapping[str, Mapping[str, Json]],
        Meta(description="JSON Schema of each kind of inputs, by its key"),
    ]
    cited: Annotated[
        Mapping[str, str],
        Meta(
            description=(
                "Hash of each schema that the catalogue has and this answer leaves out, by its key"
            )
        ),
    ] = {}


def offers(
    live: Session,
    eyes: Eyes,
    who: Id | None = None,
    refused: bool = False,
    reach: bool = False,
    *,
    prompted: bool = False,
) -> Offers:
    """Return the offers of `who`. If `who` is `None`, return all offers of the reader.

    - `refused`: include options that the rules refuse.
    - `reach`: include the squares that a path can lead to.
    - `prompted`: leave out offers that answer no open prompt.

    Raise `Forbidden` or `Unknown`.
    """
    known = redact(live.ruleset, live.combat, eyes.caller)
    play, truth = Play(live.ruleset, known), Play(live.ruleset, live.combat)
    schemas = Schemas(live.ruleset)
    with looking():
        offers = [
            offer
            for choice in chosen(live, known, eyes.caller, who, refused)
            if choice.prompt is not None or not prompted
            if is_shown(offer := tried(choice, play, truth, every=refused), refused)
        ]
        shown = [
            view(play, eyes.caller, offer, schemas, _reach(play, offer, truth) if reach else None)
            for offer in _in_order(live.ruleset, play, offers)
        ]
    return Offers(tuple(shown), schemas.used, schemas.published())


def listed(who: Id | None, version: int, offers: Offers, *, cite: bool) -> OfferList:
    """Return offers in the sent form. `cite` leaves out schemas that the catalogue has."""
    if not cite:
        return OfferList(who, version, offers.options, offers.schemas)
    own = {key: schema for key, schema in offers.schemas.items() if key not in offers.published}
    return OfferList(who, version, offers.options, own, offers.published)


def _in_order(rules: Ruleset, play: Play, offers: Sequence[Offer]) -> Iterator[Offer]:
    """Yield the offers of each combatant: unlimited actions late, and wrong offers last.

    - Unlimited actions can be repeated without end. If they came first, a client that takes the
      first offer each time would never end a turn.
    - Wrong offers can only harm allies or help foes.
    - A spell comes before the attacks if its average damage is higher.
    """

    def rank(offer: Offer) -> tuple[bool, bool]:
        return offer.wrong, offer.option.id in rules.unlimited

    for _, own in groupby(offers, key=lambda offer: offer.who):
        yield from _strongest_first(play, sorted(own, key=rank))


def _strongest_first(play: Play, offers: list[Offer]) -> list[Offer]:
    """Move the strongest spell before the attacks, if its average damage is higher."""
    screens = [screen_of(play.ruleset, offer.option, offer.kind).category for offer in offers]
    strengths = [
        _strength(play.combat, offer) if screen in ("attack", "cast") and offer.legal else 0
        for offer, screen in zip(offers, screens, strict=True)
    ]
    attacks = [number for number, screen in enumerate(screens) if screen == "attack"]
    spells = [number for number, screen in enumerate(screens) if screen == "cast"]
    if not attacks or not spells:
        return offers
    best = max(spells, key=strengths.__getitem__)
    if strengths[best] <= max(strengths[number] for number in attacks) or best < attacks[0]:
        return offers
    others = [offer for number, offer in enumerate(offers) if number != best]
    return [*others[: attacks[0]], offers[best], *others[attacks[0] :]]


def _strength(combat: Combat, offer: Offer) -> float:
    """Return the average damage of the weapon, spell or item in the first example."""
    first = offer.legal[0]
    things = [field for field in inputs_of(offer.option.inputs).values() if field.kind.listed]
    if not offer.who or not things:
        return 0
    return max(
        strength(combat[offer.who], field.kind.listed, first.get(field.name)) for field in things
    )


def chosen(
    live: Session, known: Combat, caller: Caller, who: Id | None, refused: bool
) -> Iterator[Choice]:
    """Return the choices of `who`, or of every combatant that the caller plays."""
    if who is None:
        choices = live.all_choices(known, caller)
    elif caller.plays(known, known[who].id):
        choices = live.choices(who)
    else:
        raise Forbidden(f"this token does not play {who}")
    return choices if refused else (choice for choice in choices if not choice.unasked)


def is_shown(offer: Offer, refused: bool) -> bool:
    """Return true for a legal offer, and for a refused offer if `refused` requests it."""
    return refused or bool(offer.legal) or not offer.refusals


def _reach(play: Play, offer: Offer, truth: Play) -> ReachView | None:
    if not offer.legal:
        return None
    payment = _payment(play.ruleset, offer)
    reach = engine.reach(play, offer.who, offer.option, truth, payment)
    if reach is None:
        return None
    squares = tuple(
        ReachedView(
            reached.path[-1],
            reached.path,
            reached.cost,
            tuple(ProvokedView(who, at) for who, at in reached.provokes.items()),
        )
        for reached in reach.squares
    )
    return ReachView(reach.ways.unit, reach.ways.limit, squares, reach.more, payment)


def _payment(ruleset: Rulebook, offer: Offer) -> Mapping[str, str]:
    """Return the payment field with its value, if all legal inputs name the same payment."""
    kinds = ruleset.catalogue.budget
    payments = {}
    for name, field in inputs_of(offer.option.inputs).items():
        given = {example.get(name) for example in offer.legal} if field.legal else set()
        kind = next(iter(given)) if len(given) == 1 else None
        if isinstance(kind, str) and all(value in kinds for value in field.legal):
            payments[name] = kind
    return payments


def _inputs(combat: Combat, offer: Offer, schemas: Schemas) -> str:
    """Return the key of the schema of the offer's inputs. A roll's schema describes its dice."""
    asked = combat.prompts.get(offer.prompt or "") if offer.kind == "roll" else None
    faces = None if asked is None else asked.data.get("faces")
    if asked is None or not isinstance(faces, Mapping):  # not in older combats
        return schemas.key(offer.option.inputs)
    return schemas.key_of_roll(offer.option.inputs, str(asked.data["formula"]), faces)


def view(
    play: Play, caller: Caller, offer: Offer, schemas: Schemas, reach: ReachView | None = None
) -> OfferView:
    """Return the view of an offer for a reader who knows exactly the combat in `play`."""
    option = offer.option
    action = option if isinstance(option, Action) else None
    names = play.combat.combatants
    named = names.get(option.id) if offer.kind == "choice" and not option.label else None
    label = option.label or (words(option.id) if named is None else named.name)
    screen = screen_of(play.ruleset, option, offer.kind)
    assert screen.category is not None, "every option has a category"
    first = next(iter(offer.legal), None)
    template = template_of(option, label, screen.headline)
    idle = _idle(play.combat, offer, caller)
    return OfferView(
        option.id,
        label,
        cast(OfferKind, offer.kind),
        offer.who or None,
        bool(offer.legal) or not offer.refusals,
        offer.prompt,
        "" if action is None else _cost(play.ruleset, offer, action),
        () if action is None else action.rules,
        _inputs(play.combat, offer, schemas),
        screen.category,
        polarity_of(screen, option, play.combat, offer.who, first or {}),
        _polarity_by(play.combat, offer, screen),
        tuple(name for name in _essential(offer, screen) if name not in idle),
        idle,
        None if first is None else headline(play.combat, offer.who, option, template, first),
        template,
        offer.legal,
        offer.values,
        _refusals(play.combat, offer.refusals),
        reach,
    )


def _cost(ruleset: Rulebook, offer: Offer, action: Action) -> str:
    """Return the cost of the first example, in the words of the rulebook's actions."""
    kind = next(iter(_payment(ruleset, offer).values()), None)
    if kind is None:
        return action.cost
    label: str = ruleset.catalogue.budget[kind]
    same = {kind, label.casefold(), f"1 {label.casefold()}"}
    costs: Iterator[str] = (known.cost for known in ruleset.actions.values())
    return next((cost for cost in costs if cost.casefold() in same), label)


def _polarity_by(known: Combat, offer: Offer, screen: Screen) -> PolarityBy | None:
    """Return the field that names the weapon, spell or item, with the polarity of its values."""
    by = acting(offer.option.inputs)
    if screen.polarity is not None or by is None or not offer.who:
        return None
    legal = offer.values.get(by.name, ())
    values = {id: of_thing(known, offer.who, by, id) for id in legal if isinstance(id, str)}
    return PolarityBy(by.name, values) if values else None


def _essential(offer: Offer, screen: Screen) -> tuple[str, ...]:
    """Return the fields that the action declares essential, or else the empty fields to fill in.

    Fields with exactly one legal value are left out, because a client can fill them in. A required
    field without legal values is included, because a person must fill it in. If the GM answers a
    question with a number or a text, this field is included too.
    """
    fields = inputs_of(offer.option.inputs)
    if offer.kind == "ruling" and offer.prompt is not None and not screen.essential:
        named = tuple(name for name, field in fields.items() if field.free)
        if named:
            return named
    targets = {field.name for field in aimed(offer.option.inputs)}
    marked = screen.essential or tuple(
        name
        for name, field in fields.items()
        if field.required or name in targets or field.kind.listed or field.kind.refers == "path"
    )

    def is_open(name: str) -> bool:
        many = len(offer.values.get(name, ()))
        return many > 1 or (not many and (fields[name].required or name in screen.essential))

    return tuple(name for name in marked if is_open(name))


def _idle(known: Combat, offer: Offer, caller: Caller) -> tuple[str, ...]:
    """Return the fields that make no difference for the reader now."""
    actor = known.combatants.get(offer.who)
    return tuple(
        name
        for name, field in inputs_of(offer.option.inputs).items()
        if field.is_idle(actor, by_gm=caller.role == "gm")
    )


def _refusals(known: Combat, refusals: tuple[Illegal, ...]) -> tuple[RefusalView, ...]:
    names = {combatant.id: combatant.name for combatant in known} if refusals else {}
    return tuple(
        RefusalView(refusal.rule, refusal.code, spoken(refusal.detail, names), refusal.allowed)
        for refusal in refusals
    )


def words(id: str) -> str:
    """Return an id for people: "total-defense" -> "Total defense"."""
    return id.replace("-", " ").replace("_", " ").capitalize()
