"""All small changes of a file. Each is a mutant."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
COUNTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.FloorDiv: ast.Mult, ast.Mult: ast.Add,
}  # fmt: skip
NAMED = {"min": "max", "max": "min", "any": "all", "all": "any"}

UNTOUCHED = ("annotation", "returns")
"""Fields of a node without executable code."""

SAID = ("strict", "kw_only")
"""Keywords that have no effect in correct code."""


@dataclass(frozen=True)
class Mutant:
    """A change of a file at `line`, from the text `before` to `after`.

    `file` is relative to the project's folder. `within` is the enclosing function or class. `lines`
    are the lines of its statement, or only the head of a compound statement.
    """

    file: str
    number: int
    within: str
    lines: range
    line: int
    before: str
    after: str

    def tree(self) -> ast.Module:
        """Return the changed file with unchanged line numbers."""
        tree = ast.parse((ROOT / self.file).read_text(), self.file)
        for number, place in enumerate(_places(tree)):
            if number == self.number:
                place.change()
                return ast.fix_missing_locations(tree)
        raise LookupError(self)

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.within}: {self.before!r} -> {self.after!r}"


def mutants(file: Path) -> Iterator[Mutant]:
    """Yield every mutant of a file."""
    name = str(file.resolve().relative_to(ROOT))
    for number, place in enumerate(_places(ast.parse(file.read_text()))):
        before = place.told()
        place.change()
        yield Mutant(
            name, number, place.within, place.lines, place.node.lineno, before, place.told()
        )
        place.back()


@dataclass(frozen=True)
class _Place:
    """A place in a syntax tree, with a replacement."""

    node: ast.expr | ast.stmt
    within: str
    lines: range
    where: object
    name: str | int
    old: object
    new: object

    def change(self) -> None:
        self._put(self.new)

    def back(self) -> None:
        self._put(self.old)

    def told(self) -> str:
        told = self.node.test if isinstance(self.node, ast.If) else self.node
        return ast.unparse(told)

    def _put(self, value: object) -> None:
        if isinstance(self.name, int):
            assert isinstance(self.where, list)
            self.where[self.name] = value
        else:
            setattr(self.where, self.name, value)


def _places(tree: ast.Module) -> Iterator[_Place]:
    for node, within, lines in _nodes(tree, "", range(0)):
        for where, name, old, new in _changes(node):
            assert isinstance(node, ast.expr | ast.stmt)
            yield _Place(node, within, lines, where, name, old, new)


def _nodes(node: ast.AST, within: str, lines: range) -> Iterator[tuple[ast.AST, str, range]]:
    """Yield each node with its function or class and the lines of its statement."""
    if isinstance(node, ast.stmt):
        body = getattr(node, "body", None)
        last = body[0].lineno - 1 if body else node.end_lineno or node.lineno
        lines = range(node.lineno, max(last, node.lineno) + 1)
    yield node, within, lines
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        within = f"{within}.{node.name}" if within else node.name
    for name, value in ast.iter_fields(node):
        if isinstance(node, ast.ClassDef) and name in ("keywords", "decorator_list"):
            continue  # `frozen=True` and the like describe a Struct, not its behaviour
        if _is_annotation(node):
            continue
        if isinstance(node, ast.keyword) and node.arg in SAID:
            continue
        for child in value if isinstance(value, list) else (value,):
            if isinstance(child, ast.AST) and name not in UNTOUCHED:
                yield from _nodes(child, within, lines)


def _is_annotation(node: ast.AST) -> bool:
    """Return true for a named type (`Path = Annotated[…]`), whose bounds the contract shows."""
    return isinstance(node, ast.Subscript) and ast.unparse(node.value) == "Annotated"


def _changes(node: ast.AST) -> Iterator[tuple[object, str | int, object, object]]:
    match node:
        case ast.Compare(ops=[operator, *_]) if type(operator) in COMPARED:
            yield node.ops, 0, operator, COMPARED[type(operator)]()
        case ast.BinOp(op=binary) if type(binary) in COUNTED:
            yield node, "op", binary, COUNTED[type(binary)]()
        case ast.BoolOp(op=joined):
            yield node, "op", joined, ast.Or() if isinstance(joined, ast.And) else ast.And()
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield node, "operand", operand, ast.UnaryOp(ast.Not(), operand)
        case ast.Constant(value=bool(value)):
            yield node, "value", value, not value
        case ast.Constant(value=int(value)):
            yield node, "value", value, value + 1
        case ast.Call(func=ast.Name(id=name) as called) if name in NAMED:
            yield called, "id", name, NAMED[name]
        case ast.Expr(value=ast.YieldFrom(value=ast.Tuple(elts=[]))):
            pass  # an empty procedure
        case ast.Expr(value=ast.Yield() | ast.YieldFrom() as said):
            yield node, "value", said, ast.YieldFrom(ast.Tuple([], ast.Load()))
        case ast.If():
            yield node, "test", node.test, ast.Constant(False)
        case _:
            pass
