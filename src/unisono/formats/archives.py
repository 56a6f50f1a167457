"""ZIP archives as folders, without their dangers.

What an archive says about names and sizes is not trusted: names that lead elsewhere are rejected, and bytes are counted
as they come out. Archives in archives become folders too, as in projects of INCEpTION.
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
"""How many bytes may come out of an archive, including archives in it."""
_SWOLLEN = 200
"""How many times its own size an archive may hold, unless it is small."""
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
    """Paths, with each archive as a folder."""

    paths: list[Path]
    """In the order of those given."""
    archives: dict[Path, Path]
    """The folder of an archive's contents to the archive."""

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
    """Provide the paths with each archive as a folder of its contents, which is deleted at the end.

    `bad` takes errors of damaged archives within archives, which are then skipped; without it, they are raised.
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
    """Whether a path is a ZIP archive, by its name and its content."""
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
        with self.explaining(), zipfile.ZipFile(archive) as content:
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
                self.fail(f"archives are nested more than {_DEEPEST} deep")
            if not zipfile.is_zipfile(one):
                self.skip(one.relative_to(folder))
                one.unlink()
                continue
            with TemporaryDirectory(dir=folder.parent, prefix=".packed-") as aside:
                own = one.rename(Path(aside, "packed"))
                if one.with_suffix("").exists():
                    self.fail(f"it holds both {one.name} and {one.stem}")
                self.unpack(own, one.with_suffix(""), depth + 1)

    @contextmanager
    def explaining(self) -> Iterator[None]:
        """Explain why the archive cannot be unpacked."""
        try:
            yield
        except _UNPACKED as error:
            why = "needs a password" if "password" in str(error) else f"cannot be unpacked ({error})"
            raise DataError(f"the archive {why}; unpack it yourself, and name the folder", path=self.path) from None
        except OSError as error:
            reason = error.strerror or str(error)
            what = "free some space" if error.errno == ENOSPC else "unpack it yourself, and name the folder"
            raise DataError(f"the archive cannot be unpacked ({reason}); {what}", path=self.path) from None

    def parts(self, name: str) -> tuple[str, ...]:
        """Return the parts of a name, unless it leads elsewhere."""
        parts = PurePosixPath(name.replace("\\", "/").lstrip("/")).parts  # old exports begin with a slash
        drive = bool(parts) and len(parts[0]) == 2 and parts[0][1] == ":"
        if not parts or drive or any(part == ".." or "\0" in part for part in parts):
            self.fail(f"the archive holds the name {name!r}, which leads out of it")
        return parts

    def copy(self, content: zipfile.ZipFile, entry: zipfile.ZipInfo, target: Path) -> None:
        """Copy a file out of the archive, unless it is too much."""
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
                    self.fail(f"the archive holds more than {self.n_bytes // 2**20:,} MB, which is suspicious")
                out.write(block)

    def skip(self, inner: Path) -> None:
        """Report a damaged archive in the archive, and skip it; or raise the error."""
        error = DataError("the archive is damaged; export it again", path=self.path / inner)
        if self.bad is None:
            raise error
        self.bad(error)

    def fail(self, why: str) -> NoReturn:
        """Reject the archive."""
        raise DataError(f"{why}; unpack it yourself if you trust it, and name the folder", path=self.path)
