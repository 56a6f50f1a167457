"""ZIP archives as folders, without their dangers.

What an archive says about names and sizes is not trusted: names that lead elsewhere are refused, and bytes are counted
as they come out. Archives in archives become folders too, for projects of INCEpTION are made so.
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from errno import ENOSPC
from lzma import LZMAError
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
_UNPACKED = (
    zipfile.BadZipFile,
    ZlibError,
    LZMAError,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    KeyError,
)
_OF_MAC = "__MACOSX"


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

    @contextmanager
    def translating(self) -> Iterator[None]:
        """Name files in errors as the user knows them."""
        try:
            yield
        except DataError as error:
            raise self.translated(error) from None

    def translated(self, error: DataError) -> DataError:
        """Name the files of an error as the user knows them."""
        reason = error.message
        for folder, archive in self.archives.items():
            reason = reason.replace(str(folder), str(archive))
        return DataError(reason, path=None if error.path is None else self.named(Path(error.path)), line=error.line)

    def named(self, path: Path) -> Path:
        """Name a file as the user knows it: by the archive that it is in."""
        for folder, archive in self.archives.items():
            if path.is_relative_to(folder):
                return archive / path.relative_to(folder)
        return path


@contextmanager
def unpacked(paths: Sequence[Path], bad: Callable[[DataError], None] | None = None) -> Iterator[Unpacked]:
    """Give the paths with each archive as a folder of its contents, which is there until the end.

    Parameters
    ----------
    paths : sequence of Path
        Files, folders and archives.
    bad : callable, optional
        Is told of damaged archives in archives, which are then passed over; without it, they are errors.
    """
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
            _Unpacking(path, path.stat().st_size, bad).unpack(path, folder, 1)
            folder.mkdir(parents=True, exist_ok=True)
            found.paths.append(folder)
            found.archives[folder] = path
        yield found


def is_archive(path: Path) -> bool:
    """Tell whether a path is a ZIP archive, by its name and its content."""
    if path.suffix.lower() != ".zip" or not path.is_file():
        return False
    if zipfile.is_zipfile(path):
        return True
    with path.open("rb") as stream:
        if stream.read(2) == b"PK":
            raise DataError("the archive is damaged; export or download it again", path=path)
    return False


@dataclass
class _Unpacking:
    """Unpacks one archive, and counts what comes out."""

    path: Path
    size: int
    bad: Callable[[DataError], None] | None
    n_bytes: int = 0
    n_files: int = 0

    def unpack(self, archive: Path, folder: Path, depth: int) -> None:
        """Unpack an archive into a folder, and the archives in it."""
        inner: list[Path] = []
        with self.saying(folder), zipfile.ZipFile(archive) as content:
            for entry in content.infolist():
                parts = self.parts(entry.filename)
                if entry.is_dir() or parts[-1].startswith(".") or parts[0] == _OF_MAC:
                    continue
                target = folder.joinpath(*parts)
                self.copy(content, entry, target)
                if target.suffix.lower() == ".zip":
                    inner.append(target)
        for one in inner:
            if depth >= _DEEPEST:
                self.fail(f"archives are in archives more than {_DEEPEST} deep")
            if not zipfile.is_zipfile(one):
                self.pass_over(
                    DataError("the archive is damaged; export it again", path=self.path / one.relative_to(folder))
                )
                one.unlink()
                continue
            with TemporaryDirectory(dir=folder.parent, prefix=".packed-") as aside:
                own = one.rename(Path(aside, "packed"))
                if one.with_suffix("").exists():
                    self.fail(f"it holds both {one.name} and {one.stem}")
                self.unpack(own, one.with_suffix(""), depth + 1)

    @contextmanager
    def saying(self, folder: Path) -> Iterator[None]:
        """Say what is wrong with the archive if it cannot be unpacked."""
        try:
            yield
        except _UNPACKED as error:
            said = "needs a password" if "password" in str(error) else f"cannot be unpacked ({error})"
            raise DataError(f"the archive {said}; unpack it yourself, and name the folder", path=self.path) from None
        except OSError as error:
            reason = error.strerror or str(error)
            what = "make room" if error.errno == ENOSPC else "unpack it yourself, and name the folder"
            raise DataError(f"the archive cannot be unpacked ({reason}); {what}", path=self.path) from None

    def parts(self, name: str) -> tuple[str, ...]:
        """Give the parts of a name, if it leads nowhere else."""
        parts = PurePosixPath(name.replace("\\", "/").lstrip("/")).parts  # old exports have a slash before
        drive = bool(parts) and len(parts[0]) == 2 and parts[0][1] == ":"
        if not parts or drive or any(part == ".." or "\0" in part for part in parts):
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

    def pass_over(self, error: DataError) -> None:
        """Tell of a damaged archive in the archive, or raise it."""
        if self.bad is None:
            raise error
        self.bad(error)

    def fail(self, why: str) -> NoReturn:
        """Refuse the archive."""
        raise DataError(f"{why}; unpack it yourself if you trust it, and name the folder", path=self.path)
