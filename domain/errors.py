"""The refusals of Affray as one small tree. Each error carries data that help the caller.

Refused                 nothing was done and nothing was recorded
├── Illegal             the rules forbid it (`rule`, `code`, `allowed`, `pointer`)
│   └── Impossible      the rules could never allow it, whatever the state
├── Unfitting           the state forbids it, as for late answers or a wrong phase (`code`)
│   └── Closed          the prompt is closed (`how`, `option`, `by`, `at`)
├── Malformed           an input is wrong (`pointer`, a JSON pointer to the field)
├── Unknown             no such combatant, prompt, action, ruling, version (`pointer`)
├── Forbidden           the caller may not do this
└── Stale               the caller named a version that is not the present one
Diverged                a recorded procedure no longer matches the rules (never shown to a caller)
"""

from collections.abc import Sequence


class Refused(Exception):
    """Nothing was done and nothing was recorded. `detail` is a sentence for a person."""

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail

    @property
    def told(self) -> str:
        """Return the detail for the log, without possible values that its readers may not know."""
        return self.detail


class Illegal(Refused):
    """The rules do not allow it.

    - `rule`: the id of the rule.
    - `code`: the rulebook's short reason, such as "not-your-turn".
    - `allowed`: values that Affray would accept instead, perhaps none.
    - `pointer`: the JSON pointer of the field. "" = no field is at fault. None = unknown.
    """

    def __init__(
        self,
        rule: str,
        code: str,
        detail: str,
        allowed: Sequence[str] = (),
        pointer: str | None = None,
    ) -> None:
        super().__init__(detail)
        self.rule, self.code, self.allowed, self.pointer = rule, code, tuple(allowed), pointer


class Impossible(Illegal):
    """The rules never allow it, in any state of the combat. The input itself is at fault."""


class Unfitting(Refused):
    """The state of the combat does not allow it. `code` says why, such as "prompt-closed"."""

    def __init__(self, code: str, detail: str, allowed: Sequence[str] = ()) -> None:
        super().__init__(detail)
        self.code, self.allowed = code, tuple(allowed)


class Closed(Unfitting):
    """The prompt is closed.

    - `how`: "answered", "standing-order", "default", "lapsed", "closed" by the GM with its default,
      "overtaken" by another answer, "stopped", "undone", or "ended" with its procedure.
    - `because`: the reason why an action stopped, as the rulebook's code.
    - `option`: the answer.
    - `by`: the role that gave the answer.
    - `at`: the time of the answer (RFC 3339). "" = unknown.
    - `successor`: the id of the open prompt that replaces it. "" = none.
    """

    successor = ""

    def __init__(
        self,
        detail: str,
        how: str,
        option: str = "",
        by: str = "",
        at: str = "",
        because: str = "",
    ) -> None:
        super().__init__("prompt-closed", detail)
        self.how, self.option, self.by, self.at, self.because = how, option, by, at, because


class Malformed(Refused):
    """An input is wrong. `pointer` is the JSON pointer of the field, "" for the whole body.

    `code` names the part with the fault, such as "sheet-invalid". None = no special part.
    """

    code: str | None = None

    def __init__(self, pointer: str, detail: str, allowed: Sequence[str] = ()) -> None:
        super().__init__(detail)
        self.pointer, self.allowed = pointer, tuple(allowed)


class Unknown(Refused):
    """A named thing does not exist.

    - `kind`: the kind of thing, such as "combatant" or "prompt".
    - `known`: the names that exist.
    - `pointer`: the JSON pointer of the field that named it. None = no field did.
    """

    pointer: str | None = None

    def __init__(self, kind: str, name: object, known: Sequence[str] = ()) -> None:
        there = f"; there are: {', '.join(known)}" if known else ""
        super().__init__(f"no {kind} {name!r}{there}")
        self.kind, self.name, self.known = kind, name, tuple(known)

    @property
    def told(self) -> str:
        return f"there is no {self.kind} {self.name!r} any more"


class Forbidden(Refused):
    """The caller's token does not permit it."""


class Stale(Refused):
    """`expected` is not the present version."""

    def __init__(self, expected: object, present: object) -> None:
        super().__init__(
            "somebody changed the combat after you read it: read it again, and repeat your request"
            " if you still want it"
        )
        self.expected, self.present = expected, present


class Diverged(Exception):
    """A procedure does something that differs from the record."""
