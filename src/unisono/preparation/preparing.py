"""All ways to prepare data, in one call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypedDict, TypeVar, Unpack, overload

from unisono.checks import check_flag, check_names, check_optional_text
from unisono.data import Corpus, Data, Export, Normalizations, Ratings
from unisono.errors import OptionError, mention
from unisono.formats.entry import DataLike, Rows, as_whole
from unisono.preparation.adjacent import merge_adjacent
from unisono.preparation.cleaning import clean_labels, ordered_steps
from unisono.preparation.features import join_features, select_features, select_layers
from unisono.preparation.item_labels import clean_item_labels, labels_as_missing
from unisono.preparation.positions import token_positions
from unisono.preparation.units import recorded
from unisono.preparation.where import canonical_expression, select_item_labels, select_units
from unisono.results import listed_name

_Kind = TypeVar("_Kind", Corpus, Ratings, Normalizations)


class Preparation(TypedDict, total=False):
    """The keyword parameters of `prepare`, for type checkers."""

    annotators: Sequence[str] | None
    documents: Sequence[str] | None
    layers: Sequence[str] | None
    clean: Sequence[str]
    missing: Sequence[str]
    where: str | None
    features: Sequence[str] | None
    join: Sequence[str] | None
    positions: str | None
    adjacent: bool
    rows: Rows


@overload
def prepare(corpus: _Kind, **steps: Unpack[Preparation]) -> _Kind: ...  # data stays of its kind


@overload
def prepare(corpus: DataLike, **steps: Unpack[Preparation]) -> Data: ...


def prepare(
    corpus: DataLike,
    *,
    annotators: Sequence[str] | None = None,
    documents: Sequence[str] | None = None,
    layers: Sequence[str] | None = None,
    clean: Sequence[str] = (),
    missing: Sequence[str] = (),
    where: str | None = None,
    features: Sequence[str] | None = None,
    join: Sequence[str] | None = None,
    positions: str | None = None,
    adjacent: bool = False,
    rows: Rows = None,
) -> Data:
    """Prepare data for measuring, in the order of the parameters.

    What was left out is counted in `dropped`, what was done is recorded in `preparation`.

    Parameters
    ----------
    corpus : DataLike
        What was annotated; see `unisono.read`. Ratings take `annotators`, `documents`, `layers`, `clean`, `missing` and
        `where`; normalizations take `annotators` and `documents` only.
    annotators, documents : sequence of str, optional
        Only these annotators, only these documents.
    layers : sequence of str, optional
        Only units of these layers (the feature type), or the labels that answer the question of this name, if items
        were labelled.
    clean : sequence of {"case", "quotes", "spaces", "s/pattern/replacement/", "cut=|"}
        How to clean labels, in this order: convert them to lower case; remove quotation marks that belong together and
        write others in one way; remove white space around them and reduce it to single spaces within; replace a
        regular expression; remove everything from a mark on. See `clean_labels`.
    missing : sequence of str, optional
        Labels of items that mean that there is no label, such as ``n/a`` or ``don't know``, as they are after cleaning.
    where : str, optional
        Only units for which an expression holds, for example ``category != "O" and length > 3``; see `select_units`. Of
        items, only labels for which it holds, for example ``label != "unclear" and annotator != "bert"``; see
        `select_item_labels`.
    features : sequence of str, optional
        Only these features; the type stays as long as there are several layers.
    join : sequence of str, optional
        Features to join into one category, as in ``Addressee=Mouse+Speaker=Mouse``. Separate features with weights
        are more informative: agreement on one of them counts.
    positions : str, optional
        ``tokens``: the tokens of the file, or else Unicode's words; ``tokens(own)``, ``tokens(unicode)``, or
        ``tokens(regex=…)``; by default positions are not changed.
    adjacent : bool
        Whether units of one annotator are merged that have the same labels and touch, or have only white space between
        them; see `merge_adjacent`.
    rows : {"items", "annotators"}, optional
        What the rows of a bare table are.

    Returns
    -------
    Corpus, Ratings or Normalizations

    See Also
    --------
    read, to_ratings, to_atoms

    Examples
    --------
    >>> import unisono
    >>> corpus = unisono.Corpus.from_columns(
    ...     annotator=["anna", "anna", "bert", "bert"],
    ...     start=[0, 5, 0, 6],
    ...     end=[4, 9, 4, 9],
    ...     features={"category": ["PER", "LOC", "PER", "ORG"]},
    ... )
    >>> unisono.prepare(corpus, where="category != 'ORG'").n_units
    3
    >>> unisono.prepare(corpus, clean=["case"]).features["category"].labels
    ('loc', 'org', 'per')
    """
    whole, wanted = as_whole(corpus, rows=rows, parameter="corpus"), _names(layers, "layers")
    data = whole if wanted is None else chosen_layers(whole, wanted)
    if isinstance(data, Export):
        raise data.ambiguous()
    people, texts = _names(annotators, "annotators"), _names(documents, "documents")
    if people is not None or texts is not None:
        data = data.select(annotators=people, documents=texts)
    steps = {
        "layers": wanted if isinstance(data, Corpus) else None,
        "clean": check_names(clean, "clean") or None,
        "missing": check_names(missing, "missing") or None,
        "where": check_optional_text(where, "where"),
        "features": _names(features, "features"),
        "join": _names(join, "join"),
        "positions": check_optional_text(positions, "positions"),
        "adjacent": check_flag(adjacent, "adjacent") or None,
    }
    for step, how in steps.items():
        if how is not None:
            data = _step_taken(data, step, how)
    return data


def _step_taken(data: Data, step: str, how: Any) -> Data:
    """Take a step, if data of this kind allows it."""
    if isinstance(data, Corpus):
        return recorded(STEPS[step](data, how), step, written_step(step, how))
    if isinstance(data, Ratings) and step in _OF_ITEM_LABELS:
        return recorded(_OF_ITEM_LABELS[step](data, how), step, written_step(step, how))
    raise OptionError("only for units, and this data has none; leave it out", step)


def chosen_layers(data: Data | Export, layers: Sequence[str]) -> Data:
    """Choose what layers belong to: units, or the labels that answer a question."""
    if isinstance(data, Export):
        return data.layer(layers)
    if isinstance(data, Ratings) and data.question.name and list(layers) != [data.question.name]:
        other = next((name for name in layers if name != data.question.name), data.question.name)
        raise OptionError(f"unknown layer {other!r}; available: {data.question.name}", "layers")
    if not isinstance(data, Corpus) and not (isinstance(data, Ratings) and data.question.name):
        raise OptionError("only for units, and this data has none; leave it out", "layers")
    return data


def written_step(step: str, how: Any) -> str:
    """Return how a step is recorded."""
    return _WRITTEN.get(step, _joined)(how)


def _names(given: Sequence[str] | None, parameter: str) -> list[str] | None:
    return None if given is None else check_names(given, parameter)


def _joined(names: Iterable[str]) -> str:
    """Write names in order, so that the same preparation is always written the same."""
    return ",".join(sorted({*map(_quoted, names)}))


def _quoted(name: str) -> str:
    return listed_name(name, ",;|")


def _refuse_missing(corpus: Corpus, names: Sequence[str]) -> Corpus:
    condition = mention("where", f'category != "{names[0]}"')
    instead = f"leave out such units with {condition}"
    raise OptionError(f"only for labels of items, and this data has units; {instead}", "missing")


STEPS: Mapping[str, Callable[[Corpus, Any], Corpus]] = {
    "layers": select_layers,
    "clean": clean_labels,
    "missing": _refuse_missing,
    "where": select_units,
    "features": select_features,
    "join": join_features,
    "positions": token_positions,
    "adjacent": lambda corpus, _: merge_adjacent(corpus),
}
"""The steps for units, in their order."""
_OF_ITEM_LABELS: Mapping[str, Callable[[Ratings, Any], Ratings]] = {
    "clean": clean_item_labels,
    "missing": labels_as_missing,
    "where": select_item_labels,
}
_WRITTEN: Mapping[str, Callable[[Any], str]] = {
    "clean": lambda steps: ",".join(map(_quoted, ordered_steps(steps))),
    "where": canonical_expression,
    "positions": str.strip,
    "adjacent": lambda _: "merged",
}
"""How a step is recorded; those that take names list them."""
