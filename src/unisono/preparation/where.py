"""Units for which an expression holds."""

from __future__ import annotations

import ast
import json
import operator
import re
from collections.abc import Callable, Mapping
from typing import Any, NoReturn, TypeAlias

import numpy as np
import regex

from unisono.data import Corpus
from unisono.errors import OptionError, listed
from unisono.preparation.units import with_units, with_versions

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
    test = _Test(expression, corpus)
    kept = np.fromiter((test.holds(row) for row in range(corpus.n_units)), np.bool_, count=corpus.n_units)
    chosen = with_units(corpus, kept, f"units for which this does not hold: {expression}")
    worked = corpus.worked.copy()
    for document, annotator in np.argwhere(worked).tolist() if test.names_versions else ():
        worked[document, annotator] = test.may_hold(document, annotator)
    return chosen if (worked == corpus.worked).all() else with_versions(chosen, worked)


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


class _Test:
    """An expression, for the units of a corpus."""

    def __init__(self, expression: str, corpus: Corpus) -> None:
        self._expression = expression
        self._tree = _parsed(expression)
        self._labels = {name: column.values() for name, column in corpus.features.items()}
        self._corpus = corpus

    def holds(self, row: int) -> bool:
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
        names = {"document": self._corpus.documents[document], "annotator": self._corpus.annotators[annotator]}
        return self._decided(self._tree, {name: names[name] for name in self._versions}) is not False

    @property
    def _versions(self) -> set[str]:
        """The names that say whose version of which document a unit is in; a feature may have such a name instead."""
        return {"document", "annotator"} - set(self._labels)

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

    def _value(self, node: ast.expr, row: int | Mapping[str, str]) -> Any:
        match node:
            case ast.Constant(value=str() | int() | float() | None as value):
                return value
            case ast.Name(id=name):
                return self._named(name, row)
            case ast.Subscript(value=ast.Name(id="feature"), slice=ast.Constant(value=str(name))):
                return self._label(name, row) if isinstance(row, int) else None
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

    def _compared(self, parts: list[ast.expr], ops: list[ast.cmpop], row: int | Mapping[str, str]) -> bool:
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

    def _named(self, name: str, row: int | Mapping[str, str]) -> Any:
        if not isinstance(row, int):
            return row[name]
        corpus = self._corpus
        if name in self._labels:
            return self._label(name, row)
        start, end = corpus.start[row].item(), corpus.end[row].item()
        if name in ("start", "end", "length"):
            return {"start": start, "end": end, "length": end - start}[name]
        place = int(corpus.document[row]), int(corpus.annotator[row])
        if name == "document":
            return corpus.documents[place[0]]
        if name == "annotator":
            return corpus.annotators[place[1]]
        if name == "text":
            return corpus.texts.get(place, "")[int(start) : int(end)]
        return self._label(name, row)

    def _label(self, name: str, row: int) -> Any:
        if name not in self._labels:
            known = [*self._labels, "document", "annotator", "start", "end", "length", "text"]
            self._fail(f"unknown name {name!r} (available: {listed(known)})")
        return self._labels[name][row]

    def _fail(self, why: str, *example: str) -> NoReturn:
        raise _wrong(self._expression, why, *example)


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
