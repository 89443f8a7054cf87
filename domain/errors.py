"""The errors of Affray as one small tree. Each error carries data that help the caller.

Refused                 nothing was done and nothing was recorded
├── Illegal             the rules forbid it (`rule`, `code`, `allowed`, `pointer`)
│   └── Impossible      the rules could never allow it, whatever the state
├── Unfitting           the state forbids it, such as a late answer (`code`)
│   └── Closed          the prompt is closed (`how`, `option`, `by`, `at`)
├── Malformed           an input is wrong (`pointer`, a JSON pointer to the field)
├── Unknown             a combatant, prompt, action or version does not exist (`pointer`)
├── Forbidden           the caller may not do this
└── Stale               the caller named a version that is not the current version
Diverged                a recorded procedure no longer matches the rules (never shown to a caller)
"""

from collections.abc import Sequence


class Refused(Exception):
    """The base of all refusals. Affray did nothing and recorded nothing.

    `detail` is a sentence for a person.
    """

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail

    @property
    def told(self) -> str:
        """Return the detail for the log, without values that its readers may not know."""
        return self.detail


class Illegal(Refused):
    """The error for something that the rules do not allow.

    - `rule`: the id of the rule.
    - `code`: the rulebook's code for the reason, such as `not-your-turn`.
    - `allowed`: values that Affray would accept instead. It may be empty.
    - `pointer`: the JSON pointer of the field at fault. It is empty if no field is at fault, and
      `None` if the field is unknown.
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
    """The error for an input that the rules cannot allow in any state of the combat."""


class Unfitting(Refused):
    """The error for something that the state of the combat does not allow.

    `code` is the reason, such as `prompt-closed`.
    """

    def __init__(self, code: str, detail: str, allowed: Sequence[str] = ()) -> None:
        super().__init__(detail)
        self.code, self.allowed = code, tuple(allowed)


class Closed(Unfitting):
    """The error for an answer to a closed prompt.

    - `how`: how the prompt closed. It is `answered`, `standing-order`, `default`, `lapsed`,
      `closed` (by the GM), `overtaken` (by another answer), `stopped`, `undone`, or `ended` (with
      its procedure).
    - `because`: the rulebook's code for the reason why an action stopped.
    - `option`: the answer.
    - `by`: the role that gave the answer.
    - `at`: the time of the answer (RFC 3339), or empty if unknown.
    - `successor`: the id of the open prompt that replaces it, or empty.
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
    """The error for a wrong input. `pointer` is the JSON pointer of the field, "" for the body.

    `code` names the part with the fault, such as `sheet-invalid`. It is `None` for other parts.
    """

    code: str | None = None

    def __init__(self, pointer: str, detail: str, allowed: Sequence[str] = ()) -> None:
        super().__init__(detail)
        self.pointer, self.allowed = pointer, tuple(allowed)


class Unknown(Refused):
    """The error for a name that does not exist.

    - `kind`: the kind of thing, such as `combatant` or `prompt`.
    - `known`: the names that exist.
    - `pointer`: the JSON pointer of the field that has the name, or `None` if no field has it.
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
    """The error for something that the caller's token does not permit."""


class Stale(Refused):
    """The error for an `expected` version that is not the current version."""

    def __init__(self, expected: object, present: object) -> None:
        super().__init__(
            "somebody changed the combat after you read it: read it again, and repeat your request"
            " if you still want it"
        )
        self.expected, self.present = expected, present


class Diverged(Exception):
    """The error for a procedure whose effects differ from the record."""
