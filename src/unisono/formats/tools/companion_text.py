"""The text beside a file of annotations."""

from __future__ import annotations

from pathlib import Path

from unisono.errors import DataError
from unisono.formats.files import HEAD, encoding, refuse_binary, unreadable


def stored_text(path: Path, annotations: Path) -> str:
    """Read a text as it is stored, with its line breaks, and with a byte order mark as a character.

    Parameters
    ----------
    path : Path
        The text.
    annotations : Path
        The file that it belongs to, for messages.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        message = f"the text, {path.name}, is not there; put it beside the annotations"
        raise DataError(message, path=annotations) from None
    except OSError as error:
        raise unreadable(error, path) from None
    refuse_binary(content[:HEAD], path)
    codec = encoding(content[:4])
    try:
        return content.decode("utf-8" if codec == "utf-8-sig" else codec)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        message = "there are characters that are not UTF-8 (perhaps Latin-1); convert the file to UTF-8"
        raise DataError(message, path=path, line=line) from None
