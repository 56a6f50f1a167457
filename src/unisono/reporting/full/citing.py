"""What goes into the paper: a sentence on the method, a table, and whom to cite."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.resources import files

from unisono.errors import plural
from unisono.measurement.disorder.result import DisorderResult
from unisono.measurement.registry import declared
from unisono.reporting.exported import latex_table
from unisono.reporting.full.counting import Counts, counts_of
from unisono.reporting.full.hiding import LEFT_OUT, Names
from unisono.reporting.full.measured import Measured
from unisono.reporting.full.naming import parameters
from unisono.reporting.full.values import zero_is_perfect
from unisono.reporting.markup import fixed, is_finite, listed
from unisono.results import Result, Table
from unisono.version import __version__

_SAID = ("chance", "precision", "n", "seed")
"""Parameters that a sentence says in other words."""


def methods(measured: Sequence[Measured], names: Names) -> str:
    """Say what was measured and how, one sentence a measure."""
    return " ".join(_sentence(one.result, names) for one in measured if one.result is not None)


def latex(measured: Sequence[Measured]) -> str:
    """Give the values of all measures as a table for the package booktabs."""
    results = [(one.measure, one.result) for one in measured if one.result is not None]
    counted = [counts_of(result) for _, result in results]
    names = [name for name in ("documents", "items") if _tells(name, counted)]
    columns = ("measure", "value", *_limits(results), "observed", "expected", "annotators", *names, _units(results))
    rows = []
    for (name, result), counts in zip(results, counted, strict=True):
        interval = result.interval
        rows.append(
            (
                name,
                result.value,
                *((None, None) if interval is None else (interval.low, interval.high)),
                result.observed,
                result.expected,
                result.n_annotators,
                *(getattr(counts, what) for what in names),
                counts.units,
            )
        )
    signatures = "\n".join(f"% {result.signature}" for _, result in results)
    table = latex_table(_caption([result for _, result in results]), Table(columns, rows))
    return f"% needs \\usepackage{{booktabs}}\n{signatures}\n{table}\n"


def bibtex(measured: Sequence[Measured]) -> str:
    """Give the BibTeX entries of the measures' papers, and of this program."""
    text = files("unisono.reporting.full").joinpath("assets", "references.bib").read_text(encoding="utf-8")
    entries = {key: entry for entry in text.split("\n\n") for key in re.findall(r"^@\w+\{(\w+),", entry)}
    wanted = [key for one in measured if one.result is not None for key in declared(one.result.measure).papers]
    found = [entries[key].strip() for key in dict.fromkeys([*wanted, "unisono"])]
    return "\n\n".join(found).replace("{VERSION}", f"{{{__version__}}}") + "\n"


def _tells(name: str, counted: Sequence[Counts]) -> bool:
    """Tell whether a number of documents or items says something: of items in one document, only theirs does."""
    rated = any(counts.items is not None for counts in counted)
    return rated if name == "items" else not rated or any(counts.documents_read > 1 for counts in counted)


def _limits(results: Sequence[tuple[str, Result]]) -> tuple[str, str]:
    """Name the columns of the intervals, with their level if all have the same."""
    levels = {result.interval.level for _, result in results if result.interval is not None}
    return (f"{levels.pop():.0%} from".replace("%", " %") if len(levels) == 1 else "from"), "to"


def _units(results: Sequence[tuple[str, Result]]) -> str:
    """Name the column of what is counted, by the measures' own words."""
    return "/".join(dict.fromkeys(f"{result.unit}s" for _, result in results))


def _caption(results: Sequence[Result]) -> str:
    errors = list(dict.fromkeys(result.symbol for result in results if zero_is_perfect(result)))
    said = f" Of {listed(errors)}, 0 is perfect agreement." if errors else ""
    return f"Agreement of the annotators, with its interval.{said}"


def _sentence(result: Result, names: Names) -> str:
    who = f"{plural(result.n_annotators, 'annotator')} on {counts_of(result).said(result.unit)}"
    how = [
        declared(result.measure).reference,
        *(f"{name} = {value}" for name, value in parameters(result).items() if name not in _SAID),
    ]
    if isinstance(result, DisorderResult):
        sampled = f", {plural(result.n_samples, 'random sample')}, seed {result.seed}" if result.n_samples else ""
        how.append(f"chance model {result.chance}{sampled}")
    how.append(f"unisono {__version__}")
    what = "disagreement" if zero_is_perfect(result) else "agreement"
    return f"The {what} of {who} was measured with {result.symbol} ({'; '.join(how)}): {_value(result, names)}."


def _value(result: Result, names: Names) -> str:
    if result.value is None or not is_finite(result.value):
        reason = names.sentence(result.undefined or "")
        return "it is undefined" if reason == LEFT_OUT else f"it is undefined, because {reason}"
    value = f"{result.symbol} = {fixed(result.value)}"
    interval = result.interval
    perfect = ", where 0 is perfect" if zero_is_perfect(result) else ""
    if interval is None:
        return f"{value}{perfect}"
    level = f"{interval.level:.0%}".replace("%", " %")
    return f"{value} ({level} interval {fixed(interval.low)} to {fixed(interval.high)}, {interval.method}){perfect}"
