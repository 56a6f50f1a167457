"""What the tests of the formats share."""

from __future__ import annotations

from pathlib import Path

import pytest

from unisono.data import Corpus, Export, Ratings
from unisono.errors import DataError
from unisono.formats import read


def contents(corpus: Corpus) -> dict[str, object]:
    """Everything that a corpus holds but its source, ready to compare."""
    return {
        "documents": corpus.documents,
        "annotators": corpus.annotators,
        "document": corpus.document.tolist(),
        "annotator": corpus.annotator.tolist(),
        "start": (str(corpus.start.dtype), corpus.start.tolist()),
        "end": (str(corpus.end.dtype), corpus.end.tolist()),
        "features": {
            name: [(type(label).__name__, label) for label in column.values()]
            for name, column in corpus.features.items()
        },
        "feature order": list(corpus.features),
        "worked": corpus.worked.tolist(),
        "bounds": dict(corpus.bounds),
        "texts": dict(corpus.texts),
    }


def rows(corpus: Corpus) -> list[tuple[object, ...]]:
    return [
        (document.name, unit.annotator, unit.start, unit.end, *unit.features.values())
        for document in corpus
        for unit in document.units
    ]


def worked(corpus: Corpus) -> set[tuple[str, str]]:
    return {(document.name, name) for document in corpus for name in document.annotators}


def table(ratings: Ratings) -> dict[tuple[str, object], dict[str, object]]:
    """(document, item) to annotator to label, the given ones only."""
    return {
        (ratings.documents[document], item): {
            name: ratings.labels[code] for name, code in zip(ratings.annotators, codes, strict=True) if code >= 0
        }
        for document, item, codes in zip(ratings.document.tolist(), ratings.items, ratings.codes.tolist(), strict=True)
    }


def rated(ratings: Ratings) -> dict[str, object]:
    """Everything that ratings hold but their source, ready to compare."""
    return {
        "documents": ratings.documents,
        "annotators": ratings.annotators,
        "table": list(table(ratings).items()),
        "kinds": [type(label).__name__ for label in ratings.labels],
    }


def parts(data: object) -> object:
    """What data holds, ready to compare: an export is its parts, which can be compared."""
    return (data.units, dict(data.questions)) if isinstance(data, Export) else data


def refusal(path: Path, line: int | None, *words: str, **options: object) -> str:
    """Check that a file is refused in one sentence with file, line and the given words."""
    with pytest.raises(DataError) as caught:
        read(path, **options)  # type: ignore[arg-type]
    message = str(caught.value)
    assert message.startswith(f"{path}, line {line}: " if line else f"{path}: "), message
    assert "\n" not in message
    for word in words:
        assert word in message, message
    return message
