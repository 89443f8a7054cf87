"""A fight under `definitions`."""

import pytest

from domain.rulesets.definitions import RULESET
from tests.spec import Spec


@pytest.fixture
def spec() -> Spec:
    return Spec(RULESET)
