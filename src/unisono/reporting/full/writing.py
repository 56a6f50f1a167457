"""Results to a page on disk, from Python."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from unisono.alignment.aligned import Aligned
from unisono.data import Corpus, Data, Normalizations, Ratings
from unisono.errors import DataError, OptionError
from unisono.execution import Progress, Workers
from unisono.measurement.registry import aligning_measure
from unisono.output import new_file, refuse
from unisono.reporting.full.measured import Measured, with_subsets
from unisono.reporting.full.page import report_page
from unisono.results import Result

_MEASURED = {
    Corpus: "gamma(corpus)",
    Ratings: "krippendorff_alpha(ratings)",
    Normalizations: "normalization(words)",
}
"""How data becomes a result."""


def report(
    results: Result | Iterable[Result],
    path: str | os.PathLike[str],
    *,
    title: str | None = None,
    hide_text: bool = False,
    subsets: bool | None = None,
    overwrite: bool = False,
) -> None:
    """Write one self-contained HTML page of results.

    Parameters
    ----------
    results : Result, or several of them
        What to show, all of the same data.
    path : path
        The page.
    title : str, optional
        The page's heading.
    hide_text : bool
        Whether the documents' text must not be in the page.
    subsets : bool, optional
        Whether the value of every pair and without each annotator is shown; by default for few annotators and units,
        for it has to be measured.
    overwrite : bool
        Whether a file of that name may be replaced.
    """
    every = _checked(results)
    refuse(path, overwrite=overwrite)
    data = every[0].data
    measured = [with_subsets(one.measure, one, subsets) for one in every]
    page = report_page(
        measured,
        data,
        title=title or f"Agreement: {data.source}",
        alignments=missing_alignments(data, measured),
        hide_text=hide_text,
    )
    write_page(page, path, overwrite=overwrite)


def _checked(results: Any) -> list[Any]:
    """Give the results one by one; refuse what is none, and results of different data."""
    if isinstance(results, str | os.PathLike):
        raise OptionError(
            f"{os.fspath(results)!r} is no result; read and measure it first: "
            "unisono.report(unisono.gamma(unisono.read(…)), …)"
        )
    is_one = isinstance(results, tuple(_MEASURED)) or not isinstance(results, Iterable)
    every = [results] if is_one else list(results)
    if not every:
        raise DataError("there is nothing to report; give a result, or several")
    for one in every:
        if type(one) in _MEASURED:
            how = _MEASURED[type(one)]
            raise OptionError(f"{type(one).__name__} is no result; measure it first: unisono.report(unisono.{how}, …)")
        if not isinstance(one, Result):
            raise OptionError(
                f"{type(one).__name__} is no result; give what a measure such as unisono.gamma returns, or several"
            )
    for one in every[1:]:
        if one.data != every[0].data:
            raise OptionError(
                f"{every[0].measure} and {one.measure} were measured on different data, and a page shows one; "
                "write a page for each"
            )
    return every


def write_page(page: str, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
    """Write a page; what no encoding holds is written as an escape."""
    with new_file(path, overwrite=overwrite) as stream:
        stream.write(page.encode(errors="backslashreplace"))


def missing_alignments(
    data: Data, measured: Sequence[Measured], *, workers: Workers = None, progress: Progress | None = None
) -> Mapping[str, Aligned] | None:
    """Align units where no measure did, so that there is something to look at; None where there is no need or no way.

    Parameters
    ----------
    data : Corpus, Ratings or Normalizations
        What was measured.
    measured : sequence of Measured
        What the measures gave.
    workers, progress
        See `unisono.measure`.
    """
    if not isinstance(data, Corpus) or any(one.alignment for one in measured):
        return None
    try:
        found: Mapping[str, Aligned] = aligning_measure(data).align(data, workers=workers, progress=progress)
    except DataError:
        return None
    return found
