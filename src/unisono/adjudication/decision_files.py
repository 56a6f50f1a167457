"""Files of decisions: one line each, only ever appended to; several people's files are merged."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from unisono.adjudication.decisions import SKIP, UNDO, PlaceDecision, PlaceKey, parsed_decision
from unisono.errors import DataError
from unisono.formats.folders import DECISIONS
from unisono.output import sync_folder, take_lock


def beside(data: Path) -> Path:
    """Return where decisions about data are kept unless somebody says otherwise: beside the file or the folder."""
    place = Path(os.path.abspath(data))
    return place.with_name(f"{place.name if place.is_dir() else place.stem}.{DECISIONS}")


@dataclass
class History:
    """What one file says about each place.

    Attributes
    ----------
    path : path
        The file.
    standing : dict
        Place to its decisions that were not taken back, the latest last.
    ids : dict
        Place to the ids of all decisions about it.
    broken : list of int
        Lines that cannot be read, such as one that a power failure cut short.
    """

    path: Path
    standing: dict[PlaceKey, list[PlaceDecision]] = field(default_factory=dict)
    ids: dict[PlaceKey, set[str]] = field(default_factory=dict)
    broken: list[int] = field(default_factory=list)

    def add(self, decision: PlaceDecision) -> None:
        """Note what was decided."""
        key = decision.key
        self.ids.setdefault(key, set()).add(decision.id)
        stack = self.standing.setdefault(key, [])
        if decision.kind != UNDO:
            stack.append(decision)
        elif stack:
            stack.pop()

    def without(self, keys: Collection[PlaceKey]) -> History:
        """Return what the file says about all other places."""
        standing = {key: stack for key, stack in self.standing.items() if key not in keys}
        return History(self.path, standing, self.ids, self.broken)

    def latest(self, key: PlaceKey) -> PlaceDecision | None:
        """Return the last decision about a place that was not taken back."""
        stack = self.standing.get(key)
        return stack[-1] if stack else None

    def gone(self, key: PlaceKey) -> set[str]:
        """Return the ids of decisions about a place, perhaps in other files, that this file takes back or replaces."""
        last = self.latest(key)
        kept = set() if last is None else {last.id}
        return self.ids.get(key, set()) - kept | set(last.replaces if last is not None else ())


def read_decisions(path: Path) -> History:
    """Read a file of decisions; lines that are cut short are skipped and noted, others that are wrong are errors."""
    history = History(path)
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        reason = f"the decisions cannot be read ({error.strerror or error}); check the path"
        raise DataError(reason, path=path) from None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            history.broken.append(number)
            continue
        try:
            history.add(parsed_decision(entry))
        except DataError as error:
            raise DataError(f"this is no decision: {error.reason}", path=path, line=number) from None
    return history


@dataclass(frozen=True)
class Verdict:
    """What counts for a place: the decision, or several that differ."""

    decisions: tuple[PlaceDecision, ...]

    @property
    def settled(self) -> PlaceDecision | None:
        """The decision, if all who decided agree."""
        return self.decisions[0] if len({one.outcome for one in self.decisions}) == 1 else None


def verdict_on(histories: Sequence[History], key: PlaceKey) -> Verdict | None:
    """Merge what files say about a place; what somebody took back or replaced in any of them does not count."""
    gone = set().union(*(history.gone(key) for history in histories))
    latest = (history.latest(key) for history in histories)
    # the same line may be in several files, if one began as a copy
    left = {one.id: one for one in latest if one is not None and one.kind != SKIP and one.id not in gone}
    return Verdict(tuple(left.values())) if left else None


def merged_decisions(histories: Sequence[History]) -> dict[PlaceKey, Verdict]:
    """Merge what files say about all places."""
    keys = dict.fromkeys(key for history in histories for key in history.standing)
    found = {key: verdict_on(histories, key) for key in keys}
    return {key: verdict for key, verdict in found.items() if verdict is not None}


def shared_places(histories: Sequence[History]) -> dict[PlaceKey, dict[int, PlaceDecision]]:
    """Return the places on which two people or more decided, with what each decided, by the numbers of their files.

    A decision that settles those of others was made knowing them; the one before it counts.
    """
    found: dict[PlaceKey, dict[int, PlaceDecision]] = {}
    for key in dict.fromkeys(key for history in histories for key in history.standing):
        own = {who: _independent(history.standing.get(key, ())) for who, history in enumerate(histories)}
        # the same line may be in several files, if one began as a copy
        known = {one.id: (who, one) for who, one in own.items() if one is not None}
        if len(known) > 1:
            found[key] = dict(known.values())
    return found


def _independent(stack: Sequence[PlaceDecision]) -> PlaceDecision | None:
    return next((one for one in reversed(stack) if one.kind != SKIP and not one.replaces), None)


def deciders(histories: Sequence[History]) -> list[str]:
    """Return who decided in each file: by the name in its latest decision, or if others have that, by the file's."""
    names = [_name_in(history) for history in histories]
    return [
        name if name and names.count(name) == 1 else history.path.name.removesuffix(f".{DECISIONS}")
        for name, history in zip(names, histories, strict=True)
    ]


def _name_in(history: History) -> str:
    made = [one for stack in history.standing.values() for one in stack if one.by]
    return max(made, key=lambda one: one.time).by if made else ""


def broken_notes(histories: Iterable[History]) -> list[str]:
    """Say which lines cannot be read."""
    return [
        f"{history.path}, line {number}: skipped, because the line is not complete"
        for history in histories
        for number in history.broken
    ]


class DecisionLog:
    """A file of decisions that one process appends to; a decision is on the disk when `append` returns.

    Parameters
    ----------
    path : path
        The file; made with the first decision. What it has is read first.
    """

    def __init__(self, path: Path) -> None:
        self.history = read_decisions(path) if path.exists() else History(path)
        self._file: BinaryIO | None = None

    def append(self, decision: PlaceDecision) -> None:
        """Add a decision; DataError if it cannot be kept, and the file is as before."""
        try:
            file = self._opened()
            size = file.seek(0, os.SEEK_END)
            try:
                _write(file, _end_of_line(file, size) + decision.line().encode() + b"\n")
            except OSError:
                with suppress(OSError):
                    file.truncate(size)
                raise
        except OSError as error:
            self.close()
            full = error.errno in (errno.ENOSPC, errno.EDQUOT)
            advice = "free some space" if full else "check the folder"
            reason = f"the decision could not be saved ({error.strerror or error}); {advice}, and decide again"
            raise DataError(reason, path=self.history.path) from None
        self.history.add(decision)

    def close(self) -> None:
        """Let others append to the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _opened(self) -> BinaryIO:
        if self._file is not None and not _is_at(self._file, self.history.path):
            reason = "the file was moved or deleted while it was open, so nothing can be saved; put it back, or open "
            raise DataError(f"{reason}the data again", path=self.history.path)
        if self._file is None:
            is_new = not self.history.path.exists()
            file = self.history.path.open("a+b", buffering=0)
            if is_new:
                sync_folder(self.history.path.parent)
            try:
                take_lock(file)
            except OSError:
                file.close()
                reason = "another program is adding decisions to this file; end it, or choose another file"
                raise DataError(reason, path=self.history.path) from None
            self._file = file
        return self._file


def _is_at(file: BinaryIO, path: Path) -> bool:
    """Whether a path still leads to an open file."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), os.stat(path))
    except FileNotFoundError:
        return False


def _end_of_line(file: BinaryIO, size: int) -> bytes:
    """Return what ends a line that was cut short, so that it stays alone."""
    if not size:
        return b""
    file.seek(size - 1)
    return b"" if file.read(1) == b"\n" else b"\n"


def _write(file: BinaryIO, content: bytes) -> None:
    """Write everything and force it to the disk; a raw file may take less at once."""
    while content:
        content = content[file.write(content) :]
    os.fsync(file.fileno())
