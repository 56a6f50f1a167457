"""Columns as a data frame of a library that the user has installed."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from unisono.checks import check_choice
from unisono.errors import OptionError

LIBRARIES = ("pandas", "polars", "pyarrow")


def frame(columns: Mapping[str, Sequence[Any]], library: str | None = None) -> Any:
    """Make a data frame.

    Parameters
    ----------
    columns : mapping
        Name to values.
    library : {"pandas", "polars", "pyarrow"}, optional
        Which kind; by default the first of them that is already imported, or else the first that is installed.
    """
    if library is not None:
        check_choice(library, "library", LIBRARIES)
    module = _load(library)
    data = {name: list(values) for name, values in columns.items()}
    if module.__name__ == "pyarrow":
        return module.table(data)
    if module.__name__ == "polars":
        return module.DataFrame(data, strict=False)
    return module.DataFrame(data)


def _load(library: str | None) -> Any:
    wanted = [library] if library else sorted(LIBRARIES, key=lambda name: name not in sys.modules)
    for name in wanted:
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    if library is None:
        raise OptionError("data frames need pandas, polars or pyarrow; install one of them, e.g. pip install pandas")
    raise OptionError(f"{library} is not installed; install it, or choose one of {', '.join(LIBRARIES)}", "library")
