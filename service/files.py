"""Files that hold complete combats.

A written file survives a crash, and only its owner can read it.
"""

import hashlib
import os
from pathlib import Path


class NotDurable(OSError):
    """The file on the disk differs from the content that Affray wrote."""


def write(path: Path, content: bytes) -> None:
    """Write a file atomically and durably.

    Raise `NotDurable` if the file does not read back as written. Raise `OSError` if the write
    fails.
    """
    _make(path.parent)
    part = path.with_name(f"{path.name}.part")
    part.unlink(missing_ok=True)  # an old file may have other permissions
    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    part.rename(path)
    sync_folder(path.parent)
    if hashlib.sha256(_read_back(path)).digest() != hashlib.sha256(content).digest():
        raise NotDurable(f"{path} does not hold what was written to it")


def sync_folder(folder: Path) -> None:
    """Write the names of a folder to the disk."""
    if os.name != "posix":
        return  # this system cannot open a folder
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _make(folder: Path) -> None:
    """Make a folder, and write its name to the disk too."""
    if folder.is_dir():
        return
    _make(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)
    sync_folder(folder.parent)


def _read_back(path: Path) -> bytes:
    """Read a file from the disk, if the system can drop its cache."""
    with path.open("rb") as file:
        if hasattr(os, "posix_fadvise"):
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        return file.read()
