"""Results as tables for spreadsheets and papers: CSV with all digits, LaTeX as it is printed."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from typing import Any

from unisono.reporting.subsets import subset_tables
from unisono.results import NOTHING, Captioned, PValue, Result, Table

_ESCAPED = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "∅": r"$\emptyset$",
    "–": "--",
    "→": r"$\rightarrow$",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}
_GREEK = {"α": "alpha", "β": "beta", "γ": "gamma", "κ": "kappa", "π": "pi"}
_SYMBOL = re.compile(rf"(A|[{''.join(_GREEK)}])_(\w+)|([{''.join(_GREEK)}])")


def as_csv(
    result: Result,
    *,
    without: Sequence[dict[str, Any]] = (),
    pairs: Sequence[dict[str, Any]] = (),
    groups: Sequence[dict[str, Any]] = (),
) -> str:
    """Give the headline and all tables of a result as CSV, with an empty line between them.

    Parameters
    ----------
    result : Result
        What was measured.
    without, pairs, groups : sequence of dict
        The value without each annotator, of pairs and of groups of annotators, as the result gives them.
    """
    return csv_tables([Captioned("", table) for table in _tables(result, without, pairs, groups)])


def csv_tables(tables: Sequence[Captioned], sentences: Sequence[str] = ()) -> str:
    """Give tables as CSV, each with its caption above if it has one, and an empty line between them."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    for index, (caption, table, _) in enumerate(tables):
        if index:
            stream.write("\n")
        if caption:
            writer.writerow([caption])
        writer.writerow(table.columns)
        writer.writerows([_exact(cell) for cell in row] for row in table.rows)
    if sentences:
        stream.write("\n")
        writer.writerows([sentence] for sentence in sentences)
    return stream.getvalue()


def as_latex(
    result: Result,
    *,
    without: Sequence[dict[str, Any]] = (),
    pairs: Sequence[dict[str, Any]] = (),
    groups: Sequence[dict[str, Any]] = (),
) -> str:
    """Give the headline and all tables of a result as LaTeX, for the package booktabs.

    Parameters
    ----------
    result, without, pairs, groups
        As in `as_csv`.
    """
    pieces = [f"% {result.signature}\n% needs \\usepackage{{booktabs}}"]
    for index, table in enumerate(_tables(result, without, pairs, groups)):
        name = _rounded_name if index else _heading  # the headline has symbols for names
        rows = table.rows if index else table.rows[:-1]  # its last line is the signature, which is above
        words = [not _is_numeric(table, column) for column in range(len(table.columns))]
        lines = [
            rf"\begin{{tabular}}{{{''.join('l' if left else 'r' for left in words)}}}",
            r"\toprule",
            " & ".join(_heading(str(name)) for name in table.columns) + r" \\",
            r"\midrule",
            *(" & ".join([name(row[0]), *(_rounded(cell, table.digits) for cell in row[1:])]) + r" \\" for row in rows),
            r"\bottomrule",
            r"\end{tabular}",
        ]
        pieces.append("\n".join(lines))
    return "\n\n".join(pieces) + "\n"


def latex_tables(tables: Sequence[Captioned], sentences: Sequence[str] = ()) -> str:
    """Give tables as LaTeX, and the sentences as comments below them."""
    pieces = ["% needs \\usepackage{booktabs}", *(latex_table(*table) for table in tables)]
    return "\n\n".join(pieces) + "\n" + "".join(f"\n% {sentence}" for sentence in sentences) + "\n" * bool(sentences)


def latex_table(caption: str, table: Table, n_summary: int = 0) -> str:
    """Give a table as LaTeX with its caption, empty where there is no value, and a line before what sums it up."""
    body = [
        " & ".join([_heading(str(row[0])), *("" if cell is None else _rounded(cell, table.digits) for cell in row[1:])])
        + r" \\"
        for row in table.rows
    ]
    if n_summary:
        body.insert(len(body) - n_summary, r"\midrule")
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            rf"\begin{{tabular}}{{l{'r' * (len(table.columns) - 1)}}}",
            r"\toprule",
            " & ".join(_heading(str(name)) for name in table.columns) + r" \\",
            r"\midrule",
            *body,
            r"\bottomrule",
            r"\end{tabular}",
            rf"\caption{{{_heading(caption)}}}",
            r"\end{table}",
        ]
    )


def _tables(result: Result, *subsets: Sequence[dict[str, Any]]) -> list[Table]:
    rows = [(line.name, line.value, line.remark) for line in result.headline()]
    headline = Table((result.measure, "value", "remark"), [*rows, ("signature", None, result.signature)], digits=4)
    found = [headline, *result.tables(), *subset_tables(result.symbol, f"{result.unit}s", *subsets)]
    return [table for table in found if table.rows]


def _exact(cell: Any) -> Any:
    if isinstance(cell, tuple):
        return "|".join(map(str, cell))
    if cell == NOTHING:
        return None
    return f"{cell:.12g}" if isinstance(cell, float) else cell


def _is_numeric(table: Table, column: int) -> bool:
    cells = [row[column] for row in table.rows]
    return column > 0 and all(cell is None or isinstance(cell, int | float) for cell in cells)


def _heading(name: str) -> str:
    """Write a column's name, with Greek letters and subscripts as formulas."""
    if not any(letter in name for letter in (*_GREEK, "A_o", "A_e")):
        return _words(name)
    place, parts = 0, []
    for found in _SYMBOL.finditer(name):
        parts += [_words(name[place : found.start()]), _formula(*found.groups())]
        place = found.end()
    return "".join([*parts, _words(name[place:])])


def _formula(letter: str | None, index: str | None, alone: str | None) -> str:
    sign = letter or alone or ""
    symbol = "\\" + _GREEK[sign] if sign in _GREEK else sign
    if index is None:
        return f"${symbol}$"
    below = index if len(index) == 1 else rf"\mathrm{{{index}}}"
    return f"${symbol}_{{{below}}}$"


def _rounded(cell: Any, digits: int) -> str:
    if cell is None:
        return "--"
    if isinstance(cell, PValue):
        return cell.spelled(digits).replace("<", "$<$")
    if isinstance(cell, float):
        return f"{cell:.{digits}f}".replace("-", "$-$")
    return f"{cell:,}" if isinstance(cell, int) and not isinstance(cell, bool) else _words(str(_exact(cell)))


def _rounded_name(cell: Any) -> str:
    return _rounded(cell, 2)


def _words(text: str) -> str:
    return "".join(_ESCAPED.get(sign, sign) for sign in text)
