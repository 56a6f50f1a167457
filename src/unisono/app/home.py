"""What the app keeps on this computer: where data was that was opened, how it was read, and copies of dropped files."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields
from hashlib import sha256
from pathlib import Path
from typing import Any

from unisono.errors import DataError
from unisono.output import write_whole

_MOST_RECENT = 30


@dataclass
class Entry:
    """Data that was opened.

    Attributes
    ----------
    id : str
        What its addresses contain; the same whenever the same paths are opened.
    paths : list of str
        Where it is.
    name : str
        What it is called in lists.
    roles : dict
        Annotators who are no people, and what they are: model or curator.
    reading, drafting : dict
        How it is read, and how the gold standard is drafted, if not as usual.
    decisions : str
        Where decisions are kept.
    others : list of str
        Files with what other people decided.
    at : float
        When it was opened last.
    """

    id: str
    paths: list[str]
    name: str
    reading: dict[str, Any] = field(default_factory=dict)
    drafting: dict[str, Any] = field(default_factory=dict)
    roles: dict[str, str] = field(default_factory=dict)
    decisions: str = ""
    others: list[str] = field(default_factory=list)
    at: float = 0.0

    @classmethod
    def of(cls, paths: Sequence[Path]) -> Entry:
        """Make an entry for paths."""
        places = [os.path.abspath(path) for path in paths]
        more = f" and {len(places) - 1} more" if len(places) > 1 else ""
        return cls(entry_id(places), places, f"{Path(places[0]).name or places[0]}{more}")

    @property
    def is_there(self) -> bool:
        """Whether all its paths still exist."""
        return all(map(os.path.exists, self.paths))


def entry_id(places: Sequence[str]) -> str:
    """Return what identifies paths in addresses."""
    return sha256("\0".join(places).encode(errors="surrogatepass")).hexdigest()[:12]


def default_home() -> Path:
    """Return the folder where the system wants programs to keep data."""
    given = os.environ.get("UNISONO_HOME")
    if given:
        return Path(given)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "unisono"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "unisono"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "unisono"


class Home:
    """The app's own folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.dropped = folder / "dropped"
        self._list = folder / "recent.json"

    def entries(self) -> list[Entry]:
        """Return what was opened, the latest first; a list that cannot be read counts as empty."""
        try:
            rows = json.loads(self._list.read_bytes())
            found = [_entry(row) for row in rows]
        except (OSError, ValueError, TypeError, AttributeError):
            return []
        return sorted(found, key=lambda entry: -entry.at)

    def entry(self, wanted: str) -> Entry | None:
        """Return the entry with an id."""
        return next((entry for entry in self.entries() if entry.id == wanted), None)

    def remember(self, entry: Entry) -> None:
        """Put an entry at the head of the list; what cannot be written is not remembered."""
        entry.at = time.time()
        others = [other for other in self.entries() if other.id != entry.id]
        self._write([entry, *others][:_MOST_RECENT])

    def forget(self, wanted: str) -> None:
        """Take an entry off the list; its files stay."""
        self._write([entry for entry in self.entries() if entry.id != wanted])

    def make(self, *names: str) -> Path:
        """Return a folder in the app's own, which is made if need be; nobody else may look into it."""
        place = self.folder.joinpath(*names)
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise DataError(f"the folder cannot be created ({error.strerror or error})", path=place) from None
        return place

    def _write(self, entries: Sequence[Entry]) -> None:
        content = json.dumps([asdict(entry) for entry in entries], ensure_ascii=False, indent=1)
        with suppress(OSError, DataError, UnicodeError):
            self.make()
            write_whole(self._list, lambda stream: stream.write(content.encode()))


def _entry(row: Mapping[str, Any]) -> Entry:
    known = {one.name for one in fields(Entry)}
    return Entry(**{name: value for name, value in row.items() if name in known})
