"""A fight under `hallowed-earth`."""

from collections.abc import Iterator

import pytest

from domain.rulesets.hallowed_earth import RULESET
from tests.spec import Spec, played


@pytest.fixture
def spec() -> Iterator[Spec]:
    yield from played(RULESET)
