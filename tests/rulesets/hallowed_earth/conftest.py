"""A fight under `hallowed-earth`."""

import pytest

from domain.rulesets.hallowed_earth import RULESET
from tests.spec import Spec


@pytest.fixture
def spec() -> Spec:
    return Spec(RULESET)
