"""Units for which an expression holds."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

import numpy as np
import regex

from unisono.data import Corpus
from unisono.errors import OptionError, listed
from unisono.preparation.units import with_units

_COMPARE: Mapping[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda one, many: one in many,
    ast.NotIn: lambda one, many: one not in many,
}
_LONGEST = 2000
_SECONDS = 1.0


def select_units(corpus: Corpus, expression: str) -> Corpus:
    """Keep the units for which an expression holds.

    It may name the features, and document, annotator, start, end, length and text (what the unit covers); compare with
    ``== != < <= > >= in`` and ``not in``; join with ``and``, ``or``, ``not`` and brackets; and say ``matches(text,
    "regex")``. A label that is missing is None. A feature whose name is not a word is written ``feature["its name"]``.
    """
    test = _Test(expression, corpus)
    kept = np.fromiter((test.holds(row) for row in range(corpus.n_units)), np.bool_, count=corpus.n_units)
    return with_units(corpus, kept, f"units that are not: {expression} (--where)")


class _Test:
    """An expression, for the units of a corpus."""

    def __init__(self, expression: str, corpus: Corpus) -> None:
        self._expression = expression
        try:
            if len(expression) > _LONGEST:
                raise SyntaxError("it is too long")
            self._tree = ast.parse(expression.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            self._fail("it is not an expression")
        self._labels = {name: column.values() for name, column in corpus.features.items()}
        self._corpus = corpus

    def holds(self, row: int) -> bool:
        """Tell whether it holds for a unit."""
        try:
            return bool(self._value(self._tree, row))
        except TypeError:
            return False  # a missing label is neither more nor less than a number
        except RecursionError:
            self._fail("it is nested too deeply")

    def _value(self, node: ast.expr, row: int) -> Any:
        match node:
            case ast.Constant(value=value):
                return value
            case ast.Name(id=name):
                return self._named(name, row)
            case ast.Subscript(value=ast.Name(id="feature"), slice=ast.Constant(value=str(name))):
                return self._label(name, row)
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
        return self._fail(f"{ast.unparse(node)!r} is not understood")

    def _compared(self, parts: list[ast.expr], ops: list[ast.cmpop], row: int) -> bool:
        values = [self._value(part, row) for part in parts]
        for op, one, other in zip(ops, values, values[1:], strict=False):
            compare = _COMPARE.get(type(op))
            if compare is None:
                self._fail("is is not understood; write ==")
            if not compare(one, other):
                return False
        return True

    def _matches(self, text: Any, pattern: str) -> bool:
        try:
            return regex.search(pattern, "" if text is None else str(text), timeout=_SECONDS) is not None
        except regex.error as error:
            self._fail(f"the pattern {pattern!r} is wrong ({error})")
        except TimeoutError:
            self._fail(f"the pattern {pattern!r} takes too long")

    def _named(self, name: str, row: int) -> Any:
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
            self._fail(f"there is no {name!r}; there are: {listed(known)}")
        return self._labels[name][row]

    def _fail(self, why: str) -> NoReturn:
        raise OptionError(f'--where {self._expression}: {why}; write e.g. category != "O" and length > 3')
