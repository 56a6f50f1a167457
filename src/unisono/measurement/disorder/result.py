"""The result of a measure of disorder: the value for the corpus, each document and annotator, and the alignment.

γ and text-γ are both 1 - δ_o/δ_e: δ_o is the least disorder of an alignment of all units, δ_e that expected by chance.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Generic, Literal, overload

import numpy as np

from unisono.alignment.solution import relative_gap
from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.chance.sampling import Expected
from unisono.data import Corpus
from unisono.errors import listed, plural
from unisono.execution import Progress, Workers
from unisono.measurement.disorder.document import A, Documents, E
from unisono.measurement.disorder.effort import Again, Effort
from unisono.measurement.disorder.interval import DisorderParts
from unisono.measurement.disorder.limits import expected_note, observed_gaps, observed_note, sampling_note
from unisono.results import Estimate, Line, Result, Table, ValueScale


@dataclass(frozen=True, eq=False, repr=False)
class DisorderResult(Result, Generic[A, E]):
    """1 - δ_o/δ_e of a corpus.

    Attributes
    ----------
    corpus : Corpus
        The data.
    parameters : dict
        The measure's parameters, as in the signature.
    effort : Effort
        The precision, the time limit and the seed.
    chance : str
        The chance model used.
    documents : Documents
        Document by document.
    again : Again
        Measures another corpus in the same way.
    """

    corpus: Corpus
    parameters: Mapping[str, Any]
    effort: Effort
    chance: str
    documents: Documents[A, E]
    again: Again

    unit = "unit"
    scale: ClassVar[ValueScale] = "agreement"
    words: ClassVar[Mapping[str, str]] = {}

    @property
    def data(self) -> Corpus:
        """What was measured: the corpus."""
        return self.corpus

    @property
    def seed(self) -> int:
        """The seed of the random annotations."""
        return self.effort.seed

    @cached_property
    def estimate(self) -> Estimate:
        """1 - δ_o/δ_e: Σ cost / Σ x̄ over documents, and the documents' expected disorders, weighted by x̄."""
        found, usable = self.documents, self.documents.usable
        with_value, with_units = ~np.isnan(found.values), ~np.isnan(found.observed)
        counted = usable if usable.any() else with_value if with_value.any() else with_units
        observed, expected = self._pooled(counted, found.observed), self._pooled(usable, found.expected)
        if not usable.any() and not with_value.any():
            return Estimate(None, observed, expected, self._no_value())
        if not observed:
            return Estimate(1.0, observed, expected)
        return Estimate(1 - observed / expected if expected else None, observed, expected)

    def _no_value(self) -> str:
        reasons = self._reasons(np.ones(len(self.documents), dtype=np.bool_))
        if not reasons:
            return "there are no documents"
        return reasons[0] if len(reasons) == 1 else "no document has a value: " + "; ".join(reasons)

    @property
    def expected_error(self) -> float | None:
        """The Monte-Carlo standard error of δ_e; sampling of chance only, not of data."""
        usable, columns = self.documents.usable, self.documents.columns
        if not usable.any():
            return None
        # documents that share a model share its error
        _, first, model = np.unique(columns.model[usable], return_index=True, return_inverse=True)
        weights = np.bincount(model.reshape(-1), weights=columns.size[usable])
        variance = np.square(columns.error[usable][first] * weights / weights.sum()).sum()
        return float(np.sqrt(variance)) * self.documents.delta_empty

    @property
    def parts(self) -> DisorderParts:
        """The documents that can be left out, for intervals and comparisons."""
        mixed = {number: chance for number, chance in self.documents.chances.items() if isinstance(chance, Expected)}
        return DisorderParts(self.documents, mixed if self.chance == "corpus" else None)

    @cached_property
    def optimality_gap(self) -> float:
        """The fraction by which the observed disorder may exceed the minimum; 0 if it is proven minimal."""
        columns = self.documents.columns
        return relative_gap(float(np.nansum(columns.total)), float(np.nansum(columns.bound)))

    @cached_property
    def expected_gap(self) -> float:
        """The fraction by which the expected disorder may be too high; 0 if all random alignments are optimal."""
        return float(self._expected_gaps.max(initial=0.0))

    @property
    def _expected_gaps(self) -> FloatArray:
        """By what fraction the expected disorder of each document may be too high; 0 where it does not count."""
        return np.where(self.documents.usable, self.documents.columns.gap, 0.0)

    @property
    def n_samples(self) -> int:
        """Number of random annotation sets."""
        columns = self.documents.columns
        _, first = np.unique(columns.model[columns.sampled], return_index=True)
        return int(columns.n_samples[columns.sampled][first].sum())

    @property
    def mean(self) -> float | None:
        """The mean of the values of the documents that have one."""
        values = self.documents.values
        values = values[~np.isnan(values)]
        return float(np.mean(values)) if len(values) else None

    @property
    def n_units(self) -> int:
        """Number of units in the corpus."""
        return self.corpus.n_units

    @property
    def alignment(self) -> Mapping[str, A]:
        """The best alignment of each document, by its name."""
        return self.documents.alignments

    @property
    def _drawn(self) -> Mapping[str, Any]:
        """What the signature says about random samples, and about alignments that ran out of time."""
        limited = self.optimality_gap or self.expected_gap or self._cut_short
        limit = {"time_limit": self.effort.time_limit} if limited and self.effort.time_limit is not None else {}
        return {"n": self.n_samples, "seed": self.effort.seed, **limit}

    @cached_property
    def _cut_short(self) -> bool:
        """Whether the time limit ended the sampling."""
        return self.effort.time_limit is not None and bool(self._excessive_errors.any())

    @property
    def _excessive_errors(self) -> FloatArray:
        """The relative error of the expected disorder of each document, with the confidence wanted.

        0 where it is as small as wanted, or unknown. Shape (n_documents,).
        """
        columns = self.documents.columns
        known = columns.sampled & (columns.mean > 0)
        errors = np.zeros(len(columns))
        errors[known] = self.effort.quantile * (columns.error[known] / columns.mean[known])
        return np.where(errors > self.effort.precision * (1 + 1e-9), errors, 0.0)

    @property
    def remeasure(self) -> Callable[[Any], Result]:
        """What measures another corpus in the same way."""
        return replace(self.again, progress=None)

    @property
    def _crew(self) -> tuple[Workers, Progress | None]:
        return self.again.workers, self.again.progress

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know about the value."""
        notes, columns = [], self.documents.columns
        without = np.isnan(self.documents.values)
        n_without = int(without.sum())
        if n_without and self.undefined is None:
            have = "has" if n_without == 1 else "have"
            reasons = "; ".join(self._reasons(without))
            notes.append(f"{n_without} of {self.n_documents} documents {have} no value: {reasons}")
        n_agreeing = int((~without & ~self.documents.usable).sum())
        if n_agreeing and self.documents.usable.any():
            notes.append(
                "documents where annotators agree exactly and no expected disorder can be estimated are left out "
                f"of {self.symbol} of the corpus: {n_agreeing} of {self.n_documents}"
            )
        used = [columns.remarks[code] for code in _in_order(columns.notes)]
        for note in dict.fromkeys(note for remarks in used for note in remarks):
            having = np.array([note in remarks for remarks in columns.remarks])
            about = [self.documents.names[index] for index in np.flatnonzero(having[columns.notes]).tolist()]
            notes.append(note if len(self.documents) == 1 else f"{listed(about, 5)}: {note}")
        if self.optimality_gap:
            notes.append(observed_note(observed_gaps(columns), self.optimality_gap))
        if self.expected_gap:
            notes.append(expected_note(self._expected_gaps))
        if self._cut_short:
            notes.append(sampling_note(self._excessive_errors, self.effort.precision))
        return tuple(notes)

    @cached_property
    def disagreement(self) -> dict[str, float]:
        """Where the disorder comes from: the share of each part."""
        columns, usable = self.documents.columns, self.documents.usable
        parts = columns.parts[usable if usable.any() else columns.aligned].sum(axis=0)
        total = float(parts.sum())
        return {kind: part / total if total else 0.0 for kind, part in zip(columns.kinds, parts.tolist(), strict=True)}

    def headline(self) -> list[Line]:
        """Return the value and its components, line by line."""
        lines = [self._value_line()]
        if self.observed is not None:
            gap = self.optimality_gap
            proof = "alignment proven optimal" if not gap else f"alignment proven to be within {gap:.2%} of the optimum"
            lines.append(Line("observed", self.observed, proof))
        if self.expected is not None:
            lines.append(Line("expected", self.expected, self._expected_remark()))
        lines += self.more_lines()
        if self.n_documents > 1 and self.mean is not None:
            lines.append(Line(f"mean {self.symbol}", self.mean, "mean over documents"))
        return lines

    def more_lines(self) -> list[Line]:
        """Return further lines of the headline."""
        return []

    def tables(self) -> list[Table]:
        """Return tables for display, the worst first."""
        if len(self.documents) < 2:
            return []
        columns = ("document", self.symbol, "observed", "expected", "units")
        return [Table(columns, _RankedDocuments(self.documents), holds="names")]

    def remarks(self) -> list[str]:
        """Return sentences on where the disorder comes from, and on what a reader should know about the value."""
        parts = sorted(self.disagreement.items(), key=lambda part: -part[1])
        shares = ", ".join(f"{self.words.get(kind, kind)} ({share:.0%})" for kind, share in parts if share)
        found = [f"Disorder comes from {shares}."] if shares else []
        return found + super().remarks()

    def _reasons(self, which: BoolArray) -> list[str]:
        """Return why some documents have no value, each reason once."""
        columns = self.documents.columns
        return [columns.reasons[code] if code >= 0 else "" for code in _in_order(columns.undefined[which])]

    def _pooled(self, which: BoolArray, values: FloatArray) -> float | None:
        """Return the mean over some documents, weighted by x̄."""
        weights = self.documents.columns.size[which]
        return float(np.average(values[which], weights=weights)) if weights.sum() else None

    def _expected_remark(self) -> str:
        samples = f"{plural(self.n_samples, 'sample')} of chance ({self.chance})"
        return f"± {self.expected_error:.3f} standard error, {samples}"


class _RankedDocuments(Sequence[tuple[Any, ...]]):
    """Rows of a table, made as they are shown: the least values first, documents without a value last."""

    def __init__(self, documents: Documents[Any, Any]) -> None:
        self._documents = documents
        self._order = np.argsort(documents.values, kind="stable")

    def __len__(self) -> int:
        return len(self._order)

    @overload
    def __getitem__(self, index: int) -> tuple[Any, ...]: ...

    @overload
    def __getitem__(self, index: slice) -> list[tuple[Any, ...]]: ...

    def __getitem__(self, index: int | slice) -> tuple[Any, ...] | list[tuple[Any, ...]]:
        if isinstance(index, slice):
            return [self._row(place) for place in self._order[index].tolist()]
        return self._row(int(self._order[index]))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def _row(self, place: int) -> tuple[Any, ...]:
        one = self._documents[place]
        return one.document, one.value, one.observed, one.expected, one.n_units


def _in_order(codes: IntArray) -> list[int]:
    """Return distinct codes in the order of their first appearance."""
    distinct, first = np.unique(codes, return_index=True)
    return [int(code) for code in distinct[np.argsort(first)]]


def ranked_values(what: str, symbol: str, rows: list[dict[str, Any]], heading: str | None = None) -> Table:
    """Make a table of values, the least first; the heading of its first column says what they are values of."""
    ranked = sorted(rows, key=lambda row: (row["value"] is None, row["value"] or 0.0))
    cells = [(str(row[what]), row["value"], row["observed"], row["expected"], row["n_units"]) for row in ranked]
    holds: Literal["names", "labels"] = "labels" if what == "category" else "names"
    return Table((heading or what, symbol, "observed", "expected", "units"), cells, holds=holds)
