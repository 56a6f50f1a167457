"""Measures data that may be larger than memory, batch by batch, and continues where it was interrupted."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np

from unisono.checks import check_seed
from unisono.data import Corpus, Data
from unisono.errors import DataError, OptionError, UnisonoError, listed
from unisono.execution import Progress, Workers
from unisono.formats.arguments import check_path, check_paths
from unisono.formats.piecewise import Piecewise
from unisono.formats.reading import read_base
from unisono.measurement.registry import Measure, parse_measure
from unisono.output import PathLike, refuse_inputs
from unisono.preparation import prepare
from unisono.processes import WorkersGoneError
from unisono.results import Result
from unisono.streaming.documents import write_documents
from unisono.streaming.files import locked, writing
from unisono.streaming.ledger import BatchFolder
from unisono.streaming.manifest import any_measured, claim, discard, manifest, refuse_other_things, release
from unisono.streaming.reading import take_in

_BYTES_PER_UNIT, _BYTES_PER_LABEL = 700, 250
"""About how much memory a measure needs that is not computed batch by batch: as measured, most of it for reading."""
_MUCH = 2**28


def stream(
    name: str,
    paths: PathLike | Iterable[PathLike],
    folder: PathLike,
    *,
    base: PathLike | None = None,
    reading: Mapping[str, Any] | None = None,
    preparing: Mapping[str, Any] | None = None,
    rng: int | np.random.Generator | None = 42,
    workers: Workers = None,
    progress: Progress | None = None,
) -> Result:
    """Measure data that may be larger than memory; the result is the same as that of `measure`.

    Data is read in pieces (tables by rows, JSON lines by lines, folders and archives by files). Measures that are sums
    over documents, as most are, are measured in batches of documents, each of which is kept in a folder as soon as it
    is done; others need all units at once. The same call continues after an interruption of any kind, and gives the
    same result.

    Parameters
    ----------
    name : str
        A measure with its parameters, e.g. ``gamma(alpha=3,beta=1)``.
    paths : path or iterable of paths
        What to read: see `unisono.read`.
    folder : path
        Where to keep what was done; it is created if it does not exist. A folder that was made for anything else is
        rejected.
    base : path, optional
        The pre-annotation that annotators started from, for measures that use it (text-gamma): see `unisono.measure`.
    reading : mapping, optional
        Parameters of `unisono.read`, e.g. ``{"format": "csv"}``.
    preparing : mapping, optional
        Parameters of `unisono.prepare`, e.g. ``{"layers": ["NE"]}``.
    rng : int, Generator or None
        Seed.
    workers : int, Executor or None
        How many CPU cores to use, or any `concurrent.futures.Executor`; by default all cores.
    progress : callable, optional
        Called with (done, total).

    Returns
    -------
    Result
        Its documents are read from the folder as they are needed, which must stay there as long as the result is used.

    Raises
    ------
    DataError
        If the data cannot be read, or if the folder cannot be written to or belongs to another measurement.

    See Also
    --------
    measure, read

    Examples
    --------
    >>> import unisono
    >>> _ = unisono.write({"anna": ["a", "b", "a", "b"], "bert": ["a", "b", "b", "b"]}, "labels.csv")
    >>> result = unisono.stream("cohen-kappa", "labels.csv", "work")
    >>> round(result.value, 3)
    0.5
    """
    given, place = check_paths(paths, "paths"), check_path(folder, "folder")
    _check_names(reading or {}, Piecewise, "reading")
    _check_names(preparing or {}, prepare, "preparing")
    chosen = parse_measure(name)
    chosen.check_base(base)
    seed = check_seed(rng)
    how, before = reading or {}, None if base is None else check_path(base, "base")
    started = None if before is None else read_base(before, format=how.get("format"), options=how.get("options"))
    with streaming(given, place, [chosen], seed, how, preparing or {}, before) as opened:
        return opened.measure(chosen, 0, base=started, workers=workers, progress=progress)


def _check_names(given: Mapping[str, Any], function: Callable[..., Any], parameter: str) -> None:
    """Reject parameters that a function does not have."""
    known = [name for name, one in signature(function).parameters.items() if one.kind is one.KEYWORD_ONLY]
    for name in given:
        if name not in known:
            raise OptionError(f"unknown parameter {name!r}; available: {listed(known)}", parameter)


class Streaming:
    """Data in a folder, and where its measurement is kept."""

    def __init__(self, folder: Path, data: Data, seed: int) -> None:
        self.data = data
        self._folder = folder
        self._seed = seed

    @property
    def keeps(self) -> bool:
        """Whether anything is kept before a measurement is done; labels of items are read and measured at once."""
        return isinstance(self.data, Corpus)

    def in_memory(self, one: Measure) -> str | None:
        """Say that, and why, a measure is not computed batch by batch, and how much memory it needs if that is much."""
        why = one.at_once(self.data)
        if not why:
            return None
        what, each = ("units", _BYTES_PER_UNIT) if isinstance(self.data, Corpus) else ("labels", _BYTES_PER_LABEL)
        n_bytes = self.data.n_units * each
        memory = f", and about {n_bytes / 2**30:.1f} GB of memory for them" if n_bytes >= _MUCH else ""
        return f"{one.declaration.name} needs all {what} at once{memory}: {why}"

    def measure(
        self,
        one: Measure,
        number: int,
        *,
        base: Any = None,
        workers: Workers = None,
        progress: Progress | None = None,
    ) -> Result:
        """Measure the data with a measure, the one with this number."""
        given: dict[str, Any] = {"rng": self._seed, "workers": workers, "progress": progress}
        if not isinstance(self.data, Corpus) or one.at_once(self.data):
            found = one.compute(self.data, base=base, **given)
        else:
            found = one.stream(self.data, BatchFolder(self._folder / f"batches-{number + 1}"), **given)
        with writing(self._folder):
            write_documents(found, self._folder / f"documents-{number + 1}-{one.declaration.name}")
        return found


@contextmanager
def streaming(
    paths: Sequence[Path],
    folder: Path,
    measures: Sequence[Measure],
    seed: int,
    reading: Mapping[str, Any],
    preparing: Mapping[str, Any],
    base: Path | None = None,
) -> Iterator[Streaming]:
    """Provide data in a folder that nobody else writes to in the meantime; for the parameters see `stream`."""
    refuse_inputs(folder, paths)
    folder = Path(os.path.abspath(folder))  # other processes may have another current folder
    if folder.exists() and not folder.is_dir():
        raise DataError("there is a file with that name; choose another name", path=folder)
    made = _made(folder)
    refuse_other_things(folder)
    with locked(folder) as lock:
        try:
            with writing(folder):
                claim(folder, manifest(paths, [*map(str, measures)], seed, reading, preparing, base))
                try:
                    data = take_in(paths, folder, reading, preparing)
                except UnisonoError:
                    release(folder)
                    raise
            try:
                yield Streaming(folder, data, seed)
            except UnisonoError as error:
                if not (isinstance(error, WorkersGoneError) or _is_within(error, folder) or any_measured(folder)):
                    release(folder)  # the same command would fail again, and another one needs a new manifest
                raise
        except BaseException:
            discard(folder, made, lock)
            raise


def _is_within(error: UnisonoError, folder: Path) -> bool:
    """Whether an error is about what is kept, as on a full disk, and not about the data or the measure."""
    path = getattr(error, "path", None)
    return path is not None and Path(os.path.abspath(path)).is_relative_to(folder)


def _made(folder: Path) -> list[Path]:
    """Make a folder, and those above it; return the ones that were not there, itself first."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = f"the folder cannot be made ({error.strerror or error}); choose another place"
        raise DataError(reason, path=folder) from None
    return missing
