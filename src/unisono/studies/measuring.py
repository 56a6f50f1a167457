"""Measure a study: every text by every set of guidelines, for all annotators, within groups and between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations, product
from operator import itemgetter
from typing import Any, TypeAlias

import numpy as np

from unisono.checks import check_function, check_seed, check_text
from unisono.data import Corpus
from unisono.errors import DataError, OptionError, listed, mention
from unisono.execution import Progress, Workers, check_workers, pool
from unisono.formats.entry import DataLike, Rows, as_corpus
from unisono.measurement.registry import Measure, parse_measure
from unisono.results import Interval
from unisono.studies.between import between_groups, cell_of
from unisono.studies.definition import Guideline
from unisono.studies.result import ALL, Part, Study, StudyCell

_Choice: TypeAlias = tuple[int, str, tuple[tuple[str, ...], ...]]
"""Guidelines, by their number, and annotators: all, a group or two groups, with what that is called."""

DEFAULT = "gamma(chance=shift)"
"""Texts differ in the agreement that is expected by chance, so each is measured on its own, as in the slides."""


def study(
    title: str,
    guidelines: Sequence[Guideline] | Mapping[str, DataLike],
    measure: str = DEFAULT,
    *,
    rows: Rows = None,
    rng: int | np.random.Generator | None = 42,
    workers: Workers = None,
    progress: Progress | None = None,
) -> Study:
    """Measure every text by every set of guidelines, for all annotators, within each group and between every two.

    Parameters
    ----------
    title : str
        The study's name.
    guidelines : sequence of Guideline, or mapping
        What `read_study` found; or the name of each set of guidelines to what was annotated by it (see `unisono.read`).
    measure : str
        A measure with its parameters.
    rows : {"items", "annotators"}, optional
        What the rows of a bare table are.
    rng : int, Generator or None
        Seed.
    workers : int, Executor or None
        How many CPU cores to use, or any `concurrent.futures.Executor`; by default all cores.
    progress : callable, optional
        Called with (done, total) after each part.

    Returns
    -------
    Study

    See Also
    --------
    read_study, Study, Guideline

    Examples
    --------
    >>> import unisono
    >>> corpus = unisono.Corpus.from_columns(
    ...     annotator=["anna", "anna", "bert", "bert"],
    ...     start=[0, 5, 0, 6],
    ...     end=[4, 9, 4, 9],
    ...     features={"category": ["PER", "LOC", "PER", "ORG"]},
    ... )
    >>> found = unisono.studies.study("Pilot", {"first": corpus}, "span-f1")
    >>> found.guidelines, found.texts
    (('first',), ('document',))
    >>> found.parts[0].value
    0.5
    """
    check_text(title, "title")
    chosen = parse_measure(check_text(measure, "measure"), "measure")
    sets = _guidelines(guidelines, rows)
    _check_labels(sets, chosen)
    tell = check_function(progress, "progress")
    measured = _Measuring(chosen, check_seed(rng), check_workers(workers))
    groups = [*dict.fromkeys(name for one in sets for name in one.groups)]
    jobs = [(number, *choice) for number, one in enumerate(sets) for choice in _choices(one, groups)]
    # the longest first, so that no worker begins one when the others have nothing left to do
    sizes = [_work(sets, job) for job in jobs]
    order = sorted(range(len(jobs)), key=sizes.__getitem__, reverse=True)
    with pool(workers, progress=tell, python=True) as crew:
        ordered = [jobs[place] for place in order]
        ordered_sizes, nested = [sizes[place] for place in order], chosen.declaration.samples
        found = crew.map(partial(_part, sets, measured), ordered, nested=nested, sizes=ordered_sizes)
    parts = [part for _, part in sorted(zip(order, found, strict=True), key=itemgetter(0))]
    dropped = {one.name: dict(one.corpus.dropped) for one in sets}
    return Study(title, measure, chosen.declaration.symbol, tuple(parts), dropped)


def _guidelines(given: Sequence[Guideline] | Mapping[str, DataLike], rows: Rows) -> list[Guideline]:
    if isinstance(given, Mapping):
        return [Guideline(name, as_corpus(data, rows=rows, parameter="guidelines")) for name, data in given.items()]
    if not isinstance(given, Sequence) or not all(isinstance(one, Guideline) for one in given):
        raise OptionError(
            "expected what read_study found, or names of guidelines with what was annotated, e.g. {'first': 'first/'}",
            "guidelines",
        )
    return list(given)


def _check_labels(sets: Sequence[Guideline], chosen: Measure) -> None:
    """Reject guidelines for which it is not clear which labels count; all of them at once."""
    declared = chosen.declaration
    choosing = {parameter.name for parameter in declared.parameters} & {"feature", "features"}
    if declared.family == "texts" or not choosing or choosing & set(chosen.given):
        return
    unclear: dict[str, list[str]] = {}
    for one in sets:
        names = one.corpus.label_features
        if len(names) > 1 and "type" in names:
            layers = [str(label) for label in one.corpus.features["type"].labels]
            what = f"there are units of several layers ({listed(layers)}); choose one: {mention('layers', layers[0])}"
            unclear.setdefault(what, []).append(one.name)
        elif len(names) > 1:
            (key,) = choosing
            what = (
                f"there are several features ({listed(names)}), and none is named category; choose one: "
                f"{mention('features', [names[0]])}, or for a measure: {declared.name}({key}={names[0]})"
            )
            unclear.setdefault(what, []).append(one.name)
    if unclear:
        said = ". ".join(f"{', '.join(names)}: {what}" for what, names in unclear.items())
        raise DataError(f"{said}. What is chosen belongs in [prepare] of study.toml, or in prepare of the guidelines")


def _choices(guideline: Guideline, groups: Sequence[str]) -> Iterator[tuple[str, tuple[tuple[str, ...], ...]]]:
    """Yield all annotators, each group of two or more, and every two groups, in the order of the whole study."""
    own = [name for name in groups if name in guideline.groups]
    yield ALL, (guideline.corpus.annotators,)
    for name in own:
        if len(guideline.groups[name]) > 1:
            yield f"within {name}", (guideline.groups[name],)
    for one, other in combinations(own, 2):
        yield f"between {one} and {other}", (guideline.groups[one], guideline.groups[other])


def _work(sets: Sequence[Guideline], job: _Choice) -> int:
    """Return about how much work it is to measure what a job chooses: it grows faster than the number of annotators."""
    number, _, groups = job
    corpus = sets[number].corpus
    known = set(corpus.annotators)  # a name that is not known is reported when it is measured
    n_units = {name: corpus.n_units_of(name) if name in known else 0 for group in groups for name in group}
    if len(groups) > 1:
        return sum(4 * (n_units[one] + n_units[other]) for one, other in product(*groups))
    return sum(n_units.values()) * len(n_units) ** 2


@dataclass(frozen=True)
class _Measuring:
    """Measures a corpus; the workers stay here when it is sent to another process."""

    measure: Measure
    seed: int
    workers: Workers = None

    def __call__(self, corpus: Corpus) -> Any:
        return self.measure.compute(corpus, rng=self.seed, workers=self.workers)

    def __reduce__(self) -> tuple[Any, ...]:
        return _Measuring, (self.measure, self.seed)


def _part(sets: Sequence[Guideline], measured: _Measuring, job: _Choice) -> Part:
    number, name, groups = job
    guideline = sets[number]
    if len(groups) > 1 and any(len(group) > 1 for group in groups):
        return between_groups(guideline.corpus, guideline.name, name, groups, measured)
    corpus = guideline.corpus.select(annotators=tuple(who for group in groups for who in group))
    try:
        result = measured(corpus)
    except DataError:
        return _text_by_text(guideline, name, corpus, measured)
    found = result.to_dict()
    cells = {row["document"]: cell_of(row, corpus) for row in found["documents"]}
    for text in guideline.corpus.documents:
        if text in corpus.documents:
            cells.setdefault(text, cell_of({"document": text, "undefined": "too few annotators"}, corpus))
        else:
            cells[text] = StudyCell(None, None, None, 0, 0, "none of these annotators worked on it")
    interval = None if found.get("interval") is None else Interval(**found["interval"])
    notes = tuple(found.get("notes", ()))
    kept = result if name == ALL else None
    return Part(guideline.name, name, cells, result.value, interval, result.undefined, notes, corpus.annotators, kept)


def _text_by_text(guideline: Guideline, name: str, corpus: Corpus, measured: _Measuring) -> Part:
    """Measure each text on its own where not all of them can be measured together."""
    cells = {}
    for text in corpus.documents:
        try:
            row = {**measured(corpus.select(documents=[text])).to_dict(), "document": text}
        except DataError as error:
            row = {"document": text, "undefined": str(error)}
        cells[text] = cell_of(row, corpus)
    reasons = [cell.undefined for cell in cells.values() if cell.undefined]
    undefined = reasons[0] if reasons else None
    return Part(guideline.name, name, cells, None, None, undefined, annotator_names=corpus.annotators)
