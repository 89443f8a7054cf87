"""Test that a short body and a long body with the same content give the same result.

The service decodes usual short bodies directly into Structs, and others in two steps.
"""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from domain.errors import Malformed
from service.http.request_reader import SHORT, decoded
from service.routes.play import DeclareAction, PreviewAct, PreviewAnswer
from service.routes.tokens import IssueToken

VALUES: Any = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**17), 10**17)
    | st.floats(allow_nan=False)
    | st.text(max_size=6)
    | st.sampled_from(["act", "gm", "2026-01-01T00:00:00Z", "\x00", "1.0", "é"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=12,
)
FIELDS = (
    "combatant", "action", "inputs", "command", "prompt", "option", "role", "label", "owner",
    "combatants", "ends_at", "other",
)  # fmt: skip
BODIES = st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=5) | VALUES
KINDS = st.sampled_from([DeclareAction, PreviewAct | PreviewAnswer, IssueToken])


def outcome(raw: bytes, kind: Any) -> Any:
    try:
        read = decoded(raw, kind)
    except Malformed as error:
        return error.pointer, str(error)
    return repr(read)  # differs for 1, 1.0 and true


@given(BODIES, KINDS, st.booleans())
def test_a_body_is_read_alike_however_long_it_is(body: Any, kind: Any, ascii: bool) -> None:
    raw = json.dumps(body, ensure_ascii=ascii).encode(errors="surrogatepass")
    assert outcome(raw, kind) == outcome(raw + b" " * SHORT, kind)


@given(KINDS, st.integers(0, 70), st.booleans())
def test_so_is_one_that_is_deep(kind: Any, depth: int, closed: bool) -> None:
    deep = "[" * depth + "]" * (depth if closed else 0)
    raw = f'{{"combatant": "a", "action": "b", "inputs": {{"x": {deep or 1}}}}}'.encode()
    assert outcome(raw, kind) == outcome(raw + b" " * SHORT, kind)
