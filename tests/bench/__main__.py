"""Measure the ratios of docs/performance.md in one run: `make bench`.

Each measurement alternates with a baseline on the same machine. To measure one part, run `python -m
tests.bench` with `http`, `scaling`, `store`, `live`, `memory` or `amend`.
"""

import asyncio
import platform
import sys

from tests.bench import amend, http, live, memory, scaling, store
from tests.bench.row import Row, table


def told(rows: list[Row]) -> list[Row]:
    """Print the rows at once, because the complete run takes minutes."""
    print(*rows, sep="\n", file=sys.stderr, flush=True)
    return rows


def main(parts: list[str]) -> None:
    rows: list[Row] = []
    if not parts or "http" in parts:
        rows += told(asyncio.run(http.rows()))
    if not parts or "scaling" in parts:
        rows += told(asyncio.run(scaling.rows()))
    if not parts or "store" in parts:
        rows += told(asyncio.run(store.rows()))
    if not parts or "live" in parts:
        rows += told(asyncio.run(live.rows()))
    if not parts or "memory" in parts:
        rows += told(memory.rows())
    if not parts or "amend" in parts:
        rows += told(asyncio.run(amend.rows()))
    print(f"{platform.machine()}, Python {platform.python_version()}\n")
    print(table(rows))


main(sys.argv[1:])
