"""Bad rows of a table are skipped, all at once.

A row is compared only with rows above it that are good: what repeats a bad row repeats nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any

from unisono.errors import mention
from unisono.formats.columns import NORMALIZATIONS_LONG, NORMALIZATIONS_WIDE, RATINGS_LONG, UNITS
from unisono.formats.files import Bad
from unisono.formats.normalizations import TOKEN_TWICE
from unisono.formats.ratings import ITEM_TWICE
from unisono.formats.table import RawTable, Wrong, wrong_orders, wrong_places

_NAMES = ("document", "annotator", "item", "token")


def sifted(table: RawTable, bad: Bad) -> RawTable:
    """Return the table without the rows that cannot be read; `bad` takes their errors."""
    checks: list[Callable[[RawTable], Iterator[Wrong]]] = [_unreadable, _repeated]
    for check in [*checks, _different] if table.kind is NORMALIZATIONS_LONG else checks:
        wrong: dict[int, str] = {}
        for row, message in check(table):
            wrong.setdefault(row, message)
        for row, message in sorted(wrong.items()):
            bad(table.fail(row, message))
        table = table.without(wrong)
    return table


def _unreadable(table: RawTable) -> Iterator[Wrong]:
    """Iterate over rows that are bad whatever the other rows are."""
    for name in _NAMES:
        if name in table.others and name in table.kind.columns:
            yield from table.wrong_names(name)
    if table.kind in (NORMALIZATIONS_LONG, NORMALIZATIONS_WIDE):
        for row, original in enumerate(table.others["original"]):
            if _is_blank(original):
                yield row, "the original is missing; fill it in, or remove the row"
        return
    labelled = {one.column for one in table.asked}
    for name in table.others:
        if name in labelled if table.kind is RATINGS_LONG else name not in _NAMES:
            yield from table.wrong_labels(name)
    if table.kind is UNITS:
        yield from wrong_places(table)
        yield from wrong_orders(table)


def _repeated(table: RawTable) -> Iterator[Wrong]:
    """Iterate over rows that say again what a row above says."""
    documents = table.documents(table.n_rows)
    if table.kind is RATINGS_LONG:
        yield from _again(
            table,
            list(zip(documents, table.names("item"), table.names("annotator"), strict=True)),
            lambda key: (
                f"the annotator {key[2]!r} labels the item {key[1]!r} a second time; remove one, or distinguish "
                "items of different documents by a column document, and runs of a model by "
                f"{mention('columns', {'run': 'NAME'})}"
            ),
        )
    elif table.kind is NORMALIZATIONS_LONG:
        yield from _again(
            table,
            list(zip(documents, _tokens(table), table.names("annotator"), strict=True)),
            lambda key: (
                f"the annotator {key[2]!r} normalizes the token {key[1]} a second time; remove one, or "
                "distinguish documents by a column document"
            ),
        )
    elif table.kind is NORMALIZATIONS_WIDE and "token" in table.others:
        yield from table.wrong_repeated("token", documents, TOKEN_TWICE)
    elif "item" in table.others and table.kind is not UNITS:
        yield from table.wrong_repeated("item", documents, ITEM_TWICE)


def _again(table: RawTable, keys: Sequence[Any], message: Callable[[Any], str]) -> Iterator[Wrong]:
    seen: dict[Hashable, int] = {}
    for row, key in enumerate(keys):
        first = seen.setdefault(key, row)
        if first != row:
            yield row, f"{message(key)} (the first is {table.where(first)})"


def _different(table: RawTable) -> Iterator[Wrong]:
    """Iterate over rows of a token that is another in its first row."""
    places = list(zip(table.documents(table.n_rows), _tokens(table), strict=True))
    for name in ("original", "sentence"):
        first: dict[Hashable, Any] = {}
        for row, (place, value) in enumerate(zip(places, table.others.get(name, ()), strict=False)):
            value = value.strip() if isinstance(value, str) else value
            if (one := first.setdefault(place, value)) != value:
                yield (
                    row,
                    f"the token {place[1]} has the {name} {value!r} here and {one!r} elsewhere; number tokens so that "
                    "each has a unique number in its document",
                )


def _tokens(table: RawTable) -> Sequence[Any]:
    """Return the tokens of rows: numbers if all are."""
    names = table.names("token")
    whole = all(name.strip().isdecimal() for name in names)
    return [int(name) for name in names] if whole else names


def _is_blank(value: Any) -> bool:
    return value is None or value != value or (isinstance(value, str) and not value.strip())
