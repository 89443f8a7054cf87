"""Late answers: explain how a prompt closed before its answer arrived."""

from collections.abc import Callable

from domain.engine.audience import Audience
from domain.errors import Closed, Refused, Unknown
from domain.record.events import (
    ActionDeclared,
    Answered,
    ProcedureAbandoned,
    ProcedureEnded,
    Prompted,
    Stopped,
)
from domain.record.history import History
from domain.record.recorded import Recorded
from domain.rulebook.id_names import words

HANDS = {
    "standing-order": "a standing order",
    "default": "its default",
    "lapsed": "its default, as it lapsed",
    "closed": "its default: the GM closed it",
}

LAPSES = {
    "time": "its default: its time was over",
    "left": "its default: whoever was asked has left",
    "moot": "its default: there was nothing left to ask",
}
"""The reason why a prompt lapsed, if it is recorded."""


def too_late(
    history: History,
    prompt: str,
    sees: Callable[[Audience], bool],
    successor: Callable[[Prompted], str] = lambda asked: "",
) -> Refused:
    """Return the error for a late answer, as far as the caller may know the reason.

    The error names the prompt that replaces the closed prompt.
    """
    asked = history.asked(prompt)
    if asked is None or not sees(asked.audience):
        return Unknown("prompt", prompt)
    assert isinstance(asked.event, Prompted), asked.event
    closed = _closed(history, asked, prompt, sees)
    closed.successor = successor(asked.event)
    return closed


def _closed(
    history: History, asked: Recorded, prompt: str, sees: Callable[[Audience], bool]
) -> Closed:
    if not history.on_path(asked):
        return Closed("the question was undone", "undone")
    answered: Closed | None = None
    for recorded in history.following(asked.version):
        event = recorded.event
        if isinstance(event, Answered | ActionDeclared) and event.prompt == prompt:
            answered = _answered(recorded, event)
        if isinstance(event, Answered | ActionDeclared) and prompt in event.closes:
            other = Closed("another answer closed the question", "overtaken", at=recorded.at)
            return answered or other
        if isinstance(event, Stopped) and prompt in event.closes and sees(recorded.audience):
            why = f": {event.detail}" if event.detail and sees((event.who,)) else ""
            detail = f"the question is closed, because {event.who} could not finish"
            detail = f"{detail} “{words(event.doing)}”{why}"
            return Closed(detail, "stopped", at=recorded.at, because=event.reason)
        if isinstance(event, ProcedureEnded | ProcedureAbandoned) and event.frame == asked.frame:
            break
    return answered or Closed("what it belonged to has ended", "ended")


def _answered(recorded: Recorded, event: Answered | ActionDeclared) -> Closed:
    role = recorded.actor[1]
    how = event.by if isinstance(event, Answered) else "caller"
    option = event.option if isinstance(event, Answered) else event.action
    why = event.because if isinstance(event, Answered) else ""
    hand = LAPSES.get(why) or HANDS.get(how) or ("the GM" if role == "gm" else "its player")
    detail = f"it was answered already: {words(option)} ({hand})"
    if how == "caller":
        return Closed(detail, "answered", option, role, recorded.at)
    return Closed(detail, how, option, at=recorded.at)
