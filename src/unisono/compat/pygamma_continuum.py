"""A continuum and its γ, as pygamma-agreement has them."""

from __future__ import annotations

import csv
import warnings
from bisect import insort
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from io import StringIO
from math import nan
from pathlib import Path
from typing import Any

import unisono
from unisono.compat.pygamma_alignment import Alignment
from unisono.compat.pygamma_dissimilarity import (
    CATEGORY,
    AbstractDissimilarity,
    CombinedCategoricalDissimilarity,
)
from unisono.compat.pygamma_units import Segment, Unit
from unisono.data import Corpus
from unisono.data import Unit as MarkedUnit
from unisono.measurement.gamma.result import GammaResult
from unisono.output import new_file

PRECISION_LEVELS = {"high": 0.01, "medium": 0.02, "low": 0.05}
_DOCUMENT = "continuum"


class ShuffleContinuumSampler:
    """Random annotations as in Mathet et al. (2015): `chance="shift"`."""

    chance = "shift"

    def __init__(self, pivot_type: str = "int_pivot") -> None:
        self.pivot_type = pivot_type


class StatisticalContinuumSampler:
    """Random annotations with lengths and gaps from normal distributions, the default: `chance="statistical"`."""

    chance = "statistical"


class Continuum:
    """What several annotators marked in one text or recording.

    Identical units of one annotator are kept, and so are units without length; pygamma-agreement merges
    the former and refuses the latter.
    """

    def __init__(self, uri: str | None = None) -> None:
        self.uri = uri
        self.bound_inf, self.bound_sup = 0.0, 0.0
        self._units: dict[str, list[Unit]] = {}

    @classmethod
    def from_csv(cls, path: str | Path, discard_invalid_rows: bool = True, delimiter: str = ",") -> Continuum:
        """Read rows of annotator, category, start and end, without a header."""
        made = cls()
        with Path(path).open(encoding="utf-8-sig", newline="") as file:
            for number, row in enumerate(csv.reader(file, delimiter=delimiter), start=1):
                if not row:
                    continue
                try:
                    who, label, start, end = row
                    made.add(who, Segment(float(start), float(end)), label)
                except ValueError as error:
                    if not discard_invalid_rows:
                        raise ValueError(f"{path}, line {number}: {error}") from None
                    print(f"Discarded invalid row {number}: {error}")
        return made

    @classmethod
    def from_rttm(cls, path: str | Path) -> Continuum:
        """Read an RTTM file, in which each name of a file is an annotator."""
        made = cls()
        for document in _read(path, format="rttm"):
            for unit in document.units:
                made.add(document.name, Segment(unit.start, unit.end), str(unit.category))
        return made

    def add_annotator(self, annotator: str) -> None:
        """Add an annotator who has marked nothing yet."""
        self._units.setdefault(annotator, [])

    def add(self, annotator: str, segment: Any, annotation: str | None = None) -> None:
        """Add a unit: anything with a start and an end, and its label, if any."""
        unit = Unit(segment, annotation)
        if unit.segment.end < unit.segment.start:
            raise ValueError(f"the segment ends at {unit.segment.end:g}, before it starts at {unit.segment.start:g}")
        self.add_annotator(annotator)
        insort(self._units[annotator], unit)
        self.bound_inf = min(self.bound_inf, unit.segment.start)
        self.bound_sup = max(self.bound_sup, unit.segment.end)

    def add_annotation(self, annotator: str, annotation: Any) -> None:
        """Add the segments and labels of a pyannote.core.Annotation."""
        for segment, _, label in annotation.itertracks(yield_label=True):
            self.add(annotator, segment, label)

    def add_timeline(self, annotator: str, timeline: Iterable[Any]) -> None:
        """Add segments without labels, such as a pyannote.core.Timeline."""
        for segment in timeline:
            self.add(annotator, segment)

    def add_textgrid(
        self,
        annotator: str,
        tg_path: str | Path,
        selected_tiers: Iterable[str] | None = None,
        use_tier_as_annotation: bool = False,
    ) -> None:
        """Add the intervals of a TextGrid, with their texts, or the names of their tiers, as labels."""
        self._add_tiers(annotator, tg_path, "textgrid", selected_tiers, use_tier_as_annotation)

    def add_elan(
        self,
        annotator: str,
        eaf_path: str | Path,
        selected_tiers: Iterable[str] | None = None,
        use_tier_as_annotation: bool = False,
    ) -> None:
        """Add the annotations of an ELAN file, with their values, or the names of their tiers, as labels."""
        self._add_tiers(annotator, eaf_path, "eaf", selected_tiers, use_tier_as_annotation)

    def _add_tiers(self, annotator: str, path: str | Path, kind: str, tiers: Iterable[str] | None, names: bool) -> None:
        wanted = None if tiers is None else set(tiers)
        for document in _read(path, format=kind, annotator_from="file"):
            for unit in document.units:
                tier, label = unit.features.get("type"), unit.features.get(CATEGORY)
                if wanted is None or tier in wanted:
                    self.add(annotator, Segment(unit.start, unit.end), str(tier if names else label))

    def merge(self, continuum: Continuum, in_place: bool = False) -> Continuum | None:
        """Add all annotators and units of another continuum, to this one or to a copy, which is returned."""
        into = self if in_place else self.copy()
        for annotator in continuum.annotators:
            into.add_annotator(annotator)
        for annotator, unit in continuum:
            into.add(annotator, unit.segment, unit.annotation)
        return None if in_place else into

    def __add__(self, other: Continuum) -> Continuum:
        merged = self.merge(other)
        assert merged is not None
        return merged

    def copy(self) -> Continuum:
        """Return a copy."""
        made = self.copy_flush()
        made._units = {who: [*units] for who, units in self._units.items()}
        return made

    def copy_flush(self) -> Continuum:
        """Return a copy without annotators and units."""
        made = Continuum(self.uri)
        made.bound_inf, made.bound_sup = self.bounds
        return made

    def remove(self, annotator: str, unit: Unit) -> None:
        """Remove a unit of an annotator; KeyError if there is none."""
        if unit not in self._units[annotator]:
            raise KeyError(unit)
        self._units[annotator].remove(unit)

    def reset_bounds(self) -> None:
        """Let the continuum begin with the first unit and end with the last."""
        segments = [unit.segment for _, unit in self]
        self.bound_inf = min((one.start for one in segments), default=0.0)
        self.bound_sup = max((one.end for one in segments), default=0.0)

    def __bool__(self) -> bool:
        return self.num_units > 0

    def __len__(self) -> int:
        return self.num_annotators

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Continuum) and self._units == other._units

    __hash__ = None  # type: ignore[assignment]

    def __iter__(self) -> Iterator[tuple[str, Unit]]:
        return ((who, unit) for who in self.annotators for unit in self._units[who])

    def __getitem__(self, keys: str | tuple[str, int]) -> Any:
        if isinstance(keys, str):
            return [*self._units[keys]]
        annotator, index = keys
        return self._units[annotator][index]

    def iter_annotator(self, annotator: str) -> Iterator[Unit]:
        """Iterate over the units of an annotator; KeyError if there is no such annotator."""
        return iter(self._units[annotator])

    iterunits = iter_annotator

    @property
    def annotators(self) -> list[str]:
        """Their names, sorted."""
        return sorted(self._units)

    @property
    def categories(self) -> list[str]:
        """The labels of units, sorted."""
        return sorted({unit.annotation for _, unit in self if unit.annotation is not None})

    @property
    def category_weights(self) -> Mapping[str | None, float]:
        """The share of units that have each label."""
        counts = Counter(unit.annotation for _, unit in self)
        return {label: count / self.num_units for label, count in sorted(counts.items(), key=lambda one: str(one[0]))}

    @property
    def bounds(self) -> tuple[float, float]:
        """Where the continuum begins, 0 or before, and ends."""
        return self.bound_inf, self.bound_sup

    @property
    def num_units(self) -> int:
        """How many units there are."""
        return sum(map(len, self._units.values()))

    @property
    def num_annotators(self) -> int:
        """How many annotators there are."""
        return len(self._units)

    @property
    def avg_num_annotations_per_annotator(self) -> float:
        """The mean number of units per annotator."""
        return self.num_units / self.num_annotators

    @property
    def max_num_annotations_per_annotator(self) -> int:
        """How many units the annotator has who has most."""
        return max(map(len, self._units.values()), default=0)

    @property
    def avg_length_unit(self) -> float:
        """The mean length of units."""
        return sum(unit.segment.duration for _, unit in self) / self.num_units

    def to_corpus(self) -> Corpus:
        """Return the same as data of unisono, for everything else that it can do."""
        rows = [*self]
        return Corpus.from_columns(
            annotator=[who for who, _ in rows],
            start=[unit.segment.start for _, unit in rows],
            end=[unit.segment.end for _, unit in rows],
            features={CATEGORY: [unit.annotation for _, unit in rows]},
            document=[_DOCUMENT] * len(rows),
            worked=[(_DOCUMENT, who) for who in self.annotators],
            bounds={_DOCUMENT: self.bounds},
            source=self.uri or "",
        )

    @staticmethod
    def unit_of(unit: MarkedUnit) -> Unit:
        """Turn a unit of unisono into one of these classes."""
        label = unit.features.get(CATEGORY)
        return Unit(Segment(float(unit.start), float(unit.end)), None if label is None else str(label))

    def to_csv(self, path: str | Path, delimiter: str = ",") -> None:
        """Write rows of annotator, category, start and end, without a header."""
        rows = StringIO(newline="")
        csv.writer(rows, delimiter=delimiter).writerows((who, unit.annotation, *unit.segment) for who, unit in self)
        with new_file(path, overwrite=True) as file:
            file.write(rows.getvalue().encode())

    def get_best_alignment(self, dissimilarity: AbstractDissimilarity) -> Alignment:
        """Return the alignment of least disorder."""
        self._check_measurable()
        (best,) = unisono.align(self.to_corpus(), **dissimilarity.gamma_options()).values()
        return Alignment.of(best, self)

    def get_fast_alignment(self, dissimilarity: AbstractDissimilarity, window_size: int | None = None) -> Alignment:
        """Return the alignment of least disorder; there is no need for an approximation."""
        return self.get_best_alignment(dissimilarity)

    def compute_gamma(
        self,
        dissimilarity: AbstractDissimilarity | None = None,
        n_samples: int = 30,
        precision_level: float | str | None = None,
        ground_truth_annotators: Iterable[str] | None = None,
        sampler: Any = None,
        fast: bool = False,
        soft: bool = False,
        rng: int | None = 42,
    ) -> GammaResults:
        """Measure γ.

        Parameters
        ----------
        dissimilarity : AbstractDissimilarity, optional
            By default `CombinedCategoricalDissimilarity()`.
        n_samples : int
            Not needed: there are always at least 30 random samples, and as many as the precision takes.
        precision_level : float or {"high", "medium", "low"}, optional
            Relative error of the expected disorder, by default 0.02.
        ground_truth_annotators : iterable of str, optional
            Not available.
        sampler : optional
            A `ShuffleContinuumSampler` for the random samples of Mathet et al. (2015); by default a
            `StatisticalContinuumSampler`.
        fast : bool
            Accepted; the alignment is exact all the same.
        soft : bool
            Not available.
        rng : int or None
            Seed of the random samples; `numpy.random.seed` has no influence.
        """
        if soft:
            raise NotImplementedError("soft γ is not available; leave out soft=True")
        if ground_truth_annotators is not None and set(ground_truth_annotators) != set(self.annotators):
            raise NotImplementedError("ground_truth_annotators are not available: random samples are drawn from all")
        chance = getattr(sampler or StatisticalContinuumSampler, "chance", None)
        if chance is None:
            raise NotImplementedError("samplers of your own are not available; take ShuffleContinuumSampler()")
        self._check_measurable()
        known = dissimilarity or CombinedCategoricalDissimilarity()
        level = PRECISION_LEVELS[precision_level] if isinstance(precision_level, str) else precision_level
        result = unisono.gamma(
            self.to_corpus(),
            **known.gamma_options(),
            chance=chance,
            precision=0.02 if level is None else level,
            rng=rng,
        )
        return GammaResults(result, self, known, level)

    def _check_measurable(self) -> None:
        # an AssertionError, since scripts may expect that of pygamma-agreement
        assert self.num_annotators >= 2 and self, "γ needs two annotators or more, and units"  # noqa: PT018


class GammaResults:
    """γ and what belongs to it.

    Attributes
    ----------
    result : unisono.Result
        All that unisono says about it: interval, values per category and pair, drawings, signature.
    """

    def __init__(
        self, result: GammaResult, continuum: Continuum, dissimilarity: AbstractDissimilarity, precision: float | None
    ) -> None:
        self.result, self.dissimilarity, self.precision_level = result, dissimilarity, precision
        self._continuum = continuum

    def __repr__(self) -> str:
        return f"GammaResults(gamma={self.gamma:.4f}, n_samples={self.n_samples})"

    def _repr_html_(self) -> str:
        return self.result._repr_html_()

    @property
    def best_alignment(self) -> Alignment:
        """The alignment of least disorder."""
        return Alignment.of(self.result.alignment[_DOCUMENT], self._continuum)

    @property
    def n_samples(self) -> int:
        """How many random samples were drawn."""
        return self.result.n_samples

    @property
    def alignments_nb(self) -> int:
        """How many unitary alignments the best alignment has."""
        return len(self.result.alignment[_DOCUMENT])

    @property
    def observed_disorder(self) -> float:
        """The least disorder."""
        return _known(self.result.observed, self.result.undefined)

    @property
    def expected_disorder(self) -> float:
        """The mean of the least disorders of random samples."""
        return _known(self.result.expected, self.result.undefined)

    @property
    def approx_gamma_range(self) -> tuple[float, float]:
        """What γ would be if the expected disorder were as far off as the precision allows."""
        if self.precision_level is None:
            raise ValueError("no precision_level was given to compute_gamma")
        observed, expected = self.observed_disorder, self.expected_disorder
        low, high = 1 - self.precision_level, 1 + self.precision_level
        return 1 - observed / (expected * low), 1 - observed / (expected * high)

    @property
    def gamma(self) -> float:
        """γ."""
        return _known(self.result.value, self.result.undefined)

    @property
    def gamma_cat(self) -> float:
        """γ_cat: agreement on categories, given the alignment."""
        self._check_combined()
        return _known(self.result.gamma_cat, self.result.gamma_cat_undefined)

    def gamma_k(self, category: str) -> float:
        """Return γ_k of a category."""
        self._check_combined()
        for row in self.result.rows["categories"]:
            if row["category"] == category:
                return _known(row["value"], row["undefined"])
        raise ValueError(f"there is no category {category!r}; the data has: {', '.join(self._continuum.categories)}")

    def _check_combined(self) -> None:
        if not isinstance(self.dissimilarity, CombinedCategoricalDissimilarity):
            raise ValueError("γ_cat and γ_k need positions and categories: take CombinedCategoricalDissimilarity")


def _read(path: str | Path, **options: Any) -> Corpus:
    data = unisono.read(path, **options)
    assert isinstance(data, Corpus)
    return data


def _known(value: float | None, undefined: str | None) -> float:
    if value is None:  # pygamma-agreement gives 0 or 1, which look like results
        warnings.warn(f"there is no value: {undefined}", stacklevel=3)
        return nan
    return value
