"""Forgetting what people wrote: names and notes, while the chain of hashes still verifies."""

from collections.abc import Iterable

from msgspec.structs import replace

from domain.record.combat import Id
from domain.record.recorded import Recorded, canonical


def erase(
    recorded: Iterable[Recorded], *, who: Id | None = None, version: int | None = None
) -> list[Recorded]:
    """Return the events that change when texts about `who`, or of one event, are erased.

    Each text is replaced by its digest, and so is the input of the command that brought it.
    Repetitions of the text by an amendment are erased too. The salt is removed if no other text
    needs it. Otherwise, the text could be guessed from the digest.
    """
    events = list(recorded)
    chosen = {
        one.version
        for one in events
        if one.event.free_text
        and (one.version == version or (who is not None and getattr(one.event, "who", "") == who))
    }
    if version is not None:
        chosen = _repeated(events, chosen)
    commands = {one.command for one in events if one.version in chosen}
    changed: list[Recorded] = []
    for one in events:
        whole = canonical(one)
        fresh = replace(
            one,
            event=whole.event if one.version in chosen else one.event,
            input=whole.input if one.command in commands else one.input,
        )
        if fresh != one:
            nothing_left = (fresh.event, fresh.input) == (whole.event, whole.input)
            changed.append(whole if nothing_left else fresh)
    return changed


def _repeated(events: list[Recorded], chosen: set[int]) -> set[int]:
    """These versions, their originals, and all that repeats them."""
    originals = {one.version: one.replays for one in events if one.replays}
    texts = {one.version for one in events if one.event.free_text}

    def first_of(version: int) -> int:
        while (original := originals.get(version, 0)) in texts and original < version:
            version = original
        return version

    firsts = {first_of(version) for version in chosen}
    return {version for version in texts if first_of(version) in firsts}
