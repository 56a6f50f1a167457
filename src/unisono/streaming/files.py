"""Whether what is in a folder is what was written there, and a folder that one process has."""

from __future__ import annotations

import errno
import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from unisono.errors import DataError, KeepingError
from unisono.output import take_lock

_SUMS = "sums.json"


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Turn a full disk, and whatever else prevents writing, into one sentence."""
    try:
        yield
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        advice = "free some space" if full else "check the folder"
        reason = (
            f"nothing more can be written to the folder ({error.strerror or error}); finished work is safe: {advice}, "
            "and repeat the command to continue"
        )
        raise KeepingError(reason, path=folder) from None


def write_sums(folder: Path) -> None:
    """Write down what is in the files of a folder; see `is_intact`."""
    (folder / _SUMS).write_text(json.dumps(_sums(folder)), "utf-8")


def is_intact(folder: Path) -> bool:
    """Whether the files of a folder are what `write_sums` saw: a power failure, or a person, may have changed them."""
    try:
        return bool(json.loads((folder / _SUMS).read_text("utf-8")) == _sums(folder))
    except (OSError, ValueError):
        return False


def _sums(folder: Path) -> dict[str, int]:
    found = {}
    for path in sorted(folder.iterdir()):
        if path.name != _SUMS:
            found[path.name] = 0
            with path.open("rb") as file:
                while block := file.read(2**20):
                    found[path.name] = zlib.crc32(block, found[path.name])
    return found


@contextmanager
def locked(folder: Path) -> Iterator[BinaryIO]:
    """Have a folder for oneself; the system releases it when the process ends, however that happens.

    Provides the file that is locked.
    """
    with (folder / "lock").open("a+b") as file:
        try:
            take_lock(file)
        except OSError:
            reason = "another command is working in this folder; wait until it is done, or choose another folder"
            raise DataError(reason, path=folder) from None
        yield file
