"""Results to a page on disk, from Python."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any

from unisono.checks import check_flag, check_optional_text
from unisono.comparison.models import ModelsComparison
from unisono.data.ratings import Rows
from unisono.errors import OptionError
from unisono.formats.arguments import check_path
from unisono.formats.entry import DataLike, as_data
from unisono.measurement.completing import missing_alignments, with_subsets
from unisono.measurement.registry import default_measure
from unisono.output import refuse
from unisono.reporting.full_report.full_page import report_page
from unisono.reporting.pieces import refuse_page_name, write_page
from unisono.results import Result


def report(
    results: Result | Iterable[Result] | DataLike,
    path: str | os.PathLike[str],
    *,
    title: str | None = None,
    hide_text: bool = False,
    subsets: bool | None = None,
    models: ModelsComparison | None = None,
    rows: Rows = None,
    overwrite: bool = False,
) -> None:
    """Write one self-contained HTML page of results.

    Parameters
    ----------
    results : Result, several of them, or data
        What to show; all results must be of the same data. Data is measured with the measure that `advise` lists first.
    path : path
        The page, a name that ends in .html.
    title : str, optional
        The page's heading.
    hide_text : bool
        Whether the documents' text must not be in the page.
    subsets : bool, optional
        Whether to show the value of each pair of annotators, and without each annotator; they have to be measured, so
        the default is to do so only if there are few annotators and units.
    models : ModelsComparison, optional
        What `compare_models` returns for the same data, for a section on models and people.
    rows : {"items", "annotators"}, optional
        What the rows of a bare table of labels are, if `results` is one.
    overwrite : bool
        Whether a file of that name may be replaced.

    Returns
    -------
    None
        The page is written to `path`.

    See Also
    --------
    gold, advise

    Examples
    --------
    >>> from pathlib import Path
    >>> import unisono
    >>> labels = {"anna": ["a", "b", "a", "b", "a"], "bert": ["a", "b", "b", "b", "a"]}
    >>> unisono.report(unisono.cohen_kappa(labels), "report.html")
    >>> Path("report.html").exists()
    True
    """
    check_flag(hide_text, "hide_text")
    check_optional_text(title, "title")
    if subsets is not None:
        check_flag(subsets, "subsets")
    if models is not None and not isinstance(models, ModelsComparison):
        raise OptionError(f"expected what compare_models returns, not {type(models).__name__}", "models")
    file = check_path(path, "path")
    refuse_page_name(file)
    refuse(file, overwrite=check_flag(overwrite, "overwrite"))
    every = _results(results, rows)
    data = every[0].data
    measured = [with_subsets(one.measure, one, subsets) for one in every]
    page = report_page(
        measured,
        data,
        title=title or ("Agreement" if hide_text else ": ".join(filter(None, ["Agreement", data.source]))),
        alignments=missing_alignments(data, measured),
        hide_text=hide_text,
        models=models,
    )
    write_page(page, path, overwrite=overwrite)


def _results(given: Any, rows: Rows) -> list[Any]:
    """Return the results one by one, or that of data; results of different data are rejected."""
    several = list(given) if isinstance(given, list | tuple | Iterator) else [given]
    if not several:
        raise OptionError("there is nothing to report; pass a result, or several", "results")
    if not any(isinstance(one, Result) for one in several):
        data = as_data(several if isinstance(given, Iterator) else given, rows=rows, parameter="results")
        return [default_measure(data).compute(data)]
    for one in several:
        if not isinstance(one, Result):
            raise OptionError(
                f"expected results only, as unisono.gamma returns them, not {type(one).__name__}", "results"
            )
        if one.data != several[0].data:
            raise OptionError(
                f"{several[0].measure} and {one.measure} were measured on different data, but a page shows one data "
                "set; write a page for each",
                "results",
            )
    return several
