"""Texts that annotators may have corrected, with what they marked in them, as arrays to compute with.

An edition is one annotator's text and units. Its units are in layers, one per type (token, sentence …); units of one
layer do not overlap, units of different layers may nest or overlap freely.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from unisono.arrays import BoolArray, ComparedByContent, IntArray
from unisono.data.corpus import Corpus
from unisono.data.labels import Label
from unisono.errors import DataError, OptionError, listed

GAP_TYPE = "gap"
"""The type of the text outside units, if that counts."""
UNTYPED = "unit"
"""The type of units that have none."""


@dataclass(frozen=True, slots=True, eq=False)
class Layer(ComparedByContent):
    """The units of one type in one edition, in the order of the text."""

    # shape (n_units,): positions in symbols; the end is exclusive
    start: IntArray
    end: IntArray
    # shape (n_features, n_units): labels of the features that units of this type have; -1 where there is none
    codes: IntArray

    @property
    def n_units(self) -> int:
        """Number of units."""
        return len(self.start)


@dataclass(frozen=True, slots=True, eq=False)
class Edition(ComparedByContent):
    """One annotator's text and units."""

    text: IntArray  # the text's symbols, as indices into an `Alphabet`
    layers: tuple[Layer, ...]  # the units, type by type

    @property
    def n_units(self) -> int:
        """Number of units of all types."""
        return sum(layer.n_units for layer in self.layers)

    @property
    def key(self) -> tuple[bytes, ...]:
        """What editions are sorted by, so that the order of annotators does not matter."""
        units = (b"".join([layer.start.tobytes(), layer.end.tobytes(), layer.codes.tobytes()]) for layer in self.layers)
        return self.text.astype(">u4").tobytes(), *units


@dataclass(frozen=True)
class Alphabet:
    """The symbols of all texts of a corpus: code points, or clusters of a base and what combines with it."""

    symbols: tuple[str, ...]  # the symbols, sorted

    @cached_property
    def white(self) -> BoolArray:
        """Which symbols are white space."""
        return np.array([symbol.isspace() for symbol in self.symbols], dtype=np.bool_)

    def spelled(self, text: IntArray) -> str:
        """Return the text of some symbols."""
        return "".join([self.symbols[code] for code in text.tolist()])


@dataclass(frozen=True)
class LayerKind:
    """What units of one type have."""

    name: str  # the type
    features: tuple[str, ...]  # the features that count and that any unit of this type has


@dataclass(frozen=True, eq=False)
class Editions(ComparedByContent):
    """The editions of all documents that two annotators or more worked on."""

    corpus: Corpus  # where they come from
    alphabet: Alphabet  # the symbols of their texts
    kinds: tuple[LayerKind, ...]  # the types of units, in the order of the layers
    labels: Mapping[str, tuple[Label, ...]]  # feature to its labels
    of_document: Mapping[int, tuple[Edition, ...]]  # document index to its editions, in the order of its annotators
    # document index to the rows of the corpus with each edition's units, layer by layer; -1 for text outside units
    rows: Mapping[int, tuple[tuple[IntArray, ...], ...]]

    @property
    def n_marked(self) -> int:
        """How many layers contain units that annotators marked; gaps, if they count, come after them."""
        return sum(kind.name != GAP_TYPE for kind in self.kinds)

    @cached_property
    def finest(self) -> int:
        """The layer with the most marked units: tokens, if there are sentences too."""
        every = [edition for own in self.of_document.values() for edition in own]
        sizes = [sum(edition.layers[k].n_units for edition in every) for k in range(self.n_marked)]
        return int(np.argmax(sizes))

    @property
    def with_text(self) -> tuple[int, ...]:
        """The layers whose units' texts are changed by annotators: the finest, and gaps if they count."""
        return (self.finest, *range(self.n_marked, len(self.kinds)))


def editions(
    corpus: Corpus,
    features: Sequence[str],
    *,
    types: Sequence[str] | None = None,
    gaps: bool = False,
    graphemes: bool = False,
    like: Editions | None = None,
    fewest: int = 2,
) -> Editions:
    """Make editions of a corpus, with the features and the types of units that count; by default all types.

    With `gaps`, text outside units makes units of the type gap; with `graphemes`, combining marks are kept with their
    base. A pre-annotation takes the types and features of the editions that it should be `like`. Documents that fewer
    than `fewest` annotators worked on are left out.
    """
    kind_of, names = _types(
        corpus, types if like is None else [kind.name for kind in like.kinds if kind.name != GAP_TYPE]
    )
    wanted = np.flatnonzero(corpus.worked.sum(axis=1) >= fewest).tolist()
    whose = [(d, a) for d in wanted for a in np.flatnonzero(corpus.worked[d]).tolist()]
    texts = [_text(corpus, d, a) for d, a in whose]
    known = () if like is None else like.alphabet.symbols
    places: Sequence[IntArray | None] = [None] * len(texts)
    if graphemes:
        cut = [_clusters(text) for text in texts]
        alphabet, codes = _numbered(cut, known)
        places = [_places(clusters) for clusters in cut]
    else:
        alphabet, codes = _numbered_characters(texts, known)
    kinds = like.kinds if like is not None else _kinds(corpus, kind_of, names, features, wanted, gaps)
    marked = _rows_of_layers(corpus, whose, texts, kind_of, names)
    made = [
        _edition(corpus, own, code, place, kinds, alphabet.white, who)
        for own, code, place, who in zip(marked, codes, places, whose, strict=True)
    ]
    found: dict[int, tuple[Edition, ...]] = {}
    rows: dict[int, tuple[tuple[IntArray, ...], ...]] = {}
    for (d, _), (edition, lines) in zip(whose, made, strict=True):
        found[d] = (*found.get(d, ()), edition)
        rows[d] = (*rows.get(d, ()), lines)
    return Editions(corpus, alphabet, kinds, {f: corpus.features[f].labels for f in features}, found, rows)


def without_labels(editions: Sequence[Edition]) -> tuple[Edition, ...]:
    """Return editions without their labels."""
    return tuple(
        Edition(edition.text, tuple(Layer(layer.start, layer.end, layer.codes[:0]) for layer in edition.layers))
        for edition in editions
    )


def gap_layer(text: IntArray, layers: Sequence[Layer], white: BoolArray) -> Layer:
    """Make units of the text that no unit covers, without the white space around it."""
    free = ~white[text] if len(text) else np.zeros(0, dtype=np.bool_)
    covered = np.zeros(len(text) + 1, dtype=np.int64)
    for layer in layers:
        np.add.at(covered, layer.start, 1)
        np.add.at(covered, layer.end, -1)
    outside = np.cumsum(covered)[:-1] == 0
    # a gap starts and ends with something other than white space, and white space inside belongs to it
    run = np.cumsum(np.diff(outside.astype(np.int64), prepend=0) == 1)
    where = np.flatnonzero(outside & free)
    if not len(where):
        return Layer(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros((0, 0), np.int64))
    first = np.flatnonzero(np.diff(run[where], prepend=-1))
    last = np.append(first[1:], len(where)) - 1
    return Layer(where[first], where[last] + 1, np.zeros((0, len(first)), np.int64))


def _types(corpus: Corpus, wanted: Sequence[str] | None) -> tuple[IntArray, tuple[str, ...]]:
    """Return each unit's type as a number, -1 if it does not count, and the types' names."""
    column = corpus.features.get("type")
    if column is None:
        if wanted is not None and list(wanted) != [UNTYPED]:
            raise OptionError.about("types", f"unknown type {wanted[0]!r}; units have no types")
        return np.zeros(corpus.n_units, np.int64), (UNTYPED,)
    names = [*(str(label) for label in column.labels), UNTYPED]
    codes = np.where(column.codes < 0, len(names) - 1, column.codes)
    present = dict.fromkeys(names[code] for code in np.unique(codes).tolist()) or [UNTYPED]
    chosen = list(present if wanted is None else dict.fromkeys(wanted))
    known = [*names[:-1], *([UNTYPED] if UNTYPED in present else [])]
    for name in chosen:
        if name not in known:
            raise OptionError.about("types", f"unknown type {name!r}; available: {listed([*present])}")
    place = np.array([chosen.index(name) if name in chosen else -1 for name in names], dtype=np.int64)
    return place[codes], tuple(chosen)


def _kinds(
    corpus: Corpus,
    kind_of: IntArray,
    names: Sequence[str],
    features: Sequence[str],
    documents: Sequence[int],
    gaps: bool,
) -> tuple[LayerKind, ...]:
    counted = np.isin(corpus.document, documents)
    kinds = []
    for k, name in enumerate(names):
        own = counted & (kind_of == k)
        kinds.append(LayerKind(name, tuple(f for f in features if (corpus.features[f].codes[own] >= 0).any())))
    if gaps:
        if GAP_TYPE in names:
            raise OptionError.about(
                "gaps", f"units have a type named {GAP_TYPE!r}, so text outside them cannot have that name; rename it"
            )
        kinds.append(LayerKind(GAP_TYPE, ()))
    return tuple(kinds)


def _text(corpus: Corpus, document: int, annotator: int) -> str:
    text = corpus.texts.get((document, annotator))
    if text is None:
        where, who = corpus.documents[document], corpus.annotators[annotator]
        raise DataError(
            f"document {where!r} has no text by {who!r}; text-γ compares texts, so provide one for each annotator",
            **corpus.origin(document, annotator),
        )
    return text


def _clusters(text: str) -> list[str]:
    import regex

    return [str(cluster) for cluster in regex.findall(r"\X", text)]


def _places(clusters: Sequence[str]) -> IntArray:
    """Return the cluster that each character belongs to, and the number of clusters for the end."""
    lengths = [len(cluster) for cluster in clusters]
    return np.append(np.repeat(np.arange(len(clusters)), lengths), len(clusters)).astype(np.int64)


def _numbered(texts: Sequence[Sequence[str]], known: Sequence[str]) -> tuple[Alphabet, list[IntArray]]:
    """Return the symbols of texts and those known before, and each text as numbers of symbols."""
    alphabet = Alphabet(tuple(sorted(set(known).union(*texts))))
    number = {symbol: code for code, symbol in enumerate(alphabet.symbols)}
    return alphabet, [np.fromiter(map(number.__getitem__, text), np.int64, count=len(text)) for text in texts]


def _numbered_characters(texts: Sequence[str], known: Sequence[str]) -> tuple[Alphabet, list[IntArray]]:
    """Do the same for texts whose symbols are characters, all at once."""
    every = np.frombuffer("".join([*texts, *known]).encode("utf-32-le", "surrogatepass"), np.uint32)
    points = np.flatnonzero(np.bincount(every))
    number = np.zeros(int(points.max(initial=0)) + 1, np.int64)
    number[points] = np.arange(len(points))
    codes, edges = number[every], np.cumsum([0, *map(len, texts)]).tolist()
    return Alphabet(tuple(map(chr, points.tolist()))), [codes[a:b] for a, b in pairwise(edges)]


def _rows_of_layers(
    corpus: Corpus, whose: Sequence[tuple[int, int]], texts: Sequence[str], kind_of: IntArray, names: Sequence[str]
) -> list[list[IntArray]]:
    """Return the rows of each annotator's units, type by type; units that do not fit the text are an error."""
    n_annotators, n_kinds = len(corpus.annotators), len(names)
    blocks = np.array([d * n_annotators + a for d, a in whose], np.int64)
    length = np.full(len(corpus.documents) * n_annotators, -1)  # of the text of each block of units
    length[blocks] = [len(text) for text in texts]
    block = corpus.document * n_annotators + corpus.annotator
    rows = np.flatnonzero((kind_of >= 0) & (length[block] >= 0))
    rows = rows[np.lexsort((kind_of[rows], block[rows]))]  # units of a type are sorted by position already
    layer = block[rows] * n_kinds + kind_of[rows]
    edges = np.searchsorted(layer, (blocks[:, None] * n_kinds + np.arange(n_kinds + 1)).reshape(-1))
    made = [[rows[a:b] for a, b in pairwise(own)] for own in edges.reshape(len(blocks), n_kinds + 1).tolist()]
    start, end = corpus.start[rows], corpus.end[rows]
    misplaced = (start % 1 != 0) | (end % 1 != 0) | (start < 0) | (end > length[block[rows]])
    if misplaced.any() or ((start[1:] < end[:-1]) & (layer[1:] == layer[:-1])).any():
        for own, who, text in zip(made, whose, texts, strict=True):
            for of_kind, name in zip(own, names, strict=True):
                _refuse_misplaced(corpus, of_kind, who, name, len(text))
    return made


def _edition(
    corpus: Corpus,
    rows: Sequence[IntArray],
    text: IntArray,
    place: IntArray | None,
    kinds: Sequence[LayerKind],
    white: BoolArray,
    whose: tuple[int, int],
) -> tuple[Edition, tuple[IntArray, ...]]:
    layers: list[Layer] = []
    for kind, own in zip(kinds, rows, strict=False):
        start, end = corpus.start[own].astype(np.int64), corpus.end[own].astype(np.int64)
        if place is not None:
            start, end = _on_clusters(corpus, place, start, end, whose)
        codes = [corpus.features[name].codes[own] for name in kind.features]
        layers.append(Layer(start, end, np.array(codes, dtype=np.int64).reshape(len(codes), len(own))))
    if len(kinds) == len(rows):
        return Edition(text, tuple(layers)), tuple(rows)
    outside = gap_layer(text, layers, white)
    return Edition(text, (*layers, outside)), (*rows, np.full(outside.n_units, -1, dtype=np.int64))


def _refuse_misplaced(corpus: Corpus, rows: IntArray, whose: tuple[int, int], kind: str, n_characters: int) -> None:
    start, end = corpus.start[rows], corpus.end[rows]
    if start.dtype.kind == "f" and ((start % 1 != 0) | (end % 1 != 0)).any():
        row = int(np.flatnonzero((start % 1 != 0) | (end % 1 != 0))[0])
        raise _wrong(corpus, whose, f"the unit {start[row]:g}–{end[row]:g} does not start and end at whole characters")
    outside = np.flatnonzero((start < 0) | (end > n_characters))
    if len(outside):
        row = int(outside[0])
        said = f"the unit {int(start[row])}–{int(end[row])} is outside the text, which has {n_characters} characters"
        raise _wrong(corpus, whose, f"{said}; fix the positions or the text")
    overlapping = np.flatnonzero(start[1:] < end[:-1])
    if len(overlapping):
        u = int(overlapping[0])
        spans = " and ".join(f"{int(start[i])}–{int(end[i])}" for i in (u, u + 1))
        raise _wrong(
            corpus,
            whose,
            f"the units {spans} are both of the type {kind} and overlap, so it would be unclear which one a "
            'boundary closes; give them different types ("type"), or use gamma',
        )


def _on_clusters(
    corpus: Corpus, place: IntArray, start: IntArray, end: IntArray, whose: tuple[int, int]
) -> tuple[IntArray, IntArray]:
    begins = np.diff(place, prepend=-1) > 0
    torn = np.flatnonzero(~begins[start] | ~begins[end])
    if len(torn):
        unit = int(torn[0])
        said = f"the unit {int(start[unit])}–{int(end[unit])} separates a letter from a mark that combines with it"
        raise _wrong(corpus, whose, f"{said}; fix it, or set graphemes=false")
    return place[start], place[end]


def _wrong(corpus: Corpus, whose: tuple[int, int], why: str) -> DataError:
    document, annotator = whose
    return DataError(
        f"document {corpus.documents[document]!r} by {corpus.annotators[annotator]!r}: {why}",
        **corpus.origin(document, annotator),
    )
