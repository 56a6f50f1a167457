"""Results as tables for spreadsheets and papers: CSV with all digits, LaTeX as it is printed."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Any

from unisono.formats.spreadsheets import protected
from unisono.reporting.shown_tables import ShownTable, shown_table, subset_tables
from unisono.results import NOTHING, Captioned, Result, Table

_ESCAPED = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "∅": r"$\emptyset$",
    "–": "--",
    "−": "$-$",
    "→": r"$\rightarrow$",
    **{sign: f"${sign}$" for sign in "<>|"},
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}
_GREEK = {"α": "alpha", "β": "beta", "γ": "gamma", "κ": "kappa", "π": "pi"}
_SYMBOL = re.compile(rf"(?<!\w)(A)_([oe])\b|([{''.join(_GREEK)}])(?:_(\w+))?")


def as_csv(result: Result, *, safe: bool = False, **subsets: Sequence[dict[str, Any]]) -> str:
    """Return the headline and all tables of a result as CSV, with an empty line between them; see `subset_tables`."""
    return csv_tables([Captioned("", table) for table in _tables(result, subsets)], safe=safe)


def csv_tables(tables: Sequence[Captioned], sentences: Sequence[str] = (), *, safe: bool = False) -> str:
    """Return tables as CSV, each with its caption above if it has one, and an empty line between them."""
    blocks = [
        [*([[caption]] if caption else []), table.columns, *map(_known, table.rows)] for caption, table, _ in tables
    ]
    blocks += [[[sentence] for sentence in sentences]] if sentences else []
    return "\n".join(csv_text(block, safe=safe) for block in blocks)


def csv_text(rows: Iterable[Sequence[Any]], delimiter: str = ",", *, safe: bool = False) -> str:
    """Write rows as delimited text, numbers with all digits and missing ones as empty cells.

    If it is to be safe, cells that spreadsheets would take for formulas are protected.
    """
    stream = io.StringIO()
    cells = ([_exact(cell) for cell in row] for row in rows)
    if safe:
        cells = ([protected(cell) if isinstance(cell, str) else cell for cell in row] for row in cells)
    csv.writer(stream, delimiter=delimiter, lineterminator="\n").writerows(cells)
    return stream.getvalue()


def as_latex(result: Result, **subsets: Sequence[dict[str, Any]]) -> str:
    """Return the headline and all tables of a result as LaTeX, for the package booktabs; see `subset_tables`."""
    headline, *others = _tables(result, subsets)
    headline = headline._replace(rows=headline.rows[:-1])  # its last row is the signature, which is above
    tables = [_tabular(shown_table(table)) for table in (headline, *others)]
    return "\n\n".join([f"% {result.signature}\n{_NEEDED}", *tables]) + "\n"


def latex_tables(tables: Sequence[Captioned], sentences: Sequence[str] = ()) -> str:
    """Return tables as LaTeX, and the sentences as comments below them."""
    pieces = [_NEEDED, *(latex_table(*table) for table in tables)]
    return "\n\n".join(pieces) + "\n" + "".join(f"\n% {sentence}" for sentence in sentences) + "\n" * bool(sentences)


def latex_table(caption: str, table: Table, n_summary: int = 0) -> str:
    """Return a table as LaTeX with its caption, and a line above the rows that sum it up."""
    shown = shown_table(table, n_summary=n_summary, missing="")
    lines = [r"\begin{table}", r"\centering", _tabular(shown), rf"\caption{{{_latex(caption)}}}", r"\end{table}"]
    return "\n".join(lines)


_NEEDED = r"% needs \usepackage{booktabs}"


def _tables(result: Result, subsets: dict[str, Sequence[dict[str, Any]]]) -> list[Table]:
    """Return the headline and all tables that have rows."""
    rows = [(line.name, line.value, line.remark) for line in result.headline()]
    headline = Table((result.measure, "value", "remark"), [*rows, ("signature", None, result.signature)], digits=4)
    return [headline, *(table for table in result.tables() if table.rows), *subset_tables(result, **subsets)]


def _known(row: Sequence[Any]) -> list[Any]:
    """Replace the sign for nothing, which is for people, by an empty cell."""
    return [row[0], *(None if cell == NOTHING else cell for cell in row[1:])]


def _exact(cell: Any) -> Any:
    if isinstance(cell, tuple):
        return "|".join(map(str, cell)) or "|"
    return f"{cell:.12g}" if isinstance(cell, float) else cell


def _tabular(table: ShownTable) -> str:
    rows = [" & ".join(_latex(cell.text) for cell in row) + r" \\" for row in table.rows]
    if table.n_summary:
        rows.insert(len(rows) - table.n_summary, r"\midrule")
    return "\n".join(
        [
            rf"\begin{{tabular}}{{{''.join('r' if numeric else 'l' for numeric in table.numeric)}}}",
            r"\toprule",
            " & ".join(map(_latex, table.columns)) + r" \\",
            r"\midrule",
            *rows,
            r"\bottomrule",
            r"\end{tabular}",
        ]
    )


def _latex(text: str) -> str:
    """Escape text, and write Greek letters and subscripts as formulas."""
    place, parts = 0, []
    for found in _SYMBOL.finditer(text):
        parts += [_words(text[place : found.start()]), _formula(found[1] or found[3], found[2] or found[4])]
        place = found.end()
    return "".join([*parts, _words(text[place:])])


def _formula(sign: str, index: str | None) -> str:
    symbol = "\\" + _GREEK[sign] if sign in _GREEK else sign
    if index is None:
        return f"${symbol}$"
    below = index if len(index) == 1 else rf"\mathrm{{{index}}}"
    return f"${symbol}_{{{below}}}$"


def _words(text: str) -> str:
    return "".join(_ESCAPED.get(sign, sign) for sign in text)
