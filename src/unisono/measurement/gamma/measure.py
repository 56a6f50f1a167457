"""The agreement measure γ (Mathet, Widlöcher & Métivier 2015).

γ = 1 - δ_o/δ_e: δ_o is the least disorder over all alignments of the annotators' units, δ_e the mean of the same over
annotations made at random.

References
----------
.. [1] Mathet, Y., Widlöcher, A. & Métivier, J.-P. (2015). The unified and holistic method gamma (γ) for
       inter-annotator agreement measure and alignment. Computational Linguistics 41(3), 437–479.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, ValuesView
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from unisono.alignment.alignment import Alignment
from unisono.alignment.solution import Solution
from unisono.arrays import IntArray
from unisono.chance.canonical import Canonical, canonical_documents, numbered_key
from unisono.chance.corpus import Mixture, enough_combinations, too_few_documents
from unisono.chance.draw import ChanceModel
from unisono.chance.shift import Shift
from unisono.chance.statistical import Statistical
from unisono.chance.stopping import FEWEST_SAMPLES
from unisono.checks import check_choice, check_flag, check_names, check_number, check_seed
from unisono.data import AnnotationSet, Corpus, Document
from unisono.data.ratings import Rows
from unisono.data.sets import annotation_sets
from unisono.deadlines import Deadline, check_time_limit
from unisono.dissimilarity.anchored import AnchorRoles, spelled_roles
from unisono.dissimilarity.combined import (
    BoundDissimilarity,
    Dissimilarity,
    Units,
    spelled_features,
    weighted_features,
)
from unisono.errors import DataError, OptionError, listed, mention, naming
from unisono.execution import Pool, Progress, Workers, pool
from unisono.formats.entry import DataLike, as_corpus
from unisono.kernels import compile_kernels, compiled, expect_work
from unisono.measurement.batching import batches_of
from unisono.measurement.disorder.document import NONE, DocumentColumns, Documents, LazyAlignments
from unisono.measurement.disorder.effort import Again, Effort
from unisono.measurement.disorder.fit import INSTEAD
from unisono.measurement.gamma.aligning import align_documents
from unisono.measurement.gamma.batches import Judged, MeasuredBatch, made_batch
from unisono.measurement.gamma.expected import ExpectedCategories, Sampling, expect
from unisono.measurement.gamma.mixing import filed_mixtures
from unisono.measurement.gamma.repeats import repeated_contents
from unisono.measurement.gamma.result import GammaResult
from unisono.measurement.ledger import Ledger
from unisono.measurement.readers import read_gamma_distances
from unisono.processes import prepared_seconds
from unisono.results import function_name

_DIFFERENT_TEXTS = (
    "annotators have different texts, but γ does not align them; use text-gamma, or check which file is whose"
)
_GUESSED_FROM_MORE = (
    "the start and end of the continuum were guessed from all units, including those that were filtered out; provide "
    "the text or the bounds"
)
CHANCE = ("auto", "shift", "corpus", "statistical")


_FINE = 0.003
"""With a finer precision, a batch of documents takes long: workers share its samples, and progress shows these."""


def gamma(
    corpus: DataLike,
    *,
    alpha: float = 1.0,
    beta: float = 1.0,
    delta_empty: float = 1.0,
    features: str | Sequence[str] | Mapping[str, float] | None = None,
    distance: Any = "nominal",
    f_cat: str | Callable[[Any], Any] = "linear",
    dissimilarity: Callable[[Units, Units], Any] | None = None,
    roles: Mapping[str, float] | None = None,
    directed: bool = True,
    chance: str = "auto",
    precision: float = 0.02,
    confidence: float = 0.95,
    time_limit: float | str | None = None,
    rows: Rows = None,
    rng: int | np.random.Generator | None = 42,
    workers: Workers = None,
    progress: Progress | None = None,
) -> GammaResult:
    """Measure agreement on units placed freely on a continuum, and align them.

    Parameters
    ----------
    corpus : Corpus, path, frame, …
        Documents with units, each with two annotators or more; anything that `unisono.read` or `from_frame` reads.
    alpha, beta : float
        Weights of position and category: d = α d_pos + β d_cat, equation (5).
    delta_empty : float
        Δ∅, the cost of an empty unit. As in equations (3) and (4), dissimilarities are multiples of it: it scales both
        disorders and does not change γ, except with your own `dissimilarity`.
    features : str, sequence or mapping, optional
        The features that make up the category, with weights if a mapping; by default the one named "category" or
        the only one there is.
    distance : str, Distance, mapping or callable
        Distance between labels: a name (see `unisono.dissimilarity.registry`), e.g. nominal or
        ordinal(low,mid,high); a `Distance`; {(a, b): distance}; a vectorized function of two arrays; or a mapping
        from feature to one of these.
    f_cat : str or callable
        How d_cat grows with distance (§4.4.3): linear, steep or a vectorized function.
    dissimilarity : callable, optional
        Your own d(u, v): a function of two `Units` (arrays) that returns an array. Every pair of units is compared.
    roles : mapping, optional
        Of relations and events, the weights of roles, e.g. {"source": 2, "target": 1}; those of others are 1.
    directed : bool
        Whether the direction from source to target of relations counts; if not, the better of the two orders is taken.
    chance : {"auto", "shift", "corpus", "statistical"}
        Random annotations from each document itself (§5.2.1) or from all of them (§5.2.2); auto uses the corpus if
        it has enough documents for 30 different mixtures, as the paper recommends. `statistical` draws lengths and gaps
        from normal distributions, as pygamma-agreement does by default, to compare with values computed by it.
    precision, confidence : float
        Sample until the expected disorder has this relative error with this confidence (§5.3), at least 30 times.
    time_limit : float, str or None
        How long the whole measurement may take: seconds, or text such as "90s", "5m" or "2h". Alignments that are not
        proven by then are reported with their gap, and sampling ends, with an error that is reported, too. What is
        proven in time does not depend on it. Without a limit, one alignment is given up after 30 s, a random one after
        3 s.
    rows : {"items", "annotators"}, optional
        What the rows of a bare table are, as for all measures; γ itself needs units, which such a table does not have.
    rng : int, Generator or None
        Seed; the same seed yields the same numbers. None draws a new one.
    workers : int, Executor or None
        How many CPU cores to use, or any `concurrent.futures.Executor`; by default all cores.
    progress : callable, optional
        Called with (done, total) after each part of the work.

    Returns
    -------
    GammaResult

    See Also
    --------
    align, text_gamma, u_alpha, discretized_alpha

    Examples
    --------
    >>> import unisono
    >>> corpus = unisono.Corpus.from_columns(
    ...     annotator=["anna", "anna", "bert", "bert"],
    ...     start=[0, 5, 0, 6],
    ...     end=[4, 9, 4, 9],
    ...     features={"category": ["PER", "LOC", "PER", "ORG"]},
    ... )
    >>> result = unisono.gamma(corpus, precision=0.1)
    >>> round(result.observed, 3)
    0.51
    >>> 0 < result.value < 1
    True
    >>> result.alignment["document"].disorder == result.observed
    True
    """
    units = as_corpus(corpus, rows=rows, instead=INSTEAD)
    settings = gamma_settings(
        units,
        alpha=alpha,
        beta=beta,
        delta_empty=delta_empty,
        features=features,
        distance=distance,
        f_cat=f_cat,
        dissimilarity=dissimilarity,
        roles=roles,
        directed=directed,
        chance=chance,
        precision=precision,
        confidence=confidence,
        time_limit=time_limit,
        rng=rng,
    )
    return measure_gamma(units, settings, workers=workers, progress=progress)


def gamma_settings(
    corpus: Corpus,
    *,
    alpha: float = 1.0,
    beta: float = 1.0,
    delta_empty: float = 1.0,
    features: str | Sequence[str] | Mapping[str, float] | None = None,
    distance: Any = "nominal",
    f_cat: str | Callable[[Any], Any] = "linear",
    dissimilarity: Callable[[Units, Units], Any] | None = None,
    roles: Mapping[str, float] | None = None,
    directed: bool = True,
    chance: str = "auto",
    precision: float = 0.02,
    confidence: float = 0.95,
    time_limit: float | str | None = None,
    rng: int | np.random.Generator | None = 42,
) -> Settings:
    """Make settings from the arguments of `gamma`."""
    definition = _dissimilarity(
        corpus, alpha, beta, delta_empty, features, distance, f_cat, dissimilarity, _roles(corpus, roles, directed)
    )
    effort = Effort(precision, confidence, check_time_limit(time_limit), check_seed(rng))
    settings = Settings(definition, check_choice(chance, "chance", CHANCE), effort)
    if chance == "corpus":
        _refuse_few_documents(corpus)
    return settings


def align(
    corpus: DataLike,
    *,
    alpha: float = 1.0,
    beta: float = 1.0,
    delta_empty: float = 1.0,
    features: str | Sequence[str] | Mapping[str, float] | None = None,
    distance: Any = "nominal",
    f_cat: str | Callable[[Any], Any] = "linear",
    dissimilarity: Callable[[Units, Units], Any] | None = None,
    roles: Mapping[str, float] | None = None,
    directed: bool = True,
    time_limit: float | str | None = None,
    rows: Rows = None,
    workers: Workers = None,
    progress: Progress | None = None,
) -> dict[str, Alignment]:
    """Align the units of each document as γ does, without the random samples that γ needs.

    Parameters
    ----------
    corpus, alpha, beta, delta_empty, features, distance, f_cat, dissimilarity, roles, directed
        As in `gamma`.
    time_limit, rows, workers, progress
        As in `gamma`.

    Returns
    -------
    dict
        Document to its best alignment; documents with fewer than two annotators have none.

    See Also
    --------
    gamma, Alignment

    Examples
    --------
    >>> import unisono
    >>> corpus = unisono.Corpus.from_columns(
    ...     annotator=["anna", "anna", "bert", "bert"],
    ...     start=[0, 5, 0, 6],
    ...     end=[4, 9, 4, 9],
    ...     features={"category": ["PER", "LOC", "PER", "ORG"]},
    ... )
    >>> alignment = unisono.align(corpus)["document"]
    >>> round(alignment.disorder, 3)
    0.51
    """
    units = as_corpus(corpus, rows=rows, instead=INSTEAD)
    definition = _dissimilarity(
        units, alpha, beta, delta_empty, features, distance, f_cat, dissimilarity, _roles(units, roles, directed)
    )
    bound = definition.bind(units.features)
    sets = annotation_sets(units, bound.features)
    for own in sets:
        expect_work(own.n_units, own.n_annotators)
    with pool(workers, parallel=compiled(), progress=progress) as crew:
        deadline = Deadline.after(check_time_limit(time_limit))
        solutions = align_documents(canonical_documents(sets), bound, deadline, crew)
    return {
        document.name: Alignment(document, own, solution, bound)
        for document, own, solution in zip(units, sets, solutions, strict=True)
        if solution is not None
    }


@dataclass(frozen=True)
class Settings:
    """Everything that a value of γ depends on besides the data."""

    dissimilarity: Dissimilarity
    chance: str
    effort: Effort


def measure_gamma(
    corpus: Corpus,
    settings: Settings,
    *,
    workers: Workers = None,
    progress: Progress | None = None,
    ledger: Ledger[MeasuredBatch] | None = None,
) -> GammaResult:
    """Measure γ with these settings, batch by batch; a ledger keeps batches, and has those that are done already."""
    dissimilarity = settings.dissimilarity.bind(corpus.features)
    kind = _chance_kind(corpus, settings.chance)
    deadline = Deadline.after(settings.effort.time_limit)
    plan = BatchPlan(replace(settings, chance=kind), dissimilarity)
    for n, n_units in _units_by_annotators(corpus).items():
        expect_work(n_units * (1 + FEWEST_SAMPLES), n)
    ranges = batches_of(corpus.sizes)
    with pool(workers, parallel=compiled(), progress=progress) as crew:
        repeats = repeated_contents(corpus, dissimilarity.features)
        arrays: BatchArrays | None = None
        if kind == "corpus" and ledger is None:
            arrays = BatchArrays.of(corpus, dissimilarity)
            plan = _with_mixtures(plan, _mixtures(arrays.documents, repeats), deadline.portion(0.5), crew)
        elif ledger is not None and kind == "corpus":
            # files of documents that are mixed may not be where an executor is, and samples are few
            mixing = Pool() if isinstance(workers, Executor) else crew
            mixtures = ledger.filed(lambda folder: filed_mixtures(corpus, dissimilarity.features, repeats, folder))
            plan = _with_mixtures(plan, mixtures, deadline.portion(0.5), mixing, ledger)
        # on other computers, whole batches need the network least, however long they take
        whole = kind == "corpus" or isinstance(workers, Executor) or settings.effort.precision >= _FINE
        together = whole and crew.many(len(ranges))
        shares = _shares(ranges, corpus.sizes, crew.count if ledger is not None or together else 1)

        # other processes get the documents only; of a corpus in a folder they get its name, unless they are elsewhere
        in_folder = ledger is not None and not isinstance(workers, Executor)

        def job(batch: range) -> BatchJob:
            own = {index - batch.start: repeats[index] for index in batch if index in repeats}
            if in_folder:
                return BatchJob(corpus, batch, batch.start, own, plan, deadline, shares[batch.start], compiled())
            part = corpus.part(batch.start, batch.stop)
            known = None if arrays is None else arrays.part(batch)
            within, share = range(len(batch)), shares[batch.start]
            return BatchJob(part, within, batch.start, own, plan, deadline, share, compiled(), known)

        batches: Iterable[MeasuredBatch]
        if ledger is not None:
            batches = ledger.all(ranges, job, run_slim_batch, crew)
        elif together:
            batches = crew.map(run_whole_batch, [job(batch) for batch in ranges])
        else:  # what there is to do in a batch is shared out instead
            batches = [measured_batch(job(b), crew.part(n, len(ranges))) for n, b in enumerate(ranges)]
    again = Again(measure_gamma, plan.settings, workers, progress)
    return _result(corpus, plan, batches, again)


@dataclass(frozen=True)
class BatchPlan:
    """How all batches of a corpus are measured."""

    settings: Settings  # with the chance model that was chosen
    dissimilarity: BoundDissimilarity
    # for annotations mixed from all documents: number of annotators to what chance gives, or why that is unknown
    mixtures: Mapping[int, ExpectedCategories | str] = field(default_factory=dict)


@dataclass(frozen=True)
class BatchArrays:
    """Documents as arrays: in the order of their annotators, and in the form that they are aligned in."""

    sets: Sequence[AnnotationSet]
    documents: Sequence[Canonical]

    @classmethod
    def of(cls, corpus: Corpus, dissimilarity: BoundDissimilarity) -> BatchArrays:
        """Make the arrays of all documents of a corpus."""
        sets = annotation_sets(corpus, dissimilarity.features)
        return cls(sets, canonical_documents(sets))

    def part(self, batch: range) -> BatchArrays:
        """Return some of them."""
        return BatchArrays(self.sets[batch.start : batch.stop], self.documents[batch.start : batch.stop])


@dataclass(frozen=True)
class BatchJob:
    """Some documents of a corpus to measure; one in a folder is sent to other processes as the folder's name only."""

    corpus: Corpus
    batch: range
    first: int  # the number of the first of them
    repeats: Mapping[int, int]  # how many earlier documents have the same content, of those that repeat one
    plan: BatchPlan
    deadline: Deadline  # of the whole corpus
    share: float  # of the time that is left when the batch begins
    compiled: bool
    arrays: BatchArrays | None = None  # the documents as arrays, if that is known


def run_whole_batch(job: BatchJob) -> MeasuredBatch:
    """Measure some documents, in any process."""
    if job.compiled:
        compile_kernels()
    return measured_batch(job, Pool())


def run_slim_batch(job: BatchJob) -> MeasuredBatch:
    """Do the same; alignments and random samples are not kept."""
    return replace(run_whole_batch(job), solutions={}, chances={})


def measured_batch(job: BatchJob, crew: Pool) -> MeasuredBatch:
    """Measure some documents."""
    plan, part = job.plan, job.corpus.part(job.batch.start, job.batch.stop)
    arrays = job.arrays or BatchArrays.of(part, plan.dissimilarity)
    sets, documents = arrays.sets, arrays.documents
    deadline, prepared = job.deadline.portion(job.share), prepared_seconds()
    until = deadline if plan.mixtures else deadline.portion(0.5)
    solutions = align_documents(documents, plan.dissimilarity, until, crew)
    deadline = deadline.later(prepared_seconds() - prepared)  # the first batch should not pay for loading machine code
    chances = _mixture_of_each(sets, plan) if plan.mixtures else _own_chances(documents, job, deadline, crew)
    judged = [
        _judged(document, chance, solution, plan.dissimilarity, units)
        for document, chance, solution, units in zip(part, chances, solutions, sets, strict=True)
    ]
    return made_batch(job.first, sets, solutions, judged, plan.dissimilarity)


@dataclass(frozen=True)
class _Chance:
    """What chance gives for a document: the number of its model, the expected disorder or why there is none, notes."""

    model: int
    expected: ExpectedCategories | str
    notes: tuple[str, ...] = ()


def _own_chances(documents: Sequence[Canonical], job: BatchJob, deadline: Deadline, crew: Pool) -> list[_Chance | None]:
    """Sample each document's own chance model; documents with fewer than two annotators have none."""
    kind = Shift if job.plan.settings.chance == "shift" else Statistical
    models: dict[int, ChanceModel] = {}
    for index, document in enumerate(documents):
        if document.units.n_annotators > 1:
            key = numbered_key(document.digest, job.repeats.get(index, 0))
            models[index] = kind(document.units, job.first + index, key)
    impossible = {index: reason for index, model in models.items() if (reason := model.impossible) is not None}
    possible = {str(index): model for index, model in models.items() if index not in impossible}
    expected = expect(possible, Sampling(job.plan.dissimilarity, job.plan.settings.effort, deadline), crew)
    return [
        None
        if index not in models
        else _Chance(job.first + index, impossible[index])
        if index in impossible
        else _Chance(job.first + index, expected[str(index)], models[index].notes)
        for index in range(len(documents))
    ]


def _mixture_of_each(sets: Sequence[AnnotationSet], plan: BatchPlan) -> list[_Chance | None]:
    """Return the mixture of each document; documents with fewer than two annotators have none."""
    # numbers below 0 are not those of documents
    return [
        _Chance(-units.n_annotators, plan.mixtures[units.n_annotators]) if units.n_annotators > 1 else None
        for units in sets
    ]


def _judged(
    document: Document,
    chance: _Chance | None,
    solution: Solution | None,
    dissimilarity: BoundDissimilarity,
    units: AnnotationSet,
) -> Judged:
    """State what one document's value is, or why it has none."""
    different = _DIFFERENT_TEXTS if document.texts_differ else None
    guessed = _GUESSED_FROM_MORE if document.guessed_from_more else None
    about = tuple(filter(None, (different, guessed)))
    if chance is None or solution is None:
        return Judged(NONE, None, "fewer than two annotators worked on it", about)
    if not units.n_units:
        return Judged(chance.model, None, "no annotator marked anything", about)
    if not isinstance(chance.expected, str) and chance.expected.mean != 0:
        return Judged(chance.model, chance.expected, None, (*chance.notes, *about))
    disorder = solution.total * dissimilarity.definition.delta_empty / units.mean_units
    agree = "all annotators agree exactly" if disorder == 0 else None
    if isinstance(chance.expected, str):
        reason = f"the expected disorder cannot be estimated: {chance.expected}"
        unknown = Judged(chance.model, None, reason, about)
        return replace(unknown, undefined=None, notes=(f"{agree}; {reason}", *about)) if agree else unknown
    reason = "the expected disorder is 0"
    nothing = Judged(chance.model, chance.expected, reason, about)
    return replace(nothing, undefined=None, notes=(f"{agree}, and {reason} too", *about)) if agree else nothing


def _result(corpus: Corpus, plan: BatchPlan, batches: Iterable[MeasuredBatch], again: Again) -> GammaResult:
    """Put batches together."""
    dissimilarity = plan.dissimilarity
    n_labels = len(dissimilarity.labels[dissimilarity.features[0]]) if dissimilarity.features else 0
    pieces: list[DocumentColumns] = []
    solutions: dict[int, Solution] = {}
    chances: dict[int, ExpectedCategories] = {}
    category_sums, label_counts = np.zeros((4, 1 + n_labels)), np.zeros(1 + n_labels, np.int64)
    for batch in batches:
        pieces.append(batch.columns)
        solutions.update(batch.solutions)
        chances.update(batch.chances)
        category_sums += batch.category_sums
        label_counts += batch.label_counts
    columns = DocumentColumns.joined(pieces)
    mixtures = {-n: chance for n, chance in plan.mixtures.items() if not isinstance(chance, str)}
    alignments = Alignments(corpus, dissimilarity, plan.settings.effort.time_limit, solutions)
    return GammaResult(
        corpus,
        _parameters(plan.settings),
        plan.settings.effort,
        plan.settings.chance,
        Documents(corpus.documents, columns, dissimilarity.definition.delta_empty, alignments, {**chances, **mixtures}),
        again,
        dissimilarity.features[0] if dissimilarity.features and columns.aligned.any() else None,
        category_sums,
        label_counts,
    )


def _chance_kind(corpus: Corpus, wanted: str) -> str:
    """Choose the chance model: the corpus if it has enough documents for every number of annotators."""
    if wanted != "auto":
        return wanted
    n_annotators = corpus.worked.sum(axis=1)
    measured = n_annotators[(n_annotators > 1) & (corpus.sizes > 0)]
    sizes = np.unique(n_annotators[n_annotators > 1]).tolist()
    rich = (len(measured) >= n and enough_combinations(len(measured), float(np.mean(measured)), n) for n in sizes)
    return "corpus" if sizes and all(rich) else "shift"


def _mixtures(documents: Sequence[Canonical], repeats: Mapping[int, int]) -> dict[int, Mixture]:
    """Return the documents to mix, for each number of annotators."""
    sets = [document.units for document in documents]
    keys = [numbered_key(document.digest, repeats.get(index, 0)) for index, document in enumerate(documents)]
    return {n: Mixture(sets, n, keys) for n in sorted({units.n_annotators for units in sets}) if n > 1}


def _with_mixtures(
    plan: BatchPlan,
    mixtures: Mapping[int, Mixture],
    deadline: Deadline,
    crew: Pool,
    ledger: Ledger[MeasuredBatch] | None = None,
) -> BatchPlan:
    """Sample what chance gives if documents are mixed, for each number of annotators."""
    possible = {mixture.stream: mixture for mixture in mixtures.values() if mixture.impossible is None}
    expected = expect(possible, Sampling(plan.dissimilarity, plan.settings.effort, deadline), crew, ledger)
    return replace(
        plan, mixtures={n: mixture.impossible or expected[mixture.stream] for n, mixture in mixtures.items()}
    )


def _shares(ranges: Sequence[range], sizes: IntArray, n_workers: int) -> dict[int, float]:
    """Return what part of the time that is left when it begins each batch may take, by its first document.

    It is what the batch is of all that is then left to do, by units; so time that a batch does not need is left for
    those after it.
    """
    own = np.array([sizes[batch.start : batch.stop].sum() for batch in ranges], np.float64)
    to_do = np.cumsum(own[::-1])[::-1]
    shares = np.minimum(1.0, n_workers * own / np.maximum(to_do, 1.0))
    return {batch.start: share for batch, share in zip(ranges, shares.tolist(), strict=True)}


def _units_by_annotators(corpus: Corpus) -> dict[int, int]:
    """Return the number of units in documents with each number of annotators, two or more."""
    totals = np.bincount(corpus.worked.sum(axis=1), weights=corpus.sizes)
    return {n: int(total) for n, total in enumerate(totals.tolist()) if n > 1 and total}


def _refuse_few_documents(corpus: Corpus) -> None:
    """Reject the request; if only a pair or a group has too few documents, the value is undefined instead."""
    n_annotators = corpus.worked.sum(axis=1)
    measured = (n_annotators > 1) & (corpus.sizes > 0)
    reason = too_few_documents(int(measured.sum()), int(n_annotators.max(initial=0)))
    if corpus.n_units and reason is not None:
        raise OptionError.about("chance", reason)


def _dissimilarity(
    corpus: Corpus,
    alpha: float,
    beta: float,
    delta_empty: float,
    features: str | Sequence[str] | Mapping[str, float] | None,
    distance: Any,
    f_cat: str | Callable[[Any], Any],
    custom: Callable[[Units, Units], Any] | None,
    roles: AnchorRoles,
) -> Dissimilarity:
    with naming("distance"):
        distances = read_gamma_distances(distance)
    with naming("features"):
        chosen = weighted_features(_chosen_features(corpus, features), distances)
    weights = check_number(alpha, "alpha", low=0), check_number(beta, "beta", low=0)
    return Dissimilarity(*weights, check_number(delta_empty, "delta_empty", above=0), chosen, f_cat, custom, roles)


def _roles(corpus: Corpus, weights: Mapping[str, float] | None, directed: bool) -> AnchorRoles:
    roles = AnchorRoles.of(weights, check_flag(directed, "directed"))
    roles.check(corpus.anchors)
    return roles


class Alignments(LazyAlignments[Alignment]):
    """The best alignment of each document, by its name; what was not kept is aligned again when it is asked for."""

    def __init__(
        self,
        corpus: Corpus,
        dissimilarity: BoundDissimilarity,
        time_limit: float | None,
        solutions: Mapping[int, Solution],
    ) -> None:
        super().__init__(corpus, np.flatnonzero(corpus.worked.sum(axis=1) > 1).tolist())
        self._dissimilarity = dissimilarity
        self._time_limit = time_limit
        self._solutions = solutions

    def values(self) -> ValuesView[Alignment]:
        """Return all of them; the units of all documents are looked up together, which is several times as fast."""
        if len(self._made) < len(self):
            sets = annotation_sets(self._corpus, self._dissimilarity.features)
            for name, index in self._places.items():
                if name not in self._made:
                    self._made[name] = self._of(Document(self._corpus, index), sets[index])
        return super().values()

    def _make(self, document: Document) -> Alignment:
        return self._of(document, document.annotation_set(self._dissimilarity.features))

    def _of(self, document: Document, units: AnnotationSet) -> Alignment:
        solution = self._solutions.get(document.index)
        if solution is None:
            own = canonical_documents([units])
            deadline = Deadline.after(self._time_limit)
            (solution,) = align_documents(own, self._dissimilarity, deadline, Pool())
        assert solution is not None  # several annotators worked on it
        return Alignment(document, units, solution, self._dissimilarity)


def _chosen_features(
    corpus: Corpus, features: str | Sequence[str] | Mapping[str, float] | None
) -> Sequence[str] | Mapping[str, float]:
    if features is not None:
        return features if isinstance(features, Mapping) else check_names(features, "features")
    names = corpus.label_features
    if len(names) > 1 and "type" in names:
        first, layers = corpus.features["type"].labels[0], listed([*map(str, corpus.features["type"].labels)])
        raise DataError(
            f"there are units of several layers ({layers}); choose one ({mention('layers', str(first))}), or name the "
            f"features that count: features=[{','.join(names)}]"
        )
    if len(names) > 1:
        raise DataError(
            f"no feature is named category; name those that count, with weights if needed: features=[{','.join(names)}]"
        )
    return names


def _parameters(settings: Settings) -> dict[str, Any]:
    """Return what goes into the signature: the main parameters always, others where they are not the default."""
    it = settings.dissimilarity
    parameters: dict[str, Any] = {"alpha": it.alpha, "beta": it.beta, "delta_empty": it.delta_empty}
    if it.custom is not None:
        parameters["dissimilarity"] = function_name(it.custom)
    features = spelled_features(it.features)
    if features not in ("", "category"):
        parameters["features"] = features
    if it.f_cat != "linear":
        parameters["f_cat"] = it.f_cat if isinstance(it.f_cat, str) else function_name(it.f_cat)
    if it.roles.weights:
        parameters["roles"] = spelled_roles(it.roles)
    if not it.roles.directed:
        parameters["directed"] = False
    parameters["chance"] = settings.chance
    return {**parameters, **settings.effort.spelled()}
