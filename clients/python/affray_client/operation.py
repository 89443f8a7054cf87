"""The data that a client needs to send an operation of the contract."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

import msgspec

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Operation(Generic[Answer]):
    """An operation: its id, method, path, the class of its answer, and its parameters.

    - `media`: the content type of its body.
    - `keyed`: whether it takes an `Idempotency-Key`.
    - `service_key`: whether it takes `Affray-Service-Key` besides the token.
    """

    id: str
    method: str
    path: str
    answer: type[Answer] | None
    media: str | None = None
    keyed: bool = False
    service_key: bool = False

    def read(self, content: bytes) -> Answer:
        """Return the answer in the bytes, decoded to its class."""
        answer: Any = None
        if self.answer is not None:
            answer = msgspec.json.decode(content, type=self.answer)
        return cast(Answer, answer)
