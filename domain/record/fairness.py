"""Provably fair dice: derive faces from a secret to which the service committed earlier.

Anybody can verify a roll with these exact bytes (`docs/dice.md` has an example):

    message = "affray-dice-1" | salts | command | purpose | ordinal | die index | attempt
    block   = HMAC-SHA-256(seed, message)             parts joined by the byte 0x1F, UTF-8
    number  = the first 8 bytes of block, big-endian
    face    = number mod sides + 1, if number < 2^64 − (2^64 mod sides); else the next attempt

- `salts`: the SHA-256, in hexadecimal, of the players' salts. Each salt has the form "name=salt".
  They are sorted, and joined by the byte 0x1E.
- `ordinal`: the number of the roll in its command, from 1.
- `die index`, `attempt`: numbers from 0.
"""

import hashlib
import hmac
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

LABEL: Final = "affray-dice-1"
_SPAN: Final = 2**64


class Key(Struct, frozen=True):
    """The identity of a roll, from which its faces are derived."""

    command: str
    purpose: str
    ordinal: int


def commitment(seed: bytes) -> str:
    """Return the commitment to a secret seed, which is its SHA-256 in hexadecimal."""
    return hashlib.sha256(seed).hexdigest()


def faces(seed: bytes, salts: Sequence[str], key: Key, sides: Sequence[int]) -> tuple[int, ...]:
    """Return a face for each die of these sides. All faces of a die are equally likely."""
    fallen = []
    mixed = hashlib.sha256("\x1e".join(sorted(salts)).encode()).hexdigest()
    prefix = f"{LABEL}\x1f{mixed}\x1f{key.command}\x1f{key.purpose}\x1f{key.ordinal}"
    for index, die in enumerate(sides):
        attempt = 0
        while True:
            message = f"{prefix}\x1f{index}\x1f{attempt}".encode()
            number = int.from_bytes(hmac.digest(seed, message, "sha256")[:8], "big")
            if number < _SPAN - _SPAN % die:
                break
            attempt += 1
        fallen.append(number % die + 1)
    return tuple(fallen)
