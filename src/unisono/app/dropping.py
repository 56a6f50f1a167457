"""Files that were dropped into the page: a browser gives their content, not their place, so copies are kept."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
from collections.abc import AsyncIterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path, PurePosixPath

from unisono.app.home import Home
from unisono.errors import DataError

LARGEST_DROP = 2**31
"""How many bytes may be dropped at once."""
MOST_FILES = 20_000
_BLOCK = 2**20


class Drop:
    """Files that come one by one, until all are there.

    Parameters
    ----------
    home : Home
        Where copies are kept.
    """

    def __init__(self, home: Home) -> None:
        self.id = secrets.token_hex(8)
        self._home = home
        self._folder = home.make("dropped", f".coming-{self.id}")
        self._n_bytes = self._n_files = 0

    async def add(self, name: str, content: AsyncIterator[bytes]) -> None:
        """Keep a file; DataError if it is too much, or its name leads elsewhere."""
        parts = _parts(name)
        self._n_files += 1
        if self._n_files > MOST_FILES:
            raise DataError(f"these are more than {MOST_FILES:,} files; give the path of their folder instead")
        target = self._folder.joinpath(*parts)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("xb") as stream:
                async for block in content:
                    self._n_bytes += len(block)
                    if self._n_bytes > LARGEST_DROP:
                        raise DataError(f"these are more than {LARGEST_DROP // 2**30} GB; give their path instead")
                    stream.write(block)
        except FileExistsError:
            raise DataError(f"there are two files named {name}; rename one of them") from None
        except OSError as error:
            raise _unkept(error) from None

    def finish(self) -> Path:
        """Move the files to their place, and return it; the same files always come to the same place."""
        names = sorted(os.listdir(self._folder))
        if not names:
            self.abandon()
            raise DataError("no files were dropped; drop a file or a folder")
        name = names[0] if len(names) == 1 else "files"
        place = self._home.dropped / _digest(self._folder) / name
        try:
            if place.exists():
                self.abandon()
                return place
            if len(names) == 1:
                place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                os.replace(self._folder / name, place)
                self.abandon()
            else:
                place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                os.replace(self._folder, place)
        except OSError as error:
            self.abandon()
            raise _unkept(error) from None
        return place

    def abandon(self) -> None:
        """Delete what came."""
        shutil.rmtree(self._folder, ignore_errors=True)


def _parts(name: str) -> tuple[str, ...]:
    """Return the parts of a file's name, unless it leads elsewhere."""
    parts = PurePosixPath(name.replace("\\", "/")).parts
    wrong = not parts or any(part in ("..", "/") or ":" in part or not part.isprintable() for part in parts)
    if wrong or len(parts) > 20 or any(len(part.encode(errors="replace")) > 240 for part in parts):
        raise DataError(f"a file cannot be kept with the name {name!r}; rename it")
    return parts


def _digest(folder: Path) -> str:
    found = sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            found.update(path.relative_to(folder).as_posix().encode(errors="surrogatepass") + b"\0")
            found.update(path.stat().st_size.to_bytes(8, "big"))
            with path.open("rb") as stream:
                while block := stream.read(_BLOCK):
                    found.update(block)
    return found.hexdigest()[:16]


def _unkept(error: OSError) -> DataError:
    full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    advice = "free some space, or give the path instead" if full else "give the path instead"
    return DataError(f"a copy cannot be kept ({error.strerror or error}); {advice}")


def example(home: Home) -> Path:
    """Return a copy of the built-in data, beside which decisions can be kept."""
    from unisono.demo import demo_path

    place = home.make("dropped", "example") / "example.jsonl"
    with suppress(FileExistsError), place.open("xb") as stream:
        stream.write(demo_path().read_bytes())
    return place
