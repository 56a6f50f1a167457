"""What results of text-γ have beyond other measures of disorder: rates of changes, agreement by type and by feature."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, TypeAlias

import numpy as np

from unisono import tables
from unisono.alignment.text_alignment import TextAlignment
from unisono.alignment.texts import LayerAlignment, aligned_units
from unisono.arrays import FloatArray
from unisono.data.editions import Editions
from unisono.dissimilarity.text import BoundText
from unisono.errors import listed, plural
from unisono.measurement.disorder.result import DisorderResult, ranked_values
from unisono.measurement.text_gamma.expected import ExactExpected, TextExpected, means_by_type
from unisono.measurement.text_gamma.models import label_frequencies
from unisono.measurement.text_gamma.rates import Rate, Rates
from unisono.results import VALUES, Estimate, Line, Table, columns, from_disagreement

Chance: TypeAlias = TextExpected | ExactExpected

_NO_CHOICE = "all units have the same label, so agreement on it cannot be distinguished from chance"


_MANY_WITHOUT = 0.1
"""If this share of units or more lacks a feature, observed and expected disorder are hard to compare."""
_TOO_MANY_LABELS = "there are too many different labels to compare them all, so chance is unknown for this one"


@dataclass(frozen=True, eq=False, repr=False)
class TextGammaResult(DisorderResult[TextAlignment, Chance]):
    """Text-γ of a corpus; see `DisorderResult`.

    Attributes
    ----------
    editions : Editions
        Texts and units as they were compared.
    layers : mapping
        Index of a document to its alignments, type by type.
    rates : Rates
        How often random annotators change text and segmentation.
    dissimilarity : BoundText
        d(u, v).

    See Also
    --------
    text_gamma, Prior, TextAlignment

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
    >>> round(result.value, 3), result.n_units, result.rates.text.value
    (0.455, 6, 0.0)
    """

    editions: Editions
    layers: Mapping[int, Sequence[LayerAlignment]]
    rates: Rates
    dissimilarity: BoundText

    measure = "text-gamma"
    symbol = "tγ"
    words: ClassVar[Mapping[str, str]] = {"text": "texts", "moved": "moved units"}

    @property
    def _excessive_errors(self) -> FloatArray:
        """The relative error of the expected disorder of all documents together, which is what samples are drawn for.

        0 where it is as small as wanted. Shape (1,).
        """
        error = self.effort.quantile * (self.expected_error or 0.0) / self.expected if self.expected else 0.0
        return np.array([error if error > self.effort.precision * (1 + 1e-9) else 0.0])

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know about the value."""
        rates = {"p_text": self.rates.text, **{f"p_segmentation of {k}": r for k, r in self.rates.segmentation.items()}}
        above = [name for name, rate in rates.items() if rate.above]
        said = [f"{name} was estimated above 1, so 1 is used: there are more changes than units" for name in above]
        return (*super().notes, *said, *self._sparse())

    def _sparse(self) -> list[str]:
        """Warn about features that many units lack, for which 0 is not chance."""
        names = [
            name
            for place, kind in enumerate(self.editions.kinds)
            for name, counts in zip(kind.features, label_frequencies(self.editions, place), strict=True)
            if counts[0] > _MANY_WITHOUT * counts.sum()
        ]
        if not names:
            return []
        return [
            f"many units have no {listed([*dict.fromkeys(names)], 5)}: observed disorder counts the features that a "
            "pair has, expected disorder counts all of them, so tγ is lower than the agreement beyond chance; "
            "measure the features that few units have separately (features=…)"
        ]

    @cached_property
    def n_units(self) -> int:
        """Number of units that were compared: those of the types that count, and gaps if they do."""
        return int(self.documents.columns.n_units.sum())

    def more_lines(self) -> list[Line]:
        """Return the rates of changes."""
        lines = [Line("p_text", self.rates.text.value, f"of units with another text, {_where(self.rates.text)}")]
        for name, rate in self.rates.segmentation.items():
            of = f" of type {name}" if len(self.rates.segmentation) > 1 else ""
            lines.append(Line("p_segmentation", rate.value, f"splits and merges per unit{of}, {_where(rate)}"))
        return lines

    def tables(self) -> list[Table]:
        """Return tables for display, the worst first: documents, types and features."""
        types = self.types() if len(self.editions.kinds) > 1 else []
        features = self.features()
        found = [ranked_values("type", self.symbol, types)] if len(types) > 1 else []
        return super().tables() + found + ([ranked_values("feature", "agreement", features)] if features else [])

    @cached_property
    def per_type(self) -> Any:
        """Frame: text-γ of each type of units."""
        return tables.frame(columns(self.types(), ("type", *VALUES, "n_units")))

    @cached_property
    def per_feature(self) -> Any:
        """Frame: agreement on each feature, given the alignment."""
        return tables.frame(columns(self.features(), ("feature", *VALUES, "n_units")))

    def types(self) -> list[dict[str, Any]]:
        """Return text-γ of each type of units."""
        index, rows = np.flatnonzero(self.documents.usable), []
        if not len(index):
            return []
        means = means_by_type([self.documents.chances[document] for document in index.tolist()])
        place = np.searchsorted(np.fromiter(self.editions.places, np.int64), index)
        n_units = np.add.reduceat(self.editions.stacked.n_units, self.editions.first, axis=0)[place]
        weights = n_units / self.editions.sizes[place, None]
        for k, kind in enumerate(self.editions.kinds):
            known = np.flatnonzero(np.isfinite(means[:, k]))
            cost = sum([self.layers[document][k].total for document in index[known].tolist()])
            units, expected = (sum(of[known, k].tolist()) for of in (weights, weights * means))
            total = int(n_units[:, k].sum())
            estimate = from_disagreement(
                cost / units if units else 0.0, expected / units if units else 0.0, "the expected disorder is 0"
            )
            if total:
                rows.append({"type": kind.name, **_values(estimate), "n_units": total})
        return rows

    def features(self) -> list[dict[str, Any]]:
        """Return agreement on each feature of aligned units, 1 - D_o/D_e."""
        distances: dict[str, list[float]] = {}
        expected: dict[str, list[tuple[float, float]]] = {}
        for place, kind in enumerate(self.editions.kinds):
            frequencies = label_frequencies(self.editions, place)
            for name, frequency in zip(kind.features, frequencies, strict=True):
                mean = self.dissimilarity.expected(name, frequency)
                observed, n_pairs = self._observed(place, kind.features.index(name))
                distances.setdefault(name, []).append(observed)
                expected.setdefault(name, []).append((n_pairs, np.nan if mean is None else mean))
        rows = []
        for name, pairs in expected.items():
            n_pairs = sum(count for count, _ in pairs)
            if not n_pairs:
                continue
            chance = float(sum(count * mean for count, mean in pairs) / n_pairs)
            observed = sum(distances[name]) / n_pairs
            if np.isnan(chance):
                estimate = Estimate(None, observed, undefined=_TOO_MANY_LABELS, what="disagreement")
            else:
                estimate = from_disagreement(observed, chance, _NO_CHOICE)
            n_units = int((self.corpus.features[name].codes >= 0).sum())
            rows.append({"feature": name, **_values(estimate), "n_units": n_units})
        return rows

    def more_data(self) -> dict[str, Any]:
        """Return the rates of changes."""
        return {
            **super().more_data(),
            "p_text": {"value": self.rates.text.value, "origin": self.rates.text.origin},
            "p_segmentation": {
                name: {"value": rate.value, "origin": rate.origin} for name, rate in self.rates.segmentation.items()
            },
        }

    @cached_property
    def rows(self) -> Mapping[str, list[dict[str, Any]]]:
        """Two tables: text-γ of each type of units, and agreement on each feature, given the alignment."""
        return {"types": self.types(), "features": self.features()}

    def _observed(self, layer: int, feature: int) -> tuple[float, float]:
        """Sum the distances of a feature's labels over aligned pairs, and count the pairs."""
        compare = self.dissimilarity.compare[self.editions.kinds[layer].features[feature]]
        tables = [own[layer].table for own in self.layers.values()]
        stack = self.editions.stacked
        _, pairs = aligned_units(tables, self.editions.first)
        u, v = stack.labels(feature, layer, pairs.first, pairs.u), stack.labels(feature, layer, pairs.second, pairs.v)
        return float(compare(u, v).sum()), float(len(u))

    def _expected_remark(self) -> str:
        if self.documents.columns.n_samples[self.documents.usable].any():
            samples = f"{plural(self.n_samples, 'sample')} of chance ({self.chance})"
            return f"± {self.expected_error:.3f} standard error, {samples}"
        return "exact: text and segmentation do not change, only labels are random"


def _where(rate: Rate) -> str:
    return "prior and data (MAP)" if rate.origin == "map" else f"{rate.origin}"


def _values(estimate: Estimate) -> dict[str, Any]:
    return {name: getattr(estimate, name) for name in VALUES}
