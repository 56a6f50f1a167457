"""What goes into the paper: sentences on the method, a table, and what to cite."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from unisono.errors import plural
from unisono.measurement.bibliography import bibliography
from unisono.measurement.completing import Measured
from unisono.measurement.coverage import Coverage, coverage_of
from unisono.measurement.registry import declared
from unisono.reporting.cards import value_and_interval
from unisono.reporting.exported import latex_table
from unisono.reporting.full_report.hidden_text import LEFT_OUT, NOT_SHOWN, SHOWN, Names
from unisono.reporting.markup import enumerated, is_finite
from unisono.reporting.measure_names import signed_parameters
from unisono.reporting.shown_tables import zero_is_perfect
from unisono.results import Result, Table
from unisono.version import __version__

_IN_OTHER_WORDS = ("chance", "precision", "n", "seed", "prepared")
"""Parameters that a sentence mentions in other words."""
_STEPS = {
    "annotators": "keeping annotator{s} {}",
    "documents": "keeping document{s} {}",
    "layer": "keeping units of layer{s} {}",
    "layers": "keeping units of layer{s} {}",
    "features": "keeping feature{s} {}",
    "clean": "cleaning labels ({})",
    "missing": "treating label{s} {} as missing",
    "join": "joining features {} into one category",
    "where": "keeping units where {}",
    "positions": "counting positions in {}",
    "adjacent": "merging adjacent units with the same labels",
    "converted": "converting units to {}",
    "columns": "reading columns {}",
    "options": "reading with {}",
    "continuum": "setting the continuum to {}",
    "discontinuous": "reading discontinuous units as {}",
    "worked": "using a table of who worked on which document",
}
"""How steps of the preparation are written, with their values."""
_WHOLE_STEPS = {
    ("discontinuous", "drop"): "leaving out discontinuous units",
    ("discontinuous", "main"): "reading only the main piece of discontinuous units",
}
_NOT_NAMES = ("where", "positions", "converted", "columns", "options", "continuum", "discontinuous", "worked")
"""Steps whose values are not lists of names."""
_SOME = re.compile(r"(\d+ of \d+) \(\w+\)")
"""How many annotators or documents were kept, if they are too many to list."""


def methods(measured: Sequence[Measured], names: Names) -> str:
    """Write what was measured and how, one sentence per measure."""
    return " ".join(_sentence(one.result, names) for one in measured if one.result is not None)


def measures_table(measured: Sequence[Measured], names: Names = SHOWN) -> str:
    """Return the values of all measures as a LaTeX table, for the package booktabs."""
    written = [one.measure for one in measured if one.result is not None]
    results = [one.result for one in measured if one.result is not None]
    covered = [coverage_of(result) for result in results]
    counts = [name for name in ("documents", "items") if _is_telling(name, covered)]
    unit = "/".join(dict.fromkeys(f"{result.unit}s" for result in results))
    columns = ("measure", "value", *_limits(results), "observed", "expected", "annotators", *counts, unit)
    rows = []
    for name, result, coverage in zip(written, results, covered, strict=True):
        interval = result.interval
        limits = (None, None) if interval is None else (interval.low, interval.high)
        numbers = (result.n_annotators, *(getattr(coverage, what) for what in counts), coverage.units)
        rows.append((name, result.value, *limits, result.observed, result.expected, *numbers))
    signatures = "\n".join(f"% {names.signature(result.signature)}" for result in results)
    table = latex_table(_caption(results), Table(columns, rows))
    return f"% needs \\usepackage{{booktabs}}\n{signatures}\n{table}\n"


def bibtex(measured: Sequence[Measured]) -> str:
    """Return the BibTeX entries of the measures' papers, and of this program."""
    results = [one.result for one in measured if one.result is not None]
    return bibliography(key for result in results for key in declared(result.measure).papers)


def preparation_clause(steps: Sequence[tuple[str, str]], names: Names) -> str:
    """Write the steps by which the data was prepared as the beginning of a sentence; nothing if there were none."""
    return f"after {enumerated([_step(name, value, names) for name, value in steps])}" if steps else ""


def _step(name: str, value: str, names: Names) -> str:
    if (name, value) in _WHOLE_STEPS:
        return _WHOLE_STEPS[name, value]
    if some := _SOME.fullmatch(value):
        return f"keeping {some[1]} {name}"
    if names.value(name, value) == NOT_SHOWN:
        return f"applying {name} ({NOT_SHOWN})"
    parts = [value] if name in _NOT_NAMES else [part.strip() for part in value.split(",")]
    written = _STEPS.get(name, f"setting {name} to {{}}")
    return written.format(enumerated(parts), s="s" if len(parts) > 1 else "")


def _is_telling(name: str, covered: Sequence[Coverage]) -> bool:
    """Whether a number of documents or items says something: of items in one document, only theirs does."""
    rated = any(counts.items is not None for counts in covered)
    return rated if name == "items" else not rated or any(counts.documents_read > 1 for counts in covered)


def _limits(results: Sequence[Result]) -> tuple[str, str]:
    """Name the columns of the intervals, with their level if all have the same."""
    levels = {result.interval.level for result in results if result.interval is not None}
    return (f"{levels.pop():.0%} from" if len(levels) == 1 else "from"), "to"


def _caption(results: Sequence[Result]) -> str:
    errors = list(dict.fromkeys(result.symbol for result in results if zero_is_perfect(result)))
    direction = f" For {enumerated(errors)}, 0 is perfect agreement." if errors else ""
    return f"Agreement of the annotators, with its interval.{direction}"


def _sentence(result: Result, names: Names) -> str:
    who = f"{plural(result.n_annotators, 'annotator')} on {coverage_of(result).in_words(result.unit)}"
    parameters = {name: names.value(name, value) for name, value in signed_parameters(result).items()}
    given = [f"{name} = {value}" for name, value in parameters.items() if name not in _IN_OTHER_WORDS]
    how = [declared(result.measure).reference, *given, *_chance(result), f"unisono {__version__}"]
    what = "disagreement" if zero_is_perfect(result) else "agreement"
    clause = preparation_clause(result.preparation, names)
    subject = f"{clause[:1].upper()}{clause[1:]}, the" if clause else "The"
    value = _value(result, names)
    return f"{subject} {what} of {who} was measured with {result.symbol} ({'; '.join(how)}): {value}."


def _chance(result: Any) -> list[str]:
    """Name the chance model, if the measure has one."""
    if not (model := getattr(result, "chance", None)):
        return []
    samples = f", {plural(result.n_samples, 'random sample')}, seed {result.seed}" if result.n_samples else ""
    return [f"chance model {model}{samples}"]


def _value(result: Result, names: Names) -> str:
    if not is_finite(result.value):
        reason = names.sentence(result.undefined or "")
        return "it is undefined" if reason == LEFT_OUT else f"it is undefined because {reason}"
    value, interval = value_and_interval(result.value, result.interval)
    perfect = ", where 0 is perfect" if zero_is_perfect(result) else ""
    return f"{result.symbol} = {value}{f' ({interval})' if interval else ''}{perfect}"
