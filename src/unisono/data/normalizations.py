"""Normalizations: tokens of texts, and what each annotator rewrote them to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from unisono.arrays import IntArray
from unisono.data.annotations import Itemized
from unisono.data.labels import MISSING, encode_in_order
from unisono.data.selection import Steps, chosen, kept
from unisono.data.spans import Locate
from unisono.errors import DataError, listed

REWRITTEN = "these are words that annotators rewrote; use normalization"
"""The message of a measure for other data."""
_ABOUT = ("original", "document", "sentence")


class Forms(tuple[str, ...]):
    """Words, and the characters that they are made of."""

    @cached_property
    def length(self) -> IntArray:
        """Number of code points of each word."""
        return np.fromiter(map(len, self), np.int64, count=len(self))

    @cached_property
    def code_points(self) -> IntArray:
        """The code points of all words one after the other."""
        text = "".join(self).encode("utf-32-le", "surrogatepass")
        return np.frombuffer(text, dtype="<u4").astype(np.int64)


@dataclass(frozen=True, eq=False)
class Normalizations(Itemized):
    """Tokens × annotators. Make them with `unisono.read`, `unisono.from_frame`, `Normalizations.of` or `from_columns`.

    Attributes
    ----------
    documents, annotators : tuple of str
        Names, in the order of their first appearance.
    document : int64 array, shape (n_tokens,)
        Index into `documents`; the tokens of a document are adjacent, in the order of the text.
    forms : Forms
        All distinct forms, sorted; blanks around a form are not part of it.
    original : int64 array, shape (n_tokens,)
        The tokens: index into `forms`.
    norm : int64 array, shape (n_tokens, n_annotators)
        The normalizations: index into `forms`; -1 where an annotator gave none.
    mod : int64 array of the same shape, or None
        The modernizations, that is, normalizations that go further; None if the data has none.
    type : int64 array of the same shape, or None
        The types of modernization: index into `types`; -1 where none is given. None if the data has none.
    types : tuple of str
        Their names, in the order of their first appearance.
    sentence : int64 array, shape (n_tokens,), or None
        The number of each token's sentence, through all documents.
    source : str
        Where the normalizations come from, for display.
    dropped : dict
        What was left out when they were read and why, with counts.
    preparation : tuple
        What was done to them before they were measured: (step, how), in order.

    See Also
    --------
    normalization, to_normalizations, read

    Examples
    --------
    >>> import unisono
    >>> words = {"original": ["vnd", "jn", "gewain"], "anna": ["und", "in", "weinte"], "bert": ["und", "in", "geweint"]}
    >>> data = unisono.Normalizations.of(words)
    >>> data
    Normalizations(3 tokens, 2 annotators, 7 forms)
    >>> data.annotators, data.n_tokens
    (('anna', 'bert'), 3)
    """

    documents: tuple[str, ...]
    annotators: tuple[str, ...]
    document: IntArray
    forms: Forms
    original: IntArray
    norm: IntArray
    mod: IntArray | None = None
    type: IntArray | None = None
    types: tuple[str, ...] = ()
    sentence: IntArray | None = None
    source: str = ""
    dropped: Mapping[str, int] = field(default_factory=dict)
    preparation: Steps = ()

    @classmethod
    def from_columns(
        cls,
        *,
        token: Sequence[Any],
        original: Sequence[Any],
        annotator: Sequence[str],
        norm: Sequence[Any],
        mod: Sequence[Any] | None = None,
        type: Sequence[Any] | None = None,  # noqa: A002
        document: Sequence[str] | None = None,
        sentence: Sequence[Any] | None = None,
        source: str = "",
        locate: Locate | None = None,
    ) -> Normalizations:
        """Make normalizations from columns of equal length, one row per token and annotator.

        Parameters
        ----------
        token : sequence
            Which token of the document it is; whole numbers put the tokens into order, other names leave them in the
            order of their first appearance.
        original : sequence of str
            The token itself, the same in all rows of the token.
        annotator, document : sequence of str
            Names; all belong to one document if none is given.
        norm, mod, type : sequence
            Normalization, modernization and type of modernization; None or empty where there is none.
        sentence : sequence, optional
            Which sentence of the document the token is in.
        source : str, optional
            Where the data comes from.
        locate : callable, optional
            Row to (file, line), for messages.
        """
        columns = {"token": token, "original": original, "annotator": annotator, "norm": norm}
        more = {"mod": mod, "type": type, "document": document, "sentence": sentence}
        columns.update({name: column for name, column in more.items() if column is not None})
        _refuse_uneven(columns)
        documents = ["document"] * len(token) if document is None else document
        rows = _Rows(documents, token, annotator, locate)
        originals = [_form(value) for value in original]
        _refuse_missing(originals, locate)
        rows.refuse_different("original", originals)
        if sentence is not None:
            rows.refuse_different("sentence", sentence)
        first = rows.first.tolist()
        names = ("norm", "mod", "type")
        cells = {name: rows.spread([_form(value) for value in columns[name]]) for name in names if name in columns}
        return _made(
            documents=[documents[row] for row in first],
            original=[originals[row] for row in first],
            annotators=rows.people,
            cells=cells,
            sentence=None if sentence is None else [sentence[row] for row in first],
            source=source,
        )

    @classmethod
    def from_annotators(
        cls,
        original: Sequence[Any],
        columns: Mapping[str, Sequence[Any]],
        *,
        mod: Mapping[str, Sequence[Any]] | None = None,
        type: Mapping[str, Sequence[Any]] | None = None,  # noqa: A002
        document: Sequence[str] | None = None,
        sentence: Sequence[Any] | None = None,
        source: str = "",
        locate: Locate | None = None,
    ) -> Normalizations:
        """Make normalizations from one column per annotator, one row per token.

        Parameters
        ----------
        original : sequence of str
            The tokens, in the order of the text.
        columns : mapping
            Annotator to normalizations; None or empty where the annotator gave none.
        mod, type : mapping, optional
            Annotator to modernizations and to their types.
        document, sentence : sequence, optional
            Which document each token belongs to, and which sentence of it.
        source : str, optional
            Where the data comes from.
        locate : callable, optional
            Row to (file, line), for messages.
        """
        if not columns:
            raise DataError("there is no annotator; add one column per annotator besides the original")
        given = {"norm": columns, "mod": mod, "type": type}
        lists = {f"{name} of {who}": one for name, by in given.items() if by for who, one in by.items()}
        for name in {**(mod or {}), **(type or {})}:
            if name not in columns:
                raise DataError(f"{name!r} has modernizations or types but no normalizations; add a column for them")
        about = {"original": original, "document": document, "sentence": sentence}
        _refuse_uneven(lists | {name: column for name, column in about.items() if column is not None})
        originals = [_form(value) for value in original]
        _refuse_missing(originals, locate)
        empty = [None] * len(originals)
        return _made(
            documents=["document"] * len(originals) if document is None else document,
            original=originals,
            annotators=list(map(str, columns)),
            cells={
                name: [[_form(value) for value in by.get(who, empty)] for who in columns]
                for name, by in given.items()
                if by is not None
            },
            sentence=sentence,
            source=source,
        )

    @classmethod
    def of(cls, table: Any) -> Normalizations:
        """Make normalizations from Python objects.

        Parameters
        ----------
        table : Normalizations or mapping
            A mapping has `original` and one entry per annotator, each a list of words; `document` and `sentence` are
            optional.
        """
        if isinstance(table, Normalizations):
            return table
        if not isinstance(table, Mapping) or "original" not in table:
            raise DataError(
                "normalizations are a table: original, and one column per annotator, each a list of words, e.g. "
                '{"original": ["vnd"], "anna": ["und"], "bert": ["und"]}'
            )
        for name, column in table.items():
            if isinstance(column, str) or not isinstance(column, Iterable):
                raise DataError(f"{name!r} is {column!r}; pass a list of words, one per token")
        lists = {str(name): list(column) for name, column in table.items()}
        if len(lists) < len(table):
            raise DataError(f"two columns have the same name: {listed(list(table))}; rename one")
        columns = {name: column for name, column in lists.items() if name not in _ABOUT}
        return cls.from_annotators(
            lists["original"], columns, document=lists.get("document"), sentence=lists.get("sentence")
        )

    @property
    def n_tokens(self) -> int:
        """Number of tokens."""
        return len(self.original)

    @property
    def cells(self) -> IntArray:
        """The normalizations."""
        return self.norm

    @property
    def _sizes(self) -> tuple[Any, ...]:
        return tuple(sorted(self.annotators)), self.n_tokens

    @property
    def _content(self) -> dict[str, list[Any]]:
        """The tokens of each document with their normalizations, for comparison."""
        found: dict[str, list[Any]] = {name: [] for name in self.documents}
        forms, types = [*self.forms, None], [*self.types, None]
        tables = [(self.norm, forms), (self.mod, forms), (self.type, types)]
        for token, document in enumerate(self.document.tolist()):
            given = [
                {who: words[code] for who, code in zip(self.annotators, cells[token].tolist(), strict=True)}
                for cells, words in tables
                if cells is not None
            ]
            found[self.documents[document]].append((self.forms[int(self.original[token])], given))
        return found

    def __repr__(self) -> str:
        return f"Normalizations({self.n_tokens} tokens, {len(self.annotators)} annotators, {len(self.forms)} forms)"

    def select(
        self,
        *,
        annotators: Iterable[str] | None = None,
        documents: Iterable[str] | None = None,
        all_labels: bool = False,  # as in other data; there are no labels here
    ) -> Normalizations:
        """Keep some annotators, some documents, or both; documents that none of them normalized are removed, too."""
        keep_annotators = kept(self.annotators, annotators, "annotator")
        keep_documents = kept(self.documents, documents, "document")
        steps = self.preparation
        if annotators is not None:
            steps = chosen(steps, "annotators", self.annotators, keep_annotators)
            given = (self.norm[:, keep_annotators] >= 0).any(axis=1)
            keep_documents = keep_documents & np.isin(np.arange(len(self.documents)), self.document[given])
        rows = keep_documents[self.document]

        def some(cells: IntArray | None) -> IntArray | None:
            return None if cells is None else cells[np.ix_(rows, keep_annotators)]

        return Normalizations(
            documents=tuple(np.array(self.documents, dtype=object)[keep_documents]),
            annotators=tuple(np.array(self.annotators, dtype=object)[keep_annotators]),
            document=(np.cumsum(keep_documents) - 1)[self.document[rows]],
            forms=self.forms,
            original=self.original[rows],
            norm=self.norm[np.ix_(rows, keep_annotators)],
            mod=some(self.mod),
            type=some(self.type),
            types=self.types,
            sentence=None if self.sentence is None else self.sentence[rows],
            source=self.source,
            dropped=self.dropped,
            preparation=steps if documents is None else chosen(steps, "documents", self.documents, keep_documents),
        )


class _Rows:
    """Rows of a long table, sorted into tokens and annotators."""

    def __init__(
        self, document: Sequence[str], token: Sequence[Any], annotator: Sequence[str], locate: Locate | None
    ) -> None:
        self._token, self._annotator, self._locate = token, annotator, locate
        numbers = _whole(token)
        order = encode_in_order(token)[0] if numbers is None else np.array(numbers, dtype=np.int64)
        distinct, rank = np.unique(order, return_inverse=True)
        where, _ = encode_in_order(document)
        keys = where * max(len(distinct), 1) + rank.reshape(-1)
        _, self.first, which = np.unique(keys, return_index=True, return_inverse=True)
        self._which = which.reshape(-1)
        self._who, self.people = encode_in_order(annotator)
        self._refuse_repeated()

    def spread(self, values: Sequence[str | None]) -> list[list[str | None]]:
        """Return a column as one list per annotator."""
        lists: list[list[str | None]] = [[None] * len(self.first) for _ in self.people]
        for who, token, value in zip(self._who.tolist(), self._which.tolist(), values, strict=True):
            lists[who][token] = value
        return lists

    def refuse_different(self, name: str, values: Sequence[Any]) -> None:
        """Reject a token that is not the same in all its rows."""
        first = self.first[self._which].tolist()
        for row, one in enumerate(first):
            if values[row] != values[one]:
                raise _failing(
                    row,
                    f"the token {self._token[row]} has the {name} {values[row]!r} here and {values[one]!r} elsewhere; "
                    "number tokens so that each has a unique number in its document",
                    self._locate,
                )

    def _refuse_repeated(self) -> None:
        cells = self._which * max(len(self.people), 1) + self._who
        distinct, first = np.unique(cells, return_index=True)
        if len(distinct) < len(cells):
            row = int(np.setdiff1d(np.arange(len(cells)), first)[0])
            raise _failing(
                row,
                f"the annotator {self._annotator[row]!r} normalizes the token {self._token[row]} a second time; remove "
                "one, or distinguish documents by a column document",
                self._locate,
            )


def _made(
    *,
    documents: Sequence[str],
    original: Sequence[str | None],
    annotators: Sequence[str],
    cells: Mapping[str, Sequence[Sequence[str | None]]],
    sentence: Sequence[Any] | None,
    source: str,
) -> Normalizations:
    """Assign numbers to the forms, and put the tokens of each document together."""
    where, names = encode_in_order(list(map(str, documents)))
    order = np.argsort(where, kind="stable")
    distinct = set(original).union(*cells["norm"], *cells.get("mod", ()))
    forms = sorted(form for form in distinct if form is not None)
    types = list(dict.fromkeys(one for column in cells.get("type", ()) for one in column if one is not None))

    def coded(name: str, texts: Sequence[str]) -> IntArray | None:
        if name not in cells or (name != "norm" and not any(map(any, cells[name]))):
            return None
        number: dict[str | None, int] = {text: code for code, text in enumerate(texts)}
        number[None] = MISSING
        codes = np.full((len(order), len(annotators)), MISSING, dtype=np.int64)
        for who, column in enumerate(cells[name]):
            codes[:, who] = np.fromiter(map(number.__getitem__, column), np.int64, count=len(column))[order]
        return codes

    number = {form: code for code, form in enumerate(forms)}
    norm = coded("norm", forms)
    assert norm is not None
    return Normalizations(
        documents=names,
        annotators=tuple(annotators),
        document=where[order],
        forms=Forms(forms),
        original=np.array([number[form] for form in original if form is not None], dtype=np.int64)[order],
        norm=norm,
        mod=coded("mod", forms),
        type=coded("type", types),
        types=tuple(types),
        sentence=None
        if sentence is None
        else encode_in_order(list(zip(where.tolist(), sentence, strict=True)))[0][order],
        source=source,
    )


def _form(value: Any) -> str | None:
    """Return a word without surrounding blanks; None if there is none."""
    if type(value) is not str:
        if isinstance(value, list | tuple | set | dict | np.ndarray):
            raise DataError(f"{value!r} is not a word; pass one normalization per token")
        if value is None or (value != value) is not False:  # NaN, and its counterpart in pandas
            return None
        value = str(value)
    return value.strip() or None


def _whole(tokens: Sequence[Any]) -> list[int] | None:
    """Return the numbers of tokens, if all are whole numbers."""
    try:
        numbers = [int(token) for token in tokens]
    except (TypeError, ValueError):
        return None
    plain = all(str(token).strip().isdigit() for token in tokens)
    return numbers if plain and max(numbers, default=0) < 2**63 else None


def _refuse_missing(originals: Sequence[str | None], locate: Locate | None) -> None:
    if None in originals:
        row = originals.index(None)
        raise _failing(row, "the original is missing; fill it in, or remove the row", locate)


def _refuse_uneven(columns: Mapping[str, Sequence[Any]]) -> None:
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        raise DataError(f"the columns of the normalizations differ in length: {lengths}; use None for a missing one")


def _failing(row: int, message: str, locate: Locate | None) -> DataError:
    if locate is None:
        return DataError(f"row {row + 1}: {message}")
    path, line = locate(row)
    return DataError(message, path=path, line=line)
