"""Forgetting what people wrote: names and notes, while the chain of hashes still verifies."""

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.record.combat import Id
from domain.record.recorded import ERASED, Recorded, text_digest


def erase(
    recorded: Iterable[Recorded], *, who: Id | None = None, version: int | None = None
) -> list[Recorded]:
    """The events that change when the texts about `who`, or of one event, are forgotten.

    Each text is replaced by its digest, and so is the input of the command that brought it. The
    salt goes too where no other text needs it, so that nobody can guess the text from the digest.
    """
    events = list(recorded)
    chosen = {
        one.version
        for one in events
        if one.event.free_text
        and (one.version == version or (who is not None and getattr(one.event, "who", "") == who))
    }
    commands = {one.command for one in events if one.version in chosen}
    changed: list[Recorded] = []
    for one in events:
        fresh = one
        if one.input is not None and one.command in commands and "erased" not in one.input:
            text = _CANONICAL.encode(one.input).decode()
            fresh = replace(fresh, input={"erased": text_digest(one.salt, text)})
        if one.version in chosen:
            fresh = replace(fresh, event=_without_texts(one))
        if fresh is not one:
            changed.append(replace(fresh, salt="") if _nothing_left(fresh) else fresh)
    return changed


_CANONICAL = msgspec.json.Encoder(order="deterministic")


def _without_texts(one: Recorded) -> Any:
    event: Any = one.event
    digests = {
        name: text_digest(one.salt, value)
        for name in event.free_text
        if isinstance(value := getattr(event, name), str) and value
    }
    return replace(event, **digests)


def _nothing_left(one: Recorded) -> bool:
    """Whether no text of the event is still readable. The salt is kept while one is."""
    event: Any = one.event
    texts = [getattr(event, name) for name in event.free_text]
    readable = [text for text in texts if text and not text.startswith(ERASED)]
    return not readable and (one.input is None or "erased" in one.input)
