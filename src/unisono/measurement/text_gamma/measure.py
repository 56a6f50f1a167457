"""Text-γ: agreement where annotators correct the text and its segmentation too (Barteld et al. 2016).

tγ = 1 - δ_o/δ_e, as γ. Units are aligned where an optimal alignment of the annotators' texts, with markers around
units, puts them in the same place; δ_o is the least disorder over all such alignments. δ_e is the mean of the same
over random edits of the pre-annotation.

References
----------
.. [1] Barteld, F., Schröder, I. & Zinsmeister, H. (2016). text-gamma: inter-annotator agreement for categorization with
       simultaneous segmentation and transcription-error correction. KONVENS 2016.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from unisono.alignment.sequences import GapCosts
from unisono.alignment.text_alignment import TextAlignment
from unisono.alignment.texts import LayerAlignment, align_layers
from unisono.arrays import IntArray
from unisono.bundles import Bundled
from unisono.chance.stopping import FEWEST_SAMPLES
from unisono.checks import check_seed
from unisono.data import Corpus
from unisono.data.editions import Editions
from unisono.data.ratings import Rows
from unisono.data.stacked_editions import StackedEditions
from unisono.deadlines import Allowance, Deadline, check_time_limit
from unisono.dissimilarity.text import BoundText, TextDissimilarity
from unisono.execution import Pool, Progress, Workers, pool
from unisono.formats.entry import DataLike, as_corpus
from unisono.kernels import compile_kernels, compiled, expect_work
from unisono.measurement.batching import batches_of
from unisono.measurement.composite import refuse_composite
from unisono.measurement.disorder.document import Documents
from unisono.measurement.disorder.effort import ALIGNMENT_TIME, Again, Effort
from unisono.measurement.disorder.fit import INSTEAD
from unisono.measurement.text_gamma.bases import base_editions, respelled
from unisono.measurement.text_gamma.documents import TextAlignments
from unisono.measurement.text_gamma.expected import TextSampling, expect
from unisono.measurement.text_gamma.models import models_of, rates_of
from unisono.measurement.text_gamma.result import TextGammaResult
from unisono.measurement.text_gamma.settings import Settings, settings_of
from unisono.statistics.quantiles import load_special_functions

_BATCH = 20_000
"""Documents with about so many symbols are aligned together: small ones take less time than a call."""


def text_gamma(
    corpus: DataLike,
    *,
    base: DataLike | None = None,
    p_text: Any = None,
    p_segmentation: Any = None,
    p_further: float = 0.0,
    features: str | Sequence[str] | Mapping[str, float] | None = None,
    distance: Any = "nominal",
    types: str | Sequence[str] | None = None,
    gap_text: float = 1.0,
    gap_boundary: float = 1.0,
    gaps: bool = False,
    graphemes: bool = False,
    precision: float = 0.02,
    confidence: float = 0.95,
    time_limit: float | str | None = None,
    rows: Rows = None,
    rng: int | np.random.Generator | None = 42,
    workers: Workers = None,
    progress: Progress | None = None,
) -> TextGammaResult:
    """Measure agreement on units of texts that annotators may have corrected, and align them.

    Parameters
    ----------
    corpus : Corpus, path, frame, …
        Documents with a text from each annotator and units in it; units of one type must not overlap. Anything that
        `unisono.read` or `from_frame` reads.
    base : Corpus, path, frame, …, optional
        The pre-annotation that annotators started from; if not given, each annotator's own text in turn.
    p_text, p_segmentation : float, Prior or None
        The share of units whose text, and segmentation, an annotator changes: given, estimated from the data (None), or
        known but corrected by the data (`Prior`, which yields the maximum a posteriori).
    p_further : float
        How likely random annotators are to edit the same unit's text once more, after each edit (§8).
    features : str, sequence or mapping, optional
        The features that count, with weights if a mapping, in which "text" is the text; by default all.
    distance : str, Distance, mapping or callable
        Distance between labels, as for γ, and nld (normalized Levenshtein distance); or a mapping from feature to one
        of these, in which "text" is the text. A single nominal or nld is for the text too, any other for features only.
    types : str or sequence of str, optional
        The types of units that count; by default all.
    gap_text, gap_boundary : float
        The costs of gaps in the sequence alignment, at a character and at a boundary (§4).
    gaps : bool
        Whether text outside units counts, as units of the type gap (§8). White space alone does not.
    graphemes : bool
        Whether combining marks are kept with their base (grapheme clusters) instead of code points.
    precision, confidence : float
        Sample until the expected disorder has this relative error with this confidence, at least 30 times.
    time_limit : float, str or None
        How long the whole measurement may take, as for γ: seconds, or text such as "90s", "5m" or "2h".
    rows : {"items", "annotators"}, optional
        What the rows of a bare table are, as for all measures; text-γ itself needs units, which such a table lacks.
    rng : int, Generator or None
        Seed; the same seed yields the same numbers. None draws a new one.
    workers : int, Executor or None
        How many CPU cores to use, or any `concurrent.futures.Executor`; by default all cores.
    progress : callable, optional
        Called with (done, total) after each part of the work.

    Returns
    -------
    TextGammaResult

    See Also
    --------
    gamma, Prior, align

    Examples
    --------
    >>> import unisono
    >>> corpus = unisono.Corpus.from_columns(
    ...     annotator=["anna", "anna", "anna", "bert", "bert", "bert"],
    ...     start=[0, 5, 9, 0, 5, 9],
    ...     end=[4, 8, 13, 4, 8, 13],
    ...     features={"pos": ["NOUN", "VERB", "NOUN", "NOUN", "VERB", "ADJ"]},
    ...     texts={("document", "anna"): "Cats eat fish", ("document", "bert"): "Cats eat fish"},
    ... )
    >>> result = unisono.text_gamma(corpus, p_text=0, p_segmentation=0)
    >>> round(result.value, 3), round(result.observed, 3), round(result.expected, 3)
    (0.455, 0.167, 0.306)
    """
    units = as_corpus(corpus, rows=rows, instead=INSTEAD)
    refuse_composite(units)
    settings = settings_of(
        units,
        base=base,
        p_text=p_text,
        p_segmentation=p_segmentation,
        p_further=p_further,
        features=features,
        distance=distance,
        types=types,
        gap_text=gap_text,
        gap_boundary=gap_boundary,
        gaps=gaps,
        graphemes=graphemes,
        effort=Effort(precision, confidence, check_time_limit(time_limit), check_seed(rng)),
    )
    return measure_text_gamma(units, settings, workers=workers, progress=progress)


def align_texts(
    corpus: DataLike,
    *,
    time_limit: float | str | None = None,
    workers: Workers = None,
    progress: Progress | None = None,
    **options: Any,
) -> dict[str, TextAlignment]:
    """Align the units of each document as text-γ does, without the random samples that it needs.

    Parameters are those of `text_gamma` that an alignment depends on.
    """
    units = as_corpus(corpus, instead=INSTEAD)
    refuse_composite(units)
    settings = settings_of(units, effort=Effort(0.02, 0.95, check_time_limit(time_limit), 0), **options)
    made = settings.editions(units)
    dissimilarity = settings.dissimilarity.bind(made.kinds, made.labels, made.alphabet)
    _expect_alignments(made, 1)
    with pool(workers, parallel=compiled(), progress=progress) as crew:
        deadline = Deadline.after(settings.effort.time_limit)
        found = Aligner(dissimilarity, settings, deadline, crew)(made.stacked, made.sizes)
    layers = dict(zip(made.places, found, strict=True))
    return dict(TextAlignments(units, made, layers, dissimilarity))


def measure_text_gamma(
    corpus: Corpus, settings: Settings, *, workers: Workers = None, progress: Progress | None = None
) -> TextGammaResult:
    """Measure text-γ with these settings."""
    deadline = Deadline.after(settings.effort.time_limit)
    made = settings.editions(corpus)
    bases = None if settings.base is None else base_editions(corpus, made, settings.base, graphemes=settings.graphemes)
    if bases is not None:
        made = respelled(made, bases)
    dissimilarity = settings.dissimilarity.bind(made.kinds, made.labels, made.alphabet)
    _expect_alignments(made, 1 + FEWEST_SAMPLES)
    with pool(workers, parallel=compiled(), progress=progress) as crew:
        prepared_models = crew.meanwhile(partial(models_of, made, bases, settings))
        align = Aligner(dissimilarity, settings, deadline.portion(0.5), crew)
        layers = dict(zip(made.places, align(made.stacked, made.sizes), strict=True))
        texts_only = TextDissimilarity().bind([replace(kind, features=()) for kind in made.kinds], {}, made.alphabet)
        rates = rates_of(made, bases, layers, Aligner(texts_only, settings, deadline.portion(0.5), crew), settings)
        models = prepared_models().at_rates(rates.text.value, tuple(one.value for one in rates.segmentation.values()))
        alignments = TextAlignments(corpus, made, layers, dissimilarity)
        prepared = crew.meanwhile(partial(_prepare, alignments))
        expected = expect(models, TextSampling(dissimilarity, settings.costs, settings.effort, deadline), crew)
        prepared()
    chances = {index: expected[name] for index, name in enumerate(corpus.documents) if name in expected}
    documents = Documents(corpus.documents, alignments.columns(expected), 1.0, alignments, chances)

    pinned = replace(settings, rates=rates)  # parts of one corpus are compared at the same rates
    return TextGammaResult(
        corpus=corpus,
        parameters=settings.spelled(rates.text, rates.segmentation),
        effort=settings.effort,
        chance="edits of the pre-annotation" if settings.base is not None else "edits of each annotator's text in turn",
        documents=documents,
        again=Again(measure_text_gamma, pinned, workers, progress),
        editions=made,
        layers=layers,
        rates=rates,
        dissimilarity=dissimilarity,
    )


def _prepare(alignments: TextAlignments) -> None:
    """Prepare what the result needs besides the expected disorder."""
    _ = alignments.sums
    load_special_functions()


def _expect_alignments(made: Editions, times: int) -> None:
    """Expect that all documents, or random ones like them, are aligned so many times."""
    expect_work(int(_lengths(made.stacked, made.sizes).sum()) // 2 * times, 2)


def _lengths(stacked: StackedEditions, sizes: IntArray) -> IntArray:
    """Return about how many symbols and markers are aligned for each document, given how many editions it has."""
    lengths = np.diff(stacked.text_edges) + 2 * stacked.n_units.sum(axis=1)
    totals = np.bincount(np.repeat(np.arange(len(sizes)), sizes), lengths, minlength=len(sizes))
    return np.asarray(totals.astype(np.int64) * (sizes - 1) // 2)


@dataclass(frozen=True)
class AlignJob:
    """Documents to align: their editions, and how many each of them has."""

    editions: StackedEditions
    sizes: IntArray
    allowance: Allowance
    compiled: bool  # whether to use compiled kernels on any worker


def run_alignments(dissimilarity: BoundText, costs: GapCosts, job: AlignJob) -> Bundled[tuple[LayerAlignment, ...]]:
    """Align documents, each type of units by itself."""
    if job.compiled:
        compile_kernels()
    return Bundled(align_layers(job.editions, job.sizes, dissimilarity, costs, time_limit=job.allowance.seconds()))


@dataclass(frozen=True)
class Aligner:
    """Aligns the editions of documents, type by type."""

    dissimilarity: BoundText
    settings: Settings
    deadline: Deadline
    crew: Pool

    def __call__(self, editions: StackedEditions, sizes: IntArray) -> list[tuple[LayerAlignment, ...]]:
        """Align each document, given how many of the editions it has."""
        run = partial(run_alignments, self.dissimilarity, self.settings.costs)
        (limit,) = self.deadline.shared([(1.0, max(len(sizes), 1))], self.crew.count, ALIGNMENT_TIME)
        first = np.concatenate([[0], np.cumsum(sizes)]).tolist()
        jobs = [
            AlignJob(editions.part(first[own.start], first[own.stop]), sizes[own.start : own.stop], limit, compiled())
            for own in batches_of(_lengths(editions, sizes), _BATCH)
            if own
        ]
        return [layers for batch in self.crew.map(run, jobs) for layers in batch]
