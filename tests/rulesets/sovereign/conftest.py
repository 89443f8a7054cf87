"""A fight under `sovereign`."""

import pytest

from domain.rulesets.sovereign import RULESET
from tests.spec import Spec


@pytest.fixture
def spec() -> Spec:
    return Spec(RULESET)
