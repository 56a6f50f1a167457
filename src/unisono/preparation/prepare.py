"""All ways to prepare a corpus, in one call."""

from __future__ import annotations

from collections.abc import Sequence

from unisono.data import Corpus
from unisono.preparation.adjacent import merge_adjacent
from unisono.preparation.labels import clean_labels, join_features
from unisono.preparation.positions import token_positions
from unisono.preparation.selection import select_features, select_layers
from unisono.preparation.where import select_units


def prepare(
    corpus: Corpus,
    *,
    layers: Sequence[str] | None = None,
    clean: Sequence[str] = (),
    where: str | None = None,
    features: Sequence[str] | None = None,
    join: Sequence[str] | None = None,
    positions: str | None = None,
    adjacent: bool = False,
) -> Corpus:
    """Prepare a corpus for measuring, in the order of the parameters; what is left out is counted in `dropped`.

    Parameters
    ----------
    corpus : Corpus
        What was read.
    layers : sequence of str, optional
        Only units of these layers (the feature type).
    clean : sequence of {"case", "quotes", "spaces"}
        How to clean labels: all in lower case, without quotation marks around them, without white space around them and
        with single spaces within.
    where : str, optional
        Only units for which an expression holds, for example ``category != "O" and length > 3``; see `select_units`.
    features : sequence of str, optional
        Only these features; the type stays as long as there are several layers.
    join : sequence of str, optional
        Features to make one category of, as in ``Addressee=Mouse+Speaker=Mouse``. Features that are kept apart, with
        weights, tell more: agreement on one of them counts.
    positions : str, optional
        ``tokens``: those of the file, else by Unicode's word boundaries; ``tokens(own)``, ``tokens(unicode)``, or
        ``tokens(regex=…)``; by default positions stay what they are.
    adjacent : bool
        Whether units of an annotator with the same labels that touch, or have only white space between them, are made
        one; see `merge_adjacent`.

    Returns
    -------
    Corpus
    """
    if layers is not None:
        corpus = select_layers(corpus, layers)
    if clean:
        corpus = clean_labels(corpus, clean)
    if where is not None:
        corpus = select_units(corpus, where)
    if features is not None:
        corpus = select_features(corpus, features)
    if join is not None:
        corpus = join_features(corpus, join)
    if positions is not None:
        corpus = token_positions(corpus, positions)
    return merge_adjacent(corpus) if adjacent else corpus
