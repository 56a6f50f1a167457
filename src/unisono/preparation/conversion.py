"""Units as something else: labels of items, of atoms, cuts, or rewritten words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from unisono.checks import check_number, check_optional_text, check_text
from unisono.data import Corpus, Normalizations, Ratings
from unisono.data.atoms import atoms_from_units
from unisono.data.coinciding import ratings_from_units
from unisono.data.cuts import Cuts, cuts_from_units
from unisono.data.rewritten import normalizations_from_units
from unisono.formats.entry import DataLike, Rows, as_corpus
from unisono.preparation.units import recorded

_Converted = TypeVar("_Converted", Ratings, Normalizations)


def to_ratings(
    corpus: DataLike, *, feature: str | None = None, unmarked: str | None = None, rows: Rows = None
) -> Ratings:
    """Turn spans into items: every distinct span of a document is one, with the label of each annotator who marked it.

    Parameters
    ----------
    corpus : DataLike
        Spans; nobody may mark the same span twice.
    feature : str, optional
        The feature that is the label; by default the one named category, or the only one.
    unmarked : str, optional
        What it means if an annotator who worked on a document did not mark a span that others marked: "missing" (no
        label), or any other word (that label). By default such data is rejected. Annotators who did not work on a
        document gave no label there.
    rows : {"items", "annotators"}, optional
        What the rows of a bare table are.

    Returns
    -------
    Ratings
        One item per span that somebody marked.

    Raises
    ------
    DataError
        If spans do not coincide and `unmarked` is not given, or a span is marked twice.

    See Also
    --------
    to_atoms, krippendorff_alpha

    Examples
    --------
    >>> import unisono
    >>> corpus = unisono.Corpus.from_columns(
    ...     annotator=["anna", "anna", "bert", "bert"],
    ...     start=[0, 5, 0, 5],
    ...     end=[4, 9, 4, 9],
    ...     features={"category": ["PER", "LOC", "PER", "ORG"]},
    ... )
    >>> ratings = unisono.to_ratings(corpus)
    >>> ratings
    Ratings(2 items, 2 annotators, 3 labels)
    >>> round(unisono.cohen_kappa(ratings).value, 3)
    0.333
    """
    units = as_corpus(corpus, rows=rows)
    options = {name: check_optional_text(given, name) for name, given in (("feature", feature), ("unmarked", unmarked))}
    return _recorded(ratings_from_units(units, **options), units, "ratings", options)


def to_atoms(
    corpus: DataLike, *, atom: str | float = "character", feature: str | None = None, rows: Rows = None
) -> Ratings:
    """Cut continua into atoms and label each with the category of the unit that covers its middle.

    Parameters
    ----------
    corpus : DataLike
        Units on continua; those of one annotator must not overlap. Documents with fewer than two annotators get no
        atoms.
    atom : {"character", "token", "sentence"} or number
        What an atom is: a character (positions must be whole numbers); a token, that is a run of letters, digits and
        _, or one other sign; a sentence, which ends after . ! ? or … and closing quotes, before white space; or a step
        of this length, from the start of the continuum. Tokens and sentences need the text.
    feature : str, optional
        The feature that is the category; by default the one named category, or the only one.
    rows : {"items", "annotators"}, optional
        What the rows of a bare table are.

    Returns
    -------
    Ratings
        One row per stretch of atoms that all annotators label alike; it counts `repeats` times, and its name is the
        number of its first atom. Atoms outside all units have the label "blank".

    See Also
    --------
    to_ratings, discretized_alpha

    Examples
    --------
    >>> import unisono
    >>> corpus = unisono.Corpus.from_columns(
    ...     annotator=["anna", "anna", "bert", "bert"],
    ...     start=[0, 5, 0, 6],
    ...     end=[4, 9, 4, 9],
    ...     features={"category": ["PER", "LOC", "PER", "ORG"]},
    ... )
    >>> ratings = unisono.to_atoms(corpus)
    >>> ratings
    Ratings(9 items, 2 annotators, 4 labels)
    >>> ratings.labels
    ('blank', 'LOC', 'ORG', 'PER')
    """
    units, chosen = as_corpus(corpus, rows=rows), check_optional_text(feature, "feature")
    made = atoms_from_units(units, atom=atom, feature=chosen)
    return _recorded(made, units, "atoms", {"atom": atom, "feature": chosen})


def to_cuts(corpus: DataLike, *, step: float | None = None, rows: Rows = None) -> Cuts:
    """Turn spans into segmentations: units must cut the whole continuum, without gaps and overlaps.

    Where there is a text, white space between two units belongs to the first of them, and white space at the start and
    the end of the text does not count.

    Parameters
    ----------
    corpus : DataLike
        Spans; their labels are ignored.
    step : float, optional
        Size of an atom; positions are rounded to whole atoms, counted from the start of the continuum. The default is 1
        if positions are whole numbers.
    rows : {"items", "annotators"}, optional
        What the rows of a bare table are.

    Returns
    -------
    Cuts
        The boundaries of each annotator, for measures of segmentation.

    Raises
    ------
    DataError
        If somebody did not cut a whole continuum; the message names the first gap or overlap.

    See Also
    --------
    from_masses, boundary_similarity

    Examples
    --------
    >>> import unisono
    >>> corpus = unisono.Corpus.from_columns(
    ...     annotator=["anna", "anna", "bert", "bert"],
    ...     start=[0, 4, 0, 5],
    ...     end=[4, 9, 5, 9],
    ... )
    >>> cuts = unisono.to_cuts(corpus)
    >>> cuts.boundaries.tolist()
    [4, 5]
    """
    size = None if step is None else check_number(step, "step", above=0)
    return cuts_from_units(as_corpus(corpus, rows=rows), step=size)


def to_normalizations(
    corpus: DataLike,
    *,
    norm: str = "norm",
    mod: str = "norm_broad",
    type: str = "norm_type",  # noqa: A002
    rows: Rows = None,
) -> Normalizations:
    """Turn units into tokens: the n-th unit of a document is the same token for all who worked on it.

    The original is the text under the unit. Where some units have the feature `type` with the label token, all others
    are left out.

    Parameters
    ----------
    corpus : DataLike
        Units with features, and the text of each document.
    norm, mod, type : str
        The features that are the normalization, the modernization and its type; the last two may be missing.
    rows : {"items", "annotators"}, optional
        What the rows of a bare table are.

    Returns
    -------
    Normalizations

    Raises
    ------
    DataError
        If there is no such feature or no text, or if annotators have different tokens.

    See Also
    --------
    normalization, Normalizations

    Examples
    --------
    >>> import unisono
    >>> corpus = unisono.Corpus.from_columns(
    ...     annotator=["anna", "anna", "bert", "bert"],
    ...     start=[0, 4, 0, 4],
    ...     end=[3, 6, 3, 6],
    ...     features={"norm": ["und", "in", "und", "ihn"]},
    ...     texts={("document", "anna"): "vnd jn", ("document", "bert"): "vnd jn"},
    ... )
    >>> unisono.to_normalizations(corpus)
    Normalizations(2 tokens, 2 annotators, 5 forms)
    """
    names = {name: check_text(given, name) for name, given in (("norm", norm), ("mod", mod), ("type", type))}
    units = as_corpus(corpus, rows=rows)
    return _recorded(normalizations_from_units(units, **names), units, "normalizations", names)


def _recorded(made: _Converted, units: Corpus, what: str, options: Mapping[str, object]) -> _Converted:
    """Record the preparation of the units, and that and how they were converted."""
    given = ",".join(f"{name}={value}" for name, value in options.items() if value is not None)
    return recorded(replace(made, preparation=units.preparation), "converted", f"{what}({given})")
