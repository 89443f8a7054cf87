"""The cost of processes: time on a core, and memory."""

import os
from collections.abc import Iterable
from pathlib import Path

PROC = Path("/proc")
PAGE = os.sysconf("SC_PAGE_SIZE")


def cpu_s(processes: Iterable[int]) -> float:
    """Seconds on a core so far, of all threads."""
    return sum(_nanoseconds(pid) for pid in processes) / 1e9


def _nanoseconds(pid: int) -> int:
    try:
        threads = list((PROC / str(pid) / "task").iterdir())
        return sum(int((path / "schedstat").read_text().split()[0]) for path in threads)
    except (FileNotFoundError, ProcessLookupError):
        return 0  # it has ended


def with_children(parent: int) -> list[int]:
    """A process and those that it began, such as PostgreSQL's postmaster and its backends."""
    return [parent, *(pid for pid in _everybody() if _parent(pid) == parent)]


def postmaster(data: Path) -> int:
    """The process of the PostgreSQL that keeps its data there."""
    return int((data / "postmaster.pid").read_text().split()[0])


def resident_kb(pid: int | None = None) -> float:
    """Memory of a process (None = this one)."""
    statm = (PROC / ("self" if pid is None else str(pid)) / "statm").read_text()
    return int(statm.split()[1]) * PAGE / 1024


def _everybody() -> list[int]:
    return [int(path.name) for path in PROC.iterdir() if path.name.isdecimal()]


def _parent(pid: int) -> int:
    try:
        return int((PROC / str(pid) / "stat").read_text().rpartition(") ")[2].split()[1])
    except (FileNotFoundError, ProcessLookupError):
        return 0
