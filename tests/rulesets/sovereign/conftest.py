"""Provide the fixture `spec` for tests of the rulebook `sovereign`."""

from collections.abc import Iterator

import pytest

from domain.rulesets.sovereign import RULESET
from tests.spec import Spec, played


@pytest.fixture
def spec() -> Iterator[Spec]:
    yield from played(RULESET)
