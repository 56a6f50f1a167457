"""The result of a measure of disorder: the value for the corpus, each document and annotator, and the alignment.

γ and text-γ are both 1 - δ_o/δ_e: δ_o is the least disorder of an alignment of all units, δ_e that expected by chance.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Generic, Literal

import numpy as np

from unisono.alignment.solution import relative_gap
from unisono.data import Corpus
from unisono.errors import listed, plural
from unisono.execution import Progress, Workers
from unisono.measurement.disorder.document import A, DocumentResult, E, alignment_of, chance_of
from unisono.measurement.disorder.effort import Again, Effort
from unisono.measurement.disorder.interval import DisorderParts
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
    documents : tuple of DocumentResult
        Document by document.
    again : Again
        Measures another corpus in the same way.
    """

    corpus: Corpus
    parameters: Mapping[str, Any]
    effort: Effort
    chance: str
    documents: tuple[DocumentResult[A, E], ...]
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
        with_value = [document for document in self.documents if document.value is not None]
        with_units = [document for document in self.documents if document.observed is not None]
        counted = self._usable or with_value or with_units
        observed = self._pooled(counted, [document.observed or 0.0 for document in counted])
        expected = self._pooled(self._usable, [document.expected or 0.0 for document in self._usable])
        if not self._usable and not with_value:
            return Estimate(None, observed, expected, self._no_value())
        if not observed:
            return Estimate(1.0, observed, expected)
        return Estimate(1 - observed / expected if expected else None, observed, expected)

    def _no_value(self) -> str:
        reasons = list(dict.fromkeys(document.undefined or "" for document in self.documents))
        if not reasons:
            return "there are no documents"
        return reasons[0] if len(reasons) == 1 else "no document has a value: " + "; ".join(reasons)

    @property
    def expected_error(self) -> float | None:
        """The Monte-Carlo standard error of δ_e; sampling of chance only, not of data."""
        if not self._usable:
            return None
        by_model: dict[int, tuple[E, float]] = {}
        for document in self._usable:
            chance, weight = chance_of(document), alignment_of(document).annotations.mean_units
            by_model[id(chance)] = chance, by_model.get(id(chance), (chance, 0.0))[1] + weight
        total = sum(weight for _, weight in by_model.values())
        variance = sum((chance.error * weight / total) ** 2 for chance, weight in by_model.values())
        return float(np.sqrt(variance)) * next(iter(self.alignment.values())).delta_empty

    @property
    def parts(self) -> DisorderParts:
        """The documents that can be left out, for intervals and comparisons."""
        mixed = {name: index for index, name in enumerate(self.corpus.documents)} if self.chance == "corpus" else None
        return DisorderParts(self._usable, mixed)

    @property
    def optimality_gap(self) -> float:
        """The fraction by which the observed disorder may exceed the minimum; 0 if it is proven minimal."""
        solutions = [alignment.solution for alignment in self.alignment.values()]
        return relative_gap(sum(s.total for s in solutions), sum(s.bound for s in solutions))

    @property
    def expected_gap(self) -> float:
        """The fraction by which the expected disorder may be too high; 0 if all random alignments are optimal."""
        return max((chance_of(document).gap for document in self._usable), default=0.0)

    @property
    def n_samples(self) -> int:
        """Number of random annotation sets."""
        models = {id(document.chance): document.chance for document in self.documents if document.chance}
        return sum(model.n_samples for model in models.values())

    @property
    def n_units(self) -> int:
        """Number of units in the corpus."""
        return self.corpus.n_units

    @cached_property
    def alignment(self) -> Mapping[str, A]:
        """The best alignment of each document, by its name."""
        return {d.document: d.alignment for d in self.documents if d.alignment is not None}

    @property
    def _drawn(self) -> Mapping[str, Any]:
        """What the signature says about random samples, and about alignments that ran out of time."""
        limit = {"time_limit": self.effort.time_limit} if self.optimality_gap or self.expected_gap else {}
        return {"n": self.n_samples, "seed": self.effort.seed, **limit}

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
        notes = []
        left_out = [document for document in self.documents if document.value is None]
        if left_out and self.undefined is None:
            reasons = "; ".join(dict.fromkeys(str(document.undefined) for document in left_out))
            have = "has" if len(left_out) == 1 else "have"
            notes.append(f"{len(left_out)} of {self.n_documents} documents {have} no value: {reasons}")
        agreeing = [document for document in self.documents if document.value is not None and not document.usable]
        if agreeing and self._usable:
            notes.append(
                "documents where annotators agree exactly and no expected disorder can be estimated are left out "
                f"of {self.symbol} of the corpus: {len(agreeing)} of {self.n_documents}"
            )
        for note in dict.fromkeys(note for document in self.documents for note in document.notes):
            about = [document.document for document in self.documents if note in document.notes]
            notes.append(note if len(self.documents) == 1 else f"{listed(about, 5)}: {note}")
        if self.optimality_gap:
            notes.append(f"the observed disorder is proven to be within {self.optimality_gap:.2%} of the minimum")
        if self.expected_gap:
            notes.append(f"the expected disorder may be up to {self.expected_gap:.2%} too high")
        return tuple(notes)

    @cached_property
    def disagreement(self) -> dict[str, float]:
        """Where the disorder comes from: the share of each part."""
        parts: dict[str, float] = {}
        for document in self._usable or self.documents:
            for kind, part in document.alignment.parts.items() if document.alignment else ():
                parts[kind] = parts.get(kind, 0.0) + float(part.sum())
        total = sum(parts.values())
        return {kind: part / total if total else 0.0 for kind, part in parts.items()}

    def headline(self) -> list[Line]:
        """Return the value and its components, line by line."""
        lines = [Line(self.symbol, self.value, self._value_remark())]
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
        documents = [document.to_dict() for document in self.documents]
        return [ranked_values("document", self.symbol, documents)] if len(documents) > 1 else []

    def remarks(self) -> list[str]:
        """Return sentences on where the disorder comes from, and on what a reader should know about the value."""
        parts = sorted(self.disagreement.items(), key=lambda part: -part[1])
        shares = ", ".join(f"{self.words.get(kind, kind)} ({share:.0%})" for kind, share in parts if share)
        found = [f"Disorder comes from {shares}."] if shares else []
        return found + super().remarks()

    @cached_property
    def _usable(self) -> list[DocumentResult[A, E]]:
        return [document for document in self.documents if document.usable]

    def _pooled(self, documents: Sequence[DocumentResult[A, E]], values: Sequence[float]) -> float | None:
        weights = [alignment_of(document).annotations.mean_units for document in documents]
        return float(np.average(values, weights=weights)) if sum(weights) else None

    def _expected_remark(self) -> str:
        samples = f"{plural(self.n_samples, 'sample')} of chance ({self.chance})"
        return f"± {self.expected_error:.3f} standard error, {samples}"


def ranked_values(what: str, symbol: str, rows: list[dict[str, Any]], heading: str | None = None) -> Table:
    """Make a table of values, the least first; the heading of its first column says what they are values of."""
    ranked = sorted(rows, key=lambda row: (row["value"] is None, row["value"] or 0.0))
    cells = [(str(row[what]), row["value"], row["observed"], row["expected"], row["n_units"]) for row in ranked]
    holds: Literal["names", "labels"] = "labels" if what == "category" else "names"
    return Table((heading or what, symbol, "observed", "expected", "units"), cells, holds=holds)
