"""The log reports an outage once at its beginning and once at its end."""

import logging

import pytest

from service.store.outage import Outage
from service.store.rows import Unavailable


def test_an_outage_is_said_twice_however_long_it_is(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "affray")
    outage = Outage("the clock")
    with outage.told():
        pass
    assert not caplog.messages
    for _ in range(3):
        with outage.told():
            raise Unavailable("it does not answer")
    assert caplog.messages == ["the clock waits for the database"]
    for _ in range(2):
        with outage.told():
            pass
    assert caplog.messages == ["the clock waits for the database", "the clock: waited 0 s"]
    with pytest.raises(KeyError), outage.told():
        raise KeyError
