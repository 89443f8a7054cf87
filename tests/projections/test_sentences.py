"""What a GM would say, from the event alone."""

from projections.sentences import sentence

NAMES = {"ann": "Ann", "bob": "Bob"}


def test_who_was_stopped_and_why() -> None:
    data = {"who": "ann", "doing": "bonus-move", "reason": "unable", "detail": "Ann is down"}
    told = "Ann is stopped in the midst of it (bonus move): Ann is down"
    assert sentence("stopped", data, NAMES) == told
    del data["detail"]  # a foe is not told why
    assert sentence("stopped", data, NAMES) == "Ann is stopped in the midst of it (bonus move)"


def test_what_does_not_happen_any_more() -> None:
    data = {"who": "bob", "action": "snap-attack", "inputs": {}, "detail": "Bob has no main left"}
    told = "What Bob has chosen does not happen (snap attack): Bob has no main left"
    assert sentence("prevented", data, NAMES) == told
