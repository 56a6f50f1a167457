"""The data sheet: what was read, who worked on what, and what was left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

import numpy as np

from unisono.arrays import BoolArray, IntArray
from unisono.data import Corpus, Data, Label, Normalizations, Ratings
from unisono.errors import plural
from unisono.reporting.full.counting import cannot_agree
from unisono.reporting.full.grids import Cell, Grid, named, number, shade
from unisono.reporting.full.hiding import Names
from unisono.reporting.markup import listed

_MOST_LABELS = 40
_MOST_CELLS = 5000
_MOST_FEATURES = 4


@dataclass(frozen=True)
class Sheet:
    """What is said of the data.

    Attributes
    ----------
    facts : list of (str, str)
        What, and how much.
    dropped : list of (str, int)
        What was left out or changed, or has no value, and how often.
    grids : list of Grid
        Who worked on what; the labels of each annotator.
    """

    facts: list[tuple[str, str]]
    dropped: list[tuple[str, int]]
    grids: list[Grid]


def data_sheet(data: Data, names: Names, places: Sequence[str]) -> Sheet:
    """Describe data.

    Parameters
    ----------
    data : Corpus, Ratings or Normalizations
        What was read.
    names : Names
        How labels are written.
    places : sequence of str
        The documents that have places to look at.
    """
    worked, counts = _coverage(data)
    facts = [
        ("source", data.source or "given in Python"),
        ("documents", f"{len(data.documents):,}"),
        ("annotators", f"{len(data.annotators):,}: {listed(data.annotators, 30)}"),
        (_what(data), f"{int(counts.sum()):,}"),
        ("coverage", _covered(worked)),
    ]
    if isinstance(data, Corpus):
        facts.insert(1, ("files", _files(data)))
        facts.append(("features", _features(data)))
        facts.append(("text", _texts(data)))
    else:
        facts += _cells(data)
    dropped = [*((names.sentence(what), n) for what, n in data.dropped.items()), *cannot_agree(data)]
    grids = [_coverage_grid(data, worked, counts, places), *_label_grids(data, names)]
    return Sheet([(name, text) for name, text in facts if text], dropped, grids)


def _what(data: Data) -> str:
    return "units" if isinstance(data, Corpus) else "labels" if isinstance(data, Ratings) else "rewritten words"


def _coverage(data: Data) -> tuple[BoolArray, IntArray]:
    """Give who worked on which document, and how much each has there."""
    shape = len(data.documents), len(data.annotators)
    if isinstance(data, Corpus):
        flat = np.bincount(data.document * shape[1] + data.annotator, minlength=shape[0] * shape[1])
        return data.worked, flat.reshape(shape).astype(np.int64)
    cells = data.codes if isinstance(data, Ratings) else data.norm
    given = (cells >= 0).astype(np.int64)
    if isinstance(data, Ratings) and data.repeats is not None:
        given = given * data.repeats[:, None]
    counts = np.zeros(shape, np.int64)
    np.add.at(counts, data.document, given)
    return np.asarray(counts > 0), counts


def _covered(worked: BoolArray) -> str:
    each = worked.sum(axis=1)
    if not len(each):
        return ""
    if (each == worked.shape[1]).all():
        return "every annotator worked on every document"
    parts = [f"{plural(int((each == n).sum()), 'document')} by {n}" for n in sorted(set(each.tolist()), reverse=True)]
    return f"{', '.join(parts)} of {worked.shape[1]} annotators"


def _cells(data: Ratings | Normalizations) -> list[tuple[str, str]]:
    """Say how many items or words there are, and how many labels of them are missing."""
    n, what = (data.n_items, "items") if isinstance(data, Ratings) else (data.n_tokens, "words")
    missing = n * len(data.annotators) - data.n_units
    return [
        (what, f"{n:,}"),
        ("missing", f"{missing:,} of {n * len(data.annotators):,} {_what(data)}" if missing else ""),
    ]


def _files(corpus: Corpus) -> str:
    """Name the files, without the folder that all are in."""
    paths = sorted({tuple(str(path).replace("\\", "/").split("/")) for path, _ in corpus.origins.values()})
    if not paths:
        return ""
    same = takewhile(lambda parts: parts[0] == parts[1], zip(paths[0][:-1], paths[-1][:-1], strict=False))
    shared = sum(1 for _ in same)  # the first and the last are the least alike
    return f"{len(paths):,}: {listed(['/'.join(path[shared:]) for path in paths], 12)}"


def _features(corpus: Corpus) -> str:
    each = [f"{name} ({plural(len(column.labels), 'label')})" for name, column in corpus.features.items()]
    return listed(each, 12) or "none: units have no labels"


def _texts(corpus: Corpus) -> str:
    if not corpus.texts:
        return "none: positions only"
    differ = sum(document.texts_differ for document in corpus)
    different = {(document, text) for (document, _), text in corpus.texts.items()}
    said = plural(sum(len(text) for _, text in different), "character")
    return f"{said}; annotators have different texts of {plural(differ, 'document')}" if differ else said


def _coverage_grid(data: Data, worked: BoolArray, counts: IntArray, places: Sequence[str]) -> Grid:
    most, known = max(int(counts.max(initial=0)), 1), set(places)
    rows = []
    for index, name in enumerate(data.documents[: max(_MOST_CELLS // len(data.annotators), 20)]):
        cells = [
            Cell(f"{n:,}", float(n), shade(n / most)) if there else Cell("–")
            for n, there in zip(counts[index].tolist(), worked[index].tolist(), strict=True)
        ]
        total = number(int(counts[index].sum()))
        rows.append([Cell(name, name, document=name if name in known else None), *cells, total])
    left = len(data.documents) - len(rows)
    note = "– did not work on it; 0 worked on it and marked nothing." if (~worked).any() or (counts == 0).any() else ""
    note += f" … and {plural(left, 'more document')}" if left > 0 else ""
    what = _what(data)
    return Grid(
        f"Who worked on what: {what}",
        ("document", *data.annotators, "all"),
        (False, *[True] * (len(data.annotators) + 1)),
        rows,
        note=note.strip(),
    )


def _label_grids(data: Data, names: Names) -> list[Grid]:
    """Count the labels of each annotator."""
    people = len(data.annotators)
    if isinstance(data, Ratings):
        repeats = np.ones(len(data.codes), np.int64) if data.repeats is None else data.repeats
        counts = np.zeros((len(data.labels), people), np.int64)
        for who in range(people):
            given = data.codes[:, who] >= 0
            np.add.at(counts[:, who], data.codes[given, who], repeats[given])
        return [_labels_grid("label", data.labels, counts, data.annotators, names)]
    if not isinstance(data, Corpus):
        return []
    grids = []
    for name, column in list(data.features.items())[:_MOST_FEATURES]:
        counts = np.zeros((len(column.labels), people), np.int64)
        given = column.codes >= 0
        np.add.at(counts, (column.codes[given], data.annotator[given]), 1)
        grids.append(_labels_grid(name, column.labels, counts, data.annotators, names))
    return [grid for grid in grids if grid.rows]


def _labels_grid(
    feature: str, labels: Sequence[Label], counts: IntArray, annotators: Sequence[str], names: Names
) -> Grid:
    order = np.argsort(-counts.sum(axis=1), kind="stable").tolist()
    share = counts / np.maximum(counts.sum(axis=0), 1)
    most = float(share.max(initial=0.0)) or 1.0
    rows = [
        [
            named(names.of(feature, labels[k])),
            *(
                Cell(f"{n:,}", float(n), shade(part / most))
                for n, part in zip(counts[k].tolist(), share[k].tolist(), strict=True)
            ),
            number(int(counts[k].sum())),
        ]
        for k in order[:_MOST_LABELS]
    ]
    left = len(labels) - len(rows)
    columns = (feature, *annotators, "all")
    note = f"… and {plural(left, 'more label')}" if left > 0 else ""
    return Grid(
        f"Labels of each annotator: {feature}",
        columns,
        (False, *[True] * (len(annotators) + 1)),
        rows,
        note,
        sorted=-len(columns),
    )
