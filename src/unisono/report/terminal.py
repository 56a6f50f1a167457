"""Results as tables that fit a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from unisono.measures.gamma_document import DocumentResult
from unisono.measures.gamma_result import GammaResult

_MOST_ROWS = 12
_BARS = "▁▂▃▄▅▆▇█"


def show(
    console: Console,
    result: GammaResult,
    *,
    without: Sequence[dict[str, Any]] = (),
    pairs: Sequence[dict[str, Any]] = (),
    groups: Sequence[dict[str, Any]] = (),
    hints: Sequence[str] = (),
) -> None:
    """Print a result.

    Parameters
    ----------
    console : Console
        Where to.
    result : GammaResult
        What.
    without, pairs, groups : sequence of dict
        γ without each annotator, of pairs and of groups of annotators, as the result gives them.
    hints : sequence of str
        What one could do next.
    """
    console.print(_title(result))
    console.print()
    console.print(Padding(_headline(result), (0, 0, 0, 2), expand=False))
    tables = [
        _documents(result),
        _annotators(without),
        _rows("pair", [(f"{r['annotator_1']} – {r['annotator_2']}", r["value"], r["n_units"]) for r in pairs]),
        _rows("group", [(row["group"], row["value"], row["n_units"]) for row in groups]),
        _categories(result),
    ]
    for table in tables:
        if table is not None:
            console.print()
            console.print(Padding(table, (0, 0, 0, 2), expand=False))
    console.print()
    for line in [*_disagreement(result), *(f"Note: {note}." for note in result.notes), *hints]:
        console.print(Padding(Text(line), (0, 0, 0, 2), expand=False))
    console.print(Text("  " + result.signature, style="dim"), soft_wrap=True)


def number(value: float | None, digits: int = 2) -> str:
    """Write a number for people; a dash where there is none."""
    return "–" if value is None else f"{value:.{digits}f}".replace("-", "−")


def _title(result: GammaResult) -> Text:
    counts = (
        f"γ of {_plural(result.n_annotators, 'annotator')} on {_plural(result.n_documents, 'document')}, "
        f"{_plural(result.n_units, 'unit')}"
    )
    return Text.assemble((counts, "bold"), ("   " + result.corpus.source if result.corpus.source else "", "dim"))


def _headline(result: GammaResult) -> RenderableType:
    table = Table.grid(padding=(0, 3))
    table.add_row("γ", Text(number(result.value, 3), style="bold"), _value_remark(result))
    if result.observed is not None:
        gap = result.optimality_gap
        proof = "alignment proven optimal" if not gap else f"alignment at most {gap:.2%} from the optimum, proven"
        table.add_row("observed", number(result.observed, 3), proof)
    if result.expected is not None:
        samples = f"{_plural(result.n_samples, 'sample')} of chance ({result.chance})"
        error = f"± {number(result.expected_error, 3)} standard error, {samples}"
        table.add_row("expected", number(result.expected, 3), error)
    if result.gamma_cat is not None:
        table.add_row("γ_cat", number(result.gamma_cat, 3), "agreement on categories, given the alignment")
    if result.n_documents > 1 and result.mean is not None:
        table.add_row("mean γ", number(result.mean, 3), "mean over documents")
    return table


def _value_remark(result: GammaResult) -> str:
    if result.undefined is not None:
        return f"undefined: {result.undefined}"
    if result.interval is None:
        return "too little data for an interval"
    interval = result.interval
    return f"{interval.level:.0%} interval {number(interval.low)} to {number(interval.high)} ({interval.method})"


def _documents(result: GammaResult) -> Table | None:
    if result.n_documents < 2:
        return None
    ranked = sorted(result.documents, key=_by_value)
    table = _table(
        "document", ("γ", "right"), ("", "left"), ("observed", "right"), ("expected", "right"), ("units", "right")
    )
    for document in ranked[:_MOST_ROWS]:
        units = document.to_dict()["n_units"]
        value = Text(number(document.value))
        bar = _bar(document.value)
        table.add_row(document.document, value, bar, number(document.observed), number(document.expected), f"{units:,}")
    if len(ranked) > _MOST_ROWS:
        table.add_row(Text(f"… and {len(ranked) - _MOST_ROWS} more, all in --json", style="dim"), "", "", "", "", "")
    return table


def _annotators(without: Sequence[dict[str, Any]]) -> Table | None:
    """Put the one without whom the others agree best first."""
    rows = [(row["annotator"], row["value_without"], row["n_units"]) for row in without]
    return _rows("annotator", sorted(rows, key=lambda row: (row[1] is None, -(row[1] or 0.0))), "γ without")


def _by_value(document: DocumentResult) -> tuple[bool, float]:
    return document.value is None, document.value or 0.0


def _categories(result: GammaResult) -> Table | None:
    rows = [(str(row["category"]), row["value"], row["n_units"]) for row in result.categories()]
    if len(rows) < 2:
        return None
    return _rows("category", sorted(rows, key=lambda row: (row[1] is None, row[1] or 0.0)), "γ_k")


def _rows(what: str, rows: Sequence[tuple[str, float | None, int]], value: str = "γ") -> Table | None:
    if not rows:
        return None
    table = _table(what, (value, "right"), ("", "left"), ("units", "right"))
    for name, number_, units in rows[:_MOST_ROWS]:
        table.add_row(name, number(number_), _bar(number_), f"{units:,}")
    if len(rows) > _MOST_ROWS:
        table.add_row(Text(f"… and {len(rows) - _MOST_ROWS} more, all in --json", style="dim"), "", "", "")
    return table


def _table(what: str, *columns: tuple[str, Any]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column(what, overflow="ellipsis", no_wrap=True, max_width=40)
    for title, justify in columns:
        table.add_column(title, justify=justify, overflow="ellipsis", no_wrap=True)
    return table


def _bar(value: float | None) -> Text:
    if value is None:
        return Text("")
    return Text(_BARS[min(max(int(value * len(_BARS)), 0), len(_BARS) - 1)])


def _disagreement(result: GammaResult) -> list[str]:
    parts = sorted(result.disagreement.items(), key=lambda part: -part[1])
    words = {"position": "boundaries", "category": "categories", "missing": "missing units"}
    if not any(share for _, share in parts):
        return []
    return [
        "Disorder comes from "
        + ", ".join(f"{words.get(kind, kind)} ({share:.0%})" for kind, share in parts if share)
        + "."
    ]


def _plural(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
