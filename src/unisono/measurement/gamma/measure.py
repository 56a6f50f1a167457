"""The agreement measure γ (Mathet, Widlöcher & Métivier 2015).

γ = 1 - δ_o/δ_e: δ_o is the least disorder over all alignments of the annotators' units, δ_e the mean of the same over
annotations made at random.

References
----------
.. [1] Mathet, Y., Widlöcher, A. & Métivier, J.-P. (2015). The unified and holistic method gamma (γ) for
       inter-annotator agreement measure and alignment. Computational Linguistics 41(3), 437–479.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from unisono.alignment.alignment import Alignment
from unisono.alignment.solution import Solution
from unisono.chance.canonical import Canonical, canonical_documents, content_keys
from unisono.chance.corpus import Mixture
from unisono.chance.draw import ChanceModel
from unisono.chance.shift import Shift
from unisono.chance.statistical import Statistical
from unisono.chance.stopping import FEWEST_SAMPLES
from unisono.checks import check_choice, check_names, check_number, check_seed
from unisono.data import AnnotationSet, Corpus, Document
from unisono.data.ratings import Rows
from unisono.data.sets import annotation_sets
from unisono.dissimilarity.combined import (
    BoundDissimilarity,
    Dissimilarity,
    Units,
    spelled_features,
    weighted_features,
)
from unisono.errors import DataError, OptionError, listed, mention, naming
from unisono.execution import Progress, Workers, pool
from unisono.formats.entry import DataLike, as_corpus
from unisono.kernels import compiled, expect_work
from unisono.measurement.disorder.document import DocumentResult
from unisono.measurement.disorder.effort import Again, Effort, check_time_limit
from unisono.measurement.disorder.fit import INSTEAD
from unisono.measurement.gamma.aligning import align_documents
from unisono.measurement.gamma.expected import ExpectedCategories, Sampling, expect
from unisono.measurement.gamma.result import GammaResult
from unisono.measurement.readers import read_gamma_distances
from unisono.results import function_name

_DIFFERENT_TEXTS = (
    "annotators have different texts, but γ does not align them; use text-gamma, or check which file is whose"
)
_GUESSED_FROM_MORE = (
    "the start and end of the continuum were guessed from all units, including those that were filtered out; provide "
    "the text or the bounds"
)
CHANCE = ("auto", "shift", "corpus", "statistical")


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
    chance: str = "auto",
    precision: float = 0.02,
    confidence: float = 0.95,
    time_limit: float | None = 30.0,
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
    chance : {"auto", "shift", "corpus", "statistical"}
        Random annotations from each document itself (§5.2.1) or from all of them (§5.2.2); auto uses the corpus if
        it has enough documents for 30 different mixtures, as the paper recommends. `statistical` draws lengths and gaps
        from normal distributions, as pygamma-agreement does by default, to compare with values computed by it.
    precision, confidence : float
        Sample until the expected disorder has this relative error with this confidence (§5.3), at least 30 times.
    time_limit : float or None
        Seconds for one alignment, after which the best one found is used and its gap reported; random ones get a
        tenth of that. Only alignments that cannot be proven in time depend on how fast the machine is.
    rows : {"items", "annotators"}, optional
        What the rows of a bare table are, as for all measures; γ itself needs units, which such a table does not have.
    rng : int, Generator or None
        Seed; the same seed yields the same numbers. None draws a new one.
    workers : int, Executor or None
        Threads, or any `concurrent.futures.Executor`.
    progress : callable, optional
        Called with (done, total) after each alignment.

    Returns
    -------
    GammaResult
    """
    units = as_corpus(corpus, rows=rows, instead=INSTEAD)
    definition = _dissimilarity(units, alpha, beta, delta_empty, features, distance, f_cat, dissimilarity)
    effort = Effort(precision, confidence, time_limit, check_seed(rng))
    settings = Settings(definition, check_choice(chance, "chance", CHANCE), effort)
    if chance == "corpus":
        _refuse_few_documents(units)
    return measure_gamma(units, settings, workers=workers, progress=progress)


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
    time_limit: float | None = 30.0,
    rows: Rows = None,
    workers: Workers = None,
    progress: Progress | None = None,
) -> dict[str, Alignment]:
    """Align the units of each document as γ does, without the random samples that γ needs.

    Parameters are those of `gamma`.

    Returns
    -------
    dict
        Document to its best alignment; documents with fewer than two annotators have none.
    """
    units = as_corpus(corpus, rows=rows, instead=INSTEAD)
    definition = _dissimilarity(units, alpha, beta, delta_empty, features, distance, f_cat, dissimilarity)
    bound = definition.bind(units.features)
    sets = _annotation_sets(units, bound)
    with pool(workers, parallel=compiled(), progress=progress) as crew:
        solutions = align_documents(canonical_documents(sets), bound, check_time_limit(time_limit), crew)
    return _alignments(units, sets, solutions, bound)


@dataclass(frozen=True)
class Settings:
    """Everything that a value of γ depends on besides the data."""

    dissimilarity: Dissimilarity
    chance: str
    effort: Effort


def measure_gamma(
    corpus: Corpus, settings: Settings, *, workers: Workers = None, progress: Progress | None = None
) -> GammaResult:
    """Measure γ with these settings."""
    dissimilarity = settings.dissimilarity.bind(corpus.features)
    sets = _annotation_sets(corpus, dissimilarity)
    documents = canonical_documents(sets)
    chance = _chance(corpus, documents, settings.chance)
    for model in chance.models.values():
        expect_work(model.n_units * FEWEST_SAMPLES, model.n_annotators)
    with pool(workers, parallel=compiled(), progress=progress) as crew:
        solutions = align_documents(documents, dissimilarity, settings.effort.time_limit, crew)
        expected = expect(chance.models, Sampling(dissimilarity, settings.effort), crew)
    alignments = _alignments(corpus, sets, solutions, dissimilarity)
    results = tuple(
        _document(document, units, alignments.get(document.name), chance, expected)
        for document, units in zip(corpus, sets, strict=True)
    )

    parameters = _parameters(settings, chance.kind)
    again = Again(measure_gamma, replace(settings, chance=chance.kind), workers, progress)
    return GammaResult(corpus, parameters, settings.effort, chance.kind, results, again)


def _refuse_few_documents(corpus: Corpus) -> None:
    """Reject the request; if only a pair or a group has too few documents, the value is undefined instead."""
    sets = annotation_sets(corpus)
    largest = max((units.n_annotators for units in sets), default=0)
    if any(units.n_units for units in sets) and (reason := Mixture(sets, largest).impossible) is not None:
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
) -> Dissimilarity:
    with naming("distance"):
        distances = read_gamma_distances(distance)
    with naming("features"):
        chosen = weighted_features(_chosen_features(corpus, features), distances)
    weights = check_number(alpha, "alpha", low=0), check_number(beta, "beta", low=0)
    return Dissimilarity(*weights, check_number(delta_empty, "delta_empty", above=0), chosen, f_cat, custom)


def _annotation_sets(corpus: Corpus, dissimilarity: BoundDissimilarity) -> list[AnnotationSet]:
    """Return the documents as arrays that will be aligned."""
    sets = annotation_sets(corpus, dissimilarity.features)
    for units in sets:
        expect_work(units.n_units, units.n_annotators)
    return sets


@dataclass(frozen=True)
class _Chance:
    """Which chance model serves which document.

    Attributes
    ----------
    kind : str
        shift, corpus or statistical.
    models : dict
        The chance models by name.
    model_of : dict
        Document to the name of its model.
    impossible : dict
        Document to the reason why it has none.
    """

    kind: str
    models: Mapping[str, ChanceModel]
    model_of: Mapping[str, str]
    impossible: Mapping[str, str]


def _alignments(
    corpus: Corpus,
    sets: Sequence[AnnotationSet],
    solutions: Sequence[Solution | None],
    dissimilarity: BoundDissimilarity,
) -> dict[str, Alignment]:
    return {
        document.name: Alignment(document, units, solution, dissimilarity)
        for document, units, solution in zip(corpus, sets, solutions, strict=True)
        if solution is not None
    }


def _chance(corpus: Corpus, documents: Sequence[Canonical], wanted: str) -> _Chance:
    sets = [document.units for document in documents]
    keys = content_keys(documents)
    several = [index for index, units in enumerate(sets) if units.n_annotators > 1]
    sizes = sorted({sets[index].n_annotators for index in several})
    mixtures = {n: Mixture(sets, n, keys) for n in sizes}
    if wanted == "auto":
        wanted = "corpus" if sizes and all(mixture.rich for mixture in mixtures.values()) else "shift"
    if wanted == "corpus":
        models: dict[str, ChanceModel] = {mixture.stream: mixture for mixture in mixtures.values()}
        model_of = {corpus.documents[index]: mixtures[sets[index].n_annotators].stream for index in several}
    else:
        kind = Shift if wanted == "shift" else Statistical
        models = {corpus.documents[index]: kind(sets[index], index, keys[index]) for index in several}
        model_of = {name: name for name in models}
    impossible = {name: reason for name in model_of if (reason := models[model_of[name]].impossible) is not None}
    usable = {key: model for key, model in models.items() if model.impossible is None}
    return _Chance(wanted, usable, model_of, impossible)


def _document(
    document: Document,
    units: AnnotationSet,
    alignment: Alignment | None,
    chance: _Chance,
    expected: Mapping[str, ExpectedCategories],
) -> DocumentResult[Alignment, ExpectedCategories]:
    """State what one document's value is, or why it has none."""
    name = document.name
    different = _DIFFERENT_TEXTS if document.texts_differ else None
    guessed = _GUESSED_FROM_MORE if document.guessed_from_more else None
    about = tuple(filter(None, (different, guessed)))

    def result(
        sampled: ExpectedCategories | None, undefined: str | None, *notes: str
    ) -> DocumentResult[Alignment, ExpectedCategories]:
        return DocumentResult(name, units.n_units, units.n_annotators, alignment, sampled, undefined, notes + about)

    if alignment is None:
        return result(None, "fewer than two annotators worked on it")
    if alignment.disorder is None:
        return result(None, "no annotator marked anything")
    agree = "all annotators agree exactly" if alignment.disorder == 0 else None
    if name in chance.impossible:
        reason = f"the expected disorder cannot be estimated: {chance.impossible[name]}"
        return result(None, None, f"{agree}; {reason}") if agree else result(None, reason)
    model = chance.model_of[name]
    sampled = expected[model]
    if sampled.mean == 0:
        reason = "the expected disorder is 0"
        return result(sampled, None, f"{agree}, and {reason} too") if agree else result(sampled, reason)
    return result(sampled, None, *chance.models[model].notes)


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


def _parameters(settings: Settings, chance: str) -> dict[str, Any]:
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
    parameters["chance"] = chance
    return {**parameters, **settings.effort.spelled()}
