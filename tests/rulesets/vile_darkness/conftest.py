"""A fight under `vile-darkness`."""

import pytest

from domain.rulesets.vile_darkness import RULESET
from tests.spec import Spec


@pytest.fixture
def spec() -> Spec:
    return Spec(RULESET)
