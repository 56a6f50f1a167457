"""What a folder was made for: everything that decides the result."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from unisono.errors import DataError
from unisono.output import write_whole
from unisono.version import __version__

_NAME, _LOCK = "manifest.json", "lock"
_CHOOSE = "repeat the command that it was made with, or choose another folder"
_ANOTHER = "choose another folder"


def manifest(
    paths: Sequence[Path],
    measures: Sequence[str],
    seed: int,
    reading: Mapping[str, Any],
    preparing: Mapping[str, Any],
    base: Path | None = None,
) -> dict[str, Any]:
    """Return what decides the results of some measures."""
    worked = reading.get("worked")
    return {
        "version": __version__,
        "measures": list(measures),
        "seed": seed,
        "reading": {name: _plain(how) for name, how in reading.items() if name not in _NOT_DECISIVE and how},
        "preparation": {name: _plain(how) for name, how in preparing.items() if how},
        "input": {str(Path(os.path.abspath(path))): identity(path) for path in paths},
        "worked": None if worked is None else f"{worked}, {identity(Path(worked))}",
        "base": None if base is None else f"{base}, {identity(base)}",
    }


_NOT_DECISIVE = ("progress", "bad", "worked")
_WORDS = {
    "version": "another version of unisono",
    "measures": "another measure",
    "seed": "another seed",
    "reading": "different reading options",
    "preparation": "another preparation",
    "base": "another pre-annotation",
    "worked": "another table of who worked on what",
}


def claim(folder: Path, wanted: Mapping[str, Any]) -> None:
    """Make a folder for this, or continue in one that was; refuse any other, and say what differs."""
    refuse_other_things(folder)
    path = folder / _NAME
    if not _kept(folder):  # a command that failed before anything was kept, as with a wrong path, does not claim it
        content = json.dumps(wanted, indent=1).encode()
        write_whole(path, lambda file: file.write(content))
        return
    try:
        found = json.loads(path.read_bytes())
    except ValueError:
        raise DataError(f"{_NAME} is damaged; choose another folder", path=folder) from None
    for key, value in json.loads(json.dumps(wanted)).items():
        if found.get(key) != value:
            said, advice = _difference(key, found.get(key), value)
            raise DataError(f"the folder was made for {said}; {advice}", path=folder)


def refuse_other_things(folder: Path) -> None:
    """Refuse a folder with things that no stream has put there."""
    if _kept(folder) and not (folder / _NAME).exists():
        reason = "the folder holds other things than results that can be continued; choose another name, or empty it"
        raise DataError(reason, path=folder)


def release(folder: Path) -> None:
    """Remove what a command that failed has put into a folder, so that a corrected one can use it."""
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        elif path.name != _LOCK:
            path.unlink(missing_ok=True)


def any_measured(folder: Path) -> bool:
    """Whether a batch, or a whole measurement, is kept."""
    return any(any(folder.glob(pattern)) for pattern in ("batches-*/*", "documents-*"))


def discard(folder: Path, made: Sequence[Path], lock: BinaryIO) -> None:
    """Remove a folder in which nothing is kept, if this command made it, and those above it that it made.

    `made` are these folders, from the inside to the outside; `lock` is the locked file in the folder.
    """
    with suppress(OSError):  # somebody else has put something there, or removed it
        if not made or _kept(folder):
            return
        release(folder)
        if os.name == "nt":
            lock.close()  # an open file cannot be removed there
        (folder / _LOCK).unlink()
        for one in made:
            one.rmdir()


def _kept(folder: Path) -> list[str]:
    return [name for name in os.listdir(folder) if name not in (_LOCK, _NAME) and not name.endswith(".tmp")]


def _difference(key: str, theirs: Any, ours: Any) -> tuple[str, str]:
    """Say what a folder was made for, and what is wanted instead; and what to do."""
    if key != "input":
        return f"{_WORDS[key]} ({_shown(theirs)}, not {_shown(ours)})", _CHOOSE
    if not isinstance(theirs, dict) or theirs.keys() != ours.keys():
        names = ", ".join(theirs) if isinstance(theirs, dict) else "nothing"
        return f"other files ({names})", _CHOOSE
    changed = next(name for name in ours if ours[name] != theirs[name])
    return f"an earlier version of {changed}", _ANOTHER


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}={_shown(how)}" for name, how in value.items()) or "none"
    if isinstance(value, list):
        return ", ".join(map(_shown, value)) or "none"
    return str(value)


def identity(path: Path) -> str:
    """Return what tells a file, or all files in a folder, from another or from an earlier version."""
    if path.is_dir():
        content = hashlib.sha256()
        for where, folders, names in os.walk(path):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(names):
                if not name.startswith("."):
                    own = Path(where, name)
                    content.update(f"{own.relative_to(path)} {_stamp(own)}\n".encode("utf-8", "surrogateescape"))
        return content.hexdigest()
    return _stamp(path)


def _stamp(path: Path) -> str:
    try:
        found = path.stat()
    except OSError:
        return "missing"
    return f"{found.st_size} bytes, {found.st_mtime_ns}"


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(name): _plain(how) for name, how in value.items()}
    if isinstance(value, str | int | float | bool):
        return value
    return [_plain(one) for one in value] if isinstance(value, Sequence | set) else str(value)
