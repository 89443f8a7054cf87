"""Every event and field declares who may know it. By default, nobody may."""

from typing import get_args

import pytest
from msgspec import inspect

from domain.record.events import AnyEvent, Event
from domain.record.readers import KnownTo, knowers, known

KINDS = list(get_args(AnyEvent))


class Silent(Event, frozen=True, tag="silent"):
    """An event without a declaration of its readers."""

    secret: int


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: str(kind.__name__))
def test_a_type_of_event_says_who_may_know_it(kind: type[Event]) -> None:
    assert "known_to" in vars(kind)
    assert kind.known_to in get_args(KnownTo)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: str(kind.__name__))
def test_each_field_says_who_may_know_it_and_what_it_means(kind: type[Event]) -> None:
    declared = inspect.type_info(kind)
    assert isinstance(declared, inspect.StructType)
    types = {field.name: field.type for field in declared.fields}
    for name, level in knowers(kind).items():
        assert level in get_args(KnownTo)
        metadata = types[name]
        assert isinstance(metadata, inspect.Metadata), f"{kind.__name__}.{name} says nothing"
        assert (metadata.extra_json_schema or {}).get("description"), name


def test_what_says_nothing_is_the_gms() -> None:
    assert Silent.known_to == "gm"
    assert knowers(Silent)["secret"] == "gm"
    assert knowers(Silent)["rules"] == "all"
    assert known("all", "points").extra == {"known_to": "all"}
