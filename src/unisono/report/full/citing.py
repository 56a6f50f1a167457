"""What goes into the paper: a sentence on the method, a table, and whom to cite."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.resources import files

from unisono.measures.disorder.result import DisorderResult
from unisono.measures.registry import declared
from unisono.report.exported import latex_table
from unisono.report.full.measured import Measured
from unisono.report.markup import counted, fixed, is_finite
from unisono.results import Result, Table
from unisono.version import __version__

_PAPERS = {
    "gamma": ("mathet2015", "mathet2017"),
    "text-gamma": ("barteld2016",),
    "normalization": ("bollmann2016",),
    "krippendorff-alpha": ("krippendorff2004",),
    "cohen-kappa": ("cohen1960",),
    "fleiss-kappa": ("fleiss1971",),
    "multi-kappa": ("davies1982",),
    "scott-pi": ("scott1955",),
    "weighted-kappa": ("cohen1968",),
    "gwet-ac1": ("gwet2008",),
    "gwet-ac2": ("gwet2014",),
    "bennett-s": ("bennett1954",),
    "randolph-kappa": ("randolph2005",),
    "percent-agreement": ("gwet2014",),
    "boundary-similarity": ("fournier2013",),
    "segmentation-similarity": ("fournier2012", "fournier2013"),
    "window-diff": ("pevzner2002",),
    "pk": ("beeferman1999",),
    "generalized-hamming": ("bookstein2002",),
    "u-alpha": ("krippendorff2016",),
    "cu-alpha": ("krippendorff2016",),
    "alpha-u": ("krippendorff1995",),
    "discretized-alpha": ("reidsma2006",),
    "discretized-kappa": ("reidsma2006",),
    "span-f1": ("hripcsak2005",),
    "slot-error-rate": ("makhoul1999",),
}


def methods(measured: Sequence[Measured]) -> str:
    """Say what was measured and how, one sentence a measure."""
    return " ".join(_sentence(one.result) for one in measured if one.result is not None)


def latex(measured: Sequence[Measured]) -> str:
    """Give the values of all measures as a table for the package booktabs."""
    results = [one.result for one in measured if one.result is not None]
    columns = ("measure", "value", "low", "high", "observed", "expected", "annotators", "documents", "units")
    rows = []
    for result in results:
        interval = getattr(result, "interval", None)
        limits = (None, None) if interval is None else (interval.low, interval.high)
        observed, expected = (getattr(result, name, None) for name in ("observed", "expected"))
        counts = (result.n_annotators, n_documents(result), result.n_units)
        rows.append((result.measure, result.value, *limits, observed, expected, *counts))
    signatures = "\n".join(f"% {result.signature}" for result in results)
    table = latex_table("Agreement of the annotators, with its interval.", Table(columns, rows))
    return f"% needs \\usepackage{{booktabs}}\n{signatures}\n{table}\n"


def bibtex(measured: Sequence[Measured]) -> str:
    """Give the BibTeX entries of the measures' papers, and of this program."""
    text = files("unisono.report.full").joinpath("assets", "references.bib").read_text(encoding="utf-8")
    entries = {key: entry for entry in text.split("\n\n") for key in re.findall(r"^@\w+\{(\w+),", entry)}
    wanted = [key for one in measured if one.result is not None for key in _PAPERS.get(one.result.measure, ())]
    found = [entries[key].strip() for key in dict.fromkeys([*wanted, "unisono"])]
    return "\n\n".join(found).replace("{VERSION}", f"{{{__version__}}}") + "\n"


def n_documents(result: Result) -> int:
    """Give the number of documents of a result."""
    return len(result.data.documents) if hasattr(result, "data") else 0


def _sentence(result: Result) -> str:
    declaration = declared(result.measure)
    who = (
        f"{counted(result.n_annotators, 'annotator')} on {counted(n_documents(result), 'document')} "
        f"({counted(result.n_units, result.unit)})"
    )
    how = [declaration.reference]
    if isinstance(result, DisorderResult):
        how += [f"{name} = {value}" for name, value in result.parameters.items() if name not in ("chance", "precision")]
        sampled = f", {counted(result.n_samples, 'random sample')}, seed {result.seed}" if result.n_samples else ""
        how.append(f"chance model {result.chance}{sampled}")
    how.append(f"unisono {__version__}")
    return f"The agreement of {who} was measured with {result.symbol} ({'; '.join(how)}): {_value(result)}."


def _value(result: Result) -> str:
    if result.value is None or not is_finite(result.value):
        return f"it is undefined, because {result.undefined}"
    value = f"{result.symbol} = {fixed(result.value)}"
    interval = getattr(result, "interval", None)
    if interval is None:
        return value
    level = f"{interval.level:.0%}".replace("%", " %")
    return f"{value} ({level} interval {fixed(interval.low)} to {fixed(interval.high)}, {interval.method})"
