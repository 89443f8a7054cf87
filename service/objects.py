"""Storage of named files, in a folder of this machine or in object storage."""

import asyncio
import os
import re
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, Protocol
from urllib.parse import unquote, urlsplit

from service import files
from service.settings import BadSetting
from service.store.rows import Unavailable

SCHEMES: Final = ("s3", "gs", "az")
"""Storages that obstore reaches. obstore takes their credentials from the environment."""

TIMES: Final[dict[str, Any]] = {"timeout": "20s", "connect_timeout": "4s"}
"""Timeouts of one request to an object storage."""

RETRIES: Final[Any] = {"max_retries": 2, "retry_timeout": timedelta(seconds=8)}


class Missing(Exception):
    """There is no object of this name."""


class ArchiveUnavailable(Unavailable):
    """The storage of archived combats does not answer, or is not configured."""


class Objects(Protocol):
    """A place where objects are stored. Each operation raises `ArchiveUnavailable`."""

    async def put(self, name: str, content: bytes) -> None:
        """Store an object, complete and durable when this returns."""

    async def get(self, name: str) -> bytes:
        """Return an object. Raises `Missing`."""

    async def delete(self, name: str) -> None:
        """Delete an object, if it exists."""


def objects_at(url: str) -> Objects:
    """Return the objects below a URL. Raises `BadSetting`."""
    parts = urlsplit(url)
    if parts.scheme == "file" and parts.netloc in ("", "localhost") and len(parts.path) > 1:
        return Folder(Path(unquote(parts.path)))
    if parts.scheme in SCHEMES and parts.netloc:
        return Bucket(url)
    raise BadSetting(
        "AFFRAY_ARCHIVE is a URL such as file:///var/lib/affray/archive, s3://bucket/prefix,"
        " gs://bucket/prefix or az://container/prefix"
    )


class Folder:
    """Files in one folder, which only their owner can read."""

    def __init__(self, path: Path) -> None:
        self.path = path

    async def put(self, name: str, content: bytes) -> None:
        """Store a file. It is on the disk when this returns."""
        try:
            await asyncio.to_thread(files.write, self.path / name, content)
        except OSError as error:
            raise ArchiveUnavailable(str(error)) from error

    async def get(self, name: str) -> bytes:
        """Return the content of a file. Raises `Missing`."""
        try:
            return await asyncio.to_thread((self.path / name).read_bytes)
        except FileNotFoundError:
            if not self.path.is_dir():  # such as a volume that is not mounted
                raise ArchiveUnavailable(f"there is no folder {self.path}") from None
            raise Missing(name) from None
        except OSError as error:
            raise ArchiveUnavailable(str(error)) from error

    async def delete(self, name: str) -> None:
        """Delete a file if it exists, and the partial file of an interrupted `put`."""
        try:
            await asyncio.to_thread(self._delete, name)
        except OSError as error:
            raise ArchiveUnavailable(str(error)) from error

    def _delete(self, name: str) -> None:
        if not self.path.is_dir():
            raise FileNotFoundError(f"there is no folder {self.path}")
        for path in (self.path / name, self.path / f"{name}.part"):
            path.unlink(missing_ok=True)
        files.sync_folder(self.path)


class Bucket:
    """Objects in a bucket, through obstore."""

    def __init__(self, url: str) -> None:
        try:
            from obstore.exceptions import BaseError
            from obstore.store import from_url
        except ImportError as missing:
            raise BadSetting(
                "AFFRAY_ARCHIVE names an object storage, and obstore is not installed:"
                f" pip install 'affray[archive]' ({missing})"
            ) from None
        self._errors: tuple[type[Exception], ...] = (BaseError, OSError)
        options: Any = {**TIMES, "allow_http": os.environ.get("AWS_ALLOW_HTTP") == "true"}
        try:
            self._store: Any = from_url(url, client_options=options, retry_config=RETRIES)
        except (BaseError, ValueError) as error:
            raise BadSetting(f"AFFRAY_ARCHIVE: {_first_line(error)}") from None

    async def put(self, name: str, content: bytes) -> None:
        """Store an object."""
        try:
            await self._store.put_async(name, content)
        except self._errors as error:
            raise ArchiveUnavailable(_first_line(error)) from error

    async def get(self, name: str) -> bytes:
        """Return an object. Raises `Missing`."""
        try:
            return bytes(await (await self._store.get_async(name)).bytes_async())
        except self._errors as error:
            if _is_missing(error):
                raise Missing(name) from None
            raise ArchiveUnavailable(_first_line(error)) from error

    async def delete(self, name: str) -> None:
        """Delete an object, if it exists."""
        try:
            await self._store.delete_async(name)
        except self._errors as error:
            if not _is_missing(error):
                raise ArchiveUnavailable(_first_line(error)) from error


def _is_missing(error: Exception) -> bool:
    """Return true if the bucket exists, and the object does not."""
    return isinstance(error, FileNotFoundError) and "NoSuchBucket" not in str(error)


def _first_line(error: Exception) -> str:
    """Return a client's words about a fault, without its debug output."""
    return re.sub(r"\s+", " ", str(error).split("\n\n", 1)[0])[:500]
