"""ZIP archives as folders, without their dangers.

What an archive says about names and sizes is not trusted: names that lead elsewhere are refused, and bytes are counted
as they come out. Archives in archives become folders too, for projects of INCEpTION are made so.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import NoReturn
from zlib import error as ZlibError  # noqa: N812

from unisono.errors import DataError

LARGEST = 2**32
"""So many bytes may come out of an archive, all that is in it included."""
_SWOLLEN = 200
"""An archive holds at most so many times its own size, once it is not small."""
_SMALL = 2**26
_DEEPEST = 3
_MOST_FILES = 200_000
_BLOCK = 2**18
_UNPACKED = (zipfile.BadZipFile, ZlibError, EOFError, NotImplementedError, RuntimeError, ValueError, KeyError)


@dataclass(frozen=True)
class Unpacked:
    """Paths, with each archive as a folder.

    Attributes
    ----------
    paths : list of Path
        In the order of those given.
    archives : dict
        The folder of an archive's contents to the archive.
    """

    paths: list[Path]
    archives: dict[Path, Path]

    def named(self, path: Path) -> Path:
        """Name a file as the user knows it: by the archive that it is in."""
        for folder, archive in self.archives.items():
            if path.is_relative_to(folder):
                return archive / path.relative_to(folder)
        return path


@contextmanager
def unpacked(paths: Sequence[Path]) -> Iterator[Unpacked]:
    """Give the paths with each archive as a folder of its contents, which is there until the end."""
    if not any(map(is_archive, paths)):
        yield Unpacked(list(paths), {})
        return
    with TemporaryDirectory(prefix="unisono-") as temporary:
        found = Unpacked([], {})
        for number, path in enumerate(paths):
            if not is_archive(path):
                found.paths.append(path)
                continue
            beside = Path(temporary, path.stem or "archive")
            folder = Path(temporary, str(number), path.stem or "archive") if beside.exists() else beside
            _Unpacking(path, path.stat().st_size).unpack(path, folder, 1)
            folder.mkdir(parents=True, exist_ok=True)
            found.paths.append(folder)
            found.archives[folder] = path
        yield found


def is_archive(path: Path) -> bool:
    """Tell whether a path is a ZIP archive, by its name and its content."""
    return path.suffix.lower() == ".zip" and path.is_file() and zipfile.is_zipfile(path)


@dataclass
class _Unpacking:
    """Unpacks one archive, and counts what comes out."""

    path: Path
    size: int
    n_bytes: int = 0
    n_files: int = 0

    def unpack(self, archive: Path, folder: Path, depth: int) -> None:
        """Unpack an archive into a folder, and the archives in it."""
        inner: list[Path] = []
        try:
            with zipfile.ZipFile(archive) as content:
                for entry in content.infolist():
                    parts = self.parts(entry.filename)
                    if entry.is_dir() or parts[-1].startswith("."):
                        continue
                    target = folder.joinpath(*parts)
                    self.copy(content, entry, target)
                    if target.suffix.lower() == ".zip":
                        inner.append(target)
        except _UNPACKED as error:
            said = "needs a password" if "password" in str(error) else f"cannot be unpacked ({error})"
            raise DataError(f"the archive {said}; unpack it yourself, and name the folder", path=self.path) from None
        except OSError as error:
            reason = error.strerror or str(error)
            raise DataError(f"the archive cannot be unpacked ({reason}); is the disk full?", path=self.path) from None
        for one in inner:
            if depth >= _DEEPEST:
                self.fail(f"archives are in archives more than {_DEEPEST} deep")
            if zipfile.is_zipfile(one):
                own = one.with_name(f"{one.name}.packed")
                one.rename(own)
                self.unpack(own, one.with_suffix(""), depth + 1)
                own.unlink()

    def parts(self, name: str) -> tuple[str, ...]:
        """Give the parts of a name, if it leads nowhere else."""
        parts = PurePosixPath(name.replace("\\", "/").lstrip("/")).parts  # old exports have a slash before
        if not parts or any(part in ("..", "/") or ":" in part or "\0" in part for part in parts):
            self.fail(f"the archive holds the name {name!r}, which leads out of it")
        return parts

    def copy(self, content: zipfile.ZipFile, entry: zipfile.ZipInfo, target: Path) -> None:
        """Copy a file out of the archive, as long as it is not too much."""
        self.n_files += 1
        if self.n_files > _MOST_FILES:
            self.fail(f"the archive holds more than {_MOST_FILES:,} files")
        if target.exists():
            self.fail(f"the archive holds {entry.filename!r} twice")
        target.parent.mkdir(parents=True, exist_ok=True)
        with content.open(entry) as packed, target.open("xb") as out:
            while block := packed.read(_BLOCK):
                self.n_bytes += len(block)
                if self.n_bytes > LARGEST or self.n_bytes > max(_SMALL, _SWOLLEN * self.size):
                    self.fail(f"the archive holds more than {self.n_bytes // 2**20:,} MB, suspiciously much")
                out.write(block)

    def fail(self, why: str) -> NoReturn:
        """Refuse the archive."""
        raise DataError(f"{why}; unpack it yourself if you trust it, and name the folder", path=self.path)
