"""A short form of notes and of the results of spells and activities."""

from collections.abc import Iterable

from domain.record.events import EffectResolved, Event, Noted


def notes(events: Iterable[Event]) -> list[str]:
    """Return the texts of notes, and results in the form `effect item result: reason`."""
    return [_short(event) for event in events if isinstance(event, EffectResolved | Noted)]


def _short(event: EffectResolved | Noted) -> str:
    if isinstance(event, Noted):
        return event.text
    item = event.data.get("item")
    what = f"{event.effect} {item}" if item and event.kind == "activity" else event.effect
    why = event.detail or event.text
    return f"{what} {event.result}: {why}" if why else f"{what} {event.result}"
