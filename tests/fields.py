"""Find published input fields that no test of their rulebook notices.

    python -m tests.fields sovereign
    python -m tests.fields sovereign --only Spell.

The fields are those of sheets, options, maps, actions, answers and rulings, each as
`module.Class.field`. The program first runs every test of the rulebook, and records the fields that
each test sends. It then drops each field and runs these tests again. A reader of a dropped field
gets its default, or another value if the field has no default. The report calls a field

- *unused* if no test sends it
- *unnoticed* if all tests pass without it.

In every run, `tests/rulesets/test_fields.py` checks only that tests name each field.
"""

import argparse
import ast
import os
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from inspect import getsource
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from msgspec import Struct, inspect

from domain.rulebook import input_reader
from domain.rulebook.ruleset import Ruleset, Sheet
from domain.rulesets import installed

ROOT = Path(__file__).parent / "rulesets"
NOTICED, UNNOTICED = 1, 0
MOST = 60
"""Maximum number of tests to run for one field. Tests that name the field come first."""

PYTEST = ("-p", "no:cacheprovider", "-p", "no:terminal", "--timeout=0", "-o", "addopts=")


# ---- published fields


def forms(ruleset: Ruleset) -> Iterator[type[Struct]]:
    """Yield the Structs that the catalogue publishes for requests."""
    yield from (ruleset.sheet, ruleset.options, ruleset.map)
    for option in (*ruleset.actions.values(), *ruleset.rulings.values()):
        yield option.inputs
    for question in ruleset.catalogue.questions:
        yield from (option.inputs for option in question.options)
    yield from (condition.data for condition in ruleset.conditions.values())


def structs(ruleset: Ruleset) -> list[type[Struct]]:
    """Return the rulebook's own Structs among its forms, also nested ones."""
    kinds: dict[type[Struct], None] = {}
    for form in forms(ruleset):
        _collect(inspect.type_info(form), kinds)
    own = f"domain.rulesets.{ruleset.id.replace('-', '_')}."
    return [kind for kind in kinds if kind.__module__.startswith(own)]


def _collect(kind: inspect.Type, kinds: dict[type[Struct], None]) -> None:
    match kind:
        case inspect.StructType(cls=struct, fields=fields):
            if struct not in kinds:
                kinds[struct] = None
                for field in fields:
                    _collect(field.type, kinds)
        case inspect.Metadata(type=inner):
            _collect(inner, kinds)
        case inspect.UnionType(types=types) | inspect.TupleType(item_types=types):
            for inner in types:
                _collect(inner, kinds)
        case inspect.DictType(value_type=value):
            _collect(value, kinds)
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            _collect(item, kinds)


def label(struct: type[Struct], field: str) -> str:
    """Return the name of a field with its class.

    The class of a field of a sheet is the class that declares the field.
    """
    shared = struct.__module__.endswith((".sheet", ".conditions"))
    owners = [base for base in struct.__mro__ if field in vars(base).get("__annotations__", {})]
    owner = owners[0] if shared and owners else struct
    return f"{owner.__module__.rpartition('.')[2]}.{owner.__name__}.{field}"


def published(ruleset: Ruleset) -> dict[str, str]:
    """Return the JSON name of each field by its label, without the fields that every sheet has."""
    shared = {field.name for field in msgspec.structs.fields(Sheet)}
    return {
        label(struct, field.name): field.encode_name
        for struct in structs(ruleset)
        for field in msgspec.structs.fields(struct)
        if not (issubclass(struct, Sheet) and field.name in shared)
    }


# ---- fields that tests name


def named(folder: Path) -> set[str]:
    """Return every keyword of a call and every key of a dict in the tests of a folder."""
    names: set[str] = set()
    for path in folder.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.keyword) and node.arg is not None:
                names.add(node.arg)
            elif isinstance(node, ast.Dict):
                names.update(str(key.value) for key in node.keys if isinstance(key, ast.Constant))
    return names


def unnamed(ruleset: Ruleset) -> list[str]:
    """Return the fields that no test of the rulebook names."""
    names = named(ROOT / ruleset.id.replace("-", "_"))
    return [field for field, name in published(ruleset).items() if name not in names]


# ---- fields that tests notice


def _blank(field: msgspec.structs.FieldInfo, value: Any) -> Any:
    """Return the default of a field, or another value of its type if it has no default."""
    if field.default is not msgspec.NODEFAULT:
        return field.default
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str():
            return f"{value}-"
        case _:
            return type(value)()


class Reader:
    """A replacement for `msgspec` in modules that decode requests. It can drop a field."""

    def __init__(self) -> None:
        self.seen: set[str] = set()
        self.dropped: str | None = None

    def convert(self, raw: Any, kind: Any, **options: Any) -> Any:
        return self._passed(msgspec.convert(raw, kind, **options))

    def _passed(self, value: Any) -> Any:
        """Return the value without the dropped field, and record the fields that it sets."""
        if isinstance(value, Struct):
            kind, changed = type(value), dict[str, Any]()
            for field in msgspec.structs.fields(kind):
                before = getattr(value, field.name)
                name = label(kind, field.name)
                after = self._passed(before)
                if field.required or before != _blank(field, before):
                    self.seen.add(name)
                    if name == self.dropped:
                        after = _blank(field, before)
                if after is not before:
                    changed[field.name] = after
            return msgspec.structs.replace(value, **changed) if changed else value
        if isinstance(value, tuple | list):
            parts = [self._passed(part) for part in value]
            same = all(part is before for part, before in zip(parts, value, strict=True))
            return value if same else type(value)(parts)
        if isinstance(value, Mapping):
            passed = {key: self._passed(part) for key, part in value.items()}
            return value if all(passed[key] is value[key] for key in passed) else passed
        return value


class Asked:
    """A plugin of pytest that runs every test once, then drops each field in a fork."""

    def __init__(self, ruleset: Ruleset, reader: Reader, only: str) -> None:
        self.ruleset, self.reader, self.only = ruleset, reader, only
        self.users: dict[str, list[tuple[float, Any]]] = defaultdict(list)
        self.unused: list[str] = []
        self.unnoticed: list[str] = []

    @pytest.hookimpl(wrapper=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Iterator[None]:
        result = yield
        for field, name in published(self.ruleset).items():
            if self.only not in field:
                continue
            users = sorted(self.users[field], key=partial(_cost, name))
            if not users:
                self.unused.append(field)
            elif self._forked(field, [item for _, item in users[:MOST]]) == UNNOTICED:
                self.unnoticed.append(field)
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: Any) -> Iterator[None]:
        self.reader.seen.clear()
        started = os.times().user
        result = yield
        for field in self.reader.seen:
            self.users[field].append((os.times().user - started, item))
        return result

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed and self.reader.dropped is not None:
            os._exit(NOTICED)

    def _forked(self, field: str, items: Sequence[Any]) -> int:
        child = os.fork()
        if child == 0:
            null = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(null, stream)
            self.reader.dropped = field
            try:
                for item in items:
                    item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
            except BaseException:
                os._exit(NOTICED)
            os._exit(UNNOTICED)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _cost(name: str, user: tuple[float, Any]) -> tuple[bool, float]:
    """Return a sort key: first the tests that name the field, then the fastest."""
    seconds, item = user
    return name not in _source(item.function), seconds


@cache
def _source(function: Any) -> str:
    return getsource(function)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="tests.fields")
    parser.add_argument("ruleset", choices=sorted(installed()))
    parser.add_argument("--only", default="", help="fields that contain this text")
    given = parser.parse_args(arguments)
    reader = Reader()
    vars(input_reader)["msgspec"] = SimpleNamespace(**{**vars(msgspec), "convert": reader.convert})
    asked = Asked(installed()[given.ruleset], reader, given.only)
    folder = ROOT / given.ruleset.replace("-", "_")
    pytest.main([*PYTEST, str(folder)], plugins=[asked])
    _tell("unused", asked.unused)
    _tell("unnoticed", asked.unnoticed)
    return 1 if asked.unused or asked.unnoticed else 0


def _tell(word: str, fields: Iterable[str]) -> None:
    for field in fields:
        print(word, field)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
