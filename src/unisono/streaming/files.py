"""Files that are there completely or not at all, also after a power failure, and a folder that one process has."""

from __future__ import annotations

import errno
import json
import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from unisono.errors import DataError, KeepingError

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


def write_whole(path: Path, write: Callable[[BinaryIO], None]) -> None:
    """Write a file under another name, force it to the disk, and give it its name."""
    draft = path.with_name(f"{path.name}.tmp")
    try:
        with draft.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except BaseException:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_file(path: Path) -> None:
    """Force the content of a file to the disk."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Force the names of files in a folder to the disk, where the system can."""
    if os.name != "posix":
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


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
def locked(folder: Path) -> Iterator[None]:
    """Have a folder for oneself; the system releases it when the process ends, however that happens."""
    with (folder / "lock").open("a+b") as file:
        try:
            _lock(file)
        except OSError:
            reason = "another command is working in this folder; wait until it is done, or choose another folder"
            raise DataError(reason, path=folder) from None
        yield


def _lock(file: BinaryIO) -> None:
    if os.name == "posix":
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    else:
        import msvcrt

        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
