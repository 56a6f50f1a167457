"""Datasets of Hugging Face as Arrow tables; the package itself is not needed."""

from __future__ import annotations

from typing import Any

from unisono.errors import OptionError, listed


def is_dataset(given: Any) -> bool:
    """Whether this is a dataset, or several, of the package datasets."""
    return type(given).__module__.partition(".")[0] == "datasets" and type(given).__name__ in (
        "Dataset",
        "DatasetDict",
        "IterableDataset",
        "IterableDatasetDict",
    )


def arrow_table(dataset: Any, parameter: str) -> Any:
    """Return the rows of a dataset as a `pyarrow.Table`, in which labels are names and not numbers."""
    kind = type(dataset).__name__
    if kind.endswith("Dict"):
        names = listed(list(dataset))
        raise OptionError(f"this dataset has several splits ({names}); pass one, e.g. dataset['train']", parameter)
    if kind != "Dataset":
        raise OptionError("this dataset is read row by row; load it without streaming", parameter)
    table = dataset.with_format("arrow")[:]
    for place, (name, feature) in enumerate(dataset.features.items()):
        labels, several = _names_of(feature)
        if labels is not None:
            table = table.set_column(place, name, _named(table.column(name), labels, several))
    return table


def _names_of(feature: Any) -> tuple[list[str] | None, bool]:
    """Return the names of a feature whose values are their numbers, and whether each value is a list of them."""
    inner = getattr(feature, "feature", None)
    names = getattr(feature if inner is None else inner, "names", None)
    return (list(names) if names else None), inner is not None


def _named(column: Any, names: list[str], several: bool) -> Any:
    import pyarrow

    def name(number: int | None) -> str | None:
        return None if number is None or number < 0 else names[number]  # -1 is no label

    cells = column.to_pylist()
    if several:
        found: list[Any] = [None if cell is None else [name(one) for one in cell] for cell in cells]
        return pyarrow.array(found, pyarrow.list_(pyarrow.string()))
    return pyarrow.array([name(cell) for cell in cells], pyarrow.string())
