"""Whether a result's table stands in an order that can be named."""

from __future__ import annotations

from unisono.measurement.registry import declared
from unisono.results import Result, Table


def is_worst_first(table: Table, result: Result) -> bool:
    """Tell whether the second column holds values of the measure, or agreement, from the worst to the best."""
    name = str(table.columns[1]) if len(table.columns) > 1 else ""
    own = name.partition("_")[0] == result.symbol.partition("_")[0]
    cells = [row[1] for row in table.rows] if own or name == "agreement" else []
    values = [cell for cell in cells if isinstance(cell, float)]
    falls = own and declared(result.measure).scale != "agreement"
    return (
        len(set(values)) > 1
        and cells == values + [None] * (len(cells) - len(values))
        and values == sorted(values, reverse=falls)
    )
