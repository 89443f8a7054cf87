"""Compression and encryption of events, with the settings of the eventsourcing library.

`COMPRESSOR_TOPIC` names a compressor ("zlib"). `CIPHER_KEY` sets a key, and `CIPHER_TOPIC` the
cipher that uses it. The library has two AES ciphers that can read each other's bytes, and Affray
uses the faster one. `docs/running.md` explains how to replace a key.
"""

import os
from collections.abc import Mapping
from typing import Any, Final

from eventsourcing.persistence import BaseInfrastructureFactory, Cipher
from eventsourcing.utils import Environment, TopicError, resolve_topic

from service.settings import BadSetting
from service.store.log import Store
from service.store.mapper import Mapper
from service.store.transcoder import MsgspecTranscoder

AES: Final = "eventsourcing.cryptography:AESCipher"


def mapper_of(environ: Mapping[str, str] = os.environ) -> Mapper:
    """Return the mapper that the environment asks for. Raises `BadSetting`."""
    settings = {"CIPHER_TOPIC": AES, **environ} if environ.get("CIPHER_KEY") else environ
    factory: BaseInfrastructureFactory[Any] = BaseInfrastructureFactory(Environment(env=settings))
    try:
        compressor = factory.compressor()
    except (TopicError, AttributeError) as error:
        raise BadSetting(f"COMPRESSOR_TOPIC: there is no such compressor: {error}") from None
    try:
        return Mapper(MsgspecTranscoder(), compressor, factory.cipher())
    except (TopicError, AttributeError) as error:
        raise BadSetting(f"CIPHER_TOPIC: there is no such cipher: {error}") from None
    except (ValueError, OSError) as error:  # the message does not repeat the key
        raise BadSetting(
            "CIPHER_KEY: a key has 16, 24 or 32 bytes, in base64; docs/running.md says how one is"
            f" made ({type(error).__name__})"
        ) from None


_ENDS: Final = " UNION ALL ".join(
    f"(SELECT state FROM log.stored_events WHERE originator_version > 0"
    f" ORDER BY notification_id {order} LIMIT 1)"
    for order in ("ASC", "DESC")
)


async def mapper_for(store: Store) -> Mapper:
    """Return the environment's mapper, after it has read the oldest and the newest event.

    Raise `BadSetting` for another key, which would split the log in two and leave gaps in read
    models.
    """
    mapper = mapper_of()
    for (state,) in await store.database.ask(lambda connection: connection.fetch(_ENDS)):
        try:
            mapper.codec.decode(mapper.opened(state))
        except Exception:  # each cipher and compressor raises its own
            raise BadSetting(
                "CIPHER_KEY, COMPRESSOR_TOPIC: the database holds events that they cannot read;"
                " docs/running.md says how a key is replaced or added"
            ) from None
    return mapper


PLAIN: Final = "plain"


class Rotating(Cipher):
    """AES with several keys. `CIPHER_KEY` lists them with commas, the newest first.

    The first key encrypts, and all keys decrypt. To read events that were stored without a key, add
    the word `plain` at the end.
    """

    def __init__(self, environment: Environment) -> None:
        aes: type[Cipher] = resolve_topic(AES)  # not at import, because AES needs an extra package
        texts = [text.strip() for text in (environment.get("CIPHER_KEY") or "").split(",")]
        self._plain = PLAIN in texts
        self._ciphers = [
            aes(Environment(env={"CIPHER_KEY": text})) for text in texts if text != PLAIN
        ]
        if not self._ciphers:
            raise ValueError("there is no key")

    def encrypt(self, plaintext: bytes) -> bytes:
        """Encrypt with the newest key."""
        return self._ciphers[0].encrypt(plaintext)

    def is_newest(self, ciphertext: bytes) -> bool:
        """Return true if the newest key encrypted these bytes."""
        try:
            self._ciphers[0].decrypt(ciphertext)
        except ValueError:
            return False
        return True

    def decrypt(self, ciphertext: bytes) -> bytes:
        """Decrypt with any key that fits. Raise `ValueError` if none fits."""
        for cipher in self._ciphers:
            try:
                return cipher.decrypt(ciphertext)
            except ValueError:
                continue
        if self._plain:
            return ciphertext
        raise ValueError("no key of CIPHER_KEY fits")
