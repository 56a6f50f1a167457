"""Files and folders that are written completely or not at all; what must not be lost is not overwritten.

A file gets its name when its content is on the disk, so a power failure leaves no half of it either.

`refuse` and `refuse_folder` raise before long work what `new_file` and `new_folder` would raise after it.
"""

from __future__ import annotations

import errno
import os
import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, TypeAlias

from unisono.errors import DataError, mention

PathLike: TypeAlias = str | os.PathLike[str]

_CHOICE = f"choose another name, or allow overwriting it with {mention('overwrite', True)}"
_PAGES = (".html", ".htm")
_FAR = 2**31 - 2


@contextmanager
def new_file(path: PathLike, *, overwrite: bool = False) -> Iterator[BinaryIO]:
    """Provide a stream whose content becomes the file if all goes well; otherwise nothing is left behind.

    Parameters
    ----------
    path : path
        The file; if it is a link, its target is written.
    overwrite : bool
        Whether a file of that name may be replaced.
    """
    refuse(path, overwrite=overwrite)
    file = Path(os.path.realpath(path))
    try:
        with _whole(file, _beside(file, "tmp")) as stream:
            yield stream
            refuse(path, overwrite=overwrite)  # it may have changed in the meantime
    except OSError as error:
        raise _unwritten("file", error, path) from None


def write_whole(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Write a file of ours, in a folder that nobody else writes to: no other draft is left if the program is killed."""
    with _whole(path, path.with_name(f"{path.name}.tmp")) as stream:
        write(stream)


@contextmanager
def _whole(path: Path, draft: Path) -> Iterator[BinaryIO]:
    """Provide a stream to write under another name; force it to the disk, and give it its name."""
    try:
        with draft.open("wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(draft, path)
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
    sync_folder(path.parent)


def take_lock(file: BinaryIO) -> None:
    """Have an open file for oneself; OSError if another process has it. The system releases it when the file closes."""
    if os.name == "posix":
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    else:
        import msvcrt

        file.seek(_FAR)  # what is locked cannot be read by others, so it is behind the end
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]


def sync_file(path: Path) -> None:
    """Force the content of a file to the disk."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Force the names of files in a folder to the disk, where the system can."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


@contextmanager
def new_folder(folder: PathLike, *, overwrite: bool = False, ours: Callable[[Path], bool], what: str) -> Iterator[Path]:
    """Provide a folder whose content moves to its place if all goes well; otherwise nothing is left behind.

    Its content replaces what has the same name; everything else stays. For the parameters, see `refuse_folder`.
    """
    refuse_folder(folder, overwrite=overwrite, ours=ours, what=what)
    place = Path(os.path.abspath(folder))
    draft = _beside(place, "tmp")
    try:
        draft.mkdir(parents=True)
        yield draft
        refuse_folder(folder, overwrite=overwrite, ours=ours, what=what)  # it may have changed in the meantime
        _put(draft, place)
    except OSError as error:
        raise _unwritten("folder", error, folder) from None
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def refuse(path: PathLike, *, overwrite: bool = False, inputs: Iterable[PathLike] = ()) -> None:
    """Raise an error if a file cannot be written, or must not be.

    Parameters
    ----------
    path : path
        The file.
    overwrite : bool
        Whether a file of that name may be replaced.
    inputs : iterable of path
        What is read; nothing is written over it or among it.
    """
    refuse_inputs(path, inputs)
    file = os.path.realpath(path)
    if os.path.isdir(file):
        raise DataError("this is a folder; name a file in it", path=Path(path))
    if os.path.lexists(file) and not os.path.isfile(file):
        raise DataError("this is not a regular file, so it is not replaced; choose another name", path=Path(path))
    if os.path.lexists(path) and not overwrite:
        raise DataError(f"the file exists already; {_CHOICE}", path=Path(path))
    _refuse_parent(os.path.dirname(file), "file", path)


def refuse_folder(
    folder: PathLike,
    *,
    overwrite: bool = False,
    inputs: Iterable[PathLike] = (),
    ours: Callable[[Path], bool],
    what: str,
) -> None:
    """Raise an error if a folder cannot be written, or must not be.

    Parameters
    ----------
    folder : path
        A folder that does not exist yet, or is empty.
    overwrite : bool
        Whether it may also hold files of ours.
    inputs : iterable of path
        What is read; nothing is written over it or among it.
    ours : callable
        Whether a folder holds nothing but what may be replaced.
    what : str
        What those files are, in words.
    """
    refuse_inputs(folder, inputs)
    place = Path(folder)
    if os.path.lexists(place) and (place.is_symlink() or not os.path.isdir(place)):
        raise DataError("there is a file or a link with that name; choose another name", path=place)
    _refuse_parent(_nearest(place), "folder", place)
    try:
        if not os.path.isdir(place) or not any(place.iterdir()):
            return
        replaceable = overwrite and ours(place)
    except OSError as error:
        raise _unwritten("folder", error, place) from None
    if not overwrite:
        raise DataError(f"the folder exists already and is not empty; {_CHOICE}", path=place)
    if not replaceable:
        raise DataError(f"the folder holds other things than {what}; choose another name, or empty it", path=place)


def refuse_inputs(path: PathLike, inputs: Iterable[PathLike]) -> None:
    """Raise an error if something would be written over what is read, or into it, unless it is an HTML page."""
    for given in inputs:
        if same_place(path, given):
            raise DataError("this is what is read, so it is not overwritten; choose another name", path=Path(path))
        if lies_in(given, path):
            raise DataError(f"what is read ({given}) lies in this folder; choose another name", path=Path(path))
        if lies_in(path, given) and Path(path).suffix.lower() not in _PAGES:
            reason = f"this lies in {given}, which is read, and would be read with it; choose a name elsewhere"
            raise DataError(reason, path=Path(path))


def same_place(one: PathLike, other: PathLike) -> bool:
    """Whether two paths lead to the same file or folder."""
    if os.path.exists(one) and os.path.exists(other):
        return os.path.samefile(one, other)
    return os.path.realpath(one) == os.path.realpath(other)


def lies_in(path: PathLike, folder: PathLike) -> bool:
    """Whether a path leads to something below a folder."""
    return Path(os.path.realpath(folder)) in Path(os.path.realpath(path)).parents


def _refuse_parent(parent: str, kind: str, path: PathLike) -> None:
    """Raise an error if the folder around it does not exist, or cannot be written to."""
    if not os.path.isdir(parent):
        reason = f"the {kind} cannot be written, since there is no folder {parent}; create it, or choose another"
        raise DataError(reason, path=Path(path))
    if not os.access(parent, os.W_OK | os.X_OK):
        reason = f"the {kind} cannot be written, since the folder {parent} does not allow it; choose another"
        raise DataError(reason, path=Path(path))


def _nearest(place: Path) -> str:
    """Return the nearest folder above that exists, or what is in its place."""
    return str(next(parent for parent in Path(os.path.abspath(place)).parents if os.path.lexists(parent)))


def _beside(place: Path, suffix: str) -> Path:
    """Return a hidden name beside a file or a folder."""
    return place.with_name(f".{place.name}.{secrets.token_hex(4)}.{suffix}")


def _put(draft: Path, folder: Path) -> None:
    """Move the content of a draft to its place; what it replaces is deleted only when everything is there."""
    if not folder.exists():
        os.replace(draft, folder)
        return
    old = _beside(folder, "old")
    old.mkdir()
    names = sorted(os.listdir(draft))
    try:
        for name in names:
            if os.path.lexists(folder / name):
                os.replace(folder / name, old / name)
            os.replace(draft / name, folder / name)
    except BaseException:
        for name in names:
            _take_back(name, draft, folder, old)
        old.rmdir()
        raise
    shutil.rmtree(old, ignore_errors=True)


def _take_back(name: str, draft: Path, folder: Path, old: Path) -> None:
    """Undo what was done to one of the parts."""
    if not os.path.lexists(draft / name):
        os.replace(folder / name, draft / name)
    if os.path.lexists(old / name):
        os.replace(old / name, folder / name)


def _unwritten(kind: str, error: OSError, path: PathLike) -> DataError:
    """Explain why something could not be written, and what to do."""
    full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    advice = "free some space, or choose another folder" if full else "check the path"
    return DataError(f"the {kind} cannot be written ({error.strerror or error}); {advice}", path=Path(path))
