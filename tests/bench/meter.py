"""The cost of processes: processor time and memory."""

import os
from collections.abc import Iterable
from pathlib import Path

PROC = Path("/proc")
PAGE = os.sysconf("SC_PAGE_SIZE")


def cpu_s(processes: Iterable[int]) -> float:
    """Return the processor seconds of all threads so far."""
    return sum(_nanoseconds(pid) for pid in processes) / 1e9


def _nanoseconds(pid: int) -> int:
    try:
        threads = list((PROC / str(pid) / "task").iterdir())
        return sum(int((path / "schedstat").read_text().split()[0]) for path in threads)
    except (FileNotFoundError, ProcessLookupError):
        return 0  # the process has ended


def with_children(parent: int) -> list[int]:
    """Return a process and its children, such as PostgreSQL's postmaster and its backends."""
    return [parent, *(pid for pid in _everybody() if _parent(pid) == parent)]


def postmaster(data: Path) -> int:
    """Return the id of the PostgreSQL process with this data folder."""
    return int((data / "postmaster.pid").read_text().split()[0])


def resident_kb(pid: int | None = None) -> float:
    """Return the resident memory of a process in kB. `None` means this process."""
    statm = (PROC / ("self" if pid is None else str(pid)) / "statm").read_text()
    return int(statm.split()[1]) * PAGE / 1024


def _everybody() -> list[int]:
    return [int(path.name) for path in PROC.iterdir() if path.name.isdecimal()]


def _parent(pid: int) -> int:
    try:
        return int((PROC / str(pid) / "stat").read_text().rpartition(") ")[2].split()[1])
    except (FileNotFoundError, ProcessLookupError):
        return 0
