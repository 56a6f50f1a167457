"""ZIP archives as folders, and files packed with gzip as files, without their dangers.

What an archive says about names and sizes is not trusted: names that lead elsewhere are rejected, and bytes are counted
as they come out. Archives in archives become folders too, as in projects of INCEpTION.
"""

from __future__ import annotations

import gzip
import os
import shutil
import zipfile
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from errno import ENOSPC
from functools import cached_property
from lzma import LZMAError
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import NoReturn
from zlib import error as ZlibError  # noqa: N812

from unisono.errors import DataError
from unisono.formats.patterns import GZIP, unzipped_name

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
_LOCAL_FILE = b"PK\x03\x04"
"""How archives begin, and each file in them."""
_GZIP_MAGIC = b"\x1f\x8b"


@dataclass
class Unpacked:
    """Paths, with each archive as a folder; more can be unpacked as long as they are needed."""

    paths: list[Path]
    """In the order of those given."""
    archives: dict[Path, Path]
    """What was unpacked, a folder or a file, to what it was in."""
    until_the_end: ExitStack
    """Deletes what was unpacked."""
    bad: Callable[[DataError], None] | None = None
    """Takes errors of damaged archives within archives, which are then skipped; without it, they are raised."""
    n_bytes: int = 0
    """How many bytes came out of archives in folders, and of files that were packed with gzip."""
    gzipped: dict[Path, bool] = field(default_factory=dict)
    """Whether there are such files in a folder."""

    @cached_property
    def temporary(self) -> Path:
        """A folder to unpack into, made when it is needed: on a slow disk, that takes longer than reading a file."""
        return Path(self.until_the_end.enter_context(TemporaryDirectory(prefix="unisono-")))

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
        # files in a folder come after it, so that what was unpacked from an archive in turn is named first
        if self.archives and str(self.temporary) in reason:
            for folder, archive in reversed(self.archives.items()):
                reason = reason.replace(str(folder), str(archive))
        return DataError(reason, path=None if error.path is None else self.named(Path(error.path)), line=error.line)

    def named(self, path: Path) -> Path:
        """Name a file as the user knows it: by the archive that it is in."""
        for folder in (path, *path.parents):
            if folder in self.archives:
                return self.named(self.archives[folder]) / path.relative_to(folder)
        return path

    def opened(self, archive: Path) -> Path:
        """Unpack an archive that is in a folder; return the folder with its contents."""
        folder = self._place(archive.with_suffix(""))
        unpacking = _Unpacking(archive, archive.stat().st_size, self.bad, n_before=self.n_bytes)
        unpacking.unpack(archive, folder, 1)
        folder.mkdir(parents=True, exist_ok=True)
        self.archives[folder] = archive
        self.n_bytes += unpacking.n_bytes
        return folder

    def readable(self, path: Path, companions: Collection[str]) -> Path:
        """Return where a file can be read: elsewhere if it, or what belongs to it, is packed with gzip.

        `companions` are how names of files end that belong to it, and whole names, also in the folder above (see
        `Format.companions`).
        """
        wanted = Path(unzipped_name(str(path)))
        if path == wanted and not any(map(self._has_gzip, {path.parent, path.parent.parent})):
            return path
        names = [name for name in companions if name[0] not in ".-"]
        beside = [wanted.with_name(wanted.stem + ending) for ending in companions if ending[0] in ".-"]
        places = [*beside, *(folder / name for folder in (wanted.parent, wanted.parent.parent) for name in names)]
        found = {place: there for place in places if place != wanted and (there := _there(place)) is not None}
        if path == wanted and all(place == there for place, there in found.items()):
            return path
        copy = 0  # both text1.xml and text1.xml.gz may be there
        while self.archives.get(self._place(wanted, copy), path) != path:
            copy += 1
        for place, there in {**found, wanted: path}.items():
            self._provide(there, self._place(place, copy))
        return self._place(wanted, copy)

    def _has_gzip(self, folder: Path) -> bool:
        """Whether some file in a folder is packed with gzip."""
        if folder not in self.gzipped:
            with suppress(OSError):
                self.gzipped[folder] = any(name.lower().endswith(GZIP) for name in os.listdir(folder))
        return self.gzipped.get(folder, False)

    def _place(self, path: Path, copy: int = 0) -> Path:
        """Return where to put a file or folder so that the folders above it have the same names."""
        return self.temporary.joinpath(f".unpacked{copy}", *Path(os.path.abspath(path)).parts[1:])

    def _provide(self, path: Path, target: Path) -> None:
        """Put a file where it can be read."""
        if target.exists():
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        self.archives[target] = path
        if path.suffix.lower() == GZIP and _begins(path, _GZIP_MAGIC):
            self._unzip(path, target)
            return
        try:
            target.symlink_to(path.absolute())
        except OSError:  # where links are not allowed
            shutil.copyfile(path, target)

    def _unzip(self, path: Path, target: Path) -> None:
        """Unpack a file that is packed with gzip, unless it is too much."""
        largest = min(LARGEST - self.n_bytes, max(_SMALL, _SWOLLEN * path.stat().st_size))
        n_bytes = 0
        try:
            with gzip.open(path) as packed, target.open("xb") as out:
                while block := packed.read(_BLOCK):
                    n_bytes += len(block)
                    if n_bytes > largest:
                        much = f"the file unpacks to more than {n_bytes // 2**20:,} MB, which is suspicious"
                        raise DataError(f"{much}; unpack it yourself if you trust it", path=path)
                    out.write(block)
        except (OSError, EOFError, ZlibError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise DataError(f"the file cannot be unpacked ({reason}); export or download it again", path=path) from None
        self.n_bytes += n_bytes


@contextmanager
def unpacked(paths: Sequence[Path], bad: Callable[[DataError], None] | None = None) -> Iterator[Unpacked]:
    """Provide the paths with each archive as a folder of its contents, which is deleted at the end.

    `bad` takes errors of damaged archives within archives, which are then skipped; without it, they are raised.
    """
    with ExitStack() as until_the_end:
        found = Unpacked([], {}, until_the_end, bad)
        for number, path in enumerate(paths):
            if not is_archive(path):
                found.paths.append(path)
                continue
            beside = Path(found.temporary, path.stem or "archive")
            folder = Path(found.temporary, str(number), path.stem or "archive") if beside.exists() else beside
            _Unpacking(path, path.stat().st_size, bad).unpack(path, folder, 1)
            folder.mkdir(parents=True, exist_ok=True)
            found.paths.append(folder)
            found.archives[folder] = path
        yield found


def _there(path: Path) -> Path | None:
    """Return a file, or the same packed with gzip, if it is there."""
    packed = path.with_name(path.name + GZIP)
    return path if path.is_file() else packed if packed.is_file() else None


def _begins(path: Path, magic: bytes) -> bool:
    with path.open("rb") as stream:
        return stream.read(len(magic)) == magic


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


@contextmanager
def explaining_archive(path: Path) -> Iterator[None]:
    """Explain why an archive cannot be unpacked."""
    try:
        yield
    except _UNPACKED as error:
        why = "needs a password" if "password" in str(error) else f"cannot be unpacked ({error})"
        raise DataError(f"the archive {why}; unpack it yourself, and name the folder", path=path) from None
    except OSError as error:
        reason = error.strerror or str(error)
        what = "free some space" if error.errno == ENOSPC else "unpack it yourself, and name the folder"
        raise DataError(f"the archive cannot be unpacked ({reason}); {what}", path=path) from None


@contextmanager
def opened_archive(archive: Path, named: Path) -> Iterator[zipfile.ZipFile]:
    """Open an archive; of one that breaks off, the last archive in it could be taken for the whole."""
    with explaining_archive(named), zipfile.ZipFile(archive) as content:
        first = min((entry.header_offset for entry in content.infolist()), default=0)
        with archive.open("rb") as stream:
            if first and stream.read(len(_LOCAL_FILE)) == _LOCAL_FILE:
                raise DataError("the archive breaks off before its end; check that the file is complete", path=named)
        yield content


@dataclass
class PackedFiles:
    """The files in an archive that are read one by one, without unpacking the others, which may be large."""

    path: Path
    _n_bytes: int = 0

    def names(self) -> list[str]:
        """Return the names of all files."""
        with opened_archive(self.path, self.path) as content:
            return [entry.filename for entry in content.infolist() if not entry.is_dir()]

    def read(self, name: str) -> bytes:
        """Return the content of a file, unless it is too much."""
        largest = min(LARGEST, max(_SMALL, _SWOLLEN * self.path.stat().st_size)) - self._n_bytes
        with opened_archive(self.path, self.path) as content, content.open(name) as packed:
            found = packed.read(largest + 1)
        self._n_bytes += len(found)
        if len(found) > largest:
            much = f"the archive holds more than {self._n_bytes // 2**20:,} MB, which is suspicious"
            raise DataError(f"{much}; unpack it yourself if you trust it, and name the folder", path=self.path)
        return found


@dataclass
class _Unpacking:
    """Unpacks one archive, and counts what comes out."""

    path: Path
    size: int
    bad: Callable[[DataError], None] | None
    n_before: int = 0
    """How many bytes came out of others before."""
    n_bytes: int = 0
    n_files: int = 0

    def unpack(self, archive: Path, folder: Path, depth: int) -> None:
        """Unpack an archive into a folder, and the archives in it."""
        inner: list[Path] = []
        with opened_archive(archive, self.path) as content:
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
                if self.n_before + self.n_bytes > LARGEST or self.n_bytes > max(_SMALL, _SWOLLEN * self.size):
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
