"""Standard output and standard error that are UTF-8, and do not fail silently or with a traceback."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from unisono.errors import DataError

_CONTROLS = [
    *range(9),
    *range(11, 32),
    *range(127, 160),
    *range(0x202A, 0x202F),
    *range(0x2066, 0x206A),
    0x200E,
    0x200F,
]
_VISIBLE = {number: f"\\x{number:02x}" if number < 256 else f"\\u{number:04x}" for number in _CONTROLS}


def visible(text: str) -> str:
    """Write characters that would control a terminal, or the direction of writing, as their numbers."""
    return text.translate(_VISIBLE)


def prepare_streams() -> None:
    """Let output be UTF-8 whatever the console's encoding, so that programs can rely on it; nothing is lost as "?".

    Results that cannot be printed are an error; notes that cannot be printed are not.
    """
    if sys.stdout is None:  # closed by whoever started the program
        sys.stdout = _Closed()
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (open until the program ends)
    elif sys.stderr is sys.__stderr__ and isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr = _Notes(sys.stderr.detach(), line_buffering=True)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


@contextmanager
def printing_checked() -> Iterator[None]:
    """Raise a DataError if something cannot be printed; standard output is flushed at the end, to find out."""
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except OSError as error:
        if error.filename is not None:  # another file
            raise
        _give_up()
        if isinstance(error, BrokenPipeError):  # whoever reads it has had enough
            raise
        reason = error.strerror or str(error)
        raise DataError(f"cannot print the result: {reason}; write it to another file or folder") from None


def _give_up() -> None:
    """Print nothing any more: Python would try again at the end, and complain."""
    if sys.stdout is sys.__stdout__ and isinstance(sys.stdout, io.TextIOWrapper):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    elif isinstance(sys.stdout, _Closed):
        sys.stdout = _Closed()


class _Notes(io.TextIOWrapper):
    """Standard error: a note that cannot be printed is lost, and nothing else."""

    def write(self, text: str) -> int:
        with suppress(OSError):
            super().write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            super().flush()


class _Closed(io.TextIOBase):
    """Standard output that is closed: nothing can be printed."""

    def __init__(self) -> None:
        self._lost = False

    def write(self, text: str) -> int:
        self._lost = self._lost or bool(text)
        return len(text)

    def flush(self) -> None:
        if self._lost:
            raise OSError(errno.EBADF, "the standard output is closed")
