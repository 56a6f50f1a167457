"""The data sheet: what was read, who worked on what, and what was left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

import numpy as np

from unisono.arrays import BoolArray, IntArray
from unisono.data import Corpus, Data, Label, Normalizations, Ratings
from unisono.data.left_out import counted
from unisono.errors import plural
from unisono.measurement.coverage import cannot_agree, label_counts
from unisono.reporting.addresses import document_address
from unisono.reporting.full_report.hidden_text import NOT_SHOWN, Names
from unisono.reporting.markup import enumerated
from unisono.reporting.shown_tables import ShownCell, ShownTable, count_cell, name_cell, shade
from unisono.results import NOTHING

_MOST_LABELS = 40
_MOST_CELLS = 5000
_MOST_FEATURES = 4


@dataclass(frozen=True)
class DataSheet:
    """What is said of the data."""

    facts: list[tuple[str, str]]
    """Name and value of each fact."""
    dropped: list[tuple[str, int]]
    """What was left out or changed, or has no value, and how often."""
    tables: list[ShownTable]
    """Who worked on what; the labels of each annotator."""


def data_sheet(data: Data, names: Names, places: Sequence[str]) -> DataSheet:
    """Describe data; `places` are the documents that have places to look at."""
    worked, counts = data.worked, data.unit_counts
    facts = [
        ("source", NOT_SHOWN if names.hide else data.source or "given in Python"),
        ("documents", f"{len(data.documents):,}"),
        ("annotators", f"{len(data.annotators):,}: {enumerated(data.annotators, 30)}"),
        (_what(data), f"{int(counts.sum()):,}"),
        ("coverage", _covered(worked)),
    ]
    if isinstance(data, Corpus):
        facts.insert(1, ("files", _files(data, names)))
        facts.append(("features", _features(data)))
        facts.append(("text", _texts(data)))
    else:
        facts += _cells(data)
    dropped = [(names.sentence(counted(n, what)), n) for what, n in (*data.dropped.items(), *_others(data))]
    dropped += cannot_agree(data)
    used = [
        _labels_table(feature, labels, times, data.annotators, names)
        for feature, (labels, times) in list(label_counts(data).items())[:_MOST_FEATURES]
        if labels
    ]
    tables = [_coverage_table(data, worked, counts, places, names), *used]
    return DataSheet([(name, text) for name, text in facts if text], dropped, tables)


def _others(data: Data) -> list[tuple[str, int]]:
    """Return what else the files hold, in words, and how many."""
    others = data.others if isinstance(data, Corpus) else {}
    return [(f"{kind} of {plural(len(types), 'type')}", sum(types.values())) for kind, types in others.items()]


def _what(data: Data) -> str:
    return "units" if isinstance(data, Corpus) else "labels" if isinstance(data, Ratings) else "rewritten words"


def _covered(worked: BoolArray) -> str:
    each = worked.sum(axis=1)
    if not len(each):
        return ""
    if (each == worked.shape[1]).all():
        return "every annotator worked on every document"
    parts = [f"{plural(int((each == n).sum()), 'document')} by {n}" for n in sorted(set(each.tolist()), reverse=True)]
    return f"{enumerated(parts)} of the {worked.shape[1]} annotators"


def _cells(data: Ratings | Normalizations) -> list[tuple[str, str]]:
    """Count the items or words, and their missing labels."""
    n, what = (data.n_items, "items") if isinstance(data, Ratings) else (data.n_tokens, "words")
    missing = n * len(data.annotators) - data.n_units
    return [
        (what, f"{n:,}"),
        ("missing", f"{missing:,} of {n * len(data.annotators):,} {_what(data)}" if missing else ""),
    ]


def _files(corpus: Corpus, names: Names) -> str:
    """Name the files, without the folder that all are in; count them if names are hidden."""
    paths = sorted({tuple(str(path).replace("\\", "/").split("/")) for path, _ in corpus.origins.values()})
    if not paths or names.hide:
        return f"{len(paths):,}" if paths else ""
    # of sorted paths, the first and the last have the least in common
    same = takewhile(lambda parts: parts[0] == parts[1], zip(paths[0][:-1], paths[-1][:-1], strict=False))
    shared = sum(1 for _ in same)
    return f"{len(paths):,}: {enumerated(['/'.join(path[shared:]) for path in paths])}"


def _features(corpus: Corpus) -> str:
    each = [f"{name} ({plural(len(column.labels), 'label')})" for name, column in corpus.features.items()]
    return enumerated(each) or "none: units have no labels"


def _texts(corpus: Corpus) -> str:
    if corpus.counted:
        counted = corpus.counted.values()
        length = plural(sum(len(one.text) for one in counted), "character")
        tokens = plural(sum(len(one.tokens) for one in counted), "token")
        return f"{length}, {tokens}; positions count tokens, and places are drawn and listed by characters"
    if not corpus.texts:
        return "none: positions only"
    differ = sum(document.texts_differ for document in corpus)
    different = {(document, text) for (document, _), text in corpus.texts.items()}
    length = plural(sum(len(text) for _, text in different), "character")
    return f"{length}; annotators have different texts of {plural(differ, 'document')}" if differ else length


def _coverage_table(data: Data, worked: BoolArray, counts: IntArray, places: Sequence[str], names: Names) -> ShownTable:
    most, known = max(int(counts.max(initial=0)), 1), set(places)
    rows = [
        [
            name_cell(name, document_address(name) if name in known else ""),
            *(
                count_cell(n, shade(n / most)) if there else ShownCell(NOTHING)
                for n, there in zip(counts[index].tolist(), worked[index].tolist(), strict=True)
            ),
            count_cell(int(counts[index].sum())),
        ]
        for index, name in enumerate(
            map(names.document, data.documents[: max(_MOST_CELLS // len(data.annotators), 20)])
        )
    ]
    left = len(data.documents) - len(rows)
    notes = [
        "–: did not work on it; 0: worked on it but marked nothing." if (~worked).any() or (counts == 0).any() else "",
        f"… and {plural(left, 'more document')}" if left > 0 else "",
    ]
    columns = ("document", *data.annotators, "all")
    return ShownTable(f"Who worked on what: {_what(data)}", columns, rows, note=" ".join(filter(None, notes)))


def _labels_table(
    feature: str, labels: Sequence[Label], counts: IntArray, annotators: Sequence[str], names: Names
) -> ShownTable:
    order = np.argsort(-counts.sum(axis=1), kind="stable").tolist()
    share = counts / np.maximum(counts.sum(axis=0), 1)
    most = float(share.max(initial=0.0)) or 1.0
    rows = [
        [
            name_cell(names.of(feature, labels[k])),
            *(count_cell(n, shade(p / most)) for n, p in zip(counts[k].tolist(), share[k].tolist(), strict=True)),
            count_cell(int(counts[k].sum())),
        ]
        for k in order[:_MOST_LABELS]
    ]
    left = len(labels) - len(rows)
    columns = (feature, *annotators, "all")
    note = f"… and {plural(left, 'more label')}" if left > 0 else ""
    return ShownTable(f"Labels of each annotator: {feature}", columns, rows, note=note, sorted=-len(columns))
