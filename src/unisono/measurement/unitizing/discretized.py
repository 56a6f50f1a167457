"""Discretized κ and α: categorization of the atoms of a continuum (Mathet et al. 2015, §3.4.1, §6.2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Unpack

import numpy as np

from unisono.arrays import BoolArray
from unisono.data import Corpus, Data, Label, Ratings
from unisono.data.atoms import ATOMS, as_atom, atom_labels, atoms_of
from unisono.data.labelled_units import refuse_overlap
from unisono.data.ratings import NO_UNITS
from unisono.errors import DataError, OptionError, plural
from unisono.measurement.categorization import cohen_kappa, multi_kappa
from unisono.measurement.categorization.counts import Counts
from unisono.measurement.categorization.family import TOO_MANY, UnitRatings, can_count_together
from unisono.measurement.categorization.weighted import krippendorff_alpha
from unisono.measurement.coefficient import Coefficient, Family, coefficient
from unisono.measurement.coefficient_result import CoefficientResult
from unisono.measurement.declaration import Parameter
from unisono.measurement.options import AtomsOptions
from unisono.measurement.unitizing.units import FEATURE, UnitFrame, notes_on, unit_frame
from unisono.results import Estimate, spelled

_NEEDS = "spans that do not overlap within an annotator; for tokens and sentences, the text; two or more annotators"
_IGNORES = "where neighbouring units of one category are cut; that most of a continuum may be blank for everyone"
_WHEN = "if results are to be compared with studies that label characters or tokens; otherwise use u-alpha or gamma"


def prepare(data: Data, *, atom: str | float, feature: str | None) -> PreparedAtoms:
    """Cut a corpus into atoms; DataError if units of one annotator overlap, or if there is no text for tokens."""
    return PreparedAtoms(unit_frame(data, feature, partial(refuse_overlap, measure="a discretized measure")), atom)


def _at_once(data: Data, *, feature: str | None, **others: Any) -> str:
    """See `Family`."""
    if not isinstance(data, Corpus):
        return NO_UNITS
    try:
        chosen = data.chosen_feature(feature)
    except (DataError, OptionError):
        return ""  # which is said when it is measured
    n_labels = 2 if chosen is None else 2 + len(data.features[chosen].labels)
    return "" if can_count_together(n_labels, len(data.annotators)) else TOO_MANY


_FAMILY = Family(
    name="units",
    unit="unit",
    parameters=(
        Parameter("atom", "character", as_atom, f"{', '.join(ATOMS)}, or the length of a time step"),
        FEATURE,
    ),
    prepare=prepare,
    result=CoefficientResult,
    at_once=_at_once,
)


@coefficient(
    _FAMILY,
    symbol="κ_d",
    title="Discretized κ: Cohen's κ, or multi-κ of more than two, on characters, tokens, sentences or steps",
    needs=_NEEDS,
    ignores=_IGNORES,
    reference="Reidsma, Heylen & Ordelman 2006; Mathet, Widlöcher & Métivier 2015, §6.2",
    papers=("reidsma2006",),
    when=_WHEN,
)
def discretized_kappa(counts: Counts, **how: Unpack[AtomsOptions]) -> Estimate:
    """Agreement beyond chance on the labels of atoms, blank being one: Cohen's κ for two, multi-κ for more annotators.

    An atom has the category of the unit that covers its middle; see `unisono.to_atoms`.

    See Also
    --------
    discretized_alpha, to_atoms, cohen_kappa

    Examples
    --------
    >>> import unisono
    >>> corpus = unisono.Corpus.from_columns(
    ...     annotator=["anna", "anna", "bert", "bert"],
    ...     start=[0, 5, 0, 6],
    ...     end=[4, 9, 4, 9],
    ...     features={"category": ["PER", "LOC", "PER", "ORG"]},
    ... )
    >>> round(unisono.discretized_kappa(corpus).value, 3)
    0.429
    """
    return _of_atoms(cohen_kappa if counts.n_annotators == 2 else multi_kappa, counts)


@coefficient(
    _FAMILY,
    symbol="α_d",
    title="Discretized α: Krippendorff's nominal α on characters, tokens, sentences or steps",
    needs=_NEEDS,
    ignores=_IGNORES,
    reference="Reidsma, Heylen & Ordelman 2006; Mathet, Widlöcher & Métivier 2015, §3.4.1",
    papers=("reidsma2006",),
    when=_WHEN,
)
def discretized_alpha(counts: Counts, **how: Unpack[AtomsOptions]) -> Estimate:
    """Agreement beyond chance on the labels of atoms, blank being one: Krippendorff's nominal α.

    An atom has the category of the unit that covers its middle; see `unisono.to_atoms`.

    See Also
    --------
    discretized_kappa, to_atoms, u_alpha

    Examples
    --------
    >>> import unisono
    >>> corpus = unisono.Corpus.from_columns(
    ...     annotator=["anna", "anna", "bert", "bert"],
    ...     start=[0, 5, 0, 6],
    ...     end=[4, 9, 4, 9],
    ...     features={"category": ["PER", "LOC", "PER", "ORG"]},
    ... )
    >>> round(unisono.discretized_alpha(corpus).value, 3)
    0.398
    """
    return _of_atoms(krippendorff_alpha, counts)


@dataclass(frozen=True)
class PreparedAtoms(UnitRatings):
    """Atoms of a corpus with their labels (see `Prepared`)."""

    frame: UnitFrame  # where the labels come from
    atom: str | float  # what an atom is

    @property
    def data(self) -> Corpus:
        """See `PreparedRatings`."""
        return self.frame.corpus

    def made(self, documents: range) -> Ratings:
        """See `UnitRatings`."""
        return atoms_of(self.frame.units(documents), self.atom)

    @cached_property
    def all_labels(self) -> tuple[Label, ...]:
        """See `UnitRatings`."""
        return atom_labels(self.frame.names)

    @property
    def _used(self) -> BoolArray:
        return np.ones(len(self.all_labels), np.bool_)  # blank is a choice even if everything is marked

    @property
    def n_units(self) -> int:
        """How many units count."""
        return self.frame.n_units

    @property
    def notes(self) -> tuple[str, ...]:
        """What an atom is, and what was left out or guessed."""
        what = self.atom if isinstance(self.atom, str) else f"step of {spelled(self.atom)}"
        said = f"each {what} is an atom: {plural(self.n_items, 'atom')} in all, blank or labelled"
        return (said, *notes_on(self.frame.facts))

    def tables(self, apply: Callable[[Counts], Estimate]) -> dict[str, list[dict[str, Any]]]:
        """Return the tables of ratings; what they count are atoms."""
        found = super().tables(apply)
        for name in ("categories", "annotators"):
            found[name] = [{"n_atoms" if key == "n_units" else key: row[key] for key in row} for row in found[name]]
        return found


def _of_atoms(measure: Coefficient[Any, CoefficientResult], counts: Counts) -> Estimate:
    found = measure.formula(counts)
    given = float(counts.frequencies.sum())
    share = float(counts.frequencies[0]) / given if given else None
    # what is known of independent items does not hold for atoms, most of which are like those beside them
    return replace(found, details={"blank_share": share, **found.details}, more=None)
