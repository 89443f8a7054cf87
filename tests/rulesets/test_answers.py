"""Test that an answer that is not an option gets the same refusal as an illegal action."""

from random import Random

import pytest

from domain.engine.commands import Act, Reply
from domain.errors import Illegal, Refused
from service.conformance.walker import Walker
from tests.spec import Spec
from tests.walks import begin

STEPS = 40
"""Maximum number of random steps.

The test leaves out the other rulebooks, because their turns offer every action but interjections.
"""


def refusal(spec: Spec, command: Act | Reply) -> Refused:
    with spec.raises(Refused) as caught:
        spec.do(command)
    return caught[0]


@pytest.mark.parametrize("ruleset", ["hallowed-earth", "sovereign", "vile-darkness"])
def test_an_action_that_is_no_option_of_the_turn(ruleset: str) -> None:
    spec = begin(ruleset, 1)
    walker = Walker(spec, Random(3), undo=0, ruling=0, interject=0)
    compared: set[str] = set()
    for _ in range(STEPS):
        for id, prompt in spec.live.open_prompts().items():
            options = {option.id for option in prompt.options}
            if prompt.kind not in ("turn", "declare") or prompt.who is None:
                continue
            for action in spec.ruleset.actions.values():
                if action.id in {*options, *compared} or action.interjection:
                    continue
                answered = refusal(spec, Reply(id, action.id, {}))
                declared = refusal(spec, Act(prompt.who, action.id, {}))
                assert (type(answered), str(answered)) == (type(declared), str(declared))
                if isinstance(answered, Illegal) and isinstance(declared, Illegal):
                    assert answered.code == declared.code
                    assert answered.rule
                    compared.add(action.id)
        if not walker.step():
            break
    assert compared
