"""Pictures: check, reduce and encode them again, so that Affray stores only pixels.

The service takes PNG, JPEG and WebP, and returns WebP without metadata.
"""

import asyncio
import struct
import zlib
from io import BytesIO
from typing import Final

from msgspec import Struct
from PIL import Image, ImageOps

from service.http.problems import Refusal

TYPE: Final = "image/webp"

FORMATS: Final = ("PNG", "JPEG", "WEBP")

MOST_BODY: Final = 8 * 1024 * 1024
"""The limit of bytes of an upload."""

MOST_PIXELS: Final = 25_000_000
"""The limit of pixels of an upload: 5000×5000. A small file can contain gigabytes of pixels."""

LONGEST: Final = 2048
"""The limit of pixels of the longer side of a stored picture."""

MOST_BYTES: Final = 1024 * 1024
"""The limit of bytes of a stored picture."""

QUALITIES: Final = (82, 60, 35)
"""The qualities to try in sequence until a picture has few enough bytes."""

AT_ONCE: Final = 2

_BAD: Final = (OSError, SyntaxError, ValueError, EOFError, struct.error, zlib.error)
"""Errors of Pillow about a file."""

Image.MAX_IMAGE_PIXELS = None  # `_opened` refuses large pictures earlier, with a problem document


class Encoded(Struct, frozen=True):
    """A picture as it is stored."""

    data: bytes
    width: int
    height: int


class Encoder:
    """Encodes pictures in threads, only a few at once, because each may need 100 MB of memory."""

    def __init__(self) -> None:
        self._places = asyncio.Semaphore(AT_ONCE)

    async def encoded(self, upload: bytes, longest: int = LONGEST) -> Encoded:
        """Return an upload as WebP, its longer side at most `longest` pixels.

        Refuses other files (`unsupported-media-type`), and too many pixels or bytes (`too-large`).
        """
        async with self._places:
            return await asyncio.to_thread(_encoded, upload, longest)

    async def check(self, data: bytes) -> None:
        """Refuse a stored picture that `encoded` could not have made."""
        async with self._places:
            await asyncio.to_thread(_check, data)


def _encoded(upload: bytes, longest: int) -> Encoded:
    try:
        with _opened(upload) as picture:
            picture.draft("RGB", (longest, longest))  # do not read a JPEG larger than needed
            upright = ImageOps.exif_transpose(picture)
            plain = upright.convert("RGBA" if upright.has_transparency_data else "RGB")
    except _BAD:
        raise _no_picture() from None
    plain.thumbnail((longest, longest))
    plain.info.clear()
    for quality in QUALITIES:
        out = BytesIO()
        plain.save(out, "WEBP", quality=quality)
        if out.tell() <= MOST_BYTES:
            return Encoded(out.getvalue(), *plain.size)
    raise Refusal("too-large", f"encoded, this picture has more than {MOST_BYTES} bytes")


def _check(data: bytes) -> None:
    try:
        with _opened(data) as picture:
            picture.load()
            good = (
                picture.format == "WEBP"
                and len(data) <= MOST_BYTES
                and max(picture.size) <= LONGEST
                and getattr(picture, "n_frames", 1) == 1
                and not {"exif", "xmp", "icc_profile"} & picture.info.keys()
                and int.from_bytes(data[4:8], "little") + 8 == len(data)
            )
    except _BAD:
        good = False
    if not good:
        raise _no_picture()


def _opened(upload: bytes) -> Image.Image:
    picture = Image.open(BytesIO(upload), formats=FORMATS)  # this reads no pixels
    if picture.width * picture.height > MOST_PIXELS:
        raise Refusal("too-large", f"a picture has at most {MOST_PIXELS} pixels")
    return picture


def _no_picture() -> Refusal:
    return Refusal("unsupported-media-type", "this is no picture: send a PNG, JPEG or WebP file")
