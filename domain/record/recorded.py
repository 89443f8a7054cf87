"""Recorded: an event with its envelope, and its stored bytes.

The stored form is a JSON object. Its topic, such as `damaged:1`, has the tag and class version.
Decoding skips unknown fields and gives missing fields their defaults. The class of an event
converts older versions, one version at a time (`lifted`).
"""

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.errors import Unknown
from domain.record.combat import Id, Json
from domain.record.events import AnyEvent, Event
from domain.record.json_words import plain


class Lifted(Struct, frozen=True):
    """The event as an older version of its class wrote it. The stored form never changes."""

    version: int
    event: msgspec.Raw


class Recorded(Struct, frozen=True, omit_defaults=True, gc=False):
    """A stored event with its envelope.

    - `version`: its number in the stream of the combat, from 1 without gaps.
    - `parent`: the version that it continues from.
    - `at`: its time (RFC 3339, in UTC).
    - `command`: the id of the request. The first event of the command has the `input`.
    - `actor`: the id and the role of the caller's token.
    - `audience`: the combatants whose players may read it, or `None` for everybody. The GM may read
      all events.
    - `frame`: the running procedure that it belongs to, or 0.
    - `previous`: the hash of the event before it in the stream, or empty for the first.
    - `salt`: random text in the digests of `free_text` fields and of `input`.
    - `plays`: the combatants of the player who sent the command, on its first event. It is empty
      for the GM, who plays all combatants.
    - `replays`: the version of the event that this one repeats in an amendment, or 0. On the first
      event of a command that the amendment added, it is the version of its `amended`.
    - `lifted`: the stored form of an event from an older release. It is never encoded.
    """

    version: int
    parent: int
    at: str
    command: str
    actor: tuple[str, str]
    event: AnyEvent
    previous: str = ""
    audience: tuple[Id, ...] | None = None
    frame: int = 0
    input: Mapping[str, Json] | None = None
    salt: str = ""
    combat: str = ""
    plays: tuple[Id, ...] = ()
    replays: int = 0
    lifted: Lifted | None = None

    @property
    def originator_id(self) -> str:
        """Return the combat's id."""
        return self.combat

    @property
    def originator_version(self) -> int:
        """Return the version, under the name that the library uses."""
        return self.version


_ENCODER = msgspec.json.Encoder(order="deterministic")
_DECODER = msgspec.json.Decoder(Recorded)

written: Callable[[Recorded], bytes] = _ENCODER.encode
"""Return the stored bytes of an event that this release recorded."""

read_back: Callable[[bytes], Recorded] = _DECODER.decode
"""Return the event in such bytes."""

_RAW_DECODER = msgspec.json.Decoder()
_RAW_EVENT = msgspec.json.Decoder(dict[str, Any])
_RAW_ENCODER = msgspec.json.Encoder()
"""An encoder that keeps the order of the fields."""

_TAGS: Mapping[type[Event], str] = {
    kind: str(kind.__struct_config__.tag) for kind in Event.__subclasses__()
}

_NAMES: Mapping[type[Event], str] = {
    kind: f"{name}:{kind.class_version}" for kind, name in _TAGS.items()
}

TOPICS: Mapping[str, tuple[type[Event], int]] = {
    f"{name}:{version}": (kind, version)
    for kind, name in _TAGS.items()
    for version in range(1, kind.class_version + 1)
}
"""Every topic that any release wrote, with its class and class version."""


def topics_of(*kinds: type[Event]) -> tuple[str, ...]:
    """Return the topics of these types of event, in all class versions."""
    return tuple(name for name, (kind, _) in TOPICS.items() if kind in kinds)


def tag(event: AnyEvent) -> str:
    """Return the stored name of an event's type, such as "damaged"."""
    return _TAGS[type(event)]


def topic(recorded: Recorded) -> str:
    """Return the stored type and class version, such as "damaged:1"."""
    if recorded.lifted is not None:
        return f"{_TAGS[type(recorded.event)]}:{recorded.lifted.version}"
    return _NAMES[type(recorded.event)]


def encode(recorded: Recorded) -> bytes:
    """Return the bytes that are stored, hashed and exported."""
    if recorded.lifted is not None:
        event: Any = recorded.lifted.event
        return _ENCODER.encode(replace(recorded, event=event, combat="", lifted=None))
    return _ENCODER.encode(replace(recorded, combat="") if recorded.combat else recorded)


def encode_event(event: AnyEvent) -> bytes:
    """Return the stored bytes of an event without its envelope."""
    return _ENCODER.encode(event)


def decode(state: bytes, topic: str | None = None) -> Recorded:
    """Return the event in stored bytes. Raise `Unknown` for a topic that no release wrote."""
    if topic is None or is_current(topic):
        return _DECODER.decode(state)
    return lifted(msgspec.json.decode(state), topic)


def is_current(topic: str) -> bool:
    """Return true if this release writes the topic. Raise `Unknown` if no release wrote it."""
    try:
        kind, version = TOPICS[topic]
    except KeyError:
        raise Unknown("event type", topic, sorted(TOPICS)) from None
    return version == kind.class_version


def lifted(state: Any, topic: str) -> Recorded:
    """Return an event of an older class version in the form of this release.

    Raise `msgspec.ValidationError` for JSON that is not such an event.
    """
    kind, written = TOPICS[topic]
    event = state.get("event") if isinstance(state, dict) else None
    if not isinstance(event, dict):
        raise msgspec.ValidationError("Expected `object` - at `$.event`")
    stored = Lifted(written, msgspec.Raw(msgspec.json.encode(event)))
    for version in range(written, kind.class_version):
        lift = getattr(kind, f"upcast_v{version}_v{version + 1}")
        try:
            lift(event)
        except (AttributeError, LookupError, TypeError, ValueError) as error:  # wrong fields
            raise msgspec.ValidationError(f"no {topic}: {plain(error)}") from error
    recorded = msgspec.convert(state, Recorded)
    if type(recorded.event) is not kind:
        raise msgspec.ValidationError(f"no {topic}, but an event of the type {tag(recorded.event)}")
    return replace(recorded, lifted=stored)


ERASED = "erased:sha256:"


def text_digest(salt: str, text: str) -> str:
    """Return the digest that replaces a free text in the hash chain."""
    if text.startswith(ERASED):
        return text
    return ERASED + hashlib.sha256(f"{salt}\x00{text}".encode()).hexdigest()


def chain_hash(recorded: Recorded, state: bytes | None = None) -> str:
    """Return the SHA-256 of the event's canonical bytes, which contain the previous hash."""
    if not recorded.salt and not _is_erased(recorded):
        return hashlib.sha256(encode(recorded) if state is None else state).hexdigest()
    return hashlib.sha256(encode(canonical(recorded))).hexdigest()


def stored_hash(recorded: Recorded, state: bytes) -> str:
    """Return the chain hash of stored bytes, even if they have fields that are unknown here."""
    if (recorded.salt or _is_erased(recorded)) and is_newer(recorded, state):
        return raw_hash(topic(recorded), state)
    return chain_hash(recorded, state)


def is_newer(recorded: Recorded, state: bytes) -> bool:
    """Return true if stored bytes have a field that this release does not know."""
    if recorded.lifted is not None or encode(recorded) == state:
        return False
    return _has_more(recorded, _RAW_DECODER.decode(state))


def raw_hash(topic: str, state: bytes) -> str:
    """Return the `stored_hash` of an event that a newer release wrote.

    Raise `msgspec.MsgspecError` for bytes that are not an event.
    """
    kind, version = TOPICS[topic]
    raw = _RAW_EVENT.decode(state)
    kept, salt = raw.get("input"), raw.pop("salt", "")
    event: dict[str, Any] = raw["event"] if isinstance(raw.get("event"), dict) else {}
    texts = kind.free_text if version == kind.class_version else ()
    present = {name: event[name] for name in texts if isinstance(event.get(name), str)}
    erased = isinstance(kept, dict) and isinstance(kept.get("erased"), str)
    if not salt and not erased and not any(text.startswith(ERASED) for text in present.values()):
        return hashlib.sha256(state).hexdigest()
    for name, text in present.items():
        event[name] = text_digest(salt, text) if text else text
    if kept is not None and not erased:
        raw["input"] = {"erased": text_digest(salt, _RAW_ENCODER.encode(kept).decode())}
    return hashlib.sha256(_RAW_ENCODER.encode(raw)).hexdigest()


def _has_more(known: Any, raw: Any) -> bool:
    """Return true if JSON has a field that the Struct decoded from it does not have."""
    if isinstance(known, Struct) and isinstance(raw, dict):
        names = dict(zip(known.__struct_encode_fields__, known.__struct_fields__, strict=True))
        tag = known.__struct_config__.tag_field
        return any(
            name != tag and (name not in names or _has_more(getattr(known, names[name]), value))
            for name, value in raw.items()
        )
    if isinstance(known, Mapping) and isinstance(raw, dict):
        return any(_has_more(value, raw.get(name)) for name, value in known.items())
    if isinstance(known, tuple | list) and isinstance(raw, list):
        return any(_has_more(item, value) for item, value in zip(known, raw, strict=False))
    return False


def canonical(recorded: Recorded) -> Recorded:
    """Return an event without its salt, and with digests for its texts and its input.

    The hash chain therefore still verifies after somebody erases the texts.
    """
    event: Any = recorded.event
    if event.free_text:
        digests = {
            name: text_digest(recorded.salt, value)
            for name in event.free_text
            if isinstance(value := getattr(event, name), str) and value
        }
        event = replace(event, **digests)
    kept = recorded.input
    if kept is not None and not isinstance(kept.get("erased"), str):
        kept = {"erased": text_digest(recorded.salt, _ENCODER.encode(kept).decode())}
    return replace(recorded, event=event, salt="", input=kept)


def needs_salt(event: AnyEvent) -> bool:
    """Return true if the event contains a text that somebody may erase."""
    texts = event.free_text  # most events have no text
    return bool(texts) and any(getattr(event, name) for name in texts)


def _is_erased(recorded: Recorded) -> bool:
    """Return true if erased texts make the stored bytes differ from the hashed bytes."""
    event: Any = recorded.event
    kept = recorded.input
    if kept is None and not event.free_text:
        return False
    return (kept is not None and "erased" in kept) or any(
        isinstance(value := getattr(event, name), str) and value.startswith(ERASED)
        for name in event.free_text
    )
