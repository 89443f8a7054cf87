"""A fight under `vile-darkness`."""

from collections.abc import Iterator

import pytest

from domain.rulesets.vile_darkness import RULESET
from tests.spec import Spec, played


@pytest.fixture
def spec() -> Iterator[Spec]:
    yield from played(RULESET)
