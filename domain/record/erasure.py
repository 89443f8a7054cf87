"""Erasure: remove names and notes that people wrote, so that the hash chain still verifies."""

from collections.abc import Iterable

from msgspec.structs import replace

from domain.record.combat import Id
from domain.record.recorded import Recorded, canonical


def erase(
    recorded: Iterable[Recorded], *, who: Id | None = None, version: int | None = None
) -> list[Recorded]:
    """Erase the texts about `who`, or of the event `version`, and return the changed events.

    - A digest replaces each text, and the input of the command that contained it.
    - If an amendment repeats the text, the repetition is also erased.
    - An event loses its salt if no other text needs it. With the salt, somebody could guess the
      text from the digest.
    """
    events = list(recorded)
    chosen = {
        recorded.version
        for recorded in events
        if recorded.event.free_text
        and (
            recorded.version == version
            or (who is not None and getattr(recorded.event, "who", "") == who)
        )
    }
    if version is not None:
        chosen = _repeated(events, chosen)
    commands = {recorded.command for recorded in events if recorded.version in chosen}
    changed: list[Recorded] = []
    for event in events:
        whole = canonical(event)
        fresh = replace(
            event,
            event=whole.event if event.version in chosen else event.event,
            input=whole.input if event.command in commands else event.input,
        )
        if fresh != event:
            nothing_left = (fresh.event, fresh.input) == (whole.event, whole.input)
            changed.append(whole if nothing_left else fresh)
    return changed


def _repeated(events: list[Recorded], chosen: set[int]) -> set[int]:
    """Return all events with the text of one of these events: originals and repetitions."""
    originals = {recorded.version: recorded.replays for recorded in events if recorded.replays}
    texts = {recorded.version for recorded in events if recorded.event.free_text}

    def first_of(version: int) -> int:
        while (original := originals.get(version, 0)) in texts and original < version:
            version = original
        return version

    firsts = {first_of(version) for version in chosen}
    return {version for version in texts if first_of(version) in firsts}
