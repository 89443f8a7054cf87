"""Forms: check that a ruleset accepts the values that its JSON Schemas describe, and no others.

- The examples of every offer are valid, and the ruleset accepts them.
- The ruleset refuses wrong values with a JSON pointer to the field.

This needs `jsonschema`, which the extra `affray[conformance]` installs.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

import msgspec
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from domain.engine.commands import Act, Command, GmRuling, Reply
from domain.engine.options import Offer
from domain.errors import Refused
from domain.rulebook.ruleset import Ruleset
from domain.rulebook.state_cache import looking
from projections.catalogue import catalogue
from projections.schemas import Schemas
from service.conformance.spec import GM, Spec

SENT: Final = 2
"""The limit of examples to send for one offer."""

UNKNOWN: Final = "no-such-field"

WRONG: Final = (None, True, -1_000_000, 0.5, "no such value", [["no"]], {UNKNOWN: 1})
"""Values to put into a field. The ruleset must refuse those that the schema forbids."""


class Forms:
    """Checks the forms of a ruleset, and counts the checks."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.schemas = Schemas(ruleset)
        self.counts: Counter[str] = Counter()
        self._spoiled: set[str] = set()

    # ---- without a fight

    def publish(self) -> None:
        """Check every schema of the catalogue, and the ready fights against them."""
        published = msgspec.json.decode(msgspec.json.encode(catalogue(self.ruleset)))
        for schema in _schemas(published):
            Draft202012Validator.check_schema(schema)
            self.counts["schemas"] += 1
        for party in self.ruleset.parties:
            for sheet in party.sheets:
                self.valid(f"a sheet of {party.id!r}", sheet, self.ruleset.sheet)
                self.spoiled_sheets(sheet)
            self.valid(f"the options of {party.id!r}", party.options, self.ruleset.options)
            if party.map is not None:
                self.valid(f"the map of {party.id!r}", party.map, self.ruleset.map)

    def spoiled_sheets(self, sheet: Mapping[str, Any]) -> None:
        """Check that the ruleset refuses every wrong value in a sheet, and names its field."""
        for field, wrong in self._wrong(_plain(sheet), self.ruleset.sheet):
            try:
                self.ruleset.read_sheet(wrong)
            except Refused as refused:
                _points(refused, f"/{field}", "sheet")
            else:
                raise AssertionError(f"a sheet with a wrong {field!r} is accepted: {wrong[field]}")
            self.counts["wrong values"] += 1

    # ---- in a fight

    def look(self, spec: Spec) -> None:
        """Send examples of every current offer, and each offer once with wrong values."""
        with looking():
            offers = list(spec.live.all_options(GM))
        for offer in offers:
            for inputs in offer.legal[:SENT]:
                self.valid(f"an example of {offer.option.id!r}", inputs, offer.option.inputs)
                self.accepted(spec, offer, inputs)
            key = f"{offer.kind} {offer.option.id} {offer.option.inputs.__name__}"
            if offer.legal and key not in self._spoiled:
                self.spoiled(spec, offer, _plain(offer.legal[0]))
                self._spoiled.add(key)

    def accepted(self, spec: Spec, offer: Offer, inputs: Mapping[str, Any]) -> None:
        """Send an example of an offer, and check that the rules accept it."""
        try:
            spec.live.apart().decide(_command(offer, inputs), spec.context())
        except Refused as refused:
            if getattr(refused, "code", "") == "nothing-changes":
                return  # Affray may refuse only a ruling that would change nothing
            raise AssertionError(
                f"an offer of {offer.option.id!r} is refused when it is sent: {refused!r}; "
                f"inputs {_plain(inputs)}"
            ) from refused
        self.counts["offers"] += 1

    def spoiled(self, spec: Spec, offer: Offer, inputs: dict[str, Any]) -> None:
        """Check that the ruleset refuses wrong inputs, and names their field."""
        for field, wrong in self._wrong(inputs, offer.option.inputs):
            try:
                spec.live.apart().decide(_command(offer, wrong), spec.context())
            except Refused as refused:
                _points(refused, f"/inputs/{field}", offer.option.id)
            else:
                raise AssertionError(
                    f"{offer.option.id!r} with a wrong {field!r} is accepted: {wrong}"
                )
            self.counts["wrong values"] += 1

    # ---- of both

    def valid(self, what: str, value: Any, kind: Any) -> None:
        """Check that the published schema accepts the value."""
        fault = next(self._validator(kind).iter_errors(_plain(value)), None)
        assert fault is None, f"{what} is not valid: {fault.message} at {fault.json_path}"
        self.counts["examples"] += 1

    def _wrong(self, good: dict[str, Any], kind: Any) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield a good value with one fault: an unknown field, or a value of a forbidden type."""
        yield UNKNOWN, {**good, UNKNOWN: 1}
        validator = self._validator(kind)
        for field in msgspec.structs.fields(kind):
            for value in WRONG:
                wrong = {**good, field.encode_name: value}
                if not validator.is_valid(wrong):
                    yield field.encode_name, wrong

    @cache  # noqa: B019 - it lives as long as the check
    def _validator(self, kind: Any) -> Any:
        return Draft202012Validator(_plain(self.schemas.of(kind)))


def _command(offer: Offer, inputs: Mapping[str, Any]) -> Command:
    if offer.prompt is not None:
        return Reply(offer.prompt, offer.option.id, inputs)
    if offer.kind == "ruling":
        return GmRuling(offer.option.id, inputs)
    return Act(offer.who, offer.option.id, inputs)


def _points(refused: Refused, pointer: str, what: str) -> None:
    told = getattr(refused, "pointer", None)
    assert told is not None, f"{what}: the refusal has no pointer to {pointer}: {refused!r}"
    assert f"{told}/".startswith(f"{pointer}/"), f"{what}: {told} is named, not {pointer}"


def _schemas(value: Any) -> Iterator[Any]:
    """Yield every JSON Schema inside the catalogue."""
    if isinstance(value, dict):
        if "$schema" in value:
            yield value
            return
        value = list(value.values())
    if isinstance(value, list):
        for inner in value:
            yield from _schemas(inner)


def _plain(value: Any) -> Any:
    """Return the value as it is after a round trip through JSON."""
    return msgspec.json.decode(msgspec.json.encode(value))
