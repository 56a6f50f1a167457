"""Units, or labels of items, for which an expression holds."""

from __future__ import annotations

import ast
import json
import operator
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, NoReturn, Protocol, TypeAlias

import numpy as np
import regex

from unisono.data import Corpus, Ratings
from unisono.data.labels import MISSING
from unisono.data.ratings import taken
from unisono.errors import OptionError, listed
from unisono.preparation.units import with_dropped, with_units, with_versions

_ORDER: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_NUMBER = re.compile(r"\s*[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?\s*")
_Side: TypeAlias = tuple[ast.expr, Any]
"""What was written, and its value."""
_SINGLE_EQUALS = re.compile(r"(?<![=!<>])=(?!=)")
_LONGEST = 2000
_TOO_DEEP = "it is nested too deeply"
_SECONDS = 1.0


def select_units(corpus: Corpus, expression: str) -> Corpus:
    """Keep the units for which an expression holds.

    It may name the features, and document, annotator, start, end, length and text (what the unit covers); compare with
    ``== != < <= > >= in`` and ``not in``; combine with ``and``, ``or``, ``not`` and brackets; and use ``matches(text,
    "regex")``. A feature whose name is not a word is written ``feature["its name"]``.

    A missing label is None: it is not equal to any other, neither more nor less than any, and in nothing; nothing is in
    it. A number and a text that spells one are compared as numbers; any other text is neither more nor less than a
    number, and comparing them so is an error.

    Documents and annotators for which it cannot hold, whatever was marked, are left out altogether: with
    ``annotator != "bert"``, Bert did not mark nothing, he is not there.
    """
    test = _Test(expression, _Units(corpus))
    kept = np.fromiter((test.holds(row) for row in range(corpus.n_units)), np.bool_, count=corpus.n_units)
    chosen = with_units(corpus, kept, f"units for which this does not hold: {expression}")
    worked = corpus.worked.copy()
    for document, annotator in np.argwhere(worked).tolist() if test.names_versions else ():
        worked[document, annotator] = test.may_hold(document, annotator)
    return chosen if (worked == corpus.worked).all() else with_versions(chosen, worked)


def select_item_labels(ratings: Ratings, expression: str) -> Ratings:
    """Keep the labels of items for which an expression holds; the others are missing.

    It may name label, item, annotator, document and text (what the item says); for the rest see `select_units`. Items
    that lose all labels are left out, and so are annotators and documents for which it cannot hold.
    """
    test = _Test(expression, _ItemLabels(ratings))
    given = ratings.codes >= 0
    kept = np.zeros_like(given)
    for row, annotator in np.argwhere(given).tolist():
        kept[row, annotator] = test.holds((row, annotator))
    why = f"labels for which this does not hold: {expression}"
    n_lost = int(((given & ~kept) * ratings.times[:, None]).sum())
    rows = np.asarray(kept.any(axis=1) | ~given.any(axis=1))
    people = np.ones(len(ratings.annotators), np.bool_)
    if test.names_versions:
        texts = range(len(ratings.documents))
        people[:] = [any(test.may_hold(text, who) for text in texts) for who in range(len(people))]
    texts_left = np.bincount(ratings.document[rows], minlength=len(ratings.documents)) > 0
    made = replace(ratings, codes=np.where(kept, ratings.codes, MISSING))
    return replace(taken(made, rows, people, texts_left), dropped=with_dropped(ratings, {why: n_lost}))


def canonical_expression(expression: str) -> str:
    """Write an expression in one way, whatever its spaces and quotation marks."""
    try:
        return ast.unparse(_parsed(expression))
    except RecursionError:
        raise _wrong(expression, _TOO_DEEP) from None


def _parsed(expression: str) -> ast.expr:
    try:
        if len(expression) > _LONGEST:
            raise SyntaxError("it is too long")
        return ast.parse(expression.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        single = _SINGLE_EQUALS.search(expression)
        raise _wrong(expression, "= does not compare, == does" if single else "it is not an expression") from None


def _wrong(expression: str, why: str, example: str = 'category != "O" and length > 3') -> OptionError:
    return OptionError(f"cannot use {expression!r}: {why}; write e.g. {example}", "where")


class _Subject(Protocol):
    """What an expression is about."""

    @property
    def example(self) -> str:
        """An expression that could be meant."""

    @property
    def documents(self) -> Sequence[str]:
        """The names of documents."""

    @property
    def annotators(self) -> Sequence[str]:
        """The names of annotators."""

    @property
    def features(self) -> Collection[str]:
        """The names of features, which hide all other names."""

    @property
    def names(self) -> Sequence[str]:
        """All other names."""

    def value(self, name: str, row: Any) -> Any:
        """Return what a name stands for; `row` says for which unit or label."""


class _Units:
    """The units of a corpus, by their numbers."""

    example = 'category != "O" and length > 3'
    names = ("document", "annotator", "start", "end", "length", "text")

    def __init__(self, corpus: Corpus) -> None:
        self.features = {name: column.values() for name, column in corpus.features.items()}
        self.documents, self.annotators = corpus.documents, corpus.annotators
        self._corpus = corpus

    def value(self, name: str, row: int) -> Any:
        corpus = self._corpus
        if name in self.features:
            return self.features[name][row]
        place = int(corpus.document[row]), int(corpus.annotator[row])
        start, end = corpus.start[row].item(), corpus.end[row].item()
        match name:
            case "document":
                return corpus.documents[place[0]]
            case "annotator":
                return corpus.annotators[place[1]]
            case "text":
                return corpus.texts.get(place, "")[int(start) : int(end)]
        return {"start": start, "end": end, "length": end - start}[name]


class _ItemLabels:
    """The labels of items, by row and annotator."""

    example = 'label != "unclear" and annotator != "bert"'
    names = ("label", "item", "annotator", "document", "text")
    features: Collection[str] = ()

    def __init__(self, ratings: Ratings) -> None:
        self.documents, self.annotators = ratings.documents, ratings.annotators
        self._ratings = ratings

    def value(self, name: str, row: tuple[int, int]) -> Any:
        ratings, (item, annotator) = self._ratings, row
        match name:
            case "label":
                return ratings.labels[ratings.codes[row]]
            case "item":
                return ratings.items[item]
            case "annotator":
                return ratings.annotators[annotator]
            case "text":
                return "" if ratings.texts is None else ratings.texts[item]
        return ratings.documents[ratings.document[item]]


class _Test:
    """An expression, for units or labels."""

    def __init__(self, expression: str, subject: _Subject) -> None:
        self._expression = expression
        self._tree = _parsed(expression)
        self._subject = subject

    def holds(self, row: Any) -> bool:
        """Whether it holds for a unit."""
        try:
            return bool(self._value(self._tree, row))
        except RecursionError:
            self._fail(_TOO_DEEP)

    @property
    def names_versions(self) -> bool:
        """Whether it depends on the document or the annotator."""
        return any(isinstance(node, ast.Name) and node.id in self._versions for node in ast.walk(self._tree))

    def may_hold(self, document: int, annotator: int) -> bool:
        """Whether it can hold for a unit of an annotator in a document, whatever that unit is."""
        names = {"document": self._subject.documents[document], "annotator": self._subject.annotators[annotator]}
        return self._decided(self._tree, {name: names[name] for name in self._versions}) is not False

    @property
    def _versions(self) -> set[str]:
        """The names that say whose version of which document a unit is in; a feature may have such a name instead."""
        return {"document", "annotator"} - set(self._subject.features)

    def _decided(self, node: ast.expr, known: Mapping[str, str]) -> bool | None:
        """Whether it holds, if that follows from the document and the annotator alone; else None."""
        match node:
            case ast.BoolOp(op=op, values=parts):
                found = [self._decided(part, known) for part in parts]
                decisive = isinstance(op, ast.Or)
                return decisive if decisive in found else None if None in found else not decisive
            case ast.UnaryOp(op=ast.Not(), operand=part):
                decided = self._decided(part, known)
                return None if decided is None else not decided
        named = {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and part.id not in ("matches",)}
        return bool(self._value(node, known)) if named <= set(known) else None

    def _value(self, node: ast.expr, row: Any) -> Any:
        match node:
            case ast.Constant(value=str() | int() | float() | None as value):
                return value
            case ast.Name(id=name):
                return self._named(name, row)
            case ast.Subscript(value=ast.Name(id="feature"), slice=ast.Constant(value=str(name))):
                return None if isinstance(row, Mapping) else self._feature(name, row)
            case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
                return [self._value(part, row) for part in parts]
            case ast.BoolOp(op=ast.And(), values=parts):
                return all(self._value(part, row) for part in parts)
            case ast.BoolOp(op=ast.Or(), values=parts):
                return any(self._value(part, row) for part in parts)
            case ast.UnaryOp(op=ast.Not(), operand=part):
                return not self._value(part, row)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
                return -value
            case ast.Compare(left=left, ops=ops, comparators=others):
                return self._compared([left, *others], ops, row)
            case ast.Call(func=ast.Name(id="matches"), args=[what, ast.Constant(value=str(pattern))], keywords=[]):
                return self._matches(self._value(what, row), pattern)
        return self._fail(f"{ast.unparse(node)!r} is not supported")

    def _compared(self, parts: list[ast.expr], ops: list[ast.cmpop], row: Any) -> bool:
        values = [self._value(part, row) for part in parts]
        sides = list(zip(parts, values, strict=True))
        return all(self._holds_between(op, one, other) for op, one, other in zip(ops, sides, sides[1:], strict=False))

    def _holds_between(self, op: ast.cmpop, one: _Side, other: _Side) -> bool:
        """Whether a single comparison holds."""
        match op:
            case ast.Eq():
                return _are_equal(one[1], other[1])
            case ast.NotEq():
                return not _are_equal(one[1], other[1])
            case ast.In():
                return self._is_in(one, other)
            case ast.NotIn():
                return not self._is_in(one, other)
            case ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE():
                return self._in_order(_ORDER[type(op)], one, other)
        return self._fail("'is' is not supported; write ==")

    def _is_in(self, one: _Side, other: _Side) -> bool:
        what, many = one[1], other[1]
        match many:
            case None:
                return False
            case str() if what is None or isinstance(what, str):
                return what is not None and what in many
            case list() | tuple():
                return any(_are_equal(what, member) for member in many)
        said = f"{ast.unparse(one[0])} cannot be in {ast.unparse(other[0])}"
        return self._fail(f"{said}, which is {_kind(many)}", 'category in ["A", "B"]')

    def _in_order(self, holds: Callable[[Any, Any], bool], one: _Side, other: _Side) -> bool:
        first, second = _alike(one[1], other[1])
        if first is None or second is None:
            return False
        if (_is_number(first) and _is_number(second)) or (isinstance(first, str) and isinstance(second, str)):
            return holds(first, second)
        said = " and ".join(f"{ast.unparse(node)} is {_kind(value)}" for node, value in (one, other))
        node, value = one if not _is_number(first) else other
        if isinstance(node, ast.Constant):
            return self._fail(f"{said}, so neither is less than the other")
        shown = json.dumps(value, ensure_ascii=False, default=str)
        return self._fail(f"{said}, so neither is less than the other", f"{ast.unparse(node)} == {shown}")

    def _matches(self, text: Any, pattern: str) -> bool:
        try:
            return regex.search(pattern, "" if text is None else str(text), timeout=_SECONDS) is not None
        except regex.error as error:
            self._fail(f"the pattern {pattern!r} is invalid ({error})")
        except TimeoutError:
            self._fail(f"the pattern {pattern!r} takes too long")

    def _named(self, name: str, row: Any) -> Any:
        if isinstance(row, Mapping):
            return row[name]
        return self._subject.value(name, row) if name in self._subject.names else self._feature(name, row)

    def _feature(self, name: str, row: Any) -> Any:
        if name not in self._subject.features:
            self._fail(f"unknown name {name!r} (available: {listed([*self._subject.features, *self._subject.names])})")
        return self._subject.value(name, row)

    def _fail(self, why: str, *example: str) -> NoReturn:
        raise _wrong(self._expression, why, *(example or (self._subject.example,)))


def _are_equal(one: Any, other: Any) -> bool:
    """Whether two values are equal; lists and sets are if they have the same members."""
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return all(
            any(_are_equal(member, another) for another in many)
            for some, many in ((one, other), (other, one))
            for member in some
        )
    first, second = _alike(one, other)
    return bool(first == second)


def _alike(one: Any, other: Any) -> tuple[Any, Any]:
    """Return two values, a text as a number if it spells one and the other is a number."""
    return _as_number(one) if _is_number(other) else one, _as_number(other) if _is_number(one) else other


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _as_number(value: Any) -> Any:
    if not isinstance(value, str) or not _NUMBER.fullmatch(value):
        return value
    try:
        return int(value)  # exact, however long
    except ValueError:
        return float(value)


def _kind(value: Any) -> str:
    if _is_number(value):
        return "a number"
    return {str: "text", bool: "true or false", list: "a list", tuple: "a set"}.get(type(value), "of another kind")
