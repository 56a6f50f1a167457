"""Reading verdicts on the outputs of systems from files and data frames."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from unisono.data.verdicts import Verdicts, joined_verdicts
from unisono.errors import DataError, OptionError, listed, mention
from unisono.formats.archives import unpacked
from unisono.formats.arguments import check_paths, check_words
from unisono.formats.columns import VERDICTS
from unisono.formats.finding import find_annotations
from unisono.formats.format import Instructions
from unisono.formats.frames import known_frame, table_from
from unisono.formats.hugging_face import is_dataset
from unisono.formats.reading import explaining_file, instructions_of
from unisono.formats.recognition import RawColumns
from unisono.formats.registry import by_name
from unisono.formats.table import RawTable
from unisono.formats.verdict_columns import ROLES, criterion_of, verdict_roles
from unisono.formats.verdict_tables import no_verdicts, verdicts_of

_EXPECTED = "expected a path, several paths or a data frame with verdicts of judges"


def as_verdicts(
    given: Any,
    layer: str | None = None,
    *,
    columns: Mapping[str, str] | None = None,
    format: str | None = None,  # noqa: A002
    delimiter: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    sheet: str | int | None = None,
) -> Verdicts:
    """Read the verdicts in files or a data frame; `layer` is the criterion, if outputs have several scores."""
    if isinstance(given, Verdicts):
        return given
    instructions = instructions_of(
        columns=columns,
        delimiter=delimiter,
        encoding=encoding,
        decimal=decimal,
        sheet=sheet,
        options=None,
        annotator_from=None,
        discontinuous="whole",
        units=None,
    )
    check_words(columns, "columns", {"judge": "annotator"})
    paths = _paths(given)
    if paths is None:
        if not hasattr(type(given), "columns") and not is_dataset(given):
            raise OptionError(_EXPECTED, "data")
        known_frame(given, "data")
        table = table_from(given, instructions.columns, [VERDICTS], _fail)
        return _chosen([_verdicts(table, instructions.columns)], layer, "data frame")
    tables = _tables(paths, format, instructions)
    return _chosen(tables, layer, ", ".join(Path(path).name for path in paths[:3]))


def _paths(given: Any) -> list[Path] | None:
    if isinstance(given, str | os.PathLike):
        return check_paths(given, "data")
    several = given if isinstance(given, Sequence) and not isinstance(given, bytes) else ()
    return (
        check_paths(several, "data") if several and all(isinstance(one, str | os.PathLike) for one in several) else None
    )


def _tables(paths: Iterable[Path], name: str | None, instructions: Instructions) -> list[dict[str, Verdicts]]:
    """Read each file, also of folders and archives."""
    chosen = None if name is None else by_name(name)
    found = []
    with unpacked(list(paths), None) as content, content.translating():
        for file in find_annotations(content, chosen, None, instructions, _raise).files:
            if file.format.read_table is None:
                raise DataError(f"{file.format.title} cannot hold verdicts of judges; use a table", path=file.path)
            with explaining_file(file.path):
                table = file.format.read_table(file.path, instructions, (VERDICTS,))
                found.append(_verdicts(table, instructions.columns))
    return found


def _raise(error: DataError) -> None:
    raise error


def _verdicts(table: RawTable, columns: Mapping[str, str]) -> dict[str, Verdicts]:
    raw = RawColumns(list(table.others), list(table.others.values()), table.fail, {})
    unknown = [ours for ours in columns if ours not in ROLES]
    if unknown:
        raise OptionError(f"unknown column {unknown[0]!r}; columns of verdicts can be: {listed(ROLES, 20)}", "columns")
    asked = raw.places(columns)
    if asked is None:
        there = listed([name[:40] for name in raw.names])
        missing = next(theirs for theirs in columns.values() if raw.places({"it": theirs}) is None)
        raise raw.fail(None, f"unknown column {missing!r}; available: {there}")
    roles = verdict_roles(raw, asked, sure=True)
    if roles is None:
        raise raw.fail(None, no_verdicts(raw))
    found = verdicts_of(raw, roles, table.source)
    if len(roles.scores) != 1:
        return found
    (score,) = found.values()
    return {criterion_of(raw.names[roles.scores[0]]): score}


def _chosen(tables: Sequence[Mapping[str, Verdicts]], layer: str | None, source: str) -> Verdicts:
    """Take the verdicts on one criterion, and put those of all files together; scores without a name belong to any."""
    names = list(dict.fromkeys(name for one in tables for name in one if name))
    if layer is None and len(names) > 1:
        raise DataError(
            f"outputs have scores for several criteria ({listed(names)}); choose one with {mention('layer', names[0])}"
        )
    if layer is not None and layer not in names:
        known = listed(names) or "none, there is only one"
        raise OptionError(f"unknown criterion {layer!r}; available: {known}", "layer")
    wanted = dict.fromkeys([layer or next(iter(names), ""), ""])
    return joined_verdicts([one[name] for one in tables for name in wanted if name in one], source)


def _fail(row: int | None, message: str) -> DataError:
    return DataError(message if row is None else f"row {row}: {message}")
