"""A fight under `free-hit`, and short ways to write sheets."""

import pytest

from domain.rulesets.free_hit import RULESET
from tests.spec import Spec


@pytest.fixture
def spec() -> Spec:
    return Spec(RULESET)
