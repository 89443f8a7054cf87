"""A fight under `vile-darkness`."""

from collections.abc import Iterator

import pytest

from domain.rulesets.vile_darkness import RULESET
from tests.spec import Spec


@pytest.fixture
def spec() -> Iterator[Spec]:
    """No die may be wanting at the end: what nobody rolls would show nothing."""
    spec = Spec(RULESET)
    yield spec
    assert all(prompt.kind != "roll" for prompt in spec.live.open_prompts().values()), spec.open()
